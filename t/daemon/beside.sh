# shellcheck shell=sh disable=SC2154
# Sourced, after e2e.sh, by the tests with kube-scheduler beside us: a cluster and pods
# that are generated, always the same, and how both decide about a pod.

# Sets $config_version: of the configurations that this release's kube-scheduler reads.
choose_config_version() {
	case $kubernetes_minor in
	20 | 21) config_version=v1beta1 ;;
	22 | 23 | 24) config_version=v1beta2 ;;
	*) config_version=v1 ;;
	esac
}

# api PATH [CURL OPTION…]
api() {
	path=$1
	shift
	curl -fsS --noproxy '*' --max-time 10 --cacert "$apiserver_ca" \
	    --cert "$apiserver_dir/admin.crt" --key "$apiserver_dir/admin.key" \
	    "$@" "$apiserver_url$path"
}

# Nodes in three zones, of two sizes, some set apart.  One has no label zone, one no
# region: they refuse pods that do not tolerate all taints, as which pod of a service
# is the first, which ServiceAffinity asks for, is not defined.
make_nodes() {
	jq -n '[range(20) | {
	    apiVersion: "v1", kind: "Node",
	    metadata: {name: "node-\(.)", labels: ({
		"kubernetes.io/hostname": "node-\(.)",
		"topology.kubernetes.io/zone": ["a", "b", "c"][. % 3],
		city: ["x", "y"][. % 2],
		disk: ["ssd", "hdd"][. % 2]} +
		(if . == 18 then {} else {zone: ["a", "b", "c"][. % 3]} end) +
		(if . == 19 then {} else {region: ["r", "r", "s"][. % 3]} end) +
		(if . % 6 == 5 then {} else {rack: "rack-\(. % 5)"} end) +
		(if . % 4 == 1 then {fast: "yes", ssd: "yes"} else {} end) +
		(if . % 8 == 6 then {} else {room: "room-\(. % 4)"} end) +
		(if . % 3 == 0 then {building: "building-\(. % 2)"} else {} end) +
		(if . == 9 then {retired: "yes"} else {} end))},
	    spec: {taints: (if . % 5 == 2 then
		[{key: "dedicated", value: "x", effect: "PreferNoSchedule"}]
		elif . % 7 == 3 then
		[{key: "dedicated", value: "x", effect: "NoSchedule"}]
		elif . >= 18 then [{key: "new", effect: "NoSchedule"}]
		else [] end)},
	    status: ((if . % 2 == 0 then {cpu: "8", memory: "16Gi"}
		else {cpu: "16", memory: "24Gi"} end + {pods: "40"} +
		(if . % 3 == 0 then {"example.com/gpu": "4"} else {} end)) as $has |
		{allocatable: $has, capacity: $has,
		conditions: [{type: "Ready", status: "True"}],
		images: (if . % 4 == 0 then
		    [{names: ["example.org/big:1"], sizeBytes: 900000000}]
		    else [] end)})}] | {kind: "List", apiVersion: "v1", items: .}' |
	    k create -f - >/dev/null || bail_out "no nodes"
}

# make_services PREFIX N: PREFIX-0 to PREFIX-N, less one, of the apps of these names.
make_services() {
	i=0
	while [ $i -lt "$2" ]; do
		printf '%s\n' "apiVersion: v1
kind: Service
metadata: {name: $1-$i}
spec: {selector: {app: $1-$i}, ports: [{port: 80}]}
---"
		i=$((i + 1))
	done | k create -f - >/dev/null || bail_out "no services"
}

