/* One more node: like which of those that are there, and tried. */
#include "config.h"

#include "base/json_out.h"
#include "base/sorted.h"
#include "explain/diagnosis_internal.h"
#include "model/node.h"
#include "model/resources.h"

#define KINDS_TRIED 8
#define PODS_ADDED 64

/* Nodes that offer the same. */
struct kind {
	const struct node_info *node; /* the first by name */
	uint32_t n;
};

/* "n1-new", or with more of that where there is one. */
static const char *
new_name(const struct inquiry *q, const struct node_info *like)
{
	const char *name = sym_text(like->name);
	sym taken;

	do {
		name = arena_printf(q->arena, "%s-new", name);
		taken = sym_find(name);
	} while (taken != SYM_NONE &&
	    cluster_node(q->cycle->cluster, taken) != NULL);
	return name;
}

/* A node that is ready, with the labels that its name does not give. */
static struct node *
new_node(const struct inquiry *q, const struct node_info *like)
{
	const char *name = new_name(q, like);
	struct node *node =
	    object_copy(&like->node->object, sizeof(*like->node));
	struct arena *arena = &node->object.arena;
	struct label *labels = arena_memdup(arena, node->labels.at,
	    node->labels.n * sizeof(*labels));

	node->object.name = arena_strndup(arena, name, strlen(name));
	node->object.uid = node->object.name;
	node->name = sym_in(arena, name);
	for (uint32_t i = 0; i < node->labels.n; i++)
		if (labels[i].value == like->name)
			labels[i].value = node->name;
	node->labels.at = labels;
	node_uncordon(arena, node);
	node_make_ready(arena, node);
	node_keep(arena, node);
	return node;
}

static bool
offers_same(const struct node_info *a, const struct node_info *b)
{
	const struct node *x = a->node, *y = b->node;

	if (!resources_equal(&x->allocatable, &y->allocatable) ||
	    x->allocatable.pods != y->allocatable.pods ||
	    x->labels.n != y->labels.n || !node_taints_equal(x, y))
		return false;
	for (uint32_t i = 0; i < x->labels.n; i++)
		if (x->labels.at[i].key != y->labels.at[i].key ||
		    (x->labels.at[i].value != y->labels.at[i].value &&
			x->labels.at[i].value != a->name))
			return false;
	return true;
}

/* The commonest first. */
static int
compare_kinds(const void *a, const void *b)
{
	const struct kind *x = a, *y = b;

	if (x->n != y->n)
		return x->n > y->n ? -1 : 1;
	return sym_cmp(x->node->name, y->node->name);
}

static size_t
find_kinds(const struct inquiry *q, struct kind **kinds)
{
	size_t n = 0, cap = 0;

	*kinds = NULL;
	for (uint32_t i = 0; i < q->n; i++) {
		const struct node_info *node = inquiry_node(q, i);
		size_t at = 0;

		while (at < n && !offers_same((*kinds)[at].node, node))
			at++;
		if (at == n) {
			/* each node is its own kind: the first will do */
			if (n >= 8 * KINDS_TRIED)
				continue;
			arena_room(q->arena, *kinds, n, &cap);
			(*kinds)[n++] = (struct kind){ node, 0 };
		}
		(*kinds)[at].n++;
		if (sym_cmp(node->name, (*kinds)[at].node->name) < 0)
			(*kinds)[at].node = node;
	}
	SORT(*kinds, n, compare_kinds);
	return n;
}

/* The pods that each node gets: those of DaemonSets on that one; *n of them, owned. */
static struct pod **
new_pods(const struct inquiry *q, const struct node_info *like, sym name,
    size_t *n)
{
	struct pod **pods = arena_array(q->arena, struct pod *, PODS_ADDED);

	*n = 0;
	for (uint32_t i = 0; i < like->npods && *n < PODS_ADDED; i++) {
		struct pod *replica;

		if (!like->pods[i]->class->of_daemon_set)
			continue;
		replica = pod_replica(like->pods[i], 0);
		pods[(*n)++] = pod_on_node(replica, name);
		pod_unref(replica);
	}
	return pods;
}

