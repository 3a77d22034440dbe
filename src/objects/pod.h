/*
 * Pods: an identity, and a class shared by all pods that look alike.
 *
 * A pod class is everything about a pod that can matter to a rule and that
 * replicas of one controller have in common.  Classes are interned: equal
 * classes are one pointer, so results can be kept per class and a pod costs
 * little more than its name.
 */
#ifndef MODEL_POD_H
#define MODEL_POD_H

#include "objects/labels.h"
#include "objects/node_affinity.h"
#include "objects/object.h"
#include "objects/resources.h"
#include "objects/selector.h"

enum taint_effect {
	EFFECT_ANY, /* of a toleration: absent or "" */
	EFFECT_NO_SCHEDULE,
	EFFECT_PREFER_NO_SCHEDULE,
	EFFECT_NO_EXECUTE,
	EFFECT_OTHER, /* unknown text: equals only the same unknown text */
};

enum toleration_operator {
	TOLERATION_EQUAL, /* also absent or "" */
	TOLERATION_EXISTS,
	TOLERATION_GT, /* the taint's value is greater, as integers */
	TOLERATION_LT,
	TOLERATION_OTHER, /* unknown text: tolerates nothing */
};

struct toleration {
	sym key; /* SYM_EMPTY: every key */
	sym value;
	enum toleration_operator op;
	enum taint_effect effect;
	sym effect_text;
};

struct host_port {
	sym ip;       /* "" is already "0.0.0.0" */
	sym protocol; /* "" is already "TCP" */
	int32_t port; /* > 0 */
};

/*
 * One term of podAffinity or podAntiAffinity.  Before 1.21 it is about pods of
 * the namespaces that it names, or else of its owner's.  From then on one with a
 * namespaceSelector is about those that it names and those that it selects; one
 * without, as before.
 */
struct pod_term {
	uint32_t nnamespaces;
	const sym
	    *namespaces; /* never empty: the owner's when none are named */
	uint32_t nnamed; /* of namespaces, that it names itself: 0 or all */
	bool selects_namespaces; /* namespaceSelector is there */
	/* One that cannot be used is an error of `selector`, too. */
	struct selector namespace_selector;
	/* Of terms with selected namespaces put in their place (term_scope.h):
	 * about all namespaces, or namespaces is sorted, with each once. */
	bool everywhere, sorted;
	struct selector selector;
	sym topology_key; /* SYM_EMPTY: matches no label */
	int64_t weight;   /* 0 for required terms */
};

struct pod_terms {
	bool present; /* the podAffinity (podAntiAffinity) object is there */
	uint32_t nrequired;
	const struct pod_term *required;
	uint32_t npreferred;
	const struct pod_term *preferred;
};

enum volume_kind {
	VOLUME_CLAIM,   /* persistentVolumeClaim */
	VOLUME_GCE_PD,  /* gcePersistentDisk */
	VOLUME_AWS_EBS, /* awsElasticBlockStore */
	VOLUME_AZURE_DISK,
	VOLUME_CINDER,
	VOLUME_ISCSI,
	VOLUME_RBD,
	VOLUME_PORTWORX,
	VOLUME_EPHEMERAL, /* ephemeral: a claim that the pod owns */
	VOLUME_OTHER,
};

/* Whether it stands for a claim; ephemeral ones do from 1.21 on. */
static inline bool
volume_is_claim(enum volume_kind kind, int release)
{
	return kind == VOLUME_CLAIM ||
	    (kind == VOLUME_EPHEMERAL && release >= 21);
}

/* Whether it counts, or may count, towards a limit of attached volumes. */
static inline bool
volume_is_attachable(enum volume_kind kind)
{
	return kind == VOLUME_CLAIM || kind == VOLUME_GCE_PD ||
	    kind == VOLUME_AWS_EBS || kind == VOLUME_AZURE_DISK ||
	    kind == VOLUME_CINDER || kind == VOLUME_PORTWORX ||
	    kind == VOLUME_EPHEMERAL;
}

/* Whether pods that have written in such a volume may shut each other out. */
static inline bool
volume_is_disk(enum volume_kind kind)
{
	return kind == VOLUME_GCE_PD || kind == VOLUME_AWS_EBS ||
	    kind == VOLUME_ISCSI || kind == VOLUME_RBD;
}

