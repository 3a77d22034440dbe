/*
 * Preemption on one node: which pods leave it, in which order, and how nodes
 * are compared by the harm that this does.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/xmalloc.h"
#include "decide/sched/filter.h"
#include "decide/framework/profile.h"
#include "decide/sched/victims.h"
#include "t/lib/profile.h"
#include "t/lib/t.h"
#include "t/lib/world.h"

#define NODE W_NODE("n1", "host: h1", "") /* four CPUs */
#define POD(spec)                                                              \
	W_OBJECT("Pod", "namespace: default, name: p, labels: {new: pod}",     \
	    "spec: {priority: 10, " spec "}")
#define CPU(n) W_REQUESTS("cpu: " n)
/* On n1; started on this day, '' for not yet. */
#define ON(name, labels, priority, start, spec)                                \
	W_OBJECT("Pod",                                                        \
	    "namespace: default, name: " name ", uid: " name                   \
	    ", labels: {" labels "}",                                          \
	    "spec: {nodeName: n1, priority: " priority ", " spec "},"          \
	    " status: {startTime: " start "}")
#define DAY(n) "'2020-01-" n "T00:00:00Z'"
#define BUDGET_IN(namespace, name, selector, allowed)                          \
	W_OBJECT("PodDisruptionBudget",                                        \
	    "namespace: " namespace ", name: " name,                           \
	    "spec: {selector: " selector "},"                                  \
	    " status: {disruptionsAllowed: " allowed "}")
#define BUDGET(selector, allowed) BUDGET_IN("default", "b", selector, allowed)
#define GUARDED "{matchLabels: {guarded: 'yes'}}"
/* Younger than the other one, so it is the victim unless a budget counts. */
#define TWO                                                                    \
	NODE ON("free", "a: b", "1", DAY("01"), CPU("2"))                      \
	    ON("guarded", "guarded: 'yes'", "1", DAY("02"), CPU("2"))
#define AWAY(label)                                                            \
	"affinity: {podAntiAffinity: {"                                        \
	"requiredDuringSchedulingIgnoredDuringExecution: [{labelSelector: "    \
	"{matchLabels: {" label "}}, topologyKey: host}]}}"
#define NEAR(label)                                                            \
	"affinity: {podAffinity: {"                                            \
	"requiredDuringSchedulingIgnoredDuringExecution: [{labelSelector: "    \
	"{matchLabels: {" label "}}, topologyKey: host}]}}"
#define PORT "containers: [{name: c, ports: [{hostPort: 80}]}]"

/* "a b", with ", 2 violations" behind it, or "never fits". */
static const char *
outcome(struct world *w, struct filter *filter)
{
	struct victims v;
	const char *text = "";

	if (!victims_find(filter, world_node(w, "n1"), &w->arena, &v, NULL))
		return "never fits";
	for (size_t i = 0; i < v.n; i++)
		text = arena_printf(&w->arena, "%s%s%s", text, i > 0 ? " " : "",
		    v.pods[i]->object.name);
	if (v.violations > 0)
		text = arena_printf(&w->arena, "%s, %u violations", text,
		    v.violations);
	return text;
}

struct row {
	const char *name, *objects, *pod, *want;
};

/* Each is found twice: a simulation leaves no trace. */
static void
check_row(const struct row *row, int release)
{
	struct profile *profile = t_profile(T_POLICY(""), NULL);
	struct world *w = world_new("");
	struct filter *filter;
	uint32_t npods;

	w->cluster->kubernetes_minor = release;
	world_put(w, row->objects);
	npods = world_node(w, "n1")->npods;
	world_pod(w, row->pod);
	w->cycle.profile = profile;
	w->cycle.simulating = true;
	filter = filter_new(&w->cycle);
	t_str(row->name, outcome(w, filter), row->want);
	t_str(row->name, outcome(w, filter), row->want);
	t_int(row->name, world_node(w, "n1")->npods, npods);
	world_free(w);
	profile_free(profile);
}

static void
check_rows(size_t n, const struct row *rows)
{
	for (size_t i = 0; i < n; i++)
		check_row(&rows[i], 15);
}

