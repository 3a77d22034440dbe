# shellcheck shell=sh
# Sourced by shell tests and by scripts that do what a page of doc/ says, after tap.sh.

# commands PAGE SECTION START: the paragraphs of this section, without what they are indented
# by, that are indented and begin so.
commands() {
	awk -v section="## $2" -v start="$3" '
	    /^## / { on = index($0, section) == 1 }
	    /^ *$/ { indent = 0; first = 1; next }
	    on && first && match($0, "^ +") && index($0, start) == RLENGTH + 1 {
		indent = RLENGTH
	    }
	    { first = 0 }
	    indent { print substr($0, indent + 1) }' "$SRCDIR/doc/$1"
}

# follow PAGE SECTION START…: runs these commands in the current folder, edited by the sed
# script $substitute.
follow() {
	page=$1
	section=$2
	shift 2
	for start; do
		text=$(commands "$page" "$section" "$start" | sed "${substitute-}")
		[ -n "$text" ] || bail_out "$page has no commands '$start'"
		eval "$text" >>"$tmp/followed" 2>&1 ||
		    bail_out "$text: $(tail -n 5 "$tmp/followed")"
	done
}
