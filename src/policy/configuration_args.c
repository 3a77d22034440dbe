/*
 * Arguments of plugins (doc/semantics/08-kubeschedulerconfiguration.md,
 * Arguments of plugins): their fields, their defaults, and the structs that units read.
 */
#include "config.h"

#include <string.h>

#include "base/err.h"
#include "base/json_out.h"
#include "base/xmalloc.h"
#include "policy/configuration_args.h"
#include "policy/schema.h"

#define SECOND INT64_C(1000000000)

/* Fields. */

#define HEAD(type)                                                             \
	STRICT(type, head.api_version, "apiVersion", FIELD_STRING),            \
	    STRICT(type, head.kind, "kind", FIELD_STRING)

static const struct field default_preemption_fields[] = {
	HEAD(default_preemption_written),
	STRICT(default_preemption_written, percentage,
	    "minCandidateNodesPercentage", FIELD_INT32),
	STRICT(default_preemption_written, absolute,
	    "minCandidateNodesAbsolute", FIELD_INT32),
};
static const struct schema default_preemption_schema =
    SCHEMA(default_preemption_written, default_preemption_fields, false);

static const struct field inter_pod_affinity_fields[] = {
	HEAD(inter_pod_affinity_written),
	STRICT(inter_pod_affinity_written, hard_pod_affinity_weight,
	    "hardPodAffinityWeight", FIELD_INT32),
};
static const struct schema inter_pod_affinity_schema =
    SCHEMA(inter_pod_affinity_written, inter_pod_affinity_fields, false);

static const struct field inter_pod_affinity_fields_36[] = {
	HEAD(inter_pod_affinity_written),
	STRICT(inter_pod_affinity_written, hard_pod_affinity_weight,
	    "hardPodAffinityWeight", FIELD_INT32),
	STRICT(inter_pod_affinity_written, ignore_preferred_terms,
	    "ignorePreferredTermsOfExistingPods", FIELD_BOOL),
};
static const struct schema inter_pod_affinity_schema_36 =
    SCHEMA(inter_pod_affinity_written, inter_pod_affinity_fields_36, false);

static const struct field requirement_fields[] = {
	STRICT(requirement_written, key, "key", FIELD_STRING),
	STRICT(requirement_written, op, "operator", FIELD_STRING),
	STRICT(requirement_written, values, "values", FIELD_STRINGS),
};
static const struct schema requirement_schema =
    SCHEMA(requirement_written, requirement_fields, false);

static const struct field node_term_fields[] = {
	STRICT_OF(node_term_written, expressions, "matchExpressions",
	    FIELD_OBJECTS, requirement_schema),
	STRICT_OF(node_term_written, fields, "matchFields", FIELD_OBJECTS,
	    requirement_schema),
};
static const struct schema node_term_schema =
    SCHEMA(node_term_written, node_term_fields, false);

static const struct field node_selector_fields[] = {
	STRICT_OF(node_selector_written, terms, "nodeSelectorTerms",
	    FIELD_OBJECTS, node_term_schema),
};
static const struct schema node_selector_schema =
    SCHEMA(node_selector_written, node_selector_fields, false);

static const struct field preferred_fields[] = {
	STRICT(preferred_written, weight, "weight", FIELD_INT32),
	STRICT_OF(preferred_written, preference, "preference", FIELD_OBJECT,
	    node_term_schema),
};
static const struct schema preferred_schema =
    SCHEMA(preferred_written, preferred_fields, false);

#define REQUIRED "requiredDuringSchedulingIgnoredDuringExecution"
#define PREFERRED "preferredDuringSchedulingIgnoredDuringExecution"

static const struct field added_affinity_fields[] = {
	STRICT_OF(added_affinity_written, required, REQUIRED, FIELD_OBJECT,
	    node_selector_schema),
	STRICT_OF(added_affinity_written, preferred, PREFERRED, FIELD_OBJECTS,
	    preferred_schema),
};
static const struct schema added_affinity_schema =
    SCHEMA(added_affinity_written, added_affinity_fields, false);

static const struct field node_affinity_fields[] = {
	HEAD(node_affinity_written),
	STRICT_OF(node_affinity_written, added, "addedAffinity", FIELD_OBJECT,
	    added_affinity_schema),
};
static const struct schema node_affinity_schema =
    SCHEMA(node_affinity_written, node_affinity_fields, false);

