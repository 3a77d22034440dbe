#include "config.h"

#include "cluster/cluster.h"

#include "base/hash.h"
#include "base/sorted.h"
#include "cluster/capacities.h"
#include "cluster/columns.h"
#include "cluster/confines.h"
#include "cluster/host_ports.h"
#include "cluster/index.h"
#include "cluster/label_columns.h"
#include "cluster/label_terms.h"
#include "cluster/node_info_internal.h"
#include "cluster/open_volumes.h"
#include "cluster/scalar_columns.h"
#include "cluster/selector_index.h"
#include "cluster/term_scope.h"
#include "cluster/volume_users.h"

/* A pod that has a node or a nomination. */
struct cluster_pod {
	struct pod *pod;
	struct node_info *node;         /* on it; NULL: only nominated */
	struct node_info *nominated_to; /* NULL when on a node */
	uint32_t class_at;              /* index.h */
	bool assumed;
};

struct cluster *
cluster_new(void)
{
	struct cluster *cluster = xcalloc(1, sizeof(*cluster));

	cluster->kubernetes_minor = 15;
	cluster->allocates_devices = true;
	cluster_set_scheduler_names(cluster, 1,
	    &(const sym){ sym_intern("default-scheduler") });
	journal_init(&cluster->journal);
	return cluster;
}

void
cluster_set_scheduler_names(struct cluster *cluster, size_t n, const sym *names)
{
	free(cluster->scheduler_names);
	cluster->scheduler_names = xcalloc(n + 1, sizeof(sym));
	memcpy(cluster->scheduler_names, names, n * sizeof(sym));
	cluster->nscheduler_names = n;
}

bool
cluster_schedules(const struct cluster *cluster, sym scheduler_name)
{
	return ANY(i, cluster->nscheduler_names,
	    cluster->scheduler_names[i] == scheduler_name);
}

/* The node changed; sign and class as in struct node_change. */
static void
record(struct cluster *cluster, struct node_info *node,
    const struct pod_class *class, int sign)
{
	node->generation = ++cluster->generation;
	if (node->index != NODE_INDEX_NONE)
		journal_add(&cluster->journal, node->index, class, sign);
}

static void
touch(struct cluster *cluster, struct node_info *node)
{
	record(cluster, node, NULL, 0);
}

void
cluster_touch(struct cluster *cluster, struct node_info *node)
{
	touch(cluster, node);
}

/* Nodes */

struct node_info *
cluster_node(const struct cluster *cluster, sym name)
{
	return map_get(&cluster->node_infos, name);
}

static struct node_info *
node_get(struct cluster *cluster, sym name)
{
	struct node_info *node = cluster_node(cluster, name);

	if (node != NULL)
		return node;
	node = xcalloc(1, sizeof(*node));
	node->name = sym_ref(name);
	node->index = NODE_INDEX_NONE;
	node->lowest_priority = INT32_MAX;
	node->name_hash = hash_stable(sym_text(name), sym_len(name));
	map_put(&cluster->node_infos, name, node);
	return node;
}

static void
node_free(struct node_info *node)
{
	if (node->node != NULL)
		object_unref((struct object *)&node->node->object);
	free(node->pods);
	free(node->ports);
	free(node->nominated);
	resources_tally_fini(&node->requested);
	sym_unref(node->name);
	free(node);
}

static void
node_free_if_unused(struct cluster *cluster, struct node_info *node)
{
	if (node->node != NULL || node->npods > 0 || node->nnominated > 0)
		return;
	map_del(&cluster->node_infos, node->name);
	node_free(node);
}

#define FEW_MOVES 4 /* for each node, to bring them in order */

struct hashed_node {
	uint64_t hash;
	uint32_t at;
};

static int
by_hash(const void *a, const void *b)
{
	const struct hashed_node *x = a, *y = b;

	if (x->hash != y->hash)
		return x->hash < y->hash ? -1 : 1;
	return (x->at > y->at) - (x->at < y->at);
}

