/*
 * The rules that refuse pods: REFUSER(id, name), by kube-scheduler's plugins of 1.36
 * that have them; others by those of 1.20.
 */
/* clang-format off */

REFUSER(NODE_NAME, "NodeName")
REFUSER(NODE_PORTS, "NodePorts")
REFUSER(NODE_AFFINITY, "NodeAffinity")
REFUSER(NODE_RESOURCES_FIT, "NodeResourcesFit")
REFUSER(NODE_UNSCHEDULABLE, "NodeUnschedulable")
REFUSER(TAINT_TOLERATION, "TaintToleration")
REFUSER(VOLUME_RESTRICTIONS, "VolumeRestrictions")
REFUSER(NODE_VOLUME_LIMITS, "NodeVolumeLimits")
REFUSER(VOLUME_BINDING, "VolumeBinding")
REFUSER(VOLUME_ZONE, "VolumeZone")
REFUSER(POD_TOPOLOGY_SPREAD, "PodTopologySpread")
REFUSER(INTER_POD_AFFINITY, "InterPodAffinity") /* the pod's own terms */
REFUSER(EXISTING_ANTI_AFFINITY, "InterPodAffinity") /* those of pods on nodes */
REFUSER(DYNAMIC_RESOURCES, "DynamicResources")
REFUSER(NODE_DECLARED_FEATURES, "NodeDeclaredFeatures")
REFUSER(UNSUPPORTED_FIELDS, "UnsupportedFields")
REFUSER(NODE_LABEL, "NodeLabel")
REFUSER(SERVICE_AFFINITY, "ServiceAffinity")
REFUSER(OTHER, "Other")