static const struct field resource_fields[] = {
	STRICT(resource_written, name, "name", FIELD_STRING),
	STRICT(resource_written, weight, "weight", FIELD_INT),
};
static const struct schema resource_schema =
    SCHEMA(resource_written, resource_fields, false);

static const struct field shape_point_fields[] = {
	STRICT(shape_entry, utilization, "utilization", FIELD_INT32),
	STRICT(shape_entry, score, "score", FIELD_INT32),
};
static const struct schema shape_point_schema =
    SCHEMA(shape_entry, shape_point_fields, false);

static const struct field shape_fields[] = {
	STRICT_OF(shape_written, shape, "shape", FIELD_OBJECTS,
	    shape_point_schema),
};
static const struct schema shape_schema =
    SCHEMA(shape_written, shape_fields, false);

static const struct field strategy_fields[] = {
	STRICT(strategy_written, type, "type", FIELD_STRING),
	STRICT_OF(strategy_written, resources, "resources", FIELD_OBJECTS,
	    resource_schema),
	STRICT_OF(strategy_written, ratio, "requestedToCapacityRatio",
	    FIELD_OBJECT, shape_schema),
};
static const struct schema strategy_schema =
    SCHEMA(strategy_written, strategy_fields, false);

#define IGNORED                                                                \
	STRICT(fit_written, ignored, "ignoredResources", FIELD_STRINGS),       \
	    STRICT(fit_written, ignored_groups, "ignoredResourceGroups",       \
		FIELD_STRINGS)

static const struct field fit_fields[] = { HEAD(fit_written), IGNORED };
static const struct schema fit_schema = SCHEMA(fit_written, fit_fields, false);

static const struct field fit_fields_36[] = {
	HEAD(fit_written),
	IGNORED,
	STRICT_OF(fit_written, strategy, "scoringStrategy", FIELD_OBJECT,
	    strategy_schema),
};
static const struct schema fit_schema_36 =
    SCHEMA(fit_written, fit_fields_36, false);

static const struct field allocation_fields[] = {
	HEAD(allocation_written),
	STRICT_OF(allocation_written, resources, "resources", FIELD_OBJECTS,
	    resource_schema),
};
static const struct schema allocation_schema =
    SCHEMA(allocation_written, allocation_fields, false);

static const struct field ratio_fields[] = {
	HEAD(allocation_written),
	STRICT_OF(allocation_written, resources, "resources", FIELD_OBJECTS,
	    resource_schema),
	STRICT_OF(allocation_written, shape, "shape", FIELD_OBJECTS,
	    shape_point_schema),
};
static const struct schema ratio_schema =
    SCHEMA(allocation_written, ratio_fields, false);

#define CONSTRAINT                                                             \
	STRICT(constraint_written, max_skew, "maxSkew", FIELD_INT32),          \
	    STRICT(constraint_written, topology_key, "topologyKey",            \
		FIELD_STRING),                                                 \
	    STRICT(constraint_written, when_unsatisfiable,                     \
		"whenUnsatisfiable", FIELD_STRING),                            \
	    STRICT(constraint_written, label_selector, "labelSelector",        \
		FIELD_NODE)

static const struct field constraint_fields[] = { CONSTRAINT };
static const struct schema constraint_schema =
    SCHEMA(constraint_written, constraint_fields, false);

static const struct field constraint_fields_36[] = {
	CONSTRAINT,
	STRICT(constraint_written, min_domains, "minDomains", FIELD_INT32),
	STRICT(constraint_written, node_affinity_policy, "nodeAffinityPolicy",
	    FIELD_STRING),
	STRICT(constraint_written, node_taints_policy, "nodeTaintsPolicy",
	    FIELD_STRING),
	STRICT(constraint_written, match_label_keys, "matchLabelKeys",
	    FIELD_STRINGS),
};
static const struct schema constraint_schema_36 =
    SCHEMA(constraint_written, constraint_fields_36, false);

static const struct field spread_fields[] = {
	HEAD(spread_written),
	STRICT_OF(spread_written, constraints, "defaultConstraints",
	    FIELD_OBJECTS, constraint_schema),
	STRICT(spread_written, defaulting_type, "defaultingType", FIELD_STRING),
};
static const struct schema spread_schema =
    SCHEMA(spread_written, spread_fields, false);

