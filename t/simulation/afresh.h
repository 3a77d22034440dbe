/*
 * What daemons remember from one decision to the next changes none: each decision that
 * is looked at is made again in a cluster that was built of the same objects a moment
 * ago, without results of earlier ones.
 */
#ifndef T_SIMULATION_AFRESH_H
#define T_SIMULATION_AFRESH_H

#include <stdint.h>

/* One decision in so many is looked at; 0: none. */
extern uint32_t afresh_one_in;

#endif
