/*
 * What would let a pod in, as data: the kinds of remedies in the order in which they
 * are advised, and the changes as patches of objects.
 */
#ifndef EXPLAIN_REMEDY_H
#define EXPLAIN_REMEDY_H

struct json_out;
struct node;
struct node_info;
struct pod;
struct pod_class;
struct remedy;

/* The least harm first, then the least effort. */
enum remedy_kind {
	REMEDY_SPELL, /* what was meant */
	REMEDY_WAIT,  /* it happens by itself */
	REMEDY_UNCORDON,
	REMEDY_READY, /* a node is mended */
	REMEDY_TOLERATE,
	REMEDY_REQUEST,
	REMEDY_TERMS, /* of the pod: selectors, affinity, spread */
	REMEDY_LABEL, /* of a node */
	REMEDY_PRIORITY,
	REMEDY_PROVIDE,     /* a claim or a volume */
	REMEDY_NODE,        /* one more */
	REMEDY_OTHER_TERMS, /* that some node meets: the pod is then another one */
	REMEDY_MOVE,
	REMEDY_OTHER_HOST, /* than one that is there: likewise another pod */
	REMEDY_LESS,       /* requests of less than half: likewise */
	REMEDY_OTHER_NODE, /* one more, of a kind that is not there */
	REMEDY_DELETE,
	REMEDY_KINDS,
};

/* The words of "kind", "harm" and "who" (remedies_json()). */
struct remedy_words {
	const char *kind, *harm, *who;
};

extern const struct remedy_words remedy_words[REMEDY_KINDS];

struct remedy {
	enum remedy_kind kind; /* the most harmful of its parts */
	const char *text;      /* an imperative */
	bool proven;           /* with its changes the pod fits */
	const char *changes;   /* JSON objects with commas between them */
};

/*
 * "remedies", a member: a list, best first, of objects with "text", "kind", "harm"
 * ("none", "pod", "node", "cost", "others" or "work": what suffers), "who" does it,
 * "proven" and "changes".  A change is {"op": "merge", "kind", "namespace", "name",
 * "patch"} with a JSON merge patch, {"op": "delete", "kind", "namespace", "name"} or
 * {"op": "add", "object"}; namespace is null for nodes.
 */
void remedies_json(struct json_out *json, size_t n,
    const struct remedy *remedies);

/* Begins a change that is a merge patch: an object that ends after its value, which
 * follows. */
void change_merge(struct json_out *json, const char *kind,
    const char *namespace, const char *name);
void change_delete(struct json_out *json, const struct pod *pod);

/* The patch of a pod for each part in which its class is another now. */
void change_pod(struct json_out *json, const struct pod *pod,
    const struct pod_class *class, int32_t priority);
/* The same of a node: its labels, taints, conditions and whether it is cordoned. */
void change_node(struct json_out *json, const struct node *from,
    const struct node *to);
/* A new pod on a node: what it takes of it. */
void change_add_pod(struct json_out *json, const struct pod *pod);
/* A new node. */
void change_add_node(struct json_out *json, const struct node *node);

#endif
