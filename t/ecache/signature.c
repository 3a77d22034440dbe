/*
 * Rules read the aspects that they declare: pods that differ in other aspects
 * alone get the same from them, on whatever nodes and from each other's preps.
 * Results kept for one class are right for all classes of its signature because of
 * that.  Each rule decides alike with kept results and without, about pods of a class
 * that it has decided about before, too, and its simulated updates undo each other.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xmalloc.h"
#include "decide/ecache/ecache.h"
#include "decide/framework/args.h"
#include "objects/confines.h"
#include "policy/policy.h"
#include "predicates/registry.h"
#include "priorities/registry.h"
#include "decide/sched/decide.h"
#include "policy/policy_internal.h"
#include "t/lib/profile.h"
#include "t/lib/t.h"
#include "t/lib/world.h"

#define NODES 10
#define TRIALS 3000

static uint64_t state = 1;

static unsigned
any(unsigned n)
{
	return t_any(&state, n);
}

/* Parts of a pod, each with its possible values; "" is one of them. */
enum {
	NAMESPACE,
	LABELS,
	OWNER,
	REQUESTS,
	LIMITS,
	IMAGE,
	PORTS,
	OVERHEAD,
	TOLERATIONS,
	SELECTOR,
	AFFINITY,
	VOLUMES,
	SPREAD,
	CONFINES,
	NPARTS
};

#define TERM "labelSelector: {matchLabels: {app: a}}, topologyKey: zone"
#define DURING "DuringSchedulingIgnoredDuringExecution"

static const char *const parts[NPARTS][8] = {
	[NAMESPACE] = { "default", "other" },
	[LABELS] = { "app: a", "app: b", "job: x" },
	[OWNER] = { "", "kind: ReplicaSet, uid: r, name: r, controller: true",
	    "kind: Job, uid: j, name: j, controller: true",
	    "kind: DaemonSet, uid: d, name: d" },
	[REQUESTS] = { "", "cpu: 1", "memory: 3Gi", "cpu: 2, x.com/gpu: 1" },
	[LIMITS] = { "", "cpu: 3", "memory: 9Gi" },
	[IMAGE] = { "a", "b", "c" },
	[PORTS] = { "", "{hostPort: 80}", "{hostPort: 81}",
	    "{hostPort: 80, hostIP: 10.0.0.1}" },
	[OVERHEAD] = { "", "overhead: {cpu: 2}," },
	[TOLERATIONS] = { "", "{operator: Exists}",
	    "{key: hard, operator: Exists}",
	    "{key: soft, effect: PreferNoSchedule, operator: Exists}" },
	[SELECTOR] = { "", "zone: a", "disk: ssd" },
	[AFFINITY] = { "",
	    "nodeAffinity: {required" DURING ": {nodeSelectorTerms: ["
	    "{matchExpressions: [{key: zone, operator: NotIn,"
	    " values: [b]}]}]}}",
	    "nodeAffinity: {preferred" DURING ": [{weight: 3, preference:"
	    " {matchExpressions: [{key: disk, operator: Exists}]}}]}",
	    "podAffinity: {preferred" DURING ": [{weight: 3,"
	    " podAffinityTerm: {" TERM "}}]}",
	    "podAntiAffinity: {required" DURING ": [{" TERM "}]}",
	    "nodeAffinity: {required" DURING ": {nodeSelectorTerms: ["
	    "{matchFields: [{key: metadata.name, operator: In,"
	    " values: [n1]}]}]}}" },
	[VOLUMES] = { "", "{name: v, gcePersistentDisk: {pdName: d}}",
	    "{name: v, awsElasticBlockStore: {volumeID: e}}",
	    "{name: v, azureDisk: {diskName: a, diskURI: u}}",
	    "{name: v, cinder: {volumeID: o}}",
	    "{name: v, persistentVolumeClaim: {claimName: c0}}",
	    "{name: v, persistentVolumeClaim: {claimName: c1}}",
	    "{name: v, persistentVolumeClaim: {claimName: c2}}" },
	[SPREAD] = { "",
	    "topologySpreadConstraints: [{maxSkew: 1,"
	    " whenUnsatisfiable: DoNotSchedule, " TERM "}],",
	    "topologySpreadConstraints: [{maxSkew: 1,"
	    " whenUnsatisfiable: ScheduleAnyway, " TERM "}],",
	    "hostNetwork: true, hostUsers: false,", "workloadRef: {name: w}," },
	[CONFINES] = { "", "selector", "host", "leaf", "advanced",
	    "preferred" },
};

