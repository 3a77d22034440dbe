/*
 * Evaluates READS_NODE units: for the nodes that have changed node by node, for all
 * nodes block by block from columns (cluster/columns.h), where units have a block
 * form.
 */
#include "config.h"

#include "decide/ecache/ecache_internal.h"

#include "base/vectorize.h"
#include "cluster/columns.h"
#include "decide/framework/cycle.h"
#include "decide/framework/profile.h"
#include "decide/framework/stopwatch.h"

static void
list_scores(const struct ecache *ecache, struct ecache_results *results)
{
	const struct profile *profile = ecache->profile;
	int64_t score;

	results->scores = arena_array(&results->arena, struct cached_score,
	    profile->npriorities);
	for (size_t i = 0; i < profile->npriorities; i++) {
		const struct priority *unit = profile->priorities[i].unit;
		const void *prep = results->priorities[i].prep;

		if (!(unit->reads & READS_NODE) || ecache->weights[i] == 0 ||
		    prep == PREP_SKIPPED)
			continue;
		if (prep_is_uniform(prep, &score))
			results->uniform_total =
			    wrap_add(results->uniform_total,
				wrap_mul(ecache->weights[i], score));
		else
			results->scores[results->nscores++] =
			    (struct cached_score){ ecache->weights[i],
				    ecache->raw_places[i], unit, prep };
	}
}

static void
list_checks(const struct ecache *ecache, struct ecache_results *results)
{
	const struct profile *profile = ecache->profile;

	results->checks = arena_array(&results->arena, struct cached_check,
	    profile->npredicates);
	for (size_t i = 0; i < profile->npredicates; i++)
		if ((profile->predicates[i].unit->reads & READS_NODE) &&
		    results->predicates[i].applies)
			results->checks[results->nchecks++] =
			    (struct cached_check){ .step = i,
				    .unit = profile->predicates[i].unit,
				    .prep = results->predicates[i].prep };
}

void
ecache_prepare(const struct ecache *ecache, struct ecache_results *results,
    struct cycle *cycle)
{
	const struct profile *profile = cycle->profile;
	struct arena *arena = cycle->arena;
	double started;

	cycle->arena = &results->arena;
	for (size_t i = 0; i < profile->npredicates; i++) {
		const struct profile_predicate *p = &profile->predicates[i];
		struct cached_prep *unit = &results->predicates[i];

		if (!(p->unit->reads & READS_NODE))
			continue;
		started = stopwatch_start(cycle->stopwatch);
		unit->prep = p->unit->prepare != NULL ?
		    p->unit->prepare(cycle, p->args) :
		    p->args;
		stopwatch_stop(cycle->stopwatch, POINT_PRE_FILTER, p->unit,
		    started);
		unit->applies = p->unit->prepare == NULL || unit->prep != NULL;
	}
	for (size_t i = 0; i < profile->npriorities; i++) {
		const struct profile_priority *p = &profile->priorities[i];
		struct cached_prep *unit = &results->priorities[i];

		if (!(p->unit->reads & READS_NODE))
			continue;
		started = stopwatch_start(cycle->stopwatch);
		unit->prep = p->unit->prepare != NULL ?
		    p->unit->prepare(cycle, p->args) :
		    p->args;
		stopwatch_stop(cycle->stopwatch, POINT_PRE_SCORE, p->unit,
		    started);
	}
	cycle->arena = arena;
	list_checks(ecache, results);
	list_scores(ecache, results);
	for (size_t i = 0; i < results->nchecks; i++)
		results->slow |= results->checks[i].unit->check_block == NULL;
	for (size_t i = 0; i < results->nscores; i++)
		results->slow |= results->scores[i].unit->score_block == NULL;
}

/* 1 + the number of the refusal by this step with these reasons; adds it if it is
 * new. */
