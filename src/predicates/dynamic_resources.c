/*
 * DynamicResources: the devices that the pod's claims have can be used on the node, and
 * claims that have none yet can get theirs there.
 *
 * A claim that does not exist yet, is being deleted, belongs to another pod or names a
 * class that does not exist refuses every node; an allocated one those that its
 * nodeSelector does not match, and all while the conditions that its devices name are
 * not fulfilled.  For the others, and for
 * extended resources that a DeviceClass stands for, devices are looked for on each
 * node (cluster/devices/demand.h).  Where the cluster says that devices are allocated
 * elsewhere, and before 1.32, the pod waits until that is done.
 *
 * Same rule as kube-scheduler 1.36, DynamicResources
 * (doc/semantics/11-kube-1.36.md, Dynamic resources), in clusters of 1.26 and later;
 * of a profile of 1.36 the prefilter says all that does not depend on the node.  ≠: in
 * a dump, which has no clock, conditions that are not fulfilled have failed.
 */
#include "config.h"

#include "cluster/columns.h"
#include "cluster/label_terms.h"
#include "cluster/devices/pod_devices.h"
#include "decide/framework/cycle.h"
#include "decide/framework/cycle_devices.h"
#include "decide/framework/profile.h"
#include "objects/changes.h"
#include "predicates/registry.h"
#include "priorities/registry.h"

#define FROM 26

#define WHY_NO_DEVICES "cannot allocate all claims"
#define WHY_INVALID "invalid resource pools were encountered"
#define WHY_NO_RESOURCE "cannot fit resource"
#define WHY_OLD_CLAIM "cannot schedule extended resource claim"

struct device_claims {
	const char *refusal;   /* of every node, or NULL */
	const char *error;     /* likewise */
	const char *timed_out; /* the error of the first node; NULL: none */
	bool preparing;        /* the devices of one are not ready */
	struct pod_devices *devices; /* NULL: none are allocated */
	/* By node index, how many of the nodeSelectors match; if `summed`. */
	bool summed;
	struct label_sums sums;
	uint32_t n;
	const struct resource_claim *at[]; /* those with a nodeSelector */
};

/* Why the claim cannot be used by the pod, or NULL. */
static const char *
refusal_of(struct cycle *cycle, const struct pod_resource_claim *wanted,
    const struct resource_claim *claim)
{
	const char *namespace = sym_text(cycle->class->namespace);
	const char *pod = cycle->pod->object.name;
	char p = cycle_rules(cycle) < SINCE_CLAIM_OWNER_WORDS ? 'p' : 'P';
	struct arena *arena = cycle->arena;

	if (claim == NULL)
		return arena_printf(arena,
		    "could not find ResourceClaim \"%s/%s\"", namespace,
		    sym_text(wanted->claim));
	if (claim->object.deleting)
		return arena_printf(arena,
		    "resourceclaim \"%s\" is being deleted",
		    claim->object.name);
	if (wanted->from_template &&
	    (wanted->owner == SYM_NONE || claim->controller != wanted->owner))
		return arena_printf(arena,
		    "ResourceClaim %s/%s was not created for %cod %s/%s (%cod "
		    "is not owner)",
		    namespace, claim->object.name, p, namespace, pod, p);
	return NULL;
}

/* Why a class of the claim's requests cannot be used, or NULL. */
static const char *
class_refusal(struct cycle *cycle, const struct resource_claim *claim)
{
	const struct device_wishes *w = &claim->wishes;

	for (uint32_t i = 0; i < w->nrequests; i++) {
		const struct device_request *r = &w->requests[i];
		const char *name = sym_text(r->name);

		if (r->n == 0)
			return arena_printf(cycle->arena,
			    "resource claim %s/%s, request %s: unknown request "
			    "type",
			    sym_text(claim->object.namespace),
			    claim->object.name, name);
		if (!r->exact && !cycle->profile->gates.dra_prioritized_list)
			return arena_printf(cycle->arena,
			    "resource claim %s/%s, request %s: has subrequests, "
			    "but the DRAPrioritizedList feature is disabled",
			    sym_text(claim->object.namespace),
			    claim->object.name, name);
		for (uint32_t k = 0; k < r->n; k++)
			if (r->at[k].class != SYM_EMPTY &&
			    cluster_device_class(cycle->cluster,
				r->at[k].class) == NULL)
				return arena_printf(cycle->arena,
				    "request %s%s%s: device class %s does not "
				    "exist",
				    name, r->exact ? "" : "/",
				    r->exact ? "" : sym_text(r->at[k].name),
				    sym_text(r->at[k].class));
	}
	return NULL;
}

