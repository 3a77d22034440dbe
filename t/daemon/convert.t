#!/bin/sh
# Every sample policy, converted: kube-scheduler starts with it, 1.20 with v1beta1 and
# later ones with v1beta2 or v1, and places generated pods, one at a time, on nodes that
# we rank best under the configuration.  Under the policy the same nodes fit, and are
# ranked the same but for rounding, as v1beta1 has every rule; v1 has fewer.
. "$SRCDIR/t/lib/tap.sh"
. "$SRCDIR/t/lib/apiserver.sh"
. "$SRCDIR/t/daemon/e2e.sh"
. "$SRCDIR/t/daemon/beside.sh"

pods=20
policy=

# The rule: a total of the policy is that of the configuration in tenths, less what
# rounding to 0-10 takes, which is less than a point from each priority that is not
# a yes or no.  An equal priority ranks nothing.  For pods with spread constraints
# 1.20 has no SelectorSpread.  For hard ones it counts pods on all nodes of a zone, a
# policy only on those that the pod's node selector allows, as later releases do:
# for such pods other nodes may fit, and scores are of other nodes.
cat >"$tmp/rule.jq" <<'END'
def weights: [$policy[0].priorities[] | select(.name != "EqualPriority")];
def counts: if $pod.spec.topologySpreadConstraints then
	weights | map(select(.name | test("^S(elector|ervice)Spread") | not))
    else weights end;
def rounding: [counts[] | select(.name != "NodePreferAvoidPodsPriority" and
	.argument.labelPreference == null) | .weight] | add // 0;
def total: . as $node | [counts[] | .weight * $node.scores[.name]] | add // 0;
def fitting: [.nodes[] | select(.fits)] | sort_by(.name);
($ours[0] | fitting) as $nodes | ($converted[0] | fitting) as $theirs |
if [$nodes[].name] != [$theirs[].name] then
	if $pod.spec.nodeSelector and ([$pod.spec.topologySpreadConstraints[]? |
	    .whenUnsatisfiable] | index("DoNotSchedule")) then empty else
	"\($pod.metadata.name) fits on \([$nodes[].name]), converted: \([$theirs[].name])" end
else first(range($nodes | length) | $nodes[.] as $node | $theirs[.] as $their |
	($their.total - 10 * ($node | total)) as $more |
	select($more != 0 and ($more >= 10 * rounding or $more <= - rounding)) |
	"\($pod.metadata.name) on \($node.name): \($node.scores), converted: \($their.scores)")
end
END

start_apiserver
choose_config_version
make_nodes
samples=
for file in "$SRCDIR"/etc/examples/*.cfg; do
	sample=$(basename "$file" .cfg)
	samples="$samples $sample"
	"$BUILDDIR/predicatectl" convert --policy "$file" --to $config_version \
	    --kubernetes-version "1.$kubernetes_minor" \
	    --scheduler-name "$sample" >"$tmp/$sample.yaml" 2>/dev/null
	start_peer "$tmp/$sample.yaml"
	pass "$sample: kube-scheduler starts with it"
	make_services "$sample" 2
done
peers_know
placed=0
best=0
seed=1
for sample in $samples; do
	file=$SRCDIR/etc/examples/$sample.cfg
	config=$tmp/$sample.yaml.peer
	log=$tmp/$sample.yaml.log
	# Where a label must be there, on nodes without it, too.
	case $sample in
	openshift-sample-[45]) key= ;;
	*) key=dedicated ;;
	esac
	seed=$((seed + 1))
	make_pods "$pods" "$sample" "$sample" 4 "$key" "$seed" >"$tmp/pods"
	: >"$tmp/odd"
	: >"$tmp/other"
	while read -r pod; do
		create_pod "$pod"
		explain --config "$config" >"$tmp/converted.json"
		explain --policy "$file" >"$tmp/ours.json"
		disagreement "$tmp/converted.json" >>"$tmp/odd"
		[ "$config_version" != v1beta1 ] ||
		    jq -nr --argjson pod "$pod" --slurpfile policy "$file" \
			--slurpfile ours "$tmp/ours.json" \
			--slurpfile converted "$tmp/converted.json" \
			-f "$tmp/rule.jq" >>"$tmp/other"
		[ -n "$node" ] || continue
		placed=$((placed + 1))
		[ -n "$(disagreement "$tmp/ours.json")" ] || best=$((best + 1))
	done <"$tmp/pods"
	is "$sample: kube-scheduler's choice is among our best" \
	    "$(cat "$tmp/odd")" ""
	[ "$config_version" != v1beta1 ] ||
	    is "$sample: the policy has the same nodes, and scores but for rounding" \
		"$(cat "$tmp/other")" ""
done
echo "# $placed of $((pods * 7)) pods are placed," \
    "$best of them on a node that is best under the policy, too"
is "most pods are placed" \
    "$([ "$placed" -gt $((pods * 7 / 2)) ] && echo yes)" yes
[ "$config_version" != v1beta1 ] ||
    is "most on the policy's very best" \
	"$([ $((best * 10)) -gt $((placed * 9)) ] && echo yes)" yes
finish
