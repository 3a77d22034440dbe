/*
 * Nodes in columns: rules that read them have the same result for every node as
 * when they read the node itself, whatever the amounts; and columns that have
 * followed a cluster's changes are those that a new look at it would give.
 */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/xmalloc.h"
#include "cluster/columns.h"
#include "cluster/confines.h"
#include "cluster/label_columns.h"
#include "decide/ecache/ecache.h"
#include "decide/framework/args.h"
#include "policy/policy.h"
#include "predicates/registry.h"
#include "priorities/registry.h"
#include "decide/sched/decide.h"
#include "t/lib/profile.h"
#include "t/lib/t.h"
#include "t/lib/verdicts.h"
#include "t/lib/world.h"

#define NODES (COLUMN_ROWS + 40)
#define ROUNDS 6
#define PODS_EACH 20

static uint64_t state;

static unsigned
any(unsigned n)
{
	return t_any(&state, n);
}

#define ANY_OF(array) (array)[any(LENGTH(array))]

/* Random clusters */

/* Those that are far beyond the range of columns, at its edge, and usual. */
static const char *const hostile[] = {
	"'-1'",
	"'-9223372036854775808'",
	"'9223372036854775807'",
	"'4611686018427387904'",
	"'35184372088832'",
	"'35184372088833'",
	"'35184372088831'",
	"'1e30'",
	"'9007199254740993'",
};
static const char *const cpus[] = {
	"1",
	"2",
	"'3'",
	"4",
	"'0.1'",
	"100m",
	"333m",
	"'0'",
	"1n",
	"17",
};
static const char *const memories[] = {
	"1Gi",
	"2Gi",
	"3G",
	"4Gi",
	"1000000007",
	"100Mi",
	"'0'",
	"1",
	"5Ti",
};

/* ", name: amount", or nothing. */
static void
put_amount(FILE *out, const char *name, const char *const *usual, unsigned n)
{
	if (any(8) > 0)
		fprintf(out, "%s: %s, ", name,
		    any(12) > 0 ? usual[any(n)] : ANY_OF(hostile));
}

static void
put_amounts(FILE *out)
{
	put_amount(out, "cpu", cpus, LENGTH(cpus));
	put_amount(out, "memory", memories, LENGTH(memories));
	if (any(3) == 0)
		put_amount(out, "ephemeral-storage", memories,
		    LENGTH(memories));
	if (any(5) == 0)
		put_amount(out, "example.com/gpu", cpus, LENGTH(cpus));
	if (any(5) == 0)
		put_amount(out, "example.com/nic", cpus, LENGTH(cpus));
	if (any(9) == 0)
		put_amount(out, "hugepages-1Gi", memories, LENGTH(memories));
	if (any(9) == 0)
		put_amount(out, "hugepages-2Mi", memories, LENGTH(memories));
}

