#include "config.h"

#include "wire/api/protobuf.h"

#include <assert.h>

#include "base/json_out.h"
#include "wire/api/protobuf_tree.h"
#include "wire/api/wire.h"
#include "base/doc_build.h"

/* The first bytes of an envelope. */
static const char magic[4] = { 'k', '8', 's', '\0' };

/* Positions are 32 bits wide. */
#define BYTES_MAX ((size_t)UINT32_MAX)

/* ---- envelopes ---- */

struct envelope {
	char api_version[128], kind[128];
	struct wire message;
};

/* A string of a limited length without NUL bytes. */
static int
read_text(const struct wire *wire, const struct wire_field *field, char *out,
    size_t size, struct err *err)
{
	if (field->type != WIRE_BYTES || field->len >= size ||
	    memchr(field->bytes, '\0', field->len) != NULL)
		return wire_fail(wire, wire->p, err, "no apiVersion or kind");
	memcpy(out, field->bytes, field->len);
	out[field->len] = '\0';
	return 0;
}

static int
read_type(struct wire wire, struct envelope *envelope, struct err *err)
{
	struct wire_field field;
	int got;

	while ((got = wire_next(&wire, &field, err)) == 1) {
		if (field.number == 1 &&
		    read_text(&wire, &field, envelope->api_version,
			sizeof(envelope->api_version), err) != 0)
			return -1;
		if (field.number == 2 &&
		    read_text(&wire, &field, envelope->kind,
			sizeof(envelope->kind), err) != 0)
			return -1;
	}
	return got;
}

/* runtime.Unknown: 1 typeMeta, 2 raw, 3 contentEncoding, 4 contentType. */
static int
read_envelope(struct wire wire, struct envelope *envelope, struct err *err)
{
	struct wire_field field;
	int got;

	*envelope = (struct envelope){ .message = wire };
	if ((size_t)(wire.end - wire.p) < sizeof(magic) ||
	    memcmp(wire.p, magic, sizeof(magic)) != 0)
		return wire_fail(&wire, wire.p, err,
		    "not in the Kubernetes "
		    "protobuf format");
	wire.p += sizeof(magic);
	envelope->message.p = envelope->message.end;
	while ((got = wire_next(&wire, &field, err)) == 1) {
		if (field.number > 4)
			continue;
		if (field.type != WIRE_BYTES)
			return wire_fail(&wire, wire.p, err,
			    "malformed protobuf envelope");
		if (field.number == 1 &&
		    read_type(wire_within(&wire, &field), envelope, err) != 0)
			return -1;
		if (field.number == 2)
			envelope->message = wire_within(&wire, &field);
		if (field.number > 2 && field.len > 0)
			return wire_fail(&wire, wire.p, err,
			    "unknown content encoding");
	}
	return got;
}

/* The start of an input; -1: it is too long. */
static int
begin(struct wire *wire, const char *name, const char *bytes, size_t len,
    const struct doc_limits *limits, struct err *err)
{
	size_t max = limits->bytes < BYTES_MAX ? limits->bytes : BYTES_MAX;

	if (len > max)
		return errf(err, "%s: %zu bytes exceed the limit of %zu", name,
		    len, max);
	*wire = (struct wire){ bytes, bytes + len, name, bytes };
	return 0;
}

/* ---- objects ---- */

static int
add_string(struct doc *doc, const struct doc_limits *limits,
    struct doc_node *object, struct doc_node **last, const char *key,
    const char *text, struct err *err)
{
	struct doc_node *node =
	    doc_node_new(doc, limits, DOC_STRING, 0, object->column, err);

	if (node == NULL)
		return -1;
	node->key = key;
	node->len = strlen(text);
	node->text = doc_text(doc, text, &node->len);
	doc_node_add(object, last, node);
	return 0;
}

/* apiVersion and kind, which are in front in JSON, too. */
static int
add_type(struct doc *doc, const struct doc_limits *limits,
    const struct envelope *envelope, struct doc_node *object, struct err *err)
{
	struct doc_node *rest = object->first, *last = NULL;
	size_t count = object->count;

	object->count = 0;
	if (add_string(doc, limits, object, &last, "kind", envelope->kind,
		err) != 0 ||
	    add_string(doc, limits, object, &last, "apiVersion",
		envelope->api_version, err) != 0)
		return -1;
	last->next = rest;
	object->count += count;
	return 0;
}

