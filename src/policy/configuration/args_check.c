/*
 * Wrong arguments: 1.36.2 validates them with the configuration, 1.20.2 when it creates
 * the plugin (doc/semantics/11-kube-1.36.md, Configuration;
 * doc/semantics/12-kube-1.20.md, Configuration).
 */
#include "config.h"

#include "base/duration.h"
#include "base/text.h"
#include "objects/decode.h"
#include "objects/selector.h"
#include "policy/configuration/args.h"

#define SECOND INT64_C(1000000000)

void
args_check_default_preemption(struct configuration_reading *r, const void *args)
{
	static const char percentage[] = "minCandidateNodesPercentage";
	const struct default_preemption_written *a = args;
	const struct item *item = &a->head.item;

	configuration_check_range(r, item, "", percentage, a->percentage, 0,
	    100);
	configuration_check_range(r, item, "", "minCandidateNodesAbsolute",
	    a->absolute, 0, INT64_MAX);
	if (a->percentage == 0 && a->absolute == 0)
		configuration_invalid(r, item_member(item, percentage),
		    "%s and minCandidateNodesAbsolute must not both be 0",
		    percentage);
}

void
args_check_inter_pod_affinity(struct configuration_reading *r, const void *args)
{
	const struct inter_pod_affinity_written *a = args;

	configuration_check_range(r, &a->head.item, "", "hardPodAffinityWeight",
	    a->hard_pod_affinity_weight, 0, 100);
}

/* Affinity that the plugin adds to every pod's. */

static void
check_term(struct configuration_reading *r, const struct doc_node *term,
    const char *path)
{
	struct decoder d = decoder_of(scratch(r), term, "", NULL);
	const struct doc_node *const *places;
	const char *const *faults, *error;
	struct node_selector_term decoded;
	uint32_t n;

	if (is_later(r)) {
		faults =
		    node_selector_term_problems(scratch(r), term, &n, &places);
		for (uint32_t i = 0; i < n; i++)
			configuration_invalid(r, places[i], "%s.%s", path,
			    faults[i]);
		return;
	}
	decoded = decode_node_term(&d, term);
	error = decoded.labels.error != NULL ? decoded.labels.error :
					       decoded.fields.error;
	if (error != NULL)
		configuration_invalid(r, term, "%s: %s", path, error);
}

void
args_check_node_affinity(struct configuration_reading *r, const void *args)
{
	const struct node_affinity_written *a = args;
	const struct added_affinity_written *added = a->added;
	const struct node_term_written *terms;
	const struct preferred_written *preferred;

	if (added == NULL)
		return;
	if (added->required != NULL) {
		terms = added->required->terms.items;
		for (size_t i = 0; i < added->required->terms.n; i++)
			check_term(r, terms[i].item.at,
			    arena_printf(scratch(r),
				"addedAffinity." ARGS_REQUIRED
				".nodeSelectorTerms[%zu]",
				i));
	}
	preferred = added->preferred.items;
	for (size_t i = 0; i < added->preferred.n; i++)
		if (preferred[i].weight != 0 && preferred[i].preference != NULL)
			check_term(r, preferred[i].preference->item.at,
			    arena_printf(scratch(r),
				"addedAffinity." ARGS_PREFERRED "[%zu]", i));
}

/* Resources and shapes. */

static void
check_names(struct configuration_reading *r, const struct list *names,
    const char *path, bool groups)
{
	const struct string_value *at = names->items;

	for (size_t i = 0; i < names->n; i++) {
		const char *where =
		    arena_printf(scratch(r), "%s[%zu]", path, i);

		if (groups && strchr(at[i].text, '/') != NULL)
			configuration_invalid(r, at[i].item.at,
			    "%s \"%s\" must not contain '/'", where,
			    at[i].text);
		configuration_check_name(r, at[i].item.at, where, at[i].text);
	}
}