static uint32_t
refusal_of(struct ecache_results *results, size_t step, enum verdict verdict,
    const struct why *why)
{
	struct node_verdict *r;

	for (size_t i = 0; i < results->nrefusals; i++) {
		r = &results->refusals[i];
		if (r->verdict == verdict && r->step == step + 1 &&
		    r->nreasons == why->n &&
		    !ANY(k, why->n,
			results->why.reasons[r->first_reason + k] !=
			    why->reasons[k]))
			return (uint32_t)i + 1;
	}
	arena_room(&results->arena, results->refusals, results->nrefusals,
	    &results->refusals_cap);
	r = &results->refusals[results->nrefusals++];
	*r = (struct node_verdict){ .verdict = verdict,
		.step = (uint32_t)step + 1,
		.first_reason = (uint32_t)results->why.n,
		.nreasons = (uint32_t)why->n };
	for (size_t i = 0; i < why->n; i++)
		why_add_of(&results->why, why, i);
	return (uint32_t)results->nrefusals;
}

/* The node's state by this check alone. */
static uint32_t
check_node(struct ecache_results *results, struct cycle *cycle,
    const struct cached_check *c, const struct node_info *node)
{
	double started = stopwatch_start(cycle->stopwatch);
	struct why *why = &results->checked;
	enum verdict verdict;

	why->arena = &results->arena;
	why->plugin = c->unit->plugin;
	why->n = 0;
	verdict = c->unit->check(cycle, node, c->prep, why);
	stopwatch_stop(cycle->stopwatch, POINT_FILTER, c->unit, started);
	results->unusable |= verdict == BROKEN;
	return verdict == FITS ? 0 : refusal_of(results, c->step, verdict, why);
}

/* The column of raw scores, which is made if need be. */
static int64_t *
raw_column(struct ecache_results *results, size_t place, uint32_t nnodes)
{
	int64_t **column = &results->raw[place - 1];

	if (*column == NULL)
		*column = xcalloc(column_rows(nnodes), sizeof(**column));
	return *column;
}

/* The node's state; first with the pods nominated to it, if the pod must leave room for
 * some. */
static uint32_t
state_of(struct ecache_results *results, struct cycle *cycle,
    const struct node_info *node)
{
	const struct node_info *tries[] = { cycle_with_nominated(cycle, node),
		node };
	uint32_t state = 0;

	for (size_t i = tries[0] == NULL; i < LENGTH(tries); i++)
		for (size_t k = 0; state == 0 && k < results->nchecks; k++)
			state = check_node(results, cycle, &results->checks[k],
			    tries[i]);
	return state;
}

static void
evaluate(struct ecache_results *results, struct cycle *cycle, uint32_t at)
{
	const struct node_info *node = cycle->cluster->nodes[at];
	int64_t total = wrap_add(results->uniform_total,
	    results->objects != NULL ? results->objects->totals[at] : 0);
	uint32_t state = state_of(results, cycle, node);
	uint32_t nnodes = cycle->cluster->nnodes;

	for (size_t i = 0; i < results->nscores; i++) {
		const struct cached_score *s = &results->scores[i];
		double started = stopwatch_start(cycle->stopwatch);
		int64_t score =
		    state == 0 ? s->unit->score(cycle, node, s->prep) : 0;

		stopwatch_stop(cycle->stopwatch, POINT_SCORE, s->unit, started);
		if (s->raw_place != 0) {
			if (score != 0 ||
			    results->raw[s->raw_place - 1] != NULL)
				raw_column(results, s->raw_place, nnodes)[at] =
				    score;
		} else
			total = wrap_add(total, wrap_mul(s->weight, score));
		/* a decision without cached results reports the error */
		results->unusable |= s->raw_place == 0 &&
		    !profile_allows_score(cycle->profile, score);
	}
	if (state != 0)
		total = 0;
	results->unusable |= total != (int32_t)total;
	results->total[at] = (int32_t)total;
	results->state[at] = state;
}

/* ---- all nodes ---- */

/* The results for one block, by row. */
struct rows {
	const struct column_block *block;
	uint32_t *state; /* of its nodes */
	bool any;        /* a node is refused */
	int64_t total[COLUMN_ROWS];
	int64_t scores[COLUMN_ROWS];
	uint8_t codes[COLUMN_ROWS];
};

/* Stores the check's states of nodes that no earlier check refuses. */
static void
put_states(struct ecache_results *results, struct cycle *cycle,
    const struct cached_check *c, struct rows *r)
{
	const struct column_block *b = r->block;
	uint32_t states[CODE_CHECK] = {
		0
	}; /* by code, of the first such node */

	for (uint32_t i = 0; i < b->n; i++) {
		uint8_t code = r->codes[i];

		if (code == 0 || r->state[i] != 0)
			continue;
		if (cycle_is_cancelled(cycle))
			return;
		r->state[i] = code < CODE_CHECK && states[code] != 0 ?
		    states[code] :
		    check_node(results, cycle, c,
			cycle->cluster->nodes[b->first + i]);
		if (code < CODE_CHECK)
			states[code] = r->state[i];
		r->any |= r->state[i] != 0;
	}
}

