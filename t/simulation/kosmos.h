/*
 * Kosmos: some nodes are leaf nodes, which stand for those of a member cluster, and
 * DistributionPolicies say which pods go where.
 */
#ifndef T_SIMULATION_KOSMOS_H
#define T_SIMULATION_KOSMOS_H

#include <stdbool.h>

struct json_object;
struct object;

/* With on false, the world has none. */
void kosmos_start(bool on, bool calm);
bool kosmos_exists(void);
/* Users change nothing, or go on. */
void kosmos_rest(bool rest);
/* The policy of its scheduler, NULL: it is not there. */
const char *kosmos_policy(void);
/* Makes some nodes leaf nodes. */
void kosmos_join(struct json_object *node);

/* The pod, which it takes, as the distribution policies have it. */
struct object *kosmos_confined(struct object *pod);
/* Whether a daemon may still have others. */
bool kosmos_in_doubt(void);

#endif
