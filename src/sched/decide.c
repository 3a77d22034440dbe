/*
 * decide(): filter, score, pick.
 *
 * All nodes are examined, unless a sample is asked for, and every node that fits
 * is scored.  Same stages as kube-scheduler 1.15's Schedule(); ties are broken by
 * the seed instead of in turn.
 */
#include "config.h"

#include "sched/decide.h"

#include "base/hash.h"
#include "ecache/memo.h"
#include "ecache/parts.h"
#include "framework/profile.h"
#include "sched/extension_apply.h"
#include "sched/filter.h"

/* The pod asks for no more than it may; the claims that its volumes name exist and
 * stay. */
static const char *
basic_checks(struct cycle *cycle)
{
	const struct pod_class *class = cycle->class;

	if (class->over_limit != NULL)
		return class->over_limit;
	for (uint32_t i = 0; i < class->nvolumes; i++) {
		const struct persistent_volume_claim *claim;

		if (class->volumes[i].kind != VOLUME_CLAIM)
			continue;
		claim = cluster_claim(cycle->cluster, class->namespace,
		    class->volumes[i].id);
		if (claim == NULL)
			return arena_printf(cycle->arena,
			    "persistentvolumeclaim \"%s\" not found",
			    sym_text(class->volumes[i].id));
		if (claim->object.deleting)
			return arena_printf(cycle->arena,
			    "persistentvolumeclaim \"%s\" is being deleted",
			    claim->object.name);
	}
	return NULL;
}

/* Scoring with what is kept: by the profile's priorities. */
struct scoring {
	const struct memo_class *kept;
	const int64_t *weights; /* memo_weights() */
	const void **preps;
};

static struct scoring
scoring_new(struct cycle *cycle, const struct memo_class *kept)
{
	const struct profile *profile = cycle->profile;
	struct scoring s = { kept, memo_weights(cycle->memo),
		arena_array(cycle->arena, const void *, profile->npriorities) };

	for (size_t i = 0; i < profile->npriorities; i++)
		s.preps[i] = kept->priorities[i].prep;
	return s;
}

/* Prepares what is not kept. */
static void
prepare_rest(struct cycle *cycle, struct scoring *s)
{
	const struct profile *profile = cycle->profile;

	for (size_t i = 0; i < profile->npriorities; i++) {
		const struct profile_priority *p = &profile->priorities[i];

		if (cycle_is_cancelled(cycle))
			return;
		if (s->kept->priorities[i].kept || s->weights[i] == 0 ||
		    p->unit->reads != READS_CLUSTER)
			continue;
		s->preps[i] = p->args;
		if (p->unit->prepare != NULL)
			s->preps[i] = p->unit->prepare(cycle, p->args);
	}
}

static void
add_weighted(int64_t *totals, size_t n, int64_t weight, const int64_t *scores)
{
	for (size_t i = 0; i < n; i++)
		totals[i] = wrap_add(totals[i], wrap_mul(weight, scores[i]));
}

/* The reduced scores of n groups of nodes, whose raw scores are given. */
static void
reduce(struct cycle *cycle, const struct priority *unit, const void *prep,
    size_t n, const uint32_t *at, const uint32_t *times, int64_t *scores)
{
	if (unit->reduce != NULL && n > 0)
		unit->reduce(cycle, prep, n, at, times, scores);
}

/* 1, 1, 1, … */
static const uint32_t *
each_once(struct cycle *cycle, size_t n)
{
	uint32_t *times = arena_alloc(cycle->arena, n * sizeof(*times));

	for (size_t i = 0; i < n; i++)
		times[i] = 1;
	return times;
}

/* Node by node, each priority prepared anew. */
static void
score_afresh(struct cycle *cycle, struct decision *d)
{
	const struct profile *profile = cycle->profile;
	const uint32_t *times = each_once(cycle, d->nfeasible);
	int64_t *scores = NULL;

	if (cycle->keep_scores)
		d->scores =
		    arena_array(cycle->arena, int64_t *, profile->npriorities);
	for (size_t i = 0; i < profile->npriorities; i++) {
		const struct profile_priority *p = &profile->priorities[i];
		const void *prep = p->args;

		if (p->unit->prepare != NULL)
			prep = p->unit->prepare(cycle, p->args);
		if (scores == NULL || cycle->keep_scores)
			scores = arena_alloc(cycle->arena,
			    d->nfeasible * sizeof(*scores));
		if (cycle->keep_scores)
			d->scores[i] = scores;
		for (uint32_t j = 0; j < d->nfeasible; j++) {
			if (cycle_is_cancelled(cycle))
				return;
			scores[j] = p->unit->score(cycle,
			    cycle->cluster->nodes[d->feasible[j]], prep);
		}
		reduce(cycle, p->unit, prep, d->nfeasible, d->feasible, times,
		    scores);
		add_weighted(d->totals, d->nfeasible, p->weight, scores);
	}
}