static void
no_more_pods_leave_than_have_to(void)
{
	/* clang-format off */
	static const struct row rows[] = {
		{ "an empty node", NODE, POD(CPU("4")), "" },
		{ "none has to", NODE ON("a", "", "1", DAY("01"), CPU("2")),
		    POD(CPU("2")), "" },
		{ "one of lower priority",
		    NODE ON("a", "", "9", DAY("01"), CPU("2")), POD(CPU("3")),
		    "a" },
		{ "never one of equal priority",
		    NODE ON("a", "", "10", DAY("01"), CPU("2")), POD(CPU("3")),
		    "never fits" },
		{ "nor of higher priority",
		    NODE ON("a", "", "11", DAY("01"), CPU("2")), POD(CPU("3")),
		    "never fits" },
		{ "not even all are enough",
		    NODE ON("a", "", "1", DAY("01"), CPU("1")), POD(CPU("5")),
		    "never fits" },
		{ "those that stay take too much",
		    NODE ON("a", "", "1", DAY("01"), CPU("2"))
		    ON("b", "", "10", DAY("01"), CPU("2")), POD(CPU("3")),
		    "never fits" },
		{ "the node takes no pods",
		    W_NODE("n1", "", "unschedulable: true")
		    ON("a", "", "1", DAY("01"), CPU("2")), POD(CPU("1")),
		    "never fits" },
		{ "the least important",
		    NODE ON("a", "", "3", DAY("01"), CPU("1"))
		    ON("b", "", "1", DAY("01"), CPU("2"))
		    ON("c", "", "2", DAY("01"), CPU("1")), POD(CPU("2")),
		    "b" },
		{ "a negative priority is less than none",
		    NODE ON("a", "", "-1", DAY("01"), CPU("2"))
		    ON("b", "", "0", DAY("01"), CPU("2")), POD(CPU("2")),
		    "a" },
		{ "of equal priority, the one that started last",
		    NODE ON("a", "", "1", DAY("02"), CPU("2"))
		    ON("b", "", "1", DAY("03"), CPU("2")), POD(CPU("2")),
		    "b" },
		{ "by less than a second",
		    NODE ON("b", "", "1", "'2020-01-01T00:00:00.000000002Z'",
			CPU("2"))
		    ON("a", "", "1", "'2020-01-01T00:00:00.000000001Z'",
			CPU("2")), POD(CPU("2")), "b" },
		{ "one that has not started is the last",
		    NODE ON("a", "", "1", "null", CPU("2"))
		    ON("b", "", "1", DAY("03"), CPU("2")), POD(CPU("2")),
		    "a" },
		{ "of equal start, by uid",
		    NODE ON("b", "", "1", DAY("01"), CPU("2"))
		    ON("a", "", "1", DAY("01"), CPU("2")), POD(CPU("2")),
		    "b" },
		{ "a large pod that cannot be put back leaves room for small",
		    NODE ON("big", "", "9", DAY("01"), CPU("3"))
		    ON("small", "", "1", DAY("01"), CPU("1")), POD(CPU("2")),
		    "big" },
		{ "the more important first",
		    NODE ON("a", "", "1", DAY("01"), CPU("2"))
		    ON("b", "", "3", DAY("01"), CPU("1"))
		    ON("c", "", "2", DAY("01"), CPU("1")), POD(CPU("4")),
		    "b c a" },
		{ "pods of all namespaces and schedulers",
		    NODE W_OBJECT("Pod", "namespace: other, name: a",
			"spec: {nodeName: n1, schedulerName: x, priority: 1, "
			CPU("4") "}"), POD(CPU("1")), "a" },
		{ "pods without requests are put back",
		    NODE ON("a", "", "1", DAY("01"), CPU("4"))
		    ON("b", "", "0", DAY("01"), ""), POD(CPU("1")), "a" },
	};
	/* clang-format on */

	check_rows(LENGTH(rows), rows);
}

