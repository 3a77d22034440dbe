/*
 * Placement constraints of a pod that are not in its spec.
 *
 * A pod's spec has its author's requirements.  Other objects may constrain the
 * pod further: OpenShift's default node selectors, Kosmos' distribution
 * policies.  These constraints may depend on any field of the pod, also on its
 * own name, so they are computed when a pending pod arrives and whenever such
 * an object changes (cluster/confines.h), and are part of the pod's class from
 * then on.  Rules read cycle->class->confines and nothing else, so that cached
 * results per class stay correct.
 *
 * All zero means that there are no constraints.  To add a source: add its
 * fields here, with rows in confines_parts (pod_class.c), and fill them in
 * cluster/confines.c.
 */
#ifndef MODEL_CONFINES_H
#define MODEL_CONFINES_H

#include "base/sym.h"
#include "objects/labels.h"
#include "objects/node_affinity.h"

struct toleration;

/* A policy term's nodeType: the kind of node that it requires. */
enum distribution_type {
	DISTRIBUTION_MIX, /* nothing; also absent, "" or unknown text */
	DISTRIBUTION_HOST,
	DISTRIBUTION_LEAF,
	DISTRIBUTION_ADVANCED,
};

/* Kosmos: the outcome of all distribution policies (cluster/distribution.h). */
struct distribution {
	/* The object that decided, "DistributionPolicy ns/name", and the
	 * policyName of its selector; SYM_EMPTY when none selects the pod. */
	sym policy;
	sym term;
	enum distribution_type type;
	/* Of DISTRIBUTION_ADVANCED; an absent member requires nothing. */
	sym node_name;
	struct labels node_selector;
	uint32_t ntolerations; /* besides the pod's own */
	const struct toleration *tolerations;
	/* Likewise; without the problems of its terms.  Terms that cannot be used
	 * match nothing. */
	struct node_affinity affinity;
};

/* The StickyJob that owns the pod, if it has a last node. */
struct sticky {
	sym job;  /* "StickyJob ns/name" */
	sym node; /* SYM_EMPTY: none */
	bool required;
};

struct confines {
	/* OpenShift: labels that the node must have besides those the pod's own
	 * nodeSelector names. */
	struct labels node_selector;
	struct distribution distribution;
	struct sticky sticky;
};

#endif
