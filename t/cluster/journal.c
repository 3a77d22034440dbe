/* The changes that a cluster reports to caches. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/xmalloc.h"
#include "cluster/cluster.h"
#include "cluster/index.h"
#include "cluster/scalar_columns.h"
#include "t/lib/t.h"
#include "t/lib/world.h"

static const struct node_change *
last(const struct cluster *cluster)
{
	const struct journal *journal = &cluster->journal;

	return &journal->ring[(journal->end - 1) % journal->cap];
}

static void
pods_come_and_go_by_class(void)
{
	struct world *w = world_new(W_NODE("n1", "", "") W_NODE("n2", "", ""));
	struct cluster *cluster = w->cluster;
	struct pod *pod = world_decode_pod(W_POD("p", "", "n2", ""));
	struct pod *lost = world_decode_pod(W_POD("q", "", "unknown", ""));
	uint64_t before = cluster->journal.end;

	t_int("a new node is no pod", last(cluster)->sign, 0);
	cluster_put(cluster, &pod->object);
	t_int("one change", cluster->journal.end - before, 1);
	t_int("a pod came", last(cluster)->sign, 1);
	t_true("of its class", last(cluster)->class == pod->class);
	t_int("to its node", last(cluster)->node, world_node(w, "n2")->index);
	cluster_remove(cluster, &pod->object);
	t_int("and went", last(cluster)->sign, -1);
	before = cluster->journal.end;
	cluster_put(cluster, &lost->object);
	t_int("unknown nodes are not reported", cluster->journal.end - before,
	    0);
	pod_unref(pod);
	pod_unref(lost);
	world_free(w);
}

static void
labels_change_when_a_node_gets_others(void)
{
	static const struct {
		const char *name, *node;
		bool changes;
	} rows[] = {
		{ "the same again", W_NODE("n1", "rack: a", ""), false },
		{ "another taint",
		    W_NODE("n1", "rack: a",
			"taints: [{key: k, effect: NoSchedule}]"),
		    false },
		{ "another label", W_NODE("n1", "rack: b", ""), true },
		{ "another node", W_NODE("n2", "rack: b", ""), true },
	};
	struct world *w = world_new(W_NODE("n1", "rack: a", ""));

	for (size_t i = 0; i < LENGTH(rows); i++) {
		uint64_t before = w->cluster->labels;

		world_put(w, rows[i].node);
		t_true(rows[i].name,
		    (w->cluster->labels != before) == rows[i].changes);
	}
	world_free(w);
}

#define CSI_NODE(annotations, drivers)                                              \
	"---\n{kind: CSINode, apiVersion: storage.k8s.io/v1, metadata: {name: n1, " \
	"annotations: {" annotations "}}, spec: {drivers: [" drivers "]}}\n"
#define DRIVER(count)                                                           \
	"{name: d, nodeID: n1, topologyKeys: null, allocatable: {count: " count \
	"}}"
#define MIGRATED                                                               \
	"storage.alpha.kubernetes.io/migrated-plugins: kubernetes.io/gce-pd"

/* Results about volumes are kept by node. */
static void
a_csi_node_that_says_something_new_changes_its_node(void)
{
	static const struct {
		const char *name, *object;
		bool changes;
	} rows[] = {
		{ "it comes", CSI_NODE("", DRIVER("2")), true },
		{ "the same again", CSI_NODE("other: a", DRIVER("2")), false },
		{ "another limit", CSI_NODE("", DRIVER("3")), true },
		{ "another migrated plugin", CSI_NODE(MIGRATED, DRIVER("3")),
		    true },
		{ "no driver", CSI_NODE(MIGRATED, ""), true },
	};
	struct world *w = world_new(W_NODE("n1", "", "") W_NODE("n2", "", ""));

	for (size_t i = 0; i < LENGTH(rows); i++) {
		uint64_t before = w->cluster->journal.end;

		world_put(w, rows[i].object);
		t_int(rows[i].name, w->cluster->journal.end - before,
		    rows[i].changes);
		if (rows[i].changes)
			t_int(rows[i].name, last(w->cluster)->node,
			    world_node(w, "n1")->index);
	}
	world_free(w);
}

#define SERVICE(name, app)                                                     \
	W_OBJECT("Service", "namespace: default, name: " name,                 \
	    "spec: {selector: {app: " app "}}")

static uint64_t
services_version(const struct world *w)
{
	return cluster_namespace(w->cluster, sym_intern("default"))
	    ->versions[SELECTING_SERVICES];
}

static void
services_that_say_nothing_new_are_no_change(void)
{
	static const struct {
		const char *name, *object;
		bool changes;
	} rows[] = {
		{ "the same again", SERVICE("s", "a"), false },
		{ "another selector", SERVICE("s", "b"), true },
		{ "another service", SERVICE("t", "b"), true },
		{ "a budget is none",
		    W_OBJECT("PodDisruptionBudget",
			"namespace: default, name: s", ""),
		    false },
	};
	struct world *w = world_new(SERVICE("s", "a"));

	for (size_t i = 0; i < LENGTH(rows); i++) {
		uint64_t before = services_version(w);

		world_put(w, rows[i].object);
		t_true(rows[i].name,
		    (services_version(w) != before) == rows[i].changes);
	}
	world_free(w);
}

static void
topologies_with_many_small_domains_are_fine(void)
{
	struct world *w = world_new("");
	const struct topology *hosts, *zones;
	char text[512];

	for (int i = 0; i < 12; i++) {
		snprintf(text, sizeof(text), W_NODE("n%d", "zone: z%d", ""), i,
		    i % 3);
		world_put(w, text);
	}
	hosts = cluster_topology(w->cluster, SYM_NONE);
	zones = cluster_topology(w->cluster, sym_intern("zone"));
	t_true("each node is one", hosts->fine);
	t_true("three of four nodes each are not", !zones->fine);
	t_int("four nodes", zones->nnodes[0], 4);
	world_put(w, W_NODE("n0", "zone: other", ""));
	t_int("one has left", zones->nnodes[0], 3);
	world_free(w);
}

