/*
 * Why a pod does not go to a node, and the changes after which it does, all of which
 * have been made and decided again together; a rule is left out only if it must be.
 */
#ifndef WHATIF_WHY_NOT_H
#define WHATIF_WHY_NOT_H

#include "base/arena.h"
#include "base/sym.h"

struct json_out;
struct whatif;
struct pod;

/* Highest weight that is proposed. */
#define WHY_NOT_WEIGHT 100

/* The priority's weight that brings the pod to the node; 0: without it. */
struct why_not_weight {
	const char *name;
	int64_t weight, instead_of;
};

struct why_not {
	struct arena arena;
	bool served;       /* false: no profile decides about it, and no more */
	sym chosen;        /* now; SYM_NONE: none */
	bool fits;         /* now */
	const char *error; /* the attempt fails as a whole; or NULL */
	size_t nreasons;   /* of the node, now */
	const char **reasons;
	/* With all of them the pod fits, as sentences: "tolerate
	 * dedicated=gpu:NoSchedule"; those of the diagnosis, then rules. */
	size_t nchanges;
	const char **changes;
	bool fits_then;  /* with these */
	sym chosen_then; /* with these */
	/* Besides the changes, one of these; the smallest step first. */
	size_t nweights;
	struct why_not_weight *weights;
};

/* Fills *r for a pod on no node and a node that is there.  The cluster is
 * afterwards as it was. */
void why_not_find(struct why_not *r, struct whatif *w, const struct pod *pod,
    sym node);
void why_not_fini(struct why_not *r);

/* The members of `predicatectl why-not -o json`, but for the pod and the node. */
void why_not_json(struct json_out *json, const struct why_not *r);

#endif
