/*
 * Candidates in one pretended world: a clock, one lock, and a network that can
 * fail in the ways networks do.
 */
#include "config.h"

#include "wire/leader/election.h"

#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/xmalloc.h"
#include "t/lib/t.h"

#define NEVER INT64_MAX

static const struct election_rules rules = { 15000, 10000, 2000 };

enum network {
	FINE,
	CUT,    /* nothing gets through, errors come at once */
	SILENT, /* nothing gets through, no answer comes */
	DEAF,   /* requests arrive, answers get lost and errors come */
};

struct candidate {
	struct election election;
	enum network network;
	int64_t latency_ms, jitter_ms;
	bool dead;

	int64_t wake_at;
	enum { NOTHING, GET, PUT } asked;
	struct lock_record put;
	int64_t acts_at;    /* when the request reaches the server */
	int64_t answers_at; /* when its answer comes */
	enum lock_result result;
	struct lock_record answer;
	int64_t version; /* as last read */

	unsigned started, stopped, released, problems, gets, puts;
	char why[100], holder[64];
};

static struct {
	int64_t now, wall_ahead;
	double chance;
	uint64_t random;
	bool exists;
	int64_t version;
	struct lock_record record;
} world;

static struct candidate us, them, third;
static struct candidate *const all[] = { &us, &them, &third };

/* The next number of the random sequence. */
static uint64_t
roll(uint64_t below)
{
	world.random =
	    world.random * 6364136223846793005u + 1442695040888963407u;
	return (world.random >> 33) % below;
}

static int64_t
now_ms(void *arg)
{
	return world.now;
}

static void
wall(void *arg, struct lock_time *out)
{
	out->seconds = (world.now + world.wall_ahead) / 1000;
	out->microseconds = (int32_t)(world.now % 1000) * 1000;
}

static double
chance(void *arg)
{
	return world.chance >= 0 ? world.chance : (double)roll(1000) / 1000;
}

static void
ask(struct candidate *c, int what)
{
	t_int("one request at a time", c->asked, NOTHING);
	c->asked = what;
	c->acts_at = NEVER;
	c->answers_at = NEVER;
	c->result = LOCK_FAILED;
	if (c->network == SILENT)
		return;
	c->answers_at = world.now + c->latency_ms +
	    (c->jitter_ms > 0 ? (int64_t)roll((uint64_t)c->jitter_ms) : 0);
	if (c->network != CUT)
		c->acts_at = (world.now + c->answers_at) / 2;
}

static void
get(void *arg)
{
	struct candidate *c = arg;

	c->gets++;
	ask(c, GET);
}

static void
put(void *arg, const struct lock_record *record)
{
	struct candidate *c = arg;

	c->puts++;
	c->put = *record;
	ask(c, PUT);
}

/* A request on its way is no longer waited for, but may still arrive: it acts at
 * once. */
static void act(struct candidate *c);

static void
cancel(void *arg)
{
	struct candidate *c = arg;

	if (c->asked == PUT && c->acts_at != NEVER)
		act(c);
	c->asked = NOTHING;
	c->acts_at = c->answers_at = NEVER;
}

static void
wake(void *arg, int64_t at_ms)
{
	((struct candidate *)arg)->wake_at = at_ms;
}

static void
started(void *arg)
{
	((struct candidate *)arg)->started++;
}

static void
stopped(void *arg, const char *why)
{
	struct candidate *c = arg;

	c->stopped++;
	snprintf(c->why, sizeof(c->why), "%s", why);
}

static void
holder(void *arg, const char *identity)
{
	struct candidate *c = arg;

	snprintf(c->holder, sizeof(c->holder), "%s", identity);
}

static void
problem(void *arg, const char *why)
{
	((struct candidate *)arg)->problems++;
}

static void
released(void *arg)
{
	((struct candidate *)arg)->released++;
}

