/*
 * Why a pod fits nowhere, in one line, and the cheapest change that would let it
 * in: found by deciding again with one thing changed.
 *
 * The rules are asked about a pod that lacks, one after the other, each of its
 * demands (requests, tolerations, selectors, ...): so the obstacles on a node are
 * known whatever the policy or the profile calls its rules and in whatever order
 * it asks them.
 */
#ifndef EXPLAIN_DIAGNOSIS_H
#define EXPLAIN_DIAGNOSIS_H

struct arena;
struct cluster;
struct explanation;
struct node;
struct node_info;
struct pod;
struct pod_class;
struct remedy;

struct diagnosis {
	/* For programs: "requests", "taint", "selector", "affinity",
	 * "anti-affinity", "avoided", "spread", "host-port", "volume",
	 * "confined", "pods", "node", "limit", "gate", "preemption", "queue",
	 * "nominated", "several" or "other". */
	const char *cause;
	const char *text;   /* the cause as a sentence without full stop */
	const char *remedy; /* as an imperative; "": none is known */
	/*
	 * The remedy as data, if it is a single change; NULL: it is not.  action is
	 * "request", "tolerate", "select", "label", "match", "spread", "delete",
	 * "provide", "evict", "uncordon", "ready", "add", "prioritize" or "wait".
	 * subject is the thing changed (a resource, a label, a pod, a claim, a node),
	 * value its new value, "" for none.
	 */
	const char *action, *subject, *value;
	/* Deciding again with this change has placed the pod.  False: it needs an
	 * object that does not exist, so it was not tried. */
	bool proven;
	uint32_t nnodes; /* on which this is the only obstacle */
	/* All that were found, best first; the first is the one above. */
	size_t nremedies;
	const struct remedy *remedies; /* explain/remedy.h */
};

/*
 * Of an explanation whose pod fits nowhere, is not even tried, or fits but waits for a
 * volume; NULL when it fits, and when the cycle was cancelled by the end of it.  Decides
 * again once or twice for each demand of the pod, then for each change that it tries:
 * tens of decisions.  Pure: the cluster is not changed.  In the cycle's arena.
 */
const struct diagnosis *diagnosis_find(const struct explanation *e);

/* Of a pod that fits: the claim "d/c", which has a node for its volume, for which the
 * provisioner has provided none yet; NULL: it has no such claim.  In the arena. */
const char *diagnosis_awaited_claim(struct arena *arena,
    const struct cluster *cluster, const struct pod *pod,
    const char **provisioner);

/* The class without its demands (requests, selectors, ...); in the arena. */
const struct pod_class *diagnosis_without_demands(struct arena *arena,
    const struct pod_class *class);

/* Changes of the pod, of one node and of pods that leave their nodes. */
struct diagnosis_changes {
	size_t nremedies;
	const char **remedies;         /* each an imperative; all are needed */
	const struct pod_class *class; /* NULL: there are no changes */
	int32_t priority;
	const struct node *node; /* NULL: it need not change */
	size_t nmoved;
	const struct pod **moved;
};

/* Those that take away all obstacles on the node for which a change is known, all at
 * once, of a pod that does not fit there; it may fit elsewhere.  In the cycle's arena. */
void diagnosis_find_changes(const struct explanation *e,
    const struct node_info *node, struct diagnosis_changes *changes);

#endif
