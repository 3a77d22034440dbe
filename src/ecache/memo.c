#include "config.h"

#include "ecache/memo_internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/xmalloc.h"
#include "ecache/outlook.h"
#include "framework/cycle.h"
#include "framework/profile.h"

/* A step fits into a byte of slot 0; profiles with more are not kept. */
#define STEPS_MAX 254

#define BYTES_LEAST ((size_t)96 << 20)
#define BYTES_PER_NODE ((size_t)4 << 10)

/* Classes that are kin take little, and are as soon made anew. */
#define CLASSES_MAX 1024

/* What preps that follow take where they have nothing to say. */
#define FOLLOWERS_BYTES 512

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
find_raw_slots(struct memo *memo)
{
	const struct profile *profile = memo->profile;

	memo->raw_slots =
	    xcalloc(profile->npriorities, sizeof(*memo->raw_slots));
	for (size_t i = 0; i < profile->npriorities; i++) {
		const struct priority *unit = profile->priorities[i].unit;

		if (unit->reduce != NULL && unit->reads == READS_NODE &&
		    memo->weights[i] != 0)
			memo->raw_slots[i] = ++memo->nraw;
	}
}

struct memo *
memo_new(struct cluster *cluster, const struct profile *profile,
    size_t max_bytes)
{
	struct memo *memo = xcalloc(1, sizeof(*memo));

	memo->cluster = cluster;
	memo->profile = profile;
	memo->max_bytes = max_bytes;
	TAILQ_INIT(&memo->by_use);
	memo->outlooks = outlooks_new();
	memo->weights = sum_weights(profile);
	find_raw_slots(memo);
	memo_find_aspects(memo);
	memo_find_followers(memo);
	memo_key_room(memo, 1 + memo->nraw);
	return memo;
}

size_t
memo_bytes(const struct memo *memo)
{
	return memo->bytes + outlooks_bytes(memo->outlooks);
}

size_t
memo_max_bytes(const struct memo *memo)
{
	size_t usual = (size_t)memo->cluster->nnodes * BYTES_PER_NODE;

	if (memo->max_bytes != MEMO_BYTES_DEFAULT)
		return memo->max_bytes;
	return usual > BYTES_LEAST ? usual : BYTES_LEAST;
}

struct outlooks *
memo_outlooks(struct memo *memo)
{
	return memo->outlooks;
}

const int64_t *
memo_weights(const struct memo *memo)
{
	return memo->weights;
}

void
memo_account(struct memo *memo, size_t *bytes, size_t now)
{
	memo->bytes += now - *bytes;
	*bytes = now;
}

void
memo_key_room(struct memo *memo, size_t n)
{
	while (memo->key_cap < n)
		vec_room(memo->key, memo->key_cap, &memo->key_cap);
}

bool
memo_is_recent(const struct memo *memo, const struct memo_seen *seen)
{
	const struct cluster *cluster = memo->cluster;

	return seen->nnodes == cluster->nnodes &&
	    journal_ahead(&cluster->journal, &seen->cursor) != UINT64_MAX;
}

void
memo_see(const struct memo *memo, struct memo_seen *seen)
{
	const struct cluster *cluster = memo->cluster;

	*seen = (struct memo_seen){ journal_end(&cluster->journal),
		cluster->objects, cluster->labels, cluster->nnodes };
}

void
memo_begin_todo(struct memo *memo)
{
	size_t cap = memo->marks_cap;

	while (memo->marks_cap < memo->cluster->nnodes)
		vec_room(memo->marks, memo->marks_cap, &memo->marks_cap);
	for (; cap < memo->marks_cap; cap++)
		memo->marks[cap] = 0;
	memo->ntodo = 0;
	memo->round++;
}

void
memo_put_todo(struct memo *memo, uint32_t at)
{
	if (memo->marks[at] == memo->round)
		return;
	memo->marks[at] = memo->round;
	vec_room(memo->todo, memo->ntodo, &memo->todo_cap);
	memo->todo[memo->ntodo++] = at;
}

void
memo_put_changes_todo(struct memo *memo, struct cursor *cursor)
{
	const struct node_change *change;

	while (journal_next(&memo->cluster->journal, cursor, &change) ==
	    JOURNAL_CHANGE)
		memo_put_todo(memo, change->node);
}

/* Classes */

static void
class_free(struct memo *memo, struct memo_class *m)
{
	TAILQ_REMOVE(&memo->by_use, m, by_use);
	map_del(&memo->classes, (uintptr_t)m->class);
	memo_account(memo, &m->bytes, 0);
	memo_sorting_forget(&m->own);
	arena_fini(&m->followers);
	memo_kin_unref(memo, m->kin);
	pod_class_unref(m->class);
	free(m);
}

void
memo_free(struct memo *memo)
{
	if (memo == NULL)
		return;
	while (!TAILQ_EMPTY(&memo->by_use))
		class_free(memo, TAILQ_FIRST(&memo->by_use));
	map_fini(&memo->classes);
	content_map_fini(&memo->kin);
	outlooks_free(memo->outlooks);
	for (size_t i = 0; i < MEMO_OBJECTS; i++)
		memo_objects_unref(memo->objects[i]);
	free(memo->uniform);
	free(memo->followers);
	free(memo->weights);
	free(memo->raw_slots);
	free(memo->order);
	cut_last_fini(&memo->last_cut);
	free(memo->slots);
	free(memo->key);
	free(memo->todo);
	free(memo->marks);
	free(memo);
}

