/*
 * One attempt to place one pod: what every unit may look at.
 *
 * Nothing in it changes while decide() runs, save what units make for
 * themselves in the arena, and the indexes that the cluster keeps about itself.
 */
#ifndef SCHED_CYCLE_H
#define SCHED_CYCLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "cluster/cluster.h"
#include "model/pod.h"

struct extension;
struct memo;
struct profile;

struct cycle_error {
	const char *text;
	unsigned times;
};

struct cycle {
	struct cluster *cluster;
	const struct profile *profile;
	const struct pod *pod;
	const struct pod_class *class; /* pod->class */
	struct arena *arena;
	uint64_t seed;    /* for ties, and where a sample begins */
	/* 1 to 99: only until so many of all nodes fit, and at least 100, nodes
	 * are looked at; anything else: all of them are. */
	int64_t percentage_of_nodes;
	bool keep_scores; /* fill decision->scores */
	/* Results kept from earlier decisions (memo.h), or NULL.  They change
	 * nothing but the time it takes. */
	struct memo *memo;
	/* What extenders have said of this pod, or NULL. */
	const struct extension *extension;
	/* Called when decide() is through with filtering and begins to score, for
	 * whoever looks at a clock; NULL: nobody does. */
	void (*filtered)(void *arg);
	void *filtered_arg;

	/* Set by cycle_fail(): why the attempt as a whole fails. */
	size_t nerrors, errors_cap;
	struct cycle_error *errors;
	bool simulating; /* errors only make a node no candidate */
};

/*
 * Says that a rule cannot be evaluated (on this node): the whole attempt fails
 * with this error.  Equal texts are counted.  Predicates return BROKEN after it.
 */
void cycle_fail(struct cycle *cycle, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/*
 * All errors so far as one text: "a", or "[a, b (repeated 3 times)]" in the
 * order in which they came up first; with repeats false, without the counts.  In
 * cycle->arena.
 */
const char *cycle_errors(struct cycle *cycle, bool repeats);

#endif
