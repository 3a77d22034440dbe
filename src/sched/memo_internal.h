/* What the parts of the memo share; for memo.c, memo_node.c, memo_follow.c and
 * memo_place.c alone. */
#ifndef SCHED_MEMO_INTERNAL_H
#define SCHED_MEMO_INTERNAL_H

#include "base/map.h"
#include "sched/following.h"
#include "sched/memo.h"

/* What a slot of a group's key says of a node, after the raw scores. */
struct slot {
	/* The domain in the topology, or if that is NULL what trait() says. */
	const struct topology *topology;
	int64_t (*trait)(const void *prep, uint32_t at);
	const void *prep;
	/* The first step that looks at it; npredicates when none does: only
	 * nodes that come so far differ by it. */
	size_t step;
};

struct memo {
	struct cluster *cluster;
	const struct profile *profile;
	size_t max_bytes, bytes;
	uint64_t now;	    /* counts uses */
	struct map classes; /* class pointer -> struct memo_class */
	struct outlooks *outlooks;
	int64_t *weights;
	size_t nraw, *raw_slots; /* raw scores in keys, after slot 0 */

	/* All nodes in order of their names' hashes, as of this layout. */
	uint64_t order_layout;
	uint32_t norder;
	size_t order_cap;
	uint32_t *order;

	/* Scratch: the slots of the class in hand that come after raw scores, a
	 * key, and the nodes that are to be placed anew. */
	size_t nslots, slots_cap;
	struct slot *slots;
	size_t key_cap;
	int64_t *key;
	struct why why;
	uint32_t ntodo;
	size_t todo_cap, marks_cap;
	uint32_t *todo;
	/* By node index: round when it is on the list, + 1 when it is to be
	 * evaluated again. */
	uint64_t round, *marks;
};

/* A READS_NODE unit that has something to say about the class. */
struct memo_check {
	size_t step;
	enum verdict (*check)(struct cycle *cycle,
	    const struct node_info *node, const void *prep, struct why *why);
	const void *prep;
};

struct memo_score {
	int64_t weight;
	size_t raw_slot; /* 0: a part of the total */
	int64_t (*score)(struct cycle *cycle, const struct node_info *node,
	    const void *prep);
	const void *prep;
};

/* memo_node.c: units that read the node, or Node objects, alone */

/* Prepares the READS_NODE units for a new class. */
void memo_prepare(const struct memo *memo, struct memo_class *m,
    struct cycle *cycle);
/* What READS_NODE units say goes to memo->key; returns the total. */
int32_t memo_evaluate(struct memo *memo, struct memo_class *m,
    struct cycle *cycle, uint32_t at);
/* Asks the READS_OBJECTS units again; nodes for which that matters are put on the
 * list. */
void memo_update_objects(struct memo *memo, struct memo_class *m,
    struct cycle *cycle);

/* memo_follow.c: units that follow */

/* The unit's way to follow; NULL when it has none or need not. */
const struct following *memo_predicate_following(const struct memo *memo,
    size_t i);
const struct following *memo_priority_following(const struct memo *memo,
    size_t i);
bool memo_any_is_stale(const struct memo *memo, const struct memo_class *m,
    struct cycle *cycle);
/* All preps anew. */
void memo_start_all(const struct memo *memo, struct memo_class *m,
    struct cycle *cycle);
/* Nodes for which it matters are put on the list.  False: one cannot follow. */
bool memo_follow_all(struct memo *memo, struct memo_class *m,
    struct cycle *cycle);
/* Whether units tell nodes apart by more topologies than they did when these
 * were remembered. */
bool memo_topologies_change(const struct memo *memo,
    const struct memo_class *m);
void memo_remember_topologies(const struct memo *memo, struct memo_class *m);

/* memo_place.c: which node belongs in which group */

/* Begins a list of nodes to be placed anew. */
void memo_begin_todo(struct memo *memo, struct cycle *cycle);
/* Puts the node on it; changed: READS_NODE units are to be asked again. */
void memo_put_todo(struct memo *memo, uint32_t at, bool changed);
/* The slots of the class in hand. */
void memo_find_slots(struct memo *memo, const struct memo_class *m);
/* All groups anew; of nodes that have changed, or of all, READS_NODE units are
 * asked again. */
void memo_make_groups(struct memo *memo, struct memo_class *m,
    struct cycle *cycle, bool all);
void memo_place_todo(struct memo *memo, struct memo_class *m,
    struct cycle *cycle);

#endif
