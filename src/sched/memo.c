#include "config.h"

#include "sched/memo.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/map.h"
#include "base/xmalloc.h"
#include "cluster/index.h"
#include "sched/cycle.h"
#include "sched/following.h"
#include "sched/outlook.h"
#include "sched/profile.h"

/* fails_at and refusal are small integers; a profile or a class beyond them is
 * not kept. */
#define STEPS_MAX 254
#define REFUSALS_MAX UINT16_MAX

/* More groups than this part of the nodes do not pay. */
#define SCATTERED 4

/* What a slot of a group's key says of a node. */
struct slot {
	enum {
		SLOT_RAW,	      /* the priority's raw score */
		SLOT_PREDICATE_TRAIT, /* trait() of what follows */
		SLOT_PRIORITY_TRAIT,
		SLOT_DOMAIN, /* in the topology */
	} what;
	size_t unit; /* step or priority */
	const struct topology *topology;
	/* The first step that looks at it; npredicates when none does: only
	 * nodes that come so far differ by it. */
	size_t step;
};

struct memo {
	struct cluster *cluster;
	const struct profile *profile;
	size_t max_bytes, bytes;
	uint64_t now;	    /* counts uses */
	struct map classes; /* class pointer -> struct memo_class */
	struct outlooks *outlooks;
	int64_t *weights;

	/* All nodes in order of their names' hashes, as of this layout. */
	uint64_t order_layout;
	uint32_t norder;
	size_t order_cap;
	uint32_t *order;

	/* Scratch: the slots of the class in hand (slot i is i + 1 in keys), a
	 * key, and the nodes that are to be placed anew. */
	size_t nslots, slots_cap;
	struct slot *slots;
	size_t key_cap;
	int64_t *key;
	uint32_t ntodo;
	size_t todo_cap, marks_cap;
	uint32_t *todo;
	uint64_t round, *marks; /* by node index: the round it was put there */
};

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

