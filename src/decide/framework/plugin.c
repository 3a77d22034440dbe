#include "config.h"

#include "decide/framework/plugin.h"

/* The plugins that have no rule of ours (doc/semantics/12-kube-1.20.md, Defaults;
 * doc/semantics/11-kube-1.36.md, Defaults). */

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
#include "decide/framework/rule_table.h"
};

enum plugin_number
plugin_number(const struct plugin *plugin)
{
	enum plugin_number i = PLUGINS;

	while (--i > PLUGIN_OTHER && all_plugins[i] != plugin)
		;
	return i;
}

const struct plugin *
plugin_find(enum vocabulary vocabulary, const char *name)
{
	for (size_t i = 0; i < PLUGINS; i++)
		if (all_plugins[i]->points[vocabulary] != 0 &&
		    strcmp(all_plugins[i]->name, name) == 0)
			return all_plugins[i];
	return NULL;
}

static const enum plugin_number early_order[NPOINTS][16] = {
#define EARLY_LIST(point, ...) [POINT_##point] = { __VA_ARGS__ },
#include "decide/framework/rule_table.h"
};

const struct plugin *
default_plugin(enum extension_point point, size_t i)
{
	const enum plugin_number *order = early_order[point];

	if (order[0] != PLUGIN_OTHER)
		return order[i] != PLUGIN_OTHER ? all_plugins[order[i]] : NULL;
	for (size_t j = 0; j < PLUGINS; j++)
		if (all_plugins[j]->enabled &&
		    (all_plugins[j]->points[EARLY] & POINT_BIT(point)) != 0 &&
		    i-- == 0)
			return all_plugins[j];
	return NULL;
}

bool
plugin_is_of(const struct plugin *plugin, int release)
{
	return release >= plugin->first &&
	    (plugin->last == 0 || release <= plugin->last);
}

bool
plugin_is_default(const struct plugin *plugin, int release)
{
	return plugin->enabled && plugin->points[LATER] != 0 &&
	    plugin_is_of(plugin, release) && release >= plugin->enabled_from;
}

bool
plugin_extends(const struct plugin *plugin, enum vocabulary vocabulary,
    int release, enum extension_point point)
{
	return (plugin->points[vocabulary] & POINT_BIT(point)) != 0 &&
	    !ANY(i, LENGTH(plugin->since),
		release < plugin->since[i].first &&
		    (plugin->since[i].points & POINT_BIT(point)) != 0);
}
