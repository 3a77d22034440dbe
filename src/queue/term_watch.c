#include "config.h"

#include "queue/term_watch.h"

#include <sys/queue.h>

#include "base/hash.h"
#include "model/pod.h"

/* A term is filed by each of its namespaces and of the values that it requires, if
 * there are no more of them than this. */
#define WIDTH_MAX 2

enum sort { NEAR, FAR, SPREAD };

struct watch_place {
	uint64_t key;
	LIST_HEAD(, watch_link) links;
};

struct watch_link {
	LIST_ENTRY(watch_link) neighbours;
	struct watch_place *place;
	struct term_watch *watch;
	enum sort sort;
	uint32_t at; /* of the class's terms of that sort */
};

/* Places that share a key by chance only cost comparisons.  namespace SYM_NONE: any;
 * key SYM_NONE: no label is required; value SYM_NONE: any. */
static uint64_t
place_key(sym namespace, sym key, sym value)
{
	return hash_mix(hash_mix(namespace ^ hash_secret()) ^
	    ((uint64_t)key << 32 | value));
}

/* ---- filing ---- */

static void
file_at(struct term_watches *watches, struct term_watch *watch,
    struct watch_link like, uint64_t key, size_t *cap)
{
	like.place = map_get(&watches->places, key);
	if (like.place == NULL) {
		like.place = xcalloc(1, sizeof(*like.place));
		like.place->key = key;
		map_put(&watches->places, key, like.place);
	}
	vec_room(watch->links, watch->nlinks, cap);
	watch->links[watch->nlinks++] = like;
}

static void
file(struct term_watches *watches, struct term_watch *watch,
    struct watch_link like, const struct selector *s, uint32_t nnamespaces,
    const sym *namespaces, size_t *cap)
{
	const struct requirement *anchor = selector_anchor(s);
	bool by_value = anchor != NULL && anchor->op == SELECTOR_IN &&
	    anchor->nvalues <= WIDTH_MAX;
	bool by_namespace = nnamespaces <= WIDTH_MAX;
	sym key = anchor != NULL ? anchor->key : SYM_NONE;

	if (s->nothing || s->error != NULL)
		return;
	for (uint32_t i = 0; i < (by_namespace ? nnamespaces : 1); i++)
		for (uint32_t j = 0; j < (by_value ? anchor->nvalues : 1); j++)
			file_at(watches, watch, like,
			    place_key(by_namespace ? namespaces[i] : SYM_NONE,
				key, by_value ? anchor->values[j] : SYM_NONE),
			    cap);
}

static void
file_terms(struct term_watches *watches, struct term_watch *watch,
    enum sort sort, const struct pod_terms *terms, size_t *cap)
{
	for (uint32_t i = 0; i < terms->nrequired; i++) {
		const struct pod_term *t = &terms->required[i];

		file(watches, watch,
		    (struct watch_link){ .watch = watch,
			.sort = sort,
			.at = i },
		    &t->selector,
		    t->selects_namespaces || t->everywhere ? UINT32_MAX :
							     t->nnamespaces,
		    t->namespaces, cap);
	}
}

void
term_watch_add(struct term_watches *watches, struct term_watch *watch)
{
	const struct pod_class *class = watch->class;
	size_t cap = 0;

	file_terms(watches, watch, NEAR, &class->affinity, &cap);
	file_terms(watches, watch, FAR, &class->anti_affinity, &cap);
	for (uint32_t i = 0; i < class->nspread; i++)
		if (class->spread[i].hard)
			file(watches, watch,
			    (struct watch_link){ .watch = watch,
				.sort = SPREAD,
				.at = i },
			    &class->spread[i].selector, 1, &class->namespace,
			    &cap);
	if (watch->nlinks == 0)
		return;
	/* They stay where they are from now on. */
	watch->links =
	    xrealloc(watch->links, watch->nlinks, sizeof(*watch->links));
	for (size_t i = 0; i < watch->nlinks; i++)
		LIST_INSERT_HEAD(&watch->links[i].place->links,
		    &watch->links[i], neighbours);
}

