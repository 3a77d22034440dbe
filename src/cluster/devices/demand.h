/*
 * Which devices a pod's claims would get on a node: a search in the order of
 * kube-scheduler 1.36, whose first solution is the result
 * (doc/semantics/11-kube-1.36.md, Dynamic resources).
 *
 * Claims with the same wishes are one demand, whose answers are kept by view
 * (inventory.h).
 */
#ifndef DEVICES_DEMAND_H
#define DEVICES_DEMAND_H

#include "objects/resource_claim.h"

struct demand;
struct devices;
struct node_info;

enum device_outcome {
	DEVICES_FOUND,
	DEVICES_NOT_FOUND,
	DEVICES_POOLS_INVALID, /* and not found in others */
	DEVICES_ERROR,
	DEVICES_TIMED_OUT,
	DEVICES_CANCELLED,
};

#define NO_CLAIM UINT32_MAX

struct device_answer {
	uint64_t generation; /* of the view */
	enum device_outcome outcome;
	/* Found: 8 less the place of each alternative that is taken. */
	int32_t score;
	/* The text of an error, after "claim NAMESPACE/NAME" of this claim. */
	uint32_t claim;
	char *error;
};

/* Searches of one decision. */
struct device_search {
	uint64_t steps; /* that are left */
	bool (*cancelled)(void *arg);
	void *arg;
	/* So many steps of a search pass before it looks for what is alike; 0: a
	 * number that is good. */
	uint64_t alike_from;
	/* A search by itself needed more steps than one may take: another decision
	 * would not get further. */
	bool gave_up;
};

/* So many steps one decision of a daemon may take: some 20 ms.  What it has found by then
 * is kept, so the next one goes on from there (struct cycle, unfinished). */
#define DEVICE_STEPS 800000

/*
 * The demand of n claims, which are not allocated.  Valid until the next call that
 * makes one, or a change of the cluster.
 */
struct demand *device_demand(struct devices *devices,
    const struct device_features *features, uint32_t n,
    const struct resource_claim *const *claims);

/* Valid until the next call for the demand. */
const struct device_answer *demand_ask(struct demand *demand,
    const struct node_info *node, struct device_search *search);

/*
 * For people: why the node, where demand_ask() finds nothing, has too few devices: the
 * first request that cannot have enough by itself, or else what requests want together.
 * In the arena; NULL: not known.
 */
const char *demand_miss(struct demand *demand, const struct node_info *node,
    struct arena *arena, struct device_search *search);

/* The outcomes for all nodes, by node index, valid as demand_ask(); NULL: one of them
 * is an error, or the search was cut short. */
const uint32_t *demand_outcomes(struct demand *demand,
    struct device_search *search);

/* Whether all nodes that have devices for it have the same score. */
bool demand_is_uniform(struct demand *demand, struct device_search *search,
    int32_t *score);

struct device_allocation {
	uint32_t nresults;
	const struct device_result *results;
	bool has_nodes; /* it can be used only on nodes */
	struct node_selector nodes;
};

/* What each of the claims would get; NULL: they do not get it.  In the arena, as long
 * as the cluster stays the same. */
const struct device_allocation *demand_allocate(struct demand *demand,
    const struct node_info *node, struct arena *arena,
    struct device_search *search);

/* Results of READS_NODE rules depend on devices from now on: nodes whose devices
 * change count as changed. */
void devices_are_scored(struct devices *devices);

/*
 * The devices of a class that are on a node, and those of them that claims have, as
 * scores count them; false: it cannot be found out.
 */
bool devices_count(struct devices *devices,
    const struct device_features *features, const struct device_class *class,
    const struct node_info *node, int64_t *all, int64_t *taken);

#endif
