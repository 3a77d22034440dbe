#include "config.h"

#include "ecache/ecache_internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/xmalloc.h"
#include "ecache/eviction.h"
#include "framework/cycle.h"
#include "framework/profile.h"

/* The step must fit into a byte of an outcome's first number: results of profiles with
 * more steps are not kept. */
#define STEPS_MAX 254

#define BYTES_LEAST ((size_t)96 << 20)
#define BYTES_PER_NODE ((size_t)4 << 10)

/* Enough for hits: classes that share results are cheap to make again. */
#define CLASSES_MAX 1024

/* The approximate bytes of a class's kept preps if they are about no other pods. */
#define FOLLOWERS_BYTES 768

/* Whether two entries are one rule with one argument under two names. */
static bool
same_rule(const struct profile_priority *a, const struct profile_priority *b)
{
	return a->args == b->args && a->unit->prepare == b->unit->prepare &&
	    a->unit->score == b->unit->score &&
	    a->unit->reduce == b->unit->reduce;
}

static int64_t *
sum_weights(const struct profile *profile)
{
	int64_t *weights = xcalloc(profile->npriorities + 1, sizeof(*weights));

	for (size_t i = 0; i < profile->npriorities; i++) {
		size_t first = 0;

		while (first < i &&
		    !same_rule(&profile->priorities[first],
			&profile->priorities[i]))
			first++;
		weights[first] =
		    wrap_add(weights[first], profile->priorities[i].weight);
	}
	return weights;
}

static void
find_raw_places(struct ecache *ecache)
{
	const struct profile *profile = ecache->profile;

	ecache->raw_places =
	    xcalloc(profile->npriorities, sizeof(*ecache->raw_places));
	for (size_t i = 0; i < profile->npriorities; i++) {
		const struct priority *unit = profile->priorities[i].unit;

		if (unit->reduce != NULL && unit->reads == READS_NODE &&
		    ecache->weights[i] != 0)
			ecache->raw_places[i] = ++ecache->nraw;
	}
}

static void
find_rules(struct ecache *ecache)
{
	const struct profile *profile = ecache->profile;
	struct ecache_rules *rules = &ecache->rules;

	rules->beyond = xcalloc(profile->npredicates, sizeof(*rules->beyond));
	rules->loose = xcalloc(profile->npriorities, sizeof(*rules->loose));
	for (size_t i = 0; i < profile->npredicates; i++) {
		const struct predicate *unit = profile->predicates[i].unit;

		if (unit->reads != READS_NODE)
			rules->beyond[rules->nbeyond++] =
			    (struct beyond_rule){ (uint32_t)i, unit->aspects };
	}
	for (size_t i = 0; i < profile->npriorities; i++)
		if (ecache->weights[i] != 0 &&
		    (ecache->raw_places[i] != 0 ||
			priority_reads(profile->priorities[i].unit) ==
			    READS_CLUSTER))
			rules->loose[rules->nloose++] = (uint32_t)i;
}

struct ecache *
ecache_new(struct cluster *cluster, const struct profile *profile,
    size_t max_bytes)
{
	struct ecache *ecache = xcalloc(1, sizeof(*ecache));

	ecache->cluster = cluster;
	ecache->profile = profile;
	ecache->max_bytes = max_bytes;
	TAILQ_INIT(&ecache->by_use);
	ecache->evictions = eviction_tables_new();
	ecache->weights = sum_weights(profile);
	find_raw_places(ecache);
	find_rules(ecache);
	ecache_find_aspects(ecache);
	ecache_find_followers(ecache);
	ecache_key_room(ecache, 1 + ecache->nraw);
	return ecache;
}

size_t
ecache_bytes(const struct ecache *ecache)
{
	return ecache->bytes + eviction_tables_bytes(ecache->evictions);
}

size_t
ecache_max_bytes(const struct ecache *ecache)
{
	size_t usual = (size_t)ecache->cluster->nnodes * BYTES_PER_NODE;

	if (ecache->max_bytes != ECACHE_BYTES_DEFAULT)
		return ecache->max_bytes;
	return usual > BYTES_LEAST ? usual : BYTES_LEAST;
}

struct eviction_tables *
ecache_evictions(struct ecache *ecache)
{
	return ecache->evictions;
}

const int64_t *
ecache_weights(const struct ecache *ecache)
{
	return ecache->weights;
}

void
ecache_account(struct ecache *ecache, size_t *bytes, size_t now)
{
	ecache->bytes += now - *bytes;
	*bytes = now;
}

