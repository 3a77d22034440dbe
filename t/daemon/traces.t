#!/bin/sh
# A collector gets a span of each step of each attempt.
. "$SRCDIR/t/lib/tap.sh"
. "$SRCDIR/t/lib/apiserver.sh"
. "$SRCDIR/t/daemon/e2e.sh"

bound_is() {
	[ "$(k get pods -o json |
	    jq '[.items[] | select(.spec.nodeName)] | length')" = "$1" ]
}

# The spans that came.
spans() {
	jq -c '.resourceSpans[] | select(any(.resource.attributes[];
	    .key == "service.name" and .value.stringValue == "predicated")) |
	    .scopeSpans[].spans[]' "$tmp/traces"
}

# count FILTER: of spans.
count() {
	spans | jq -s "[.[] | select($1)] | length"
}

are_bound_in_traces() {
	[ "$(count '.name == "scheduleOne" and .status == null')" -ge "$1" ]
}

start_apiserver
make_cluster --nodes 20 --pods 60 --services 3
"$tools/collect_traces" "$tmp/traces" >"$tmp/port" &
proxy_pid=$!
wait_until 10 test -s "$tmp/port"
start_scheduler predicated "$tmp/log" \
    --tracing-endpoint="http://127.0.0.1:$(cat "$tmp/port")" \
    --tracing-sampling-rate-per-million=1000000
wait_scheduler
wait_until 30 bound_is 60
k create -f - <<-END >/dev/null
apiVersion: v1
kind: Pod
metadata: {name: too-large}
spec:
  containers:
  - {name: main, image: "example.org/main:1", resources: {requests: {cpu: 1k}}}
END
wait_until 30 are_bound_in_traces 60
is "each pod has an attempt that bound it" 60 \
    "$(count '.name == "scheduleOne" and .status == null')"
is "and a binding cycle" 60 "$(count '.name == "bindingCycle"')"
wait_until 30 eval '[ "$(count ".status.code == 2")" -ge 1 ]'
has "that without a node says why" \
    "$(spans | jq -r 'select(.status.code == 2).status.message' | head -n 1)" \
    "0/20 nodes are available: 20 Insufficient cpu."
is "who is a span of the same trace" 0 "$(spans | jq -s '
    (map(.traceId + .spanId) | map({key: ., value: true}) | from_entries) as $ids |
    [.[] | select(.parentSpanId and ($ids[.traceId + .parentSpanId] | not))] |
    length')"
is "no span is there twice" 0 "$(spans | jq -s '
    map(.traceId + .spanId) | length - (unique | length)')"
is "children are within their parents" 0 "$(spans | jq -s '
    (map({key: (.traceId + .spanId), value: .}) | from_entries) as $all |
    [.[] | select(.parentSpanId) | . as $s |
	$all[.traceId + .parentSpanId] |
	select((.startTimeUnixNano | tonumber) - 2000000 >
		($s.startTimeUnixNano | tonumber) or
	    (.endTimeUnixNano | tonumber) + 2000000 <
		($s.endTimeUnixNano | tonumber))] | length')"
is "none was lost" "" "$(metric 'predicated_trace_spans_total{result="lost"}')"
finish
