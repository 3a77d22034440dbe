#include "config.h"

#include "explain/remedy.h"

#include <inttypes.h>

#include "base/json_out.h"
#include "base/sorted.h"
#include "cluster/devices/allocation.h"
#include "objects/node.h"
#include "objects/pod.h"

const struct remedy_words remedy_words[REMEDY_KINDS] = {
	[REMEDY_SPELL] = { "spell", "none", "owner of the pod" },
	[REMEDY_WAIT] = { "wait", "none", "nobody" },
	[REMEDY_UNCORDON] = { "uncordon", "node", "administrator" },
	[REMEDY_READY] = { "ready", "node", "administrator" },
	[REMEDY_TOLERATE] = { "tolerate", "pod",
	    "owner of the pod, by leave of the taint's" },
	[REMEDY_REQUEST] = { "request", "pod", "owner of the pod" },
	[REMEDY_TERMS] = { "terms", "pod", "owner of the pod" },
	[REMEDY_LABEL] = { "label", "node", "administrator" },
	[REMEDY_PRIORITY] = { "priority", "others", "administrator" },
	[REMEDY_PROVIDE] = { "provide", "cost", "administrator" },
	[REMEDY_NODE] = { "node", "cost", "administrator" },
	[REMEDY_OTHER_TERMS] = { "other-terms", "pod", "owner of the pod" },
	[REMEDY_MOVE] = { "move", "others", "administrator" },
	[REMEDY_OTHER_HOST] = { "other-host", "pod", "owner of the pod" },
	[REMEDY_LESS] = { "less", "pod", "owner of the pod" },
	[REMEDY_OTHER_NODE] = { "other-node", "cost", "administrator" },
	[REMEDY_DELETE] = { "delete", "work", "administrator" },
};

/* ---- changes ---- */

void
change_merge(struct json_out *json, const char *kind, const char *namespace,
    const char *name)
{
	json_open(json, '{');
	json_members(json, "op:s kind:s namespace:s name:s", "merge", kind,
	    namespace, name);
	json_key(json, "patch");
}

void
change_delete(struct json_out *json, const struct pod *pod)
{
	json_object(json, "op:s kind:s namespace:s name:s", "delete", "Pod",
	    sym_text(pod->class->namespace), pod->object.name);
}

static void
put_selector(struct json_out *json, const char *key, const struct selector *s)
{
	json_open_member(json, key, '{');
	json_requirements(json, "matchExpressions", s);
	json_close(json, '}');
}

static void
put_tolerations(struct json_out *json, const struct pod_class *class)
{
	static const char *const operators[] = { "Equal", "Exists", "Gt", "Lt",
		"Other" };

	JSON_ARRAY (json, "tolerations", i, class->ntolerations) {
		const struct toleration *t = &class->tolerations[i];

		json_open(json, '{');
		if (t->key != SYM_EMPTY)
			json_pair(json, "key", sym_text(t->key));
		json_pair(json, "operator", operators[t->op]);
		if (t->value != SYM_EMPTY)
			json_pair(json, "value", sym_text(t->value));
		if (t->effect != EFFECT_ANY)
			json_pair(json, "effect", sym_text(t->effect_text));
		json_close(json, '}');
	}
}

static int
compare_labels(const void *a, const void *b)
{
	const struct label *x = a, *y = b;

	return sym_cmp(x->key, y->key);
}

/* By key: the order in which they are kept depends on what was read before. */
static void
put_labels(struct json_out *json, const char *key, const struct labels *from,
    const struct labels *to)
{
	struct arena arena = ARENA_INIT;
	struct label *all = arena_array(&arena, struct label, from->n + to->n);
	size_t n = 0;

	for (uint32_t i = 0; i < from->n; i++)
		if (labels_get(to, from->at[i].key) == SYM_NONE)
			all[n++] = (struct label){ from->at[i].key, SYM_NONE };
	for (uint32_t i = 0; i < to->n; i++)
		if (labels_get(from, to->at[i].key) != to->at[i].value)
			all[n++] = to->at[i];
	SORT(all, n, compare_labels);
	json_open_member(json, key, '{');
	for (size_t i = 0; i < n; i++)
		json_pair(json, sym_text(all[i].key),
		    all[i].value != SYM_NONE ? sym_text(all[i].value) : NULL);
	json_close(json, '}');
	arena_fini(&arena);
}

