/* Kinds of objects that a dump lacks, or that could not be listed, although pods
 * name some of them. */
#ifndef CTL_ABSENT_H
#define CTL_ABSENT_H

#include <stddef.h>

struct cluster;
struct live;
struct pod;

/*
 * Says on standard error, a line for each, the kinds of which the cluster has
 * no object and a pending pod of these (or a claim of such a pod) names one: a
 * scheduler would call the object missing, but only the dump is incomplete.  Of a
 * live cluster these are the kinds that it does not serve or that may not be listed.
 * A PriorityClass counts only for a pod without spec.priority.
 */
void absent_say(const struct cluster *cluster, const struct live *live,
    size_t npods, struct pod *const *pods);

#endif
