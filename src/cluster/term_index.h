/*
 * The terms of pods on nodes about other pods (affinity and anti-affinity),
 * found by the labels of a pod that they may match, without evaluating every
 * term.
 *
 * Terms are in sets of selectors (selector_set.h): by the namespaces that they name, or
 * by one label that their namespaceSelector requires, and there by one label that they
 * require themselves.  Terms whose selectors require nothing else are added up by
 * topology; if they exclude labels, they are also filed by these, to be subtracted.  So
 * the cost of a pod depends on the matches of its labels, not on the number of terms.
 * Terms whose topologyKey is a label of no node have no effect and are not
 * filed.
 *
 * Terms with selectors that cannot be used are not in here: cluster_broken_terms().
 */
#ifndef CLUSTER_TERM_INDEX_H
#define CLUSTER_TERM_INDEX_H

#include "base/sym.h"

struct class_terms;
struct cluster;
struct node_info;
struct pod_class;
struct topology;

/* How much each sort of term counts; the weight of a preferred term (negative for
 * anti-affinity) is multiplied by `preferred`. */
struct term_weights {
	int64_t required_affinity;
	int64_t required_anti_affinity;
	int64_t preferred;
};

/*
 * Adds the weights of all terms that match pods of the class, around the pods that
 * have them, to sums_of(arg, topology): ndomains sums of that topology.  sums_of()
 * is called before each addition.  by_labels: terms with a namespaceSelector are
 * read as from 1.21 on (term_scope.h); when that changes, the index is rebuilt.
 */
void cluster_sum_terms(struct cluster *cluster, const struct pod_class *class,
    const struct term_weights *weights, bool by_labels,
    int64_t *(*sums_of)(void *arg, const struct topology *topology), void *arg);

/* Whether a pod on a node has a term whose selector cannot be used. */
bool cluster_has_broken_terms(const struct cluster *cluster);

/* For index.c: terms are added with their first class and removed with their
 * last; a pod with them is added (sign 1) or removed (-1), or its node leaves its
 * domains (-1) and is in others (1); all topologies, or the one of a label key,
 * have changed. */
void term_index_added(struct cluster *cluster, struct class_terms *terms);
void term_index_removed(struct class_terms *terms);
void term_index_pod_counted(struct cluster *cluster, struct class_terms *terms,
    const struct node_info *node, int sign);
void term_index_pod_moves(struct class_terms *terms,
    const struct node_info *node, int sign);
void term_index_forget(struct cluster *cluster);
void term_index_forget_key(struct cluster *cluster, sym key);

#endif
