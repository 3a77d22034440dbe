/*
 * The plugins of a vocabulary, under their names (framework/plugin.h).
 */
#ifndef CONFIGURATION_PLUGINS_H
#define CONFIGURATION_PLUGINS_H

#include "framework/plugin.h"
#include "framework/profile.h"

/* A plugin in a vocabulary. */
struct plugin_row {
	const char *name;
	const struct plugin *plugin;
	unsigned points; /* of its own, those in the vocabulary */
	int32_t weight;
	/* May be NULL. */
	const struct predicate *filters[PLUGIN_FILTERS];
};

/* The plugins of a vocabulary (profile->vocabulary, 20 or 36); *n of them, in the
 * order of the default multiPoint list. */
const struct plugin_row *plugins_of(int vocabulary, size_t *n);
/* NULL: the vocabulary has none of this name. */
const struct plugin_row *plugin_find(int vocabulary, const char *name);
/* Whether the release has it; whether it enables it by default. */
bool plugin_is_of(const struct plugin_row *plugin, int release);
bool plugin_is_default(const struct plugin_row *plugin, int release);
/* Whether it implements the point in the release. */
bool plugin_extends(const struct plugin_row *plugin, int release,
    enum extension_point point);

/* The i-th name in the default list of 1.20 for this point; NULL: it has not so
 * many. */
const char *default_plugin(enum extension_point point, size_t i);

#endif
