#!/bin/sh
# The Debian packages on a bare Debian 12 that was booted for it: apt installs them,
# two edits later the service schedules the pods of a real API server, an upgrade
# keeps the edited configuration, and a purge leaves nothing.
. "$SRCDIR/t/lib/tap.sh"
. "$SRCDIR/t/lib/apiserver.sh"
. "$SRCDIR/t/daemon/e2e.sh"
. "$SRCDIR/t/lib/machine.sh"

need_packages
trap 'stop_everything; switch_off; rm -rf "$tmp"' EXIT

# ---- packages of versions to come ----

files=$tmp/files
debs=$files/root/packages
mkdir -p "$files/etc/kubernetes"
copy_packages "$debs"

# later_version VERSION [LINE]: of predicated, whose configuration has one line more.
later_version() {
	later=$tmp/later-$1
	dpkg-deb -R "$debs/predicated_$version"_*.deb "$later"
	sed -i "s/^Version: .*/Version: $1/" "$later/DEBIAN/control"
	[ -z "${2-}" ] || echo "$2" >>"$later/etc/predicated/predicated.conf"
	mkdir -p "$debs/$1"
	dpkg-deb --root-owner-group -b "$later" "$debs/$1/predicated.deb" \
	    >/dev/null
}
later_version "$version+1"
later_version "$version+2" "# a new line"

# ---- the cluster and the machine ----

start_apiserver
make_cluster --nodes 10
# As kubeadm writes it: everything in one file, which is root's alone.
k config view --raw --flatten --kubeconfig \
    "$(kubeconfig_for system:kube-scheduler)" >"$files/root/scheduler.conf"
chmod 600 "$files/root/scheduler.conf"
cp "$SRCDIR/debian/tests/predicated" "$SRCDIR/debian/tests/predicatectl" \
    "$SRCDIR/debian/tests/service" "$files/root/"
boot "$files" "$root"

# apt COMMAND…: in the machine; its output is shown when it fails.
apt() {
	in_machine env DEBIAN_FRONTEND=noninteractive apt-get -q -y "$@" \
	    >"$tmp/apt.log" 2>&1 </dev/null || {
		status=$?
		tail -n 20 "$tmp/apt.log" | sed 's/^/# /'
		return "$status"
	}
}

# contents NAME: the machine's files, without those of programs that keep logs,
# caches, copies and lists of what is available.
contents() {
	in_machine find / -xdev \( -path /tmp -o -path /run -o -path /root \
	    -o -path /var/cache -o -path /var/log -o -path /var/lib/apt \
	    -o -path '/var/lib/dpkg/*-old' -o -path /var/lib/dpkg/available \) \
	    -prune -o -print | sort >"$tmp/$1"
	in_machine cat /etc/passwd /etc/group >"$tmp/$1.users"
	in_machine systemctl list-unit-files --no-legend >"$tmp/$1.units"
}

in_machine sh -c 'mkdir -p /tmp/test && chmod 1777 /tmp /tmp/test'
apt update || bail_out "there is no mirror of Debian"
contents before

# ---- install ----

apt install "/root/packages/predicated_${version}_$(dpkg --print-architecture).deb" \
    "/root/packages/predicatectl_${version}_$(dpkg --print-architecture).deb"
is "apt installs the two packages" $? 0
is "the service is neither started nor enabled" \
    "$(in_machine systemctl is-active predicated) $(
	in_machine systemctl is-enabled predicated)" "inactive disabled"
is "it has a user of the system, which cannot log in" \
    "$(in_machine getent passwd predicated | cut -d : -f 1,6-7)" \
    "predicated:/:/usr/sbin/nologin"
has "kubectl finds its plugin" \
    "$(in_machine kubectl-predicate --version)" "$version"
apt install jq
for test in predicatectl predicated service; do
	is "debian/tests/$test" "$(in_machine env AUTOPKGTEST_TMP=/tmp/test \
	    sh "/root/$test" >"$tmp/$test.log" 2>&1 ||
	    tail "$tmp/$test.log")" ""
