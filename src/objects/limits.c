#include "config.h"

#include "objects/limits.h"

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
#include "objects/limits_table.h"
#undef LIMIT
};

const struct decode_settings decode_defaults = {
#define LIMIT(field, name, value, what) .pod_limits.field = value,
#include "objects/limits_table.h"
#undef LIMIT
	.pod_level = true,
	.pod_level_in_status = true,
};

const char *
pod_limits_name(size_t i)
{
	return i < LENGTH(table) ? table[i].name : NULL;
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

/* ---- counting ---- */

/* By the fields of struct pod_limits, in the order of the table. */
enum count {
#define LIMIT(field, name, value, what) COUNT_##field,
#include "objects/limits_table.h"
#undef LIMIT
	COUNTS
};

/* A member that counts: how much (NULL: nothing) of what, and what counts within it,
 * or within each of its elements.  One of another kind counts nothing: decoding
 * refuses it. */
struct counted {
	const char *key;
	enum doc_kind kind;
	size_t (*amount)(const struct doc_node *member);
	enum count count;
	const struct counted *within; /* the last has no key; NULL: none */
};

static size_t
length(const struct doc_node *member)
{
	return member->count;
}

static size_t
scalars(const struct doc_node *list)
{
	static const char *const plain[] = { "cpu", "memory",
		"ephemeral-storage" };
	size_t n = list->count;

	for (size_t i = 0; i < LENGTH(plain); i++)
		n -= doc_member(list, plain[i]) != NULL;
	return n;
}

static size_t
host_ports(const struct doc_node *ports)
{
	size_t n = 0;

	EACH_CHILD (port, ports)
		n += doc_get(port, "hostPort") != NULL;
	return n;
}

/* clang-format off */
#define ROWS(name, ...)                                                        \
	static const struct counted name[] = { __VA_ARGS__, { .key = NULL } };
#define LIST(key, count, within)                                               \
	{ key, DOC_ARRAY, length, COUNT_##count, within }
#define PAIRS(key, count) { key, DOC_OBJECT, length, COUNT_##count, NULL }
#define AMOUNTS(key) { key, DOC_OBJECT, scalars, COUNT_resources, NULL }
#define OBJECT(key, within) { key, DOC_OBJECT, NULL, 0, within }

ROWS(resources, AMOUNTS("requests"), AMOUNTS("limits"))
ROWS(container,
	OBJECT("resources", resources),
	{ "ports", DOC_ARRAY, host_ports, COUNT_host_ports, NULL })
ROWS(containers,
	LIST("containers", containers, container),
	LIST("initContainers", containers, container),
	OBJECT("resources", resources))

ROWS(rbd, LIST("monitors", volumes, NULL))
ROWS(volume, OBJECT("rbd", rbd))
ROWS(volumes, LIST("volumes", volumes, volume))
ROWS(resource_claims, LIST("resourceClaims", resource_claims, NULL))
ROWS(tolerations, LIST("tolerations", tolerations, NULL))

ROWS(node_expression, LIST("values", node_values, NULL))
ROWS(node_term,
	LIST("matchExpressions", node_requirements, node_expression),
	LIST("matchFields", node_requirements, node_expression))
ROWS(node_selector, LIST("nodeSelectorTerms", node_requirements, node_term))
ROWS(preferred_node_term, OBJECT("preference", node_term))
ROWS(node_affinity,
	OBJECT(REQUIRED, node_selector),
	LIST(PREFERRED, node_requirements, preferred_node_term))
ROWS(affinity_to_nodes, OBJECT("nodeAffinity", node_affinity))
ROWS(nodes,
	PAIRS("nodeSelector", node_requirements),
	OBJECT("affinity", affinity_to_nodes))

ROWS(pod_expression, LIST("values", pod_values, NULL))
ROWS(pod_selector,
	PAIRS("matchLabels", pod_requirements),
	LIST("matchExpressions", pod_requirements, pod_expression))
ROWS(pod_term,
	LIST("namespaces", pod_values, NULL),
	OBJECT("labelSelector", pod_selector),
	OBJECT("namespaceSelector", pod_selector))
ROWS(preferred_pod_term, OBJECT("podAffinityTerm", pod_term))
ROWS(pod_terms,
	LIST(REQUIRED, pod_terms, pod_term),
	LIST(PREFERRED, pod_terms, preferred_pod_term))
ROWS(affinity_to_pods,
	OBJECT("podAffinity", pod_terms),
	OBJECT("podAntiAffinity", pod_terms))
ROWS(pods, OBJECT("affinity", affinity_to_pods))

ROWS(spread_constraint,
	LIST("matchLabelKeys", pod_requirements, NULL),
	OBJECT("labelSelector", pod_selector))
ROWS(spread,
	LIST("topologySpreadConstraints", spread_constraints, spread_constraint))
/* clang-format on */

/* Members of the spec, and the part that is not read if they are too long. */
static const struct {
	unsigned over;
	const struct counted *rows;
} parts[] = {
	{ OVER_CONTAINERS, containers },
	{ OVER_VOLUMES, volumes },
	{ OVER_RESOURCE_CLAIMS, resource_claims },
	{ OVER_TOLERATIONS, tolerations },
	{ OVER_NODE_AFFINITY, nodes },
	{ OVER_POD_AFFINITY, pods },
	{ OVER_SPREAD, spread },
};

static void
count(const struct doc_node *node, const struct counted *rows, size_t *counts)
{
	for (; rows->key != NULL; rows++) {
		const struct doc_node *member = doc_get(node, rows->key);

		if (member == NULL || member->kind != rows->kind)
			continue;
		if (rows->amount != NULL)
			counts[rows->count] += rows->amount(member);
		if (rows->within != NULL && rows->kind == DOC_OBJECT)
			count(member, rows->within, counts);
		else if (rows->within != NULL)
			EACH_CHILD (element, member)
				count(element, rows->within, counts);
	}
}

unsigned
pod_limits_check(const struct pod_limits *limits, struct arena *arena,
    const struct doc_node *spec, const char **why)
{
	unsigned over = 0;

	*why = NULL;
	for (size_t i = 0; i < LENGTH(parts); i++) {
		size_t counts[COUNTS] = { 0 };

		count(spec, parts[i].rows, counts);
		for (size_t k = 0; k < COUNTS; k++) {
			uint32_t most;

			memcpy(&most, (const char *)limits + table[k].offset,
			    sizeof(most));
			if (counts[k] <= most)
				continue;
			over |= parts[i].over;
			if (*why == NULL)
				*why = arena_printf(arena,
				    "the pod has %zu %s, more than the limit of "
				    "%u (--max-per-pod=%s=%u)",
				    counts[k], table[k].what, most,
				    table[k].name, most);
		}
	}
	return over;
}