static const struct election_ops ops = { now_ms, wall, chance, get, put, cancel,
	wake, started, stopped, holder, problem, released };

/* The server carries out a request. */
static void
act(struct candidate *c)
{
	c->acts_at = NEVER;
	if (c->asked == GET) {
		c->result = world.exists ? LOCK_OK : LOCK_ABSENT;
		c->answer = world.record;
		c->version = world.exists ? world.version : 0;
	} else if (c->version != (world.exists ? world.version : 0)) {
		c->result = LOCK_CONFLICT;
	} else {
		world.exists = true;
		world.record = c->put;
		c->version = ++world.version;
		c->answer = c->put;
		c->result = LOCK_OK;
	}
	/* Without an answer we do not know the new version. */
	if (c->network == DEAF) {
		c->result = LOCK_FAILED;
		c->version = -1;
	}
}

static void
answer(struct candidate *c)
{
	c->asked = NOTHING;
	c->answers_at = NEVER;
	election_answered(&c->election, c->result,
	    c->result == LOCK_OK ? &c->answer : NULL, "why not");
}

static int64_t
earliest(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* Whether anything is to be done now. */
static bool
turn(struct candidate *c)
{
	if (c->acts_at <= world.now) {
		act(c);
		return true;
	}
	if (c->dead)
		return false;
	if (c->answers_at <= world.now) {
		answer(c);
		return true;
	}
	if (c->wake_at <= world.now) {
		c->wake_at = NEVER;
		election_woken(&c->election);
		return true;
	}
	return false;
}

static unsigned
certain(void)
{
	unsigned n = 0;

	for (size_t i = 0; i < LENGTH(all); i++)
		n += !all[i]->dead && election_certain(&all[i]->election);
	return n;
}

/* Lets time pass up to then, event by event. */
static void
run_to(int64_t then)
{
	while (world.now <= then) {
		int64_t next = then + 1;
		bool again = false;

		for (size_t i = 0; i < LENGTH(all); i++)
			again |= turn(all[i]);
		if (certain() > 1)
			t_int("no two candidates are certain", certain(), 1);
		if (again)
			continue;
		for (size_t i = 0; i < LENGTH(all); i++) {
			next = earliest(next, all[i]->acts_at);
			if (all[i]->dead)
				continue;
			next = earliest(next, all[i]->answers_at);
			next = earliest(next, all[i]->wake_at);
		}
		world.now = next;
	}
	world.now = then;
}

static void
run_for(int64_t ms)
{
	run_to(world.now + ms);
}

static void
candidate_init(struct candidate *c, const char *identity)
{
	memset(c, 0, sizeof(*c));
	c->wake_at = c->acts_at = c->answers_at = NEVER;
	election_init(&c->election, &rules, identity, &ops, c);
}

static void
world_init(void)
{
	memset(&world, 0, sizeof(world));
	world.now = 1000000;
	candidate_init(&us, "us");
	candidate_init(&them, "them");
	candidate_init(&third, "third");
}

/* A record of a candidate that is not simulated. */
static void
held_by(const char *identity)
{
	world.exists = true;
	world.version++;
	world.record = (struct lock_record){ .lease_seconds = 15,
		.transitions = 4,
		.acquired = { 5, 6 },
		.renewed = { 7, 8 } };
	snprintf(world.record.holder, sizeof(world.record.holder), "%s",
	    identity);
}

static void
lead(void)
{
	world_init();
	election_begin(&us.election);
	run_for(0);
	t_int("leads", us.started, 1);
}

static void
a_lock_that_is_not_there_is_made(void)
{
	lead();
	t_str("holder", world.record.holder, "us");
	t_int("lease", world.record.lease_seconds, 15);
	t_int("transitions", world.record.transitions, 0);
	t_int("acquired", world.record.acquired.seconds, 1000);
	t_int("renewed", world.record.renewed.seconds, 1000);
	t_str("the holder is announced", us.holder, "us");
	t_true("certain", election_certain(&us.election));
}

static void
a_lock_without_a_name_is_taken(void)
{
	world_init();
	held_by("");
	election_begin(&us.election);
	run_for(0);
	t_int("leads", us.started, 1);
	t_int("transitions", world.record.transitions, 5);
	t_int("acquired", world.record.acquired.seconds, 1000);
}

static void
transitions_stop_at_their_greatest_number(void)
{
	world_init();
	held_by("");
	world.record.transitions = INT32_MAX;
	election_begin(&us.election);
	run_for(0);
	t_int("leads", us.started, 1);
	t_int("transitions", world.record.transitions, INT32_MAX);
}

static void
our_own_name_is_taken_up_as_it_is(void)
{
	world_init();
	held_by("us");
	election_begin(&us.election);
	run_for(0);
	t_int("leads", us.started, 1);
	t_int("transitions stay", world.record.transitions, 4);
	t_int("since when stays", world.record.acquired.seconds, 5);
	t_int("renewed", world.record.renewed.seconds, 1000);
}

static void
an_unchanged_name_counts_for_one_lease_by_our_clock(void)
{
	world_init();
	held_by("them"); /* since 1970, says the record */
	election_begin(&us.election);
	run_for(14999);
	t_int("not before", us.started, 0);
	t_int("nothing written", us.puts, 0);
	run_for(1);
	t_int("not later", us.started, 1);
	t_int("transitions", world.record.transitions, 5);
	t_str("holder", world.record.holder, "us");
}

static void
any_change_begins_the_lease_again(void)
{
	world_init();
	held_by("them");
	election_begin(&us.election);
	run_for(13000);
	world.record.renewed.microseconds++;
	world.version++;
	run_for(14000);
	t_int("not yet", us.started, 0);
	run_for(4000);
	t_int("now", us.started, 1);
}

/* Its holder stops by its own rules. */
static void
the_lease_of_the_record_counts(void)
{
	static const struct {
		const char *name;
		int64_t own_ms;
		int32_t seconds;
		int64_t waits_ms;
	} rows[] = {
		{ "longer than ours", 15000, 137, 137000 },
		{ "shorter than ours", 137000, 15, 15000 },
		{ "none", 15000, 0, 15000 },
		{ "one that cannot be", 15000, INT32_MAX, 15000 },
		{ "the second was cut off", 15500, 15, 15500 },
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		world_init();
		us.election.rules.lease_ms = rows[i].own_ms;
		held_by("them");
		world.record.lease_seconds = rows[i].seconds;
		election_begin(&us.election);
		run_for(rows[i].waits_ms - 1);
		t_int(rows[i].name, us.puts, 0);
		run_for(1);
		t_int(rows[i].name, us.started, 1);
	}
}

static void
a_lease_is_written_in_whole_seconds_that_it_is_not_longer_than(void)
{
	world_init();
	us.election.rules.lease_ms = 3001;
	election_begin(&us.election);
	run_for(0);
	t_int("seconds", world.record.lease_seconds, 4);
}

static void
looking_takes_nothing_but_counts(void)
{
	world_init();
	election_look(&us.election);
	run_for(5000);
	t_int("no lock is made", us.puts, 0);
	held_by("them");
	run_for(2000);
	election_begin(&us.election);
	run_for(12999);
	t_int("a lease is waited for", us.puts, 0);
	run_for(2000);
	t_int("from the first look", us.started, 1);

	world_init();
	held_by("them");
	election_look(&us.election);
	run_for(60000);
	t_int("one that ran out is not taken", us.puts, 0);
	election_begin(&us.election);
	run_for(0);
	t_int("before it stands for election", us.started, 1);

	world_init();
	us.latency_ms = 100;
	election_look(&us.election);
	run_for(10);
	election_begin(&us.election);
	run_for(200);
	t_int("the answer under way counts, too", us.started, 1);
	t_int("one read", us.gets, 1);
}

static void
who_stands_by_looks_every_retry_period(void)
{
	world_init();
	held_by("them");
	election_begin(&us.election);
	world.chance = 0;
	run_for(0);
	t_int("at most one period", us.wake_at - world.now, 2000);
	world.chance = 0.999999;
	run_for(2000);
	t_int("at least four fifths", us.wake_at - world.now, 1600);
}

/* However the looks of the other fall between the renewals. */
static void
after_a_crash_the_lock_is_free_for_a_retry_period_at_most(void)
{
	for (uint64_t seed = 0; seed < 100; seed++) {
		world_init();
		world.random = seed;
		world.chance = -1;
		election_begin(&us.election);
		run_for((int64_t)roll(2000));
		election_begin(&them.election);
		run_for(10000 + (int64_t)roll(2000));
		us.dead = true;
		run_to(us.election.renewed_ms + 14999);
		t_int("not before", them.started, 0);
		run_for(1 + 2000);
		t_int("not later", them.started, 1);
	}
}

static void
a_leader_renews_every_retry_period(void)
{
	lead();
	run_for(1999);
	t_int("not before", us.puts, 1);
	run_for(1);
	t_int("then", us.puts, 2);
	t_int("acquired stays", world.record.acquired.seconds, 1000);
	t_int("renewed", world.record.renewed.seconds, 1002);
	t_int("transitions stay", world.record.transitions, 0);
	run_for(60000);
	t_int("and so on", us.puts, 32);
	t_int("without reading what it wrote itself", us.gets, 1);
	t_int("started once", us.started, 1);
	t_int("never stopped", us.stopped, 0);
}

static void
of_two_who_write_one_succeeds(void)
{
	world_init();
	us.latency_ms = them.latency_ms = 10;
	election_begin(&us.election);
	election_begin(&them.election);
	run_for(100);
	t_int("both wrote", us.puts + them.puts, 2);
	t_int("one leads", us.started + them.started, 1);
	t_int("the other complains", us.problems + them.problems, 1);
}

static void
what_cannot_be_renewed_is_lost_at_the_deadline(void)
{
	static const enum network failures[] = { CUT, SILENT };

	for (size_t i = 0; i < LENGTH(failures); i++) {
		lead();
		us.network = failures[i];
		/* A round begins 2 s after the last renewal. */
		run_for(11999);
		t_int("leads", us.stopped, 0);
		t_true("but is no longer certain",
		    !election_certain(&us.election));
		run_for(1);
		t_int("stopped", us.stopped, 1);
		t_str("why", us.why, "the lock was not renewed in time");
		t_true("does not lead", !us.election.leading);
	}
	t_int("certain for less long", us.stopped, 1);
}

static void
certainty_ends_a_renew_deadline_after_the_last_renewal(void)
{
	lead();
	us.network = CUT;
	run_for(9999);
	t_true("certain", election_certain(&us.election));
	run_for(1);
	t_true("no more", !election_certain(&us.election));
	/* Also when timers come late, as after a sleep of the machine. */
	lead();
	world.now += 3600000;
	t_true("leads, as far as it knows", us.election.leading);
	t_true("after a sleep", !election_certain(&us.election));
}

static void
certainty_counts_from_when_the_write_was_sent(void)
{
	world_init();
	us.latency_ms = 4000;
	election_begin(&us.election);
	run_for(8000);
	t_int("leads", us.started, 1);
	us.network = CUT;
	run_for(5999);
	t_true("certain", election_certain(&us.election));
	run_for(1);
	t_true("no more", !election_certain(&us.election));
}

static void
who_lost_stands_by_and_leads_again(void)
{
	lead();
	us.network = CUT;
	run_for(14000);
	t_int("lost", us.stopped, 1);
	us.network = FINE;
	run_for(4400);
	t_int("leads again", us.started, 2);
	t_int("its name was still there", world.record.transitions, 0);
}

static void
a_short_failure_is_not_noticed(void)
{
	lead();
	us.network = CUT;
	run_for(9000);
	us.network = FINE;
	run_for(60000);
	t_int("never stopped", us.stopped, 0);
	t_true("certain", election_certain(&us.election));
}

static void
a_leader_that_reads_another_name_stops_at_once(void)
{
	lead();
	held_by("them");
	run_for(2000);
	t_int("stopped", us.stopped, 1);
	t_str("why", us.why, "another instance holds the lock");
	t_str("the name is not overwritten", world.record.holder, "them");
	run_for(13000);
	t_int("waits for a lease", us.started, 1);
	run_for(2000);
	t_int("then leads", us.started, 2);
}

static void
a_leader_whose_name_or_lock_is_gone_claims_it_again(void)
{
	static const struct {
		const char *name;
		bool deleted; /* else the name is cleared */
		int transitions;
	} rows[] = {
		{ "the name was cleared", false, 5 },
		{ "the lock was deleted", true, 0 },
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		lead();
		if (rows[i].deleted)
			world.exists = false;
		else
			held_by("");
		us.latency_ms = 100;
		run_for(2000 + 150);
		t_true(rows[i].name, !election_certain(&us.election));
		run_for(150);
		t_true(rows[i].name, election_certain(&us.election));
		t_int(rows[i].name, us.stopped, 0);
		t_int(rows[i].name, world.record.transitions,
		    rows[i].transitions);
	}
}

static void
a_conflict_ends_certainty_until_the_lock_was_read(void)
{
	lead();
	us.latency_ms = 100;
	run_for(1000);
	world.version++; /* another client labels the object */
	run_for(1000 + 110);
	t_true("not certain", !election_certain(&us.election));
	t_int("leads", us.stopped, 0);
	run_for(200);
	t_true("certain again", election_certain(&us.election));
	t_int("it was read at once", us.gets, 2);
	t_int("and written", us.puts, 3);
	t_int("which is no problem", us.problems, 0);
}

static void
giving_up_clears_the_name(void)
{
	lead();
	run_for(5000);
	world.record.transitions = 9;
	election_release(&us.election);
	t_int("stopped first", us.stopped, 1);
	t_true("not certain", !election_certain(&us.election));
	run_for(0);
	t_int("answered", us.released, 1);
	t_str("no name", world.record.holder, "");
	t_int("a lease must not be of 0 s", world.record.lease_seconds, 1);
	t_int("transitions stay", world.record.transitions, 9);
	t_int("acquired is now", world.record.acquired.seconds, 1005);
	run_for(60000);
	t_int("over", us.started, 1);
	t_int("answered once", us.released, 1);
}

static void
the_next_need_not_wait_for_the_lease(void)
{
	lead();
	election_begin(&them.election);
	run_for(10000);
	election_release(&us.election);
	run_for(2000);
	t_int("leads", them.started, 1);
}

static void
giving_up_what_we_do_not_have_changes_nothing(void)
{
	world_init();
	held_by("them");
	election_begin(&us.election);
	run_for(100);
	election_release(&us.election);
	t_int("answered at once", us.released, 1);
	t_int("nothing written", us.puts, 0);
	t_int("never led", us.stopped, 0);
	/* Another candidate was faster than our end. */
	lead();
	held_by("them");
	election_release(&us.election);
	run_for(0);
	t_int("answered", us.released, 1);
	t_str("their name stays", world.record.holder, "them");
}

static void
giving_up_takes_two_seconds_at_most(void)
{
	lead();
	us.network = SILENT;
	election_release(&us.election);
	run_for(1999);
	t_int("tries", us.released, 0);
	run_for(1);
	t_int("gives up", us.released, 1);
}

static void
giving_up_during_a_claim_clears_what_came_of_it(void)
{
	world_init();
	us.latency_ms = 10;
	election_begin(&us.election);
	run_for(12);
	t_int("claims", us.election.step, ELECTION_WRITING);
	election_release(&us.election);
	run_for(100);
	t_int("never led", us.started, 0);
	t_int("answered", us.released, 1);
	t_str("no name", world.record.holder, "");
}

static void
a_lease_that_ran_out_is_overdue(void)
{
	world_init();
	t_true("not when standing by", election_overdue_ms(&us.election) < 0);
	lead();
	t_true("not when fresh", election_overdue_ms(&us.election) < 0);
	world.now += 15000 + 20001;
	t_int("by so much", election_overdue_ms(&us.election), 20001);
}

/* Networks and processes fail at random; run_to() watches over certainty.  In every
 * other world the rules of the candidates differ. */
static void
nobody_is_ever_certain_beside_another(void)
{
	static const struct election_rules others[LENGTH(all)] = {
		{ 9000, 8000, 1000 },
		{ 15000, 10000, 2000 },
		{ 30000, 25000, 6000 },
	};
	unsigned changes = 0, idle = 0;

	for (uint64_t seed = 0; seed < 200; seed++) {
		world_init();
		world.random = seed;
		world.chance = -1;
		for (size_t i = 0; i < LENGTH(all); i++) {
			if (seed % 2 == 1)
				all[i]->election.rules = others[i];
			all[i]->latency_ms = 1;
			all[i]->jitter_ms = 3000;
			election_begin(&all[i]->election);
		}
		for (unsigned i = 0; i < 50; i++) {
			struct candidate *c = all[roll(LENGTH(all))];

			c->network = (enum network)roll(4);
			/* Hanging requests break, now or later. */
			if (c->asked != NOTHING && c->answers_at == NEVER)
				c->answers_at = world.now + (int64_t)roll(8000);
			c->result = LOCK_FAILED;
			run_for((int64_t)roll(12000));
		}
		for (size_t i = 0; i < LENGTH(all); i++) {
			all[i]->network = FINE;
			if (all[i]->asked != NOTHING &&
			    all[i]->answers_at == NEVER)
				all[i]->answers_at = world.now;
			changes += all[i]->started;
		}
		run_for(60000);
		idle += certain() != 1;
	}
	t_true("much happened", changes > 600);
	t_int("in the end there is always a leader", idle, 0);
}

T_MAIN(T(a_lock_that_is_not_there_is_made), T(a_lock_without_a_name_is_taken),
    T(transitions_stop_at_their_greatest_number),
    T(our_own_name_is_taken_up_as_it_is),
    T(an_unchanged_name_counts_for_one_lease_by_our_clock),
    T(any_change_begins_the_lease_again), T(the_lease_of_the_record_counts),
    T(a_lease_is_written_in_whole_seconds_that_it_is_not_longer_than),
    T(looking_takes_nothing_but_counts),
    T(who_stands_by_looks_every_retry_period),
    T(after_a_crash_the_lock_is_free_for_a_retry_period_at_most),
    T(a_leader_renews_every_retry_period), T(of_two_who_write_one_succeeds),
    T(what_cannot_be_renewed_is_lost_at_the_deadline),
    T(certainty_ends_a_renew_deadline_after_the_last_renewal),
    T(certainty_counts_from_when_the_write_was_sent),
    T(who_lost_stands_by_and_leads_again), T(a_short_failure_is_not_noticed),
    T(a_leader_that_reads_another_name_stops_at_once),
    T(a_leader_whose_name_or_lock_is_gone_claims_it_again),
    T(a_conflict_ends_certainty_until_the_lock_was_read),
    T(giving_up_clears_the_name), T(the_next_need_not_wait_for_the_lease),
    T(giving_up_what_we_do_not_have_changes_nothing),
    T(giving_up_takes_two_seconds_at_most),
    T(giving_up_during_a_claim_clears_what_came_of_it),
    T(a_lease_that_ran_out_is_overdue),
    T(nobody_is_ever_certain_beside_another))
