/*
 * kube-scheduler's sentences about wrong arguments: 1.36.2 validates them with the
 * configuration and names each fault with its path; 1.20.2 does when it creates the
 * plugin, and names only the first of some (doc/semantics/11-kube-1.36.md,
 * Configuration; doc/semantics/12-kube-1.20.md, Configuration).
 */
#include "config.h"

#include <errno.h>
#include <inttypes.h>

#include "base/duration.h"
#include "base/text.h"
#include "objects/decode.h"
#include "objects/selector.h"
#include "objects/validation.h"
#include "policy/configuration/args.h"
#include "policy/schema.h"

#define SECOND INT64_C(1000000000)

/* The place where the object has the member, or the object. */
static const struct doc_node *
place(const struct item *item, const char *key)
{
	return item_member(item, key);
}

void
args_check_default_preemption(struct configuration_reading *r, const void *args)
{
	static const char percentage[] = "minCandidateNodesPercentage";
	static const char absolute[] = "minCandidateNodesAbsolute";
	const struct default_preemption_written *a = args;
	const struct doc_node *percentage_at = place(&a->head.item, percentage);
	const struct doc_node *absolute_at = place(&a->head.item, absolute);
	bool both_zero = a->percentage == 0 && a->absolute == 0;

	if (is_later(r)) {
		configuration_check_range(r, percentage_at, percentage,
		    a->percentage, 0, 100);
		configuration_check_range(r, absolute_at, absolute, a->absolute,
		    0, INT64_MAX);
	}
	if (is_later(r) && both_zero) {
		configuration_invalid(r, percentage_at,
		    "%s: Invalid value: 0: cannot be zero at the same time as "
		    "%s",
		    percentage, absolute);
		configuration_invalid(r, absolute_at,
		    "%s: Invalid value: 0: cannot be zero at the same time as "
		    "%s",
		    absolute, percentage);
	}
	if (is_later(r))
		return;
	if (a->percentage < 0 || a->percentage > 100)
		configuration_invalid(r, percentage_at,
		    "%s is not in the range [0, 100]", percentage);
	else if (a->absolute < 0)
		configuration_invalid(r, absolute_at,
		    "%s is not in the range [0, inf)", absolute);
	else if (both_zero)
		configuration_invalid(r, percentage_at,
		    "both %s and %s cannot be zero", percentage, absolute);
}

void
args_check_inter_pod_affinity(struct configuration_reading *r, const void *args)
{
	const struct inter_pod_affinity_written *a = args;

	if (a->hard_pod_affinity_weight < 0 ||
	    a->hard_pod_affinity_weight > 100)
		configuration_invalid(r,
		    place(&a->head.item, "hardPodAffinityWeight"),
		    "hardPodAffinityWeight: Invalid value: %" PRId64
		    ": not in valid range [0%s100]",
		    a->hard_pod_affinity_weight, is_later(r) ? ", " : "-");
}

/* Affinity that the plugin adds to every pod's. */

/* 1.36 names each fault of a term with its path and value; of 1.20 the sentence is
 * about the first, without. */
static void
check_term(struct configuration_reading *r, const struct doc_node *term,
    const char *path, struct sentences *early)
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
			    words_of_release(r, faults[i]));
		return;
	}
	decoded = decode_node_term(&d, term);
	error = decoded.labels.error != NULL ? decoded.labels.error :
					       decoded.fields.error;
	if (error != NULL)
		sentences_add(scratch(r), early, words_of_release(r, error));
}

#define REQUIRED "requiredDuringSchedulingIgnoredDuringExecution"
#define PREFERRED "preferredDuringSchedulingIgnoredDuringExecution"

