#include "config.h"

#include "decide/framework/cycle_devices.h"

#include "cluster/devices/pod_devices.h"
#include "decide/framework/cycle.h"
#include "decide/framework/profile.h"
#include "objects/changes.h"

static bool
rules_allocate(const struct cluster *cluster, const struct profile *profile)
{
	return cluster->allocates_devices &&
	    profile_release(profile, cluster->kubernetes_minor) >=
	    SINCE_DEVICES;
}

const char why_claim_elsewhere[] = "resourceclaim not available on the node";

bool
cycle_allocates(const struct cycle *cycle)
{
	return rules_allocate(cycle->cluster, cycle->profile);
}

bool
cycle_extends(const struct cycle *cycle)
{
	return cycle->profile->gates.dra_extended_resource &&
	    cycle_allocates(cycle) &&
	    cycle_release(cycle) >= SINCE_EXTENDED_DEVICES;
}

bool
cycle_claim_failed(const struct cycle *cycle,
    const struct resource_claim *claim)
{
	if (!cycle_allocates(cycle))
		return !claim->ready;
	return gates_bind_by_conditions(&cycle->profile->gates) &&
	    (claim->failure != NULL ||
		resource_claim_timed_out(claim,
		    profile_device_timeout(cycle->profile),
		    cycle->now != 0 ? cycle->now : INT64_MAX));
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

bool
devices_are_allocated(const struct cluster *cluster,
    const struct profile *profile)
{
	return rules_allocate(cluster, profile) &&
	    (profile->release < SINCE_EXTENDED_DEVICES ||
		profile_has_plugin(profile, POINT_RESERVE, "DynamicResources"));
}

/* False: devices are not allocated there. */
static bool
allocates(const struct cluster *cluster, const struct profile *profile,
    const struct node_info *node, struct device_features *features,
    bool *extended)
{
	gates_of_devices(&profile->gates, features, extended);
	*extended = *extended &&
	    profile_release(profile, cluster->kubernetes_minor) >=
		SINCE_EXTENDED_DEVICES;
	return devices_are_allocated(cluster, profile) && node != NULL &&
	    node->node != NULL;
}

bool
devices_allocate(struct cluster *cluster, const struct profile *profile,
    const struct pod *pod, sym node, struct resource_claim **out, size_t *n)
{
	const struct node_info *at = cluster_node(cluster, node);
	struct device_features features;
	bool extended;

	*n = 0;
	return !allocates(cluster, profile, at, &features, &extended) ||
	    pod_devices_allocate(cluster, pod, at, &features, extended, out, n);
}

void
devices_assume(struct cluster *cluster, const struct profile *profile,
    const struct pod *pod, sym node)
{
	const struct node_info *at = cluster_node(cluster, node);
	struct device_features features;
	bool extended;

	if (allocates(cluster, profile, at, &features, &extended))
		pod_devices_assume(cluster, pod, at, &features, extended);
}
