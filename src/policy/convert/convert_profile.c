/* From a profile of a KubeSchedulerConfiguration to a policy. */
#include "config.h"

#include <inttypes.h>

#include "decide/framework/args.h"
#include "policy/convert/convert_internal.h"
#include "policy/policy_internal.h"
#include "predicates/registry.h"
#include "priorities/registry.h"

static void
put_entry(struct conversion *c, const char *name, const char *from)
{
	convert_put(c, "- name: %s # %s\n", name, from);
}

#define NEEDS_GATE " needs --feature-gates=EvenPodsSpread=true"

/* Whether a policy may name the rules of pods' spread constraints.  The hard ones
 * count in every policy. */
static bool
has_spread(const struct conversion *c)
{
	return c->profile->gates.even_pods_spread;
}

/* Predicates. */

static void
put_label_predicate(struct conversion *c, const char *name, const char *kind,
    const sym *labels, size_t n, const char *presence, const char *from)
{
	if (n == 0)
		return;
	put_entry(c, name, from);
	convert_put(c, "  argument:\n    %s:\n      labels: %s\n", kind,
	    convert_labels(c, labels, n));
	if (presence != NULL)
		convert_put(c, "      presence: %s\n", presence);
}

/* Arguments that a policy cannot say. */
static void
check_filter_args(struct conversion *c, const struct profile_predicate *p)
{
	if (p->args == NULL)
		return;
	if (p->unit == &predicate_match_node_selector) {
		const struct node_affinity_args *args = p->args;

		if (args->has_required)
			impossible(c, p,
			    "a policy has no addedAffinity; labelsPresence "
			    "requires labels");
	} else if (p->unit == &predicate_pod_fits_resources) {
		const struct node_resources_fit_args *args = p->args;
		size_t nmanaged = 0;

		for (size_t i = 0; i < c->profile->nextenders; i++)
			nmanaged += c->profile->extenders[i].nmanaged;
		if (args->nignored_groups > 0 ||
		    (args->nignored > 0 && nmanaged == 0))
			impossible(c, p,
			    "a policy ignores the resources of its extenders "
			    "alone");
	}
}

static void
put_predicate(struct conversion *c, const struct profile_predicate *p)
{
	const char *from = convert_origin(c, p->name, p->line), *name;

	if (p->unit == &predicate_missing_state) {
		impossible(c, p,
		    "without its preFilter it fails for every pod");
		return;
	}
	if (p->unit == &predicate_check_node_label_presence) {
		const struct labels_presence_args *args = p->args;

		put_label_predicate(c,
		    args->presence ? "NodeLabelPresent" : "NodeLabelAbsent",
		    "labelsPresence", args->labels, args->n,
		    args->presence ? "true" : "false", from);
		return;
	}
	if (p->unit == &predicate_check_service_affinity) {
		const struct service_affinity_args *args = p->args;

		put_label_predicate(c, "ServiceAffinity", "serviceAffinity",
		    args->labels, args->n, NULL, from);
		return;
	}
	if (p->unit == &predicate_even_pods_spread && !has_spread(c))
		return;
	name = counterpart_name(RULE_FILTERS, p->name);
	if (name != NULL) {
		put_entry(c, name, from);
		check_filter_args(c, p);
	} else if (p->unit->policy.in != IN_ALL_POLICIES)
		impossible(c, p, "no predicate has this rule");
}

/* The same plugin may be several predicates. */
static bool
is_repeated(const struct profile *profile, size_t i)
{
	const struct profile_predicate *all = profile->predicates;

	/* NodeLabel: labels that nodes have, and labels that they lack */
	return all[i].unit != &predicate_check_node_label_presence &&
	    ANY(j, i, strcmp(all[j].name, all[i].name) == 0);
}

/* Whether a plugin that filters has the rule of the predicate, or that of the one by
 * which it is replaced. */
static bool
has_rule(const struct profile *profile, const struct predicate *unit)
{
	return ANY(i, npredicates,
	    (predicates[i] == unit ||
		predicates[i]->policy.instead_of == unit) &&
		profile_place(profile, POINT_FILTER,
		    plugin_name(predicates[i]->plugin)) >= 0);
}

