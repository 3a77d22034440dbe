#include "config.h"

#include "base/sorted.h"
#include "cluster/devices/demand_internal.h"

#include <inttypes.h>

#include "objects/resources.h"

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

static void
merge(struct arena *arena, struct selector *to, const struct selector *from)
{
	struct requirement *at =
	    arena_array(arena, struct requirement, to->n + from->n);

	if (to->n > 0)
		memcpy(at, to->at, to->n * sizeof(*at));
	to->at = at;
	for (uint32_t i = 0; i < from->n; i++) {
		const struct requirement *r = &from->at[i];

		if (!ANY(k, to->n,
			at[k].key == r->key && at[k].op == r->op &&
			    has_values(&at[k], r) && has_values(r, &at[k])))
			at[to->n++] = *r;
	}
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
		const struct device_reach *reach = given_reach(g);

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
	SORT(consumed, g->nconsumed, compare_amounts);
	return result;
}

const struct device_allocation *
demand_allocate(struct demand *demand, const struct node_info *node,
    struct arena *arena, struct device_search *search)
{
	struct attempt a =
	    search_attempt(demand, demand_view(demand, node), arena, search);
	struct device_allocation *all;
	uint32_t share = 0;

	if (search_run(&a) != DONE)
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

	if ((reached != NULL && !reached[at.device]) || !search_spend(a, 1) ||
	    fit_selectors(a, wish->class->nselectors, wish->class->selectors,
		slice->driver, device, claim, wish->class) != MATCH_YES)
		return;
	t->n++;
	if (fit_device(a, claim, wish, wish_matches(a, wish, slice), pool,
		at) != MATCH_YES)
		t->unselected++;
	else if (!wish->of->admin && fit_is_in_use(a, pool, device->name))
		t->in_use++;
	else if (fit_is_tainted(a, slice, device, wish->of))
		t->tainted++;
	else if (!fit_has_capacity(a, wish->of, pool, device) ||
	    !fit_take_counters(a, pool, device))
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
	for (struct place at = { 0 }; search_find_place(a->view, &at);
	     at.device++)
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

/* The constraint that prevents an allocation, or another reason. */
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
			    search_attempt(demand, view, arena, search);
			struct constraint *at =
			    &demand->claims[c].constraints[i];
			const struct device_constraint *of = at->of;
			enum outcome outcome;

			at->of = &none;
			outcome = search_run(&a);
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
	const struct device_view *view = demand_view(demand, node);
	struct device_search some = *search;
	struct attempt a = search_attempt(demand, view, arena, &some);
	const char *text = NULL;

	if (some.steps > MISS_STEPS)
		some.steps = MISS_STEPS;
	search->steps -= some.steps;
	if (search_set_up(&a) != DONE)
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
