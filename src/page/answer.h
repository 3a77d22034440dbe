/*
 * The JSON interface (doc/web.md): one request about a view, one reply.  The
 * question may change the view's cluster: it is asked in a process of its own.
 */
#ifndef PAGE_ANSWER_H
#define PAGE_ANSWER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

struct evkeyvalq;
struct web_view;

struct web_request {
	const char *path; /* "/api/v1/nodes" */
	bool post;
	const struct evkeyvalq *query;
	const char *body; /* NUL follows it */
	size_t len;
};

struct web_reply {
	int status;
	struct text body; /* JSON */
};

/* Whether there is such a path at all, and whether it is read or posted to. */
bool web_has_path(const char *path, bool *get, bool *post);

/* The path is there, with this method. */
void web_answer(const struct web_view *view, const struct web_request *request,
    struct web_reply *reply);

#endif
