#include "config.h"

#include "decide/sched/extension_apply.h"

#include "decide/framework/extension.h"
#include "objects/resources.h"
#include "decide/sched/decision.h"

static void
apply_refusal(struct cycle *cycle, struct decision *d,
    const struct extension_refusal *refusal)
{
	const struct node_info *node =
	    cluster_node(cycle->cluster, refusal->node);
	struct node_verdict *v = &d->unknown;
	struct why *why;
	uint32_t first;

	if (node != NULL && node->node != NULL)
		v = &d->verdicts[node->index];
	if (v != &d->unknown && v->verdict == FITS)
		return;
	v->step = STEP_EXTENDER;
	if (refusal->forever)
		v->verdict = UNFIT_FOREVER;
	/* A verdict's reasons must be contiguous: moves them to the end if
	 * necessary. */
	why = &d->why;
	first = (uint32_t)why->n;
	if (v->first_reason + v->nreasons != why->n) {
		for (uint32_t i = 0; i < v->nreasons; i++)
			why_add_of(why, why, v->first_reason + i);
		v->first_reason = first;
	}
	why->plugin = PLUGIN_OTHER;
	why_add(why, refusal->reason);
	v->nreasons++;
}

void
extension_filter(struct cycle *cycle, struct decision *d)
{
	const struct extension *e = cycle->extension;

	if (e == NULL || !e->filtered)
		return;
	for (uint32_t i = 0; i < d->nnodes; i++)
		if (d->verdicts[i].verdict == FITS &&
		    map_get(&e->left, cycle->cluster->nodes[i]->name) == NULL)
			d->verdicts[i] =
			    (struct node_verdict){ .verdict = UNFIT,
				    .step = STEP_EXTENDER };
	for (size_t i = 0; i < e->nrefusals; i++)
		apply_refusal(cycle, d, &e->refusals[i]);
}

void
extension_add_scores(struct cycle *cycle, struct decision *d)
{
	const struct extension *e = cycle->extension;

	if (e == NULL)
		return;
	for (uint32_t i = 0; i < d->nfitting; i++) {
		const int64_t *score = map_get(&e->scores,
		    cycle->cluster->nodes[d->feasible[i]]->name);

		if (score != NULL)
			d->totals[i] = wrap_add(d->totals[i], *score);
	}
}