static void
put_node(FILE *out, unsigned i)
{
	static const char *const taints[] = {
		"",
		"",
		"",
		"{key: a, effect: NoSchedule}",
		"{key: a, value: x, effect: NoExecute}",
		"{key: b, effect: PreferNoSchedule}",
		"{key: b, effect: PreferNoSchedule}, "
		"{key: c, effect: PreferNoSchedule}, "
		"{key: a, effect: NoSchedule}",
		"{key: d, effect: Strange}",
	};
	static const char *const conditions[] = {
		"",
		"",
		"{type: Ready, status: 'True'}",
		"{type: Ready, status: 'False'}",
		"{type: Ready, status: 'True'}, {type: MemoryPressure, "
		"status: 'True'}, {type: DiskPressure, status: 'Unknown'}",
		"{type: PIDPressure, status: 'True'}, {type: Ready, "
		"status: Unknown}, {type: NetworkUnavailable, status: 'True'}",
		"{type: DiskPressure, status: 'True'}",
	};

	fprintf(out, "--- {kind: Node, metadata: {name: n%u, labels: {", i);
	if (any(3) > 0)
		fprintf(out, "zone: z%u, ", any(3));
	if (any(3) > 0)
		fprintf(out, "size: '%d', ", (int)any(20) - 5);
	fprintf(out, "host: n%u}", i);
	if (any(10) == 0)
		fprintf(out,
		    ", annotations: "
		    "{scheduler.alpha.kubernetes.io/preferAvoidPods: "
		    "'{\"preferAvoidPods\": [{\"podSignature\": "
		    "{\"podController\": {\"kind\": \"ReplicaSet\", "
		    "\"uid\": \"u%u\"}}}]}'}",
		    any(2));
	fprintf(out,
	    "}, spec: {unschedulable: %s, taints: [%s]}, "
	    "status: {conditions: [%s], allocatable: {",
	    any(8) == 0 ? "true" : "false", ANY_OF(taints), ANY_OF(conditions));
	put_amounts(out);
	if (any(10) > 0)
		fprintf(out, "pods: %u", any(6));
	fprintf(out, "}, images: [{names: ['i%u:v1'], sizeBytes: %u}]}}\n",
	    any(4), any(1000000000));
}

static void
put_pod(FILE *out, const char *name, const char *node)
{
	static const char *const affinities[] = {
		"",
		"",
		"",
		"",
		"nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution:"
		" {nodeSelectorTerms: [{matchExpressions: [{key: zone, "
		"operator: NotIn, values: [z0, z1]}]}, {matchFields: [{key: "
		"metadata.name, operator: In, values: [n7]}]}]}}",
		"nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution:"
		" {nodeSelectorTerms: [{matchExpressions: [{key: size, "
		"operator: Gt, values: ['3']}, {key: zone, operator: Exists}],"
		" matchFields: [{key: metadata.name, operator: NotIn, values: "
		"[n3]}]}, {}, {matchExpressions: [{key: host, operator: In, "
		"values: [n1, n2]}]}]}}",
		"nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution:"
		" {nodeSelectorTerms: [{matchExpressions: [{key: zone, "
		"operator: Strange}]}]}}",
		"nodeAffinity: {preferredDuringSchedulingIgnoredDuringExecution"
		": [{weight: 3, preference: {matchExpressions: [{key: zone, "
		"operator: In, values: [z0]}]}}, {weight: 2147483647, "
		"preference: {matchExpressions: [{key: size, operator: "
		"DoesNotExist}]}}, {weight: 5, preference: {matchExpressions: "
		"[{key: zone, operator: Exists}]}}]}",
	};
	static const char *const selectors[] = { "", "", "", "zone: z1",
		"zone: z2, host: n12", "none: here", "zone: 'no label'" };
	static const char *const tolerations[] = { "", "", "{operator: Exists}",
		"{key: a, operator: Exists}",
		("{key: a, value: x}, {key: b, effect: PreferNoSchedule, "
		 "operator: Exists}"),
		"{key: node.kubernetes.io/unschedulable, operator: Exists}" };
	static const char *const ports[] = { "{hostPort: 1}",
		"{hostPort: 2}, {hostPort: 1}", "{hostPort: 2, protocol: UDP}",
		("{hostPort: 1, hostIP: 10.0.0.1}, {hostPort: 1, hostIP: "
		 "10.0.0.2}"),
		"{hostPort: 1, hostIP: 10.0.0.2}",
		"{hostPort: 3, hostIP: '::'}, {hostPort: 3, hostIP: '::'}" };
	static const char *const disks[] = {
		"{name: v, gcePersistentDisk: {pdName: d}}",
		"{name: v, gcePersistentDisk: {pdName: d, readOnly: true}}",
		("{name: v, gcePersistentDisk: {pdName: e}}, {name: w, "
		 "awsElasticBlockStore: {volumeID: d}}"),
		"{name: v, rbd: {image: i, pool: p, monitors: [a, b]}}",
		"{name: v, rbd: {image: i, pool: q, monitors: [b, c]}}",
		"{name: v, iscsi: {iqn: d, readOnly: true}}"
	};

	fprintf(out,
	    "--- {kind: Pod, metadata: {namespace: default, name: %s,"
	    " ownerReferences: [{kind: ReplicaSet, name: r, uid: u%u, "
	    "controller: true}, {kind: StickyJob, name: j, uid: j}]}, "
	    "spec: {nodeName: '%s', affinity: {%s}, "
	    "nodeSelector: {%s}, tolerations: [%s], volumes: [%s], "
	    "containers: [{name: c, "
	    "image: 'i%u:v1', ports: [%s], resources: {requests: {",
	    name, any(3), node, ANY_OF(affinities), ANY_OF(selectors),
	    ANY_OF(tolerations), any(4) == 0 ? ANY_OF(disks) : "", any(5),
	    any(5) == 0 ? ANY_OF(ports) : "");
	if (any(6) > 0)
		put_amounts(out);
	fprintf(out, "}, limits: {");
	if (any(2) > 0)
		put_amounts(out);
	fprintf(out, "}}}]}}\n");
}