static void
check_rows(struct ecache_results *results, struct cycle *cycle, struct rows *r)
{
	const struct column_block *b = r->block;

	r->any = false;
	r->state = results->state + b->first;
	memset(r->state, 0, COLUMN_ROWS * sizeof(*r->state));
	for (size_t i = 0; i < results->nchecks; i++) {
		const struct cached_check *c = &results->checks[i];
		double started = stopwatch_start(cycle->stopwatch);

		if (c->unit->check_block == NULL ||
		    !c->unit->check_block(cycle, b, c->prep, r->codes))
			memset(r->codes, CODE_CHECK, sizeof(r->codes));
		else
			/* odd nodes are checked one by one */
			for (uint32_t k = 0;
			     (b->any & COLUMN_ODD) != 0 && k < b->n; k++)
				if ((b->flags[k] & COLUMN_ODD) != 0)
					r->codes[k] = CODE_CHECK;
		stopwatch_stop(cycle->stopwatch, POINT_FILTER, c->unit,
		    started);
		if (column_has_codes(r->codes))
			put_states(results, cycle, c, r);
	}
}

/* score() of the nodes whose state is 0; state NULL: of all.  False: score() gave a
 * node a score that is not allowed. */
static bool
score_block(struct cycle *cycle, const struct cached_score *s,
    const struct column_block *b, const uint32_t *state, int64_t *scores)
{
	int64_t uniform;
	bool singly = s->unit->score_block == NULL;
	bool allowed = true;

	if (prep_is_uniform(s->prep, &uniform)) {
		for (uint32_t i = 0; i < COLUMN_ROWS; i++)
			scores[i] = uniform;
		return true;
	}
	singly = singly || !s->unit->score_block(cycle, b, s->prep, scores);
	if (!singly && (b->any & COLUMN_ODD) == 0)
		return true;
	for (uint32_t i = 0; i < b->n && !cycle_is_cancelled(cycle); i++)
		if ((singly || (b->flags[i] & COLUMN_ODD) != 0) &&
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
    const struct column_block *b, const uint32_t *state, int64_t *scores)
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

static VECTORIZED void
begin_totals(int64_t *restrict total, int64_t uniform,
    const int32_t *restrict objects)
{
	for (uint32_t i = 0; i < COLUMN_ROWS; i++)
		total[i] = wrap_add(uniform, objects[i]);
}

/* Totals are 0 for refused nodes; results with a total of more than 32 bits are
 * unusable. */
static void
score_rows(struct ecache_results *results, struct cycle *cycle, struct rows *r)
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
		if (s->raw_place != 0) {
			/* Stores raw scores in their column, 0 for refused
			 * nodes. */
			int64_t any = 0;

			for (uint32_t j = 0; j < r->block->n; j++) {
				r->scores[j] =
				    r->state[j] == 0 ? r->scores[j] : 0;
				any |= r->scores[j];
			}
			if (any != 0 || results->raw[s->raw_place - 1] != NULL)
				memcpy(raw_column(results, s->raw_place,
					   cycle->cluster->nnodes) +
					r->block->first,
				    r->scores,
				    r->block->n * sizeof(*r->scores));
		} else
			add_scores(r->total, s->weight, r->scores);
	}
	for (uint32_t i = 0; r->any && i < b->n; i++)
		if (r->state[i] != 0)
			r->total[i] = 0;
	for (uint32_t i = b->n; i < COLUMN_ROWS; i++)
		r->total[i] = 0;
	results->unusable |= !narrow(results->total + b->first, r->total);
}

