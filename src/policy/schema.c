#include "config.h"

#include "policy/schema.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <strings.h>

#include "base/base64.h"
#include "base/duration.h"
#include "base/text.h"

/* How the walk continues below an object. */
struct walk {
	struct reading *reading;
	bool any_case; /* we are within a policy's extender */
};

/* The walk is recursive; its depth is that of the tables above. */
static bool decode_object(struct walk walk, const struct doc_node *node,
    const char *path, const struct schema *schema, void *object);

static bool __attribute__((format(printf, 3, 4)))
reject(const struct walk *walk, const struct doc_node *node, const char *fmt,
    ...)
{
	AUTOFREE char *text = NULL;

	XFORMAT(text, fmt);
	reading_report(walk->reading, SEVERITY_ERROR, node, "%s", text);
	walk->reading->mistyped = true;
	return false;
}

static bool
fail(const struct walk *walk, const struct doc_node *node, const char *path,
    const char *what)
{
	return reject(walk, node, "%s must be %s, not %s", path, what,
	    doc_value_name(node));
}

/* The same of a value that may have quotes too many, as in "1". */
static bool
fail_quoted(const struct walk *walk, const struct doc_node *node,
    const char *path, const char *what, bool is_one)
{
	fail(walk, node, path, what);
	if (is_one)
		reading_mend(walk->reading, MEND_VALUE, node, node->text, NULL);
	return false;
}

static bool
decode_string(const struct walk *walk, const struct doc_node *node,
    const char *path, const char **text)
{
	if (node->kind != DOC_STRING)
		return fail(walk, node, path, "a string");
	*text = node->text;
	return true;
}

/*
 * The whole number that Go writes for a float64: as many digits as distinguish
 * it from its neighbours, then zeros.
 */
static const char *
shortest_whole(struct arena *arena, double value)
{
	const char *sign = value < 0 ? "-" : "";
	char text[32];
	int n = 0, zeros;

	do
		snprintf(text, sizeof(text), "%.*e", n, fabs(value));
	while (strtod(text, NULL) != fabs(value) && ++n < 17);
	zeros = atoi(strchr(text, 'e') + 1) - n;
	return arena_printf(arena, "%s%c%.*s%.*s", sign, *text, n,
	    n > 0 ? text + 2 : "", zeros, "00000000000000000000");
}

/* Whether an integer of 64 bits, perhaps without sign, can be this. */
static bool
fits_64_bits(const char *digits)
{
	bool minus = *digits == '-';
	unsigned long long value;

	errno = 0;
	value = strtoull(digits + minus, NULL, 10);
	return errno == 0 &&
	    (!minus || value <= (unsigned long long)INT64_MAX + 1);
}

/*
 * A number from YAML is a float64 if it has a point or an exponent or does not
 * fit 64 bits; it is converted to JSON without them if it is whole and below
 * 1e21.  So 3.0 and 1e1 are whole numbers in YAML only.
 */
static const char *
yaml_number(struct arena *arena, const char *text)
{
	double value;

	if (strpbrk(text, ".eE") == NULL && fits_64_bits(text))
		return text;
	value = strtod(text, NULL);
	if (fabs(value) >= 1e21 || value != trunc(value))
		return text;
	return shortest_whole(arena, value);
}

/*
 * Converts digits to a number of the given width, with json-iterator's test for
 * overflow: it multiplies modulo 2^bits and notices only when the result is
 * smaller than before.
 */
static bool
iterator_digits(const char *digits, unsigned bits, uint64_t *out)
{
	uint64_t all = bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
	uint64_t safe = all / 10 - 1, value = (uint64_t)(*digits - '0');

	while (*++digits != '\0') {
		uint64_t next = (value * 10 + (uint64_t)(*digits - '0')) & all;

		if (value > safe && next < value)
			return false;
		value = next;
	}
	*out = value;
	return true;
}

/* The same for encoding/json, which notices every overflow. */
static bool
exact_digits(const char *digits, uint64_t *out)
{
	errno = 0;
	*out = strtoull(digits, NULL, 10);
	return errno == 0;
}

/* "0o17" without quotes is a number in YAML 1.2, which doc.h reads as a text. */
static const char *
octal_number(struct reading *reading, const struct doc_node *node)
{
	if (!node->plain || !reading->exact_numbers ||
	    node->kind != DOC_STRING || node->len < 3 || node->len > 20 ||
	    strncmp(node->text, "0o", 2) != 0 ||
	    strspn(node->text + 2, "01234567") != node->len - 2)
		return NULL;
	return arena_printf(&reading->arena, "%llu",
	    strtoull(node->text + 2, NULL, 8));
}

/* Whether a text is a whole number. */
static bool
is_whole(const struct doc_node *node)
{
	const char *text = node->kind == DOC_STRING ? node->text : "";

	text += *text == '-';
	return *text != '\0' && text[strspn(text, "0123456789")] == '\0';
}

