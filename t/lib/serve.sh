# Sourced by shell tests, after tap.sh: the server of t/http/server.c.
#
#	serve client-ca=ca.crt
#	get /livez
#	as admin /metrics		with admin.crt and admin.key
#	stop_serving
#
# After serve: $port, $serving (its process), $tmp/serve.log.

# serve ARGUMENT…: see server.c.
serve() {
	: >"$tmp/serve.out"
	(with_us "$BUILDDIR/t/http/server" "$@") >"$tmp/serve.out" \
	    2>"$tmp/serve.log" &
	serving=$!
	wait_until 20 test -s "$tmp/serve.out"
	port=$(head -n 1 "$tmp/serve.out")
}

# Waits until this stands in the log.
said() {
	wait_until 10 grep -q "$1" "$tmp/serve.log" ||
	    fail "the log says: $1" "$(cat "$tmp/serve.log")"
}

# It ends cleanly, which a sanitizer would not let it if it lost memory.
stop_serving() {
	kill -TERM "$serving"
	wait "$serving"
	is "the server ends cleanly" $? 0
	grep -A 30 'ERROR: \|runtime error' "$tmp/serve.log" | sed 's/^/# /'
}

# get PATH [CURL'S ARGUMENTS…]
get() {
	path=$1
	shift
	curl -sk --noproxy '*' --max-time 20 "https://localhost:$port$path" "$@"
}

# as NAME PATH [CURL'S ARGUMENTS…]
as() {
	name=$1
	shift
	get "$@" --cert "$name.crt" --key "$name.key"
}
