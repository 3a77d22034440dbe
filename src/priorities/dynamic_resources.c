/*
 * DynamicResources (kube-scheduler 1.36): prefers nodes where claims get the first of
 * their alternatives.
 *
 *	score = sum over the alternatives taken of (8 - its place)
 *
 * of the pod's claims, normalised by the greatest; 0 if all claims are allocated
 * already (doc/semantics/11-kube-1.36.md, Dynamic resources).
 */
#include "config.h"

#include "devices/pod_devices.h"
#include "framework/cycle.h"
#include "framework/cycle_devices.h"
#include "framework/profile.h"
#include "priorities/registry.h"

/* NULL: all nodes are equal. */
static struct pod_devices *
devices_of_pod(struct cycle *cycle)
{
	struct pod_devices *devices = NULL;

	if (cycle->class->nresource_claims > 0 &&
	    cycle->profile->gates.dra_prioritized_list)
		devices = cycle_devices(cycle);
	return devices != NULL && devices->has_alternatives &&
		(devices->nwanted > 0 || devices->has_classes) ?
	    devices :
	    NULL;
}

static int64_t
score(struct cycle *cycle, const struct node_info *node, const void *prep)
{
	struct pod_devices *devices = devices_of_pod(cycle);
	const struct device_answer *answer;
	struct demand *demand;

	if (devices != NULL)
		devices_are_scored(devices->devices);
	if (devices == NULL ||
	    pod_devices_need(devices, node, &demand) != NEEDS_DEVICES)
		return 0;
	answer = demand_ask(demand, node, &devices->search);
	return answer->outcome == DEVICES_FOUND ?
	    answer->score + devices->score :
	    0;
}

/* The nodes with devices for the pod have mostly the same score, and others do not
 * count. */
static bool
uniform(const struct cycle *cycle, const void *prep, int64_t *raw)
{
	struct pod_devices *devices = devices_of_pod((struct cycle *)cycle);
	const struct cluster *cluster = cycle->cluster;
	bool any = false;

	*raw = 0;
	for (uint32_t i = 0; devices != NULL && i < cluster->nnodes; i++) {
		const struct device_answer *answer;
		struct demand *demand;
		int64_t own;

		if (pod_devices_need(devices, cluster->nodes[i], &demand) !=
		    NEEDS_DEVICES)
			return false;
		answer =
		    demand_ask(demand, cluster->nodes[i], &devices->search);
		if (answer->outcome != DEVICES_FOUND)
			continue;
		own = answer->score + devices->score;
		if (any && own != *raw)
			return false;
		any = true;
		*raw = own;
	}
	return true;
}

static void
reduce(struct cycle *cycle, const void *prep, size_t n, const uint32_t *at,
    const uint32_t *times, int64_t *scores)
{
	normalize(cycle->profile->score_max, false, n, scores);
}

const struct priority priority_dynamic_resources = {
	.name = "DynamicResources",
	.reads = READS_NODE,
	.aspects = ASPECT_OTHERS,
	.score = score,
	.uniform = uniform,
	.reduce = reduce,
};
