/*
 * A predicate answers one yes/no question about one pod and one node.  It keeps
 * no state between calls and never does I/O.
 */
#ifndef FRAMEWORK_PREDICATE_H
#define FRAMEWORK_PREDICATE_H

#include "decide/framework/counterpart.h"
#include "decide/framework/needs.h"
#include "decide/framework/plugin.h"
#include "decide/framework/policy_names.h"
#include "objects/pod.h"

struct column_block;
struct cycle;
struct node_info;

/*
 * The data that an answer depends on, besides the policy: one of these, and with it
 * (or-ed) the aspects of the pod's class (objects/pod.h); if none is named, all of them.
 */
enum reads {
	READS_NODE = 1 << 16, /* only this node: its object, totals and pods */
	READS_OBJECTS =
	    1 << 17, /* Node objects, of other nodes, too, but no pods */
	READS_CLUSTER = 1 << 18, /* also pods or other objects elsewhere */
};

static inline unsigned
aspects_read(unsigned reads)
{
	unsigned aspects = reads & (READS_NODE - 1);

	return aspects != 0 ? aspects : ASPECT_ALL;
}

#define CODE_CHECK 128

struct predicate {
	const char *name; /* as in policy.cfg */

	/*
	 * What its members read (enum reads).  Pods whose classes differ only in
	 * aspects that a READS_NODE unit does not read share one prep, made for any
	 * of them.  Of READS_CLUSTER units: for pods that have nothing in the aspects
	 * that are named every node fits, and prepare() is not called.
	 */
	unsigned reads;

	/* Optional: the plugin that it is, or a part of. */
	enum plugin_number plugin;

	/* Without it in the cluster the rule changes no answer, for the lint. */
	enum needs needs;
	/* Optional: with these arguments, NULL without. */
	enum needs (*needs_by)(const void *args);

	/* Optional, for the lint: the kubelet has the rule, too, and a pod that breaks it
	 * once it is bound has failed for good: what the rule is about, and the reasons
	 * in such a pod's status. */
	struct {
		const char *about, *reasons;
	} kubelet;

	/*
	 * Optional.  Called once per pod before the first check() to compute
	 * everything that does not depend on the node; the result comes from
	 * cycle->arena and is passed on as prep.  NULL means that the rule
	 * does not apply to the pod: every node fits, also if pods that the cluster
	 * knows (nominated ones, too) were put on it or taken from it.  args are
	 * the policy's for this entry (args.h), NULL without argument.
	 * Without prepare(), check() gets args as prep.
	 */
	const void *(*prepare)(struct cycle *cycle, const void *args);

	enum verdict (*check)(struct cycle *cycle, const struct node_info *node,
	    const void *prep, struct why *why);

	/*
	 * Optional: check() of all nodes of a block at once (cluster/columns.h).
	 * Each row gets a code: 0 if the node fits, CODE_CHECK if check() must be
	 * called, else a number below CODE_CHECK; check() must have one result, with
	 * this prep, for all nodes with that number.  Of READS_NODE units, codes of
	 * COLUMN_ODD rows are ignored.  False: not possible for this pod, check()
	 * is called for every node.
	 */
	bool (*check_block)(struct cycle *cycle,
	    const struct column_block *block, const void *prep, uint8_t *codes);

	/*
	 * Optional, for units whose prep depends on pods: a simulation puts the pod
	 * on the node (sign 1) or takes it from there (-1).  Such changes undo each
	 * other exactly, in any order.
	 */
	void (*update)(struct cycle *cycle, void *prep,
	    const struct node_info *node, const struct pod *pod, int sign);

	/*
	 * Optional: for a node that check() refuses, by how much it misses, for
	 * people: "200m cpu short".  From cycle->arena, or NULL.
	 */
	const char *(*miss)(struct cycle *cycle, const struct node_info *node,
	    const void *prep);

	struct policy_names policy; /* without it no policy names the rule */
	struct counterpart convert; /* without it no plugin has the rule */
};

#endif
