#include "config.h"

#include "cluster/volume_binding.h"

#include "base/arena.h"
#include "cluster/capacities.h"
#include "cluster/volume_binding_internal.h"

#define NO_PROVISIONER "kubernetes.io/no-provisioner"

/* The release from which on nodes say which plugins they have migrated. */
#define MIGRATION_FROM 17
/* The releases from which on an unusable claim is no error of the attempt; from
 * which on the capacity of drivers and the classes of attributes count. */
#define REFUSALS_FROM 20
#define CAPACITY_FROM 21
#define ATTRIBUTES_FROM 34

#define LEAF_KEY "kosmos.io/node"

/* Volumes that a claim could have */

static bool
is_bound_to(const struct persistent_volume *volume,
    const struct waiting_claim *waiting)
{
	return volume->has_claim && volume->claim_name == waiting->name &&
	    volume->claim_namespace == waiting->claim->object.namespace &&
	    (volume->claim_uid[0] == '\0' ||
		strcmp(volume->claim_uid, waiting->claim->object.uid) == 0);
}

/* The reference lists volumes by the class in their spec and then compares the
 * class that the annotation may have changed: both must be the claim's. */
static bool
could_have(const struct waiting_claim *waiting,
    const struct persistent_volume *volume, int release)
{
	const struct persistent_volume_claim *claim = waiting->claim;

	return volume->spec_class == claim->spec_class &&
	    volume->volume_mode == claim->volume_mode &&
	    (release < ATTRIBUTES_FROM ||
		volume->attributes_class == claim->attributes_class) &&
	    !volume->object.deleting && volume->capacity >= claim->request;
}

static bool
is_free_for(const struct persistent_volume *volume,
    const struct persistent_volume_claim *claim)
{
	return volume->available && !volume->has_claim &&
	    volume->class == claim->class &&
	    (!claim->has_selector ||
		selector_matches(&claim->selector, &volume->labels)) &&
	    !ANY(i, claim->naccess_modes,
		!ANY(k, volume->naccess_modes,
		    volume->access_modes[k] == claim->access_modes[i]));
}

static int
by_name(const void *a, const void *b)
{
	const struct persistent_volume *const *x = a, *const *y = b;

	return strcmp((*x)->object.name, (*y)->object.name);
}

static void
collect_reserved(struct arena *arena, const struct cluster *cluster,
    struct waiting_claim *w, int release)
{
	const struct pinned_list *all = cluster_reserved_volumes(cluster,
	    w->claim->object.namespace, w->name);

	for (size_t i = 0; all != NULL && i < all->n; i++) {
		const struct persistent_volume *volume = all->at[i].object;

		if (!could_have(w, volume, release) || !is_bound_to(volume, w))
			continue;
		arena_room(arena, w->reserved, w->nreserved, &w->reserved_cap);
		w->reserved[w->nreserved++] = volume;
	}
	if (w->nreserved > 1)
		qsort(w->reserved, w->nreserved, sizeof(*w->reserved), by_name);
}

/* The needs of a pod */

/* A claim that is bound already, but not completely, counts as immediate. */
static const char *
add_unbound(struct arena *arena, const struct cluster *cluster,
    struct volume_needs *needs, const struct persistent_volume_claim *claim,
    sym name, bool *immediate)
{
	const struct storage_class *class = NULL;

	if (claim->class != SYM_EMPTY)
		class = cluster_storage_class(cluster, claim->class);
	if (class != NULL && !class->has_binding_mode)
		return arena_printf(arena,
		    "VolumeBindingMode not set for StorageClass \"%s\"",
		    class->object.name);
	if (class == NULL || !class->waits_for_consumer ||
	    claim->volume_name != SYM_EMPTY)
		*immediate = true;
	else
		needs->waiting[needs->nwaiting++] =
		    (struct waiting_claim){ .claim = claim,
			    .class = class,
			    .checks_capacity = claim->has_request &&
				needs->release >= CAPACITY_FROM &&
				cluster_checks_capacity(cluster, class),
			    .name = name };
	return NULL;
}

