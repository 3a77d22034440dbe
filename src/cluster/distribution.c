#include "config.h"

#include "cluster/distribution.h"

#include "cluster/cluster.h"
#include "objects/distribution_policy.h"
#include "objects/pod.h"

enum level { LEVEL_NONE, LEVEL_LABELS, LEVEL_PREFIX, LEVEL_NAME };

struct match {
	enum level level; /* LEVEL_NONE: no match, and the rest is not set */
	const struct distribution_policy *policy;
	const struct resource_selector *selector;
};

static enum level
level_of(const struct resource_selector *s, const struct pod *pod)
{
	const char *name = pod->object.name;

	if (s->name[0] != '\0' && strcmp(s->name, name) == 0)
		return LEVEL_NAME;
	if (s->name_prefix_len > 0 &&
	    strncmp(s->name_prefix, name, s->name_prefix_len) == 0)
		return LEVEL_PREFIX;
	if (s->has_label_selector &&
	    selector_matches(&s->label_selector, &pod->class->labels))
		return LEVEL_LABELS;
	return LEVEL_NONE;
}

bool
resource_selector_matches(const struct resource_selector *selector,
    const struct pod *pod)
{
	return level_of(selector, pod) != LEVEL_NONE;
}

/* Policies without a time, in a file, are younger than all other policies. */
static int64_t
birth(const struct distribution_policy *policy)
{
	return policy->object.created != 0 ? policy->object.created : INT64_MAX;
}

/* Of one scope; b comes behind a when they are of one policy. */
static bool
is_better(const struct match *b, const struct match *a)
{
	size_t prefix_a, prefix_b;

	if (b->level != a->level)
		return b->level > a->level;
	prefix_a = a->level == LEVEL_PREFIX ? a->selector->name_prefix_len : 0;
	prefix_b = b->level == LEVEL_PREFIX ? b->selector->name_prefix_len : 0;
	if (prefix_a != prefix_b)
		return prefix_b > prefix_a;
	if (a->policy == b->policy)
		return true;
	if (birth(a->policy) != birth(b->policy))
		return birth(b->policy) < birth(a->policy);
	return strcmp(b->policy->object.name, a->policy->object.name) < 0;
}

static struct match
best_of(const struct pod *pod, const struct namespace_info *ns,
    enum namespace_list list)
{
	struct match best = { .level = LEVEL_NONE };

	for (size_t i = 0; ns != NULL && i < ns->lists[list].n; i++) {
		const struct distribution_policy *policy =
		    policy_at(ns, list, i);

		for (uint32_t j = 0; j < policy->nselectors; j++) {
			const struct resource_selector *s =
			    &policy->selectors[j];
			struct match match = { level_of(s, pod), policy, s };

			if (match.level != LEVEL_NONE &&
			    (best.level == LEVEL_NONE ||
				is_better(&match, &best)))
				best = match;
		}
	}
	return best;
}

/* "DistributionPolicy ns/name" */
static sym
title_of(const struct object *object)
{
	const char *namespace = sym_text(object->namespace);
	AUTOFREE char *text =
	    xasprintf("%s %s%s%s", object_kind_name(object->kind), namespace,
		namespace[0] != '\0' ? "/" : "", object->name);

	return sym_intern(text);
}

static struct distribution
outcome(const struct match *match)
{
	const struct policy_term *term = distribution_policy_term(match->policy,
	    match->selector->policy_name);
	struct distribution d = {
		.policy = title_of(&match->policy->object),
		.term = match->selector->policy_name,
	};

	if (term == NULL)
		return d;
	d.type = term->type;
	if (term->type != DISTRIBUTION_ADVANCED)
		return d;
	d.node_name = term->node_name;
	d.node_selector = term->node_selector;
	d.ntolerations = term->ntolerations;
	d.tolerations = term->tolerations;
	d.affinity = term->affinity;
	return d;
}

struct distribution
distribution_of(const struct cluster *cluster, const struct pod *pod)
{
	struct match match;

	if (pod->class->of_daemon_set)
		return (struct distribution){ 0 };
	match = best_of(pod, cluster_namespace(cluster, pod->object.namespace),
	    DISTRIBUTION_POLICIES);
	if (match.level == LEVEL_NONE)
		match = best_of(pod, cluster_namespace(cluster, SYM_EMPTY),
		    CLUSTER_DISTRIBUTION_POLICIES);
	if (match.level == LEVEL_NONE)
		return (struct distribution){ 0 };
	return outcome(&match);
}

const char *
distribution_text(struct arena *arena, const struct distribution *d)
{
	static const char *const wants[] = {
		[DISTRIBUTION_MIX] = "any node",
		[DISTRIBUTION_HOST] = "only host nodes",
		[DISTRIBUTION_LEAF] = "only leaf nodes",
		[DISTRIBUTION_ADVANCED] = "only nodes of its advancedTerm",
	};

	const char *preferred =
	    d->affinity.npreferred > 0 ? ", some of them preferred" : "";

	return arena_printf(arena, "%s, term %s: %s%s", sym_text(d->policy),
	    sym_text(d->term), wants[d->type], preferred);
}
