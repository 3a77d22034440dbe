#include "config.h"

#include "decide/ecache/eviction.h"

#include "base/hash.h"
#include "base/map.h"
#include "decide/ecache/ecache.h"
#include "decide/framework/cycle.h"

struct eviction_tables {
	size_t bytes;
	uint64_t now;   /* counts uses */
	struct map all; /* key_of() -> struct eviction_costs */
};

struct eviction_tables *
eviction_tables_new(void)
{
	return xcalloc(1, sizeof(struct eviction_tables));
}

size_t
eviction_tables_bytes(const struct eviction_tables *evictions)
{
	return evictions->bytes;
}

static uint64_t
key_of(const struct ecache_results *results, int32_t priority)
{
	return hash_mix(
	    hash_mix((uintptr_t)results ^ hash_secret()) + (uint64_t)priority);
}

static void
costs_free(struct eviction_tables *evictions, struct eviction_costs *o)
{
	map_del(&evictions->all, key_of(o->results, o->priority));
	evictions->bytes -= o->cap * sizeof(*o->nodes);
	free(o->nodes);
	free(o->blocks);
	free(o);
}

/* Some costs of these results (NULL: of any), or NULL. */
static struct eviction_costs *
find_of(const struct eviction_tables *evictions,
    const struct ecache_results *results)
{
	EACH_VALUE (&evictions->all, struct eviction_costs, o)
		if (results == NULL || o->results == results)
			return o;
	return NULL;
}

void
eviction_tables_forget(struct eviction_tables *evictions,
    const struct ecache_results *results)
{
	struct eviction_costs *o;

	while ((o = find_of(evictions, results)) != NULL)
		costs_free(evictions, o);
}

void
eviction_tables_free(struct eviction_tables *evictions)
{
	if (evictions == NULL)
		return;
	eviction_tables_forget(evictions, NULL);
	map_fini(&evictions->all);
	free(evictions);
}

static struct eviction_costs *
get(struct eviction_tables *evictions, const struct ecache_results *results,
    int32_t priority, size_t max_bytes)
{
	uint64_t key = key_of(results, priority);
	struct eviction_costs *o = map_get(&evictions->all, key);

	if (o != NULL && o->results == results && o->priority == priority)
		return o;
	if (o != NULL)
		costs_free(evictions, o);
	while (evictions->bytes > max_bytes && evictions->all.n > 0) {
		struct eviction_costs *oldest = NULL;

		EACH_VALUE (&evictions->all, struct eviction_costs, e)
			if (oldest == NULL || e->used < oldest->used)
				oldest = e;
		costs_free(evictions, oldest);
	}
	o = xcalloc(1, sizeof(*o));
	o->results = results;
	o->priority = priority;
	map_put(&evictions->all, key, o);
	return o;
}

/* False: the node had not changed. */
static bool
update_node(struct eviction_costs *o, const struct simulation *simulation,
    const struct ecache_class *ecache, uint32_t at)
{
	const struct node_info *node = simulation->cycle->cluster->nodes[at];
	struct eviction_node *kept = &o->nodes[at];
	const struct node_verdict *refusal;

	if (kept->generation == node->generation)
		return false;
	kept->generation = node->generation;
	refusal = ecache_refusal(ecache, node->index);
	kept->helps = refusal == NULL;
	kept->cost = (struct eviction_cost){ 0 };
	if (refusal != NULL && refusal->verdict == UNFIT &&
	    node->lowest_priority < simulation->cycle->pod->priority)
		kept->helps =
		    simulation->helps(simulation->arg, node, &kept->cost);
	return true;
}

static void
update_block(struct eviction_costs *o, uint32_t block)
{
	struct eviction_block *b = &o->blocks[block];
	const struct eviction_node *nodes = &o->nodes[block * EVICTION_BLOCK];
	uint32_t n = o->nnodes - block * EVICTION_BLOCK;

	b->cheapest = 0;
	for (uint32_t i = 0; i < n && i < EVICTION_BLOCK; i++) {
		int order = -1;

		if (!nodes[i].helps)
			continue;
		if (b->cheapest != 0)
			order =
			    eviction_cost_compare(&nodes[i].cost, &b->least);
		if (order < 0) {
			b->least = nodes[i].cost;
			b->cheapest = 0;
		}
		if (order <= 0)
			b->cheapest |= UINT64_C(1) << i;
	}
}

