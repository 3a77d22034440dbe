/*
 * Every predicate's verdict on every node, also on nodes that an earlier one
 * refuses: the decision itself stops at the first refusal.
 */
#ifndef WHATIF_MATRIX_H
#define WHATIF_MATRIX_H

#include <stdint.h>

#include "framework/cycle.h"
#include "framework/verdict.h"

struct matrix {
	/* By place in profile->predicates, then by node index: an enum verdict.
	 * NULL: the pod does not ask this rule, and every node fits. */
	uint8_t **verdicts;
	uint32_t *nrefused; /* by place: nodes that the rule refuses */
	uint32_t *nonly;    /* of them, those that no other rule refuses */
	uint32_t *nrules;   /* by node index: rules that refuse it */
};

/* Fills *m, in the cycle's arena.  Not for a decision that is an error. */
void matrix_find(struct matrix *m, struct cycle *cycle);

#endif
