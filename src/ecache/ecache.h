/*
 * The equivalence cache: results kept from one decision to the next, so that the
 * cost of a decision depends on the changes since the last one, not on the size of
 * the cluster.
 *
 * Invariants:
 *	- Pods with the same signature (the aspects of a pod class that READS_NODE
 *	  units read, struct predicate's aspects) get the same results on every
 *	  node from these units until that node changes.  They share one struct
 *	  ecache_results: many replicas of one controller, or all pods of many Jobs.
 *	- Of units that also look at pods elsewhere the cache keeps, for each pod
 *	  class, preps that follow the change journal (framework/kept_prep.h).
 *	- Results are right up to a cursor of the change journal; only nodes that
 *	  have changed since are evaluated again: after one pod is placed, one node.
 *	- Decisions with and without the cache are the same (t/cluster/history.c).
 *
 * All nodes are partitioned into cells (partition.h).  Nodes of one cell have the
 * same outcome and, in the topologies that rules read, the same domains: rules
 * check one node of each.  Classes with the same signature share the partition,
 * except for classes whose rules about other pods distinguish nodes: each of
 * these has a partition of its own.
 *
 * A cache belongs to one cluster and one profile.
 */
#ifndef ECACHE_ECACHE_H
#define ECACHE_ECACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/queue.h>

#include "base/arena.h"
#include "base/map.h"
#include "cluster/journal.h"
#include "ecache/cut.h"
#include "ecache/partition.h"
#include "framework/verdict.h"

struct cluster;
struct cycle;
struct pod_class;
struct profile;
struct ecache;
struct cached_check;
struct object_scores;
struct cached_score;
struct eviction_tables;

/* The rules of the profile whose results the cache does not keep in full, by
 * number, in order: a decision asks no others. */
struct ecache_rules {
	/* Predicates that read more than the node. */
	size_t nbeyond;
	struct beyond_rule {
		uint32_t step;
		unsigned aspects; /* the predicate's */
	} * beyond;
	/* Priorities whose scores are not part of a node's total. */
	size_t nloose;
	uint32_t *loose;
};

/* The cached prep of a unit for a class. */
struct cached_prep {
	bool kept; /* prep is up to date */
	bool asks; /* READS_NODE: false if every node fits */
	bool idle; /* kept, and no change affects it */
	const void *prep;
};

/* The state of the cluster that results are up to date with. */
struct ecache_seen {
	struct cursor cursor;
	uint64_t objects, labels;
	uint32_t nnodes;
};

/* All nodes in cells, made at the second request. */
struct cached_partition {
	struct ecache_seen seen;
	bool wanted;
	/* Key part 0 is the number of the node's outcome, the others are domains
	 * and traits.  A key part is 0 for nodes that are refused at a step before
	 * the first that reads it. */
	struct partition partition;
	/* Nodes that are in no cell until the next decision. */
	uint32_t nexcluded;
	size_t excluded_cap;
	uint32_t *excluded;
};

/*
 * The outcome of the READS_NODE units on a node: the first element is 0 if it fits, or
 * fails_at | refusal << 8, where fails_at is 1 + the first step that refuses.
 * Then come raw scores, at raw_places[priority] (0: there is none); where nodes
 * are refused they are 0.
 */
struct node_outcomes {
	size_t width; /* numbers in one outcome */
	uint32_t n;
	size_t cap;
	int64_t *at;        /* n * width of them, each outcome once */
	int64_t *any;       /* of each number, the bits set in any outcome */
	struct map by_hash; /* -> number of the outcome + 1 */
	uint32_t last;      /* the number returned last */
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
	struct cached_prep *units, *predicates, *priorities;
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

	/* Σ weight × score of READS_OBJECTS priorities, which is part of the
	 * total; NULL: 0 for all nodes. */
	struct object_scores *objects;
	/* By node index: the total of the scores that need no reduce(), 0 for
	 * nodes that are refused; and the number of its outcome.  The first
	 * decision about a signature may be the last: before a second one, the
	 * next new signature takes the arrays over, and these are NULL. */
	bool evaluated; /* at least once, even if the arrays are NULL now */
	int32_t *total;
	uint32_t *outcome_of;
	struct node_outcomes outcomes;

