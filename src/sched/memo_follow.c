#include "config.h"

#include "sched/memo_internal.h"

#include "cluster/index.h"
#include "sched/cycle.h"
#include "sched/profile.h"

const struct following *
memo_predicate_following(const struct memo *memo, size_t i)
{
	const struct predicate *unit = memo->profile->predicates[i].unit;

	return unit->reads == READS_CLUSTER ? unit->following : NULL;
}

const struct following *
memo_priority_following(const struct memo *memo, size_t i)
{
	const struct priority *unit = memo->profile->priorities[i].unit;

	return unit->reads == READS_CLUSTER && memo->weights[i] != 0 ?
	    unit->following : NULL;
}

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
		if (is_stale(&m->predicates[i], memo_predicate_following(memo, i),
			cycle))
			return true;
	for (size_t i = 0; i < memo->profile->npriorities; i++)
		if (is_stale(&m->priorities[i], memo_priority_following(memo, i),
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
		start(m, &m->predicates[i], memo_predicate_following(memo, i),
		    cycle, profile->predicates[i].args);
	for (size_t i = 0; i < profile->npriorities; i++)
		start(m, &m->priorities[i], memo_priority_following(memo, i), cycle,
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
				memo_put_todo(memo, j);
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
	for (uint64_t n = m->seen.changes; followed && n < cluster->nchanges; n++) {
		const struct cluster_change *change =
		    &cluster->changes[n % cluster->changes_cap];

		if (change->class == NULL)
			continue;
		for (size_t i = 0; followed && i < profile->npredicates; i++)
			followed = follow(memo, &m->predicates[i],
			    memo_predicate_following(memo, i), cycle, change);
		for (size_t i = 0; followed && i < profile->npriorities; i++)
			followed = follow(memo, &m->priorities[i],
			    memo_priority_following(memo, i), cycle, change);
	}
	cycle->arena = arena;
	return followed;
}

bool
memo_follow(struct memo *memo, struct memo_class *m, struct cycle *cycle)
{
	if (memo_is_recent(memo, &m->seen) && !m->lost &&
	    m->seen.labels == memo->cluster->labels &&
	    !any_is_stale(memo, m, cycle) && follow_all(memo, m, cycle))
		return false;
	start_all(memo, m, cycle);
	return true;
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

size_t
memo_count_topologies(const struct memo *memo, const struct memo_class *m)
{
	const struct profile *profile = memo->profile;
	size_t n = 0;

	for (size_t i = 0; i < profile->npredicates; i++)
		n += count_topologies(&m->predicates[i],
		    memo_predicate_following(memo, i));
	for (size_t i = 0; i < profile->npriorities; i++)
		n += count_topologies(&m->priorities[i],
		    memo_priority_following(memo, i));
	return n;
}