static const char *
random_part(unsigned i)
{
	unsigned n = 0;

	while (n < LENGTH(parts[i]) && parts[i][n] != NULL)
		n++;
	return parts[i][any(n)];
}

static struct pod *
confined(struct pod *pod, const char *how)
{
	const struct label zone = { sym_intern("zone"), sym_intern("a") };
	const struct toleration hard = { .key = sym_intern("hard"),
		.op = TOLERATION_EXISTS };
	const struct requirement disk = { .key = sym_intern("disk"),
		.op = SELECTOR_EXISTS };
	const struct selector exists = { .n = 1, .at = &disk };
	const struct preferred_node_term near_disk = { .weight = 2,
		.expressions = exists,
		.term = { .has_labels = true, .labels = exists } };
	struct confines confines = { .node_selector = { 0, NULL } };
	struct distribution *d = &confines.distribution;
	struct pod *now;

	if (strcmp(how, "selector") == 0) {
		confines.node_selector = (struct labels){ 1, &zone };
	} else {
		d->policy = sym_intern("DistributionPolicy ns/p");
		d->term = sym_intern(how);
		d->type = strcmp(how, "host") == 0 ? DISTRIBUTION_HOST :
		    strcmp(how, "leaf") == 0       ? DISTRIBUTION_LEAF :
						     DISTRIBUTION_ADVANCED;
		d->ntolerations = 1;
		d->tolerations = &hard;
		if (strcmp(how, "preferred") == 0)
			d->affinity = (struct node_affinity){ .npreferred = 1,
				.preferred = &near_disk };
	}
	now = pod_confined(pod, how[0] != '\0' ? &confines : NULL);
	pod_unref(pod);
	return now;
}

static struct pod *
pod_of(const char **p, const char *name, const char *node)
{
	AUTOFREE char *yaml = xasprintf(
	    "--- {kind: Pod, metadata: {namespace: %s, name: %s, labels: {%s},"
	    " ownerReferences: [%s%s%s]}, spec: {nodeName: '%s', %s %s"
	    " tolerations: [%s], nodeSelector: {%s}, affinity: {%s},"
	    " volumes: [%s], containers: [{name: c, image: %s, ports: [%s],"
	    " resources: {requests: {%s}, limits: {%s}}}]}}\n",
	    p[NAMESPACE], name, p[LABELS], p[OWNER][0] != '\0' ? "{" : "",
	    p[OWNER], p[OWNER][0] != '\0' ? "}" : "", node, p[OVERHEAD],
	    p[SPREAD], p[TOLERATIONS], p[SELECTOR], p[AFFINITY], p[VOLUMES],
	    p[IMAGE], p[PORTS], p[REQUESTS], p[LIMITS]);

	return confined(world_decode_pod(yaml), p[CONFINES]);
}

static struct pod *
random_pod_on(const char *name, const char *node)
{
	const char *p[NPARTS];

	for (unsigned i = 0; i < NPARTS; i++)
		p[i] = random_part(i);
	p[CONFINES] = "";
	return pod_of(p, name, node);
}

static struct pod *
random_pod_that_waits(void)
{
	const char *p[NPARTS];

	for (unsigned i = 0; i < NPARTS; i++)
		p[i] = random_part(i);
	return pod_of(p, "q", "");
}

static void
put_random_node(FILE *out, unsigned i)
{
	static const char *const taints[] = { "", "",
		"{key: hard, effect: NoSchedule}",
		"{key: soft, effect: PreferNoSchedule}",
		"{key: soft, effect: NoExecute}" };
	static const char *const conditions[] = { "", "Ready", "MemoryPressure",
		"PIDPressure", "DiskPressure" };
	const char *condition = conditions[any(LENGTH(conditions))];

	char zone = (char)('a' + any(3));

	fprintf(out,
	    "--- {kind: Node, metadata: {name: n%u, labels: {zone: %c,"
	    " topology.kubernetes.io/zone: %c,"
	    " failure-domain.beta.kubernetes.io/zone: %c,"
	    " %s %s}%s}, spec: {unschedulable: %s, taints: [%s]}, status: {"
	    "allocatable: {pods: 5, cpu: %u, memory: 8Gi, x.com/gpu: %u},"
	    " conditions: [%s%s%s], images: [{names: ['%c:latest'],"
	    " sizeBytes: 900000000}]}}\n",
	    i, zone, zone, zone, any(2) ? "disk: ssd," : "",
	    any(3) ? "" : "kosmos.io/node: 'true',",
	    any(2) ? "" :
		     ", annotations: {scheduler.alpha.kubernetes.io/"
		     "preferAvoidPods: '{\"preferAvoidPods\":["
		     "{\"podSignature\":{\"podController\":{\"kind\":"
		     "\"ReplicaSet\",\"uid\":\"r\"}}}]}'}",
	    any(4) ? "false" : "true", taints[any(LENGTH(taints))], 1 + any(4),
	    any(2), condition[0] != '\0' ? "{status: 'True', type: " : "",
	    condition, condition[0] != '\0' ? "}" : "", 'a' + (int)any(2));
}