static const struct field spread_fields_36[] = {
	HEAD(spread_written),
	STRICT_OF(spread_written, constraints, "defaultConstraints",
	    FIELD_OBJECTS, constraint_schema_36),
	STRICT(spread_written, defaulting_type, "defaultingType", FIELD_STRING),
};
static const struct schema spread_schema_36 =
    SCHEMA(spread_written, spread_fields_36, false);

static const struct field volume_binding_fields[] = {
	HEAD(volume_binding_written),
	STRICT(volume_binding_written, bind_timeout, "bindTimeoutSeconds",
	    FIELD_INT),
};
static const struct schema volume_binding_schema =
    SCHEMA(volume_binding_written, volume_binding_fields, false);

static const struct field volume_binding_fields_36[] = {
	HEAD(volume_binding_written),
	STRICT(volume_binding_written, bind_timeout, "bindTimeoutSeconds",
	    FIELD_INT),
	STRICT_OF(volume_binding_written, shape, "shape", FIELD_OBJECTS,
	    shape_point_schema),
};
static const struct schema volume_binding_schema_36 =
    SCHEMA(volume_binding_written, volume_binding_fields_36, false);

static const struct field dynamic_resources_fields[] = {
	HEAD(dynamic_resources_written),
	STRICT(dynamic_resources_written, filter_timeout, "filterTimeout",
	    FIELD_DURATION),
	STRICT(dynamic_resources_written, binding_timeout, "bindingTimeout",
	    FIELD_DURATION),
};
static const struct schema dynamic_resources_schema =
    SCHEMA(dynamic_resources_written, dynamic_resources_fields, false);

static const struct field node_label_fields[] = {
	HEAD(node_label_written),
	STRICT(node_label_written, present, "presentLabels", FIELD_STRINGS),
	STRICT(node_label_written, absent, "absentLabels", FIELD_STRINGS),
	STRICT(node_label_written, preferred_present, "presentLabelsPreference",
	    FIELD_STRINGS),
	STRICT(node_label_written, preferred_absent, "absentLabelsPreference",
	    FIELD_STRINGS),
};
static const struct schema node_label_schema =
    SCHEMA(node_label_written, node_label_fields, false);

static const struct field service_affinity_fields[] = {
	HEAD(service_affinity_written),
	STRICT(service_affinity_written, labels, "affinityLabels",
	    FIELD_STRINGS),
	STRICT(service_affinity_written, anti_affinity_labels,
	    "antiAffinityLabelsPreference", FIELD_STRINGS),
};
static const struct schema service_affinity_schema =
    SCHEMA(service_affinity_written, service_affinity_fields, false);

/* Defaults. */

static void
default_int(const void *object, const char *key, int64_t *value,
    int64_t default_)
{
	const struct item *item = object;

	if (!is_given(item, key))
		*value = default_;
}

static void
fill_default_preemption(struct configuration_reading *reading, void *args)
{
	struct default_preemption_written *a = args;

	default_int(a, "minCandidateNodesPercentage", &a->percentage, 10);
	default_int(a, "minCandidateNodesAbsolute", &a->absolute, 100);
}

static void
fill_inter_pod_affinity(struct configuration_reading *reading, void *args)
{
	struct inter_pod_affinity_written *a = args;

	default_int(a, "hardPodAffinityWeight", &a->hard_pod_affinity_weight,
	    1);
}

/* cpu and memory, one each */
static void
fill_resources(struct configuration_reading *reading, struct list *resources)
{
	struct resource_written *at;

	if (resources->n > 0)
		return;
	at = arena_array(&reading->reading.arena, struct resource_written, 2);
	at[0].name = "cpu";
	at[1].name = "memory";
	at[0].weight = at[1].weight = 1;
	*resources = (struct list){ true, 2, at };
}

static void
fill_weights(struct list *resources)
{
	struct resource_written *at = resources->items;

	for (size_t i = 0; i < resources->n; i++)
		if (at[i].weight == 0)
			at[i].weight = 1;
}

static void
fill_fit(struct configuration_reading *reading, void *args)
{
	struct fit_written *a = args;

	if (reading->version->release < 36)
		return;
	if (a->strategy == NULL) {
		a->strategy =
		    arena_zalloc(&reading->reading.arena, sizeof(*a->strategy));
		a->strategy->type = "LeastAllocated";
	}
	fill_resources(reading, &a->strategy->resources);
	fill_weights(&a->strategy->resources);
}

