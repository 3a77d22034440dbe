/*
 * MatchNodeSelector: the node has every label of the pod's spec.nodeSelector,
 * and one of the terms of its required node affinity matches.
 *
 * A required node affinity without terms matches no node.  A node selector with
 * an invalid label matches every node, as in kube-scheduler.
 *
 * In profiles of plugins an invalid label is compared as it is, and the affinity
 * that the plugin's arguments add is checked first.
 *
 * Same rule as kube-scheduler 1.15, PodMatchNodeSelector, and as NodeAffinity of
 * 1.20 and 1.36 (doc/semantics/11-kube-1.36.md, Node plugins).
 */
#include "config.h"

#include "cluster/columns.h"
#include "cluster/label_terms.h"
#include "decide/framework/allowed_nodes.h"
#include "decide/framework/args.h"
#include "decide/framework/cycle.h"
#include "decide/framework/profile.h"
#include "objects/changes.h"
#include "predicates/node_selector.h"
#include "predicates/registry.h"
#include "priorities/registry.h"

#define WHY_ENFORCED "node(s) didn't match scheduler-enforced node affinity"
#define WHY_AFFINITY_20 "node(s) didn't match Pod's node affinity"
#define WHY_AFFINITY "node(s) didn't match Pod's node affinity/selector"

/* check_block()'s codes; GeneralPredicates has one bit for the first. */
enum {
	CODE_OWN = 1,
	CODE_ENFORCED,
};

struct wish {
	const char *why;        /* the node is not one of the pod's */
	struct selector labels; /* spec.nodeSelector */
	bool has_affinity;
	struct node_selector affinity;
	/* The results of both for all nodes. */
	struct label_sums wanted, liked;
	/* The required part of addedAffinity, and its results. */
	const struct node_selector *added;
	struct label_sums enforced;
};

static const void *
prepare(struct cycle *cycle, const void *args_)
{
	const struct node_affinity_args *args = args_;
	const struct pod_class *class = cycle->class;
	int release = cycle->profile->release;
	bool adds = args != NULL && args->has_required;
	struct wish *wish;

	if (class->node_selector.n == 0 && !class->has_required_node_affinity &&
	    !adds)
		return NULL;
	wish = arena_zalloc(cycle->arena, sizeof(*wish));
	wish->why = release < SINCE_FRAMEWORK   ? WHY_NO_MATCH :
	    release < SINCE_NODE_AFFINITY_WORDS ? WHY_AFFINITY_20 :
						  WHY_AFFINITY;
	if (adds) {
		wish->added = &args->required;
		label_sums_of_node_selector(&wish->enforced, cycle->arena,
		    wish->added);
	}
	wish->labels = release < SINCE_FRAMEWORK ?
	    selector_from_set(cycle->arena, &class->node_selector) :
	    selector_from_valid_set(cycle->arena, &class->node_selector);
	wish->has_affinity = class->has_required_node_affinity;
	wish->affinity = class->required_node_affinity;
	label_sums_of_selector(&wish->wanted, cycle->arena, &wish->labels);
	label_sums_of_node_selector(&wish->liked, cycle->arena,
	    &wish->affinity);
	return wish;
}

static bool
is_liked(struct cycle *cycle, const struct node_info *node,
    const struct node_selector *selector, struct label_sums *sums)
{
	return sums->large ?
	    label_sums_get(sums, cycle->cluster)[node->index] != 0 :
	    node_selector_matches(selector, &node->node->labels, node->name);
}

static enum verdict
check(struct cycle *cycle, const struct node_info *node, const void *prep,
    struct why *why)
{
	struct wish *wish = (struct wish *)prep;

	if (wish->added != NULL &&
	    !is_liked(cycle, node, wish->added, &wish->enforced))
		return refuse(why, UNFIT_FOREVER, WHY_ENFORCED);
	if ((wish->wanted.large ?
		    label_sums_get(&wish->wanted,
			cycle->cluster)[node->index] != 0 :
		    selector_matches(&wish->labels, &node->node->labels)) &&
	    (!wish->has_affinity ||
		is_liked(cycle, node, &wish->affinity, &wish->liked)))
		return FITS;
	return refuse(why, UNFIT_FOREVER, wish->why);
}

static bool
check_block(struct cycle *cycle, const struct column_block *b, const void *prep,
    uint8_t *restrict codes)
{
	struct wish *wish = (struct wish *)prep;
	const int32_t *sums =
	    label_sums_get(&wish->wanted, cycle->cluster) + b->first;

	for (uint32_t i = 0; i < COLUMN_ROWS; i++)
		codes[i] = sums[i] == 0 ? CODE_OWN : 0;
	if (wish->has_affinity) {
		sums = label_sums_get(&wish->liked, cycle->cluster) + b->first;
		for (uint32_t i = 0; i < COLUMN_ROWS; i++)
			codes[i] |= sums[i] == 0 ? CODE_OWN : 0;
	}
	if (wish->added != NULL) {
		/* addedAffinity is checked before the pod's own affinity. */
		const int32_t *enforced =
		    label_sums_get(&wish->enforced, cycle->cluster) + b->first;

		for (uint32_t i = 0; i < COLUMN_ROWS; i++)
			codes[i] = enforced[i] == 0 ? CODE_ENFORCED : codes[i];
	}
	return true;
}

static const char *
shown(sym value)
{
	return value != SYM_EMPTY ? sym_text(value) : "\"\"";
}