static struct world *
random_world(void)
{
	static struct profile_predicate leaf_nodes = {
		.unit = &predicate_leaf_node_distribution,
		.name = "LeafNodeDistribution",
	};
	char *yaml, name[16], node[16];
	size_t size;
	FILE *out = open_memstream(&yaml, &size);
	struct world *w;

	for (unsigned i = 0; i < NODES; i++)
		put_random_node(out, i);
	fclose(out);
	w = world_new(yaml);
	free(yaml);
	w->cluster->kubernetes_minor = 36;
	/* other rules look whether it applies */
	w->profile->npredicates = 1;
	w->profile->predicates = &leaf_nodes;
	world_pod(w, W_POD("p", "", "", "")); /* makes a cycle */
	for (unsigned i = 0; i < 2 * NODES; i++) {
		struct pod *pod;

		snprintf(name, sizeof(name), "p%u", i);
		snprintf(node, sizeof(node), "n%u", any(NODES));
		pod = random_pod_on(name, node);
		cluster_put(w->cluster, &pod->object);
		pod_unref(pod);
	}
	return w;
}

static void
become(struct world *w, const struct pod *pod)
{
	w->cycle.errors = NULL;
	w->cycle.nerrors = w->cycle.errors_cap = 0;
	w->cycle.pod = pod;
	w->cycle.class = pod->class;
}

/* Arguments that a policy, or the plugin's configuration, might have. */
static const void *
args_of(const struct world *w, const void *unit)
{
	static const struct missing_state_args missing = { "not found", true };
	static const struct shape_point shape[] = { { 0, 2 }, { 70, 9 } };
	static const struct requested_to_capacity_ratio_args ratio = { 2,
		shape };
	static struct labels_presence_args presence = { 1, NULL, true };
	static struct label_preference_args preference = { .presence = true };
	static sym label;

	label = preference.label = sym_intern("disk");
	presence.labels = &label;
	if (unit == &predicate_check_node_label_presence)
		return &presence;
	if (unit == &priority_missing_state || unit == &predicate_missing_state)
		return &missing;
	if (w->profile->release >= 20)
		return NULL;
	if (unit == &priority_node_label)
		return &preference;
	if (unit == &priority_requested_to_capacity_ratio_priority)
		return &ratio;
	return NULL;
}

static bool
same_aspects(const struct pod *a, const struct pod *b, unsigned aspects)
{
	unsigned all = aspects != 0 ? aspects : ASPECT_ALL;
	size_t n, len;
	const void *bytes = pod_class_aspects(a->class, all, &n);
	AUTOFREE char *copy = xcalloc(n + 1, 1);

	if (n > 0)
		memcpy(copy, bytes, n);
	bytes = pod_class_aspects(b->class, all, &len);
	return n == len && memcmp(copy, bytes, n) == 0;
}

/* The results of the predicate for all nodes; you own it. */
static char *
verdicts(struct world *w, const struct pod *pod, const struct predicate *unit,
    const void *prep)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	become(w, pod);
	for (uint32_t i = 0; i < w->cluster->nnodes; i++) {
		struct outcome o =
		    world_check_prepared(w, unit, prep, w->cluster->nodes[i]);

		fprintf(out, "%d %s %s %s; ", o.verdict, o.why, o.error,
		    o.miss != NULL ? o.miss : "");
	}
	fclose(out);
	return text;
}

