# shellcheck shell=sh disable=SC2154
# Sourced by the parts of script/real, after tap.sh and apiserver.sh: a real kubelet
# named "machine" with containerd, runc and CNI's plugins, and images made here; and the
# hollow nodes of kubemark.
#
#	start_containerd
#	import_image FOLDER NAME USER COMMAND...
#	start_kubelet KUBECONFIG CA [FLAG...]
#	check SECONDS NAME COMMAND...
#
# script/real has made the namespaces that all of it is in.

reports=${REPORTS:-$tmp}
export CONTAINERD_ADDRESS=/run/containerd.sock
containerd_pid=
kubelet_pid=

# Ends with this shell, even when that is killed.  Neither ends its containers: they end
# with the namespace of processes.
start_containerd() {
	mkdir -p "$tmp/cni"
	cat >"$tmp/containerd.toml" <<-END
	version = 2
	root = "$tmp/containerd"
	state = "/run/containerd"
	[grpc]
	  address = "$CONTAINERD_ADDRESS"
	[plugins."io.containerd.grpc.v1.cri"]
	  sandbox_image = "localhost/pause:1"
	  restrict_oom_score_adj = true
	  stream_server_address = "127.0.0.1"
	  [plugins."io.containerd.grpc.v1.cri".cni]
	    bin_dir = "$containers/usr/lib/cni"
	    conf_dir = "$tmp/cni"
	  [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
	    runtime_type = "io.containerd.runc.v2"
	END
	jq -n --arg data "$tmp/cni-addresses" '{cniVersion: "0.4.0", name: "pods",
	    plugins: [{type: "bridge", bridge: "pods", isGateway: true,
		promiscMode: true, ipam: {type: "host-local", dataDir: $data,
		    ranges: [[{subnet: "10.85.0.0/24"}]],
		    routes: [{dst: "0.0.0.0/0"}]}},
		{type: "portmap", capabilities: {portMappings: true}}]}' \
	    >"$tmp/cni/pods.conflist"
	echo 1 >/proc/sys/net/ipv4/ip_forward
	(with_us containerd --config "$tmp/containerd.toml") \
	    >>"$reports/containerd.log" 2>&1 &
	containerd_pid=$!
	wait_until 20 ctr version || {
		tail -n 10 "$reports/containerd.log" | sed 's/^/# /'
		bail_out "containerd does not start"
	}
}

# write_image FOLDER NAME USER COMMAND...: an archive with this root as its only layer, as
# `podman save` writes it.
write_image() {
	image=$(mktemp -d "$tmp/image.XXXXXX")
	tar -C "$1" --sort=name --owner=0 --group=0 --numeric-owner \
	    -cf "$image/layer.tar" .
	layer=$(sha256sum "$image/layer.tar")
	name=$2
	user=$3
	shift 3
	jq -n --arg layer "sha256:${layer%% *}" --arg user "$user" \
	    --arg architecture "$(dpkg --print-architecture)" '{
		architecture: $architecture, os: "linux",
		config: {User: $user, Cmd: $ARGS.positional,
		    Env: ["PATH=/usr/local/bin:/usr/bin:/bin"]},
		rootfs: {type: "layers", diff_ids: [$layer]}
	    }' --args "$@" >"$image/config.json"
	jq -n --arg name "$name" '[{Config: "config.json", RepoTags: [$name],
	    Layers: ["layer.tar"]}]' >"$image/manifest.json"
	tar -C "$image" -cf - config.json layer.tar manifest.json
	rm -rf "$image"
}

import_image() {
	write_image "$@" | ctr -n k8s.io images import - >/dev/null ||
	    bail_out "containerd does not take the image $2"
}

# busybox, and a program for the sandboxes of pods that does nothing.
import_busybox() {
	root=$tmp/busybox
	mkdir -p "$root/bin" "$root/tmp"
	cp "$containers/bin/busybox" "$root/bin/"
	for applet in $("$containers/bin/busybox" --list); do
		[ "$applet" = busybox ] || ln -s busybox "$root/bin/$applet"
	done
	import_image "$root" docker.io/library/busybox:latest "" /bin/sh
	import_image "$root" localhost/pause:1 "" /bin/sleep 1000000000
}

