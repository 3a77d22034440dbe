/*
 * ProjectNodeSelector: the node has every label of the node selector of the
 * pod's namespace, or of OpenShift's default one where it has none of its own.
 *
 * OpenShift's API server adds these labels to the spec.nodeSelector of every
 * pod that it accepts; here they also count for pods accepted before the labels
 * were set, and with policies without a rule for node selectors.
 * cluster/confines.h finds them in advance.
 *
 * The sentence is that of MatchNodeSelector, as users of OpenShift know it.
 */
#include "config.h"

#include "cluster/columns.h"
#include "cluster/label_columns.h"
#include "decide/framework/cycle.h"
#include "objects/confines.h"
#include "predicates/node_selector.h"
#include "predicates/registry.h"

static const void *
prepare(struct cycle *cycle, const void *args)
{
	const struct confines *confines = cycle->class->confines;

	if (confines == NULL || confines->node_selector.n == 0)
		return NULL;
	return &confines->node_selector;
}

static enum verdict
check(struct cycle *cycle, const struct node_info *node, const void *prep,
    struct why *why)
{
	if (labels_contains(&node->node->labels, prep))
		return FITS;
	return refuse(why, UNFIT_FOREVER, WHY_NO_MATCH);
}

static bool
check_block(struct cycle *cycle, const struct column_block *b, const void *prep,
    uint8_t *restrict codes)
{
	const struct labels *wanted = prep;

	if (wanted->n > LABEL_REQUIREMENTS_MAX)
		return false;
	memset(codes, 0, COLUMN_ROWS);
	for (uint32_t i = 0; i < wanted->n; i++) {
		const sym *values =
		    cluster_label_column(cycle->cluster, wanted->at[i].key) +
		    b->first;
		sym value = wanted->at[i].value;

		for (uint32_t j = 0; j < COLUMN_ROWS; j++)
			codes[j] |= values[j] != value;
	}
	return true;
}

static const char *
miss(struct cycle *cycle, const struct node_info *node, const void *prep)
{
	const struct labels *wanted = prep;

	for (uint32_t i = 0; i < wanted->n; i++) {
		const struct label *label = &wanted->at[i];
		sym has = labels_get(&node->node->labels, label->key);

		if (has == SYM_NONE)
			return arena_printf(cycle->arena,
			    "label %s is "
			    "missing, its namespace requires %s",
			    sym_text(label->key), sym_text(label->value));
		if (has != label->value)
			return arena_printf(cycle->arena,
			    "label %s is %s, "
			    "its namespace requires %s",
			    sym_text(label->key), sym_text(has),
			    sym_text(label->value));
	}
	return NULL;
}

const struct predicate predicate_project_node_selector = {
	.name = "ProjectNodeSelector",
	.reads = READS_NODE | ASPECT_CONFINES,
	.prepare = prepare,
	.check = check,
	.check_block = check_block,
	.miss = miss,
};
