#!/bin/sh
# The unit's start command as systemd starts it, but for systemd: as nobody, with
# the kubeconfig handed over as a credential, a notify socket, a watchdog, and a
# standard error that is the journal.  t/daemon/systemd.t has a whole systemd.
. "$SRCDIR/t/lib/tap.sh"
. "$SRCDIR/t/lib/apiserver.sh"
. "$SRCDIR/t/daemon/e2e.sh"

unit=$BUILDDIR/etc/predicated.service
heard=$tmp/heard

# heard_is TEXT: among what came.
heard_is() {
	grep -qx "$1" "$heard"
}

awaits() {
	if wait_until "$2" heard_is "$3"; then
		pass "$1"
	else
		fail "$1" "$(cat "$heard" "$tmp/log")"
	fi
}

start_apiserver
make_cluster --nodes 10
chmod 755 "$tmp"
mkdir "$tmp/credentials" "$tmp/bin" "$tmp/run"
k config view --raw --flatten --kubeconfig \
    "$(kubeconfig_for system:kube-scheduler)" >"$tmp/credentials/kubeconfig"
cp "$BUILDDIR/predicated" "$tmp/bin/"
cat >"$tmp/predicated.conf" <<'CONF'
log: { verbosity = 2; };
CONF
drop=
if [ "$(id -u)" -eq 0 ]; then
	drop='--reuid 65534 --regid 65534 --clear-groups'
	chown -R 65534:65534 "$tmp/credentials"
fi
chmod 500 "$tmp/credentials"
"$tools/hear_notify" "$tmp/run/notify" >"$heard" 2>&1 &
helper=$!
scheduler_pids=$helper
wait_until 10 test -S "$tmp/run/notify"
chmod 777 "$tmp/run/notify"

# The command, as systemd would read it.
command=$(sed -e ':a' -e '/\\$/N; s/\\\n//; ta' "$unit" |
    sed -n "s|^ExecStart=[^ ]*||p" | sed "s|%d|$tmp/credentials|g")
: >"$tmp/log"
scheduler_port=$(free_port)
# shellcheck disable=SC2086 # to be split
(
	NOTIFY_SOCKET=$tmp/run/notify
	WATCHDOG_USEC=1000000
	JOURNAL_STREAM=$(stat -c %d:%i "$tmp/log")
	export NOTIFY_SOCKET WATCHDOG_USEC JOURNAL_STREAM
	with_us setpriv $drop --no-new-privs --inh-caps=-all \
	    --bounding-set=-all "$tmp/bin/predicated" $command \
	    --config-file="$tmp/predicated.conf" --secure-port="$scheduler_port"
) 2>>"$tmp/log" &
pid=$!
scheduler_pids="$helper $pid"

awaits "STATUS says what it waits for" 20 'STATUS=filling caches'
awaits "READY=1 when the caches are synced" 20 'READY=1'
is "not as root" "$(awk '/^Uid/ { print ($2 > 0 && $3 > 0) }' \
    "/proc/$pid/status")" 1
is "without capabilities" "$(awk '/^Cap(Eff|Prm|Bnd)/ { print $2 }' \
    "/proc/$pid/status" | sort -u)" 0000000000000000
awaits "STATUS says that it leads" 20 'STATUS=leading'
awaits "WATCHDOG=1" 5 'WATCHDOG=1'
fed_often() {
	[ "$(grep -c '^WATCHDOG=1$' "$heard")" -ge 4 ]
}
wait_until 5 fed_often
is "again and again" $? 0
k run plain --image=i >/dev/null
bound() {
	[ -n "$(k get pod plain -o jsonpath='{.spec.nodeName}')" ]
}
wait_until 20 bound
is "and it schedules" $? 0

echo 'log: { verbosity = 3; };' >"$tmp/predicated.conf"
kill -HUP "$pid"
awaits "RELOADING=1 on SIGHUP, with the time" 10 \
    'RELOADING=1 | MONOTONIC_USEC=[0-9]*'
usec=$(sed -n 's/.*MONOTONIC_USEC=//p' "$heard")
now=$(awk '{ printf "%.0f", $1 * 1000000 }' /proc/uptime)
is "of this machine's clock" \
    "$([ "$usec" -le "$((now + 1000000))" ] &&
	[ "$usec" -gt "$((now - 60000000))" ] && echo yes)" yes
readies() {
	[ "$(grep -c '^READY=1$' "$heard")" -eq 2 ]
}
wait_until 10 readies
is "then READY=1 again" $? 0
has "it has read its configuration" "$(cat "$tmp/log")" "changed: -v"

# Silent when it hangs: systemd would end it.
kill -STOP "$pid"
sleep 1
silent=$(wc -l <"$heard")
sleep 2
is "no WATCHDOG=1 from one that is stuck" "$(wc -l <"$heard")" "$silent"
kill -CONT "$pid"

kill -TERM "$pid"
wait "$pid"
is "SIGTERM ends it well" $? 0
awaits "STOPPING=1" 5 'STOPPING=1'
is "every line of the log has its priority" \
    "$(grep -cv '^<[346]>[a-z_]*\.c:[0-9]*\] ' "$tmp/log")" 0
grep -v '^<[346]>' "$tmp/log" | sed 's/^/# /'

# What it says before there is a log has one, too.
JOURNAL_STREAM=$(stat -c %d:%i "$tmp/log") "$tmp/bin/predicated" \
    --no-such-flag 2>>"$tmp/log"
has "and what keeps it from starting is an error" \
    "$(tail -n 1 "$tmp/log")" "<3>--no-such-flag: error: "
finish
