#!/bin/sh
# A rule that is wrong about itself does not pass t/ecache/signature.t: each patch of
# t/ecache/wrong_rules makes one wrong in one member and names the test that must fail.
. "$SRCDIR/t/lib/tap.sh"

command -v patch >/dev/null || skip_all "there is no patch"

set -- "$SRCDIR"/t/ecache/wrong_rules/*.patch
if sanitized; then # each takes a minute, and finds the same
	set -- "$1"
fi
for wrong; do
	name=$(basename "$wrong" .patch)
	file=$(sed -n 's,^+++ b/,,p' "$wrong")
	want=$(sed -n 's/^test: //p' "$wrong")
	if ! patch -s -o "$tmp/rule.c" "$SRCDIR/$file" "$wrong" \
	    >"$tmp/log" 2>&1 ||
	    ! (unset MAKEFLAGS MAKELEVEL MFLAGS
		make -s -C "$BUILDDIR" -f Makefile \
		    -f "$SRCDIR/t/ecache/wrong_rules.mk" \
		    rule "FOLDER=$tmp") >"$tmp/log" 2>&1; then
		fail "$name: can be planted" "$(cat "$tmp/log")"
		continue
	fi
	"$tmp/signature.t" 2>&1 | sed -n 's/^not ok [0-9]* - //p' >"$tmp/failed"
	has "$name: $want fails" "$(cat "$tmp/failed")" "$want"
done
finish