void
args_check_node_affinity(struct configuration_reading *r, const void *args)
{
	const struct node_affinity_written *a = args;
	const struct added_affinity_written *added = a->added;
	struct arena *arena = scratch(r);
	struct sentences early = { 0 };

	if (added == NULL)
		return;
	if (added->required != NULL) {
		const struct node_term_written *terms =
		    added->required->terms.items;

		for (size_t i = 0; i < added->required->terms.n; i++)
			check_term(r, terms[i].item.at,
			    arena_printf(arena,
				"addedAffinity." REQUIRED
				".nodeSelectorTerms[%zu]",
				i),
			    &early);
		if (early.n > 0)
			configuration_invalid(r, added->required->item.at,
			    "addedAffinity." REQUIRED ": Invalid value: %s: %s",
			    schema_text(arena, false,
				&args_node_selector_schema, added->required),
			    sentences_join(arena, &early));
		early.n = 0;
	}
	for (size_t i = 0; i < added->preferred.n; i++) {
		const struct preferred_written *p = added->preferred.items;

		if (p[i].weight != 0 && p[i].preference != NULL)
			check_term(r, p[i].preference->item.at,
			    arena_printf(arena,
				"addedAffinity." PREFERRED "[%zu]", i),
			    &early);
	}
	if (early.n > 0)
		configuration_invalid(r, place(&added->item, PREFERRED),
		    "addedAffinity." PREFERRED ": Invalid value: %s: %s",
		    schema_list_text(arena, false, &args_preferred_schema,
			&added->preferred),
		    sentences_join(arena, &early));
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
			    "%s: Invalid value: %s: resource group name can't "
			    "contain '/'",
			    where, quoted(r, at[i].text));
		check_name(r, at[i].item.at, where, at[i].text);
	}
}

/* 1.36: validateFunctionShape() */
static void
check_shape_points(struct configuration_reading *r, const struct item *item,
    const struct list *shape, const char *path)
{
	const struct shape_entry *p = shape->items;

	if (shape->n == 0)
		configuration_invalid(r, place(item, "shape"),
		    "%s: Required value: at least one point must be specified",
		    path);
	for (size_t i = 1; i < shape->n; i++)
		if (p[i - 1].utilization >= p[i].utilization) {
			configuration_invalid(r, p[i].item.at,
			    "%s[%zu].utilization: Invalid value: %" PRId64
			    ": values must be sorted in increasing order",
			    path, i, p[i].utilization);
			break;
		}
	for (size_t i = 0; i < shape->n; i++) {
		configuration_check_range(r, p[i].item.at,
		    arena_printf(scratch(r), "%s[%zu].utilization", path, i),
		    p[i].utilization, 0, 100);
		configuration_check_range(r, p[i].item.at,
		    arena_printf(scratch(r), "%s[%zu].score", path, i),
		    p[i].score, 0, POLICY_SCORE_MAX);
	}
}

static void
check_strategy(struct configuration_reading *r,
    const struct strategy_written *s)
{
	static const char path[] = "scoringStrategy";
	const char *type = text_or_empty(s->type);
	bool is_ratio = strcmp(type, "RequestedToCapacityRatio") == 0;
	const struct resource_written *resource = s->resources.items;

	if (!is_ratio && strcmp(type, "LeastAllocated") != 0 &&
	    strcmp(type, "MostAllocated") != 0)
		configuration_invalid(r, place(&s->item, "type"),
		    "%s.type: Unsupported value: %s: supported values: "
		    "\"LeastAllocated\", \"MostAllocated\", "
		    "\"RequestedToCapacityRatio\"",
		    path, quoted(r, type));
	for (size_t i = 0; i < s->resources.n; i++)
		if (resource[i].weight <= 0 || resource[i].weight > 100)
			configuration_invalid(r,
			    place(&resource[i].item, "weight"),
			    "%s.resources[%zu].weight: Invalid value: %" PRId64
			    ": resource weight of %s not in valid range "
			    "(0, 100]",
			    path, i, resource[i].weight,
			    text_or_empty(resource[i].name));
	if (is_ratio && s->ratio == NULL)
		configuration_invalid(r, s->item.at,
		    "%s.requestedToCapacityRatio: Required value: must be "
		    "specified when type is RequestedToCapacityRatio",
		    path);
	else if (is_ratio)
		check_shape_points(r, &s->ratio->item, &s->ratio->shape,
		    "scoringStrategy.requestedToCapacityRatio.shape");
	else if (s->ratio != NULL)
		configuration_invalid(r, s->ratio->item.at,
		    "%s.requestedToCapacityRatio: Forbidden: must be nil when "
		    "type is not RequestedToCapacityRatio",
		    path);
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

	for (size_t i = 0; i < a->resources.n; i++) {
		size_t j = 0;

		while (strcmp(text_or_empty(resource[j].name),
			   text_or_empty(resource[i].name)) != 0)
			j++;
		if (j < i)
			configuration_invalid(r,
			    place(&resource[i].item, "name"),
			    "resources[%zu].name: Duplicate value: %s", i,
			    quoted(r, resource[i].name));
		if (resource[i].weight != 1)
			configuration_invalid(r,
			    place(&resource[i].item, "weight"),
			    "resources[%zu].weight: Invalid value: %" PRId64
			    ": must be 1",
			    i, resource[i].weight);
	}
}

