/* Rules that the policy lacks, and objects that it needs and the cluster lacks;
 * arguments that no node meets; fields and kinds of objects that are not supported. */
#include "config.h"

#include "base/sorted.h"
#include "base/text.h"
#include "decide/framework/args.h"
#include "explain/lint/lint_internal.h"
#include "objects/steering.h"
#include "predicates/registry.h"
#include "priorities/registry.h"

/* ---- rules that the kubelet enforces anyway ---- */

void
lint_kubelet_rules(struct lint *lint)
{
	const char *about = "", *status = "", *names = "", *advice;
	struct arena *arena = &lint->arena;

	if (lint_find(lint, &predicate_general_predicates) != NULL)
		return;
	/* That of resources comes first. */
	for (size_t i = npredicates; i-- > 0;) {
		const struct predicate *unit = predicates[i];

		if (unit->kubelet.about == NULL ||
		    lint_find(lint, unit) != NULL)
			continue;
		about = arena_append(arena, about, "; ", unit->kubelet.about);
		status =
		    arena_append(arena, status, ", ", unit->kubelet.reasons);
		names = arena_append(arena, names, ", ",
		    HAS_PLUGINS(lint) ? plugin_name(unit->plugin) : unit->name);
	}
	if (*about == '\0')
		return;
	advice = arena_printf(arena,
	    HAS_PLUGINS(lint) ? "enable %s at filter" :
				"add \"GeneralPredicates\" (or %s)",
	    names);
	lint_warn(lint, NULL,
	    "no %s looks at %s, but the kubelet "
	    "does: it rejects pods that do not fit (%s), and their "
	    "controllers create new ones in an endless loop; %s",
	    PREDICATE_WORD(lint), about, status, advice);
}

/* The storage classes that wait, by name. */
static int
compare_classes(const void *a, const void *b)
{
	return strcmp((*(struct storage_class *const *)a)->object.name,
	    (*(struct storage_class *const *)b)->object.name);
}

void
lint_volume_binding(struct lint *lint)
{
	const struct map *map = &lint->cluster->named[OBJECT_STORAGE_CLASS];
	struct storage_class **waiting =
	    arena_array(&lint->arena, struct storage_class *, map->n);
	size_t n = 0;

	if (lint_find(lint, &predicate_check_volume_binding) != NULL ||
	    lint_find(lint, &predicate_leaf_node_volume_binding) != NULL)
		return;
	EACH_VALUE (map, struct storage_class, class)
		if (class->waits_for_consumer)
			waiting[n++] = class;
	if (n == 0)
		return;
	SORT(waiting, n, compare_classes);
	lint_warn(lint, NULL,
	    "%zu StorageClass%s (%s%s) bind%s volumes only "
	    "once the pod has a node (WaitForFirstConsumer), but no %s "
	    "checks volumes when the node is chosen: such pods are assigned "
	    "to nodes that cannot reach their volumes, and do not start; %s",
	    n, n == 1 ? "" : "es", waiting[0]->object.name,
	    n > 1 ? ", ..." : "", n == 1 ? "s" : "", PREDICATE_WORD(lint),
	    HAS_PLUGINS(lint) ? "enable \"VolumeBinding\"" :
				"add \"CheckVolumeBinding\"");
}

/* ---- services that select nothing ---- */

#define SERVICES_SHOWN 10

struct idle {
	const struct workload *service;
	size_t npods; /* in its namespace */
};

static int
compare_idle(const void *a, const void *b)
{
	const struct idle *x = a, *y = b;

	return object_compare_names(&x->service->object, &y->service->object);
}