static void
every_rule_is_tried_again(void)
{
	/* clang-format off */
	static const struct row rows[] = {
		{ "the pod that has the host port",
		    NODE ON("a", "", "9", DAY("01"), PORT)
		    ON("b", "", "1", DAY("01"), ""), POD(PORT), "a" },
		{ "the pod that avoids this one",
		    NODE ON("a", "", "9", DAY("01"), AWAY("new: pod"))
		    ON("b", "", "1", DAY("01"), ""), POD(""), "a" },
		{ "the pod that this one avoids",
		    NODE ON("a", "app: web", "9", DAY("01"), "")
		    ON("b", "", "1", DAY("01"), ""), POD(AWAY("app: web")),
		    "a" },
		{ "pods that this one wants to be near to are no victims",
		    NODE ON("a", "app: web", "1", DAY("01"), CPU("2"))
		    ON("b", "", "1", DAY("01"), CPU("2")),
		    POD(NEAR("app: web") ", " CPU("2")), "never fits" },
		{ "unless their priority is too high",
		    NODE ON("a", "app: web", "10", DAY("01"), CPU("2"))
		    ON("b", "", "1", DAY("01"), CPU("2")),
		    POD(NEAR("app: web") ", " CPU("2")), "b" },
		{ "a nominated pod as important keeps its room",
		    NODE ON("a", "", "1", DAY("01"), CPU("4"))
		    W_OBJECT("Pod", "namespace: default, name: q",
			"spec: {priority: 10, " CPU("3") "},"
			" status: {nominatedNodeName: n1}"),
		    POD(CPU("2")), "never fits" },
		{ "a lesser one does not",
		    NODE ON("a", "", "1", DAY("01"), CPU("4"))
		    W_OBJECT("Pod", "namespace: default, name: q",
			"spec: {priority: 9, " CPU("3") "},"
			" status: {nominatedNodeName: n1}"),
		    POD(CPU("2")), "a" },
	};
	/* clang-format on */

	check_rows(LENGTH(rows), rows);
}

static void
budgets_are_violated_only_if_nothing_else_helps(void)
{
	/* clang-format off */
	static const struct row rows[] = {
		{ "no budget", TWO, POD(CPU("2")), "guarded" },
		{ "used up: the guarded pod is put back first",
		    TWO BUDGET(GUARDED, "0"), POD(CPU("2")), "free" },
		{ "less than none is used up, too",
		    TWO BUDGET(GUARDED, "-1"), POD(CPU("2")), "free" },
		{ "no status is used up", TWO
		    W_OBJECT("PodDisruptionBudget",
			"namespace: default, name: b",
			"spec: {selector: " GUARDED "}"), POD(CPU("2")),
		    "free" },
		{ "not used up", TWO BUDGET(GUARDED, "1"), POD(CPU("2")),
		    "guarded" },
		{ "nothing else helps: violations come first",
		    TWO BUDGET(GUARDED, "0"), POD(CPU("4")),
		    "guarded free, 1 violations" },
		{ "before more important pods",
		    NODE BUDGET(GUARDED, "0")
		    ON("free", "a: b", "9", DAY("01"), CPU("2"))
		    ON("guarded", "guarded: 'yes'", "1", DAY("01"), CPU("2")),
		    POD(CPU("4")), "guarded free, 1 violations" },
		{ "even a less important pod stays",
		    NODE BUDGET(GUARDED, "0")
		    ON("free", "a: b", "9", DAY("01"), CPU("2"))
		    ON("guarded", "guarded: 'yes'", "1", DAY("01"), CPU("2")),
		    POD(CPU("2")), "free" },
		{ "each pod counts",
		    NODE BUDGET(GUARDED, "0")
		    ON("a", "guarded: 'yes'", "1", DAY("01"), CPU("2"))
		    ON("b", "guarded: 'yes'", "2", DAY("01"), CPU("2")),
		    POD(CPU("4")), "b a, 2 violations" },
		{ "one disruption is enough for any number of pods",
		    NODE BUDGET(GUARDED, "1")
		    ON("a", "guarded: 'yes'", "1", DAY("01"), CPU("2"))
		    ON("b", "guarded: 'yes'", "2", DAY("01"), CPU("2")),
		    POD(CPU("4")), "b a" },
		{ "one of two budgets is used up",
		    TWO BUDGET(GUARDED, "1")
		    BUDGET_IN("default", "c", GUARDED, "0"), POD(CPU("2")),
		    "free" },
		{ "of other pods", TWO BUDGET("{matchLabels: {a: z}}", "0"),
		    POD(CPU("2")), "guarded" },
		{ "of another namespace",
		    TWO BUDGET_IN("other", "b", GUARDED, "0"), POD(CPU("2")),
		    "guarded" },
		{ "an empty selector selects no pod",
		    TWO BUDGET("{}", "0"), POD(CPU("2")), "guarded" },
		{ "nor does none", TWO BUDGET("null", "0"), POD(CPU("2")),
		    "guarded" },
		{ "nor an invalid one",
		    TWO BUDGET("{matchExpressions: [{key: guarded,"
			" operator: Like}]}", "0"), POD(CPU("2")), "guarded" },
		{ "pods without labels have no budget",
		    NODE BUDGET("{matchExpressions: [{key: x,"
			" operator: DoesNotExist}]}", "0")
		    ON("a", "l: l", "1", DAY("01"), CPU("2"))
		    ON("b", "", "2", DAY("01"), CPU("2")), POD(CPU("2")),
		    "b" },
	};
	/* clang-format on */

	check_rows(LENGTH(rows), rows);
}

