/* A profile from the effective plugin lists of a configuration. */
#include "config.h"

#include <string.h>

#include "base/xmalloc.h"
#include "framework/args.h"
#include "policy/plugins.h"
#include "policy/policy.h"
#include "predicates/registry.h"

#define PLUGIN_SCORE_MAX 100

struct making {
	struct profile *profile;
	const struct configured_profile *configured;
};

static const char *
keep(struct making *m, const char *text)
{
	return arena_strndup(&m->profile->arena, text, strlen(text));
}

static const void *
args_of(const struct making *m, const struct plugin *plugin)
{
	for (size_t i = 0; i < m->configured->nargs; i++)
		if (m->configured->args[i].plugin == plugin)
			return m->configured->args[i].args;
	return NULL;
}

static bool
is_enabled(const struct making *m, enum extension_point point, const char *name)
{
	for (size_t i = 0; i < m->configured->points[point].n; i++)
		if (strcmp(m->configured->points[point].at[i].plugin->name,
			name) == 0)
			return true;
	return false;
}

static void
list_points(struct making *m)
{
	for (int p = 0; p < NPOINTS; p++) {
		size_t n = m->configured->points[p].n;
		struct profile_plugin *list =
		    arena_array(&m->profile->arena, struct profile_plugin, n);

		for (size_t i = 0; i < n; i++) {
			const struct configured_plugin *c =
			    &m->configured->points[p].at[i];

			list[i].name = keep(m, c->plugin->name);
			list[i].weight =
			    p == POINT_SCORE || p == POINT_PLACEMENT_SCORE ?
			    c->weight :
			    0;
		}
		m->profile->points[p].n = n;
		m->profile->points[p].plugins = list;
	}
}

static void
make_prefilters(struct making *m)
{
	struct profile *profile = m->profile;
	size_t n = m->configured->points[POINT_PRE_FILTER].n;

	profile->prefilters =
	    arena_array(&profile->arena, struct profile_prefilter, n);
	for (size_t i = 0; i < n; i++) {
		const struct plugin *plugin =
		    m->configured->points[POINT_PRE_FILTER].at[i].plugin;

		if (plugin->prefilter != NULL)
			profile->prefilters[profile->nprefilters++] =
			    (struct profile_prefilter){
				    .unit = plugin->prefilter,
				    .args = args_of(m, plugin),
				    .name = keep(m, plugin->name),
			    };
	}
}

static void
add_predicate(struct making *m, const struct predicate *unit, const char *name,
    const struct configured_plugin *from)
{
	m->profile->predicates[m->profile->npredicates++] =
	    (struct profile_predicate){
		    .unit = unit,
		    .args = from != NULL ? args_of(m, from->plugin) : NULL,
		    .name = keep(m, name),
		    .line = from != NULL ? from->line : 0,
		    .column = from != NULL ? from->column : 0,
		    .later = from == NULL,
	    };
}

static void
make_predicates(struct making *m)
{
	struct profile *profile = m->profile;
	size_t n = m->configured->points[POINT_FILTER].n;

	profile->predicates = arena_array(&profile->arena,
	    struct profile_predicate, PLUGIN_FILTERS * n + 1);
	add_predicate(m, &predicate_unsupported_fields,
	    predicate_unsupported_fields.name, NULL);
	for (size_t i = 0; i < n; i++) {
		const struct configured_plugin *c =
		    &m->configured->points[POINT_FILTER].at[i];

		for (size_t j = 0; j < PLUGIN_FILTERS; j++)
			if (c->plugin->filters[j] != NULL)
				add_predicate(m, c->plugin->filters[j],
				    c->plugin->name, c);
	}
}

static void
make_priorities(struct making *m)
{
	struct profile *profile = m->profile;
	size_t n = m->configured->points[POINT_SCORE].n;

	profile->priorities =
	    arena_array(&profile->arena, struct profile_priority, n);
	for (size_t i = 0; i < n; i++) {
		const struct configured_plugin *c =
		    &m->configured->points[POINT_SCORE].at[i];

		if (c->plugin->score == NULL)
			continue;
		profile->priorities[profile->npriorities++] =
		    (struct profile_priority){
			    .unit = c->plugin->score,
			    .args = args_of(m, c->plugin),
			    .name = keep(m, c->plugin->name),
			    .weight = c->weight,
			    .line = c->line,
			    .column = c->column,
		    };
	}
}

static bool
binds_volumes(const char *plugin)
{
	return strcmp(plugin, "VolumeBinding") == 0 ||
	    strcmp(plugin, "LeafNodeVolumeBinding") == 0;
}

/* Arguments that are looked at outside of the units. */
static void
take_args(struct making *m)
{
	struct profile *profile = m->profile;

	for (size_t i = 0; i < m->configured->nargs; i++) {
		const char *name = m->configured->args[i].plugin->name;
		const void *args = m->configured->args[i].args;

		if (binds_volumes(name) && is_enabled(m, POINT_PRE_BIND, name))
			profile->bind_timeout_seconds =
			    ((const struct volume_binding_args *)args)
				->bind_timeout_seconds;
		else if (strcmp(name, "DefaultPreemption") == 0)
			profile->preemption_args = args;
		else if (strcmp(name, "InterPodAffinity") == 0)
			profile->hard_pod_affinity_symmetric_weight =
			    ((const struct inter_pod_affinity_args *)args)
				->hard_pod_affinity_weight;
	}
}

struct profile *
profile_of_plugins(struct arena *arena,
    const struct configured_profile *configured,
    const struct policy_options *options)
{
	struct profile *profile = xcalloc(1, sizeof(*profile));
	struct making m = { profile, configured };

	profile->arena = *arena;
	*arena = (struct arena)ARENA_INIT;
	profile->release = configured->release;
	profile->scheduler_name = keep(&m, configured->scheduler_name);
	profile->score_max = PLUGIN_SCORE_MAX;
	profile->gates = options->gates;
	profile->ignored_fields = options->ignored_fields;
	profile->percentage_of_nodes = configured->percentage_of_nodes;
	profile->hard_pod_affinity_symmetric_weight = 1;
	profile->bind_timeout_seconds = -1;
	profile->preempts =
	    is_enabled(&m, POINT_POST_FILTER, "DefaultPreemption");
	profile->plugin_config = configured->plugin_config;
	take_args(&m);
	list_points(&m);
	make_prefilters(&m);
	make_predicates(&m);
	make_priorities(&m);
	return profile;
}
