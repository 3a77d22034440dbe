#!/bin/sh
# Whole daemons on virtual time: the seeds that once broke a promise, and some
# others.  `make simulate` runs more.
. "$SRCDIR/t/lib/tap.sh"

seeds=12 minutes=60
if sanitized; then
	seeds=4 minutes=20
fi

# run NAME OPTION…
run() {
	name=$1
	shift
	if "$BUILDDIR/t/simulation/simulate" "$@" >"$tmp/out" 2>&1; then
		pass "$name"
	else
		fail "$name" "$(grep -v '^[IWE][0-9]* ' "$tmp/out" | tail -n 30)"
	fi
}

run "$seeds seeds of $minutes minutes" --seeds "$seeds" --minutes "$minutes"
while read -r seed what; do
	case $seed in
	'' | '#'*) ;;
	*) run "seed $seed: $what" --first "$seed" --seeds 1 ;;
	esac
done <"$SRCDIR/t/simulation/seeds"
for first in 3 2; do
	"$BUILDDIR/t/simulation/simulate" --first "$first" \
	    --seeds $((4 - first)) --minutes 20 --trace 2>/dev/null |
	    sed -n '/^seed 3$/,/^[0-9]* seeds,/p' | sed '$d' | cksum
done >"$tmp/twice"
if command -v patch >/dev/null; then
	for bug in "$SRCDIR"/t/simulation/bugs/*.patch; do
		patch -d "$SRCDIR" -p1 --dry-run -s <"$bug" >/dev/null ||
		    basename "$bug"
	done >"$tmp/bugs"
	is "planted bugs apply" "$(cat "$tmp/bugs")" ""
else
	skip "planted bugs apply" "there is no patch"
fi
is "a seed is the same history each time" "$(sort -u "$tmp/twice" | wc -l)" 1
finish
