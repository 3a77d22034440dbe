#include "config.h"

#include "cluster/devices/inventory.h"

#include "base/hash.h"
#include "base/sorted.h"
#include "cluster/devices/demand.h"
#include "cluster/devices/selectors.h"

/* Changes that are remembered one by one. */
#define CHANGES_MOST 4096

/* ---- pools and their use ---- */

static struct device_pool *
find_pool(const struct devices *devices, sym driver, sym name)
{
	return map_get(&devices->pools, map_key(driver, name));
}

static struct device_pool *
get_pool(struct devices *devices, sym driver, sym name)
{
	struct device_pool *pool = find_pool(devices, driver, name);

	if (pool != NULL)
		return pool;
	pool = xcalloc(1, sizeof(*pool));
	pool->driver = sym_ref(driver);
	pool->name = sym_ref(name);
	map_put(&devices->pools, map_key(driver, name), pool);
	return pool;
}

static void
use_free(struct device_use *use)
{
	sym_unref(use->device);
	for (uint32_t i = 0; i < use->ncapacities; i++)
		sym_unref(use->capacities[i].name);
	free(use->capacities);
	free(use);
}

static void
pool_free(struct device_pool *pool)
{
	EACH_VALUE (&pool->uses, struct device_use, use)
		use_free(use);
	map_fini(&pool->uses);
	sym_unref(pool->driver);
	sym_unref(pool->name);
	free(pool->slices);
	free(pool->views);
	free(pool);
}

/* Neither a slice nor a claim names it any more. */
static void
drop_pool_if_unused(struct devices *devices, struct device_pool *pool)
{
	if (pool->nslices > 0 || pool->nviews > 0 || pool->uses.n > 0)
		return;
	map_del(&devices->pools, map_key(pool->driver, pool->name));
	pool_free(pool);
}

const struct device_use *
device_pool_use(const struct device_pool *pool, sym device)
{
	return pool->uses.n > 0 ? map_get(&pool->uses, device) : NULL;
}

static void
use_capacity(struct device_use *use, sym name, amount more)
{
	uint32_t i = 0;

	while (i < use->ncapacities && use->capacities[i].name != name)
		i++;
	if (i == use->ncapacities) {
		use->capacities = xrealloc(use->capacities,
		    use->ncapacities + 1, sizeof(*use->capacities));
		use->capacities[use->ncapacities++] =
		    (struct used_capacity){ .name = sym_ref(name) };
	}
	use->capacities[i].amount = amount_add(use->capacities[i].amount, more);
}

/* Nothing of a device is consumed any more: then it counts as free. */
static void
drop_capacities(struct device_use *use)
{
	if (ANY(i, use->ncapacities, use->capacities[i].amount != 0))
		return;
	for (uint32_t i = 0; i < use->ncapacities; i++)
		sym_unref(use->capacities[i].name);
	use->ncapacities = 0;
}

/* All results for nodes may be others now. */
static void
touch_all(struct devices *devices)
{
	if (!devices->scored)
		return;
	devices->cluster->objects++;
	journal_reset(&devices->cluster->journal);
}

/* Only those for the nodes that can use the pool. */
static void
touch_nodes(struct devices *devices, const struct device_pool *pool)
{
	struct cluster *cluster = devices->cluster;

	if (pool->nviews > 16 || devices->nnodes != cluster->nnodes ||
	    devices->labels != cluster->labels) {
		touch_all(devices);
		return;
	}
	for (size_t k = 0; k < 2; k++)
		for (uint32_t i = 0;
		     devices->view_of[k] != NULL && i < cluster->nnodes; i++)
			for (size_t v = 0; v < pool->nviews; v++)
				if (devices->view_of[k][i] == pool->views[v])
					cluster_touch(cluster,
					    cluster->nodes[i]);
}

void
devices_are_scored(struct devices *devices)
{
	devices->scored = true;
}

