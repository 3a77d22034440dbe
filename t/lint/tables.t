#!/bin/sh
# Every predicate and priority of the tables has its files and is built and
# tested; names whichever is missing.
. "$SRCDIR/t/lib/tap.sh"
cd "$SRCDIR" || exit 99

units() {
	sed -n 's/^P[A-Z]*(\([a-z_]*\))$/\1/p' "$1"
}

for folder in predicates priorities; do
	missing=
	for unit in $(units "src/$folder/table.h"); do
		[ -f "src/$folder/$unit.c" ] ||
		    missing="$missing src/$folder/$unit.c"
		grep -q "%D%/$unit\.c" "src/$folder/local.mk" ||
		    missing="$missing $unit.c:in:src/$folder/local.mk"
		[ -f "t/$folder/$unit.c" ] ||
		    missing="$missing t/$folder/$unit.c"
		grep -q "%D%/$unit\.t" "t/$folder/local.mk" ||
		    missing="$missing $unit.t:in:t/$folder/local.mk"
	done
	is "$folder: every unit has its source and its test" "$missing" ""
	extra=
	for file in $(grep -ls "^const struct [a-z]* p[a-z]*_[a-z_]* = {" \
	    "src/$folder"/*.c); do
		unit=$(basename "$file" .c)
		grep -q "($unit)" "src/$folder/table.h" ||
		    extra="$extra $unit"
	done
	is "$folder: every unit is in the table" "$extra" ""
done

unlisted=
for file in src/*/*.c src/*/*.h t/*/*.c; do
	name=$(basename "$file")
	case $file in
	t/*) name=${name%.c} ;;
	esac
	grep -rqs "$name" --include=local.mk src t ||
	    unlisted="$unlisted $file"
done
is "every source file is in a local.mk" "$unlisted" ""
finish
