/* From a pod's document to its class. */
#include "config.h"

#include <string.h>

#include "base/doc.h"
#include "base/err.h"
#include "base/xmalloc.h"
#include "model/in_tree.h"
#include "model/limits.h"
#include "model/pod_class.h"
#include "model/pod_requests.h"
#include "model/quantity.h"
#include "model/steering.h"
#include "model/validation.h"

struct decoding {
	struct arena *arena;   /* of the class */
	struct arena *scratch; /* for temporary data */
	struct err *err;       /* NULL: paths are not made */
	const struct metadata *meta;
	unsigned over; /* parts that are not read (limits.h) */
};

/* "spec.volumes[2]" + "rbd" */
static const char *
join(struct decoding *d, const char *path, const char *key)
{
	if (d->err == NULL)
		return "";
	return arena_printf(d->scratch, "%s.%s", path, key);
}

/* "spec.volumes" + 2 */
static const char *
item(struct decoding *d, const char *path, size_t i)
{
	if (d->err == NULL)
		return "";
	return arena_printf(d->scratch, "%s[%zu]", path, i);
}

/* Absent, null: "" */
static int
read_text(struct decoding *d, const struct doc_node *node, const char *path,
    const char *key, const char **out)
{
	*out = "";
	return doc_get_string(node, key, join(d, path, key), out, d->err);
}

static int
read_sym(struct decoding *d, const struct doc_node *node, const char *path,
    const char *key, sym *out)
{
	const char *text;

	if (read_text(d, node, path, key, &text) != 0)
		return -1;
	*out = sym_in(d->arena, text);
	return 0;
}

/* A whole number of 32 bits, as Kubernetes declares them; absent, null: 0. */
static int
read_int32(struct decoding *d, const struct doc_node *node, const char *path,
    const char *key, int64_t *out)
{
	*out = 0;
	return doc_get_int(node, key, join(d, path, key), INT32_MIN, INT32_MAX,
	    out, d->err);
}

static int
read_flag(struct decoding *d, const struct doc_node *node, const char *path,
    const char *key, bool *out)
{
	*out = false;
	return doc_get_bool(node, key, join(d, path, key), out, d->err);
}

static int
read_object(struct decoding *d, const struct doc_node *node, const char *path,
    const char *key, const struct doc_node **out)
{
	*out = NULL;
	return doc_get_object(node, key, join(d, path, key), out, d->err);
}

/*
 * An array and how many elements it has.  Its elements must be objects; one
 * that is null is an object without members, as in Go.
 */
static int
read_array(struct decoding *d, const struct doc_node *node, const char *path,
    const char *key, const struct doc_node **out, uint32_t *n)
{
	const char *where = join(d, path, key);
	size_t i = 0;

	*out = NULL;
	*n = 0;
	if (doc_get_array(node, key, where, out, d->err) != 0)
		return -1;
	if (*out == NULL)
		return 0;
	for (const struct doc_node *at = (*out)->first; at != NULL;
	     at = at->next, i++)
		if (at->kind != DOC_OBJECT && at->kind != DOC_NULL)
			return doc_errf(d->err, at,
			    "%s must be an object, not %s", item(d, where, i),
			    doc_kind_name(at->kind));
	*n = (uint32_t)(*out)->count;
	return 0;
}

static const struct doc_node *
first(const struct doc_node *array)
{
	return array != NULL ? array->first : NULL;
}

/* An array of strings; one that is null is "", as in Go. */
static int
read_syms(struct decoding *d, const struct doc_node *node, const char *path,
    const char *key, const sym **out, uint32_t *n)
{
	const char *where = join(d, path, key);
	const struct doc_node *array = NULL;
	uint32_t i = 0;
	sym *syms;

	if (doc_get_array(node, key, where, &array, d->err) != 0)
		return -1;
	if (array == NULL || array->count == 0)
		return 0;
	syms = arena_array(d->arena, sym, array->count);
	for (const struct doc_node *at = array->first; at != NULL;
	     at = at->next, i++) {
		if (at->kind != DOC_STRING && at->kind != DOC_NULL)
			return doc_errf(d->err, at,
			    "%s must be a string, not %s", item(d, where, i),
			    doc_kind_name(at->kind));
		syms[i] = at->kind == DOC_STRING ?
		    sym_in_n(d->arena, at->text, at->len) :
		    SYM_EMPTY;
	}
	*out = syms;
	*n = i;
	return 0;
}

/*
 * Containers
 */

struct demand {
	const struct doc_node *requests; /* object or NULL */
	const struct doc_node *limits;
};

/* Adds up in scratch; the complete result is copied. */
static int
read_list(struct decoding *d, const struct doc_node *list, const char *path,
    const char *key, struct resources *out)
{
	const char *where = join(d, path, key);

	if ((d->over & OVER_CONTAINERS ?
		    resources_without_scalars(list, where, out, d->err) :
		    resources_from_doc(d->scratch, list, where, out, d->err)) !=
	    0)
		return -1;
	out->pods = 0; /* does not affect requests */
	return 0;
}

static int
read_demand(struct decoding *d, const struct doc_node *container,
    const char *path, struct resources *requests, struct resources *limits,
    struct demand *out)
{
	const struct doc_node *resources;
	const char *where = join(d, path, "resources");

	if (read_object(d, container, path, "resources", &resources) != 0 ||
	    read_object(d, resources, where, "requests", &out->requests) != 0 ||
	    read_object(d, resources, where, "limits", &out->limits) != 0)
		return -1;
	if (read_list(d, out->requests, where, "requests", requests) != 0)
		return -1;
	return read_list(d, out->limits, where, "limits", limits);
}

static bool
asks_for(const struct doc_node *list, const char *name)
{
	struct quantity q;

	return quantity_from_doc(doc_get(list, name), &q, NULL) == 0 &&
	    quantity_sign(&q) > 0;
}

static bool
is_best_effort(const struct demand *demand)
{
	return !asks_for(demand->requests, "cpu") &&
	    !asks_for(demand->requests, "memory") &&
	    !asks_for(demand->limits, "cpu") &&
	    !asks_for(demand->limits, "memory");
}

