#!/bin/sh
# Packages that are built again, in another folder, at another time and with another
# environment, have the same bits.
. "$SRCDIR/t/lib/tap.sh"

version=$(sed -n 's/^AC_INIT(\[predicated\], \[\(.*\)\])$/\1/p' \
    "$SRCDIR/configure.ac")
TMPDIR=$tmp/another-and-a-longer-place
mkdir "$TMPDIR"
export TMPDIR
umask 077

# same KIND PATTERN
same() {
	env TZ=Pacific/Auckland LC_ALL=C.UTF-8 USER=another \
	    "$SRCDIR/script/$1" --output "$tmp/again" \
	    "$BUILDDIR/predicated-$version.tar.xz" >"$tmp/log" 2>&1 ||
	    fail "script/$1" "$(tail "$tmp/log")"
	for package in "$BUILDDIR"/packages/$2; do
		name=${package##*/}
		is "$name" "$(cmp "$package" "$tmp/again/$name" 2>&1)" ""
	done
}

if command -v dpkg-buildpackage >/dev/null && command -v dh >/dev/null; then
	same deb '*.deb'
else
	skip "Debian packages" "there is no debhelper (script/package-tools)"
fi
if command -v rpmbuild >/dev/null; then
	same rpm '*.rpm'
else
	skip "RPM packages" "there is no rpmbuild (script/package-tools)"
fi
finish
