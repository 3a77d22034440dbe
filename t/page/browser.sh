# Sourced after tap.sh and web.sh by tests that open a page in Chromium, driven by
# puppeteer-core; without these programs they are skipped by name.
#
#	browse CASE [ARGUMENT…]	at the URL of serve_web; its lines become ours
#	wanted CASE…	whether one of them is in $PREDICATED_CASES, if that is set

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

wanted() {
	for case; do
		case " ${PREDICATED_CASES-$case} " in
		*" $case "*) return 0 ;;
		esac
	done
	return 1
}

# browse CASE [ARGUMENT…]: its lines, numbered, become ours.
browse() {
	timeout 900 node "$SRCDIR/t/page/browser.mjs" "$chromium" "$cache" \
	    "$1" "$(cat "$tmp/web.out")" "$2" "$3" \
	    >"$tmp/browser" 2>"$tmp/browser.err"
	code=$?
	while IFS= read -r line; do
		case $line in
		"ok - "*) pass "${line#ok - }" ;;
		"not ok - "*) fail "${line#not ok - }" ;;
		*) echo "$line" ;;
		esac
	done <"$tmp/browser"
	[ -s "$tmp/browser" ] || code="$code, without a line"
	case $code in
	0 | 1) ;;
	*) fail "$1: the browser runs" "$code $(cat "$tmp/browser.err")" ;;
	esac
}
