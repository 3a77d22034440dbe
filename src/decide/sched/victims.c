#include "config.h"

#include "base/sorted.h"
#include "decide/sched/victims.h"

#include "cluster/selector_index.h"
#include "decide/framework/cycle.h"
#include "objects/changes.h"
#include "decide/sched/filter.h"

/* Negative: a started before b.  A pod that has not started is the latest. */
static int
by_start(const struct pod *a, const struct pod *b)
{
	if (!a->has_start_time || !b->has_start_time)
		return (int)!a->has_start_time - (int)!b->has_start_time;
	if (a->start_seconds != b->start_seconds)
		return a->start_seconds < b->start_seconds ? -1 : 1;
	return (a->start_nanoseconds > b->start_nanoseconds) -
	    (a->start_nanoseconds < b->start_nanoseconds);
}

/* The more important pod first: higher priority, then earlier start. */
static int
by_importance(const void *left, const void *right)
{
	const struct pod *a = *(const struct pod *const *)left;
	const struct pod *b = *(const struct pod *const *)right;
	int order;

	if (a->priority != b->priority)
		return a->priority > b->priority ? -1 : 1;
	order = by_start(a, b);
	return order != 0 ? order : strcmp(a->object.uid, b->object.uid);
}

/* 1.15 checks each pod's budgets without counting the other pods.  A pod with too
 * many budgets violates them. */
static bool
takes_from_budgets(struct cycle *cycle, struct arena *arena,
    const struct pod *pod, uint64_t round)
{
	bool counted = cycle_rules(cycle) >= SINCE_PREEMPTION_COUNTS_BUDGETS;
	const struct pod_class *class = pod->class;
	const struct namespace_info *ns =
	    cluster_namespace(cycle->cluster, class->namespace);
	struct maybe_selecting some;
	bool violated;

	if (ns == NULL || ns->lists[SELECTING_BUDGETS].n == 0 ||
	    class->labels.n == 0)
		return false;
	some = selecting_budgets(ns, &class->labels, arena);
	violated = some.too_many;
	for (size_t i = 0; i < some.n; i++) {
		const struct pod_disruption_budget *pdb =
		    budget_at(ns, some.at[i]);

		if (!selector_matches(&pdb->selector, &class->labels))
			continue;
		if (!counted)
			violated |= pdb->disruptions_allowed <= 0;
		else if (!text_is_one_of(pod->object.name, pdb->disrupted,
			     pdb->ndisrupted))
			violated |= --*budget_left(ns, some.at[i], round) < 0;
	}
	return violated;
}

/* A node under simulation. */
struct trial {
	struct filter *filter;
	struct arena *arena;
	struct node_info *node; /* a copy */
};

static void
remove_pod(struct trial *t, const struct pod *pod)
{
	struct cycle *cycle = t->filter->cycle;

	node_info_remove(t->arena, t->node, cycle->cluster->kubernetes_minor,
	    pod);
	filter_update(t->filter, t->node, pod, -1);
}

static bool
fits(struct trial *t, struct why *why)
{
	return filter_node(t->filter, t->node, false, why) == FITS;
}

/*
 * Puts back, in this order, those of the n pods without whose eviction the pod still
 * fits, and whose budget is (is not) violated; the others become victims.
 */
static void
reprieve(struct trial *t, const struct pod **pods, size_t n,
    const bool *violates, bool violated, struct victims *v)
{
	for (size_t i = 0; i < n && !cycle_is_cancelled(t->filter->cycle);
	     i++) {
		const struct pod *pod;
		struct cycle *cycle;

		if (violates[i] != violated)
			continue;
		pod = pods[i];
		cycle = t->filter->cycle;
		node_info_add(t->arena, t->node,
		    cycle->cluster->kubernetes_minor, pod);
		filter_update(t->filter, t->node, pod, 1);
		if (fits(t, NULL))
			continue;
		remove_pod(t, pods[i]);
		v->pods[v->n++] = pods[i];
		v->violations += violated;
	}
}

bool
victims_find(struct filter *filter, const struct node_info *node,
    struct arena *arena, struct victims *out, struct why *why)
{
	struct cycle *cycle = filter->cycle;
	struct trial t = { filter, arena, node_info_copy(arena, node) };
	const struct pod **lower =
	    arena_alloc(arena, node->npods * sizeof(*lower));
	const bool *violates;
	size_t n = 0;
	bool helps;

	for (uint32_t i = 0; i < node->npods; i++)
		if (node->pods[i]->priority < cycle->pod->priority)
			lower[n++] = node->pods[i];
	/* from the last: it is found at once */
	for (size_t i = n; i-- > 0 && !cycle_is_cancelled(cycle);)
		remove_pod(&t, lower[i]);
	*out = (struct victims){ .n = 0 };
	helps = fits(&t, why);
	if (helps) {
		bool *violated;
		uint64_t round;

		SORT(lower, n, by_importance);
		out->pods = arena_alloc(arena, n * sizeof(*out->pods));
		/* For each of the n pods, the most important first, whether its
		 * eviction would violate a budget. */
		violated = arena_array(arena, bool, n);
		round = ++cycle->cluster->budget_rounds;
		for (size_t i = 0; i < n && !cycle_is_cancelled(cycle); i++)
			violated[i] =
			    takes_from_budgets(cycle, arena, lower[i], round);
		violates = violated;
		reprieve(&t, lower, n, violates, true, out);
		reprieve(&t, lower, n, violates, false, out);
		if (out->n > 0 && cycle_rules(cycle) >= SINCE_PREEMPTION_SORTS)
			qsort(out->pods, out->n, sizeof(*out->pods),
			    by_importance);
	} else {
		out->pods = lower;
		out->n = n;
	}
	/* the filter is to count them again for the next node */
	for (size_t i = 0; i < out->n; i++)
		filter_update(filter, node, out->pods[i], 1);
	return helps;
}

struct eviction_cost
eviction_cost_of(const struct victims *v)
{
	struct eviction_cost cost = { .nvictims = (uint32_t)v->n,
		.violations = v->violations };
	const struct pod *first;

	if (v->n == 0)
		return cost;
	/* Start of the earliest among the victims of the highest priority. */
	first = v->pods[0];
	for (size_t i = 1; i < v->n; i++) {
		const struct pod *pod = v->pods[i];

		if (pod->priority > first->priority ||
		    (pod->priority == first->priority &&
			by_start(pod, first) < 0))
			first = pod;
	}
	cost.started = first->has_start_time;
	if (cost.started) {
		cost.start_seconds = first->start_seconds;
		cost.start_nanoseconds = first->start_nanoseconds;
	}
	/* the first victim counts; before 1.29 a later one may be higher */
	cost.first_priority = v->pods[0]->priority;
	/* shifted, so that fewer pods are better below zero, too */
	for (size_t i = 0; i < v->n; i++)
		cost.priorities +=
		    (int64_t)v->pods[i]->priority + INT64_C(0x80000000);
	return cost;
}
