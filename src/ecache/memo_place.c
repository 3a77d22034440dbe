#include "config.h"

#include "ecache/memo_internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/xmalloc.h"
#include "cluster/index.h"
#include "framework/cycle.h"
#include "framework/profile.h"

/* A group with one node takes about so many bytes. */
#define GROUP_BYTES 320

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
	add_slot(memo, (struct slot){ .topology = topology, .step = step });
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

/* The domains and the trait by which a unit that follows tells nodes apart; how
 * many topologies these are. */
static size_t
add_follower_slots(struct memo *memo, const struct memo_follower *f,
    const void *prep)
{
	const struct topology *t;
	bool fine = false;
	size_t n = 0;

	if (prep == NULL || f->following->topology == NULL)
		return 0;
	while ((t = f->following->topology(prep, n)) != NULL) {
		fine |= t->fine;
		if (!t->fine)
			add_domain_slot(memo, t, f->step);
		n++;
	}
	if (fine)
		add_slot(memo,
		    (struct slot){ .following = f->following,
			.prep = prep,
			.step = f->step });
	return n;
}

/* The slots of the class in hand; by how many topologies it is that its units tell
 * nodes apart besides those that do so for all classes. */
static size_t
find_slots(struct memo *memo, const struct memo_class *m)
{
	const struct profile *profile = memo->profile;
	size_t none = profile->npredicates, ntopologies = 0;

	memo->nslots = 0;
	for (size_t i = 0; i < profile->npredicates; i++)
		add_alike_slots(memo, i);
	for (size_t i = 0; i < profile->npriorities; i++) {
		const struct profile_priority *p = &profile->priorities[i];

		if (memo->weights[i] != 0 && p->unit->alike != NULL)
			add_domain_slot(memo,
			    cluster_topology(memo->cluster,
				p->unit->alike(p->args)),
			    none);
	}
	for (size_t i = 0; i < memo->nfollowers; i++)
		ntopologies += add_follower_slots(memo, &memo->followers[i],
		    m->units[memo->followers[i].unit].prep);
	memo_key_room(memo, 1 + memo->nslots);
	return ntopologies;
}

static int64_t
slot_value(const struct slot *slot, uint32_t at)
{
	return slot->topology != NULL ? slot->topology->domain_of[at] :
					slot->following->trait(slot->prep, at);
}

/* Whether the node comes so far that it matters. */
static inline bool
looks(const struct slot *slot, const struct memo_kin *kin, uint32_t at)
{
	uint8_t fails_at =
	    memo_fails_at(memo_answer(kin, kin->answer_of[at])[0]);

	return fails_at == 0 || slot->step + 1 < fails_at;
}

/* What belongs in the key of the node's group goes to memo->key. */
static void
make_key(struct memo *memo, const struct memo_kin *kin, uint32_t at)
{
	int64_t *key = memo->key;

	*key++ = kin->answer_of[at];
	for (size_t i = 0; i < memo->nslots; i++)
		key[i] = looks(&memo->slots[i], kin, at) ?
		    slot_value(&memo->slots[i], at) :
		    0;
}

/* Whether no node is refused. */
static bool
all_fit(const struct memo_kin *kin)
{
	for (uint32_t i = 0; i < kin->answers.n; i++)
		if (memo_answer(kin, i)[0] != 0)
			return false;
	return true;
}

/* What belongs in this slot of all nodes' keys. */
static struct memo_column
make_column(const struct memo *memo, const struct memo_kin *kin,
    const struct slot *slot, struct arena *arena)
{
	uint32_t n = memo->cluster->nnodes;
	const uint32_t *narrow = NULL;
	int64_t *column;

	if (slot->topology != NULL)
		narrow = slot->topology->domain_of;
	else if (slot->following->traits != NULL)
		narrow = slot->following->traits(slot->prep);
	if (narrow != NULL && all_fit(kin))
		return (struct memo_column){ .narrow = narrow };
	column = arena_alloc(arena, n * sizeof(*column));
	for (uint32_t i = 0; i < n; i++)
		column[i] = looks(slot, kin, i) ? slot_value(slot, i) : 0;
	return (struct memo_column){ .wide = column };
}

/* Sorts by one byte of the hashes; nodes where it is equal stay in their order. */
static void
sort_by_byte(const uint64_t *hashes, unsigned byte, uint32_t n,
    const uint32_t *from, uint32_t *to)
{
	uint32_t ends[257] = { 0 };

	for (uint32_t i = 0; i < n; i++)
		ends[(hashes[i] >> 8 * byte & 255) + 1]++;
	for (unsigned i = 1; i < 256; i++)
		ends[i] += ends[i - 1];
	for (uint32_t i = 0; i < n; i++)
		to[ends[hashes[from[i]] >> 8 * byte & 255]++] = from[i];
}

