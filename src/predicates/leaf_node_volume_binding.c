/*
 * LeafNodeVolumeBinding: as CheckVolumeBinding, which it replaces, but the
 * member cluster handles the volumes of pods on Kosmos' leaf nodes.
 *
 * The rule itself is in cluster/volume_binding.h.  The claims of a placed pod are
 * bound by it, too: profile->leaf_volumes is set in a profile with this rule.
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
	.reads = READS_CLUSTER | ASPECT_VOLUMES,
	.prepare = volume_binding_prepare,
	.check = volume_binding_check,
	.check_block = volume_binding_check_block,
	.miss = volume_binding_miss,
};
