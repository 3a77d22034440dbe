/* Volumes that may be had are found, whatever came, changed and went before. */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "base/xmalloc.h"
#include "cluster/open_volumes.h"
#include "t/lib/t.h"
#include "t/lib/world.h"

#define VOLUMES 40
#define STEPS 600

static uint64_t state = 1;

static unsigned
any(unsigned n)
{
	return t_any(&state, n);
}

static void
put(struct world *w, unsigned i)
{
	static const char *const affinities[] = { "",
		"{key: host, operator: In, values: [a]}",
		"{key: host, operator: In, values: [b]}",
		"{key: host, operator: In, values: [a, b]}",
		"{key: zone, operator: In, values: [a]}" };
	static const char *const claims[] = { "", "", "",
		"claimRef:"
		" {namespace: x, name: c},",
		"claimRef: {namespace: z,"
		" name: c}," };
	AUTOFREE char *text = xasprintf(
	    "--- {kind: PersistentVolume, metadata:"
	    " {name: v%u}, spec: {capacity: {storage: %u}, storageClassName:"
	    " '%s', %s nodeAffinity: {required: {nodeSelectorTerms:"
	    " [{matchExpressions: [%s]}]}}}, status: {phase: %s}}\n",
	    i, any(3), any(2) == 0 ? "s" : "", claims[any(5)],
	    affinities[any(5)], any(3) > 0 ? "Available" : "Bound");

	world_put(w, text);
}

static bool
in_order(const struct pinned *a, const struct pinned *b)
{
	int order = pinned_compare(&a->pin, &b->pin);

	return order < 0 ||
	    (order == 0 && open_volume_compare(a->object, b->object) < 0);
}

struct tally {
	const struct world *w;
	size_t listed;
};

/* The volume is in the list that it belongs in, if in any. */
static void
look(const struct persistent_volume *volume, struct tally *tally)
{
	const struct pinned_list *list = volume->has_claim ?
	    cluster_reserved_volumes(tally->w->cluster, volume->claim_namespace,
		volume->claim_name) :
	    cluster_free_volumes(tally->w->cluster, volume->spec_class);
	bool open = volume->has_claim || volume->available;
	size_t times = 0;

	for (size_t i = 0; list != NULL && i < list->n; i++)
		times += list->at[i].object == volume;
	t_int("is there", times, open);
	tally->listed += open;
}

static void
check(const struct world *w)
{
	const struct map *all = &w->cluster->named[OBJECT_PERSISTENT_VOLUME];
	const struct map *map = &w->cluster->open_volumes;
	struct tally tally = { w, 0 };

	for (size_t i = 0; i < all->nslots; i++)
		if (all->slots[i].value != NULL)
			look(all->slots[i].value, &tally);
	for (size_t i = 0; i < map->nslots; i++) {
		const struct pinned_list *list = map->slots[i].value;

		if (list == NULL)
			continue;
		t_true("no list is empty", list->n > 0);
		for (size_t j = 1; j < list->n; j++)
			t_true("in order",
			    in_order(&list->at[j - 1], &list->at[j]));
		tally.listed -= list->n;
	}
	t_int("nothing else is", tally.listed, 0);
}

static void
lists_hold_what_may_be_had(void)
{
	struct world *w = world_new("");

	for (unsigned i = 0; i < STEPS; i++) {
		if (any(3) > 0) {
			put(w, any(VOLUMES));
		} else {
			AUTOFREE char *text = xasprintf(
			    "--- {kind: "
			    "PersistentVolume, metadata: {name: v%u}}\n",
			    any(VOLUMES));

			world_remove(w, text);
		}
		check(w);
	}
	world_free(w);
}

T_MAIN(T(lists_hold_what_may_be_had))
