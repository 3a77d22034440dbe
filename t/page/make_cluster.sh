#!/bin/sh
# make_cluster.sh NODES PODS PENDING [SEED]: the dump of a made-up cluster, one object
# a line: zones, pools of nodes, Deployments of several sizes, and pods that wait for
# several reasons.  The same arguments give the same dump.
set -eu

exec awk -v nodes="$1" -v pods="$2" -v pending="$3" -v seed="${4:-1}" '
function random(n) { # 0 to n - 1
	seed = (seed * 16807) % 2147483647
	return seed % n
}
function metadata(namespace, name, labels, i) {
	return sprintf("\"metadata\":{\"namespace\":\"%s\",\"name\":\"%s\"," \
	    "\"creationTimestamp\":\"2026-01-0%dT0%d:00:00Z\"," \
	    "\"labels\":{%s}}", namespace, name, 1 + i % 9, i % 10, labels)
}
function node(i,   pool, zone, spec, cpu, memory) {
	pool = i % 16 == 7 ? "gpu" : i % 4 == 3 ? "memory" : "general"
	zone = substr("abc", 1 + i % 3, 1)
	cpu = pool == "gpu" ? 64 : 32
	memory = pool == "memory" ? 256 : 128
	spec = pool == "gpu" ? "\"taints\":[{\"key\":\"dedicated\"," \
	    "\"value\":\"gpu\",\"effect\":\"NoSchedule\"}]" : ""
	if (i % 97 == 5)
		spec = "\"unschedulable\":true"
	names[i] = sprintf("%s-%s-%03d", pool, zone, i)
	pools[i] = pool
	printf "{\"kind\":\"Node\",\"metadata\":{\"name\":\"%s\",\"labels\":{" \
	    "\"kubernetes.io/hostname\":\"%s\",\"pool\":\"%s\"," \
	    "\"topology.kubernetes.io/zone\":\"eu-%s\"}},\"spec\":{%s}," \
	    "\"status\":{\"allocatable\":{\"cpu\":\"%d\",\"memory\":\"%dGi\"," \
	    "\"pods\":\"110\"%s},\"conditions\":[{\"type\":\"Ready\"," \
	    "\"status\":\"%s\"}],\"nodeInfo\":{\"kubeletVersion\":\"v1.20.2\"" \
	    "}}}\n", names[i], names[i], pool, zone, spec, cpu, memory,
	    pool == "gpu" ? ",\"nvidia.com/gpu\":\"4\"" : "",
	    i % 211 == 9 ? "False" : "True"
}
function pod(i, where,   app, cpu, memory, namespace, extra, other) {
	app = random(applications)
	namespace = spaces[1 + app % nspaces]
	cpu = cpus[1 + app % ncpus]
	if (where != "")
		used[at] += cpu ~ /m/ ? cpu + 0 : 1000 * cpu
	memory = memories[1 + app % nmemories]
	extra = where != "" ? sprintf("\"nodeName\":\"%s\",", where) : ""
	if (where == "" && i % 5 == 1)
		extra = "\"nodeSelector\":{\"pool\":\"general\"," \
		    "\"disk\":\"nvme\"},"
	if (where == "" && i % 5 == 2)
		cpu = "70"
	if (where == "" && i % 5 == 3) {
		other = ",\"nvidia.com/gpu\":\"8\""
		extra = "\"tolerations\":[{\"key\":\"dedicated\"," \
		    "\"operator\":\"Exists\"}],"
	}
	printf "{\"kind\":\"Pod\",%s,\"spec\":{%s\"priority\":%d," \
	    "\"containers\":[{\"name\":\"c\",\"resources\":{\"requests\":{" \
	    "\"cpu\":\"%s\",\"memory\":\"%s\"%s}}}]},\"status\":{" \
	    "\"phase\":\"%s\"}}\n",
	    metadata(namespace, sprintf("%s-%d-%d", apps[1 + app % napps], app,
	    i), sprintf("\"app\":\"%s-%d\"", apps[1 + app % napps], app), i),
	    extra, app % 7 == 0 ? 1000 : 0, cpu, memory, other,
	    where != "" ? "Running" : "Pending"
}
BEGIN {
	nspaces = split("shop search billing media batch", spaces, " ")
	napps = split("web api worker cache index report stream", apps, " ")
	ncpus = split("100m 250m 500m 1 150m 2 300m", cpus, " ")
	nmemories = split("256Mi 1Gi 512Mi 2Gi 4Gi", memories, " ")
	applications = 30 + int(pods / 300)
	seed = seed * 7919 + 1
	for (i = 0; i < nodes; i++)
		node(i)
	# Some nodes are fuller than others.
	for (i = 0; i < pods; i++) {
		at = random(nodes)
		if (random(3) == 0)
			at = int(at * at / nodes)
		for (tries = 0; tries < nodes && (used[at] > 29000 ||
		    count[at] >= 2 * pods / nodes ||
		    pools[at] == "gpu" && random(6) > 0); tries++)
			at = (at + 1) % nodes
		count[at]++
		pod(i, names[at])
	}
	for (i = 0; i < pending; i++)
		pod(pods + i, "")
}'
