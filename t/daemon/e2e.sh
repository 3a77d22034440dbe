# Sourced by the tests that run a scheduler against a real API server:
#
#	. "$SRCDIR/t/lib/tap.sh"
#	. "$SRCDIR/t/lib/apiserver.sh"
#	. "$SRCDIR/t/daemon/e2e.sh"
#
# content_type=application/json: they speak JSON with the API server.
# SCHEDULER=kube-scheduler runs those tests against that one where it can do
# what they ask for, to see whether it is the test that is wrong.

SCHEDULER=${SCHEDULER:-predicated}
content_type=${content_type:-}
election=--leader-elect=false
policy=${policy:-$SRCDIR/etc/examples/openshift-default.cfg}
tools=$BUILDDIR/t/daemon
scheduler_pids=
proxy_pid=
observer_pid=

trap 'stop_everything; rm -rf "$tmp"' EXIT

stop_everything() {
	for pid in $scheduler_pids $proxy_pid $observer_pid; do
		stop_process "$pid"
	done
	scheduler_pids=
	proxy_pid=
	observer_pid=
	stop_apiserver
	# Of a build with sanitizers: what it had to say, also when it ended.
	if grep -hA 20 'Sanitizer\|runtime error:' "$tmp"/*log 2>/dev/null; then
		echo "Bail out! memory or behaviour is wrong"
		exit 99
	fi
}

# Every binding and every write of a lease goes to $audit_log.
audit_log=$tmp/audit.log

# write_audit_policy FILE
write_audit_policy() {
	cat >"$1" <<-END
	apiVersion: audit.k8s.io/v1
	kind: Policy
	omitStages: [RequestReceived]
	rules:
	# Later releases' server has a lease of its own.
	- level: None
	  users: [system:apiserver]
	- level: Metadata
	  verbs: [create]
	  resources: [{group: "", resources: [pods/binding]}]
	- level: Request
	  verbs: [create, update, patch]
	  resources: [{group: coordination.k8s.io, resources: [leases]}]
	- level: None
	END
}

start_audited_apiserver() {
	write_audit_policy "$tmp/audit.yaml"
	audit_flags="--audit-policy-file=$tmp/audit.yaml
	    --audit-log-path=$audit_log --audit-log-mode=blocking-strict"
	# shellcheck disable=SC2086 # to be split
	start_apiserver $audit_flags "$@"
}

# The user, with what we ship, that predicated runs as; and with kube-scheduler's
# lock, for tests in which it takes that one's place.
scheduler_user() {
	case $1 in
	predicated)
		k apply -f "$SRCDIR/etc/kubernetes/base/rbac.yaml" \
		    -f "$SRCDIR/etc/kubernetes/components/kosmos/rbac.yaml" \
		    -f "$SRCDIR/etc/kubernetes/components/policy/rbac.yaml" -f - <<-END \
		    >/dev/null || bail_out "etc/kubernetes/base/rbac.yaml is refused"
		apiVersion: rbac.authorization.k8s.io/v1
		kind: Role
		metadata: {name: kube-scheduler-lock, namespace: kube-system}
		rules:
		- apiGroups: [coordination.k8s.io]
		  resources: [leases]
		  resourceNames: [kube-scheduler]
		  verbs: [get, update]
		---
		apiVersion: rbac.authorization.k8s.io/v1
		kind: RoleBinding
		metadata: {name: kube-scheduler-lock, namespace: kube-system}
		roleRef:
		  apiGroup: rbac.authorization.k8s.io
		  kind: Role
		  name: kube-scheduler-lock
		subjects:
		- {kind: ServiceAccount, name: predicated, namespace: kube-system}
		END
		kubeconfig_for system:serviceaccount:kube-system:predicated \
		    system:serviceaccounts system:authenticated
		;;
	kube-scheduler)
		kubeconfig_for system:kube-scheduler
		;;
	esac
}

# A test may have another way.
run_scheduler() {
	with_us "$@"
}

# start_scheduler PROGRAM LOG [FLAG…]: sets $scheduler_pid and $scheduler_port;
# $through, when set, is a kubeconfig to use, else it is scheduler_user's; $election
# is the flag about leader election, which may be empty.
start_scheduler() {
	program=$1
	log=$2
	shift 2
	credentials=${through:-$(scheduler_user "$program")}
	scheduler_port=$(free_port)
	case $program in
	predicated)
		binary=$BUILDDIR/predicated
		set -- --port=0 "$@"
		;;
	kube-scheduler)
		binary=$kube_scheduler
		# Its client is limited to 50 requests a second by default.
		set -- --kube-api-qps=5000 --kube-api-burst=5000 "$@"
		[ "$kubernetes_minor" -ge 24 ] || set -- --port=0 "$@"
		;;
	esac
	# 1.23 has no policies.
	policy_flag=${policy:+--policy-config-file=$policy}
	[ "$program" = predicated ] || [ "$kubernetes_minor" -lt 23 ] ||
	    policy_flag=
	# The last of two equal flags counts.
	(run_scheduler "$binary" --kubeconfig="$credentials" \
	    --authentication-kubeconfig="$credentials" \
	    --authorization-kubeconfig="$credentials" \
	    --bind-address=127.0.0.1 --secure-port="$scheduler_port" \
	    ${election:+"$election"} --v=2 ${policy_flag:+"$policy_flag"} \
	    ${content_type:+--kube-api-content-type="$content_type"} \
	    "$@") >>"$log" 2>&1 &
	scheduler_pid=$!
	scheduler_pids="$scheduler_pids $scheduler_pid"
}

scheduler_up() {
	curl -fsS -k --noproxy '*' --max-time 2 \
	    "https://127.0.0.1:$scheduler_port/healthz"
}

# wait_scheduler [SECONDS]
wait_scheduler() {
	if ! wait_until "${1:-20}" scheduler_up; then
		tail -n 20 "$log" | sed 's/^/# /'
		bail_out "$program does not become healthy"
	fi
}

# show PATH [OPTION…]: a page of the scheduler's server, as a user who may see it.
show() {
	path=$1
	shift
	curl -fsS -k --noproxy '*' --max-time 5 \
	    --cert "$apiserver_dir/admin.crt" --key "$apiserver_dir/admin.key" \
	    "$@" "https://127.0.0.1:$scheduler_port$path"
}

metrics() {
	show /metrics
}

# metric NAME: the value of the first line of the page that begins so.
metric() {
	metrics | awk -v name="$1" 'index($0, name) == 1 && !n++ { print $NF }'
}

metric_is() {
	[ "$(metric "$1")" = "$2" ]
}

make_cluster() {
	KUBECONFIG=$admin "$tools/make_cluster" "$@" >"$tmp/made" ||
	    bail_out "make_cluster $* failed"
	sed 's/^/# made: /' "$tmp/made"
}

# create_aged SECONDS: the pod on stdin, as if it had been created so long ago, a time
# that the API server sets itself.
create_aged() {
	k create --dry-run=server -o json -f - | jq -r --argjson age "$1" '
	    .metadata.creationTimestamp = (now - $age | floor | todate) |
	    ["", "", "/registry/pods/\(.metadata.namespace)/\(.metadata.name)",
	    tojson] | join("\t")' >"$tmp/aged"
	make_cluster --etcd "http://127.0.0.1:$etcd_port" --objects "$tmp/aged"
}

# emptied NAMESPACE: the server may take longer than a request may.
emptied() {
	KUBECONFIG=$admin "$tools/make_cluster" --empty --namespace "$1" \
	    >/dev/null 2>&1
}

# start_attack KIND [COUNT]: returns when it has begun; sets $attack_pid.  $attacker, when
# set, is the kubeconfig of who does it.
start_attack() {
	rm -f "$tmp/ready"
	(KUBECONFIG=${attacker:-$admin} with_us "$tools/attack" --minor "$kubernetes_minor" \
	    ${2:+--count "$2"} --ready "$tmp/ready" "$1") >"$tmp/$1.log" 2>&1 &
	attack_pid=$!
	wait_until 600 test -e "$tmp/ready" ||
	    bail_out "$1 does not begin: $(cat "$tmp/$1.log")"
}

# observe N [OPTION…]: in the background, ready when it returns.
observe() {
	rm -f "$tmp/observer-ready"
	n=$1
	shift
	(KUBECONFIG=$admin with_us "$tools/observe" \
	    --ready "$tmp/observer-ready" --log "$tmp/observed" \
	    --bound "$n" "$@") >"$tmp/observation" 2>"$tmp/observer.log" &
	observer_pid=$!
	wait_until 60 test -e "$tmp/observer-ready" ||
	    bail_out "the observer sees nothing"
}

# True when the observer saw what it waited for.
observed_all() {
	wait "$observer_pid"
	status=$?
	observer_pid=
	sed 's/^/# /' "$tmp/observation"
	return "$status"
}

observed_so_far() {
	[ "$(wc -l <"$tmp/observed")" -ge "$1" ]
}

# start_proxy NAME [FLAG…]: a fault proxy before the API server, for that user;
# its kubeconfig becomes $through.
start_proxy() {
	user_config=$1
	shift
	proxy_port=$(free_port)
	(with_us "$tools/fault_proxy" --listen "$proxy_port" \
	    --to "$apiserver_port" --control "$tmp/proxy" --log "$tmp/proxy.log" \
	    "$@") 2>"$tmp/proxy.err" &
	proxy_pid=$!
	through=$apiserver_dir/through.kubeconfig
	sed "s/:$apiserver_port\$/:$proxy_port/" "$user_config" >"$through"
	wait_until 10 proxy stats || bail_out "the fault proxy does not start"
}

# start_tls_proxy KUBECONFIG: one that looks into requests.
start_tls_proxy() {
	start_proxy "$1" --cert "$apiserver_dir/server.crt" \
	    --key "$apiserver_dir/server.key" --ca "$apiserver_ca" \
	    --client-cert "${1%.kubeconfig}.crt" \
	    --client-key "${1%.kubeconfig}.key"
}

# proxy COMMAND [WORD…]
proxy() {
	"$tools/fault_proxy" --control "$tmp/proxy" --say "$@"
}

# The names of the leases in kube-system, but for those of API servers.
leases() {
	k -n kube-system get leases -o json |
	    jq -r '.items[].metadata.name | select(startswith("apiserver-") | not)'
}

# What the cluster has come to, into $tmp/final/*.json.
dump_cluster() {
	mkdir -p "$tmp/final"
	for resource in nodes pods services; do
		k get "$resource" -A -o json --chunk-size=0 \
		    >"$tmp/final/$resource.json"
	done
}

# check_placements [OPTION…]: prints the summary; details as diagnostics.
check_placements() {
	dump_cluster
	"$tools/check_placements" --kubernetes-version "1.$kubernetes_minor" \
	    ${policy:+--policy "$policy"} \
	    --cluster "$tmp/final/nodes.json" --cluster "$tmp/final/pods.json" \
	    --cluster "$tmp/final/services.json" "$@" >"$tmp/placements" \
	    2>"$tmp/placements.err"
	head -n -1 "$tmp/placements" | head -n 20 | sed 's/^/# /' >&2
	cat "$tmp/placements.err" >&2
	tail -n 1 "$tmp/placements"
}

# The pods of bindings that the API server has accepted.
accepted_pods() {
	jq -r 'select(.objectRef.subresource == "binding" and
	    .responseStatus.code == 201) | .objectRef.namespace + "/" +
	    .objectRef.name' "$audit_log"
}

# How many bindings it has accepted, and of how many pods.
accepted_bindings() {
	accepted_pods >"$tmp/accepted"
	echo "$(wc -l <"$tmp/accepted") of $(sort -u "$tmp/accepted" | wc -l)"
}

# Who was bound more than once.  Of a binding whose client is gone, or that came
# just before the server died, the server does not say that it was accepted.
bound_twice() {
	accepted_pods | sort | uniq -d
}

# judge_bindings: writes to $tmp/judged the bindings whose user did not hold the lease, and
# how many they are; before that, and to stdout, "# N bound by USER".
#
# The binder is the last writer of the lease; what the server received within the
# lease's duration after that is his.  Audit lines stand in the order of
# answers, so they are sorted by when requests came.
judge_bindings() {
	jq -r 'select(.responseStatus.code < 300) |
	    [.requestReceivedTimestamp, .user.username, .objectRef.resource,
		(.requestObject.spec.holderIdentity // .objectRef.name)] | @tsv' \
	    "$audit_log" | sort >"$tmp/history"
	awk -F '\t' '
		$3 == "leases" && $4 != "" { leader = $2; next }
		$3 == "pods" { total[$2]++; if ($2 != leader) { bad++; print } }
		END {
			for (user in total)
				print "# " total[user] " bound by " user
			print bad + 0
		}' "$tmp/history" >"$tmp/judged"
	grep '^#' "$tmp/judged"
}

# The peak RSS of a process in MiB, its CPU seconds.
rss_peak() {
	awk '/^VmHWM/ { printf "%.1f\n", $2 / 1024 }' "/proc/$1/status"
}

cpu_seconds() {
	sed 's/.*) //' "/proc/$1/stat" |
	    awk -v hz="$(getconf CLK_TCK)" '{ printf "%.2f\n", ($12 + $13) / hz }'
}

# request METHOD PATH [BODY]: quicker than kubectl; a PATCH is a merge patch.
request() {
	type=application/json
	[ "$1" != PATCH ] || type=application/merge-patch+json
	curl -sS --fail-with-body --noproxy '*' --max-time 10 --cacert "$apiserver_ca" \
	    --cert "$apiserver_dir/admin.crt" --key "$apiserver_dir/admin.key" \
	    -X "$1" -H "Content-Type: $type" ${3:+-d "$3"} "$apiserver_url$2"
}

# merge_patch PATH BODY: as the controllers of Kubernetes would, also a status.
merge_patch() {
	request PATCH "$1" "$2" >/dev/null
}

# The classes "local" and "made", and a claim to each, "found" and "made", which
# wait for the first pod; for the first there is a volume, "disk", on this node.
make_storage() {
	sed "s/@NODE@/$1/" "$SRCDIR/t/data/storage.yaml" | k create -f - >/dev/null
	merge_patch /api/v1/persistentvolumes/disk/status \
	    '{"status":{"phase":"Available"}}'
}

# service_account_token [NAMESPACE NAME]: a token of predicated's, or of this one, for an hour.
service_account_token() {
	request POST "/api/v1/namespaces/${1:-kube-system}/serviceaccounts/${2:-predicated}/token" \
	    '{"apiVersion":"authentication.k8s.io/v1","kind":"TokenRequest","spec":{}}' |
	    jq -er .status.token
}
