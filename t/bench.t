#!/bin/sh
# t/bench on tiny clusters: every scenario comes out right, and in the form that
# --help promises.
. "$SRCDIR/t/lib/tap.sh"

bench() {
	"$BUILDDIR/t/bench" --policy "$SRCDIR/etc/examples/openshift-default.cfg" \
	    --predicatectl "$BUILDDIR/predicatectl" "$@" 2>&1
}

out=$(bench --nodes 12,30 --pods-per-node 3 --place 150 --output "$tmp/lines")
is "all results are right" "$?" 0
lacks "and none is called wrong" "$out" WRONG
scenarios=$(bench --help | sed -n '/^Scenarios:/,/^$/s/^  \([^ ]*\).*/\1/p' |
    grep -v '^files$')
want=$(for s in $scenarios; do echo "$s 12"; echo "$s 30"; done)
is "a row for each scenario and size" \
    "$(printf '%s\n' "$out" | sed -n '2,/^$/p' | 
    awk 'NF && $1 != "predicatectl:" { print $1, $2 }')" \
    "$want"
is "and a line" \
    "$(sed 's/^{"scenario":"\([^"]*\)","nodes":\([0-9]*\),.*/\1 \2/' "$tmp/lines")" \
    "$want"
members=$(bench --help | sed -n '/^Members/,$p' | tr '\n' ' ' |
    sed 's/.*: //; s/([^)]*)//g; s/[,.]//g')
# shellcheck disable=SC2116 # blanks become one
is "with these members" "$(head -n 1 "$tmp/lines" | grep -o '"[a-z0-9_]*":' |
    tr -d '":' | tr '\n' ' ')" "$(echo $members) "

out=$(bench --nodes 10 --place 40 --no-ecache identical preemption)
is "without results kept, too" "$? $(printf '%s\n' "$out" | grep -c ' 10 ')" "0 2"

bench --nodes 10 --place 40 --output "$tmp/profile" --config \
    "$SRCDIR/etc/examples/kubescheduler-v1.yaml" identical unschedulable preemption >/dev/null
is "by a profile of plugins" "$? $(wc -l <"$tmp/profile")" "0 3"
sed 's/"per_second":[0-9.]*/"per_second":1000/' "$tmp/profile" >"$tmp/before"
sed 's/"per_second":[0-9.]*/"per_second":900/' "$tmp/profile" >"$tmp/after"
out=$("$SRCDIR/script/bench-compare" "$tmp/before" "$tmp/after")
is "runs are compared" "$? $out" "1 identical 10                     1000          900   0.90  below 0.95
unschedulable 10                 1000          900   0.90  below 0.95
preemption 10                    1000          900   0.90  below 0.95"

cat >"$tmp/x-cluster.json" <<'END'
{"kind":"List","items":[
{"kind":"Node","metadata":{"name":"a"},"status":{"allocatable":{"pods":"2"}}},
{"kind":"Pod","metadata":{"name":"p","namespace":"d","uid":"p"},"spec":{"nodeName":"a"}}]}
END
cat >"$tmp/pods.json" <<'END'
{"kind":"List","items":[
{"kind":"Pod","metadata":{"name":"q","namespace":"d","uid":"q"},"spec":{}}]}
END
gzip "$tmp/pods.json"
out=$(bench --cluster "$tmp/x-cluster.json" --pods "$tmp/pods.json.gz" files)
is "from files" "$(printf '%s\n' "$out" | awk '$1 == "x" { print $2, $3, $4, $5 }')" \
    "1 1 1 1"
out=$(bench --cluster "$tmp/x-cluster.json" --pods "$tmp/x-cluster.json" files)
is "without pods to place it fails" "$?" 1
has "and says so" "$out" "WRONG: there are no pods to place"
out=$(bench no-such)
is "an unknown scenario" "$? $out" '2 bench: there is no scenario "no-such"'
out=$(bench --nodes 0)
is "a bad size" "$? $out" '2 bench: "0" is no number from 1 to 10000000'
finish
