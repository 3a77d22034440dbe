# Generated worlds for t/answers, each always the same for its number:
#
#	awk -f answers_worlds.awk -v first=1 -v step=1 -v last=N -v examples=FOLDER
#
# of a few nodes, pods on them and pods that wait, with what the rules read.  In the form
# of vectors(): a line \001ID, and for each file a line \002FILE and its lines.

function any(n) {
	return int(rand() * n)
}

# one(A, B, …): one of the texts that are given.
function one(texts,    n, all) {
	n = split(texts, all, "|")
	return all[1 + any(n)]
}

function node(i) {
	printf "--- {apiVersion: v1, kind: Node, metadata: {name: n%d, labels: {" \
	    "kubernetes.io/hostname: n%d%s%s%s}}, spec: {%s%s}, status: {" \
	    "capacity: {cpu: %d, memory: %dGi, pods: %d%s}, " \
	    "allocatable: {cpu: %d, memory: %dGi, pods: %d%s}, " \
	    "nodeInfo: {kubeletVersion: %s}, conditions: [%s]}}\n", i, i,
	    one("|, topology.kubernetes.io/zone: a|, topology.kubernetes.io/zone: b|" \
		", failure-domain.beta.kubernetes.io/zone: c"),
	    one("|, disk: ssd|, disk: hdd"),
	    one("||, region: r1|, rack: x"),
	    one("||||unschedulable: true, "),
	    one("||||taints: [{key: k, value: v, effect: NoSchedule}]|" \
		"taints: [{key: s, effect: PreferNoSchedule}]|" \
		"taints: [{key: node.kubernetes.io/unreachable, effect: NoExecute}]"),
	    cpu = 1 + any(8), memory = 1 + any(16), pods = 3 + any(10),
	    gpu = one("||, x.com/gpu: 2"), cpu, memory, pods, gpu, kubelet,
	    one("{type: Ready, status: 'True'}|{type: Ready, status: 'True'}|" \
		"{type: Ready, status: 'True'}|{type: Ready, status: Unknown}|" \
		"{type: Ready, status: 'True'}, {type: MemoryPressure, status: 'True'}")
}

function term(    key) {
	key = one("kubernetes.io/hostname|topology.kubernetes.io/zone|rack")
	return "labelSelector: {matchLabels: {app: " one("a|b|c") \
	    "}}, topologyKey: " key
}

function demands(    text, during) {
	during = "DuringSchedulingIgnoredDuringExecution"
	text = "containers: [{name: c, image: " one("a|b") ", resources: {requests: {" \
	    one("|cpu: 1|cpu: 500m, memory: 1Gi|memory: 3Gi|cpu: 6|x.com/gpu: 1") \
	    "}}" one("|||, ports: [{hostPort: 80, containerPort: 80}]") "}]"
	text = text one("||||, nodeSelector: {disk: ssd}|, nodeSelector: {disk: sdd}")
	text = text one("||||, tolerations: [{operator: Exists}]|" \
	    ", tolerations: [{key: k, operator: Exists}]")
	if (any(3) == 0)
		text = text ", affinity: {" one( \
		    "podAntiAffinity: {required" during ": [{" term() "}]}|" \
		    "podAffinity: {required" during ": [{" term() "}]}|" \
		    "podAntiAffinity: {preferred" during ": [{weight: 7, " \
			"podAffinityTerm: {" term() "}}]}|" \
		    "nodeAffinity: {required" during ": {nodeSelectorTerms: [{" \
			"matchExpressions: [{key: disk, operator: In, values: [ssd]}]}, {" \
			"matchExpressions: [{key: rack, operator: Exists}]}]}}|" \
		    "nodeAffinity: {preferred" during ": [{weight: 3, preference: {" \
			"matchExpressions: [{key: disk, operator: NotIn, " \
			"values: [hdd]}]}}]}") "}"
	if (any(5) == 0)
		text = text ", topologySpreadConstraints: [{maxSkew: 1, " \
		    "whenUnsatisfiable: " one("DoNotSchedule|ScheduleAnyway") ", " \
		    term() "}]"
	if (any(6) == 0)
		text = text ", volumes: [{name: v, persistentVolumeClaim: {claimName: " \
		    one("c0|c1|c2|missing") "}}]"
	return text ", priority: " one("0|0|0|10|2000000000")
}

