#!/bin/sh
# Leadership passes between candidates of ours (leader.c) and kube-scheduler,
# over locks on a real kube-apiserver.
. "$SRCDIR/t/lib/tap.sh"
. "$SRCDIR/t/lib/apiserver.sh"

lease=4
deadline=3
retry=1
# kube-scheduler sees the last renewal up to 2.2 retries late, waits a lease,
# and tries again up to 2.2 retries later; we are faster.
patience=$((lease + 6))

# candidate IDENTITY LOCK NAME: its pid is in $pid, what it says in $tmp/IDENTITY.
candidate() {
	(KUBECONFIG=$admin with_us "$BUILDDIR/t/leader/leader" "$2" "$3" "$1" \
	    "${lease}000" "${deadline}000" "${retry}000") \
	    >"$tmp/$1" 2>>"$tmp/$1.log" &
	pid=$!
}

# kube_candidate LOCK NAME: its pid is in $pid.
kube_candidate() {
	without_http=
	[ "$kubernetes_minor" -ge 24 ] || without_http='--port 0'
	# shellcheck disable=SC2086 # to be split
	(with_us "$kube_scheduler" --kubeconfig "$admin" \
	    $without_http --secure-port 0 \
	    --leader-elect-resource-lock "$1" \
	    --leader-elect-resource-name "$2" \
	    --leader-elect-lease-duration "${lease}s" \
	    --leader-elect-renew-deadline "${deadline}s" \
	    --leader-elect-retry-period "${retry}s") \
	    >"$tmp/kube-scheduler.log" 2>&1 &
	pid=$!
}

# says IDENTITY TEXT: whether that is the last that it said.
says() {
	[ "$(tail -n 1 "$tmp/$1")" = "$2" ]
}

# awaits NAME IDENTITY TEXT [SECONDS]
awaits() {
	if wait_until "${4:-$patience}" says "$2" "$3"; then
		pass "$1"
	else
		fail "$1" "got:  $(cat "$tmp/$2")
want: $3
$(tail -n 5 "$tmp/$2.log")"
	fi
}

# holder KIND NAME: who holds the lock.
holder() {
	case $1 in
	leases)
		k get lease "$2" -n kube-system -o 'jsonpath={.spec.holderIdentity}'
		;;
	*)
		k get "$1" "$2" -n kube-system -o json | sed -n \
		    's/.*control-plane.alpha.kubernetes.io\/leader.*holderIdentity\\":\\"\([^\\]*\)\\".*/\1/p'
		;;
	esac
}

# held_by_kube KIND NAME: kube-scheduler's identity is "HOSTNAME_UUID".
held_by_kube() {
	case $(holder "$1" "$2") in
	"$(hostname)"_*) ;;
	*) return 1 ;;
	esac
}

# kube_awaits NAME KIND NAME
kube_awaits() {
	if wait_until "$patience" held_by_kube "$2" "$3"; then
		pass "$1"
	else
		fail "$1" "holder: $(holder "$2" "$3")
$(tail -n 5 "$tmp/kube-scheduler.log")"
	fi
}

start_apiserver

# Two of ours.
candidate a leases lock
a=$pid
awaits "the first leads" a started
is "its name is in the lock" "$(holder leases lock)" a
is "with the lease's length" \
    "$(k get lease lock -n kube-system -o 'jsonpath={.spec.leaseDurationSeconds}')" \
    "$lease"
candidate b leases lock
b=$pid
sleep $((lease + 1))
is "the second stands by" "$(cat "$tmp/b")" ""
stop_process "$a" KILL
awaits "when the first is killed, the second leads" b started
is "the lock changed hands" \
    "$(k get lease lock -n kube-system -o 'jsonpath={.spec.leaseTransitions}')" 1

# A clean end.
candidate c leases lock
c=$pid
sleep 1
kill -TERM "$b"
awaits "when it ends, it gives the lock up" b released
awaits "and the next needs no patience" c started $lease
wait "$b"
is "it ends well" "$?" 0
is "it stopped before" "$(tr '\n' ' ' <"$tmp/b")" "started stopped released "

