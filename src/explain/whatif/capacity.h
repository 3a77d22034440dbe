/*
 * How many more pods of a kind fit: copies are placed one after the other until
 * one fits nowhere.
 */
#ifndef WHATIF_CAPACITY_H
#define WHATIF_CAPACITY_H

#include "base/arena.h"

struct whatif;
struct pod;
struct node_info;

/* Placed in all; a pod without scarce requests fits for ever. */
#define CAPACITY_MOST 1000000

/* A round of a mix has `times` copies of each model. */
struct capacity_model {
	const struct pod *pod; /* on no node; not owned */
	uint32_t times;        /* at least 1 */
};

struct capacity_node {
	const struct node_info *node;
	uint64_t copies;
	/* Why it takes no more; none if the attempt as a whole failed. */
	size_t nreasons;
	const char **reasons;
};

/* A reason, with "*" for the names of nodes, and how many give it. */
struct capacity_reason {
	const char *text;
	uint32_t nodes;
	uint32_t filled; /* of them, those that have taken a copy */
};

struct capacity {
	struct arena arena; /* of all texts and arrays */
	uint64_t copies;    /* placed, in whole rounds */
	uint64_t rounds;
	bool limited;        /* it went on at CAPACITY_MOST */
	size_t stopped_by;   /* the model that did not fit */
	const char *message; /* of that one; NULL if limited */
	/* The most copies first, then by name. */
	size_t nnodes;
	struct capacity_node *nodes;
	/* That of the most nodes that took copies first. */
	size_t nreasons;
	struct capacity_reason *reasons;
};

/* Fills *c.  The copies are taken away again; claims that they bound stay so. */
void capacity_find(struct capacity *c, struct whatif *w, size_t nmodels,
    const struct capacity_model *models);
void capacity_fini(struct capacity *c);

#endif
