/*
 * PodToleratesNodeTaints: each of the node's taints with the effect NoSchedule
 * or NoExecute is tolerated by one of the pod's tolerations.
 *
 * PreferNoSchedule only affects scores; unknown effects do not count.
 *
 * Same rule as kube-scheduler 1.15, PodToleratesNodeTaints, and TaintToleration
 * of 1.20 and 1.36, whose reasons differ.
 */
#include "config.h"

#include "base/xmalloc.h"
#include "cluster/node_info.h"
#include "framework/cycle.h"
#include "framework/profile.h"
#include "predicates/registry.h"
#include "predicates/untolerated.h"

#define WHY_UNTOLERATED "node(s) had untolerated taint(s)" /* of 1.36 */

/* So many reasons of 1.20 have a code. */
#define NAMED_MAX (CODE_ASK - 1)

/* A taint that is not tolerated, in the words of 1.20. */
struct named_taint {
	sym key, value;
	const char *reason;
};

struct wanted {
	struct tolerating *tolerating;
	/* The reason of all refusals; NULL: names the first such taint. */
	const char *why;
	struct arena *arena; /* of the list below */
	size_t n, cap;
	struct named_taint *named;
};

static const void *
prepare(struct cycle *cycle, const void *args)
{
	struct wanted *wanted = arena_zalloc(cycle->arena, sizeof(*wanted));
	int release = cycle->profile->release;

	wanted->tolerating = tolerating_of(cycle);
	wanted->arena = cycle->arena;
	if (release < 20)
		wanted->why = WHY_TAINTED;
	else if (release >= 36)
		wanted->why = WHY_UNTOLERATED;
	return wanted;
}

/* It may outlive the cycle, as long as the cache may. */
static const char *
reason_of(const struct taint *taint)
{
	AUTOFREE char *text =
	    xasprintf("node(s) had taint {%s: %s}, that the pod didn't "
		      "tolerate",
		sym_text(taint->key), sym_text(taint->value));

	return sym_text(sym_passing(text));
}

/* The place of the taint among those that are named; NAMED_MAX: there is none. */
static size_t
place_of(struct wanted *wanted, const struct taint *taint)
{
	for (size_t i = 0; i < wanted->n; i++)
		if (wanted->named[i].key == taint->key &&
		    wanted->named[i].value == taint->value)
			return i;
	if (wanted->n == NAMED_MAX)
		return NAMED_MAX;
	arena_room(wanted->arena, wanted->named, wanted->n, &wanted->cap);
	wanted->named[wanted->n] =
	    (struct named_taint){ taint->key, taint->value, reason_of(taint) };
	return wanted->n++;
}

static const char *
why_of(struct wanted *wanted, const struct taint *taint)
{
	size_t place;

	if (wanted->why != NULL)
		return wanted->why;
	place = place_of(wanted, taint);
	return place < NAMED_MAX ? wanted->named[place].reason :
				   reason_of(taint);
}

static enum verdict
check(struct cycle *cycle, const struct node_info *node, const void *prep,
    struct why *why)
{
	struct wanted *wanted = (struct wanted *)prep;
	const struct taint *taint = untolerated_first(wanted->tolerating,
	    node->node->ntaints, node->node->taints, taint_keeps_pods_out);

	if (taint == NULL)
		return FITS;
	if (why == NULL)
		return UNFIT_FOREVER;
	return refuse(why, UNFIT_FOREVER, why_of(wanted, taint));
}

static uint8_t
code_of(void *wanted, const struct taint *taint)
{
	size_t place = place_of(wanted, taint);

	return place < NAMED_MAX ? (uint8_t)(place + 1) : CODE_ASK;
}

static bool
check_block(struct cycle *cycle, const struct column_block *b, const void *prep,
    uint8_t *codes)
{
	struct wanted *wanted = (struct wanted *)prep;

	return untolerated_check_block(wanted->tolerating, b,
	    taint_keeps_pods_out, wanted->why == NULL ? code_of : NULL, wanted,
	    codes);
}

static const char *
miss(struct cycle *cycle, const struct node_info *node, const void *prep)
{
	const struct wanted *wanted = prep;

	return untolerated_miss(cycle->arena, wanted->tolerating, node->node,
	    taint_keeps_pods_out);
}

const struct predicate predicate_pod_tolerates_node_taints = {
	.name = "PodToleratesNodeTaints",
	.reads = READS_NODE | ASPECT_TOLERATIONS,
	.prepare = prepare,
	.check = check,
	.check_block = check_block,
	.miss = miss,
};
