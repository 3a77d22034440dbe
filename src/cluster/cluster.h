/*
 * The scheduler's view of the cluster: nodes with the pods on them,
 * nominations, and the objects that rules look up.
 *
 * Objects come in through cluster_put() and leave through cluster_remove(), in
 * any order: a pod may arrive before its node.  Nothing here depends on the
 * order of arrival, except where the text says so.
 *
 *	                 put, not bound: only its nomination counts
 *	                    ·
 *	  unknown ──assume──▶ assumed ──put, bound──▶ bound ──remove──▶ unknown
 *	     ▲                   │                      ▲
 *	     └──────forget───────┘        put, bound ───┘ (from unknown)
 *
 * Pods whose phase is Succeeded or Failed do not count, as in kube-scheduler,
 * whose watch leaves them out.
 */
#ifndef CLUSTER_CLUSTER_H
#define CLUSTER_CLUSTER_H

#include "base/map.h"
#include "cluster/node_info.h"
#include "cluster/journal.h"
#include "objects/device.h"
#include "objects/distribution_policy.h"
#include "objects/object.h"
#include "objects/resource_claim.h"
#include "objects/sticky_job.h"
#include "objects/storage.h"
#include "objects/workload.h"

struct class_info;
struct class_terms;
struct term_index;
struct columns;
struct label_columns;
struct label_term_scratch;
struct namespace_selections;
struct port_index;
struct scalar_columns;
struct selector_index;

/* The lists of a namespace; first those whose objects select pods, the workloads
 * before the budgets. */
enum namespace_list {
	SELECTING_SERVICES,
	SELECTING_CONTROLLERS, /* ReplicationControllers */
	SELECTING_REPLICA_SETS,
	SELECTING_STATEFUL_SETS,
	SELECTING_BUDGETS,
	SELECTING_LISTS,
	DISTRIBUTION_POLICIES = SELECTING_LISTS,
	CLUSTER_DISTRIBUTION_POLICIES, /* of SYM_EMPTY */
	NAMESPACE_LISTS
};

/* In order of name. */
struct object_list {
	size_t n, cap;
	struct object **at;
};

/* The workloads, budgets and policies of one namespace, each kind in order of
 * name.  SYM_EMPTY is the "namespace" of those that have none. */
struct namespace_info {
	/* Of each list of objects that select pods: changes whenever one of them is
	 * added, deleted or changed; no two lists ever have the same number. */
	uint64_t versions[SELECTING_LISTS];
	struct object_list lists[NAMESPACE_LISTS];
	/* selector_index.h */
	struct selector_index *indexes[SELECTING_LISTS];
};

/* The object at i of a list of workloads, of budgets, of policies. */
static inline const struct workload *
workload_at(const struct namespace_info *ns, enum namespace_list list, size_t i)
{
	return (const struct workload *)ns->lists[list].at[i];
}

static inline const struct pod_disruption_budget *
budget_at(const struct namespace_info *ns, size_t i)
{
	const struct object_list *budgets = &ns->lists[SELECTING_BUDGETS];

	return (const struct pod_disruption_budget *)budgets->at[i];
}

static inline const struct distribution_policy *
policy_at(const struct namespace_info *ns, enum namespace_list list, size_t i)
{
	return (const struct distribution_policy *)ns->lists[list].at[i];
}

/* An image name and the nodes that have it. */
struct image_info {
	sym name;
	int64_t bytes; /* as first recorded */
	uint32_t nnodes;
	struct node_info **nodes;
	size_t cap;
};

enum cluster_change {
	CLUSTER_PUT,
	CLUSTER_REMOVE,
	CLUSTER_ASSUME, /* a pod, on a node */
	CLUSTER_FORGET, /* a pod */
};

/*
 * Keeps account of the devices that claims have (src/cluster/devices); notified of changes of
 * ResourceSlices, DeviceClasses, DeviceTaintRules and ResourceClaims, of which before
 * or now may be NULL.
 */
struct device_listener {
	void (*changed)(struct device_listener *listener,
	    const struct object *before, const struct object *now);
	void (*free)(struct device_listener *listener);
};

#define DEVICE_STEPS_AT_LEISURE 20000000

struct cluster {
	/* Called before each change; NULL: no listener.  node: SYM_NONE, but of
	 * CLUSTER_ASSUME. */
	void (*changed)(void *arg, enum cluster_change change,
	    const struct object *object, sym node);
	void *changed_arg;

	/* 15 counts pods on nodes as 1.15 does; 18 and later as these do. */
	int kubernetes_minor;

	/* spec.schedulerName of the pods that are ours: only their nominations
	 * count.  At first "default-scheduler" alone, see
	 * cluster_set_scheduler_names(). */
	size_t nscheduler_names;
	sym *scheduler_names;

