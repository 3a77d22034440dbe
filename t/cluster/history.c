/*
 * A decision does not depend on the past: after a random
 * history of objects coming, changing and going, a cluster decides exactly as one
 * built afresh from the objects left; with results kept on the way, too.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/doc.h"
#include "base/err.h"
#include "base/map.h"
#include "base/xmalloc.h"
#include "cluster/cluster.h"
#include "cluster/confines.h"
#include "decide/ecache/ecache.h"
#include "decide/framework/profile.h"
#include "objects/pod.h"
#include "policy/policy.h"
#include "decide/sched/decide.h"
#include "decide/sched/preempt.h"
#include "t/lib/profile.h"
#include "t/lib/t.h"

#define NODES 12
#define PODS 60
#define SERVICES 3
#define BUDGETS 2
#define OTHERS (NODES + PODS + SERVICES + BUDGETS)
#define POLICIES 4
#define NAMESPACES 2
#define STEPS 400
#define BASES 6 /* pods to place, and others that differ from them a little */
#define KIN 6
#define PROBES (BASES + KIN)
#define TURNS 3
#define NOMINATIONS (OTHERS + POLICIES + NAMESPACES) /* of pods to place */
#define OBJECTS (NOMINATIONS + PROBES)

static uint64_t
    state; /* of random numbers; each history begins with its seed */

/* The events of a history, and counts of them. */
struct story {
	/* Pods without nominations and affinity, for which kept results say
	 * everything. */
	bool plain;
	/* All pods are on nodes, and those to place are more important than
	 * many. */
	bool crowded;
	/* Pods have many terms about other pods, and few that are invalid. */
	bool sociable;
	/* Decisions are abandoned at random. */
	bool hurried;
	/* There are leaf nodes and distribution policies, and their rules. */
	bool kosmos;
	/* The cluster is one of 1.36, and pods use fields later than 1.15. */
	bool today;
	/* Their node affinity may name nodes. */
	bool names;
	/* The text is not a policy but the inside of a profile, of this version
	 * of KubeSchedulerConfiguration. */
	const char *version;

	unsigned npreemptions, nabandoned, nconfined;
	unsigned nkept; /* decisions from what was kept */
	/* Decisions from groups of nodes that pods of a class share, and how often a class
	 * got groups of its own, or went back. */
	unsigned nshared, nmoved;
	size_t ncollected; /* symbols */
	struct map own;    /* classes that had groups of their own */
	struct object *probes[PROBES];
};

static unsigned
any(unsigned n)
{
	return t_any(&state, n);
}

static struct object *
decode(const char *text)
{
	struct err err = { "" };
	struct object *object = NULL;
	struct doc *doc =
	    doc_parse("history", text, strlen(text), &doc_limits_people, &err);

	if (doc == NULL ||
	    object_decode(NULL, doc_root(doc), "", &object, NULL, &err) != 1) {
		printf("Bail out! %s in %s\n", err.text, text);
		exit(99);
	}
	doc_free(doc);
	return object;
}

/* The controller that some nodes avoid, and that some pods have. */
#define AVOIDS                                                                 \
	", annotations: {scheduler.alpha.kubernetes.io/preferAvoidPods:"       \
	" '{\"preferAvoidPods\":[{\"podSignature\":{\"podController\":"        \
	"{\"kind\":\"ReplicaSet\",\"uid\":\"r\"}}}]}'}"
#define OWNED                                                                  \
	", ownerReferences: [{kind: ReplicaSet, name: r, uid: r,"              \
	" controller: true}]"

#define JOBS                                                                   \
	", ownerReferences: [{kind: Job, name: j, uid: j, controller: true}]"

static struct object *
random_node(const struct story *story, unsigned i)
{
	static const char *const taints[] = { "", "", "",
		"{key: dedicated, value: x, effect: NoSchedule}",
		"{key: soft, effect: PreferNoSchedule}" };
	char text[1024], zone[64] = "", rack[64] = "", cell[64] = "";
	char later[64] = "";
	bool leaf = story->kosmos && any(2);
	/* it may keep its labels when other things change */
	uint64_t rest = state + any(2);

	state = i + any(2);
	if (any(4) > 0)
		snprintf(zone, sizeof(zone),
		    "failure-domain.beta.kubernetes.io/zone: z%u,", any(3));
	if (any(3) > 0)
		snprintf(rack, sizeof(rack), "rack: r%u,", any(3));
	/* so many that they have few nodes, but more than one (index.h, fine) */
	if (any(10) > 0)
		snprintf(cell, sizeof(cell), "cell: c%u,", i * 3 / 4);
	if (story->today && any(2))
		snprintf(later, sizeof(later),
		    "topology.kubernetes.io/zone: z%u,", any(3));
	state = rest;
	snprintf(text, sizeof(text),
	    "--- {kind: Node, metadata: {name: n%u, labels: {%s %s %s %s %s"
	    " kubernetes.io/hostname: n%u}%s}, spec: {taints: [%s]},"
	    " status: {allocatable: {cpu: %u, memory: 4Gi, pods: %u},"
	    " images: [{names: ['a:v1'], sizeBytes: 500000000}%s]}}",
	    i, zone, later, rack, cell, leaf ? "kosmos.io/node: 'true'," : "",
	    i, i % 4 == 1 && any(4) == 0 ? AVOIDS : "",
	    taints[any(LENGTH(taints))], 1 + any(story->crowded ? 2 : 4),
	    3 + any(8),
	    any(2) ? ", {names: ['b:v1'], sizeBytes: 300000000}" : "");
	return decode(text);
}

