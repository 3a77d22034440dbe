/*
 * The plugins of kube-scheduler 1.20 and 1.36
 * (doc/semantics/12-kube-1.20.md, Defaults; doc/semantics/11-kube-1.36.md,
 * Defaults).
 */
#include "config.h"

#include "configuration/plugins.h"

/* Derived from the plugins when one is asked for first. */
static struct rows {
	size_t n;
	struct plugin_row at[PLUGINS];
} rows[VOCABULARIES];

static void
add_row(struct rows *list, const struct plugin *plugin,
    enum vocabulary vocabulary)
{
	struct plugin_row *row = &list->at[list->n++];

	*row = (struct plugin_row){ .name = plugin->name,
		.plugin = plugin,
		.points = plugin->points[vocabulary],
		.weight = plugin->weight[vocabulary] };
	memcpy(row->filters, plugin->filters, sizeof(row->filters));
	if (plugin->second_is_later && vocabulary == EARLY)
		row->filters[1] = NULL;
}

const struct plugin_row *
plugins_of(int vocabulary, size_t *n)
{
	enum vocabulary which = vocabulary < 36 ? EARLY : LATER;
	struct rows *list = &rows[which];

	for (size_t i = list->n > 0 ? PLUGINS : 0; i < PLUGINS; i++)
		if (all_plugins[i]->points[which] != 0)
			add_row(list, all_plugins[i], which);
	*n = list->n;
	return list->at;
}

const struct plugin_row *
plugin_find(int vocabulary, const char *name)
{
	size_t n;
	const struct plugin_row *plugins = plugins_of(vocabulary, &n);

	return FIND_ROW(plugins, n, name, name);
}

/* Lists of 1.20 that are in another order than the plugins; it has no others of
 * these at the points. */
static const enum plugin_number early_order[NPOINTS][16] = {
	[POINT_PRE_FILTER] = { PLUGIN_NODE_RESOURCES_FIT, PLUGIN_NODE_PORTS,
	    PLUGIN_POD_TOPOLOGY_SPREAD, PLUGIN_INTER_POD_AFFINITY,
	    PLUGIN_VOLUME_BINDING, PLUGIN_NODE_AFFINITY },
	[POINT_PRE_SCORE] = { PLUGIN_INTER_POD_AFFINITY,
	    PLUGIN_POD_TOPOLOGY_SPREAD, PLUGIN_TAINT_TOLERATION,
	    PLUGIN_NODE_AFFINITY },
	[POINT_SCORE] = { PLUGIN_BALANCED_ALLOCATION, PLUGIN_IMAGE_LOCALITY,
	    PLUGIN_INTER_POD_AFFINITY, PLUGIN_LEAST_ALLOCATED,
	    PLUGIN_NODE_AFFINITY, PLUGIN_NODE_PREFER_AVOID_PODS,
	    PLUGIN_POD_TOPOLOGY_SPREAD, PLUGIN_TAINT_TOLERATION },
};

const char *
default_plugin(enum extension_point point, size_t i)
{
	const enum plugin_number *order = early_order[point];
	size_t n;
	const struct plugin_row *plugins = plugins_of(20, &n);

	if (order[0] != PLUGIN_OTHER)
		return order[i] != PLUGIN_OTHER ? all_plugins[order[i]]->name :
						  NULL;
	for (size_t j = 0; j < n; j++)
		if (plugins[j].plugin->enabled &&
		    (plugins[j].points & POINT_BIT(point)) != 0 && i-- == 0)
			return plugins[j].name;
	return NULL;
}

bool
plugin_is_of(const struct plugin_row *row, int release)
{
	const struct plugin *plugin = row->plugin;

	return release >= plugin->first &&
	    (plugin->last == 0 || release <= plugin->last);
}

bool
plugin_is_default(const struct plugin_row *row, int release)
{
	return row->plugin->enabled && plugin_is_of(row, release) &&
	    release >= row->plugin->enabled_from;
}

bool
plugin_extends(const struct plugin_row *row, int release,
    enum extension_point point)
{
	const struct plugin *plugin = row->plugin;

	for (size_t i = 0; i < LENGTH(plugin->since); i++)
		if (release < plugin->since[i].first &&
		    (plugin->since[i].points & POINT_BIT(point)) != 0)
			return false;
	return (row->points & POINT_BIT(point)) != 0;
}
