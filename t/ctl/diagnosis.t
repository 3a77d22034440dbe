#!/bin/sh
# The first line of explain: why a pod fits nowhere, and the cheapest remedy.
# Each kind of pending pod is a cluster in t/data/ctl/diagnosis; the remedy is
# applied to it and the pod then fits.
. "$SRCDIR/t/ctl/ctl.sh"

clusters=$data/diagnosis
config=$examples/kubescheduler-v1.yaml

# explained FILE ARG…
explained() {
	file=$1
	shift
	ctl explain --cluster "$file" --pod data/p "$@"
}

# cured NAME FIRST-LINE CAUSE SED: with policies and profiles alike.
cured() {
	name=$1 line=$2 cause=$3
	sed "$4" "$clusters/$name.yaml" >"$tmp/$name.yaml"
	for rules in "--kubernetes-version 1.20" "--kubernetes-version 1.36" \
	    "--config $config --kubernetes-version 1.36"; do
		# shellcheck disable=SC2086
		explained "$clusters/$name.yaml" $rules
		is "$name: fits nowhere ($rules)" "$code" 1
		is "$name: the first line" "$(printf '%s\n' "$out" | head -1)" \
		    "$line"
		# shellcheck disable=SC2086
		explained "$clusters/$name.yaml" $rules -o json
		has "$name: as JSON" "$out" "\"diagnosis\":{\"cause\":\"$cause\""
		# shellcheck disable=SC2086
		explained "$tmp/$name.yaml" $rules
		is "$name: the remedy makes it fit" "$code" 0
		lacks "$name: then there is no diagnosis" "$out" "$line"
	done
}

cured too-big "Larger than any node: asks 40 cpu, the largest has 31.92; \
request at most 31.92 cpu (free on n1)" requests 's/"40"/"31.92"/'
cured selector "No node has disktype=sdd (did you mean ssd?); select \
disktype=ssd" selector 's/disktype: sdd/disktype: ssd/'
cured taint "Taint dedicated=gpu:NoSchedule is the only obstacle on 3 nodes; \
tolerate dedicated=gpu:NoSchedule" taint '/name: p}/s/spec: {/&tolerations: '\
'[{key: dedicated, value: gpu, effect: NoSchedule}], /'
cured anti-affinity "Anti-affinity to pods with app=web keeps it from the only \
node: data/web-1 is on n1; add a node like n1" anti-affinity '$a\
--- {kind: Node, metadata: {name: n2, labels: {kubernetes.io/hostname: n2}}, status: \
{allocatable: {cpu: "4", memory: 8Gi, pods: "10"}}}'
cured anti-affinity-zone "Anti-affinity to pods with app=pg keeps it from 2 nodes \
that would do: data/pg-0 is on w1; add a node like w3" anti-affinity '$a\
--- {kind: Node, metadata: {name: w4, labels: {zone: b}}, status: {allocatable: {cpu: \
"4", memory: 8Gi, pods: "9"}}}'
explained "$clusters/anti-affinity-zone.yaml" -o json
has "anti-affinity-zone: or a pod moves" "$out" '{"text":"move data/pg-0 from zone=a '\
'to w3","kind":"move","harm":"others","who":"administrator","proven":true,"changes":[{'\
'"op":"delete","kind":"Pod","namespace":"data","name":"pg-0"}]}'
cured preempting "Nominated to n1, where preempted pods are terminating: \
data/low; it fits there once that pod has left" preemption '/name: low/d'
cured nominated "The room on n1 is kept for data/a, nominated to it; give it \
priority 101 or more" nominated '/name: p,/s/priority: 100/priority: 101/'
cured label "No node has accelerator=nvidia-t44 (did you mean nvidia-t4?), and \
taint gpu:NoSchedule not tolerated on 1 node; select accelerator=nvidia-t4 and \
tolerate gpu:NoSchedule" several 's/spec: {nodeSelector: {accelerator: nvidia-t44/'\
'spec: {tolerations: [{key: gpu, operator: Exists}], nodeSelector: {accelerator: '\
'nvidia-t4/'
cured host-port "Host port 8080/TCP is taken on both nodes: by data/a on n1; \
add a node like n1" host-port '$a\
--- {kind: Node, metadata: {name: n3, labels: {kubernetes.io/hostname: n3}}, status: \
{allocatable: {cpu: "4", memory: 8Gi, pods: "10"}}}'
cured claim-missing "Claim data/archive-0 does not exist; create it" volume \
    '$a\
--- {kind: PersistentVolume, metadata: {name: v}, spec: {storageClassName: "", \
capacity: {storage: 1Gi}, accessModes: [ReadWriteOnce], claimRef: {namespace: \
data, name: archive-0}}}\
--- {kind: PersistentVolumeClaim, metadata: {namespace: data, name: archive-0, \
annotations: {pv.kubernetes.io/bind-completed: "yes"}}, spec: {volumeName: v, \
storageClassName: "", accessModes: [ReadWriteOnce]}}'
cured claim-unbound "Claim data/archive-0 is unbound: no volume of class fast \
is free; provide a volume of class fast of 10Gi, ReadWriteOnce" volume '$a\
--- {kind: PersistentVolume, metadata: {name: v}, spec: {storageClassName: \
fast, capacity: {storage: 10Gi}, accessModes: [ReadWriteOnce]}, status: \
{phase: Available}}'
cured volume-zone "Volume pv-1 of claim data/archive-0 is in zone b, where no \
node is; add a node like n1 with topology.kubernetes.io/zone=b \
failure-domain.beta.kubernetes.io/zone=b" volume '1i\
--- {kind: Node, metadata: {name: n2, labels: {topology.kubernetes.io/zone: b, \
failure-domain.beta.kubernetes.io/zone: b}}, status: {allocatable: {cpu: "4", \
memory: 8Gi, pods: "10"}}}'
cured spread "Spread over zone with maxSkew 1 keeps it from 1 node that would \
do; allow maxSkew 2" spread 's/maxSkew: 1/maxSkew: 2/'
cured gpu "Larger than any node: asks 8 nvidia.com/gpu, the largest has 4; \
request at most 4 nvidia.com/gpu (free on n2)" requests 's/gpu: "8"/gpu: "4"/'
cured priorities "No node has 2 cpu free: the nearest, n1, has 500m; \
preemption will evict data/low of lower priority from n1" requests \
    '/name: low/d'