static void
compare_verdicts(struct world *w, const struct pod *a, const struct pod *b,
    const struct predicate *unit)
{
	const void *of_a, *of_b;

	become(w, a);
	of_a = world_prepare(w, unit, args_of(w, unit));
	become(w, b);
	of_b = world_prepare(w, unit, args_of(w, unit));
	if (t_true(unit->name, (of_a == NULL) == (of_b == NULL))) {
		AUTOFREE char *first = verdicts(w, a, unit, of_a);
		AUTOFREE char *second = verdicts(w, b, unit, of_b);
		AUTOFREE char *mixed = verdicts(w, b, unit, of_a);

		t_str(unit->name, second, first);
		t_str(unit->name, mixed, first);
	}
}

static const void *
prepared(struct world *w, const struct pod *pod, const struct priority *unit)
{
	become(w, pod);
	return unit->prepare != NULL ?
	    unit->prepare(&w->cycle, args_of(w, unit)) :
	    args_of(w, unit);
}

/* Of all nodes, raw and, where that is another thing, reduced; you own it. */
static char *
scores(struct world *w, const struct pod *pod, const struct priority *unit,
    const void *prep)
{
	uint32_t at[NODES], times[NODES];
	int64_t all[NODES], uniform;
	bool one_by_one;
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	become(w, pod);
	if (prep_is_uniform(prep, &uniform))
		fprintf(out, "all %lld ", (long long)uniform);
	one_by_one = prep != PREP_SKIPPED && !prep_is_uniform(prep, &uniform);
	for (uint32_t i = 0; one_by_one && i < w->cluster->nnodes; i++) {
		at[i] = i;
		times[i] = 1;
		all[i] = unit->score(&w->cycle, w->cluster->nodes[i], prep);
		fprintf(out, "%lld ", (long long)all[i]);
	}
	if (one_by_one && unit->reduce != NULL)
		unit->reduce(&w->cycle, prep, w->cluster->nnodes, at, times,
		    all);
	for (uint32_t i = 0; one_by_one && i < w->cluster->nnodes; i++)
		fprintf(out, "%lld ", (long long)all[i]);
	fclose(out);
	return text;
}

/* The score that all nodes have, or -1; -2: PreScore skips the plugin. */
static int64_t
uniform_score(struct world *w, const struct pod *pod,
    const struct priority *unit, const void *prep)
{
	int64_t raw;

	become(w, pod);
	if (prep == PREP_SKIPPED)
		return -2;
	return (unit->reads & READS_NODE) && prep_is_uniform(prep, &raw) ? raw :
									   -1;
}

/* Whether they had to be the same. */
static bool
compare_scores(struct world *w, const struct pod *a, const struct pod *b,
    const struct priority *unit)
{
	const void *of_a = prepared(w, a, unit), *of_b = prepared(w, b, unit);
	int64_t raw = uniform_score(w, a, unit, of_a);
	AUTOFREE char *first = scores(w, a, unit, of_a);
	AUTOFREE char *second = scores(w, b, unit, of_b);
	AUTOFREE char *mixed = scores(w, b, unit, of_a);

	if (!same_aspects(a, b, aspects_read(unit->reads)) &&
	    (raw < 0 || raw != uniform_score(w, b, unit, of_b)))
		return false;
	t_int(unit->name, uniform_score(w, b, unit, of_b), raw);
	t_str(unit->name, second, first);
	t_str(unit->name, mixed, first);
	return true;
}

static void
compare_all(struct world *w, const struct pod *a, const struct pod *b,
    unsigned *n)
{
	for (size_t i = 0; i < npredicates; i++, n++)
		if ((predicates[i]->reads & READS_NODE) &&
		    same_aspects(a, b, aspects_read(predicates[i]->reads))) {
			compare_verdicts(w, a, b, predicates[i]);
			++*n;
		}
	for (size_t i = 0; i < npriorities; i++, n++)
		if (!(priorities[i]->reads & READS_CLUSTER))
			*n += compare_scores(w, a, b, priorities[i]);
}

static void
count_comparisons(const unsigned *n)
{
	for (size_t i = 0; i < npredicates; i++, n++)
		if (predicates[i]->reads & READS_NODE)
			t_true(predicates[i]->name, *n > TRIALS / 4);
	for (size_t i = 0; i < npriorities; i++, n++)
		if (!(priorities[i]->reads & READS_CLUSTER))
			t_true(priorities[i]->name, *n > TRIALS / 4);
}

