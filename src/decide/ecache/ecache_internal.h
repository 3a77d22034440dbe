/* Shared by the files of the equivalence cache: ecache.c, signature.c and results.c
 * alone. */
#ifndef ECACHE_ECACHE_INTERNAL_H
#define ECACHE_ECACHE_INTERNAL_H

#include "decide/ecache/ecache.h"

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
	/* The aspects that the profile's units read, except those of READS_NODE
	 * priorities that have a prepare(). */
	unsigned aspects;
	struct eviction_tables *evictions;
	int64_t *weights;
	uint64_t objects_uses;
	struct object_scores *objects[OBJECT_SCORES];
	/* By priority: its place among the raw scores that results keep, from 1. */
	size_t nraw, *raw_places;
	struct ecache_rules rules;

	/* Scratch memory: nodes to update. */
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
};

struct cached_score {
	int64_t weight;
	size_t raw_place; /* 0: a part of the total */
	const struct priority *unit;
	const void *prep;
};

/* ecache.c */

/* Whether results can be updated change by change. */
bool ecache_is_recent(const struct ecache *ecache,
    const struct ecache_seen *seen);
/* The cluster's current state, for the cycle's pod. */
struct ecache_seen ecache_see(const struct cycle *cycle);
/* Empties the list of nodes to update. */
void ecache_begin_todo(struct ecache *ecache);
/* Adds the node to it, once; NODE_INDEX_NONE: none. */
void ecache_put_todo(struct ecache *ecache, uint32_t at);
/* Adds the nodes whose results before may not be those of now; moves the cursor to the
 * end. */
void ecache_put_changes_todo(struct ecache *ecache, struct ecache_seen *before,
    const struct ecache_seen *now);
/* Empties an invalid partition and frees its members. */
void cached_partition_forget(struct cached_partition *sorted);
/* Approximate bytes. */
size_t cached_partition_size(const struct cached_partition *sorted);

/* signature.c */

/* Finds the aspects that results depend on. */
void ecache_find_aspects(struct ecache *ecache);
/* Those of the cycle's pod, which are made if need be; you own a reference. */
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

#endif