void
term_watch_remove(struct term_watches *watches, struct term_watch *watch)
{
	for (size_t i = 0; i < watch->nlinks; i++) {
		struct watch_place *place = watch->links[i].place;

		LIST_REMOVE(&watch->links[i], neighbours);
		if (!LIST_EMPTY(&place->links))
			continue;
		map_del(&watches->places, place->key);
		free(place);
	}
	free(watch->links);
	watch->links = NULL;
	watch->nlinks = 0;
}

void
term_watches_fini(struct term_watches *watches)
{
	map_fini(&watches->places);
}

/* ---- asking ---- */

struct question {
	struct term_watches *watches;
	const struct pod_class *before, *after;
	size_t *steps;
	struct term_watch **found;
};

static bool
counts(const struct pod_class *waits, const struct spread_constraint *c,
    const struct pod_class *class)
{
	return class != NULL && class->namespace == waits->namespace &&
	    selector_matches(&c->selector, &class->labels);
}

/* Pods that are being deleted, and those with other values of matchLabelKeys, are
 * not counted everywhere. */
static bool
spread_changes(const struct question *q, const struct pod_class *waits,
    const struct spread_constraint *c)
{
	bool was = counts(waits, c, q->before), is = counts(waits, c, q->after);

	return was != is ||
	    (is &&
		(c->nmatch_keys > 0 ||
		    q->before->terminating != q->after->terminating));
}

static bool
helps(const struct question *q, const struct watch_link *link)
{
	const struct pod_class *waits = link->watch->class;
	const struct pod_term *term;
	bool was, is;

	switch (link->sort) {
	case NEAR:
		term = &waits->affinity.required[link->at];
		was = pod_term_may_match(term, q->before);
		is = pod_term_may_match(term, q->after);
		/* without the last of its group it may be the first */
		return is ? !was : was && pod_term_may_match(term, waits);
	case FAR:
		term = &waits->anti_affinity.required[link->at];
		return pod_term_may_match(term, q->before) &&
		    !pod_term_may_match(term, q->after);
	case SPREAD:
		return spread_changes(q, waits, &waits->spread[link->at]);
	}
	return false;
}

static bool
ask(const struct question *q, uint64_t key)
{
	const struct watch_place *place = map_get(&q->watches->places, key);
	const struct watch_link *link;

	if (place == NULL)
		return true;
	LIST_FOREACH (link, &place->links, neighbours) {
		struct term_watch *watch = link->watch;

		if (watch->found == q->watches->round)
			continue;
		if (*q->steps == 0)
			return false;
		--*q->steps;
		if (!helps(q, link))
			continue;
		watch->found = q->watches->round;
		watch->next = *q->found;
		*q->found = watch;
	}
	return true;
}

static bool
ask_by_labels(const struct question *q, sym namespace,
    const struct labels *labels)
{
	for (uint32_t i = 0; i < labels->n; i++) {
		const struct label *l = &labels->at[i];

		if (!ask(q, place_key(namespace, l->key, l->value)) ||
		    !ask(q, place_key(namespace, l->key, SYM_NONE)))
			return false;
	}
	return true;
}

bool
term_watches_find(struct term_watches *watches, const struct pod_class *before,
    const struct pod_class *after, size_t *steps, struct term_watch **found)
{
	struct question q = { watches, before, after, steps, found };
	sym namespaces[] = { after->namespace, SYM_NONE };

	*found = NULL;
	if (watches->places.n == 0)
		return true;
	watches->round++;
	for (size_t i = 0; i < LENGTH(namespaces); i++)
		if (!ask(&q, place_key(namespaces[i], SYM_NONE, SYM_NONE)) ||
		    !ask_by_labels(&q, namespaces[i], &after->labels) ||
		    (before != NULL &&
			!ask_by_labels(&q, namespaces[i], &before->labels)))
			return false;
	return true;
}