/* Why the claim of this volume cannot be used at all, or NULL. */
static const char *
refusal_of(struct arena *arena, const struct pod_class *class,
    const struct volume *volume, const struct persistent_volume_claim *claim,
    const struct volume_rules *rules)
{
	const char *name = sym_text(volume->id);
	bool ephemeral = volume->kind == VOLUME_EPHEMERAL;

	if (claim == NULL && ephemeral && !rules->early)
		return arena_printf(arena,
		    "waiting for ephemeral volume controller to create the "
		    "persistentvolumeclaim \"%s\"",
		    name);
	if (claim == NULL)
		return arena_printf(arena,
		    "persistentvolumeclaim \"%s\" not found", name);
	if (claim->lost && !rules->early)
		return arena_printf(arena,
		    "persistentvolumeclaim \"%s\" bound to non-existent "
		    "persistentvolume \"%s\"",
		    name, sym_text(claim->volume_name));
	if (claim->object.deleting)
		return arena_printf(arena,
		    "persistentvolumeclaim \"%s\" is being deleted", name);
	if (ephemeral &&
	    (volume->owner == SYM_NONE || claim->controller != volume->owner))
		return rules->early ?
		    arena_printf(arena,
			"persistentvolumeclaim \"%s\" was not created for "
			"the pod",
			name) :
		    arena_printf(arena,
			"PVC %s/%s was not created for pod %s/%s (pod is not "
			"owner)",
			sym_text(class->namespace), name,
			sym_text(class->namespace),
			sym_text(volume->owner_name));
	return NULL;
}

/* The error that does not depend on the node, or NULL. */
static const char *
classify(struct arena *arena, const struct cluster *cluster,
    struct volume_needs *needs, const struct pod_class *class)
{
	static const char unbound[] =
	    "pod has unbound immediate PersistentVolumeClaims";
	bool immediate = false;

	for (uint32_t i = 0; i < class->nvolumes; i++) {
		sym name = class->volumes[i].id;
		const struct persistent_volume_claim *claim;
		struct bound_claim *bound;
		const char *error;

		if (!volume_is_claim(class->volumes[i].kind, needs->release))
			continue;
		claim = cluster_claim(cluster, class->namespace, name);
		if (claim == NULL)
			return arena_printf(arena,
			    "error getting PVC "
			    "\"%s/%s\": could not find "
			    "v1.PersistentVolumeClaim \"%s/%s\"",
			    sym_text(class->namespace), sym_text(name),
			    sym_text(class->namespace), sym_text(name));
		if (claim->volume_name == SYM_EMPTY || !claim->bind_completed) {
			error = add_unbound(arena, cluster, needs, claim, name,
			    &immediate);
			if (error != NULL)
				return error;
			continue;
		}
		bound = &needs->bound[needs->nbound++];
		bound->claim = claim;
		bound->volume = cluster_volume(cluster, claim->volume_name);
		if (bound->volume == NULL && !needs->leaf_nodes &&
		    needs->release < REFUSALS_FROM)
			bound->error = arena_printf(arena,
			    "could not find v1.PersistentVolume \"%s\"",
			    sym_text(claim->volume_name));
	}
	if (!immediate || needs->release < REFUSALS_FROM)
		return immediate ? unbound : NULL;
	needs->refusal = unbound;
	return NULL;
}

/* Users choose how many claims wait and how long their selectors are: a pod is refused
 * if these are more than in real use, and too many for the free volumes.  A pod with
 * fewer claims is not refused, however many volumes there are. */
#define REQUIREMENTS_MAX 100
#define COMPARISONS_MAX 150000

static void
search(struct volume_needs *needs, struct waiting_claim *w)
{
	struct arena *arena = needs->arena;
	const struct pinned_list *all;

	if (w->claim->has_selector && w->claim->selector.error != NULL)
		w->error = arena_printf(arena,
		    "error creating "
		    "internal label selector for claim: %s/%s: %s",
		    sym_text(w->claim->object.namespace), w->claim->object.name,
		    w->claim->selector.error);
	collect_reserved(arena, needs->cluster, w, needs->release);
	all = cluster_free_volumes(needs->cluster, w->claim->spec_class);
	for (size_t i = 0; all != NULL && i < all->n; i++) {
		const struct pinned *open = &all->at[i];

		if (!could_have(w, open->object, needs->release) ||
		    !is_free_for(open->object, w->claim))
			continue;
		if (w->free.n == 0 ||
		    w->free.at[w->free.n - 1].pin.key != open->pin.key) {
			arena_room(arena, w->pin_keys, w->npin_keys,
			    &w->pin_keys_cap);
			w->pin_keys[w->npin_keys++] = open->pin.key;
		}
		arena_room(arena, w->free.at, w->free.n, &w->free.cap);
		w->free.at[w->free.n++] = *open;
	}
}

