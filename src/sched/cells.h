/*
 * The partition that a decision is made over.  There are two ways to make it:
 *
 *	shared      the cached partition of the pod's class (ecache/ecache.h); cut
 *	            further by predicates whose results are not kept; nodes whose
 *	            nominated pods keep this one out are cells of their own
 *	each node   every node is a cell of its own: without cached results, after
 *	            an error (its text counts nodes), for a sample, with extenders,
 *	            and wherever a verdict on each node is wanted
 */
#ifndef SCHED_CELLS_H
#define SCHED_CELLS_H

#include <stdbool.h>

struct cycle;
struct decision;

/* False: a rule must check every node. */
bool cells_shared(struct cycle *cycle, struct decision *decision);

void cells_each_node(struct cycle *cycle, struct decision *decision);

/* Lists the cells that fit, once the verdicts are known. */
void cells_list_fitting(struct cycle *cycle, struct decision *decision);

#endif
