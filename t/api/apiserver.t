#!/bin/sh
# However a test against an API server ends, and whichever signal ends it, etcd and
# kube-apiserver end with it and nothing of theirs remains.
. "$SRCDIR/t/lib/tap.sh"

bail_out() {
	echo "Bail out! $*"
	exit 99
}

# ---- the programs of another release ----

PATH=$PATH:$("$SRCDIR/script/apiserver" --tools)
mkdir "$tmp/release"
built=$("$SRCDIR/script/apiserver") || exit 99
ln -s "$built/kube-apiserver" "$built/kube-scheduler" "$tmp/release"
out=$(PREDICATED_KUBERNETES=$tmp/release "$SRCDIR/script/apiserver" 2>&1)
is "PREDICATED_KUBERNETES: a program is missing" "$?:$out" \
    "1:PREDICATED_KUBERNETES: there is no program $tmp/release/etcd"
cat >"$tmp/release/etcd" <<END
#!/bin/sh
echo "\$*" >"$tmp/etcd.flags"
exec $(command -v etcd) "\$@"
END
chmod +x "$tmp/release/etcd"
out=$(PREDICATED_KUBERNETES=$tmp/release "$SRCDIR/script/apiserver" kubemark 2>&1)
is "PREDICATED_KUBERNETES: a program that was asked for is missing" "$?:$out" \
    "1:PREDICATED_KUBERNETES: there is no program $tmp/release/kubemark"
is "PREDICATED_KUBERNETES: that folder" \
    "$(PREDICATED_KUBERNETES=$tmp/release "$SRCDIR/script/apiserver" --path)" \
    "$tmp/release"
out=$(PREDICATED_KUBERNETES=$tmp/release sh -c '
	. "$SRCDIR/t/lib/tap.sh"
	. "$SRCDIR/t/lib/apiserver.sh"
	start_apiserver
	echo "minor $kubernetes_minor"
	"$kube_apiserver" --version' 2>&1)
has "PREDICATED_KUBERNETES: its server runs" "$out" "minor "
is "PREDICATED_KUBERNETES: so its etcd does" \
    "$(grep -c data-dir "$tmp/etcd.flags")" 1

cat >"$tmp/inner.t" <<'END'
. "$SRCDIR/t/lib/tap.sh"
. "$SRCDIR/t/lib/apiserver.sh"
start_apiserver
echo "$tmp $etcd_pid $kube_apiserver_pid" >"$1.made"
mv "$1.made" "$1"
$2
END
limited="setpriv --pdeathsig TERM timeout"

started() {
	[ -s "$tmp/began" ] || ! kill -0 "$inner"
}

gone() {
	! kill -0 "$etcd" && ! kill -0 "$server"
}

wait_until() {
	tries=$(($1 * 10))
	shift
	until "$@" 2>/dev/null; do
		tries=$((tries - 1))
		[ "$tries" -gt 0 ] || return 1
		sleep 0.1
	done
}

# begin WHAT [GRACE]: a test that starts an API server and then does that, the way
# `make check-api` runs it; $inner is who runs it.  If it does not end when it is
# told to, it is killed after so many seconds.  On a machine with other work a
# server may take a minute to start, and its files as long to go.
begin() {
	rm -f "$tmp/began"
	(
		# shellcheck disable=SC2086 # to be split
		$limited -k "${2:-60}" 200 sh "$tmp/inner.t" "$tmp/began" "$1"
		exit
	) >"$tmp/inner.log" 2>&1 &
	inner=$!
	wait_until 190 started
	[ -s "$tmp/began" ] || {
		sed 's/^/# /' "$tmp/inner.log"
		bail_out "no API server"
	}
	read -r folder etcd server <"$tmp/began"
}

# expire: its time is over.  To timeout, SIGALRM is the end of the time.
expire() {
	kill -ALRM "$(cut -d ' ' -f 1 "/proc/$inner/task/$inner/children")"
}

# Files go after the servers.
has_no_files() {
	wait_until 60 test ! -e "$folder"
	is "nor a file" "$(ls -d "$folder" 2>/dev/null)" ""
}

# ends NAME
ends() {
	wait_until 60 gone
	is "$1: no server is left" $? 0
}

begin finish
wait "$inner"
ends "a test that passes"
has_no_files

begin 'bail_out no'
wait "$inner"
is "one that gives up is an error" $? 99
ends "one that gives up"

begin 'sleep 1000'
expire
wait "$inner"
is "one that takes too long is an error" $? 124
ends "one that takes too long"
has_no_files

begin 'sleep 1000'
kill -KILL "$inner" 2>/dev/null
ends "one whose make is killed"
has_no_files

begin 'trap "" TERM; sleep 1000 & while :; do wait; done' 5
kill -KILL "$inner" 2>/dev/null
wait_until 60 gone
is "even one that does not want to end" $? 0
rm -rf "$folder"
finish