# make_pods N "SCHEDULER…" PREFIX APPS [KEY [SEED]]: as JSON, one a line, of the apps
# PREFIX-0 to PREFIX-APPS, less one; some tolerate all taints of KEY, which is
# "dedicated" unless given, or all when it is empty.
make_pods() {
	awk -v n="$1" -v all="$2" -v prefix="$3" -v apps="$4" \
	    -v key="${5-dedicated}" -v seed="${6-7}" 'BEGIN {
		srand(seed)
		m = split(all, schedulers, " ")
		for (i = 0; i < n; i++) {
			app = prefix "-" int(rand() * apps)
			spec = "\"schedulerName\":\"" \
			    schedulers[1 + int(rand() * m)] "\""
			if (rand() < 0.3)
				spec = spec ",\"tolerations\":[{" \
				    (key == "" ? "" : "\"key\":\"" key "\",") \
				    "\"operator\":\"Exists\"}]"
			if (rand() < 0.15)
				spec = spec ",\"nodeSelector\":{\"disk\":\"ssd\"}"
			affinity = ""
			if (rand() < 0.25)
				affinity = affinity ",\"nodeAffinity\":{" \
				    "\"preferredDuringSchedulingIgnoredDuringExecution\":[{" \
				    "\"weight\":" 1 + int(rand() * 99) ",\"preference\":{" \
				    "\"matchExpressions\":[{\"key\":\"topology.kubernetes.io/zone\"," \
				    "\"operator\":\"In\",\"values\":[\"b\"]}]}}]}"
			term = "{\"topologyKey\":\"topology.kubernetes.io/zone\"," \
			    "\"labelSelector\":{\"matchLabels\":{\"app\":\"" prefix "-" \
			    int(rand() * apps) "\"}}}"
			if (rand() < 0.2)
				affinity = affinity ",\"podAffinity\":{" \
				    "\"preferredDuringSchedulingIgnoredDuringExecution\":[{" \
				    "\"weight\":" 1 + int(rand() * 99) \
				    ",\"podAffinityTerm\":" term "}]}"
			else if (rand() < 0.1)
				affinity = affinity ",\"podAffinity\":{" \
				    "\"requiredDuringSchedulingIgnoredDuringExecution\":[" \
				    term "]}"
			if (rand() < 0.1)
				affinity = affinity ",\"podAntiAffinity\":{" \
				    "\"requiredDuringSchedulingIgnoredDuringExecution\":[{" \
				    "\"topologyKey\":\"kubernetes.io/hostname\"," \
				    "\"labelSelector\":{\"matchLabels\":{\"app\":\"" app "\"}}}]}"
			if (affinity != "")
				spec = spec ",\"affinity\":{" substr(affinity, 2) "}"
			if (rand() < 0.15)
				spec = spec ",\"topologySpreadConstraints\":[{\"maxSkew\":2," \
				    "\"topologyKey\":\"topology.kubernetes.io/zone\"," \
				    "\"whenUnsatisfiable\":\"" \
				    (rand() < 0.5 ? "DoNotSchedule" : "ScheduleAnyway") \
				    "\",\"labelSelector\":{\"matchLabels\":{\"app\":\"" app "\"}}}]"
			asks = "\"cpu\":\"" 50 * (1 + int(rand() * 12)) "m\",\"memory\":\"" \
			    64 * (1 + int(rand() * 16)) "Mi\""
			limits = ""
			if (rand() < 0.1)
				limits = "\"example.com/gpu\":\"1\""
			if (limits != "")
				asks = asks "," limits
			if (rand() < 0.03)
				asks = "\"cpu\":\"64\""
			printf "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{" \
			    "\"name\":\"%s-pod-%d\",\"labels\":{\"app\":\"%s\"}},\"spec\":{%s," \
			    "\"containers\":[{\"name\":\"main\",\"image\":\"example.org/%s:1\"," \
			    "\"resources\":{\"requests\":{%s},\"limits\":{%s}}}]}}\n", \
			    prefix, i, app, spec, rand() < 0.3 ? "big" : "main", asks, limits
		}
	}'
}

# decided POD: writes its node and the message, a line each, to $tmp/decision.
decided() {
	api "/api/v1/namespaces/default/pods/$1" |
	    jq -er '(.status.conditions // [] |
		map(select(.type == "PodScheduled")) | first) as $condition |
		select(.spec.nodeName or $condition) |
		.spec.nodeName // "", $condition.message // "", true' \
		>"$tmp/decision"
}

# start_peer CONFIG: kube-scheduler with that configuration of profiles; its other
# settings are added, where it is to write and to listen.
start_peer() {
	cat "$1" - >"$1.peer" <<-END
	leaderElection: {leaderElect: false}
	clientConnection: {kubeconfig: $(scheduler_user kube-scheduler), qps: 5000, burst: 5000}
	END
	if [ "$config_version" = v1beta1 ]; then
		port=$(free_port)
		cat >>"$1.peer" <<-END
		healthzBindAddress: 127.0.0.1:$port
		metricsBindAddress: 127.0.0.1:$port
		END
	fi
	log=$1.log
	start_scheduler kube-scheduler "$log" --config="$1.peer"
	wait_scheduler
}

# The nodes and services, when there is a peer.
peers_know() {
	# 1.20 counts the nodes that have an image when it hears of a node, not
	# later: so it has to hear of each once more.
	k label nodes --all heard=yes >/dev/null
	api /api/v1/nodes >"$tmp/nodes.json"
	api /api/v1/services >"$tmp/services.json"
}

# create_pod JSON: sets $name; when it returns, the peer has decided about the pod,
# and $node is the node, or empty and $why the message.
create_pod() {
	name=${1#*'"name":"'}
	name=${name%%'"'*}
	echo "$1" | api /api/v1/namespaces/default/pods -X POST \
	    -H 'Content-Type: application/json' -d @- >/dev/null ||
	    bail_out "$name is refused"
	wait_until 20 decided "$name" || bail_out "$name waits: $(tail "$log")"
	{
		read -r node
		read -r why
	} <"$tmp/decision"
	api /api/v1/pods >"$tmp/all.json"
	[ -n "$node" ] ||
	    api "/api/v1/namespaces/default/pods/$name" -X DELETE \
		-H 'Content-Type: application/json' \
		-d '{"gracePeriodSeconds":0}' >/dev/null
}

# explain OPTION…: of the pod that create_pod has made, without it.
explain() {
	"$BUILDDIR/predicatectl" explain "$@" --cluster "$tmp/nodes.json" \
	    --cluster "$tmp/services.json" --cluster "$tmp/all.json" \
	    --kubernetes-version "1.$kubernetes_minor" --pod "default/$name" \
	    -o json 2>/dev/null
}

# disagreement FILE: how explain's answer FILE differs from the peer's decision,
# empty when it does not.  Later releases add the result of preemption.
disagreement() {
	jq -r --arg name "$name" --arg node "$node" --arg why "$why" '
	    if $node == "" then
		. as $ours |
		if $why == .message or
		    ($why | startswith($ours.message + " ")) then empty
		else "\($name): \($why): \(.message)" end
	    elif .best | index($node) then empty
	    else "\($name) is on \($node), best are \(.best)" end' "$1"
}
