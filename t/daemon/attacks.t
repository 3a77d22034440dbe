#!/bin/sh
# One namespace's user, one node or one author does harm for as long as they can,
# in every way that costs many objects or events rather than a large one
# (hostile.t): the pods of others are bound meanwhile, the lease is not lost, and
# memory stays within a bound.
#
#	make bench-attacks
#
# prints the table of doc/threat-model.md.  NODES, COUNT (objects of a kind, its
# own number by default), PROBES (others' pods, of which there are RATE a second) and
# KINDS make it larger or smaller; the kind "all" is all of them at once, but for the
# policy, whose author is trusted.
. "$SRCDIR/t/lib/tap.sh"
. "$SRCDIR/t/lib/apiserver.sh"
. "$SRCDIR/t/daemon/e2e.sh"

nodes=${NODES:-200}
count=${COUNT-1000}
probes=${PROBES:-60}
rate=${RATE:-20}
kinds=${KINDS:-"terms keys flood preemption claims labels selectors nodes
    policy distributions devices still alone apart"}
memory_limit=512
attackers=
policy=

trap 'stop_attackers; stop_everything; rm -rf "$tmp"' EXIT

stop_attackers() {
	for pid in $attackers; do
		stop_process "$pid" TERM
	done
	attackers=
}

# attack KIND: returns when it has begun.
attack() {
	case $1 in
	policy | distributions)
		"${1}_for_ever" >"$tmp/$1.log" 2>&1 &
		attack_pid=$!
		;;
	preemption | nodes | claims | selectors | devices | still | alone)
		start_attack "$1"
		;;
	*) start_attack "$1" "$count" ;;
	esac
	attackers="$attackers $attack_pid"
}

# Almost as long as a ConfigMap may be, and valid or not.
policy_for_ever() {
	awk 'BEGIN {
		printf "{\"kind\": \"Policy\", \"apiVersion\": \"v1\", " \
		    "\"predicates\": [{\"name\": \"PodFitsResources\"}, " \
		    "{\"name\": \"Far\", \"argument\": {\"labelsPresence\": " \
		    "{\"presence\": false, \"labels\": ["
		for (i = 0; i < 40000; i++)
			printf "%s\"a.label/number%d\"", i ? ", " : "", i
		printf "]}}}]}\n" }' >"$tmp/long.cfg"
	sed 's/]}$/, {"name": "NoSuchRule"}]}/' "$tmp/long.cfg" >"$tmp/wrong.cfg"
	while :; do
		for text in long wrong; do
			k -n kube-system create configmap scheduler-policy \
			    --from-file=policy.cfg="$tmp/$text.cfg" \
			    --dry-run=client -o json | k replace -f - >/dev/null
			sleep 1
		done
	done
}

# The same of a DistributionPolicy.
distributions_for_ever() {
	awk 'BEGIN {
		printf "{\"apiVersion\": \"kosmos.io/v1alpha1\", " \
		    "\"kind\": \"DistributionPolicy\", \"metadata\": " \
		    "{\"name\": \"long\"}, \"spec\": {\"resourceSelectors\": ["
		for (i = 0; i < 12000; i++)
			printf "%s{\"name\": \"pod-of-a-team-%d\", " \
			    "\"policyName\": \"host\"}", i ? ", " : "", i
		printf "], \"policyTerms\": [{\"name\": \"host\", " \
		    "\"nodeType\": \"host\"}]}}\n" }' >"$tmp/long.json"
	while :; do
		k create -f "$tmp/long.json" >/dev/null
		sleep 1
		k delete -f "$tmp/long.json" >/dev/null
	done
}

rss() {
	awk '/^VmRSS/ { printf "%d", $2 / 1024 }' "/proc/$scheduler_pid/status"
}

# value WORD LINE
value() {
	echo "$2" | sed "s/.* $1 \([0-9]*\).*/\1/"
}

