/*
 * Which of several API versions of a resource the server has, and its release.
 */
#ifndef API_DISCOVERY_H
#define API_DISCOVERY_H

#include "wire/api/client.h"

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

/* The minor of {"major":"1","minor":"20+"}, the response to GET /version, if need
 * be of its gitVersion; -1: it has none. */
int version_minor(const struct api_response *response);

#endif
