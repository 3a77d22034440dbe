#include "config.h"

#include "framework/refinement.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/xmalloc.h"

#define CHUNK 256

/* A new part, of which this is the first node; returns its number + 1. */
static uint32_t
add(struct refinement *refinement, uint32_t at)
{
	vec_room(refinement->first, refinement->n, &refinement->cap);
	refinement->first[refinement->n] = at;
	return ++refinement->n;
}

void
refinement_init(struct refinement *refinement, uint32_t nnodes, uint32_t *of)
{
	*refinement = (struct refinement){ .nnodes = nnodes, .of = of };
	memset(of, 0, nnodes * sizeof(*of));
	add(refinement, 0);
}

void
refinement_fini(struct refinement *refinement)
{
	free(refinement->first);
}

/* Values that lie close together: each has its place in a table. */
static void
split_by_table(struct refinement *refinement, const uint32_t *column,
    uint32_t lowest, uint32_t range)
{
	AUTOFREE uint32_t *table =
	    xcalloc((size_t)refinement->n * range, sizeof(*table));
	uint32_t n = refinement->nnodes, *of = refinement->of;

	refinement->n = 0;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t value = column[i] + 1 - lowest;
		size_t at = (size_t)of[i] * range + value;
		uint32_t number = table[at];

		if (number == 0)
			number = table[at] = add(refinement, i);
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
split_by_map(struct refinement *refinement, const uint32_t *column)
{
	struct map numbers = { 0 };

	refinement->n = 0;
	for (uint32_t i = 0; i < refinement->nnodes; i++) {
		uint32_t number = number_of(&numbers,
		    (uint64_t)refinement->of[i] << 32 | column[i]);

		if (number > refinement->n)
			add(refinement, i);
		refinement->of[i] = number - 1;
	}
	map_fini(&numbers);
}

/* A length that is known makes for vector instructions. */
static uint32_t
differences_in_chunk(const uint32_t *column, uint32_t first)
{
	uint32_t differ = 0;

	for (uint32_t i = 0; i < CHUNK; i++)
		differ |= (column[i] + 1) ^ first;
	return differ;
}

/* The bits in which not all values are equal, once each is one more, so that -1,
 * which is often none, is next to 0. */
static uint32_t
differences(uint32_t n, const uint32_t *column)
{
	uint32_t first = column[0] + 1, differ = 0, i = 0;

	for (; i + CHUNK <= n; i += CHUNK)
		differ |= differences_in_chunk(column + i, first);
	for (; i < n; i++)
		differ |= (column[i] + 1) ^ first;
	return differ;
}

struct range {
	uint32_t lowest, highest; /* of one more than the values */
};

static struct range
range_of(uint32_t n, const uint32_t *column)
{
	struct range r = { UINT32_MAX, 0 };

	for (uint32_t i = 0; i < n; i++) {
		uint32_t value = column[i] + 1;

		r.lowest = value < r.lowest ? value : r.lowest;
		r.highest = value > r.highest ? value : r.highest;
	}
	return r;
}

/* Whether a table would not be much larger than a column. */
static bool
is_small(const struct refinement *refinement, struct range r)
{
	return ((uint64_t)r.highest - r.lowest + 1) * refinement->n <=
	    (uint64_t)refinement->nnodes * 4 + 4096;
}

void
refine(struct refinement *refinement, const uint32_t *column)
{
	uint32_t differ = differences(refinement->nnodes, column), mask;
	struct range r;

	if (differ == 0)
		return;
	/* all are within the numbers that differ in the bits up to that one */
	mask = UINT32_MAX >> __builtin_clz(differ);
	r.lowest = (column[0] + 1) & ~mask;
	r.highest = r.lowest | mask;
	if (!is_small(refinement, r))
		r = range_of(refinement->nnodes, column);
	if (is_small(refinement, r))
		split_by_table(refinement, column, r.lowest,
		    r.highest - r.lowest + 1);
	else
		split_by_map(refinement, column);
}

void
refine_wide(struct refinement *refinement, const int64_t *column)
{
	AUTOFREE uint32_t *narrow =
	    xmalloc(refinement->nnodes * sizeof(*narrow));
	int64_t lowest = column[0], highest = column[0];
	struct map numbers = { 0 };

	for (uint32_t i = 0; i < refinement->nnodes; i++) {
		lowest = column[i] < lowest ? column[i] : lowest;
		highest = column[i] > highest ? column[i] : highest;
	}
	if (lowest == highest)
		return;
	if ((uint64_t)highest - (uint64_t)lowest < UINT32_MAX)
		for (uint32_t i = 0; i < refinement->nnodes; i++)
			narrow[i] =
			    (uint32_t)((uint64_t)column[i] - (uint64_t)lowest);
	else
		for (uint32_t i = 0; i < refinement->nnodes; i++)
			narrow[i] = number_of(&numbers, (uint64_t)column[i]);
	map_fini(&numbers);
	refine(refinement, narrow);
}
