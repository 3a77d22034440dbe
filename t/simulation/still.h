/*
 * Worlds in which one thing happens at a time, and after each it is seen whether a pod
 * waits that need not: what one change fails to wake is not woken by another.
 */
#ifndef T_SIMULATION_STILL_H
#define T_SIMULATION_STILL_H

#include <stdint.h>

void still_begin(void);
/* The next thing happens; sometimes all nodes and pods are others, which wait for another
 * reason.  How long it takes until all has come of it that can. */
int64_t still_next(void);
/* From now on, what the world ends with. */
void still_end(void);

#endif
