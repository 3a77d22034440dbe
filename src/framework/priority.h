/*
 * A priority gives every node that fits a score; higher is better.  It keeps no
 * state between calls and never does I/O.
 */
#ifndef FRAMEWORK_PRIORITY_H
#define FRAMEWORK_PRIORITY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/sym.h"
#include "framework/predicate.h"

/*
 * The result of prepare() when PreScore skips the plugin for this pod (release 36):
 * the plugin adds nothing to totals and is not among the scores.  A prep that is
 * kept (kept_prep.h) gives all nodes the final score 0 instead.
 */
#define PREP_SKIPPED ((const void *)&prep_skipped)
extern const char prep_skipped;

struct priority {
	const char *name; /* as in policy.cfg */
	enum reads reads; /* of score(); reduce() always sees all that fit */

	/* As in struct predicate, of prepare(), score() and reduce(); of
	 * READS_OBJECTS units, too.  Pods that get the same raw score on all
	 * nodes (uniform()) may differ in these aspects, too, and share results. */
	unsigned aspects;

	/* Optional; as in struct predicate, but NULL is an ordinary prep.
	 * Without it score() gets args as prep.  PREP_SKIPPED: none of the
	 * other members is called. */
	const void *(*prepare)(struct cycle *cycle, const void *args);

	/* Optional, of READS_CLUSTER units; as in struct predicate.  Unless all
	 * that keep() returns is idle there is update(), too. */
	const struct kept_prep *(*keep)(struct cycle *cycle, const void *args);
	enum followed (*update)(struct cycle *cycle, void *prep,
	    const struct prep_change *change);

	/* The raw score of one node.  On the scale 0 to profile->score_max when
	 * there is no reduce(). */
	int64_t (*score)(struct cycle *cycle, const struct node_info *node,
	    const void *prep);

	/* Optional, not of READS_CLUSTER units: score() of all nodes of a block
	 * at once (cluster/columns.h).  Scores of COLUMN_ODD rows, and of rows
	 * without a node, are ignored.  False: score() is called for every
	 * node. */
	bool (*score_block)(struct cycle *cycle,
	    const struct column_block *block, const void *prep,
	    int64_t *scores);

	/* Optional, not of READS_CLUSTER units: the pod gets the same raw score
	 * on all nodes, stored in *raw, until a Node object changes (of
	 * READS_OBJECTS units: until the next prepare()).  False: it may not. */
	bool (*uniform)(const struct cycle *cycle, const void *prep,
	    int64_t *raw);

	/*
	 * Optional: turns the raw scores of the nodes that fit into scores from 0
	 * to profile->score_max.  There are n cells of nodes; those of one cell
	 * have the same raw score and are in the same domains of the topologies
	 * that the prep lists as by_domain.  at: the index of one node of each
	 * cell; times: how many nodes it has, never 0.  If all cells are alike,
	 * with raw scores of 0, the scores must be equal whatever their number.
	 */
	void (*reduce)(struct cycle *cycle, const void *prep, size_t n,
	    const uint32_t *at, const uint32_t *times, int64_t *scores);
};

/*
 * The data that its scores depend on, for the cache: the scores of a
 * READS_OBJECTS unit are kept as parts of a sum, so with reduce(), which depends on
 * the nodes that fit, it is scored at each decision as a READS_CLUSTER unit is.
 */
static inline enum reads
priority_reads(const struct priority *unit)
{
	return unit->reads == READS_OBJECTS && unit->reduce != NULL ?
	    READS_CLUSTER :
	    unit->reads;
}

/* NormalizeReduce of kube-scheduler 1.15: m = max(0, scores); scores become
 * max * score / m (when m is 0: unchanged, or all max if reversed), and
 * max - that if reversed. */
void normalize(int64_t max, int reverse, size_t n, int64_t *scores);

#endif
