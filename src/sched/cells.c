#include "config.h"

#include "sched/cells.h"

#include <string.h>

#include "ecache/cut.h"
#include "ecache/memo.h"
#include "framework/profile.h"
#include "sched/decision.h"
#include "sched/filter.h"

/* Forgets earlier cells.  Cached refusals count their reasons from the start. */
static void
begin(struct cycle *cycle, struct decision *d)
{
	const struct memo_class *kept = d->kept;

	d->why = (struct why){ .arena = cycle->arena };
	for (size_t i = 0; kept != NULL && i < kept->kin->why.n; i++)
		why_add(&d->why, kept->kin->why.reasons[i]);
	d->cut = NULL;
	d->napart = 0;
	d->ncells = 0;
}

static void
make_room(struct cycle *cycle, struct decision *d, uint32_t n)
{
	d->cells = arena_alloc(cycle->arena, n * sizeof(*d->cells));
	d->verdicts = arena_array(cycle->arena, struct node_verdict, n);
}

static void
add_cell(struct decision *d, uint32_t node, uint32_t n, uint32_t group)
{
	d->cells[d->ncells++] =
	    (struct cell){ .node = node, .n = n, .group = group };
}

void
cells_each_node(struct cycle *cycle, struct decision *d)
{
	begin(cycle, d);
	d->each_node = true;
	make_room(cycle, d, d->nnodes);
	for (uint32_t i = 0; i < d->nnodes; i++)
		add_cell(d, i, 1, MEMO_GROUP_NONE);
}

/* Whether all priorities can be asked about cells. */
static bool
scores_by_cell(const struct profile *profile)
{
	for (size_t i = 0; i < profile->npriorities; i++)
		if (profile->priorities[i].unit->reads == READS_CLUSTER &&
		    profile->priorities[i].unit->following == NULL)
			return false;
	return true;
}

/* Nodes whose nominated pods keep the pod out. */
struct apart {
	uint32_t n;
	struct cell *cells;
	struct node_verdict *verdicts;
};

/* Has these nodes leave the cached partition.  False: an error. */
static bool
set_nominated_apart(struct cycle *cycle, struct decision *d,
    struct apart *apart)
{
	const struct cluster *cluster = cycle->cluster;
	uint32_t most = cluster->nnominated_to;

	*apart = (struct apart){
		.cells = arena_alloc(cycle->arena, most * sizeof(struct cell)),
		.verdicts =
		    arena_alloc(cycle->arena, most * sizeof(*apart->verdicts)),
	};
	for (uint32_t i = 0; i < most; i++) {
		const struct node_info *node = cluster->nominated_to[i];
		struct node_verdict v = { FITS, (uint32_t)d->why.n, 0 };

		if (node->node == NULL || !filter_yields(d->filter, node))
			continue;
		v.verdict = filter_node(d->filter, node, false, &d->why);
		v.nreasons = (uint32_t)d->why.n - v.first_reason;
		if (v.verdict == BROKEN)
			return false;
		if (v.verdict == FITS)
			continue;
		memo_set_apart(cycle->memo, d->kept, node->index);
		apart->cells[apart->n] = (struct cell){ .node = node->index,
			.n = 1,
			.group = MEMO_GROUP_NONE,
			.decided = true };
		apart->verdicts[apart->n++] = v;
	}
	return true;
}

/* Whether a predicate whose answers are not kept is ever asked. */
static bool
needs_cut(struct decision *d)
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
distinguish(void *filter, struct kinds *kinds)
{
	return filter_tell_apart(filter, kinds);
}

static void
add_groups(struct cycle *cycle, struct decision *d,
    const struct memo_groups *groups)
{
	d->cell_of_group =
	    arena_alloc(cycle->arena, groups->n * sizeof(*d->cell_of_group));
	for (uint32_t i = 0; i < groups->n; i++) {
		const struct memo_group *group = groups->at[i];

		d->cell_of_group[i] = d->ncells;
		if (group != NULL)
			add_cell(d, group->buckets[0].nodes[0], group->n, i);
	}
}