static void
count_use(struct devices *devices, const struct device_result *result, int sign)
{
	struct device_pool *pool =
	    get_pool(devices, result->driver, result->pool);
	struct device_use *use = map_get(&pool->uses, result->device);
	bool shared = result->share != SYM_NONE;

	if (use == NULL) {
		use = xcalloc(1, sizeof(*use));
		use->device = sym_ref(result->device);
		map_put(&pool->uses, result->device, use);
	}
	*(shared ? &use->shares : &use->dedicated) += (uint32_t)sign;
	for (uint32_t i = 0; shared && i < result->nconsumed; i++) {
		amount n = amount_of(&result->consumed[i].amount.value);

		use_capacity(use, result->consumed[i].name, sign * n);
	}
	drop_capacities(use);
	if (use->dedicated + use->shares + use->ncapacities == 0) {
		map_del(&pool->uses, use->device);
		use_free(use);
	}
	for (size_t i = 0; i < pool->nviews; i++) {
		pool->views[i]->generation = ++devices->generation;
		/* A view of many nodes, or too many changes: all nodes are
		 * looked at again. */
		if (pool->views[i]->nnodes != 1 ||
		    devices->nchanged == CHANGES_MOST) {
			devices->epoch++;
			devices->nchanged = 0;
			continue;
		}
		vec_room(devices->changed, devices->nchanged,
		    &devices->changed_cap);
		devices->changed[devices->nchanged++] = pool->views[i]->node;
	}
	if (devices->scored)
		touch_nodes(devices, pool);
	drop_pool_if_unused(devices, pool);
}

/* Devices of administrators are not taken from others. */
static void
count_claim(struct devices *devices, const struct resource_claim *claim,
    int sign)
{
	if (claim->for_resources && claim->controller != SYM_NONE) {
		if (sign > 0)
			map_put(&devices->made, claim->controller,
			    (void *)claim);
		else if (map_get(&devices->made, claim->controller) == claim)
			map_del(&devices->made, claim->controller);
	}
	for (uint32_t i = 0; i < claim->nresults; i++)
		if (!claim->results[i].admin)
			count_use(devices, &claim->results[i], sign);
}

/* ---- slices ---- */

static int
compare_slices(const struct resource_slice *a, const struct resource_slice *b)
{
	return strcmp(a->object.name, b->object.name);
}

static void
list_slice(const struct resource_slice ***at, size_t *n, size_t *cap,
    const struct resource_slice *slice, int sign)
{
	size_t place;

	SORTED_FIND(place, *n, compare_slices((*at)[place], slice) < 0);
	if (sign > 0) {
		SORTED_INSERT(*at, *n, cap, place);
		(*at)[place] = slice;
	} else if (place < *n && (*at)[place] == slice) {
		SORTED_REMOVE(*at, *n, place);
	}
}

static void
view_free(struct devices *devices, struct device_view *view)
{
	vec_room(devices->free_numbers, devices->nfree, &devices->free_cap);
	devices->free_numbers[devices->nfree++] = view->number;
	arena_fini(&view->arena);
	free(view);
}

/* Which node has which view is to be found again. */
static void
forget_nodes(struct devices *devices)
{
	for (size_t i = 0; i < 2; i++) {
		EACH_VALUE (&devices->views[i], struct device_view, view)
			view->nnodes = 0;
		free(devices->view_of[i]);
		devices->view_of[i] = NULL;
	}
	devices->epoch++;
	devices->nchanged = 0;
}

static void
forget_views(struct devices *devices)
{
	for (size_t i = 0; i < 2; i++) {
		EACH_VALUE (&devices->views[i], struct device_view, view)
			view_free(devices, view);
		content_map_fini(&devices->views[i]);
		memset(&devices->views[i], 0, sizeof(devices->views[i]));
	}
	forget_nodes(devices);
	EACH_VALUE (&devices->pools, struct device_pool, pool)
		pool->nviews = 0;
	devices->nviews = 0;
}

