/*
 * An HTTP extender that filters, scores, takes part in preemption and binds.  Pods of
 * priority 0 may only go where the disk is fast.  Where things fail, it is slow, its
 * answers are broken, and it says that a binding failed which did not.
 */
#ifndef T_SIMULATION_EXTENDER_H
#define T_SIMULATION_EXTENDER_H

#include <stdbool.h>

#include "t/simulation/apiserver.h"

struct extension;
struct json_object;

void extender_start(bool on, bool calm);
/* It is not broken meanwhile. */
void extender_rest(bool rest);
/* The policy of daemons that ask it, NULL: there is none. */
const char *extender_policy(void);
/* Their KubeSchedulerConfiguration, in its place. */
const char *extender_configuration(void);

/* Whether it is asked by this path. */
bool extender_is_asked(const char *path);
struct reply extender_handle(const struct request *request);

/* What it would say of all nodes; NULL: there is no extender.  The caller ends *said with
 * extension_fini(). */
const struct extension *extender_says(struct json_object *pod,
    struct extension *said);

#endif