struct memo *
memo_new(struct cluster *cluster, const struct profile *profile,
    size_t max_bytes)
{
	struct memo *memo = xcalloc(1, sizeof(*memo));

	memo->cluster = cluster;
	memo->profile = profile;
	memo->max_bytes = max_bytes - max_bytes / 4;
	memo->outlooks = outlooks_new(max_bytes / 4);
	memo->weights = sum_weights(profile);
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

const int64_t *
memo_weights(const struct memo *memo)
{
	return memo->weights;
}

static bool
keeps_raw(const struct memo *memo, size_t i)
{
	const struct priority *unit = memo->profile->priorities[i].unit;

	return unit->reduce != NULL && unit->reads == READS_NODE &&
	    memo->weights[i] != 0;
}

/* The unit's way to follow; NULL when it has none or need not. */
static const struct following *
predicate_following(const struct memo *memo, size_t i)
{
	const struct predicate *unit = memo->profile->predicates[i].unit;

	return unit->reads == READS_CLUSTER ? unit->following : NULL;
}

static const struct following *
priority_following(const struct memo *memo, size_t i)
{
	const struct priority *unit = memo->profile->priorities[i].unit;

	return unit->reads == READS_CLUSTER && memo->weights[i] != 0 ?
	    unit->following : NULL;
}

static size_t
bytes_per_node(const struct memo *memo)
{
	/* fails_at, refusal, totals, the groups' of and total, its bucket */
	size_t bytes = sizeof(uint8_t) + sizeof(uint16_t) +
	    3 * sizeof(int64_t) + 2 * sizeof(uint32_t);

	for (size_t i = 0; i < memo->profile->npriorities; i++)
		if (keeps_raw(memo, i))
			bytes += sizeof(int64_t);
	return bytes;
}

/* The class has grown, or will be no more. */
static void
account(struct memo *memo, struct memo_class *m, size_t bytes)
{
	memo->bytes += bytes - m->bytes;
	m->bytes = bytes;
}

/* Classes */

static void
class_free(struct memo *memo, struct memo_class *m)
{
	account(memo, m, 0);
	for (size_t i = 0; i < memo->profile->npriorities; i++)
		free(m->raw[i]);
	memo_groups_fini(&m->groups);
	free(m->fails_at);
	free(m->refusal);
	free(m->node_total);
	free(m->objects_total);
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
	m->raw = arena_array(&m->arena, int64_t *, profile->npriorities);
	m->predicates = arena_array(&m->arena, struct memo_unit,
	    profile->npredicates);
	m->priorities = arena_array(&m->arena, struct memo_unit,
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
		struct memo_unit *unit = &m->predicates[i];

		if (p->unit->reads != READS_NODE)
			continue;
		unit->kept = true;
		unit->prep = p->unit->prepare != NULL ?
		    p->unit->prepare(cycle, p->args) : p->args;
		unit->asks = p->unit->prepare == NULL || unit->prep != NULL;
	}
	for (size_t i = 0; i < profile->npriorities; i++) {
		const struct profile_priority *p = &profile->priorities[i];
		struct memo_unit *unit = &m->priorities[i];

		if (p->unit->reads != READS_NODE)
			continue;
		unit->kept = true;
		unit->prep = p->unit->prepare != NULL ?
		    p->unit->prepare(cycle, p->args) : p->args;
	}
	cycle->arena = arena;
}

static void
make_room(struct memo *memo, struct memo_class *m, uint32_t nnodes)
{
	uint32_t cap = nnodes + nnodes / 16 + 8;

	if (nnodes <= m->cap)
		return;
#define ROOM(array) (array) = xrealloc((array), cap, sizeof(*(array)))
	ROOM(m->fails_at);
	ROOM(m->refusal);
	ROOM(m->node_total);
	ROOM(m->objects_total);
	ROOM(m->groups.of);
	ROOM(m->groups.total);
	for (size_t i = 0; i < memo->profile->npriorities; i++)
		if (keeps_raw(memo, i))
			ROOM(m->raw[i]);
#undef ROOM
	m->cap = cap;
}

/* Rules that read the node alone */

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
		const struct predicate *unit = profile->predicates[i].unit;

		if (unit->reads != READS_NODE || !m->predicates[i].asks)
			continue;
		verdict = unit->check(cycle, cycle->cluster->nodes[at],
		    m->predicates[i].prep, &why);
		if (verdict == FITS)
			continue;
		refusal = refusal_of(m, verdict, &why);
		m->unusable |= verdict == BROKEN || refusal >= REFUSALS_MAX;
		m->fails_at[at] = (uint8_t)(i + 1);
		m->refusal[at] = (uint16_t)refusal;
		return;
	}
}

static void
score_node_only(const struct memo *memo, struct memo_class *m,
    struct cycle *cycle, uint32_t at)
{
	const struct profile *profile = cycle->profile;
	const struct node_info *node = cycle->cluster->nodes[at];
	int64_t total = 0, score;

	for (size_t i = 0; i < profile->npriorities; i++) {
		const struct priority *unit = profile->priorities[i].unit;

		if (unit->reads != READS_NODE || memo->weights[i] == 0)
			continue;
		score = unit->score(cycle, node, m->priorities[i].prep);
		if (m->raw[i] != NULL)
			m->raw[i][at] = score;
		else
			total = wrap_add(total,
			    wrap_mul(memo->weights[i], score));
	}
	m->node_total[at] = total;
}

/* Puts the node on the list of those to be placed anew; false when it is there. */
static bool
put_todo(struct memo *memo, uint32_t at)
{
	if (memo->marks[at] == memo->round)
		return false;
	memo->marks[at] = memo->round;
	vec_room(memo->todo, memo->ntodo, &memo->todo_cap);
	memo->todo[memo->ntodo++] = at;
	return true;
}

