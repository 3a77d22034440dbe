/*
 * Decodes a document to struct policy as kube-scheduler 1.15 does: unknown
 * fields are ignored (we warn), null counts as absent, a value of the wrong
 * type is an error.  Names are case-sensitive, except within extenders, for
 * which it uses another decoder.
 *
 * Every object is described by a table of its fields; one walk does the rest.
 */
#include "config.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/xmalloc.h"
#include "policy/policy_internal.h"

enum field_kind {
	FIELD_IGNORED, /* known, read elsewhere */
	FIELD_STRING,  /* const char * */
	FIELD_BOOL,    /* bool */
	FIELD_INT,     /* int64_t: Go's int */
	FIELD_INT32,   /* int64_t: Go's int, and int32 internally */
	FIELD_TIME,    /* int64_t: Go's time.Duration */
	FIELD_BYTES,   /* struct bytes_value: base64, or an array of bytes */
	FIELD_OBJECT,  /* pointer to the struct of the schema, NULL if absent */
	FIELD_OBJECTS, /* struct list of them */
	FIELD_STRINGS, /* struct list of struct string_value */
};

struct schema;

struct field {
	const char *name;    /* in policy.cfg */
	const char *go_name; /* NULL: none, the field is our own reading */
	enum field_kind kind;
	size_t offset;
	const struct schema *of;
};

struct schema {
	size_t size; /* of the struct, which begins with a struct item */
	size_t nfields;
	const struct field *fields;
	bool any_case; /* this and all within */
};

#define FIELD(type, member, name, go_name, kind)                               \
	{                                                                      \
		name, go_name, kind, offsetof(struct type, member), NULL       \
	}
#define FIELD_OF(type, member, name, go_name, kind, schema)                    \
	{                                                                      \
		name, go_name, kind, offsetof(struct type, member), &(schema)  \
	}
#define SCHEMA(type, fields, any_case)                                         \
	{                                                                      \
		sizeof(struct type), LENGTH(fields), fields, any_case          \
	}

static const struct field labels_fields[] = {
	FIELD(labels_argument, labels, "labels", "Labels", FIELD_STRINGS),
	FIELD(labels_argument, presence, "presence", "Presence", FIELD_BOOL),
	FIELD(labels_argument, label, "label", NULL, FIELD_STRING),
};
static const struct schema labels_schema =
    SCHEMA(labels_argument, labels_fields, false);

/* The same without presence. */
static const struct field affinity_fields[] = {
	FIELD(labels_argument, labels, "labels", "Labels", FIELD_STRINGS),
	FIELD(labels_argument, label, "label", NULL, FIELD_STRING),
};
static const struct schema affinity_schema =
    SCHEMA(labels_argument, affinity_fields, false);

static const struct field predicate_argument_fields[] = {
	FIELD_OF(predicate_argument, service_affinity, "serviceAffinity",
	    "ServiceAffinity", FIELD_OBJECT, affinity_schema),
	FIELD_OF(predicate_argument, labels_presence, "labelsPresence",
	    "LabelsPresence", FIELD_OBJECT, labels_schema),
	FIELD_OF(predicate_argument, label_preference, "labelPreference", NULL,
	    FIELD_OBJECT, labels_schema),
};
static const struct schema predicate_argument_schema =
    SCHEMA(predicate_argument, predicate_argument_fields, false);

static const struct field predicate_fields[] = {
	FIELD(predicate_entry, name, "name", "Name", FIELD_STRING),
	FIELD_OF(predicate_entry, argument, "argument", "Argument",
	    FIELD_OBJECT, predicate_argument_schema),
};
static const struct schema predicate_schema =
    SCHEMA(predicate_entry, predicate_fields, false);

static const struct field anti_affinity_fields[] = {
	FIELD(label_argument, label, "label", "Label", FIELD_STRING),
	FIELD(label_argument, labels, "labels", NULL, FIELD_STRINGS),
};
static const struct schema anti_affinity_schema =
    SCHEMA(label_argument, anti_affinity_fields, false);

