# A random pod with any kind of demand that a kubelet checks again when it admits the pod:
# resources, host ports, selectors; and with what moves pods about: priorities, spreads,
# anti-affinities, tolerations, overhead.
#
#	jq -c --arg namespace NAME --arg scheduler NAME -f pods.jq
#
# reads the number of each pod, and 40 random numbers from 0 to 1, as an array.

. as [$number, $random]
| def chance($at; $part): $random[$at] < $part;
  def one($at; $of): $of[$random[$at] * ($of | length) | floor];
  def some($at; $part; $this): if chance($at; $part) then $this else null end;
{
    apiVersion: "v1", kind: "Pod",
    metadata: {
	name: "pod-\($number)", namespace: $namespace,
	labels: {app: one(0; ["a", "b", "c", "d"])}
    },
    spec: {
	schedulerName: $scheduler,
	terminationGracePeriodSeconds: one(1; [0, 1, 5]),
	priorityClassName: some(2; 0.2; one(3; ["low", "high"])),
	runtimeClassName: some(4; 0.15; "heavy"),
	nodeSelector: some(5; 0.15; one(6; [{disk: "ssd"}, {disk: "hdd"},
	    {"topology.kubernetes.io/zone": "z1"}])),
	tolerations: some(7; 0.25; [one(8; [{key: "dedicated", operator: "Exists"},
	    {operator: "Exists"}, {key: "dedicated", operator: "Equal", value: "a",
	    effect: "NoSchedule"}])]),
	containers: ([{
	    name: "c", image: "none",
	    resources: {
		requests: ({
		    cpu: some(9; 0.85; one(10; ["10m", "50m", "100m", "150m", "333m"])),
		    memory: some(11; 0.7; one(12; ["16Mi", "64Mi", "300Mi", "1Gi"])),
		    "ephemeral-storage": some(13; 0.1; "100Mi"),
		    "example.com/gpu": some(14; 0.15; one(15; ["1", "1", "2"]))
		} | with_entries(select(.value))),
		limits: some(14; 0.15; {"example.com/gpu": one(15; ["1", "1", "2"])})
	    },
	    ports: some(16; 0.15; [{
		containerPort: 80, hostPort: one(17; [8080, 8081, 9000]),
		protocol: one(18; ["TCP", "TCP", "UDP"]),
		hostIP: some(19; 0.4; one(20; ["127.0.0.1", "10.99.0.1"]))}])
	}] + if chance(21; 0.3) then [{
	    name: "d", image: "none",
	    resources: {requests: {cpu: one(22; ["5m", "100m"])}}
	}] else [] end),
	initContainers: some(23; 0.15; [{
	    name: "i", image: "none", resources: {requests: {
		cpu: one(24; ["20m", "400m"]), memory: one(25; ["32Mi", "1500Mi"])}}}]),
	topologySpreadConstraints: some(26; 0.2; [{
	    maxSkew: one(27; [1, 2]),
	    topologyKey: one(28; ["topology.kubernetes.io/zone",
		"kubernetes.io/hostname"]),
	    whenUnsatisfiable: one(29; ["DoNotSchedule", "ScheduleAnyway"]),
	    labelSelector: {matchLabels: {app: one(0; ["a", "b", "c", "d"])}}}]),
	affinity: {
	    nodeAffinity: some(30; 0.12; {
		requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{
		    matchExpressions: [one(31; [
			{key: "number", operator: "Gt", values: ["5"]},
			{key: "disk", operator: "NotIn", values: ["hdd"]},
			{key: "topology.kubernetes.io/zone", operator: "In",
			    values: ["z0", "z2"]}])]}]}}),
	    podAntiAffinity: some(32; 0.08; {
		requiredDuringSchedulingIgnoredDuringExecution: [{
		    labelSelector: {matchLabels: {app: one(0; ["a", "b", "c", "d"])}},
		    topologyKey: "kubernetes.io/hostname"}]})
	}
    }
}
| walk(if type == "object" then with_entries(select(.value != null)) else . end)
