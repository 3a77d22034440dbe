/* Kinds of objects that a dump lacks although its pods name some of them. */
#ifndef CTL_ABSENT_H
#define CTL_ABSENT_H

#include <stddef.h>

struct cluster;
struct pod;

/*
 * Says on standard error, a line for each, the kinds of which the cluster has
 * no object and a pending pod of these (or a claim of such a pod) names one: a
 * scheduler would call the object missing, but only the dump is incomplete.
 * A PriorityClass counts only for a pod without spec.priority.
 */
void absent_say(const struct cluster *cluster, size_t npods,
    struct pod *const *pods);

#endif
