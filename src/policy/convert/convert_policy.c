/* From a policy to a KubeSchedulerConfiguration. */
#include "config.h"

#include <inttypes.h>

#include "decide/framework/args.h"
#include "objects/release.h"
#include "policy/convert/convert_internal.h"
#include "decide/framework/plugin.h"
#include "predicates/registry.h"
#include "priorities/registry.h"

/* In the order of preference.  1.19 has no arguments of DefaultPreemption. */
static const struct convert_target targets[] = {
	{ "v1", 25, RELEASE_NEWEST, RELEASE_NEWEST },
	{ "v1beta3", 23, 28, 23 },
	{ "v1beta1", 20, 22, 20 },
	{ "v1beta2", 22, 27, 22 },
};

struct line {
	const char *plugin;
	int64_t weight; /* 0: none */
	const char *from;
};

struct writing {
	struct conversion c;
	const struct convert_target *target;
	enum vocabulary vocabulary;
	int release;      /* whose plugins: 20 for v1beta1, else 36 */
	bool multi_point; /* v1: all points are listed, others keep defaults */
	int least;        /* the first release that has all of the result */
	struct {
		size_t n, cap;
		struct line *at;
	} points[NPOINTS];
	/* Of NodeResourcesFit in v1; NULL: no such priority. */
	const struct profile_priority *strategy;
	/* PodTopologySpread has its default constraints. */
	bool spreads_by_default;
};

static struct line *
find_line(struct writing *w, enum extension_point point, const char *plugin)
{
	return FIND_ROW(w->points[point].at, w->points[point].n, plugin,
	    plugin);
}

/* If the release has the plugin at this point.  It may come from several rules: weights
 * add up. */
static void
add_line(struct writing *w, enum extension_point point, const char *plugin,
    int64_t weight, const char *from)
{
	const struct plugin *unit = plugin_find(w->vocabulary, plugin);
	struct line *line = find_line(w, point, plugin);
	int since = w->target->first;

	while (unit != NULL &&
	    !(plugin_is_of(unit, since) &&
		plugin_extends(unit, w->vocabulary, since, point)))
		if (++since > w->target->minor)
			return;
	if (since > w->least)
		w->least = since;
	if (line != NULL) {
		line->weight += weight;
		if (strstr(line->from, from) == NULL)
			line->from = arena_printf(&w->c.arena, "%s; %s",
			    line->from, from);
		return;
	}
	arena_room(&w->c.arena, w->points[point].at, w->points[point].n,
	    &w->points[point].cap);
	w->points[point].at[w->points[point].n++] =
	    (struct line){ plugin, weight, from };
}

/* At the points where a plugin that filters works. */
static void
add_filter(struct writing *w, const char *name, const char *from)
{
	static const enum extension_point points[] = { POINT_PRE_FILTER,
		POINT_FILTER, POINT_RESERVE, POINT_PRE_BIND };
	const struct plugin *plugin = plugin_find(w->vocabulary, name);

	for (size_t i = 0; i < LENGTH(points); i++)
		if (plugin == NULL ? points[i] == POINT_FILTER :
				     plugin_extends(plugin, w->vocabulary,
					 w->release, points[i]))
			add_line(w, points[i], name, 0, from);
}

static void
add_score(struct writing *w, const char *name, int64_t weight, const char *from)
{
	const struct plugin *plugin = plugin_find(w->vocabulary, name);

	if (plugin != NULL &&
	    plugin_extends(plugin, w->vocabulary, w->release, POINT_PRE_SCORE))
		add_line(w, POINT_PRE_SCORE, name, 0, from);
	add_line(w, POINT_SCORE, name, weight, from);
}

/* Predicates. */

static const char *
remarked(struct writing *w, const char *origin, const char *remark)
{
	if (remark == NULL)
		return origin;
	return arena_printf(&w->c.arena, "%s (%s)", origin, remark);
}

