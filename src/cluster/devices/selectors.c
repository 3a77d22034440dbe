#include "config.h"

#include "cluster/devices/selectors.h"

#include "base/arena.h"
#include "cel/cel.h"
#include "cluster/devices/inventory.h"

/* Bytes of programs that are kept; beyond it all are compiled again. */
#define PROGRAMS_MOST (64 * 1024 * 1024)
/* Of work, for each evaluation and each byte to compile. */
#define EVALUATION_STEPS 4
#define COMPILE_STEPS 10
/* For each unit of CEL's costs. */
#define COST_STEPS 2

struct selector_program {
	sym expression;
	struct cel_program *program;
	char *error; /* it cannot be compiled; NULL: it can */
};

/* Without the gate DRAConsumableCapacity there is no last field. */
static const struct cel_field fields[] = {
	{ "driver", "string" },
	{ "attributes", "map(string, map(string, any))" },
	{ "capacity", "map(string, map(string, kubernetes.Quantity))" },
	{ "allowMultipleAllocations", "bool" },
};

void
selectors_forget(struct devices *devices)
{
	EACH_VALUE (&devices->programs, struct selector_program, p) {
		cel_program_free(p->program);
		sym_unref(p->expression);
		free(p->error);
		free(p);
	}
	map_fini(&devices->programs);
	memset(&devices->programs, 0, sizeof(devices->programs));
	devices->program_bytes = 0;
}

static const struct selector_program *
compile(struct devices *devices, sym expression, bool shares, uint64_t *steps)
{
	const struct cel_variable variable = { "device", "kubernetes.DRADevice",
		fields, LENGTH(fields) - !shares };
	struct selector_program *p =
	    map_get(&devices->programs, map_key(shares, expression));
	struct err err;

	if (p != NULL)
		return p;
	if (devices->program_bytes > PROGRAMS_MOST)
		selectors_forget(devices);
	*steps += COMPILE_STEPS * sym_len(expression);
	p = xcalloc(1, sizeof(*p));
	p->expression = sym_ref(expression);
	p->program = cel_compile(sym_text(expression), sym_len(expression),
	    &variable, &err);
	if (p->program == NULL)
		p->error = xstrdup(err.text);
	devices->program_bytes +=
	    1024 + sym_len(expression) + cel_program_size(p->program);
	map_put(&devices->programs, map_key(shares, expression), p);
	return p;
}

/* ---- devices as values ---- */

/* The parts of "domain/name"; the driver is the domain of a name without one. */
struct qualified {
	struct cel_value domain, name;
};

static struct qualified
qualify(sym name, sym driver)
{
	const char *text = sym_text(name), *slash = strchr(text, '/');

	if (slash == NULL)
		return (struct qualified){ cel_string(sym_text(driver)),
			cel_string(text) };
	return (struct qualified){
		cel_string_n(text, (size_t)(slash - text)),
		cel_string(slash + 1),
	};
}

/* A map of maps, by domain and name. */
static struct cel_value
group(struct arena *arena, const struct qualified *names,
    const struct cel_value *values, uint32_t n)
{
	struct cel_entry *domains = arena_array(arena, struct cel_entry, n);
	struct cel_entry *entries = arena_array(arena, struct cel_entry, n);
	bool *done = arena_array(arena, bool, n);
	size_t ndomains = 0;

	for (uint32_t i = 0; i < n; i++) {
		size_t nentries = 0;

		if (done[i])
			continue;
		for (uint32_t k = i; k < n; k++) {
			const struct cel_value *domain = &names[k].domain;

			if (domain->len != names[i].domain.len ||
			    memcmp(domain->text, names[i].domain.text,
				domain->len) != 0)
				continue;
			done[k] = true;
			entries[nentries++] =
			    (struct cel_entry){ names[k].name, values[k] };
		}
		domains[ndomains++] = (struct cel_entry){ names[i].domain,
			cel_map(arena, entries, nentries) };
	}
	return cel_map_of_maps(arena, domains, ndomains);
}

/* -1: err says why there is none. */
static int
value_of(struct arena *arena, const struct device_attribute *a,
    struct cel_value *out, struct err *err)
{
	struct err own;

	switch (a->kind) {
	case ATTRIBUTE_INT:
		*out = cel_int(a->number);
		return 0;
	case ATTRIBUTE_BOOL:
		*out = cel_bool(a->number != 0);
		return 0;
	case ATTRIBUTE_STRING:
		*out = cel_string_n(sym_text(a->text), sym_len(a->text));
		return 0;
	case ATTRIBUTE_VERSION:
		if (cel_semver(arena, sym_text(a->text), out, &own) == 0)
			return 0;
		return errf(err, "attribute %s: parse semantic version: %s",
		    sym_text(a->name), own.text);
	case ATTRIBUTE_NONE:
		break;
	}
	return errf(err, "attribute %s: unsupported attribute value",
	    sym_text(a->name));
}

static int
device_value(struct arena *arena, sym driver, const struct device *d,
    bool shares, struct cel_value *out, struct err *err)
{
	uint32_t n =
	    d->nattributes > d->ncapacities ? d->nattributes : d->ncapacities;
	struct qualified *names = arena_array(arena, struct qualified, n);
	struct cel_value *values = arena_array(arena, struct cel_value, n);
	struct cel_entry entries[LENGTH(fields)];

	for (uint32_t i = 0; i < d->nattributes; i++) {
		names[i] = qualify(d->attributes[i].name, driver);
		if (value_of(arena, &d->attributes[i], &values[i], err) != 0)
			return -1;
	}
	entries[0].value = cel_string(sym_text(driver));
	entries[1].value = group(arena, names, values, d->nattributes);
	for (uint32_t i = 0; i < d->ncapacities; i++) {
		names[i] = qualify(d->capacities[i].name, driver);
		values[i] = cel_quantity(arena, &d->capacities[i].amount.value);
	}
	entries[2].value = group(arena, names, values, d->ncapacities);
	entries[3].value = cel_bool(d->shareable);
	for (size_t i = 0; i < LENGTH(fields); i++)
		entries[i].key = cel_string(fields[i].name);
	*out = cel_map(arena, entries, LENGTH(fields) - !shares);
	return 0;
}

int
selector_match(struct devices *devices, const struct device_selector *selector,
    sym driver, const struct device *device, bool shares, struct arena *arena,
    uint64_t *steps, const char **error)
{
	struct arena *scratch = &devices->scratch;
	const struct selector_program *program;
	struct cel_value value;
	bool matches = false;
	uint64_t cost = 0;
	struct err err;

	*steps = EVALUATION_STEPS;
	program = compile(devices, selector->expression, shares, steps);
	if (program->error != NULL) {
		*error = arena_printf(arena, "CEL compile error: %s",
		    program->error);
		return -1;
	}
	arena_reset(scratch);
	if (device_value(scratch, driver, device, shares, &value, &err) == 0 &&
	    cel_evaluate(program->program, &value, CEL_MAX_COST, scratch,
		&matches, &cost, &err) == 0) {
		*steps += COST_STEPS * cost;
		return matches;
	}
	*steps += COST_STEPS * cost;
	*error = arena_printf(arena, "CEL runtime error: %s", err.text);
	return -1;
}
