/*
 * Binary heaps of things that know where they are, so that any of them can be
 * taken out or moved in O(log n), not only the first.
 *
 * A thing embeds a struct heap_item, zeroed before its first use, and is in at
 * most one heap at a time through it:
 *
 *	heap->items[item->at - 1] == item    when it is in the heap
 *	item->at == 0                        when it is in none
 *
 * The heap never owns its items.  Ties come out in any order: `before` breaks
 * them.
 */
#ifndef BASE_HEAP_H
#define BASE_HEAP_H

struct heap_item {
	size_t at; /* place in the heap plus one */
};

struct heap {
	/* Whether a must come out before b; a strict order. */
	bool (*before)(const struct heap_item *a, const struct heap_item *b);
	struct heap_item **items;
	size_t n, cap;
};

#define HEAP_INIT(before)                                                      \
	{                                                                      \
		before, NULL, 0, 0                                             \
	}

/* Frees the heap's own memory; the items keep where they were. */
void heap_fini(struct heap *heap);

/* item is in no heap. */
void heap_add(struct heap *heap, struct heap_item *item);

/* item is in this heap. */
void heap_remove(struct heap *heap, struct heap_item *item);

/* Restores the order after the key of item, as seen by `before`, has changed;
 * only one item at a time may be out of place. */
void heap_moved(struct heap *heap, struct heap_item *item);

/* NULL when the heap is empty. */
static inline struct heap_item *
heap_first(const struct heap *heap)
{
	return heap->n > 0 ? heap->items[0] : NULL;
}

static inline bool
heap_holds(const struct heap *heap, const struct heap_item *item)
{
	return item->at > 0 && item->at <= heap->n &&
	    heap->items[item->at - 1] == item;
}

#endif
