/*
 * The equivalence cache: results kept from one decision to the next, so that the
 * cost of a decision depends on the changes since the last one, not on the size of
 * the cluster.
 *
 * Invariants:
 *	- Pods with the same signature (the aspects of a pod class that READS_NODE
 *	  units read, struct predicate) get the same results on every
 *	  node from these units until that node changes.  They share one struct
 *	  ecache_results: many replicas of one controller, or all pods of many Jobs.
 *	- Results are right up to a cursor of the change journal; only nodes that
 *	  have changed since are evaluated again: after one pod is placed, one node.
 *	  Nodes to which pods are nominated are evaluated again for a pod of another
 *	  priority, and a pod's own nominated node before and after it.
 *	- Decisions with and without the cache are the same (t/cluster/history.c).
 *
 * Of the second decision of one kind on, all nodes are partitioned into cells
 * (partition.h): nodes of one cell have equal results and, in the columns by which
 * priorities about other pods distinguish nodes (struct priority's columns), equal
 * numbers.  Classes without such columns share the partition of their signature,
 * others have one of their own.
 *
 * A cache belongs to one cluster and one profile.
 */
#ifndef ECACHE_ECACHE_H
#define ECACHE_ECACHE_H

#include <sys/queue.h>

#include "base/arena.h"
#include "base/map.h"
#include "cluster/journal.h"
#include "decide/ecache/partition.h"
#include "decide/framework/priority.h"
#include "decide/framework/verdict.h"

struct cluster;
struct cycle;
struct profile;
struct ecache;
struct cached_check;
struct object_scores;
struct cached_score;
struct eviction_tables;

/* The rules of the profile whose results the cache does not keep in full, by
 * number, in order: a decision runs no others. */
struct ecache_rules {
	/* Predicates that read more than the node. */
	size_t npredicates;
	struct uncached_predicate {
		uint32_t step;
		unsigned aspects; /* the predicate's */
	} * predicates;
	/* Priorities whose scores are not part of a node's total. */
	size_t npriorities;
	uint32_t *priorities;
};

/* The cached prep of a READS_NODE unit. */
struct cached_prep {
	bool applies; /* false: every node fits */
	const void *prep;
};

/* The state of the cluster that results are up to date with; and the pod's priority and
 * own nominated node, on which results depend where pods are nominated to a node. */
struct ecache_seen {
	struct cursor cursor;
	uint64_t objects;
	uint32_t nnodes;
	int32_t priority;
	uint32_t own; /* an index, or NODE_INDEX_NONE */
};

/* The most columns that a partition has. */
#define PARTITION_COLUMNS_MAX 8

/* All nodes in cells, made at the second request with the same columns. */
struct cached_partition {
	bool wanted;
	size_t ncolumns;
	struct node_column columns[PARTITION_COLUMNS_MAX];
	struct ecache_seen seen;
	/* Key part 0 is the node's state; then come its raw scores and its numbers
	 * in the columns.  Those are 0 where the node is refused. */
	struct partition partition;
};

/* The results that classes with one signature share. */
struct ecache_results {
	unsigned refs; /* of classes */
	/* The first of these classes: preps may point into it. */
	const struct pod_class *class;
	uint64_t hash; /* of the key, on which all results depend */
	size_t key_len;
	void *key;
	bool unusable; /* a rule failed: no results */
	size_t bytes;  /* approximate size */
	struct ecache_seen seen;

	/* By step of the profile's predicates and by its priorities, with preps
	 * of READS_NODE units, which live in arena. */
	struct arena arena;
	struct cached_prep *predicates, *priorities;
	/* The units that may refuse a node, or score nodes differently. */
	size_t nchecks, nscores;
	bool slow; /* one of them has no block form for this class */
	struct cached_check *checks;
	struct cached_score *scores;
	/* The part of the totals that is the same for all nodes. */
	int64_t uniform_total;

	/* Distinct refusals; first_reason counts from the start of why. */
	size_t nrefusals, refusals_cap;
	struct node_verdict *refusals;
	struct why why;
	struct why checked; /* of the node that is checked now */

	/* Σ weight × score of READS_OBJECTS priorities, which is part of the
	 * total; NULL: 0 for all nodes. */
	struct object_scores *objects;

	/* By node index, to the end of the last block of columns.h.  The state: 0
	 * if no READS_NODE predicate refuses the node, else 1 + the number of the
	 * refusal.  The total of the scores that need no reduce(); raw scores of the
	 * others by ecache->raw_places, NULL: 0 for all.  All 0 where the node is
	 * refused. */
	uint32_t *state;
	int32_t *total;
	size_t nraw;
	int64_t **raw;

	/* For classes without columns. */
	struct cached_partition shared;
};

struct ecache_class {
	const struct pod_class *class;
	struct ecache_results *results;
	uint64_t results_objects; /* cluster->objects, when it was found */
	TAILQ_ENTRY(ecache_class) by_use;
	size_t bytes;
	const size_t *raw_places;
	const struct ecache_rules *rules;
	/* Used if there are columns; and that of the current decision. */
	struct cached_partition own, *sorted;
};

/* The refusal of the node by READS_NODE predicates, NULL: it fits. */
static inline const struct node_verdict *
ecache_refusal(const struct ecache_class *m, uint32_t at)
{
	uint32_t state = m->results->state[at];

	return state == 0 ? NULL : &m->results->refusals[state - 1];
}

/* 96 MiB, or 4 KiB for each node if that is more: room for about six hundred classes
 * on five thousand nodes, and the eviction costs of a hundred. */
#define ECACHE_BYTES_DEFAULT 0

/* max_bytes: about how much it may grow to, a quarter of it for preemption's
 * costs; at least the class in use is kept.  The cluster and the profile must
 * outlive it. */
struct ecache *ecache_new(struct cluster *cluster,
    const struct profile *profile, size_t max_bytes);
void ecache_free(struct ecache *ecache); /* NULL is fine */

/* Approximate bytes in use, for tests and metrics. */
size_t ecache_bytes(const struct ecache *ecache);

/* The approximate size that it may grow to with the current nodes. */
size_t ecache_max_bytes(const struct ecache *ecache);

/* For preempt(). */
struct eviction_tables *ecache_evictions(struct ecache *ecache);

/* By the profile's priorities: the weight.  Entries with one rule and one argument
 * are summed up in the first of them; the others have 0. */
const int64_t *ecache_weights(const struct ecache *ecache);

/*
 * For decide(): the results of the cycle's pod class, with up-to-date states and
 * totals; NULL if this pod's results cannot be kept.  Valid until the next call.
 */
struct ecache_class *ecache_class_of(struct ecache *ecache,
    struct cycle *cycle);

/*
 * For decide() and preempt() when the cycle was cancelled: drops the class with
 * all others of its signature, as their shared results may be incomplete.
 */
void ecache_abandon(struct ecache *ecache, struct ecache_class *m);

/*
 * The up-to-date partition of the class, with these columns, n of them.  NULL: it is
 * not worth making yet, as the first decision of a kind may be the last; or the
 * cycle was cancelled.
 */
const struct partition *ecache_partition(struct ecache *ecache,
    struct ecache_class *m, struct cycle *cycle, size_t n,
    const struct node_column *columns);

#endif
