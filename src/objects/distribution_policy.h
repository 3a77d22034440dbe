/*
 * DistributionPolicy and ClusterDistributionPolicy (kosmos.io/v1alpha1): which
 * pods of a Kosmos cluster may use its own nodes, leaf nodes (which represent
 * the nodes of member clusters), or both.
 *
 *	spec:
 *	  resourceSelectors:            which pods,
 *	  - policyName: leaf            and by which term below
 *	    name: …                     of the pod itself, not of its workload
 *	    namePrefix: …
 *	    labelSelector: {…}
 *	  policyTerms:
 *	  - name: leaf
 *	    nodeType: host|leaf|mix|adv
 *	    advancedTerm:               of adv alone
 *	      nodeName: …
 *	      nodeSelector: {…}
 *	      tolerations: […]
 *	      affinity:
 *	        nodeAffinity: {…}       as in a pod's spec
 *
 * How the selectors of several policies are weighed is in
 * cluster/distribution.h.
 */
#ifndef MODEL_DISTRIBUTION_POLICY_H
#define MODEL_DISTRIBUTION_POLICY_H

#include "objects/confines.h"
#include "objects/object.h"
#include "objects/selector.h"

struct resource_selector {
	sym policy_name;
	/* "": the pod's name does not matter. */
	const char *name;
	const char *name_prefix;
	size_t name_prefix_len;
	bool has_label_selector; /* {} matches everything */
	struct selector label_selector;
};

struct policy_term {
	sym name;
	enum distribution_type type;
	sym type_text; /* as it was written */
	/* advancedTerm; an absent or empty member requires nothing. */
	sym node_name;
	struct labels node_selector;
	uint32_t ntolerations;
	const struct toleration *tolerations;
	bool has_pod_affinity; /* affinity has a member that has no effect */
	struct node_affinity affinity;
};

struct distribution_policy {
	struct object object;
	uint32_t nselectors;
	const struct resource_selector *selectors;
	uint32_t nterms;
	const struct policy_term *terms;
};

/*
 * A member of a wrong type or a text that is far too long is an error.  An unknown
 * policyName or nodeType and an invalid selector are kept, and
 * distribution_policy_problem() reports them.
 */
void distribution_policy_read(struct decoder *d, struct object *object);

/* The first term of this name, or NULL. */
const struct policy_term *
distribution_policy_term(const struct distribution_policy *policy, sym name);

/*
 * The problems that keep the policy from having an effect; i counts from 0.  A
 * sentence that names the field, in a buffer valid until the next call; NULL if
 * there are at most i problems.
 */
const char *
distribution_policy_problem(const struct distribution_policy *policy,
    uint32_t i);

#endif
