#include "config.h"

#include "sched/prefilters.h"

#include "framework/profile.h"
#include "model/changes.h"
#include "sched/cells.h"

static enum verdict
run(struct cycle *cycle, const struct profile_prefilter *prefilter,
    struct why *why)
{
	enum verdict verdict;

	why->n = 0;
	why->plugin = (uint8_t)plugin_number(prefilter->plugin);
	cycle->plugin = prefilter->name;
	cycle->point = POINT_PRE_FILTER;
	verdict = prefilter->plugin->pre_filter(cycle, prefilter->args, why);
	cycle->plugin = NULL;
	return verdict;
}

static void
reject_everywhere(struct cycle *cycle, struct decision *d, enum verdict verdict,
    const struct why *why)
{
	cells_each_node(cycle, d);
	d->why = *why;
	for (uint32_t i = 0; i < d->ncells; i++) {
		d->verdicts[i].verdict = verdict;
		d->verdicts[i].nreasons = (uint32_t)why->n;
	}
	cells_list_fitting(cycle, d);
}

bool
prefilters_run(struct cycle *cycle, struct decision *d)
{
	const struct profile *profile = cycle->profile;
	struct why why = { .arena = cycle->arena };
	struct why last = { .arena = cycle->arena };
	enum verdict verdict = FITS;

	for (size_t i = 0; i < profile->nprefilters; i++) {
		enum verdict own = run(cycle, &profile->prefilters[i], &why);

		if (own == FITS)
			continue;
		verdict = own;
		d->rejected_by = &profile->prefilters[i];
		last = why;
		why = (struct why){ .arena = cycle->arena };
		if (own != UNFIT || profile->release < SINCE_PREFILTER_ALL_RUN)
			break;
	}
	if (verdict != FITS && verdict != BROKEN)
		reject_everywhere(cycle, d, verdict, &last);
	return verdict == FITS;
}
