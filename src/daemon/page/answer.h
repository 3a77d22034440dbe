/*
 * The JSON about a cluster, of both pages (doc/web.md): one request about a view, one
 * reply.  The question may change the view's cluster: it is asked in a process of its
 * own.
 */
#ifndef DAEMON_PAGE_ANSWER_H
#define DAEMON_PAGE_ANSWER_H

#include "base/text.h"
#include "policy/policy.h"
#include "explain/whatif/whatif.h"

struct page_question;
struct reply;
struct server_request;

struct web_copy {
	struct cluster *cluster;
	size_t npods;
	struct pod *const *pods;
};

/*
 * The subject of the page: a cluster as it was loaded, and the policy in force.
 *
 * Nothing in it is owned, and nothing in it changes while it is shown: every question
 * is answered by a process of its own, on its own copy of the memory.
 */
struct web_view {
	uint64_t
	    generation; /* differs whenever the cluster or the policy does */
	const char *source; /* where the cluster comes from, for people */
	struct cluster *cluster;
	size_t npods;
	struct pod *const *pods; /* running, pending and ended ones */
	size_t nleft_out;        /* pods that cannot be decoded, on no node */
	size_t most_rows;        /* pods in one reply */

	const struct profiles *profiles;
	/* As in struct whatif. */
	uint64_t seed;
	whatif_serving *serving;
	const void *serving_arg;

	/* The rest is of predicatectl's page; the daemon's has none of it. */
	bool is_configuration;   /* else a policy */
	const char *policy_name; /* of the file, for messages */
	/* For people: "the file x", or NULL where none is known and the default
	 * provider decides; why it is this release of Kubernetes, or NULL where it
	 * is only assumed. */
	const char *policy_from, *release_from;
	const char *policy; /* the text; NULL: the default provider's */
	size_t policy_len;
	struct policy_options policy_options; /* for other policies */
	/* One more cluster with the same objects, ready for these profiles, or one of
	 * so many parts of it; it ends with the process. */
	struct web_copy (*copy)(const void *arg,
	    const struct profiles *profiles, unsigned part, unsigned nparts);
	/* Answers a path that is a command of predicatectl, with what `-o json` prints
	 * about this view. */
	void (*command)(const void *arg, const struct server_request *request,
	    struct reply *reply);
	const void *arg; /* of these two */
};

/* The name behind the last "/" of a path, as "nodes"; NULL: there are no more. */
const char *answer_name(size_t i);
bool answer_has(const char *name);

/* Answers the request's path, which has such a name; or with `answer`, unless it is
 * NULL. */
void answer_with(const struct web_view *view,
    const struct server_request *request, struct reply *reply,
    void (*answer)(struct page_question *a));

#endif
