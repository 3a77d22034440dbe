/*
 * A small cluster and one pod to place, written as YAML in the test, to run one
 * predicate or one priority on.
 *
 *	struct world *w = world_new(
 *	    W_NODE("n1", "zone: a", "") W_NODE("n2", "zone: b", "")
 *	    W_POD("web-1", "app: web", "n1", ""));
 *
 *	world_pod(w, W_POD("web-2", "app: web", "", "hostNetwork: true"));
 *	o = world_check(w, &predicate_host_name, NULL, "n1");
 *	t_int("…", o.verdict, FITS);
 *	t_str("…", o.why, "");
 *	t_str("…", world_scores(w, &priority_x, NULL), "n1=10 n2=0");
 *	world_free(w);
 *
 * Everything that cannot be read ends the test program with "Bail out!".
 */
#ifndef T_LIB_WORLD_H
#define T_LIB_WORLD_H

#include <stdbool.h>

#include "cluster/cluster.h"
#include "decide/framework/cycle.h"
#include "decide/framework/predicate.h"
#include "decide/framework/priority.h"
#include "decide/framework/profile.h"

/*
 * Objects as one line each; labels, spec and so on are the inside of a YAML flow
 * mapping, "" for nothing.  A node has room for 110 pods, 4 CPUs and 8 GiB.
 */
#define W_NODE(name, labels, spec)                                             \
	W_NODE_STATUS(name, labels, spec,                                      \
	    "allocatable: {pods: 110, cpu: 4, memory: 8Gi}")
#define W_NODE_STATUS(name, labels, spec, status)                              \
	W_OBJECT("Node", "name: " name ", labels: {" labels "}",               \
	    "spec: {" spec "}, status: {" status "}")
/* Bound to node, "" for a pod that is bound to none. */
#define W_POD(name, labels, node, spec)                                        \
	W_POD_IN("default", name, labels, node, spec, "")
#define W_POD_IN(namespace, name, labels, node, spec, status)                  \
	W_OBJECT("Pod",                                                        \
	    "namespace: " namespace ", name: " name ", labels: {" labels "}",  \
	    "spec: {nodeName: '" node "', " spec "}, status: {" status "}")
#define W_SERVICE(name, selector)                                              \
	W_OBJECT("Service", "namespace: default, name: " name,                 \
	    "spec: {selector: {" selector "}}")
#define W_OBJECT(kind, metadata, rest)                                         \
	"--- {kind: " kind ", metadata: {" metadata "}, " rest "}\n"
/* Part of a spec: one container that asks for these resources. */
#define W_REQUESTS(resources)                                                  \
	"containers: [{name: c, resources: {requests: {" resources "}}}]"

struct world {
	struct cluster *cluster;
	/* gates_default and EvenPodsSpread, score_max 10, hard weight 1, no
	 * entries; tests may change it. */
	struct profile *profile;
	struct pod *pod; /* the one to place, NULL before world_pod() */
	struct cycle cycle;
	struct arena arena; /* the cycle's */
};

/* The result of one predicate for one node, or of a prefilter for the pod.
 * Texts are valid until the next world_pod(). */
struct outcome {
	enum verdict verdict;
	const char *why;   /* the reasons in their order, "; " between them */
	const char *error; /* of cycle_fail(), "" when there was none */
	const char
	    *miss; /* of the predicate's miss() after a refusal, or NULL */
};

/* yaml: any number of documents; Lists, too. */
struct world *world_new(const char *yaml);
void world_free(struct world *world);

/* Puts more objects into the cluster (replaces those of equal names). */
void world_put(struct world *world, const char *yaml);
/* Takes these objects out of it. */
void world_remove(struct world *world, const char *yaml);

/* Makes the one pod in yaml the pod to place and starts a new cycle. */
void world_pod(struct world *world, const char *yaml);

/* A node that was put; never NULL. */
struct node_info *world_node(struct world *world, const char *name);

/* prepare() and check() on one node. */
struct outcome world_check(struct world *world,
    const struct predicate *predicate, const void *args, const char *node);

/*
 * The same in steps, for simulations: world_prepare() once, then change the
 * cluster's picture through the predicate's hooks, and check a node (or a copy
 * of one).  A prep that is NULL although the predicate prepares fits
 * everywhere.
 */
void *world_prepare(struct world *world, const struct predicate *predicate,
    const void *args);
void world_simulate(struct world *world, const struct predicate *predicate,
    void *prep, const struct node_info *node, const struct pod *pod, int sign);
struct outcome world_check_prepared(struct world *world,
    const struct predicate *predicate, const void *prep,
    const struct node_info *node);

/*
 * prepare(), score() on all nodes that have a Node object, and reduce():
 * "n1=10 n2=3", in order of the nodes' names.  world_raw_scores() leaves out
 * reduce().  "skipped": PreScore skips the plugin.  Valid until the next
 * world_pod().
 */
const char *world_scores(struct world *world, const struct priority *priority,
    const void *args);
const char *world_raw_scores(struct world *world,
    const struct priority *priority, const void *args);

/*
 * A row of a table: the objects of a cluster, a pod to place, and the
 * result of a predicate for node n1.
 */
struct world_row {
	const char *name;
	const char *objects;
	const char *pod;
	enum verdict verdict;
	const char *why;  /* the error if the verdict is BROKEN */
	const char *miss; /* compared unless the pod fits or this is NULL */
};

#define t_predicate(predicate, args, rows)                                     \
	t_predicate_(__FILE__, __LINE__, (predicate), (args),                  \
	    sizeof(rows) / sizeof((rows)[0]), (rows))
void t_predicate_(const char *file, int line, const struct predicate *predicate,
    const void *args, size_t n, const struct world_row *rows);
/* The same in a cluster of this minor release. */
#define t_predicate_in(minor, predicate, args, rows)                           \
	t_predicate_in_(__FILE__, __LINE__, (minor), (predicate), (args),      \
	    sizeof(rows) / sizeof((rows)[0]), (rows))
void t_predicate_in_(const char *file, int line, int minor,
    const struct predicate *predicate, const void *args, size_t n,
    const struct world_row *rows);

/* The same by a profile of this release, 20 or 36, in such a cluster. */
#define t_predicate_of(release, predicate, args, rows)                         \
	t_predicate_of_(__FILE__, __LINE__, (release), (predicate), (args),    \
	    sizeof(rows) / sizeof((rows)[0]), (rows))
void t_predicate_of_(const char *file, int line, int release,
    const struct predicate *predicate, const void *args, size_t n,
    const struct world_row *rows);

/* The plugin's pre_filter() of the pod, pre_enqueue() instead if `enqueues`. */
struct outcome world_prefilter(struct world *world, const struct plugin *plugin,
    const void *args, bool enqueues);
/* Rows of a profile of this release, in such a cluster. */
#define t_prefilter_of(release, plugin, enqueues, rows)                        \
	t_prefilter_of_(__FILE__, __LINE__, (release), (plugin), (enqueues),   \
	    sizeof(rows) / sizeof((rows)[0]), (rows))
void t_prefilter_of_(const char *file, int line, int release,
    const struct plugin *plugin, bool enqueues, size_t n,
    const struct world_row *rows);

/* The pod as decoded from yaml, not put anywhere; you own it. */
struct pod *world_decode_pod(const char *yaml);

#endif
