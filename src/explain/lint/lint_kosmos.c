/* Distribution policies of Kosmos with an unintended effect. */
#include "config.h"

#include "base/sorted.h"
#include "cluster/distribution.h"
#include "explain/lint/lint_internal.h"
#include "objects/distribution_policy.h"
#include "predicates/leaf_node.h"
#include "predicates/registry.h"

#define SHOWN 10 /* warnings of each sort */

/* "DistributionPolicy ns/name" */
static const char *
title_of(struct lint *lint, const struct distribution_policy *policy)
{
	AUTOFREE char *name = object_full_name(&policy->object);

	return arena_strdup(&lint->arena, name);
}

static bool
selects_a_pod(const struct lint *lint, const struct distribution_policy *policy,
    const struct resource_selector *selector)
{
	sym namespace = policy->object.namespace;

	return ANY(i, lint->on->npods,
	    (namespace == SYM_EMPTY ||
		lint->on->pods[i]->object.namespace == namespace) &&
		resource_selector_matches(selector, lint->on->pods[i]));
}

static bool
is_for(const struct policy_term *term, const struct node *node)
{
	sym leaf = sym_intern(LEAF_NODE_KEY);
	bool is_leaf = labels_get(&node->labels, leaf) != SYM_NONE;

	switch (term->type) {
	case DISTRIBUTION_HOST:
		return !is_leaf;
	case DISTRIBUTION_LEAF:
		return is_leaf;
	case DISTRIBUTION_ADVANCED:
		return (term->node_name == SYM_EMPTY ||
			   term->node_name == node->name) &&
		    labels_contains(&node->labels, &term->node_selector) &&
		    (!term->affinity.has_required ||
			node_selector_matches(&term->affinity.required,
			    &node->labels, node->name));
	case DISTRIBUTION_MIX:
		break;
	}
	return true;
}

static void
lint_policies(struct lint *lint, const struct namespace_info *ns,
    enum namespace_list list)
{
	for (size_t i = 0; i < ns->lists[list].n; i++) {
		const struct distribution_policy *policy =
		    policy_at(ns, list, i);
		const char *problem;
		uint32_t nidle = 0, shown = 0;

		for (uint32_t j = 0; j < SHOWN &&
		     (problem = distribution_policy_problem(policy, j)) != NULL;
		     j++)
			lint_warn(lint, NULL, "%s: %s", title_of(lint, policy),
			    problem);
		for (uint32_t j = 0; lint->on->npods > 0 &&
		     j < policy->nselectors && nidle < SHOWN;
		     j++) {
			if (selects_a_pod(lint, policy, &policy->selectors[j]))
				continue;
			nidle++;
			lint_warn(lint, NULL,
			    "%s: spec.resourceSelectors[%u] selects none of "
			    "the pods given; names are pod names, not "
			    "controller names",
			    title_of(lint, policy), j);
		}
		for (uint32_t j = 0;
		     lint->nnodes > 0 && j < policy->nterms && shown < SHOWN;
		     j++) {
			if (ANY(k, lint->nnodes,
				is_for(&policy->terms[j], lint->nodes[k])))
				continue;
			shown++;
			lint_warn(lint, NULL,
			    "%s: spec.policyTerms[%u], \"%s\", "
			    "matches none of the nodes; leaf nodes are those with the "
			    "label " LEAF_NODE_KEY,
			    title_of(lint, policy), j,
			    sym_text(policy->terms[j].name));
		}
	}
}

/* The namespaces with policies, SYM_EMPTY for the cluster's, by name. */
static sym *
collect(struct lint *lint, size_t *n, size_t *npolicies)
{
	const struct map *map = &lint->cluster->namespaces;
	sym *namespaces = arena_array(&lint->arena, sym, map->n);

	*n = *npolicies = 0;
	for (size_t i = 0; i < map->nslots; i++) {
		const struct namespace_info *ns = map->slots[i].value;
		size_t its = ns == NULL ? 0 :
					  ns->lists[DISTRIBUTION_POLICIES].n +
			ns->lists[CLUSTER_DISTRIBUTION_POLICIES].n;

		if (its > 0)
			namespaces[(*n)++] = (sym)map->slots[i].key;
		*npolicies += its;
	}
	SORT(namespaces, *n, sym_compare);
	return namespaces;
}

void
lint_distribution(struct lint *lint)
{
	size_t n, npolicies;
	sym *namespaces = collect(lint, &n, &npolicies);

	if (n == 0)
		return;
	if (lint_find(lint, &predicate_leaf_node_distribution) == NULL) {
		lint_warn(lint, NULL,
		    "%zu distribution polic%s of Kosmos "
		    "%s no effect; add \"LeafNodeDistribution\" and "
		    "\"LeafNodeTaintToleration\", or --kosmos",
		    npolicies, npolicies == 1 ? "y" : "ies",
		    npolicies == 1 ? "has" : "have");
		return;
	}
	for (size_t i = 0; i < n; i++) {
		const struct namespace_info *ns =
		    cluster_namespace(lint->cluster, namespaces[i]);

		lint_policies(lint, ns, CLUSTER_DISTRIBUTION_POLICIES);
		lint_policies(lint, ns, DISTRIBUTION_POLICIES);
	}
}
