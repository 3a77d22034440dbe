/* For every rule or plugin, whether it can change an answer on this cluster: not if no
 * node or pod has the objects or fields that it needs. */
#include "config.h"

#include "lint/lint_internal.h"
#include "framework/args.h"
#include "predicates/registry.h"

/* Whether the plugin's arguments make it matter to pods that ask for nothing. */
static bool
args_matter(const struct lint *lint, const struct lint_rule *p)
{
	const struct node_affinity_args *affinity = p->args;
	const struct pod_topology_spread_args *spread = p->args;
	bool hard = false;

	if (!HAS_PLUGINS(lint) || p->args == NULL)
		return false;
	if (p->unit == &predicate_match_node_selector)
		return affinity->has_required;
	if (p->unit != &predicate_even_pods_spread)
		return false;
	for (uint32_t i = 0; i < spread->nconstraints; i++)
		hard |= spread->constraints[i].hard;
	return hard;
}

/* Plugins that filter by labels do not without any. */
static const char *
why_without_labels(const struct lint_rule *p)
{
	const struct labels_presence_args *presence = p->args;
	const struct service_affinity_args *affinity = p->args;
	bool labels = true;

	if (p->unit == &predicate_check_node_label_presence)
		labels = presence != NULL && presence->n > 0;
	else if (p->unit == &predicate_check_service_affinity)
		labels = affinity != NULL && affinity->n > 0;
	return labels ? NULL : "its arguments name no labels";
}

/* NULL: it can matter. */
static const char *
why_inert(const struct lint *lint, const struct lint_rule *p)
{
	const struct predicate *unit = p->unit;

	if (args_matter(lint, p))
		return NULL;
	if (unit->needs != NEEDS_NO_OBJECT)
		return lint_lack(lint, unit->needs);
	return why_without_labels(p);
}

static void
note(struct lint *lint, const struct lint_rule *rule, const char *why)
{
	if (why != NULL)
		lint_warn_of(lint, rule, "cannot matter here: %s", why);
	else
		lint_warn_of(lint, rule, "can matter here");
}

/* ---- plugins ---- */

/* All that is known of a plugin of a profile, by all its rules. */
struct plugin_note {
	struct lint_rule rule;
	bool matters;
	const char *why; /* it does not */
};

struct plugin_notes {
	size_t n, cap;
	struct plugin_note *at;
};

static void
add_rule(struct lint *lint, struct plugin_notes *notes,
    const struct lint_rule *rule, const char *why)
{
	struct plugin_note *p =
	    FIND_ROW(notes->at, notes->n, rule.name, rule->name);

	if (p == NULL) {
		arena_room(&lint->arena, notes->at, notes->n, &notes->cap);
		p = &notes->at[notes->n++];
		*p = (struct plugin_note){ .rule = *rule, .why = "" };
	}
	if (p->rule.line == 0)
		p->rule = *rule;
	p->matters |= why == NULL;
	if (why != NULL && strstr(p->why, why) == NULL)
		p->why = arena_append(&lint->arena, p->why, "; ", why);
}

/* Pods of one priority, whatever it is, do not preempt each other. */
static const char *
why_no_preemption(const struct lint *lint)
{
	for (size_t i = 0; i < lint->on->npods; i++)
		if (lint->on->pods[i]->priority != lint->on->pods[0]->priority)
			return NULL;
	return lint->npods == 0 ? NULL : "all pods have the same priority";
}

/* Whether it is at a point that means something without the others. */
static bool
has_own_point(const struct profile *profile, const char *name)
{
	for (int at = 0; at < NPOINTS; at++)
		if (at != POINT_PRE_FILTER && at != POINT_PRE_SCORE &&
		    profile_has_plugin(profile, at, name))
			return true;
	return false;
}

/* Plugins without a predicate or priority. */
static const char *
why_other(const struct lint *lint, const char *name)
{
	const char *why = strcmp(name, "SchedulingGates") == 0 ?
	    lint_lack(lint, NEEDS_POD_GATES) :
	    NULL;

	if (why != NULL)
		return why;
	if (strcmp(name, "DefaultPreemption") == 0)
		return why_no_preemption(lint);
	return has_own_point(lint->profile, name) ?
	    NULL :
	    "it is enabled neither at filter nor at score";
}

static const char *
why_not(struct lint *lint, const struct lint_rule *rule)
{
	if (!rule->is_priority)
		return why_inert(lint, rule);
	return lint->nnodes < 2 ? "there is only one node" :
				  lint_why_constant(lint, rule);
}

void
lint_all_rules(struct lint *lint)
{
	const struct profile_point *points = lint->profile->points;
	struct plugin_notes notes = { 0 };

	for (size_t i = 0; i < lint->nrules; i++) {
		const struct lint_rule *rule = &lint->rules[i];

		if (rule->later)
			continue;
		if (HAS_PLUGINS(lint))
			add_rule(lint, &notes, rule, why_not(lint, rule));
		else
			note(lint, rule, why_not(lint, rule));
	}
	for (int at = 0; HAS_PLUGINS(lint) && at < NPOINTS; at++)
		for (size_t i = 0; i < points[at].n; i++) {
			const struct lint_rule rule = { .word = "plugin",
				.name = points[at].plugins[i].name };

			if (FIND_ROW(lint->rules, lint->nrules, name,
				rule.name) == NULL)
				add_rule(lint, &notes, &rule,
				    why_other(lint, rule.name));
		}
	for (size_t i = 0; i < notes.n; i++)
		note(lint, &notes.at[i].rule,
		    notes.at[i].matters ? NULL : notes.at[i].why);
}
