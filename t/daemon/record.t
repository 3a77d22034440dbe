#!/bin/sh
# --record, while pods are scheduled and everything changes; predicatectl replay
# decides the same again.
. "$SRCDIR/t/lib/tap.sh"
. "$SRCDIR/t/lib/apiserver.sh"
. "$SRCDIR/t/daemon/e2e.sh"

records=$tmp/records

replay() {
	"$BUILDDIR/predicatectl" replay "$@" >"$tmp/replayed" \
	    2>"$tmp/replay.err"
}

said() {
	cat "$tmp/replayed" "$tmp/replay.err"
}

bound() {
	k get pods -o json | jq '[.items[] | select(.spec.nodeName)] | length'
}

bound_is() {
	[ "$(bound)" = "$1" ]
}

node_of() {
	k get pod "$1" -o jsonpath='{.spec.nodeName}'
}

on_a_node() {
	[ -n "$(node_of "$1")" ]
}

# pod NAME SPEC [ANNOTATIONS]
pod() {
	k create -f - <<-END >/dev/null || bail_out "pod $1 is refused"
	apiVersion: v1
	kind: Pod
	metadata: {name: $1, annotations: {${3-}}}
	spec:
	  terminationGracePeriodSeconds: 0
	  containers:
	  - name: main
	    image: example.org/main:1
	    command: [run, s3cret-argument]
	    env: [{name: PASSWORD, value: s3cret-value}]
	    $2
	END
}

generation_is() {
	metric_is predicated_policy_generation "$1"
}

recorded() {
	metric 'predicated_recorded_decisions_total{result="written"}'
}

has_unschedulable() {
	grep -q "\"pod\":\"default/$1\"" "$records"/*
}

start_apiserver
make_cluster --nodes 20 --pods 60 --services 3 --affinity
k create -f - <<'END' >/dev/null
apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata: {name: urgent}
value: 1000
END
cp "$policy" "$tmp/policy.cfg"
policy=$tmp/policy.cfg
start_scheduler predicated "$tmp/log" --record="$records" --record-size=64
wait_scheduler
wait_until 30 bound_is 60

# ---- nodes, pods, claims and the policy change meanwhile ----

pod with-secrets 'resources: {requests: {cpu: 100m}}' \
    'example.org/token: s3cret-annotation'
k cordon node-00003 >/dev/null
k label node node-00004 disk=ssd >/dev/null
k delete node node-00019 >/dev/null
make_storage node-00005
pod claims 'resources: {requests: {cpu: 100m}}
  volumes:
  - name: v
    persistentVolumeClaim: {claimName: found}'
KUBECONFIG=$admin "$tools/make_cluster" --pods 40 --prefix more \
    --affinity >/dev/null || bail_out "no more pods"
wait_until 30 bound_is 101
sed 's/LeastRequested/MostRequested/' "$SRCDIR/etc/examples/openshift-default.cfg" \
    >"$tmp/policy.new"
mv "$tmp/policy.new" "$policy"
wait_until 10 generation_is 2
KUBECONFIG=$admin "$tools/make_cluster" --pods 40 --prefix packed \
    >/dev/null || bail_out "no packed pods"
pod big 'resources: {requests: {cpu: "1000"}}'
wait_until 10 has_unschedulable big
k uncordon node-00003 >/dev/null
k delete pod with-secrets >/dev/null
wait_until 30 bound_is 140
all_recorded() {
	[ "$(recorded)" -ge 143 ]
}
wait_until 20 all_recorded
is "no decision was lost" \
    "$(metric 'predicated_recorded_decisions_total{result="lost"}')" 0

# ---- a pod is nominated to a node, which counts for others ----

k create -f - <<'END' >/dev/null
apiVersion: v1
kind: Pod
metadata: {name: urgent}
spec:
  priorityClassName: urgent
  nodeSelector: {kubernetes.io/hostname: node-00006}
  containers:
  - name: main
    image: example.org/main:1
    resources: {requests: {cpu: "7500m"}}
END
is_nominated() {
	[ -n "$(k get pod urgent -o jsonpath='{.status.nominatedNodeName}')" ]
}
wait_until 20 is_nominated
is "room is made for a pod" \
    "$(k get pod urgent -o jsonpath='{.status.nominatedNodeName}')" node-00006
for i in 1 2 3; do
	pod "after-$i" 'resources: {requests: {cpu: 100m}}'
done
wait_until 20 on_a_node after-3

# ---- what a record has, and who may read it ----

is "files are ours alone" "$(stat -c %a "$records"/*.jsonl | sort -u)" 600
is "and so is the directory" "$(stat -c %a "$records")" 700
lacks "no environment, argument or annotation" "$(cat "$records"/*)" s3cret
has "nominations" "$(cat "$records"/*)" '"nominated":"node-00006"'
has "volumes that are given to claims" "$(cat "$records"/*)" \
    '{"claimed":{"volume":"disk","namespace":"default","claim":"found"}}'

# ---- replayed while the daemon goes on, and after its end ----

replay "$records"
is "all decisions so far have the same result" "$?" 0
stop_process "$scheduler_pid" TERM
replay "$records" -o json
is "and all of them after the end" "$?" 0
is "as JSON" "$(jq -c '[.files, .truncated, .notReplayed,
    (.differences | length), .decisions == .same, .decisions >= 143]' \
    "$tmp/replayed")" "[1,0,0,0,true,true]"
sed 's/^/# /' "$tmp/replay.err"
sed 's/^/# /' "$tmp/replayed" | head -n 3

at=$(sed -n 's/.*"seconds":\([0-9]*\),"microseconds":\([0-9]*\).*/\1 \2/p' \
    "$records"/*.jsonl | sed -n 100p)
replay "$records" --at "$(jq -rn "${at% *} | todate | .[:-1]"
    )$(printf .%06dZ "${at#* }")"
