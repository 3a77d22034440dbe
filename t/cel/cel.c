/* Expressions, and what cel-go 0.26 makes of them in Kubernetes' environment. */
#include "config.h"

#include <inttypes.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/xmalloc.h"
#include "cel/cel.h"
#include "t/lib/t.h"

static const struct cel_field fields[] = {
	{ "driver", "string" },
	{ "allowMultipleAllocations", "bool" },
	{ "attributes", "map(string, map(string, any))" },
	{ "capacity", "map(string, map(string, kubernetes.Quantity))" },
};
static const struct cel_variable variable = { "device", "kubernetes.DRADevice",
	fields, LENGTH(fields) };

static struct cel_value
quantity(struct arena *arena, const char *text)
{
	struct cel_value value = cel_int(0);

	t_int(text, cel_quantity_text(arena, text, strlen(text), &value, NULL),
	    0);
	return value;
}

static struct cel_value
device(struct arena *arena)
{
	struct cel_value version = cel_int(0);
	struct cel_entry attributes[] = {
		{ cel_string("model"), cel_string("h100") },
		{ cel_string("index"), cel_int(3) },
		{ cel_string("ecc"), cel_bool(true) },
		{ cel_string("version"), cel_int(0) },
	};
	struct cel_entry capacity[] = {
		{ cel_string("memory"), quantity(arena, "80Gi") },
		{ cel_string("cores"), quantity(arena, "1500m") },
	};
	struct cel_entry domains[] = { { cel_string("gpu.example.com"),
	    cel_int(0) } };
	struct cel_entry all[] = {
		{ cel_string("driver"), cel_string("gpu.example.com") },
		{ cel_string("allowMultipleAllocations"), cel_bool(false) },
		{ cel_string("attributes"), cel_int(0) },
		{ cel_string("capacity"), cel_int(0) },
	};

	cel_semver(arena, "1.2.3", &version, NULL);
	attributes[3].value = version;
	domains[0].value = cel_map(arena, attributes, LENGTH(attributes));
	all[2].value = cel_map_of_maps(arena, domains, 1);
	domains[0].value = cel_map(arena, capacity, LENGTH(capacity));
	all[3].value = cel_map_of_maps(arena, domains, 1);
	return cel_map(arena, all, LENGTH(all));
}

/* The result and the cost, or the first line of the error. */
static void
expect(const char *text, const char *want, uint64_t limit)
{
	struct arena arena = ARENA_INIT, scratch = ARENA_INIT;
	struct cel_value value = device(&arena);
	struct cel_program *program;
	struct err err;
	bool result = false;
	uint64_t cost;

	program = cel_compile(text, strlen(text), &variable, &err);
	if (program == NULL) {
		err.text[strcspn(err.text, "\n")] = '\0';
		t_str(text, err.text, want);
	} else if (cel_evaluate(program, &value, limit, &scratch, &result,
		       &cost, &err) != 0) {
		t_str(text, err.text, want);
	} else {
		t_str(text,
		    arena_printf(&scratch, "%s %" PRIu64,
			result ? "true" : "false", cost),
		    want);
	}
	cel_program_free(program);
	arena_fini(&scratch);
	arena_fini(&arena);
}

struct row {
	const char *text, *want;
};

static void
check_rows(const struct row *rows, size_t n)
{
	for (size_t i = 0; i < n; i++)
		expect(rows[i].text, rows[i].want, CEL_MAX_COST);
}

/* clang-format off */
static void
devices_are_selected(void)
{
	static const struct row rows[] = {
		{ "device.driver == 'gpu.example.com'", "true 4" },
		{ "device.attributes['gpu.example.com'].model == 'h100'", "true 5" },
		{ "device.attributes['gpu.example.com'].index > 2", "true 5" },
		{ "device.attributes['gpu.example.com'].ecc", "true 4" },
		{ "device.attributes['gpu.example.com'].version.isGreaterThan(semver('1.0.0'))", "true 6" },
		{ "device.capacity['gpu.example.com'].memory.compareTo(quantity('40Gi')) >= 0", "true 7" },
		{ "device.allowMultipleAllocations", "false 2" },
		{ "device.attributes['nope'].x == 1", "no such key: x" },
		{ "has(device.attributes['nope'].x)", "false 3" },
		{ "'nope' in device.attributes", "false 3" },
		{ "device.attributes['gpu.example.com'].?nope.orValue('a') == 'a'", "true 4" },
		{ "cel.bind(a, device.attributes['gpu.example.com'], a.ecc && a.model.startsWith('h'))", "true 8" },
		{ "device.attributes['gpu.example.com'].index", "CEL result of type int could not be converted to bool: unsupported type conversion from 'int' to bool" },
	};

	check_rows(rows, LENGTH(rows));
}

