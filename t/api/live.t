#!/bin/sh
# src/wire/api against a real kube-apiserver: see live.c, which prints the TAP and
# from time to time asks for the server to be restarted.
. "$SRCDIR/t/lib/tap.sh"
. "$SRCDIR/t/lib/apiserver.sh"

start_apiserver
mkfifo "$tmp/ask" "$tmp/answer"
export LIVE_MINOR="$kubernetes_minor"
(KUBECONFIG=$admin with_us "$BUILDDIR/t/api/live") \
    3>"$tmp/ask" 4<"$tmp/answer" &
live=$!
exec 5<"$tmp/ask" 6>"$tmp/answer"
while read -r _ flags <&5; do
	stop_kube_apiserver
	# shellcheck disable=SC2086
	start_kube_apiserver $flags
	wait_apiserver || bail_out "kube-apiserver does not come back"
	echo >&6
done
wait "$live"