static const char *
random_namespace_selector(void)
{
	static const char *const selectors[] = {
		", namespaceSelector: {}",
		", namespaceSelector: {matchLabels: {team: a}}",
		", namespaceSelector: {matchLabels: {team: b}}",
		", namespaceSelector: {matchExpressions: [{key: env,"
		" operator: Exists}]}",
		", namespaceSelector: {matchExpressions: [{key: team,"
		" operator: NotIn, values: [a]}]}",
	};

	return selectors[any(LENGTH(selectors))];
}

/* A term about pods of one app or several, in one domain or other. */
static char *
random_term(bool there, bool today)
{
	static const char *const keys[] = { "rack", "cell", "cell", "cell",
		"none", "failure-domain.beta.kubernetes.io/zone",
		"kubernetes.io/hostname", "kubernetes.io/hostname" };
	static const char *const selectors[] = {
		"{}", "{matchLabels: {app: a}}", "{matchLabels: {app: b}}",
		"{matchLabels: {app: c}}",
		"{matchExpressions: [{key: app, operator: NotIn, values: [a]}]}"
	};
	const char *selector = selectors[any(LENGTH(selectors))];

	/* of those that wait, errors name the nodes, in no order */
	if (there && any(60) == 0)
		selector = "{matchExpressions: [{key: app, operator: Huh}]}";
	return xasprintf("{labelSelector: %s, topologyKey: %s%s%s}", selector,
	    keys[any(LENGTH(keys))],
	    any(6) ? "" : ", namespaces: [default, other]",
	    today && any(2) ? random_namespace_selector() : "");
}

static void
random_terms(FILE *out, const char *name, bool there, bool today)
{
	AUTOFREE char *one = random_term(there, today),
		      *two = random_term(there, today),
		      *three = random_term(there, today);
	bool both = any(3) == 0;

	fprintf(out, "%s: {", name);
	if (any(2))
		fprintf(out,
		    "requiredDuringSchedulingIgnoredDuringExecution:"
		    " [%s%s%s], ",
		    one, both ? ", " : "", both ? two : "");
	if (any(2))
		fprintf(out,
		    "preferredDuringSchedulingIgnoredDuringExecution:"
		    " [{weight: %u, podAffinityTerm: %s}, {weight: 3,"
		    " podAffinityTerm: %s}]",
		    1 + any(9), two, three);
	fprintf(out, "}, ");
}

/* The affinity of a pod, bound or pending; you own it. */
static char *
random_wishes(bool there, bool today, bool names)
{
	static const char *const keys[] = { "rack", "cell",
		"failure-domain.beta.kubernetes.io/zone",
		"kubernetes.io/hostname" };
	static const char *const minimums[] = { "", ", minDomains: 2",
		", minDomains: 4" };
	static const char *const policies[] = { "",
		", nodeAffinityPolicy: Ignore", ", nodeTaintsPolicy: Honor",
		", nodeAffinityPolicy: Ignore, nodeTaintsPolicy: Honor" };
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	fputs("affinity: {", out);
	if (any(4) == 0)
		random_terms(out, "podAffinity", there, today);
	if (any(3) == 0)
		random_terms(out, "podAntiAffinity", there, today);
	if (any(6) == 0)
		fputs("nodeAffinity: {"
		      "requiredDuringSchedulingIgnoredDuringExecution: {"
		      "nodeSelectorTerms: [{matchExpressions: [{key: rack,"
		      " operator: In, values: [r0, r1]}]}]}}",
		    out);
	else if (names && any(2))
		fprintf(out,
		    "nodeAffinity: {"
		    "requiredDuringSchedulingIgnoredDuringExecution: {"
		    "nodeSelectorTerms: [{matchFields: [{key: metadata.name,"
		    " operator: In, values: [n%u]}]}, {matchFields: [{key: "
		    "metadata.name, operator: In, values: [n%u, n%u]}]}]}}",
		    any(NODES), any(NODES), any(NODES));
	fputs("},", out);
	if (any(3) == 0 || (today && any(2))) {
		fputs("topologySpreadConstraints: [", out);
		for (unsigned i = 1 + any(2); i > 0; i--)
			fprintf(out,
			    "{maxSkew: %u, topologyKey: %s,"
			    " whenUnsatisfiable: %s, labelSelector: {"
			    "matchLabels: {app: %c}}%s%s%s},",
			    1 + any(2), keys[any(LENGTH(keys))],
			    any(2) ? "DoNotSchedule" : "ScheduleAnyway",
			    'a' + (int)any(3),
			    today ? minimums[any(LENGTH(minimums))] : "",
			    today ? policies[any(LENGTH(policies))] : "",
			    today && any(3) == 0 ? ", matchLabelKeys: [tier]" :
						   "");
		fputs("],", out);
	}
	if (any(6) == 0)
		fputs("nodeSelector: {rack: r1},", out);
	fclose(out);
	return text;
}

