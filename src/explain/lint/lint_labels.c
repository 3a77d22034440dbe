/* Labels that rules use and nodes lack. */
#include "config.h"

#include "base/text.h"
#include "explain/lint/lint_internal.h"
#include "decide/framework/args.h"
#include "predicates/registry.h"
#include "priorities/registry.h"

#define ZONE_LABEL "failure-domain.beta.kubernetes.io/zone"
#define NEW_ZONE_LABEL "topology.kubernetes.io/zone"

static bool
no_node_has(const struct lint *lint, sym label)
{
	struct node_set set;

	return lint_nodes_without(lint, label, &set) == lint->nnodes;
}

/* ---- labelsPresence ---- */

/* '"a"' or '"a", "b"' */
static const char *
label_list(struct lint *lint, const struct labels_presence_args *args)
{
	struct text text = { 0 };

	for (size_t i = 0; i < args->n; i++)
		text_printf(&text, "%s\"%s\"", i > 0 ? ", " : "",
		    sym_text(args->labels[i]));
	return text_keep(&text, &lint->arena);
}

static bool
passes(const struct node *node, const struct labels_presence_args *args)
{
	return !ANY(i, args->n,
	    (labels_get(&node->labels, args->labels[i]) != SYM_NONE) !=
		args->presence);
}

/* Warns about each label that no node has; returns whether there is one. */
static bool
warn_nowhere(struct lint *lint, const struct lint_rule *rule)
{
	const struct labels_presence_args *args = rule->args;
	bool found = false;

	for (size_t i = 0; i < args->n; i++) {
		if (!no_node_has(lint, args->labels[i]))
			continue;
		found = true;
		lint_warn_of(lint, rule,
		    "%s the label \"%s\", which no node has: %s%s",
		    args->presence ? "requires" : "keeps pods off nodes with",
		    sym_text(args->labels[i]),
		    args->presence ? "no pod fits anywhere" :
				     "the rule rejects no node",
		    lint_label_hint(lint, args->labels[i],
			args->presence ? LABEL_NODES :
					 "; correct it unless you will add the "
					 "label"));
	}
	return found;
}

void
lint_labels_presence(struct lint *lint, const struct lint_rule *rule)
{
	const struct labels_presence_args *args = rule->args;
	bool nowhere = args != NULL && warn_nowhere(lint, rule);

	if (args == NULL ||
	    ANY(i, lint->nnodes, passes(lint->nodes[i], args)) ||
	    (args->presence && nowhere))
		return;
	if (args->presence)
		lint_warn_of(lint, rule,
		    "requires the labels %s together, and no node has all of "
		    "them: no pod fits anywhere",
		    label_list(lint, args));
	else
		lint_warn_of(lint, rule,
		    "keeps pods off nodes with any label of %s, and every "
		    "node has one: no pod fits anywhere",
		    label_list(lint, args));
}

/* ---- serviceAffinity, serviceAntiAffinity ---- */

static void
check_affinity_label(struct lint *lint, const struct lint_rule *rule, sym label)
{
	struct node_set without;

	if (lint_nodes_without(lint, label, &without) == 0)
		return;
	if (without.n == lint->nnodes)
		lint_warn_of(lint, rule,
		    "keeps the pods of a service together by the label "
		    "\"%s\", which no node has: it keeps no pods together%s",
		    sym_text(label), lint_label_hint(lint, label, LABEL_NODES));
	else
		lint_warn_of(lint, rule,
		    "keeps the pods of a service together by the label "
		    "\"%s\", which is missing on %s: services whose first "
		    "pod runs there are not kept together, other services "
		    "never run there; label these nodes",
		    sym_text(label), node_set_text(lint, &without));
}

void
lint_service_affinity(struct lint *lint, const struct lint_rule *rule)
{
	const struct service_affinity_args *args = rule->args;

	for (size_t j = 0; args != NULL && j < args->n; j++)
		check_affinity_label(lint, rule, args->labels[j]);
}

/* That no node has the label is for lint_priorities() to say. */
void
lint_service_anti_affinity(struct lint *lint, const struct lint_rule *rule)
{
	const struct service_anti_affinity_args *args = rule->args;
	struct node_set without;

	lint_nodes_without(lint, args->label, &without);
	if (without.n > 0 && without.n < lint->nnodes)
		lint_warn_of(lint, rule,
		    "spreads the pods of a service by the label \"%s\", which "
		    "is missing on %s: these always score 0; label them",
		    sym_text(args->label), node_set_text(lint, &without));
}

/* ---- topology keys of pods ---- */

/*
 * The effect of a missing label depends on the rule (kube-scheduler 1.15): before
 * 1.20 a pod that matches its own affinity fits anywhere while no pod on a labelled
 * node does; before 1.18 a spread constraint has no effect without any labelled
 * node.
 */
enum use {
	USE_AFFINITY,      /* to other pods */
	USE_SELF_AFFINITY, /* to pods like itself */
	USE_ANTI_AFFINITY,
	USE_OLD_SPREAD, /* before 1.18 */
	USE_SPREAD,
};

/* Pods whose rules of one kind use one label. */
struct key_use {
	sym key;
	enum use use;
	size_t npods;
	const struct pod_group *first, *last;
};

struct key_uses {
	size_t n, cap;
	struct key_use *at;
};

static void
add_use(struct lint *lint, struct key_uses *uses, sym key, enum use use,
    const struct pod_group *group)
{
	struct key_use *u = FIND(i, uses->at, uses->n,
	    uses->at[i].key == key && uses->at[i].use == use);

	if (u == NULL) {
		arena_room(&lint->arena, uses->at, uses->n, &uses->cap);
		u = &uses->at[uses->n++];
		*u = (struct key_use){ .key = key, .use = use, .first = group };
	}
	/* several terms of a pod may have the same key */
	if (u->last != group)
		u->npods += group->npods;
	u->last = group;
}