#define DISRUPTED(pod)                                                         \
	W_OBJECT("PodDisruptionBudget", "namespace: default, name: b",         \
	    "spec: {selector: " GUARDED "}, status: {disruptionsAllowed: 0, "  \
	    "disruptedPods: {other: '2020-01-01T00:00:00Z', " pod              \
	    ": '2020-01-01T00:00:00Z'}}")

static void
later_releases_count_budgets_down(void)
{
	/* clang-format off */
	static const struct {
		int release;
		struct row row;
	} rows[] = {
		{ 18, { "one disruption is enough for the most important pod",
		    NODE BUDGET(GUARDED, "1")
		    ON("a", "guarded: 'yes'", "1", DAY("01"), CPU("2"))
		    ON("b", "guarded: 'yes'", "2", DAY("01"), CPU("2")),
		    POD(CPU("4")), "a b, 1 violations" } },
		{ 18, { "so the other one stays if one may",
		    NODE BUDGET(GUARDED, "1")
		    ON("a", "guarded: 'yes'", "1", DAY("01"), CPU("2"))
		    ON("b", "guarded: 'yes'", "2", DAY("01"), CPU("2")),
		    POD(CPU("2")), "b" } },
		{ 18, { "two for both",
		    NODE BUDGET(GUARDED, "2")
		    ON("a", "guarded: 'yes'", "1", DAY("01"), CPU("2"))
		    ON("b", "guarded: 'yes'", "2", DAY("01"), CPU("2")),
		    POD(CPU("4")), "b a" } },
		{ 18, { "each of two budgets is counted",
		    NODE BUDGET(GUARDED, "2")
		    BUDGET_IN("default", "c", "{matchLabels: {a: b}}", "0")
		    ON("a", "guarded: 'yes', a: b", "1", DAY("01"), CPU("2"))
		    ON("b", "guarded: 'yes'", "2", DAY("01"), CPU("2")),
		    POD(CPU("4")), "a b, 1 violations" } },
		{ 18, { "a pod whose eviction is accepted does not count",
		    TWO DISRUPTED("guarded"), POD(CPU("2")), "guarded" } },
		{ 18, { "another one does",
		    TWO DISRUPTED("free"), POD(CPU("2")), "free" } },
		{ 15, { "1.15 does not look at that",
		    TWO DISRUPTED("guarded"), POD(CPU("2")), "free" } },
		{ 29, { "1.29: victims are in order of importance",
		    NODE BUDGET(GUARDED, "0")
		    ON("free", "a: b", "9", DAY("01"), CPU("2"))
		    ON("guarded", "guarded: 'yes'", "1", DAY("01"), CPU("2")),
		    POD(CPU("4")), "free guarded, 1 violations" } },
		{ 28, { "1.28: violations first",
		    NODE BUDGET(GUARDED, "0")
		    ON("free", "a: b", "9", DAY("01"), CPU("2"))
		    ON("guarded", "guarded: 'yes'", "1", DAY("01"), CPU("2")),
		    POD(CPU("4")), "guarded free, 1 violations" } },
	};
	/* clang-format on */

	for (size_t i = 0; i < LENGTH(rows); i++)
		check_row(&rows[i].row, rows[i].release);
}