static void
fill_allocation(struct configuration_reading *reading, void *args)
{
	struct allocation_written *a = args;

	fill_resources(reading, &a->resources);
	if (reading->version->release >= 36)
		fill_weights(&a->resources);
}

static void
fill_spread(struct configuration_reading *reading, void *args)
{
	struct spread_written *a = args;

	if (*text_or_empty(a->defaulting_type) != '\0')
		return;
	a->defaulting_type = "System";
	if (reading->version->release < 36 &&
	    (a->constraints.n > 0 ||
		!reading->reading.options->gates.default_pod_topology_spread))
		a->defaulting_type = "List";
}

static void
fill_volume_binding(struct configuration_reading *reading, void *args)
{
	struct volume_binding_written *a = args;

	default_int(a, "bindTimeoutSeconds", &a->bind_timeout,
	    /* v1alpha2 */
	    is_given(&reading->entry.item, "bindTimeoutSeconds") ?
		reading->entry.bind_timeout_seconds :
		600);
	if (reading->reading.options->gates.storage_capacity_scoring &&
	    reading->version->release >= 36 && a->shape.n == 0) {
		struct shape_entry *at =
		    arena_array(&reading->reading.arena, struct shape_entry, 2);

		/* The less is used, the better. */
		at[0].score = POLICY_SCORE_MAX;
		at[1].utilization = 100;
		a->shape = (struct list){ true, 2, at };
	}
}

static void
fill_dynamic_resources(struct configuration_reading *reading, void *args)
{
	struct dynamic_resources_written *a = args;

	default_int(a, "filterTimeout", &a->filter_timeout, 10 * SECOND);
	default_int(a, "bindingTimeout", &a->binding_timeout, 600 * SECOND);
}

/* The structs of framework/args.h. */

static const sym *
make_syms(struct arena *arena, const struct list *strings, size_t *n)
{
	const struct string_value *at = strings->items;
	sym *syms = arena_array(arena, sym, strings->n);

	for (size_t i = 0; i < strings->n; i++)
		syms[i] = sym_intern(at[i].text);
	*n = strings->n;
	return syms;
}

static const struct scored_resource *
make_resources(struct arena *arena, const struct list *resources, size_t *n)
{
	const struct resource_written *at = resources->items;
	struct scored_resource *out =
	    arena_array(arena, struct scored_resource, resources->n);

	for (size_t i = 0; i < resources->n; i++)
		out[i] = (struct scored_resource){
			sym_intern(text_or_empty(at[i].name)),
			at[i].weight,
		};
	*n = resources->n;
	return out;
}

static const struct shape_point *
make_shape(struct arena *arena, const struct list *shape, size_t *n)
{
	const struct shape_entry *at = shape->items;
	struct shape_point *out =
	    arena_array(arena, struct shape_point, shape->n);

	for (size_t i = 0; i < shape->n; i++)
		out[i] = (struct shape_point){ at[i].utilization, at[i].score };
	*n = shape->n;
	return out;
}

static const void *
make_default_preemption(struct configuration_reading *reading,
    struct arena *arena, const void *args)
{
	const struct default_preemption_written *a = args;
	struct default_preemption_args *made =
	    arena_zalloc(arena, sizeof(*made));

	made->min_candidate_nodes_percentage = (int32_t)a->percentage;
	made->min_candidate_nodes_absolute = (int32_t)a->absolute;
	return made;
}

static const void *
make_inter_pod_affinity(struct configuration_reading *reading,
    struct arena *arena, const void *args)
{
	const struct inter_pod_affinity_written *a = args;
	struct inter_pod_affinity_args *made =
	    arena_zalloc(arena, sizeof(*made));

	made->hard_pod_affinity_weight = (int32_t)a->hard_pod_affinity_weight;
	made->ignore_preferred_terms_of_existing_pods =
	    a->ignore_preferred_terms;
	return made;
}

/* Kinds were checked when it was decoded: neither call fails. */
static void
make_preferred(struct arena *arena, const struct preferred_written *term,
    struct preferred_node_term *out)
{
	const struct doc_node *preference =
	    doc_get(term->item.at, "preference");
	struct err ignored;

