#!/bin/sh
# A kubeconfig names the only certificate authority that may vouch for the API
# server.  A server that another one vouches for gets no request and no
# credentials, even if the system trusts it: here the system's certificates, in
# a mount namespace, and the variables that name others are the server's.
. "$SRCDIR/t/lib/tap.sh"
. "$SRCDIR/t/lib/apiserver.sh"
. "$SRCDIR/t/daemon/e2e.sh"

can_mount --map-root-user || skip_all "$no_mounts"
store=$tmp/store

# As a system that trusts the server's authority, and no other.
run_scheduler() {
	# shellcheck disable=SC2016 # expanded by that shell
	with_us unshare --map-root-user --mount sh -c '
		for folder in /etc/ssl/certs /etc/pki/tls/certs; do
			test ! -d "$folder" ||
			    mount --bind "$0" "$folder" || exit
		done
		exec "$@"' "$store" setpriv --pdeathsig KILL "$@"
}

make_store() {
	mkdir "$store"
	for name in ca-certificates.crt ca-bundle.crt cert.pem \
	    "$(openssl x509 -hash -noout -in "$apiserver_ca").0"; do
		cp "$apiserver_ca" "$store/$name"
	done
}

# with_authority FILE|"" KUBECONFIG: prints the path of a kubeconfig like this
# one that trusts the certificate in FILE, or that names none.
with_authority() {
	copy=${2%.kubeconfig}-${1:-none}.kubeconfig
	if [ -n "$1" ]; then
		sed "s/certificate-authority: .*/certificate-authority: $1/"
	else
		sed '/certificate-authority: /d'
	fi <"$2" >"$copy"
	echo "$copy"
}

# How many requests the API server has got from predicated.  The end of a watch is
# logged late, when the next scheduler may run.
requests() {
	grep -c '"stage":"RequestReceived"' "$audit_log"
}

refuses_to_trust() {
	grep -q 'certificate' "$log"
}

# refused NAME KUBECONFIG: a scheduler with it sends nothing.
refused() {
	log=$tmp/log
	: >"$log"
	before=$(requests)
	through=$2
	start_scheduler predicated "$log" --authentication-skip-lookup=true
	wait_until 20 refuses_to_trust
	# later attempts, too
	wait_until 5 scheduler_up
	has "$1: the log says why" "$(cat "$log")" "certificate"
	is "$1: no request was sent" "$(requests)" "$before"
	stop_process "$scheduler_pid"
}

# accepted NAME KUBECONFIG
accepted() {
	log=$tmp/log
	: >"$log"
	before=$(requests)
	through=$2
	start_scheduler predicated "$log"
	wait_scheduler
	is "$1: requests were sent" "$(($(requests) > before))" 1
	stop_process "$scheduler_pid"
}

cat >"$tmp/audit.yaml" <<'END'
apiVersion: audit.k8s.io/v1
kind: Policy
rules:
- level: Metadata
  users: ["system:serviceaccount:kube-system:predicated"]
- level: None
END
: >"$audit_log"
start_apiserver --audit-policy-file="$tmp/audit.yaml" \
    --audit-log-path="$audit_log" --audit-log-mode=blocking-strict
make_store
certificate "$apiserver_dir/foreign" /CN=foreign-ca ""
certificate "$apiserver_dir/namesake" /CN=test-ca ""
good=$(scheduler_user predicated)

accepted "the server's authority" "$good"
accepted "none named, and the system trusts it" "$(with_authority "" "$good")"
refused "another authority" "$(with_authority foreign.crt "$good")"
refused "another of the same name" "$(with_authority namesake.crt "$good")"
export SSL_CERT_FILE="$apiserver_ca" SSL_CERT_DIR="$store" \
    CURL_CA_BUNDLE="$apiserver_ca"
refused "another, with variables that name the server's" \
    "$(with_authority foreign.crt "$good")"
unset SSL_CERT_FILE SSL_CERT_DIR CURL_CA_BUNDLE
finish
