#!/bin/sh
# predicated --check: what is wrong with options and policy, without a cluster.
. "$SRCDIR/t/lib/tap.sh"

# check NAME EXIT TEXT [FLAG…]
check() {
	name=$1
	exit=$2
	text=$3
	shift 3
	"$BUILDDIR/predicated" --check "$@" >"$tmp/out" 2>&1
	is "$name: exit code" $? "$exit"
	has "$name" "$(cat "$tmp/out")" "$text"
}

for policy in "$SRCDIR"/etc/examples/*.cfg; do
	check "${policy##*/}" 0 "good" --policy-config-file "$policy"
done
check "no policy at all" 0 "good"

cat >"$tmp/bad.cfg" <<'END'
{"kind": "Policy", "apiVersion": "v1",
 "predicates": [{"name": "PodFitsResource"}]}
END
check "a rule that there is none of" 1 "bad.cfg:2:" \
    --policy-config-file "$tmp/bad.cfg"
check "a policy that is not there" 1 "none.cfg" \
    --policy-config-file "$tmp/none.cfg"

cat >"$tmp/extenders.cfg" <<'END'
{"kind": "Policy", "apiVersion": "v1",
 "extenders": [{"urlPrefix": "http://localhost:1/", "filterVerb": "filter"}]}
END
check "extenders" 1 "extenders are not supported by the daemon yet" \
    --policy-config-file "$tmp/extenders.cfg"

check "a kubeconfig that is not there" 1 "none.kubeconfig" \
    --kubeconfig "$tmp/none.kubeconfig"
check "a lease that ends before its renewal" 1 "renew" \
    --leader-elect-lease-duration 5s
check "a certificate without its key" 1 "tls" --tls-cert-file "$tmp/x.crt"
check "an unknown option" 1 "no-such" --no-such
finish
