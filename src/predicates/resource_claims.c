/*
 * ResourceClaims: the devices that the pod's claims were given can be used on the
 * node.
 *
 * A claim that does not exist yet, is being deleted, belongs to another pod, is
 * not allocated, or has as many users as it can have refuses every node; an
 * allocated one those that its nodeSelector does not match, and all while the
 * conditions that its devices name are not fulfilled.  Nothing is allocated here:
 * the pod waits until it is done.
 *
 * Same rule as kube-scheduler 1.36, DynamicResources, on claims that are allocated
 * (doc/semantics/11-kube-1.36.md, Dynamic resources), in clusters of 1.26
 * and later; of a profile of 1.36 the prefilter says all that does not depend on
 * the node, except that a claim is not allocated.  ≠: it binds a pod to wait for the conditions of devices, and gives up
 * after some time; here the pod waits first.
 */
#include "config.h"

#include <string.h>

#include "cluster/cluster.h"
#include "cluster/label_terms.h"
#include "framework/cycle.h"
#include "framework/profile.h"
#include "framework/refinement.h"
#include "predicates/registry.h"

#define FROM 26

#define WHY_ELSEWHERE "resourceclaim not available on the node"
#define WHY_IN_USE "resourceclaim in use"

struct device_claims {
	const char *refusal; /* of every node, or NULL */
	const char *error;   /* likewise */
	bool preparing;      /* the devices of one are not ready */
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
		    "ResourceClaim %s/%s was not created for Pod %s/%s (Pod is "
		    "not owner)",
		    namespace, claim->object.name, namespace, pod);
	return NULL;
}

/* It has as many users as it can have, and the pod is none of them.  1.36 leaves
 * that to the API server. */
static bool
is_in_use(const struct cycle *cycle, const struct resource_claim *claim)
{
	return cycle->profile->release < 36 &&
	    claim->nusers >= RESOURCE_CLAIM_USERS_MAX &&
	    !resource_claim_is_for(claim, cycle->pod->object.uid);
}

static const char *
allocation_refusal(struct cycle *cycle, const struct resource_claim *claim)
{
	if (!claim->allocated)
		return arena_printf(cycle->arena,
		    "resource claim %s/%s is not allocated",
		    sym_text(claim->object.namespace), claim->object.name);
	return is_in_use(cycle, claim) ? WHY_IN_USE : NULL;
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

static const struct resource_claim *
find(const struct cycle *cycle, const struct pod_resource_claim *wanted)
{
	return cluster_resource_claim(cycle->cluster, cycle->class->namespace,
	    wanted->claim);
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
			refusal = refusal_of(cycle, c, find(cycle, c));
	}
	return refusal;
}

/* All claims have to exist before any is looked at further. */
static const char *
refuse_claims(struct cycle *cycle)
{
	const struct pod_class *class = cycle->class;
	const char *refusal = refuse_unusable(cycle);

	for (uint32_t i = 0; i < class->nresource_claims && refusal == NULL;
	     i++) {
		const struct pod_resource_claim *c = &class->resource_claims[i];

		if (c->claim != SYM_NONE)
			refusal = allocation_refusal(cycle, find(cycle, c));
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
	const struct pod_class *class = cycle->class;
	const char *refusal = refuse_unusable(cycle);

	if (refusal != NULL)
		return refuse(why, UNFIT_FOREVER, refusal);
	for (uint32_t i = 0; i < class->nresource_claims; i++) {
		const struct resource_claim *claim = NULL;

		if (class->resource_claims[i].claim != SYM_NONE)
			claim = find(cycle, &class->resource_claims[i]);
		if (claim == NULL || !claim->allocated)
			continue;
		if (error_of(cycle, claim) != NULL) {
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

	if (class->nresource_claims == 0 || cycle_release(cycle) < FROM)
		return NULL;
	claims = arena_zalloc(cycle->arena,
	    sizeof(*claims) + class->nresource_claims * sizeof(claims->at[0]));
	claims->refusal = refuse_claims(cycle);
	if (claims->refusal != NULL)
		return claims;
	for (uint32_t i = 0; i < class->nresource_claims; i++) {
		const struct resource_claim *claim;

		if (class->resource_claims[i].claim == SYM_NONE)
			continue;
		claim = find(cycle, &class->resource_claims[i]);
		claims->preparing |= !claim->ready;
		if (claims->error == NULL)
			claims->error = error_of(cycle, claim);
		if (claim->has_nodes)
			claims->at[claims->n++] = claim;
	}
	return claims;
}

static enum verdict
check(struct cycle *cycle, const struct node_info *node, const void *prep,
    struct why *why)
{
	const struct device_claims *claims = prep;
	bool here = !claims->preparing;

	if (claims->refusal != NULL)
		return refuse(why, UNFIT_FOREVER, claims->refusal);
	if (claims->error != NULL) {
		cycle_fail(cycle, "%s", claims->error);
		return BROKEN;
	}
	for (uint32_t i = 0; i < claims->n && here; i++)
		here = node_selector_matches(&claims->at[i]->nodes,
		    &node->node->labels, node->name);
	return here ? FITS : refuse(why, UNFIT_FOREVER, WHY_ELSEWHERE);
}

static bool
distinguish(struct cycle *cycle, const void *prep,
    struct refinement *refinement)
{
	const struct device_claims *claims = prep;
	const struct node_selector **selectors;
	struct label_sums sums;

	if (claims->refusal != NULL || claims->preparing || claims->n == 0)
		return claims->error == NULL;
	if (claims->error != NULL)
		return false;
	selectors =
	    arena_array(cycle->arena, const struct node_selector *, claims->n);
	for (uint32_t i = 0; i < claims->n; i++)
		selectors[i] = &claims->at[i]->nodes;
	if (!label_sums_of_node_selectors(&sums, cycle->arena, claims->n,
		selectors))
		return false;
	refine(refinement,
	    (const uint32_t *)label_sums_get(&sums, cycle->cluster));
	return true;
}

/* The first claim that is in the way. */
static const char *
miss(struct cycle *cycle, const struct node_info *node, const void *prep)
{
	const struct device_claims *claims = prep;

	for (uint32_t i = 0; i < claims->n; i++)
		if (!node_selector_matches(&claims->at[i]->nodes,
			&node->node->labels, node->name))
			return arena_printf(cycle->arena,
			    "the devices of resource claim %s are elsewhere",
			    claims->at[i]->object.name);
	return claims->preparing ? "its devices are not ready" : NULL;
}

const struct prefilter prefilter_resource_claims = {
	.check = prefilter,
	.enqueue = enqueue,
};

const struct predicate predicate_resource_claims = {
	.name = "ResourceClaims",
	.reads = READS_CLUSTER,
	.prepare = prepare,
	.check = check,
	.distinguish = distinguish,
	.miss = miss,
};