/* The release whose rules apply. */
static int
release_of(const struct lint *lint)
{
	return lint->profile->strict ? 15 : lint->cluster->kubernetes_minor;
}

static enum use
affinity_use(const struct lint *lint, const struct pod_class *class)
{
	return release_of(lint) >= 20 ||
		ANY(i, class->affinity.nrequired,
		    !pod_term_matches(&class->affinity.required[i], class)) ?
	    USE_AFFINITY :
	    USE_SELF_AFFINITY;
}

/* Only the rules in the policy. */
static struct key_uses
collect_uses(struct lint *lint)
{
	bool affinity =
	    lint_find(lint, &predicate_match_inter_pod_affinity) != NULL;
	const struct lint_rule *even =
	    lint_find(lint, &predicate_even_pods_spread);
	bool spread = even != NULL && (!even->later || release_of(lint) >= 18);
	struct key_uses uses = { 0 };

	for (size_t i = 0; i < lint->ngroups; i++) {
		const struct pod_group *group = &lint->groups[i];
		const struct pod_terms *near = &group->class->affinity;
		const struct pod_terms *apart = &group->class->anti_affinity;

		for (uint32_t j = 0; affinity && j < near->nrequired; j++)
			add_use(lint, &uses, near->required[j].topology_key,
			    affinity_use(lint, group->class), group);
		for (uint32_t j = 0; affinity && j < apart->nrequired; j++)
			add_use(lint, &uses, apart->required[j].topology_key,
			    USE_ANTI_AFFINITY, group);
		for (uint32_t j = 0; spread && j < group->class->nspread; j++)
			if (group->class->spread[j].hard)
				add_use(lint, &uses,
				    group->class->spread[j].topology_key,
				    release_of(lint) >= 18 ? USE_SPREAD :
							     USE_OLD_SPREAD,
				    group);
	}
	return uses;
}

static const struct use_text {
	const char *rule;
	const char *nowhere; /* the effect if no node has the label */
	const char *partly;  /* the effect on nodes without it if other nodes
			      * have it */
} use_texts[] = {
	[USE_AFFINITY] = { "pod affinity", "they fit on no node",
	    "they never run there" },
	[USE_SELF_AFFINITY] = { "pod affinity", "it keeps no pods together",
	    "pods whose group starts there are not kept together, other pods "
	    "never run there" },
	[USE_ANTI_AFFINITY] = { "pod anti-affinity", "it separates no pods",
	    "it separates no pods there" },
	[USE_OLD_SPREAD] = { "topology spread constraint", "it spreads nothing",
	    "they never run there" },
	[USE_SPREAD] = { "topology spread constraint", "they fit on no node",
	    "they never run there" },
};

static void
check_use(struct lint *lint, const struct key_use *u)
{
	const struct use_text *text = &use_texts[u->use];
	struct node_set without;
	const char *who, *where;

	if (lint_nodes_without(lint, u->key, &without) == 0)
		return;
	who = arena_printf(&lint->arena, "%zu pod%s (%s%s)", u->npods,
	    plural_of(u->npods), pod_full_name(u->first->first),
	    u->npods > 1 ? ", ..." : "");
	where = node_set_text(lint, &without);
	if (without.n == lint->nnodes)
		lint_warn(lint, NULL,
		    "%s: the required %s uses the label "
		    "\"%s\", which no node has: %s%s",
		    who, text->rule, sym_text(u->key), text->nowhere,
		    lint_label_hint(lint, u->key, LABEL_NODES));
	else
		lint_warn(lint, NULL,
		    "%s: the required %s uses the label "
		    "\"%s\", which is missing on %s: %s; label these nodes",
		    who, text->rule, sym_text(u->key), where, text->partly);
}

void
lint_topology_keys(struct lint *lint)
{
	struct key_uses uses = collect_uses(lint);

	for (size_t i = 0; i < uses.n; i++)
		check_use(lint, &uses.at[i]);
}

/* ---- zones ---- */

void
lint_zones(struct lint *lint)
{
	const struct lint_rule *rule =
	    lint_find(lint, &priority_selector_spread_priority);
	bool beta = release_of(lint) < 17;
	const char *label = beta ? ZONE_LABEL : NEW_ZONE_LABEL;
	struct node_set without = { 0 };

	if (rule == NULL)
		rule = lint_find(lint, &priority_service_spreading_priority);
	if (rule == NULL)
		return;
	for (size_t i = 0; i < lint->nnodes; i++)
		if ((beta ? lint->nodes[i]->beta_zone : lint->nodes[i]->zone) ==
		    SYM_EMPTY)
			node_set_add(&without, lint->nodes[i]);
	if (without.n == 0)
		return;
	if (without.n < lint->nnodes)
		lint_warn_of(lint, rule,
		    "spreads pods over zones, but the label \"%s\" is missing "
		    "on %s: pods there belong to no zone, and these nodes are "
		    "scored without zones; label them",
		    label, node_set_text(lint, &without));
	else if (!no_node_has(lint, sym_intern(NEW_ZONE_LABEL)))
		lint_warn_of(lint, rule,
		    "uses the zone label \"" ZONE_LABEL
		    "\", but nodes only have \"" NEW_ZONE_LABEL
		    "\": pods are spread over nodes, not over zones; give "
		    "nodes the older label, too");
}