	out->weight = term->weight;
	selector_from_node_requirements(arena,
	    doc_get(preference, "matchExpressions"), "matchExpressions",
	    &out->expressions, &ignored);
	node_selector_term_from_doc(arena, preference, "preference", &out->term,
	    &ignored);
}

static const void *
make_node_affinity(struct configuration_reading *reading, struct arena *arena,
    const void *args)
{
	const struct node_affinity_written *a = args;
	struct node_affinity_args *made = arena_zalloc(arena, sizeof(*made));
	const struct preferred_written *preferred;
	struct preferred_node_term *terms;
	struct err ignored;

	if (a->added == NULL)
		return made;
	if (a->added->required != NULL) {
		made->has_required = true;
		node_selector_from_doc(arena, a->added->required->item.at,
		    REQUIRED, &made->required, &ignored);
	}
	preferred = a->added->preferred.items;
	terms = arena_array(arena, struct preferred_node_term,
	    a->added->preferred.n);
	for (size_t i = 0; i < a->added->preferred.n; i++)
		make_preferred(arena, &preferred[i], &terms[i]);
	made->npreferred = (uint32_t)a->added->preferred.n;
	made->preferred = terms;
	return made;
}

static enum scoring_strategy
strategy_of(const char *type)
{
	if (strcmp(text_or_empty(type), "MostAllocated") == 0)
		return STRATEGY_MOST_ALLOCATED;
	if (strcmp(text_or_empty(type), "RequestedToCapacityRatio") == 0)
		return STRATEGY_REQUESTED_TO_CAPACITY_RATIO;
	return STRATEGY_LEAST_ALLOCATED;
}

static const void *
make_fit(struct configuration_reading *reading, struct arena *arena,
    const void *args)
{
	const struct fit_written *a = args;
	struct node_resources_fit_args *made =
	    arena_zalloc(arena, sizeof(*made));

	made->ignored = make_syms(arena, &a->ignored, &made->nignored);
	made->ignored_groups =
	    make_syms(arena, &a->ignored_groups, &made->nignored_groups);
	if (a->strategy == NULL)
		return made;
	made->strategy = strategy_of(a->strategy->type);
	made->resources =
	    make_resources(arena, &a->strategy->resources, &made->nresources);
	if (a->strategy->ratio != NULL)
		made->shape = make_shape(arena, &a->strategy->ratio->shape,
		    &made->npoints);
	return made;
}

static const void *
make_allocation(struct arena *arena, const struct allocation_written *a,
    enum scoring_strategy strategy)
{
	struct node_resources_fit_args *made =
	    arena_zalloc(arena, sizeof(*made));

	made->strategy = strategy;
	made->resources =
	    make_resources(arena, &a->resources, &made->nresources);
	made->shape = make_shape(arena, &a->shape, &made->npoints);
	return made;
}

static const void *
make_least_allocated(struct configuration_reading *reading, struct arena *arena,
    const void *args)
{
	return make_allocation(arena, args, STRATEGY_LEAST_ALLOCATED);
}

static const void *
make_most_allocated(struct configuration_reading *reading, struct arena *arena,
    const void *args)
{
	return make_allocation(arena, args, STRATEGY_MOST_ALLOCATED);
}

static const void *
make_ratio(struct configuration_reading *reading, struct arena *arena,
    const void *args)
{
	return make_allocation(arena, args,
	    STRATEGY_REQUESTED_TO_CAPACITY_RATIO);
}

static const void *
make_balanced(struct configuration_reading *reading, struct arena *arena,
    const void *args)
{
	const struct allocation_written *a = args;
	struct balanced_allocation_args *made =
	    arena_zalloc(arena, sizeof(*made));

	made->resources =
	    make_resources(arena, &a->resources, &made->nresources);
	return made;
}

static struct spread_constraint
make_constraint(struct arena *arena, const struct constraint_written *c)
{
	const char *affinity = text_or_empty(c->node_affinity_policy);
	struct spread_constraint made = {
		.max_skew = c->max_skew,
		.min_domains =
		    is_given(&c->item, "minDomains") ? c->min_domains : 1,
		.topology_key = sym_intern(text_or_empty(c->topology_key)),
		.hard = strcmp(text_or_empty(c->when_unsatisfiable),
			    "DoNotSchedule") == 0,
		.ignores_affinity =
		    *affinity != '\0' && strcmp(affinity, "Honor") != 0,
		.honors_taints =
		    strcmp(text_or_empty(c->node_taints_policy), "Honor") == 0,
		.selector = SELECTOR_NOTHING,
	};
	size_t n;

	made.match_keys = make_syms(arena, &c->match_label_keys, &n);
	made.nmatch_keys = (uint32_t)n;
	return made;
}

