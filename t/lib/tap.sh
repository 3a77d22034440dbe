# Sourced by shell tests: TAP on standard output.
#
#	. "$SRCDIR/t/lib/tap.sh"
#	is "name" "$got" "$want"
#	finish
#
# SRCDIR and BUILDDIR come from make; alone, a test takes the current folder.

SRCDIR=${SRCDIR:-$PWD}
BUILDDIR=${BUILDDIR:-$PWD}
tests=0
failures=0
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

pass() {
	tests=$((tests + 1))
	echo "ok $tests - $1"
}

# fail NAME [TEXT]: the text is shown as diagnostics.
fail() {
	tests=$((tests + 1))
	failures=$((failures + 1))
	echo "not ok $tests - $1"
	printf '%s\n' "${2-}" | sed 's/^/# /'
}

# skip NAME REASON: for what this machine cannot have; counted as skipped.
skip() {
	tests=$((tests + 1))
	echo "ok $tests - $1 # SKIP $2"
}

# skip_all REASON: ends the test before its first result.
skip_all() {
	echo "1..0 # SKIP $1"
	exit 0
}

bail_out() {
	echo "Bail out! $*"
	exit 99
}

# sanitized: whether this build has sanitizers, which make everything slower
sanitized() {
	grep -q '^SANITIZE = -f' "$BUILDDIR/Makefile"
}

# can_mount [UNSHARE ARGUMENTS]: whether there are mount namespaces to be had.  In
# a container or a chroot there may be none.
no_mounts="no mount namespace can be made here"
can_mount() {
	unshare --mount "$@" mount -t tmpfs tmpfs /tmp 2>/dev/null
}

# is NAME GOT WANT
is() {
	if [ "$2" = "$3" ]; then
		pass "$1"
	else
		fail "$1" "got:  $2
want: $3"
	fi
}

# has NAME GOT PART
has() {
	case $2 in
	*"$3"*) pass "$1" ;;
	*) fail "$1" "got:            $2
should contain: $3" ;;
	esac
}

# lacks NAME GOT PART
lacks() {
	case $2 in
	*"$3"*) fail "$1" "got:                $2
should not contain: $3" ;;
	*) pass "$1" ;;
	esac
}

# Runs a program that ends with this shell, even when that is killed.
with_us() {
	if command -v setpriv >/dev/null; then
		exec setpriv --pdeathsig KILL "$@"
	fi
	exec "$@"
}

finish() {
	echo "1..$tests"
	[ "$failures" -eq 0 ]
	exit
}

# wait_until SECONDS COMMAND…: tries ten times a second; fails after
# three times that time, which leaves room for a busy machine.
wait_until() {
	tries=$(($1 * 30))
	shift
	until "$@" >/dev/null 2>&1; do
		tries=$((tries - 1))
		[ "$tries" -gt 0 ] || return 1
		sleep 0.1
	done
}

# sample_kubeconfig FILE: names an API server at a port of this machine.
sample_kubeconfig() {
	cat >"$1" <<'END'
apiVersion: v1
kind: Config
current-context: a
contexts: [{name: a, context: {cluster: a, user: a}}]
clusters: [{name: a, cluster: {server: "https://127.0.0.1:6443"}}]
users: [{name: a, user: {token: t}}]
END
}
