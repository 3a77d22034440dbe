#!/bin/sh
# Our HTTPS server over loopback, without an API server: health, TLS, limits, and
# permissions when no API server can be asked.  (auth.t asks a real API server.)
. "$SRCDIR/t/lib/tap.sh"
. "$SRCDIR/t/lib/serve.sh"

# refuses NAME SENTENCE ARGUMENT…: the server does not start and says this.
refuses() {
	name=$1
	want=$2
	shift 2
	got=$("$BUILDDIR/t/http/server" "$@" 2>/dev/null)
	has "$name" "$? $got" "1 $want"
}

code() {
	get "$@" -o /dev/null -w '%{http_code}'
}

make_certificate() {
	openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes \
	    -keyout "$2.key" -out "$2.crt" -days 2 -subj "/CN=$1" \
	    -addext "subjectAltName=DNS:localhost" 2>/dev/null
}

shown_certificate() {
	openssl s_client -connect "127.0.0.1:$port" </dev/null 2>/dev/null |
	    openssl x509 -noout "$@" 2>/dev/null
}

# handshake ARGUMENT…: the protocol and cipher that came about, if any did.
handshake() {
	openssl s_client -connect "127.0.0.1:$port" "$@" </dev/null 2>/dev/null |
	    sed -n 's/^New, \(TLSv[0-9.]*\), Cipher is \(.*\)/\1 \2/p'
}

cd "$tmp" || exit 99

# Health

serve no-auth
is "livez is ok" "$(get /livez)" ok
is "a failing check fails its endpoint" "$(code /healthz)" 500
is "and shows which, but not why" "$(get /healthz)" \
    "[+]ping ok
[-]file failed: reason withheld
healthz check failed"
is "other endpoints do not have it" "$(get "/livez?verbose")" \
    "[+]ping ok
livez check passed"
is "it can be excluded" "$(get "/readyz?verbose&exclude=file")" \
    "[+]ping ok
[+]file excluded: ok
readyz check passed"
is "without verbose that is ok" "$(get "/readyz?exclude=file")" ok
is "an exclusion of nothing is pointed out" \
    "$(get "/livez?verbose&exclude=a&exclude=b%20c&exclude=ping")" \
    '[+]ping excluded: ok
warn: some health checks cannot be excluded: no matches for "a", "b c"
livez check passed'
touch good
is "when the check is good again, so is health" "$(get /healthz)" ok
is "verbose" "$(get "/readyz?verbose=1")" \
    "[+]ping ok
[+]file ok
readyz check passed"
has "it is plain text" "$(get /healthz -D - -o /dev/null)" \
    "Content-Type: text/plain; charset=utf-8"

# Paths and methods

is "what is not there" "$(get /nowhere) $(code /nowhere)" \
    "404 page not found 404"
is "a check that is not there" "$(code /readyz/nowhere)" 404
is "a path is matched whole" "$(code /healthzz) $(code /healthz/)" "404 404"
is "an escaped path is the same path" "$(get /liv%65z)" ok
is "a NUL in a path" "$(code /livez%00)" 400
is "only GET and HEAD" "$(code /livez -X POST) $(code /livez -X DELETE)" \
    "405 405"
has "as the answer says" "$(get /livez -X PUT -D - -o /dev/null)" \
    "Allow: GET, HEAD"
is "HEAD has no body" "$(get /livez -I | tr -d '\r' | sed -n '1p;/ength/p')" \
    "HTTP/1.1 200 OK
Content-Length: 2"
is "several requests on one connection" \
    "$(get /livez -o /dev/null -w '%{num_connects}' \
	--next -sk "https://localhost:$port/livez" -o /dev/null \
	-w '%{num_connects}')" 10
is "without auth there is only health" \
    "$(code /metrics) $(code /healthz/ping) $(code /debug/explain)" \
    "403 403 403"
is "a body that is too big" \
    "$(head -c 100000 /dev/zero | code /livez -X GET --data-binary @- \
	-H Expect:)" 413
is "one of unknown length" \
    "$(head -c 600000 /dev/zero | code /livez -X GET --data-binary @- \
	-H Expect: -H "Transfer-Encoding: chunked")" 413
{
	printf 'GET /livez HTTP/1.1\r\nHost: x\r\nContent-Length: 9999999999\r\n\r\n'
	exec cat /dev/zero
} | timeout 10 openssl s_client -quiet -connect "127.0.0.1:$port" \
    >endless.txt 2>/dev/null