static void
the_lowest_priority_of_a_node_is_known(void)
{
#define PRIORITY(name, n) W_POD(name, "", "n1", "priority: " #n)
	static const struct {
		const char *put, *remove;
		int64_t lowest;
	} rows[] = {
		{ PRIORITY("p", 5), NULL, 5 },
		{ PRIORITY("q", -5), NULL, -5 },
		{ PRIORITY("r", 7), NULL, -5 },
		{ NULL, PRIORITY("q", -5), 5 },
		{ NULL, PRIORITY("r", 7), 5 },
		{ NULL, PRIORITY("p", 5), INT32_MAX },
	};
	struct world *w = world_new(W_NODE("n1", "", ""));

	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct pod *pod = world_decode_pod(
		    rows[i].put != NULL ? rows[i].put : rows[i].remove);

		if (rows[i].put != NULL)
			cluster_put(w->cluster, &pod->object);
		else
			cluster_remove(w->cluster, &pod->object);
		t_int("lowest", world_node(w, "n1")->lowest_priority,
		    rows[i].lowest);
		t_int("of all nodes, too",
		    w->cluster->npriorities > 0 ?
			w->cluster->priorities[0].priority :
			INT32_MAX,
		    rows[i].lowest);
		pod_unref(pod);
	}
	t_int("nothing is left", w->cluster->npriorities, 0);
	world_free(w);
}

/* Each reader reads every change once, or begins again. */
static void
cursors_see_each_change_once(void)
{
	struct cursor a = { 0 }, b;
	const struct node_change *change = NULL;
	struct journal journal;

	journal_init(&journal);
	journal.cap = 4;
	t_int("a new reader", journal_next(&journal, &a, &change),
	    JOURNAL_RESET);
	b = a;
	for (uint32_t i = 0; i < 4; i++)
		journal_add(&journal, i, NULL, 0);
	t_int("all are there", (int)journal_ahead(&journal, &a), 4);
	for (uint32_t i = 0; i < 4; i++) {
		t_int("a change", journal_next(&journal, &a, &change),
		    JOURNAL_CHANGE);
		t_int("in order", change->node, i);
	}
	t_int("the end", journal_next(&journal, &a, &change), JOURNAL_END);
	journal_add(&journal, 4, NULL, 0);
	t_int("one pushed the first out", journal_next(&journal, &b, &change),
	    JOURNAL_RESET);
	t_int("one more", journal_next(&journal, &a, &change), JOURNAL_CHANGE);
	t_int("of that node", change->node, 4);
	journal_reset(&journal);
	t_true("nothing is ahead of a reset",
	    journal_ahead(&journal, &a) == UINT64_MAX);
	t_int("a reset", journal_next(&journal, &a, &change), JOURNAL_RESET);
	t_int("once", journal_next(&journal, &a, &change), JOURNAL_END);
	journal_fini(&journal);
}

/* Users choose how big a class is: a few big ones push out the older changes. */
static void
big_classes_shorten_the_journal(void)
{
	struct world *w = world_new(W_NODE("n1", "", "")
		W_NODE_STATUS("n2", "", "", "allocatable: {x.io/gpu: 8}"));
	struct cluster *cluster = w->cluster;
	sym gpu = sym_intern("x.io/gpu");
	uint32_t n2 = world_node(w, "n2")->index;
	size_t room = 3 << 20;
	char *text = xmalloc(room);
	uint64_t before = cluster->journal.end;
	struct cursor cursor = journal_end(&cluster->journal);
	const struct node_change *change = NULL;

	t_int("no pod yet", cluster_scalar_column(cluster, gpu)->used[n2], 0);
	world_put(w, W_POD("first", "", "n2", W_REQUESTS("x.io/gpu: 1")));
	for (unsigned i = 0; i < 40; i++) {
		char *end = text +
		    sprintf(text,
			"--- {kind: Pod, metadata: "
			"{name: p%u, namespace: d, uid: p%u, labels: {",
			i, i);
		struct pod *pod;

		for (unsigned k = 0; k < 60000; k++)
			end += sprintf(end, "l%u: v%u,", k, i);
		sprintf(end, "}}, spec: {nodeName: n1}}");
		pod = world_decode_pod(text);
		cluster_put(cluster, &pod->object);
		pod_unref(pod);
	}
	t_int("changes", cluster->journal.end - before, 41);
	t_int("what was forgotten is read again",
	    cluster_scalar_column(cluster, gpu)->used[n2], 1);
	t_int("some are forgotten",
	    journal_next(&cluster->journal, &cursor, &change), JOURNAL_RESET);
	t_int("and the reader begins again",
	    journal_next(&cluster->journal, &cursor, &change), JOURNAL_END);
	t_true("no more than so many bytes",
	    cluster->journal.bytes <= JOURNAL_BYTES);
	cluster_forget_caches(cluster);
	t_int("none are left", cluster->journal.bytes, 0);
	free(text);
	world_free(w);
}

T_MAIN(T(cursors_see_each_change_once), T(big_classes_shorten_the_journal),
    T(a_csi_node_that_says_something_new_changes_its_node),
    T(pods_come_and_go_by_class), T(labels_change_when_a_node_gets_others),
    T(services_that_say_nothing_new_are_no_change),
    T(topologies_with_many_small_domains_are_fine),
    T(the_lowest_priority_of_a_node_is_known))
