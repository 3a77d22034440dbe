/*
 * Kubernetes' messages: made by script/protobuf-table, not by hand.
 *
 *	MESSAGE(name, fields)
 *	FIELD(number, JSON name, kind, count, when)
 *	MESSAGE_FIELD(number, JSON name, message, count, when)
 *
 * See protobuf_tree.c for the values of kind, count and when.
 */
/* clang-format off */
MESSAGE(OwnerReference,
	FIELD(1, "kind", STRING, ONE, SHOWN),
	FIELD(3, "name", STRING, ONE, SHOWN),
	FIELD(4, "uid", STRING, ONE, SHOWN),
	FIELD(5, "apiVersion", STRING, ONE, SHOWN),
	FIELD(6, "controller", BOOL, ONE, SHOWN),
	FIELD(7, "blockOwnerDeletion", BOOL, ONE, SHOWN))
MESSAGE(Initializer,
	FIELD(1, "name", STRING, ONE, SHOWN))
MESSAGE(ShardInfo,
	FIELD(1, "selector", STRING, ONE, SHOWN))
MESSAGE(ListMeta,
	FIELD(1, "selfLink", STRING, ONE, IF_SET),
	FIELD(2, "resourceVersion", STRING, ONE, IF_SET),
	FIELD(3, "continue", STRING, ONE, IF_SET),
	FIELD(4, "remainingItemCount", INT64, ONE, SHOWN),
	MESSAGE_FIELD(5, "shardInfo", ShardInfo, ONE, SHOWN))
MESSAGE(StatusCause,
	FIELD(1, "reason", STRING, ONE, IF_SET),
	FIELD(2, "message", STRING, ONE, IF_SET),
	FIELD(3, "field", STRING, ONE, IF_SET))
MESSAGE(StatusDetails,
	FIELD(1, "name", STRING, ONE, IF_SET),
	FIELD(2, "group", STRING, ONE, IF_SET),
	FIELD(3, "kind", STRING, ONE, IF_SET),
	MESSAGE_FIELD(4, "causes", StatusCause, LIST, SHOWN),
	FIELD(5, "retryAfterSeconds", INT32, ONE, IF_SET),
	FIELD(6, "uid", STRING, ONE, IF_SET))
MESSAGE(Status,
	MESSAGE_FIELD(1, "metadata", ListMeta, ONE, SHOWN),
	FIELD(2, "status", STRING, ONE, IF_SET),
	FIELD(3, "message", STRING, ONE, IF_SET),
	FIELD(4, "reason", STRING, ONE, IF_SET),
	MESSAGE_FIELD(5, "details", StatusDetails, ONE, SHOWN),
	FIELD(6, "code", INT32, ONE, IF_SET))
MESSAGE(Initializers,
	MESSAGE_FIELD(1, "pending", Initializer, LIST, NULL_IF_NONE),
	MESSAGE_FIELD(2, "result", Status, ONE, SHOWN))
MESSAGE(ObjectMeta,
	FIELD(1, "name", STRING, ONE, IF_SET),
	FIELD(2, "generateName", STRING, ONE, IF_SET),
	FIELD(3, "namespace", STRING, ONE, IF_SET),
	FIELD(4, "selfLink", STRING, ONE, IF_SET),
	FIELD(5, "uid", STRING, ONE, IF_SET),
	FIELD(6, "resourceVersion", STRING, ONE, IF_SET),
	FIELD(7, "generation", INT64, ONE, IF_SET),
	FIELD(8, "creationTimestamp", TIME, ONE, SHOWN),
	FIELD(9, "deletionTimestamp", TIME, ONE, SHOWN),
	FIELD(10, "deletionGracePeriodSeconds", INT64, ONE, SHOWN),
	FIELD(11, "labels", STRING, MAP, SHOWN),
	FIELD(12, "annotations", STRING, MAP, SHOWN),
	MESSAGE_FIELD(13, "ownerReferences", OwnerReference, LIST, SHOWN),
	FIELD(14, "finalizers", STRING, LIST, SHOWN),
	FIELD(15, "clusterName", STRING, ONE, IF_SET),
	MESSAGE_FIELD(16, "initializers", Initializers, ONE, SHOWN))
MESSAGE(HostPathVolumeSource,
	FIELD(1, "path", STRING, ONE, SHOWN),
	FIELD(2, "type", STRING, ONE, SHOWN))
MESSAGE(EmptyDirVolumeSource,
	FIELD(1, "medium", STRING, ONE, IF_SET),
	FIELD(2, "sizeLimit", QUANTITY, ONE, SHOWN))
MESSAGE(GCEPersistentDiskVolumeSource,
	FIELD(1, "pdName", STRING, ONE, SHOWN),
	FIELD(2, "fsType", STRING, ONE, IF_SET),
	FIELD(3, "partition", INT32, ONE, IF_SET),
	FIELD(4, "readOnly", BOOL, ONE, IF_SET))
MESSAGE(AWSElasticBlockStoreVolumeSource,
	FIELD(1, "volumeID", STRING, ONE, SHOWN),
	FIELD(2, "fsType", STRING, ONE, IF_SET),
	FIELD(3, "partition", INT32, ONE, IF_SET),
	FIELD(4, "readOnly", BOOL, ONE, IF_SET))
MESSAGE(GitRepoVolumeSource,
	FIELD(1, "repository", STRING, ONE, SHOWN),
	FIELD(2, "revision", STRING, ONE, IF_SET),
	FIELD(3, "directory", STRING, ONE, IF_SET))
MESSAGE(KeyToPath,
	FIELD(1, "key", STRING, ONE, SHOWN),
	FIELD(2, "path", STRING, ONE, SHOWN),
	FIELD(3, "mode", INT32, ONE, SHOWN))
MESSAGE(SecretVolumeSource,
	FIELD(1, "secretName", STRING, ONE, IF_SET),
	MESSAGE_FIELD(2, "items", KeyToPath, LIST, SHOWN),
	FIELD(3, "defaultMode", INT32, ONE, SHOWN),
	FIELD(4, "optional", BOOL, ONE, SHOWN))
MESSAGE(NFSVolumeSource,
	FIELD(1, "server", STRING, ONE, SHOWN),
	FIELD(2, "path", STRING, ONE, SHOWN),
	FIELD(3, "readOnly", BOOL, ONE, IF_SET))
MESSAGE(LocalObjectReference,
	FIELD(1, "name", STRING, ONE, IF_SET))
MESSAGE(ISCSIVolumeSource,
	FIELD(1, "targetPortal", STRING, ONE, SHOWN),
	FIELD(2, "iqn", STRING, ONE, SHOWN),
	FIELD(3, "lun", INT32, ONE, SHOWN),
	FIELD(4, "iscsiInterface", STRING, ONE, IF_SET),
	FIELD(5, "fsType", STRING, ONE, IF_SET),
	FIELD(6, "readOnly", BOOL, ONE, IF_SET),
	FIELD(7, "portals", STRING, LIST, SHOWN),
	FIELD(8, "chapAuthDiscovery", BOOL, ONE, IF_SET),
	MESSAGE_FIELD(10, "secretRef", LocalObjectReference, ONE, SHOWN),
	FIELD(11, "chapAuthSession", BOOL, ONE, IF_SET),
	FIELD(12, "initiatorName", STRING, ONE, SHOWN))
MESSAGE(GlusterfsVolumeSource,
	FIELD(1, "endpoints", STRING, ONE, SHOWN),
	FIELD(2, "path", STRING, ONE, SHOWN),
	FIELD(3, "readOnly", BOOL, ONE, IF_SET))
MESSAGE(PersistentVolumeClaimVolumeSource,
	FIELD(1, "claimName", STRING, ONE, SHOWN),
	FIELD(2, "readOnly", BOOL, ONE, IF_SET))
MESSAGE(RBDVolumeSource,
	FIELD(1, "monitors", STRING, LIST, NULL_IF_NONE),
	FIELD(2, "image", STRING, ONE, SHOWN),
	FIELD(3, "fsType", STRING, ONE, IF_SET),
	FIELD(4, "pool", STRING, ONE, IF_SET),
	FIELD(5, "user", STRING, ONE, IF_SET),
	FIELD(6, "keyring", STRING, ONE, IF_SET),
	MESSAGE_FIELD(7, "secretRef", LocalObjectReference, ONE, SHOWN),
	FIELD(8, "readOnly", BOOL, ONE, IF_SET))
MESSAGE(FlexVolumeSource,
	FIELD(1, "driver", STRING, ONE, SHOWN),
	FIELD(2, "fsType", STRING, ONE, IF_SET),
	MESSAGE_FIELD(3, "secretRef", LocalObjectReference, ONE, SHOWN),
	FIELD(4, "readOnly", BOOL, ONE, IF_SET),
	FIELD(5, "options", STRING, MAP, SHOWN))
