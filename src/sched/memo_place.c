#include "config.h"

#include "sched/memo_internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/xmalloc.h"
#include "cluster/index.h"
#include "sched/cycle.h"
#include "sched/profile.h"

void
memo_put_todo(struct memo *memo, uint32_t at, bool changed)
{
	if (memo->marks[at] < memo->round) {
		memo->marks[at] = memo->round;
		vec_room(memo->todo, memo->ntodo, &memo->todo_cap);
		memo->todo[memo->ntodo++] = at;
	}
	if (changed)
		memo->marks[at] = memo->round + 1;
}

void
memo_begin_todo(struct memo *memo, struct cycle *cycle)
{
	size_t cap = memo->marks_cap;

	while (memo->marks_cap < memo->cluster->nnodes)
		vec_room(memo->marks, memo->marks_cap, &memo->marks_cap);
	for (; cap < memo->marks_cap; cap++)
		memo->marks[cap] = 0;
	memo->ntodo = 0;
	memo->round += 2;
	memo->why = (struct why) { .arena = cycle->arena };
}

static void
add_slot(struct memo *memo, struct slot slot)
{
	vec_room(memo->slots, memo->nslots, &memo->slots_cap);
	memo->slots[memo->nslots++] = slot;
}

static void
add_domain_slot(struct memo *memo, const struct topology *topology, size_t step)
{
	for (size_t i = 0; i < memo->nslots; i++) {
		struct slot *slot = &memo->slots[i];

		if (slot->topology != topology)
			continue;
		if (slot->step > step)
			slot->step = step;
		return;
	}
	add_slot(memo, (struct slot) { .topology = topology, .step = step });
}

/* The domains and the trait by which a unit tells nodes apart. */
static void
add_unit_slots(struct memo *memo, const struct memo_unit *unit,
    const struct following *following, size_t step)
{
	const struct topology *t;
	bool fine = false;

	if (following == NULL || !unit->kept || following->topology == NULL)
		return;
	for (size_t i = 0; (t = following->topology(unit->prep, i)) != NULL;
	     i++) {
		fine |= t->fine;
		if (!t->fine)
			add_domain_slot(memo, t, step);
	}
	if (fine)
		add_slot(memo, (struct slot) { .trait = following->trait,
		    .prep = unit->prep, .step = step });
}

static void
add_alike_slots(struct memo *memo, size_t step)
{
	const struct profile_predicate *p = &memo->profile->predicates[step];
	const sym *keys = NULL;
	size_t n = p->unit->alike != NULL ? p->unit->alike(p->args, &keys) : 0;

	for (size_t i = 0; i < n; i++)
		add_domain_slot(memo, cluster_topology(memo->cluster, keys[i]),
		    step);
}

void
memo_find_slots(struct memo *memo, const struct memo_class *m)
{
	const struct profile *profile = memo->profile;
	size_t none = profile->npredicates;

	memo->nslots = 0;
	for (size_t i = 0; i < profile->npredicates; i++) {
		add_alike_slots(memo, i);
		add_unit_slots(memo, &m->predicates[i],
		    memo_predicate_following(memo, i), i);
	}
	for (size_t i = 0; i < profile->npriorities; i++) {
		const struct profile_priority *p = &profile->priorities[i];

		if (memo->weights[i] == 0)
			continue;
		add_unit_slots(memo, &m->priorities[i],
		    memo_priority_following(memo, i), none);
		if (p->unit->alike != NULL)
			add_domain_slot(memo, cluster_topology(memo->cluster,
			    p->unit->alike(p->args)), none);
	}
	while (memo->key_cap < 1 + memo->nraw + memo->nslots)
		vec_room(memo->key, memo->key_cap, &memo->key_cap);
}

static int64_t
slot_value(const struct slot *slot, uint32_t at)
{
	return slot->topology != NULL ? slot->topology->domain_of[at] :
					slot->trait(slot->prep, at);
}

/* The rest of the key, after what memo_evaluate() or recall() put there. */
static void
finish_key(struct memo *memo, uint32_t at)
{
	uint8_t fails_at = memo_fails_at(memo->key[0]);
	int64_t *key = &memo->key[1 + memo->nraw];

	for (size_t i = 0; i < memo->nslots; i++)
		key[i] = fails_at == 0 || memo->slots[i].step + 1 < fails_at ?
		    slot_value(&memo->slots[i], at) : 0;
}

static struct {
	const struct cluster *cluster;
} sorting;

static int
by_hash(const void *a, const void *b)
{
	uint64_t x = sorting.cluster->name_hashes[*(const uint32_t *)a];
	uint64_t y = sorting.cluster->name_hashes[*(const uint32_t *)b];

	return (x > y) - (x < y);
}

static void
sort_nodes(struct memo *memo)
{
	const struct cluster *cluster = memo->cluster;

	if (memo->order_layout == cluster->layout &&
	    memo->norder == cluster->nnodes)
		return;
	memo->norder = 0;
	while (memo->norder < cluster->nnodes) {
		vec_room(memo->order, memo->norder, &memo->order_cap);
		memo->order[memo->norder] = memo->norder;
		memo->norder++;
	}
	sorting.cluster = cluster;
	if (memo->norder > 0)
		qsort(memo->order, memo->norder, sizeof(*memo->order), by_hash);
	memo->order_layout = cluster->layout;
}

/* As memo_evaluate(), of a node that has not changed. */
static int32_t
recall(struct memo *memo, const struct memo_groups *groups, uint32_t at)
{
	memcpy(memo->key, groups->at[groups->of[at]]->key,
	    (1 + memo->nraw) * sizeof(*memo->key));
	return groups->total[at];
}

/* Where nodes are many most of the time goes into waiting for them. */
static void
prefetch(const struct cluster *cluster, uint32_t at)
{
	const char *info, *node;

	if (at + 16 >= cluster->nnodes)
		return;
	info = (const char *)cluster->nodes[at + 16];
	for (size_t i = 0; i < sizeof(struct node_info); i += 64)
		__builtin_prefetch(info + i);
	node = (const char *)cluster->nodes[at + 8]->node;
	for (size_t i = 0; i < sizeof(struct node); i += 64)
		__builtin_prefetch(node + i);
}

void
memo_make_groups(struct memo *memo, struct memo_class *m, struct cycle *cycle,
    bool all)
{
	struct memo_groups before = m->groups;
	uint32_t n = memo->cluster->nnodes;
	int32_t total;

	memo_remember_topologies(memo, m);
	memo_groups_init(&m->groups, 1 + memo->nraw + memo->nslots, n);
	for (uint32_t i = 0; i < n; i++) {
		if (all)
			prefetch(memo->cluster, i);
		total = all || memo->marks[i] > memo->round ||
			before.of[i] == MEMO_GROUP_NONE ?
		    memo_evaluate(memo, m, cycle, i) : recall(memo, &before, i);
		finish_key(memo, i);
		memo_groups_assign(&m->groups, i, memo->key, total);
	}
	sort_nodes(memo);
	memo_groups_fill(&m->groups, memo->order, n);
	memo_groups_fini(&before);
}

void
memo_place_todo(struct memo *memo, struct memo_class *m, struct cycle *cycle)
{
	struct memo_groups *groups = &m->groups;
	int32_t total;

	for (uint32_t i = 0; i < memo->ntodo; i++) {
		uint32_t at = memo->todo[i];

		total = memo->marks[at] > memo->round ?
		    memo_evaluate(memo, m, cycle, at) : recall(memo, groups, at);
		finish_key(memo, at);
		memo_groups_place(groups, memo->cluster, at, memo->key, total);
	}
}
