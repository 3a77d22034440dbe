#!/bin/sh
# README's commands, from the first to the last, on a bare Debian 12: in a clone of
# this checkout, changes that are not committed included, by root, without the tools
# and variables of this machine.  Left out are those that need a cluster.
#
# The tests run once, by README's `make check`; script/test --offline in the same
# root runs a few, those of PREDICATED_TESTS, or all if that is empty.
. "$SRCDIR/t/lib/tap.sh"
. "$SRCDIR/t/doc/commands.sh"

trap 'exit 1' HUP INT TERM
tests_of_script=${PREDICATED_TESTS-t/script/release.t t/script/test.t t/bench_hostile.t}

[ "$(id -u)" -eq 0 ] || skip_all "only root can make a bare Debian"
can_mount --pid --fork || skip_all "$no_mounts"
command -v git >/dev/null || skip_all "there is no git"
in_source() {
	git -c safe.directory='*' -C "$SRCDIR" "$@"
}
[ -z "$(in_source rev-parse --show-cdup 2>&1)" ] ||
    skip_all "the sources are no git checkout"
base=$("$SRCDIR/script/debian-root" bare 2>"$tmp/err") || {
	sed 's/^/# /' "$tmp/err"
	skip_all "no bare Debian 12 can be made here"
}

# ---- the root, the clone, the commands ----

root=$tmp/root
tree=$root/root/predicated
cp -a "$base" "$root"
cp /etc/resolv.conf "$root/etc/" 2>/dev/null
git -c safe.directory='*' clone -q --no-hardlinks "$SRCDIR" "$tree" ||
    bail_out "git clone"
in_source diff --binary HEAD >"$tmp/changes"
[ ! -s "$tmp/changes" ] || git -C "$tree" apply "$tmp/changes" ||
    bail_out "changes that are not committed"

blocks_of "$SRCDIR/README.md" >"$tmp/blocks"
commands_in "$tmp/blocks" >"$root/root/commands"

# The same mounts as any machine has, and its network.
cat >"$tmp/enter" <<'END'
set -e
mount --make-rprivate /
mount --bind "$1" "$1"
cd "$1"
mount -t proc proc proc
mount -t sysfs sysfs sys
mount --rbind /dev dev
pivot_root . mnt
shift
exec chroot . sh -c 'umount -l /mnt; exec "$@"' sh "$@"
END
in_root() {
	with_us unshare --mount --pid --fork --kill-child \
	    sh "$tmp/enter" "$root" env -i HOME=/root LANG=C.UTF-8 \
	    PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
	    ${http_proxy:+"http_proxy=$http_proxy"} \
	    ${https_proxy:+"https_proxy=$https_proxy"} \
	    PREDICATED_TESTS="$tests_of_script" "$@"
}

# Lists of their own, so that the root stays as bare as it is.
mkdir -p "$root/tmp/lists/partial"
(in_root apt-get -q update --error-on=any -o Dir::State::lists=/tmp/lists) \
    >"$tmp/err" 2>&1 || {
	tail -n 5 "$tmp/err" | sed 's/^/# /'
	skip_all "there is no mirror of Debian"
}
rm -rf "$root/tmp/lists" "$root"/var/cache/apt/*.bin

# In one shell, which has a log for each: their exit status, and seconds.
cat >"$root/root/walk" <<'END'
cd /root/predicated
while IFS= read -r command; do
	n=$((${n-0} + 1))
	case $command in
	*--context* | kubectl* | build/predicatectl* | predicated\ * | 'predicatectl web '*)
		echo "cluster 0 $command"
		continue
		;;
	esac
	begun=$(date +%s)
	eval "$command" >/root/log.$n 2>&1 </dev/null
	echo "$? $(($(date +%s) - begun)) $command"
done </root/commands
END
(in_root sh /root/walk) >"$tmp/results" 2>"$tmp/err"
sed 's/^/# /' "$tmp/err"

# ---- the results ----

n=0
while read -r code seconds command; do
	n=$((n + 1))
	log=$root/root/log.$n
	case $code,$command in
	cluster,*)
		skip "$command" "it needs a cluster"
		continue
		;;
	1,predicatectl\ *) code=0 ;; # that is an answer
	esac
	if [ "$code" -eq 0 ]; then
		pass "$command"
	else
		fail "$command" "exit status $code: $(grep -E \
		    '^(FAIL|ERROR|E:)|[Ee]rror' "$log" | head -n 20)
$(tail -n 20 "$log")"
	fi
	echo "# $seconds s: $(tail -n 1 "$log")"
	case $command in
	script/demo*)
		has "it says what apt is doing" "$(cat "$log")" \
		    "==> apt-get install: downloading"
		;;
	'make -j2 check')
		echo "# $(grep -E '^# (TOTAL|PASS|SKIP|FAIL|ERROR):' "$log" |
		    tr -d '#\n')"
		;;
	esac
done <"$tmp/results"
is "no command is missing" "$(sed 's/^[^ ]* [^ ]* //' "$tmp/results")" \
    "$(cat "$root/root/commands")"
untracked=$(git -C "$tree" status --porcelain | grep '^??')
is "git sees nothing of the builds" "$untracked" ""
is "the packages did not bring systemd" "$(grep -E \
    '^(Setting up|Unpacking) (systemd|systemd-timesyncd) ' "$root"/root/log.*)" ""
finish
