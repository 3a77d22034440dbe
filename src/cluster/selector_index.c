#include "config.h"

#include "cluster/selector_index.h"

#include "cluster/selector_set.h"
#include "objects/labels.h"

/* It is found by one of its first requirements, so many of them. */
#define ANCHORS 8

/* A budget while pods are taken from it. */
struct left {
	uint64_t round;
	int64_t left;
};

/* Objects are in the place of a label that their selectors ask for, the rarest. */
struct selector_index {
	uint64_t version; /* the list's when it was made */
	bool broken;      /* no object of the list counts */
	struct selector_set set;
	struct selector_link *links; /* by number, as all of these */
	uint32_t *requirements;      /* and values */
	struct left *left;           /* of budgets; NULL: not yet */
};

void
selector_index_free(struct selector_index *index)
{
	if (index == NULL)
		return;
	selector_set_fini(&index->set);
	free(index->links);
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
	*pair = map_key(r->key, r->values[0]);
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

/* The place of the rarest label that the selector asks for. */
static uint64_t
rarest(const struct selector *s, const struct map *counts)
{
	uint64_t pair, found = SELECTOR_PLACE_OF_ALL;
	uintptr_t least = UINTPTR_MAX;

	for (uint32_t j = 0; j < s->n && j < ANCHORS; j++) {
		uintptr_t n;

		if (!asks_for_label(&s->at[j], &pair))
			continue;
		n = (uintptr_t)map_get(counts, pair);
		if (n >= least)
			continue;
		least = n;
		found = pair;
	}
	return found;
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

/* From the last to the first: the links of a place ascend. */
static struct selector_index *
index_new(const struct namespace_info *ns, enum namespace_list list)
{
	struct selector_index *index = xcalloc(1, sizeof(*index));
	size_t n = ns->lists[list].n;
	struct map counts = { 0 };

	index->version = ns->versions[list];
	index->links = xcalloc(n + 1, sizeof(*index->links));
	index->requirements = xmalloc((n + 1) * sizeof(*index->requirements));
	count_labels(ns, list, &counts);
	for (size_t i = n; i-- > 0;) {
		const struct selector *s = selector_at(ns, list, i);

		index->broken |= s->error != NULL;
		if (!selects_any(s, list))
			continue;
		index->requirements[i] = count_requirements(s);
		index->links[i].number = (uint32_t)i;
		selector_link(&index->set, rarest(s, &counts),
		    &index->links[i]);
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

struct question {
	const struct selector_index *index;
	size_t most;
	struct arena *arena;
	struct maybe_selecting found;
};

static bool
find(void *arg, struct selector_place *place)
{
	struct question *q = arg;
	struct maybe_selecting *found = &q->found;
	const struct selector_link *link;

	LIST_FOREACH (link, &place->links, in_place) {
		arena_room(q->arena, found->at, found->n, &found->cap);
		found->at[found->n++] = link->number;
		found->nrequirements += q->index->requirements[link->number];
		if (found->nrequirements > q->most)
			return false;
	}
	return true;
}

static struct maybe_selecting
look_up(const struct selector_index *index, const struct labels *labels,
    size_t nrequirements, size_t most, struct arena *arena)
{
	struct question q = { index, most, arena,
		{ .nrequirements = nrequirements } };

	q.found.too_many =
	    !selector_set_visit(&index->set, labels, NULL, find, &q);
	if (q.found.too_many)
		q.found.n = 0;
	if (q.found.n > 1)
		qsort(q.found.at, q.found.n, sizeof(*q.found.at), ascending);
	return q.found;
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