cured affinity "No pod matches app=wroker (did you mean worker?); ask for pods \
with app=worker" affinity 's/wroker/worker/'

# a volume that keeps the pod where it is in the way
sed '/PersistentVolume,/s/, b\]/]/' "$clusters/anti-affinity-zone.yaml" >"$tmp/stays"
explained "$tmp/stays" -o json
has "the pod in the way cannot leave the zone" "$out" "delete data/pg-0 (it fits on no node outside zone=a: \
node(s) had volume node affinity conflict; this stops running work)"
explained "$clusters/preempting.yaml"
has "preemption under way" "$out" "Preemption: not eligible due to a terminating \
pod on the nominated node.
  data/low leaves n1"
explained "$clusters/nominated.yaml"
has "nominated pods have names" "$out" "would fit but for pods nominated to it: \
data/a: n1"

# the change as data
explained "$clusters/taint.yaml" -o json
has "the change as data" "$out" '"change":{"action":"tolerate","subject":'\
'"dedicated=gpu:NoSchedule","value":""},"proven":true,"nodes":3,"remedies":['
has "as a patch, and who makes it" "$out" '{"text":"tolerate dedicated=gpu:NoSchedule",'\
'"kind":"tolerate","harm":"pod","who":"owner of the pod, by leave of the '\
"taint's\",\"proven\":true,\"changes\":[{\"op\":\"merge\",\"kind\":\"Pod\","\
'"namespace":"data","name":"p","patch":{"spec":{"tolerations":[{"key":"dedicated",'\
'"operator":"Equal","value":"gpu","effect":"NoSchedule"}]}}}]}'
has "a node's nearest miss" "$out" '"miss":"would fit if taint dedicated=gpu:'\
'NoSchedule were tolerated"'

# alone NAME FIRST-LINE OBJECTS: a node or two and the pod p
alone() {
	printf '%s\n' "$3" >"$tmp/alone"
	for rules in "--kubernetes-version 1.20" \
	    "--config $config --kubernetes-version 1.36"; do
		# shellcheck disable=SC2086
		explained "$tmp/alone" $rules
		is "$1 ($rules)" "$(printf '%s\n' "$out" | head -1)" "$2"
	done
}
pod='--- {kind: Pod, metadata: {namespace: data, name: p, labels: {app: web}},
 spec: {}}'
