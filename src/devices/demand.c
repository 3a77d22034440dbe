#include "config.h"

#include "devices/demand.h"

#include <inttypes.h>

#include "devices/inventory.h"
#include "devices/selectors.h"
#include "model/resources.h"

/* Demands that are kept. */
#define DEMANDS_MOST 64
#define RESULTS_MOST 32 /* devices of a claim */
#define ALTERNATIVES 8
#define DEPTH_MOST 20000
/* Of one search.  kube-scheduler gives up after ten seconds. */
#define SEARCH_STEPS 2000000
/* Of all demands: those used last are forgotten beyond it. */
#define MATCH_BYTES_MOST (64 * 1024 * 1024)
#define STEPS_BETWEEN_LOOKS 1024

/* ---- demands ---- */

enum match {
	MATCH_UNKNOWN,
	MATCH_NO,
	MATCH_YES,
	MATCH_ERROR,
};

/* What the selectors say of a slice's devices, enum match. */
struct matches {
	const struct resource_slice *slice;
	uint8_t at[];
};

/* Wished by a request that is exact, or by one of its alternatives. */
struct wish {
	const struct device_demand *of;
	const struct device_class *class;
	sym full;           /* "request/alternative", or the request's name */
	struct map matches; /* by slice */
};

struct wished {
	const struct device_request *request;
	struct wish *at; /* request->n */
};

/* An attribute by its name, or the part behind the driver's. */
struct constraint {
	const struct device_constraint *of;
	sym domain, id; /* SYM_NONE without '/' */
};

struct claim_demand {
	const struct resource_claim *claim;
	struct wished *requests;
	struct constraint *constraints;
};

struct demand {
	struct arena arena;
	struct devices *devices;
	struct device_features features;
	uint64_t used; /* the last time, for dropping the oldest */
	uint32_t n;
	struct claim_demand *claims;
	uint32_t nwishes;
	struct wish *wishes; /* of all claims and requests */
	uint32_t nanswers;
	struct device_answer *answers; /* by the number of the view */
	/* By node, as of this epoch of the devices and so many of its changes; room
	 * for nnodes. */
	uint64_t epoch;
	size_t seen;
	uint32_t nnodes;
	uint32_t *outcomes;
	int32_t *scores;
};

static size_t
match_bytes(const struct resource_slice *slice)
{
	return sizeof(struct matches) + slice->ndevices;
}

static void
matches_free(struct devices *devices, struct matches *matches)
{
	if (matches != NULL)
		devices->match_bytes -= match_bytes(matches->slice);
	free(matches);
}

static void
demand_free(struct demand *demand)
{
	for (uint32_t i = 0; i < demand->nwishes; i++) {
		struct map *map = &demand->wishes[i].matches;

		EACH_VALUE (map, struct matches, matches)
			matches_free(demand->devices, matches);
		map_fini(map);
	}
	for (uint32_t c = 0; c < demand->n; c++)
		object_unref((struct object *)&demand->claims[c].claim->object);
	for (uint32_t i = 0; i < demand->nanswers; i++)
		free(demand->answers[i].error);
	free(demand->answers);
	free(demand->outcomes);
	free(demand->scores);
	arena_fini(&demand->arena);
	free(demand);
}

void
demands_forget(struct devices *devices)
{
	while (devices->ndemands > 0)
		demand_free(devices->demands[--devices->ndemands]);
}

static uint64_t
slice_key(const struct resource_slice *slice)
{
	return (uint64_t)(uintptr_t)slice;
}

void
demands_forget_slice(struct devices *devices,
    const struct resource_slice *slice)
{
	for (size_t i = 0; i < devices->ndemands; i++) {
		struct demand *demand = devices->demands[i];

		for (uint32_t w = 0; w < demand->nwishes; w++)
			matches_free(devices,
			    map_del(&demand->wishes[w].matches,
				slice_key(slice)));
	}
}

static void
set_up_claim(struct demand *demand, struct claim_demand *claim,
    const struct resource_claim *of)
{
	const struct device_wishes *w = &of->wishes;
	struct arena *arena = &demand->arena;

	claim->claim = of;
	object_ref((struct object *)&of->object);
	claim->requests = arena_array(arena, struct wished, w->nrequests);
	for (uint32_t r = 0; r < w->nrequests; r++) {
		const struct device_request *request = &w->requests[r];
		struct wished *to = &claim->requests[r];

		to->request = request;
		to->at = &demand->wishes[demand->nwishes];
		demand->nwishes += request->n;
		for (uint32_t a = 0; a < request->n; a++) {
			to->at[a].of = &request->at[a];
			to->at[a].class =
			    cluster_device_class(demand->devices->cluster,
				request->at[a].class);
			to->at[a].full = request->exact ?
			    request->name :
			    sym_in(arena,
				arena_printf(arena, "%s/%s",
				    sym_text(request->name),
				    sym_text(request->at[a].name)));
		}
	}
	claim->constraints =
	    arena_array(arena, struct constraint, w->nconstraints);
	for (uint32_t i = 0; i < w->nconstraints; i++) {
		struct constraint *c = &claim->constraints[i];
		const char *text, *slash;

		*c = (struct constraint){ &w->constraints[i], SYM_NONE,
			SYM_NONE };
		if (c->of->attribute == SYM_NONE)
			continue;
		text = sym_text(c->of->attribute);
		slash = strchr(text, '/');
		if (slash == NULL)
			continue;
		c->domain = sym_in_n(arena, text, (size_t)(slash - text));
		c->id = sym_in(arena, slash + 1);
	}
}

static bool
is_for(const struct demand *demand, const struct device_features *features,
    uint32_t n, const struct resource_claim *const *claims)
{
	if (demand->n != n ||
	    memcmp(&demand->features, features, sizeof(*features)) != 0)
		return false;
	for (uint32_t i = 0; i < n; i++)
		if (demand->claims[i].claim->wishes.text !=
		    claims[i]->wishes.text)
			return false;
	return true;
}

static void
drop_oldest(struct devices *devices)
{
	size_t oldest = 0;

	for (size_t i = 1; i < devices->ndemands; i++)
		if (devices->demands[i]->used < devices->demands[oldest]->used)
			oldest = i;
	demand_free(devices->demands[oldest]);
	devices->demands[oldest] = devices->demands[--devices->ndemands];
}

