# The workloads of scheduler_perf (Kubernetes 1.36) that have thresholds, as objects:
#
#	jq -nr --arg workload NAME --argjson part N -f workloads.jq
#
# prints lines "PHASE PATH KEY OBJECT", with tabs between, where the path is that of
# the API server and the key that of etcd.  Phases are
#
#	before    there when the scheduler starts
#	measured  likewise; they wait for a node, and get one
#	churn     made while the scheduler works, RATE a second
#	leaves    likewise deleted, of what was there before
#
# N divides the sizes; with workload "list" it prints "NAME NODES PODS RATE" of all.

def sizes: {
    # nodes, pods before, pods measured, of churn a second
    "basic": [5000, 1000, 10000, 0],
    "daemonset": [15000, 0, 30000, 0],
    "preemption": [5000, 20000, 5000, 0],
    "preemption-async": [5000, 20000, 5000, 5],
    "unschedulable": [5000, 100, 10000, 5],
    "mixed-churn": [5000, 0, 10000, 3],
    "gated": [1, 10000, 20000, 50],
    "pod-anti-affinity": [5000, 1000, 2000, 0],
    "matching-anti-affinity": [5000, 1000, 5000, 0],
    "pod-affinity": [5000, 5000, 5000, 0],
    "preferred-affinity": [5000, 5000, 5000, 0],
    "preferred-anti-affinity": [5000, 5000, 5000, 0],
    "node-affinity": [5000, 5000, 10000, 0],
    "mixed": [5000, 10000, 5000, 0],
    "anti-affinity-namespaces": [6000, 4000, 2000, 0],
    "preferred-anti-affinity-namespaces": [5000, 4000, 2000, 0],
    "affinity-namespaces": [5000, 5000, 2000, 0],
    "preferred-affinity-namespaces": [5000, 5000, 5000, 0],
    "gated-affinity": [1, 10000, 20000, 0],
    "spreading": [5000, 5000, 5000, 0],
    "preferred-spreading": [5000, 5000, 5000, 0],
    "inclusion-policy": [5000, 0, 4000, 0],
    "secrets": [5000, 1000, 10000, 0],
    "in-tree-volumes": [5000, 1000, 2000, 0],
    "migrated-volumes": [5000, 5000, 5000, 0],
    "csi-volumes": [5000, 5000, 5000, 0],
    "claims": [500, 2500, 2500, 0],
};

def zone: "topology.kubernetes.io/zone";
def host: "kubernetes.io/hostname";
def padded($n): ("0000000000000" + tostring)[-$n:];

# ---- objects, as the server has them ----

def stored($kind; $i): .metadata += {
    uid: "00000000-0000-4000-8\($kind | padded(3))-\($i | padded(12))",
    creationTimestamp: (now | floor | todate) };

def line($phase; $path; $key):
    "\($phase)\t\($path)\t/registry/\($key)\t\(tojson)";

def node_name: "node-" + padded(5);

def node($i; $more):
    { apiVersion: "v1", kind: "Node",
      metadata: { name: ($i | node_name), labels: {
	  (host): ($i | node_name), (zone): "zone\($i % 3)" } },
      spec: {},
      status: {
	  capacity: { pods: "110", cpu: "4", memory: "32Gi" },
	  allocatable: { pods: "110", cpu: "4", memory: "32Gi" },
	  conditions: [{ type: "Ready", status: "True" }] } } * $more |
    stored(1; $i) |
    line("before"; "/api/v1/nodes"; "minions/\(.metadata.name)");
def node($i): node($i; {});

def namespace($i):
    "team-\($i)" as $name |
    { apiVersion: "v1", kind: "Namespace",
      metadata: { name: $name, labels: { team: "devops" } },
      spec: { finalizers: ["kubernetes"] }, status: { phase: "Active" } } |
    stored(2; $i) |
    line("before"; "/api/v1/namespaces"; "namespaces/\($name)");

