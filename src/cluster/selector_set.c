#include "config.h"

#include "cluster/selector_set.h"

#include "objects/labels.h"
#include "objects/selector.h"

bool
selector_next_key(const struct requirement *anchor, uint32_t most, uint32_t *i,
    uint64_t *key)
{
	uint32_t at = (*i)++;

	if (anchor == NULL || anchor->op != SELECTOR_IN ||
	    anchor->nvalues > most) {
		*key = anchor != NULL ? map_key(anchor->key, SYM_NONE) :
					SELECTOR_PLACE_OF_ALL;
		return at == 0;
	}
	while (
	    at < anchor->nvalues && requirement_value_is_repeated(anchor, at))
		at++;
	*i = at + 1;
	if (at == anchor->nvalues)
		return false;
	*key = map_key(anchor->key, anchor->values[at]);
	return true;
}

void *
selector_place(struct selector_set *set, uint64_t key)
{
	struct selector_place *place = map_get(&set->places, key);

	if (place != NULL)
		return place;
	place =
	    xcalloc(1, set->place_size > 0 ? set->place_size : sizeof(*place));
	place->set = set;
	place->key = key;
	if (set->places.n == 0 && set->within != NULL)
		set->within->nusers++;
	map_put(&set->places, key, place);
	return place;
}

void
selector_place_unref(struct selector_place *place)
{
	struct selector_set *set = place->set;

	if (--place->nusers > 0)
		return;
	map_del(&set->places, place->key);
	free(place);
	if (set->places.n > 0)
		return;
	map_fini(&set->places);
	if (set->within != NULL)
		selector_place_unref(set->within);
}

void
selector_link(struct selector_set *set, uint64_t key,
    struct selector_link *link)
{
	link->place = selector_place(set, key);
	link->place->nusers++;
	LIST_INSERT_HEAD(&link->place->links, link, in_place);
}

void
selector_links_add(struct selector_link **links, struct selector_set *set,
    uint64_t key, void *what, uint32_t number)
{
	struct selector_link *link = xmalloc(sizeof(*link));

	link->next = *links;
	link->what = what;
	link->number = number;
	selector_link(set, key, link);
	*links = link;
}

void
selector_links_free(struct selector_link *links)
{
	struct selector_link *link;

	while ((link = links) != NULL) {
		links = link->next;
		LIST_REMOVE(link, in_place);
		selector_place_unref(link->place);
		free(link);
	}
}

bool
selector_set_visit(const struct selector_set *set, const struct labels *labels,
    const struct labels *also,
    bool (*visit)(void *arg, struct selector_place *place), void *arg)
{
	const uint32_t n = labels->n + (also != NULL ? also->n : 0);
	struct selector_place *place =
	    map_get(&set->places, SELECTOR_PLACE_OF_ALL);

	if (place != NULL && !visit(arg, place))
		return false;
	for (uint32_t i = 0; i < n && set->places.n > 0; i++) {
		const struct label *l =
		    i < labels->n ? &labels->at[i] : &also->at[i - labels->n];
		/* of the same key */
		sym other =
		    i < labels->n ? SYM_NONE : labels_get(labels, l->key);

		place = other == l->value ?
		    NULL :
		    map_get(&set->places, map_key(l->key, l->value));
		if (place != NULL && !visit(arg, place))
			return false;
		place = other != SYM_NONE ?
		    NULL :
		    map_get(&set->places, map_key(l->key, SYM_NONE));
		if (place != NULL && !visit(arg, place))
			return false;
	}
	return true;
}

void
selector_set_fini(struct selector_set *set)
{
	EACH_VALUE (&set->places, struct selector_place, place)
		free(place);
	map_fini(&set->places);
}
