/*
 * Every event: QUEUE_EVENT(id, name, since_32), the name as kube-scheduler has it,
 * and from 1.32 on.
 */
/* clang-format off */

QUEUE_EVENT(NO_EVENT, "", "") /* nothing that matters to pods that wait */

/* Of a pod itself. */
QUEUE_EVENT(POD_ADD, "PodAdd", "UnschedulablePodAdd")
QUEUE_EVENT(POD_UPDATE, "PodUpdate", "UnschedulablePodUpdate")
QUEUE_EVENT(POD_UPDATE_LABEL, "PodUpdate", "UnschedulablePodUpdatePodLabel")
QUEUE_EVENT(POD_UPDATE_SCALE_DOWN, "PodUpdate", "UnschedulablePodUpdatePodScaleDown")
QUEUE_EVENT(POD_UPDATE_TOLERATION, "PodUpdate", "UnschedulablePodUpdatePodToleration")
QUEUE_EVENT(POD_UPDATE_CLAIMS, "PodUpdate", "UnschedulablePodUpdatePodGeneratedResourceClaim")
QUEUE_EVENT(POD_UPDATE_GATES, "PodUpdate", "UnschedulablePodUpdatePodSchedulingGatesEliminated")
QUEUE_EVENT(ATTEMPT_FAILURE, "ScheduleAttemptFailure", "ScheduleAttemptFailure")
QUEUE_EVENT(BACKOFF_COMPLETE, "BackoffComplete", "BackoffComplete")
QUEUE_EVENT(UNSCHEDULABLE_TIMEOUT, "UnschedulableTimeout", "UnschedulableTimeout")

/* Of the cluster: these may make other pods schedulable. */
QUEUE_EVENT(NODE_ADD, "NodeAdd", "NodeAdd")
QUEUE_EVENT(NODE_UNSCHEDULABLE_CHANGE, "NodeSpecUnschedulableChange", "NodeUpdateNodeTaint")
QUEUE_EVENT(NODE_ALLOCATABLE_CHANGE, "NodeAllocatableChange", "NodeUpdateNodeAllocatable")
QUEUE_EVENT(NODE_LABEL_CHANGE, "NodeLabelChange", "NodeUpdateNodeLabel")
QUEUE_EVENT(NODE_TAINT_CHANGE, "NodeTaintChange", "NodeUpdateNodeTaint")
QUEUE_EVENT(NODE_CONDITION_CHANGE, "NodeConditionChange", "NodeUpdateNodeCondition")
QUEUE_EVENT(NODE_FEATURE_CHANGE, "UpdateNodeDeclaredFeature", "NodeUpdateNodeDeclaredFeature")
/* None of the five above; kube-scheduler's name for it is "Unknown". */
QUEUE_EVENT(NODE_OTHER_CHANGE, "Unknown", "NodeUpdate")
QUEUE_EVENT(NODE_DELETE, "NodeDelete", "NodeDelete")
QUEUE_EVENT(ASSIGNED_POD_ADD, "AssignedPodAdd", "AssignedPodAdd")
QUEUE_EVENT(ASSIGNED_POD_UPDATE, "AssignedPodUpdate", "AssignedPodUpdatePodLabel")
QUEUE_EVENT(ASSIGNED_POD_DELETE, "AssignedPodDelete", "AssignedPodDelete")
QUEUE_EVENT(PV_ADD, "PvAdd", "PersistentVolumeAdd")
QUEUE_EVENT(PV_UPDATE, "PvUpdate", "PersistentVolumeUpdate")
QUEUE_EVENT(PVC_ADD, "PvcAdd", "PersistentVolumeClaimAdd")
QUEUE_EVENT(PVC_UPDATE, "PvcUpdate", "PersistentVolumeClaimUpdate")
QUEUE_EVENT(STORAGE_CLASS_ADD, "StorageClassAdd", "storage.k8s.io/StorageClassAdd")
QUEUE_EVENT(STORAGE_CLASS_UPDATE, "StorageClassUpdate", "storage.k8s.io/StorageClassUpdate")
QUEUE_EVENT(SERVICE_ADD, "ServiceAdd", "ServiceAdd")
QUEUE_EVENT(SERVICE_UPDATE, "ServiceUpdate", "ServiceUpdate")
QUEUE_EVENT(SERVICE_DELETE, "ServiceDelete", "ServiceDelete")
QUEUE_EVENT(CSI_NODE_ADD, "CSINodeAdd", "storage.k8s.io/CSINodeAdd")
QUEUE_EVENT(CSI_NODE_UPDATE, "CSINodeUpdate", "storage.k8s.io/CSINodeUpdate")
QUEUE_EVENT(CSI_DRIVER_ADD, "CSIDriverAdd", "storage.k8s.io/CSIDriverAdd")
QUEUE_EVENT(CSI_DRIVER_UPDATE, "CSIDriverUpdate", "storage.k8s.io/CSIDriverUpdate")
QUEUE_EVENT(CSI_DRIVER_DELETE, "CSIDriverDelete", "storage.k8s.io/CSIDriverDelete")
QUEUE_EVENT(CSI_STORAGE_CAPACITY_ADD, "CSIStorageCapacityAdd", "storage.k8s.io/CSIStorageCapacityAdd")
QUEUE_EVENT(CSI_STORAGE_CAPACITY_UPDATE, "CSIStorageCapacityUpdate", "storage.k8s.io/CSIStorageCapacityUpdate")
QUEUE_EVENT(VOLUME_ATTACHMENT_DELETE, "VolumeAttachmentDelete", "storage.k8s.io/VolumeAttachmentDelete")
QUEUE_EVENT(RESOURCE_CLAIM_ADD, "ResourceClaimAdd", "resource.k8s.io/ResourceClaimAdd")
QUEUE_EVENT(RESOURCE_CLAIM_UPDATE, "ResourceClaimUpdate", "resource.k8s.io/ResourceClaimUpdate")
QUEUE_EVENT(RESOURCE_CLAIM_DELETE, "ResourceClaimDelete", "resource.k8s.io/ResourceClaimDelete")
QUEUE_EVENT(RESOURCE_SLICE_ADD, "ResourceSliceAdd", "resource.k8s.io/ResourceSliceAdd")
QUEUE_EVENT(RESOURCE_SLICE_UPDATE, "ResourceSliceUpdate", "resource.k8s.io/ResourceSliceUpdate")
QUEUE_EVENT(RESOURCE_SLICE_DELETE, "ResourceSliceDelete", "resource.k8s.io/ResourceSliceDelete")
QUEUE_EVENT(DEVICE_CLASS_ADD, "DeviceClassAdd", "resource.k8s.io/DeviceClassAdd")
QUEUE_EVENT(DEVICE_CLASS_UPDATE, "DeviceClassUpdate", "resource.k8s.io/DeviceClassUpdate")
QUEUE_EVENT(ASSIGNED_POD_SCALE_DOWN, "AssignedPodUpdatePodScaleDown", "AssignedPodUpdatePodScaleDown") /* it requests less than before */

/* Ours alone. */
QUEUE_EVENT(NAMESPACE_CHANGE, "NamespaceLabelChange", "NamespaceLabelChange") /* its labels */
QUEUE_EVENT(POLICY_CHANGE, "PolicyChange", "PolicyChange") /* another policy was read */
QUEUE_EVENT(SWEEP, "Sweep", "Sweep") /* queue_sweep() found it in no queue */