MESSAGE(CinderVolumeSource,
	FIELD(1, "volumeID", STRING, ONE, SHOWN),
	FIELD(2, "fsType", STRING, ONE, IF_SET),
	FIELD(3, "readOnly", BOOL, ONE, IF_SET),
	MESSAGE_FIELD(4, "secretRef", LocalObjectReference, ONE, SHOWN))
MESSAGE(CephFSVolumeSource,
	FIELD(1, "monitors", STRING, LIST, NULL_IF_NONE),
	FIELD(2, "path", STRING, ONE, IF_SET),
	FIELD(3, "user", STRING, ONE, IF_SET),
	FIELD(4, "secretFile", STRING, ONE, IF_SET),
	MESSAGE_FIELD(5, "secretRef", LocalObjectReference, ONE, SHOWN),
	FIELD(6, "readOnly", BOOL, ONE, IF_SET))
MESSAGE(FlockerVolumeSource,
	FIELD(1, "datasetName", STRING, ONE, IF_SET),
	FIELD(2, "datasetUUID", STRING, ONE, IF_SET))
MESSAGE(ObjectFieldSelector,
	FIELD(1, "apiVersion", STRING, ONE, IF_SET),
	FIELD(2, "fieldPath", STRING, ONE, SHOWN))
MESSAGE(ResourceFieldSelector,
	FIELD(1, "containerName", STRING, ONE, IF_SET),
	FIELD(2, "resource", STRING, ONE, SHOWN),
	FIELD(3, "divisor", QUANTITY, ONE, SHOWN))
MESSAGE(DownwardAPIVolumeFile,
	FIELD(1, "path", STRING, ONE, SHOWN),
	MESSAGE_FIELD(2, "fieldRef", ObjectFieldSelector, ONE, SHOWN),
	MESSAGE_FIELD(3, "resourceFieldRef", ResourceFieldSelector, ONE, SHOWN),
	FIELD(4, "mode", INT32, ONE, SHOWN))
MESSAGE(DownwardAPIVolumeSource,
	MESSAGE_FIELD(1, "items", DownwardAPIVolumeFile, LIST, SHOWN),
	FIELD(2, "defaultMode", INT32, ONE, SHOWN))
MESSAGE(FCVolumeSource,
	FIELD(1, "targetWWNs", STRING, LIST, SHOWN),
	FIELD(2, "lun", INT32, ONE, SHOWN),
	FIELD(3, "fsType", STRING, ONE, IF_SET),
	FIELD(4, "readOnly", BOOL, ONE, IF_SET),
	FIELD(5, "wwids", STRING, LIST, SHOWN))
MESSAGE(AzureFileVolumeSource,
	FIELD(1, "secretName", STRING, ONE, SHOWN),
	FIELD(2, "shareName", STRING, ONE, SHOWN),
	FIELD(3, "readOnly", BOOL, ONE, IF_SET))
MESSAGE(ConfigMapVolumeSource,
	MESSAGE_FIELD(1, "", LocalObjectReference, INLINE, SHOWN),
	MESSAGE_FIELD(2, "items", KeyToPath, LIST, SHOWN),
	FIELD(3, "defaultMode", INT32, ONE, SHOWN),
	FIELD(4, "optional", BOOL, ONE, SHOWN))
MESSAGE(VsphereVirtualDiskVolumeSource,
	FIELD(1, "volumePath", STRING, ONE, SHOWN),
	FIELD(2, "fsType", STRING, ONE, IF_SET),
	FIELD(3, "storagePolicyName", STRING, ONE, IF_SET),
	FIELD(4, "storagePolicyID", STRING, ONE, IF_SET))
MESSAGE(QuobyteVolumeSource,
	FIELD(1, "registry", STRING, ONE, SHOWN),
	FIELD(2, "volume", STRING, ONE, SHOWN),
	FIELD(3, "readOnly", BOOL, ONE, IF_SET),
	FIELD(4, "user", STRING, ONE, IF_SET),
	FIELD(5, "group", STRING, ONE, IF_SET),
	FIELD(6, "tenant", STRING, ONE, IF_SET))
MESSAGE(AzureDiskVolumeSource,
	FIELD(1, "diskName", STRING, ONE, SHOWN),
	FIELD(2, "diskURI", STRING, ONE, SHOWN),
	FIELD(3, "cachingMode", STRING, ONE, SHOWN),
	FIELD(4, "fsType", STRING, ONE, SHOWN),
	FIELD(5, "readOnly", BOOL, ONE, SHOWN),
	FIELD(6, "kind", STRING, ONE, SHOWN))
MESSAGE(PhotonPersistentDiskVolumeSource,
	FIELD(1, "pdID", STRING, ONE, SHOWN),
	FIELD(2, "fsType", STRING, ONE, IF_SET))
MESSAGE(PortworxVolumeSource,
	FIELD(1, "volumeID", STRING, ONE, SHOWN),
	FIELD(2, "fsType", STRING, ONE, IF_SET),
	FIELD(3, "readOnly", BOOL, ONE, IF_SET))
MESSAGE(ScaleIOVolumeSource,
	FIELD(1, "gateway", STRING, ONE, SHOWN),
	FIELD(2, "system", STRING, ONE, SHOWN),
	MESSAGE_FIELD(3, "secretRef", LocalObjectReference, ONE, SHOWN),
	FIELD(4, "sslEnabled", BOOL, ONE, IF_SET),
	FIELD(5, "protectionDomain", STRING, ONE, IF_SET),
	FIELD(6, "storagePool", STRING, ONE, IF_SET),
	FIELD(7, "storageMode", STRING, ONE, IF_SET),
	FIELD(8, "volumeName", STRING, ONE, IF_SET),
	FIELD(9, "fsType", STRING, ONE, IF_SET),
	FIELD(10, "readOnly", BOOL, ONE, IF_SET))
MESSAGE(SecretProjection,
	MESSAGE_FIELD(1, "", LocalObjectReference, INLINE, SHOWN),
	MESSAGE_FIELD(2, "items", KeyToPath, LIST, SHOWN),
	FIELD(4, "optional", BOOL, ONE, SHOWN))
MESSAGE(DownwardAPIProjection,
	MESSAGE_FIELD(1, "items", DownwardAPIVolumeFile, LIST, SHOWN))
MESSAGE(ServiceAccountTokenProjection,
	FIELD(1, "audience", STRING, ONE, IF_SET),
	FIELD(2, "expirationSeconds", INT64, ONE, SHOWN),
	FIELD(3, "path", STRING, ONE, SHOWN))
MESSAGE(LabelSelectorRequirement,
	FIELD(1, "key", STRING, ONE, SHOWN),
	FIELD(2, "operator", STRING, ONE, SHOWN),
	FIELD(3, "values", STRING, LIST, SHOWN))
MESSAGE(LabelSelector,
	FIELD(1, "matchLabels", STRING, MAP, SHOWN),
	MESSAGE_FIELD(2, "matchExpressions",
	    LabelSelectorRequirement, LIST, SHOWN))
MESSAGE(ClusterTrustBundleProjection,
	FIELD(1, "name", STRING, ONE, SHOWN),
	FIELD(2, "signerName", STRING, ONE, SHOWN),
	MESSAGE_FIELD(3, "labelSelector", LabelSelector, ONE, SHOWN),
	FIELD(4, "path", STRING, ONE, SHOWN),
	FIELD(5, "optional", BOOL, ONE, SHOWN))
MESSAGE(PodCertificateProjection,
	FIELD(1, "signerName", STRING, ONE, IF_SET),
	FIELD(2, "keyType", STRING, ONE, IF_SET),
	FIELD(3, "maxExpirationSeconds", INT32, ONE, SHOWN),
	FIELD(4, "credentialBundlePath", STRING, ONE, IF_SET),
	FIELD(5, "keyPath", STRING, ONE, IF_SET),
	FIELD(6, "certificateChainPath", STRING, ONE, IF_SET),
	FIELD(7, "userAnnotations", STRING, MAP, SHOWN))
MESSAGE(VolumeProjection,
	MESSAGE_FIELD(1, "secret", SecretProjection, ONE, SHOWN),
	MESSAGE_FIELD(2, "downwardAPI", DownwardAPIProjection, ONE, SHOWN),
	MESSAGE_FIELD(3, "configMap", SecretProjection, ONE, SHOWN),
	MESSAGE_FIELD(4, "serviceAccountToken",
	    ServiceAccountTokenProjection, ONE, SHOWN),
	MESSAGE_FIELD(5, "clusterTrustBundle",
	    ClusterTrustBundleProjection, ONE, SHOWN),
	MESSAGE_FIELD(6, "podCertificate",
	    PodCertificateProjection, ONE, SHOWN))
