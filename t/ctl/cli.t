#!/bin/sh
# The command line: help, wrong usage, where things go.
. "$SRCDIR/t/ctl/ctl.sh"

ctl
is "no command: wrong usage" "$code" 2
has "no command: says which there are" "$err" \
    "missing command: check, convert, explain, simulate, capacity, drain, diff, \
audit, why-not, replay, defrag, tune, web, dump, completion, version or canary"
is "no command: nothing on standard output" "$out" ""

ctl --help
is "--help: 0" "$code" 0
for command in check explain simulate; do
	has "--help names $command" "$out" "  $command "
done
for command in check explain simulate diff drain dump version \
    completion; do
	ctl $command --help
	is "$command --help: 0" "$code" 0
	has "$command --help: its usage" "$out" "Usage: predicatectl $command"
	is "help $command: the same" \
	    "$("$BUILDDIR/predicatectl" help $command)" "$out"
	man=$SRCDIR/doc/predicatectl.1
	for option in $(printf '%s\n' "$out" |
	    sed -n 's/^ .*--\([a-z-]*\).*/\1/p'); do
		grep -q "Fl $option" "$man" ||
			fail "--$option is in the manual page"
	done
done

ctl --version
is "--version: 0" "$code" 0
has "--version" "$out" "predicatectl "
version=${out#predicatectl }
ctl version
is "version: the same" "$code:$out" "0:Client Version: v$version"

ln -s "$BUILDDIR/predicatectl" "$tmp/kubectl-predicate"
has "as a plugin of kubectl" "$("$tmp/kubectl-predicate" --help)" \
    "Usage: kubectl predicate COMMAND"

# wrong usage: ARGUMENTS | part of the sentence
while IFS='|' read -r arguments sentence; do
	# shellcheck disable=SC2086 # split on purpose
	ctl $arguments
	is "$arguments: 2" "$code" 2
	has "$arguments: says why" "$err" "$sentence"
done <<EOF
frobnicate|unknown command 'frobnicate'
simulat --cluster x|unknown command 'simulat'; did you mean 'simulate'?
--strict-policy chek x|unknown command 'chek'; did you mean 'check'?
help explian|did you mean 'explain'?
--strict-policy|missing command: check, convert, explain, simulate, capacity,
check --clutser x y|did you mean --cluster?
explain --cluster x --preempt|--preempt is an option of simulate
check --namespace x y|of explain, simulate, capacity, why-not and defrag
check --client y|--client is an option of version
simulate --cluster x --pod-file=y|--pod-file is an option of explain
explain --cluster x -n a -A|-n and -A are mutually exclusive
explain --cluster x -n a b/c|'b/c' has a namespace; leave -n out
check|missing policy file
check --cluster x -o name y|must be table, wide, yaml or json, not 'name'
version -o wide|must be yaml or json, not 'wide'
completion|name one shell: bash, zsh or fish
canary|say status or rollback
canary back|say status or rollback
completion bash zsh|name one shell
dump --cluster x --log - --policy -|can be read only once
bundle --cluster x|bundle is a part of dump: predicatectl dump --policy FILE
check --pod x y|--pod is an option of explain and why-not
check --nonsense=x y|predicatectl: --nonsense: unknown flag
check --p y|--p: unknown flag
explain --po y|--po is ambiguous: --policy, --policy-configmap
explain -xv|-xv: unknown flag; all flags except -n, -A, -l, -o, -v, -h and -V begin with
explain -namespace=a|-namespace=a: unknown flag; all flags except -n
simulate --cluster x --preempt=maybe|--preempt must be true or false, not 'maybe'
defrag --cluster x --max-moves 101 a|--max-moves must be a number from 1 to 100, not '101'
tune --cluster x --rounds 0|--rounds must be a number from 1 to 1000000, not '0'
tune --cluster x --time-limit long|--time-limit must be a number of seconds, not 'long'
web x --port 65536|--port must be a whole number up to 65535, not '65536'
tune --cluster x --objective best|must be packing, spread, zones or balance, not 'best'
explain|--cluster is missing, and there is no kubeconfig
explain --cluster|--cluster: flag needs an argument
explain -n|-n: flag needs an argument
explain --cluster x --context y|they are mutually exclusive
check --cluster x --kubeconfig y z|they are mutually exclusive
explain --cluster x --policy-configmap y|is an object of a live cluster
explain --context x --policy a --policy-configmap b|are mutually exclusive
simulate --context x --request-timeout soon|such as 30s or 2m, not 'soon'
simulate --context x --request-timeout -1|such as 30s or 2m, not '-1'
convert a b|unexpected argument 'a'
convert --policy a b|unexpected argument 'b'
convert --to v1beta4 a|--to must be v1beta1, v1beta2, v1beta3 or v1, not 'v1beta4'
convert --to v1 --kubernetes-version 1.24 a|kube-scheduler 1.24 does not read v1
convert --context x|--context is an option of check
explain --cluster x --policy a --config b|mutually exclusive
simulate --cluster x --config a --config b|--config can be given only once
explain --cluster - --config -|only once
explain --cluster x y z|unexpected argument 'z'; explain takes one pod
explain --cluster x --pod y z|unexpected argument 'z'; explain takes one pod
simulate --cluster x y|unexpected argument 'y'
explain --cluster x --pod a/b --pod-file c|are mutually exclusive
explain --cluster - --policy -|only once
explain --cluster x -o xml|must be table, wide, yaml, name or json, not 'xml'
tune --cluster x -o name|must be table, wide, yaml or json, not 'name'
explain --cluster x -l a y|name a pod, or several with --selector
capacity --cluster x --like a b|unexpected argument 'b'
why-not n --cluster x|name one node and a pod
diff --cluster x --from 1.29|name two files
explain --cluster x --policy a --policy b|--policy can be given only once
simulate --cluster x --seed soon|whole number, not 'soon'
simulate --cluster x --seed -1|whole number, not '-1'
simulate --cluster x --kubernetes-version 2.0|1.21 or v1.21.3, not '2.0'
simulate --cluster x --color pink|auto, always or never, not 'pink'
simulate --cluster x --feature-gates Foo=true|unrecognized feature gate: Foo
simulate --cluster x --pod a/b|--pod is an option of explain and why-not
EOF

ctl simulate --cluster "$examples/cluster.yaml" -o json \
    --kubernetes-version 1.36 --feature-gates=PodOverhead=true,kube:NativeHistograms=false
has "gates of kube-scheduler are accepted" "$out" '"placed":'
has "and have no effect" "$err" "predicatectl: --feature-gates: PodOverhead has no effect
predicatectl: --feature-gates: NativeHistograms has no effect"

# convert takes a file of either kind, as check and diff do.
ctl convert --policy "$examples/policy.cfg"
want=$out
ctl convert "$examples/policy.cfg"
is "convert FILE" "$out" "$want"
"$BUILDDIR/predicatectl" convert - <"$examples/policy.cfg" >"$tmp/stdin" 2>"$tmp/notes"
has "convert -: standard input" "$(cat "$tmp/stdin")" "kind: KubeSchedulerConfiguration"
printf '%s\n' "$want" >"$tmp/converted.yaml"
ctl convert "$tmp/converted.yaml"
has "convert FILE: a configuration" "$out" "kind: Policy"
ctl convert "$tmp/none"
is "no such file: 3" "$code" 3

ctl explain --kubeconfig "$tmp/none"
is "a kubeconfig that does not exist: 3" "$code" 3
is "says so" "$err" "predicatectl: open $tmp/none: no such file or directory"

# The same pod in the ways that kubectl would take it.
cluster=$examples/cluster.yaml
ctl explain --cluster "$cluster" --pod shop/forecast
want=$out
# the_same NAME: the answer is that of --pod shop/forecast
the_same() {
	is "$1" "$out" "$want"
}
ctl explain --cluster "$cluster" shop/forecast
the_same "explain NS/NAME"
ctl explain forecast --cluster "$cluster" -n shop
the_same "explain NAME -n NS"
ctl explain forecast --cluster "$cluster" --namespace=shop
the_same "explain NAME --namespace=NS"
ctl explain -A forecast --cluster "$cluster"
the_same "explain -A NAME"
ctl -n shop --cluster "$cluster" explain forecast
the_same "options before the command"
ctl --cluster="$cluster" -nshop explain forecast
the_same "options with their values, too"
ctl explain --clus "$cluster" -vn=shop --all_namespaces=false forecast
the_same "the beginning of a name, letters together, =false, _ for -"
ctl explain --cluster "$cluster" forecast
is "not in the namespace default" "$code" 3
two=$tmp/two
{
	pod_with '{}'
	pod_with '{}' | sed -e 1,2d -e 's/"d"/"e"/'
} >"$two"
ctl explain -A p --cluster "$two"
is "two of one name: 2" "$code" 2
has "two of one name" "$err" '2 pods are called "p"'
ctl explain -n e --cluster "$two" -o json
has "-n: the only pod of a namespace" "$out" '"pod":"e/p"'
ctl simulate -n d --cluster "$two" -o json
has "simulate -n: its pods" "$out" '"pod":"d/p"'
lacks "simulate -n: no other" "$out" '"pod":"e/p"'
ctl simulate -A --cluster "$two" -o json
has "simulate -A: all" "$out" '"pod":"e/p"'

# The command that makes a dump is one line, and the same everywhere.
kinds=$(cat "$SRCDIR/README.md" "$SRCDIR/CONTRIBUTING.md" \
    "$SRCDIR/doc/predicatectl.1" |
    grep -o 'kubectl get nodes,pods,ns,.*-o json' | sort | uniq -c)
is "the kinds to dump" "$(echo "$kinds" | sed 's/^ *//')" \
    "4 kubectl get nodes,pods,ns,svc,rc,rs,sts,pv,pvc,sc,csinodes,pdb,pc \
-A -o json"
is "no command breaks in the list" "$(grep -n 'kubectl get .*\\$' \
    "$SRCDIR/README.md" "$SRCDIR/CONTRIBUTING.md")" ""

# Manual pages: a macro that quotes takes the rest of its line, and pages of ours that
# a page names are under SEE ALSO.
is "quotes of the manual close" \
    "$(grep -n '^\.[PDQ]q.* [DQ]q .* [DQ]q ' "$SRCDIR"/doc/*.[158])" ""
for page in predicatectl.1 policy.cfg.5 predicated.conf.5 predicated.8; do
	named=$(sed '/^\.Sh SEE ALSO/,$d' "$SRCDIR/doc/$page" |
	    sed -n 's/^\.Xr \(p[a-z.]* [158]\).*/\1/p' | sort -u)
	see=$(sed -n '/^\.Sh SEE ALSO/,/^\.Sh [^S]/p' "$SRCDIR/doc/$page")
	missing=$(echo "$named" | while read -r other; do
		echo "$see" | grep -q "^\.Xr $other" || echo "$other"
	done)
	is "$page: SEE ALSO is complete" "$missing" ""
done

cp "$examples/policy.cfg" "$tmp/-odd.cfg"
cd "$tmp" || exit 99
ctl check -- -odd.cfg
is "after -- a name may begin with a dash" "$code:$out" "0:-odd.cfg: ok"
out=$("$BUILDDIR/predicatectl" check - <"$examples/policy.cfg")
is "- is standard input" "$out" "stdin: ok"

if [ -c /dev/full ]; then
	"$BUILDDIR/predicatectl" --help >/dev/full 2>"$tmp/err"
	is "a full disk is no success" "$?" 3
	has "a full disk: says so" "$(cat "$tmp/err")" "cannot write"
fi
finish
