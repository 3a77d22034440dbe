/*
 * Every field and kind of object of Kubernetes, up to 1.36, that can steer where
 * pods go.  A new release's fields are added here; doc/fields.md has a row for
 * each (t/model/steering.c compares them).
 *
 *	HONOURED(area, kind, path, since, where)
 *		path: "" stands for objects of this kind as a whole; [] for
 *		every element, * for any name
 *		since: the minor release from which it counts; 15: always
 *		where: the source file
 *	UNSUPPORTED(id, name, group, kind, path, since, why)
 *		name: for --ignore-unsupported
 *		group: its API group, "" for the core group
 *		why: ends the sentence "PATH is not supported: "
 *
 * Pods with an UNSUPPORTED field whose kind is Pod are held
 * (predicates/unsupported_fields.c).  Other UNSUPPORTED rows cannot lead to a
 * wrong placement alone: predicatectl names them.
 */
/* clang-format off */

HONOURED(RESOURCES, "Pod", "spec.containers[].resources.requests", 15, "predicates/pod_fits_resources.c")
HONOURED(RESOURCES, "Pod", "spec.containers[].resources.limits", 15, "priorities/resource_limits_priority.c")
HONOURED(RESOURCES, "Pod", "spec.initContainers[].resources.requests", 15, "predicates/pod_fits_resources.c")
HONOURED(RESOURCES, "Pod", "spec.initContainers[].restartPolicy", 28, "model/pod_requests.c")
HONOURED(RESOURCES, "Pod", "spec.overhead", 18, "model/pod_requests.c")
HONOURED(RESOURCES, "Pod", "spec.resources", 32, "model/pod_requests.c")
HONOURED(RESOURCES, "Pod", "status.containerStatuses[].resources", 27, "model/pod_requests.c")
HONOURED(RESOURCES, "Pod", "status.containerStatuses[].allocatedResources", 27, "model/pod_requests.c")
HONOURED(RESOURCES, "Pod", "status.initContainerStatuses[].resources", 27, "model/pod_requests.c")
HONOURED(RESOURCES, "Pod", "status.initContainerStatuses[].allocatedResources", 27, "model/pod_requests.c")
HONOURED(RESOURCES, "Pod", "status.resources", 35, "model/pod_requests.c")
HONOURED(RESOURCES, "Pod", "status.allocatedResources", 35, "model/pod_requests.c")
HONOURED(RESOURCES, "Pod", "status.conditions[PodResizePending]", 33, "model/pod_requests.c")
HONOURED(RESOURCES, "Pod", "spec.containers[].restartPolicyRules", 35, "predicates/node_declared_features.c")
HONOURED(RESOURCES, "Pod", "spec.hostUsers", 35, "predicates/node_declared_features.c")
HONOURED(RESOURCES, "Pod", "spec.containers[].ports[].hostPort", 15, "predicates/pod_fits_host_ports.c")
HONOURED(RESOURCES, "Pod", "spec.initContainers[].ports[].hostPort", 34, "predicates/pod_fits_host_ports.c")
HONOURED(RESOURCES, "Pod", "spec.containers[].image", 15, "priorities/image_locality_priority.c")
HONOURED(RESOURCES, "Pod", "spec.initContainers[].image", 30, "priorities/image_locality_priority.c")
HONOURED(RESOURCES, "Pod", "spec.volumes[].image", 36, "priorities/image_locality_priority.c")
HONOURED(RESOURCES, "Pod", "spec.tolerations", 15, "predicates/pod_tolerates_node_taints.c")
HONOURED(RESOURCES, "Pod", "spec.tolerations[].operator", 35, "model/pod_class_decode.c")
HONOURED(RESOURCES, "Pod", "spec.schedulingGates", 26, "predicates/scheduling_gates.c")
HONOURED(RESOURCES, "Pod", "spec.schedulerName", 15, "daemon/caches.c")
HONOURED(RESOURCES, "Pod", "spec.nodeName", 15, "predicates/host_name.c")
HONOURED(RESOURCES, "Pod", "spec.priority", 15, "sched/preempt.c")
HONOURED(RESOURCES, "Pod", "spec.preemptionPolicy", 15, "sched/preempt.c")
HONOURED(RESOURCES, "Pod", "status.nominatedNodeName", 15, "sched/decide.c")
HONOURED(RESOURCES, "Node", "spec.unschedulable", 15, "predicates/check_node_unschedulable.c")
HONOURED(RESOURCES, "Node", "spec.taints", 15, "predicates/pod_tolerates_node_taints.c")
HONOURED(RESOURCES, "Node", "status.allocatable", 15, "predicates/pod_fits_resources.c")
HONOURED(RESOURCES, "Node", "status.conditions", 15, "predicates/check_node_condition.c")
HONOURED(RESOURCES, "Node", "status.images", 15, "priorities/image_locality_priority.c")
HONOURED(RESOURCES, "Node", "status.declaredFeatures", 35, "predicates/node_declared_features.c")
HONOURED(RESOURCES, "Node", "metadata.annotations[scheduler.alpha.kubernetes.io/preferAvoidPods]", 15, "priorities/node_prefer_avoid_pods_priority.c")
HONOURED(RESOURCES, "PriorityClass", "", 15, "ctl/load.c")
HONOURED(RESOURCES, "PodDisruptionBudget", "status.disruptionsAllowed", 15, "sched/preempt.c")