bool
cells_shared(struct cycle *cycle, struct decision *d)
{
	const struct memo_groups *groups;
	struct apart apart;

	if (d->kept == NULL || !d->kept->complete || cycle->extension != NULL ||
	    !scores_by_cell(cycle->profile))
		return false;
	begin(cycle, d);
	d->each_node = false;
	if (!set_nominated_apart(cycle, d, &apart))
		return false;
	groups = &d->kept->sorting->groups;
	if (needs_cut(d)) {
		d->cut = cut_new(cycle, groups, distinguish, d->filter);
		if (d->cut == NULL)
			return false;
		make_room(cycle, d, d->cut->n + apart.n);
		for (uint32_t i = 0; i < d->cut->n; i++)
			add_cell(d, d->cut->at[i].first, d->cut->at[i].n,
			    d->cut->at[i].group);
	} else {
		make_room(cycle, d, groups->n + apart.n);
		add_groups(cycle, d, groups);
	}
	d->napart = apart.n;
	for (uint32_t i = 0; i < apart.n; i++) {
		d->verdicts[d->ncells] = apart.verdicts[i];
		d->cells[d->ncells++] = apart.cells[i];
	}
	return true;
}

static uint32_t
cell_of(const struct decision *d, uint32_t node)
{
	uint32_t group, cell = d->ncells - d->napart;

	if (d->each_node)
		return node;
	group = d->kept->sorting->groups.of[node];
	if (group != MEMO_GROUP_NONE)
		return d->cut != NULL ? d->cut->of[node] :
					d->cell_of_group[group];
	while (d->cells[cell].node != node)
		cell++;
	return cell;
}

const struct node_verdict *
decision_verdict(const struct decision *d, uint32_t node)
{
	return &d->verdicts[cell_of(d, node)];
}

static void
add_fitting(struct decision *d, uint32_t cell, const struct memo_bucket *best)
{
	d->feasible[d->nfitting] = cell;
	d->times[d->nfitting] = d->cells[cell].n;
	if (best != NULL)
		d->best[d->nfitting] = best;
	d->nfitting++;
}

/* Cells that were cut from one group score alike: they are one again. */
static void
join_cut(struct cycle *cycle, struct decision *d)
{
	const struct memo_groups *groups = d->cut->groups;
	uint32_t *place = arena_array(cycle->arena, uint32_t, groups->n);

	for (uint32_t i = 0; i < d->ncells; i++) {
		uint32_t group = d->cells[i].group;

		if (d->verdicts[i].verdict != FITS)
			continue;
		if (place[group] == 0) {
			add_fitting(d, i, NULL);
			place[group] = d->nfitting;
		} else {
			d->times[place[group] - 1] += d->cells[i].n;
		}
	}
	for (uint32_t i = 0; i < d->nfitting; i++) {
		uint32_t group = d->cells[d->feasible[i]].group;

		d->best[i] = d->times[i] == groups->at[group]->n ?
		    &groups->at[group]->buckets[0] :
		    cut_best(d->cut, cycle->arena, group, d->verdicts);
	}
}

void
cells_list_fitting(struct cycle *cycle, struct decision *d)
{
	const struct memo_groups *groups =
	    d->each_node ? NULL : &d->kept->sorting->groups;
	size_t n = d->ncells;

	d->nfitting = d->nfeasible = 0;
	d->feasible = arena_alloc(cycle->arena, n * sizeof(*d->feasible));
	d->times = arena_alloc(cycle->arena, n * sizeof(*d->times));
	d->best = d->each_node ?
	    NULL :
	    arena_alloc(cycle->arena, n * sizeof(struct memo_bucket *));
	if (d->cut != NULL) {
		join_cut(cycle, d);
	} else {
		for (uint32_t i = 0; i < d->ncells; i++)
			if (d->verdicts[i].verdict == FITS)
				add_fitting(d, i,
				    groups == NULL ?
					NULL :
					&groups->at[d->cells[i].group]
					     ->buckets[0]);
	}
	for (uint32_t i = 0; i < d->nfitting; i++)
		d->nfeasible += d->times[i];
}
