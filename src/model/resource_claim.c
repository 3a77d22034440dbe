#include "config.h"

#include "model/resource_claim.h"

#include <string.h>

#include "base/doc.h"
#include "base/err.h"

#define ALLOCATION "status.allocation"
#define RESULTS "status.allocation.devices.results"
#define DEVICES "status.devices"

static const struct doc_node *
first(const struct doc_node *array)
{
	return array != NULL ? array->first : NULL;
}

/* An array of objects; path is the array's. */
static int
get_objects(const struct doc_node *node, const char *key, const char *path,
    const struct doc_node **out, struct err *err)
{
	*out = NULL;
	if (doc_get_array(node, key, path, out, err) != 0)
		return -1;
	for (const struct doc_node *at = first(*out); at; at = at->next)
		if (at->kind != DOC_OBJECT && at->kind != DOC_NULL)
			return doc_errf(err, at,
			    "%s[] must be an object, not %s", path,
			    doc_kind_name(at->kind));
	return 0;
}

static int
read_users(struct resource_claim *claim, const struct doc_node *status,
    struct err *err)
{
	struct arena *arena = &claim->object.arena;
	const struct doc_node *array;
	sym *users;

	if (get_objects(status, "reservedFor", "status.reservedFor", &array,
		err) != 0)
		return -1;
	users = arena_array(arena, sym, array != NULL ? array->count : 0);
	for (const struct doc_node *at = first(array); at; at = at->next) {
		const char *uid = "";

		if (doc_get_string(at, "uid", "status.reservedFor[].uid", &uid,
			err) != 0)
			return -1;
		users[claim->nusers++] = sym_in(arena, uid);
	}
	claim->users = users;
	return 0;
}

/* The texts that name a device of a pool of a driver are the same in both. */
static bool
same_device(const struct doc_node *a, const struct doc_node *b)
{
	static const char *const keys[] = { "driver", "pool", "device" };

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		const char *x = "", *y = "";

		if (doc_get_string(a, keys[i], keys[i], &x, NULL) != 0 ||
		    doc_get_string(b, keys[i], keys[i], &y, NULL) != 0 ||
		    strcmp(x, y) != 0)
			return false;
	}
	return true;
}

/* Whether this condition of the device, NULL for one without status, is true. */
static bool
is_true(const struct doc_node *device, const struct doc_node *condition)
{
	const struct doc_node *array = NULL;

	if (condition->kind != DOC_STRING ||
	    get_objects(device, "conditions", DEVICES "[].conditions", &array,
		NULL) != 0)
		return false;
	for (const struct doc_node *at = first(array); at; at = at->next) {
		const char *type = "", *status = "";

		if (doc_get_string(at, "type", "type", &type, NULL) == 0 &&
		    strcmp(type, condition->text) == 0)
			return doc_get_string(at, "status", "status", &status,
				   NULL) == 0 &&
			    strcmp(status, "True") == 0;
	}
	return false;
}

/* One result of the allocation: whether its device is ready. */
static int
read_result(const struct doc_node *result, const struct doc_node *devices,
    bool *ready, struct err *err)
{
	const struct doc_node *wanted = NULL, *failures = NULL;
	const struct doc_node *device = first(devices);

	*ready = true;
	if (doc_get_array(result, "bindingConditions",
		RESULTS "[].bindingConditions", &wanted, err) != 0 ||
	    doc_get_array(result, "bindingFailureConditions",
		RESULTS "[].bindingFailureConditions", &failures, err) != 0)
		return -1;
	if (wanted == NULL || wanted->count == 0)
		return 0;
	while (device != NULL && !same_device(device, result))
		device = device->next;
	for (const struct doc_node *at = first(failures);
	     at != NULL && device != NULL; at = at->next)
		*ready = *ready && !is_true(device, at);
	for (const struct doc_node *at = first(wanted); at; at = at->next)
		*ready = *ready && device != NULL && is_true(device, at);
	return 0;
}

static int
get_syms(struct arena *arena, const struct doc_node *node, const char *key,
    uint32_t *n, const sym **out, struct err *err)
{
	const struct doc_node *array = NULL;
	sym *at;

	if (doc_get_array(node, key, key, &array, err) != 0)
		return -1;
	at = arena_array(arena, sym, array != NULL ? array->count : 0);
	for (const struct doc_node *i = first(array); i != NULL; i = i->next)
		if (i->kind == DOC_STRING)
			at[(*n)++] = sym_in_n(arena, i->text, i->len);
	*out = at;
	return 0;
}

static int
read_allocated(struct arena *arena, const struct doc_node *node,
    struct device_result *result, struct err *err)
{
	static const char *const keys[] = { "request", "driver", "pool",
		"device", "shareID" };
	sym *const to[] = { &result->request, &result->driver, &result->pool,
		&result->device, &result->share };

	result->share = SYM_NONE;
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		const char *text = NULL;

