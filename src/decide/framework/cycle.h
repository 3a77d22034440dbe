/*
 * One attempt to place one pod: the input of all units.
 *
 * Nothing in it changes while decide() runs, except for data that units put into the
 * arena, and indexes that the cluster makes on demand.
 */
#ifndef FRAMEWORK_CYCLE_H
#define FRAMEWORK_CYCLE_H

#include <signal.h>

#include "base/arena.h"
#include "cluster/cluster.h"
#include "decide/framework/extension_point.h"
#include "decide/framework/profile.h"
#include "objects/pod.h"

struct extension;
struct ecache;
struct stopwatch;

/*
 * A request to abandon a decision, the counterpart of Go's context.  Once it is
 * made it stays made until the decision is over.  Loops that see it stop and
 * leave their results incomplete; decide() and preempt() then drop every cached
 * result that such a loop may have touched.
 */
struct cancellation {
	volatile sig_atomic_t requested; /* a signal handler may set it */
	/* For tests: requested at the n-th look; 0: never. */
	unsigned long at_look, looks;
};

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
	uint64_t seed; /* for ties, and where a sample begins */
	/* 1 to 99: only until so many of all nodes fit, and at least 100, nodes
	 * are looked at; anything else: all of them are. */
	int64_t percentage_of_nodes;
	/* Seconds since 1970; 0: not known, and devices that were given at a known time
	 * and are not ready have taken too long. */
	int64_t now;
	bool keep_scores; /* fill decision->scores */
	/* Results kept from earlier decisions (decide/ecache/ecache.h), or NULL.  They
	 * change nothing but the time it takes. */
	struct ecache *ecache;
	/* Answers of extenders about this pod, or NULL. */
	const struct extension *extension;
	/* Called between filtering and scoring, for a caller that measures time;
	 * or NULL. */
	void (*filtered)(void *arg);
	void *filtered_arg;
	/* Of the units, in a decision whose time is sampled; else NULL. */
	struct stopwatch *stopwatch;
	/* NULL: the decision cannot be abandoned. */
	struct cancellation *cancellation;

	/* Set by cycle_fail(): why the attempt as a whole fails. */
	size_t nerrors, errors_cap;
	struct cycle_error *errors;
	bool simulating; /* errors only make a node no candidate */
	/* The decision failed since it may search for devices no longer: the next one
	 * goes on from there. */
	bool unfinished;
	/* The plugin that runs, at which extension point, for cycle_fail(); NULL:
	 * none. */
	const char *plugin;
	enum extension_point point;
};

/* For the function below. */
bool cancellation_look(struct cancellation *c) __attribute__((cold));

/* True if the decision must be abandoned.  Every loop over nodes, classes or a
 * pod's own terms must call it. */
static inline bool
cycle_is_cancelled(const struct cycle *cycle)
{
	struct cancellation *c = cycle->cancellation;

	if (c == NULL)
		return false;
	return c->at_look > 0 ? cancellation_look(c) : c->requested != 0;
}

/*
 * The minor version of the Kubernetes release whose rules apply to the meaning
 * of a hard field: the cluster's own or the profile's, the later of the two; 15
 * under --strict-policy.  A field that came with 1.N counts if this is at least N.
 * Formulas and messages go by profile->release.
 */
static inline int
cycle_release(const struct cycle *cycle)
{
	return profile_release(cycle->profile,
	    cycle->cluster->kubernetes_minor);
}

/*
 * The minor version of the release whose procedure and words count: that of a
 * profile of plugins, whatever the cluster is; for a policy as cycle_release().
 */
int cycle_rules(const struct cycle *cycle);

/* Whether the operators Gt and Lt of tolerations count: from 1.35 on, if their
 * gate is on. */
bool cycle_compares_tolerations(const struct cycle *cycle);

/* Whether the pod must leave room for this nominated one: another that is as important
 * as itself. */
bool cycle_yields_to(const struct cycle *cycle, const struct pod *nominated);

/* The index of the node that the pod is nominated to itself, or NODE_INDEX_NONE. */
uint32_t cycle_own_node(const struct cycle *cycle);

/* A copy of the node, in the cycle's arena, with the nominated pods for which the pod
 * must leave room; NULL: there are none. */
struct node_info *cycle_with_nominated(const struct cycle *cycle,
    const struct node_info *node);

static inline struct volume_rules
cycle_volume_rules(const struct cycle *cycle)
{
	return profile_volume_rules(cycle->profile,
	    cycle->cluster->kubernetes_minor);
}

/* The needs of the cycle's pod by these rules, in its arena. */
static inline struct volume_needs *
cycle_volume_needs(const struct cycle *cycle)
{
	struct volume_rules rules = cycle_volume_rules(cycle);

	return volume_needs_of(cycle->arena, cycle->cluster, cycle->class,
	    &rules);
}

/*
 * Says that a rule cannot be evaluated (on this node): the whole attempt fails
 * with this error.  Equal texts are counted.  Predicates return BROKEN after it.
 * From release 20 on the text begins with the plugin that runs, as kube-scheduler's
 * errors do.
 */
void cycle_fail(struct cycle *cycle, const char *fmt, ...)
    __attribute__((format(printf, 2, 3), cold));

/*
 * All errors so far as one text: "a", or "[a, b (repeated 3 times)]" in the
 * order in which they came up first; with repeats false, without the counts.
 * From release 20 on the first error alone.  In cycle->arena.
 */
const char *cycle_errors(struct cycle *cycle, bool repeats);

#endif