MESSAGE(ProjectedVolumeSource,
	MESSAGE_FIELD(1, "sources", VolumeProjection, LIST, NULL_IF_NONE),
	FIELD(2, "defaultMode", INT32, ONE, SHOWN))
MESSAGE(StorageOSVolumeSource,
	FIELD(1, "volumeName", STRING, ONE, IF_SET),
	FIELD(2, "volumeNamespace", STRING, ONE, IF_SET),
	FIELD(3, "fsType", STRING, ONE, IF_SET),
	FIELD(4, "readOnly", BOOL, ONE, IF_SET),
	MESSAGE_FIELD(5, "secretRef", LocalObjectReference, ONE, SHOWN))
MESSAGE(CSIVolumeSource,
	FIELD(1, "driver", STRING, ONE, SHOWN),
	FIELD(2, "readOnly", BOOL, ONE, SHOWN),
	FIELD(3, "fsType", STRING, ONE, SHOWN),
	FIELD(4, "volumeAttributes", STRING, MAP, SHOWN),
	MESSAGE_FIELD(5, "nodePublishSecretRef",
	    LocalObjectReference, ONE, SHOWN))
MESSAGE(VolumeResourceRequirements,
	FIELD(1, "limits", QUANTITY, MAP, SHOWN),
	FIELD(2, "requests", QUANTITY, MAP, SHOWN))
MESSAGE(TypedLocalObjectReference,
	FIELD(1, "apiGroup", STRING, ONE, SHOWN),
	FIELD(2, "kind", STRING, ONE, SHOWN),
	FIELD(3, "name", STRING, ONE, SHOWN))
MESSAGE(TypedObjectReference,
	FIELD(1, "apiGroup", STRING, ONE, SHOWN),
	FIELD(2, "kind", STRING, ONE, SHOWN),
	FIELD(3, "name", STRING, ONE, SHOWN),
	FIELD(4, "namespace", STRING, ONE, SHOWN))
MESSAGE(PersistentVolumeClaimSpec,
	FIELD(1, "accessModes", STRING, LIST, SHOWN),
	MESSAGE_FIELD(2, "resources", VolumeResourceRequirements, ONE, SHOWN),
	FIELD(3, "volumeName", STRING, ONE, IF_SET),
	MESSAGE_FIELD(4, "selector", LabelSelector, ONE, SHOWN),
	FIELD(5, "storageClassName", STRING, ONE, SHOWN),
	FIELD(6, "volumeMode", STRING, ONE, SHOWN),
	MESSAGE_FIELD(7, "dataSource", TypedLocalObjectReference, ONE, SHOWN),
	MESSAGE_FIELD(8, "dataSourceRef", TypedObjectReference, ONE, SHOWN),
	FIELD(9, "volumeAttributesClassName", STRING, ONE, SHOWN))
MESSAGE(PersistentVolumeClaimTemplate,
	MESSAGE_FIELD(1, "metadata", ObjectMeta, ONE, SHOWN),
	MESSAGE_FIELD(2, "spec", PersistentVolumeClaimSpec, ONE, SHOWN))
MESSAGE(EphemeralVolumeSource,
	MESSAGE_FIELD(1, "volumeClaimTemplate",
	    PersistentVolumeClaimTemplate, ONE, SHOWN),
	FIELD(2, "readOnly", BOOL, ONE, IF_SET))
MESSAGE(ImageVolumeSource,
	FIELD(1, "reference", STRING, ONE, IF_SET),
	FIELD(2, "pullPolicy", STRING, ONE, IF_SET))
MESSAGE(VolumeSource,
	MESSAGE_FIELD(1, "hostPath", HostPathVolumeSource, ONE, SHOWN),
	MESSAGE_FIELD(2, "emptyDir", EmptyDirVolumeSource, ONE, SHOWN),
	MESSAGE_FIELD(3, "gcePersistentDisk",
	    GCEPersistentDiskVolumeSource, ONE, SHOWN),
	MESSAGE_FIELD(4, "awsElasticBlockStore",
	    AWSElasticBlockStoreVolumeSource, ONE, SHOWN),
	MESSAGE_FIELD(5, "gitRepo", GitRepoVolumeSource, ONE, SHOWN),
	MESSAGE_FIELD(6, "secret", SecretVolumeSource, ONE, SHOWN),
	MESSAGE_FIELD(7, "nfs", NFSVolumeSource, ONE, SHOWN),
	MESSAGE_FIELD(8, "iscsi", ISCSIVolumeSource, ONE, SHOWN),
	MESSAGE_FIELD(9, "glusterfs", GlusterfsVolumeSource, ONE, SHOWN),
	MESSAGE_FIELD(10, "persistentVolumeClaim",
	    PersistentVolumeClaimVolumeSource, ONE, SHOWN),
	MESSAGE_FIELD(11, "rbd", RBDVolumeSource, ONE, SHOWN),
	MESSAGE_FIELD(12, "flexVolume", FlexVolumeSource, ONE, SHOWN),
	MESSAGE_FIELD(13, "cinder", CinderVolumeSource, ONE, SHOWN),
	MESSAGE_FIELD(14, "cephfs", CephFSVolumeSource, ONE, SHOWN),
	MESSAGE_FIELD(15, "flocker", FlockerVolumeSource, ONE, SHOWN),
	MESSAGE_FIELD(16, "downwardAPI", DownwardAPIVolumeSource, ONE, SHOWN),
	MESSAGE_FIELD(17, "fc", FCVolumeSource, ONE, SHOWN),
	MESSAGE_FIELD(18, "azureFile", AzureFileVolumeSource, ONE, SHOWN),
	MESSAGE_FIELD(19, "configMap", ConfigMapVolumeSource, ONE, SHOWN),
	MESSAGE_FIELD(20, "vsphereVolume",
	    VsphereVirtualDiskVolumeSource, ONE, SHOWN),
	MESSAGE_FIELD(21, "quobyte", QuobyteVolumeSource, ONE, SHOWN),
	MESSAGE_FIELD(22, "azureDisk", AzureDiskVolumeSource, ONE, SHOWN),
	MESSAGE_FIELD(23, "photonPersistentDisk",
	    PhotonPersistentDiskVolumeSource, ONE, SHOWN),
	MESSAGE_FIELD(24, "portworxVolume", PortworxVolumeSource, ONE, SHOWN),
	MESSAGE_FIELD(25, "scaleIO", ScaleIOVolumeSource, ONE, SHOWN),
	MESSAGE_FIELD(26, "projected", ProjectedVolumeSource, ONE, SHOWN),
	MESSAGE_FIELD(27, "storageos", StorageOSVolumeSource, ONE, SHOWN),
	MESSAGE_FIELD(28, "csi", CSIVolumeSource, ONE, SHOWN),
	MESSAGE_FIELD(29, "ephemeral", EphemeralVolumeSource, ONE, SHOWN),
	MESSAGE_FIELD(30, "image", ImageVolumeSource, ONE, SHOWN))
MESSAGE(Volume,
	FIELD(1, "name", STRING, ONE, SHOWN),
	MESSAGE_FIELD(2, "", VolumeSource, INLINE, SHOWN))
MESSAGE(ContainerPort,
	FIELD(1, "name", STRING, ONE, IF_SET),
	FIELD(2, "hostPort", INT32, ONE, IF_SET),
	FIELD(3, "containerPort", INT32, ONE, SHOWN),
	FIELD(4, "protocol", STRING, ONE, IF_SET),
	FIELD(5, "hostIP", STRING, ONE, IF_SET))
MESSAGE(ConfigMapKeySelector,
	MESSAGE_FIELD(1, "", LocalObjectReference, INLINE, SHOWN),
	FIELD(2, "key", STRING, ONE, SHOWN),
	FIELD(3, "optional", BOOL, ONE, SHOWN))
MESSAGE(FileKeySelector,
	FIELD(1, "volumeName", STRING, ONE, SHOWN),
	FIELD(2, "path", STRING, ONE, SHOWN),
	FIELD(3, "key", STRING, ONE, SHOWN),
	FIELD(4, "optional", BOOL, ONE, SHOWN))
MESSAGE(EnvVarSource,
	MESSAGE_FIELD(1, "fieldRef", ObjectFieldSelector, ONE, SHOWN),
	MESSAGE_FIELD(2, "resourceFieldRef", ResourceFieldSelector, ONE, SHOWN),
	MESSAGE_FIELD(3, "configMapKeyRef", ConfigMapKeySelector, ONE, SHOWN),
	MESSAGE_FIELD(4, "secretKeyRef", ConfigMapKeySelector, ONE, SHOWN),
	MESSAGE_FIELD(5, "fileKeyRef", FileKeySelector, ONE, SHOWN))
