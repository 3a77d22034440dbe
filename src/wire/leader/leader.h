/*
 * Leader election over an object of the API server (election.h has the rules).
 *
 * Wire-compatible with client-go: kube-scheduler and we can compete for one
 * lock.  Losing it does not end the process: we stand by and may lead again.
 *
 * A NULL leader stands for --leader-elect=false: leading, always.
 */
#ifndef LEADER_LEADER_H
#define LEADER_LEADER_H

struct api_client;
struct api_event;

struct leader_options {
	/* "leases", "endpoints", "configmaps", or "endpointsleases",
	 * "configmapsleases": both objects are written and must agree. */
	const char *resource_lock;
	const char *namespace, *name;
	const char *identity;  /* NULL: HOSTNAME_UUID */
	const char *component; /* events' source: the scheduler's name */
	/* As election_rules (election.h) has them. */
	int64_t lease_ms, renew_deadline_ms, retry_ms;
};

struct leader_ops {
	/* From here on we lead. */
	void (*on_started)(void *arg);
	/* We do not any more; why is for people.  May come again and again, in
	 * turn with the other. */
	void (*on_stopped)(void *arg, const char *why);
	/* "IDENTITY became leader", "IDENTITY stopped leading", and those of
	 * leader_event(); give it to events_record().  May be NULL. */
	void (*on_event)(void *arg, const struct api_event *event);
};

struct leader;

/*
 * Looks at the lock from the next turn of the event loop on.  options and ops are
 * copied.  Callbacks come from the event loop; none may call leader_free().
 */
struct leader *leader_new(struct api_client *client,
    const struct leader_options *options, const struct leader_ops *ops,
    void *arg);
/* Stands for election from now on. */
void leader_stand(struct leader *leader);
/* Says nothing any more and leaves the lock as it is; accepts NULL. */
void leader_free(struct leader *leader);

/*
 * Gives the lock up, for a clean end: on_stopped is called first (if we lead),
 * then, at most 2 s later, done, once.  Finish your binds before.  Nothing else
 * comes afterwards.  done may free the leader.
 */
void leader_release(struct leader *leader, void (*done)(void *arg), void *arg);

/* An Event about the objects of the lock, from this component. */
void leader_event(struct leader *leader, const char *type, const char *reason,
    const char *message);

/*
 * To be asked before every bind: whether the lock is certainly still ours, also
 * when this process slept and its timers are late.  A bind sent now has a lease
 * minus a renew deadline (5 s) before another process may begin.  True for NULL.
 * Can be false for moments while leading: then do not bind, but wait for
 * on_stopped, or try again.
 */
bool leader_may_bind(const struct leader *leader);

/* Who holds the lock and has renewed it within its lease's time, as we have seen; "":
 * nobody.  Valid until the next turn of the loop. */
const char *leader_holder(const struct leader *leader);

/*
 * For the health check "leaderElection": fails when the lease ran out more than
 * 20 s ago and we still believe to lead.  0: healthy; -1 with err filled.
 */
int leader_check_health(const struct leader *leader, struct err *err);

#endif
