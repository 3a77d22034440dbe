#!/bin/sh
# Every predicate and priority of the tables has its files and is built and
# tested; names whichever is missing.
. "$SRCDIR/t/lib/tap.sh"
cd "$SRCDIR" || exit 99

units() {
	sed -n 's/^P[A-Z]*(\([a-z_]*\))$/\1/p' "$1"
}

# A test that is built names the unit's struct; units that follow one rule may
# share one.
tested() {
	singular=${1%s}
	[ "$1" = priorities ] && singular=priority
	for test in $(grep -lw "${singular}_$2" "t/$1"/*.c); do
		grep -q "%D%/$(basename "$test" .c)\.t" "t/$1/local.mk" &&
		    return 0
	done
	return 1
}

for folder in predicates priorities; do
	missing=
	for unit in $(units "src/$folder/table.h"); do
		[ -f "src/$folder/$unit.c" ] ||
		    missing="$missing src/$folder/$unit.c"
		grep -q "%D%/$unit\.c" "src/$folder/local.mk" ||
		    missing="$missing $unit.c:in:src/$folder/local.mk"
		tested "$folder" "$unit" ||
		    missing="$missing a:test:of:$unit:in:t/$folder"
	done
	is "$folder: every unit has its source and its test" "$missing" ""
	extra=
	for file in $(grep -Els \
	    "^const struct (predicate|priority) [a-z_]+ = \{" \
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

# t/.gitignore has what make builds.
unbuilt=
for file in $(grep -l '^T_MAIN(' t/*/*.c); do
	grep -qx "${file#t}" "$BUILDDIR/t/.gitignore" ||
	    grep -qx "$(echo "${file#t}" | sed 's/\.c$/.t/')" \
		"$BUILDDIR/t/.gitignore" || unbuilt="$unbuilt $file"
done
is "every test is built" "$unbuilt" ""
finish