/* The text is valid until the next call. */
static const char *
written(void (*write)(FILE *out, unsigned n), unsigned n)
{
	static char *text;
	size_t size;
	FILE *out;

	free(text);
	out = open_memstream(&text, &size);
	write(out, n);
	fclose(out);
	return text;
}

static void
write_cluster(FILE *out, unsigned n)
{
	char pod[16], node[16];

	for (unsigned i = 0; i < n; i++)
		put_node(out, i);
	for (unsigned i = 0; i < n * 2; i++) {
		snprintf(pod, sizeof(pod), "p%u", i);
		snprintf(node, sizeof(node), "n%u", any(n));
		put_pod(out, pod, node);
	}
}

static void
write_pod(FILE *out, unsigned n)
{
	put_pod(out, "x", "");
}

/* Results of units from columns, and from nodes */

static const sym *
some_labels(void)
{
	static sym labels[2];

	labels[0] = sym_intern("zone");
	labels[1] = sym_intern("size");
	return labels;
}

static const void *
args_of(const char *name)
{
	static struct labels_presence_args presence;
	static struct label_preference_args preference;
	static const struct shape_point points[] = { { 0, 3 }, { 33, 10 },
		{ 70, 1 }, { 95, 7 } };
	static const struct requested_to_capacity_ratio_args shape = {
		LENGTH(points), points
	};

	if (strcmp(name, "CheckNodeLabelPresence") == 0) {
		presence = (struct labels_presence_args){ 1 + any(2),
			some_labels(), any(2) };
		return &presence;
	}
	if (strcmp(name, "NodeLabel") == 0) {
		preference =
		    (struct label_preference_args){ some_labels()[any(2)],
			    any(2) };
		return &preference;
	}
	if (strcmp(name, "RequestedToCapacityRatioPriority") == 0 && any(2))
		return &shape;
	return NULL;
}

/* An addedAffinity that two nodes in three match. */
static const struct node_affinity_args *
added_affinity(void)
{
	static sym zones[2];
	static struct requirement in = { .op = SELECTOR_IN,
		.nvalues = 2,
		.values = zones };
	static struct node_selector_term term = { .has_labels = true,
		.labels = { .n = 1, .at = &in } };
	static const struct node_affinity_args args = { .has_required = true,
		.required = { 1, &term } };

	in.key = sym_intern("zone");
	zones[0] = sym_intern("z0");
	zones[1] = sym_intern("z1");
	return &args;
}

/* Passes over some of the scalars. */
static const struct node_resources_fit_args *
passed_over(void)
{
	static sym ignored, group;
	static const struct node_resources_fit_args args = { .nignored = 1,
		.ignored = &ignored,
		.nignored_groups = 1,
		.ignored_groups = &group };

	ignored = sym_intern("example.com/gpu");
	group = sym_intern("x.com");
	return &args;
}

