#!/bin/sh
# The page of predicatectl web in a real Chromium: axe-core in each view, light and
# dark, wide and narrow; a dragged weight within a second; a large cluster; clusters
# that are empty or change.  Needs chromium and npm (Debian's packages), and once
# puppeteer-core and axe-core, which npm installs outside the tree.
#
# PREDICATED_PICTURES=FOLDER browser.t also takes the pictures of doc/.
# PREDICATED_CASES="queue states" browser.t runs these cases of browser.mjs alone.
. "$SRCDIR/t/lib/tap.sh"
. "$SRCDIR/t/page/web.sh"

if sanitized; then # what the server answers is tried in answers.t and verdicts.t
	skip_all "sanitizers make everything slower"
fi
. "$SRCDIR/t/page/browser.sh"

policy=$tmp/policy.cfg
cp "$SRCDIR/etc/examples/openshift-default.cfg" "$policy"
if wanted token views safety compare drafts query tuneLong pod pictures; then
	sh "$SRCDIR/t/page/make_cluster.sh" 240 6200 60 >"$tmp/cluster.json"
	# Pictures show the names of the files.
	cd "$tmp" || exit
	serve_web cluster.json --policy policy.cfg
	cd - >/dev/null || exit
	for case in token views safety compare drafts query tuneLong pod; do
		! wanted "$case" || browse "$case" \
		    "$SRCDIR/etc/examples/openshift-sample-1.cfg"
	done
	[ -z "${PREDICATED_PICTURES-}" ] ||
	    browse pictures "$PREDICATED_PICTURES"
	stop_web
fi

openb=$SRCDIR/../shared/clusters/openb.json.gz
if wanted fast && [ -f "$openb" ]; then
	zcat "$openb" >"$tmp/openb.json"
	serve_web "$tmp/openb.json" --policy "$policy"
	browse fast
	stop_web
fi

if wanted big; then
	sh "$SRCDIR/t/page/make_cluster.sh" 5000 150000 500 >"$tmp/big.json"
	serve_web "$tmp/big.json" --policy "$policy"
	browse big
	stop_web
	rm "$tmp/big.json"
fi