static struct nonzero_requests
nonzero_of(const struct demand *demand, const struct resources *requests)
{
	bool cpu = doc_member(demand->requests, "cpu") != NULL;
	bool memory = doc_member(demand->requests, "memory") != NULL;

	return (struct nonzero_requests){
		.cpu_milli = cpu ? requests->cpu_milli : DEFAULT_CPU_MILLI,
		.memory = memory ? requests->memory : DEFAULT_MEMORY,
	};
}

static void
add_nonzero(struct pod_class *class, const struct demand *demand,
    const struct resources *requests)
{
	struct nonzero_requests nonzero = nonzero_of(demand, requests);

	class->nonzero_cpu_milli =
	    wrap_add(class->nonzero_cpu_milli, nonzero.cpu_milli);
	class->nonzero_memory = wrap_add(class->nonzero_memory, nonzero.memory);
}

/* kube-scheduler 1.20: an init container counts as far as it exceeds the sum of
 * the containers. */
static void
raise_scored(struct nonzero_requests *to, const struct demand *demand,
    const struct resources *requests)
{
	struct nonzero_requests nonzero = nonzero_of(demand, requests);

	if (nonzero.cpu_milli > to->cpu_milli)
		to->cpu_milli = nonzero.cpu_milli;
	if (nonzero.memory > to->memory)
		to->memory = nonzero.memory;
}

/* With ":latest" unless there is a ':' behind the last '/' (a tag or a digest;
 * kube-scheduler 1.15, normalizedImageName). */
static sym
image_with_tag(struct decoding *d, const char *image)
{
	static const char latest[] = ":latest";
	const char *colon = strrchr(image, ':'), *slash = strrchr(image, '/');
	size_t len = strlen(image);
	char *tagged;

	if (colon != NULL && (slash == NULL || colon > slash))
		return sym_in_n(d->arena, image, len);
	tagged = arena_alloc(d->scratch, len + sizeof(latest));
	memcpy(tagged, image, len);
	memcpy(tagged + len, latest, sizeof(latest));
	return sym_in(d->arena, tagged);
}

struct port_list {
	struct host_port *at;
	size_t n, cap;
};

static int
read_port(struct decoding *d, const struct doc_node *port, const char *path,
    struct port_list *ports)
{
	const char *ip, *protocol;
	int64_t number;

	if (read_int32(d, port, path, "hostPort", &number) != 0 ||
	    read_text(d, port, path, "hostIP", &ip) != 0 ||
	    read_text(d, port, path, "protocol", &protocol) != 0)
		return -1;
	if (number <= 0)
		return 0;
	arena_room(d->scratch, ports->at, ports->n, &ports->cap);
	ports->at[ports->n++] = (struct host_port){
		.ip = sym_in(d->arena, ip[0] != '\0' ? ip : "0.0.0.0"),
		.protocol =
		    sym_in(d->arena, protocol[0] != '\0' ? protocol : "TCP"),
		.port = (int32_t)number,
	};
	return 0;
}

static int
read_ports(struct decoding *d, const struct doc_node *container,
    const char *path, struct port_list *ports)
{
	const struct doc_node *array;
	const char *where = join(d, path, "ports");
	uint32_t n, i = 0;

	if (read_array(d, container, path, "ports", &array, &n) != 0)
		return -1;
	for (const struct doc_node *at = first(array); at != NULL;
	     at = at->next, i++)
		if (read_port(d, at, item(d, where, i), ports) != 0)
			return -1;
	return 0;
}

unsigned
declared_feature_parse(const char *name)
{
	if (strcmp(name, "RestartAllContainersOnContainerExits") == 0)
		return FEATURE_RESTART_ALL;
	if (strcmp(name, "UserNamespacesHostNetworkSupport") == 0)
		return FEATURE_HOST_NETWORK_USERS;
	return 0;
}

static int
read_restart_rules(struct decoding *d, const struct doc_node *container,
    const char *path, struct pod_class *class)
{
	static const char key[] = "restartPolicyRules";
	const struct doc_node *array;
	const char *where = join(d, path, key), *action;
	uint32_t n, i = 0;

	if (read_array(d, container, path, key, &array, &n) != 0)
		return -1;
	for (const struct doc_node *at = first(array); at != NULL;
	     at = at->next, i++) {
		if (read_text(d, at, item(d, where, i), "action", &action) != 0)
			return -1;
		if (strcmp(action, "RestartAllContainers") == 0)
			class->required_features |= FEATURE_RESTART_ALL;
	}
	return 0;
}

/* Images beside those of app containers. */
struct image_list {
	sym *at;
	size_t n, cap;
};

static void
add_image(struct decoding *d, struct image_list *images, const char *text)
{
	arena_room(d->scratch, images->at, images->n, &images->cap);
	images->at[images->n++] = image_with_tag(d, text);
}

/* Sums over the app containers; held and limits are in scratch. */
static int
read_container(struct decoding *d, const struct doc_node *container,
    const char *path, struct pod_class *class, sym *image)
{
	struct resources requests, limits;
	struct demand demand;
	const char *text;

	if (read_demand(d, container, path, &requests, &limits, &demand) != 0 ||
	    read_text(d, container, path, "image", &text) != 0)
		return -1;
	resources_add(d->scratch, &class->held, &requests, 1);
	resources_add(d->scratch, &class->limits, &limits, 1);
	add_nonzero(class, &demand, &requests);
	class->best_effort = class->best_effort && is_best_effort(&demand);
	*image = image_with_tag(d, text);
	return 0;
}

static int
read_containers(struct decoding *d, const struct doc_node *spec,
    struct pod_class *class, struct port_list *ports)
{
	const struct doc_node *array;
	uint32_t i = 0;
	sym *images;

