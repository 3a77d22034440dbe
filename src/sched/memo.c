#include "config.h"

#include "sched/memo.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/xmalloc.h"
#include "cluster/index.h"
#include "sched/cycle.h"
#include "sched/outlook.h"
#include "sched/profile.h"

/* fails_at and refusal are small integers; a profile or a class beyond them is
 * not kept. */
#define STEPS_MAX 254
#define REFUSALS_MAX UINT16_MAX

/* More groups than this part of the nodes do not pay. */
#define SCATTERED 4

struct memo {
	struct cluster *cluster;
	const struct profile *profile;
	size_t max_bytes, bytes;
	uint64_t now; /* counts uses */
	struct map classes; /* class pointer -> struct memo_class */
	struct outlooks *outlooks;
};

struct memo *
memo_new(struct cluster *cluster, const struct profile *profile,
    size_t max_bytes)
{
	struct memo *memo = xcalloc(1, sizeof(*memo));

	memo->cluster = cluster;
	memo->profile = profile;
	memo->max_bytes = max_bytes - max_bytes / 4;
	memo->outlooks = outlooks_new(max_bytes / 4);
	return memo;
}

size_t
memo_bytes(const struct memo *memo)
{
	return memo->bytes + outlooks_bytes(memo->outlooks);
}

struct outlooks *
memo_outlooks(struct memo *memo)
{
	return memo->outlooks;
}

bool
memo_keeps_raw(const struct profile *profile, size_t i)
{
	const struct priority *unit = profile->priorities[i].unit;

	return unit->reduce != NULL &&
	    (unit->reads == READS_NODE || unit->counted != NULL);
}

static size_t
bytes_per_node(const struct profile *profile)
{
	/* fails_at, refusal, totals, node_group, node_bucket, its bucket */
	size_t bytes = sizeof(uint8_t) + sizeof(uint16_t) +
	    3 * sizeof(int64_t) + 2 * sizeof(uint32_t);

	for (size_t i = 0; i < profile->npriorities; i++)
		if (memo_keeps_raw(profile, i))
			bytes += sizeof(int64_t);
	return bytes;
}

/* Groups */

static void
group_free(struct memo_group *g)
{
	for (uint32_t i = 0; i < g->nbuckets; i++)
		free(g->buckets[i].nodes);
	free(g->buckets);
	free(g->raw);
	free(g->domains);
	free(g);
}

static void
forget_groups(struct memo_class *m)
{
	for (uint32_t i = 0; i < m->ngroups; i++)
		group_free(m->groups[i]);
	map_fini(&m->group_of);
	m->ngroups = m->nempty = 0;
}

static uint32_t
column_domain(const struct memo_column *column, uint32_t at)
{
	const struct topology *t = column->topology;

	return t != NULL ? t->domain_of[at] : DOMAIN_NONE;
}

static bool
belongs(const struct memo *memo, const struct memo_class *m,
    const struct memo_group *g, uint32_t at)
{
	for (size_t i = 0; i < memo->profile->npriorities; i++) {
		const struct memo_column *column = &m->columns[i];

		if (column->raw != NULL &&
		    (g->raw[i] != column->raw[at] ||
			g->domains[i] != column_domain(column, at)))
			return false;
	}
	return true;
}

static struct memo_group *
group_new(const struct memo *memo, struct memo_class *m, uint32_t at)
{
	size_t n = memo->profile->npriorities;
	struct memo_group *g = xcalloc(1, sizeof(*g));

	g->raw = xcalloc(n, sizeof(*g->raw));
	g->domains = xcalloc(n, sizeof(*g->domains));
	for (size_t i = 0; i < n; i++)
		if (m->columns[i].raw != NULL) {
			g->raw[i] = m->columns[i].raw[at];
			g->domains[i] =
			    column_domain(&m->columns[i], at);
		}
	vec_room(m->groups, m->ngroups, &m->groups_cap);
	m->groups[m->ngroups++] = g;
	m->nempty++;
	return g;
}