		if (doc_get_string(node, keys[i], keys[i], &text, err) != 0)
			return -1;
		if (text != NULL)
			*to[i] = sym_in(arena, text);
	}
	if (doc_get_bool(node, "adminAccess", RESULTS "[].adminAccess",
		&result->admin, err) != 0 ||
	    get_syms(arena, node, "bindingConditions", &result->nconditions,
		&result->conditions, err) != 0 ||
	    get_syms(arena, node, "bindingFailureConditions",
		&result->nfailures, &result->failures, err) != 0)
		return -1;
	return named_amounts_from_doc(arena, node, "consumedCapacity",
	    &result->nconsumed, &result->consumed, err);
}

static int
read_devices(struct resource_claim *claim, const struct doc_node *status,
    const struct doc_node *allocation, struct err *err)
{
	struct arena *arena = &claim->object.arena;
	const struct doc_node *allocated = NULL, *results, *devices;
	struct device_result *to;

	if (doc_get_object(allocation, "devices", ALLOCATION ".devices",
		&allocated, err) != 0 ||
	    get_objects(allocated, "results", RESULTS, &results, err) != 0 ||
	    get_objects(status, "devices", DEVICES, &devices, err) != 0)
		return -1;
	claim->results = to = arena_array(arena, struct device_result,
	    results != NULL ? results->count : 0);
	for (const struct doc_node *at = first(results); at != NULL;
	     at = at->next)
		if (read_allocated(arena, at, &to[claim->nresults++], err) != 0)
			return -1;
	for (const struct doc_node *at = first(results);
	     at != NULL && claim->ready; at = at->next)
		if (read_result(at, devices, &claim->ready, err) != 0)
			return -1;
	return 0;
}

/* availableOnNodes is the name in v1alpha2. */
static int
read_nodes(struct resource_claim *claim, const struct doc_node *allocation,
    struct err *err)
{
	static const char *const keys[] = { "nodeSelector",
		"availableOnNodes" };

	for (size_t i = 0; i < 2 && !claim->has_nodes; i++) {
		const struct doc_node *nodes = NULL;

		if (doc_get_object(allocation, keys[i], keys[i], &nodes, err) !=
		    0)
			return -1;
		claim->has_nodes = nodes != NULL;
		if (nodes != NULL &&
		    node_selector_from_doc(&claim->object.arena, nodes,
			ALLOCATION ".nodeSelector", &claim->nodes, err) != 0)
			return -1;
		if (nodes != NULL)
			claim->problem =
			    node_selector_problem(&claim->object.arena, nodes);
	}
	return 0;
}

static int
read_claim(struct resource_claim *claim, const struct doc_node *root,
    struct err *err)
{
	static const char extended[] =
	    "resource.kubernetes.io/extended-resource-claim";
	const struct doc_node *status = NULL, *allocation = NULL;
	const struct doc_node *spec = NULL, *devices = NULL, *meta = NULL;
	const char *made = "";

	claim->ready = true;
	if (doc_get_object(root, "spec", "spec", &spec, err) != 0 ||
	    doc_get_object(spec, "devices", "spec.devices", &devices, err) !=
		0 ||
	    device_wishes_from_doc(&claim->object.arena, devices,
		&claim->wishes, err) != 0)
		return -1;
	meta = doc_get(doc_get(root, "metadata"), "annotations");
	if (doc_get_string(meta, extended, extended, &made, err) != 0)
		return -1;
	claim->for_resources = strcmp(made, "true") == 0;
	if (object_controller(&claim->object.arena, root, &claim->controller,
		err) != 0 ||
	    doc_get_object(root, "status", "status", &status, err) != 0 ||
	    read_users(claim, status, err) != 0 ||
	    doc_get_object(status, "allocation", ALLOCATION, &allocation,
		err) != 0)
		return -1;
	claim->allocated = allocation != NULL;
	if (read_nodes(claim, allocation, err) != 0)
		return -1;
	return read_devices(claim, status, allocation, err);
}

int
resource_claim_decode(const struct doc_node *root, struct resource_claim **out,
    struct err *err)
{
	struct resource_claim *claim =
	    object_new(OBJECT_RESOURCE_CLAIM, sizeof(*claim), root, NULL, err);

	if (claim == NULL)
		return -1;
	if (read_claim(claim, root, err) != 0) {
		object_unref(&claim->object);
		return -1;
	}
	*out = claim;
	return 0;
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

/* The claim whose parts a copy shares. */
struct original {
	struct arena_end end;
	struct object *claim;
};

static void
drop_original(struct arena_end *end)
{
	object_unref(((struct original *)end)->claim);
}

struct resource_claim *
resource_claim_allocated(const struct resource_claim *claim, uint32_t n,
    const struct device_result *results, const struct node_selector *nodes)
{
	struct resource_claim *copy =
	    object_copy(&claim->object, sizeof(*copy));
	struct arena *arena = &copy->object.arena;
	struct original *original = arena_alloc(arena, sizeof(*original));
	struct device_result *at =
	    arena_memdup(arena, results, n * sizeof(*at));

	original->claim = object_ref((struct object *)&claim->object);
	original->end.run = drop_original;
	arena_on_end(arena, &original->end);
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

bool
resource_claim_is_for(const struct resource_claim *claim, const char *uid)
{
	sym wanted = sym_find(uid);

	for (uint32_t i = 0; wanted != SYM_NONE && i < claim->nusers; i++)
		if (claim->users[i] == wanted)
			return true;
	return false;
}
