/*
 * Every plugin: PLUGIN(NUMBER, x) stands for plugin_x, in the file of its rule.
 *
 * Here also stand those that refuse pods and are plugins in no configuration.
 */
/* clang-format off */
PLUGIN(OTHER, other) /* 0: what is of no plugin */
PLUGIN(NODE_UNSCHEDULABLE, node_unschedulable)
PLUGIN(NODE_NAME, node_name)
PLUGIN(TAINT_TOLERATION, taint_toleration)
PLUGIN(NODE_AFFINITY, node_affinity)
PLUGIN(NODE_PORTS, node_ports)
PLUGIN(NODE_RESOURCES_FIT, node_resources_fit)
PLUGIN(VOLUME_RESTRICTIONS, volume_restrictions)
PLUGIN(NODE_VOLUME_LIMITS, node_volume_limits)
PLUGIN(VOLUME_BINDING, volume_binding)
PLUGIN(VOLUME_ZONE, volume_zone)
PLUGIN(POD_TOPOLOGY_SPREAD, pod_topology_spread)
PLUGIN(INTER_POD_AFFINITY, inter_pod_affinity) /* the pod's own terms */
PLUGIN(EXISTING_ANTI_AFFINITY, existing_anti_affinity) /* those of pods on nodes */
PLUGIN(DYNAMIC_RESOURCES, dynamic_resources)
PLUGIN(NODE_DECLARED_FEATURES, node_declared_features)
PLUGIN(NODE_LABEL, node_label)
PLUGIN(SERVICE_AFFINITY, service_affinity)
PLUGIN(UNSUPPORTED_FIELDS, unsupported_fields)
/* clang-format on */
