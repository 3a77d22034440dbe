#!/bin/sh
# The manual pages: mandoc and groff find nothing in them, and their examples work.
. "$SRCDIR/t/lib/tap.sh"
. "$SRCDIR/t/doc/examples.sh"

# Other pages need not be installed here.
lint() {
	mandoc -T lint "$1" | grep -v ': referenced manual not found: '
}

for page in "$SRCDIR"/doc/*.[158]; do
	name=${page##*/}
	if command -v mandoc >/dev/null; then
		is "mandoc finds nothing in $name" "$(lint "$page")" ""
	else
		skip "mandoc finds nothing in $name" "there is no mandoc"
	fi
	if command -v groff >/dev/null; then
		is "groff finds nothing in $name" \
		    "$(groff -ww -mdoc -T ascii -z "$page" 2>&1)" ""
	else
		skip "groff finds nothing in $name" "there is no groff"
	fi
	missing=$(sed -n 's/^\.Xr \([^ ]*\) \([0-9]\).*/\1.\2/p' "$page" |
	    grep -E '^(predic|policy)' | sort -u | while read -r other; do
		[ -f "$SRCDIR/doc/$other" ] || echo "$other"
	done)
	is "$name refers to pages that exist" "$missing" ""
done

# examples_of PAGE: a command a line.
examples_of() {
	sed -n '/^\.Sh EXAMPLES/,/^\.Sh [^E]/s/^\.Dl //p' "$1" |
	    sed 's/\\ / /g; s/\\e$/\\/' |
	    awk '/[|\\]$/ { sub(/\\$/, ""); held = held $0 " "; next }
		{ print held $0; held = "" }' | sed 's/  */ /g'
}

for name in predicatectl.1 predicated.8; do
	examples_of "$SRCDIR/doc/$name" >"$tmp/commands"
	while IFS= read -r command; do
		case $command in
		predicat* | kubectl*) example "$name" "$command" ;;
		esac
	done <"$tmp/commands"
done

# literal PAGE: the block after the heading EXAMPLES.
literal() {
	sed -n '/^\.Sh EXAMPLES/,/^\.Ed/p' "$SRCDIR/doc/$1" |
	    sed -n '/^\.Bd/,/^\.Ed/{ /^\./d; p; }'
}
literal policy.cfg.5 >"$examples/literal.cfg"
example policy.cfg.5 'predicatectl check literal.cfg'
has "policy.cfg.5: it is valid" "$out" "literal.cfg: ok"
literal predicated.conf.5 | sed 's,/etc/kubernetes/,,' >"$examples/literal.conf"
example predicated.conf.5 'predicated --config-file=literal.conf'
finish