/* Those of a plugin for a predicate. */
static const void *
plugin_args_of(const char *name)
{
	if (strcmp(name, "MatchNodeSelector") == 0 && any(2))
		return added_affinity();
	if (strcmp(name, "PodFitsResources") == 0 && any(3) == 0)
		return passed_over();
	return strcmp(name, "CheckNodeLabelPresence") == 0 ? args_of(name) :
							     NULL;
}

/* Some of cpu and memory, maybe twice, and of another. */
static size_t
some_resources(struct scored_resource *resources)
{
	static const char *const names[] = { "cpu", "memory", "cpu", "memory",
		"example.com/foo" };
	size_t n = 1 + any(3);

	for (size_t i = 0; i < n; i++)
		resources[i] = (struct scored_resource){
			sym_intern(names[any(LENGTH(names))]), 1 + any(3)
		};
	return n;
}

/* Arguments of plugins that score. */
static const void *
score_args_of(const char *name)
{
	static const struct shape_point points[] = { { 0, 0 }, { 33, 10 },
		{ 70, 1 }, { 95, 7 } };
	static struct scored_resource resources[3];
	static struct node_resources_fit_args fit;
	static struct node_label_args label;

	if (strcmp(name, "NodeLabel") == 0) {
		label = (struct node_label_args){
			.npreferred_present = 1 + any(2),
			.preferred_present = some_labels(),
			.npreferred_absent = any(2),
			.preferred_absent = some_labels(),
		};
		return &label;
	}
	if (strcmp(name, "NodeResources") != 0)
		return NULL;
	fit = (struct node_resources_fit_args){
		.strategy = (enum scoring_strategy)any(3),
		.npoints = LENGTH(points),
		.shape = points,
		.resources = resources,
		.nresources = any(3) > 0 ? some_resources(resources) : 0,
	};
	return &fit;
}

/* The comparisons of a unit. */
struct tally {
	unsigned long fits, refusals, asked;
};

#define STICKY_JOB                                                             \
	"--- {apiVersion: example.com/v1, kind: StickyJob, metadata: "         \
	"{namespace: default, name: j, uid: j}, spec: {required: true}, "      \
	"status: {lastNode: n7}}\n"

/* OpenShift's default node selector. */
static void
confine_pods(struct cluster *cluster)
{
	struct arena arena = ARENA_INIT;
	struct labels labels;
	struct err err;

	t_int("labels", labels_from_text(&arena, "zone=z1", &labels, &err), 0);
	cluster_set_default_node_selector(cluster, &labels);
	arena_fini(&arena);
}

/* The answer that stands for each code. */
struct meaning {
	bool known;
	char text[256];
};

static bool
code_is_right(struct world *w, const struct predicate *unit, const void *prep,
    uint32_t at, uint8_t code, struct meaning *meanings, struct tally *tally)
{
	const struct node_info *node = w->cluster->nodes[at];
	struct outcome o = world_check_prepared(w, unit, prep, node);
	struct meaning *meaning = &meanings[code];
	char text[sizeof(meaning->text)];

	tally->fits += o.verdict == FITS;
	tally->refusals += o.verdict != FITS && code < CODE_CHECK;
	tally->asked += code >= CODE_CHECK;
	if (code >= CODE_CHECK)
		return true;
	if (!t_int(unit->name, code == 0, o.verdict == FITS))
		return false;
	snprintf(text, sizeof(text), "%d %s", (int)o.verdict, o.why);
	if (!meaning->known)
		strcpy(meaning->text, text);
	meaning->known = true;
	return t_str(unit->name, text, meaning->text);
}

static void
compare_checks(struct world *w, const struct predicate *unit,
    struct tally *tally)
{
	const struct columns *columns = cluster_columns(w->cluster);
	const void *args = w->profile->release < 20 ?
	    args_of(unit->name) :
	    plugin_args_of(unit->name);
	const void *prep = world_prepare(w, unit, args);
	struct meaning *meanings = xcalloc(CODE_CHECK, sizeof(*meanings));
	uint8_t codes[COLUMN_ROWS];

