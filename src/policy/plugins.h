/*
 * The plugins of the scheduler framework under their names, and the units that
 * are their rules.
 */
#ifndef POLICY_PLUGINS_H
#define POLICY_PLUGINS_H

#include <stdint.h>

#include "framework/extension_point.h"
#include "framework/profile.h"

struct policy_options;

/* The most predicates that are one plugin. */
#define PLUGIN_FILTERS 2

struct plugin {
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

/* The plugins that a release (20 or 36) knows; *n of them, in the order of the
 * default multiPoint list. */
const struct plugin *plugins_of(int release, size_t *n);
/* NULL: the release has none of this name. */
const struct plugin *plugin_find(int release, const char *name);

/* The names in the default list of 1.20 for this point, NULL after the last.
 * Weights are in the table. */
const char *const *default_plugins(enum extension_point point);

/* A plugin in an effective list, and where the configuration names it. */
struct configured_plugin {
	const struct plugin *plugin;
	int32_t weight;
	unsigned line, column; /* 0: by default */
};

/* A profile of a configuration, after merging with the defaults. */
struct configured_profile {
	int release;
	const char *scheduler_name;
	struct {
		size_t n;
		struct configured_plugin *at;
	} points[NPOINTS];
	size_t nargs;
	struct configured_args {
		const struct plugin *plugin;
		const void *args; /* struct …_args of framework/args.h */
	} * args;
	int64_t percentage_of_nodes; /* -1: not said */
	const char *plugin_config;   /* final arguments as JSON */
};

/* For vocabularies without PreEnqueue: SchedulingGates alone keeps pods out of the
 * queue, as the API server does not bind a pod with scheduling gates. */
void profile_hold_gated_pods(struct profile *profile);

/*
 * The profile whose units are these plugins.  Texts are copied, args are not: they
 * must be in the arena (which the profile takes over).  You own it.
 */
struct profile *profile_of_plugins(struct arena *arena,
    const struct configured_profile *configured,
    const struct policy_options *options);

#endif