const uint32_t *
cluster_order(struct cluster *cluster)
{
	uint32_t n = cluster->nnodes, k = 0, moves = 0;
	AUTOFREE struct hashed_node *nodes = NULL;

	if (cluster->order_epoch == cluster->journal.epoch &&
	    cluster->norder == n)
		return cluster->order;
	nodes = xcalloc(n, sizeof(*nodes));
	/* mostly few have come or gone, and the others are in order */
	for (uint32_t i = 0; i < cluster->norder || i < n; i++) {
		uint32_t at = i < cluster->norder ? cluster->order[i] : i;

		if (at < n)
			nodes[k++] =
			    (struct hashed_node){ cluster->name_hashes[at],
				    at };
	}
	for (uint32_t i = 1; i < n && moves < FEW_MOVES * n; i++) {
		struct hashed_node node = nodes[i];

		for (k = i; k > 0 && by_hash(&node, &nodes[k - 1]) < 0; k--)
			nodes[k] = nodes[k - 1];
		nodes[k] = node;
		moves += i - k;
	}
	if (moves >= FEW_MOVES * n)
		qsort(nodes, n, sizeof(*nodes), by_hash);
	cluster->order = xrealloc(cluster->order, n, sizeof(*cluster->order));
	for (uint32_t i = 0; i < n; i++)
		cluster->order[i] = nodes[i].at;
	cluster->norder = n;
	cluster->order_epoch = cluster->journal.epoch;
	return cluster->order;
}

const struct image_info *
cluster_image(const struct cluster *cluster, sym name)
{
	return map_get(&cluster->images, name);
}

static void
image_add(struct cluster *cluster, const struct node_image *image,
    struct node_info *node)
{
	struct image_info *info = map_get(&cluster->images, image->name);

	if (info == NULL) {
		info = xcalloc(1, sizeof(*info));
		info->name = sym_ref(image->name);
		info->bytes = image->bytes;
		map_put(&cluster->images, image->name, info);
	}
	/* the node may list a name twice; its images come in one go */
	if (info->nnodes > 0 && info->nodes[info->nnodes - 1] == node)
		return;
	vec_room(info->nodes, info->nnodes, &info->cap);
	info->nodes[info->nnodes++] = node;
}

static void
image_free(struct image_info *info)
{
	sym_unref(info->name);
	free(info->nodes);
	free(info);
}

static void
image_remove(struct cluster *cluster, const struct node_image *image,
    const struct node_info *node)
{
	struct image_info *info = map_get(&cluster->images, image->name);
	uint32_t at = 0;

	if (info == NULL)
		return;
	while (at < info->nnodes && info->nodes[at] != node)
		at++;
	if (at == info->nnodes)
		return;
	info->nodes[at] = info->nodes[--info->nnodes];
	if (info->nnodes > 0)
		return;
	map_del(&cluster->images, image->name);
	image_free(info);
}

static void
node_put(struct cluster *cluster, struct node *object)
{
	struct node_info *node = node_get(cluster, object->name);
	const struct node *before = node->node;

	if (before != NULL && node_equal(before, object))
		return;
	object_ref(&object->object);
	node->node = object;
	cluster->objects++;
	scalars_count(cluster, &object->allocatable, 1);
	if (before != NULL)
		scalars_count(cluster, &before->allocatable, -1);
	cluster->navoiding += object->navoided > 0;
	cluster->navoiding -= before != NULL && before->navoided > 0;
	index_label_keys(cluster, before != NULL ? &before->labels : NULL,
	    &object->labels);
	if (before == NULL) {
		vec_room(cluster->nodes, cluster->nnodes, &cluster->nodes_cap);
		vec_room(cluster->name_hashes, cluster->nnodes,
		    &cluster->hashes_cap);
		node->index = cluster->nnodes;
		cluster->name_hashes[cluster->nnodes] = node->name_hash;
		cluster->nodes[cluster->nnodes++] = node;
		cluster->labels++;
		index_node_added(cluster, node);
	} else if (!labels_equal(&before->labels, &object->labels)) {
		cluster->labels++;
		index_node_relabelled(cluster, node);
	}
	if (before == NULL || !node_images_equal(before, object)) {
		for (uint32_t i = 0; before != NULL && i < before->nimages; i++)
			image_remove(cluster, &before->images[i], node);
		for (uint32_t i = 0; i < object->nimages; i++)
			image_add(cluster, &object->images[i], node);
	}
	touch(cluster, node);
	if (before != NULL)
		object_unref((struct object *)&before->object);
}

