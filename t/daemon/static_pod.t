#!/bin/sh
# predicated in the place of kube-scheduler in the static pods of control planes,
# with their own command lines, files, users and ports: kubeadm 1.20, what we ship
# for kubeadm, OpenShift 4.2 and 4.6.  A mount namespace stands for the container.
. "$SRCDIR/t/lib/tap.sh"
. "$SRCDIR/t/lib/apiserver.sh"
. "$SRCDIR/t/daemon/e2e.sh"

map=
[ "$(id -u)" -eq 0 ] || map=--map-root-user
# shellcheck disable=SC2086 # no map is no argument
can_mount $map || skip_all "$no_mounts"

etc=$tmp/etc-kubernetes # stands for /etc/kubernetes
own=$tmp/etc-predicated # and for /etc/predicated
log=$tmp/log
program=predicated

# The ports are in the manifests, and the probes ask there.
for port in 10259 10251; do
	if curl -sk --noproxy '*' -o /dev/null "https://127.0.0.1:$port/" ||
	    curl -s --noproxy '*' -o /dev/null "http://127.0.0.1:$port/"; then
		bail_out "another process listens on port $port, which this test needs"
	fi
done

# command_of MANIFEST: a word a line, without the program.
command_of() {
	k create --dry-run=client -o json -f "$1" |
	    jq -r '.spec.containers[0].command[1:][]'
}

# run FILE: with the words of this file.
run() {
	(
		set --
		while read -r word; do
			set -- "$@" "$word"
		done <"$tmp/words"
		# shellcheck disable=SC2016,SC2086 # expanded in there
		with_us unshare --mount $map sh -c '
			mount -t tmpfs tmpfs /run && mount -t tmpfs tmpfs /etc &&
			    mkdir /etc/kubernetes /etc/predicated &&
			    mount --bind "$0" /etc/kubernetes &&
			    mount --bind "$1" /etc/predicated && shift &&
			    exec "$@"' "$etc" "$own" "$BUILDDIR/predicated" "$@"
	) >"$log" 2>&1 &
	scheduler_pid=$!
	scheduler_pids=$scheduler_pid
}

stop() {
	stop_process "$scheduler_pid" TERM
	scheduler_pids=
}

https_probe() {
	curl -fsSk --noproxy '*' --max-time 2 https://127.0.0.1:10259/healthz
}

http_probe() {
	curl -fsS --noproxy '*' --max-time 2 http://127.0.0.1:10251/healthz
}

placed() {
	[ -n "$(k get pod "$1" -o jsonpath='{.spec.nodeName}')" ]
}

npods=0
# works WHAT PROBE [NAME]: it is alive by this probe, and schedules under this name.
works() {
	wait_until 20 "$2"
	is "$1: its probe is answered" "$("$2" 2>&1)" ok
	npods=$((npods + 1))
	k run "pod-$npods" --image=i --overrides \
	    "{\"spec\":{\"schedulerName\":\"${3-default-scheduler}\"}}" >/dev/null
	if wait_until 30 placed "pod-$npods"; then
		pass "$1: a pod is bound"
	else
		fail "$1: a pod is bound" "$(tail -n 20 "$log")"
	fi
	is "$1: it understands every flag" \
	    "$(grep -cE 'no such flag|has no effect: ' "$log")" 0
}

start_apiserver
make_cluster --nodes 5
mkdir -p "$etc" "$own"
k config view --raw --flatten --kubeconfig \
    "$(kubeconfig_for system:kube-scheduler)" >"$etc/scheduler.conf"
k create namespace openshift-kube-scheduler >/dev/null

# ---- kubeadm ----

theirs=$SRCDIR/t/data/kubeadm/kube-scheduler-1.20.yaml
sed -e 's|^    - kube-scheduler$|    - predicated|' \
    -e 's|^\( *image: \).*|\1predicated:0.9.0|' "$theirs" >"$tmp/kubeadm.yaml"
is "kubeadm's manifest: image and command[0] are changed" \
    "$(diff "$theirs" "$tmp/kubeadm.yaml" | grep -c '^>')" 2
command_of "$tmp/kubeadm.yaml" >"$tmp/words"
run
works "kubeadm 1.20" https_probe
is "kubeadm 1.20: no port without TLS, as it says" "$(http_probe 2>/dev/null)" ""
is "kubeadm 1.20: under kube-scheduler's lock" "$(leases)" kube-scheduler
stop

# ---- ours ----