/* By namespace and name. */
static struct idle *
find_idle(struct lint *lint, size_t *n)
{
	const struct map *map = &lint->cluster->namespaces;
	struct idle *idle = NULL;
	size_t cap = 0;

	*n = 0;
	for (size_t i = 0; i < map->nslots; i++) {
		const struct namespace_info *ns = map->slots[i].value;
		const struct object_list *services;
		size_t npods;

		if (ns == NULL || ns->lists[SELECTING_SERVICES].n == 0)
			continue;
		services = &ns->lists[SELECTING_SERVICES];
		npods = 0;
		for (size_t j = 0; j < lint->ngroups; j++)
			if (lint->groups[j].class->namespace ==
			    services->at[0]->namespace)
				npods += lint->groups[j].npods;
		for (size_t j = 0; npods > 0 && j < services->n; j++) {
			const struct workload *service =
			    workload_at(ns, SELECTING_SERVICES, j);

			if (!service->has_selector ||
			    lint_selects_a_pod(lint, service))
				continue;
			arena_room(&lint->arena, idle, *n, &cap);
			idle[(*n)++] = (struct idle){ service, npods };
		}
	}
	SORT(idle, *n, compare_idle);
	return idle;
}

void
lint_services(struct lint *lint)
{
	struct idle *idle;
	size_t n;

	if (lint_find(lint, &predicate_check_service_affinity) == NULL &&
	    lint_find(lint, &priority_selector_spread_priority) == NULL &&
	    lint_find(lint, &priority_service_spreading_priority) == NULL &&
	    lint_find(lint, &priority_service_anti_affinity) == NULL)
		return;
	idle = find_idle(lint, &n);
	for (size_t i = 0; i < n && i < SERVICES_SHOWN; i++) {
		const struct object *service = &idle[i].service->object;

		lint_warn(lint, NULL,
		    "service %s/%s selects none of the %zu "
		    "pod%s in its namespace: rules that use services have no "
		    "effect on it; compare its selector with the pods' labels",
		    sym_text(service->namespace), service->name, idle[i].npods,
		    plural_of(idle[i].npods));
	}
	if (n > SERVICES_SHOWN)
		lint_warn(lint, NULL, "%zu more service%s select%s no pod",
		    n - SERVICES_SHOWN, plural_of(n - SERVICES_SHOWN),
		    n - SERVICES_SHOWN == 1 ? "s" : "");
}

/* ---- extended resources ---- */

static bool
is_offered(const struct lint *lint, sym resource)
{
	for (size_t i = 0; i < lint->nnodes; i++) {
		const struct scalar *scalar =
		    resources_scalar(&lint->nodes[i]->allocatable, resource);

		if (scalar != NULL && scalar->amount > 0)
			return true;
	}
	return false;
}

/* If the scheduler ignores a resource, nodes need not offer it. */
void
lint_extenders(struct lint *lint)
{
	for (size_t i = 0; i < lint->profile->nextenders; i++) {
		const struct extender *e = &lint->profile->extenders[i];

		for (size_t j = 0; j < e->nmanaged; j++) {
			if (e->managed[j].ignored_by_scheduler ||
			    is_offered(lint, e->managed[j].name))
				continue;
			lint_warn(lint,
			    &(struct lint_rule){ .line = e->line,
				.column = e->column },
			    "extender \"%s\" "
			    "manages \"%s\", which no node offers "
			    "(status.allocatable): pods that request it fit "
			    "on no node; check its device plugin or, if only "
			    "the extender counts it, set "
			    "\"ignoredByScheduler\"",
			    e->url_prefix, sym_text(e->managed[j].name));
		}
	}
}

/* ---- arguments ---- */

/* Every node has these. */
#define USUAL "cpu|memory|ephemeral-storage|pods"

void
lint_added_affinity(struct lint *lint, const struct lint_rule *rule)
{
	const struct node_affinity_args *args = rule->args;

	if (!HAS_PLUGINS(lint) || args == NULL || !args->has_required ||
	    lint->nnodes == 0 ||
	    ANY(i, lint->nnodes,
		node_selector_matches(&args->required, &lint->nodes[i]->labels,
		    lint->nodes[i]->name)))
		return;
	lint_warn(lint, rule,
	    "no node matches what addedAffinity of plugin \"%s\" requires: no "
	    "pod fits anywhere",
	    rule->name);
}