static void
node_remove(struct cluster *cluster, const struct node *object)
{
	struct node_info *node = cluster_node(cluster, object->name);
	struct node_info *last;
	const struct node *before;

	if (node == NULL || node->node == NULL)
		return;
	before = node->node;
	scalars_count(cluster, &before->allocatable, -1);
	for (uint32_t i = 0; i < before->nimages; i++)
		image_remove(cluster, &before->images[i], node);
	last = cluster->nodes[--cluster->nnodes];
	cluster->nodes[node->index] = last;
	cluster->name_hashes[node->index] = last->name_hash;
	last->index = node->index;
	node->index = NODE_INDEX_NONE;
	journal_reset(&cluster->journal);
	cluster->objects++;
	cluster->labels++;
	cluster->navoiding -= before->navoided > 0;
	node->node = NULL;
	index_label_keys(cluster, &before->labels, NULL);
	index_forget(cluster);
	touch(cluster, node);
	object_unref((struct object *)&before->object);
	node_free_if_unused(cluster, node);
}

/* Pods */

static struct cluster_pod *
pod_find(const struct cluster *cluster, const struct pod *pod)
{
	return strmap_get(&cluster->pods, pod->object.uid);
}

static void
count_priority(struct cluster *cluster, int32_t priority, int sign)
{
	struct cluster_priority *at;
	size_t i;

	SORTED_FIND(i, cluster->npriorities,
	    cluster->priorities[i].priority < priority);
	if (i == cluster->npriorities ||
	    cluster->priorities[i].priority != priority) {
		SORTED_INSERT(cluster->priorities, cluster->npriorities,
		    &cluster->priorities_cap, i);
		cluster->priorities[i] =
		    (struct cluster_priority){ priority, 0 };
	}
	at = &cluster->priorities[i];
	at->npods += (uint32_t)sign;
	if (at->npods == 0)
		SORTED_REMOVE(cluster->priorities, cluster->npriorities, i);
}

static void
put_on_node(struct cluster *cluster, struct cluster_pod *entry,
    struct node_info *node)
{
	const struct pod *pod = entry->pod;
	const struct pod_class *class = pod->class;
	uint32_t nports = pod_nports(class, cluster->kubernetes_minor);

	entry->node = node;
	vec_room(node->pods, node->npods, &node->pods_cap);
	node->pods[node->npods++] = pod;
	count_priority(cluster, pod->priority, 1);
	if (pod->priority < node->lowest_priority)
		node->lowest_priority = pod->priority;
	while (node->ports_cap < node->nports + nports)
		vec_room(node->ports, node->ports_cap, &node->ports_cap);
	if (nports > 0) {
		node->nports =
		    host_ports_add(node->ports, node->nports, class, nports);
		port_users_count(cluster, node, class, 1);
	}
	volume_users_count(cluster, node, class, 1);
	scalars_count(cluster, pod_held(class, cluster->kubernetes_minor), 1);
	node_info_tally(node, cluster->kubernetes_minor, class, 1);
	index_pod_added(cluster, pod, node, &entry->class_at);
	record(cluster, node, class, 1);
}

static void
drop_from(const struct pod **pods, uint32_t *n, const struct pod *pod)
{
	for (uint32_t i = 0; i < *n; i++)
		if (pods[i] == pod) {
			pods[i] = pods[--*n];
			return;
		}
}

static int32_t
lowest_priority(const struct node_info *node)
{
	int32_t lowest = INT32_MAX;

	for (uint32_t i = 0; i < node->npods; i++)
		if (node->pods[i]->priority < lowest)
			lowest = node->pods[i]->priority;
	return lowest;
}

static void
take_from_node(struct cluster *cluster, struct cluster_pod *entry)
{
	struct node_info *node = entry->node;
	const struct pod *pod = entry->pod, *moved;
	const struct pod_class *class = pod->class;
	uint32_t nports = pod_nports(class, cluster->kubernetes_minor);

	drop_from(node->pods, &node->npods, pod);
	count_priority(cluster, pod->priority, -1);
	if (pod->priority == node->lowest_priority)
		node->lowest_priority = lowest_priority(node);
	node->nports =
	    host_ports_remove(node->ports, node->nports, class, nports, false);
	port_users_count(cluster, node, class, -1);
	volume_users_count(cluster, node, class, -1);
	scalars_count(cluster, pod_held(class, cluster->kubernetes_minor), -1);
	node_info_tally(node, cluster->kubernetes_minor, class, -1);
	moved = index_pod_removed(cluster, pod, entry->class_at);
	if (moved != NULL)
		pod_find(cluster, moved)->class_at = entry->class_at;
	record(cluster, node, class, -1);
	entry->node = NULL;
	node_free_if_unused(cluster, node);
}

