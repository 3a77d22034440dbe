#include "config.h"

#include "decide/sched/score.h"

#include <inttypes.h>

#include "cluster/columns.h"
#include "decide/ecache/ecache.h"
#include "decide/framework/profile.h"
#include "objects/changes.h"
#include "decide/framework/stopwatch.h"
#include "decide/sched/cells.h"
#include "decide/sched/decision.h"
#include "decide/sched/extension_apply.h"

struct scoring {
	struct cycle *cycle;
	struct decision *decision;
	uint32_t
	    *nodes; /* by cell that fits: the node that is scored for all */
	/* Those whose scores are not in the totals already, by number. */
	size_t n;
	const uint32_t *priorities;
	const void **preps; /* of these */
	/* By priority of the profile; cached results count equal rules once. */
	const int64_t *weights;
	int64_t uniform; /* to be added to all totals */
	/* Of a profile of the framework: the first error, and when the reference
	 * would meet it.  NULL: none yet. */
	const char *error;
	int error_at;
};

/* One node of each cell that fits. */
static uint32_t *
nodes_of(struct arena *arena, const struct decision *d)
{
	uint32_t *nodes;

	if (d->cells == NULL)
		return d->feasible;
	nodes = arena_alloc(arena, d->nfitting * sizeof(*nodes));

	for (uint32_t i = 0; i < d->nfitting; i++)
		nodes[i] = decision_node(d, d->feasible[i]);
	return nodes;
}

static void
list_priorities(struct scoring *s)
{
	struct cycle *cycle = s->cycle;
	const struct profile *profile = cycle->profile;
	const struct ecache_class *kept = s->decision->kept;
	int64_t *weights;
	uint32_t *all;

	if (kept != NULL) {
		s->n = kept->rules->npriorities;
		s->priorities = kept->rules->priorities;
		s->weights = ecache_weights(cycle->ecache);
		return;
	}
	s->n = profile->npriorities;
	s->priorities = all = arena_alloc(cycle->arena, s->n * sizeof(*all));
	s->weights = weights =
	    arena_alloc(cycle->arena, s->n * sizeof(*weights));
	for (size_t i = 0; i < s->n; i++) {
		all[i] = (uint32_t)i;
		weights[i] = profile->priorities[i].weight;
	}
}

/* The sums of the scores that are cached as such. */
static void
begin_totals(const struct scoring *s)
{
	struct decision *d = s->decision;
	const struct profile *profile = s->cycle->profile;
	/* the reference counts 1 for each node then */
	bool unscored = profile->npriorities == 0 && profile->nextenders == 0;

	d->totals = arena_array(s->cycle->arena, int64_t, d->nfitting);
	if (unscored)
		for (uint32_t i = 0; i < d->nfitting; i++)
			d->totals[i] = 1;
	else if (!d->each_node)
		for (uint32_t i = 0; i < d->nfitting; i++)
			d->totals[i] = cells_best(d, i)->total;
	else if (d->kept != NULL)
		for (uint32_t i = 0; i < d->nfitting; i++)
			d->totals[i] = d->kept->results->total[s->nodes[i]];
}

/* The same from columns, where every node is a cell and results are kept.  Returns how
 * many were scored: all or none. */
static uint32_t
raw_blocks(const struct scoring *s, const struct priority *unit,
    const void *prep, int64_t *scores)
{
	const struct decision *d = s->decision;
	const struct columns *columns;
	int64_t block[COLUMN_ROWS];
	uint32_t j = 0;

	if (d->kept == NULL || d->cells != NULL || unit->score_block == NULL)
		return 0;
	columns = cluster_columns(s->cycle->cluster);
	for (uint32_t i = 0; i < columns->nblocks && j < d->nfitting; i++) {
		const struct column_block *b = columns->blocks[i];

		if (cycle_is_cancelled(s->cycle) ||
		    !unit->score_block(s->cycle, b, prep, block))
			return 0;
		for (; j < d->nfitting && s->nodes[j] < b->first + b->n; j++)
			scores[j] = block[s->nodes[j] - b->first];
	}
	return j;
}