static void
rules_look_at_what_they_say(void)
{
	static const int releases[] = { 0, 20, 36 };
	struct world *w = random_world();
	unsigned ncompared[64] = { 0 };

	for (unsigned i = 0; i < TRIALS; i++) {
		const char *p[NPARTS];
		struct pod *a, *b;

		if (i % 20 == 19) {
			world_free(w);
			w = random_world();
		}
		for (unsigned j = 0; j < NPARTS; j++)
			p[j] = any(2) ? parts[j][0] : random_part(j);
		a = pod_of(p, "a", "");
		for (unsigned n = 1 + any(5); n > 0; n--) {
			unsigned j = any(NPARTS);

			p[j] = random_part(j);
		}
		b = pod_of(p, "b", "");
		w->profile->release = releases[i % LENGTH(releases)];
		compare_all(w, a, b, ncompared);
		arena_reset(&w->arena);
		pod_unref(a);
		pod_unref(b);
	}
	world_free(w);
	count_comparisons(ncompared);
}

/* ---- each rule by itself, with kept results and without ---- */

#define ROUNDS 6
#define PODS_EACH 25
/* Cells of nodes with the same columns exist from the second decision on. */
#define DECISIONS_EACH 3

struct rule {
	const void *unit;
	const char *name;
	unsigned
	    neffects; /* decisions in which it refused or preferred a node */
	unsigned nupdates; /* simulated changes that it noticed */
};

static struct rule rules[128];
static size_t nrules;

static struct rule *
rule_of(const void *unit, const char *name)
{
	for (size_t i = 0; i < nrules; i++)
		if (rules[i].unit == unit)
			return &rules[i];
	rules[nrules] = (struct rule){ .unit = unit, .name = name };
	return &rules[nrules++];
}

/* Objects that rules about services, volumes and claims look up. */
static void
put_others(struct world *w)
{
	static const char *const modes[] = { "Immediate",
		"WaitForFirstConsumer" };

	world_put(w, W_SERVICE("a", "app: a") W_SERVICE("b", "app: b"));
	for (unsigned i = 0; i < NODES; i++) {
		AUTOFREE char *text = xasprintf(
		    "--- {kind: CSINode, metadata: {name: n%u}, spec: {drivers: ["
		    "{name: ebs.csi.aws.com, allocatable: {count: %u}},"
		    "{name: pd.csi.storage.gke.io, allocatable: {count: %u}},"
		    "{name: disk.csi.azure.com, allocatable: {count: %u}},"
		    "{name: cinder.csi.openstack.org, allocatable: {count: %u}}]}}\n",
		    i, any(2), any(2), any(2), any(2));

		world_put(w, text);
	}
	for (unsigned i = 0; i < 3; i++) {
		AUTOFREE char *text = xasprintf(
		    "--- {kind: StorageClass, metadata: {name: s%u},"
		    " provisioner: kubernetes.io/no-provisioner,"
		    " volumeBindingMode: %s}\n"
		    "--- {kind: PersistentVolume, metadata: {name: v%u,"
		    " labels: {failure-domain.beta.kubernetes.io/zone: %c,"
		    " topology.kubernetes.io/zone: %c}},"
		    " spec: {storageClassName: s%u, accessModes: [%s],"
		    " capacity: {storage: 5Gi}, %s nodeAffinity: {required:"
		    " {nodeSelectorTerms: [{matchExpressions: [{key: zone,"
		    " operator: In, values: [%c]}]}]}}}}\n"
		    "--- {kind: PersistentVolumeClaim, metadata: {namespace:"
		    " default, name: c%u, annotations:"
		    " {pv.kubernetes.io/bind-completed: 'yes'}}, spec: {"
		    "volumeName: v%u, storageClassName: s%u, accessModes:"
		    " [%s], resources: {requests: {storage: 1Gi}}},"
		    " status: {phase: Bound}}\n",
		    i, modes[any(2)], i, 'a' + (int)any(3), 'a' + (int)any(3),
		    i, i == 2 ? "ReadWriteOncePod" : "ReadWriteOnce",
		    i == 1 ? "csi: {driver: d.io, volumeHandle: h}," :
			     "gcePersistentDisk: {pdName: d},",
		    'a' + (int)any(3), i, i, i,
		    i == 2 ? "ReadWriteOncePod" : "ReadWriteOnce");

		world_put(w, text);
	}
}

/* The decision about the pod as a text that kept results must not change; you own
 * it. */
