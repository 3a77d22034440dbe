/* How evenly and how fully the nodes of a cluster are used. */
#ifndef WHATIF_BALANCE_H
#define WHATIF_BALANCE_H

#include "base/arena.h"
#include "base/sym.h"

struct cluster;
struct node_info;

/* A node whose pods request this share of a resource has none of it left for
 * practical purposes. */
#define BALANCE_FULL 0.95

struct balance_resource {
	const char *name; /* "cpu", "memory", "pods", or a scalar's */
	uint32_t nnodes;  /* that have it */
	/* Of requested/allocatable of these nodes; cv: the coefficient of
	 * variation, deviation/mean, 0 if the mean is. */
	double mean, max, cv;
	/* In units of objects/resources.h.  stranded: free amounts on nodes where
	 * another resource is used up (BALANCE_FULL). */
	int64_t allocatable, requested, stranded;
};

struct balance_zone {
	const char *name; /* "" for nodes without one */
	uint32_t nnodes, npods;
	double cpu,
	    memory; /* requested/allocatable of all its nodes together */
};

struct balance {
	uint32_t nnodes;
	uint32_t nempty; /* nodes without pods but those that stay */
	size_t nresources;
	struct balance_resource *resources; /* scalars by name */
	size_t nzones;
	struct balance_zone *zones; /* by name */
};

/* Results live in the arena; names as long as the cluster. */
void balance_find(struct balance *b, const struct cluster *cluster,
    struct arena *arena);

/* The amounts of a resource with one of these names that the node's pods request and
 * that the node has. */
void balance_amounts(const struct node_info *node, const char *resource,
    int64_t *requested, int64_t *allocatable);

/* How much of the resource the node has left while another one is used up. */
int64_t balance_strands(const struct node_info *node, const char *resource);
/* Whether only pods of DaemonSets and of the node itself are there, which go with it. */
bool balance_is_empty(const struct node_info *node);

/* Of a resource; 0 where there is none. */
static inline double
balance_share(int64_t part, int64_t all)
{
	return all > 0 ? (double)part / (double)all : 0;
}

#endif
