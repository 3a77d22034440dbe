# shellcheck shell=sh disable=SC2119,SC2120,SC2154,SC2034
# Sourced by shell tests, after tap.sh: a real etcd and kube-apiserver of their
# own on loopback, with a throw-away certificate authority, RBAC on.
#
#	. "$SRCDIR/t/lib/tap.sh"
#	. "$SRCDIR/t/lib/apiserver.sh"
#	start_apiserver
#	kubectl --kubeconfig "$(kubeconfig_for admin system:masters)" get nodes
#
# PREDICATED_KUBERNETES=DIR: of the release whose programs are in DIR, see
# script/apiserver.
#
# etcd, kubectl and promtool are those of the machine, of that folder or of
# `script/apiserver --tools`.
#
# Everything lives in $tmp and dies with the test, however it ends.  Without a
# server the test fails; it never skips.
#
# After start_apiserver: $kubernetes_minor (20 for 1.20), $apiserver_url, $apiserver_ca (file), $admin (a
# kubeconfig that may do anything), $apiserver_dir, and `k`, which is kubectl as
# that admin.  For faults: stop_kube_apiserver, start_kube_apiserver, stop_etcd,
# start_etcd; ports and data stay.

apiserver_dir=$tmp/apiserver
etcd_pid=
kube_apiserver_pid=

trap 'stop_apiserver; rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT TERM

# A port that no process listens on, below those the kernel gives out by itself.
free_port() {
	while :; do
		port=$(od -An -N2 -tu2 /dev/urandom)
		port=$((20000 + port % 12000))
		hex=$(printf '%04X' "$port")
		if ! grep -qs "^ *[0-9]*: [0-9A-F]*:$hex " \
		    /proc/net/tcp /proc/net/tcp6; then
			echo "$port"
			return
		fi
	done
}

# certificate NAME SUBJECT CA [EXTENSION]: NAME.crt, NAME.key; CA "" signs itself.
certificate() {
	openssl ecparam -name prime256v1 -genkey -noout -out "$1.key"
	if [ -z "$3" ]; then
		openssl req -x509 -new -key "$1.key" -subj "$2" -days 2 \
		    -out "$1.crt"
		return
	fi
	printf '%s\n' "${4:-extendedKeyUsage=clientAuth}" >"$1.ext"
	openssl req -new -key "$1.key" -subj "$2" |
	    openssl x509 -req -CA "$3.crt" -CAkey "$3.key" -days 2 \
		-set_serial "0x$(openssl rand -hex 8)" -extfile "$1.ext" \
		-out "$1.crt" 2>/dev/null
}