	/* Nodes that have a Node object, in no meaningful order. */
	uint32_t nnodes;
	struct node_info **nodes;

	uint64_t *name_hashes; /* by node index: node_info's name_hash */

	uint32_t navoiding; /* nodes that avoid the pods of some controller */

	/*
	 * Changes of nodes with a Node object, for caches of results.  Besides,
	 * objects changes with every Node object that differs in a relevant
	 * field (a kubelet's heartbeat does not), labels when one comes, goes or
	 * gets other labels, budgets with every PodDisruptionBudget.
	 */
	struct journal journal;
	uint64_t objects;
	uint64_t labels;
	uint64_t budgets;
	/* Changes when the volume of a bound claim becomes unknown, or a claim
	 * is bound to another kind of volume than before. */
	uint64_t volume_generation;

	/* Changes when a Namespace gets other labels than it had, or than none
	 * when it comes or goes. */
	uint64_t namespace_labels;

	uint64_t confines; /* changes when placement constraints may
			      * (confines.h) */
	/* Claims that are not allocated are allocated by whoever places their
	 * pods; false: the pods wait until they are. */
	bool allocates_devices;
	/* How many steps one decision may search for devices; 0: as few as in a daemon
	 * (cluster/devices/demand.h).  DEVICE_STEPS_AT_LEISURE: about a second. */
	uint64_t device_steps;
	/* OpenShift's, see cluster_set_default_node_selector(). */
	bool has_default_node_selector;
	struct labels default_node_selector;
	uint32_t nnominated; /* nominated pods on all nodes */
	/* Nodes that pods are nominated to, in no order. */
	uint32_t nnominated_to;
	struct node_info **nominated_to;
	/* Pods on nodes, by priority; the lowest first, none without pods. */
	size_t npriorities;
	struct cluster_priority {
		int32_t priority;
		uint32_t npods;
	} * priorities;
	uint64_t generation;       /* changes with every change of the members
			      * below */
	uint64_t workload_changes; /* the last of namespace_info's versions */
	uint64_t budget_rounds;    /* of budget_left(), selector_index.h */
	uint64_t selections; /* the last version of cluster_count_selected() */

	/* The rest is reached through the functions below. */
	size_t nodes_cap, hashes_cap, nominated_to_cap, priorities_cap;
	uint32_t
	    *order; /* cluster_order(), as of this epoch and number of nodes */
	uint64_t order_epoch;
	uint32_t norder;
	struct map
	    node_infos;     /* name -> struct node_info, Node object or not */
	struct strmap pods; /* uid -> struct cluster_pod */
	struct map classes; /* class pointer -> struct class_info */
	size_t nclasses;
	struct class_info **class_list; /* the same, as an array */
	size_t classes_cap;
	struct map classes_in;    /* namespace -> struct class_set */
	struct content_map terms; /* struct class_terms, and as an array */
	size_t nterms, terms_cap;
	struct class_terms **terms_list;
	size_t nbroken_terms; /* of them, with a selector that cannot be used */
	/* How often the labels of a class were compared with a selector or term of a
	 * pod that is decided about, by select.c and by rules in simulations. */
	uint64_t compared;
	struct term_index *term_index; /* term_index.h */
	struct map label_keys;   /* of nodes: key -> how many nodes have it */
	struct columns *columns; /* columns.h */
	struct label_columns *label_columns;
	struct label_term_scratch *label_terms; /* label_terms.h */
	struct port_index *ports;               /* host_ports.h */
	struct scalar_columns *scalars;         /* scalar_columns.h */
	struct map topologies;                  /* key -> struct topology */
	struct map namespaces; /* name -> struct namespace_info */
	struct namespace_selections *namespace_selections; /* term_scope.c */
	struct map images; /* name -> struct image_info */
	/* By kind: namespace, name -> object, of the kinds that are found by
	 * name. */
	struct map named[OBJECT_KINDS];
	struct map open_volumes;  /* open_volumes.h */
	struct map capacities_of; /* capacities.h */
	/* users.h, volume_users.h: of nodes, attachments, claims, volumes */
	struct map disk_users, claim_users, ephemeral_users;
	struct map attachments_of, attachments_to; /* by node, by volume */
	struct map claims_naming;                  /* by volume */
	struct map volumes_called;                 /* by handle */
	size_t nin_tree; /* volumes of pods on nodes with an in_tree_driver() */
	struct device_listener *devices; /* NULL: none yet */
	struct map resource_classes; /* by extended resource: a DeviceClass */
};

struct cluster *cluster_new(void);
void cluster_free(struct cluster *cluster);

