/*
 * The effective plugins of a profile: the default lists, less those that it
 * disables, with those that it enables; and the faults with which kube-scheduler
 * fails to create the profile (doc/semantics/08-kubeschedulerconfiguration.md, Extension
 * points; NewFramework() of 1.20.2 and 1.36.2).
 */
#include "config.h"

#include "base/json_out.h"
#include "policy/configuration/args.h"
#include "policy/configuration/configuration_internal.h"

#define SCORE_MAX 100

/* In the order in which kube-scheduler looks at them. */
static const enum extension_point order[] = {
	POINT_PRE_FILTER,
	POINT_FILTER,
	POINT_POST_FILTER,
	POINT_RESERVE,
	POINT_PRE_SCORE,
	POINT_SCORE,
	POINT_PRE_BIND,
	POINT_BIND,
	POINT_POST_BIND,
	POINT_PERMIT,
	POINT_PRE_ENQUEUE,
	POINT_QUEUE_SORT,
	POINT_PLACEMENT_GENERATE,
	POINT_PLACEMENT_SCORE,
};

/* Lists. */

static struct listed *
find(const struct listing *list, const char *name)
{
	return FIND_ROW(list->at, list->n, name, name);
}

bool
listing_has(const struct listing *list, const char *name)
{
	return find(list, name) != NULL;
}

static void
append(struct merging *m, struct listing *list, const struct listed *listed)
{
	arena_room(scratch(m->reading), list->at, list->n, &list->cap);
	list->at[list->n++] = *listed;
}

static struct listed
listed_by_default(const struct merging *m, const struct plugin *plugin)
{
	/* v1beta2 keeps the weights of 1.20. */
	bool old =
	    m->reading->version->old_weights && plugin->weight[EARLY] > 0;

	return (struct listed){ plugin->name, plugin,
		plugin->weight[old ? EARLY : m->vocabulary], NULL, false };
}

static struct listed
listed_in_text(const struct merging *m, const struct plugin_entry *entry)
{
	const char *name = or_empty(entry->name);

	const struct plugin *plugin = plugin_find(m->vocabulary, name);

	if (plugin != NULL &&
	    !plugin_is_of(plugin, configuration_release(m->reading)))
		plugin = NULL;
	return (struct listed){ name, plugin, entry->weight, entry->item.at,
		false };
}

static void
append_enabled(struct merging *m, struct listing *list,
    const struct plugin_set *set)
{
	const struct plugin_entry *entries = set->enabled.items;

	for (size_t i = 0; i < set->enabled.n; i++) {
		struct listed listed = listed_in_text(m, &entries[i]);

		append(m, list, &listed);
	}
}

static const struct plugin_set nothing;

static const struct plugin_set *
set_of(const struct merging *m, enum extension_point point)
{
	const struct plugins_entry *plugins = m->entry->plugins;

	return plugins != NULL && plugins->points[point] != NULL ?
	    plugins->points[point] :
	    &nothing;
}

static bool
disables(const struct plugin_set *set, const char *name)
{
	const struct plugin_entry *entries = set->disabled.items;

	return ANY(i, set->disabled.n,
	    strcmp(or_empty(entries[i].name), name) == 0);
}

static bool
extends(const struct merging *m, const struct plugin *plugin,
    enum extension_point point)
{
	return plugin_extends(plugin, m->vocabulary,
	    configuration_release(m->reading), point);
}

static bool
is_in_vocabulary(const struct merging *m, const struct plugin *plugin)
{
	return plugin->points[m->vocabulary] != 0;
}

