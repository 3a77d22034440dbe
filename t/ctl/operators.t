#!/bin/sh
# The configurations that OpenShift's operator renders, t/data/openshift/RELEASE-PROFILE.yaml:
# both programs read them alike, the daemon also with the arguments of the static pod, and
# the Scheduler object that names the profile decides as the file does, node by node.
. "$SRCDIR/t/ctl/ctl.sh"

data=$SRCDIR/t/data/openshift
cat >"$tmp/kubeconfig" <<'END'
apiVersion: v1
kind: Config
clusters: [{name: a, cluster: {server: "https://localhost:1"}}]
contexts: [{name: a, context: {cluster: a}}]
current-context: a
END

# node NAME PARTS [LABELS]
node() {
	cat <<-END
	---
	{apiVersion: v1, kind: Node, metadata: {name: $1,
	  labels: {kubernetes.io/hostname: $1, $3}$2,
	 status: {allocatable: {cpu: "8", memory: 16Gi, pods: "110"}}}
	END
}
{
	node a '}, spec: {taints: [{key: t, effect: PreferNoSchedule}]}' 'disk: ssd'
	node b '}' ''
	node c '}' ''
	cat <<-'END'
	---
	apiVersion: v1
	kind: Node
	metadata:
	  name: d
	  labels: {kubernetes.io/hostname: d}
	  annotations:
	    scheduler.alpha.kubernetes.io/preferAvoidPods: |
	      {"preferAvoidPods": [{"podSignature": {"podController":
	       {"kind": "ReplicaSet", "uid": "1"}}}]}
	status: {allocatable: {cpu: "8", memory: 16Gi, pods: "110"}}
	END
	cat <<-'END'
	---
	apiVersion: v1
	kind: Pod
	metadata: {name: full, namespace: app}
	spec: {nodeName: a, containers: [{name: c, image: x,
	    resources: {requests: {cpu: "4", memory: 2Gi}}}]}
	status: {phase: Running}
	---
	apiVersion: v1
	kind: Pod
	metadata: {name: p, namespace: app, ownerReferences: [{apiVersion: apps/v1,
	    kind: ReplicaSet, name: r, uid: "1", controller: true}]}
	spec: {affinity: {nodeAffinity: {
	    preferredDuringSchedulingIgnoredDuringExecution: [{weight: 1,
	    preference: {matchExpressions: [{key: disk, operator: In,
	    values: [ssd]}]}}]}},
	  containers: [{name: c, image: x,
	    resources: {requests: {cpu: "1", memory: 1Gi}}}]}
	status: {phase: Pending}
	END
} >"$tmp/cluster.yaml"

# explain MINOR FLAG FILE: the verdicts and scores of all nodes, in $nodes
explain() {
	ctl explain --kubernetes-version "1.$1" "$2" "$3" -o json \
	    --cluster "$tmp/cluster.yaml" --pod app/p
	nodes=$(printf '%s\n' "$out" | tr '{' '\n' | grep '"fits"\|^"')
}

# minor RELEASE: of its Kubernetes
minor() {
	echo $((${1#4.} + 13))
}

# The static pod's files.
etc=$tmp/static-pod-resources
mkdir -p "$etc/configmaps/config" "$etc/configmaps/scheduler-kubeconfig" \
    "$etc/secrets/serving-cert"
cp "$tmp/kubeconfig" "$etc/configmaps/scheduler-kubeconfig/kubeconfig"
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=a \
    -keyout "$etc/secrets/serving-cert/tls.key" \
    -out "$etc/secrets/serving-cert/tls.crt" 2>/dev/null

# args MINOR: of the static pod that the operator renders, a word a line.  The gates are
# those of the release's default feature set, of 4.15 and later some of them.
args() {
	cat <<-END
	--config=$etc/configmaps/config/config.yaml
	--cert-dir=/var/run/kubernetes
	--authentication-kubeconfig=$etc/configmaps/scheduler-kubeconfig/kubeconfig
	--authorization-kubeconfig=$etc/configmaps/scheduler-kubeconfig/kubeconfig
	-v=2
	--tls-cert-file=$etc/secrets/serving-cert/tls.crt
	--tls-private-key-file=$etc/secrets/serving-cert/tls.key
	END
	[ "$1" -gt 22 ] || echo --port=0
	[ "$1" -lt 22 ] || cat <<-'END'
	--tls-cipher-suites=TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256,TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384,TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384,TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256,TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256
	--tls-min-version=VersionTLS12
	END
	case $1 in
	20 | 21 | 22) echo "--feature-gates=APIPriorityAndFairness=true,DownwardAPIHugePages=true,LegacyNodeRoleBehavior=false,NodeDisruptionExclusion=true,RotateKubeletServerCertificate=true,ServiceNodeExclusion=true,SupportPodPidsLimit=true" ;;
	23 | 27) echo "--feature-gates=APIPriorityAndFairness=true,CSIMigrationAzureFile=false,CSIMigrationvSphere=false,DownwardAPIHugePages=true,RotateKubeletServerCertificate=true" ;;
	*) echo "--feature-gates=AdminNetworkPolicy=true,CloudDualStackNodeIPs=true,DynamicResourceAllocation=false,ExternalCloudProvider=true,KMSv1=true,MachineConfigNodes=false,OpenShiftPodSecurityAdmission=false,PinnedImages=false,SignatureStores=false,ValidatingAdmissionPolicy=true,VolumeGroupSnapshot=false" ;;
	esac
}

all=
for file in "$data"/4.*.yaml; do
	name=${file##*/}
	name=${name%.yaml}
	release=${name%%-*}
	profile=${name##*-}
	n=$(minor "$release")
	for flags in '' "--kubernetes-version 1.$n"; do
		# shellcheck disable=SC2086
		is "$name: the daemon takes it $flags" "$("$BUILDDIR/predicated" \
		    --check --config "$file" --kubeconfig "$tmp/kubeconfig" \
		    $flags 2>&1)" "options and policy are valid"
	done
	sed "s|/etc/kubernetes/static-pod-resources|$etc|g" "$file" \
	    >"$etc/configmaps/config/config.yaml"
	# shellcheck disable=SC2046 # one flag a line
	is "$name: with the static pod's arguments, too" \
	    "$("$BUILDDIR/predicated" --check $(args "$n") 2>&1 |
		grep -v '^--feature-gates: warning: .* has no effect$')" \
	    "options and policy are valid"
	ctl check --config "$file"
	is "$name: the tool takes it" "$code:$out" "0:$file: ok"
	explain "$n" --config "$file"
	from_file=$nodes
	customizations=
	case $name in
	*-dra*) customizations="profileCustomizations:
    dynamicResourceAllocation: Enabled" ;;
	esac
	case $profile in
	default | dra) profile='""' ;;
	esac
	cat >"$tmp/scheduler.yaml" <<-END
	apiVersion: config.openshift.io/v1
	kind: Scheduler
	metadata: {name: cluster}
	spec:
	  profile: $profile
	  $customizations
	END
	explain "$n" --policy "$tmp/scheduler.yaml"
	is "$name: the Scheduler object decides so, too" "$nodes" "$from_file"
	case $name in
	4.7-High*) eq_47=$nodes ;;
	4.8-High*) eq_48=$nodes ;;
	4.9-Low*) has "$name: avoids pods" "$nodes" '"NodePreferAvoidPods":0' ;;
	4.10-Low*) low_410=$nodes ;;
	esac
	all="$all $name"
done
is "there are files" "$(echo "$all" | wc -w)" 25
has "4.7 keeps BalancedAllocation" "$eq_47" NodeResourcesBalancedAllocation
lacks "4.8 does not" "$eq_48" NodeResourcesBalancedAllocation
lacks "4.10 has no NodePreferAvoidPods" "$low_410" NodePreferAvoidPods

cat >"$tmp/scheduler.yaml" <<'END'
apiVersion: config.openshift.io/v1
kind: Scheduler
metadata: {name: cluster}
spec: {profile: Nonsense}
END
explain 23 --policy "$tmp/scheduler.yaml"
has "another profile" "$out$err" 'not recognized'

finish
