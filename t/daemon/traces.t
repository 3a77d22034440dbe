#!/bin/sh
# A collector gets a span of each step of each attempt, of a thousand here.
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

# What is not as opentelemetry/proto/trace/v1/trace.proto and OTLP's JSON have it.
faults() {
	jq -c '
	    def only($names): (keys - $names | length) == 0;
	    def is_id($digits): type == "string" and
		test("^[0-9a-f]{\($digits)}$") and test("[^0]");
	    def is_time: type == "string" and test("^[1-9][0-9]{18}$");
	    def are_attributes: all(.[]; only(["key", "value"]) and
		(.key | length > 0) and (.value | only(["stringValue"]) and
		    (.stringValue | type == "string")));
	    def is_span: only(["traceId", "spanId", "parentSpanId", "name", "kind",
		    "startTimeUnixNano", "endTimeUnixNano", "attributes", "status"]) and
		(.traceId | is_id(32)) and (.spanId | is_id(16)) and
		(.parentSpanId | . == null or is_id(16)) and (.name | length > 0) and
		.kind == 1 and (.startTimeUnixNano | is_time) and
		(.endTimeUnixNano | is_time) and (.attributes | are_attributes) and
		(.status | . == null or only(["code", "message"]) and .code == 2);
	    if only(["resourceSpans"]) then .resourceSpans[] else . end |
	    if only(["resource", "scopeSpans"]) and
		(.resource | only(["attributes"]) and (.attributes | are_attributes))
	    then .scopeSpans[] else . end |
	    if only(["scope", "spans"]) and (.scope | only(["name"])) then .spans[]
	    else . end | select(is_span | not)' "$tmp/traces" | head -n 3
}

# The traces that buckets of the page in OpenMetrics name.
exemplars() {
	curl -fsS -k --noproxy '*' --max-time 5 -D "$tmp/headers" \
	    -H 'Accept: application/openmetrics-text;version=1.0.0,text/plain;q=0.5' \
	    --cert "$apiserver_dir/admin.crt" --key "$apiserver_dir/admin.key" \
	    "https://127.0.0.1:$scheduler_port/metrics" >"$tmp/page"
	sed -n 's/^scheduler_scheduling_attempt_duration_seconds_bucket{.*trace_id="\([^"]*\)".*/\1/p' \
	    "$tmp/page"
}

start_apiserver
make_cluster --nodes 100 --pods 1000 --services 3
"$tools/collect_traces" "$tmp/traces" >"$tmp/port" &
proxy_pid=$!
wait_until 10 test -s "$tmp/port"
start_scheduler predicated "$tmp/log" \
    --tracing-endpoint="http://127.0.0.1:$(cat "$tmp/port")" \
    --tracing-sampling-rate-per-million=1000000
wait_scheduler
wait_until 120 bound_is 1000
k create -f - <<-END >/dev/null
apiVersion: v1
kind: Pod
metadata: {name: too-large}
spec:
  containers:
  - {name: main, image: "example.org/main:1", resources: {requests: {cpu: 1k}}}
END
wait_until 30 are_bound_in_traces 1000
is "each pod has an attempt that bound it" 1000 \
    "$(count '.name == "scheduleOne" and .status == null')"
is "and a binding cycle" 1000 "$(count '.name == "bindingCycle"')"
wait_until 30 eval '[ "$(count ".status.code == 2")" -ge 1 ]'
has "that without a node says why" \
    "$(spans | jq -r 'select(.status.code == 2).status.message' | head -n 1)" \
    "0/100 nodes are available: 100 Insufficient cpu."
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
is "all are as OTLP has them" "" "$(faults)"
exemplars >"$tmp/exemplars"
has "metrics are in OpenMetrics" "$(cat "$tmp/headers")" \
    "application/openmetrics-text; version=1.0.0"
is "to the end" "# EOF" "$(tail -n 1 "$tmp/page")"
is "and name traces" yes "$([ ! -s "$tmp/exemplars" ] || echo yes)"
spans | jq -r .traceId | sort -u >"$tmp/ids"
is "that were sent" "" "$(sort -u "$tmp/exemplars" | comm -23 - "$tmp/ids")"
is "only to whom asks for them" "" "$(metrics | grep -F -e trace_id -e '# EOF')"
is "none was lost" "" "$(metric 'predicated_trace_spans_total{result="lost"}')"
finish
