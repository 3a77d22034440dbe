#!/bin/sh
# Who may ask the server of predicatectl web: the loopback address alone, with the
# token, from the page itself; and what its replies allow a browser to do.
. "$SRCDIR/t/lib/tap.sh"
. "$SRCDIR/t/page/web.sh"

cluster=$SRCDIR/etc/examples/cluster.yaml
cp "$SRCDIR/etc/examples/openshift-default.cfg" "$tmp/policy.cfg"
serve_web "$cluster" --policy "$tmp/policy.cfg"
url=http://127.0.0.1:$port

# The address

is "the token has 128 bits" "$(printf '%s' "$token" | tr -d 'a-f0-9' | wc -c
) ${#token}" "0 32"
is "it listens on the loopback address alone" "$(awk -v port="$port" '
    $4 == "0A" && $2 ~ sprintf(":%04X$", port) { print $2 }' \
    /proc/net/tcp /proc/net/tcp6)" "$(printf '0100007F:%04X' "$port")"
first=$token
(serve_web "$cluster" && [ "$token" != "$first" ] && kill "$web")
is "the next one has another token" $? 0

# The token

is "JSON without the token: 401" "$(plain_status /api/v1/cluster)" 401
is "the status, too" "$(plain_status /api/v1/status)" 401
is "paths that are not there, too" "$(plain_status /api/v1/secrets)" 401
is "with the token: 200" "$(api_status /api/v1/cluster)" 200
is "a wrong token: 401" "$(plain_status /api/v1/cluster \
    -H "Authorization: Bearer 0$(printf '%s' "$token" | cut -c2-31)g")" 401
is "a part of it: 401" "$(plain_status /api/v1/cluster \
    -H "Authorization: Bearer $(printf '%s' "$token" | cut -c1-31)")" 401
is "an empty one: 401" "$(plain_status /api/v1/cluster \
    -H "Authorization: Bearer ")" 401
is "two of them: 401" "$(api_status /api/v1/cluster \
    -H "Authorization: Bearer x")" 401
is "in the query it does not count" \
    "$(plain_status "/api/v1/cluster?token=$token")" 401
is "nor in a cookie" "$(plain_status /api/v1/cluster \
    -b "token=$token")" 401
is "a question that is posted, without it: 401" \
    "$(plain_status /api/v1/workbench -d '{}')" 401
is "the page itself holds nothing secret" "$(plain_status /)" 200
lacks "not the token" "$(plain /)$(plain /app.js)" "$token"

# Host, against names that are made to lead here

for host in evil.example "evil.example:$port" 127.0.0.1 localhost \
    "127.0.0.1:1" "127.0.0.1:$port.evil.example" "[::1]:$port"; do
	is "Host $host: 403" "$(api_status /api/v1/cluster -H "Host: $host")" \
	    403
	is "Host $host: no page either" "$(plain_status / -H "Host: $host")" \
	    403
done
is "Host localhost with the port is ours" \
    "$(api_status /api/v1/cluster -H "Host: localhost:$port")" 200
# raw TEXT: the status of a request as it is written, and whether the connection ends
raw() {
	# shellcheck disable=SC2059 # the escapes are meant
	printf "$1" | curl -s --noproxy '*' --max-time 10 \
	    "telnet://127.0.0.1:$port" >"$tmp/raw" 2>/dev/null
	open=$([ $? -eq 28 ] && echo " open")
	echo "$(head -n 1 "$tmp/raw" | cut -d' ' -f2)$open"
}
is "no Host: 403" "$(raw 'GET / HTTP/1.0\r\n\r\n')" 403
is "two of them: 403" "$(raw "GET / HTTP/1.0\r\nHost: 127.0.0.1:$port\r\nHost: evil.example\r\n\r\n")" 403
is "another host in the request line: 400" "$(api_status /api/v1/cluster \
    --request-target "http://evil.example/api/v1/cluster")" 400

# What a proxy might read differently

first="GET / HTTP/1.1\r\nHost: 127.0.0.1:$port\r\n"
is "two lengths: 400" \
    "$(raw "${first}Content-Length: 0\r\nContent-Length: 9\r\n\r\n")" 400
is "a space before a colon: 400" \
    "$(raw "${first}Content-Length : 5\r\n\r\nhello")" 400
is "a folded header: 400" "$(raw "${first}X: a\r\n b\r\n\r\n")" 400
is "bare line feeds: 400" \
    "$(raw "GET / HTTP/1.1\nHost: 127.0.0.1:$port\n\n")" 400

# Origin, against other pages

for origin in http://evil.example null "http://127.0.0.1:1" \
    "https://127.0.0.1:$port" "http://127.0.0.1:$port.evil.example" \
    "http://evil.example:$port"; do
	is "Origin $origin: 403" "$(api_status /api/v1/workbench -d '{}' \
	    -H "Origin: $origin")" 403
done
is "our own Origin: 200" "$(api_status "/api/v1/workbench?stage=check" \
    -d '{}' -H "Origin: $url")" 200
is "a request that another site causes: 403" \
    "$(api_status /api/v1/cluster -H "Sec-Fetch-Site: cross-site")" 403
is "even one of the same host: 403" \
    "$(api_status /api/v1/cluster -H "Sec-Fetch-Site: same-site")" 403
is "no other origin is allowed in" "$(api / -i -X OPTIONS \
    -H "Access-Control-Request-Method: POST" | tr -d '\r' |
    grep -ci '^access-control')" 0

