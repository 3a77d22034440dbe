/* Names of predicates and priorities: the known, the once known, the mistyped.
 */
#include "config.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "base/text.h"
#include "base/xmalloc.h"
#include "policy/policy_internal.h"
#include "predicates/registry.h"
#include "priorities/registry.h"

/* Longer names are not treated as typing errors. */
#define NAME_MAX_LEN 64

const struct builtin_predicate *
find_builtin_predicate(const char *name, const struct gates *gates)
{
	const struct builtin_predicate *p = builtin_predicates;

	for (; p < builtin_predicates + nbuiltin_predicates; p++)
		if (strcmp(p->name, name) == 0 &&
		    (p->registered == NULL || p->registered(gates)))
			return p;
	return NULL;
}

const struct builtin_priority *
find_builtin_priority(const char *name, const struct gates *gates)
{
	const struct builtin_priority *p = builtin_priorities;

	for (; p < builtin_priorities + nbuiltin_priorities; p++)
		if (strcmp(p->name, name) == 0 &&
		    (p->registered == NULL || p->registered(gates)))
			return p;
	return NULL;
}

/*
 * Names that the OpenShift manual lists and kube-scheduler 1.15 refuses.  The
 * conditions have a rule of their own here: it costs nothing to check them also
 * where the node controller turns them into taints.
 */
#define NEEDS_ARGUMENT                                                         \
	"has no effect without an argument; write {\"name\": \"…\", "        \
	"\"argument\": "
#define IS_A_TAINT                                                             \
	"is checked, but kube-scheduler refuses it unless the feature gate "   \
	"TaintNodesByCondition is off; PodToleratesNodeTaints covers it"

static const struct legacy_predicate legacy_predicates[] = {
	{ "CheckNodeCondition", &predicate_check_node_condition, IS_A_TAINT },
	{ "CheckNodeDiskPressure", &predicate_check_node_disk_pressure,
	    IS_A_TAINT },
	{ "CheckNodeLabelPresence", NULL,
	    NEEDS_ARGUMENT "{\"labelsPresence\": {\"labels\": [\"…\"], "
			   "\"presence\": true}}}" },
	{ "CheckNodeMemoryPressure", &predicate_check_node_memory_pressure,
	    IS_A_TAINT },
	{ "CheckNodePIDPressure", &predicate_check_node_pid_pressure,
	    IS_A_TAINT },
	{ "CheckServiceAffinity", NULL,
	    NEEDS_ARGUMENT "{\"serviceAffinity\": {\"labels\": [\"…\"]}}}" },
	{ "MaxCSIVolumeCount", &predicate_max_csi_volume_count,
	    "is spelled \"MaxCSIVolumeCountPred\"" },
	{ "PodToleratesNodeNoExecuteTaints",
	    &predicate_pod_tolerates_node_no_execute_taints,
	    "is checked, but kube-scheduler refuses it; "
	    "PodToleratesNodeTaints covers it" },
	{ "checkServiceAffinity", NULL,
	    NEEDS_ARGUMENT "{\"serviceAffinity\": {\"labels\": [\"…\"]}}}" },
};

const struct legacy_predicate *
find_legacy_predicate(const char *name)
{
	for (size_t i = 0; i < LENGTH(legacy_predicates); i++)
		if (strcmp(legacy_predicates[i].name, name) == 0)
			return &legacy_predicates[i];
	return NULL;
}

/* Names of kube-scheduler's functions, which descriptions of it give to the
 * rules. */
static const struct {
	const char *said, *name;
} aliases[] = {
	{ "BalancedResourceAllocationMap", "BalancedResourceAllocation" },
	{ "EqualPriorityMap", "EqualPriority" },
	{ "ImageLocalityPriorityMap", "ImageLocalityPriority" },
	{ "LeastRequestedPriorityMap", "LeastRequestedPriority" },
	{ "PodAffinityPredicate", "MatchInterPodAffinity" },
	{ "PodFitsHost", "HostName" },
	{ "PodMatchNodeSelector", "MatchNodeSelector" },
	{ "VolumeBindingPredicate", "CheckVolumeBinding" },
	{ "VolumeZonePredicate", "NoVolumeZoneConflict" },
};

const char *
find_alias(const char *name)
{
	for (size_t i = 0; i < LENGTH(aliases); i++)
		if (strcmp(aliases[i].said, name) == 0)
			return aliases[i].name;
	return NULL;
}

