/*
 * MaxEBSVolumeCount: at most as many Amazon EBS volumes as the node's limit,
 * usually 39, or 25 on Nitro instances, where network cards take up some of the
 * places.
 *
 * The rule is in predicates/volume_count.c.
 */
#include "config.h"

#include <string.h>

#include "framework/predicate.h"
#include "model/node.h"
#include "predicates/registry.h"
#include "predicates/volume_count.h"

#define INSTANCE_TYPE "beta.kubernetes.io/instance-type"
#define INSTANCE_TYPE_GA "node.kubernetes.io/instance-type"
#define GA_FROM 20
#define NITRO_LIMIT 25

/*
 * Matches as kube-scheduler's regular expression ^[cmr]5.*|t3|z1d: the ^
 * belongs to the first alternative only.
 */
static bool
is_nitro(const char *type)
{
	return (type[0] != '\0' && strchr("cmr", type[0]) != NULL &&
		   type[1] == '5') ||
	    strstr(type, "t3") != NULL || strstr(type, "z1d") != NULL;
}

static int64_t
limit_by_node(const struct node *node, int release)
{
	sym type = labels_get(&node->labels, sym_intern(INSTANCE_TYPE));

	if (type == SYM_NONE && release >= GA_FROM)
		type = labels_get(&node->labels, sym_intern(INSTANCE_TYPE_GA));
	return type != SYM_NONE && is_nitro(sym_text(type)) ? NITRO_LIMIT : 39;
}

static const struct volume_count_rule rule = {
	.kind = VOLUME_AWS_EBS,
	.resource = "attachable-volumes-aws-ebs",
	.usual_limit = NITRO_LIMIT,
	.limit_by_node = limit_by_node,
};

static const void *
prepare(struct cycle *cycle, const void *args)
{
	return volume_count_prepare(cycle, &rule);
}

const struct predicate predicate_max_ebs_volume_count = {
	.name = "MaxEBSVolumeCount",
	.reads = READS_CLUSTER | ASPECT_VOLUMES,
	.prepare = prepare,
	.check = volume_count_check,
	.check_block = volume_count_check_block,
	.miss = volume_count_miss,
};
