#include "config.h"

#include "wire/api/list_page.h"

#include "wire/api/client.h"
#include "base/doc.h"
#include "objects/fields.h"

int
list_meta_read(const char *text, size_t len, struct list_meta *out,
    struct err *err)
{
	static const struct doc_field metadata[] = {
		{ .key = "resourceVersion" }, { .key = "continue" },
		{ .key = NULL }
	};
	static const struct doc_field list[] = {
		{ .key = "metadata", .within = metadata }, { .key = NULL }
	};
	struct doc_limits limits = doc_limits_dump;
	const char *version = "", *next = "";
	const struct doc_node *meta;
	struct doc *doc;
	size_t at = 0;
	int result = -1;

	while (at < len && memchr(" \t\r\n", text[at], 4) != NULL)
		at++;
	if (at == len || text[at] != '{')
		return errf(err, "a list must be a JSON object");
	limits.fields = list;
	doc = doc_parse("list metadata", text, len, &limits, err);
	if (doc == NULL)
		return -1;
	meta = doc_get(doc_root(doc), "metadata");
	if (doc_get_string(meta, "resourceVersion", "metadata.resourceVersion",
		&version, err) == 0 &&
	    doc_get_string(meta, "continue", "metadata.continue", &next, err) ==
		0) {
		*out = (struct list_meta){ xstrdup(version), xstrdup(next) };
		result = 0;
	}
	doc_free(doc);
	return result;
}

int
list_page_read(const struct api_response *response, const char *name,
    const struct doc_field *fields, struct list_meta *meta,
    void (*each)(void *arg, const struct arrival *arrival), void *arg,
    struct err *err)
{
	struct doc_limits limits = doc_limits_dump;
	struct doc_reader *json = NULL;
	struct protobuf_list *list = NULL;
	struct arrival arrival;
	int got;

	limits.fields = fields;
	*meta = (struct list_meta){ 0 };
	if (response->protobuf)
		list = protobuf_list_open(name, response->body, response->len,
		    &limits, meta, err);
	else if (list_meta_read(response->body, response->len, meta, err) == 0)
		json = doc_open_text(name, response->body, response->len,
		    &limits, true);
	if (json == NULL && list == NULL)
		return -1;
	arrival = (struct arrival){ .json = json, .protobuf = list };
	while ((got = json != NULL ?
		       doc_next(json, &arrival.root, err) :
		       protobuf_list_next(list, &arrival.root, err)) == 1 ||
	    (got < 0 &&
		(json != NULL ? doc_pass_over(json) :
				protobuf_list_can_go_on(list)))) {
		arrival.kind = json != NULL ? doc_item_kind(json) :
					      protobuf_list_kind(list);
		arrival.error = err->text;
		if (got < 0)
			arrival.root = NULL;
		each(arg, &arrival);
	}
	doc_close(json);
	protobuf_list_close(list);
	return got;
}

struct doc *
watch_event_parse(bool protobuf, const char *bytes, size_t len,
    const struct doc_field *fields, struct err *err)
{
	struct doc_limits limits = {
		.bytes = WATCH_EVENT_MAX,
		.depth = 100,
		.values = 2 * 1000 * 1000,
		.leave_out = "managedFields",
	};
	struct doc_field event[] = {
		{ .key = "type" },
		{ .key = "object", .within = fields },
		{ .key = NULL },
	};

	if (protobuf) {
		limits.fields = fields;
		return protobuf_parse_event("event", bytes, len, &limits, err);
	}
	if (fields != NULL)
		limits.fields = event;
	return doc_parse("event", bytes, len, &limits, err);
}

struct doc *
arrival_again(const struct arrival *arrival, const struct doc_field *fields,
    const struct doc_node **root, struct err *err)
{
	struct doc_limits limits = doc_limits_dump;
	const char *text;
	struct doc *doc;
	size_t len;

	limits.fields = fields;
	if (arrival->bytes != NULL) {
		doc = watch_event_parse(arrival->event_is_protobuf,
		    arrival->bytes, arrival->len, fields, err);
	} else if (arrival->protobuf != NULL) {
		doc = protobuf_list_again(arrival->protobuf, fields, err);
	} else if (arrival->json != NULL &&
	    doc_item_text(arrival->json, &text, &len)) {
		doc = doc_parse("element", text, len, &limits, err);
	} else {
		errf(err, "not a list element");
		return NULL;
	}
	if (doc == NULL)
		return NULL;
	*root = doc_root(doc);
	if (arrival->bytes != NULL)
		*root = doc_get(*root, "object");
	if (*root != NULL && (*root)->kind == DOC_OBJECT)
		return doc;
	errf(err, "not a JSON object");
	*root = NULL;
	doc_free(doc);
	return NULL;
}

struct object *
arrival_decode_partial(const struct arrival *arrival,
    const struct decode_settings *settings, enum object_kind kind,
    enum partial from, enum partial to, struct doc **again,
    const struct doc_node **root)
{
	struct object *object = NULL;

	*again = NULL;
	for (enum partial p = from; object == NULL && p <= to; p++) {
		const struct doc_field *fields = object_partial_fields(kind, p);

		if (fields == NULL)
			continue;
		doc_free(*again);
		*again = arrival_again(arrival, fields, root, NULL);
		if (*again == NULL && (*root = arrival->root) != NULL)
			doc_prune((struct doc *)(*root)->doc, *root, fields);
		if (*root != NULL)
			object = object_decode_partial(settings, kind, p,
			    (struct doc *)(*root)->doc, *root, NULL);
	}
	return object;
}
