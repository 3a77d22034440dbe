#include "config.h"

#include "decide/framework/pod_selectors.h"

#include "cluster/selector_index.h"
#include "decide/framework/profile.h"
#include "objects/changes.h"

/* Selectors of objects, in the cycle's arena. */
struct found {
	size_t n, cap;
	const struct selector **at;
	size_t nrequirements; /* of all that were looked at */
};

static const struct found none;

static void
add(struct cycle *cycle, struct found *found, const struct selector *selector)
{
	arena_room(cycle->arena, found->at, found->n, &found->cap);
	found->at[found->n++] = selector;
}

static struct selector
intersection(struct cycle *cycle, const struct found *found)
{
	return selector_and(cycle->arena, found->n, found->at);
}

/* Copies the selectors, as the objects may be deleted. */
static struct pod_selectors
own(struct cycle *cycle, const struct found *found)
{
	struct selector all = intersection(cycle, found);

	return (struct pod_selectors){ found->n > 0,
		selector_copy(cycle->arena, &all) };
}

/* Up to this many, a linear search is fastest. */
#define FEW_WORKLOADS 16

static bool
are_few(const struct namespace_info *ns, enum namespace_list list)
{
	if (ns->lists[list].n > FEW_WORKLOADS)
		return false;
	for (size_t i = 0; i < ns->lists[list].n; i++) {
		const struct selector *s = &workload_at(ns, list, i)->selector;

		if (s->n > FEW_WORKLOADS || s->too_long)
			return false;
		for (uint32_t j = 0; j < s->n; j++)
			if (s->at[j].nvalues > FEW_WORKLOADS)
				return false;
	}
	return true;
}

/* An empty selector of a Service matches all pods, others none. */
static bool
selects(const struct workload *workload, enum namespace_list list,
    const struct labels *labels)
{
	if (list == SELECTING_SERVICES ? !workload->has_selector :
					 selector_is_empty(&workload->selector))
		return false;
	return selector_matches(&workload->selector, labels);
}

/*
 * A malformed selector of an object other than a Service makes kube-scheduler 1.15
 * pass over all objects of its kind in the namespace.  False: there are too many.
 */
static bool
add_matching(struct cycle *cycle, struct found *found,
    const struct namespace_info *ns, enum namespace_list list, bool first_only)
{
	const struct labels *labels = &cycle->class->labels;
	struct maybe_selecting some = { .n = ns->lists[list].n };
	bool few = are_few(ns, list);

	if (few && list != SELECTING_SERVICES &&
	    ANY(i, ns->lists[list].n,
		workload_at(ns, list, i)->selector.error != NULL))
		return true;
	if (!few) {
		some = selecting_workloads(ns, list, labels,
		    found->nrequirements, cycle->arena);
		found->nrequirements = some.nrequirements;
	}
	for (size_t i = 0; i < some.n && !(first_only && found->n > 0); i++) {
		const struct workload *workload =
		    workload_at(ns, list, few ? i : some.at[i]);

		if (selects(workload, list, labels))
			add(cycle, found, &workload->counted);
	}
	return !some.too_many;
}

static bool
add_services(struct cycle *cycle, struct found *found, bool first_only)
{
	const struct namespace_info *ns =
	    cluster_namespace(cycle->cluster, cycle->class->namespace);

	return ns == NULL ||
	    add_matching(cycle, found, ns, SELECTING_SERVICES, first_only);
}

static bool
add_controllers(struct cycle *cycle, struct found *found)
{
	const struct pod_class *class = cycle->class;
	const struct namespace_info *ns =
	    cluster_namespace(cycle->cluster, class->namespace);

	/* a selector such as !app matches pods without labels; these do not */
	if (ns == NULL || class->labels.n == 0)
		return true;
	return add_matching(cycle, found, ns, SELECTING_CONTROLLERS, false) &&
	    add_matching(cycle, found, ns, SELECTING_REPLICA_SETS, false) &&
	    add_matching(cycle, found, ns, SELECTING_STATEFUL_SETS, false);
}

struct pod_selectors
first_service_selectors(struct cycle *cycle)
{
	struct found found = { 0 };

	if (!add_services(cycle, &found, true))
		found = none;
	return own(cycle, &found);
}