/* Drops all costs. */
static void
reset_costs(struct eviction_tables *evictions, struct eviction_costs *o,
    const struct cycle *cycle)
{
	const struct cluster *cluster = cycle->cluster;
	uint32_t nnodes = cluster->nnodes;
	uint32_t cap = nnodes + nnodes / 16 + 8;

	if (nnodes > o->cap) {
		evictions->bytes += (cap - o->cap) * sizeof(*o->nodes);
		o->nodes = xrealloc(o->nodes, cap, sizeof(*o->nodes));
		o->blocks = xrealloc(o->blocks, cap / EVICTION_BLOCK + 1,
		    sizeof(*o->blocks));
		o->cap = cap;
	}
	memset(o->nodes, 0, cluster->nnodes * sizeof(*o->nodes));
	/* an update that is abandoned does not write them */
	memset(o->blocks, 0,
	    (cluster->nnodes / EVICTION_BLOCK + 1) * sizeof(*o->blocks));
	o->own = NODE_INDEX_NONE;
	o->nnodes = cluster->nnodes;
	o->budgets = cluster->budgets;
}

static void
update_all_nodes(struct eviction_costs *o, const struct simulation *simulation,
    const struct ecache_class *ecache)
{
	const struct cycle *cycle = simulation->cycle;

	for (uint32_t i = 0; i < o->nnodes && !cycle_is_cancelled(cycle); i++)
		update_node(o, simulation, ecache, i);
	for (uint32_t i = 0; i * EVICTION_BLOCK < o->nnodes; i++)
		update_block(o, i);
}

/* The node that the pod is nominated to itself has other costs for it. */
static void
update_own(struct eviction_costs *o, const struct simulation *simulation,
    const struct ecache_class *ecache)
{
	const uint32_t own[] = { o->own, ecache->results->seen.own };

	if (own[0] == own[1])
		return;
	o->own = own[1];
	for (size_t i = 0; i < LENGTH(own); i++) {
		if (own[i] == NODE_INDEX_NONE)
			continue;
		o->nodes[own[i]].generation = 0;
		update_node(o, simulation, ecache, own[i]);
		update_block(o, own[i] / EVICTION_BLOCK);
	}
}

/* False: all nodes must be simulated. */
static bool
update_changed(struct eviction_costs *o, const struct simulation *simulation,
    const struct ecache_class *ecache)
{
	const struct cycle *cycle = simulation->cycle;
	enum journal_event event = JOURNAL_END;
	const struct node_change *change;

	while (!cycle_is_cancelled(cycle) &&
	    (event = journal_next(&cycle->cluster->journal, &o->cursor,
		 &change)) == JOURNAL_CHANGE)
		if (update_node(o, simulation, ecache, change->node))
			update_block(o, change->node / EVICTION_BLOCK);
	return event != JOURNAL_RESET;
}

const struct eviction_costs *
eviction_costs_of(struct eviction_tables *evictions,
    const struct simulation *simulation, const struct ecache_class *ecache,
    size_t max_bytes)
{
	const struct cycle *cycle = simulation->cycle;
	const struct cluster *cluster = cycle->cluster;
	struct eviction_costs *o =
	    get(evictions, ecache->results, cycle->pod->priority, max_bytes);

	o->used = ++evictions->now;
	if (o->nodes == NULL || o->nnodes != cluster->nnodes ||
	    o->budgets != cluster->budgets) {
		reset_costs(evictions, o, cycle);
		o->cursor = (struct cursor){ 0 };
	}
	/* nodes whose generation is the same are not simulated again */
	if (!update_changed(o, simulation, ecache))
		update_all_nodes(o, simulation, ecache);
	update_own(o, simulation, ecache);
	return o;
}
