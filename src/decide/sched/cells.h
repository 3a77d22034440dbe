/*
 * The partition that a decision is made over.  There are two ways to make it:
 *
 *	shared      the cached partition of the pod's class (decide/ecache/ecache.h), where
 *	            no predicate about other pods or objects may refuse the pod
 *	each node   every node is a cell of its own: in other decisions, also without
 *	            cached results, after an error (its text counts nodes), for a
 *	            sample, with extenders, and wherever a verdict on each node is
 *	            wanted
 */
#ifndef SCHED_CELLS_H
#define SCHED_CELLS_H

struct cycle;
struct decision;
struct score_bucket;

/* False: every node must be a cell. */
bool cells_shared(struct cycle *cycle, struct decision *decision);

void cells_each_node(struct cycle *cycle, struct decision *decision);

/* Lists the cells that fit, once the verdicts are known. */
void cells_list_fitting(struct cycle *cycle, struct decision *decision);

/* The nodes with the highest total in a cell that fits, of shared ones. */
const struct score_bucket *cells_best(const struct decision *decision,
    uint32_t fitting);

#endif
