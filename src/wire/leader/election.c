#include "config.h"

#include "wire/leader/election.h"

#include <stdio.h>

/* A standby waits up to this part of a retry period less between tries, so that not
 * all try at once. */
#define JITTER 0.2

void
election_init(struct election *election, const struct election_rules *rules,
    const char *identity, const struct election_ops *ops, void *arg)
{
	memset(election, 0, sizeof(*election));
	election->rules = *rules;
	snprintf(election->identity, sizeof(election->identity), "%s",
	    identity);
	election->ops = ops;
	election->arg = arg;
}

static int64_t
now_ms(const struct election *election)
{
	return election->ops->now_ms(election->arg);
}

static bool
is_me(const struct election *election, const struct lock_record *record)
{
	return strcmp(record->holder, election->identity) == 0;
}

static bool
same_time(const struct lock_time *a, const struct lock_time *b)
{
	return a->seconds == b->seconds && a->microseconds == b->microseconds;
}

/* Keeps the record of the lock, and since when. */
static void
observe(struct election *election, const struct lock_record *record)
{
	bool other = strcmp(record->holder, election->observed.holder) != 0;
	const struct lock_record *b = &election->observed;

	if (strcmp(record->holder, b->holder) == 0 &&
	    record->lease_seconds == b->lease_seconds &&
	    record->transitions == b->transitions &&
	    same_time(&record->acquired, &b->acquired) &&
	    same_time(&record->renewed, &b->renewed))
		return;
	election->observed = *record;
	election->observed_ms = now_ms(election);
	if (other)
		election->ops->holder(election->arg, record->holder);
}

/* When the lease that we saw last runs out.  A rest of a second, which client-go cuts
 * off in the record, is waited for if our rules have it.  The greatest number is one
 * that cannot be. */
static int64_t
expiry_ms(const struct election *election)
{
	int64_t own = election->rules.lease_ms;
	int64_t lease = election->observed.lease_seconds * 1000;

	if (lease <= 0 || lease >= INT32_MAX * INT64_C(1000) ||
	    (own > lease && own - lease < 1000))
		lease = own;
	return election->observed_ms + lease;
}

bool
election_expired(const struct election *election)
{
	return now_ms(election) >= expiry_ms(election);
}

/* Waits until the next try, and for the end of our time if we lead. */
static void
wait_until(struct election *election, int64_t at_ms)
{
	election->step = ELECTION_WAITING;
	election->retry_at_ms = at_ms;
	if (election->leading && election->lose_at_ms < at_ms)
		at_ms = election->lose_at_ms;
	election->ops->wake(election->arg, at_ms);
}

/* The next try after one that did not give us the lock. */
static void
retry(struct election *election)
{
	int64_t now = now_ms(election), at, expiry;

	if (election->leading) {
		/* Counted from its beginning: a try that hangs delays nothing. */
		at = election->tried_ms + election->rules.retry_ms;
		wait_until(election, at > now ? at : now);
		return;
	}
	at = now +
	    (int64_t)((double)election->rules.retry_ms *
		(1 - JITTER * election->ops->chance(election->arg)));
	expiry = expiry_ms(election);
	if (election->observed.holder[0] != '\0' && expiry > now && expiry < at)
		at = expiry;
	wait_until(election, at);
}

/* Our claim: the new record of the lock. */
static void
claim(struct election *election, const struct lock_record *old)
{
	struct lock_record record = { 0 };

	/* While no name is in it, another candidate may be faster. */
	election->doubtful = old == NULL || !is_me(election, old);
	memcpy(record.holder, election->identity, sizeof(record.holder));
	/* Rounded up: others must not take over before our lease is over. */
	record.lease_seconds = (election->rules.lease_ms + 999) / 1000;
	election->ops->wall(election->arg, &record.renewed);
	record.acquired = record.renewed;
	if (old != NULL && is_me(election, old)) {
		record.acquired = old->acquired;
		record.transitions = old->transitions;
	} else if (old != NULL) {
		/* One more is refused, and the lock would stay without a
		 * holder. */
		record.transitions =
		    old->transitions + (old->transitions < INT32_MAX);
	}
	election->step = ELECTION_WRITING;
	election->sent_ms = now_ms(election);
	election->ops->put(election->arg, &record);
}

static void
begin_try(struct election *election)
{
	election->tried_ms = now_ms(election);
	if (election->leading)
		election->ops->wake(election->arg, election->lose_at_ms);
	if (election->leading && election->unchanged) {
		claim(election, &election->observed);
		return;
	}
	election->unchanged = false;
	election->step = ELECTION_READING;
	election->ops->get(election->arg);
}

/* The holder's lease of one second is client-go's: zero is not allowed. */
static void
clear(struct election *election, const struct lock_record *old)
{
	struct lock_record record = {
		.lease_seconds = 1,
		.transitions = old->transitions,
	};

	election->ops->wall(election->arg, &record.renewed);
	record.acquired = record.renewed;
	election->step = ELECTION_CLEARING;
	election->ops->put(election->arg, &record);
}

