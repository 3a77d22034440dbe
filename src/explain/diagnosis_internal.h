/* Between the files of the diagnosis: the obstacles, and the words for
 * it. */
#ifndef EXPLAIN_DIAGNOSIS_INTERNAL_H
#define EXPLAIN_DIAGNOSIS_INTERNAL_H

#include "base/text.h"
#include "decide/framework/cycle.h"
#include "explain/diagnosis.h"
#include "explain/explanation.h"
#include "explain/judge.h"
#include "explain/remedy.h"

/* The demands of a pod on a node, each of which can be left out. */
enum demand {
	DEMAND_VOLUMES,
	DEMAND_SELECTOR, /* nodeSelector, required node affinity */
	DEMAND_AFFINITY,
	DEMAND_ANTI_AFFINITY,
	DEMAND_LABELS, /* other pods' anti-affinity */
	DEMAND_SPREAD,
	DEMAND_PORTS,
	DEMAND_TOLERATIONS,
	DEMAND_REQUESTS,
	DEMAND_CONFINES,
	/* not the pod's: pods that are nominated to the node */
	DEMAND_NOMINATED,
	/* not the pod's: conditions of nodes, full nodes, rules with arguments */
	DEMAND_OTHER,
	DEMANDS,
};

#define BIT(demand) (1u << DEMAND_##demand)
#define EVERY_DEMAND ((1u << DEMAND_OTHER) - 1)

struct persistent_volume_claim;

/* A change of one demand that its sentence proposes. */
struct proposal {
	enum remedy_kind kind;
	enum demand demand;
	const char *action, *subject, *value, *text; /* struct diagnosis */
	/* With the demand changed; NULL: the pod's stays. */
	const struct pod_class *class;
	/* The node where pods leave or that itself changes; NULL: there is none. */
	const struct node_info *place;
	struct node *node; /* the place's, changed; NULL: it is as it was */
	const struct pod **moved;
	size_t nmoved;
	/* These get a volume with all that they ask. */
	size_t nclaims;
	const struct persistent_volume_claim *const *claims;
	/* It needs an object that is not there, and is not tried. */
	bool untried;
};

/* Proposals, of one or several demands, that let the pod in together; and what is
 * said of it, but for the other remedies. */
struct found {
	struct diagnosis said;
	struct remedy remedy;
	unsigned rank;
};

/* Pods that stand in the way on a node. */
struct way {
	const struct node_info *node;
	size_t n;
	const struct pod **pods;
};

struct inquiry {
	const struct explanation *e;
	struct cycle *cycle; /* of the explanation */
	struct arena *arena; /* of the results */
	uint32_t n;          /* nodes */
	unsigned *obstacles; /* by node: the demands that it does not meet */
	bool is_of_all; /* the sentence is about all nodes, and comes first */
	/* The nodes that the words are about: those with these obstacles. */
	unsigned chosen;
	uint32_t nchosen;
	/* By node: what its taints say, enum closed + 1; 0: they do not matter.  If
	 * chosen_closed is not 0: of the nodes those with that. */
	uint8_t *closed, chosen_closed;
	/* If not NULL: of them this one alone. */
	const struct node_info *only;
	/* If not SYM_NONE: of them those with this label, whose value the pod's
	 * selector has mistyped. */
	sym meant_key, meant_value;
	/* The pod's, above those of pods nominated to the chosen node. */
	int32_t priority;
	struct pod_terms anti_affinity; /* the pod's own_terms() */
	const struct resources *asked;  /* that it requests */
	enum demand saying;             /* the demand of the sentence */
	/* What is proposed for the chosen nodes, in the order of demands, and within a
	 * demand of preference. */
	size_t nproposals, proposals_cap;
	struct proposal *proposals;
	/* The nodes that the sentences name. */
	const struct node_info *named[DEMANDS];
	unsigned nnamed;
	size_t nfound, found_cap;
	struct found *found;
	struct diagnosis *d;
};

/* Gives the class these demands of another. */
void class_take(struct pod_class *c, const struct pod_class *from,
    unsigned demands);
/* The class without these demands; in the arena.  The caller may change it. */
struct pod_class *class_without(struct arena *arena,
    const struct pod_class *class, unsigned demands);

/* The pod's class with this one alone of the demands that keep it from the chosen
 * nodes: a change of it then decides. */
static inline struct pod_class *
class_with_alone(const struct inquiry *q, unsigned demand)
{
	return class_without(q->arena, q->cycle->class,
	    q->chosen & ~demand & EVERY_DEMAND);
}

/* How many nodes a pod of this class would fit on; 0 also after an error. */
uint32_t fits_with(const struct inquiry *q, const struct pod_class *class);

/* The node on which another pod fits once it has left its own and is out of the
 * way's node's domain;
 * NULL: none, and *why is the commonest reason of those that refuse it, NULL if there is
 * no such node. */