static void
drop_view(struct devices *devices, struct device_view *view)
{
	for (size_t i = 0; i < 2; i++)
		if (view->key[0] == i)
			content_map_del(&devices->views[i], view->hash, view);
	for (uint32_t i = 0; i < view->npools; i++) {
		struct device_pool *pool = view->pools[i].pool;
		size_t k = 0;

		while (k < pool->nviews && pool->views[k] != view)
			k++;
		if (k < pool->nviews)
			pool->views[k] = pool->views[--pool->nviews];
	}
	devices->nviews--;
	view_free(devices, view);
}

static bool
is_wide(const struct resource_slice *slice)
{
	return slice->reach.node == SYM_EMPTY || slice->ncounters > 0;
}

static void
count_local(struct devices *devices, const struct resource_slice *slice,
    int sign)
{
	sym node = slice->reach.node;
	struct slice_list *local = map_get(&devices->local, node);

	if (local == NULL) {
		local = xcalloc(1, sizeof(*local));
		map_put(&devices->local, sym_ref(node), local);
	}
	list_slice(&local->at, &local->n, &local->cap, slice, sign);
	if (local->n > 0)
		return;
	map_del(&devices->local, node);
	sym_unref(node);
	free(local->at);
	free(local);
}

static void
count_slice(struct devices *devices, const struct resource_slice *slice,
    int sign)
{
	struct device_pool *pool =
	    get_pool(devices, slice->driver, slice->pool);

	/* Views of the pool must be made again; of a slice for many nodes all. */
	if (is_wide(slice) || pool->nviews > 16) {
		forget_views(devices);
	} else {
		while (pool->nviews > 0)
			drop_view(devices, pool->views[pool->nviews - 1]);
		forget_nodes(devices);
	}
	touch_all(devices);
	list_slice(&pool->slices, &pool->nslices, &pool->slices_cap, slice,
	    sign);
	if (sign < 0)
		demands_forget_slice(devices, slice);
	if (is_wide(slice))
		list_slice(&devices->wide.at, &devices->wide.n,
		    &devices->wide.cap, slice, sign);
	else
		count_local(devices, slice, sign);
	drop_pool_if_unused(devices, pool);
}

static void
count_rule(struct devices *devices, const struct device_taint_rule *rule,
    int sign)
{
	size_t i = 0;

	while (i < devices->nrules && devices->rules[i] != rule)
		i++;
	if (sign < 0 && i < devices->nrules) {
		devices->rules[i] = devices->rules[--devices->nrules];
	} else if (sign > 0) {
		vec_room(devices->rules, devices->nrules, &devices->rules_cap);
		devices->rules[devices->nrules++] = rule;
	}
	forget_views(devices);
	touch_all(devices);
}

static void
count_object(struct devices *devices, const struct object *object, int sign)
{
	if (object == NULL)
		return;
	if (object->kind == OBJECT_RESOURCE_CLAIM)
		count_claim(devices, (const struct resource_claim *)object,
		    sign);
	else if (object->kind == OBJECT_RESOURCE_SLICE)
		count_slice(devices, (const struct resource_slice *)object,
		    sign);
	else if (object->kind == OBJECT_DEVICE_TAINT_RULE)
		count_rule(devices, (const struct device_taint_rule *)object,
		    sign);
	else if (object->kind == OBJECT_DEVICE_CLASS)
		demands_forget(devices);
}

static void
on_changed(struct device_listener *listener, const struct object *before,
    const struct object *now)
{
	struct devices *devices = (struct devices *)listener;

	count_object(devices, before, -1);
	count_object(devices, now, 1);
}

static void
on_free(struct device_listener *listener)
{
	struct devices *devices = (struct devices *)listener;

	demands_forget(devices);
	free(devices->demands);
	forget_views(devices);
	EACH_VALUE (&devices->pools, struct device_pool, pool)
		pool_free(pool);
	map_fini(&devices->pools);
	map_fini(&devices->made);
	for (size_t i = 0; i < devices->local.nslots; i++) {
		struct slice_list *list = devices->local.slots[i].value;

		if (list == NULL)
			continue;
		sym_unref((sym)devices->local.slots[i].key);
		free(list->at);
		free(list);
	}
	map_fini(&devices->local);
	free(devices->wide.at);
	free(devices->rules);
	free(devices->free_numbers);
	free(devices->changed);
	selectors_forget(devices);
	arena_fini(&devices->scratch);
	free(devices);
}

