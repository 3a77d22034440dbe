/*
 * Arguments of plugins (doc/semantics/08-kubeschedulerconfiguration.md,
 * Arguments of plugins): their fields, their defaults, and the structs that units read.
 */
#include "config.h"

#include "base/json_out.h"
#include "objects/decode.h"
#include "policy/configuration/args.h"
#include "policy/schema.h"

#define SECOND INT64_C(1000000000)

/* Fields. */

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
	    "minCandidateNodesPercentage", FIELD_INT32, .by_default = 10,
	    MADE(default_preemption_args, min_candidate_nodes_percentage)),
	STRICT(default_preemption_written, absolute,
	    "minCandidateNodesAbsolute", FIELD_INT32, .by_default = 100,
	    MADE(default_preemption_args, min_candidate_nodes_absolute))),
	.made_size = sizeof(struct default_preemption_args) };

static const struct schema inter_pod_affinity_schema = {
    FIELDS(inter_pod_affinity_written, HEAD(inter_pod_affinity_written),
	STRICT(inter_pod_affinity_written, hard_pod_affinity_weight,
	    "hardPodAffinityWeight", FIELD_INT32, .by_default = 1,
	    MADE(inter_pod_affinity_args, hard_pod_affinity_weight)),
	STRICT(inter_pod_affinity_written, ignore_preferred_terms,
	    "ignorePreferredTermsOfExistingPods", FIELD_BOOL, IN_36,
	    MADE(inter_pod_affinity_args,
		ignore_preferred_terms_of_existing_pods))),
	.made_size = sizeof(struct inter_pod_affinity_args) };

static const struct schema requirement_schema = { FIELDS(requirement_written,
	STRICT(requirement_written, key, "key", FIELD_STRING),
	STRICT(requirement_written, op, "operator", FIELD_STRING),
	STRICT(requirement_written, values, "values", FIELD_STRINGS,
	    IF_GIVEN)),
	.of_api = true };
static const struct schema node_term_schema = { FIELDS(node_term_written,
	STRICT(node_term_written, expressions, "matchExpressions",
	    OBJECTS(requirement_schema), IF_GIVEN),
	STRICT(node_term_written, fields, "matchFields",
	    OBJECTS(requirement_schema), IF_GIVEN)),
	.of_api = true };
static const struct schema node_selector_schema = { FIELDS(node_selector_written,
	STRICT(node_selector_written, terms, "nodeSelectorTerms",
	    OBJECTS(node_term_schema))),
	.of_api = true };
static const struct schema preferred_schema = { FIELDS(preferred_written,
	STRICT(preferred_written, weight, "weight", FIELD_INT32),
	STRICT(preferred_written, preference, "preference",
	    OBJECT(node_term_schema))),
	.of_api = true };
static const struct schema added_affinity_schema = {
    FIELDS(added_affinity_written,
	STRICT(added_affinity_written, required, ARGS_REQUIRED,
	    OBJECT(node_selector_schema), IF_GIVEN),
	STRICT(added_affinity_written, preferred, ARGS_PREFERRED,
	    OBJECTS(preferred_schema), IF_GIVEN)),
	.of_api = true };
static const struct schema node_affinity_schema = {
    FIELDS(node_affinity_written, HEAD(node_affinity_written),
	STRICT(node_affinity_written, added, "addedAffinity",
	    OBJECT(added_affinity_schema))),
	.made_size = sizeof(struct node_affinity_args) };

static const struct schema resource_schema = { FIELDS(resource_written,
	STRICT(resource_written, name, "name", FIELD_STRING,
	    MADE(scored_resource, name)),
	STRICT(resource_written, weight, "weight", FIELD_INT,
	    MADE(scored_resource, weight))),
	.made_size = sizeof(struct scored_resource) };
static const struct schema shape_point_schema = { FIELDS(shape_entry,
	STRICT(shape_entry, utilization, "utilization", FIELD_INT32,
	    MADE(shape_point, utilization)),
	STRICT(shape_entry, score, "score", FIELD_INT32,
	    MADE(shape_point, score))),
	.made_size = sizeof(struct shape_point) };
#define RESOURCES                                                              \
	OBJECTS(resource_schema),                                              \
	    MADE_LIST(node_resources_fit_args, nresources, resources)
#define SHAPE                                                                  \
	OBJECTS(shape_point_schema),                                           \
	    MADE_LIST(node_resources_fit_args, npoints, shape)
