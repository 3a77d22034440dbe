#include "config.h"

#include "cluster/devices/pod_devices.h"

#include "base/arena.h"
#include "base/doc.h"
#include "base/json_out.h"
#include "base/uuid.h"
#include "cluster/cluster.h"
#include "cluster/devices/inventory.h"

#define RESOURCES_MOST 64
#define EXTENDED_NAME "<extended-resources>"

/* ---- the claim for extended resources ---- */

/* A request of that claim. */
struct container_request {
	const struct container_resource *of;
	sym class;
	int64_t count;
	char name[48];
};

static void
set_request(struct container_request *to, const struct container_resource *of,
    const struct device_class *class, int64_t count)
{
	to->of = of;
	to->class = class->name;
	to->count = count;
	snprintf(to->name, sizeof(to->name), "container-%u-request-%u",
	    of->container, of->place);
}

static int
compare_requests(const void *a, const void *b)
{
	const struct container_request *x = a, *y = b;

	return strcmp(x->name, y->name);
}

/*
 * The requests for one resource: of each container that runs on what it asks for,
 * and of those that end before only the greatest part that the others behind them
 * do not have anyway.
 */
static void
add_requests(const struct pod_class *class, const struct wanted_resource *r,
    struct container_request *to, size_t *n)
{
	struct container_request most = { 0 };
	size_t first = *n;

	for (uint32_t i = 0; i < class->nextended; i++)
		if (class->extended[i].name == r->name &&
		    !class->extended[i].ends)
			set_request(&to[(*n)++], &class->extended[i], r->class,
			    class->extended[i].count);
	for (uint32_t i = 0; i < class->nextended; i++) {
		const struct container_resource *own = &class->extended[i];
		int64_t left = own->count;

		if (own->name != r->name || !own->ends)
			continue;
		for (size_t k = first; k < *n; k++)
			if (to[k].of->container >= own->container)
				left =
				    left > to[k].count ? left - to[k].count : 0;
		if (left > most.count)
			set_request(&most, own, r->class, left);
	}
	if (most.count > 0)
		to[(*n)++] = most;
}

static struct resource_claim *
make_claim(const struct pod_devices *pod, uint64_t set, const char *name,
    const char *uid)
{
	const struct pod_class *class = pod->pod->class;
	struct container_request *requests =
	    xcalloc(class->nextended + 1, sizeof(*requests));
	struct resource_claim *claim = NULL;
	struct text text = { 0 };
	struct doc *doc;
	struct err err;
	size_t n = 0;

	for (uint32_t i = 0; i < pod->nresources; i++)
		if (set >> i & 1)
			add_requests(class, &pod->resources[i], requests, &n);
	qsort(requests, n, sizeof(*requests), compare_requests);
	json_put(&text,
	    "{'metadata':{'name':%s,'namespace':%s,'uid':%s,'annotations':{"
	    "'resource.kubernetes.io/extended-resource-claim':'true'},"
	    "'ownerReferences':[{'controller':true,'uid':%s}]},"
	    "'spec':{'devices':{'requests':[",
	    name, sym_text(class->namespace), uid, pod->pod->object.uid);
	for (size_t i = 0; i < n; i++) {
		text_put(&text, i > 0 ? "," : "");
		json_put(&text,
		    "{'name':%s,'exactly':{'deviceClassName':%s,"
		    "'allocationMode':'ExactCount','count':%d}}",
		    requests[i].name, sym_text(requests[i].class),
		    requests[i].count);
	}
	text_put(&text, "]}}}");
	free(requests);
	doc = doc_parse(name, text.bytes, text.len, &doc_limits_people, &err);
	if (doc != NULL)
		claim = (struct resource_claim *)object_decode_as(NULL,
		    OBJECT_RESOURCE_CLAIM, doc_root(doc), &err);
	doc_free(doc);
	text_fini(&text);
	return claim;
}

/* Drops the claims that were made for a decision. */
struct made_claims {
	struct arena_end end;
	struct pod_devices *pod;
};

static void
drop_claims(struct arena_end *end)
{
	struct pod_devices *pod = ((struct made_claims *)end)->pod;

	if (pod->devices->cached == pod)
		pod->devices->cached = NULL;
	for (size_t i = 0; i < pod->nsets; i++)
		if (pod->sets[i]->claim != NULL)
			object_unref(&pod->sets[i]->claim->object);
}

