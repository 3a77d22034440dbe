#!/bin/sh
# README: its commands work on the example cluster, its output and its picture are
# the program's, and what it lists is all there is.
. "$SRCDIR/t/lib/tap.sh"
. "$SRCDIR/t/doc/examples.sh"
. "$SRCDIR/t/doc/commands.sh"

readme=$SRCDIR/README.md

blocks_of "$readme" >"$tmp/blocks"
commands_in "$tmp/blocks" >"$tmp/commands"

while IFS= read -r command; do
	case $command in
	predicatectl\ * | predicated\ * | 'kubectl get '*)
		example README "$command"
		;;
	script/*)
		is "README: $command" "$([ -x "$SRCDIR/${command%% *}" ] &&
		    echo there)" there
		;;
	esac
done <"$tmp/commands"
is "README: commands were found" \
    "$(($(grep -c '^predicatectl' "$tmp/commands") > 7))" 1

# ---- output ----

# Whether the second file is the first; a line "…" stands for any lines.
same_output() {
	awk '
	FNR == NR { got[NR] = $0; n = NR; next }
	$0 == "…" { gap = 1; next }
	{
		at++
		while (gap && at <= n && got[at] != $0)
			at++
		gap = 0
		if (at > n || got[at] != $0) {
			print "no line: " $0
			failed = 1
			exit
		}
	}
	END {
		if (!failed && !gap && at < n)
			print "a line more: " got[at + 1]
	}' "$1" "$2"
}

# compare: the output of $command with what the page says.
compare() {
	[ -n "$command" ] || return
	run_example "$command"
	printf '%s\n' "$out" >"$tmp/got"
	is "README: output of $command" \
	    "$code $([ ! -s "$tmp/said" ] || same_output "$tmp/got" "$tmp/said")" \
	    "$((code > 1 ? 0 : code)) "
	command=
}

command=
longest=0
lines=0
while IFS= read -r line; do
	case $line in
	----)
		compare
		;;
	'$ '*)
		compare
		command=${line#??}
		: >"$tmp/said"
		lines=0
		;;
	*)
		[ -n "$command" ] || continue
		printf '%s\n' "$line" >>"$tmp/said"
		lines=$((lines + 1))
		[ "$lines" -le "$longest" ] || longest=$lines
		;;
	esac
done <"$tmp/blocks"
compare
is "README: an answer has twelve lines" "$longest" 12

"$SRCDIR/script/picture" "$BUILDDIR/predicatectl" >"$tmp/explain.svg"
is "README: the picture is the program's answer" \
    "$(diff "$SRCDIR/doc/explain.svg" "$tmp/explain.svg")" ""

# ---- messages ----

unknown=$(sed -n '/^## Messages of/,/^## /s/^| `\([^`]*\)`.*/\1/p' \
    "$SRCDIR/doc/troubleshooting.md" |
    sed 's/ *… */\n/g' | grep -v '^$' | while IFS= read -r part; do
	find "$SRCDIR/src" "$SRCDIR/configure.ac" \( -name '*.[ch]' -o -name '*.ac' \) \
	    -exec cat {} + |
	    tr -s '"\n\t ' ' ' | grep -qF -- "$part" || echo "$part"
done)
is "troubleshooting: every message is one of ours" "$unknown" ""

# ---- packages ----

is "README: the packages are those of script/packages" \
    "$(sed -n 's/^apt-get install -y --no-install-recommends //p' \
	"$tmp/commands" | tr ' ' '\n' | sort)" \
    "$(tr ' ' '\n' <"$SRCDIR/script/packages" | sort)"
has "the image is built with script/packages" \
    "$(cat "$SRCDIR/etc/kubernetes/Containerfile")" 'install -y --no-install-recommends $(cat /packages)'
missing=$(grep -oE '\[lib[a-z0-9.-]*-dev\]' \
    "$SRCDIR/configure.ac" | tr -d '[]' | while read -r package; do
	grep -qw -- "$package" "$SRCDIR/script/packages" || echo "$package"
done)
is "script/packages has what configure asks for" "$missing" ""
is "no other list of packages" "$(cd "$SRCDIR" &&
    find CONTRIBUTING.md doc script etc .ci -type f -exec \
	grep -l 'libyaml-dev' {} + 2>/dev/null)" "script/packages"
finish