#define MAX_PODS 6

/* Victims in their order; start is in seconds, 0: not started. */
struct side {
	unsigned violations, n;
	struct {
		int32_t priority;
		int64_t start;
	} pods[MAX_PODS];
};

static struct eviction_cost
harm(const struct side *side)
{
	struct pod pods[MAX_PODS] = { 0 };
	const struct pod *all[MAX_PODS];
	struct victims victims = { side->n, all, side->violations };

	for (unsigned i = 0; i < side->n; i++) {
		pods[i].priority = side->pods[i].priority;
		pods[i].has_start_time = side->pods[i].start != 0;
		pods[i].start_seconds = side->pods[i].start;
		all[i] = &pods[i];
	}
	return eviction_cost_of(&victims);
}

static void
nodes_are_compared_by_the_harm_done(void)
{
	/* clang-format off */
	static const struct {
		const char *name;
		struct side less, more;
		bool equal;
	} rows[] = {
		{ "no victims before one",
		    { 0, 0, { { 0 } } }, { 0, 1, { { -9, 9 } } }, false },
		{ "no victims twice",
		    { 0, 0, { { 0 } } }, { 0, 0, { { 0 } } }, true },
		{ "fewer violations before lower priorities",
		    { 0, 1, { { 9, 1 } } }, { 1, 1, { { 1, 1 } } }, false },
		{ "lower priority of the first before the sum",
		    { 0, 3, { { 4, 1 }, { 4, 1 }, { 4, 1 } } },
		    { 0, 1, { { 5, 1 } } }, false },
		{ "the first counts, even if a later one is higher",
		    { 2, 2, { { 1, 1 }, { 9, 1 } } },
		    { 2, 1, { { 2, 1 } } }, false },
		{ "the smaller sum",
		    { 0, 2, { { 5, 1 }, { 1, 1 } } },
		    { 0, 2, { { 5, 1 }, { 2, 1 } } }, false },
		{ "a pod more is more, even below zero",
		    { 0, 1, { { -5, 1 } } },
		    { 0, 2, { { -5, 1 }, { -9, 1 } } }, false },
		{ "the lowest priority of all adds nothing: fewer victims",
		    { 0, 1, { { 5, 1 } } },
		    { 0, 2, { { 5, 1 }, { INT32_MIN, 1 } } }, false },
		{ "then the later start",
		    { 0, 1, { { 5, 7 } } }, { 0, 1, { { 5, 6 } } }, false },
		{ "of the earliest among the highest",
		    { 0, 3, { { 5, 7 }, { 5, 6 }, { 1, 1 } } },
		    { 0, 3, { { 5, 5 }, { 5, 9 }, { 1, 9 } } }, false },
		{ "the highest, even if it is not the first",
		    { 1, 2, { { 1, 1 }, { 5, 7 } } },
		    { 1, 2, { { 1, 9 }, { 5, 6 } } }, false },
		{ "not started is the latest",
		    { 0, 1, { { 5, 0 } } }, { 0, 1, { { 5, 9 } } }, false },
		{ "the same",
		    { 1, 2, { { 5, 1 }, { 1, 3 } } },
		    { 1, 2, { { 5, 1 }, { 1, 4 } } }, true },
	};
	/* clang-format on */

	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct eviction_cost less = harm(&rows[i].less);
		struct eviction_cost more = harm(&rows[i].more);
		int there = eviction_cost_compare(&less, &more);
		int back = eviction_cost_compare(&more, &less);

		t_int(rows[i].name, (there > 0) - (there < 0),
		    rows[i].equal ? 0 : -1);
		t_int(rows[i].name, (back > 0) - (back < 0),
		    rows[i].equal ? 0 : 1);
		t_int(rows[i].name, eviction_cost_equal(&less, &more),
		    rows[i].equal);
		t_int("itself", eviction_cost_compare(&more, &more), 0);
	}
}

