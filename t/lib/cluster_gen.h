/*
 * Nodes and pods as tests need them, by number: the same number always gives
 * the same object.
 *
 * Nodes are spread over three zones and ten racks.  Pods belong to apps, each
 * with a service; with affinity set, every third app also says where its pods
 * want to be, and all of it can be met on clusters of 100 nodes or more.
 */
#ifndef T_LIB_CLUSTER_GEN_H
#define T_LIB_CLUSTER_GEN_H

#include <stdbool.h>
#include <stdint.h>

struct text;

struct cluster_gen {
	const char *namespace; /* of pods and services; "default" */
	const char *prefix;    /* of the names of pods; "pod" */
	const char *scheduler; /* spec.schedulerName; NULL: not given */
	unsigned nodes;        /* how many there are, for bound pods */
	unsigned apps;         /* at least 1 */
	bool affinity;
	bool bound;  /* pod i is on node i % nodes */
	bool stored; /* with uid and creation time, as the server stores it */
	int64_t now; /* stored: seconds since 1970 */
};

/* Each appends one JSON document. */
void cluster_gen_node(const struct cluster_gen *gen, unsigned i,
    struct text *out);
void cluster_gen_pod(const struct cluster_gen *gen, unsigned i,
    struct text *out);
void cluster_gen_service(const struct cluster_gen *gen, unsigned app,
    struct text *out);

#endif