# Input: the pod's spec and labels, beyond the usual.
def pod($phase; $i; $namespace):
    "\($phase)-\($i | padded(5))" as $name |
    { apiVersion: "v1", kind: "Pod",
      metadata: { name: $name, namespace: $namespace,
	  labels: (.labels // {}) },
      spec: ({ schedulerName: "default-scheduler", priority: 0,
	  enableServiceLinks: true, preemptionPolicy: "PreemptLowerPriority",
	  terminationGracePeriodSeconds: 0,
	  containers: [{ name: "pause", image: "pause:3.10",
	      resources: { requests: {
		  cpu: (.cpu // "100m"), memory: "500Mi" } } }] } +
	  (.spec // {})),
      status: { phase: (if .spec.nodeName then "Running" else "Pending" end) } } |
    stored(3 + ($phase | length); $i) |
    line($phase; "/api/v1/namespaces/\($namespace)/pods";
	"pods/\($namespace)/\($name)");

# Those there before are on a node already.
def on($i; $nodes): .spec.nodeName = ($i % $nodes | node_name);

def affine($kind; $labels; $key; $more):
    { labels: $labels, spec: { affinity: { ($kind): {
	requiredDuringSchedulingIgnoredDuringExecution: [{
	    labelSelector: { matchLabels: { color: $labels.color } },
	    topologyKey: $key } + $more] } } } };
def preferring($kind; $labels; $key; $more):
    affine($kind; $labels; $key; $more) |
    .spec.affinity[$kind] |= {
	preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1,
	    podAffinityTerm: .requiredDuringSchedulingIgnoredDuringExecution[0] }] };
def both: { namespaces: ["default", "measured"] };
def devops: { namespaceSelector: { matchLabels: { team: "devops" } } };
def near: affine("podAffinity"; { color: "blue" }; zone; both);
def far: affine("podAntiAffinity"; { color: "green" }; host; both);
def rather_near: preferring("podAffinity"; { color: "red" }; host; both);
def rather_far: preferring("podAntiAffinity"; { color: "yellow" }; host; both);
def spread($when): { labels: { color: "blue" }, spec: {
    topologySpreadConstraints: [{ maxSkew: 5, topologyKey: zone,
	whenUnsatisfiable: $when,
	labelSelector: { matchLabels: { color: "blue" } } }] } };
def one_zone: { metadata: { labels: { (zone): "zone1" } } };
def roomy: { status: (
    { pods: "100000", cpu: "10k", memory: "100Ti" } |
    { capacity: ., allocatable: . }) };
def gate: .spec.schedulingGates = [{ name: "wait" }];

# A volume with its claim, which are bound to each other.
def volume($i; $source):
    "volume-\($i | padded(5))" as $name |
    ({ apiVersion: "v1", kind: "PersistentVolume",
       metadata: { name: $name, annotations: {
	   "pv.kubernetes.io/bound-by-controller": "yes" } },
       spec: ({ accessModes: ["ReadOnlyMany"], capacity: { storage: "1Gi" },
	   persistentVolumeReclaimPolicy: "Retain", claimRef: {
	       kind: "PersistentVolumeClaim", namespace: "default", name: $name,
	       uid: "00000000-0000-4000-8021-\($i | padded(12))" } } + $source),
       status: { phase: "Bound" } } | stored(20; $i) |
	line("before"; "/api/v1/persistentvolumes"; "persistentvolumes/\($name)")),
    ({ apiVersion: "v1", kind: "PersistentVolumeClaim",
       metadata: { name: $name, namespace: "default", annotations: {
	   "pv.kubernetes.io/bind-completed": "true" } },
       spec: { accessModes: ["ReadOnlyMany"], volumeName: $name,
	   storageClassName: "",
	   resources: { requests: { storage: "1Gi" } } },
       status: { phase: "Bound", accessModes: ["ReadOnlyMany"],
	   capacity: { storage: "1Gi" } } } | stored(21; $i) |
	line("before"; "/api/v1/namespaces/default/persistentvolumeclaims";
	    "persistentvolumeclaims/default/\($name)"));
def with_volume($i): { spec: { volumes: [{ name: "v", persistentVolumeClaim: {
    claimName: "volume-\($i | padded(5))" } }] } };
def disk($i): { awsElasticBlockStore: { volumeID: "vol-\($i)" } };
def csi($i): { csi: { driver: "ebs.csi.aws.com", volumeHandle: "vol-\($i)" } };
def csi_node($i; $migrated):
    { apiVersion: "storage.k8s.io/v1", kind: "CSINode",
      metadata: ({ name: ($i | node_name) } +
	  if $migrated then { annotations: {
	      "storage.alpha.kubernetes.io/migrated-plugins":
		  "kubernetes.io/aws-ebs" } } else {} end),
      spec: { drivers: [{ name: "ebs.csi.aws.com", nodeID: "\($i)",
	  allocatable: { count: 39 } }] } } | stored(22; $i) |
    line("before"; "/apis/storage.k8s.io/v1/csinodes";
	"csinodes/\($i | node_name)");

# A node's ten devices, and a pod's claim for one.
def slice($i):
    { apiVersion: "resource.k8s.io/v1", kind: "ResourceSlice",
      metadata: { name: ($i | node_name) },
      spec: { driver: "gpu.example.com", nodeName: ($i | node_name),
	  pool: { name: ($i | node_name), generation: 1, resourceSliceCount: 1 },
	  devices: [range(10) | { name: "gpu-\(.)" }] } } | stored(23; $i) |
    line("before"; "/apis/resource.k8s.io/v1/resourceslices";
	"resourceslices/\($i | node_name)");
def device_class:
    { apiVersion: "resource.k8s.io/v1", kind: "DeviceClass",
      metadata: { name: "gpu" },
      spec: { selectors: [{ cel: {
	  expression: "device.driver == 'gpu.example.com'" } }] } } |
    stored(24; 0) |
    line("before"; "/apis/resource.k8s.io/v1/deviceclasses"; "deviceclasses/gpu");
def claim($phase; $i):
    "\($phase)-\($i | padded(5))" as $name |
    { apiVersion: "resource.k8s.io/v1", kind: "ResourceClaim",
      metadata: { name: $name, namespace: "default" },
      spec: { devices: { requests: [{ name: "gpu",
	  exactly: { deviceClassName: "gpu", allocationMode: "ExactCount",
	      count: 1 } }] } } } | stored(25 + ($phase | length); $i) |
    line("before"; "/apis/resource.k8s.io/v1/namespaces/default/resourceclaims";
	"resourceclaims/default/\($name)");
def with_claim($i): { spec: { resourceClaims: [{ name: "gpu",
    resourceClaimName: "measured-\($i | padded(5))" }] } };

# ---- workloads; $n: nodes, $b: pods before, $m: measured ----

# The usual nodes, pods before of one kind, and those measured of another.
def usual($n; $b; $m; before; measured; node):
    (range($n) | node(.; node)),
    (range($b) | . as $i | before | on($i; $n) | pod("before"; $i; "default")),
    (range($m) | . as $i | measured | pod("measured"; $i; "default"));
def usual($n; $b; $m; before; measured): usual($n; $b; $m; before; measured; {});

# Pods in many namespaces, which terms of theirs select.
def of_teams($n; $b; $m; each; node):
    (range($n) | node(.; node)),
    (range(100) | namespace(.)),
    (range($b) | . as $i | each | on($i; $n) |
	pod("before"; $i; "team-\($i % 100)")),
    (range($m) | . as $i | each | pod("measured"; $i; "default"));

def big: { cpu: "9", spec: { priority: 10 } };

def workload($name; $n; $b; $m):
    if $name == "basic" then usual($n; $b; $m; {}; {})
    elif $name == "daemonset" then
	node(0; roomy), (range(1; $n) | node(.)),
	(range($m) | . as $i | { cpu: "1m", spec: { affinity: { nodeAffinity: {
	    requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{
		matchFields: [{ key: "metadata.name", operator: "In",
		    values: [0 | node_name] }] }] } } } } } |
	    pod("measured"; $i; "default"))
    elif $name == "preemption" then
	usual($n; $b; $m; { cpu: "900m" }; { cpu: "3", spec: { priority: 10 } })
    elif $name == "preemption-async" then
	usual($n; $b; $m; { cpu: "900m" }; {}),
	(range(1000) | . as $i | { cpu: "3", spec: { priority: 10 } } |
	    pod("churn"; $i; "default"))
    elif $name == "unschedulable" then
	usual($n; $b; $m; {}; {}),
	(range(1000) | . as $i | big | pod("churn"; $i; "default"))
    elif $name == "mixed-churn" then
	usual($n; $b; $m; {}; {}),
	(range(300) | . as $i | (big | pod("churn"; $i; "default")),
	    (node($n + $i) | sub("^before"; "churn")),
	    ({ apiVersion: "v1", kind: "Service",
	       metadata: { name: "churn-\($i)", namespace: "default" },
	       spec: { selector: { a: "b" }, ports: [{ port: 80 }] } } |
		line("churn"; "/api/v1/namespaces/default/services"; "")))
    elif $name == "gated" then
	node(0; roomy),
	(range($b) | . as $i | { cpu: "1m" } | gate |
	    pod("before"; $i; "default")),
	(range($m) | . as $i | { cpu: "1m" } | on($i; 1) |
	    pod("leaves"; $i; "default")),
	(range($m) | . as $i | { cpu: "1m" } | pod("measured"; $i; "default"))
    elif $name == "gated-affinity" then
	node(0; roomy),
	(range($b) | . as $i | near | .cpu = "1m" | gate |
	    pod("before"; $i; "default")),
	(range($m) | . as $i | { cpu: "1m", labels: { color: "blue" } } |
	    pod("measured"; $i; "default"))
    elif $name == "pod-anti-affinity" then usual($n; $b; $m; far; far)
    elif $name == "matching-anti-affinity" then
	usual($n; $b; $m; far; { labels: { color: "green" } })
    elif $name == "pod-affinity" then usual($n; $b; $m; near; near; one_zone)
    elif $name == "preferred-affinity" then
	usual($n; $b; $m; rather_near; rather_near)
    elif $name == "preferred-anti-affinity" then
	usual($n; $b; $m; rather_far; rather_far)
    elif $name == "node-affinity" then
	{ spec: { affinity: { nodeAffinity: {
	    requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{
		matchExpressions: [{ key: zone, operator: "In",
		    values: ["zone1", "zone2"] }] }] } } } } } as $p |
	usual($n; $b; $m; $p; $p; one_zone)
    elif $name == "mixed" then
	usual($n; 0; $m; {}; {}; one_zone),
	(range($b) | . as $i |
	    [{}, near, far, rather_near, rather_far][$i % 5] |
	    on($i / 5 | floor; $n) | pod("before"; $i; "default"))
    elif $name == "anti-affinity-namespaces" then
	of_teams($n; $b; $m;
	    affine("podAntiAffinity"; { color: "green" }; host; devops); {})
    elif $name == "preferred-anti-affinity-namespaces" then
	of_teams($n; $b; $m;
	    preferring("podAntiAffinity"; { color: "green" }; host; devops); {})
    elif $name == "affinity-namespaces" then
	of_teams($n; $b; $m;
	    affine("podAffinity"; { color: "blue" }; zone; devops); one_zone)
    elif $name == "preferred-affinity-namespaces" then
	of_teams($n; $b; $m;
	    preferring("podAffinity"; { color: "red" }; host; devops); {})
    elif $name == "spreading" then
	usual($n; $b; $m; {}; spread("DoNotSchedule"))
    elif $name == "preferred-spreading" then
	usual($n; $b; $m; {}; spread("ScheduleAnyway"))
    elif $name == "inclusion-policy" then
	(range($n) | node(.; if . % 5 > 0 then {} else { spec: { taints: [{
	    key: "foo", effect: "NoSchedule" }] } } end)),
	(range($m) | . as $i | { labels: { foo: "bar" }, spec: {
	    topologySpreadConstraints: [{ maxSkew: 1, topologyKey: host,
		whenUnsatisfiable: "DoNotSchedule", nodeAffinityPolicy: "Honor",
		nodeTaintsPolicy: "Honor",
		labelSelector: { matchLabels: { foo: "bar" } } }] } } |
	    pod("measured"; $i; "default"))
    elif $name == "secrets" then
	{ spec: { volumes: [{ name: "s",
	    secret: { secretName: "secret" } }] } } as $p |
	usual($n; $b; $m; $p; $p)
    elif $name == "in-tree-volumes" then
	usual($n; $b; $m; {}; with_volume(.)),
	(range($m) | volume(.; disk(.)))
    elif $name == "migrated-volumes" then
	usual($n; $b; $m; {}; with_volume(.)),
	(range($m) | volume(.; disk(.))), (range($n) | csi_node(.; true))
    elif $name == "csi-volumes" then
	usual($n; $b; $m; {}; with_volume(.)),
	(range($m) | volume(.; csi(.))), (range($n) | csi_node(.; false))
    elif $name == "claims" then
	usual($n; $b; $m; {}; with_claim(.)),
	device_class, (range($n) | slice(.)), (range($m) | claim("measured"; .))
    else error("no workload \($name)")
    end;

def part($n): ($n / $part) | ceil;

if $workload == "list" then
    sizes | to_entries[] |
    [.key, part(.value[0]), part(.value[2]), .value[3]] | @tsv
else
    sizes[$workload] as [$n, $b, $m] |
    workload($workload; part($n); part($b); part($m))
end
