/*
 * The contradictions between a cluster and its own rules.
 */
#ifndef WHATIF_AUDIT_H
#define WHATIF_AUDIT_H

#include "base/arena.h"
#include "base/sym.h"

struct whatif;
struct pod;
struct node_info;
struct profile;
struct whatif_budget;

/* A pod that would not fit on its node now, if it came again, also if no node were
 * cordoned. */
struct audit_pod {
	const struct pod *pod;
	const char *rule; /* the first that refuses it */
	uint64_t broken;  /* bit i: predicate i of its profile refuses it */
	size_t nreasons;
	const char **reasons;
};

/* A node whose pods request more than it has. */
struct audit_node {
	const struct node_info *node;
	const char *resource;
	int64_t requested, allocatable; /* units of objects/resources.h */
};

/* A rule that makes no difference: a predicate that refuses no node to a pod like
 * those that there are, a priority that scores all nodes that fit the same. */
struct audit_rule {
	const struct profile *profile;
	const char *name;
	bool is_priority;
};

struct audit {
	struct arena arena;         /* of texts and arrays */
	size_t nchecked;            /* pods on nodes */
	size_t ncordoned, nstaying; /* nodes that are cordoned, pods on them */
	size_t npods, pods_cap;
	struct audit_pod *pods; /* by name */
	size_t nnodes, nodes_cap;
	struct audit_node *nodes; /* by name */
	size_t nbudgets, budgets_cap;
	struct whatif_budget **budgets; /* that let none of their pods go */
	/* Pods in several budgets: the API server evicts none of them. */
	size_t nseveral, several_cap;
	const struct pod **several;
	size_t nclasses; /* kinds of pods that rules were tried with */
	size_t nrules, rules_cap;
	struct audit_rule *rules;
	size_t nheld;
	const struct pod **held; /* owned: of audit_placement() */
};

/* The n pods are those of the cluster.  Everything in *a is valid as long as they
 * and the cluster.  The cluster is afterwards as it was. */
void audit_find(struct audit *a, struct whatif *w, size_t n,
    struct pod *const *pods);
/* The same of all pods that are on nodes, as a replay has placed them, and of the nodes;
 * nothing of budgets and of rules that make no difference. */
void audit_placement(struct audit *a, struct whatif *w);
void audit_fini(struct audit *a);

#endif
