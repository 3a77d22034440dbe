/* From a pod's document to its class. */
#include "config.h"

#include "base/arena.h"
#include "base/doc.h"
#include "objects/decode.h"
#include "objects/fields.h"
#include "objects/in_tree.h"
#include "objects/limits.h"
#include "objects/pod_class.h"
#include "objects/pod_requests.h"
#include "base/quantity.h"
#include "objects/steering.h"
#include "objects/validation.h"

/* ---- containers ---- */

struct demand {
	const struct doc_node *requests; /* object or NULL */
	const struct doc_node *limits;
};

/* Adds up in scratch; the complete result is copied. */
static void
read_demand(struct decoder *d, const struct doc_node *container,
    struct resources *requests, struct resources *limits, struct demand *out)
{
	const struct doc_node *resources =
	    decode_object(d, container, "resources");
	struct arena *scalars = d->over & OVER_CONTAINERS ? NULL : d->scratch;

	out->requests = decode_object(d, resources, "requests");
	out->limits = decode_object(d, resources, "limits");
	*requests = decode_resources(d, out->requests, scalars);
	*limits = decode_resources(d, out->limits, scalars);
	requests->pods = limits->pods = 0; /* does not affect requests */
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

/* With ":latest" unless there is a ':' behind the last '/' (a tag or a digest;
 * kube-scheduler 1.15, normalizedImageName). */
static sym
image_with_tag(struct decoder *d, const char *image)
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

static void
read_ports(struct decoder *d, const struct doc_node *container,
    struct port_list *ports)
{
	uint32_t n;

	EACH_FROM (at, decode_objects(d, container, "ports", &n)) {
		int64_t number = decode_int(d, at, "hostPort", 0);
		const char *ip = decode_text(d, at, "hostIP", "");
		const char *protocol = decode_text(d, at, "protocol", "");

		if (number <= 0)
			continue;
		arena_room(d->scratch, ports->at, ports->n, &ports->cap);
		ports->at[ports->n++] = (struct host_port){
			.ip = sym_in(d->arena, ip[0] != '\0' ? ip : "0.0.0.0"),
			.protocol = sym_in(d->arena,
			    protocol[0] != '\0' ? protocol : "TCP"),
			.port = (int32_t)number,
		};
	}
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

static void
read_restart_rules(struct decoder *d, const struct doc_node *container,
    struct pod_class *class)
{
	uint32_t n;

	EACH_FROM (at, decode_objects(d, container, "restartPolicyRules", &n))
		if (strcmp(decode_text(d, at, "action", ""),
			"RestartAllContainers") == 0)
			class->required_features |= FEATURE_RESTART_ALL;
}

/* Images beside those of app containers. */
struct image_list {
	sym *at;
	size_t n, cap;
};

static void
add_image(struct decoder *d, struct image_list *images, const char *text)
{
	arena_room(d->scratch, images->at, images->n, &images->cap);
	images->at[images->n++] = image_with_tag(d, text);
}

/* Sums over the app containers; held and limits are in scratch. */
static void
read_containers(struct decoder *d, const struct doc_node *spec,
    struct pod_class *class, struct port_list *ports)
{
	const struct doc_node *at =
	    decode_objects(d, spec, "containers", &class->nimages);
	sym *image = arena_array(d->arena, sym, class->nimages);