static const struct schema shape_schema = { FIELDS(shape_written,
	STRICT(shape_written, shape, "shape", SHAPE)) };
static const struct schema strategy_schema = { FIELDS(strategy_written,
	STRICT(strategy_written, type, "type", FIELD_STRING),
	STRICT(strategy_written, resources, "resources", RESOURCES),
	STRICT(strategy_written, ratio, "requestedToCapacityRatio",
	    OBJECT(shape_schema))) };
static const struct schema fit_schema = { FIELDS(fit_written,
	HEAD(fit_written),
	STRICT(fit_written, ignored, "ignoredResources", FIELD_STRINGS,
	    MADE_LIST(node_resources_fit_args, nignored, ignored)),
	STRICT(fit_written, ignored_groups, "ignoredResourceGroups",
	    FIELD_STRINGS,
	    MADE_LIST(node_resources_fit_args, nignored_groups,
		ignored_groups)),
	STRICT(fit_written, strategy, "scoringStrategy",
	    OBJECT(strategy_schema), IN_36)),
	.made_size = sizeof(struct node_resources_fit_args) };
static const struct schema allocation_schema = { FIELDS(allocation_written,
	HEAD(allocation_written),
	STRICT(allocation_written, resources, "resources", RESOURCES)),
	.made_size = sizeof(struct node_resources_fit_args) };
static const struct schema balanced_schema = { FIELDS(allocation_written,
	HEAD(allocation_written),
	STRICT(allocation_written, resources, "resources",
	    OBJECTS(resource_schema),
	    MADE_LIST(balanced_allocation_args, nresources, resources))),
	.made_size = sizeof(struct balanced_allocation_args) };
static const struct schema ratio_schema = { FIELDS(allocation_written,
	HEAD(allocation_written),
	STRICT(allocation_written, shape, "shape", SHAPE),
	STRICT(allocation_written, resources, "resources", RESOURCES)),
	.made_size = sizeof(struct node_resources_fit_args) };

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
	    FIELD_STRING)),
	.made_size = sizeof(struct pod_topology_spread_args) };

static const struct schema volume_binding_schema = {
    FIELDS(volume_binding_written, HEAD(volume_binding_written),
	STRICT(volume_binding_written, bind_timeout, "bindTimeoutSeconds",
	    FIELD_INT, .by_default = 600,
	    MADE(volume_binding_args, bind_timeout_seconds)),
	STRICT(volume_binding_written, shape, "shape",
	    OBJECTS(shape_point_schema),
	    MADE_LIST(volume_binding_args, npoints, shape), IN_36)),
	.made_size = sizeof(struct volume_binding_args) };
static const struct schema dynamic_resources_schema = {
    FIELDS(dynamic_resources_written, HEAD(dynamic_resources_written),
	STRICT(dynamic_resources_written, filter_timeout, "filterTimeout",
	    FIELD_DURATION, .by_default = 10 * SECOND,
	    MADE(dynamic_resources_args, filter_timeout)),
	STRICT(dynamic_resources_written, binding_timeout, "bindingTimeout",
	    FIELD_DURATION, .by_default = 600 * SECOND,
	    MADE(dynamic_resources_args, binding_timeout))),
	.made_size = sizeof(struct dynamic_resources_args) };

