/*
 * The resources that count for a score by the arguments of a plugin, with the pod's
 * request of each.
 */
#ifndef PRIORITIES_SCORED_RESOURCES_H
#define PRIORITIES_SCORED_RESOURCES_H

#include "base/sym.h"
#include "objects/resources.h"

struct arena;
struct cycle;
struct node_info;
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

/* For scored_amount(). */
int64_t scored_other_amount(const struct scored *scored,
    const struct resources *amounts);

/* The amount of this resource; of a node or a pod. */
static inline int64_t
scored_amount(const struct scored *scored, const struct resources *amounts)
{
	if (scored->kind == SCORED_CPU)
		return amounts->cpu_milli;
	return scored->kind == SCORED_MEMORY ?
	    amounts->memory :
	    scored_other_amount(scored, amounts);
}

/* The same of a resource that the node's allocatable has none of, where a DeviceClass
 * stands for it: the devices on the node, and those of them that claims have.  False:
 * there is none such. */
bool scored_devices(struct cycle *cycle, const struct scored *scored,
    const struct node_info *node, int64_t *has, int64_t *used);

/* The same of a class whose selectors are not looked at: whether the node has any
 * device at all, and the class selects some of them. */
bool scored_devices_are_selected(struct cycle *cycle,
    const struct scored *scored, const struct node_info *node);

/* Whether there are but two of them, cpu and memory in any order. */
bool scored_resources_are_plain(const struct scored_resources *resources);

#endif
