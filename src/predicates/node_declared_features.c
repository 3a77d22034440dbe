/*
 * NodeDeclaredFeatures: the node declares every feature that the pod requires.
 *
 * A container or init container with a restart rule of action
 * RestartAllContainers requires RestartAllContainersOnContainerExits; a pod with
 * hostNetwork and hostUsers: false requires UserNamespacesHostNetworkSupport.
 * Nodes list their features in status.declaredFeatures.
 *
 * Same rule as kube-scheduler 1.36, NodeDeclaredFeatures; for clusters from 1.35
 * on, whose API servers accept such pods.  doc/semantics/11-kube-1.36.md, Node
 * plugins.
 */
#include "config.h"

#include "cluster/node_info.h"
#include "decide/framework/cycle.h"
#include "predicates/registry.h"

#define SINCE 35

#define WHY_UNDECLARED "node(s) didn't match Pod's required features"

static const void *
prepare(struct cycle *cycle, const void *args)
{
	const struct pod_class *class = cycle->class;

	return cycle_release(cycle) >= SINCE &&
		cycle->profile->gates.node_declared_features &&
		class->required_features != 0 ?
	    &class->required_features :
	    NULL;
}

static enum verdict
check(struct cycle *cycle, const struct node_info *node, const void *prep,
    struct why *why)
{
	const unsigned *required = prep;

	if ((*required & ~node->node->declared_features) != 0)
		return refuse(why, UNFIT_FOREVER, WHY_UNDECLARED);
	return FITS;
}

static const char *
miss(struct cycle *cycle, const struct node_info *node, const void *prep)
{
	unsigned missing =
	    *(const unsigned *)prep & ~node->node->declared_features;

	if ((missing & FEATURE_RESTART_ALL) != 0)
		return "RestartAllContainersOnContainerExits is not declared";
	return "UserNamespacesHostNetworkSupport is not declared";
}

const struct predicate predicate_node_declared_features = {
	.name = "NodeDeclaredFeatures",
	.policy = { .in = IN_ALL_POLICIES },
	.reads = READS_NODE | ASPECT_FEATURES,
	.plugin = PLUGIN_NODE_DECLARED_FEATURES,
	.needs = NEEDS_POD_FEATURES,
	.prepare = prepare,
	.check = check,
	.miss = miss,
};

const struct plugin plugin_node_declared_features = {
	.name = "NodeDeclaredFeatures",
	.points = { 0, AT_POINT(PRE_FILTER) | AT_POINT(FILTER) },
	.filters = { &predicate_node_declared_features },
	.enabled = true,
	.first = 35,
	.enabled_from = 36,
	.no_pre_filter = "error reading "
			 "\"PreFilterNodeDeclaredFeatures\" from "
			 "cycle-state: not found",
};
