/* Diagnoses that decide again: several remedies together, and abandoned ones; and the
 * sentences of obstacles that t/ctl/diagnosis.t does not have. */
#include "config.h"

#include <string.h>

#include "base/xmalloc.h"
#include "policy/policy.h"
#include "explain/diagnosis.h"
#include "explain/explanation.h"
#include "t/lib/t.h"
#include "t/lib/world.h"

/* NULL: it fits, or was abandoned. */
static const struct diagnosis *
diagnose(struct world *w, const struct profile *profile,
    struct cancellation *cancellation)
{
	struct explanation e = { 0 };

	w->cycle.profile = profile;
	w->cycle.cancellation = cancellation;
	explanation_find(&e, &w->cycle);
	return diagnosis_find(&e);
}

#define POD(spec)                                                                 \
	"--- {kind: Pod, metadata: {namespace: d, name: p, labels: {app: web}}, " \
	"spec: {" spec "}}\n"
#define WEB_ON(name, node)                                                     \
	"--- {kind: Pod, metadata: {namespace: d, name: " name ", labels: "    \
	"{app: web}}, spec: {nodeName: " node ", containers: [{name: c, "      \
	"ports: [{hostPort: 80, containerPort: 80}]}]}}\n"
#define TAKING_TWO(name, app)                                                  \
	"--- {kind: Pod, metadata: {namespace: d, name: " name ", labels: "    \
	"{app: " app "}}, spec: {nodeName: n1, " CPU("2") "}}\n"
#define TAKING(name, node, cpu)                                                \
	"--- {kind: Pod, metadata: {namespace: d, name: " name "}, spec: "     \
	"{nodeName: " node ", " CPU(cpu) "}}\n"
#define DAEMON(node)                                                           \
	"--- {kind: Pod, metadata: {namespace: d, name: d-" node               \
	", ownerReferences: [{kind: DaemonSet, name: d, uid: d, controller: "  \
	"true}]}, spec: {nodeName: " node ", " CPU("100m") "}}\n"
#define NODE(name, labels, spec, cpu)                                          \
	"--- {kind: Node, metadata: {name: " name ", labels: {host: " name     \
	", " labels "}}, spec: {" spec "}, status: {allocatable: {cpu: " cpu   \
	", memory: 8Gi, pods: 10}}}\n"
#define CPU(n) "containers: [{name: c, resources: {requests: {cpu: " n "}}}], "
#define TAINT "taints: [{key: a, effect: NoSchedule}]"
#define OTHER_TAINT "taints: [{key: b, effect: NoSchedule}]"

static const struct {
	const char *name, *cluster, *pod, *remedy;
	bool proven;
} rows[] = {
	{ "a toleration and a request", NODE("n1", "", TAINT, "1"),
	    POD(CPU("2")),
	    "tolerate a:NoSchedule and request at most 1 cpu (free on n1)",
	    true },
	/* a is the commonest taint, but the node with most cpu has b */
	{ "of one node",
	    NODE("n1", "", TAINT, "1") NODE("n2", "", TAINT, "1")
		NODE("n3", "", OTHER_TAINT, "1500m"),
	    POD(CPU("2")),
	    "tolerate a:NoSchedule and request at most 1 cpu (free on n1)",
	    true },
	{ "a selector and a toleration", NODE("n1", "disk: ssd", TAINT, "4"),
	    POD("nodeSelector: {disk: sdd}"),
	    "select disk=ssd and tolerate a:NoSchedule", true },
	{ "a label of the node and a toleration", NODE("n1", "", TAINT, "4"),
	    POD("nodeSelector: {disk: ssd}"),
	    "label node n1 disk=ssd and tolerate a:NoSchedule", true },
	{ "two labels of the node", NODE("n1", "", "", "4"),
	    POD("nodeSelector: {disk: ssd, size: big}, priority: 0, " CPU("5")),
	    "label node n1 disk=ssd size=big and request at most 4 cpu "
	    "(free on n1)",
	    true },
	{ "the nodes with the label that was meant, of those with more",
	    NODE("n1", "", TAINT, "4") NODE("n2", "", TAINT, "4")
		NODE("n3", "gpu: nvidia-t4", OTHER_TAINT, "4"),
	    POD("nodeSelector: {gpu: nvidia-t44}"),
	    "select gpu=nvidia-t4 and tolerate b:NoSchedule", true },
	{ "a cordoned node and a request",
	    NODE("n1", "", "unschedulable: true", "1"), POD(CPU("2")),
	    "uncordon n1 and request at most 1 cpu (free on n1)", true },
	{ "another pod and a toleration",
	    NODE("n1", "", TAINT, "4") WEB_ON("w", "n1"),
	    POD("containers: [{name: c, ports: [{hostPort: 80, "
		"containerPort: 80}]}]"),
	    "delete d/w (it fits on no other node; this stops running work) and "
	    "tolerate a:NoSchedule",
	    true },
	{ "anti-affinity to a pod and a request",
	    NODE("n1", "", "", "1") WEB_ON("w", "n1"),
	    POD(CPU("2") "affinity: {podAntiAffinity: "
			 "{requiredDuringSchedulingIgnoredDuringExecution: "
			 "[{topologyKey: host, labelSelector: {matchLabels: "
			 "{app: web}}}]}}"),
	    "delete d/w (it fits on no other node; this stops running work) and "
	    "request at most 1 cpu (free on n1)",
	    true },
	/* nothing here can make a claim */
	{ "a claim and a toleration", NODE("n1", "", TAINT, "4"),
	    POD("volumes: [{name: v, persistentVolumeClaim: {claimName: c}}]"),
	    "create it and tolerate a:NoSchedule", false },
};