static void
begin_todo(struct memo *memo)
{
	size_t cap = memo->marks_cap;

	while (memo->marks_cap < memo->cluster->nnodes)
		vec_room(memo->marks, memo->marks_cap, &memo->marks_cap);
	for (; cap < memo->marks_cap; cap++)
		memo->marks[cap] = 0;
	memo->ntodo = 0;
	memo->round++;
}

static void
update_nodes(struct memo *memo, struct memo_class *m, struct cycle *cycle,
    bool all)
{
	const struct cluster *cluster = memo->cluster;

	for (uint32_t i = 0; all && i < cluster->nnodes; i++) {
		filter_node_only(m, cycle, i);
		score_node_only(memo, m, cycle, i);
	}
	for (uint64_t i = m->changes; !all && i < cluster->nchanges; i++) {
		uint32_t at = cluster->changes[i % cluster->changes_cap].node;

		if (!put_todo(memo, at))
			continue;
		filter_node_only(m, cycle, at);
		score_node_only(memo, m, cycle, at);
	}
}

static void
update_objects(struct memo *memo, struct memo_class *m, struct cycle *cycle)
{
	const struct cluster *cluster = memo->cluster;
	const struct profile *profile = memo->profile;
	AUTOFREE int64_t *before =
	    xcalloc(cluster->nnodes, sizeof(*before));

	for (uint32_t i = 0; i < cluster->nnodes; i++) {
		before[i] = m->objects_total[i];
		m->objects_total[i] = 0;
	}
	for (size_t i = 0; i < profile->npriorities; i++) {
		const struct profile_priority *p = &profile->priorities[i];
		const void *prep = p->args;

		if (p->unit->reads != READS_OBJECTS || memo->weights[i] == 0)
			continue;
		if (p->unit->prepare != NULL)
			prep = p->unit->prepare(cycle, p->args);
		for (uint32_t j = 0; j < cluster->nnodes; j++)
			m->objects_total[j] = wrap_add(m->objects_total[j],
			    wrap_mul(memo->weights[i],
				p->unit->score(cycle, cluster->nodes[j],
				    prep)));
	}
	for (uint32_t i = 0; i < cluster->nnodes; i++)
		if (m->objects_total[i] != before[i])
			put_todo(memo, i);
}

/* Units that follow */

static bool
is_stale(const struct memo_unit *unit, const struct following *following,
    const struct cycle *cycle)
{
	return following != NULL && unit->kept && following->stale != NULL &&
	    following->stale(cycle, unit->prep);
}

static bool
any_is_stale(const struct memo *memo, const struct memo_class *m,
    const struct cycle *cycle)
{
	for (size_t i = 0; i < memo->profile->npredicates; i++)
		if (is_stale(&m->predicates[i], predicate_following(memo, i),
			cycle))
			return true;
	for (size_t i = 0; i < memo->profile->npriorities; i++)
		if (is_stale(&m->priorities[i], priority_following(memo, i),
			cycle))
			return true;
	return false;
}

static void
start(struct memo_class *m, struct memo_unit *unit,
    const struct following *following, struct cycle *cycle, const void *args)
{
	if (following == NULL)
		return;
	unit->prep = following->start(cycle, args);
	unit->kept = unit->prep != NULL;
	m->lost |= unit->prep == NULL;
}

static void
start_all(const struct memo *memo, struct memo_class *m, struct cycle *cycle)
{
	const struct profile *profile = memo->profile;
	struct arena *arena = cycle->arena;

	arena_reset(&m->followers);
	cycle->arena = &m->followers;
	m->lost = false;
	for (size_t i = 0; i < profile->npredicates; i++)
		start(m, &m->predicates[i], predicate_following(memo, i),
		    cycle, profile->predicates[i].args);
	for (size_t i = 0; i < profile->npriorities; i++)
		start(m, &m->priorities[i], priority_following(memo, i), cycle,
		    profile->priorities[i].args);
	cycle->arena = arena;
}

