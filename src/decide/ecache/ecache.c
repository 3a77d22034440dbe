#include "config.h"

#include "decide/ecache/ecache_internal.h"

#include "decide/ecache/eviction.h"
#include "decide/framework/cycle.h"
#include "decide/framework/profile.h"

#define BYTES_LEAST ((size_t)96 << 20)
#define BYTES_PER_NODE ((size_t)4 << 10)

/* Enough for hits: classes that share results are cheap to make again. */
#define CLASSES_MAX 1024

/* The approximate size of a cell with one node. */
#define CELL_BYTES 320

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

		if (unit->reduce != NULL && (unit->reads & READS_NODE) &&
		    ecache->weights[i] != 0)
			ecache->raw_places[i] = ++ecache->nraw;
	}
}

static void
find_rules(struct ecache *ecache)
{
	const struct profile *profile = ecache->profile;
	struct ecache_rules *rules = &ecache->rules;

	rules->predicates =
	    xcalloc(profile->npredicates, sizeof(*rules->predicates));
	rules->priorities =
	    xcalloc(profile->npriorities, sizeof(*rules->priorities));
	for (size_t i = 0; i < profile->npredicates; i++) {
		const struct predicate *unit = profile->predicates[i].unit;

		if (!(unit->reads & READS_NODE))
			rules->predicates[rules->npredicates++] =
			    (struct uncached_predicate){ (uint32_t)i,
				    aspects_read(unit->reads) };
	}
	for (size_t i = 0; i < profile->npriorities; i++)
		if (ecache->weights[i] != 0 &&
		    (ecache->raw_places[i] != 0 ||
			(priority_reads(profile->priorities[i].unit) &
			    READS_CLUSTER)))
			rules->priorities[rules->npriorities++] = (uint32_t)i;
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

/* Counts an object's bytes as `now` instead of *bytes, and sets *bytes. */
static void
account(struct ecache *ecache, size_t *bytes, size_t now)
{
	ecache->bytes += now - *bytes;
	*bytes = now;
}

bool
ecache_is_recent(const struct ecache *ecache, const struct ecache_seen *seen)
{
	const struct cluster *cluster = ecache->cluster;

	return seen->nnodes == cluster->nnodes &&
	    journal_ahead(&cluster->journal, &seen->cursor) != UINT64_MAX;
}

struct ecache_seen
ecache_see(const struct cycle *cycle)
{
	const struct cluster *cluster = cycle->cluster;

	return (struct ecache_seen){ journal_end(&cluster->journal),
		cluster->objects, cluster->nnodes, cycle->pod->priority,
		cycle_own_node(cycle) };
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
	if (at == NODE_INDEX_NONE || ecache->marks[at] == ecache->round)
		return;
	ecache->marks[at] = ecache->round;
	vec_room(ecache->todo, ecache->ntodo, &ecache->todo_cap);
	ecache->todo[ecache->ntodo++] = at;
}

void
ecache_put_changes_todo(struct ecache *ecache, struct ecache_seen *before,
    const struct ecache_seen *now)
{
	const struct cluster *cluster = ecache->cluster;
	const struct node_change *change;

	while (journal_next(&cluster->journal, &before->cursor, &change) ==
	    JOURNAL_CHANGE)
		ecache_put_todo(ecache, change->node);
	for (uint32_t i = 0;
	     before->priority != now->priority && i < cluster->nnominated_to;
	     i++)
		ecache_put_todo(ecache, cluster->nominated_to[i]->index);
	if (before->own != now->own) {
		ecache_put_todo(ecache, before->own);
		ecache_put_todo(ecache, now->own);
	}
}

/* Classes */

static void
class_free(struct ecache *ecache, struct ecache_class *m)
{
	TAILQ_REMOVE(&ecache->by_use, m, by_use);
	map_del(&ecache->classes, (uintptr_t)m->class);
	account(ecache, &m->bytes, 0);
	cached_partition_forget(&m->own);
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
	free(ecache->weights);
	free(ecache->raw_places);
	free(ecache->rules.predicates);
	free(ecache->rules.priorities);
	free(ecache->todo);
	free(ecache->marks);
	free(ecache);
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

/* Partitions */

void
cached_partition_forget(struct cached_partition *sorted)
{
	partition_fini(&sorted->partition);
	*sorted = (struct cached_partition){ 0 };
}

size_t
cached_partition_size(const struct cached_partition *sorted)
{
	/* the partition's of, total and nodes */
	return sorted->seen.nnodes * 3 * sizeof(uint32_t) +
	    partition_count(&sorted->partition) * CELL_BYTES;
}

/* Puts the node into the cell where it belongs now. */
static void
place(struct ecache *ecache, const struct ecache_results *results,
    struct cached_partition *s, int64_t *key, uint32_t at)
{
	bool fits = results->state[at] == 0;

	*key++ = results->state[at];
	for (size_t i = 0; i < results->nraw; i++)
		*key++ = results->raw[i] != NULL ? results->raw[i][at] : 0;
	for (size_t i = 0; i < s->ncolumns; i++)
		*key++ = fits ? s->columns[i].values[at] : 0;
	partition_move(&s->partition, ecache->cluster, at,
	    key - s->partition.nkey_parts, results->total[at]);
}

/* False: the cycle was cancelled, and the partition is forgotten. */
static bool
make_partition(struct ecache *ecache, const struct ecache_results *results,
    struct cached_partition *s, struct cycle *cycle, int64_t *key)
{
	const uint32_t *order = cluster_order(ecache->cluster);

	partition_fini(&s->partition);
	partition_init(&s->partition, 1 + results->nraw + s->ncolumns,
	    ecache->cluster->nnodes);
	for (uint32_t i = 0; i < ecache->cluster->nnodes; i++) {
		if (cycle_is_cancelled(cycle)) {
			cached_partition_forget(s);
			return false;
		}
		place(ecache, results, s, key, order[i]);
	}
	return true;
}

/* Whether it has, or is to have, these columns; they may have moved. */
static bool
has_columns(struct cached_partition *s, size_t n,
    const struct node_column *columns)
{
	if (!s->wanted || s->ncolumns != n)
		return false;
	for (size_t i = 0; i < n; i++) {
		if (s->columns[i].version != columns[i].version)
			return false;
		s->columns[i].values = columns[i].values;
	}
	return true;
}

const struct partition *
ecache_partition(struct ecache *ecache, struct ecache_class *m,
    struct cycle *cycle, size_t n, const struct node_column *columns)
{
	struct ecache_results *results = m->results;
	struct cached_partition *s = n > 0 ? &m->own : &results->shared;
	int64_t *key =
	    arena_alloc(cycle->arena, (1 + results->nraw + n) * sizeof(*key));

	m->sorted = s;
	if (!has_columns(s, n, columns)) {
		cached_partition_forget(s);
		s->wanted = true;
		s->ncolumns = n;
		for (size_t i = 0; i < n; i++)
			s->columns[i] = columns[i];
		return NULL;
	}
	if (s->partition.nkey_parts == 0 ||
	    !ecache_is_recent(ecache, &s->seen)) {
		if (!make_partition(ecache, results, s, cycle, key))
			return NULL;
	} else {
		/* Lists the nodes that have changed since the partition was up
		 * to date. */
		ecache_begin_todo(ecache);
		ecache_put_changes_todo(ecache, &s->seen, &results->seen);
		/* a new image on one node may change the scores of others */
		for (uint32_t i = 0; s->seen.objects != results->seen.objects &&
		     i < ecache->cluster->nnodes;
		     i++)
			if (s->partition.total[i] != results->total[i])
				ecache_put_todo(ecache, i);
		for (uint32_t i = 0; i < ecache->ntodo; i++)
			place(ecache, results, s, key, ecache->todo[i]);
	}
	s->seen = results->seen;
	/* Counts the bytes of the class and of its results. */
	account(ecache, &m->bytes,
	    sizeof(*m) + arena_used(&m->class->arena) +
		cached_partition_size(&m->own));
	account(ecache, &m->results->bytes,
	    ecache_results_size(ecache, m->results));
	return &s->partition;
}

static bool
can_be_kept(const struct ecache *ecache, const struct cycle *cycle)
{
	return cycle->cluster == ecache->cluster &&
	    cycle->profile == ecache->profile &&
	    /* single scores are not kept, nor refusals after the first */
	    !cycle->keep_scores &&
	    !ecache->profile->always_check_all_predicates &&
	    /* HostName reads the pod's own node, which is not in the class */
	    cycle->pod->node == SYM_EMPTY;
}

struct ecache_class *
ecache_class_of(struct ecache *ecache, struct cycle *cycle)
{
	struct ecache_class *m;
	bool any;

	if (ecache == NULL || !can_be_kept(ecache, cycle))
		return NULL;
	m = map_get(&ecache->classes, (uintptr_t)cycle->class);
	if (m == NULL) {
		size_t max_bytes = ecache_max_bytes(ecache);

		while (ecache->classes.n > 0 &&
		    (ecache->classes.n >= CLASSES_MAX ||
			ecache->bytes > max_bytes - max_bytes / 4))
			class_free(ecache, TAILQ_FIRST(&ecache->by_use));
		m = xcalloc(1, sizeof(*m));
		m->class = pod_class_ref(cycle->class);
		m->raw_places = ecache->raw_places;
		m->rules = &ecache->rules;
		map_put(&ecache->classes, (uintptr_t)m->class, m);
		TAILQ_INSERT_TAIL(&ecache->by_use, m, by_use);
	}
	if (m->results == NULL ||
	    m->results_objects != ecache->cluster->objects) {
		/* Finds the results that the class shares; they may be others
		 * after Node objects have changed. */
		struct ecache_results *before = m->results;

		m->results = ecache_results_of(ecache, cycle);
		m->results_objects = ecache->cluster->objects;
		if (m->results != before)
			cached_partition_forget(&m->own);
		if (before != NULL)
			ecache_results_unref(ecache, before);
	}
	TAILQ_REMOVE(&ecache->by_use, m, by_use);
	TAILQ_INSERT_TAIL(&ecache->by_use, m, by_use);
	if (!m->results->unusable && cycle->nerrors == 0)
		ecache_evaluate(ecache, m->results, cycle);
	/* Clears the errors: without cached results decide() reports them
	 * itself. */
	any = cycle->nerrors > 0;
	cycle->nerrors = 0;
	m->results->unusable |= any;
	if (cycle_is_cancelled(cycle)) {
		ecache_abandon(ecache, m);
		return NULL;
	}
	return m->results->unusable ? NULL : m;
}