room='allocatable: {cpu: "4", memory: 8Gi, pods: "1"}'
alone "a cordoned node" "Node n1 is cordoned, the only obstacle there; \
uncordon n1" "--- {kind: Node, metadata: {name: n1}, spec: {unschedulable: \
true, taints: [{key: node.kubernetes.io/unschedulable, effect: NoSchedule}]}, \
status: {$room}}
$pod"
alone "a full node" "1 node has as many pods as allowed: n1 has 1 of 1; \
add a node like n1" "--- {kind: Node, metadata: {name: n1}, status: {$room}}
--- {kind: Pod, metadata: {namespace: data, name: a}, spec: {nodeName: n1}}
$pod"
alone "others avoid it" "Other pods' anti-affinity keeps it from the only \
node: data/a is on n1; add a node like n1" "--- {kind: Node, metadata: \
{name: n1, labels: {host: n1}}, status: {allocatable: {cpu: \"4\", pods: \"9\"}}}
--- {kind: Pod, metadata: {namespace: data, name: a}, spec: {nodeName: n1, \
affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: \
[{topologyKey: host, labelSelector: {matchLabels: {app: web}}}]}}}}
$pod"
alone "terms of node affinity" "No node matches any of the 2 terms of the node \
affinity; the first asks for a in (b, c); label node n1 a=b" \
    "--- {kind: Node, metadata: {name: n1}, status: {$room}}
--- {kind: Pod, metadata: {namespace: data, name: p}, spec: {affinity: \
{nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: \
{nodeSelectorTerms: [{matchExpressions: [{key: a, operator: In, values: [b, \
c]}]}, {matchExpressions: [{key: z, operator: Exists}]}]}}}}}"

# what a sentence of the scheduler hides: a taint behind a shortage
cat >"$tmp/both" <<EOT
--- {kind: Node, metadata: {name: n1}, spec: {taints: [{key: a, effect:
  NoSchedule}]}, status: {allocatable: {cpu: "1", memory: 1Gi, pods: "9"}}}
--- {kind: Pod, metadata: {namespace: data, name: p}, spec: {containers: [
  {name: c, resources: {requests: {cpu: "2"}}}]}}
EOT
explained "$tmp/both"
is "no obstacle hides another" "$(printf '%s\n' "$out" | head -1)" \
    "Larger than any node: asks 2 cpu, the largest has 1, and taint a:NoSchedule \
not tolerated on 1 node; tolerate a:NoSchedule and request at most 1 cpu \
(free on n1)"
explained "$tmp/both" -o json
has "its remedies are proven together" "$out" '"change":null,"proven":true'
sed -e 's/cpu: "2"/cpu: "1"/' \
    -e 's/name: p}, spec: {/&tolerations: [{key: a, operator: Exists}], /' \
    "$tmp/both" >"$tmp/cured"
explained "$tmp/cured"
is "and let it in" "$code" 0

# of two remedies together each is needed
cat >"$tmp/needed" <<EOT
--- {kind: Node, metadata: {name: m1}, spec: {taints: [{key: a, effect: NoSchedule}]},
  status: {allocatable: {cpu: "1", pods: "9"}}}
--- {kind: Node, metadata: {name: n1}, status: {allocatable: {cpu: "1", pods: "9"}}}
--- {kind: PersistentVolumeClaim, metadata: {namespace: data, name: c}, spec: {
  storageClassName: manual, accessModes: [ReadWriteOnce], resources: {requests: {
  storage: 1Gi}}}}
--- {kind: Pod, metadata: {namespace: data, name: p}, spec: {volumes: [{name: v,
  persistentVolumeClaim: {claimName: c}}]}}
EOT
explained "$tmp/needed" -o json
has "a volume helps" "$out" '"text":"provide a volume of class manual of 1Gi, '\
'ReadWriteOnce"'
lacks "and no toleration is needed" "$out" tolerate

# of two that keep each other away one runs
peer='namespace: data, labels: {app: mon}'
apart='affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [
  {topologyKey: host, labelSelector: {matchLabels: {app: mon}}}]}}'
cat >"$tmp/peers" <<EOT
--- {kind: Node, metadata: {name: n1, labels: {host: n1}}, status: {allocatable: {
  cpu: "1", pods: "9"}}}
--- {kind: Pod, metadata: {$peer, name: a, ownerReferences: [{kind: ReplicaSet,
  apiVersion: apps/v1, name: a-1, uid: a, controller: true}]}, spec: {nodeName: n1,
  $apart}}
