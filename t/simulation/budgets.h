/*
 * PodDisruptionBudgets and their controller; and what is promised of evictions.
 */
#ifndef T_SIMULATION_BUDGETS_H
#define T_SIMULATION_BUDGETS_H

#include <stdbool.h>

struct json_object;

/* With on false, the world has no budgets. */
void budgets_start(bool on);
/* Users change nothing, or go on. */
void budgets_rest(bool rest);

/* The daemon nominates a waiting pod to a node.  In a calm world, where all is known:
 * another would not cost fewer budgets. */
void promise_nominated(struct json_object *pod, const char *node, bool calm);
/* The daemon binds or nominates this pod. */
void promise_placed(struct json_object *pod);
/* A pod is evicted: one of higher priority is nominated to its node. */
void promise_victim(struct json_object *victim);

#endif
