/*
 * Which pods on nodes a label selector selects, without a look at every class of
 * the namespace.
 *
 * Of a namespace that is asked about, the classes are listed by each of their
 * labels and by each label key.  A selector that asks for a label is answered from
 * the list of that label; one that only excludes labels, from the sum over all
 * pods of the namespace less those on the lists of the excluded labels.
 */
#ifndef CLUSTER_SELECT_H
#define CLUSTER_SELECT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/sym.h"

struct class_info;
struct class_set;
struct cluster;
struct node_info;
struct pod_term;
struct selector;
struct topology;

/* sums[domain] += weight * pods of the namespace there that the selector selects.
 * sums has topology->ndomains elements. */
void cluster_select(struct cluster *cluster, sym namespace,
    const struct selector *selector, const struct topology *topology,
    int64_t weight, int64_t *sums);

/* The same for the pods that a term is about. */
void cluster_select_term(struct cluster *cluster, const struct pod_term *term,
    const struct topology *topology, int64_t weight, int64_t *sums);

/*
 * The same with all pods whose class each() accepts, of those that may match: of
 * classes that cannot, each() need not be asked.
 */
void cluster_select_if(struct cluster *cluster, sym namespace,
    const struct selector *selector,
    bool (*each)(void *arg, const struct class_info *info), void *arg,
    const struct topology *topology, int64_t weight, int64_t *sums);

/*
 * By node index, how many pods of the namespace are there that the selector selects
 * and that are not being deleted; n is the number of nodes.  Counts of selections
 * in big namespaces are kept and follow the pods.  counts has n elements, zeroed.
 */
void cluster_count_selected(struct cluster *cluster, sym namespace,
    const struct selector *selector, uint32_t n, uint32_t *counts);

/* For index.c: a class or a pod comes or goes; topologies are no longer right. */
void select_class_added(struct class_set *set, struct class_info *info);
void select_class_removed(struct class_set *set, struct class_info *info);
void select_pod_counted(const struct class_info *info,
    const struct node_info *node, int sign);
/* NULL: all topologies. */
void select_forget(struct class_set *set, const struct topology *topology);
void select_free(struct class_set *set);

#endif
