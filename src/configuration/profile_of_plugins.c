/* A profile from the effective plugin lists of a configuration. */
#include "config.h"

#include "framework/args.h"
#include "configuration/configuration_internal.h"
#include "model/changes.h"
#include "predicates/registry.h"
#include "priorities/registry.h"

#define PLUGIN_SCORE_MAX 100

static const char *
keep(struct merging *m, const char *text)
{
	return arena_strndup(&m->profile->arena, text, strlen(text));
}

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

			list[i].name = keep(m, l->plugin->name);
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
			.name = keep(m, plugin->name),
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

/* Whether the i-th unit of the plugin reads what its PreFilter, which is not enabled,
 * would have stored. */
static bool
lacks_prefilter(const struct merging *m, const struct plugin *plugin, size_t i)
{
	return plugin->no_pre_filter != NULL &&
	    (i > 0 || !plugin->second_is_later) &&
	    !is_enabled(m, POINT_PRE_FILTER, plugin->name);
}

/* The arguments as the i-th unit of the plugin reads them. */
static const void *
filter_args(struct merging *m, const struct plugin *plugin, size_t i)
{
	const void *args = args_of(m, plugin);

	if (args == NULL)
		return NULL;
	if (plugin->filters[i] == &predicate_check_node_label_presence) {
		const struct node_label_args *from = args;
		struct labels_presence_args to = { .presence = i == 0 };

		to.n = i == 0 ? from->npresent : from->nabsent;
		to.labels = i == 0 ? from->present : from->absent;
		return arena_memdup(&m->profile->arena, &to, sizeof(to));
	}
	if (plugin->filters[i] == &predicate_check_service_affinity) {
		const struct service_affinity_plugin_args *from = args;
		struct service_affinity_args to = { from->nlabels,
			from->labels };

		return arena_memdup(&m->profile->arena, &to, sizeof(to));
	}
	return args;
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
		.name = keep(m, name),
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
	args = filter_args(m, plugin, i);
	/* without labels it reads nothing */
	if (lacks_prefilter(m, plugin, i) &&
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
			.name = keep(m, plugin->name),
			.weight = l->weight,
		};
		reading_position(&m->reading->reading, l->at, &made->line,
		    &made->column);
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
take_args(struct merging *m)
{
	struct profile *profile = m->profile;

	for (size_t i = 0; i < PLUGINS; i++) {
		const char *name = all_plugins[i]->name;
		const void *args = m->args[i];

		if (args == NULL)
			continue;
		if (binds_volumes(name) && is_enabled(m, POINT_PRE_BIND, name))
			profile->bind_timeout_seconds =
			    ((const struct volume_binding_args *)args)
				->bind_timeout_seconds;
		else if (strcmp(name, "DynamicResources") == 0)
			profile->device_args = args;
		else if (strcmp(name, "DefaultPreemption") == 0)
			profile->preemption_args = args;
		else if (strcmp(name, "InterPodAffinity") == 0)
			profile->hard_pod_affinity_symmetric_weight =
			    ((const struct inter_pod_affinity_args *)args)
				->hard_pod_affinity_weight;
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
	profile->scheduler_name = keep(m, m->entry->scheduler_name);
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
	take_args(m);
	list_points(m);
	profile->prefilters =
	    prefilters_at(m, POINT_PRE_FILTER, &profile->nprefilters);
	profile->enqueues =
	    prefilters_at(m, POINT_PRE_ENQUEUE, &profile->nenqueues);
	if (profile->release < SINCE_ENQUEUE)
		profile_hold_gated_pods(profile);
	make_predicates(m);
	make_priorities(m);
}