static const struct workload *
named(const struct namespace_info *ns, enum namespace_list list,
    const char *name)
{
	for (size_t i = 0; i < ns->lists[list].n; i++)
		if (strcmp(ns->lists[list].at[i]->name, name) == 0)
			return workload_at(ns, list, i);
	return NULL;
}

/* The object that the pod's ownerReference names as its controller, if it is of a
 * kind that counts. */
static const struct workload *
controller_of(const struct pod_class *class, const struct namespace_info *ns)
{
	const char *kind, *version, *name;

	if (ns == NULL || class->controller_kind == SYM_NONE)
		return NULL;
	kind = sym_text(class->controller_kind);
	version = sym_text(class->controller_version);
	name = sym_text(class->controller_name);
	if (strcmp(version, "v1") == 0 &&
	    strcmp(kind, "ReplicationController") == 0)
		return named(ns, SELECTING_CONTROLLERS, name);
	if (strcmp(version, "apps/v1") != 0)
		return NULL;
	if (strcmp(kind, "ReplicaSet") == 0)
		return named(ns, SELECTING_REPLICA_SETS, name);
	return strcmp(kind, "StatefulSet") == 0 ?
	    named(ns, SELECTING_STATEFUL_SETS, name) :
	    NULL;
}

static int
by_key(const void *a, const void *b)
{
	sym x = *(const sym *)a, y = *(const sym *)b;

	return (x > y) - (x < y);
}

/* The labels of a ReplicationController replace those that the Services have for the
 * same keys. */
static struct selector
without_keys(struct arena *arena, const struct selector *s,
    const struct selector *other)
{
	struct requirement *at = arena_array(arena, struct requirement, s->n);
	sym *keys = arena_array(arena, sym, other->n);
	struct selector left = { .at = at };

	for (uint32_t i = 0; i < other->n; i++)
		keys[i] = other->at[i].key;
	qsort(keys, other->n, sizeof(*keys), by_key);
	for (uint32_t i = 0; i < s->n; i++)
		if (bsearch(&s->at[i].key, keys, other->n, sizeof(*keys),
			by_key) == NULL)
			at[left.n++] = s->at[i];
	return left;
}

struct pod_selectors
default_selectors(struct cycle *cycle)
{
	const struct pod_class *class = cycle->class;
	struct found found = { 0 };
	const struct workload *controller;
	struct selector services;
	bool by_owner = cycle->profile->release >= SINCE_SPREAD_OWNER;

	if (!add_services(cycle, &found, false) ||
	    (!by_owner && !add_controllers(cycle, &found)))
		found = none;
	if (!by_owner)
		return own(cycle, &found);
	controller = controller_of(class,
	    cluster_namespace(cycle->cluster, class->namespace));
	if (controller == NULL || controller->selector.nothing ||
	    controller->selector.error != NULL)
		return own(cycle, &found);
	if (controller->object.kind == OBJECT_REPLICATION_CONTROLLER) {
		services = intersection(cycle, &found);
		services = without_keys(cycle->arena, &services,
		    &controller->selector);
		found.n = 0;
		add(cycle, &found, &services);
	}
	add(cycle, &found, &controller->counted);
	return own(cycle, &found);
}

struct selector
spread_constraint_selector(struct cycle *cycle,
    const struct spread_constraint *c)
{
	struct label *same =
	    arena_array(cycle->arena, struct label, c->nmatch_keys);
	struct labels labels = { 0, same };
	struct selector narrow;

	if (!cycle->profile->gates.match_label_keys)
		return c->selector;
	for (uint32_t i = 0; i < c->nmatch_keys; i++) {
		sym value = labels_get(&cycle->class->labels, c->match_keys[i]);

		if (value != SYM_NONE)
			same[labels.n++] =
			    (struct label){ c->match_keys[i], value };
	}
	if (labels.n == 0 || c->selector.nothing || c->selector.error != NULL)
		return c->selector;
	narrow = selector_from_valid_set(cycle->arena, &labels);
	return selector_and(cycle->arena, 2,
	    (const struct selector *const[]){ &c->selector, &narrow });
}
