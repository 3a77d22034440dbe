#!/bin/sh
# The unit, as systemd reads it.  t/daemon/systemd.t runs it.
. "$SRCDIR/t/lib/tap.sh"

unit=$BUILDDIR/etc/predicated.service
if ! command -v systemd-analyze >/dev/null; then
	skip_all "there is no systemd-analyze (Debian package systemd)"
fi

# systemd wants the program to be there.
sed "s|^ExecStart=[^ ]*|ExecStart=$BUILDDIR/predicated|" "$unit" \
    >"$tmp/predicated.service"
is "systemd-analyze verify finds nothing" \
    "$(systemd-analyze verify --man=no "$tmp/predicated.service" 2>&1)" ""
# No manual page, no installation: the unit's own text is what is checked.
systemd-analyze security --offline=true --threshold=20 --no-pager \
    "$tmp/predicated.service" >"$tmp/security" 2>&1
is "its exposure is 2.0 or better" $? 0
sed -n 's/.*\(Overall exposure level.*\)/# \1/p' "$tmp/security"

# setting NAME: its values in the unit, lines joined.
setting() {
	sed -e ':a' -e '/\\$/N; s/\\\n//; ta' "$unit" | sed -n "s/^$1=//p"
}

has "the kubeconfig is kubeadm's" "$(setting LoadCredential)" \
    "kubeconfig:/etc/kubernetes/scheduler.conf"
sample_kubeconfig "$tmp/kubeconfig"
# What starts it: nothing that the program does not know.
start=$(setting ExecStart | sed "s|%d|$tmp|g; s|^[^ ]*||")
# shellcheck disable=SC2086 # to be split
is "the program takes its command line" \
    "$("$BUILDDIR/predicated" --config-file="$SRCDIR/etc/predicated.conf" \
	$start --check 2>&1)" "options and policy are valid"
is "its memory is limited" "$(setting MemoryMax)" 2G
is "it leaves no core, which would hold secrets" "$(setting LimitCORE)" 0
is "failed starts are repeated for ever" \
    "$(setting Restart) $(setting StartLimitIntervalSec)" "always 0"
is "SIGHUP reloads" "$(setting ExecReload)" "/bin/sh -c 'kill -HUP \$MAINPID'"
finish
