/*
 * Our credentials for the API server, and the authorities that we trust: the
 * files that an api_config names are read again when they change (service
 * account tokens and certificates are rotated while we run), and the exec
 * program runs again when its credential expires or is rejected.
 *
 * An unusable change (a certificate without its new key, a deleted file) is
 * ignored; the previous credentials stay in use.
 */
#ifndef API_CREDENTIALS_H
#define API_CREDENTIALS_H

struct api_config;
struct event_base;

enum credentials_state {
	CREDENTIALS_READY,
	CREDENTIALS_PENDING, /* the exec program runs; on_change will come */
	CREDENTIALS_FAILED,
};

/* PEM texts; NULL: none.  Valid until the next credentials_check(). */
struct credentials_tls {
	const char *ca, *certificate, *key;
};

struct credentials;

/* config must outlive it.  on_change is called from the event loop when a
 * PENDING state is over, one way or the other. */
struct credentials *credentials_new(struct event_base *base,
    const struct api_config *config, void (*on_change)(void *arg), void *arg);
void credentials_free(struct credentials *credentials);

/* Whether the files with credentials and authorities exist and are valid.  Does
 * not run the exec program. */
int credentials_validate(const struct api_config *config, struct err *err);

/* Call this before each request; it checks the files at most once a second.
 * FAILED: no usable credentials, err has the reason. */
enum credentials_state credentials_check(struct credentials *credentials,
    struct err *err);

/* The value of the header Authorization, or NULL. */
const char *credentials_authorization(const struct credentials *credentials);

/* Increases when the result of credentials_tls() has changed: earlier
 * connections then have outdated credentials. */
unsigned credentials_generation(const struct credentials *credentials);
struct credentials_tls credentials_tls(const struct credentials *credentials);

/* After a 401 response: checks the files again at once.  Returns whether to
 * repeat the request: not if the credentials cannot have changed since the last
 * 401. */
bool credentials_rejected(struct credentials *credentials);

#endif
