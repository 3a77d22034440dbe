#include "config.h"

#include "priorities/scored_resources.h"

#include "base/arena.h"
#include "cluster/devices/inventory.h"
#include "cluster/devices/demand.h"
#include "decide/framework/args.h"
#include "decide/framework/cycle.h"
#include "decide/framework/cycle_devices.h"
#include "decide/framework/profile.h"
#include "objects/resources.h"
#include "objects/validation.h"

static enum scored_kind
kind_of(const char *name)
{
	if (strcmp(name, "cpu") == 0)
		return SCORED_CPU;
	if (strcmp(name, "memory") == 0)
		return SCORED_MEMORY;
	if (strcmp(name, "ephemeral-storage") == 0)
		return SCORED_STORAGE;
	return resource_is_scalar(name) ? SCORED_SCALAR : SCORED_UNKNOWN;
}

int64_t
scored_other_amount(const struct scored *scored,
    const struct resources *amounts)
{
	const struct scalar *scalar;

	if (scored->kind == SCORED_STORAGE)
		return amounts->ephemeral_storage;
	if (scored->kind != SCORED_SCALAR)
		return 0; /* no node has any */
	scalar = resources_scalar(amounts, scored->name);
	return scalar != NULL ? scalar->amount : 0;
}

struct scored_resources
scored_resources_new(struct arena *arena, size_t n,
    const struct scored_resource *resources, bool each,
    const struct resources *request)
{
	struct scored_resource plain[] = { { sym_intern("cpu"), 1 },
		{ sym_intern("memory"), 1 } };
	struct scored_resources r = { 0 };

	if (n == 0) {
		n = LENGTH(plain);
		resources = plain;
	}
	r.at = arena_array(arena, struct scored, n);
	for (size_t i = 0; i < n; i++) {
		struct scored *known = each ?
		    NULL :
		    FIND(k, r.at, r.n, r.at[k].name == resources[i].name);
		struct scored *scored = known != NULL ? known : &r.at[r.n++];

		scored->name = resources[i].name;
		scored->kind = kind_of(sym_text(scored->name));
		scored->weight = resources[i].weight;
		scored->request = scored_amount(scored, request);
	}
	return r;
}

/* NULL: no devices stand for it. */
static const struct device_class *
class_of(const struct cycle *cycle, const struct scored *scored)
{
	if (scored->kind != SCORED_SCALAR || !cycle_extends(cycle) ||
	    !resource_is_of_devices(sym_text(scored->name)))
		return NULL;
	return cluster_resource_class(cycle->cluster, scored->name);
}

static bool
count(struct cycle *cycle, const struct device_class *class,
    const struct node_info *node, int64_t *all, int64_t *taken)
{
	struct devices *devices = devices_of(cycle->cluster);
	struct device_features features;
	bool extended;

	devices_are_scored(devices);
	gates_of_devices(&cycle->profile->gates, &features, &extended);
	return devices_count(devices, &features, class, node, all, taken) &&
	    *all > 0;
}

bool
scored_devices(struct cycle *cycle, const struct scored *scored,
    const struct node_info *node, int64_t *has, int64_t *used)
{
	const struct device_class *class = class_of(cycle, scored);
	int64_t all, taken;

	if (class == NULL || !count(cycle, class, node, &all, &taken))
		return false;
	*has = all;
	*used = taken;
	return true;
}

bool
scored_devices_are_selected(struct cycle *cycle, const struct scored *scored,
    const struct node_info *node)
{
	const struct device_class *class = class_of(cycle, scored);
	struct device_class any = { .nselectors = 0 };
	int64_t all, taken;

	return class != NULL && class->nselectors > 0 &&
	    count(cycle, &any, node, &all, &taken);
}

bool
scored_resources_are_plain(const struct scored_resources *r)
{
	return r->n == 2 && r->at[0].kind <= SCORED_MEMORY &&
	    r->at[1].kind <= SCORED_MEMORY && r->at[0].kind != r->at[1].kind;
}
