#include "config.h"

#include "cluster/devices/demand_internal.h"

#include "cluster/devices/selectors.h"

/* ---- does a device match ---- */

/* enum match of one list of selectors. */
enum match
fit_selectors(struct attempt *a, uint32_t n,
    const struct device_selector *selectors, sym driver,
    const struct device *device, uint32_t claim,
    const struct device_class *class)
{
	for (uint32_t i = 0; i < n; i++) {
		const char *error;
		uint64_t steps;
		int matches;

		if (selectors[i].expression == SYM_NONE)
			return MATCH_NO;
		if (!search_spend(a, 1))
			return MATCH_ERROR;
		matches = selector_match(a->demand->devices, &selectors[i],
		    driver, device, a->features->consumable, a->arena, &steps,
		    &error);
		if (!search_spend(a, steps))
			return MATCH_ERROR;
		if (matches == 0)
			return MATCH_NO;
		if (matches > 0)
			continue;
		if (class != NULL)
			search_fail(a, NO_CLAIM, "class %s: selector #%u: %s",
			    class->object.name, i, error);
		else
			search_fail(a, claim, ": selector #%u: %s", i, error);
		return MATCH_ERROR;
	}
	return MATCH_YES;
}

enum match
fit_device(struct attempt *a, uint32_t claim, struct wish *wish,
    struct matches *m, const struct view_pool *pool, struct place place)
{
	const struct resource_slice *slice = pool->slices[place.slice];
	const struct device *device = &slice->devices[place.device];
	const bool *reached = pool->reached[place.slice];
	enum match match = m->at[place.device];

	if (!a->features->conditions && device->nconditions > 0)
		return MATCH_NO;
	if (match == MATCH_UNKNOWN || match == MATCH_ERROR) {
		match = MATCH_YES;
		if (wish->class != NULL)
			match = fit_selectors(a, wish->class->nselectors,
			    wish->class->selectors, slice->driver, device,
			    claim, wish->class);
		if (match == MATCH_YES)
			match = fit_selectors(a, wish->of->nselectors,
			    wish->of->selectors, slice->driver, device, claim,
			    NULL);
		m->at[place.device] = (uint8_t)match;
	}
	return match == MATCH_YES && reached != NULL && !reached[place.device] ?
	    MATCH_NO :
	    match;
}

/* ---- capacities ---- */

const struct named_amount *
fit_wanted_capacity(const struct device_demand *wish, sym name)
{
	return FIND(i, wish->capacities, wish->ncapacities,
	    wish->capacities[i].name == name);
}

static struct consumption
exactly(sym name, const struct device_amount *n)
{
	return (struct consumption){ name, amount_of(&n->value), n->text };
}

static int64_t
steps_above(int64_t n, int64_t min, int64_t step)
{
	return step > 0 ? wrap_sub(n, min) % step : 0;
}

static struct consumption
round_to_range(const struct capacity_policy *policy, sym name,
    const struct device_amount *wanted)
{
	int64_t n, min, step, over;

	if (quantity_cmp(&wanted->value, &policy->min.value) < 0)
		return exactly(name, &policy->min);
	if (!policy->has_step)
		return exactly(name, wanted);
	n = quantity_value(&wanted->value);
	min = quantity_value(&policy->min.value);
	step = quantity_value(&policy->step.value);
	n = wrap_sub(n, min);
	over = steps_above(n, 0, step);
	n = wrap_sub(n, over);
	if (over != 0)
		n = wrap_add(n, step);
	return (struct consumption){ name,
		(amount)wrap_add(n, min) * AMOUNT_NANOS, SYM_NONE };
}

/* What a request takes of a device's capacity. */
struct consumption
fit_consumption(const struct device_capacity *capacity,
    const struct named_amount *wanted)
{
	const struct capacity_policy *policy = capacity->policy;
	sym name = capacity->name;

	if (wanted == NULL)
		return exactly(name,
		    policy != NULL && policy->has_default ? &policy->standard :
							    &capacity->amount);
	if (policy != NULL && policy->has_range && policy->has_min)
		return round_to_range(policy, name, &wanted->amount);
	if (policy != NULL && policy->has_values)
		for (uint32_t i = 0; i < policy->nvalues; i++)
			if (quantity_cmp(&wanted->amount.value,
				&policy->values[i].value) <= 0)
				return exactly(name, &policy->values[i]);
	return exactly(name, &wanted->amount);
}

static int64_t
whole(amount n)
{
	amount units = n / AMOUNT_NANOS;

	units += n % AMOUNT_NANOS > 0;
	return units > INT64_MAX ? INT64_MAX : (int64_t)units;
}

static bool
breaks_policy(const struct consumption *c, const struct capacity_policy *policy)
{
	if (policy == NULL ||
	    (policy->has_default && c->text != SYM_NONE &&
		c->text == policy->standard.text))
		return false;
	if (policy->has_range)
		return (policy->has_max &&
			   c->amount > amount_of(&policy->max.value)) ||
		    (policy->has_step &&
			steps_above(whole(c->amount),
			    quantity_value(&policy->min.value),
			    quantity_value(&policy->step.value)) != 0);
	return policy->nvalues > 0 &&
	    !ANY(i, policy->nvalues,
		amount_of(&policy->values[i].value) == c->amount);
}

