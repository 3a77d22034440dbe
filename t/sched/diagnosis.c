/* Diagnoses that decide again: several remedies together, and abandoned ones.  The
 * words are in t/ctl/diagnosis.t. */
#include "config.h"

#include <string.h>

#include "base/xmalloc.h"
#include "policy/policy.h"
#include "sched/diagnosis.h"
#include "sched/explanation.h"
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
	{ "a cordoned node and a request",
	    NODE("n1", "", "unschedulable: true", "1"), POD(CPU("2")),
	    "uncordon n1 and request at most 1 cpu (free on n1)", true },
	{ "another pod and a toleration",
	    NODE("n1", "", TAINT, "4") WEB_ON("w", "n1"),
	    POD("containers: [{name: c, ports: [{hostPort: 80, "
		"containerPort: 80}]}]"),
	    "move d/w away from n1 and tolerate a:NoSchedule", true },
	{ "anti-affinity to a pod and a request",
	    NODE("n1", "", "", "1") WEB_ON("w", "n1"),
	    POD(CPU("2") "affinity: {podAntiAffinity: "
			 "{requiredDuringSchedulingIgnoredDuringExecution: "
			 "[{topologyKey: host, labelSelector: {matchLabels: "
			 "{app: web}}}]}}"),
	    "move d/w away from n1 and request at most 1 cpu (free on n1)",
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

T_MAIN(T(several_remedies_are_proven_together),
    T(an_abandoned_one_says_nothing))