function pod(name, where, created,    owner) {
	owner = one("|ReplicaSet|ReplicaSet|StatefulSet|DaemonSet|Job")
	printf "--- {apiVersion: v1, kind: Pod, metadata: {namespace: %s, name: %s, " \
	    "uid: u-%s, creationTimestamp: '2026-01-01T00:00:%02dZ', labels: {app: %s}%s}" \
	    ", spec: {schedulerName: default-scheduler, %s%s}, status: {phase: %s%s}}\n",
	    one("default|default|other"), name, name, created % 60, one("a|b|c"),
	    owner == "" ? "" : ", ownerReferences: [{apiVersion: apps/v1, kind: " owner \
		", name: o, uid: o, controller: true}]",
	    where == "" ? "" : "nodeName: " where ", ", demands(),
	    where == "" ? "Pending" : one("Running|Running|Running|Pending"),
	    where == "" ? "" : ", conditions: [{type: Ready, status: '" \
		one("True|True|False") "'}]"
}

function volumes(    i) {
	printf "--- {apiVersion: storage.k8s.io/v1, kind: StorageClass, metadata: {" \
	    "name: s}, provisioner: x.io, volumeBindingMode: %s}\n",
	    one("Immediate|WaitForFirstConsumer")
	for (i = 0; i < 3; i++) {
		printf "--- {apiVersion: v1, kind: PersistentVolume, metadata: {" \
		    "name: v%d, labels: {topology.kubernetes.io/zone: %s}}, spec: {" \
		    "storageClassName: s, accessModes: [ReadWriteOnce], capacity: {" \
		    "storage: %dGi}, csi: {driver: x.io, volumeHandle: h%d}%s}}\n",
		    i, one("a|b"), 1 + any(5), i,
		    one("|, nodeAffinity: {required: {nodeSelectorTerms: [{" \
			"matchExpressions: [{key: topology.kubernetes.io/zone, " \
			"operator: In, values: [a]}]}]}}")
		printf "--- {apiVersion: v1, kind: PersistentVolumeClaim, metadata: {" \
		    "namespace: default, name: c%d, annotations: {" \
		    "pv.kubernetes.io/bind-completed: 'yes'}}, spec: {%s" \
		    "storageClassName: s, accessModes: [ReadWriteOnce], resources: {" \
		    "requests: {storage: 1Gi}}}, status: {phase: %s}}\n", i,
		    any(3) ? "volumeName: v" i ", " : "", one("Bound|Pending")
	}
}

BEGIN {
	rules_n = split("|policy.cfg|openshift-default.cfg|openshift-sample-1.cfg|" \
	    "openshift-sample-3.cfg|kubescheduler-v1.yaml|", rules, "|")
	for (w = first; w <= last; w += step) {
		srand(w)
		print "\001world-" w
		print "\002cluster.json"
		kubelet = one("v1.15.3|v1.20.2|v1.29.1|v1.36.2")
		nodes = 2 + any(9)
		for (i = 0; i < nodes; i++)
			node(i)
		n = any(3 * nodes)
		for (i = 0; i < n; i++)
			pod("p" i, "n" any(nodes), i)
		n = 1 + any(4)
		for (i = 0; i < n; i++)
			pod("q" i, "", 40 + i)
		volumes()
		printf "--- {apiVersion: v1, kind: Service, metadata: {namespace: default," \
		    " name: s}, spec: {selector: {app: %s}}}\n", one("a|b")
		printf "--- {apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {" \
		    "namespace: default, name: b}, spec: {%s, selector: {matchLabels: {" \
		    "app: %s}}}, status: {disruptionsAllowed: %d, currentHealthy: 2, " \
		    "desiredHealthy: 1, expectedPods: 2}}\n",
		    one("maxUnavailable: 0|minAvailable: 1"), one("a|b"), any(2)
		print "\002flags"
		rule = rules[1 + any(rules_n)]
		if (rule ~ /yaml/)
			print "--config=" examples "/" rule
		else if (rule != "")
			print "--policy=" examples "/" rule
	}
}
