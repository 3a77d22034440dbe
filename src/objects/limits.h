/*
 * Limits on the lists of one pod, so that no pod makes decisions slow.
 *
 * A pod beyond a limit has a class with over_limit set (pod.h): the list in
 * question is not read, and the pod is not scheduled.
 */
#ifndef MODEL_LIMITS_H
#define MODEL_LIMITS_H

#include "objects/budget.h"

struct arena;
struct doc_node;

struct pod_limits {
#define LIMIT(field, name, value, what) uint32_t field;
#include "objects/limits_table.h"
#undef LIMIT
};

/* By what objects are decoded: a daemon's, a command's, or a record's. */
struct decode_settings {
	struct pod_limits pod_limits;
	/* Feature gates of requests at pod level: whether these count at all
	 * (PodLevelResources), and those in status of pods on nodes, too
	 * (InPlacePodLevelResourcesVerticalScaling). */
	bool pod_level, pod_level_in_status;
	struct budgets budgets; /* of who watches; decoders ignore them */
};

/* The table's limits, both gates on, and no budgets. */
extern const struct decode_settings decode_defaults;

/* The name of the i-th limit, NULL: there are no more. */
const char *pod_limits_name(size_t i);

/* Reads "podTerms=500,volumes=1000" into *out; a limit that is not named gets
 * the default.  -1: err names the invalid part, and *out is untouched. */
int pod_limits_parse(const char *text, struct pod_limits *out, struct err *err);

/* Parts of a pod that are not read, because one of their lists is too long. */
enum {
	OVER_CONTAINERS = 1 << 0, /* ports, scalar resources */
	OVER_VOLUMES = 1 << 1,
	OVER_TOLERATIONS = 1 << 2,
	OVER_NODE_AFFINITY = 1 << 3,
	OVER_POD_AFFINITY = 1 << 4,
	OVER_SPREAD = 1 << 5,
	OVER_RESOURCE_CLAIMS = 1 << 6,
};

/* Which parts of the spec (NULL is fine) exceed a limit; *why, in the arena, is
 * the message for the first one, or NULL. */
unsigned pod_limits_check(const struct pod_limits *limits, struct arena *arena,
    const struct doc_node *spec, const char **why);

#endif