	class->best_effort = true;
	if (read_array(d, spec, "spec", "containers", &array,
		&class->nimages) != 0)
		return -1;
	images = arena_array(d->arena, sym, class->nimages);
	for (const struct doc_node *at = first(array); at != NULL;
	     at = at->next, i++) {
		const char *path = item(d, "spec.containers", i);

		if (read_container(d, at, path, class, &images[i]) != 0 ||
		    read_ports(d, at, path, ports) != 0 ||
		    read_restart_rules(d, at, path, class) != 0)
			return -1;
	}
	class->images = images;
	class->napp_ports = (uint32_t)ports->n;
	if (d->over & OVER_CONTAINERS)
		class->nimages = 0;
	return 0;
}

/*
 * The pod's requests while it starts and runs, as the kubelet counts them from
 * Kubernetes 1.28 on (KEP-753).  An init container that restarts always is a
 * sidecar: it runs on beside the containers and beside the init containers
 * behind it.
 */
struct start_up {
	struct resources running;  /* containers and sidecars */
	struct resources sidecars; /* those so far */
	struct resources most;     /* the greediest moment of the start */
};

/* Less than anything, so that a maximum with it changes nothing. */
#define NO_RESOURCES                                                           \
	((struct resources){ .cpu_milli = INT64_MIN,                           \
	    .memory = INT64_MIN,                                               \
	    .ephemeral_storage = INT64_MIN })

/* to = max(to, r), but only for the resources named in the list that r was read
 * from. */
static void
raise_to(struct decoding *d, struct resources *to, const struct resources *r,
    const struct doc_node *list)
{
	struct resources named = *r;

	if (doc_member(list, "cpu") == NULL)
		named.cpu_milli = INT64_MIN;
	if (doc_member(list, "memory") == NULL)
		named.memory = INT64_MIN;
	if (doc_member(list, "ephemeral-storage") == NULL)
		named.ephemeral_storage = INT64_MIN;
	resources_max(d->scratch, to, &named);
}

/* The containers that run at the same time as this one.  Of scalar resources
 * only its own can exceed the later sum: the rest need not be compared. */
static struct resources
beside(struct decoding *d, const struct resources *requests,
    const struct resources *sidecars)
{
	struct resources now = resources_copy(d->scratch, requests);

	now.cpu_milli = wrap_add(now.cpu_milli, sidecars->cpu_milli);
	now.memory = wrap_add(now.memory, sidecars->memory);
	now.ephemeral_storage =
	    wrap_add(now.ephemeral_storage, sidecars->ephemeral_storage);
	for (uint32_t i = 0; i < now.nscalars; i++) {
		const struct scalar *known =
		    resources_scalar(sidecars, now.scalars[i].name);

		if (known != NULL)
			now.scalars[i].amount =
			    wrap_add(now.scalars[i].amount, known->amount);
	}
	return now;
}

static void
start(struct decoding *d, struct start_up *s, const struct resources *requests,
    bool sidecar)
{
	struct resources now = beside(d, requests, &s->sidecars);

	resources_max(d->scratch, &s->most, &now);
	if (!sidecar)
		return;
	resources_add(d->scratch, &s->running, requests, 1);
	resources_add(d->scratch, &s->sidecars, requests, 1);
}

static int
read_init_containers(struct decoding *d, const struct doc_node *spec,
    struct pod_class *class, struct port_list *ports, struct start_up *start_up)
{
	const struct doc_node *array;
	uint32_t n, i = 0;
	struct image_list images = { 0 };

	if (read_array(d, spec, "spec", "initContainers", &array, &n) != 0)
		return -1;
	for (const struct doc_node *at = first(array); at != NULL;
	     at = at->next, i++) {
		const char *path = item(d, "spec.initContainers", i), *policy;
		const char *image;
		struct resources requests, limits;
		struct demand demand;
		bool sidecar;

		if (read_demand(d, at, path, &requests, &limits, &demand) !=
			0 ||
		    read_text(d, at, path, "restartPolicy", &policy) != 0 ||
		    read_text(d, at, path, "image", &image) != 0 ||
		    read_restart_rules(d, at, path, class) != 0)
			return -1;
		add_image(d, &images, image);
		raise_scored(&class->scored_20.held, &demand, &requests);
		sidecar = strcmp(policy, "Always") == 0;
		raise_to(d, &class->requested, &requests, demand.requests);
		raise_to(d, &class->limits, &limits, demand.limits);
		start(d, start_up, &requests, sidecar);
		if (sidecar && read_ports(d, at, path, ports) != 0)
			return -1;
	}
	if (d->over & OVER_CONTAINERS)
		return 0;
	class->ninit_containers = class->nother_images = n;
	class->other_images =
	    arena_memdup(d->arena, images.at, n * sizeof(*images.at));
	return 0;
}

/*
 * spec.overhead: the requests of the pod's sandbox, added to all other requests.
 * While the pod waits kube-scheduler 1.20 scores it with as many milli as the
 * overhead has whole units of cpu.
 */
static int
add_overhead(struct decoding *d, const struct doc_node *spec,
    struct pod_class *class, struct resources *full)
{
	struct scored_requests *scored = &class->scored_20;
	const struct doc_node *list;
	struct resources overhead;
	struct quantity cpu;

	if (read_object(d, spec, "spec", "overhead", &list) != 0 ||
	    read_list(d, list, "spec", "overhead", &overhead) != 0 ||
	    quantity_from_doc(doc_get(list, "cpu"), &cpu, d->err) != 0)
		return -1;
	resources_add(d->scratch, full, &overhead, 1);
	scored->pending.cpu_milli =
	    wrap_add(scored->held.cpu_milli, quantity_value(&cpu));
	scored->held.cpu_milli =
	    wrap_add(scored->held.cpu_milli, overhead.cpu_milli);
	scored->held.memory = wrap_add(scored->held.memory, overhead.memory);
	scored->pending.memory = scored->held.memory;
	return 0;
}

/* Requests and limits at pod level are the pod's, too. */
static int
read_pod_level_qos(struct decoding *d, const struct doc_node *spec,
    struct pod_class *class)
{
	struct resources requests, limits;
	struct demand demand;

