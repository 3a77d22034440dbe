# shellcheck shell=sh disable=SC2154
# Sourced by shell tests, after tap.sh: the rules about Kosmos' distribution
# policies of t/data/kosmos.

# kosmos_rules: makes rules.yaml in $tmp, and of it policies.yaml, older.yaml and
# pods.yaml (with their namespaces).
kosmos_rules() {
	terms=$(tr -d '\n' <"$SRCDIR/t/data/kosmos/terms.yaml")
	sed "s|TERMS|$terms|" "$SRCDIR/t/data/kosmos/rules.yaml" \
	    >"$tmp/rules.yaml"
	only DistributionPolicy >"$tmp/policies.yaml"
	only 'older: "true"' >"$tmp/older.yaml"
	only 'kind: Namespace' >"$tmp/namespaces.yaml"
	only 'kind: Pod' >"$tmp/pods.yaml"
}

# The documents of rules.yaml with this in them.
only() {
	awk -v part="$1" 'BEGIN { RS = "---\n" }
	    index($0, part) { printf "---\n%s", $0 }' "$tmp/rules.yaml"
}

# "NS/POD<tab>WANT<tab>RULE" of each pod.
kosmos_wants() {
	awk '/kind: Pod/ { pod = $0; sub(/.*namespace: /, "", pod)
		sub(/, name: /, "/", pod); sub(/,.*/, "", pod) }
	    /rule: / { split($0, parts, "\"") }
	    /want: / { want = $0; sub(/.*want: /, "", want)
		sub(/}.*/, "", want)
		print pod "\t" want "\t" parts[2] }' "$tmp/pods.yaml"
}

# kosmos_check FILE: it holds "NS/POD NODE" of each pod; a test for each rule.
kosmos_check() {
	kosmos_wants >"$tmp/wants"
	while IFS='	' read -r pod want rule; do
		node=$(awk -v pod="$pod" '$1 == pod { print $2 }' "$1")
		case $want,$node in
		host,kosmoscluster1-[12] | leaf,kosmos-member2-cluster-[12])
			pass "$rule" ;;
		*)
			is "$rule" "$node" "$want" ;;
		esac
	done <"$tmp/wants"
}
