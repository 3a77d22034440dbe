/*
 * What lists and watches bring, in JSON or protobuf, as the answer says.
 */
#ifndef API_LIST_PAGE_H
#define API_LIST_PAGE_H

#include <stdbool.h>
#include <stddef.h>

#include "api/list_meta.h"

struct api_response;
struct doc;
struct doc_node;
struct err;

/*
 * One page of a list: its metadata, and each element in turn with the kind that
 * the list says it has; name is for errors.  -1: it makes no sense, though some
 * elements may have been given out.  You own meta's texts in any case.
 */
int list_page_read(const struct api_response *response, const char *name,
    struct list_meta *meta,
    void (*each)(void *arg, const struct doc_node *root, const char *kind),
    void *arg, struct err *err);

/* No event may be longer. */
#define WATCH_EVENT_MAX ((size_t)64 << 20)

/* One event, an object with type and object; you own it.  NULL: err. */
struct doc *watch_event_parse(
    bool protobuf, const char *bytes, size_t len, struct err *err);

#endif
