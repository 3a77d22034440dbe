/* One more node: like which of those that are there, and tried. */
#include "config.h"

#include "base/json_out.h"
#include "explain/diagnosis_internal.h"
#include "explain/new_node.h"
#include "objects/node.h"
#include "objects/resources.h"

#define KINDS_TRIED 8

static bool
is_host(sym key)
{
	return strcmp(sym_text(key), "kubernetes.io/hostname") == 0;
}

/* Whether the pod fits once there is this node; if so it is kept. */
static bool
try_node(struct inquiry *q, enum remedy_kind kind, const struct new_node *new,
    const char *text)
{
	struct joint joint = { 0 };
	struct text changes = { 0 };
	struct json_out json = JSON_OUT_INIT(&changes);
	bool fits;

	new_node_put(new, q->e->own);
	fits = fits_with(q, q->cycle->class) > 0;
	new_node_remove(new, q->e->own);
	if (fits) {
		new_node_changes(new, &json);
		joint_add(q, &joint,
		    propose(q, kind, "add", sym_text(new->like), "", "%s",
			text));
		keep_found(q, &joint, true, text_keep(&changes, q->arena));
	}
	return fits;
}

/* Labels that say the same fact, such as the zones of Kubernetes and of a driver, do so
 * still. */
static void
keep_in_step(const struct labels *before, struct node *node)
{
	const struct labels now = node->labels;

	for (uint32_t i = 0; i < now.n; i++) {
		const struct label *l = &now.at[i];
		sym was = labels_get(before, l->key);

		if (was == l->value || !label_is_fact(l->key))
			continue;
		for (uint32_t j = 0; j < before->n; j++)
			if ((was == SYM_NONE || before->at[j].value == was) &&
			    label_is_fact(before->at[j].key) &&
			    strcmp(label_last_part(before->at[j].key),
				label_last_part(l->key)) == 0)
				labels_put(&node->object.arena, &node->labels,
				    before->at[j].key, l->value);
	}
}

/* " in another zone", of the pod's anti-affinity: where none of the pods is that are
 * there. */
static const char *
give_another_place(struct inquiry *q, const char *text, struct node *node)
{
	for (uint32_t i = 0; i < q->anti_affinity.nrequired; i++) {
		sym key = q->anti_affinity.required[i].topology_key;
		sym value = labels_get(&node->labels, key);

		if (value == SYM_NONE || is_host(key))
			continue;
		labels_put(&node->object.arena, &node->labels, key,
		    sym_in(&node->object.arena,
			arena_printf(q->arena, "%s-new", sym_text(value))));
		return arena_append(q->arena, text, " and ",
		    arena_printf(q->arena, "another %s", sym_text(key)));
	}
	return text;
}

/* The node gets every label that the pod and its volumes select; the text of those
 * that are new to it.  *kind: one more of its kind, but elsewhere, or of another one. */
static const char *
give_labels(struct inquiry *q, const struct node_info *like, struct node *node,
    enum remedy_kind *kind)
{
	const struct labels *wanted = &q->cycle->class->node_selector;
	const char *text = "", *places;

	*kind = REMEDY_NODE;

	for (uint32_t i = 0; i < wanted->n; i++) {
		const struct label *l = &wanted->at[i];

		/* a node is what it is called */
		if (is_host(l->key) ||
		    labels_get(&like->node->labels, l->key) == l->value)
			continue;
		labels_put(&node->object.arena, &node->labels, l->key,
		    l->value);
		text = arena_append(q->arena, text, " ",
		    pair_text(q, l->key, l->value));
		*kind = REMEDY_OTHER_NODE;
	}
	places = give_places(q, text, node);
	if (places == text)
		places = give_another_place(q, text, node);
	keep_in_step(&like->node->labels, node);
	return places;
}

/* The node gets as much of each resource as the pod requests beside the pods that it
 * has from the beginning, and the text says so.  *plugin: on nodes of a kind that is
 * there, a device plugin is to register some of it; NULL: it would have 0, as those that
 * are there. */
static const char *
give_resources(struct inquiry *q, const struct node_info *like,
    struct node *node, const char *text, enum remedy_kind *kind, bool *plugin)
{
	const bool selected = *kind == REMEDY_NODE;

	struct arena *arena = &node->object.arena;
	struct resources all = resources_copy(arena, q->asked);
	const char *name;

	for (uint32_t i = 0; i < like->npods; i++)
		if (like->pods[i]->class->of_daemon_set)
			resources_add(arena, &all, &like->pods[i]->class->full,
			    1);
	*plugin = false;
	for (uint32_t i = 0; (name = resources_name(&all, i)) != NULL; i++) {
		enum provision provision;

		if (resources_get(q->asked, name) == 0 ||
		    resources_get(&node->allocatable, name) >=
			resources_get(&all, name))
			continue;
		provision = provision_of(q, name);
		if (provision == PROVISION_FAILS)
			return NULL;
		*plugin |= selected && provision == PROVISION_OF_PLUGIN;
		*kind = REMEDY_OTHER_NODE;
		text = arena_append(q->arena, text, " and ",
		    arena_printf(q->arena, "%s %s",
			amount_text(q->arena, name, resources_get(&all, name),
			    false),
			name));
	}
	node->allocatable = resources_copy(arena, &node->allocatable);
	resources_max(arena, &node->allocatable, &all);
	return text;
}

void
try_new_node(struct inquiry *q)
{
	struct node_kind *kinds;
	struct new_node new;
	size_t n;
	bool found = false;

	if (q->e->own == NULL)
		return;
	q->priority = q->cycle->pod->priority;
	q->nproposals = 0;
	kinds = node_kinds(q->cycle->cluster, q->arena, &n);
	if (n > KINDS_TRIED)
		n = KINDS_TRIED;
	for (size_t i = 0; i < n && !found; i++) {
		new_node_init(&new, q->e->own, kinds[i].node, NULL);
		found = try_node(q, REMEDY_NODE, &new,
		    arena_printf(q->arena, "add a node like %s",
			sym_text(new.like)));
		new_node_fini(&new);
	}
	/* First those that have the labels that the pod selects, but are not where
	 * its volumes are. */
	for (size_t i = 0; i < 2 * n && !found; i++) {
		const struct node_info *like = kinds[i % n].node;
		enum remedy_kind kind;
		const char *labels;
		bool plugin;

		if ((i < n) !=
		    labels_contains(&like->node->labels,
			&q->cycle->class->node_selector))
			continue;
		new_node_init(&new, q->e->own, like, NULL);
		labels = give_labels(q, like, new.node, &kind);
		labels =
		    give_resources(q, like, new.node, labels, &kind, &plugin);
		found = labels != NULL && labels[0] != '\0' &&
		    try_node(q, kind, &new,
			arena_printf(q->arena, "%sadd a node like %s with %s",
			    plugin ? "run its device plugin, or " : "",
			    sym_text(new.like), labels));
		new_node_fini(&new);
	}
}
