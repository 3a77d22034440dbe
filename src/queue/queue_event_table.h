/*
 * Every event: QUEUE_EVENT(id, name), the name as kube-scheduler has it.
 */
/* clang-format off */

QUEUE_EVENT(NO_EVENT, "") /* nothing that matters to pods that wait */

/* Of a pod itself. */
QUEUE_EVENT(POD_ADD, "PodAdd")
QUEUE_EVENT(POD_UPDATE, "PodUpdate")
QUEUE_EVENT(ATTEMPT_FAILURE, "ScheduleAttemptFailure")
QUEUE_EVENT(BACKOFF_COMPLETE, "BackoffComplete")
QUEUE_EVENT(UNSCHEDULABLE_TIMEOUT, "UnschedulableTimeout")

/* Of the cluster: these may make other pods schedulable. */
QUEUE_EVENT(NODE_ADD, "NodeAdd")
QUEUE_EVENT(NODE_UNSCHEDULABLE_CHANGE, "NodeSpecUnschedulableChange")
QUEUE_EVENT(NODE_ALLOCATABLE_CHANGE, "NodeAllocatableChange")
QUEUE_EVENT(NODE_LABEL_CHANGE, "NodeLabelChange")
QUEUE_EVENT(NODE_TAINT_CHANGE, "NodeTaintChange")
QUEUE_EVENT(NODE_CONDITION_CHANGE, "NodeConditionChange")
QUEUE_EVENT(NODE_FEATURE_CHANGE, "UpdateNodeDeclaredFeature")
/* None of the five above; kube-scheduler's name for it is "Unknown". */
QUEUE_EVENT(NODE_OTHER_CHANGE, "Unknown")
QUEUE_EVENT(NODE_DELETE, "NodeDelete")
QUEUE_EVENT(ASSIGNED_POD_ADD, "AssignedPodAdd")
QUEUE_EVENT(ASSIGNED_POD_UPDATE, "AssignedPodUpdate")
QUEUE_EVENT(ASSIGNED_POD_DELETE, "AssignedPodDelete")
QUEUE_EVENT(PV_ADD, "PvAdd")
QUEUE_EVENT(PV_UPDATE, "PvUpdate")
QUEUE_EVENT(PVC_ADD, "PvcAdd")
QUEUE_EVENT(PVC_UPDATE, "PvcUpdate")
QUEUE_EVENT(STORAGE_CLASS_ADD, "StorageClassAdd")
QUEUE_EVENT(STORAGE_CLASS_UPDATE, "StorageClassUpdate")
QUEUE_EVENT(SERVICE_ADD, "ServiceAdd")
QUEUE_EVENT(SERVICE_UPDATE, "ServiceUpdate")
QUEUE_EVENT(SERVICE_DELETE, "ServiceDelete")
QUEUE_EVENT(CSI_NODE_ADD, "CSINodeAdd")
QUEUE_EVENT(CSI_NODE_UPDATE, "CSINodeUpdate")
QUEUE_EVENT(CSI_DRIVER_ADD, "CSIDriverAdd")
QUEUE_EVENT(CSI_DRIVER_UPDATE, "CSIDriverUpdate")
QUEUE_EVENT(CSI_DRIVER_DELETE, "CSIDriverDelete")
QUEUE_EVENT(CSI_STORAGE_CAPACITY_ADD, "CSIStorageCapacityAdd")
QUEUE_EVENT(CSI_STORAGE_CAPACITY_UPDATE, "CSIStorageCapacityUpdate")
QUEUE_EVENT(VOLUME_ATTACHMENT_DELETE, "VolumeAttachmentDelete")
QUEUE_EVENT(RESOURCE_CLAIM_ADD, "ResourceClaimAdd")
QUEUE_EVENT(RESOURCE_CLAIM_UPDATE, "ResourceClaimUpdate")
QUEUE_EVENT(RESOURCE_CLAIM_DELETE, "ResourceClaimDelete")
QUEUE_EVENT(RESOURCE_SLICE_ADD, "ResourceSliceAdd")
QUEUE_EVENT(RESOURCE_SLICE_UPDATE, "ResourceSliceUpdate")
QUEUE_EVENT(RESOURCE_SLICE_DELETE, "ResourceSliceDelete")
QUEUE_EVENT(DEVICE_CLASS_ADD, "DeviceClassAdd")
QUEUE_EVENT(DEVICE_CLASS_UPDATE, "DeviceClassUpdate")
QUEUE_EVENT(ASSIGNED_POD_SCALE_DOWN, "AssignedPodUpdatePodScaleDown") /* it requests less than before */

/* Ours alone. */
QUEUE_EVENT(NAMESPACE_CHANGE, "NamespaceLabelChange") /* its labels */
QUEUE_EVENT(POLICY_CHANGE, "PolicyChange") /* another policy was read */
QUEUE_EVENT(SWEEP, "Sweep") /* queue_sweep() found it in no queue */
