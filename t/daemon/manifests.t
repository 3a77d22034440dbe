#!/bin/sh
# etc/kubernetes: a real API server takes all of it, and what it made of the
# Deployment runs as the pod would: with the account's own token, as nobody.
. "$SRCDIR/t/lib/tap.sh"
. "$SRCDIR/t/lib/apiserver.sh"
. "$SRCDIR/t/daemon/e2e.sh"

manifests=$SRCDIR/etc/kubernetes

# taken NAME FLAG…: kubectl apply of these, with nothing to complain about.
taken() {
	name=$1
	shift
	k apply --warnings-as-errors "$@" >"$tmp/apply" 2>&1
	is "$name" "$? $(grep -ciE 'warning|error|invalid' "$tmp/apply")" "0 0"
	grep -iE 'warning|error|invalid' "$tmp/apply" | sed 's/^/# /'
}

start_apiserver
taken "the API server takes the manifests" \
    -k "$manifests" --server-side --dry-run=server
taken "kubectl applies them" -k "$manifests"
taken "and again, changing nothing" -k "$manifests"
is "which changed nothing" "$(grep -vc unchanged "$tmp/apply")" 0
# kubectl 1.20 and oc 4.6 have an older kustomize, which reads what this is.
is "kustomize needs nothing new" "$(sed -n 's/^\([a-zA-Z]*\):.*/\1/p' \
    "$manifests/kustomization.yaml" | sort | tr '\n' ' ')" \
    "apiVersion configMapGenerator generatorOptions images kind resources "
for file in "$manifests"/static-pod/*.yaml; do
	taken "the API server takes ${file##*/}" -f "$file" --server-side \
	    --dry-run=server
done

# ---- the container, as the manifest has it ----

k -n kube-system get deployment predicated -o json >"$tmp/deployment.json"
pod() {
	jq -r ".spec.template.spec$1" "$tmp/deployment.json"
}
is "it runs without special permissions" \
    "$(pod .securityContext.runAsNonRoot) $(pod .securityContext.runAsUser)" \
    "true 65532"
container='.containers[0]'
is "with a limit on memory, and none on CPU" \
    "$(pod "$container.resources.limits" | tr -d ' \n')" '{"memory":"2Gi"}'
is "with the runtime's filter on system calls" \
    "$(pod .securityContext.seccompProfile.type)" RuntimeDefault
is "behind a network policy" "$(k -n kube-system get networkpolicy predicated \
    -o jsonpath='{.spec.podSelector.matchLabels} {.spec.policyTypes}')" \
    "$(jq -c .spec.selector.matchLabels "$tmp/deployment.json"
	) [\"Ingress\",\"Egress\"]"
is "on a file system that it cannot write" \
    "$(pod "$container.securityContext.readOnlyRootFilesystem")" true
is "without capabilities" \
    "$(pod "$container.securityContext.capabilities.drop[]")" ALL
is "by the image's program" "$(pod "$container.command[]")" predicated

take_away() {
	k delete -k "$manifests" >"$tmp/deleted" 2>&1
	is "and all of it can be taken away" "$?" 0
	is "so that nothing is left" "$(k get clusterroles,clusterrolebindings -o name |
	    grep predicated; k -n kube-system get \
		deployments,serviceaccounts,configmaps,roles,rolebindings,networkpolicies \
		-o name |
	    grep -E 'predicated|scheduler-policy')" ""
}

# The account's token where a kubelet would put it, and the API server's address
# in the environment.
account=$tmp/account
mkdir "$account" "$tmp/bin"
service_account_token >"$account/token" ||
    bail_out "no token for the service account"
cp "$apiserver_ca" "$account/ca.crt"
cp "$BUILDDIR/predicated" "$tmp/bin/"
chmod -R a+rX "$tmp"
make_cluster --nodes 10
scheduler_port=$(free_port)
pod "$container.args[]" >"$tmp/args"
place=/run/secrets/kubernetes.io/serviceaccount
# A mount namespace stands for the container. /run gets a file system of its own.
if [ "$(id -u)" -eq 0 ]; then
	as_user=
	drop='--reuid 65532 --regid 65532 --clear-groups'
else
	as_user=--map-root-user
	drop=
fi
# shellcheck disable=SC2086 # to be split
if ! can_mount $as_user; then
	skip "it runs as the pod would, and schedules" "$no_mounts"
	take_away
	finish
fi
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
	    --inh-caps=-all --bounding-set=-all $drop "$tmp/bin/predicated" \
	    "$@" --secure-port="$scheduler_port"
) >"$tmp/log" 2>&1 &
scheduler_pid=$!
scheduler_pids=$scheduler_pid
log=$tmp/log
program=predicated
wait_scheduler
ready() {
	curl -fsS -k --noproxy '*' --max-time 2 \
	    "https://127.0.0.1:$scheduler_port/readyz"
}
wait_until 20 ready
is "its readiness probe is answered" "$(ready)" ok
k create -f - >/dev/null <<'YAML'
apiVersion: v1
kind: Pod
metadata: {name: ours, namespace: default}
spec:
  schedulerName: predicated
  containers: [{name: main, image: i}]
---
apiVersion: v1
kind: Pod
metadata: {name: theirs, namespace: default}
spec:
  containers: [{name: main, image: i}]
YAML
node_of() {
	k get pod "$1" -o jsonpath='{.spec.nodeName}'
}
placed() {
	[ -n "$(node_of "$1")" ]
}
wait_until 20 placed ours || sed 's/^/# /' "$tmp/log"
has "a pod that asks for it by name gets a node" "$(node_of ours)" node-
is "another does not" "$(node_of theirs)" ""
has "by the policy of the ConfigMap" "$(cat "$tmp/log")" \
    "policy kube-system/scheduler-policy"
is "under a lock of its own" "$(leases)" predicated
is "who may see metrics is asked with the account" \
    "$(curl -sk --noproxy '*' -H "Authorization: Bearer admin-token" \
	"https://127.0.0.1:$scheduler_port/metrics" |
	grep -c '^scheduler_schedule_attempts_total')" 1
lacks "nothing was forbidden" "$(cat "$tmp/log")" orbidden
stop_process "$scheduler_pid" TERM
take_away
finish
