#!/bin/sh
# StickyJobs on a real API server, as doc/plugins.md describes them: their pods
# return to the last node, or move where they must; and that is written down.
. "$SRCDIR/t/lib/tap.sh"
. "$SRCDIR/t/lib/apiserver.sh"
. "$SRCDIR/t/daemon/e2e.sh"

policy=

# job NAME [SPEC]
job() {
	k create -f - <<-END >/dev/null || bail_out "StickyJob $1 is refused"
	apiVersion: example.com/v1
	kind: StickyJob
	metadata: {name: $1}
	spec:
	  ${2-}
	  template:
	    spec: {containers: [{name: main, image: "example.org/main:1"}]}
	END
}

# pod JOB [CPU]: as the controller of StickyJobs would make it.
pod() {
	k create -f - <<-END >/dev/null || bail_out "the pod of $1 is refused"
	apiVersion: v1
	kind: Pod
	metadata:
	  name: $1
	  ownerReferences:
	  - apiVersion: example.com/v1
	    kind: StickyJob
	    name: $1
	    uid: $(k get stickyjob "$1" -o jsonpath='{.metadata.uid}')
	    controller: true
	spec:
	  terminationGracePeriodSeconds: 0
	  containers:
	  - name: main
	    image: example.org/main:1
	    resources: {requests: {cpu: ${2-1}}}
	END
}

again() {
	k delete pod "$1" --force --grace-period=0 >/dev/null 2>&1
	pod "$@"
}

node_of() {
	k get pod "$1" -o jsonpath='{.spec.nodeName}'
}

on_a_node() {
	[ -n "$(node_of "$1")" ]
}

last_node() {
	k get stickyjob "$1" -o jsonpath='{.status.lastNode}'
}

last_is() {
	[ "$(last_node "$1")" = "$2" ]
}

# lands NAME POD NODE: and that is written down.
lands() {
	wait_until 15 on_a_node "$2"
	is "$1" "$(node_of "$2")" "$3"
	wait_until 10 last_is "$2" "$3"
	is "$1: lastNode" "$(last_node "$2")" "$3"
}

message_of() {
	k get pod "$1" -o jsonpath='{.status.conditions[0].message}'
}

cat >"$tmp/config.yaml" <<'END'
apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
profiles:
- schedulerName: default-scheduler
  plugins:
    multiPoint:
      enabled:
      - name: StickyJob
END

start_apiserver
make_cluster --nodes 5 --pods 0
start_scheduler predicated "$tmp/log" --config="$tmp/config.yaml"
wait_scheduler
is "without the CRD there is nothing to be said" \
    "$(grep '^[WE].*stickyjobs' "$tmp/log")" ""
k apply -f "$SRCDIR/etc/kubernetes/components/sticky-jobs/stickyjobs.yaml" >/dev/null ||
    bail_out "etc/kubernetes/components/sticky-jobs/stickyjobs.yaml is refused"
k wait --for=condition=established --timeout=60s \
    crd/stickyjobs.example.com >/dev/null
wait_until 10 k get stickyjobs
watched() {
	metrics | grep '^predicated_watch_starts_total{resource="stickyjobs"} [1-9]'
}
wait_until 30 watched
has "the CRD may come later" "$(watched)" stickyjobs

job build
pod build
wait_until 15 on_a_node build
first=$(node_of build)
lands "the first pod goes anywhere" build "$first"
for i in 1 2 3; do
	again build
	lands "re-created, it returns ($i)" build "$first"
done

# ---- the node is drained ----

k cordon "$first" >/dev/null
again build
wait_until 15 on_a_node build
second=$(node_of build)
is "drained, it moves" "$([ "$second" != "$first" ] && echo yes)" yes
lands "to another node" build "$second"
k uncordon "$first" >/dev/null
again build
lands "and stays there" build "$second"

# ---- required ----

job pinned 'required: true'
pod pinned
wait_until 15 on_a_node pinned
pin=$(node_of pinned)
lands "required: the first pod goes anywhere" pinned "$pin"
k cordon "$pin" >/dev/null
again pinned
says() {
	case $(message_of pinned) in *StickyJob*) ;; *) return 1 ;; esac
}
wait_until 15 says
has "required: it waits for its node" "$(message_of pinned)" \
    "4 node(s) didn't match the last node of the pod's StickyJob"
is "required: it is on no node" "$(node_of pinned)" ""
k uncordon "$pin" >/dev/null
lands "required: and gets it" pinned "$pin"
k cordon "$pin" >/dev/null
again pinned
wait_until 15 says
k patch stickyjob pinned --type=merge -p '{"spec":{"required":false}}' >/dev/null
wait_until 15 on_a_node pinned
is "no longer required: it moves" \
    "$([ "$(node_of pinned)" != "$pin" ] && echo yes)" yes
lands "no longer required: elsewhere" pinned "$(node_of pinned)"
finish
