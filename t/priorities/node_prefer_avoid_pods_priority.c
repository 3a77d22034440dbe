#include "config.h"

#include "t/priorities/rows.h"

#define AVOIDS(name, annotation)                                               \
	W_OBJECT("Node",                                                       \
	    "name: " name ", annotations: "                                    \
	    "{scheduler.alpha.kubernetes.io/preferAvoidPods: '" annotation     \
	    "'}",                                                              \
	    "spec: {}")
#define SIGNATURE(kind, uid)                                                   \
	"{\"podSignature\": {\"podController\": {\"kind\": \"" kind            \
	"\", \"uid\": \"" uid "\"}}}"
#define ENTRIES(entries) "{\"preferAvoidPods\": [" entries "]}"
#define OWNED(kind, uid, controller)                                           \
	W_OBJECT("Pod",                                                        \
	    "name: p, namespace: default, ownerReferences: "                   \
	    "[{kind: " kind ", name: o, uid: " uid ", controller: " controller \
	    "}]",                                                              \
	    "spec: {}")

/* One avoids a ReplicaSet, one a controller of each kind, one none. */
#define NODES                                                                  \
	AVOIDS("n1", ENTRIES(SIGNATURE("ReplicaSet", "u1")))                   \
	AVOIDS("n2",                                                           \
	    ENTRIES(SIGNATURE("ReplicationController",                         \
		"u2") ", " SIGNATURE("StatefulSet", "u3")))                    \
	W_NODE("n3", "", "")
#define NONE_AVOIDED "n1=10 n2=10 n3=10", "n1=100 n2=100 n3=100"

/* clang-format off */
static const struct row rows[] = {
	{ "the replica set the node avoids", NODES,
	    OWNED("ReplicaSet", "u1", "true"),
	    "n1=0 n2=10 n3=10", "n1=0 n2=100 n3=100" },
	{ "the replication controller the node avoids", NODES,
	    OWNED("ReplicationController", "u2", "true"),
	    "n1=10 n2=0 n3=10", "n1=100 n2=0 n3=100" },
	{ "other kinds cannot be avoided", NODES,
	    OWNED("StatefulSet", "u3", "true"), NONE_AVOIDED },
	{ "the same uid of another kind", NODES,
	    OWNED("ReplicationController", "u1", "true"), NONE_AVOIDED },
	{ "another uid", NODES, OWNED("ReplicaSet", "u9", "true"), NONE_AVOIDED },
	{ "an owner that does not control the pod", NODES,
	    OWNED("ReplicaSet", "u1", "false"), NONE_AVOIDED },
	{ "a pod without owner", NODES, NO_CONTAINERS, NONE_AVOIDED },
	{ "an annotation that does not parse avoids no pods",
	    AVOIDS("n1", "{oops"), OWNED("ReplicaSet", "u1", "true"),
	    "n1=10", "n1=100" },
	{ "a signature without controller matches no pods",
	    AVOIDS("n1", ENTRIES("{\"podSignature\": {}}")),
	    OWNED("ReplicaSet", "''", "true"), "n1=10", "n1=100" },
};
/* clang-format on */

static void
nodes_are_spared_the_pods_they_avoid(void)
{
	check_rows(&priority_node_prefer_avoid_pods_priority, NULL, rows);
}

T_MAIN(T(nodes_are_spared_the_pods_they_avoid))