/* mergePluginSets() of 1.20: enabled plugins follow the remaining defaults. */
static void
merge_early(struct merging *m, enum extension_point point)
{
	const struct plugin_set *set = set_of(m, point);
	const struct plugin *plugin;
	struct listing *list = &m->points[point];

	/* v1alpha2 */
	if (point == POINT_POST_FILTER && m->reading->entry.disable_preemption)
		return;
	for (size_t i = 0;
	     !disables(set, "*") && (plugin = default_plugin(point, i)) != NULL;
	     i++) {
		struct listed listed = listed_by_default(m, plugin);

		if (!disables(set, plugin->name) && extends(m, plugin, point))
			append(m, list, &listed);
	}
	/* Without the gate SelectorSpread takes the place of default constraints. */
	if (!m->reading->reading.options->gates.default_pod_topology_spread &&
	    (point == POINT_PRE_SCORE || point == POINT_SCORE) &&
	    !disables(set, "*") && !disables(set, "SelectorSpread")) {
		struct listed listed =
		    listed_by_default(m, &plugin_selector_spread);

		append(m, list, &listed);
	}
	append_enabled(m, list, set);
}

/* The last entry of this name among those enabled, or NULL. */
static const struct plugin_entry *
last_enabled(const struct plugin_set *set, const char *name)
{
	const struct plugin_entry *entries = set->enabled.items;

	for (size_t i = set->enabled.n; i-- > 0;)
		if (strcmp(or_empty(entries[i].name), name) == 0)
			return &entries[i];
	return NULL;
}

/*
 * mergePluginSet() of 1.36 for multiPoint: a default plugin that is enabled keeps
 * its place with the new weight, others follow.
 */
static void
merge_multi_point(struct merging *m)
{
	const struct plugins_entry *plugins = m->entry->plugins;
	const struct plugin_set *set =
	    plugins != NULL && plugins->multi_point != NULL ?
	    plugins->multi_point :
	    &nothing;
	const struct plugin_entry *entries = set->enabled.items;
	bool all = !disables(set, "*");

	for (size_t i = 0; all && i < PLUGINS; i++) {
		const struct plugin *plugin = all_plugins[i];
		struct listed listed = listed_by_default(m, plugin);
		const struct plugin_entry *again =
		    last_enabled(set, plugin->name);

		if (!plugin_is_default(plugin,
			configuration_release(m->reading)) ||
		    disables(set, plugin->name))
			continue;
		if (again != NULL)
			listed = listed_in_text(m, again);
		append(m, &m->multi, &listed);
	}
	for (size_t i = 0; i < set->enabled.n; i++) {
		struct listed listed = listed_in_text(m, &entries[i]);
		const struct listed *before = find(&m->multi, listed.name);

		/* It has replaced a default plugin. */
		if (before != NULL && before->at == listed.at)
			continue;
		append(m, &m->multi, &listed);
	}
}

int
configuration_release(const struct configuration_reading *reading)
{
	const struct configuration_version *version = reading->version;
	int minor = reading->reading.options->kubernetes_minor;

	return minor >= version->first && minor <= version->last ?
	    minor :
	    version->release;
}

static struct merging
begin_merging(struct configuration_reading *reading,
    const struct profile_entry *entry)
{
	struct merging m = { .reading = reading,
		.entry = entry,
		.release = reading->version->release,
		.vocabulary = vocabulary_of(reading->version->release) };

	for (size_t i = 0; i < LENGTH(order); i++) {
		enum extension_point point = order[i];

		if (m.release < 36)
			merge_early(&m, point);
		else
			append_enabled(&m, &m.points[point], set_of(&m, point));
	}
	if (m.release >= 36)
		merge_multi_point(&m);
	return m;
}

/* Checks. */

static void
refuse_unknown(struct merging *m, struct listed *l)
{
	if (!l->is_refused)
		configuration_invalid(m->reading, l->at,
		    "plugin \"%s\" does not exist", l->name);
	l->is_refused = true;
}

static void
refuse_repeated(struct merging *m, const struct listed *l,
    enum extension_point point)
{
	configuration_invalid(m->reading, l->at,
	    "plugin \"%s\" is enabled twice for %s", l->name,
	    extension_point_names[point]);
}

