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
check "extenders" 0 "good" --policy-config-file "$tmp/extenders.cfg"
cat >"$tmp/no-ca.cfg" <<'END'
{"kind": "Policy", "apiVersion": "v1",
 "extenders": [{"urlPrefix": "https://localhost:1/", "filterVerb": "filter",
   "tlsConfig": {"caFile": "none.crt"}}]}
END
check "an extender's authority that is not there" 1 "none.crt" \
    --policy-config-file "$tmp/no-ca.cfg"

check "a kubeconfig that is not there" 1 "none.kubeconfig" \
    --kubeconfig "$tmp/none.kubeconfig"

# A kubeconfig and what it names
cd "$tmp" || exit 99
for name in one two; do
	openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes \
	    -keyout $name.key -out $name.crt -days 2 -subj /CN=$name 2>/dev/null
done
echo nothing >junk.pem
# kubeconfig AUTHORITY CERTIFICATE KEY
kubeconfig() {
	cat >kubeconfig <<-END
	apiVersion: v1
	kind: Config
	clusters: [{name: a, cluster: {server: "https://localhost:1",
	    certificate-authority: $1}}]
	users: [{name: b, user: {client-certificate: $2, client-key: $3}}]
	contexts: [{name: c, context: {cluster: a, user: b}}]
	current-context: c
	END
}
kubeconfig one.crt two.crt two.key
check "a kubeconfig" 0 "good" --kubeconfig kubeconfig
kubeconfig none.crt two.crt two.key
check "an authority that is not there" 1 "none.crt: No such file" \
    --kubeconfig kubeconfig
kubeconfig junk.pem two.crt two.key
check "an authority that is none" 1 "junk.pem holds no certificate" \
    --authentication-kubeconfig kubeconfig
kubeconfig one.crt two.crt one.key
check "a key of another certificate" 1 \
    "the client key does not belong to the certificate" --kubeconfig kubeconfig
kubeconfig one.crt two.crt junk.pem
check "a key that is none" 1 "the client key is not unencrypted PEM" \
    --authorization-kubeconfig kubeconfig

printf 'log:\n{\n  verbosity = "much";\n};\n' >wrong.conf
check "a value of the configuration" 1 "wrong.conf:3: error:" \
    --config-file wrong.conf
printf 'log: { verbosity = 1; }\nserver: {\n' >wrong.conf
check "a configuration that breaks off" 1 "wrong.conf:" \
    --config-file wrong.conf
check "a server's key of another certificate" 1 "one.key" \
    --tls-cert-file two.crt --tls-private-key-file one.key
check "a server's certificate" 0 "good" \
    --tls-cert-file two.crt --tls-private-key-file two.key
check "an authority of clients that is none" 1 "junk.pem holds no certificate" \
    --client-ca-file junk.pem
mkdir certificates
check "the folder of one to be made" 0 "good" --cert-dir certificates
is "in which nothing is made yet" "$(ls certificates)" ""

check "a lease that ends before its renewal" 1 "renew" \
    --leader-elect-lease-duration 5s
check "a certificate without its key" 1 "tls" --tls-cert-file "$tmp/x.crt"
check "an unknown option" 1 "no-such" --no-such
finish
