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
#include "framework/pod_selectors.h"
#include "model/selector.h"

struct column_block;
struct node_info;
struct topology;

/* How many pods of each node count; of the cycle's arena. */
struct spread_counts {
	/* By node index; NULL: none. */
	const uint32_t *on_node;
	uint64_t version; /* of the column */
};

/*
 * Counts the pods in the pod's namespace that every one of the selectors matches
 * and that are not being deleted.  No selectors: none.  In 1.20 a selector that is
 * empty counts none.
 */
struct spread_counts spread_count(struct cycle *cycle,
    const struct pod_selectors *selectors);

/* prepare(): a struct spread_counts with workload_selectors(); its columns(),
 * score() and score_block(). */
const void *spread_prepare(struct cycle *cycle, const void *args);
size_t spread_columns(struct cycle *cycle, const void *prep,
    struct node_column *columns);
int64_t spread_score(struct cycle *cycle, const struct node_info *node,
    const void *prep);
bool spread_score_block(struct cycle *cycle, const struct column_block *block,
    const void *prep, int64_t *scores);

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