static const char *
explained(struct writing *w, const char *origin, const struct counterpart *rule)
{
	return remarked(w, origin,
	    w->release >= 36 ? rule->nearly : rule->early);
}

/* Rules about fields of later releases, which predicated has in every policy.  The
 * second of a plugin comes with the first. */
static void
convert_later(struct writing *w, const struct profile_predicate *p)
{
	const struct plugin *plugin = all_plugins[p->unit->plugin];
	const struct counterpart *rule = &p->unit->convert;

	if (plugin->filters[0] == p->unit && plugin->points[w->vocabulary] != 0)
		add_filter(w, plugin->name,
		    remarked(w, "predicated has this rule in every policy",
			w->target->minor < rule->same_from ? rule->before :
							     NULL));
}

static void
convert_predicate(struct writing *w, const struct profile_predicate *p)
{
	const struct predicate *const *part = p->unit->policy.parts;
	const char *from = convert_origin(&w->c, p->name, p->line);
	struct counterpart rule = counterpart_of_predicate(p->unit);

	if (p->later) {
		convert_later(w, p);
		return;
	}
	/* An annotation of namespaces, whatever the policy. */
	if (p->unit == &predicate_project_node_selector)
		return;
	for (; part != NULL && *part != NULL; part++)
		add_filter(w, plugin_name((*part)->plugin), from);
	if (p->unit->policy.parts != NULL)
		return;
	if (rule.plugin == NULL)
		impossible(&w->c, p, "no plugin has this rule");
	else if (w->release >= 36 && rule.gone != NULL)
		impossible(&w->c, p, "%s", rule.gone);
	else
		add_filter(w, counterpart_plugin(&rule, w->release),
		    explained(w, from, &rule));
}

/* Priorities. */

/* 1.20: all preferences of NodeLabel share one weight, which it averages. */
static bool
same_weight(struct writing *w, const struct profile_priority *p)
{
	const struct profile *profile = w->c.profile;

	for (size_t i = 0; i < profile->npriorities; i++) {
		const struct profile_priority *first = &profile->priorities[i];

		if (first->unit != p->unit || first->weight == p->weight)
			continue;
		if (first > p)
			return true;
		impossible(&w->c, p, "its weight must be that of %s, %" PRId64,
		    first->name, first->weight);
		return false;
	}
	return true;
}

static bool
takes_strategy(struct writing *w, const struct profile_priority *p)
{
	if (w->strategy != NULL) {
		impossible(&w->c, p,
		    "NodeResourcesFit has one scoringStrategy, which is that "
		    "of %s",
		    w->strategy->name);
		return false;
	}
	w->strategy = p;
	return true;
}

static void
convert_priority(struct writing *w, const struct profile_priority *p)
{
	const char *from = convert_origin(&w->c, p->name, p->line);
	struct counterpart rule = counterpart_of_priority(p->unit);
	const char *plugin = counterpart_plugin(&rule, w->release);

	if (p->unit == &priority_equal_priority)
		return; /* all nodes are equal to it */
	if (plugin == NULL)
		impossible(&w->c, p, "no plugin has this rule");
	else if (w->release >= 36 && rule.gone != NULL)
		impossible(&w->c, p, "%s", rule.gone);
	else if (p->args == NULL &&
	    p->unit == &priority_requested_to_capacity_ratio_priority)
		impossible(&w->c, p, "it has no shape");
	else if (strcmp(plugin, "NodeResourcesFit") == 0 ?
		takes_strategy(w, p) :
		same_weight(w, p)) {
		w->spreads_by_default |=
		    w->release >= 36 && rule.nearly != NULL;
		add_score(w, plugin, p->weight, explained(w, from, &rule));
	}
}

/* Writing. */

