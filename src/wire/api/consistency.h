/*
 * Whether what a reflector knows is what the API server had: lists the objects at the
 * resourceVersion up to which everything has been heard and compares their number and
 * the sum of their digests, as kube-apiserver checks its own cache (1.36,
 * apiserver/pkg/storage/cacher/compare.go).
 */
#ifndef API_CONSISTENCY_H
#define API_CONSISTENCY_H

struct api_client;
struct consistency_check;

enum consistency {
	CONSISTENT,
	NOT_CONSISTENT,
	CONSISTENCY_UNKNOWN, /* the list failed */
	CONSISTENCY_RESULTS
};

struct consistency_spec {
	const char *resource, *version, *namespace, *field_selector;
	const char *at; /* resourceVersion */
	/* The number of objects in the cache at that version, and their digest. */
	size_t n;
	uint64_t digest; /* the sum of object_digest() */
};

/* Starts immediately; at is copied, the spec's other texts must outlive it.  done is
 * called once, from the event loop, and may free the check; why: a sentence for the
 * log, NULL if they are the same. */
struct consistency_check *consistency_check_new(struct api_client *client,
    const struct consistency_spec *spec,
    void (*done)(void *arg, enum consistency result, const char *why),
    void *arg);
/* Accepts NULL; done is not called any more. */
void consistency_check_free(struct consistency_check *check);

#endif
