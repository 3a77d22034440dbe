/*
 * What changed in kube-scheduler from 1.16 to 1.36, by rule and release: the one
 * place where a rule's condition on the release has its number.
 *
 * SINCE_X is the first minor release with the change X.  A profile of plugins goes by
 * profile->release, the release that decides; a policy, whose formulas and words are
 * those of 1.15, by the cluster's (cycle_release()) where a field of an object counts.
 *
 * The rules are those of the vendored trees of each minor release from 1.16 on
 * (doc/semantics/README.md); doc/compatibility.md has this table.
 */
#ifndef MODEL_CHANGES_H
#define MODEL_CHANGES_H

/* RELEASE_CHANGE(X, first minor release, "rule", "what it does from there on");
 * FIELD_CHANGE: in policies, too. */
/* clang-format off */
#define RELEASE_CHANGES(RELEASE_CHANGE, FIELD_CHANGE) \
	RELEASE_CHANGE(FRAMEWORK, 20, "all", \
	    "profiles of plugins: scores from 0 to 100, errors name the plugin") \
	RELEASE_CHANGE(SHORT_FILTER_ERRORS, 21, "all", \
	    "an error of Filter does not name the pod") \
	RELEASE_CHANGE(PREFILTER_ONCE, 26, "all", \
	    "a rejection before Filter is reported once, without a number of nodes") \
	RELEASE_CHANGE(FILTERS_ALL_RUN, 24, "all", \
	    "every plugin filters a node, and all reasons are reported") \
	RELEASE_CHANGE(FILTERS_FIRST, 26, "all", \
	    "the first plugin that rejects a node ends that, as before 1.24") \
	RELEASE_CHANGE(PREFILTER_ALL_RUN, 30, "all", \
	    "PreFilter goes on after a plain rejection; the last one counts") \
	RELEASE_CHANGE(NO_NODE_FOREVER, 30, "all", \
	    "PreFilter plugins that leave no node rule evictions out") \
	RELEASE_CHANGE(SELECTOR_WORDS, 22, "all", \
	    "an error of a label selector says where it is") \
	RELEASE_CHANGE(NODE_NAME_WORDS, 21, "NodeName", \
	    "\"requested node name\", not \"requested hostname\"") \
	RELEASE_CHANGE(TAINT_WORDS, 24, "TaintToleration", \
	    "\"had untolerated taint\", not \"had taint ... that the pod didn't " \
	    "tolerate\"") \
	RELEASE_CHANGE(TAINTS_UNNAMED, 35, "TaintToleration", \
	    "the reason names no taint") \
	RELEASE_CHANGE(NODE_AFFINITY_WORDS, 21, "NodeAffinity", \
	    "\"node affinity/selector\"; all faulty preferred terms are reported") \
	RELEASE_CHANGE(NODE_AFFINITY_NAMES, 24, "NodeAffinity", \
	    "matchFields limit the nodes that are looked at") \
	RELEASE_CHANGE(NODE_AFFINITY_TERMS, 27, "NodeAffinity", \
	    "a term whose matchFields leave no node does not reject the pod") \
	RELEASE_CHANGE(NODE_AFFINITY_NAMED_WORDS, 32, "NodeAffinity", \
	    "nodes that are not looked at have a reason") \
	RELEASE_CHANGE(NODE_AFFINITY_UNSCORED, 30, "NodeAffinity", \
	    "a pod without preferences is not scored") \
	FIELD_CHANGE(FULL_REQUESTS, 16, "NodeResourcesFit", \
	    "init containers of pods on a node count") \
	FIELD_CHANGE(FIT_FREE, 21, "NodeResourcesFit", \
	    "compares with what is free: no overflow") \
	FIELD_CHANGE(FIT_NO_SCALAR, 26, "NodeResourcesFit", \
	    "a request of 0 of an extended resource fits any node") \
	FIELD_CHANGE(FIT_ZERO, 28, "NodeResourcesFit", \
	    "so does one of cpu, memory or ephemeral storage") \
	RELEASE_CHANGE(FIT_GIVES_UP, 34, "NodeResourcesFit", \
	    "no eviction for a request above the whole node") \
	RELEASE_CHANGE(SHARE_MOST_CLAMPED, 21, "NodeResourcesFit", \
	    "MostAllocated: more requested than there is counts as all of it") \
	RELEASE_CHANGE(SHARE_SKIPS, 22, "NodeResourcesFit", \
	    "resources that the node has none of, and extended ones that are not " \
	    "requested, do not count for scores") \
	RELEASE_CHANGE(SHARE_OWN_OVERHEAD, 24, "NodeResourcesFit", \
	    "the overhead of the pod to be placed counts for scores") \
	RELEASE_CHANGE(SHARE_EACH, 27, "NodeResourcesFit", \
	    "a resource named twice counts twice") \
	RELEASE_CHANGE(SHARE_OVERHEAD, 27, "NodeResourcesFit", \
	    "the pod's overhead of cpu counts in full, not in whole cpus") \
	RELEASE_CHANGE(SHARE_SIDECARS, 32, "NodeResourcesFit", \
	    "sidecars of pods on a node are added to their containers for scores") \
	RELEASE_CHANGE(BALANCE_DEVIATION, 22, "NodeResourcesBalancedAllocation", \
	    "standard deviation of plain requests, instead of the difference of those " \
	    "with defaults") \
	RELEASE_CHANGE(BALANCE_UNSCORED, 33, "NodeResourcesBalancedAllocation", \
	    "a pod that requests nothing is not scored") \
	RELEASE_CHANGE(BALANCE_POD_LEVEL, 34, "NodeResourcesBalancedAllocation", \
	    "requests of the pod as a whole count") \
	RELEASE_CHANGE(BALANCE_IMPROVEMENT, 36, "NodeResourcesBalancedAllocation", \
	    "compares the node with the pod and without it") \
	RELEASE_CHANGE(IMAGES_OF_INIT, 30, "ImageLocality", \
	    "images of init containers count") \
	RELEASE_CHANGE(IMAGES_OF_VOLUMES, 36, "ImageLocality", \
	    "images of volumes count") \
	RELEASE_CHANGE(POD_AFFINITY_FROM_LEAST, 21, "InterPodAffinity", \
	    "scores are spread between the least and the greatest sum, not 0") \
	RELEASE_CHANGE(POD_AFFINITY_RULES, 21, "InterPodAffinity", \
	    "the general reason ends in \"rules\"") \
	FIELD_CHANGE(FIRST_POD_LABELS, 19, "InterPodAffinity", \
	    "the first pod of a group needs the labels of all terms") \
	FIELD_CHANGE(NAMESPACE_SELECTORS, 21, "InterPodAffinity", \
	    "namespaceSelector counts") \
	FIELD_CHANGE(TERMS_UNLABELED, 34, "InterPodAffinity", \
	    "a namespaceSelector that no labels satisfy selects all namespaces") \
	RELEASE_CHANGE(POD_AFFINITY_ONE_REASON, 22, "InterPodAffinity", \
	    "no general reason beside that of the rule") \
	RELEASE_CHANGE(POD_AFFINITY_SKIPPED, 27, "InterPodAffinity", \
	    "nominated pods do not count for a pod that no term concerns") \
	RELEASE_CHANGE(POD_AFFINITY_UNSCORED, 28, "InterPodAffinity", \
	    "a pod that no term concerns is not scored") \
	FIELD_CHANGE(SPREAD, 18, "PodTopologySpread", \
	    "topologySpreadConstraints count by default") \
	RELEASE_CHANGE(SPREAD_SYSTEM_KEYS, 21, "PodTopologySpread", \
	    "a node without a label of the system's constraints is scored") \
	RELEASE_CHANGE(SPREAD_OWNER, 22, "PodTopologySpread", \
	    "default constraints select by the pod's controller") \
	RELEASE_CHANGE(SELECTOR_SPREAD_OWNER, 22, "SelectorSpread", \
	    "selectors are those of Services and of the pod's controller") \
	RELEASE_CHANGE(SPREAD_ELIGIBLE, 24, "PodTopologySpread", \
	    "pods count on eligible nodes alone; of constraints on one label the last") \
	RELEASE_CHANGE(SPREAD_ROUNDED, 24, "PodTopologySpread", \
	    "scores are rounded, not truncated") \
	FIELD_CHANGE(SPREAD_MIN_DOMAINS, 24, "PodTopologySpread", \
	    "minDomains counts") \
	FIELD_CHANGE(SPREAD_POLICIES, 25, "PodTopologySpread", \
	    "nodeAffinityPolicy and nodeTaintsPolicy count") \
	FIELD_CHANGE(SPREAD_MATCH_LABEL_KEYS, 25, "PodTopologySpread", \
	    "matchLabelKeys count") \
	RELEASE_CHANGE(SPREAD_UNSCORED, 28, "PodTopologySpread", \
	    "a pod without constraints is not scored") \
	RELEASE_CHANGE(SPREAD_EMPTY_SELECTOR, 27, "PodTopologySpread", \
	    "the selector {} counts no pods") \
	RELEASE_CHANGE(SPREAD_WORDS, 30, "PodTopologySpread", \
	    "\"get constraints from pod\" in errors") \
	RELEASE_CHANGE(SPREAD_APART, 33, "PodTopologySpread", \
	    "constraints on one label count for themselves; without an eligible node " \
	    "the least is 0, else every node with the labels fits") \
	FIELD_CHANGE(CLAIMS_BY_CLASS, 16, "EBSLimits and the like", \
	    "a claim without volume counts if its class makes such volumes") \
	FIELD_CHANGE(CSI_LIMITS, 17, "NodeVolumeLimits", \
	    "limits of CSINodes come before those in a node's allocatable") \
	RELEASE_CHANGE(CSI_OWNERS, 23, "NodeVolumeLimits", \
	    "a missing claim, and an ephemeral one of another, is an error") \
	RELEASE_CHANGE(CSI_REFUSES, 30, "NodeVolumeLimits", \
	    "a missing claim refuses the node") \
	RELEASE_CHANGE(IN_TREE_LIMITS_GONE, 31, "NodeVolumeLimits", \
	    "EBSLimits, GCEPDLimits, AzureDiskLimits and CinderLimits are refused") \
	FIELD_CHANGE(CSI_NODES_ALONE, 32, "NodeVolumeLimits", \
	    "limits in a node's allocatable do not count; VolumeAttachments do") \
	RELEASE_CHANGE(CSI_SCALING, 35, "NodeVolumeLimits", \
	    "the node must have the driver, by gate") \
	FIELD_CHANGE(ZONE_LABELS, 17, "VolumeZone", \
	    "topology.kubernetes.io labels count, too") \
	FIELD_CHANGE(ZONE_REFUSES, 21, "VolumeZone", \
	    "an unusable claim refuses the nodes that are in a zone") \
	FIELD_CHANGE(ZONE_PREFILTER, 27, "VolumeZone", \
	    "an unusable claim refuses every node, before any is filtered") \
	RELEASE_CHANGE(ZONE_INSTEAD, 29, "VolumeZone", \
	    "the new labels stand in for the old") \
	FIELD_CHANGE(SOLE_CLAIMS, 22, "VolumeRestrictions", \
	    "ReadWriteOncePod claims") \
	RELEASE_CHANGE(SOLE_CLAIMS_ANYWHERE, 27, "VolumeRestrictions", \
	    "a claim of this name in any namespace counts in simulations") \
	FIELD_CHANGE(SOLE_CLAIM_WORDS, 34, "VolumeRestrictions", \
	    "\"already in-use by another pod\"") \
	RELEASE_CHANGE(VOLUME_MISSING_WORDS, 23, "VolumeBinding", \
	    "\"node(s) unavailable due to\" claims of missing volumes") \
	RELEASE_CHANGE(VOLUME_LOST, 23, "VolumeBinding", \
	    "a claim in phase Lost refuses every node; other words about " \
	    "ephemeral claims") \
	RELEASE_CHANGE(VOLUME_HOSTS, 27, "VolumeBinding", \
	    "hostnames in the affinity of bound volumes count as names of the only " \
	    "nodes") \
	RELEASE_CHANGE(VOLUME_HOSTS_GONE, 32, "VolumeBinding", \
	    "hostnames in the affinity of bound volumes do not count as names") \
	FIELD_CHANGE(VOLUME_AFFINITY_WORDS, 33, "VolumeBinding", \
	    "\"didn't match PersistentVolume's node affinity\"") \
	FIELD_CHANGE(DEVICES, 32, "DynamicResources", \
	    "devices are allocated to claims") \
	FIELD_CHANGE(EXTENDED_DEVICES, 36, "DynamicResources", \
	    "extended resources of a DeviceClass") \
	FIELD_CHANGE(CLAIM_OWNER_WORDS, 36, "DynamicResources", \
	    "\"Pod is not owner\", not \"pod is not owner\"") \
	RELEASE_CHANGE(DEVICE_FILTER_TIMEOUT, 34, "DynamicResources", \
	    "filterTimeout is 10s by default; there was none") \
	RELEASE_CHANGE(DEVICE_BINDING_TIMEOUT, 36, "DynamicResources", \
	    "bindingTimeout is 10m by default; there was none") \
	FIELD_CHANGE(SIDECAR_PORTS, 34, "NodePorts", \
	    "host ports of sidecars count") \
	FIELD_CHANGE(TOLERATION_OPERATORS, 35, "TaintToleration", \
	    "the operators Gt and Lt, by gate") \
	RELEASE_CHANGE(ENQUEUE, 27, "SchedulingGates", \
	    "PreEnqueue holds pods with scheduling gates") \
	FIELD_CHANGE(PREEMPTION_COUNTS_BUDGETS, 18, "DefaultPreemption", \
	    "budgets are counted down, from the most important pod on") \
	RELEASE_CHANGE(PREEMPTION_NEEDS_VICTIMS, 20, "DefaultPreemption", \
	    "a node without victims is no candidate") \
	FIELD_CHANGE(PREEMPTION_AGAIN, 20, "DefaultPreemption", \
	    "another node is tried where eviction cannot help on the nominated one") \
	FIELD_CHANGE(NOMINATED_FIRST, 22, "DefaultPreemption", \
	    "the nominated node is tried first") \
	RELEASE_CHANGE(PREEMPTION_WORDS, 24, "DefaultPreemption", \
	    "the message says why evictions do not help") \
	FIELD_CHANGE(PREEMPTION_MARKS, 26, "DefaultPreemption", \
	    "victims have the condition DisruptionTarget") \
	FIELD_CHANGE(PREEMPTION_SORTS, 29, "DefaultPreemption", \
	    "victims are sorted, the most important first")
/* clang-format on */

enum {
#define SINCE(name, since, rule, what) SINCE_##name = (since),
	RELEASE_CHANGES(SINCE, SINCE)
#undef SINCE
};

/* A row of the table. */
struct release_change {
	int since;
	const char *rule, *what;
	bool in_policies; /* it counts in policies, too */
};

/* The row after this one (NULL: the first) that is a change on the way from one minor
 * release to another; NULL: there are no more. */
const struct release_change *
release_change_next(const struct release_change *row, int from, int to);

#endif
