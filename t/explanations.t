#!/bin/sh
# Whatever the release and the feature gates, every explanation of every recorded case is
# given, and leaves the cluster as it was.  EXPLANATIONS=every make check, or a number of
# combinations for each case (explanations.c), asks more than the usual few.
. "$SRCDIR/t/lib/tap.sh"

each=${EXPLANATIONS:-2}
case $each in
every) each=--every ;;
*) each=--each=$each ;;
esac

# explain RELEASE FILE [OPTION]
explain() {
	[ -f "$2" ] || return 0
	name="$(basename "$(dirname "$2")")/$(basename "$2")${3+, $3}"
	if out=$("$BUILDDIR/t/explanations" --release "$1" "$each" ${3+"$3"} \
	    "$2" 2>&1)
	then
		pass "$name: $(printf '%s\n' "$out" | tail -n 1)"
	else
		fail "$name" "$out"
	fi
}

for path in "$SRCDIR"/t/data/vectors/*.gz; do
	explain 15 "$path"
done
for path in "$SRCDIR"/t/data/releases/*.gz \
    "$SRCDIR"/t/data/releases/policies/*.gz; do
	minor=$(basename "$path" .jsonl.gz)
	explain "${minor#1.}" "$path"
done
explain 36 "$SRCDIR/t/data/releases/1.36.jsonl.gz" --default-policy
if [ -n "${EXPLANATIONS-}" ]; then
	for path in "$SRCDIR"/../shared/vectors/dev/*.gz; do
		explain 15 "$path"
	done
	for path in "$SRCDIR"/../shared/vectors/k120/*.gz; do
		explain 20 "$path"
	done
	for path in "$SRCDIR"/../shared/vectors/k136/*.gz \
	    "$SRCDIR"/../shared/vectors/today/*.gz; do
		explain 36 "$path"
	done
fi
finish
