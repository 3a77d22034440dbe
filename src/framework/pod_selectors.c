#include "config.h"

#include "framework/pod_selectors.h"

#include <string.h>

#include "cluster/service_index.h"
#include "framework/profile.h"

static void
add(struct cycle *cycle, struct pod_selectors *s,
    const struct workload *workload)
{
	s->any = true;
	s->all = selector_and(cycle->arena, &s->all, &workload->counted);
}

/* The objects may go: the selectors need parts of their own. */
static struct pod_selectors
own(struct cycle *cycle, struct pod_selectors s)
{
	s.all = selector_copy(cycle->arena, &s.all);
	return s;
}

/* Among so few, looking at each is fastest. */
#define FEW_SERVICES 16

static void
add_services(struct cycle *cycle, struct pod_selectors *s, bool first_only)
{
	const struct pod_class *class = cycle->class;
	struct namespace_info *ns =
	    (struct namespace_info *)cluster_namespace(cycle->cluster,
		class->namespace);
	const uint32_t *some = NULL;
	size_t n = ns != NULL ? ns->nservices : 0;

	if (n > FEW_SERVICES)
		some = services_maybe(ns, &class->labels, cycle->arena, &n);
	for (size_t i = 0; i < n && !(first_only && s->any); i++) {
		const struct workload *service =
		    ns->services[some != NULL ? some[i] : i];

		if (service->has_selector &&
		    selector_matches(&service->selector, &class->labels))
			add(cycle, s, service);
	}
}

/*
 * Unlike a Service's, an empty selector selects nothing here.  One that is
 * malformed makes kube-scheduler 1.15 pass over all objects of its kind in the
 * namespace.
 */
static void
add_matching(struct cycle *cycle, struct pod_selectors *s, size_t n,
    struct workload *const *workloads)
{
	for (size_t i = 0; i < n; i++)
		if (workloads[i]->selector.error != NULL)
			return;
	for (size_t i = 0; i < n; i++) {
		const struct selector *selector = &workloads[i]->selector;

		if (!selector_is_empty(selector) &&
		    selector_matches(selector, &cycle->class->labels))
			add(cycle, s, workloads[i]);
	}
}

static void
add_controllers(struct cycle *cycle, struct pod_selectors *s)
{
	const struct pod_class *class = cycle->class;
	const struct namespace_info *ns =
	    cluster_namespace(cycle->cluster, class->namespace);

	/* a selector such as !app matches pods without labels; these do not */
	if (ns == NULL || class->labels.n == 0)
		return;
	add_matching(cycle, s, ns->nrcs, ns->replication_controllers);
	add_matching(cycle, s, ns->nrss, ns->replica_sets);
	add_matching(cycle, s, ns->nstss, ns->stateful_sets);
}

uint64_t
workloads_number(const struct cycle *cycle)
{
	const struct namespace_info *ns =
	    cluster_namespace(cycle->cluster, cycle->class->namespace);

	return ns != NULL ? ns->workloads : 0;
}

struct pod_selectors
workload_selectors(struct cycle *cycle)
{
	struct pod_selectors s = { 0 };

	add_services(cycle, &s, false);
	add_controllers(cycle, &s);
	return own(cycle, s);
}

struct pod_selectors
first_service_selectors(struct cycle *cycle)
{
	struct pod_selectors s = { 0 };

	add_services(cycle, &s, true);
	return own(cycle, s);
}

static const struct workload *
named(size_t n, struct workload *const *workloads, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(workloads[i]->object.name, name) == 0)
			return workloads[i];
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
		return named(ns->nrcs, ns->replication_controllers, name);
	if (strcmp(version, "apps/v1") != 0)
		return NULL;
	if (strcmp(kind, "ReplicaSet") == 0)
		return named(ns->nrss, ns->replica_sets, name);
	return strcmp(kind, "StatefulSet") == 0 ?
	    named(ns->nstss, ns->stateful_sets, name) :
	    NULL;
}

static bool
has_key(const struct selector *s, sym key)
{
	for (uint32_t i = 0; i < s->n; i++)
		if (s->at[i].key == key)
			return true;
	return false;
}

/* The labels of a ReplicationController replace those that the Services have for the
 * same keys. */
static struct selector
without_keys(struct arena *arena, const struct selector *s,
    const struct selector *keys)
{
	struct requirement *at = arena_array(arena, struct requirement, s->n);
	struct selector left = { .at = at };

	for (uint32_t i = 0; i < s->n; i++)
		if (!has_key(keys, s->at[i].key))
			at[left.n++] = s->at[i];
	return left;
}

struct selector
default_selector(struct cycle *cycle)
{
	const struct pod_class *class = cycle->class;
	struct pod_selectors s = { 0 };
	const struct workload *controller;

	if (cycle->profile->release < 36)
		return workload_selectors(cycle).all;
	add_services(cycle, &s, false);
	controller = controller_of(class,
	    cluster_namespace(cycle->cluster, class->namespace));
	if (controller == NULL || controller->selector.nothing ||
	    controller->selector.error != NULL)
		return own(cycle, s).all;
	if (controller->object.kind == OBJECT_REPLICATION_CONTROLLER)
		s.all =
		    without_keys(cycle->arena, &s.all, &controller->selector);
	add(cycle, &s, controller);
	return own(cycle, s).all;
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
	return selector_and(cycle->arena, &c->selector, &narrow);
}