# measure NAME [N]: of so many pods of others; sets $result, $cpu (seconds), and
# prints a line of the table.
measure() {
	n=${2:-$probes}
	before=$(cpu_seconds "$scheduler_pid")
	server=$(cpu_seconds "$kube_apiserver_pid")
	began=$(date +%s.%N)
	result=$(KUBECONFIG=$admin "$tools/latency" --pods "$n" \
	    --rate "$rate" --prefix "$1" --timeout $((n / rate + 120)))
	cpu=$(echo "$(cpu_seconds "$scheduler_pid") $before" |
	    awk '{ print $1 - $2 }')
	echo "$cpu $(date +%s.%N) $began $(cpu_seconds "$kube_apiserver_pid") \
	    $server" | awk -v name="$1" -v mib="$(rss)" \
	    -v p50="$(value median "$result")" -v p99="$(value p99 "$result")" \
	    -v made="$(value created-median "$result")" \
	    -v slow="$(value created-p99 "$result")" '{
		printf "# | %s | %.0f %% | %.0f %% | %d MiB | %d ms | %d ms | " \
		    "%d, %d ms |\n", name, 100 * $1 / ($2 - $3),
		    100 * ($4 - $5) / ($2 - $3), mib, p50, p99, made, slow }'
	is "$1: others' pods are bound" "$(value bound "$result")" "$n"
	is "$1: within $memory_limit MiB" "$(($(rss) < memory_limit))" 1
}

start_apiserver
# No member of system:masters, whose requests the API server lets pass by all others.
k create clusterrolebinding attacker --clusterrole=cluster-admin \
    --user=attacker >/dev/null
attacker=$(kubeconfig_for attacker)
make_cluster --etcd "http://127.0.0.1:$etcd_port" --nodes "$nodes" \
    --services 20 --apps 300 --pods $((nodes * 10)) --onto "$nodes" --prefix old
k apply -f "$SRCDIR/etc/kubernetes/components/kosmos-crds/crds.yaml" >/dev/null
k wait --for=condition=Established --timeout=30s \
    crd/distributionpolicies.kosmos.io >/dev/null
echo '{"kind": "Policy", "apiVersion": "v1"}' >"$tmp/policy.cfg"
k -n kube-system create configmap scheduler-policy \
    --from-file="$tmp/policy.cfg" >/dev/null
start_scheduler predicated "$tmp/scheduler.log" --v=0 --kosmos \
    --policy-configmap=scheduler-policy --leader-elect=true \
    --leader-elect-resource-lock=leases
wait_scheduler
KUBECONFIG=$admin "$tools/latency" --pods 20 --prefix warm >/dev/null
echo "# | attack | CPU | of the API server | memory | p50 | p99 | of a creation |"
measure none $((probes < 600 ? probes : 600))
plain_cpu=$cpu
plain=$(value p99 "$result")
[ "$kubernetes_minor" -ge 34 ] || kinds=$(echo "$kinds" | sed 's/devices still//')

for kind in $kinds; do
	case $kind in
	all)
		for each in terms keys flood preemption claims labels selectors nodes \
		    distributions devices still alone apart; do
			attack "$each"
		done
		;;
	*) attack "$kind" ;;
	esac
	measure "$kind"
	# The version before compared each write with all terms: 70 times as much.
	[ "$kind" != terms ] ||
	    is "writes of others' status cost little" \
		"$(echo "$cpu $plain_cpu" | awk '{ print ($1 < 10 * $2 + .5) }')" 1
	# The version before held others up for as long as its decisions took: seconds.
	# What the server takes for a pod's binding and its events is not ours.  Only
	# where it is measured: elsewhere the machine has other work, too.
	case $kind:${PROBES:+measured} in
	all:measured | keys:measured | devices:measured | still:measured | alone:measured | \
	    apart:measured)
		is "$kind: others wait little" \
		    "$(($(value p99 "$result") <= 10 * plain + 100 +
			2 * $(value created-p99 "$result")))" 1
		;;
	esac
	stop_attackers
	[ "$kind" = all ] || {
		sed 's/^/# /' "$tmp/$kind.log"
		wait_until 300 emptied "attack-$kind"
	}
done

lease_is_kept() {
	is "$1: it runs" "$(running "$scheduler_pid" && scheduler_up)" ok
	is "$1: it never was without the lease" \
	    "$(grep -c 'leaderelection lost\|stopped leading' "$log")" 0
}
lease_is_kept attacks

# ---- and a server that refuses all writes but the lease's for a while ----

case $kinds in
*all*) ;;
*)
	stop_process "$scheduler_pid" TERM
	start_tls_proxy "$(scheduler_user predicated)"
	start_scheduler predicated "$tmp/refused.log" --v=0 --leader-elect=true \
	    --leader-elect-resource-lock=leases
	wait_scheduler
	proxy answer count=0 retry-after=1 429 POST / >/dev/null
	measure refusals &
	measuring=$!
	sleep "${REFUSED:-10}"
	echo "# in ${REFUSED:-10} s: $(proxy stats)"
	proxy clear >/dev/null
	wait "$measuring"
	tests=$((tests + 2))
	lease_is_kept refusals
	;;
esac
finish