static bool
decode_int(const struct walk *walk, const struct doc_node *node,
    const char *path, unsigned bits, int64_t *out)
{
	struct reading *reading = walk->reading;
	uint64_t limit = (UINT64_C(1) << (bits - 1)) - 1, value;
	const char *octal = octal_number(reading, node);
	const char *digits = octal != NULL ? octal : node->text;
	bool minus;

	if (node->kind != DOC_NUMBER && octal == NULL)
		return fail_quoted(walk, node, path, "a whole number",
		    is_whole(node));
	if (reading->yaml)
		digits = yaml_number(&reading->arena, digits);
	minus = *digits == '-';
	digits += minus;
	if (strspn(digits, "0123456789") != strlen(digits))
		return reject(walk, node,
		    "%s must be a whole number, written without point and "
		    "exponent, not %s",
		    path, node->text);
	if (!(walk->any_case || reading->exact_numbers ?
		    exact_digits(digits, &value) :
		    iterator_digits(digits, bits, &value)) ||
	    value > limit + minus)
		return reject(walk, node, "%s: %s is too %s", path, node->text,
		    minus ? "small" : "big");
	*out = minus ? (int64_t)-value : (int64_t)value;
	return true;
}

static bool
decode_bytes(const struct walk *walk, const struct doc_node *node,
    const char *path, struct bytes_value *bytes)
{
	struct arena *arena = &walk->reading->arena;
	AUTOFREE char *decoded = NULL;
	char *out;
	size_t n = 0;

	if (node->kind == DOC_STRING) {
		decoded = base64_decode(node->text, node->len, &n);
		if (decoded != NULL) {
			*bytes = (struct bytes_value){
				arena_memdup(arena, decoded, n + 1), n
			};
			return true;
		}
		return reject(walk, node, "%s must be base64", path);
	}
	if (node->kind != DOC_ARRAY)
		return fail(walk, node, path, "a string in base64");
	out = arena_zalloc(arena, node->count + 1);
	EACH_CHILD (p, node) {
		int64_t byte = 0;

		if (p->kind != DOC_NULL &&
		    !decode_int(walk, p, path, 64, &byte))
			return false;
		if (byte < 0 || byte > 255)
			return fail(walk, p, path, "an array of bytes");
		out[n++] = (char)byte;
	}
	*bytes = (struct bytes_value){ out, n };
	return true;
}

static bool
decode_strings(const struct walk *walk, const struct doc_node *node,
    const char *path, struct list *list)
{
	struct arena *arena = &walk->reading->arena;
	struct string_value *value;
	bool ok = true;

	if (node->kind != DOC_ARRAY)
		return fail(walk, node, path, "an array of strings");
	value = arena_array(arena, struct string_value, node->count + 1);
	*list = (struct list){ true, node->count, value };
	for (const struct doc_node *p = node->first; p != NULL;
	     p = p->next, value++) {
		*value = (struct string_value){ { p, false }, "" };
		if (p->kind != DOC_NULL)
			ok &= decode_string(walk, p,
			    arena_printf(arena, "%s[%zu]", path,
				(size_t)(value -
				    (struct string_value *)list->items)),
			    &value->text);
	}
	return ok;
}

static bool
decode_objects(const struct walk *walk, const struct doc_node *node,
    const char *path, const struct schema *schema, struct list *list)
{
	struct arena *arena = &walk->reading->arena;
	const struct doc_node *p;
	bool ok = true;

	if (node->kind != DOC_ARRAY)
		return fail(walk, node, path, "an array");
	list->given = true; /* a long one is not taken for absent */
	if (node->count > SCHEMA_ENTRIES_MAX)
		return reject(walk, node, "%s has %zu entries; the limit is %d",
		    path, node->count, SCHEMA_ENTRIES_MAX);
	*list = (struct list){ true, node->count,
		arena_zalloc(arena, (node->count + 1) * schema->size) };
	p = node->first;
	for (size_t i = 0; p != NULL; i++, p = p->next)
		ok &= decode_object(*walk, p,
		    arena_printf(arena, "%s[%zu]", path, i), schema,
		    (char *)list->items + i * schema->size);
	return ok;
}

/* null leaves strings, numbers and booleans unchanged, and clears all other
 * values. */
static void
decode_null(const struct field *field, void *out)
{
	switch (field->kind) {
	case FIELD_OBJECT:
		*(void **)out = NULL;
		break;
	case FIELD_OBJECTS:
	case FIELD_STRINGS:
		*(struct list *)out = (struct list){ 0 };
		break;
	case FIELD_BYTES:
		*(struct bytes_value *)out = (struct bytes_value){ 0 };
		break;
	default:
		break;
	}
}

