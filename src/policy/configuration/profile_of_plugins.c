/* A profile from the effective plugin lists of a configuration. */
#include "config.h"

#include "decide/framework/args.h"
#include "policy/configuration/configuration_internal.h"
#include "objects/changes.h"
#include "predicates/registry.h"
#include "priorities/registry.h"

#define PLUGIN_SCORE_MAX 100

static const void *
args_of(const struct merging *m, const struct plugin *plugin)
{
	return m->args[plugin_number(plugin)];
}

static bool
is_enabled(const struct merging *m, enum extension_point point,
    const char *name)
{
	return listing_has(&m->points[point], name);
}

static void
list_points(struct merging *m)
{
	for (int p = 0; p < NPOINTS; p++) {
		size_t n = m->points[p].n;
		struct profile_plugin *list =
		    arena_array(&m->profile->arena, struct profile_plugin, n);

		for (size_t i = 0; i < n; i++) {
			const struct listed *l = &m->points[p].at[i];

			list[i].name = l->plugin->name;
			list[i].weight =
			    p == POINT_SCORE || p == POINT_PLACEMENT_SCORE ?
			    l->weight :
			    0;
		}
		m->profile->points[p].n = n;
		m->profile->points[p].plugins = list;
	}
}

/* Those of the point's plugins that have something to say there. */
static struct profile_prefilter *
prefilters_at(struct merging *m, enum extension_point point, size_t *n)
{
	size_t nplugins = m->points[point].n;
	struct profile_prefilter *list =
	    arena_array(&m->profile->arena, struct profile_prefilter, nplugins);

	*n = 0;
	for (size_t i = 0; i < nplugins; i++) {
		const struct plugin *plugin = m->points[point].at[i].plugin;

		if ((point == POINT_PRE_FILTER ? plugin->pre_filter :
						 plugin->pre_enqueue) == NULL)
			continue;
		list[(*n)++] = (struct profile_prefilter){
			.plugin = plugin,
			.args = args_of(m, plugin),
			.name = plugin->name,
		};
	}
	return list;
}

/* The arguments of a unit that fails for want of a state; in the profile's arena. */
static const void *
missing(struct merging *m, const char *error, bool unless_constrained)
{
	const struct missing_state_args args = { error, unless_constrained };

	return arena_memdup(&m->profile->arena, &args, sizeof(args));
}

static void
add_predicate(struct merging *m, const struct predicate *unit, const void *args,
    const char *name, const struct listed *from)
{
	struct profile_predicate *made =
	    &m->profile->predicates[m->profile->npredicates++];

	*made = (struct profile_predicate){
		.unit = unit,
		.args = args,
		.name = name,
		.later = from == NULL,
	};
	reading_position(&m->reading->reading, from != NULL ? from->at : NULL,
	    &made->line, &made->column);
	m->profile->leaf_volumes |= unit == &predicate_leaf_node_volume_binding;
}

static void
add_filter(struct merging *m, const struct listed *l, size_t i)
{
	const struct plugin *plugin = l->plugin;
	const struct predicate *unit = plugin->filters[i];
	const void *args;

	if (unit == NULL ||
	    (i > 0 && plugin->second_is_later && m->vocabulary == EARLY))
		return;
	args = args_of(m, plugin);
	if (args != NULL && plugin->filter_args != NULL)
		args = plugin->filter_args(&m->profile->arena, args, i);
	/* The i-th unit of the plugin reads what its PreFilter, which is not
	 * enabled, would have stored; without labels it reads nothing. */
	if (plugin->no_pre_filter != NULL &&
	    (i > 0 || !plugin->second_is_later) &&
	    !is_enabled(m, POINT_PRE_FILTER, plugin->name) &&
	    (unit != &predicate_check_service_affinity ||
		(args != NULL &&
		    ((const struct service_affinity_args *)args)->n > 0))) {
		unit = &predicate_missing_state;
		args = missing(m, plugin->no_pre_filter, false);
	}
	add_predicate(m, unit, args, plugin->name, l);
}

