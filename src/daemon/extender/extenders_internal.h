/* Shared by the files about extenders. */
#ifndef EXTENDER_EXTENDERS_INTERNAL_H
#define EXTENDER_EXTENDERS_INTERNAL_H

#include "base/json_out.h"
#include "daemon/extender/extenders.h"
#include "decide/framework/profile.h"

struct api_client;
struct doc_node;

struct one_extender {
	const struct extender *config;
	struct metrics *metrics; /* NULL: none */
	char *url;               /* also when the profile is retired */
	int64_t timeout_ms;      /* of a whole request */
	struct api_client *client;
	size_t nrunning; /* calls under way */
};

struct extenders {
	struct event_base *base;
	struct cluster *cluster;
	struct documents *documents;
	const struct profile *profile;
	size_t n;
	struct one_extender *all;
};

/* Whether it has this verb, and manages such pods. */
bool extender_handles(const struct one_extender *extender, const char *verb,
    const struct pod_class *class);

/* ---- HTTP (extender_http.c) ---- */

/* Nothing is sent yet.  It must not move. */
void one_extender_init(struct one_extender *extender, struct event_base *base,
    struct metrics *metrics, const struct extender *config);
/* Calls are given up.  Not from within done(). */
void one_extender_fini(struct one_extender *extender);

/* From the event loop, once: the answer, or NULL and the reason.  Both are valid
 * during the call. */
typedef void extender_done(void *arg, const struct doc_node *answer,
    const char *error);

struct extender_call;
struct extender_call *extender_post(struct one_extender *extender,
    const char *verb, const char *body, extender_done *done, void *arg);
/* done() is not called after this; accepts NULL. */
void extender_cancel(struct extender_call *call);

/* ---- requests and answers (extender_json.c, extender_eviction.c) ---- */

/* ExtenderArgs: names alone when by_name, else the objects' documents.  You own
 * it; NULL: the pod's document is not there. */
char *extender_args(const struct extenders *extenders, const struct pod *pod,
    const sym *nodes, size_t n, bool by_name);

struct named_refusal {
	sym node; /* SYM_NONE: one that we do not know */
	const char *reason;
	bool forever;
};

/* An ExtenderFilterResult; texts are the document's, arrays are owned. */
struct filter_result {
	size_t nleft, nrefusals, left_cap, refusals_cap;
	sym *left;
	struct named_refusal *refusals;
};

void filter_result_fini(struct filter_result *result);
/* asked: the nodes of the request.  -1: err, maybe the extender's own. */
int filter_result_read(const struct one_extender *extender,
    const struct doc_node *answer, const sym *asked, size_t nasked,
    struct filter_result *out, struct err *err);

struct node_score {
	sym node;
	int64_t score;
};

/* A HostPriorityList; you own *out.  Nodes that we do not know are left out. */
int node_scores_read(const struct doc_node *answer, struct node_score **out,
    size_t *n, struct err *err);

/* A node and the pods that are to leave it. */
struct leaving {
	sym node;
	size_t n;
	struct pod **pods; /* references */
	unsigned violations;
};

/* Frees the array, too. */
void leaving_free(struct leaving *victims, size_t n);
/* An ExtenderPreemptionResult: the candidates left; you own *out. */
int leaving_read(const struct extenders *extenders,
    const struct one_extender *extender, const struct doc_node *answer,
    struct leaving **out, size_t *n, struct err *err);

/* The member with this key in any case, as Go reads it; NULL if it is absent or
 * null. */
const struct doc_node *extender_member(const struct doc_node *object,
    const char *key);
/* The extender's error; NULL: none. */
const char *extender_error(const struct doc_node *answer);

#endif