static char *
decided(struct world *w, struct ecache *ecache, const struct pod *pod,
    struct rule *rule)
{
	struct cycle *cycle = &w->cycle;
	struct decision *d;
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	become(w, pod);
	cycle->ecache = ecache;
	cycle->keep_scores = false;
	d = decide(cycle);
	fprintf(out, "%s of %u with %lld, %u fit, %s",
	    d->chosen != NULL ? sym_text(d->chosen->name) : "none", d->nbest,
	    (long long)d->best_total, d->nfeasible,
	    d->error != NULL ? d->error : "");
	/* An error is mostly of what the pod names, and no rule's. */
	if (d->error == NULL &&
	    (d->nfeasible < d->nnodes || d->nbest < d->nfeasible ||
		rule->unit == &priority_equal_priority))
		rule->neffects++;
	fclose(out);
	return text;
}

/* You own it. */
static struct pod *
assume_random_pod(struct world *w)
{
	static unsigned n;
	AUTOFREE char *name = xasprintf("assumed%u", n++);
	struct pod *pod = random_pod_on(name, "");

	cluster_assume(w->cluster, pod,
	    w->cluster->nodes[any(w->cluster->nnodes)]->name, NULL);
	return pod;
}

static void
compare_rule(struct world *w, const struct profile *profile, struct rule *rule)
{
	struct ecache *ecache =
	    ecache_new(w->cluster, profile, ECACHE_BYTES_DEFAULT);
	struct pod *placed[PODS_EACH * DECISIONS_EACH];
	size_t nplaced = 0;

	w->cycle.profile = profile;
	for (unsigned i = 0; i < PODS_EACH; i++) {
		struct pod *pod = random_pod_that_waits();

		w->cycle.seed = i;
		for (unsigned j = 0; j < DECISIONS_EACH; j++) {
			AUTOFREE char *without = decided(w, NULL, pod, rule);
			AUTOFREE char *with = decided(w, ecache, pod, rule);

			t_str(rule->name, with, without);
			/* the next is made from kept results and a change */
			if (any(2))
				placed[nplaced++] = assume_random_pod(w);
			arena_reset(&w->arena);
		}
		pod_unref(pod);
	}
	ecache_free(ecache);
	w->cycle.ecache = NULL;
	while (nplaced > 0) {
		cluster_forget(w->cluster, placed[--nplaced]);
		pod_unref(placed[nplaced]);
	}
}

/*
 * Simulates that pods leave their nodes and come back, others come and go, in any
 * order: then the rule must say what it said before.
 */
static void
compare_updates(struct world *w, const struct profile_predicate *entry,
    struct rule *rule)
{
	const struct predicate *unit = entry->unit;

	for (unsigned i = 0; i < PODS_EACH; i++) {
		struct pod *pod = random_pod_that_waits(), *guest;
		void *prep;

		become(w, pod);
		prep = world_prepare(w, unit, entry->args);
		guest = random_pod_on("guest", "");
		if (prep != NULL) {
			AUTOFREE char *before = verdicts(w, pod, unit, prep);
			AUTOFREE char *during = NULL, *after = NULL;
			const struct node_info *home =
			    w->cluster->nodes[any(w->cluster->nnodes)];
			const struct node_info *other =
			    w->cluster->nodes[any(w->cluster->nnodes)];

			for (size_t j = 0; j < home->npods; j++)
				world_simulate(w, unit, prep, home,
				    home->pods[j], -1);
			world_simulate(w, unit, prep, other, guest, 1);
			during = verdicts(w, pod, unit, prep);
			for (size_t j = 0; j < home->npods; j++)
				world_simulate(w, unit, prep, home,
				    home->pods[j], 1);
			world_simulate(w, unit, prep, other, guest, -1);
			after = verdicts(w, pod, unit, prep);
			t_str(unit->name, after, before);
			rule->nupdates += strcmp(during, before) != 0;
		}
		pod_unref(guest);
		pod_unref(pod);
		arena_reset(&w->arena);
	}
}

