/*
 * kube-scheduler's sentences about wrong arguments: 1.36.2 validates them with the
 * configuration and names each fault with its path; 1.20.2 does when it creates the
 * plugin, and names only the first of some (doc/semantics/11-kube-1.36.md,
 * Configuration; doc/semantics/12-kube-1.20.md, Configuration).
 */
#include "config.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/duration.h"
#include "base/xmalloc.h"
#include "model/validation.h"
#include "policy/configuration_args.h"
#include "policy/schema.h"

#define SECOND INT64_C(1000000000)

static struct arena *
scratch(const struct args_check *check)
{
	return &check->reading->reading.arena;
}

static bool
is_later(const struct args_check *check)
{
	return check->reading->version->release >= 36;
}

static const char *
quoted(const struct args_check *check, const char *text)
{
	text = text_or_empty(text);
	return text_quote(scratch(check), text, strlen(text));
}

/* The place where the object has the member, or the object. */
static const struct doc_node *
place(const struct item *item, const char *key)
{
	return item_member(item, key);
}

static void __attribute__((format(printf, 3, 4)))
wrong(struct args_check *check, const struct doc_node *at, const char *fmt, ...)
{
	AUTOFREE char *text = NULL;
	va_list ap;

	va_start(ap, fmt);
	text = xvasprintf(fmt, ap);
	va_end(ap);
	sentences_add(scratch(check), check->sentences,
	    arena_printf(scratch(check), "%s%s", check->prefix, text));
	reading_report(&check->reading->reading, SEVERITY_ERROR, at, "%s%s",
	    check->prefix, text);
}

void
args_check_default_preemption(struct args_check *check, const void *args)
{
	const struct default_preemption_written *a = args;
	const struct doc_node *percentage =
	    place(&a->head.item, "minCandidateNodesPercentage");
	const struct doc_node *absolute =
	    place(&a->head.item, "minCandidateNodesAbsolute");
	bool later = is_later(check);

	if (a->percentage < 0 || a->percentage > 100) {
		if (!later) {
			wrong(check, percentage,
			    "minCandidateNodesPercentage is not in the range "
			    "[0, 100]");
			return;
		}
		wrong(check, percentage,
		    "minCandidateNodesPercentage: Invalid value: %" PRId64
		    ": not in valid range [0, 100]",
		    a->percentage);
	}
	if (a->absolute < 0) {
		if (!later) {
			wrong(check, absolute,
			    "minCandidateNodesAbsolute is not in the range "
			    "[0, inf)");
			return;
		}
		wrong(check, absolute,
		    "minCandidateNodesAbsolute: Invalid value: %" PRId64
		    ": not in valid range [0, inf)",
		    a->absolute);
	}
	if (a->percentage != 0 || a->absolute != 0)
		return;
	if (!later) {
		wrong(check, percentage,
		    "both minCandidateNodesPercentage and "
		    "minCandidateNodesAbsolute cannot be zero");
		return;
	}
	wrong(check, percentage,
	    "minCandidateNodesPercentage: Invalid value: 0: cannot be zero at "
	    "the same time as minCandidateNodesAbsolute");
	wrong(check, absolute,
	    "minCandidateNodesAbsolute: Invalid value: 0: cannot be zero at "
	    "the same time as minCandidateNodesPercentage");
}

void
args_check_inter_pod_affinity(struct args_check *check, const void *args)
{
	const struct inter_pod_affinity_written *a = args;

	if (a->hard_pod_affinity_weight < 0 ||
	    a->hard_pod_affinity_weight > 100)
		wrong(check, place(&a->head.item, "hardPodAffinityWeight"),
		    "hardPodAffinityWeight: Invalid value: %" PRId64
		    ": not in valid range [0%s100]",
		    a->hard_pod_affinity_weight, is_later(check) ? ", " : "-");
}

/* ValidateLabelName() */
static void
check_label_name(struct args_check *check, const struct doc_node *at,
    const char *path, const char *name)
{
	const char *messages[VALIDATION_MAX];
	size_t n;

	name = text_or_empty(name);
	n = validate_qualified_name(name, strlen(name), messages);
	for (size_t i = 0; i < n; i++)
		wrong(check, at, "%s: Invalid value: %s: %s", path,
		    quoted(check, name),
		    validation_message(scratch(check),
			check->reading->version->release, messages[i]));
}