is "one without end is not waited for" "$([ $? -ne 124 ] && echo cut)" cut
is "headers that are too big" "$(code /livez -H "a: $(head -c 80000 /dev/zero |
    tr '\0' a)")" 400

# raw NAME WANT REQUEST: the statuses of the answers, then the server closes.
raw() {
	# shellcheck disable=SC2059 # it is a format
	printf "$3" | timeout 10 openssl s_client -quiet \
	    -connect "127.0.0.1:$port" >raw.txt 2>/dev/null
	closed=$([ $? -eq 124 ] && echo " open")
	is "$1" "$(grep -ao 'HTTP/1.1 [0-9]*' raw.txt | cut -c10- |
	    tr '\n' ' ')$closed" "$2 "
}
first='GET /livez HTTP/1.1\r\nHost: x\r\n'
next='GET /livez HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'

raw "two requests in one piece" "200 200" "$first\r\n$next"
raw "two lengths" 400 \
    "${first}Content-Length: 0\r\nContent-Length: 9\r\n\r\n$next"
raw "the second of them with a body" 400 \
    "${first}Content-Length: 900\r\nContent-Length: 0\r\n\r\n$next"
raw "a length that is none" 400 "${first}Content-Length: +5\r\n\r\n$next"
raw "a list of lengths" 400 "${first}Content-Length: 5, 5\r\n\r\n$next"
raw "a length and chunks" 400 "${first}Content-Length: 40\r\n\
Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n$next"
raw "chunks and a length" 400 "${first}Transfer-Encoding: chunked\r\n\
Content-Length: 40\r\n\r\n0\r\n\r\n$next"
raw "a space before the colon" 400 "${first}Content-Length : 5\r\n\r\n$next"
raw "a tab before the colon" 400 "${first}X\t: 5\r\n\r\n$next"
raw "no colon" 400 "${first}X\r\n\r\n$next"
raw "no name" 400 "${first}: x\r\n\r\n$next"
raw "a folded line" 400 "${first}X: a\r\n b\r\n\r\n$next"
raw "a folded first line" 400 "GET /livez HTTP/1.1\r\n X: b\r\n\r\n$next"
raw "bare line feeds" 400 "GET /livez HTTP/1.1\nHost: x\n\n$next"
raw "one bare line feed" 400 "${first}X: a\n\r\n$next"
raw "a bare carriage return" 400 "${first}X: a\rY: b\r\n\r\n$next"
raw "a NUL" 400 "${first}X: a\000b\r\n\r\n$next"
raw "the second request is wrong" 200 "$first\r\n${first}X : a\r\n\r\n$next"
raw "nothing behind a body is a request" 200 \
    "${first}Content-Length: 2\r\n\r\nab$next"
raw "nor behind chunks" 200 \
    "${first}Transfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n\r\n$next"
raw "nor behind chunks with a space" 200 \
    "${first}Transfer-Encoding: Chunked \r\n\r\n2\r\nab\r\n0\r\n\r\n$next"
# libevent before and after its security update of 2026 differ about these.
for coding in "identity, chunked" "chunked, chunked" gzip chunkedx ""; do
	raw "a coding that is \"$coding\"" 400 \
	    "${first}Transfer-Encoding: $coding\r\n\r\n$next"
done
{
	printf 'GET /livez HTTP/1.1\r\nHo'
	sleep 0.2
	printf 'st: x\r'
	sleep 0.2
	printf '\nX : a\r\n\r\n'
} | timeout 10 openssl s_client -quiet -connect "127.0.0.1:$port" \
    >raw.txt 2>/dev/null
is "a wrong line that comes in pieces" "$(grep -ac '^HTTP/1.1 400' raw.txt)" 1

# Certificates

has "a self-signed certificate is good for localhost" \
    "$(shown_certificate -checkhost localhost)" "does match"
has "and for 127.0.0.1" "$(shown_certificate -checkip 127.0.0.1)" "does match"
has "and for the host" "$(shown_certificate -checkhost "$(hostname)")" \
    "does match"
has "for servers only" "$(shown_certificate -purpose)" "SSL client : No"
has "TLS 1.3 if the client can" "$(handshake)" TLSv1.3
has "TLS 1.2 if not" "$(handshake -tls1_2)" "TLSv1.2 ECDHE-ECDSA"
is "nothing older" "$(handshake -tls1_1 -cipher ALL:@SECLEVEL=0)" ""
stop_serving