	/* For classes whose rules about other pods distinguish no nodes. */
	struct cached_partition sorted;
};

struct ecache_class {
	const struct pod_class *class;
	struct ecache_results *results;
	uint64_t results_objects; /* cluster->objects, when it was found */
	TAILQ_ENTRY(ecache_class) by_use;
	bool unusable; /* as of results */
	size_t bytes;
	struct ecache_seen seen;

	/* As those of results, and the units that follow the journal, whose preps
	 * live in followers. */
	struct cached_prep *predicates, *priorities;
	struct arena followers;
	bool cannot_follow; /* keep() has failed for one of these units */
	/* The followers that are not idle. */
	size_t nactive;
	struct active_follower {
		uint32_t number;
		/* Pods of classes without these have no effect; 0: all have. */
		unsigned aspects;
	} * active;
	/* Serials of classes whose pods affect no follower, at serial % UNRELATED;
	 * NULL: none is known.  Where many classes alternate, most changes are of
	 * these. */
	uint64_t *unrelated;
	/* By how many topologies the followers distinguish nodes. */
	size_t ntopologies;

	/* Used if ntopologies > 0. */
	struct cached_partition own;
	struct cached_partition *sorted; /* own, or that of results */
	const size_t *raw_places;
	const struct ecache_rules *rules;
	/* No rule and no score distinguishes nodes of a cell. */
	bool complete;
	struct cached_prep units[];
};

static inline const int64_t *
outcome_at(const struct ecache_results *results, int64_t number)
{
	return &results->outcomes.at[(size_t)number * results->outcomes.width];
}

/* The first number of the node's outcome. */
static inline int64_t
ecache_state(const struct ecache_class *m, uint32_t at)
{
	return outcome_at(m->results, m->results->outcome_of[at])[0];
}

/* The verdict of the READS_NODE predicates on the node. */
static inline enum verdict
ecache_verdict(const struct ecache_class *m, uint32_t at)
{
	int64_t state = ecache_state(m, at);

	return state == 0 ? FITS : m->results->refusals[state >> 8].verdict;
}

/* Whether the priority, one of the loose ones, cannot distinguish any two nodes. */
bool ecache_is_uniform(const struct ecache_class *m, size_t priority);

static inline uint8_t
state_fails_at(int64_t state)
{
	return (uint8_t)state;
}

/* Whether no step up to this one refuses nodes with this state. */
static inline bool
state_passes(int64_t state, size_t step)
{
	uint8_t fails_at = state_fails_at(state);

	return fails_at == 0 || step + 1 < fails_at;
}

static inline const struct node_verdict *
ecache_refusal(const struct ecache_class *m, int64_t state)
{
	return &m->results->refusals[state >> 8];
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
 * For decide(): the up-to-date results of the cycle's pod class; NULL if this pod's
 * results cannot be kept.  Valid until the next call.
 */
struct ecache_class *ecache_class_of(struct ecache *ecache,
    struct cycle *cycle);

/*
 * For decide() and preempt() when the cycle was cancelled: drops the class with
 * all others of its signature, as their shared results may be incomplete.
 */
void ecache_abandon(struct ecache *ecache, struct ecache_class *m);

/*
 * The partition of the class, if it is worth keeping: the first decision about a
 * class may be the last.  NULL: ecache_cut() makes one for this decision.
 */
const struct partition *ecache_partition(struct ecache *ecache,
    struct ecache_class *m, struct cycle *cycle);

/* As cut_nodes().  NULL: each node has to be asked, or the cycle was cancelled. */
struct cut *ecache_cut(struct ecache *ecache, const struct ecache_class *m,
    struct cycle *cycle, const uint32_t *excluded, struct cut_by by);

/* All nodes in order of their names' hashes. */
const uint32_t *ecache_order(struct ecache *ecache);

/* Takes the node out of its cell until the next call of ecache_class_of(). */
void ecache_exclude(struct ecache *ecache, struct ecache_class *m, uint32_t at);

#endif