	if (unit->prepare != NULL && prep == NULL) {
		free(meanings);
		return;
	}
	for (uint32_t i = 0; i < w->cluster->nnodes; i++) {
		const struct column_block *b = columns->blocks[i / COLUMN_ROWS];
		uint32_t row = i % COLUMN_ROWS;

		t_int("nodes are in their order", b->first + row, i);
		if (row == 0 && !unit->check_block(&w->cycle, b, prep, codes))
			break;
		if ((b->flags[row] & COLUMN_ODD) == 0 &&
		    !code_is_right(w, unit, prep, i, codes[row], meanings,
			tally))
			break;
	}
	free(meanings);
}

static void
compare_scores(struct world *w, const struct priority *unit,
    struct tally *tally)
{
	const struct columns *columns = cluster_columns(w->cluster);
	const void *prep = w->profile->release < 20 ? args_of(unit->name) :
						      score_args_of(unit->name);
	int64_t scores[COLUMN_ROWS], score;

	if (unit->prepare != NULL)
		prep = unit->prepare(&w->cycle, prep);
	if (prep == PREP_SKIPPED || prep_is_uniform(prep, &score))
		return;
	for (uint32_t i = 0; i < w->cluster->nnodes; i++) {
		const struct column_block *b = columns->blocks[i / COLUMN_ROWS];
		uint32_t row = i % COLUMN_ROWS;

		if (row == 0 && !unit->score_block(&w->cycle, b, prep, scores))
			return;
		if ((b->flags[row] & COLUMN_ODD) != 0)
			continue;
		score = unit->score(&w->cycle, w->cluster->nodes[i], prep);
		tally->fits += score > 0;
		tally->refusals += score <= 0;
		if (!t_int(unit->name, scores[row], score))
			return;
	}
}

/* Both answers came up, or the one that columns can give. */
static void
enough_compared(const char *name, const struct tally *tally)
{
	bool only_asks = strcmp(name, "CheckNodeCondition") == 0 ||
	    strcmp(name, "NoDiskConflict") == 0 ||
	    strstr(name, "Pressure") != NULL;

	if (!t_true(name,
		tally->fits >= 100 &&
		    (only_asks ? tally->asked : tally->refusals) > 100))
		printf("# %s: %lu fit, %lu do not, %lu were asked\n", name,
		    tally->fits, tally->refusals, tally->asked);
}

/* By a policy, and by profiles of plugins. */
static void
compare_releases(struct world *w, struct tally *checks, struct tally *scores)
{
	static const int releases[] = { 0, 20, 36 };

	for (size_t i = 0; i < LENGTH(releases); i++) {
		w->profile->release = releases[i];
		for (size_t j = 0; j < npredicates; j++)
			if (predicates[j]->check_block != NULL &&
			    (predicates[j]->reads & READS_NODE))
				compare_checks(w, predicates[j], &checks[j]);
		for (size_t j = 0; j < npriorities; j++)
			if (priorities[j]->score_block != NULL &&
			    !(priorities[j]->reads & READS_CLUSTER))
				compare_scores(w, priorities[j], &scores[j]);
	}
	w->profile->release = 0;
}

static void
columns_say_what_nodes_say(void)
{
	struct tally *checks = xcalloc(npredicates, sizeof(*checks));
	struct tally *scores = xcalloc(npriorities, sizeof(*scores));

	for (unsigned i = 0; i < ROUNDS; i++) {
		struct world *w;

		state = i;
		w = world_new(written(write_cluster, NODES));
		confine_pods(w->cluster);
		world_put(w, STICKY_JOB);
		w->profile->score_max = i % 2 == 0 ? 10 : 100;
		for (unsigned j = 0; j < PODS_EACH; j++) {
			world_pod(w, written(write_pod, 0));
			compare_releases(w, checks, scores);
		}
		world_free(w);
	}
	for (size_t i = 0; i < npredicates; i++)
		if (predicates[i]->check_block != NULL &&
		    (predicates[i]->reads & READS_NODE))
			enough_compared(predicates[i]->name, &checks[i]);
	for (size_t i = 0; i < npriorities; i++)
		if (priorities[i]->score_block != NULL &&
		    !(priorities[i]->reads & READS_CLUSTER))
			enough_compared(priorities[i]->name, &scores[i]);
	free(checks);
	free(scores);
}