static void
errors_are_those_of_cel_go(void)
{
	static const struct row rows[] = {
		{ "device.foo", "compilation failed: ERROR: <input>:1:7: undefined field 'foo'" },
		{ "x", "compilation failed: ERROR: <input>:1:1: undeclared reference to 'x' (in container '')" },
		{ "1 + 'a'", "compilation failed: ERROR: <input>:1:3: found no matching overload for '_+_' applied to '(int, string)'" },
		{ "device.attributes['a'].b.exists(x, true)", "compilation failed: ERROR: <input>:1:23: expression of type 'any' cannot be range of a comprehension (must be list, map, or dynamic)" },
		{ "1", "must evaluate to bool or the unknown type, not int" },
		{ "1 && true", "compilation failed: ERROR: <input>:1:1: expected type 'bool' but found 'int'" },
		{ "1 / 0 == 1", "division by zero" },
		{ "1 % 0 == 1", "modulus by zero" },
		{ "9223372036854775807 + 1 == 0", "integer overflow" },
		{ "1u - 2u == 0u", "unsigned integer overflow" },
		{ "int('a') == 1", "program instantiation failed: type conversion error from 'string' to 'int'" },
		{ "duration('x') == duration('1s')", "compilation failed: ERROR: <input>:1:10: invalid duration argument" },
		{ "[1, 2][3] == 1", "index out of bounds: 3" },
		{ "{'a': 1}['b'] == 1", "no such key: b" },
		{ "device.attributes['gpu.example.com'].index.matches('a')", "no such overload" },
		{ "device.attributes['gpu.example.com'].index.matches(device.driver)", "no such overload: matches" },
		{ "1 / 0 == 1 || true", "true 2" },
		{ "1 / 0 == 1 && false", "false 2" },
		{ "1 / 0 == 1 && true", "division by zero" },
	};

	check_rows(rows, LENGTH(rows));
}

static void
lists_and_macros(void)
{
	static const struct row rows[] = {
		{ "[1, 2, 3].exists(x, x > 2)", "true 19" },
		{ "[1, 2, 3].map(x, x * 2).filter(y, y > 2).size() == 2", "true 78" },
		{ "lists.range(3).map(x, x).sum() == 3", "true 58" },
		{ "{'a': 1}.transformMap(k, v, v + 1)['a'] == 2", "true 9" },
		{ "'a' in ['a', 'b']", "true 0" },
		{ "[3, 1, 2].sort() == [1, 2, 3]", "true 30" },
		{ "[1, 1 / 0] == []", "division by zero" },
		{ "'%s %d'.format(['a', 1]) == 'a 1'", "true 2" },
		{ "quantity('2') == quantity('1').add(1)", "no such overload" },
		{ "isQuantity('+Ei')", "false 1" },
		{ "quantity('Ei').isInteger()", "unable to parse numeric part of quantity" },
		{ "quantity('-e2k').isInteger()", "quantities must match the regular expression "
		    "'^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'" },
		{ "quantity('1').add(1) == quantity('2')", "true 4" },
		{ "'abc'.indexOf('', -1) == -1", "true 1" },
		{ "quantity('1').sub(-9223372036854775808).isLessThan(quantity('0'))", "true 4" },
	};

	check_rows(rows, LENGTH(rows));
}

static void
named_formats(void)
{
	static const struct row rows[] = {
		{ "isURL('https://user:pass@example.com:80/path?query=val#fragment')", "true 1" },
		{ "isURL('/absolute-path') && isURL('http://[fe80::1%25en0]:80/')", "true 2" },
		{ "isURL('https://a:b:c/') || isURL('../relative-path') || isURL('http://[::g]/')", "false 3" },
		{ "format.dns1123Label().validate('my-label-name').hasValue()", "false 18" },
		{ "format.dns1123Label().validate('a b').value() == ['a lowercase RFC 1123 label must consist of lower case alphanumeric characters or \\'-\\', and must start and end with an alphanumeric character (e.g. \\'my-name\\',  or \\'123-abc\\', regex used for validation is \\'[a-z0-9]([-a-z0-9]*[a-z0-9])?\\')']", "true 11" },
		{ "format.dns1123Label().validate('a.b').value() == ['must not contain dots']", "true 11" },
		{ "format.dns1123SubdomainPrefix().validate('mysubdomain.prefix.-').hasValue()", "false 47" },
		{ "format.qualifiedName().validate('/').value() == ['prefix part must be non-empty', 'name part must be non-empty', 'name part must consist of alphanumeric characters, \\'-\\', \\'_\\' or \\'.\\', and must start and end with an alphanumeric character (e.g. \\'MyName\\',  or \\'my.name\\',  or \\'123-abc\\', regex used for validation is \\'([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]\\')']", "true 18" },
		{ "format.uuid().validate('123e4567-e89b-12d3-a456-426614174000').hasValue()", "false 74" },
		{ "format.byte().validate('aGVsbG8').value() == ['invalid base64']", "true 24" },
		{ "format.datetime().validate('2020-02-30T00:00:00Z').value() == ['invalid datetime']", "true 57" },
		{ "format.uri().validate('a b').hasValue()", "true 278" },
		{ "format.named('date').value() == format.date() && !format.named('x').hasValue()", "true 7" },
		{ "format.date() == format.byte()", "false 3" },
	};

	check_rows(rows, LENGTH(rows));
}
/* clang-format on */

static void
a_cost_limit_ends_an_evaluation(void)
{
	expect("lists.range(1000).map(x, x).size() == 1",
	    "operation cancelled: actual cost limit exceeded", 5000);
	expect("lists.range(1000000000000) == []",
	    "operation cancelled: actual cost limit exceeded", CEL_MAX_COST);
	expect("cel.bind(a, lists.range(100000), a.map(x, a + a)) == []",
	    "operation cancelled: actual cost limit exceeded", CEL_MAX_COST);
}

/* clang-format off */
T_MAIN(T(devices_are_selected), T(errors_are_those_of_cel_go),
    T(lists_and_macros), T(named_formats), T(a_cost_limit_ends_an_evaluation))
/* clang-format on */
