#!/bin/sh
# etc/kubernetes: a real API server takes every overlay and component, and two
# instances, started with an overlay's arguments, user and token, schedule as it says:
# one leads, and the other takes over when it stops.
. "$SRCDIR/t/lib/tap.sh"
. "$SRCDIR/t/lib/apiserver.sh"
. "$SRCDIR/t/daemon/e2e.sh"

manifests=$SRCDIR/etc/kubernetes
program=predicated

# taken NAME FLAG…: kubectl apply of these, with nothing to complain about but that
# kustomizations are older than kubectl, what kubectl 1.20 asks for by itself, and what
# 1.33 says of each headless Service.
taken() {
	name=$1
	shift
	k apply --validate=true "$@" >"$tmp/apply" 2>&1
	status=$?
	grep -iE 'warning|error|invalid|unknown' "$tmp/apply" |
	    grep -v -e "^# Warning: '[a-zA-Z]*' is deprecated" \
		-e 'v1beta1 CustomResourceDefinition is deprecated' \
		-e 'SessionAffinity is ignored for headless' |
	    sed 's/^/# /' >"$tmp/complaints"
	cat "$tmp/complaints"
	is "$name" "$status $(wc -l <"$tmp/complaints")" "0 0"
}

# applied FOLDER: its objects, as the API server has them.
applied() {
	k get -k "$1" -o json | jq -S '(.items // [.])[] | del(.status,
	    .metadata.managedFields, .metadata.resourceVersion)'
}

# taken_twice FOLDER
taken_twice() {
	name=${1#"$manifests"/}
	taken "$name: the API server takes it" -k "$1" --server-side \
	    --dry-run=server
	taken "$name: kubectl applies it" -k "$1"
	before=$(applied "$1")
	taken "$name: and again" -k "$1"
	# kubectl always replaces the selector of a budget of policy/v1, and says so.
	is "$name: which changes nothing" "$(grep -vi -e '^#* *warning' \
	    -e '^poddisruptionbudget.* configured$' "$tmp/apply" |
	    grep -vc unchanged) $(applied "$1")" "0 $before"
}

# What is ours, of the kinds that a kustomization here has.
left_over() {
	k get clusterroles,clusterrolebindings -o name | grep predicated
	k get -A -o name deployments,services,serviceaccounts,configmaps,roles,rolebindings,networkpolicies,poddisruptionbudgets,servicemonitors,prometheusrules |
	    grep -E 'predicated|scheduler-policy'
}

take_away() {
	name=${1#"$manifests"/}
	k delete -k "$1" >"$tmp/deleted" 2>&1
	is "$name: it can be taken away" "$?" 0
}

start_apiserver
k create namespace openshift-config >/dev/null
k create namespace kosmos-system >/dev/null
k apply -f "$SRCDIR/t/data/monitoring/crds.yaml" \
    -f "$SRCDIR/t/data/openshift/scheduler-crd.yaml" >/dev/null ||
    bail_out "the CRDs are refused"
wait_until 20 k get schedulers,servicemonitors,prometheusrules ||
    bail_out "the CRDs are not served"
# kubectl 1.14 to 1.20 and oc 4.2 to 4.7 have an old kustomize, which reads these.
is "kustomize needs nothing new" "$(cat "$manifests"/*/*/kustomization.yaml \
    "$manifests/base/kustomization.yaml" | sed -n 's/^\([a-zA-Z]*\):.*/\1/p' |
    sort -u | tr '\n' ' ')" \
    "apiVersion bases configMapGenerator generatorOptions images kind patchesStrategicMerge resources "
for file in "$manifests"/static-pod/*.yaml; do
	taken "the API server takes ${file##*/}" -f "$file" --server-side \
	    --dry-run=server
done

# ---- the components ----

budget=disruption-budget
other_budget=disruption-budget-v1beta1
if [ "$kubernetes_minor" -lt 21 ]; then
	budget=disruption-budget-v1beta1
	other_budget=disruption-budget
fi
for folder in "$manifests"/components/*/; do
	folder=${folder%/}
	# No release serves both versions for long.
	[ "${folder##*/}" != "$other_budget" ] || continue
	# Its kind comes with 1.36.
	[ "${folder##*/}" != canary ] || [ "$kubernetes_minor" -ge 36 ] || continue
	taken_twice "$folder"
	take_away "$folder"
done
is "the other budget differs in its version alone" "$(
    diff "$manifests/components/$budget/disruption-budget.yaml" \
	"$manifests/components/$other_budget/disruption-budget.yaml" |
	grep '^>' | cut -d: -f1)" "> apiVersion"
is "of the components nothing is left" "$(left_over)" ""