/* Whether the priority's scores are not in the totals yet. */
static bool
is_reduced(const struct scoring *s, const struct priority *unit, size_t i)
{
	return s->weights[i] != 0 &&
	    (s->kept->raw_slots[i] != 0 || unit->reads == READS_CLUSTER);
}

static int64_t
raw_score(struct cycle *cycle, const struct scoring *s, size_t i, uint32_t at)
{
	const struct memo_kin *kin = s->kept->kin;
	size_t slot = s->kept->raw_slots[i];

	return slot != 0 ? memo_answer(kin, kin->answer_of[at])[slot] :
			   cycle->profile->priorities[i].unit->score(cycle,
			       cycle->cluster->nodes[at], s->preps[i]);
}

/* Node by node, from what is kept where it is. */
static void
score_kept(struct cycle *cycle, struct scoring *s, struct decision *d)
{
	const struct memo_class *kept = s->kept;
	const uint32_t *times = each_once(cycle, d->nfeasible);
	int64_t *scores =
	    arena_alloc(cycle->arena, d->nfeasible * sizeof(*scores));

	prepare_rest(cycle, s);
	for (uint32_t i = 0; i < d->nfeasible; i++)
		d->totals[i] = kept->kin->total[d->feasible[i]];
	for (size_t i = 0; i < cycle->profile->npriorities; i++) {
		const struct priority *unit =
		    cycle->profile->priorities[i].unit;

		if (!is_reduced(s, unit, i))
			continue;
		for (uint32_t j = 0; j < d->nfeasible; j++) {
			if (cycle_is_cancelled(cycle))
				return;
			scores[j] = raw_score(cycle, s, i, d->feasible[j]);
		}
		reduce(cycle, unit, s->preps[i], d->nfeasible, d->feasible,
		    times, scores);
		add_weighted(d->totals, d->nfeasible, s->weights[i], scores);
	}
}

/*
 * Ties: of all nodes with the highest total the one whose name's hash comes at a
 * place that the seed decides.  Fair, and independent of the order in which
 * nodes became known.
 */
static uint32_t
tie_breaker(const struct cycle *cycle, uint32_t nbest)
{
	return (uint32_t)(hash_mix(cycle->seed + 1) % nbest);
}

/* Puts the element that sorting would put at k there. */
static void
select_kth(uint64_t *hashes, uint32_t *nodes, uint32_t n, uint32_t k)
{
	uint32_t low = 0, high = n - 1;

	while (low < high) {
		uint64_t pivot = hashes[low + (high - low) / 2];
		uint32_t i = low, j = high;

		for (;;) {
			uint64_t hash;
			uint32_t node;

			while (hashes[i] < pivot)
				i++;
			while (hashes[j] > pivot)
				j--;
			if (i >= j)
				break;
			hash = hashes[i];
			hashes[i] = hashes[j];
			hashes[j] = hash;
			node = nodes[i];
			nodes[i++] = nodes[j];
			nodes[j--] = node;
		}
		if (k <= j)
			high = j;
		else
			low = j + 1;
	}
}

static void
pick(struct cycle *cycle, struct decision *d)
{
	const struct cluster *cluster = cycle->cluster;
	uint64_t *hashes;
	uint32_t *nodes, k;

	if (d->nfeasible == 0)
		return;
	hashes = arena_alloc(cycle->arena, d->nfeasible * sizeof(*hashes));
	nodes = arena_alloc(cycle->arena, d->nfeasible * sizeof(*nodes));
	d->best_total = d->totals[0];
	for (uint32_t i = 1; i < d->nfeasible; i++)
		if (d->totals[i] > d->best_total)
			d->best_total = d->totals[i];
	d->nbest = 0;
	for (uint32_t i = 0; i < d->nfeasible; i++)
		if (d->totals[i] == d->best_total) {
			nodes[d->nbest] = d->feasible[i];
			hashes[d->nbest++] =
			    cluster->name_hashes[d->feasible[i]];
		}
	k = tie_breaker(cycle, d->nbest);
	select_kth(hashes, nodes, d->nbest, k);
	d->chosen = cluster->nodes[nodes[k]];
}