cp "$SRCDIR/etc/kubernetes/components/policy/policy.cfg" "$own/"
ours=$SRCDIR/etc/kubernetes/static-pod/kube-scheduler.yaml
command_of "$ours" >"$tmp/words"
command_of "$theirs" | grep -vxFf "$tmp/words" >"$tmp/missing"
is "our manifest has all that kubeadm's has" "$(cat "$tmp/missing")" ""
run
works "our manifest" https_probe
has "our manifest: by the policy in /etc/predicated" "$(cat "$log")" \
    "policy /etc/predicated/policy.cfg applies"
stop

# ---- OpenShift ----

resources=$etc/static-pod-resources
mkdir -p "$resources/configmaps/config" "$resources/secrets/serving-cert" \
    "$resources/configmaps/scheduler-kubeconfig"
cp "$etc/scheduler.conf" "$resources/configmaps/scheduler-kubeconfig/kubeconfig"
cp "$apiserver_dir/server.crt" "$resources/secrets/serving-cert/tls.crt"
cp "$apiserver_dir/server.key" "$resources/secrets/serving-cert/tls.key"
# What its operators bind the scheduler's user to.
k apply -f - >/dev/null <<'END'
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata:
  name: system:openshift:sa-listing-configmaps
  namespace: openshift-kube-scheduler
rules:
- {apiGroups: [""], resources: [configmaps], verbs: [get, create, update]}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata:
  name: system:openshift:sa-listing-configmaps
  namespace: openshift-kube-scheduler
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: Role
  name: system:openshift:sa-listing-configmaps
subjects:
- {apiGroup: rbac.authorization.k8s.io, kind: User, name: system:kube-scheduler}
END
k -n openshift-kube-scheduler create configmap policy-configmap \
    --from-file=policy.cfg="$SRCDIR/etc/examples/openshift-default.cfg" >/dev/null

openshift_words() {
	cat <<-'END'
	--config=/etc/kubernetes/static-pod-resources/configmaps/config/config.yaml
	--cert-dir=/var/run/kubernetes
	--port=0
	--authentication-kubeconfig=/etc/kubernetes/static-pod-resources/configmaps/scheduler-kubeconfig/kubeconfig
	--authorization-kubeconfig=/etc/kubernetes/static-pod-resources/configmaps/scheduler-kubeconfig/kubeconfig
	-v=2
	END
}

cat >"$resources/configmaps/config/config.yaml" <<'END'
apiVersion: kubescheduler.config.k8s.io/v1alpha1
kind: KubeSchedulerConfiguration
algorithmSource:
  policy:
    configMap:
      name: policy-configmap
      namespace: openshift-kube-scheduler
clientConnection:
  kubeconfig: /etc/kubernetes/static-pod-resources/configmaps/scheduler-kubeconfig/kubeconfig
leaderElection:
  leaderElect: true
  lockObjectNamespace: openshift-kube-scheduler
  resourceLock: configmaps
END
openshift_words >"$tmp/words"
echo "--feature-gates=ExperimentalCriticalPodAnnotation=true,LocalStorageCapacityIsolation=false,RotateKubeletServerCertificate=true,SupportPodPidsLimit=true" \
    >>"$tmp/words"
run
works "OpenShift 4.2" http_probe
is "OpenShift 4.2: the same with TLS" "$(https_probe 2>&1)" ok
is "OpenShift 4.2: metrics need a right" "$(curl -s --noproxy '*' -o /dev/null \
    -w '%{http_code}' http://127.0.0.1:10251/metrics)" 404
has "OpenShift 4.2: predicatectl names what the port has" \
    "$("$BUILDDIR/predicatectl" version --kubeconfig "$admin" \
	--daemon http://127.0.0.1:10251 2>&1)" \
    "HTTP 404: 404 page not found; the port without TLS has only health"
has "OpenShift 4.2: by the operator's policy" "$(cat "$log")" \
    "policy openshift-kube-scheduler/policy-configmap"
has "OpenShift 4.2: under its lock" "$(k -n openshift-kube-scheduler get \
    configmap kube-scheduler -o yaml)" control-plane.alpha.kubernetes.io/leader
stop
k -n openshift-kube-scheduler delete configmap kube-scheduler >/dev/null

cat >"$resources/configmaps/config/config.yaml" <<'END'
apiVersion: kubescheduler.config.k8s.io/v1beta1
kind: KubeSchedulerConfiguration
clientConnection:
  kubeconfig: /etc/kubernetes/static-pod-resources/configmaps/scheduler-kubeconfig/kubeconfig
