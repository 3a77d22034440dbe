# Sourced by shell tests, after tap.sh: a running `predicatectl web`.
#
#	serve_web DUMP [OPTION…]	then $port, $token, $web (its process)
#	api PATH [CURL'S ARGUMENTS…]	with the token
#	stop_web

serve_web() {
	: >"$tmp/web.out"
	(with_us "$BUILDDIR/predicatectl" web "$@") >"$tmp/web.out" \
	    2>"$tmp/web.err" &
	web=$!
	wait_until 60 test -s "$tmp/web.out" ||
	    fail "predicatectl web starts" "$(cat "$tmp/web.err")"
	port=$(sed -n 's,^http://127\.0\.0\.1:\([0-9]*\)/.*,\1,p' "$tmp/web.out")
	token=$(sed -n 's/.*#token=//p' "$tmp/web.out")
}

# plain PATH [CURL'S ARGUMENTS…]: without the token
plain() {
	path=$1
	shift
	curl -s --noproxy '*' --max-time 60 "http://127.0.0.1:$port$path" "$@"
}

api() {
	plain "$@" -H "Authorization: Bearer $token"
}

# status PATH [CURL'S ARGUMENTS…]: of a reply without, and with the token
plain_status() {
	plain "$@" -o /dev/null -w '%{http_code}'
}

api_status() {
	api "$@" -o /dev/null -w '%{http_code}'
}

stop_web() {
	kill -INT "$web"
	wait "$web"
	is "it ends cleanly on an interrupt" $? 0
	grep -A 30 'ERROR: \|runtime error' "$tmp/web.err" | sed 's/^/# /'
}
