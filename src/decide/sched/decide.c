/*
 * decide(): filter one node of each cell, score one of each cell that fits, pick.
 *
 * All nodes are examined, unless a sample is enough, and every node that fits is
 * scored.  The stages are those of kube-scheduler 1.15's Schedule(); the seed breaks
 * ties, not a round robin.
 */
#include "config.h"

#include "decide/sched/decide.h"

#include "base/hash.h"
#include "decide/ecache/ecache.h"
#include "decide/framework/profile.h"
#include "objects/changes.h"
#include "decide/sched/cells.h"
#include "decide/sched/extension_apply.h"
#include "decide/sched/filter.h"
#include "decide/sched/prefilters.h"
#include "decide/sched/score.h"

/* The pod is within the limits (objects/limits.h); with a policy also: the claims that
 * its volumes name exist and are not being deleted. */
static const char *
basic_checks(struct cycle *cycle)
{
	const struct pod_class *class = cycle->class;

	if (class->over_limit != NULL ||
	    cycle->profile->release >= SINCE_FRAMEWORK)
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

/*
 * Ties: the seed determines an index among all nodes with the highest total, in
 * order of their names' hashes.  Fair, and independent of the order in which nodes
 * were added.
 */
static uint32_t
tie_breaker(const struct cycle *cycle, uint32_t nbest)
{
	return (uint32_t)(hash_mix(cycle->seed + 1) % nbest);
}

/* The best nodes, from the buckets of cached cells. */
static uint32_t
pick_of_lists(struct cycle *cycle, struct decision *d)
{
	struct node_span *spans =
	    arena_alloc(cycle->arena, d->nfitting * sizeof(*spans));
	size_t n = 0;

	for (uint32_t i = 0; i < d->nfitting; i++)
		if (d->totals[i] == d->best_total) {
			const struct score_bucket *best = cells_best(d, i);

			spans[n].nodes = best->nodes;
			spans[n++].n = best->n;
			d->nbest += best->n;
		}
	return partition_pick(cycle->cluster, spans, n,
	    tie_breaker(cycle, d->nbest));
}

/* The best cells, each of which is one node. */
static uint32_t
pick_of_nodes(struct cycle *cycle, struct decision *d)
{
	const uint32_t *at = cluster_order(cycle->cluster);
	const int64_t *totals = d->totals, most = d->best_total;
	uint8_t *best = arena_array(cycle->arena, uint8_t, d->nnodes);
	uint32_t n = d->nfitting, left, one = 0;

	for (uint32_t i = 0; i < n; i++)
		if (totals[i] == most) {
			one = d->feasible[i];
			best[one] = 1;
			d->nbest++;
		}
	if (d->nbest == 1)
		return one;
	for (left = tie_breaker(cycle, d->nbest); left > 0 || best[*at] == 0;
	     at++)
		left -= best[*at];
	return *at;
}

/* The node that the pod is nominated to, if it must go there, and no node is scored;
 * else NULL. */
static const struct node_info *
nominated_node(const struct cycle *cycle, const struct decision *d)
{
	const struct node_info *node;

	if (cycle->pod->nominated == SYM_EMPTY ||
	    cycle_release(cycle) < SINCE_NOMINATED_FIRST)
		return NULL;
	node = cluster_node(cycle->cluster, cycle->pod->nominated);
	if (node == NULL || node->index == NODE_INDEX_NONE ||
	    decision_verdict(d, node->index)->verdict != FITS)
		return NULL;
	return node;
}

static void
report_filtered(const struct cycle *cycle)
{
	if (cycle->filtered != NULL)
		cycle->filtered(cycle->filtered_arg);
}

/* The attempt fails as a whole: there are no verdicts. */
static void
fail(struct decision *d, const char *error)
{
	d->error = error;
	d->ncells = 0;
	d->nfitting = d->nfeasible = 0;
	d->chosen = NULL;
}

void
decision_abandon(struct cycle *cycle, struct decision *d)
{
	if (d->kept != NULL)
		ecache_abandon(cycle->ecache, d->kept);
	d->kept = NULL;
	d->abandoned = true;
	fail(d, "the decision was abandoned");
}

static void
filter(struct cycle *cycle, struct decision *d)
{
	filter_cells(d->filter, d);
	extension_filter(cycle, d);
	cells_list_fitting(cycle, d);
}

/* False: the decision was abandoned, or a rule failed. */
static bool
decide_over_cells(struct cycle *cycle, struct decision *d)
{
	const struct node_info *nominated;
	int64_t most;
	uint32_t at;

	filter(cycle, d);
	if (cycle_is_cancelled(cycle))
		return false;
	nominated = nominated_node(cycle, d);
	/* then plugins check no other node */
	if (nominated != NULL && cycle->profile->release >= SINCE_FRAMEWORK)
		cycle->nerrors = 0;
	if (cycle->nerrors > 0) {
		fail(d, cycle_errors(cycle, true));
		return false;
	}
	report_filtered(cycle);
	score(cycle, d);
	if (cycle_is_cancelled(cycle))
		return false;
	/* the reference does not score a single node */
	if (cycle->nerrors > 0 && nominated == NULL &&
	    (d->nfeasible > 1 || !d->each_node)) {
		fail(d, cycle_errors(cycle, false));
		return false;
	}
	if (d->nfitting != 0) {
		most = d->totals[0];
		for (uint32_t i = 1; i < d->nfitting; i++)
			most = d->totals[i] > most ? d->totals[i] : most;
		d->best_total = most;
		d->nbest = 0;
		at = d->each_node ? pick_of_nodes(cycle, d) :
				    pick_of_lists(cycle, d);
		d->chosen = cycle->cluster->nodes[at];
	}
	if (nominated != NULL) {
		d->chosen = nominated;
		d->nominated = true;
		d->nbest = 1;
	}
	return true;
}

struct decision *
decide(struct cycle *cycle)
{
	struct decision *d = arena_array(cycle->arena, struct decision, 1);

	d->nnodes = d->nexamined = cycle->cluster->nnodes;
	d->error = basic_checks(cycle);
	if (d->error == NULL && d->nnodes == 0)
		d->error = "no nodes available to schedule pods";
	if (d->error != NULL)
		return d;

	d->filter = filter_new(cycle);
	if (!prefilters_run(cycle, d)) {
		if (cycle->nerrors > 0)
			fail(d, cycle_errors(cycle, true));
		else
			report_filtered(cycle);
		return d;
	}
	/* cached results cover all nodes */
	if (cycle->ecache != NULL && filter_enough(cycle) == d->nnodes)
		d->kept = ecache_class_of(cycle->ecache, cycle);
	if (d->kept != NULL)
		filter_use(d->filter, d->kept);
	if (!cycle_is_cancelled(cycle) && cells_shared(cycle, d) &&
	    decide_over_cells(cycle, d))
		return d;
	/* the text of an error counts its nodes */
	cycle->nerrors = 0;
	d->error = NULL;
	if (!cycle_is_cancelled(cycle)) {
		cells_each_node(cycle, d);
		decide_over_cells(cycle, d);
	}
	if (cycle_is_cancelled(cycle))
		decision_abandon(cycle, d);
	return d;
}

void
decision_spell_out(struct cycle *cycle, struct decision *d)
{
	if (d->each_node || d->error != NULL)
		return;
	cells_each_node(cycle, d);
	filter(cycle, d);
	if (!cycle_is_cancelled(cycle))
		score(cycle, d);
	if (cycle_is_cancelled(cycle))
		decision_abandon(cycle, d);
}

/* Whether this node is one of the best, whose total is known. */
static bool
is_best(const struct decision *d, uint32_t at)
{
	for (uint32_t i = 0; i < d->nfitting; i++) {
		const uint32_t *nodes = &d->feasible[i];
		uint32_t n = 1;

		if (d->totals[i] != d->best_total)
			continue;
		if (!d->each_node) {
			nodes = cells_best(d, i)->nodes;
			n = cells_best(d, i)->n;
		}
		for (uint32_t j = 0; j < n; j++)
			if (nodes[j] == at)
				return true;
	}
	return false;
}

void
decision_stay(struct decision *d, const struct cluster *cluster, sym name)
{
	const struct node_info *node = NULL;

	if (d->chosen != NULL && d->nbest > 1)
		node = cluster_node(cluster, name);
	if (node != NULL && is_best(d, node->index))
		d->chosen = node;
}