/* updatePluginList() */
static void
check_point(struct merging *m, enum extension_point point)
{
	const struct listing *list = &m->points[point];

	for (size_t i = 0; i < list->n; i++) {
		struct listed *l = &list->at[i];

		if (l->plugin == NULL)
			refuse_unknown(m, l);
		else if (!extends(m, l->plugin, point))
			configuration_invalid(m->reading, l->at,
			    "plugin \"%s\" cannot be enabled for %s", l->name,
			    extension_point_names[point]);
		else if (find(list, l->name) != l)
			refuse_repeated(m, l, point);
	}
}

/* In the releases that read it, v1beta2 lists the default plugins of each point:
 * VolumeBinding is not among those that score. */
static bool
is_not_scored(const struct merging *m, const struct listed *l,
    enum extension_point point)
{
	return m->reading->version->old_weights && l->at == NULL &&
	    configuration_release(m->reading) < m->release &&
	    (point == POINT_PRE_SCORE || point == POINT_SCORE) &&
	    strcmp(l->name, "VolumeBinding") == 0;
}

/*
 * expandMultiPointPlugins(): first the point's own plugins that multiPoint has,
 * too, then multiPoint's others, then the point's others.
 */
static void
expand_point(struct merging *m, enum extension_point point)
{
	const struct plugin_set *set = set_of(m, point);
	const struct listing own = m->points[point];
	struct listing ours = { 0 }, theirs = { 0 };

	if (disables(set, "*"))
		return;
	for (size_t i = 0; i < m->multi.n; i++) {
		struct listed *l = &m->multi.at[i];

		if (l->plugin == NULL) {
			refuse_unknown(m, l);
			continue;
		}
		if (!extends(m, l->plugin, point) || disables(set, l->name) ||
		    is_not_scored(m, l, point))
			continue;
		if (listing_has(&own, l->name))
			append(m, &ours, l);
		else if (listing_has(&theirs, l->name))
			refuse_repeated(m, l, point);
		else
			append(m, &theirs, l);
	}
	m->points[point] = (struct listing){ 0 };
	for (size_t i = 0; i < own.n; i++)
		if (listing_has(&ours, own.at[i].name))
			append(m, &m->points[point], &own.at[i]);
	for (size_t i = 0; i < theirs.n; i++)
		append(m, &m->points[point], &theirs.at[i]);
	for (size_t i = 0; i < own.n; i++)
		if (!listing_has(&ours, own.at[i].name))
			append(m, &m->points[point], &own.at[i]);
}

/*
 * getValidScoreWeights(): those of score.enabled come before those of multiPoint.
 * The sum wraps around as Go's does, so that a negative weight may make the sum
 * "overflow" and may not.
 */
static void
check_weights(struct merging *m, const struct listing *specific)
{
	struct listing seen = { 0 };
	uint64_t total = 0;

	for (size_t i = 0; i < specific->n + m->multi.n; i++) {
		const struct listed *l = i < specific->n ?
		    &specific->at[i] :
		    &m->multi.at[i - specific->n];
		int64_t weight = l->weight != 0 ? l->weight : 1;

		if (l->plugin == NULL || !extends(m, l->plugin, POINT_SCORE) ||
		    listing_has(&seen, l->name))
			continue;
		append(m, &seen, l);
		if (weight * SCORE_MAX >
		    (int64_t)((uint64_t)INT64_MAX - total)) {
			configuration_invalid(m->reading, l->at,
			    "the weights of all score plugins together are "
			    "out of range");
			return;
		}
		total += (uint64_t)(weight * SCORE_MAX);
	}
}

static void
check_arguments(struct merging *m, const char *name)
{
	const struct plugin_config_entry *config =
	    configuration_args_of(m->entry, name);
	const struct args_kind *kind = args_kind_find(m->release, name);
	const char *path;

	if (kind == NULL ||
	    (m->release >= 36 && strcmp(name, "NodeResourcesFit") != 0))
		return;
	path = config == NULL ?
	    arena_printf(scratch(m->reading), "arguments of %s: ", name) :
	    arena_printf(scratch(m->reading),
		"profiles[%td].pluginConfig[%td].args.",
		m->entry -
		    (struct profile_entry *)m->reading->entry.profiles.items,
		config -
		    (struct plugin_config_entry *)
			m->entry->plugin_config.items);
	args_validate(m->reading, kind,
	    config != NULL ? config->args :
			     args_decode(m->reading, kind, NULL, ""),
	    path);
}

