#!/bin/sh
# autopkgtest runs the tests of debian/tests, as Debian's infrastructure does, on the
# packages that make deb has built: in a bare Debian 12 that was booted for it.
. "$SRCDIR/t/lib/tap.sh"
. "$SRCDIR/t/lib/apiserver.sh"
. "$SRCDIR/t/lib/machine.sh"

need_packages
trap 'switch_off; rm -rf "$tmp"' EXIT

files=$tmp/files
mkdir -p "$files/root/source"
copy_packages "$files/root/packages"
cp -r "$SRCDIR/debian" "$files/root/source/"
boot "$files" "$root"
# What empties /tmp at boot comes first.
in_machine systemctl start basic.target
in_machine sh -c 'apt-get -q update && DEBIAN_FRONTEND=noninteractive \
    apt-get -q -y install --no-install-recommends autopkgtest' \
    >"$tmp/apt.log" 2>&1 </dev/null ||
    bail_out "there is no autopkgtest: $(tail "$tmp/apt.log")"

# The machine is a container, which the server "null" cannot know.
in_machine sh -c 'exec autopkgtest --ignore-restrictions=isolation-container \
    --no-built-binaries /root/packages/*.deb /root/source -- null' \
    >"$tmp/log" 2>&1 </dev/null
is "autopkgtest: no test fails, none is skipped" $? 0
for test in $(sed -n 's/^Tests: //p' "$SRCDIR/debian/tests/control"); do
	is "debian/tests/$test" \
	    "$(sed -n "s/^$test  *//p" "$tmp/log" | tail -n 1)" PASS
done
[ "$failures" -eq 0 ] || sed 's/^/# /' "$tmp/log"
finish
