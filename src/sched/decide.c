/*
 * decide(): filter, score, pick.
 *
 * All nodes are examined, unless a sample is asked for, and every node that fits
 * is scored.  Same stages as kube-scheduler 1.15's Schedule(); ties are broken by
 * the seed instead of in turn.
 */
#include "config.h"

#include "sched/decide.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/xmalloc.h"
#include "sched/filter.h"
#include "sched/memo.h"
#include "sched/profile.h"

/* The claims that the pod's volumes name exist and stay. */
static const char *
basic_checks(struct cycle *cycle)
{
	const struct pod_class *class = cycle->class;

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

/* Whether two entries are one rule with one argument under two names. */
static bool
same_rule(const struct profile_priority *a, const struct profile_priority *b)
{
	return a->args == b->args && a->unit->prepare == b->unit->prepare &&
	    a->unit->score == b->unit->score &&
	    a->unit->reduce == b->unit->reduce;
}

/*
 * Scoring with what is kept.  weights: of each priority, that of later entries
 * that say the same included, whose own is then 0.
 */
struct scoring {
	const struct memo_class *kept;
	int64_t *weights;
	const void **preps;
};

static struct scoring
scoring_new(struct cycle *cycle)
{
	const struct profile *profile = cycle->profile;
	size_t n = profile->npriorities;
	struct scoring s = { 0 };

	s.weights = arena_array(cycle->arena, int64_t, n);
	s.preps = arena_array(cycle->arena, const void *, n);
	for (size_t i = 0; i < n; i++) {
		size_t first = 0;

		while (first < i && !same_rule(&profile->priorities[first],
			&profile->priorities[i]))
			first++;
		s.weights[first] = wrap_add(s.weights[first],
		    profile->priorities[i].weight);
	}
	return s;
}

/* Prepares what the memo has not; whether all raw scores are kept, or are 0
 * wherever they are not. */
static bool
prepare_rest(struct cycle *cycle, struct scoring *s)
{
	const struct profile *profile = cycle->profile;
	bool all_kept = true;

	for (size_t i = 0; i < profile->npriorities; i++) {
		const struct profile_priority *p = &profile->priorities[i];

		if (p->unit->reads == READS_NODE)
			s->preps[i] = s->kept->priority_prep[i];
		if (p->unit->reads != READS_CLUSTER || s->weights[i] == 0 ||
		    p->unit->counted != NULL)
			continue;
		s->preps[i] = p->args;
		if (p->unit->prepare != NULL)
			s->preps[i] = p->unit->prepare(cycle, p->args);
		all_kept &= p->unit->indifferent != NULL &&
		    p->unit->indifferent(s->preps[i]);
	}
	return all_kept;
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
		d->scores = arena_array(cycle->arena, int64_t *,
		    profile->npriorities);
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
		for (uint32_t j = 0; j < d->nfeasible; j++)
			scores[j] = p->unit->score(cycle,
			    cycle->cluster->nodes[d->feasible[j]], prep);
		reduce(cycle, p->unit, prep, d->nfeasible, d->feasible, times,
		    scores);
		add_weighted(d->totals, d->nfeasible, p->weight, scores);
	}
}

/*
 * Groups of the nodes that fit, as reduce() sees them.  Not all nodes of a group
 * need fit.
 */
struct groups {
	size_t n;
	uint32_t *of;  /* their numbers in the memo */
	uint32_t *nodes, *times;
	int64_t *totals;
	int64_t *scores; /* scratch */
};

static struct groups
groups_new(struct arena *arena, size_t most)
{
	return (struct groups){
		.of = arena_alloc(arena, most * sizeof(uint32_t)),
		.nodes = arena_alloc(arena, most * sizeof(uint32_t)),
		.times = arena_alloc(arena, most * sizeof(uint32_t)),
		.totals = arena_array(arena, int64_t, most),
		.scores = arena_alloc(arena, most * sizeof(int64_t)),
	};
}

