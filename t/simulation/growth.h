/* Whether the daemon keeps anything of names that are gone. */
#ifndef T_SIMULATION_GROWTH_H
#define T_SIMULATION_GROWTH_H

#include "t/simulation/world.h"

/* So many names of each kind, or of the kinds whose name contains only (NULL: all),
 * come and go.  Prints a row of a table for each kind: names, bytes a name, entries and
 * symbols more than before.  False: something stays. */
bool growth_measure(struct world_options *options, unsigned nnames,
    const char *only);

#endif