/* With the pod so much is requested of the node that a share is a whole number, or
 * differs from one by the smallest amount, or is any. */
static uint64_t
edge(uint64_t capacity, uint64_t own)
{
	unsigned max = any(2) == 0 ? 10 : 100;
	uint64_t all = capacity * any(max + 3) / max + any(3);

	if (any(5) == 0)
		all = capacity * any(1000) / 1000;
	return all > own ? all - own - (all - own > 1) : 0;
}

#define EDGE_CPU 137
#define EDGE_MEMORY UINT64_C(123456789)

static void
write_edges(FILE *out, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		uint64_t cpu = 1 + any(3) * 1000 + any(64000);
		uint64_t memory = 1 + ((uint64_t)any(1 << 20) << any(16));

		if (any(3) == 0) {
			cpu = 16000;
			memory = UINT64_C(64) << 30;
		}
		fprintf(out,
		    "--- {kind: Node, metadata: {name: n%u}, status: "
		    "{allocatable: {pods: 9, cpu: %" PRIu64
		    "m, memory: %" PRIu64 "}}}\n"
		    "--- {kind: Pod, metadata: {namespace: default, name: p%u}, "
		    "spec: {nodeName: n%u, containers: [{name: c, resources: "
		    "{requests: {cpu: %" PRIu64 "m, memory: %" PRIu64
		    "}}}]}}\n",
		    i, cpu, memory, i, i, edge(cpu, EDGE_CPU),
		    edge(memory, EDGE_MEMORY));
	}
}

static void
write_edge_pod(FILE *out, unsigned n)
{
	fprintf(out,
	    "--- {kind: Pod, metadata: {namespace: default, name: x}, spec: "
	    "{containers: [{name: c, resources: {requests: {cpu: %dm, "
	    "memory: %" PRIu64 "}}}]}}\n",
	    EDGE_CPU, EDGE_MEMORY);
}

/* Where floats are too coarse. */
static void
shares_are_exact_at_whole_numbers(void)
{
	struct tally *checks = xcalloc(npredicates, sizeof(*checks));
	struct tally *scores = xcalloc(npriorities, sizeof(*scores));

	for (unsigned i = 0; i < ROUNDS; i++) {
		struct world *w;

		state = i;
		w = world_new(written(write_edges, NODES));
		w->profile->score_max = i % 3 == 0 ? 100 : i % 3 == 1 ? 10 : 7;
		world_pod(w, written(write_edge_pod, 0));
		compare_releases(w, checks, scores);
		world_free(w);
	}
	free(checks);
	free(scores);
}

/* Decisions */

static void
write_change(FILE *out, unsigned i)
{
	char pod[16], node[16];

	snprintf(pod, sizeof(pod), "p%u", any(40));
	snprintf(node, sizeof(node), "n%u", i);
	if (any(3) == 0)
		put_node(out, i);
	else
		put_pod(out, pod, node);
}

/* Places the world's pod with the cache, and without. */
static void
compare_decisions(struct world *w, const struct profile *profile,
    struct ecache *ecache, unsigned *nkept)
{
	struct decision *kept, *afresh;

