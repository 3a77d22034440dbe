/*
 * DynamicResources (kube-scheduler 1.36): prefers nodes where a claim gets the first
 * of its alternatives.  Claims that are not allocated yet fit on no node, so all
 * nodes that fit are equal (doc/semantics/11-kube-1.36.md, Dynamic resources).
 */
#include "config.h"

#include "framework/cycle.h"
#include "priorities/registry.h"

static int64_t
score(struct cycle *cycle, const struct node_info *node, const void *prep)
{
	return 0;
}

static bool
uniform(const struct cycle *cycle, const void *prep, int64_t *raw)
{
	*raw = 0;
	return true;
}

const struct priority priority_dynamic_resources = {
	.name = "DynamicResources",
	.reads = READS_NODE,
	.aspects = ASPECT_NOTHING,
	.score = score,
	.uniform = uniform,
};