static const void *
make_spread(struct configuration_reading *reading, struct arena *arena,
    const void *args)
{
	const struct spread_written *a = args;
	const struct constraint_written *c = a->constraints.items;
	struct pod_topology_spread_args *made =
	    arena_zalloc(arena, sizeof(*made));
	struct spread_constraint *constraints =
	    arena_array(arena, struct spread_constraint, a->constraints.n);

	made->system_defaults = strcmp(a->defaulting_type, "System") == 0;
	for (size_t i = 0; i < a->constraints.n; i++)
		constraints[i] = make_constraint(arena, &c[i]);
	made->nconstraints = (uint32_t)a->constraints.n;
	made->constraints = constraints;
	return made;
}

static const void *
make_volume_binding(struct configuration_reading *reading, struct arena *arena,
    const void *args)
{
	const struct volume_binding_written *a = args;
	struct volume_binding_args *made = arena_zalloc(arena, sizeof(*made));

	made->bind_timeout_seconds = a->bind_timeout;
	made->shape = make_shape(arena, &a->shape, &made->npoints);
	return made;
}

static const void *
make_dynamic_resources(struct configuration_reading *reading,
    struct arena *arena, const void *args)
{
	const struct dynamic_resources_written *a = args;
	struct dynamic_resources_args *made =
	    arena_zalloc(arena, sizeof(*made));

	made->filter_timeout = a->filter_timeout;
	made->binding_timeout = a->binding_timeout;
	return made;
}

static const void *
make_node_label(struct configuration_reading *reading, struct arena *arena,
    const void *args)
{
	const struct node_label_written *a = args;
	struct node_label_args *made = arena_zalloc(arena, sizeof(*made));

	made->present = make_syms(arena, &a->present, &made->npresent);
	made->absent = make_syms(arena, &a->absent, &made->nabsent);
	made->preferred_present =
	    make_syms(arena, &a->preferred_present, &made->npreferred_present);
	made->preferred_absent =
	    make_syms(arena, &a->preferred_absent, &made->npreferred_absent);
	return made;
}

static const void *
make_service_affinity(struct configuration_reading *reading,
    struct arena *arena, const void *args)
{
	const struct service_affinity_written *a = args;
	struct service_affinity_plugin_args *made =
	    arena_zalloc(arena, sizeof(*made));

	made->labels = make_syms(arena, &a->labels, &made->nlabels);
	made->anti_affinity_labels = make_syms(arena, &a->anti_affinity_labels,
	    &made->nanti_affinity_labels);
	return made;
}

