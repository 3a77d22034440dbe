#include "config.h"

#include "model/kinds.h"

#include "model/sticky_job.h"

#define VERSIONS(...) ((const char *const[]){ __VA_ARGS__, NULL })

const struct api_kind api_kinds[OBJECT_KINDS] = {
	/* clang-format off */
	{ OBJECT_NODE, "nodes", VERSIONS("v1"), 0, KIND_ALWAYS },
	{ OBJECT_POD, "pods", VERSIONS("v1"), 0, KIND_ALWAYS },
	{ OBJECT_NAMESPACE, "namespaces", VERSIONS("v1"), 0, KIND_ALWAYS },
	{ OBJECT_SERVICE, "services", VERSIONS("v1"), 0, KIND_ALWAYS },
	{ OBJECT_REPLICATION_CONTROLLER, "replicationcontrollers",
	  VERSIONS("v1"), 0, KIND_ALWAYS },
	{ OBJECT_REPLICA_SET, "replicasets", VERSIONS("apps/v1"), 0,
	  KIND_ALWAYS },
	{ OBJECT_STATEFUL_SET, "statefulsets", VERSIONS("apps/v1"), 0,
	  KIND_ALWAYS },
	{ OBJECT_PERSISTENT_VOLUME, "persistentvolumes", VERSIONS("v1"), 0,
	  KIND_ALWAYS },
	{ OBJECT_PERSISTENT_VOLUME_CLAIM, "persistentvolumeclaims",
	  VERSIONS("v1"), 0, KIND_ALWAYS },
	{ OBJECT_STORAGE_CLASS, "storageclasses",
	  VERSIONS("storage.k8s.io/v1"), 0, KIND_ALWAYS },
	{ OBJECT_CSI_NODE, "csinodes",
	  VERSIONS("storage.k8s.io/v1", "storage.k8s.io/v1beta1"), 0,
	  KIND_ALWAYS },
	{ OBJECT_POD_DISRUPTION_BUDGET, "poddisruptionbudgets",
	  VERSIONS("policy/v1", "policy/v1beta1"), 0, KIND_ALWAYS },
	{ OBJECT_PRIORITY_CLASS, "priorityclasses",
	  VERSIONS("scheduling.k8s.io/v1"), 0, KIND_FOR_NEW_PODS },
	{ OBJECT_CSI_DRIVER, "csidrivers", VERSIONS("storage.k8s.io/v1"), 21,
	  KIND_ALWAYS },
	{ OBJECT_CSI_STORAGE_CAPACITY, "csistoragecapacities",
	  VERSIONS("storage.k8s.io/v1", "storage.k8s.io/v1beta1"), 21,
	  KIND_ALWAYS },
	{ OBJECT_RESOURCE_CLAIM, "resourceclaims",
	  VERSIONS("resource.k8s.io/v1", "resource.k8s.io/v1beta2",
	    "resource.k8s.io/v1beta1"), 26, KIND_ALWAYS },
	{ OBJECT_RESOURCE_SLICE, "resourceslices",
	  VERSIONS("resource.k8s.io/v1", "resource.k8s.io/v1beta2",
	    "resource.k8s.io/v1beta1"), 32, KIND_FOR_DEVICES },
	{ OBJECT_DEVICE_CLASS, "deviceclasses",
	  VERSIONS("resource.k8s.io/v1", "resource.k8s.io/v1beta2",
	    "resource.k8s.io/v1beta1"), 32, KIND_FOR_DEVICES },
	{ OBJECT_DEVICE_TAINT_RULE, "devicetaintrules",
	  VERSIONS("resource.k8s.io/v1beta2", "resource.k8s.io/v1alpha3"), 33,
	  KIND_FOR_DEVICES },
	{ OBJECT_VOLUME_ATTACHMENT, "volumeattachments",
	  VERSIONS("storage.k8s.io/v1"), 34, KIND_ALWAYS },
	{ OBJECT_DISTRIBUTION_POLICY, "distributionpolicies",
	  VERSIONS("kosmos.io/v1alpha1"), 0, KIND_FOR_KOSMOS },
	{ OBJECT_CLUSTER_DISTRIBUTION_POLICY, "clusterdistributionpolicies",
	  VERSIONS("kosmos.io/v1alpha1"), 0, KIND_FOR_KOSMOS },
	{ OBJECT_STICKY_JOB, STICKY_JOB_RESOURCE, VERSIONS(STICKY_JOB_VERSION),
	  0, KIND_FOR_STICKY_JOB },
	/* clang-format on */
};