/* All nodes in the node's domain of the unit's fine topologies are to be placed
 * anew; the node itself is on the list already. */
static void
put_domains_todo(struct memo *memo, const struct following *following,
    const void *prep, const struct node_info *node)
{
	const struct topology *t;

	for (size_t i = 0; (t = following->topology(prep, i)) != NULL; i++) {
		uint32_t domain = topology_domain(t, node);

		if (!t->fine || domain == DOMAIN_NONE || t->nnodes[domain] == 1)
			continue;
		for (uint32_t j = 0; j < memo->cluster->nnodes; j++)
			if (t->domain_of[j] == domain)
				put_todo(memo, j);
	}
}

/* False when it could not. */
static bool
follow(struct memo *memo, struct memo_unit *unit,
    const struct following *following, struct cycle *cycle,
    const struct cluster_change *change)
{
	const struct node_info *node = memo->cluster->nodes[change->node];

	if (following == NULL)
		return true;
	switch (following->follow(cycle, (void *)unit->prep, node,
	    change->class, change->sign)) {
	case FOLLOWED_NOTHING:
		break;
	case FOLLOWED:
		if (following->topology != NULL)
			put_domains_todo(memo, following, unit->prep, node);
		break;
	case FOLLOWED_NO_MORE:
		return false;
	}
	return true;
}

static bool
follow_all(struct memo *memo, struct memo_class *m, struct cycle *cycle)
{
	const struct cluster *cluster = memo->cluster;
	const struct profile *profile = memo->profile;
	struct arena *arena = cycle->arena;
	bool followed = true;

	cycle->arena = &m->followers;
	for (uint64_t n = m->changes; followed && n < cluster->nchanges; n++) {
		const struct cluster_change *change =
		    &cluster->changes[n % cluster->changes_cap];

		if (change->class == NULL)
			continue;
		for (size_t i = 0; followed && i < profile->npredicates; i++)
			followed = follow(memo, &m->predicates[i],
			    predicate_following(memo, i), cycle, change);
		for (size_t i = 0; followed && i < profile->npriorities; i++)
			followed = follow(memo, &m->priorities[i],
			    priority_following(memo, i), cycle, change);
	}
	cycle->arena = arena;
	return followed;
}

static size_t
count_topologies(const struct following *following, const void *prep)
{
	size_t n = 0;

	if (following != NULL && following->topology != NULL)
		while (following->topology(prep, n) != NULL)
			n++;
	return n;
}

/* Whether units tell nodes apart by more topologies than they did. */
static bool
topologies_change(const struct memo *memo, const struct memo_class *m)
{
	const struct profile *profile = memo->profile;

	for (size_t i = 0; i < profile->npredicates; i++)
		if (count_topologies(predicate_following(memo, i),
			m->predicates[i].prep) != m->predicates[i].ntopologies)
			return true;
	for (size_t i = 0; i < profile->npriorities; i++)
		if (count_topologies(priority_following(memo, i),
			m->priorities[i].prep) != m->priorities[i].ntopologies)
			return true;
	return false;
}

/* Groups */

static void
add_slot(struct memo *memo, struct slot slot)
{
	vec_room(memo->slots, memo->nslots, &memo->slots_cap);
	memo->slots[memo->nslots++] = slot;
}

static void
add_domain_slot(struct memo *memo, const struct topology *topology, size_t step)
{
	for (size_t i = 0; i < memo->nslots; i++) {
		struct slot *slot = &memo->slots[i];

		if (slot->topology != topology)
			continue;
		if (slot->step > step)
			slot->step = step;
		return;
	}
	add_slot(memo, (struct slot) { .what = SLOT_DOMAIN,
	    .topology = topology, .step = step });
}