static void
several_remedies_are_proven_together(void)
{
	struct policy_options options = { .gates = gates_default };
	struct profile *profile = policy_provider("DefaultProvider", &options);

	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct world *w = world_new(rows[i].cluster);
		const struct diagnosis *d;

		world_pod(w, rows[i].pod);
		d = diagnose(w, profile, NULL);
		if (t_true(rows[i].name, d != NULL)) {
			t_str(rows[i].name, d->cause, "several");
			t_str(rows[i].name, d->remedy, rows[i].remedy);
			t_int(rows[i].name, d->proven, rows[i].proven);
		}
		world_free(w);
	}
	profile_free(profile);
}

#define USES_CLAIM                                                             \
	POD("volumes: [{name: v, persistentVolumeClaim: {claimName: c}}]")
#define CLAIM(meta)                                                            \
	"--- {kind: PersistentVolumeClaim, metadata: {namespace: d, name: c, " \
	"annotations: {pv.kubernetes.io/bind-completed: \"yes\"}" meta "}, "   \
	"spec: {volumeName: v, storageClassName: \"\", "                       \
	"accessModes: [ReadWriteOnce]}}\n"
#define VOLUME(labels, spec)                                                   \
	"--- {kind: PersistentVolume, metadata: {name: v, labels: {" labels    \
	"}}, spec: {storageClassName: \"\", capacity: {storage: 1Gi}, "        \
	"accessModes: [ReadWriteOnce], claimRef: {namespace: d, name: c}" spec \
	"}}\n"
#define AFFINE(expression)                                                     \
	", nodeAffinity: {required: {nodeSelectorTerms: [{matchExpressions: [" \
	"{" expression "}]}]}}"
#define WANTS(expression)                                                      \
	POD("affinity: {nodeAffinity: "                                        \
	    "{requiredDuringSchedulingIgnoredDuringExecution: "                \
	    "{nodeSelectorTerms: [{matchExpressions: [{" expression "}]}]}}}")
#define ZONE "failure-domain.beta.kubernetes.io/zone"
#define N1 NODE("n1", "size: \"4\"", "", "4")

