/*
 * The requests on a node including the pod, for the priorities that compare them
 * with the node's allocatable.
 *
 * A container without requests counts as if it requested 100m of cpu and 200 MiB
 * of memory, so that a node full of such containers does not look empty.  The
 * profile's release says which containers count (pod_nonzero_pending()).
 *
 * And the shares of one resource that scores are made of, on the scale 0 to max.
 */
#ifndef PRIORITIES_RESOURCE_SHARE_H
#define PRIORITIES_RESOURCE_SHARE_H

#include <math.h>
#include <stdint.h>

#include "base/vectorize.h"
#include "cluster/columns.h"
#include "cluster/node_info.h"
#include "framework/cycle.h"
#include "framework/profile.h"
#include "priorities/arith.h"

static inline int64_t
pod_cpu_milli(const struct cycle *cycle)
{
	return pod_nonzero_pending(cycle->class,
	    scored_by(cycle->profile->release), cycle_release(cycle))
	    .cpu_milli;
}

static inline int64_t
pod_memory(const struct cycle *cycle)
{
	return pod_nonzero_pending(cycle->class,
	    scored_by(cycle->profile->release), cycle_release(cycle))
	    .memory;
}

/* The sums of a node's pods, and those of the nodes of a block. */
static inline const struct nonzero_requests *
scored_on(const struct cycle *cycle, const struct node_info *node)
{
	return &node->scored[scored_by(cycle->profile->release)];
}

static inline const struct column_scored *
scored_in(const struct cycle *cycle, const struct column_block *b)
{
	return &b->scored[scored_by(cycle->profile->release)];
}

static inline int64_t
cpu_milli_with_pod(const struct cycle *cycle, const struct node_info *node)
{
	return wrap_add(scored_on(cycle, node)->cpu_milli,
	    pod_cpu_milli(cycle));
}

static inline int64_t
memory_with_pod(const struct cycle *cycle, const struct node_info *node)
{
	return wrap_add(scored_on(cycle, node)->memory, pod_memory(cycle));
}

/* The part that is left free, the pod included; 0 if more is requested. */
static inline int64_t
free_share(int64_t max, int64_t requested, int64_t capacity)
{
	if (capacity == 0 || requested > capacity)
		return 0;
	return wrap_div(wrap_mul(wrap_sub(capacity, requested), max), capacity);
}

/* The part that is requested, the pod included; 0 if more is. */
static inline int64_t
used_share(int64_t max, int64_t requested, int64_t capacity)
{
	if (capacity == 0 || requested > capacity)
		return 0;
	return wrap_div(wrap_mul(requested, max), capacity);
}

/* The same in columns. */
static inline int32_t
free_share_in_columns(double max, double requested, double capacity)
{
	double share = (capacity - requested) * max / capacity;

	return (int32_t)(share > 0 ? share : 0);
}

static inline int32_t
used_share_in_columns(double max, double requested, double capacity)
{
	double used = requested <= capacity ? requested : 0;

	return (int32_t)(used * max / capacity);
}

/*
 * Whether columns can be computed with the pod, too.  Then (amount * score_max)
 * / capacity in doubles, truncated, equals the result in whole numbers:
 * quotients of numbers below 2^53 are further from the next whole number than
 * rounding goes.
 */
static inline bool
pod_fits_columns(const struct cycle *cycle)
{
	return column_amount(pod_cpu_milli(cycle)) &&
	    column_amount(pod_memory(cycle)) &&
	    cycle->profile->score_max >= 0 && cycle->profile->score_max <= 100;
}

/*
 * Scores are computed in floats first, of used parts that are off by less than this:
 * eight times the rounding of a part that is 2 at most.  Where a number that is to be
 * truncated is that close to a whole one it is computed again, exactly.
 */
#define SHARE_ERROR 2e-6f

/* Instead of a score that has to be computed exactly; negative. */
#define SCORE_UNSURE (-1)