/* How a pod differs from one that is its like to rules about nodes. */
static const struct difference {
	const char *namespace, *app, *labels;
	bool of_a_job;
} like_the_other = { NULL, NULL, "", false },
  differences[] = {
	  { "other", NULL, ", job: j", true },
	  { "default", "d", ", job: k", false },
  };

/* node is "" for a pod that waits; nominated likewise. */
static struct object *
random_pod(const struct story *story, unsigned i, const char *node,
    const char *nominated, const struct difference *difference)
{
	static const char *const specs[] = {
		"",
		"",
		"",
		"affinity: {podAntiAffinity: {"
		"requiredDuringSchedulingIgnoredDuringExecution: [{"
		"labelSelector: {matchLabels: {app: a}}, topologyKey: rack}]}},",
		"affinity: {podAffinity: {"
		"requiredDuringSchedulingIgnoredDuringExecution: [{"
		"labelSelector: {matchLabels: {app: b}},"
		" topologyKey: failure-domain.beta.kubernetes.io/zone}]}},",
		"affinity: {podAffinity: {"
		"preferredDuringSchedulingIgnoredDuringExecution: [{weight: 7,"
		" podAffinityTerm: {labelSelector: {matchExpressions: [{"
		"key: app, operator: In, values: [a, c]}]}, topologyKey: rack}"
		"}]}},",
		"affinity: {podAntiAffinity: {"
		"preferredDuringSchedulingIgnoredDuringExecution: [{weight: 3,"
		" podAffinityTerm: {labelSelector: {}, topologyKey:"
		" kubernetes.io/hostname}}]}},",
		"tolerations: [{operator: Exists}],",
		"nodeSelector: {rack: r1},",
	};
	bool preempts = story->crowded && node[0] == '\0';
	const char *namespace = any(8) ? "default" : "other";
	/* few enough looks that many pods look alike */
	unsigned look = any(3);
	AUTOFREE char *wishes = story->sociable && any(2) ?
	    random_wishes(node[0] != '\0', story->today, story->names) :
	    NULL;
	char text[4096], app[] = { 'a' + (char)look, '\0' };

	snprintf(text, sizeof(text),
	    "--- {kind: Pod, metadata: {namespace: %s, name: p%u, uid: u%u,"
	    " labels: {app: %s, tier: t%u%s}%s%s}, spec: {nodeName: '%s', %s"
	    " priority: %u, containers: [{name: c, image: '%c:v1', ports: [%s],"
	    " resources: {requests: {cpu: %um, memory: %uMi}}}]},"
	    " status: {phase: %s, nominatedNodeName: '%s', startTime:"
	    " '2020-01-01T00:00:%02uZ'}}",
	    difference->namespace != NULL ? difference->namespace : namespace,
	    i, i, difference->app != NULL ? difference->app : app, i % 2,
	    difference->labels,
	    any(9) ? "" : ", deletionTimestamp: '2020-01-01T00:00:00Z'",
	    difference->of_a_job ? JOBS :
		look == 2        ? OWNED :
				   "",
	    node,
	    wishes != NULL ?
		wishes :
		specs[any(story->plain || story->sociable ? 3 : LENGTH(specs))],
	    preempts ? 15 + 10 * any(2) : any(3) * 10, 'a' + (int)look % 2,
	    any(6) ? "" : "{containerPort: 80, hostPort: 80}",
	    300 * look + 900 * preempts, 300 * look + 900 * preempts,
	    any(15) ? "Running" : "Succeeded", nominated,
	    any(story->crowded ? 3 : 60));
	return decode(text);
}

static struct object *
random_service(unsigned i)
{
	static const char *const selectors[] = { "app: a", "app: b", "app: c",
		"tier: t0", "tier: t1" };
	char text[256];

	snprintf(text, sizeof(text),
	    "--- {kind: Service, metadata: {namespace: default, name: s%u},"
	    " spec: {selector: {%s}}}",
	    i, selectors[any(LENGTH(selectors))]);
	return decode(text);
}

static struct object *
random_budget(unsigned i)
{
	char text[256];

	snprintf(text, sizeof(text),
	    "--- {kind: PodDisruptionBudget, metadata: {namespace: default,"
	    " name: b%u}, spec: {selector: {matchLabels: {app: %c}}},"
	    " status: {disruptionsAllowed: %u}}",
	    i, 'a' + (int)any(3), any(2));
	return decode(text);
}

