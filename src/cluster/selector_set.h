/*
 * Selectors, found by the labels that may satisfy them, without evaluating each.
 *
 * A selector is filed in the places of one label that it requires: those of the values
 * of an In, that of a key, or the place of all labels if it requires none.  Its owner
 * chooses the label (selector_anchor(), or the rarest), and may keep more than links in
 * a place: the sums of what is filed there, or other sets, as a set of namespaces has
 * the sets of the selectors that are about these.
 */
#ifndef CLUSTER_SELECTOR_SET_H
#define CLUSTER_SELECTOR_SET_H

#include <sys/queue.h>

#include "base/map.h"
#include "base/sym.h"

struct labels;
struct requirement;

/* Zeroed it is empty.  It stays where it is while it has places. */
struct selector_set {
	struct map places; /* struct selector_place */
	size_t place_size; /* 0: of a struct selector_place; larger ones begin
			    * with it, and are zeroed when they are made */
	struct selector_place *within; /* of another set, or NULL; it is in use
					* as long as this set has places */
};

/* It exists while it is in use. */
struct selector_place {
	struct selector_set *set;
	uint64_t key;
	size_t nusers; /* links; sets within it that have places; others */
	LIST_HEAD(, selector_link) links;
};

/* Its owner's; what is linked there is for the owner to know. */
struct selector_link {
	LIST_ENTRY(selector_link) in_place;
	struct selector_link *next; /* of selector_links_add() */
	struct selector_place *place;
	void *what;
	uint32_t number;
};

/* The key of the place of a label is map_key(key, value), that of a label key
 * map_key(key, SYM_NONE). */
#define SELECTOR_PLACE_OF_ALL map_key(SYM_NONE, SYM_NONE)

/* The next key, from *i (0 at first) on, to file a selector under that requires this
 * (NULL: it requires no label); false: there is no other.  An In with more values than
 * `most` is filed by its key. */
bool selector_next_key(const struct requirement *anchor, uint32_t most,
    uint32_t *i, uint64_t *key);

/* The place, which is made if need be; a new one has no user yet. */
void *selector_place(struct selector_set *set, uint64_t key);
/* Frees it after its last user. */
void selector_place_unref(struct selector_place *place);

/* Files the link, which has `what` and `number`, in the place. */
void selector_link(struct selector_set *set, uint64_t key,
    struct selector_link *link);
/* A new link in front of *links. */
void selector_links_add(struct selector_link **links, struct selector_set *set,
    uint64_t key, void *what, uint32_t number);
/* Takes these out and frees them. */
void selector_links_free(struct selector_link *links);

/* Visits the places of what the labels, or those of `also` (NULL: none), may satisfy,
 * each once, until visit() returns false; then it returns false. */
bool selector_set_visit(const struct selector_set *set,
    const struct labels *labels, const struct labels *also,
    bool (*visit)(void *arg, struct selector_place *place), void *arg);

/* Frees its places; links that are still there are not touched. */
void selector_set_fini(struct selector_set *set);

#endif