struct volume {
	enum volume_kind kind;
	bool read_only;
	/* claimName, pdName, volumeID, diskName, volumeID, iqn, image,
	 * volumeID, the name of the claim: POD-VOLUME */
	sym id;
	/* The name that the CSI driver of the kind has for it
	 * (objects/in_tree.h); SYM_EMPTY: it has none. */
	sym handle;
	/* Of an ephemeral volume: the uid of its pod (SYM_NONE: it has none),
	 * and the name. */
	sym owner, owner_name;
	sym pool; /* rbd */
	uint32_t nmonitors;
	const sym *monitors; /* rbd */
};

/* spec.topologySpreadConstraints[] */
struct spread_constraint {
	int64_t max_skew;
	int64_t min_domains; /* 1 if absent */
	sym topology_key;
	bool hard;             /* whenUnsatisfiable: DoNotSchedule */
	bool ignores_affinity; /* nodeAffinityPolicy: Ignore; absent: Honor */
	bool honors_taints;    /* nodeTaintsPolicy: Honor; absent: Ignore */
	struct selector selector;
	uint32_t nmatch_keys;
	const sym *match_keys; /* matchLabelKeys */
};

/* spec.resourceClaims[], with its entry in the pod's status. */
struct pod_resource_claim {
	sym name;     /* in the pod */
	sym claim;    /* of the ResourceClaim; SYM_NONE: see created */
	bool created; /* there is one, or none is needed */
	bool from_template;
	sym owner; /* from a template: the pod's uid; SYM_NONE: it has none */
};

/* An extended resource in the requests of one container. */
struct container_resource {
	sym name, of;       /* of: the container's name */
	uint32_t container; /* init containers come first */
	uint32_t place;     /* of the name among its requests, sorted */
	bool ends;          /* an init container that is no sidecar */
	int64_t count;      /* > 0 */
};

struct confines;

/* The resources that a pod requests while it waits, and holds on a node. */
struct pod_requests {
	const struct resources *pending, *held;
};

/*
 * A pod's requests in the eyes of scores (doc/semantics/11-kube-1.36.md,
 * Resources): a container that says nothing of cpu or memory counts as one that
 * requests 100m or 200 MiB.
 */
struct nonzero_requests {
	int64_t cpu_milli, memory;
};

/* Of a pod while it waits, and on a node. */
struct scored_requests {
	struct nonzero_requests pending, held;
};

/* Features that a node must declare (status.declaredFeatures) to run a pod. */
enum declared_feature {
	FEATURE_RESTART_ALL = 1 << 0,
	FEATURE_HOST_NETWORK_USERS = 1 << 1,
};

/* Whether devices can stand for the resource: it is extended, or names a class of
 * devices. */
bool resource_is_of_devices(const char *name);

/* The bit of a feature's name; 0 for those that no pod requires. */
unsigned declared_feature_parse(const char *name);

struct pod_class {
	unsigned refs;
	struct arena arena;
	uint64_t hash;
	uint64_t serial; /* no other class has had it, also one that is gone */
	size_t charge;   /* in budget.h */

	/*
	 * Confines (objects/confines.h), and the class of the same pods without
	 * any.  Both NULL where nothing confines the pods, and for pods that have
	 * a node.
	 */
	const struct confines *confines;
	const struct pod_class *plain;

	sym namespace;
	struct labels labels;
	bool terminating;   /* deletionTimestamp is set */
	sym scheduler_name; /* "" is already "default-scheduler" */

	/* The ownerReference with controller=true; SYM_NONE if it is absent. */
	sym controller_kind;
	sym controller_uid;
	sym controller_name;
	sym controller_version; /* apiVersion */
	bool of_daemon_set;     /* any ownerReference is one to a DaemonSet */
	bool host_network;
	/* The first ownerReference to a StickyJob; SYM_NONE if it is absent. */
	sym sticky_job, sticky_job_uid;

