/*
 * Results kept from one decision to the next, so that a decision costs what has
 * changed since the last one, not what the cluster holds.
 *
 * Pods of one class get the same answers from rules that look at nothing but the
 * node (READS_NODE) until that node changes.  So do pods of classes that differ
 * in nothing that these rules look at (struct predicate's aspects), such as those
 * of many Jobs: such classes are kin.  A memo keeps these answers for all kin it
 * has seen and every node, and works out again only those of nodes that changed:
 * after one pod is placed, one node.  Of rules that also look at pods elsewhere
 * it keeps, for each class, preps that follow these pods
 * (framework/following.h).
 *
 * All nodes are sorted into groups of nodes that no rule and no reduce() can tell
 * apart.  Within a group nodes that fit differ by the sum of their other scores
 * alone, and are in buckets by it:
 *
 *	group {answer, traits, domains}  ── rules see one node of each
 *	   └─ bucket {sum of the scores that need no reduce()}, the highest first
 *	        └─ nodes, in order of their names' hashes
 *
 * So the best nodes are the first buckets of the groups with the highest total,
 * and neither filtering nor scoring nor choosing among equals looks at every node.
 * Kin share their groups, too, but for classes whose rules about other pods tell
 * nodes apart: each of these has groups of its own.
 *
 * A memo belongs to one cluster and one profile.  Decisions with and without it
 * are the same, and a test holds us to it.
 */
#ifndef ECACHE_MEMO_H
#define ECACHE_MEMO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/queue.h>

#include "base/arena.h"
#include "base/map.h"
#include "cluster/journal.h"
#include "ecache/cut.h"
#include "ecache/memo_groups.h"
#include "framework/verdict.h"

struct cluster;
struct cycle;
struct pod_class;
struct profile;
struct memo;
struct memo_check;
struct memo_objects;
struct memo_score;
struct outlooks;

/* What is kept of a unit for a class. */
struct memo_unit {
	bool kept; /* prep is right */
	bool asks; /* READS_NODE: false if it has nothing to say */
	bool idle; /* it follows, but need not be told of anything */
	const void *prep;
};

/* Up to where results are right. */
struct memo_seen {
	struct cursor cursor;
	uint64_t objects, labels;
	uint32_t nnodes;
};

/* All nodes in groups, once that is wanted for the second time. */
struct memo_sorting {
	struct memo_seen seen;
	bool wanted;
	/* Slot 0 of the keys is the number of the node's answer, the others are
	 * domains and traits.  What only later steps than the one that refuses a
	 * node look at is 0 there. */
	struct memo_groups groups;
	/* Nodes that are in no group until the next decision. */
	uint32_t napart;
	size_t apart_cap;
	uint32_t *apart;
};

/*
 * What the READS_NODE units say of a node: the first element is 0 if it fits, or
 * fails_at | refusal << 8, where fails_at is 1 + the first step that refuses.
 * Then come raw scores, at raw_slots[priority] (0: there is none); where nodes
 * are refused they are 0.
 */
struct memo_answers {
	size_t width; /* numbers in one answer */
	uint32_t n;
	size_t cap;
	int64_t *at;        /* n * width of them, each answer once */
	struct map by_hash; /* -> number of the answer + 1 */
	uint32_t last;      /* that was asked for */
};

/* What classes that are kin have in common. */
struct memo_kin {
	unsigned refs; /* of classes */
	/* The first of them: preps may point into it. */
	const struct pod_class *class;
	uint64_t hash; /* of the key: what all that is kept depends on */
	size_t key_len;
	void *key;
	bool unusable; /* a rule failed: nothing is kept */
	size_t bytes;  /* that it takes, about */
	struct memo_seen seen;

	/* By step of the profile's predicates and by its priorities, with preps
	 * of READS_NODE units, which live in arena. */
	struct arena arena;
	struct memo_unit *units, *predicates, *priorities;
	/* The units that have something to say. */
	size_t nchecks, nscores;
	bool dear; /* one of them is asked node by node */
	struct memo_check *checks;
	struct memo_score *scores;
	/* What others, the same for all nodes, are in the nodes' totals. */
	int64_t uniform_total;

	/* Distinct refusals; first_reason counts from the start of why. */
	size_t nrefusals, refusals_cap;
	struct node_verdict *refusals;
	struct why why;

	/* Σ weight × score of READS_OBJECTS priorities, which is part of the
	 * total; NULL: 0 for all nodes. */
	struct memo_objects *objects;
	/* By node index: the total of the scores that need no reduce(), 0 for
	 * nodes that are refused; and the number of its answer. */
	int32_t *total;
	uint32_t *answer_of;
	struct memo_answers answers;

	/* For classes that tell nodes apart by nothing more. */
	struct memo_sorting sorting;
};

struct memo_class {
	const struct pod_class *class;
	struct memo_kin *kin;
	uint64_t kin_objects; /* cluster->objects, when it was found */
	TAILQ_ENTRY(memo_class) by_use;
	bool unusable; /* as of kin */
	size_t bytes;
	struct memo_seen seen;

	/* As those of kin, and with what follows, whose preps live in
	 * followers. */
	struct memo_unit *predicates, *priorities;
	struct arena followers;
	bool lost; /* a unit that should follow cannot now */
	/* By how many topologies those that follow tell nodes apart. */
	size_t ntopologies;

	/* If by any, the class has a sorting of its own. */
	struct memo_sorting own;
	struct memo_sorting *sorting; /* own, or that of kin */
	const size_t *raw_slots;
	/* Nodes of a group are the same to all rules and scores. */
	bool complete;
	struct memo_unit units[];
};

static inline const int64_t *
memo_answer(const struct memo_kin *kin, int64_t number)
{
	return &kin->answers.at[(size_t)number * kin->answers.width];
}

/* What is known of the node. */
static inline int64_t
memo_state(const struct memo_class *m, uint32_t at)
{
	return memo_answer(m->kin, m->kin->answer_of[at])[0];
}

/* Whether READS_NODE predicates let the pod on the node. */
static inline enum verdict
memo_verdict(const struct memo_class *m, uint32_t at)
{
	int64_t state = memo_state(m, at);

	return state == 0 ? FITS : m->kin->refusals[state >> 8].verdict;
}

static inline uint8_t
memo_fails_at(int64_t state)
{
	return (uint8_t)state;
}

static inline const struct node_verdict *
memo_refusal(const struct memo_class *m, int64_t state)
{
	return &m->kin->refusals[state >> 8];
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

/*
 * For decide() and preempt() when the cycle was cancelled: drops the class with
 * all others of its kin, as what they share may be half made.
 */
void memo_abandon(struct memo *memo, struct memo_class *m);

/*
 * The partition of the class, if it is worth keeping: the first decision about a
 * class may be the last.  NULL: memo_cut() makes one for this decision.
 */
const struct memo_groups *memo_partition(struct memo *memo,
    struct memo_class *m, struct cycle *cycle);

/* As cut_nodes().  NULL: each node has to be asked, or the cycle was cancelled. */
struct cut *memo_cut(struct memo *memo, const struct memo_class *m,
    struct cycle *cycle, const uint32_t *excluded, struct cut_by by);

/* All nodes in order of their names' hashes. */
const uint32_t *memo_order(struct memo *memo);

/* Takes the node out of its group until the next call of memo_class_of(). */
void memo_set_apart(struct memo *memo, struct memo_class *m, uint32_t at);

#endif
