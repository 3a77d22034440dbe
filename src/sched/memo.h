/*
 * Results kept per pod class, so that a decision costs what has changed since
 * the last one, not what the cluster holds.
 *
 * Pods of one class get the same answers from rules that look at nothing but the
 * node (READS_NODE; for priorities also those that count the node's pods of
 * certain classes) until that node changes.  A memo keeps these answers for every
 * class it has seen and every node, and works out again only those of nodes that
 * changed: after one pod is placed, one node.
 *
 * The nodes that fit are sorted into groups of nodes that no reduce() can tell
 * apart: those with equal raw scores, in the same domains.  Within a group nodes
 * differ by the sum of their other scores alone, and are in buckets by it:
 *
 *	group {raw scores, domains}    ── reduce() sees one node of each group
 *	   └─ bucket {sum of the scores that need no reduce()}, the highest first
 *	        └─ nodes, in order of their names' hashes
 *
 * So the best nodes are the first buckets of the groups with the highest total,
 * and neither scoring nor choosing among equals looks at every node.
 *
 * A memo belongs to one cluster and one profile.  Decisions with and without it
 * are the same, and a test holds us to it.
 */
#ifndef SCHED_MEMO_H
#define SCHED_MEMO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/map.h"
#include "sched/decide.h"
#include "sched/verdict.h"

struct cluster;
struct profile;
struct memo;
struct outlooks;
struct topology;

/* A priority with a reduce() whose raw scores are kept. */
struct memo_column {
	int64_t *raw; /* by node index; NULL: not kept, or not of this kind */
	sym alike;    /* SYM_EMPTY: reduce() looks at raw scores alone */
	const struct topology *topology; /* of alike, NULL for none */
	/* What counted() gave when the raw scores were worked out. */
	size_t nclasses, classes_cap;
	const struct pod_class **classes;
};

struct memo_bucket {
	int64_t total;
	uint32_t n;
	size_t cap;
	uint32_t *nodes;
};

struct memo_group {
	uint32_t n; /* nodes in all buckets */
	int64_t *raw;      /* by priority; unused where nothing is kept */
	uint32_t *domains; /* likewise */
	uint32_t nbuckets;
	size_t cap;
	struct memo_bucket *buckets; /* highest total first, none empty */
};

#define MEMO_GROUP_NONE UINT32_MAX

struct memo_class {
	const struct pod_class *class;
	bool unusable; /* a rule failed: nothing is kept */
	uint64_t used; /* when it was last, for the choice of whom to drop */

	/* Up to where the results below are right. */
	uint64_t changes, layout, objects;
	uint32_t nnodes, cap;

	/* By step of the profile's predicates and by its priorities: what
	 * prepare() gave for READS_NODE units; of the class's own arena. */
	struct arena arena;
	const void **predicate_prep;
	bool *predicate_asks;
	const void **priority_prep;

	/* By node index: 1 + the first READS_NODE step that refuses, 0 for none,
	 * and which of the refusals it was. */
	uint8_t *fails_at;
	uint16_t *refusal;
	uint32_t nfits; /* nodes that no READS_NODE step refuses */
	/* Distinct refusals, and how many nodes each has now; first_reason
	 * counts from the start of why. */
	size_t nrefusals, refusals_cap, refused_cap;
	struct node_verdict *refusals;
	uint32_t *refused;
	struct why why;

	/* By node index: Σ weight × score of READS_NODE priorities without
	 * reduce(), and of READS_OBJECTS ones. */
	int64_t *node_total;
	int64_t *objects_total;
	struct memo_column *columns; /* by the profile's priorities */

	/* Groups; node_group is by node index, MEMO_GROUP_NONE for nodes that do
	 * not fit.  scattered: there are so many groups that they do not pay. */
	bool scattered;
	uint32_t ngroups, nempty;
	size_t groups_cap;
	struct memo_group **groups;
	struct map group_of; /* hash of raw scores and domains -> group + 1 */
	uint32_t *node_group;
	int64_t *node_bucket; /* the total of the bucket that it is in */
};

/* Some four hundred classes on five thousand nodes, and what preemption would
 * find for a hundred. */
#define MEMO_BYTES_DEFAULT ((size_t)96 << 20)

/* max_bytes: about how much it may grow to, a quarter of it for preemption's
 * outlooks; at least the class in use is kept.  The cluster and the profile must outlive it. */
struct memo *memo_new(struct cluster *cluster, const struct profile *profile,
    size_t max_bytes);
void memo_free(struct memo *memo); /* NULL is fine */

/* Bytes in use, about, for tests and metrics. */
size_t memo_bytes(const struct memo *memo);

/* For preempt(). */
struct outlooks *memo_outlooks(struct memo *memo);

/* Whether the profile's priority is one whose raw scores are kept. */
bool memo_keeps_raw(const struct profile *profile, size_t priority);

/*
 * For decide(): what is known of the class of the cycle's pod, brought up to
 * date; NULL when this pod's results cannot be kept.  preps: by the profile's
 * priorities, what prepare() gave in this cycle for those that count pods.
 * Valid until the next call.
 */
const struct memo_class *memo_class_of(struct memo *memo, struct cycle *cycle,
    const void **preps);

/* The i-th (from 0) of all the nodes in these n buckets, in order of their names'
 * hashes. */
uint32_t memo_pick(const struct cluster *cluster,
    const struct memo_bucket *const *buckets, size_t n, uint32_t i);

#endif