static void
nominate(struct cluster *cluster, struct cluster_pod *entry, sym name)
{
	struct node_info *node = node_get(cluster, name);

	entry->nominated_to = node;
	if (node->nnominated == 0) {
		vec_room(cluster->nominated_to, cluster->nnominated_to,
		    &cluster->nominated_to_cap);
		node->nominated_at = cluster->nnominated_to;
		cluster->nominated_to[cluster->nnominated_to++] = node;
	}
	vec_room(node->nominated, node->nnominated, &node->nominated_cap);
	node->nominated[node->nnominated++] = entry->pod;
	cluster->nnominated++;
	touch(cluster, node);
}

static void
unnominate(struct cluster *cluster, struct cluster_pod *entry)
{
	struct node_info *node = entry->nominated_to;

	drop_from(node->nominated, &node->nnominated, entry->pod);
	cluster->nnominated--;
	if (node->nnominated == 0) {
		struct node_info *last =
		    cluster->nominated_to[--cluster->nnominated_to];

		cluster->nominated_to[node->nominated_at] = last;
		last->nominated_at = node->nominated_at;
	}
	touch(cluster, node);
	entry->nominated_to = NULL;
	node_free_if_unused(cluster, node);
}

static void
entry_free(struct cluster_pod *entry)
{
	pod_unref(entry->pod);
	free(entry);
}

static void
pod_remove(struct cluster *cluster, const struct pod *pod)
{
	struct cluster_pod *entry = pod_find(cluster, pod);

	if (entry == NULL)
		return;
	if (entry->node != NULL)
		take_from_node(cluster, entry);
	if (entry->nominated_to != NULL)
		unnominate(cluster, entry);
	strmap_del(&cluster->pods, entry->pod->object.uid);
	entry_free(entry);
}

static struct cluster_pod *
entry_add(struct cluster *cluster, struct pod *takes)
{
	struct cluster_pod *entry = xcalloc(1, sizeof(*entry));

	entry->pod = takes;
	strmap_put(&cluster->pods, takes->object.uid, entry);
	return entry;
}

static void
pod_put(struct cluster *cluster, struct pod *pod)
{
	struct cluster_pod *entry = pod_find(cluster, pod);
	bool terminal = pod_has_ended(pod);

	/* the API server does not know yet that it is bound */
	if (entry != NULL && entry->assumed && pod->node == SYM_EMPTY &&
	    !terminal)
		return;
	/* the caller's reference may be that of the cluster */
	pod_ref(pod);
	if (entry != NULL)
		pod_remove(cluster, pod);
	if (terminal ||
	    (pod->node == SYM_EMPTY &&
		(pod->nominated == SYM_EMPTY ||
		    !cluster_schedules(cluster, pod->class->scheduler_name)))) {
		pod_unref(pod);
		return;
	}
	entry = entry_add(cluster, pod);
	if (pod->node != SYM_EMPTY)
		put_on_node(cluster, entry, node_get(cluster, pod->node));
	else
		nominate(cluster, entry, pod->nominated);
}

static void
notify(struct cluster *cluster, enum cluster_change change,
    const struct object *object, sym node)
{
	if (cluster->changed != NULL)
		cluster->changed(cluster->changed_arg, change, object, node);
}

int
cluster_assume(struct cluster *cluster, const struct pod *pod, sym node,
    struct err *err)
{
	struct cluster_pod *entry = pod_find(cluster, pod);

	if (entry != NULL && entry->node != NULL)
		return errf(err, "pod %s is in the cache, so can't be assumed",
		    pod->object.uid);
	notify(cluster, CLUSTER_ASSUME, &pod->object, node);
	if (entry != NULL)
		pod_remove(cluster, pod);
	entry = entry_add(cluster, pod_on_node(pod, node));
	entry->assumed = true;
	put_on_node(cluster, entry, node_get(cluster, node));
	return 0;
}