static const char *
allocation_refusal(struct cycle *cycle, const struct resource_claim *claim)
{
	const char *state = "is not allocated";

	if (claim->pending)
		state = "is in the process of being allocated";
	else if (claim->allocated)
		return NULL;
	else if (cycle_allocates(cycle))
		return class_refusal(cycle, claim);
	return arena_printf(cycle->arena, "resource claim %s/%s %s",
	    sym_text(claim->object.namespace), claim->object.name, state);
}

/* Why its nodeSelector cannot be used, or NULL. */
static const char *
error_of(const struct cycle *cycle, const struct resource_claim *claim)
{
	if (cycle->profile->release >= 36)
		return claim->problem;
	for (uint32_t i = 0; i < claim->nodes.n; i++) {
		const struct node_selector_term *term = &claim->nodes.at[i];

		if (term->has_labels && term->labels.error != NULL)
			return term->labels.error;
		if (term->has_fields && term->fields.error != NULL)
			return term->fields.error;
	}
	return NULL;
}

/* The i-th claim that the pod names; NULL: it has none, or that does not exist. */
static const struct resource_claim *
find(const struct cycle *cycle, uint32_t i)
{
	const struct pod_class *class = cycle->class;
	sym name = class->resource_claims[i].claim;

	return name == SYM_NONE ?
	    NULL :
	    cluster_resource_claim(cycle->cluster, class->namespace, name);
}

/* Why one of the claims cannot be the pod's, or NULL. */
static const char *
refuse_unusable(struct cycle *cycle)
{
	const struct pod_class *class = cycle->class;
	const char *refusal = NULL;

	for (uint32_t i = 0; i < class->nresource_claims && refusal == NULL;
	     i++) {
		const struct pod_resource_claim *c = &class->resource_claims[i];

		if (!c->created)
			return arena_printf(cycle->arena,
			    "pod \"%s/%s\": ResourceClaim not created yet",
			    sym_text(class->namespace),
			    cycle->pod->object.name);
		if (c->claim != SYM_NONE)
			refusal = refusal_of(cycle, c, find(cycle, i));
	}
	return refusal;
}

static enum verdict
enqueue(struct cycle *cycle, const void *args, struct why *why)
{
	const char *refusal = refuse_unusable(cycle);

	return refusal != NULL ? refuse(why, UNFIT_FOREVER, refusal) : FITS;
}

static enum verdict
prefilter(struct cycle *cycle, const void *args, struct why *why)
{
	const char *refusal = refuse_unusable(cycle);

	if (refusal != NULL)
		return refuse(why, UNFIT_FOREVER, refusal);
	for (uint32_t i = 0; i < cycle->class->nresource_claims; i++) {
		const struct resource_claim *claim = find(cycle, i);

		if (claim == NULL ||
		    (!claim->allocated && !cycle_allocates(cycle)))
			continue;
		refusal = allocation_refusal(cycle, claim);
		if (refusal != NULL)
			return refuse(why, UNFIT_FOREVER, refusal);
		if (claim->allocated && error_of(cycle, claim) != NULL) {
			cycle_fail(cycle, "%s", error_of(cycle, claim));
			return BROKEN;
		}
	}
	return FITS;
}