static bool
decode_int32(const struct walk *walk, const struct doc_node *node,
    const char *path, int64_t *out)
{
	bool narrow =
	    walk->reading->strict_fields || walk->reading->names == NAMES_GO;
	int64_t value = 0;

	/* In a policy the internal type is int32; the public one is int and cut
	 * off. */
	if (!decode_int(walk, node, path, narrow ? 32 : 64, &value))
		return false;
	*out = (int32_t)(uint32_t)(uint64_t)value;
	return true;
}

/* float32: any JSON number that is not beyond it. */
static bool
decode_float(const struct walk *walk, const struct doc_node *node,
    const char *path, double *out)
{
	double value;

	if (node->kind != DOC_NUMBER)
		return fail(walk, node, path, "a number");
	value = strtod(node->text, NULL);
	if (!isfinite((float)value))
		return reject(walk, node, "%s: %s is too big", path,
		    node->text);
	*out = value;
	return true;
}

static bool
decode_field(const struct walk *walk, const struct doc_node *node,
    const char *path, const struct field *field, void *object)
{
	void *out = (char *)object + field->offset;

	if (node->kind == DOC_NULL) {
		decode_null(field, out);
		return true;
	}
	switch (field->kind) {
	case FIELD_IGNORED:
		return true;
	case FIELD_STRING:
		return decode_string(walk, node, path, out);
	case FIELD_BOOL:
		if (node->kind != DOC_BOOL)
			return fail_quoted(walk, node, path, "true or false",
			    node->kind == DOC_STRING &&
				text_is_choice("true|false", node->text));
		*(bool *)out = node->boolean;
		return true;
	case FIELD_INT:
		return decode_int(walk, node, path, 64, out);
	case FIELD_INT32:
		return decode_int32(walk, node, path, out);
	case FIELD_TIME:
		if (node->kind != DOC_NUMBER)
			return fail(walk, node, path,
			    "a whole number of nanoseconds");
		return decode_int(walk, node, path, 64, out);
	case FIELD_FLOAT:
		return decode_float(walk, node, path, out);
	case FIELD_DURATION:
		if (node->kind != DOC_STRING)
			return fail(walk, node, path,
			    "a duration such as \"15s\"");
		if (duration_parse(node->text, out) == 0)
			return true;
		return reject(walk, node,
		    "%s must be a duration such as \"15s\", not \"%s\"", path,
		    node->text);
	case FIELD_NODE:
		*(const struct doc_node **)out = node;
		return true;
	case FIELD_BYTES:
		return decode_bytes(walk, node, path, out);
	case FIELD_OBJECT:
		/* The same name in another case adds to the first. */
		if (*(void **)out == NULL)
			*(void **)out = arena_zalloc(&walk->reading->arena,
			    field->of->size);
		return decode_object(*walk, node, path, field->of,
		    *(void **)out);
	case FIELD_OBJECTS:
		return decode_objects(walk, node, path, field->of, out);
	case FIELD_STRINGS:
		return decode_strings(walk, node, path, out);
	}
	return true;
}

/* Whether a field that only predicated knows has the right type: if not, it is
 * treated as unknown, as in kube-scheduler. */
static bool
is_ours(const struct walk *walk, const struct field *field,
    const struct doc_node *node)
{
	if (walk->reading->options->strict)
		return false;
	switch (field->kind) {
	case FIELD_STRING:
		return node->kind == DOC_STRING;
	case FIELD_STRINGS:
		if (node->kind != DOC_ARRAY)
			return false;
		for (node = node->first; node != NULL; node = node->next)
			if (node->kind != DOC_STRING)
				return false;
		return true;
	case FIELD_OBJECT:
		return node->kind == DOC_OBJECT;
	default:
		return false;
	}
}

static bool
is_of_version(const struct reading *reading, const struct field *field)
{
	return field->versions == 0 ||
	    (field->versions & VERSION_BIT(reading->version)) != 0;
}

static bool
has_name(const struct walk *walk, const struct field *field, const char *key)
{
	enum field_names names = walk->reading->names;

	if (names != NAMES_GO &&
	    (strcmp(field->name, key) == 0 ||
		(walk->any_case && strcasecmp(field->name, key) == 0)))
		return true;
	return names != NAMES_V1 && field->go_name != NULL &&
	    strcmp(field->go_name, key) == 0;
}

static const struct field *
find_field(const struct walk *walk, const struct schema *schema,
    const struct doc_node *node)
{
	const struct field *all = schema->fields;

	return FIND(i, all, schema->nfields,
	    is_of_version(walk->reading, &all[i]) &&
		has_name(walk, &all[i], node->key) &&
		(all[i].go_name != NULL || is_ours(walk, &all[i], node)));
}

