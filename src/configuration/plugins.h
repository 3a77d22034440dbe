/*
 * The plugins of a vocabulary, under their names (framework/plugin.h).
 */
#ifndef CONFIGURATION_PLUGINS_H
#define CONFIGURATION_PLUGINS_H

#include "framework/plugin.h"
#include "framework/profile.h"

/* vocabulary: profile->vocabulary; 20 or 36. */
static inline enum vocabulary
vocabulary_of(int vocabulary)
{
	return vocabulary < 36 ? EARLY : LATER;
}

/* NULL: the vocabulary has none of this name. */
const struct plugin *plugin_find(enum vocabulary vocabulary, const char *name);
/* Whether the release has it; whether it enables it by default at multiPoint. */
bool plugin_is_of(const struct plugin *plugin, int release);
bool plugin_is_default(const struct plugin *plugin, int release);
/* Whether it implements the point in the release. */
bool plugin_extends(const struct plugin *plugin, enum vocabulary vocabulary,
    int release, enum extension_point point);

/* The i-th in the default list of 1.20 for this point; NULL: it has not so many. */
const struct plugin *default_plugin(enum extension_point point, size_t i);

#endif