void
ecache_key_room(struct ecache *ecache, size_t n)
{
	while (ecache->key_cap < n)
		vec_room(ecache->key, ecache->key_cap, &ecache->key_cap);
}

bool
ecache_is_recent(const struct ecache *ecache, const struct ecache_seen *seen)
{
	const struct cluster *cluster = ecache->cluster;

	return seen->nnodes == cluster->nnodes &&
	    journal_ahead(&cluster->journal, &seen->cursor) != UINT64_MAX;
}

void
ecache_see(const struct ecache *ecache, struct ecache_seen *seen)
{
	const struct cluster *cluster = ecache->cluster;

	*seen = (struct ecache_seen){ journal_end(&cluster->journal),
		cluster->objects, cluster->labels, cluster->nnodes };
}

void
ecache_begin_todo(struct ecache *ecache)
{
	size_t cap = ecache->marks_cap;

	while (ecache->marks_cap < ecache->cluster->nnodes)
		vec_room(ecache->marks, ecache->marks_cap, &ecache->marks_cap);
	for (; cap < ecache->marks_cap; cap++)
		ecache->marks[cap] = 0;
	ecache->ntodo = 0;
	ecache->round++;
}

void
ecache_put_todo(struct ecache *ecache, uint32_t at)
{
	if (ecache->marks[at] == ecache->round)
		return;
	ecache->marks[at] = ecache->round;
	vec_room(ecache->todo, ecache->ntodo, &ecache->todo_cap);
	ecache->todo[ecache->ntodo++] = at;
}

void
ecache_put_changes_todo(struct ecache *ecache, struct cursor *cursor)
{
	const struct node_change *change;

	while (journal_next(&ecache->cluster->journal, cursor, &change) ==
	    JOURNAL_CHANGE)
		ecache_put_todo(ecache, change->node);
}

/* Classes */

static void
class_free(struct ecache *ecache, struct ecache_class *m)
{
	TAILQ_REMOVE(&ecache->by_use, m, by_use);
	map_del(&ecache->classes, (uintptr_t)m->class);
	ecache_account(ecache, &m->bytes, 0);
	cached_partition_forget(&m->own);
	arena_fini(&m->followers);
	free(m->unrelated);
	ecache_results_unref(ecache, m->results);
	pod_class_unref(m->class);
	free(m);
}

void
ecache_free(struct ecache *ecache)
{
	if (ecache == NULL)
		return;
	while (!TAILQ_EMPTY(&ecache->by_use))
		class_free(ecache, TAILQ_FIRST(&ecache->by_use));
	map_fini(&ecache->classes);
	content_map_fini(&ecache->results);
	eviction_tables_free(ecache->evictions);
	for (size_t i = 0; i < OBJECT_SCORES; i++)
		object_scores_unref(ecache->objects[i]);
	free(ecache->uniform);
	free(ecache->followers);
	free(ecache->weights);
	free(ecache->raw_places);
	free(ecache->rules.beyond);
	free(ecache->rules.loose);
	free(ecache->order);
	joints_fini(&ecache->joints);
	free(ecache->key_parts);
	free(ecache->key);
	free(ecache->todo);
	free(ecache->marks);
	free(ecache);
}

static void
make_room(struct ecache *ecache)
{
	size_t max_bytes = ecache_max_bytes(ecache);

	while (ecache->classes.n > 0 &&
	    (ecache->classes.n >= CLASSES_MAX ||
		ecache->bytes > max_bytes - max_bytes / 4))
		class_free(ecache, TAILQ_FIRST(&ecache->by_use));
}

/* Finds the results that the class shares; they may be others after Node objects have
 * changed. */
static void
find_results(struct ecache *ecache, struct ecache_class *m, struct cycle *cycle)
{
	const struct profile *profile = ecache->profile;
	struct ecache_results *before = m->results;

	m->results = ecache_results_of(ecache, cycle);
	m->results_objects = ecache->cluster->objects;
	if (m->results != before) {
		memcpy(m->units, m->results->units,
		    (profile->npredicates + profile->npriorities) *
			sizeof(m->units[0]));
		m->seen.cursor = (struct cursor){ 0 }; /* everything is stale */
	}
	if (before != NULL)
		ecache_results_unref(ecache, before);
}

