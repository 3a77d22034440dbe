#include "config.h"

#include "explain/new_node.h"

#include "base/json_out.h"
#include "base/sorted.h"
#include "cluster/cluster.h"
#include "explain/diagnosis_internal.h"
#include "explain/remedy.h"
#include "objects/node.h"
#include "objects/resources.h"

/* Kinds that are distinguished; each node may be its own kind. */
#define KINDS_MOST 64
#define PODS_ADDED 64

static bool
offers_same(const struct node_info *a, const struct node_info *b)
{
	const struct node *x = a->node, *y = b->node;

	if (!resources_equal(&x->allocatable, &y->allocatable) ||
	    x->allocatable.pods != y->allocatable.pods ||
	    x->labels.n != y->labels.n || !node_taints_equal(x, y))
		return false;
	return !ANY(i, x->labels.n,
	    x->labels.at[i].key != y->labels.at[i].key ||
		(x->labels.at[i].value != y->labels.at[i].value &&
		    x->labels.at[i].value != a->name));
}

static int
compare_kinds(const void *a, const void *b)
{
	const struct node_kind *x = a, *y = b;

	if (x->n != y->n)
		return x->n > y->n ? -1 : 1;
	return sym_cmp(x->node->name, y->node->name);
}

struct node_kind *
node_kinds(const struct cluster *cluster, struct arena *arena, size_t *n)
{
	struct node_kind *kinds = NULL;
	size_t cap = 0;

	*n = 0;
	for (uint32_t i = 0; i < cluster->nnodes; i++) {
		const struct node_info *node = cluster->nodes[i];
		struct node_kind *kind =
		    FIND(at, kinds, *n, offers_same(kinds[at].node, node));

		if (kind == NULL && *n == KINDS_MOST)
			continue;
		if (kind == NULL) {
			arena_room(arena, kinds, *n, &cap);
			kind = &kinds[(*n)++];
			*kind = (struct node_kind){ node, 0 };
		}
		kind->n++;
		if (sym_cmp(node->name, kind->node->name) < 0)
			kind->node = node;
	}
	SORT(kinds, *n, compare_kinds);
	return kinds;
}

/* "n1-new", or with a number, *n, if there is such a node. */
static char *
new_name(const struct cluster *cluster, sym like, size_t *n)
{
	char *name = xasprintf("%s-new", sym_text(like));
	sym taken;

	*n = 1;
	while ((taken = sym_find(name)) != SYM_NONE &&
	    cluster_node(cluster, taken) != NULL) {
		free(name);
		name = xasprintf("%s-new-%zu", sym_text(like), ++*n);
	}
	return name;
}

/* A node that is ready, with the labels that its name does not give. */
static struct node *
copy_node(const struct cluster *cluster, const struct node *like, size_t *n)
{
	AUTOFREE char *name = new_name(cluster, like->name, n);
	struct node *node = object_copy(&like->object, sizeof(*like));
	struct arena *arena = &node->object.arena;
	struct label *labels = arena_memdup(arena, node->labels.at,
	    node->labels.n * sizeof(*labels));

	node->object.name = arena_strdup(arena, name);
	node->object.uid = node->object.name;
	node->name = sym_in(arena, name);
	for (uint32_t i = 0; i < node->labels.n; i++)
		if (labels[i].value == like->name)
			labels[i].value = node->name;
	node->labels.at = labels;
	node_uncordon(arena, node);
	node_make_ready(arena, node);
	node_drop_taints(arena, node, 1u << TAINT_REMOVAL);
	return node;
}

void
new_node_init(struct new_node *new, const struct cluster *cluster,
    const struct node_info *like, const struct node *template)
{
	const struct node *of = template != NULL ? template : like->node;
	size_t number;

	*new = (struct new_node){ .like = of->name,
		.node = copy_node(cluster, of, &number),
		.pods = xcalloc(PODS_ADDED, sizeof(struct pod *)) };
	for (uint32_t i = 0; i < like->npods && new->npods < PODS_ADDED; i++) {
		struct pod *replica;

		if (!like->pods[i]->class->of_daemon_set)
			continue;
		replica = pod_replica(like->pods[i], number - 1);
		new->pods[new->npods++] = pod_on_node(replica, new->node->name);
		pod_unref(replica);
	}
}

void
new_node_fini(struct new_node *new)
{
	for (size_t i = 0; i < new->npods; i++)
		pod_unref(new->pods[i]);
	free(new->pods);
	object_unref(&new->node->object);
}

void
new_node_put(const struct new_node *new, struct cluster *cluster)
{
	cluster_put(cluster, &new->node->object);
	for (size_t i = 0; i < new->npods; i++)
		cluster_put(cluster, &new->pods[i]->object);
}

void
new_node_remove(const struct new_node *new, struct cluster *cluster)
{
	for (size_t i = 0; i < new->npods; i++)
		cluster_remove(cluster, &new->pods[i]->object);
	cluster_remove(cluster, &new->node->object);
}

void
new_node_changes(const struct new_node *new, struct json_out *json)
{
	change_add_node(json, new->node);
	for (size_t i = 0; i < new->npods; i++)
		change_add_pod(json, new->pods[i]);
}