static void
put_set(struct writing *w, enum extension_point point)
{
	if (w->multi_point && w->points[point].n == 0)
		return;
	convert_put(&w->c, "    %s:\n", extension_point_names[point]);
	if (!w->multi_point)
		convert_put(&w->c, "      disabled: [{name: \"*\"}]\n");
	if (w->points[point].n > 0)
		convert_put(&w->c, "      enabled:\n");
	for (size_t i = 0; i < w->points[point].n; i++) {
		const struct line *line = &w->points[point].at[i];

		convert_put(&w->c, "      - name: %s # %s\n", line->plugin,
		    line->from);
		if (point == POINT_SCORE)
			convert_put(&w->c, "        weight: %" PRId64 "\n",
			    line->weight);
	}
}

static void
put_plugins(struct writing *w)
{
	static const enum extension_point early[] = { POINT_PRE_FILTER,
		POINT_FILTER, POINT_PRE_SCORE, POINT_SCORE, POINT_RESERVE,
		POINT_PRE_BIND };

	convert_put(&w->c, "  plugins:\n");
	if (!w->multi_point) {
		for (size_t i = 0; i < LENGTH(early); i++)
			put_set(w, early[i]);
		return;
	}
	convert_put(&w->c,
	    "    multiPoint:\n"
	    "      disabled: [{name: \"*\"}]\n");
	for (int point = 0; point < NPOINTS; point++)
		put_set(w, point);
}

static void
put_config(struct writing *w, const char *plugin)
{
	convert_put(&w->c, "  - name: %s\n    args:\n", plugin);
}

static bool
is_used(struct writing *w, const char *plugin)
{
	return find_line(w, POINT_FILTER, plugin) != NULL ||
	    find_line(w, POINT_SCORE, plugin) != NULL;
}

static void
put_shape(struct writing *w, const char *indent,
    const struct profile_priority *p)
{
	const struct requested_to_capacity_ratio_args *args = p->args;

	convert_put(&w->c, "%sshape: # %s\n", indent,
	    convert_origin(&w->c, p->name, p->line));
	for (size_t i = 0; i < args->npoints; i++)
		convert_put(&w->c,
		    "%s- {utilization: %" PRId64 ", score: %" PRId64 "}\n",
		    indent, args->shape[i].utilization, args->shape[i].score);
}

static void
put_strategy(struct writing *w)
{
	const struct profile_priority *p = w->strategy;
	const char *type = "LeastAllocated";

	if (p == NULL && w->c.profile->nignored_resources == 0)
		return;
	put_config(w, "NodeResourcesFit");
	if (p != NULL && p->unit == &priority_most_requested_priority)
		type = "MostAllocated";
	else if (p != NULL && p->unit != &priority_least_requested_priority)
		type = "RequestedToCapacityRatio";
	convert_put(&w->c, "      scoringStrategy:\n        type: %s%s%s\n",
	    type, p != NULL ? " # " : "",
	    p != NULL ? convert_origin(&w->c, p->name, p->line) : "");
	if (strcmp(type, "RequestedToCapacityRatio") == 0) {
		convert_put(&w->c, "        requestedToCapacityRatio:\n");
		put_shape(w, "          ", p);
	}
}

/* labelsPresence, as one term with all of them. */
static void
put_added_affinity(struct writing *w)
{
	bool any = false;

	for (size_t i = 0; i < w->c.profile->npredicates; i++) {
		const struct profile_predicate *p =
		    &w->c.profile->predicates[i];
		const struct labels_presence_args *args = p->args;

		if (p->unit != &predicate_check_node_label_presence ||
		    args == NULL)
			continue;
		if (!any) {
			put_config(w, "NodeAffinity");
			convert_put(&w->c,
			    "      addedAffinity:\n        "
			    "requiredDuringSchedulingIgnoredDuringExecution:\n"
			    "          nodeSelectorTerms:\n"
			    "          - matchExpressions:\n");
		}
		any = true;
		for (size_t j = 0; j < args->n; j++)
			convert_put(&w->c,
			    "            - {key: %s, operator: %s} # %s\n",
			    convert_quoted(&w->c, sym_text(args->labels[j])),
			    args->presence ? "Exists" : "DoesNotExist",
			    convert_origin(&w->c, p->name, p->line));
	}
}