	if (read_demand(d, spec, "spec", &requests, &limits, &demand) != 0)
		return -1;
	class->best_effort = class->best_effort && is_best_effort(&demand);
	return 0;
}

static int
read_demands(struct decoding *d, const struct doc_node *root,
    const struct doc_node *spec, struct pod_class *class)
{
	struct start_up s = { .most = NO_RESOURCES };
	struct port_list ports = { 0 };
	bool over = (d->over & OVER_CONTAINERS) != 0;

	if (read_containers(d, spec, class, &ports) != 0)
		return -1;
	if (doc_get(spec, "resources") != NULL &&
	    read_pod_level_qos(d, spec, class) != 0)
		return -1;
	class->requested = resources_copy(d->scratch, &class->held);
	s.running = resources_copy(d->scratch, &class->held);
	class->scored_20.held =
	    (struct nonzero_requests){ class->nonzero_cpu_milli,
		    class->nonzero_memory };
	if (read_init_containers(d, spec, class, &ports, &s) != 0)
		return -1;
	resources_max(d->scratch, &s.running, &s.most);
	if (add_overhead(d, spec, class, &s.running) != 0)
		return -1;
	class->full = resources_copy(d->arena, &s.running);
	class->held = resources_copy(d->arena, &class->held);
	class->requested = resources_copy(d->arena, &class->requested);
	class->limits = resources_copy(d->arena, &class->limits);
	if (over)
		ports.n = class->napp_ports = 0;
	class->nports = (uint32_t)ports.n;
	class->ports =
	    arena_memdup(d->arena, ports.at, ports.n * sizeof(*ports.at));
	return pod_requests_decode(root, !over, d->scratch, class, d->err);
}

/*
 * Tolerations
 */

enum taint_effect
taint_effect_parse(const char *text)
{
	static const struct {
		const char *text;
		enum taint_effect effect;
	} effects[] = {
		{ "", EFFECT_ANY },
		{ "NoSchedule", EFFECT_NO_SCHEDULE },
		{ "PreferNoSchedule", EFFECT_PREFER_NO_SCHEDULE },
		{ "NoExecute", EFFECT_NO_EXECUTE },
	};

	for (size_t i = 0; i < LENGTH(effects); i++)
		if (strcmp(effects[i].text, text) == 0)
			return effects[i].effect;
	return EFFECT_OTHER;
}

static enum toleration_operator
operator_from_text(const char *text)
{
	if (text[0] == '\0' || strcmp(text, "Equal") == 0)
		return TOLERATION_EQUAL;
	if (strcmp(text, "Exists") == 0)
		return TOLERATION_EXISTS;
	if (strcmp(text, "Gt") == 0)
		return TOLERATION_GT;
	if (strcmp(text, "Lt") == 0)
		return TOLERATION_LT;
	return TOLERATION_OTHER;
}

static int
read_toleration(struct decoding *d, const struct doc_node *node,
    const char *path, struct toleration *out)
{
	const char *op, *effect;

	if (read_sym(d, node, path, "key", &out->key) != 0 ||
	    read_sym(d, node, path, "value", &out->value) != 0 ||
	    read_text(d, node, path, "operator", &op) != 0 ||
	    read_text(d, node, path, "effect", &effect) != 0)
		return -1;
	out->op = operator_from_text(op);
	out->effect = taint_effect_parse(effect);
	out->effect_text = sym_in(d->arena, effect);
	return 0;
}

static int
read_tolerations(struct decoding *d, const struct doc_node *node,
    const char *path, uint32_t *n, const struct toleration **out)
{
	const struct doc_node *array;
	const char *where = join(d, path, "tolerations");
	struct toleration *tolerations;
	uint32_t i = 0;

	if (read_array(d, node, path, "tolerations", &array, n) != 0)
		return -1;
	tolerations = arena_array(d->arena, struct toleration, *n);
	for (const struct doc_node *at = first(array); at != NULL;
	     at = at->next, i++)
		if (read_toleration(d, at, item(d, where, i),
			&tolerations[i]) != 0)
			return -1;
	*out = tolerations;
	return 0;
}

int
tolerations_from_doc(struct arena *arena, const struct doc_node *node,
    const char *path, uint32_t *n, const struct toleration **out,
    struct err *err)
{
	struct arena scratch = ARENA_INIT;
	struct decoding d = { arena, &scratch, err, NULL, 0 };
	int rc = read_tolerations(&d, node, path, n, out);

	arena_fini(&scratch);
	return rc;
}

/*
 * Affinity
 */

#define REQUIRED "requiredDuringSchedulingIgnoredDuringExecution"
#define PREFERRED "preferredDuringSchedulingIgnoredDuringExecution"

static int
read_preferred_node(struct decoding *d, const struct doc_node *node,
    const char *path, struct preferred_node_term *out)
{
	const struct doc_node *preference;
	const char *where = join(d, path, "preference");

	if (read_int32(d, node, path, "weight", &out->weight) != 0 ||
	    read_object(d, node, path, "preference", &preference) != 0 ||
	    selector_from_node_requirements(d->arena,
		doc_get(preference, "matchExpressions"),
		join(d, where, "matchExpressions"), &out->expressions,
		d->err) != 0)
		return -1;
	if (node_selector_term_from_doc(d->arena, preference, where, &out->term,
		d->err) != 0)
		return -1;
	if (out->term.labels.error != NULL || out->term.fields.error != NULL)
		out->problems = node_selector_term_problems(d->arena,
		    preference, &out->nproblems);
	return 0;
}

static int
read_preferred_nodes(struct decoding *d, const struct doc_node *affinity,
    const char *path, struct node_affinity *out)
{
	const struct doc_node *array;
	const char *where = join(d, path, PREFERRED);
	struct preferred_node_term *terms;
	uint32_t i = 0;

	if (read_array(d, affinity, path, PREFERRED, &array,
		&out->npreferred) != 0)
		return -1;
	terms =
	    arena_array(d->arena, struct preferred_node_term, out->npreferred);
	for (const struct doc_node *at = first(array); at != NULL;
	     at = at->next, i++)
		if (read_preferred_node(d, at, item(d, where, i), &terms[i]) !=
		    0)
			return -1;
	out->preferred = terms;
	return 0;
}

