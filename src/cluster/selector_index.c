#include "config.h"

#include "cluster/selector_index.h"

#include "base/map.h"
#include "cluster/index_internal.h"
#include "model/labels.h"

/* It is found by one of its first requirements, so many of them. */
#define ANCHORS 8

/* A budget while pods are taken from it. */
struct left {
	uint64_t round;
	int64_t left;
};

/* Objects are in chains by a label that their selectors ask for, the rarest; those
 * that ask for none are in one chain. */
struct selector_index {
	uint64_t version; /* the list's when it was made */
	bool broken;      /* no object of the list counts */
	struct map first; /* key, value -> number + 1 */
	struct chain {
		uint32_t first; /* number + 1; 0: none */
		size_t nrequirements;
	} others;
	uint32_t *next;         /* by number: the next number + 1; 0: none */
	uint32_t *requirements; /* by number: and values */
	struct left *left;      /* by number, of budgets; NULL: not yet */
};

void
selector_index_free(struct selector_index *index)
{
	if (index == NULL)
		return;
	map_fini(&index->first);
	free(index->next);
	free(index->requirements);
	free(index->left);
	free(index);
}

static const struct selector *
selector_at(const struct namespace_info *ns, enum namespace_list list, size_t i)
{
	return list == SELECTING_BUDGETS ? &budget_at(ns, i)->selector :
					   &workload_at(ns, list, i)->selector;
}

/* Whether the requirement is for one label, as those of a map are. */
static bool
asks_for_label(const struct requirement *r, uint64_t *pair)
{
	if (r->op != SELECTOR_IN || r->nvalues != 1)
		return false;
	*pair = pair_key(r->key, r->values[0]);
	return true;
}

/* An empty selector is a Service's alone. */
static bool
selects_any(const struct selector *s, enum namespace_list list)
{
	return s->too_long ||
	    (!s->nothing && s->error == NULL &&
		(list == SELECTING_SERVICES || !selector_is_empty(s)));
}

/* How many of the selectors ask for each label. */
static void
count_labels(const struct namespace_info *ns, enum namespace_list list,
    struct map *counts)
{
	for (size_t i = 0; i < ns->lists[list].n; i++) {
		const struct selector *s = selector_at(ns, list, i);
		uint64_t pair;

		for (uint32_t j = 0; j < s->n && j < ANCHORS; j++)
			if (asks_for_label(&s->at[j], &pair))
				map_put(counts, pair,
				    (void *)((uintptr_t)map_get(counts, pair) +
					1));
	}
}

/* The rarest label that the selector asks for. */
static bool
find_anchor(const struct selector *s, const struct map *counts, uint64_t *found)
{
	uintptr_t least = UINTPTR_MAX;
	uint64_t pair;

	for (uint32_t j = 0; j < s->n && j < ANCHORS; j++) {
		uintptr_t n;

		if (!asks_for_label(&s->at[j], &pair))
			continue;
		n = (uintptr_t)map_get(counts, pair);
		if (n >= least)
			continue;
		least = n;
		*found = pair;
	}
	return least != UINTPTR_MAX;
}

static uint32_t
count_requirements(const struct selector *s)
{
	uint32_t n = s->too_long ? SELECTOR_REQUIREMENTS_MAX + 1 : s->n;

	for (uint32_t i = 0; i < s->n; i++)
		if (s->at[i].nvalues > 1)
			n += s->at[i].nvalues - 1;
	return n > 0 ? n : 1;
}

static void
file(struct selector_index *index, const struct selector *s, size_t i,
    const struct map *counts)
{
	uintptr_t number = i + 1;
	uint64_t pair;

	index->requirements[i] = count_requirements(s);
	if (find_anchor(s, counts, &pair)) {
		index->next[i] =
		    (uint32_t)(uintptr_t)map_get(&index->first, pair);
		map_put(&index->first, pair, (void *)number);
	} else {
		index->next[i] = index->others.first;
		index->others.first = (uint32_t)number;
		index->others.nrequirements += index->requirements[i];
	}
}

/* From the last to the first: chains ascend. */
static struct selector_index *
index_new(const struct namespace_info *ns, enum namespace_list list)
{
	struct selector_index *index = xcalloc(1, sizeof(*index));
	size_t n = ns->lists[list].n;
	struct map counts = { 0 };

	index->version = ns->versions[list];
	index->next = xmalloc((n + 1) * sizeof(*index->next));
	index->requirements = xmalloc((n + 1) * sizeof(*index->requirements));
	count_labels(ns, list, &counts);
	for (size_t i = n; i-- > 0;) {
		const struct selector *s = selector_at(ns, list, i);

		index->broken |= s->error != NULL;
		if (selects_any(s, list))
			file(index, s, i, &counts);
	}
	map_fini(&counts);
	return index;
}

/* Indexes are no part of the state that a const namespace keeps. */
static struct selector_index *
index_of(const struct namespace_info *ns, enum namespace_list list)
{
	struct selector_index *index = ns->indexes[list];

	if (index == NULL || index->version != ns->versions[list]) {
		selector_index_free(index);
		index = index_new(ns, list);
		((struct namespace_info *)ns)->indexes[list] = index;
	}
	return index;
}

static int
ascending(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

static void
add_chain(const struct selector_index *index, uint32_t number, size_t most,
    struct arena *arena, struct maybe_selecting *found)
{
	for (; number != 0 && !found->too_many;
	     number = index->next[number - 1]) {
		arena_room(arena, found->at, found->n, &found->cap);
		found->at[found->n++] = number - 1;
		found->nrequirements += index->requirements[number - 1];
		found->too_many = found->nrequirements > most;
	}
}

static struct maybe_selecting
look_up(const struct selector_index *index, const struct labels *labels,
    size_t nrequirements, size_t most, struct arena *arena)
{
	struct maybe_selecting found = { .nrequirements = nrequirements };

	found.too_many = index->others.nrequirements > most;
	add_chain(index, index->others.first, most, arena, &found);
	for (uint32_t i = 0; i < labels->n && !found.too_many; i++)
		add_chain(index,
		    (uint32_t)(uintptr_t)map_get(&index->first,
			pair_key(labels->at[i].key, labels->at[i].value)),
		    most, arena, &found);
	if (found.too_many)
		found.n = 0;
	if (found.n > 1)
		qsort(found.at, found.n, sizeof(*found.at), ascending);
	return found;
}

struct maybe_selecting
selecting_workloads(const struct namespace_info *ns, enum namespace_list list,
    const struct labels *labels, size_t nrequirements, struct arena *arena)
{
	const struct selector_index *index = index_of(ns, list);

	if (index->broken && list != SELECTING_SERVICES)
		return (
		    struct maybe_selecting){ .nrequirements = nrequirements };
	return look_up(index, labels, nrequirements, WORKLOAD_REQUIREMENTS_MAX,
	    arena);
}

struct maybe_selecting
selecting_budgets(const struct namespace_info *ns, const struct labels *labels,
    struct arena *arena)
{
	return look_up(index_of(ns, SELECTING_BUDGETS), labels, 0,
	    BUDGET_REQUIREMENTS_MAX, arena);
}

int64_t *
budget_left(const struct namespace_info *ns, uint32_t number, uint64_t round)
{
	struct selector_index *index = index_of(ns, SELECTING_BUDGETS);
	struct left *left;

	if (index->left == NULL)
		index->left = xcalloc(ns->lists[SELECTING_BUDGETS].n,
		    sizeof(*index->left));
	left = &index->left[number];
	if (left->round != round)
		*left = (struct left){ round,
			budget_at(ns, number)->disruptions_allowed };
	return &left->left;
}
