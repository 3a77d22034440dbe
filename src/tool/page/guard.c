#include "config.h"

#include "tool/page/guard.h"

#include <errno.h>
#include <event2/http.h>
#include <event2/keyvalq_struct.h>
#include <openssl/crypto.h>
#include <stdio.h>
#include <strings.h>
#include <sys/queue.h>
#include <sys/random.h>

#define BEARER "Bearer "

int
guard_init(struct guard *guard, struct err *err)
{
	unsigned char bytes[GUARD_TOKEN_BYTES];

	if (getrandom(bytes, sizeof(bytes), 0) != (ssize_t)sizeof(bytes))
		return errf(err, "cannot get random bytes: %s",
		    strerror(errno));
	for (size_t i = 0; i < sizeof(bytes); i++)
		snprintf(guard->token + 2 * i, 3, "%02x", bytes[i]);
	return 0;
}

/* The header's only value, "" if it is absent; NULL: there are several. */
static const char *
only_value(const struct evkeyvalq *headers, const char *name)
{
	const struct evkeyval *header;
	const char *value = NULL;

	TAILQ_FOREACH (header, headers, next) {
		if (strcasecmp(header->key, name) != 0)
			continue;
		if (value != NULL)
			return NULL;
		value = header->value;
	}
	return value != NULL ? value : "";
}

/* "127.0.0.1:PORT" or "localhost:PORT" */
static bool
is_us(const struct guard *guard, const char *host)
{
	static const char *const names[] = { "127.0.0.1", "localhost" };
	char ours[32];

	for (size_t i = 0; host != NULL && i < LENGTH(names); i++) {
		snprintf(ours, sizeof(ours), "%s:%d", names[i], guard->port);
		if (strcasecmp(host, ours) == 0)
			return true;
	}
	return false;
}

/* Programs that are no browser send no Origin. */
static bool
is_our_origin(const struct guard *guard, const char *origin)
{
	static const char scheme[] = "http://";

	if (origin == NULL || *origin == '\0')
		return origin != NULL;
	return strncmp(origin, scheme, sizeof(scheme) - 1) == 0 &&
	    is_us(guard, origin + sizeof(scheme) - 1);
}

/* The headers by which a browser names the page that asks. */
static bool
is_our_site(const char *site)
{
	return site != NULL &&
	    (*site == '\0' || strcmp(site, "same-origin") == 0 ||
		strcmp(site, "none") == 0);
}

/* Takes the same time whatever the text is. */
static bool
has_token(const struct guard *guard, const char *authorization)
{
	size_t len = sizeof(BEARER) - 1;

	return authorization != NULL &&
	    strlen(authorization) == len + strlen(guard->token) &&
	    strncasecmp(authorization, BEARER, len) == 0 &&
	    CRYPTO_memcmp(authorization + len, guard->token,
		strlen(guard->token)) == 0;
}

int
guard_check(const struct guard *guard, const struct evkeyvalq *headers,
    bool secret, const char **why)
{
	if (!is_us(guard, only_value(headers, "Host"))) {
		*why = "the header Host is not this server's address";
		return 403;
	}
	if (!is_our_origin(guard, only_value(headers, "Origin"))) {
		*why = "the header Origin is another page's";
		return 403;
	}
	if (!secret)
		return 0;
	if (!is_our_site(only_value(headers, "Sec-Fetch-Site"))) {
		*why = "the request comes from another site";
		return 403;
	}
	if (!has_token(guard, only_value(headers, "Authorization"))) {
		*why = "the token is missing or wrong: open the URL that "
		       "predicatectl web has printed";
		return 401;
	}
	return 0;
}
