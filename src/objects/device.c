#include "config.h"

#include "objects/device.h"

#include "base/doc.h"
#include "base/json_out.h"
#include "base/text.h"
#include "objects/decode.h"

static sym
text(struct decoder *d, const struct doc_node *node, const char *key)
{
	return decode_string(d, doc_member(node, key));
}

static bool
has(const struct doc_node *node, const char *key)
{
	return doc_get(node, key) != NULL;
}

/* An object of any members; returns the first. */
static const struct doc_node *
members(struct decoder *d, const struct doc_node *node, const char *key,
    uint32_t *n)
{
	const struct doc_node *at = decode_object(d, node, key);

	*n = at != NULL ? (uint32_t)at->count : 0;
	return at != NULL ? at->first : NULL;
}

/* A quantity; null and absent are 0. */
static struct device_amount
amount_of(struct decoder *d, const struct doc_node *node)
{
	struct device_amount amount = { .text = SYM_EMPTY };

	if (d->failed)
		return amount;
	if (node != NULL && node->kind != DOC_NULL &&
	    node->kind != DOC_STRING && node->kind != DOC_NUMBER) {
		decode_fail(d, node, "must be a quantity, not %s",
		    doc_kind_name(node->kind));
	} else if (quantity_from_doc(node, &amount.value, d->err) != 0) {
		d->failed = true;
	} else if (node != NULL && node->text != NULL) {
		const char *first = node->text + strspn(node->text, " \t\r\n");
		size_t len = strcspn(first, " \t\r\n");

		amount.text = sym_in_n(d->arena, first, len);
	}
	return amount;
}

/* wrapped: each is {"value": …}. */
static const struct named_amount *
amounts(struct decoder *d, const struct doc_node *node, const char *key,
    bool wrapped, uint32_t *n)
{
	const struct doc_node *p = members(d, node, key, n);
	struct named_amount *at =
	    arena_array(d->arena, struct named_amount, *n);

	for (uint32_t i = 0; p != NULL; p = p->next, i++) {
		at[i].name = sym_in(d->arena, p->key);
		at[i].amount = amount_of(d, wrapped ? doc_get(p, "value") : p);
	}
	return at;
}

const struct named_amount *
named_amounts_read(struct decoder *d, const struct doc_node *node,
    const char *key, uint32_t *n)
{
	return amounts(d, node, key, false, n);
}

/* ---- devices ---- */

static struct device_attribute
attribute_of(struct decoder *d, const struct doc_node *node)
{
	struct device_attribute a = { .name = sym_in(d->arena, node->key),
		.text = SYM_EMPTY };

	if (has(node, "int")) {
		a.kind = ATTRIBUTE_INT;
		a.number = decode_int64(d, node, "int");
	} else if (has(node, "bool")) {
		a.kind = ATTRIBUTE_BOOL;
		a.number = decode_flag(d, node, "bool", false);
	} else if (has(node, "string")) {
		a.kind = ATTRIBUTE_STRING;
		a.text = text(d, node, "string");
	} else if (has(node, "version")) {
		a.kind = ATTRIBUTE_VERSION;
		a.text = text(d, node, "version");
	}
	return a;
}

static const struct capacity_policy *
policy_of(struct decoder *d, const struct doc_node *capacity)
{
	const struct doc_node *node =
	    decode_object(d, capacity, "requestPolicy");
	const struct doc_node *range = decode_object(d, node, "validRange");
	const struct doc_node *values =
	    decode_kind(d, doc_get(node, "validValues"), DOC_ARRAY);
	struct capacity_policy *policy;
	struct device_amount *at;

	if (node == NULL)
		return NULL;
	policy = arena_array(d->arena, struct capacity_policy, 1);
	policy->has_default = has(node, "default");
	policy->standard = amount_of(d, doc_get(node, "default"));
	policy->has_range = range != NULL;
	policy->has_min = has(range, "min");
	policy->min = amount_of(d, doc_get(range, "min"));
	policy->has_max = has(range, "max");
	policy->max = amount_of(d, doc_get(range, "max"));
	policy->has_step = has(range, "step");
	policy->step = amount_of(d, doc_get(range, "step"));
	policy->has_values = values != NULL;
	if (values == NULL)
		return policy;
	at = arena_array(d->arena, struct device_amount, values->count);
	EACH_CHILD (v, values)
		at[policy->nvalues++] = amount_of(d, v);
	policy->values = at;
	return policy;
}

static void
read_counter_set(struct decoder *d, const struct doc_node *node, void *out)
{
	struct counter_set *set = out;

	set->name =
	    text(d, node, has(node, "counterSet") ? "counterSet" : "name");
	set->at = amounts(d, node, "counters", true, &set->n);
}

