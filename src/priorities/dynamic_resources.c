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

#include "cluster/devices/pod_devices.h"
#include "decide/framework/cycle.h"
#include "decide/framework/cycle_devices.h"
#include "decide/framework/profile.h"
#include "priorities/registry.h"

static const void *
prepare(struct cycle *cycle, const void *args)
{
	struct pod_devices *devices = NULL;
	struct demand *demand;
	int32_t own;

	if (cycle->class->nresource_claims > 0 &&
	    cycle->profile->gates.dra_prioritized_list)
		devices = cycle_devices(cycle);
	if (devices == NULL || !devices->has_alternatives ||
	    (devices->nwanted == 0 && !devices->has_classes))
		return PREP_UNIFORM(0);
	devices_are_scored(devices->devices);
	/* nodes without devices for the pod do not count */
	demand = pod_devices_everywhere(devices);
	if (demand != NULL && demand_is_uniform(demand, &devices->search, &own))
		return PREP_UNIFORM(
		    own + devices->score > 0 ? cycle->profile->score_max : 0);
	return devices;
}

static int64_t
score(struct cycle *cycle, const struct node_info *node, const void *prep)
{
	struct pod_devices *devices = (struct pod_devices *)prep;
	const struct device_answer *answer;
	struct demand *demand;

	if (pod_devices_need(devices, node, &demand) != NEEDS_DEVICES)
		return 0;
	answer = demand_ask(demand, node, &devices->search);
	return answer->outcome == DEVICES_FOUND ?
	    answer->score + devices->score :
	    0;
}

static void
reduce(struct cycle *cycle, const void *prep, size_t n, const uint32_t *at,
    const uint32_t *times, int64_t *scores)
{
	normalize(cycle->profile->score_max, false, n, scores);
}

const struct priority priority_dynamic_resources = {
	.name = "DynamicResources",
	.reads = READS_CLUSTER,
	.prepare = prepare,
	.score = score,
	.reduce = reduce,
	.needs = NEEDS_DEVICE_SCORES,
};
