#include "config.h"

#include "objects/resource_claim.h"

#include "base/arena.h"
#include "base/text.h"
#include "objects/decode.h"
#include "objects/parts.h"

static const char *
text_of(const struct doc_node *object, const char *key)
{
	const struct doc_node *found = doc_get(object, key);

	return found == NULL          ? "" :
	    found->kind == DOC_STRING ? found->text :
					NULL;
}

/* The texts that name a device of a pool of a driver are the same in both. */
static bool
same_device(const struct doc_node *a, const struct doc_node *b)
{
	static const char *const keys[] = { "driver", "pool", "device" };

	return !ANY(i, LENGTH(keys),
	    text_of(a, keys[i]) == NULL ||
		!text_same(text_of(a, keys[i]), text_of(b, keys[i])));
}

/* This condition of the device, if it is true; else NULL. */
static const struct doc_node *
true_one(const struct doc_node *device, const struct doc_node *condition)
{
	const struct doc_node *conditions = doc_get(device, "conditions");

	if (condition->kind != DOC_STRING || conditions == NULL ||
	    conditions->kind != DOC_ARRAY)
		return NULL;
	EACH_CHILD (at, conditions) {
		const char *type = text_of(at, "type");
		const char *status = text_of(at, "status");

		if (type != NULL && strcmp(type, condition->text) == 0)
			return status != NULL && strcmp(status, "True") == 0 ?
			    at :
			    NULL;
	}
	return NULL;
}

/* One result of the allocation: whether its device is ready. */
static bool
is_ready(struct decoder *d, const struct doc_node *result,
    const struct doc_node *device, struct resource_claim *claim)
{
	const struct doc_node *wanted = doc_first(decode_kind(d,
				  doc_get(result, "bindingConditions"),
				  DOC_ARRAY)),
			      *failures = doc_first(decode_kind(d,
				  doc_get(result, "bindingFailureConditions"),
				  DOC_ARRAY));

	if (wanted == NULL)
		return true;
	claim->has_conditions = true;
	while (device != NULL && !same_device(device, result))
		device = device->next;
	if (device == NULL)
		return false;
	for (; failures != NULL; failures = failures->next) {
		const struct doc_node *failed = true_one(device, failures);

		if (failed != NULL) {
			const char *reason = text_of(failed, "reason");
			const char *message = text_of(failed, "message");

			claim->failure =
			    arena_printf(d->arena, "reason=%s, message=\"%s\"",
				reason != NULL ? reason : "",
				message != NULL ? message : "");
			return false;
		}
	}
	for (; wanted != NULL; wanted = wanted->next)
		if (true_one(device, wanted) == NULL)
			return false;
	return true;
}

static void
read_devices(struct decoder *d, const struct doc_node *status,
    const struct doc_node *allocation, struct resource_claim *claim)
{
	const struct doc_node *allocated =
	    decode_object(d, allocation, "devices");
	const struct doc_node *result =
	    decode_objects(d, allocated, "results", NULL);
	const struct doc_node *devices =
	    decode_objects(d, status, "devices", NULL);
	struct device_result *out = (struct device_result *)claim->results;

	EACH_FROM (at, result) {
		out->consumed = named_amounts_read(d, at, "consumedCapacity",
		    &out->nconsumed);
		out++;
	}
	claim->ready = true;
	for (; result != NULL && claim->ready; result = result->next)
		claim->ready = is_ready(d, result, devices, claim);
}

void
resource_claim_read(struct decoder *d, struct object *object)
{
	struct resource_claim *claim = (struct resource_claim *)object;
	const struct doc_node *status, *allocation, *nodes, *devices;

	devices =
	    decode_object(d, decode_object(d, d->root, "spec"), "devices");
	device_wishes_read(d, devices, &claim->wishes);
	claim->controller = object_controller(d);
	status = decode_object(d, d->root, "status");
	allocation = decode_object(d, status, "allocation");
	nodes = decode_object(d, allocation, "nodeSelector");
	if (nodes == NULL) /* in v1alpha2 */
		nodes = decode_object(d, allocation, "availableOnNodes");
	claim->has_nodes = nodes != NULL;
	claim->nodes = decode_node_selector(d, nodes);
	claim->problem = node_selector_problem(d->arena, nodes);
	read_devices(d, status, allocation, claim);
}

#define RESULT device_result
static PARTS(amount_parts, SYM(named_amount, name),
    SYM(named_amount, amount.text));
static PARTS(result_parts, SYM(RESULT, request), SYM(RESULT, driver),
    SYM(RESULT, pool), SYM(RESULT, device), SYM(RESULT, share),
    LIST(RESULT, nconsumed, consumed, amount_parts),
    SYMS(RESULT, nconditions, conditions), SYMS(RESULT, nfailures, failures));

struct resource_claim *
resource_claim_allocated(const struct resource_claim *claim, uint32_t n,
    const struct device_result *results, const struct node_selector *nodes)
{
	struct resource_claim *copy =
	    object_copy(&claim->object, sizeof(*copy));
	struct arena *arena = &copy->object.arena;
	struct device_result *at =
	    arena_memdup(arena, results, n * sizeof(*at));

	for (uint32_t i = 0; i < n; i++)
		parts_copy(arena, &at[i], result_parts, true);
	copy->allocated = true;
	copy->ready = true;
	copy->nresults = n;
	copy->results = at;
	copy->has_nodes = nodes != NULL;
	if (nodes != NULL)
		copy->nodes = node_selector_copy(arena, nodes);
	return copy;
}

struct resource_claim *
resource_claim_pending(const struct resource_claim *claim,
    const struct resource_claim *allocated)
{
	struct resource_claim *copy = resource_claim_allocated(claim,
	    allocated->nresults, allocated->results,
	    allocated->has_nodes ? &allocated->nodes : NULL);

	copy->pending = true;
	for (uint32_t i = 0; i < copy->nresults; i++)
		copy->has_conditions |= copy->results[i].nconditions > 0;
	copy->ready = !copy->has_conditions;
	return copy;
}

bool
resource_claim_timed_out(const struct resource_claim *claim, int64_t timeout,
    int64_t now)
{
	return !claim->ready && claim->has_conditions &&
	    claim->allocated_at != 0 && claim->allocated_at + timeout < now;
}

bool
resource_claim_is_for(const struct resource_claim *claim, const char *uid)
{
	sym wanted = sym_find(uid);

	return wanted != SYM_NONE &&
	    ANY(i, claim->nusers, claim->users[i] == wanted);
}