static void
read_taint(struct decoder *d, const struct doc_node *node, void *out)
{
	*(struct device_taint *)out = (struct device_taint){
		.key = text(d, node, "key"),
		.value = text(d, node, "value"),
		.effect = text(d, node, "effect"),
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
		    node_selector_term_problems(arena, at, &n, NULL);

		for (uint32_t j = 0; j < n; j++, found++)
			all =
			    arena_printf(arena, "%s%snodeSelectorTerms[%zu].%s",
				found > 0 ? all : "", found > 0 ? ", " : "", i,
				problems[j]);
	}
	return found > 1 ? arena_printf(arena, "[%s]", all) : all;
}

static struct device_reach
reach_of(struct decoder *d, const struct doc_node *node)
{
	const struct doc_node *nodes = decode_object(d, node, "nodeSelector");
	struct device_reach reach = {
		.node = text(d, node, "nodeName"),
		.all_nodes = decode_flag(d, node, "allNodes", false),
		.has_nodes = nodes != NULL,
		.nodes = decode_node_selector(d, nodes),
	};

	if (!d->failed)
		reach.problem = node_selector_problem(d->arena, nodes);
	return reach;
}

/* In v1beta1 its members are in basic. */
static const struct doc_node *
device_members(struct decoder *d, const struct doc_node *node)
{
	const struct doc_node *basic = decode_object(d, node, "basic");

	return basic != NULL ? basic : node;
}

static void
read_device(struct decoder *d, const struct doc_node *node, void *out)
{
	const struct doc_node *of = device_members(d, node), *p;
	struct device *device = out;
	struct device_attribute *attributes;
	struct device_capacity *capacities;
	uint32_t i = 0;

	device->name = text(d, node, "name");
	p = members(d, of, "attributes", &device->nattributes);
	device->attributes = attributes =
	    arena_array(d->arena, struct device_attribute, device->nattributes);
	for (; p != NULL; p = p->next)
		attributes[i++] = attribute_of(d, p);
	p = members(d, of, "capacity", &device->ncapacities);
	device->capacities = capacities =
	    arena_array(d->arena, struct device_capacity, device->ncapacities);
	for (i = 0; p != NULL; p = p->next, i++) {
		capacities[i].name = sym_in(d->arena, p->key);
		capacities[i].amount = amount_of(d, doc_get(p, "value"));
		capacities[i].policy = policy_of(d, p);
	}
	device->consumed = decode_each(d, of, "consumesCounters",
	    &device->nconsumed, sizeof(*device->consumed), read_counter_set);
	device->taints = decode_each(d, of, "taints", &device->ntaints,
	    sizeof(*device->taints), read_taint);
	device->shareable =
	    decode_flag(d, of, "allowMultipleAllocations", false);
	device->binds_to_node = decode_flag(d, of, "bindsToNode", false);
	device->has_conditions = has(of, "bindingConditions");
	device->conditions =
	    decode_syms(d, of, "bindingConditions", &device->nconditions);
	device->failures =
	    decode_syms(d, of, "bindingFailureConditions", &device->nfailures);
}

void
resource_slice_read(struct decoder *d, struct object *read)
{
	struct resource_slice *slice = (struct resource_slice *)read;
	const struct doc_node *spec = doc_get(d->root, "spec"), *p;
	struct device *device;

	slice->reach = reach_of(d, spec);
	slice->counters = decode_each(d, spec, "sharedCounters",
	    &slice->ncounters, sizeof(*slice->counters), read_counter_set);
	slice->devices = decode_each(d, spec, "devices", &slice->ndevices,
	    sizeof(*slice->devices), read_device);
	if (!slice->per_device || slice->ndevices == 0 || d->failed)
		return;
	device = (struct device *)slice->devices;
	for (p = doc_get(spec, "devices")->first; p != NULL; p = p->next) {
		struct device_reach reach = reach_of(d, device_members(d, p));

		(device++)->reach =
		    arena_memdup(d->arena, &reach, sizeof(reach));
	}
}

/* ---- classes, rules and requests ---- */

static void
read_selector(struct decoder *d, const struct doc_node *node, void *out)
{
	const struct doc_node *cel = decode_object(d, node, "cel");

	((struct device_selector *)out)->expression =
	    cel != NULL ? text(d, cel, "expression") : SYM_NONE;
}

static const struct device_selector *
selectors(struct decoder *d, const struct doc_node *node, uint32_t *n)
{
	return decode_each(d, node, "selectors", n,
	    sizeof(struct device_selector), read_selector);
}

/* As it was read; in the arena. */
static const char *
text_of(struct decoder *d, const struct doc_node *node)
{
	struct text out = { 0 };

	json_put_node(&out, node);
	return text_keep(&out, d->arena);
}

