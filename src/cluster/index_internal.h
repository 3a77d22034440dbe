/* Shared by the parts of the index: index.c, select.c and term_index.c. */
#ifndef CLUSTER_INDEX_INTERNAL_H
#define CLUSTER_INDEX_INTERNAL_H

#include "cluster/index.h"

struct contribution;
struct label_index;
struct selections;
struct selector_link;
struct term_ref;

/* Classes that share a property. */
struct class_set {
	uint32_t n;
	size_t cap;
	struct class_info **infos;
	/* Of a namespace's set: select.c, or NULL. */
	struct label_index *labels;
	struct selections *selections;
};

enum { IN_NAMESPACE, WITH_TERMS };

/* Classes whose pods have the same terms about other pods. */
struct class_terms {
	struct class_set set; /* first: they are cast to each other */
	/* The first of them, which owns these terms; with broken set, one of them
	 * has a selector that cannot be used. */
	const struct pod_class *class;
	bool broken;
	uint64_t hash;
	size_t key_len;
	void *key;
	uint32_t list_at; /* in cluster->terms_list */
	/* Of term_index.c; none: it is not in there. */
	struct term_ref *refs;
	struct selector_link *links; /* of refs */
	struct contribution *contributions;
};

/* Pods or classes that are at least this part of the domains are better added up
 * by domain than walked. */
#define SUM_FROM 16

/* Makes room for all domains of the topology; new ones count 0. */
void class_counts_grow(struct class_counts *c);

/* The pod comes to (sign 1) or leaves (-1) the node. */
void class_counts_pod(struct class_counts *c, const struct node_info *node,
    int sign);
/* Adds all pods of the class. */
void class_counts_add(struct class_counts *c, const struct class_info *info);

/* Those of the topology, or NULL. */
struct class_counts *totals_find(struct totals *totals,
    const struct topology *topology);
/* They are not there yet, and 0 now. */
struct class_counts *totals_new(struct totals *totals,
    const struct topology *topology);
/* As class_counts_pod(). */
void totals_pod(struct totals *totals, const struct node_info *node, int sign);
/* NULL: all topologies. */
void totals_forget(struct totals *totals, const struct topology *topology);

/* Adds counts[i] * weight to sums[i], for n of them. */
void add_counts(int64_t *sums, const uint32_t *counts, uint32_t n,
    int64_t weight);

#endif
