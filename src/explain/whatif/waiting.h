/*
 * The pods that wait, in the order of the queue, and what becomes of each: each is
 * placed before the next one is decided about, as the scheduler does it.  This is the
 * one verdict of the page and of all commands.
 *
 * Only pods change: no controller replaces an evicted pod, and a pod that is left is
 * not tried again.
 */
#ifndef WHATIF_WAITING_H
#define WHATIF_WAITING_H

#include "base/arena.h"
#include "explain/whatif/whatif.h"

struct json_out;
struct node;

enum waiting_status {
	WAITING_LATER, /* it has not been its turn */
	WAITING_GOES,
	WAITING_BEHIND, /* by itself it fits; those before it take the room */
	WAITING_STAYS,  /* it fits nowhere */
	WAITING_HELD,   /* it is not tried */
};

struct waiting_pod {
	const struct pod *pod; /* not owned */
	size_t order;          /* in the input */
	enum waiting_status status;
	sym node;       /* where it goes; SYM_NONE: nowhere */
	sym alone;      /* BEHIND: where it would go by itself */
	size_t before;  /* pods that were placed before its turn */
	bool nominated; /* by preemption */
	/* Unless it goes: the message of FailedScheduling, and the same without counts
	 * of nodes; equal texts at one address. */
	const char *message, *summary;
};

struct waiting_eviction {
	struct pod *pod; /* owned */
	sym node;
	const struct pod *by;
};

/* One line about a pod: those of one class and priority have the same. */
struct finding {
	const struct pod *pod; /* the first of its class and priority */
	const char *node;      /* it fits there; NULL: nowhere */
	/* As in struct diagnosis; cause and remedy "": there is none. */
	const char *cause, *text, *remedy;
	const char *action, *subject;
	bool proven;
};

/* More nodes are not proposed. */
#define MORE_NODES_MOST 5000

/* Kinds of nodes that are proposed together. */
#define MORE_KINDS 6

/* How many more nodes let those in that get no node. */
struct more_nodes {
	/* Of each kind, after those before it, as few as possible: with one fewer
	 * not as many pods get one.  The first lets in the most. */
	size_t nkinds;
	struct more_kind {
		sym like;       /* that node's like */
		size_t nnodes;  /* how many */
		size_t nplaced; /* pods that get a node then */
		size_t nfewer;  /* with one node fewer */
	} kinds[MORE_KINDS];
	size_t nleft;        /* pods that get no node without them */
	size_t nplaced;      /* of these, with them */
	bool *placed;        /* by place in the queue */
	const char *changes; /* as in struct remedy */
};

struct waiting {
	struct whatif *w; /* not owned */
	bool each; /* nothing is placed: each as if it were the only one */
	bool preempt;
	struct arena arena;
	size_t n, next; /* next: whose turn it is */
	struct waiting_pod *pods;
	size_t nplaced, ndecisions;
	size_t nevictions, evictions_cap;
	struct waiting_eviction *evictions;
	struct whatif_claims claims;
	struct more_nodes more;
	struct {
		size_t n, cap;
		struct finding *at;
	} findings; /* about those that stay */
	/* One of each class and priority that gets no node. */
	size_t nkinds, kinds_cap;
	const struct waiting_pod **kinds;
};

/* Fills *q with these pods; the members each and preempt may be set afterwards. */
void waiting_init(struct waiting *q, struct whatif *w, size_t n,
    const struct pod *const *pods);
/* The cluster must be as it was. */
void waiting_fini(struct waiting *q);

/* Goes on until it has been the turn of `until` pods. */
void waiting_run(struct waiting *q, size_t until);

/* After the turns of all pods: tries each of the kinds of nodes that are there, or the
 * template alone, as more nodes, and fills q->more.  NULL: there is no template. */
void waiting_find_nodes(struct waiting *q, const struct node *template);

/* The pods at these places, which were placed in this order, wait again as they did. */
void waiting_lift(struct waiting *q, const size_t *places, size_t n);

/* Takes what was placed off its node again and brings back what was evicted, so that
 * the cluster is as it was, and finds out who would fit by itself. */
void waiting_end(struct waiting *q);

/* The place of the pod of this name in q->pods; q->n: it does not wait. */
size_t waiting_place(const struct waiting *q, const struct pod *pod);

/* What is to be done for those that more nodes let in, an imperative in q->arena; "":
 * nothing helps them. */
const char *waiting_nodes_text(struct waiting *q);
/* "moreNodes", a member: an object, or null. */
void waiting_nodes_json(const struct waiting *q, struct json_out *json);

/* "goes", "behind", "stays", "held" or "later". */
const char *waiting_status_name(enum waiting_status status);

/* After waiting_end(), of a pod whose turn it has been: what is said of it, and what
 * would help it.  Texts are in q->arena. */
struct finding waiting_finding(struct waiting *q, size_t i);

/* Until it has been the turn of the pod at this place, and of all where that matters to
 * it or there is a template; then waiting_end().  Nothing of place q->n. */
void waiting_turn(struct waiting *q, size_t i, const struct node *template);
/* After it: e has the decision that is made about the pod now, and gets what its turn
 * says beside that.  Valid as long as q. */
struct explanation;
void waiting_explain(struct waiting *q, size_t i, struct explanation *e);

#endif