static void
evaluate_all(struct ecache_results *results, struct cycle *cycle)
{
	const struct cluster *cluster = cycle->cluster;
	const struct columns *columns = cluster_columns(cycle->cluster);
	struct rows r = { 0 };

	for (uint32_t i = 0; i < columns->nnodes && !cycle_is_cancelled(cycle);
	     i += COLUMN_ROWS) {
		r.block = columns->blocks[i / COLUMN_ROWS];
		check_rows(results, cycle, &r);
		score_rows(results, cycle, &r);
	}
	for (uint32_t i = 0;
	     i < cluster->nnominated_to && !cycle_is_cancelled(cycle); i++)
		if (cluster->nominated_to[i]->index != NODE_INDEX_NONE)
			evaluate(results, cycle,
			    cluster->nominated_to[i]->index);
}

/* ---- Node objects ---- */

/* Prepares and lists the READS_OBJECTS priorities that may give scores other than 0;
 * returns their number. */
static size_t
list_objects(const struct ecache *ecache, struct cycle *cycle,
    struct cached_score *list)
{
	size_t n = 0;

	for (size_t i = 0; i < ecache->profile->npriorities; i++) {
		const struct profile_priority *p =
		    &ecache->profile->priorities[i];
		const void *prep = p->args;
		int64_t score;

		if (!(priority_reads(p->unit) & READS_OBJECTS) ||
		    ecache->weights[i] == 0)
			continue;
		if (p->unit->prepare != NULL)
			prep = p->unit->prepare(cycle, p->args);
		if (prep != PREP_SKIPPED &&
		    (!prep_is_uniform(prep, &score) || score != 0))
			list[n++] =
			    (struct cached_score){ .weight = ecache->weights[i],
				    .unit = p->unit,
				    .prep = prep };
	}
	return n;
}

/* The aspects of the class that these priorities read, as bytes. */
static const void *
objects_key(const struct ecache *ecache, const struct pod_class *class,
    size_t *len)
{
	unsigned aspects = ASPECT_NOTHING;

	for (size_t i = 0; i < ecache->profile->npriorities; i++) {
		const struct priority *unit =
		    ecache->profile->priorities[i].unit;

		if ((priority_reads(unit) & READS_OBJECTS) &&
		    ecache->weights[i] != 0)
			aspects |= aspects_read(unit->reads);
	}
	return pod_class_aspects(class, aspects, len);
}

void
object_scores_unref(struct object_scores *objects)
{
	if (objects == NULL || --objects->refs > 0)
		return;
	free(objects->key);
	free(objects->totals);
	free(objects);
}

static bool
are_about(const struct object_scores *o, const struct cluster *cluster,
    const void *key, size_t len)
{
	return o->objects == cluster->objects &&
	    o->epoch == cluster->journal.epoch &&
	    o->nnodes == cluster->nnodes && o->key_len == len &&
	    memcmp(o->key, key, len) == 0;
}

static struct object_scores *
objects_new(struct ecache *ecache, struct cycle *cycle, const void *key,
    size_t len)
{
	const struct cluster *cluster = ecache->cluster;
	const struct columns *columns = cluster_columns(ecache->cluster);
	struct object_scores *o = xcalloc(1, sizeof(*o));
	struct cached_score *list = arena_array(cycle->arena,
	    struct cached_score, ecache->profile->npriorities);
	size_t n = list_objects(ecache, cycle, list);

	o->refs = 1;
	o->objects = cluster->objects;
	o->epoch = cluster->journal.epoch;
	o->nnodes = cluster->nnodes;
	o->key_len = len;
	o->key = xmalloc(len + 1);
	if (len > 0)
		memcpy(o->key, key, len);
	o->none = n == 0;
	o->narrow = true;
	o->totals = xmalloc(column_rows(columns->nnodes) * sizeof(*o->totals));
	for (uint32_t i = 0; i < columns->nnodes; i += COLUMN_ROWS) {
		/* The weighted sums of these n priorities' scores in a block:
		 * COLUMN_ROWS of them. False: a sum does not fit into 32 bits,
		 * or a score is not allowed. */
		const struct column_block *b = columns->blocks[i / COLUMN_ROWS];
		int64_t scores[COLUMN_ROWS] = { 0 };
		int64_t total[COLUMN_ROWS] = { 0 };
		bool allowed = true;

		for (size_t j = 0; j < n; j++) {
			allowed &=
			    score_block_timed(cycle, &list[j], b, NULL, scores);
			add_scores(total, list[j].weight, scores);
		}
		o->narrow &= narrow(o->totals + i, total) && allowed;
	}
	if (cycle->nerrors > 0)
		o->epoch = 0; /* stale for the next decision */
	return o;
}

