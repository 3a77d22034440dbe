/*
 * decide(): which node a pod goes to, and why.
 *
 * Pure: the same cluster, profile, pod and seed give the same decision, whatever
 * happened before.  Everything in a decision lives in the cycle's arena; reasons
 * may also be literals.
 */
#ifndef SCHED_DECIDE_H
#define SCHED_DECIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "framework/cycle.h"
#include "framework/verdict.h"

struct filter;
struct memo_class;

struct verdict_tally {
	struct node_verdict verdict;
	uint32_t nnodes; /* that have it */
};

/*
 * A decision made with a memo knows its outcome before the verdicts and totals of
 * single nodes: whoever wants those calls decision_spell_out() first.
 */
struct decision {
	uint32_t nnodes;    /* the cluster's: N of "0/N nodes are available" */
	uint32_t nfeasible; /* nodes that fit */
	uint32_t nexamined; /* nodes that were looked at */

	struct node_verdict *verdicts; /* by node index; NULL: not spelt out */
	/* Of nodes that only extenders know. */
	struct node_verdict unknown;
	struct why why; /* reasons; nodes may share them */
	/* Instead, while verdicts is NULL: how many nodes do not fit, and why. */
	size_t ntallies, tallies_cap;
	struct verdict_tally *tallies;

	/* The nodes that fit, and their totals (Σ weight × score). */
	uint32_t *feasible; /* node indexes, ascending; NULL: not spelt out */
	int64_t *totals;
	/* scores[i][j]: profile->priorities[i] on node feasible[j], reduced,
	 * before the weight; NULL unless cycle->keep_scores. */
	int64_t **scores;

	/* The highest total and how many nodes have it. */
	int64_t best_total;
	uint32_t nbest;
	const struct node_info *chosen; /* one of them; NULL: nothing fits */

	/* Why the attempt as a whole failed, before nodes were even told apart
	 * (a missing claim, a rule's error, no nodes); NULL otherwise. */
	const char *error;
	/* The cycle was cancelled: error says so. */
	bool abandoned;

	/* The profile's predicates as prepared for this pod, for preempt(), and
	 * what was known of its class. */
	struct filter *filter;
	struct memo_class *kept;
};

/* Never NULL; valid as long as cycle->arena is not reset. */
struct decision *decide(struct cycle *cycle);

/*
 * Fills verdicts, feasible and totals if they are not there (and the decision is
 * no error).  Only before the cluster changes and before the next decide() with
 * the same memo.
 */
void decision_spell_out(struct cycle *cycle, struct decision *decision);

/* For preempt() when the cycle was cancelled: makes the decision an error and
 * drops all cached results of its pod's class. */
void decision_abandon(struct cycle *cycle, struct decision *decision);

/*
 * What the event FailedScheduling says when chosen is NULL: the error, or
 * "0/3 nodes are available: 1 Insufficient cpu, 2 node(s) …." (kube-scheduler
 * 1.15, FitError).  In cycle->arena.  May spell out the decision: as
 * decision_spell_out().
 */
const char *decision_message(struct cycle *cycle, struct decision *decision);

#endif
