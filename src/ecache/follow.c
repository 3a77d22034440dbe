#include "config.h"

#include "ecache/ecache_internal.h"

#include <stdlib.h>

#include "base/xmalloc.h"
#include "framework/cycle.h"
#include "framework/profile.h"

/* The most classes that are remembered as having no effect. */
#define UNRELATED 128

static void
add_follower(struct ecache *ecache, const struct follower *f)
{
	if (f->keep == NULL)
		return;
	vec_room(ecache->followers, ecache->nfollowers, &ecache->followers_cap);
	ecache->followers[ecache->nfollowers++] = *f;
}

void
ecache_find_followers(struct ecache *ecache)
{
	const struct profile *profile = ecache->profile;
	size_t npredicates = profile->npredicates;

	for (size_t i = 0; i < npredicates; i++) {
		const struct profile_predicate *p = &profile->predicates[i];

		if (p->unit->reads == READS_CLUSTER)
			add_follower(ecache,
			    &(struct follower){ p->unit->keep, p->unit->update,
				p->args, i, i });
	}
	for (size_t i = 0; i < profile->npriorities; i++) {
		const struct profile_priority *p = &profile->priorities[i];

		if (p->unit->reads == READS_CLUSTER && ecache->weights[i] != 0)
			add_follower(ecache,
			    &(struct follower){ p->unit->keep, p->unit->update,
				p->args, npredicates + i, npredicates });
	}
}

bool
ecache_is_uniform(const struct ecache_class *m, size_t priority)
{
	size_t place = m->raw_places[priority];
	const struct cached_prep *unit = &m->priorities[priority];

	if (place != 0)
		return m->results->outcomes.any[place] == 0;
	/* the others that are kept read more than the node */
	return unit->kept &&
	    ((const struct kept_prep *)unit->prep)->ntopologies == 0;
}

static bool
any_is_stale(const struct ecache *ecache, const struct ecache_class *m,
    struct cycle *cycle)
{
	static const struct prep_change objects = { .kind = OBJECTS_CHANGED };

	for (size_t i = 0; i < m->nactive; i++) {
		const struct follower *f =
		    &ecache->followers[m->active[i].number];

		if (f->update(cycle, (void *)m->units[f->unit].prep,
			&objects) == FOLLOWED_NO_MORE)
			return true;
	}
	return false;
}

static void
start_all(const struct ecache *ecache, struct ecache_class *m,
    struct cycle *cycle)
{
	struct arena *arena = cycle->arena;

	arena_reset(&m->followers);
	cycle->arena = &m->followers;
	m->cannot_follow = false;
	m->nactive = 0;
	free(m->unrelated);
	m->unrelated = NULL;
	m->active =
	    arena_alloc(&m->followers, ecache->nfollowers * sizeof(*m->active));
	for (size_t i = 0; i < ecache->nfollowers; i++) {
		const struct follower *f = &ecache->followers[i];
		struct cached_prep *unit = &m->units[f->unit];
		const struct kept_prep *kept;

		if (cycle_is_cancelled(cycle))
			break;
		unit->prep = kept = f->keep(cycle, f->args);
		unit->kept = kept != NULL && !kept->lists_only;
		unit->idle = unit->kept && kept->idle;
		m->cannot_follow |= kept == NULL;
		if (kept != NULL && !unit->idle)
			m->active[m->nactive++] = (struct active_follower){
				.number = (uint32_t)i,
				.aspects = kept->aspects,
			};
	}
	cycle->arena = arena;
}

/* Lists all nodes in the node's domains of topologies whose traits may have changed;
 * the node itself is on the list already. */
static void
put_domains_todo(struct ecache *ecache, const struct kept_prep *kept,
    const struct node_info *node)
{
	for (size_t i = 0; i < kept->ntopologies; i++) {
		const struct topology *t = kept->topologies[i].topology;
		uint32_t domain = topology_domain(t, node);

		if (!is_by_trait(&kept->topologies[i]) ||
		    domain == DOMAIN_NONE || t->nnodes[domain] == 1)
			continue;
		for (uint32_t j = 0; j < ecache->cluster->nnodes; j++)
			if (t->domain_of[j] == domain)
				ecache_put_todo(ecache, j);
	}
}

/* Updates all followers; returns the greatest result. */
static enum followed
follow_change(struct ecache *ecache, const struct ecache_class *m,
    struct cycle *cycle, const struct node_change *change)
{
	const struct prep_change moved = { .kind = POD_MOVED,
		.sign = change->sign,
		.node = ecache->cluster->nodes[change->node],
		.class = change->class };
	enum followed most = FOLLOWED_NOTHING, followed;

	for (size_t i = 0; most != FOLLOWED_NO_MORE && i < m->nactive; i++) {
		const struct follower *f =
		    &ecache->followers[m->active[i].number];

		void *prep = (void *)m->units[f->unit].prep;

		if (pod_class_lacks(change->class, m->active[i].aspects))
			continue;
		followed = f->update(cycle, prep, &moved);
		if (followed == FOLLOWED)
			put_domains_todo(ecache, prep, moved.node);
		if (followed > most)
			most = followed;
	}
	return most;
}

static bool
is_unrelated(const struct ecache_class *m, const struct pod_class *class)
{
	return m->unrelated != NULL &&
	    m->unrelated[class->serial % UNRELATED] == class->serial;
}

static void
put_unrelated(struct ecache_class *m, const struct pod_class *class)
{
	if (m->unrelated == NULL)
		m->unrelated = xcalloc(UNRELATED, sizeof(*m->unrelated));
	m->unrelated[class->serial % UNRELATED] = class->serial;
}

/* Updates by all changes after the cursor.  False: preps must be made again. */
static bool
follow_all(struct ecache *ecache, struct ecache_class *m, struct cycle *cycle)
{
	struct arena *arena = cycle->arena;
	const struct node_change *change;
	enum followed followed = FOLLOWED_NOTHING;

	cycle->arena = &m->followers;
	while (followed != FOLLOWED_NO_MORE && !cycle_is_cancelled(cycle) &&
	    journal_next(&ecache->cluster->journal, &m->seen.cursor, &change) ==
		JOURNAL_CHANGE) {
		if (change->class == NULL || is_unrelated(m, change->class))
			continue;
		followed = follow_change(ecache, m, cycle, change);
		if (followed == FOLLOWED_NOTHING)
			put_unrelated(m, change->class);
	}
	cycle->arena = arena;
	return followed != FOLLOWED_NO_MORE;
}

bool
ecache_follow(struct ecache *ecache, struct ecache_class *m,
    struct cycle *cycle)
{
	if (ecache_is_recent(ecache, &m->seen) && !m->cannot_follow &&
	    m->seen.labels == ecache->cluster->labels &&
	    !any_is_stale(ecache, m, cycle) && follow_all(ecache, m, cycle))
		return false;
	start_all(ecache, m, cycle);
	return true;
}