struct devices *
devices_of(struct cluster *cluster)
{
	static const enum object_kind kinds[] = { OBJECT_RESOURCE_CLAIM,
		OBJECT_RESOURCE_SLICE, OBJECT_DEVICE_TAINT_RULE };
	struct devices *devices = (struct devices *)cluster->devices;

	if (devices != NULL)
		return devices;
	devices = xcalloc(1, sizeof(*devices));
	devices->epoch = 1;
	devices->listener.changed = on_changed;
	devices->listener.free = on_free;
	devices->cluster = cluster;
	for (size_t i = 0; i < LENGTH(kinds); i++)
		EACH_VALUE (&cluster->named[kinds[i]], struct object, object)
			count_object(devices, object, 1);
	cluster->devices = &devices->listener;
	return devices;
}

/* ---- which slices a node can use ---- */

/* The key of a view: the slices of it, and of those with devices for single nodes
 * which devices. */
struct view_key {
	size_t n, cap;
	uint64_t *at;
	const char *error;
};

static void
key_add(struct view_key *key, uint64_t word)
{
	vec_room(key->at, key->n, &key->cap);
	key->at[key->n++] = word;
}

static bool
reaches(const struct device_reach *reach, const struct node *node,
    struct view_key *key)
{
	if (reach->node != SYM_EMPTY)
		return reach->node == node->name;
	if (reach->all_nodes)
		return true;
	if (!reach->has_nodes)
		return false;
	if (reach->problem != NULL)
		key->error = reach->problem;
	return reach->problem == NULL &&
	    node_selector_matches(&reach->nodes, &node->labels, node->name);
}

/* By device, 64 in a word; whether the node can use any. */
static bool
add_reached(struct view_key *key, const struct resource_slice *slice,
    const struct node *node)
{
	uint64_t any = 0;

	for (uint32_t i = 0; i < slice->ndevices; i += 64) {
		uint64_t word = 0;

		for (uint32_t k = i; k < slice->ndevices && k < i + 64; k++)
			if (reaches(slice->devices[k].reach, node, key))
				word |= UINT64_C(1) << (k - i);
		key_add(key, word);
		any |= word;
	}
	return any != 0;
}

static void
add_slice(struct view_key *key, const struct resource_slice *slice,
    const struct node *node, bool partitionable)
{
	const struct device_reach *reach = &slice->reach;
	bool named =
	    reach->node != SYM_EMPTY || reach->all_nodes || reach->has_nodes;
	size_t place = key->n;

	if (!partitionable && (slice->has_per_device || slice->ncounters > 0))
		return;
	key_add(key, (uint64_t)(uintptr_t)slice);
	if (slice->ncounters > 0 && !slice->per_device)
		return;
	if (slice->ncounters == 0 && named && !reaches(reach, node, key)) {
		key->n = place;
		return;
	}
	if (slice->per_device) {
		if (!add_reached(key, slice, node) && slice->ncounters == 0 &&
		    !named)
			key->n = place;
	} else if (!named && slice->ncounters == 0) {
		key->n = place;
	}
}

/* ---- views ---- */

/* The slices of a pool that a node can use, while a view is made. */
struct gathered {
	struct device_pool *pool;
	size_t n, cap;
	struct gathered_slice {
		const struct resource_slice *slice;
		const uint64_t *reached;
	} * at;
};

static struct gathered *
gathered_of(struct gathered *all, size_t *n, struct device_pool *pool)
{
	for (size_t i = *n; i-- > 0;)
		if (all[i].pool == pool)
			return &all[i];
	all[*n] = (struct gathered){ .pool = pool };
	return &all[(*n)++];
}