static const struct field preference_fields[] = {
	FIELD(label_argument, label, "label", "Label", FIELD_STRING),
	FIELD(label_argument, presence, "presence", "Presence", FIELD_BOOL),
	FIELD(label_argument, labels, "labels", NULL, FIELD_STRINGS),
};
static const struct schema preference_schema =
    SCHEMA(label_argument, preference_fields, false);

static const struct field shape_fields[] = {
	FIELD(shape_entry, utilization, "utilization", "Utilization",
	    FIELD_INT),
	FIELD(shape_entry, score, "score", "Score", FIELD_INT),
};
static const struct schema shape_schema =
    SCHEMA(shape_entry, shape_fields, false);

static const struct field ratio_fields[] = {
	FIELD_OF(ratio_argument, shape, "shape", "UtilizationShape",
	    FIELD_OBJECTS, shape_schema),
};
static const struct schema ratio_schema =
    SCHEMA(ratio_argument, ratio_fields, false);

static const struct field priority_argument_fields[] = {
	FIELD_OF(priority_argument, service_anti_affinity,
	    "serviceAntiAffinity", "ServiceAntiAffinity", FIELD_OBJECT,
	    anti_affinity_schema),
	FIELD_OF(priority_argument, label_preference, "labelPreference",
	    "LabelPreference", FIELD_OBJECT, preference_schema),
	FIELD_OF(priority_argument, requested_to_capacity_ratio,
	    "requestedToCapacityRatioArguments",
	    "RequestedToCapacityRatioArguments", FIELD_OBJECT, ratio_schema),
};
static const struct schema priority_argument_schema =
    SCHEMA(priority_argument, priority_argument_fields, false);

static const struct field priority_fields[] = {
	FIELD(priority_entry, name, "name", "Name", FIELD_STRING),
	FIELD(priority_entry, weight, "weight", "Weight", FIELD_INT),
	FIELD_OF(priority_entry, argument, "argument", "Argument", FIELD_OBJECT,
	    priority_argument_schema),
};
static const struct schema priority_schema =
    SCHEMA(priority_entry, priority_fields, false);

static const struct field tls_fields[] = {
	FIELD(tls_entry, insecure, "insecure", "Insecure", FIELD_BOOL),
	FIELD(tls_entry, server_name, "serverName", "ServerName", FIELD_STRING),
	FIELD(tls_entry, cert_file, "certFile", "CertFile", FIELD_STRING),
	FIELD(tls_entry, key_file, "keyFile", "KeyFile", FIELD_STRING),
	FIELD(tls_entry, ca_file, "caFile", "CAFile", FIELD_STRING),
	FIELD(tls_entry, cert_data, "certData", "CertData", FIELD_BYTES),
	FIELD(tls_entry, key_data, "keyData", "KeyData", FIELD_BYTES),
	FIELD(tls_entry, ca_data, "caData", "CAData", FIELD_BYTES),
};
static const struct schema tls_schema = SCHEMA(tls_entry, tls_fields, false);

static const struct field resource_fields[] = {
	FIELD(resource_entry, name, "name", "Name", FIELD_STRING),
	FIELD(resource_entry, ignored_by_scheduler, "ignoredByScheduler",
	    "IgnoredByScheduler", FIELD_BOOL),
};
static const struct schema resource_schema =
    SCHEMA(resource_entry, resource_fields, false);

static const struct field extender_fields[] = {
	FIELD(extender_entry, url_prefix, "urlPrefix", "URLPrefix",
	    FIELD_STRING),
	FIELD(extender_entry, filter_verb, "filterVerb", "FilterVerb",
	    FIELD_STRING),
	FIELD(extender_entry, preempt_verb, "preemptVerb", "PreemptVerb",
	    FIELD_STRING),
	FIELD(extender_entry, prioritize_verb, "prioritizeVerb",
	    "PrioritizeVerb", FIELD_STRING),
	FIELD(extender_entry, weight, "weight", "Weight", FIELD_INT),
	FIELD(extender_entry, bind_verb, "bindVerb", "BindVerb", FIELD_STRING),
	FIELD(extender_entry, enable_https, "enableHttps", "EnableHTTPS",
	    FIELD_BOOL),
	FIELD_OF(extender_entry, tls, "tlsConfig", "TLSConfig", FIELD_OBJECT,
	    tls_schema),
	FIELD(extender_entry, http_timeout, "httpTimeout", "HTTPTimeout",
	    FIELD_TIME),
	FIELD(extender_entry, node_cache_capable, "nodeCacheCapable",
	    "NodeCacheCapable", FIELD_BOOL),
	FIELD_OF(extender_entry, managed, "managedResources",
	    "ManagedResources", FIELD_OBJECTS, resource_schema),
	FIELD(extender_entry, ignorable, "ignorable", "Ignorable", FIELD_BOOL),
};
static const struct schema extender_schema =
    SCHEMA(extender_entry, extender_fields, true);

