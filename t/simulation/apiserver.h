/*
 * A model of the API server: objects with resourceVersions, lists, watches with a
 * window of history, and the rules that its writes keep.  It knows nothing of the
 * network (network.c), and of who asks only the name.
 */
#ifndef T_SIMULATION_APISERVER_H
#define T_SIMULATION_APISERVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct json_object;
struct watcher;

struct request {
	const char *who; /* of a daemon: its identity as a leader */
	const char *method, *path, *body;
	int64_t sent; /* in loop_now()'s time */
	bool late;    /* its sender looked for its effect a while ago */
};

struct reply {
	int status;
	char *body; /* malloc()ed */
	/* 0; seconds. */
	int retry_after;
	/* Of a watch: with 200, in place of a body. */
	struct watcher *watcher;
};

/* Of Kubernetes 1.MINOR; lists come in pages of so many objects; 0: in one. */
void apiserver_reset(int minor, size_t objects_in_a_page);
int apiserver_minor(void);
/* It says so from now on; its objects stay. */
void apiserver_upgrade(int minor);

/* A daemon's request. */
struct reply apiserver_handle(const struct request *request);

/*
 * A watch.  tell() gets each line in order, beginning with what has happened since the
 * watch's resourceVersion; line NULL: the server ends the watch.  The caller closes it,
 * also after that.
 */
void watcher_start(struct watcher *watcher,
    void (*tell)(void *arg, const char *line), void *arg);
void watcher_close(struct watcher *watcher);

/* What the world does.  Objects are never changed in place: take a copy, change that,
 * and put it. */

/* NULL: there is none. */
struct json_object *apiserver_get(const char *resource, const char *namespace,
    const char *name);
struct json_object *apiserver_copy(const char *resource, const char *namespace,
    const char *name);
/* Creates or replaces; takes the object, which names its kind. */
void apiserver_put(const char *resource, struct json_object *object);
void apiserver_delete(const char *resource, const char *namespace,
    const char *name);
/* In order of their creation. */
void apiserver_each(const char *resource,
    void (*each)(void *arg, struct json_object *object), void *arg);
size_t apiserver_count(const char *resource);
/* One of them, by chance; NULL: there is none. */
struct json_object *apiserver_any(const char *resource);
/* When it was last put, in loop_now()'s time. */
int64_t apiserver_changed_at(const char *resource, const char *namespace,
    const char *name);
/* Whether an object of these kinds came, changed or went since the last call with this
 * *seen, 0 at first. */
bool apiserver_has_changed(uint64_t *seen, size_t n,
    const char *const *resources);
/* When anything else than this and leases was last changed. */
int64_t apiserver_others_changed_at(const char *resource, const char *namespace,
    const char *name);

/* Watches from before now get 410. */
void apiserver_compact(void);
/* Ends all watches. */
void apiserver_end_watches(void);

/* A pod of the world's kubelets and controllers: deleted as by a user. */
void apiserver_delete_pod(const char *namespace, const char *name);

/* ---- JSON ---- */

/* The member at this path of names, NULL: one of them is missing. */
struct json_object *json_at(struct json_object *object, const char *path);
/* Its text, "" if it is missing. */
const char *json_text(struct json_object *object, const char *path);
/* Sets the member at this path, creating the objects above it; takes the value. */
void json_set(struct json_object *object, const char *path,
    struct json_object *value);
void json_remove(struct json_object *object, const char *path);
struct json_object *json_copy(struct json_object *object);
/* "{'kind':'Pod',…}" with ' for ". */
struct json_object *json_of(const char *fmt, ...)
    __attribute__((format(printf, 1, 2)));
/* RFC 3339, by the world's clock. */
const char *world_time(void);

#endif