static int
read_node_affinity(struct decoding *d, const struct doc_node *node,
    const char *path, struct node_affinity *out)
{
	const struct doc_node *required;

	if (read_object(d, node, path, REQUIRED, &required) != 0)
		return -1;
	out->has_required = required != NULL;
	if (required != NULL &&
	    node_selector_from_doc(d->arena, required, join(d, path, REQUIRED),
		&out->required, d->err) != 0)
		return -1;
	return read_preferred_nodes(d, node, path, out);
}

int
node_affinity_from_doc(struct arena *arena, const struct doc_node *node,
    const char *path, struct node_affinity *out, struct err *err)
{
	struct arena scratch = ARENA_INIT;
	struct decoding d = { arena, &scratch, err, NULL, 0 };
	int rc;

	*out = (struct node_affinity){ 0 };
	rc = read_node_affinity(&d, node, path, out);
	arena_fini(&scratch);
	return rc;
}

/* The pod's own. */
static int
read_pod_node_affinity(struct decoding *d, const struct doc_node *affinity,
    struct pod_class *class)
{
	struct node_affinity own = { 0 };
	const struct doc_node *node;

	if (read_object(d, affinity, "spec.affinity", "nodeAffinity", &node) !=
		0 ||
	    read_node_affinity(d, node, "spec.affinity.nodeAffinity", &own) !=
		0)
		return -1;
	class->has_required_node_affinity = own.has_required;
	class->required_node_affinity = own.required;
	class->npreferred_nodes = own.npreferred;
	class->preferred_nodes = own.preferred;
	return 0;
}

static int
read_namespace_selector(struct decoding *d, const struct doc_node *node,
    const char *path, struct pod_term *out)
{
	const struct doc_node *selector;

	if (read_object(d, node, path, "namespaceSelector", &selector) != 0 ||
	    selector_from_label_selector(d->arena, selector,
		join(d, path, "namespaceSelector"), &out->namespace_selector,
		d->err) != 0)
		return -1;
	out->selects_namespaces = selector != NULL;
	if (out->selector.error == NULL)
		out->selector.error = out->namespace_selector.error;
	return 0;
}

/* The API server has put matchLabelKeys and mismatchLabelKeys into labelSelector,
 * so they are not read (as in kube-scheduler). */
static int
read_pod_term(struct decoding *d, const struct doc_node *node, const char *path,
    sym namespace, struct pod_term *out)
{
	if (read_syms(d, node, path, "namespaces", &out->namespaces,
		&out->nnamespaces) != 0 ||
	    selector_from_label_selector(d->arena,
		doc_get(node, "labelSelector"), join(d, path, "labelSelector"),
		&out->selector, d->err) != 0 ||
	    read_namespace_selector(d, node, path, out) != 0)
		return -1;
	out->nnamed = out->nnamespaces;
	if (out->nnamespaces == 0) {
		out->namespaces =
		    arena_memdup(d->arena, &namespace, sizeof(namespace));
		out->nnamespaces = 1;
	}
	return read_sym(d, node, path, "topologyKey", &out->topology_key);
}

static int
read_weighted_pod_term(struct decoding *d, const struct doc_node *node,
    const char *path, sym namespace, struct pod_term *out)
{
	const struct doc_node *term;

	if (read_int32(d, node, path, "weight", &out->weight) != 0 ||
	    read_object(d, node, path, "podAffinityTerm", &term) != 0)
		return -1;
	return read_pod_term(d, term, join(d, path, "podAffinityTerm"),
	    namespace, out);
}

static int
read_pod_term_list(struct decoding *d, const struct doc_node *node,
    const char *path, const char *key, sym namespace,
    int (*read)(struct decoding *, const struct doc_node *, const char *, sym,
	struct pod_term *),
    const struct pod_term **out, uint32_t *n)
{
	const struct doc_node *array;
	const char *where = join(d, path, key);
	struct pod_term *terms;
	uint32_t i = 0;

	if (read_array(d, node, path, key, &array, n) != 0)
		return -1;
	terms = arena_array(d->arena, struct pod_term, *n);
	for (const struct doc_node *at = first(array); at != NULL;
	     at = at->next, i++)
		if (read(d, at, item(d, where, i), namespace, &terms[i]) != 0)
			return -1;
	*out = terms;
	return 0;
}

static int
read_pod_terms(struct decoding *d, const struct doc_node *affinity,
    const char *key, sym namespace, struct pod_terms *out)
{
	const struct doc_node *node;
	const char *path = join(d, "spec.affinity", key);

	if (read_object(d, affinity, "spec.affinity", key, &node) != 0)
		return -1;
	out->present = node != NULL;
	if (read_pod_term_list(d, node, path, REQUIRED, namespace,
		read_pod_term, &out->required, &out->nrequired) != 0)
		return -1;
	return read_pod_term_list(d, node, path, PREFERRED, namespace,
	    read_weighted_pod_term, &out->preferred, &out->npreferred);
}

static int
read_affinity(struct decoding *d, const struct doc_node *spec,
    struct pod_class *class)
{
	const struct doc_node *affinity;
	bool of_nodes = !(d->over & OVER_NODE_AFFINITY);
	bool of_pods = !(d->over & OVER_POD_AFFINITY);

	if ((of_nodes &&
		labels_from_doc(d->arena, doc_get(spec, "nodeSelector"),
		    "spec.nodeSelector", &class->node_selector, d->err) != 0) ||
	    read_object(d, spec, "spec", "affinity", &affinity) != 0)
		return -1;
	if (affinity == NULL)
		return 0;
	if ((of_nodes && read_pod_node_affinity(d, affinity, class) != 0) ||
	    (of_pods &&
		read_pod_terms(d, affinity, "podAffinity", class->namespace,
		    &class->affinity) != 0))
		return -1;
	return !of_pods ? 0 :
			  read_pod_terms(d, affinity, "podAntiAffinity",
			      class->namespace, &class->anti_affinity);
}