/* A list without entries is written as such: without one the defaults apply. */
static void
put_list(struct conversion *c, const char *key,
    void (*put_entries)(struct conversion *c))
{
	struct text entries = { 0 }, *out = c->out;

	c->out = &entries;
	put_entries(c);
	c->out = out;
	convert_put(c, "%s:%s\n", key, entries.len == 0 ? " []" : "");
	if (entries.len > 0)
		text_append(out, entries.bytes, entries.len);
	text_fini(&entries);
}

static void
put_predicates(struct conversion *c)
{
	const struct profile *profile = c->profile;
	struct named_rule rule;

	for (size_t i = 0; i < profile->npredicates; i++)
		if (!profile->predicates[i].later && !is_repeated(profile, i))
			put_predicate(c, &profile->predicates[i]);
	for (size_t i = 0; next_named_rule(RULE_FILTERS, &i, &rule);)
		if (is_mandatory(&rule, &gates_default) &&
		    !has_rule(profile, rule.predicate))
			convert_impossible(c,
			    plugin_name(rule.predicate->plugin), 0, 0,
			    "every policy has %s", rule.name);
}

/* Priorities. */

static void
put_priority(struct conversion *c, const char *name, int64_t weight,
    const char *from)
{
	put_entry(c, name, from);
	convert_put(c, "  weight: %" PRId64 "\n", weight);
}

/* Whether the resources are those of a policy: cpu and memory, one each. */
static bool
are_usual(const struct scored_resource *resources, size_t n)
{
	return n == 2 && resources[0].weight == resources[1].weight &&
	    ((resources[0].name == sym_intern("cpu") &&
		 resources[1].name == sym_intern("memory")) ||
		(resources[0].name == sym_intern("memory") &&
		    resources[1].name == sym_intern("cpu")));
}

static void
put_allocation(struct conversion *c, const struct profile_priority *p,
    const char *from)
{
	const struct node_resources_fit_args *args = p->args;

	if (args == NULL || !are_usual(args->resources, args->nresources)) {
		impossible(c, p,
		    "a policy scores cpu and memory with equal weights");
		return;
	}
	switch (args->strategy) {
	case STRATEGY_LEAST_ALLOCATED:
		put_priority(c, "LeastRequestedPriority", p->weight, from);
		break;
	case STRATEGY_MOST_ALLOCATED:
		put_priority(c, "MostRequestedPriority", p->weight, from);
		break;
	case STRATEGY_REQUESTED_TO_CAPACITY_RATIO:
		put_priority(c, "RequestedToCapacityRatio", p->weight, from);
		convert_put(c,
		    "  argument:\n"
		    "    requestedToCapacityRatioArguments:\n"
		    "      shape:\n");
		for (size_t i = 0; i < args->npoints; i++)
			convert_put(c,
			    "      - {utilization: %" PRId64 ", score: %" PRId64
			    "}\n",
			    args->shape[i].utilization, args->shape[i].score);
		break;
	}
}

/* A plugin averages its n labels, a policy adds its entries up. */
static bool
shares_weight(struct conversion *c, const struct profile_priority *p, size_t n)
{
	if (n > 0 && p->weight % (int64_t)n == 0)
		return true;
	impossible(c, p, "%zu entries cannot share the weight %" PRId64, n,
	    p->weight);
	return false;
}

static void
put_label_priority(struct conversion *c, const char *name, int64_t weight,
    const char *kind, sym label, const char *presence, const char *from)
{
	put_priority(c, name, weight, from);
	convert_put(c, "  argument:\n    %s:\n      label: %s\n", kind,
	    convert_quoted(c, sym_text(label)));
	if (presence != NULL)
		convert_put(c, "      presence: %s\n", presence);
}

static const char *
numbered(struct conversion *c, const char *name, size_t i)
{
	return arena_printf(&c->arena, "%s%zu", name, i + 1);
}

static void
put_label_preferences(struct conversion *c, const struct profile_priority *p,
    const char *from)
{
	const struct node_label_args *args = p->args;
	size_t n = args->npreferred_present + args->npreferred_absent;

	if (!shares_weight(c, p, n))
		return;
	for (size_t i = 0; i < n; i++) {
		bool present = i < args->npreferred_present;

		put_label_priority(c, numbered(c, "NodeLabel", i),
		    p->weight / (int64_t)n, "labelPreference",
		    present ?
			args->preferred_present[i] :
			args->preferred_absent[i - args->npreferred_present],
		    present ? "true" : "false", from);
	}
}

