#!/bin/sh
# --config: the configuration of the scheduler-plugin document, unchanged; several
# profiles in one process, and how they come and go; the configuration of Kosmos'
# mc-scheduler document and its Deployment, unchanged, and its MySQL example.
. "$SRCDIR/t/lib/tap.sh"
. "$SRCDIR/t/lib/apiserver.sh"
. "$SRCDIR/t/daemon/e2e.sh"

documents=$SRCDIR/t/data/profiles
policy=

# node NAME [SPEC [LABELS]]
node() {
	k create -f - <<-END >/dev/null || bail_out "node $1 is refused"
	apiVersion: v1
	kind: Node
	metadata: {name: $1, labels: {kubernetes.io/hostname: $1, ${3-}}}
	spec: {${2-}}
	status:
	  allocatable: {cpu: "8", memory: 16Gi, pods: "110"}
	  capacity: {cpu: "8", memory: 16Gi, pods: "110"}
	  conditions: [{type: Ready, status: "True"}]
	END
}

# pod NAME [SPEC [CPU [MEMORY]]]
pod() {
	k create -f - <<-END >/dev/null || bail_out "pod $1 is refused"
	apiVersion: v1
	kind: Pod
	metadata: {name: $1}
	spec:
	  ${2-}
	  containers:
	  - name: nginx
	    image: nginx
	    resources: {requests: {cpu: ${3-100m}, memory: ${4-64Mi}}}
	END
}

mine="schedulerName: my-custom-scheduler"

node_of() {
	k get pod "$1" -o jsonpath='{.spec.nodeName}'
}

is_on() {
	[ "$(node_of "$1")" = "$2" ]
}

# lands NAME POD NODE
lands() {
	wait_until 15 is_on "$2" "$3"
	is "$1" "$(node_of "$2")" "$3"
}

# events POD: "COMPONENT: REASON"
events() {
	k get events -o jsonpath='{range .items[?(@.involvedObject.name=="'"$1"'")]}{.reportingComponent}: {.reason}{"\n"}{end}' |
	    sort -u
}

has_events() {
	[ -n "$(events "$1")" ]
}

explain() {
	curl -sS -k --noproxy '*' --max-time 5 \
	    --cert "$apiserver_dir/admin.crt" --key "$apiserver_dir/admin.key" \
	    "https://127.0.0.1:$scheduler_port/debug/explain?pod=default/$1"
}

logged() {
	grep -qF "$1" "$log"
}

# configure TEXT…: replaces the configuration of the process.
configure() {
	cat "$@" >"$tmp/config.new"
	mv "$tmp/config.new" "$tmp/config.yaml"
}

start_apiserver

# ---- the scheduler-plugin document ----

node used
node free
pod before "nodeName: used" 4 8Gi
configure "$documents/my-scheduler-config.yaml"
start_scheduler predicated "$tmp/log" --config="$tmp/config.yaml"
wait_scheduler
# v1 came with 1.25
rules=1.36
[ "$kubernetes_minor" -lt 25 ] || rules=1.$kubernetes_minor
has "the log has the profile" "$(cat "$tmp/log")" \
    "profile \"my-custom-scheduler\" decides as Kubernetes $rules"

pod nginx-default
pod nginx-custom "$mine"
lands "MostAllocated fills the node that is used" nginx-custom used
wait_until 10 has_events nginx-custom
is "the event names the profile" "$(events nginx-custom)" \
    "my-custom-scheduler: Scheduled"
is "a pod that names no profile is left alone" "$(node_of nginx-default)" ""
is "and has no events" "$(events nginx-default)" ""
has "metrics have the profile" "$(metrics)" \
    'scheduler_schedule_attempts_total{result="scheduled",profile="my-custom-scheduler"} 1'
has "PreEnqueue ran for it" "$(metrics | sed 's/} [1-9][0-9]*$/} some/')" \
    'framework_extension_point_duration_seconds_count{extension_point="PreEnqueue",status="Success",profile="my-custom-scheduler"} some'
has "and the plugins by their names" "$(metrics)" \
    'scheduler_plugin_evaluation_total{plugin="NodeResourcesFit",extension_point="Score",profile="my-custom-scheduler"} 2'

# ---- two profiles in one process ----

both() {
	cat "$documents/my-scheduler-config.yaml"
	cat <<-'END'
	- schedulerName: default-scheduler
	END
}
both | configure -
lands "a profile that comes takes the pods that name it" nginx-default free
is "the event names that one" "$(events nginx-default)" \
    "default-scheduler: Scheduled"
