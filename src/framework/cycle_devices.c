#include "config.h"

#include "framework/cycle_devices.h"

#include <stddef.h>

#include "devices/pod_devices.h"
#include "framework/cycle.h"
#include "framework/profile.h"

#define ALLOCATES_FROM 32
#define EXTENDED_FROM 36

bool
cycle_allocates(const struct cycle *cycle)
{
	return cycle->cluster->allocates_devices &&
	    cycle_release(cycle) >= ALLOCATES_FROM;
}

bool
cycle_extends(const struct cycle *cycle)
{
	return cycle->profile->gates.dra_extended_resource &&
	    cycle_allocates(cycle) && cycle_release(cycle) >= EXTENDED_FROM;
}

static bool
is_cancelled(void *cycle)
{
	return cycle_is_cancelled(cycle);
}

struct pod_devices *
cycle_devices(struct cycle *cycle)
{
	struct device_features features;
	struct pod_devices *devices;
	bool extended;

	if (!cycle_allocates(cycle))
		return NULL;
	gates_of_devices(&cycle->profile->gates, &features, &extended);
	devices = pod_devices_of(cycle->arena, cycle->cluster, cycle->pod,
	    &features, cycle_extends(cycle));
	if (devices == NULL)
		return NULL;
	devices->search.cancelled = is_cancelled;
	devices->search.arg = cycle;
	return devices;
}

void
devices_assume(struct cluster *cluster, const struct profile *profile,
    const struct pod *pod, sym node)
{
	const struct node_info *at = cluster_node(cluster, node);
	int release = profile_release(profile, cluster->kubernetes_minor);
	struct device_features features;
	bool extended;

	if (!cluster->allocates_devices || release < ALLOCATES_FROM ||
	    at == NULL || at->node == NULL)
		return;
	gates_of_devices(&profile->gates, &features, &extended);
	pod_devices_assume(cluster, pod, at, &features,
	    extended && release >= EXTENDED_FROM);
}