/*
 * Volumes
 */

/* The volume's name at its CSI driver. */
static int
read_handle(struct decoding *d, const struct doc_node *source, const char *path,
    struct volume *out)
{
	struct in_tree volume = { out->kind, sym_text(out->id), NULL, "" };

	if (out->kind == VOLUME_AZURE_DISK &&
	    (read_text(d, source, path, "diskURI", &volume.id) != 0 ||
		doc_get_string(source, "kind", join(d, path, "kind"),
		    &volume.form, d->err) != 0))
		return -1;
	out->handle = in_tree_handle(d->arena, &volume);
	return 0;
}

/* The uid of the pod; SYM_NONE when it has none yet. */
static sym
own_uid(struct decoding *d)
{
	const char *uid = d->meta->uid;

	return uid[0] != '\0' ? sym_in(d->arena, uid) : SYM_NONE;
}

/* Its claim is "POD-VOLUME". */
static int
read_ephemeral(struct decoding *d, const struct doc_node *node,
    const char *path, struct volume *out)
{
	const char *name;

	if (read_text(d, node, path, "name", &name) != 0)
		return -1;
	out->id = sym_in(d->arena,
	    arena_printf(d->scratch, "%s-%s", d->meta->name, name));
	out->owner = own_uid(d);
	out->owner_name = sym_in(d->arena, d->meta->name);
	return 0;
}

static int
read_source(struct decoding *d, const struct doc_node *source, const char *path,
    const char *id, struct volume *out)
{
	if (read_sym(d, source, path, id, &out->id) != 0 ||
	    read_flag(d, source, path, "readOnly", &out->read_only) != 0 ||
	    read_handle(d, source, path, out) != 0)
		return -1;
	if (out->kind != VOLUME_RBD)
		return 0;
	if (read_sym(d, source, path, "pool", &out->pool) != 0)
		return -1;
	return read_syms(d, source, path, "monitors", &out->monitors,
	    &out->nmonitors);
}

static int
read_volume(struct decoding *d, const struct doc_node *node, const char *path,
    struct volume *out)
{
	static const struct {
		const char *key;
		enum volume_kind kind;
		const char *id;
	} sources[] = {
		{ "persistentVolumeClaim", VOLUME_CLAIM, "claimName" },
		{ "gcePersistentDisk", VOLUME_GCE_PD, "pdName" },
		{ "awsElasticBlockStore", VOLUME_AWS_EBS, "volumeID" },
		{ "azureDisk", VOLUME_AZURE_DISK, "diskName" },
		{ "cinder", VOLUME_CINDER, "volumeID" },
		{ "iscsi", VOLUME_ISCSI, "iqn" },
		{ "rbd", VOLUME_RBD, "image" },
		{ "portworxVolume", VOLUME_PORTWORX, "volumeID" },
		{ "ephemeral", VOLUME_EPHEMERAL, NULL },
	};
	const struct doc_node *source;

	out->kind = VOLUME_OTHER;
	out->owner = SYM_NONE;
	for (size_t i = 0; i < LENGTH(sources); i++) {
		if (read_object(d, node, path, sources[i].key, &source) != 0)
			return -1;
		if (source == NULL)
			continue;
		out->kind = sources[i].kind;
		if (out->kind == VOLUME_EPHEMERAL)
			return read_ephemeral(d, node, path, out);
		return read_source(d, source, join(d, path, sources[i].key),
		    sources[i].id, out);
	}
	return 0;
}

/* The image of a volume that is one, behind those of init containers. */
static int
read_image_volume(struct decoding *d, const struct doc_node *node,
    const char *path, struct image_list *images)
{
	const struct doc_node *source;
	const char *reference;

	if (read_object(d, node, path, "image", &source) != 0)
		return -1;
	if (source == NULL)
		return 0;
	if (read_text(d, source, join(d, path, "image"), "reference",
		&reference) != 0)
		return -1;
	add_image(d, images, reference);
	return 0;
}

static void
add_other_images(struct decoding *d, struct pod_class *class,
    const struct image_list *images)
{
	size_t n = class->nother_images;
	sym *all = arena_array(d->arena, sym, n + images->n);

	if (images->n == 0)
		return;
	if (n > 0)
		memcpy(all, class->other_images, n * sizeof(*all));
	memcpy(all + n, images->at, images->n * sizeof(*all));
	class->other_images = all;
	class->nother_images += (uint32_t)images->n;
}

static int
read_volumes(struct decoding *d, const struct doc_node *spec,
    struct pod_class *class)
{
	const struct doc_node *array;
	struct image_list images = { 0 };
	struct volume *volumes;
	uint32_t i = 0;

	if (read_array(d, spec, "spec", "volumes", &array, &class->nvolumes) !=
	    0)
		return -1;
	volumes = arena_array(d->arena, struct volume, class->nvolumes);
	for (const struct doc_node *at = first(array); at != NULL;
	     at = at->next, i++) {
		const char *path = item(d, "spec.volumes", i);

		if (read_volume(d, at, path, &volumes[i]) != 0 ||
		    read_image_volume(d, at, path, &images) != 0)
			return -1;
	}
	class->volumes = volumes;
	add_other_images(d, class, &images);
	return 0;
}

/*
 * Device claims
 */

/* Sets claim and created from status.resourceClaimStatuses[]. */
static int
read_claim_status(struct decoding *d, const struct doc_node *statuses,
    const char *name, struct pod_resource_claim *out)
{
	static const char path[] = "status.resourceClaimStatuses[]";
	const char *its_name, *claim = NULL;

	for (const struct doc_node *at = first(statuses); at; at = at->next) {
		if (read_text(d, at, path, "name", &its_name) != 0)
			return -1;
		if (strcmp(its_name, name) != 0)
			continue;
		if (doc_get_string(at, "resourceClaimName",
			join(d, path, "resourceClaimName"), &claim,
			d->err) != 0)
			return -1;
		out->created = true;
		if (claim != NULL)
			out->claim = sym_in(d->arena, claim);
		return 0;
	}
	return 0;
}

