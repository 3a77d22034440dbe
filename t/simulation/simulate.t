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
# model FILE: what is no step of the model
model() {
	awk -f "$SRCDIR/t/simulation/steps.awk" "$1" | grep -v '^#'
}

"$BUILDDIR/t/simulation/simulate" --seeds 6 --minutes 20 --steps \
    >"$tmp/steps" 2>/dev/null
is "every step is one of the model's" \
    "$(model "$tmp/steps" | sed 's/^[0-9]* steps/steps/')" \
    "steps, 0 are not the model's"
printf '%s\n' "seed 0" "step 1 d leads -" "step 2 d waits p" \
    "step 3 d sent p n" "step 4 server bound p n" "step 5 d waits p" \
    "step 6 d stops -" "step 7 d sent p n" "step 8 d done q" >"$tmp/wrong"
is "a binding that is forgotten, one without the lease, a pod that goes" \
    "$(model "$tmp/wrong" | sed 's/ (it was.*//; s/.*: //')" \
    "forgotten, and the server has bound it
it sends and does not lead
the server has the pod, on no node
8 steps, 3 are not the model's"
is "a cluster of some size" \
    "$("$BUILDDIR/t/simulation/simulate" --nodes 60 --pods 900 2>/dev/null |
	sed 's/ [0-9.]* \(s\|ms\|MiB\) / \1 /g')" \
    "| 60 | 900 | s | ms | ms | ms | MiB |"
if sanitized; then
	skip "nothing stays of names" "the sanitizers keep what is freed"
else
	run "nothing stays of names" --names 1500
fi
is "a seed is the same history each time" "$(sort -u "$tmp/twice" | wc -l)" 1
finish
