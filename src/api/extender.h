/*
 * Asks HTTP extenders: a POST of JSON to URL/VERB, answered with 200 and JSON
 * (doc/semantics/05-extenders.md, Wire format and Timeouts).  Knows nothing of
 * the content.
 *
 * An answer may be twice as long as the question and 10 MB more.
 *
 * Errors are worded as Go words them where users see them: in the event of a
 * pod that could not be scheduled.
 */
#ifndef API_EXTENDER_H
#define API_EXTENDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct doc_node;
struct event_base;

/* Copied.  PEM texts; NULL or "": none. */
struct api_extender_options {
	const char *url;    /* without a final slash */
	int64_t timeout_ms; /* of a whole request */
	bool insecure;      /* the certificate is not checked */
	const char *server_name, *ca, *certificate, *key;
	/* After each request, for metrics: the HTTP status, 0 for none.  NULL:
	 * no callback. */
	void (
	    *on_try)(void *arg, const char *method, int status, double seconds);
	void *arg;
};

struct api_extender;
struct api_extender_call;

/* Nothing is sent yet. */
struct api_extender *api_extender_new(struct event_base *base,
    const struct api_extender_options *options);
/* Calls are given up; accepts NULL.  Not from within on_done(). */
void api_extender_free(struct api_extender *extender);

/* Calls under way. */
size_t api_extender_running(const struct api_extender *extender);

/*
 * on_done() comes from the event loop, once: with the answer, or with NULL and
 * the reason.  Both are valid during the call.
 */
struct api_extender_call *api_extender_post(struct api_extender *extender,
    const char *verb, const char *body,
    void (
	*on_done)(void *arg, const struct doc_node *answer, const char *error),
    void *arg);
/* on_done() is not called after this; accepts NULL. */
void api_extender_cancel(struct api_extender_call *call);

/* The member with this key in any case, as Go reads it; NULL if it is absent or
 * null. */
const struct doc_node *api_extender_member(const struct doc_node *object,
    const char *key);

#endif
