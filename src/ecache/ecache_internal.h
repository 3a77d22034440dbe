/* Shared by the files of the equivalence cache: ecache.c, signature.c, results.c,
 * results_block.c, follow.c and place.c alone. */
#ifndef ECACHE_ECACHE_INTERNAL_H
#define ECACHE_ECACHE_INTERNAL_H

#include "base/map.h"
#include "cluster/index.h"
#include "ecache/ecache.h"
#include "framework/kept_prep.h"
#include "framework/priority.h"
#include "framework/refinement.h"

struct column_block;

/* One part of the keys of cells, after the first. */
struct key_part {
	/* The domain in the topology, or if that is NULL the prep's trait. */
	const struct topology *topology;
	const struct kept_prep *kept;
	/* The first step that reads it, npredicates if none does: it only
	 * distinguishes nodes that pass all steps before that one. */
	size_t step;
};

/* Whether the prep's trait, not their domains, distinguishes nodes. */
static inline bool
is_by_trait(const struct kept_topology *t)
{
	return t->topology->fine && !t->by_domain;
}

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
	uint64_t
	    used; /* ecache->objects_uses then; the oldest is dropped first */
	size_t key_len; /* the aspects of the pods' class that count */
	void *key;
	bool none;   /* 0 for all nodes */
	bool narrow; /* all fit into 32 bits */
	int32_t *totals;
};

/* The most that are kept: pods with different images have different ones. */
#define OBJECT_SCORES 64

struct ecache {
	struct cluster *cluster;
	const struct profile *profile;
	size_t max_bytes, bytes;
	struct map classes; /* class pointer -> struct ecache_class */
	TAILQ_HEAD(, ecache_class) by_use; /* of them, the last used last */
	struct content_map results;        /* by key -> struct ecache_results */
	/* The aspects that the profile's units read, except those of priorities
	 * that may be uniform; the numbers of these priorities. */
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
	/* The newest results, until a second decision uses them: the next new
	 * results take over their arrays.  NULL: none. */
	struct ecache_results *newest;

	/* All nodes in order of their names' hashes, as of this epoch. */
	uint64_t order_epoch;
	uint32_t norder;
	uint32_t *order;
	struct joints joints;

	/* Scratch memory: the key parts, after the first, of the current decision's
	 * class; an outcome, or the key of a cell; nodes to update. */
	size_t nkey_parts, key_parts_cap;
	struct key_part *key_parts;
	size_t key_cap;
	int64_t *key;
	struct why why;
	uint32_t ntodo;
	size_t todo_cap, marks_cap;
	uint32_t *todo;
	/* By node index: equal to round if the node is in todo. */
	uint64_t round, *marks;
};

/* A READS_NODE predicate that may refuse the class. */
struct cached_check {
	size_t step;
	const struct predicate *unit;
	const void *prep;
	/* By code of check_block(): the result of ecache_check_node() for nodes
	 * with the code, 0 before the first of them; NULL: no node had one. */
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
/* Whether results can be updated change by change. */
bool ecache_is_recent(const struct ecache *ecache,
    const struct ecache_seen *seen);
/* Records that results are up to date with the cluster's current state. */
void ecache_see(const struct ecache *ecache, struct ecache_seen *seen);
/* Empties the list of nodes to update. */
void ecache_begin_todo(struct ecache *ecache);
/* Adds the node to it, once. */
void ecache_put_todo(struct ecache *ecache, uint32_t at);
/* Adds the nodes that have changed since the cursor; moves it to the end. */
void ecache_put_changes_todo(struct ecache *ecache, struct cursor *cursor);
/* Counts the bytes of the class and of its results. */
void ecache_account_class(struct ecache *ecache, struct ecache_class *m);
/* Counts an object's bytes as `now` instead of *bytes, and sets *bytes. */
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
/* Approximate bytes, including the partition that classes share. */
size_t ecache_results_size(const struct ecache *ecache,
    const struct ecache_results *results);
/* Evaluates the nodes that have changed. */
void ecache_evaluate(struct ecache *ecache, struct ecache_results *results,
    struct cycle *cycle);

/* The first number of the node's outcome, by this check alone. */
int64_t ecache_check_node(struct ecache *ecache, struct ecache_results *results,
    struct cycle *cycle, const struct cached_check *check, uint32_t at);
/* The outcome's number; adds it if it is new. */
uint32_t outcome_number(struct node_outcomes *outcomes, const int64_t *outcome);

/* results_block.c: the same for all nodes at once */

/* Evaluates all nodes, changed or not. */
void ecache_evaluate_all(struct ecache *ecache, struct ecache_results *results,
    struct cycle *cycle);
/* The weighted sums of these n priorities' scores in a block: COLUMN_ROWS of them.
 * False: a sum does not fit into 32 bits, or a score is not allowed. */
bool ecache_sum_scores(struct cycle *cycle, const struct cached_score *list,
    size_t n, const struct column_block *block, int32_t *sums);

/* follow.c: units that follow */

/* Lists the profile's units that follow the change journal. */
void ecache_find_followers(struct ecache *ecache);
/* Updates the class's kept preps and adds the nodes whose domains have changed to
 * the list.  True: all preps were made from scratch. */
bool ecache_follow(struct ecache *ecache, struct ecache_class *m,
    struct cycle *cycle);

/* place.c: which node belongs in which cell */

/* Finds the class's partition.  If it exists already, updates it: the nodes on the
 * list are placed again. */
void ecache_sort(struct ecache *ecache, struct ecache_class *m,
    struct cycle *cycle);
/* Empties an invalid partition and frees its members. */
void cached_partition_forget(struct cached_partition *sorted);
/* Approximate bytes. */
size_t cached_partition_size(const struct cached_partition *sorted);

#endif
