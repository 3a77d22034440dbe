/* The result of a predicate for a pod and a node. */
#ifndef FRAMEWORK_VERDICT_H
#define FRAMEWORK_VERDICT_H

#include <stddef.h>
#include <stdint.h>

struct arena;

/* Stands in a reason for the name of the node that it is about: so thousands of
 * nodes share the reason, as they are kept and counted by it. */
#define WHY_NODE "\1"

/* In this order: the worst of several verdicts is the greatest. */
enum verdict {
	FITS,
	UNFIT,         /* evicting pods from the node might help */
	UNFIT_FOREVER, /* it would not: preemption skips the node */
	BROKEN,        /* unknown; the attempt fails, see cycle_fail() */
};

/*
 * The reasons of one refusal, as users see them, each with its plugin.  The texts must
 * stay valid as long as the decision: literals, or texts from sym_text() or (unless the unit is
 * READS_NODE, whose results are kept for longer) cycle->arena.  Texts of unlimited
 * number are sym_passing(): sym_collect() frees them.
 */
struct why {
	struct arena *arena;
	const char **reasons;
	uint8_t *plugins; /* enum plugin_number of each reason */
	size_t n, cap;
	/* Of the reasons that are added: who calls check() sets it to the unit's. */
	uint8_t plugin;
};

/* node_verdict's step of nodes that an extender refuses. */
#define STEP_EXTENDER UINT32_MAX

/* A verdict and which of a struct why's reasons are its own. */
struct node_verdict {
	enum verdict verdict;
	uint32_t first_reason, nreasons;
	/* 1 + the first of the profile's predicates that refuses the node; 0: none
	 * does. */
	uint32_t step;
};

/* A reason as users see it: itself, or a copy with the name in the arena. */
const char *why_text(struct arena *arena, const char *reason,
    const char *node_name);

/* The reason is of why->plugin.  why is NULL in a simulation, which needs no reasons. */
void why_add(struct why *why, const char *reason);
/* The same of the i-th reason of another, or of this one. */
void why_add_of(struct why *why, const struct why *from, size_t i);

static inline void
why_set_plugin(struct why *why, uint8_t plugin)
{
	if (why != NULL)
		why->plugin = plugin;
}

/* Adds the reason and returns the verdict: return refuse(why, UNFIT, WHY_X); */
static inline enum verdict
refuse(struct why *why, enum verdict verdict, const char *reason)
{
	why_add(why, reason);
	return verdict;
}

#endif
