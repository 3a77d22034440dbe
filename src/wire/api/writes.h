/*
 * The scheduler's writes about pods.
 *
 * Each of these sends one request (api_send(): done comes once, later; the call
 * can be cancelled).  Attempts that the server did not act on are repeated for
 * up to WRITE_RETRY_MS.  None is sent while api_options.may_write() says no.
 * All requests have the pod's uid, so that none of them affects another pod of
 * the same name: the server answers 409 then (422 to a patch).  Servers before
 * about 1.21 ignore the uid of a binding.
 */
#ifndef API_WRITES_H
#define API_WRITES_H

#include "wire/api/client.h"

#define WRITE_RETRY_MS 30000

/* The content type of a patch. */
#define STRATEGIC_MERGE "application/strategic-merge-patch+json"

struct pod_id {
	const char *namespace, *name;
	const char *uid; /* "" when unknown */
};

/* Valid as long as the pod. */
struct pod;
struct pod_id api_pod_id(const struct pod *pod);

/*
 * POST …/binding, in a lane of its own.  201: bound.  409: the pod is already
 * bound, or its name belongs to another pod.  Status 0 without unsent: the pod
 * may be bound or not, as the watch will show; a connection that breaks can
 * also make curl send it twice, and the second one is then a 409.
 */
struct api_call *api_bind(struct api_client *client, const struct pod_id *pod,
    const char *node,
    void (*done)(void *arg, const struct api_response *response), void *arg);

struct pod_status_change {
	/* A condition; reason NULL: leave it alone. */
	const char *type; /* "PodScheduled", "DisruptionTarget" */
	const char *reason, *message;
	const char *status; /* "False" */
	/* RFC 3339; NULL: the condition has this status already, the time of
	 * its last transition stays. */
	const char *transition;
	bool low_priority;           /* as of an api_request */
	int64_t observed_generation; /* of the condition; 0: leave it out */
	/* status.nominatedNodeName; NULL: leave it alone, "": remove it. */
	const char *nominated;
};

/* The body of that: appended. */
struct text;
void api_pod_status_write(const struct pod_id *pod,
    const struct pod_status_change *change, struct text *out);

/* PATCH …/status, strategic merge: other conditions are not touched. */
struct api_call *api_patch_pod_status(struct api_client *client,
    const struct pod_id *pod, const struct pod_status_change *change,
    void (*done)(void *arg, const struct api_response *response), void *arg);

/* DELETE with the pod's own grace period.  wanted: as of an api_request. */
struct api_call *api_delete_pod(struct api_client *client,
    const struct pod_id *pod, bool (*wanted)(void *arg),
    void (*done)(void *arg, const struct api_response *response), void *arg);

/* "2006-01-02T15:04:05Z", or with ".000000" when microseconds are >= 0; into
 * at least 32 bytes.  Returns out. */
char *api_time(char *out, size_t size, int64_t seconds, int microseconds);

#endif
