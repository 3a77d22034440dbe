/*
 * Which pods would have to leave a node for another pod to fit there, and how
 * much that costs (doc/semantics/04-scheduling-loop.md, Preemption, steps 4
 * and 6).
 */
#ifndef SCHED_VICTIMS_H
#define SCHED_VICTIMS_H

#include "decide/ecache/eviction_cost.h"
#include "decide/framework/candidate.h"

struct arena;
struct filter;
struct node_info;
struct why;

/*
 * Removes all pods of lower priority, checks whether the filter's pod fits then, and
 * puts back as many of them as possible, the important ones first; those whose
 * disruption budget would be violated come before all others.  The rest are the
 * victims, in the arena.  False: the pod would not fit, for reasons that go to why
 * (may be NULL; in the cycle's arena).
 */
bool victims_find(struct filter *filter, const struct node_info *node,
    struct arena *arena, struct victims *out, struct why *why);

struct eviction_cost eviction_cost_of(const struct victims *victims);

#endif