static const struct {
	const char *cluster, *pod, *cause, *text, *remedy;
} sentences[] = {
	{ N1 CLAIM(", deletionTimestamp: 2020-01-01T00:00:00Z") VOLUME("", ""),
	    USES_CLAIM, "volume", "Claim d/c is being deleted",
	    "wait until it is gone and create it again" },
	{ N1 CLAIM(""), USES_CLAIM, "volume",
	    "Volume v of claim d/c does not exist",
	    "restore it, or replace the claim: its data is lost" },
	{ N1 CLAIM("") VOLUME("",
	      AFFINE("key: topology.kubernetes.io/zone, operator: In, "
		     "values: [b]")),
	    USES_CLAIM, "volume",
	    "Volume v of claim d/c is for nodes with the label "
	    "topology.kubernetes.io/zone, which no node has",
	    "" },
	{ NODE("n1", ZONE ": a", "", "4") CLAIM("") VOLUME(ZONE ": b", ""),
	    USES_CLAIM, "volume",
	    "Volume v of claim d/c is in zone b, where no node is", "" },
	{ N1 CLAIM("")
		VOLUME("", AFFINE("key: host, operator: In, values: [n9]")),
	    USES_CLAIM, "volume",
	    "Volume v of claim d/c is in host=n9, where no node is", "" },
	{ N1, WANTS("key: gpu, operator: Exists"), "selector",
	    "No node has gpu", "label node n1 gpu=" },
	{ N1, WANTS("key: size, operator: DoesNotExist"), "selector",
	    "It asks for nodes without size, and all have it",
	    "do not ask for nodes without size" },
	{ N1, WANTS("key: size, operator: Gt, values: [\"8\"]"), "selector",
	    "No node has size > 8", "do not ask nodes for size > 8" },
	{ N1, WANTS("key: size, operator: NotIn, values: [\"4\"]"), "selector",
	    "It asks for nodes without size=4, and all have it",
	    "do not ask for nodes without size=4" },
	{ N1, WANTS("key: host, operator: In, values: [n2, n3]"), "selector",
	    "No node has host in (n2, n3)", "label node n1 host=n2" },
	{ N1 NODE("n2", "disk: fast", "", "4"),
	    WANTS("key: disk, operator: In, values: [fats]"), "selector",
	    "No node has disk=fats (did you mean fast?)", "select disk=fast" },
	{ "--- {kind: Node, metadata: {name: n1}, status: {allocatable: "
	  "{cpu: 4, memory: 8Gi, pods: 1}}}\n" WEB_ON("w", "n1"),
	    POD(""), "pods",
	    "1 node has as many pods as allowed: n1 has 1 of 1",
	    "delete d/w (it fits on no other node; this stops running work)" },
	/* more pods than one would move */
	{ N1 WEB_ON("a", "n1") WEB_ON("b", "n1") WEB_ON("c", "n1")
		WEB_ON("e", "n1") WEB_ON("f", "n1"),
	    POD("affinity: {podAntiAffinity: "
		"{requiredDuringSchedulingIgnoredDuringExecution: "
		"[{topologyKey: host, labelSelector: {matchLabels: "
		"{app: web}}}]}}"),
	    "anti-affinity",
	    "Anti-affinity to pods with app=web keeps it from the only node: "
	    "d/a is on n1",
	    "" },
	/* the first by name, in whatever order they came */
	{ N1 WEB_ON("b", "n1") WEB_ON("a", "n1"),
	    POD("affinity: {podAntiAffinity: "
		"{requiredDuringSchedulingIgnoredDuringExecution: "
		"[{topologyKey: host, labelSelector: {matchLabels: "
		"{app: web}}}]}}"),
	    "anti-affinity",
	    "Anti-affinity to pods with app=web keeps it from the only node: "
	    "d/a is on n1",
	    "delete d/a, d/b (at least one fits on no other node; this stops "
	    "running work)" },
	{ N1 TAKING_TWO("b", "bb") TAKING_TWO("a", "ba"), POD(CPU("2")),
	    "requests", "No node has 2 cpu free: the nearest, n1, has 0",
	    "delete d/a (it fits on no other node; this stops running work)" },
	{ N1 TAKING_TWO("b", "workerb") TAKING_TWO("a", "workera"),
	    POD("affinity: {podAffinity: "
		"{requiredDuringSchedulingIgnoredDuringExecution: "
		"[{topologyKey: host, labelSelector: {matchLabels: "
		"{app: workerc}}}]}}"),
	    "affinity", "No pod matches app=workerc (did you mean workera?)",
	    "ask for pods with app=workera" },
};

static void
each_obstacle_has_its_sentence(void)
{
	struct policy_options options = { .gates = gates_default };
	struct profile *profile = policy_provider("DefaultProvider", &options);

	for (size_t i = 0; i < LENGTH(sentences); i++) {
		struct world *w = world_new(sentences[i].cluster);
		const struct diagnosis *d;

		world_pod(w, sentences[i].pod);
		d = diagnose(w, profile, NULL);
		if (t_true(sentences[i].text, d != NULL)) {
			t_str(sentences[i].text, d->cause, sentences[i].cause);
			t_str(sentences[i].text, d->text, sentences[i].text);
			t_str(sentences[i].text, d->remedy,
			    sentences[i].remedy);
		}
		world_free(w);
	}
	profile_free(profile);
}