static void
check_resources(struct lint *lint, const struct lint_rule *rule, size_t n,
    const struct scored_resource *resources)
{
	for (size_t i = 0; i < n; i++)
		if (!text_is_choice(USUAL, sym_text(resources[i].name)) &&
		    !is_offered(lint, resources[i].name))
			lint_warn_of(lint, rule,
			    "scores by the resource \"%s\", which no node "
			    "offers (status.allocatable)",
			    sym_text(resources[i].name));
}

void
lint_fit_resources(struct lint *lint, const struct lint_rule *rule)
{
	const struct node_resources_fit_args *args = rule->args;

	if (HAS_PLUGINS(lint) && args != NULL)
		check_resources(lint, rule, args->nresources, args->resources);
}

void
lint_balanced_resources(struct lint *lint, const struct lint_rule *rule)
{
	const struct balanced_allocation_args *args = rule->args;

	if (HAS_PLUGINS(lint) && args != NULL)
		check_resources(lint, rule, args->nresources, args->resources);
}

/* ---- schedulerName ---- */

void
lint_served_pods(struct lint *lint)
{
	const char *name = lint->profile->scheduler_name;

	if (!HAS_PLUGINS(lint) || lint->npods == 0 || name == NULL ||
	    ANY(i, lint->ngroups,
		strcmp(sym_text(lint->groups[i].class->scheduler_name), name) ==
		    0))
		return;
	lint_warn(lint, NULL,
	    "no pod of the cluster given has schedulerName \"%s\": the profile "
	    "serves none",
	    name);
}

/* ---- fields that are not supported ---- */

#define PODS_SHOWN 3

/* "3 pods (default/a, default/b, ...) use", of the field; NULL: none does. */
static const char *
pods_with(struct lint *lint, enum unsupported field)
{
	const char *names = "";
	size_t n = 0;

	for (size_t i = 0; i < lint->on->npods; i++) {
		const struct pod *pod = lint->on->pods[i];

		if (pod_has_ended(pod) ||
		    !(pod->class->unsupported & UNSUPPORTED_BIT(field)))
			continue;
		if (n++ >= PODS_SHOWN)
			continue;
		names =
		    arena_append(&lint->arena, names, ", ", pod_full_name(pod));
	}
	if (n == 0)
		return NULL;
	return arena_printf(&lint->arena, "%zu pod%s (%s%s) %s", n,
	    plural_of(n), names, n > PODS_SHOWN ? ", ..." : "",
	    n == 1 ? "uses" : "use");
}

/* With --strict-policy the fields do not exist. */
void
lint_unsupported(struct lint *lint)
{
	if (lint->profile->strict)
		return;
	for (enum unsupported i = 0; i < UNSUPPORTED_FIELDS; i++) {
		const struct unsupported_field *f = &unsupported_fields[i];
		const char *pods =
		    unsupported_holds(i) ? pods_with(lint, i) : NULL;
		size_t n = unsupported_holds(i) ? 0 : lint->on->nunsupported[i];

		if (pods != NULL &&
		    lint->profile->ignored_fields & UNSUPPORTED_BIT(i))
			lint_warn(lint, NULL, "%s %s, which is ignored", pods,
			    f->path);
		else if (pods != NULL)
			lint_warn(lint, NULL,
			    "%s %s, which is not supported: %s; pending pods "
			    "with it are not scheduled unless "
			    "--ignore-unsupported=%s is set",
			    pods, f->path, f->why, f->name);
		if (n > 0)
			lint_warn(lint, NULL,
			    "%zu object%s of kind %s%s%s %s not supported: %s",
			    n, plural_of(n), f->kind,
			    f->path[0] != '\0' ? " with " : "", f->path,
			    n == 1 ? "is" : "are", f->why);
	}
}
