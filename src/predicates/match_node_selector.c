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

#include <string.h>

#include "cluster/columns.h"
#include "cluster/label_columns.h"
#include "predicates/node_selector.h"
#include "predicates/registry.h"
#include "sched/cycle.h"

struct wish {
	struct selector labels; /* spec.nodeSelector */
	bool has_affinity;
	struct node_selector affinity;
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
	return wish;
}

static enum verdict
check(struct cycle *cycle, const struct node_info *node, const void *prep,
    struct why *why)
{
	const struct labels *labels = &node->node->labels;
	const struct wish *wish = prep;

	if (selector_matches(&wish->labels, labels) &&
	    (!wish->has_affinity ||
		node_selector_matches(&wish->affinity, labels, node->name)))
		return FITS;
	return refuse(why, UNFIT_FOREVER, WHY_NO_MATCH);
}

static bool
check_block(struct cycle *cycle, const struct column_block *b,
    const void *prep, uint8_t *codes)
{
	const struct wish *wish = prep;
	uint8_t wanted[COLUMN_ROWS], liked[COLUMN_ROWS];

	memset(liked, 1, sizeof(liked));
	if (!selector_matches_block(cycle->cluster, b, &wish->labels, wanted) ||
	    (wish->has_affinity &&
		!node_selector_matches_block(cycle->cluster, b,
		    &wish->affinity, liked)))
		return false;
	for (uint32_t i = 0; i < COLUMN_ROWS; i++)
		codes[i] = (wanted[i] & liked[i]) ^ 1;
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
	const char *all = r->nvalues > 0 ? shown(r->values[0]) : "nothing";

	for (uint32_t i = 1; i < r->nvalues; i++)
		all = arena_printf(arena, "%s or %s", all, shown(r->values[i]));
	return all;
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
	text = selector_miss(cycle->arena, &wish->affinity.at[0].labels,
	    labels);
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
