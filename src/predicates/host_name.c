/*
 * HostName: the node is the one that the pod names in spec.nodeName, if it
 * names one.
 *
 * Pods that name a node are not the scheduler's to place, so this is a
 * formality, save for `predicatectl explain`.
 *
 * Same rule as kube-scheduler 1.15, PodFitsHost, and NodeName.
 */
#include "config.h"

#include "cluster/node_info.h"
#include "decide/framework/cycle.h"
#include "decide/framework/profile.h"
#include "objects/changes.h"
#include "predicates/registry.h"

#define WHY_OTHER_NODE "node(s) didn't match the requested hostname"
#define WHY_OTHER_NODE_21 "node(s) didn't match the requested node name"

static const void *
prepare(struct cycle *cycle, const void *args)
{
	return cycle->pod->node != SYM_EMPTY ? cycle->pod : NULL;
}

static enum verdict
check(struct cycle *cycle, const struct node_info *node, const void *prep,
    struct why *why)
{
	const struct pod *pod = prep;

	if (pod->node != node->name)
		return refuse(why, UNFIT_FOREVER,
		    cycle->profile->release < SINCE_NODE_NAME_WORDS ?
			WHY_OTHER_NODE :
			WHY_OTHER_NODE_21);
	return FITS;
}

static const char *
miss(struct cycle *cycle, const struct node_info *node, const void *prep)
{
	const struct pod *pod = prep;

	return arena_printf(cycle->arena, "spec.nodeName is %s",
	    sym_text(pod->node));
}

/* The kubelet has the rule, too, but a pod that is bound cannot break it. */
const struct predicate predicate_host_name = {
	.name = "HostName",
	.policy = { .in = REGISTERED, .aliases = "PodFitsHost" },
	.reads = READS_NODE | ASPECT_NOTHING,
	.plugin = PLUGIN_NODE_NAME,
	.prepare = prepare,
	.check = check,
	.miss = miss,
};

/* Only another node may have the name. */
static bool
wakes(const struct pod_class *class, const struct object_change *change)
{
	return change_adds_node(change);
}

const struct plugin plugin_node_name = {
	.name = "NodeName",
	.wakes = wakes,
	.points = EARLY_AND_LATER(AT_POINT(FILTER)),
	.filters = { &predicate_host_name },
	.enabled = true,
};