/* Of the newest generation only. */
static void
gather(struct arena *arena, struct gathered *g,
    const struct resource_slice *slice, const uint64_t *reached)
{
	if (g->n > 0 && slice->generation < g->at[0].slice->generation)
		return;
	if (g->n > 0 && slice->generation > g->at[0].slice->generation)
		g->n = 0;
	arena_room(arena, g->at, g->n, &g->cap);
	g->at[g->n++] = (struct gathered_slice){ slice, reached };
}

static const bool *
spread_bits(struct arena *arena, const struct resource_slice *slice,
    const uint64_t *words)
{
	bool *reached;

	if (!slice->per_device)
		return NULL;
	reached = arena_array(arena, bool, slice->ndevices);
	for (uint32_t i = 0; i < slice->ndevices && words != NULL; i++)
		reached[i] = words[i / 64] >> (i % 64) & 1;
	return reached;
}

static bool
has_conditions(const struct view_pool *p)
{
	return ANY(i, p->nslices,
	    ANY(k, p->slices[i]->ndevices,
		p->slices[i]->devices[k].has_conditions));
}

/* Whether two devices of these slices have one name. */
static bool
repeats_names(const struct view_pool *p)
{
	static char there;
	struct map names = { 0 };
	bool repeated = false;

	for (uint32_t i = 0; i < p->nslices && !repeated; i++)
		for (uint32_t k = 0; k < p->slices[i]->ndevices; k++)
			repeated |=
			    map_put(&names, p->slices[i]->devices[k].name,
				&there) != NULL;
	map_fini(&names);
	return repeated;
}

static struct pool_counter *
find_counter(const struct view_pool *p, sym set, sym name)
{
	return FIND(i, p->counters, p->ncounters,
	    p->counters[i].set == set && p->counters[i].name == name);
}

/* False: two sets have one name. */
static bool
add_counters(struct arena *arena, struct view_pool *p, uint32_t n,
    const struct resource_slice *const *slices)
{
	struct map sets = { 0 };
	size_t total = 0;
	bool unique = true;

	for (uint32_t i = 0; i < n; i++)
		for (uint32_t k = 0; k < slices[i]->ncounters; k++)
			total += slices[i]->counters[k].n;
	p->counters = arena_array(arena, struct pool_counter, total);
	for (uint32_t i = 0; i < n; i++)
		for (uint32_t k = 0; k < slices[i]->ncounters; k++) {
			const struct counter_set *set = &slices[i]->counters[k];

			unique =
			    map_put(&sets, set->name, (void *)set) == NULL &&
			    unique;
			for (uint32_t j = 0; j < set->n; j++)
				p->counters[p->ncounters++] =
				    (struct pool_counter){
					    .set = set->name,
					    .name = set->at[j].name,
					    .total = amount_of(
						&set->at[j].amount.value),
				    };
		}
	map_fini(&sets);
	return unique;
}

/* Whether all counters that devices of these slices consume are there. */
static bool
knows_counters(const struct view_pool *p, size_t n,
    const struct resource_slice *const *slices)
{
	for (size_t i = 0; i < n; i++)
		for (uint32_t k = 0; k < slices[i]->ndevices; k++) {
			const struct device *d = &slices[i]->devices[k];

			for (uint32_t j = 0; j < d->nconsumed; j++)
				for (uint32_t c = 0; c < d->consumed[j].n; c++)
					if (find_counter(p, d->consumed[j].name,
						d->consumed[j].at[c].name) ==
					    NULL)
						return false;
		}
	return true;
}

/* The pool's slices of this generation, on whatever nodes; NULL: there is a newer
 * one. */
static const struct resource_slice **
all_slices(struct arena *arena, const struct device_pool *pool,
    int64_t generation, uint32_t *n)
{
	const struct resource_slice **at = arena_array(arena,
	    const struct resource_slice *, pool->nslices + 1);

	*n = 0;
	for (size_t i = 0; i < pool->nslices; i++) {
		if (pool->slices[i]->generation > generation)
			return NULL;
		if (pool->slices[i]->generation == generation)
			at[(*n)++] = pool->slices[i];
	}
	return at;
}