/* Whether the pod fits once there is this node; if so it is kept. */
static bool
try_node(struct inquiry *q, enum remedy_kind kind, const struct node_info *like,
    struct node *node, const char *text)
{
	struct cluster *own = q->e->own;
	struct joint joint = { 0 };
	struct text changes = { 0 };
	struct json_out json = JSON_OUT_INIT(&changes);
	struct pod **pods;
	size_t npods;
	bool fits;

	pods = new_pods(q, like, node->name, &npods);
	cluster_put(own, &node->object);
	for (size_t i = 0; i < npods; i++)
		cluster_put(own, &pods[i]->object);
	fits = fits_with(q, q->cycle->class) > 0;
	change_add_node(&json, node);
	for (size_t i = 0; i < npods; i++) {
		change_add_pod(&json, pods[i]);
		cluster_remove(own, &pods[i]->object);
		pod_unref(pods[i]);
	}
	cluster_remove(own, &node->object);
	if (fits) {
		joint_add(q, &joint,
		    propose(q, kind, "add", sym_text(like->name), "", text));
		keep_found(q, &joint, true,
		    arena_strndup(q->arena, changes.bytes, changes.len));
	}
	text_fini(&changes);
	return fits;
}

/* The node gets every label that the pod and its volumes select; the text of those
 * that are new to it. */
static const char *
give_labels(struct inquiry *q, const struct node_info *like, struct node *node)
{
	const struct labels *wanted = &q->cycle->class->node_selector;
	const char *text = "";

	for (uint32_t i = 0; i < wanted->n; i++) {
		const struct label *l = &wanted->at[i];

		if (labels_get(&like->node->labels, l->key) == l->value)
			continue;
		labels_put(&node->object.arena, &node->labels, l->key,
		    l->value);
		text = arena_append(q->arena, text, " ",
		    arena_printf(q->arena, "%s=%s", sym_text(l->key),
			sym_text(l->value)));
	}
	text = give_places(q, text, node);
	return text;
}

/* The node gets as much of each resource as the pod requests beside the pods that it
 * has from the beginning, and the text says so. */
static const char *
give_resources(struct inquiry *q, const struct node_info *like,
    struct node *node, const char *text)
{
	struct arena *arena = &node->object.arena;
	struct resources all = resources_copy(arena, q->asked);
	const char *name;

	for (uint32_t i = 0; i < like->npods; i++)
		if (like->pods[i]->class->of_daemon_set)
			resources_add(arena, &all, &like->pods[i]->class->full,
			    1);
	for (uint32_t i = 0; (name = resources_name(&all, i)) != NULL; i++)
		if (resources_get(q->asked, name) > 0 &&
		    resources_get(&node->allocatable, name) <
			resources_get(&all, name))
			text = arena_append(q->arena, text, " and ",
			    arena_printf(q->arena, "%s %s",
				amount_text(q->arena, name,
				    resources_get(&all, name), false),
				name));
	node->allocatable = resources_copy(arena, &node->allocatable);
	resources_max(arena, &node->allocatable, &all);
	return text;
}

void
try_new_node(struct inquiry *q)
{
	struct kind *kinds;
	size_t n;
	bool found = false;

	if (q->e->own == NULL)
		return;
	q->priority = q->cycle->pod->priority;
	q->nproposals = 0;
	n = find_kinds(q, &kinds);
	for (size_t i = 0; i < n && i < KINDS_TRIED && !found; i++) {
		struct node *node = new_node(q, kinds[i].node);

		found = try_node(q, REMEDY_NODE, kinds[i].node, node,
		    arena_printf(q->arena, "add a node like %s",
			sym_text(kinds[i].node->name)));
		object_unref(&node->object);
	}
	for (size_t i = 0; i < n && i < KINDS_TRIED && !found; i++) {
		struct node *node = new_node(q, kinds[i].node);
		const char *labels = give_labels(q, kinds[i].node, node);

		labels = give_resources(q, kinds[i].node, node, labels);
		found = labels[0] != '\0' &&
		    try_node(q, REMEDY_OTHER_NODE, kinds[i].node, node,
			arena_printf(q->arena, "add a node like %s with %s",
			    sym_text(kinds[i].node->name), labels));
		object_unref(&node->object);
	}
}
