/*
 * MatchNodeSelector: the node has every label of the pod's spec.nodeSelector,
 * and one of the terms of its required node affinity matches.
 *
 * A required node affinity without terms matches no node.  A node selector with
 * an invalid label matches every node, as in kube-scheduler.
 *
 * Same rule as kube-scheduler 1.15, PodMatchNodeSelector.
 */
#include "config.h"

#include "cluster/columns.h"
#include "cluster/label_terms.h"
#include "framework/cycle.h"
#include "predicates/node_selector.h"
#include "predicates/registry.h"

struct wish {
	struct selector labels; /* spec.nodeSelector */
	bool has_affinity;
	struct node_selector affinity;
	/* The results of both for all nodes. */
	struct label_sums wanted, liked;
};

static const void *
prepare(struct cycle *cycle, const void *args)
{
	const struct pod_class *class = cycle->class;
	struct wish *wish;

	if (class->node_selector.n == 0 && !class->has_required_node_affinity)
		return NULL;
	wish = arena_alloc(cycle->arena, sizeof(*wish));
	wish->labels = selector_from_set(cycle->arena, &class->node_selector);
	wish->has_affinity = class->has_required_node_affinity;
	wish->affinity = class->required_node_affinity;
	label_sums_of_selector(&wish->wanted, cycle->arena, &wish->labels);
	label_sums_of_node_selector(&wish->liked, cycle->arena,
	    &wish->affinity);
	return wish;
}

static bool
has_labels(struct cycle *cycle, const struct node_info *node, struct wish *wish)
{
	return wish->wanted.large ?
	    label_sums_get(&wish->wanted, cycle->cluster)[node->index] != 0 :
	    selector_matches(&wish->labels, &node->node->labels);
}

static bool
is_liked(struct cycle *cycle, const struct node_info *node, struct wish *wish)
{
	return wish->liked.large ?
	    label_sums_get(&wish->liked, cycle->cluster)[node->index] != 0 :
	    node_selector_matches(&wish->affinity, &node->node->labels,
		node->name);
}

static enum verdict
check(struct cycle *cycle, const struct node_info *node, const void *prep,
    struct why *why)
{
	struct wish *wish = (struct wish *)prep;

	if (has_labels(cycle, node, wish) &&
	    (!wish->has_affinity || is_liked(cycle, node, wish)))
		return FITS;
	return refuse(why, UNFIT_FOREVER, WHY_NO_MATCH);
}

static bool
check_block(struct cycle *cycle, const struct column_block *b, const void *prep,
    uint8_t *restrict codes)
{
	struct wish *wish = (struct wish *)prep;
	const int32_t *sums =
	    label_sums_get(&wish->wanted, cycle->cluster) + b->first;

	for (uint32_t i = 0; i < COLUMN_ROWS; i++)
		codes[i] = sums[i] == 0;
	if (!wish->has_affinity)
		return true;
	sums = label_sums_get(&wish->liked, cycle->cluster) + b->first;
	for (uint32_t i = 0; i < COLUMN_ROWS; i++)
		codes[i] |= sums[i] == 0;
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

static const char *
miss(struct cycle *cycle, const struct node_info *node, const void *prep)
{
	const struct labels *labels = &node->node->labels;
	const struct wish *wish = prep;
	const char *text = selector_miss(cycle->arena, &wish->labels, labels);

	if (text != NULL || !wish->has_affinity)
		return text;
	if (wish->affinity.n == 0)
		return "its node affinity has no terms";
	if (wish->affinity.n > 1)
		return arena_printf(cycle->arena,
		    "none of %u node affinity terms matches", wish->affinity.n);
	text =
	    selector_miss(cycle->arena, &wish->affinity.at[0].labels, labels);
	return text != NULL ? text : "its node affinity matches other nodes";
}

const struct predicate predicate_match_node_selector = {
	.name = "MatchNodeSelector",
	.reads = READS_NODE,
	.aspects = ASPECT_NODE_AFFINITY,
	.prepare = prepare,
	.check = check,
	.check_block = check_block,
	.miss = miss,
};