	w->cycle.profile = profile;
	w->cycle.keep_scores = false;
	afresh = decide(&w->cycle);
	w->cycle.nerrors = 0;
	w->cycle.ecache = ecache;
	kept = decide(&w->cycle);
	*nkept += kept->kept != NULL;
	t_true("errors", (kept->error == NULL) == (afresh->error == NULL));
	t_true("the chosen one", kept->chosen == afresh->chosen);
	if (kept->error != NULL || afresh->error != NULL)
		return;
	decision_spell_out(&w->cycle, kept);
	for (uint32_t i = 0; i < kept->nnodes; i++)
		if (!t_true("a verdict", verdicts_equal(kept, afresh, i)))
			return;
	for (uint32_t i = 0; i < kept->nfeasible; i++)
		if (!t_int("a total", kept->totals[i], afresh->totals[i]))
			return;
}

/* Changes: too few to check all nodes again, and more. */
static void
change_nodes(struct world *w, unsigned n)
{
	for (; n > 0; n--)
		world_put(w, written(write_change, any(NODES)));
}

static void
decisions_are_those_made_without_columns(void)
{
	static const char *const policies[] = {
		"kind: Policy\napiVersion: v1\n",
		"kind: Policy\napiVersion: v1\npredicates: ["
		"{name: PodFitsResources}, {name: MatchNodeSelector}, "
		"{name: PodFitsHostPorts}, {name: Sized, argument: "
		"{labelsPresence: {labels: [size], presence: true}}}]\n"
		"priorities: [{name: MostRequestedPriority, weight: 3}, "
		"{name: NodeAffinityPriority, weight: 2}, "
		"{name: TaintTolerationPriority, weight: 100000}, "
		"{name: ImageLocalityPriority, weight: 5}, "
		"{name: Zoned, weight: 2, argument: {labelPreference: "
		"{label: zone, presence: false}}}, {name: Shaped, weight: 1, "
		"argument: {requestedToCapacityRatioArguments: {shape: ["
		"{utilization: 0, score: 2}, {utilization: 60, score: 9}, "
		"{utilization: 100, score: 0}]}}}]\n",
	};
	unsigned nkept = 0;

	for (unsigned i = 0; i < ROUNDS / 2; i++) {
		struct profile *profile =
		    t_profile(policies[i % LENGTH(policies)], NULL);
		struct world *w;
		struct ecache *ecache;

		state = i;
		w = world_new(written(write_cluster, NODES));
		ecache = ecache_new(w->cluster, profile, ECACHE_BYTES_DEFAULT);
		for (unsigned j = 0; j < PODS_EACH; j++) {
			char *pod = xstrdup(written(write_pod, 0));

			for (unsigned k = 0; k < 3; k++) {
				world_pod(w, pod);
				compare_decisions(w, profile, ecache, &nkept);
				change_nodes(w, k == 0 ? 5 : NODES / 2);
			}
			free(pod);
		}
		ecache_free(ecache);
		world_free(w);
		profile_free(profile);
	}
	t_true("results are kept", nkept > ROUNDS / 2 * PODS_EACH);
}

/* Upkeep */

static bool
same_row(const struct column_block *a, const struct column_block *b, uint32_t i)
{
	const struct column_taints *x, *y;

	if ((a->taints[i] == 0) != (b->taints[i] == 0) ||
	    (a->taints[i] != 0 && !a->any_taints))
		return false;
	if (a->taints[i] != 0) {
		x = columns_taints(a->columns, a->taints[i]);
		y = columns_taints(b->columns, b->taints[i]);
		if (x->n != y->n ||
		    memcmp(x->at, y->at, x->n * sizeof(*x->at)) != 0)
			return false;
	}
	for (size_t j = 0; j < NSCORED_BY; j++) {
		const struct column_scored *s = &a->scored[j];
		const struct column_scored *t = &b->scored[j];

		if (s->cpu_milli[i] != t->cpu_milli[i] ||
		    s->memory[i] != t->memory[i])
			return false;
	}
	return a->cpu_milli[i] == b->cpu_milli[i] &&
	    a->memory[i] == b->memory[i] &&
	    a->free_cpu_milli[i] == b->free_cpu_milli[i] &&
	    a->free_memory[i] == b->free_memory[i] &&
	    a->free_ephemeral_storage[i] == b->free_ephemeral_storage[i] &&
	    a->flags[i] == b->flags[i] && (a->flags[i] & ~a->any) == 0;
}