MESSAGE(EnvVar,
	FIELD(1, "name", STRING, ONE, SHOWN),
	FIELD(2, "value", STRING, ONE, IF_SET),
	MESSAGE_FIELD(3, "valueFrom", EnvVarSource, ONE, SHOWN))
MESSAGE(ResourceClaim,
	FIELD(1, "name", STRING, ONE, SHOWN),
	FIELD(2, "request", STRING, ONE, IF_SET))
MESSAGE(ResourceRequirements,
	FIELD(1, "limits", QUANTITY, MAP, SHOWN),
	FIELD(2, "requests", QUANTITY, MAP, SHOWN),
	MESSAGE_FIELD(3, "claims", ResourceClaim, LIST, SHOWN))
MESSAGE(VolumeMount,
	FIELD(1, "name", STRING, ONE, SHOWN),
	FIELD(2, "readOnly", BOOL, ONE, IF_SET),
	FIELD(3, "mountPath", STRING, ONE, SHOWN),
	FIELD(4, "subPath", STRING, ONE, IF_SET),
	FIELD(5, "mountPropagation", STRING, ONE, SHOWN),
	FIELD(6, "subPathExpr", STRING, ONE, IF_SET),
	FIELD(7, "recursiveReadOnly", STRING, ONE, SHOWN))
MESSAGE(ExecAction,
	FIELD(1, "command", STRING, LIST, SHOWN))
MESSAGE(HTTPHeader,
	FIELD(1, "name", STRING, ONE, SHOWN),
	FIELD(2, "value", STRING, ONE, SHOWN))
MESSAGE(HTTPGetAction,
	FIELD(1, "path", STRING, ONE, IF_SET),
	FIELD(2, "port", INT_OR_STRING, ONE, SHOWN),
	FIELD(3, "host", STRING, ONE, IF_SET),
	FIELD(4, "scheme", STRING, ONE, IF_SET),
	MESSAGE_FIELD(5, "httpHeaders", HTTPHeader, LIST, SHOWN))
MESSAGE(TCPSocketAction,
	FIELD(1, "port", INT_OR_STRING, ONE, SHOWN),
	FIELD(2, "host", STRING, ONE, IF_SET))
MESSAGE(GRPCAction,
	FIELD(1, "port", INT32, ONE, SHOWN),
	FIELD(2, "service", STRING, ONE, SHOWN))
MESSAGE(ProbeHandler,
	MESSAGE_FIELD(1, "exec", ExecAction, ONE, SHOWN),
	MESSAGE_FIELD(2, "httpGet", HTTPGetAction, ONE, SHOWN),
	MESSAGE_FIELD(3, "tcpSocket", TCPSocketAction, ONE, SHOWN),
	MESSAGE_FIELD(4, "grpc", GRPCAction, ONE, SHOWN))
MESSAGE(Probe,
	MESSAGE_FIELD(1, "", ProbeHandler, INLINE, SHOWN),
	FIELD(2, "initialDelaySeconds", INT32, ONE, IF_SET),
	FIELD(3, "timeoutSeconds", INT32, ONE, IF_SET),
	FIELD(4, "periodSeconds", INT32, ONE, IF_SET),
	FIELD(5, "successThreshold", INT32, ONE, IF_SET),
	FIELD(6, "failureThreshold", INT32, ONE, IF_SET),
	FIELD(7, "terminationGracePeriodSeconds", INT64, ONE, SHOWN))
MESSAGE(SleepAction,
	FIELD(1, "seconds", INT64, ONE, SHOWN))
MESSAGE(LifecycleHandler,
	MESSAGE_FIELD(1, "exec", ExecAction, ONE, SHOWN),
	MESSAGE_FIELD(2, "httpGet", HTTPGetAction, ONE, SHOWN),
	MESSAGE_FIELD(3, "tcpSocket", TCPSocketAction, ONE, SHOWN),
	MESSAGE_FIELD(4, "sleep", SleepAction, ONE, SHOWN))
MESSAGE(Lifecycle,
	MESSAGE_FIELD(1, "postStart", LifecycleHandler, ONE, SHOWN),
	MESSAGE_FIELD(2, "preStop", LifecycleHandler, ONE, SHOWN),
	FIELD(3, "stopSignal", STRING, ONE, SHOWN))
MESSAGE(Capabilities,
	FIELD(1, "add", STRING, LIST, SHOWN),
	FIELD(2, "drop", STRING, LIST, SHOWN))
MESSAGE(SELinuxOptions,
	FIELD(1, "user", STRING, ONE, IF_SET),
	FIELD(2, "role", STRING, ONE, IF_SET),
	FIELD(3, "type", STRING, ONE, IF_SET),
	FIELD(4, "level", STRING, ONE, IF_SET))
MESSAGE(WindowsSecurityContextOptions,
	FIELD(1, "gmsaCredentialSpecName", STRING, ONE, SHOWN),
	FIELD(2, "gmsaCredentialSpec", STRING, ONE, SHOWN),
	FIELD(3, "runAsUserName", STRING, ONE, SHOWN),
	FIELD(4, "hostProcess", BOOL, ONE, SHOWN))
MESSAGE(SeccompProfile,
	FIELD(1, "type", STRING, ONE, SHOWN),
	FIELD(2, "localhostProfile", STRING, ONE, SHOWN))
MESSAGE(SecurityContext,
	MESSAGE_FIELD(1, "capabilities", Capabilities, ONE, SHOWN),
	FIELD(2, "privileged", BOOL, ONE, SHOWN),
	MESSAGE_FIELD(3, "seLinuxOptions", SELinuxOptions, ONE, SHOWN),
	FIELD(4, "runAsUser", INT64, ONE, SHOWN),
	FIELD(5, "runAsNonRoot", BOOL, ONE, SHOWN),
	FIELD(6, "readOnlyRootFilesystem", BOOL, ONE, SHOWN),
	FIELD(7, "allowPrivilegeEscalation", BOOL, ONE, SHOWN),
	FIELD(8, "runAsGroup", INT64, ONE, SHOWN),
	FIELD(9, "procMount", STRING, ONE, SHOWN),
	MESSAGE_FIELD(10, "windowsOptions",
	    WindowsSecurityContextOptions, ONE, SHOWN),
	MESSAGE_FIELD(11, "seccompProfile", SeccompProfile, ONE, SHOWN),
	MESSAGE_FIELD(12, "appArmorProfile", SeccompProfile, ONE, SHOWN))
MESSAGE(ConfigMapEnvSource,
	MESSAGE_FIELD(1, "", LocalObjectReference, INLINE, SHOWN),
	FIELD(2, "optional", BOOL, ONE, SHOWN))
MESSAGE(EnvFromSource,
	FIELD(1, "prefix", STRING, ONE, IF_SET),
	MESSAGE_FIELD(2, "configMapRef", ConfigMapEnvSource, ONE, SHOWN),
	MESSAGE_FIELD(3, "secretRef", ConfigMapEnvSource, ONE, SHOWN))
MESSAGE(VolumeDevice,
	FIELD(1, "name", STRING, ONE, SHOWN),
	FIELD(2, "devicePath", STRING, ONE, SHOWN))
MESSAGE(ContainerResizePolicy,
	FIELD(1, "resourceName", STRING, ONE, SHOWN),
	FIELD(2, "restartPolicy", STRING, ONE, SHOWN))
MESSAGE(ContainerRestartRuleOnExitCodes,
	FIELD(1, "operator", STRING, ONE, IF_SET),
	FIELD(2, "values", INT32, LIST, SHOWN))
MESSAGE(ContainerRestartRule,
	FIELD(1, "action", STRING, ONE, IF_SET),
	MESSAGE_FIELD(2, "exitCodes",
	    ContainerRestartRuleOnExitCodes, ONE, SHOWN))
