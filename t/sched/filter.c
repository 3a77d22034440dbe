/*
 * The filter stage: pods nominated to a node are tried in two passes, the first
 * refusal ends a node unless the policy asks for all of them, and a sample ends
 * once enough nodes fit.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/xmalloc.h"
#include "decide/sched/decide.h"
#include "decide/sched/filter.h"
#include "decide/ecache/ecache.h"
#include "decide/framework/profile.h"
#include "t/lib/profile.h"
#include "t/lib/t.h"
#include "t/lib/world.h"

#define NODE W_NODE("n1", "host: h1, zone: a", "")
#define POD(priority, labels, spec)                                            \
	W_OBJECT("Pod", "namespace: default, name: p, labels: {" labels "}",   \
	    "spec: {priority: " priority ", " spec "}")
/* Waits, and has room reserved on n1. */
#define NOMINATED(name, priority, labels, spec)                                \
	W_OBJECT("Pod",                                                        \
	    "namespace: default, name: " name ", labels: {" labels "}",        \
	    "spec: {priority: " priority ", " spec "},"                        \
	    " status: {nominatedNodeName: n1}")
#define CPU(n) W_REQUESTS("cpu: " n)
#define TERM(key)                                                              \
	"requiredDuringSchedulingIgnoredDuringExecution: [{labelSelector: "    \
	"{matchLabels: {app: web}}, topologyKey: " key "}]"
#define NEAR(key) "affinity: {podAffinity: {" TERM(key) "}}"
#define AWAY(key) "affinity: {podAntiAffinity: {" TERM(key) "}}"
#define PORT "containers: [{name: c, ports: [{hostPort: 80}]}]"

#define SHORT "Insufficient cpu"
#define NOT_NEAR                                                               \
	"node(s) didn't match pod affinity/anti-affinity; "                    \
	"node(s) didn't match pod affinity rules"
#define NOT_AWAY                                                               \
	"node(s) didn't match pod affinity/anti-affinity; "                    \
	"node(s) didn't match pod anti-affinity rules"
#define NOT_WANTED                                                             \
	"node(s) didn't match pod affinity/anti-affinity; "                    \
	"node(s) didn't satisfy existing pods anti-affinity rules"
#define NO_PORT "node(s) didn't have free ports for the requested pod ports"
#define TAINTED "node(s) had taints that the pod didn't tolerate"
#define CLOSED "node(s) were unschedulable"

#define ALWAYS ",\"alwaysCheckAllPredicates\":true"

/* The n reasons as one text in the arena. */
static const char *
joined(struct arena *arena, const char *const *reasons, size_t n)
{
	const char *text = "";

	for (size_t i = 0; i < n; i++)
		text = arena_printf(arena, "%s%s%s", text, i > 0 ? "; " : "",
		    reasons[i]);
	return text;
}

struct row {
	const char *name, *objects, *pod;
	enum verdict verdict;
	const char *why;
};

/* One node alone, and a decision without and with cached results, must agree.
 */
static void
check_row(const struct row *row, const struct profile *profile)
{
	struct world *w = world_new(row->objects);
	struct ecache *ecache =
	    ecache_new(w->cluster, profile, ECACHE_BYTES_DEFAULT);
	const struct node_info *node = world_node(w, "n1");
	struct why why = { .arena = &w->arena };

	world_pod(w, row->pod);
	w->cycle.profile = profile;
	t_int(row->name,
	    filter_node(filter_new(&w->cycle), node,
		profile->always_check_all_predicates, &why),
	    row->verdict);
	t_str(row->name, joined(&w->arena, why.reasons, why.n), row->why);
	for (int i = 0; i < 3; i++) {
		struct decision *d;
		const struct node_verdict *v;

		world_pod(w, row->pod);
		w->cycle.profile = profile;
		w->cycle.ecache = i > 0 ? ecache : NULL;
		d = decide(&w->cycle);
		decision_spell_out(&w->cycle, d);
		v = &d->verdicts[node->index];
		t_int(row->name, v->verdict, row->verdict);
		t_str(row->name,
		    joined(&w->arena,
			v->nreasons > 0 ? &d->why.reasons[v->first_reason] :
					  NULL,
			v->nreasons),
		    row->why);
	}
	ecache_free(ecache);
	world_free(w);
}

