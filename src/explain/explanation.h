/*
 * The full explanation of one pod's decision: decide(), preempt() if no node fits,
 * and both as JSON, which is an interface (predicatectl explain -o json,
 * /debug/explain).
 */
#ifndef EXPLAIN_EXPLANATION_H
#define EXPLAIN_EXPLANATION_H

#include <stdio.h>

#include "decide/framework/cycle.h"
#include "decide/sched/decide.h"
#include "decide/sched/post_filter.h"
#include "decide/sched/preempt.h"

struct diagnosis;
struct json_out;

struct explanation {
	struct cycle *cycle;
	/* The cycle's cluster, if objects may be put in it and taken out again to try
	 * what they would change; NULL: they may not. */
	struct cluster *own;
	/* Of the JSON, roughly; 0: no limit.  Half of it may be reasons. */
	size_t max_bytes;
	struct decision *decision;
	const char *message; /* "" when the pod fits somewhere */
	bool preemption_tried;
	const struct preemption *preemption; /* NULL: may not, or not tried */
	/* Of a pod that fits nowhere; NULL: it does, or the attempt failed. */
	const struct post_filter *post_filter;
	/* By name, nnodes of them. */
	const struct node_info **nodes;
	/* By node index: position in decision->feasible, or -1. */
	int64_t *position;
	/* For the JSON, if the caller has set it; NULL: it has no "diagnosis". */
	const struct diagnosis *diagnosis;
	/* Of a pod that waits among others, for the JSON; status NULL: it has no
	 * "queue". */
	struct {
		const char *status; /* explain/whatif/waiting.h */
		sym node;           /* where it goes at its turn, or SYM_NONE */
		size_t before;      /* pods that are placed before */
	} queue;
	/* Likewise by node index, "miss": the one change that would let the pod fit
	 * there; NULL: there is none such. */
	const char **misses;
};

/* The nodes by name, in the arena. */
const struct node_info **nodes_by_name(const struct cluster *cluster,
    struct arena *arena);

/* Fills *e, zeroed before, from a cycle that keeps its scores.  Valid until the
 * cycle's arena is reset or the cluster changes. */
void explanation_find(struct explanation *e, struct cycle *cycle);

/* The reasons of a node that does not fit, sorted; *n is their number.  In
 * the cycle's arena. */
const char **explanation_reasons(const struct explanation *e,
    const struct node_info *node, size_t *n);

/*
 * One object and a line break.  With a profile of plugins it also has "profile" (its
 * name), "prefilter" (the plugin that rejected the pod for all nodes, or null) and
 * of each node "code" (of the framework's status) and "plugin" (the first that
 * refused it).  From 1.36 on it has "preEnqueue" (the plugins that keep the pod out
 * of the queue: they have no part in the decision) and "postFilter" (code and
 * message of the plugins that run when no node fits, or null).
 *
 * With a diagnosis it has "diagnosis": "cause", "text", "remedy", "change" (as
 * struct diagnosis has it, or null), "proven" and "nodes".
 *
 * With max_bytes, nodes lack the reasons that are
 * too much ("reasonsLeftOut" is then their number), then nodes are left out
 * ("nodesLeftOut").
 */
void explanation_json(const struct explanation *e, FILE *out);
/* Two members of that object alone; NULL: their value is null. */
void explanation_json_diagnosis(struct json_out *json,
    const struct diagnosis *diagnosis);
void explanation_json_preemption(struct json_out *json,
    const struct preemption *preemption);
/* "queue", whose status is not NULL. */
void explanation_json_queue(struct json_out *json, const struct explanation *e);
/* The same for a pod that no profile serves: without nodes. */
void explanation_json_unserved(const struct pod *pod, FILE *out);

#endif
