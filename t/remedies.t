#!/bin/sh
# Every proven remedy, applied to the objects as JSON, lets its pod in (t/remedies.c): of
# the clusters of this folder, of ../shared/reports where it is there, and of generated
# worlds: a few, or REMEDIES=2000 make check.
. "$SRCDIR/t/lib/tap.sh"

worlds=${REMEDIES:-60}

# taken NAME FILE…: what they say is done.
taken() {
	name=$1
	shift
	mkdir -p "$tmp/$name"
	for file; do
		"$BUILDDIR/predicatectl" dump --cluster "$file" \
		    >"$tmp/$name/$(basename "$(dirname "$file")")-$(basename \
			"${file%.*}").json" 2>/dev/null
	done
	if out=$("$BUILDDIR/t/remedies" "$tmp/$name"/*.json 2>&1); then
		pass "$name: $(printf '%s\n' "$out" | tail -n 1)"
	else
		fail "$name" "$out"
	fi
}

taken diagnosis "$SRCDIR"/t/data/ctl/diagnosis/*.yaml
taken advice "$SRCDIR"/t/data/ctl/advice/*.yaml
taken example "$SRCDIR"/etc/examples/cluster.yaml
if [ -d "$SRCDIR/../shared/reports" ]; then
	taken reports "$SRCDIR"/../shared/reports/*/cluster*.json \
	    "$SRCDIR"/../shared/reports/*/sibling*.json
fi
mkdir "$tmp/generated"
awk -f "$SRCDIR/t/answers_worlds.awk" -v first=1 -v step=1 -v last="$worlds" \
    -v examples="$SRCDIR/etc/examples" | awk -v at="$tmp/generated/" '
	/^\001/ { file = at substr($0, 2) ".yaml"; next }
	/^\002/ { is_cluster = $0 == "\002cluster.json"; next }
	is_cluster { print >file; if (file != last && last) close(last); last = file }'
taken worlds "$tmp"/generated/*.yaml

is "their order is in doc/troubleshooting.md" \
    "$(sed -n '/^| kind |/,/^$/s/^\(\(| [^|]* \)\{3\}|\).*/\1/p' \
	"$SRCDIR/doc/troubleshooting.md" | sed 1d)" "$("$BUILDDIR/t/remedies" --kinds)"
finish
