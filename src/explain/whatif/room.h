/*
 * The nodes of a cluster while pods are moved about in thought: copies of the nodes
 * that change, pods that may leave theirs, and whether a pod fits now.  The cluster
 * itself stays as it is.
 *
 *	          room_take                room_put
 *	on its node ──────▶ taken (homeless) ──────▶ placed
 *	     ▲    room_put_back    │  ▲     room_lift   │
 *	     └─────────────────────┘  └─────────────────┘
 */
#ifndef WHATIF_ROOM_H
#define WHATIF_ROOM_H

#include "base/arena.h"
#include "base/map.h"
#include "decide/framework/cycle.h"
#include "explain/whatif/whatif.h"

struct filter;

#define ROOM_NOWHERE UINT32_MAX

/*
 * Pods that fit on the same nodes: of one class and priority, unless rules about
 * other pods apply to them; then each is a kind of its own, and its choices depend on
 * where the others are.
 */
struct room_kind {
	struct arena arena; /* of the filter */
	struct cycle cycle;
	struct filter *filter; /* NULL: to be made */
	const struct pod *pod; /* on no node; the owner is a mover or the room's
				      * caller */
	const char *other_pods; /* the rule about other pods, or NULL */
	uint64_t asked;         /* since the filter was made */
	/* Unless other_pods: the nodes on which it fits while nothing has moved,
	 * and by node whether it fits without any of its movers; NULL: not yet
	 * looked for. */
	uint32_t nchoices, *choices;
	bool *reaches;
};

/* A pod that may be moved. */
struct room_mover {
	struct pod *pod;        /* as it is; owned */
	struct pod *waiting;    /* as one that waits; owned */
	struct room_kind *kind; /* NULL: not yet looked for */
	uint32_t from, to;      /* nodes; to: ROOM_NOWHERE unless placed */
	bool taken;             /* not on its node */
	struct whatif_budget *budget; /* or NULL */
};

struct room_node {
	struct node_info *now; /* the copy; NULL: as in the cluster */
	struct node_info
	    *bare;         /* likewise, without its movers; NULL: not made */
	uint32_t first, n; /* its movers, in the order of the queue */
	uint32_t changes;  /* pods that are not where they are in the cluster */
};

struct room_change {
	uint32_t node;
	const struct pod *pod;
	int sign;
};

struct room {
	struct whatif *w; /* not owned */
	struct arena arena;
	uint32_t nnodes;
	struct room_node *nodes;
	size_t nmovers;
	struct room_mover *movers; /* by node */
	struct whatif_budgets budgets;
	struct map kinds; /* pod class -> list */
	size_t nkinds, kinds_cap, nfilters;
	struct room_kind **all_kinds;
	/* The nodes that have changed, each once; those that steps add and then
	 * undo in the reverse order leave the others in their places. */
	uint32_t ntouched, *touched;
	size_t nchanges, changes_cap;
	struct room_change *changes; /* in their order */
	/* The first rule about other pods that mattered, or NULL. */
	const char *other_pods;
	uint64_t asked; /* how often whether a pod fits */
	/* Asked now and then; false: stop, and every answer is then "no". */
	bool (*go_on)(void *arg);
	void *go_on_arg;
	bool stopped;
};

/*
 * Fills *room; go_on and its argument may be set afterwards.  Pods of DaemonSets,
 * mirror pods, those that end, that no profile serves or that the API server would
 * not evict are no movers.  Those without a controller and those that are not to be
 * moved for this pod (judge.h) neither; NULL: they are.
 */
void room_init(struct room *room, struct whatif *w, const struct pod *ask);
void room_fini(struct room *room);

/* After a change of the cluster that was undone: nothing of rules is kept. */
void room_forget(struct room *room);

/* The kind of a pod on no node that is not a mover; it must stay. */
struct room_kind *room_kind_of(struct room *room, const struct pod *pod);
struct room_kind *room_mover_kind(struct room *room, struct room_mover *mover);

/* Whether a pod of the kind fits on the node as it is now. */
bool room_fits(struct room *room, struct room_kind *kind, uint32_t node);
/* Fills choices and reaches; not of kinds with other_pods. */
void room_find_choices(struct room *room, struct room_kind *kind);

/* False: its budget does not allow that. */
bool room_take(struct room *room, struct room_mover *mover);
void room_put_back(struct room *room, struct room_mover *mover);
void room_put(struct room *room, struct room_mover *mover, uint32_t node);
void room_lift(struct room *room, struct room_mover *mover);
/* The same with a pod that is not a mover. */
void room_add(struct room *room, const struct pod *pod, uint32_t node);
void room_remove(struct room *room, const struct pod *pod, uint32_t node);

#endif