void
cluster_forget(struct cluster *cluster, const struct pod *pod)
{
	const struct cluster_pod *entry = pod_find(cluster, pod);

	if (entry == NULL || !entry->assumed)
		return;
	notify(cluster, CLUSTER_FORGET, &pod->object, SYM_NONE);
	pod_remove(cluster, pod);
}

const struct pod *
cluster_bound_pod(const struct cluster *cluster, const char *uid)
{
	const struct cluster_pod *entry = strmap_get(&cluster->pods, uid);

	return entry != NULL && entry->node != NULL && !entry->assumed ?
	    entry->pod :
	    NULL;
}

const struct pod *
cluster_nominated_pod(const struct cluster *cluster, const char *uid)
{
	const struct cluster_pod *entry = strmap_get(&cluster->pods, uid);

	return entry != NULL && entry->nominated_to != NULL ? entry->pod : NULL;
}

/* The place of the name, or where to insert it; *found: it exists. */
static size_t
list_find(const struct object_list *list, const char *name, bool *found)
{
	size_t i;

	SORTED_FIND(i, list->n, strcmp(list->at[i]->name, name) < 0);
	*found = i < list->n && strcmp(list->at[i]->name, name) == 0;
	return i;
}

/* That of objects of this kind; NAMESPACE_LISTS: they are kept otherwise. */
static enum namespace_list
list_of(enum object_kind kind)
{
	static const enum object_kind kinds[NAMESPACE_LISTS] = {
		[SELECTING_SERVICES] = OBJECT_SERVICE,
		[SELECTING_CONTROLLERS] = OBJECT_REPLICATION_CONTROLLER,
		[SELECTING_REPLICA_SETS] = OBJECT_REPLICA_SET,
		[SELECTING_STATEFUL_SETS] = OBJECT_STATEFUL_SET,
		[SELECTING_BUDGETS] = OBJECT_POD_DISRUPTION_BUDGET,
		[DISTRIBUTION_POLICIES] = OBJECT_DISTRIBUTION_POLICY,
		[CLUSTER_DISTRIBUTION_POLICIES] =
		    OBJECT_CLUSTER_DISTRIBUTION_POLICY,
	};
	enum namespace_list list = 0;

	while (list < NAMESPACE_LISTS && kinds[list] != kind)
		list++;
	return list;
}

const struct namespace_info *
cluster_namespace(const struct cluster *cluster, sym namespace)
{
	return map_get(&cluster->namespaces, namespace);
}

static const struct workload *
find_service(const struct cluster *cluster, sym namespace, const char *name)
{
	const struct namespace_info *ns = cluster_namespace(cluster, namespace);
	bool found = false;
	size_t at = ns != NULL ?
	    list_find(&ns->lists[SELECTING_SERVICES], name, &found) :
	    0;

	return found ? workload_at(ns, SELECTING_SERVICES, at) : NULL;
}

static void
list_changed(struct cluster *cluster, struct namespace_info *ns,
    enum namespace_list list)
{
	if (list >= SELECTING_LISTS)
		return;
	ns->versions[list] = ++cluster->workload_changes;
	if (list == SELECTING_BUDGETS)
		cluster->budgets++;
}

static void
listed_put(struct cluster *cluster, struct object *object)
{
	enum namespace_list list = list_of(object->kind);
	struct namespace_info *ns =
	    map_get(&cluster->namespaces, object->namespace);
	struct object_list *objects;
	bool found;
	size_t at;

	if (ns == NULL) {
		ns = xcalloc(1, sizeof(*ns));
		map_put(&cluster->namespaces, sym_ref(object->namespace), ns);
	}
	objects = &ns->lists[list];
	at = list_find(objects, object->name, &found);
	if (found && list < SELECTING_BUDGETS &&
	    workload_equal(workload_at(ns, list, at),
		(const struct workload *)object))
		return;
	list_changed(cluster, ns, list);
	object_ref(object);
	if (found)
		object_unref(objects->at[at]);
	else
		SORTED_INSERT(objects->at, objects->n, &objects->cap, at);
	objects->at[at] = object;
}

