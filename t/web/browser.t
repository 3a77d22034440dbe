#!/bin/sh
# The page of predicatectl web in a real Chromium: axe-core in each view, light and
# dark, wide and narrow; a dragged weight within a second; a large cluster; clusters
# that are empty or change.  Needs chromium and npm (Debian's packages), and once
# puppeteer-core and axe-core, which npm installs outside the tree.
#
# PREDICATED_PICTURES=FOLDER browser.t also takes the pictures of doc/.
. "$SRCDIR/t/lib/tap.sh"
. "$SRCDIR/t/web/web.sh"

PUPPETEER=24
AXE=4
cache=${PREDICATED_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/predicated}/browser

chromium=$(command -v chromium || command -v chromium-browser) ||
    skip_all "there is no chromium (Debian's package chromium)"
command -v node >/dev/null || skip_all "there is no node (Debian's package nodejs)"
if ! [ -d "$cache/node_modules/axe-core" ] ||
    ! [ -d "$cache/node_modules/puppeteer-core" ]; then
	command -v npm >/dev/null || skip_all "there is no npm (Debian's package npm)"
	mkdir -p "$cache"
	timeout 300 npm install --prefix "$cache" --no-audit --no-fund \
	    --ignore-scripts "puppeteer-core@$PUPPETEER" "axe-core@$AXE" \
	    >"$tmp/npm" 2>&1 ||
	    skip_all "npm cannot install puppeteer-core and axe-core"
fi

# browse CASE [ARGUMENT…]: its lines, numbered, become ours.
browse() {
	timeout 300 node "$SRCDIR/t/web/browser.mjs" "$chromium" "$cache" \
	    "$1" "http://127.0.0.1:$port/#token=$token" "$2" "$3" \
	    >"$tmp/browser" 2>"$tmp/browser.err"
	code=$?
	while IFS= read -r line; do
		case $line in
		"ok - "*) pass "${line#ok - }" ;;
		"not ok - "*) fail "${line#not ok - }" ;;
		*) echo "$line" ;;
		esac
	done <"$tmp/browser"
	case $code in
	0 | 1) ;;
	*) fail "$1: the browser runs" "$code $(cat "$tmp/browser.err")" ;;
	esac
}

policy=$SRCDIR/etc/examples/openshift-default.cfg
sh "$SRCDIR/t/web/make_cluster.sh" 240 6200 60 >"$tmp/cluster.json"
serve_web "$tmp/cluster.json" --policy "$policy"
browse token
browse views
[ -z "${PREDICATED_PICTURES-}" ] || browse pictures "$PREDICATED_PICTURES"
stop_web

openb=$SRCDIR/../shared/clusters/openb.json.gz
if sanitized; then
	skip "times, and a big cluster" "sanitizers make everything slower"
elif [ -f "$openb" ]; then
	serve_web "$openb" --policy "$policy"
	browse fast
	stop_web
fi

if ! sanitized; then
	sh "$SRCDIR/t/web/make_cluster.sh" 5000 150000 500 >"$tmp/big.json"
	serve_web "$tmp/big.json" --policy "$policy"
	browse big
	stop_web
	rm "$tmp/big.json"
fi

printf '{"kind":"Node","metadata":{"name":"n"}}\n' >"$tmp/bare"
serve_web "$tmp/bare"
browse empty
stop_web

cp "$SRCDIR/etc/examples/cluster.yaml" "$tmp/cluster.yaml"
serve_web "$tmp/cluster.yaml" --policy "$policy"
browse changes "$tmp/cluster.yaml" "$web"
wait "$web"
finish
