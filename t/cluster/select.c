/*
 * Selections and terms found through indexes are those that a look at every pod
 * finds, whatever comes, goes and changes.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/xmalloc.h"
#include "cluster/cluster.h"
#include "cluster/index.h"
#include "cluster/index_internal.h"
#include "cluster/select.h"
#include "cluster/selector_index.h"
#include "cluster/term_index.h"
#include "cluster/term_scope.h"
#include "objects/selector.h"
#include "objects/workload.h"
#include "t/lib/t.h"
#include "t/lib/world.h"

#define PODS 1500
#define STEPS 600

static uint64_t state;
static unsigned nodes; /* in few domains terms are added up, in many walked */

static unsigned
any(unsigned n)
{
	return t_any(&state, n);
}

static const char *
selector(void)
{
	static const char *const expressions[] = {
		"{key: a, operator: In, values: [p, q, p]}",
		"{key: a, operator: In, values: [q]}",
		"{key: b, operator: NotIn, values: [p, r]}",
		"{key: b, operator: NotIn, values: [q]}",
		"{key: c, operator: Exists}",
		"{key: c, operator: DoesNotExist}",
		"{key: a, operator: NotIn, values: [r]}",
		"{key: d, operator: In, values: [q, r]}",
	};
	static char text[512];
	size_t n = 0;

	n = (size_t)sprintf(text, "matchExpressions: [");
	for (unsigned i = any(4); i > 0; i--)
		n += (size_t)sprintf(text + n, "%s,",
		    expressions[any(LENGTH(expressions))]);
	sprintf(text + n, "]");
	return text;
}

static const char *
term(void)
{
	static const char *const namespaces[] = { "", "namespaces: [n1],",
		"namespaces: [n0, n1, n0],", "namespaces: [n2]," };
	static const char *const keys[] = { "host", "zone", "rack", "none" };
	static const char *const selectors[] = { "", "", "",
		"namespaceSelector: {},",
		"namespaceSelector: {matchLabels: {a: p}},",
		"namespaceSelector: {matchLabels: {a: q, b: p}},",
		"namespaceSelector: {matchExpressions: [{key: a, operator: In,"
		" values: [p, q, p]}]},",
		"namespaceSelector: {matchExpressions: [{key: c, operator:"
		" Exists}]},",
		"namespaceSelector: {matchExpressions: [{key: a, operator:"
		" NotIn, values: [p]}]}," };
	static char text[1024];

	sprintf(text, "{labelSelector: {%s}, %s %s topologyKey: %s}",
	    selector(), namespaces[any(LENGTH(namespaces))],
	    selectors[any(LENGTH(selectors))], keys[any(LENGTH(keys))]);
	return text;
}

#define LATER "DuringSchedulingIgnoredDuringExecution"

static char *
affinity(const char *kind)
{
	char *text = xasprintf("%s: {", kind), *longer;

	if (any(3) == 0) {
		longer = xasprintf("%srequired" LATER ": [%s],", text, term());
		free(text);
		text = longer;
	}
	if (any(2) == 0) {
		longer = xasprintf("%spreferred" LATER
				   ": [{weight: %u, podAffinityTerm: %s},",
		    text, 1 + any(100), term());
		free(text);
		text = longer;
		longer = xasprintf("%s{weight: %u, podAffinityTerm: %s}],",
		    text, 1 + any(100), term());
		free(text);
		text = longer;
	}
	longer = xasprintf("%s},", text);
	free(text);
	return longer;
}

static char *
labels(void)
{
	char text[128] = "";

	for (const char *key = "abcd"; *key != '\0'; key++)
		if (any(3) > 0)
			sprintf(text + strlen(text), "%c: %c,", *key,
			    "pqr"[any(3)]);
	return xstrdup(text);
}

/* node: "" for none */
static char *
pod(unsigned i, const char *node)
{
	AUTOFREE char *worn = labels(), *like = affinity("podAffinity"),
		      *avoid = affinity("podAntiAffinity");

	return xasprintf("--- {kind: Pod, metadata: {namespace: n%u, name: p%u,"
			 " uid: p%u, labels: {%s}%s}, spec: {nodeName: '%s',"
			 " affinity: {%s %s}}}\n",
	    i % 3, i, i, worn,
	    any(8) == 0 ? ", deletionTimestamp: '2020-01-01T00:00:00Z'" : "",
	    node, any(2) ? like : "", any(2) ? avoid : "");
}

