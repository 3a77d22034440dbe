#!/bin/sh
# Much happens at once, as when a zone loses its power: pods of others, created all the
# while, are bound, and the event loop goes on turning.
#
#	make bench-storms
#
# has it at full size; NODES, SIZE (of a storm: pods, claims), PAUSE (seconds, of those
# that would not end) and RATE (others' pods a second) make it larger or smaller, STORMS
# names those to have.  WHO is predicated, kube-scheduler, or raw: a client that binds at
# once what its watch shows, for "none"; FLAGS are for the scheduler.
. "$SRCDIR/t/lib/tap.sh"
. "$SRCDIR/t/lib/apiserver.sh"
. "$SRCDIR/t/daemon/e2e.sh"

nodes=${NODES:-100}
size=${SIZE:-200}
rate=${RATE:-10}
pause=${PAUSE:-4}
WHO=${WHO:-predicated}
storms=${STORMS:-"none zone unschedulable namespaces claims budget preemption expired"}
policy=
others_class=
others=
attack=
attack_pid=

trap 'stop_process "$others"; stop_process "$attack_pid"; stop_everything
    rm -rf "$tmp"' EXIT

# lines PHASE PATH NAME [OBJECT]: so many objects, as make_cluster reads them; "%d" is
# the number of each.
lines() {
	awk -v n="$size" -v phase="$1" -v path="$2" -v name="$3" -v object="${4:-{\}}" '
	    BEGIN {
		for (i = 0; i < n; i++) {
			line = phase "\t" path "\t/" name "\t" object
			gsub(/%d/, i, line)
			print line
		}
	    }'
}

pod() {
	echo '{"kind":"Pod","apiVersion":"v1","metadata":{"name":"'"$1"'-%d"},"spec":{
	    "terminationGracePeriodSeconds":0,'"$3"'"containers":[{"name":"c","image":
	    "i","resources":{"requests":{"cpu":"'"$2"'"}}}]}}' | tr -d '\n\t '
}

# objects PHASE [FLAG…]
objects() {
	KUBECONFIG=$admin "$tools/make_cluster" --objects "$tmp/objects" --phase "$@"
}

# The upper bound of the longest turns that the loop has had so far, by the counts of
# the metrics before and after, in seconds.
late() {
	[ "$WHO" != predicated ] || metrics | sed -n 's/^predicated_event_loop_lag_seconds_bucket{le="\([^"]*\)"} /\1 /p'
}

start_who() {
	# shellcheck disable=SC2086 # to be split
	start_scheduler "$WHO" "$tmp/scheduler.log" --v=0 ${FLAGS:-}
	wait_scheduler 60
}

# Each storm is a function; prepare_NAME, if there is one, creates what it needs before
# it starts.
none() {
	sleep "$pause"
}

# A third of the nodes go, with as many pods as their controllers make again.
prepare_zone() {
	{
		lines before /api/v1/namespaces/$space/pods old-%d "$(
			pod old 1m '"nodeSelector":{"zone":"zone-1"},')"
		lines again /api/v1/namespaces/$space/pods new-%d "$(pod new 1m)"
	} >"$tmp/objects"
	objects before
	wait_until 300 all_bound
}
all_bound() {
	[ "$(k -n "$space" get pods --field-selector spec.nodeName= -o name |
	    wc -l)" -eq 0 ]
}
zone() {
	k delete nodes -l zone=zone-1 --wait=false
	objects before --delete
	objects again
	wait_until 600 all_bound
}

prepare_unschedulable() {
	attack=flood
	start_attack flood "$size"
}
unschedulable() {
	sleep "$pause"
}

prepare_namespaces() {
	attack=labels
	start_attack labels
	for i in $(seq 100); do
		echo "{\"kind\":\"Namespace\",\"apiVersion\":\"v1\",
		    \"metadata\":{\"name\":\"team-$i\"}}"
	done | k create -f -
}
namespaces() {
	for i in 1 2 3 4 5; do
		k label namespaces --all --overwrite "storm=$i"
	done
}

# Pods wait for claims, which come with their volumes.
prepare_claims() {
	{
		lines pods /api/v1/namespaces/$space/pods user-%d "$(
			pod user 1m '"volumes":[{"name":"v","persistentVolumeClaim":{
			    "claimName":"claim-%d"}}],')"
		lines volumes /api/v1/persistentvolumes volume-%d '{"kind":"PersistentVolume","apiVersion":"v1","metadata":{"name":"volume-%d"},"spec":{"capacity":{"storage":"1Gi"},"accessModes":["ReadWriteOnce"],"storageClassName":"","claimRef":{"namespace":"'"$space"'","name":"claim-%d"},"hostPath":{"path":"/"}}}'
		lines claims /api/v1/namespaces/$space/persistentvolumeclaims claim-%d '{"kind":"PersistentVolumeClaim","apiVersion":"v1","metadata":{"name":"claim-%d","annotations":{"pv.kubernetes.io/bind-completed":"yes"}},"spec":{"accessModes":["ReadWriteOnce"],"storageClassName":"","volumeName":"volume-%d","resources":{"requests":{"storage":"1Gi"}}}}'
	} >"$tmp/objects"
	objects pods
	objects volumes
}
claims() {
	objects claims
	wait_until 600 all_bound
}