static struct ecache_class *
class_new(struct ecache *ecache, struct cycle *cycle)
{
	const struct profile *profile = ecache->profile;
	size_t n = profile->npredicates + profile->npriorities;
	struct ecache_class *m =
	    xcalloc(1, sizeof(*m) + n * sizeof(m->units[0]));

	m->class = pod_class_ref(cycle->class);
	m->raw_places = ecache->raw_places;
	m->rules = &ecache->rules;
	m->predicates = m->units;
	m->priorities = m->units + profile->npredicates;
	arena_reserve(&m->followers, FOLLOWERS_BYTES);
	map_put(&ecache->classes, (uintptr_t)m->class, m);
	TAILQ_INSERT_TAIL(&ecache->by_use, m, by_use);
	return m;
}

void
ecache_exclude(struct ecache *ecache, struct ecache_class *m, uint32_t at)
{
	struct cached_partition *s = m->sorted;

	partition_remove(&s->partition, ecache->cluster, at);
	vec_room(s->excluded, s->nexcluded, &s->excluded_cap);
	s->excluded[s->nexcluded++] = at;
}

/* Approximate bytes. */
static size_t
size_of(const struct ecache *ecache, const struct ecache_class *m)
{
	size_t nunits =
	    ecache->profile->npredicates + ecache->profile->npriorities;

	return sizeof(*m) + nunits * sizeof(m->units[0]) +
	    arena_used(&m->class->arena) + arena_used(&m->followers) +
	    cached_partition_size(&m->own);
}

void
ecache_abandon(struct ecache *ecache, struct ecache_class *m)
{
	struct ecache_results *results = m->results;
	struct ecache_class *next;

	eviction_tables_forget(ecache->evictions, results);
	/* the last class frees the results */
	for (m = TAILQ_FIRST(&ecache->by_use); m != NULL; m = next) {
		next = TAILQ_NEXT(m, by_use);
		if (m->results == results)
			class_free(ecache, m);
	}
}

void
ecache_account_class(struct ecache *ecache, struct ecache_class *m)
{
	ecache_account(ecache, &m->bytes, size_of(ecache, m));
	ecache_account(ecache, &m->results->bytes,
	    ecache_results_size(ecache, m->results));
}

static void
update(struct ecache *ecache, struct ecache_class *m, struct cycle *cycle)
{
	ecache_begin_todo(ecache);
	if (ecache_follow(ecache, m, cycle))
		cached_partition_forget(&m->own);
	if (cycle_is_cancelled(cycle))
		return;
	m->complete = !m->cannot_follow;
	ecache_sort(ecache, m, cycle);
	ecache_see(ecache, &m->seen);
	ecache_account_class(ecache, m);
}

static bool
can_be_kept(const struct ecache *ecache, const struct cycle *cycle)
{
	return cycle->cluster == ecache->cluster &&
	    cycle->profile == ecache->profile &&
	    /* single scores are not kept, nor refusals after the first */
	    !cycle->keep_scores &&
	    !ecache->profile->always_check_all_predicates &&
	    ecache->profile->npredicates <= STEPS_MAX &&
	    /* HostName reads the pod's own node, which is not in the class */
	    cycle->pod->node == SYM_EMPTY;
}

/* Clears the errors: without cached results decide() reports them itself. */
static bool
take_errors(struct cycle *cycle)
{
	bool any = cycle->nerrors > 0;

	cycle->nerrors = 0;
	return any;
}

struct ecache_class *
ecache_class_of(struct ecache *ecache, struct cycle *cycle)
{
	struct ecache_class *m;

	if (ecache == NULL || !can_be_kept(ecache, cycle))
		return NULL;
	m = map_get(&ecache->classes, (uintptr_t)cycle->class);
	if (m == NULL) {
		make_room(ecache);
		m = class_new(ecache, cycle);
	}
	if (m->results == NULL ||
	    (m->results_objects != ecache->cluster->objects &&
		ecache->nuniform > 0))
		find_results(ecache, m, cycle);
	TAILQ_REMOVE(&ecache->by_use, m, by_use);
	TAILQ_INSERT_TAIL(&ecache->by_use, m, by_use);
	if (!m->results->unusable && cycle->nerrors == 0)
		ecache_evaluate(ecache, m->results, cycle);
	m->results->unusable |= take_errors(cycle);
	if (!m->unusable && !m->results->unusable) {
		update(ecache, m, cycle);
		m->unusable |= take_errors(cycle);
	}
	if (cycle_is_cancelled(cycle)) {
		ecache_abandon(ecache, m);
		return NULL;
	}
	return m->unusable || m->results->unusable ? NULL : m;
}