MESSAGE(Container,
	FIELD(1, "name", STRING, ONE, SHOWN),
	FIELD(2, "image", STRING, ONE, IF_SET),
	FIELD(3, "command", STRING, LIST, SHOWN),
	FIELD(4, "args", STRING, LIST, SHOWN),
	FIELD(5, "workingDir", STRING, ONE, IF_SET),
	MESSAGE_FIELD(6, "ports", ContainerPort, LIST, SHOWN),
	MESSAGE_FIELD(7, "env", EnvVar, LIST, SHOWN),
	MESSAGE_FIELD(8, "resources", ResourceRequirements, ONE, SHOWN),
	MESSAGE_FIELD(9, "volumeMounts", VolumeMount, LIST, SHOWN),
	MESSAGE_FIELD(10, "livenessProbe", Probe, ONE, SHOWN),
	MESSAGE_FIELD(11, "readinessProbe", Probe, ONE, SHOWN),
	MESSAGE_FIELD(12, "lifecycle", Lifecycle, ONE, SHOWN),
	FIELD(13, "terminationMessagePath", STRING, ONE, IF_SET),
	FIELD(14, "imagePullPolicy", STRING, ONE, IF_SET),
	MESSAGE_FIELD(15, "securityContext", SecurityContext, ONE, SHOWN),
	FIELD(16, "stdin", BOOL, ONE, IF_SET),
	FIELD(17, "stdinOnce", BOOL, ONE, IF_SET),
	FIELD(18, "tty", BOOL, ONE, IF_SET),
	MESSAGE_FIELD(19, "envFrom", EnvFromSource, LIST, SHOWN),
	FIELD(20, "terminationMessagePolicy", STRING, ONE, IF_SET),
	MESSAGE_FIELD(21, "volumeDevices", VolumeDevice, LIST, SHOWN),
	MESSAGE_FIELD(22, "startupProbe", Probe, ONE, SHOWN),
	MESSAGE_FIELD(23, "resizePolicy", ContainerResizePolicy, LIST, SHOWN),
	FIELD(24, "restartPolicy", STRING, ONE, SHOWN),
	MESSAGE_FIELD(25, "restartPolicyRules",
	    ContainerRestartRule, LIST, SHOWN))
MESSAGE(PodSecurityContext,
	MESSAGE_FIELD(1, "seLinuxOptions", SELinuxOptions, ONE, SHOWN),
	FIELD(2, "runAsUser", INT64, ONE, SHOWN),
	FIELD(3, "runAsNonRoot", BOOL, ONE, SHOWN),
	FIELD(4, "supplementalGroups", INT64, LIST, SHOWN),
	FIELD(5, "fsGroup", INT64, ONE, SHOWN),
	FIELD(6, "runAsGroup", INT64, ONE, SHOWN),
	MESSAGE_FIELD(7, "sysctls", HTTPHeader, LIST, SHOWN),
	MESSAGE_FIELD(8, "windowsOptions",
	    WindowsSecurityContextOptions, ONE, SHOWN),
	FIELD(9, "fsGroupChangePolicy", STRING, ONE, SHOWN),
	MESSAGE_FIELD(10, "seccompProfile", SeccompProfile, ONE, SHOWN),
	MESSAGE_FIELD(11, "appArmorProfile", SeccompProfile, ONE, SHOWN),
	FIELD(12, "supplementalGroupsPolicy", STRING, ONE, SHOWN),
	FIELD(13, "seLinuxChangePolicy", STRING, ONE, SHOWN))
MESSAGE(NodeSelectorTerm,
	MESSAGE_FIELD(1, "matchExpressions",
	    LabelSelectorRequirement, LIST, SHOWN),
	MESSAGE_FIELD(2, "matchFields", LabelSelectorRequirement, LIST, SHOWN))
MESSAGE(NodeSelector,
	MESSAGE_FIELD(1, "nodeSelectorTerms",
	    NodeSelectorTerm, LIST, NULL_IF_NONE))
MESSAGE(PreferredSchedulingTerm,
	FIELD(1, "weight", INT32, ONE, SHOWN),
	MESSAGE_FIELD(2, "preference", NodeSelectorTerm, ONE, SHOWN))
MESSAGE(NodeAffinity,
	MESSAGE_FIELD(1, "requiredDuringSchedulingIgnoredDuringExecution",
	    NodeSelector, ONE, SHOWN),
	MESSAGE_FIELD(2, "preferredDuringSchedulingIgnoredDuringExecution",
	    PreferredSchedulingTerm, LIST, SHOWN))
MESSAGE(PodAffinityTerm,
	MESSAGE_FIELD(1, "labelSelector", LabelSelector, ONE, SHOWN),
	FIELD(2, "namespaces", STRING, LIST, SHOWN),
	FIELD(3, "topologyKey", STRING, ONE, SHOWN),
	MESSAGE_FIELD(4, "namespaceSelector", LabelSelector, ONE, SHOWN),
	FIELD(5, "matchLabelKeys", STRING, LIST, SHOWN),
	FIELD(6, "mismatchLabelKeys", STRING, LIST, SHOWN))
MESSAGE(WeightedPodAffinityTerm,
	FIELD(1, "weight", INT32, ONE, SHOWN),
	MESSAGE_FIELD(2, "podAffinityTerm", PodAffinityTerm, ONE, SHOWN))
MESSAGE(PodAffinity,
	MESSAGE_FIELD(1, "requiredDuringSchedulingIgnoredDuringExecution",
	    PodAffinityTerm, LIST, SHOWN),
	MESSAGE_FIELD(2, "preferredDuringSchedulingIgnoredDuringExecution",
	    WeightedPodAffinityTerm, LIST, SHOWN))
MESSAGE(Affinity,
	MESSAGE_FIELD(1, "nodeAffinity", NodeAffinity, ONE, SHOWN),
	MESSAGE_FIELD(2, "podAffinity", PodAffinity, ONE, SHOWN),
	MESSAGE_FIELD(3, "podAntiAffinity", PodAffinity, ONE, SHOWN))
MESSAGE(Toleration,
	FIELD(1, "key", STRING, ONE, IF_SET),
	FIELD(2, "operator", STRING, ONE, IF_SET),
	FIELD(3, "value", STRING, ONE, IF_SET),
	FIELD(4, "effect", STRING, ONE, IF_SET),
	FIELD(5, "tolerationSeconds", INT64, ONE, SHOWN))
MESSAGE(HostAlias,
	FIELD(1, "ip", STRING, ONE, SHOWN),
	FIELD(2, "hostnames", STRING, LIST, SHOWN))
MESSAGE(PodDNSConfigOption,
	FIELD(1, "name", STRING, ONE, IF_SET),
	FIELD(2, "value", STRING, ONE, SHOWN))
MESSAGE(PodDNSConfig,
	FIELD(1, "nameservers", STRING, LIST, SHOWN),
	FIELD(2, "searches", STRING, LIST, SHOWN),
	MESSAGE_FIELD(3, "options", PodDNSConfigOption, LIST, SHOWN))
MESSAGE(PodReadinessGate,
	FIELD(1, "conditionType", STRING, ONE, SHOWN))
MESSAGE(TopologySpreadConstraint,
	FIELD(1, "maxSkew", INT32, ONE, SHOWN),
	FIELD(2, "topologyKey", STRING, ONE, SHOWN),
	FIELD(3, "whenUnsatisfiable", STRING, ONE, SHOWN),
	MESSAGE_FIELD(4, "labelSelector", LabelSelector, ONE, SHOWN),
	FIELD(5, "minDomains", INT32, ONE, SHOWN),
	FIELD(6, "nodeAffinityPolicy", STRING, ONE, SHOWN),
	FIELD(7, "nodeTaintsPolicy", STRING, ONE, SHOWN),
	FIELD(8, "matchLabelKeys", STRING, LIST, SHOWN))
MESSAGE(EphemeralContainer,
	MESSAGE_FIELD(1, "", Container, INLINE, SHOWN),
	FIELD(2, "targetContainerName", STRING, ONE, IF_SET))
MESSAGE(ClaimSource,
	FIELD(1, "resourceClaimName", STRING, ONE, SHOWN),
	FIELD(2, "resourceClaimTemplateName", STRING, ONE, SHOWN))
MESSAGE(PodResourceClaim,
	FIELD(1, "name", STRING, ONE, SHOWN),
	MESSAGE_FIELD(2, "source", ClaimSource, ONE, SHOWN),
	FIELD(3, "resourceClaimName", STRING, ONE, SHOWN),
	FIELD(4, "resourceClaimTemplateName", STRING, ONE, SHOWN))
MESSAGE(WorkloadReference,
	FIELD(1, "name", STRING, ONE, SHOWN),
	FIELD(2, "podGroup", STRING, ONE, SHOWN),
	FIELD(3, "podGroupReplicaKey", STRING, ONE, IF_SET))
MESSAGE(PodSchedulingGroup,
	FIELD(1, "podGroupName", STRING, ONE, SHOWN))