const struct node_info *new_place(const struct inquiry *q,
    const struct way *way, const struct pod *pod, const char **why);

/* Whether a pod of this class fits on the node as it is in *as, once these pods have
 * left their nodes. */
bool fits_changed(const struct inquiry *q, const struct pod_class *class,
    const struct node_info *node, const struct node *as, size_t n,
    const struct pod *const *pods);

/* ---- diagnosis_joint.c: what sentences propose is tried together ---- */

/*
 * Proposes a change of the demand of the sentence; action, subject, value and, as a
 * format and its arguments, the imperative as in struct diagnosis.  The functions below
 * say what it changes: of the pod, of a node or of pods that leave their nodes.  Valid
 * until the next one.
 */
#define propose(q, kind, action, subject, value, ...)                          \
	add_proposal((q), (kind), (action), (subject), (value),                \
	    arena_printf((q)->arena, __VA_ARGS__))
struct proposal *add_proposal(struct inquiry *q, enum remedy_kind kind,
    const char *action, const char *subject, const char *value,
    const char *text);

/* The same of a pod that becomes one of this class. */
#define propose_class(q, its, kind, action, subject, value, ...)               \
	(propose(q, kind, action, subject, value, __VA_ARGS__)->class = (its))
/* The same of what is not tried: in words alone, or an object to be provided. */
#define suggest(q, kind, ...)                                                  \
	(propose(q, kind, NULL, NULL, NULL, __VA_ARGS__)->untried = true)
#define suggest_object(q, subject, ...)                                        \
	(propose(q, REMEDY_PROVIDE, "provide", subject, "", __VA_ARGS__)       \
		->untried = true)

void proposal_moves(struct inquiry *q, struct proposal *p,
    const struct node_info *from, size_t n, const struct pod *const *pods);
/* A copy of the node, to be changed. */
struct node *proposal_node(struct inquiry *q, struct proposal *p,
    const struct node_info *node);
void proposal_labels(struct inquiry *q, struct proposal *p,
    const struct node_info *node, sym key, sym value);
/* Records that the sentence names this node. */
void name_node(struct inquiry *q, const struct node_info *node);

/* The changes of all these proposals. */
struct joint {
	size_t n;
	const struct proposal *parts[DEMANDS];
	struct pod_class *class; /* the pod's, with the changes */
	const struct node_info *place;
	struct node
	    *node; /* the place's, with the changes; NULL: it has none */
	const struct pod **moved;
	size_t nmoved;
	size_t nclaims;
	const struct persistent_volume_claim *const *claims;
	bool apart; /* changes at two places */
};

void joint_add(struct inquiry *q, struct joint *joint,
    const struct proposal *p);
/* Tries the proposals, for all of these demands, and keeps those that let the pod
 * in. */
void try_proposals(struct inquiry *q, unsigned demands);
/* Keeps the remedy if they do. */
void keep_joint(struct inquiry *q, const struct joint *joint);
/* Keeps it; changes: as in struct remedy. */
void keep_found(struct inquiry *q, const struct joint *joint, bool proven,
    const char *changes);
/* Changes of a node, in the arena: it gets this label, it loses the taints of these kinds
 * (1u << TAINT_OTHER, ...), or its conditions become good and their taints go. */
void labels_put(struct arena *arena, struct labels *labels, sym key, sym value);
void node_drop_taints(struct arena *arena, struct node *node, unsigned kinds);
void node_make_ready(struct arena *arena, struct node *node);

/* ---- diagnosis_provide.c: in a cluster that may be changed for a while ---- */

/* Puts a volume in for each of these claims, and binds the claim where that is not up
 * to the scheduler; *provided, in the arena, is what take_back_all() takes out. */
struct provided;
void provide_all(const struct inquiry *q, size_t n,
    const struct persistent_volume_claim *const *claims,
    struct provided **provided);
void take_back_all(const struct inquiry *q, size_t n,
    struct provided *provided);
/* The changes that do this; also after take_back_all(). */
void provided_changes(struct json_out *json, size_t n,
    const struct persistent_volume_claim *const *claims,
    const struct provided *provided);

/* ---- diagnosis_new_node.c ---- */

/* The node gets the labels that the pod's volumes ask of nodes and that it lacks,
 * which are added to the text; diagnosis_volumes.c. */
const char *give_places(const struct inquiry *q, const char *text,
    struct node *node);
/* Keeps one more node as a remedy, if that lets the pod in and the cluster may be
 * changed for a while. */
void try_new_node(struct inquiry *q);

static inline const struct node_info *
inquiry_node(const struct inquiry *q, uint32_t node)
{
	return q->cycle->cluster->nodes[node];
}

/* Each pod on each node, `there`; continue goes on with the next, break does not end it:
 *	EACH_POD (q, there, pod)
 *		statement;
 */
