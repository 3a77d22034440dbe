# Sourced by the tests of OpenShift's Scheduler object, after e2e.sh.  kubectl
# stands in for oc.

policy=
log=$tmp/log

oc() {
	k "$@"
}

# What the cluster of an OpenShift has: the namespace of its configuration.
start_openshift() {
	start_apiserver
	oc create namespace openshift-config >/dev/null
	oc apply -f "$SRCDIR/etc/kubernetes/components/openshift/rbac.yaml" >/dev/null ||
	    bail_out "etc/kubernetes/components/openshift/rbac.yaml is refused"
}

install_crd() {
	oc apply -f "$SRCDIR/t/data/openshift/scheduler-crd.yaml" >/dev/null
	oc wait --for=condition=Established --timeout=20s \
	    crd/schedulers.config.openshift.io >/dev/null
	wait_until 20 oc get schedulers
	oc create -f - <<-END >/dev/null
	apiVersion: config.openshift.io/v1
	kind: Scheduler
	metadata: {name: cluster}
	spec: {mastersSchedulable: false}
	END
}

# node NAME LABELS [CPU]
node() {
	oc create -f - <<-END >/dev/null
	apiVersion: v1
	kind: Node
	metadata: {name: $1, labels: {kubernetes.io/hostname: $1, $2}}
	status:
	  allocatable: {cpu: "${3:-8}", memory: 16Gi, pods: "100"}
	  capacity: {cpu: "${3:-8}", memory: 16Gi, pods: "100"}
	  conditions: [{type: Ready, status: "True"}]
	END
}

# pod NAME [NAMESPACE [LABELS [SPEC]]]
pod() {
	oc create -f - <<-END >/dev/null
	apiVersion: v1
	kind: Pod
	metadata: {name: $1, namespace: ${2:-default}, labels: {${3-}}}
	spec:
	  ${4-}
	  containers:
	  - name: main
	    image: example.org/main:1
	    resources: {requests: {cpu: 100m, memory: 100Mi}}
	END
}

node_of() {
	oc get pod -n "${2:-default}" "$1" -o jsonpath='{.spec.nodeName}'
}

has_node() {
	[ -n "$(node_of "$@")" ]
}

# lands TEXT WANTED [NAMESPACE [LABELS [SPEC]]]: a new pod does so on one of the
# nodes that this pattern stands for.
npods=0
lands() {
	text=$1
	wanted=$2
	shift 2
	npods=$((npods + 1))
	pod "pod-$npods" "$@"
	wait_until 10 has_node "pod-$npods" "${1-}"
	node=$(node_of "pod-$npods" "${1-}")
	if printf '%s\n' "$node" | grep -qx "$wanted"; then
		pass "$text"
	else
		fail "$text" "got:  ${node:-no node}
want: $wanted
$(tail -n 5 "$log")"
	fi
}

generation() {
	metric predicated_policy_generation
}

# put_policy NAME FILE: as the manual does it.
put_policy() {
	cp "$2" "$tmp/policy.cfg"
	(cd "$tmp" && oc create configmap -n openshift-config \
	    --from-file=policy.cfg "$1" --dry-run=client -o yaml |
	    oc apply -f - >/dev/null 2>&1)
}

name_policy() {
	oc patch Scheduler cluster --type=merge \
	    -p '{"spec":{"policy":{"name":"'"$1"'"}}}' >/dev/null
}

patch_spec() {
	oc patch Scheduler cluster --type=merge -p '{"spec":'"$1"'}' >/dev/null
}

clear_spec() {
	oc patch Scheduler cluster --type=json \
	    -p '[{"op":"remove","path":"/spec/'"$1"'"}]' >/dev/null
}

# applies TEXT N [SECONDS]: the N-th policy is in force within so many seconds.
applies() {
	if wait_until "${3:-1}" metric_is predicated_policy_generation "$2"
	then
		pass "$1"
	else
		fail "$1" "$(metrics | grep predicated_policy)
$(tail -n 5 "$log")"
	fi
}

# said TEXT PART: the log says it, now or soon.
said() {
	wait_until 5 grep -qF "$2" "$log"
	has "$1" "$(tail -n 40 "$log")" "$2"
}

# refused TEXT: the metric says that something is, soon.
refused() {
	wait_until 5 metric_is predicated_policy_refused 1
	is "$1" "$(metric predicated_policy_refused)" 1
}

# events KIND NAME REASON
events() {
	oc get events -A -o json | jq -r --arg kind "$1" --arg name "$2" \
	    --arg reason "$3" '.items[] | select(.involvedObject.kind == $kind
	    and .involvedObject.name == $name and .reason == $reason) |
	    .type + " " + .message'
}

# has_event TEXT KIND NAME REASON PART
event_says() {
	events "$1" "$2" "$3" | grep -qF "$4"
}

has_event() {
	wait_until 5 event_says "$2" "$3" "$4" "$5"
	has "$1" "$(events "$2" "$3" "$4")" "$5"
}

in_force() {
	curl -fsS -k --noproxy '*' --cert "$apiserver_dir/admin.crt" \
	    --key "$apiserver_dir/admin.key" \
	    "https://127.0.0.1:$scheduler_port/configz" |
	    jq -r '.policy | [.source, .origin, .generation, .refused] | @csv'
}

source_is() {
	is "$1" "$(metrics | sed -n \
	    's/^predicated_policy_source{source="\(.*\)"} 1$/\1/p')" "$2"
}

# only LABEL [VALUE…]: a policy with which pods go to nodes with this label.
only() {
	echo '{"kind":"Policy","apiVersion":"v1","predicates":[
	    {"name":"GeneralPredicates"},{"name":"Only","argument":
	    {"labelsPresence":{"labels":["'"$1"'"],"presence":true}}}]}' \
	    >"$tmp/only-$1"
	echo "$tmp/only-$1"
}