static const struct field policy_fields[] = {
	{ "kind", "kind", FIELD_IGNORED, 0, NULL },
	{ "apiVersion", "apiVersion", FIELD_IGNORED, 0, NULL },
	FIELD_OF(policy, predicates, "predicates", "Predicates", FIELD_OBJECTS,
	    predicate_schema),
	FIELD_OF(policy, priorities, "priorities", "Priorities", FIELD_OBJECTS,
	    priority_schema),
	FIELD_OF(policy, extenders, "extenders", "ExtenderConfigs",
	    FIELD_OBJECTS, extender_schema),
	FIELD(policy, hard_pod_affinity_symmetric_weight,
	    "hardPodAffinitySymmetricWeight", "HardPodAffinitySymmetricWeight",
	    FIELD_INT32),
	FIELD(policy, always_check_all_predicates, "alwaysCheckAllPredicates",
	    "AlwaysCheckAllPredicates", FIELD_BOOL),
};
static const struct schema policy_schema = SCHEMA(policy, policy_fields, false);

/* How the walk continues below an object. */
struct walk {
	struct reading *reading;
	bool any_case; /* we are within an extender */
};

/* The walk is recursive; its depth is that of the tables above. */
static bool decode_object(struct walk walk, const struct doc_node *node,
    const char *path, const struct schema *schema, void *object);

