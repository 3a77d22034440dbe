#!/bin/sh
# t/bench_hostile on a tiny cluster: every kind of pod comes to an end, and most
# find a node.  Its limits are times, and for make bench-hostile.
. "$SRCDIR/t/lib/tap.sh"

out=$("$BUILDDIR/t/bench_hostile" --nodes 60 --pods 100 2>&1)
status=$?
is "it ends" "$([ "$status" -le 1 ] && echo yes)" yes
is "plain pods are placed" \
    "$(printf '%s\n' "$out" | awk '/^plain pods/ { print $3, $4 }')" "100 100"
is "nothing is kept of any" "$(printf '%s\n' "$out" | grep -c KEPT)" 0
is "pods beyond the limits are not placed" "$(printf '%s\n' "$out" |
    sed -n 's/^beyond: .* 1  *\([0-9]*\)  *[0-9.]*  *[0-9.]*  *[0-9.]*  *[0-9.]*  *-*[0-9]*.*/\1/p' |
    sort -u)" 0
finish
