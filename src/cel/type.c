#include "config.h"

#include "cel/cel_internal.h"

#define NUMERIC                                                                \
	(KIND_ADDS | KIND_SUBTRACTS | KIND_MULTIPLIES | KIND_DIVIDES |         \
	    KIND_COMPARES | KIND_ANY)

const struct kind_info kinds[CEL_KINDS] = {
	[CEL_ERROR] = { "error", KIND_ANY, NULL },
	[CEL_NULL] = { "null_type", KIND_ANY, "types.Null" },
	[CEL_BOOL] = { "bool", KIND_COMPARES | KIND_NEGATES | KIND_ANY,
	    "types.Bool" },
	[CEL_INT] = { "int", NUMERIC | KIND_HAS_REST | KIND_NEGATES,
	    "types.Int" },
	[CEL_UINT] = { "uint", NUMERIC | KIND_HAS_REST, "types.Uint" },
	[CEL_DOUBLE] = { "double", NUMERIC | KIND_NEGATES, "types.Double" },
	[CEL_STRING] = { "string",
	    KIND_ADDS | KIND_COMPARES | KIND_HAS_SIZE | KIND_RECEIVES |
		KIND_ANY,
	    "types.String" },
	[CEL_BYTES] = { "bytes",
	    KIND_ADDS | KIND_COMPARES | KIND_HAS_SIZE | KIND_ANY,
	    "types.Bytes" },
	[CEL_TIMESTAMP] = { "google.protobuf.Timestamp",
	    KIND_ADDS | KIND_SUBTRACTS | KIND_COMPARES | KIND_RECEIVES |
		KIND_ANY,
	    "types.Timestamp" },
	[CEL_DURATION] = { "google.protobuf.Duration",
	    KIND_ADDS | KIND_SUBTRACTS | KIND_COMPARES | KIND_NEGATES |
		KIND_RECEIVES | KIND_ANY,
	    "types.Duration" },
	[CEL_LIST] = { "list",
	    KIND_ADDS | KIND_HAS_SIZE | KIND_ITERATES | KIND_ANY,
	    "*types.baseList" },
	[CEL_MAP] = { "map", KIND_HAS_SIZE | KIND_ANY, "*types.baseMap" },
	[CEL_TYPE] = { "type", KIND_ANY, "*types.Type" },
	[CEL_OPTIONAL] = { "optional_type", KIND_ANY, "*types.Optional" },
	[CEL_QUANTITY] = { "kubernetes.Quantity", KIND_ANY, "cel.Quantity" },
	[CEL_SEMVER] = { "kubernetes.Semver", KIND_ANY, "cel.Semver" },
	[CEL_IP] = { "net.IP", KIND_ANY, "cel.IP" },
	[CEL_CIDR] = { "net.CIDR", KIND_ANY, "cel.CIDR" },
	[CEL_FORMAT] = { "kubernetes.NamedFormat", KIND_ANY, "cel.Format" },
	[CEL_DYN] = { "dyn", 0, NULL },
	[CEL_ANY] = { "any", 0, NULL },
	[CEL_OBJECT] = { "object", 0, NULL },
	[CEL_PARAM] = { "", 0, NULL },
};

/* Filled by functions_init(). */
struct type basic_types[CEL_KINDS];

const struct type *
type_new(struct arena *arena, enum cel_kind kind, const struct type *of,
    const struct type *and_of)
{
	struct type *type = arena_zalloc(arena, sizeof(*type));

	type->kind = kind;
	type->of[0] = of;
	type->of[1] = and_of;
	type->n = (uint8_t)((of != NULL) + (and_of != NULL));
	return type;
}

/* The names of types where they differ from those at run time. */
static const char *
declared_name(enum cel_kind kind)
{
	switch ((int)kind) {
	case CEL_ERROR:
		return "!error!";
	case CEL_NULL:
		return "null";
	case CEL_TIMESTAMP:
		return "timestamp";
	case CEL_DURATION:
		return "duration";
	default:
		return kinds[kind].name;
	}
}

const struct type *
type_read(struct arena *arena, const char **text,
    const struct type *const *bound)
{
	const char *s = *text;
	size_t len = strcspn(s, "(), ");
	enum cel_kind kind = CEL_NULL;
	const struct type *of[2] = { NULL, NULL };

	*text += len;
	if (len == 1 && *s >= 'A' && *s <= 'Z')
		return bound == NULL ? &basic_types[CEL_DYN] : bound[*s - 'A'];
	while (kind < CEL_PARAM &&
	    (strlen(declared_name(kind)) != len ||
		memcmp(s, declared_name(kind), len) != 0))
		kind++;
	if (**text != '(')
		return &basic_types[kind];
	for (int i = 0; i < 2 && **text != ')'; i++) {
		*text += **text == '(' ? 1 : 2;
		of[i] = type_read(arena, text, bound);
	}
	(*text)++;
	return type_new(arena, kind, of[0], of[1]);
}

uint8_t
signature_read(struct arena *arena, const char *text,
    const struct type *const *bound, const struct type *args[4],
    const struct type **result)
{
	uint8_t n = 0;

	while (strncmp(text, "-> ", 3) != 0) {
		args[n++] = type_read(arena, &text, bound);
		text += *text == ',' ? 2 : 1;
	}
	text += 3;
	*result = type_read(arena, &text, bound);
	return n;
}

const char *
type_text(struct arena *arena, const struct type *type,
    const struct cel_variable *variable, bool at_run_time)
{
	const char *name = declared_name(type->kind), *of[2];

	if (at_run_time && type->kind != CEL_ERROR)
		name = type->kind == CEL_ANY ? "google.protobuf.Any" :
					       kinds[type->kind].name;
	if (type->kind == CEL_OBJECT)
		name = variable->type;
	if (type->kind == CEL_PARAM)
		return arena_printf(arena, "_var%u", (unsigned)type->param);
	for (int i = 0; i < type->n; i++)
		of[i] = type_text(arena, type->of[i], variable, at_run_time);
	return type->n == 0 ? name :
			      arena_printf(arena, "%s(%s)", name,
				  arena_join(arena, type->n, of, ", "));
}

bool
type_fits(const struct type *type, const struct cel_value *value)
{
	const struct cel_value *items;

	if (type->kind == CEL_DYN || type->kind == CEL_ANY)
		return true;
	if (type->kind != value->kind)
		return false;
	if ((type->kind != CEL_LIST && type->kind != CEL_MAP) ||
	    value_len(value) == 0)
		return true;
	items = value_items(value);
	return !ANY(i, type->n, !type_fits(type->of[i], &items[i]));
}