	class->best_effort = true;
	class->images = image;
	for (; at != NULL; at = at->next) {
		struct resources requests, limits;
		struct demand demand;
		struct nonzero_requests nonzero;

		read_demand(d, at, &requests, &limits, &demand);
		resources_add(d->scratch, &class->held, &requests, 1);
		resources_add(d->scratch, &class->limits, &limits, 1);
		nonzero = nonzero_of(&demand, &requests);
		class->nonzero_cpu_milli =
		    wrap_add(class->nonzero_cpu_milli, nonzero.cpu_milli);
		class->nonzero_memory =
		    wrap_add(class->nonzero_memory, nonzero.memory);
		class->best_effort =
		    class->best_effort && is_best_effort(&demand);
		*image++ = image_with_tag(d, decode_text(d, at, "image", ""));
		read_ports(d, at, ports);
		read_restart_rules(d, at, class);
	}
	class->napp_ports = (uint32_t)ports->n;
	if (d->over & OVER_CONTAINERS)
		class->nimages = 0;
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
raise_to(struct decoder *d, struct resources *to, const struct resources *r,
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
beside(struct decoder *d, const struct resources *requests,
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
read_init_containers(struct decoder *d, const struct doc_node *spec,
    struct pod_class *class, struct port_list *ports, struct start_up *start_up)
{
	struct image_list images = { 0 };
	uint32_t n;

	EACH_FROM (at, decode_objects(d, spec, "initContainers", &n)) {
		struct resources requests, limits;
		struct demand demand;
		bool sidecar;
		struct nonzero_requests *to;
		struct nonzero_requests nonzero;
		struct resources now;

		read_demand(d, at, &requests, &limits, &demand);
		sidecar = strcmp(decode_text(d, at, "restartPolicy", ""),
			      "Always") == 0;
		add_image(d, &images, decode_text(d, at, "image", ""));
		read_restart_rules(d, at, class);
		/* kube-scheduler 1.20: an init container counts as far as it
		 * exceeds the sum of the containers. */
		to = &class->scored_20.held;
		nonzero = nonzero_of(&demand, &requests);
		if (nonzero.cpu_milli > to->cpu_milli)
			to->cpu_milli = nonzero.cpu_milli;
		if (nonzero.memory > to->memory)
			to->memory = nonzero.memory;
		raise_to(d, &class->requested, &requests, demand.requests);
		raise_to(d, &class->limits, &limits, demand.limits);
		now = beside(d, &requests, &start_up->sidecars);
		resources_max(d->scratch, &start_up->most, &now);
		if (sidecar) {
			resources_add(d->scratch, &start_up->running, &requests,
			    1);
			resources_add(d->scratch, &start_up->sidecars,
			    &requests, 1);
		}
		if (sidecar)
			read_ports(d, at, ports);
	}
	if (d->over & OVER_CONTAINERS)
		return;
	class->ninit_containers = class->nother_images = n;
	class->other_images =
	    arena_memdup(d->arena, images.at, n * sizeof(*images.at));
}

/*
 * spec.overhead: the requests of the pod's sandbox, added to all other requests.
 * While the pod waits kube-scheduler 1.20 scores it with as many milli as the
 * overhead has whole units of cpu.
 */
static void
add_overhead(struct decoder *d, const struct doc_node *spec,
    struct pod_class *class, struct resources *full)
{
	struct scored_requests *scored = &class->scored_20;
	const struct doc_node *list = decode_object(d, spec, "overhead");
	struct resources overhead = decode_resources(d, list,
	    d->over & OVER_CONTAINERS ? NULL : d->scratch);
	struct quantity cpu = QUANTITY_ZERO;

	overhead.pods = 0;
	if (!d->failed) /* it was a quantity */
		quantity_from_doc(doc_get(list, "cpu"), &cpu, NULL);
	resources_add(d->scratch, full, &overhead, 1);
	class->scored_bare = scored->held;
	scored->pending.cpu_milli =
	    wrap_add(scored->held.cpu_milli, quantity_value(&cpu));
	scored->held.cpu_milli =
	    wrap_add(scored->held.cpu_milli, overhead.cpu_milli);
	scored->held.memory = wrap_add(scored->held.memory, overhead.memory);
	scored->pending.memory = scored->held.memory;
}

static void
read_demands(struct decoder *d, const struct doc_node *spec,
    struct pod_class *class)
{
	struct start_up s = { .most = NO_RESOURCES };
	struct port_list ports = { 0 };

	read_containers(d, spec, class, &ports);
	if (doc_get(spec, "resources") != NULL) {
		/* Requests and limits at pod level are the pod's, too. */
		struct resources requests;
		struct resources limits;
		struct demand demand;

		read_demand(d, spec, &requests, &limits, &demand);
		class->best_effort =
		    class->best_effort && is_best_effort(&demand);
	}
	class->requested = resources_copy(d->scratch, &class->held);
	s.running = resources_copy(d->scratch, &class->held);
	class->scored_20.held =
	    (struct nonzero_requests){ class->nonzero_cpu_milli,
		    class->nonzero_memory };
	read_init_containers(d, spec, class, &ports, &s);
	resources_max(d->scratch, &s.running, &s.most);
	add_overhead(d, spec, class, &s.running);
	class->full = resources_copy(d->arena, &s.running);
	class->held = resources_copy(d->arena, &class->held);
	class->requested = resources_copy(d->arena, &class->requested);
	class->limits = resources_copy(d->arena, &class->limits);
	if (d->over & OVER_CONTAINERS)
		ports.n = class->napp_ports = 0;
	class->nports = (uint32_t)ports.n;
	class->ports =
	    arena_memdup(d->arena, ports.at, ports.n * sizeof(*ports.at));
	pod_requests_decode(d, class);
}

/* ---- tolerations ---- */

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

static void
read_toleration(struct decoder *d, const struct doc_node *node, void *out)
{
	struct toleration *t = out;
	const char *effect;

	t->key = decode_sym(d, node, "key", SYM_EMPTY);
	t->value = decode_sym(d, node, "value", SYM_EMPTY);
	t->op = operator_from_text(decode_text(d, node, "operator", ""));
	effect = decode_text(d, node, "effect", "");
	t->effect = taint_effect_parse(effect);
	t->effect_text = sym_in(d->arena, effect);
}

const struct toleration *
decode_tolerations(struct decoder *d, const struct doc_node *node, uint32_t *n)
{
	return decode_each(d, node, "tolerations", n, sizeof(struct toleration),
	    read_toleration);
}

/* ---- affinity ---- */

#define REQUIRED "requiredDuringSchedulingIgnoredDuringExecution"
#define PREFERRED "preferredDuringSchedulingIgnoredDuringExecution"

static void
read_preferred_node(struct decoder *d, const struct doc_node *node, void *out)
{
	struct preferred_node_term *preferred = out;
	const struct doc_node *preference;

	preferred->weight = decode_int(d, node, "weight", 0);
	preference = decode_object(d, node, "preference");
	preferred->expressions = decode_node_requirements(d,
	    doc_get(preference, "matchExpressions"));
	preferred->term = decode_node_term(d, preference);
	if (preferred->term.labels.error != NULL ||
	    preferred->term.fields.error != NULL)
		preferred->problems = node_selector_term_problems(d->arena,
		    preference, &preferred->nproblems, NULL);
}

struct node_affinity
decode_node_affinity(struct decoder *d, const struct doc_node *node)
{
	const struct doc_node *required = decode_object(d, node, REQUIRED);
	struct node_affinity affinity = { .has_required = required != NULL };

	affinity.required = decode_node_selector(d, required);
	affinity.preferred =
	    decode_each(d, node, PREFERRED, &affinity.npreferred,
		sizeof(*affinity.preferred), read_preferred_node);
	return affinity;
}

/* The API server has put matchLabelKeys and mismatchLabelKeys into labelSelector,
 * so they are not read (as in kube-scheduler). */
static void
read_pod_term(struct decoder *d, const struct doc_node *node, void *out)
{
	struct pod_term *term = out;
	const struct doc_node *selector;

	term->namespaces =
	    decode_syms(d, node, "namespaces", &term->nnamespaces);
	term->selector =
	    decode_label_selector(d, doc_get(node, "labelSelector"));
	selector = decode_object(d, node, "namespaceSelector");
	term->namespace_selector = decode_label_selector(d, selector);
	term->selects_namespaces = selector != NULL;
	if (term->selector.error == NULL)
		term->selector.error = term->namespace_selector.error;
	term->nnamed = term->nnamespaces;
	if (term->nnamespaces == 0) {
		term->namespaces = arena_memdup(d->arena, &d->meta->namespace,
		    sizeof(*term->namespaces));
		term->nnamespaces = 1;
	}
	term->topology_key = decode_sym(d, node, "topologyKey", SYM_EMPTY);
}

static void
read_weighted_pod_term(struct decoder *d, const struct doc_node *node,
    void *out)
{
	struct pod_term *term = out;

	term->weight = decode_int(d, node, "weight", 0);
	read_pod_term(d, decode_object(d, node, "podAffinityTerm"), term);
}

static void
read_pod_terms(struct decoder *d, const struct doc_node *node,
    struct pod_terms *out)
{
	out->present = node != NULL;
	out->required = decode_each(d, node, REQUIRED, &out->nrequired,
	    sizeof(*out->required), read_pod_term);
	out->preferred = decode_each(d, node, PREFERRED, &out->npreferred,
	    sizeof(*out->preferred), read_weighted_pod_term);
}

static void
read_affinity(struct decoder *d, const struct doc_node *spec,
    struct pod_class *class)
{
	const struct doc_node *affinity;
	struct node_affinity own;

	affinity = decode_object(d, spec, "affinity");
	if (!(d->over & OVER_NODE_AFFINITY)) {
		own = decode_node_affinity(d,
		    decode_object(d, affinity, "nodeAffinity"));
		class->has_required_node_affinity = own.has_required;
		class->required_node_affinity = own.required;
		class->npreferred_nodes = own.npreferred;
		class->preferred_nodes = own.preferred;
	}
	if (d->over & OVER_POD_AFFINITY)
		return;
	read_pod_terms(d, decode_object(d, affinity, "podAffinity"),
	    &class->affinity);
	read_pod_terms(d, decode_object(d, affinity, "podAntiAffinity"),
	    &class->anti_affinity);
}

/* ---- volumes ---- */

/* The uid of the pod; SYM_NONE when it has none yet. */
static sym
own_uid(struct decoder *d)
{
	const char *uid = d->meta->uid;

	return uid[0] != '\0' ? sym_in(d->arena, uid) : SYM_NONE;
}

static void
read_volume(struct decoder *d, const struct doc_node *node, void *out)
{
	const struct volume_source *s = volume_sources;
	const struct doc_node *source = NULL;
	struct volume *volume = out;
	struct in_tree in_tree;

	while (
	    s->key != NULL && (source = decode_object(d, node, s->key)) == NULL)
		s++;
	volume->kind = s->kind;
	volume->owner = SYM_NONE;
	if (volume->kind == VOLUME_EPHEMERAL) {
		/* Its claim is "POD-VOLUME". */
		volume->id = sym_in(d->arena,
		    arena_printf(d->scratch, "%s-%s", d->meta->name,
			decode_text(d, node, "name", "")));
		volume->owner = own_uid(d);
		volume->owner_name = sym_in(d->arena, d->meta->name);
	}
	if (s->id == NULL)
		return;
	volume->id = decode_sym(d, source, s->id, SYM_EMPTY);
	volume->read_only = decode_flag(d, source, "readOnly", false);
	in_tree = in_tree_read(d, source, volume->kind, volume->id);
	volume->handle = in_tree_handle(d->arena, &in_tree);
	if (volume->kind != VOLUME_RBD)
		return;
	volume->pool = decode_sym(d, source, "pool", SYM_EMPTY);
	volume->monitors =
	    decode_syms(d, source, "monitors", &volume->nmonitors);
}

static void
read_volumes(struct decoder *d, const struct doc_node *spec,
    struct pod_class *class)
{
	struct image_list images = { 0 };
	size_t n;
	sym *all;

	class->volumes = decode_each(d, spec, "volumes", &class->nvolumes,
	    sizeof(*class->volumes), read_volume);
	EACH_FROM (at, decode_objects(d, spec, "volumes", NULL)) {
		const struct doc_node *image = decode_object(d, at, "image");

		if (image != NULL)
			add_image(d, &images,
			    decode_text(d, image, "reference", ""));
	}
	n = class->nother_images;
	all = arena_array(d->arena, sym, n + images.n);
	if (images.n == 0)
		return;
	if (n > 0)
		memcpy(all, class->other_images, n * sizeof(*all));
	memcpy(all + n, images.at, images.n * sizeof(*all));
	class->other_images = all;
	class->nother_images += (uint32_t)images.n;
}

/* ---- device claims ---- */

/* A claim by name, or one that is made from a template; up to 1.30 in the
 * member source. */
static void
read_resource_claim(struct decoder *d, const struct doc_node *node, void *out)
{
	struct pod_resource_claim *claim = out;
	const char *name = decode_text(d, node, "name", "");
	const struct doc_node *source = decode_object(d, node, "source");

	claim->name = sym_in(d->arena, name);
	claim->claim = decode_sym(d, source != NULL ? source : node,
	    "resourceClaimName", SYM_NONE);
	claim->created = claim->claim != SYM_NONE;
	claim->from_template = !claim->created;
	claim->owner = claim->from_template ? own_uid(d) : SYM_NONE;
	if (claim->from_template) {
		/* Sets claim and created from
		 * status.resourceClaimStatuses[]. */
		EACH_FROM (at,
		    decode_objects(d, decode_object(d, d->root, "status"),
			"resourceClaimStatuses", NULL))
			if (strcmp(decode_text(d, at, "name", ""), name) == 0) {
				claim->created = true;
				claim->claim = decode_sym(d, at,
				    "resourceClaimName", SYM_NONE);
				return;
			}
	}
}

/* ---- the rest ---- */

static void
read_spread_constraint(struct decoder *d, const struct doc_node *node,
    void *out)
{
	struct spread_constraint *c = out;
	const char *affinity;

	c->max_skew = decode_int(d, node, "maxSkew", 0);
	c->min_domains = decode_int(d, node, "minDomains", 1);
	c->topology_key = decode_sym(d, node, "topologyKey", SYM_EMPTY);
	c->hard = strcmp(decode_text(d, node, "whenUnsatisfiable", ""),
		      "DoNotSchedule") == 0;
	affinity = decode_text(d, node, "nodeAffinityPolicy", "");
	c->ignores_affinity =
	    affinity[0] != '\0' && strcmp(affinity, "Honor") != 0;
	c->honors_taints =
	    strcmp(decode_text(d, node, "nodeTaintsPolicy", ""), "Honor") == 0;
	c->match_keys = decode_syms(d, node, "matchLabelKeys", &c->nmatch_keys);
	c->selector = decode_label_selector(d, doc_get(node, "labelSelector"));
}

/* The controller is the first ownerReference with controller: true
 * (metav1.GetControllerOf). */
static void
read_controller(struct decoder *d, struct pod_class *class)
{
	class->controller_kind = SYM_NONE;
	class->controller_uid = SYM_NONE;
	class->sticky_job = class->sticky_job_uid = SYM_NONE;
	class->controller_name = class->controller_version = SYM_NONE;
	EACH_FROM (at,
	    decode_objects(d, doc_get(d->root, "metadata"), "ownerReferences",
		NULL)) {
		bool controller = decode_flag(d, at, "controller", false);
		const char *kind = decode_text(d, at, "kind", "");
		const char *uid = decode_text(d, at, "uid", "");
		const char *name = decode_text(d, at, "name", "");
		const char *version = decode_text(d, at, "apiVersion", "");

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

	EACH_CHILD (at, requests)
		n += strcmp(at->key, name) < 0;
	return n;
}

static void
add_extended(struct decoder *d, const struct doc_node *container,
    uint32_t number, bool ends, struct extended_list *list)
{
	const struct doc_node *requests =
	    doc_get(doc_get(container, "resources"), "requests");

	EACH_CHILD (at, requests) {
		struct quantity q;

		if (!resource_is_of_devices(at->key) ||
		    quantity_from_doc(at, &q, NULL) != 0 || q.nano != 0 ||
		    quantity_sign(&q) <= 0)
			continue;
		arena_room(d->scratch, list->at, list->n, &list->cap);
		list->at[list->n++] = (struct container_resource){
			.name = sym_in(d->arena, at->key),
			.of = decode_sym(d, container, "name", SYM_EMPTY),
			.container = number,
			.place = place_among(requests, at->key),
			.ends = ends,
			.count = quantity_value(&q),
		};
	}
}

static void
find_extended(struct decoder *d, const struct doc_node *spec,
    struct pod_class *class)
{
	struct extended_list list = { 0 };
	uint32_t number = 0;

	if (class->full.nscalars == 0 || d->over & OVER_CONTAINERS || d->failed)
		return;
	EACH_CHILD (at, doc_get(spec, "initContainers")) {
		const char *restart = decode_text(d, at, "restartPolicy", "");

		add_extended(d, at, number++, strcmp(restart, "Always") != 0,
		    &list);
	}
	EACH_CHILD (at, doc_get(spec, "containers"))
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

void
pod_class_decode(struct decoder *d, struct pod_class *out)
{
	const struct doc_node *spec = decode_object(d, d->root, "spec");
	const char *scheduler;
	bool host_users;

	d->over = pod_limits_check(&d->settings->pod_limits, d->arena, spec,
	    &out->over_limit);
	out->namespace = d->meta->namespace;
	sym_hold(d->arena, out->namespace);
	out->terminating = d->meta->deleting;
	out->labels = decode_labels(d, d->meta->labels);
	decode_class_fields(d, spec, pod_spec_fields(), out);
	read_controller(d, out);
	scheduler = decode_text(d, spec, "schedulerName", "");
	out->host_network = decode_flag(d, spec, "hostNetwork", false);
	host_users = decode_flag(d, spec, "hostUsers", true);
	out->scheduler_name = sym_in(d->arena,
	    scheduler[0] != '\0' ? scheduler : "default-scheduler");
	if (out->host_network && !host_users)
		out->required_features |= FEATURE_HOST_NETWORK_USERS;
	read_demands(d, spec, out);
	if (!(d->over & OVER_TOLERATIONS))
		out->tolerations =
		    decode_tolerations(d, spec, &out->ntolerations);
	read_affinity(d, spec, out);
	if (!(d->over & OVER_VOLUMES))
		read_volumes(d, spec, out);
	if (!(d->over & (OVER_VOLUMES | OVER_RESOURCE_CLAIMS)))
		out->resource_claims = decode_each(d, spec, "resourceClaims",
		    &out->nresource_claims, sizeof(*out->resource_claims),
		    read_resource_claim);
	find_extended(d, spec, out);
	out->unsupported = unsupported(d->root, out);
	if (!(d->over & OVER_SPREAD))
		out->spread = decode_each(d, spec, "topologySpreadConstraints",
		    &out->nspread, sizeof(*out->spread),
		    read_spread_constraint);
}