# kubeconfig_for USER [GROUP…]: prints the path of a kubeconfig of this user.
kubeconfig_for() {
	user=$1
	shift
	file=$apiserver_dir/$(echo "$user" | tr -c 'A-Za-z0-9\n' _)
	if [ ! -f "$file.kubeconfig" ]; then
		subject=
		for group; do
			subject=$subject/O=$group
		done
		certificate "$file" "$subject/CN=$user" "$apiserver_dir/ca"
		cat >"$file.kubeconfig" <<-END
		apiVersion: v1
		kind: Config
		clusters:
		- name: test
		  cluster:
		    server: $apiserver_url
		    certificate-authority: ca.crt
		users:
		- name: $user
		  user:
		    client-certificate: ${file##*/}.crt
		    client-key: ${file##*/}.key
		contexts:
		- name: test
		  context: {cluster: test, user: "$user"}
		current-context: test
		END
	fi
	echo "$file.kubeconfig"
}

# running PID: and not one that has ended and waits to be collected.
running() {
	case $(sed 's/.*) //' "/proc/$1/stat" 2>/dev/null) in
	'' | Z*) return 1 ;;
	esac
}

start_etcd() {
	(with_us "$etcd" --data-dir "$apiserver_dir/etcd" \
	    --listen-client-urls "http://127.0.0.1:$etcd_port" \
	    --advertise-client-urls "http://127.0.0.1:$etcd_port" \
	    --listen-peer-urls "http://127.0.0.1:$peer_port" \
	    --initial-advertise-peer-urls "http://127.0.0.1:$peer_port" \
	    --initial-cluster "default=http://127.0.0.1:$peer_port" \
	    --logger zap --log-level error) >>"$apiserver_dir/etcd.log" 2>&1 &
	etcd_pid=$!
}

# start_kube_apiserver [FLAG…]
start_kube_apiserver() {
	ca=$apiserver_dir/ca
	(with_us "$kube_apiserver" \
	    --etcd-servers "http://127.0.0.1:$etcd_port" \
	    --bind-address 127.0.0.1 --secure-port "$apiserver_port" \
	    --client-ca-file "$ca.crt" \
	    --tls-cert-file "$apiserver_dir/server.crt" \
	    --tls-private-key-file "$apiserver_dir/server.key" \
	    --cert-dir "$apiserver_dir" \
	    --service-account-issuer https://kubernetes.default.svc \
	    --service-account-key-file "$apiserver_dir/tokens.key" \
	    --service-account-signing-key-file "$apiserver_dir/tokens.key" \
	    --token-auth-file "$apiserver_dir/tokens.csv" \
	    --service-cluster-ip-range 10.0.0.0/24 \
	    --delete-collection-workers 8 \
	    --authorization-mode RBAC \
	    --disable-admission-plugins ServiceAccount,TaintNodesByCondition \
	    --profiling=false "$@") >>"$apiserver_dir/kube-apiserver.log" 2>&1 &
	kube_apiserver_pid=$!
}

# The namespace comes a little later.
apiserver_ready() {
	curl -fsS --fail-early --noproxy '*' --max-time 2 --cacert "$apiserver_ca" \
	    --cert "$apiserver_dir/admin.crt" --key "$apiserver_dir/admin.key" \
	    "$apiserver_url/readyz" "$apiserver_url/api/v1/namespaces/default"
}

# True when ready or when one of the two died, so that tests do not wait for long.
apiserver_settled() {
	apiserver_ready || ! running "$etcd_pid" || ! running "$kube_apiserver_pid"
}

# wait_apiserver [SECONDS]
wait_apiserver() {
	wait_until "${1:-60}" apiserver_settled
	apiserver_ready >/dev/null 2>&1
}

# start_apiserver [FLAG…]: flags go to kube-apiserver.
start_apiserver() {
	folder=$("$SRCDIR/script/apiserver") ||
	    bail_out "script/apiserver could not provide kube-apiserver"
	kube_apiserver=$folder/kube-apiserver
	kube_scheduler=$folder/kube-scheduler
	kube_controller_manager=$folder/kube-controller-manager
	etcd=etcd
	[ ! -x "$folder/etcd" ] || etcd=$folder/etcd
	PATH=$PATH:$("$SRCDIR/script/apiserver" --tools)
	[ ! -x "$folder/kubectl" ] || PATH=$folder:$PATH
	kubernetes_minor=$("$kube_apiserver" --version |
	    sed -n 's/^Kubernetes v1\.\([0-9]*\)\..*/\1/p')
	[ -n "$kubernetes_minor" ] ||
	    bail_out "$kube_apiserver --version has no release"
	mkdir -p "$apiserver_dir"
	apiserver_ca=$apiserver_dir/ca.crt
	certificate "$apiserver_dir/ca" /CN=test-ca ""
	certificate "$apiserver_dir/server" /CN=kube-apiserver \
	    "$apiserver_dir/ca" "subjectAltName=IP:127.0.0.1,DNS:localhost,DNS:kubernetes"
	openssl ecparam -name prime256v1 -genkey -noout \
	    -out "$apiserver_dir/tokens.key"
	[ -f "$apiserver_dir/tokens.csv" ] ||
	    echo 'admin-token,admin,0,system:masters' \
	    >"$apiserver_dir/tokens.csv"
	# Another process may take a port between our look and its use.
	for attempt in 1 2 3; do
		apiserver_port=$(free_port)
		etcd_port=$(free_port)
		peer_port=$(free_port)
		apiserver_url=https://127.0.0.1:$apiserver_port
		rm -f "$apiserver_dir/admin.kubeconfig"
		admin=$(kubeconfig_for admin system:masters)
		start_etcd
		start_kube_apiserver "$@"
		if wait_apiserver; then
			return 0
		fi
		echo "# attempt $attempt to start the API server failed"
		stop_apiserver
		rm -rf "$apiserver_dir/etcd"
	done
	tail -n 20 "$apiserver_dir"/*.log | sed 's/^/# /'
	bail_out "kube-apiserver does not start"
}

# stop_process PID [SIGNAL]
stop_process() {
	if [ -n "$1" ]; then
		kill "-${2:-KILL}" "$1" 2>/dev/null || true
		wait "$1" 2>/dev/null || true
	fi
}

stop_kube_apiserver() {
	stop_process "$kube_apiserver_pid" "$@"
	kube_apiserver_pid=
}

stop_etcd() {
	stop_process "$etcd_pid" "$@"
	etcd_pid=
}

stop_apiserver() {
	stop_kube_apiserver
	stop_etcd
}

k() {
	kubectl --kubeconfig "$admin" "$@"
}