/* Of the cells that fit.  Returns how many; 1: it is that of all, and 0. */
static uint32_t
raw_scores(const struct scoring *s, size_t i, const void *prep, int64_t *scores)
{
	const struct decision *d = s->decision;
	const struct priority *unit = s->cycle->profile->priorities[i].unit;
	size_t place = d->kept != NULL ? d->kept->raw_places[i] : 0;
	const int64_t *raw;

	scores[0] = 0;
	if (place != 0) {
		raw = d->kept->results->raw[place - 1];
		for (uint32_t j = 0; raw != NULL && j < d->nfitting; j++)
			scores[j] = raw[s->nodes[j]];
		return raw != NULL ? d->nfitting : 1;
	}
	for (uint32_t j = raw_blocks(s, unit, prep, scores);
	     j < d->nfitting && !cycle_is_cancelled(s->cycle); j++)
		scores[j] = unit->score(s->cycle,
		    s->cycle->cluster->nodes[s->nodes[j]], prep);
	return d->nfitting;
}

static void
add_weighted(int64_t *totals, size_t n, int64_t weight, const int64_t *scores)
{
	for (size_t i = 0; i < n; i++)
		totals[i] = wrap_add(totals[i], wrap_mul(weight, scores[i]));
}

/* The framework runs all of PreScore first, then Score: the place in that order of the
 * error that this priority's prep has, and its text there. */
static void
note_error(struct scoring *s, size_t i, const char *error)
{
	const struct profile *profile = s->cycle->profile;
	const char *name = profile->priorities[i].name;
	int place = profile_place(profile, POINT_PRE_SCORE, name);
	int at =
	    place >= 0 ? place : (int)(profile->points[POINT_PRE_SCORE].n + i);

	if (s->error != NULL && s->error_at <= at)
		return;
	s->error_at = at;
	s->error = place >= 0 ?
	    arena_printf(s->cycle->arena, "running PreScore plugin \"%s\": %s",
		name, error) :
	    arena_printf(s->cycle->arena,
		"running Score plugins: plugin \"%s\" failed with: %s", name,
		error);
}

/* Errors of a policy's priorities add up; the framework stops at the first one. */
static void
prepare_all(struct scoring *s)
{
	struct cycle *cycle = s->cycle;
	size_t before = cycle->nerrors;
	double started;

	s->preps = arena_array(cycle->arena, const void *, s->n);
	for (size_t j = 0; j < s->n && !cycle_is_cancelled(cycle); j++) {
		size_t i = s->priorities[j];
		const struct profile_priority *p;
		const struct ecache_class *kept;

		started = stopwatch_start(cycle->stopwatch);
		p = &s->cycle->profile->priorities[i];
		kept = s->decision->kept;
		if (kept != NULL && (p->unit->reads & READS_NODE))
			s->preps[j] = kept->results->priorities[i].prep;
		else
			s->preps[j] = p->unit->prepare != NULL ?
			    p->unit->prepare(s->cycle, p->args) :
			    p->args;
		stopwatch_stop(cycle->stopwatch, POINT_PRE_SCORE,
		    cycle->profile->priorities[i].unit, started);
		if (cycle->profile->release < SINCE_FRAMEWORK ||
		    cycle->nerrors == before)
			continue;
		note_error(s, i, cycle->errors[before].text);
		cycle->nerrors = before;
	}
}

static void
add_uniform(struct scoring *s, size_t i, int64_t score, int64_t *scores)
{
	const struct decision *d = s->decision;
	const struct priority *unit = s->cycle->profile->priorities[i].unit;

	/* kube-scheduler asks it about each node, and counts that */
	stopwatch_stop(s->cycle->stopwatch, POINT_SCORE, unit,
	    stopwatch_start(s->cycle->stopwatch));
	for (uint32_t j = 0; s->cycle->keep_scores && j < d->nfitting; j++)
		scores[j] = score;
	/* that of the node alone is in the totals that are kept */
	if (d->kept == NULL || !(unit->reads & READS_NODE))
		s->uniform =
		    wrap_add(s->uniform, wrap_mul(s->weights[i], score));
}

static void
add_priority(struct scoring *s, size_t i, const void *prep, int64_t *scores)
{
	struct decision *d = s->decision;
	const struct priority *unit = s->cycle->profile->priorities[i].unit;
	double started = stopwatch_start(s->cycle->stopwatch);
	uint32_t n = raw_scores(s, i, prep, scores);

	if (cycle_is_cancelled(s->cycle))
		return;
	if (unit->reduce != NULL)
		unit->reduce(s->cycle, prep, n, s->nodes,
		    n < d->nfitting ? &d->nfeasible : d->times, scores);
	if (s->cycle->profile->release >= SINCE_FRAMEWORK) {
		const struct profile *profile = s->cycle->profile;

		for (uint32_t j = 0; j < n && s->error == NULL; j++)
			if (!profile_allows_score(profile, scores[j]))
				s->error = arena_printf(s->cycle->arena,
				    "applying score defaultWeights on Score plugins: "
				    "plugin \"%s\" returns an invalid score %" PRId64
				    ", it should in the range of [0, %" PRId64
				    "] after normalizing",
				    profile->priorities[i].name, scores[j],
				    profile->score_max);
	}
	stopwatch_stop(s->cycle->stopwatch, POINT_SCORE, unit, started);
	if (n < d->nfitting)
		s->uniform =
		    wrap_add(s->uniform, wrap_mul(s->weights[i], scores[0]));
	else
		add_weighted(d->totals, n, s->weights[i], scores);
}

