#!/bin/sh
# The model of binding and leader changes (model.pml), by spin: its promises hold in
# all runs with one fault, and each of six bugs breaks one.  `make model` checks it
# with both nodes and faults, which takes some minutes.
. "$SRCDIR/t/lib/tap.sh"

command -v spin >/dev/null ||
	skip_all "spin is not installed"
model=$SRCDIR/t/simulation/model.pml
cd "$tmp" || exit 1
optimize=-O0 # to compile it takes longest

# model NAME SAFE|LIVE [-DNAME=VALUE…]: sets $found, what spin found first.
model() {
	how=$1
	shift
	case $how in
	safe) build='-DSAFETY -DNOCLAIM' run= ;;
	live)
		build=-DNFAIR=5 run='-a -f'
		set -- -DPROGRESS "$@"
		;;
	esac
	spin "$@" -a "$model" >spin.out 2>&1 || bail_out "$(cat spin.out)"
	# shellcheck disable=SC2086 # to be split
	${CC:-cc} -w $optimize -DCOLLAPSE -DMEMLIM=8000 $build -o pan pan.c ||
		bail_out "what spin makes of the model cannot be compiled"
	# shellcheck disable=SC2086
	./pan $run -n -m200000 >pan.out 2>&1
	found=$(sed -n 's/^pan:1: \(assertion violated\|acceptance cycle\).*/\1/p' \
	    pan.out)
	! grep -q 'not completed\|too small\|out of memory' pan.out ||
		found=${found:-not complete}
}

holds() {
	name=$1
	shift
	model "$@"
	is "$name" "$found" ""
	sed -n 's/^ *\([0-9]* states, stored\).*/# \1/p' pan.out
}

breaks() {
	name=$1
	want=$2
	shift 2
	model "$@"
	is "$name" "$found" "$want"
}

if [ "${1-}" = whole ]; then
	optimize=-O2
	holds "two nodes, one fault: safe" safe
	holds "one node, one fault: nothing waits for ever" live -DNODES=1
	holds "one node, two faults: safe" safe -DNODES=1 -DFAULTS=2
	finish
fi
holds "two nodes, no fault: safe" safe -DFAULTS=0
holds "two nodes, no fault: nothing waits for ever" live -DFAULTS=0
holds "one node, one fault: safe" safe -DNODES=1
breaks "binds without looking at the lease" "assertion violated" safe -DBUG=1
breaks "forgets while in doubt" "assertion violated" safe -DBUG=2
breaks "an event during an attempt is lost" "acceptance cycle" \
    live -DBUG=3 -DFAULTS=0
breaks "room that comes wakes nobody" "acceptance cycle" \
    live -DBUG=4 -DFAULTS=0
breaks "does not assume" "assertion violated" safe -DBUG=5 -DFAULTS=0
breaks "doubt is never looked into" "acceptance cycle" \
    live -DBUG=6 -DNODES=1
finish
