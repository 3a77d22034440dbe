/*
 * Our own HTTP server, with TLS or without: health, metrics, and pages.  Speaks
 * HTTP/1.1 on an event loop.
 *
 *	request ─▶ known path? ─▶ may this user? ─▶ handler ─▶ reply
 *	            404, 405        401, 403, 500
 *
 * Built in: /healthz, /livez, /readyz, and with TLS /version.  Other paths are
 * registered with server_handle().  Without TLS requests are not authenticated: that is for
 * the probes of kubeadm's and OpenShift's manifests for Kubernetes up to 1.22, and for
 * scrapers of metrics configured with them.
 *
 * Health answers as kube-scheduler's: "ok", or with ?verbose (and always when a
 * check fails, with status 500) a line for each check; ?exclude=<name> leaves
 * one out.  Each check is also at /healthz/<name> and so on.  "ping" is always
 * there and always good.
 *
 * The certificate is read again when its files change; if the new ones are not
 * valid, the old ones stay.  Without files a self-signed one lives in memory.
 *
 * Clients cannot keep us busy: the number of connections, in all and from one
 * address, the size of a request and the time for it are limited, and so are the
 * questions to the API server (auth.h).  A newcomer always gets a place: that of
 * an older connection that waits for its client.
 */
#ifndef HTTP_SERVER_H
#define HTTP_SERVER_H

#include "base/json_out.h"

struct auth;
struct event_base;
struct evkeyvalq;
struct health;
struct metrics;

/* Texts are not copied: they outlive the server. */
struct server_options {
	const char *bind_address;    /* NULL: 0.0.0.0, the same as "::" */
	int port;                    /* 0: any that is free (for tests) */
	const struct health *health; /* not owned; NULL: no health paths */
	bool insecure; /* without TLS; users may see all that is registered */
	const char *cert_file, *key_file; /* PEM; both, or neither */
	/* --cert-dir: without cert_file, kube-scheduler.crt and .key in here,
	 * which are made (self-signed) when they do not exist.  NULL or "": in
	 * memory. */
	const char *cert_dir;
	const char *min_version; /* "VersionTLS12"; NULL or "": that */
	/* Go's (IANA's) names, NULL-terminated; NULL: those with forward secrecy
	 * and authenticated encryption.  Has no effect on TLS 1.3, as in Go. */
	const char *const *cipher_suites;
	/* 0: the default, which follows each. */
	unsigned max_connections; /* 200; one more closes the oldest that is
				   * not being answered; fewer with a low
				   * ulimit -n */
	unsigned handshake_ms;    /* 10 s, for TLS */
	unsigned request_ms;      /* 10 s, for a request to arrive */
	unsigned idle_ms;         /* 90 s, between requests */
	unsigned max_per_address; /* as max_connections; 0: no such limit */
	size_t max_unsent;        /* 64 MB of answers; then 429 until clients
				   * have read them */
	size_t max_body;          /* 16 kB, of a request */
};

struct server;

/* Checks the options as server_new() would, without opening a port (--check). */
int server_check_options(const struct server_options *options, struct err *err);

/*
 * Listens at once; answers come when the loop runs.  Until server_set_auth(),
 * every path but the health paths answers 403.
 */
struct server *server_new(struct event_base *base,
    const struct server_options *options, struct err *err);
/* Ends all connections; accepts NULL.  Free it before its auth. */
void server_free(struct server *server);

/* Not owned.  NULL: as before it was set. */
void server_set_auth(struct server *server, struct auth *auth);
/* Counts requests, and answers /metrics.  Not owned. */
void server_set_metrics(struct server *server, struct metrics *metrics);

/* The port, which matters with options->port 0. */
int server_port(const struct server *server);

/* Looks at the certificate's files now (SIGHUP), instead of within a minute. */
void server_reload(struct server *server);

enum server_endpoints {
	SERVER_HEALTHZ = 1 << 0,
	SERVER_LIVEZ = 1 << 1,
	SERVER_READYZ = 1 << 2,
	SERVER_EVERYWHERE = SERVER_HEALTHZ | SERVER_LIVEZ | SERVER_READYZ,
};

/*
 * A check of this name ("leaderElection", "informer-sync") at these endpoints.
 * check() returns 0, or -1 with the reason in err, which only replies to
 * /healthz/<name> contain.  The name is not copied.
 */
void health_add(struct health *health, const char *name, unsigned endpoints,
    int (*check)(void *arg, struct err *err), void *arg);
struct health *health_new(void);
void health_free(struct health *health); /* accepts NULL */

/* The part of a URL behind the "?". */
struct query_pair {
	char *name, *value;
};

struct query {
	struct query_pair *pairs;
	size_t n, cap;
	const char *path, *accept; /* of the request; not owned */
};

/* encoded: the text after "?"; NULL: none. */
void query_init(struct query *query, const char *encoded);
void query_fini(struct query *query);
/* The first value of this name, unescaped; "" when it stands without one; NULL
 * when it is not there. */
const char *query_get(const struct query *query, const char *name);

/* 200 and text/plain unless the handler says otherwise. */
struct reply {
	int status;
	const char *content_type; /* not copied */
	struct text body;         /* taken */
	/* More headers, names and values in turn up to a NULL, which replace the
	 * usual ones of these names; not copied.  NULL: none. */
	const char *const *headers;
};

/* Status and a sentence with a line break. */
void reply_error(struct reply *reply, int status, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
#define SERVER_JSON "application/json"

enum server_pace {
	SERVER_AT_ONCE,
	/*
	 * For pages whose cost grows with the cluster.  All of them together get about
	 * a tenth of the loop's time: after each, the next waits nine times as long as
	 * that one took, at most 2 s, and so do the clients, in the order in which they
	 * asked.
	 */
	SERVER_PACED,
	/*
	 * For pages that take long, or change what they are about: each is answered by
	 * a copy of this process, one at a time; the next page that is paced waits a
	 * tenth of a second at least.  503: there is none; 500, 504: it has ended, or
	 * takes too long.
	 */
	SERVER_APART,
};

/* GET and HEAD of this path, exactly.  The path is copied; the first of two that
 * are equal wins.  Before the loop runs. */
void server_handle(struct server *server, const char *path,
    enum server_pace pace,
    void (*handle)(void *arg, const struct query *query, struct reply *reply),
    void *arg);

/* A request that is answered now or later; valid until then. */
struct server_request {
	bool get, post;   /* get: or HEAD; neither: another method */
	const char *host; /* of the request line; NULL: none, as usual */
	const char *path; /* unescaped */
	const char *encoded_query; /* "": none */
	const struct query *query;
	const struct evkeyvalq *headers;
	const char *body; /* without a NUL */
	size_t len;
};

/* All requests, for a server without TLS that has no other paths; each is for
 * server_answer() once, before the server is freed. */
void server_take_all(struct server *server,
    void (*take)(void *arg, struct server_request *request), void *arg);
/* Takes the reply's body. */
void server_answer(struct server_request *request, struct reply *reply);

#endif
