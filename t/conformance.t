#!/bin/sh
# Our decisions equal those of the real kube-scheduler 1.15.3: on the cases we
# carry, and on all that stand beside the checkout.  In a cluster of 1.36 the same
# nodes fit as for kube-scheduler 1.36.2.
. "$SRCDIR/t/lib/tap.sh"

compare() {
	[ -f "$1" ] || return 0
	file=$1
	shift
	name="$(basename "$(dirname "$file")")/$(basename "$file")"
	if out=$("$BUILDDIR/t/conformance" "$@" "$file" 2>&1); then
		pass "$name: $(printf '%s\n' "$out" | tail -n 1)"
	else
		fail "$name" "$out"
	fi
}

for path in "$SRCDIR"/t/data/vectors/*.jsonl.gz \
    "$SRCDIR"/../shared/vectors/dev/*.jsonl.gz; do
	compare "$path"
done
for path in "$SRCDIR"/../shared/vectors/today/*.jsonl.gz; do
	compare "$path" --release 1.36
done
finish
