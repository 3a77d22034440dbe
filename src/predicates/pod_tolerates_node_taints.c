/*
 * PodToleratesNodeTaints: each of the node's taints with the effect NoSchedule
 * or NoExecute is tolerated by one of the pod's tolerations.
 *
 * PreferNoSchedule only affects scores; unknown effects do not count.
 *
 * Same rule as kube-scheduler 1.15, PodToleratesNodeTaints, and TaintToleration
 * of 1.20 and 1.36, whose reasons differ.
 *
 * PodToleratesNodeNoExecuteTaints: the same of NoExecute alone, for policies in
 * which other rules handle NoSchedule.  Same rule as kube-scheduler 1.15's, which
 * its policies cannot name.
 *
 * LeafNodeTaintToleration: as PodToleratesNodeTaints, which it replaces, but
 * every pod tolerates the taint kosmos.io/node:NoSchedule of Kosmos' leaf
 * nodes, with any value; and a pod whose distribution policy has an advanced
 * term has that term's tolerations besides its own.  Same rule and sentence as
 * Kosmos' plugin of this name (the term's tolerations are without effect there).
 */
#include "config.h"

#include "cluster/columns.h"
#include "cluster/node_info.h"
#include "decide/framework/cycle.h"
#include "decide/framework/profile.h"
#include "objects/changes.h"
#include "decide/framework/tolerating.h"
#include "predicates/leaf_node.h"
#include "predicates/registry.h"
#include "priorities/registry.h"

#define WHY_TAINTED "node(s) had taints that the pod didn't tolerate"
#define WHY_UNTOLERATED "node(s) had untolerated taint(s)" /* since 1.35 */

/* So many reasons of 1.20 have a code. */
#define NAMED_MAX (CODE_CHECK - 1)

/* A taint that is not tolerated, in the words of 1.20. */
struct named_taint {
	sym key, value;
	const char *reason;
};

struct wanted {
	/* Which taints the rule is about. */
	bool (*counts)(const struct taint *);
	struct tolerating own, extra; /* extra: of a DistributionPolicy */
	sym leaf; /* of this key NoSchedule is tolerated; SYM_NONE: of none */
	/* The reason of all refusals; NULL: names the first such taint. */
	const char *why;
	bool untolerated;    /* the words of 1.24 */
	struct arena *arena; /* of the list below */
	size_t n, cap;
	struct named_taint *named;
};

static struct wanted *
wanted_of(struct cycle *cycle, const char *why)
{
	struct wanted *wanted = arena_zalloc(cycle->arena, sizeof(*wanted));

	wanted->counts = taint_keeps_pods_out;
	wanted->own = tolerating_now(cycle);
	wanted->leaf = SYM_NONE;
	wanted->why = why;
	wanted->arena = cycle->arena;
	return wanted;
}

static const void *
prepare(struct cycle *cycle, const void *args)
{
	int release = cycle->profile->release;

	struct wanted *wanted = wanted_of(cycle,
	    release < SINCE_FRAMEWORK           ? WHY_TAINTED :
		release >= SINCE_TAINTS_UNNAMED ? WHY_UNTOLERATED :
						  NULL);

	wanted->untolerated = release >= SINCE_TAINT_WORDS;
	return wanted;
}

static bool
is_no_execute(const struct taint *taint)
{
	return taint->effect == EFFECT_NO_EXECUTE;
}

static const void *
prepare_no_execute(struct cycle *cycle, const void *args)
{
	struct wanted *wanted = wanted_of(cycle, WHY_TAINTED);

	wanted->counts = is_no_execute;
	return wanted;
}

static const void *
prepare_leaf(struct cycle *cycle, const void *args)
{
	struct wanted *wanted = wanted_of(cycle, NULL);
	const struct distribution *d = distribution_of_class(cycle->class);

	wanted->leaf = sym_intern(LEAF_NODE_KEY);
	if (d != NULL)
		wanted->extra = (struct tolerating){ d->ntolerations,
			d->tolerations, wanted->own.comparisons };
	return wanted;
}