/* clang-format off */
static const struct args_kind kinds[] = {
	{ "DefaultPreemption", 0, &default_preemption_schema,
	    fill_default_preemption, args_check_default_preemption,
	    make_default_preemption, args_json_default_preemption },
	{ "InterPodAffinity", 20, &inter_pod_affinity_schema,
	    fill_inter_pod_affinity, args_check_inter_pod_affinity,
	    make_inter_pod_affinity, args_json_inter_pod_affinity },
	{ "InterPodAffinity", 36, &inter_pod_affinity_schema_36,
	    fill_inter_pod_affinity, args_check_inter_pod_affinity,
	    make_inter_pod_affinity, args_json_inter_pod_affinity },
	{ "NodeAffinity", 0, &node_affinity_schema, NULL, args_check_node_affinity,
	    make_node_affinity, args_json_node_affinity },
	{ "NodeLabel", 20, &node_label_schema, NULL, args_check_node_label,
	    make_node_label, args_json_node_label },
	{ "NodeResourcesBalancedAllocation", 36, &allocation_schema,
	    fill_allocation, args_check_balanced, make_balanced, args_json_allocation },
	{ "NodeResourcesFit", 20, &fit_schema, fill_fit, args_check_fit, make_fit,
	    args_json_fit },
	{ "NodeResourcesFit", 36, &fit_schema_36, fill_fit, args_check_fit, make_fit,
	    args_json_fit },
	{ "NodeResourcesLeastAllocated", 20, &allocation_schema,
	    fill_allocation, args_check_allocation, make_least_allocated,
	    args_json_allocation },
	{ "NodeResourcesMostAllocated", 20, &allocation_schema,
	    fill_allocation, args_check_allocation, make_most_allocated,
	    args_json_allocation },
	{ "PodTopologySpread", 20, &spread_schema, fill_spread, args_check_spread,
	    make_spread, args_json_spread },
	{ "PodTopologySpread", 36, &spread_schema_36, fill_spread, args_check_spread,
	    make_spread, args_json_spread },
	{ "RequestedToCapacityRatio", 20, &ratio_schema, fill_allocation,
	    args_check_ratio, make_ratio, args_json_ratio },
	{ "ServiceAffinity", 20, &service_affinity_schema, NULL, NULL,
	    make_service_affinity, args_json_service_affinity },
	{ "VolumeBinding", 20, &volume_binding_schema, fill_volume_binding,
	    args_check_volume_binding, make_volume_binding, args_json_volume_binding },
	{ "VolumeBinding", 36, &volume_binding_schema_36, fill_volume_binding,
	    args_check_volume_binding, make_volume_binding, args_json_volume_binding },
	{ "LeafNodeVolumeBinding", 0, &volume_binding_schema,
	    fill_volume_binding, args_check_volume_binding, make_volume_binding,
	    args_json_volume_binding },
	{ "DynamicResources", 36, &dynamic_resources_schema,
	    fill_dynamic_resources, args_check_dynamic_resources,
	    make_dynamic_resources, args_json_dynamic_resources },
};
/* clang-format on */

const struct args_kind *
args_kind_find(int release, const char *plugin)
{
	for (size_t i = 0; i < LENGTH(kinds); i++)
		if ((kinds[i].release == 0 || kinds[i].release == release) &&
		    strcmp(kinds[i].plugin, plugin) == 0)
			return &kinds[i];
	return NULL;
}

/* Its type, if it says one, must be NAMEArgs of this version. */
static void
check_type(struct configuration_reading *reading, const struct args_kind *kind,
    const struct args_head *head, const char *path)
{
	struct reading *r = &reading->reading;
	const char *version = arena_printf(&r->arena, "%s%s",
	    CONFIGURATION_GROUP, reading->version->name);
	const char *type = arena_printf(&r->arena, "%sArgs", kind->plugin);

	if (*text_or_empty(head->kind) != '\0' &&
	    strcmp(head->kind, type) != 0) {
		reading_report(r, SEVERITY_ERROR,
		    item_member(&head->item, "kind"),
		    "%s.kind must be \"%s\", not \"%s\"", path, type,
		    head->kind);
		r->undecodable = true;
		r->mistyped = true;
	}
	if (*text_or_empty(head->api_version) != '\0' &&
	    strcmp(head->api_version, version) != 0) {
		reading_report(r, SEVERITY_ERROR,
		    item_member(&head->item, "apiVersion"),
		    "%s.apiVersion must be \"%s\", not \"%s\"", path, version,
		    head->api_version);
		r->undecodable = true;
		r->mistyped = true;
	}
}

void *
args_decode(struct configuration_reading *reading, const struct args_kind *kind,
    const struct doc_node *node, const char *path)
{
	struct args_head *head =
	    arena_zalloc(&reading->reading.arena, kind->schema->size);

	if (node != NULL) {
		schema_decode(&reading->reading, node, path, kind->schema,
		    head);
		check_type(reading, kind, head, path);
	}
	if (kind->fill != NULL)
		kind->fill(reading, head);
	return head;
}

void
args_validate(struct configuration_reading *reading,
    const struct args_kind *kind, const void *args, const char *prefix,
    struct sentences *sentences)
{
	struct args_check check = { reading, prefix, sentences };

	if (kind->validate != NULL)
		kind->validate(&check, args);
}

const void *
args_make(struct configuration_reading *reading, struct arena *arena,
    const struct args_kind *kind, const void *args)
{
	return kind->make(reading, arena, args);
}

void
args_json(struct json_out *json, int release, const struct args_kind *kind,
    const void *args)
{
	json_open(json, '{');
	kind->json(json, release, args);
	json_close(json, '}');
}