static struct resources_demand *
set_of(struct pod_devices *pod, uint64_t set)
{
	struct resources_demand *made;

	for (size_t i = 0; i < pod->nsets; i++)
		if (pod->sets[i]->set == set)
			return pod->sets[i];
	made = arena_array(pod->arena, struct resources_demand, 1);
	made->set = set;
	made->claim = make_claim(pod, set, EXTENDED_NAME, "");
	arena_room(pod->arena, pod->sets, pod->nsets, &pod->sets_cap);
	pod->sets[pod->nsets++] = made;
	return made;
}

/* ---- the pod ---- */

static bool
has_alternatives(const struct resource_claim *claim)
{
	return ANY(i, claim->wishes.nrequests,
	    !claim->wishes.requests[i].exact);
}

/* 8 less the place of each alternative that an allocated claim has. */
static int32_t
score_of(const struct resource_claim *claim)
{
	int32_t score = 0;

	for (uint32_t i = 0; i < claim->wishes.nrequests; i++) {
		const struct device_request *r = &claim->wishes.requests[i];

		for (uint32_t k = 0; !r->exact && k < r->n; k++) {
			AUTOFREE char *full = xasprintf("%s/%s",
			    sym_text(r->name), sym_text(r->at[k].name));
			sym name = sym_find(full);

			if (ANY(j, claim->nresults,
				claim->results[j].request == name))
				score += 8 - (int32_t)k;
		}
	}
	return score;
}

static void
find_claims(struct pod_devices *pod)
{
	const struct pod_class *class = pod->pod->class;

	pod->claims = arena_array(pod->arena, const struct resource_claim *,
	    class->nresource_claims);
	pod->wanted = arena_array(pod->arena, const struct resource_claim *,
	    class->nresource_claims + 1);
	for (uint32_t i = 0; i < class->nresource_claims; i++) {
		const struct resource_claim *claim = NULL;

		if (class->resource_claims[i].claim != SYM_NONE)
			claim = cluster_resource_claim(pod->cluster,
			    class->namespace, class->resource_claims[i].claim);
		if (claim == NULL)
			continue;
		pod->claims[pod->nclaims++] = claim;
		pod->has_alternatives |= has_alternatives(claim);
		if (claim->allocated)
			pod->score += score_of(claim);
		else
			pod->wanted[pod->nwanted++] = claim;
	}
}

static int
compare_resources(const void *a, const void *b)
{
	const struct wanted_resource *x = a, *y = b;

	return sym_cmp(x->name, y->name);
}

static void
find_resources(struct pod_devices *pod)
{
	const struct resources *r =
	    pod_requested(pod->pod->class, pod->cluster->kubernetes_minor);
	struct wanted_resource *to =
	    arena_array(pod->arena, struct wanted_resource, r->nscalars);
	uint32_t n = 0;

	for (uint32_t i = 0; i < r->nscalars && n < RESOURCES_MOST; i++) {
		sym name = r->scalars[i].name;

		if (r->scalars[i].amount == 0 ||
		    !resource_is_of_devices(sym_text(name)))
			continue;
		to[n].name = name;
		to[n].class = cluster_resource_class(pod->cluster, name);
		pod->has_classes |= to[n++].class != NULL;
	}
	if (!pod->has_classes)
		return;
	qsort(to, n, sizeof(*to), compare_resources);
	pod->resources = to;
	pod->nresources = n;
}

const struct resource_claim *
pod_devices_made(struct cluster *cluster, const struct pod *pod)
{
	sym uid =
	    pod->class->nextended > 0 ? sym_find(pod->object.uid) : SYM_NONE;

	return uid != SYM_NONE ? map_get(&devices_of(cluster)->made, uid) :
				 NULL;
}

struct pod_devices *
pod_devices_of(struct arena *arena, struct cluster *cluster,
    const struct pod *of, const struct device_features *features, bool extended)
{
	struct devices *devices;
	struct pod_devices *pod;
	struct made_claims *made;

	extended = extended && of->class->nextended > 0 &&
	    cluster->named[OBJECT_DEVICE_CLASS].n > 0;
	if (!extended && of->class->nresource_claims == 0)
		return NULL;
	devices = devices_of(cluster);
	pod = devices->cached;
	if (pod != NULL && pod->pod == of && pod->arena == arena &&
	    pod->generation == cluster->generation &&
	    pod->extended == extended &&
	    memcmp(&pod->features, features, sizeof(*features)) == 0)
		return pod;
	pod = arena_array(arena, struct pod_devices, 1);
	pod->arena = arena;
	pod->cluster = cluster;
	pod->generation = cluster->generation;
	pod->devices = devices;
	pod->extended = extended;
	pod->pod = of;
	pod->features = *features;
	pod->search.steps =
	    cluster->device_steps != 0 ? cluster->device_steps : DEVICE_STEPS;
	find_claims(pod);
	if (extended)
		find_resources(pod);
	if (pod->has_classes)
		pod->made = pod_devices_made(cluster, of);
	if (pod->nclaims == 0 && !pod->has_classes)
		return NULL;
	devices->cached = pod;
	made = arena_alloc(arena, sizeof(*made));
	made->pod = pod;
	made->end.run = drop_claims;
	arena_on_end(arena, &made->end);
	return pod;
}

