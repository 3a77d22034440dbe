/*
 * Finds the node on which preemption costs least.  Without cached results
 * (decide/ecache/ecache.h), every node on which eviction might help is simulated.  With
 * them, only those that might cost less than the best node so far: see
 * decide/ecache/eviction.h.  Where many pods have to be tried, kube-scheduler's number of
 * candidates suffices.
 */
#include "config.h"

#include "base/sorted.h"
#include "decide/sched/preempt.h"

#include "base/hash.h"
#include "decide/ecache/ecache.h"
#include "decide/ecache/eviction.h"
#include "decide/framework/args.h"
#include "decide/framework/profile.h"
#include "objects/changes.h"
#include "decide/sched/filter.h"
#include "decide/sched/victims.h"

/* The best node so far, and memory for one simulation. */
struct choice {
	struct filter *filter;
	const struct node_info *node; /* NULL: none */
	struct eviction_cost cost;
	const struct victims *victims; /* NULL: not known */
	struct arena scratch;
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
	c->victims = victims;
}

/* Plugins nominate no node where no pod would have to leave. */
static bool
is_candidate(const struct cycle *cycle, size_t nvictims)
{
	return nvictims > 0 ||
	    cycle->profile->release < SINCE_PREEMPTION_NEEDS_VICTIMS;
}

/* Simulates one node after the other; keeps only the cost of each. */
struct simulator {
	struct filter *filter;
	struct arena *scratch;
};

static bool
find_cost(void *arg, const struct node_info *node, struct eviction_cost *cost)
{
	const struct simulator *s = arg;
	struct victims victims;
	bool helps = victims_find(s->filter, node, s->scratch, &victims, NULL);

	if (helps)
		*cost = eviction_cost_of(&victims);
	arena_reset(s->scratch);
	return helps;
}

/* Whether the node is a candidate. */
static bool
simulate(struct choice *c, const struct node_info *node)
{
	struct simulator simulator = { c->filter, &c->scratch };
	struct eviction_cost cost;

	if (!find_cost(&simulator, node, &cost) ||
	    !is_candidate(c->filter->cycle, cost.nvictims))
		return false;
	consider(c, node, &cost, NULL);
	return true;
}

static bool
might_help(const struct decision *d, uint32_t at)
{
	return decision_verdict(d, at)->verdict == UNFIT;
}

/* With more pods on the nodes that were tried, preemption looks no further than
 * kube-scheduler does. */
#define TRIED_MOST 8192

/* How many candidates kube-scheduler looks for from 1.20 on. */
static int64_t
enough_candidates(const struct cycle *cycle, uint32_t nnodes)
{
	static const struct default_preemption_args defaults = { 10, 100 };
	const struct default_preemption_args *args =
	    cycle->profile->preemption_args;
	int64_t n;

	if (cycle_rules(cycle) < SINCE_PREEMPTION_NEEDS_VICTIMS)
		return INT64_MAX;
	if (args == NULL)
		args = &defaults;
	n = nnodes * args->min_candidate_nodes_percentage / 100;
	return n > args->min_candidate_nodes_absolute ?
	    n :
	    args->min_candidate_nodes_absolute;
}

/* Tries nodes where evicting pods might help, with costs those where it helps by some of
 * the rules; in a cluster with many pods from any node on. */
static void
simulate_nodes(struct choice *c, const struct decision *d,
    const struct eviction_costs *costs)
{
	const struct cycle *cycle = c->filter->cycle;
	const struct cluster *cluster = cycle->cluster;
	int64_t left = enough_candidates(cycle, d->nnodes);
	uint32_t n = d->nnodes;
	uint32_t first = cluster->pods.n > TRIED_MOST && n > 0 ?
	    (uint32_t)(hash_mix(cycle->seed + 3) % n) :
	    0;
	uint64_t tried = 0;

	for (uint32_t i = 0; i < n && !cycle_is_cancelled(cycle); i++) {
		uint32_t at = (first + i) % n;

		if (!might_help(d, at) ||
		    (costs != NULL && !costs->nodes[at].helps))
			continue;
		if (tried > TRIED_MOST && left <= 0 && c->node != NULL &&
		    c->cost.violations == 0)
			break;
		tried += cluster->nodes[at]->npods;
		left -= simulate(c, cluster->nodes[at]);
	}
}

/* The node of lowest rank, then of lowest index, on which eviction costs this, the
 * least of all. */
static const struct node_info *
cheapest_node(const struct cycle *cycle, const struct eviction_costs *o,
    const struct eviction_cost *least)
{
	const struct cluster *cluster = cycle->cluster;
	uint32_t first = NODE_INDEX_NONE;
	uint64_t lowest = 0;

	for (uint32_t b = 0; b * EVICTION_BLOCK < o->nnodes; b++) {
		const struct eviction_block *block = &o->blocks[b];
		uint64_t left = block->cheapest;

		if (left != 0 && !eviction_cost_equal(&block->least, least))
			continue;
		for (; left != 0; left &= left - 1) {
			uint32_t at = b * EVICTION_BLOCK +
			    (uint32_t)__builtin_ctzll(left);
			uint64_t rank =
			    tie_rank(cycle, cluster->name_hashes[at]);

			if (first == NODE_INDEX_NONE || rank < lowest) {
				first = at;
				lowest = rank;
			}
		}
	}
	return cluster->nodes[first];
}