/* Kosmos' plugins; kube-scheduler does not know them. */
static const struct builtin_predicate kosmos_predicates[] = {
	{ .name = "LeafNodeDistribution",
	    .unit = &predicate_leaf_node_distribution },
	{ .name = "LeafNodeTaintToleration",
	    .unit = &predicate_leaf_node_taint_toleration },
	{ .name = "LeafNodeVolumeBinding",
	    .unit = &predicate_leaf_node_volume_binding },
};

const struct builtin_predicate *
find_kosmos_predicate(const char *name)
{
	for (size_t i = 0; i < LENGTH(kosmos_predicates); i++)
		if (strcmp(kosmos_predicates[i].name, name) == 0)
			return &kosmos_predicates[i];
	return NULL;
}

bool
is_algorithm_name(const char *name)
{
	size_t len = strlen(name);

	/* The regular expression requires at least two characters. */
	if (len < 2 || name[0] == '-' || name[len - 1] == '-')
		return false;
	for (; *name != '\0'; name++)
		if (*name != '-' && !(*name >= '0' && *name <= '9') &&
		    !(*name >= 'a' && *name <= 'z') &&
		    !(*name >= 'A' && *name <= 'Z'))
			return false;
	return true;
}

/* The shortest name that starts with this one, in any case; "priority" counts as
 * the start of "priorities". */
static const char *
longer_name(const char *name, const char *const *names, size_t n)
{
	size_t len = strlen(name);
	const char *best = NULL;

	if (len < 5)
		return NULL;
	len -= name[len - 1] == 'y';
	for (size_t i = 0; i < n; i++)
		if (strncasecmp(names[i], name, len) == 0 &&
		    (best == NULL || strlen(names[i]) < strlen(best)))
			best = names[i];
	return best;
}

const char *
closest_name(const char *name, const char *const *names, size_t n)
{
	const char *best = NULL;
	size_t len = strlen(name);
	unsigned least_so_far = (unsigned)len / 3 + 1;

	if (len == 0 || len > NAME_MAX_LEN)
		return NULL;
	for (size_t i = 0; i < n; i++) {
		unsigned distance = text_distance(name, names[i]);

		if (distance < least_so_far) {
			least_so_far = distance;
			best = names[i];
		}
	}
	return best != NULL ? best : longer_name(name, names, n);
}

static const char *
hint(struct reading *reading, const char *name, const char *const *names,
    size_t n)
{
	const char *best = closest_name(name, names, n);

	if (best == NULL)
		return "";
	return arena_printf(&reading->arena, "; did you mean \"%s\"?", best);
}

#define NEEDS_GATE "; it needs the feature gate %s"

const char *
predicate_hint(struct reading *reading, const char *name)
{
	const struct gates *gates = &reading->options->gates;
	const char **names = arena_array(&reading->arena, const char *,
	    nbuiltin_predicates + LENGTH(kosmos_predicates));
	size_t n = 0;

	for (size_t i = 0; i < LENGTH(kosmos_predicates); i++)
		if (!reading->options->strict)
			names[n++] = kosmos_predicates[i].name;
	for (size_t i = 0; i < nbuiltin_predicates; i++) {
		const struct builtin_predicate *p = &builtin_predicates[i];

		if (p->registered == NULL || p->registered(gates))
			names[n++] = p->name;
		else if (strcmp(p->name, name) == 0)
			return arena_printf(&reading->arena, NEEDS_GATE,
			    strcmp(name, "EvenPodsSpread") == 0 ?
				"EvenPodsSpread=true" :
				gates->taint_nodes_by_condition ?
				"TaintNodesByCondition=false" :
				"TaintNodesByCondition=true");
	}
	return hint(reading, name, names, n);
}

const char *
priority_hint(struct reading *reading, const char *name)
{
	const struct gates *gates = &reading->options->gates;
	const char **names =
	    arena_array(&reading->arena, const char *, nbuiltin_priorities);
	size_t n = 0;

	for (size_t i = 0; i < nbuiltin_priorities; i++) {
		const struct builtin_priority *p = &builtin_priorities[i];

		if (p->registered == NULL || p->registered(gates))
			names[n++] = p->name;
		else if (strcmp(p->name, name) == 0)
			return arena_printf(&reading->arena, NEEDS_GATE,
			    strcmp(name, "ResourceLimitsPriority") == 0 ?
				"ResourceLimitsPriorityFunction=true" :
				"EvenPodsSpread=true");
	}
	return hint(reading, name, names, n);
}
