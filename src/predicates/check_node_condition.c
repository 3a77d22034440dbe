/*
 * CheckNodeCondition: the node says that it is ready, that its network is
 * available, and that it is not cordoned.
 *
 * Conditions that the node does not report do not count; "Unknown" counts as
 * failed.  All failed conditions are reported; a condition listed twice counts
 * twice.  From 1.12 on taints replace this rule: kube-scheduler has it only
 * with the gate TaintNodesByCondition off.
 *
 * Same rule as kube-scheduler 1.15, CheckNodeConditionPredicate.
 */
#include "config.h"

#include "cluster/columns.h"
#include "cluster/node_info.h"
#include "decide/framework/cycle.h"
#include "predicates/registry.h"

#define WHY_NOT_READY "node(s) were not ready"
#define WHY_NO_NETWORK "node(s) had unavailable network"
#define WHY_CORDONED "node(s) were unschedulable"

struct names {
	sym ready, yes;
	sym network_unavailable, no;
};

static const void *
prepare(struct cycle *cycle, const void *args)
{
	struct names *names = arena_alloc(cycle->arena, sizeof(*names));

	*names = (struct names){
		.ready = sym_intern("Ready"),
		.yes = sym_intern("True"),
		.network_unavailable = sym_intern("NetworkUnavailable"),
		.no = sym_intern("False"),
	};
	return names;
}

static const char *
complaint(const struct node_condition *c, const struct names *names)
{
	if (c->type == names->ready && c->status != names->yes)
		return WHY_NOT_READY;
	if (c->type == names->network_unavailable && c->status != names->no)
		return WHY_NO_NETWORK;
	return NULL;
}

static enum verdict
check(struct cycle *cycle, const struct node_info *info, const void *prep,
    struct why *why)
{
	const struct node *node = info->node;
	enum verdict verdict = FITS;
	const char *reason;

	for (uint32_t i = 0; i < node->nconditions; i++) {
		reason = complaint(&node->conditions[i], prep);
		if (reason != NULL)
			verdict = refuse(why, UNFIT_FOREVER, reason);
	}
	if (node->unschedulable)
		verdict = refuse(why, UNFIT_FOREVER, WHY_CORDONED);
	return verdict;
}

static bool
check_block(struct cycle *cycle, const struct column_block *b, const void *prep,
    uint8_t *codes)
{
	column_codes(b, COLUMN_UNHEALTHY | COLUMN_UNSCHEDULABLE, CODE_CHECK,
	    codes);
	return true;
}

static const char *
miss(struct cycle *cycle, const struct node_info *info, const void *prep)
{
	const struct node *node = info->node;

	for (uint32_t i = 0; i < node->nconditions; i++)
		if (complaint(&node->conditions[i], prep) != NULL)
			return arena_printf(cycle->arena, "condition %s is %s",
			    sym_text(node->conditions[i].type),
			    node->conditions[i].status != SYM_EMPTY ?
				sym_text(node->conditions[i].status) :
				"empty");
	return "spec.unschedulable is true";
}

const struct predicate predicate_check_node_condition = {
	.name = "CheckNodeCondition",
	.policy = { .in = IN_BOTH,
	    .registered = "TaintNodesByCondition=false",
	    .mandatory = "TaintNodesByCondition=false" },
	.convert = { DIFFERS("by the taints of such nodes") },
	.reads = READS_NODE | ASPECT_NOTHING,
	.prepare = prepare,
	.check = check,
	.check_block = check_block,
	.miss = miss,
};