/* Already consumed of the device's capacity, also by this attempt. */
static amount
used_of(const struct attempt *a, const struct view_pool *pool,
    const struct device_use *use, sym device, sym name)
{
	amount used = 0;

	for (uint32_t i = 0; use != NULL && i < use->ncapacities; i++)
		if (use->capacities[i].name == name)
			used = amount_add(used, use->capacities[i].amount);
	for (size_t i = 0; i < a->nparts; i++)
		if (a->parts[i].pool == pool && a->parts[i].device == device &&
		    a->parts[i].name == name)
			used = amount_add(used, a->parts[i].amount);
	return used;
}

bool
fit_has_capacity(const struct attempt *a, const struct device_demand *wish,
    const struct view_pool *pool, const struct device *device)
{
	const struct device_use *use;

	if (!a->features->consumable ||
	    (device->ncapacities == 0 && wish->ncapacities == 0))
		return true;
	use = device_pool_use(pool->pool, device->name);
	for (uint32_t i = 0; i < wish->ncapacities; i++)
		if (!ANY(k, device->ncapacities,
			device->capacities[k].name == wish->capacities[i].name))
			return false;
	for (uint32_t i = 0; i < device->ncapacities; i++) {
		const struct device_capacity *c = &device->capacities[i];
		struct consumption n =
		    fit_consumption(c, fit_wanted_capacity(wish, c->name));

		if (breaks_policy(&n, c->policy) ||
		    amount_add(used_of(a, pool, use, device->name, c->name),
			n.amount) > amount_of(&c->amount.value))
			return false;
	}
	return true;
}

/* ---- what the attempt has so far ---- */

bool
fit_is_getting(const struct attempt *a, const struct view_pool *pool,
    sym device, uint32_t claim)
{
	return ANY(i, a->ngetting,
	    a->getting[i].pool == pool && a->getting[i].device == device &&
		(claim == NO_CLAIM || a->getting[i].claim == claim));
}

bool
fit_is_in_use(const struct attempt *a, const struct view_pool *pool, sym device)
{
	const struct device_use *use = device_pool_use(pool->pool, device);

	if (use != NULL &&
	    (use->dedicated > 0 ||
		(!a->features->consumable && use->shares > 0)))
		return true;
	return fit_is_getting(a, pool, device, NO_CLAIM);
}

void
fit_add_getting(struct attempt *a, const struct view_pool *pool, sym device,
    uint32_t claim)
{
	if (fit_is_getting(a, pool, device, claim))
		return;
	arena_room(a->arena, a->getting, a->ngetting, &a->getting_cap);
	a->getting[a->ngetting++] = (struct getting){ pool, device, claim };
}

void
fit_drop_getting(struct attempt *a, const struct view_pool *pool, sym device,
    uint32_t claim)
{
	for (size_t i = 0; i < a->ngetting; i++)
		if (a->getting[i].pool == pool &&
		    a->getting[i].device == device &&
		    a->getting[i].claim == claim) {
			a->getting[i] = a->getting[--a->ngetting];
			return;
		}
}

static bool
fit_is_partly_used(const struct attempt *a, const struct view_pool *pool,
    sym device)
{
	const struct device_use *use = device_pool_use(pool->pool, device);

	return (use != NULL && use->ncapacities > 0 &&
		   a->features->consumable) ||
	    ANY(i, a->nparts,
		a->parts[i].pool == pool && a->parts[i].device == device);
}

/* ---- counters ---- */

void
fit_consume(struct attempt *a, const struct view_pool *pool,
    const struct device *device, int sign)
{
	amount *consumed = a->consumed[pool - a->view->pools];

	for (uint32_t i = 0; i < device->nconsumed; i++)
		for (uint32_t k = 0; k < device->consumed[i].n; k++) {
			const struct named_amount *n =
			    &device->consumed[i].at[k];
			uint32_t c = 0;

			while (
			    pool->counters[c].set != device->consumed[i].name ||
			    pool->counters[c].name != n->name)
				c++;
			consumed[c] = amount_add(consumed[c],
			    sign * amount_of(&n->amount.value));
		}
}

bool
fit_take_counters(struct attempt *a, struct view_pool *pool,
    const struct device *device)
{
	amount **consumed = &a->consumed[pool - a->view->pools];

	if (device->nconsumed == 0)
		return true;
	if (!a->features->partitionable)
		return false;
	if (a->features->consumable && device->shareable &&
	    fit_is_partly_used(a, pool, device->name))
		return true;
	view_pool_count(a->view, pool);
	if (*consumed == NULL)
		*consumed = arena_array(a->arena, amount, pool->ncounters);
	fit_consume(a, pool, device, 1);
	for (uint32_t i = 0; i < pool->ncounters; i++)
		if (pool->counters[i].available < (*consumed)[i]) {
			fit_consume(a, pool, device, -1);
			return false;
		}
	return true;
}

