/*
 * A cluster as one set of profiles would fill it: all pods that may move are taken
 * off their nodes and placed again in the order of the queue.
 */
#ifndef WHATIF_REPLAY_H
#define WHATIF_REPLAY_H

#include <stddef.h>

#include "base/arena.h"
#include "whatif/balance.h"

struct pod;
struct whatif;

struct replay {
	struct arena arena;
	size_t npods;        /* that may move */
	struct pod **lifted; /* owned, in the order of the queue */
	size_t nfixed;       /* pods that stay on their nodes */
	size_t nplaced;
	struct balance balance; /* afterwards */
};

/* The n pods are those of the cluster, running ones and pending ones.  Afterwards
 * they are where the replay has put them. */
void replay_find(struct replay *r, struct whatif *w, size_t n,
    struct pod *const *pods);
void replay_fini(struct replay *r);

#endif
