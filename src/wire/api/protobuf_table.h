/*
 * Kubernetes' messages: made by script/protobuf-table, not by hand.
 *
 *	MESSAGE(name, fields)
 *	KIND(number, JSON name, form)
 *	OBJECT(number, JSON name, message, form)
 *	INLINE(number, message whose fields stand in this one)
 *
 * They become FIELD() and MESSAGE_FIELD() of the file that includes it; see
 * protobuf_tree.c for kinds and forms, of which the first is left out.
 */
/* clang-format off */
#define STRING(number, name, ...) \
	FIELD(number, #name, STRING, __VA_ARGS__)
#define BOOL(number, name, ...) \
	FIELD(number, #name, BOOL, __VA_ARGS__)
#define BYTES(number, name, ...) \
	FIELD(number, #name, BYTES, __VA_ARGS__)
#define INT32(number, name, ...) \
	FIELD(number, #name, INT32, __VA_ARGS__)
#define INT64(number, name, ...) \
	FIELD(number, #name, INT64, __VA_ARGS__)
#define INT_OR_STRING(number, name, ...) \
	FIELD(number, #name, INT_OR_STRING, __VA_ARGS__)
#define QUANTITY(number, name, ...) \
	FIELD(number, #name, QUANTITY, __VA_ARGS__)
#define TIME(number, name, ...) \
	FIELD(number, #name, TIME, __VA_ARGS__)
#define OBJECT(number, name, message, ...) \
	MESSAGE_FIELD(number, #name, message, __VA_ARGS__)
#define INLINE(number, message) MESSAGE_FIELD(number, "", message, INLINE)
MESSAGE(OwnerReference, STRING(1, kind), STRING(3, name), STRING(4, uid), STRING(5, apiVersion),
	BOOL(6, controller), BOOL(7, blockOwnerDeletion))
MESSAGE(Initializer, STRING(1, name))
MESSAGE(ShardInfo, STRING(1, selector))
MESSAGE(ListMeta, STRING(1, selfLink, IF_SET), STRING(2, resourceVersion, IF_SET),
	STRING(3, continue, IF_SET), INT64(4, remainingItemCount), OBJECT(5, shardInfo, ShardInfo))
MESSAGE(StatusCause, STRING(1, reason, IF_SET), STRING(2, message, IF_SET),
	STRING(3, field, IF_SET))
MESSAGE(StatusDetails, STRING(1, name, IF_SET), STRING(2, group, IF_SET), STRING(3, kind, IF_SET),
	OBJECT(4, causes, StatusCause, LIST), INT32(5, retryAfterSeconds, IF_SET),
	STRING(6, uid, IF_SET))
MESSAGE(Status, OBJECT(1, metadata, ListMeta), STRING(2, status, IF_SET),
	STRING(3, message, IF_SET), STRING(4, reason, IF_SET), OBJECT(5, details, StatusDetails),
	INT32(6, code, IF_SET))
MESSAGE(Initializers, OBJECT(1, pending, Initializer, LIST_OR_NULL), OBJECT(2, result, Status))
MESSAGE(ObjectMeta, STRING(1, name, IF_SET), STRING(2, generateName, IF_SET),
	STRING(3, namespace, IF_SET), STRING(4, selfLink, IF_SET), STRING(5, uid, IF_SET),
	STRING(6, resourceVersion, IF_SET), INT64(7, generation, IF_SET),
	TIME(8, creationTimestamp), TIME(9, deletionTimestamp),
	INT64(10, deletionGracePeriodSeconds), STRING(11, labels, MAP),
	STRING(12, annotations, MAP), OBJECT(13, ownerReferences, OwnerReference, LIST),
	STRING(14, finalizers, LIST), STRING(15, clusterName, IF_SET),
	OBJECT(16, initializers, Initializers))
MESSAGE(HostPathVolumeSource, STRING(1, path), STRING(2, type))
MESSAGE(EmptyDirVolumeSource, STRING(1, medium, IF_SET), QUANTITY(2, sizeLimit))
MESSAGE(GCEPersistentDiskVolumeSource, STRING(1, pdName), STRING(2, fsType, IF_SET),
	INT32(3, partition, IF_SET), BOOL(4, readOnly, IF_SET))
MESSAGE(AWSElasticBlockStoreVolumeSource, STRING(1, volumeID), STRING(2, fsType, IF_SET),
	INT32(3, partition, IF_SET), BOOL(4, readOnly, IF_SET))
MESSAGE(GitRepoVolumeSource, STRING(1, repository), STRING(2, revision, IF_SET),
	STRING(3, directory, IF_SET))
MESSAGE(KeyToPath, STRING(1, key), STRING(2, path), INT32(3, mode))
MESSAGE(SecretVolumeSource, STRING(1, secretName, IF_SET), OBJECT(2, items, KeyToPath, LIST),
	INT32(3, defaultMode), BOOL(4, optional))
MESSAGE(NFSVolumeSource, STRING(1, server), STRING(2, path), BOOL(3, readOnly, IF_SET))
MESSAGE(LocalObjectReference, STRING(1, name, IF_SET))
MESSAGE(ISCSIVolumeSource, STRING(1, targetPortal), STRING(2, iqn), INT32(3, lun),
	STRING(4, iscsiInterface, IF_SET), STRING(5, fsType, IF_SET), BOOL(6, readOnly, IF_SET),
	STRING(7, portals, LIST), BOOL(8, chapAuthDiscovery, IF_SET),
	OBJECT(10, secretRef, LocalObjectReference), BOOL(11, chapAuthSession, IF_SET),
	STRING(12, initiatorName))
MESSAGE(GlusterfsVolumeSource, STRING(1, endpoints), STRING(2, path), BOOL(3, readOnly, IF_SET))
MESSAGE(PersistentVolumeClaimVolumeSource, STRING(1, claimName), BOOL(2, readOnly, IF_SET))
MESSAGE(RBDVolumeSource, STRING(1, monitors, LIST_OR_NULL), STRING(2, image),
	STRING(3, fsType, IF_SET), STRING(4, pool, IF_SET), STRING(5, user, IF_SET),
	STRING(6, keyring, IF_SET), OBJECT(7, secretRef, LocalObjectReference),
	BOOL(8, readOnly, IF_SET))
MESSAGE(FlexVolumeSource, STRING(1, driver), STRING(2, fsType, IF_SET),
	OBJECT(3, secretRef, LocalObjectReference), BOOL(4, readOnly, IF_SET),
	STRING(5, options, MAP))
MESSAGE(CinderVolumeSource, STRING(1, volumeID), STRING(2, fsType, IF_SET),
	BOOL(3, readOnly, IF_SET), OBJECT(4, secretRef, LocalObjectReference))
MESSAGE(CephFSVolumeSource, STRING(1, monitors, LIST_OR_NULL), STRING(2, path, IF_SET),
	STRING(3, user, IF_SET), STRING(4, secretFile, IF_SET),
	OBJECT(5, secretRef, LocalObjectReference), BOOL(6, readOnly, IF_SET))
MESSAGE(FlockerVolumeSource, STRING(1, datasetName, IF_SET), STRING(2, datasetUUID, IF_SET))
MESSAGE(ObjectFieldSelector, STRING(1, apiVersion, IF_SET), STRING(2, fieldPath))
MESSAGE(ResourceFieldSelector, STRING(1, containerName, IF_SET), STRING(2, resource),
	QUANTITY(3, divisor))
MESSAGE(DownwardAPIVolumeFile, STRING(1, path), OBJECT(2, fieldRef, ObjectFieldSelector),
	OBJECT(3, resourceFieldRef, ResourceFieldSelector), INT32(4, mode))
MESSAGE(DownwardAPIVolumeSource, OBJECT(1, items, DownwardAPIVolumeFile, LIST),
	INT32(2, defaultMode))
MESSAGE(FCVolumeSource, STRING(1, targetWWNs, LIST), INT32(2, lun), STRING(3, fsType, IF_SET),
	BOOL(4, readOnly, IF_SET), STRING(5, wwids, LIST))
MESSAGE(AzureFileVolumeSource, STRING(1, secretName), STRING(2, shareName),
	BOOL(3, readOnly, IF_SET))
MESSAGE(ConfigMapVolumeSource, INLINE(1, LocalObjectReference), OBJECT(2, items, KeyToPath, LIST),
	INT32(3, defaultMode), BOOL(4, optional))
MESSAGE(VsphereVirtualDiskVolumeSource, STRING(1, volumePath), STRING(2, fsType, IF_SET),
	STRING(3, storagePolicyName, IF_SET), STRING(4, storagePolicyID, IF_SET))
MESSAGE(QuobyteVolumeSource, STRING(1, registry), STRING(2, volume), BOOL(3, readOnly, IF_SET),
	STRING(4, user, IF_SET), STRING(5, group, IF_SET), STRING(6, tenant, IF_SET))
MESSAGE(AzureDiskVolumeSource, STRING(1, diskName), STRING(2, diskURI), STRING(3, cachingMode),
	STRING(4, fsType), BOOL(5, readOnly), STRING(6, kind))
MESSAGE(PhotonPersistentDiskVolumeSource, STRING(1, pdID), STRING(2, fsType, IF_SET))
MESSAGE(PortworxVolumeSource, STRING(1, volumeID), STRING(2, fsType, IF_SET),
	BOOL(3, readOnly, IF_SET))
MESSAGE(ScaleIOVolumeSource, STRING(1, gateway), STRING(2, system),
	OBJECT(3, secretRef, LocalObjectReference), BOOL(4, sslEnabled, IF_SET),
	STRING(5, protectionDomain, IF_SET), STRING(6, storagePool, IF_SET),
	STRING(7, storageMode, IF_SET), STRING(8, volumeName, IF_SET), STRING(9, fsType, IF_SET),
	BOOL(10, readOnly, IF_SET))
MESSAGE(SecretProjection, INLINE(1, LocalObjectReference), OBJECT(2, items, KeyToPath, LIST),
	BOOL(4, optional))
MESSAGE(DownwardAPIProjection, OBJECT(1, items, DownwardAPIVolumeFile, LIST))
MESSAGE(ServiceAccountTokenProjection, STRING(1, audience, IF_SET), INT64(2, expirationSeconds),
	STRING(3, path))
MESSAGE(LabelSelectorRequirement, STRING(1, key), STRING(2, operator), STRING(3, values, LIST))
MESSAGE(LabelSelector, STRING(1, matchLabels, MAP),
	OBJECT(2, matchExpressions, LabelSelectorRequirement, LIST))
MESSAGE(ClusterTrustBundleProjection, STRING(1, name), STRING(2, signerName),
	OBJECT(3, labelSelector, LabelSelector), STRING(4, path), BOOL(5, optional))
MESSAGE(PodCertificateProjection, STRING(1, signerName, IF_SET), STRING(2, keyType, IF_SET),
	INT32(3, maxExpirationSeconds), STRING(4, credentialBundlePath, IF_SET),
	STRING(5, keyPath, IF_SET), STRING(6, certificateChainPath, IF_SET),
	STRING(7, userAnnotations, MAP))
MESSAGE(VolumeProjection, OBJECT(1, secret, SecretProjection),
	OBJECT(2, downwardAPI, DownwardAPIProjection), OBJECT(3, configMap, SecretProjection),
	OBJECT(4, serviceAccountToken, ServiceAccountTokenProjection),
	OBJECT(5, clusterTrustBundle, ClusterTrustBundleProjection),
	OBJECT(6, podCertificate, PodCertificateProjection))
MESSAGE(ProjectedVolumeSource, OBJECT(1, sources, VolumeProjection, LIST_OR_NULL),
	INT32(2, defaultMode))
MESSAGE(StorageOSVolumeSource, STRING(1, volumeName, IF_SET), STRING(2, volumeNamespace, IF_SET),
	STRING(3, fsType, IF_SET), BOOL(4, readOnly, IF_SET),
	OBJECT(5, secretRef, LocalObjectReference))
MESSAGE(CSIVolumeSource, STRING(1, driver), BOOL(2, readOnly), STRING(3, fsType),
	STRING(4, volumeAttributes, MAP), OBJECT(5, nodePublishSecretRef, LocalObjectReference))
MESSAGE(VolumeResourceRequirements, QUANTITY(1, limits, MAP), QUANTITY(2, requests, MAP))
MESSAGE(TypedLocalObjectReference, STRING(1, apiGroup), STRING(2, kind), STRING(3, name))
MESSAGE(TypedObjectReference, STRING(1, apiGroup), STRING(2, kind), STRING(3, name),
	STRING(4, namespace))
MESSAGE(PersistentVolumeClaimSpec, STRING(1, accessModes, LIST),
	OBJECT(2, resources, VolumeResourceRequirements), STRING(3, volumeName, IF_SET),
	OBJECT(4, selector, LabelSelector), STRING(5, storageClassName), STRING(6, volumeMode),
	OBJECT(7, dataSource, TypedLocalObjectReference),
	OBJECT(8, dataSourceRef, TypedObjectReference), STRING(9, volumeAttributesClassName))
MESSAGE(PersistentVolumeClaimTemplate, OBJECT(1, metadata, ObjectMeta),
	OBJECT(2, spec, PersistentVolumeClaimSpec))
MESSAGE(EphemeralVolumeSource, OBJECT(1, volumeClaimTemplate, PersistentVolumeClaimTemplate),
	BOOL(2, readOnly, IF_SET))
MESSAGE(ImageVolumeSource, STRING(1, reference, IF_SET), STRING(2, pullPolicy, IF_SET))
MESSAGE(VolumeSource, OBJECT(1, hostPath, HostPathVolumeSource),
	OBJECT(2, emptyDir, EmptyDirVolumeSource),
	OBJECT(3, gcePersistentDisk, GCEPersistentDiskVolumeSource),
	OBJECT(4, awsElasticBlockStore, AWSElasticBlockStoreVolumeSource),
	OBJECT(5, gitRepo, GitRepoVolumeSource), OBJECT(6, secret, SecretVolumeSource),
	OBJECT(7, nfs, NFSVolumeSource), OBJECT(8, iscsi, ISCSIVolumeSource),
	OBJECT(9, glusterfs, GlusterfsVolumeSource),
	OBJECT(10, persistentVolumeClaim, PersistentVolumeClaimVolumeSource),
	OBJECT(11, rbd, RBDVolumeSource), OBJECT(12, flexVolume, FlexVolumeSource),
	OBJECT(13, cinder, CinderVolumeSource), OBJECT(14, cephfs, CephFSVolumeSource),
	OBJECT(15, flocker, FlockerVolumeSource), OBJECT(16, downwardAPI, DownwardAPIVolumeSource),
	OBJECT(17, fc, FCVolumeSource), OBJECT(18, azureFile, AzureFileVolumeSource),
	OBJECT(19, configMap, ConfigMapVolumeSource),
	OBJECT(20, vsphereVolume, VsphereVirtualDiskVolumeSource),
	OBJECT(21, quobyte, QuobyteVolumeSource), OBJECT(22, azureDisk, AzureDiskVolumeSource),
	OBJECT(23, photonPersistentDisk, PhotonPersistentDiskVolumeSource),
	OBJECT(24, portworxVolume, PortworxVolumeSource), OBJECT(25, scaleIO, ScaleIOVolumeSource),
	OBJECT(26, projected, ProjectedVolumeSource), OBJECT(27, storageos, StorageOSVolumeSource),
	OBJECT(28, csi, CSIVolumeSource), OBJECT(29, ephemeral, EphemeralVolumeSource),
	OBJECT(30, image, ImageVolumeSource))
MESSAGE(Volume, STRING(1, name), INLINE(2, VolumeSource))
MESSAGE(ContainerPort, STRING(1, name, IF_SET), INT32(2, hostPort, IF_SET),
	INT32(3, containerPort), STRING(4, protocol, IF_SET), STRING(5, hostIP, IF_SET))
MESSAGE(ConfigMapKeySelector, INLINE(1, LocalObjectReference), STRING(2, key), BOOL(3, optional))
MESSAGE(FileKeySelector, STRING(1, volumeName), STRING(2, path), STRING(3, key), BOOL(4, optional))
MESSAGE(EnvVarSource, OBJECT(1, fieldRef, ObjectFieldSelector),
	OBJECT(2, resourceFieldRef, ResourceFieldSelector),
	OBJECT(3, configMapKeyRef, ConfigMapKeySelector),
	OBJECT(4, secretKeyRef, ConfigMapKeySelector), OBJECT(5, fileKeyRef, FileKeySelector))
MESSAGE(EnvVar, STRING(1, name), STRING(2, value, IF_SET), OBJECT(3, valueFrom, EnvVarSource))
MESSAGE(ResourceClaim, STRING(1, name), STRING(2, request, IF_SET))
MESSAGE(ResourceRequirements, QUANTITY(1, limits, MAP), QUANTITY(2, requests, MAP),
	OBJECT(3, claims, ResourceClaim, LIST))
MESSAGE(VolumeMount, STRING(1, name), BOOL(2, readOnly, IF_SET), STRING(3, mountPath),
	STRING(4, subPath, IF_SET), STRING(5, mountPropagation), STRING(6, subPathExpr, IF_SET),
	STRING(7, recursiveReadOnly))
MESSAGE(ExecAction, STRING(1, command, LIST))
MESSAGE(HTTPHeader, STRING(1, name), STRING(2, value))
MESSAGE(HTTPGetAction, STRING(1, path, IF_SET), INT_OR_STRING(2, port), STRING(3, host, IF_SET),
	STRING(4, scheme, IF_SET), OBJECT(5, httpHeaders, HTTPHeader, LIST))
MESSAGE(TCPSocketAction, INT_OR_STRING(1, port), STRING(2, host, IF_SET))
MESSAGE(GRPCAction, INT32(1, port), STRING(2, service))
MESSAGE(ProbeHandler, OBJECT(1, exec, ExecAction), OBJECT(2, httpGet, HTTPGetAction),
	OBJECT(3, tcpSocket, TCPSocketAction), OBJECT(4, grpc, GRPCAction))
MESSAGE(Probe, INLINE(1, ProbeHandler), INT32(2, initialDelaySeconds, IF_SET),
	INT32(3, timeoutSeconds, IF_SET), INT32(4, periodSeconds, IF_SET),
	INT32(5, successThreshold, IF_SET), INT32(6, failureThreshold, IF_SET),
	INT64(7, terminationGracePeriodSeconds))
MESSAGE(SleepAction, INT64(1, seconds))
MESSAGE(LifecycleHandler, OBJECT(1, exec, ExecAction), OBJECT(2, httpGet, HTTPGetAction),
	OBJECT(3, tcpSocket, TCPSocketAction), OBJECT(4, sleep, SleepAction))
MESSAGE(Lifecycle, OBJECT(1, postStart, LifecycleHandler), OBJECT(2, preStop, LifecycleHandler),
	STRING(3, stopSignal))
MESSAGE(Capabilities, STRING(1, add, LIST), STRING(2, drop, LIST))
MESSAGE(SELinuxOptions, STRING(1, user, IF_SET), STRING(2, role, IF_SET), STRING(3, type, IF_SET),
	STRING(4, level, IF_SET))
MESSAGE(WindowsSecurityContextOptions, STRING(1, gmsaCredentialSpecName),
	STRING(2, gmsaCredentialSpec), STRING(3, runAsUserName), BOOL(4, hostProcess))
MESSAGE(SeccompProfile, STRING(1, type), STRING(2, localhostProfile))
MESSAGE(SecurityContext, OBJECT(1, capabilities, Capabilities), BOOL(2, privileged),
	OBJECT(3, seLinuxOptions, SELinuxOptions), INT64(4, runAsUser), BOOL(5, runAsNonRoot),
	BOOL(6, readOnlyRootFilesystem), BOOL(7, allowPrivilegeEscalation), INT64(8, runAsGroup),
	STRING(9, procMount), OBJECT(10, windowsOptions, WindowsSecurityContextOptions),
	OBJECT(11, seccompProfile, SeccompProfile), OBJECT(12, appArmorProfile, SeccompProfile))
MESSAGE(ConfigMapEnvSource, INLINE(1, LocalObjectReference), BOOL(2, optional))
MESSAGE(EnvFromSource, STRING(1, prefix, IF_SET), OBJECT(2, configMapRef, ConfigMapEnvSource),
	OBJECT(3, secretRef, ConfigMapEnvSource))
MESSAGE(VolumeDevice, STRING(1, name), STRING(2, devicePath))
MESSAGE(ContainerResizePolicy, STRING(1, resourceName), STRING(2, restartPolicy))
MESSAGE(ContainerRestartRuleOnExitCodes, STRING(1, operator, IF_SET), INT32(2, values, LIST))
MESSAGE(ContainerRestartRule, STRING(1, action, IF_SET),
	OBJECT(2, exitCodes, ContainerRestartRuleOnExitCodes))
MESSAGE(Container, STRING(1, name), STRING(2, image, IF_SET), STRING(3, command, LIST),
	STRING(4, args, LIST), STRING(5, workingDir, IF_SET),
	OBJECT(6, ports, ContainerPort, LIST), OBJECT(7, env, EnvVar, LIST),
	OBJECT(8, resources, ResourceRequirements), OBJECT(9, volumeMounts, VolumeMount, LIST),
	OBJECT(10, livenessProbe, Probe), OBJECT(11, readinessProbe, Probe),
	OBJECT(12, lifecycle, Lifecycle), STRING(13, terminationMessagePath, IF_SET),
	STRING(14, imagePullPolicy, IF_SET), OBJECT(15, securityContext, SecurityContext),
	BOOL(16, stdin, IF_SET), BOOL(17, stdinOnce, IF_SET), BOOL(18, tty, IF_SET),
	OBJECT(19, envFrom, EnvFromSource, LIST), STRING(20, terminationMessagePolicy, IF_SET),
	OBJECT(21, volumeDevices, VolumeDevice, LIST), OBJECT(22, startupProbe, Probe),
	OBJECT(23, resizePolicy, ContainerResizePolicy, LIST), STRING(24, restartPolicy),
	OBJECT(25, restartPolicyRules, ContainerRestartRule, LIST))
MESSAGE(PodSecurityContext, OBJECT(1, seLinuxOptions, SELinuxOptions), INT64(2, runAsUser),
	BOOL(3, runAsNonRoot), INT64(4, supplementalGroups, LIST), INT64(5, fsGroup),
	INT64(6, runAsGroup), OBJECT(7, sysctls, HTTPHeader, LIST),
	OBJECT(8, windowsOptions, WindowsSecurityContextOptions), STRING(9, fsGroupChangePolicy),
	OBJECT(10, seccompProfile, SeccompProfile), OBJECT(11, appArmorProfile, SeccompProfile),
	STRING(12, supplementalGroupsPolicy), STRING(13, seLinuxChangePolicy))
MESSAGE(NodeSelectorTerm, OBJECT(1, matchExpressions, LabelSelectorRequirement, LIST),
	OBJECT(2, matchFields, LabelSelectorRequirement, LIST))
MESSAGE(NodeSelector, OBJECT(1, nodeSelectorTerms, NodeSelectorTerm, LIST_OR_NULL))
MESSAGE(PreferredSchedulingTerm, INT32(1, weight), OBJECT(2, preference, NodeSelectorTerm))
MESSAGE(NodeAffinity, OBJECT(1, requiredDuringSchedulingIgnoredDuringExecution, NodeSelector),
	OBJECT(2, preferredDuringSchedulingIgnoredDuringExecution, PreferredSchedulingTerm, LIST))
MESSAGE(PodAffinityTerm, OBJECT(1, labelSelector, LabelSelector), STRING(2, namespaces, LIST),
	STRING(3, topologyKey), OBJECT(4, namespaceSelector, LabelSelector),
	STRING(5, matchLabelKeys, LIST), STRING(6, mismatchLabelKeys, LIST))
MESSAGE(WeightedPodAffinityTerm, INT32(1, weight), OBJECT(2, podAffinityTerm, PodAffinityTerm))
MESSAGE(PodAffinity,
	OBJECT(1, requiredDuringSchedulingIgnoredDuringExecution, PodAffinityTerm, LIST),
	OBJECT(2, preferredDuringSchedulingIgnoredDuringExecution, WeightedPodAffinityTerm, LIST))
MESSAGE(Affinity, OBJECT(1, nodeAffinity, NodeAffinity), OBJECT(2, podAffinity, PodAffinity),
	OBJECT(3, podAntiAffinity, PodAffinity))
MESSAGE(Toleration, STRING(1, key, IF_SET), STRING(2, operator, IF_SET), STRING(3, value, IF_SET),
	STRING(4, effect, IF_SET), INT64(5, tolerationSeconds))
MESSAGE(HostAlias, STRING(1, ip), STRING(2, hostnames, LIST))
MESSAGE(PodDNSConfigOption, STRING(1, name, IF_SET), STRING(2, value))
MESSAGE(PodDNSConfig, STRING(1, nameservers, LIST), STRING(2, searches, LIST),
	OBJECT(3, options, PodDNSConfigOption, LIST))
MESSAGE(PodReadinessGate, STRING(1, conditionType))
MESSAGE(TopologySpreadConstraint, INT32(1, maxSkew), STRING(2, topologyKey),
	STRING(3, whenUnsatisfiable), OBJECT(4, labelSelector, LabelSelector),
	INT32(5, minDomains), STRING(6, nodeAffinityPolicy), STRING(7, nodeTaintsPolicy),
	STRING(8, matchLabelKeys, LIST))
MESSAGE(EphemeralContainer, INLINE(1, Container), STRING(2, targetContainerName, IF_SET))
MESSAGE(ClaimSource, STRING(1, resourceClaimName), STRING(2, resourceClaimTemplateName))
MESSAGE(PodResourceClaim, STRING(1, name), OBJECT(2, source, ClaimSource),
	STRING(3, resourceClaimName), STRING(4, resourceClaimTemplateName))
MESSAGE(WorkloadReference, STRING(1, name), STRING(2, podGroup),
	STRING(3, podGroupReplicaKey, IF_SET))
MESSAGE(PodSchedulingGroup, STRING(1, podGroupName))
MESSAGE(PodSpec, OBJECT(1, volumes, Volume, LIST), OBJECT(2, containers, Container, LIST_OR_NULL),
	STRING(3, restartPolicy, IF_SET), INT64(4, terminationGracePeriodSeconds),
	INT64(5, activeDeadlineSeconds), STRING(6, dnsPolicy, IF_SET),
	STRING(7, nodeSelector, MAP), STRING(8, serviceAccountName, IF_SET),
	STRING(9, serviceAccount, IF_SET), STRING(10, nodeName, IF_SET),
	BOOL(11, hostNetwork, IF_SET), BOOL(12, hostPID, IF_SET), BOOL(13, hostIPC, IF_SET),
	OBJECT(14, securityContext, PodSecurityContext),
	OBJECT(15, imagePullSecrets, LocalObjectReference, LIST), STRING(16, hostname, IF_SET),
	STRING(17, subdomain, IF_SET), OBJECT(18, affinity, Affinity),
	STRING(19, schedulerName, IF_SET), OBJECT(20, initContainers, Container, LIST),
	BOOL(21, automountServiceAccountToken), OBJECT(22, tolerations, Toleration, LIST),
	OBJECT(23, hostAliases, HostAlias, LIST), STRING(24, priorityClassName, IF_SET),
	INT32(25, priority), OBJECT(26, dnsConfig, PodDNSConfig), BOOL(27, shareProcessNamespace),
	OBJECT(28, readinessGates, PodReadinessGate, LIST), STRING(29, runtimeClassName),
	BOOL(30, enableServiceLinks), STRING(31, preemptionPolicy), QUANTITY(32, overhead, MAP),
	OBJECT(33, topologySpreadConstraints, TopologySpreadConstraint, LIST),
	OBJECT(34, ephemeralContainers, EphemeralContainer, LIST), BOOL(35, setHostnameAsFQDN),
	OBJECT(36, os, Initializer), BOOL(37, hostUsers),
	OBJECT(38, schedulingGates, Initializer, LIST),
	OBJECT(39, resourceClaims, PodResourceClaim, LIST),
	OBJECT(40, resources, ResourceRequirements), STRING(41, hostnameOverride),
	OBJECT(42, workloadRef, WorkloadReference),
	OBJECT(43, schedulingGroup, PodSchedulingGroup))
MESSAGE(PodCondition, STRING(1, type), STRING(2, status), TIME(3, lastProbeTime),
	TIME(4, lastTransitionTime), STRING(5, reason, IF_SET), STRING(6, message, IF_SET),
	INT64(7, observedGeneration, IF_SET))
MESSAGE(ContainerStateWaiting, STRING(1, reason, IF_SET), STRING(2, message, IF_SET))
MESSAGE(ContainerStateRunning, TIME(1, startedAt))
MESSAGE(ContainerStateTerminated, INT32(1, exitCode), INT32(2, signal, IF_SET),
	STRING(3, reason, IF_SET), STRING(4, message, IF_SET), TIME(5, startedAt),
	TIME(6, finishedAt), STRING(7, containerID, IF_SET))
MESSAGE(ContainerState, OBJECT(1, waiting, ContainerStateWaiting),
	OBJECT(2, running, ContainerStateRunning), OBJECT(3, terminated, ContainerStateTerminated))
MESSAGE(ImageVolumeStatus, STRING(1, imageRef, IF_SET))
MESSAGE(VolumeStatus, OBJECT(1, image, ImageVolumeStatus))
MESSAGE(VolumeMountStatus, STRING(1, name), STRING(2, mountPath), BOOL(3, readOnly, IF_SET),
	STRING(4, recursiveReadOnly), OBJECT(5, volumeStatus, VolumeStatus))
MESSAGE(LinuxContainerUser, INT64(1, uid), INT64(2, gid), INT64(3, supplementalGroups, LIST))
MESSAGE(ContainerUser, OBJECT(1, linux, LinuxContainerUser))
MESSAGE(ResourceHealth, STRING(1, resourceID), STRING(2, health, IF_SET), STRING(6, message))
MESSAGE(ResourceStatus, STRING(1, name), OBJECT(2, resources, ResourceHealth, LIST))
MESSAGE(ContainerStatus, STRING(1, name), OBJECT(2, state, ContainerState),
	OBJECT(3, lastState, ContainerState), BOOL(4, ready), INT32(5, restartCount),
	STRING(6, image), STRING(7, imageID), STRING(8, containerID, IF_SET), BOOL(9, started),
	QUANTITY(10, allocatedResources, MAP), OBJECT(11, resources, ResourceRequirements),
	OBJECT(12, volumeMounts, VolumeMountStatus, LIST), OBJECT(13, user, ContainerUser),
	OBJECT(14, allocatedResourcesStatus, ResourceStatus, LIST), STRING(15, stopSignal))
MESSAGE(PodIP, STRING(1, ip))
MESSAGE(PodResourceClaimStatus, STRING(1, name), STRING(2, resourceClaimName))
MESSAGE(ContainerExtendedResourceRequest, STRING(1, containerName), STRING(2, resourceName),
	STRING(3, requestName))
MESSAGE(PodExtendedResourceClaimStatus,
	OBJECT(1, requestMappings, ContainerExtendedResourceRequest, LIST_OR_NULL),
	STRING(2, resourceClaimName))
MESSAGE(NodeAllocatableResourceClaimStatus, STRING(1, resourceClaimName),
	STRING(2, containers, LIST), QUANTITY(3, resources, MAP_OR_NULL))
MESSAGE(PodStatus, STRING(1, phase, IF_SET), OBJECT(2, conditions, PodCondition, LIST),
	STRING(3, message, IF_SET), STRING(4, reason, IF_SET), STRING(5, hostIP, IF_SET),
	STRING(6, podIP, IF_SET), TIME(7, startTime),
	OBJECT(8, containerStatuses, ContainerStatus, LIST), STRING(9, qosClass, IF_SET),
	OBJECT(10, initContainerStatuses, ContainerStatus, LIST),
	STRING(11, nominatedNodeName, IF_SET), OBJECT(12, podIPs, PodIP, LIST),
	OBJECT(13, ephemeralContainerStatuses, ContainerStatus, LIST), STRING(14, resize, IF_SET),
	OBJECT(15, resourceClaimStatuses, PodResourceClaimStatus, LIST),
	OBJECT(16, hostIPs, PodIP, LIST), INT64(17, observedGeneration, IF_SET),
	OBJECT(18, extendedResourceClaimStatus, PodExtendedResourceClaimStatus),
	QUANTITY(19, allocatedResources, MAP), OBJECT(20, resources, ResourceRequirements),
	OBJECT(21, nodeAllocatableResourceClaimStatuses, NodeAllocatableResourceClaimStatus, LIST))
MESSAGE(Pod, OBJECT(1, metadata, ObjectMeta), OBJECT(2, spec, PodSpec),
	OBJECT(3, status, PodStatus))
MESSAGE(Taint, STRING(1, key), STRING(2, value, IF_SET), STRING(3, effect), TIME(4, timeAdded))
MESSAGE(ConfigMapNodeConfigSource, STRING(1, namespace), STRING(2, name), STRING(3, uid, IF_SET),
	STRING(4, resourceVersion, IF_SET), STRING(5, kubeletConfigKey))
MESSAGE(NodeConfigSource, OBJECT(2, configMap, ConfigMapNodeConfigSource))
MESSAGE(NodeSpec, STRING(1, podCIDR, IF_SET), STRING(2, externalID, IF_SET),
	STRING(3, providerID, IF_SET), BOOL(4, unschedulable, IF_SET),
	OBJECT(5, taints, Taint, LIST), OBJECT(6, configSource, NodeConfigSource),
	STRING(7, podCIDRs, LIST))
MESSAGE(NodeCondition, STRING(1, type), STRING(2, status), TIME(3, lastHeartbeatTime),
	TIME(4, lastTransitionTime), STRING(5, reason, IF_SET), STRING(6, message, IF_SET))
MESSAGE(NodeAddress, STRING(1, type), STRING(2, address))
MESSAGE(DaemonEndpoint, INT32(1, Port))
MESSAGE(NodeDaemonEndpoints, OBJECT(1, kubeletEndpoint, DaemonEndpoint))
MESSAGE(NodeSwapStatus, INT64(1, capacity))
MESSAGE(NodeSystemInfo, STRING(1, machineID), STRING(2, systemUUID), STRING(3, bootID),
	STRING(4, kernelVersion), STRING(5, osImage), STRING(6, containerRuntimeVersion),
	STRING(7, kubeletVersion), STRING(8, kubeProxyVersion), STRING(9, operatingSystem),
	STRING(10, architecture), OBJECT(11, swap, NodeSwapStatus))
MESSAGE(ContainerImage, STRING(1, names, LIST_OR_NULL), INT64(2, sizeBytes, IF_SET))
MESSAGE(NodeConfigStatus, OBJECT(1, assigned, NodeConfigSource),
	OBJECT(2, active, NodeConfigSource), OBJECT(3, lastKnownGood, NodeConfigSource),
	STRING(4, error, IF_SET))
MESSAGE(NodeRuntimeHandlerFeatures, BOOL(1, recursiveReadOnlyMounts), BOOL(2, userNamespaces))
MESSAGE(NodeRuntimeHandler, STRING(1, name), OBJECT(2, features, NodeRuntimeHandlerFeatures))
MESSAGE(NodeFeatures, BOOL(1, supplementalGroupsPolicy))
MESSAGE(NodeStatus, QUANTITY(1, capacity, MAP), QUANTITY(2, allocatable, MAP),
	STRING(3, phase, IF_SET), OBJECT(4, conditions, NodeCondition, LIST),
	OBJECT(5, addresses, NodeAddress, LIST), OBJECT(6, daemonEndpoints, NodeDaemonEndpoints),
	OBJECT(7, nodeInfo, NodeSystemInfo), OBJECT(8, images, ContainerImage, LIST),
	STRING(9, volumesInUse, LIST), OBJECT(10, volumesAttached, VolumeDevice, LIST),
	OBJECT(11, config, NodeConfigStatus),
	OBJECT(12, runtimeHandlers, NodeRuntimeHandler, LIST), OBJECT(13, features, NodeFeatures),
	STRING(14, declaredFeatures, LIST))
MESSAGE(Node, OBJECT(1, metadata, ObjectMeta), OBJECT(2, spec, NodeSpec),
	OBJECT(3, status, NodeStatus))
MESSAGE(NamespaceSpec, STRING(1, finalizers, LIST))
MESSAGE(NamespaceCondition, STRING(1, type), STRING(2, status), TIME(4, lastTransitionTime),
	STRING(5, reason, IF_SET), STRING(6, message, IF_SET))
MESSAGE(NamespaceStatus, STRING(1, phase, IF_SET), OBJECT(2, conditions, NamespaceCondition, LIST))
MESSAGE(Namespace, OBJECT(1, metadata, ObjectMeta), OBJECT(2, spec, NamespaceSpec),
	OBJECT(3, status, NamespaceStatus))
MESSAGE(ServicePort, STRING(1, name, IF_SET), STRING(2, protocol, IF_SET), INT32(3, port),
	INT_OR_STRING(4, targetPort), INT32(5, nodePort, IF_SET), STRING(6, appProtocol))
MESSAGE(ClientIPConfig, INT32(1, timeoutSeconds))
MESSAGE(SessionAffinityConfig, OBJECT(1, clientIP, ClientIPConfig))
MESSAGE(ServiceSpec, OBJECT(1, ports, ServicePort, LIST), STRING(2, selector, MAP),
	STRING(3, clusterIP, IF_SET), STRING(4, type, IF_SET), STRING(5, externalIPs, LIST),
	STRING(7, sessionAffinity, IF_SET), STRING(8, loadBalancerIP, IF_SET),
	STRING(9, loadBalancerSourceRanges, LIST), STRING(10, externalName, IF_SET),
	STRING(11, externalTrafficPolicy, IF_SET), INT32(12, healthCheckNodePort, IF_SET),
	BOOL(13, publishNotReadyAddresses, IF_SET),
	OBJECT(14, sessionAffinityConfig, SessionAffinityConfig), STRING(15, ipFamily),
	STRING(16, topologyKeys, LIST), STRING(17, ipFamilyPolicy), STRING(18, clusterIPs, LIST),
	STRING(19, ipFamilies, LIST), BOOL(20, allocateLoadBalancerNodePorts),
	STRING(21, loadBalancerClass), STRING(22, internalTrafficPolicy),
	STRING(23, trafficDistribution))
MESSAGE(PortStatus, INT32(1, port), STRING(2, protocol), STRING(3, error))
MESSAGE(LoadBalancerIngress, STRING(1, ip, IF_SET), STRING(2, hostname, IF_SET), STRING(3, ipMode),
	OBJECT(4, ports, PortStatus, LIST))
MESSAGE(LoadBalancerStatus, OBJECT(1, ingress, LoadBalancerIngress, LIST))
MESSAGE(Condition, STRING(1, type), STRING(2, status), INT64(3, observedGeneration, IF_SET),
	TIME(4, lastTransitionTime), STRING(5, reason), STRING(6, message))
MESSAGE(ServiceStatus, OBJECT(1, loadBalancer, LoadBalancerStatus),
	OBJECT(2, conditions, Condition, LIST))
MESSAGE(Service, OBJECT(1, metadata, ObjectMeta), OBJECT(2, spec, ServiceSpec),
	OBJECT(3, status, ServiceStatus))
MESSAGE(ConfigMap, OBJECT(1, metadata, ObjectMeta), STRING(2, data, MAP),
	BYTES(3, binaryData, MAP), BOOL(4, immutable))
MESSAGE(PodTemplateSpec, OBJECT(1, metadata, ObjectMeta), OBJECT(2, spec, PodSpec))
MESSAGE(ReplicationControllerSpec, INT32(1, replicas), STRING(2, selector, MAP),
	OBJECT(3, template, PodTemplateSpec), INT32(4, minReadySeconds, IF_SET))
MESSAGE(ReplicationControllerCondition, STRING(1, type), STRING(2, status),
	TIME(3, lastTransitionTime), STRING(4, reason, IF_SET), STRING(5, message, IF_SET))
MESSAGE(ReplicationControllerStatus, INT32(1, replicas), INT32(2, fullyLabeledReplicas, IF_SET),
	INT64(3, observedGeneration, IF_SET), INT32(4, readyReplicas, IF_SET),
	INT32(5, availableReplicas, IF_SET),
	OBJECT(6, conditions, ReplicationControllerCondition, LIST))
MESSAGE(ReplicationController, OBJECT(1, metadata, ObjectMeta),
	OBJECT(2, spec, ReplicationControllerSpec), OBJECT(3, status, ReplicationControllerStatus))
MESSAGE(GlusterfsPersistentVolumeSource, STRING(1, endpoints), STRING(2, path),
	BOOL(3, readOnly, IF_SET), STRING(4, endpointsNamespace))
MESSAGE(SecretReference, STRING(1, name, IF_SET), STRING(2, namespace, IF_SET))
MESSAGE(RBDPersistentVolumeSource, STRING(1, monitors, LIST_OR_NULL), STRING(2, image),
	STRING(3, fsType, IF_SET), STRING(4, pool, IF_SET), STRING(5, user, IF_SET),
	STRING(6, keyring, IF_SET), OBJECT(7, secretRef, SecretReference),
	BOOL(8, readOnly, IF_SET))
MESSAGE(ISCSIPersistentVolumeSource, STRING(1, targetPortal), STRING(2, iqn), INT32(3, lun),
	STRING(4, iscsiInterface, IF_SET), STRING(5, fsType, IF_SET), BOOL(6, readOnly, IF_SET),
	STRING(7, portals, LIST), BOOL(8, chapAuthDiscovery, IF_SET),
	OBJECT(10, secretRef, SecretReference), BOOL(11, chapAuthSession, IF_SET),
	STRING(12, initiatorName))
MESSAGE(CinderPersistentVolumeSource, STRING(1, volumeID), STRING(2, fsType, IF_SET),
	BOOL(3, readOnly, IF_SET), OBJECT(4, secretRef, SecretReference))
MESSAGE(CephFSPersistentVolumeSource, STRING(1, monitors, LIST_OR_NULL), STRING(2, path, IF_SET),
	STRING(3, user, IF_SET), STRING(4, secretFile, IF_SET),
	OBJECT(5, secretRef, SecretReference), BOOL(6, readOnly, IF_SET))
MESSAGE(FlexPersistentVolumeSource, STRING(1, driver), STRING(2, fsType, IF_SET),
	OBJECT(3, secretRef, SecretReference), BOOL(4, readOnly, IF_SET), STRING(5, options, MAP))
MESSAGE(AzureFilePersistentVolumeSource, STRING(1, secretName), STRING(2, shareName),
	BOOL(3, readOnly, IF_SET), STRING(4, secretNamespace))
MESSAGE(ScaleIOPersistentVolumeSource, STRING(1, gateway), STRING(2, system),
	OBJECT(3, secretRef, SecretReference), BOOL(4, sslEnabled, IF_SET),
	STRING(5, protectionDomain, IF_SET), STRING(6, storagePool, IF_SET),
	STRING(7, storageMode, IF_SET), STRING(8, volumeName, IF_SET), STRING(9, fsType, IF_SET),
	BOOL(10, readOnly, IF_SET))
MESSAGE(LocalVolumeSource, STRING(1, path), STRING(2, fsType))
MESSAGE(ObjectReference, STRING(1, kind, IF_SET), STRING(2, namespace, IF_SET),
	STRING(3, name, IF_SET), STRING(4, uid, IF_SET), STRING(5, apiVersion, IF_SET),
	STRING(6, resourceVersion, IF_SET), STRING(7, fieldPath, IF_SET))
MESSAGE(StorageOSPersistentVolumeSource, STRING(1, volumeName, IF_SET),
	STRING(2, volumeNamespace, IF_SET), STRING(3, fsType, IF_SET), BOOL(4, readOnly, IF_SET),
	OBJECT(5, secretRef, ObjectReference))
MESSAGE(CSIPersistentVolumeSource, STRING(1, driver), STRING(2, volumeHandle),
	BOOL(3, readOnly, IF_SET), STRING(4, fsType, IF_SET), STRING(5, volumeAttributes, MAP),
	OBJECT(6, controllerPublishSecretRef, SecretReference),
	OBJECT(7, nodeStageSecretRef, SecretReference),
	OBJECT(8, nodePublishSecretRef, SecretReference),
	OBJECT(9, controllerExpandSecretRef, SecretReference),
	OBJECT(10, nodeExpandSecretRef, SecretReference))
MESSAGE(PersistentVolumeSource, OBJECT(1, gcePersistentDisk, GCEPersistentDiskVolumeSource),
	OBJECT(2, awsElasticBlockStore, AWSElasticBlockStoreVolumeSource),
	OBJECT(3, hostPath, HostPathVolumeSource),
	OBJECT(4, glusterfs, GlusterfsPersistentVolumeSource), OBJECT(5, nfs, NFSVolumeSource),
	OBJECT(6, rbd, RBDPersistentVolumeSource), OBJECT(7, iscsi, ISCSIPersistentVolumeSource),
	OBJECT(8, cinder, CinderPersistentVolumeSource),
	OBJECT(9, cephfs, CephFSPersistentVolumeSource), OBJECT(10, fc, FCVolumeSource),
	OBJECT(11, flocker, FlockerVolumeSource),
	OBJECT(12, flexVolume, FlexPersistentVolumeSource),
	OBJECT(13, azureFile, AzureFilePersistentVolumeSource),
	OBJECT(14, vsphereVolume, VsphereVirtualDiskVolumeSource),
	OBJECT(15, quobyte, QuobyteVolumeSource), OBJECT(16, azureDisk, AzureDiskVolumeSource),
	OBJECT(17, photonPersistentDisk, PhotonPersistentDiskVolumeSource),
	OBJECT(18, portworxVolume, PortworxVolumeSource),
	OBJECT(19, scaleIO, ScaleIOPersistentVolumeSource), OBJECT(20, local, LocalVolumeSource),
	OBJECT(21, storageos, StorageOSPersistentVolumeSource),
	OBJECT(22, csi, CSIPersistentVolumeSource))
MESSAGE(VolumeNodeAffinity, OBJECT(1, required, NodeSelector))
MESSAGE(PersistentVolumeSpec, QUANTITY(1, capacity, MAP), INLINE(2, PersistentVolumeSource),
	STRING(3, accessModes, LIST), OBJECT(4, claimRef, ObjectReference),
	STRING(5, persistentVolumeReclaimPolicy, IF_SET), STRING(6, storageClassName, IF_SET),
	STRING(7, mountOptions, LIST), STRING(8, volumeMode),
	OBJECT(9, nodeAffinity, VolumeNodeAffinity), STRING(10, volumeAttributesClassName))
MESSAGE(PersistentVolumeStatus, STRING(1, phase, IF_SET), STRING(2, message, IF_SET),
	STRING(3, reason, IF_SET), TIME(4, lastPhaseTransitionTime))
MESSAGE(PersistentVolume, OBJECT(1, metadata, ObjectMeta), OBJECT(2, spec, PersistentVolumeSpec),
	OBJECT(3, status, PersistentVolumeStatus))
MESSAGE(PersistentVolumeClaimCondition, STRING(1, type), STRING(2, status), TIME(3, lastProbeTime),
	TIME(4, lastTransitionTime), STRING(5, reason, IF_SET), STRING(6, message, IF_SET))
MESSAGE(ModifyVolumeStatus, STRING(1, targetVolumeAttributesClassName, IF_SET), STRING(2, status))
MESSAGE(PersistentVolumeClaimStatus, STRING(1, phase, IF_SET), STRING(2, accessModes, LIST),
	QUANTITY(3, capacity, MAP), OBJECT(4, conditions, PersistentVolumeClaimCondition, LIST),
	QUANTITY(5, allocatedResources, MAP), STRING(6, resizeStatus),
	STRING(7, allocatedResourceStatuses, MAP), STRING(8, currentVolumeAttributesClassName),
	OBJECT(9, modifyVolumeStatus, ModifyVolumeStatus))
MESSAGE(PersistentVolumeClaim, OBJECT(1, metadata, ObjectMeta),
	OBJECT(2, spec, PersistentVolumeClaimSpec), OBJECT(3, status, PersistentVolumeClaimStatus))
MESSAGE(ReplicaSetSpec, INT32(1, replicas), OBJECT(2, selector, LabelSelector),
	OBJECT(3, template, PodTemplateSpec), INT32(4, minReadySeconds, IF_SET))
MESSAGE(ReplicaSetStatus, INT32(1, replicas), INT32(2, fullyLabeledReplicas, IF_SET),
	INT64(3, observedGeneration, IF_SET), INT32(4, readyReplicas, IF_SET),
	INT32(5, availableReplicas, IF_SET),
	OBJECT(6, conditions, ReplicationControllerCondition, LIST), INT32(7, terminatingReplicas))
MESSAGE(ReplicaSet, OBJECT(1, metadata, ObjectMeta), OBJECT(2, spec, ReplicaSetSpec),
	OBJECT(3, status, ReplicaSetStatus))
MESSAGE(RollingUpdateStatefulSetStrategy, INT32(1, partition), INT_OR_STRING(2, maxUnavailable))
MESSAGE(StatefulSetUpdateStrategy, STRING(1, type, IF_SET),
	OBJECT(2, rollingUpdate, RollingUpdateStatefulSetStrategy))
MESSAGE(StatefulSetPersistentVolumeClaimRetentionPolicy, STRING(1, whenDeleted, IF_SET),
	STRING(2, whenScaled, IF_SET))
MESSAGE(StatefulSetOrdinals, INT32(1, start))
MESSAGE(StatefulSetSpec, INT32(1, replicas), OBJECT(2, selector, LabelSelector),
	OBJECT(3, template, PodTemplateSpec),
	OBJECT(4, volumeClaimTemplates, PersistentVolumeClaim, LIST), STRING(5, serviceName),
	STRING(6, podManagementPolicy, IF_SET),
	OBJECT(7, updateStrategy, StatefulSetUpdateStrategy), INT32(8, revisionHistoryLimit),
	INT32(9, minReadySeconds, IF_SET),
	OBJECT(10, persistentVolumeClaimRetentionPolicy,
	    StatefulSetPersistentVolumeClaimRetentionPolicy),
	OBJECT(11, ordinals, StatefulSetOrdinals))
MESSAGE(StatefulSetStatus, INT64(1, observedGeneration, IF_SET), INT32(2, replicas),
	INT32(3, readyReplicas, IF_SET), INT32(4, currentReplicas, IF_SET),
	INT32(5, updatedReplicas, IF_SET), STRING(6, currentRevision, IF_SET),
	STRING(7, updateRevision, IF_SET), INT32(9, collisionCount),
	OBJECT(10, conditions, ReplicationControllerCondition, LIST), INT32(11, availableReplicas))
MESSAGE(StatefulSet, OBJECT(1, metadata, ObjectMeta), OBJECT(2, spec, StatefulSetSpec),
	OBJECT(3, status, StatefulSetStatus))
MESSAGE(TopologySelectorLabelRequirement, STRING(1, key), STRING(2, values, LIST_OR_NULL))
MESSAGE(TopologySelectorTerm,
	OBJECT(1, matchLabelExpressions, TopologySelectorLabelRequirement, LIST))
MESSAGE(StorageClass, OBJECT(1, metadata, ObjectMeta), STRING(2, provisioner),
	STRING(3, parameters, MAP), STRING(4, reclaimPolicy), STRING(5, mountOptions, LIST),
	BOOL(6, allowVolumeExpansion), STRING(7, volumeBindingMode),
	OBJECT(8, allowedTopologies, TopologySelectorTerm, LIST))
MESSAGE(VolumeNodeResources, INT32(1, count))
MESSAGE(CSINodeDriver, STRING(1, name), STRING(2, nodeID), STRING(3, topologyKeys, LIST_OR_NULL),
	OBJECT(4, allocatable, VolumeNodeResources))
MESSAGE(CSINodeSpec, OBJECT(1, drivers, CSINodeDriver, LIST_OR_NULL))
MESSAGE(CSINode, OBJECT(1, metadata, ObjectMeta), OBJECT(2, spec, CSINodeSpec))
MESSAGE(TokenRequest, STRING(1, audience), INT64(2, expirationSeconds))
MESSAGE(CSIDriverSpec, BOOL(1, attachRequired), BOOL(2, podInfoOnMount),
	STRING(3, volumeLifecycleModes, LIST), BOOL(4, storageCapacity), STRING(5, fsGroupPolicy),
	OBJECT(6, tokenRequests, TokenRequest, LIST), BOOL(7, requiresRepublish),
	BOOL(8, seLinuxMount), INT64(9, nodeAllocatableUpdatePeriodSeconds),
	BOOL(10, serviceAccountTokenInSecrets), BOOL(11, preventPodSchedulingIfMissing))
MESSAGE(CSIDriver, OBJECT(1, metadata, ObjectMeta), OBJECT(2, spec, CSIDriverSpec))
MESSAGE(CSIStorageCapacity, OBJECT(1, metadata, ObjectMeta),
	OBJECT(2, nodeTopology, LabelSelector), STRING(3, storageClassName), QUANTITY(4, capacity),
	QUANTITY(5, maximumVolumeSize))
MESSAGE(VolumeAttachmentSource, STRING(1, persistentVolumeName),
	OBJECT(2, inlineVolumeSpec, PersistentVolumeSpec))
MESSAGE(VolumeAttachmentSpec, STRING(1, attacher), OBJECT(2, source, VolumeAttachmentSource),
	STRING(3, nodeName))
MESSAGE(VolumeError, TIME(1, time), STRING(2, message, IF_SET), INT32(3, errorCode))
MESSAGE(VolumeAttachmentStatus, BOOL(1, attached), STRING(2, attachmentMetadata, MAP),
	OBJECT(3, attachError, VolumeError), OBJECT(4, detachError, VolumeError))
MESSAGE(VolumeAttachment, OBJECT(1, metadata, ObjectMeta), OBJECT(2, spec, VolumeAttachmentSpec),
	OBJECT(3, status, VolumeAttachmentStatus))
MESSAGE(PodDisruptionBudgetSpec, INT_OR_STRING(1, minAvailable),
	OBJECT(2, selector, LabelSelector), INT_OR_STRING(3, maxUnavailable),
	STRING(4, unhealthyPodEvictionPolicy))
MESSAGE(PodDisruptionBudgetStatus, INT64(1, observedGeneration, IF_SET),
	TIME(2, disruptedPods, MAP), INT32(3, disruptionsAllowed), INT32(4, currentHealthy),
	INT32(5, desiredHealthy), INT32(6, expectedPods), OBJECT(7, conditions, Condition, LIST))
MESSAGE(PodDisruptionBudget, OBJECT(1, metadata, ObjectMeta),
	OBJECT(2, spec, PodDisruptionBudgetSpec), OBJECT(3, status, PodDisruptionBudgetStatus))
MESSAGE(EventSource, STRING(1, component, IF_SET), STRING(2, host, IF_SET))
MESSAGE(EventSeries, INT32(1, count, IF_SET), TIME(2, lastObservedTime), STRING(3, state, IF_SET))
MESSAGE(Event, OBJECT(1, metadata, ObjectMeta), OBJECT(2, involvedObject, ObjectReference),
	STRING(3, reason, IF_SET), STRING(4, message, IF_SET), OBJECT(5, source, EventSource),
	TIME(6, firstTimestamp), TIME(7, lastTimestamp), INT32(8, count, IF_SET),
	STRING(9, type, IF_SET), TIME(10, eventTime), OBJECT(11, series, EventSeries),
	STRING(12, action, IF_SET), OBJECT(13, related, ObjectReference),
	STRING(14, reportingComponent), STRING(15, reportingInstance))
MESSAGE(Binding, OBJECT(1, metadata, ObjectMeta), OBJECT(2, target, ObjectReference))
/* clang-format on */
#undef MESSAGE
