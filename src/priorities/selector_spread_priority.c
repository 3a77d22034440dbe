/*
 * SelectorSpreadPriority: spread the pods of a Service, ReplicationController,
 * ReplicaSet or StatefulSet over nodes and zones.
 *
 *	raw score = pods on the node that belong to all of these objects to which
 *	            the pod belongs
 *
 * To all of them: a Service in front of two ReplicaSets does not spread the
 * pods of one relative to those of the other.  spreading.h has the formula.
 * Objects are found by their selectors, not by the pod's ownerReferences
 * (kube-scheduler 1.15).
 */
#include "config.h"

#include "priorities/registry.h"
#include "priorities/spreading.h"

const struct priority priority_selector_spread_priority = {
	.name = "SelectorSpreadPriority",
	.reads = READS_CLUSTER,
	.prepare = spread_prepare,
	.columns = spread_columns,
	.score = spread_score,
	.score_block = spread_score_block,
	.reduce = spread_reduce,
};