static void
check_rows(const char *policy, size_t n, const struct row *rows)
{
	struct profile *profile = t_profile(policy, NULL);

	for (size_t i = 0; i < n; i++)
		check_row(&rows[i], profile);
	profile_free(profile);
}

static void
pods_fit_with_and_without_those_nominated(void)
{
	/* clang-format off */
	static const struct row rows[] = {
		{ "none is nominated", NODE, POD("5", "", CPU("4")), FITS, "" },
		{ "one of higher priority takes its room",
		    NODE NOMINATED("q", "9", "", CPU("3")),
		    POD("5", "", CPU("2")), UNFIT, SHORT },
		{ "so does one of equal priority",
		    NODE NOMINATED("q", "5", "", CPU("3")),
		    POD("5", "", CPU("2")), UNFIT, SHORT },
		{ "one of lower priority does not",
		    NODE NOMINATED("q", "4", "", CPU("3")),
		    POD("5", "", CPU("2")), FITS, "" },
		{ "nor does the pod itself",
		    NODE NOMINATED("p", "5", "", CPU("3")),
		    POD("5", "", CPU("2")), FITS, "" },
		{ "nor one nominated to another node",
		    NODE W_NODE("n2", "", "")
		    W_OBJECT("Pod", "namespace: default, name: q",
			"spec: {priority: 9, " CPU("3") "},"
			" status: {nominatedNodeName: n2}"),
		    POD("5", "", CPU("2")), FITS, "" },
		{ "room for both", NODE NOMINATED("q", "9", "", CPU("2")),
		    POD("5", "", CPU("2")), FITS, "" },
		{ "two together take too much",
		    NODE NOMINATED("q", "9", "", CPU("1"))
		    NOMINATED("r", "5", "", CPU("2")),
		    POD("5", "", CPU("2")), UNFIT, SHORT },
		{ "of two, the lesser one does not count",
		    NODE NOMINATED("q", "9", "", CPU("1"))
		    NOMINATED("r", "4", "", CPU("2")),
		    POD("5", "", CPU("2")), FITS, "" },
		{ "a refusal in both passes is given once",
		    NODE NOMINATED("q", "9", "", CPU("1")),
		    POD("5", "", CPU("5")), UNFIT, SHORT },
		{ "its host port is taken", NODE NOMINATED("q", "9", "", PORT),
		    POD("5", "", PORT), UNFIT, NO_PORT },
		{ "the pod's own anti-affinity sees pods with a node alone",
		    NODE NOMINATED("q", "9", "app: web", ""),
		    POD("5", "", AWAY("zone")), FITS, "" },
		{ "it avoids the pod",
		    NODE NOMINATED("q", "9", "", AWAY("zone")),
		    POD("5", "app: web", ""), UNFIT, NOT_WANTED },
		{ "it may go elsewhere, so affinity to it is not enough",
		    NODE NOMINATED("q", "9", "app: web", ""),
		    POD("5", "", NEAR("zone")), UNFIT_FOREVER, NOT_NEAR },
		{ "affinity to a pod that is there is",
		    NODE NOMINATED("q", "9", "app: web", "")
		    W_POD("r", "app: web", "n1", ""),
		    POD("5", "", NEAR("zone")), FITS, "" },
	};
	/* clang-format on */

	check_rows(T_POLICY(""), LENGTH(rows), rows);
}

#define BAD_NODE                                                               \
	W_NODE("n1", "zone: a",                                                \
	    "unschedulable: true, taints: [{key: k, effect: NoSchedule}]")

static void
the_first_refusal_ends_a_node(void)
{
	/* clang-format off */
	static const struct row rows[] = {
		{ "in the fixed order", BAD_NODE, POD("5", "", CPU("5")),
		    UNFIT_FOREVER, CLOSED },
		{ "nothing refuses", NODE, POD("5", "", CPU("4")), FITS, "" },
		{ "one refuses", NODE, POD("5", "", CPU("5")), UNFIT, SHORT },
	};
	/* clang-format on */

	check_rows(T_POLICY(""), LENGTH(rows), rows);
}