static const struct device_config *
configs(struct decoder *d, const struct doc_node *node, uint32_t *n)
{
	const struct doc_node *p = decode_objects(d, node, "config", n);
	struct device_config *at =
	    arena_array(d->arena, struct device_config, *n);
	uint32_t i = 0;

	for (; p != NULL; p = p->next) {
		const struct doc_node *opaque = decode_object(d, p, "opaque");

		if (opaque == NULL)
			continue;
		at[i].text = text_of(d, opaque);
		at[i].requests =
		    decode_syms(d, p, "requests", &at[i].nrequests);
		i++;
	}
	*n = i;
	return at;
}

void
device_class_read(struct decoder *d, struct object *read)
{
	struct device_class *class = (struct device_class *)read;
	const struct doc_node *spec = doc_get(d->root, "spec");

	class->name = sym_in(d->arena, class->object.name);
	class->selectors = selectors(d, spec, &class->nselectors);
	class->configs = configs(d, spec, &class->nconfigs);
}

static void
read_toleration(struct decoder *d, const struct doc_node *node, void *out)
{
	*(struct device_toleration *)out = (struct device_toleration){
		text(d, node, "key"),
		text(d, node, "operator"),
		text(d, node, "value"),
		text(d, node, "effect"),
	};
}

static void
read_demand(struct decoder *d, const struct doc_node *node, void *out)
{
	const struct doc_node *capacity = decode_object(d, node, "capacity");
	struct device_demand *demand = out;
	const char *mode;

	demand->name = text(d, node, "name");
	demand->class = text(d, node, "deviceClassName");
	demand->mode_text = text(d, node, "allocationMode");
	mode = sym_text(demand->mode_text);
	demand->mode = strcmp(mode, "ExactCount") == 0 ? DEVICES_EXACT_COUNT :
	    strcmp(mode, "All") == 0                   ? DEVICES_ALL :
							 DEVICES_OTHER;
	demand->count = decode_int64(d, node, "count");
	demand->has_admin = has(node, "adminAccess");
	demand->admin = decode_flag(d, node, "adminAccess", false);
	demand->selectors = selectors(d, node, &demand->nselectors);
	demand->tolerations =
	    decode_each(d, node, "tolerations", &demand->ntolerations,
		sizeof(*demand->tolerations), read_toleration);
	if (demand->ntolerations > 0)
		demand->tolerations_text =
		    text_of(d, doc_get(node, "tolerations"));
	demand->has_capacity = capacity != NULL;
	demand->capacities =
	    amounts(d, capacity, "requests", false, &demand->ncapacities);
}

/* In v1beta1 a request has the members of exactly itself. */
static void
read_request(struct decoder *d, const struct doc_node *node, void *out)
{
	const struct doc_node *exactly = decode_object(d, node, "exactly");
	struct device_request *request = out;
	struct device_demand *only;

	request->name = text(d, node, "name");
	request->at = decode_each(d, node, "firstAvailable", &request->n,
	    sizeof(*request->at), read_demand);
	if (exactly == NULL && request->n == 0 && has(node, "deviceClassName"))
		exactly = node;
	if (exactly == NULL)
		return;
	only = arena_array(d->arena, struct device_demand, 1);
	read_demand(d, exactly, only);
	only->name = request->name;
	request->exact = true;
	request->n = 1;
	request->at = only;
}

static void
read_constraint(struct decoder *d, const struct doc_node *node, void *out)
{
	struct device_constraint *c = out;
	sym distinct = decode_sym(d, node, "distinctAttribute", SYM_NONE);

	c->attribute = decode_sym(d, node, "matchAttribute", SYM_NONE);
	c->matches = c->attribute != SYM_NONE;
	c->distinct = !c->matches && distinct != SYM_NONE;
	if (c->distinct)
		c->attribute = distinct;
	c->requests = decode_syms(d, node, "requests", &c->nrequests);
}

/* Requests and constraints as one text. */
static sym
text_of_wishes(struct decoder *d, const struct doc_node *devices)
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
	made = sym_in_n(d->arena, out.bytes, out.len);
	text_fini(&out);
	return made;
}

void
device_wishes_read(struct decoder *d, const struct doc_node *devices,
    struct device_wishes *out)
{
	out->requests = decode_each(d, devices, "requests", &out->nrequests,
	    sizeof(*out->requests), read_request);
	out->constraints = decode_each(d, devices, "constraints",
	    &out->nconstraints, sizeof(*out->constraints), read_constraint);
	out->configs = configs(d, devices, &out->nconfigs);
	if (!d->failed)
		out->text = text_of_wishes(d, devices);
}