/* A claim by name, or one that is made from a template; up to 1.30 in the
 * member source. */
static int
read_resource_claim(struct decoding *d, const struct doc_node *node,
    const char *path, const struct doc_node *statuses,
    struct pod_resource_claim *out)
{
	const struct doc_node *source;
	const char *name, *claim = NULL;

	*out =
	    (struct pod_resource_claim){ .claim = SYM_NONE, .owner = SYM_NONE };
	if (read_text(d, node, path, "name", &name) != 0 ||
	    read_object(d, node, path, "source", &source) != 0)
		return -1;
	if (source == NULL)
		source = node;
	if (doc_get_string(source, "resourceClaimName",
		join(d, path, "resourceClaimName"), &claim, d->err) != 0)
		return -1;
	out->name = sym_in(d->arena, name);
	if (claim != NULL) {
		out->created = true;
		out->claim = sym_in(d->arena, claim);
		return 0;
	}
	out->from_template = true;
	out->owner = own_uid(d);
	return read_claim_status(d, statuses, name, out);
}

static int
read_resource_claims(struct decoding *d, const struct doc_node *root,
    const struct doc_node *spec, struct pod_class *class)
{
	const struct doc_node *array, *statuses, *status;
	struct pod_resource_claim *claims;
	uint32_t n = 0, i = 0;

	if (read_array(d, spec, "spec", "resourceClaims", &array,
		&class->nresource_claims) != 0 ||
	    read_object(d, root, "", "status", &status) != 0 ||
	    read_array(d, status, "status", "resourceClaimStatuses", &statuses,
		&n) != 0)
		return -1;
	claims = arena_array(d->arena, struct pod_resource_claim,
	    class->nresource_claims);
	for (const struct doc_node *at = first(array); at != NULL;
	     at = at->next, i++)
		if (read_resource_claim(d, at,
			item(d, "spec.resourceClaims", i), statuses,
			&claims[i]) != 0)
			return -1;
	class->resource_claims = claims;
	return 0;
}

/*
 * The rest
 */

static int
read_spread_constraint(struct decoding *d, const struct doc_node *node,
    const char *path, struct spread_constraint *out)
{
	const char *when, *affinity, *taints;

	out->min_domains = 1;
	if (read_int32(d, node, path, "maxSkew", &out->max_skew) != 0 ||
	    doc_get_int(node, "minDomains", join(d, path, "minDomains"),
		INT32_MIN, INT32_MAX, &out->min_domains, d->err) != 0 ||
	    read_sym(d, node, path, "topologyKey", &out->topology_key) != 0 ||
	    read_text(d, node, path, "whenUnsatisfiable", &when) != 0 ||
	    read_text(d, node, path, "nodeAffinityPolicy", &affinity) != 0 ||
	    read_text(d, node, path, "nodeTaintsPolicy", &taints) != 0 ||
	    read_syms(d, node, path, "matchLabelKeys", &out->match_keys,
		&out->nmatch_keys) != 0)
		return -1;
	out->hard = strcmp(when, "DoNotSchedule") == 0;
	out->ignores_affinity =
	    affinity[0] != '\0' && strcmp(affinity, "Honor") != 0;
	out->honors_taints = strcmp(taints, "Honor") == 0;
	return selector_from_label_selector(d->arena,
	    doc_get(node, "labelSelector"), join(d, path, "labelSelector"),
	    &out->selector, d->err);
}

static int
read_spread(struct decoding *d, const struct doc_node *spec,
    struct pod_class *class)
{
	static const char key[] = "topologySpreadConstraints";
	const struct doc_node *array;
	const char *path = join(d, "spec", key);
	struct spread_constraint *spread;
	uint32_t i = 0;

	if (read_array(d, spec, "spec", key, &array, &class->nspread) != 0)
		return -1;
	spread =
	    arena_array(d->arena, struct spread_constraint, class->nspread);
	for (const struct doc_node *at = first(array); at != NULL;
	     at = at->next, i++)
		if (read_spread_constraint(d, at, item(d, path, i),
			&spread[i]) != 0)
			return -1;
	class->spread = spread;
	return 0;
}

/* The controller is the first ownerReference with controller: true
 * (metav1.GetControllerOf). */
static int
read_controller(struct decoding *d, const struct doc_node *root,
    struct pod_class *class)
{
	const struct doc_node *array, *meta = doc_get(root, "metadata");
	uint32_t n, i = 0;

	class->controller_kind = SYM_NONE;
	class->controller_uid = SYM_NONE;
	class->sticky_job = class->sticky_job_uid = SYM_NONE;
	class->controller_name = class->controller_version = SYM_NONE;
	if (read_array(d, meta, "metadata", "ownerReferences", &array, &n) != 0)
		return -1;
	for (const struct doc_node *at = first(array); at != NULL;
	     at = at->next, i++) {
		const char *path = item(d, "metadata.ownerReferences", i);
		bool controller;
		const char *kind, *uid, *name, *version;

		if (read_flag(d, at, path, "controller", &controller) != 0 ||
		    read_text(d, at, path, "kind", &kind) != 0 ||
		    read_text(d, at, path, "uid", &uid) != 0 ||
		    read_text(d, at, path, "name", &name) != 0 ||
		    read_text(d, at, path, "apiVersion", &version) != 0)
			return -1;
		class->of_daemon_set |= strcmp(kind, "DaemonSet") == 0;
		if (class->sticky_job == SYM_NONE &&
		    strcmp(kind, "StickyJob") == 0) {
			class->sticky_job = sym_in(d->arena, name);
			class->sticky_job_uid = sym_in(d->arena, uid);
		}
		if (!controller || class->controller_kind != SYM_NONE)
			continue;
		class->controller_kind = sym_in(d->arena, kind);
		class->controller_uid = sym_in(d->arena, uid);
		class->controller_name = sym_in(d->arena, name);
		class->controller_version = sym_in(d->arena, version);
	}
	return 0;
}

