#include "config.h"

#include "model/device.h"

#include <string.h>

#include "base/doc.h"
#include "base/err.h"
#include "base/json_out.h"
#include "base/text.h"
#include "model/decode.h"

/* An object that is being read: after the first error nothing more is. */
struct reading {
	struct arena *arena;
	struct err *err;
	bool failed;
};

static void
fail(struct reading *r, const struct doc_node *node, const char *path,
    const char *key, const char *wanted)
{
	if (!r->failed)
		doc_errf(r->err, node, "%s.%s must be %s, not %s", path, key,
		    wanted, doc_kind_name(node->kind));
	r->failed = true;
}

/* The member, NULL if it is not there; path is that of node. */
static const struct doc_node *
member(struct reading *r, const struct doc_node *node, const char *path,
    const char *key, enum doc_kind kind)
{
	const struct doc_node *at = doc_get(node, key);

	if (at == NULL || at->kind == kind)
		return at;
	fail(r, at, path, key, doc_kind_name(kind));
	return NULL;
}

static const struct doc_node *
object(struct reading *r, const struct doc_node *node, const char *path,
    const char *key)
{
	return member(r, node, path, key, DOC_OBJECT);
}

static sym
text(struct reading *r, const struct doc_node *node, const char *path,
    const char *key, sym absent)
{
	const struct doc_node *at = member(r, node, path, key, DOC_STRING);

	return at != NULL ? sym_in_n(r->arena, at->text, at->len) : absent;
}

static bool
truth(struct reading *r, const struct doc_node *node, const char *path,
    const char *key, bool *present)
{
	const struct doc_node *at = member(r, node, path, key, DOC_BOOL);

	if (present != NULL)
		*present = at != NULL;
	return at != NULL && at->boolean;
}

static int64_t
number(struct reading *r, const struct doc_node *node, const char *path,
    const char *key)
{
	int64_t n = 0;

	if (!r->failed &&
	    doc_get_int(node, key, key, INT64_MIN, INT64_MAX, &n, r->err) != 0)
		r->failed = true;
	return n;
}

/* An array of objects (null is one without members), or an object of any members;
 * *first is NULL for none.  Returns their number. */
static uint32_t
list(struct reading *r, const struct doc_node *node, const char *path,
    const char *key, enum doc_kind kind, const struct doc_node **first)
{
	const struct doc_node *at = member(r, node, path, key, kind);

	*first = NULL;
	if (at == NULL)
		return 0;
	for (const struct doc_node *i = at->first; i && kind == DOC_ARRAY;
	     i = i->next)
		if (i->kind != DOC_OBJECT && i->kind != DOC_NULL)
			fail(r, i, path, key, "an array of objects");
	if (r->failed)
		return 0;
	*first = at->first;
	return (uint32_t)at->count;
}

static uint32_t
texts(struct reading *r, const struct doc_node *node, const char *path,
    const char *key, const sym **out)
{
	const struct doc_node *at = member(r, node, path, key, DOC_ARRAY);
	uint32_t n = 0;
	sym *syms;

	if (at == NULL)
		return 0;
	syms = arena_array(r->arena, sym, at->count);
	for (const struct doc_node *i = at->first; i != NULL; i = i->next) {
		if (i->kind != DOC_STRING)
			fail(r, i, path, key, "an array of strings");
		else
			syms[n++] = sym_in_n(r->arena, i->text, i->len);
	}
	*out = syms;
	return n;
}

/* A quantity; null and absent are 0. */
static struct device_amount
amount_of(struct reading *r, const struct doc_node *node)
{
	struct device_amount amount = { .text = SYM_EMPTY };

	if (r->failed)
		return amount;
	if (node != NULL && node->kind != DOC_NULL &&
	    node->kind != DOC_STRING && node->kind != DOC_NUMBER) {
		doc_errf(r->err, node, "%s must be a quantity, not %s",
		    node->key != NULL ? node->key : "it",
		    doc_kind_name(node->kind));
		r->failed = true;
	} else if (quantity_from_doc(node, &amount.value, r->err) != 0) {
		r->failed = true;
	} else if (node != NULL && node->text != NULL) {
		const char *first = node->text + strspn(node->text, " \t\r\n");
		size_t len = strcspn(first, " \t\r\n");

		amount.text = sym_in_n(r->arena, first, len);
	}
	return amount;
}

