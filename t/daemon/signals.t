#!/bin/sh
# A signal that does not ask the daemon to stop does not end it.
. "$SRCDIR/t/lib/tap.sh"

sample_kubeconfig "$tmp/kubeconfig"
# No port, no lease, and no API server.
"$BUILDDIR/predicated" --kubeconfig "$tmp/kubeconfig" --leader-elect=false \
    --secure-port 0 --port 0 -v 2 2>"$tmp/log" &
daemon=$!
until [ -s "$tmp/log" ]; do
	kill -0 "$daemon" || break
	sleep 0.1
done

ended=
for name in HUP USR1 USR2 PIPE ALRM VTALRM PROF IO PWR XCPU XFSZ WINCH CHLD URG \
    CONT RTMIN RTMAX; do
	kill -s "$name" "$daemon" || ended="$ended $name"
done
# Handled one after the other; the dump of SIGUSR2 is the last.
for _ in 1 2 3 4 5 6 7 8 9 10; do
	kill -s USR1 "$daemon" || ended="$ended USR1"
	sleep 0.1
done
is "none of these ends it" "$ended" ""
kill -s TERM "$daemon"
wait "$daemon"
is "SIGTERM does, in order" $? 0
has "and says so" "$(cat "$tmp/log")" "received a stop signal"
finish
