/* A node condition that must not be True; for the rules about pressure. */
#ifndef PREDICATES_PRESSURE_H
#define PREDICATES_PRESSURE_H

#include "cluster/columns.h"
#include "cluster/node_info.h"
#include "framework/cycle.h"
#include "framework/predicate.h"
#include "framework/verdict.h"

struct pressure {
	sym type, yes;
	const char *reason;
};

/* A prep for pressure_check(): the condition's type, and the reason. */
static inline const void *
pressure_of(struct cycle *cycle, const char *type, const char *reason)
{
	struct pressure *p = arena_alloc(cycle->arena, sizeof(*p));

	p->type = sym_intern(type);
	p->yes = sym_intern("True");
	p->reason = reason;
	return p;
}

static inline enum verdict
pressure_check(struct cycle *cycle, const struct node_info *node,
    const void *prep, struct why *why)
{
	const struct pressure *p = prep;

	if (node_condition_status(node->node, p->type) == p->yes)
		return refuse(why, UNFIT_FOREVER, p->reason);
	return FITS;
}

static inline bool
pressure_check_block(struct cycle *cycle, const struct column_block *b,
    const void *prep, uint8_t *codes)
{
	column_codes(b, COLUMN_UNHEALTHY, CODE_ASK, codes);
	return true;
}

#endif