prepare_budget() {
	attack=budget
	start_attack budget
}
budget() {
	sleep "$pause"
}

# Each of the pods has to preempt one.  The other pods have a higher priority: with a
# lower one they would wait for all of these under any scheduler.
prepare_preemption() {
	others_class=urgent
	k create -f - <<-END
	apiVersion: scheduling.k8s.io/v1
	kind: PriorityClass
	metadata: {name: storm}
	value: 1000
	---
	apiVersion: scheduling.k8s.io/v1
	kind: PriorityClass
	metadata: {name: urgent}
	value: 2000
	END
	each=$(k get nodes -o json | jq --argjson n "$size" '[.items[] |
	    .status.allocatable.cpu | tonumber] | add * 600 / $n | floor')
	{
		lines low /api/v1/namespaces/$space/pods low-%d "$(pod low "${each}m")"
		lines high /api/v1/namespaces/$space/pods high-%d "$(
			pod high "${each}m" '"priorityClassName":"storm",')"
	} >"$tmp/objects"
	objects low
	wait_until 300 all_bound
}
preemption() {
	objects high
	wait_until 600 all_bound
}

# The watch on pods ends with 410 each second, so that all are listed again.
prepare_expired() {
	stop_process "$scheduler_pid" TERM
	start_tls_proxy "$(scheduler_user "$WHO")"
	start_who
}
expired() {
	for i in $(seq "$pause"); do
		proxy gone /api/v1/pods || return
		sleep 1
	done
	sleep 2 # for the last list
	lists=$(grep -c '^gone ' "$tmp/proxy.log")
	echo "pods were listed $lists times"
	[ "$lists" -ge $((pause / 2)) ]
}

# measure STORM: a line of the table.
measure() {
	space=storm-$1
	k create namespace "$space" >/dev/null
	if command -v "prepare_$1" >/dev/null; then
		"prepare_$1" >"$tmp/prepare.log" 2>&1 ||
		    echo "# $1 is not prepared: $(tail -n 3 "$tmp/prepare.log")"
	fi
	sleep 2
	late >"$tmp/before"
	cpu=$(cpu_seconds "$scheduler_pid")
	(KUBECONFIG=$admin with_us "$tools/latency" --namespace others \
	    --prefix "$1" --rate "$rate" --pods 100000 --timeout 2000 \
	    --priority-class "$others_class") \
	    >"$tmp/latency" 2>&1 &
	others=$!
	begun=$(date +%s.%N)
	"$1" >"$tmp/storm.log" 2>&1
	ended=$?
	seconds=$(echo "$(date +%s.%N) $begun" | awk '{ print $1 - $2 }')
	kill -TERM "$others"
	wait "$others"
	others=
	late >"$tmp/after"
	stop_process "$attack_pid" TERM
	attack_pid=
	paste -d ' ' "$tmp/before" "$tmp/after" | awk -v name="$1" \
	    -v seconds="$seconds" -v cpu="$cpu" \
	    -v now="$(cpu_seconds "$scheduler_pid")" -v line="$(cat "$tmp/latency")" '
		$4 - $2 > had { had = $4 - $2; late = $1 }
		END {
			n = split(line, w, " ")
			for (i = 1; i < n; i += 2)
				of[w[i]] = w[i + 1]
			printf "# | %s | %.0f s | %.0f %% | %s ms | %s ms | " \
			    "%s ms | %g ms |\n", name, seconds,
			    100 * (now - cpu) / seconds, of["median"], of["p99"],
			    of["created-p99"], 1000 * late
		}'
	is "$1: it is over" "$ended" 0
	is "$1: others' pods are bound" "$(
		awk '{ print ($2 > 0 && $2 - $4 <= 5) }' "$tmp/latency")" 1
	wait_until 300 emptied "$space"
	[ -z "$attack" ] || wait_until 300 emptied "attack-$attack"
	attack=
	others_class=
}

start_apiserver
make_cluster --etcd "http://127.0.0.1:$etcd_port" --nodes "$nodes" --services 20 \
    --apps 300 --pods $((nodes * 10)) --onto "$nodes" --prefix old
k create namespace others >/dev/null
case $WHO in
raw)
	credentials=$(scheduler_user predicated)
	(KUBECONFIG=$credentials with_us "$BUILDDIR/t/bench_api" \
	    --nodes "$nodes" --follow) >"$tmp/scheduler.log" 2>&1 &
	scheduler_pid=$!
	scheduler_pids=$scheduler_pid
	;;
*)
	start_who
	;;
esac
KUBECONFIG=$admin "$tools/latency" --namespace others --prefix warm --pods 20 \
    --timeout 120 >/dev/null || bail_out "$WHO binds nothing"
echo "# | storm | it took | CPU | p50 | p99 | p99 of a creation | longest wait of the loop |"
for storm in $storms; do
	measure "$storm"
done
is "it runs" "$(running "$scheduler_pid" && echo yes)" yes
finish
