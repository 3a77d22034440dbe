/*
 * A priority gives every node that fits a score; higher is better.  It keeps no
 * state between calls and never does I/O.
 */
#ifndef FRAMEWORK_PRIORITY_H
#define FRAMEWORK_PRIORITY_H

#include "base/sym.h"
#include "decide/framework/predicate.h"

/*
 * Results of prepare() after which none of the other members is called.
 *
 * PREP_SKIPPED: PreScore skips the plugin for this pod (release 36): it adds nothing
 * to totals and is not among the scores.
 *
 * PREP_UNIFORM(score): all nodes that fit get this final score, from 0 to 100,
 * whichever they are (of READS_NODE units: until a Node object changes).
 */
#define PREP_SKIPPED ((const void *)&prep_skipped)
#define PREP_UNIFORM(score) ((const void *)&prep_uniform[score])
#define UNIFORM_MAX 100
extern const char prep_skipped, prep_uniform[UNIFORM_MAX + 1];

static inline bool
prep_is_uniform(const void *prep, int64_t *score)
{
	uintptr_t at = (uintptr_t)prep - (uintptr_t)prep_uniform;

	*score = (int64_t)at;
	return at <= UNIFORM_MAX;
}

/*
 * A number of each node, by node index.  Between two decisions the numbers of nodes
 * to which pods were added or from which they were removed may differ; if others do,
 * the column has another version.
 */
struct node_column {
	const uint32_t *values;
	uint64_t version;
};

#define NODE_COLUMNS_MAX 4

struct priority {
	const char *name; /* as in policy.cfg */

	/* As in struct predicate, for prepare(), score() and reduce(), but reduce()
	 * always sees all nodes that fit; of READS_OBJECTS units aspects count, too.
	 * Pods whose preps are uniform, with one score, may differ in these aspects and
	 * share results. */
	unsigned reads;

	enum plugin_number plugin; /* as in struct predicate */

	/* Without it in the cluster the rule changes no answer, for the lint. */
	enum needs needs;
	/* Optional: with these arguments, NULL without. */
	enum needs (*needs_by)(const void *args);

	/* Optional; as in struct predicate, but NULL is an ordinary prep.
	 * Without it score() gets args as prep. */
	const void *(*prepare)(struct cycle *cycle, const void *args);

	/*
	 * Optional, of READS_CLUSTER units: the columns by which score() and
	 * reduce() distinguish nodes; returns how many, at most NODE_COLUMNS_MAX,
	 * 0 if there are no such columns.  So nodes that have the same numbers are
	 * scored together, from one decision to the next.
	 */
	size_t (*columns)(struct cycle *cycle, const void *prep,
	    struct node_column *columns);

	/* The raw score of one node.  On the scale 0 to profile->score_max when
	 * there is no reduce(). */
	int64_t (*score)(struct cycle *cycle, const struct node_info *node,
	    const void *prep);

	/* Optional: score() of all nodes of a block at once (cluster/columns.h).
	 * Scores of rows without a node are ignored, and of READS_NODE units those
	 * of COLUMN_ODD rows.  False: score() is called for every
	 * node. */
	bool (*score_block)(struct cycle *cycle,
	    const struct column_block *block, const void *prep,
	    int64_t *scores);

	/*
	 * Optional: turns the raw scores of the nodes that fit into scores from 0
	 * to profile->score_max.  There are n cells of nodes; those of one cell
	 * have the same raw score and the same numbers in the columns.  at: the
	 * index of one node of each cell; times: how many nodes it has, never 0.
	 * If all cells are alike, with raw scores of 0, the scores must be equal
	 * whatever their number.
	 */
	void (*reduce)(struct cycle *cycle, const void *prep, size_t n,
	    const uint32_t *at, const uint32_t *times, int64_t *scores);

	struct policy_names policy; /* without it no policy names the rule */
	struct counterpart convert; /* without it no plugin has the rule */
};

/*
 * The data that its scores depend on, for the cache: the scores of a
 * READS_OBJECTS unit are kept as parts of a sum, so with reduce(), which depends on
 * the nodes that fit, it is scored at each decision as a READS_CLUSTER unit is.
 */
static inline unsigned
priority_reads(const struct priority *unit)
{
	return (unit->reads & READS_OBJECTS) && unit->reduce != NULL ?
	    READS_CLUSTER :
	    unit->reads;
}

/* NormalizeReduce of kube-scheduler 1.15: m = max(0, scores); scores become
 * max * score / m (when m is 0: unchanged, or all max if reversed), and
 * max - that if reversed. */
void normalize(int64_t max, int reverse, size_t n, int64_t *scores);

#endif