/* wrapped: each is {"value": …}. */
static uint32_t
amounts(struct reading *r, const struct doc_node *first, uint32_t n,
    bool wrapped, const struct named_amount **out)
{
	struct named_amount *at = arena_array(r->arena, struct named_amount, n);
	uint32_t i = 0;

	for (const struct doc_node *p = first; p != NULL; p = p->next, i++) {
		at[i].name = sym_in(r->arena, p->key);
		at[i].amount = amount_of(r, wrapped ? doc_get(p, "value") : p);
	}
	*out = at;
	return n;
}

int
named_amounts_from_doc(struct arena *arena, const struct doc_node *result,
    const char *key, uint32_t *n, const struct named_amount **out,
    struct err *err)
{
	struct reading r = { .arena = arena, .err = err };
	const struct doc_node *first;

	*n = list(&r, result, "results[]", key, DOC_OBJECT, &first);
	amounts(&r, first, *n, false, out);
	return r.failed ? -1 : 0;
}

/* ---- devices ---- */

#define SPEC "spec"
#define DEVICE "spec.devices[]"

static struct device_attribute
attribute_of(struct reading *r, const struct doc_node *node)
{
	static const char path[] = DEVICE ".attributes[]";
	struct device_attribute a = { .name = sym_in(r->arena, node->key),
		.text = SYM_EMPTY };

	if (doc_get(node, "int") != NULL) {
		a.kind = ATTRIBUTE_INT;
		a.number = number(r, node, path, "int");
	} else if (doc_get(node, "bool") != NULL) {
		a.kind = ATTRIBUTE_BOOL;
		a.number = truth(r, node, path, "bool", NULL);
	} else if (doc_get(node, "string") != NULL) {
		a.kind = ATTRIBUTE_STRING;
		a.text = text(r, node, path, "string", SYM_EMPTY);
	} else if (doc_get(node, "version") != NULL) {
		a.kind = ATTRIBUTE_VERSION;
		a.text = text(r, node, path, "version", SYM_EMPTY);
	}
	return a;
}

static const struct capacity_policy *
policy_of(struct reading *r, const struct doc_node *capacity)
{
	static const char path[] = DEVICE ".capacity[].requestPolicy";
	const struct doc_node *node =
	    object(r, capacity, DEVICE ".capacity[]", "requestPolicy");
	const struct doc_node *range = object(r, node, path, "validRange");
	const struct doc_node *values =
	    member(r, node, path, "validValues", DOC_ARRAY);
	struct capacity_policy *policy;
	struct device_amount *at;

	if (node == NULL)
		return NULL;
	policy = arena_array(r->arena, struct capacity_policy, 1);
	policy->has_default = doc_get(node, "default") != NULL;
	policy->standard = amount_of(r, doc_get(node, "default"));
	policy->has_range = range != NULL;
	policy->has_min = doc_get(range, "min") != NULL;
	policy->min = amount_of(r, doc_get(range, "min"));
	policy->has_max = doc_get(range, "max") != NULL;
	policy->max = amount_of(r, doc_get(range, "max"));
	policy->has_step = doc_get(range, "step") != NULL;
	policy->step = amount_of(r, doc_get(range, "step"));
	policy->has_values = values != NULL;
	if (values == NULL)
		return policy;
	at = arena_array(r->arena, struct device_amount, values->count);
	for (const struct doc_node *v = values->first; v != NULL; v = v->next)
		at[policy->nvalues++] = amount_of(r, v);
	policy->values = at;
	return policy;
}

static uint32_t
counter_sets(struct reading *r, const struct doc_node *node, const char *path,
    const char *key, const char *name, const struct counter_set **out)
{
	const struct doc_node *first, *counters;
	uint32_t n = list(r, node, path, key, DOC_ARRAY, &first), i = 0;
	struct counter_set *at = arena_array(r->arena, struct counter_set, n);

	for (const struct doc_node *p = first; p != NULL; p = p->next, i++) {
		at[i].name = text(r, p, key, name, SYM_EMPTY);
		at[i].n = list(r, p, key, "counters", DOC_OBJECT, &counters);
		amounts(r, counters, at[i].n, true, &at[i].at);
	}
	*out = at;
	return n;
}

static struct device_taint
taint_of(struct reading *r, const struct doc_node *node, const char *path)
{
	return (struct device_taint){
		.key = text(r, node, path, "key", SYM_EMPTY),
		.value = text(r, node, path, "value", SYM_EMPTY),
		.effect = text(r, node, path, "effect", SYM_EMPTY),
	};
}