# ---- two instances of an overlay ----

place=/run/secrets/kubernetes.io/serviceaccount
account=$tmp/account
mkdir "$account" "$tmp/bin"
cp "$apiserver_ca" "$account/ca.crt"
cp "$BUILDDIR/predicated" "$tmp/bin/"
if [ "$(id -u)" -eq 0 ]; then
	as_user=
	drop='--reuid 65532 --regid 65532 --clear-groups'
else
	as_user=--map-root-user
	drop=
fi
# shellcheck disable=SC2086 # to be split
mounts=yes && can_mount $as_user || mounts=

# of PATH: in the pod of the Deployment that was applied.
of() {
	jq -r ".spec.template.spec$1" "$tmp/deployment.json"
}

# The pod as its kubelet would start it, with the token of its account.
read_deployment() {
	k -n kube-system get deployment predicated -o json \
	    >"$tmp/deployment.json"
	of "$container.args[]" >"$tmp/args"
	is "$overlay: for its account" "$(of .serviceAccountName)" predicated
	service_account_token >"$account/token" ||
	    bail_out "no token for the service account"
	chmod -R a+rX "$tmp"
	jq '{apiVersion: "v1", kind: "Pod", metadata: (.spec.template.metadata +
	    {name: "instance", namespace: "kube-system"}),
	    spec: .spec.template.spec}' "$tmp/deployment.json" >"$tmp/pod.json"
	taken "$overlay: a pod of the Deployment is accepted" \
	    -f "$tmp/pod.json" --dry-run=server
}

# A mount namespace stands for the container. /run gets a file system of its own.
# start_instance NAME: sets $scheduler_pid and $scheduler_port.
start_instance() {
	scheduler_port=$(free_port)
	# shellcheck disable=SC2016,SC2086 # expanded in there; to be split
	(
		export KUBERNETES_SERVICE_HOST=127.0.0.1 HOME=/
		export KUBERNETES_SERVICE_PORT="$apiserver_port"
		unset KUBECONFIG
		set --
		while read -r arg; do
			set -- "$@" "$arg"
		done <"$tmp/args"
		with_us unshare --mount $as_user sh -c '
			mount -t tmpfs tmpfs /run && mkdir -p "$0" &&
			    mount --bind "$1" "$0" && shift || exit 1
			exec setpriv --no-new-privs "$@"' "$place" "$account" \
		    --inh-caps=-all --bounding-set=-all $drop \
		    "$tmp/bin/$(of "$container.command[0]")" \
		    "$@" --secure-port="$scheduler_port"
	) >"$tmp/$1.log" 2>&1 &
	scheduler_pid=$!
	scheduler_pids="$scheduler_pids $scheduler_pid"
	log=$tmp/$1.log
	wait_scheduler
	wait_until 20 ready
	is "$overlay: $1 answers its readiness probe" "$(ready)" ok
}

ready() {
	curl -fsS -k --noproxy '*' --max-time 2 \
	    "https://127.0.0.1:$scheduler_port$(of "$container.readinessProbe.httpGet.path")"
}

# leads PORT: 1 or 0.
leads() {
	scheduler_port=$1
	metric leader_election_master_status
}

one_leads() {
	case $(leads "$first_port")$(leads "$second_port") in
	10)
		leader=first leader_pid=$first_pid other_port=$second_port
		;;
	01)
		leader=second leader_pid=$second_pid other_port=$first_port
		;;
	*) return 1 ;;
	esac
}

other_leads() {
	[ "$(leads "$other_port")" = 1 ]
}

start_two() {
	start_instance first
	first_pid=$scheduler_pid first_port=$scheduler_port
	start_instance second
	second_pid=$scheduler_pid second_port=$scheduler_port
}

# The answer to an account that may see the metrics.
asked_with_a_token() {
	curl -sk --noproxy '*' -H "Authorization: Bearer admin-token" \
	    -o /dev/null -w '%{http_code}' \
	    "https://127.0.0.1:$other_port/metrics"
}

node_of() {
	k get pod -n "${2:-default}" "$1" -o jsonpath='{.spec.nodeName}'
}

placed() {
	[ -n "$(node_of "$@")" ]
}

npods=0
# lands TEXT PATTERN [SCHEDULER]: a new pod, on a node like this.
lands() {
	npods=$((npods + 1))
	k create -f - >/dev/null <<-END
	apiVersion: v1
	kind: Pod
	metadata: {name: pod-$npods, namespace: default}
	spec:
	  schedulerName: ${3:-$scheduler}
	  containers: [{name: main, image: i}]
	END
	wait_until 20 placed "pod-$npods"
	node=$(node_of "pod-$npods")
	if printf '%s\n' "$node" | grep -qx "$2"; then
		pass "$overlay: $1"
	else
		fail "$overlay: $1" "got:  ${node:-no node}
want: $2
$(tail -n 10 "$tmp/first.log" "$tmp/second.log")"
	fi
}

