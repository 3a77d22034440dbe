#!/bin/sh
# One verdict about a pod everywhere: the overview, the list of pending pods and the
# pod's page say what explain, explain --all-pending and simulate say, about 1,000 pods
# that wait: most go to a node, others find it taken by those before them, fit
# nowhere, are not tried, or fit once a pod before them is placed.
. "$SRCDIR/t/lib/tap.sh"
. "$SRCDIR/t/page/web.sh"

dump=$tmp/cluster.json
{
	sh "$SRCDIR/t/page/make_cluster.sh" 9 40 997
	cat <<'EOF'
{"kind":"Pod","metadata":{"namespace":"own","name":"first","labels":{"app":"first"},"creationTimestamp":"2026-01-01T00:00:00Z"},"spec":{"containers":[{"name":"c","resources":{"requests":{"cpu":"1"}}}]},"status":{"phase":"Pending"}}
{"kind":"Pod","metadata":{"namespace":"own","name":"follower","creationTimestamp":"2026-01-02T00:00:00Z"},"spec":{"affinity":{"podAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":[{"labelSelector":{"matchLabels":{"app":"first"}},"topologyKey":"kubernetes.io/hostname"}]}},"containers":[{"name":"c"}]},"status":{"phase":"Pending"}}
{"kind":"Pod","metadata":{"namespace":"own","name":"gated","creationTimestamp":"2026-01-02T00:00:00Z"},"spec":{"schedulingGates":[{"name":"example.com/wait"}],"containers":[{"name":"c"}]},"status":{"phase":"Pending"}}
EOF
} >"$dump"

set -- --kubernetes-version 1.30 --cluster "$dump"
ctl() {
	"$BUILDDIR/predicatectl" "$@" 2>>"$tmp/errors"
}
ctl explain --all-pending -o json "$@" >"$tmp/all.json"
ctl simulate -o json "$@" >"$tmp/simulate.json"
serve_web "$dump" --kubernetes-version 1.30
api "/api/v1/pending?limit=2000" >"$tmp/pending.json"
api "/api/v1/reasons?remedies=true" >"$tmp/reasons.json"

# statuses FILTER FILE: "POD STATUS NODE" of each, in the order of names
statuses() {
	jq -r "$1" "$2" | sort
}
statuses '.pods[] | "\(.pod) \({"": "goes", queue: "behind",
    gate: "held"}[.cause] // "stays") \(.node)"' "$tmp/all.json" \
    >"$tmp/all"
statuses '.pods[] | "\(.name) \(.status) \(.node)"' "$tmp/pending.json" \
    >"$tmp/pending"
is "1,000 pods" "$(wc -l <"$tmp/all" | tr -d ' ')" 1000
for status in goes behind stays held; do
	has "one that $status at least" "$(cut -d ' ' -f 2 "$tmp/all" |
	    sort -u)" "$status"
done
is "the list of pending pods says what explain --all-pending says" \
    "$(diff "$tmp/all" "$tmp/pending")" ""
is "simulate places the same pods on the same nodes" \
    "$(jq -r '.placed[] | "\(.pod) goes \(.node)"' "$tmp/simulate.json" |
	sort | diff - "$tmp/all" | grep -c '^<')" 0
is "and leaves the others" "$(jq '.pending | length' "$tmp/simulate.json")" \
    "$(grep -vc ' goes ' "$tmp/all")"
is "who fits alone is said by simulate, too" \
    "$(jq -r '.pending[] | select(.status == "behind") | .pod' \
	"$tmp/simulate.json" | sort)" \
    "$(sed -n 's/ behind null$//p' "$tmp/all")"
is "the overview counts them" \
    "$(jq -c '[([.groups[] | select(.reason == null) | .pods] | add),
	([.groups[].alone] | add), ([.problems[].pods] | add)]' \
	"$tmp/reasons.json")" \
    "[$(grep -c ' goes ' "$tmp/all"),$(grep -c ' behind ' "$tmp/all"),$(
	grep -cE ' (behind|stays|held) ' "$tmp/all")]"
jq -r '.pods[] | select(.node == null) | "\(.cause): \(.remedy)"' \
    "$tmp/all.json" | sort -u >"$tmp/causes"
