/*
 * Which node suffers least.  Without results kept (ecache/ecache.h), every node
 * that eviction might help is simulated.  With them, only those on which preemption
 * might cost less than the best node so far: see ecache/eviction.h.
 */
#include "config.h"

#include "sched/preempt.h"

#include <stdlib.h>
#include <string.h>

#include "ecache/ecache.h"
#include "ecache/eviction.h"
#include "framework/profile.h"
#include "sched/filter.h"
#include "sched/victims.h"

/* The best node so far. */
struct choice {
	struct filter *filter;
	const struct node_info *node; /* NULL: none */
	struct eviction_cost cost;
	struct victims victims; /* if they are known: */
	bool known;
};

/* Of equal cost, the lowest rank wins, then the lowest index. */
static void
consider(struct choice *c, const struct node_info *node,
    const struct eviction_cost *cost, const struct victims *victims)
{
	const struct cycle *cycle = c->filter->cycle;
	int o = c->node != NULL ? eviction_cost_compare(cost, &c->cost) : -1;

	if (o > 0 ||
	    (o == 0 &&
		tie_rank(cycle, node->name_hash) >=
		    tie_rank(cycle, c->node->name_hash)))
		return;
	c->node = node;
	c->cost = *cost;
	c->known = victims != NULL;
	if (c->known)
		c->victims = *victims;
}

/* Plugins nominate no node where no pod would have to leave. */
static bool
is_candidate(const struct cycle *cycle, const struct victims *victims)
{
	return victims->n > 0 || cycle->profile->release < 20;
}

static void
simulate(struct choice *c, const struct node_info *node)
{
	struct victims victims;
	struct eviction_cost cost;

	if (!victims_find(c->filter, node, &victims, NULL) ||
	    !is_candidate(c->filter->cycle, &victims))
		return;
	cost = eviction_cost_of(&victims);
	consider(c, node, &cost, &victims);
}

static bool
might_help(const struct decision *d, uint32_t at)
{
	return decision_verdict(d, at)->verdict == UNFIT;
}

static void
simulate_all(struct choice *c, const struct decision *d)
{
	const struct cycle *cycle = c->filter->cycle;

	for (uint32_t i = 0; i < d->nnodes && !cycle_is_cancelled(cycle); i++)
		if (might_help(d, i))
			simulate(c, cycle->cluster->nodes[i]);
}

/* These costs come from some of the rules: they exclude nodes. */
static void
simulate_promising(struct choice *c, const struct decision *d,
    const struct eviction_costs *costs)
{
	const struct cycle *cycle = c->filter->cycle;

	for (uint32_t i = 0; i < d->nnodes && !cycle_is_cancelled(cycle); i++) {
		const struct eviction_node *node = &costs->nodes[i];

		if (!might_help(d, i) || (!node->excluded && !node->helps))
			continue;
		if (!node->excluded && c->node != NULL &&
		    eviction_cost_exceeds(&node->cost, &c->cost))
			continue;
		simulate(c, cycle->cluster->nodes[i]);
	}
}

/* The blocks with the least cost; returns how many. */
static uint32_t
least_blocks(const struct eviction_costs *o, uint32_t *blocks)
{
	const struct eviction_cost *least = NULL;
	uint32_t n = 0;

	for (uint32_t b = 0; b * EVICTION_BLOCK < o->nnodes; b++) {
		int order;

		if (!o->blocks[b].helps)
			continue;
		order = least != NULL ?
		    eviction_cost_compare(&o->blocks[b].least, least) :
		    -1;
		if (order < 0) {
			least = &o->blocks[b].least;
			n = 0;
		}
		if (order <= 0)
			blocks[n++] = b;
	}
	return n;
}

/* Where these costs come from all rules: the least of them. */
static void
choose_kept(struct choice *c, const struct eviction_costs *o)
{
	struct cycle *cycle = c->filter->cycle;
	uint32_t *blocks = arena_alloc(cycle->arena,
	    (o->nnodes / EVICTION_BLOCK + 1) * sizeof(*blocks));
	uint32_t n = least_blocks(o, blocks);

	for (uint32_t b = 0; b < n; b++) {
		const struct eviction_cost *least = &o->blocks[blocks[b]].least;
		uint32_t i = blocks[b] * EVICTION_BLOCK;
		uint32_t end = i + EVICTION_BLOCK;

		for (; i < end && i < o->nnodes; i++)
			if (o->nodes[i].helps &&
			    eviction_cost_equal(&o->nodes[i].cost, least))
				consider(c, cycle->cluster->nodes[i], least,
				    NULL);
	}
}

