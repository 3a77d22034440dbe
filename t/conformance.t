#!/bin/sh
# Our decisions equal those of the real kube-scheduler 1.15.3: on the cases we
# carry, and on all that stand beside the checkout.
. "$SRCDIR/t/lib/tap.sh"

for file in "$SRCDIR"/t/data/vectors/*.jsonl.gz \
    "$SRCDIR"/../shared/vectors/dev/*.jsonl.gz; do
	[ -f "$file" ] || continue
	name="$(basename "$(dirname "$file")")/$(basename "$file")"
	if out=$("$BUILDDIR/t/conformance" "$file" 2>&1); then
		pass "$name: $(printf '%s\n' "$out" | tail -n 1)"
	else
		fail "$name" "$out"
	fi
done
finish
