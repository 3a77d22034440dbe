/* Applies the answers of extenders (decide/framework/extension.h) to a decision. */
#ifndef SCHED_EXTENSION_APPLY_H
#define SCHED_EXTENSION_APPLY_H

struct cycle;
struct decision;

/* For decide(): the nodes that fit are known, or their totals are. */
void extension_filter(struct cycle *cycle, struct decision *decision);
void extension_add_scores(struct cycle *cycle, struct decision *decision);

#endif