/* The resources that devices stand for on the node. */
static enum pod_devices_need
find_set(const struct pod_devices *pod, const struct node_info *node,
    uint64_t *set)
{
	*set = 0;
	for (uint32_t i = 0; i < pod->nresources; i++) {
		const struct scalar *has =
		    resources_scalar(&node->node->allocatable,
			pod->resources[i].name);

		if (pod->resources[i].class != NULL &&
		    (has == NULL || has->amount == 0))
			*set |= UINT64_C(1) << i;
		else if (has == NULL)
			return NEEDS_RESOURCE;
	}
	return *set == 0 && pod->nclaims == 0 ? NEEDS_NOTHING : NEEDS_DEVICES;
}

enum pod_devices_need
pod_devices_need(struct pod_devices *pod, const struct node_info *node,
    struct demand **demand)
{
	enum pod_devices_need need = NEEDS_DEVICES;
	uint32_t n = pod->nwanted;
	uint64_t set = 0;

	*demand = NULL;
	if (pod->has_classes) {
		if (pod->made != NULL && pod->made->wishes.nrequests > 0)
			return NEEDS_NO_CLAIM;
		need = find_set(pod, node, &set);
		if (need != NEEDS_DEVICES)
			return need;
		pod->wanted[n++] = set_of(pod, set)->claim;
	}
	if (n == 0)
		return NEEDS_NOTHING;
	if (pod->last == NULL || pod->last_set != set)
		pod->last =
		    device_demand(pod->devices, &pod->features, n, pod->wanted);
	pod->last_set = set;
	*demand = pod->last;
	return NEEDS_DEVICES;
}

static bool
is_on_nodes(struct devices *devices, sym resource)
{
	const struct cluster *cluster = devices->cluster;

	if (devices->resource == resource &&
	    devices->resource_at == cluster->objects)
		return devices->resource_on_nodes;
	devices->resource = resource;
	devices->resource_at = cluster->objects;
	devices->resource_on_nodes = false;
	for (uint32_t i = 0; i < cluster->nnodes; i++)
		devices->resource_on_nodes |=
		    resources_scalar(&cluster->nodes[i]->node->allocatable,
			resource) != NULL;
	return devices->resource_on_nodes;
}

struct demand *
pod_devices_everywhere(struct pod_devices *pod)
{
	const struct cluster *cluster = pod->cluster;
	struct demand *demand;

	for (uint32_t i = 0; i < pod->nresources; i++)
		if (pod->resources[i].class == NULL ||
		    is_on_nodes(pod->devices, pod->resources[i].name))
			return NULL;
	return cluster->nnodes > 0 &&
		pod_devices_need(pod, cluster->nodes[0], &demand) ==
		    NEEDS_DEVICES ?
	    demand :
	    NULL;
}

uint32_t
pod_devices_nclaims(struct pod_devices *pod, const struct node_info *node,
    bool *for_resources)
{
	uint64_t set = 0;

	if (pod->has_classes)
		find_set(pod, node, &set);
	*for_resources = set != 0;
	return pod->nwanted + pod->has_classes;
}

const struct resource_claim *
pod_devices_claim(struct pod_devices *pod, const struct node_info *node,
    uint32_t i)
{
	uint64_t set = 0;

	if (i < pod->nwanted)
		return pod->wanted[i];
	find_set(pod, node, &set);
	return set_of(pod, set)->claim;
}

/* ---- placed pods ---- */

static void
add_mapping(struct text *out, const struct container_resource *of,
    const char *request)
{
	text_put(out, out->len > 1 ? "," : "");
	json_put(out, "{'containerName':%s,'resourceName':%s,'requestName':%s}",
	    sym_text(of->of), sym_text(of->name), request);
}

/*
 * Which requests the containers that end use: those of the containers behind them,
 * and for the rest one of their own, `most`.
 */
