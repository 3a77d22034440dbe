#include "config.h"

#include "wire/leader/leader.h"

#include <event2/event.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "wire/api/client.h"
#include "wire/api/event_correlator.h"
#include "wire/api/lock.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/uuid.h"
#include "wire/leader/election.h"

/* How long after its end a lease may still be believed in. */
#define TOLERATED_MS 20000

/* The holder of two locks that do not agree: no candidate's name. */
#define UNKNOWN_HOLDER "leaderelection.k8s.io/unknown"

static const struct kind {
	const char *name;
	size_t n;
	enum lock_kind locks[2];
} kinds[] = {
	{ "leases", 1, { LOCK_LEASES } },
	{ "endpoints", 1, { LOCK_ENDPOINTS } },
	{ "configmaps", 1, { LOCK_CONFIG_MAPS } },
	{ "endpointsleases", 2, { LOCK_ENDPOINTS, LOCK_LEASES } },
	{ "configmapsleases", 2, { LOCK_CONFIG_MAPS, LOCK_LEASES } },
};

struct leader {
	struct leader_ops ops;
	void *arg;
	char *namespace, *name, *component;
	struct event *timer;
	struct trouble trouble;
	bool begun;
	struct election election;

	const struct kind *kind;
	struct lock *locks[2]; /* the second may be NULL */
	/* Which answer comes next. */
	enum { READ_ONE, READ_TWO, WRITE_ONE, READ_AGAIN, WRITE_TWO } step;
	struct lock_record record; /* of the first, while the second is asked */

	void (*released)(void *arg);
	void *released_arg;
};

/*
 * One lock, or two that count as one: they are read and written in turn, the
 * first decides who is faster.
 */

static void
on_answer(void *arg, enum lock_result result, const struct lock_record *record,
    const char *why)
{
	struct leader *leader = arg;
	struct lock *second = leader->locks[1];

	switch (second != NULL ? leader->step++ : WRITE_TWO) {
	case READ_ONE:
		if (result != LOCK_OK)
			break;
		leader->record = *record;
		lock_get(second, on_answer, leader);
		return;
	case READ_TWO:
		/* Absent: the holder knows of one lock only. */
		if (result == LOCK_OK &&
		    strcmp(record->holder, leader->record.holder) != 0)
			snprintf(leader->record.holder,
			    sizeof(leader->record.holder), "%s",
			    UNKNOWN_HOLDER);
		if (result == LOCK_ABSENT)
			result = LOCK_OK;
		record = &leader->record;
		break;
	case WRITE_ONE:
		if (result != LOCK_OK)
			break;
		lock_get(second, on_answer, leader);
		return;
	case READ_AGAIN:
		if (result != LOCK_OK && result != LOCK_ABSENT)
			break;
		lock_put(second, &leader->record, on_answer, leader);
		return;
	case WRITE_TWO:
		break;
	}
	if (result == LOCK_OK)
		log_over(&leader->trouble,
		    "the leader lock can be read or written again");
	election_answered(&leader->election, result, record, why);
}

static void
get(void *arg)
{
	struct leader *leader = arg;

	leader->step = READ_ONE;
	lock_get(leader->locks[0], on_answer, leader);
}

static void
put(void *arg, const struct lock_record *record)
{
	struct leader *leader = arg;

	leader->record = *record;
	leader->step = WRITE_ONE;
	lock_put(leader->locks[0], record, on_answer, leader);
}

static void
cancel(void *arg)
{
	struct leader *leader = arg;

	for (size_t i = 0; i < leader->kind->n; i++)
		lock_cancel(leader->locks[i]);
}

/*
 * Time
 */