static void
report_unknown(struct reading *reading, const struct doc_node *node,
    const char *path, const struct schema *schema)
{
	const char *names[SCHEMA_FIELDS_MAX], *best;
	size_t n = 0;

	assert(schema->nfields <= SCHEMA_FIELDS_MAX);
	for (size_t i = 0; i < schema->nfields; i++)
		if (schema->fields[i].go_name != NULL &&
		    is_of_version(reading, &schema->fields[i]))
			names[n++] = reading->names == NAMES_GO ?
			    schema->fields[i].go_name :
			    schema->fields[i].name;
	best = closest_name(node->key, names, n);
	if (reading->strict_fields) {
		reading_report(reading, SEVERITY_ERROR, node,
		    "%s: unknown field%s%s%s", path,
		    best != NULL ? "; did you mean \"" : "",
		    best != NULL ? best : "", best != NULL ? "\"?" : "");
		if (best != NULL && is_typo(node->key, best))
			reading_mend(reading, MEND_VALUE, node, NULL, best);
		return;
	}
	if (best == NULL)
		reading_report(reading, SEVERITY_WARNING, node,
		    "%s: unknown field, ignored", path);
	else if (reading->names == NAMES_GO && strcasecmp(best, node->key) == 0)
		reading_report(reading, SEVERITY_WARNING, node,
		    "%s: ignored, because the policy has no \"apiVersion\": "
		    "\"v1\"",
		    path);
	else
		reading_report(reading, SEVERITY_WARNING, node,
		    "%s: unknown field, ignored; did you mean \"%s\"?", path,
		    best);
	if (best != NULL && is_typo(node->key, best))
		reading_mend(reading, MEND_FIELD, node, NULL, best);
}

static bool
decode_object(struct walk walk, const struct doc_node *node, const char *path,
    const struct schema *schema, void *object)
{
	struct reading *reading = walk.reading;
	struct item *item = object;

	item->at = node;
	for (size_t i = 0; i < schema->nfields; i++)
		if (schema->fields[i].by_default != 0)
			*(int64_t *)((char *)object +
			    schema->fields[i].offset) =
			    schema->fields[i].by_default;
	if (node == NULL || node->kind == DOC_NULL)
		return true;
	if (node->kind != DOC_OBJECT) {
		item->broken = true;
		return fail(&walk, node,
		    *path != '\0'              ? path :
			reading->strict_fields ? "a configuration" :
						 "a policy",
		    "an object");
	}
	walk.any_case |= schema->any_case && !reading->strict_fields &&
	    reading->names != NAMES_GO;
	EACH_CHILD (p, node) {
		const struct field *field = find_field(&walk, schema, p);
		const char *its_path = arena_printf(&reading->arena, "%s%s%s",
		    path, *path != '\0' ? "." : "", p->key);

		if (field == NULL)
			report_unknown(reading, p, its_path, schema);
		else if (!decode_field(&walk, p, its_path, field, object))
			item->broken = true;
	}
	return !item->broken;
}

bool
schema_decode(struct reading *reading, const struct doc_node *node,
    const char *path, const struct schema *schema, void *object)
{
	struct walk walk = { reading, false };

	return decode_object(walk, node, path, schema, object);
}

/* ---- for units ---- */

static const void *
make_list(struct arena *arena, const struct schema *schema,
    const struct list *list)
{
	char *all;

	if (schema == NULL) {
		const struct string_value *at = list->items;
		sym *syms = arena_array(arena, sym, list->n);

		for (size_t i = 0; i < list->n; i++)
			syms[i] = sym_intern(at[i].text);
		return syms;
	}
	all = arena_zalloc(arena, (list->n + 1) * schema->made_size);
	for (size_t i = 0; i < list->n; i++)
		schema_make(arena, schema,
		    (const char *)list->items + i * schema->size,
		    all + i * schema->made_size);
	return all;
}

void
schema_make(struct arena *arena, const struct schema *schema,
    const void *object, void *made)
{
	for (size_t i = 0; i < schema->nfields; i++) {
		const struct field *field = &schema->fields[i];
		const void *value = (const char *)object + field->offset;
		const void *inner = field->kind == FIELD_OBJECT ?
		    *(const void *const *)value :
		    NULL;
		char *out = (char *)made + field->made;

		if (inner != NULL)
			schema_make(arena, field->of, inner, made);
		if (!field->is_made)
			continue;
		if (field->kind == FIELD_STRINGS ||
		    field->kind == FIELD_OBJECTS) {
			const struct list *list = value;

			*(const void **)out = make_list(arena, field->of, list);
			*(size_t *)((char *)made + field->made_n) = list->n;
		} else if (field->kind == FIELD_STRING) {
			*(sym *)out =
			    sym_intern(or_empty(*(const char *const *)value));
		} else if (field->kind == FIELD_BOOL) {
			*(bool *)out = *(const bool *)value;
		} else {
			*(int64_t *)out = *(const int64_t *)value;
		}
	}
}
