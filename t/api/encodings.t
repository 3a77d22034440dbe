#!/bin/sh
# Objects of all kinds that are read, with as many fields as kube-apiserver
# takes, say the same in JSON and in protobuf: single, in lists, in streams of
# events up to bookmarks and errors.  Of pods and nodes all fields do, of others those
# that are read.
#
# PREDICATED_UPDATE=1 writes the samples of answers in t/data/protobuf again.
. "$SRCDIR/t/lib/tap.sh"
. "$SRCDIR/t/lib/apiserver.sh"

data=$SRCDIR/t/data/protobuf
start_apiserver --feature-gates=AllAlpha=true --runtime-config=api/all=true

# ask PATH [CURL OPTION…]
ask() {
	path=$1
	shift
	curl -sS --noproxy '*' --max-time 60 --cacert "$apiserver_ca" \
	    --cert "$apiserver_dir/admin.crt" \
	    --key "$apiserver_dir/admin.key" "$@" "$apiserver_url$path"
}

protobuf=application/vnd.kubernetes.protobuf

# both NAME PATH: NAME.json and NAME.pb; prints what type the latter has.
both() {
	ask "$2" -H 'Accept: application/json' -o "$tmp/$1.json"
	ask "$2" -H "Accept: $protobuf,application/json" -o "$tmp/$1.pb" \
	    -w '%{content_type}'
}

# same HOW NAME PATH
same() {
	for attempt in 1 2 3 4 5; do
		type=$(both "$2" "$3")
		difference=$("$BUILDDIR/t/api/compare_encodings" \
		    "$1" "$tmp/$2.json" "$tmp/$2.pb" 2>&1)
		# Something was written between the two requests: the lists are
		# of different versions.
		[ "$difference" = metadata ] || break
		echo "# attempt $attempt: $2 at different versions"
	done
	is "$2: $3" "$type$difference" "$protobuf"
}

# keep NAME…: as samples
keep() {
	[ -n "${PREDICATED_UPDATE-}" ] || return 0
	for name; do
		cp "$tmp/$name.json" "$tmp/$name.pb" "$data/"
	done
}

# Later releases have no PodDisruptionBudget of v1beta1, and refuse a sysctl of a
# namespace that the pod shares with its host.
cp "$data/objects.yaml" "$tmp/objects.yaml"
policy=policy/v1beta1
[ "$kubernetes_minor" -lt 25 ] || policy=policy/v1
[ "$kubernetes_minor" -lt 25 ] ||
    sed -i 's,policy/v1beta1,policy/v1,
	s/kernel\.shm_rmid_forced/vm.overcommit_memory/' "$tmp/objects.yaml"
k create --validate=false -f "$tmp/objects.yaml" >"$tmp/created" 2>&1 ||
    bail_out "the objects cannot be made: $(cat "$tmp/created")"

# patch PATH: merges standard input
patch() {
	code=$(ask "$1" -X PATCH -o "$tmp/patched" -w '%{http_code}' \
	    -H 'Content-Type: application/merge-patch+json' --data-binary @-)
	[ "$code" = 200 ] || bail_out "$1: $(cat "$tmp/patched")"
}

patch /api/v1/namespaces/wide/pods/wide/ephemeralcontainers <<END
{"ephemeralContainers": [{"name": "debug", "image": "i", "command": ["sh"],
    "stdin": true, "tty": true, "targetContainerName": "main",
    "terminationMessagePath": "/t", "terminationMessagePolicy": "File",
    "imagePullPolicy": "Always"}]}
END
while read -r path json; do
	printf '%s' "$json" | patch "$path/status"
done <<END
$(sed "s,policy/v1beta1,$policy," "$data/statuses")
END

core=/api/v1
wide=$core/namespaces/wide
for kind in pods nodes namespaces services configmaps replicationcontrollers \
    persistentvolumes persistentvolumeclaims; do
	same list "$kind" "$core/$kind"
done
for kind in storageclasses csinodes csidrivers volumeattachments; do
	same list "$kind" "/apis/storage.k8s.io/v1/$kind"
done
# A beta version that later releases do not serve.
[ "$kubernetes_minor" -ge 22 ] ||
    same list csinodes-beta /apis/storage.k8s.io/v1beta1/csinodes
same list replicasets /apis/apps/v1/replicasets
same list poddisruptionbudgets "/apis/$policy/poddisruptionbudgets"
same list page "$core/persistentvolumes?limit=2"
same list none "$core/pods?labelSelector=no%3Dbody"

same object pod "$wide/pods/wide"
same object node "$core/nodes/wide"
same object statefulset /apis/apps/v1/namespaces/wide/statefulsets/wide
same object status "$wide/pods/none"
keep pod node status page services csinodes poddisruptionbudgets configmaps

same object claims /apis/apps/v1/namespaces/wide/statefulsets/with-claims

# Custom resources have no protobuf.
k create -f - >"$tmp/created" 2>&1 <<END
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: things.example.com}
spec:
  group: example.com
  scope: Cluster
  names: {kind: Thing, plural: things}
  versions:
  - {name: v1, served: true, storage: true, schema:
      {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}}
END
things_served() {
	ask /apis/example.com/v1/things -f
}
wait_until 30 things_served
is "custom resources come as JSON" "$(both things /apis/example.com/v1/things)" \
    application/json

# Streams.
stream() { # NAME ACCEPT PATH
	ask "$3" -N -H "Accept: $2" -o "$tmp/$1"
}
version=$(jq -r .metadata.resourceVersion "$tmp/none.json")
watched="$wide/pods?watch=true&allowWatchBookmarks=true&timeoutSeconds=15"
watched="$watched&resourceVersion=$version"
stream watch.json application/json "$watched" &
json=$!
stream watch.pb "$protobuf,application/json" "$watched" &
pb=$!
echo '{"metadata":{"labels":{"more":"yes"}}}' | patch "$wide/pods/bare"
k delete pod -n wide bare --grace-period=0 --force >"$tmp/deleted" 2>&1
k run -n wide --image i new >"$tmp/created" 2>&1
wait "$json" "$pb"
is "the same events in both" "$("$BUILDDIR/t/api/compare_encodings" watch \
    "$tmp/watch.json" "$tmp/watch.pb" 2>&1)" ""
is "of all types" "$(sed -n 's/^{"type":"\([A-Z]*\)".*/\1/p' \
    "$tmp/watch.json" | sort | uniq | tr '\n' ' ')" \
    'ADDED BOOKMARK DELETED MODIFIED '
keep watch

# A server that has just come back does not know so old a version.
stop_kube_apiserver
start_kube_apiserver
wait_apiserver || bail_out "kube-apiserver does not come back"
k label -n wide pod new again=yes >"$tmp/labelled" 2>&1
old="$wide/pods?watch=true&resourceVersion=1&timeoutSeconds=1"
stream error.json application/json "$old"
stream error.pb "$protobuf,application/json" "$old"
is "an error in both" "$("$BUILDDIR/t/api/compare_encodings" watch \
    "$tmp/error.json" "$tmp/error.pb" 2>&1)" ""
has "which says so" "$(cat "$tmp/error.json")" '{"type":"ERROR",'
has "and is 410" "$(cat "$tmp/error.json")" '"code":410'
keep error
finish