/* Groups of nodes that fit, as reduce() sees them. */
struct groups {
	size_t n;
	const struct memo_bucket **best; /* the best nodes of each */
	uint32_t *nodes;                 /* one of each */
	uint32_t *times;                 /* how many */
	int64_t *totals;                 /* of the best in each */
};

static struct groups
groups_new(struct arena *arena, size_t most)
{
	return (struct groups){
		.best = arena_alloc(arena, most * sizeof(struct memo_bucket *)),
		.nodes = arena_alloc(arena, most * sizeof(uint32_t)),
		.times = arena_alloc(arena, most * sizeof(uint32_t)),
		.totals = arena_alloc(arena, most * sizeof(int64_t)),
	};
}

/* So many nodes have this verdict; its reasons are the last in why. */
static void
tally(struct cycle *cycle, struct decision *d, struct node_verdict verdict,
    uint32_t nnodes)
{
	verdict.nreasons = (uint32_t)d->why.n - verdict.first_reason;
	arena_room(cycle->arena, d->tallies, d->ntallies, &d->tallies_cap);
	d->tallies[d->ntallies++] = (struct verdict_tally){ verdict, nnodes };
}

/* Pods nominated to a node are its own affair: those that do not fit because of
 * them leave their groups.  False: this cannot be told. */
static bool
set_nominated_apart(struct cycle *cycle, struct decision *d)
{
	const struct cluster *cluster = cycle->cluster;

	for (uint32_t i = 0; i < cluster->nnominated_to; i++) {
		const struct node_info *node = cluster->nominated_to[i];
		struct node_verdict v = { FITS, (uint32_t)d->why.n, 0 };

		if (node->node == NULL || !filter_yields(d->filter, node))
			continue;
		v.verdict = filter_node(d->filter, node, false, &d->why);
		if (v.verdict == BROKEN)
			return false;
		if (v.verdict == FITS)
			continue;
		memo_set_apart(cycle->memo, d->kept, node->index);
		tally(cycle, d, v, 1);
	}
	return true;
}

/* So many nodes of a group fit, among them the best and at. */
static void
add_fit(struct groups *fit, const struct memo_bucket *best, uint32_t at,
    uint32_t nnodes)
{
	fit->best[fit->n] = best;
	fit->nodes[fit->n] = at;
	fit->times[fit->n] = nnodes;
	fit->totals[fit->n++] = best->total;
}

/* Whether so many nodes of the group, of which this is one, fit. */
static enum verdict
ask_one(struct cycle *cycle, struct decision *d, const struct memo_group *group,
    uint32_t at, uint32_t nnodes)
{
	const struct memo_class *kept = d->kept;
	int64_t state = memo_answer(kept->kin, group->key[0])[0];
	uint8_t fails_at = memo_fails_at(state);
	struct node_verdict v = { FITS, (uint32_t)d->why.n, 0 };

	v.verdict = filter_beyond(d->filter,
	    fails_at != 0 ? fails_at - 1u : cycle->profile->npredicates,
	    cycle->cluster->nodes[at], &d->why);
	if (v.verdict == BROKEN)
		return BROKEN;
	if (v.verdict == FITS && fails_at == 0) {
		d->nfeasible += nnodes;
		return FITS;
	}
	if (v.verdict == FITS) {
		const struct node_verdict *r = memo_refusal(kept, state);

		v.verdict = r->verdict;
		for (uint32_t i = 0; i < r->nreasons; i++)
			why_add(&d->why,
			    kept->kin->why.reasons[r->first_reason + i]);
	}
	tally(cycle, d, v, nnodes);
	return v.verdict;
}