void
volume_needs_search(struct volume_needs *needs)
{
	size_t nrequirements = 0, ncomparisons = 0;
	const char *error = NULL;

	if (needs->searched)
		return;
	needs->searched = true;
	for (uint32_t i = 0; i < needs->nwaiting; i++) {
		struct waiting_claim *w = &needs->waiting[i];
		const struct persistent_volume_claim *claim = w->claim;
		const struct pinned_list *all;
		uint32_t at = needs->nsearching;
		size_t n = 1;

		if (claim->has_selected_node && !needs->leaf_nodes)
			continue;
		/* Keeps the order of equal ones, as the reference does up to a
		 * dozen. */
		needs->nsearching++;
		for (; at > 0 &&
		     needs->searching[at - 1]->claim->request > claim->request;
		     at--)
			needs->searching[at] = needs->searching[at - 1];
		needs->searching[at] = w;
		/* With all free volumes of the claim's class; a selector that is
		 * too long is too many for a single volume. */
		if (claim->has_selector && claim->selector.too_long)
			n = COMPARISONS_MAX + 1;
		for (uint32_t k = 0;
		     claim->has_selector && k < claim->selector.n; k++)
			n += 1 + claim->selector.at[k].nvalues;
		nrequirements += n;
		all = cluster_free_volumes(needs->cluster, claim->spec_class);
		ncomparisons += all != NULL ? all->n * n : 0;
	}
	if (nrequirements > REQUIREMENTS_MAX && ncomparisons > COMPARISONS_MAX)
		error = arena_printf(needs->arena,
		    "the pod's %u claims that wait for a node, and their "
		    "selectors, are to be compared with too many volumes",
		    needs->nwaiting);
	for (uint32_t i = 0; i < needs->nsearching; i++)
		if (error != NULL)
			needs->searching[i]->error = error;
		else
			search(needs, needs->searching[i]);
}

const char *
volume_needs_error(const struct volume_needs *needs)
{
	return needs->error;
}

const char *
volume_needs_refusal(const struct volume_needs *needs)
{
	return needs->refusal;
}

struct volume_needs *
volume_needs_of(struct arena *arena, const struct cluster *cluster,
    const struct pod_class *class, const struct volume_rules *rules)
{
	struct volume_needs *needs;
	int release = rules->release;
	uint32_t n = 0;

	for (uint32_t i = 0; i < class->nvolumes; i++)
		n += volume_is_claim(class->volumes[i].kind, release);
	if (n == 0)
		return NULL;
	needs = arena_zalloc(arena, sizeof(*needs));
	needs->arena = arena;
	needs->cluster = cluster;
	needs->release = release;
	needs->leaf_nodes = rules->leaf_nodes;
	needs->leaf_key = sym_intern(LEAF_KEY);
	needs->true_ = sym_intern("true");
	needs->bound = arena_array(arena, struct bound_claim, n);
	needs->waiting = arena_array(arena, struct waiting_claim, n);
	needs->searching = arena_array(arena, struct waiting_claim *, n);
	needs->plan.matches = arena_array(arena, struct volume_match, n);
	needs->plan.provisions =
	    arena_array(arena, const struct persistent_volume_claim *, n);
	/* one that is the same on every node */
	for (uint32_t i = 0; release >= REFUSALS_FROM && i < class->nvolumes &&
	     needs->refusal == NULL;
	     i++)
		if (volume_is_claim(class->volumes[i].kind, release))
			needs->refusal =
			    refusal_of(arena, class, &class->volumes[i],
				cluster_claim(cluster, class->namespace,
				    class->volumes[i].id),
				rules);
	if (needs->refusal == NULL)
		needs->error = classify(arena, cluster, needs, class);
	return needs;
}

/* Whether a term asks for this hostname. */
static bool
asks_for_host(const struct node_selector *terms, sym key, sym host)
{
	for (uint32_t i = 0; i < terms->n; i++) {
		const struct selector *labels = &terms->at[i].labels;
		uint32_t asked = 0, met = 0;

		for (uint32_t j = 0; j < labels->n; j++) {
			bool asks = labels->at[j].key == key &&
			    labels->at[j].op == SELECTOR_IN;

			asked += asks;
			met += asks &&
			    requirement_matches_value(&labels->at[j], host);
		}
		if (asked > 0 && met == asked)
			return true;
	}
	return false;
}