static void
put_terms(struct json_out *json, const char *key, const struct pod_terms *terms)
{
	json_open_member(json, key, '{');
	JSON_ARRAY (json, "requiredDuringSchedulingIgnoredDuringExecution", i,
	    terms->nrequired) {
		const struct pod_term *t = &terms->required[i];

		json_open(json, '{');
		json_pair(json, "topologyKey", sym_text(t->topology_key));
		if (!t->selector.nothing)
			put_selector(json, "labelSelector", &t->selector);
		if (t->selects_namespaces)
			put_selector(json, "namespaceSelector",
			    &t->namespace_selector);
		JSON_ARRAY (json, "namespaces", j, t->nnamed)
			json_string(json, sym_text(t->namespaces[j]));
		json_close(json, '}');
	}
	json_close(json, '}');
}

static void
put_spread(struct json_out *json, const struct pod_class *class)
{
	JSON_ARRAY (json, "topologySpreadConstraints", i, class->nspread) {
		const struct spread_constraint *c = &class->spread[i];

		json_open(json, '{');
		json_members(json,
		    "maxSkew:d topologyKey:s whenUnsatisfiable:s", c->max_skew,
		    sym_text(c->topology_key),
		    c->hard ? "DoNotSchedule" : "ScheduleAnyway");
		if (c->min_domains > 1 && c->hard)
			json_pair_int(json, "minDomains", c->min_domains);
		json_members(json, "nodeAffinityPolicy:s nodeTaintsPolicy:s",
		    c->ignores_affinity ? "Ignore" : "Honor",
		    c->honors_taints ? "Honor" : "Ignore");
		if (!c->selector.nothing)
			put_selector(json, "labelSelector", &c->selector);
		JSON_ARRAY (json, "matchLabelKeys", j, c->nmatch_keys)
			json_string(json, sym_text(c->match_keys[j]));
		json_close(json, '}');
	}
}

/* By name, likewise. */
static void
put_resources(struct json_out *json, const char *key, const struct resources *r)
{
	struct arena arena = ARENA_INIT;
	const char **names = NULL, *name;
	size_t n = 0, cap = 0;
	char amount[32];

	for (uint32_t i = 0; (name = resources_name(r, i)) != NULL; i++) {
		if (resources_get(r, name) == 0)
			continue;
		arena_room(&arena, names, n, &cap);
		names[n++] = name;
	}
	SORT(names, n, text_compare);
	json_open_member(json, key, '{');
	for (size_t i = 0; i < n; i++) {
		snprintf(amount, sizeof(amount), "%" PRId64 "%s",
		    resources_get(r, names[i]),
		    strcmp(names[i], "cpu") == 0 ? "m" : "");
		json_pair(json, names[i], amount);
	}
	if (r->pods != 0)
		json_pair_int(json, "pods", r->pods);
	json_close(json, '}');
	arena_fini(&arena);
}

/* One container in the place of all. */
static void
put_container(struct json_out *json, const struct pod_class *class,
    const struct resources *requests)
{
	json_open_member(json, "containers", '[');
	json_open(json, '{');
	json_pair(json, "name", "all");
	json_open_member(json, "resources", '{');
	put_resources(json, "requests", requests);
	json_close(json, '}');
	JSON_ARRAY (json, "ports", i, class->nports)
		json_object(json,
		    "hostPort:i containerPort:i protocol:s hostIP:s",
		    class->ports[i].port, class->ports[i].port,
		    sym_text(class->ports[i].protocol),
		    sym_text(class->ports[i].ip));
	json_close(json, '}');
	json_close(json, ']');
}

void
change_pod(struct json_out *json, const struct pod *pod,
    const struct pod_class *class, int32_t priority)
{
	const struct pod_class *old = pod->class;

	change_merge(json, "Pod", sym_text(old->namespace), pod->object.name);
	json_open(json, '{');
	json_open_member(json, "spec", '{');
	if (class->tolerations != old->tolerations)
		put_tolerations(json, class);
	if (class->node_selector.at != old->node_selector.at ||
	    class->node_selector.n != old->node_selector.n)
		put_labels(json, "nodeSelector", &old->node_selector,
		    &class->node_selector);
	if (class->spread != old->spread || class->nspread != old->nspread)
		put_spread(json, class);
	if (!resources_equal(&class->requested, &old->requested)) {
		put_container(json, class, &class->requested);
		json_pair(json, "initContainers", NULL);
		json_pair(json, "overhead", NULL);
		json_pair(json, "resources", NULL);
	}
	if (priority != pod->priority) {
		json_pair_int(json, "priority", priority);
		json_pair(json, "priorityClassName", NULL);
	}
	if (class->required_node_affinity.at !=
		old->required_node_affinity.at ||
	    class->affinity.required != old->affinity.required) {
		json_open_member(json, "affinity", '{');
		if (class->required_node_affinity.at !=
		    old->required_node_affinity.at) {
			json_open_member(json, "nodeAffinity", '{');
			json_key(json,
			    "requiredDuringSchedulingIgnoredDuringExecution");
			if (class->has_required_node_affinity)
				json_node_selector(json,
				    &class->required_node_affinity);
			else
				json_string(json, NULL);
			json_close(json, '}');
		}
		if (class->affinity.required != old->affinity.required)
			put_terms(json, "podAffinity", &class->affinity);
		json_close(json, '}');
	}
	json_close(json, '}');
	json_close(json, '}');
	json_close(json, '}');
}

