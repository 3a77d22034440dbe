/*
 * The profiles in force, each with its own state: results kept between
 * decisions, its extenders, and its metrics.
 *
 * A pod is served by the profile of its spec.schedulerName.  Metrics belong to the
 * name, and stay when its profile is replaced or goes: bindings may still be on
 * their way.
 */
#ifndef SCHEDULER_SERVING_H
#define SCHEDULER_SERVING_H

#include <stdbool.h>
#include <stddef.h>

#include "base/sym.h"

struct pod;
struct profiles;
struct scheduler;

/* The metrics about the pods of one scheduler name. */
struct account {
	sym name;
	struct measure *measure;
	struct plugins *plugins;
};

struct serving {
	const struct profile *profile;
	sym name; /* of its scheduler */
	struct ecache *ecache;
	struct extenders *extenders;
	struct account *account;
	bool sticks; /* StickyJob is called after a binding */
};

/* Takes the profiles, which replace those in force; none may be needed by an
 * attempt. */
void servings_replace(struct scheduler *scheduler, struct profiles *profiles);
void servings_free(struct scheduler *scheduler);

/* NULL: no profile serves the pod (any more). */
struct serving *serving_of(const struct scheduler *scheduler,
    const struct pod *pod);
/*
 * A queue_gate (queue/queue.h) of a struct scheduler: PreEnqueue of the pod's
 * profile, with its metrics (kube-scheduler 1.36, runPreEnqueuePlugins).
 */
bool serving_holds(void *scheduler, const struct pod *pod);
struct account *account_of(struct scheduler *scheduler, const struct pod *pod);

/* Frees replaced extenders once nothing is under way. */
void servings_tick(struct scheduler *scheduler);
/* All results kept from earlier decisions, in between calls of these two. */
void servings_drop_results(struct scheduler *scheduler);
void servings_keep_results(struct scheduler *scheduler);

#endif
