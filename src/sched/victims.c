#include "config.h"

#include "sched/victims.h"

#include <stdlib.h>
#include <string.h>

#include "framework/cycle.h"
#include "sched/filter.h"

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
budget_is_violated(const struct cycle *cycle, const struct pod *pod)
{
	const struct pod_class *class = pod->class;
	const struct namespace_info *ns =
	    cluster_namespace(cycle->cluster, class->namespace);

	if (ns == NULL || class->labels.n == 0)
		return false;
	for (size_t i = 0; i < ns->npdbs; i++) {
		const struct pod_disruption_budget *pdb = ns->pdbs[i];

		if (pdb->selector.error == NULL &&
		    !selector_is_empty(&pdb->selector) &&
		    selector_matches(&pdb->selector, &class->labels) &&
		    pdb->disruptions_allowed <= 0)
			return true;
	}
	return false;
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
	filter_removed(t->filter, t->node, pod);
}

static void
put_back(struct trial *t, const struct pod *pod)
{
	struct cycle *cycle = t->filter->cycle;

	node_info_add(cycle->arena, t->node, cycle->cluster->kubernetes_minor,
	    pod);
	filter_added(t->filter, t->node, pod);
}

static bool
fits(struct trial *t)
{
	return filter_node(t->filter, t->node, false, NULL) == FITS;
}

/*
 * Puts back, in this order, those of the n pods that the pod does not need gone
 * and whose budget is (is not) violated; the others become victims.
 */
static void
reprieve(struct trial *t, const struct pod **pods, size_t n, bool violated,
    struct victims *v)
{
	for (size_t i = 0; i < n && !cycle_is_cancelled(t->filter->cycle);
	     i++) {
		if (budget_is_violated(t->filter->cycle, pods[i]) != violated)
			continue;
		put_back(t, pods[i]);
		if (fits(t))
			continue;
		take(t, pods[i]);
		v->pods[v->n++] = pods[i];
		v->violations += violated;
	}
}

bool
victims_find(struct filter *filter, const struct node_info *node,
    struct victims *out)
{
	struct cycle *cycle = filter->cycle;
	struct trial t = { filter, node_info_copy(cycle->arena, node) };
	const struct pod **lower =
	    arena_alloc(cycle->arena, node->npods * sizeof(*lower));
	size_t n = 0;
	bool helps;

	for (uint32_t i = 0; i < node->npods; i++)
		if (node->pods[i]->priority < cycle->pod->priority)
			lower[n++] = node->pods[i];
	for (size_t i = 0; i < n && !cycle_is_cancelled(cycle); i++)
		take(&t, lower[i]);
	*out = (struct victims){ .n = 0 };
	helps = fits(&t);
	if (helps) {
		if (n > 0)
			qsort(lower, n, sizeof(*lower), by_importance);
		out->pods = arena_alloc(cycle->arena, n * sizeof(*out->pods));
		reprieve(&t, lower, n, true, out);
		reprieve(&t, lower, n, false, out);
	} else {
		out->pods = lower;
		out->n = n;
	}
	/* the filter is to count them again for the next node */
	for (size_t i = 0; i < out->n; i++)
		filter_added(filter, node, out->pods[i]);
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

struct harm
harm_of(const struct victims *v)
{
	struct harm harm = { .nvictims = (uint32_t)v->n,
		.violations = v->violations };
	const struct pod *first;

	if (v->n == 0)
		return harm;
	first = earliest(v);
	harm.started = first->has_start_time;
	if (harm.started) {
		harm.start_seconds = first->start_seconds;
		harm.start_nanoseconds = first->start_nanoseconds;
	}
	/* the first victim counts, even where a later one is higher */
	harm.first_priority = v->pods[0]->priority;
	/* shifted, so that fewer pods are better below zero, too */
	for (size_t i = 0; i < v->n; i++)
		harm.priorities +=
		    (int64_t)v->pods[i]->priority + INT64_C(0x80000000);
	return harm;
}