# take_over SIGNAL: of the one that leads.
take_over() {
	stop_process "$leader_pid" "$1"
	wait_until 40 other_leads
	is "$overlay: the other takes over after SIG$1" \
	    "$(leads "$other_port")" 1
}

end_instances() {
	lacks "$overlay: nothing was forbidden" \
	    "$(cat "$tmp/first.log" "$tmp/second.log")" orbidden
	scheduler_port=$other_port
	metrics >"$tmp/metrics"
	is "$overlay: every request was allowed" \
	    "$(grep '^rest_client_requests_total.*code="40[13]"' "$tmp/metrics")" ""
	is "$overlay: every watch works" \
	    "$(grep '^predicated_watch_problems_total' "$tmp/metrics" |
		grep -v ' 0$')" ""
	stop_process "$first_pid" TERM
	stop_process "$second_pid" TERM
	scheduler_pids=
	k delete pods --all --grace-period=0 --force >/dev/null 2>&1
	k -n kube-system delete leases --all >/dev/null
}

# with_overlay NAME SCHEDULER LOCK NODES SIGNAL: all of it; two functions of that
# name prepare the cluster, and do what only this overlay does.
with_overlay() {
	overlay=overlays/$1
	scheduler=$2
	container='.containers[0]'
	taken_twice "$manifests/$overlay"
	taken "$overlay: with its budget" -k "$manifests/components/$budget"
	read_deployment
	is "$overlay: two replicas, and a budget for them" \
	    "$(jq .spec.replicas "$tmp/deployment.json") $(k -n kube-system \
		get poddisruptionbudget predicated \
		-o jsonpath='{.spec.minAvailable} {.spec.selector}')" \
	    "2 1 $(jq -c .spec.selector "$tmp/deployment.json")"
	is "$overlay: behind a network policy" "$(k -n kube-system get \
		networkpolicy predicated \
		-o jsonpath='{.spec.podSelector.matchLabels} {.spec.policyTypes}')" \
	    "$(jq -c .spec.selector.matchLabels "$tmp/deployment.json"
	    ) [\"Ingress\",\"Egress\"]"
	is "$overlay: as no special user, on a file system that it cannot write" \
	    "$(of .securityContext.runAsNonRoot) $(
	    of .securityContext.runAsUser) $(
	    of "$container.securityContext.readOnlyRootFilesystem")" \
	    "true 65532 true"
	if [ "$mounts" ]; then
		"prepare_$(echo "$1" | tr - _)"
		start_two
		wait_until 20 one_leads
		has "$overlay: one of two leads, and only one" "10 01" \
		    "$(leads "$first_port")$(leads "$second_port")"
		lands "a pod gets a node" "$4"
		is "$overlay: under its lock" "$(leases)" "$3"
		is "$overlay: its account may ask who sees the metrics" \
		    "$(asked_with_a_token)" 200
		take_over "$5"
		lands "and goes on" "$4"
		"besides_$(echo "$1" | tr - _)"
		end_instances
	else
		skip "$overlay: it runs as the pod would, and schedules" \
		    "$no_mounts"
	fi
	take_away "$manifests/$overlay"
	take_away "$manifests/components/$budget"
	is "$overlay: nothing is left" "$(left_over)" ""
}

# ---- an overlay of one's own, as doc/kubernetes.md has it ----

own=$tmp/own
mkdir "$own"
cp -r "$manifests" "$own/predicated"
sed -n '/^    # kustomization.yaml/,/^$/s/^    //p' \
    "$SRCDIR/doc/kubernetes.md" |
    sed -e 's/^resources:/bases:/' \
	-e "s/disruption-budget\$/$budget/" >"$own/kustomization.yaml"
echo '{"kind": "Policy", "apiVersion": "v1"}' >"$own/policy.cfg"
kubectl kustomize "$own" >"$tmp/own.yaml" 2>/dev/null
taken "an overlay of one's own is accepted" -f "$tmp/own.yaml"
is "with its policy, its image and the components" \
    "$(k -n kube-system get configmap scheduler-policy \
	-o jsonpath='{.data.policy\.cfg}') $(
    k -n kube-system get deployment predicated \
	-o jsonpath='{.spec.template.spec.containers[0].image}') $(
    k get -A -o name servicemonitors,prometheusrules,poddisruptionbudgets |
	sed 's/\..*//' | sort | tr '\n' ' ')" \
    '{"kind": "Policy", "apiVersion": "v1"} registry.example/predicated:0.9.0 poddisruptionbudget prometheusrule servicemonitor '
