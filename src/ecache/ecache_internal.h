/* Shared by the files of the equivalence cache: ecache.c, signature.c, results.c,
 * results_block.c, follow.c and place.c alone. */
#ifndef ECACHE_ECACHE_INTERNAL_H
#define ECACHE_ECACHE_INTERNAL_H

#include "base/map.h"
#include "ecache/ecache.h"
#include "framework/kept_prep.h"
#include "framework/priority.h"
#include "framework/refinement.h"

struct column_block;

/* The meaning of a part of a cell's key, after the first. */
struct key_part {
	/* The domain in the topology, or if that is NULL the prep's trait. */
	const struct topology *topology;
	const struct kept_prep *kept;
	/* The first step that looks at it; npredicates when none does: only
	 * nodes that come so far differ by it. */
	size_t step;
};

/* A unit whose preps are kept. */
struct follower {
	const struct kept_prep *(*keep)(struct cycle *cycle, const void *args);
	enum followed (*update)(struct cycle *cycle, void *prep,
	    const struct prep_change *change);
	const void *args;
	size_t unit; /* among a class's units */
	size_t step; /* as of key parts */
};

/* The sums of the READS_OBJECTS priorities' scores on all nodes for pods that have
 * these aspects; classes share them. */
struct object_scores {
	unsigned refs;
	uint64_t objects, epoch; /* the cluster's, its journal's then */
	uint32_t nnodes;
	uint64_t used;  /* when it was last; the oldest is dropped first */
	size_t key_len; /* the aspects of the pods' class that count */
	void *key;
	bool none;   /* 0 for all nodes */
	bool narrow; /* all fit into 32 bits */
	int32_t *totals;
};

/* How many of them are kept: about the images that are started in turn. */
#define OBJECT_SCORES 64

struct ecache {
	struct cluster *cluster;
	const struct profile *profile;
	size_t max_bytes, bytes;
	struct map classes; /* class pointer -> struct ecache_class */
	TAILQ_HEAD(, ecache_class) by_use; /* of them, the last used last */
	struct content_map results;        /* by key -> struct ecache_results */
	/* What the profile's units look at, but for priorities that may turn out
	 * uniform; these, by number. */
	unsigned aspects;
	size_t nuniform, *uniform;
	size_t nfollowers, followers_cap;
	struct follower *followers;
	struct eviction_tables *evictions;
	int64_t *weights;
	uint64_t objects_uses;
	struct object_scores *objects[OBJECT_SCORES];
	size_t nraw, *raw_places; /* raw scores in outcomes, after the first */
	struct ecache_rules rules;
	/* The last results that were new, unless a second decision has used
	 * them; their arrays go on to the next ones.  NULL: none. */
	struct ecache_results *newest;

	/* All nodes in order of their names' hashes, as of this epoch. */
	uint64_t order_epoch;
	uint32_t norder;
	uint32_t *order;
	struct joints joints;

	/* Scratch: the key parts of the class in hand that come after the first, an
	 * outcome or the key of a cell, and nodes to be looked at again. */
	size_t nparts, slots_cap;
	struct key_part *key_parts;
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
struct cached_check {
	size_t step;
	const struct predicate *unit;
	const void *prep;
	/* By code of check_block(): what ecache_check_node() says of nodes that
	 * have it, 0 while no node was asked; NULL: never. */
	int64_t *states;
};

struct cached_score {
	int64_t weight;
	size_t raw_place; /* 0: a part of the total */
	const struct priority *unit;
	const void *prep;
};

/* ecache.c */

/* Makes room for n numbers in ecache->key. */
void ecache_key_room(struct ecache *ecache, size_t n);
/* Whether results can be brought up to date change by change. */
bool ecache_is_recent(const struct ecache *ecache,
    const struct ecache_seen *seen);
/* All that is known now has been seen. */
void ecache_see(const struct ecache *ecache, struct ecache_seen *seen);
/* Begins a list of nodes. */
void ecache_begin_todo(struct ecache *ecache);
/* Puts the node on it, unless it is there. */
void ecache_put_todo(struct ecache *ecache, uint32_t at);
/* All nodes that the cursor has before it; afterwards it is at the end. */
void ecache_put_changes_todo(struct ecache *ecache, struct cursor *cursor);
/* Counts the bytes of the class and of its results. */
void ecache_account_class(struct ecache *ecache, struct ecache_class *m);
/* Its memory is now about so many bytes, instead of *bytes. */
void ecache_account(struct ecache *ecache, size_t *bytes, size_t now);

/* signature.c: which classes share results */

/* Finds the aspects that the profile's units read. */
void ecache_find_aspects(struct ecache *ecache);
/* You own a reference. */
struct ecache_results *ecache_results_of(struct ecache *ecache,
    struct cycle *cycle);
void ecache_results_unref(struct ecache *ecache,
    struct ecache_results *results);

/* results.c: units that read the node, or Node objects, alone */

/* Prepares the READS_NODE units. */
void ecache_prepare(const struct ecache *ecache, struct ecache_results *results,
    struct cycle *cycle);
void object_scores_unref(struct object_scores *objects); /* NULL is fine */
/* In bytes, about, with the partition that is sorted by it. */
size_t ecache_results_size(const struct ecache *ecache,
    const struct ecache_results *results);
/* Evaluates the nodes that have changed. */
void ecache_evaluate(struct ecache *ecache, struct ecache_results *results,
    struct cycle *cycle);

/* What the check says of the node: 0 if it fits, or how an outcome begins. */
int64_t ecache_check_node(struct ecache *ecache, struct ecache_results *results,
    struct cycle *cycle, const struct cached_check *check, uint32_t at);
/* The outcome's number; adds it if it is new. */
uint32_t outcome_number(struct node_outcomes *outcomes, const int64_t *outcome);

/* results_block.c: the same about all nodes */

/* Asks about all nodes, whether they have changed or not. */
void ecache_evaluate_all(struct ecache *ecache, struct ecache_results *results,
    struct cycle *cycle);
/* What these n priorities say of all nodes of a block, weighted: COLUMN_ROWS of
 * them.  False: one is too great. */
bool ecache_sum_scores(struct cycle *cycle, const struct cached_score *list,
    size_t n, const struct column_block *block, int32_t *sums);

/* follow.c: units that follow */

/* Finds out which of the profile's units follow. */
void ecache_find_followers(struct ecache *ecache);
/* Brings preps up to date; nodes for which it matters are put on the list.  True:
 * they are all made again. */
bool ecache_follow(struct ecache *ecache, struct ecache_class *m,
    struct cycle *cycle);

/* place.c: which node belongs in which cell */

/* Finds the class's partition and, if it is made, brings it up to date: nodes on the
 * list are placed again. */
void ecache_sort(struct ecache *ecache, struct ecache_class *m,
    struct cycle *cycle);
/* Nothing in it is right any more; frees its members. */
void cached_partition_forget(struct cached_partition *sorted);
/* In bytes, about. */
size_t cached_partition_size(const struct cached_partition *sorted);

#endif