static bool
is_untolerated(const struct wanted *wanted, const struct taint *taint)
{
	if (!wanted->counts(taint) ||
	    (taint->key == wanted->leaf && taint->effect == EFFECT_NO_SCHEDULE))
		return false;
	return !tolerates(&wanted->own, taint) &&
	    !tolerates(&wanted->extra, taint);
}

/* NULL: there is none. */
static const struct taint *
first_untolerated(const struct wanted *wanted, uint32_t n,
    const struct taint *taints)
{
	return FIND(i, taints, n, is_untolerated(wanted, &taints[i]));
}

/* It may outlive the cycle, as long as the cache may. */
static const char *
reason_of(const struct wanted *wanted, const struct taint *taint)
{
	AUTOFREE char *text = xasprintf(wanted->untolerated ?
		"node(s) had untolerated taint {%s: %s}" :
		"node(s) had taint {%s: %s}, that the pod didn't tolerate",
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
	wanted->named[wanted->n] = (struct named_taint){ taint->key,
		taint->value, reason_of(wanted, taint) };
	return wanted->n++;
}

static enum verdict
check(struct cycle *cycle, const struct node_info *node, const void *prep,
    struct why *why)
{
	struct wanted *wanted = (struct wanted *)prep;
	const struct taint *taint =
	    first_untolerated(wanted, node->node->ntaints, node->node->taints);
	size_t place;

	if (taint == NULL)
		return FITS;
	if (why == NULL)
		return UNFIT_FOREVER;
	if (wanted->why != NULL)
		return refuse(why, UNFIT_FOREVER, wanted->why);
	place = place_of(wanted, taint);
	return refuse(why, UNFIT_FOREVER,
	    place < NAMED_MAX ? wanted->named[place].reason :
				reason_of(wanted, taint));
}

/* Of a node whose first taint that is not tolerated is this one. */
static uint8_t
code_of(struct wanted *wanted, const struct taint *taint)
{
	size_t place;

	if (taint == NULL || wanted->why != NULL)
		return taint != NULL;
	place = place_of(wanted, taint);
	return place < NAMED_MAX ? (uint8_t)(place + 1) : CODE_CHECK;
}

/* Nodes with equal taints, one after the other, are judged once. */
static bool
check_block(struct cycle *cycle, const struct column_block *b, const void *prep,
    uint8_t *codes)
{
	struct wanted *wanted = (struct wanted *)prep;
	const struct column_taints *taints;
	uint32_t last = 0;
	uint8_t code = 0;

	memset(codes, 0, COLUMN_ROWS);
	for (uint32_t i = 0; b->any_taints && i < b->n; i++) {
		if (b->taints[i] == 0)
			continue;
		if (b->taints[i] != last) {
			last = b->taints[i];
			taints = columns_taints(b->columns, last);
			code = code_of(wanted,
			    first_untolerated(wanted, taints->n, taints->at));
		}
		codes[i] = code;
	}
	return true;
}

/* "would fit if taint dedicated=gpu:NoSchedule were tolerated"; the pod does not
 * tolerate at least one. */
static const char *
miss(struct cycle *cycle, const struct node_info *node, const void *prep)
{
	const char *all = "";
	unsigned n = 0;

	for (uint32_t i = 0; i < node->node->ntaints; i++) {
		const struct taint *t = &node->node->taints[i];

		if (is_untolerated(prep, t))
			all = arena_printf(cycle->arena, "%s%s%s", all,
			    n++ > 0 ? ", " : "", taint_text(cycle->arena, t));
	}
	return arena_printf(cycle->arena,
	    "would fit if taint%s %s were tolerated", n > 1 ? "s" : "", all);
}

/* Names the first alone. */
static const char *
miss_leaf(struct cycle *cycle, const struct node_info *node, const void *prep)
{
	const struct taint *t =
	    first_untolerated(prep, node->node->ntaints, node->node->taints);

	return arena_printf(cycle->arena,
	    "would fit if taint %s were tolerated",
	    taint_text(cycle->arena, t));
}

const struct predicate predicate_pod_tolerates_node_taints = {
	.name = "PodToleratesNodeTaints",
	.policy = { .in = IN_BOTH,
	    .mandatory = "TaintNodesByCondition=true",
	    .covers = "CheckNodeCondition|CheckNodeDiskPressure|"
		      "CheckNodeMemoryPressure|CheckNodePIDPressure|"
		      "PodToleratesNodeNoExecuteTaints" },
	.reads = READS_NODE | ASPECT_TOLERATIONS,
	.plugin = PLUGIN_TAINT_TOLERATION,
	.needs = NEEDS_NODE_HARD_TAINT,
	.prepare = prepare,
	.check = check,
	.check_block = check_block,
	.miss = miss,
};

const struct predicate predicate_pod_tolerates_node_no_execute_taints = {
	.name = "PodToleratesNodeNoExecuteTaints",
	.policy = { .in = IN_MANUAL },
	.convert = { DIFFERS("taints NoSchedule count, too") },
	.reads = READS_NODE | ASPECT_TOLERATIONS,
	.prepare = prepare_no_execute,
	.check = check,
	.check_block = check_block,
	.miss = miss,
};

const struct predicate predicate_leaf_node_taint_toleration = {
	.name = "LeafNodeTaintToleration",
	.policy = { .in = OF_KOSMOS,
	    .instead_of = &predicate_pod_tolerates_node_taints },
	.convert = { DIFFERS("of Kosmos and predicated") },
	.reads = READS_NODE | ASPECT_TOLERATIONS | ASPECT_CONFINES,
	.plugin = PLUGIN_LEAF_NODE_TAINT_TOLERATION,
	.needs = NEEDS_NODE_HARD_TAINT,
	.prepare = prepare_leaf,
	.check = check,
	.check_block = check_block,
	.miss = miss_leaf,
};

/* comparisons: of toleration_tolerates(). */
static bool
tolerates_all(const struct pod_class *class, const struct node *node,
    bool comparisons)
{
	const struct tolerating t = { class->ntolerations, class->tolerations,
		comparisons };

	return !any_untolerated(&t, node->ntaints, node->taints,
	    taint_keeps_pods_out);
}

/* Whether comparisons count is not known here. */
static bool
wakes(const struct pod_class *class, const struct object_change *change)
{
	return change->is != NULL &&
	    (class->confines != NULL ||
		(tolerates_all(class, change->is, true) &&
		    (change->was == NULL ||
			!tolerates_all(class, change->was, false))));
}

const struct plugin plugin_taint_toleration = {
	.name = "TaintToleration",
	.points = EARLY_AND_LATER(
	    AT_POINT(FILTER) | AT_POINT(PRE_SCORE) | AT_POINT(SCORE)),
	.filters = { &predicate_pod_tolerates_node_taints },
	.score = &priority_taint_toleration_priority,
	.weight = { 1, 3 },
	.enabled = true,
	.score_needs = POINT_PRE_SCORE,
	.no_state = "failed to read \"PreScoreTaintToleration\" from "
		    "cycleState: not found",
	.wakes = wakes,
	.aspects = ASPECT_TOLERATIONS | ASPECT_CONFINES,
	.hidden_from = PODS_ALL,
};

const struct plugin plugin_leaf_node_taint_toleration = {
	.name = "LeafNodeTaintToleration",
	.points = EARLY_AND_LATER(AT_POINT(FILTER)),
	.filters = { &predicate_leaf_node_taint_toleration },
	.kosmos_at = AT_POINT(FILTER),
	.instead_of = &plugin_taint_toleration,
	.watches = KIND_FOR_KOSMOS,
};
