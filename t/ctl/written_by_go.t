#!/bin/sh
# Configurations as programs in Go write them, with each member that no tag omits:
# defaults filled in by kube-scheduler's --write-config-to (written-VERSION.yaml, of 1.20.2
# and 1.36.2; the former without the plugins, which 1.20.2 refuses to read again), and not
# filled in, as operators do.  Both programs read them, and they decide as a
# configuration of no members does.
. "$SRCDIR/t/ctl/ctl.sh"

cat >"$tmp/kubeconfig" <<'END'
apiVersion: v1
kind: Config
clusters: [{name: a, cluster: {server: "https://localhost:1"}}]
contexts: [{name: a, context: {cluster: a}}]
current-context: a
END
# Nodes that each score prefers differently.
{
	i=0
	for cpu in 4 8 16; do
		i=$((i + 1))
		cat <<-END
		---
		{apiVersion: v1, kind: Node, metadata: {name: n$i, labels: {
		  kubernetes.io/hostname: n$i, topology.kubernetes.io/zone: z$((i % 2))}},
		 spec: {taints: [{key: t, value: "$i", effect: PreferNoSchedule}]},
		 status: {allocatable: {cpu: "$cpu", memory: ${cpu}Gi, pods: "110"}}}
		---
		{apiVersion: v1, kind: Pod, metadata: {namespace: d, name: on-$i, labels: {app: a}},
		 spec: {nodeName: n$i, containers: [{name: c, image: x, resources:
		  {requests: {cpu: "$i", memory: 1Gi}}}]}, status: {phase: Running}}
		END
	done
	cat <<-'END'
	---
	{apiVersion: v1, kind: Pod, metadata: {namespace: d, name: p, labels: {app: a}},
	 spec: {tolerations: [{key: t, value: "2"}],
	 affinity: {podAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [
	  {weight: 5, podAffinityTerm: {topologyKey: topology.kubernetes.io/zone,
	  labelSelector: {matchLabels: {app: a}}}}]}},
	 containers: [{name: c, image: x, resources: {requests: {cpu: "1"}}}]}}
	END
} >"$tmp/cluster.yaml"

# head_of VERSION
head_of() {
	echo "apiVersion: kubescheduler.config.k8s.io/$1
kind: KubeSchedulerConfiguration"
}

# not_filled_in VERSION: the Go type without a value, marshalled.
not_filled_in() {
	head_of "$1"
	lock=
	case $1 in
	v1alpha1)
		cat <<-'END'
		algorithmSource: {}
		bindTimeoutSeconds: null
		podInitialBackoffSeconds: null
		podMaxBackoffSeconds: null
		END
		lock='lockObjectName: "", lockObjectNamespace: "",'
		;;
	esac
	cat <<-END
	clientConnection: {acceptContentTypes: "", burst: 0, contentType: "",
	  kubeconfig: "", qps: 0}
	leaderElection: {leaderElect: null, leaseDuration: 0s, $lock
	  renewDeadline: 0s, resourceLock: "", resourceName: "",
	  resourceNamespace: "", retryPeriod: 0s}
	END
}

# filled_in VERSION: by the defaults of the release that wrote it, for those of
# which there is no file.
filled_in() {
	head_of "$1"
	lock='resourceName: kube-scheduler, resourceNamespace: kube-system,'
	case $1 in
	v1alpha1)
		cat <<-'END'
		algorithmSource: {provider: DefaultProvider}
		hardPodAffinitySymmetricWeight: 1
		schedulerName: default-scheduler
		END
		lock='resourceName: "", resourceNamespace: "",
		    lockObjectName: kube-scheduler, lockObjectNamespace: kube-system,'
		;;
	esac
	case $1 in
	v1alpha*)
		cat <<-'END'
		bindTimeoutSeconds: 600
		disablePreemption: false
		healthzBindAddress: 0.0.0.0:10251
		metricsBindAddress: 0.0.0.0:10251
		END
		;;
	*) echo "parallelism: 16" ;;
	esac
	[ "$1" = v1alpha1 ] || echo 'profiles: [{schedulerName: default-scheduler}]'
	cat <<-END
	clientConnection: {acceptContentTypes: "", burst: 100,
	  contentType: application/vnd.kubernetes.protobuf,
	  kubeconfig: /etc/kubernetes/scheduler.conf, qps: 50}
	enableContentionProfiling: true
	enableProfiling: true
	leaderElection: {leaderElect: true, leaseDuration: 15s, renewDeadline: 10s,
	  resourceLock: leases, $lock
	  retryPeriod: 2s}
	percentageOfNodesToScore: 0
	podInitialBackoffSeconds: 1
	podMaxBackoffSeconds: 10
	END
}

# reads NAME FILE MINOR
reads() {
	ctl check --config "$2"
	is "$1: the tool takes it" "$code:$out$err" "0:$2: ok"
	is "$1: the daemon takes it" "$("$BUILDDIR/predicated" --check \
	    --config "$2" --kubeconfig "$tmp/kubeconfig" 2>&1)" \
	    "options and policy are valid"
	ctl explain --kubernetes-version "1.$3" --config "$2" -o json \
	    --cluster "$tmp/cluster.yaml" d/p
	nodes=$(printf '%s\n' "$out" | tr '{' '\n' | grep '"fits"\|^"')
}

for version in v1alpha1:17 v1alpha2:18 v1beta1:20 v1beta2:22 v1beta3:25 v1:36; do
	minor=${version#*:}
	version=${version%:*}
	head_of "$version" >"$tmp/$version-empty.yaml"
	reads "$version, empty" "$tmp/$version-empty.yaml" "$minor"
	empty=$nodes
	has "$version, empty: there are scores" "$empty" '"ImageLocality'
	file=$SRCDIR/t/data/configurations/written-$version.yaml
	if [ ! -e "$file" ]; then
		file=$tmp/$version-filled.yaml
		filled_in "$version" >"$file"
	fi
	reads "$version, filled in" "$file" "$minor"
	is "$version, filled in: decides so, too" "$nodes" "$empty"
	not_filled_in "$version" >"$tmp/$version-zero.yaml"
	reads "$version, not filled in" "$tmp/$version-zero.yaml" "$minor"
	is "$version, not filled in: decides so, too" "$nodes" "$empty"
done
finish