/* Affinity that the plugin adds to every pod's. */

/* A fault of a requirement: 1.36 has a path and a value for it. */
struct fault {
	struct args_check *check;
	const char *path;       /* of the requirement */
	struct sentences plain; /* 1.20: each without a path */
	bool first_only;        /* of one term: 1.20 */
	bool found;
};

static void __attribute__((format(printf, 6, 7)))
fault(struct fault *f, const struct doc_node *at, const char *member,
    const char *value, const char *kind, const char *fmt, ...)
{
	AUTOFREE char *text = NULL;
	va_list ap;

	if (f->first_only && f->found)
		return;
	f->found = true;
	va_start(ap, fmt);
	text = xvasprintf(fmt, ap);
	va_end(ap);
	if (f->first_only)
		sentences_add(scratch(f->check), &f->plain,
		    arena_printf(scratch(f->check), "%s", text));
	else
		wrong(f->check, at, "%s.%s: %s value: %s: %s", f->path, member,
		    kind, value, text);
}

static bool
is_integer(const char *text)
{
	const char *digits = text + (*text == '-' || *text == '+');

	errno = 0;
	strtoll(text, NULL, 10);
	return errno == 0 && *digits != '\0' &&
	    digits[strspn(digits, "0123456789")] == '\0';
}

static const char *
join_messages(struct args_check *check, size_t n, const char *const messages[])
{
	const char *said[VALIDATION_MAX];

	for (size_t i = 0; i < n; i++)
		said[i] = validation_message(scratch(check),
		    check->reading->version->release, messages[i]);
	return arena_join(scratch(check), n, said, "; ");
}

static void
check_values(struct fault *f, const struct requirement_written *r)
{
	struct args_check *check = f->check;
	const struct string_value *values = r->values.items;
	const struct doc_node *at = place(&r->item, "values");
	const char *op = text_or_empty(r->op);
	const char *all =
	    schema_list_text(scratch(check), true, NULL, &r->values);
	bool compares = strcmp(op, "Gt") == 0 || strcmp(op, "Lt") == 0;

	if ((strcmp(op, "In") == 0 || strcmp(op, "NotIn") == 0) &&
	    r->values.n == 0)
		fault(f, at, "values", all, "Invalid",
		    "for 'in', 'notin' operators, values set can't be empty");
	if ((strcmp(op, "Exists") == 0 || strcmp(op, "DoesNotExist") == 0) &&
	    r->values.n > 0)
		fault(f, at, "values", all, "Invalid",
		    "values set must be empty for exists and does not exist");
	if (compares && r->values.n != 1)
		fault(f, at, "values", all, "Invalid",
		    "for 'Gt', 'Lt' operators, exactly one value is required");
	for (size_t i = 0; compares && i < r->values.n; i++)
		if (!is_integer(values[i].text))
			fault(f, values[i].item.at,
			    arena_printf(scratch(check), "values[%zu]", i),
			    quoted(check, values[i].text), "Invalid",
			    "for 'Gt', 'Lt' operators, the value must be an "
			    "integer");
	for (size_t i = 0; i < r->values.n; i++) {
		const char *messages[VALIDATION_MAX];
		const char *text = values[i].text;
		size_t n = validate_label_value(text, strlen(text), messages);

		if (n == 0)
			continue;
		if (f->first_only)
			fault(f, at, "", "", "",
			    "invalid label value: %s: at key: %s: %s",
			    quoted(check, text), quoted(check, r->key),
			    join_messages(check, n, messages));
		else
			fault(f, values[i].item.at,
			    arena_printf(scratch(check), "values[%zu][%s]", i,
				text_or_empty(r->key)),
			    quoted(check, text), "Invalid", "%s",
			    join_messages(check, n, messages));
	}
}

#define OPERATORS                                                              \
	"\"In\", \"NotIn\", \"Exists\", \"DoesNotExist\", \"Gt\", \"Lt\""