/* One node of each group is asked; false: this cannot be told. */
static bool
filter_groups(struct cycle *cycle, struct decision *d, struct groups *fit)
{
	const struct memo_groups *groups = &d->kept->sorting->groups;

	*fit = groups_new(cycle->arena, groups->n);
	for (uint32_t i = 0; i < groups->n; i++) {
		const struct memo_group *group = groups->at[i];
		enum verdict verdict;
		uint32_t at;

		if (group == NULL)
			continue;
		at = group->buckets[0].nodes[0];
		verdict = ask_one(cycle, d, group, at, group->n);
		if (verdict == BROKEN)
			return false;
		if (verdict == FITS)
			add_fit(fit, &group->buckets[0], at, group->n);
	}
	return true;
}

/* Whether a step beyond groups is ever come to. */
static bool
groups_need_parts(struct decision *d)
{
	const struct memo_groups *groups = &d->kept->sorting->groups;
	size_t first = filter_first_beyond_groups(d->filter);

	for (uint32_t i = 0; first < d->filter->nsteps && i < groups->n; i++) {
		uint8_t fails_at = groups->at[i] == NULL ?
		    1 :
		    memo_fails_at(
			memo_answer(d->kept->kin, groups->at[i]->key[0])[0]);

		if (fails_at == 0 || first + 1 < fails_at)
			return true;
	}
	return false;
}

static bool
tell_apart(void *filter, struct kinds *kinds)
{
	return filter_tell_apart(filter, kinds);
}

/* The same with groups that are divided for this pod alone. */
static bool
filter_parts(struct cycle *cycle, struct decision *d, struct groups *fit)
{
	const struct memo_groups *groups = &d->kept->sorting->groups;
	struct parts *parts = parts_new(cycle, groups, tell_apart, d->filter);
	const struct part *fitting;

	if (parts == NULL)
		return false;
	*fit = groups_new(cycle->arena, groups->n);
	for (uint32_t i = 0; i < parts->n; i++) {
		struct part *part = &parts->at[i];

		part->verdict = ask_one(cycle, d, groups->at[part->group],
		    part->first, part->n);
		if (part->verdict == BROKEN)
			return false;
	}
	fitting = parts_that_fit(parts);
	for (uint32_t i = 0; i < groups->n; i++)
		if (fitting[i].n > 0)
			add_fit(fit, parts_best(parts, &fitting[i]),
			    fitting[i].first, fitting[i].n);
	return true;
}

/* Adds to the groups' totals what reduce() makes of their raw scores. */
static void
score_groups(struct cycle *cycle, const struct scoring *s, struct groups *g)
{
	const struct profile *profile = cycle->profile;
	int64_t *scores = arena_alloc(cycle->arena, g->n * sizeof(*scores));

	for (size_t i = 0; i < profile->npriorities; i++) {
		const struct priority *unit = profile->priorities[i].unit;

		if (!is_reduced(s, unit, i))
			continue;
		for (size_t j = 0; j < g->n; j++) {
			if (cycle_is_cancelled(cycle))
				return;
			scores[j] = raw_score(cycle, s, i, g->nodes[j]);
		}
		reduce(cycle, unit, s->preps[i], g->n, g->nodes, g->times,
		    scores);
		add_weighted(g->totals, g->n, s->weights[i], scores);
	}
}

static void
pick_best(struct cycle *cycle, struct decision *d, const struct groups *g)
{
	const struct memo_bucket **best =
	    arena_alloc(cycle->arena, g->n * sizeof(struct memo_bucket *));
	size_t nbest = 0;

	d->best_total = g->totals[0];
	for (size_t i = 1; i < g->n; i++)
		if (g->totals[i] > d->best_total)
			d->best_total = g->totals[i];
	for (size_t i = 0; i < g->n; i++)
		if (g->totals[i] == d->best_total) {
			best[nbest] = g->best[i];
			d->nbest += best[nbest++]->n;
		}
	d->chosen = cycle->cluster->nodes[memo_pick(cycle->arena,
	    cycle->cluster, best, nbest, tie_breaker(cycle, d->nbest))];
}

static void
tell_filtered(const struct cycle *cycle)
{
	if (cycle->filtered != NULL)
		cycle->filtered(cycle->filtered_arg);
}

/*
 * With groups instead of nodes.  False: it has to be done node by node, and
 * nothing is decided.
 */