/* Adds to the groups' totals what reduce() makes of their raw scores; those that
 * are not kept count as 0 if zeros is set, and not at all otherwise. */
static void
score_groups(struct cycle *cycle, const struct scoring *s, struct groups *g,
    bool zeros)
{
	const struct profile *profile = cycle->profile;

	for (size_t i = 0; i < profile->npriorities; i++) {
		const struct priority *unit = profile->priorities[i].unit;
		bool raw = s->kept->columns[i].raw != NULL;

		if (s->weights[i] == 0 ||
		    (!raw && (!zeros || unit->reads != READS_CLUSTER)))
			continue;
		for (size_t j = 0; j < g->n; j++)
			g->scores[j] =
			    raw ? s->kept->groups[g->of[j]]->raw[i] : 0;
		reduce(cycle, unit, s->preps[i], g->n, g->nodes, g->times,
		    g->scores);
		add_weighted(g->totals, g->n, s->weights[i], g->scores);
	}
}

/* What the kept columns add to the totals, worked out group by group. */
static void
add_kept_by_groups(struct cycle *cycle, const struct scoring *s,
    struct decision *d)
{
	const struct memo_class *kept = s->kept;
	struct groups g = groups_new(cycle->arena, kept->ngroups);
	uint32_t *number =
	    arena_array(cycle->arena, uint32_t, kept->ngroups); /* + 1 */

	for (uint32_t i = 0; i < d->nfeasible; i++) {
		uint32_t at = d->feasible[i], of = kept->node_group[at];

		if (number[of] == 0) {
			g.of[g.n] = of;
			g.nodes[g.n] = at;
			g.times[g.n] = 0;
			number[of] = (uint32_t)++g.n;
		}
		g.times[number[of] - 1]++;
	}
	score_groups(cycle, s, &g, false);
	for (uint32_t i = 0; i < d->nfeasible; i++) {
		uint32_t of = kept->node_group[d->feasible[i]];

		d->totals[i] = wrap_add(d->totals[i],
		    g.totals[number[of] - 1]);
	}
}

static void
add_kept_by_nodes(struct cycle *cycle, const struct scoring *s,
    struct decision *d, const uint32_t *times, int64_t *scores)
{
	for (size_t i = 0; i < cycle->profile->npriorities; i++) {
		const int64_t *raw = s->kept->columns[i].raw;

		if (s->weights[i] == 0 || raw == NULL)
			continue;
		for (uint32_t j = 0; j < d->nfeasible; j++)
			scores[j] = raw[d->feasible[j]];
		reduce(cycle, cycle->profile->priorities[i].unit, s->preps[i],
		    d->nfeasible, d->feasible, times, scores);
		add_weighted(d->totals, d->nfeasible, s->weights[i], scores);
	}
}

/* Node by node, what is not kept. */
static void
add_rest(struct cycle *cycle, const struct scoring *s, struct decision *d,
    const uint32_t *times, int64_t *scores)
{
	struct node_info **nodes = cycle->cluster->nodes;

	for (size_t i = 0; i < cycle->profile->npriorities; i++) {
		const struct priority *unit = cycle->profile->priorities[i].unit;

		if (s->weights[i] == 0 || unit->reads != READS_CLUSTER ||
		    s->kept->columns[i].raw != NULL)
			continue;
		for (uint32_t j = 0; j < d->nfeasible; j++)
			scores[j] = unit->score(cycle, nodes[d->feasible[j]],
			    s->preps[i]);
		reduce(cycle, unit, s->preps[i], d->nfeasible, d->feasible,
		    times, scores);
		add_weighted(d->totals, d->nfeasible, s->weights[i], scores);
	}
}

