/*
 * Authentication and authorisation of requests, delegated to the API server, as
 * kube-scheduler does it.
 *
 *	client certificate of the front proxy ─▶ the user in its headers
 *	client certificate                    ─▶ CN is the user, each O a group
 *	Authorization: Bearer …               ─▶ TokenReview
 *	none of them                          ─▶ system:anonymous
 *
 *	a path that is always allowed, or a user in system:masters   ─▶ yes
 *	otherwise                             ─▶ SubjectAccessReview (path, verb)
 *
 * A request with an invalid certificate or token is not anonymous but
 * unauthenticated, unless another of these ways succeeds.  Any failure is a no.
 *
 * The certificate authorities are those of the options' files and of the
 * ConfigMap kube-system/extension-apiserver-authentication; both are read again
 * every minute.  Answers of the API server are cached for a while.
 *
 * The reference: k8s.io/apiserver, pkg/authentication/authenticatorfactory and
 * pkg/authorization/authorizerfactory (1.20).
 */
#ifndef HTTP_AUTH_H
#define HTTP_AUTH_H

#include <openssl/x509.h>

struct api_client;
struct event_base;
struct evkeyvalq;

/* Texts and lists (NULL-terminated) are not copied: they outlive the auth. */
struct auth_options {
	/* Where tokens and the ConfigMap are looked up; NULL: neither is. */
	struct api_client *authentication;
	/* The server for SubjectAccessReviews; NULL: none, so that only
	 * always_allow_paths and system:masters are allowed. */
	struct api_client *authorization;
	const char *client_ca_file; /* NULL or "": only the ConfigMap's */
	bool skip_lookup;           /* the ConfigMap is not read */
	/* With it a failure of the first look at the ConfigMap is only logged;
	 * without it on_failure is called. */
	bool tolerate_lookup_failure;
	void (*on_failure)(void *arg, const char *sentence);
	void *arg;
	/* --requestheader-*; with the file given, these count and not the
	 * ConfigMap's.  Lists NULL: any name; X-Remote-User; X-Remote-Group;
	 * X-Remote-Extra-. */
	const char *requestheader_client_ca_file;
	const char *const *requestheader_allowed_names;
	const char *const *requestheader_username_headers;
	const char *const *requestheader_group_headers;
	const char *const *requestheader_extra_prefixes;
	/* "*" at the end stands for any rest.  NULL: /healthz /livez /readyz. */
	const char *const *always_allow_paths;
	/* How long answers are kept; 0: not at all. */
	int64_t token_ttl_ms, authorized_ttl_ms, unauthorized_ttl_ms;
};

struct auth;

/* Fails only when a file of the options is no good.  The clients outlive it. */
struct auth *auth_new(struct event_base *base,
    const struct auth_options *options, struct err *err);
/* Drops the request, without an answer.  Accepts NULL. */
void auth_free(struct auth *auth);

/* Checks the options as auth_new() would. */
int auth_check_options(const struct auth_options *options, struct err *err);

/* Looks at files and ConfigMap now (SIGHUP), instead of within a minute. */
void auth_reload(struct auth *auth);

/* Valid during auth_ask(). */
struct auth_request {
	const char *method; /* "GET" */
	const char *path;   /* without its query */
	const struct evkeyvalq *headers;
	/* The certificate whose key the client has proved to own; NULL: none.
	 * chain: the certificates sent along, may be NULL. */
	X509 *certificate;
	STACK_OF(X509) * chain;
};

#define AUTH_ANONYMOUS "system:anonymous" /* the user without credentials */

enum auth_outcome {
	AUTH_ALLOWED,
	AUTH_UNAUTHENTICATED,
	AUTH_FORBIDDEN,
	AUTH_UNKNOWN, /* it could not be found out */
};

/* Valid during the call of done. */
struct auth_answer {
	enum auth_outcome outcome;
	const char *user;   /* NULL when unauthenticated */
	const char *reason; /* "" or a sentence */
	/* "" or ": " and the flags without which the user or the right is not
	 * known; NULL if allowed. */
	const char *missing;
};

/*
 * Calls done exactly once, unless cancelled: either before it returns, then the
 * result is NULL, or later from the event loop, up to when the result is valid.
 */
struct auth_call;
struct auth_call *auth_ask(struct auth *auth,
    const struct auth_request *request,
    void (*done)(void *arg, const struct auth_answer *answer), void *arg);
/* Accepts NULL. */
void auth_cancel(struct auth_call *call);

#endif