/* One of the cluster, the others of the namespace. */
static struct object *
random_policy(unsigned i)
{
	static const char *const terms[] = { "host", "leaf", "mix", "rack",
		"tolerate", "near", "gone" };
	static const char *const selectors[] = { "name: p1002",
		"namePrefix: p100", "labelSelector: {matchLabels: {app: a}}",
		"labelSelector: {}" };
	char text[2048];

	snprintf(text, sizeof(text),
	    "--- {kind: %sDistributionPolicy, metadata: {name: d%u,"
	    " creationTimestamp: '2020-01-01T00:00:0%uZ'}, spec:"
	    " {resourceSelectors: [{policyName: %s, %s}, {policyName: %s,"
	    " name: p1003}], policyTerms: [{name: host, nodeType: host},"
	    " {name: leaf, nodeType: leaf}, {name: mix}, {name: rack,"
	    " nodeType: adv, advancedTerm: {nodeSelector: {rack: r1}}},"
	    " {name: tolerate, nodeType: adv, advancedTerm: {tolerations:"
	    " [{operator: Exists}]}}, {name: near, nodeType: adv, advancedTerm:"
	    " {affinity: {nodeAffinity: {"
	    "requiredDuringSchedulingIgnoredDuringExecution:"
	    " {nodeSelectorTerms: [{matchExpressions: [{key: rack, operator:"
	    " In, values: [r0, r1]}]}]},"
	    " preferredDuringSchedulingIgnoredDuringExecution: [{weight: 3,"
	    " preference: {matchExpressions: [{key: rack, operator: In,"
	    " values: [r1]}]}}]}}}}]}}",
	    i == OTHERS ? "Cluster" : "", i, any(3), terms[any(LENGTH(terms))],
	    selectors[any(LENGTH(selectors))], terms[any(LENGTH(terms))]);
	return decode(text);
}

static struct object *
random_namespace(unsigned i)
{
	static const char *const labels[] = { "", "team: a", "team: b",
		"team: a, env: x" };
	char text[256];

	snprintf(text, sizeof(text),
	    "--- {kind: Namespace, metadata: {name: %s, labels: {%s}}}",
	    i % 2 == 0 ? "default" : "other", labels[any(LENGTH(labels))]);
	return decode(text);
}

static struct object *
random_object(const struct story *story, unsigned i)
{
	char node[16] = "", nominated[16] = "";

	if (i < NODES)
		return random_node(story, i);
	if (i >= NOMINATIONS) {
		snprintf(nominated, sizeof(nominated), "n%u", any(NODES));
		return &pod_nominated_to((struct pod *)
					     story->probes[i - NOMINATIONS],
		    sym_intern(nominated))
			    ->object;
	}
	if (i >= OTHERS + POLICIES)
		return random_namespace(i);
	if (i >= OTHERS)
		return random_policy(i);
	if (i >= NODES + PODS + SERVICES)
		return random_budget(i);
	if (i >= NODES + PODS)
		return random_service(i);
	/* one node more than there are: some pods are on unknown ones */
	if ((story->plain && !story->crowded) ||
	    any(story->crowded ? 30 : 10) > 0)
		snprintf(node, sizeof(node), "n%u", any(NODES + 1));
	else
		snprintf(nominated, sizeof(nominated), "n%u", any(NODES + 1));
	return random_pod(story, i, node, nominated, &like_the_other);
}

static void
step(const struct story *story, struct cluster *cluster,
    struct object **objects)
{
	/* results are kept for longer when nodes and services stay the same */
	unsigned i = story->sociable && any(12) > 0 ?
	    NODES + any(PODS) :
	    any(story->kosmos ? OTHERS + POLICIES : OTHERS);
	struct object *object;

	if (story->today && any(12) == 0)
		i = OTHERS + POLICIES + any(NAMESPACES);
	if (story->crowded && any(6) == 0)
		i = NOMINATIONS + any(PROBES);

	if (objects[i] != NULL && any(3) == 0) {
		cluster_remove(cluster, objects[i]);
		object_unref(objects[i]);
		objects[i] = NULL;
		return;
	}
	object = random_object(story, i);
	if (objects[i] == NULL && object->kind == OBJECT_POD && any(3) == 0) {
		/* assumed first; then the API agrees, or not */
		struct pod *pod = (struct pod *)object;

		if (pod->phase == POD_RUNNING)
			cluster_assume(cluster, pod, sym_intern("n3"), NULL);
		if (any(2))
			cluster_forget(cluster, pod);
	}
	if (object->kind == OBJECT_POD &&
	    ((struct pod *)object)->node == SYM_EMPTY)
		cluster_remove(cluster, object); /* it may be assumed */
	cluster_put(cluster, object);
	object_unref(objects[i]);
	objects[i] = object;
}

static void
make_probes(struct story *story)
{
	struct object **probes = story->probes;

	for (unsigned i = 0; i < BASES; i++) {
		uint64_t before = state, after;

		probes[i] = random_pod(story, 1000 + i, "",
		    story->crowded && i == 0 ? "n1" : "", &like_the_other);
		after = state;
		for (unsigned j = 0; j < 2 && i < KIN / 2; j++) {
			state = before;
			probes[BASES + 2 * i + j] = random_pod(story,
			    2000 + 2 * i + j, "", "", &differences[j]);
		}
		state = after;
	}
}

static struct cluster *
afresh(struct object **objects, int kubernetes_minor)
{
	struct cluster *cluster = cluster_new();
	unsigned order[OBJECTS];

	cluster->kubernetes_minor = kubernetes_minor;

	for (unsigned i = 0; i < OBJECTS; i++) {
		unsigned j = any(i + 1);

		order[i] = order[j];
		order[j] = i;
	}
	for (unsigned i = 0; i < OBJECTS; i++)
		if (objects[order[i]] != NULL)
			cluster_put(cluster, objects[order[i]]);
	return cluster;
}

