/*
 * All objects of one resource, listed once, page by page: for programs that
 * look at a cluster and end.  A reflector (watch.h) stays with it.
 *
 *	discovering ──▶ listing ──▶ done
 *	 the newest      a page at a time; when the next one has expired (410),
 *	 version that    on from where it is, with the objects of now, as kubectl
 *	 is served       does; when one does not arrive in time, with fewer
 *	                 objects on it, as when it is longer than an answer may be
 */
#ifndef API_LISTING_H
#define API_LISTING_H

struct api_client;
struct arrival;
struct doc_field;
struct listing;

struct listing_spec {
	const char *resource; /* "pods", as in the path */
	/* NULL-terminated, preferred first: "v1", "policy/v1", … */
	const char *const *versions;
	const char *namespace;      /* NULL: all of them, or none exist */
	const char *field_selector; /* NULL: everything */
	/* Their resourceVersion: the objects as they were then, and never the end
	 * of a list as it is later; NULL: as they are now. */
	const char *at;
	const struct doc_field *fields; /* to read; NULL: all */
	/* Of each request; 0: a minute, and a page that does not arrive in that
	 * time is asked for again with fewer objects. */
	int64_t timeout_ms;
};

/* The end of a list. */
struct listing_end {
	const char *version; /* "policy/v1"; NULL: none is served, or error */
	const char *error;   /* the sentence; NULL: it is complete */
	int status;          /* of HTTP, of the error; 0: no response, or a
			      * malformed one */
};

struct listing_ops {
	/* Each element of the list, valid during the call; version: its
	 * apiVersion, which elements do not have themselves. */
	void (*each)(void *arg, const struct arrival *arrival,
	    const char *version);
	/* Exactly once, unless it is freed before; may call listing_free(). */
	void (*done)(void *arg, const struct listing_end *end);
};

/* Starts immediately; all texts must outlive it.  Callbacks come from the event loop;
 * each() may not call listing_free(). */
struct listing *listing_new(struct api_client *client,
    const struct listing_spec *spec, const struct listing_ops *ops, void *arg);
/* Accepts NULL. */
void listing_free(struct listing *listing);

#endif
