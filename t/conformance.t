#!/bin/sh
# Our decisions equal those of the real kube-scheduler 1.15.3: on the cases we
# carry, and on all that stand beside the checkout.  In a cluster of 1.16 to 1.22 the
# same nodes fit under a policy as for its kube-scheduler, in one of 1.36 as for 1.36.2.
# Profiles of plugins decide in all things as kube-scheduler 1.20.2 and 1.36.2, and have
# the verdicts, reasons and scores of those of the releases between.  And what lets a pod in wakes it.
. "$SRCDIR/t/lib/tap.sh"

# Under sanitizers those that we carry: the others take ten minutes, and say the same.
shared=$SRCDIR/../shared
! sanitized || shared=/nowhere

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
    "$shared"/vectors/dev/*.jsonl.gz; do
	compare "$path"
done
# of all reasons of a node in 1.24 and 1.25 any plugin may be the first
for path in "$SRCDIR"/t/data/releases/*.jsonl.gz; do
	minor=$(basename "$path" .jsonl.gz)
	fields=fits,code,reasons,scheduleError,scores,total
	case ${minor#1.} in
	24 | 25) ;;
	36) fields=$fields,plugin,best,message,preemption,allocations ;;
	*) fields=$fields,plugin ;;
	esac
	compare_by conformance_profiles "$path" --release "${minor#1.}" \
	    --fields "$fields"
done
for path in "$SRCDIR"/t/data/releases/policies/*.jsonl.gz; do
	compare "$path" --release "$(basename "$path" .jsonl.gz)"
done
for path in "$SRCDIR"/t/data/vectors/*.jsonl.gz \
    "$shared"/vectors/k136/*.jsonl.gz; do
	compare_by conformance_wakes "$path"
done
for path in "$shared"/vectors/today/*.jsonl.gz; do
	compare "$path" --release 1.36
done
for path in "$shared"/vectors/k120/*.jsonl.gz; do
	compare_by conformance_profiles "$path" --release 20
done
for path in "$shared"/vectors/k136/*.jsonl.gz \
    "$shared"/vectors/today/*.jsonl.gz; do
	compare_by conformance_profiles "$path" --release 36
done
finish
