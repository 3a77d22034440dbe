#include "config.h"

#include "wire/api/protobuf_tree.h"

#include "base/base64.h"
#include "base/arena.h"
#include "base/doc_build.h"
#include "base/text.h"
#include "objects/decode.h"

/* Of a value: a protobuf type, or a message that JSON shows as one value. */
enum kind {
	BOOL,
	BYTES, /* in base64 */
	INT32,
	INT64,
	INT_OR_STRING, /* intstr.IntOrString: a number or a string */
	MESSAGE,
	QUANTITY, /* resource.Quantity: its text */
	STRING,
	TIME, /* metav1.Time: RFC 3339 in UTC; null when it is not set */
};

/* A message has scalars and embedded messages also when they are empty, JSON
 * then may not. */
enum form {
	ONE,          /* if the message has it, */
	IF_SET,       /* and it is not false, 0 or empty (Go's omitempty) */
	LIST,         /* if it has elements */
	LIST_OR_NULL, /* always: null without elements */
	MAP,          /* from strings to these */
	MAP_OR_NULL,
	INLINE, /* a message whose members are inlined */
};

struct field {
	uint32_t number;
	const char *name; /* in JSON */
	enum kind kind;
	const struct protobuf_message *message; /* of a MESSAGE */
	enum form form;
};

struct protobuf_message {
	const char *name;
	const struct field *fields; /* by number; at most 64 */
	size_t nfields;
};

#define MESSAGE(name, ...) static const struct protobuf_message message_##name;
#include "wire/api/protobuf_table.h"

#define FIELD(number, name, kind, form)                                        \
	{                                                                      \
		number, name, kind, NULL, form + 0                             \
	}
#define MESSAGE_FIELD(number, name, message, form)                             \
	{                                                                      \
		number, name, MESSAGE, &message_##message, form + 0            \
	}
