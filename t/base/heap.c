#include "config.h"

#include <stdint.h>
#include <stdlib.h>

#include "base/heap.h"
#include "base/xmalloc.h"
#include "t/lib/t.h"

#define N 300

struct thing {
	struct heap_item item; /* first: they are cast to each other */
	int key;
};

static bool
smaller(const struct heap_item *a, const struct heap_item *b)
{
	return ((const struct thing *)a)->key < ((const struct thing *)b)->key;
}

static uint32_t
random_below(uint32_t n)
{
	static uint64_t x = 7;

	return t_any(&x, n);
}

static void
an_empty_heap_has_no_first(void)
{
	struct heap heap = HEAP_INIT(smaller);
	struct thing thing = { .key = 1 };

	t_true("nothing", heap_first(&heap) == NULL);
	t_true("not in it", !heap_holds(&heap, &thing.item));
	heap_add(&heap, &thing.item);
	t_true("the only one", heap_first(&heap) == &thing.item);
	t_true("in it", heap_holds(&heap, &thing.item));
	heap_remove(&heap, &thing.item);
	t_true("nothing again", heap_first(&heap) == NULL);
	t_true("not in it any more", !heap_holds(&heap, &thing.item));
	heap_fini(&heap);
	heap_fini(&heap);
}

static void
items_come_out_in_order(void)
{
	static const int keys[] = { 5, 3, 8, 3, 1, 9, 2, 8, 0, 7 };
	static const int sorted[] = { 0, 1, 2, 3, 3, 5, 7, 8, 8, 9 };
	struct heap heap = HEAP_INIT(smaller);
	struct thing things[LENGTH(keys)] = { 0 };

	for (size_t i = 0; i < LENGTH(keys); i++) {
		things[i].key = keys[i];
		heap_add(&heap, &things[i].item);
	}
	for (size_t i = 0; i < LENGTH(keys); i++) {
		struct heap_item *item = heap_first(&heap);

		t_int("next", ((struct thing *)item)->key, sorted[i]);
		heap_remove(&heap, item);
	}
	t_int("empty", heap.n, 0);
	heap_fini(&heap);
}

static void
check(const struct heap *heap, const struct thing *things, size_t n)
{
	int first = INT32_MAX;

	for (size_t i = 0; i < N; i++)
		if (things[i].item.at != 0) {
			n--;
			t_true("it knows where it is",
			    heap_holds(heap, &things[i].item));
			first = things[i].key < first ? things[i].key : first;
		}
	t_int("as many as were put in", n, 0);
	if (heap->n > 0)
		t_int("the smallest is first",
		    ((struct thing *)heap_first(heap))->key, first);
}

static void
a_heap_agrees_with_an_array(void)
{
	struct heap heap = HEAP_INIT(smaller);
	static struct thing things[N];
	size_t n = 0;

	for (int i = 0; i < 3000; i++) {
		struct thing *thing = &things[random_below(N)];

		if (thing->item.at == 0) {
			thing->key = (int)random_below(100);
			heap_add(&heap, &thing->item);
			n++;
		} else if (random_below(2) == 0) {
			heap_remove(&heap, &thing->item);
			n--;
		} else {
			thing->key = (int)random_below(100);
			heap_moved(&heap, &thing->item);
		}
		check(&heap, things, n);
	}
	for (int last = 0; heap.n > 0;) {
		struct heap_item *item = heap_first(&heap);

		t_true("never backwards", ((struct thing *)item)->key >= last);
		last = ((struct thing *)item)->key;
		heap_remove(&heap, item);
	}
	heap_fini(&heap);
}

T_MAIN(T(an_empty_heap_has_no_first), T(items_come_out_in_order),
    T(a_heap_agrees_with_an_array))
