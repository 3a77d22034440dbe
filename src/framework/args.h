/* Arguments of policy entries, decoded by policy/, read by units. */
#ifndef FRAMEWORK_ARGS_H
#define FRAMEWORK_ARGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/sym.h"

/* serviceAffinity: CheckServiceAffinity */
struct service_affinity_args {
	size_t n;
	const sym *labels;
};

/* labelsPresence: CheckNodeLabelPresence */
struct labels_presence_args {
	size_t n;
	const sym *labels;
	bool presence;
};

/* serviceAntiAffinity */
struct service_anti_affinity_args {
	sym label;
};

/* labelPreference */
struct label_preference_args {
	sym label;
	bool presence;
};

struct shape_point {
	int64_t utilization; /* 0 to 100, strictly ascending */
	int64_t score;       /* 0 to 10 */
};

/* requestedToCapacityRatioArguments; at least one point */
struct requested_to_capacity_ratio_args {
	size_t npoints;
	const struct shape_point *shape;
};

#endif