static void
change(struct world *w)
{
	unsigned i = any(PODS), n = any(nodes);
	AUTOFREE char *node = xasprintf("node%u", n), *text = NULL;
	AUTOFREE char *worn = labels();

	switch (any(11)) {
	case 10:
		text = xasprintf("--- {kind: Namespace, metadata: {name: n%u,"
				 " labels: {%s}}}\n",
		    i % 3, worn);
		if (any(4) == 0)
			world_remove(w, text);
		else
			world_put(w, text);
		return;
	case 0:
		text = xasprintf("--- {kind: Node, metadata: {name: node%u,"
				 " labels: {host: h%u, zone: z%u%s}}}\n",
		    n, n, any(3), any(3) ? "" : ", rack: r");
		world_put(w, text);
		return;
	case 1:
		if (any(8) > 0)
			return;
		text = xasprintf("--- {kind: Node, metadata: {name: node%u}}\n",
		    n);
		world_remove(w, text);
		return;
	case 2:
	case 3:
	case 4:
		text = xasprintf("--- {kind: Pod, metadata: {namespace: n%u,"
				 " name: p%u, uid: p%u}}\n",
		    i % 3, i, i);
		world_remove(w, text);
		return;
	default:
		text = pod(i, node);
		world_put(w, text);
	}
}

static void
walk(const struct class_info *info, const struct topology *t, int64_t weight,
    int64_t *sums)
{
	for (uint32_t i = 0; i < info->npods; i++) {
		uint32_t domain = topology_domain(t, info->nodes[i]);

		if (domain != DOMAIN_NONE)
			sums[domain] += weight;
	}
}

/* By a look at every pod. */
static void
look(struct cluster *cluster, sym namespace, const struct selector *s, bool all,
    const struct topology *t, int64_t weight, int64_t *sums)
{
	for (size_t i = 0; i < cluster->nclasses; i++) {
		struct class_info *info = cluster->class_list[i];

		if (info->class->namespace == namespace &&
		    (all || !info->class->terminating) &&
		    selector_matches(s, &info->class->labels))
			walk(info, t, weight, sums);
	}
}

struct sums {
	struct map by_topology; /* int64_t array */
};

static int64_t *
sums_of(void *arg, const struct topology *t)
{
	struct sums *s = arg;
	int64_t *sums = map_get(&s->by_topology, (uintptr_t)t);

	if (sums == NULL) {
		sums = xcalloc(t->ndomains + 1, sizeof(*sums));
		map_put(&s->by_topology, (uintptr_t)t, sums);
	}
	return sums;
}

static void
sums_fini(struct sums *s)
{
	for (size_t i = 0; i < s->by_topology.nslots; i++)
		free(s->by_topology.slots[i].value);
	map_fini(&s->by_topology);
}

static bool
same_sums(struct cluster *cluster, struct sums *a, struct sums *b)
{
	static const char *const keys[] = { "host", "zone", "rack" };

	for (size_t i = 0; i < LENGTH(keys); i++) {
		const struct topology *t =
		    cluster_topology(cluster, sym_intern(keys[i]));

		if (memcmp(sums_of(a, t), sums_of(b, t),
			t->ndomains * sizeof(int64_t)) != 0)
			return false;
	}
	return true;
}

static void
look_at_terms(struct cluster *cluster, const struct pod_class *class,
    struct class_info *info, const struct term_weights *w, bool by_labels,
    struct sums *sums)
{
	const struct pod_terms *like = &info->class->affinity;
	const struct pod_terms *avoid = &info->class->anti_affinity;
	const struct {
		uint32_t n;
		const struct pod_term *terms;
		int64_t fixed, factor;
	} lists[] = {
		{ like->nrequired, like->required, w->required_affinity, 0 },
		{ avoid->nrequired, avoid->required, w->required_anti_affinity,
		    0 },
		{ like->npreferred, like->preferred, 0, w->preferred },
		{ avoid->npreferred, avoid->preferred, 0, -w->preferred },
	};