serve cert-dir=some/certs/ no-auth
is "--cert-dir is made, and gets a pair of files" \
    "$(cd some/certs && stat -c '%n %a' -- *)" \
    "kube-scheduler.crt 644
kube-scheduler.key 600"
first=$(shown_certificate -serial)
stop_serving
serve cert-dir=some/certs no-auth
is "which is used the next time" "$(shown_certificate -serial)" "$first"
stop_serving

make_certificate first pair
make_certificate second new
serve cert-file=pair.crt key-file=pair.key no-auth
has "the given certificate is shown" "$(shown_certificate -subject)" first
is "and can be verified" "$(curl -s --noproxy '*' --cacert pair.crt \
    "https://localhost:$port/livez")" ok
cp new.crt pair.crt
kill -HUP "$serving"
said "cannot load the new server certificate, keeping the previous one"
has "a certificate without its key is not taken" \
    "$(shown_certificate -subject)" first
cp new.key pair.key
kill -HUP "$serving"
said "loaded a new server certificate"
has "the new pair is" "$(shown_certificate -subject)" second
cp some/certs/kube-scheduler.crt pair.crt
cp some/certs/kube-scheduler.key pair.key
wait_until 15 sh -c "openssl s_client -connect 127.0.0.1:$port </dev/null \
    2>/dev/null | openssl x509 -noout -subject | grep -q localhost"
is "a change is noticed without a signal" $? 0
stop_serving

OPENSSL_CONF=$(cd "$SRCDIR" && pwd)/t/data/old_tls.cnf
export OPENSSL_CONF
serve min-version=VersionTLS10 no-auth
has "where old versions are allowed, TLS 1.2" "$(handshake -tls1_2)" TLSv1.2
is "and nothing older, not even when asked for" \
    "$(handshake -tls1_1)$(handshake -tls1)" ""
stop_serving
unset OPENSSL_CONF
serve min-version=VersionTLS13 no-auth
is "a minimal version" "$(handshake -tls1_2)" ""
stop_serving
serve cipher=TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384 no-auth
is "ciphers by Go's names" "$(handshake -tls1_2)" \
    "TLSv1.2 ECDHE-ECDSA-AES256-GCM-SHA384"
stop_serving
refuses "an unknown version" 'unknown tls version "TLS1.2"' min-version=TLS1.2
refuses "an unknown cipher" \
    "Cipher suite TLS_X not supported or doesn't exist" cipher=TLS_X
refuses "a certificate without a key" "--tls-cert-file and" cert-file=pair.crt
refuses "a file that is not there" "open nowhere.crt: no such file" \
    cert-file=nowhere.crt key-file=pair.key
refuses "a key of another certificate" new.key \
    cert-file=pair.crt key-file=new.key
refuses "an authority that is not there" "open nowhere.crt: no such file" client-ca=nowhere.crt
refuses "an authority without a certificate" "new.key holds no certificate" \
    client-ca=new.key
refuses "an address that is none" "--bind-address x is not an IP address" address=x
refuses "the same with check" "unknown tls version" check min-version=1

# Limits

serve connections=2 handshake-ms=2000 request-ms=2000 idle-ms=2000 no-auth
mkfifo silence
# ends NAME WHAT: a connection on which this is sent, and then no more, ends.
ends() {
	(printf %b "$2"; exec sleep 20) >silence 2>/dev/null &
	silent=$!
	timeout 15 openssl s_client -quiet -connect "127.0.0.1:$port" \
	    <silence >/dev/null 2>&1
	[ $? -ne 124 ]
	is "$1" $? 0
	kill "$silent"
}
ends "a connection without a request ends" ''
ends "so does one whose request does not come to its end" \
    'GET /livez HTTP/1.1\r\nHost: x\r\n'
ends "and one without another request" \
    'GET /livez HTTP/1.1\r\nHost: x\r\n\r\n'
timeout 15 bash -c "exec 3<>/dev/tcp/127.0.0.1/$port; read -r _ <&3"
[ $? -ne 124 ]
is "and one without a TLS handshake" $? 0
stop_serving
serve handshake-ms=600000 request-ms=2000 idle-ms=600000 no-auth
ends "another request must come to its end, too" \
    'GET /livez HTTP/1.1\r\nHost: x\r\n\r\nGET /livez HTTP/1.1\r\n'
stop_serving

