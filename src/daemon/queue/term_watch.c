#include "config.h"

#include "daemon/queue/term_watch.h"

#include "objects/pod.h"

/* A term is filed by each of its namespaces and of the values that it requires, if
 * there are no more of them than this. */
#define WIDTH_MAX 2

enum sort { NEAR, FAR, SPREAD, SORTS };

/* Terms about one namespace, or about any: SYM_NONE. */
struct watched_namespace {
	struct selector_place at; /* first: it is made by its set */
	struct selector_set terms;
};

/* ---- filing ---- */

/* at: of the class's terms of that sort. */
static void
file(struct term_watches *watches, struct term_watch *watch, enum sort sort,
    uint32_t at, const struct selector *s, uint32_t nnamespaces,
    const sym *namespaces)
{
	const struct requirement *anchor = selector_anchor(s);
	bool by_namespace = nnamespaces <= WIDTH_MAX;
	uint64_t key;

	if (s->nothing || s->error != NULL)
		return;
	watches->namespaces.place_size = sizeof(struct watched_namespace);
	for (uint32_t i = 0; i < (by_namespace ? nnamespaces : 1); i++) {
		struct watched_namespace *in =
		    selector_place(&watches->namespaces,
			by_namespace ? namespaces[i] : SYM_NONE);

		in->terms.within = &in->at;
		for (uint32_t j = 0;
		     selector_next_key(anchor, WIDTH_MAX, &j, &key);)
			selector_links_add(&watch->links, &in->terms, key,
			    watch, at * SORTS + sort);
	}
}

static void
file_terms(struct term_watches *watches, struct term_watch *watch,
    enum sort sort, const struct pod_terms *terms)
{
	for (uint32_t i = 0; i < terms->nrequired; i++) {
		const struct pod_term *t = &terms->required[i];

		file(watches, watch, sort, i, &t->selector,
		    t->selects_namespaces || t->everywhere ? UINT32_MAX :
							     t->nnamespaces,
		    t->namespaces);
	}
}

void
term_watch_add(struct term_watches *watches, struct term_watch *watch)
{
	const struct pod_class *class = watch->class;

	file_terms(watches, watch, NEAR, &class->affinity);
	file_terms(watches, watch, FAR, &class->anti_affinity);
	for (uint32_t i = 0; i < class->nspread; i++)
		if (class->spread[i].hard)
			file(watches, watch, SPREAD, i,
			    &class->spread[i].selector, 1, &class->namespace);
}

void
term_watch_remove(struct term_watch *watch)
{
	selector_links_free(watch->links);
	watch->links = NULL;
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
helps(const struct question *q, const struct pod_class *waits, uint32_t number)
{
	uint32_t at = number / SORTS;
	const struct pod_term *term;
	bool was, is;

	switch ((enum sort)(number % SORTS)) {
	case NEAR:
		term = &waits->affinity.required[at];
		was = pod_term_may_match(term, q->before);
		is = pod_term_may_match(term, q->after);
		/* without the last of its group it may be the first */
		return is ? !was : was && pod_term_may_match(term, waits);
	case FAR:
		term = &waits->anti_affinity.required[at];
		return pod_term_may_match(term, q->before) &&
		    !pod_term_may_match(term, q->after);
	case SPREAD:
		return spread_changes(q, waits, &waits->spread[at]);
	case SORTS:
		break;
	}
	return false;
}

static bool
compare(void *arg, struct selector_place *place)
{
	const struct question *q = arg;
	const struct selector_link *link;

	LIST_FOREACH (link, &place->links, in_place) {
		struct term_watch *watch = link->what;

		if (watch->found == q->watches->round)
			continue;
		if (*q->steps == 0)
			return false;
		--*q->steps;
		if (!helps(q, watch->class, link->number))
			continue;
		watch->found = q->watches->round;
		watch->next = *q->found;
		*q->found = watch;
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
	watches->round++;
	for (size_t i = 0; i < LENGTH(namespaces); i++) {
		const struct watched_namespace *in =
		    map_get(&watches->namespaces.places, namespaces[i]);

		if (in != NULL &&
		    !selector_set_visit(&in->terms, &after->labels,
			before != NULL ? &before->labels : NULL, compare, &q))
			return false;
	}
	return true;
}
