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

#define REQUIRED "requiredDuringSchedulingIgnoredDuringExecution"
#define PREFERRED "preferredDuringSchedulingIgnoredDuringExecution"

#define HEAD(type)                                                             \
	STRICT(type, head.api_version, "apiVersion", FIELD_STRING,             \
	    .written = WRITTEN_NEVER),                                         \
	    STRICT(type, head.kind, "kind", FIELD_STRING,                      \
		.written = WRITTEN_NEVER)
#define IF_GIVEN .written = WRITTEN_IF_GIVEN
#define IN_36 .versions = VERSIONS_FROM(V1BETA2)

/* clang-format off */
static const struct schema default_preemption_schema = {
    FIELDS(default_preemption_written, HEAD(default_preemption_written),
	STRICT(default_preemption_written, percentage,
	    "minCandidateNodesPercentage", FIELD_INT32, .by_default = 10),
	STRICT(default_preemption_written, absolute,
	    "minCandidateNodesAbsolute", FIELD_INT32, .by_default = 100)) };

static const struct schema inter_pod_affinity_schema = {
    FIELDS(inter_pod_affinity_written, HEAD(inter_pod_affinity_written),
	STRICT(inter_pod_affinity_written, hard_pod_affinity_weight,
	    "hardPodAffinityWeight", FIELD_INT32, .by_default = 1),
	STRICT(inter_pod_affinity_written, ignore_preferred_terms,
	    "ignorePreferredTermsOfExistingPods", FIELD_BOOL, IN_36)) };

static const struct schema requirement_schema = { FIELDS(requirement_written,
	STRICT(requirement_written, key, "key", FIELD_STRING),
	STRICT(requirement_written, op, "operator", FIELD_STRING),
	STRICT(requirement_written, values, "values", FIELD_STRINGS,
	    IF_GIVEN)),
	.go_type = "v1.NodeSelectorRequirement", .of_api = true };
static const struct schema node_term_schema = { FIELDS(node_term_written,
	STRICT(node_term_written, expressions, "matchExpressions",
	    OBJECTS(requirement_schema), IF_GIVEN),
	STRICT(node_term_written, fields, "matchFields",
	    OBJECTS(requirement_schema), IF_GIVEN)),
	.go_type = "v1.NodeSelectorTerm", .of_api = true };
const struct schema args_node_selector_schema = { FIELDS(node_selector_written,
	STRICT(node_selector_written, terms, "nodeSelectorTerms",
	    OBJECTS(node_term_schema))),
	.go_type = "v1.NodeSelector", .of_api = true };
const struct schema args_preferred_schema = { FIELDS(preferred_written,
	STRICT(preferred_written, weight, "weight", FIELD_INT32),
	STRICT(preferred_written, preference, "preference",
	    OBJECT(node_term_schema))),
	.go_type = "v1.PreferredSchedulingTerm", .of_api = true };
static const struct schema added_affinity_schema = {
    FIELDS(added_affinity_written,
	STRICT(added_affinity_written, required, REQUIRED,
	    OBJECT(args_node_selector_schema), IF_GIVEN),
	STRICT(added_affinity_written, preferred, PREFERRED,
	    OBJECTS(args_preferred_schema), IF_GIVEN)),
	.of_api = true };
static const struct schema node_affinity_schema = {
    FIELDS(node_affinity_written, HEAD(node_affinity_written),
	STRICT(node_affinity_written, added, "addedAffinity",
	    OBJECT(added_affinity_schema))) };

static const struct schema resource_schema = { FIELDS(resource_written,
	STRICT(resource_written, name, "name", FIELD_STRING),
	STRICT(resource_written, weight, "weight", FIELD_INT)) };
const struct schema args_shape_point_schema = { FIELDS(shape_entry,
	STRICT(shape_entry, utilization, "utilization", FIELD_INT32),
	STRICT(shape_entry, score, "score", FIELD_INT32)) };
static const struct schema shape_schema = { FIELDS(shape_written,
	STRICT(shape_written, shape, "shape",
	    OBJECTS(args_shape_point_schema))) };
static const struct schema strategy_schema = { FIELDS(strategy_written,
	STRICT(strategy_written, type, "type", FIELD_STRING),
	STRICT(strategy_written, resources, "resources",
	    OBJECTS(resource_schema)),
	STRICT(strategy_written, ratio, "requestedToCapacityRatio",
	    OBJECT(shape_schema))) };
