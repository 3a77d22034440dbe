#include "config.h"

#include "base/heap.h"

#include <assert.h>

static void
put(struct heap *heap, size_t i, struct heap_item *item)
{
	heap->items[i] = item;
	item->at = i + 1;
}

/* Both sift the item that belongs at the hole i, and fill the hole. */

static void
sift_up(struct heap *heap, size_t i, struct heap_item *item)
{
	while (i > 0) {
		size_t parent = (i - 1) / 2;

		if (!heap->before(item, heap->items[parent]))
			break;
		put(heap, i, heap->items[parent]);
		i = parent;
	}
	put(heap, i, item);
}

static void
sift_down(struct heap *heap, size_t i, struct heap_item *item)
{
	for (;;) {
		size_t child = 2 * i + 1;

		if (child >= heap->n)
			break;
		if (child + 1 < heap->n &&
		    heap->before(heap->items[child + 1], heap->items[child]))
			child++;
		if (!heap->before(heap->items[child], item))
			break;
		put(heap, i, heap->items[child]);
		i = child;
	}
	put(heap, i, item);
}

static void
settle(struct heap *heap, size_t i, struct heap_item *item)
{
	if (i > 0 && heap->before(item, heap->items[(i - 1) / 2]))
		sift_up(heap, i, item);
	else
		sift_down(heap, i, item);
}

void
heap_fini(struct heap *heap)
{
	free(heap->items);
	heap->items = NULL;
	heap->n = heap->cap = 0;
}

void
heap_add(struct heap *heap, struct heap_item *item)
{
	assert(item->at == 0);
	vec_room(heap->items, heap->n, &heap->cap);
	heap->n++;
	sift_up(heap, heap->n - 1, item);
}

void
heap_remove(struct heap *heap, struct heap_item *item)
{
	struct heap_item *last;
	size_t hole = item->at - 1;

	assert(heap_holds(heap, item));
	item->at = 0;
	last = heap->items[--heap->n];
	if (last != item)
		settle(heap, hole, last);
}

void
heap_moved(struct heap *heap, struct heap_item *item)
{
	assert(heap_holds(heap, item));
	settle(heap, item->at - 1, item);
}
