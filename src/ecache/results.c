#include "config.h"

#include "ecache/ecache_internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/xmalloc.h"
#include "cluster/columns.h"
#include "framework/cycle.h"
#include "framework/profile.h"
#include "framework/stopwatch.h"

/* Whether all nodes have the same raw score, stored in *raw, and outcomes need not
 * store it. */
static bool
is_uniform(const struct ecache *ecache, const struct cycle *cycle, size_t i,
    const void *prep, int64_t *raw)
{
	const struct priority *unit = ecache->profile->priorities[i].unit;

	return unit->uniform != NULL && unit->uniform(cycle, prep, raw) &&
	    (ecache->raw_places[i] == 0 || *raw == 0);
}

static void
list_scores(const struct ecache *ecache, struct ecache_results *results,
    const struct cycle *cycle)
{
	const struct profile *profile = ecache->profile;
	int64_t raw;

	results->scores = arena_array(&results->arena, struct cached_score,
	    profile->npriorities);
	for (size_t i = 0; i < profile->npriorities; i++) {
		const struct priority *unit = profile->priorities[i].unit;
		const void *prep = results->priorities[i].prep;

		if (unit->reads != READS_NODE || ecache->weights[i] == 0 ||
		    prep == PREP_SKIPPED)
			continue;
		if (is_uniform(ecache, cycle, i, prep, &raw))
			results->uniform_total =
			    wrap_add(results->uniform_total,
				wrap_mul(ecache->weights[i], raw));
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
		if (profile->predicates[i].unit->reads == READS_NODE &&
		    results->predicates[i].asks)
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

		if (p->unit->reads != READS_NODE)
			continue;
		unit->kept = true;
		started = stopwatch_start(cycle->stopwatch);
		unit->prep = p->unit->prepare != NULL ?
		    p->unit->prepare(cycle, p->args) :
		    p->args;
		stopwatch_stop(cycle->stopwatch, POINT_PRE_FILTER, p->unit,
		    started);
		unit->asks = p->unit->prepare == NULL || unit->prep != NULL;
	}
	for (size_t i = 0; i < profile->npriorities; i++) {
		const struct profile_priority *p = &profile->priorities[i];
		struct cached_prep *unit = &results->priorities[i];

		if (p->unit->reads != READS_NODE)
			continue;
		unit->kept = true;
		started = stopwatch_start(cycle->stopwatch);
		unit->prep = p->unit->prepare != NULL ?
		    p->unit->prepare(cycle, p->args) :
		    p->args;
		stopwatch_stop(cycle->stopwatch, POINT_PRE_SCORE, p->unit,
		    started);
	}
	cycle->arena = arena;
	list_checks(ecache, results);
	list_scores(ecache, results, cycle);
	for (size_t i = 0; i < results->nchecks; i++)
		results->slow |= results->checks[i].unit->check_block == NULL;
	for (size_t i = 0; i < results->nscores; i++)
		results->slow |= results->scores[i].unit->score_block == NULL;
}

static bool
same_reasons(const char **a, const char **b, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (a[i] != b[i])
			return false;
	return true;
}

/* The number of the refusal with these reasons; adds it if it is new. */
static size_t
refusal_of(struct ecache_results *results, enum verdict verdict,
    const struct why *why)
{
	struct node_verdict *r;

	for (size_t i = 0; i < results->nrefusals; i++) {
		r = &results->refusals[i];
		if (r->verdict == verdict && r->nreasons == why->n &&
		    (why->n == 0 ||
			same_reasons(results->why.reasons + r->first_reason,
			    why->reasons, why->n)))
			return i;
	}
	arena_room(&results->arena, results->refusals, results->nrefusals,
	    &results->refusals_cap);
	r = &results->refusals[results->nrefusals];
	r->verdict = verdict;
	r->first_reason = (uint32_t)results->why.n;
	r->nreasons = (uint32_t)why->n;
	for (size_t i = 0; i < why->n; i++)
		why_add(&results->why, why->reasons[i]);
	return results->nrefusals++;
}

static int64_t __attribute__((noinline))
refused_state(struct ecache *ecache, struct ecache_results *results,
    const struct cached_check *c, enum verdict verdict)
{
	results->unusable |= verdict == BROKEN;
	return (int64_t)(c->step + 1) |
	    (int64_t)refusal_of(results, verdict, &ecache->why) << 8;
}

int64_t
ecache_check_node(struct ecache *ecache, struct ecache_results *results,
    struct cycle *cycle, const struct cached_check *c, uint32_t at)
{
	double started = stopwatch_start(cycle->stopwatch);
	enum verdict verdict;

