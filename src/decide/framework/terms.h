/* Terms about other pods, as the cluster's release reads them. */
#ifndef FRAMEWORK_TERMS_H
#define FRAMEWORK_TERMS_H

#include "cluster/term_scope.h"
#include "decide/framework/cycle.h"
#include "objects/changes.h"
#include "objects/pod.h"

/* Whether a namespaceSelector counts. */
static inline bool
terms_select_namespaces(const struct cycle *cycle)
{
	return cycle_release(cycle) >= SINCE_NAMESPACE_SELECTORS;
}

/* Whether a term of a pod on a node, or of own_terms(), is about pods of this
 * class. */
static inline bool
term_matches(const struct cycle *cycle, const struct pod_term *term,
    const struct pod_class *pod)
{
	return term->selects_namespaces && terms_select_namespaces(cycle) ?
	    cluster_term_matches(cycle->cluster, term, pod) :
	    pod_term_matches(term, pod);
}

/* Terms of the cycle's pod: cluster_own_terms(), in the cycle's arena. */
static inline struct pod_terms
own_terms(struct cycle *cycle, const struct pod_terms *terms)
{
	return terms_select_namespaces(cycle) ?
	    cluster_own_terms(cycle->cluster, cycle->arena, terms,
		cycle_rules(cycle) >= SINCE_TERMS_UNLABELED) :
	    *terms;
}

#endif
