/*
 * The plugins of the scheduler framework under their names, and the units that
 * are their rules.
 */
#ifndef CONFIGURATION_PLUGINS_H
#define CONFIGURATION_PLUGINS_H

#include "framework/extension_point.h"
#include "framework/profile.h"

/* The most predicates that are one plugin. */
#define PLUGIN_FILTERS 2

struct plugin_row {
	const char *name;
	unsigned points; /* a set of those that it implements */
	const struct predicate *filters[PLUGIN_FILTERS]; /* may be NULL */
	const struct priority *score;
	const struct prefilter *prefilter;
	/* By default: its weight, where it scores, and whether it is enabled.
	 * Release 20 has default lists per point instead (default_plugins()). */
	int32_t weight;
	bool enabled;
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

/* The names in the default list of 1.20 for this point, NULL after the last.
 * Weights are in the table. */
const char *const *default_plugins(enum extension_point point);

#endif
