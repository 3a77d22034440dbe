/*
 * A score plugin whose PreScore (or PreFilter) is not enabled, so that it lacks the
 * state that it reads: the attempt fails (doc/semantics/11-kube-1.36.md, Cycle;
 * doc/semantics/12-kube-1.20.md, Configuration).
 */
#include "config.h"

#include "decide/framework/args.h"
#include "decide/framework/cycle.h"
#include "priorities/registry.h"

static const void *
prepare(struct cycle *cycle, const void *args)
{
	const struct missing_state_args *a = args;

	if (!a->unless_constrained || cycle->class->nspread == 0)
		cycle_fail(cycle, "%s", a->error);
	return NULL;
}

static int64_t
score(struct cycle *cycle, const struct node_info *node, const void *prep)
{
	return 0;
}

const struct priority priority_missing_state = {
	.name = "MissingState",
	.reads = READS_NODE | ASPECT_OTHERS, /* the constraints are in it */
	.prepare = prepare,
	.score = score,
};
