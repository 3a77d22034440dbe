#!/bin/sh
# predicatectl dump: the decisions can be made again from it, and no secret that was in
# an object or a policy is in it.
. "$SRCDIR/t/ctl/ctl.sh"
. "$SRCDIR/t/lib/serve.sh"
cd "$tmp" || exit 99

# report ARG…: predicatectl dump, into report.json, and its policy into rules.json
report() {
	rm -f report.json rules.json
	ctl dump --write report.json "$@"
	jq '.report.policy // .report.configuration' report.json >rules.json
}

# simulate, without the time that it took
placed() {
	ctl simulate "$@" -o json
	out=$(echo "$out" | grep -v '^ "seconds":')
}

# ---- the same decisions ----

cluster=$examples/cluster.yaml
report --cluster "$cluster" --policy "$examples/policy.cfg"
is "a dump and a policy: 0" "$code:$out" 0:
placed --cluster "$cluster" --policy "$examples/policy.cfg"
want=$out
placed --cluster report.json --policy rules.json
is "simulate reads it back" "$out" "$want"
for pod in shop/forecast shop/db-2 ml/train-58d7f-2; do
	ctl explain $pod --cluster "$cluster" --policy "$examples/policy.cfg" \
	    -o json
	want=$(echo "$out" | jq -cS .)
	ctl explain $pod --cluster report.json --policy rules.json -o json
	is "$pod: explain reads it back" "$(echo "$out" | jq -cS .)" "$want"
done
is "the version is in it" "$(jq -r .report.versions.clientVersion.gitVersion \
    report.json)" "v$("$BUILDDIR/predicatectl" --version | cut -d ' ' -f 2)"
is "and nothing that was not asked for" "$(jq -c '.report | keys' report.json)" \
    '["policy","versions"]'

for file in openshift-default-configmap.yaml kubescheduler-v1.yaml; do
	flag=--policy
	case $file in kube*) flag=--config ;; esac
	report --cluster "$cluster" $flag "$examples/$file"
	is "$file: 0" "$code" 0
	placed --cluster "$cluster" $flag "$examples/$file"
	want=$out
	placed --cluster report.json $flag rules.json
	is "$file: simulate reads it back" "$out" "$want"
done

if [ -r "$SRCDIR/../shared/clusters/openb.json.gz" ]; then
	big=$tmp/openb.json
	zcat "$SRCDIR/../shared/clusters/openb.json.gz" >"$big"
	ctl dump --cluster "$big" --write report.json
	placed --cluster report.json
	got=$out
	placed --cluster "$big"
	is "a production cluster: simulate reads it back" \
	    "$(echo "$got" | sha1sum)" "$(echo "$out" | sha1sum)"
fi

# ---- OpenShift ----

cat "$cluster" - >openshift.yaml <<'END'
---
apiVersion: config.openshift.io/v1
kind: Scheduler
metadata: {name: cluster, annotations: {note: hunter2-scheduler}}
spec: {mastersSchedulable: false, policy: {name: scheduler-policy}}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: scheduler-policy, namespace: openshift-config}
data:
  policy.cfg: '{"kind":"Policy","predicates":[{"name":"PodFitsResources"}]}'
  other: hunter2-map
END
ctl dump --cluster openshift.yaml --write report.json
placed --cluster openshift.yaml
want=$out
placed --cluster report.json
is "OpenShift's policy: simulate reads it back" "$out" "$want"
is "OpenShift: no secret" "$(grep hunter2 report.json)" ""

# ---- secrets ----

# Each has "hunter2" in it.
cat "$cluster" - >planted.yaml <<END
---
apiVersion: v1
kind: Secret
metadata: {name: s, namespace: shop}
data: {password: hunter2-secret}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: c, namespace: shop}
data: {conf: hunter2-configmap, policy.cfg: hunter2-other}
---
apiVersion: v1
kind: Namespace
metadata:
  name: planted
  annotations: {owner: hunter2-project}
  managedFields: [{manager: hunter2-manager}]
---
apiVersion: v1
kind: Pod
metadata:
  name: planted
  namespace: shop
  annotations:
    kubectl.kubernetes.io/last-applied-configuration: '{"x":"hunter2-applied"}'
  managedFields: [{manager: hunter2-manager}]
