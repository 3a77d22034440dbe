#!/bin/sh
# The image that make image has built: it has nothing but the programs and what they
# load, and schedules pods without root and without a file that it may write.
. "$SRCDIR/t/lib/tap.sh"
. "$SRCDIR/t/lib/apiserver.sh"
. "$SRCDIR/t/daemon/e2e.sh"

archive=$(echo "$BUILDDIR"/packages/predicated-*-image.tar)
[ -f "$archive" ] || bail_out "there is no image; run make image"
[ "$(id -u)" -eq 0 ] || skip_all "only root can mount the image"
can_mount || skip_all "$no_mounts"

mkdir "$tmp/archive" "$tmp/image"
tar -C "$tmp/archive" -xf "$archive"
manifest=$tmp/archive/manifest.json
image=$tmp/image
jq -r '.[0].Layers[]' "$manifest" | while IFS= read -r layer; do
	tar -C "$image" -xf "$tmp/archive/$layer"
done
config=$tmp/archive/$(jq -r '.[0].Config' "$manifest")

is "it runs as a user that is not root" \
    "$(jq -r .config.User "$config")" 65532:65532
is "it runs predicated" "$(jq -c .config.Cmd "$config")" '["predicated"]'
size=$(du -s --block-size=1 --apparent-size "$image" | cut -f 1)
echo "# $size bytes"
is "it is smaller than 30 MB" "$([ "$size" -lt 30000000 ] || echo "$size")" ""
is "its programs are ours" "$(cd "$image" && find . -type f -perm /111 \
    ! -name '*.so*' | sort | tr '\n' ' ')" \
    "./usr/bin/predicatectl ./usr/bin/predicated "
is "all else is libraries and what they read" "$(cd "$image" &&
    find . -type f ! -path '*/lib*/*.so*' | sort)" \
    "./etc/group
./etc/passwd
./etc/predicated/predicated.conf
./etc/ssl/certs/ca-certificates.crt
./usr/bin/predicatectl
./usr/bin/predicated"
is "it has the name by which an operator of OpenShift calls it" \
    "$(readlink "$image/bin" "$image/bin/kube-scheduler" | paste -sd' ' -)" \
    "usr/bin predicated"
is "no file gives rights" \
    "$(find "$image" -perm /6000 -o -type f -perm /022)" ""

# ---- as a container, that is, without root, its root mounted read-only ----

mkdir "$tmp/kubernetes"
cat >"$tmp/enter" <<'END'
set -e
mount --make-rprivate /
mount --bind "$1" "$1"
mount --bind "$2" "$1/etc/kubernetes"
mount -t proc proc "$1/proc"
mount -o remount,ro,bind "$1"
root=$1
shift 2
! touch "$root/etc/file" "$root/tmp/file" 2>/dev/null
exec chroot --userspec=65532:65532 "$root" "$@"
END

# in_image PROGRAM…
in_image() {
	unshare --mount sh "$tmp/enter" "$image" "$tmp/kubernetes" "$@"
}

is "predicated --version" "$(in_image predicated --version)" \
    "$("$BUILDDIR/predicated" --version)"
cp "$SRCDIR/etc/examples/policy.cfg" "$SRCDIR/etc/examples/cluster.yaml" \
    "$tmp/kubernetes/"
is "predicatectl check" "$(in_image predicatectl check \
    /etc/kubernetes/policy.cfg >"$tmp/out" 2>&1 || cat "$tmp/out")" ""
is "predicatectl explain decides as outside" "$(in_image predicatectl explain \
    shop/forecast --policy /etc/kubernetes/policy.cfg \
    --cluster /etc/kubernetes/cluster.yaml 2>&1)" \
    "$("$BUILDDIR/predicatectl" explain shop/forecast \
    --policy "$tmp/kubernetes/policy.cfg" \
    --cluster "$tmp/kubernetes/cluster.yaml" 2>&1 |
	sed "s,$tmp/kubernetes,/etc/kubernetes,g")"

# ---- and on a real API server ----

start_apiserver
make_cluster --nodes 10
k config view --raw --flatten --kubeconfig "$(scheduler_user predicated)" \
    >"$tmp/kubernetes/scheduler.conf"
cp "$policy" "$tmp/kubernetes/policy.cfg"
chmod -R a+rX "$tmp/kubernetes"
through=/etc/kubernetes/scheduler.conf
policy=/etc/kubernetes/policy.cfg
is "its configuration is valid" "$(in_image predicated --check \
    --kubeconfig "$through" --policy-config-file "$policy" 2>&1)" \
    "options and policy are valid"
run_scheduler() {
	shift
	with_us unshare --mount sh "$tmp/enter" "$image" "$tmp/kubernetes" \
	    predicated "$@"
}
start_scheduler predicated "$tmp/log" --leader-elect=true
wait_scheduler 60
k run first --image=i >/dev/null
placed() {
	[ -n "$(k get pod "$1" -o jsonpath='{.spec.nodeName}')" ]
}
wait_until 30 placed first
is "a pod is bound" $? 0
is "by a process without root and capabilities" "$(sed -n \
    -e 's/^Uid:[[:space:]]*\([0-9]*\).*/\1/p' \
    -e 's/^CapEff:[[:space:]]*//p' "/proc/$scheduler_pid/status" |
    tr '\n' ' ')" "65532 0000000000000000 "
finish