HONOURED(AFFINITY, "Pod", "metadata.labels", 15, "predicates/match_inter_pod_affinity.c")
HONOURED(AFFINITY, "Pod", "metadata.deletionTimestamp", 15, "model/pod_class_decode.c")
HONOURED(AFFINITY, "Pod", "metadata.ownerReferences", 15, "priorities/spreading.c")
HONOURED(AFFINITY, "Pod", "spec.nodeSelector", 15, "predicates/match_node_selector.c")
HONOURED(AFFINITY, "Pod", "spec.affinity.nodeAffinity", 15, "predicates/match_node_selector.c")
HONOURED(AFFINITY, "Pod", "spec.affinity.podAffinity", 15, "predicates/match_inter_pod_affinity.c")
HONOURED(AFFINITY, "Pod", "spec.affinity.podAntiAffinity", 15, "predicates/match_inter_pod_affinity.c")
HONOURED(AFFINITY, "Pod", "spec.affinity.*.namespaceSelector", 21, "predicates/match_inter_pod_affinity.c")
HONOURED(AFFINITY, "Pod", "spec.affinity.*.matchLabelKeys", 29, "model/pod_class_decode.c")
HONOURED(AFFINITY, "Pod", "spec.affinity.*.mismatchLabelKeys", 29, "model/pod_class_decode.c")
HONOURED(AFFINITY, "Pod", "spec.topologySpreadConstraints", 18, "predicates/even_pods_spread.c")
HONOURED(AFFINITY, "Pod", "spec.topologySpreadConstraints[].minDomains", 24, "predicates/even_pods_spread.c")
HONOURED(AFFINITY, "Pod", "spec.topologySpreadConstraints[].nodeAffinityPolicy", 25, "predicates/even_pods_spread.c")
HONOURED(AFFINITY, "Pod", "spec.topologySpreadConstraints[].nodeTaintsPolicy", 25, "predicates/even_pods_spread.c")
HONOURED(AFFINITY, "Pod", "spec.topologySpreadConstraints[].matchLabelKeys", 25, "model/pod_class_decode.c")
HONOURED(AFFINITY, "Node", "metadata.labels", 15, "predicates/match_node_selector.c")
HONOURED(AFFINITY, "Namespace", "metadata.labels", 21, "predicates/match_inter_pod_affinity.c")
HONOURED(AFFINITY, "Service", "spec.selector", 15, "priorities/spreading.c")
HONOURED(AFFINITY, "ReplicationController", "spec.selector", 15, "priorities/spreading.c")
HONOURED(AFFINITY, "ReplicaSet", "spec.selector", 15, "priorities/spreading.c")
HONOURED(AFFINITY, "StatefulSet", "spec.selector", 15, "priorities/spreading.c")

