/*
 * Every field and kind of object of Kubernetes, up to 1.36, that can steer where pods go
 * and is not honoured; doc/fields.md has a row for each (t/model/steering.c compares
 * them), and those that are.
 *
 *	UNSUPPORTED(id, name, group, kind, path, since, why)
 *		name: for --ignore-unsupported
 *		group: its API group, "" for the core group
 *		path: "" stands for objects of this kind as a whole; [] for
 *		every element, * for any name
 *		since: the minor release from which it counts
 *		why: ends the sentence "PATH is not supported: "
 *
 * Pods with a field whose kind is Pod are held (predicates/unsupported_fields.c).  Other
 * rows cannot lead to a wrong placement alone: predicatectl names them.
 */
/* clang-format off */

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