/* The domains and the trait by which a unit tells nodes apart. */
static void
add_unit_slots(struct memo *memo, const struct memo_unit *unit,
    const struct following *following, struct slot trait)
{
	const struct topology *t;
	bool fine = false;

	if (following == NULL || following->topology == NULL)
		return;
	for (size_t i = 0; (t = following->topology(unit->prep, i)) != NULL;
	     i++) {
		fine |= t->fine;
		if (!t->fine)
			add_domain_slot(memo, t, trait.step);
	}
	if (fine)
		add_slot(memo, trait);
}

static void
find_slots(struct memo *memo, const struct memo_class *m)
{
	const struct profile *profile = memo->profile;
	size_t none = profile->npredicates;

	memo->nslots = 0;
	for (size_t i = 0; i < profile->npredicates; i++)
		add_unit_slots(memo, &m->predicates[i],
		    predicate_following(memo, i),
		    (struct slot) { .what = SLOT_PREDICATE_TRAIT, .unit = i,
			.step = i });
	for (size_t i = 0; i < profile->npriorities; i++) {
		const struct profile_priority *p = &profile->priorities[i];

		if (memo->weights[i] == 0)
			continue;
		if (m->raw[i] != NULL)
			add_slot(memo, (struct slot) { .what = SLOT_RAW,
			    .unit = i, .step = none });
		add_unit_slots(memo, &m->priorities[i],
		    priority_following(memo, i),
		    (struct slot) { .what = SLOT_PRIORITY_TRAIT, .unit = i,
			.step = none });
		if (p->unit->alike != NULL)
			add_domain_slot(memo, cluster_topology(memo->cluster,
			    p->unit->alike(p->args)), none);
	}
	while (memo->key_cap < memo->nslots + 1)
		vec_room(memo->key, memo->key_cap, &memo->key_cap);
}

static int64_t
slot_value(const struct memo *memo, const struct memo_class *m,
    const struct slot *slot, uint32_t at)
{
	const struct node_info *node = memo->cluster->nodes[at];

	switch (slot->what) {
	case SLOT_RAW:
		return m->raw[slot->unit][at];
	case SLOT_PREDICATE_TRAIT:
		return predicate_following(memo, slot->unit)->trait(
		    m->predicates[slot->unit].prep, node);
	case SLOT_PRIORITY_TRAIT:
		return priority_following(memo, slot->unit)->trait(
		    m->priorities[slot->unit].prep, node);
	case SLOT_DOMAIN:
		return slot->topology->domain_of[at];
	}
	return 0;
}