static void
check_expression(struct fault *f, const struct requirement_written *r)
{
	static const char *const operators[] = { "In", "NotIn", "Exists",
		"DoesNotExist", "Gt", "Lt" };
	const char *messages[VALIDATION_MAX];
	const char *key = text_or_empty(r->key);
	size_t i, n;

	for (i = 0; i < LENGTH(operators); i++)
		if (strcmp(operators[i], text_or_empty(r->op)) == 0)
			break;
	if (i == LENGTH(operators)) {
		if (f->first_only)
			fault(f, NULL, "", "", "",
			    "%s is not a valid node selector operator",
			    quoted(f->check, r->op));
		else
			fault(f, place(&r->item, "operator"), "operator",
			    quoted(f->check, r->op), "Unsupported",
			    "supported values: " OPERATORS);
		return;
	}
	n = validate_qualified_name(key, strlen(key), messages);
	if (n > 0 && f->first_only)
		fault(f, NULL, "", "", "", "invalid label key %s: %s",
		    quoted(f->check, key),
		    join_messages(f->check, n, messages));
	else if (n > 0)
		fault(f, place(&r->item, "key"), "key", quoted(f->check, key),
		    "Invalid", "%s", join_messages(f->check, n, messages));
	check_values(f, r);
}

static void
check_field(struct fault *f, const struct requirement_written *r)
{
	const char *op = text_or_empty(r->op);

	if (strcmp(op, "In") != 0 && strcmp(op, "NotIn") != 0) {
		if (f->first_only)
			fault(f, NULL, "", "", "",
			    "%s is not a valid node field selector operator",
			    quoted(f->check, op));
		else
			fault(f, place(&r->item, "operator"), "operator",
			    quoted(f->check, op), "Unsupported",
			    "supported values: \"In\", \"NotIn\"");
	} else if (r->values.n != 1) {
		if (f->first_only)
			fault(f, NULL, "", "", "",
			    "unexpected number of value (%zu) for node field "
			    "selector operator %s",
			    r->values.n, quoted(f->check, op));
		else
			fault(f, place(&r->item, "values"), "values",
			    schema_list_text(scratch(f->check), true, NULL,
				&r->values),
			    "Invalid", "must have one element");
	}
}

static void
check_term(struct fault *f, const struct node_term_written *term,
    const char *path)
{
	const struct requirement_written *r = term->expressions.items;
	struct arena *arena = scratch(f->check);

	f->found = false;
	for (size_t i = 0; i < term->expressions.n; i++) {
		f->path =
		    arena_printf(arena, "%s.matchExpressions[%zu]", path, i);
		check_expression(f, &r[i]);
	}
	r = term->fields.items;
	for (size_t i = 0; i < term->fields.n; i++) {
		f->path = arena_printf(arena, "%s.matchFields[%zu]", path, i);
		check_field(f, &r[i]);
	}
}

#define REQUIRED "requiredDuringSchedulingIgnoredDuringExecution"
#define PREFERRED "preferredDuringSchedulingIgnoredDuringExecution"

void
args_check_node_affinity(struct args_check *check, const void *args)
{
	const struct node_affinity_written *a = args;
	const struct added_affinity_written *added = a->added;
	struct fault f = { .check = check, .first_only = !is_later(check) };
	struct arena *arena = scratch(check);

	if (added == NULL)
		return;
	if (added->required != NULL) {
		const struct node_term_written *terms =
		    added->required->terms.items;

		for (size_t i = 0; i < added->required->terms.n; i++)
			check_term(&f, &terms[i],
			    arena_printf(arena,
				"addedAffinity." REQUIRED
				".nodeSelectorTerms[%zu]",
				i));
		if (f.plain.n > 0)
			wrong(check, added->required->item.at,
			    "addedAffinity." REQUIRED ": Invalid value: %s: %s",
			    schema_text(arena, false,
				&args_node_selector_schema, added->required),
			    sentences_join(arena, &f.plain));
		f.plain.n = 0;
	}
	for (size_t i = 0; i < added->preferred.n; i++) {
		const struct preferred_written *p = added->preferred.items;

		if (p[i].weight != 0 && p[i].preference != NULL)
			check_term(&f, p[i].preference,
			    arena_printf(arena,
				"addedAffinity." PREFERRED "[%zu]", i));
	}
	if (f.plain.n > 0)
		wrong(check, place(&added->item, PREFERRED),
		    "addedAffinity." PREFERRED ": Invalid value: %s: %s",
		    schema_list_text(arena, false, &args_preferred_schema,
			&added->preferred),
		    sentences_join(arena, &f.plain));
}

