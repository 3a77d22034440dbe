/* Comparing decisions, for programs that link libt.a and those that do not. */
#ifndef T_LIB_VERDICTS_H
#define T_LIB_VERDICTS_H

#include <stdbool.h>
#include <string.h>

#include "decide/sched/decide.h"

/* Two decisions that are spelt out refuse the node at this index by the same rule,
 * for the same reasons in the same order, or both let it pass. */
static inline bool
verdicts_equal(const struct decision *a, const struct decision *b, uint32_t at)
{
	const struct node_verdict *x = &a->verdicts[at], *y = &b->verdicts[at];

	if (x->verdict != y->verdict || x->nreasons != y->nreasons ||
	    x->step != y->step)
		return false;
	for (uint32_t i = 0; i < x->nreasons; i++)
		if (strcmp(a->why.reasons[x->first_reason + i],
			b->why.reasons[y->first_reason + i]) != 0)
			return false;
	return true;
}

#endif
