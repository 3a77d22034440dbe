#!/bin/sh
# The RPM packages, installed into a bare root by rpm itself: their files, scripts
# and user, and that an edited configuration stays.
. "$SRCDIR/t/lib/tap.sh"

command -v rpm >/dev/null || skip_all "there is no rpm (script/package-tools)"
[ "$(id -u)" -eq 0 ] || skip_all "only root can install packages"
can_mount || skip_all "$no_mounts"
packages=$(ls "$BUILDDIR"/packages/*."$(uname -m)".rpm) || {
	fail "the packages are there" "run make rpm"
	finish
}
base=$("$SRCDIR/script/debian-root") || {
	fail "there is a bare root" "script/debian-root"
	finish
}

# A copy-on-write view of it, for rpm and for what its scripts run.
cat >"$tmp/inside" <<'END'
set -e
mount --make-rprivate /
mount -t tmpfs tmpfs "$1"
mkdir "$1/upper" "$1/work" "$1/root"
mount -t overlay overlay "$1/root" \
    -o "lowerdir=$2,upperdir=$1/upper,workdir=$1/work"
root=$1/root
packages=$3
rpm_() { rpm --root "$root" --dbpath /var/lib/rpm "$@"; }
list() { (cd "$root" && find . -xdev ! -path './var/lib/rpm*' | sort); }
say() { echo "$@"; }

set +e
# The second is a folder of every system with rpm.
mkdir -p "$root/var/lib/rpm" "$root/usr/share/licenses"
rpm_ --initdb
list >"$1/before"
# Debian's libraries are no packages of rpm.
rpm_ --nodeps -i $packages
say "install: $?"
say "user: $(grep -c '^predicated:' "$root/etc/passwd")"
say "verify: $(rpm_ --nodeps -V predicated predicatectl)"
say "conffile: $(rpm_ -qc predicated | grep -v sysusers)"
say "plugin: $(readlink "$root/usr/bin/kubectl-predicate")"
echo "# mine" >>"$root/etc/predicated/predicated.conf"
rpm_ --nodeps -U --force $packages
say "upgrade: $? $(tail -n 1 "$root/etc/predicated/predicated.conf")"
rpm_ -e predicated predicatectl
say "erase: $?"
rm "$root/etc/predicated/predicated.conf.rpmsave"
rmdir "$root/etc/predicated" 2>/dev/null
list >"$1/after"
say "left: $(diff "$1/before" "$1/after" | grep '^[<>]' | tr '\n' ' ')"
END
mkdir "$tmp/view"
unshare --mount sh "$tmp/inside" "$tmp/view" "$base" "$packages" \
    >"$tmp/results" 2>"$tmp/errors"
sed 's/^/# /' "$tmp/errors"

result() {
	sed -n "s/^$1: //p" "$tmp/results"
}
is "rpm installs them" "$(result install)" 0
is "they make the user" "$(result user)" 1
is "the files are as packed" "$(result verify)" ""
is "the configuration is one" "$(result conffile)" \
    /etc/predicated/predicated.conf
is "kubectl finds its plugin" "$(result plugin)" predicatectl
is "an edited configuration stays" "$(result upgrade)" "0 # mine"
is "rpm erases them" "$(result erase)" 0
is "and leaves no file" "$(result left)" ""
finish