/* Resources and shapes. */

static void
check_names(struct args_check *check, const struct list *names,
    const char *path, bool groups)
{
	const struct string_value *at = names->items;

	for (size_t i = 0; i < names->n; i++) {
		const char *where =
		    arena_printf(scratch(check), "%s[%zu]", path, i);

		if (groups && strchr(at[i].text, '/') != NULL)
			wrong(check, at[i].item.at,
			    "%s: Invalid value: %s: resource group name can't "
			    "contain '/'",
			    where, quoted(check, at[i].text));
		check_label_name(check, at[i].item.at, where, at[i].text);
	}
}

/* 1.36: validateFunctionShape() */
static void
check_shape_points(struct args_check *check, const struct item *item,
    const struct list *shape, const char *path)
{
	const struct shape_entry *p = shape->items;

	if (shape->n == 0)
		wrong(check, place(item, "shape"),
		    "%s: Required value: at least one point must be specified",
		    path);
	for (size_t i = 1; i < shape->n; i++)
		if (p[i - 1].utilization >= p[i].utilization) {
			wrong(check, p[i].item.at,
			    "%s[%zu].utilization: Invalid value: %" PRId64
			    ": values must be sorted in increasing order",
			    path, i, p[i].utilization);
			break;
		}
	for (size_t i = 0; i < shape->n; i++) {
		if (p[i].utilization < 0 || p[i].utilization > 100)
			wrong(check, p[i].item.at,
			    "%s[%zu].utilization: Invalid value: %" PRId64
			    ": not in valid range [0, 100]",
			    path, i, p[i].utilization);
		if (p[i].score < 0 || p[i].score > POLICY_SCORE_MAX)
			wrong(check, p[i].item.at,
			    "%s[%zu].score: Invalid value: %" PRId64
			    ": not in valid range [0, %d]",
			    path, i, p[i].score, POLICY_SCORE_MAX);
	}
}

static void
check_strategy(struct args_check *check, const struct strategy_written *s)
{
	static const char path[] = "scoringStrategy";
	const char *type = text_or_empty(s->type);
	bool is_ratio = strcmp(type, "RequestedToCapacityRatio") == 0;
	const struct resource_written *resource = s->resources.items;

	if (!is_ratio && strcmp(type, "LeastAllocated") != 0 &&
	    strcmp(type, "MostAllocated") != 0)
		wrong(check, place(&s->item, "type"),
		    "%s.type: Unsupported value: %s: supported values: "
		    "\"LeastAllocated\", \"MostAllocated\", "
		    "\"RequestedToCapacityRatio\"",
		    path, quoted(check, type));
	for (size_t i = 0; i < s->resources.n; i++)
		if (resource[i].weight <= 0 || resource[i].weight > 100)
			wrong(check, place(&resource[i].item, "weight"),
			    "%s.resources[%zu].weight: Invalid value: %" PRId64
			    ": resource weight of %s not in valid range "
			    "(0, 100]",
			    path, i, resource[i].weight,
			    text_or_empty(resource[i].name));
	if (is_ratio && s->ratio == NULL)
		wrong(check, s->item.at,
		    "%s.requestedToCapacityRatio: Required value: must be "
		    "specified when type is RequestedToCapacityRatio",
		    path);
	else if (is_ratio)
		check_shape_points(check, &s->ratio->item, &s->ratio->shape,
		    "scoringStrategy.requestedToCapacityRatio.shape");
	else if (s->ratio != NULL)
		wrong(check, s->ratio->item.at,
		    "%s.requestedToCapacityRatio: Forbidden: must be nil when "
		    "type is not RequestedToCapacityRatio",
		    path);
}

void
args_check_fit(struct args_check *check, const void *args)
{
	const struct fit_written *a = args;

	check_names(check, &a->ignored, "ignoredResources", false);
	check_names(check, &a->ignored_groups, "ignoredResourceGroups", true);
	if (a->strategy != NULL)
		check_strategy(check, a->strategy);
}

