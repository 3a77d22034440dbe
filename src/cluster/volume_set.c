#include "config.h"

#include "cluster/volume_set.h"

#include "base/arena.h"
#include "base/sorted.h"

void
volume_set_add(struct arena *arena, struct volume_set *set, uint64_t id,
    sym limit)
{
	arena_room(arena, set->at, set->n, &set->cap);
	set->at[set->n] =
	    (struct counted_volume){ id, limit, (uint32_t)set->n };
	set->n++;
}

static int
by_id(const void *a, const void *b)
{
	const struct counted_volume *x = a, *y = b;

	if (x->id != y->id)
		return x->id < y->id ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

void
volume_set_settle(struct volume_set *set)
{
	size_t kept = 0;

	if (set->n > 1)
		qsort(set->at, set->n, sizeof(*set->at), by_id);
	for (size_t i = 0; i < set->n; i++)
		if (i + 1 == set->n || set->at[i].id != set->at[i + 1].id)
			set->at[kept++] = set->at[i];
	set->n = kept;
}

bool
volume_set_has(const struct volume_set *set, uint64_t id)
{
	size_t i;

	SORTED_FIND(i, set->n, set->at[i].id < id);
	return i < set->n && set->at[i].id == id;
}
