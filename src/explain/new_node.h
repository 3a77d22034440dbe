/*
 * One more node, like one that is there or like a template, with the pods that it
 * gets from the beginning: those of DaemonSets.
 */
#ifndef EXPLAIN_NEW_NODE_H
#define EXPLAIN_NEW_NODE_H

#include <stddef.h>
#include <stdint.h>

#include "base/sym.h"

struct arena;
struct cluster;
struct json_out;
struct node;
struct node_info;
struct pod;

/* Nodes that offer the same: resources, labels but for those of their names, taints. */
struct node_kind {
	const struct node_info *node; /* the first by name */
	uint32_t n;
};

/* The kinds, the commonest first, in the arena. */
struct node_kind *node_kinds(const struct cluster *cluster, struct arena *arena,
    size_t *n);

struct new_node {
	sym like;          /* that node's name */
	struct node *node; /* owned, as the pods are */
	size_t npods;
	struct pod **pods;
};

/* A ready node that the cluster has not, under a new name.  template: what it is like,
 * but for its pods; NULL: like that node. */
void new_node_init(struct new_node *new, const struct cluster *cluster,
    const struct node_info *like, const struct node *template);
void new_node_fini(struct new_node *new);

/* It is in the cluster, and is no longer. */
void new_node_put(const struct new_node *new, struct cluster *cluster);
void new_node_remove(const struct new_node *new, struct cluster *cluster);

/* The changes that add it (explain/remedy.h). */
void new_node_changes(const struct new_node *new, struct json_out *json);

#endif
