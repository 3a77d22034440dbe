#include "config.h"

#include "sched/victims.h"

#include <stdlib.h>
#include <string.h>

#include "framework/cycle.h"
#include "sched/filter.h"

/* The releases from which budgets are counted down, and from which the first
 * victim is the most important one. */
#define BUDGETS_COUNT_FROM 18
#define VICTIMS_SORTED_FROM 29

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

static bool
is_disrupted(const struct pod_disruption_budget *pdb, const struct pod *pod)
{
	for (uint32_t i = 0; i < pdb->ndisrupted; i++)
		if (strcmp(pdb->disrupted[i], pod->object.name) == 0)
			return true;
	return false;
}

static bool
budget_covers(const struct pod_disruption_budget *pdb, const struct pod *pod)
{
	return pdb->selector.error == NULL &&
	    !selector_is_empty(&pdb->selector) &&
	    selector_matches(&pdb->selector, &pod->class->labels);
}

/* A budget while pods are taken from it. */
struct budget {
	struct budget *next;
	const struct pod_disruption_budget *pdb;
	int64_t left;
};

/* The budget as other pods have left it. */
static struct budget *
budget_of(struct cycle *cycle, struct budget **all,
    const struct pod_disruption_budget *pdb)
{
	struct budget *b;

	for (b = *all; b != NULL; b = b->next)
		if (b->pdb == pdb)
			return b;
	b = arena_alloc(cycle->arena, sizeof(*b));
	*b = (struct budget){ *all, pdb, pdb->disruptions_allowed };
	*all = b;
	return b;
}

/* 1.15 asks each pod's budgets alone, without counting the other pods. */
static bool
takes_from_budgets(struct cycle *cycle, const struct pod *pod,
    struct budget **all)
{
	bool counted = cycle_rules(cycle) >= BUDGETS_COUNT_FROM;
	const struct pod_class *class = pod->class;
	const struct namespace_info *ns =
	    cluster_namespace(cycle->cluster, class->namespace);
	bool violated = false;

	if (ns == NULL || class->labels.n == 0)
		return false;
	for (size_t i = 0; i < ns->npdbs; i++) {
		const struct pod_disruption_budget *pdb = ns->pdbs[i];

		if (!budget_covers(pdb, pod))
			continue;
		if (!counted)
			violated |= pdb->disruptions_allowed <= 0;
		else if (!is_disrupted(pdb, pod))
			violated |= --budget_of(cycle, all, pdb)->left < 0;
	}
	return violated;
}

/* For each of the n pods, the most important first, whether its eviction would
 * violate a budget. */
static const bool *
find_violations(struct cycle *cycle, const struct pod **pods, size_t n)
{
	bool *violated = arena_array(cycle->arena, bool, n);
	struct budget *budgets = NULL;

	for (size_t i = 0; i < n; i++)
		violated[i] = takes_from_budgets(cycle, pods[i], &budgets);
	return violated;
}

/* A node under simulation. */
struct trial {
	struct filter *filter;
	struct node_info *node; /* a copy */
};

static void
take(struct trial *t, const struct pod *pod)
{
	struct cycle *cycle = t->filter->cycle;

	node_info_remove(cycle->arena, t->node,
	    cycle->cluster->kubernetes_minor, pod);
	filter_update(t->filter, t->node, pod, -1);
}

static void
put_back(struct trial *t, const struct pod *pod)
{
	struct cycle *cycle = t->filter->cycle;

	node_info_add(cycle->arena, t->node, cycle->cluster->kubernetes_minor,
	    pod);
	filter_update(t->filter, t->node, pod, 1);
}

static bool
fits(struct trial *t, struct why *why)
{
	return filter_node(t->filter, t->node, false, why) == FITS;
}

/*
 * Puts back, in this order, those of the n pods that the pod does not need gone
 * and whose budget is (is not) violated; the others become victims.
 */
static void
reprieve(struct trial *t, const struct pod **pods, size_t n,
    const bool *violates, bool violated, struct victims *v)
{
	for (size_t i = 0; i < n && !cycle_is_cancelled(t->filter->cycle);
	     i++) {
		if (violates[i] != violated)
			continue;
		put_back(t, pods[i]);
		if (fits(t, NULL))
			continue;
		take(t, pods[i]);
		v->pods[v->n++] = pods[i];
		v->violations += violated;
	}
}

bool
victims_find(struct filter *filter, const struct node_info *node,
    struct victims *out, struct why *why)
{
	struct cycle *cycle = filter->cycle;
	struct trial t = { filter, node_info_copy(cycle->arena, node) };
	const struct pod **lower =
	    arena_alloc(cycle->arena, node->npods * sizeof(*lower));
	const bool *violates;
	size_t n = 0;
	bool helps;

	for (uint32_t i = 0; i < node->npods; i++)
		if (node->pods[i]->priority < cycle->pod->priority)
			lower[n++] = node->pods[i];
	for (size_t i = 0; i < n && !cycle_is_cancelled(cycle); i++)
		take(&t, lower[i]);
	*out = (struct victims){ .n = 0 };
	helps = fits(&t, why);
	if (helps) {
		if (n > 0)
			qsort(lower, n, sizeof(*lower), by_importance);
		out->pods = arena_alloc(cycle->arena, n * sizeof(*out->pods));
		violates = find_violations(cycle, lower, n);
		reprieve(&t, lower, n, violates, true, out);
		reprieve(&t, lower, n, violates, false, out);
		if (out->n > 0 && cycle_rules(cycle) >= VICTIMS_SORTED_FROM)
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

/* Start of the earliest among the victims of the highest priority. */
static const struct pod *
earliest(const struct victims *v)
{
	const struct pod *first = v->pods[0];

	for (size_t i = 1; i < v->n; i++) {
		const struct pod *pod = v->pods[i];

		if (pod->priority > first->priority ||
		    (pod->priority == first->priority &&
			by_start(pod, first) < 0))
			first = pod;
	}
	return first;
}

struct eviction_cost
eviction_cost_of(const struct victims *v)
{
	struct eviction_cost cost = { .nvictims = (uint32_t)v->n,
		.violations = v->violations };
	const struct pod *first;

	if (v->n == 0)
		return cost;
	first = earliest(v);
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
