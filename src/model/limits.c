#include "config.h"

#include "model/limits.h"

#include <errno.h>

#include "base/arena.h"
#include "base/doc.h"

#define REQUIRED "requiredDuringSchedulingIgnoredDuringExecution"
#define PREFERRED "preferredDuringSchedulingIgnoredDuringExecution"

static const struct limit {
	const char *name;
	size_t offset;
	const char *what;
} table[] = {
#define LIMIT(field, name, value, what)                                        \
	{ name, offsetof(struct pod_limits, field), what },
#include "model/limits_table.h"
#undef LIMIT
};

const struct decode_settings decode_defaults = {
#define LIMIT(field, name, value, what) .pod_limits.field = value,
#include "model/limits_table.h"
#undef LIMIT
	.pod_level = true,
	.pod_level_in_status = true,
};

const char *
pod_limits_name(size_t i)
{
	return i < LENGTH(table) ? table[i].name : NULL;
}

static uint32_t
get(const struct pod_limits *limits, const struct limit *limit)
{
	uint32_t value;

	memcpy(&value, (const char *)limits + limit->offset, sizeof(value));
	return value;
}

static int
set(struct pod_limits *limits, const char *part, size_t len, struct err *err)
{
	const char *equals = memchr(part, '=', len);
	size_t name_len = equals != NULL ? (size_t)(equals - part) : len;
	unsigned long number;
	uint32_t value;
	char *end;

	for (size_t i = 0; i < LENGTH(table); i++) {
		if (strlen(table[i].name) != name_len ||
		    strncmp(table[i].name, part, name_len) != 0)
			continue;
		errno = 0;
		number = equals != NULL ? strtoul(equals + 1, &end, 10) : 0;
		if (equals == NULL || end != part + len || end == equals + 1 ||
		    equals[1] == '-' || errno != 0 || number > UINT32_MAX)
			return errf(err, "\"%.*s\" is not of the form %s=N",
			    (int)len, part, table[i].name);
		value = (uint32_t)number;
		memcpy((char *)limits + table[i].offset, &value, sizeof(value));
		return 0;
	}
	return errf(err, "unknown pod limit \"%.*s\"", (int)name_len, part);
}

int
pod_limits_parse(const char *text, struct pod_limits *out, struct err *err)
{
	struct pod_limits limits = decode_defaults.pod_limits;

	while (*text != '\0') {
		size_t len = strcspn(text, ",");

		if (len > 0 && set(&limits, text, len, err) != 0)
			return -1;
		text += len + (text[len] == ',');
	}
	*out = limits;
	return 0;
}

/*
 * Counting.  Members of the wrong type count nothing: decoding refuses them.
 */

static const struct doc_node *
member(const struct doc_node *node, const char *key, enum doc_kind kind)
{
	const struct doc_node *found = node != NULL ? doc_get(node, key) : NULL;

	return found != NULL && found->kind == kind ? found : NULL;
}

static const struct doc_node *
object(const struct doc_node *node, const char *key)
{
	return member(node, key, DOC_OBJECT);
}

static const struct doc_node *
array(const struct doc_node *node, const char *key)
{
	return member(node, key, DOC_ARRAY);
}

static size_t
length(const struct doc_node *list)
{
	return list != NULL ? list->count : 0;
}

/* By the fields of struct pod_limits. */
struct counts {
#define LIMIT(field, name, value, what) size_t field;
#include "model/limits_table.h"
#undef LIMIT
};

static size_t
count_scalars(const struct doc_node *list)
{
	size_t n = length(list);
	static const char *const plain[] = { "cpu", "memory",
		"ephemeral-storage" };

	for (size_t i = 0; i < LENGTH(plain); i++)
		n -= list != NULL && doc_member(list, plain[i]) != NULL;
	return n;
}

static void
count_amounts(const struct doc_node *resources, struct counts *counts)
{
	counts->resources += count_scalars(object(resources, "requests")) +
	    count_scalars(object(resources, "limits"));
}

static void
count_containers(const struct doc_node *list, struct counts *counts)
{
	counts->containers += length(list);
	EACH_CHILD (container, list) {
		count_amounts(object(container, "resources"), counts);
		EACH_CHILD (port, array(container, "ports"))
			counts->host_ports += doc_get(port, "hostPort") != NULL;
	}
}

static void
count_volumes(const struct doc_node *list, struct counts *counts)
{
	counts->volumes += length(list);
	EACH_CHILD (volume, list)
		counts->volumes +=
		    length(array(object(volume, "rbd"), "monitors"));
}

static void
count_expressions(const struct doc_node *list, size_t *requirements,
    size_t *values)
{
	*requirements += length(list);
	EACH_CHILD (expression, list)
		*values += length(array(expression, "values"));
}

static void
count_node_term(const struct doc_node *term, struct counts *counts)
{
	counts->node_requirements++;
	count_expressions(array(term, "matchExpressions"),
	    &counts->node_requirements, &counts->node_values);
	count_expressions(array(term, "matchFields"),
	    &counts->node_requirements, &counts->node_values);
}

