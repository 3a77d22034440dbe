#!/bin/sh
# Coordinated leader election: the control plane of a real kube-apiserver elects
# among candidates of ours (leader.c) and kube-scheduler.
. "$SRCDIR/t/lib/tap.sh"
. "$SRCDIR/t/lib/apiserver.sh"

# The control plane pings candidates and waits five seconds for them, also before it
# replaces one that ended; it looks at a lease every five seconds.
patience=45

# candidate IDENTITY LOCK VERSION: its pid is in $pid, its output in $tmp/IDENTITY.
candidate() {
	(KUBECONFIG=$admin with_us "$BUILDDIR/t/leader/leader" leases "$2" "$1" \
	    4000 3000 1000 "$3") >"$tmp/$1" 2>>"$tmp/$1.log" &
	pid=$!
}

# says IDENTITY TEXT: whether that is the last that it said.
says() {
	[ "$(tail -n 1 "$tmp/$1")" = "$2" ]
}

# awaits NAME IDENTITY TEXT
awaits() {
	if wait_until "$patience" says "$2" "$3"; then
		pass "$1"
	else
		fail "$1" "got:  $(cat "$tmp/$2")
want: $3
$(tail -n 5 "$tmp/$2.log")
$(k get leases,leasecandidates -n kube-system -o yaml | tail -n 60)"
	fi
}

# lease LOCK FIELD
lease() {
	k get lease "$1" -n kube-system -o "jsonpath={.spec.$2}" 2>/dev/null
}

start_apiserver

candidate ordinary lock 1.36.0
awaits "without LeaseCandidates an election is an ordinary one" ordinary started
has "and the log says so" "$(cat "$tmp/ordinary.log")" \
    "the API server serves no leasecandidates: leader election is not coordinated"
stop_process "$pid" TERM

if [ "$kubernetes_minor" -lt 32 ]; then
	for name in "the oldest version leads" "with kube-scheduler"; do
		skip "$name" "1.$kubernetes_minor has no LeaseCandidates; 1.32 has"
	done
	finish
	exit
fi

version=v1beta1
[ "$kubernetes_minor" -gt 32 ] || version=v1alpha2
stop_kube_apiserver
start_kube_apiserver --feature-gates=CoordinatedLeaderElection=true \
    --runtime-config="coordination.k8s.io/$version=true"
wait_apiserver || bail_out "kube-apiserver does not come back"

# ---- the oldest version leads ----

# candidate_field IDENTITY FIELD
candidate_field() {
	k get leasecandidate "$1" -n kube-system -o "jsonpath={.spec.$2}" \
	    2>/dev/null
}

candidate newer elected 1.36.0
newer=$pid
awaits "the only candidate is elected" newer started
is "by the control plane" "$(lease elected strategy)" OldestEmulationVersion
is "the lease is as long as ours" "$(lease elected leaseDurationSeconds)" 4
is "the candidate names the lock" "$(candidate_field newer leaseName)" elected
is "and its versions" \
    "$(candidate_field newer binaryVersion) $(candidate_field newer emulationVersion)" \
    "1.36.0 1.36.0"
candidate older elected 1.35.0
older=$pid
awaits "an older one is elected when it stands" older started
is "the other one stopped before" "$(cat "$tmp/newer")" "started
stopped"
has "as another is preferred" "$(cat "$tmp/newer.log")" \
    "another instance is preferred"
is "the control plane asked all" \
    "$([ -n "$(candidate_field newer pingTime)" ] && echo yes)" yes

k delete leasecandidate older -n kube-system >/dev/null
is_back() {
	[ "$(candidate_field older leaseName)" = elected ]
}
wait_until 10 is_back
is "a candidate that was deleted is made again" "$(candidate_field older leaseName)" \
    elected

kill -TERM "$older"
awaits "when it ends, it gives the lock up" older released
awaits "and the other one is elected" newer started
candidate third elected 1.36.0
third=$pid
stop_process "$newer" KILL
awaits "when the leader is killed, the next is elected" third started
stop_process "$third" TERM

# ---- with kube-scheduler ----

(with_us "$kube_scheduler" --kubeconfig "$admin" --secure-port 0 \
    --feature-gates=CoordinatedLeaderElection=true \
    --leader-elect-lease-duration 4s --leader-elect-renew-deadline 3s \
    --leader-elect-retry-period 1s) >"$tmp/kube-scheduler.log" 2>&1 &
kube=$!
# kube-scheduler's identity is HOSTNAME_UUID.
held_by_kube() {
	case $(lease kube-scheduler holderIdentity) in
	"$(hostname)"_*) ;;
	*) return 1 ;;
	esac
}
wait_until "$patience" held_by_kube
is "kube-scheduler is elected" "$?" 0
candidate ours kube-scheduler 1.20.0
awaits "ours is of an older version, and leads after kube-scheduler" ours started
stop_process "$kube" KILL
(with_us "$kube_scheduler" --kubeconfig "$admin" --secure-port 0 \
    --feature-gates=CoordinatedLeaderElection=true \
    --leader-elect-lease-duration 4s --leader-elect-renew-deadline 3s \
    --leader-elect-retry-period 1s) >>"$tmp/kube-scheduler.log" 2>&1 &
kube=$!
sleep 6
is "it stays the leader" "$(lease kube-scheduler holderIdentity)" ours
kill -TERM "$pid"
wait_until "$patience" held_by_kube
is "kube-scheduler is elected after us" "$?" 0
stop_process "$kube"

finish