static void
map_ending(struct text *out, const struct container_resource *own, size_t n,
    const struct container_request *requests, const char *most)
{
	int64_t left = own->count;

	for (size_t i = 0; i < n && left > 0; i++) {
		if (requests[i].of->container < own->container)
			continue;
		add_mapping(out, own, requests[i].name);
		left -= requests[i].count;
	}
	if (left > 0)
		add_mapping(out, own, most);
}

/* How the containers' requests are requests of the claim. */
static void
put_mappings(struct text *out, const struct pod_devices *pod, uint64_t set)
{
	const struct pod_class *class = pod->pod->class;
	struct container_request *requests =
	    xcalloc(class->nextended + 1, sizeof(*requests));

	text_put(out, "[");
	for (uint32_t r = 0; r < pod->nresources; r++) {
		size_t n = 0, nlasting = 0;

		if (!(set >> r & 1))
			continue;
		add_requests(class, &pod->resources[r], requests, &n);
		for (; nlasting < n && !requests[nlasting].of->ends; nlasting++)
			add_mapping(out, requests[nlasting].of,
			    requests[nlasting].name);
		for (uint32_t i = 0; i < class->nextended; i++)
			if (class->extended[i].ends &&
			    class->extended[i].name == pod->resources[r].name)
				map_ending(out, &class->extended[i], nlasting,
				    requests, requests[nlasting].name);
	}
	text_put(out, "]");
	free(requests);
}

/* Its name is none that an object can have. */
static struct resource_claim *
claim_of_set(const struct pod_devices *pod, uint64_t set)
{
	AUTOFREE char *name =
	    xasprintf("<%s-extended-resources>", pod->pod->object.name);
	struct resource_claim *claim =
	    make_claim(pod, set, name, pod->pod->object.uid);
	struct text text = { 0 };

	if (claim == NULL)
		return NULL;
	put_mappings(&text, pod, set);
	claim->mappings = text_keep(&text, &claim->object.arena);
	return claim;
}

/* Shares of devices get names that no other has. */
static struct resource_claim *
allocated(struct arena *arena, const struct resource_claim *claim,
    const struct device_allocation *a)
{
	struct device_result *results =
	    arena_memdup(arena, a->results, a->nresults * sizeof(*results));
	char uuid[UUID_SIZE];

	for (uint32_t i = 0; i < a->nresults; i++)
		if (results[i].share != SYM_NONE)
			results[i].share = sym_in(arena, uuid_make(uuid));
	return resource_claim_allocated(claim, a->nresults, results,
	    a->has_nodes ? &a->nodes : NULL);
}

bool
pod_devices_allocate(struct cluster *cluster, const struct pod *of,
    const struct node_info *node, const struct device_features *features,
    bool extended, struct resource_claim **out, size_t *n)
{
	struct arena arena = ARENA_INIT;
	struct pod_devices *pod =
	    pod_devices_of(&arena, cluster, of, features, extended);
	const struct device_allocation *all = NULL;
	struct demand *demand = NULL;
	uint64_t set = 0;
	bool found = true;

	*n = 0;
	if (pod != NULL &&
	    pod_devices_need(pod, node, &demand) == NEEDS_DEVICES &&
	    demand != NULL) {
		all = demand_allocate(demand, node, &arena, &pod->search);
		found = all != NULL;
	}
	for (uint32_t i = 0; all != NULL && i < pod->nwanted; i++)
		out[(*n)++] = allocated(&arena, pod->wanted[i], &all[i]);
	if (all != NULL && pod->has_classes &&
	    find_set(pod, node, &set) == NEEDS_DEVICES && set != 0) {
		struct resource_claim *claim = claim_of_set(pod, set);

		if (claim != NULL) {
			out[(*n)++] =
			    allocated(&arena, claim, &all[pod->nwanted]);
			object_unref(&claim->object);
		}
	}
	arena_fini(&arena);
	return found;
}

void
pod_devices_assume(struct cluster *cluster, const struct pod *of,
    const struct node_info *node, const struct device_features *features,
    bool extended)
{
	struct resource_claim **claims =
	    xcalloc(of->class->nresource_claims + 1, sizeof(struct object *));
	size_t n;

	pod_devices_allocate(cluster, of, node, features, extended, claims, &n);
	for (size_t i = 0; i < n; i++) {
		cluster_put(cluster, &claims[i]->object);
		object_unref(&claims[i]->object);
	}
	free(claims);
}
