/*
 * ServiceSpreadingPriority: an older name of SelectorSpreadPriority.
 *
 * Intended for Services alone, but kube-scheduler 1.15 computes the selectors
 * once per pod, and passes those of all kinds to both priorities.
 */
#include "config.h"

#include "priorities/registry.h"
#include "priorities/spreading.h"

const struct priority priority_service_spreading_priority = {
	.name = "ServiceSpreadingPriority",
	.reads = READS_CLUSTER,
	.prepare = spread_prepare,
	.columns = spread_columns,
	.score = spread_score,
	.score_block = spread_score_block,
	.reduce = spread_reduce,
};
