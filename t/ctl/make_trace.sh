#!/bin/sh
# make_trace.sh [SEED [NODES [PODS]]]: a cluster with GPU nodes and pending pods
# as one JSON List on standard output.  Equal arguments give equal bytes with
# every awk: the random numbers are made here.
#
# Nodes are of few shapes, most of them with GPUs (whole ones and thousandths)
# and a label that names the model.  Pods request few combinations of CPU, memory
# and GPUs, more in total than there is; some name the models they run on, and
# they differ in QoS class, priority and creation time.
exec awk -v seed="${1:-1}" -v nodes="${2:-60}" -v pods="${3:-400}" '
# Lehmer: all products stay below 2^46, which a double holds exactly.
function any(n) {
	state = state * 16807 % 2147483647
	return int(state / 7) % n
}

# One of the rows "weight fields..." of this table.
function choose(table, n, total,    i, at) {
	at = any(total)
	for (i = 1; i < n && at >= weight[table, i]; i++)
		at -= weight[table, i]
	return row[table, i]
}

function add(table, w, text) {
	count[table]++
	weight[table, count[table]] = w
	row[table, count[table]] = text
	sum[table] += w
}

function item(text) {
	printf "%s\n%s", separator, text
	separator = ","
}

# {"cpu":...}; gpu and milli are left out if 0
function resources(cpu, memory, gpu, milli, more) {
	return sprintf("{\"cpu\":\"%dm\",\"memory\":\"%dMi\"%s%s%s}", cpu,
	    memory, gpu > 0 ? ",\"nvidia.com/gpu\":\"" gpu "\"" : "",
	    milli > 0 ? ",\"example.com/gpu-milli\":\"" milli "\"" : "", more)
}

function node(i,    f, has, name) {
	# CPU (milli), memory (Mi), GPUs, thousandths of one, model
	split(choose("node", count["node"], sum["node"]), f)
	name = sprintf("trace-node-%04d", i)
	has = resources(f[1], f[2], f[3], f[4], ",\"pods\":\"110\"")
	item(sprintf("{\"apiVersion\":\"v1\",\"kind\":\"Node\",\"metadata\":" \
	    "{\"name\":\"%s\",\"labels\":{\"kubernetes.io/hostname\":\"%s\"%s}}," \
	    "\"status\":{\"capacity\":%s,\"allocatable\":%s,\"conditions\":" \
	    "[{\"type\":\"Ready\",\"status\":\"True\"}]}}", name, name,
	    f[5] != "-" ? ",\"gpu-model\":\"" f[5] "\"" : "", has, has))
}

function pod(i,    f, qos, limits, requests, models, affinity, priority) {
	# CPU, memory, GPUs, thousandths, weight of a model in ten
	split(choose("pod", count["pod"], sum["pod"]), f)
	requests = resources(f[1], f[2], f[3], f[4], "")
	qos = choose("qos", count["qos"], sum["qos"])
	limits = qos == "guaranteed" ? requests : "{}"
	if (any(10) < f[5]) {
		models = choose("models", count["models"], sum["models"])
		affinity = "\"affinity\":{\"nodeAffinity\":{" \
		    "\"requiredDuringSchedulingIgnoredDuringExecution\":{" \
		    "\"nodeSelectorTerms\":[{\"matchExpressions\":[{\"key\":" \
		    "\"gpu-model\",\"operator\":\"In\",\"values\":[" models \
		    "]}]}]}}},"
	}
	priority = choose("priority", count["priority"], sum["priority"])
	item(sprintf("{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":" \
	    "{\"namespace\":\"trace\",\"name\":\"pod-%04d\",\"uid\":" \
	    "\"uid-%04d\",\"creationTimestamp\":\"2020-01-01T%02d:%02d:%02dZ\"," \
	    "\"labels\":{\"qos\":\"%s\"}},\"spec\":{\"priority\":%d,%s" \
	    "\"containers\":[{\"name\":\"main\",\"image\":" \
	    "\"registry.example/%s:1\",\"resources\":{\"requests\":%s," \
	    "\"limits\":%s}}]},\"status\":{\"phase\":\"Pending\"}}", i, i,
	    int(i / 180) % 24, int(i / 3) % 60, i % 3 * 20, qos, priority,
	    affinity, qos, requests, limits))
}

BEGIN {
	state = seed * 48271 % 2147483646 + 1
	for (i = 0; i < 8; i++)
		any(2)

	add("node", 8, "16000 131072 0 0 -")
	add("node", 4, "64000 262144 0 0 -")
	add("node", 14, "96000 524288 2 0 t4")
	add("node", 6, "96000 524288 0 4000 t4")
	add("node", 12, "96000 393216 8 0 a10")
	add("node", 6, "32000 131072 2 0 p100")
	add("node", 5, "48000 262144 4 0 v100")
	add("node", 2, "128000 786432 8 0 a100")

	add("pod", 22, "3000 6144 1 0 2")
	add("pod", 20, "12000 49152 1 0 3")
	add("pod", 10, "8000 30720 1 0 2")
	add("pod", 8, "4000 20480 0 500 0")
	add("pod", 6, "4000 12288 0 250 0")
	add("pod", 8, "18500 65536 1 0 4")
	add("pod", 4, "24000 98304 2 0 3")
	add("pod", 2, "64000 262144 8 0 0")
	add("pod", 10, "31000 49152 0 0 0")
	add("pod", 6, "12500 57344 0 0 0")
	add("pod", 4, "500 1024 0 0 0")

	add("models", 6, "\"t4\"")
	add("models", 2, "\"a10\"")
	add("models", 1, "\"a100\"")
	add("models", 2, "\"p100\",\"v100\"")
	add("models", 1, "\"p100\",\"t4\",\"v100\"")

	add("qos", 10, "guaranteed")
	add("qos", 9, "burstable")
	add("priority", 8, "0")
	add("priority", 3, "100")
	add("priority", 1, "1000")

	printf "{\"apiVersion\":\"v1\",\"kind\":\"List\",\"items\":["
	for (i = 0; i < nodes; i++)
		node(i)
	for (i = 0; i < pods; i++)
		pod(i)
	print "\n]}"
}'