has "one of them by its time" "$(said)" "Of 1 decision 1 has the same result"
replay "$records" --at 1999-12-31
has "none of another day" "$(said)" "Of 0 decisions"

# ---- proof that it would notice ----

file=$(echo "$records"/*.jsonl)
awk '/^{"decision"/ && /"node":"node-/ && !n++ {
    sub(/"node":"[^"]*"/, "\"node\":\"elsewhere\"") } { print }' "$file" \
    >"$tmp/changed"
replay "$tmp/changed"
is "a decision that is another is found" "$?" 1
has "and shown" "$(said)" "another node"
sed 's/"seed":"[0-9]*"/"seed":"1"/' "$file" >"$tmp/seeds"
replay "$tmp/seeds"
is "another seed gives other nodes" "$?" 1
head -c -20 "$file" >"$tmp/cut"
replay "$tmp/cut"
is "the end may be missing" "$?" 0
has "which is said with its line" "$(said)" \
    "$tmp/cut:$(wc -l <"$file"): the last record is not complete"
sed '7s/.*/{"put": "Pod", "object": {"metadata": 1}}/' "$file" >"$tmp/broken"
replay "$tmp/broken"
is "nothing else may" "$?" 3
has "which is said with its position" "$(said)" "$tmp/broken:7:"

# ---- another policy ----

cat >"$tmp/spread.cfg" <<'END'
{"kind": "Policy", "apiVersion": "v1",
 "predicates": [{"name": "PodFitsResources"}],
 "priorities": [{"name": "LeastRequestedPriority", "weight": 1}]}
END
replay "$records" --policy "$tmp/spread.cfg"
has "another policy: what it would change" "$(said)" "would go elsewhere"
has "with the rule that tips it" "$(said)" "RULE THAT TIPS THEM"
replay "$records" --policy "$tmp/spread.cfg" -o json
is "as JSON" "$(jq -c '[.pods >= 143, .elsewhere > 0, (.rules | length) > 0,
    has("balance")]' "$tmp/replayed")" "[true,true,true,false]"

# ---- profiles of plugins, and a dry run beside ----

cat >"$tmp/config.yaml" <<'END'
apiVersion: kubescheduler.config.k8s.io/v1beta1
kind: KubeSchedulerConfiguration
leaderElection: {leaderElect: false}
profiles:
- schedulerName: default-scheduler
  plugins:
    score:
      disabled: [{name: NodeResourcesLeastAllocated}]
END
(
	policy=
	start_scheduler predicated "$tmp/log3" --config="$tmp/config.yaml" \
	    --record="$tmp/configured" --policy-dry-run="$tmp/spread.cfg"
	wait_scheduler
	for i in 1 2 3 4 5; do
		pod "plugins-$i" 'resources: {requests: {cpu: 100m}}'
	done
	wait_until 20 on_a_node plugins-5
	stop_process "$scheduler_pid" TERM
)
replay "$tmp/configured"
is "decisions of plugins have the same result, too" "$?" 0
has "all of them" "$(said)" "Of "
lacks "there are some" "$(said)" "Of 0"

# ---- a disk that is full ----

# Not of the log, which goes to no file.
run_scheduler() {
	(ulimit -f 16; trap '' XFSZ; with_us "$@")
}
start_scheduler predicated /dev/null --record="$tmp/full"
wait_scheduler
pod after 'resources: {requests: {cpu: 100m}}'
wait_until 20 on_a_node after
is "a disk that is full does not keep pods from nodes" \
    "$(node_of after | cut -c 1-5)" node-
errors() {
	[ "$(metric predicated_record_errors_total)" -ge 1 ]
}
wait_until 10 errors
is "and is counted" "$(metric predicated_record_errors_total)" 1
stop_process "$scheduler_pid" TERM

# ---- where it must not be ----

mkdir -m 777 "$tmp/open"
"$BUILDDIR/predicated" --check --record="$tmp/open" >"$tmp/check" 2>&1
is "not where others may write" "$?" 1
has "which --check says, too" "$(cat "$tmp/check")" "other users may write"
lacks "nothing was forbidden" "$(cat "$tmp/log")" "orbidden"
finish
