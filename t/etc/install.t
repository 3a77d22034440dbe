#!/bin/sh
# `make install` puts everything in place, `make uninstall` takes it away, and
# a changed configuration stays.
. "$SRCDIR/t/lib/tap.sh"

root=$tmp/root

# Not as a part of the make that runs us, which may say where it is.
unset MAKEFLAGS MAKELEVEL MFLAGS

# make_here TARGET
make_here() {
	make -s -C "$BUILDDIR" "$1" DESTDIR="$root" >"$tmp/make.log" 2>&1 ||
	    fail "make $1" "$(tail "$tmp/make.log")"
}

# place VARIABLE: where configure has put it.
place() {
	make -s -C "$BUILDDIR" --no-print-directory -f - place <<-END_OF_MAKE
	include Makefile
	place: ; @echo '\$($1)'
	END_OF_MAKE
}

# installed NAME FILE…
installed() {
	name=$1
	missing=
	shift
	for file; do
		[ -s "$root$file" ] || missing="$missing $file"
	done
	is "$name" "$missing" ""
}

bin=$(place bindir)
man=$(place mandir)
data=$(place pkgdatadir)
conf=$(place sysconfdir)/predicated/predicated.conf
units=$(place systemdsystemunitdir)

make_here install
installed "the programs" "$bin/predicated" "$bin/predicatectl"
is "kubectl finds its plugin" \
    "$(readlink -f "$root$bin/kubectl-predicate")" \
    "$(readlink -f "$root$bin/predicatectl")"
installed "the manual" "$man/man1/predicatectl.1" "$man/man5/policy.cfg.5" \
    "$man/man5/predicated.conf.5" "$man/man8/predicated.8"
is "the plugin has the manual of predicatectl" \
    "$(readlink -f "$root$man/man1/kubectl-predicate.1")" \
    "$(readlink -f "$root$man/man1/predicatectl.1")"
installed "the configuration" "$conf"
if [ -n "$units" ]; then
	installed "the unit" "$units/predicated.service"
	has "which starts the program where it is" \
	    "$(cat "$root$units/predicated.service")" \
	    "ExecStart=$bin/predicated "
else
	is "no unit, as configure was told" \
	    "$(find "$root" -name '*.service')" ""
fi
is "examples and manifests" \
    "$(cd "$root$data" && find . -type f ! -name predicated.conf | sort)" \
    "$(cd "$SRCDIR/etc" && find ./*/ -type f ! -name Containerfile | sort)"
doc=$(place docdir)
is "every page of doc/" \
    "$(cd "$root$doc" && find . -name '*.md' ! -path ./README.md \
	! -path ./SECURITY.md ! -path ./NEWS.md ! -path ./CONTRIBUTING.md |
	sort)" \
    "$(cd "$SRCDIR/doc" && find . -name '*.md' | sort)"

echo '# mine' >>"$root$conf"
make_here install
is "an installed configuration stays" "$(tail -n 1 "$root$conf")" "# mine"
make_here uninstall
is "nothing but that is left" "$(cd "$root" && find . ! -type d)" ".$conf"
rm "$root$conf"
make_here install
make_here uninstall
is "nothing at all is left" "$(cd "$root" && find . ! -type d)" ""
finish
