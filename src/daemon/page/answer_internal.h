/* Shared by the files that answer. */
#ifndef DAEMON_PAGE_ANSWER_INTERNAL_H
#define DAEMON_PAGE_ANSWER_INTERNAL_H

#include "base/arena.h"
#include "base/json_out.h"
#include "daemon/page/answer.h"
#include "wire/http/server.h"

/* A question while it is answered. */
struct page_question {
	const struct web_view *view;
	const struct server_request *request;
	struct reply *reply;
	struct json_out json;
	struct arena arena;
};

/* Replaces the reply: {"error": sentence}. */
void answer_error(struct page_question *a, int status, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* A parameter of the query; NULL: it is not there. */
const char *asked_text(const struct page_question *a, const char *name);
/* A whole number of the query, within [0, most]; otherwise `usual`. */
size_t asked_number(const struct page_question *a, const char *name,
    size_t usual, size_t most);
/* Whether the text has the part that the query's q names, in any case. */
bool asked_matches(const struct page_question *a, const char *text);

/* Opens the reply's object, with the view's generation. */
void answer_open(struct page_question *a);
void answer_close(struct page_question *a);

/* A whatif about the view with these profiles, on this cluster. */
void asked_whatif(const struct page_question *a, struct whatif *w,
    struct cluster *cluster, const struct profiles *profiles);

/* Fills *q with all pods that wait; waiting_fini() it. */
struct waiting;
void asked_queue(struct page_question *a, struct waiting *q, struct whatif *w);

/* The view's cluster, or one more for a later release's profiles.  It may be
 * changed, and ends with the process. */
struct cluster *asked_cluster(const struct page_question *a,
    const struct profiles *profiles);

/* The pod NS/NAME that the query's name names; NULL: the reply is an error. */
const struct pod *asked_pod_of(struct page_question *a);

enum pod_state { POD_PLACED, POD_WAITING, POD_ENDED, POD_STATES };
enum pod_state pod_state(const struct pod *pod);
/* The member "requests" of a pod. */
void answer_requests(struct page_question *a, const struct pod *pod);

struct balance;
/* The members "requested", a column for each resource, of the nodes by name, and
 * "stranded", the places of those that strand it. */
void answer_requested(struct page_question *a, const struct cluster *cluster,
    const struct balance *balance);

/* The members "profiles": their rules. */
void answer_profiles(struct page_question *a, const struct profiles *profiles);
/* answer_pod() by other profiles. */
void answer_pod_by(struct page_question *a, const struct profiles *profiles);

/* One function for each path. */
void answer_cluster(struct page_question *a);
void answer_nodes(struct page_question *a);
void answer_labels(struct page_question *a);
void answer_node(struct page_question *a);
void answer_pods(struct page_question *a);
void answer_pending(struct page_question *a);
void answer_reasons(struct page_question *a);
void answer_pod(struct page_question *a);
void answer_policy(struct page_question *a);

#endif
