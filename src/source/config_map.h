/*
 * One text in one ConfigMap: read once, which shows errors in it or in our
 * rights, then watched.
 *
 * An API server that cannot be reached is waited for.  A refusal for lack of
 * rights is retried for ten seconds after the API server came back, because it
 * may not know our rights yet.
 */
#ifndef SOURCE_CONFIG_MAP_H
#define SOURCE_CONFIG_MAP_H

#include <stddef.h>

struct api_client;
struct config_map;

struct config_map_spec {
	const char *namespace, *name;
	const char *key;  /* of the text, in data */
	const char *what; /* for the log: "watching <name>: it failed" */
};

struct config_map_ops {
	/* The text as it is now, which may be the same again. */
	void (*text)(void *arg, const char *text, size_t len);
	/* There is no text; why, in kube-scheduler's words. */
	void (*nothing)(void *arg, const char *why);
};

/* Starts at once; spec and ops are copied.  Callbacks come from the event loop;
 * none may call config_map_free(). */
struct config_map *config_map_new(struct api_client *client,
    const struct config_map_spec *spec, const struct config_map_ops *ops,
    void *arg);
void config_map_free(struct config_map *map); /* accepts NULL */

/* Reads it once more, now. */
void config_map_look(struct config_map *map);

/* Of the object, for events; "" while it is not known. */
const char *config_map_uid(const struct config_map *map);
const char *config_map_resource_version(const struct config_map *map);

#endif