	ecache->why.n = 0;
	verdict = c->unit->check(cycle, cycle->cluster->nodes[at], c->prep,
	    &ecache->why);
	stopwatch_stop(cycle->stopwatch, POINT_FILTER, c->unit, started);
	return verdict == FITS ? 0 : refused_state(ecache, results, c, verdict);
}

static int64_t
state_of(struct ecache *ecache, struct ecache_results *results,
    struct cycle *cycle, uint32_t at)
{
	int64_t state = 0;

	for (size_t i = 0; state == 0 && i < results->nchecks; i++)
		state = ecache_check_node(ecache, results, cycle,
		    &results->checks[i], at);
	return state;
}

static bool
is_outcome(const struct node_outcomes *outcomes, uint32_t number,
    const int64_t *outcome)
{
	const int64_t *at = &outcomes->at[number * outcomes->width];
	int64_t differences = 0;

	for (size_t i = 0; i < outcomes->width; i++)
		differences |= at[i] ^ outcome[i];
	return differences == 0;
}

static uint32_t
add_outcome(struct node_outcomes *outcomes, uint64_t hash,
    const int64_t *outcome)
{
	size_t size = outcomes->width * sizeof(*outcome);

	if (outcomes->n == outcomes->cap) {
		outcomes->cap = outcomes->cap * 2 + 4;
		outcomes->at = xrealloc(outcomes->at, outcomes->cap, size);
	}
	memcpy(outcomes->at + outcomes->n * outcomes->width, outcome, size);
	for (size_t i = 0; i < outcomes->width; i++)
		outcomes->any[i] |= outcome[i];
	map_put(&outcomes->by_hash, hash, (void *)(uintptr_t)(outcomes->n + 1));
	return outcomes->n++;
}

uint32_t
outcome_number(struct node_outcomes *outcomes, const int64_t *outcome)
{
	uint64_t hash;
	uintptr_t found;

	/* neighbours are often alike */
	if (outcomes->n > 0 && is_outcome(outcomes, outcomes->last, outcome))
		return outcomes->last;
	hash = hash_bytes64(outcome, outcomes->width * sizeof(*outcome));
	for (;; hash++) {
		found = (uintptr_t)map_get(&outcomes->by_hash, hash);
		if (found == 0)
			return outcomes->last =
				   add_outcome(outcomes, hash, outcome);
		if (is_outcome(outcomes, (uint32_t)(found - 1), outcome))
			return outcomes->last = (uint32_t)(found - 1);
	}
}

static void
evaluate(struct ecache *ecache, struct ecache_results *results,
    struct cycle *cycle, uint32_t at)
{
	const struct node_info *node = cycle->cluster->nodes[at];
	int64_t total = wrap_add(results->uniform_total,
	    results->objects != NULL ? results->objects->totals[at] : 0);
	int64_t score, *outcome = ecache->key;
	double started;

	outcome[0] = state_of(ecache, results, cycle, at);
	for (size_t i = 1; i <= ecache->nraw; i++)
		outcome[i] = 0;
	if (outcome[0] != 0)
		total = 0;
	for (size_t i = 0; outcome[0] == 0 && i < results->nscores; i++) {
		const struct cached_score *s = &results->scores[i];

		started = stopwatch_start(cycle->stopwatch);
		score = s->unit->score(cycle, node, s->prep);
		stopwatch_stop(cycle->stopwatch, POINT_SCORE, s->unit, started);
		if (s->raw_place != 0)
			outcome[s->raw_place] = score;
		else
			total = wrap_add(total, wrap_mul(s->weight, score));
		/* a decision without cached results reports the error */
		results->unusable |= s->raw_place == 0 &&
		    !profile_allows_score(cycle->profile, score);
	}
	results->unusable |= total != (int32_t)total;
	results->total[at] = (int32_t)total;
	results->outcome_of[at] = outcome_number(&results->outcomes, outcome);
}

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
		int64_t raw;

		if (priority_reads(p->unit) != READS_OBJECTS ||
		    ecache->weights[i] == 0)
			continue;
		if (p->unit->prepare != NULL)
			prep = p->unit->prepare(cycle, p->args);
		if (prep != PREP_SKIPPED &&
		    (p->unit->uniform == NULL ||
			!p->unit->uniform(cycle, prep, &raw) || raw != 0))
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

		if (priority_reads(unit) == READS_OBJECTS &&
		    ecache->weights[i] != 0)
			aspects |=
			    unit->aspects != 0 ? unit->aspects : ASPECT_ALL;
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
	for (uint32_t i = 0; i < columns->nnodes; i += COLUMN_ROWS)
		o->narrow &= ecache_sum_scores(cycle, list, n,
		    columns->blocks[i / COLUMN_ROWS], o->totals + i);
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