static void
add_priorities(struct scoring *s)
{
	struct cycle *cycle = s->cycle;
	struct decision *d = s->decision;
	size_t npriorities = cycle->profile->npriorities;
	int64_t *scores = NULL;

	if (cycle->keep_scores)
		d->scores = arena_array(cycle->arena, int64_t *, npriorities);
	for (size_t i = 0; d->kept != NULL && i < npriorities && i < 64; i++)
		if ((cycle->profile->priorities[i].unit->reads & READS_NODE) &&
		    d->kept->results->priorities[i].prep == PREP_SKIPPED)
			d->skipped |= UINT64_C(1) << i;
	for (size_t j = 0; j < s->n && s->error == NULL; j++) {
		size_t i = s->priorities[j];
		int64_t uniform;

		if (s->preps[j] == PREP_SKIPPED) {
			/* PreScore has skipped the plugin; it shows scores of 0
			 * if it has no PreScore. */
			if (profile_place(cycle->profile, POINT_PRE_SCORE,
				cycle->profile->priorities[i].name) >= 0)
				d->skipped |= i < 64 ? UINT64_C(1) << i : 0;
			else if (cycle->keep_scores)
				d->scores[i] = arena_array(cycle->arena,
				    int64_t, d->nfitting);
			continue;
		}
		if (scores == NULL || cycle->keep_scores)
			scores = arena_alloc(cycle->arena,
			    d->nfitting * sizeof(*scores));
		if (cycle->keep_scores)
			d->scores[i] = scores;
		if (prep_is_uniform(s->preps[j], &uniform))
			add_uniform(s, i, uniform, scores);
		else
			add_priority(s, i, s->preps[j], scores);
	}
	for (uint32_t i = 0; s->uniform != 0 && i < d->nfitting; i++)
		d->totals[i] = wrap_add(d->totals[i], s->uniform);
}

void
score(struct cycle *cycle, struct decision *d)
{
	struct scoring s = { .cycle = cycle,
		.decision = d,
		.nodes = nodes_of(cycle->arena, d) };

	d->scores = NULL;
	begin_totals(&s);
	if (d->nfitting == 0)
		return;
	list_priorities(&s);
	s.preps = d->preps;
	if (s.preps == NULL)
		prepare_all(&s);
	add_priorities(&s);
	if (s.error != NULL) {
		d->scores = NULL;
		cycle_fail(cycle, "%s", s.error);
	}
	extension_add_scores(cycle, d);
}

bool
score_prepare_columns(struct cycle *cycle, struct decision *d)
{
	struct scoring s = { .cycle = cycle, .decision = d };
	bool any_without = false;

	d->ncolumns = 0;
	d->columns = arena_array(cycle->arena, struct node_column,
	    PARTITION_COLUMNS_MAX);
	list_priorities(&s);
	prepare_all(&s);
	if (s.error != NULL || cycle->nerrors > 0 ||
	    cycle_is_cancelled(cycle)) {
		cycle->nerrors = 0;
		return false;
	}
	d->preps = s.preps;
	for (size_t j = 0; j < s.n && !any_without; j++) {
		const struct priority *unit =
		    cycle->profile->priorities[s.priorities[j]].unit;
		int64_t score;
		size_t n;

		if ((unit->reads & READS_NODE) || s.preps[j] == PREP_SKIPPED ||
		    prep_is_uniform(s.preps[j], &score))
			continue;
		any_without = unit->columns == NULL ||
		    d->ncolumns + NODE_COLUMNS_MAX > PARTITION_COLUMNS_MAX;
		if (any_without)
			break;
		n = unit->columns(cycle, s.preps[j], d->columns + d->ncolumns);
		d->ncolumns += n;
		any_without = n == 0;
	}
	return !any_without;
}
