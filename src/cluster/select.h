/*
 * Finds the pods on nodes that a label selector selects, without evaluating
 * every class of the namespace.
 *
 * The classes of a queried namespace are listed by each of their labels and by
 * each label key.  A selector that requires a label uses the list of that
 * label; one that only excludes labels, from the sum over all pods of the
 * namespace less those on the lists of the excluded labels.
 */
#ifndef CLUSTER_SELECT_H
#define CLUSTER_SELECT_H

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

/* The same in all namespaces. */
void cluster_select_everywhere(struct cluster *cluster,
    const struct selector *selector, const struct topology *topology,
    int64_t weight, int64_t *sums);

/* The same for the pods that a term is about; not for one that still selects
 * namespaces (term_scope.h). */
void cluster_select_term(struct cluster *cluster, const struct pod_term *term,
    const struct topology *topology, int64_t weight, int64_t *sums);

/*
 * The same with all pods whose class each() accepts, of those that may match:
 * each() may not be called for classes that cannot match.
 */
void cluster_select_if(struct cluster *cluster, sym namespace,
    const struct selector *selector,
    bool (*each)(void *arg, const struct class_info *info), void *arg,
    const struct topology *topology, int64_t weight, int64_t *sums);

/* For cluster_select_if(): accepts the pods that are not being deleted. */
bool select_staying(void *arg, const struct class_info *info);

/*
 * By node index, how many pods of the namespace are there that the selector selects
 * and that are not being deleted; NULL: none is anywhere.  Counts of the last
 * selections are kept and follow the pods; of one *version they differ
 * only by these pods.
 * Valid until the cluster changes, or for the next hundred calls.
 */
const uint32_t *cluster_count_selected(struct cluster *cluster, sym namespace,
    const struct selector *selector, uint64_t *version);

/* For index.c: a class or a pod is added or removed; topologies have become
 * invalid. */
void select_class_added(struct class_set *set, struct class_info *info);
void select_class_removed(struct class_set *set, struct class_info *info);
void select_pod_counted(const struct class_info *info,
    const struct node_info *node, int sign);
/* A pod's node leaves its domains (sign -1), or is in others (1). */
void select_pod_moves(const struct class_info *info,
    const struct node_info *node, int sign);
/* NULL: all topologies. */
void select_forget(struct class_set *set, const struct topology *topology);
void select_free(struct class_set *set);

#endif
