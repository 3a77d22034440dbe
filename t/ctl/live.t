#!/bin/sh
# predicatectl on a live cluster: every command says the same as on a dump of it,
# made by README's kubectl command; the API server's audit log shows that it only
# gets, lists and watches; and what goes wrong is said in one line.
home=$HOME
. "$SRCDIR/t/ctl/ctl.sh"
. "$SRCDIR/t/lib/apiserver.sh"
. "$SRCDIR/t/page/web.sh"

tools=$BUILDDIR/t/daemon
policy=$examples/policy.cfg
audit_log=$tmp/audit.log

cat >"$tmp/audit.yaml" <<END
apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived]
rules:
- level: Metadata
  users: [reader]
- level: None
END
mkdir -p "$apiserver_dir"
printf '%s\n' 'admin-token,admin,0,system:masters' 'good,reader,1' \
    >"$apiserver_dir/tokens.csv"
HOME=$home # its programs are kept there
start_apiserver --audit-policy-file="$tmp/audit.yaml" \
    --audit-log-path="$audit_log" --audit-log-mode=blocking-strict

HOME=$tmp

# ---- the cluster ----

sed "s/VERSION/v1.$kubernetes_minor.2/" "$data/live.yaml" >"$tmp/live.yaml"
[ "$kubernetes_minor" -lt 25 ] ||
    sed -i s,policy/v1beta1,policy/v1, "$tmp/live.yaml"
# More pods than a page of a list has.
make_cluster() {
	KUBECONFIG=$admin "$tools/make_cluster" "$@" >/dev/null ||
	    bail_out "make_cluster $* failed"
}
ctl simulate --kubeconfig "$admin"
is "a cluster without nodes: 3" "$code" 3
has "says so" "$err" "$apiserver_url: the cluster has no nodes"
k create -f "$tmp/live.yaml" >/dev/null || bail_out "live.yaml is refused"
make_cluster --nodes 30 --services 5
make_cluster --pods 600 --affinity --onto 30
make_cluster --pods 20 --affinity --first 600

# ---- a user who may only read ----

# The role of the manual page.
sed -n '/^\.Sh LIVE/,/^\.Ed/p' "$SRCDIR/doc/predicatectl.1" |
    sed '1,/^\.Bd/d; /^\.Ed/d' >"$tmp/role.yaml"
is "the documented role only reads" \
    "$(sed -n 's/ *verbs: //p' "$tmp/role.yaml" | sort -u)" \
    "[get, list, watch]
[get]"
k create -f "$tmp/role.yaml" >/dev/null || bail_out "the role is refused"
k create clusterrolebinding reader --clusterrole=predicatectl --user=reader \
    >/dev/null
reader=$(kubeconfig_for reader)

# ---- the same as on a dump ----

# The dump, by the command that README gives.
command=$(grep -o 'kubectl get nodes,pods,ns,.*-o json' "$SRCDIR/README.md" |
    head -n 1)
has "README has the command" "$command" "kubectl get nodes"
# shellcheck disable=SC2086 # split on purpose
k ${command#kubectl } >"$tmp/dump.json"

cat >"$tmp/small.yaml" <<END
apiVersion: v1
kind: Pod
metadata: {name: small, namespace: shop}
spec:
  priorityClassName: business
  containers: [{name: main, image: i, resources: {requests: {cpu: 100m}}}]
END
sed 's/"weight" *: *1\b/"weight": 5/' "$policy" >"$tmp/new.cfg"

# Without the time that it took.
timeless() {
	echo "$1" | grep -v '^ "seconds":'
}

# same COMMAND ARG…: standard output and exit code are those on the dump.
same() {
	ctl "$@" --cluster "$tmp/dump.json"
	want=$code:$(timeless "$out")
	ctl "$@" --kubeconfig "$reader"
	is "$*: as on a dump" "$code:$(timeless "$out")" "$want"
	[ "${#out}" -gt 10 ] || fail "$*: has a result" "$err"
}

same explain shop/report -o json
same explain shop/report -o wide
same explain report -n shop --policy "$policy" -o yaml
same explain shop/train
same explain shop/db-0 -o json --policy "$policy"
same explain shop/web-1 -o name
same explain --pod-file "$tmp/small.yaml" -o json
same simulate -o json
same simulate -o json --preempt --seed 7 --policy "$policy"
same simulate -o json --config "$examples/kubescheduler-v1.yaml"
same capacity --like shop/web-3 -o json
same capacity --pod-file "$tmp/small.yaml" --policy "$policy"
same drain east-1 node-00003 -o json
same drain --zone west --policy "$policy"
same diff "$policy" "$tmp/new.cfg" -o json
same diff "$policy" "$examples/kubescheduler-v1.yaml"
same audit -o json
same audit --policy "$policy"
same why-not east-2 --pod shop/report -o json
same why-not west-1 --pod shop/web-3 --policy "$policy"
same defrag --for shop/report -o json
same tune --objective spread --rounds 1 --max-weight 2 -o json
same check "$policy" --all
same check "$policy" -o json

# The logs of pods that never ran are errors.
k cluster-info dump --all-namespaces >"$tmp/info"
has "kubectl cluster-info dump prints logs" "$(cat "$tmp/info")" \
    "==== START logs for container"
ctl explain shop/web-1 -o name --kubeconfig "$reader"
want=$out
ctl explain shop/web-1 -o name --cluster "$tmp/info"
is "and is read" "$out" "$want"

# The order is that in which objects come.
dump_about() {
	ctl dump "$@"
	echo "$out" | jq -Sc '[.items[] | {kind, name: .metadata.name,
	    namespace: .metadata.namespace, spec, labels: .metadata.labels}] |
	    sort_by(.kind, .namespace, .name)'
}
dump_about --cluster "$tmp/dump.json" >"$tmp/dumped"
dump_about --kubeconfig "$reader" >"$tmp/dumped.live"
is "dump: as of a dump" "$(cksum <"$tmp/dumped.live")" "$(cksum <"$tmp/dumped")"
has "dump: has the pods" "$(cat "$tmp/dumped.live")" '"name":"pod-00619"'