/* n is at least 1.  Nominations of pods that are already here stay as they are. */
void cluster_set_scheduler_names(struct cluster *cluster, size_t n,
    const sym *names);
bool cluster_schedules(const struct cluster *cluster, sym scheduler_name);

/*
 * Drops all derived data that may hold symbols (base/sym.h) that no object
 * holds: topologies, counts, columns.  It is rebuilt on demand; the caller must
 * drop preps and results of earlier decisions, too.
 */
void cluster_forget_caches(struct cluster *cluster);

/*
 * Adds an object or replaces the one of the same kind, namespace and name
 * (pods: of the same uid).  The cluster takes a reference of its own.  A pod
 * that is bound confirms an assumed one.
 */
void cluster_put(struct cluster *cluster, struct object *object);
/* Removes the object of the same kind, namespace and name (pods: uid); does
 * nothing when it is not there. */
void cluster_remove(struct cluster *cluster, const struct object *object);

/*
 * Assumes the pod on the node, before the API server has bound it.  Takes its
 * own reference; drops the pod's nomination.  -1 when a pod with this uid is
 * already on a node ("pod UID is in the cache, so can't be assumed").
 */
int cluster_assume(struct cluster *cluster, const struct pod *pod, sym node,
    struct err *err);
/* What the node offers has changed: results for it are no longer valid. */
void cluster_touch(struct cluster *cluster, struct node_info *node);
/* Undoes cluster_assume(); does nothing when the pod is not assumed. */
void cluster_forget(struct cluster *cluster, const struct pod *pod);

/* The node with this name, NULL when it has neither object nor pods. */
struct node_info *cluster_node(const struct cluster *cluster, sym name);

/* All nodes in order of their names' hashes; valid until a node comes or goes. */
const uint32_t *cluster_order(struct cluster *cluster);

/* NULL when the namespace holds none of these objects. */
const struct namespace_info *cluster_namespace(const struct cluster *cluster,
    sym namespace);
/* The pod as last reported by the API server on a node; NULL: it was not. */
const struct pod *cluster_bound_pod(const struct cluster *cluster,
    const char *uid);
/* The pod with the nomination that takes room on a node; NULL: it has none. */
const struct pod *cluster_nominated_pod(const struct cluster *cluster,
    const char *uid);
/* The present version of the object: of pods as cluster_bound_pod(), of workloads
 * only Services; NULL: it is not known. */
const struct object *cluster_object(const struct cluster *cluster,
    const struct object *object);
const struct image_info *cluster_image(const struct cluster *cluster, sym name);

/* The object of a kind that is found by name, SYM_EMPTY being the namespace of
 * those that have none; NULL: there is none. */
const void *cluster_named(const struct cluster *cluster, enum object_kind kind,
    sym namespace, sym name);

/* The DeviceClass whose devices are the extended resource, by the class's name or
 * because it says so; NULL: there is none. */
const struct device_class *cluster_resource_class(const struct cluster *cluster,
    sym resource);

/* The same of one kind each. */
#define NAMED(function, type, kind)                                            \
	static inline const struct type *                                      \
	function(const struct cluster *cluster, sym name)                      \
	{                                                                      \
		return cluster_named(cluster, kind, SYM_EMPTY, name);          \
	}
#define NAMED_IN(function, type, kind)                                         \
	static inline const struct type *                                      \
	function(const struct cluster *cluster, sym namespace, sym name)       \
	{                                                                      \
		return cluster_named(cluster, kind, namespace, name);          \
	}
NAMED(cluster_namespace_object, namespace, OBJECT_NAMESPACE)
NAMED(cluster_volume, persistent_volume, OBJECT_PERSISTENT_VOLUME)
NAMED_IN(cluster_claim, persistent_volume_claim, OBJECT_PERSISTENT_VOLUME_CLAIM)
NAMED(cluster_storage_class, storage_class, OBJECT_STORAGE_CLASS)
NAMED(cluster_csi_node, csi_node, OBJECT_CSI_NODE)
NAMED(cluster_csi_driver, csi_driver, OBJECT_CSI_DRIVER)
NAMED_IN(cluster_resource_claim, resource_claim, OBJECT_RESOURCE_CLAIM)
NAMED(cluster_device_class, device_class, OBJECT_DEVICE_CLASS)
NAMED_IN(cluster_sticky_job, sticky_job, OBJECT_STICKY_JOB)
NAMED(cluster_priority_class, priority_class, OBJECT_PRIORITY_CLASS)
NAMED(cluster_runtime_class, pod_defaults, OBJECT_RUNTIME_CLASS)
#undef NAMED
#undef NAMED_IN

#endif