/* The number of the group that the node belongs to. */
static uint32_t
find_group(const struct memo *memo, struct memo_class *m, uint32_t at)
{
	uint64_t hash = 1;

	for (size_t i = 0; i < memo->profile->npriorities; i++) {
		const struct memo_column *column = &m->columns[i];

		if (column->raw != NULL)
			hash = hash_mix(hash ^
			    ((uint64_t)column->raw[at] << 20) ^
			    column_domain(column, at));
	}
	for (;; hash++) {
		uintptr_t found =
		    (uintptr_t)map_get(&m->group_of, hash);

		if (found == 0) {
			group_new(memo, m, at);
			map_put(&m->group_of, hash,
			    (void *)(uintptr_t)m->ngroups);
			return m->ngroups - 1;
		}
		if (belongs(memo, m, m->groups[found - 1], at))
			return (uint32_t)(found - 1);
	}
}

/* Where the bucket with this total is, or belongs. */
static uint32_t
find_bucket(const struct memo_group *g, int64_t total)
{
	uint32_t low = 0, high = g->nbuckets;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (g->buckets[middle].total > total)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool
hash_before(const struct cluster *cluster, uint32_t a, uint32_t b)
{
	return cluster->name_hashes[a] < cluster->name_hashes[b];
}

/* How many of the bucket's nodes come before one with this hash. */
static uint32_t
rank_of(const struct cluster *cluster, const struct memo_bucket *bucket,
    uint64_t hash)
{
	uint32_t low = 0, high = bucket->n;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (cluster->name_hashes[bucket->nodes[middle]] < hash)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static struct memo_bucket *
get_bucket(struct memo_group *g, int64_t total)
{
	uint32_t i = find_bucket(g, total);

	if (i < g->nbuckets && g->buckets[i].total == total)
		return &g->buckets[i];
	vec_room(g->buckets, g->nbuckets, &g->cap);
	memmove(&g->buckets[i + 1], &g->buckets[i],
	    (g->nbuckets - i) * sizeof(*g->buckets));
	g->nbuckets++;
	g->buckets[i] = (struct memo_bucket){ .total = total };
	return &g->buckets[i];
}

static void
join_group(const struct memo *memo, struct memo_class *m, uint32_t at)
{
	int64_t total = wrap_add(m->node_total[at], m->objects_total[at]);
	uint32_t group = find_group(memo, m, at), i;
	struct memo_group *g = m->groups[group];
	struct memo_bucket *bucket = get_bucket(g, total);

	vec_room(bucket->nodes, bucket->n, &bucket->cap);
	i = bucket->n;
	/* often the order of arrival is the order of the hashes */
	if (i > 0 && !hash_before(memo->cluster, bucket->nodes[i - 1], at))
		i = rank_of(memo->cluster, bucket,
		    memo->cluster->name_hashes[at]);
	memmove(&bucket->nodes[i + 1], &bucket->nodes[i],
	    (bucket->n - i) * sizeof(*bucket->nodes));
	bucket->nodes[i] = at;
	bucket->n++;
	m->nempty -= g->n == 0;
	g->n++;
	m->node_group[at] = group;
	m->node_bucket[at] = total;
}

static void
leave_group(const struct memo *memo, struct memo_class *m, uint32_t at)
{
	struct memo_group *g = m->groups[m->node_group[at]];
	uint32_t b = find_bucket(g, m->node_bucket[at]);
	struct memo_bucket *bucket = &g->buckets[b];
	uint32_t i = rank_of(memo->cluster, bucket,
	    memo->cluster->name_hashes[at]);

	while (bucket->nodes[i] != at)
		i++;
	memmove(&bucket->nodes[i], &bucket->nodes[i + 1],
	    (bucket->n - i - 1) * sizeof(*bucket->nodes));
	if (--bucket->n == 0) {
		free(bucket->nodes);
		memmove(&g->buckets[b], &g->buckets[b + 1],
		    (g->nbuckets - b - 1) * sizeof(*g->buckets));
		g->nbuckets--;
	}
	m->nempty += --g->n == 0;
	m->node_group[at] = MEMO_GROUP_NONE;
}

static struct {
	const struct cluster *cluster;
} sorting;

static int
by_hash(const void *a, const void *b)
{
	uint64_t x = sorting.cluster->name_hashes[*(const uint32_t *)a];
	uint64_t y = sorting.cluster->name_hashes[*(const uint32_t *)b];

	return (x > y) - (x < y);
}

static void
make_groups(const struct memo *memo, struct memo_class *m)
{
	uint32_t nnodes = memo->cluster->nnodes;
	AUTOFREE uint32_t *order = xcalloc(nnodes, sizeof(*order));

	forget_groups(m);
	for (uint32_t i = 0; i < nnodes; i++) {
		order[i] = i;
		m->node_group[i] = MEMO_GROUP_NONE;
	}
	sorting.cluster = memo->cluster;
	if (nnodes > 0)
		qsort(order, nnodes, sizeof(*order), by_hash);
	m->scattered = false;
	for (uint32_t i = 0; i < nnodes && !m->scattered; i++) {
		if (m->fails_at[order[i]] == 0)
			join_group(memo, m, order[i]);
		m->scattered = m->ngroups > nnodes / SCATTERED + 64;
	}
	if (m->scattered)
		forget_groups(m);
}

static void
regroup(const struct memo *memo, struct memo_class *m, uint32_t at)
{
	if (m->scattered)
		return;
	if (m->node_group[at] != MEMO_GROUP_NONE)
		leave_group(memo, m, at);
	if (m->fails_at[at] == 0)
		join_group(memo, m, at);
}

uint32_t
memo_pick(const struct cluster *cluster,
    const struct memo_bucket *const *buckets, size_t n, uint32_t i)
{
	uint64_t low = 0, high = UINT64_MAX;
	uint32_t before;

	/* the greatest hash that at most i nodes come before */
	while (low < high) {
		uint64_t middle = low + (high - low) / 2 + 1;

		before = 0;
		for (size_t j = 0; j < n; j++)
			before += rank_of(cluster, buckets[j], middle);
		if (before <= i)
			low = middle;
		else
			high = middle - 1;
	}
	for (size_t j = 0; j < n; j++) {
		uint32_t at = rank_of(cluster, buckets[j], low);

		if (at < buckets[j]->n &&
		    cluster->name_hashes[buckets[j]->nodes[at]] == low)
			return buckets[j]->nodes[at];
	}
	assert(0);
	return 0;
}

/* Classes */

static void
class_free(struct memo *memo, struct memo_class *m)
{
	memo->bytes -= m->cap * bytes_per_node(memo->profile);
	for (size_t i = 0; i < memo->profile->npriorities; i++) {
		free(m->columns[i].raw);
		free(m->columns[i].classes);
	}
	forget_groups(m);
	free(m->groups);
	free(m->fails_at);
	free(m->refusal);
	free(m->node_total);
	free(m->objects_total);
	free(m->node_group);
	free(m->node_bucket);
	arena_fini(&m->arena);
	pod_class_unref((struct pod_class *)m->class);
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
	m->columns = arena_array(&m->arena, struct memo_column,
	    profile->npriorities);
	for (size_t i = 0; i < profile->npriorities; i++) {
		const struct profile_priority *p = &profile->priorities[i];

		m->columns[i].alike = p->unit->alike != NULL ?
		    p->unit->alike(p->args) : SYM_EMPTY;
	}
	m->predicate_prep = arena_array(&m->arena, const void *,
	    profile->npredicates);
	m->predicate_asks = arena_array(&m->arena, bool, profile->npredicates);
	m->priority_prep = arena_array(&m->arena, const void *,
	    profile->npriorities);
	map_put(&memo->classes, (uintptr_t)class, m);
	return m;
}

/* Prepares the READS_NODE units for the class, in its own arena. */
static void
prepare(struct memo_class *m, struct cycle *cycle)
{
	const struct profile *profile = cycle->profile;
	struct arena *arena = cycle->arena;

	cycle->arena = &m->arena;
	for (size_t i = 0; i < profile->npredicates; i++) {
		const struct profile_predicate *p = &profile->predicates[i];

		if (p->unit->reads != READS_NODE)
			continue;
		m->predicate_prep[i] = p->args;
		if (p->unit->prepare != NULL)
			m->predicate_prep[i] =
			    p->unit->prepare(cycle, p->args);
		m->predicate_asks[i] = p->unit->prepare == NULL ||
		    m->predicate_prep[i] != NULL;
	}
	for (size_t i = 0; i < profile->npriorities; i++) {
		const struct profile_priority *p = &profile->priorities[i];

		if (p->unit->reads != READS_NODE)
			continue;
		m->priority_prep[i] = p->args;
		if (p->unit->prepare != NULL)
			m->priority_prep[i] =
			    p->unit->prepare(cycle, p->args);
	}
	cycle->arena = arena;
}

static void
make_room(struct memo *memo, struct memo_class *m, uint32_t nnodes)
{
	uint32_t cap = nnodes + nnodes / 16 + 8;

	if (nnodes <= m->cap)
		return;
	memo->bytes += (cap - m->cap) * bytes_per_node(memo->profile);
#define ROOM(array) (array) = xrealloc((array), cap, sizeof(*(array)))
	ROOM(m->fails_at);
	ROOM(m->refusal);
	ROOM(m->node_total);
	ROOM(m->objects_total);
	ROOM(m->node_group);
	ROOM(m->node_bucket);
	for (size_t i = 0; i < memo->profile->npriorities; i++)
		if (memo_keeps_raw(memo->profile, i))
			ROOM(m->columns[i].raw);
#undef ROOM
	m->cap = cap;
}

/* The number of the refusal that these reasons are; adds it if it is new. */
static size_t
refusal_of(struct memo_class *m, enum verdict verdict, const struct why *why)
{
	struct node_verdict *r;

	for (size_t i = 0; i < m->nrefusals; i++) {
		r = &m->refusals[i];
		if (r->verdict == verdict && r->nreasons == why->n &&
		    (why->n == 0 ||
			memcmp(m->why.reasons + r->first_reason, why->reasons,
			    why->n * sizeof(*why->reasons)) == 0))
			return i;
	}
	arena_room(&m->arena, m->refusals, m->nrefusals, &m->refusals_cap);
	arena_room(&m->arena, m->refused, m->nrefusals, &m->refused_cap);
	m->refused[m->nrefusals] = 0;
	r = &m->refusals[m->nrefusals];
	r->verdict = verdict;
	r->first_reason = (uint32_t)m->why.n;
	r->nreasons = (uint32_t)why->n;
	for (size_t i = 0; i < why->n; i++)
		why_add(&m->why, why->reasons[i]);
	return m->nrefusals++;
}

static void
filter_node_only(struct memo_class *m, struct cycle *cycle, uint32_t at)
{
	const struct profile *profile = cycle->profile;
	struct why why = { .arena = cycle->arena };
	enum verdict verdict;
	size_t refusal;

	m->fails_at[at] = 0;
	for (size_t i = 0; i < profile->npredicates; i++) {
		if (!m->predicate_asks[i])
			continue;
		verdict = profile->predicates[i].unit->check(cycle,
		    cycle->cluster->nodes[at], m->predicate_prep[i], &why);
		if (verdict == FITS)
			continue;
		refusal = refusal_of(m, verdict, &why);
		m->unusable |= verdict == BROKEN || refusal >= REFUSALS_MAX;
		m->fails_at[at] = (uint8_t)(i + 1);
		m->refusal[at] = (uint16_t)refusal;
		m->refused[refusal]++;
		return;
	}
	m->nfits++;
}

static void
score_node_only(struct memo_class *m, struct cycle *cycle, uint32_t at)
{
	const struct profile *profile = cycle->profile;
	const struct node_info *node = cycle->cluster->nodes[at];

	m->node_total[at] = 0;
	for (size_t i = 0; i < profile->npriorities; i++) {
		const struct profile_priority *p = &profile->priorities[i];
		struct memo_column *column = &m->columns[i];
		int64_t score;

		if (p->unit->counted != NULL) {
			column->raw[at] = node_info_count_pods(node,
			    column->classes, column->nclasses);
			continue;
		}
		if (p->unit->reads != READS_NODE)
			continue;
		score = p->unit->score(cycle, node, m->priority_prep[i]);
		if (column->raw != NULL)
			column->raw[at] = score;
		else
			m->node_total[at] = wrap_add(m->node_total[at],
			    wrap_mul(p->weight, score));
	}
}

static void
update_node(struct memo_class *m, struct cycle *cycle, uint32_t at, bool known)
{
	if (known && m->fails_at[at] == 0)
		m->nfits--;
	else if (known)
		m->refused[m->refusal[at]]--;
	filter_node_only(m, cycle, at);
	score_node_only(m, cycle, at);
}

static void
update_all_nodes(struct memo *memo, struct memo_class *m, struct cycle *cycle)
{
	make_room(memo, m, memo->cluster->nnodes);
	m->nfits = 0;
	for (size_t i = 0; i < m->nrefusals; i++)
		m->refused[i] = 0;
	for (uint32_t i = 0; i < memo->cluster->nnodes; i++)
		update_node(m, cycle, i, false);
}

static void
update_objects(struct memo *memo, struct memo_class *m, struct cycle *cycle)
{
	const struct cluster *cluster = memo->cluster;
	const struct profile *profile = memo->profile;

	for (uint32_t i = 0; i < cluster->nnodes; i++)
		m->objects_total[i] = 0;
	for (size_t i = 0; i < profile->npriorities; i++) {
		const struct profile_priority *p = &profile->priorities[i];
		const void *prep = p->args;

		if (p->unit->reads != READS_OBJECTS)
			continue;
		if (p->unit->prepare != NULL)
			prep = p->unit->prepare(cycle, p->args);
		for (uint32_t j = 0; j < cluster->nnodes; j++)
			m->objects_total[j] = wrap_add(m->objects_total[j],
			    wrap_mul(p->weight,
				p->unit->score(cycle, cluster->nodes[j],
				    prep)));
	}
	m->objects = cluster->objects;
}

/* Whether the priority counts the pods of other classes than it did. */
static bool
counts_change(struct memo_column *column, const struct priority *unit,
    const void *prep)
{
	const struct pod_class *const *classes;
	size_t n = unit->counted(prep, &classes);

	if (n == column->nclasses && (n == 0 ||
		memcmp(classes, column->classes, n * sizeof(*classes)) == 0))
		return false;
	column->nclasses = 0;
	for (size_t i = 0; i < n; i++) {
		vec_room(column->classes, column->nclasses,
		    &column->classes_cap);
		column->classes[column->nclasses++] = classes[i];
	}
	return true;
}

static bool
update_counted(struct memo *memo, struct memo_class *m, struct cycle *cycle,
    const void **preps)
{
	const struct profile *profile = memo->profile;
	bool changed = false;

	for (size_t i = 0; i < profile->npriorities; i++) {
		const struct profile_priority *p = &profile->priorities[i];

		if (p->unit->counted == NULL)
			continue;
		preps[i] = p->unit->prepare(cycle, p->args);
		changed |= counts_change(&m->columns[i], p->unit, preps[i]);
	}
	return changed;
}

static void
update_changed_nodes(struct memo *memo, struct memo_class *m,
    struct cycle *cycle)
{
	const struct cluster *cluster = memo->cluster;

	for (; m->changes < cluster->nchanges; m->changes++) {
		uint32_t at = cluster->changes[m->changes % CLUSTER_CHANGES];

		update_node(m, cycle, at, true);
		regroup(memo, m, at);
	}
}

/* Topologies are valid until a node goes. */
static void
find_topologies(struct memo *memo, struct memo_class *m)
{
	for (size_t i = 0; i < memo->profile->npriorities; i++)
		if (m->columns[i].alike != SYM_EMPTY)
			m->columns[i].topology = cluster_topology(
			    memo->cluster, m->columns[i].alike);
}

static void
update(struct memo *memo, struct memo_class *m, struct cycle *cycle,
    const void **preps)
{
	const struct cluster *cluster = memo->cluster;
	bool recount = update_counted(memo, m, cycle, preps);
	bool afresh = m->layout != cluster->layout ||
	    m->nnodes != cluster->nnodes ||
	    cluster->nchanges - m->changes > CLUSTER_CHANGES;

	find_topologies(memo, m);
	if (!afresh && !recount && m->objects == cluster->objects) {
		update_changed_nodes(memo, m, cycle);
		if (m->ngroups > 64 && m->nempty > m->ngroups / 2)
			make_groups(memo, m);
		return;
	}
	update_all_nodes(memo, m, cycle);
	if (m->objects != cluster->objects || afresh)
		update_objects(memo, m, cycle);
	make_groups(memo, m);
	m->layout = cluster->layout;
	m->changes = cluster->nchanges;
	m->nnodes = cluster->nnodes;
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

const struct memo_class *
memo_class_of(struct memo *memo, struct cycle *cycle, const void **preps)
{
	struct memo_class *m;

	if (memo == NULL || !can_be_kept(memo, cycle))
		return NULL;
	m = map_get(&memo->classes, (uintptr_t)cycle->class);
	if (m == NULL) {
		while (memo->bytes > memo->max_bytes && memo->classes.n > 0)
			drop_least_recent(memo);
		m = class_new(memo, cycle->class);
		prepare(m, cycle);
	}
	m->used = ++memo->now;
	if (!m->unusable && cycle->nerrors == 0)
		update(memo, m, cycle, preps);
	if (cycle->nerrors > 0) {
		/* decide() will come across the errors itself */
		m->unusable = true;
		cycle->nerrors = 0;
	}
	return m->unusable ? NULL : m;
}
