#include "config.h"

#include "cluster/devices/demand_internal.h"

/* Steps of the search to compare devices by a wish or a constraint. */
#define STEPS_EACH 2

/* Whether the order of devices does not matter: none is for all devices or for
 * administrators, no claim can become too large, distinctAttribute, which compares the
 * last device of a request, is not used, and no device is more than taken or not. */
static bool
is_plain(const struct attempt *a)
{
	const struct demand *demand = a->demand;
	int64_t total = 0;

	for (uint32_t i = 0; i < demand->nwishes; i++) {
		const struct wish *wish = &demand->wishes[i];

		if (i > 0 && wish->claim != wish[-1].claim)
			total = 0;
		if (wish->of->mode == DEVICES_ALL || wish->of->admin ||
		    wish->of->count > RESULTS_MOST ||
		    (total += wish->of->count) > RESULTS_MOST)
			return false;
	}
	for (uint32_t c = 0; c < demand->n; c++)
		for (uint32_t i = 0;
		     i < demand->claims[c].claim->wishes.nconstraints; i++)
			if (demand->claims[c].constraints[i].of->distinct)
				return false;
	for (struct place at = { 0 }; search_find_place(a->view, &at);
	     at.device++) {
		const struct device *device = place_device(a->view, &at);

		if (device->nconsumed > 0 ||
		    (a->features->consumable && device->shareable))
			return false;
	}
	return true;
}

static bool
suit_alike(struct attempt *a, struct wish *wish, const struct place *x,
    const struct place *y)
{
	const struct view_pool *pool = &a->view->pools[x->pool];
	const struct resource_slice *slice = pool->slices[x->slice];
	struct matches *m = wish_matches(a, wish, slice);
	const struct device *d = &slice->devices[x->device];
	const struct device *e = &slice->devices[y->device];
	enum match match;

	if (!search_spend(a, STEPS_EACH))
		return false;
	match = fit_device(a, wish->claim, wish, m, pool, *x);
	if (match == MATCH_ERROR ||
	    match != fit_device(a, wish->claim, wish, m, pool, *y))
		return false;
	return match == MATCH_NO ||
	    (fit_has_capacity(a, wish->of, pool, d) ==
		    fit_has_capacity(a, wish->of, pool, e) &&
		fit_is_tainted(a, slice, d, wish->of) ==
		    fit_is_tainted(a, slice, e, wish->of));
}

bool
search_is_alike(struct attempt *a, const struct place *x, const struct place *y)
{
	const struct demand *demand = a->demand;
	const struct view_pool *pool = &a->view->pools[x->pool];
	sym driver = pool->slices[x->slice]->driver;
	const struct device *d = place_device(a->view, x);
	const struct device *e = place_device(a->view, y);

	if (a->plain == PLAIN_UNKNOWN)
		a->plain = is_plain(a) ? PLAIN : NOT_PLAIN;
	if (a->plain == NOT_PLAIN || x->pool != y->pool ||
	    x->slice != y->slice ||
	    device_pool_use(pool->pool, d->name) != NULL ||
	    device_pool_use(pool->pool, e->name) != NULL)
		return false;
	for (uint32_t c = 0; c < demand->n; c++) {
		const struct claim_demand *of = &demand->claims[c];

		for (uint32_t i = 0; i < of->claim->wishes.nconstraints; i++)
			if (!search_spend(a, STEPS_EACH) ||
			    !fit_constrains_alike(&of->constraints[i], driver,
				d, e))
				return false;
	}
	for (uint32_t i = 0; i < demand->nwishes; i++)
		if (!suit_alike(a, &demand->wishes[i], x, y))
			return false;
	return true;
}