done
in_machine rm -rf /etc/kubernetes/scheduler.conf

# ---- set up ----

# What `systemctl edit predicated` writes, and the policy.
in_machine sh -e <<'END'
mkdir -p /etc/systemd/system/predicated.service.d
cat >/etc/systemd/system/predicated.service.d/override.conf <<'UNIT'
[Service]
LoadCredential=kubeconfig:/root/scheduler.conf
UNIT
systemctl daemon-reload
cp /usr/share/predicated/examples/openshift-default.cfg \
    /etc/predicated/policy.cfg
sed -i 's,^\t#file = "";,\tfile = "/etc/predicated/policy.cfg";,' \
    /etc/predicated/predicated.conf
END
# Another test may have the default port.
in_machine sed -i "s,^\t#port = 10259;,\tport = $(free_port);," \
    /etc/predicated/predicated.conf
is "the configuration is edited" "$(in_machine grep -cE \
    '^.(file = "/etc/predicated/policy.cfg"|port = [0-9]*);' \
    /etc/predicated/predicated.conf)" 2
in_machine systemctl start predicated
is "systemctl start predicated" $? 0
[ "$(shows ActiveState)" = active ] ||
    in_machine journalctl --quiet --unit predicated | tail | sed 's/^/# /'
is "runs as the package's user" \
    "$(in_machine stat -c %U "/proc/$(shows MainPID)")" predicated
has "it follows the policy" "$(in_machine journalctl --quiet --unit predicated)" \
    "Creating scheduler with fit predicates"

placed() {
	[ -n "$(k get pod "$1" -o jsonpath='{.spec.nodeName}')" ]
}
for pod in one two three; do
	k run "$pod" --image=i >/dev/null
done
for pod in one two three; do
	wait_until 30 placed "$pod"
	is "pod $pod is bound" $? 0
done
has "predicatectl explains one of them" "$(in_machine predicatectl explain \
    default/one --kubeconfig /root/scheduler.conf 2>&1)" "default/one"

# ---- upgrade ----

configuration() {
	in_machine md5sum /etc/predicated/predicated.conf
}
edited=$(configuration)
pid=$(shows MainPID)
apt install "/root/packages/$version+1/predicated.deb"
is "an upgrade" "$? $(in_machine dpkg-query -W -f '${Version}' predicated)" \
    "0 $version+1"
is "keeps the edited configuration" "$(configuration)" "$edited"
restarted() {
	shows_that ActiveState active && [ "$(shows MainPID)" != "$pid" ]
}
wait_until 20 restarted
is "and restarts the service" $? 0
[ "$(shows ActiveState)" = active ] ||
    in_machine journalctl --quiet --unit predicated | tail | sed 's/^/# /'
apt -o Dpkg::Options::=--force-confold install \
    "/root/packages/$version+2/predicated.deb"
is "an upgrade with a new default configuration" \
    "$? $(configuration)" "0 $edited"
is "puts that beside the edited one" "$(in_machine tail -n 1 \
    /etc/predicated/predicated.conf.dpkg-dist)" "# a new line"
k run four --image=i >/dev/null
wait_until 60 placed four
is "it still schedules" $? 0

# ---- purge ----

apt purge predicated predicatectl jq
is "apt purges them" $? 0
apt autoremove --purge
is "and their libraries" $? 0
in_machine systemctl daemon-reload
contents after
is "no file is left" "$(diff "$tmp/before" "$tmp/after")" ""
is "no user, no group" "$(diff "$tmp/before.users" "$tmp/after.users")" ""
is "no unit" "$(diff "$tmp/before.units" "$tmp/after.units")" ""
is "the lock is free" "$(k -n kube-system get lease kube-scheduler \
    -o jsonpath='{.spec.holderIdentity}')" ""
finish
