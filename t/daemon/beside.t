#!/bin/sh
# kube-scheduler 1.20 places 300 generated pods, one at a time, by three profiles of a
# v1beta1 configuration: each is on one of the nodes that we rank best under the
# same configuration, or is refused where we refuse it, with the same message.
. "$SRCDIR/t/lib/tap.sh"
. "$SRCDIR/t/lib/apiserver.sh"
. "$SRCDIR/t/daemon/e2e.sh"

pods=300
policy=

# api PATH [CURL OPTION…]
api() {
	path=$1
	shift
	curl -fsS --noproxy '*' --max-time 10 --cacert "$apiserver_ca" \
	    --cert "$apiserver_dir/admin.crt" --key "$apiserver_dir/admin.key" \
	    "$@" "$apiserver_url$path"
}

# Nodes in three zones and two that are set apart, of two sizes.
make_nodes() {
	jq -n '[range(16) | {
	    apiVersion: "v1", kind: "Node",
	    metadata: {name: "node-\(.)", labels: ({
		"kubernetes.io/hostname": "node-\(.)",
		"topology.kubernetes.io/zone": ["a", "b", "c"][. % 3],
		disk: ["ssd", "hdd"][. % 2]} +
		(if . % 4 == 1 then {fast: "yes"} else {} end) +
		(if . == 9 then {retired: "yes"} else {} end))},
	    spec: {taints: (if . % 5 == 2 then
		[{key: "dedicated", value: "x", effect: "PreferNoSchedule"}]
		elif . % 7 == 3 then
		[{key: "dedicated", value: "x", effect: "NoSchedule"}]
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

# The pods as JSON, one a line; always the same.
make_pods() {
	awk -v n="$pods" 'BEGIN {
		srand(7)
		split("default-scheduler packer shaper", schedulers, " ")
		for (i = 0; i < n; i++) {
			app = "app-" int(rand() * 8)
			spec = "\"schedulerName\":\"" \
			    schedulers[1 + int(rand() * 3)] "\""
			if (rand() < 0.3)
				spec = spec ",\"tolerations\":[{\"key\":\"dedicated\"," \
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
			    "\"labelSelector\":{\"matchLabels\":{\"app\":\"app-" \
			    int(rand() * 8) "\"}}}"
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
			    "\"name\":\"pod-%d\",\"labels\":{\"app\":\"%s\"}},\"spec\":{%s," \
			    "\"containers\":[{\"name\":\"main\",\"image\":\"example.org/%s:1\"," \
			    "\"resources\":{\"requests\":{%s},\"limits\":{%s}}}]}}\n", \
			    i, app, spec, rand() < 0.3 ? "big" : "main", asks, limits
		}
	}'
}

decided() {
	api "/api/v1/namespaces/default/pods/$1" >"$tmp/pod.json" &&
	    jq -e '.spec.nodeName != null or
		(.status.conditions // [] | any(.type == "PodScheduled"))' \
		"$tmp/pod.json" >/dev/null
}

start_apiserver
[ "$kubernetes_minor" -eq 20 ] ||
    bail_out "kube-scheduler 1.$kubernetes_minor does not read v1beta1"
make_nodes
for i in 0 1 2 3; do
	printf '%s\n' "apiVersion: v1
kind: Service
metadata: {name: app-$i}
spec: {selector: {app: app-$i}, ports: [{port: 80}]}
---"
done | k create -f - >/dev/null
credentials=$(scheduler_user kube-scheduler)
port=$(free_port)
sed -e "s|KUBECONFIG|$credentials|" -e "s|PORT|$port|" \
    "$SRCDIR/t/data/profiles/beside.yaml" | sed '/^#/d' >"$tmp/config.yaml"
start_scheduler kube-scheduler "$tmp/log" --config="$tmp/config.yaml"
log=$tmp/log
wait_scheduler
# 1.20 counts the nodes that have an image when it hears of a node, not later: so it
# has to hear of each once more.
k label nodes --all heard=yes >/dev/null
api /api/v1/nodes >"$tmp/nodes.json"
api /api/v1/services >"$tmp/services.json"
make_pods >"$tmp/pods"

placed=0
refused=0
odd=
while read -r pod; do
	name=$(echo "$pod" | jq -r .metadata.name)
	echo "$pod" | api /api/v1/namespaces/default/pods -X POST \
	    -H 'Content-Type: application/json' -d @- >/dev/null ||
	    bail_out "$name is refused"
	wait_until 20 decided "$name" || bail_out "$name waits: $(tail "$log")"
	api /api/v1/pods >"$tmp/all.json"
	"$BUILDDIR/predicatectl" explain --config "$tmp/config.yaml" \
	    --cluster "$tmp/nodes.json" --cluster "$tmp/services.json" \
	    --cluster "$tmp/all.json" --kubernetes-version 1.20 \
	    --pod "default/$name" -o json >"$tmp/ours.json" 2>/dev/null
	node=$(jq -r '.spec.nodeName // ""' "$tmp/pod.json")
	if [ -n "$node" ]; then
		placed=$((placed + 1))
		jq -e --arg node "$node" '.best | index($node)' \
		    "$tmp/ours.json" >/dev/null ||
			odd="$odd
$name is on $node: $(jq -c .best "$tmp/ours.json")"
		continue
	fi
	refused=$((refused + 1))
	why=$(jq -r '.status.conditions[] | select(.type == "PodScheduled") |
	    .message' "$tmp/pod.json")
	[ "$(jq -r .message "$tmp/ours.json")" = "$why" ] ||
		odd="$odd
$name: $why: $(jq -r .message "$tmp/ours.json")"
	api "/api/v1/namespaces/default/pods/$name" -X DELETE \
	    -H 'Content-Type: application/json' \
	    -d '{"gracePeriodSeconds":0}' >/dev/null
done <"$tmp/pods"
echo "# $placed placed, $refused refused"
is "kube-scheduler's choice is always among our best" "$odd" ""
is "most pods are placed" "$([ "$placed" -gt $((pods / 2)) ] && echo yes)" yes
is "some are refused" "$([ "$refused" -gt 5 ] && echo yes)" yes
finish