const char *
node_selector_problem(struct arena *arena, const struct doc_node *selector)
{
	const struct doc_node *terms = doc_get(selector, "nodeSelectorTerms");
	const char *all = NULL;
	size_t i = 0, found = 0;

	for (const struct doc_node *at = terms != NULL ? terms->first : NULL;
	     at != NULL; at = at->next, i++) {
		uint32_t n;
		const char *const *problems =
		    node_selector_term_problems(arena, at, &n);

		for (uint32_t j = 0; j < n; j++, found++)
			all =
			    arena_printf(arena, "%s%snodeSelectorTerms[%zu].%s",
				found > 0 ? all : "", found > 0 ? ", " : "", i,
				problems[j]);
	}
	return found > 1 ? arena_printf(arena, "[%s]", all) : all;
}

static struct device_reach
reach_of(struct reading *r, const struct doc_node *node, const char *path)
{
	const struct doc_node *nodes = object(r, node, path, "nodeSelector");
	struct device_reach reach = {
		.node = text(r, node, path, "nodeName", SYM_EMPTY),
		.all_nodes = truth(r, node, path, "allNodes", NULL),
		.has_nodes = nodes != NULL,
	};

	struct decoder d = decoder_of(r->arena, nodes, "nodeSelector", r->err);

	if (nodes == NULL || r->failed)
		return reach;
	reach.nodes = decode_node_selector(&d, nodes);
	r->failed = d.failed;
	if (!r->failed)
		reach.problem = node_selector_problem(r->arena, nodes);
	return reach;
}

/* basic has the members of a device in v1beta1. */
static void
read_device(struct reading *r, const struct doc_node *node, bool per_device,
    struct device *d)
{
	const struct doc_node *basic = object(r, node, DEVICE, "basic"), *first;
	const struct doc_node *of = basic != NULL ? basic : node;
	struct device_attribute *attributes;
	struct device_capacity *capacities;
	struct device_taint *taints;
	uint32_t i = 0;

	d->name = text(r, node, DEVICE, "name", SYM_EMPTY);
	d->nattributes = list(r, of, DEVICE, "attributes", DOC_OBJECT, &first);
	d->attributes = attributes =
	    arena_array(r->arena, struct device_attribute, d->nattributes);
	for (; first != NULL; first = first->next)
		attributes[i++] = attribute_of(r, first);
	d->ncapacities = list(r, of, DEVICE, "capacity", DOC_OBJECT, &first);
	d->capacities = capacities =
	    arena_array(r->arena, struct device_capacity, d->ncapacities);
	for (i = 0; first != NULL; first = first->next, i++) {
		capacities[i].name = sym_in(r->arena, first->key);
		capacities[i].amount = amount_of(r, doc_get(first, "value"));
		capacities[i].policy = policy_of(r, first);
	}
	d->nconsumed = counter_sets(r, of, DEVICE, "consumesCounters",
	    "counterSet", &d->consumed);
	d->ntaints = list(r, of, DEVICE, "taints", DOC_ARRAY, &first);
	d->taints = taints =
	    arena_array(r->arena, struct device_taint, d->ntaints);
	for (i = 0; first != NULL; first = first->next)
		taints[i++] = taint_of(r, first, DEVICE ".taints[]");
	if (per_device) {
		struct device_reach reach = reach_of(r, of, DEVICE);

		d->reach = arena_memdup(r->arena, &reach, sizeof(reach));
	}
	d->shareable = truth(r, of, DEVICE, "allowMultipleAllocations", NULL);
	d->binds_to_node = truth(r, of, DEVICE, "bindsToNode", NULL);
	d->has_conditions = doc_get(of, "bindingConditions") != NULL;
	d->nconditions =
	    texts(r, of, DEVICE, "bindingConditions", &d->conditions);
	d->nfailures =
	    texts(r, of, DEVICE, "bindingFailureConditions", &d->failures);
}

static void
read_slice(struct reading *r, const struct doc_node *root,
    struct resource_slice *slice)
{
	const struct doc_node *spec = object(r, root, "", "spec");
	const struct doc_node *pool = object(r, spec, SPEC, "pool"), *first;
	struct device *devices;
	uint32_t i = 0;

	slice->driver = text(r, spec, SPEC, "driver", SYM_EMPTY);
	slice->pool = text(r, pool, "spec.pool", "name", SYM_EMPTY);
	slice->generation = number(r, pool, "spec.pool", "generation");
	slice->slice_count = number(r, pool, "spec.pool", "resourceSliceCount");
	slice->reach = reach_of(r, spec, SPEC);
	slice->per_device = truth(r, spec, SPEC, "perDeviceNodeSelection",
	    &slice->has_per_device);
	slice->ncounters = counter_sets(r, spec, SPEC, "sharedCounters", "name",
	    &slice->counters);
	slice->ndevices = list(r, spec, SPEC, "devices", DOC_ARRAY, &first);
	slice->devices = devices =
	    arena_array(r->arena, struct device, slice->ndevices);
	for (; first != NULL && !r->failed; first = first->next)
		read_device(r, first, slice->per_device, &devices[i++]);
}