/* A profile with this rule alone, and those that it needs. */
static void
compare_rules(struct world *w, const struct profile *profile)
{
	for (size_t i = 0; i < profile->npredicates; i++) {
		struct profile one = *profile;

		struct rule *rule = rule_of(profile->predicates[i].unit,
		    profile->predicates[i].name);

		one.nprefilters = one.npriorities = 0;
		one.npredicates = 1;
		one.predicates = &profile->predicates[i];
		compare_rule(w, &one, rule);
		if (one.predicates->unit->update != NULL)
			compare_updates(w, one.predicates, rule);
	}
	for (size_t i = 0; i < profile->npriorities; i++) {
		struct profile one = *profile;

		one.nprefilters = one.npredicates = 0;
		one.npriorities = 1;
		one.priorities = &profile->priorities[i];
		compare_rule(w, &one,
		    rule_of(one.priorities->unit, one.priorities->name));
	}
}

/* A policy that names all rules of the tables, and those with arguments. */
static struct profile *
policy_of_all(bool kosmos, bool taints)
{
	struct policy_options options = { .gates = gates_default,
		.kosmos = kosmos,
		.project_node_selectors = true,
		.kubernetes_minor = 36 };
	struct profile *profile;
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	struct named_rule rule;

	options.gates.even_pods_spread = true;
	options.gates.taint_nodes_by_condition = taints;
	options.gates.resource_limits_priority_function = true;
	fprintf(out,
	    "{\"kind\":\"Policy\",\"apiVersion\":\"v1\",\"predicates\":["
	    "{\"name\":\"P1\",\"argument\":{\"serviceAffinity\":{\"labels\":"
	    "[\"zone\"]}}},{\"name\":\"PodToleratesNodeNoExecuteTaints\"},"
	    "{\"name\":\"P2\",\"argument\":{\"labelsPresence\":"
	    "{\"labels\":[\"disk\"],\"presence\":true}}}");
	for (size_t i = 0; next_named_rule(RULE_FILTERS, &i, &rule);)
		if (is_registered(&rule, &options.gates) &&
		    (!taints ||
			rule.predicate != &predicate_general_predicates))
			fprintf(out, ",{\"name\":\"%s\"}", rule.name);
	fprintf(out,
	    "],\"priorities\":[{\"name\":\"Q1\",\"weight\":1,\"argument\":{"
	    "\"serviceAntiAffinity\":{\"label\":\"zone\"}}},{\"name\":\"Q2\","
	    "\"weight\":1,\"argument\":{\"labelPreference\":{\"label\":"
	    "\"disk\",\"presence\":true}}},{\"name\":\"Q3\",\"weight\":1,"
	    "\"argument\":{\"requestedToCapacityRatioArguments\":{"
	    "\"shape\":[{\"utilization\":0,\"score\":0},"
	    "{\"utilization\":100,\"score\":10}]}}}");
	for (size_t i = 0; next_named_rule(RULE_SCORES, &i, &rule);)
		if (is_registered(&rule, &options.gates) &&
		    rule.priority !=
			&priority_requested_to_capacity_ratio_priority)
			fprintf(out, ",{\"name\":\"%s\",\"weight\":1}",
			    rule.name);
	fprintf(out, "]}");
	fclose(out);
	profile = t_profile(text, &options);
	free(text);
	return profile;
}

/* Rules that no cluster gives an effect: they read memory of earlier decisions, a
 * configuration's mistake, a gate that is off by default, or what a pod that waits does
 * not have, its node; or score 0.  t/sched/claims.c has ResourceClaims. */
static bool
has_no_effect_here(const void *unit)
{
	return unit == &predicate_sticky_job || unit == &predicate_host_name ||
	    unit == &predicate_dynamic_resources ||
	    unit == &priority_sticky_job_priority ||
	    unit == &predicate_missing_state ||
	    unit == &priority_missing_state ||
	    unit == &priority_volume_binding ||
	    unit == &priority_dynamic_resources;
}

