/*
 * Priorities that cannot change which node is best: those that give every node
 * the same score for every pod, and those that heavier ones always outweigh.
 *
 * Only entries of the policy are reported: the default rules are made for every
 * cluster.
 */
#include "config.h"

#include <inttypes.h>

#include "base/sorted.h"
#include "lint/lint_internal.h"
#include "framework/args.h"
#include "priorities/registry.h"

/* ---- why all nodes score the same ---- */

#define LEAVE_IT "; remove it, or keep it in case that changes"

/*
 * Each returns the reason why a priority gives every node the same score for
 * every pod; NULL: it may not.  *advice is LEAVE_IT unless the function sets
 * better advice.
 */

static const char *
why_node_label(struct lint *lint, const void *a, const char **advice)
{
	const struct label_preference_args *args = a;
	struct node_set without;

	if (HAS_PLUGINS(lint)) /* several labels, whose scores are averaged */
		return NULL;

	lint_nodes_without(lint, args->label, &without);
	if (without.n == 0)
		return arena_printf(&lint->arena,
		    "all nodes have the label "
		    "\"%s\"",
		    sym_text(args->label));
	if (without.n < lint->nnodes)
		return NULL;
	*advice = lint_label_hint(lint, args->label, LABEL_NODES);
	return arena_printf(&lint->arena, "no node has the label \"%s\"",
	    sym_text(args->label));
}

static const char *
why_equal(struct lint *lint, const void *args, const char **advice)
{
	*advice = "; remove it";
	return "this is so on every cluster";
}

static const char *
why_node_affinity(struct lint *lint, const void *a, const char **advice)
{
	const struct node_affinity_args *args = a;

	return args != NULL && args->npreferred > 0 ?
	    NULL :
	    lint_lack(lint, NEEDS_POD_PREFERRED_NODES);
}

static bool
some_selects(const struct lint *lint, enum namespace_list from,
    enum namespace_list to)
{
	const struct map *map = &lint->cluster->namespaces;

	for (size_t i = 0; i < map->nslots; i++) {
		const struct namespace_info *ns = map->slots[i].value;

		for (unsigned list = from; ns != NULL && list <= to; list++)
			for (size_t j = 0; j < ns->lists[list].n; j++) {
				const struct workload *workload =
				    workload_at(ns, list, j);

				if (workload->has_selector &&
				    lint_selects_a_pod(lint, workload))
					return true;
			}
	}
	return false;
}

static bool
some_service_selects(const struct lint *lint)
{
	return some_selects(lint, SELECTING_SERVICES, SELECTING_SERVICES);
}

static const char *
why_selector_spread(struct lint *lint, const void *args, const char **advice)
{
	if (lint->npods == 0 || some_service_selects(lint) ||
	    some_selects(lint, SELECTING_CONTROLLERS, SELECTING_STATEFUL_SETS))
		return NULL;
	return "no Service, ReplicationController, ReplicaSet or StatefulSet "
	       "of the cluster given selects a pod";
}

/* Default constraints are for pods that a Service or controller selects. */
static const char *
why_pod_topology_spread(struct lint *lint, const void *a, const char **advice)
{
	const struct pod_topology_spread_args *args = a;
	const char *why = lint_lack(lint, NEEDS_POD_SOFT_SPREAD);
	bool defaults = args->system_defaults;

	for (uint32_t i = 0; i < args->nconstraints; i++)
		defaults |= !args->constraints[i].hard;
	if (why == NULL || !defaults)
		return why;
	return why_selector_spread(lint, NULL, advice) == NULL ?
	    NULL :
	    "no pod has a topology spread constraint with ScheduleAnyway, and "
	    "no Service or controller of the cluster given selects a pod, "
	    "which default constraints need";
}

static const char *
why_volume_binding(struct lint *lint, const void *args, const char **advice)
{
	return lint->profile->gates.storage_capacity_scoring ?
	    NULL :
	    "it scores only with the feature gate StorageCapacityScoring";
}

static bool
all_values_equal(const struct lint *lint, sym label)
{
	for (size_t i = 1; i < lint->nnodes; i++)
		if (labels_get(&lint->nodes[i]->labels, label) !=
		    labels_get(&lint->nodes[0]->labels, label))
			return false;
	return true;
}

static const char *
why_service_anti_affinity(struct lint *lint, const void *a, const char **advice)
{
	sym label = ((const struct service_anti_affinity_args *)a)->label;
	struct node_set without;

	lint_nodes_without(lint, label, &without);
	if (without.n == lint->nnodes) {
		*advice = lint_label_hint(lint, label, LABEL_NODES);
		return arena_printf(&lint->arena,
		    "no node has the label "
		    "\"%s\"",
		    sym_text(label));
	}
	if (all_values_equal(lint, label))
		return arena_printf(&lint->arena,
		    "all nodes have the same "
		    "value of the label \"%s\"",
		    sym_text(label));
	/* nodes without the label always score 0 */
	if (without.n > 0 || lint->npods == 0 || some_service_selects(lint))
		return NULL;
	return "no Service of the cluster given selects a pod";
}

