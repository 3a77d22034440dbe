#!/bin/sh
# Every #include "folder/…" in src is one that src/LAYERS allows, and json-c and
# libyaml are seen by base/ alone.
. "$SRCDIR/t/lib/tap.sh"
cd "$SRCDIR" || exit 99

allowed() {
	sed -n "s/^$1:[[:space:]]*//p" src/LAYERS
}

for folder in src/*/; do
	folder=$(basename "$folder")
	if ! grep -q "^$folder:" src/LAYERS; then
		fail "$folder is in src/LAYERS"
		continue
	fi
	bad=
	for included in $(grep -hs '^#include "[a-z]*/' \
	    "src/$folder"/*.c "src/$folder"/*.h |
	    sed 's/^#include "\([a-z]*\)\/.*/\1/' | sort -u); do
		case " $folder $(allowed "$folder") " in
		*" $included "*) ;;
		*) bad="$bad $included" ;;
		esac
	done
	is "$folder includes only what it may" "$bad" ""
done

is "no relative includes" \
    "$(grep -rn '^#include "\.\./' src t || true)" ""
is "json-c and libyaml stay in base" \
    "$(grep -rln '^#include <\(json-c/\|json\.h\|yaml\.h\)' src |
	grep -v '^src/base/doc' || true)" ""
# A name in a path goes through url_put(), which escapes it.
is "no path is made with a format" \
    "$(grep -rnE '"/(api|apis)/[^"]*%s' src || true)" ""
finish
