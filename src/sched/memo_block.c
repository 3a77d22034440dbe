/*
 * READS_NODE units asked about all nodes: block by block through
 * columns (cluster/columns.h) where units know how, node by node elsewhere.
 */
#include "config.h"

#include "sched/memo_internal.h"

#include <string.h>

#include "base/xmalloc.h"
#include "cluster/columns.h"
#include "sched/cycle.h"
#include "sched/kinds.h"
#include "sched/profile.h"

/* All nodes' answers, one column for each number in them. */
struct answers {
	uint32_t stride; /* nodes, and the rest of the last block */
	int64_t *columns;
	bool *used; /* by column; false: 0 for all nodes */
};

/* A block in hand; by row. */
struct rows {
	const struct column_block *block;
	int64_t *state; /* the first number of the answer */
	int64_t total[COLUMN_ROWS];
	int64_t scores[COLUMN_ROWS];
	uint8_t codes[COLUMN_ROWS];
};

static bool
all_fit(const uint8_t *codes, uint32_t n)
{
	unsigned any = 0;

	for (uint32_t i = 0; i < n; i++)
		any |= codes[i];
	return any == 0;
}

/* Has odd nodes asked one by one. */
static void
ask_odd(struct rows *r)
{
	const struct column_block *b = r->block;

	for (uint32_t i = 0; (b->any & COLUMN_ODD) != 0 && i < b->n; i++)
		if ((b->flags[i] & COLUMN_ODD) != 0)
			r->codes[i] = CODE_ASK;
}

/* The state that nodes with this code have; check() is asked of the first. */
static int64_t
state_of_code(struct memo *memo, struct memo_kin *kin, struct cycle *cycle,
    struct memo_check *c, uint8_t code, uint32_t at)
{
	if (code >= CODE_ASK)
		return memo_check_node(memo, kin, cycle, c, at);
	if (c->states == NULL)
		c->states = arena_array(&kin->arena, int64_t, CODE_ASK);
	if (c->states[code] == 0)
		c->states[code] = memo_check_node(memo, kin, cycle, c, at);
	return c->states[code];
}

/* Whether some nodes are refused. */
static bool
check_rows(struct memo *memo, struct memo_kin *kin, struct cycle *cycle,
    struct rows *r)
{
	const struct column_block *b = r->block;
	bool refused = false;

	memset(r->state, 0, b->n * sizeof(*r->state));
	for (size_t i = 0; i < kin->nchecks; i++) {
		struct memo_check *c = &kin->checks[i];

		if (c->unit->check_block == NULL ||
		    !c->unit->check_block(cycle, b, c->prep, r->codes))
			memset(r->codes, CODE_ASK, sizeof(r->codes));
		else
			ask_odd(r);
		if (all_fit(r->codes, b->n))
			continue;
		for (uint32_t j = 0; j < b->n; j++)
			if (r->codes[j] != 0 && r->state[j] == 0) {
				r->state[j] = state_of_code(memo, kin, cycle, c,
				    r->codes[j], b->first + j);
				refused |= r->state[j] != 0;
			}
	}
	return refused;
}

void
memo_score_block(struct cycle *cycle, const struct priority *unit,
    const void *prep, const struct column_block *b, const int64_t *state,
    int64_t *scores)
{
	bool ask = unit->score_block == NULL ||
	    !unit->score_block(cycle, b, prep, scores);

	if (!ask && (b->any & COLUMN_ODD) == 0)
		return;
	for (uint32_t i = 0; i < b->n; i++)
		if ((ask || (b->flags[i] & COLUMN_ODD) != 0) &&
		    (state == NULL || state[i] == 0))
			scores[i] = unit->score(cycle,
			    cycle->cluster->nodes[b->first + i], prep);
}

static void
add_scores(struct rows *r, int64_t weight)
{
	for (uint32_t i = 0; i < COLUMN_ROWS; i++)
		r->total[i] = wrap_add(r->total[i],
		    wrap_mul(weight, r->scores[i]));
}

