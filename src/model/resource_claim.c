#include "config.h"

#include "model/resource_claim.h"

#include "base/arena.h"
#include "model/decode.h"

static void
read_user(struct decoder *d, const struct doc_node *node, void *out)
{
	*(sym *)out = decode_sym(d, node, "uid", SYM_EMPTY);
}

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

	for (size_t i = 0; i < LENGTH(keys); i++) {
		const char *x = text_of(a, keys[i]), *y = text_of(b, keys[i]);

		if (x == NULL || y == NULL || strcmp(x, y) != 0)
			return false;
	}
	return true;
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

static const char *
failure_text(struct arena *arena, const struct doc_node *condition)
{
	const char *reason = text_of(condition, "reason");
	const char *message = text_of(condition, "message");

	return arena_printf(arena, "reason=%s, message=\"%s\"",
	    reason != NULL ? reason : "", message != NULL ? message : "");
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
			claim->failure = failure_text(d->arena, failed);
			return false;
		}
	}
	for (; wanted != NULL; wanted = wanted->next)
		if (true_one(device, wanted) == NULL)
			return false;
	return true;
}

static void
read_result(struct decoder *d, const struct doc_node *node, void *out)
{
	struct device_result *result = out;

	result->request = decode_sym(d, node, "request", SYM_EMPTY);
	result->driver = decode_sym(d, node, "driver", SYM_EMPTY);
	result->pool = decode_sym(d, node, "pool", SYM_EMPTY);
	result->device = decode_sym(d, node, "device", SYM_EMPTY);
	result->share = decode_sym(d, node, "shareID", SYM_NONE);
	result->admin = decode_flag(d, node, "adminAccess", false);
	result->conditions =
	    decode_syms(d, node, "bindingConditions", &result->nconditions);
	result->failures = decode_syms(d, node, "bindingFailureConditions",
	    &result->nfailures);
	result->consumed =
	    named_amounts_read(d, node, "consumedCapacity", &result->nconsumed);
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

	claim->results = decode_each(d, allocated, "results", &claim->nresults,
	    sizeof(*claim->results), read_result);
	claim->ready = true;
	for (; result != NULL && claim->ready; result = result->next)
		claim->ready = is_ready(d, result, devices, claim);
}

void
resource_claim_read(struct decoder *d, struct object *object)
{
	static const char extended[] =
	    "resource.kubernetes.io/extended-resource-claim";
	struct resource_claim *claim = (struct resource_claim *)object;
	const struct doc_node *status, *allocation, *nodes, *devices;

	devices =
	    decode_object(d, decode_object(d, d->root, "spec"), "devices");
	device_wishes_read(d, devices, &claim->wishes);
	claim->for_resources =
	    strcmp(decode_text(d, d->meta->annotations, extended, ""),
		"true") == 0;
	claim->controller = object_controller(d);
	status = decode_object(d, d->root, "status");
	claim->users = decode_each(d, status, "reservedFor", &claim->nusers,
	    sizeof(*claim->users), read_user);
	allocation = decode_object(d, status, "allocation");
	claim->allocated = allocation != NULL;
	decode_time(d, allocation, "allocationTimestamp", &claim->allocated_at,
	    NULL);
	nodes = decode_object(d, allocation, "nodeSelector");
	if (nodes == NULL) /* in v1alpha2 */
		nodes = decode_object(d, allocation, "availableOnNodes");
	claim->has_nodes = nodes != NULL;
	claim->nodes = decode_node_selector(d, nodes);
	claim->problem = node_selector_problem(d->arena, nodes);
	read_devices(d, status, allocation, claim);
}

static void
hold_symbols(struct arena *arena, const struct device_result *result)
{
	sym_hold(arena, result->request);
	sym_hold(arena, result->driver);
	sym_hold(arena, result->pool);
	sym_hold(arena, result->device);
	sym_hold(arena, result->share);
	for (uint32_t i = 0; i < result->nconsumed; i++) {
		sym_hold(arena, result->consumed[i].name);
		sym_hold(arena, result->consumed[i].amount.text);
	}
	for (uint32_t i = 0; i < result->nconditions; i++)
		sym_hold(arena, result->conditions[i]);
	for (uint32_t i = 0; i < result->nfailures; i++)
		sym_hold(arena, result->failures[i]);
}

struct resource_claim *
resource_claim_allocated(const struct resource_claim *claim, uint32_t n,
    const struct device_result *results, const struct node_selector *nodes)
{
	struct resource_claim *copy =
	    object_copy(&claim->object, sizeof(*copy));
	struct arena *arena = &copy->object.arena;
	struct device_result *at =
	    arena_memdup(arena, results, n * sizeof(*at));

	for (uint32_t i = 0; i < n; i++) {
		at[i].consumed = arena_memdup(arena, at[i].consumed,
		    at[i].nconsumed * sizeof(*at[i].consumed));
		at[i].conditions = arena_memdup(arena, at[i].conditions,
		    at[i].nconditions * sizeof(sym));
		at[i].failures = arena_memdup(arena, at[i].failures,
		    at[i].nfailures * sizeof(sym));
		hold_symbols(arena, &at[i]);
	}
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

	for (uint32_t i = 0; wanted != SYM_NONE && i < claim->nusers; i++)
		if (claim->users[i] == wanted)
			return true;
	return false;
}
