/*
 * Leader election: the algorithm by which the candidates take one lock in turn,
 * the same as client-go's (doc/semantics/04-scheduling-loop.md, Leader
 * election), so that we and kube-scheduler can take over from each other.
 *
 *	                 free, released, or unchanged for its lease's time:
 *	             ┌─ we wrote our name into it ───────────────▶┐
 *	        standing by                                    leading
 *	             └◀──────── no renewal for too long ──────────┘
 *	                        or another name is in it
 *
 * A try is: read the lock; unless another candidate holds it, write it.  A leader
 * writes at once what it wrote last, and reads if that fails.  Whether
 * a holder is still alive depends on when we saw the record change, by our own
 * clock: clocks of machines need not agree, so also a record that says it is
 * old counts from our first look.  We wait as long as the record says, since its
 * holder stops by its own rules, not by ours.  The writes name the version that
 * was read, so of several tries one succeeds.
 *
 * Deliberate differences.  To be more careful: a leader that reads another name
 * stops at once (client-go goes on until its renew deadline), and after losing we
 * stand by again instead of ending.  To be without a leader for less long: we look
 * at the lock before we stand for election, every retry period (client-go: up to
 * 2.2 of them), and when the lease runs out.
 *
 * Pure: clock, chance and the lock come from the owner.
 */
#ifndef LEADER_ELECTION_H
#define LEADER_ELECTION_H

#include "wire/api/lock.h"

/* lease > renew deadline > 1.2 retries, all positive: options_validate.c. */
struct election_rules {
	int64_t lease_ms;          /* others wait so long to take over */
	int64_t renew_deadline_ms; /* a leader tries this long to renew */
	int64_t retry_ms;          /* from one try to the next */
};

struct election_ops {
	int64_t (*now_ms)(void *arg); /* moves forwards only */
	void (*wall)(void *arg, struct lock_time *out);
	double (*chance)(void *arg); /* from 0 to below 1 */

	/* Read or write the lock; the answer comes later, by
	 * election_answered().  One at a time. */
	void (*get)(void *arg);
	void (*put)(void *arg, const struct lock_record *record);
	/* No answer is wanted any more. */
	void (*cancel)(void *arg);
	/* Call election_woken() at this time; replaces the time set before. */
	void (*wake)(void *arg, int64_t at_ms);

	/* These two may call election_release(). */
	void (*started)(void *arg);
	void (*stopped)(void *arg, const char *why);
	/* The lock has a new holder (maybe us). */
	void (*holder)(void *arg, const char *identity);
	/* A try failed; for the log. */
	void (*problem)(void *arg, const char *why);
	/* The answer to election_release(). */
	void (*released)(void *arg);
};

enum election_step {
	ELECTION_WAITING,
	ELECTION_READING,
	ELECTION_WRITING,
	ELECTION_GIVING_UP, /* reading, to clear our name out of it */
	ELECTION_CLEARING,  /* writing that */
	ELECTION_OVER,
};

struct election {
	struct election_rules rules;
	char identity[sizeof(((struct lock_record *)0)->holder)];
	const struct election_ops *ops;
	void *arg;

	bool standing; /* for election: else it only looks */
	bool leading;
	bool doubtful; /* when leading: another candidate may have it already */
	bool
	    unchanged; /* observed is what we wrote, and no write failed since */
	enum election_step step;
	struct lock_record observed; /* as read or written last */
	int64_t observed_ms;         /* when it last changed */
	int64_t tried_ms;            /* when this try began */
	int64_t sent_ms;             /* when its write was sent */
	int64_t renewed_ms;          /* when the last one that succeeded was */
	int64_t retry_at_ms;         /* when waiting */
	int64_t lose_at_ms;          /* when leading */
	int64_t give_up_at_ms;       /* when releasing */
};

/* Does nothing before election_look() or election_begin(). */
void election_init(struct election *election,
    const struct election_rules *rules, const char *identity,
    const struct election_ops *ops, void *arg);
/* Looks at the lock, without taking it: a lease that runs out meanwhile need not be
 * waited for later. */
void election_look(struct election *election);
/* From now on it takes the lock when it may.  After election_look() or without. */
void election_begin(struct election *election);
void election_woken(struct election *election);
/* The result of a get or a put, as in wire/api/lock.h. */
void election_answered(struct election *election, enum lock_result result,
    const struct lock_record *record, const char *why);

/*
 * Stops leading and clears our name out of the lock, so that no candidate has to
 * wait for the lease to expire; then released() is called, after
 * ELECTION_RELEASE_MS at the latest; when there is nothing to clear, at once.
 */
#define ELECTION_RELEASE_MS 2000
void election_release(struct election *election);

/*
 * Whether the lock is ours for certain: no candidate may take it before a lease's
 * time after our last renewal was sent; this says no a lease minus a renew
 * deadline earlier, which is the time left for requests under way.
 */
bool election_certain(const struct election *election);

/* Whether the lock, as seen last, was not renewed for its lease's time. */
bool election_expired(const struct election *election);

/* How long our lease is over while we still believe to lead; < 0: it is not. */
int64_t election_overdue_ms(const struct election *election);

#endif