# Crowds
#
# crowd NAME N MODE [ARGUMENT…]: waits until they are all there; $tmp/NAME says
# what becomes of them.
crowd() {
	name=$1
	shift
	: >"$name"
	(with_us "$BUILDDIR/t/http/crowd" "$port" "$@") >"$name" &
	eval "${name}_process=$!"
	wait_until 60 test -s "$name"
}
end_crowd() {
	eval "kill \$${1}_process; wait \$${1}_process" 2>/dev/null
}

make_certificate ca ca
make_client() {
	openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes \
	    -keyout "$1.key" -subj "$2" 2>/dev/null |
	    openssl x509 -req -CA ca.crt -CAkey ca.key -days "${3:-2}" \
		-set_serial 1 -out "$1.crt" 2>/dev/null
}
make_client admin /O=system:masters/CN=admin
make_client user /O=people/CN=jane
make_client nameless /O=system:masters

# Nothing ends by itself within this test's time.
long="handshake-ms=600000 request-ms=600000 idle-ms=600000"
serve connections=20 $long client-ca=ca.crt
crowd known 1 idle path=/version from=127.0.0.5 cert=user.crt key=user.key
for mode in tcp half idle; do
	crowd many 60 $mode
	is "a full house of $mode: health answers" "$(get /livez)" ok
	is "so it does the second time" "$(get /livez)" ok
	end_crowd many
done
is "the connection of a user outlives them all" "$(tail -n 1 known)" "1 open"
crowd many 60 tcp again from=127.0.0.2
is "those who come again and again do not keep health out" "$(get /livez)" ok
is "nor a user who comes now" "$(as admin /version -o /dev/null \
    -w '%{http_code}')" 200
end_crowd many
crowd many 60 idle path=/version cert=user.crt key=user.key
is "users make room for others, too" "$(get /livez)" ok
end_crowd many
end_crowd known
said "too many connections: closed"
stop_serving

ulimit -S -n 64
serve connections=200 $long client-ca=ca.crt
ulimit -S -n "$(ulimit -H -n)"
crowd many 60 half
wait_until 20 grep -qx "8 open" many
is "ulimit -n leaves room for few" "$(tail -n 1 many)" "8 open"
is "and for newcomers" "$(get /livez)" ok
is "all the same" "$(get /livez)" ok
end_crowd many
stop_serving

serve connections=50 per-address=5 $long client-ca=ca.crt
crowd alone 1 half from=127.0.0.5
crowd many 60 half from=127.0.0.2
wait_until 20 grep -qx "5 open" many
is "one address has so many connections" "$(tail -n 1 many)" "5 open"
is "and takes none of others" "$(tail -n 1 alone)" "1 open"
crowd users 20 idle path=/version from=127.0.0.3 cert=user.crt key=user.key
is "also one of users" "$(get /livez --interface 127.0.0.3)" ok
end_crowd users
is "it may still have another one" \
    "$(get /livez --interface 127.0.0.2)" ok
end_crowd many
end_crowd alone
stop_serving

serve unsent-mb=20 $long client-ca=ca.crt
as admin /debug/decisions -o huge -w '%{http_code}' >huge.code
is "an answer of 10 MB" "$(cat huge.code) $(wc -c <huge)" "200 10000000"
crowd lazy 6 idle path=/debug/decisions cert=admin.crt key=admin.key
is "with many that are not read there are no more" \
    "$(as admin /metrics -o /dev/null -w '%{http_code}')" 429
is "but health" "$(get /livez)" ok
end_crowd lazy
wait_until 20 sh -c "curl -skf --noproxy '*' --cert admin.crt --key admin.key \
    https://localhost:$port/metrics"
is "once they are gone there are" $? 0
stop_serving

# An API server that does not answer
(with_us "$BUILDDIR/t/http/crowd" 0 0 none) >none.port &
none=$!
wait_until 20 test -s none.port
cat >none.kubeconfig <<END
clusters: [{name: a, cluster: {server: "http://127.0.0.1:$(cat none.port)"}}]
contexts: [{name: c, context: {cluster: a}}]
current-context: c
END
serve $long client-ca=ca.crt kubeconfig=none.kubeconfig skip-lookup
crowd many 40 half from=127.0.0.5
asking=
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18; do
	get /metrics -H "Authorization: Bearer $i" --interface 127.0.0.2 \
	    -o /dev/null -w '%{http_code}\n' >>answers &
	asking="$asking $!"
done
wait_until 20 sh -c '[ "$(grep -c 429 answers)" -eq 2 ]'
is "of one address so many requests wait for the API server" \
    "$(cat answers)" "429
