#!/bin/sh
# The unit itself, installed by `make install` and started by a systemd that was
# booted for it: process 1 of its own namespaces, on a copy-on-write view of this
# machine's root, with the network of this machine, where the API server is.
#
# That takes root that may mount.  Where it may not, this test says so; the rest
# of what it is about is in t/etc/systemd.t and t/daemon/notify_socket.t.
. "$SRCDIR/t/lib/tap.sh"
. "$SRCDIR/t/lib/apiserver.sh"
. "$SRCDIR/t/daemon/e2e.sh"
. "$SRCDIR/t/lib/machine.sh"

need_machine
trap 'stop_everything; switch_off; rm -rf "$tmp"' EXIT

# status FIELD: of the daemon's process.
status() {
	in_machine sed -n "s/^$1:[[:space:]]*//p" "/proc/$(shows MainPID)/status"
}

# journal PRIORITY…: messages of these.
journal() {
	in_machine journalctl --quiet --unit predicated --output cat "$@"
}

# ---- what is on it ----

start_apiserver
make_cluster --nodes 10
env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS make -s -C "$BUILDDIR" install \
    DESTDIR="$tmp/root" >"$tmp/install.log" 2>&1 ||
    bail_out "make install: $(tail "$tmp/install.log")"
mkdir -p "$tmp/root/etc/kubernetes" "$tmp/root/etc/predicated" \
    "$tmp/root/etc/systemd/system/predicated.service.d"
# As kubeadm leaves it: everything in one file, which is root's alone.
k config view --raw --flatten --kubeconfig \
    "$(kubeconfig_for system:kube-scheduler)" \
    >"$tmp/root/etc/kubernetes/scheduler.conf"
chmod 600 "$tmp/root/etc/kubernetes/scheduler.conf"
cp "$policy" "$tmp/root/etc/predicated/policy.cfg"
scheduler_port=$(free_port)
conf=$(echo "$tmp"/root/*/predicated/predicated.conf)
cat >"$conf" <<-CONF
	policy: { file = "/etc/predicated/policy.cfg"; };
	server: { port = $scheduler_port; };
CONF
# So that the test does not wait for half a minute.
cat >"$tmp/root/etc/systemd/system/predicated.service.d/test.conf" <<-'END'
	[Service]
	WatchdogSec=5
END
boot "$tmp/root"

in_machine systemctl start predicated
started=$?
is "it starts" "$started" 0
if [ "$started" -ne 0 ]; then
	in_machine journalctl --quiet --unit predicated | tail | sed 's/^/# /'
	finish
fi
is "and is active, which is when it is ready" "$(shows ActiveState)" active
wait_until 20 shows_that StatusText leading
is "systemctl status says what it does" "$(shows StatusText)" leading
is "as a user that exists only for it" \
    "$([ "$(status Uid | cut -f 1)" -ge 61184 ] && echo yes)" yes
is "without capabilities" "$(status CapEff) $(status CapBnd)" \
    "0000000000000000 0000000000000000"
is "nor a way to get some" "$(status NoNewPrivs)" 1
is "with a filter on system calls" "$(status Seccomp)" 2
is "a limit on memory" "$(shows MemoryMax)" 2147483648
is "and no core dumps" "$(in_machine sed -n \
    's/^Max core file size *\([^ ]*\) *\([^ ]*\) .*/\1 \2/p' \
    "/proc/$(shows MainPID)/limits")" "0 0"
is "which sees nothing of kubeadm's file" "$(in_machine setpriv --reuid 61200 \
    --clear-groups cat /etc/kubernetes/scheduler.conf 2>&1 >/dev/null |
    grep -c denied)" 1

placed() {
	[ -n "$(k get pod "$1" -o jsonpath='{.spec.nodeName}')" ]
}
k run first --image=i >/dev/null
wait_until 20 placed first
is "a pod is bound" $? 0

# ---- reload ----

# policy JSON: the file's new content.
policy() {
	echo "$1" | in_machine tee /etc/predicated/policy.cfg >/dev/null
}

policy '{"kind": "Policy", "apiVersion": "v1", "predicates": [{"name": "No"}]}'
in_machine systemctl reload predicated
is "systemctl reload works" $? 0
refused() {
	journal --priority warning | grep -q 'unknown predicate "No"'
}
wait_until 10 refused
is "a bad policy is a warning in the journal, or worse" $? 0
is "while most lines are not" \
    "$(journal --priority warning | grep -c 'caches are synced')" 0
has "as they are information" "$(journal --priority info..info)" \
    "caches are synced"
lacks "without their priority in the text" "$(journal)" "<6>"

# ---- watchdog ----

policy '{"kind": "Policy", "apiVersion": "v1"}'
in_machine systemctl kill --signal STOP predicated
started_again() {
	shows_that NRestarts 1 && shows_that ActiveState active
}
wait_until 60 started_again
is "one that hangs is started again" "$(shows NRestarts)" 1
k run second --image=i >/dev/null
wait_until 30 placed second
is "and schedules" $? 0

# ---- the end ----

in_machine systemctl stop predicated
is "it stops" "$(shows ActiveState) $(shows Result)" "inactive success"
is "and lets go of the lock" "$(k -n kube-system get lease kube-scheduler \
    -o jsonpath='{.spec.holderIdentity}')" ""
echo 'nonsense: 1;' | in_machine tee -a "${conf#"$tmp/root"}" >/dev/null
in_machine systemctl start --no-block predicated
said() {
	journal --priority err..err | grep -q "unknown option 'nonsense'"
}
wait_until 20 said
is "what keeps it from starting is an error in the journal" $? 0
in_machine systemctl stop predicated
finish
