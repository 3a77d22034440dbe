/*
 * Results kept per pod class, so that a decision costs what has changed since
 * the last one, not what the cluster holds.
 *
 * Pods of one class get the same answers from rules that look at nothing but the
 * node (READS_NODE) until that node changes.  A memo keeps these answers for every
 * class it has seen and every node, and works out again only those of nodes that
 * changed: after one pod is placed, one node.  Of rules that also look at pods
 * elsewhere it keeps preps that follow these pods (following.h).
 *
 * All nodes are sorted into groups of nodes that no rule and no reduce() can tell
 * apart.  Within a group nodes that fit differ by the sum of their other scores
 * alone, and are in buckets by it:
 *
 *	group {refusal, raw scores, traits, domains}  ── rules see one node of each
 *	   └─ bucket {sum of the scores that need no reduce()}, the highest first
 *	        └─ nodes, in order of their names' hashes
 *
 * So the best nodes are the first buckets of the groups with the highest total,
 * and neither filtering nor scoring nor choosing among equals looks at every node.
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
#include "sched/decide.h"
#include "sched/memo_groups.h"
#include "sched/verdict.h"

struct cluster;
struct profile;
struct memo;
struct memo_check;
struct memo_score;
struct outlooks;

/* What is kept of a unit for a class. */
struct memo_unit {
	bool kept; /* prep is right */
	bool asks; /* READS_NODE: false if it has nothing to say */
	const void *prep;
	size_t ntopologies; /* when groups were made */
};

struct memo_class {
	const struct pod_class *class;
	bool unusable; /* a rule failed: nothing is kept */
	uint64_t used; /* when it was last, for the choice of whom to drop */
	size_t bytes;  /* that it takes, about */

	/* Up to where the results below are right. */
	uint64_t changes, layout, objects, labels;
	uint32_t nnodes;

	/* By step of the profile's predicates and by its priorities; preps of
	 * READS_NODE units live in arena, those that follow in followers. */
	struct arena arena, followers;
	struct memo_unit *predicates, *priorities;
	bool lost; /* a unit that should follow cannot now */
	/* The READS_NODE units that have something to say. */
	size_t nchecks, nscores;
	struct memo_check *checks;
	struct memo_score *scores;
	/* What others, the same for all nodes, are in the nodes' totals. */
	int64_t uniform_total;

	/* Distinct refusals; first_reason counts from the start of why. */
	size_t nrefusals, refusals_cap;
	struct node_verdict *refusals;
	struct why why;

	/* By node index: Σ weight × score of READS_OBJECTS priorities, which is
	 * part of the nodes' totals. */
	int32_t *objects_total;

	/*
	 * Slot 0 of the keys is what READS_NODE predicates say: 0 if the node
	 * fits, or fails_at | refusal << 8, where fails_at is 1 + the first step
	 * that refuses.  Then come raw scores, at raw_slots[priority] (0: there
	 * is none).  What only later steps or scores look at is 0 in nodes that
	 * are refused, and so is their total.
	 */
	struct memo_groups groups;
	const size_t *raw_slots;
	/* Nodes of a group are the same to all rules and scores. */
	bool complete;
	/* Nodes that are in no group until the next decision. */
	uint32_t napart;
	size_t apart_cap;
	uint32_t *apart;
};

/* What is known of the node, which is not set apart: slot 0. */
static inline int64_t
memo_state(const struct memo_class *m, uint32_t at)
{
	return m->groups.at[m->groups.of[at]]->key[0];
}

/* Whether READS_NODE predicates let the pod on the node, likewise. */
static inline enum verdict
memo_verdict(const struct memo_class *m, uint32_t at)
{
	int64_t state = memo_state(m, at);

	return state == 0 ? FITS : m->refusals[state >> 8].verdict;
}

static inline uint8_t
memo_fails_at(int64_t state)
{
	return (uint8_t)state;
}

static inline const struct node_verdict *
memo_refusal(const struct memo_class *m, int64_t state)
{
	return &m->refusals[state >> 8];
}

/* 96 MiB, or 4 KiB for each node where that is more: some six hundred classes on
 * five thousand nodes, and what preemption would find for a hundred. */
#define MEMO_BYTES_DEFAULT 0

/* max_bytes: about how much it may grow to, a quarter of it for preemption's
 * outlooks; at least the class in use is kept.  The cluster and the profile must
 * outlive it. */
struct memo *memo_new(struct cluster *cluster, const struct profile *profile,
    size_t max_bytes);
void memo_free(struct memo *memo); /* NULL is fine */

/* Bytes in use, about, for tests and metrics. */
size_t memo_bytes(const struct memo *memo);

/* What it may grow to with the nodes that there are. */
size_t memo_max_bytes(const struct memo *memo);

/* For preempt(). */
struct outlooks *memo_outlooks(struct memo *memo);

/* By the profile's priorities: the weight, with that of later entries that say
 * the same, whose own is then 0. */
const int64_t *memo_weights(const struct memo *memo);

/*
 * For decide(): what is known of the class of the cycle's pod, brought up to
 * date; NULL when this pod's results cannot be kept.  Valid until the next call.
 */
struct memo_class *memo_class_of(struct memo *memo, struct cycle *cycle);

/* Takes the node out of its group until the next call of memo_class_of(). */
void memo_set_apart(struct memo *memo, struct memo_class *m, uint32_t at);

#endif
