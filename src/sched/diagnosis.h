/*
 * Why a pod fits nowhere, in one line, and the cheapest change that would let it
 * in: found by deciding again with one thing changed.
 *
 * The rules are asked about a pod that lacks, one after the other, each of its
 * demands (requests, tolerations, selectors, ...): so the obstacles on a node are
 * known whatever the policy or the profile calls its rules and in whatever order
 * it asks them.
 */
#ifndef SCHED_DIAGNOSIS_H
#define SCHED_DIAGNOSIS_H

#include <stdbool.h>
#include <stdint.h>

struct explanation;

struct diagnosis {
	/* For programs: "requests", "taint", "selector", "affinity",
	 * "anti-affinity", "avoided", "spread", "host-port", "volume",
	 * "confined", "pods", "node", "limit", "several" or "other". */
	const char *cause;
	const char *text;   /* the cause as a sentence without full stop */
	const char *remedy; /* as an imperative; "": none is known */
	/*
	 * The remedy as data.  action is "request", "tolerate", "select",
	 * "match", "spread", "delete", "provide", "evict" or "uncordon"; NULL:
	 * there is no single change.  subject is the thing changed (a resource, a
	 * label, a pod, a claim, a node), value its new value, "" for none.
	 */
	const char *action, *subject, *value;
	/* Deciding again with this change has placed the pod. */
	bool proven;
	uint32_t nnodes; /* on which this is the only obstacle */
};

/*
 * Of an explanation whose pod fits nowhere; NULL when it fits, and when the cycle
 * was cancelled by the end of it.  Takes about ten decisions.  Pure: the cluster
 * is not changed.  In the cycle's arena.
 */
const struct diagnosis *diagnosis_find(const struct explanation *e);

#endif
