#include "config.h"

#include "api/known.h"

#include <stdlib.h>

#include "base/xmalloc.h"
#include "model/object.h"

static struct strmap *
names_in(const struct known *known, sym namespace)
{
	return map_get(&known->namespaces, (uint64_t) namespace + 1);
}

struct object *
known_get(const struct known *known, sym namespace, const char *name)
{
	struct strmap *names = names_in(known, namespace);

	return names != NULL ? strmap_get(names, name) : NULL;
}

void
known_put(struct known *known, struct object *object)
{
	struct strmap *names = names_in(known, object->namespace);
	struct object *old;

	if (names == NULL) {
		names = xcalloc(1, sizeof(*names));
		map_put(&known->namespaces, (uint64_t)object->namespace + 1,
		    names);
	}
	/* The key is the new object's, so the old one may go. */
	old = strmap_put(names, object->name, object);
	if (old == NULL)
		known->n++;
	object_unref(old);
}

struct object *
known_take(struct known *known, sym namespace, const char *name)
{
	struct strmap *names = names_in(known, namespace);
	struct object *object;

	if (names == NULL)
		return NULL;
	object = strmap_del(names, name);
	if (object != NULL)
		known->n--;
	if (names->n == 0) {
		map_del(&known->namespaces, (uint64_t) namespace + 1);
		strmap_fini(names);
		free(names);
	}
	return object;
}

void
known_drain(struct known *known, void (*each)(void *arg, struct object *object),
    void *arg)
{
	/* each() may already fill the set again. */
	struct map map = known->namespaces;
	struct strmap *names;

	*known = (struct known){ 0 };
	for (size_t i = 0; i < map.nslots; i++) {
		names = map.slots[i].value;
		if (names == NULL)
			continue;
		for (size_t k = 0; k < names->nslots; k++)
			if (names->slots[k].value != NULL)
				each(arg, names->slots[k].value);
		strmap_fini(names);
		free(names);
	}
	map_fini(&map);
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
