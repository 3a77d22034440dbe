/*
 * Two sets of profiles, OLD and NEW, on one cluster.
 *
 * All pods that may move are taken off their nodes and placed again in the order of
 * the queue, by OLD; then likewise by NEW.  Among equally good nodes a pod stays where
 * it was: with OLD on its node now, with NEW on OLD's.
 *
 * Of each pod that NEW places elsewhere the cause is found by asking NEW about the
 * cluster as OLD had it when it placed that pod: if the pod leaves there, too, a rule
 * is the cause, otherwise the pods that were placed elsewhere before it.
 *
 * Where no node is the one to stay on, the seed picks; so all is done again with other
 * seeds, and a pod that stays with some of them moves by chance.
 */
#ifndef WHATIF_DIFF_H
#define WHATIF_DIFF_H

#include "base/arena.h"
#include "base/sym.h"
#include "explain/whatif/balance.h"

struct decision;
struct whatif;
struct pod;

/* Differences whose rule is looked for: that takes scoring every node twice. */
#define DIFF_EXPLAINED 200

/* By default with so many seeds where pods times nodes are few, otherwise with one. */
#define DIFF_SEEDS 3
#define DIFF_FEW 10000000

enum diff_cause {
	DIFF_MOVED, /* any */
	DIFF_RULE,
	DIFF_KNOCK_ON, /* pods before it take room, or leave some */
	DIFF_CHANCE,   /* likewise, but not with every seed */
	DIFF_CAUSES,
};

/* "rule", "knock-on" or "chance". */
const char *diff_cause_name(enum diff_cause cause);

/* Pods that move; mean and deviation over all seeds, of DIFF_MOVED and DIFF_RULE. */
struct diff_count {
	size_t pods;
	double mean, deviation;
};

struct diff_pod {
	const struct pod *pod; /* as it was; owned by the diff */
	struct pod *lifted;    /* as it waits; owned, or NULL */
	/* SYM_NONE: none. */
	sym now, old_node, new_node;
	/* Of one that differs. */
	enum diff_cause cause;
	uint32_t nseeds; /* with which it moves */
	/* Likewise: the rule that tips it, and why in a sentence; NULL when it was
	 * not looked for or cannot be found. */
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
	struct diff_count causes[DIFF_CAUSES];
	uint32_t nseeds;
	size_t nexplained; /* of those that a rule moves */
	size_t nrules, rules_cap;
	struct diff_rule *rules; /* the most pods first */
	/* When each has placed all pods. */
	struct balance old_balance, new_balance;
	size_t old_placed, new_placed;
};

/*
 * Each asks a cluster of its own, which are equal: a profile's release changes how
 * a cluster counts.  The n pods are those of the cluster, running ones and pending
 * ones.  Afterwards they are where OLD and NEW have put them.  nseeds: with how many
 * seeds; 0: as many as take little time.
 */
void diff_find(struct diff *d, struct whatif *old, struct whatif *new, size_t n,
    struct pod *const *pods, uint32_t nseeds);
/* The same with OLD alone: what is about NEW is empty. */
void diff_place_old(struct diff *d, struct whatif *old, size_t n,
    struct pod *const *pods);
void diff_fini(struct diff *d);

/*
 * For callers that decide themselves: compares two decisions about the pod (NULL: no
 * profile serves it), the last ones of each whatif, and adds it if they differ.
 */
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
 * on equal clusters or the same one; they are decided again, without cached
 * results.  The texts live in the arena or as long as the profiles.
 */
struct tip tip_find(struct whatif *old, struct whatif *new,
    struct arena *arena);
/* The priority that speaks most for node b over node a, by a decision of
 * whatif_decide_again(); NULL: none does. */
const char *tip_between(const struct whatif *w, const struct decision *d, sym a,
    sym b);

#endif