/* 1.20: NodeResourcesLeastAllocated and NodeResourcesMostAllocated */
void
args_check_allocation(struct configuration_reading *r, const void *args)
{
	const struct allocation_written *a = args;
	const struct resource_written *resource = a->resources.items;

	for (size_t i = 0; i < a->resources.n; i++) {
		const struct doc_node *at = place(&resource[i].item, "weight");
		const char *name = text_or_empty(resource[i].name);

		if (resource[i].weight <= 0) {
			configuration_invalid(r, at,
			    "resource Weight of %s should be a positive "
			    "value, got %" PRId64,
			    name, resource[i].weight);
			return;
		}
		if (resource[i].weight > 100) {
			configuration_invalid(r, at,
			    "resource Weight of %s should be less than 100, "
			    "got %" PRId64,
			    name, resource[i].weight);
			return;
		}
	}
}

/* 1.20: RequestedToCapacityRatio */
void
args_check_ratio(struct configuration_reading *r, const void *args)
{
	const struct allocation_written *a = args;
	const struct shape_entry *p = a->shape.items;
	const struct resource_written *resource = a->resources.items;
	size_t n = a->shape.n, at;
	const char *fault =
	    shape_fault(scratch(r), p, n, "score values must not", &at);

	if (fault != NULL) {
		configuration_invalid(r,
		    n > 0 ? p[at].item.at : place(&a->head.item, "shape"), "%s",
		    fault);
		return;
	}
	for (size_t i = 0; i < a->resources.n; i++)
		if (resource[i].weight < 1) {
			configuration_invalid(r,
			    place(&resource[i].item, "weight"),
			    "resource %s weight %" PRId64
			    " must not be less than 1",
			    text_or_empty(resource[i].name),
			    resource[i].weight);
			return;
		}
}

/* Spread constraints */

static void
check_defaulting(struct configuration_reading *r,
    const struct spread_written *a)
{
	const char *type = a->defaulting_type;
	const struct doc_node *at = place(&a->head.item, "defaultingType");

	if (strcmp(type, "System") != 0 && strcmp(type, "List") != 0) {
		if (is_later(r))
			configuration_invalid(r, at,
			    "defaultingType: Unsupported value: %s: supported "
			    "values: \"System\", \"List\"",
			    quoted(r, type));
		else
			configuration_invalid(r, at,
			    "defaultingType: Invalid value: %s: must be one "
			    "of {\"System\", \"List\"}",
			    quoted(r, type));
	} else if (strcmp(type, "System") == 0 && a->constraints.n > 0) {
		configuration_invalid(r, at,
		    "defaultingType: Invalid value: \"System\": when "
		    ".defaultConstraints are not empty");
	}
}

static void
check_constraint(struct configuration_reading *r,
    const struct spread_written *a, size_t i)
{
	const struct constraint_written *all = a->constraints.items;
	const struct constraint_written *c = &all[i];
	const char *path =
	    arena_printf(scratch(r), "defaultConstraints[%zu]", i);
	const char *key = text_or_empty(c->topology_key);
	const char *action = text_or_empty(c->when_unsatisfiable);

	if (c->max_skew <= 0)
		configuration_invalid(r, place(&c->item, "maxSkew"),
		    "%s.maxSkew: Invalid value: %" PRId64 ": %s", path,
		    c->max_skew,
		    is_later(r) ? "not in valid range (0, inf)" :
				  "must be greater than zero");
	if (*key == '\0')
		configuration_invalid(r, place(&c->item, "topologyKey"),
		    "%s.topologyKey: Required value: can not be empty", path);
	else
		check_name(r, place(&c->item, "topologyKey"),
		    arena_printf(scratch(r), "%s.topologyKey", path), key);
	if (*action == '\0')
		configuration_invalid(r, place(&c->item, "whenUnsatisfiable"),
		    "%s.whenUnsatisfiable: Required value: can not be empty",
		    path);
	else if (strcmp(action, "DoNotSchedule") != 0 &&
	    strcmp(action, "ScheduleAnyway") != 0)
		configuration_invalid(r, place(&c->item, "whenUnsatisfiable"),
		    "%s.whenUnsatisfiable: Unsupported value: %s: supported "
		    "values: \"DoNotSchedule\", \"ScheduleAnyway\"",
		    path, quoted(r, action));
	if (c->label_selector != NULL)
		configuration_invalid(r, c->label_selector,
		    "%s.labelSelector: Forbidden: constraint must not define a "
		    "selector, as they deduced for each pod",
		    path);
	for (size_t j = 0; j < i; j++)
		if (strcmp(text_or_empty(all[j].topology_key), key) == 0 &&
		    strcmp(text_or_empty(all[j].when_unsatisfiable), action) ==
			0) {
			configuration_invalid(r, c->item.at,
			    "%s: Duplicate value: \"{%s, %s}\"", path, key,
			    action);
			break;
		}
}

