# Sourced by the tests of predicatectl.
. "$SRCDIR/t/lib/tap.sh"

examples=$SRCDIR/etc/examples
data=$SRCDIR/t/data/ctl
# Tables must not depend on who runs the tests.
unset COLUMNS
NO_COLOR=1
export NO_COLOR
# Nor may there be a live cluster.
unset KUBECONFIG KUBERNETES_SERVICE_HOST
HOME=$tmp
export HOME

# ctl ARG…: runs predicatectl; $out, $err and $code are what came of it.
ctl() {
	out=$("$BUILDDIR/predicatectl" "$@" 2>"$tmp/err")
	code=$?
	err=$(cat "$tmp/err")
}

# A node and a pod to begin with; what follows replaces the pod's spec.
one_node='{"kind":"Node","metadata":{"name":"n1"},"status":{"allocatable":
{"cpu":"4","memory":"8Gi","pods":"10"}}}'
pod_with() {
	printf '%s\n{"kind":"Pod","metadata":{"namespace":"d","name":"p"},' \
	    "$one_node"
	printf '"spec":%s}\n' "$1"
}

# catches_interrupts PID: predicatectl, and not the shell that becomes it, has a
# handler for SIGINT, which is bit 2 of the set.
catches_interrupts() {
	grep -q predicatectl "/proc/$1/comm" &&
		grep -q '^SigCgt:.*[2367abef]$' "/proc/$1/status"
}
