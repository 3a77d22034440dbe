#!/bin/sh
# The command line: help, wrong usage, where things go.
. "$SRCDIR/t/ctl/ctl.sh"

ctl
is "no command: wrong usage" "$code" 2
has "no command: says which there are" "$err" "check, explain or simulate"
is "no command: nothing on standard output" "$out" ""

ctl --help
is "--help: 0" "$code" 0
for command in check explain simulate; do
	has "--help names $command" "$out" "  $command "
done
for command in check explain simulate; do
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
--strict-policy check x|put the command before its options
check|missing policy file
check --pod x y|unrecognized option
explain|--cluster is missing
explain --cluster|requires an argument
explain --cluster x --policy a --config b|mutually exclusive
simulate --cluster x --config a --config b|--config can be given only once
explain --cluster - --config -|only once
explain --cluster x y|unexpected argument 'y'
explain --cluster x --pod a/b --pod-file c|are mutually exclusive
explain --cluster - --policy -|only once
explain --cluster x -o xml|must be table, wide, yaml, name or json, not 'xml'
simulate --cluster x -o yaml|must be table, wide or json, not 'yaml'
explain --cluster x --policy a --policy b|--policy can be given only once
simulate --cluster x --seed soon|whole number, not 'soon'
simulate --cluster x --seed -1|whole number, not '-1'
simulate --cluster x --kubernetes-version 2.0|1.21 or v1.21.3, not '2.0'
simulate --cluster x --color pink|auto, always or never, not 'pink'
simulate --cluster x --feature-gates Foo=true|Foo
simulate --cluster x --pod a/b|unrecognized option
EOF

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