static bool
is_needed(const struct merging *m, const char *name)
{
	return listing_has(&m->multi, name) ||
	    ANY(point, NPOINTS, listing_has(&m->points[point], name));
}

bool
configuration_enables(struct configuration_reading *reading,
    const struct profile_entry *entry, const char *plugin)
{
	struct merging m = begin_merging(reading, entry);

	return is_needed(&m, plugin);
}

static void
check_all_arguments(struct merging *m)
{
	const struct plugin_config_entry *fit =
	    configuration_args_of(m->entry, "NodeResourcesFit");

	if (m->release < 36 && m->reading->ignored.n > 0 && fit != NULL)
		configuration_invalid(m->reading, fit->item.at,
		    "NodeResourcesFit cannot have arguments beside an "
		    "extender's ignoredByScheduler");
	for (size_t i = 0; i < PLUGINS; i++)
		if (is_in_vocabulary(m, all_plugins[i]) &&
		    is_needed(m, all_plugins[i]->name))
			check_arguments(m, all_plugins[i]->name);
}

static void
check_counts(struct merging *m)
{
	const char *name = m->entry->scheduler_name;
	const struct doc_node *at = m->entry->item.at;

	if (m->points[POINT_QUEUE_SORT].n != 1)
		configuration_invalid(m->reading, at,
		    "profile \"%s\" must enable one queueSort plugin, not %zu",
		    name, m->points[POINT_QUEUE_SORT].n);
	if (m->points[POINT_BIND].n == 0)
		configuration_invalid(m->reading, at,
		    "profile \"%s\" must enable a bind plugin", name);
}

/* The result. */

static void
warn_inert(struct merging *m)
{
	const struct listed *seen = NULL;

	for (int point = 0; point < NPOINTS; point++)
		for (size_t i = 0; i < m->points[point].n; i++) {
			const struct listed *l = &m->points[point].at[i];

			/* Known, but without a rule of ours. */
			if (l->plugin->enabled ||
			    l->plugin->filters[0] != NULL ||
			    l->plugin->score != NULL || l->at == NULL ||
			    (seen != NULL && seen->plugin == l->plugin))
				continue;
			seen = l;
			reading_report(&m->reading->reading, SEVERITY_WARNING,
			    l->at,
			    "plugin \"%s\" is about pod groups, which are not "
			    "supported; it has no effect",
			    l->name);
		}
}

/* --kosmos: its plugins work as they do if a profile names them as Kosmos' documents
 * show. */
static const struct plugin *
in_place_of(const struct plugin *plugin, int point)
{
	for (size_t i = 0; i < PLUGINS; i++)
		if (all_plugins[i]->instead_of == plugin &&
		    (all_plugins[i]->kosmos_at & POINT_BIT(point)) != 0)
			return all_plugins[i];
	return plugin;
}

static void
put_kosmos_plugin(struct merging *m, int point, struct listed listed)
{
	listed.name = listed.plugin->name;
	/* LeafNodeVolumeBinding gives no scores. */
	if (extends(m, listed.plugin, point) &&
	    !listing_has(&m->points[point], listed.name))
		append(m, &m->points[point], &listed);
}

static void
put_kosmos_plugins(struct merging *m)
{
	for (int point = 0; point < NPOINTS; point++) {
		struct listing old = m->points[point];

		m->points[point] = (struct listing){ 0 };
		for (size_t i = 0; i < old.n; i++) {
			old.at[i].plugin = in_place_of(old.at[i].plugin, point);
			put_kosmos_plugin(m, point, old.at[i]);
		}
		for (size_t i = 0; i < PLUGINS; i++)
			if ((all_plugins[i]->kosmos_at & POINT_BIT(point)) !=
				0 &&
			    all_plugins[i]->instead_of == NULL)
				put_kosmos_plugin(m, point,
				    listed_by_default(m, all_plugins[i]));
	}
}