static int
compare_gathered(const void *a, const void *b)
{
	const struct gathered_slice *x = a, *y = b;

	return compare_slices(x->slice, y->slice);
}

/* The devices, of the slices that have no counters; then the pool is checked. */
static void
build_pool(struct arena *arena, struct view_pool *p, struct gathered *g,
    bool partitionable, uint32_t nall, const struct resource_slice **all)
{
	const struct resource_slice **own =
	    arena_array(arena, const struct resource_slice *, 3 * g->n);
	const struct resource_slice **sets = own + g->n;
	uint32_t nsets = 0;

	qsort(g->at, g->n, sizeof(*g->at), compare_gathered);
	p->slices = sets + g->n;
	p->reached = arena_array(arena, const bool *, g->n);
	for (uint32_t i = 0; i < g->n; i++) {
		own[i] = g->at[i].slice;
		if (partitionable && own[i]->ncounters > 0) {
			sets[nsets++] = own[i];
			continue;
		}
		p->reached[p->nslices] =
		    spread_bits(arena, own[i], g->at[i].reached);
		p->slices[p->nslices++] = own[i];
	}
	p->invalid = repeats_names(p);
	if (partitionable && !p->invalid) {
		bool whole = all == NULL || nall == g->n;

		p->ncounted = whole ? (uint32_t)g->n : nall;
		p->counted = whole ? own : all;
		p->invalid = !add_counters(arena, p, nsets, sets) ||
		    !knows_counters(p, p->ncounted, p->counted);
	}
	if (p->invalid)
		p->nslices = p->ncounted = 0;
	p->has_conditions = has_conditions(p);
}

/* False: the pool is out of date. */
static bool
make_pool(struct arena *arena, struct view_pool *p, struct gathered *g,
    bool partitionable)
{
	int64_t count = g->at[0].slice->slice_count;
	const struct resource_slice **all = NULL;
	uint32_t nall = 0;

	p->pool = g->pool;
	if ((int64_t)g->n != count) {
		all = all_slices(arena, g->pool, g->at[0].slice->generation,
		    &nall);
		if (all == NULL)
			return false;
		p->incomplete = nall != count;
	}
	if (!p->incomplete)
		build_pool(arena, p, g, partitionable, nall, all);
	return true;
}

static int
compare_pools(const void *a, const void *b)
{
	const struct view_pool *x = a, *y = b;
	int order;

	if (x->has_conditions != y->has_conditions)
		return x->has_conditions ? 1 : -1;
	order = sym_cmp(x->pool->driver, y->pool->driver);
	return order != 0 ? order : sym_cmp(x->pool->name, y->pool->name);
}

static struct gathered *
gather_all(struct devices *devices, struct device_view *view, size_t *n)
{
	struct gathered *all =
	    arena_array(&view->arena, struct gathered, view->nkey);

	*n = 0;
	for (size_t i = 1; i < view->nkey; i++) {
		const struct resource_slice *slice =
		    (const struct resource_slice *)(uintptr_t)view->key[i];
		const uint64_t *reached = NULL;

		if (slice->per_device) {
			reached = &view->key[i + 1];
			i += (slice->ndevices + 63) / 64;
		}
		gather(&view->arena,
		    gathered_of(all, n,
			find_pool(devices, slice->driver, slice->pool)),
		    slice, reached);
	}
	return all;
}

