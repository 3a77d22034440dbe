/*
 * Shared by SelectorSpreadPriority, ServiceSpreadingPriority and
 * serviceAntiAffinity: counts, on each node, the pods that belong together with
 * the one to place.
 */
#ifndef PRIORITIES_SPREADING_H
#define PRIORITIES_SPREADING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/sym.h"
#include "framework/cycle.h"
#include "framework/kept_prep.h"
#include "framework/pod_selectors.h"
#include "model/selector.h"

struct node_info;
struct topology;

/* How many pods of each node count; of the cycle's arena. */
struct spread_counts {
	struct kept_prep kept;
	struct pod_selectors (*find)(struct cycle *cycle);
	struct pod_selectors selectors;
	uint64_t workloads; /* of the namespace, when they were found */
	bool constrained;   /* SelectorSpread of 1.20 leaves the pod alone */
	/* NULL without selectors: nothing counts. */
	const struct topology *nodes; /* each a domain of its own */
	uint32_t *on_node;            /* by node index */
};

/*
 * Counts the pods in the pod's namespace that every one of the selectors matches
 * and that are not being deleted.  No selectors: none.  find: how to find them
 * once more when the namespace's workloads have changed.  In 1.20 a
 * selector that is empty counts none.
 */
struct spread_counts *spread_count(struct cycle *cycle,
    struct pod_selectors (*find)(struct cycle *cycle));

/* prepare() and keep(): a struct spread_counts with workload_selectors(), which lists
 * nodes' zones. */
const void *spread_prepare(struct cycle *cycle, const void *args);
const struct kept_prep *spread_keep(struct cycle *cycle, const void *args);

/* update() and score() with a struct spread_counts. */
enum followed spread_update(struct cycle *cycle, void *prep,
    const struct prep_change *change);
int64_t spread_score(struct cycle *cycle, const struct node_info *node,
    const void *prep);

/*
 * reduce() from counts to scores: few is good, and where nodes are in zones,
 * few in the zone counts twice as much.  In doubles, truncated at the end:
 *
 *	spread(count, most) = score_max * ((most - count) / most)
 *	score = spread(node)                               without zone
 *	score = spread(node) * 1/3 + 2/3 * spread(zone)    with zone
 *
 * where spread() is score_max when most is 0 and most is taken over the nodes
 * that fit and the sums of their zones.  A zone is that of the labels
 * failure-domain.beta.kubernetes.io/zone and region; from 1.17 on also of those of
 * topology.kubernetes.io, where a node lacks the former.
 */
void spread_reduce(struct cycle *cycle, const void *prep, size_t n,
    const uint32_t *at, const uint32_t *times, int64_t *scores);

/*
 * The part of the pods that fit somewhere which is not in the node's domain of the
 * label, on the scale 0 to score_max: score_max if there are none, 0 for nodes
 * without the label.  n groups of nodes as in struct priority's reduce(), with so
 * many pods on each of their nodes.
 */
void spread_by_label(struct cycle *cycle, const struct topology *topology,
    size_t n, const uint32_t *at, const uint32_t *times, const int64_t *counts,
    double *shares);

#endif
