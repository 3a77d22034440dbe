#include "config.h"

#include "ecache/outlook.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/map.h"
#include "base/xmalloc.h"
#include "ecache/memo.h"
#include "framework/cycle.h"

struct outlooks {
	size_t bytes;
	uint64_t now;   /* counts uses */
	struct map all; /* key_of() -> struct outlook */
};

struct outlooks *
outlooks_new(void)
{
	return xcalloc(1, sizeof(struct outlooks));
}

size_t
outlooks_bytes(const struct outlooks *outlooks)
{
	return outlooks->bytes;
}

static uint64_t
key_of(const struct memo_kin *kin, int32_t priority)
{
	return hash_mix(
	    hash_mix((uintptr_t)kin ^ hash_secret()) + (uint64_t)priority);
}

static void
outlook_free(struct outlooks *outlooks, struct outlook *o)
{
	map_del(&outlooks->all, key_of(o->kin, o->priority));
	outlooks->bytes -= o->cap * sizeof(*o->nodes);
	free(o->nodes);
	free(o->blocks);
	free(o->apart);
	free(o);
}

/* Any that the kin have, or NULL; NULL for anyone's. */
static struct outlook *
find_of(const struct outlooks *outlooks, const struct memo_kin *kin)
{
	for (size_t i = 0; i < outlooks->all.nslots; i++) {
		struct outlook *o = outlooks->all.slots[i].value;

		if (o != NULL && (kin == NULL || o->kin == kin))
			return o;
	}
	return NULL;
}

void
outlooks_forget(struct outlooks *outlooks, const struct memo_kin *kin)
{
	struct outlook *o;

	while ((o = find_of(outlooks, kin)) != NULL)
		outlook_free(outlooks, o);
}

void
outlooks_free(struct outlooks *outlooks)
{
	if (outlooks == NULL)
		return;
	outlooks_forget(outlooks, NULL);
	map_fini(&outlooks->all);
	free(outlooks);
}

static void
drop_least_recent(struct outlooks *outlooks)
{
	struct outlook *oldest = NULL;

	for (size_t i = 0; i < outlooks->all.nslots; i++) {
		struct outlook *o = outlooks->all.slots[i].value;

		if (o != NULL && (oldest == NULL || o->used < oldest->used))
			oldest = o;
	}
	outlook_free(outlooks, oldest);
}

static struct outlook *
get(struct outlooks *outlooks, const struct memo_kin *kin, int32_t priority,
    size_t max_bytes)
{
	uint64_t key = key_of(kin, priority);
	struct outlook *o = map_get(&outlooks->all, key);

	if (o != NULL && o->kin == kin && o->priority == priority)
		return o;
	if (o != NULL)
		outlook_free(outlooks, o);
	while (outlooks->bytes > max_bytes && outlooks->all.n > 0)
		drop_least_recent(outlooks);
	o = xcalloc(1, sizeof(*o));
	o->kin = kin;
	o->priority = priority;
	map_put(&outlooks->all, key, o);
	return o;
}

static void
set_apart(struct outlook *o, uint32_t at)
{
	if (o->nodes[at].apart)
		return;
	o->nodes[at].apart = true;
	vec_room(o->apart, o->napart, &o->apart_cap);
	o->apart[o->napart++] = at;
}

static void
take_back(struct outlook *o, uint32_t at)
{
	if (!o->nodes[at].apart)
		return;
	o->nodes[at].apart = false;
	for (size_t i = 0; i < o->napart; i++)
		if (o->apart[i] == at)
			o->apart[i--] = o->apart[--o->napart];
}

/* A node that no pod is nominated to. */
static void
simulate(struct outlook_node *kept, const struct simulation *simulation,
    const struct memo_class *memo, const struct node_info *node)
{
	enum verdict verdict = memo_verdict(memo, node->index);

	kept->helps = verdict == FITS;
	kept->harm = (struct harm){ 0 };
	if (verdict == UNFIT &&
	    node->lowest_priority < simulation->cycle->pod->priority)
		kept->helps =
		    simulation->helps(simulation->arg, node, &kept->harm);
}