MESSAGE(PodSpec,
	MESSAGE_FIELD(1, "volumes", Volume, LIST, SHOWN),
	MESSAGE_FIELD(2, "containers", Container, LIST, NULL_IF_NONE),
	FIELD(3, "restartPolicy", STRING, ONE, IF_SET),
	FIELD(4, "terminationGracePeriodSeconds", INT64, ONE, SHOWN),
	FIELD(5, "activeDeadlineSeconds", INT64, ONE, SHOWN),
	FIELD(6, "dnsPolicy", STRING, ONE, IF_SET),
	FIELD(7, "nodeSelector", STRING, MAP, SHOWN),
	FIELD(8, "serviceAccountName", STRING, ONE, IF_SET),
	FIELD(9, "serviceAccount", STRING, ONE, IF_SET),
	FIELD(10, "nodeName", STRING, ONE, IF_SET),
	FIELD(11, "hostNetwork", BOOL, ONE, IF_SET),
	FIELD(12, "hostPID", BOOL, ONE, IF_SET),
	FIELD(13, "hostIPC", BOOL, ONE, IF_SET),
	MESSAGE_FIELD(14, "securityContext", PodSecurityContext, ONE, SHOWN),
	MESSAGE_FIELD(15, "imagePullSecrets",
	    LocalObjectReference, LIST, SHOWN),
	FIELD(16, "hostname", STRING, ONE, IF_SET),
	FIELD(17, "subdomain", STRING, ONE, IF_SET),
	MESSAGE_FIELD(18, "affinity", Affinity, ONE, SHOWN),
	FIELD(19, "schedulerName", STRING, ONE, IF_SET),
	MESSAGE_FIELD(20, "initContainers", Container, LIST, SHOWN),
	FIELD(21, "automountServiceAccountToken", BOOL, ONE, SHOWN),
	MESSAGE_FIELD(22, "tolerations", Toleration, LIST, SHOWN),
	MESSAGE_FIELD(23, "hostAliases", HostAlias, LIST, SHOWN),
	FIELD(24, "priorityClassName", STRING, ONE, IF_SET),
	FIELD(25, "priority", INT32, ONE, SHOWN),
	MESSAGE_FIELD(26, "dnsConfig", PodDNSConfig, ONE, SHOWN),
	FIELD(27, "shareProcessNamespace", BOOL, ONE, SHOWN),
	MESSAGE_FIELD(28, "readinessGates", PodReadinessGate, LIST, SHOWN),
	FIELD(29, "runtimeClassName", STRING, ONE, SHOWN),
	FIELD(30, "enableServiceLinks", BOOL, ONE, SHOWN),
	FIELD(31, "preemptionPolicy", STRING, ONE, SHOWN),
	FIELD(32, "overhead", QUANTITY, MAP, SHOWN),
	MESSAGE_FIELD(33, "topologySpreadConstraints",
	    TopologySpreadConstraint, LIST, SHOWN),
	MESSAGE_FIELD(34, "ephemeralContainers",
	    EphemeralContainer, LIST, SHOWN),
	FIELD(35, "setHostnameAsFQDN", BOOL, ONE, SHOWN),
	MESSAGE_FIELD(36, "os", Initializer, ONE, SHOWN),
	FIELD(37, "hostUsers", BOOL, ONE, SHOWN),
	MESSAGE_FIELD(38, "schedulingGates", Initializer, LIST, SHOWN),
	MESSAGE_FIELD(39, "resourceClaims", PodResourceClaim, LIST, SHOWN),
	MESSAGE_FIELD(40, "resources", ResourceRequirements, ONE, SHOWN),
	FIELD(41, "hostnameOverride", STRING, ONE, SHOWN),
	MESSAGE_FIELD(42, "workloadRef", WorkloadReference, ONE, SHOWN),
	MESSAGE_FIELD(43, "schedulingGroup", PodSchedulingGroup, ONE, SHOWN))
MESSAGE(PodCondition,
	FIELD(1, "type", STRING, ONE, SHOWN),
	FIELD(2, "status", STRING, ONE, SHOWN),
	FIELD(3, "lastProbeTime", TIME, ONE, SHOWN),
	FIELD(4, "lastTransitionTime", TIME, ONE, SHOWN),
	FIELD(5, "reason", STRING, ONE, IF_SET),
	FIELD(6, "message", STRING, ONE, IF_SET),
	FIELD(7, "observedGeneration", INT64, ONE, IF_SET))
MESSAGE(ContainerStateWaiting,
	FIELD(1, "reason", STRING, ONE, IF_SET),
	FIELD(2, "message", STRING, ONE, IF_SET))
MESSAGE(ContainerStateRunning,
	FIELD(1, "startedAt", TIME, ONE, SHOWN))
MESSAGE(ContainerStateTerminated,
	FIELD(1, "exitCode", INT32, ONE, SHOWN),
	FIELD(2, "signal", INT32, ONE, IF_SET),
	FIELD(3, "reason", STRING, ONE, IF_SET),
	FIELD(4, "message", STRING, ONE, IF_SET),
	FIELD(5, "startedAt", TIME, ONE, SHOWN),
	FIELD(6, "finishedAt", TIME, ONE, SHOWN),
	FIELD(7, "containerID", STRING, ONE, IF_SET))
MESSAGE(ContainerState,
	MESSAGE_FIELD(1, "waiting", ContainerStateWaiting, ONE, SHOWN),
	MESSAGE_FIELD(2, "running", ContainerStateRunning, ONE, SHOWN),
	MESSAGE_FIELD(3, "terminated", ContainerStateTerminated, ONE, SHOWN))
MESSAGE(ImageVolumeStatus,
	FIELD(1, "imageRef", STRING, ONE, IF_SET))
MESSAGE(VolumeStatus,
	MESSAGE_FIELD(1, "image", ImageVolumeStatus, ONE, SHOWN))
MESSAGE(VolumeMountStatus,
	FIELD(1, "name", STRING, ONE, SHOWN),
	FIELD(2, "mountPath", STRING, ONE, SHOWN),
	FIELD(3, "readOnly", BOOL, ONE, IF_SET),
	FIELD(4, "recursiveReadOnly", STRING, ONE, SHOWN),
	MESSAGE_FIELD(5, "volumeStatus", VolumeStatus, ONE, SHOWN))
MESSAGE(LinuxContainerUser,
	FIELD(1, "uid", INT64, ONE, SHOWN),
	FIELD(2, "gid", INT64, ONE, SHOWN),
	FIELD(3, "supplementalGroups", INT64, LIST, SHOWN))
MESSAGE(ContainerUser,
	MESSAGE_FIELD(1, "linux", LinuxContainerUser, ONE, SHOWN))
MESSAGE(ResourceHealth,
	FIELD(1, "resourceID", STRING, ONE, SHOWN),
	FIELD(2, "health", STRING, ONE, IF_SET),
	FIELD(6, "message", STRING, ONE, SHOWN))
MESSAGE(ResourceStatus,
	FIELD(1, "name", STRING, ONE, SHOWN),
	MESSAGE_FIELD(2, "resources", ResourceHealth, LIST, SHOWN))
MESSAGE(ContainerStatus,
	FIELD(1, "name", STRING, ONE, SHOWN),
	MESSAGE_FIELD(2, "state", ContainerState, ONE, SHOWN),
	MESSAGE_FIELD(3, "lastState", ContainerState, ONE, SHOWN),
	FIELD(4, "ready", BOOL, ONE, SHOWN),
	FIELD(5, "restartCount", INT32, ONE, SHOWN),
	FIELD(6, "image", STRING, ONE, SHOWN),
	FIELD(7, "imageID", STRING, ONE, SHOWN),
	FIELD(8, "containerID", STRING, ONE, IF_SET),
	FIELD(9, "started", BOOL, ONE, SHOWN),
	FIELD(10, "allocatedResources", QUANTITY, MAP, SHOWN),
	MESSAGE_FIELD(11, "resources", ResourceRequirements, ONE, SHOWN),
	MESSAGE_FIELD(12, "volumeMounts", VolumeMountStatus, LIST, SHOWN),
	MESSAGE_FIELD(13, "user", ContainerUser, ONE, SHOWN),
	MESSAGE_FIELD(14, "allocatedResourcesStatus",
	    ResourceStatus, LIST, SHOWN),
	FIELD(15, "stopSignal", STRING, ONE, SHOWN))
MESSAGE(PodIP,
	FIELD(1, "ip", STRING, ONE, SHOWN))
MESSAGE(PodResourceClaimStatus,
	FIELD(1, "name", STRING, ONE, SHOWN),
	FIELD(2, "resourceClaimName", STRING, ONE, SHOWN))
MESSAGE(ContainerExtendedResourceRequest,
	FIELD(1, "containerName", STRING, ONE, SHOWN),
	FIELD(2, "resourceName", STRING, ONE, SHOWN),
	FIELD(3, "requestName", STRING, ONE, SHOWN))
MESSAGE(PodExtendedResourceClaimStatus,
	MESSAGE_FIELD(1, "requestMappings",
	    ContainerExtendedResourceRequest, LIST, NULL_IF_NONE),
	FIELD(2, "resourceClaimName", STRING, ONE, SHOWN))
MESSAGE(NodeAllocatableResourceClaimStatus,
	FIELD(1, "resourceClaimName", STRING, ONE, SHOWN),
	FIELD(2, "containers", STRING, LIST, SHOWN),
	FIELD(3, "resources", QUANTITY, MAP, NULL_IF_NONE))