/* The sums for the cycle's pod; you own a reference. */
static struct object_scores *
objects_of(struct ecache *ecache, struct cycle *cycle)
{
	size_t len;
	const void *key = objects_key(ecache, cycle->class, &len);
	struct object_scores **place = objects_place(ecache, key, len);

	if (*place == NULL || !are_about(*place, ecache->cluster, key, len)) {
		object_scores_unref(*place);
		*place = objects_new(ecache, cycle, key, len);
	}
	(*place)->used = ++ecache->objects_uses;
	(*place)->refs++;
	return *place;
}

/* Lists the nodes whose sums differ, unless all nodes will be evaluated. */
static void
update_objects(struct ecache *ecache, struct ecache_results *results,
    struct cycle *cycle, bool all)
{
	struct object_scores *before = results->objects;

	results->objects = objects_of(ecache, cycle);
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

/* Keeps old outcomes (for example those that name a taint with a time) from
 * accumulating. */
static void
forget_outcomes(struct ecache_results *results)
{
	results->outcomes.n = 0;
	memset(results->outcomes.any, 0,
	    results->outcomes.width * sizeof(*results->outcomes.any));
	map_fini(&results->outcomes.by_hash);
	results->nrefusals = 0;
	results->why.n = 0;
	for (size_t i = 0; i < results->nchecks; i++)
		if (results->checks[i].states != NULL)
			memset(results->checks[i].states, 0,
			    CODE_ASK * sizeof(*results->checks[i].states));
}

/* Moves the arrays of the newest results so far to these new ones. */
static void
take_over_arrays(struct ecache *ecache, struct ecache_results *results)
{
	struct ecache_results *from = ecache->newest;

	if (from != NULL) {
		results->total = from->total;
		results->outcome_of = from->outcome_of;
		from->total = NULL;
		from->outcome_of = NULL;
		from->seen = (struct ecache_seen){ 0 };
	}
	ecache->newest = results;
}

static void
evaluate_from_scratch(struct ecache *ecache, struct ecache_results *results,
    struct cycle *cycle)
{
	uint32_t n = ecache->cluster->nnodes;

	forget_outcomes(results);
	if (!results->evaluated)
		take_over_arrays(ecache, results);
	results->evaluated = true;
	results->total =
	    xrealloc(results->total, column_rows(n), sizeof(*results->total));
	results->outcome_of =
	    xrealloc(results->outcome_of, n, sizeof(*results->outcome_of));
	update_objects(ecache, results, cycle, true);
	ecache_evaluate_all(ecache, results, cycle);
}

static void
evaluate_changed(struct ecache *ecache, struct ecache_results *results,
    struct cycle *cycle)
{
	ecache_put_changes_todo(ecache, &results->seen.cursor);
	if (results->seen.objects != ecache->cluster->objects)
		update_objects(ecache, results, cycle, false);
	/* in columns a node costs a fiftieth of its cost by itself */
	if (!results->slow &&
	    ecache->ntodo > ecache->cluster->nnodes / 50 + 32) {
		ecache_evaluate_all(ecache, results, cycle);
		return;
	}
	for (uint32_t i = 0; i < ecache->ntodo && !cycle_is_cancelled(cycle);
	     i++)
		evaluate(ecache, results, cycle, ecache->todo[i]);
}

size_t
ecache_results_size(const struct ecache *ecache,
    const struct ecache_results *results)
{
	size_t per_node = results == ecache->newest || results->total == NULL ?
	    0 :
	    sizeof(*results->total) + sizeof(*results->outcome_of);

	return sizeof(*results) + arena_used(&results->arena) +
	    arena_used(&results->class->arena) +
	    ecache->cluster->nnodes * per_node +
	    results->outcomes.cap * results->outcomes.width * sizeof(int64_t) +
	    cached_partition_size(&results->sorted);
}

void
ecache_evaluate(struct ecache *ecache, struct ecache_results *results,
    struct cycle *cycle)
{
	ecache->why = (struct why){ .arena = cycle->arena };
	ecache_begin_todo(ecache);
	if (results == ecache->newest)
		ecache->newest = NULL;
	if (ecache_is_recent(ecache, &results->seen))
		evaluate_changed(ecache, results, cycle);
	else
		evaluate_from_scratch(ecache, results, cycle);
	ecache_see(ecache, &results->seen);
}
