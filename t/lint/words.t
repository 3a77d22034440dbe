#!/bin/sh
# Comments are in plain English.  Words that stand for a missing noun ("what X
# does") are counted per 1,000 words of comments; t/lint/words has the limit of
# each folder.  Words for people never name a component.
. "$SRCDIR/t/lib/tap.sh"
cd "$SRCDIR" || exit 99

people='nobody|somebody|whoever|everybody|anew|thereby|borne'

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

for folder in src/*/; do
	folder=$(basename "$folder")
	max=$(limit "$folder")
	all=$(comments "src/$folder"/*.[ch] | wc -l)
	what=$(comments "src/$folder"/*.[ch] | grep -cx what)
	rate=$((what * 10000 / all))
	echo "$folder: $((rate / 10)).$((rate % 10)) of 1,000 ($what of $all)"
	: "${max:=$(limit others)}"
	is "$folder: at most $max times \"what\" in 1,000 words" \
	    "$([ "$what" -le $((max * all / 1000)) ] || echo "$what of $all")" ""
	[ "$max" -gt 1 ] ||
		is "$folder: no words for people" \
		    "$(comments "src/$folder"/*.[ch] | grep -Ex "$people" |
			sort -u)" ""
done

is "no message has such words" \
    "$(grep -rnwE "\".*($people).*\"" src --include='*.[ch]' || true)" ""
finish
