/*
 * Feature gates that change the result of a rule: those of Kubernetes 1.15,
 * 1.16 and 1.20, and some of 1.36.  --feature-gates A=true,B=false.
 */
#ifndef FRAMEWORK_GATES_H
#define FRAMEWORK_GATES_H

struct device_features;

/*
 * GATE(field, name, default, first, on, last): the releases from 1.20 on that know it,
 * where first 0 is all until the last and last 0 is the newest; and the first in which
 * it is on by default, 0: its default is that of each.
 */
/* clang-format off */
#define GATES(GATE) \
	GATE(attach_volume_limit, "AttachVolumeLimit", true, 0, 0, 20) \
	GATE(default_pod_topology_spread, "DefaultPodTopologySpread", true, 0, 0, 25) \
	GATE(dra_admin_access, "DRAAdminAccess", true, 32, 34, 0) \
	GATE(dra_consumable_capacity, "DRAConsumableCapacity", true, 34, 36, 0) \
	GATE(dra_binding_conditions, "DRADeviceBindingConditions", true, 34, 36, 0) \
	GATE(dra_device_taint_rules, "DRADeviceTaintRules", false, 35, 0, 0) \
	GATE(dra_device_taints, "DRADeviceTaints", true, 33, 36, 0) \
	GATE(dra_extended_resource, "DRAExtendedResource", true, 34, 36, 0) \
	GATE(dra_partitionable_devices, "DRAPartitionableDevices", true, 33, 36, 0) \
	GATE(dra_prioritized_list, "DRAPrioritizedList", true, 33, 34, 0) \
	GATE(dra_device_status, "DRAResourceClaimDeviceStatus", true, 32, 33, 0) \
	GATE(even_pods_spread, "EvenPodsSpread", false, 0, 0, 20) \
	GATE(pod_level_resources_in_place, "InPlacePodLevelResourcesVerticalScaling", \
	    true, 35, 36, 0) \
	GATE(match_label_keys, "MatchLabelKeysInPodTopologySpread", true, 25, 27, 0) \
	GATE(node_declared_features, "NodeDeclaredFeatures", true, 35, 36, 0) \
	GATE(non_preempting_priority, "NonPreemptingPriority", false, 0, 0, 25) \
	GATE(pod_level_resources, "PodLevelResources", true, 32, 34, 0) \
	GATE(resource_limits_priority_function, "ResourceLimitsPriorityFunction", \
	    false, 0, 0, 19) \
	GATE(storage_capacity_scoring, "StorageCapacityScoring", false, 33, 0, 0) \
	GATE(taint_nodes_by_condition, "TaintNodesByCondition", true, 0, 0, 19) \
	GATE(taint_toleration_comparison, "TaintTolerationComparisonOperators", \
	    false, 35, 0, 0) \
	GATE(volume_limit_scaling, "VolumeLimitScaling", false, 35, 0, 0)
/* clang-format on */

struct gates {
#define GATE(field, ...) bool field;
	GATES(GATE)
#undef GATE
	/* Those that --feature-gates names, by their place above. */
	uint32_t given;
};

extern const struct gates gates_default;

/* Whether the conditions that devices of a claim name count. */
static inline bool
gates_bind_by_conditions(const struct gates *gates)
{
	return gates->dra_binding_conditions && gates->dra_device_status;
}

/* Those that are not given, and not other than by default, get their default in a
 * release from 1.20 to 1.36. */
void gates_of_release(struct gates *gates, int release);

/* Those of devices; extended: devices may stand for extended resources. */
void gates_of_devices(const struct gates *gates,
    struct device_features *features, bool *extended);

/* The name of the i-th gate, NULL: there are no more. */
const char *gates_name(size_t i);
bool gates_is_on(const struct gates *gates, size_t i);
/* Whether a gate is as in "NAME=true" or "NAME=false"; false if there is none of the
 * name. */
bool gates_agree(const struct gates *gates, const char *setting);
/* Whether kube-scheduler of a release from 1.20 on knows the i-th gate. */
bool gates_has(size_t i, int release);

/* All gates of kube-scheduler 1.36.  stage: ALPHA, BETA, DEPRECATED, or "" when it is
 * stable. */
void gates_each(const struct gates *gates,
    void (*each)(void *arg, const char *name, const char *stage, bool on),
    void *arg);

/* Called for a gate that changes no rule; known: it is one of Kubernetes 1.15 to 1.36.
 * False: it is an error. */
typedef bool gates_other(void *arg, const char *name, bool known);

/* Applies "A=true,B=false" to *gates, where "kube:A" is A; other gates with a valid
 * value go to other, NULL: they are errors.  After an error (-1) *gates is as
 * before. */
int gates_parse(const char *text, struct gates *gates, gates_other *other,
    void *arg, struct err *err);

#endif