spec:
  imagePullSecrets: [{name: hunter2-pull}]
  serviceAccountName: hunter2-account
  nodeSelector: {planted: "yes"}
  containers:
  - name: main
    image: i
    command: [run, --password=hunter2-command]
    args: [hunter2-argument]
    env:
    - {name: DB_PASSWORD, value: hunter2-env}
    envFrom: [{secretRef: {name: hunter2-from}}]
    livenessProbe: {httpGet: {path: /hunter2-probe, port: 1}}
    resources: {requests: {cpu: 1}}
  volumes:
  - {name: v, secret: {secretName: hunter2-volume}}
  - {name: w, projected: {sources: [{secret: {name: hunter2-projected}}]}}
  - {name: x, cephfs: {monitors: [a], secretFile: /hunter2-file}}
  - {name: y, flexVolume: {driver: d, options: {password: hunter2-flex}}}
status:
  conditions:
  - {type: PodScheduled, status: "False", message: hunter2-message}
---
apiVersion: v1
kind: Node
metadata: {name: planted-node, annotations: {x: hunter2-node}}
spec: {providerID: hunter2-provider}
status:
  allocatable: {cpu: 1, memory: 1Gi, pods: 10}
  conditions: [{type: Ready, status: "True", message: hunter2-ready}]
---
apiVersion: v1
kind: PersistentVolume
metadata: {name: planted, annotations: {x: hunter2-volume-annotation}}
spec:
  capacity: {storage: 1Gi}
  accessModes: [ReadWriteOnce]
  csi:
    driver: d
    volumeHandle: h
    volumeAttributes: {password: hunter2-attribute}
    nodeStageSecretRef: {name: hunter2-stage, namespace: shop}
---
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: {name: planted}
provisioner: p
parameters: {secret: hunter2-parameter}
END
# A key whose text is the secret.
certificate() {
	openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes \
	    -keyout "$1.key" -out "$1.crt" -days 2 -subj "$2" 2>/dev/null
}
certificate admin /O=system:masters/CN=admin
key=$(base64 -w 0 admin.key)
cat >planted.cfg <<END
# hunter2-comment
{"kind":"Policy","apiVersion":"v1","predicates":[{"name":"PodFitsResources"}],
"extenders":[{"urlPrefix":"https://user:hunter2-url@extender/","filterVerb":"f",
"enableHttps":true,"tlsConfig":{"certData":"$(base64 -w 0 admin.crt)","keyData":"$key"}}]}
END
printf 'I1122 a line\nE1122 broken \377 \000 bytes\nI1122 the last line\n' >planted.log
mkdir -p .kube
cat >.kube/config <<END
apiVersion: v1
kind: Config
current-context: a
contexts: [{name: a, context: {cluster: a, user: a}}]
clusters: [{name: a, cluster: {server: "https://127.0.0.1:1"}}]
users:
- name: a
  user:
    token: hunter2-kube
    client-certificate-data: $(base64 -w 0 admin.crt)
    client-key-data: $key
END
DB_PASSWORD=hunter2-environment
export DB_PASSWORD
serve client-ca=admin.crt
report --cluster planted.yaml --policy planted.cfg --log planted.log \
    --daemon "https://127.0.0.1:$port"
stop_serving
is "every page is there: 0" "$code" 0
is "no secret is in it" "$(grep -cF -e hunter2 -e "$key" report.json)" 0
is "nor the key as it is" "$(grep -cF -e "$(sed -n 2p admin.key)" report.json)" 0
is "the pod is" "$(jq -c '.items[]|select(.kind == "Pod" and
    .metadata.name == "planted")|.spec.nodeSelector' report.json)" \
    '{"planted":"yes"}'
is "no Secret and no ConfigMap is" "$(jq -r '.items[].kind' report.json |
    grep -E '^(Secret|ConfigMap)$')" ""
is "the log is" "$(jq -r .report.log report.json | head -n 1)" "I1122 a line"
is "to its end" "$(jq -r .report.log report.json | sed -n 3p)" "I1122 the last line"
is "an extender's URL has no password" \
    "$(jq -r '.extenders[0].urlPrefix' rules.json)" "https://extender/"
has "the policy is valid" "$("$BUILDDIR/predicatectl" check rules.json |
    tail -n 1)" "rules.json: ok"
is "the daemon's pages are" "$(jq -c '.report.daemon | map_values(. != "")' \
    report.json)" '{"/debug/status":true,"/configz":true,"/metrics":true,"/debug/decisions":true}'