struct demand *
device_demand(struct devices *devices, const struct device_features *features,
    uint32_t n, const struct resource_claim *const *claims)
{
	struct demand *demand;
	uint32_t nwishes = 0;

	while (devices->match_bytes > MATCH_BYTES_MOST)
		drop_oldest(devices);
	for (size_t i = 0; i < devices->ndemands; i++) {
		demand = devices->demands[i];
		if (is_for(demand, features, n, claims)) {
			demand->used = ++devices->generation;
			return demand;
		}
	}
	if (devices->demands == NULL)
		devices->demands =
		    xcalloc(DEMANDS_MOST, sizeof(struct demand *));
	if (devices->ndemands == DEMANDS_MOST)
		drop_oldest(devices);
	demand = xcalloc(1, sizeof(*demand));
	demand->devices = devices;
	demand->features = *features;
	demand->used = ++devices->generation;
	demand->n = n;
	demand->claims = arena_array(&demand->arena, struct claim_demand, n);
	for (uint32_t i = 0; i < n; i++)
		for (uint32_t r = 0; r < claims[i]->wishes.nrequests; r++)
			nwishes += claims[i]->wishes.requests[r].n;
	demand->wishes = arena_array(&demand->arena, struct wish, nwishes);
	for (uint32_t i = 0; i < n; i++)
		set_up_claim(demand, &demand->claims[i], claims[i]);
	devices->demands[devices->ndemands++] = demand;
	return demand;
}

/* ---- a search ---- */

enum outcome {
	DONE,
	NOT,      /* not this way */
	EXCEEDED, /* a claim would have too many devices */
	STOPPED,  /* an error, or out of steps */
};

/* A device in the view. */
struct place {
	uint32_t pool, slice, device;
};

struct consumption {
	sym name;
	amount amount;
	sym text; /* SYM_NONE: of the amount */
};

/* A device given to a request. */
struct given {
	const struct view_pool *pool;
	const struct resource_slice *slice;
	const struct device *device;
	const struct wish *wish;
	const struct wished *request;
	bool shared;
	uint32_t nconsumed;
	struct consumption *consumed;
};

struct distinct_value {
	sym request;
	const struct device_attribute *attribute; /* NULL: none */
};

/* Devices that a constraint is about so far. */
struct constraint_state {
	uint32_t n;
	const struct device_attribute *first;
	uint32_t nvalues;
	struct distinct_value *values;
};

/* A request's number of devices, and of DEVICES_ALL which. */
struct wish_state {
	int64_t n;
	struct place *all;
};

struct claim_state {
	uint32_t ngiven;
	struct given given[RESULTS_MOST];
	struct constraint_state *constraints;
	struct wish_state **requests; /* by request and alternative */
	uint32_t *chosen;             /* by request: the alternative */
};

/* A device that a claim is getting. */
struct getting {
	const struct view_pool *pool;
	sym device;
	uint32_t claim;
};

struct getting_capacity {
	const struct view_pool *pool;
	sym device, name;
	amount amount;
};

struct attempt {
	struct demand *demand;
	const struct device_view *view;
	const struct device_features *features;
	struct device_search *search;
	struct arena *arena; /* scratch */
	uint32_t depth;
	struct claim_state *claims;
	size_t ngetting, getting_cap;
	struct getting *getting;
	size_t nparts, parts_cap;
	struct getting_capacity *parts;
	amount **consumed; /* by pool: by counter; NULL: none */
	uint64_t steps;    /* so far */
	bool timed_out, cancelled;
	uint32_t error_claim;
	const char *error;
};

/* An error that begins with the claim's name; NO_CLAIM: with none. */
static enum outcome
fail_claim(struct attempt *a, uint32_t claim, const char *text)
{
	a->error_claim = claim;
	a->error = text;
	return STOPPED;
}

static enum outcome
fail_request(struct attempt *a, uint32_t claim, sym request, const char *text)
{
	return fail_claim(a, claim,
	    arena_printf(a->arena, ", request %s: %s", sym_text(request),
		text));
}

static bool
spend(struct attempt *a, uint64_t steps)
{
	struct device_search *s = a->search;
	bool look = s->steps / STEPS_BETWEEN_LOOKS !=
	    (s->steps - steps) / STEPS_BETWEEN_LOOKS;

	if (a->timed_out || a->cancelled)
		return false;
	a->steps += steps;
	if (s->steps < steps || a->steps > SEARCH_STEPS) {
		a->timed_out = true;
		s->steps = 0; /* the decision fails */
		return false;
	}
	s->steps -= steps;
	if (look && s->cancelled != NULL && s->cancelled(s->arg))
		a->cancelled = true;
	return !a->cancelled;
}

/* ---- does a device match ---- */

/* enum match of one list of selectors. */
static enum match
match_selectors(struct attempt *a, uint32_t n,
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
		if (!spend(a, 1))
			return MATCH_ERROR;
		matches = selector_match(a->demand->devices, &selectors[i],
		    driver, device, a->features->consumable, a->arena, &steps,
		    &error);
		if (!spend(a, steps))
			return MATCH_ERROR;
		if (matches == 0)
			return MATCH_NO;
		if (matches > 0)
			continue;
		error = arena_printf(a->arena, "%s: selector #%u: %s",
		    class != NULL ? class->object.name : "", i, error);
		if (class != NULL)
			fail_claim(a, NO_CLAIM,
			    arena_printf(a->arena, "class %s", error));
		else
			fail_claim(a, claim, error);
		return MATCH_ERROR;
	}
	return MATCH_YES;
}

static struct matches *
matches_of(const struct attempt *a, struct wish *wish,
    const struct resource_slice *slice)
{
	struct matches *m = map_get(&wish->matches, slice_key(slice));

	if (m == NULL) {
		a->demand->devices->match_bytes += match_bytes(slice);
		m = xcalloc(1, match_bytes(slice));
		m->slice = slice;
		map_put(&wish->matches, slice_key(slice), m);
	}
	return m;
}

static enum match
match_device(struct attempt *a, uint32_t claim, struct wish *wish,
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
			match = match_selectors(a, wish->class->nselectors,
			    wish->class->selectors, slice->driver, device,
			    claim, wish->class);
		if (match == MATCH_YES)
			match = match_selectors(a, wish->of->nselectors,
			    wish->of->selectors, slice->driver, device, claim,
			    NULL);
		m->at[place.device] = (uint8_t)match;
	}
	return match == MATCH_YES && reached != NULL && !reached[place.device] ?
	    MATCH_NO :
	    match;
}

/* ---- capacities ---- */

