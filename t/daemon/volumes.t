#!/bin/sh
# Volumes for claims that wait for their first consumer, when something comes
# between: they are not bound, are taken away, or another client was faster.
. "$SRCDIR/t/lib/tap.sh"
. "$SRCDIR/t/lib/apiserver.sh"
. "$SRCDIR/t/daemon/e2e.sh"

volume() {
	k create -f - <<-END >/dev/null
	apiVersion: v1
	kind: PersistentVolume
	metadata: {name: $1}
	spec:
	  storageClassName: local
	  capacity: {storage: $2}
	  accessModes: [ReadWriteOnce]
	  hostPath: {path: /$1}
	END
	merge_patch "/api/v1/persistentvolumes/$1/status" \
	    '{"status":{"phase":"Available"}}'
}

# claim NAME CLASS, and a pod of the same name that mounts it.
claim() {
	k create -f - <<-END >/dev/null
	apiVersion: v1
	kind: PersistentVolumeClaim
	metadata: {name: $1}
	spec:
	  storageClassName: $2
	  accessModes: [ReadWriteOnce]
	  resources: {requests: {storage: 1Gi}}
	---
	apiVersion: v1
	kind: Pod
	metadata: {name: $1}
	spec:
	  terminationGracePeriodSeconds: 0
	  containers:
	  - name: main
	    image: example.org/main:1
	    volumeMounts: [{name: v, mountPath: /v}]
	  volumes:
	  - {name: v, persistentVolumeClaim: {claimName: $1}}
	END
}

claimed_by() {
	[ "$(k get pv "$1" -o jsonpath='{.spec.claimRef.name}')" = "$2" ]
}

selected() {
	k get pvc "$1" -o yaml | grep selected-node:
}

messages() {
	k get events -o jsonpath='{range .items[?(@.involvedObject.name=="'"$1"'")]}{.reason}: {.message}{"\n"}{end}'
}

has_message() {
	messages "$1" | grep "$2"
}

# watch_pods: each state of each pod goes to a file, as the next attempt overwrites
# the condition of the one before.
watch_pods() {
	(with_us kubectl --kubeconfig "$admin" get pods --watch -o json) \
	    >"$tmp/pods" 2>/dev/null &
}

# conditions POD: that it has or had, a line each.
conditions() {
	jq -r --arg name "$1" 'select(.metadata.name == $name) |
	    .status.conditions[]? | select(.type == "PodScheduled") |
	    .reason + ": " + .message' "$tmp/pods" 2>/dev/null
}

had_condition() {
	conditions "$1" | grep -qxF "$2"
}

# fails NAME POD TEXT: that is what event and condition say.
fails() {
	wait_until 20 has_message "$2" FailedScheduling
	is "$1" "$(messages "$2" | head -n 1)" "FailedScheduling: $3"
	if wait_until 20 had_condition "$2" "VolumeBindingFailed: $3"; then
		pass "$1: the condition"
	else
		fail "$1: the condition" "got:  $(conditions "$2")
want: VolumeBindingFailed: $3"
	fi
}

# bound CLAIM VOLUME: as the controller does it; then the pod is bound.
bound() {
	merge_patch "/api/v1/namespaces/default/persistentvolumeclaims/$1" \
	    '{"metadata":{"annotations":{"pv.kubernetes.io/bind-completed":"yes"}},
	    "spec":{"volumeName":"'"$2"'"}}'
	wait_until 20 on_a_node "$1"
	is "$1: it is bound when its volume is" "$(k get pod "$1" \
	    -o jsonpath='{.spec.nodeName}' | cut -c1-5)" node-
}

on_a_node() {
	[ -n "$(k get pod "$1" -o jsonpath='{.spec.nodeName}')" ]
}

start_apiserver
watch_pods
make_cluster --nodes 3
k create -f - <<'END' >/dev/null
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: {name: local}
provisioner: kubernetes.io/no-provisioner
volumeBindingMode: WaitForFirstConsumer
---
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: {name: made}
provisioner: example.org/maker
volumeBindingMode: WaitForFirstConsumer
END

start_scheduler predicated "$tmp/short.log" --volume-bind-timeout=2s
wait_scheduler
volume late 1Gi
claim late local
fails "it is not bound in time" late "timed out waiting for the condition"
is "the volume stays the claim's" \
    "$(k get pv late -o jsonpath='{.spec.claimRef.name}')" late
stop_process "$scheduler_pid" TERM

start_tls_proxy "$(scheduler_user predicated)"
start_scheduler predicated "$tmp/long.log"
wait_scheduler
bound late late

volume reset 1Gi
claim reset local
wait_until 20 claimed_by reset reset
merge_patch /api/v1/persistentvolumes/reset '{"spec":{"claimRef":null}}'
fails "the volume is taken back" reset \
    'ClaimRef got reset for pv "reset"'
wait_until 20 claimed_by reset reset
bound reset reset

volume lost 1Gi
claim lost local
wait_until 20 claimed_by lost lost
k patch pv lost --type=merge -p '{"metadata":{"finalizers":null}}' >/dev/null
k delete pv lost >/dev/null
fails "the volume is deleted" lost 'could not find v1.PersistentVolume "lost"'
k delete pod lost >/dev/null

claim made made
wait_until 20 selected made
merge_patch /api/v1/namespaces/default/persistentvolumeclaims/made \
    '{"metadata":{"annotations":{"volume.kubernetes.io/selected-node":null}}}'
fails "the one who makes volumes refuses the node" made \
    'selectedNode annotation reset for PVC "made"'
wait_until 20 selected made
has "it is asked again" "$(selected made)" node-
k delete pod made >/dev/null

# the smallest volume is decided on, but another client is faster
volume small 1Gi
volume big 2Gi
proxy delay 2000 PATCH /persistentvolumes/small >/dev/null
claim slow local
is_decided() {
	grep -q 'pod default/slow: writing 1 volumes and claims' \
	    "$tmp/long.log"
}
wait_until 20 is_decided
merge_patch /api/v1/persistentvolumes/small '{"spec":{"claimRef":{
    "kind":"PersistentVolumeClaim","namespace":"default","name":"other",
    "uid":"other-uid"}}}'
wait_until 20 has_message slow FailedScheduling
has "another claim takes the volume first" "$(messages slow)" \
    'FailedScheduling: HTTP 409: Operation cannot be fulfilled on persistentvolumes "small"'
wait_until 20 claimed_by big slow
is "then another is taken" \
    "$(k get pv big -o jsonpath='{.spec.claimRef.name}')" slow
is "and the first is left alone" \
    "$(k get pv small -o jsonpath='{.spec.claimRef.name}')" other
bound slow big
lacks "nothing was forbidden" "$(cat "$tmp"/*.log)" "orbidden"
lacks "no pod was lost" "$(cat "$tmp"/*.log)" "were in no queue"
finish
