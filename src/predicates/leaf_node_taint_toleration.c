/*
 * LeafNodeTaintToleration: as PodToleratesNodeTaints, which it replaces, but
 * every pod tolerates the taint kosmos.io/node:NoSchedule of Kosmos' leaf
 * nodes, with any value; and a pod whose distribution policy has an advanced
 * term has that term's tolerations besides its own.
 *
 * The first taint that is not tolerated is named.  Same rule and sentence as
 * Kosmos' plugin of this name (the term's tolerations are without effect there).
 */
#include "config.h"

#include <string.h>

#include "base/xmalloc.h"
#include "cluster/columns.h"
#include "cluster/node_info.h"
#include "framework/cycle.h"
#include "predicates/leaf_node.h"
#include "predicates/registry.h"
#include "predicates/untolerated.h"

#define WHY_TAINT "node(s) had taint {%s: %s}, that the pod didn't tolerate"

struct prep {
	const struct tolerating *own;
	sym leaf;
	struct tolerating extra; /* of its DistributionPolicy */
};

static const void *
prepare(struct cycle *cycle, const void *args)
{
	struct prep *prep = arena_zalloc(cycle->arena, sizeof(*prep));
	const struct distribution *d = distribution_of_class(cycle->class);

	prep->own = tolerating_of(cycle);
	prep->leaf = sym_intern(LEAF_NODE_KEY);
	if (d != NULL) {
		prep->extra.n = d->ntolerations;
		prep->extra.tolerations = d->tolerations;
		prep->extra.comparisons = prep->own->comparisons;
	}
	return prep;
}

static bool
is_tolerated(const struct prep *prep, const struct taint *taint)
{
	if (!taint_keeps_pods_out(taint))
		return true;
	if (taint->key == prep->leaf && taint->effect == EFFECT_NO_SCHEDULE)
		return true;
	return tolerates(prep->own, taint) || tolerates(&prep->extra, taint);
}

/* NULL when there is none. */
static const struct taint *
first_untolerated(const struct prep *prep, uint32_t n,
    const struct taint *taints)
{
	for (uint32_t i = 0; i < n; i++)
		if (!is_tolerated(prep, &taints[i]))
			return &taints[i];
	return NULL;
}

static enum verdict
check(struct cycle *cycle, const struct node_info *node, const void *prep,
    struct why *why)
{
	const struct taint *taint =
	    first_untolerated(prep, node->node->ntaints, node->node->taints);
	AUTOFREE char *text = NULL;

	if (taint == NULL)
		return FITS;
	if (why == NULL)
		return UNFIT_FOREVER;
	text =
	    xasprintf(WHY_TAINT, sym_text(taint->key), sym_text(taint->value));
	/* it may outlive the cycle, as long as the cache may */
	return refuse(why, UNFIT_FOREVER, sym_text(sym_passing(text)));
}

/* Each taint has its own reason, which only check() makes. */
static bool
check_block(struct cycle *cycle, const struct column_block *b, const void *prep,
    uint8_t *codes)
{
	memset(codes, 0, COLUMN_ROWS);
	for (uint32_t i = 0; b->any_taints && i < b->n; i++) {
		const struct column_taints *taints = b->taints[i] != 0 ?
		    columns_taints(b->columns, b->taints[i]) :
		    NULL;

		if (taints != NULL &&
		    first_untolerated(prep, taints->n, taints->at) != NULL)
			codes[i] = CODE_ASK;
	}
	return true;
}

static const char *
miss(struct cycle *cycle, const struct node_info *node, const void *prep)
{
	const struct taint *t =
	    first_untolerated(prep, node->node->ntaints, node->node->taints);

	return arena_printf(cycle->arena,
	    "would fit if taint %s were tolerated",
	    taint_text(cycle->arena, t));
}

const struct predicate predicate_leaf_node_taint_toleration = {
	.name = "LeafNodeTaintToleration",
	.reads = READS_NODE | ASPECT_TOLERATIONS | ASPECT_CONFINES,
	.prepare = prepare,
	.check = check,
	.check_block = check_block,
	.miss = miss,
};