void
args_check_balanced(struct args_check *check, const void *args)
{
	const struct allocation_written *a = args;
	const struct resource_written *r = a->resources.items;

	for (size_t i = 0; i < a->resources.n; i++) {
		size_t j = 0;

		while (strcmp(text_or_empty(r[j].name),
			   text_or_empty(r[i].name)) != 0)
			j++;
		if (j < i)
			wrong(check, place(&r[i].item, "name"),
			    "resources[%zu].name: Duplicate value: %s", i,
			    quoted(check, r[i].name));
		if (r[i].weight != 1)
			wrong(check, place(&r[i].item, "weight"),
			    "resources[%zu].weight: Invalid value: %" PRId64
			    ": must be 1",
			    i, r[i].weight);
	}
}

/* 1.20: NodeResourcesLeastAllocated and NodeResourcesMostAllocated */
void
args_check_allocation(struct args_check *check, const void *args)
{
	const struct allocation_written *a = args;
	const struct resource_written *r = a->resources.items;

	for (size_t i = 0; i < a->resources.n; i++) {
		const struct doc_node *at = place(&r[i].item, "weight");
		const char *name = text_or_empty(r[i].name);

		if (r[i].weight <= 0) {
			wrong(check, at,
			    "resource Weight of %s should be a positive "
			    "value, got %" PRId64,
			    name, r[i].weight);
			return;
		}
		if (r[i].weight > 100) {
			wrong(check, at,
			    "resource Weight of %s should be less than 100, "
			    "got %" PRId64,
			    name, r[i].weight);
			return;
		}
	}
}

/* 1.20: RequestedToCapacityRatio */
void
args_check_ratio(struct args_check *check, const void *args)
{
	const struct allocation_written *a = args;
	const struct shape_entry *p = a->shape.items;
	const struct resource_written *r = a->resources.items;
	size_t n = a->shape.n, at;
	const char *fault =
	    shape_fault(scratch(check), p, n, "score values must not", &at);

	if (fault != NULL) {
		wrong(check,
		    n > 0 ? p[at].item.at : place(&a->head.item, "shape"), "%s",
		    fault);
		return;
	}
	for (size_t i = 0; i < a->resources.n; i++)
		if (r[i].weight < 1) {
			wrong(check, place(&r[i].item, "weight"),
			    "resource %s weight %" PRId64
			    " must not be less than 1",
			    text_or_empty(r[i].name), r[i].weight);
			return;
		}
}

/* PodTopologySpread */

static void
check_defaulting(struct args_check *check, const struct spread_written *a)
{
	const char *type = a->defaulting_type;
	const struct doc_node *at = place(&a->head.item, "defaultingType");

	if (strcmp(type, "System") != 0 && strcmp(type, "List") != 0) {
		if (is_later(check))
			wrong(check, at,
			    "defaultingType: Unsupported value: %s: supported "
			    "values: \"System\", \"List\"",
			    quoted(check, type));
		else
			wrong(check, at,
			    "defaultingType: Invalid value: %s: must be one "
			    "of {\"System\", \"List\"}",
			    quoted(check, type));
	} else if (strcmp(type, "System") == 0 && a->constraints.n > 0) {
		wrong(check, at,
		    "defaultingType: Invalid value: \"System\": when "
		    ".defaultConstraints are not empty");
	}
}

static void
check_constraint(struct args_check *check, const struct spread_written *a,
    size_t i)
{
	const struct constraint_written *all = a->constraints.items;
	const struct constraint_written *c = &all[i];
	const char *path =
	    arena_printf(scratch(check), "defaultConstraints[%zu]", i);
	const char *key = text_or_empty(c->topology_key);
	const char *action = text_or_empty(c->when_unsatisfiable);

	if (c->max_skew <= 0)
		wrong(check, place(&c->item, "maxSkew"),
		    "%s.maxSkew: Invalid value: %" PRId64 ": %s", path,
		    c->max_skew,
		    is_later(check) ? "not in valid range (0, inf)" :
				      "must be greater than zero");
	if (*key == '\0')
		wrong(check, place(&c->item, "topologyKey"),
		    "%s.topologyKey: Required value: can not be empty", path);
	else
		check_label_name(check, place(&c->item, "topologyKey"),
		    arena_printf(scratch(check), "%s.topologyKey", path), key);
	if (*action == '\0')
		wrong(check, place(&c->item, "whenUnsatisfiable"),
		    "%s.whenUnsatisfiable: Required value: can not be empty",
		    path);
	else if (strcmp(action, "DoNotSchedule") != 0 &&
	    strcmp(action, "ScheduleAnyway") != 0)
		wrong(check, place(&c->item, "whenUnsatisfiable"),
		    "%s.whenUnsatisfiable: Unsupported value: %s: supported "
		    "values: \"DoNotSchedule\", \"ScheduleAnyway\"",
		    path, quoted(check, action));
	if (c->label_selector != NULL)
		wrong(check, c->label_selector,
		    "%s.labelSelector: Forbidden: constraint must not define a "
		    "selector, as they deduced for each pod",
		    path);
	for (size_t j = 0; j < i; j++)
		if (strcmp(text_or_empty(all[j].topology_key), key) == 0 &&
		    strcmp(text_or_empty(all[j].when_unsatisfiable), action) ==
			0) {
			wrong(check, c->item.at,
			    "%s: Duplicate value: \"{%s, %s}\"", path, key,
			    action);
			break;
		}
}

