/*
 * Evaluates READS_NODE units for all nodes: units with a block form block by block
 * from columns (cluster/columns.h), others node by node.
 */
#include "config.h"

#include "ecache/ecache_internal.h"

#include <string.h>

#include "base/vectorize.h"
#include "base/xmalloc.h"
#include "cluster/columns.h"
#include "framework/cycle.h"
#include "framework/refinement.h"
#include "framework/profile.h"
#include "framework/stopwatch.h"

/* All nodes' outcomes, one column for each number in them. */
struct outcomes {
	uint32_t stride; /* column_rows() of all nodes */
	int64_t *columns;
	bool *used; /* by column; false: 0 for all nodes, and not written */
};

/* The results for one block, by row. */
struct rows {
	const struct column_block *block;
	int64_t *state; /* the first number of the outcome; NULL: all fit */
	int64_t total[COLUMN_ROWS];
	int64_t scores[COLUMN_ROWS];
	uint8_t codes[COLUMN_ROWS];
};

/* The block's rows of the column; sets the whole column to 0 at its first use. */
static int64_t *
use(struct outcomes *outcomes, size_t i, const struct column_block *b)
{
	int64_t *column = outcomes->columns + i * outcomes->stride;

	if (!outcomes->used[i])
		memset(column, 0, outcomes->stride * sizeof(*column));
	outcomes->used[i] = true;
	return column + b->first;
}

/* Sets the code of odd nodes, which are checked one by one. */
static void
ask_odd(struct rows *r)
{
	const struct column_block *b = r->block;

	for (uint32_t i = 0; (b->any & COLUMN_ODD) != 0 && i < b->n; i++)
		if ((b->flags[i] & COLUMN_ODD) != 0)
			r->codes[i] = CODE_ASK;
}

/* The state of nodes with this code: check() of the first of them. */
static int64_t
state_of_code(struct ecache *ecache, struct ecache_results *results,
    struct cycle *cycle, struct cached_check *c, uint8_t code, uint32_t at)
{
	if (code >= CODE_ASK)
		return ecache_check_node(ecache, results, cycle, c, at);
	if (c->states == NULL)
		c->states = arena_array(&results->arena, int64_t, CODE_ASK);
	if (c->states[code] == 0)
		c->states[code] =
		    ecache_check_node(ecache, results, cycle, c, at);
	return c->states[code];
}

/* Stores the check's states of nodes that no earlier check refuses. */
static void
put_states(struct ecache *ecache, struct ecache_results *results,
    struct cycle *cycle, struct cached_check *c, struct outcomes *outcomes,
    struct rows *r)
{
	const struct column_block *b = r->block;
	int64_t state;

	for (uint32_t i = 0; i < b->n; i++) {
		if (r->codes[i] == 0 || (r->state != NULL && r->state[i] != 0))
			continue;
		if (cycle_is_cancelled(cycle))
			return;
		state = state_of_code(ecache, results, cycle, c, r->codes[i],
		    b->first + i);
		if (state != 0 && r->state == NULL)
			r->state = use(outcomes, 0, b);
		if (state != 0)
			r->state[i] = state;
	}
}

static void
check_rows(struct ecache *ecache, struct ecache_results *results,
    struct cycle *cycle, struct outcomes *outcomes, struct rows *r)
{
	const struct column_block *b = r->block;

	for (size_t i = 0; i < results->nchecks; i++) {
		struct cached_check *c = &results->checks[i];
		double started = stopwatch_start(cycle->stopwatch);

		if (c->unit->check_block == NULL ||
		    !c->unit->check_block(cycle, b, c->prep, r->codes))
			memset(r->codes, CODE_ASK, sizeof(r->codes));
		else
			ask_odd(r);
		stopwatch_stop(cycle->stopwatch, POINT_FILTER, c->unit,
		    started);
		if (column_has_codes(r->codes))
			put_states(ecache, results, cycle, c, outcomes, r);
	}
}

/* score() of the nodes whose state is 0; state NULL: of all.  False: score() gave a
 * node a score that is not allowed. */
static bool
score_block(struct cycle *cycle, const struct cached_score *s,
    const struct column_block *b, const int64_t *state, int64_t *scores)
{
	bool ask = s->unit->score_block == NULL ||
	    !s->unit->score_block(cycle, b, s->prep, scores);
	bool allowed = true;

	if (!ask && (b->any & COLUMN_ODD) == 0)
		return true;
	for (uint32_t i = 0; i < b->n && !cycle_is_cancelled(cycle); i++)
		if ((ask || (b->flags[i] & COLUMN_ODD) != 0) &&
		    (state == NULL || state[i] == 0)) {
			scores[i] = s->unit->score(cycle,
			    cycle->cluster->nodes[b->first + i], s->prep);
			allowed &= s->raw_place != 0 ||
			    profile_allows_score(cycle->profile, scores[i]);
		}
	return allowed;
}

static bool
score_block_timed(struct cycle *cycle, const struct cached_score *s,
    const struct column_block *b, const int64_t *state, int64_t *scores)
{
	double started = stopwatch_start(cycle->stopwatch);
	bool allowed = score_block(cycle, s, b, state, scores);

	stopwatch_stop(cycle->stopwatch, POINT_SCORE, s->unit, started);
	return allowed;
}

static VECTORIZED void
add_scores(int64_t *restrict total, int64_t weight,
    const int64_t *restrict scores)
{
	/* there is no vector instruction for the product */
	if (weight == 1)
		for (uint32_t i = 0; i < COLUMN_ROWS; i++)
			total[i] = wrap_add(total[i], scores[i]);
	else
		for (uint32_t i = 0; i < COLUMN_ROWS; i++)
			total[i] =
			    wrap_add(total[i], wrap_mul(weight, scores[i]));
}

