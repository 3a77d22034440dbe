/* Paths of requests to the API server. */
#ifndef API_PATHS_H
#define API_PATHS_H

struct text;

/* "/api/v1" or "/apis/policy/v1"; you own it. */
char *path_of_version(const char *version);
/* "/apis/apps/v1/namespaces/ns/replicasets"; namespace NULL: of all, or outside
 * them.  You own it. */
char *path_of_collection(const char *version, const char *namespace,
    const char *resource);
/* The same of one object, with subresource "/status" or, for none, "". */
char *path_of_object(const char *version, const char *namespace,
    const char *resource, const char *name, const char *subresource);

/* Appends "?key=value" or "&key=value", the value escaped; NULL: nothing. */
void path_put_parameter(struct text *path, const char *key, const char *value);

#endif
