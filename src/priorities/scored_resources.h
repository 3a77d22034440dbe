/*
 * The resources that count for a score by the arguments of a plugin, with the pod's
 * request of each.
 */
#ifndef PRIORITIES_SCORED_RESOURCES_H
#define PRIORITIES_SCORED_RESOURCES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/sym.h"

struct arena;
struct resources;
struct scored_resource;

enum scored_kind {
	SCORED_CPU,
	SCORED_MEMORY,
	SCORED_STORAGE, /* ephemeral-storage */
	SCORED_SCALAR,
	SCORED_UNKNOWN, /* no node has any */
};

struct scored {
	sym name;
	enum scored_kind kind;
	int64_t weight;
	int64_t request; /* the pod's */
};

struct scored_resources {
	size_t n;
	struct scored *at;
};

/*
 * In the arena; n 0 stands for the default: cpu and memory, of weight 1.  each: a
 * name that comes twice counts twice, as in 1.36; otherwise its last weight
 * counts.  request: the pod's.
 */
struct scored_resources scored_resources_new(struct arena *arena, size_t n,
    const struct scored_resource *resources, bool each,
    const struct resources *request);

/* The amount of this resource; of a node or a pod. */
int64_t scored_amount(const struct scored *scored,
    const struct resources *amounts);

/* Whether there are but two of them, cpu and memory in any order. */
bool scored_resources_are_plain(const struct scored_resources *resources);

#endif
