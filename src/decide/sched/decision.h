/*
 * A decision: which node a pod goes to, and why.  Everything in it lives in the
 * cycle's arena; reasons may also be literals.
 */
#ifndef SCHED_DECISION_H
#define SCHED_DECISION_H

#include "decide/framework/cycle.h"
#include "decide/framework/priority.h"
#include "decide/framework/verdict.h"

struct filter;
struct ecache_class;

/* Nodes that no rule can distinguish for this pod: one of them is filtered and
 * scored for all. */
struct cell {
	uint32_t node; /* the index of that one */
	uint32_t n;    /* nodes in the cell */
	uint32_t cell; /* of the cached partition */
};

/*
 * Every node is in one cell.  With each_node every node is a cell of its own and
 * has its index as number, so that arrays by cell are arrays by node; only
 * decision_spell_out() makes sure of that. 
 */
struct decision {
	uint32_t nnodes;    /* the cluster's: N of "0/N nodes are available" */
	uint32_t nfeasible; /* nodes that fit */
	uint32_t nexamined; /* nodes that were checked */

	bool each_node;
	uint32_t ncells;    /* 0: error is set */
	struct cell *cells; /* NULL: each is the node with its number */
	struct node_verdict *verdicts; /* by cell */
	/* Of nodes that only extenders know. */
	struct node_verdict unknown;
	struct why why; /* reasons; cells may share them */

	/* The cells that fit, and their totals (Σ weight × score), the highest
	 * in each. */
	uint32_t nfitting;
	uint32_t *feasible; /* numbers of cells, ascending */
	uint32_t *times;    /* nodes that fit in each */
	int64_t *totals;
	/* scores[i][j]: profile->priorities[i] on feasible[j], reduced, before
	 * the weight; NULL unless cycle->keep_scores, and if scoring has failed.
	 * scores[i] is NULL where PreScore has skipped the plugin. */
	int64_t **scores;
	/* A bit for each of the first 64 priorities that PreScore has skipped. */
	uint64_t skipped;

	/* The highest total and how many nodes have it. */
	int64_t best_total;
	uint32_t nbest;
	const struct node_info *chosen; /* one of them; NULL: nothing fits */
	/* chosen is the node that the pod is nominated to, whatever its score. */
	bool nominated;

	/* The plugin that rejected the pod before any node was filtered; NULL: none
	 * did.  All nodes then have its verdict, or the decision is an error. */
	const struct profile_prefilter *rejected_by;

	/* Why the attempt as a whole failed, before any node was looked at
	 * (a missing claim, a rule's error, no nodes); NULL otherwise. */
	const char *error;
	/* The cycle was cancelled: error says so. */
	bool abandoned;

	/* The profile's predicates as prepared for this pod, for preempt(), and
	 * the cached results of its class. */
	struct filter *filter;
	struct ecache_class *kept;
	/* Of the priorities whose scores are not in totals that are kept, by
	 * ecache_rules: their preps, if score_prepare_columns() has made them; and
	 * their columns. */
	const void **preps;
	size_t ncolumns;
	struct node_column *columns;
	/* How the cached partition became cells (cells.h). */
	uint32_t *cell_of_cached;
};

/* One node of the cell, and how many it has. */
static inline uint32_t
decision_node(const struct decision *d, uint32_t cell)
{
	return d->cells != NULL ? d->cells[cell].node : cell;
}

static inline uint32_t
decision_size(const struct decision *d, uint32_t cell)
{
	return d->cells != NULL ? d->cells[cell].n : 1;
}

/* The verdict on the node; not of a decision that is an error. */
const struct node_verdict *decision_verdict(const struct decision *decision,
    uint32_t node);

#endif
