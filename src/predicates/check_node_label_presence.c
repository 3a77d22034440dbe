/*
 * CheckNodeLabelPresence: the node has all of the policy's labels, or, with
 * presence: false, none of them.  Their values do not matter.
 *
 * Without argument, or without labels, every node fits.
 *
 * Same rule as kube-scheduler 1.15, CheckNodeLabelPresence (labelsPresence).
 */
#include "config.h"

#include "cluster/columns.h"
#include "cluster/label_columns.h"
#include "decide/framework/args.h"
#include "decide/framework/cycle.h"
#include "predicates/registry.h"
#include "priorities/registry.h"

#define WHY_LABELS "node(s) didn't have the requested labels"

static const void *
prepare(struct cycle *cycle, const void *args)
{
	const struct labels_presence_args *wish = args;

	return wish != NULL && wish->n > 0 ? wish : NULL;
}

/* The first label that is there or missing against the wish; SYM_NONE. */
static sym
offender(const struct labels_presence_args *wish, const struct node *node)
{
	for (size_t i = 0; i < wish->n; i++) {
		sym value = labels_get(&node->labels, wish->labels[i]);

		if ((value != SYM_NONE) != wish->presence)
			return wish->labels[i];
	}
	return SYM_NONE;
}

static enum verdict
check(struct cycle *cycle, const struct node_info *node, const void *prep,
    struct why *why)
{
	if (offender(prep, node->node) != SYM_NONE)
		return refuse(why, UNFIT_FOREVER, WHY_LABELS);
	return FITS;
}

static bool
check_block(struct cycle *cycle, const struct column_block *b, const void *prep,
    uint8_t *restrict codes)
{
	const struct labels_presence_args *wish = prep;

	if (wish->n > LABEL_REQUIREMENTS_MAX)
		return false;
	memset(codes, 0, COLUMN_ROWS);
	for (size_t i = 0; i < wish->n; i++) {
		const sym *values =
		    cluster_label_column(cycle->cluster, wish->labels[i]) +
		    b->first;
		uint8_t presence = wish->presence;

		for (uint32_t j = 0; j < COLUMN_ROWS; j++)
			codes[j] |= (values[j] != SYM_NONE) ^ presence;
	}
	return true;
}

static const char *
miss(struct cycle *cycle, const struct node_info *node, const void *prep)
{
	const struct labels_presence_args *wish = prep;

	return arena_printf(cycle->arena, "label %s is %s",
	    sym_text(offender(wish, node->node)),
	    wish->presence ? "missing" : "not wanted");
}

static enum needs
needs_by(const void *args)
{
	const struct labels_presence_args *a = args;

	return a != NULL && a->n > 0 ? NEEDS_NO_OBJECT : NEEDS_ARGUMENT_LABELS;
}

const struct predicate predicate_check_node_label_presence = {
	.name = "CheckNodeLabelPresence",
	.policy = { .in = IN_MANUAL,
	    .argument = "\"labelsPresence\": {\"labels\": [\"…\"], "
			"\"presence\": true}" },
	.convert = { .later = "NodeAffinity", .nearly = "as addedAffinity" },
	.reads = READS_NODE | ASPECT_NOTHING,
	.plugin = PLUGIN_NODE_LABEL,
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
	    (change->was == NULL ||
		!labels_equal(&change->was->labels, &change->is->labels));
}

/* The labels that nodes must have, then those that they must not have. */
static const void *
filter_args(struct arena *arena, const void *args, size_t i)
{
	const struct node_label_args *from = args;
	const struct labels_presence_args to = {
		.n = i == 0 ? from->npresent : from->nabsent,
		.labels = i == 0 ? from->present : from->absent,
		.presence = i == 0,
	};

	return arena_memdup(arena, &to, sizeof(to));
}

const struct plugin plugin_node_label = {
	.name = "NodeLabel",
	.points = { AT_POINT(FILTER) | AT_POINT(SCORE), 0 },
	.filters = { &predicate_check_node_label_presence,
	    &predicate_check_node_label_presence },
	.score = &priority_node_label,
	.weight = { 1, 0 },
	.wakes = wakes,
	.aspects = ASPECT_NOTHING,
	.filter_args = filter_args,
};