static void
make_predicates(struct merging *m)
{
	struct profile *profile = m->profile;
	size_t n = m->points[POINT_FILTER].n;
	const struct node_names_args names = {
		.affinity = profile->release >= SINCE_NODE_AFFINITY_NAMES &&
		    is_enabled(m, POINT_PRE_FILTER, "NodeAffinity"),
		.volumes = profile->release >= SINCE_VOLUME_HOSTS &&
		    profile->release < SINCE_VOLUME_HOSTS_GONE &&
		    is_enabled(m, POINT_PRE_FILTER, "VolumeBinding"),
	};

	profile->predicates = arena_array(&profile->arena,
	    struct profile_predicate, PLUGIN_FILTERS * n + 3);
	add_predicate(m, &predicate_unsupported_fields, NULL,
	    predicate_unsupported_fields.name, NULL);
	if (m->reading->reading.options->project_node_selectors)
		add_predicate(m, &predicate_project_node_selector, NULL,
		    PROJECT_SELECTOR, NULL);
	/* no plugin refuses the nodes that a PreFilter plugin leaves out */
	if (names.affinity || names.volumes)
		add_predicate(m, &predicate_node_names,
		    arena_memdup(&profile->arena, &names, sizeof(names)), "",
		    NULL);
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < PLUGIN_FILTERS; j++)
			add_filter(m, &m->points[POINT_FILTER].at[i], j);
}

static void
make_priorities(struct merging *m)
{
	struct profile *profile = m->profile;
	size_t n = m->points[POINT_SCORE].n;

	profile->priorities =
	    arena_array(&profile->arena, struct profile_priority, n);
	for (size_t i = 0; i < n; i++) {
		const struct listed *l = &m->points[POINT_SCORE].at[i];
		const struct plugin *plugin = l->plugin;
		bool fails = plugin->no_state != NULL &&
		    !is_enabled(m, plugin->score_needs, plugin->name);
		struct profile_priority *made;

		if (plugin->score == NULL)
			continue;
		made = &profile->priorities[profile->npriorities++];
		*made = (struct profile_priority){
			.unit = fails ? &priority_missing_state : plugin->score,
			.args = fails ? missing(m, plugin->no_state,
					    plugin->unless_constrained) :
					args_of(m, plugin),
			.name = plugin->name,
			.weight = l->weight,
		};
		reading_position(&m->reading->reading, l->at, &made->line,
		    &made->column);
	}
}

void
profile_of_plugins(struct merging *m)
{
	const struct policy_options *options = m->reading->reading.options;
	struct profile *profile = m->profile;

	profile->release = configuration_release(m->reading);
	profile->vocabulary = m->release;
	profile->first_reader = m->reading->version->first;
	profile->last_reader = m->reading->version->last;
	profile->scheduler_name =
	    arena_strdup(&profile->arena, m->entry->scheduler_name);
	profile->score_max = PLUGIN_SCORE_MAX;
	profile->gates = options->gates;
	gates_of_release(&profile->gates, profile->release);
	profile->always_check_all_predicates =
	    profile->release >= SINCE_FILTERS_ALL_RUN &&
	    profile->release < SINCE_FILTERS_FIRST;
	profile->ignored_fields = options->ignored_fields;
	/* A profile's 0 overrides the percentage of all profiles. */
	profile->percentage_of_nodes =
	    is_given(&m->entry->item, "percentageOfNodesToScore") ?
	    m->entry->percentage_of_nodes :
	    -1;
	profile->hard_pod_affinity_symmetric_weight = 1;
	profile->bind_timeout_seconds = -1;
	profile->preempts =
	    is_enabled(m, POINT_POST_FILTER, "DefaultPreemption");
	list_points(m);
	for (size_t i = 0; i < PLUGINS; i++)
		if (m->args[i] != NULL && all_plugins[i]->put_args != NULL)
			all_plugins[i]->put_args(profile, all_plugins[i],
			    m->args[i]);
	profile->prefilters =
	    prefilters_at(m, POINT_PRE_FILTER, &profile->nprefilters);
	profile->enqueues =
	    prefilters_at(m, POINT_PRE_ENQUEUE, &profile->nenqueues);
	if (profile->release < SINCE_ENQUEUE)
		profile_hold_gated_pods(profile);
	make_predicates(m);
	make_priorities(m);
}
