/*
 * Runs whole daemons on virtual time, from seeds, and says whether what
 * doc/promises.md promises held.
 *
 *	simulate [--seeds N] [--first SEED] [--step N] [--minutes N] [--daemons N]
 *	    [--stop] [--trace] [--shrink] [--steps]
 *	simulate --nodes N [--pods N]
 *	simulate --names N [--of KIND]
 *
 * Worlds of even seeds are calm: nothing fails, and few things happen between one rest
 * and the next, so that a pod that nothing woke is noticed.  In every second of these
 * one thing happens at a time (still.h).  Of the others, every third has volumes, every
 * fifth disruption budgets, and in every seventh, which has no volumes if it is calm, the
 * policy changes.  A third has a KubeSchedulerConfiguration, every eleventh is of 1.20, and
 * every eleventh, of those with a configuration, of 1.34, where an upgrade to 1.35 comes if
 * things fail.  In every eleventh namespaces are costly by chance (daemon/queue/queue.h).  A seed
 * that breaks a promise is printed; the same seed alone with --trace shows how it came
 * about, and with --shrink, how it does with the fewest steps.  What the daemons log goes
 * to standard error.
 *
 * With --nodes, what one costs on a cluster of this size is printed instead (size.h);
 * with --names, what it keeps of each of so many names of a kind (growth.h).
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/xmalloc.h"
#include "t/simulation/afresh.h"
#include "t/simulation/growth.h"
#include "t/simulation/loop.h"
#include "t/simulation/promises.h"
#include "t/simulation/shrink.h"
#include "t/simulation/size.h"
#include "t/simulation/steps.h"
#include "t/simulation/still.h"
#include "t/simulation/apiserver.h"
#include "t/simulation/world.h"

/* More than any wait of a daemon but for the flush of pods that nothing wakes; without
 * faults there is none longer than a backoff and the end of victims. */
#define REST (190 * SECOND)
#define REST_CALM (60 * SECOND)
/* Since world_left_at(): a backoff and the attempts after it. */
#define SETTLED (20 * SECOND)
#define STEPS_MAX 20000000
/* What a still world ends with. */
#define LATE (12 * MINUTE)
/* Until daemons have begun. */
#define BEGIN (20 * SECOND)

static char folder[] = "/tmp/simulation.XXXXXX", kubeconfig[64], policy[64],
	    configuration[64];

/* Since world_lost_at(): a pod that nothing wakes is tried again, and told so. */
#define TOLD (6 * MINUTE)

static void
write_file(char *path, size_t size, const char *name, const char *text)
{
	FILE *file;

	snprintf(path, size, "%s/%s", folder, name);
	file = fopen(path, "w");
	if (file == NULL || fputs(text, file) < 0 || fclose(file) != 0) {
		perror(path);
		exit(99);
	}
}

static void
write_files(void)
{
	if (mkdtemp(folder) == NULL) {
		perror(folder);
		exit(99);
	}
	write_file(kubeconfig, sizeof(kubeconfig), "kubeconfig",
	    "apiVersion: v1\nkind: Config\n"
	    "clusters: [{name: c, cluster: {server: 'http://127.0.0.1:1'}}]\n"
	    "users: [{name: u, user: {}}]\n"
	    "contexts: [{name: x, context: {cluster: c, user: u}}]\n"
	    "current-context: x\n");
	write_file(policy, sizeof(policy), "policy.cfg", PROMISED_POLICY);
	/* written by each world */
	write_file(configuration, sizeof(configuration), "configuration.yaml",
	    "");
}

static void
run_until(int64_t end)
{
	while (promise_broken() == NULL && loop_step(end))
		if (loop_steps() > STEPS_MAX)
			promise_breaks("time does not go on");
}

static void
look_at_quiet(void)
{
	if (promise_broken() == NULL)
		promise_quiet();
	if (loop_now() >= world_lost_at() + TOLD)
		return;
	/* what was lost is written again when its pod is tried */
	while (promise_broken() == NULL && loop_now() < world_lost_at() + TOLD)
		run_until(world_lost_at() + TOLD);
	if (promise_broken() == NULL)
		promise_quiet();
}

/* The minor one. */
static int
release_of(uint64_t seed)
{
	switch (seed / 4 % 11) {
	case 4:
		return 20;
	case 9: /* those with Kosmos have no configuration */
		return seed % 9 == 2 ? 36 : 34;
	default:
		return 36;
	}
}

/* Whether all promises held. */
static bool
simulate(uint64_t seed, int64_t minutes, struct world_options *options)
{
	int64_t end = minutes * MINUTE;
	bool calm = seed % 2 == 0, still = seed % 4 == 0;
	int release = release_of(seed);

	if (tracing || loop_stepped != NULL)
		printf("seed %llu\n", (unsigned long long)seed);
	loop_reset(seed);
	apiserver_reset(release, seed % 4 == 1 ? 4 : 0);
	promises_reset(calm);
	options->calm = calm;
	options->configured = seed / 4 % 11 >= 7;
	options->policies = !options->configured && (still || seed % 7 == 0);
	options->volumes =
	    still || (seed % 3 == 0 && (!options->policies || !calm));
	options->budgets = !still && seed % 5 == 0;
	options->devices =
	    release == 36 && (still || (seed % 11 == 5 && !options->policies));
	options->kosmos = !still && seed % 9 == 2 && !options->policies;
	options->extender =
	    !still && seed % 5 == 3 && !options->policies && !options->kosmos;
	loop_charges = seed % 11 == 6;
	options->configured &= !options->kosmos;
	options->recorded = seed % 3 != 0;
	world_start(options);
	still_begin();
	world_rest(still);
	run_until(BEGIN);
	while (
	    promise_broken() == NULL && loop_now() < end + (still ? LATE : 0)) {
		if (still) {
			if (loop_now() >= end)
				still_end();
			run_until(loop_now() + still_next());
			while (promise_broken() == NULL &&
			    loop_now() < world_left_at() + SETTLED)
				run_until(world_left_at() + SETTLED);
			look_at_quiet();
			continue;
		}
		run_until(loop_now() +
		    (calm ? loop_between(SECOND, MINUTE) :
			    loop_between(MINUTE, 10 * MINUTE)));
		world_rest(true);
		run_until(loop_now() + (calm ? REST_CALM : REST));
		look_at_quiet();
		if (promise_broken() == NULL)
			world_compare();
		world_rest(false);
	}
	world_end();
	loop_fini();
	return promise_broken() == NULL;
}

