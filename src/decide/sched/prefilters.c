#include "config.h"

#include "decide/sched/prefilters.h"

#include "decide/framework/profile.h"
#include "objects/changes.h"
#include "decide/sched/cells.h"

bool
prefilters_run(struct cycle *cycle, struct decision *d)
{
	const struct profile *profile = cycle->profile;
	struct why why = { .arena = cycle->arena };
	struct why last = { .arena = cycle->arena };
	enum verdict verdict = FITS;

	for (size_t i = 0; i < profile->nprefilters; i++) {
		const struct profile_prefilter *prefilter =
		    &profile->prefilters[i];
		enum verdict own;

		why.n = 0;
		why.plugin = (uint8_t)plugin_number(prefilter->plugin);
		cycle->plugin = prefilter->name;
		cycle->point = POINT_PRE_FILTER;
		own =
		    prefilter->plugin->pre_filter(cycle, prefilter->args, &why);
		cycle->plugin = NULL;
		if (own == FITS)
			continue;
		verdict = own;
		d->rejected_by = &profile->prefilters[i];
		last = why;
		why = (struct why){ .arena = cycle->arena };
		if (own != UNFIT || profile->release < SINCE_PREFILTER_ALL_RUN)
			break;
	}
	if (verdict != FITS && verdict != BROKEN) {
		cells_each_node(cycle, d);
		d->why = last;
		for (uint32_t i = 0; i < d->ncells; i++) {
			d->verdicts[i].verdict = verdict;
			d->verdicts[i].nreasons = (uint32_t)last.n;
		}
		cells_list_fitting(cycle, d);
	}
	return verdict == FITS;
}
