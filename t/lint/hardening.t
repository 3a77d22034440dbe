#!/bin/sh
# The programs are what the hardening flags of m4/hardening.m4 should make of them.
. "$SRCDIR/t/lib/tap.sh"

command -v readelf >/dev/null || {
	fail "readelf reads the programs" "install the Debian package binutils"
	finish
}

# variable NAME: as configure and make have set it.
variable() {
	env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS \
	    make -s -C "$BUILDDIR" --no-print-directory -f - variable <<-END
	include Makefile
	variable: ; @echo '\$($1)'
	END
}

if [ "$(variable HARDENING)" != yes ]; then
	skip_all "configured with --disable-hardening"
fi
flags="$(variable CFLAGS) $(variable CPPFLAGS)"
case $flags in
*-O0* | *-D_FORTIFY_SOURCE=0* | *-U_FORTIFY_SOURCE*) fortified= ;;
*-O*) fortified=yes ;;
*) fortified= ;;
esac
sanitized=$(variable SANITIZE)
[ -z "$sanitized" ] || fortified=

# at_least NAME GOT COUNT
at_least() {
	if [ "$2" -ge "$3" ]; then
		pass "$1"
	else
		fail "$1" "got $2, want at least $3"
	fi
}

for name in predicated predicatectl; do
	program=$BUILDDIR/$name
	LC_ALL=C readelf -W -h -l -d "$program" >"$tmp/elf"
	LC_ALL=C readelf -W --dyn-syms "$program" >"$tmp/symbols"
	is "$name is position-independent" \
	    "$(sed -n 's/^ *Type: *\([A-Z]*\) .*/\1/p' "$tmp/elf") $(
		grep -c '(FLAGS_1).* PIE' "$tmp/elf")" "DYN 1"
	is "$name binds all symbols at start" \
	    "$(grep -c '(FLAGS).*BIND_NOW' "$tmp/elf") $(
		grep -c '(FLAGS_1).* NOW' "$tmp/elf")" "1 1"
	is "$name makes its relocations read-only" \
	    "$(grep -c '^ *GNU_RELRO ' "$tmp/elf")" 1
	is "$name has a stack that is not executable" \
	    "$(awk '$1 == "GNU_STACK" { print $7 }' "$tmp/elf")" RW
	is "$name has no segment both writable and executable" \
	    "$(awk '$1 == "LOAD" && / RWE /' "$tmp/elf")" ""
	is "$name has no relocations in code" "$(grep -c TEXTREL "$tmp/elf")" 0
	at_least "$name checks stack canaries" \
	    "$(grep -c __stack_chk_fail "$tmp/symbols")" 1
	checked=$(grep -c '_chk@' "$tmp/symbols")
	if [ -n "$fortified" ]; then
		at_least "$name calls the checked functions of the C library" \
		    "$checked" 5
	elif [ -n "$sanitized" ]; then
		LC_ALL=C readelf -W -s "$program" >"$tmp/all"
		at_least "$name has AddressSanitizer in their place" \
		    "$(grep -c '__asan_' "$tmp/all")" 1
		is "$name calls none that hides from AddressSanitizer" \
		    "$(grep -c ' UND .*_printf_chk@' "$tmp/symbols")" 0
	fi
done

# The note of a whole program also depends on the C library's start files, so ours
# are looked at one by one.  (Members of an archive may have equal names.)
# without FEATURES: how many objects do not have them.
without() {
	LC_ALL=C readelf -W -n "$BUILDDIR/libpredicated.a" 2>/dev/null |
	    awk -v features="$1" '/^File: / { n++ }
		index($0, features) { n-- }
		END { print n }'
}

case $(uname -m) in
x86_64 | i?86)
	is "indirect jumps and returns of every object can be checked (CET)" \
	    "$(without 'x86 feature: IBT, SHSTK')" 0
	;;
aarch64)
	is "jumps and returns of every object can be checked (BTI, PAC)" \
	    "$(without 'AArch64 feature: BTI, PAC')" 0
	;;
esac

# Large frames are touched page by page: no function skips the guard page.
case " $(variable HARDENING_CFLAGS) " in
*" -fstack-clash-protection "*) pass "large stack frames are probed" ;;
*) fail "large stack frames are probed" \
    "the compiler does not take -fstack-clash-protection" ;;
esac
finish