static const char *
why_flat_shape(struct lint *lint, const void *a, const char **advice)
{
	const struct requested_to_capacity_ratio_args *args = a;

	/* without arguments it has a slope */
	for (size_t i = 1; args != NULL && i < args->npoints; i++)
		if (args->shape[i].score != args->shape[0].score)
			return NULL;
	*advice = "; give it a slope, or remove it";
	return args == NULL ? NULL : "its shape has the same score everywhere";
}

static const char *
why_dynamic_resources(struct lint *lint, const void *args, const char **advice)
{
	return "devices are not allocated here, so all nodes score 0";
}

/* Of other units it depends on what they need; those that need nothing use resources, which
 * every pod requests. */
static const struct {
	const struct priority *unit;
	const char *(
	    *why)(struct lint *lint, const void *args, const char **advice);
} constants[] = {
	{ &priority_equal_priority, why_equal },
	{ &priority_dynamic_resources, why_dynamic_resources },
	{ &priority_node_affinity_priority, why_node_affinity },
	{ &priority_node_label, why_node_label },
	{ &priority_pod_topology_spread, why_pod_topology_spread },
	{ &priority_requested_to_capacity_ratio_priority, why_flat_shape },
	{ &priority_selector_spread_priority, why_selector_spread },
	{ &priority_service_anti_affinity, why_service_anti_affinity },
	{ &priority_service_spreading_priority, why_selector_spread },
	{ &priority_volume_binding, why_volume_binding },
};

static const char *
why_constant(struct lint *lint, const struct lint_rule *rule,
    const char **advice)
{
	const struct priority *unit = rule->unit;

	*advice = LEAVE_IT;
	for (size_t i = 0; i < LENGTH(constants); i++)
		if (constants[i].unit == unit)
			return constants[i].why(lint, rule->args, advice);
	return unit->needs != NEEDS_NO_OBJECT ? lint_lack(lint, unit->needs) :
						NULL;
}

const char *
lint_why_constant(struct lint *lint, const struct lint_rule *rule)
{
	const char *advice;

	return why_constant(lint, rule, &advice);
}

/* ---- dominating weights ---- */

/* The parts of a node's total: priorities, and extenders that score. */
struct voters {
	size_t n;
	struct lint_rule *at;
};

static int
compare_voters(const void *a, const void *b)
{
	const struct lint_rule *x = a, *y = b;

	if (x->weight != y->weight)
		return x->weight < y->weight ? 1 : -1;
	return strcmp(x->name, y->name);
}

static void
add_extenders(const struct profile *profile, struct voters *voters)
{
	for (size_t i = 0; i < profile->nextenders; i++) {
		const struct extender *e = &profile->extenders[i];

		if (*e->prioritize_verb != '\0')
			voters->at[voters->n++] =
			    (struct lint_rule){ .name = e->url_prefix,
				    .weight = e->weight,
				    .line = e->line,
				    .column = e->column };
	}
}

static const char *
list_voters(struct lint *lint, const struct lint_rule *at, size_t n)
{
	const char *text = "";

	for (size_t i = 0; i < n; i++)
		text = arena_printf(&lint->arena,
		    "%s%s\"%s\" (weight %" PRId64 ")", text,
		    i == 0        ? "" :
			i + 1 < n ? ", " :
				    " and ",
		    at[i].name, at[i].weight);
	return text;
}

/*
 * Scores are whole numbers up to score_max, so a voter decides alone where it
 * weighs more than score_max times all lighter ones together: its smallest
 * difference, 1, is more than they can make up for.  That holds for as long as
 * all heavier ones do the same; the first that does not ends it.
 */
static void
warn_outweighed(struct lint *lint, const struct voters *voters)
{
	int64_t rest = 0, max = lint->profile->score_max;

	for (size_t i = 0; i < voters->n; i++)
		if (__builtin_add_overflow(rest, voters->at[i].weight, &rest))
			return;
	for (size_t i = 0; i + 1 < voters->n; i++) {
		const struct lint_rule *v = &voters->at[i];
		size_t nlighter = voters->n - i - 1;

		rest -= v->weight;
		if ((v->weight - 1) / max < rest)
			return;
		if (v->line == 0)
			continue;
		lint_warn(lint, v,
		    "%s only decide%s between "
		    "nodes that \"%s\" (weight %" PRId64 ") scores equally; "
		    "lower its weight if you do not intend that",
		    list_voters(lint, v + 1, nlighter),
		    nlighter == 1 ? "s" : "", v->name, v->weight);
	}
}

void
lint_priorities(struct lint *lint)
{
	const struct profile *profile = lint->profile;
	struct voters voters = {
		.at = arena_array(&lint->arena, struct lint_rule,
		    profile->npriorities + profile->nextenders)
	};

	/* priorities decide nothing where there is nothing to choose */
	if (lint->nnodes < 2)
		return;
	for (size_t i = 0; i < lint->nrules; i++) {
		const struct lint_rule *rule = &lint->rules[i];
		const char *advice, *why;

		if (!rule->is_priority)
			continue;
		why = why_constant(lint, rule, &advice);
		if (why == NULL)
			voters.at[voters.n++] = *rule;
		else if (rule->line != 0)
			lint_warn_of(lint, rule,
			    "changes nothing here, every node gets the same "
			    "score: %s%s",
			    why, advice);
	}
	add_extenders(profile, &voters);
	SORT(voters.at, voters.n, compare_voters);
	warn_outweighed(lint, &voters);
}
