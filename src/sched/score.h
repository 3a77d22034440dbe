/*
 * The score stage: the totals of the cells that fit.
 */
#ifndef SCHED_SCORE_H
#define SCHED_SCORE_H

struct cycle;
struct decision;

/* Fills totals, and scores if they are to be kept.  An error is in the cycle. */
void score(struct cycle *cycle, struct decision *decision);

#endif
