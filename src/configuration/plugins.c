/*
 * The plugins of kube-scheduler 1.20 and 1.36
 * (doc/semantics/12-kube-1.20.md, Defaults; doc/semantics/11-kube-1.36.md,
 * Defaults).
 */
#include "config.h"

#include "configuration/plugins.h"

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
#include "framework/rule_table.h"
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
	for (size_t i = 0; i < LENGTH(plugin->since); i++)
		if (release < plugin->since[i].first &&
		    (plugin->since[i].points & POINT_BIT(point)) != 0)
			return false;
	return (plugin->points[vocabulary] & POINT_BIT(point)) != 0;
}