static void
check_points(struct configuration_reading *r, const struct item *item,
    const struct list *shape, const char *path)
{
	check_shape(&r->reading, item, shape,
	    arena_printf(scratch(r), "%s%s", r->prefix, path));
}

static void
check_weights(struct configuration_reading *r, const struct list *resources,
    const char *path, int64_t most)
{
	const struct resource_written *resource = resources->items;

	for (size_t i = 0; i < resources->n; i++)
		configuration_check_range(r, &resource[i].item,
		    arena_printf(scratch(r), "%s[%zu].", path, i), "weight",
		    resource[i].weight, 1, most);
}

static void
check_strategy(struct configuration_reading *r,
    const struct strategy_written *s)
{
	const char *type = or_empty(s->type);
	bool is_ratio = strcmp(type, "RequestedToCapacityRatio") == 0;

	if (!is_ratio && strcmp(type, "LeastAllocated") != 0 &&
	    strcmp(type, "MostAllocated") != 0)
		configuration_invalid(r, item_member(&s->item, "type"),
		    "scoringStrategy.type must be LeastAllocated, "
		    "MostAllocated or RequestedToCapacityRatio, not \"%s\"",
		    type);
	check_weights(r, &s->resources, "scoringStrategy.resources", 100);
	if (is_ratio && s->ratio == NULL)
		configuration_invalid(r, s->item.at,
		    "scoringStrategy.requestedToCapacityRatio is missing, "
		    "which the type RequestedToCapacityRatio needs");
	else if (is_ratio)
		check_points(r, &s->ratio->item, &s->ratio->shape,
		    "scoringStrategy.requestedToCapacityRatio.shape");
	else if (s->ratio != NULL)
		configuration_invalid(r, s->ratio->item.at,
		    "scoringStrategy.requestedToCapacityRatio is only for the "
		    "type RequestedToCapacityRatio");
}

void
args_check_fit(struct configuration_reading *r, const void *args)
{
	const struct fit_written *a = args;

	check_names(r, &a->ignored, "ignoredResources", false);
	check_names(r, &a->ignored_groups, "ignoredResourceGroups", true);
	if (a->strategy != NULL)
		check_strategy(r, a->strategy);
}

void
args_check_balanced(struct configuration_reading *r, const void *args)
{
	const struct allocation_written *a = args;
	const struct resource_written *resource = a->resources.items;

	for (size_t i = 0; i < a->resources.n; i++)
		if (ANY(j, i,
			strcmp(or_empty(resource[j].name),
			    or_empty(resource[i].name)) == 0))
			configuration_invalid(r,
			    item_member(&resource[i].item, "name"),
			    "resources[%zu].name: \"%s\" is listed already", i,
			    or_empty(resource[i].name));
	check_weights(r, &a->resources, "resources", 1);
}

/* 1.20: NodeResourcesLeastAllocated and NodeResourcesMostAllocated */
void
args_check_allocation(struct configuration_reading *r, const void *args)
{
	const struct allocation_written *a = args;

	check_weights(r, &a->resources, "resources", 100);
}

/* 1.20: RequestedToCapacityRatio */
void
args_check_ratio(struct configuration_reading *r, const void *args)
{
	const struct allocation_written *a = args;

	check_points(r, &a->head.item, &a->shape, "shape");
	check_weights(r, &a->resources, "resources", INT64_MAX);
}

/* Spread constraints */

