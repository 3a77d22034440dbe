/*
 * The objects in responses to lists and watches, in JSON or protobuf, as the
 * response says.
 */
#ifndef API_LIST_PAGE_H
#define API_LIST_PAGE_H

#include "objects/object.h"
#include "wire/api/protobuf.h"

struct api_response;
struct doc;
struct doc_field;
struct doc_node;
struct doc_reader;

/* Of a list in JSON, without making a tree of its items; you own *out's texts.
 * Absent metadata gives two empty texts. */
int list_meta_read(const char *text, size_t len, struct list_meta *out,
    struct err *err);

/* An object on its way to us: an element of a list, or that of an event. */
struct arrival {
	const struct doc_node *root; /* NULL: it cannot be read */
	const char *kind;            /* its kind if it does not have one */
	const char *error;           /* why it cannot be read */
	/* Where it can be read once more: one of these. */
	const struct doc_reader *json;
	const struct protobuf_list *protobuf;
	const char *bytes; /* an event */
	size_t len;
	bool event_is_protobuf;
};

/* Reads it again with only these fields; you own the document, *root is in it;
 * NULL: err has the reason. */
struct doc *arrival_again(const struct arrival *arrival,
    const struct doc_field *fields, const struct doc_node **root,
    struct err *err);

/*
 * The part that can be decoded of an object that cannot be decoded whole: the first of
 * these degrees that succeeds; NULL: not even the last one.  You own it and *again
 * (NULL is possible); *root, its document, is valid as long as that and the arrival.
 * An object that cannot be read once more, as a document of its own, is pruned.
 */
struct object *arrival_decode_partial(const struct arrival *arrival,
    const struct decode_settings *settings, enum object_kind kind,
    enum partial from, enum partial to, struct doc **again,
    const struct doc_node **root);

/*
 * One page of a list: its metadata, and each element in turn, also those that
 * are broken; name is for errors, fields has the fields that are read of
 * elements, NULL: all.  -1: the list is malformed, but some elements may have been
 * returned.  You own meta's texts in any case.
 */
int list_page_read(const struct api_response *response, const char *name,
    const struct doc_field *fields, struct list_meta *meta,
    void (*each)(void *arg, const struct arrival *arrival), void *arg,
    struct err *err);

/* No event may be longer. */
#define WATCH_EVENT_MAX ((size_t)64 << 20)

/* One event, an object with type and object, of which these fields are read
 * (NULL: all); you own it.  NULL: err. */
struct doc *watch_event_parse(bool protobuf, const char *bytes, size_t len,
    const struct doc_field *fields, struct err *err);

#endif
