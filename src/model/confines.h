/*
 * Where a pod may go by the will of others than its author.
 *
 * A pod's spec says what its author wants of a node.  Objects beside it may
 * confine the pod further: OpenShift's default node selectors, Kosmos'
 * distribution policies.  What they say of a pod may depend on anything about
 * it, also on its own name, so it is found out when a pod that waits arrives and
 * whenever such an object changes (cluster/confines.h), and is part of the pod's
 * class from then on.  Rules read cycle->class->confines and nothing else, and
 * results kept per class stay right.
 *
 * All zero means that nothing is said.  To add a source: add its fields here,
 * with their copy and key in pod_class_confined(), and fill them in
 * cluster/confines.c.
 */
#ifndef MODEL_CONFINES_H
#define MODEL_CONFINES_H

#include <stdint.h>

#include "base/sym.h"
#include "model/labels.h"

struct toleration;

/* A policy term's nodeType, what it asks of a node. */
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
	/* Of DISTRIBUTION_ADVANCED; what is absent asks nothing. */
	sym node_name;
	struct labels node_selector;
	uint32_t ntolerations; /* besides the pod's own */
	const struct toleration *tolerations;
};

struct confines {
	/* OpenShift: labels that the node must have besides those the pod's own
	 * nodeSelector names. */
	struct labels node_selector;
	struct distribution distribution;
};

#endif
