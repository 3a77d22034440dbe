#include "config.h"

#include "cluster/devices/demand_internal.h"

#include <inttypes.h>

/* Of one search; no more than of a decision, so that each ends.  kube-scheduler gives up
 * after ten seconds. */
#define SEARCH_STEPS DEVICE_STEPS
/* After so many it is worth looking for devices that are alike; among so many. */
#define STEPS_ALIKE 64
#define FAILED_MOST 4
#define STEPS_BETWEEN_LOOKS 1024
#define ALTERNATIVES 8
#define DEPTH_MOST 20000

/* ---- errors and steps ---- */

enum outcome
search_fail(struct attempt *a, uint32_t claim, const char *fmt, ...)
{
	AUTOFREE char *text = NULL;

	XFORMAT(text, fmt);
	a->error_claim = claim;
	a->error = arena_strdup(a->arena, text);
	return STOPPED;
}

/* The same, with the request's name behind the claim's. */
#define search_fail_request(a, claim, request, fmt, ...)                       \
	search_fail(a, claim, ", request %s: " fmt, sym_text(request),         \
	    ##__VA_ARGS__)

bool
search_spend(struct attempt *a, uint64_t steps)
{
	struct device_search *s = a->search;
	bool look = s->steps / STEPS_BETWEEN_LOOKS !=
	    (s->steps - steps) / STEPS_BETWEEN_LOOKS;

	if (a->timed_out || a->cancelled)
		return false;
	a->steps += steps;
	if (s->steps < steps || a->steps > SEARCH_STEPS) {
		a->timed_out = true;
		a->spent = a->steps <= SEARCH_STEPS;
		s->steps = 0; /* the decision fails */
		return false;
	}
	s->steps -= steps;
	if (look && s->cancelled != NULL && s->cancelled(s->arg))
		a->cancelled = true;
	return !a->cancelled;
}

/* ---- giving one device ---- */

static void
add_consumption(struct attempt *a, struct given *g)
{
	const struct device *device = g->device;

	g->consumed =
	    arena_array(a->arena, struct consumption, device->ncapacities);
	for (uint32_t i = 0; i < device->ncapacities; i++) {
		struct consumption c = fit_consumption(&device->capacities[i],
		    fit_wanted_capacity(g->wish->of,
			device->capacities[i].name));

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
	    fit_is_getting(a, pool, device->name, claim))
		return NOT;
	if (!wish->of->admin && fit_is_in_use(a, pool, device->name))
		return NOT;
	if (!fit_take_counters(a, pool, device))
		return NOT;
	if (fit_is_tainted(a, g.slice, device, wish->of))
		return NOT;
	for (uint32_t i = 0; i < of->claim->wishes.nconstraints; i++) {
		if (fit_constraint_add(&of->constraints[i],
			&state->constraints[i], &g))
			continue;
		if (must)
			return search_fail_request(a, claim, wish->of->name,
			    "cannot add device %s/%s/%s because a claim "
			    "constraint would not be satisfied",
			    sym_text(g.slice->driver), sym_text(g.slice->pool),
			    sym_text(device->name));
		fit_constraints_remove(a, claim, i, &g);
		return NOT;
	}
	if (!g.shared)
		fit_add_getting(a, pool, device->name, claim);
	if (!fit_has_capacity(a, wish->of, pool, device))
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

	fit_constraints_remove(a, claim,
	    a->demand->claims[claim].claim->wishes.nconstraints, g);
	fit_drop_getting(a, g->pool, g->device->name, claim);
	if (g->shared)
		a->nparts -= g->nconsumed; /* the last ones */
	else if (g->device->nconsumed > 0)
		fit_consume(a, g->pool, g->device, -1);
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

	if (!search_spend(a, 1))
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

bool
search_find_place(const struct device_view *view, struct place *at)
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
	struct place failed[FAILED_MOST];
	uint32_t nfailed = 0;
	uint64_t alike_from =
	    a->search->alike_from != 0 ? a->search->alike_from : STEPS_ALIKE;

	for (struct place at = from; search_find_place(a->view, &at);
	     at.device++) {
		const struct view_pool *pool = &a->view->pools[at.pool];
		const struct resource_slice *slice = pool->slices[at.slice];
		const struct device *device = &slice->devices[at.device];
		enum outcome outcome;
		enum match match;

		if (!search_spend(a, 1))
			return STOPPED;
		if (wish->of->admin ?
			fit_is_getting(a, pool, device->name, claim) :
			fit_is_in_use(a, pool, device->name))
			continue;
		if (m == NULL || m->slice != slice)
			m = wish_matches(a, wish, slice);
		match = fit_device(a, claim, wish, m, pool, at);
		if (match == MATCH_ERROR)
			return STOPPED;
		if (match == MATCH_NO ||
		    !fit_has_capacity(a, wish->of, pool, device) ||
		    ANY(i, nfailed, search_is_alike(a, &failed[i], &at)))
			continue;
		outcome = search_spend(a, 1) ?
		    give(a, claim, request, wish, at, false) :
		    STOPPED;
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
		if (a->steps > alike_from && nfailed < FAILED_MOST)
			failed[nfailed++] = at;
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

	if (!search_spend(a, 1) || a->depth == DEPTH_MOST) {
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
			return search_fail_request(a, claim, wish->of->name,
			    "asks for all devices, but resource pool "
			    "%s/%s is currently %s",
			    sym_text(pool->pool->driver),
			    sym_text(pool->pool->name),
			    pool->incomplete ? "being updated" : "invalid");
		for (struct place at = { .pool = p };
		     search_find_place(a->view, &at) && at.pool == p;
		     at.device++) {
			const struct resource_slice *slice =
			    pool->slices[at.slice];
			struct matches *m = wish_matches(a, wish, slice);
			enum match match = search_spend(a, 1) ?
			    fit_device(a, claim, wish, m, pool, at) :
			    MATCH_ERROR;

			if (match == MATCH_ERROR)
				return STOPPED;
			if (match == MATCH_NO ||
			    !fit_has_capacity(a, wish->of, pool,
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
			return search_fail_request(a, claim, of->name,
			    "selector #%u: CEL expression empty "
			    "(unsupported selector type?)",
			    i);
	if (!a->features->admin && of->has_admin)
		return search_fail_request(a, claim, of->name,
		    "admin access is requested, but the feature is disabled");
	if (of->class == SYM_EMPTY)
		return search_fail_request(a, claim, of->name,
		    "missing device class name (unsupported request type?)");
	if (wish->class == NULL)
		return search_fail_request(a, claim, of->name,
		    "could not retrieve device class %s: "
		    "deviceclass.resource.k8s.io \"%s\" not found",
		    sym_text(of->class), sym_text(of->class));
	if (of->mode == DEVICES_ALL)
		return find_all(a, claim, wish, w);
	if (of->mode == DEVICES_OTHER)
		return search_fail_request(a, claim, of->name,
		    "unsupported count mode %s", sym_text(of->mode_text));
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
		return search_fail_request(a, claim, name,
		    "has subrequests, but the DRAPrioritizedList feature is "
		    "disabled");
	for (uint32_t i = 0;
	     !a->features->consumable && i < request->request->n; i++)
		if (request->at[i].of->has_capacity)
			return search_fail(a, claim,
			    ", %srequest %s: has capacity requests, but "
			    "the DRAConsumableCapacity feature is disabled",
			    request->request->exact ? "" : "sub",
			    sym_text(request->at[i].of->name));
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
	    search_fail_request(a, claim, name, "unknown request type");
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
		return search_fail(a, claim,
		    ": number of requested devices %" PRId64
		    " exceeds the claim limit of %d",
		    total, RESULTS_MOST);
	state->constraints =
	    arena_array(a->arena, struct constraint_state, w->nconstraints);
	for (uint32_t i = 0; i < w->nconstraints; i++) {
		if (!w->constraints[i].matches && !w->constraints[i].distinct)
			return search_fail(a, claim,
			    ", constraint #%u: empty constraint "
			    "(unsupported constraint type?)",
			    i);
		if (w->constraints[i].distinct)
			state->constraints[i].values = arena_array(a->arena,
			    struct distinct_value, w->nrequests);
	}
	return DONE;
}

/* ---- after it ---- */

const struct device_reach *
given_reach(const struct given *g)
{
	return g->slice->per_device ? g->device->reach : &g->slice->reach;
}

/* A selector with more than one term cannot be made a part of a claim's. */
static enum outcome
check_given(struct attempt *a, uint32_t claim)
{
	const struct claim_state *state = &a->claims[claim];

	for (uint32_t i = 0; i < state->ngiven; i++) {
		const struct device_reach *reach =
		    given_reach(&state->given[i]);

		if (reach->node != SYM_EMPTY ||
		    state->given[i].device->binds_to_node)
			return DONE;
		if (reach->has_nodes && reach->nodes.n > 1)
			return search_fail(a, NO_CLAIM,
			    "create NodeSelector for claim %s: unsupported "
			    "ResourceSlice.NodeSelector with %u terms",
			    a->demand->claims[claim].claim->object.name,
			    reach->nodes.n);
	}
	return DONE;
}

enum outcome
search_set_up(struct attempt *a)
{
	struct demand *demand = a->demand;
	enum outcome outcome = DONE;

	if (a->view->error != NULL)
		return search_fail(a, NO_CLAIM,
		    "gather pool information: failed to perform node "
		    "selection: failed to parse node selector: %s",
		    a->view->error);
	a->claims = arena_array(a->arena, struct claim_state, demand->n);
	a->consumed = arena_array(a->arena, amount *, a->view->npools);
	for (uint32_t i = 0; i < demand->n && outcome == DONE; i++)
		outcome = check_claim(a, i);
	return outcome;
}

enum outcome
search_run(struct attempt *a)
{
	enum outcome outcome = search_set_up(a);

	if (outcome == DONE)
		outcome = search_request(a, 0, 0);
	if (outcome == EXCEEDED)
		return search_fail(a, NO_CLAIM, "allocation max size exceeded");
	for (uint32_t i = 0; i < a->demand->n && outcome == DONE; i++)
		outcome = check_given(a, i);
	return outcome;
}

int32_t
search_score(const struct attempt *a)
{
	int32_t score = 0;

	for (uint32_t c = 0; c < a->demand->n; c++) {
		const struct claim_demand *of = &a->demand->claims[c];
		const struct claim_state *state = &a->claims[c];

		for (uint32_t r = 0; r < of->claim->wishes.nrequests; r++) {
			const struct wished *request = &of->requests[r];

			if (!request->request->exact &&
			    ANY(i, state->ngiven,
				state->given[i].request == request))
				score +=
				    ALTERNATIVES - (int32_t)state->chosen[r];
		}
	}
	return score;
}

struct attempt
search_attempt(struct demand *demand, const struct device_view *view,
    struct arena *arena, struct device_search *search)
{
	return (struct attempt){ .demand = demand,
		.view = view,
		.features = &demand->features,
		.arena = arena,
		.search = search,
		.error_claim = NO_CLAIM };
}