# web_about ARG…: the page's answers about that cluster
web_about() {
	serve_web "$@"
	for question in pods nodes reasons 'pod?name=shop/report' policy; do
		api "/api/v1/$question"
		echo
	done
	kill -INT "$web"
	wait "$web"
}
web_about --cluster "$tmp/dump.json" >"$tmp/web.dump"
web_about --kubeconfig "$reader" >"$tmp/web.live"
is "web: as on a dump" "$(cat "$tmp/web.live")" "$(cat "$tmp/web.dump")"
is "web: has results" "$(($(wc -c <"$tmp/web.live") > 10000))" 1

ctl dump --kubeconfig "$reader" --log /dev/null --write "$tmp/report.json"
is "a report: 0" "$code" 0
is "a report: the server's version" \
    "$(jq -r .report.versions.serverVersion.minor "$tmp/report.json")" \
    "$(k version -o json 2>/dev/null | jq -r .serverVersion.minor)"
same simulate -o json
want=$(timeless "$out")
ctl simulate -o json --cluster "$tmp/report.json" \
    --kubernetes-version "1.$kubernetes_minor"
is "a report: its objects decide as the cluster" "$(timeless "$out")" "$want"

version_about() {
	ctl version -o json "$@"
	echo "$out" | jq -c .serverVersion
}
version_about --kubeconfig "$reader" >"$tmp/version.live"
is "version: as the server says" "$(cat "$tmp/version.live")" \
    "$(k get --raw /version | jq -c .)"
# A kubectl leaves out what only later servers say.
k version -o json 2>/dev/null | jq .serverVersion >"$tmp/version.kubectl"
is "version: as kubectl's" "$(jq -c --slurpfile kubectl "$tmp/version.kubectl" \
    'with_entries(select(.key | in($kubectl[0])))' "$tmp/version.live")" \
    "$(jq -c . "$tmp/version.kubectl")"

canary_about() {
	ctl canary status -o json "$@"
	echo "$code:$(echo "$out" | jq -c 'keys')"
}
canary_about --kubeconfig "$reader" >"$tmp/canary"
has "canary: the reader may read what it asks for" "$(cat "$tmp/canary")" 0:

# No command is forgotten.
ctl --help
for name in $(printf '%s\n' "$out" |
    sed -n '/^Commands/,/^$/s/^  \([a-z-]*\) .*/\1/p'); do
	ctl "$name" --help
	case $out in
	*--kubeconfig*)
		if grep -qE "^(same $name|${name}_about) " \
		    "$SRCDIR/t/ctl/live.t"; then
			pass "$name was tried"
		else
			fail "$name was tried" "add 'same $name …'"
		fi ;;
	esac
done

ctl explain shop/report --kubeconfig "$reader" -v
has "the rules are those of the server" "$err" \
    "the API server $apiserver_url is 1.$kubernetes_minor;"
lacks "a user who may read everything is not warned" "$err" warning
ctl simulate --kubeconfig "$reader" --kubernetes-version 1.15 -v
has "--kubernetes-version wins" "$err" \
    "rules of Kubernetes 1.15 (--kubernetes-version)"

# ---- where kubectl looks ----

