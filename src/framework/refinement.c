#include "config.h"

#include "framework/refinement.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/vectorize.h"
#include "base/xmalloc.h"
#include "cluster/columns.h"
#include "cluster/index.h"

#define CHUNK 256

/* The parts by some topologies, or one more than `before` has. */
struct joint {
	const struct joint *before;
	const struct topology *topology;
	/* It splits no part: the arrays are those of the one before. */
	bool same;
	uint32_t n;
	uint32_t *of, *first, *count;
};

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
	if (refinement->joint != NULL)
		return;
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

/* Compilers vectorize loops of a constant length. */
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

static void
split(struct refinement *refinement, const uint32_t *column, uint32_t differ)
{
	/* all are within the numbers that differ in the bits up to that one */
	uint32_t mask = UINT32_MAX >> __builtin_clz(differ);
	struct range r;

	refinement->count = NULL;
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

static void *
copy(const void *bytes, size_t n, size_t size)
{
	return memcpy(xmalloc(n * size), bytes, n * size);
}

/* Gives it arrays of its own. */
static void
leave_joint(struct refinement *refinement)
{
	const struct joint *joint = refinement->joint;

	if (joint == NULL)
		return;
	refinement->joint = NULL;
	refinement->of = memcpy(refinement->room, joint->of,
	    column_rows(refinement->nnodes) * sizeof(*joint->of));
	refinement->first = copy(joint->first, joint->n, sizeof(uint32_t));
	refinement->cap = joint->n;
}

void
refine(struct refinement *refinement, const uint32_t *column)
{
	uint32_t differ = differences(refinement->nnodes, column);

	if (differ == 0)
		return;
	leave_joint(refinement);
	split(refinement, column, differ);
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

/* Joints */

static void
joint_free(struct joint *joint)
{
	if (!joint->same) {
		free(joint->of);
		free(joint->first);
		free(joint->count);
	}
	free(joint);
}

void
joints_fini(struct joints *joints)
{
	for (uint32_t i = 0; i < joints->n; i++)
		joint_free(joints->at[i]);
	*joints = (struct joints){ 0 };
}

/* One of these parts, whose arrays it takes, with the nodes counted. */
static struct joint *
joint_of(struct refinement *refinement)
{
	struct joint *joint = xcalloc(1, sizeof(*joint));

	joint->n = refinement->n;
	joint->of = refinement->of;
	joint->first = refinement->first;
	joint->count = xcalloc(joint->n, sizeof(*joint->count));
	for (uint32_t i = 0; i < refinement->nnodes; i++)
		joint->count[joint->of[i]]++;
	for (size_t i = refinement->nnodes; i < column_rows(refinement->nnodes);
	     i++)
		joint->of[i] = PART_NONE;
	return joint;
}

static struct joint *
joint_whole(uint32_t nnodes)
{
	struct refinement whole;

	refinement_init(&whole, nnodes,
	    xmalloc(column_rows(nnodes) * sizeof(uint32_t)));
	return joint_of(&whole);
}

static struct joint *
joint_new(const struct joint *before, const struct topology *topology,
    uint32_t nnodes)
{
	size_t rows = column_rows(nnodes);
	struct joint *joint;
	struct refinement parts = { .nnodes = nnodes,
		.n = before->n,
		.cap = before->n };

	parts.of = copy(before->of, rows, sizeof(*before->of));
	parts.first = copy(before->first, before->n, sizeof(*before->first));
	refine(&parts, topology->domain_of);
	if (parts.n > before->n) {
		joint = joint_of(&parts);
	} else {
		free(parts.of);
		free(parts.first);
		joint = copy(before, 1, sizeof(*before));
		joint->same = true;
	}
	joint->before = before;
	joint->topology = topology;
	return joint;
}

/* NULL: there is no room for it. */
static const struct joint *
joint_find(struct joints *joints, const struct joint *before,
    const struct topology *topology)
{
	struct joint *joint;

	for (uint32_t i = 1; i < joints->n; i++) {
		joint = joints->at[i];
		if (joint->before == before && joint->topology == topology)
			return joint->same ? before : joint;
	}
	if (joints->n == JOINTS_MAX)
		return NULL;
	joint = joint_new(before, topology, joints->nnodes);
	joints->at[joints->n++] = joint;
	return joint->same ? before : joint;
}

static void
use_joint(struct refinement *refinement, const struct joint *joint)
{
	refinement->joint = joint;
	refinement->n = joint->n;
	refinement->of = joint->of;
	refinement->first = joint->first;
	refinement->count = joint->count;
}

void
refinement_begin(struct refinement *refinement, struct joints *joints,
    const struct cluster *cluster, uint32_t *room)
{
	if (joints->labels != cluster->labels ||
	    joints->nnodes != cluster->nnodes || joints->n == JOINTS_MAX)
		joints_fini(joints);
	joints->labels = cluster->labels;
	joints->nnodes = cluster->nnodes;
	if (joints->n == 0)
		joints->at[joints->n++] = joint_whole(cluster->nnodes);
	*refinement = (struct refinement){ .nnodes = cluster->nnodes,
		.joints = joints,
		.room = room };
	use_joint(refinement, joints->at[0]);
}

void
refine_by_topology(struct refinement *refinement,
    const struct topology *topology)
{
	const struct joint *joint = NULL;

	if (topology->ndomains == 0)
		return;
	if (refinement->joint != NULL)
		joint =
		    joint_find(refinement->joints, refinement->joint, topology);
	if (joint != NULL)
		use_joint(refinement, joint);
	else
		refine(refinement, topology->domain_of);
}
