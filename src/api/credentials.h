/*
 * What we show to the API server, and what it must show to us: the files that
 * an api_config names are read again when they change (service account tokens
 * and certificates are rotated while we run), and the exec program is asked
 * again when its credential expires or is rejected.
 *
 * A change that cannot be used (a certificate whose key has not followed yet,
 * a file that is gone) is passed over; what was there before stays.
 */
#ifndef API_CREDENTIALS_H
#define API_CREDENTIALS_H

#include <stdbool.h>
#include <stddef.h>

struct api_config;
struct err;
struct event_base;

enum credentials_state {
	CREDENTIALS_READY,
	CREDENTIALS_PENDING, /* the exec program runs; on_change will come */
	CREDENTIALS_FAILED,
};

/* PEM texts; NULL: none.  Valid until the next credentials_check(). */
struct credentials_tls {
	bool insecure;
	const char *ca, *certificate, *key;
};

struct credentials;

/* config must outlive it.  on_change is called from the event loop when a
 * PENDING state is over, one way or the other. */
struct credentials *credentials_new(struct event_base *base,
    const struct api_config *config, void (*on_change)(void *arg), void *arg);
void credentials_free(struct credentials *credentials);

/* Whether the files are there and make sense: what a request would have to show
 * or trust.  The exec program is not run. */
int credentials_validate(const struct api_config *config, struct err *err);

/* To be asked before each request; looks at files at most once a second.
 * FAILED: there is nothing usable, err says why. */
enum credentials_state credentials_check(
    struct credentials *credentials, struct err *err);

/* The value of the header Authorization, or NULL. */
const char *credentials_authorization(const struct credentials *credentials);

/* Grows when what credentials_tls() gives has changed: connections made before
 * are then those of somebody else. */
unsigned credentials_generation(const struct credentials *credentials);
struct credentials_tls credentials_tls(const struct credentials *credentials);

/* The server answered 401: look again at once.  Whether it makes sense to
 * repeat the request: not when nothing could have changed since the last time
 * somebody said so. */
bool credentials_rejected(struct credentials *credentials);

#endif
