/* What the server's parts know of each other. */
#ifndef DAEMON_SERVER_INTERNAL_H
#define DAEMON_SERVER_INTERNAL_H

#include <openssl/ssl.h>
#include <stdbool.h>
#include <stddef.h>

#include "daemon/server.h"

/* server_query.c */

struct query_pair {
	char *name, *value;
};

struct query {
	struct query_pair *pairs;
	size_t n, cap;
};

/* encoded: what stands behind "?"; NULL: nothing. */
void query_init(struct query *query, const char *encoded);
void query_fini(struct query *query);

/* server_health.c */

struct health;
struct health *health_new(void);
void health_free(struct health *health);
void health_add(struct health *health, const char *name, unsigned endpoints,
    int (*check)(void *arg, struct err *err), void *arg);
/* "/healthz", "/readyz/ping", …; false: there is no such path, and reply is
 * as it was.  reply NULL: only tells whether there is. */
bool health_answer(const struct health *health, const char *path,
    const struct query *query, struct reply *reply);

/* server_tls.c */

struct tls;
struct tls *tls_new(const struct server_options *options, struct err *err);
void tls_free(struct tls *tls);
/* For one connection that was accepted; you own it, never NULL.  The client's
 * certificate is asked for and not checked, but that it has the key is. */
SSL *tls_session(const struct tls *tls);
/* Looks whether the files have changed, and logs what came of it. */
void tls_refresh(struct tls *tls);

#endif