static void
namespace_info_free(struct namespace_info *ns)
{
	for (int list = 0; list < NAMESPACE_LISTS; list++) {
		for (size_t i = 0; i < ns->lists[list].n; i++)
			object_unref(ns->lists[list].at[i]);
		free(ns->lists[list].at);
	}
	for (int i = 0; i < SELECTING_LISTS; i++)
		selector_index_free(ns->indexes[i]);
	free(ns);
}

static void
listed_remove(struct cluster *cluster, const struct object *object)
{
	enum namespace_list list = list_of(object->kind);
	sym name = object->namespace; /* the object may go */
	struct namespace_info *ns = map_get(&cluster->namespaces, name);
	struct object_list *objects;
	bool found;
	size_t at;

	if (ns == NULL)
		return;
	list_changed(cluster, ns, list);
	objects = &ns->lists[list];
	at = list_find(objects, object->name, &found);
	if (found) {
		object_unref(objects->at[at]);
		SORTED_REMOVE(objects->at, objects->n, at);
	}
	for (list = 0; list < NAMESPACE_LISTS; list++)
		if (ns->lists[list].n > 0)
			return;
	map_del(&cluster->namespaces, name);
	sym_unref(name);
	namespace_info_free(ns);
}

/* Objects found by name */

/* Whether objects of this kind are kept by name alone. */
static bool
is_named(enum object_kind kind)
{
	return kind != OBJECT_POD && kind != OBJECT_NODE &&
	    list_of(kind) == NAMESPACE_LISTS;
}

const void *
cluster_named(const struct cluster *cluster, enum object_kind kind,
    sym namespace, sym name)
{
	return map_get(&cluster->named[kind], map_key(namespace, name));
}

static uint64_t
object_key(const struct object *object, sym name)
{
	return map_key(object_kind_namespaced(object->kind) ?
		object->namespace :
		SYM_EMPTY,
	    name);
}

/* The map holds a reference to the name for as long as there is an entry. */
static struct object *
named_put(struct map *map, struct object *object)
{
	sym name = sym_take(object->name);
	struct object *before =
	    map_put(map, object_key(object, name), object_ref(object));

	if (before != NULL)
		sym_unref(name);
	return before;
}

static struct object *
named_remove(struct map *map, const struct object *object)
{
	sym name = sym_find(object->name);
	struct object *before =
	    name != SYM_NONE ? map_del(map, object_key(object, name)) : NULL;

	if (before != NULL)
		sym_unref(name);
	return before;
}

static bool
loses_volume(const struct object *before, const struct object *now)
{
	const struct persistent_volume *volume = (const void *)before;
	const struct persistent_volume *volume_now = (const void *)now;
	const struct persistent_volume_claim *claim = (const void *)before;
	const struct persistent_volume_claim *claim_now = (const void *)now;

	if (before == NULL)
		return false;
	if (before->kind == OBJECT_PERSISTENT_VOLUME)
		return now == NULL || volume_now->kind != volume->kind;
	return before->kind == OBJECT_PERSISTENT_VOLUME_CLAIM &&
	    claim->volume_name != SYM_EMPTY &&
	    (now == NULL || claim_now->volume_name != claim->volume_name);
}

static bool
same_limits(const struct csi_node *a, const struct csi_node *b)
{
	if (a == NULL || b == NULL || a->ndrivers != b->ndrivers ||
	    a->migrated != b->migrated)
		return false;
	return !ANY(i, a->ndrivers,
	    a->drivers[i].driver != b->drivers[i].driver ||
		a->drivers[i].has_count != b->drivers[i].has_count ||
		a->drivers[i].count != b->drivers[i].count);
}

static bool
same_provisioner(const struct storage_class *a, const struct storage_class *b)
{
	return a != NULL && b != NULL && a->provisioner == b->provisioner;
}

/* ---- classes of devices ---- */

/* Of several classes for a resource the newest counts, then the lower name. */
static bool
is_preferred(const struct device_class *class, const struct device_class *to)
{
	if (to == NULL)
		return true;
	if (class->object.created != to->object.created)
		return class->object.created > to->object.created;
	return strcmp(class->object.name, to->object.name) < 0;
}