static void
all_predicates_are_checked_if_the_policy_says_so(void)
{
	/* clang-format off */
	static const struct row rows[] = {
		{ "nothing refuses", NODE, POD("5", "", CPU("4")), FITS, "" },
		{ "all reasons in the fixed order, the worst verdict",
		    BAD_NODE, POD("5", "", CPU("5")), UNFIT_FOREVER,
		    CLOSED "; " SHORT "; " TAINTED },
		{ "the worst is not the last", W_NODE("n1", "zone: a",
			"taints: [{key: k, effect: NoSchedule}]")
		    W_POD("q", "app: web", "n1", ""),
		    POD("5", "", AWAY("zone")), UNFIT_FOREVER,
		    TAINTED "; " NOT_AWAY },
		{ "with nominated pods, the second pass is left out",
		    NODE NOMINATED("q", "9", "", AWAY("zone") ", " CPU("3")),
		    POD("5", "app: web", CPU("2")), UNFIT,
		    SHORT "; " NOT_WANTED },
		{ "unless the first finds nothing",
		    NODE NOMINATED("q", "9", "app: web", ""),
		    POD("5", "", NEAR("zone")), UNFIT_FOREVER, NOT_NEAR },
	};
	/* clang-format on */

	check_rows(T_POLICY(ALWAYS), LENGTH(rows), rows);
}

/* The pods nominated to n1 count in its zone while n1 is tried, not after. */
static void
a_pass_leaves_no_trace(void)
{
	struct profile *profile = t_profile(T_POLICY(""), NULL);
	struct world *w = world_new(NODE W_NODE("n2", "host: h2, zone: a", "")
		NOMINATED("q", "9", "", AWAY("zone")));
	struct filter *filter;

	world_pod(w, POD("5", "app: web", ""));
	w->cycle.profile = profile;
	filter = filter_new(&w->cycle);
	for (int i = 0; i < 3; i++) {
		t_int("beside the nominated pod",
		    filter_node(filter, world_node(w, "n1"), false, NULL),
		    UNFIT);
		t_int("in the same zone",
		    filter_node(filter, world_node(w, "n2"), false, NULL),
		    FITS);
	}
	t_int("pods on the node", world_node(w, "n1")->npods, 0);
	world_free(w);
	profile_free(profile);
}

static void
pods_yield_to_those_as_important(void)
{
	static const struct {
		const char *name, *objects;
		bool yields;
	} rows[] = {
		{ "none is nominated", NODE, false },
		{ "higher", NODE NOMINATED("q", "6", "", ""), true },
		{ "equal", NODE NOMINATED("q", "5", "", ""), true },
		{ "lower", NODE NOMINATED("q", "4", "", ""), false },
		{ "itself", NODE NOMINATED("p", "5", "", ""), false },
		{ "one of two",
		    NODE NOMINATED("q", "4", "", "")
			NOMINATED("r", "6", "", ""),
		    true },
	};
	struct profile *profile = t_profile(T_POLICY(""), NULL);

	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct world *w = world_new(rows[i].objects);

		world_pod(w, POD("5", "", ""));
		w->cycle.profile = profile;
		t_int(rows[i].name,
		    cycle_with_nominated(&w->cycle, world_node(w, "n1")) !=
			NULL,
		    rows[i].yields);
		world_free(w);
	}
	profile_free(profile);
}

static void
a_percentage_of_nodes_is_enough(void)
{
	static const struct {
		uint32_t nodes;
		int64_t percentage;
		uint32_t want;
	} rows[] = {
		{ 0, 50, 0 },
		{ 1, 50, 1 },
		{ 99, 1, 99 },
		{ 100, 1, 100 },
		{ 101, 1, 100 },
		{ 101, 99, 100 },
		{ 199, 50, 100 },
		{ 200, 50, 100 },
		{ 202, 50, 101 },
		{ 203, 50, 101 },
		{ 1000, 0, 1000 },
		{ 1000, -1, 1000 },
		{ 1000, 1, 100 },
		{ 1000, 10, 100 },
		{ 1000, 11, 110 },
		{ 1000, 99, 990 },
		{ 1000, 100, 1000 },
		{ 1000, 101, 1000 },
		{ 5000, 33, 1650 },
		{ 100000000, 99, 99000000 },
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct cluster cluster = { .nnodes = rows[i].nodes };
		struct cycle cycle = { .cluster = &cluster,
			.percentage_of_nodes = rows[i].percentage };

		t_int("enough", filter_enough(&cycle), rows[i].want);
	}
}