static const void *
prepare(struct cycle *cycle, const void *args)
{
	const struct pod_class *class = cycle->class;
	struct device_claims *claims;
	const char *refusal;
	const struct node_selector **selectors;

	if ((class->nresource_claims == 0 && class->nextended == 0) ||
	    cycle_release(cycle) < FROM)
		return NULL;
	claims = arena_zalloc(cycle->arena,
	    sizeof(*claims) + class->nresource_claims * sizeof(claims->at[0]));
	/* All claims have to exist before any is looked at further. */
	refusal = refuse_unusable(cycle);
	for (uint32_t i = 0;
	     i < cycle->class->nresource_claims && refusal == NULL; i++) {
		const struct resource_claim *claim = find(cycle, i);

		if (claim != NULL)
			refusal = allocation_refusal(cycle, claim);
	}
	claims->refusal = refusal;
	if (claims->refusal != NULL)
		return claims;
	claims->devices = cycle_devices(cycle);
	if (class->nresource_claims == 0 && claims->devices == NULL)
		return NULL;
	for (uint32_t i = 0; i < class->nresource_claims; i++) {
		const struct resource_claim *claim = find(cycle, i);

		if (claim == NULL)
			continue;
		claims->preparing |= cycle_claim_failed(cycle, claim);
		if (claims->error == NULL)
			claims->error = error_of(cycle, claim);
		if (claim->has_nodes)
			claims->at[claims->n++] = claim;
	}
	selectors =
	    arena_array(cycle->arena, const struct node_selector *, claims->n);
	for (uint32_t i = 0; i < claims->n; i++)
		selectors[i] = &claims->at[i]->nodes;
	claims->summed = label_sums_of_node_selectors(&claims->sums,
	    cycle->arena, claims->n, selectors);
	return claims;
}

/* The text of an answer that is an error. */
static const char *
answer_text(struct cycle *cycle, struct device_claims *claims,
    const struct node_info *node, const struct device_answer *answer)
{
	const struct resource_claim *claim;

	if (answer->outcome == DEVICES_TIMED_OUT && claims->timed_out == NULL)
		claims->timed_out = arena_printf(cycle->arena,
		    "node %s: timed out trying to allocate devices",
		    sym_text(node->name));
	if (answer->outcome == DEVICES_TIMED_OUT)
		return claims->timed_out;
	if (answer->claim == NO_CLAIM)
		return answer->error != NULL ? answer->error : "";
	claim = pod_devices_claim(claims->devices, node, answer->claim);
	return arena_printf(cycle->arena, "claim %s/%s%s",
	    sym_text(claim->object.namespace), claim->object.name,
	    answer->error);
}

/* The devices that are not given yet; *done: nothing else matters on the node. */
static enum verdict
check_devices(struct cycle *cycle, struct device_claims *claims,
    const struct node_info *node, struct why *why, bool *done)
{
	const struct device_answer *answer;
	struct demand *demand;

	*done = true;
	switch (pod_devices_need(claims->devices, node, &demand)) {
	case NEEDS_NO_CLAIM:
		return refuse(why, UNFIT_FOREVER, WHY_OLD_CLAIM);
	case NEEDS_RESOURCE:
		return refuse(why, UNFIT_FOREVER, WHY_NO_RESOURCE);
	case NEEDS_NOTHING:
		*done = claims->devices->nclaims == 0;
		return FITS;
	case NEEDS_DEVICES:
		break;
	}
	answer = demand_ask(demand, node, &claims->devices->search);
	*done = answer->outcome != DEVICES_FOUND;
	switch (answer->outcome) {
	case DEVICES_FOUND:
		return FITS;
	case DEVICES_NOT_FOUND:
		return refuse(why, UNFIT_FOREVER, WHY_NO_DEVICES);
	case DEVICES_POOLS_INVALID:
		return refuse(why, UNFIT_FOREVER, WHY_INVALID);
	case DEVICES_ERROR:
	case DEVICES_TIMED_OUT:
	case DEVICES_CANCELLED:
		break;
	}
	cycle->unfinished = answer->outcome == DEVICES_TIMED_OUT &&
	    !claims->devices->search.gave_up;
	cycle_fail(cycle, "%s", answer_text(cycle, claims, node, answer));
	return BROKEN;
}

static enum verdict
check(struct cycle *cycle, const struct node_info *node, const void *prep,
    struct why *why)
{
	const struct device_claims *claims = prep;
	bool here = !claims->preparing, done = false;
	enum verdict verdict = FITS;

	if (claims->refusal != NULL)
		return refuse(why, UNFIT_FOREVER, claims->refusal);
	if (claims->error != NULL) {
		cycle_fail(cycle, "%s", claims->error);
		return BROKEN;
	}
	if (claims->devices != NULL)
		verdict = check_devices(cycle, (struct device_claims *)prep,
		    node, why, &done);
	if (done)
		return verdict;
	for (uint32_t i = 0; i < claims->n && here; i++)
		here = node_selector_matches(&claims->at[i]->nodes,
		    &node->node->labels, node->name);
	return here ? FITS : refuse(why, UNFIT_FOREVER, why_claim_elsewhere);
}

