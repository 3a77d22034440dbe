#include "config.h"

#include "cluster/service_index.h"

#include <stdlib.h>

#include "base/map.h"
#include "base/xmalloc.h"
#include "cluster/index_internal.h"
#include "model/labels.h"
#include "model/workload.h"

/* Services are in chains by the label that their selectors ask for first; those that
 * ask for none are in one chain. */
struct service_index {
	uint64_t workloads;   /* the namespace's when it was made */
	struct map first;     /* key, value -> number + 1 */
	uint32_t first_other; /* number + 1; 0: none */
	uint32_t *next;       /* by number: the next number + 1; 0: none */
};

void
service_index_free(struct service_index *index)
{
	if (index == NULL)
		return;
	map_fini(&index->first);
	free(index->next);
	free(index);
}

/* The only label with which the selector matches, if its first requirement is of that
 * form, as a Service's map is. */
static bool
asks_for_label(const struct selector *s, uint64_t *pair)
{
	if (s->n == 0 || s->at[0].op != SELECTOR_IN || s->at[0].nvalues != 1)
		return false;
	*pair = pair_key(s->at[0].key, s->at[0].values[0]);
	return true;
}

/* From the last to the first: chains ascend. */
static struct service_index *
index_new(const struct namespace_info *ns)
{
	struct service_index *index = xcalloc(1, sizeof(*index));
	uint64_t pair;

	index->workloads = ns->workloads;
	index->next = xmalloc((ns->nservices + 1) * sizeof(*index->next));
	for (size_t i = ns->nservices; i-- > 0;) {
		uintptr_t number = i + 1;

		if (asks_for_label(&ns->services[i]->selector, &pair)) {
			index->next[i] =
			    (uint32_t)(uintptr_t)map_get(&index->first, pair);
			map_put(&index->first, pair, (void *)number);
		} else {
			index->next[i] = index->first_other;
			index->first_other = (uint32_t)number;
		}
	}
	return index;
}

static int
ascending(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

struct numbers {
	struct arena *arena;
	size_t n, cap;
	uint32_t *at;
};

static void
add_chain(const struct service_index *index, uint32_t number,
    struct numbers *numbers)
{
	for (; number != 0; number = index->next[number - 1]) {
		arena_room(numbers->arena, numbers->at, numbers->n,
		    &numbers->cap);
		numbers->at[numbers->n++] = number - 1;
	}
}

const uint32_t *
services_maybe(struct namespace_info *ns, const struct labels *labels,
    struct arena *arena, size_t *n)
{
	struct numbers numbers = { .arena = arena };
	struct service_index *index = ns->service_index;

	if (index == NULL || index->workloads != ns->workloads) {
		service_index_free(index);
		index = ns->service_index = index_new(ns);
	}
	add_chain(index, index->first_other, &numbers);
	for (uint32_t i = 0; i < labels->n; i++)
		add_chain(index,
		    (uint32_t)(uintptr_t)map_get(&index->first,
			pair_key(labels->at[i].key, labels->at[i].value)),
		    &numbers);
	if (numbers.n > 1)
		qsort(numbers.at, numbers.n, sizeof(*numbers.at), ascending);
	*n = numbers.n;
	return numbers.at;
}