static void
compare_with_new(struct cluster *cluster)
{
	const struct columns *kept = cluster_columns(cluster), *new;
	const struct column_block *a, *b;

	cluster->columns = NULL;
	new = cluster_columns(cluster);
	t_int("nodes", kept->nnodes, cluster->nnodes);
	t_true("taints do not pile up",
	    kept->ntaints <= 3 * cluster->nnodes + 16);
	for (uint32_t i = 0; i < cluster->nnodes; i++) {
		a = kept->blocks[i / COLUMN_ROWS];
		b = new->blocks[i / COLUMN_ROWS];
		if (!t_int("rows", a->n, b->n) ||
		    !t_true("a row", same_row(a, b, i % COLUMN_ROWS)))
			break;
	}
	columns_free(cluster->columns);
	cluster->columns = (struct columns *)kept;
}

static void
compare_labels(struct cluster *cluster)
{
	sym key = some_labels()[any(2)];
	const sym *values = cluster_label_column(cluster, key);

	for (uint32_t i = 0; i < cluster->nnodes; i++)
		if (!t_int("a label", values[i],
			labels_get(&cluster->nodes[i]->node->labels, key)))
			break;
	values = cluster_label_column(cluster, SYM_NONE);
	for (uint32_t i = 0; i < cluster->nnodes; i++)
		if (!t_int("a name", values[i], cluster->nodes[i]->name))
			break;
}

/* Nodes come and go at the edge of a block. */
static void
columns_follow_changes(void)
{
	for (unsigned i = 0; i < ROUNDS; i++) {
		struct world *w = world_new("");

		state = i;
		/* a journal that is too short makes columns start again */
		w->cluster->journal.cap = i % 3 == 0 ? 4 : 64;
		world_put(w, written(write_cluster, COLUMN_ROWS - 5));
		for (unsigned j = 0; j < 100; j++) {
			for (unsigned n = any(12); n > 0; n--)
				world_put(w,
				    written(write_change,
					any(COLUMN_ROWS + 10)));
			if (any(8) == 0)
				world_remove(w,
				    written(write_change,
					any(COLUMN_ROWS + 10)));
			compare_with_new(w->cluster);
			compare_labels(w->cluster);
		}
		world_free(w);
	}
}

static void
write_tainted(FILE *out, unsigned i)
{
	fprintf(out,
	    "--- {kind: Node, metadata: {name: n0}, spec: "
	    "{taints: [{key: k%u, effect: NoSchedule}]}}\n",
	    i);
}

static void
taints_of_the_past_are_forgotten(void)
{
	struct world *w = world_new("");

	for (unsigned i = 0; i < 300; i++) {
		world_put(w, written(write_tainted, i));
		t_true("taints", cluster_columns(w->cluster)->ntaints < 30);
	}
	world_free(w);
}

/* Pods can ask for any number of keys. */
static void
no_key_is_mistaken_for_another(void)
{
	struct world *w = world_new(W_NODE("a", "k7: x, k200: z", ""));
	char key[16];

	for (unsigned i = 0; i < 600; i++) {
		snprintf(key, sizeof(key), "k%u", i % 300);
		t_int(key, cluster_label_column(w->cluster, sym_intern(key))[0],
		    i % 300 == 7       ? sym_intern("x") :
			i % 300 == 200 ? sym_intern("z") :
					 SYM_NONE);
	}
	world_free(w);
}

T_MAIN(T(columns_say_what_nodes_say), T(shares_are_exact_at_whole_numbers),
    T(decisions_are_those_made_without_columns), T(columns_follow_changes),
    T(taints_of_the_past_are_forgotten), T(no_key_is_mistaken_for_another))