/* Of 1.20: lists of labels, of all entries of a policy together. */
static const struct label_list {
	const char *plugin, *key;
	const struct predicate *predicate;
	const struct priority *priority;
	int presence; /* of the labels; -1: whatever it is */
} label_lists[] = {
	{ "NodeLabel", "presentLabels", &predicate_check_node_label_presence,
	    NULL, true },
	{ "NodeLabel", "absentLabels", &predicate_check_node_label_presence,
	    NULL, false },
	{ "NodeLabel", "presentLabelsPreference", NULL, &priority_node_label,
	    true },
	{ "NodeLabel", "absentLabelsPreference", NULL, &priority_node_label,
	    false },
	{ "ServiceAffinity", "affinityLabels",
	    &predicate_check_service_affinity, NULL, -1 },
	{ "ServiceAffinity", "antiAffinityLabelsPreference", NULL,
	    &priority_service_anti_affinity, -1 },
};

struct taken_labels {
	size_t n, cap;
	sym *at;
};

static void
take_labels(struct writing *w, struct taken_labels *list, const sym *labels,
    size_t n)
{
	for (size_t i = 0; i < n; i++) {
		arena_room(&w->c.arena, list->at, list->n, &list->cap);
		list->at[list->n++] = labels[i];
	}
}

static void
take_priority(struct writing *w, const struct label_list *list,
    const struct profile_priority *p, struct taken_labels *labels)
{
	const struct label_preference_args *preference = p->args;
	const struct service_anti_affinity_args *anti_affinity = p->args;

	if (p->unit != list->priority)
		return;
	if (list->presence < 0)
		take_labels(w, labels, &anti_affinity->label, 1);
	else if (preference->presence == list->presence)
		take_labels(w, labels, &preference->label, 1);
}

static void
put_label_lists(struct writing *w)
{
	const struct profile *profile = w->c.profile;
	const char *before = "";

	for (size_t i = 0; i < LENGTH(label_lists); i++) {
		const struct label_list *list = &label_lists[i];
		struct taken_labels labels = { 0 };

		if (!is_used(w, list->plugin))
			continue;
		if (strcmp(list->plugin, before) != 0)
			put_config(w, list->plugin);
		before = list->plugin;
		for (size_t j = 0; j < profile->npredicates; j++) {
			const struct profile_predicate *p =
			    &profile->predicates[j];
			const struct labels_presence_args *presence = p->args;
			const struct service_affinity_args *affinity = p->args;

			if (p->unit != list->predicate || p->args == NULL)
				continue;
			if (list->presence < 0)
				take_labels(w, &labels, affinity->labels,
				    affinity->n);
			else if (presence->presence == list->presence)
				take_labels(w, &labels, presence->labels,
				    presence->n);
		}
		for (size_t j = 0; j < profile->npriorities; j++)
			take_priority(w, list, &profile->priorities[j],
			    &labels);
		if (labels.n > 0)
			convert_put(&w->c, "      %s: %s\n", list->key,
			    convert_labels(&w->c, labels.at, labels.n));
	}
}

static void
put_plugin_config(struct writing *w)
{
	const struct profile *profile = w->c.profile;

	convert_put(&w->c, "  pluginConfig:\n");
	put_config(w, "DefaultPreemption");
	convert_put(&w->c,
	    "      minCandidateNodesPercentage: 100 # a policy "
	    "considers all nodes\n");
	if (is_used(w, "InterPodAffinity")) {
		put_config(w, "InterPodAffinity");
		convert_put(&w->c,
		    "      hardPodAffinityWeight: %" PRId64
		    " # hardPodAffinitySymmetricWeight\n",
		    profile->hard_pod_affinity_symmetric_weight);
	}
	if (is_used(w, "PodTopologySpread")) {
		put_config(w, "PodTopologySpread");
		convert_put(&w->c, "      defaultingType: %s # %s\n",
		    w->spreads_by_default ? "System" : "List",
		    w->spreads_by_default ?
			"for pods without constraints" :
			"a policy has no default constraints");
	}
	if (w->release >= 36) {
		put_strategy(w);
		put_added_affinity(w);
		return;
	}
	put_label_lists(w);
	for (size_t i = 0; i < profile->npriorities; i++)
		if (profile->priorities[i].unit ==
			&priority_requested_to_capacity_ratio_priority &&
		    profile->priorities[i].args != NULL) {
			put_config(w, "RequestedToCapacityRatio");
			put_shape(w, "      ", &profile->priorities[i]);
			break;
		}
}