	for (size_t i = 0; i < LENGTH(lists); i++)
		for (uint32_t j = 0; j < lists[i].n; j++) {
			const struct pod_term *term = &lists[i].terms[j];
			const struct topology *t =
			    cluster_topology(cluster, term->topology_key);

			if (by_labels ?
				cluster_term_matches(cluster, term, class) :
				pod_term_matches(term, class))
				walk(info, t,
				    lists[i].fixed +
					lists[i].factor * term->weight,
				    sums_of(sums, t));
		}
}

static bool
terms_agree(struct world *w, const struct pod_class *class)
{
	struct term_weights weights = { any(3), any(3), any(2) };
	struct sums found = { 0 }, wanted = { 0 };
	bool same, by_labels = any(40) > 0; /* a change rebuilds the index */

	cluster_sum_terms(w->cluster, class, &weights, by_labels, sums_of,
	    &found);
	for (size_t i = 0; i < w->cluster->nclasses; i++)
		look_at_terms(w->cluster, class, w->cluster->class_list[i],
		    &weights, by_labels, &wanted);
	same = same_sums(w->cluster, &found, &wanted);
	sums_fini(&found);
	sums_fini(&wanted);
	return same;
}

/* As kube-scheduler: a selector that nothing satisfies is about all. */
static bool
is_about(const struct cluster *cluster, const struct pod_term *own,
    const struct pod_class *class)
{
	static const struct labels none;

	return selector_matches(&own->selector, &class->labels) &&
	    (cluster_term_matches(cluster, own, class) ||
		(own->selects_namespaces &&
		    selector_matches(&own->namespace_selector, &none)));
}

static bool
own_terms_agree(struct world *w, const struct pod_class *class)
{
	struct arena arena = ARENA_INIT;
	const struct topology *t =
	    cluster_topology(w->cluster, sym_intern("zone"));
	struct pod_terms own =
	    cluster_own_terms(w->cluster, &arena, &class->affinity, true);
	size_t size = (t->ndomains + 1) * sizeof(int64_t);
	AUTOFREE int64_t *found = xcalloc(1, size);
	AUTOFREE int64_t *wanted = xcalloc(1, size);
	bool same;

	for (uint32_t i = 0; i < own.npreferred; i++) {
		const struct pod_term *term = &class->affinity.preferred[i];

		cluster_select_term(w->cluster, &own.preferred[i], t, 1, found);
		for (size_t j = 0; j < w->cluster->nclasses; j++) {
			struct class_info *info = w->cluster->class_list[j];

			if (is_about(w->cluster, term, info->class))
				walk(info, t, 1, wanted);
		}
	}
	same = memcmp(found, wanted, size) == 0;
	arena_fini(&arena);
	return same;
}

static bool
selections_agree(struct world *w, const struct pod_class *class)
{
	static const char *const keys[] = { "host", "zone", "rack", "none" };
	const struct pod_terms *terms = &class->anti_affinity;
	bool same = true;

	for (uint32_t i = 0; i < terms->npreferred; i++) {
		const struct selector *s = &terms->preferred[i].selector;
		const struct topology *t = cluster_topology(w->cluster,
		    sym_intern(keys[any(LENGTH(keys))]));
		size_t size = (t->ndomains + 1) * sizeof(int64_t);
		AUTOFREE int64_t *found = xcalloc(1, size);
		AUTOFREE int64_t *wanted = xcalloc(1, size);
		uint32_t n = w->cluster->nnodes;
		const uint32_t *counts;
		uint64_t version;
		AUTOFREE int64_t *by_node = xcalloc(n, sizeof(*by_node));

		cluster_select(w->cluster, class->namespace, s, t, 3, found);
		look(w->cluster, class->namespace, s, true, t, 3, wanted);
		same = same && memcmp(found, wanted, size) == 0;
		counts = cluster_count_selected(w->cluster, class->namespace, s,
		    &version);
		look(w->cluster, class->namespace, s, false,
		    cluster_topology(w->cluster, SYM_NONE), 1, by_node);
		for (uint32_t j = 0; j < n; j++)
			same = same &&
			    (counts != NULL ? counts[j] : 0) == by_node[j];
	}
	return same;
}