static struct doc_node *
read_object(struct doc *doc, const struct doc_limits *limits, struct wire wire,
    unsigned depth, struct err *err)
{
	const struct protobuf_message *message;
	struct envelope envelope;
	struct doc_node *object;

	if (read_envelope(wire, &envelope, err) != 0)
		return NULL;
	message = protobuf_find(envelope.api_version, envelope.kind);
	if (message == NULL) {
		wire_fail(&wire, wire.p, err, "unknown kind: %s, %s",
		    envelope.api_version, envelope.kind);
		return NULL;
	}
	object =
	    protobuf_tree(doc, limits, message, envelope.message, depth, err);
	if (object == NULL ||
	    add_type(doc, limits, &envelope, object, err) != 0)
		return NULL;
	return object;
}

/* Takes doc: it is freed without a root. */
static struct doc *
finish(struct doc *doc, struct doc_node *root)
{
	if (root == NULL) {
		doc_free(doc);
		return NULL;
	}
	doc_set_root(doc, root);
	return doc;
}

struct doc *
protobuf_parse(const char *name, const char *bytes, size_t len,
    const struct doc_limits *limits, struct err *err)
{
	struct wire wire;
	struct doc *doc;

	if (begin(&wire, name, bytes, len, limits, err) != 0)
		return NULL;
	doc = doc_new(name);
	return finish(doc, read_object(doc, limits, wire, 0, err));
}

/*
 * Events: 1 type, 2 object (runtime.RawExtension: 1 raw)
 */

/* The raw bytes of a RawExtension. */
static int
read_extension(struct wire *wire, struct err *err)
{
	struct wire_field field;
	struct wire raw = { wire->end, wire->end, wire->name, wire->begin };
	int got;

	while ((got = wire_next(wire, &field, err)) == 1)
		if (field.number == 1 && field.type == WIRE_BYTES)
			raw = wire_within(wire, &field);
	*wire = raw;
	return got;
}

static int
read_event(struct doc *doc, const struct doc_limits *limits, struct wire wire,
    struct doc_node *event, struct err *err)
{
	struct doc_node *last = NULL, *object;
	struct wire extension = { wire.end, wire.end, wire.name, wire.begin };
	struct wire_field field;
	char type[32] = "";
	int got;

	while ((got = wire_next(&wire, &field, err)) == 1) {
		if (field.number == 1 &&
		    read_text(&wire, &field, type, sizeof(type), err) != 0)
			return -1;
		if (field.number == 2 && field.type == WIRE_BYTES)
			extension = wire_within(&wire, &field);
	}
	if (got < 0 || read_extension(&extension, err) != 0 ||
	    add_string(doc, limits, event, &last, "type", type, err) != 0)
		return -1;
	object = read_object(doc, limits, extension, 1, err);
	if (object == NULL)
		return -1;
	object->key = "object";
	doc_node_add(event, &last, object);
	return 0;
}

struct doc *
protobuf_parse_event(const char *name, const char *bytes, size_t len,
    const struct doc_limits *limits, struct err *err)
{
	struct doc_node *root;
	struct wire wire;
	struct doc *doc;

	if (begin(&wire, name, bytes, len, limits, err) != 0)
		return NULL;
	doc = doc_new(name);
	root = doc_node_new(doc, limits, DOC_OBJECT, 0, 0, err);
	if (root != NULL && read_event(doc, limits, wire, root, err) != 0)
		root = NULL;
	return finish(doc, root);
}

/*
 * Lists: 1 metadata, 2 items
 */

struct protobuf_list {
	struct doc *doc; /* of the present element */
	const struct doc_limits *limits;
	const struct protobuf_message *message;
	struct wire wire;
	struct wire item; /* the present element; p is NULL: none */
	char kind[128];
};

void
list_meta_fini(struct list_meta *meta)
{
	free(meta->resource_version);
	free(meta->next);
	*meta = (struct list_meta){ 0 };
}

/* metav1.ListMeta: 2 resourceVersion, 3 continue. */
static int
read_meta(struct wire wire, struct list_meta *meta, struct err *err)
{
	struct wire_field field;
	char **to;
	int got;

	while ((got = wire_next(&wire, &field, err)) == 1) {
		if ((field.number != 2 && field.number != 3) ||
		    field.type != WIRE_BYTES)
			continue;
		to = field.number == 2 ? &meta->resource_version : &meta->next;
		free(*to);
		*to = xstrndup(field.bytes, field.len);
	}
	return got;
}

