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

/* A step fits into a byte of slot 0; profiles with more are not kept. */
#define STEPS_MAX 254

#define BYTES_LEAST ((size_t)96 << 20)
#define BYTES_PER_NODE ((size_t)4 << 10)

/* A group with one node takes about so many bytes. */
#define GROUP_BYTES 320

/* What a slot of a group's key says of a node, after the raw scores. */
struct slot {
	enum {
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
	size_t nraw, *raw_slots; /* raw scores in keys, after slot 0 */

	/* All nodes in order of their names' hashes, as of this layout. */
	uint64_t order_layout;
	uint32_t norder;
	size_t order_cap;
	uint32_t *order;

	/* Scratch: the slots of the class in hand that come after raw scores, a
	 * key, and the nodes that are to be placed anew. */
	size_t nslots, slots_cap;
	struct slot *slots;
	size_t key_cap;
	int64_t *key;
	struct why why;
	uint32_t ntodo;
	size_t todo_cap, marks_cap;
	uint32_t *todo;
	/* By node index: round when it is on the list, + 1 when it is to be
	 * evaluated again. */
	uint64_t round, *marks;
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

/* A READS_NODE unit that has something to say about the class. */
struct memo_check {
	size_t step;
	enum verdict (*check)(struct cycle *cycle,
	    const struct node_info *node, const void *prep, struct why *why);
	const void *prep;
};

struct memo_score {
	int64_t weight;
	size_t raw_slot; /* 0: a part of the total */
	int64_t (*score)(struct cycle *cycle, const struct node_info *node,
	    const void *prep);
	const void *prep;
};

static void
list_node_units(const struct memo *memo, struct memo_class *m)
{
	const struct profile *profile = memo->profile;

	m->checks = arena_array(&m->arena, struct memo_check,
	    profile->npredicates);
	for (size_t i = 0; i < profile->npredicates; i++)
		if (profile->predicates[i].unit->reads == READS_NODE &&
		    m->predicates[i].asks)
			m->checks[m->nchecks++] = (struct memo_check) { i,
				profile->predicates[i].unit->check,
				m->predicates[i].prep };
	m->scores = arena_array(&m->arena, struct memo_score,
	    profile->npriorities);
	for (size_t i = 0; i < profile->npriorities; i++)
		if (profile->priorities[i].unit->reads == READS_NODE &&
		    memo->weights[i] != 0)
			m->scores[m->nscores++] = (struct memo_score) {
				memo->weights[i], memo->raw_slots[i],
				profile->priorities[i].unit->score,
				m->priorities[i].prep };
}

/* Prepares the READS_NODE units for the class, in its own arena. */
static void
prepare(const struct memo *memo, struct memo_class *m, struct cycle *cycle)
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
	list_node_units(memo, m);
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

static int64_t
state_of(struct memo *memo, struct memo_class *m, struct cycle *cycle,
    uint32_t at)
{
	const struct node_info *node = cycle->cluster->nodes[at];
	const struct memo_check *c = m->checks;
	enum verdict verdict = FITS;
	size_t refusal;

	memo->why.n = 0;
	for (size_t i = 0; i < m->nchecks; i++, c++) {
		verdict = c->check(cycle, node, c->prep, &memo->why);
		if (verdict != FITS)
			break;
	}
	if (verdict == FITS)
		return 0;
	refusal = refusal_of(m, verdict, &memo->why);
	m->unusable |= verdict == BROKEN;
	return (int64_t)(c->step + 1) | (int64_t)refusal << 8;
}

/* What READS_NODE units say goes to the key; returns the total. */
static int32_t
evaluate(struct memo *memo, struct memo_class *m, struct cycle *cycle,
    uint32_t at)
{
	const struct node_info *node = cycle->cluster->nodes[at];
	int64_t total = m->objects_total[at], score;

	memo->key[0] = state_of(memo, m, cycle, at);
	if (memo->key[0] != 0) {
		memset(&memo->key[1], 0, memo->nraw * sizeof(*memo->key));
		return 0;
	}
	for (size_t i = 0; i < m->nscores; i++) {
		const struct memo_score *s = &m->scores[i];

		score = s->score(cycle, node, s->prep);
		if (s->raw_slot != 0)
			memo->key[s->raw_slot] = score;
		else
			total = wrap_add(total, wrap_mul(s->weight, score));
	}
	m->unusable |= total != (int32_t)total;
	return (int32_t)total;
}

/* The same of a node that has not changed. */
static int32_t
recall(struct memo *memo, const struct memo_groups *groups, uint32_t at)
{
	memcpy(memo->key, groups->at[groups->of[at]]->key,
	    (1 + memo->nraw) * sizeof(*memo->key));
	return groups->total[at];
}

/* Puts the node on the list of those to be placed anew. */
static void
put_todo(struct memo *memo, uint32_t at, bool changed)
{
	if (memo->marks[at] < memo->round) {
		memo->marks[at] = memo->round;
		vec_room(memo->todo, memo->ntodo, &memo->todo_cap);
		memo->todo[memo->ntodo++] = at;
	}
	if (changed)
		memo->marks[at] = memo->round + 1;
}

static void
begin_todo(struct memo *memo, struct cycle *cycle)
{
	size_t cap = memo->marks_cap;

	while (memo->marks_cap < memo->cluster->nnodes)
		vec_room(memo->marks, memo->marks_cap, &memo->marks_cap);
	for (; cap < memo->marks_cap; cap++)
		memo->marks[cap] = 0;
	memo->ntodo = 0;
	memo->round += 2;
	memo->why = (struct why) { .arena = cycle->arena };
}

static void
put_changes_todo(struct memo *memo, const struct memo_class *m)
{
	const struct cluster *cluster = memo->cluster;

	for (uint64_t i = m->changes; i < cluster->nchanges; i++)
		put_todo(memo, cluster->changes[i % cluster->changes_cap].node,
		    true);
}

static void
update_objects(struct memo *memo, struct memo_class *m, struct cycle *cycle)
{
	const struct cluster *cluster = memo->cluster;
	const struct profile *profile = memo->profile;
	uint32_t n = cluster->nnodes;
	AUTOFREE int64_t *totals = xcalloc(n, sizeof(*totals));

	for (size_t i = 0; i < profile->npriorities; i++) {
		const struct profile_priority *p = &profile->priorities[i];
		const void *prep = p->args;

		if (p->unit->reads != READS_OBJECTS || memo->weights[i] == 0)
			continue;
		if (p->unit->prepare != NULL)
			prep = p->unit->prepare(cycle, p->args);
		for (uint32_t j = 0; j < n; j++)
			totals[j] = wrap_add(totals[j],
			    wrap_mul(memo->weights[i],
				p->unit->score(cycle, cluster->nodes[j],
				    prep)));
	}
	m->objects_total = xrealloc(m->objects_total, n,
	    sizeof(*m->objects_total));
	for (uint32_t i = 0; i < n; i++) {
		m->unusable |= totals[i] != (int32_t)totals[i];
		if (m->nnodes != n || m->objects_total[i] != totals[i])
			put_todo(memo, i, true);
		m->objects_total[i] = (int32_t)totals[i];
	}
}

/* Units that follow */

static bool
is_stale(const struct memo_unit *unit, const struct following *following,
    struct cycle *cycle)
{
	return following != NULL && unit->kept && following->stale != NULL &&
	    following->stale(cycle, (void *)unit->prep);
}

static bool
any_is_stale(const struct memo *memo, const struct memo_class *m,
    struct cycle *cycle)
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
				put_todo(memo, j, false);
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
count_topologies(const struct memo_unit *unit, const struct following *following)
{
	size_t n = 0;

	if (following != NULL && unit->kept && following->topology != NULL)
		while (following->topology(unit->prep, n) != NULL)
			n++;
	return n;
}

/* Whether units tell nodes apart by more topologies than they did. */
static bool
topologies_change(const struct memo *memo, const struct memo_class *m)
{
	const struct profile *profile = memo->profile;

	for (size_t i = 0; i < profile->npredicates; i++)
		if (count_topologies(&m->predicates[i],
			predicate_following(memo, i)) !=
		    m->predicates[i].ntopologies)
			return true;
	for (size_t i = 0; i < profile->npriorities; i++)
		if (count_topologies(&m->priorities[i],
			priority_following(memo, i)) !=
		    m->priorities[i].ntopologies)
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

	if (following == NULL || !unit->kept || following->topology == NULL)
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
add_alike_slots(struct memo *memo, size_t step)
{
	const struct profile_predicate *p = &memo->profile->predicates[step];
	const sym *keys = NULL;
	size_t n = p->unit->alike != NULL ? p->unit->alike(p->args, &keys) : 0;

	for (size_t i = 0; i < n; i++)
		add_domain_slot(memo, cluster_topology(memo->cluster, keys[i]),
		    step);
}

static void
find_slots(struct memo *memo, const struct memo_class *m)
{
	const struct profile *profile = memo->profile;
	size_t none = profile->npredicates;

	memo->nslots = 0;
	for (size_t i = 0; i < profile->npredicates; i++) {
		add_alike_slots(memo, i);
		add_unit_slots(memo, &m->predicates[i],
		    predicate_following(memo, i),
		    (struct slot) { .what = SLOT_PREDICATE_TRAIT, .unit = i,
			.step = i });
	}
	for (size_t i = 0; i < profile->npriorities; i++) {
		const struct profile_priority *p = &profile->priorities[i];

		if (memo->weights[i] == 0)
			continue;
		add_unit_slots(memo, &m->priorities[i],
		    priority_following(memo, i),
		    (struct slot) { .what = SLOT_PRIORITY_TRAIT, .unit = i,
			.step = none });
		if (p->unit->alike != NULL)
			add_domain_slot(memo, cluster_topology(memo->cluster,
			    p->unit->alike(p->args)), none);
	}
	while (memo->key_cap < 1 + memo->nraw + memo->nslots)
		vec_room(memo->key, memo->key_cap, &memo->key_cap);
}

static int64_t
slot_value(const struct memo *memo, const struct memo_class *m,
    const struct slot *slot, uint32_t at)
{
	switch (slot->what) {
	case SLOT_PREDICATE_TRAIT:
		return predicate_following(memo, slot->unit)->trait(
		    m->predicates[slot->unit].prep, at);
	case SLOT_PRIORITY_TRAIT:
		return priority_following(memo, slot->unit)->trait(
		    m->priorities[slot->unit].prep, at);
	case SLOT_DOMAIN:
		return slot->topology->domain_of[at];
	}
	return 0;
}

/* The rest of the key, after what evaluate() or recall() put there. */
static void
finish_key(struct memo *memo, const struct memo_class *m, uint32_t at)
{
	uint8_t fails_at = memo_fails_at(memo->key[0]);
	int64_t *key = &memo->key[1 + memo->nraw];

	for (size_t i = 0; i < memo->nslots; i++)
		key[i] = fails_at == 0 || memo->slots[i].step + 1 < fails_at ?
		    slot_value(memo, m, &memo->slots[i], at) : 0;
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

static void
remember_topologies(const struct memo *memo, struct memo_class *m)
{
	const struct profile *profile = memo->profile;

	for (size_t i = 0; i < profile->npredicates; i++)
		m->predicates[i].ntopologies = count_topologies(
		    &m->predicates[i], predicate_following(memo, i));
	for (size_t i = 0; i < profile->npriorities; i++)
		m->priorities[i].ntopologies = count_topologies(
		    &m->priorities[i], priority_following(memo, i));
}

/* Where nodes are many most of the time goes into waiting for them. */
static void
prefetch(const struct cluster *cluster, uint32_t at)
{
	const char *info, *node;

	if (at + 16 >= cluster->nnodes)
		return;
	info = (const char *)cluster->nodes[at + 16];
	for (size_t i = 0; i < sizeof(struct node_info); i += 64)
		__builtin_prefetch(info + i);
	node = (const char *)cluster->nodes[at + 8]->node;
	for (size_t i = 0; i < sizeof(struct node); i += 64)
		__builtin_prefetch(node + i);
}

/* All groups anew; of nodes that have changed, or of all, READS_NODE units are
 * asked again. */
static void
make_groups(struct memo *memo, struct memo_class *m, struct cycle *cycle,
    bool all)
{
	struct memo_groups before = m->groups;
	uint32_t n = memo->cluster->nnodes;
	int32_t total;

	remember_topologies(memo, m);
	memo_groups_init(&m->groups, 1 + memo->nraw + memo->nslots, n);
	for (uint32_t i = 0; i < n; i++) {
		if (all)
			prefetch(memo->cluster, i);
		total = all || memo->marks[i] > memo->round ||
			before.of[i] == MEMO_GROUP_NONE ?
		    evaluate(memo, m, cycle, i) : recall(memo, &before, i);
		finish_key(memo, m, i);
		memo_groups_assign(&m->groups, i, memo->key, total);
	}
	sort_nodes(memo);
	memo_groups_fill(&m->groups, memo->order, n);
	memo_groups_fini(&before);
}

static void
place_todo(struct memo *memo, struct memo_class *m, struct cycle *cycle)
{
	struct memo_groups *groups = &m->groups;
	int32_t total;

	for (uint32_t i = 0; i < memo->ntodo; i++) {
		uint32_t at = memo->todo[i];

		total = memo->marks[at] > memo->round ?
		    evaluate(memo, m, cycle, at) : recall(memo, groups, at);
		finish_key(memo, m, at);
		memo_groups_place(groups, memo->cluster, at, memo->key, total);
	}
}

void
memo_set_apart(struct memo *memo, struct memo_class *m, uint32_t at)
{
	memo_groups_leave(&m->groups, memo->cluster, at);
	vec_room(m->apart, m->napart, &m->apart_cap);
	m->apart[m->napart++] = at;
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
	    any_is_stale(memo, m, cycle);

	begin_todo(memo, cycle);
	for (uint32_t i = 0; !afresh && i < m->napart; i++)
		put_todo(memo, m->apart[i], true);
	m->napart = 0;
	if (!afresh)
		put_changes_todo(memo, m);
	restart = restart || !follow_all(memo, m, cycle);
	if (restart)
		start_all(memo, m, cycle);
	if (afresh || m->objects != cluster->objects)
		update_objects(memo, m, cycle);
	find_slots(memo, m);
	if (restart || topologies_change(memo, m) ||
	    memo->ntodo > cluster->nnodes / 8 + 64)
		make_groups(memo, m, cycle, afresh);
	else
		place_todo(memo, m, cycle);
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
		prepare(memo, m, cycle);
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
