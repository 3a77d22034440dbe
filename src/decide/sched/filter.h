/*
 * The filter stage, shared by decide() and preempt(): a profile's predicates,
 * prepared for one pod, tried on nodes.
 */
#ifndef SCHED_FILTER_H
#define SCHED_FILTER_H

#include "base/hash.h"
#include "decide/framework/cycle.h"
#include "decide/sched/decision.h"

struct ecache_class;

struct filter_step {
	const struct profile_predicate *rule;
	const void *prep;
	bool prepared;
	bool applies; /* false: every node fits */
};

struct filter {
	struct cycle *cycle;
	size_t nsteps;
	struct filter_step *steps;
	/* Results of the pod's class, or NULL. */
	const struct ecache_class *kept;
	/* The steps that read more than the node and may refuse this pod, by
	 * number; NULL until the first use. */
	size_t nuncached;
	uint32_t *uncached;
	/* All steps that may refuse this pod, likewise. */
	size_t napplicable;
	uint32_t *applicable;
	/* Those whose preps follow simulations, likewise. */
	size_t nupdated;
	uint32_t *updated;
	/* As node_verdict's, of the last filter_node(). */
	uint32_t refused_at;
};

struct filter *filter_new(struct cycle *cycle);

/* How many nodes that fit are enough: all nodes, or fewer for a sample. */
uint32_t filter_enough(const struct cycle *cycle);

/* Uses the cached preps of the pod's class.  Call this before any step is prepared. */
void filter_use(struct filter *filter, const struct ecache_class *kept);

/* Whether the step is known to refuse no node for this pod, without preparing it. */
bool filter_can_skip(const struct filter *filter, size_t step);

/* Fills the verdicts of all cells.  Nodes that are not in the sample are UNFIT
 * without a reason. */
void filter_cells(struct filter *filter, struct decision *decision);

/*
 * Whether the pod fits on the node, both with the pods nominated to the node and
 * without them (doc/semantics/02-predicates.md, Nominated pods).
 * The node may be a copy that a simulation has changed (after
 * filter_update()).  Reasons go to why, which may be NULL; with all set
 * every predicate is tried.
 */
enum verdict filter_node(struct filter *filter, const struct node_info *node,
    bool all, struct why *why);

/* Whether no predicate without cached results may refuse this pod. */
bool filter_all_kept(struct filter *filter);

/* The same with READS_NODE predicates alone. */
struct filter *filter_of_nodes(struct filter *filter);

/* The name of the first predicate that reads pods or objects elsewhere and may refuse
 * this pod; NULL: whether it fits on a node depends on Node objects and that node's
 * pods alone. */
const char *filter_reads_cluster(struct filter *filter);

/* A simulation puts the pod on the node (sign 1) or takes it from there (-1). */
void filter_update(struct filter *filter, const struct node_info *node,
    const struct pod *pod, int sign);

/* Orders equally good nodes: fair, and the same for the same seed whatever the
 * order in which the nodes became known. */
static inline uint64_t
tie_rank(const struct cycle *cycle, uint64_t name_hash)
{
	/* an odd factor from the seed permutes; its high bits order fairly */
	return name_hash * (hash_mix(cycle->seed + 1) | 1);
}

#endif
