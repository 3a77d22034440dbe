/* Shared by the server's files. */
#ifndef HTTP_SERVER_INTERNAL_H
#define HTTP_SERVER_INTERNAL_H

#include <openssl/ssl.h>

#include "wire/http/server.h"

struct evconnlistener;
struct event_base;
struct evhttp;
struct evhttp_request;
struct tls;

/* head.c: the lines before a request's body, as RFC 9112 has them and no other way,
 * since what stands between may read them differently from libevent. */

struct head {
	unsigned nlines;
	bool has_body; /* or says so; what comes next is no line then */
};
enum head_line { HEAD_GOES_ON, HEAD_ENDS, HEAD_BROKEN };
/* line is without the line feed, and changed; a NUL follows it. */
enum head_line head_take(struct head *head, char *line, size_t len);

/* server_connections.c */

/* The client that a connection counts for: an IPv4 address, or the first 64 bits
 * of one of IPv6. */
struct peer {
	int family;
	unsigned char bytes[8];
};
bool peer_equal(const struct peer *a, const struct peer *b);

struct connections;
/* Has http make its connections here.  tls NULL: without TLS. */
struct connections *connections_new(struct event_base *base,
    struct evhttp *http, struct evconnlistener *listener, const struct tls *tls,
    const struct server_options *options);
/* Before http is freed.  Accepts NULL. */
void connections_free(struct connections *connections);
/* Wakes a listener that had to pause, if there is room. */
void connections_resume(struct connections *connections);
/* How many had to make room for others since the last call. */
unsigned connections_evicted(struct connections *connections);
/* How many bytes of answers wait for their clients to read them. */
size_t connections_unsent(const struct connections *connections);
/* A request is being answered: its connection has no time limit. */
void connection_busy(struct connections *connections,
    struct evhttp_request *request);
/* The answer is about to be sent: the time limits hold again.  Returns whether no
 * request can follow this one. */
bool connection_answered(struct connections *connections,
    struct evhttp_request *request);
/* The request's user was authenticated. */
void connection_known(struct connections *connections,
    struct evhttp_request *request);
/* Not yours; NULL: the connection has ended. */
const struct peer *connection_peer(const struct connections *connections,
    struct evhttp_request *request);
/* NULL: it has ended, or has no TLS. */
SSL *connection_ssl(struct evhttp_request *request);

/* server_health.c */

/* "/healthz", "/readyz/ping", …; false: the path is unknown, and reply is as it
 * was.  reply NULL: only looks the path up; health NULL: all are unknown. */
bool health_answer(const struct health *health, const char *path,
    const struct query *query, struct reply *reply);

/* server_tls.c */

/* write: makes the files in --cert-dir if there are none. */
struct tls *tls_new(const struct server_options *options, bool write,
    struct err *err);
void tls_free(struct tls *tls);
/* For one connection that was accepted; you own it, never NULL.  The client's
 * certificate is asked for and not checked, but that it has the key is. */
SSL *tls_session(const struct tls *tls);
/* Checks whether the files have changed, and logs the result.  Accepts NULL. */
void tls_refresh(struct tls *tls);

#endif
