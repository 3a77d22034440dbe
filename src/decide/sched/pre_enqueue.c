#include "config.h"

#include "decide/sched/pre_enqueue.h"

#include "decide/framework/profile.h"

enum verdict
pre_enqueue(struct cycle *cycle, const struct profile_prefilter *plugin,
    struct why *why)
{
	return plugin->plugin->pre_enqueue(cycle, plugin->args, why);
}

const char *
pre_enqueue_refusal(struct cycle *cycle)
{
	const struct profile *profile = cycle->profile;

	for (size_t i = 0; i < profile->nenqueues; i++) {
		struct why why = { .arena = cycle->arena };

		if (pre_enqueue(cycle, &profile->enqueues[i], &why) != FITS)
			return arena_join(cycle->arena, why.n, why.reasons,
			    ", ");
	}
	return NULL;
}