has "the log says how many pods came" "$(cat "$tmp/log")" \
    "1 pending pods came to the queue and 0 left it"
pod custom-2 "$mine"
pod default-2
lands "the one still fills" custom-2 used
lands "the other one spreads" default-2 free
for name in my-custom-scheduler default-scheduler; do
	pod "big-$name" "schedulerName: $name" 100
	wait_until 10 has_events "big-$name"
	is "$name: a pod that fits nowhere" "$(events "big-$name")" \
	    "$name: FailedScheduling"
	has "$name: is explained by its profile" "$(explain "big-$name")" \
	    "\"profile\":\"$name\""
	has "$name: counts for the plugin and the profile" "$(metrics)" \
	    "scheduler_unschedulable_pods{plugin=\"NodeResourcesFit\",profile=\"$name\"} 1"
done

# ---- a configuration that is refused ----

# has_refusal: there is an Event about it.
has_refusal() {
	k get events -A -o json | jq -er '.items[] |
	    select(.reason == "PolicyRefused") | .message' >"$tmp/refusal"
}
both | sed 's/NodeResourcesFit/NodeResourcesFits/' | configure -
wait_until 20 metric_is predicated_policy_refused 1
is "it is refused, says the metric" "$(metric predicated_policy_refused)" 1
has "the log has kube-scheduler's sentence" "$(cat "$tmp/log")" \
    "NodeResourcesFits"
has "and that the last one stays" "$(cat "$tmp/log")" \
    "is invalid, keeping the last valid one"
wait_until 10 has_refusal
has "an Event says so" "$(cat "$tmp/refusal")" \
    "keeping the last valid configuration"
pod default-3
lands "the last valid one decides" default-3 free
both | configure -
wait_until 20 metric_is predicated_policy_refused 0
is "a valid one ends that" "$(metric predicated_policy_refused)" 0

# ---- a profile goes ----

configure "$documents/my-scheduler-config.yaml"
wait_until 10 logged "0 pending pods came to the queue and 1 left it"
has "its pods leave the queue" "$(cat "$tmp/log")" \
    "0 pending pods came to the queue and 1 left it"
pod default-4
pod custom-4 "$mine"
lands "the other one goes on" custom-4 used
is "no other pod is placed" "$(node_of default-4)" ""
has "nor explained" "$(explain big-default-scheduler)" "is not pending"
has "nor counted" "$(metrics)" \
    'scheduler_unschedulable_pods{plugin="NodeResourcesFit",profile="default-scheduler"} 0'
stop_process "$scheduler_pid" TERM
k delete pods --all --force --grace-period=0 >/dev/null 2>&1
k delete nodes --all >/dev/null

# ---- the mc-scheduler document ----

# Of the four nodes of the document, those two that it places its pods on.
leaf='taints: [{key: kosmos.io/node, value: "true", effect: NoSchedule},
    {key: node.kubernetes.io/unreachable, effect: NoExecute}]'
node kosmoscluster1-1 'unschedulable: true'
node kosmoscluster1-2
node kosmos-member2-cluster-1 "$leaf" 'kosmos.io/node: "true"'
node kosmos-member2-cluster-2 "$leaf, unschedulable: true" \
    'kosmos.io/node: "true"'
k create namespace kosmos-system >/dev/null
k create -f "$documents/kosmos-scheduler-config.yaml" \
    -f "$documents/kosmos-scheduler.yaml" >/dev/null ||
    bail_out "the document's ConfigMap and Deployment are refused"
# What the document does not show, but its service account must have.
k create -f - <<'END' >/dev/null
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: kosmos-scheduler, namespace: kosmos-system}
rules:
- {apiGroups: [coordination.k8s.io], resources: [leases], verbs: [create, get, update]}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: kosmos-scheduler, namespace: kosmos-system}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: kosmos-scheduler}
subjects: [{kind: ServiceAccount, name: predicated, namespace: kube-system}]
END
# As kubelet does: the ConfigMap as a folder, and the command's flags.
mkdir "$tmp/mounted"
k get configmap -n kosmos-system scheduler-config -o json |
    jq -r '.data["scheduler-config.yaml"]' \
	>"$tmp/mounted/scheduler-config.yaml"
flags=$(k get deployment -n kosmos-system kosmos-scheduler -o json |
    jq -r '.spec.template.spec.containers[0].command[1:][]' |
    sed "s|/etc/kubernetes/kube-scheduler|$tmp/mounted|")