static struct device_view *
make_view(struct devices *devices, const struct view_key *key, uint64_t hash)
{
	struct device_view *view = xcalloc(1, sizeof(*view));
	struct gathered *all;
	size_t n;

	arena_reserve(&view->arena, 1024); /* most are small */
	view->hash = hash;
	view->nkey = key->n;
	view->key =
	    arena_memdup(&view->arena, key->at, key->n * sizeof(*key->at));
	view->error = key->error;
	view->number = devices->nfree > 0 ?
	    devices->free_numbers[--devices->nfree] :
	    devices->next_number++;
	view->generation = ++devices->generation;
	all = gather_all(devices, view, &n);
	view->pools = arena_array(&view->arena, struct view_pool, n);
	for (size_t i = 0; i < n; i++) {
		struct view_pool *p = &view->pools[view->npools];

		if (!make_pool(&view->arena, p, &all[i], view->key[0] != 0)) {
			memset(p, 0, sizeof(*p));
			continue;
		}
		view->any_invalid |= p->invalid;
		view->npools++;
	}
	SORT(view->pools, view->npools, compare_pools);
	for (uint32_t i = 0; i < view->npools; i++) {
		struct device_pool *pool = view->pools[i].pool;

		vec_room(pool->views, pool->nviews, &pool->views_cap);
		pool->views[pool->nviews++] = view;
	}
	devices->nviews++;
	return view;
}

static bool
is_view_of(const void *value, const void *wanted)
{
	const struct device_view *view = value;
	const struct view_key *key = wanted;

	return view->nkey == key->n && view->error == key->error &&
	    memcmp(view->key, key->at, key->n * sizeof(*key->at)) == 0;
}

static struct device_view *
find_view(struct devices *devices, const struct node *node, bool partitionable)
{
	const struct slice_list *local = map_get(&devices->local, node->name);
	struct content_map *views = &devices->views[partitionable];
	struct view_key key = { 0 };
	struct device_view *view;
	uint64_t hash;

	key_add(&key, partitionable);
	for (size_t i = 0; local != NULL && i < local->n; i++)
		add_slice(&key, local->at[i], node, partitionable);
	for (size_t i = 0; i < devices->wide.n; i++)
		add_slice(&key, devices->wide.at[i], node, partitionable);
	hash = hash_bytes64(key.at, key.n * sizeof(*key.at));
	view = content_map_get(views, hash, is_view_of, &key);
	if (view == NULL) {
		view = make_view(devices, &key, hash);
		content_map_add(views, hash, view);
	}
	free(key.at);
	return view;
}

const struct device_view *
devices_view(struct devices *devices, const struct node_info *node,
    bool partitionable)
{
	const struct cluster *cluster = devices->cluster;
	struct device_view **at;

	if (devices->labels != cluster->labels ||
	    devices->nnodes != cluster->nnodes)
		forget_nodes(devices);
	devices->labels = cluster->labels;
	devices->nnodes = cluster->nnodes;
	/* views of nodes that are gone, or had other labels */
	if (devices->nviews > 2 * (size_t)cluster->nnodes + 16)
		forget_views(devices);
	if (devices->view_of[partitionable] == NULL)
		devices->view_of[partitionable] =
		    xcalloc(cluster->nnodes + 1, sizeof(*at));
	at = &devices->view_of[partitionable][node->index];
	if (*at == NULL) {
		*at = find_view(devices, node->node, partitionable);
		if ((*at)->nnodes++ == 0)
			(*at)->node = node->index;
	}
	return *at;
}

/* ---- counters ---- */

void
view_pool_count(const struct device_view *view, struct view_pool *p)
{
	if (p->counted_at == view->generation)
		return;
	p->counted_at = view->generation;
	for (uint32_t i = 0; i < p->ncounters; i++)
		p->counters[i].available = p->counters[i].total;
	for (uint32_t i = 0; p->pool->uses.n > 0 && i < p->ncounted; i++)
		for (uint32_t k = 0; k < p->counted[i]->ndevices; k++) {
			const struct device *d = &p->counted[i]->devices[k];

			if (d->nconsumed == 0 ||
			    device_pool_use(p->pool, d->name) == NULL)
				continue;
			for (uint32_t j = 0; j < d->nconsumed; j++)
				for (uint32_t c = 0; c < d->consumed[j].n;
				     c++) {
					const struct named_amount *n =
					    &d->consumed[j].at[c];
					struct pool_counter *counter =
					    find_counter(p, d->consumed[j].name,
						n->name);

					counter->available =
					    amount_add(counter->available,
						-amount_of(&n->amount.value));
				}
		}
}