ctl explain shop/report -o json --kubeconfig "$reader"
want=$out
ctl check "$policy"
lacks "check alone looks at no cluster" "$out$err" Kubernetes
export KUBECONFIG="$reader"
ctl explain shop/report -o json
is "\$KUBECONFIG" "$out" "$want"
ctl check "$policy"
lacks "check alone still looks at no cluster" "$out$err" Kubernetes
ctl check "$policy" --context test -v
has "but with --context" "$err" "rules of Kubernetes"
mkdir -p "$tmp/.kube"
cp "$reader" "$tmp/.kube/config"
cp "$apiserver_dir"/ca.crt "$apiserver_dir"/reader.* "$tmp/.kube"
export KUBECONFIG="$tmp/none"
ctl explain shop/report
is "\$KUBECONFIG names no file: not ~/.kube/config" "$code" 2
has "which is said" "$err" "there is no kubeconfig"
unset KUBECONFIG
ctl explain shop/report -o json
is "the usual file" "$out" "$want"

sed -e 's/current-context: .*/current-context: other/' \
    -e 's/^contexts:/&\
- name: other\
  context: {cluster: test, user: reader, namespace: shop}/' \
    "$reader" >"$apiserver_dir/contexts.kubeconfig"
contexts=$apiserver_dir/contexts.kubeconfig
ctl explain report -o json --kubeconfig "$contexts"
is "a name is in the context's namespace" "$out" "$want"
ctl why-not east-2 --pod report --kubeconfig "$contexts"
has "with other commands, too" "$out" "shop/report"
ctl explain report --kubeconfig "$contexts" --context test
is "but in that of --context" "$code" 3
ctl explain report -n shop -o json --kubeconfig "$contexts" --context=test
is "and -n wins" "$out" "$want"
ctl explain shop/report --kubeconfig "$contexts" --context prod
is "an unknown context: 3" "$code" 3
is "says which there are" "$err" "predicatectl: $contexts: context \"prod\" does \
not exist; there are other, test"

# kubectl runs plugins that it finds in PATH, and hands on what follows.
mkdir "$tmp/bin"
ln -s "$BUILDDIR/predicatectl" "$tmp/bin/kubectl-predicate"
plugin() {
	PATH=$tmp/bin:$PATH kubectl predicate "$@" 2>/dev/null
}
is "kubectl predicate" "$(plugin explain shop/report -o json)" "$want"
is "kubectl predicate with options of kubectl" "$(plugin explain report -o json \
    --kubeconfig "$contexts" --context test --namespace shop \
    --request-timeout=20s)" "$want"
is "and before the command" "$(plugin --kubeconfig "$contexts" \
    --context=other explain report -o json)" "$want"

# ---- the policy ----

k create configmap scheduler-policy -n kube-system \
    --from-file=policy.cfg="$policy" >/dev/null
ctl explain shop/web-3 -o json --kubeconfig "$reader" --policy "$policy"
want=$out
ctl explain shop/web-3 -o json --kubeconfig "$reader" \
    --policy-configmap scheduler-policy
is "--policy-configmap" "$out" "$want"
ctl explain shop/web-3 -o json --kubeconfig "$reader" \
    --policy-configmap scheduler-policy --strict-policy
is "with --strict-policy" "$out" "$want"
ctl explain shop/web-3 --kubeconfig "$reader" --policy-configmap other
is "one that is missing: 3" "$code" 3
has "says so" "$err" "configmaps \"other\" not found"
k create configmap bad -n shop --from-literal=policy.cfg='{"kind":1}' >/dev/null
ctl explain shop/web-3 --kubeconfig "$reader" --policy-configmap bad \
    --policy-configmap-namespace shop
is "one that is invalid: 1" "$code" 1
has "says where" "$err" "shop/bad: the policy is refused"
k create configmap none -n shop --from-literal=policy=x >/dev/null
ctl explain shop/web-3 --kubeconfig "$reader" --policy-configmap none \
    --policy-configmap-namespace shop
is "one without a policy: 3" "$code" 3
has "says so" "$err" 'the ConfigMap shop/none has no "policy.cfg"'

k create namespace openshift-config >/dev/null
k apply -f "$SRCDIR/t/data/openshift/scheduler-crd.yaml" >/dev/null
k wait --for=condition=Established --timeout=20s \
    crd/schedulers.config.openshift.io >/dev/null
wait_until 20 k get schedulers
k create -f - <<END >/dev/null
apiVersion: config.openshift.io/v1
kind: Scheduler
metadata: {name: cluster}
spec: {mastersSchedulable: false, policy: {name: scheduler-policy}}
END
ctl explain shop/web-3 --kubeconfig "$reader"
is "OpenShift's policy is missing: 1" "$code" 1
has "says so" "$err" \
    "the ConfigMap openshift-config/scheduler-policy is not in the input"