static void
put_taints(struct json_out *json, const struct node *node)
{
	JSON_ARRAY (json, "taints", i, node->ntaints) {
		const struct taint *t = &node->taints[i];

		json_open(json, '{');
		json_pair(json, "key", sym_text(t->key));
		if (t->value != SYM_EMPTY)
			json_pair(json, "value", sym_text(t->value));
		json_pair(json, "effect", sym_text(t->effect_text));
		json_close(json, '}');
	}
}

static void
put_conditions(struct json_out *json, const struct node *node)
{
	JSON_ARRAY (json, "conditions", i, node->nconditions)
		json_object(json, "type:n status:n", node->conditions[i].type,
		    node->conditions[i].status);
}

void
change_node(struct json_out *json, const struct node *from,
    const struct node *to)
{
	change_merge(json, "Node", NULL, sym_text(from->name));
	json_open(json, '{');
	if (!labels_equal(&from->labels, &to->labels)) {
		json_open_member(json, "metadata", '{');
		put_labels(json, "labels", &from->labels, &to->labels);
		json_close(json, '}');
	}
	if (!node_taints_equal(from, to) ||
	    from->unschedulable != to->unschedulable) {
		json_open_member(json, "spec", '{');
		put_taints(json, to);
		if (from->unschedulable != to->unschedulable)
			json_pair_bool(json, "unschedulable",
			    to->unschedulable);
		json_close(json, '}');
	}
	if (from->conditions != to->conditions) {
		json_open_member(json, "status", '{');
		put_conditions(json, to);
		json_close(json, '}');
	}
	json_close(json, '}');
	json_close(json, '}');
}

static const struct labels no_labels;

static void
begin_add(struct json_out *json, const char *kind, const char *namespace,
    const char *name, const struct labels *labels)
{
	json_open(json, '{');
	json_pair(json, "op", "add");
	json_open_member(json, "object", '{');
	json_members(json, "apiVersion:s kind:s", "v1", kind);
	json_open_member(json, "metadata", '{');
	if (namespace != NULL)
		json_pair(json, "namespace", namespace);
	json_pair(json, "name", name);
	put_labels(json, "labels", &no_labels, labels);
	json_close(json, '}');
}

void
change_add_pod(struct json_out *json, const struct pod *pod)
{
	begin_add(json, "Pod", sym_text(pod->class->namespace),
	    pod->object.name, &pod->class->labels);
	json_open_member(json, "spec", '{');
	json_pair(json, "nodeName", sym_text(pod->node));
	put_container(json, pod->class, &pod->class->held);
	json_close(json, '}');
	json_close(json, '}');
	json_close(json, '}');
}

void
change_add_node(struct json_out *json, const struct node *node)
{
	begin_add(json, "Node", NULL, sym_text(node->name), &node->labels);
	json_open_member(json, "spec", '{');
	put_taints(json, node);
	json_close(json, '}');
	json_open_member(json, "status", '{');
	put_resources(json, "allocatable", &node->allocatable);
	put_conditions(json, node);
	json_close(json, '}');
	json_close(json, '}');
	json_close(json, '}');
}

void
remedies_json(struct json_out *json, size_t n, const struct remedy *remedies)
{
	JSON_ARRAY (json, "remedies", i, n) {
		const struct remedy *r = &remedies[i];
		const struct remedy_words *words = &remedy_words[r->kind];
		AUTOFREE char *changes = xasprintf("[%s]", r->changes);

		json_open(json, '{');
		json_members(json, "text:s kind:s harm:s who:s proven:b",
		    r->text, words->kind, words->harm, words->who, r->proven);
		json_key(json, "changes");
		json_raw(json, changes);
		json_close(json, '}');
	}
}