MESSAGE(PodStatus,
	FIELD(1, "phase", STRING, ONE, IF_SET),
	MESSAGE_FIELD(2, "conditions", PodCondition, LIST, SHOWN),
	FIELD(3, "message", STRING, ONE, IF_SET),
	FIELD(4, "reason", STRING, ONE, IF_SET),
	FIELD(5, "hostIP", STRING, ONE, IF_SET),
	FIELD(6, "podIP", STRING, ONE, IF_SET),
	FIELD(7, "startTime", TIME, ONE, SHOWN),
	MESSAGE_FIELD(8, "containerStatuses", ContainerStatus, LIST, SHOWN),
	FIELD(9, "qosClass", STRING, ONE, IF_SET),
	MESSAGE_FIELD(10, "initContainerStatuses",
	    ContainerStatus, LIST, SHOWN),
	FIELD(11, "nominatedNodeName", STRING, ONE, IF_SET),
	MESSAGE_FIELD(12, "podIPs", PodIP, LIST, SHOWN),
	MESSAGE_FIELD(13, "ephemeralContainerStatuses",
	    ContainerStatus, LIST, SHOWN),
	FIELD(14, "resize", STRING, ONE, IF_SET),
	MESSAGE_FIELD(15, "resourceClaimStatuses",
	    PodResourceClaimStatus, LIST, SHOWN),
	MESSAGE_FIELD(16, "hostIPs", PodIP, LIST, SHOWN),
	FIELD(17, "observedGeneration", INT64, ONE, IF_SET),
	MESSAGE_FIELD(18, "extendedResourceClaimStatus",
	    PodExtendedResourceClaimStatus, ONE, SHOWN),
	FIELD(19, "allocatedResources", QUANTITY, MAP, SHOWN),
	MESSAGE_FIELD(20, "resources", ResourceRequirements, ONE, SHOWN),
	MESSAGE_FIELD(21, "nodeAllocatableResourceClaimStatuses",
	    NodeAllocatableResourceClaimStatus, LIST, SHOWN))
MESSAGE(Pod,
	MESSAGE_FIELD(1, "metadata", ObjectMeta, ONE, SHOWN),
	MESSAGE_FIELD(2, "spec", PodSpec, ONE, SHOWN),
	MESSAGE_FIELD(3, "status", PodStatus, ONE, SHOWN))
MESSAGE(Taint,
	FIELD(1, "key", STRING, ONE, SHOWN),
	FIELD(2, "value", STRING, ONE, IF_SET),
	FIELD(3, "effect", STRING, ONE, SHOWN),
	FIELD(4, "timeAdded", TIME, ONE, SHOWN))
MESSAGE(ConfigMapNodeConfigSource,
	FIELD(1, "namespace", STRING, ONE, SHOWN),
	FIELD(2, "name", STRING, ONE, SHOWN),
	FIELD(3, "uid", STRING, ONE, IF_SET),
	FIELD(4, "resourceVersion", STRING, ONE, IF_SET),
	FIELD(5, "kubeletConfigKey", STRING, ONE, SHOWN))
MESSAGE(NodeConfigSource,
	MESSAGE_FIELD(2, "configMap", ConfigMapNodeConfigSource, ONE, SHOWN))
MESSAGE(NodeSpec,
	FIELD(1, "podCIDR", STRING, ONE, IF_SET),
	FIELD(2, "externalID", STRING, ONE, IF_SET),
	FIELD(3, "providerID", STRING, ONE, IF_SET),
	FIELD(4, "unschedulable", BOOL, ONE, IF_SET),
	MESSAGE_FIELD(5, "taints", Taint, LIST, SHOWN),
	MESSAGE_FIELD(6, "configSource", NodeConfigSource, ONE, SHOWN),
	FIELD(7, "podCIDRs", STRING, LIST, SHOWN))
MESSAGE(NodeCondition,
	FIELD(1, "type", STRING, ONE, SHOWN),
	FIELD(2, "status", STRING, ONE, SHOWN),
	FIELD(3, "lastHeartbeatTime", TIME, ONE, SHOWN),
	FIELD(4, "lastTransitionTime", TIME, ONE, SHOWN),
	FIELD(5, "reason", STRING, ONE, IF_SET),
	FIELD(6, "message", STRING, ONE, IF_SET))
MESSAGE(NodeAddress,
	FIELD(1, "type", STRING, ONE, SHOWN),
	FIELD(2, "address", STRING, ONE, SHOWN))
MESSAGE(DaemonEndpoint,
	FIELD(1, "Port", INT32, ONE, SHOWN))
MESSAGE(NodeDaemonEndpoints,
	MESSAGE_FIELD(1, "kubeletEndpoint", DaemonEndpoint, ONE, SHOWN))
MESSAGE(NodeSwapStatus,
	FIELD(1, "capacity", INT64, ONE, SHOWN))
MESSAGE(NodeSystemInfo,
	FIELD(1, "machineID", STRING, ONE, SHOWN),
	FIELD(2, "systemUUID", STRING, ONE, SHOWN),
	FIELD(3, "bootID", STRING, ONE, SHOWN),
	FIELD(4, "kernelVersion", STRING, ONE, SHOWN),
	FIELD(5, "osImage", STRING, ONE, SHOWN),
	FIELD(6, "containerRuntimeVersion", STRING, ONE, SHOWN),
	FIELD(7, "kubeletVersion", STRING, ONE, SHOWN),
	FIELD(8, "kubeProxyVersion", STRING, ONE, SHOWN),
	FIELD(9, "operatingSystem", STRING, ONE, SHOWN),
	FIELD(10, "architecture", STRING, ONE, SHOWN),
	MESSAGE_FIELD(11, "swap", NodeSwapStatus, ONE, SHOWN))
MESSAGE(ContainerImage,
	FIELD(1, "names", STRING, LIST, NULL_IF_NONE),
	FIELD(2, "sizeBytes", INT64, ONE, IF_SET))
MESSAGE(NodeConfigStatus,
	MESSAGE_FIELD(1, "assigned", NodeConfigSource, ONE, SHOWN),
	MESSAGE_FIELD(2, "active", NodeConfigSource, ONE, SHOWN),
	MESSAGE_FIELD(3, "lastKnownGood", NodeConfigSource, ONE, SHOWN),
	FIELD(4, "error", STRING, ONE, IF_SET))
MESSAGE(NodeRuntimeHandlerFeatures,
	FIELD(1, "recursiveReadOnlyMounts", BOOL, ONE, SHOWN),
	FIELD(2, "userNamespaces", BOOL, ONE, SHOWN))
MESSAGE(NodeRuntimeHandler,
	FIELD(1, "name", STRING, ONE, SHOWN),
	MESSAGE_FIELD(2, "features", NodeRuntimeHandlerFeatures, ONE, SHOWN))
MESSAGE(NodeFeatures,
	FIELD(1, "supplementalGroupsPolicy", BOOL, ONE, SHOWN))
MESSAGE(NodeStatus,
	FIELD(1, "capacity", QUANTITY, MAP, SHOWN),
	FIELD(2, "allocatable", QUANTITY, MAP, SHOWN),
	FIELD(3, "phase", STRING, ONE, IF_SET),
	MESSAGE_FIELD(4, "conditions", NodeCondition, LIST, SHOWN),
	MESSAGE_FIELD(5, "addresses", NodeAddress, LIST, SHOWN),
	MESSAGE_FIELD(6, "daemonEndpoints", NodeDaemonEndpoints, ONE, SHOWN),
	MESSAGE_FIELD(7, "nodeInfo", NodeSystemInfo, ONE, SHOWN),
	MESSAGE_FIELD(8, "images", ContainerImage, LIST, SHOWN),
	FIELD(9, "volumesInUse", STRING, LIST, SHOWN),
	MESSAGE_FIELD(10, "volumesAttached", VolumeDevice, LIST, SHOWN),
	MESSAGE_FIELD(11, "config", NodeConfigStatus, ONE, SHOWN),
	MESSAGE_FIELD(12, "runtimeHandlers", NodeRuntimeHandler, LIST, SHOWN),
	MESSAGE_FIELD(13, "features", NodeFeatures, ONE, SHOWN),
	FIELD(14, "declaredFeatures", STRING, LIST, SHOWN))
MESSAGE(Node,
	MESSAGE_FIELD(1, "metadata", ObjectMeta, ONE, SHOWN),
	MESSAGE_FIELD(2, "spec", NodeSpec, ONE, SHOWN),
	MESSAGE_FIELD(3, "status", NodeStatus, ONE, SHOWN))
MESSAGE(Namespace,
	MESSAGE_FIELD(1, "metadata", ObjectMeta, ONE, SHOWN))