static int
find_meta(struct wire wire, struct list_meta *meta, struct err *err)
{
	struct wire_field field;
	int got;

	*meta = (struct list_meta){ xstrdup(""), xstrdup("") };
	while ((got = wire_next(&wire, &field, err)) == 1)
		if (field.number == 1 && field.type == WIRE_BYTES &&
		    read_meta(wire_within(&wire, &field), meta, err) != 0)
			return -1;
	return got;
}

/* The kind of the elements, from the list's kind. */
static int
find_element(struct protobuf_list *list, const struct envelope *envelope,
    struct err *err)
{
	size_t len = strlen(envelope->kind);

	memcpy(list->kind, envelope->kind, len + 1);
	if (len > 4 && strcmp(list->kind + len - 4, "List") == 0) {
		list->kind[len - 4] = '\0';
		list->message =
		    protobuf_find(envelope->api_version, list->kind);
	}
	if (list->message != NULL)
		return 0;
	return wire_fail(&envelope->message, envelope->message.p, err,
	    "unknown list kind: %s, %s", envelope->api_version, envelope->kind);
}

struct protobuf_list *
protobuf_list_open(const char *name, const char *bytes, size_t len,
    const struct doc_limits *limits, struct list_meta *meta, struct err *err)
{
	struct protobuf_list *list = xcalloc(1, sizeof(*list));
	struct envelope envelope;
	struct wire wire;

	list->limits = limits;
	list->doc = doc_new(name);
	if (begin(&wire, doc_name(list->doc), bytes, len, limits, err) == 0 &&
	    read_envelope(wire, &envelope, err) == 0 &&
	    find_element(list, &envelope, err) == 0) {
		list->wire = envelope.message;
		if (find_meta(list->wire, meta, err) == 0)
			return list;
		list_meta_fini(meta);
	}
	protobuf_list_close(list);
	return NULL;
}

int
protobuf_list_next(struct protobuf_list *list, const struct doc_node **root,
    struct err *err)
{
	struct wire_field field;
	int got;

	list->item.p = NULL;
	while ((got = wire_next(&list->wire, &field, err)) == 1) {
		if (field.number != 2)
			continue;
		if (field.type != WIRE_BYTES)
			return wire_fail(&list->wire, list->wire.p, err,
			    "list items are not objects");
		doc_clear(list->doc);
		list->item = wire_within(&list->wire, &field);
		*root = protobuf_tree(list->doc, list->limits, list->message,
		    list->item, 0, err);
		return *root != NULL ? 1 : -1;
	}
	return got;
}

bool
protobuf_list_can_go_on(const struct protobuf_list *list)
{
	return list->item.p != NULL;
}

struct doc *
protobuf_list_again(const struct protobuf_list *list,
    const struct doc_field *fields, struct err *err)
{
	struct doc_limits limits = *list->limits;
	struct doc *doc = doc_new(doc_name(list->doc));

	limits.fields = fields;
	return finish(doc,
	    protobuf_tree(doc, &limits, list->message, list->item, 0, err));
}

const char *
protobuf_list_kind(const struct protobuf_list *list)
{
	return list->kind;
}

void
protobuf_list_close(struct protobuf_list *list)
{
	if (list == NULL)
		return;
	doc_free(list->doc);
	free(list);
}

/* ---- writing ---- */

void
protobuf_put(struct text *text, const char *api_version, const char *kind,
    struct text *message)
{
	struct text type = { 0 };

	wire_put_string(&type, 1, api_version);
	wire_put_string(&type, 2, kind);
	text_append(text, magic, sizeof(magic));
	wire_put_message(text, 1, &type);
	wire_put_message(text, 2, message);
}

void
protobuf_from_json(struct text *body)
{
	struct doc *doc =
	    doc_parse("body", body->bytes, body->len, &doc_limits_people, NULL);
	const char *api_version = "", *kind = "";
	struct text message = { 0 };

	assert(doc != NULL); /* it is ours */
	doc_get_members(doc_root(doc), "", NULL, "apiVersion:s kind:s",
	    &api_version, &kind);
	protobuf_put_members(&message, protobuf_find(api_version, kind),
	    doc_root(doc));
	text_fini(body);
	protobuf_put(body, api_version, kind, &message);
	doc_free(doc);
}