static void
check_constraint(struct configuration_reading *r,
    const struct spread_written *a, size_t i)
{
	const struct constraint_written *all = a->constraints.items;
	const struct constraint_written *c = &all[i];
	const char *path =
	    arena_printf(scratch(r), "defaultConstraints[%zu].", i);
	const char *key = or_empty(c->topology_key);
	const char *action = or_empty(c->when_unsatisfiable);

	configuration_check_range(r, &c->item, path, "maxSkew", c->max_skew, 1,
	    INT64_MAX);
	if (*key == '\0')
		configuration_invalid(r, item_member(&c->item, "topologyKey"),
		    "%stopologyKey is missing", path);
	else
		configuration_check_name(r,
		    item_member(&c->item, "topologyKey"),
		    arena_printf(scratch(r), "%stopologyKey", path), key);
	if (!text_is_choice("DoNotSchedule|ScheduleAnyway", action))
		configuration_invalid(r,
		    item_member(&c->item, "whenUnsatisfiable"),
		    "%swhenUnsatisfiable must be DoNotSchedule or "
		    "ScheduleAnyway, not \"%s\"",
		    path, action);
	if (c->label_selector != NULL)
		configuration_invalid(r, c->label_selector,
		    "%slabelSelector must not be given: it is each pod's own",
		    path);
	for (size_t j = 0; j < i; j++)
		if (strcmp(or_empty(all[j].topology_key), key) == 0 &&
		    strcmp(or_empty(all[j].when_unsatisfiable), action) == 0) {
			configuration_invalid(r, c->item.at,
			    "defaultConstraints[%zu]: defaultConstraints[%zu] "
			    "has the topologyKey \"%s\" and %s, too",
			    i, j, key, action);
			break;
		}
}

void
args_check_spread(struct configuration_reading *r, const void *args)
{
	const struct spread_written *a = args;
	const char *type = a->defaulting_type;
	const struct doc_node *at =
	    item_member(&a->head.item, "defaultingType");

	if (!text_is_choice("System|List", type))
		configuration_invalid(r, at,
		    "defaultingType must be System or List, not \"%s\"", type);
	else if (strcmp(type, "System") == 0 && a->constraints.n > 0)
		configuration_invalid(r, at,
		    "defaultingType must be List beside defaultConstraints");
	for (size_t i = 0; i < a->constraints.n; i++)
		check_constraint(r, a, i);
}

/* The rest. */

void
args_check_volume_binding(struct configuration_reading *r, const void *args)
{
	const struct volume_binding_written *a = args;
	const struct item *item = &a->head.item;

	configuration_check_range(r, item, "", "bindTimeoutSeconds",
	    a->bind_timeout, is_later(r) ? 0 : 1, INT64_MAX);
	if (!is_later(r))
		return;
	if (r->reading.options->gates.storage_capacity_scoring)
		check_points(r, item, &a->shape, "shape");
	else if (a->shape.given)
		configuration_invalid(r, item_member(item, "shape"),
		    "shape needs the feature gate StorageCapacityScoring");
}

void
args_check_dynamic_resources(struct configuration_reading *r, const void *args)
{
	const struct dynamic_resources_written *a = args;
	char text[DURATION_TEXT];

	if (a->filter_timeout < 0)
		configuration_invalid(r,
		    item_member(&a->head.item, "filterTimeout"),
		    "filterTimeout must be 0s or more, not %s",
		    duration_text(a->filter_timeout, text));
	if (a->binding_timeout < SECOND)
		configuration_invalid(r,
		    item_member(&a->head.item, "bindingTimeout"),
		    "bindingTimeout must be 1s or more, not %s",
		    duration_text(a->binding_timeout, text));
}

static void
check_conflict(struct configuration_reading *r, const struct list *present,
    const struct list *absent, const char *lists)
{
	const struct string_value *p = present->items, *a = absent->items;

	for (size_t i = 0; i < absent->n; i++)
		for (size_t j = 0; j < present->n; j++)
			if (strcmp(a[i].text, p[j].text) == 0)
				configuration_invalid(r, a[i].item.at,
				    "label \"%s\" is in both %s", a[i].text,
				    lists);
}

void
args_check_node_label(struct configuration_reading *r, const void *args)
{
	const struct node_label_written *a = args;

	check_conflict(r, &a->present, &a->absent,
	    "presentLabels and absentLabels");
	check_conflict(r, &a->preferred_present, &a->preferred_absent,
	    "presentLabelsPreference and absentLabelsPreference");
}