static bool
check_block(struct cycle *cycle, const struct column_block *b, const void *prep,
    uint8_t *codes)
{
	struct device_claims *claims = (struct device_claims *)prep;
	const uint32_t *outcomes = NULL;
	const int32_t *sums = NULL;

	memset(codes, 1, COLUMN_ROWS);
	if (claims->refusal != NULL || claims->error != NULL)
		return claims->error == NULL;
	if (claims->devices != NULL) {
		struct demand *demand = pod_devices_everywhere(claims->devices);

		if (demand != NULL)
			outcomes =
			    demand_outcomes(demand, &claims->devices->search);
		if (outcomes == NULL)
			return false;
	}
	if (!claims->preparing && claims->n > 0) {
		if (!claims->summed)
			return false;
		sums = label_sums_get(&claims->sums, cycle->cluster);
	}
	for (uint32_t i = b->first; i < b->first + b->n; i++)
		if (outcomes != NULL && outcomes[i] != DEVICES_FOUND)
			codes[i - b->first] = (uint8_t)(2 + outcomes[i]);
		else
			codes[i - b->first] = claims->preparing ||
			    (sums != NULL && sums[i] != (int32_t)claims->n);
	return true;
}

/* The first claim that is in the way, or the devices that are missing. */
static const char *
miss(struct cycle *cycle, const struct node_info *node, const void *prep)
{
	const struct device_claims *claims = prep;
	struct demand *demand;

	if (claims->refusal == NULL && claims->devices != NULL &&
	    pod_devices_need(claims->devices, node, &demand) == NEEDS_DEVICES &&
	    demand_ask(demand, node, &claims->devices->search)->outcome !=
		DEVICES_FOUND)
		return demand_miss(demand, node, cycle->arena,
		    &claims->devices->search);
	for (uint32_t i = 0; i < claims->n; i++) {
		const struct node_selector *nodes = &claims->at[i]->nodes;
		bool one = nodes->n == 1 && nodes->at[0].nnames == 1;

		if (!node_selector_matches(nodes, &node->node->labels,
			node->name))
			return arena_printf(cycle->arena,
			    "the devices of resource claim %s are %s%s",
			    claims->at[i]->object.name,
			    one ? "on " : "elsewhere",
			    one ? sym_text(nodes->at[0].names[0]) : "");
	}
	return claims->preparing ? "its devices are not ready" : NULL;
}

const struct predicate predicate_dynamic_resources = {
	.name = "ResourceClaims",
	.policy = { .in = IN_ALL_POLICIES },
	.reads = READS_CLUSTER,
	.plugin = PLUGIN_DYNAMIC_RESOURCES,
	.needs = NEEDS_POD_DEVICE_CLAIM,
	.prepare = prepare,
	.check = check,
	.check_block = check_block,
	.miss = miss,
};

static void
put_args(struct profile *profile, const struct plugin *self, const void *args)
{
	profile->device_args = args;
}

const struct plugin plugin_dynamic_resources = {
	.name = "DynamicResources",
	.points = { 0,
	    AT_POINT(PRE_ENQUEUE) | AT_POINT(PRE_FILTER) | AT_POINT(FILTER) |
		AT_POINT(POST_FILTER) | AT_POINT(SCORE) | AT_POINT(RESERVE) |
		AT_POINT(PRE_BIND) },
	.filters = { &predicate_dynamic_resources },
	.score = &priority_dynamic_resources,
	.pre_filter = prefilter,
	.pre_enqueue = enqueue,
	.weight = { 0, 2 },
	.enabled = true,
	.first = 26,
	.enabled_from = 34,
	.since = { { AT_POINT(PRE_ENQUEUE), 28 }, { AT_POINT(PRE_BIND), 30 },
	    { AT_POINT(SCORE), 35 } },
	.no_pre_filter = "not found",
	.score_needs = POINT_PRE_FILTER,
	.no_state = "not found",
	.hidden_from = PODS_WITH_DEVICES,
	.put_args = put_args,
};
