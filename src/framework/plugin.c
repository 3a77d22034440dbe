#include "config.h"

#include "framework/plugin.h"

/* The plugins that have no rule of ours. */

const struct plugin plugin_other = { .name = "Other", .of_pods = true };

const struct plugin plugin_priority_sort = {
	.name = "PrioritySort",
	.points = EARLY_AND_LATER(AT_POINT(QUEUE_SORT)),
	.enabled = true,
};

const struct plugin plugin_default_binder = {
	.name = "DefaultBinder",
	.points = EARLY_AND_LATER(AT_POINT(BIND)),
	.enabled = true,
};

/* Of pod groups, which we do not have. */

const struct plugin plugin_gang_scheduling = {
	.name = "GangScheduling",
	.points = { 0, AT_POINT(PRE_ENQUEUE) | AT_POINT(PERMIT) },
	.first = 35,
};

const struct plugin plugin_topology_placement_generator = {
	.name = "TopologyPlacementGenerator",
	.points = { 0, AT_POINT(PLACEMENT_GENERATE) },
	.first = 36,
};

const struct plugin plugin_pod_group_pods_count = {
	.name = "PodGroupPodsCount",
	.points = { 0, AT_POINT(PLACEMENT_SCORE) },
	.weight = { 0, 1 },
	.first = 36,
};

const struct plugin *const all_plugins[PLUGINS] = {
#define PLUGIN(number, x) [PLUGIN_##number] = &plugin_##x,
#include "framework/rule_table.h"
};

enum plugin_number
plugin_number(const struct plugin *plugin)
{
	enum plugin_number i = PLUGINS;

	while (--i > PLUGIN_OTHER && all_plugins[i] != plugin)
		;
	return i;
}
