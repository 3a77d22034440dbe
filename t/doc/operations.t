#!/bin/sh
# doc/operations.md: it has every metric, Event and alert, and names no other; its log
# lines are the program's; doc/troubleshooting.md has every reason of the predicates;
# their links lead somewhere.
. "$SRCDIR/t/lib/tap.sh"

page=$SRCDIR/doc/operations.md

# same NAME FILE FILE: the lines of both, sorted, are the same
same() {
	is "$1" "$(comm -3 "$2" "$3" | tr -s '\t' ' ')" ""
}

# ---- metrics ----

{
	sed -n 's/^METRIC([A-Z_0-9]*, [A-Z]*, "\([^"]*\)".*/\1/p' \
	    "$SRCDIR/src/wire/metrics/metrics_table.h"
	sed -n 's/.*{ "\(kube_pod_[a-z_]*\)",.*/\1/p' \
	    "$SRCDIR/src/daemon/gauges.c"
} | sort -u >"$tmp/metrics"
is "there are metrics" "$(($(wc -l <"$tmp/metrics") > 60))" 1
sed -n '/^## Metrics/,/^## [^M]/s/^| `\([a-z_0-9]*\)` .*/\1/p' "$page" |
    sort >"$tmp/rows"
same "every metric has a row, and every row is a metric" "$tmp/metrics" "$tmp/rows"
is "no metric has two" "$(uniq -d "$tmp/rows")" ""
# Those that are named elsewhere; of histograms, also their parts.
unknown=$(grep -oE '\b(scheduler|predicated|process|rest_client|leader_election|kube)_[a-z_0-9]+' \
    "$page" | sed -E 's/_(bucket|sum|count)$//' | sort -u |
    comm -23 - "$tmp/metrics")
is "every metric that is named exists" "$unknown" ""

# ---- Events ----

{
	find "$SRCDIR/src" -name '*.c' -exec \
	    sed -n 's/.*"\(Normal\|Warning\)", "\([A-Za-z]*\)".*/\2/p' {} +
	tr -d '\n\t' <"$SRCDIR/src/daemon/scheduler/report.c" |
	    grep -oE '("(Normal|Warning)"|warn\([^;]*), *"[A-Z][A-Za-z]+"' |
	    sed 's/.*"\([A-Za-z]*\)"/\1/'
	cat "$SRCDIR"/src/daemon/scheduler/report.c "$SRCDIR"/src/wire/leader/leader.c \
	    "$SRCDIR"/src/daemon/daemon.c |
	    sed -n 's/.*\.reason = "\([A-Za-z]*\)".*/\1/p'
	cat "$SRCDIR"/src/daemon/policy_source/policy_*.c | tr -d '\n\t' |
	    grep -oE '"(Normal|Warning)", *"[A-Za-z]+"' | sed 's/.*"\([A-Za-z]*\)"/\1/'
} | sort -u >"$tmp/events"
sed -n '/^| Event |/,/^$/s/^| `\([A-Za-z]*\)` .*/\1/p' "$page" |
    sort >"$tmp/rows"
same "every Event has a row, and every row is an Event" "$tmp/events" "$tmp/rows"

# ---- log lines ----

# Texts of the program, its split strings put together.
find "$SRCDIR/src" -name '*.[ch]' -exec cat {} + | tr -s '\n\t ' ' ' |
    sed 's/" \(\\ \)*"//g' >"$tmp/source"
unknown=$(sed -n '/^## The log/,/^## [^T]/s/^| \(`.*`\) | [a-z]* |.*/\1/p' \
    "$page" | sed 's/` … `/\n/g; s/^`//; s/`$//' | sed 's/` … `/\n/; s/`//g' |
    while IFS= read -r line; do
	grep -qF -- "$line" "$tmp/source" || echo "$line"
done)
is "every log line is the program's" "$unknown" ""

# ---- reasons ----

reasons=$SRCDIR/doc/troubleshooting.md
sed -n '/^## Messages of/q; s/^| `\([^`]*\)`.*/\1/p' "$reasons" >"$tmp/rows"
is "there are reasons" "$(($(wc -l <"$tmp/rows") > 40))" 1
unknown=$(while IFS= read -r reason; do
	grep -qF -- "$reason" "$tmp/source" || echo "$reason"
done <"$tmp/rows")
is "every reason is the program's" "$unknown" ""
# Of those with names in them the beginning.
missing=$(cat "$SRCDIR"/src/predicates/*.[ch] | tr -s '\n\t ' ' ' |
    sed 's/" \(\\ \)*"//g' |
    grep -oE '#define WHY[A-Z_0-9]* (\\ )?"node\(s\)[^"]*"' |
    sed 's/.*"\(.*\)"/\1/' | sort -u | while IFS= read -r reason; do
	grep -qF -- "${reason%%\%*}" "$reasons" || echo "$reason"
done)
is "every reason of a predicate has a row" "$missing" ""

# ---- alerts ----

rules=$(find "$SRCDIR/etc" -name '*.yaml' -exec grep -hoE 'alert: [A-Za-z]+' {} + |
    sed 's/alert: //' | sort -u)
printf '%s\n' "$rules" | grep . >"$tmp/alerts"
sed -n '/^## Alerts/,/^## [^A]/s/^### //p' "$page" | sort >"$tmp/rows"
same "every alert has a section, and every section is an alert" \
    "$tmp/alerts" "$tmp/rows"

# ---- links ----

for file in operations compatibility troubleshooting; do
	unknown=$(grep -oE '\]\([^)]*\)' "$SRCDIR/doc/$file.md" |
	    sed 's/^](//; s/)$//' | grep -v '^http' | sort -u |
	    while IFS= read -r link; do
		target=${link%%#*}
		at=${link#"$target"}
		to=$SRCDIR/doc/${target:-$file.md}
		[ -e "$to" ] || {
			echo "$link"
			continue
		}
		[ -z "$at" ] || sed -n 's/^##* //p' "$to" |
		    tr '[:upper:]' '[:lower:]' | tr -cd 'a-z0-9 \n-' |
		    tr ' ' '-' | grep -qx -- "${at#\#}" || echo "$link"
	done)
	is "doc/$file.md: every link leads somewhere" "$unknown" ""
done
finish