# Replies

plain / -i | tr -d '\r' >"$tmp/page"
api /api/v1/cluster -i | tr -d '\r' >"$tmp/json"
plain /absent -i | tr -d '\r' >"$tmp/absent"
for reply in page json absent; do
	head=$(sed '/^$/q' "$tmp/$reply")
	has "$reply: only our own files" "$head" "Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self';"
	lacks "$reply: no inline code" "$head" unsafe
	has "$reply: in no frame" "$head" "frame-ancestors 'none'"
	has "$reply: types are not guessed" "$head" \
	    "X-Content-Type-Options: nosniff"
	has "$reply: links tell nothing" "$head" "Referrer-Policy: no-referrer"
	has "$reply: nothing is stored" "$head" "Cache-Control: no-store"
	has "$reply: no other site embeds it" "$head" \
	    "Cross-Origin-Resource-Policy: same-origin"
done
is "the page has no inline code or style" \
    "$(plain / | grep -ciE '<style|style=|<script>| on[a-z]+=')" 0
is "nothing comes from elsewhere" \
    "$(plain / | grep -ciE '(src|href)="?(https?:)?//')" 0

# Limits

is "a method that changes things: 405" \
    "$(api_status /api/v1/cluster -X DELETE)" 405
is "a POST where none is asked for: 405" \
    "$(api_status /api/v1/cluster -d '{}')" 405
is "a path that is not there: 404" "$(api_status /api/v1/secrets)" 404
is "a file outside: 404" "$(api_status /../../etc/passwd --path-as-is)" 404
head -c 5000000 /dev/zero | tr '\0' ' ' >"$tmp/big"
is "a body of 5 MB: 413" "$(api_status /api/v1/workbench \
    --data-binary "@$tmp/big" -H 'Expect: 100-continue')" 413
# the connection may end before all of it is sent, and the answer with it
is "one that is sent unasked is refused" "$(api_status /api/v1/workbench \
    --data-binary "@$tmp/big" -H 'Expect:' | grep -cE '^(000|413)')" 1
is "a head of 80 kB is refused" "$(api_status / \
    -H "X: $(head -c 80000 /dev/zero | tr '\0' x)" |
    grep -cE '^(000|4..)')" 1
is "a body that is no JSON: 400" "$(api_status /api/v1/workbench -d '{')" 400
is "changes that are none: 400" \
    "$(api_status /api/v1/workbench -d '{"changes":[{}]}')" 400
is "afterwards it still answers" "$(api_status /api/v1/cluster)" 200

(with_us "$BUILDDIR/t/http/crowd" "$port" 250 plain) >"$tmp/crowd" &
crowd=$!
wait_until 60 test -s "$tmp/crowd"
is "250 connections that send no request do not keep us out" \
    "$(api_status /api/v1/cluster)" 200
{
	kill "$crowd"
	wait "$crowd"
} 2>/dev/null

# Nothing is written

is "the files are as they were" "$(cmp "$tmp/policy.cfg" \
    "$SRCDIR/etc/examples/openshift-default.cfg" 2>&1)" ""
for i in 1 2 3 4 5 6 7 8; do
	plain "/api/v1/workbench?slot=a" -d '{}' -o "$tmp/slot.$i" \
	    -H "Authorization: Bearer $token" &
	questions="${questions-} $!"
done
# shellcheck disable=SC2086 # several
wait $questions
has "of questions in one slot the last is answered" \
    "$(cat "$tmp"/slot.*)" '"replay"'
is "the others are superseded" "$(grep -L '"replay"' "$tmp"/slot.* |
    xargs -r grep -L 'superseded' | wc -l)" 0
keeper=$(ps -o pid= --ppid "$web" | tr -d ' ')
is "no process is left but the one that holds the cluster" \
    "$(echo "$keeper" | wc -w) $(ps -o pid= --ppid "$keeper" | wc -l)" "1 0"

# A process that ends although nobody asked it to

kill -KILL "$keeper"
loaded_again() {
	[ "$(api_status /api/v1/cluster)" = 200 ]
}
wait_until 20 loaded_again
is "one that is killed is replaced" "$(api_status /api/v1/cluster)" 200
stop_web
is "nothing outlives the server" "$(ps -o pid= -p "$keeper" | wc -l)" 0
finish