/* ---- the fewest steps ---- */

#define TRIES 150

struct failure {
	uint64_t seed;
	int64_t minutes;
	struct world_options *options;
};

static bool
still_breaks(void *arg, const bool *left_out, size_t n)
{
	const struct failure *failure = arg;

	failure->options->left_out = left_out;
	failure->options->nsteps = n;
	return !simulate(failure->seed, failure->minutes, failure->options);
}

/* Prints the history of a world that breaks a promise, with as few steps as do. */
static void
show_shrunk(uint64_t seed, int64_t minutes, struct world_options *options)
{
	struct failure failure = { seed, minutes, options };
	size_t n = world_steps() + 1, left;
	bool *left_out = xcalloc(n, sizeof(bool));

	/* nothing that comes later counts */
	failure.minutes = loop_now() / MINUTE + 1;
	left = shrink(left_out, n, TRIES, still_breaks, &failure);
	printf("seed %llu with %zu of %zu steps:\n", (unsigned long long)seed,
	    left, n - 1);
	tracing = true;
	still_breaks(&failure, left_out, n);
	tracing = false;
	printf("\n");
	options->left_out = NULL;
	options->nsteps = 0;
	free(left_out);
}

static long
number(char **argv, int *i)
{
	return argv[*i + 1] != NULL ? atol(argv[++*i]) : 0;
}

int
main(int argc, char **argv)
{
	struct world_options options = { kubeconfig, policy, configuration,
		.daemons = 2 };
	long seeds = 20, first = 1, step = 1, minutes = 60, failures = 0;
	long nodes = 0, pods = 0, names = 0;
	const char *of = NULL;
	struct promise_counts sum = { 0 }, c;
	bool stop = false; /* at the first failure */
	bool shrinks = false, steps = false;

	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--seeds") == 0)
			seeds = number(argv, &i);
		else if (strcmp(argv[i], "--first") == 0)
			first = number(argv, &i);
		else if (strcmp(argv[i], "--step") == 0)
			step = number(argv, &i);
		else if (strcmp(argv[i], "--minutes") == 0)
			minutes = number(argv, &i);
		else if (strcmp(argv[i], "--daemons") == 0)
			options.daemons = (int)number(argv, &i);
		else if (strcmp(argv[i], "--nodes") == 0)
			nodes = number(argv, &i);
		else if (strcmp(argv[i], "--pods") == 0)
			pods = number(argv, &i);
		else if (strcmp(argv[i], "--names") == 0)
			names = number(argv, &i);
		else if (strcmp(argv[i], "--of") == 0)
			of = argv[++i];
		else if (strcmp(argv[i], "--stop") == 0)
			stop = true;
		else if (strcmp(argv[i], "--shrink") == 0)
			shrinks = true;
		else if (strcmp(argv[i], "--steps") == 0)
			steps = true;
		else if (strcmp(argv[i], "--trace") == 0)
			tracing = true;
		else
			return 2;
	}
	if (options.daemons < 1 || options.daemons > DAEMONS_MAX)
		return 2;
	if (steps)
		steps_start();
	write_files();
	afresh_one_in = nodes > 0 || names > 0 ? 0 : 4;
	if (nodes > 0) {
		failures +=
		    !size_measure(&options, (unsigned)nodes, (unsigned)pods);
		seeds = 0;
	}
	if (names > 0) {
		failures += !growth_measure(&options, (unsigned)names, of);
		seeds = 0;
	}
	for (long i = 0; i < seeds && !(stop && failures > 0); i++) {
		long seed = first + i * step;

		if (!simulate((uint64_t)seed, minutes, &options)) {
			printf("seed %ld: %s\n", seed, promise_broken());
			fflush(stdout);
			failures++;
			if (shrinks)
				show_shrunk((uint64_t)seed, minutes, &options);
		}
		c = promises_count();
		sum.bindings += c.bindings;
		sum.evictions += c.evictions;
		sum.quiets += c.quiets;
		sum.waiting += c.waiting;
	}
	if (nodes == 0 && names == 0)
		printf(
		    "%ld seeds, %ld broke a promise; %ld minutes each, %zu bindings, "
		    "%zu evictions, %zu quiet times with %zu pods that waited\n",
		    seeds, failures, minutes, sum.bindings, sum.evictions,
		    sum.quiets, sum.waiting);
	unlink(kubeconfig);
	unlink(policy);
	unlink(configuration);
	rmdir(folder);
	return failures == 0 ? 0 : 1;
}
