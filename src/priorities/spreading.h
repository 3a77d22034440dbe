/*
 * What SelectorSpreadPriority, ServiceSpreadingPriority and serviceAntiAffinity
 * share: counting, on each node, the pods that belong together with the one to
 * place.
 */
#ifndef PRIORITIES_SPREADING_H
#define PRIORITIES_SPREADING_H

#include <stddef.h>
#include <stdint.h>

#include "base/sym.h"
#include "sched/cycle.h"

struct node_info;
struct pod_class;
struct selector;

/* Selectors of the objects that select the pod; of the cycle's arena. */
struct spread_selectors {
	size_t n, cap;
	const struct selector **at;
};

/* Adds the selectors of the Services that select the pod, in order of name. */
void spread_add_services(struct cycle *cycle, struct spread_selectors *s);

/* The classes whose pods count: a node's count is the number of its pods that
 * belong to one of them.  Of the cycle's arena. */
struct spread_counts {
	size_t n, cap;
	const struct pod_class **classes; /* that have pods on nodes */
};

/*
 * Classes of the pod's namespace that every one of the selectors matches and
 * whose pods are not being deleted.  No selectors: none.
 */
void spread_find_classes(struct cycle *cycle,
    const struct spread_selectors *selectors, struct spread_counts *counts);
int64_t spread_count(const struct node_info *node,
    const struct spread_counts *counts);

/* prepare(): a struct spread_counts for all Services, ReplicationControllers,
 * ReplicaSets and StatefulSets that select the pod. */
const void *spread_prepare(struct cycle *cycle, const void *args);

/* score(), counted(), alike() with that prep. */
int64_t spread_score(struct cycle *cycle, const struct node_info *node,
    const void *prep);
size_t spread_counted(const void *prep, const struct pod_class *const **of);
sym spread_alike(const void *args);

/*
 * reduce() from counts to scores: few is good, and where nodes are in zones,
 * few in the zone counts twice as much.  In doubles, truncated at the end:
 *
 *	spread(count, most) = score_max * ((most - count) / most)
 *	score = spread(node)                               without zone
 *	score = spread(node) * 1/3 + 2/3 * spread(zone)    with zone
 *
 * where spread() is score_max when most is 0 and most is taken over the nodes
 * that fit and the sums of their zones.
 */
void spread_reduce(struct cycle *cycle, const void *prep, size_t n,
    const uint32_t *at, const uint32_t *times, int64_t *scores);

#endif
