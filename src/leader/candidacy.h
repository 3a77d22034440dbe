/*
 * The object by which an instance stands in a coordinated leader election
 * (LeaseCandidate of coordination.k8s.io, which API servers can serve from 1.32
 * on), written as client-go's leasecandidate.go does: it is created, renewed every
 * five minutes, and at once when the control plane has pinged it (pingTime is
 * later than renewTime): an election waits five seconds for that.
 *
 * Two differences: an object that was deleted is created again at once, and a
 * write that failed is repeated after the given time, not ever more slowly.
 */
#ifndef LEADER_CANDIDACY_H
#define LEADER_CANDIDACY_H

struct api_client;

#define CANDIDACY_RENEW_MS (5 * 60 * 1000)

/* When to write it; pure: clock and writes come from the owner. */

struct candidacy_ops {
	int64_t (*now_ms)(void *arg); /* moves forwards only */
	/* Create the object, or renew it; the answer comes later, by
	 * candidacy_written().  One at a time. */
	void (*write)(void *arg);
	/* Call candidacy_woken() at this time; replaces the time set before. */
	void (*wake)(void *arg, int64_t at_ms);
};

struct candidacy {
	const struct candidacy_ops *ops;
	void *arg;
	int64_t retry_ms;

	bool synced; /* it is known whether the object exists */
	bool writing;
	bool pinged; /* since the last write began */
	int64_t due_ms;
};

void candidacy_init(struct candidacy *candidacy, int64_t retry_ms,
    const struct candidacy_ops *ops, void *arg);
/* The object as it is now: whether it exists, and was pinged. */
void candidacy_seen(struct candidacy *candidacy, bool exists, bool pinged);
/* Whether the object exists is known.  Once is enough. */
void candidacy_synced(struct candidacy *candidacy);
void candidacy_written(struct candidacy *candidacy, bool succeeded);
void candidacy_woken(struct candidacy *candidacy);

/* Of elections: also counts while the machine is suspended, as others go on. */
int64_t lease_now_ms(void *arg);

/* The object itself. */

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
	int64_t retry_ms;   /* after one that failed */
};

struct lease_candidate;

/* Watches it, and writes it when it is due.  The texts of spec must outlive it. */
struct lease_candidate *lease_candidate_new(struct api_client *client,
    const struct lease_candidate_spec *spec);
/* Leaves the object as it is; accepts NULL. */
void lease_candidate_free(struct lease_candidate *candidate);

#endif
