/*
 * Counts pods without iterating over them: the number of pods of a class in
 * each domain of a topology, and the classes worth counting.
 *
 * A topology divides the nodes by the value of one label: nodes with equal
 * values share a domain, nodes without the label are in none.  The topology of
 * SYM_NONE gives every node a domain of its own (domain == node index).
 *
 * Counts are made the first time they are asked for and kept up to date as pods
 * come and go; classes with few pods are counted by walking their pods.  Pods on
 * nodes without a Node object are in no domain.
 */
#ifndef CLUSTER_INDEX_H
#define CLUSTER_INDEX_H

#include "cluster/cluster.h"

#define DOMAIN_NONE UINT32_MAX

/* Keys of topologies of zones as kube-scheduler spreads over them: region and
 * zone together (node->zone, ->beta_zone); nodes with neither are in no domain. */
#define TOPOLOGY_ZONE (SYM_NONE - 1)
#define TOPOLOGY_BETA_ZONE (SYM_NONE - 3)
/* The topology of all labels that no node has. */
#define TOPOLOGY_NONE (SYM_NONE - 2)

struct topology {
	sym key; /* or one of those above, or TOPOLOGY_NONE */
	uint32_t ndomains;
	uint32_t *domain_of; /* by node index; DOMAIN_NONE without the label */
	sym *values;      /* by domain: the label's value (SYM_NONE's: names) */
	uint32_t *nnodes; /* by domain: how many nodes it has */
	uint32_t nplaced; /* nodes that are in a domain */
	struct map by_value; /* value -> domain + 1; not SYM_NONE's */
	/*
	 * Its domains are many and small (for example one per node), so that
	 * checking the few nodes of a changed domain is cheaper than checking
	 * one node of each domain.  Changes only with cluster->labels.
	 */
	bool fine;
	size_t nodes_cap, values_cap, nnodes_cap;
};

struct class_counts {
	const struct topology *topology;
	uint32_t *counts; /* by domain; room for cap of them */
	uint32_t cap;
};

/* Counts of some pods by the topologies that were asked for. */
struct totals {
	uint32_t n;
	size_t cap;
	struct class_counts *at;
};

struct class_posting;
struct class_set;

/* A pod class that has pods on nodes now. */
struct class_info {
	const struct pod_class *class;
	uint32_t npods;
	/* Bound and assumed, in no order; nodes[i] is where pods[i] is. */
	const struct pod **pods;
	struct node_info **nodes;
	size_t pods_cap;
	uint32_t list_at; /* in cluster->class_list */
	/* Those of its namespace; those with its terms about other pods, NULL if
	 * it has none; and where it is among them. */
	struct class_set *sets[2];
	uint32_t set_at[2];
	struct totals totals;
	struct class_posting *postings; /* select.c */
	uint64_t mark;
};

/*
 * Valid until a node is added, deleted or relabelled.  Never NULL.  Keys that
 * no node has share one topology without domains: users choose these keys, and
 * they take no memory.
 */
const struct topology *cluster_topology(struct cluster *cluster, sym key);

/* Whether any node has a label with this key. */
bool cluster_has_label_key(const struct cluster *cluster, sym key);

static inline uint32_t
topology_domain(const struct topology *t, const struct node_info *node)
{
	return node->index != NODE_INDEX_NONE ? t->domain_of[node->index] :
						DOMAIN_NONE;
}

/* The domain of nodes whose label has this value, or DOMAIN_NONE; not SYM_NONE's. */
static inline uint32_t
topology_domain_of_value(const struct topology *t, sym value)
{
	/* DOMAIN_NONE is 0 - 1 */
	return (uint32_t)(uintptr_t)map_get(&t->by_value, value) - 1;
}

/* sums[domain] += weight * pods of the class there; sums has
 * topology->ndomains elements. */
void class_accumulate(struct cluster *cluster, struct class_info *class,
    const struct topology *topology, int64_t weight, int64_t *sums);

/* All classes with pods on nodes: cluster->class_list[0 … nclasses-1]. */

/* What a decision has found out about a class, NULL at first: a place in *found, which
 * is made in the arena at the first call. */
void **class_found(const struct cluster *cluster, struct arena *arena,
    void ***found, const struct pod_class *class);

/* Of these classes, those of a namespace, *n of them; valid until a pod is
 * added or removed. */
struct class_info **classes_in(const struct cluster *cluster, sym namespace,
    size_t *n);

/*
 * Of these classes, all that may affect pods of this class by affinity or
 * anti-affinity terms, its own or theirs, or by selectors in these that cannot be
 * used; *n of them, as an array that you own.  Of classes that have
 * terms themselves, each set of terms is evaluated once: sets are few, where
 * pods are many, each with labels of its own (StatefulSets, Jobs).
 */
struct class_info **classes_related(const struct cluster *cluster,
    const struct pod_class *class, size_t *n);

/* Notifications of changes, called by cluster.c. */
void index_pod_added(struct cluster *cluster, const struct pod *pod,
    struct node_info *node, uint32_t *class_at);
/* Returns the pod that took the place class_at among the class's pods, or NULL. */
const struct pod *index_pod_removed(struct cluster *cluster,
    const struct pod *pod, uint32_t class_at);
void index_node_added(struct cluster *cluster, struct node_info *node);
void index_node_relabelled(struct cluster *cluster, struct node_info *node);
/* The node's labels change from these to those; NULL: none.  Call this before
 * the two above. */
void index_label_keys(struct cluster *cluster, const struct labels *from,
    const struct labels *to);
/* Node indexes have become invalid: rebuilds the index. */
void index_forget(struct cluster *cluster);
void index_free(struct cluster *cluster);

#endif
