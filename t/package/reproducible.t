#!/bin/sh
# The tarball, and packages, that are made again of a copy of the sources, in another
# folder, at another time and with another environment, have the same bits.
. "$SRCDIR/t/lib/tap.sh"

version=$(sed -n 's/^AC_INIT(\[predicated\], \[\(.*\)\])$/\1/p' \
    "$SRCDIR/configure.ac")
TMPDIR=$tmp/another-and-a-longer-place
mkdir "$TMPDIR"
export TMPDIR
umask 077
unset MAKEFLAGS MAKELEVEL MFLAGS
TZ=Pacific/Auckland LC_ALL=C.UTF-8 USER=another
export TZ LC_ALL USER

# ---- the tarball, of a copy without git whose files are all new ----

tarball=predicated-$version.tar.xz
SOURCE_DATE_EPOCH=$("$SRCDIR/script/source-date")
export SOURCE_DATE_EPOCH
copy=$tmp/copy
mkdir -p "$copy/build"
if [ -e "$SRCDIR/.git" ]; then
	(cd "$SRCDIR" && git ls-files -z --cached --others --exclude-standard |
	    tar --null --files-from=- -cf -) | tar -C "$copy" -xmf -
else
	tar -C "$copy" --strip-components=1 -xmf "$BUILDDIR/$tarball"
fi
(cd "$copy" && autoreconf -i && cd build && ../configure && make dist) \
    >"$tmp/log" 2>&1 || bail_out "make dist: $(tail "$tmp/log")"
is "$tarball" "$(cmp "$BUILDDIR/$tarball" "$copy/build/$tarball" 2>&1)" ""
unset SOURCE_DATE_EPOCH

# ---- packages ----

# same KIND PATTERN
same() {
	"$copy/script/$1" --output "$tmp/again" "$copy/build/$tarball" \
	    >"$tmp/log" 2>&1 || fail "script/$1" "$(tail "$tmp/log")"
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