void
args_check_spread(struct configuration_reading *r, const void *args)
{
	const struct spread_written *a = args;

	check_defaulting(r, a);
	for (size_t i = 0; i < a->constraints.n; i++)
		check_constraint(r, a, i);
}

/* The rest. */

void
args_check_volume_binding(struct configuration_reading *r, const void *args)
{
	const struct volume_binding_written *a = args;
	const struct doc_node *at = place(&a->head.item, "bindTimeoutSeconds");

	if (!is_later(r)) {
		if (a->bind_timeout <= 0)
			configuration_invalid(r, at,
			    "invalid BindTimeoutSeconds: %" PRId64
			    ", must be positive integer",
			    a->bind_timeout);
		return;
	}
	if (a->bind_timeout < 0)
		configuration_invalid(r, at,
		    "bindTimeoutSeconds: Invalid value: %" PRId64
		    ": invalid BindTimeoutSeconds, should not be a negative "
		    "value",
		    a->bind_timeout);
	if (r->reading.options->gates.storage_capacity_scoring)
		check_shape_points(r, &a->head.item, &a->shape, "shape");
	else if (a->shape.given)
		configuration_invalid(r, place(&a->head.item, "shape"),
		    "shape: Invalid value: %s: unexpected field `shape`, "
		    "remove it or turn on the feature gate "
		    "StorageCapacityScoring",
		    schema_list_text(scratch(r), true, &args_shape_point_schema,
			&a->shape));
}

void
args_check_dynamic_resources(struct configuration_reading *r, const void *args)
{
	const struct dynamic_resources_written *a = args;
	char text[DURATION_TEXT];

	if (a->filter_timeout < 0)
		configuration_invalid(r, place(&a->head.item, "filterTimeout"),
		    "filterTimeout: Invalid value: \"%s\": must be zero or "
		    "positive",
		    duration_text(a->filter_timeout, text));
	if (a->binding_timeout < SECOND)
		configuration_invalid(r, place(&a->head.item, "bindingTimeout"),
		    "bindingTimeout: Invalid value: \"%s\": must be at least "
		    "1 second",
		    duration_text(a->binding_timeout, text));
}

/* Go's %+v of []string */
static const char *
plain_list(struct configuration_reading *r, const struct list *list)
{
	const struct string_value *at = list->items;
	struct text text = { 0 };

	for (size_t i = 0; i < list->n; i++)
		text_printf(&text, "%s%s", i > 0 ? " " : "[", at[i].text);
	text_put(&text, list->n > 0 ? "]" : "[]");
	return text_keep(&text, scratch(r));
}

/* Whether a label is in both lists, which it then reports. */
static bool
check_conflict(struct configuration_reading *r, const struct list *present,
    const struct list *absent)
{
	const struct string_value *p = present->items, *a = absent->items;

	for (size_t i = 0; i < absent->n; i++)
		for (size_t j = 0; j < present->n; j++)
			if (strcmp(a[i].text, p[j].text) == 0) {
				configuration_invalid(r, a[i].item.at,
				    "detecting at least one label (e.g., %s) "
				    "that exist in both the present(%s) and "
				    "absent(%s) label list",
				    quoted(r, a[i].text),
				    plain_list(r, present),
				    plain_list(r, absent));
				return true;
			}
	return false;
}

void
args_check_node_label(struct configuration_reading *r, const void *args)
{
	const struct node_label_written *a = args;

	if (!check_conflict(r, &a->present, &a->absent))
		check_conflict(r, &a->preferred_present, &a->preferred_absent);
}