static void
sort_nodes(struct memo *memo)
{
	const struct cluster *cluster = memo->cluster;
	uint32_t n = cluster->nnodes;
	AUTOFREE uint32_t *other = NULL;

	if (memo->order_epoch == cluster->journal.epoch && memo->norder == n)
		return;
	memo->order = xrealloc(memo->order, n, sizeof(*memo->order));
	other = xmalloc(n * sizeof(*other));
	for (uint32_t i = 0; i < n; i++)
		memo->order[i] = i;
	for (unsigned byte = 0; byte < sizeof(uint64_t); byte += 2) {
		sort_by_byte(cluster->name_hashes, byte, n, memo->order, other);
		sort_by_byte(cluster->name_hashes, byte + 1, n, other,
		    memo->order);
	}
	memo->norder = n;
	memo->order_epoch = cluster->journal.epoch;
}

/* One for each number in a key. */
static struct memo_column *
make_columns(struct memo *memo, const struct memo_kin *kin, struct cycle *cycle)
{
	size_t n = 1 + memo->nslots;
	struct memo_column *columns =
	    arena_array(cycle->arena, struct memo_column, n);

	columns[0].narrow = kin->answer_of;
	for (size_t i = 1; i < n && !cycle_is_cancelled(cycle); i++)
		columns[i] =
		    make_column(memo, kin, &memo->slots[i - 1], cycle->arena);
	return columns;
}

static void
make_groups(struct memo *memo, const struct memo_kin *kin,
    struct memo_sorting *s, struct cycle *cycle)
{
	struct memo_column *columns = make_columns(memo, kin, cycle);

	memo_sorting_forget(s);
	if (cycle_is_cancelled(cycle))
		return;
	sort_nodes(memo);
	memo_groups_make(&s->groups, 1 + memo->nslots, memo->cluster->nnodes,
	    columns, kin->total, memo->order);
}

static void
place_todo(struct memo *memo, const struct memo_kin *kin,
    struct memo_sorting *s, const struct cycle *cycle)
{
	for (uint32_t i = 0; i < memo->ntodo; i++) {
		uint32_t at = memo->todo[i];

		if (cycle_is_cancelled(cycle))
			return;
		make_key(memo, kin, at);
		memo_groups_place(&s->groups, memo->cluster, at, memo->key,
		    kin->total[at]);
	}
	s->napart = 0;
}

/* Nodes that have changed since they were sorted. */
static void
put_changed_todo(struct memo *memo, const struct memo_kin *kin,
    struct memo_sorting *s)
{
	for (uint32_t i = 0; i < s->napart; i++)
		memo_put_todo(memo, s->apart[i]);
	memo_put_changes_todo(memo, &s->seen.cursor);
	/* when images come to a node, others' scores may change */
	for (uint32_t i = 0;
	     s->seen.objects != kin->seen.objects && i < memo->cluster->nnodes;
	     i++)
		if (s->groups.total[i] != kin->total[i])
			memo_put_todo(memo, i);
}

void
memo_sort(struct memo *memo, struct memo_class *m, struct cycle *cycle)
{
	size_t ntopologies = find_slots(memo, m);
	struct memo_sorting *s;

	if (ntopologies != m->ntopologies)
		memo_sorting_forget(&m->own);
	m->ntopologies = ntopologies;
	m->sorting = s = ntopologies > 0 ? &m->own : &m->kin->sorting;
	if (s->groups.nslots == 0)
		return;
	if (!memo_is_recent(memo, &s->seen)) {
		memo_sorting_forget(s);
		return;
	}
	put_changed_todo(memo, m->kin, s);
	if (memo->ntodo > memo->cluster->nnodes / 8 + 64)
		make_groups(memo, m->kin, s, cycle);
	else
		place_todo(memo, m->kin, s, cycle);
	memo_see(memo, &s->seen);
}

const struct memo_groups *
memo_partition(struct memo *memo, struct memo_class *m, struct cycle *cycle)
{
	struct memo_sorting *s = m->sorting;

	if (s->groups.nslots == 0 && s->wanted) {
		make_groups(memo, m->kin, s, cycle);
		memo_see(memo, &s->seen);
		memo_account_class(memo, m);
	}
	s->wanted = true;
	return s->groups.nslots > 0 ? &s->groups : NULL;
}

struct cut *
memo_cut(struct memo *memo, const struct memo_class *m, struct cycle *cycle,
    const uint32_t *excluded, struct cut_by by)
{
	const struct memo_column *columns = make_columns(memo, m->kin, cycle);
	/* where all nodes have one answer it distinguishes none */
	size_t first = m->kin->answers.n == 1;

	if (cycle_is_cancelled(cycle))
		return NULL;
	return cut_nodes(cycle, &memo->last_cut, columns + first,
	    1 + memo->nslots - first, excluded, by);
}

const uint32_t *
memo_order(struct memo *memo)
{
	sort_nodes(memo);
	return memo->order;
}

void
memo_sorting_forget(struct memo_sorting *sorting)
{
	memo_groups_fini(&sorting->groups);
	free(sorting->apart);
	*sorting = (struct memo_sorting){ 0 };
}

size_t
memo_sorting_size(const struct memo_sorting *sorting)
{
	/* the groups' of, total and nodes */
	return sorting->seen.nnodes * 3 * sizeof(uint32_t) +
	    memo_groups_count(&sorting->groups) * GROUP_BYTES;
}