/* The place of the sums with this key, or one that is free or may be replaced. */
static struct object_scores **
objects_place(struct ecache *ecache, const void *key, size_t len)
{
	struct object_scores **oldest = &ecache->objects[0];

	for (size_t i = 0; i < OBJECT_SCORES; i++) {
		struct object_scores **place = &ecache->objects[i];

		if (*place == NULL ||
		    are_about(*place, ecache->cluster, key, len))
			return place;
		if ((*place)->used < (*oldest)->used)
			oldest = place;
	}
	return oldest;
}

/* Lists the nodes whose sums differ, unless all nodes will be evaluated. */
static void
update_objects(struct ecache *ecache, struct ecache_results *results,
    struct cycle *cycle, bool all)
{
	struct object_scores *before = results->objects;
	size_t len;
	const void *key = objects_key(ecache, cycle->class, &len);
	struct object_scores **place = objects_place(ecache, key, len);

	/* The sums for the cycle's pod, with a reference. */
	if (*place == NULL || !are_about(*place, ecache->cluster, key, len)) {
		object_scores_unref(*place);
		*place = objects_new(ecache, cycle, key, len);
	}
	(*place)->used = ++ecache->objects_uses;
	(*place)->refs++;
	results->objects = *place;
	results->unusable |= !results->objects->narrow;
	if (results->objects->none) {
		object_scores_unref(results->objects);
		results->objects = NULL;
	}
	for (uint32_t i = 0; !all && i < ecache->cluster->nnodes; i++)
		if ((before != NULL ? before->totals[i] : 0) !=
		    (results->objects != NULL ? results->objects->totals[i] :
						0))
			ecache_put_todo(ecache, i);
	object_scores_unref(before);
}

/* ---- keeping them up to date ---- */

/* Old refusals (for example those that name a taint with a time) do not
 * accumulate. */
static void
evaluate_from_scratch(struct ecache *ecache, struct ecache_results *results,
    struct cycle *cycle)
{
	size_t nrows = column_rows(ecache->cluster->nnodes);

	results->nrefusals = 0;
	results->why.n = 0;
	for (size_t i = 0; i < results->nraw; i++) {
		free(results->raw[i]);
		results->raw[i] = NULL;
	}
	results->total =
	    xrealloc(results->total, nrows, sizeof(*results->total));
	results->state =
	    xrealloc(results->state, nrows, sizeof(*results->state));
	update_objects(ecache, results, cycle, true);
	evaluate_all(results, cycle);
}

static void
evaluate_changed(struct ecache *ecache, struct ecache_results *results,
    struct cycle *cycle, const struct ecache_seen *now)
{
	ecache_begin_todo(ecache);
	ecache_put_changes_todo(ecache, &results->seen, now);
	if (results->seen.objects != ecache->cluster->objects)
		update_objects(ecache, results, cycle, false);
	/* in columns a node costs a fiftieth of its cost by itself */
	if (!results->slow &&
	    ecache->ntodo > ecache->cluster->nnodes / 50 + 32) {
		evaluate_all(results, cycle);
		return;
	}
	for (uint32_t i = 0; i < ecache->ntodo && !cycle_is_cancelled(cycle);
	     i++)
		evaluate(results, cycle, ecache->todo[i]);
}

size_t
ecache_results_size(const struct ecache *ecache,
    const struct ecache_results *results)
{
	size_t per_node = sizeof(*results->total) + sizeof(*results->state);

	for (size_t i = 0; i < results->nraw; i++)
		per_node += results->raw[i] != NULL ? sizeof(int64_t) : 0;
	return sizeof(*results) + arena_used(&results->arena) +
	    arena_used(&results->class->arena) +
	    ecache->cluster->nnodes * per_node +
	    cached_partition_size(&results->shared);
}

void
ecache_evaluate(struct ecache *ecache, struct ecache_results *results,
    struct cycle *cycle)
{
	struct ecache_seen now = ecache_see(cycle);

	if (ecache_is_recent(ecache, &results->seen))
		evaluate_changed(ecache, results, cycle, &now);
	else
		evaluate_from_scratch(ecache, results, cycle);
	results->seen = now;
}