static int
by_strcmp(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static int
by_name(const void *a, const void *b)
{
	const struct pod *const *x = a, *const *y = b;

	return strcmp((*x)->object.name, (*y)->object.name);
}

static void
count_shared(struct story *story, const struct ecache_class *kept, bool grouped)
{
	uintptr_t class;
	bool shares;

	if (kept == NULL)
		return;
	class = (uintptr_t)kept->class;
	/* else nodes are its own, or looked at one by one */
	shares = grouped && kept->sorted != &kept->own;
	story->nshared += shares && kept->results->refs > 1;
	if (shares != (map_get(&story->own, class) == NULL))
		story->nmoved++;
	if (shares)
		map_del(&story->own, class);
	else
		map_put(&story->own, class, (void *)kept);
}

/* All that a decision says, nodes in order of name; you own it. */
static char *
told(struct story *story, struct cycle *cycle)
{
	struct decision *d = decide(cycle);
	bool grouped = !d->each_node && d->error == NULL;
	bool kept = d->kept != NULL && d->error == NULL;
	const char *message =
	    d->chosen == NULL ? decision_message(cycle, d) : "";
	const struct node_info *chosen = d->chosen;
	const struct preemption *p = preempt(cycle, d);
	char **lines =
	    arena_alloc(cycle->arena, (d->nnodes + 1) * sizeof(*lines));
	char *text = NULL;
	size_t size;
	FILE *out;

	decision_spell_out(cycle, d);
	for (uint32_t i = 0; i < d->nnodes; i++) {
		const struct node_verdict *v = &d->verdicts[i];
		const char **why =
		    v->nreasons > 0 ? d->why.reasons + v->first_reason : NULL;
		char *line = arena_printf(cycle->arena, "%s=%d by %u",
		    sym_text(cycle->cluster->nodes[i]->name), v->verdict,
		    (unsigned)v->step);

		for (uint32_t j = 0; j < v->nreasons; j++)
			line =
			    arena_printf(cycle->arena, "%s,%s", line, why[j]);
		for (uint32_t j = 0; j < d->nfeasible; j++)
			if (d->feasible[j] == i)
				line = arena_printf(cycle->arena, "%s %lld",
				    line, (long long)d->totals[j]);
		lines[i] = line;
	}
	if (d->nnodes > 0)
		qsort(lines, d->nnodes, sizeof(*lines), by_strcmp);
	out = open_memstream(&text, &size);
	for (uint32_t i = 0; i < d->nnodes; i++)
		fprintf(out, "%s; ", lines[i]);
	fprintf(out, "%u fit, chosen %s of %u with %lld", d->nfeasible,
	    chosen != NULL ? sym_text(chosen->name) : "-", d->nbest,
	    (long long)d->best_total);
	fprintf(out, " %s", message);
	story->nkept += kept;
	count_shared(story, d->kept, grouped);
	if (d->chosen == NULL)
		fprintf(out, " %s", decision_message(cycle, d));
	if (p != NULL && p->nclears > 1)
		qsort(p->clears, p->nclears, sizeof(*p->clears), by_name);
	for (size_t i = 0; p != NULL && i < p->nclears; i++)
		fprintf(out, " clears %s", p->clears[i]->object.name);
	if (p != NULL && p->node != NULL) {
		story->npreemptions++;
		fprintf(out, " preempts on %s:", sym_text(p->node->name));
		for (size_t i = 0; i < p->nvictims; i++)
			fprintf(out, " %s", p->victims[i]->object.name);
	}
	fclose(out);
	return text;
}

/* An attempt to place one pod, under the policies of the cluster. */
struct attempt {
	struct arena arena;
	struct pod *pod;
	struct cycle cycle;
};

static struct cycle *
attempt_init(struct attempt *attempt, struct cluster *cluster,
    const struct profile *profile, struct ecache *ecache, const struct pod *pod,
    uint64_t seed)
{
	attempt->arena = (struct arena)ARENA_INIT;
	attempt->pod = cluster_confined(cluster, pod_ref(pod));
	attempt->cycle = (struct cycle){ .cluster = cluster,
		.profile = profile,
		.pod = attempt->pod,
		.class = attempt->pod->class,
		.arena = &attempt->arena,
		.ecache = ecache,
		.seed = seed };
	return &attempt->cycle;
}

static void
attempt_fini(struct attempt *attempt)
{
	arena_fini(&attempt->arena);
	pod_unref(attempt->pod);
}

static char *
decided(struct story *story, struct cluster *cluster,
    const struct profile *profile, struct ecache *ecache, const struct pod *pod,
    uint64_t seed)
{
	struct attempt attempt;
	char *text = told(story,
	    attempt_init(&attempt, cluster, profile, ecache, pod, seed));

	story->nconfined += attempt.pod->class->confines != NULL;
	attempt_fini(&attempt);
	return text;
}

/* A decision that is abandoned after some looks, unless it is over before. */
static void
hurry(struct story *story, struct cluster *cluster,
    const struct profile *profile, struct ecache *ecache, const struct pod *pod,
    uint64_t seed)
{
	struct cancellation cancellation = { .at_look = 1 + any(1 + any(400)) };
	struct attempt attempt;
	struct cycle *cycle =
	    attempt_init(&attempt, cluster, profile, ecache, pod, seed);
	struct decision *d;

	cycle->cancellation = &cancellation;
	d = decide(cycle);
	if (d->chosen == NULL)
		decision_message(cycle, d);
	if (d->error == NULL)
		preempt(cycle, d);
	decision_spell_out(cycle, d);
	if (d->abandoned) {
		story->nabandoned++;
		t_true("it was asked for", cancellation.requested != 0);
		t_true("nothing is kept", d->kept == NULL);
	}
	attempt_fini(&attempt);
}

/* Each turn has a part of the probes, pods of a class side by side. */
static bool
has_turn(unsigned probe, unsigned turn)
{
	return turn % TURNS ==
	    (probe < BASES ? probe % TURNS : (probe - BASES) / 2);
}

static void
compare(struct story *story, struct cluster *cluster, struct object **objects,
    const struct profile *profile, struct ecache *ecache, unsigned turn)
{
	struct cluster *fresh = afresh(objects, cluster->kubernetes_minor);

	t_int("nodes", cluster->nnodes, fresh->nnodes);
	t_int("nominated", cluster->nnominated, fresh->nnominated);
	t_int("avoiding", cluster->navoiding, fresh->navoiding);
	t_int("classes", cluster->nclasses, fresh->nclasses);
	t_int("terms", cluster->nterms, fresh->nterms);
	for (unsigned i = 0; i < PROBES; i++) {
		if (!has_turn(i, turn))
			continue;
		const struct object *nominated = objects[NOMINATIONS + i];
		const struct pod *pod =
		    (struct pod *)(nominated != NULL ? nominated :
						       story->probes[i]);
		AUTOFREE char *lived =
		    decided(story, cluster, profile, NULL, pod, i);
		AUTOFREE char *kept = NULL;
		AUTOFREE char *built =
		    decided(story, fresh, profile, NULL, pod, i);

		if (story->hurried && any(2))
			hurry(story, cluster, profile, ecache,
			    (struct pod *)story->probes[any(PROBES)], i);
		kept = decided(story, cluster, profile, ecache, pod, i);
		t_str("decision", lived, built);
		t_str("decision with what was kept", kept, lived);
	}
	cluster_free(fresh);
}

/* Symbols without references are freed, and their numbers then mean other texts:
 * a stale one that is still used would change decisions. */
static struct ecache *
collect_symbols(struct story *story, struct cluster *cluster,
    const struct profile *profile, struct ecache *ecache, unsigned step)
{
	char text[32];
	size_t n;

	ecache_free(ecache);
	cluster_forget_caches(cluster);
	n = sym_collect();
	story->ncollected += n;
	for (unsigned i = 0; i < n; i++) {
		snprintf(text, sizeof(text), "other-%u-%u", step, i);
		sym_unref(sym_take(text));
	}
	return ecache_new(cluster, profile, 1 << 20);
}

static void
live(struct story *story, const char *policy, uint64_t seed)
{
	struct policy_options options = { .gates = gates_default,
		.kosmos = story->kosmos };
	struct profile *profile;
	struct object *objects[OBJECTS] = { NULL };
	struct cluster *cluster = cluster_new();
	struct ecache *ecache;

	if (story->today)
		cluster->kubernetes_minor = 36;
	/* for policies that name its priority */
	options.gates.even_pods_spread = !story->today || seed % 8 >= 4;
	profile = story->version != NULL ?
	    t_configured_profile(story->version, policy) :
	    t_profile(policy, &options);
	/* and for a third so little is remembered that it is not enough */
	if (seed % 3 == 0)
		cluster->journal.cap = 4;
	/* for some of the seeds so small that classes are dropped all along */
	ecache =
	    ecache_new(cluster, profile, seed % 4 == 1 ? 2 << 10 : 1 << 20);
	state = seed;
	make_probes(story);
	for (unsigned i = 0; story->sociable && i < NODES; i++) {
		objects[i] = random_node(story, i);
		cluster_put(cluster, objects[i]);
	}
	for (unsigned i = 0; i < STEPS; i++) {
		if (seed % 2 == 1 && i % 64 == 63)
			ecache =
			    collect_symbols(story, cluster, profile, ecache, i);
		step(story, cluster, objects);
		if (i % 8 == 0)
			compare(story, cluster, objects, profile, ecache,
			    i / 8);
	}
	for (unsigned i = 0; i < PROBES; i++)
		object_unref(story->probes[i]);
	ecache_free(ecache);
	for (unsigned i = 0; i < OBJECTS; i++) {
		if (objects[i] != NULL)
			cluster_remove(cluster, objects[i]);
		object_unref(objects[i]);
	}
	t_int("nothing is left of nodes", cluster->node_infos.n, 0);
	t_int("nothing is left of pods", cluster->pods.n, 0);
	t_int("nothing is left of classes", cluster->nclasses, 0);
	t_int("nothing is left of images", cluster->images.n, 0);
	cluster_free(cluster);
	profile_free(profile);
	map_fini(&story->own);
}

#define DEFAULTS T_POLICY("")
#define ALL_PRIORITIES                                                         \
	"\"priorities\":[{\"name\":\"Racks\",\"weight\":2,"                    \
	"\"argument\":{\"serviceAntiAffinity\":{\"label\":\"rack\"}}},"        \
	"{\"name\":\"SelectorSpreadPriority\",\"weight\":1},"                  \
	"{\"name\":\"ServiceSpreadingPriority\",\"weight\":3},"                \
	"{\"name\":\"InterPodAffinityPriority\",\"weight\":2},"                \
	"{\"name\":\"EvenPodsSpreadPriority\",\"weight\":2},"                  \
	"{\"name\":\"TaintTolerationPriority\",\"weight\":1},"                 \
	"{\"name\":\"MostRequestedPriority\",\"weight\":1},"                   \
	"{\"name\":\"NodeAffinityPriority\",\"weight\":1},"                    \
	"{\"name\":\"ImageLocalityPriority\",\"weight\":1}]"

/* The policies take turns. */
static const char *
policy_of(uint64_t seed)
{
	return seed % 8 < 4 ? DEFAULTS : T_POLICY("," ALL_PRIORITIES);
}

static void
the_default_policy_forgets_history(void)
{
	for (uint64_t seed = 1; seed <= 4; seed++)
		live(&(struct story){ 0 }, DEFAULTS, seed);
}

static void
service_rules_forget_history(void)
{
	for (uint64_t seed = 1; seed <= 4; seed++)
		live(&(struct story){ 0 },
		    T_POLICY(
			",\"predicates\":[{\"name\":\"GeneralPredicates\"},"
			"{\"name\":\"Near\",\"argument\":{\"serviceAffinity\":"
			"{\"labels\":[\"rack\"]}}}],\"priorities\":["
			"{\"name\":\"Racks\",\"weight\":2,\"argument\":"
			"{\"serviceAntiAffinity\":{\"label\":\"rack\"}}},"
			"{\"name\":\"ServiceSpreadingPriority\",\"weight\":1},"
			"{\"name\":\"ImageLocalityPriority\",\"weight\":1}]"),
		    seed);
}

static void
plain_pods_are_decided_from_what_was_kept(void)
{
	struct story story = { .plain = true };

	for (uint64_t seed = 11; seed <= 16; seed++)
		live(&story, DEFAULTS, seed);
	for (uint64_t seed = 21; seed <= 24; seed++)
		live(&story,
		    T_POLICY(
			",\"priorities\":[{\"name\":\"Racks\",\"weight\":2,"
			"\"argument\":{\"serviceAntiAffinity\":{\"label\":"
			"\"rack\"}}},{\"name\":\"SelectorSpreadPriority\","
			"\"weight\":1},{\"name\":\"ServiceSpreadingPriority\","
			"\"weight\":3},{\"name\":\"TaintTolerationPriority\","
			"\"weight\":1},{\"name\":\"MostRequestedPriority\","
			"\"weight\":1},{\"name\":\"ImageLocalityPriority\","
			"\"weight\":1}]"),
		    seed);
}

static void
distribution_policies_forget_history(void)
{
	struct story story = { .kosmos = true };

	for (uint64_t seed = 51; seed <= 58; seed++) {
		story.plain = seed % 2;
		story.crowded = seed % 4 == 1;
		live(&story, DEFAULTS, seed);
	}
	t_true("many pods go by one", story.nconfined > 1500);
}

static void
preemption_finds_the_same_from_what_was_kept(void)
{
	struct story story = { .crowded = true };

	for (uint64_t seed = 31; seed <= 42; seed++) {
		story.plain = seed % 3 > 0;
		live(&story, DEFAULTS, seed);
	}
	t_true("often", story.npreemptions > 1000);
}

static void
rules_about_other_pods_are_decided_from_what_was_kept(void)
{
	struct story story = { .sociable = true };

	for (uint64_t seed = 51; seed <= 74; seed++) {
		story.crowded = seed % 5 == 0;
		live(&story, policy_of(seed), seed);
	}
	t_true("often", story.nkept > 3000);
}

static void
rules_of_today_forget_history(void)
{
	struct story story = { .sociable = true, .today = true };

	for (uint64_t seed = 131; seed <= 154; seed++) {
		story.crowded = seed % 4 == 0;
		story.hurried = seed % 6 == 0;
		live(&story, policy_of(seed), seed);
	}
	t_true("often", story.nkept > 3000);
}

#define SPREAD_BY_DEFAULT                                                      \
	"\"pluginConfig\":[{\"name\":\"PodTopologySpread\",\"args\":{"         \
	"\"defaultingType\":\"List\",\"defaultConstraints\":["                 \
	"{\"maxSkew\":1,\"topologyKey\":\"rack\","                             \
	"\"whenUnsatisfiable\":\"DoNotSchedule\"},"                            \
	"{\"maxSkew\":2,\"topologyKey\":\"cell\","                             \
	"\"whenUnsatisfiable\":\"ScheduleAnyway\"}]}}]"

static void
profiles_of_plugins_forget_history(void)
{
	static const char *const configurations[] = {
		T_CONFIGURATION("v1", ""),
		T_CONFIGURATION("v1", SPREAD_BY_DEFAULT),
		T_CONFIGURATION("v1beta1", ""),
		T_CONFIGURATION("v1beta1", SPREAD_BY_DEFAULT),
	};
	struct story story = { .today = true, .names = true };

	for (uint64_t seed = 161; seed <= 184; seed++) {
		story.plain = seed % 3 == 0;
		story.sociable = !story.plain;
		story.crowded = seed % 5 == 0;
		story.hurried = seed % 7 == 0;
		live(&story, configurations[seed % LENGTH(configurations)],
		    seed);
	}
	t_true("often", story.nkept > 3000);
	t_true("also with preemption", story.npreemptions > 300);
}

/* Scores of 1.20 that are not there by default, and the resources of a node in
 * other ways. */
#define SCORES_OF_20                                                           \
	"plugins: {score: {enabled: [{name: SelectorSpread, weight: 3},"       \
	" {name: ServiceAffinity}, {name: NodeLabel, weight: 2},"              \
	" {name: NodeResourcesMostAllocated}, {name:"                          \
	" RequestedToCapacityRatio}]}, preScore: {enabled: [{name:"            \
	" SelectorSpread}]}, filter: {disabled: [{name: VolumeBinding}]}},"    \
	" pluginConfig: [{name: ServiceAffinity, args:"                        \
	" {antiAffinityLabelsPreference: [rack]}}, {name: NodeLabel, args:"    \
	" {presentLabelsPreference: [rack, cell],"                             \
	" absentLabelsPreference: [other]}}, {name: RequestedToCapacityRatio," \
	" args: {shape: [{utilization: 0, score: 0}, {utilization: 60,"        \
	" score: 10}, {utilization: 100, score: 3}]}}, {name:"                 \
	" NodeResourcesMostAllocated, args: {resources: [{name: cpu,"          \
	" weight: 3}, {name: memory, weight: 2}]}}]"
#define SCORES_OF_36                                                            \
	"pluginConfig: [{name: NodeResourcesFit, args: {scoringStrategy:"       \
	" {type: MostAllocated, resources: [{name: memory, weight: 5},"         \
	" {name: nvidia.com/gpu, weight: 9}]}}}, {name: InterPodAffinity,"      \
	" args: {hardPodAffinityWeight: 10,"                                    \
	" ignorePreferredTermsOfExistingPods: true}}, {name: NodeAffinity,"     \
	" args: {addedAffinity:"                                                \
	" {preferredDuringSchedulingIgnoredDuringExecution: [{weight: 3,"       \
	" preference: {matchExpressions: [{key: rack, operator: In, values:"    \
	" [r0]}]}}]}}}, {name: PodTopologySpread, args: {defaultingType: List," \
	" defaultConstraints: [{maxSkew: 1, topologyKey: cell,"                 \
	" whenUnsatisfiable: ScheduleAnyway}, {maxSkew: 2, topologyKey: rack,"  \
	" whenUnsatisfiable: ScheduleAnyway}]}}]"

static void
profiles_of_1_20_forget_history(void)
{
	struct story story = { .sociable = true, .version = "v1beta1" };

	for (uint64_t seed = 161; seed <= 172; seed++) {
		story.plain = seed % 3 == 0;
		story.sociable = !story.plain;
		live(&story, seed % 4 == 0 ? SCORES_OF_20 : "", seed);
	}
	t_true("often", story.nkept > 1500);
}

static void
profiles_of_1_36_forget_history(void)
{
	struct story story = { .today = true, .version = "v1" };

	for (uint64_t seed = 181; seed <= 200; seed++) {
		story.plain = seed % 3 == 0;
		story.sociable = !story.plain;
		story.hurried = seed % 6 == 0;
		live(&story, seed % 4 == 0 ? SCORES_OF_36 : "", seed);
	}
	t_true("often", story.nkept > 1500);
}

static void
kin_share_until_other_pods_make_a_difference(void)
{
	struct story story = { 0 };

	for (uint64_t seed = 81; seed <= 92; seed++) {
		story.plain = seed % 2;
		story.sociable = !story.plain;
		live(&story, DEFAULTS, seed);
	}
	t_true("symbols came and went", story.ncollected > 1000);
	t_true("often", story.nshared > 300);
	t_true("and then do not", story.nmoved > 150);
}

static void
abandoned_decisions_leave_nothing_wrong_behind(void)
{
	struct story story = { .hurried = true };

	for (uint64_t seed = 101; seed <= 136; seed++) {
		story.plain = seed % 3 == 0;
		story.crowded = seed % 4 < 2;
		story.sociable = !story.plain;
		live(&story, policy_of(seed), seed);
	}
	t_true("often", story.nabandoned > 800);
}

T_MAIN(T(the_default_policy_forgets_history), T(service_rules_forget_history),
    T(plain_pods_are_decided_from_what_was_kept),
    T(distribution_policies_forget_history),
    T(preemption_finds_the_same_from_what_was_kept),
    T(rules_about_other_pods_are_decided_from_what_was_kept),
    T(profiles_of_plugins_forget_history), T(rules_of_today_forget_history),
    T(profiles_of_1_20_forget_history), T(profiles_of_1_36_forget_history),
    T(kin_share_until_other_pods_make_a_difference),
    T(abandoned_decisions_leave_nothing_wrong_behind))
