/*
 * The object by which an instance stands in a coordinated leader election
 * (LeaseCandidate of coordination.k8s.io, which API servers can serve from 1.32
 * on).  This watches and writes it; when to write is decided elsewhere.
 */
#ifndef API_LEASE_CANDIDATE_H
#define API_LEASE_CANDIDATE_H

#include <stdbool.h>
#include <stdint.h>

#include "api/lock.h"

struct api_client;

#define LEASE_CANDIDATES "leasecandidates"
/* For discovery_start(). */
extern const char *const lease_candidate_versions[];

struct lease_candidate_spec {
	const char *namespace, *name; /* the name is the candidate's identity */
	const char *lease_name;       /* the lock that it stands for */
	/* Semantic versions ("1.36.0"); the control plane elects the oldest
	 * emulation version, then the oldest binary version. */
	const char *binary_version, *emulation_version;
	int64_t timeout_ms; /* of each write */
};

struct lease_candidate_ops {
	/* The object changed, was deleted or is new.  pinged: the control plane
	 * wants it to be renewed. */
	void (*seen)(void *arg, bool exists, bool pinged);
	/* It is known whether it exists. */
	void (*synced)(void *arg);
	/* The answer to lease_candidate_write(). */
	void (*written)(void *arg, bool succeeded);
	/* For the log: a request failed. */
	void (*problem)(void *arg, const char *why);
};

struct lease_candidate;

/* Begins to watch it.  spec and ops are copied.  Callbacks come from the event
 * loop; none may call lease_candidate_free(). */
struct lease_candidate *lease_candidate_new(struct api_client *client,
    const struct lease_candidate_spec *spec,
    const struct lease_candidate_ops *ops, void *arg);
/* Leaves the object as it is; accepts NULL. */
void lease_candidate_free(struct lease_candidate *candidate);

/* Creates the object, or renews it; after synced(), one at a time. */
void lease_candidate_write(struct lease_candidate *candidate,
    const struct lock_time *now);

#endif
