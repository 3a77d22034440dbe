/*
 * The allocation of devices: a list of nodes, slices, classes, rules and claims.  Each
 * claim without devices gets some on a node, one after the other; no device that has
 * one owner is given twice, and the search ends.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/doc.h"
#include "base/err.h"
#include "base/xmalloc.h"
#include "cluster/cluster.h"
#include "cluster/devices/demand.h"
#include "cluster/devices/inventory.h"
#include "t/fuzz/fuzz.h"

#define STEPS 20000

static void
check_results(const struct device_allocation *a)
{
	for (uint32_t i = 0; i < a->nresults; i++) {
		const struct device_result *r = &a->results[i];

		FUZZ_CHECK(r->request != SYM_NONE && r->driver != SYM_NONE);
		for (uint32_t k = 0; k < i; k++)
			FUZZ_CHECK(r->share != SYM_NONE ||
			    a->results[k].share != SYM_NONE ||
			    r->device != a->results[k].device ||
			    r->pool != a->results[k].pool ||
			    r->driver != a->results[k].driver);
	}
}

/* A device that no claim has is not on the list of a pool. */
static void
check_uses(const struct device_pool *pool)
{
	EACH_VALUE (&pool->uses, struct device_use, use)
		FUZZ_CHECK(use->dedicated + use->shares + use->ncapacities > 0);
}

static void
allocate(struct cluster *cluster, struct devices *devices,
    const struct device_features *features, const struct resource_claim *claim)
{
	struct demand *demand = device_demand(devices, features, 1, &claim);

	for (uint32_t i = 0; i < cluster->nnodes; i++) {
		struct device_search search = { .steps = STEPS };
		const struct device_allocation *a;
		struct arena arena = ARENA_INIT;
		enum device_outcome outcome =
		    demand_ask(demand, cluster->nodes[i], &search)->outcome;

		search.steps = 10 * STEPS;
		a = outcome != DEVICES_FOUND ?
		    NULL :
		    demand_allocate(demand, cluster->nodes[i], &arena, &search);
		FUZZ_CHECK((outcome == DEVICES_FOUND) == (a != NULL));
		if (a != NULL) {
			struct resource_claim *allocated;

			check_results(a);
			for (uint32_t k = 0; k < a->nresults; k++) {
				const struct device_result *r = &a->results[k];
				const struct device_pool *pool =
				    map_get(&devices->pools,
					(uint64_t)r->driver << 32 | r->pool);
				const struct device_use *use =
				    device_pool_use(pool, r->device);

				FUZZ_CHECK(r->admin || use == NULL ||
				    use->dedicated == 0);
			}
			allocated = resource_claim_allocated(claim, a->nresults,
			    a->results, a->has_nodes ? &a->nodes : NULL);
			cluster_put(cluster, &allocated->object);
			object_unref(&allocated->object);
			i = cluster->nnodes;
		}
		arena_fini(&arena);
	}
}

static void
run(const struct doc_node *items, const struct device_features *features)
{
	struct cluster *cluster = cluster_new();
	struct devices *devices = NULL;
	struct object *claims[16];
	size_t n = 0, seen = 0;

	cluster->kubernetes_minor = 36;
	for (const struct doc_node *at = items->first; at; at = at->next) {
		struct object *object = NULL;

		if (at->kind != DOC_OBJECT ||
		    object_decode(NULL, at, "", &object, NULL, NULL) != 1)
			continue;
		if (seen++ == 3)
			devices = devices_of(cluster);
		cluster_put(cluster, object);
		if (object->kind == OBJECT_RESOURCE_CLAIM &&
		    n < LENGTH(claims) &&
		    !((struct resource_claim *)object)->allocated)
			claims[n++] = object_ref(object);
		object_unref(object);
	}
	devices = devices_of(cluster);
	for (size_t i = 0; i < n; i++) {
		allocate(cluster, devices, features,
		    (const struct resource_claim *)claims[i]);
		EACH_VALUE (&devices->pools, struct device_pool, pool)
			check_uses(pool);
	}
	for (size_t i = 0; i < n; i++) {
		cluster_remove(cluster, claims[i]);
		object_unref(claims[i]);
	}
	cluster_free(cluster);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	struct fuzz_input input = { bytes, len };
	uint8_t how = fuzz_byte(&input);
	struct device_features features = {
		.admin = (how & 1) == 0,
		.prioritized = (how & 2) == 0,
		.partitionable = (how & 4) == 0,
		.taints = (how & 8) == 0,
		.taint_rules = (how & 16) == 0,
		.conditions = (how & 32) == 0,
		.consumable = (how & 64) == 0,
	};
	size_t n = input.left;
	char *text = fuzz_text(&input);
	struct doc *doc = doc_parse("input", text, n, &doc_limits_people, NULL);

	if (doc != NULL && doc_root(doc)->kind == DOC_ARRAY)
		run(doc_root(doc), &features);
	doc_free(doc);
	free(text);
	return 0;
}
