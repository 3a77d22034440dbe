/*
 * MaxGCEPDVolumeCount: at most as many persistent disks of Google's cloud as
 * the node's limit, usually 16.
 *
 * The rule is in predicates/volume_count.c.
 */
#include "config.h"

#include "framework/predicate.h"
#include "predicates/registry.h"
#include "predicates/volume_count.h"

static const struct volume_count_rule rule = {
	.kind = VOLUME_GCE_PD,
	.resource = "attachable-volumes-gce-pd",
	.usual_limit = 16,
};

static const void *
prepare(struct cycle *cycle, const void *args)
{
	return volume_count_prepare(cycle, &rule);
}

const struct predicate predicate_max_gce_pd_volume_count = {
	.name = "MaxGCEPDVolumeCount",
	.reads = READS_CLUSTER | ASPECT_VOLUMES,
	.prepare = prepare,
	.check = volume_count_check,
	.check_block = volume_count_check_block,
	.miss = volume_count_miss,
};
