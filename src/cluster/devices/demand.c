#include "config.h"

#include "cluster/devices/demand_internal.h"

#include "cluster/devices/selectors.h"

/* Demands that are kept. */
#define DEMANDS_MOST 1024
/* Of matches and answers of all demands: those used last are forgotten beyond it. */
#define MATCH_BYTES_MOST (64 * 1024 * 1024)

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
	demand->devices->match_bytes -=
	    demand->nanswers * sizeof(*demand->answers);
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
			to->at[a].claim = (uint32_t)(claim - demand->claims);
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

struct matches *
wish_matches(const struct attempt *a, struct wish *wish,
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

static bool
is_for(const struct demand *demand, const struct device_features *features,
    uint32_t n, const struct resource_claim *const *claims)
{
	if (demand->n != n ||
	    memcmp(&demand->features, features, sizeof(*features)) != 0)
		return false;
	return !ANY(i, n,
	    demand->claims[i].claim->wishes.text != claims[i]->wishes.text);
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
		answer.score = search_score(a);
	} else {
		answer.outcome = a->view->any_invalid ? DEVICES_POOLS_INVALID :
							DEVICES_NOT_FOUND;
	}
	return answer;
}

const struct device_view *
demand_view(struct demand *demand, const struct node_info *node)
{
	return devices_view(demand->devices, node,
	    demand->features.partitionable);
}

const struct device_answer *
demand_ask(struct demand *demand, const struct node_info *node,
    struct device_search *search)
{
	const struct device_view *view = demand_view(demand, node);
	struct arena arena = ARENA_INIT;
	struct device_answer *answer;
	struct attempt a;
	enum outcome outcome;

	if (view->number >= demand->nanswers) {
		uint32_t n = view->number + 1 + demand->nanswers;

		demand->devices->match_bytes +=
		    (n - demand->nanswers) * sizeof(*demand->answers);
		demand->answers =
		    xrealloc(demand->answers, n, sizeof(*demand->answers));
		memset(&demand->answers[demand->nanswers], 0,
		    (n - demand->nanswers) * sizeof(*demand->answers));
		demand->nanswers = n;
	}
	answer = &demand->answers[view->number];
	if (answer->generation != view->generation && search->steps == 0)
		answer->outcome = DEVICES_TIMED_OUT;
	if (answer->generation == view->generation || search->steps == 0) {
		if (answer->outcome == DEVICES_TIMED_OUT) {
			search->steps = 0; /* the decision fails */
			search->gave_up |=
			    answer->generation == view->generation;
		}
		return answer;
	}
	a = search_attempt(demand, view, &arena, search);
	outcome = search_run(&a);
	free(answer->error);
	*answer = answer_of(&a, outcome);
	search->gave_up |= a.timed_out && !a.spent;
	if (a.spent || a.cancelled)
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