#define EACH_POD(q, there, pod)                                                \
	for (uint32_t i_ = 0; i_ < (q)->n; i_++)                               \
		for (const struct node_info *there = inquiry_node(q, i_);      \
		     there != NULL; there = NULL)                              \
			for (uint32_t j_ = 0; j_ < there->npods; j_++)         \
				for (const struct pod *pod = there->pods[j_];  \
				     pod != NULL; pod = NULL)

/* Whether any node has a label with this key. */
static inline bool
has_label(const struct inquiry *q, sym key)
{
	return ANY(i, q->n,
	    labels_get(&inquiry_node(q, i)->node->labels, key) != SYM_NONE);
}

/* Whether the node has the label that was mistyped, if one was. */
static inline bool
is_meant(const struct inquiry *q, uint32_t node)
{
	return q->meant_key == SYM_NONE ||
	    labels_get(&inquiry_node(q, node)->node->labels, q->meant_key) ==
	    q->meant_value;
}

static inline bool
is_chosen(const struct inquiry *q, uint32_t node)
{
	return q->obstacles[node] == q->chosen &&
	    (q->chosen_closed == 0 || q->closed[node] == q->chosen_closed) &&
	    (q->only == NULL || q->only->index == node) && is_meant(q, node);
}

/* Sets the sentence of the diagnosis. */
#define describe(q, ...) ((q)->d->text = arena_printf((q)->arena, __VA_ARGS__))

/* "zone=a" */
static inline const char *
pair_text(const struct inquiry *q, sym key, sym value)
{
	return arena_printf(q->arena, "%s=%s", sym_text(key), sym_text(value));
}

/* "d/a, d/b, d/c and 4 more" */
const char *pod_names(struct arena *arena, size_t n,
    const struct pod *const *pods);

/* Of a resource: "31.92", "500m", "122Gi"; at_most: rounded down. */
const char *amount_text(struct arena *arena, const char *name, int64_t n,
    bool at_most);
/* "app=web,tier in (a,b)" */
const char *selector_text(struct arena *arena, const struct selector *s);

/* As pod_names(), of the pods nominated to the node for which this one must leave room. */
const char *nominated_names(const struct cycle *cycle,
    const struct node_info *node);

/* Whether the pod on that node is in the way on this one by the anti-affinity of the
 * sentence. */
bool is_separated_by_affinity(const struct inquiry *q,
    const struct node_info *node, const struct pod *pod,
    const struct node_info *there);

/* Proposes to move the pods, or to delete those that fit nowhere else. */
void advise_move(struct inquiry *q, const struct way *way);
/* Proposes that they go first, if all are of an earlier revision of its Deployment. */
void advise_rollout(struct inquiry *q, const struct way *way);
/* The same of the least important pod whose deletion makes room on the node. */
void advise_room(struct inquiry *q, const struct node_info *node);

/* Where nodes have a resource from. */
enum provision {
	PROVISION_OF_NODES, /* new ones have it if they are large enough */
	PROVISION_OF_PLUGIN, /* a device plugin, of which nothing is to be seen */
	PROVISION_FAILS,     /* a device plugin that has none */
};

enum provision provision_of(const struct inquiry *q, const char *name);

/* What keeps the pod away by its taints, from the most to the least that is to be
 * done about it by hand. */
enum closed {
	CLOSED_CORDONED,
	CLOSED_TAINTED,
	CLOSED_BOTH,
	CLOSED_FOR_A_ROLE,
	CLOSED_UNREADY, /* beside others, maybe */
	CLOSED_REMOVED, /* about to go: nothing */
};

enum closed closed_by(const struct inquiry *q, const struct node_info *node);

/* Each fills q->d for one demand, about the chosen nodes. */
void describe_volumes(struct inquiry *q);
/* Of describe_volumes(): others use a claim that one pod at a time may use.  False: none. */
bool describe_claim_in_use(struct inquiry *q);
void describe_selector(struct inquiry *q);
void describe_affinity(struct inquiry *q);
void describe_avoided(struct inquiry *q); /* or by this pod's anti-affinity */
/* Whether other pods' anti-affinity keeps pods of this class from the node. */
bool is_avoided_at(const struct inquiry *q, const struct pod_class *class,
    const struct node_info *node);
void describe_spread(struct inquiry *q);
void describe_ports(struct inquiry *q);
void describe_taints(struct inquiry *q);
void describe_requests(struct inquiry *q);
void describe_confines(struct inquiry *q);
void describe_nominated(struct inquiry *q);
void describe_other(struct inquiry *q);

/* The first of the chosen nodes, by name. */
const struct node_info *first_chosen(const struct inquiry *q);

/* Fills meant_key and meant_value, if no node has a label that the pod selects and some
 * have one that is alike. */
void find_intended_nodes(struct inquiry *q);

#endif
