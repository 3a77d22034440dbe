/*
 * When a candidate of a coordinated leader election writes its LeaseCandidate
 * object, as client-go's leasecandidate.go does: it creates it, renews it every
 * five minutes, and at once when the control plane has pinged it (pingTime is
 * later than renewTime): an election waits five seconds for that.
 *
 * Two differences: an object that was deleted is created again at once, and a
 * write that failed is repeated after the given time, not ever more slowly.
 *
 * Pure: clock and writes come from the owner.
 */
#ifndef LEADER_CANDIDACY_H
#define LEADER_CANDIDACY_H

#include <stdbool.h>
#include <stdint.h>

#define CANDIDACY_RENEW_MS (5 * 60 * 1000)

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

#endif