# A process that does not get the processor.
candidate d leases lock
d=$pid
kill -STOP "$c"
awaits "when the leader sleeps, the next takes over" d started
kill -USR1 "$c"
kill -CONT "$c"
wait_until "$patience" grep -q stopped "$tmp/c"
# It may stop before it is asked.
sleeper=$(grep -vx "may not bind" "$tmp/c" | sort | tr '\n' ' ')
is "the sleeper awakes, stops, and at no time may bind" "$sleeper" \
    "started stopped "
kill -USR1 "$d"
awaits "the new leader may bind" d "may bind"

# Without an API server no instance leads; then one of them does, without a restart.
stop_kube_apiserver
awaits "without an API server the leader stops" d stopped
start_kube_apiserver
wait_apiserver || bail_out "kube-apiserver does not come back"
leads_again() {
	says c started || says d started
}
if wait_until "$patience" leads_again; then
	pass "and with it there is a leader again"
else
	fail "and with it there is a leader again" "$(tail -n 3 "$tmp"/[cd])"
fi
stop_process "$c" TERM
stop_process "$d" TERM

events=$(k get events -n kube-system \
    --field-selector involvedObject.name=lock \
    -o 'jsonpath={range .items[*]}{.type} {.reason} {.involvedObject.kind} {.source.component} {.message}{"\n"}{end}')
has "an event says who leads" "$events" \
    "Normal LeaderElection Lease default-scheduler a became leader"
has "and who does not any more" "$events" \
    "Normal LeaderElection Lease default-scheduler b stopped leading"

# Us and kube-scheduler, with each lock that both have.
locks='leases endpoints configmaps endpointsleases configmapsleases'
[ "$kubernetes_minor" -lt 24 ] || locks='leases endpointsleases configmapsleases'
[ "$kubernetes_minor" -lt 27 ] || locks=leases
for lock in $locks; do
	name=$lock-lock
	case $lock in
	*?leases) first=${lock%leases} second=leases ;;
	*) first=$lock second= ;;
	esac
	candidate "$lock-1" "$lock" "$name"
	ours=$pid
	awaits "$lock: we lead" "$lock-1" started
	kube_candidate "$lock" "$name"
	kube=$pid
	sleep "$lease"
	is "$lock: kube-scheduler stands by" "$(holder "$first" "$name")" \
	    "$lock-1"
	[ -z "$second" ] ||
	    is "$lock: both objects have our name" \
		"$(holder "$second" "$name")" "$lock-1"
	kill -TERM "$ours"
	kube_awaits "$lock: kube-scheduler leads after us" "$first" "$name"
	candidate "$lock-2" "$lock" "$name"
	ours=$pid
	sleep "$lease"
	is "$lock: we stand by" "$(cat "$tmp/$lock-2")" ""
	stop_process "$kube" KILL
	awaits "$lock: we lead after kube-scheduler" "$lock-2" started
	[ -z "$second" ] ||
	    is "$lock: both objects have our name again" \
		"$(holder "$second" "$name")" "$lock-2"
	stop_process "$ours" KILL
done

# A lock that we may not write: the log has the command that allows it, and with it we
# lead, without a restart.
stranger=$(kubeconfig_for system:serviceaccount:kube-system:stranger)
for lock in leases configmaps; do
	own=$admin
	admin=$stranger
	candidate "stranger-$lock" "$lock" "barred-$lock"
	admin=$own
	barred=$pid
	told() {
		grep -q 'cannot read or write the leader lock.*is forbidden' \
		    "$tmp/stranger-$lock.log"
	}
	wait_until "$patience" told
	command=$(sed -n 's/.*lead until this is allowed: //p' \
	    "$tmp/stranger-$lock.log" | head -n 1)
	has "$lock: the log names the command" "$command" \
	    "--user=system:serviceaccount:kube-system:stranger"
	(
		KUBECONFIG=$admin
		export KUBECONFIG
		eval "$command"
	) >/dev/null 2>&1
	is "$lock: which kubectl takes" "$?" 0
	awaits "$lock: and then it leads" "stranger-$lock" started
	stop_process "$barred" KILL
	k -n kube-system delete role,rolebinding leader-lock >/dev/null 2>&1
done

finish
