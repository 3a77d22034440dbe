/* Nodes, as their objects say they are. */
#ifndef MODEL_NODE_H
#define MODEL_NODE_H

#include "objects/labels.h"
#include "objects/object.h"
#include "objects/pod.h"
#include "objects/resources.h"

struct taint {
	sym key;
	sym value;
	enum taint_effect effect; /* EFFECT_ANY when the text is "" */
	sym effect_text;
};

struct node_condition {
	sym type;
	sym status; /* "True", "False", "Unknown" */
	int64_t
	    since; /* lastTransitionTime, seconds since 1970; 0: not known */
};

struct node_image {
	sym name; /* one of the image's names */
	int64_t bytes;
};

/* An entry of the annotation scheduler.alpha.kubernetes.io/preferAvoidPods. */
struct avoided_controller {
	sym kind;
	sym uid;
};

struct node {
	struct object object;
	sym name;
	struct labels labels;
	bool unschedulable;
	uint32_t ntaints;
	const struct taint *taints;
	struct resources allocatable;
	/* Whether some allocatable is "attachable-volumes-…", and the lowest,
	 * INT64_MAX for none. */
	bool limits_volumes;
	int64_t lowest_volume_limit;
	uint32_t nconditions;
	const struct node_condition *conditions; /* in the object's order */
	uint32_t nimages;
	const struct node_image
	    *images; /* one per name, in the object's order */
	/* An annotation that does not parse avoids nothing. */
	uint32_t navoided;
	const struct avoided_controller *avoided;
	/* status.declaredFeatures: enum declared_feature, or-ed. */
	unsigned declared_features;
	/* The minor version of status.nodeInfo.kubeletVersion ("v1.30.4"); -1 if
	 * it is absent, no such version or a virtual node's. */
	int kubelet_minor;
	/* Kosmos: the annotations leafNodeMode: one2cluster (the node
	 * represents a whole member cluster), and kosmos-io/owned-by-cluster
	 * (which one it is of, SYM_EMPTY when absent). */
	bool is_whole_cluster;
	sym cluster;
	/* region ":\0:" zone, SYM_EMPTY when both are empty or absent
	 * (kube-scheduler, GetZoneKey).  beta_zone: from the failure-domain.beta
	 * labels alone, as before 1.17; zone: from topology.kubernetes.io's where
	 * these are absent. */
	sym beta_zone, zone;
};

void node_read(struct decoder *d, struct object *object);

/* The same node as `kubectl cordon` leaves it: unschedulable, with the taint that
 * says so.  You own it; it is valid as long as the other one. */
struct node *node_cordoned(const struct node *node);
/* Changes a copy, in whose arena its taints then are, to what `kubectl uncordon`
 * leaves. */
void node_uncordon(struct arena *arena, struct node *node);

/* Whether they say the same of a node: all fields above but the object's
 * resourceVersion and uid, and the kubelet's version. */
bool node_equal(const struct node *a, const struct node *b);

/* The same taints, or images, in the same order. */
bool node_taints_equal(const struct node *a, const struct node *b);
bool node_images_equal(const struct node *a, const struct node *b);

/* Status of the last condition of this type; SYM_EMPTY if it is absent. */
sym node_condition_status(const struct node *node, sym type);
/* Whether the condition Ready is true, or absent. */
bool node_is_ready(const struct node *node);

/* The value of topology.kubernetes.io/zone, or else of the label that zones had
 * before 1.17; SYM_NONE: the node has neither. */
sym node_zone_label(const struct node *node);

#endif
