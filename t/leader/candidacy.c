/* When a LeaseCandidate is written; the object's server is pretended. */
#include "config.h"

#include "leader/candidacy.h"

#include "t/lib/t.h"

#define NEVER INT64_MAX

static struct world {
	struct candidacy candidacy;
	int64_t now, wake_at;
	unsigned writes;
} w;

static int64_t
now_ms(void *arg)
{
	return w.now;
}

static void
write_object(void *arg)
{
	w.writes++;
}

static void
wake(void *arg, int64_t at_ms)
{
	w.wake_at = at_ms;
}

static const struct candidacy_ops ops = { now_ms, write_object, wake };

static void
world_init(void)
{
	w = (struct world){ .now = 1000000, .wake_at = NEVER };
	candidacy_init(&w.candidacy, 2000, &ops, NULL);
}

static void
run_for(int64_t ms)
{
	int64_t then = w.now + ms;

	while (w.wake_at <= then) {
		w.now = w.wake_at;
		w.wake_at = NEVER;
		candidacy_woken(&w.candidacy);
	}
	w.now = then;
}

/* Written once, and answered. */
static void
stand(void)
{
	world_init();
	candidacy_synced(&w.candidacy);
	candidacy_written(&w.candidacy, true);
}

static void
it_is_written_when_the_object_is_known(void)
{
	world_init();
	candidacy_woken(&w.candidacy);
	t_int("not before", w.writes, 0);
	candidacy_synced(&w.candidacy);
	t_int("then", w.writes, 1);
	candidacy_synced(&w.candidacy);
	run_for(600000);
	t_int("one write at a time", w.writes, 1);
	/* An object of an earlier process, which was pinged. */
	world_init();
	candidacy_seen(&w.candidacy, true, true);
	t_int("not before, though it was pinged", w.writes, 0);
	candidacy_synced(&w.candidacy);
	t_int("renewed", w.writes, 1);
}

static void
it_is_renewed_every_five_minutes(void)
{
	stand();
	candidacy_seen(&w.candidacy, true, false);
	run_for(5 * 60000 - 1);
	t_int("not before", w.writes, 1);
	run_for(1);
	t_int("then", w.writes, 2);
	candidacy_written(&w.candidacy, true);
	run_for(5 * 60000);
	t_int("and so on", w.writes, 3);
}

static void
a_ping_is_answered_at_once(void)
{
	stand();
	run_for(1000);
	candidacy_seen(&w.candidacy, true, true);
	t_int("at once", w.writes, 2);
	candidacy_seen(&w.candidacy, true, false);
	candidacy_written(&w.candidacy, true);
	run_for(5 * 60000 - 1);
	t_int("five minutes from there", w.writes, 2);
	run_for(1);
	t_int("then", w.writes, 3);
	/* During a write: the answer may be older than the ping. */
	stand();
	candidacy_seen(&w.candidacy, true, true);
	candidacy_seen(&w.candidacy, true, true);
	t_int("one write at a time", w.writes, 2);
	candidacy_written(&w.candidacy, true);
	t_int("again", w.writes, 3);
}

static void
a_deleted_object_is_made_again(void)
{
	stand();
	candidacy_seen(&w.candidacy, false, false);
	t_int("at once", w.writes, 2);
}

static void
a_write_that_failed_is_repeated(void)
{
	world_init();
	candidacy_synced(&w.candidacy);
	candidacy_written(&w.candidacy, false);
	run_for(1999);
	t_int("not at once", w.writes, 1);
	run_for(1);
	t_int("after the retry period", w.writes, 2);
}

T_MAIN(T(it_is_written_when_the_object_is_known),
    T(it_is_renewed_every_five_minutes), T(a_ping_is_answered_at_once),
    T(a_deleted_object_is_made_again), T(a_write_that_failed_is_repeated))
