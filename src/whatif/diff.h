/*
 * Two sets of profiles, OLD and NEW, on one cluster.
 *
 * All pods that may move are taken off their nodes and placed again in the order of
 * the queue, by OLD; before each one NEW is asked, too, about the same cluster and
 * with the same seed.  So every difference has its own cause, and none is the
 * consequence of another.  Then NEW places all of them by itself, for its balance.
 */
#ifndef WHATIF_DIFF_H
#define WHATIF_DIFF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/sym.h"
#include "whatif/balance.h"

struct decision;
struct whatif;
struct pod;

/* Differences whose rule is looked for: that takes scoring every node twice. */
#define DIFF_EXPLAINED 200

struct diff_pod {
	const struct pod *pod; /* as it was; owned by the diff */
	struct pod *lifted;    /* as it waits; owned, or NULL */
	/* SYM_NONE: none. */
	sym now, old_node, new_node;
	/* Of one that differs: the rule that tips it, and why in a sentence; NULL
	 * when it was not looked for or cannot be found. */
	const char *rule, *why;
};

/* A rule and how many of the explained differences it tips. */
struct diff_rule {
	const char *name;
	uint32_t pods;
};

struct diff {
	struct arena arena;
	size_t ndecided; /* pods, or times that a pod was decided about */
	size_t npods, pods_cap;
	struct diff_pod *pods; /* of them, all or those that differ, in order */
	size_t nfixed;         /* pods that stay on their nodes */
	/* Counts of pods: other nodes; no node with NEW; no node with OLD. */
	size_t nelsewhere, nunschedulable, nschedulable;
	size_t nexplained;
	size_t nrules, rules_cap;
	struct diff_rule *rules; /* the most pods first */
	/* After all have been placed by one alone. */
	struct balance old_balance, new_balance;
	size_t old_placed, new_placed;
};

/*
 * Each asks a cluster of its own, which are equal: a profile's release changes how
 * a cluster counts.  The n pods are those of the cluster, running ones and pending
 * ones.  Afterwards they are where the last replay has put them.
 */
void diff_find(struct diff *d, struct whatif *old, struct whatif *new, size_t n,
    struct pod *const *pods);
void diff_fini(struct diff *d);

/*
 * For callers that decide themselves: fills p's nodes from both decisions (NULL: no
 * profile serves the pod), and why they differ, and counts that; true if they do.
 * Both are about the last pod of each whatif.
 */
bool diff_compare(struct diff *d, struct diff_pod *p, struct whatif *old,
    const struct decision *before, struct whatif *new,
    const struct decision *after);
/* The same; adds the pod if they differ. */
void diff_add(struct diff *d, const struct pod *pod, struct whatif *old,
    const struct decision *before, struct whatif *new,
    const struct decision *after);
/* All have been compared. */
void diff_sort_rules(struct diff *d);

/* ---- its parts ---- */

/* The rule that tips the decision, and why in a sentence; NULL: none can be found,
 * such as in a tie. */
struct tip {
	const char *rule, *why;
};

/*
 * OLD's and NEW's cycles are about the same pod, with the same seed (whatif_begin()),
 * on equal clusters or the same one; they are decided again, without cached results.  The texts live in the
 * arena or as long as the profiles.
 */
struct tip tip_find(struct whatif *old, struct whatif *new,
    struct arena *arena);

/*
 * A cluster as one set of profiles would fill it: all pods that may move are taken
 * off their nodes and placed again in the order of the queue.
 */
struct refill {
	struct arena arena;
	size_t npods;        /* that may move */
	struct pod **lifted; /* owned, in the order of the queue */
	size_t nfixed;       /* pods that stay on their nodes */
	size_t nplaced;
	struct balance balance; /* afterwards */
};

/* The n pods are those of the cluster, running ones and pending ones.  Afterwards
 * they are where the replay has put them. */
void refill_find(struct refill *r, struct whatif *w, size_t n,
    struct pod *const *pods);
void refill_fini(struct refill *r);

#endif
