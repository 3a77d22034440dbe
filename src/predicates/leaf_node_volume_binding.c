/*
 * LeafNodeVolumeBinding: as CheckVolumeBinding, which it replaces, but the
 * member cluster handles the volumes of pods on Kosmos' leaf nodes.
 *
 * cluster->leaf_volumes must be set for a profile with this rule: binding the
 * claims of a placed pod must agree with it.  The rule itself is in
 * cluster/volume_binding.h.
 *
 * Same rule as Kosmos' plugin of this name, except that it ignores generic
 * ephemeral volumes and claims in phase Lost, as CheckVolumeBinding does.
 */
#include "config.h"

#include "model/pod.h"
#include "predicates/registry.h"
#include "predicates/volume_binding.h"

const struct predicate predicate_leaf_node_volume_binding = {
	.name = "LeafNodeVolumeBinding",
	.reads = READS_CLUSTER,
	.aspects = ASPECT_VOLUMES,
	.prepare = volume_binding_prepare,
	.check = volume_binding_check,
	.distinguish = volume_binding_distinguish,
	.miss = volume_binding_miss,
};
