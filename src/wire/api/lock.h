/*
 * The object in which a leader records its leadership, compatible with
 * client-go's locks (doc/semantics/04-scheduling-loop.md, Leader election): the
 * spec of a Lease, or an annotation of an Endpoints or ConfigMap object, which
 * older clusters use.  This only reads and writes it; who may lead when is
 * decided elsewhere.
 *
 * A write names the resourceVersion that was read last, so of several who want
 * to lead one succeeds.  All else that the object holds is kept.
 */
#ifndef API_LOCK_H
#define API_LOCK_H

struct api_client;
struct api_event;

enum lock_kind {
	LOCK_LEASES,
	LOCK_ENDPOINTS,
	LOCK_CONFIG_MAPS,
};

/* Seconds since 1970; microseconds are kept by a Lease only. */
struct lock_time {
	int64_t seconds;
	int32_t microseconds;
};

struct lock_record {
	char holder[512]; /* "": no holder; truncated if longer */
	int64_t lease_seconds;
	int64_t transitions;
	struct lock_time acquired, renewed;
};

enum lock_result {
	LOCK_OK,
	LOCK_ABSENT,   /* of lock_get: the object does not exist */
	LOCK_CONFLICT, /* of lock_put: another instance was faster, get again */
	LOCK_FAILED,
};

struct lock;

/* timeout_ms: of each request.  A Lease's API version is found by discovery. */
struct lock *lock_new(struct api_client *client, enum lock_kind kind,
    const char *namespace, const char *name, int64_t timeout_ms);
/* Drops requests under way; accepts NULL. */
void lock_free(struct lock *lock);

/*
 * One of these at a time; done is called once, later.  record is the object's
 * current record with LOCK_OK (all zero if it has none), else NULL; why is a
 * message, NULL with LOCK_OK and LOCK_ABSENT.
 */
void lock_get(struct lock *lock,
    void (*done)(void *arg, enum lock_result result,
	const struct lock_record *record, const char *why),
    void *arg);
/* Creates the object if lock_get() found none, else updates it. */
void lock_put(struct lock *lock, const struct lock_record *record,
    void (*done)(void *arg, enum lock_result result,
	const struct lock_record *record, const char *why),
    void *arg);
/* Drops requests under way. */
void lock_cancel(struct lock *lock);

/* Fills the fields of an event about the object; "" for those that are unknown
 * before it was read or written.  Valid until the next response. */
void lock_refer(const struct lock *lock, struct api_event *event);

/* Reading and writing the record of an object; for tests and lock.c. */
struct doc_node;
int lock_record_read(enum lock_kind kind, const struct doc_node *root,
    struct lock_record *out, struct err *err);
/* You own it.  root: the object as read last, NULL to make it. */
char *lock_record_write(enum lock_kind kind, const char *version,
    const char *namespace, const char *name, const struct doc_node *root,
    const struct lock_record *record);

#endif
