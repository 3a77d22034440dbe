/* What the daemon costs on a cluster of some size. */
#ifndef T_SIMULATION_SIZE_H
#define T_SIMULATION_SIZE_H

#include "t/simulation/world.h"

/* Prints a row of a table.  False: not all pods were bound. */
bool size_measure(struct world_options *options, unsigned nnodes,
    unsigned npods);

#endif
