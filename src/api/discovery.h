/*
 * Which of several API versions of a resource the server has.
 */
#ifndef API_DISCOVERY_H
#define API_DISCOVERY_H

#include <stdbool.h>

#include "api/client.h"

struct discovery;

/*
 * versions, NULL-terminated, are tried in their order ("v1", "policy/v1", …).
 * done is called once, later: with the first that serves the resource, with
 * NULL and no response when none does, or with NULL and the response that kept
 * us from knowing.  versions and resource must outlive it.
 */
struct discovery *discovery_start(struct api_client *client,
    const char *resource, const char *const *versions,
    void (*done)(void *arg, const char *version,
	const struct api_response *response),
    void *arg);
/* done is not called; accepts NULL. */
void discovery_cancel(struct discovery *discovery);

/* "/api/v1" or "/apis/policy/v1"; you own it. */
char *discovery_root(const char *version);

/* Whether an APIResourceList has a resource of this name. */
bool discovery_lists(const char *body, size_t len, const char *resource);

#endif