/* What nodes offer may be another thing now, also that of READS_NODE rules. */
static void
index_classes(struct cluster *cluster)
{
	map_fini(&cluster->resource_classes);
	memset(&cluster->resource_classes, 0,
	    sizeof(cluster->resource_classes));
	EACH_VALUE (&cluster->named[OBJECT_DEVICE_CLASS], struct device_class,
	    class) {
		const struct device_class *to =
		    map_get(&cluster->resource_classes, class->resource);

		if (class->resource != SYM_EMPTY && is_preferred(class, to))
			map_put(&cluster->resource_classes, class->resource,
			    class);
	}
	cluster->objects++;
	journal_reset(&cluster->journal);
}

const struct device_class *
cluster_resource_class(const struct cluster *cluster, sym resource)
{
	static const char implicit[] = "deviceclass.resource.kubernetes.io/";
	const struct device_class *class =
	    map_get(&cluster->resource_classes, resource);
	const char *text;

	if (class != NULL || cluster->named[OBJECT_DEVICE_CLASS].n == 0)
		return class;
	text = sym_text(resource);
	if (strncmp(text, implicit, strlen(implicit)) != 0)
		return NULL;
	return cluster_device_class(cluster, sym_find(text + strlen(implicit)));
}

static bool
is_about_devices(const struct object *object)
{
	return object->kind == OBJECT_RESOURCE_CLAIM ||
	    object->kind == OBJECT_RESOURCE_SLICE ||
	    object->kind == OBJECT_DEVICE_CLASS ||
	    object->kind == OBJECT_DEVICE_TAINT_RULE;
}

/* The indexes of these objects. */
static void
index_named(struct cluster *cluster, const struct object *before,
    const struct object *now)
{
	const struct object *any = now != NULL ? now : before;
	const void *was = before, *is = now;
	struct node_info *node;

	if (any->kind == OBJECT_PERSISTENT_VOLUME) {
		open_volumes_changed(cluster, was, is);
		volume_users_volume_changed(cluster, was, is);
	} else if (any->kind == OBJECT_PERSISTENT_VOLUME_CLAIM) {
		volume_users_claim_changed(cluster, was, is);
	} else if (any->kind == OBJECT_STORAGE_CLASS) {
		/* its claims may be another driver's */
		cluster->volume_generation += !same_provisioner(was, is);
	} else if (any->kind == OBJECT_CSI_STORAGE_CAPACITY) {
		capacities_changed(cluster, was, is);
	} else if (any->kind == OBJECT_VOLUME_ATTACHMENT) {
		volume_users_attachment_changed(cluster, was, is);
	} else if (any->kind == OBJECT_CSI_NODE && !same_limits(was, is)) {
		/* of volumes that the node may have attached */
		node = cluster_node(cluster, sym_find(any->name));
		if (node != NULL)
			touch(cluster, node);
	} else if (any->kind == OBJECT_DEVICE_CLASS) {
		index_classes(cluster);
	}
	if (cluster->devices != NULL && is_about_devices(any))
		cluster->devices->changed(cluster->devices, before, now);
}

/* before or now is NULL for none; drops the reference to before. */
static void
named_changed(struct cluster *cluster, struct object *before,
    const struct object *now)
{
	if (before == NULL && now == NULL)
		return;
	cluster->volume_generation += loses_volume(before, now);
	index_named(cluster, before, now);
	if ((now != NULL ? now : before)->kind == OBJECT_NAMESPACE &&
	    term_scope_changed(before, now))
		cluster->namespace_labels++;
	object_unref(before);
}

/* All objects */

const struct object *
cluster_object(const struct cluster *cluster, const struct object *object)
{
	sym name = sym_find(object->name);
	const struct node_info *node;
	const void *found = NULL; /* all of ours begin with struct object */

	if (is_named(object->kind)) {
		found = map_get(&cluster->named[object->kind],
		    object_key(object, name));
	} else if (object->kind == OBJECT_POD) {
		found = cluster_bound_pod(cluster, object->uid);
	} else if (object->kind == OBJECT_SERVICE) {
		found = find_service(cluster, object->namespace, object->name);
	} else if (object->kind == OBJECT_NODE) {
		node = cluster_node(cluster, name);
		found = node != NULL ? node->node : NULL;
	}
	return found;
}