static void
indexes_find_what_a_look_at_every_pod_finds(void)
{
	static const unsigned sizes[] = { 12, 300, 3000 };

	for (unsigned seed = 0; seed < LENGTH(sizes); seed++) {
		struct world *w = world_new("");
		unsigned nterms = 0, nselections = 0, nown = 0;

		state = seed + 1;
		nodes = sizes[seed];
		for (unsigned i = 0; i < 3 * PODS; i++)
			change(w);
		for (unsigned i = 0; i < STEPS; i++) {
			AUTOFREE char *text = pod(PODS, "");
			struct pod *asked = world_decode_pod(text);

			change(w);
			nterms += !terms_agree(w, asked->class);
			nselections += !selections_agree(w, asked->class);
			nown += !own_terms_agree(w, asked->class);
			pod_unref(asked);
		}
		t_true("enough classes to be indexed",
		    w->cluster->nclasses > 3 * 256);
		t_int("terms that differ", nterms, 0);
		t_int("selections that differ", nselections, 0);
		t_int("terms of the pod itself that differ", nown, 0);
		world_free(w);
	}
}

/* Users choose topology keys: those that no node has cost nothing. */
static void
unknown_topologies_share_one(void)
{
	struct world *w = world_new(W_NODE("n1", "zone: a", ""));
	const struct topology *none =
	    cluster_topology(w->cluster, sym_intern("k0"));
	char key[16];

	for (int i = 1; i < 100; i++) {
		snprintf(key, sizeof(key), "k%d", i);
		t_true("the same",
		    cluster_topology(w->cluster, sym_intern(key)) == none);
	}
	t_int("no domains", none->ndomains, 0);
	t_true("another",
	    cluster_topology(w->cluster, sym_intern("zone")) != none);
	world_put(w, W_NODE("n1", "k1: a", ""));
	t_true("known now",
	    cluster_topology(w->cluster, sym_intern("k1")) != none);
	t_true("no longer known",
	    cluster_topology(w->cluster, sym_intern("zone")) == none);
	t_int("topologies", w->cluster->topologies.n, 2);
	world_free(w);
}

/* All services that match are among those that may, in their order. */
static void
compare_services(struct world *w)
{
	const struct namespace_info *ns =
	    cluster_namespace(w->cluster, sym_intern("default"));
	const struct labels *labels = &w->cycle.class->labels;
	struct arena arena = ARENA_INIT;
	struct maybe_selecting some =
	    selecting_workloads(ns, SELECTING_SERVICES, labels, 0, &arena);
	size_t at = 0;

	for (size_t i = 0; i < ns->lists[SELECTING_SERVICES].n; i++) {
		bool is_in = at < some.n && some.at[at] == i;

		if (selector_matches(&workload_at(ns, SELECTING_SERVICES, i)
					  ->selector,
			labels))
			t_true("one that matches", is_in);
		at += is_in;
	}
	t_int("in their order, each once", at, some.n);
	arena_fini(&arena);
}

static void
put_service(struct world *w)
{
	static const char *const selectors[] = { "app: a, tier: x", "app: b",
		"tier: x", "tier: z, app: a", "app: ''", "",
		"app: 'not valid!'" };
	char text[256];

	snprintf(text, sizeof(text),
	    "--- {kind: Service, metadata: {namespace: default, name: s%u}, "
	    "spec: {selector: {%s}}}",
	    any(60), selectors[any(LENGTH(selectors))]);
	if (any(4) == 0)
		world_remove(w, text);
	else
		world_put(w, text);
}

static void
services_are_found_by_labels(void)
{
	static const char *const pods[] = {
		W_POD("p", "app: a", "", ""),
		W_POD("p", "tier: z, app: a", "", ""),
		W_POD("p", "app: b, tier: x, other: a", "", ""),
		W_POD("p", "app: ''", "", ""),
		W_POD("p", "", "", ""),
	};
	struct world *w = world_new("");

	state = 7;
	for (unsigned i = 0; i < 40; i++)
		put_service(w);
	for (unsigned i = 0; i < 200; i++) {
		put_service(w);
		world_pod(w, pods[any(LENGTH(pods))]);
		compare_services(w);
	}
	world_free(w);
}