/* The hostnames that terms ask for. */
static sym *
hosts_of(struct arena *arena, const struct node_selector *terms, sym key,
    uint32_t *n)
{
	sym *hosts = NULL;
	size_t cap = 0;

	*n = 0;
	for (uint32_t i = 0; i < terms->n; i++)
		for (uint32_t j = 0; j < terms->at[i].labels.n; j++) {
			const struct requirement *r =
			    &terms->at[i].labels.at[j];

			for (uint32_t k = 0; r->key == key && k < r->nvalues;
			     k++) {
				if (!asks_for_host(terms, key, r->values[k]))
					continue;
				arena_room(arena, hosts, *n, &cap);
				hosts[(*n)++] = r->values[k];
			}
		}
	return hosts;
}

const sym *
volume_needs_hosts(const struct volume_needs *needs, uint32_t *n)
{
	sym key = sym_intern("kubernetes.io/hostname"), *hosts = NULL, *own;
	uint32_t nown, kept;

	*n = 0;
	for (uint32_t i = 0; i < needs->nbound; i++) {
		const struct persistent_volume *volume = needs->bound[i].volume;

		if (volume == NULL)
			return NULL;
		own =
		    hosts_of(needs->arena, &volume->node_affinity, key, &nown);
		if (own == NULL)
			continue;
		if (hosts == NULL) {
			hosts = own;
			*n = nown;
		}
		kept = 0;
		for (uint32_t j = 0; j < *n; j++)
			if (asks_for_host(&volume->node_affinity, key,
				hosts[j]))
				hosts[kept++] = hosts[j];
		*n = kept;
	}
	return hosts;
}

/* The supply of a node */

/* Up to 1.19 a field of the node is "". */
static bool
selects(int release, const struct node_selector *affinity,
    const struct node *node)
{
	return release < REFUSALS_FROM ?
	    node_selector_matches(affinity, &node->labels, SYM_NONE) :
	    node_selector_matches_labels(affinity, &node->labels);
}

static bool
reaches(int release, const struct persistent_volume *volume,
    const struct node *node)
{
	return !volume->has_node_affinity ||
	    selects(release, &volume->node_affinity, node);
}

/* Whether the node leaves the volume's plugin to its driver. */
static bool
is_migrated(const struct volume_needs *needs,
    const struct persistent_volume *volume, const struct node *node)
{
	const struct csi_node *csi = NULL;

	if (volume->translates && needs->release >= MIGRATION_FROM)
		csi = cluster_csi_node(needs->cluster, node->name);
	return csi != NULL && (csi->migrated >> volume->kind & 1) != 0;
}

static bool
is_taken(const struct volume_plan *plan, const struct persistent_volume *volume)
{
	return ANY(i, plan->nmatches, plan->matches[i].volume == volume);
}

/* The smallest volume that is still free and reaches the node. */
static const struct persistent_volume *
find_free(const struct volume_needs *needs, const struct waiting_claim *w,
    const struct node *node)
{
	const struct persistent_volume *best = NULL;

	for (size_t i = 0; i < w->npin_keys; i++) {
		struct label pin = { w->pin_keys[i],
			labels_get(&node->labels, w->pin_keys[i]) };

		for (size_t at = pinned_first(&w->free, &pin); at < w->free.n &&
		     pinned_compare(&w->free.at[at].pin, &pin) == 0;
		     at++) {
			const struct persistent_volume *volume =
			    w->free.at[at].object;

			if (best != NULL &&
			    open_volume_compare(best, volume) < 0)
				break;
			if (!is_taken(&needs->plan, volume) &&
			    reaches(needs->release, volume, node)) {
				best = volume;
				break;
			}
		}
	}
	return best;
}

static const struct persistent_volume *
find_volume(const struct volume_needs *needs, const struct waiting_claim *w,
    const struct node *node)
{
	for (size_t i = 0; i < w->nreserved; i++)
		if (!is_taken(&needs->plan, w->reserved[i]))
			return reaches(needs->release, w->reserved[i], node) ?
			    w->reserved[i] :
			    NULL;
	return find_free(needs, w, node);
}

static bool
has_provisioner(const struct storage_class *class)
{
	return class->provisioner != SYM_EMPTY &&
	    strcmp(sym_text(class->provisioner), NO_PROVISIONER) != 0;
}

bool
storage_class_provisions_anywhere(const struct storage_class *class)
{
	return has_provisioner(class) && class->ntopologies == 0;
}

static bool
can_provision(const struct storage_class *class, const struct node *node)
{
	return has_provisioner(class) &&
	    (class->ntopologies == 0 ||
		ANY(i, class->ntopologies,
		    selector_matches(&class->topologies[i], &node->labels)));
}