void
resource_slice_read(struct decoder *d, struct object *read)
{
	struct reading r = { .arena = d->arena, .err = d->err };

	read_slice(&r, d->root, (struct resource_slice *)read);
	d->failed = r.failed;
}

/* ---- classes, rules and requests ---- */

static uint32_t
selectors(struct reading *r, const struct doc_node *node, const char *path,
    const struct device_selector **out)
{
	const struct doc_node *first;
	uint32_t n = list(r, node, path, "selectors", DOC_ARRAY, &first), i = 0;
	struct device_selector *at =
	    arena_array(r->arena, struct device_selector, n);

	for (; first != NULL; first = first->next) {
		const struct doc_node *cel =
		    object(r, first, "selectors[]", "cel");

		at[i++].expression = cel == NULL ?
		    SYM_NONE :
		    text(r, cel, "selectors[].cel", "expression", SYM_EMPTY);
	}
	*out = at;
	return n;
}

/* As it was read; in the arena. */
static const char *
text_of(struct reading *r, const struct doc_node *node)
{
	struct text out = { 0 };
	const char *copy;

	json_put_node(&out, node);
	copy = arena_strndup(r->arena, out.bytes, out.len);
	text_fini(&out);
	return copy;
}

static uint32_t
configs(struct reading *r, const struct doc_node *node, const char *path,
    const struct device_config **out)
{
	const struct doc_node *first, *opaque;
	uint32_t n = list(r, node, path, "config", DOC_ARRAY, &first), i = 0;
	struct device_config *at =
	    arena_array(r->arena, struct device_config, n);

	for (; first != NULL; first = first->next) {
		opaque = object(r, first, "config[]", "opaque");
		if (opaque == NULL)
			continue;
		at[i].text = text_of(r, opaque);
		at[i].nrequests =
		    texts(r, first, "config[]", "requests", &at[i].requests);
		i++;
	}
	*out = at;
	return i;
}

void
device_class_read(struct decoder *d, struct object *read)
{
	struct device_class *class = (struct device_class *)read;
	struct reading r = { .arena = d->arena, .err = d->err };
	const struct doc_node *spec = object(&r, d->root, "", "spec");

	class->name = sym_in(r.arena, class->object.name);
	class->resource =
	    text(&r, spec, SPEC, "extendedResourceName", SYM_EMPTY);
	class->nselectors = selectors(&r, spec, SPEC, &class->selectors);
	class->nconfigs = configs(&r, spec, SPEC, &class->configs);
	d->failed = r.failed;
}

void
device_taint_rule_read(struct decoder *d, struct object *read)
{
	static const char path[] = "spec.deviceSelector";
	struct device_taint_rule *rule = (struct device_taint_rule *)read;
	struct reading r = { .arena = d->arena, .err = d->err };
	const struct doc_node *spec = object(&r, d->root, "", "spec");
	const struct doc_node *selector =
	    object(&r, spec, SPEC, "deviceSelector");

	rule->driver = text(&r, selector, path, "driver", SYM_NONE);
	rule->pool = text(&r, selector, path, "pool", SYM_NONE);
	rule->device = text(&r, selector, path, "device", SYM_NONE);
	rule->taint =
	    taint_of(&r, object(&r, spec, SPEC, "taint"), "spec.taint");
	d->failed = r.failed;
}

#define REQUEST "spec.devices.requests[]"