/* Users choose how many there are. */
static void
too_many_selectors_are_not_looked_at(void)
{
	struct world *w = world_new("");
	struct arena arena = ARENA_INIT;
	const char *namespace = "default";

	world_pod(w, W_POD("p", "app: a", "", ""));
	for (unsigned i = 0; i <= WORKLOAD_REQUIREMENTS_MAX; i++) {
		bool last = i == WORKLOAD_REQUIREMENTS_MAX;
		struct maybe_selecting some;
		char text[256];

		snprintf(text, sizeof(text),
		    "--- {kind: ReplicaSet, metadata: {namespace: default, "
		    "name: r%u}, spec: {selector: {matchExpressions: "
		    "[{key: x%u, operator: DoesNotExist}]}}}",
		    i, i);
		world_put(w, text);
		if (i + 1 < WORKLOAD_REQUIREMENTS_MAX)
			continue;
		some = selecting_workloads(cluster_namespace(w->cluster,
					       sym_intern(namespace)),
		    SELECTING_REPLICA_SETS, &w->cycle.class->labels, 0, &arena);
		t_int("too many", some.too_many, last);
		t_int("of them", some.n, last ? 0 : i + 1);
	}
	arena_fini(&arena);
	world_free(w);
}

/* It is found by its first labels, and then is one too many. */
static void
a_selector_that_is_too_long_is_not_looked_at(void)
{
	struct world *w = world_new("");
	struct arena arena = ARENA_INIT;
	struct maybe_selecting some;
	struct text text = { 0 };

	text_put(&text,
	    "--- {kind: Service, metadata: {namespace: default, "
	    "name: s}, spec: {selector: {app: a");
	for (unsigned i = 0; i < SELECTOR_REQUIREMENTS_MAX; i++) {
		AUTOFREE char *pair = xasprintf(", x%u: y", i);

		text_put(&text, pair);
	}
	text_put(&text, "}}}");
	world_put(w, text.bytes);
	for (unsigned i = 0; i < 2; i++) {
		world_pod(w,
		    i == 0 ? W_POD("p", "app: b", "", "") :
			     W_POD("q", "app: a", "", ""));
		some = selecting_workloads(cluster_namespace(w->cluster,
					       sym_intern("default")),
		    SELECTING_SERVICES, &w->cycle.class->labels, 0, &arena);
		t_int("too many", some.too_many, i == 1);
		t_int("none", some.n, 0);
	}
	text_fini(&text);
	arena_fini(&arena);
	world_free(w);
}

/* The loop in vectors, the rest of it, and weights beyond 32 bits. */
static void
counts_are_added_by_weight(void)
{
	static const int64_t weights[] = { 0, 1, -1, 100, -100, INT32_MAX,
		-(int64_t)INT32_MAX, INT32_MIN, INT64_C(1) << 40,
		-(INT64_C(1) << 40) };
	uint32_t counts[37];
	int64_t sums[37];

	for (uint32_t i = 0; i < LENGTH(counts); i++)
		counts[i] = i % 5 == 4 ? UINT32_MAX / 1000 : i;
	for (size_t w = 0; w < LENGTH(weights); w++)
		for (uint32_t n = 0; n <= LENGTH(counts); n++) {
			bool right = true;

			for (uint32_t i = 0; i < LENGTH(sums); i++)
				sums[i] = (int64_t)i - 18;
			add_counts(sums, counts, n, weights[w]);
			for (uint32_t i = 0; i < LENGTH(sums); i++)
				right = right &&
				    sums[i] ==
					(int64_t)i - 18 +
					    (i < n ? weights[w] *
							(int64_t)counts[i] :
						     0);
			t_true("sums", right);
		}
}

