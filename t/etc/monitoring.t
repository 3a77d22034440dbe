#!/bin/sh
# The alerts and the dashboard of etc/kubernetes: promtool accepts them, each alert
# fires when it should and only then, and they use metrics and labels that the daemon
# exports.
. "$SRCDIR/t/lib/tap.sh"

PATH=$PATH:$("$SRCDIR/script/apiserver" --tools)
components=$SRCDIR/etc/kubernetes/components
dashboard=$components/dashboard/dashboard.json
table=$SRCDIR/src/wire/metrics/metrics_table.h
# Prometheus adds these: "up", and the labels of the target.
target='job namespace instance pod'

# The part below "spec" is a rule file.
sed -e '1,/^spec:/d' -e 's/^  //' "$components/alerts/alerts.yaml" \
    >"$tmp/alerts.yaml"
# field NAME KEY: of an alert, on one line.
field() {
	awk -v name="$1" -v key="$2:" '
		$1 == "-" && $2 == "alert:" { at = $3 == name; on = 0; next }
		!at { next }
		$1 ~ /^[a-z_]+:$/ { on = $1 == key; $1 = "" }
		on { sub(/^ *(>-)? */, ""); gsub(/^"|"$/, ""); printf "%s ", $0 }
		END { print "" }' "$tmp/alerts.yaml"
}
sed -n 's/^ *- alert: //p' "$tmp/alerts.yaml" >"$tmp/names"
is "there are alerts" "$([ "$(wc -l <"$tmp/names")" -gt 20 ] && echo yes)" yes
is "no two of one name" "$(sort "$tmp/names" | uniq -d)" ""

# ---- promtool ----

jq '{groups: [{name: "dashboard", rules: [.panels[] | .id as $id |
    .targets[]? | {record: "panel:\($id):\(.refId)", expr: (.expr |
	gsub("\\$__rate_interval"; "5m") | gsub("\\$[a-z]+"; ".*"))}]}]}' \
    "$dashboard" >"$tmp/dashboard.rules" || fail "the dashboard is JSON"
cp "$SRCDIR/t/etc/alerts_test.yaml" "$tmp/"
# by_promtool NAME ARGUMENT…
by_promtool() {
	name=$1
	shift
	if ! command -v promtool >/dev/null; then
		skip "$name" "there is no promtool"
	elif (cd "$tmp" && promtool "$@") >"$tmp/promtool" 2>&1; then
		pass "$name"
	else
		fail "$name" "$(cat "$tmp/promtool")"
	fi
}
by_promtool "the alerts are rules" check rules alerts.yaml
by_promtool "each fires when it should" test rules alerts_test.yaml
by_promtool "the dashboard's expressions are PromQL" check rules dashboard.rules

# ---- what an alert says ----

# Where the packages install doc/ (t/etc/install.t).
runbooks=file:///usr/share/doc/predicated/
while read -r name; do
	lower=$(echo "$name" | tr '[:upper:]' '[:lower:]')
	is "$name has a runbook" "$(field "$name" runbook_url)" \
	    "${runbooks}operations.md#$lower "
	is "which is there" \
	    "$(grep -cx "### $name" "$SRCDIR/doc/operations.md")" 1
	has "a summary" "$(field "$name" summary)" ". "
	has "a description" "$(field "$name" description)" ". "
	is "a test in which it fires, and one in which not" \
	    "$(grep -cE "^- name: (no )?$name\$" "$tmp/alerts_test.yaml")" 2
done <"$tmp/names"
# shellcheck disable=SC2046 # one word without blanks
is "doc/kubernetes.md has the command that replaces the address" \
    "$(sed $(sed -n "s/^ *sed '\(.*\/predicated\/|https:.*\)' .*/\1/p" \
	"$SRCDIR/doc/kubernetes.md") "$tmp/alerts.yaml" |
	grep -c 'runbook_url: https://[^ ]*/operations.md#')" \
    "$(wc -l <"$tmp/names")"

# ---- metrics and labels ----

while read -r name; do
	field "$name" expr
