#include "config.h"

#include "sched/memo_internal.h"

#include "base/xmalloc.h"
#include "sched/cycle.h"
#include "sched/profile.h"

/* Whether all nodes have the same raw score, and it needs no slot or is 0 there;
 * it goes to *raw. */
static bool
is_uniform(const struct memo *memo, const struct cycle *cycle, size_t i,
    const void *prep, int64_t *raw)
{
	const struct priority *unit = memo->profile->priorities[i].unit;

	return unit->uniform != NULL && unit->uniform(cycle, prep, raw) &&
	    (memo->raw_slots[i] == 0 || *raw == 0);
}

static void
list_scores(const struct memo *memo, struct memo_class *m,
    const struct cycle *cycle)
{
	const struct profile *profile = memo->profile;
	int64_t raw;

	m->scores = arena_array(&m->arena, struct memo_score,
	    profile->npriorities);
	for (size_t i = 0; i < profile->npriorities; i++) {
		const struct priority *unit = profile->priorities[i].unit;
		const void *prep = m->priorities[i].prep;

		if (unit->reads != READS_NODE || memo->weights[i] == 0)
			continue;
		if (is_uniform(memo, cycle, i, prep, &raw))
			m->uniform_total = wrap_add(m->uniform_total,
			    wrap_mul(memo->weights[i], raw));
		else
			m->scores[m->nscores++] = (struct memo_score) {
				memo->weights[i], memo->raw_slots[i],
				unit->score, prep };
	}
}

static void
list_checks(const struct memo *memo, struct memo_class *m)
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
}

void
memo_prepare(const struct memo *memo, struct memo_class *m, struct cycle *cycle)
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
	list_checks(memo, m);
	list_scores(memo, m, cycle);
}

static bool
same_reasons(const char **a, const char **b, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (a[i] != b[i])
			return false;
	return true;
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
			same_reasons(m->why.reasons + r->first_reason,
			    why->reasons, why->n)))
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

int32_t
memo_evaluate(struct memo *memo, struct memo_class *m, struct cycle *cycle,
    uint32_t at)
{
	const struct node_info *node = cycle->cluster->nodes[at];
	int64_t total = wrap_add(m->uniform_total, m->objects_total[at]);
	int64_t score;

	memo->key[0] = state_of(memo, m, cycle, at);
	for (size_t i = 1; i <= memo->nraw; i++)
		memo->key[i] = 0;
	if (memo->key[0] != 0)
		return 0;
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

void
memo_update_objects(struct memo *memo, struct memo_class *m, struct cycle *cycle)
{
	const struct cluster *cluster = memo->cluster;
	const struct profile *profile = memo->profile;
	uint32_t n = cluster->nnodes;
	AUTOFREE int64_t *totals = xcalloc(n, sizeof(*totals));
	int64_t raw;

	for (size_t i = 0; i < profile->npriorities; i++) {
		const struct profile_priority *p = &profile->priorities[i];
		const void *prep = p->args;

		if (p->unit->reads != READS_OBJECTS || memo->weights[i] == 0)
			continue;
		if (p->unit->prepare != NULL)
			prep = p->unit->prepare(cycle, p->args);
		if (p->unit->uniform != NULL &&
		    p->unit->uniform(cycle, prep, &raw) && raw == 0)
			continue;
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
		if (m->nnodes == n && m->objects_total[i] != totals[i])
			memo_put_todo(memo, i, true);
		m->objects_total[i] = (int32_t)totals[i];
	}
}