/* Requirements that hold for all pods of the namespace are not compared with each. */
static void
what_all_satisfy_is_not_compared(void)
{
	static const struct {
		const char *name, *selector;
		int64_t want;
		uint64_t compared;
	} rows[] = {
		{ "keys that none has",
		    "{key: a, operator: Exists}, {key: x, operator: "
		    "DoesNotExist}, {key: none, operator: NotIn, values: [z]}",
		    100, 0 },
		{ "a key that none has", "{key: x, operator: Exists}", 0, 0 },
		{ "a value that all have",
		    "{key: a, operator: In, values: [b]}, {key: id, operator: "
		    "In, values: [i7, i8]}",
		    2, 2 },
		{ "one that some have",
		    "{key: a, operator: Exists}, {key: odd, operator: "
		    "DoesNotExist}, {key: a, operator: NotIn, values: [c]}",
		    50, 0 },
	};
	struct world *w = world_new(W_NODE("n1", "host: h", ""));

	for (unsigned i = 0; i < 100; i++) {
		AUTOFREE char *pod = xasprintf(
		    W_OBJECT("Pod",
			"namespace: default, name: p%u, uid: p%u, labels: "
			"{a: b, id: i%u%s}",
			"spec: {nodeName: n1}"),
		    i, i, i, i % 2 ? ", odd: 'yes'" : "");

		world_put(w, pod);
	}
	for (size_t i = 0; i < LENGTH(rows); i++) {
		AUTOFREE char *text = xasprintf(
		    W_OBJECT("Pod", "namespace: default, name: q",
			"spec: {affinity: {podAffinity: {"
			"requiredDuringSchedulingIgnoredDuringExecution: [{"
			"topologyKey: host, labelSelector: {matchExpressions: "
			"[%s]}}]}}}"),
		    rows[i].selector);
		const struct topology *t =
		    cluster_topology(w->cluster, sym_intern("host"));
		int64_t sum = 0;

		world_pod(w, text);
		w->cluster->compared = 0;
		cluster_select(w->cluster, sym_intern("default"),
		    &w->pod->class->affinity.required[0].selector, t, 1, &sum);
		t_int(rows[i].name, sum, rows[i].want);
		t_int("compared", w->cluster->compared, rows[i].compared);
	}
	world_free(w);
}

static int64_t *
sums_here(void *sums, const struct topology *topology)
{
	return sums;
}

/* Labels of a node that no term is about leave the index of terms as it is; others move
 * the node's pods. */
static void
labels_of_a_node_move_its_pods_alone(void)
{
	static const struct {
		const char *name, *labels;
		bool kept;
		int64_t want; /* in the domain of the node */
	} rows[] = {
		{ "a key that no term has", "zone: a, rack: r", true, 10 },
		{ "it is gone again", "zone: a", true, 10 },
		{ "another zone", "zone: b", true, 10 },
		{ "the zone of others", "zone: c", true, 20 },
		{ "back", "zone: a", true, 10 },
		{ "a key that a term waits for", "zone: a, wanted: w", false,
		    10 },
		{ "it is gone again", "zone: a", false, 10 },
	};
	static const struct term_weights weights = { .required_anti_affinity =
							 1 };
	struct world *w =
	    world_new(W_NODE("n1", "zone: a", "") W_NODE("n2", "zone: c", ""));
	const struct term_index *before;

	for (unsigned i = 0; i < 20; i++) {
		AUTOFREE char *pod = xasprintf(
		    W_OBJECT("Pod",
			"namespace: default, name: p%u, uid: p%u, labels: "
			"{id: i%u}",
			"spec: {nodeName: n%u, affinity: {podAntiAffinity: {"
			"requiredDuringSchedulingIgnoredDuringExecution: [{"
			"topologyKey: zone, labelSelector: {matchLabels: {app: "
			"x}}}, {topologyKey: wanted, labelSelector: "
			"{matchLabels: {app: x}}}]}}}"),
		    i, i, i, 1 + i % 2);

		world_put(w, pod);
	}
	for (unsigned i = 0; i < 200; i++) {
		AUTOFREE char *pod = xasprintf(
		    W_OBJECT("Pod",
			"namespace: default, name: y%u, uid: y%u, labels: "
			"{app: z}",
			"spec: {nodeName: n%u}"),
		    i, i, 1 + i % 2);

		world_put(w, pod);
	}
	world_pod(w, W_POD("x", "app: x", "", ""));
	for (size_t i = 0; i < LENGTH(rows); i++) {
		AUTOFREE char *node =
		    xasprintf(W_NODE("n1", "%s", ""), rows[i].labels);
		int64_t sums[8] = { 0 };
		const struct topology *t;

		cluster_sum_terms(w->cluster, w->pod->class, &weights, true,
		    sums_here, sums);
		before = w->cluster->term_index;
		world_put(w, node);
		t_true(rows[i].name,
		    (w->cluster->term_index == before) == rows[i].kept);
		memset(sums, 0, sizeof(sums));
		cluster_sum_terms(w->cluster, w->pod->class, &weights, true,
		    sums_here, sums);
		t = cluster_topology(w->cluster, sym_intern("zone"));
		if (i >= 5)
			continue;
		t_int(rows[i].name,
		    sums[topology_domain(t, world_node(w, "n1"))],
		    rows[i].want);
		for (size_t c = 0; c < w->cluster->nclasses; c++) {
			struct class_info *info = w->cluster->class_list[c];
			int64_t wanted[8] = { 0 };

			memset(sums, 0, sizeof(sums));
			class_accumulate(w->cluster, info, t, 1, sums);
			walk(info, t, 1, wanted);
			t_true("pods of a class",
			    memcmp(sums, wanted, sizeof(sums)) == 0);
		}
	}
	world_free(w);
}

