/* The fewest steps of a world with which a promise still breaks. */
#ifndef T_SIMULATION_SHRINK_H
#define T_SIMULATION_SHRINK_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Delta debugging: leaves ever smaller parts of the steps 1 to n - 1 out, as long as
 * breaks() says that a promise still breaks without those that left_out[] marks; at most
 * so many times.  left_out has n members, all false.  Returns how many steps are left.
 */
size_t shrink(bool *left_out, size_t n, size_t most,
    bool (*breaks)(void *arg, const bool *left_out, size_t n), void *arg);

#endif