/* Extenders' ignored resources take the place of the plugin's own. */
static const void *
final_args(struct merging *m, const struct args_kind *kind,
    const struct plugin *plugin)
{
	const struct plugin_config_entry *config =
	    configuration_args_of(m->entry, plugin->name);
	void *args;

	if (config == NULL && m->reading->reading.options->kosmos &&
	    plugin->instead_of != NULL)
		config =
		    configuration_args_of(m->entry, plugin->instead_of->name);
	args = config != NULL ? config->args :
				args_decode(m->reading, kind, NULL, "");

	if (m->reading->ignored.n > 0 && plugin == &plugin_node_resources_fit)
		((struct fit_written *)args)->ignored = m->reading->ignored;
	return args;
}

/* The final arguments of the plugins that are needed, as JSON. */
static void
put_json(struct merging *m)
{
	struct text text = { 0 };
	struct json_out json = JSON_OUT_INIT(&text);

	for (size_t i = 0; i < PLUGINS; i++) {
		const char *name = all_plugins[i]->name;
		const struct args_kind *kind = args_kind_find(m->release, name);
		const struct plugin_config_entry *config =
		    configuration_args_of(m->entry, name);

		if (!is_in_vocabulary(m, all_plugins[i]) ||
		    !is_needed(m, name) ||
		    (kind == NULL && (config == NULL || config->node == NULL)))
			continue;
		if (text.len == 0)
			json_open(&json, '{');
		json_key(&json, name);
		if (kind != NULL)
			args_json(&json, m->reading->reading.version, kind,
			    final_args(m, kind, all_plugins[i]));
		else
			json_doc_node(&json, config->node);
	}
	if (text.len == 0)
		return;
	json_close(&json, '}');
	m->profile->plugin_config = text_keep(&text, &m->profile->arena);
}

const struct plugin_config_entry *
configuration_args_of(const struct profile_entry *entry, const char *plugin)
{
	const struct plugin_config_entry *configs = entry->plugin_config.items;

	return FIND(i, configs, entry->plugin_config.n,
	    strcmp(or_empty(configs[i].name), plugin) == 0);
}

struct profile *
configuration_merge(struct configuration_reading *reading,
    const struct profile_entry *entry)
{
	size_t errors_before = reading->reading.problems->nerrors;
	struct merging m = begin_merging(reading, entry);
	struct listing score;

	check_all_arguments(&m);
	for (size_t i = 0; i < LENGTH(order); i++)
		check_point(&m, order[i]);
	score = m.points[POINT_SCORE];
	for (size_t i = 0; m.release >= 36 && i < LENGTH(order); i++)
		expand_point(&m, order[i]);
	check_counts(&m);
	if (m.release >= 36)
		check_weights(&m, &score);
	if (reading->reading.problems->nerrors > errors_before)
		return NULL;
	warn_inert(&m);
	if (reading->reading.options->kosmos)
		put_kosmos_plugins(&m);
	for (int point = 0; point < NPOINTS; point++)
		for (size_t i = 0; i < m.points[point].n; i++) {
			struct listed *l = &m.points[point].at[i];

			l->weight = (int32_t)l->weight;
			/* Of a plugin that is enabled without a weight. */
			if (l->weight == 0)
				l->weight = l->plugin->enabled ||
					l->plugin->weight[m.vocabulary] == 0 ?
				    1 :
				    l->plugin->weight[m.vocabulary];
		}
	m.profile = xcalloc(1, sizeof(*m.profile));
	for (size_t i = 0; i < PLUGINS; i++) {
		const char *name = all_plugins[i]->name;
		const struct args_kind *kind = args_kind_find(m.release, name);

		if (kind != NULL && is_in_vocabulary(&m, all_plugins[i]))
			m.args[i] = args_make(&m.profile->arena, kind,
			    final_args(&m, kind, all_plugins[i]));
	}
	put_json(&m);
	profile_of_plugins(&m);
	return m.profile;
}
