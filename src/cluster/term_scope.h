/*
 * The namespaces of a term about other pods, from 1.21 on: those that it names, and
 * those whose Namespace has the labels that its namespaceSelector requires
 * (doc/semantics/11-kube-1.36.md, Spreading and affinity).
 *
 * cluster->namespace_labels changes when answers may.
 */
#ifndef CLUSTER_TERM_SCOPE_H
#define CLUSTER_TERM_SCOPE_H

#include "base/sym.h"
#include "objects/pod.h"

struct cluster;
struct namespace_selections;

/* Those of the Namespace; none where there is no such object. */
const struct labels *cluster_namespace_labels(const struct cluster *cluster,
    sym namespace);

/* Whether a term of a pod on a node is about pods of this class. */
bool cluster_term_matches(const struct cluster *cluster,
    const struct pod_term *term, const struct pod_class *pod);

/*
 * The terms of a pod to be placed, with the selected namespaces among those that
 * they name; in the arena, and right until namespace_labels changes.  unlabeled: as in
 * kube-scheduler since SINCE_TERMS_UNLABELED, a selector that a namespace without labels
 * satisfies is about all namespaces.
 */
struct pod_terms cluster_own_terms(struct cluster *cluster, struct arena *arena,
    const struct pod_terms *terms, bool unlabeled);

/* For cluster.c: a Namespace (NULL: none) has been replaced by this one, also one without
 * labels, which the selector of a term may select. */
bool term_scope_changed(const struct object *before, const struct object *now);
void namespace_selections_free(struct namespace_selections *selections);

#endif