/* record: NULL if the lock does not exist. */
static void
after_read(struct election *election, const struct lock_record *record)
{
	bool led = election->leading;

	if (record != NULL)
		observe(election, record);
	if (election->standing &&
	    (record == NULL || is_me(election, record) ||
		record->holder[0] == '\0' ||
		(election_expired(election) && !led))) {
		claim(election, record);
		return;
	}
	election->leading = false;
	retry(election);
	if (led)
		election->ops->stopped(election->arg,
		    "another instance holds the lock");
}

static void
after_write(struct election *election, const struct lock_record *record)
{
	int64_t now = now_ms(election);
	bool led = election->leading;

	election->leading = true;
	election->doubtful = false;
	election->unchanged = true;
	election->renewed_ms = election->sent_ms;
	election->lose_at_ms =
	    now + election->rules.retry_ms + election->rules.renew_deadline_ms;
	observe(election, record);
	wait_until(election, now + election->rules.retry_ms);
	if (!led)
		election->ops->started(election->arg);
}

static void
failed(struct election *election, enum lock_result result, const char *why)
{
	bool unread = election->unchanged;

	/* The other writer may have taken the lock. */
	if (result == LOCK_CONFLICT)
		election->doubtful = true;
	election->unchanged = false;
	if (unread) {
		begin_try(election);
		return;
	}
	election->ops->problem(election->arg,
	    why != NULL ? why : "the lock object was deleted");
	retry(election);
}

static void
end(struct election *election)
{
	election->step = ELECTION_OVER;
	election->ops->cancel(election->arg);
	election->ops->released(election->arg);
}

static void
read_to_give_up(struct election *election)
{
	election->step = ELECTION_GIVING_UP;
	election->ops->get(election->arg);
}

void
election_answered(struct election *election, enum lock_result result,
    const struct lock_record *record, const char *why)
{
	switch (election->step) {
	case ELECTION_READING:
		if (result == LOCK_OK || result == LOCK_ABSENT)
			after_read(election, record);
		else
			failed(election, result, why);
		break;
	case ELECTION_WRITING:
		if (result == LOCK_OK)
			after_write(election, record);
		else
			failed(election, result, why);
		break;
	case ELECTION_GIVING_UP:
		if (result == LOCK_OK && is_me(election, record))
			clear(election, record);
		else
			end(election);
		break;
	case ELECTION_CLEARING:
		/* A renewal that we forgot may have come in between. */
		if (result == LOCK_CONFLICT)
			read_to_give_up(election);
		else
			end(election);
		break;
	case ELECTION_WAITING:
	case ELECTION_OVER:
		break;
	}
}

/* The renew deadline is over: a request under way is too late. */
static void
lose(struct election *election)
{
	if (election->step != ELECTION_WAITING)
		election->ops->cancel(election->arg);
	election->leading = false;
	begin_try(election);
	election->ops->stopped(election->arg,
	    "the lock was not renewed in time");
}

void
election_woken(struct election *election)
{
	int64_t now = now_ms(election);

	switch (election->step) {
	case ELECTION_WAITING:
		if (election->leading && now >= election->lose_at_ms)
			lose(election);
		else if (now >= election->retry_at_ms)
			begin_try(election);
		else
			wait_until(election, election->retry_at_ms);
		break;
	case ELECTION_READING:
	case ELECTION_WRITING:
		if (election->leading && now >= election->lose_at_ms)
			lose(election);
		else if (election->leading)
			election->ops->wake(election->arg,
			    election->lose_at_ms);
		break;
	case ELECTION_GIVING_UP:
	case ELECTION_CLEARING:
		if (now >= election->give_up_at_ms)
			end(election);
		else
			election->ops->wake(election->arg,
			    election->give_up_at_ms);
		break;
	case ELECTION_OVER:
		break;
	}
}

void
election_look(struct election *election)
{
	begin_try(election);
}

void
election_begin(struct election *election)
{
	election->standing = true;
	/* Else the answer that is on its way decides. */
	if (election->step == ELECTION_WAITING)
		begin_try(election);
}

void
election_release(struct election *election)
{
	bool led = election->leading;
	bool writing = election->step == ELECTION_WRITING;

	if (election->step != ELECTION_WAITING)
		election->ops->cancel(election->arg);
	election->leading = false;
	/* A claim that was under way may have succeeded. */
	if (!led && !writing) {
		end(election);
		return;
	}
	election->give_up_at_ms = now_ms(election) + ELECTION_RELEASE_MS;
	election->ops->wake(election->arg, election->give_up_at_ms);
	read_to_give_up(election);
	if (led)
		election->ops->stopped(election->arg, "the lock was released");
}

bool
election_certain(const struct election *election)
{
	return election->leading && !election->doubtful &&
	    now_ms(election) <
	    election->renewed_ms + election->rules.renew_deadline_ms;
}

int64_t
election_overdue_ms(const struct election *election)
{
	if (!election->leading)
		return -1;
	return now_ms(election) - election->renewed_ms -
	    election->rules.lease_ms;
}