/* Node by node, from what is kept where it is. */
static void
score_kept(struct cycle *cycle, struct scoring *s, struct decision *d)
{
	const struct memo_class *kept = s->kept;
	const uint32_t *times = each_once(cycle, d->nfeasible);
	int64_t *scores =
	    arena_alloc(cycle->arena, d->nfeasible * sizeof(*scores));

	for (uint32_t i = 0; i < d->nfeasible; i++)
		d->totals[i] = wrap_add(kept->node_total[d->feasible[i]],
		    kept->objects_total[d->feasible[i]]);
	if (kept->scattered || cycle->cluster->nnominated > 0)
		add_kept_by_nodes(cycle, s, d, times, scores);
	else
		add_kept_by_groups(cycle, s, d);
	add_rest(cycle, s, d, times, scores);
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

/* Scores groups instead of nodes, and takes the best of the best buckets. */
static void
pick_by_groups(struct cycle *cycle, struct scoring *s, struct decision *d)
{
	const struct memo_class *kept = s->kept;
	struct groups g = groups_new(cycle->arena, kept->ngroups);
	const struct memo_bucket **best = arena_alloc(cycle->arena,
	    kept->ngroups * sizeof(struct memo_bucket *));
	size_t nbest = 0;

	for (uint32_t i = 0; i < kept->ngroups; i++) {
		const struct memo_group *group = kept->groups[i];

		if (group->n == 0)
			continue;
		g.of[g.n] = i;
		g.nodes[g.n] = group->buckets[0].nodes[0];
		g.times[g.n] = group->n;
		g.totals[g.n++] = group->buckets[0].total;
	}
	score_groups(cycle, s, &g, true);
	for (size_t i = 0; i < g.n; i++)
		if (i == 0 || g.totals[i] > d->best_total)
			d->best_total = g.totals[i];
	for (size_t i = 0; i < g.n; i++)
		if (g.totals[i] == d->best_total) {
			best[nbest] = &kept->groups[g.of[i]]->buckets[0];
			d->nbest += best[nbest++]->n;
		}
	d->nfeasible = kept->nfits;
	if (nbest > 0)
		d->chosen = cycle->cluster->nodes[memo_pick(cycle->cluster,
		    best, nbest, tie_breaker(cycle, d->nbest))];
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

static void
filter(struct cycle *cycle, struct decision *d)
{
	d->verdicts =
	    arena_array(cycle->arena, struct node_verdict, d->nnodes);
	d->nfeasible = 0;
	filter_all(d->filter, d->kept, d);
}

static void
tell_filtered(const struct cycle *cycle)
{
	if (cycle->filtered != NULL)
		cycle->filtered(cycle->filtered_arg);
}

static void
score(struct cycle *cycle, struct scoring *s, struct decision *d)
{
	const struct profile *profile = cycle->profile;

	d->totals = arena_array(cycle->arena, int64_t, d->nfeasible);
	if (profile->npriorities == 0 && profile->nextenders == 0)
		for (uint32_t i = 0; i < d->nfeasible; i++)
			d->totals[i] = 1;
	else if (s->kept != NULL)
		score_kept(cycle, s, d);
	else
		score_afresh(cycle, d);
}

/* Whether everything that matters is in the memo's groups. */
static bool
groups_will_do(struct cycle *cycle, const struct decision *d, bool scores_kept)
{
	return d->kept != NULL && scores_kept && !d->kept->scattered &&
	    cycle->profile->npriorities > 0 &&
	    cycle->cluster->nnominated == 0 && filter_all_kept(d->filter);
}

struct decision *
decide(struct cycle *cycle)
{
	struct decision *d = arena_array(cycle->arena, struct decision, 1);
	struct scoring s = scoring_new(cycle);
	const char *error = basic_checks(cycle);
	bool scores_kept = false;

	d->nnodes = d->nexamined = cycle->cluster->nnodes;
	d->why.arena = cycle->arena;
	if (error != NULL)
		return fail(d, error);
	if (d->nnodes == 0)
		return fail(d, "no nodes available to schedule pods");

	/* what is kept is about all nodes */
	if (filter_enough(cycle) == d->nnodes)
		d->kept = s.kept = memo_class_of(cycle->memo, cycle, s.preps);
	d->filter = filter_new(cycle);
	if (d->kept != NULL)
		scores_kept = prepare_rest(cycle, &s);
	if (cycle->nerrors > 0) {
		/* too early: it matters only if several nodes fit */
		d->kept = s.kept = NULL;
		cycle->nerrors = 0;
	}
	if (groups_will_do(cycle, d, scores_kept)) {
		tell_filtered(cycle);
		pick_by_groups(cycle, &s, d);
		return d;
	}
	filter(cycle, d);
	if (cycle->nerrors > 0)
		return fail(d, cycle_errors(cycle, true));
	tell_filtered(cycle);
	score(cycle, &s, d);
	/* the reference does not score a node that has no rival */
	if (cycle->nerrors > 0 && d->nfeasible > 1)
		return fail(d, cycle_errors(cycle, false));
	pick(cycle, d);
	return d;
}

void
decision_spell_out(struct cycle *cycle, struct decision *d)
{
	struct scoring s = scoring_new(cycle);

	if (d->verdicts != NULL || d->error != NULL)
		return;
	s.kept = d->kept;
	for (size_t i = 0; i < cycle->profile->npriorities; i++)
		if (cycle->profile->priorities[i].unit->counted != NULL)
			s.preps[i] = cycle->profile->priorities[i].unit->prepare(
			    cycle, cycle->profile->priorities[i].args);
	prepare_rest(cycle, &s);
	filter(cycle, d);
	score(cycle, &s, d);
}

struct count {
	const char *reason;
	unsigned times;
	char *text; /* "3 Insufficient cpu" */
};

struct counts {
	size_t n, cap;
	struct count *at;
};

static void
count_reason(struct arena *arena, struct counts *counts, const char *reason,
    unsigned times)
{
	for (size_t i = 0; i < counts->n; i++)
		if (counts->at[i].reason == reason ||
		    strcmp(counts->at[i].reason, reason) == 0) {
			counts->at[i].times += times;
			return;
		}
	arena_room(arena, counts->at, counts->n, &counts->cap);
	counts->at[counts->n++] = (struct count){ reason, times, NULL };
}

/* A verdict that so many nodes have; the reasons are in why. */
static void
count_verdict(struct arena *arena, struct counts *counts,
    const struct node_verdict *v, const struct why *why, unsigned times)
{
	for (uint32_t i = 0; times > 0 && i < v->nreasons; i++)
		count_reason(arena, counts, why->reasons[v->first_reason + i],
		    times);
}

static struct counts
count_reasons(struct arena *arena, const struct decision *d)
{
	struct counts counts = { 0 };

	if (d->verdicts == NULL)
		for (size_t i = 0; i < d->kept->nrefusals; i++)
			count_verdict(arena, &counts, &d->kept->refusals[i],
			    &d->kept->why, d->kept->refused[i]);
	else
		for (uint32_t i = 0; i < d->nnodes; i++)
			count_verdict(arena, &counts, &d->verdicts[i], &d->why,
			    1);
	return counts;
}

static int
by_text(const void *a, const void *b)
{
	return strcmp(((const struct count *)a)->text,
	    ((const struct count *)b)->text);
}

const char *
decision_message(struct cycle *cycle, const struct decision *d)
{
	struct counts counts;
	char *text = NULL;
	size_t size;
	const char *copy;
	FILE *out;

	if (d->error != NULL)
		return d->error;
	counts = count_reasons(cycle->arena, d);
	for (size_t i = 0; i < counts.n; i++)
		counts.at[i].text = arena_printf(cycle->arena, "%u %s",
		    counts.at[i].times, counts.at[i].reason);
	if (counts.n > 0)
		qsort(counts.at, counts.n, sizeof(*counts.at), by_text);
	out = open_memstream(&text, &size);
	if (out == NULL)
		abort();
	fprintf(out, "0/%u nodes are available: ", d->nnodes);
	for (size_t i = 0; i < counts.n; i++)
		fprintf(out, "%s%s", i > 0 ? ", " : "", counts.at[i].text);
	fputs(".", out);
	fclose(out);
	copy = arena_strndup(cycle->arena, text, size);
	free(text);
	return copy;
}