/*
 * Random pods that only need CPUs, beside a model of the rule: sort by
 * importance, put back those whose budget is used up, then the others.
 */
#define ALL 12

struct model_pod {
	int priority, start, cpu;
	bool guarded;
	unsigned number;
};

static int
by_importance(const void *left, const void *right)
{
	const struct model_pod *a = left, *b = right;

	if (a->priority != b->priority)
		return b->priority - a->priority;
	if (a->start != b->start)
		return a->start - b->start;
	return (a->number > b->number) - (a->number < b->number);
}

static const char *
modelled(struct arena *arena, struct model_pod *pods, unsigned n, int cpu,
    int wanted)
{
	const char *text = "";
	unsigned violations = 0;

	qsort(pods, n, sizeof(*pods), by_importance);
	for (unsigned i = 0; i < n; i++)
		cpu -= pods[i].priority >= 10 ? pods[i].cpu : 0;
	if (wanted > cpu)
		return "never fits";
	for (unsigned i = 0; i < 2 * n; i++) {
		struct model_pod *pod = &pods[i % n];

		if (pod->priority >= 10 || pod->guarded != (i < n))
			continue;
		if (wanted + pod->cpu <= cpu) {
			cpu -= pod->cpu;
			continue;
		}
		text = arena_printf(arena, "%s%sa%02u", text,
		    text[0] != '\0' ? " " : "", pod->number);
		violations += pod->guarded;
	}
	if (violations > 0)
		text =
		    arena_printf(arena, "%s, %u violations", text, violations);
	return text;
}

static void
random_pods_leave_as_the_model_says(void)
{
	struct profile *profile = t_profile(T_POLICY(""), NULL);
	uint64_t state = 1;
	unsigned nsome = 0, nnever = 0;

	for (unsigned i = 0; i < 300; i++) {
		struct model_pod pods[ALL];
		unsigned n = 1 + t_any(&state, ALL);
		int wanted = 1 + (int)t_any(&state, 28);
		struct world *w = world_new(W_NODE_STATUS("n1", "", "",
		    "allocatable: {pods: 110, cpu: 24, memory: 8Gi}")
			BUDGET(GUARDED, "0"));
		const char *got, *want;

		for (unsigned j = 0; j < n; j++) {
			pods[j] = (struct model_pod){ .priority = 8 +
				    (t_any(&state, 6) == 0 ?
					    2 :
					    (int)t_any(&state, 2)),
				.start = 1 + (int)t_any(&state, 3),
				.cpu = 1 + (int)t_any(&state, 2),
				.guarded = t_any(&state, 3) == 0,
				.number = j };
			world_put(w,
			    arena_printf(&w->arena,
				ON("a%02u", "guarded: '%s'", "%d",
				    "'2020-01-%02dT00:00:00Z'", CPU("%d")),
				j, j, pods[j].guarded ? "yes" : "no",
				pods[j].priority, pods[j].cpu, pods[j].start));
		}
		world_pod(w, arena_printf(&w->arena, POD(CPU("%d")), wanted));
		w->cycle.profile = profile;
		w->cycle.simulating = true;
		got = outcome(w, filter_new(&w->cycle));
		want = modelled(&w->arena, pods, n, 24, wanted);
		t_str("victims", got, want);
		nnever += strcmp(want, "never fits") == 0;
		nsome += strchr(want, ' ') != NULL;
		world_free(w);
	}
	t_true("often some", nsome > 80);
	t_true("at times it never fits", nnever > 10);
	profile_free(profile);
}

T_MAIN(T(no_more_pods_leave_than_have_to), T(every_rule_is_tried_again),
    T(budgets_are_violated_only_if_nothing_else_helps),
    T(later_releases_count_budgets_down),
    T(nodes_are_compared_by_the_harm_done),
    T(random_pods_leave_as_the_model_says))