#define MESSAGE(name, ...)                                                     \
	static const struct field fields_##name[] = { __VA_ARGS__ };           \
	static const struct protobuf_message message_##name = { #name,         \
		fields_##name, LENGTH(fields_##name) };                        \
	_Static_assert(LENGTH(fields_##name) <= 64, #name);
#include "wire/api/protobuf_table.h"

#define KIND(api_version, resource, kind)                                      \
	{                                                                      \
		api_version, resource, #kind, &message_##kind                  \
	}

/* The resources that are read, and kinds that are written.  All listed versions of a group have the same
 * messages. */
static const struct {
	const char *api_version, *resource, *kind;
	const struct protobuf_message *message;
} kinds[] = {
	/* clang-format off */
	KIND("v1", "pods", Pod),
	KIND("v1", "nodes", Node),
	KIND("v1", "namespaces", Namespace),
	KIND("v1", "services", Service),
	KIND("v1", "configmaps", ConfigMap),
	KIND("v1", "replicationcontrollers", ReplicationController),
	KIND("v1", "persistentvolumes", PersistentVolume),
	KIND("v1", "persistentvolumeclaims", PersistentVolumeClaim),
	KIND("v1", "", Status),
	KIND("v1", "", Event),
	KIND("v1", "", Binding),
	KIND("apps/v1", "replicasets", ReplicaSet),
	KIND("apps/v1", "statefulsets", StatefulSet),
	KIND("storage.k8s.io/v1", "storageclasses", StorageClass),
	KIND("storage.k8s.io/v1", "csinodes", CSINode),
	KIND("storage.k8s.io/v1beta1", "csinodes", CSINode),
	KIND("storage.k8s.io/v1", "csidrivers", CSIDriver),
	KIND("storage.k8s.io/v1", "csistoragecapacities", CSIStorageCapacity),
	KIND("storage.k8s.io/v1beta1", "csistoragecapacities",
	    CSIStorageCapacity),
	KIND("storage.k8s.io/v1", "volumeattachments", VolumeAttachment),
	KIND("policy/v1", "poddisruptionbudgets", PodDisruptionBudget),
	KIND("policy/v1beta1", "poddisruptionbudgets", PodDisruptionBudget),
	/* clang-format on */
};

const struct protobuf_message *
protobuf_find(const char *api_version, const char *kind)
{
	for (size_t i = 0; i < LENGTH(kinds); i++)
		if (strcmp(kinds[i].kind, kind) == 0 &&
		    strcmp(kinds[i].api_version, api_version) == 0)
			return kinds[i].message;
	return NULL;
}

bool
protobuf_has(const char *api_version, const char *resource)
{
	return ANY(i, LENGTH(kinds),
	    strcmp(kinds[i].resource, resource) == 0 &&
		strcmp(kinds[i].api_version, api_version) == 0);
}

struct tree {
	struct doc *doc;
	struct arena *arena; /* doc's */
	const struct doc_limits *limits;
	/* Of the value that is read next; NULL: all. */
	const struct doc_field *fields;
	struct err *err;
};

/* An object that is being filled. */
struct object {
	const struct doc_field *fields; /* NULL: all are read */
	struct doc_node *node, *last;
	struct doc_node *many,
	    *many_last; /* the list or map at hand, or NULL */
	bool twice;     /* a repeated field: the last one counts */
};

/* From its highest possible place down: mostly it is there. */
static const struct field *
find_field(const struct protobuf_message *message, uint32_t number)
{
	size_t i = number < message->nfields ? number : message->nfields;

	while (i > 0 && message->fields[i - 1].number > number)
		i--;
	if (i == 0 || message->fields[i - 1].number != number)
		return NULL;
	return &message->fields[i - 1];
}

static struct doc_node *
new_node(struct tree *tree, const struct wire *wire, const char *at,
    enum doc_kind kind)
{
	return doc_node_new(tree->doc, tree->limits, kind, 0,
	    (uint32_t)(at - wire->begin), tree->err);
}

/* ---- values ---- */

static void
set_text(struct doc_node *node, const char *text, size_t len)
{
	node->text = text;
	node->len = len;
}

static void
set_string(struct tree *tree, struct doc_node *node, const char *bytes,
    size_t len)
{
	node->kind = DOC_STRING;
	node->text = doc_text(tree->doc, bytes, &len);
	node->len = len;
}

/* Returns where the text begins that ends before end. */
static char *
write_digits(char *end, uint64_t number, int at_least)
{
	for (; number > 0 || at_least > 0; at_least--) {
		*--end = (char)('0' + number % 10);
		number /= 10;
	}
	return end;
}

static void
set_number(struct tree *tree, struct doc_node *node, int64_t number)
{
	char text[24], *end = text + sizeof(text), *at;

	at = write_digits(end,
	    number < 0 ? -(uint64_t)number : (uint64_t)number, 1);
	if (number < 0)
		*--at = '-';
	node->kind = DOC_NUMBER;
	set_text(node, arena_strndup(tree->arena, at, (size_t)(end - at)),
	    (size_t)(end - at));
}

static void
set_base64(struct tree *tree, struct doc_node *node,
    const struct wire_field *field)
{
	char AUTOFREE *text = base64_encode(field->bytes, field->len);
	size_t len = strlen(text);

	node->kind = DOC_STRING;
	set_text(node, arena_strndup(tree->arena, text, len), len);
}

/* ---- times ---- */

#define DAY 86400
/* The first second of the year 1: Go's zero time. */
#define YEAR_1 INT64_C(-62135596800)
/* 400 years, after which the Gregorian calendar repeats itself. */
#define ERA_DAYS 146097

/*
 * Go's Time.UTC().Format(time.RFC3339).  A time with an offset may lie in the
 * year -1 or 10000 in UTC, and a client that writes protobuf may send any; a
 * year is written with four digits at least.  Days are counted from 0000-03-01,
 * so that a leap day ends its year.
 */
static const char *
time_text(struct arena *arena, int64_t seconds, size_t *len)
{
	int64_t days = seconds / DAY - (seconds % DAY < 0);
	unsigned second = (unsigned)((seconds % DAY + DAY) % DAY);
	int64_t since = days + 719468;
	int64_t era = since / ERA_DAYS - (since % ERA_DAYS < 0);
	unsigned day = (unsigned)(since - era * ERA_DAYS);
	unsigned year = (day - day / 1460 + day / 36524 - day / 146096) / 365;
	unsigned month;
	int64_t years;
	char text[] = "                -00-00T00:00:00Z", *to, *at;

	day -= year * 365 + year / 4 - year / 100;
	month = (5 * day + 2) / 153;
	day -= (153 * month + 2) / 5;
	years = year + era * 400 + (month >= 10);
	to = text + 16;
	at = write_digits(to, (uint64_t)(years < 0 ? -years : years), 4);
	if (years < 0)
		*--at = '-';
	write_digits(to + 3, month < 10 ? month + 3 : month - 9, 2);
	write_digits(to + 6, day + 1, 2);
	write_digits(to + 9, second / 3600, 2);
	write_digits(to + 12, second / 60 % 60, 2);
	write_digits(to + 15, second % 60, 2);
	*len = strlen(at);
	return arena_strndup(arena, at, *len);
}

static int
read_time(struct tree *tree, const struct wire *wire,
    const struct wire_field *field, struct doc_node *node)
{
	struct wire within = wire_within(wire, field);
	struct wire_field part;
	int64_t seconds = field->len > 0 ? 0 : YEAR_1;
	int got;

	while ((got = wire_next(&within, &part, tree->err)) == 1)
		if (part.number == 1 && part.type == WIRE_VARINT)
			seconds = (int64_t)part.value;
	if (got < 0)
		return -1;
	node->kind = DOC_NULL;
	if (seconds == YEAR_1)
		return 0;
	node->kind = DOC_STRING;
	node->text = time_text(tree->arena, seconds, &node->len);
	return 0;
}

/* ---- messages that are one value ---- */

static int
read_quantity(struct tree *tree, const struct wire *wire,
    const struct wire_field *field, struct doc_node *node)
{
	struct wire within = wire_within(wire, field);
	struct wire_field part, text = { .bytes = "0", .len = 1 };
	int got;

	while ((got = wire_next(&within, &part, tree->err)) == 1)
		if (part.number == 1 && part.type == WIRE_BYTES)
			text = part;
	set_string(tree, node, text.bytes, text.len);
	return got;
}

static int
read_int_or_string(struct tree *tree, const struct wire *wire,
    const struct wire_field *field, struct doc_node *node)
{
	struct wire within = wire_within(wire, field);
	struct wire_field part, text = { .bytes = "" };
	int32_t number = 0;
	bool is_string = false;
	int got;

	while ((got = wire_next(&within, &part, tree->err)) == 1) {
		if (part.number == 1 && part.type == WIRE_VARINT)
			is_string = part.value != 0;
		else if (part.number == 2 && part.type == WIRE_VARINT)
			number = (int32_t)part.value;
		else if (part.number == 3 && part.type == WIRE_BYTES)
			text = part;
	}
	if (is_string)
		set_string(tree, node, text.bytes, text.len);
	else
		set_number(tree, node, number);
	return got;
}

static int read_members(struct tree *tree,
    const struct protobuf_message *message, struct wire wire,
    struct object *object, unsigned depth);
static struct doc_node *read_object(struct tree *tree,
    const struct protobuf_message *message, struct wire wire, unsigned depth);

static bool
is_list(const struct field *row)
{
	return row->form == LIST || row->form == LIST_OR_NULL;
}

static bool
is_map(const struct field *row)
{
	return row->form == MAP || row->form == MAP_OR_NULL;
}

static bool
is_number(enum kind kind)
{
	return kind == BOOL || kind == INT32 || kind == INT64;
}

/* The value of a field of the right type; NULL: error. */
static struct doc_node *
read_value(struct tree *tree, const struct field *row, const struct wire *wire,
    const struct wire_field *field, unsigned depth)
{
	const char *at = is_number(row->kind) ? wire->p : field->bytes;
	struct doc_node *node;
	int result = 0;

	if (row->kind == MESSAGE)
		return read_object(tree, row->message, wire_within(wire, field),
		    depth);
	node = new_node(tree, wire, at, DOC_BOOL);
	if (node == NULL)
		return NULL;
	switch (row->kind) {
	case BOOL:
		node->boolean = field->value != 0;
		break;
	case BYTES:
		set_base64(tree, node, field);
		break;
	case INT32:
		set_number(tree, node, (int32_t)field->value);
		break;
	case INT64:
		set_number(tree, node, (int64_t)field->value);
		break;
	case INT_OR_STRING:
		result = read_int_or_string(tree, wire, field, node);
		break;
	case MESSAGE:
		abort();
	case QUANTITY:
		result = read_quantity(tree, wire, field, node);
		break;
	case STRING:
		set_string(tree, node, field->bytes, field->len);
		break;
	case TIME:
		result = read_time(tree, wire, field, node);
		break;
	}
	return result == 0 ? node : NULL;
}

/* ---- lists and maps ---- */

/* The list or map at hand is complete. */
static void
close_many(struct tree *tree, struct object *object)
{
	if (object->many != NULL && object->many->kind == DOC_OBJECT)
		doc_node_settle(tree->doc, object->many);
	object->many = object->many_last = NULL;
}

/* Makes row's list or map the current one.  Its elements must be contiguous, as
 * Kubernetes writes them. */
static int
open_many(struct tree *tree, const struct field *row, const struct wire *wire,
    struct object *object, bool seen, unsigned depth)
{
	struct doc_node *node;

	if (seen && object->many != NULL && object->many->key == row->name)
		return 0;
	if (seen)
		return wire_fail(wire, wire->p, tree->err,
		    "elements of field %u are not contiguous", row->number);
	close_many(tree, object);
	if (depth >= tree->limits->depth)
		return wire_fail(wire, wire->p, tree->err,
		    "nested more than %u levels deep", tree->limits->depth);
	node = new_node(tree, wire, wire->p,
	    is_list(row) ? DOC_ARRAY : DOC_OBJECT);
	if (node == NULL)
		return -1;
	node->key = row->name;
	doc_node_add(object->node, &object->last, node);
	object->many = node;
	return 0;
}

static int
add_element(struct tree *tree, const struct field *row, const struct wire *wire,
    const struct wire_field *field, struct object *object, unsigned depth)
{
	struct doc_node *node = read_value(tree, row, wire, field, depth);

	if (node == NULL)
		return -1;
	doc_node_add(object->many, &object->many_last, node);
	return 0;
}

/* Whether a map's entry of this key is read. */
static bool
is_key_read(struct tree *tree, const struct wire_field *key)
{
	const struct doc_field *field = tree->fields;

	while (field->key != NULL &&
	    (strlen(field->key) != key->len ||
		memcmp(field->key, key->bytes, key->len) != 0))
		field++;
	tree->fields = field->within;
	return field->key != NULL;
}

static int
add_entry(struct tree *tree, const struct field *row, const struct wire *wire,
    const struct wire_field *field, struct object *object, unsigned depth)
{
	struct wire within = wire_within(wire, field);
	struct wire_field part, key = { .bytes = within.p }, value = key;
	struct doc_node *node;
	int got;

	while ((got = wire_next(&within, &part, tree->err)) == 1) {
		if (part.type != WIRE_BYTES)
			return wire_fail(wire, field->bytes, tree->err,
			    "map keys or values are not strings");
		if (part.number == 1)
			key = part;
		else if (part.number == 2)
			value = part;
	}
	if (got < 0)
		return -1;
	if (tree->fields != NULL && !is_key_read(tree, &key))
		return 0;
	node = read_value(tree, row, wire, &value, depth);
	if (node == NULL)
		return -1;
	node->key = doc_key(tree->doc, key.bytes, key.len);
	doc_node_add(object->many, &object->many_last, node);
	return 0;
}

/* ---- messages ---- */

static int
add_one(struct tree *tree, const struct field *row, const struct wire *wire,
    const struct wire_field *field, struct object *object, unsigned depth)
{
	struct doc_node *node;

	if (row->form == IF_SET &&
	    (field->type == WIRE_BYTES ? field->len == 0 : field->value == 0))
		return 0;
	node = read_value(tree, row, wire, field, depth);
	if (node == NULL)
		return -1;
	node->key = row->name;
	doc_node_add(object->node, &object->last, node);
	return 0;
}

/* One field of the message; seen: not the first of this number. */
static int
add_field(struct tree *tree, const struct field *row, const struct wire *wire,
    const struct wire_field *field, struct object *object, bool seen,
    unsigned depth)
{
	enum wire_type wanted = is_number(row->kind) ? WIRE_VARINT : WIRE_BYTES;
	bool packed =
	    is_list(row) && wanted == WIRE_VARINT && field->type == WIRE_BYTES;
	struct wire_field one = { .number = row->number };
	struct wire within;

	if (field->type != wanted && !packed)
		return wire_fail(wire, wire->p, tree->err,
		    "field %u has the wrong type %u", row->number,
		    (unsigned)field->type);
	object->twice |= seen && !is_list(row) && !is_map(row);
	if (row->form == INLINE)
		return read_members(tree, row->message,
		    wire_within(wire, field), object, depth);
	if (row->form == ONE || row->form == IF_SET)
		return add_one(tree, row, wire, field, object, depth);
	if (open_many(tree, row, wire, object, seen, depth) != 0)
		return -1;
	if (is_map(row))
		return add_entry(tree, row, wire, field, object, depth + 1);
	if (!packed)
		return add_element(tree, row, wire, field, object, depth + 1);
	/* Numbers may come one by one, or as here all in one field. */
	within = wire_within(wire, field);
	while (within.p < within.end)
		if (wire_varint(&within, &one.value, tree->err) != 0 ||
		    add_element(tree, row, &within, &one, object, depth + 1) !=
			0)
			return -1;
	return 0;
}

/* Whether the member is read; sets tree->fields to its own. */
static bool
is_read(struct tree *tree, const struct object *object, const struct field *row)
{
	const struct doc_field *field;

	tree->fields = NULL;
	if (object->fields == NULL || row->form == INLINE)
		return true;
	field = doc_field(object->fields, row->name);
	tree->fields = field != NULL ? field->within : NULL;
	return field != NULL;
}

static int
add_nulls(struct tree *tree, const struct protobuf_message *message,
    uint64_t seen, const struct wire *wire, struct object *object)
{
	const struct field *row;
	struct doc_node *node;

	for (size_t i = 0; i < message->nfields; i++) {
		row = &message->fields[i];
		if ((row->form != LIST_OR_NULL && row->form != MAP_OR_NULL) ||
		    (seen >> i & 1) != 0 || !is_read(tree, object, row))
			continue;
		node = new_node(tree, wire, wire->p, DOC_NULL);
		if (node == NULL)
			return -1;
		node->key = row->name;
		doc_node_add(object->node, &object->last, node);
	}
	return 0;
}

/* depth: of the members. */
static int
read_members(struct tree *tree, const struct protobuf_message *message,
    struct wire wire, struct object *object, unsigned depth)
{
	struct wire_field field;
	const struct field *row;
	uint64_t seen = 0, bit;
	int got;

	while ((got = wire_next(&wire, &field, tree->err)) == 1) {
		row = find_field(message, field.number);
		if (row == NULL || !is_read(tree, object, row))
			continue;
		bit = UINT64_C(1) << (row - message->fields);
		if (add_field(tree, row, &wire, &field, object,
			(seen & bit) != 0, depth) != 0)
			return -1;
		seen |= bit;
	}
	if (got < 0)
		return -1;
	return add_nulls(tree, message, seen, &wire, object);
}

static struct doc_node *
read_object(struct tree *tree, const struct protobuf_message *message,
    struct wire wire, unsigned depth)
{
	struct object object = { .fields = tree->fields };

	if (depth >= tree->limits->depth) {
		wire_fail(&wire, wire.p, tree->err,
		    "nested more than %u levels deep", tree->limits->depth);
		return NULL;
	}
	object.node = new_node(tree, &wire, wire.p, DOC_OBJECT);
	if (object.node == NULL ||
	    read_members(tree, message, wire, &object, depth + 1) != 0)
		return NULL;
	close_many(tree, &object);
	if (object.twice)
		doc_node_settle(tree->doc, object.node);
	return object.node;
}

struct doc_node *
protobuf_tree(struct doc *doc, const struct doc_limits *limits,
    const struct protobuf_message *message, struct wire wire, unsigned depth,
    struct err *err)
{
	struct tree tree = { doc, doc_arena(doc), limits, limits->fields, err };

	return read_object(&tree, message, wire, depth);
}

/* ---- writing ---- */

static void
put_value(struct text *out, const struct field *row,
    const struct doc_node *node)
{
	struct text part = { 0 };
	int64_t seconds = 0;
	int32_t nanoseconds = 0;

	switch (row->kind) {
	case BOOL:
		wire_put_number(out, row->number, node->boolean);
		return;
	case INT32:
	case INT64:
		wire_put_number(out, row->number,
		    (uint64_t)strtoll(node->text, NULL, 10));
		return;
	case STRING:
		wire_put_bytes(out, row->number, node->text, node->len);
		return;
	case TIME:
		time_parse(node->text, &seconds, &nanoseconds);
		wire_put_number(&part, 1, (uint64_t)seconds);
		if (nanoseconds > 0)
			wire_put_number(&part, 2, (uint64_t)nanoseconds);
		break;
	case MESSAGE:
		protobuf_put_members(&part, row->message, node);
		break;
	case BYTES:
	case INT_OR_STRING:
	case QUANTITY:
		abort(); /* none of what is written has them */
	}
	wire_put_message(out, row->number, &part);
}

void
protobuf_put_members(struct text *out, const struct protobuf_message *message,
    const struct doc_node *object)
{
	for (size_t i = 0; i < message->nfields; i++) {
		const struct field *row = &message->fields[i];
		const struct doc_node *node = doc_get(object, row->name);

		if (node == NULL)
			continue;
		if (!is_list(row) && !is_map(row))
			put_value(out, row, node);
		else
			EACH_CHILD (child, node)
				if (is_map(row)) {
					/* A value of the map row. */
					struct field value = *row;
					struct text part = { 0 };

					value.number = 2;
					wire_put_string(&part, 1, child->key);
					put_value(&part, &value, child);
					wire_put_message(out, row->number,
					    &part);
				} else
					put_value(out, row, child);
	}
}
