#!/bin/sh
# Every predicate and priority of the tables has its source and is built and
# tested; names whichever is missing.
. "$SRCDIR/t/lib/tap.sh"
cd "$SRCDIR" || exit 99

units() {
	sed -n "s/^$1(\([a-z_]*\))\$/\1/p" src/decide/framework/rule_table.h
}

# The units that a source defines.
defined() {
	sed -nE 's/^const struct (predicate|priority) (predicate|priority)_([a-z_]+) = \{$/\3/p
	    s/^[A-Z_]+_RULE\(([a-z_]+),.*/\1/p' "$1"
}

# Names what a unit's source lacks: a file that defines it, in local.mk.
source_of() {
	for source in "src/$1"/*.c; do
		defined "$source" | grep -qx "$2" || continue
		grep -q "%D%/$(basename "$source") " "src/$1/local.mk" ||
		    grep -q "%D%/$(basename "$source")$" "src/$1/local.mk" ||
		    echo " $source:in:src/$1/local.mk"
		return
	done
	echo " a:source:of:$2:in:src/$1"
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
	macro=PREDICATE
	[ "$folder" = priorities ] && macro=PRIORITY
	missing=
	for unit in $(units "$macro"); do
		missing="$missing$(source_of "$folder" "$unit")"
		tested "$folder" "$unit" ||
		    missing="$missing a:test:of:$unit:in:t/$folder"
	done
	is "$folder: every unit has its source and its test" "$missing" ""
	extra=
	for file in "src/$folder"/*.c; do
		for unit in $(defined "$file"); do
			units "$macro" | grep -qx "$unit" ||
			    extra="$extra $unit"
		done
	done
	is "$folder: every unit is in the table" "$extra" ""
done

unlisted=
for file in $(find src -name '*.[ch]') t/*/*.c; do
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
