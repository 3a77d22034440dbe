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
	struct demand *demand;
	int32_t own = 0;

	*raw = 0;
	if (devices == NULL)
		return true;
	demand = pod_devices_everywhere(devices);
	if (demand == NULL ||
	    !demand_is_uniform(demand, &devices->search, &own))
		return false;
	*raw = own + devices->score;
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