static void
provision(const struct volume_needs *needs, struct volume_plan *plan,
    const struct waiting_claim *w, const struct node *node)
{
	if (plan->unmatched != NULL || plan->too_big != NULL)
		return;
	if (!can_provision(w->class, node))
		plan->unmatched = w->claim;
	else if (w->checks_capacity &&
	    NULL ==
		cluster_find_capacity(needs->cluster, w->class,
		    w->claim->request, &node->labels))
		plan->too_big = w->claim;
	else
		plan->provisions[plan->nprovisions++] = w->claim;
}

static void
plan_bound(const struct volume_needs *needs, struct volume_plan *plan,
    const struct node *node)
{
	for (uint32_t i = 0; i < needs->nbound; i++) {
		const struct bound_claim *bound = &needs->bound[i];

		plan->error = bound->error;
		if (plan->error != NULL)
			return;
		if (bound->volume == NULL)
			plan->missing = bound->claim;
		else if (bound->volume->obstacle != NULL &&
		    is_migrated(needs, bound->volume, node))
			plan->error = arena_printf(needs->arena,
			    "could not translate pv: %s",
			    bound->volume->obstacle);
		else if (is_migrated(needs, bound->volume, node) ?
			!selects(needs->release, &bound->volume->csi_affinity,
			    node) :
			!reaches(needs->release, bound->volume, node))
			plan->unreachable = bound->volume;
		if (plan->error != NULL || plan->missing != NULL ||
		    plan->unreachable != NULL)
			return;
	}
}

/* A volume for each claim, first come, smallest first; those that find none get
 * a new one. */
static void
plan_searching(struct volume_needs *needs, struct volume_plan *plan,
    const struct node *node, bool (*counts)(const struct waiting_claim *))
{
	volume_needs_search(needs);
	for (uint32_t i = 0; i < needs->nsearching; i++) {
		const struct waiting_claim *w = needs->searching[i];
		const struct persistent_volume *volume;

		if (!counts(w))
			continue;
		if (w->error != NULL) {
			plan->error = w->error;
			return;
		}
		volume = find_volume(needs, w, node);
		if (volume == NULL)
			provision(needs, plan, w, node);
		else
			plan->matches[plan->nmatches++] =
			    (struct volume_match){ w->claim, volume };
	}
}

static bool
has_no_node(const struct waiting_claim *w)
{
	return !w->claim->has_selected_node;
}

static void
plan_ordinary(struct volume_needs *needs, struct volume_plan *plan,
    const struct node *node)
{
	plan_bound(needs, plan, node);
	if (plan->error != NULL)
		return;
	/* Another node was selected for a claim: this decides before any
	 * search. */
	for (uint32_t i = 0; i < needs->nwaiting; i++) {
		const struct persistent_volume_claim *claim =
		    needs->waiting[i].claim;

		if (claim->has_selected_node &&
		    claim->selected_node != node->name) {
			plan->unmatched = claim;
			return;
		}
	}
	for (uint32_t i = 0; i < needs->nwaiting; i++)
		if (needs->waiting[i].claim->has_selected_node)
			provision(needs, plan, &needs->waiting[i], node);
	plan_searching(needs, plan, node, has_no_node);
}

/* Leaf nodes */

static bool
is_leaf(const struct volume_needs *needs, const struct node *node)
{
	return labels_get(&node->labels, needs->leaf_key) == needs->true_ ||
	    ANY(i, node->ntaints,
		node->taints[i].key == needs->leaf_key &&
		    node->taints[i].value == needs->true_ &&
		    node->taints[i].effect == EFFECT_NO_SCHEDULE);
}

/* The first claim that is a member cluster's, or NULL. */
static const struct persistent_volume_claim *
owned_claim(const struct volume_needs *needs)
{
	for (uint32_t i = 0; i < needs->nbound; i++)
		if (needs->bound[i].claim->cluster_owner != SYM_NONE)
			return needs->bound[i].claim;
	for (uint32_t i = 0; i < needs->nwaiting; i++)
		if (needs->waiting[i].claim->cluster_owner != SYM_NONE)
			return needs->waiting[i].claim;
	return NULL;
}

static bool
is_nobodys(const struct waiting_claim *w)
{
	return w->claim->cluster_owner == SYM_NONE;
}

static bool
is_in(int release, const struct persistent_volume *volume,
    const struct node *node)
{
	if (volume->cluster_owner != SYM_NONE)
		return volume->cluster_owner == node->cluster;
	return volume->has_node_affinity && reaches(release, volume, node);
}

