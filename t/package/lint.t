#!/bin/sh
# lintian and rpmlint find nothing in the packages that make deb and make rpm have
# built.  debian/ overrides nothing; rpm/rpmlint.toml says what is not asked for.
. "$SRCDIR/t/lib/tap.sh"

if command -v lintian >/dev/null; then
	# As root, it says that it should not be.
	is "lintian finds nothing" "$(lintian --allow-root --fail-on none \
	    "$BUILDDIR"/packages/*.changes 2>&1)" ""
else
	skip "lintian finds nothing" "there is no lintian (script/package-tools)"
fi
if command -v rpmlint >/dev/null; then
	found=$(rpmlint -c "$SRCDIR/rpm/rpmlint.toml" \
	    "$BUILDDIR"/packages/*.rpm "$SRCDIR/rpm/predicated.spec" 2>&1)
	has "rpmlint finds nothing" "$found" " 0 errors, 0 warnings"
else
	skip "rpmlint finds nothing" "there is no rpmlint (script/package-tools)"
fi
finish