static int
read_metadata(struct decoding *d, const struct doc_node *root,
    const struct metadata *meta, struct pod_class *class)
{
	class->namespace = meta->namespace;
	sym_hold(d->arena, class->namespace);
	class->terminating = meta->deleting;
	if (labels_from_doc(d->arena, meta->labels, "metadata.labels",
		&class->labels, d->err) != 0)
		return -1;
	return read_controller(d, root, class);
}

static int
read_gates(struct decoding *d, const struct doc_node *spec,
    struct pod_class *class)
{
	const struct doc_node *gates;
	sym *names;
	uint32_t i = 0;

	if (read_array(d, spec, "spec", "schedulingGates", &gates,
		&class->ngates) != 0)
		return -1;
	names = arena_array(d->arena, sym, class->ngates);
	class->gates = names;
	for (const struct doc_node *at = first(gates); at; at = at->next, i++)
		if (read_sym(d, at, item(d, "spec.schedulingGates", i), "name",
			&names[i]) != 0)
			return -1;
	return 0;
}

static int
read_scheduling(struct decoding *d, const struct doc_node *spec,
    struct pod_class *class)
{
	const char *scheduler, *preemption;
	bool host_network, host_users = true;

	if (read_text(d, spec, "spec", "schedulerName", &scheduler) != 0 ||
	    read_text(d, spec, "spec", "preemptionPolicy", &preemption) != 0 ||
	    read_gates(d, spec, class) != 0 ||
	    read_flag(d, spec, "spec", "hostNetwork", &host_network) != 0 ||
	    doc_get_bool(spec, "hostUsers", "spec.hostUsers", &host_users,
		d->err) != 0)
		return -1;
	if (host_network && !host_users)
		class->required_features |= FEATURE_HOST_NETWORK_USERS;
	class->scheduler_name = sym_in(d->arena,
	    scheduler[0] != '\0' ? scheduler : "default-scheduler");
	class->never_preempts = strcmp(preemption, "Never") == 0;
	return 0;
}

/* ---- extended resources, by container ---- */

struct extended_list {
	struct container_resource *at;
	size_t n, cap;
};

bool
resource_is_of_devices(const char *name)
{
	static const char prefix[] = "deviceclass.resource.kubernetes.io/";

	return resource_is_extended(name) ||
	    strncmp(name, prefix, strlen(prefix)) == 0;
}

/* How many of the names in the list are before this one. */
static uint32_t
place_among(const struct doc_node *requests, const char *name)
{
	uint32_t n = 0;

	for (const struct doc_node *at = requests->first; at; at = at->next)
		n += strcmp(at->key, name) < 0;
	return n;
}

static void
add_extended(struct decoding *d, const struct doc_node *container,
    uint32_t number, bool ends, struct extended_list *list)
{
	const struct doc_node *requests =
	    doc_get(doc_get(container, "resources"), "requests");

	for (const struct doc_node *at = first(requests); at; at = at->next) {
		struct quantity q;

		if (!resource_is_of_devices(at->key) ||
		    quantity_from_doc(at, &q, NULL) != 0 || q.nano != 0 ||
		    quantity_sign(&q) <= 0)
			continue;
		arena_room(d->scratch, list->at, list->n, &list->cap);
		list->at[list->n++] = (struct container_resource){
			.name = sym_in(d->arena, at->key),
			.container = number,
			.place = place_among(requests, at->key),
			.ends = ends,
			.count = quantity_value(&q),
		};
	}
}

static void
find_extended(struct decoding *d, const struct doc_node *spec,
    struct pod_class *class)
{
	struct extended_list list = { 0 };
	uint32_t number = 0;

	if (class->full.nscalars == 0 || d->over & OVER_CONTAINERS)
		return;
	for (const struct doc_node *at = first(doc_get(spec, "initContainers"));
	     at != NULL; at = at->next) {
		const char *restart = "";

		doc_get_string(at, "restartPolicy", "restartPolicy", &restart,
		    NULL);
		add_extended(d, at, number++, strcmp(restart, "Always") != 0,
		    &list);
	}
	for (const struct doc_node *at = first(doc_get(spec, "containers")); at;
	     at = at->next)
		add_extended(d, at, number++, false, &list);
	class->nextended = (uint32_t)list.n;
	class->extended =
	    arena_memdup(d->arena, list.at, list.n * sizeof(*list.at));
}

static uint32_t
unsupported(const struct doc_node *root, const struct pod_class *class)
{
	uint32_t set = unsupported_of_pod(root);

	for (uint32_t i = 0; i < class->full.nscalars; i++)
		set |= unsupported_of_resource(
		    sym_text(class->full.scalars[i].name));
	return set;
}

int
pod_class_decode(const struct doc_node *root, const struct metadata *meta,
    struct pod_class *out, struct arena *scratch, struct err *err)
{
	struct decoding d = { &out->arena, scratch, err, meta, 0 };
	const struct doc_node *spec = NULL;

	if (doc_get_object(root, "spec", "spec", &spec, err) != 0)
		return -1;
	d.over = pod_limits_check(&out->arena, spec, &out->over_limit);
	if (read_metadata(&d, root, meta, out) != 0 ||
	    read_scheduling(&d, spec, out) != 0 ||
	    read_demands(&d, root, spec, out) != 0 ||
	    (!(d.over & OVER_TOLERATIONS) &&
		read_tolerations(&d, spec, "spec", &out->ntolerations,
		    &out->tolerations) != 0) ||
	    read_affinity(&d, spec, out) != 0 ||
	    (!(d.over & OVER_VOLUMES) && read_volumes(&d, spec, out) != 0) ||
	    (!(d.over & (OVER_VOLUMES | OVER_RESOURCE_CLAIMS)) &&
		read_resource_claims(&d, root, spec, out) != 0))
		return -1;
	find_extended(&d, spec, out);
	out->unsupported = unsupported(root, out);
	return d.over & OVER_SPREAD ? 0 : read_spread(&d, spec, out);
}