static void
devices_may_stand_for_a_resource(void)
{
	struct policy_options options = { .gates = gates_default };
	struct profile *profile = policy_provider("DefaultProvider", &options);
	struct world *w = world_new(N1 W_OBJECT("DeviceClass", "name: k",
	    "spec: {extendedResourceName: example.com/gpu}"));
	const struct diagnosis *d;

	w->cluster->kubernetes_minor = 36;
	world_pod(w,
	    POD("containers: [{name: c, resources: {requests: "
		"{example.com/gpu: 4}}}]"));
	d = diagnose(w, profile, NULL);
	if (t_true("there is one", d != NULL))
		t_str("text", d->text,
		    "No node has enough free devices for example.com/gpu: "
		    "asks 4");
	world_free(w);
	profile_free(profile);
}

static void
an_abandoned_one_says_nothing(void)
{
	struct policy_options options = { .gates = gates_default };
	struct profile *profile = policy_provider("DefaultProvider", &options);
	struct world *w =
	    world_new(NODE("n1", "", TAINT, "1") NODE("n2", "", "", "1"));
	struct cancellation c;
	const struct diagnosis *d;
	unsigned abandoned = 0;

	do {
		c = (struct cancellation){ .at_look = ++abandoned };
		world_pod(w, POD(CPU("2")));
		d = diagnose(w, profile, &c);
		t_true("abandoned or whole", (d == NULL) == (c.requested != 0));
	} while (c.requested != 0);
	t_true("there were many ways", abandoned > 10);
	t_has("the whole one", d->remedy, "request at most 1 cpu");
	profile_free(profile);
	world_free(w);
}

static const struct {
	const char *cluster, *pod, *remedy;
} added[] = {
	{ N1 TAKING_TWO("a", "a") TAKING_TWO("b", "b"), POD(CPU("3")),
	    "add a node like n1" },
	{ N1, POD(CPU("5")), "request at most 4 cpu (free on n1)" },
	/* the commonest kind that does, the first of it by name */
	{ NODE("n9", "", "", "1") NODE("n8", "", "", "1")
		NODE("n3", "", "", "4") NODE("n2", "", "", "4")
		    NODE("n1", "", "", "6") TAKING("a", "n1", "6")
			TAKING("b", "n2", "4") TAKING("c", "n3", "4"),
	    POD(CPU("3")), "add a node like n2" },
	/* whose name no node has */
	{ N1 NODE("n1-new", "", "", "4") TAKING("a", "n1", "3")
		TAKING("b", "n1-new", "3"),
	    POD(CPU("3")), "add a node like n1" },
	/* that has its DaemonSet's pod, too */
	{ N1 TAKING("a", "n1", "3") DAEMON("n1"), POD(CPU("4")),
	    "request at most 900m cpu (free on n1)" },
	{ NODE("n1", ZONE ": a", "", "4") CLAIM("") VOLUME(ZONE ": b", ""),
	    USES_CLAIM, "add a node like n1 with " ZONE "=b" },
	{ N1 CLAIM("")
		VOLUME("", AFFINE("key: host, operator: In, values: [n9]")),
	    USES_CLAIM, "add a node like n1 with host=n9" },
};

/* Where the cluster may be changed to try it; it is then as it was. */
static void
one_more_node_is_tried(void)
{
	struct policy_options options = { .gates = gates_default };
	struct profile *profile = policy_provider("DefaultProvider", &options);

	for (size_t i = 0; i < LENGTH(added); i++) {
		struct world *w = world_new(added[i].cluster);
		struct explanation e = { .own = w->cluster };
		const struct diagnosis *d;
		uint32_t nnodes = w->cluster->nnodes;

		world_pod(w, added[i].pod);
		w->cycle.profile = profile;
		explanation_find(&e, &w->cycle);
		d = diagnosis_find(&e);
		if (t_true(added[i].remedy, d != NULL))
			t_str(added[i].remedy, d->remedy, added[i].remedy);
		t_int("as many nodes as before", w->cluster->nnodes, nnodes);
		world_free(w);
	}
	profile_free(profile);
}

T_MAIN(T(several_remedies_are_proven_together),
    T(each_obstacle_has_its_sentence), T(devices_may_stand_for_a_resource),
    T(an_abandoned_one_says_nothing), T(one_more_node_is_tried))
