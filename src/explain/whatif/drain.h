/*
 * Where the pods of some nodes go when these are drained, as `kubectl drain`
 * does, or are lost.
 */
#ifndef WHATIF_DRAIN_H
#define WHATIF_DRAIN_H

#include "base/arena.h"
#include "base/sym.h"
#include "explain/whatif/whatif.h"

enum drain_fate {
	DRAIN_MOVES,
	DRAIN_NOWHERE, /* it fits on no node, for this reason */
	DRAIN_STAYS,   /* it is not evicted or comes back, for this reason */
};

struct drain_pod {
	struct pod *pod;    /* as it was; owned */
	struct pod *lifted; /* as it waits; owned, NULL if it stays */
	enum drain_fate fate;
	sym from, to;    /* to: SYM_NONE unless it moves or comes back */
	const char *why; /* NULL if it moves */
	bool unmanaged;  /* no controller creates it again */
	/* The first budget that does not let it go now, or NULL; with
	 * two_budgets the API server refuses because it is in several. */
	const struct pod_disruption_budget *budget;
	bool two_budgets;
};

struct drain {
	struct arena arena;
	size_t nnodes;
	struct node **nodes; /* owned, as they were */
	/* In the order in which they are placed, then those that stay. */
	size_t npods, pods_cap;
	struct drain_pod *pods;
	size_t nmoves, nnowhere, nstay;
	/* Those that block the drain come first, then those that slow it; none if
	 * the nodes are lost. */
	struct whatif_budgets budgets;
	size_t nblocking; /* that allow no eviction now */
	size_t nslowing;  /* that allow some, but fewer than there are pods */
};

/*
 * Fills *d: cordons the n nodes (lost: deletes them), takes their pods away and
 * places them one after the other, each counting for the next.  Pods of
 * DaemonSets, mirror pods and pods that are being deleted stay, and so do pods that
 * tolerate the cordon and that the scheduler puts on one of the nodes again.  The
 * nodes are in the cluster, each once.  Afterwards the cluster is as it was, but for claims
 * that were bound on the way.
 */
void drain_find(struct drain *d, struct whatif *w, size_t n, const sym *nodes,
    bool lost);
void drain_fini(struct drain *d);

#endif