const struct pod *
preempt_awaited(const struct cycle *cycle, const struct decision *d,
    uint32_t *at)
{
	const struct pod *pod = cycle->pod;
	const struct node_info *node;
	int release = cycle_rules(cycle);

	if (pod->nominated == SYM_EMPTY)
		return NULL;
	node = cluster_node(cycle->cluster, pod->nominated);
	if (node == NULL || node->node == NULL)
		return NULL;
	if (release >= SINCE_PREEMPTION_AGAIN &&
	    decision_verdict(d, node->index)->verdict == UNFIT_FOREVER)
		return NULL;
	while (*at < node->npods) {
		const struct pod *there = node->pods[(*at)++];

		if (there->class->terminating &&
		    (release < SINCE_PREEMPTION_MARKS || there->preempted) &&
		    there->priority < pod->priority)
			return there;
	}
	return NULL;
}

const char *
preempt_ineligible(const struct cycle *cycle, const struct decision *d)
{
	bool policy_counts = cycle->profile->gates.non_preempting_priority ||
	    cycle->cluster->kubernetes_minor >= 19 ||
	    cycle->profile->release >= SINCE_FRAMEWORK;

	if (policy_counts && cycle->pod->never_preempts)
		return "not eligible due to preemptionPolicy=Never.";
	if (preempt_awaited(cycle, d, &(uint32_t){ 0 }) != NULL)
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

static const struct eviction_costs *
costs_for(struct choice *c, struct decision *d)
{
	struct cycle *cycle = c->filter->cycle;
	struct simulator simulator = { filter_of_nodes(d->filter),
		&c->scratch };
	struct simulation simulation = { .cycle = cycle,
		.helps = find_cost,
		.arg = &simulator };

	return eviction_costs_of(ecache_evictions(cycle->ecache), &simulation,
	    d->kept, ecache_max_bytes(cycle->ecache) / 4);
}

static void
choose(struct choice *c, struct decision *d)
{
	struct cycle *cycle = c->filter->cycle;
	const struct eviction_costs *costs = NULL;
	struct victims *victims;

	/* the cache does not know the refusals of extenders */
	if (d->kept != NULL && cycle->extension == NULL)
		costs = costs_for(c, d);
	if (costs == NULL) {
		simulate_nodes(c, d, NULL);
	} else if (filter_all_kept(d->filter)) {
		/* If the costs are by all rules: takes the least. */
		const struct eviction_cost *least = NULL;

		for (uint32_t b = 0; b * EVICTION_BLOCK < costs->nnodes; b++)
			if (costs->blocks[b].cheapest != 0 &&
			    (least == NULL ||
				eviction_cost_compare(&costs->blocks[b].least,
				    least) < 0))
				least = &costs->blocks[b].least;
		if (least != NULL)
			consider(c,
			    cheapest_node(c->filter->cycle, costs, least),
			    least, NULL);
	} else {
		simulate_nodes(c, d, costs);
	}
	arena_fini(&c->scratch);
	if (c->node == NULL)
		return;
	victims = arena_alloc(cycle->arena, sizeof(*victims));
	victims_find(c->filter, c->node, cycle->arena, victims, NULL);
	c->victims = victims;
}

static void
take_choice(struct cycle *cycle, const struct choice *c, struct preemption *p)
{
	const struct node_info *node;

	p->node = c->node;
	p->nvictims = c->victims->n;
	p->victims = c->victims->pods;
	node = p->node;
	p->clears =
	    arena_alloc(cycle->arena, node->nnominated * sizeof(*p->clears));
	for (uint32_t i = 0; i < node->nnominated; i++)
		if (node->nominated[i]->priority < cycle->pod->priority)
			p->clears[p->nclears++] = node->nominated[i];
	/* the node has them in the order in which they came */
	SORT(p->clears, p->nclears, by_uid);
}

/* Without evictions, rules refuse a node again; extenders may have refused nodes that
 * the rules allow. */
static bool
no_pod_can_be_evicted(const struct cycle *cycle)
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
	if (!no_pod_can_be_evicted(cycle)) {
		cycle->simulating = true;
		choose(&c, decision);
		cycle->simulating = false;
	}
	if (cycle_is_cancelled(cycle)) {
		decision_abandon(cycle, decision);
		return NULL;
	}
	if (c.node == NULL) {
		p->nclears = cycle->pod->nominated != SYM_EMPTY;
		p->clears =
		    arena_memdup(cycle->arena, &cycle->pod, sizeof(cycle->pod));
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
		    victims_find(d->filter, all[*n].node, cycle->arena,
			&all[*n].victims, NULL) &&
		    is_candidate(cycle, all[*n].victims.n);
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

static void
put_preemption_args(struct profile *profile, const struct plugin *self,
    const void *args)
{
	profile->preemption_args = args;
}

const struct plugin plugin_default_preemption = {
	.name = "DefaultPreemption",
	.points = { AT_POINT(POST_FILTER),
	    AT_POINT(PRE_ENQUEUE) | AT_POINT(POST_FILTER) },
	.enabled = true,
	.since = { { AT_POINT(PRE_ENQUEUE), 32 } },
	.put_args = put_preemption_args,
	.needs = NEEDS_POD_PRIORITIES,
};