static const struct schema fit_schema = { FIELDS(fit_written,
	HEAD(fit_written),
	STRICT(fit_written, ignored, "ignoredResources", FIELD_STRINGS),
	STRICT(fit_written, ignored_groups, "ignoredResourceGroups",
	    FIELD_STRINGS),
	STRICT(fit_written, strategy, "scoringStrategy",
	    OBJECT(strategy_schema), IN_36)) };
static const struct schema allocation_schema = { FIELDS(allocation_written,
	HEAD(allocation_written),
	STRICT(allocation_written, resources, "resources",
	    OBJECTS(resource_schema))) };
static const struct schema ratio_schema = { FIELDS(allocation_written,
	HEAD(allocation_written),
	STRICT(allocation_written, shape, "shape",
	    OBJECTS(args_shape_point_schema)),
	STRICT(allocation_written, resources, "resources",
	    OBJECTS(resource_schema))) };

static const struct schema constraint_schema = { FIELDS(constraint_written,
	STRICT(constraint_written, max_skew, "maxSkew", FIELD_INT32),
	STRICT(constraint_written, topology_key, "topologyKey", FIELD_STRING),
	STRICT(constraint_written, when_unsatisfiable, "whenUnsatisfiable",
	    FIELD_STRING),
	STRICT(constraint_written, label_selector, "labelSelector", FIELD_NODE,
	    .written = WRITTEN_NEVER),
	STRICT(constraint_written, min_domains, "minDomains", FIELD_INT32,
	    .by_default = 1, IF_GIVEN, IN_36),
	STRICT(constraint_written, node_affinity_policy, "nodeAffinityPolicy",
	    FIELD_STRING, IF_GIVEN, IN_36),
	STRICT(constraint_written, node_taints_policy, "nodeTaintsPolicy",
	    FIELD_STRING, IF_GIVEN, IN_36),
	STRICT(constraint_written, match_label_keys, "matchLabelKeys",
	    FIELD_STRINGS, IF_GIVEN, IN_36)),
	.of_api = true };
static const struct schema spread_schema = { FIELDS(spread_written,
	HEAD(spread_written),
	STRICT(spread_written, constraints, "defaultConstraints",
	    OBJECTS(constraint_schema)),
	STRICT(spread_written, defaulting_type, "defaultingType",
	    FIELD_STRING)) };

static const struct schema volume_binding_schema = {
    FIELDS(volume_binding_written, HEAD(volume_binding_written),
	STRICT(volume_binding_written, bind_timeout, "bindTimeoutSeconds",
	    FIELD_INT, .by_default = 600),
	STRICT(volume_binding_written, shape, "shape",
	    OBJECTS(args_shape_point_schema), IN_36)) };
static const struct schema dynamic_resources_schema = {
    FIELDS(dynamic_resources_written, HEAD(dynamic_resources_written),
	STRICT(dynamic_resources_written, filter_timeout, "filterTimeout",
	    FIELD_DURATION, .by_default = 10 * SECOND),
	STRICT(dynamic_resources_written, binding_timeout, "bindingTimeout",
	    FIELD_DURATION, .by_default = 600 * SECOND)) };

static const struct schema node_label_schema = {
    FIELDS(node_label_written, HEAD(node_label_written),
	STRICT(node_label_written, present, "presentLabels", FIELD_STRINGS),
	STRICT(node_label_written, absent, "absentLabels", FIELD_STRINGS),
	STRICT(node_label_written, preferred_present,
	    "presentLabelsPreference", FIELD_STRINGS),
	STRICT(node_label_written, preferred_absent, "absentLabelsPreference",
	    FIELD_STRINGS)) };
static const struct schema service_affinity_schema = {
    FIELDS(service_affinity_written, HEAD(service_affinity_written),
	STRICT(service_affinity_written, labels, "affinityLabels",
	    FIELD_STRINGS),
	STRICT(service_affinity_written, anti_affinity_labels,
	    "antiAffinityLabelsPreference", FIELD_STRINGS)) };
/* clang-format on */

/* Defaults that take more than a number. */

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

	/* v1alpha2 */
	if (!is_given(&a->head.item, "bindTimeoutSeconds") &&
	    is_given(&reading->entry.item, "bindTimeoutSeconds"))
		a->bind_timeout = reading->entry.bind_timeout_seconds;
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
make_default_preemption(struct arena *arena, const void *args)
{
	const struct default_preemption_written *a = args;
	struct default_preemption_args *made =
	    arena_zalloc(arena, sizeof(*made));

	made->min_candidate_nodes_percentage = (int32_t)a->percentage;
	made->min_candidate_nodes_absolute = (int32_t)a->absolute;
	return made;
}