static void
make_room(struct memo *memo)
{
	size_t max_bytes = memo_max_bytes(memo);

	while (memo->classes.n > 0 &&
	    (memo->classes.n >= CLASSES_MAX ||
		memo->bytes > max_bytes - max_bytes / 4))
		class_free(memo, TAILQ_FIRST(&memo->by_use));
}

/* With whom the class shares may change when Node objects do. */
static void
find_kin(struct memo *memo, struct memo_class *m, struct cycle *cycle)
{
	const struct profile *profile = memo->profile;
	struct memo_kin *before = m->kin;

	m->kin = memo_kin_of(memo, cycle);
	m->kin_objects = memo->cluster->objects;
	if (m->kin != before) {
		memcpy(m->units, m->kin->units,
		    (profile->npredicates + profile->npriorities) *
			sizeof(m->units[0]));
		m->seen.cursor = (struct cursor){ 0 }; /* nothing is right */
	}
	if (before != NULL)
		memo_kin_unref(memo, before);
}

static struct memo_class *
class_new(struct memo *memo, struct cycle *cycle)
{
	const struct profile *profile = memo->profile;
	size_t n = profile->npredicates + profile->npriorities;
	struct memo_class *m = xcalloc(1, sizeof(*m) + n * sizeof(m->units[0]));

	m->class = pod_class_ref(cycle->class);
	m->raw_slots = memo->raw_slots;
	m->predicates = m->units;
	m->priorities = m->units + profile->npredicates;
	arena_reserve(&m->followers, FOLLOWERS_BYTES);
	map_put(&memo->classes, (uintptr_t)m->class, m);
	TAILQ_INSERT_TAIL(&memo->by_use, m, by_use);
	return m;
}

void
memo_set_apart(struct memo *memo, struct memo_class *m, uint32_t at)
{
	struct memo_sorting *s = m->sorting;

	memo_groups_leave(&s->groups, memo->cluster, at);
	vec_room(s->apart, s->napart, &s->apart_cap);
	s->apart[s->napart++] = at;
}

/* In bytes, about. */
static size_t
size_of(const struct memo *memo, const struct memo_class *m)
{
	size_t nunits = memo->profile->npredicates + memo->profile->npriorities;

	return sizeof(*m) + nunits * sizeof(m->units[0]) +
	    arena_used(&m->class->arena) + arena_used(&m->followers) +
	    memo_sorting_size(&m->own);
}

void
memo_abandon(struct memo *memo, struct memo_class *m)
{
	struct memo_kin *kin = m->kin;
	struct memo_class *next;

	outlooks_forget(memo->outlooks, kin);
	/* the last class frees kin */
	for (m = TAILQ_FIRST(&memo->by_use); m != NULL; m = next) {
		next = TAILQ_NEXT(m, by_use);
		if (m->kin == kin)
			class_free(memo, m);
	}
}

void
memo_account_class(struct memo *memo, struct memo_class *m)
{
	memo_account(memo, &m->bytes, size_of(memo, m));
	memo_account(memo, &m->kin->bytes, memo_kin_size(memo, m->kin));
}

static void
update(struct memo *memo, struct memo_class *m, struct cycle *cycle)
{
	memo_begin_todo(memo);
	if (memo_follow(memo, m, cycle))
		memo_sorting_forget(&m->own);
	if (cycle_is_cancelled(cycle))
		return;
	m->complete = !m->lost;
	memo_sort(memo, m, cycle);
	memo_see(memo, &m->seen);
	memo_account_class(memo, m);
}

static bool
can_be_kept(const struct memo *memo, const struct cycle *cycle)
{
	return cycle->cluster == memo->cluster &&
	    cycle->profile == memo->profile &&
	    /* scores one by one are not kept, nor second refusals */
	    !cycle->keep_scores &&
	    !memo->profile->always_check_all_predicates &&
	    memo->profile->npredicates <= STEPS_MAX &&
	    /* HostName reads the pod's own node, which is not in the class */
	    cycle->pod->node == SYM_EMPTY;
}

/* decide() will come across the errors itself. */
static bool
take_errors(struct cycle *cycle)
{
	bool any = cycle->nerrors > 0;

	cycle->nerrors = 0;
	return any;
}

struct memo_class *
memo_class_of(struct memo *memo, struct cycle *cycle)
{
	struct memo_class *m;

	if (memo == NULL || !can_be_kept(memo, cycle))
		return NULL;
	m = map_get(&memo->classes, (uintptr_t)cycle->class);
	if (m == NULL) {
		make_room(memo);
		m = class_new(memo, cycle);
	}
	if (m->kin == NULL ||
	    (m->kin_objects != memo->cluster->objects && memo->nuniform > 0))
		find_kin(memo, m, cycle);
	TAILQ_REMOVE(&memo->by_use, m, by_use);
	TAILQ_INSERT_TAIL(&memo->by_use, m, by_use);
	if (!m->kin->unusable && cycle->nerrors == 0)
		memo_evaluate(memo, m->kin, cycle);
	m->kin->unusable |= take_errors(cycle);
	if (!m->unusable && !m->kin->unusable) {
		update(memo, m, cycle);
		m->unusable |= take_errors(cycle);
	}
	if (cycle_is_cancelled(cycle)) {
		memo_abandon(memo, m);
		return NULL;
	}
	return m->unusable || m->kin->unusable ? NULL : m;
}
