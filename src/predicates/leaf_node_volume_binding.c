/*
 * LeafNodeVolumeBinding: as CheckVolumeBinding, in whose place it stands, but
 * the volumes of pods on Kosmos' leaf nodes are those nodes' member cluster's
 * affair.
 *
 * Whether a profile has this rule is told the cluster (cluster->leaf_volumes):
 * what becomes of claims when a pod has been placed must agree with it.  The rule
 * itself is in cluster/volume_binding.h.
 *
 * Same rule as Kosmos' plugin of this name, but for what CheckVolumeBinding does
 * not look at either: generic ephemeral volumes, and claims in phase Lost.
 */
#include "config.h"

#include "predicates/registry.h"
#include "predicates/volume_binding.h"

const struct predicate predicate_leaf_node_volume_binding = {
	.name = "LeafNodeVolumeBinding",
	.reads = READS_CLUSTER,
	.prepare = volume_binding_prepare,
	.check = volume_binding_check,
	.tell_apart = volume_binding_tell_apart,
	.miss = volume_binding_miss,
};
