/* A set of objects by namespace and name; holds one reference to each. */
#ifndef API_KNOWN_H
#define API_KNOWN_H

#include "base/map.h"
#include "base/sym.h"

struct object;

struct known {
	struct content_map objects;
	uint64_t digest; /* the sum of object_digest() of all of them */
};

/* Which version of which object it is. */
uint64_t object_digest(sym namespace, const char *name,
    const char *resource_version);

/* Drops all references. */
void known_fini(struct known *known);
/* Not referenced for you; NULL: none. */
struct object *known_get(const struct known *known, sym namespace,
    const char *name);
/* Takes the reference, drops the one it replaces. */
void known_put(struct known *known, struct object *object);
/* You own the reference; NULL: none. */
struct object *known_take(struct known *known, sym namespace, const char *name);
/* Empties it: each gets every object with its reference, in no order. */
void known_drain(struct known *known,
    void (*each)(void *arg, struct object *object), void *arg);

#endif