int
convert_target(const char *version, int minor, struct convert_target *target,
    struct err *err)
{
	bool known = version == NULL;

	for (size_t i = 0; i < LENGTH(targets); i++) {
		const struct convert_target *t = &targets[i];

		if (version != NULL && strcmp(t->version, version) != 0)
			continue;
		known = true;
		if (minor != 0 &&
		    (minor < t->first ||
			(minor > t->last && t->last < RELEASE_NEWEST)))
			continue;
		*target = *t;
		if (minor != 0)
			target->minor = minor;
		return 0;
	}
	if (!known)
		return errf(err, "must be v1beta1, v1beta2, v1beta3 or v1");
	return errf(err, "kube-scheduler 1.%d does not read %s", minor,
	    version != NULL ? version : "these configurations");
}

size_t
convert_policy(const struct profile *profile, const char *scheduler_name,
    const struct convert_target *target, struct text *out,
    struct problems *notes)
{
	struct writing w = {
		.c = { .profile = profile, .out = out, .notes = notes },
		.target = target,
		.release = strcmp(target->version, "v1beta1") == 0 ? 20 : 36,
		.multi_point = strcmp(target->version, "v1") == 0,
		.least = target->first,
	};

	w.vocabulary = vocabulary_of(w.release);
	if (w.multi_point) {
		static const char from[] = "every policy has it";

		add_line(&w, POINT_PRE_ENQUEUE, "SchedulingGates", 0, from);
		add_line(&w, POINT_PRE_ENQUEUE, "DefaultPreemption", 0, from);
		add_line(&w, POINT_QUEUE_SORT, "PrioritySort", 0, from);
		add_line(&w, POINT_POST_FILTER, "DefaultPreemption", 0, from);
		add_line(&w, POINT_BIND, "DefaultBinder", 0, from);
	}
	for (size_t i = 0; i < profile->npredicates; i++)
		convert_predicate(&w, &profile->predicates[i]);
	for (size_t i = 0; i < profile->npriorities; i++)
		convert_priority(&w, &profile->priorities[i]);
	if (profile->always_check_all_predicates)
		convert_impossible(&w.c, "alwaysCheckAllPredicates", 0, 0,
		    "a node has the reasons of the first plugin that rejects "
		    "it; no pod fits more or fewer nodes");
	convert_put(&w.c,
	    "# Of a policy.  Scores are 0 to 100 here and 0 to 10 there, so "
	    "rounding may rank\n# nodes differently.  For kube-scheduler 1.%d ",
	    w.least);
	if (target->last < RELEASE_NEWEST)
		convert_put(&w.c, "to 1.%d.\n", target->last);
	else
		convert_put(&w.c, "or later.\n");
	convert_put_impossible(&w.c);
	convert_put(&w.c,
	    "apiVersion: kubescheduler.config.k8s.io/%s\n"
	    "kind: KubeSchedulerConfiguration\nprofiles:\n"
	    "- schedulerName: %s\n",
	    target->version, convert_quoted(&w.c, scheduler_name));
	put_plugins(&w);
	put_plugin_config(&w);
	convert_put_extenders(&w.c, true);
	text_fini(&w.c.impossible);
	arena_fini(&w.c.arena);
	return w.c.nimpossible;
}