/* 300 nodes of which every third is too small and every third of the others has
 * a pod nominated that leaves no room. */
static struct world *
many_nodes(void)
{
	struct world *w = world_new("");

	for (unsigned i = 0; i < 300; i++) {
		AUTOFREE char *node = xasprintf(
		    W_NODE_STATUS("n%u", "", "",
			"allocatable: {pods: 110, cpu: %u, memory: 8Gi}"),
		    i, i % 3 == 0 ? 1 : 4);
		AUTOFREE char *pod =
		    xasprintf(W_OBJECT("Pod", "namespace: default, name: q%u",
				  "spec: {priority: 9, " CPU(
				      "3") "},"
					   " status: {nominatedNodeName: n%u}"),
			i, i);

		world_put(w, node);
		if (i % 9 == 1)
			world_put(w, pod);
	}
	return w;
}

static void
samples_hold_nodes_that_fit_and_count_the_others_as_refused(void)
{
	static const struct {
		const char *name, *cpu;
		int64_t percentage;
		uint32_t fit; /* 0: nothing does, the message is checked */
		const char *message;
	} rows[] = {
		{ "as many as are enough", "2", 40, 120, "" },
		{ "never fewer than a hundred", "2", 1, 100, "" },
		{ "all that fit, where these are too few", "2", 60, 166, "" },
		{ "all of them without a percentage", "2", 0, 166, "" },
		{ "small pods fit everywhere", "1", 40, 120, "" },
		{ "large pods fit nowhere", "5", 40, 0,
		    "0/300 nodes are available: 300 Insufficient cpu." },
	};
	struct profile *profile = t_profile(T_POLICY(""), NULL);
	struct world *w = many_nodes();

	for (size_t i = 0; i < LENGTH(rows) * 20; i++) {
		const char *name = rows[i / 20].name;
		AUTOFREE char *pod =
		    xasprintf(POD("5", "", CPU("%s")), rows[i / 20].cpu);
		struct decision *d;
		struct filter *filter;
		uint32_t n = 0;

		world_pod(w, pod);
		w->cycle.profile = profile;
		w->cycle.percentage_of_nodes = rows[i / 20].percentage;
		w->cycle.seed = i % 20;
		d = decide(&w->cycle);
		t_int(name, d->nfeasible, rows[i / 20].fit);
		t_true(name, d->nexamined >= d->nfeasible);
		if (rows[i / 20].fit == 0)
			t_str(name, decision_message(&w->cycle, d),
			    rows[i / 20].message);
		decision_spell_out(&w->cycle, d);
		filter = filter_new(&w->cycle);
		for (uint32_t j = 0; j < d->nfeasible; j++)
			n += filter_node(filter,
				 w->cluster->nodes[d->feasible[j]], false,
				 NULL) == FITS;
		t_int("all of them fit", n, d->nfeasible);
		t_true("the chosen one is among them",
		    d->chosen == NULL ||
			d->verdicts[d->chosen->index].verdict == FITS);
	}
	world_free(w);
	profile_free(profile);
}

static void
a_cancelled_check_is_neither_yes_nor_no(void)
{
	struct profile *profile = t_profile(T_POLICY(""), NULL);
	struct world *w = world_new(NODE);
	struct cancellation c = { .at_look = 1 };

	world_pod(w, POD("5", "", CPU("2")));
	w->cycle.profile = profile;
	w->cycle.cancellation = &c;
	t_int("cancelled",
	    filter_node(filter_new(&w->cycle), world_node(w, "n1"), false,
		NULL),
	    BROKEN);
	world_free(w);
	profile_free(profile);
}

T_MAIN(T(pods_fit_with_and_without_those_nominated),
    T(the_first_refusal_ends_a_node),
    T(all_predicates_are_checked_if_the_policy_says_so),
    T(a_pass_leaves_no_trace), T(pods_yield_to_those_as_important),
    T(a_percentage_of_nodes_is_enough),
    T(samples_hold_nodes_that_fit_and_count_the_others_as_refused),
    T(a_cancelled_check_is_neither_yes_nor_no))
