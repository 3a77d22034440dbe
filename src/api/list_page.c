#include "config.h"

#include "api/list_page.h"

#include "api/client.h"
#include "api/protobuf.h"
#include "base/doc.h"

static int
read_json(const struct api_response *response, const char *name,
    struct list_meta *meta,
    void (*each)(void *arg, const struct doc_node *root, const char *kind),
    void *arg, struct err *err)
{
	const struct doc_node *root;
	struct doc_reader *reader;
	int got;

	if (list_meta_read(response->body, response->len, meta, err) != 0)
		return -1;
	reader = doc_open_text(
	    name, response->body, response->len, &doc_limits_dump, true);
	while ((got = doc_next(reader, &root, err)) == 1)
		each(arg, root, doc_item_kind(reader));
	doc_close(reader);
	return got;
}

static int
read_protobuf(const struct api_response *response, const char *name,
    struct list_meta *meta,
    void (*each)(void *arg, const struct doc_node *root, const char *kind),
    void *arg, struct err *err)
{
	struct protobuf_list *list = protobuf_list_open(name, response->body,
	    response->len, &doc_limits_dump, meta, err);
	const struct doc_node *root;
	int got;

	if (list == NULL)
		return -1;
	while ((got = protobuf_list_next(list, &root, err)) == 1)
		each(arg, root, protobuf_list_kind(list));
	protobuf_list_close(list);
	return got;
}

int
list_page_read(const struct api_response *response, const char *name,
    struct list_meta *meta,
    void (*each)(void *arg, const struct doc_node *root, const char *kind),
    void *arg, struct err *err)
{
	*meta = (struct list_meta){ 0 };
	if (response->protobuf)
		return read_protobuf(response, name, meta, each, arg, err);
	return read_json(response, name, meta, each, arg, err);
}

static const struct doc_limits event_limits = {
	.bytes = WATCH_EVENT_MAX,
	.depth = 100,
	.values = 2 * 1000 * 1000,
	.leave_out = "managedFields",
};

struct doc *
watch_event_parse(
    bool protobuf, const char *bytes, size_t len, struct err *err)
{
	if (protobuf)
		return protobuf_parse_event(
		    "event", bytes, len, &event_limits, err);
	return doc_parse("event", bytes, len, &event_limits, err);
}