static void
simulate_excluded(struct choice *c, const struct eviction_costs *o)
{
	const struct cycle *cycle = c->filter->cycle;
	struct node_info **nodes = cycle->cluster->nodes;

	for (size_t i = 0; i < o->nexcluded && !cycle_is_cancelled(cycle); i++)
		if (filter_node(c->filter, nodes[o->excluded[i]], false,
			NULL) == UNFIT)
			simulate(c, nodes[o->excluded[i]]);
}

/* The releases that try again if eviction would not help on the nominated node,
 * and that wait only for pods that a scheduler preempts. */
#define UNRESOLVABLE_FROM 20
#define PREEMPTED_FROM 26

/* It has preempted already: pods on its nominated node are still leaving. */
static bool
room_is_being_made(const struct cycle *cycle, const struct decision *d)
{
	const struct pod *pod = cycle->pod;
	const struct node_info *node;
	int release = cycle_rules(cycle);

	if (pod->nominated == SYM_EMPTY)
		return false;
	node = cluster_node(cycle->cluster, pod->nominated);
	if (node == NULL || node->node == NULL)
		return false;
	if (release >= UNRESOLVABLE_FROM &&
	    decision_verdict(d, node->index)->verdict == UNFIT_FOREVER)
		return false;
	for (uint32_t i = 0; i < node->npods; i++)
		if (node->pods[i]->class->terminating &&
		    (release < PREEMPTED_FROM || node->pods[i]->preempted) &&
		    node->pods[i]->priority < pod->priority)
			return true;
	return false;
}

const char *
preempt_ineligible(const struct cycle *cycle, const struct decision *d)
{
	bool policy_counts = cycle->profile->gates.non_preempting_priority ||
	    cycle->cluster->kubernetes_minor >= 19 ||
	    cycle->profile->release >= 20;

	if (policy_counts && cycle->class->never_preempts)
		return "not eligible due to preemptionPolicy=Never.";
	if (room_is_being_made(cycle, d))
		return "not eligible due to a terminating pod on the nominated "
		       "node.";
	return NULL;
}

static bool
may_preempt(const struct cycle *cycle, const struct decision *d)
{
	if (d->error != NULL || d->chosen != NULL ||
	    !profile_preempts(cycle->profile))
		return false;
	return preempt_ineligible(cycle, d) == NULL;
}

static int
by_uid(const void *a, const void *b)
{
	return strcmp((*(const struct pod *const *)a)->object.uid,
	    (*(const struct pod *const *)b)->object.uid);
}

static void
clear_lower_nominations(struct cycle *cycle, struct preemption *p)
{
	const struct node_info *node = p->node;

	p->clears =
	    arena_alloc(cycle->arena, node->nnominated * sizeof(*p->clears));
	for (uint32_t i = 0; i < node->nnominated; i++)
		if (node->nominated[i]->priority < cycle->pod->priority)
			p->clears[p->nclears++] = node->nominated[i];
	/* the node has them in the order in which they came */
	if (p->nclears > 0)
		qsort(p->clears, p->nclears, sizeof(*p->clears), by_uid);
}

static bool
find_cost(void *filter, const struct node_info *node,
    struct eviction_cost *cost)
{
	struct victims victims;

	if (!victims_find(filter, node, &victims, NULL))
		return false;
	*cost = eviction_cost_of(&victims);
	return true;
}

static const struct eviction_costs *
costs_for(struct cycle *cycle, struct decision *d)
{
	struct simulation simulation = { .cycle = cycle,
		.helps = find_cost,
		.arg = filter_of_nodes(d->filter) };

	return eviction_costs_of(ecache_evictions(cycle->ecache), &simulation,
	    d->kept, ecache_max_bytes(cycle->ecache) / 4);
}