static struct device_demand
demand_of(struct reading *r, const struct doc_node *node, sym name)
{
	const struct doc_node *first, *capacity;
	struct device_toleration *tolerations;
	struct device_demand d = { .name = name };
	const char *mode;
	uint32_t i = 0;

	d.class = text(r, node, REQUEST, "deviceClassName", SYM_EMPTY);
	d.mode_text = text(r, node, REQUEST, "allocationMode", SYM_EMPTY);
	mode = sym_text(d.mode_text);
	d.mode = strcmp(mode, "ExactCount") == 0 ? DEVICES_EXACT_COUNT :
	    strcmp(mode, "All") == 0             ? DEVICES_ALL :
						   DEVICES_OTHER;
	d.count = number(r, node, REQUEST, "count");
	d.admin = truth(r, node, REQUEST, "adminAccess", &d.has_admin);
	d.nselectors = selectors(r, node, REQUEST, &d.selectors);
	d.ntolerations =
	    list(r, node, REQUEST, "tolerations", DOC_ARRAY, &first);
	if (first != NULL)
		d.tolerations_text = text_of(r, doc_get(node, "tolerations"));
	d.tolerations = tolerations =
	    arena_array(r->arena, struct device_toleration, d.ntolerations);
	for (; first != NULL; first = first->next)
		tolerations[i++] = (struct device_toleration){
			text(r, first, REQUEST, "key", SYM_EMPTY),
			text(r, first, REQUEST, "operator", SYM_EMPTY),
			text(r, first, REQUEST, "value", SYM_EMPTY),
			text(r, first, REQUEST, "effect", SYM_EMPTY),
		};
	capacity = object(r, node, REQUEST, "capacity");
	d.has_capacity = capacity != NULL;
	d.ncapacities = list(r, capacity, REQUEST ".capacity", "requests",
	    DOC_OBJECT, &first);
	amounts(r, first, d.ncapacities, false, &d.capacities);
	return d;
}

/* In v1beta1 a request has the members of exactly itself. */
static struct device_request
request_of(struct reading *r, const struct doc_node *node)
{
	const struct doc_node *exactly = object(r, node, REQUEST, "exactly");
	struct device_request request = {
		.name = text(r, node, REQUEST, "name", SYM_EMPTY),
	};
	const struct doc_node *first;
	struct device_demand *at;
	uint32_t i = 0;

	request.n = list(r, node, REQUEST, "firstAvailable", DOC_ARRAY, &first);
	if (exactly == NULL && request.n == 0 &&
	    doc_get(node, "deviceClassName") != NULL)
		exactly = node;
	request.exact = exactly != NULL;
	if (request.exact)
		request.n = 1;
	request.at = at =
	    arena_array(r->arena, struct device_demand, request.n);
	if (request.exact)
		at[0] = demand_of(r, exactly, request.name);
	for (; first != NULL && !request.exact; first = first->next)
		at[i++] = demand_of(r, first,
		    text(r, first, REQUEST, "name", SYM_EMPTY));
	return request;
}

static struct device_constraint
constraint_of(struct reading *r, const struct doc_node *node)
{
	static const char path[] = "spec.devices.constraints[]";
	struct device_constraint c = { 0 };
	sym matches = text(r, node, path, "matchAttribute", SYM_NONE);
	sym distinct = text(r, node, path, "distinctAttribute", SYM_NONE);

	c.matches = matches != SYM_NONE;
	c.distinct = !c.matches && distinct != SYM_NONE;
	c.attribute = c.matches ? matches : distinct;
	c.nrequests = texts(r, node, path, "requests", &c.requests);
	return c;
}

/* Requests and constraints as one text. */
static sym
text_of_wishes(struct reading *r, const struct doc_node *devices)
{
	static const char *const keys[] = { "requests", "constraints" };
	struct text out = { 0 };
	struct json_out json = JSON_OUT_INIT(&out);
	sym made;

	json_open(&json, '{');
	for (size_t i = 0; i < 2; i++) {
		const struct doc_node *at = doc_get(devices, keys[i]);

		if (at == NULL)
			continue;
		json_key(&json, keys[i]);
		json_doc_node(&json, at);
	}
	json_close(&json, '}');
	made = sym_in_n(r->arena, out.bytes, out.len);
	text_fini(&out);
	return made;
}

int
device_wishes_from_doc(struct arena *arena, const struct doc_node *devices,
    struct device_wishes *out, struct err *err)
{
	struct reading r = { .arena = arena, .err = err };
	const struct doc_node *first;
	struct device_request *requests;
	struct device_constraint *constraints;
	uint32_t i = 0;

	out->nrequests =
	    list(&r, devices, "spec.devices", "requests", DOC_ARRAY, &first);
	out->requests = requests =
	    arena_array(arena, struct device_request, out->nrequests);
	for (; first != NULL && !r.failed; first = first->next)
		requests[i++] = request_of(&r, first);
	out->nconstraints =
	    list(&r, devices, "spec.devices", "constraints", DOC_ARRAY, &first);
	out->constraints = constraints =
	    arena_array(arena, struct device_constraint, out->nconstraints);
	for (i = 0; first != NULL; first = first->next)
		constraints[i++] = constraint_of(&r, first);
	out->nconfigs = configs(&r, devices, "spec.devices", &out->configs);
	if (r.failed)
		return -1;
	out->text = text_of_wishes(&r, devices);
	return 0;
}
