/*
 * Weights of priorities with which the pods of a cluster are spread better, or packed
 * better, found by placing all of them again and again.
 *
 * Weights that place fewer pods than today's are never better.  Of others, those with
 * the lower cost of the objective are; of equal ones those that place more pods, then
 * those that are closer to today's.
 */
#ifndef WHATIF_TUNE_H
#define WHATIF_TUNE_H

#include "base/arena.h"
#include "explain/whatif/balance.h"

struct whatif;
struct pod;

/*
 * Their costs, where a share is requested/allocatable of a node:
 *
 *	packing   nodes in use / nodes + the mean, over the resources that are
 *	          requested (cpu, memory, scalars), of stranded / allocatable
 *	spread    (CV(cpu) + CV(memory)) / 2 of the nodes' shares
 *	zones     the same of the zones' shares
 *	balance   the mean over the nodes in use of |cpu share - memory share|
 *
 * A node is in use if it has a pod that is neither a DaemonSet's nor a mirror pod.
 * CV: the coefficient of variation, deviation / mean; stranded: balance.h.
 */
enum objective {
	OBJECTIVE_PACKING,
	OBJECTIVE_SPREAD,
	OBJECTIVE_ZONES,
	OBJECTIVE_BALANCE,
	OBJECTIVES,
};

#define TUNE_WEIGHT 10 /* the highest weight by default */
#define TUNE_WEIGHT_MOST 100
#define TUNE_ROUNDS 3 /* by default */
/* As many combinations of weights are all tried. */
#define TUNE_ALL 1000

struct tune_result {
	int64_t *weights; /* by priority of the profile; 0: without it */
	size_t placed;
	double costs[OBJECTIVES];
	uint32_t nodes_in_use;
	struct balance balance;
};

struct tune_progress {
	size_t round, rounds; /* from 1 on; round > rounds: all combinations */
	size_t tried;         /* simulations */
	double today, best;   /* cost; best: so far */
};

struct tune_ask {
	enum objective objective;
	size_t profile;       /* whose weights: its number in w->profiles */
	const int64_t *today; /* by its priorities; 0: it has it not yet */
	int64_t max_weight;   /* those that are higher today stay as they are */
	uint32_t rounds; /* of the search; all but the first begin anywhere */
	bool pending;    /* place those alone that have no node */
	size_t npods;    /* the cluster's, running ones and pending ones */
	struct pod *const *pods;
	/* Called now and then; false stops the search.  NULL: it goes on. */
	bool (*go_on)(void *arg, const struct tune_progress *progress);
	void *arg;
};

struct tune {
	struct arena arena;
	size_t npods; /* placed in each simulation, or tried to be */
	size_t nweights;
	struct tune_result today, best; /* best: today's, if none is better */
	size_t tried;
	bool exhaustive; /* no weights up to max_weight are better */
	bool stopped;
};

/* Fills *t.  w decides with the profiles in it; those of ask->profile are with all
 * priorities that may get a weight.  Pods that are placed are off their nodes
 * afterwards. */
void tune_find(struct tune *t, struct whatif *w, const struct tune_ask *ask);
void tune_fini(struct tune *t);

/* "packing" …; -1: no objective. */
const char *objective_name(enum objective objective);
int objective_parse(const char *name);

#endif