MESSAGE(ServiceSpec,
	FIELD(2, "selector", STRING, MAP, SHOWN))
MESSAGE(Service,
	MESSAGE_FIELD(1, "metadata", ObjectMeta, ONE, SHOWN),
	MESSAGE_FIELD(2, "spec", ServiceSpec, ONE, SHOWN))
MESSAGE(ConfigMap,
	MESSAGE_FIELD(1, "metadata", ObjectMeta, ONE, SHOWN),
	FIELD(2, "data", STRING, MAP, SHOWN),
	FIELD(3, "binaryData", BYTES, MAP, SHOWN),
	FIELD(4, "immutable", BOOL, ONE, SHOWN))
MESSAGE(ReplicationController,
	MESSAGE_FIELD(1, "metadata", ObjectMeta, ONE, SHOWN),
	MESSAGE_FIELD(2, "spec", ServiceSpec, ONE, SHOWN))
MESSAGE(RBDPersistentVolumeSource,
	FIELD(2, "image", STRING, ONE, SHOWN))
MESSAGE(ISCSIPersistentVolumeSource,
	FIELD(2, "iqn", STRING, ONE, SHOWN))
MESSAGE(CinderPersistentVolumeSource,
	FIELD(1, "volumeID", STRING, ONE, SHOWN))
MESSAGE(CSIPersistentVolumeSource,
	FIELD(1, "driver", STRING, ONE, SHOWN),
	FIELD(2, "volumeHandle", STRING, ONE, SHOWN))
MESSAGE(PersistentVolumeSource,
	MESSAGE_FIELD(1, "gcePersistentDisk",
	    GCEPersistentDiskVolumeSource, ONE, SHOWN),
	MESSAGE_FIELD(2, "awsElasticBlockStore",
	    AWSElasticBlockStoreVolumeSource, ONE, SHOWN),
	MESSAGE_FIELD(6, "rbd", RBDPersistentVolumeSource, ONE, SHOWN),
	MESSAGE_FIELD(7, "iscsi", ISCSIPersistentVolumeSource, ONE, SHOWN),
	MESSAGE_FIELD(8, "cinder", CinderPersistentVolumeSource, ONE, SHOWN),
	MESSAGE_FIELD(16, "azureDisk", AzureDiskVolumeSource, ONE, SHOWN),
	MESSAGE_FIELD(18, "portworxVolume", PortworxVolumeSource, ONE, SHOWN),
	MESSAGE_FIELD(22, "csi", CSIPersistentVolumeSource, ONE, SHOWN))
MESSAGE(ObjectReference,
	FIELD(2, "namespace", STRING, ONE, IF_SET),
	FIELD(3, "name", STRING, ONE, IF_SET),
	FIELD(4, "uid", STRING, ONE, IF_SET))
MESSAGE(VolumeNodeAffinity,
	MESSAGE_FIELD(1, "required", NodeSelector, ONE, SHOWN))
MESSAGE(PersistentVolumeSpec,
	FIELD(1, "capacity", QUANTITY, MAP, SHOWN),
	MESSAGE_FIELD(2, "", PersistentVolumeSource, INLINE, SHOWN),
	FIELD(3, "accessModes", STRING, LIST, SHOWN),
	MESSAGE_FIELD(4, "claimRef", ObjectReference, ONE, SHOWN),
	FIELD(6, "storageClassName", STRING, ONE, IF_SET),
	FIELD(8, "volumeMode", STRING, ONE, SHOWN),
	MESSAGE_FIELD(9, "nodeAffinity", VolumeNodeAffinity, ONE, SHOWN),
	FIELD(10, "volumeAttributesClassName", STRING, ONE, SHOWN))
MESSAGE(PersistentVolumeStatus,
	FIELD(1, "phase", STRING, ONE, IF_SET))
MESSAGE(PersistentVolume,
	MESSAGE_FIELD(1, "metadata", ObjectMeta, ONE, SHOWN),
	MESSAGE_FIELD(2, "spec", PersistentVolumeSpec, ONE, SHOWN),
	MESSAGE_FIELD(3, "status", PersistentVolumeStatus, ONE, SHOWN))
MESSAGE(PersistentVolumeClaim,
	MESSAGE_FIELD(1, "metadata", ObjectMeta, ONE, SHOWN),
	MESSAGE_FIELD(2, "spec", PersistentVolumeClaimSpec, ONE, SHOWN),
	MESSAGE_FIELD(3, "status", PersistentVolumeStatus, ONE, SHOWN))
MESSAGE(ReplicaSetSpec,
	MESSAGE_FIELD(2, "selector", LabelSelector, ONE, SHOWN))
MESSAGE(ReplicaSet,
	MESSAGE_FIELD(1, "metadata", ObjectMeta, ONE, SHOWN),
	MESSAGE_FIELD(2, "spec", ReplicaSetSpec, ONE, SHOWN))
MESSAGE(StatefulSet,
	MESSAGE_FIELD(1, "metadata", ObjectMeta, ONE, SHOWN),
	MESSAGE_FIELD(2, "spec", ReplicaSetSpec, ONE, SHOWN))
MESSAGE(TopologySelectorLabelRequirement,
	FIELD(1, "key", STRING, ONE, SHOWN),
	FIELD(2, "values", STRING, LIST, NULL_IF_NONE))
MESSAGE(TopologySelectorTerm,
	MESSAGE_FIELD(1, "matchLabelExpressions",
	    TopologySelectorLabelRequirement, LIST, SHOWN))
MESSAGE(StorageClass,
	MESSAGE_FIELD(1, "metadata", ObjectMeta, ONE, SHOWN),
	FIELD(2, "provisioner", STRING, ONE, SHOWN),
	FIELD(7, "volumeBindingMode", STRING, ONE, SHOWN),
	MESSAGE_FIELD(8, "allowedTopologies",
	    TopologySelectorTerm, LIST, SHOWN))
MESSAGE(VolumeNodeResources,
	FIELD(1, "count", INT32, ONE, SHOWN))
MESSAGE(CSINodeDriver,
	FIELD(1, "name", STRING, ONE, SHOWN),
	MESSAGE_FIELD(4, "allocatable", VolumeNodeResources, ONE, SHOWN))
MESSAGE(CSINodeSpec,
	MESSAGE_FIELD(1, "drivers", CSINodeDriver, LIST, NULL_IF_NONE))
MESSAGE(CSINode,
	MESSAGE_FIELD(1, "metadata", ObjectMeta, ONE, SHOWN),
	MESSAGE_FIELD(2, "spec", CSINodeSpec, ONE, SHOWN))
MESSAGE(CSIDriverSpec,
	FIELD(4, "storageCapacity", BOOL, ONE, SHOWN),
	FIELD(11, "preventPodSchedulingIfMissing", BOOL, ONE, SHOWN))
MESSAGE(CSIDriver,
	MESSAGE_FIELD(1, "metadata", ObjectMeta, ONE, SHOWN),
	MESSAGE_FIELD(2, "spec", CSIDriverSpec, ONE, SHOWN))
MESSAGE(CSIStorageCapacity,
	MESSAGE_FIELD(1, "metadata", ObjectMeta, ONE, SHOWN),
	MESSAGE_FIELD(2, "nodeTopology", LabelSelector, ONE, SHOWN),
	FIELD(3, "storageClassName", STRING, ONE, SHOWN),
	FIELD(4, "capacity", QUANTITY, ONE, SHOWN),
	FIELD(5, "maximumVolumeSize", QUANTITY, ONE, SHOWN))
MESSAGE(VolumeAttachmentSource,
	FIELD(1, "persistentVolumeName", STRING, ONE, SHOWN))
MESSAGE(VolumeAttachmentSpec,
	FIELD(1, "attacher", STRING, ONE, SHOWN),
	MESSAGE_FIELD(2, "source", VolumeAttachmentSource, ONE, SHOWN),
	FIELD(3, "nodeName", STRING, ONE, SHOWN))
MESSAGE(VolumeAttachment,
	MESSAGE_FIELD(1, "metadata", ObjectMeta, ONE, SHOWN),
	MESSAGE_FIELD(2, "spec", VolumeAttachmentSpec, ONE, SHOWN))
MESSAGE(PodDisruptionBudgetStatus,
	FIELD(2, "disruptedPods", TIME, MAP, SHOWN),
	FIELD(3, "disruptionsAllowed", INT32, ONE, SHOWN))
MESSAGE(PodDisruptionBudget,
	MESSAGE_FIELD(1, "metadata", ObjectMeta, ONE, SHOWN),
	MESSAGE_FIELD(2, "spec", ReplicaSetSpec, ONE, SHOWN),
	MESSAGE_FIELD(3, "status", PodDisruptionBudgetStatus, ONE, SHOWN))
/* clang-format on */
#undef MESSAGE
