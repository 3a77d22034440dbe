/*
 * Who may ask the page's server.  It listens on the loopback address alone, which
 * every program and every user of the machine can reach, and web pages, too: a
 * browser sends requests of any page to it.
 *
 *	Host is another name than ours       ─▶ 403  (DNS rebinding)
 *	Origin is another page's             ─▶ 403  (cross-site requests)
 *	JSON without the token               ─▶ 401
 *
 * The token stands behind the "#" of the URL, which browsers send to no server, and
 * comes back in the header Authorization, which pages of other origins cannot set.
 * A cookie would go to every port of this address.  The page's own files hold
 * nothing secret and need no token.
 */
#ifndef PAGE_GUARD_H
#define PAGE_GUARD_H

struct evkeyvalq;

#define GUARD_TOKEN_BYTES 16

struct guard {
	int port;
	char token[2 * GUARD_TOKEN_BYTES + 1]; /* hexadecimal */
};

/* Fills the token with random bytes of the kernel. */
int guard_init(struct guard *guard, struct err *err);

/* 0: it may; else the HTTP status, and *why is a sentence.  secret: the token is
 * needed. */
int guard_check(const struct guard *guard, const struct evkeyvalq *headers,
    bool secret, const char **why);

#endif
