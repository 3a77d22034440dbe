/*
 * Questions about a cluster that is not so yet: the cluster is changed, pods are
 * decided about, and the differences are counted.  Pure: nothing is read or
 * printed here, and the same cluster, profiles and seed give the same answer.
 */
#ifndef WHATIF_WHATIF_H
#define WHATIF_WHATIF_H

#include "base/arena.h"
#include "decide/framework/cycle.h"
#include "decide/framework/profiles.h"
#include "decide/sched/decide.h"

struct ecache;

/* The profile that decides about the pod; NULL: none does. */
typedef const struct profile *whatif_serving(const void *arg,
    const struct profiles *profiles, const struct pod *pod);
/* By the pod's schedulerName alone; arg is not used. */
whatif_serving whatif_by_name;

struct whatif {
	struct cluster *cluster;         /* not owned; it is changed */
	const struct profiles *profiles; /* not owned */
	uint64_t seed;
	whatif_serving *serving;
	const void *serving_arg;

	/* The rest is filled by whatif_init(). */
	struct ecache **ecaches; /* by profile */
	struct arena arena;      /* of the last decision */
	struct cycle cycle;      /* likewise */
	sym stay; /* likewise: on this node if none is better; SYM_NONE: any */
};

/* The members before the rest are set. */
void whatif_init(struct whatif *w);
void whatif_fini(struct whatif *w);

/* Begins a cycle about the pod, as whatif_decide() does.  False: no profile serves
 * it. */
bool whatif_begin(struct whatif *w, const struct pod *pod, uint64_t n);

/*
 * Decides about the pod, on no node, with the seed of the n-th pod of this
 * question.  NULL: no profile serves it.  The decision is valid until the next
 * call, w->cycle belongs to it.
 */
struct decision *whatif_decide(struct whatif *w, const struct pod *pod,
    uint64_t n);

/* The same; the pod gets this node if none is better (SYM_NONE: the seed picks). */
struct decision *whatif_decide_staying(struct whatif *w, const struct pod *pod,
    uint64_t n, sym node);
/* The same after whatif_begin(); w->cycle may have been changed since. */
struct decision *whatif_decide_begun(struct whatif *w, sym node);

/* The node's name; SYM_NONE: no decision, or none. */
static inline sym
whatif_chosen(const struct decision *d)
{
	return d != NULL && d->chosen != NULL ? d->chosen->name : SYM_NONE;
}

/* Decides about the pod of w's cycle again, without cached results and with the
 * scores of every rule for every node; valid until the next decision. */
struct decision *whatif_decide_again(struct whatif *w);

/* The reasons first to first + n - 1 as texts about the node; in the arena. */
const char **whatif_reasons(struct arena *arena, const struct why *why,
    uint32_t first, uint32_t n, sym node);

/* Its place in w->profiles. */
size_t whatif_place_of(const struct whatif *w, const struct profile *profile);

/* Puts the pod on the node, with the volumes and devices that it gets there.  -1: the
 * cluster does not take it. */
int whatif_place(struct whatif *w, const struct pod *pod, sym node,
    struct err *err);

/* The pod of a node as one that waits, without a nomination; you own it. */
struct pod *whatif_waiting(const struct whatif *w, const struct pod *pod);

/* The same, and the cluster no longer has it. */
struct pod *whatif_lift(struct whatif *w, const struct pod *pod);

/* The claims and volumes of a cluster, which whatif_place() may bind: as they were. */
struct whatif_claims {
	size_t n, cap;
	struct object **at; /* owned */
};

void whatif_claims_save(struct whatif_claims *claims,
    const struct cluster *cluster);
/* Puts back those that are others now. */
void whatif_claims_restore(const struct whatif_claims *claims,
    struct cluster *cluster);
void whatif_claims_fini(struct whatif_claims *claims);

/* The text of a decision that placed nothing, or of no decision: the message of
 * FailedScheduling; in the arena. */
const char *whatif_message(struct whatif *w, struct decision *decision,
    const struct pod *pod, struct arena *arena);

/* The reasons of a decision that placed nothing, each once, with "*" for names of
 * nodes, so that pods that wait for the same thing share them.  In the cycle's arena. */
const char *whatif_summary(struct cycle *cycle, const struct decision *d);

/* Why the pod stays on its node whatever is asked, in words; NULL: it may go. */
const char *whatif_why_stays(const struct pod *pod);

/* Whether the pod is one of those that are taken off their nodes and placed again:
 * it can be decoded, has not ended, waits for nothing else and may go. */
bool whatif_may_move(const struct pod *pod);

/* In the order in which the scheduler's queue has them: higher priority first, then
 * the older, then by namespace and name. */
int whatif_compare_pods(const struct pod *a, const struct pod *b);

/* The same of arrays of pods, or of structs whose first member is one. */
int whatif_compare_first_pods(const void *a, const void *b);
/* Likewise, by namespace and name alone. */
int whatif_compare_names(const void *a, const void *b);

/* A budget that the API server asks before it evicts pods of a question. */
struct whatif_budget {
	const struct pod_disruption_budget *budget;
	int64_t allowed; /* disruptions that are left */
	uint32_t npods;  /* counted by the caller */
};

struct whatif_budgets {
	size_t n, cap;
	struct whatif_budget **at; /* in the arena, each budget once */
};

/* The next of those that the API server asks before it evicts the pod, which is added
 * unless it is there; *at is 0 before the first.  NULL: there is none. */
struct whatif_budget *whatif_next_budget(struct whatif_budgets *budgets,
    struct arena *arena, const struct cluster *cluster, const struct pod *pod,
    size_t *at);

#endif