static bool
fail(const struct walk *walk, const struct doc_node *node, const char *path,
    const char *what)
{
	reading_report(walk->reading, SEVERITY_ERROR, node,
	    "%s must be %s, not %s", path, what, doc_kind_name(node->kind));
	walk->reading->undecodable = true;
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

static bool
decode_int(const struct walk *walk, const struct doc_node *node,
    const char *path, unsigned bits, int64_t *out)
{
	struct reading *reading = walk->reading;
	uint64_t limit = (UINT64_C(1) << (bits - 1)) - 1, value;
	const char *digits = node->text;
	bool minus;

	if (node->kind != DOC_NUMBER)
		return fail(walk, node, path, "a whole number");
	if (reading->yaml)
		digits = yaml_number(&reading->arena, digits);
	minus = *digits == '-';
	digits += minus;
	if (strspn(digits, "0123456789") != strlen(digits)) {
		reading_report(reading, SEVERITY_ERROR, node,
		    "%s must be a whole number, written without point and "
		    "exponent, not %s",
		    path, node->text);
		reading->undecodable = true;
		return false;
	}
	if (!(walk->any_case ? exact_digits(digits, &value) :
			       iterator_digits(digits, bits, &value)) ||
	    value > limit + minus) {
		reading_report(reading, SEVERITY_ERROR, node,
		    "%s: %s is too %s", path, node->text,
		    minus ? "small" : "big");
		reading->undecodable = true;
		return false;
	}
	*out = minus ? (int64_t)-value : (int64_t)value;
	return true;
}

/* The value of a base64 character; 64: invalid. */
static unsigned
base64_value(char c)
{
	static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				       "abcdefghijklmnopqrstuvwxyz"
				       "0123456789+/";
	const char *p = c != '\0' ? strchr(alphabet, c) : NULL;

	return p != NULL ? (unsigned)(p - alphabet) : 64;
}

/* Standard base64, padded; line ends are passed over. */
static bool
decode_base64(struct arena *arena, const char *text, size_t len,
    struct bytes_value *bytes)
{
	char *out = arena_alloc(arena, len / 4 * 3 + 4);
	size_t n = 0, nchars = 0, padding = 0;
	unsigned bits = 0;

	for (size_t i = 0; i < len; i++) {
		unsigned value;

		if (text[i] == '\n' || text[i] == '\r')
			continue;
		nchars++;
		if (text[i] == '=') {
			padding++;
			continue;
		}
		value = base64_value(text[i]);
		if (value == 64 || padding > 0)
			return false;
		bits = bits << 6 | value;
		if (nchars % 4 != 1)
			out[n++] = (char)(bits >> (6 - 2 * ((nchars - 1) % 4)));
	}
	if (nchars % 4 != 0 || padding > 2)
		return false;
	bytes->data = out;
	bytes->len = n;
	return true;
}

static bool
decode_bytes(const struct walk *walk, const struct doc_node *node,
    const char *path, struct bytes_value *bytes)
{
	struct arena *arena = &walk->reading->arena;
	char *out;
	size_t n = 0;

	if (node->kind == DOC_STRING) {
		if (decode_base64(arena, node->text, node->len, bytes))
			return true;
		reading_report(walk->reading, SEVERITY_ERROR, node,
		    "%s must be base64", path);
		walk->reading->undecodable = true;
		return false;
	}
	if (node->kind != DOC_ARRAY)
		return fail(walk, node, path, "a string in base64");
	out = arena_zalloc(arena, node->count + 1);
	for (const struct doc_node *p = node->first; p != NULL; p = p->next) {
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
	case FIELD_IGNORED:
	case FIELD_STRING:
	case FIELD_BOOL:
	case FIELD_INT:
	case FIELD_INT32:
	case FIELD_TIME:
		break;
	}
}

static bool
decode_int32(const struct walk *walk, const struct doc_node *node,
    const char *path, int64_t *out)
{
	int64_t value = 0;

	/* Its internal type is int32; the public one is int and cut off. */
	if (!decode_int(walk, node, path,
		walk->reading->names == NAMES_GO ? 32 : 64, &value))
		return false;
	*out = (int32_t)(uint32_t)(uint64_t)value;
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
			return fail(walk, node, path, "true or false");
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
	case FIELD_IGNORED:
	case FIELD_BOOL:
	case FIELD_INT:
	case FIELD_INT32:
	case FIELD_TIME:
	case FIELD_BYTES:
	case FIELD_OBJECTS:
		break;
	}
	return false;
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
	for (size_t i = 0; i < schema->nfields; i++) {
		const struct field *field = &schema->fields[i];

		if (has_name(walk, field, node->key) &&
		    (field->go_name != NULL || is_ours(walk, field, node)))
			return field;
	}
	return NULL;
}

static void
report_unknown(struct reading *reading, const struct doc_node *node,
    const char *path, const struct schema *schema)
{
	const char *names[16], *best;
	size_t n = 0;

	for (size_t i = 0; i < schema->nfields; i++)
		if (schema->fields[i].go_name != NULL)
			names[n++] = reading->names == NAMES_GO ?
			    schema->fields[i].go_name :
			    schema->fields[i].name;
	best = closest_name(node->key, names, n);
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
}

static bool
decode_object(struct walk walk, const struct doc_node *node, const char *path,
    const struct schema *schema, void *object)
{
	struct reading *reading = walk.reading;
	struct item *item = object;

	item->at = node;
	if (node->kind == DOC_NULL)
		return true;
	if (node->kind != DOC_OBJECT) {
		item->broken = true;
		return fail(&walk, node, *path != '\0' ? path : "a policy",
		    "an object");
	}
	walk.any_case |= schema->any_case && reading->names != NAMES_GO;
	for (const struct doc_node *p = node->first; p != NULL; p = p->next) {
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

void
policy_decode(struct reading *reading, const struct doc_node *root,
    struct policy *policy)
{
	struct walk walk = { reading, false };

	*policy = (struct policy){ 0 };
	decode_object(walk, root, "", &policy_schema, policy);
}
