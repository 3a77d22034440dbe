#include "config.h"

#include "sched/score.h"

#include "base/xmalloc.h"
#include "ecache/cut.h"
#include "ecache/ecache.h"
#include "framework/profile.h"
#include "sched/decision.h"
#include "sched/extension_apply.h"

struct scoring {
	struct cycle *cycle;
	struct decision *decision;
	uint32_t *nodes; /* by cell that fits: the one that stands for all */
	/* By priority; cached results count equal rules once. */
	const int64_t *weights;
};

/* One node of each cell that fits. */
static uint32_t *
nodes_of(struct arena *arena, const struct decision *d)
{
	uint32_t *nodes = arena_alloc(arena, d->nfitting * sizeof(*nodes));

	for (uint32_t i = 0; i < d->nfitting; i++)
		nodes[i] = d->cells[d->feasible[i]].node;
	return nodes;
}

static const int64_t *
weights_of(struct cycle *cycle, const struct decision *d)
{
	const struct profile *profile = cycle->profile;
	int64_t *weights;

	if (d->kept != NULL)
		return ecache_weights(cycle->ecache);
	weights =
	    arena_alloc(cycle->arena, profile->npriorities * sizeof(*weights));
	for (size_t i = 0; i < profile->npriorities; i++)
		weights[i] = profile->priorities[i].weight;
	return weights;
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
	else if (d->best != NULL)
		for (uint32_t i = 0; i < d->nfitting; i++)
			d->totals[i] = d->best[i]->total;
	else if (d->tops != NULL)
		for (uint32_t i = 0; i < d->nfitting; i++)
			d->totals[i] = d->tops[d->feasible[i]].total;
	else if (d->kept != NULL)
		for (uint32_t i = 0; i < d->nfitting; i++)
			d->totals[i] = d->kept->results->total[s->nodes[i]];
}

/* Whether the priority's scores are in the totals from the beginning. */
static bool
is_in_totals(const struct scoring *s, size_t i)
{
	const struct ecache_class *kept = s->decision->kept;

	return kept != NULL &&
	    (s->weights[i] == 0 ||
		(kept->raw_places[i] == 0 &&
		    s->cycle->profile->priorities[i].unit->reads !=
			READS_CLUSTER));
}

static const void *
prep_of(const struct scoring *s, size_t i)
{
	const struct profile_priority *p = &s->cycle->profile->priorities[i];
	const struct ecache_class *kept = s->decision->kept;

	if (kept != NULL && kept->priorities[i].kept)
		return kept->priorities[i].prep;
	return p->unit->prepare != NULL ? p->unit->prepare(s->cycle, p->args) :
					  p->args;
}

/* By cell that fits. */
static void
raw_scores(const struct scoring *s, size_t i, const void *prep, int64_t *scores)
{
	const struct decision *d = s->decision;
	const struct priority *unit = s->cycle->profile->priorities[i].unit;
	size_t key_part = d->kept != NULL ? d->kept->raw_places[i] : 0;

	if (key_part != 0) {
		const struct ecache_results *results = d->kept->results;

		for (uint32_t j = 0; j < d->nfitting; j++)
			scores[j] = outcome_at(results,
			    results->outcome_of[s->nodes[j]])[key_part];
		return;
	}
	for (uint32_t j = 0; j < d->nfitting && !cycle_is_cancelled(s->cycle);
	     j++)
		scores[j] = unit->score(s->cycle,
		    s->cycle->cluster->nodes[s->nodes[j]], prep);
}

static void
add_weighted(int64_t *totals, size_t n, int64_t weight, const int64_t *scores)
{
	for (size_t i = 0; i < n; i++)
		totals[i] = wrap_add(totals[i], wrap_mul(weight, scores[i]));
}

static void
add_priority(const struct scoring *s, size_t i, int64_t *scores)
{
	struct decision *d = s->decision;
	const struct priority *unit = s->cycle->profile->priorities[i].unit;
	const void *prep = prep_of(s, i);

	raw_scores(s, i, prep, scores);
	if (cycle_is_cancelled(s->cycle))
		return;
	if (unit->reduce != NULL)
		unit->reduce(s->cycle, prep, d->nfitting, s->nodes, d->times,
		    scores);
	add_weighted(d->totals, d->nfitting, s->weights[i], scores);
}

void
score(struct cycle *cycle, struct decision *d)
{
	size_t npriorities = cycle->profile->npriorities;
	struct scoring s = { cycle, d, nodes_of(cycle->arena, d),
		weights_of(cycle, d) };
	int64_t *scores = NULL;

	begin_totals(&s);
	if (d->nfitting == 0)
		return;
	if (cycle->keep_scores)
		d->scores = arena_array(cycle->arena, int64_t *, npriorities);
	for (size_t i = 0; i < npriorities; i++) {
		if (is_in_totals(&s, i))
			continue;
		if (scores == NULL || cycle->keep_scores)
			scores = arena_alloc(cycle->arena,
			    d->nfitting * sizeof(*scores));
		if (cycle->keep_scores)
			d->scores[i] = scores;
		add_priority(&s, i, scores);
	}
	extension_add_scores(cycle, d);
}
