#include "config.h"

#include "sched/memo_internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/xmalloc.h"
#include "sched/cycle.h"
#include "sched/outlook.h"
#include "sched/profile.h"

/* A step fits into a byte of slot 0; profiles with more are not kept. */
#define STEPS_MAX 254

#define BYTES_LEAST ((size_t)96 << 20)
#define BYTES_PER_NODE ((size_t)4 << 10)

/* A group with one node takes about so many bytes. */
#define GROUP_BYTES 320

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

		while (first < i && !same_rule(&profile->priorities[first],
			&profile->priorities[i]))
			first++;
		weights[first] = wrap_add(weights[first],
		    profile->priorities[i].weight);
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
	memo->outlooks = outlooks_new();
	memo->weights = sum_weights(profile);
	find_raw_slots(memo);
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

/* The class has grown, or will be no more. */
static void
account(struct memo *memo, struct memo_class *m, size_t bytes)
{
	memo->bytes += bytes - m->bytes;
	m->bytes = bytes;
}

static void
class_free(struct memo *memo, struct memo_class *m)
{
	account(memo, m, 0);
	memo_groups_fini(&m->groups);
	free(m->objects_total);
	free(m->apart);
	arena_fini(&m->followers);
	arena_fini(&m->arena);
	pod_class_unref(m->class);
	free(m);
}

void
memo_free(struct memo *memo)
{
	if (memo == NULL)
		return;
	for (size_t i = 0; i < memo->classes.nslots; i++)
		if (memo->classes.slots[i].value != NULL)
			class_free(memo, memo->classes.slots[i].value);
	map_fini(&memo->classes);
	outlooks_free(memo->outlooks);
	free(memo->weights);
	free(memo->raw_slots);
	free(memo->order);
	free(memo->slots);
	free(memo->key);
	free(memo->todo);
	free(memo->marks);
	free(memo);
}

static void
drop_least_recent(struct memo *memo)
{
	struct memo_class *oldest = NULL;

	for (size_t i = 0; i < memo->classes.nslots; i++) {
		struct memo_class *m = memo->classes.slots[i].value;

		if (m != NULL && (oldest == NULL || m->used < oldest->used))
			oldest = m;
	}
	map_del(&memo->classes, (uintptr_t)oldest->class);
	class_free(memo, oldest);
}

static struct memo_class *
class_new(struct memo *memo, const struct pod_class *class)
{
	const struct profile *profile = memo->profile;
	struct memo_class *m = xcalloc(1, sizeof(*m));

	m->class = pod_class_ref(class);
	m->why.arena = &m->arena;
	m->layout = memo->cluster->layout - 1; /* nothing is right yet */
	m->raw_slots = memo->raw_slots;
	m->predicates = arena_array(&m->arena, struct memo_unit,
	    profile->npredicates);
	m->priorities = arena_array(&m->arena, struct memo_unit,
	    profile->npriorities);
	map_put(&memo->classes, (uintptr_t)class, m);
	return m;
}

void
memo_set_apart(struct memo *memo, struct memo_class *m, uint32_t at)
{
	memo_groups_leave(&m->groups, memo->cluster, at);
	vec_room(m->apart, m->napart, &m->apart_cap);
	m->apart[m->napart++] = at;
}

static void
put_changes_todo(struct memo *memo, const struct memo_class *m)
{
	const struct cluster *cluster = memo->cluster;

	for (uint64_t i = m->changes; i < cluster->nchanges; i++) {
		uint32_t at = cluster->changes[i % cluster->changes_cap].node;

		memo_put_todo(memo, at, true);
	}
}

/* In bytes, about what the class takes. */
static size_t
size_of(const struct memo_class *m)
{
	/* the groups' of, total and nodes, and objects_total */
	return sizeof(*m) + m->nnodes * 4 * sizeof(uint32_t) +
	    memo_groups_count(&m->groups) * GROUP_BYTES +
	    arena_used(&m->arena) + arena_used(&m->followers);
}

static void
update(struct memo *memo, struct memo_class *m, struct cycle *cycle)
{
	const struct cluster *cluster = memo->cluster;
	bool afresh = m->layout != cluster->layout ||
	    m->nnodes != cluster->nnodes ||
	    cluster->nchanges - m->changes > cluster->changes_cap;
	bool restart = afresh || m->lost || m->labels != cluster->labels ||
	    memo_any_is_stale(memo, m, cycle);

	memo_begin_todo(memo, cycle);
	for (uint32_t i = 0; !afresh && i < m->napart; i++)
		memo_put_todo(memo, m->apart[i], true);
	m->napart = 0;
	if (!afresh)
		put_changes_todo(memo, m);
	restart = restart || !memo_follow_all(memo, m, cycle);
	if (restart)
		memo_start_all(memo, m, cycle);
	if (afresh || m->objects != cluster->objects)
		memo_update_objects(memo, m, cycle);
	memo_find_slots(memo, m);
	if (restart || memo_topologies_change(memo, m) ||
	    memo->ntodo > cluster->nnodes / 8 + 64)
		memo_make_groups(memo, m, cycle, afresh);
	else
		memo_place_todo(memo, m, cycle);
	m->complete = !m->lost;
	m->layout = cluster->layout;
	m->changes = cluster->nchanges;
	m->nnodes = cluster->nnodes;
	m->objects = cluster->objects;
	m->labels = cluster->labels;
	if (restart)
		account(memo, m, size_of(m));
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

struct memo_class *
memo_class_of(struct memo *memo, struct cycle *cycle)
{
	struct memo_class *m;
	size_t max_bytes;

	if (memo == NULL || !can_be_kept(memo, cycle))
		return NULL;
	m = map_get(&memo->classes, (uintptr_t)cycle->class);
	if (m == NULL) {
		max_bytes = memo_max_bytes(memo);
		while (memo->bytes > max_bytes - max_bytes / 4 &&
		    memo->classes.n > 0)
			drop_least_recent(memo);
		m = class_new(memo, cycle->class);
		memo_prepare(memo, m, cycle);
	}
	m->used = ++memo->now;
	if (!m->unusable && cycle->nerrors == 0)
		update(memo, m, cycle);
	if (cycle->nerrors > 0) {
		/* decide() will come across the errors itself */
		m->unusable = true;
		cycle->nerrors = 0;
	}
	return m->unusable ? NULL : m;
}