#define LABELS(member, name)                                                   \
	STRICT(node_label_written, member, name, FIELD_STRINGS,                \
	    MADE_LIST(node_label_args, n##member, member))
static const struct schema node_label_schema = {
    FIELDS(node_label_written, HEAD(node_label_written),
	LABELS(present, "presentLabels"), LABELS(absent, "absentLabels"),
	LABELS(preferred_present, "presentLabelsPreference"),
	LABELS(preferred_absent, "absentLabelsPreference")),
	.made_size = sizeof(struct node_label_args) };
static const struct schema service_affinity_schema = {
    FIELDS(service_affinity_written, HEAD(service_affinity_written),
	STRICT(service_affinity_written, labels, "affinityLabels",
	    FIELD_STRINGS,
	    MADE_LIST(service_affinity_plugin_args, nlabels, labels)),
	STRICT(service_affinity_written, anti_affinity_labels,
	    "antiAffinityLabelsPreference", FIELD_STRINGS,
	    MADE_LIST(service_affinity_plugin_args, nanti_affinity_labels,
		anti_affinity_labels))),
	.made_size = sizeof(struct service_affinity_plugin_args) };
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

	if (*or_empty(a->defaulting_type) != '\0')
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

/* What schema_make() does not make of them for units. */

static void
make_node_affinity(struct arena *arena, const char *plugin, const void *args,
    void *out)
{
	const struct node_affinity_written *a = args;
	struct node_affinity_args *made = out;
	const struct preferred_written *preferred;
	struct preferred_node_term *terms;
	/* Kinds were checked when it was decoded: it does not fail. */
	struct decoder d;

	if (a->added == NULL)
		return;
	if (a->added->required != NULL) {
		made->has_required = true;
		d = decoder_of(arena, a->added->required->item.at, "", NULL);
		made->required = decode_node_selector(&d, d.root);
	}
	preferred = a->added->preferred.items;
	terms = arena_array(arena, struct preferred_node_term,
	    a->added->preferred.n);
	for (size_t i = 0; i < a->added->preferred.n; i++) {
		const struct doc_node *preference =
		    doc_get(preferred[i].item.at, "preference");

		terms[i].weight = preferred[i].weight;
		d = decoder_of(arena, preference, "", NULL);
		terms[i].expressions = decode_node_requirements(&d,
		    doc_get(preference, "matchExpressions"));
		terms[i].term = decode_node_term(&d, preference);
	}
	made->npreferred = (uint32_t)a->added->preferred.n;
	made->preferred = terms;
}

/* By the name of the strategy, or of the plugin that has this one. */
static enum scoring_strategy
strategy_of(const char *name)
{
	if (strstr(name, "MostAllocated") != NULL)
		return STRATEGY_MOST_ALLOCATED;
	if (strcmp(name, "RequestedToCapacityRatio") == 0)
		return STRATEGY_REQUESTED_TO_CAPACITY_RATIO;
	return STRATEGY_LEAST_ALLOCATED;
}

static void
make_fit(struct arena *arena, const char *plugin, const void *args, void *out)
{
	const struct fit_written *a = args;
	struct node_resources_fit_args *made = out;

	made->of_fit = true;
	if (a->strategy != NULL)
		made->strategy = strategy_of(or_empty(a->strategy->type));
}

static void
make_allocation(struct arena *arena, const char *plugin, const void *args,
    void *out)
{
	((struct node_resources_fit_args *)out)->strategy = strategy_of(plugin);
}

static void
make_constraint(struct arena *arena, const struct constraint_written *c,
    struct spread_constraint *made)
{
	const char *affinity = or_empty(c->node_affinity_policy);
	const struct string_value *keys = c->match_label_keys.items;
	sym *match_keys = arena_array(arena, sym, c->match_label_keys.n);

	for (size_t i = 0; i < c->match_label_keys.n; i++)
		match_keys[i] = sym_intern(keys[i].text);
	*made = (struct spread_constraint){
		.max_skew = c->max_skew,
		.min_domains = c->min_domains,
		.topology_key = sym_intern(or_empty(c->topology_key)),
		.hard = strcmp(or_empty(c->when_unsatisfiable),
			    "DoNotSchedule") == 0,
		.ignores_affinity =
		    *affinity != '\0' && strcmp(affinity, "Honor") != 0,
		.honors_taints =
		    strcmp(or_empty(c->node_taints_policy), "Honor") == 0,
		.selector = SELECTOR_NOTHING,
		.nmatch_keys = (uint32_t)c->match_label_keys.n,
		.match_keys = match_keys,
	};
}

static void
make_spread(struct arena *arena, const char *plugin, const void *args,
    void *out)
{
	const struct spread_written *a = args;
	const struct constraint_written *c = a->constraints.items;
	struct pod_topology_spread_args *made = out;
	struct spread_constraint *constraints =
	    arena_array(arena, struct spread_constraint, a->constraints.n);

	made->system_defaults = strcmp(a->defaulting_type, "System") == 0;
	for (size_t i = 0; i < a->constraints.n; i++)
		make_constraint(arena, &c[i], &constraints[i]);
	made->nconstraints = (uint32_t)a->constraints.n;
	made->constraints = constraints;
}

/* clang-format off */
static const struct args_kind kinds[] = {
	{ "DefaultPreemption", 15, 36, &default_preemption_schema,
	    .validate = args_check_default_preemption },
	{ "InterPodAffinity", 20, 36, &inter_pod_affinity_schema,
	    .validate = args_check_inter_pod_affinity },
	{ "NodeAffinity", 15, 36, &node_affinity_schema,
	    .validate = args_check_node_affinity, .make = make_node_affinity },
	{ "NodeLabel", 20, 20, &node_label_schema,
	    .validate = args_check_node_label },
	{ "NodeResourcesBalancedAllocation", 36, 36, &balanced_schema,
	    .fill = fill_allocation, .validate = args_check_balanced },
	{ "NodeResourcesFit", 20, 36, &fit_schema, .fill = fill_fit,
	    .validate = args_check_fit, .make = make_fit },
	{ "NodeResourcesLeastAllocated", 20, 20, &allocation_schema,
	    .fill = fill_allocation, .validate = args_check_allocation,
	    .make = make_allocation },
	{ "NodeResourcesMostAllocated", 20, 20, &allocation_schema,
	    .fill = fill_allocation, .validate = args_check_allocation,
	    .make = make_allocation },
	{ "PodTopologySpread", 20, 36, &spread_schema, .fill = fill_spread,
	    .validate = args_check_spread, .make = make_spread },
	{ "RequestedToCapacityRatio", 20, 20, &ratio_schema,
	    .fill = fill_allocation, .validate = args_check_ratio,
	    .make = make_allocation },
	{ "ServiceAffinity", 20, 20, &service_affinity_schema,
	    .validate = NULL },
	{ "VolumeBinding", 20, 36, &volume_binding_schema,
	    .fill = fill_volume_binding,
	    .validate = args_check_volume_binding },
	{ "LeafNodeVolumeBinding", 15, 36, &volume_binding_schema,
	    .fill = fill_volume_binding,
	    .validate = args_check_volume_binding, .as_20 = true },
	{ "DynamicResources", 36, 36, &dynamic_resources_schema,
	    .validate = args_check_dynamic_resources },
};
/* clang-format on */

const struct args_kind *
args_kind_find(int release, const char *plugin)
{
	return FIND(i, kinds, LENGTH(kinds),
	    kinds[i].first <= release && release <= kinds[i].last &&
		strcmp(kinds[i].plugin, plugin) == 0);
}

static void
check_type_member(struct configuration_reading *reading,
    const struct args_head *head, const char *path, const char *key,
    const char *value, const char *wanted)
{
	struct reading *r = &reading->reading;

	if (*or_empty(value) == '\0' || strcmp(value, wanted) == 0)
		return;
	reading_report(r, SEVERITY_ERROR, item_member(&head->item, key),
	    "%s.%s must be \"%s\", not \"%s\"", path, key, wanted, value);
	r->mistyped = true;
}

void *
args_decode(struct configuration_reading *reading, const struct args_kind *kind,
    const struct doc_node *node, const char *path)
{
	struct args_head *head =
	    arena_zalloc(&reading->reading.arena, kind->schema->size);
	enum text_version version = reading->reading.version;
	struct arena *arena;

	if (kind->as_20)
		reading->reading.version = V1BETA1;
	schema_decode(&reading->reading, node, path, kind->schema, head);
	reading->reading.version = version;
	/* Its type, if it says one, must be NAMEArgs of this version. */
	arena = scratch(reading);
	check_type_member(reading, head, path, "kind", head->kind,
	    arena_printf(arena, "%sArgs", kind->plugin));
	check_type_member(reading, head, path, "apiVersion", head->api_version,
	    arena_printf(arena, CONFIGURATION_GROUP "%s",
		reading->version->name));
	if (kind->fill != NULL)
		kind->fill(reading, head);
	return head;
}

void
args_validate(struct configuration_reading *reading,
    const struct args_kind *kind, const void *args, const char *path)
{
	reading->prefix = path;
	if (kind->validate != NULL)
		kind->validate(reading, args);
	reading->prefix = "";
}

const void *
args_make(struct arena *arena, const struct args_kind *kind, const void *args)
{
	void *made = arena_zalloc(arena, kind->schema->made_size);

	schema_make(arena, kind->schema, args, made);
	if (kind->make != NULL)
		kind->make(arena, kind->plugin, args, made);
	return made;
}

void
args_json(struct json_out *json, enum text_version version,
    const struct args_kind *kind, const void *args)
{
	json_open(json, '{');
	schema_json(json, version, kind->schema, args);
	json_close(json, '}');
}