static void
each_rule_decides_alike_with_kept_results(void)
{
	struct profile *profiles[] = {
		policy_of_all(false, true),
		policy_of_all(true, true),
		policy_of_all(false, false),
		t_configured_profile("v1beta1",
		    "\"plugins\":{\"preScore\":{\"disabled\":[{\"name\":"
		    "\"TaintToleration\"}]},\"score\":{\"enabled\":[{"
		    "\"name\":\"ServiceAffinity\"}]}},\"pluginConfig\":[{"
		    "\"name\":\"ServiceAffinity\",\"args\":{"
		    "\"antiAffinityLabelsPreference\":[\"zone\"]}}]"),
		t_configured_profile("v1",
		    "\"pluginConfig\":[{\"name\":\"PodTopologySpread\","
		    "\"args\":{\"defaultingType\":"
		    "\"List\",\"defaultConstraints\":[{\"maxSkew\":1,"
		    "\"topologyKey\":\"zone\",\"whenUnsatisfiable\":"
		    "\"ScheduleAnyway\"}]}}]"),
	};

	nrules = 0;
	for (unsigned i = 0; i < ROUNDS; i++) {
		struct world *w = random_world();

		put_others(w);
		for (size_t j = 0; j < LENGTH(profiles); j++)
			compare_rules(w, profiles[j]);
		world_free(w);
	}
	for (size_t i = 0; i < npredicates; i++) {
		const struct rule *rule =
		    rule_of(predicates[i], predicates[i]->name);

		if (predicates[i]->update != NULL &&
		    !t_true(rule->name, rule->nupdates > 0))
			printf("# %s: no update() here changes a verdict\n",
			    rule->name);
	}
	for (size_t i = 0; i < npriorities; i++)
		rule_of(priorities[i], priorities[i]->name);
	for (size_t i = 0; i < nrules; i++)
		if (!has_no_effect_here(rules[i].unit) &&
		    !t_true(rules[i].name, rules[i].neffects > 0))
			printf("# %s: no world here shows an effect of it: "
			       "add what it reads to parts and to nodes\n",
			    rules[i].name);
	for (size_t j = 0; j < LENGTH(profiles); j++)
		profile_free(profiles[j]);
}

static int64_t
cpu_of(struct cycle *cycle, const struct node_info *node, const void *prep)
{
	return node->node->allocatable.cpu_milli * cycle->profile->score_max;
}

/* Depends on the nodes that fit. */
static void
to_the_highest(struct cycle *cycle, const void *prep, size_t n,
    const uint32_t *at, const uint32_t *times, int64_t *scores)
{
	normalize(cycle->profile->score_max, 0, n, scores);
}

/* What a contributor may add, as priority.h allows it. */
static void
rules_about_objects_may_reduce(void)
{
	static const struct priority unit = { .name = "Cpu",
		.reads = READS_OBJECTS,
		.score = cpu_of,
		.reduce = to_the_highest };
	struct profile *profile = policy_of_all(false, true);
	struct profile_priority entry = { .unit = &unit,
		.name = unit.name,
		.weight = 1 };
	struct profile one = *profile;

	one.npriorities = 1;
	one.priorities = &entry;
	for (unsigned i = 0; i < ROUNDS; i++) {
		struct world *w = random_world();
		struct rule rule = { .unit = &unit, .name = unit.name };

		compare_rule(w, &one, &rule);
		t_true("it has an effect", rule.neffects > 0);
		world_free(w);
	}
	profile_free(profile);
}

/* Pods of many Jobs: whatever becomes of them, little is kept of each. */
static void
classes_of_one_signature_take_little(void)
{
	struct policy_options options = { .gates = gates_default };
	struct profile *profile = policy_provider("DefaultProvider", &options);
	struct world *w = world_new(W_NODE("a", "", "") W_NODE("b", "", ""));
	struct ecache *ecache =
	    ecache_new(w->cluster, profile, ECACHE_BYTES_DEFAULT);
	size_t before = pod_class_count(), all;

	for (unsigned i = 0; i < 20000; i++) {
		AUTOFREE char *job = xasprintf(
		    W_OBJECT("Pod",
			"namespace: default, name: p, labels: {job: j%u},"
			" ownerReferences: [{kind: Job, name: j%u, uid: j%u,"
			" controller: true}]",
			"spec: {}"),
		    i, i, i);
		const struct decision *d;

		world_pod(w, job);
		w->cycle.profile = profile;
		w->cycle.keep_scores = false;
		w->cycle.ecache = ecache;
		d = decide(&w->cycle);
		if (!t_true("kept", d->kept != NULL) ||
		    !t_int("fits", d->nfeasible, 2))
			break;
	}
	all = pod_class_count();
	t_true("the oldest are forgotten", all - before < 2000);
	t_true("a few KiB for each", ecache_bytes(ecache) < all * 3000);
	ecache_free(ecache);
	t_int("and then all", pod_class_count() - before, 1);
	world_free(w);
	profile_free(profile);
}

T_MAIN(T(rules_look_at_what_they_say),
    T(each_rule_decides_alike_with_kept_results),
    T(rules_about_objects_may_reduce), T(classes_of_one_signature_take_little))
