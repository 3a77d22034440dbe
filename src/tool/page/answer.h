/*
 * The JSON interface (doc/web.md): one request about a view, one reply.  The
 * question may change the view's cluster: it is asked in a process of its own.
 */
#ifndef PAGE_ANSWER_H
#define PAGE_ANSWER_H

#include "base/text.h"
#include "policy/policy.h"
#include "explain/whatif/whatif.h"

struct evkeyvalq;
struct web_reply;
struct web_request;

/*
 * The subject of the page: a cluster as it was loaded, and the policy in force.
 *
 * Nothing in it is owned, and nothing in it changes while it is shown: every question
 * is answered by a process of its own (keeper.h), on its own copy of the memory.
 */
struct web_view {
	uint64_t
	    generation; /* differs whenever the cluster or the policy does */
	const char *source; /* where the cluster comes from, for people */
	struct cluster *cluster;
	size_t npods;
	struct pod *const *pods; /* running, pending and ended ones */
	size_t nleft_out;        /* pods that cannot be decoded, on no node */

	const struct profiles *profiles;
	bool is_configuration;   /* else a policy */
	const char *policy_name; /* of the file, for messages */
	/* For people: "the file x", or NULL where none is known and the default
	 * provider decides; why it is this release of Kubernetes, or NULL where it
	 * is only assumed. */
	const char *policy_from, *release_from;
	const char *policy; /* the text; NULL: the default provider's */
	size_t policy_len;
	struct policy_options policy_options; /* for other policies */

	/* As in struct whatif. */
	uint64_t seed;
	whatif_serving *serving;
	const void *serving_arg;
	/* One more cluster with the same objects, ready for these profiles;
	 * it ends with the process. */
	struct cluster *(
	    *copy)(const void *arg, const struct profiles *profiles);
	const void *copy_arg;
	/* Answers a path that is a command of predicatectl, with what `-o json` prints
	 * about this view. */
	void (*command)(const void *arg, const struct web_request *request,
	    struct web_reply *reply);
	const void *command_arg;
};

struct web_request {
	const char *path; /* "/api/v1/nodes" */
	bool post;
	const struct evkeyvalq *query;
	const char *body; /* NUL follows it */
	size_t len;
};

struct web_reply {
	int status;
	struct text body; /* JSON */
};

/* Whether there is such a path at all, and whether it is read or posted to. */
bool web_has_path(const char *path, bool *get, bool *post);

/* The path is there, with this method. */
void web_answer(const struct web_view *view, const struct web_request *request,
    struct web_reply *reply);

#endif
