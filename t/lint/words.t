#!/bin/sh
# Comments are in plain English.  Words that stand for a missing noun ("what X
# does") are counted per 1,000 words of comments; t/lint/words has the limit of
# each folder, and no file may have more than one.  Words for people never name a
# component.
. "$SRCDIR/t/lib/tap.sh"
cd "$SRCDIR" || exit 99

people='nobody|somebody|anybody|whoever|everybody|anew|thereby|borne|whence'
phrases='is no more|for a moment|a moment ago|come to be|told'

# comments FILE…: their words, one a line, in lower case
comments() {
	awk '
	FNR == 1 { inside = 0 }
	{
		line = $0
		while (line != "") {
			if (inside) {
				end = index(line, "*/")
				print end ? substr(line, 1, end - 1) : line
				line = end ? substr(line, end + 2) : ""
				inside = !end
			} else {
				begin = index(line, "/*")
				line = begin ? substr(line, begin + 2) : ""
				inside = begin > 0
			}
		}
	}' "$@" | tr -cs "A-Za-z'_" '\n' | tr '[:upper:]' '[:lower:]' | grep .
}

limit() {
	sed -n "s/^$1:[[:space:]]*//p" t/lint/words
}

# more_than_one FILE…: those whose comments have several
more_than_one() {
	for file in "$@"; do
		[ "$(comments "$file" | grep -cx what)" -le 1 ] || echo "$file"
	done
}

# judge NAME FILE…: by the limit of that name
judge() {
	name=$1 max=$(limit "$1")
	shift
	all=$(comments "$@" | wc -l)
	what=$(comments "$@" | grep -cx what)
	rate=$((what * 10000 / all))
	echo "$name: $((rate / 10)).$((rate % 10)) of 1,000 ($what of $all)"
	: "${max:=$(limit others)}"
	is "$name: at most $max times \"what\" in 1,000 words" \
	    "$([ "$what" -le $((max * all / 1000)) ] || echo "$what of $all")" ""
	[ "$max" -gt 1 ] && return
	is "$name: at most one in a file" "$(more_than_one "$@")" ""
	is "$name: no words for people" \
	    "$(comments "$@" | grep -Ex "$people" | sort -u)" ""
	is "$name: no old phrases" "$(comments "$@" | tr '\n' ' ' |
		grep -woE "$phrases" | sort -u)" ""
}

for folder in src/*/; do
	judge "$(basename "$folder")" "$folder"*.[ch]
done
judge t t/*.[ch] t/*/*.[ch]

is "no message has such words" \
    "$(grep -rnwE "\".*($people).*\"" src --include='*.[ch]' || true)" ""
finish