/* So many rows at once; if none of them is unsure none is looked at again. */
#define SHARE_ROWS 64

/* Whether truncating it may give another number than truncating the exact one; the
 * error is below 0.5.  Numbers from 2^22 on are always close. */
static inline bool
is_close_to_whole(float number, float error)
{
	const float shift = 3 << 22; /* has no bits for a fraction */
	float whole = (number + shift) - shift;

	return fabsf(number - whole) < error;
}

/* A share of one resource: share(max, requested with the pod, allocatable); and about,
 * of max times the part that is requested, more or less. */
struct share_rule {
	int32_t (*share)(double max, double requested, double capacity);
	float (*about)(float max, float used);
};

static inline float
free_share_about(float max, float used)
{
	return max - used > 0 ? max - used : 0;
}

static inline float
used_share_about(float max, float used)
{
	return used <= max ? used : 0;
}

/* What the pod adds to the parts that are requested, times max. */
struct share_added {
	float max, cpu, memory;
};

/* SCORE_UNSURE, or the score of the row. */
static inline __attribute__((always_inline)) int32_t
mean_share_about(const struct column_block *b, const struct column_scored *s,
    uint32_t row, struct share_added added,
    float (*about)(float max, float used))
{
	float cpu =
	    added.max * s->cpu_share[row] + added.cpu * b->cpu_inverse[row];
	float memory = added.max * s->memory_share[row] +
	    added.memory * b->memory_inverse[row];
	float error = added.max * SHARE_ERROR;
	/* in numbers, so that no row branches */
	int32_t close = is_close_to_whole(cpu, error);
	int32_t unsure = -(close | is_close_to_whole(memory, error));
	int32_t sum =
	    (int32_t)about(added.max, cpu) + (int32_t)about(added.max, memory);

	return (int32_t)((uint32_t)sum / 2) | unsure;
}

/* The score of the row, exactly. */
static inline __attribute__((always_inline)) int32_t
mean_share(const struct column_block *b, const struct column_scored *s,
    uint32_t row, double max, double cpu, double memory,
    int32_t (*share)(double max, double requested, double capacity))
{
	return (share(max, s->cpu_milli[row] + cpu, b->cpu_milli[row]) +
		   share(max, s->memory[row] + memory, b->memory[row])) /
	    2;
}

/*
 * score_block() of a priority whose score is the mean of the shares of cpu and
 * memory.  Inlined for each rule, so that compilers vectorize the loop.
 */
static inline __attribute__((always_inline)) bool
mean_shares(const struct cycle *cycle, const struct column_block *b,
    struct share_rule rule, int64_t *restrict scores)
{
	const struct column_scored *s = scored_in(cycle, b);
	double cpu = (double)pod_cpu_milli(cycle);
	double memory = (double)pod_memory(cycle);
	double max = (double)cycle->profile->score_max;
	struct share_added added = { (float)max, (float)(max * cpu),
		(float)(max * memory) };

	if (!pod_fits_columns(cycle))
		return false;
	for (uint32_t first = 0; first < COLUMN_ROWS; first += SHARE_ROWS) {
		int32_t any = 0;

		for (uint32_t i = 0; i < SHARE_ROWS; i++) {
			int32_t score = mean_share_about(b, s, first + i, added,
			    rule.about);

			any |= score;
			scores[first + i] = score;
		}
		for (uint32_t i = first;
		     any < 0 && i < first + SHARE_ROWS && i < b->n; i++)
			if (scores[i] < 0)
				scores[i] = mean_share(b, s, i, max, cpu,
				    memory, rule.share);
	}
	return true;
}

#define FREE_SHARE                                                             \
	(struct share_rule)                                                    \
	{                                                                      \
		free_share_in_columns, free_share_about                        \
	}
#define USED_SHARE                                                             \
	(struct share_rule)                                                    \
	{                                                                      \
		used_share_in_columns, used_share_about                        \
	}

#endif
