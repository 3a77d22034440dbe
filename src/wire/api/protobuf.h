/*
 * Reads application/vnd.kubernetes.protobuf into the same documents (doc.h) as
 * the same objects in JSON; see protobuf_tree.h.
 *
 * Every object comes in an envelope (runtime.Unknown) with its apiVersion and
 * kind.  Limits are as for JSON; errors have the byte: "name: byte 17: …".
 */
#ifndef API_PROTOBUF_H
#define API_PROTOBUF_H

struct doc;
struct doc_field;
struct doc_limits;
struct doc_node;
struct text;

#define PROTOBUF_TYPE "application/vnd.kubernetes.protobuf"
#define JSON_TYPE "application/json"

/* The metadata of a list. */
struct list_meta {
	char *resource_version; /* "" when absent */
	char *next;             /* metadata.continue; "" on the last page */
};

void list_meta_fini(struct list_meta *meta);

/* One object with its envelope, as doc_parse().  Fails for kinds that are not
 * in the table. */
struct doc *protobuf_parse(const char *name, const char *bytes, size_t len,
    const struct doc_limits *limits, struct err *err);

/* metav1.WatchEvent, the content of each frame in a stream of events: an object
 * with type and object; object is in an envelope.  limits->fields are those of
 * the latter. */
struct doc *protobuf_parse_event(const char *name, const char *bytes,
    size_t len, const struct doc_limits *limits, struct err *err);

/*
 * A list ("PodList"), whose elements are read one by one.  The bytes must
 * outlive it.  You own meta's texts, and the list; NULL: err has the reason.
 */
struct protobuf_list;
struct protobuf_list *protobuf_list_open(const char *name, const char *bytes,
    size_t len, const struct doc_limits *limits, struct list_meta *meta,
    struct err *err);
/* 1: *root is the next element, valid until the next call; 0: no more elements;
 * -1: err has the reason. */
int protobuf_list_next(struct protobuf_list *list, const struct doc_node **root,
    struct err *err);
/* Whether the last call was in an element, broken or not: the next call yields
 * the following element. */
bool protobuf_list_can_go_on(const struct protobuf_list *list);
/* That element once more, only these fields of it; you own it, NULL: err. */
struct doc *protobuf_list_again(const struct protobuf_list *list,
    const struct doc_field *fields, struct err *err);
/* The elements' kind, which they do not say themselves. */
const char *protobuf_list_kind(const struct protobuf_list *list);
void protobuf_list_close(struct protobuf_list *list);

/* The JSON of an Event or a Binding becomes the same as protobuf. */
void protobuf_from_json(struct text *body);
/* Appends a message in its envelope, for writing.  Empties the message. */
void protobuf_put(struct text *text, const char *api_version, const char *kind,
    struct text *message);

#endif
