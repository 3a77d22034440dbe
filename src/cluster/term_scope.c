#include "config.h"

#include "base/sorted.h"
#include "cluster/term_scope.h"

#include "base/arena.h"
#include "cluster/cluster.h"
#include "objects/selector.h"
#include "objects/workload.h"

/* The namespaces that the most recent selectors select. */
#define SELECTIONS_MAX 16

struct namespace_selections {
	uint64_t seen;    /* cluster->namespace_labels */
	uint32_t n, next; /* the next one to replace */
	struct namespace_selection {
		struct arena arena;
		struct selector selector;
		uint32_t n;
		sym *namespaces; /* sorted */
	} at[SELECTIONS_MAX];
};

static const struct labels no_labels;

const struct labels *
cluster_namespace_labels(const struct cluster *cluster, sym namespace)
{
	const struct namespace *object =
	    cluster_namespace_object(cluster, namespace);

	return object != NULL ? &object->labels : &no_labels;
}

bool
term_scope_changed(const struct object *before, const struct object *now)
{
	const struct namespace *a = (const struct namespace *)before;
	const struct namespace *b = (const struct namespace *)now;

	return a == NULL || b == NULL || !labels_equal(&a->labels, &b->labels);
}

bool
cluster_term_matches(const struct cluster *cluster, const struct pod_term *term,
    const struct pod_class *pod)
{
	if (!term->selects_namespaces)
		return pod_term_matches(term, pod);
	return selector_matches(&term->selector, &pod->labels) &&
	    (ANY(i, term->nnamed, term->namespaces[i] == pod->namespace) ||
		selector_matches(&term->namespace_selector,
		    cluster_namespace_labels(cluster, pod->namespace)));
}

/* Selections */

static void
forget_all(struct namespace_selections *all)
{
	for (uint32_t i = 0; i < all->n; i++)
		arena_fini(&all->at[i].arena);
	*all = (struct namespace_selections){ 0 };
}

void
namespace_selections_free(struct namespace_selections *all)
{
	if (all != NULL)
		forget_all(all);
	free(all);
}

static int
by_number(const void *a, const void *b)
{
	sym x = *(const sym *)a, y = *(const sym *)b;

	return (x > y) - (x < y);
}

static const struct namespace_selection *
selection_of(struct cluster *cluster, const struct selector *selector)
{
	struct namespace_selections *all = cluster->namespace_selections;
	const struct map *objects = &cluster->named[OBJECT_NAMESPACE];
	struct namespace_selection *s;

	if (all == NULL)
		all = cluster->namespace_selections = xcalloc(1, sizeof(*all));
	if (all->seen != cluster->namespace_labels)
		forget_all(all);
	all->seen = cluster->namespace_labels;
	for (uint32_t i = 0; i < all->n; i++)
		if (selector_equal(&all->at[i].selector, selector))
			return &all->at[i];
	if (all->n < SELECTIONS_MAX) {
		s = &all->at[all->n++];
	} else {
		s = &all->at[all->next++ % SELECTIONS_MAX];
		arena_fini(&s->arena);
	}
	*s = (struct namespace_selection){ .arena = ARENA_INIT };
	s->selector = selector_copy(&s->arena, selector);
	s->namespaces = arena_array(&s->arena, sym, objects->n);
	EACH_VALUE (objects, const struct namespace, object)
		if (selector_matches(selector, &object->labels))
			s->namespaces[s->n++] = sym_find(object->object.name);
	SORT(s->namespaces, s->n, by_number);
	return s;
}

/* Terms of a pod to be placed */

static void
put_selected(struct cluster *cluster, struct arena *arena,
    struct pod_term *term, bool unlabeled)
{
	const struct selector *selector = &term->namespace_selector;
	const struct namespace_selection *s;
	sym *all;

	if (!term->selects_namespaces)
		return;
	term->selects_namespaces = false;
	if (unlabeled ? selector_matches(selector, &no_labels) :
			selector_is_empty(selector)) {
		term->everywhere = true;
		return;
	}
	s = selection_of(cluster, selector);
	all = arena_array(arena, sym, s->n + term->nnamed);
	if (s->n > 0)
		memcpy(all, s->namespaces, s->n * sizeof(*all));
	if (term->nnamed > 0) {
		memcpy(all + s->n, term->namespaces,
		    term->nnamed * sizeof(*all));
		qsort(all, s->n + term->nnamed, sizeof(*all), by_number);
	}
	term->namespaces = all;
	term->nnamespaces = 0;
	for (uint32_t i = 0; i < s->n + term->nnamed; i++)
		if (i == 0 || all[i] != all[term->nnamespaces - 1])
			all[term->nnamespaces++] = all[i];
	term->sorted = true;
}

static const struct pod_term *
own_terms(struct cluster *cluster, struct arena *arena, uint32_t n,
    const struct pod_term *terms, bool unlabeled)
{
	struct pod_term *own = arena_array(arena, struct pod_term, n);

	for (uint32_t i = 0; i < n; i++) {
		own[i] = terms[i];
		put_selected(cluster, arena, &own[i], unlabeled);
	}
	return own;
}

struct pod_terms
cluster_own_terms(struct cluster *cluster, struct arena *arena,
    const struct pod_terms *terms, bool unlabeled)
{
	struct pod_terms own = *terms;

	if (!pod_terms_select_namespaces(terms))
		return own;
	own.required =
	    own_terms(cluster, arena, own.nrequired, own.required, unlabeled);
	own.preferred =
	    own_terms(cluster, arena, own.npreferred, own.preferred, unlabeled);
	return own;
}
