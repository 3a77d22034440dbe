/*
 * A predicate answers one yes/no question about one pod and one node.  It keeps
 * no state between calls and never does I/O.
 */
#ifndef FRAMEWORK_PREDICATE_H
#define FRAMEWORK_PREDICATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "framework/kept_prep.h"
#include "framework/verdict.h"

struct column_block;
struct cycle;
struct refinement;
struct node_info;

/* The data that an answer depends on, besides the pod and the policy. */
enum reads {
	READS_NODE,    /* only this node: its object, totals and pods */
	READS_OBJECTS, /* Node objects, of other nodes, too, but no pods */
	READS_CLUSTER, /* also pods or other objects elsewhere */
};

#define CODE_ASK 128

struct predicate {
	const char *name; /* as in policy.cfg */
	enum reads reads;

	/*
	 * Of READS_NODE units: the aspects of the pod's class (model/pod.h) that
	 * its members read; 0 for all.  Pods whose classes differ only in other
	 * aspects share one prep, made for any of them.
	 * Of READS_CLUSTER units: for pods that have nothing in these aspects every
	 * node fits, and prepare() is not called; 0: prepare() decides.
	 */
	unsigned aspects;

	/*
	 * Optional.  Called once per pod before the first check() to compute
	 * everything that does not depend on the node; the result comes from
	 * cycle->arena and is passed on as prep.  NULL means that the pod does
	 * not ask this question: every node fits, also if pods that the cluster
	 * knows (nominated ones, too) were put on it or taken from it.  args are
	 * the policy's for this entry (args.h), NULL without argument.
	 * Without prepare(), check() gets args as prep.
	 */
	const void *(*prepare)(struct cycle *cycle, const void *args);

	/*
	 * Optional, of READS_CLUSTER units: a prep to be kept (kept_prep.h), also
	 * for a pod that asks nothing.  It may depend on cycle->class alone, not
	 * on the pod's own name or priority, nor on pods that are only nominated;
	 * cycle->arena is its own.  NULL: this one cannot be kept.
	 */
	const struct kept_prep *(*keep)(struct cycle *cycle, const void *args);

	enum verdict (*check)(struct cycle *cycle, const struct node_info *node,
	    const void *prep, struct why *why);

	/*
	 * Optional, of READS_NODE units: check() of all nodes of a block at once
	 * (cluster/columns.h).  Each row gets a code: 0 if the node fits,
	 * CODE_ASK if check() must be called, else a number below CODE_ASK;
	 * check() must have one result, with this prep, for all nodes with that
	 * number.  Codes of COLUMN_ODD rows are ignored.  False: not possible for
	 * this pod, check() is called for every node.
	 */
	bool (*check_block)(struct cycle *cycle,
	    const struct column_block *block, const void *prep, uint8_t *codes);

	/*
	 * Optional, for units whose prep depends on pods: updates it.  Simulated
	 * changes undo each other exactly, in any order, and ignore the result.
	 * Without keep() it is called for simulations alone.
	 */
	enum followed (*update)(struct cycle *cycle, void *prep,
	    const struct prep_change *change);

	/*
	 * Optional, of READS_CLUSTER units without keep(): distinguishes nodes,
	 * for this pod alone, until check() has the same result on all nodes of a
	 * part (refinement.h).  False: check() must be called for every node.
	 */
	bool (*distinguish)(struct cycle *cycle, const void *prep,
	    struct refinement *refinement);

	/*
	 * Optional: for a node that check() refuses, by how much it misses, for
	 * people: "200m cpu short".  From cycle->arena, or NULL.
	 */
	const char *(*miss)(struct cycle *cycle, const struct node_info *node,
	    const void *prep);
};

#endif
