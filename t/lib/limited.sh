#!/bin/sh
# limited.sh TIME COMMAND…: runs it as a process group of its own, all of which
# ends when it takes too long, when we are told to end (^C comes to us alone), and
# when we are killed.
limit=$1
shift
setpriv --pdeathsig TERM timeout -v -k 60 "$limit" "$@" &
group=$!
trap 'kill -TERM "$group"' HUP INT TERM
wait "$group"
status=$?
# A signal ends the waiting, too.
while kill -0 "$group" 2>/dev/null; do
	wait "$group"
	status=$?
done
exit "$status"
