/*
 * Decides about pods as kube-scheduler does, and explains why, in a program of your own.
 *
 * A struct predicated is a cluster and the rules that count there.  Put objects of the
 * API in, as JSON or YAML; ask about pods.  What-if questions need no more: put or remove
 * objects, or bind pods, and ask again.  Nothing here uses files or the network,
 * and the same calls give the same answers.  Exact for policies as kube-scheduler 1.15.3
 * reads them, and for configurations as those of 1.20 to 1.36 do.
 *
 * Link with `pkg-config --cflags --libs predicated`; etc/examples/decide.c, which is
 * installed in share/predicated/examples, is a whole program.  One thread at a time may
 * call it, also for several clusters.  Out of memory ends the process.
 *
 * Functions that can fail return -1 or NULL; predicated_error() then has the sentence, with
 * name, line and column where it is about a text.  They change nothing then.
 */
#ifndef PREDICATED_H
#define PREDICATED_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Grows by one with each change that may break a program.  Members are only added to
 * structs behind those that are there, and to answers in JSON. */
#define PREDICATED_API 1

struct predicated;

/* An empty cluster of a release, "1.29" ("1.15" to "1.36"), with the rules of policies'
 * default provider.  NULL: it is no such release, or NULL was passed. */
struct predicated *predicated_new(const char *release);
void predicated_free(struct predicated *p); /* NULL is fine */
/* Of the last call that failed; valid until the next call. */
const char *predicated_error(const struct predicated *p);

/*
 * Decides by the policy (policy.cfg), or by the profiles of the KubeSchedulerConfiguration, in
 * the text from now on; name is for errors.  A configuration without profiles stands for
 * what kube-scheduler does without one.  One that the cluster's release is too old for is an
 * error.  Extenders are not called.
 */
int predicated_rules(struct predicated *p, const char *name, const char *text,
    size_t len);

/*
 * Puts the objects of the text in the place of those of the same kind, namespace and name:
 * JSON or YAML, one or several documents, lists too, as `kubectl get -o json` writes them.
 * Kinds that scheduling does not use are passed over.  Pods without spec.priority get that
 * of their PriorityClass, if that is there by then.  Returns the number of objects.
 */
long predicated_put(struct predicated *p, const char *name, const char *text,
    size_t len);

/* Removes an object, if it is there; namespace is NULL or "" for those that have none. -1:
 * there is no such kind. */
int predicated_remove(struct predicated *p, const char *kind,
    const char *namespace_, const char *name);

struct predicated_decision {
	const char *node;    /* the best; NULL: it fits on none */
	unsigned nfeasible;  /* nodes on which it fits */
	const char *message; /* as of the Event FailedScheduling, without what
			      * preemption adds; "" if it fits */
};

/*
 * Fills *decision, whose texts are valid until the next call, about a pod that is on no
 * node.  Among nodes that are equally good the seed picks, as kube-scheduler does by
 * chance.  -1: there is no such pod, or no rules are for its schedulerName.
 */
int predicated_decide(struct predicated *p, const char *namespace_,
    const char *name, uint64_t seed, struct predicated_decision *decision);

/* Puts the pod on the node with the volumes and devices that it gets there, whether it fits
 * or not.  -1: it is on a node, or there is no such node. */
int predicated_bind(struct predicated *p, const char *namespace_,
    const char *name, const char *node);

/*
 * The whole answer about such a pod in JSON, as `predicatectl explain -o json` (whose
 * manual has it) without "queue": every node's verdict with its reasons and scores,
 * preemption, and a diagnosis with remedies that were tried.  free() it.
 */
char *predicated_explain(struct predicated *p, const char *namespace_,
    const char *name, uint64_t seed);

#ifdef __cplusplus
}
#endif

#endif