--- {kind: Pod, metadata: {$peer, name: p, ownerReferences: [{kind: ReplicaSet,
  apiVersion: apps/v1, name: b-1, uid: b, controller: true}]}, spec: {$apart}}
EOT
explained "$tmp/peers" -o json
lacks "no peer is deleted for another" "$out" '"kind":"delete"'

# one node's taint behind others' shortage is the way in
cat >"$tmp/way" <<EOT
--- {kind: Node, metadata: {name: n1}, status: {allocatable: {cpu: "1",
  memory: 1Gi, pods: "9"}}}
--- {kind: Node, metadata: {name: n2}, spec: {taints: [{key: a, effect:
  NoSchedule}]}, status: {allocatable: {cpu: "4", memory: 1Gi, pods: "9"}}}
--- {kind: Pod, metadata: {namespace: data, name: p}, spec: {containers: [
  {name: c, resources: {requests: {cpu: "2"}}}]}}
EOT
explained "$tmp/way"
is "the node that only a taint closes" "$(printf '%s\n' "$out" | head -1)" \
    "Taint a:NoSchedule is the only obstacle on 1 node; tolerate a:NoSchedule"

# a policy's own predicates
cat >"$tmp/own" <<EOT
--- {kind: Node, metadata: {name: n1, labels: {old: very}}, status: {allocatable: {cpu: "1",
  memory: 1Gi, pods: "9"}}}
--- {kind: Pod, metadata: {namespace: data, name: p}, spec: {}}
EOT
presence() {
	printf '{"kind":"Policy","apiVersion":"v1","predicates":[{"name":"%s",' "$1"
	printf '"argument":{"labelsPresence":{"labels":["%s"],' "$2"
	printf '"presence":%s}}}],"priorities":[]}' "$3"
}
presence HasRack rack true >"$tmp/has-rack"
explained "$tmp/own" --policy "$tmp/has-rack"
is "a label that the policy wants" "$(printf '%s\n' "$out" | head -1)" \
    "The policy's predicate HasRack keeps it from 1 node: on n1 label rack is \
missing; label node n1 rack="
sed 's/old: very/&, rack: ""/' "$tmp/own" >"$tmp/cured"
explained "$tmp/cured" --policy "$tmp/has-rack"
is "and let it in" "$code" 0
presence NotOld old false >"$tmp/not-old"
explained "$tmp/own" --policy "$tmp/not-old"
is "a label that it does not want" "$(printf '%s\n' "$out" | head -1)" \
    "The policy's predicate NotOld keeps it from 1 node: on n1 label old is \
not wanted; remove the label from a node, or the predicate from the policy"

cat >"$tmp/added.yaml" <<EOT
apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
profiles:
- pluginConfig:
  - name: NodeAffinity
    args: {addedAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {
      nodeSelectorTerms: [{matchExpressions: [
        {key: pool, operator: In, values: [general]}]}]}}}
EOT
explained "$tmp/own" --config "$tmp/added.yaml" --kubernetes-version 1.36
is "a profile's addedAffinity" "$(printf '%s\n' "$out" | head -1)" \
    "The profile's plugin NodeAffinity keeps it from 1 node: on n1 label pool \
is missing, not general; label node n1 pool=general"

cat >"$tmp/devices" <<'EOT'
---
{kind: Node, metadata: {name: n1}, status: {allocatable: {cpu: "4", pods: "10"}}}
---
{kind: DeviceClass, apiVersion: resource.k8s.io/v1, metadata: {name: gpu}, spec: {}}
---
{kind: ResourceClaim, apiVersion: resource.k8s.io/v1,
 metadata: {name: card, namespace: data}, spec: {devices: {requests: [
   {name: g, exactly: {deviceClassName: gpu, allocationMode: ExactCount, count: 1}}]}}}
---
{kind: Pod, metadata: {name: p, namespace: data}, spec: {resourceClaims: [
   {name: g, resourceClaimName: card}], containers: [{name: c}]}}
EOT
explained "$tmp/devices" --config "$examples/kubescheduler-v1.yaml" \
    --kubernetes-version 1.36
is "no free devices" "$(printf '%s\n' "$out" | head -1)" \
    "No node has free devices for claim data/card (1 of class gpu); nothing was \
found that lets it in"
finish
