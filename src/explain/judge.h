/*
 * What may be advised.  A remedy that lets the pod in and that no administrator
 * would follow is none; doc/troubleshooting.md says which these are.
 */
#ifndef EXPLAIN_JUDGE_H
#define EXPLAIN_JUDGE_H

#include "base/sym.h"

struct cluster;
struct cycle;
struct labels;
struct pod;
struct taint;

enum taint_kind {
	TAINT_OTHER,
	TAINT_CORDON,
	/* For the control plane, storage, a provider's virtual nodes, ... */
	TAINT_ROLE,
	/* Not ready for pods: it goes when that is over (kube-controller-manager). */
	TAINT_CONDITION,
	/* Until an agent of the node runs ("node.cilium.io/agent-not-ready"), or an
	 * autoscaler's owner removes it ("startup-taint."). */
	TAINT_STARTUP,
	/* The node is about to go, by an autoscaler or a cloud provider. */
	TAINT_REMOVAL,
};

enum taint_kind taint_kind(const struct taint *taint);
/* Whether images must be built for it: it is of the architecture or operating system
 * that the node has by these labels. */
bool taint_is_of_platform(const struct taint *taint,
    const struct labels *labels);

/* "zone" of "topology.kubernetes.io/zone". */
const char *label_last_part(sym key);
/* Whether they are alike, and so are their last parts, of labels or resources. */
bool name_is_like(const char *a, const char *b);
/* Whether the label states a fact of the node, such as its zone: nobody may choose
 * it. */
bool label_is_fact(sym key);
/* Whether who wrote the label's value meant the other one, which is alike: another
 * number, zone or size is another intent. */
bool label_is_mistyped(sym key, sym value, sym other);
/* Whether images are built for it: a pod that selects another value cannot run. */
bool label_is_platform(sym key);
/* The label that took the place of this one, or that this one has replaced; SYM_NONE:
 * there is none. */
sym label_renamed(sym key);

/* Whether nodes may become ready only once it runs: a critical pod of the host network,
 * such as a cloud controller manager. */
bool judge_starts_nodes(const struct pod *pod);

/* Whether the pod on a node may be moved or deleted for the pod of the cycle. */
bool judge_may_leave(const struct cycle *cycle, const struct pod *pod);
/* Whether they are replicas of one workload, also of two revisions of a Deployment. */
bool judge_same_workload(const struct pod *a, const struct pod *b);
/* Whether they are of two revisions of a Deployment. */
bool judge_other_revision(const struct pod *a, const struct pod *b);

#endif