# shellcheck disable=SC2086 # one flag a line
election='' start_scheduler predicated "$tmp/log" $flags
wait_scheduler
lease_holder() {
	k get lease -n kosmos-system kosmos-scheduler \
	    -o jsonpath='{.spec.holderIdentity}' 2>/dev/null | grep .
}
wait_until 20 lease_holder >/dev/null
has "it holds the lease that the document names" "$(lease_holder)" _
k create namespace test-mysql >/dev/null
k create -f - <<'END' >/dev/null
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: {name: openebs-hostpath}
provisioner: openebs.io/local
volumeBindingMode: WaitForFirstConsumer
END
# mysql N: as the operator of MysqlCluster test-mysql-cluster makes it.
mysql() {
	k create -f - <<-END >/dev/null || bail_out "mysql-$1 is refused"
	apiVersion: v1
	kind: PersistentVolumeClaim
	metadata: {namespace: test-mysql, name: data-test-mysql-cluster-mysql-$1}
	spec:
	  storageClassName: openebs-hostpath
	  accessModes: [ReadWriteOnce]
	  resources: {requests: {storage: 1Gi}}
	---
	apiVersion: v1
	kind: Pod
	metadata:
	  namespace: test-mysql
	  name: test-mysql-cluster-mysql-$1
	  labels: {mysql.presslabs.org/cluster: test-mysql-cluster}
	spec:
	  schedulerName: kosmos-scheduler
	  affinity:
	    podAntiAffinity:
	      requiredDuringSchedulingIgnoredDuringExecution:
	      - labelSelector:
	          matchLabels:
	            mysql.presslabs.org/cluster: test-mysql-cluster
	        topologyKey: kubernetes.io/hostname
	  containers:
	  - name: mysql
	    image: docker.io/percona:5.7
	    volumeMounts: [{name: data, mountPath: /var/lib/mysql}]
	  volumes:
	  - name: data
	    persistentVolumeClaim:
	      claimName: data-test-mysql-cluster-mysql-$1
	END
}

# mysql_node N
mysql_node() {
	k get pod -n test-mysql "test-mysql-cluster-mysql-$1" \
	    -o jsonpath='{.spec.nodeName}'
}

# selected_node CLAIM
selected_node() {
	k get pvc -n test-mysql "$1" -o jsonpath='{.metadata.annotations.volume\.kubernetes\.io/selected-node}'
}

# provision: as the provisioner does, for each claim that has a node.
provision() {
	for i in 0 1; do
		claim=data-test-mysql-cluster-mysql-$i
		[ -n "$(selected_node "$claim")" ] || continue
		merge_patch "/api/v1/namespaces/test-mysql/persistentvolumeclaims/$claim" \
		    '{"metadata":{"annotations":{"pv.kubernetes.io/bind-completed":"yes"}},"spec":{"volumeName":"pv-'"$i"'"}}'
		k create -f - <<-END >/dev/null 2>&1
		apiVersion: v1
		kind: PersistentVolume
		metadata: {name: pv-$i}
		spec:
		  storageClassName: openebs-hostpath
		  capacity: {storage: 1Gi}
		  accessModes: [ReadWriteOnce]
		  hostPath: {path: /pv-$i}
		  claimRef: {kind: PersistentVolumeClaim, namespace: test-mysql, name: $claim}
		END
	done
	[ -n "$(mysql_node 0)" ] && [ -n "$(mysql_node 1)" ]
}
mysql 0
mysql 1
wait_until 30 provision
is "MySQL: one pod on a host, one on a leaf node" \
    "$(for i in 0 1; do mysql_node $i; echo; done | sort)" \
    "kosmos-member2-cluster-1
kosmoscluster1-2"
is "MySQL: a node is selected for the claim on the host alone" \
    "$(for i in 0 1; do
	selected_node data-test-mysql-cluster-mysql-$i; echo; done | grep .)" \
    kosmoscluster1-2
mysql_events() {
	k get events -n test-mysql -o json | jq -r '.items[] |
	    select(.reason == "Scheduled") |
	    .reportingComponent + ": " + .reason' | sort | uniq -c
}
both_scheduled() {
	[ "$(mysql_events | awk '{ print $1, $2, $3 }')" = \
	    "2 kosmos-scheduler: Scheduled" ]
}
wait_until 10 both_scheduled
is "MySQL: by kosmos-scheduler" "$(mysql_events | awk '{ print $1, $2, $3 }')" \
    "2 kosmos-scheduler: Scheduled"
finish