/* "ssd", "ssd or nvme" */
static const char *
values_of(struct arena *arena, const struct requirement *r)
{
	const char **values = arena_array(arena, const char *, r->nvalues);

	for (uint32_t i = 0; i < r->nvalues; i++)
		values[i] = shown(r->values[i]);
	return r->nvalues > 0 ? arena_join(arena, r->nvalues, values, " or ") :
				"nothing";
}

/* How a requirement is missed by a node whose value is `has`. */
static const char *
miss_of(struct arena *arena, const struct requirement *r, sym has)
{
	const char *key = sym_text(r->key);

	if (has == SYM_NONE)
		return r->op == SELECTOR_IN ?
		    arena_printf(arena, "label %s is missing, not %s", key,
			values_of(arena, r)) :
		    arena_printf(arena, "label %s is missing", key);
	switch (r->op) {
	case SELECTOR_IN:
		return arena_printf(arena, "label %s is %s, not %s", key,
		    shown(has), values_of(arena, r));
	case SELECTOR_NOT_IN:
	case SELECTOR_EXISTS:
	case SELECTOR_DOES_NOT_EXIST:
		return arena_printf(arena, "label %s is %s", key, shown(has));
	case SELECTOR_GT:
		return arena_printf(arena, "label %s is %s, not above %s", key,
		    shown(has), values_of(arena, r));
	case SELECTOR_LT:
		return arena_printf(arena, "label %s is %s, not below %s", key,
		    shown(has), values_of(arena, r));
	}
	return NULL;
}

static const char *
selector_miss(struct arena *arena, const struct selector *s,
    const struct labels *labels)
{
	for (uint32_t i = 0; i < s->n; i++)
		if (!requirement_matches(&s->at[i], labels))
			return miss_of(arena, &s->at[i],
			    labels_get(labels, s->at[i].key));
	return s->error;
}

/* whose: "its" or "the added" */
static const char *
affinity_miss(struct arena *arena, const struct node_selector *affinity,
    const struct labels *labels, const char *whose)
{
	const char *text;

	if (affinity->n == 0)
		return arena_printf(arena, "%s node affinity has no terms",
		    whose);
	if (affinity->n > 1)
		return arena_printf(arena,
		    "none of %u node affinity terms matches", affinity->n);
	text = selector_miss(arena, &affinity->at[0].labels, labels);
	return text != NULL ?
	    text :
	    arena_printf(arena, "%s node affinity matches other nodes", whose);
}

static const char *
miss(struct cycle *cycle, const struct node_info *node, const void *prep)
{
	const struct labels *labels = &node->node->labels;
	const struct wish *wish = prep;
	const char *text;

	if (wish->added != NULL &&
	    !node_selector_matches(wish->added, labels, node->name))
		return affinity_miss(cycle->arena, wish->added, labels,
		    "the added");
	text = selector_miss(cycle->arena, &wish->labels, labels);
	if (text != NULL || !wish->has_affinity)
		return text;
	return affinity_miss(cycle->arena, &wish->affinity, labels, "its");
}

/* Whether terms that name nodes leave none of them. */
static bool
names_conflict(const struct cycle *cycle)
{
	const struct node_selector *terms =
	    &cycle->class->required_node_affinity;
	int release = cycle->profile->release;

	if (release < SINCE_NODE_AFFINITY_NAMES)
		return false;
	/* the first term that leaves none, if no term before it names none */
	for (uint32_t i = 0; release < SINCE_NODE_AFFINITY_TERMS &&
	     i < terms->n && terms->at[i].named;
	     i++)
		if (terms->at[i].nnames == 0)
			return true;
	return names_all_nodes(cycle->class) &&
	    !ANY(i, terms->n, terms->at[i].nnames > 0);
}

static enum verdict
check_names(struct cycle *cycle, const void *args, struct why *why)
{
	return names_conflict(cycle) ?
	    refuse(why, UNFIT_FOREVER, "pod affinity terms conflict") :
	    FITS;
}

static enum needs
needs_by(const void *args)
{
	const struct node_affinity_args *a = args;

	return a != NULL && a->has_required ? NEEDS_NO_OBJECT :
					      NEEDS_POD_NODE_SELECTOR;
}

const struct predicate predicate_match_node_selector = {
	.name = "MatchNodeSelector",
	.policy = { .in = REGISTERED, .aliases = "PodMatchNodeSelector" },
	.reads = READS_NODE | ASPECT_NODE_AFFINITY,
	.plugin = PLUGIN_NODE_AFFINITY,
	.kubelet = { "node selectors and node affinity", "NodeAffinity" },
	.prepare = prepare,
	.check = check,
	.check_block = check_block,
	.miss = miss,
	.needs_by = needs_by,
};

static bool
wakes(const struct pod_class *class, const struct object_change *change)
{
	return change->is != NULL &&
	    (class->confines != NULL ||
		(class_selects_node(class, change->is) &&
		    (change->was == NULL ||
			!class_selects_node(class, change->was))));
}

const struct plugin plugin_node_affinity = {
	.name = "NodeAffinity",
	.points = EARLY_AND_LATER(AT_POINT(PRE_FILTER) | AT_POINT(FILTER) |
	    AT_POINT(PRE_SCORE) | AT_POINT(SCORE)),
	.filters = { &predicate_match_node_selector },
	.score = &priority_node_affinity_priority,
	.pre_filter = check_names,
	.weight = { 1, 2 },
	.enabled = true,
	.since = { { AT_POINT(PRE_FILTER) | AT_POINT(PRE_SCORE), 21 } },
	.wakes = wakes,
	.aspects = ASPECT_NODE_AFFINITY | ASPECT_CONFINES,
	.hidden_from = PODS_ALL,
};