429"
is "the next is sent away" "$(code /metrics --interface 127.0.0.2)" 429
has "for a second" "$(get /metrics -D - --interface 127.0.0.2)" "Retry-After: 1"
is "those of others are answered" \
    "$(as admin /metrics -o /dev/null -w '%{http_code}')" 200
is "and health is" "$(get /livez)" ok
kill $asking
wait $asking
end_crowd many
stop_serving
kill "$none"

# Who is it, when there is no API server to ask

make_certificate eve self
serve client-ca=ca.crt
is "health is open" "$(get /livez)" ok
is "its parts are not" "$(code /livez/ping)" 403
is "anonymous is forbidden" "$(get /metrics)" \
    '{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"forbidden: User \"system:anonymous\" cannot get path \"/metrics\": the server runs without --authentication-kubeconfig and --authorization-kubeconfig","reason":"Forbidden","details":{},"code":403}'
is "HEAD is a verb of its own" "$(code /metrics -I)" 403
is "a token that cannot be reviewed is refused" \
    "$(get /metrics -H 'Authorization: Bearer x')" \
    '{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"Unauthorized: the server runs without --authentication-kubeconfig and --authorization-kubeconfig","reason":"Unauthorized","details":{},"code":401}'
is "nor does it close health" \
    "$(get /livez -H 'Authorization: Bearer x')" ok
is "another kind of authorization is none" \
    "$(code /metrics -H 'Authorization: Basic eDp5')" 403
is "system:masters may see everything" \
    "$(as admin /metrics -o /dev/null -w '%{http_code} %{content_type}')" \
    "200 text/plain; version=0.0.4; charset=utf-8"
has "others may not without being asked for" "$(as user /metrics)" \
    'User \"jane\" cannot get path \"/metrics\": the server runs without --authorization-kubeconfig"'
is "a certificate of another authority" "$(as self /metrics -o /dev/null \
    -w '%{http_code}')" 401
is "a certificate without a name" "$(as nameless /metrics -o /dev/null \
    -w '%{http_code}')" 401
is "headers of a front proxy mean nothing without one" \
    "$(as user /metrics -o /dev/null -w '%{http_code}' \
	-H 'X-Remote-User: root' -H 'X-Remote-Group: system:masters')" 403
is "a query's values are unescaped" \
    "$(as admin "/debug/explain?x&pod=shop%2Fweb+1")" '{"pod":"shop/web 1"}'
has "a handler's own error" \
    "$(as admin "/debug/explain?po=a" -w '%{http_code}')" "pod is missing
400"
is "a process of its own answers" "$(as admin /debug/nodes)" "1 apart"
is "and changes nothing here" "$(as admin /debug/nodes \
    -w ' %{http_code} %{content_type}')" "1 apart 200 application/json"
is "if it ends, that is said" "$(as admin "/debug/nodes?end" \
    -w '%{http_code}')" "the process that answers has ended; is there too little memory?
500"
as admin "/debug/nodes?wait" >waited.txt &
waiting=$!
has "others are answered meanwhile" "$(as admin /version)" '"gitVersion":"v'
as admin /debug/nodes >next.txt &
next=$!
: >go
wait "$waiting" "$next"
is "then it, and the next one" "$(cat waited.txt) $(cat next.txt)" \
    "1 apart 1 apart"
is "a long answer is whole" "$(as admin /configz | wc -c)" 100000
has "the version" "$(as admin /version)" '"gitVersion":"v'
as admin /metrics >metrics.txt
has "requests are counted" "$(cat metrics.txt)" \
    'predicated_http_requests_total{code="401"}'
if command -v promtool >/dev/null; then
	is "promtool finds nothing wrong" \
	    "$(promtool check metrics <metrics.txt 2>&1)" ""
else
	skip "promtool finds nothing wrong" "there is no promtool"
fi
stop_serving

serve proxy-ca=ca.crt
is "a front proxy speaks for others" \
    "$(as user /metrics -o /dev/null -w '%{http_code}' \
	-H 'X-Remote-User: root' -H 'x-remote-group: a' \
	-H 'X-Remote-Group: system:masters')" 200
has "also for those who may not" \
    "$(as user /metrics -H 'X-Remote-User: joe')" 'User \"joe\"'
is "but not for itself" \
    "$(as user /metrics -o /dev/null -w '%{http_code}')" 401
is "and no other client does" "$(as self /metrics -o /dev/null \
    -w '%{http_code}' -H 'X-Remote-User: root')" 401
stop_serving

finish