/* ---- taints ---- */

static bool
is_tolerated(const struct device_taint *taint, const struct device_demand *wish)
{
	for (uint32_t i = 0; i < wish->ntolerations; i++) {
		const struct device_toleration *t = &wish->tolerations[i];
		const char *op = sym_text(t->operator);

		if ((t->effect != SYM_EMPTY && t->effect != taint->effect) ||
		    (t->key != SYM_EMPTY && t->key != taint->key))
			continue;
		if (strcmp(op, "Exists") == 0 ||
		    ((*op == '\0' || strcmp(op, "Equal") == 0) &&
			t->value == taint->value))
			return true;
	}
	return false;
}

static bool
repels(const struct device_taint *taint, const struct device_demand *wish)
{
	const char *effect = sym_text(taint->effect);

	return (strcmp(effect, "NoSchedule") == 0 ||
		   strcmp(effect, "NoExecute") == 0) &&
	    !is_tolerated(taint, wish);
}

bool
fit_is_tainted(const struct attempt *a, const struct resource_slice *slice,
    const struct device *device, const struct device_demand *wish)
{
	const struct devices *devices = a->demand->devices;

	if (!a->features->taints)
		return false;
	if (ANY(i, device->ntaints, repels(&device->taints[i], wish)))
		return true;
	for (size_t i = 0; a->features->taint_rules && i < devices->nrules;
	     i++) {
		const struct device_taint_rule *rule = devices->rules[i];

		if ((rule->driver == SYM_NONE ||
			rule->driver == slice->driver) &&
		    (rule->pool == SYM_NONE || rule->pool == slice->pool) &&
		    (rule->device == SYM_NONE ||
			rule->device == device->name) &&
		    repels(&rule->taint, wish))
			return true;
	}
	return false;
}

/* ---- constraints ---- */

static const struct device_attribute *
find_attribute(const struct device *device, sym name)
{
	return FIND(i, device->attributes, device->nattributes,
	    device->attributes[i].name == name);
}

static const struct device_attribute *
constrained_attribute(const struct constraint *c, sym driver,
    const struct device *device)
{
	const struct device_attribute *a =
	    find_attribute(device, c->of->attribute);

	if (a == NULL && c->id != SYM_NONE && c->domain == driver)
		a = find_attribute(device, c->id);
	return a;
}

static bool
same_value(const struct device_attribute *a, const struct device_attribute *b)
{
	return a->kind == b->kind && a->kind != ATTRIBUTE_NONE &&
	    (a->kind == ATTRIBUTE_INT || a->kind == ATTRIBUTE_BOOL ?
		    a->number == b->number :
		    a->text == b->text);
}

bool
fit_constrains_alike(const struct constraint *c, sym driver,
    const struct device *a, const struct device *b)
{
	const struct device_attribute *x = constrained_attribute(c, driver, a);
	const struct device_attribute *y = constrained_attribute(c, driver, b);

	return x == NULL || y == NULL ? x == y : same_value(x, y);
}

static bool
is_about(const struct constraint *c, const struct wished *request,
    const struct wish *wish)
{
	return c->of->nrequests == 0 ||
	    ANY(i, c->of->nrequests,
		c->of->requests[i] == request->request->name ||
		    c->of->requests[i] == wish->full);
}

static struct distinct_value *
value_for(struct constraint_state *s, sym request)
{
	uint32_t i = 0;

	while (i < s->nvalues && s->values[i].request != request)
		i++;
	if (i == s->nvalues)
		s->values[s->nvalues++] =
		    (struct distinct_value){ request, NULL };
	return &s->values[i];
}

/* One value is kept for each request, the last, as in the reference. */
bool
fit_constraint_add(const struct constraint *c, struct constraint_state *s,
    const struct given *g)
{
	const struct device_attribute *attribute;

	if (!is_about(c, g->request, g->wish))
		return true;
	attribute = constrained_attribute(c, g->slice->driver, g->device);
	if (attribute == NULL)
		return false;
	if (c->of->matches && s->n == 0)
		s->first = attribute;
	else if (c->of->matches && !same_value(s->first, attribute))
		return false;
	if (c->of->distinct && s->n > 0 &&
	    ANY(i, s->nvalues,
		s->values[i].attribute != NULL &&
		    (attribute->kind == ATTRIBUTE_NONE ||
			same_value(s->values[i].attribute, attribute))))
		return false;
	if (c->of->distinct)
		value_for(s, g->request->request->name)->attribute = attribute;
	s->n++;
	return true;
}

void
fit_constraints_remove(struct attempt *a, uint32_t claim, uint32_t n,
    const struct given *g)
{
	for (uint32_t i = 0; i < n; i++) {
		const struct constraint *c =
		    &a->demand->claims[claim].constraints[i];
		struct constraint_state *s = &a->claims[claim].constraints[i];

		if (!is_about(c, g->request, g->wish))
			continue;
		if (c->of->distinct)
			value_for(s, g->request->request->name)->attribute =
			    NULL;
		s->n--;
	}
}