static void
put_score(struct conversion *c, const struct profile_priority *p)
{
	const char *from = convert_origin(c, p->name, p->line);

	if (p->unit == &priority_missing_state) {
		impossible(c, p, "without its preScore it fails for every pod");
		return;
	}
	if (p->unit == &priority_node_resources) {
		put_allocation(c, p, from);
	} else if (p->unit == &priority_pod_topology_spread) {
		const struct pod_topology_spread_args *args = p->args;

		if (has_spread(c))
			put_priority(c, "EvenPodsSpreadPriority", p->weight,
			    from);
		else
			impossible(c, p, "EvenPodsSpreadPriority" NEEDS_GATE);
		if (args != NULL && args->system_defaults)
			put_priority(c, "SelectorSpreadPriority", p->weight,
			    arena_printf(&c->arena,
				"%s (in place of the default constraints)",
				from));
		else if (args != NULL && args->nconstraints > 0)
			impossible(c, p, "a policy has no defaultConstraints");
	} else if (p->unit == &priority_node_label) {
		put_label_preferences(c, p, from);
	} else if (p->unit == &priority_service_affinity) {
		const struct service_affinity_plugin_args *args = p->args;
		size_t n = args->nanti_affinity_labels;

		if (!shares_weight(c, p, n))
			return;
		for (size_t i = 0; i < n; i++)
			put_label_priority(c,
			    numbered(c, "ServiceAntiAffinity", i),
			    p->weight / (int64_t)n, "serviceAntiAffinity",
			    args->anti_affinity_labels[i], NULL, from);
	} else {
		const char *name = counterpart_name(RULE_SCORES, p->name);

		if (name != NULL)
			put_priority(c, name, p->weight, from);
		else if (p->unit->needs != NEEDS_DEVICE_SCORES &&
		    p->unit->needs != NEEDS_CAPACITY_SCORING)
			impossible(c, p, "no priority has this rule");
	}
}

static void
put_priorities(struct conversion *c)
{
	const struct profile *profile = c->profile;

	for (size_t i = 0; i < profile->npriorities; i++) {
		const struct profile_priority *p;
		const struct node_affinity_args *args;

		put_score(c, &profile->priorities[i]);
		p = &profile->priorities[i];
		args = p->args;
		if (p->unit == &priority_node_affinity_priority &&
		    args != NULL && args->npreferred > 0)
			impossible(c, p,
			    "a policy has no addedAffinity; labelPreference prefers "
			    "labels");
	}
}

/* The rest. */

static void
check_the_rest(struct conversion *c)
{
	const struct profile *profile = c->profile;

	if (profile->hard_pod_affinity_symmetric_weight > 0)
		convert_put(c,
		    "hardPodAffinitySymmetricWeight: %" PRId64
		    " # InterPodAffinity\n",
		    profile->hard_pod_affinity_symmetric_weight);
	else
		convert_impossible(c, "InterPodAffinity", 0, 0,
		    "hardPodAffinityWeight is at least 1 in a policy");
	if (!profile_preempts(profile))
		convert_impossible(c, "postFilter", 0, 0,
		    "a policy preempts; use --disable-preemption");
	if (profile->percentage_of_nodes > 0)
		convert_impossible(c, "percentageOfNodesToScore", 0, 0,
		    "use --percentage-of-nodes-to-score=%" PRId64,
		    profile->percentage_of_nodes);
}

size_t
convert_profile(const struct profile *profile, struct text *out,
    struct problems *notes)
{
	struct text body = { 0 };
	struct conversion c = { .profile = profile,
		.out = &body,
		.notes = notes };

	put_list(&c, "predicates", put_predicates);
	put_list(&c, "priorities", put_priorities);
	convert_put_extenders(&c, false);
	check_the_rest(&c);
	c.out = out;
	convert_put(&c,
	    "# Of the profile %s of a KubeSchedulerConfiguration.  Scores are "
	    "0 to 10 here and\n# 0 to 100 there, so rounding may rank nodes "
	    "differently.\n",
	    convert_quoted(&c, profile->scheduler_name));
	convert_put_impossible(&c);
	convert_put(&c, "apiVersion: v1\nkind: Policy\n");
	if (body.len > 0)
		text_append(out, body.bytes, body.len);
	text_fini(&body);
	text_fini(&c.impossible);
	arena_fini(&c.arena);
	return c.nimpossible;
}