static const struct named_amount *
wanted_capacity(const struct device_demand *wish, sym name)
{
	for (uint32_t i = 0; i < wish->ncapacities; i++)
		if (wish->capacities[i].name == name)
			return &wish->capacities[i];
	return NULL;
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
static struct consumption
consumption_of(const struct device_capacity *capacity,
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
	for (uint32_t i = 0; i < policy->nvalues; i++)
		if (amount_of(&policy->values[i].value) == c->amount)
			return false;
	return policy->nvalues > 0;
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

static bool
has_capacity(const struct attempt *a, const struct device_demand *wish,
    const struct view_pool *pool, const struct device *device)
{
	const struct device_use *use;

	if (!a->features->consumable ||
	    (device->ncapacities == 0 && wish->ncapacities == 0))
		return true;
	use = device_pool_use(pool->pool, device->name);
	for (uint32_t i = 0; i < wish->ncapacities; i++) {
		uint32_t k = 0;

		while (k < device->ncapacities &&
		    device->capacities[k].name != wish->capacities[i].name)
			k++;
		if (k == device->ncapacities)
			return false;
	}
	for (uint32_t i = 0; i < device->ncapacities; i++) {
		const struct device_capacity *c = &device->capacities[i];
		struct consumption n =
		    consumption_of(c, wanted_capacity(wish, c->name));

		if (breaks_policy(&n, c->policy) ||
		    amount_add(used_of(a, pool, use, device->name, c->name),
			n.amount) > amount_of(&c->amount.value))
			return false;
	}
	return true;
}

/* ---- what the attempt has so far ---- */

static bool
is_getting(const struct attempt *a, const struct view_pool *pool, sym device,
    uint32_t claim)
{
	for (size_t i = 0; i < a->ngetting; i++)
		if (a->getting[i].pool == pool &&
		    a->getting[i].device == device &&
		    (claim == NO_CLAIM || a->getting[i].claim == claim))
			return true;
	return false;
}

static bool
is_in_use(const struct attempt *a, const struct view_pool *pool, sym device)
{
	const struct device_use *use = device_pool_use(pool->pool, device);

	if (use != NULL &&
	    (use->dedicated > 0 ||
		(!a->features->consumable && use->shares > 0)))
		return true;
	return is_getting(a, pool, device, NO_CLAIM);
}

static void
add_getting(struct attempt *a, const struct view_pool *pool, sym device,
    uint32_t claim)
{
	if (is_getting(a, pool, device, claim))
		return;
	arena_room(a->arena, a->getting, a->ngetting, &a->getting_cap);
	a->getting[a->ngetting++] = (struct getting){ pool, device, claim };
}

static void
drop_getting(struct attempt *a, const struct view_pool *pool, sym device,
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
is_partly_used(const struct attempt *a, const struct view_pool *pool,
    sym device)
{
	const struct device_use *use = device_pool_use(pool->pool, device);

	if (use != NULL && use->ncapacities > 0 && a->features->consumable)
		return true;
	for (size_t i = 0; i < a->nparts; i++)
		if (a->parts[i].pool == pool && a->parts[i].device == device)
			return true;
	return false;
}

/* ---- counters ---- */

static void
consume(struct attempt *a, const struct view_pool *pool,
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

/* Takes the device's part of the counters, if all are enough. */
static bool
take_counters(struct attempt *a, struct view_pool *pool,
    const struct device *device)
{
	amount **consumed = &a->consumed[pool - a->view->pools];

	view_pool_count(a->view, pool);
	if (*consumed == NULL)
		*consumed = arena_array(a->arena, amount, pool->ncounters);
	consume(a, pool, device, 1);
	for (uint32_t i = 0; i < pool->ncounters; i++)
		if (pool->counters[i].available < (*consumed)[i]) {
			consume(a, pool, device, -1);
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

static bool
is_tainted(const struct attempt *a, const struct resource_slice *slice,
    const struct device *device, const struct device_demand *wish)
{
	const struct devices *devices = a->demand->devices;

	if (!a->features->taints)
		return false;
	for (uint32_t i = 0; i < device->ntaints; i++)
		if (repels(&device->taints[i], wish))
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
	for (uint32_t i = 0; i < device->nattributes; i++)
		if (device->attributes[i].name == name)
			return &device->attributes[i];
	return NULL;
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

static bool
is_about(const struct constraint *c, const struct wished *request,
    const struct wish *wish)
{
	if (c->of->nrequests == 0)
		return true;
	for (uint32_t i = 0; i < c->of->nrequests; i++)
		if (c->of->requests[i] == request->request->name ||
		    c->of->requests[i] == wish->full)
			return true;
	return false;
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

static bool
is_distinct(const struct constraint_state *s,
    const struct device_attribute *attribute)
{
	for (uint32_t i = 0; i < s->nvalues; i++)
		if (s->values[i].attribute != NULL &&
		    (attribute->kind == ATTRIBUTE_NONE ||
			same_value(s->values[i].attribute, attribute)))
			return false;
	return true;
}

/* One value is kept for each request, the last, as in the reference. */
static bool
constraint_add(const struct constraint *c, struct constraint_state *s,
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
	if (c->of->distinct && s->n > 0 && !is_distinct(s, attribute))
		return false;
	if (c->of->distinct)
		value_for(s, g->request->request->name)->attribute = attribute;
	s->n++;
	return true;
}

static void
constraint_remove(const struct constraint *c, struct constraint_state *s,
    const struct given *g)
{
	if (!is_about(c, g->request, g->wish))
		return;
	if (c->of->distinct)
		value_for(s, g->request->request->name)->attribute = NULL;
	s->n--;
}

static void
constraints_remove(struct attempt *a, uint32_t claim, uint32_t n,
    const struct given *g)
{
	for (uint32_t i = 0; i < n; i++)
		constraint_remove(&a->demand->claims[claim].constraints[i],
		    &a->claims[claim].constraints[i], g);
}

/* ---- giving one device ---- */

static void
add_consumption(struct attempt *a, struct given *g)
{
	const struct device *device = g->device;

	g->consumed =
	    arena_array(a->arena, struct consumption, device->ncapacities);
	for (uint32_t i = 0; i < device->ncapacities; i++) {
		struct consumption c = consumption_of(&device->capacities[i],
		    wanted_capacity(g->wish->of, device->capacities[i].name));

		g->consumed[g->nconsumed++] = c;
		arena_room(a->arena, a->parts, a->nparts, &a->parts_cap);
		a->parts[a->nparts++] = (struct getting_capacity){ g->pool,
			device->name, c.name, c.amount };
	}
}

/*
 * Gives the claim the device if that is possible; must: the request can have no
 * other.  The order of the checks is the reference's, and so is what an unsuccessful
 * one leaves behind: counters that were taken, and after a shortage of capacity
 * constraints and the device.
 */
static enum outcome
give(struct attempt *a, uint32_t claim, const struct wished *request,
    const struct wish *wish, struct place place, bool must)
{
	struct view_pool *pool = &a->view->pools[place.pool];
	struct claim_state *state = &a->claims[claim];
	const struct claim_demand *of = &a->demand->claims[claim];
	struct given g = { .pool = pool,
		.slice = pool->slices[place.slice],
		.wish = wish,
		.request = request };
	const struct device *device = &g.slice->devices[place.device];

	g.device = device;
	g.shared = a->features->consumable && device->shareable;
	if (!g.shared && wish->of->admin &&
	    is_getting(a, pool, device->name, claim))
		return NOT;
	if (!wish->of->admin && is_in_use(a, pool, device->name))
		return NOT;
	if (device->nconsumed > 0 &&
	    (!a->features->partitionable ||
		(!(g.shared && is_partly_used(a, pool, device->name)) &&
		    !take_counters(a, pool, device))))
		return NOT;
	if (is_tainted(a, g.slice, device, wish->of))
		return NOT;
	for (uint32_t i = 0; i < of->claim->wishes.nconstraints; i++) {
		if (constraint_add(&of->constraints[i], &state->constraints[i],
			&g))
			continue;
		if (must)
			return fail_request(a, claim, wish->of->name,
			    arena_printf(a->arena,
				"cannot add device %s/%s/%s because a claim "
				"constraint would not be satisfied",
				sym_text(g.slice->driver),
				sym_text(g.slice->pool),
				sym_text(device->name)));
		constraints_remove(a, claim, i, &g);
		return NOT;
	}
	if (!g.shared)
		add_getting(a, pool, device->name, claim);
	if (!has_capacity(a, wish->of, pool, device))
		return NOT;
	if (g.shared)
		add_consumption(a, &g);
	state->given[state->ngiven++] = g;
	return DONE;
}

/* Takes back the last device of the claim. */
static void
take_back(struct attempt *a, uint32_t claim)
{
	struct claim_state *state = &a->claims[claim];
	const struct given *g = &state->given[--state->ngiven];

	constraints_remove(a, claim,
	    a->demand->claims[claim].claim->wishes.nconstraints, g);
	drop_getting(a, g->pool, g->device->name, claim);
	if (g->shared)
		a->nparts -= g->nconsumed; /* the last ones */
	else if (g->device->nconsumed > 0)
		consume(a, g->pool, g->device, -1);
}

/* ---- the search ---- */

static enum outcome search_device(struct attempt *a, uint32_t claim, uint32_t r,
    uint32_t alternative, int64_t n, struct place from);

/* The requests of a claim from this one on, and all further claims. */
static enum outcome
search_request(struct attempt *a, uint32_t claim, uint32_t r)
{
	const struct wished *request;
	bool all_exceeded = true;
	enum outcome outcome;

	if (!spend(a, 1))
		return STOPPED;
	if (claim == a->demand->n)
		return DONE;
	if (r == a->demand->claims[claim].claim->wishes.nrequests) {
		outcome = search_request(a, claim + 1, 0);
		return outcome == EXCEEDED ? NOT : outcome;
	}
	request = &a->demand->claims[claim].requests[r];
	for (uint32_t i = 0; i < request->request->n; i++) {
		outcome = search_device(a, claim, r, i, 0, (struct place){ 0 });
		if (outcome == EXCEEDED)
			continue;
		all_exceeded = false;
		if (outcome == DONE)
			a->claims[claim].chosen[r] = i;
		if (outcome != NOT)
			return outcome;
	}
	return all_exceeded ? EXCEEDED : NOT;
}

/* Moves on to a device that can be given, unless *at is one; false: none is left. */
static bool
find_place(const struct device_view *view, struct place *at)
{
	for (; at->pool < view->npools;
	     at->pool++, at->slice = at->device = 0) {
		const struct view_pool *pool = &view->pools[at->pool];

		for (; !pool->incomplete && !pool->invalid &&
		     at->slice < pool->nslices;
		     at->slice++, at->device = 0)
			if (at->device < pool->slices[at->slice]->ndevices)
				return true;
	}
	return false;
}

/* The n-th device of a request, and all further ones; places before are tried. */
static enum outcome
search_any(struct attempt *a, uint32_t claim, uint32_t r, uint32_t alternative,
    int64_t n, struct place from)
{
	const struct wished *request = &a->demand->claims[claim].requests[r];
	struct wish *wish = &request->at[alternative];
	struct matches *m = NULL;

	for (struct place at = from; find_place(a->view, &at); at.device++) {
		const struct view_pool *pool = &a->view->pools[at.pool];
		const struct resource_slice *slice = pool->slices[at.slice];
		const struct device *device = &slice->devices[at.device];
		enum outcome outcome;
		enum match match;

		if (!spend(a, 1))
			return STOPPED;
		if (wish->of->admin ? is_getting(a, pool, device->name, claim) :
				      is_in_use(a, pool, device->name))
			continue;
		if (m == NULL || m->slice != slice)
			m = matches_of(a, wish, slice);
		match = match_device(a, claim, wish, m, pool, at);
		if (match == MATCH_ERROR)
			return STOPPED;
		if (match == MATCH_NO ||
		    !has_capacity(a, wish->of, pool, device))
			continue;
		outcome = give(a, claim, request, wish, at, false);
		if (outcome == STOPPED)
			return STOPPED;
		if (outcome != DONE)
			continue;
		outcome = search_device(a, claim, r, alternative, n + 1,
		    (struct place){ at.pool, at.slice, at.device + 1 });
		if (outcome == DONE)
			return DONE;
		take_back(a, claim);
		if (outcome != NOT)
			return outcome;
	}
	return NOT;
}

static enum outcome
search_device(struct attempt *a, uint32_t claim, uint32_t r,
    uint32_t alternative, int64_t n, struct place from)
{
	struct claim_state *state = &a->claims[claim];
	const struct wish_state *w = &state->requests[r][alternative];
	const struct wished *request = &a->demand->claims[claim].requests[r];
	const struct wish *wish = &request->at[alternative];
	bool all = wish->of->mode == DEVICES_ALL;
	enum outcome outcome;

	if (!spend(a, 1) || a->depth == DEPTH_MOST) {
		a->timed_out |= !a->cancelled;
		return STOPPED;
	}
	if (all && w->n == 0)
		return NOT;
	a->depth++;
	if (n >= w->n) {
		outcome = search_request(a, claim, r + 1);
	} else if ((int64_t)state->ngiven + w->n - n > RESULTS_MOST) {
		outcome = EXCEEDED;
	} else if (!all) {
		outcome = search_any(a, claim, r, alternative, n, from);
	} else {
		outcome = give(a, claim, request, wish, w->all[n], true);
		if (outcome == DONE) {
			outcome = search_device(a, claim, r, alternative, n + 1,
			    (struct place){ 0 });
			if (outcome != DONE)
				take_back(a, claim);
		}
	}
	a->depth--;
	return outcome;
}

/* ---- before the search ---- */

/* Lists all devices that match. */
static enum outcome
find_all(struct attempt *a, uint32_t claim, struct wish *wish,
    struct wish_state *w)
{
	size_t cap = 0, n = 0;

	for (uint32_t p = 0; p < a->view->npools; p++) {
		const struct view_pool *pool = &a->view->pools[p];

		if (pool->incomplete || pool->invalid)
			return fail_request(a, claim, wish->of->name,
			    arena_printf(a->arena,
				"asks for all devices, but resource pool "
				"%s/%s is currently %s",
				sym_text(pool->pool->driver),
				sym_text(pool->pool->name),
				pool->incomplete ? "being updated" :
						   "invalid"));
		for (struct place at = { .pool = p };
		     find_place(a->view, &at) && at.pool == p; at.device++) {
			const struct resource_slice *slice =
			    pool->slices[at.slice];
			struct matches *m = matches_of(a, wish, slice);
			enum match match = spend(a, 1) ?
			    match_device(a, claim, wish, m, pool, at) :
			    MATCH_ERROR;

			if (match == MATCH_ERROR)
				return STOPPED;
			if (match == MATCH_NO ||
			    !has_capacity(a, wish->of, pool,
				&slice->devices[at.device]))
				continue;
			arena_room(a->arena, w->all, n, &cap);
			w->all[n++] = at;
		}
	}
	w->n = (int64_t)n;
	return DONE;
}

static enum outcome
check_wish(struct attempt *a, uint32_t claim, struct wish *wish,
    struct wish_state *w)
{
	const struct device_demand *of = wish->of;

	for (uint32_t i = 0; i < of->nselectors; i++)
		if (of->selectors[i].expression == SYM_NONE)
			return fail_request(a, claim, of->name,
			    arena_printf(a->arena,
				"selector #%u: CEL expression empty "
				"(unsupported selector type?)",
				i));
	if (!a->features->admin && of->has_admin)
		return fail_request(a, claim, of->name,
		    "admin access is requested, but the feature is disabled");
	if (of->class == SYM_EMPTY)
		return fail_request(a, claim, of->name,
		    "missing device class name (unsupported request type?)");
	if (wish->class == NULL)
		return fail_request(a, claim, of->name,
		    arena_printf(a->arena,
			"could not retrieve device class %s: "
			"deviceclass.resource.k8s.io \"%s\" not found",
			sym_text(of->class), sym_text(of->class)));
	if (of->mode == DEVICES_ALL)
		return find_all(a, claim, wish, w);
	if (of->mode == DEVICES_OTHER)
		return fail_request(a, claim, of->name,
		    arena_printf(a->arena, "unsupported count mode %s",
			sym_text(of->mode_text)));
	w->n = of->count;
	return DONE;
}

/* The least number of devices goes to *least. */
static enum outcome
check_request(struct attempt *a, uint32_t claim, uint32_t r, int64_t *least)
{
	struct wished *request = &a->demand->claims[claim].requests[r];
	struct wish_state *states = a->claims[claim].requests[r];
	sym name = request->request->name;

	if (!a->features->prioritized && !request->request->exact)
		return fail_request(a, claim, name,
		    "has subrequests, but the DRAPrioritizedList feature is "
		    "disabled");
	for (uint32_t i = 0;
	     !a->features->consumable && i < request->request->n; i++)
		if (request->at[i].of->has_capacity)
			return fail_claim(a, claim,
			    arena_printf(a->arena,
				", %srequest %s: has capacity requests, but "
				"the DRAConsumableCapacity feature is disabled",
				request->request->exact ? "" : "sub",
				sym_text(request->at[i].of->name)));
	*least = INT64_MAX;
	for (uint32_t i = 0; i < request->request->n; i++) {
		enum outcome outcome =
		    check_wish(a, claim, &request->at[i], &states[i]);

		if (outcome != DONE)
			return outcome;
		if (states[i].n < *least)
			*least = states[i].n;
	}
	return request->request->n > 0 ?
	    DONE :
	    fail_request(a, claim, name, "unknown request type");
}

static enum outcome
check_claim(struct attempt *a, uint32_t claim)
{
	const struct device_wishes *w = &a->demand->claims[claim].claim->wishes;
	struct claim_state *state = &a->claims[claim];
	int64_t total = 0;

	state->requests =
	    arena_array(a->arena, struct wish_state *, w->nrequests);
	state->chosen = arena_array(a->arena, uint32_t, w->nrequests);
	for (uint32_t r = 0; r < w->nrequests; r++) {
		int64_t least = 0;
		enum outcome outcome;

		state->requests[r] =
		    arena_array(a->arena, struct wish_state, w->requests[r].n);
		outcome = check_request(a, claim, r, &least);
		if (outcome != DONE)
			return outcome;
		total = wrap_add(total, least);
	}
	if (total > RESULTS_MOST)
		return fail_claim(a, claim,
		    arena_printf(a->arena,
			": number of requested devices %" PRId64
			" exceeds the claim limit of %d",
			total, RESULTS_MOST));
	state->constraints =
	    arena_array(a->arena, struct constraint_state, w->nconstraints);
	for (uint32_t i = 0; i < w->nconstraints; i++) {
		if (!w->constraints[i].matches && !w->constraints[i].distinct)
			return fail_claim(a, claim,
			    arena_printf(a->arena,
				", constraint #%u: empty constraint "
				"(unsupported constraint type?)",
				i));
		if (w->constraints[i].distinct)
			state->constraints[i].values = arena_array(a->arena,
			    struct distinct_value, w->nrequests);
	}
	return DONE;
}

/* ---- after it ---- */

static const struct device_reach *
reach_of(const struct given *g)
{
	return g->slice->per_device ? g->device->reach : &g->slice->reach;
}

/* A selector with more than one term cannot be made a part of a claim's. */
static enum outcome
check_given(struct attempt *a, uint32_t claim)
{
	const struct claim_state *state = &a->claims[claim];

	for (uint32_t i = 0; i < state->ngiven; i++) {
		const struct device_reach *reach = reach_of(&state->given[i]);

		if (reach->node != SYM_EMPTY ||
		    state->given[i].device->binds_to_node)
			return DONE;
		if (reach->has_nodes && reach->nodes.n > 1)
			return fail_claim(a, NO_CLAIM,
			    arena_printf(a->arena,
				"create NodeSelector for claim %s: unsupported "
				"ResourceSlice.NodeSelector with %u terms",
				a->demand->claims[claim].claim->object.name,
				reach->nodes.n));
	}
	return DONE;
}

static enum outcome
set_up(struct attempt *a)
{
	struct demand *demand = a->demand;
	enum outcome outcome = DONE;

	if (a->view->error != NULL)
		return fail_claim(a, NO_CLAIM,
		    arena_printf(a->arena,
			"gather pool information: failed to perform node "
			"selection: failed to parse node selector: %s",
			a->view->error));
	a->claims = arena_array(a->arena, struct claim_state, demand->n);
	a->consumed = arena_array(a->arena, amount *, a->view->npools);
	for (uint32_t i = 0; i < demand->n && outcome == DONE; i++)
		outcome = check_claim(a, i);
	return outcome;
}

static enum outcome
run(struct attempt *a)
{
	enum outcome outcome = set_up(a);

	if (outcome == DONE)
		outcome = search_request(a, 0, 0);
	if (outcome == EXCEEDED)
		return fail_claim(a, NO_CLAIM, "allocation max size exceeded");
	for (uint32_t i = 0; i < a->demand->n && outcome == DONE; i++)
		outcome = check_given(a, i);
	return outcome;
}

static int32_t
score_of(const struct attempt *a)
{
	int32_t score = 0;

	for (uint32_t c = 0; c < a->demand->n; c++) {
		const struct claim_demand *of = &a->demand->claims[c];
		const struct claim_state *state = &a->claims[c];

		for (uint32_t r = 0; r < of->claim->wishes.nrequests; r++) {
			const struct wished *request = &of->requests[r];
			bool any = false;

			for (uint32_t i = 0; i < state->ngiven; i++)
				any |= state->given[i].request == request;
			if (any && !request->request->exact)
				score +=
				    ALTERNATIVES - (int32_t)state->chosen[r];
		}
	}
	return score;
}

static struct attempt
attempt_of(struct demand *demand, const struct device_view *view,
    struct arena *arena, struct device_search *search)
{
	return (struct attempt){ .demand = demand,
		.view = view,
		.features = &demand->features,
		.arena = arena,
		.search = search,
		.error_claim = NO_CLAIM };
}

static struct device_answer
answer_of(const struct attempt *a, enum outcome outcome)
{
	struct device_answer answer = { .generation = a->view->generation,
		.claim = NO_CLAIM };

	if (a->cancelled || a->timed_out) {
		answer.outcome =
		    a->cancelled ? DEVICES_CANCELLED : DEVICES_TIMED_OUT;
	} else if (outcome == STOPPED) {
		answer.outcome = DEVICES_ERROR;
		answer.claim = a->error_claim;
		answer.error = xstrdup(a->error);
	} else if (outcome == DONE) {
		answer.outcome = DEVICES_FOUND;
		answer.score = score_of(a);
	} else {
		answer.outcome = a->view->any_invalid ? DEVICES_POOLS_INVALID :
							DEVICES_NOT_FOUND;
	}
	return answer;
}

static const struct device_view *
view_of(struct demand *demand, const struct node_info *node)
{
	return devices_view(demand->devices, node,
	    demand->features.partitionable);
}

const struct device_answer *
demand_ask(struct demand *demand, const struct node_info *node,
    struct device_search *search)
{
	const struct device_view *view = view_of(demand, node);
	struct arena arena = ARENA_INIT;
	struct device_answer *answer;
	struct attempt a;
	enum outcome outcome;

	if (view->number >= demand->nanswers) {
		uint32_t n = view->number + 1 + demand->nanswers;

		demand->answers =
		    xrealloc(demand->answers, n, sizeof(*demand->answers));
		memset(&demand->answers[demand->nanswers], 0,
		    (n - demand->nanswers) * sizeof(*demand->answers));
		demand->nanswers = n;
	}
	answer = &demand->answers[view->number];
	if (answer->generation == view->generation)
		return answer;
	a = attempt_of(demand, view, &arena, search);
	outcome = run(&a);
	free(answer->error);
	*answer = answer_of(&a, outcome);
	if (a.timed_out || a.cancelled)
		answer->generation = 0;
	arena_fini(&demand->devices->scratch);
	arena_fini(&arena);
	return answer;
}

/* ---- all nodes ---- */

static bool
ask_node(struct demand *demand, uint32_t i, struct device_search *search)
{
	const struct device_answer *answer =
	    demand_ask(demand, demand->devices->cluster->nodes[i], search);

	demand->outcomes[i] = answer->outcome;
	demand->scores[i] = answer->score;
	return answer->outcome < DEVICES_ERROR;
}

const uint32_t *
demand_outcomes(struct demand *demand, struct device_search *search)
{
	struct devices *devices = demand->devices;
	const struct cluster *cluster = devices->cluster;
	bool known = true, all;

	if (cluster->nnodes == 0)
		return NULL;
	/* this notices nodes that are others now */
	devices_view(devices, cluster->nodes[0],
	    demand->features.partitionable);
	all = demand->outcomes == NULL || demand->epoch != devices->epoch;
	if (demand->nnodes < cluster->nnodes) {
		demand->nnodes = cluster->nnodes;
		demand->outcomes = xrealloc(demand->outcomes, demand->nnodes,
		    sizeof(*demand->outcomes));
		demand->scores = xrealloc(demand->scores, demand->nnodes,
		    sizeof(*demand->scores));
	}
	for (uint32_t i = 0; all && known && i < cluster->nnodes; i++)
		known = ask_node(demand, i, search);
	for (size_t i = demand->seen; !all && known && i < devices->nchanged;
	     i++)
		known = ask_node(demand, devices->changed[i], search);
	demand->epoch = known ? devices->epoch : 0;
	demand->seen = devices->nchanged;
	return known ? demand->outcomes : NULL;
}

bool
demand_is_uniform(struct demand *demand, struct device_search *search,
    int32_t *score)
{
	const uint32_t *outcomes = demand_outcomes(demand, search);
	bool any = false;

	*score = 0;
	for (uint32_t i = 0;
	     outcomes != NULL && i < demand->devices->cluster->nnodes; i++) {
		if (outcomes[i] != DEVICES_FOUND)
			continue;
		if (any && demand->scores[i] != *score)
			return false;
		any = true;
		*score = demand->scores[i];
	}
	return outcomes != NULL;
}

/* ---- allocations ---- */

/* Whether b has all values of a. */
static bool
has_values(const struct requirement *a, const struct requirement *b)
{
	uint32_t i = 0, k = 0;

	while (i < a->nvalues && k < b->nvalues)
		if (a->values[i] == b->values[k]) {
			i++;
			k = 0;
		} else {
			k++;
		}
	return i == a->nvalues;
}

static bool
has_requirement(const struct selector *s, const struct requirement *r)
{
	for (uint32_t i = 0; i < s->n; i++)
		if (s->at[i].key == r->key && s->at[i].op == r->op &&
		    has_values(&s->at[i], r) && has_values(r, &s->at[i]))
			return true;
	return false;
}

static void
merge(struct arena *arena, struct selector *to, const struct selector *from)
{
	struct requirement *at =
	    arena_array(arena, struct requirement, to->n + from->n);

	if (to->n > 0)
		memcpy(at, to->at, to->n * sizeof(*at));
	to->at = at;
	for (uint32_t i = 0; i < from->n; i++)
		if (!has_requirement(to, &from->at[i]))
			at[to->n++] = from->at[i];
}

/* The nodes where all devices of the claim can be used. */
static void
find_nodes(struct arena *arena, const struct claim_state *state, sym node,
    struct device_allocation *to)
{
	struct node_selector_term *term =
	    arena_array(arena, struct node_selector_term, 1);

	to->nodes = (struct node_selector){ 1, term };
	for (uint32_t i = 0; i < state->ngiven; i++) {
		const struct given *g = &state->given[i];
		const struct device_reach *reach = reach_of(g);

		if (reach->node != SYM_EMPTY || g->device->binds_to_node) {
			struct requirement *name =
			    arena_array(arena, struct requirement, 1);

			*name = (struct requirement){
				.key = sym_intern("metadata.name"),
				.op = SELECTOR_IN,
				.nvalues = 1,
				.values =
				    arena_memdup(arena, &node, sizeof(node)),
			};
			*term = (struct node_selector_term){
				.has_fields = true,
				.labels = SELECTOR_NOTHING,
				.fields = { .n = 1, .at = name },
				.named = true,
				.nnames = 1,
				.names = name->values,
			};
			to->has_nodes = true;
			return;
		}
		if (!reach->has_nodes || reach->nodes.n != 1)
			continue;
		merge(arena, &term->fields, &reach->nodes.at[0].fields);
		merge(arena, &term->labels, &reach->nodes.at[0].labels);
	}
	term->has_fields = term->fields.n > 0;
	term->has_labels = term->labels.n > 0;
	term->fields.nothing = !term->has_fields;
	term->labels.nothing = !term->has_labels;
	to->has_nodes = term->has_fields || term->has_labels;
}

static int
compare_amounts(const void *a, const void *b)
{
	const struct named_amount *x = a, *y = b;

	return sym_cmp(x->name, y->name);
}

static struct device_result
result_of(struct arena *arena, const struct given *g, uint32_t share)
{
	struct named_amount *consumed =
	    arena_array(arena, struct named_amount, g->nconsumed);
	struct device_result result = {
		.request = g->wish->full,
		.driver = g->slice->driver,
		.pool = g->slice->pool,
		.device = g->device->name,
		.admin = g->wish->of->admin,
		.share = SYM_NONE,
		.nconsumed = g->nconsumed,
		.consumed = consumed,
		.nconditions = g->device->nconditions,
		.nfailures = g->device->nfailures,
		.conditions = g->device->conditions,
		.failures = g->device->failures,
	};

	if (g->shared)
		result.share = sym_in(arena,
		    arena_printf(arena, "00000000-0000-4000-8000-%012" PRIx32,
			share));
	for (uint32_t i = 0; i < g->nconsumed; i++) {
		const struct consumption *c = &g->consumed[i];
		char text[QUANTITY_TEXT];
		struct err err;

		consumed[i].name = c->name;
		consumed[i].amount.text = c->text != SYM_NONE ?
		    c->text :
		    sym_in(arena,
			quantity_write_bytes(text,
			    (int64_t)(c->amount / AMOUNT_NANOS)));
		quantity_parse(sym_text(consumed[i].amount.text),
		    sym_len(consumed[i].amount.text), &consumed[i].amount.value,
		    &err);
	}
	if (g->nconsumed > 0)
		qsort(consumed, g->nconsumed, sizeof(*consumed),
		    compare_amounts);
	return result;
}

const struct device_allocation *
demand_allocate(struct demand *demand, const struct node_info *node,
    struct arena *arena, struct device_search *search)
{
	struct attempt a =
	    attempt_of(demand, view_of(demand, node), arena, search);
	struct device_allocation *all;
	uint32_t share = 0;

	if (run(&a) != DONE)
		return NULL;
	all = arena_array(arena, struct device_allocation, demand->n);
	for (uint32_t c = 0; c < demand->n; c++) {
		const struct claim_state *state = &a.claims[c];
		struct device_result *results =
		    arena_array(arena, struct device_result, state->ngiven);

		for (uint32_t i = 0; i < state->ngiven; i++)
			results[i] =
			    result_of(arena, &state->given[i], share++);
		all[c].nresults = state->ngiven;
		all[c].results = results;
		find_nodes(arena, state, node->name, &all[c]);
	}
	return all;
}

/* ---- misses ---- */

/* Steps of one node, of which there may be many. */
#define MISS_STEPS 20000

/* Devices of a class on a node: those that a request can have by itself, and why it
 * cannot have the others. */
struct tally {
	int64_t n, unselected, in_use, tainted, too_small, free;
};

static void
tally_device(struct attempt *a, uint32_t claim, struct wish *wish,
    struct place at, struct tally *t)
{
	struct view_pool *pool = &a->view->pools[at.pool];
	const struct resource_slice *slice = pool->slices[at.slice];
	const struct device *device = &slice->devices[at.device];
	const bool *reached = pool->reached[at.slice];

	if ((reached != NULL && !reached[at.device]) || !spend(a, 1) ||
	    match_selectors(a, wish->class->nselectors, wish->class->selectors,
		slice->driver, device, claim, wish->class) != MATCH_YES)
		return;
	t->n++;
	if (match_device(a, claim, wish, matches_of(a, wish, slice), pool,
		at) != MATCH_YES)
		t->unselected++;
	else if (!wish->of->admin && is_in_use(a, pool, device->name))
		t->in_use++;
	else if (is_tainted(a, slice, device, wish->of))
		t->tainted++;
	else if (!has_capacity(a, wish->of, pool, device) ||
	    (device->nconsumed > 0 && !take_counters(a, pool, device)))
		t->too_small++;
	else
		t->free++;
	if (a->consumed[at.pool] != NULL)
		memset(a->consumed[at.pool], 0,
		    pool->ncounters * sizeof(amount));
}

static const char *
counted(struct arena *arena, int64_t n, const char *what)
{
	return n > 0 ? arena_printf(arena, ", %" PRId64 " %s", n, what) : "";
}

/* What a request is short of; NULL: it can have enough. */
static const char *
shortage(struct attempt *a, uint32_t claim, struct wish *wish,
    const struct wish_state *state)
{
	const struct resource_claim *of = a->demand->claims[claim].claim;
	const struct view_pool *skipped = NULL;
	struct arena *arena = a->arena;
	struct tally t = { 0 };
	int64_t missing;

	for (uint32_t i = 0; i < a->view->npools; i++)
		if (a->view->pools[i].incomplete || a->view->pools[i].invalid)
			skipped = &a->view->pools[i];
	for (struct place at = { 0 }; find_place(a->view, &at); at.device++)
		tally_device(a, claim, wish, at, &t);
	missing = (state->n > 0 ? state->n : 1) - t.free;
	if (missing <= 0 || a->timed_out || a->cancelled)
		return NULL;
	return arena_printf(arena,
	    "%s%s%s%" PRId64 " device%s of class %s short (%" PRId64
	    " here%s%s%s%s%s)",
	    of->for_resources ? "" : "request ",
	    of->for_resources ? "" : sym_text(wish->full),
	    of->for_resources ? "" : ": ", missing, missing == 1 ? "" : "s",
	    sym_text(wish->of->class), t.n,
	    counted(arena, t.unselected, "rejected by its selectors"),
	    counted(arena, t.in_use, "in use"),
	    counted(arena, t.tainted, "tainted"),
	    counted(arena, t.too_small, "without the capacity"),
	    skipped == NULL ?
		"" :
		arena_printf(arena, ", pool %s/%s is %s",
		    sym_text(skipped->pool->driver),
		    sym_text(skipped->pool->name),
		    skipped->invalid ? "invalid" : "being updated"));
}

/* A constraint without which there are devices, or what is left. */
static const char *
conflict(struct demand *demand, const struct device_view *view,
    struct arena *arena, struct device_search *search)
{
	static const sym no_request = SYM_NONE;
	static const struct device_constraint none = { .nrequests = 1,
		.requests = &no_request };
	bool known = true;

	for (uint32_t c = 0; c < demand->n; c++)
		for (uint32_t i = 0;
		     i < demand->claims[c].claim->wishes.nconstraints; i++) {
			struct attempt a =
			    attempt_of(demand, view, arena, search);
			struct constraint *at =
			    &demand->claims[c].constraints[i];
			const struct device_constraint *of = at->of;
			enum outcome outcome;

			at->of = &none;
			outcome = run(&a);
			at->of = of;
			known &= !a.timed_out && !a.cancelled;
			if (outcome == DONE)
				return arena_printf(arena,
				    "no free devices here have %s %s, as claim "
				    "%s wants",
				    of->matches ? "the same" : "distinct",
				    sym_text(of->attribute),
				    demand->claims[c].claim->object.name);
		}
	return known ?
	    "its requests want more devices together than are free here" :
	    NULL;
}

const char *
demand_miss(struct demand *demand, const struct node_info *node,
    struct arena *arena, struct device_search *search)
{
	const struct device_view *view = view_of(demand, node);
	struct device_search some = *search;
	struct attempt a = attempt_of(demand, view, arena, &some);
	const char *text = NULL;

	if (some.steps > MISS_STEPS)
		some.steps = MISS_STEPS;
	search->steps -= some.steps;
	if (set_up(&a) != DONE)
		return NULL;
	for (uint32_t c = 0; c < demand->n && text == NULL; c++)
		for (uint32_t r = 0;
		     r < demand->claims[c].claim->wishes.nrequests &&
		     text == NULL;
		     r++) {
			struct wished *request = &demand->claims[c].requests[r];

			for (uint32_t i = request->request->n; i-- > 0;) {
				text = shortage(&a, c, &request->at[i],
				    &a.claims[c].requests[r][i]);
				if (text == NULL)
					break;
			}
		}
	if (text == NULL && !a.timed_out && !a.cancelled)
		text = conflict(demand, view, arena, &some);
	search->steps += some.steps;
	return text;
}

/* ---- counting ---- */

/* What a slice or a device says of its nodes; anywhere: where it says nothing. */
static bool
counts_on(const struct device_reach *r, const struct node *node, bool anywhere)
{
	if (r->all_nodes || (r->node != SYM_EMPTY && r->node == node->name))
		return true;
	if (r->node != SYM_EMPTY)
		return false;
	return r->has_nodes ?
	    node_selector_matches(&r->nodes, &node->labels, node->name) :
	    anywhere;
}

bool
devices_count(struct devices *devices, const struct device_features *features,
    const struct device_class *class, const struct node_info *node,
    int64_t *all, int64_t *taken)
{
	const struct slice_list *local =
	    map_get(&devices->local, node->node->name);
	struct arena arena = ARENA_INIT;
	bool known = true;

	*all = *taken = 0;
	for (size_t i = 0;
	     known && i < devices->wide.n + (local != NULL ? local->n : 0);
	     i++) {
		const struct resource_slice *slice = i < devices->wide.n ?
		    devices->wide.at[i] :
		    local->at[i - devices->wide.n];
		const struct device_pool *pool = map_get(&devices->pools,
		    map_key(slice->driver, slice->pool));

		if (!slice->per_device &&
		    !counts_on(&slice->reach, node->node, true))
			continue;
		for (uint32_t d = 0; d < slice->ndevices && known; d++) {
			const struct device *device = &slice->devices[d];
			int match = 1;

			if (slice->per_device &&
			    !counts_on(device->reach, node->node, false))
				continue;
			for (uint32_t s = 0; s < class->nselectors && match > 0;
			     s++) {
				const char *error;
				uint64_t steps;

				if (class->selectors[s].expression != SYM_NONE)
					match = selector_match(devices,
					    &class->selectors[s], slice->driver,
					    device, features->consumable,
					    &arena, &steps, &error);
			}
			known = match >= 0;
			*all += match > 0;
			*taken += match > 0 &&
			    device_pool_use(pool, device->name) != NULL;
		}
	}
	arena_fini(&devices->scratch);
	arena_fini(&arena);
	return known;
}
