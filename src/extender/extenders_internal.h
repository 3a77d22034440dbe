/* Shared by the files about extenders. */
#ifndef EXTENDER_EXTENDERS_INTERNAL_H
#define EXTENDER_EXTENDERS_INTERNAL_H

#include "api/extender.h"
#include "base/json_out.h"
#include "extender/extenders.h"
#include "framework/profile.h"

struct doc_node;
struct err;
struct object;

struct one_extender {
	const struct extender *config;
	struct api_extender *http;
	struct metrics *metrics;
	char *url; /* for them, also when it is retired */
};

struct extenders {
	struct event_base *base;
	struct cluster *cluster;
	struct documents *documents;
	const struct profile *profile;
	size_t n;
	struct one_extender *all;
};

bool extender_wants(const struct one_extender *extender,
    const struct pod_class *class);

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
/* ExtenderPreemptionArgs: uids alone when by_uid, else the pods' documents.
 * You own it; NULL: the pod's document is not there. */
char *extender_preemption_args(const struct extenders *extenders,
    const struct pod *pod, const struct leaving *victims, size_t n,
    bool by_uid);
/* An ExtenderPreemptionResult: the candidates left; you own *out. */
int leaving_read(const struct extenders *extenders,
    const struct one_extender *extender, const struct doc_node *answer,
    struct leaving **out, size_t *n, struct err *err);

/* The extender's error; NULL: none. */
const char *extender_error(const struct doc_node *answer);

#endif
