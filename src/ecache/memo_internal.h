/* What the parts of the memo share; for memo.c, memo_kin.c, memo_node.c,
 * memo_block.c, memo_follow.c and memo_place.c alone. */
#ifndef ECACHE_MEMO_INTERNAL_H
#define ECACHE_MEMO_INTERNAL_H

#include "base/map.h"
#include "ecache/memo.h"
#include "framework/following.h"
#include "framework/priority.h"

struct column_block;

/* What a slot of a group's key says of a node, after the first. */
struct slot {
	/* The domain in the topology, or if that is NULL the trait. */
	const struct topology *topology;
	const struct following *following;
	const void *prep;
	/* The first step that looks at it; npredicates when none does: only
	 * nodes that come so far differ by it. */
	size_t step;
};

/* A unit that follows. */
struct memo_follower {
	const struct following *following;
	const void *args;
	size_t unit; /* among a class's units */
	size_t step; /* as of slots */
};

/* The sums of the READS_OBJECTS priorities' scores on all nodes for pods that have
 * these aspects; classes share them. */
struct memo_objects {
	unsigned refs;
	uint64_t objects, epoch; /* the cluster's, its journal's then */
	uint32_t nnodes;
	uint64_t used;  /* when it was last, for the choice of what to drop */
	size_t key_len; /* the aspects of the pods' class that count */
	void *key;
	bool none;   /* 0 for all nodes */
	bool narrow; /* all fit into 32 bits */
	int32_t *totals;
};

/* How many of them are kept: about the images that are started in turn. */
#define MEMO_OBJECTS 64

struct memo {
	struct cluster *cluster;
	const struct profile *profile;
	size_t max_bytes, bytes;
	struct map classes; /* class pointer -> struct memo_class */
	TAILQ_HEAD(, memo_class) by_use; /* of them, the last used last */
	struct content_map kin;          /* by key -> struct memo_kin */
	/* What the profile's units look at, but for priorities that may turn out
	 * uniform; these, by number. */
	unsigned aspects;
	size_t nuniform, *uniform;
	size_t nfollowers, followers_cap;
	struct memo_follower *followers;
	struct outlooks *outlooks;
	int64_t *weights;
	uint64_t objects_uses;
	struct memo_objects *objects[MEMO_OBJECTS];
	size_t nraw, *raw_slots; /* raw scores in answers, after the first */

	/* All nodes in order of their names' hashes, as of this epoch. */
	uint64_t order_epoch;
	uint32_t norder;
	uint32_t *order;
	struct cut_last last_cut;

	/* Scratch: the slots of the class in hand that come after the first, an
	 * answer or a key of a group, and nodes to be looked at anew. */
	size_t nslots, slots_cap;
	struct slot *slots;
	size_t key_cap;
	int64_t *key;
	struct why why;
	uint32_t ntodo;
	size_t todo_cap, marks_cap;
	uint32_t *todo;
	/* By node index: round when it is on the list. */
	uint64_t round, *marks;
};

/* A READS_NODE unit that has something to say about the class. */
struct memo_check {
	size_t step;
	const struct predicate *unit;
	const void *prep;
	/* By code of check_block(): what memo_check_node() says of nodes that
	 * have it, 0 while nobody has asked; NULL: never. */
	int64_t *states;
};

struct memo_score {
	int64_t weight;
	size_t raw_slot; /* 0: a part of the total */
	const struct priority *unit;
	const void *prep;
};

/* memo.c */

/* Makes room for n numbers in memo->key. */
void memo_key_room(struct memo *memo, size_t n);
/* Whether results can be brought up to date change by change. */
bool memo_is_recent(const struct memo *memo, const struct memo_seen *seen);
/* All that is known now has been seen. */
void memo_see(const struct memo *memo, struct memo_seen *seen);
/* Begins a list of nodes. */
void memo_begin_todo(struct memo *memo);
/* Puts the node on it, unless it is there. */
void memo_put_todo(struct memo *memo, uint32_t at);
/* All nodes that the cursor has before it; afterwards it is at the end. */
void memo_put_changes_todo(struct memo *memo, struct cursor *cursor);
/* Counts what the class takes, and its kin. */
void memo_account_class(struct memo *memo, struct memo_class *m);
/* What takes *bytes, about, will take so many. */
void memo_account(struct memo *memo, size_t *bytes, size_t now);

/* memo_kin.c: which classes share what */

/* Finds out what the profile's units look at. */
void memo_find_aspects(struct memo *memo);
/* You own a reference. */
struct memo_kin *memo_kin_of(struct memo *memo, struct cycle *cycle);
void memo_kin_unref(struct memo *memo, struct memo_kin *kin);

/* memo_node.c: units that read the node, or Node objects, alone */

/* Prepares the READS_NODE units. */
void memo_prepare(const struct memo *memo, struct memo_kin *kin,
    struct cycle *cycle);
void memo_objects_unref(struct memo_objects *objects); /* NULL is fine */
/* In bytes, about, with what is sorted by it. */
size_t memo_kin_size(const struct memo *memo, const struct memo_kin *kin);
/* Brings up to date what they say of nodes. */
void memo_evaluate(struct memo *memo, struct memo_kin *kin,
    struct cycle *cycle);

/* What the check says of the node: 0 if it fits, or how an answer begins. */
int64_t memo_check_node(struct memo *memo, struct memo_kin *kin,
    struct cycle *cycle, const struct memo_check *check, uint32_t at);
/* The answer's number; adds it if it is new. */
uint32_t memo_answer_number(struct memo_answers *answers,
    const int64_t *answer);

/* memo_block.c: the same about all nodes */

/* Asks about all nodes, whether they have changed or not. */
void memo_evaluate_all(struct memo *memo, struct memo_kin *kin,
    struct cycle *cycle);
/* What these n priorities say of all nodes of a block, weighted: COLUMN_ROWS of
 * them.  False: one is too great. */
bool memo_sum_scores(struct cycle *cycle, const struct memo_score *list,
    size_t n, const struct column_block *block, int32_t *sums);

/* memo_follow.c: units that follow */

/* Finds out which of the profile's units follow. */
void memo_find_followers(struct memo *memo);
/* Brings preps up to date; nodes for which it matters are put on the list.  True:
 * they are all made anew. */
bool memo_follow(struct memo *memo, struct memo_class *m, struct cycle *cycle);

/* memo_place.c: which node belongs in which group */

/* Finds the class's sorting and, if it is made, brings it up to date: nodes on the
 * list are placed again. */
void memo_sort(struct memo *memo, struct memo_class *m, struct cycle *cycle);
/* Nothing in it is right any more; frees what it holds. */
void memo_sorting_forget(struct memo_sorting *sorting);
/* In bytes, about. */
size_t memo_sorting_size(const struct memo_sorting *sorting);

#endif