k delete -f "$tmp/own.yaml" >/dev/null

# ---- the overlays ----

make_cluster --nodes 10

prepare_second_scheduler() { :; }
besides_second_scheduler() {
	has "$overlay: by the policy of the ConfigMap" \
	    "$(cat "$tmp/$leader.log")" "policy kube-system/scheduler-policy"
	k run theirs --image=i >/dev/null
	lands "other pods are not its affair" 'node-.*'
	is "$overlay: they wait" "$(node_of theirs)" ""
}

prepare_openshift() {
	k -n openshift-config create configmap ours --from-file=policy.cfg="$(
	    echo '{"kind": "Policy", "apiVersion": "v1", "predicates": [
		{"name": "GeneralPredicates"}, {"name": "Only", "argument":
		{"labelsPresence": {"labels": ["ours"], "presence": true}}}]}' \
		>"$tmp/policy.cfg"
	    echo "$tmp/policy.cfg")" >/dev/null
	k create -f - >/dev/null <<-'END'
	apiVersion: config.openshift.io/v1
	kind: Scheduler
	metadata: {name: cluster, annotations: {predicated.io/policy: ours}}
	spec: {mastersSchedulable: false}
	END
	k label node node-00004 ours=yes >/dev/null
}
besides_openshift() {
	has "$overlay: by the Scheduler object" "$(cat "$tmp/$leader.log")" \
	    "policy openshift-config/ours"
}

prepare_kosmos() {
	k apply -k "$manifests/components/kosmos-crds" >/dev/null 2>&1
	wait_until 20 k get distributionpolicies,clusterdistributionpolicies
	k label node node-00005 kosmos.io/node=true >/dev/null
	k taint node node-00005 kosmos.io/node=true:NoSchedule >/dev/null
	k apply -f - >/dev/null <<-'END'
	apiVersion: kosmos.io/v1alpha1
	kind: ClusterDistributionPolicy
	metadata: {name: all}
	spec:
	  resourceSelectors: [{namePrefix: pod-, policyName: leaf}]
	  policyTerms: [{name: leaf, nodeType: leaf}]
	END
}
besides_kosmos() {
	has "$overlay: by the rules of Kosmos" "$(cat "$tmp/$leader.log")" \
	    LeafNodeDistribution
	k delete node node-00005 >/dev/null
}

# kube-scheduler is there first, and its lock keeps predicated standing by.
prepare_replace_kube_scheduler() {
	k label node node-00001 node-00002 \
	    node-role.kubernetes.io/control-plane= >/dev/null
	k taint node node-00001 node-00002 \
	    node-role.kubernetes.io/master:NoSchedule >/dev/null
	election=--leader-elect=true
	policy=
	start_scheduler kube-scheduler "$tmp/theirs.log"
	log=$tmp/theirs.log
	wait_scheduler
	theirs=$scheduler_pid
	wait_until 20 kube_scheduler_leads
	start_instance first
	ours=$scheduler_pid
	wait_until 10 eval '[ "$(leads "$scheduler_port")" = 0 ]'
	is "$overlay: it stands by while kube-scheduler leads" \
	    "$(leads "$scheduler_port")" 0
	stop_process "$ours" TERM
	stop_process "$theirs" TERM
}
kube_scheduler_leads() {
	[ -n "$(k -n kube-system get lease kube-scheduler \
	    -o jsonpath='{.spec.holderIdentity}')" ]
}
# As its ReplicaSet would make them.
besides_replace_kube_scheduler() {
	for n in 1 2; do
		jq --arg name "instance-$n" '.metadata.name = $name |
		    .metadata.labels += {of: "predicated"}' "$tmp/pod.json" |
		    k create -f - >/dev/null
		wait_until 20 placed "instance-$n" kube-system
	done
	is "$overlay: it places its own pods, apart, on the control plane" \
	    "$(k -n kube-system get pods -l of=predicated \
		-o jsonpath='{range .items[*]}{.spec.nodeName}{"\n"}{end}' |
		sort | tr '\n' ' ')" "node-00001 node-00002 "
	k -n kube-system delete pods --all --grace-period=0 --force \
	    >/dev/null 2>&1
}

with_overlay second-scheduler predicated predicated 'node-.*' KILL
with_overlay openshift predicated predicated node-00004 TERM
with_overlay kosmos kosmos-scheduler predicated node-00005 TERM
with_overlay replace-kube-scheduler default-scheduler kube-scheduler \
    'node-.*' TERM
finish
