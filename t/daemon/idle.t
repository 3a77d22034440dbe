#!/bin/sh
# With nothing to schedule the API server gets no requests but renewals of the lease,
# whether or not nodes report their status: for SECONDS (15) each, beside other
# requests of which SCHEDULER=kube-scheduler shows the number, too.
. "$SRCDIR/t/lib/tap.sh"
. "$SRCDIR/t/lib/apiserver.sh"
. "$SRCDIR/t/daemon/e2e.sh"

nodes=${NODES:-300}
seconds=${SECONDS_IDLE:-15}
election=
policy=

cat >"$tmp/audit.yaml" <<-END
apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived, ResponseStarted]
rules:
- level: Metadata
  users: ["system:serviceaccount:kube-system:predicated", "system:kube-scheduler"]
- level: None
END

# requests: a line for each so far.
requests() {
	jq -r '.verb + " " + (.requestURI | sub("[?].*"; ""))' "$audit_log"
}

# made FROM: those after the first FROM lines, but no watches, which the server
# ends from time to time.
made() {
	requests | tail -n "+$(($1 + 1))" | grep -v '^watch'
}

# patch_status N: that node's kubelet reports.
patch_status() {
	curl -fsS --noproxy '*' --cacert "$apiserver_ca" \
	    --cert "$apiserver_dir/admin.crt" --key "$apiserver_dir/admin.key" \
	    -o "$tmp/patched" -X PATCH \
	    -H 'Content-Type: application/merge-patch+json' \
	    -d "{\"status\":{\"nodeInfo\":{\"bootID\":\"$1\"}}}" \
	    "$apiserver_url/api/v1/nodes/node-$(printf %05d "$1")/status" ||
	    bail_out "no status of node $1"
}

leads() {
	grep -qi 'successfully acquired lease' "$tmp/log"
}

start_apiserver --audit-policy-file="$tmp/audit.yaml" \
    --audit-log-path="$audit_log" --audit-log-mode=blocking-strict
make_cluster --nodes "$nodes" --pods 0
start_scheduler "$SCHEDULER" "$tmp/log"
wait_scheduler
wait_until 60 leads || bail_out "it does not lead: $(tail "$tmp/log")"
sleep 3

before=$(requests | wc -l)
sleep "$seconds"
made "$before" >"$tmp/idle"
before=$(requests | wc -l)
began=$(date +%s)
for n in $(seq $((2 * seconds))); do
	patch_status "$n"
	sleep 0.5
done
took=$(($(date +%s) - began)) # a busy machine takes longer
made "$before" >"$tmp/trickle"
for kind in idle trickle; do
	sort "$tmp/$kind" | uniq -c | sed "s/^/# $kind, $seconds s:/"
	grep -v ' /apis/coordination.k8s.io/' "$tmp/$kind" >"$tmp/$kind.other"
	echo "# $kind: $(wc -l <"$tmp/$kind") requests, $(wc -l <"$tmp/$kind.other") \
not about the lease"
done
# In the first minute OpenShift's object is still asked for every 10 s.
is "idle: at most two more than those about the lease" \
    "$(($(wc -l <"$tmp/idle.other") <= 1 + seconds / 10))" 1
is "statuses: no more, one in ten seconds" \
    "$(($(wc -l <"$tmp/trickle.other") <= 1 + took / 10))" 1
is "the lease: no more than a write every 2 s" \
    "$(($(wc -l <"$tmp/idle") <= 3 + seconds / 2 + seconds / 10))" 1
finish
