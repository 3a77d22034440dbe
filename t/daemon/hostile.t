#!/bin/sh
# A user who may create pods in one namespace, and nothing else, creates the
# most expensive ones: the lease is not lost, other pods are scheduled meanwhile
# as before, and when the pods are gone so is the memory; predicatectl explains each.
# KINDS limits them, NODES makes it smaller.
. "$SRCDIR/t/lib/tap.sh"
. "$SRCDIR/t/lib/apiserver.sh"
. "$SRCDIR/t/daemon/e2e.sh"

nodes=${NODES:-5000}
bound=10000
probes=50
lease_seconds=5
kinds=${KINDS:-"colliding-labels labels topologies terms preferred-terms
    node-terms tolerations spread init-containers
    resources ports"}
lock="--leader-elect=true --leader-elect-lease-duration=${lease_seconds}s
    --leader-elect-renew-deadline=4s --leader-elect-retry-period=500ms
    --leader-elect-resource-lock=leases"

transitions() {
	k -n kube-system get lease kube-scheduler \
	    -o jsonpath='{.spec.leaseTransitions}'
}

rss() {
	awk '/^VmRSS/ { printf "%d", $2 / 1024 }' "/proc/$scheduler_pid/status"
}

# latency PREFIX: a line "pods N bound N median MS p90 MS max MS".
latency() {
	KUBECONFIG=$admin "$tools/latency" --pods "$probes" --rate 10 \
	    --prefix "$1" --timeout 60 2>"$tmp/latency.err"
	sed 's/^/# /' "$tmp/latency.err" >&2
}

# value WORD LINE
value() {
	echo "$2" | sed "s/.* $1 \([0-9]*\).*/\1/"
}

# has_answer POD: it has a node, or its owner was told why it has none.
has_answer() {
	[ -n "$(k -n team get pod "$1" -o jsonpath='{.spec.nodeName}')" ] ||
	    [ -n "$(k -n team get events -o name --field-selector \
		"involvedObject.name=$1,reason=FailedScheduling")" ]
}

# What takes long to find is looked for while the servers start.
for kind in $kinds; do
	"$tools/hostile" "$kind" team "hostile-$kind" >"$tmp/$kind.json"
done &
finding=$!
start_audited_apiserver
make_cluster --etcd "http://127.0.0.1:$etcd_port" --nodes "$nodes" \
    --services 20 --apps 300 --pods "$bound" --onto "$nodes" --prefix old
k create namespace team >/dev/null
k -n team create role pods --verb=create,get,list,delete --resource=pods \
    >/dev/null
k -n team create rolebinding mallory --role=pods --user=mallory >/dev/null
mallory=$(kubeconfig_for mallory)
wait "$finding"

# ---- predicatectl reads a dump that has one of them ----

# What collides as keys collides as values.
case $kinds in
*colliding-labels*)
	jq -c '.metadata |= (.name = "hostile-colliding-values" |
	    .labels |= (keys_unsorted | to_entries |
		map({key: "label-\(.key)", value}) | from_entries))' \
	    "$tmp/colliding-labels.json" >"$tmp/colliding-values.json"
	offline="$kinds colliding-values"
	;;
*)
	offline=$kinds
	;;
esac

# explain POD FILE: with two seconds of processor time, and half a gigabyte.
explain() {
	(
		sanitized || {
			ulimit -t 2
			ulimit -v 500000
		}
		exec "$BUILDDIR/predicatectl" explain -o json --pod "team/$1" \
		    --cluster "$tmp/nodes.json" --cluster "$2"
	) >"$tmp/explained" 2>"$tmp/explain.err"
}

k get nodes -o json >"$tmp/nodes.json"
for kind in $offline; do
	explain "hostile-$kind" "$tmp/$kind.json"
	# 1: it fits nowhere
	is "$kind: predicatectl explains it" \
	    "$(($? <= 1)) $(jq -r .pod "$tmp/explained")" "1 team/hostile-$kind"
done

# ---- the scheduler meets them all ----

# shellcheck disable=SC2086 # to be split
start_scheduler "$SCHEDULER" "$tmp/scheduler.log" $lock
wait_scheduler
latency warm >/dev/null
before=$(latency before)
echo "# before: $before, $(rss) MiB"
is "ordinary pods are bound" "$(value bound "$before")" "$probes"
transitions=$(transitions)
memory=$(rss)

for kind in $kinds; do
	kubectl --kubeconfig "$mallory" create -f "$tmp/$kind.json" \
	    --raw /api/v1/namespaces/team/pods >/dev/null \
	    2>"$tmp/create.err" ||
	    bail_out "the API server refuses $kind: $(head -c 500 "$tmp/create.err")"
	during=$(latency "$kind")
	echo "# $kind: $during, $(rss) MiB"
	is "$kind: other pods are bound" "$(value bound "$during")" "$probes"
	is "$kind: as soon as before" \
	    "$(($(value median "$during") < $(value median "$before") + 100))" 1
	is "$kind: none waits for long" \
	    "$(($(value max "$during") < 4000))" 1
	if wait_until 30 has_answer "hostile-$kind"; then
		pass "$kind: its owner gets an answer"
	else
		fail "$kind: its owner gets an answer" \
		    "$(grep "hostile-$kind" "$tmp/scheduler.log" | tail -n 5)"
	fi
done

k -n team get events -o json | jq -r '.items[] | "# " +
    .involvedObject.name + " " + .reason + ": " + .message[0:100]' | sort -u
is "it runs" "$(running "$scheduler_pid" && scheduler_up)" ok
is "leaseTransitions stays" "$(transitions)" "$transitions"
is "it never was without the lease" \
    "$(grep -c 'leaderelection lost\|stopped leading' "$tmp/scheduler.log")" 0
jq -r 'select(.objectRef.resource == "leases" and
    .responseStatus.code < 300) | .requestReceivedTimestamp' "$audit_log" |
    sort | sed 's/.*T//; s/Z//' | awk -F : '
	{
		now = $1 * 3600 + $2 * 60 + $3
		if (NR > 1 && now - last > gap)
			gap = now - last
		last = now
	}
	END { printf "%.2f\n", gap }' >"$tmp/gap"
echo "# the lease was renewed after $(cat "$tmp/gap") s at the latest"
is "and renewed it in time" \
    "$(awk -v l="$lease_seconds" '{ print ($1 < l) }' "$tmp/gap")" 1
metrics | grep -E '^predicated_(event_loop_stalls|decisions_aband|quarantined)' |
    sed 's/^/# /'

kubectl --kubeconfig "$mallory" -n team delete pods --all --grace-period=0 \
    --force >/dev/null 2>&1
wait_until 20 metric_is predicated_quarantined_pods 0
is "nothing is in quarantine when the pods are gone" \
    "$(metric predicated_quarantined_pods)" 0
after=$(latency after)
echo "# after: $after, $(rss) MiB"
is "memory returns" "$(($(rss) < memory + 100))" 1
finish