static void
plan_whole_cluster(struct volume_needs *needs, struct volume_plan *plan,
    const struct node *node)
{
	for (uint32_t i = 0; i < needs->nbound; i++) {
		const struct bound_claim *bound = &needs->bound[i];

		if (bound->volume == NULL)
			plan->missing = bound->claim;
		else if (!is_in(needs->release, bound->volume, node))
			plan->unreachable = bound->volume;
		if (plan->missing != NULL || plan->unreachable != NULL)
			break;
	}
	for (uint32_t i = 0; i < needs->nwaiting; i++) {
		const struct persistent_volume_claim *claim =
		    needs->waiting[i].claim;

		if (claim->cluster_owner != SYM_NONE &&
		    claim->cluster_owner != node->cluster) {
			plan->unmatched = claim;
			return;
		}
	}
	for (uint32_t i = 0; i < needs->nwaiting; i++)
		if (!is_nobodys(&needs->waiting[i]))
			provision(needs, plan, &needs->waiting[i], node);
	plan_searching(needs, plan, node, is_nobodys);
}

const struct volume_plan *
volume_plan(struct volume_needs *needs, const struct node *node)
{
	struct volume_plan *plan = &needs->plan;

	*plan = (struct volume_plan){ .error = needs->error,
		.refusal = needs->refusal,
		.matches = plan->matches,
		.provisions = plan->provisions };
	if (plan->error != NULL || plan->refusal != NULL)
		return plan;
	if (needs->leaf_nodes && is_leaf(needs, node)) {
		if (node->is_whole_cluster)
			plan_whole_cluster(needs, plan, node);
		else if (needs->nbound > 0)
			plan_ordinary(needs, plan, node);
		/* the member cluster does it */
		plan->nmatches = plan->nprovisions = 0;
		return plan;
	}
	if (needs->leaf_nodes)
		plan->elsewhere = owned_claim(needs);
	if (plan->elsewhere == NULL)
		plan_ordinary(needs, plan, node);
	return plan;
}

bool
volume_plan_fits(const struct volume_plan *plan)
{
	return plan->error == NULL && plan->refusal == NULL &&
	    plan->missing == NULL && plan->elsewhere == NULL &&
	    plan->unreachable == NULL && plan->unmatched == NULL &&
	    plan->too_big == NULL;
}

/* Assuming */

/* Already names the claim with its uid: there is nothing to write. */
static bool
is_claimed_by(const struct persistent_volume *volume,
    const struct persistent_volume_claim *claim)
{
	return volume->has_claim &&
	    volume->claim_namespace == claim->object.namespace &&
	    strcmp(sym_text(volume->claim_name), claim->object.name) == 0 &&
	    strcmp(volume->claim_uid, claim->object.uid) == 0;
}

/* All copies are made before the first of them replaces an object that the plan
 * points to. */
static void
apply(struct arena *arena, struct cluster *cluster,
    const struct volume_plan *plan, sym node)
{
	struct object **copies = arena_array(arena, struct object *,
	    plan->nmatches + plan->nprovisions);
	uint32_t n = 0;

	for (uint32_t i = 0; i < plan->nmatches; i++) {
		const struct volume_match *match = &plan->matches[i];

		if (!is_claimed_by(match->volume, match->claim))
			copies[n++] =
			    &persistent_volume_claimed_by(match->volume,
				match->claim)
				 ->object;
	}
	for (uint32_t i = 0; i < plan->nprovisions; i++)
		copies[n++] =
		    &persistent_volume_claim_selected(plan->provisions[i], node)
			 ->object;
	for (uint32_t i = 0; i < n; i++) {
		cluster_put(cluster, copies[i]);
		object_unref(copies[i]);
	}
}

void
cluster_assume_volumes(struct cluster *cluster, const struct pod *pod, sym node,
    const struct volume_rules *rules)
{
	const struct node_info *at = cluster_node(cluster, node);
	struct arena arena = ARENA_INIT;
	struct volume_needs *needs;
	const struct volume_plan *plan;

	if (at == NULL || at->node == NULL || pod->class->nvolumes == 0)
		return;
	needs = volume_needs_of(&arena, cluster, pod->class, rules);
	if (needs != NULL) {
		plan = volume_plan(needs, at->node);
		if (volume_plan_fits(plan))
			apply(&arena, cluster, plan, node);
	}
	arena_fini(&arena);
}
