#!/bin/sh
# predicatectl bundle: the decisions can be made again from it, and no secret that was
# anywhere in the input is in it.
. "$SRCDIR/t/ctl/ctl.sh"
. "$SRCDIR/t/lib/serve.sh"
cd "$tmp" || exit 99

# bundle ARG…: predicatectl bundle, unpacked in ./predicatectl-bundle
bundle() {
	rm -rf bundle.tar.gz predicatectl-bundle
	ctl bundle --write bundle.tar.gz "$@"
	tar xzf bundle.tar.gz 2>tar.err ||
	    fail "tar reads it" "$(cat tar.err) $err"
}
inside=predicatectl-bundle

# simulate, without the time that it took
placed() {
	ctl simulate "$@" -o json
	out=$(echo "$out" | grep -v '^ "seconds":')
}

# ---- the same decisions ----

cluster=$examples/cluster.yaml
bundle --cluster "$cluster" --policy "$examples/policy.cfg"
is "a dump and a policy: 0" "$code" 0
is "gzip finds nothing wrong" "$(gzip -t bundle.tar.gz 2>&1)" ""
is "it is its owner's alone" "$(stat -c %a bundle.tar.gz)" 600
is "so is each file in it" "$(tar tvzf bundle.tar.gz | cut -c 1-10 | sort -u)" \
    -rw-------
placed --cluster "$cluster" --policy "$examples/policy.cfg"
want=$out
placed --cluster $inside/cluster.json --policy $inside/policy.json
is "simulate reads it back" "$out" "$want"
for pod in shop/forecast shop/db-2 ml/train-58d7f-2; do
	ctl explain $pod --cluster "$cluster" --policy "$examples/policy.cfg" \
	    -o json
	want=$(echo "$out" | jq -cS .)
	is "$pod is explained in it" \
	    "$(jq -cS . $inside/explain/*-"$(echo $pod | tr / _)".json)" "$want"
	ctl explain $pod --cluster $inside/cluster.json \
	    --policy $inside/policy.json -o json
	is "$pod: explain reads it back" "$(echo "$out" | jq -cS .)" "$want"
done
command=$(sed -n 's/^  predicatectl \(simulate .*\)/\1/p' $inside/CONTENTS.txt)
has "it says how" "$command" "--cluster cluster.json --policy policy.json"
# shellcheck disable=SC2086 # split on purpose
(cd $inside && ctl $command && [ "$code" -le 1 ])
is "and that works" $? 0
has "the problems of the policy are in it" "$(cat $inside/check.txt)" \
    "policy.json: ok"
is "the versions are" "$(jq -r .clientVersion.gitVersion $inside/versions.json)" \
    "v$("$BUILDDIR/predicatectl" --version | cut -d ' ' -f 2)"
has "of libraries, too" "$(jq -r '.libraries[]' $inside/versions.json)" libcurl
listed=$(sed -n '/^Inside/,/^$/s/^  \([^ ]*\) .*/\1/p' $inside/CONTENTS.txt)
is "it lists its files" "$(echo "$listed" | sort)" \
    "$(cd $inside && find . -type f ! -name CONTENTS.txt | cut -c 3- | sort)"
for part in events.json daemon/ log.txt; do
	has "it names what it leaves out: $part" \
	    "$(sed -n '/^Left out/,$p' $inside/CONTENTS.txt)" "  $part: "
done

for file in openshift-default-configmap.yaml kubescheduler-v1.yaml; do
	flag=--policy
	kind=policy
	case $file in kube*)
		flag=--config
		kind=configuration
	esac
	bundle --cluster "$cluster" $flag "$examples/$file"
	is "$file: 0" "$code" 0
	placed --cluster "$cluster" $flag "$examples/$file"
	want=$out
	placed --cluster $inside/cluster.json $flag $inside/$kind.json
	is "$file: simulate reads it back" "$out" "$want"
done

if [ -r "$SRCDIR/../shared/clusters/openb.json.gz" ]; then
	big=$SRCDIR/../shared/clusters/openb.json.gz
	bundle --cluster "$big"
	placed --cluster $inside/cluster.json
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
bundle --cluster openshift.yaml
placed --cluster openshift.yaml
want=$out
placed --cluster $inside/cluster.json
is "OpenShift's policy: simulate reads it back" "$out" "$want"
is "OpenShift: no secret" "$(grep -rl hunter2 $inside)" ""

# ---- secrets ----

# Each has "hunter2" in it.
jwt=eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJodW50ZXIyIn0.c2lnbmF0dXJl
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
cat >planted.log <<END
I1122 level=info GET /api Authorization: Bearer hunter2-bearer
I1122 using $jwt for the server
I1122 password=hunter2-password and "token": "hunter2-token", user ok
E1122 https://admin:hunter2-login@10.0.0.1:6443 refused
clientSecret: hunter2-client-secret
-----BEGIN RSA PRIVATE KEY-----
aHVudGVyMg==
-----END RSA PRIVATE KEY-----
I1122 the last line
END
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
touch good
serve client-ca=admin.crt
bundle --cluster planted.yaml --policy planted.cfg --log planted.log \
    --daemon "https://127.0.0.1:$port"
stop_serving
is "no secret is in it" \
    "$(grep -rlF -e hunter2 -e aHVudGVyMg -e "$jwt" -e "$key" $inside)" ""
is "nor the key as it is" "$(grep -rlF -e "$(sed -n 2p admin.key)" $inside)" ""
is "nor in the list on the screen" "$(echo "$out" | grep hunter2)" ""
is "the pod is" "$(jq -c '.items[]|select(.kind == "Pod" and
    .metadata.name == "planted")|.spec.nodeSelector' $inside/cluster.json)" \
    '{"planted":"yes"}'