/* Raw scores go to their column. */
static void
put_raw(struct answers *answers, size_t i, const struct rows *r)
{
	const struct column_block *b = r->block;
	int64_t *column = answers->columns + i * answers->stride + b->first;
	int64_t any = 0;

	for (uint32_t j = 0; j < b->n; j++) {
		column[j] = r->state[j] == 0 ? r->scores[j] : 0;
		any |= column[j];
	}
	answers->used[i] |= any != 0;
}

static void
score_rows(struct memo_kin *kin, struct cycle *cycle, struct answers *answers,
    struct rows *r)
{
	const struct column_block *b = r->block;

	for (uint32_t i = 0; i < COLUMN_ROWS; i++)
		r->total[i] = kin->uniform_total;
	for (uint32_t i = 0; kin->objects_total != NULL && i < b->n; i++)
		r->total[i] =
		    wrap_add(r->total[i], kin->objects_total[b->first + i]);
	for (size_t i = 0; i < kin->nscores; i++) {
		const struct memo_score *s = &kin->scores[i];

		memo_score_block(cycle, s->unit, s->prep, b, r->state,
		    r->scores);
		if (s->raw_slot != 0)
			put_raw(answers, s->raw_slot, r);
		else
			add_scores(r, s->weight);
	}
}

/* Refused nodes have no total; others must have one that can be kept. */
static void
put_totals(struct memo_kin *kin, const struct rows *r)
{
	int32_t *totals = kin->total + r->block->first;

	for (uint32_t i = 0; i < r->block->n; i++) {
		int64_t total = r->state[i] == 0 ? r->total[i] : 0;

		totals[i] = (int32_t)total;
		kin->unusable |= total != totals[i];
	}
}

/* Equal answers get one number. */
static void
number_answers(struct memo_kin *kin, struct cycle *cycle,
    const struct answers *answers, uint32_t nnodes)
{
	size_t width = kin->answers.width;
	int64_t *answer = arena_array(cycle->arena, int64_t, width);
	uint32_t *numbers;
	struct kinds kinds;

	kinds_init(&kinds, nnodes, kin->answer_of);
	for (size_t i = 0; i < width; i++)
		if (answers->used[i])
			kinds_split_wide(&kinds,
			    answers->columns + i * answers->stride);
	numbers = arena_alloc(cycle->arena, kinds.n * sizeof(*numbers));
	for (uint32_t i = 0; i < kinds.n; i++) {
		for (size_t j = 0; j < width; j++)
			answer[j] = !answers->used[j] ? 0 :
			    answers->columns[j * answers->stride +
				kinds.first[i]];
		numbers[i] = memo_answer_number(&kin->answers, answer);
	}
	for (uint32_t i = 0; i < nnodes; i++)
		kin->answer_of[i] = numbers[kin->answer_of[i]];
	kinds_fini(&kinds);
}

void
memo_evaluate_all(struct memo *memo, struct memo_kin *kin, struct cycle *cycle)
{
	const struct columns *columns = cluster_columns(memo->cluster);
	struct answers answers = {
		.stride = (columns->nnodes / COLUMN_ROWS + 1) * COLUMN_ROWS,
		.used = arena_array(cycle->arena, bool, kin->answers.width),
	};
	struct rows r = { 0 };

	answers.columns = arena_alloc(cycle->arena, kin->answers.width *
	    answers.stride * sizeof(*answers.columns));
	for (uint32_t i = 0; i < columns->nnodes; i += COLUMN_ROWS) {
		r.block = columns->blocks[i / COLUMN_ROWS];
		r.state = answers.columns + i;
		answers.used[0] |= check_rows(memo, kin, cycle, &r);
		score_rows(kin, cycle, &answers, &r);
		put_totals(kin, &r);
	}
	number_answers(kin, cycle, &answers, columns->nnodes);
}
