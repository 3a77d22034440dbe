/*
 * Selectors are found by the labels that they may match, each once for one set of
 * labels or two, and their places go with them.
 */
#include "config.h"

#include <stdint.h>

#include "base/xmalloc.h"
#include "cluster/selector_set.h"
#include "objects/labels.h"
#include "objects/selector.h"
#include "t/lib/t.h"

#define NSELECTORS 100
#define NKEYS 4
#define MOST 2

static uint64_t seed = 3;

static uint32_t
below(uint32_t n)
{
	return t_any(&seed, n);
}

static sym
text(char kind, uint32_t i)
{
	char buf[] = { kind, (char)('0' + i), '\0' };

	return sym_intern(buf);
}

struct filed {
	struct requirement at[2];
	sym values[2][4];
	struct selector selector;
	struct selector_link *links;
	unsigned visits;
};

static void
some_selector(struct filed *f)
{
	f->selector = (struct selector){ .n = below(3), .at = f->at };
	for (uint32_t i = 0; i < f->selector.n; i++) {
		f->at[i] = (struct requirement){ .key = text('k', below(NKEYS)),
			.op = (enum selector_op)below(4),
			.nvalues = 1 + below(4),
			.values = f->values[i] };
		for (uint32_t j = 0; j < 4; j++)
			f->values[i][j] = text('v', below(3));
	}
}

static void
some_labels(struct labels *labels, struct label at[NKEYS])
{
	labels->n = 0;
	labels->at = at;
	for (uint32_t i = 0; i < NKEYS; i++)
		if (below(2) == 0)
			at[labels->n++] =
			    (struct label){ text('k', i), text('v', below(3)) };
	labels_sort(at, labels->n);
}

static bool
count(void *arg, struct selector_place *place)
{
	const struct selector_link *link;

	++*(unsigned *)arg;
	LIST_FOREACH (link, &place->links, in_place)
		((struct filed *)link->what)->visits++;
	return true;
}

static bool
stop(void *arg, struct selector_place *place)
{
	++*(unsigned *)arg;
	return false;
}

static void
file(struct selector_set *set, struct filed *f)
{
	uint64_t key;

	for (uint32_t i = 0;
	     selector_next_key(selector_anchor(&f->selector), MOST, &i, &key);)
		selector_links_add(&f->links, set, key, f, 0);
}

static void
selectors_are_found_by_labels(void)
{
	static struct filed filed[NSELECTORS];
	struct selector_set outer = { 0 }, set = { 0 };

	set.within = selector_place(&outer, 1);
	for (size_t i = 0; i < NSELECTORS; i++) {
		some_selector(&filed[i]);
		file(&set, &filed[i]);
	}
	for (int round = 0; round < 300; round++) {
		struct label one[NKEYS], two[NKEYS];
		struct labels labels, also;
		unsigned places = 0, once = 0;
		bool both = below(2) == 0;

		some_labels(&labels, one);
		some_labels(&also, two);
		for (size_t i = 0; i < NSELECTORS; i++)
			filed[i].visits = 0;
		t_true("all are visited",
		    selector_set_visit(&set, &labels, both ? &also : NULL,
			count, &places));
		for (size_t i = 0; i < NSELECTORS; i++) {
			const struct selector *s = &filed[i].selector;
			bool matches = selector_matches(s, &labels) ||
			    (both && selector_matches(s, &also));

			t_true("what matches is found",
			    filed[i].visits > 0 || !matches);
			/* by two values of an In, if these are two sets */
			t_true("once by one set of labels",
			    filed[i].visits <= (both ? 2 : 1));
		}
		if (places > 0)
			t_true("it stops",
			    !selector_set_visit(&set, &labels,
				both ? &also : NULL, stop, &once) &&
				once == 1);
		selector_links_free(filed[round % NSELECTORS].links);
		filed[round % NSELECTORS].links = NULL;
		some_selector(&filed[round % NSELECTORS]);
		file(&set, &filed[round % NSELECTORS]);
	}
	t_int("a set with places is in use", (long)outer.places.n, 1);
	for (size_t i = 0; i < NSELECTORS; i++)
		selector_links_free(filed[i].links);
	t_int("no place is left", (long)set.places.n, 0);
	t_int("nor that of the set", (long)outer.places.n, 0);
}

/* So the place of all labels is not compared twice, nor what has not changed. */
static void
no_place_is_visited_twice(void)
{
	struct label at[] = { { text('k', 0), text('v', 0) } };
	struct label other[] = { { text('k', 0), text('v', 1) } };
	const struct labels labels = { 1, at }, changed = { 1, other };
	const uint64_t keys[] = { SELECTOR_PLACE_OF_ALL,
		map_key(at[0].key, SYM_NONE), map_key(at[0].key, at[0].value),
		map_key(at[0].key, other[0].value) };
	struct filed filed = { 0 };
	struct selector_set set = { 0 };
	unsigned places = 0;

	for (size_t i = 0; i < LENGTH(keys); i++)
		selector_links_add(&filed.links, &set, keys[i], &filed, 0);
	selector_set_visit(&set, &labels, &labels, count, &places);
	t_int("the same labels", places, 3);
	places = 0;
	selector_set_visit(&set, &labels, &changed, count, &places);
	t_int("another value", places, 4);
	selector_links_free(filed.links);
}

T_MAIN(T(selectors_are_found_by_labels), T(no_place_is_visited_twice))