is "no Secret and no ConfigMap is" "$(jq -r '.items[].kind' \
    $inside/cluster.json | grep -E '^(Secret|ConfigMap)$')" ""
has "the log is" "$(cat $inside/log.txt)" "I1122 the last line"
has "with its words" "$(cat $inside/log.txt)" "user ok"
has "the policy is valid" "$("$BUILDDIR/predicatectl" check \
    $inside/policy.json | tail -n 1)" "$inside/policy.json: ok"
for file in metrics.txt configz.json decisions.json healthz.txt; do
	is "the daemon's $file is" "$([ -s $inside/daemon/$file ] && echo yes)" yes
done
is "the daemon's version is" \
    "$(jq -r .daemonVersion.gitVersion $inside/versions.json)" \
    "v$("$BUILDDIR/predicatectl" --version | cut -d ' ' -f 2)"
# Pages that this server does not have.
is "pages that are missing: 1" "$code" 1
has "pages that are missing are named" "$(cat $inside/CONTENTS.txt)" \
    "daemon/flagz.txt, daemon/statusz.txt: https://127.0.0.1:$port: cannot get "
"$BUILDDIR/predicatectl" bundle --cluster planted.yaml --log - \
    --write piped.tar.gz <planted.log >/dev/null 2>&1
is "a log from standard input" \
    "$(tar xzOf piped.tar.gz $inside/log.txt | tail -n 1)" "I1122 the last line"
awk 'BEGIN { while (i++ < 200000) print "line " i " of a long log, hello" }' >long
bundle --cluster "$cluster" --log long
is "of a long log the end" "$(tail -n 1 $inside/log.txt)" "$(tail -n 1 long)"
is "not more than 4 MiB" "$(($(wc -c <$inside/log.txt) <= 4194304))" 1
has "in whole lines" "$(head -n 1 $inside/log.txt)" "line "

# A daemon that was started without the two flags, and one without TLS.
certificate stranger /CN=stranger
serve client-ca=stranger.crt
bundle --cluster "$cluster" --daemon "https://127.0.0.1:$port"
contents=$(cat $inside/CONTENTS.txt)
has "pages that fail for one reason have one line" "$contents" \
    "  daemon/metrics.txt, daemon/configz.json, daemon/decisions.json: https"
has "the server's reason is given" "$contents" \
    "runs without --authentication-kubeconfig and --authorization-kubeconfig"
lacks "the credentials of the kubeconfig are not in doubt" "$contents" \
    "missing, expired"
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

bundle --cluster "$cluster" --policy nowhere
is "no policy: 1" "$code" 1
has "no policy: it says so" "$(cat $inside/CONTENTS.txt)" \
    "policy: nowhere: No such file"
is "no policy: the cluster is there" "$([ -s $inside/cluster.json ]; echo $?)" 0
echo '{"kind":"Policy","predicates":[{"name":"None"}]}' >refused.cfg
bundle --cluster "$cluster" --policy refused.cfg
is "a policy that is refused: 1" "$code" 1
has "a policy that is refused: the reason" "$(cat $inside/check.txt)" \
    "policy.json: refused: "
bundle --cluster nowhere
is "no cluster: 1" "$code" 1
has "no cluster: it says so" "$(cat $inside/CONTENTS.txt)" \
    "cluster.json: nowhere: No such file"
ctl bundle --cluster "$cluster" --write bundle.tar.gz
is "a file that exists: 3" "$code" 3
has "a file that exists" "$err" "bundle.tar.gz: File exists"
ctl bundle --cluster "$cluster" --write nowhere/x
is "a folder that is not there: 3" "$code" 3
(ulimit -f 8 && trap '' XFSZ &&
    exec "$BUILDDIR/predicatectl" bundle --cluster planted.yaml --log long \
	--write full.tar.gz) >/dev/null 2>&1
is "a full disk: 3" $? 3
is "a full disk leaves nothing" "$([ -e full.tar.gz ] || echo none)" none
ctl bundle --cluster "$cluster" --policy -
is "a policy from standard input: 2" "$code" 2
ctl bundle --cluster "$cluster" --daemon localhost
has "a daemon that is no URL" "$err" "--daemon must be a URL"
printf '{"kind":"Pod","metadata":{"namespace":"../..","name":"%s"}}\n' \
    "$(printf '%0300d' 0)" >long.yaml
{ echo "$one_node"; cat long.yaml; } >hostile.json
bundle --cluster hostile.json
is "names of pods are no paths" \
    "$(tar tzf bundle.tar.gz | grep -c '\.\./')" 0
cd "$tmp" || exit 99

# dump: the objects alone.
ctl simulate --cluster "$cluster" -o json
want=$(printf '%s\n' "$out" | grep -v seconds)
ctl dump --cluster "$cluster" --write dump.json
is "dump: 0" "$code:$out" 0:
ctl simulate dump.json -o json
is "a dump decides the same" "$(printf '%s\n' "$out" | grep -v seconds)" "$want"
ctl dump dump.json
is "a dump of a dump" "$out" "$(cat dump.json)"
ctl dump --cluster planted.yaml
lacks "a dump has no secrets" "$out" hunter2
mkdir named
cd named || exit 99
ctl bundle --cluster "$cluster"
is "its usual name" "$(echo predicatectl-bundle-*Z.tar.gz | tr -d 0-9)" \
    predicatectl-bundle-TZ.tar.gz
finish