HONOURED(VOLUMES, "Pod", "spec.volumes[].persistentVolumeClaim", 15, "predicates/check_volume_binding.c")
HONOURED(VOLUMES, "Pod", "spec.volumes[].ephemeral", 21, "predicates/check_volume_binding.c")
HONOURED(VOLUMES, "Pod", "spec.volumes[].gcePersistentDisk", 15, "predicates/no_disk_conflict.c")
HONOURED(VOLUMES, "Pod", "spec.volumes[].awsElasticBlockStore", 15, "predicates/no_disk_conflict.c")
HONOURED(VOLUMES, "Pod", "spec.volumes[].rbd", 15, "predicates/no_disk_conflict.c")
HONOURED(VOLUMES, "Pod", "spec.volumes[].iscsi", 15, "predicates/no_disk_conflict.c")
HONOURED(VOLUMES, "Pod", "spec.volumes[].azureDisk", 15, "predicates/volume_count.c")
HONOURED(VOLUMES, "Pod", "spec.volumes[].cinder", 15, "predicates/volume_count.c")
HONOURED(VOLUMES, "Pod", "spec.resourceClaims", 26, "predicates/dynamic_resources.c")
HONOURED(VOLUMES, "Pod", "status.resourceClaimStatuses", 26, "predicates/dynamic_resources.c")
HONOURED(VOLUMES, "PersistentVolume", "", 15, "cluster/volume_binding.c")
HONOURED(VOLUMES, "PersistentVolume", "metadata.labels", 15, "predicates/no_volume_zone_conflict.c")
HONOURED(VOLUMES, "PersistentVolume", "spec.nodeAffinity", 15, "cluster/volume_binding.c")
HONOURED(VOLUMES, "PersistentVolume", "spec.volumeAttributesClassName", 34, "cluster/volume_binding.c")
HONOURED(VOLUMES, "PersistentVolumeClaim", "", 15, "cluster/volume_binding.c")
HONOURED(VOLUMES, "PersistentVolumeClaim", "spec.accessModes", 15, "cluster/volume_binding.c")
HONOURED(VOLUMES, "PersistentVolumeClaim", "spec.volumeAttributesClassName", 34, "cluster/volume_binding.c")
HONOURED(VOLUMES, "StorageClass", "allowedTopologies", 15, "cluster/volume_binding.c")
HONOURED(VOLUMES, "StorageClass", "volumeBindingMode", 15, "cluster/volume_binding.c")
HONOURED(VOLUMES, "CSINode", "spec.drivers[].allocatable", 17, "predicates/max_csi_volume_count.c")
HONOURED(VOLUMES, "CSINode", "metadata.annotations[storage.alpha.kubernetes.io/migrated-plugins]", 17, "cluster/volume_binding.c")
HONOURED(VOLUMES, "CSIDriver", "spec.storageCapacity", 21, "cluster/volume_binding.c")
HONOURED(VOLUMES, "CSIStorageCapacity", "", 21, "cluster/volume_binding.c")
HONOURED(VOLUMES, "VolumeAttachment", "", 32, "predicates/max_csi_volume_count.c")
HONOURED(VOLUMES, "ResourceClaim", "status.allocation", 26, "predicates/dynamic_resources.c")
HONOURED(VOLUMES, "ResourceClaim", "status.reservedFor", 26, "predicates/dynamic_resources.c")

UNSUPPORTED(SCHEDULING_GROUP, "schedulingGroup", "", "Pod", "spec.schedulingGroup", 36,
    "its pods would be placed one by one, not as a group")
UNSUPPORTED(WORKLOAD_REF, "workloadRef", "", "Pod", "spec.workloadRef", 35,
    "its pods would be placed one by one, not as a group")
UNSUPPORTED(DEVICE_CLASS_RESOURCES, "deviceClassResources", "", "Pod",
    "spec.containers[].resources.requests[deviceclass.resource.kubernetes.io/*]", 34,
    "devices are not allocated for resource requests")
UNSUPPORTED(NODE_ALLOCATABLE_CLAIMS, "nodeAllocatableClaims", "", "Pod",
    "status.nodeAllocatableResourceClaimStatuses", 36,
    "resources that its device claims take from the node would not be counted")
UNSUPPORTED(EXTENDED_RESOURCES, "extendedResources", "resource.k8s.io", "DeviceClass",
    "spec.extendedResourceName", 34,
    "the resource counts only where a node's status.allocatable has it")
UNSUPPORTED(DRIVER_PRESENCE, "driverPresence", "storage.k8s.io", "CSIDriver",
    "spec.preventPodSchedulingIfMissing", 35,
    "nodes without the driver are not refused")
UNSUPPORTED(POD_GROUP, "podGroups", "scheduling.k8s.io", "PodGroup", "", 36,
    "pods that name one are held")
UNSUPPORTED(WORKLOAD, "workloads", "scheduling.k8s.io", "Workload", "", 35,
    "pods that name one are held")

/* clang-format on */
