#include "config.h"

#include "wire/api/known.h"

#include "base/hash.h"
#include "objects/object.h"

struct key {
	sym namespace;
	const char *name;
};

static uint64_t
hash_of(sym namespace, const char *name)
{
	return hash_bytes64(name, strlen(name)) ^ hash_mix(namespace);
}

uint64_t
object_digest(sym namespace, const char *name, const char *resource_version)
{
	return hash_mix(hash_of(namespace, name) ^
	    hash_bytes64(resource_version, strlen(resource_version)));
}

static uint64_t
digest_of(const struct object *object)
{
	return object_digest(object->namespace, object->name,
	    object->resource_version);
}

static bool
is_named(const void *value, const void *key)
{
	const struct object *object = value;
	const struct key *k = key;

	return object->namespace == k->namespace &&
	    strcmp(object->name, k->name) == 0;
}

struct object *
known_get(const struct known *known, sym namespace, const char *name)
{
	return content_map_get(&known->objects, hash_of(namespace, name),
	    is_named, &(struct key){ namespace, name });
}

void
known_put(struct known *known, struct object *object)
{
	object_unref(known_take(known, object->namespace, object->name));
	content_map_add(&known->objects,
	    hash_of(object->namespace, object->name), object);
	known->digest += digest_of(object);
}

struct object *
known_take(struct known *known, sym namespace, const char *name)
{
	struct object *object = known_get(known, namespace, name);

	if (object == NULL)
		return NULL;
	content_map_del(&known->objects, hash_of(namespace, name), object);
	known->digest -= digest_of(object);
	return object;
}

void
known_drain(struct known *known, void (*each)(void *arg, struct object *object),
    void *arg)
{
	/* each() may already fill the set again. */
	struct content_map map = known->objects;

	*known = (struct known){ 0 };
	EACH_VALUE (&map, struct object, object)
		each(arg, object);
	content_map_fini(&map);
}

static void
drop(void *arg, struct object *object)
{
	object_unref(object);
}

void
known_fini(struct known *known)
{
	known_drain(known, drop, NULL);
}
