/*
 * Every predicate's verdict on every node, also on nodes that an earlier one
 * refuses: the decision itself stops at the first refusal.
 */
#ifndef EXPLAIN_MATRIX_H
#define EXPLAIN_MATRIX_H

#include <stdbool.h>
#include <stdint.h>

#include "framework/cycle.h"
#include "framework/verdict.h"

struct profile_predicate;

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

#endif
