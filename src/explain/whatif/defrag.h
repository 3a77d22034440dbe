/*
 * The fewest moves of running pods after which a pod that waits fits.
 *
 * A move takes a pod off its node and puts it on another, where it fits at that time.
 * No pod is moved twice, no PodDisruptionBudget has more of its pods moved than it
 * allows disruptions now.
 *
 * First all single moves are tried, then a heuristic looks for a plan of any length,
 * then all plans of 2, 3, … moves are tried until one is found, or they are as long as
 * the heuristic's.  A plan is a tree: the pod goes to a node from which some pods have
 * to go, each of these to a node from which others have to go, and so on; so a pod is
 * only moved to make room.  Rules about other pods may have plans that are none of
 * these, and then no plan is called minimal.
 */
#ifndef WHATIF_DEFRAG_H
#define WHATIF_DEFRAG_H

#include "base/arena.h"
#include "base/sym.h"

struct whatif;
struct pod;
struct pod_disruption_budget;

#define DEFRAG_MOVES 10 /* by default */
#define DEFRAG_MOVES_MOST 100

struct defrag_move {
	struct pod *pod; /* as it was; owned */
	sym from, to;
	/* The node that the scheduler chooses at that time if the old one is
	 * cordoned; SYM_NONE: none. */
	sym preferred;
	const struct pod_disruption_budget *budget; /* or NULL */
};

/* How far the search is. */
struct defrag_progress {
	uint32_t trying; /* plans of so many moves; 0: the heuristic */
	uint32_t best;   /* moves of the best plan so far; 0: none */
	uint64_t asked;  /* how often whether a pod fits on a node */
};

struct defrag_ask {
	const struct pod *pod; /* on no node, and not in the cluster */
	uint32_t max_moves;    /* 1 to DEFRAG_MOVES_MOST */
	bool force;            /* whoever the API server evicts may move */
	/* Called now and then; false stops the search.  NULL: it goes on. */
	bool (*go_on)(void *arg, const struct defrag_progress *progress);
	void *arg;
};

struct defrag {
	struct arena arena;
	const char *message; /* why the pod fits nowhere now; NULL: it fits */
	/* Where it goes after the moves; SYM_NONE: no plan was found. */
	sym node;
	size_t nmoves;
	struct defrag_move *moves; /* in their order */
	size_t nmovable;           /* pods that may be moved */
	/* All plans of up to so many moves were tried. */
	uint32_t searched;
	/* There is no plan with fewer moves; or, if none was found, none with up
	 * to max_moves. */
	bool proven;
	bool stopped;
	/* The rule about other pods that keeps it from being proven, or NULL. */
	const char *other_pods;
	/* Moves of the shortest plan that ends well and whose moves fit in no
	 * order; 0: none was met. */
	uint32_t circular;
	uint64_t asked;
};

/* Fills *d.  Afterwards the cluster is as it was. */
void defrag_find(struct defrag *d, struct whatif *w,
    const struct defrag_ask *ask);
void defrag_fini(struct defrag *d);

#endif