/* Whether anything changed. */
static bool
update_node(struct outlook *o, const struct simulation *simulation,
    const struct memo_class *memo, uint32_t at)
{
	const struct node_info *node = simulation->cycle->cluster->nodes[at];
	struct outlook_node *kept = &o->nodes[at];

	if (kept->generation == node->generation)
		return false;
	kept->generation = node->generation;
	if (node->nnominated > 0) {
		set_apart(o, at);
		kept->helps = false;
	} else {
		take_back(o, at);
		simulate(kept, simulation, memo, node);
	}
	return true;
}

static void
update_block(struct outlook *o, uint32_t block)
{
	struct outlook_block *b = &o->blocks[block];
	uint32_t end = (block + 1) * OUTLOOK_BLOCK;

	b->helps = false;
	for (uint32_t i = block * OUTLOOK_BLOCK; i < end && i < o->nnodes;
	     i++) {
		const struct outlook_node *node = &o->nodes[i];

		if (node->helps &&
		    (!b->helps || harm_compare(&node->harm, &b->least) < 0)) {
			b->helps = true;
			b->least = node->harm;
		}
	}
}

static void
make_room(struct outlooks *outlooks, struct outlook *o, uint32_t nnodes)
{
	uint32_t cap = nnodes + nnodes / 16 + 8;

	if (nnodes <= o->cap)
		return;
	outlooks->bytes += (cap - o->cap) * sizeof(*o->nodes);
	o->nodes = xrealloc(o->nodes, cap, sizeof(*o->nodes));
	o->blocks =
	    xrealloc(o->blocks, cap / OUTLOOK_BLOCK + 1, sizeof(*o->blocks));
	o->cap = cap;
}

/* Nothing is right any more. */
static void
start_afresh(struct outlooks *outlooks, struct outlook *o,
    const struct cycle *cycle)
{
	const struct cluster *cluster = cycle->cluster;

	make_room(outlooks, o, cluster->nnodes);
	memset(o->nodes, 0, cluster->nnodes * sizeof(*o->nodes));
	o->napart = 0;
	o->nnodes = cluster->nnodes;
	o->budgets = cluster->budgets;
}

static void
update_all_nodes(struct outlook *o, const struct simulation *simulation,
    const struct memo_class *memo)
{
	for (uint32_t i = 0;
	     i < o->nnodes && !cycle_is_cancelled(simulation->cycle); i++)
		update_node(o, simulation, memo, i);
	for (uint32_t i = 0; i * OUTLOOK_BLOCK < o->nnodes; i++)
		update_block(o, i);
}

/* False: all nodes are to be simulated. */
static bool
update_changed(struct outlook *o, const struct simulation *simulation,
    const struct memo_class *memo)
{
	const struct cycle *cycle = simulation->cycle;
	enum journal_event event = JOURNAL_END;
	const struct node_change *change;

	while (!cycle_is_cancelled(cycle) &&
	    (event = journal_next(&cycle->cluster->journal, &o->cursor,
		 &change)) == JOURNAL_CHANGE)
		if (update_node(o, simulation, memo, change->node))
			update_block(o, change->node / OUTLOOK_BLOCK);
	return event != JOURNAL_RESET;
}

const struct outlook *
outlook_of(struct outlooks *outlooks, const struct simulation *simulation,
    const struct memo_class *memo, size_t max_bytes)
{
	const struct cycle *cycle = simulation->cycle;
	const struct cluster *cluster = cycle->cluster;
	struct outlook *o =
	    get(outlooks, memo->kin, cycle->pod->priority, max_bytes);

	o->used = ++outlooks->now;
	if (o->nodes == NULL || o->nnodes != cluster->nnodes ||
	    o->budgets != cluster->budgets) {
		start_afresh(outlooks, o, cycle);
		o->cursor = (struct cursor){ 0 };
	}
	/* nodes whose generation is the same are not simulated again */
	if (!update_changed(o, simulation, memo))
		update_all_nodes(o, simulation, memo);
	return o;
}