/* A term that names a namespace and selects some counts once, whatever their labels are;
 * these leave the index of terms as it is. */
static void
labels_of_a_namespace_leave_the_terms(void)
{
	static const struct {
		const char *labels;
		int64_t want;
	} rows[] = { { "a: p", 2 }, { "a: q", 1 }, { "a: p, b: p", 3 },
		{ "a: p", 2 }, { "b: p", 1 } };
	static const struct term_weights weights = { .required_anti_affinity =
							 1 };
	struct world *w = world_new(W_NODE("n1", "zone: a", "") W_OBJECT("Pod",
	    "namespace: other, name: p, uid: p",
	    "spec: {nodeName: n1, affinity: {podAntiAffinity: {"
	    "requiredDuringSchedulingIgnoredDuringExecution: ["
	    "{topologyKey: zone, labelSelector: {}, namespaces: [default], "
	    "namespaceSelector: {matchLabels: {a: p}}}, "
	    "{topologyKey: zone, labelSelector: {}, "
	    "namespaceSelector: {matchLabels: {a: p}}}, "
	    "{topologyKey: zone, labelSelector: {}, "
	    "namespaceSelector: {matchLabels: {a: p, b: p}}}]}}}"));
	const struct term_index *before = NULL;

	world_pod(w, W_POD("x", "app: x", "", ""));
	for (size_t i = 0; i < LENGTH(rows); i++) {
		AUTOFREE char *namespace =
		    xasprintf(W_OBJECT("Namespace",
				  "name: default, labels: {%s}", ""),
			rows[i].labels);
		int64_t sums[8] = { 0 };

		world_put(w, namespace);
		t_true("the index is kept",
		    before == NULL || w->cluster->term_index == before);
		cluster_sum_terms(w->cluster, w->pod->class, &weights, true,
		    sums_here, sums);
		before = w->cluster->term_index;
		t_int(rows[i].labels,
		    sums[topology_domain(cluster_topology(w->cluster,
					     sym_intern("zone")),
			world_node(w, "n1"))],
		    rows[i].want);
	}
	world_free(w);
}

T_MAIN(T(counts_are_added_by_weight),
    T(indexes_find_what_a_look_at_every_pod_finds),
    T(unknown_topologies_share_one), T(services_are_found_by_labels),
    T(too_many_selectors_are_not_looked_at),
    T(a_selector_that_is_too_long_is_not_looked_at),
    T(what_all_satisfy_is_not_compared),
    T(labels_of_a_node_move_its_pods_alone),
    T(labels_of_a_namespace_leave_the_terms))
