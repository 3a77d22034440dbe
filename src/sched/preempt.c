/*
 * For every node that eviction might help: take all pods of lower priority
 * away, see whether the pod fits now, and if so put back as many of them as
 * possible, the important ones first; those whose disruption budget would be
 * violated come before all others.  What stays out are the node's victims.
 */
#include "config.h"

#include "sched/preempt.h"

#include <stdlib.h>
#include <string.h>

#include "sched/filter.h"
#include "sched/profile.h"

/* A node and the pods that would have to go. */
struct candidate {
	const struct node_info *node;
	size_t nvictims;
	const struct pod **victims;
	unsigned violations; /* victims whose disruption budget is used up */
};

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
    struct candidate *c)
{
	for (size_t i = 0; i < n; i++) {
		if (budget_is_violated(t->filter->cycle, pods[i]) != violated)
			continue;
		put_back(t, pods[i]);
		if (fits(t))
			continue;
		take(t, pods[i]);
		c->victims[c->nvictims++] = pods[i];
		c->violations += violated;
	}
}

/* Whether the node is a candidate; *c is filled if so. */
static bool
try_node(struct filter *filter, const struct node_info *node,
    struct candidate *c)
{
	struct cycle *cycle = filter->cycle;
	struct trial t = { filter, node_info_copy(cycle->arena, node) };
	const struct pod **lower = arena_alloc(cycle->arena,
	    node->npods * sizeof(*lower));
	size_t n = 0;
	bool helps;

	for (uint32_t i = 0; i < node->npods; i++)
		if (node->pods[i]->priority < cycle->pod->priority)
			lower[n++] = node->pods[i];
	for (size_t i = 0; i < n; i++)
		take(&t, lower[i]);
	*c = (struct candidate){ .node = node };
	helps = fits(&t);
	if (helps) {
		if (n > 0)
			qsort(lower, n, sizeof(*lower), by_importance);
		c->victims = arena_alloc(cycle->arena,
		    n * sizeof(*c->victims));
		reprieve(&t, lower, n, true, c);
		reprieve(&t, lower, n, false, c);
	} else {
		c->victims = lower;
		c->nvictims = n;
	}
	/* the filter is to count them again for the next node */
	for (size_t i = 0; i < c->nvictims; i++)
		filter_added(filter, node, c->victims[i]);
	return helps;
}

/* Start of the earliest among the victims of the highest priority. */
static const struct pod *
earliest(const struct candidate *c)
{
	const struct pod *first = c->victims[0];

	for (size_t i = 1; i < c->nvictims; i++) {
		const struct pod *pod = c->victims[i];

		if (pod->priority > first->priority ||
		    (pod->priority == first->priority &&
			by_start(pod, first) < 0))
			first = pod;
	}
	return first;
}

static int64_t
sum_of_priorities(const struct candidate *c)
{
	int64_t sum = 0;

	/* shifted, so that fewer pods are better below zero, too */
	for (size_t i = 0; i < c->nvictims; i++)
		sum += (int64_t)c->victims[i]->priority + INT64_C(0x80000000);
	return sum;
}

static int
order(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

/* Negative: evicting a's victims does less harm.  Zero: equally good. */
static int
by_harm(const struct candidate *a, const struct candidate *b)
{
	int o;

	if (a->nvictims == 0 || b->nvictims == 0)
		return (a->nvictims > 0) - (b->nvictims > 0);
	if ((o = order(a->violations, b->violations)) != 0 ||
	    /* the first victim counts, even where a later one is higher */
	    (o = order(a->victims[0]->priority, b->victims[0]->priority)) != 0 ||
	    (o = order(sum_of_priorities(a), sum_of_priorities(b))) != 0 ||
	    (o = order((int64_t)a->nvictims, (int64_t)b->nvictims)) != 0)
		return o;
	return by_start(earliest(b), earliest(a));
}

static const struct candidate *
least_harm(const struct cycle *cycle, const struct candidate *candidates,
    size_t n)
{
	const struct candidate *best = NULL;

	for (size_t i = 0; i < n; i++) {
		const struct candidate *c = &candidates[i];
		int o = best != NULL ? by_harm(c, best) : -1;

		if (o < 0 || (o == 0 && tie_rank(cycle, c->node->name_hash) <
			tie_rank(cycle, best->node->name_hash)))
			best = c;
	}
	return best;
}

/* It has preempted already: pods on its nominated node are still leaving. */
static bool
room_is_being_made(const struct cycle *cycle)
{
	const struct pod *pod = cycle->pod;
	const struct node_info *node;

	if (pod->nominated == SYM_EMPTY)
		return false;
	node = cluster_node(cycle->cluster, pod->nominated);
	if (node == NULL || node->node == NULL)
		return false;
	for (uint32_t i = 0; i < node->npods; i++)
		if (node->pods[i]->class->terminating &&
		    node->pods[i]->priority < pod->priority)
			return true;
	return false;
}

static bool
may_preempt(const struct cycle *cycle)
{
	bool policy_counts = cycle->profile->gates.non_preempting_priority ||
	    cycle->cluster->kubernetes_minor >= 19;

	if (policy_counts && cycle->class->never_preempts)
		return false;
	return !room_is_being_made(cycle);
}

static void
clear_lower_nominations(struct cycle *cycle, struct preemption *p)
{
	const struct node_info *node = p->node;

	p->clears = arena_alloc(cycle->arena,
	    node->nnominated * sizeof(*p->clears));
	for (uint32_t i = 0; i < node->nnominated; i++)
		if (node->nominated[i]->priority < cycle->pod->priority)
			p->clears[p->nclears++] = node->nominated[i];
}

struct preemption *
preempt(struct cycle *cycle, struct decision *decision)
{
	struct preemption *p;
	struct candidate *candidates;
	const struct candidate *best;
	size_t n = 0, potential = 0;

	if (decision->error != NULL || decision->chosen != NULL ||
	    !may_preempt(cycle))
		return NULL;
	decision_spell_out(cycle, decision);
	p = arena_array(cycle->arena, struct preemption, 1);
	candidates = arena_alloc(cycle->arena,
	    decision->nnodes * sizeof(*candidates));
	cycle->simulating = true;
	for (uint32_t i = 0; i < decision->nnodes; i++) {
		if (decision->verdicts[i].verdict != UNFIT)
			continue;
		potential++;
		n += try_node(decision->filter, cycle->cluster->nodes[i],
		    &candidates[n]);
	}
	cycle->simulating = false;
	best = least_harm(cycle, candidates, n);
	if (best != NULL) {
		p->node = best->node;
		p->nvictims = best->nvictims;
		p->victims = best->victims;
		clear_lower_nominations(cycle, p);
	} else if (potential == 0 && cycle->pod->nominated != SYM_EMPTY) {
		p->clears = arena_memdup(cycle->arena, &cycle->pod,
		    sizeof(cycle->pod));
		p->nclears = 1;
	}
	return p;
}
