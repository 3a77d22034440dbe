/*
 * Every predicate's verdict on every node, also on nodes that an earlier one
 * refuses: the decision itself stops at the first refusal.  And the nearest misses:
 * nodes that only one rule rejects, and the change that would let the pod fit.
 */
#ifndef EXPLAIN_MISS_H
#define EXPLAIN_MISS_H

#include "decide/framework/cycle.h"
#include "decide/framework/verdict.h"

struct explanation;

struct matrix {
	/* By place in profile->predicates, then by node index: an enum verdict.
	 * NULL: the pod does not ask this rule, and every node fits. */
	uint8_t **verdicts;
	const void **preps; /* by place: the rule as prepared for the pod */
	uint32_t *nrefused; /* by place: nodes that the rule refuses */
	uint32_t *nonly;    /* of them, those that no other rule refuses */
	uint32_t *nrules;   /* by node index: rules that refuse it */
};

/*
 * Fills *m, in the cycle's arena.  Not for a decision that is an error.  Nodes that
 * `most` rules refuse are not asked about further ones.  It ends early when the cycle
 * is cancelled.
 */
void matrix_find(struct matrix *m, struct cycle *cycle, uint32_t most);

/* Prepares the rule for the pod; false: it does not ask it, and every node fits. */
bool rule_prepare(struct cycle *cycle, const struct profile_predicate *rule,
    const void **prep);

struct miss {
	const struct node_info *node;
	const char *text; /* "200m cpu short" */
	double share; /* of the requests, that is missing: the nearest first */
};

/* Of a pod that fits nowhere; by share, text, and node name.  In cycle->arena. */
struct miss *misses_find(struct cycle *cycle, size_t *n);

/* The same by node index, NULL for other nodes; NULL where none was looked at (the
 * attempt failed, or a plugin rejected the pod). */
const char **misses_by_node(const struct explanation *e);

/*
 * The same as one line for people, "300m cpu short: n1, n2; 1 cpu short: n3", at
 * most max bytes: "; 17 more nodes" stands for the rest.  NULL: there is none.  In
 * cycle->arena.
 */
const char *misses_text(struct cycle *cycle, size_t max);

#endif