static bool
decide_by_groups(struct cycle *cycle, struct decision *d)
{
	struct groups fit;
	struct scoring s;
	bool told = set_nominated_apart(cycle, d) &&
	    (groups_need_parts(d) ? filter_parts(cycle, d, &fit) :
				    filter_groups(cycle, d, &fit));

	if (told)
		tell_filtered(cycle);
	if (told && fit.n > 0) {
		s = scoring_new(cycle, d->kept);
		score_groups(cycle, &s, &fit);
		told = cycle->nerrors == 0 && !cycle_is_cancelled(cycle);
	}
	if (!told) {
		cycle->nerrors = 0;
		d->nfeasible = 0;
		d->ntallies = 0;
		return false;
	}
	if (fit.n > 0)
		pick_best(cycle, d, &fit);
	return true;
}

/* The attempt fails as a whole: there are no verdicts. */
static struct decision *
fail(struct decision *d, const char *error)
{
	d->error = error;
	d->nfeasible = 0;
	d->chosen = NULL;
	return d;
}

void
decision_abandon(struct cycle *cycle, struct decision *d)
{
	if (d->kept != NULL)
		memo_abandon(cycle->memo, d->kept);
	d->kept = NULL;
	d->abandoned = true;
	fail(d, "the decision was abandoned");
}

static struct decision *
abandon(struct cycle *cycle, struct decision *d)
{
	decision_abandon(cycle, d);
	return d;
}

static void
filter(struct cycle *cycle, struct decision *d)
{
	d->verdicts = arena_array(cycle->arena, struct node_verdict, d->nnodes);
	d->nfeasible = 0;
	filter_all(d->filter, d->kept, d);
	extension_filter(cycle, d);
}

static void
score(struct cycle *cycle, struct decision *d)
{
	const struct profile *profile = cycle->profile;
	struct scoring s;

	d->totals = arena_array(cycle->arena, int64_t, d->nfeasible);
	if (profile->npriorities == 0 && profile->nextenders == 0) {
		for (uint32_t i = 0; i < d->nfeasible; i++)
			d->totals[i] = 1;
	} else if (d->kept != NULL) {
		s = scoring_new(cycle, d->kept);
		score_kept(cycle, &s, d);
	} else {
		score_afresh(cycle, d);
	}
	extension_add_scores(cycle, d);
}

/* Whether all that has a say can be asked about groups instead of nodes. */
static bool
groups_will_do(struct cycle *cycle, struct decision *d)
{
	const struct profile *profile = cycle->profile;

	if (!d->kept->complete)
		return false;
	for (size_t i = 0; i < profile->npriorities; i++)
		if (profile->priorities[i].unit->reads == READS_CLUSTER &&
		    profile->priorities[i].unit->following == NULL)
			return false;
	return profile->npriorities > 0;
}

struct decision *
decide(struct cycle *cycle)
{
	struct decision *d = arena_array(cycle->arena, struct decision, 1);
	const char *error = basic_checks(cycle);

	d->nnodes = d->nexamined = cycle->cluster->nnodes;
	d->why.arena = cycle->arena;
	if (error != NULL)
		return fail(d, error);
	if (d->nnodes == 0)
		return fail(d, "no nodes available to schedule pods");

	d->filter = filter_new(cycle);
	/* what is kept is about all nodes */
	if (cycle->memo != NULL && filter_enough(cycle) == d->nnodes)
		d->kept = memo_class_of(cycle->memo, cycle);
	if (cycle_is_cancelled(cycle))
		return abandon(cycle, d);
	if (d->kept != NULL) {
		filter_use(d->filter, d->kept);
		if (cycle->extension == NULL && groups_will_do(cycle, d) &&
		    decide_by_groups(cycle, d))
			return d;
	}
	filter(cycle, d);
	if (cycle_is_cancelled(cycle))
		return abandon(cycle, d);
	if (cycle->nerrors > 0)
		return fail(d, cycle_errors(cycle, true));
	tell_filtered(cycle);
	score(cycle, d);
	if (cycle_is_cancelled(cycle))
		return abandon(cycle, d);
	/* the reference does not score a node that has no rival */
	if (cycle->nerrors > 0 && d->nfeasible > 1)
		return fail(d, cycle_errors(cycle, false));
	pick(cycle, d);
	return d;
}

void
decision_spell_out(struct cycle *cycle, struct decision *d)
{
	if (d->verdicts != NULL || d->error != NULL)
		return;
	filter(cycle, d);
	if (!cycle_is_cancelled(cycle))
		score(cycle, d);
	if (cycle_is_cancelled(cycle))
		abandon(cycle, d);
}