static void
count_node_affinity(const struct doc_node *affinity, struct counts *counts)
{
	EACH_CHILD (term,
	    array(object(affinity, REQUIRED), "nodeSelectorTerms"))
		count_node_term(term, counts);
	EACH_CHILD (term, array(affinity, PREFERRED))
		count_node_term(object(term, "preference"), counts);
}

static void
count_label_selector(const struct doc_node *selector, struct counts *counts)
{
	counts->pod_requirements += length(object(selector, "matchLabels"));
	count_expressions(array(selector, "matchExpressions"),
	    &counts->pod_requirements, &counts->pod_values);
}

static void
count_pod_term(const struct doc_node *term, struct counts *counts)
{
	counts->pod_terms++;
	counts->pod_values += length(array(term, "namespaces"));
	count_label_selector(object(term, "labelSelector"), counts);
	count_label_selector(object(term, "namespaceSelector"), counts);
}

static void
count_pod_affinity(const struct doc_node *affinity, struct counts *counts)
{
	EACH_CHILD (term, array(affinity, REQUIRED))
		count_pod_term(term, counts);
	EACH_CHILD (term, array(affinity, PREFERRED))
		count_pod_term(object(term, "podAffinityTerm"), counts);
}

static void
count_spread(const struct doc_node *list, struct counts *counts)
{
	counts->spread_constraints += length(list);
	EACH_CHILD (constraint, list) {
		counts->pod_requirements +=
		    length(array(constraint, "matchLabelKeys"));
		count_label_selector(object(constraint, "labelSelector"),
		    counts);
	}
}

/* The limit that a count exceeds, or NULL. */
static const struct limit *
exceeded(const struct pod_limits *limits, const struct counts *counts,
    size_t *count)
{
	const struct limit *limit = table;

#define LIMIT(field, name, value, what)                                        \
	if (counts->field > limits->field) {                                   \
		*count = counts->field;                                        \
		return limit;                                                  \
	}                                                                      \
	limit++;
#include "model/limits_table.h"
#undef LIMIT
	return NULL;
}

struct check {
	const struct pod_limits *limits;
	struct arena *arena;
	struct counts counts; /* of the part that is being counted */
	unsigned over;
	const char **why;
};

/* Notes the part if one of its lists is too long. */
static void
judge(struct check *check, unsigned part)
{
	size_t count;
	const struct limit *limit =
	    exceeded(check->limits, &check->counts, &count);

	check->counts = (struct counts){ 0 };
	if (limit == NULL)
		return;
	check->over |= part;
	if (*check->why == NULL)
		*check->why = arena_printf(check->arena,
		    "the pod has %zu %s, more than the limit of %u "
		    "(--max-per-pod=%s=%u)",
		    count, limit->what, get(check->limits, limit), limit->name,
		    get(check->limits, limit));
}

static void
check_containers(struct check *check, const struct doc_node *spec)
{
	count_containers(array(spec, "containers"), &check->counts);
	count_containers(array(spec, "initContainers"), &check->counts);
	count_amounts(object(spec, "resources"), &check->counts);
	judge(check, OVER_CONTAINERS);
}

static void
check_volumes(struct check *check, const struct doc_node *spec)
{
	const struct doc_node *volumes = array(spec, "volumes");

	if (volumes == NULL)
		return;
	count_volumes(volumes, &check->counts);
	judge(check, OVER_VOLUMES);
}

static void
check_resource_claims(struct check *check, const struct doc_node *spec)
{
	check->counts.resource_claims = length(array(spec, "resourceClaims"));
	if (check->counts.resource_claims > 0)
		judge(check, OVER_RESOURCE_CLAIMS);
}

static void
check_tolerations(struct check *check, const struct doc_node *spec)
{
	check->counts.tolerations = length(array(spec, "tolerations"));
	if (check->counts.tolerations > 0)
		judge(check, OVER_TOLERATIONS);
}

static void
check_affinity(struct check *check, const struct doc_node *spec)
{
	const struct doc_node *affinity = object(spec, "affinity"),
			      *selector = object(spec, "nodeSelector");

	if (affinity == NULL && selector == NULL)
		return;
	check->counts.node_requirements = length(selector);
	count_node_affinity(object(affinity, "nodeAffinity"), &check->counts);
	judge(check, OVER_NODE_AFFINITY);
	count_pod_affinity(object(affinity, "podAffinity"), &check->counts);
	count_pod_affinity(object(affinity, "podAntiAffinity"), &check->counts);
	judge(check, OVER_POD_AFFINITY);
}

static void
check_spread(struct check *check, const struct doc_node *spec)
{
	const struct doc_node *constraints =
	    array(spec, "topologySpreadConstraints");

	if (constraints == NULL)
		return;
	count_spread(constraints, &check->counts);
	judge(check, OVER_SPREAD);
}

unsigned
pod_limits_check(const struct pod_limits *limits, struct arena *arena,
    const struct doc_node *spec, const char **why)
{
	struct check check = { .limits = limits, .arena = arena, .why = why };

	*why = NULL;
	check_containers(&check, spec);
	check_volumes(&check, spec);
	check_resource_claims(&check, spec);
	check_tolerations(&check, spec);
	check_affinity(&check, spec);
	check_spread(&check, spec);
	return check.over;
}
