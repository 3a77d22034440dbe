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
	check "${policy##*/}" 0 "are valid" \
	    --policy-config-file "$policy"
done
check "no policy at all" 0 "options and policy are valid"

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
check "extenders" 0 "options and policy are valid" --policy-config-file "$tmp/extenders.cfg"
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
check "a kubeconfig" 0 "options and policy are valid" --kubeconfig kubeconfig
kubeconfig none.crt two.crt two.key
check "an authority that is not there" 1 "open none.crt: no such file" \
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

# What lets others on the network read our credentials or answer for the server
# cluster SETTINGS: a kubeconfig with a token
cluster() {
	cat >risky <<-END
	clusters: [{name: a, cluster: {$1}}]
	users: [{name: b, user: {token: t}}]
	contexts: [{name: c, context: {cluster: a, user: b}}]
	current-context: c
	END
}
cluster 'server: "https://localhost:1", insecure-skip-tls-verify: true'
check "a server that is not verified" 0 \
    "warning: risky: insecure-skip-tls-verify" --kubeconfig risky
check "the same for tokens" 0 "warning: risky: insecure-skip-tls-verify" \
    --authentication-kubeconfig risky
cluster 'server: "http://localhost:1"'
check "a token in the open" 0 \
    "warning: risky: credentials are sent to http://localhost:1 over plain HTTP" \
    --kubeconfig risky
cluster 'server: "https://localhost:1"'
check "the same with --master" 0 "over plain HTTP" --kubeconfig risky \
    --master http://localhost:2
cluster 'server: "http://localhost:1"'
"$BUILDDIR/predicated" --kubeconfig risky --secure-port 0 --port 0 2>log &
daemon=$!
tries=0
until grep -q "over plain HTTP" log || [ $tries -ge 200 ]; do
	tries=$((tries + 1))
	sleep 0.1
done
kill $daemon
wait $daemon
has "the log says so" "$(grep ^W log)" \
    "risky: credentials are sent to http://localhost:1 over plain HTTP"
cluster 'server: "https://localhost:1"'
lacks "none of it over TLS" \
    "$("$BUILDDIR/predicated" --check --kubeconfig risky 2>&1)" warning

# extender SETTINGS: a policy with one over TLS
extender() {
	cat >extender.cfg <<-END
	{"kind": "Policy", "apiVersion": "v1", "extenders": [
	 {"urlPrefix": "https://localhost:1", "filterVerb": "filter", $1}]}
	END
}
unverified='warning: extender "https://localhost:1": its certificate is not verified'
extender '"enableHttps": true'
check "an extender without an authority" 0 "extender.cfg:2:78: $unverified" \
    --policy-config-file extender.cfg
has "predicatectl check names it, too" \
    "$("$BUILDDIR/predicatectl" check extender.cfg 2>&1)" "$unverified"
extender '"enableHttps": true, "tlsConfig": {"insecure": true}'
check "an extender that must not be verified" 0 "$unverified, so" \
    --policy-config-file extender.cfg
extender '"enableHttps": true, "tlsConfig": {"caFile": "one.crt"}'
lacks "an extender with an authority" \
    "$("$BUILDDIR/predicated" --check --policy-config-file extender.cfg 2>&1)" \
    warning

printf 'log:\n{\n  verbosity = "much";\n};\n' >wrong.conf
check "a value of the configuration" 1 "wrong.conf:3: error:" \
    --config-file wrong.conf
printf 'log: { verbosity = 1; }\nserver: {\n' >wrong.conf
check "a configuration that breaks off" 1 "wrong.conf:" \
    --config-file wrong.conf
check "a server's key of another certificate" 1 "one.key" \
    --tls-cert-file two.crt --tls-private-key-file one.key
check "a server's certificate" 0 "options and policy are valid" \
    --tls-cert-file two.crt --tls-private-key-file two.key
check "an authority of clients that is none" 1 "junk.pem holds no certificate" \
    --client-ca-file junk.pem
mkdir certificates
check "the folder of one to be made" 0 "options and policy are valid" --cert-dir certificates
is "in which nothing is made yet" "$(ls certificates)" ""

check "a lease that ends before its renewal" 1 "renew" \
    --leader-elect-lease-duration 5s
check "a certificate without its key" 1 "tls" --tls-cert-file "$tmp/x.crt"
check "an unknown option" 1 "no-such" --no-such
finish