	/*
	 * requested: the request of a pending pod, max(sum of the containers,
	 * each init container).  held: the request of an assigned pod, the sum
	 * of the containers alone (kube-scheduler 1.15).  From 1.18 on both are
	 * `full`: requested plus overhead, sidecars counted as containers.  From
	 * 1.27 on quantities are added exactly and resizes count, from 1.32 on
	 * requests at pod level, too (objects/pod_requests.h).
	 */
	struct resources requested;
	struct resources held;
	struct resources full;
	struct pod_requests from_27, from_32; /* often of full */
	bool level_cpu, level_memory;         /* spec.resources requests it */
	/* For scoring: absent cpu counts as 100m, absent memory as 200 MiB;
	 * app containers only (doc/semantics/03-priorities.md, Non-zero
	 * requests). */
	int64_t nonzero_cpu_milli;
	int64_t nonzero_memory;
	/* The same as profiles count it since 1.20, 1.27 and 1.32: init containers,
	 * overhead and, in the last, resizes and requests at pod level. */
	struct scored_requests scored_20, scored_27, scored_32;
	struct nonzero_requests scored_bare; /* scored_20 without overhead */
	struct resources limits;             /* as requested, of limits */
	bool best_effort;                    /* QoS, app containers only */

	/* hostPort > 0; first the app containers', then those of sidecars, which
	 * count from 1.34 on. */
	uint32_t nports, napp_ports;
	const struct host_port *ports;

	uint32_t nimages;
	const sym *images; /* one per app container, with tag, repeats kept */
	/* Of init containers, and behind them of image volumes. */
	uint32_t nother_images, ninit_containers;
	const sym *other_images;

	uint32_t ntolerations;
	const struct toleration *tolerations;

	struct labels node_selector;
	bool has_required_node_affinity; /* required… is there, maybe empty */
	struct node_selector required_node_affinity;
	uint32_t npreferred_nodes;
	const struct preferred_node_term *preferred_nodes;

	struct pod_terms affinity;
	struct pod_terms anti_affinity;

	uint32_t nvolumes;
	const struct volume *volumes;

	uint32_t nresource_claims;
	const struct pod_resource_claim *resource_claims;

	uint32_t nextended;
	const struct container_resource *extended;

	uint32_t nspread;
	const struct spread_constraint *spread;

	/* The pod asks for more than objects/limits.h allows, with this message,
	 * and is not scheduled; the list in question is empty here.  NULL: it
	 * does not. */
	const char *over_limit;

	/* A set of enum unsupported (steering.h): the fields it has. */
	uint32_t unsupported;

	uint32_t ngates;            /* schedulingGates */
	const sym *gates;           /* their names */
	unsigned required_features; /* enum declared_feature, or-ed */
};

/* Parts of a class, for rules to say at which of them they look. */
enum aspect {
	ASPECT_NOTHING = 1 << 0,    /* no part of it: 0 may mean all of them */
	ASPECT_CONTROLLER = 1 << 1, /* kind and uid */
	ASPECT_REQUESTS = 1 << 2,
	ASPECT_LIMITS = 1 << 3,
	ASPECT_QOS = 1 << 4,
	ASPECT_IMAGES = 1 << 5,
	ASPECT_PORTS = 1 << 6,
	ASPECT_TOLERATIONS = 1 << 7,
	ASPECT_NODE_AFFINITY = 1 << 8, /* and nodeSelector */
	ASPECT_VOLUMES = 1 << 9,
	ASPECT_CONFINES = 1 << 10,
	ASPECT_POD_AFFINITY = 1 << 11, /* and anti-affinity */
	ASPECT_FEATURES = 1 << 12,
	ASPECT_UNSUPPORTED = 1 << 13, /* unsupported fields */
	ASPECT_OTHERS = 1 << 14, /* namespace, labels, all that is not named */
	ASPECT_ALL = (1 << 15) - 1,
	ASPECT_DISKS = 1 << 15, /* of ASPECT_VOLUMES: volume_is_disk() */
};

enum pod_phase {
	POD_UNKNOWN, /* also absent or unknown text */
	POD_PENDING,
	POD_RUNNING,
	POD_SUCCEEDED,
	POD_FAILED,
};

struct pod {
	struct object object; /* object.kind == OBJECT_POD */
	const struct pod_class *class;
	int32_t priority; /* absent is 0 */
	bool has_priority;
	sym priority_class;  /* spec.priorityClassName, SYM_EMPTY for none */
	bool never_preempts; /* spec.preemptionPolicy: Never */
	enum pod_phase phase;
	sym node;      /* spec.nodeName, SYM_EMPTY while unbound */
	sym nominated; /* status.nominatedNodeName, SYM_EMPTY for none */
	/* The first condition DisruptionTarget says that a scheduler preempts it. */
	bool preempted;
	bool ready;         /* the first condition Ready is True */
	int64_t generation; /* metadata.generation, 0 if absent */
	bool has_start_time;
	int64_t start_seconds; /* status.startTime */
	int32_t start_nanoseconds;
};

