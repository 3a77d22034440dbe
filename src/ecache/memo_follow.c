#include "config.h"

#include "ecache/memo_internal.h"

#include "base/xmalloc.h"
#include "cluster/index.h"
#include "framework/cycle.h"
#include "framework/profile.h"

/* To follow so many changes costs about as much as preps that have nothing to
 * say. */
#define FOLLOW_MOST 64

static void
add_follower(struct memo *memo, const struct following *following,
    const void *args, size_t unit, size_t step)
{
	if (following == NULL)
		return;
	vec_room(memo->followers, memo->nfollowers, &memo->followers_cap);
	memo->followers[memo->nfollowers++] =
	    (struct memo_follower){ following, args, unit, step };
}

void
memo_find_followers(struct memo *memo)
{
	const struct profile *profile = memo->profile;
	size_t npredicates = profile->npredicates;

	for (size_t i = 0; i < npredicates; i++) {
		const struct profile_predicate *p = &profile->predicates[i];

		if (p->unit->reads == READS_CLUSTER)
			add_follower(memo, p->unit->following, p->args, i, i);
	}
	for (size_t i = 0; i < profile->npriorities; i++) {
		const struct profile_priority *p = &profile->priorities[i];

		if (p->unit->reads == READS_CLUSTER && memo->weights[i] != 0)
			add_follower(memo, p->unit->following, p->args,
			    npredicates + i, npredicates);
	}
}

static bool
any_is_stale(const struct memo *memo, const struct memo_class *m,
    struct cycle *cycle)
{
	for (size_t i = 0; i < memo->nfollowers; i++) {
		const struct memo_follower *f = &memo->followers[i];
		const struct memo_unit *unit = &m->units[f->unit];

		if (unit->kept && !unit->idle && f->following->stale != NULL &&
		    f->following->stale(cycle, (void *)unit->prep))
			return true;
	}
	return false;
}

static void
start_all(const struct memo *memo, struct memo_class *m, struct cycle *cycle)
{
	struct arena *arena = cycle->arena;

	arena_reset(&m->followers);
	cycle->arena = &m->followers;
	m->lost = false;
	for (size_t i = 0; i < memo->nfollowers; i++) {
		const struct memo_follower *f = &memo->followers[i];
		struct memo_unit *unit = &m->units[f->unit];

		if (cycle_is_cancelled(cycle))
			break;
		unit->prep = f->following->start(cycle, f->args);
		unit->kept = unit->prep != NULL;
		unit->idle = unit->kept && f->following->idle != NULL &&
		    f->following->idle(unit->prep);
		m->lost |= unit->prep == NULL;
	}
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
follow(struct memo *memo, const void *prep, const struct following *following,
    struct cycle *cycle, const struct node_change *change)
{
	const struct node_info *node = memo->cluster->nodes[change->node];

	switch (following->follow(cycle, (void *)prep, node, change->class,
	    change->sign)) {
	case FOLLOWED_NOTHING:
		break;
	case FOLLOWED:
		if (following->topology != NULL)
			put_domains_todo(memo, following, prep, node);
		break;
	case FOLLOWED_NO_MORE:
		return false;
	}
	return true;
}

/* What the cursor has before it. */
static bool
follow_all(struct memo *memo, struct memo_class *m, struct cycle *cycle)
{
	struct arena *arena = cycle->arena;
	const struct node_change *change;
	bool followed = true;

	cycle->arena = &m->followers;
	while (followed && !cycle_is_cancelled(cycle) &&
	    journal_next(&memo->cluster->journal, &m->seen.cursor, &change) ==
		JOURNAL_CHANGE)
		for (size_t i = 0;
		     followed && change->class != NULL && i < memo->nfollowers;
		     i++) {
			const struct memo_follower *f = &memo->followers[i];
			const struct memo_unit *unit = &m->units[f->unit];

			followed = unit->idle ||
			    follow(memo, unit->prep, f->following, cycle,
				change);
		}
	cycle->arena = arena;
	return followed;
}

/* Where nothing is said of other pods, nor by them of these, preps are soon made. */
static bool
is_left_behind(const struct memo *memo, const struct memo_class *m)
{
	return m->ntopologies == 0 && !pod_class_has_terms(m->class) &&
	    journal_ahead(&memo->cluster->journal, &m->seen.cursor) >
	    FOLLOW_MOST;
}

bool
memo_follow(struct memo *memo, struct memo_class *m, struct cycle *cycle)
{
	if (memo_is_recent(memo, &m->seen) && !m->lost &&
	    !is_left_behind(memo, m) &&
	    m->seen.labels == memo->cluster->labels &&
	    !any_is_stale(memo, m, cycle) && follow_all(memo, m, cycle))
		return false;
	start_all(memo, m, cycle);
	return true;
}