/* Whether a new object (NULL: a deletion) may constrain pods differently from
 * the previous one of the same name. */
static bool
changes_constraints(const struct cluster *cluster, const struct object *object,
    const struct object *comes)
{
	if (object->kind == OBJECT_NAMESPACE)
		return confines_changed(cluster,
		    cluster_namespace_object(cluster, sym_find(object->name)),
		    (const struct namespace *)comes);
	if (object->kind == OBJECT_STICKY_JOB)
		return !sticky_jobs_equal(cluster_sticky_job(cluster,
					      object->namespace,
					      sym_find(object->name)),
		    (const struct sticky_job *)comes);
	return object->kind == OBJECT_DISTRIBUTION_POLICY ||
	    object->kind == OBJECT_CLUSTER_DISTRIBUTION_POLICY;
}

void
cluster_put(struct cluster *cluster, struct object *object)
{
	struct map *map = &cluster->named[object->kind];

	notify(cluster, CLUSTER_PUT, object, SYM_NONE);
	cluster->generation++;
	cluster->confines += changes_constraints(cluster, object, object);
	if (object->kind == OBJECT_NODE)
		node_put(cluster, (struct node *)object);
	else if (object->kind == OBJECT_POD)
		pod_put(cluster, (struct pod *)object);
	else if (is_named(object->kind))
		named_changed(cluster, named_put(map, object), object);
	else
		listed_put(cluster, object);
}

void
cluster_remove(struct cluster *cluster, const struct object *object)
{
	struct map *map = &cluster->named[object->kind];

	notify(cluster, CLUSTER_REMOVE, object, SYM_NONE);
	cluster->generation++;
	cluster->confines += changes_constraints(cluster, object, NULL);
	if (object->kind == OBJECT_NODE)
		node_remove(cluster, (const struct node *)object);
	else if (object->kind == OBJECT_POD)
		pod_remove(cluster, (const struct pod *)object);
	else if (is_named(object->kind))
		named_changed(cluster, named_remove(map, object), NULL);
	else
		listed_remove(cluster, object);
}

void
cluster_forget_caches(struct cluster *cluster)
{
	index_forget(cluster);
	columns_free(cluster->columns);
	cluster->columns = NULL;
	label_columns_free(cluster->label_columns);
	cluster->label_columns = NULL;
	namespace_selections_free(cluster->namespace_selections);
	cluster->namespace_selections = NULL;
	journal_reset(&cluster->journal);
	port_users_forget(cluster);
	scalar_columns_forget(cluster);
}

void
cluster_free(struct cluster *cluster)
{
	if (cluster == NULL)
		return;
	if (cluster->devices != NULL)
		cluster->devices->free(cluster->devices);
	map_fini(&cluster->resource_classes);
	free(cluster->scheduler_names);
	index_free(cluster);
	columns_free(cluster->columns);
	label_columns_free(cluster->label_columns);
	label_terms_free(cluster->label_terms);
	port_users_free(cluster);
	scalar_columns_free(cluster);
	EACH_VALUE (&cluster->pods, struct cluster_pod, entry)
		entry_free(entry);
	strmap_fini(&cluster->pods);
	EACH_VALUE (&cluster->node_infos, struct node_info, node)
		node_free(node);
	map_fini(&cluster->node_infos);
	EACH_VALUE (&cluster->images, struct image_info, image)
		image_free(image);
	map_fini(&cluster->images);
	EACH_VALUE (&cluster->namespaces, struct namespace_info, ns)
		namespace_info_free(ns);
	map_fini(&cluster->namespaces);
	pinned_fini(&cluster->open_volumes);
	pinned_fini(&cluster->capacities_of);
	volume_users_fini(cluster);
	namespace_selections_free(cluster->namespace_selections);
	for (int kind = 0; kind < OBJECT_KINDS; kind++) {
		EACH_VALUE (&cluster->named[kind], struct object, object)
			object_unref(object);
		map_fini(&cluster->named[kind]);
	}
	journal_fini(&cluster->journal);
	cluster_set_default_node_selector(cluster, NULL);
	free(cluster->nodes);
	free(cluster->name_hashes);
	free(cluster->order);
	free(cluster->nominated_to);
	free(cluster->priorities);
	free(cluster);
}