static inline bool
pod_has_ended(const struct pod *pod)
{
	return pod->phase == POD_SUCCEEDED || pod->phase == POD_FAILED;
}

/* An absent uid becomes "namespace/name" and an absent namespace "default". */
void pod_read(struct decoder *d, struct object *object);

/* The same pod bound to another node, without confines; you own it. */
struct pod *pod_on_node(const struct pod *pod, sym node);
/* One more pod like it, on no node, with a name and uid of its own that n goes
 * into; you own it. */
struct pod *pod_replica(const struct pod *pod, uint64_t n);
/* The same pod nominated to another node (SYM_EMPTY for none); you own it. */
struct pod *pod_nominated_to(const struct pod *pod, sym node);

/* The same pod within these confines instead of those it has, NULL for none; you
 * own it (it may be the same object).  confines is copied. */
struct pod *pod_confined(const struct pod *pod,
    const struct confines *confines);

struct pod *pod_ref(const struct pod *pod);
void pod_unref(struct pod *pod);
/* For object_unref(): drops the references that the pod holds. */
void pod_fini(struct pod *pod);

/* "namespace/name" in a static buffer, valid until the next call. */
const char *pod_full_name(const struct pod *pod);

/* The class is freed with its last reference; unref accepts NULL. */
const struct pod_class *pod_class_ref(const struct pod_class *class);
void pod_class_unref(const struct pod_class *class);

/*
 * The class of the same pods within these confines, NULL for none; class may be
 * confined itself.  Classes of equal confines are one pointer.  You own a
 * reference; confines is copied.
 */
const struct pod_class *pod_class_confined(const struct pod_class *class,
    const struct confines *confines);

/* These aspects of the class as a row of *n bytes, the same bytes for the same
 * aspects; valid until the next call that creates or returns a class. */
const void *pod_class_aspects(const struct pod_class *class, unsigned aspects,
    size_t *n);

/* How many distinct classes there are now, for tests and metrics. */
size_t pod_class_count(void);

/* "" is EFFECT_ANY. */
enum taint_effect taint_effect_parse(const char *text);

/* node's member "tolerations", an array of objects. */
const struct toleration *decode_tolerations(struct decoder *d,
    const struct doc_node *node, uint32_t *n);

/* Gt and Lt tolerate nothing unless `comparisons` is set. */
bool toleration_tolerates(const struct toleration *t, bool comparisons, sym key,
    sym value, enum taint_effect effect, sym effect_text);

/* Whether it has any affinity or anti-affinity term about other pods. */
static inline bool
pod_class_has_terms(const struct pod_class *class)
{
	return class->affinity.nrequired + class->affinity.npreferred +
	    class->anti_affinity.nrequired + class->anti_affinity.npreferred >
	    0;
}

/* Whether the class certainly has nothing in these aspects, which may be none (0):
 * then it is not certain. */
static inline bool
pod_class_lacks(const struct pod_class *class, unsigned aspects)
{
	return (aspects == ASPECT_VOLUMES && class->nvolumes == 0) ||
	    (aspects == ASPECT_POD_AFFINITY && !pod_class_has_terms(class));
}

/* Whether one of these terms has a selector that cannot be used. */
bool pod_class_has_broken_term(const struct pod_class *class);

/* The weight of a preferred anti-affinity term.  Weights are 32 bits wide in the API,
 * where -(-2^31) is -2^31. */
static inline int64_t
weight_of_avoiding(int64_t weight)
{
	return (int32_t)(0 - (uint32_t)weight);
}

/* Whether the namespace is the i-th of the term's for the first time: users may
 * name one repeatedly. */
bool pod_term_names_first(const struct pod_term *term, uint32_t i);

/* Whether the pod's namespace is one of the term's and its labels match.  Which
 * namespaces it selects does not count: cluster/term_scope.h. */
bool pod_term_matches(const struct pod_term *term, const struct pod_class *pod);
/* The same, but a term that selects namespaces is compared by labels alone; class: NULL
 * matches none. */
bool pod_term_may_match(const struct pod_term *term,
    const struct pod_class *class);
bool pod_term_has_namespace(const struct pod_term *term, sym namespace);

/* Whether one of these terms has a namespaceSelector. */
bool pod_terms_select_namespaces(const struct pod_terms *terms);

#endif