k create configmap scheduler-policy -n openshift-config \
    --from-file=policy.cfg="$policy" >/dev/null
ctl explain shop/web-3 -o json --kubeconfig "$reader"
is "OpenShift's Scheduler object names the policy" \
    "$(echo "$out" | sed 's/"policy":"[^"]*"//')" \
    "$(echo "$want" | sed 's/"policy":"[^"]*"//')"
k delete crd schedulers.config.openshift.io >/dev/null

# ---- what may not be read ----

k create clusterrole some --verb=get,list --resource=nodes,pods >/dev/null
k create clusterrolebinding some --clusterrole=some --user=some >/dev/null
some=$(kubeconfig_for some)
ctl explain shop/db-0 --kubeconfig "$some"
is "kinds that may not be listed are no error" "$code" 1
has "they are named" "$err" "warning: $apiserver_url: not allowed to list "
for kind in services persistentvolumeclaims poddisruptionbudgets csinodes; do
	has "$kind is named" "${err#*not allowed to list}" "$kind"
done
has "those that pods use once more" "$err" "not allowed to list \
PersistentVolumeClaims, which pending pods use; a role needs get and list for \
persistentvolumeclaims"
lacks "kinds that the server does not have are not" "$err" distributionpolicies
nobody=$(kubeconfig_for nobody)
ctl simulate --kubeconfig "$nobody"
is "without nodes: 3" "$code" 3
has "says why" "$err" "predicatectl: $apiserver_url: cannot list"
has "says who" "$err" 'User "nobody" cannot list resource'

# ---- what cannot be reached ----

# broken NAME SENTENCE SED: explain with a kubeconfig that is changed so.
broken() {
	sed "$3" "$reader" >"$apiserver_dir/broken.kubeconfig"
	ctl simulate --kubeconfig "$apiserver_dir/broken.kubeconfig"
	is "$1: 3" "$code" 3
	has "$1: says so" "$err" "$2"
	is "$1: in one line" "$(echo "$err" | wc -l)" 1
}
token='/client-key/d; s/client-certificate: .*/token: '
broken "a bad token" "$apiserver_url: HTTP 401: Unauthorized; the credentials \
in $apiserver_dir/broken.kubeconfig are missing, expired or not valid" \
    "${token}bad/"
sed "${token}good/" "$reader" >"$apiserver_dir/token.kubeconfig"
ctl simulate --kubeconfig "$apiserver_dir/token.kubeconfig"
is "a good one" "$code" "1"
exec="$apiserver_dir/exec.sh"
cat >"$exec" <<END
#!/bin/sh
echo '{"apiVersion":"client.authentication.k8s.io/v1beta1",
"kind":"ExecCredential","status":{"token":"good"}}'
END
chmod +x "$exec"
by_exec='/client-key/d; s/client-certificate: .*/exec: {apiVersion: '
by_exec="${by_exec}client.authentication.k8s.io\\/v1beta1, command: "
sed "$by_exec.\\/exec.sh}/" "$reader" >"$apiserver_dir/exec.kubeconfig"
ctl simulate --kubeconfig "$apiserver_dir/exec.kubeconfig"
is "a credential plugin" "$code" "1"
broken "one that fails" "false" "${by_exec}\\/bin\\/false}/"
port=$(free_port)
broken "nobody listens" "https://127.0.0.1:$port: Failed to connect to \
127.0.0.1 port $port" "s,server: .*,server: https://127.0.0.1:$port,"
certificate "$apiserver_dir/wrong" /CN=wrong ""
broken "another authority" "SSL certificate problem" \
    's/certificate-authority: .*/certificate-authority: wrong.crt/'
broken "an authority that is not there" "none.crt" \
    's/certificate-authority: .*/certificate-authority: none.crt/'
broken "a name that does not resolve" "Could not resolve host: none.invalid" \
    's,server: .*,server: https://none.invalid,'
# A server that answers nothing.
kill -STOP "$kube_apiserver_pid"
ctl simulate --kubeconfig "$reader" --request-timeout 1
kill -CONT "$kube_apiserver_pid"
is "a server that does not answer: 3" "$code" 3
has "is given up" "$err" "timed out after 1"

# ---- only read ----

is "no verb but these" \
    "$(jq -r .verb "$audit_log" | sort -u | tr '\n' ' ')" "get list "
is "in many requests" "$(($(wc -l <"$audit_log") > 500))" 1
k --kubeconfig "$reader" create namespace forbidden >/dev/null 2>&1
is "another verb would have been seen" \
    "$(jq -r .verb "$audit_log" | sort -u | tr '\n' ' ')" "create get list "
finish