/* Also counts while the machine is suspended, as others go on. */
static int64_t
now_ms(void *arg)
{
	struct timespec now;

	clock_gettime(CLOCK_BOOTTIME, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void
wall(void *arg, struct lock_time *out)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	out->seconds = now.tv_sec;
	out->microseconds = (int32_t)(now.tv_nsec / 1000);
}

static double
chance(void *arg)
{
	return arc4random_uniform(1 << 30) / (double)(1 << 30);
}

static void
wake(void *arg, int64_t at_ms)
{
	struct leader *leader = arg;
	int64_t wait = at_ms - now_ms(leader);

	timer_start(leader->timer, wait > 0 ? wait : 0);
}

static void
end(struct leader *leader)
{
	void (*released)(void *arg) = leader->released;

	leader->released = NULL;
	if (released != NULL)
		released(leader->released_arg);
}

static void
on_timer(evutil_socket_t fd, short what, void *arg)
{
	struct leader *leader = arg;

	if (leader->election.step == ELECTION_OVER)
		end(leader);
	else if (leader->begun)
		election_woken(&leader->election);
	else {
		leader->begun = true;
		election_look(&leader->election);
	}
}

/*
 * Results
 */

void
leader_event(struct leader *leader, const char *type, const char *reason,
    const char *message)
{
	struct api_event event = { .type = type,
		.reason = reason,
		.message = message,
		.component = leader->component };

	for (size_t i = 0; leader->ops.on_event != NULL && i < leader->kind->n;
	     i++) {
		lock_refer(leader->locks[i], &event);
		leader->ops.on_event(leader->arg, &event);
	}
}

static void
post_event(struct leader *leader, const char *what)
{
	AUTOFREE char *message =
	    xasprintf("%s %s", leader->election.identity, what);

	leader_event(leader, "Normal", "LeaderElection", message);
}

static void
started(void *arg)
{
	struct leader *leader = arg;

	log_info("successfully acquired lease %s/%s", leader->namespace,
	    leader->name);
	post_event(leader, "became leader");
	leader->ops.on_started(leader->arg);
}

static void
stopped(void *arg, const char *why)
{
	struct leader *leader = arg;

	log_warning("stopped leading: %s; lease %s/%s", why, leader->namespace,
	    leader->name);
	post_event(leader, "stopped leading");
	leader->ops.on_stopped(leader->arg, why);
}

static void
holder(void *arg, const char *identity)
{
	if (identity[0] == '\0')
		log_info("no instance holds the leader lock");
	else
		log_info("new leader elected: %s", identity);
}

static void
problem(void *arg, const char *why)
{
	struct leader *leader = arg;

	log_trouble(&leader->trouble,
	    "cannot read or write the leader lock %s/%s: %s", leader->namespace,
	    leader->name, why);
}

static void
released(void *arg)
{
	struct leader *leader = arg;

	/* Not from within leader_release(). */
	event_active(leader->timer, EV_TIMEOUT, 0);
}

static const struct election_ops election_ops = {
	.now_ms = now_ms,
	.wall = wall,
	.chance = chance,
	.get = get,
	.put = put,
	.cancel = cancel,
	.wake = wake,
	.started = started,
	.stopped = stopped,
	.holder = holder,
	.problem = problem,
	.released = released,
};

/*
 * The whole
 */

struct leader *
leader_new(struct api_client *client, const struct leader_options *options,
    const struct leader_ops *ops, void *arg)
{
	const struct election_rules rules = { options->lease_ms,
		options->renew_deadline_ms, options->retry_ms };
	struct leader *leader = xcalloc(1, sizeof(*leader));
	char host[256] = "", uuid[UUID_SIZE];
	AUTOFREE char *identity = NULL;

	gethostname(host, sizeof(host) - 1);
	identity = options->identity != NULL ?
	    xstrdup(options->identity) :
	    xasprintf("%s_%s", host, uuid_make(uuid));
	leader->ops = *ops;
	leader->arg = arg;
	leader->namespace = xstrdup(options->namespace);
	leader->name = xstrdup(options->name);
	leader->component = xstrdup(options->component);
	leader->kind =
	    FIND_ROW(kinds, LENGTH(kinds), name, options->resource_lock);
	/* Half of the deadline, so that one request that hangs is not the end
	 * of it. */
	for (size_t i = 0; i < leader->kind->n; i++)
		leader->locks[i] =
		    lock_new(client, leader->kind->locks[i], options->namespace,
			options->name, rules.renew_deadline_ms / 2);
	election_init(&leader->election, &rules, identity, &election_ops,
	    leader);
	leader->timer =
	    event_new(api_client_base(client), -1, 0, on_timer, leader);
	/* before all that may take its time */
	event_priority_set(leader->timer, 0);
	event_active(leader->timer, EV_TIMEOUT, 0);
	return leader;
}

void
leader_stand(struct leader *leader)
{
	log_info("attempting to acquire leader lease %s/%s...",
	    leader->namespace, leader->name);
	leader->begun = true;
	election_begin(&leader->election);
}

void
leader_free(struct leader *leader)
{
	if (leader == NULL)
		return;
	event_free(leader->timer);
	for (size_t i = 0; i < leader->kind->n; i++)
		lock_free(leader->locks[i]);
	free(leader->namespace);
	free(leader->name);
	free(leader->component);
	free(leader);
}

void
leader_release(struct leader *leader, void (*done)(void *arg), void *arg)
{
	leader->released = done;
	leader->released_arg = arg;
	leader->begun = true;
	election_release(&leader->election);
}

bool
leader_may_bind(const struct leader *leader)
{
	return leader == NULL || election_certain(&leader->election);
}

const char *
leader_holder(const struct leader *leader)
{
	const struct election *election = &leader->election;

	if (!election->leading && election_expired(election))
		return "";
	return election->observed.holder;
}

int
leader_check_health(const struct leader *leader, struct err *err)
{
	if (leader != NULL &&
	    election_overdue_ms(&leader->election) > TOLERATED_MS)
		return errf(err,
		    "failed election to renew leadership on lease %s",
		    leader->name);
	return 0;
}
