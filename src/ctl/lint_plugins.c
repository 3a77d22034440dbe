/* Profiles of plugins: plugins that fail for every pod, arguments that no node
 * meets, and profiles that serve no pod. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/xmalloc.h"
#include "ctl/lint_internal.h"
#include "framework/args.h"
#include "model/node.h"
#include "predicates/registry.h"
#include "priorities/registry.h"

/* ---- plugins that lack another point of theirs ---- */

void
lint_missing_state(struct lint *lint)
{
	const struct profile *profile = lint->profile;

	for (size_t i = 0; i < profile->npredicates; i++) {
		const struct profile_predicate *p = &profile->predicates[i];

		if (p->unit == &predicate_missing_state)
			lint_warn(lint, p->line, p->column,
			    "plugin \"%s\" filters without its preFilter, and "
			    "fails for every node: no pod is scheduled; enable "
			    "it at preFilter, or disable it at filter",
			    p->name);
	}
	for (size_t i = 0; i < profile->npriorities; i++) {
		const struct profile_priority *p = &profile->priorities[i];

		if (p->unit == &priority_missing_state)
			lint_warn(lint, p->line, p->column,
			    "plugin \"%s\" scores without its preScore or "
			    "preFilter, and fails where more than one node "
			    "fits; enable it there, or disable it at score",
			    p->name);
	}
}

/* ---- arguments ---- */

void
lint_added_affinity(struct lint *lint)
{
	const struct profile_predicate *p =
	    lint_predicate(lint, &predicate_match_node_selector);
	const struct node_affinity_args *args;

	if (!HAS_PLUGINS(lint) || p == NULL || p->args == NULL)
		return;
	args = p->args;
	if (!args->has_required || lint->nnodes == 0)
		return;
	for (size_t i = 0; i < lint->nnodes; i++)
		if (node_selector_matches(&args->required,
			&lint->nodes[i]->labels, lint->nodes[i]->name))
			return;
	lint_warn(lint, p->line, p->column,
	    "no node matches what addedAffinity of plugin \"%s\" requires: no "
	    "pod fits anywhere",
	    p->name);
}

static bool
offers(const struct node *node, sym resource)
{
	static const char *const always[] = { "cpu", "memory",
		"ephemeral-storage", "pods" };
	const struct scalar *scalar =
	    resources_scalar(&node->allocatable, resource);

	for (size_t i = 0; i < LENGTH(always); i++)
		if (strcmp(sym_text(resource), always[i]) == 0)
			return true;
	return scalar != NULL && scalar->amount > 0;
}

static bool
is_offered(const struct lint *lint, sym resource)
{
	for (size_t i = 0; i < lint->nnodes; i++)
		if (offers(lint->nodes[i], resource))
			return true;
	return lint->nnodes == 0;
}

static void
check_resources(struct lint *lint, const struct profile_priority *p, size_t n,
    const struct scored_resource *resources)
{
	for (size_t i = 0; i < n; i++)
		if (!is_offered(lint, resources[i].name))
			lint_warn(lint, p->line, p->column,
			    "plugin \"%s\" scores by the resource \"%s\", "
			    "which no node offers (status.allocatable)",
			    p->name, sym_text(resources[i].name));
}

void
lint_scored_resources(struct lint *lint)
{
	for (size_t i = 0; HAS_PLUGINS(lint) && i < lint->profile->npriorities;
	     i++) {
		const struct profile_priority *p =
		    &lint->profile->priorities[i];
		const struct node_resources_fit_args *fit = p->args;
		const struct balanced_allocation_args *balanced = p->args;

		if (p->args == NULL)
			continue;
		if (p->unit == &priority_node_resources)
			check_resources(lint, p, fit->nresources,
			    fit->resources);
		else if (p->unit == &priority_balanced_resource_allocation)
			check_resources(lint, p, balanced->nresources,
			    balanced->resources);
	}
}

/* ---- schedulerName ---- */

void
lint_served_pods(struct lint *lint)
{
	const char *name = lint->profile->scheduler_name;

	if (!HAS_PLUGINS(lint) || lint->npods == 0 || name == NULL)
		return;
	for (size_t i = 0; i < lint->ngroups; i++)
		if (strcmp(sym_text(lint->groups[i].class->scheduler_name),
			name) == 0)
			return;
	lint_warn(lint, 0, 0,
	    "no pod of the cluster given has schedulerName \"%s\": the profile "
	    "serves none",
	    name);
}
