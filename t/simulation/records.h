/*
 * The flight record of daemons: kept in files without a name, in the place of
 * daemon/record/writer.c, and read when a daemon ends.  Every decision in it must come out again
 * from what the record says of the cluster.
 */
#ifndef T_SIMULATION_RECORDS_H
#define T_SIMULATION_RECORDS_H

#include <stddef.h>

/* Decisions that were made again since the start. */
size_t records_count(void);

#endif