cat >"$tmp/queue" <<'END'
kind: Node
metadata: {name: north}
status: {allocatable: {cpu: 4, memory: 8Gi, pods: 10, example.com/gpu: 2}}
---
kind: Node
metadata: {name: mini}
status: {allocatable: {cpu: 1m, memory: 8Gi, pods: 10}}
END
for pod in "a 3" "b 3" "c 5m"; do
	cat >>"$tmp/queue" <<-END
	---
	kind: Pod
	metadata: {namespace: d, name: ${pod% *}, uid: ${pod% *}}
	spec: {containers: [{name: c, resources: {requests: {cpu: ${pod#* }, example.com/gpu: 1}}}]}
	END
done
if wanted queue states; then
	serve_web "$tmp/queue"
	for case in queue states; do
		! wanted "$case" || browse "$case"
	done
	stop_web
fi

cat >"$tmp/trouble" <<'END'
kind: Node
metadata: {name: gpu-1, labels: {topology.kubernetes.io/zone: 1b}}
status: {allocatable: {cpu: 4, memory: 8Gi, pods: 10, example.com/gpu: 4}}
---
kind: Node
metadata: {name: plain-1, labels: {topology.kubernetes.io/zone: 1a}}
status: {allocatable: {cpu: 4, memory: 8Gi, pods: 10}}
---
kind: PodDisruptionBudget
metadata: {namespace: d, name: keep}
spec: {minAvailable: 1, selector: {matchLabels: {app: db}}}
status: {disruptionsAllowed: 0}
---
kind: Pod
metadata: {namespace: d, name: db, uid: db, labels: {app: db}}
spec: {nodeName: gpu-1, containers: [{name: c, resources: {requests: {cpu: 4}}}]}
status: {phase: Running}
---
kind: Pod
metadata: {namespace: d, name: small, uid: small}
spec: {nodeName: plain-1, containers: [{name: c, resources: {requests: {cpu: 1}}}]}
status: {phase: Running}
END
for pod in "a 1" "b 2"; do
	cat >>"$tmp/trouble" <<-END
	---
	kind: Pod
	metadata: {namespace: d, name: gpu-${pod% *}, uid: ${pod% *}}
	spec: {containers: [{name: c, resources: {requests: {cpu: ${pod#* }, example.com/gpu: 1}}}]}
	---
	kind: Pod
	metadata: {namespace: d, name: db-${pod% *}, uid: db-${pod% *}, labels: {pod-template-hash: 5d4},
	  ownerReferences: [{kind: ReplicaSet, name: db-5d4, uid: r, controller: true}]}
	spec: {nodeSelector: {disk: nvme}, containers: [{name: c}]}
	END
done
cat >>"$tmp/trouble" <<'END'
---
kind: Pod
metadata: {namespace: d, name: urgent, uid: urgent}
spec: {priority: 1000, containers: [{name: c, resources: {requests: {cpu: 4}}}]}
---
kind: Pod
metadata: {namespace: d, name: gated, uid: gated}
spec: {schedulingGates: [{name: example.com/wait}], containers: [{name: c}]}
END
if wanted overview; then
	serve_web "$tmp/trouble" --kubernetes-version 1.30
	browse overview "$SRCDIR/etc/examples/openshift-sample-1.cfg"
	stop_web
fi

bad='\u001b[31m\u009b31m\u202eevil\u2066'
cat >"$tmp/hostile" <<END
{"kind":"Node","metadata":{"name":"n1${bad}","labels":{"zone":"a${bad}"}},
 "spec":{"taints":[{"key":"k${bad}","value":"v${bad}","effect":"NoSchedule"}]},
 "status":{"allocatable":{"cpu":"4","memory":"8Gi","pods":"10"}}}
{"kind":"Node","metadata":{"name":"n2${bad}","labels":{
 "topology.kubernetes.io/zone":"z${bad}"}},
 "status":{"allocatable":{"cpu":"4","memory":"8Gi","pods":"10"}}}
{"kind":"Pod","metadata":{"namespace":"d${bad}","name":"p${bad}","uid":"p",
 "labels":{"app":"a${bad}"}},"spec":{"nodeSelector":{"zone":"b${bad}"},
 "containers":[{"resources":{"requests":{"x.com/${bad}":"1"}}}]}}
{"kind":"Pod","metadata":{"namespace":"d","name":"r${bad}","uid":"r"},
 "spec":{"nodeName":"n2${bad}","containers":[
 {"resources":{"requests":{"cpu":"1"}}}]}}
END
if wanted hostile; then
	serve_web "$tmp/hostile"
	browse hostile
	stop_web
fi

node() {
	cat <<-END
	kind: Node
	metadata: {name: $1, labels: {topology.kubernetes.io/zone: $2}}
	status: {allocatable: {cpu: 4, memory: 8Gi, pods: 10}}
	---
	END
}
# pod NAME CPU [NODE]
pod() {
	cat <<-END
	kind: Pod
	metadata: {namespace: d, name: $1, uid: $1, labels: {app: ${1%-*}},
	  ownerReferences: [{kind: ReplicaSet, name: ${1%-*}, uid: ${1%-*}, controller: true}]}
	spec: {nodeName: '${3-}', containers: [{name: c, resources: {requests: {cpu: $2}}}]}
	---
	END
}
budget() {
	cat <<-END
	kind: PodDisruptionBudget
	metadata: {namespace: d, name: $1}
	spec: {minAvailable: 1, selector: {matchLabels: {app: $2}}}
	status: {disruptionsAllowed: $3}
	---
	END
}
if wanted maintenance; then
	{
		node a-1 1a && node b-1 1b && node b-2 1b
		budget keep db 0 && budget slow web 1
		pod db-1 1 a-1 && pod web-1 500m a-1 && pod web-2 500m a-1
		pod job-1 2 b-1 && pod full-1 3 b-2 && pod full-2 2 b-2
		pod big-1 3
	} >"$tmp/maintenance"
	serve_web "$tmp/maintenance"
	browse maintenance
	stop_web
fi

if wanted counts; then
	{
		sh "$SRCDIR/t/page/make_cluster.sh" 9 40 57
		for i in 1 2 3 4 5 6 7 8; do
			echo '{"kind":"Pod","metadata":{"namespace":"d","name":"big-'$i'","uid":"big-'$i'"},"spec":{"containers":[{"name":"c","resources":{"requests":{"cpu":"31"}}}]},"status":{"phase":"Pending"}}'
		done
		# Only a DaemonSet's pod; too much of what the node lacks; the same with
		# GPUs left; a budget beside another one with pods of the same namespace.
		cat <<-'END'
		{"kind":"Node","metadata":{"name":"empty"},"status":{"allocatable":{"cpu":"1","memory":"1Gi","pods":"9"}}}
		{"kind":"Pod","metadata":{"namespace":"d","name":"agent","uid":"agent","ownerReferences":[{"kind":"DaemonSet","name":"a","uid":"a","controller":true}]},"spec":{"nodeName":"empty","containers":[{"name":"c"}]},"status":{"phase":"Running"}}
		{"kind":"Node","metadata":{"name":"over"},"status":{"allocatable":{"cpu":"1","memory":"1Gi","pods":"9"}}}
		{"kind":"Pod","metadata":{"namespace":"d","name":"db-1","uid":"db-1","labels":{"app":"db"}},"spec":{"nodeName":"over","containers":[{"name":"c","resources":{"requests":{"cpu":"1","nvidia.com/gpu":"1"}}}]},"status":{"phase":"Running"}}
		{"kind":"Node","metadata":{"name":"strands"},"status":{"allocatable":{"cpu":"1","memory":"1Gi","pods":"9","nvidia.com/gpu":"4"}}}
		{"kind":"Pod","metadata":{"namespace":"d","name":"web-1","uid":"web-1","labels":{"app":"web"}},"spec":{"nodeName":"strands","containers":[{"name":"c","resources":{"requests":{"cpu":"1"}}}]},"status":{"phase":"Running"}}
		{"kind":"PodDisruptionBudget","metadata":{"namespace":"d","name":"keep"},"spec":{"minAvailable":1,"selector":{"matchLabels":{"app":"db"}}},"status":{"disruptionsAllowed":0}}
		{"kind":"Pod","metadata":{"namespace":"d","name":"gated","uid":"gated"},"spec":{"schedulingGates":[{"name":"example.com/wait"}],"containers":[{"name":"c"}]},"status":{"phase":"Pending"}}
		END
	} >"$tmp/counts"
	serve_web "$tmp/counts" --kubernetes-version 1.30
	browse counts
	stop_web
fi

if wanted costs weights; then
	{
		node a-1 1a && pod x-1 1 a-1 && pod x-2 2 a-1
		node b-1 1b | grep -v '^---' | sed 's/labels:[^}]*}/labels: {}/'
		echo ---
		pod job-1 1 b-1 && pod job-2 1 b-1 && pod job-3 2 b-1
	} >"$tmp/costs"
	serve_web "$tmp/costs" --policy "$policy"
	for case in costs weights; do
		! wanted "$case" || browse "$case"
	done
	stop_web
fi

if wanted tune; then
	{
		node a-1 1a && node b-1 1b && node b-2 1b && node b-3 1b
		pod x-1 1 a-1 && pod x-2 1 b-1 && pod x-3 1 && pod x-4 1
	} >"$tmp/tune"
	serve_web "$tmp/tune" --policy "$policy"
	browse tune
	stop_web
fi

if wanted empty; then
	printf '{"kind":"Node","metadata":{"name":"%0200d"}}\n' 1 >"$tmp/bare"
	serve_web "$tmp/bare"
	browse empty
	stop_web
fi

if wanted changes; then
	cp "$SRCDIR/etc/examples/cluster.yaml" "$tmp/cluster.yaml"
	serve_web "$tmp/cluster.yaml" --policy "$policy"
	browse changes "$tmp/cluster.yaml" "$web"
	wait "$web"
fi
finish
