#include "config.h"

#include "sched/kinds.h"

#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/xmalloc.h"

#define CHUNK 256

/* A new kind, of which this is the first node; returns its number + 1. */
static uint32_t
add(struct kinds *kinds, uint32_t at)
{
	vec_room(kinds->first, kinds->n, &kinds->cap);
	kinds->first[kinds->n] = at;
	return ++kinds->n;
}

void
kinds_init(struct kinds *kinds, uint32_t nnodes, uint32_t *of)
{
	*kinds = (struct kinds) { .nnodes = nnodes, .of = of };
	memset(of, 0, nnodes * sizeof(*of));
	add(kinds, 0);
}

void
kinds_fini(struct kinds *kinds)
{
	free(kinds->first);
}

/* Values that lie close together: each has its place in a table. */
static void
split_by_table(struct kinds *kinds, const uint32_t *column, uint32_t lowest,
    uint32_t range)
{
	AUTOFREE uint32_t *table =
	    xcalloc((size_t)kinds->n * range, sizeof(*table));
	uint32_t n = kinds->nnodes, *of = kinds->of;

	kinds->n = 0;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t value = column[i] + 1 - lowest;
		size_t at = (size_t)of[i] * range + value;
		uint32_t number = table[at];

		if (number == 0)
			number = table[at] = add(kinds, i);
		of[i] = number - 1;
	}
}

/* The number, from 1, of a key in the order in which they come. */
static uint32_t
number_of(struct map *numbers, uint64_t key)
{
	uintptr_t found = (uintptr_t)map_get(numbers, key);

	if (found == 0) {
		found = numbers->n + 1;
		map_put(numbers, key, (void *)found);
	}
	return (uint32_t)found;
}

static void
split_by_map(struct kinds *kinds, const uint32_t *column)
{
	struct map numbers = { 0 };

	kinds->n = 0;
	for (uint32_t i = 0; i < kinds->nnodes; i++) {
		uint32_t number = number_of(&numbers,
		    (uint64_t)kinds->of[i] << 32 | column[i]);

		if (number > kinds->n)
			add(kinds, i);
		kinds->of[i] = number - 1;
	}
	map_fini(&numbers);
}

struct range {
	uint32_t lowest, highest;
};

/* Of one more than each value, so that -1, which is often none, is next to 0. */
static inline struct range
range_of(uint32_t n, const uint32_t *column)
{
	uint32_t low = UINT32_MAX, high = 0;

	for (uint32_t i = 0; i < n; i++) {
		uint32_t value = column[i] + 1;

		low = value < low ? value : low;
		high = value > high ? value : high;
	}
	return (struct range) { low, high };
}

/* A length that is known makes for vector instructions. */
static struct range
range_of_chunk(const uint32_t *column)
{
	return range_of(CHUNK, column);
}

static struct range
range_of_all(uint32_t n, const uint32_t *column)
{
	uint32_t rest = n % CHUNK;
	struct range all = range_of(rest, column + n - rest);

	for (uint32_t i = 0; i + CHUNK <= n; i += CHUNK) {
		struct range r = range_of_chunk(column + i);

		all.lowest = r.lowest < all.lowest ? r.lowest : all.lowest;
		all.highest = r.highest > all.highest ? r.highest : all.highest;
	}
	return all;
}

void
kinds_split(struct kinds *kinds, const uint32_t *column)
{
	struct range range = range_of_all(kinds->nnodes, column);
	uint64_t n = (uint64_t)range.highest - range.lowest + 1;

	if (n == 1)
		return;
	if (n * kinds->n <= (uint64_t)kinds->nnodes * 4 + 4096)
		split_by_table(kinds, column, range.lowest, (uint32_t)n);
	else
		split_by_map(kinds, column);
}

void
kinds_split_wide(struct kinds *kinds, const int64_t *column)
{
	AUTOFREE uint32_t *narrow =
	    xmalloc(kinds->nnodes * sizeof(*narrow));
	int64_t lowest = column[0], highest = column[0];
	struct map numbers = { 0 };

	for (uint32_t i = 0; i < kinds->nnodes; i++) {
		lowest = column[i] < lowest ? column[i] : lowest;
		highest = column[i] > highest ? column[i] : highest;
	}
	if (lowest == highest)
		return;
	if ((uint64_t)highest - (uint64_t)lowest < UINT32_MAX)
		for (uint32_t i = 0; i < kinds->nnodes; i++)
			narrow[i] = (uint32_t)((uint64_t)column[i] -
			    (uint64_t)lowest);
	else
		for (uint32_t i = 0; i < kinds->nnodes; i++)
			narrow[i] = number_of(&numbers, (uint64_t)column[i]);
	map_fini(&numbers);
	kinds_split(kinds, narrow);
}