is "with the same causes and remedies" "$(jq -r '.problems[] |
    "\(.cause): \(.remedy)"' "$tmp/reasons.json" | sort -u |
    comm -23 - "$tmp/causes")" ""
is "and the same more nodes" "$(jq -c .moreNodes "$tmp/reasons.json")" \
    "$(jq -c .moreNodes "$tmp/all.json")"

# The pod's page and explain, of every 40th and of one of each kind.
{
	awk 'NR % 40 == 1' "$tmp/all"
	sort -u -k 2,2 "$tmp/all"
	grep own/ "$tmp/all"
} | sort -u >"$tmp/some"
while read -r pod status node; do
	code=0
	ctl explain "$pod" -o json "$@" >"$tmp/one.json" || code=$?
	api "/api/v1/pod?name=$pod&limit=1&queue=true" >"$tmp/page.json"
	is "$pod: $status, by explain and by its page" \
	    "$(jq -r '.queue | "\(.status) \(.node)"' "$tmp/one.json" \
		"$tmp/page.json")" "$status $node
$status $node"
	is "$pod: the same sentence and remedy" \
	    "$(jq -c '.diagnosis | [.text, .remedy]' "$tmp/one.json")" \
	    "$(jq -c '.diagnosis | [.text, .remedy]' "$tmp/page.json")"
	[ "$status" = goes ] ||
		is "$pod: as in the list of all" \
		    "$(jq -c '.diagnosis | [.text, .remedy]' "$tmp/one.json")" \
		    "$(jq -c --arg pod "$pod" '.pods[] |
			select(.pod == $pod) | [.text, .remedy]' \
			"$tmp/all.json")"
	is "$pod: the exit status says whether it gets a node" "$code" \
	    "$([ "$status" = goes ] && echo 0 || echo 1)"
done <"$tmp/some"
stop_web

# The workbench and diff, of some policies and of one whose pods lose their place.
sh "$SRCDIR/t/page/make_cluster.sh" 30 500 20 5 >"$dump"
policy=$SRCDIR/etc/examples/openshift-default.cfg
serve_web "$dump" --policy "$policy"
api /api/v1/baseline | jq -S .replay.balance >"$tmp/baseline.json"
labels='{labelsPresence: {labels: ["x"], presence: true}}'
for change in '.priorities[0].weight = 9' 'del(.priorities)' \
    '.priorities[0].name = "MostRequestedPriority"' '.predicates = []' \
    ".predicates += [{name: \"Labelled\", argument: $labels}]"; do
	jq "$change" "$policy" >"$tmp/new.cfg"
	ctl diff "$policy" "$tmp/new.cfg" -o json --all --cluster "$dump" \
	    >"$tmp/diff.json"
	jq -n --rawfile text "$tmp/new.cfg" '{$text}' |
		api "/api/v1/workbench?stage=full&limit=10000" -d @- \
		    >"$tmp/full.json"
	is "$change: the page and diff count the same" "$(jq -S '.moves as $m |
	    .replay.balance as $balance | $m | del(.pods) + {moves: [.pods[] |
	    [.pod, .now, .old, .new, .cause, .rule, .why]] | sort} +
	    {$balance}' "$tmp/full.json" >"$tmp/page"; jq -S '
	    .balance.new as $balance | {moves: [.differences[] |
	    [.pod, .now, .old, .new, .cause, .rule, .why]] | sort} +
	    {elsewhere, unschedulable, schedulable, explained, causes} +
	    {rules: [.rules[] | {rule, pods}]} + {$balance}' \
	    "$tmp/diff.json" | diff - "$tmp/page" | head -n 20)" ""
	is "$change: and have the same before" \
	    "$(jq -S .balance.old "$tmp/diff.json" | diff - "$tmp/baseline.json")" ""
	is "$change: pods that lose their place are listed first" \
	    "$(jq '[.moves.pods[].new == null] | . == (sort | reverse)' \
		"$tmp/full.json")" true
done
has "pods lose their place" "$(jq '.moves.unschedulable > 100' \
    "$tmp/full.json")" true
stop_web
finish
