/*
 * MissingState: stands for a plugin whose Filter reads the state of its PreFilter
 * while that is not enabled: it fails with the arguments' error, for any pod on any
 * node.
 *
 * As the plugins of kube-scheduler do: doc/semantics/11-kube-1.36.md, Cycle.
 */
#include "config.h"

#include "decide/framework/args.h"
#include "decide/framework/cycle.h"
#include "predicates/registry.h"

static enum verdict
check(struct cycle *cycle, const struct node_info *node, const void *prep,
    struct why *why)
{
	const struct missing_state_args *args = prep;

	cycle_fail(cycle, "%s", args != NULL ? args->error : "not found");
	return BROKEN;
}

const struct predicate predicate_missing_state = {
	.name = "MissingState",
	.reads = READS_NODE | ASPECT_NOTHING,
	.check = check,
};