void
args_check_spread(struct args_check *check, const void *args)
{
	const struct spread_written *a = args;

	check_defaulting(check, a);
	for (size_t i = 0; i < a->constraints.n; i++)
		check_constraint(check, a, i);
}

/* The rest. */

void
args_check_volume_binding(struct args_check *check, const void *args)
{
	const struct volume_binding_written *a = args;
	const struct doc_node *at = place(&a->head.item, "bindTimeoutSeconds");

	if (!is_later(check)) {
		if (a->bind_timeout <= 0)
			wrong(check, at,
			    "invalid BindTimeoutSeconds: %" PRId64
			    ", must be positive integer",
			    a->bind_timeout);
		return;
	}
	if (a->bind_timeout < 0)
		wrong(check, at,
		    "bindTimeoutSeconds: Invalid value: %" PRId64
		    ": invalid BindTimeoutSeconds, should not be a negative "
		    "value",
		    a->bind_timeout);
	if (check->reading->reading.options->gates.storage_capacity_scoring)
		check_shape_points(check, &a->head.item, &a->shape, "shape");
	else if (a->shape.given)
		wrong(check, place(&a->head.item, "shape"),
		    "shape: Invalid value: %s: unexpected field `shape`, "
		    "remove it or turn on the feature gate "
		    "StorageCapacityScoring",
		    schema_list_text(scratch(check), true,
			&args_shape_point_schema, &a->shape));
}

void
args_check_dynamic_resources(struct args_check *check, const void *args)
{
	const struct dynamic_resources_written *a = args;
	char text[DURATION_TEXT];

	if (a->filter_timeout < 0)
		wrong(check, place(&a->head.item, "filterTimeout"),
		    "filterTimeout: Invalid value: \"%s\": must be zero or "
		    "positive",
		    duration_text(a->filter_timeout, text));
	if (a->binding_timeout < SECOND)
		wrong(check, place(&a->head.item, "bindingTimeout"),
		    "bindingTimeout: Invalid value: \"%s\": must be at least "
		    "1 second",
		    duration_text(a->binding_timeout, text));
}

/* Go's %+v of []string */
static const char *
plain_list(const struct args_check *check, const struct list *list)
{
	const struct string_value *at = list->items;
	const char *text = "[";

	for (size_t i = 0; i < list->n; i++)
		text = arena_printf(scratch(check), "%s%s%s", text,
		    i > 0 ? " " : "", at[i].text);
	return arena_printf(scratch(check), "%s]", text);
}

/* Whether a label is in both lists, which it then reports. */
static bool
check_conflict(struct args_check *check, const struct list *present,
    const struct list *absent)
{
	const struct string_value *p = present->items, *a = absent->items;

	for (size_t i = 0; i < absent->n; i++)
		for (size_t j = 0; j < present->n; j++)
			if (strcmp(a[i].text, p[j].text) == 0) {
				wrong(check, a[i].item.at,
				    "detecting at least one label (e.g., %s) "
				    "that exist in both the present(%s) and "
				    "absent(%s) label list",
				    quoted(check, a[i].text),
				    plain_list(check, present),
				    plain_list(check, absent));
				return true;
			}
	return false;
}

void
args_check_node_label(struct args_check *check, const void *args)
{
	const struct node_label_written *a = args;

	if (!check_conflict(check, &a->present, &a->absent))
		check_conflict(check, &a->preferred_present,
		    &a->preferred_absent);
}