leaderElection:
  leaderElect: true
  resourceLock: configmaps
  resourceNamespace: openshift-kube-scheduler
END
openshift_words >"$tmp/words"
cat >>"$tmp/words" <<'END'
--policy-configmap=policy-configmap
--policy-configmap-namespace=openshift-kube-scheduler
--feature-gates=APIPriorityAndFairness=true,LegacyNodeRoleBehavior=false,NodeDisruptionExclusion=true,RemoveSelfLink=false,RotateKubeletServerCertificate=true,SCTPSupport=true,ServiceNodeExclusion=true,SupportPodPidsLimit=true
--tls-cert-file=/etc/kubernetes/static-pod-resources/secrets/serving-cert/tls.crt
--tls-private-key-file=/etc/kubernetes/static-pod-resources/secrets/serving-cert/tls.key
END
run
works "OpenShift 4.6" http_probe
is "OpenShift 4.6: with the cluster's certificate" "$(curl -fsS --noproxy '*' \
    --cacert "$apiserver_ca" https://127.0.0.1:10259/healthz 2>&1)" ok
has "OpenShift 4.6: by the operator's policy" "$(cat "$log")" \
    "policy openshift-kube-scheduler/policy-configmap"
stop
k -n openshift-kube-scheduler delete configmap kube-scheduler >/dev/null

# Their files as they are.
openshift_words | sed '/^--port/d' >"$tmp/words"
for release in 4.10 4.20; do
	cp "$SRCDIR/t/data/openshift/$release-HighNodeUtilization.yaml" \
	    "$resources/configmaps/config/config.yaml"
	run
	works "OpenShift $release" https_probe
	has "OpenShift $release: its file decides" "$(cat "$log")" \
	    "/config.yaml applies"
	is "OpenShift $release: under its lease" "$(k -n openshift-kube-scheduler \
	    get lease kube-scheduler -o jsonpath='{.spec.leaseDurationSeconds}')" 137
	case $release in
	4.10)
		has "OpenShift $release: and its ConfigMap" "$(k get configmap \
		    -n openshift-kube-scheduler kube-scheduler -o yaml)" \
		    control-plane.alpha.kubernetes.io/leader
		;;
	esac
	stop
done

# ---- the Deployment of OpenShift's secondary-scheduler-operator ----

secondary=openshift-secondary-scheduler-operator
k create namespace $secondary >/dev/null
k -n $secondary create role operand --verb=get,list,watch,create,update,patch \
    --resource=leases.coordination.k8s.io --resource-name=secondary-scheduler \
    >/dev/null
k -n $secondary create rolebinding operand --role=operand \
    --user=system:kube-scheduler >/dev/null
secrets=/etc/kubernetes/static-pod-resources/secrets/serving-cert
cat >"$tmp/words" <<END
--config=/etc/kubernetes/config.yaml
--tls-cert-file=$secrets/tls.crt
--tls-private-key-file=$secrets/tls.key
--leader-elect=true
--leader-elect-lease-duration=137s
--leader-elect-renew-deadline=107s
--leader-elect-resource-lock=leases
--leader-elect-resource-name=secondary-scheduler
--leader-elect-resource-namespace=$secondary
--leader-elect-retry-period=26s
-v=2
END
cat >"$etc/config.yaml" <<'END'
apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
clientConnection: {kubeconfig: /etc/kubernetes/scheduler.conf}
profiles:
- schedulerName: secondary-scheduler
  pluginConfig:
  - args: {scoringStrategy: {type: MostAllocated}}
    name: NodeResourcesFit
END
run
works "secondary-scheduler-operator" https_probe secondary-scheduler
is "secondary-scheduler-operator: under its lock" "$(k -n $secondary get lease \
    -o name)" lease.coordination.k8s.io/secondary-scheduler
stop

# As doc/openshift.md has it: a policy in a second key of the ConfigMap.
sed -n '/^    apiVersion: kubescheduler.*v1alpha1/,/^$/s/^    //p' \
    "$SRCDIR/doc/openshift.md" >"$etc/config.yaml"
echo 'clientConnection: {kubeconfig: /etc/kubernetes/scheduler.conf}' \
    >>"$etc/config.yaml"
cp "$SRCDIR/etc/examples/openshift-default.cfg" "$etc/policy.cfg"
run
works "the same with a policy" https_probe secondary-scheduler
has "the same with a policy: which applies" "$(cat "$log")" \
    "policy /etc/kubernetes/policy.cfg applies"
stop
finish
