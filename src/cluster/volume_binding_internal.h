/* How a pod's claims are sorted; for volume_binding.c and volume_labels.c. */
#ifndef CLUSTER_VOLUME_BINDING_INTERNAL_H
#define CLUSTER_VOLUME_BINDING_INTERNAL_H

#include "cluster/open_volumes.h"
#include "cluster/volume_binding.h"

struct bound_claim {
	const struct persistent_volume_claim *claim;
	const struct persistent_volume *volume; /* NULL: missing, */
	const char *error;                      /* as this says */
};

/* A claim that waits for its first consumer: this pod. */
struct waiting_claim {
	const struct persistent_volume_claim *claim;
	const struct storage_class *class;
	bool checks_capacity; /* capacities.h */
	sym name;
	const char *error; /* met when a volume is searched for, or NULL */

	/* Volumes that already name the claim, in order of name. */
	size_t nreserved, reserved_cap;
	const struct persistent_volume **reserved;
	/* Free ones, in the order of open_volumes.h. */
	struct pinned_list free;
	size_t npin_keys, pin_keys_cap;
	sym *pin_keys; /* that occur in free */
};

struct volume_needs {
	struct arena *arena;
	const struct cluster *cluster;
	int release;         /* whose rules apply */
	const char *error;   /* on every node, or NULL */
	const char *refusal; /* likewise */
	bool leaf_nodes;     /* the rules' */
	sym leaf_key, true_;
	uint32_t nbound;
	struct bound_claim *bound;
	uint32_t nwaiting;
	struct waiting_claim *waiting; /* in the order of the pod's volumes */
	/* Those that no node was selected for (with leaf_nodes: all), smallest
	 * request first; once volume_needs_search() was called. */
	bool searched;
	uint32_t nsearching;
	struct waiting_claim **searching;
	struct volume_plan plan; /* with room for all that wait */
};

/* Looks for volumes that waiting claims could have, unless that was done. */
void volume_needs_search(struct volume_needs *needs);

/* Whether a new volume of the class can be provisioned for every node. */
bool storage_class_provisions_anywhere(const struct storage_class *class);

#endif
