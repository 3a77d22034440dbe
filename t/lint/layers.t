#!/bin/sh
# Every #include "folder/…" in src is one that src/LAYERS allows, files that
# include each other in a circle are listed there, and json-c and libyaml are seen
# by base/ alone.
. "$SRCDIR/t/lib/tap.sh"
cd "$SRCDIR" || exit 99
LC_ALL=C
export LC_ALL

# src/LAYERS without comments, each entry on one line.
layers() {
	awk '/^#/ { next }
	    /^\t/ { line = line " " $0; next }
	    { if (line != "") print line; line = $0 }
	    END { print line }' src/LAYERS | sed 's/[[:space:]][[:space:]]*/ /g'
}

allowed() {
	layers | sed -n "s/^$1: *//p"
}

above=
bad=
for folder in $(layers | sed -n 's/^\([a-z_]*\):.*/\1/p'); do
	for included in $(allowed "$folder"); do
		case " $above " in
		*" $included "*) ;;
		*) bad="$bad $folder:$included" ;;
		esac
	done
	above="$above $folder"
done
is "folders include only folders above them" "$bad" ""

# Pairs of files of a folder of which one includes the other, to circles.
cycles_of() {
	find "src/$1" -name '*.[ch]' -exec grep -Hs "^#include \"$1/" {} + |
	    sed "s,^src/$1/,,
		s,\.[ch]:#include \"$1/, ,
		s,\.h\".*,,
		s,_internal,,g" | sort -u |
	    awk -v folder="$1" '
		$1 != $2 { n[$1]; n[$2]; reach[$1, $2] = 1 }
		END {
			for (k in n) for (i in n) if ((i, k) in reach)
				for (j in n) if ((k, j) in reach)
					reach[i, j] = 1
			for (i in n) {
				if (!((i, i) in reach))
					continue
				for (j in n)
					if ((i, j) in reach && (j, i) in reach)
						print i, j
			}
		}' | sort |
	    awk -v folder="$1" '
		$1 != last { if (line != "") print line
		    line = "cycle " folder ":"; last = $1 }
		{ line = line " " $2 }
		END { if (line != "") print line }' | sort -u
}
is "circles of includes within a folder are listed" \
    "$(for folder in src/*/; do cycles_of "$(basename "$folder")"; done)" \
    "$(layers | grep '^cycle' | sort)"

for folder in src/*/; do
	folder=$(basename "$folder")
	if ! grep -q "^$folder:" src/LAYERS; then
		fail "$folder is in src/LAYERS"
		continue
	fi
	bad=
	for included in $(find "src/$folder" -name '*.[ch]' \
	    -exec grep -hs '^#include "[a-z_]*/' {} + |
	    sed 's/^#include "\([a-z_]*\)\/.*/\1/' | grep -v '^include$' | sort -u); do
		case " $folder $(allowed "$folder") " in
		*" $included "*) ;;
		*) bad="$bad $included" ;;
		esac
	done
	is "$folder includes only what it may" "$bad" ""
done

# ---- storeys ----

is "each folder is of one storey" \
    "$(layers | sed -n 's/^storey [a-z]*: //p' | tr ' ' '\n' | sort)" \
    "$(for folder in src/*/; do basename "$folder"; done | sort)"
is "at most 14 folders" "$(($(find src/* -maxdepth 0 -type d | wc -l) <= 14))" 1
# storey NAME: its lines of C, without the files that a build in the tree makes
lines_of() {
	for folder in $(layers | sed -n "s/^storey $1: //p"); do
		find "src/$folder" -name '*.[ch]' ! -name '*_data.h' \
		    -exec cat {} +
	done | wc -l
}
for storey in $(layers | sed -n 's/^storey \([a-z]*\):.*/\1/p'); do
	most=$(layers | sed -n "s/^lines $storey: //p")
	lines=$(lines_of "$storey")
	is "$storey has at most $most lines" \
	    "$([ "$lines" -le "$most" ] || echo "it has $lines")" ""
done
# floors: a folder stands on the one above the highest that it includes.
is "at most 10 floors" "$(layers | awk -F: '
	/^(storey|lines|cycle) / || NF < 2 { next }
	{
		floor[$1] = 1
		n = split($2, names, " ")
		for (i = 1; i <= n; i++)
			if (floor[names[i]] >= floor[$1])
				floor[$1] = floor[names[i]] + 1
		if (floor[$1] > most) most = floor[$1]
	}
	END { print (most <= 10) }')" 1

is "no relative includes" \
    "$(grep -rn '^#include "\.\./' src t || true)" ""
is "json-c and libyaml stay in base" \
    "$(grep -rln '^#include <\(json-c/\|json\.h\|yaml\.h\)' src |
	grep -v '^src/base/doc' || true)" ""
# A name in a path goes through url_put(), which escapes it.
is "no path is made with a format" \
    "$(grep -rnE '"/(api|apis)/[^"]*%s' src || true)" ""
finish