is "the daemon's version is" \
    "$(jq -r .report.versions.daemonVersion.gitVersion report.json)" \
    "v$("$BUILDDIR/predicatectl" --version | cut -d ' ' -f 2)"
"$BUILDDIR/predicatectl" dump --cluster planted.yaml --log - <planted.log \
    >piped.json 2>/dev/null
is "a log from standard input" "$(jq -r .report.log piped.json | tail -n 2)" \
    "I1122 the last line"
awk 'BEGIN { while (i++ < 200000) print "line " i " of a long log, hello" }' >long
report --cluster "$cluster" --log long
jq -j .report.log report.json >log
is "of a long log the end" "$(tail -n 1 log)" "$(tail -n 1 long)"
is "not more than 4 MiB" "$(($(wc -c <log) <= 4194304))" 1
has "in whole lines" "$(head -n 1 log)" "line "

# A daemon that was started without the two flags, and one without TLS.
certificate stranger /CN=stranger
serve client-ca=stranger.crt
report --cluster "$cluster" --daemon "https://127.0.0.1:$port"
is "pages that are missing: 1" "$code" 1
has "the server's reason is given" "$err" \
    "runs without --authentication-kubeconfig and --authorization-kubeconfig"
is "and the rest is there" "$(jq '.items | length > 0' report.json)" true
stop_serving

# ---- versions ----

ctl version
is "version" "$out" "Client Version: v$("$BUILDDIR/predicatectl" --version |
    cut -d ' ' -f 2)"
serve client-ca=admin.crt
ctl version --daemon "https://127.0.0.1:$port" -o json --client
is "--client" "$(echo "$out" | jq -c keys)" '["clientVersion"]'
ctl version --daemon "https://127.0.0.1:$port" -o json
is "version -o json" "$code:$(echo "$out" | jq -c 'map_values(.gitVersion != null)')" \
    '3:{"clientVersion":true,"daemonVersion":true}'
has "a server that is not there" "$err" "https://127.0.0.1:1: cannot get /version"
ctl version --daemon "https://127.0.0.1:$port" -o yaml
has "version -o yaml" "$out" '  gitVersion: "v'
ctl version --daemon "https://127.0.0.1:$port" --daemon-ca "$SRCDIR/README.md"
is "another authority: 3" "$code" 3
stop_serving
rm .kube/config
ctl version --daemon "https://127.0.0.1:$port"
is "no daemon: 3" "$code" 3
has "but the client's" "$out" "Client Version"
has "and why" "$err" "https://127.0.0.1:$port: cannot get /version: "

# ---- what goes wrong ----

report --cluster "$cluster" --policy nowhere
is "no policy: 1" "$code" 1
has "no policy: it says so" "$err" "nowhere: No such file"
is "no policy: the cluster is there" "$(jq '.items | length > 0' report.json)" true
report --cluster "$cluster" --log nowhere
is "no log: 1" "$code" 1
has "no log: it says so" "$err" "nowhere: No such file"
ctl dump --cluster nowhere --log planted.log
is "no cluster: 3" "$code" 3
has "no cluster: it says so" "$err" "nowhere: No such file"
ctl dump --cluster "$cluster" --write nowhere/x
is "a folder that is not there: 3" "$code" 3
ctl dump --cluster "$cluster" --daemon localhost
has "a daemon that is no URL" "$err" "--daemon must be a URL"
ctl bundle --cluster "$cluster"
is "bundle: 2" "$code:$(echo "$err" | head -n 1)" \
    "2:predicatectl: bundle is a part of dump: predicatectl dump --policy FILE --daemon URL --log FILE"

# The objects alone.
ctl simulate --cluster "$cluster" -o json
want=$(printf '%s\n' "$out" | grep -v seconds)
ctl dump --cluster "$cluster" --write dump.json
is "dump: 0" "$code:$out" 0:
is "it has the objects alone" "$(jq -c keys dump.json)" \
    '["apiVersion","items","kind"]'
ctl simulate dump.json -o json
is "a dump decides the same" "$(printf '%s\n' "$out" | grep -v seconds)" "$want"
ctl dump dump.json
is "a dump of a dump" "$out" "$(cat dump.json)"
ctl dump --cluster planted.yaml
lacks "a dump has no secrets" "$out" hunter2
finish
