#!/bin/sh
# Our decisions equal those of the real kube-scheduler 1.15.3: on the cases we
# carry, and on all that stand beside the checkout.  In a cluster of 1.36 the same
# nodes fit as for kube-scheduler 1.36.2.  Profiles of plugins decide in all things as
# kube-scheduler 1.20.2 and 1.36.2.  And what lets a pod in wakes it.
. "$SRCDIR/t/lib/tap.sh"

# RUNNER FILE [OPTION...]
compare_by() {
	[ -f "$2" ] || return 0
	runner=$1
	file=$2
	shift 2
	name="$runner $(basename "$(dirname "$file")")/$(basename "$file")"
	if out=$("$BUILDDIR/t/$runner" "$@" "$file" 2>&1); then
		pass "$name: $(printf '%s\n' "$out" | tail -n 1)"
	else
		fail "$name" "$out"
	fi
}

compare() {
	compare_by conformance "$@"
}

for path in "$SRCDIR"/t/data/vectors/*.jsonl.gz \
    "$SRCDIR"/../shared/vectors/dev/*.jsonl.gz; do
	compare "$path"
done
for path in "$SRCDIR"/t/data/vectors/*.jsonl.gz \
    "$SRCDIR"/../shared/vectors/k136/*.jsonl.gz; do
	compare_by conformance_wakes "$path"
done
for path in "$SRCDIR"/../shared/vectors/today/*.jsonl.gz; do
	compare "$path" --release 1.36
done
for path in "$SRCDIR"/../shared/vectors/k120/*.jsonl.gz; do
	compare_by conformance_profiles "$path" --release 20
done
for path in "$SRCDIR"/../shared/vectors/k136/*.jsonl.gz \
    "$SRCDIR"/../shared/vectors/today/*.jsonl.gz; do
	compare_by conformance_profiles "$path" --release 36
done
finish