/* Stores raw scores in their column. */
static void
put_raw(struct outcomes *outcomes, size_t i, const struct rows *r)
{
	int64_t any = 0, *column;

	for (uint32_t j = 0; j < COLUMN_ROWS; j++)
		any |= r->scores[j];
	if (any == 0)
		return;
	column = use(outcomes, i, r->block);
	for (uint32_t j = 0; j < r->block->n; j++)
		if (r->state == NULL || r->state[j] == 0)
			column[j] = r->scores[j];
}

/* Converts to 32 bits; false: a number does not fit. */
static VECTORIZED bool
narrow(int32_t *restrict to, const int64_t *restrict from)
{
	int64_t differences = 0;

	for (uint32_t i = 0; i < COLUMN_ROWS; i++) {
		to[i] = (int32_t)from[i];
		differences |= from[i] ^ to[i];
	}
	return differences == 0;
}

bool
ecache_sum_scores(struct cycle *cycle, const struct cached_score *list,
    size_t n, const struct column_block *b, int32_t *sums)
{
	int64_t scores[COLUMN_ROWS] = { 0 }, total[COLUMN_ROWS] = { 0 };
	bool allowed = true;

	for (size_t i = 0; i < n; i++) {
		allowed &= score_block_timed(cycle, &list[i], b, NULL, scores);
		add_scores(total, list[i].weight, scores);
	}
	return narrow(sums, total) && allowed;
}

static VECTORIZED void
begin_totals(int64_t *restrict total, int64_t uniform,
    const int32_t *restrict objects)
{
	for (uint32_t i = 0; i < COLUMN_ROWS; i++)
		total[i] = wrap_add(uniform, objects[i]);
}

static void
score_rows(struct ecache_results *results, struct cycle *cycle,
    struct outcomes *outcomes, struct rows *r)
{
	const struct column_block *b = r->block;
	const int32_t *objects =
	    results->objects != NULL ? results->objects->totals : NULL;
	int64_t uniform = results->uniform_total;

	if (objects != NULL)
		begin_totals(r->total, uniform, objects + b->first);
	for (uint32_t i = 0; objects == NULL && i < COLUMN_ROWS; i++)
		r->total[i] = uniform;
	for (size_t i = 0; i < results->nscores; i++) {
		const struct cached_score *s = &results->scores[i];

		results->unusable |=
		    !score_block_timed(cycle, s, b, r->state, r->scores);
		if (s->raw_place != 0)
			put_raw(outcomes, s->raw_place, r);
		else
			add_scores(r->total, s->weight, r->scores);
	}
}

/* Stores totals, 0 for refused nodes; results with a total of more than 32 bits are
 * unusable. */
static void
put_totals(struct ecache_results *results, struct rows *r)
{
	const struct column_block *b = r->block;

	for (uint32_t i = 0; r->state != NULL && i < b->n; i++)
		if (r->state[i] != 0)
			r->total[i] = 0;
	for (uint32_t i = b->n; i < COLUMN_ROWS; i++)
		r->total[i] = 0;
	results->unusable |= !narrow(results->total + b->first, r->total);
}

/* Equal outcomes get one number. */
static void
number_outcomes(struct ecache_results *results, struct cycle *cycle,
    const struct outcomes *outcomes, uint32_t nnodes)
{
	size_t width = results->outcomes.width;
	int64_t *outcome = arena_array(cycle->arena, int64_t, width);
	uint32_t *numbers;
	struct refinement refinement;

	refinement_init(&refinement, nnodes, results->outcome_of);
	for (size_t i = 0; i < width; i++)
		if (outcomes->used[i])
			refine_wide(&refinement,
			    outcomes->columns + i * outcomes->stride);
	numbers = arena_alloc(cycle->arena, refinement.n * sizeof(*numbers));
	for (uint32_t i = 0; i < refinement.n; i++) {
		for (size_t j = 0; j < width; j++)
			outcome[j] = !outcomes->used[j] ?
			    0 :
			    outcomes->columns[j * outcomes->stride +
				refinement.first[i]];
		numbers[i] = outcome_number(&results->outcomes, outcome);
	}
	for (uint32_t i = 0;
	     (refinement.n > 1 || numbers[0] != 0) && i < nnodes; i++)
		results->outcome_of[i] = numbers[results->outcome_of[i]];
	refinement_fini(&refinement);
}

void
ecache_evaluate_all(struct ecache *ecache, struct ecache_results *results,
    struct cycle *cycle)
{
	const struct columns *columns = cluster_columns(ecache->cluster);
	struct outcomes outcomes = {
		.stride = column_rows(columns->nnodes),
		.used =
		    arena_array(cycle->arena, bool, results->outcomes.width),
	};
	struct rows r = { 0 };

	outcomes.columns = arena_alloc(cycle->arena,
	    results->outcomes.width * outcomes.stride *
		sizeof(*outcomes.columns));
	for (uint32_t i = 0; i < columns->nnodes; i += COLUMN_ROWS) {
		if (cycle_is_cancelled(cycle))
			return;
		r.block = columns->blocks[i / COLUMN_ROWS];
		r.state = NULL;
		check_rows(ecache, results, cycle, &outcomes, &r);
		score_rows(results, cycle, &outcomes, &r);
		put_totals(results, &r);
	}
	number_outcomes(results, cycle, &outcomes, columns->nnodes);
}