done <"$tmp/names" >"$tmp/expressions"
jq -r '.. | .expr? // empty' "$dashboard" >>"$tmp/expressions"
jq -r '.templating.list[].query.query? // empty |
    select(startswith("label_values")) | sub("label_values."; "")' \
    "$dashboard" >>"$tmp/expressions"
# Every series that is exported: "NAME ID LABEL…".
awk -v target="$target" '
	/^METRIC\(/ {
		gsub(/[(,"]/, " ")
		id = $2; type = $3; name = $4
		getline
		split($0, part, "\"")
		labels = part[2] " " target
		if (type != "HISTOGRAM") {
			print name, id, labels
			next
		}
		print name "_bucket", id, "le", labels
		print name "_sum", id, labels
		print name "_count", id, labels
	}
	END { print "up - " target }' "$table" >"$tmp/exported"
# Every use: "NAME LABEL…", with the labels of its selector, then those that the
# expression keeps by "by" and "on", of which some metric there must have each.
jq -R -r '. as $e |
    ([match("\\b(?:by|on) \\(([^)]*)\\)"; "g").captures[0].string |
	split(", *"; null)[]] | join(" ")) as $kept |
    [match("([a-z_:]+)\\{([^}]*)\\}"; "g") | .captures |
	{name: .[0].string, labels: ([.[1].string |
	    match("([a-z_]+)(?:=~|!~|!=|=)\""; "g").captures[0].string] |
	    join(" "))}] as $uses |
    ($uses[] | "use \(.name) \(.labels)"),
    "kept \([$uses[].name] | unique | join(",")) \($kept)"' \
    "$tmp/expressions" >"$tmp/uses"
is "metrics are used" "$([ "$(grep -c '^use' "$tmp/uses")" -gt 60 ] &&
    echo yes)" yes
awk '
	NR == FNR { for (i = 3; i <= NF; i++) has[$1, $i] = 1; is[$1] = 1; next }
	$1 == "use" {
		if (!is[$2]) print "there is no metric " $2
		for (i = 3; i <= NF; i++)
			if (is[$2] && !has[$2, $i])
				print $2 " has no label " $i
	}
	$1 == "kept" {
		n = split($2, names, ",")
		for (i = 3; i <= NF; i++) {
			found = 0
			for (j = 1; j <= n; j++)
				found += has[names[j], $i]
			if (!found) print $2 " have no label " $i
		}
	}' "$tmp/exported" "$tmp/uses" >"$tmp/wrong"
is "every metric and label is exported" "$(sort -u "$tmp/wrong")" ""
# One that is in the table and never set would be no help.
is "every metric is set somewhere" "$(
	awk 'NR == FNR { id[$1] = $2; next }
	    $1 == "use" && $2 != "up" { print id[$2] }' \
	    "$tmp/exported" "$tmp/uses" | sort -u |
	    while read -r id; do
		    grep -rqw "METRIC_$id" "$SRCDIR/src" --include='*.c' ||
			echo "$id"
	    done)" ""

# ---- the dashboard ----

is "every panel has a title, a unit, a query and Grafana's data source" \
    "$(jq -r '.panels[] | select(.type != "row") |
	select((.title // "") == "" or (.targets | length) == 0 or
	    (.fieldConfig.defaults.unit // "") == "" or
	    .datasource.uid != "${datasource}" or
	    any(.targets[]; .expr == "" or .datasource.uid != "${datasource}")) |
	.id' "$dashboard")" ""
is "every query is of the chosen job and namespace" "$(jq -r '.panels[].targets[]? |
    .expr | select((test("\\$job") and test("\\$namespace")) | not)' \
    "$dashboard")" ""
is "all variables are defined" \
    "$(jq -c '[.templating.list[].name] | sort' "$dashboard")" \
    '["datasource","job","namespace"]'
is "no two panels are in one place, or have one number" "$(jq -r '
    [.panels[] | .gridPos as $g | range($g.x; $g.x + $g.w) as $x |
	range($g.y; $g.y + $g.h) as $y | "\($x) \($y)"] as $cells |
    ([.panels[].id] | length - (unique | length)),
    ($cells | length - (unique | length)),
    ([.panels[].gridPos | select(.x + .w > 24)] | length)' "$dashboard" |
    tr '\n' ' ')" "0 0 0 "
finish