/* Puts the node where it belongs; the slots are the class's. */
static void
place(struct memo *memo, struct memo_class *m, uint32_t at)
{
	size_t steps = memo->profile->npredicates;
	int64_t total = 0;

	memo->key[0] = 0;
	if (m->fails_at[at] == 0) {
		total = wrap_add(m->node_total[at], m->objects_total[at]);
	} else {
		memo->key[0] = m->fails_at[at] | (int64_t)m->refusal[at] << 8;
		steps = m->fails_at[at] - 1u;
	}
	for (size_t i = 0; i < memo->nslots; i++)
		memo->key[i + 1] =
		    m->fails_at[at] == 0 || memo->slots[i].step < steps ?
		    slot_value(memo, m, &memo->slots[i], at) : 0;
	memo_groups_place(&m->groups, memo->cluster, at, memo->key, total);
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
sort_nodes(struct memo *memo)
{
	const struct cluster *cluster = memo->cluster;

	if (memo->order_layout == cluster->layout &&
	    memo->norder == cluster->nnodes)
		return;
	memo->norder = 0;
	while (memo->norder < cluster->nnodes) {
		vec_room(memo->order, memo->norder, &memo->order_cap);
		memo->order[memo->norder] = memo->norder;
		memo->norder++;
	}
	sorting.cluster = cluster;
	if (memo->norder > 0)
		qsort(memo->order, memo->norder, sizeof(*memo->order), by_hash);
	memo->order_layout = cluster->layout;
}

static bool
is_scattered(const struct memo *memo, const struct memo_class *m)
{
	return memo_groups_count(&m->groups) >
	    memo->cluster->nnodes / SCATTERED + 64;
}

static void
scatter(const struct memo *memo, struct memo_class *m)
{
	memo_groups_reset(&m->groups, 0, 0);
	m->grouped = false;
	m->scattered = true;
	m->scattered_at = memo->cluster->nchanges;
}

/* All groups anew. */
static void
make_groups(struct memo *memo, struct memo_class *m)
{
	const struct profile *profile = memo->profile;

	for (size_t i = 0; i < profile->npredicates; i++)
		m->predicates[i].ntopologies = count_topologies(
		    predicate_following(memo, i), m->predicates[i].prep);
	for (size_t i = 0; i < profile->npriorities; i++)
		m->priorities[i].ntopologies = count_topologies(
		    priority_following(memo, i), m->priorities[i].prep);
	sort_nodes(memo);
	memo_groups_reset(&m->groups, memo->nslots + 1, memo->norder);
	m->grouped = true;
	m->scattered = false;
	for (uint32_t i = 0; i < memo->norder && m->grouped; i++) {
		place(memo, m, memo->order[i]);
		if (is_scattered(memo, m))
			scatter(memo, m);
	}
}

void
memo_set_apart(struct memo *memo, struct memo_class *m, uint32_t at)
{
	struct memo_groups *groups = &m->groups;

	memo_groups_leave(groups, memo->cluster, at);
	vec_room(groups->apart, groups->napart, &groups->apart_cap);
	groups->apart[groups->napart++] = at;
}

static void
update_groups(struct memo *memo, struct memo_class *m, bool all)
{
	if (m->scattered &&
	    memo->cluster->nchanges - m->scattered_at < memo->cluster->nnodes)
		return;
	find_slots(memo, m);
	if (all || !m->grouped || topologies_change(memo, m)) {
		make_groups(memo, m);
		return;
	}
	for (uint32_t i = 0; i < m->groups.napart; i++)
		put_todo(memo, m->groups.apart[i]);
	m->groups.napart = 0;
	for (uint32_t i = 0; i < memo->ntodo; i++)
		place(memo, m, memo->todo[i]);
	if (is_scattered(memo, m))
		scatter(memo, m);
}

static void
update(struct memo *memo, struct memo_class *m, struct cycle *cycle, bool group)
{
	const struct cluster *cluster = memo->cluster;
	bool afresh = m->layout != cluster->layout ||
	    m->nnodes != cluster->nnodes ||
	    cluster->nchanges - m->changes > cluster->changes_cap;
	bool restart = afresh || m->lost || m->labels != cluster->labels ||
	    any_is_stale(memo, m, cycle);

	make_room(memo, m, cluster->nnodes);
	begin_todo(memo);
	for (uint32_t i = 0; afresh && i < cluster->nnodes; i++)
		m->objects_total[i] = 0;
	update_nodes(memo, m, cycle, afresh);
	restart = restart || !follow_all(memo, m, cycle);
	if (restart)
		start_all(memo, m, cycle);
	if (afresh || m->objects != cluster->objects)
		update_objects(memo, m, cycle);
	if (group && !m->lost)
		update_groups(memo, m, restart);
	else
		m->grouped = false;
	if (restart)
		account(memo, m, sizeof(*m) + m->cap * bytes_per_node(memo) +
		    arena_used(&m->arena) + arena_used(&m->followers));
	m->layout = cluster->layout;
	m->changes = cluster->nchanges;
	m->nnodes = cluster->nnodes;
	m->objects = cluster->objects;
	m->labels = cluster->labels;
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
memo_class_of(struct memo *memo, struct cycle *cycle, bool group)
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
		update(memo, m, cycle, group);
	if (cycle->nerrors > 0) {
		/* decide() will come across the errors itself */
		m->unusable = true;
		cycle->nerrors = 0;
	}
	return m->unusable ? NULL : m;
}