static const void *
make_inter_pod_affinity(struct arena *arena, const void *args)
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
make_node_affinity(struct arena *arena, const void *args)
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
make_fit(struct arena *arena, const void *args)
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
make_least_allocated(struct arena *arena, const void *args)
{
	return make_allocation(arena, args, STRATEGY_LEAST_ALLOCATED);
}

static const void *
make_most_allocated(struct arena *arena, const void *args)
{
	return make_allocation(arena, args, STRATEGY_MOST_ALLOCATED);
}

static const void *
make_ratio(struct arena *arena, const void *args)
{
	return make_allocation(arena, args,
	    STRATEGY_REQUESTED_TO_CAPACITY_RATIO);
}

static const void *
make_balanced(struct arena *arena, const void *args)
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
		.min_domains = c->min_domains,
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
make_spread(struct arena *arena, const void *args)
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
make_volume_binding(struct arena *arena, const void *args)
{
	const struct volume_binding_written *a = args;
	struct volume_binding_args *made = arena_zalloc(arena, sizeof(*made));

	made->bind_timeout_seconds = a->bind_timeout;
	made->shape = make_shape(arena, &a->shape, &made->npoints);
	return made;
}

static const void *
make_dynamic_resources(struct arena *arena, const void *args)
{
	const struct dynamic_resources_written *a = args;
	struct dynamic_resources_args *made =
	    arena_zalloc(arena, sizeof(*made));

	made->filter_timeout = a->filter_timeout;
	made->binding_timeout = a->binding_timeout;
	return made;
}

static const void *
make_node_label(struct arena *arena, const void *args)
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
make_service_affinity(struct arena *arena, const void *args)
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
	{ "DefaultPreemption", 15, 36, &default_preemption_schema, NULL,
	    args_check_default_preemption, make_default_preemption, false },
	{ "InterPodAffinity", 20, 36, &inter_pod_affinity_schema, NULL,
	    args_check_inter_pod_affinity, make_inter_pod_affinity, false },
	{ "NodeAffinity", 15, 36, &node_affinity_schema, NULL,
	    args_check_node_affinity, make_node_affinity, false },
	{ "NodeLabel", 20, 20, &node_label_schema, NULL, args_check_node_label,
	    make_node_label, false },
	{ "NodeResourcesBalancedAllocation", 36, 36, &allocation_schema,
	    fill_allocation, args_check_balanced, make_balanced, false },
	{ "NodeResourcesFit", 20, 36, &fit_schema, fill_fit, args_check_fit,
	    make_fit, false },
	{ "NodeResourcesLeastAllocated", 20, 20, &allocation_schema,
	    fill_allocation, args_check_allocation, make_least_allocated,
	    false },
	{ "NodeResourcesMostAllocated", 20, 20, &allocation_schema,
	    fill_allocation, args_check_allocation, make_most_allocated,
	    false },
	{ "PodTopologySpread", 20, 36, &spread_schema, fill_spread,
	    args_check_spread, make_spread, false },
	{ "RequestedToCapacityRatio", 20, 20, &ratio_schema, fill_allocation,
	    args_check_ratio, make_ratio, false },
	{ "ServiceAffinity", 20, 20, &service_affinity_schema, NULL, NULL,
	    make_service_affinity, false },
	{ "VolumeBinding", 20, 36, &volume_binding_schema, fill_volume_binding,
	    args_check_volume_binding, make_volume_binding, false },
	{ "LeafNodeVolumeBinding", 15, 36, &volume_binding_schema,
	    fill_volume_binding, args_check_volume_binding,
	    make_volume_binding, true },
	{ "DynamicResources", 36, 36, &dynamic_resources_schema, NULL,
	    args_check_dynamic_resources, make_dynamic_resources, false },
};
/* clang-format on */

const struct args_kind *
args_kind_find(int release, const char *plugin)
{
	for (size_t i = 0; i < LENGTH(kinds); i++)
		if (kinds[i].first <= release && release <= kinds[i].last &&
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
	enum text_version version = reading->reading.version;

	if (kind->as_20)
		reading->reading.version = V1BETA1;
	schema_decode(&reading->reading, node, path, kind->schema, head);
	reading->reading.version = version;
	check_type(reading, kind, head, path);
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
args_make(struct arena *arena, const struct args_kind *kind, const void *args)
{
	return kind->make(arena, args);
}

void
args_json(struct json_out *json, enum text_version version,
    const struct args_kind *kind, const void *args)
{
	json_open(json, '{');
	schema_json(json, version, kind->schema, args);
	json_close(json, '}');
}