static void
choose(struct choice *c, struct decision *d)
{
	struct cycle *cycle = c->filter->cycle;
	const struct eviction_costs *costs = NULL;

	/* what extenders refuse is not kept */
	if (d->kept != NULL && cycle->extension == NULL)
		costs = costs_for(cycle, d);
	if (costs == NULL) {
		simulate_all(c, d);
	} else if (filter_all_kept(d->filter)) {
		choose_kept(c, costs);
		simulate_excluded(c, costs);
	} else {
		simulate_promising(c, d, costs);
	}
	if (c->node != NULL && !c->known)
		victims_find(c->filter, c->node, &c->victims, NULL);
}

/* Its nomination is of no use when eviction could not help on any node; from this
 * profile on, when it does not. */
#define NO_CANDIDATE_FROM 36

static void
clear_own_nomination(struct cycle *cycle, struct decision *d,
    struct preemption *p)
{
	if (cycle->pod->nominated == SYM_EMPTY)
		return;
	for (uint32_t i = 0; i < d->ncells; i++)
		if (d->verdicts[i].verdict == UNFIT &&
		    cycle->profile->release < NO_CANDIDATE_FROM)
			return;
	p->clears = arena_memdup(cycle->arena, &cycle->pod, sizeof(cycle->pod));
	p->nclears = 1;
}

static void
take_choice(struct cycle *cycle, const struct choice *c, struct preemption *p)
{
	p->node = c->node;
	p->nvictims = c->victims.n;
	p->victims = c->victims.pods;
	clear_lower_nominations(cycle, p);
}

/* Rules refuse a node again unless a pod leaves; extenders may have
 * refused what the rules did not. */
static bool
no_pod_can_leave(const struct cycle *cycle)
{
	const struct cluster *cluster = cycle->cluster;

	return cycle->extension == NULL &&
	    (cluster->npriorities == 0 ||
		cluster->priorities[0].priority >= cycle->pod->priority);
}

struct preemption *
preempt(struct cycle *cycle, struct decision *decision)
{
	struct choice c = { .filter = decision->filter };
	struct preemption *p;

	if (!may_preempt(cycle, decision))
		return NULL;
	p = arena_array(cycle->arena, struct preemption, 1);
	if (!no_pod_can_leave(cycle)) {
		cycle->simulating = true;
		choose(&c, decision);
		cycle->simulating = false;
	}
	if (cycle_is_cancelled(cycle)) {
		decision_abandon(cycle, decision);
		return NULL;
	}
	if (c.node == NULL) {
		clear_own_nomination(cycle, decision, p);
		return p;
	}
	take_choice(cycle, &c, p);
	return p;
}

struct preemption_candidate *
preempt_candidates(struct cycle *cycle, struct decision *d, size_t *n)
{
	struct preemption_candidate *all;

	*n = 0;
	if (!may_preempt(cycle, d))
		return NULL;
	all = arena_alloc(cycle->arena, d->nnodes * sizeof(*all));
	cycle->simulating = true;
	for (uint32_t i = 0; i < d->nnodes && !cycle_is_cancelled(cycle); i++) {
		all[*n].node = cycle->cluster->nodes[i];
		*n += might_help(d, i) &&
		    victims_find(d->filter, all[*n].node, &all[*n].victims,
			NULL) &&
		    is_candidate(cycle, &all[*n].victims);
	}
	cycle->simulating = false;
	if (cycle_is_cancelled(cycle)) {
		*n = 0;
		decision_abandon(cycle, d);
	}
	return all;
}

struct preemption *
preempt_among(struct cycle *cycle, const struct preemption_candidate *all,
    size_t n)
{
	struct filter filter = { .cycle = cycle };
	struct choice c = { .filter = &filter };
	struct preemption *p = arena_array(cycle->arena, struct preemption, 1);

	for (size_t i = 0; i < n; i++) {
		struct eviction_cost cost = eviction_cost_of(&all[i].victims);

		consider(&c, all[i].node, &cost, &all[i].victims);
	}
	if (c.node != NULL)
		take_choice(cycle, &c, p);
	return p;
}