# start_kubelet KUBECONFIG CA [FLAG...]
start_kubelet() {
	config=$1
	mkdir -p /etc/kubernetes/manifests
	cat >"$tmp/kubelet.yaml" <<-END
	apiVersion: kubelet.config.k8s.io/v1beta1
	kind: KubeletConfiguration
	address: 10.99.0.1
	authentication: {x509: {clientCAFile: $2}, webhook: {enabled: true},
	    anonymous: {enabled: false}}
	authorization: {mode: Webhook}
	staticPodPath: /etc/kubernetes/manifests
	cgroupDriver: cgroupfs
	failSwapOn: false
	readOnlyPort: 0
	healthzPort: 10248
	evictionHard: {memory.available: 50Mi, nodefs.available: "1%",
	    imagefs.available: "1%"}
	imageGCHighThresholdPercent: 100
	nodeStatusUpdateFrequency: 4s
	END
	shift 2
	(with_us "$kubernetes/kubelet" --kubeconfig="$config" \
	    --config="$tmp/kubelet.yaml" --hostname-override=machine \
	    --node-ip=10.99.0.1 --container-runtime=remote \
	    --container-runtime-endpoint="unix://$CONTAINERD_ADDRESS" \
	    --pod-infra-container-image=localhost/pause:1 \
	    --cert-dir="$tmp/kubelet-pki" --v=2 "$@") \
	    >>"$reports/kubelet.log" 2>&1 &
	kubelet_pid=$!
}

# node_is NAME STATUS: of its condition Ready.
node_is() {
	[ "$(k get node "$1" -o json | jq -r '.status.conditions[] |
	    select(.type == "Ready").status')" = "$2" ]
}

wait_node() {
	wait_until "${2:-60}" node_is "$1" True || {
		tail -n 10 "$reports/kubelet.log" | sed 's/^/# /'
		bail_out "the node $1 does not become ready"
	}
}

# What was seen when it does not go on.
seen() {
	k get pods -A -o wide
	k get events -A --sort-by=.lastTimestamp | tail -n 15
}

# check SECONDS NAME COMMAND...: an assertion.
check() {
	limit=$1
	what=$2
	shift 2
	begun=$(date +%s)
	if wait_until "$limit" "$@"; then
		pass "$what"
		echo "# after $(($(date +%s) - begun)) s"
	else
		fail "$what" "$(seen)"
	fi
}

# refused: the pods that a kubelet has not admitted, or evicted.
refused() {
	k get pods -A -o json | jq -r '.items[] |
	    select(.status.phase == "Failed" and .status.reason) |
	    [.metadata.name, .spec.nodeName, .status.reason, .status.message] | @tsv'
}

# start_hollow NAME KUBECONFIG PORT [FLAG...]: a kubelet without containers, of kubemark.
# Its socket in /tmp always has the same name, so each has a /tmp of its own, where our
# files are not seen.  It is started again when it ends, as a kubelet is.
start_hollow() {
	hollow=$1
	port=$3
	mkdir -p "$tmp/hollow"
	[ -e "$tmp/hollow/kubemark" ] || cp "$kubernetes/kubemark" "$tmp/hollow/"
	kubectl --kubeconfig "$2" config view --raw --flatten >"$tmp/hollow/$hollow.conf"
	shift 3
	# shellcheck disable=SC2016 # expanded in there
	(
		cd "$tmp/hollow" &&
		    with_us unshare --mount sh -c '
			mount -t tmpfs tmpfs /tmp
			while :; do
				setpriv --pdeathsig KILL nice -n 5 ./kubemark "$@"
				sleep 1
			done' sh --morph=kubelet --name="$hollow" \
			--kubeconfig="$hollow.conf" --kubelet-port="$port" \
			--kubelet-read-only-port="$((port + 1))" --v=2 "$@"
	) >>"$reports/$hollow.log" 2>&1 &
	echo $! >"$tmp/$hollow.pid"
}

stop_hollow() {
	stop_process "$(cat "$tmp/$1.pid")"
}
