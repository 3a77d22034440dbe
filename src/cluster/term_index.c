/*
 * The index is built on first use, and updated with terms and pods from then
 * on.  It is dropped, and rebuilt on demand, when a change of nodes moves pods
 * between domains or adds a label key.
 */
#include "config.h"

#include "cluster/term_index.h"

#include "cluster/index_internal.h"
#include "cluster/selector_set.h"
#include "cluster/term_scope.h"
#include "objects/selector.h"

enum sort { REQUIRED_AFFINITY, REQUIRED_ANTI_AFFINITY, PREFERRED, NSORTS };

/*
 * Terms of one sort added up: by domain of a topology, how much they count there.
 * While few pods have them there are no sums, and these pods are walked: users choose
 * how many of these there are.
 */
struct term_sum {
	LIST_ENTRY(term_sum) in_place;
	struct place *place;
	sym key;
	enum sort sort;
	/* Of the key; NULL until a question needs it: most terms are not about the
	 * pods that come, and a topology of hosts takes long to make. */
	const struct topology *topology;
	LIST_HEAD(, contribution) contributions;
	uint64_t npods; /* that contribute, each as often as it does */
	bool summed;
	uint32_t cap;
	int64_t *sums; /* if summed; cap of them */
};

/*
 * A place for terms that require one label, or none.  It holds the sum of the
 * terms that require nothing else.  Terms that also exclude labels are in that
 * sum, too, and listed in the places of the excluded labels, to be subtracted.
 * All other terms are linked in the place, and are evaluated one by one.
 */
struct place {
	struct selector_place at;
	LIST_HEAD(, term_sum) sums;
};

/* The terms about some namespaces: one; or those that have one label, or one label
 * key; or all. */
struct scope {
	struct selector_place at;
	uint64_t asked;            /* index->round */
	struct selector_set terms; /* by the label that they ask for */
	struct selector_set but; /* summed terms, by those that they exclude */
};

/* A term, filed in one scope. */
struct term_ref {
	struct term_ref *next; /* of the same owner */
	struct class_terms *owner;
	struct scope *scope;
	const struct pod_term *term;
	const struct requirement *anchor; /* of its selector */
	/* It counts for the namespaces of the scope; for those that its
	 * namespaceSelector selects; or for the others. */
	enum { ALWAYS, IF_SELECTED, UNLESS_SELECTED } when;
	enum sort sort;
	int64_t weight;
	uint64_t mark; /* index->round in which it was subtracted */
};

/* The amount that each pod with the terms adds to a sum. */
struct contribution {
	LIST_ENTRY(contribution) in_sum;
	struct contribution *next; /* of the same owner */
	struct class_terms *owner;
	struct term_sum *sum;
	int64_t weight;
};

struct term_index {
	/* Terms with a namespaceSelector are read as from 1.21 on. */
	bool by_labels;
	struct map
	    keys; /* topologyKeys of all terms, also of those that are gone */
	/* struct scope, by the name of a namespace, or by one label or key that a
	 * namespaceSelector asks for, or for all; and of their summed terms, by
	 * labels of namespaces that they exclude. */
	struct selector_set scopes, excluding;
	uint64_t round;
};

/* With more topologyKeys, some of them long gone, the index is made again. */
#define KEYS_MOST 100000

/* Filing */

/* The key of the scope of a namespace; no label has it. */
static uint64_t
name_key(sym namespace)
{
	return map_key(SYM_NONE, namespace);
}

/* Whether the label by which it is filed is the selector's only requirement. */
static bool
can_be_summed(const struct selector *s)
{
	const struct requirement *anchor = selector_anchor(s);

	return (anchor == NULL || anchor->op == SELECTOR_IN ||
		   anchor->op == SELECTOR_EXISTS) &&
	    !ANY(i, s->n,
		&s->at[i] != anchor && s->at[i].op != SELECTOR_NOT_IN &&
		    s->at[i].op != SELECTOR_DOES_NOT_EXIST);
}

/* By the labels that s excludes. */
static void
file_by_exclusions(const struct selector *s, struct selector_set *set,
    struct term_ref *ref)
{
	struct selector_link **links = &ref->owner->links;

	for (uint32_t i = 0; i < s->n; i++) {
		const struct requirement *r = &s->at[i];

		if (r->op == SELECTOR_DOES_NOT_EXIST)
			selector_links_add(links, set,
			    map_key(r->key, SYM_NONE), ref, 0);
		for (uint32_t j = 0; r->op == SELECTOR_NOT_IN && j < r->nvalues;
		     j++)
			selector_links_add(links, set,
			    map_key(r->key, r->values[j]), ref, 0);
	}
}

static struct term_sum *
sum_of(struct place *place, sym key, enum sort sort)
{
	struct term_sum *s;

	LIST_FOREACH (s, &place->sums, in_place)
		if (s->key == key && s->sort == sort)
			return s;
	s = xcalloc(1, sizeof(*s));
	s->place = place;
	s->key = key;
	s->sort = sort;
	LIST_INSERT_HEAD(&place->sums, s, in_place);
	place->at.nusers++;
	return s;
}

static void
contribute(const struct term_ref *ref, struct place *place)
{
	struct class_terms *owner = ref->owner;
	struct term_sum *sum =
	    sum_of(place, ref->term->topology_key, ref->sort);
	struct contribution *c;

	for (c = owner->contributions; c != NULL; c = c->next)
		if (c->sum == sum) {
			c->weight += ref->weight;
			return;
		}
	c = xmalloc(sizeof(*c));
	*c = (struct contribution){ .next = owner->contributions,
		.owner = owner,
		.sum = sum,
		.weight = ref->weight };
	LIST_INSERT_HEAD(&sum->contributions, c, in_sum);
	owner->contributions = c;
}

/* As a summand, or linked. */
static void
file_in(struct term_index *index, uint64_t key, struct term_ref like)
{
	const struct selector *s = &like.term->selector;
	const struct selector *of = &like.term->namespace_selector;
	struct scope *scope = selector_place(&index->scopes, key);
	struct term_ref *ref = xmalloc(sizeof(*ref));
	bool summed = can_be_summed(s) &&
	    (like.when == ALWAYS ||
		(like.when == IF_SELECTED && can_be_summed(of)));

	like.next = like.owner->refs;
	like.scope = scope;
	*ref = like;
	like.owner->refs = ref;
	scope->terms.place_size = sizeof(struct place);
	scope->terms.within = scope->but.within = &scope->at;
	for (uint32_t i = 0;
	     selector_next_key(like.anchor, UINT32_MAX, &i, &key);)
		if (summed)
			contribute(ref, selector_place(&scope->terms, key));
		else
			selector_links_add(&ref->owner->links, &scope->terms,
			    key, ref, 0);
	if (summed)
		file_by_exclusions(s, &scope->but, ref);
	if (summed && like.when == IF_SELECTED)
		file_by_exclusions(of, &index->excluding, ref);
}

static void
file_term(struct cluster *cluster, struct class_terms *owner,
    const struct pod_term *term, enum sort sort, int64_t weight)
{
	struct term_index *index = cluster->term_index;
	struct term_ref ref = { .owner = owner,
		.term = term,
		.anchor = selector_anchor(&term->selector),
		.sort = sort,
		.weight = weight };
	uint32_t nnamespaces = term->nnamespaces;
	uint64_t key;

	map_put(&index->keys, term->topology_key, index);
	if (term->selector.nothing ||
	    !cluster_has_label_key(cluster, term->topology_key))
		return;
	if (index->by_labels && term->selects_namespaces) {
		ref.when = IF_SELECTED;
		for (uint32_t i = 0;
		     selector_next_key(selector_anchor(
					   &term->namespace_selector),
			 UINT32_MAX, &i, &key);)
			file_in(index, key, ref);
		ref.when = UNLESS_SELECTED;
		nnamespaces = term->nnamed;
	}
	for (uint32_t i = 0; i < nnamespaces; i++)
		if (pod_term_names_first(term, i))
			file_in(index, name_key(term->namespaces[i]), ref);
}

static void
file_each(struct cluster *cluster, struct class_terms *owner, uint32_t n,
    const struct pod_term *terms, enum sort sort, bool avoid)
{
	for (uint32_t i = 0; i < n; i++)
		file_term(cluster, owner, &terms[i], sort,
		    sort != PREFERRED ? 1 :
			avoid         ? weight_of_avoiding(terms[i].weight) :
					terms[i].weight);
}

void
term_index_added(struct cluster *cluster, struct class_terms *terms)
{
	const struct pod_terms *like = &terms->class->affinity;
	const struct pod_terms *avoid = &terms->class->anti_affinity;

	if (cluster->term_index == NULL || terms->broken)
		return;
	file_each(cluster, terms, like->nrequired, like->required,
	    REQUIRED_AFFINITY, false);
	file_each(cluster, terms, avoid->nrequired, avoid->required,
	    REQUIRED_ANTI_AFFINITY, true);
	file_each(cluster, terms, like->npreferred, like->preferred, PREFERRED,
	    false);
	file_each(cluster, terms, avoid->npreferred, avoid->preferred,
	    PREFERRED, true);
}

/* Taking out */

void
term_index_removed(struct class_terms *owner)
{
	struct contribution *c;
	struct term_sum *s;
	struct term_ref *ref;

	selector_links_free(owner->links);
	owner->links = NULL;
	while ((c = owner->contributions) != NULL) {
		s = c->sum;
		owner->contributions = c->next;
		LIST_REMOVE(c, in_sum);
		free(c);
		if (!LIST_EMPTY(&s->contributions))
			continue;
		LIST_REMOVE(s, in_place);
		selector_place_unref(&s->place->at);
		free(s->sums);
		free(s);
	}
	while ((ref = owner->refs) != NULL) {
		owner->refs = ref->next;
		free(ref);
	}
}

void
term_index_forget(struct cluster *cluster)
{
	struct term_index *index;

	if (cluster->term_index == NULL)
		return;
	for (size_t i = 0; i < cluster->nterms; i++)
		term_index_removed(cluster->terms_list[i]);
	index = cluster->term_index;
	map_fini(&index->keys);
	free(index);
	cluster->term_index = NULL;
}

void
term_index_forget_key(struct cluster *cluster, sym key)
{
	const struct term_index *index = cluster->term_index;

	if (index != NULL && map_get(&index->keys, key) != NULL)
		term_index_forget(cluster);
}

/* Following */

static void
add_pod(const struct contribution *c, const struct node_info *node, int sign)
{
	struct term_sum *s = c->sum;
	uint32_t domain = topology_domain(s->topology, node), cap = s->cap;

	if (domain == DOMAIN_NONE)
		return;
	if (s->topology->ndomains > cap) {
		s->cap = s->topology->ndomains + s->topology->ndomains / 8 + 8;
		s->sums = xrealloc(s->sums, s->cap, sizeof(*s->sums));
		memset(s->sums + cap, 0, (s->cap - cap) * sizeof(*s->sums));
	}
	s->sums[domain] += sign * c->weight;
}

static void
add_all_pods(const struct contribution *c)
{
	const struct class_set *set = &c->owner->set;

	for (uint32_t i = 0; i < set->n; i++)
		for (uint32_t j = 0; j < set->infos[i]->npods; j++)
			add_pod(c, set->infos[i]->nodes[j], 1);
}

static bool
is_worth_summing(const struct term_sum *s)
{
	return s->topology != NULL &&
	    s->npods * SUM_FROM > s->topology->ndomains;
}

/* Begins to add up, now that there are many pods. */
static void
sum_up(struct term_sum *s)
{
	const struct contribution *c;

	s->summed = true;
	LIST_FOREACH (c, &s->contributions, in_sum)
		add_all_pods(c);
}

/* The pod is, or is still, among those of its class. */
void
term_index_pod_counted(struct cluster *cluster, struct class_terms *terms,
    const struct node_info *node, int sign)
{
	term_index_pod_moves(terms, node, sign);
	/* now, because sum_up() adds this pod for all contributions */
	for (const struct contribution *c = terms->contributions; c != NULL;
	     c = c->next) {
		struct term_sum *s = c->sum;

		s->npods += (uint64_t)sign;
		if (sign > 0 && is_worth_summing(s) && !s->summed) {
			sum_up(s);
		} else if (s->summed &&
		    s->npods * SUM_FROM * 2 < s->topology->ndomains) {
			/* back to walking the pods */
			free(s->sums);
			s->sums = NULL;
			s->cap = 0;
			s->summed = false;
		}
	}
}

void
term_index_pod_moves(struct class_terms *terms, const struct node_info *node,
    int sign)
{
	for (const struct contribution *c = terms->contributions; c != NULL;
	     c = c->next)
		if (c->sum->summed)
			add_pod(c, node, sign);
}

static void
count_pods(const struct class_terms *terms)
{
	uint64_t npods = 0;

	for (uint32_t i = 0; i < terms->set.n; i++)
		npods += terms->set.infos[i]->npods;
	for (const struct contribution *c = terms->contributions; c != NULL;
	     c = c->next)
		c->sum->npods += npods;
}

/* Asking */

struct question {
	struct cluster *cluster;
	const struct pod_class *class;
	const struct labels *namespace_labels;
	int64_t weights[NSORTS];
	int64_t *(*sums_of)(void *arg, const struct topology *topology);
	void *arg;
};

/* Adds the weight around all pods that have the terms. */
static void
add_around(const struct question *q, const struct class_terms *terms,
    const struct topology *topology, int64_t weight)
{
	for (uint32_t i = 0; weight != 0 && i < terms->set.n; i++)
		class_accumulate(q->cluster, terms->set.infos[i], topology,
		    weight, q->sums_of(q->arg, topology));
}

/* The term, times `sign`. */
static void
add_term(const struct question *q, const struct term_ref *ref, int sign)
{
	int64_t weight = q->weights[ref->sort] * ref->weight * sign;

	if (weight != 0)
		add_around(q, ref->owner,
		    cluster_topology(q->cluster, ref->term->topology_key),
		    weight);
}

static void
add_term_sum(const struct question *q, struct term_sum *s)
{
	const int64_t weight = q->weights[s->sort];
	const struct contribution *c;
	int64_t *sums;

	if (weight == 0)
		return;
	if (s->topology == NULL) {
		s->topology = cluster_topology(q->cluster, s->key);
		if (is_worth_summing(s))
			sum_up(s);
	}
	if (!s->summed) {
		LIST_FOREACH (c, &s->contributions, in_sum)
			add_around(q, c->owner, s->topology,
			    weight * c->weight);
		return;
	}
	if (s->sums == NULL)
		return;
	sums = q->sums_of(q->arg, s->topology);
	for (uint32_t i = 0; i < s->topology->ndomains && i < s->cap; i++)
		sums[i] += weight * s->sums[i];
}

static bool
matches(const struct question *q, const struct term_ref *ref)
{
	return selector_matches(&ref->term->selector, &q->class->labels) &&
	    (ref->when == ALWAYS ||
		selector_matches(&ref->term->namespace_selector,
		    q->namespace_labels) == (ref->when == IF_SELECTED));
}

static bool
add_matching(void *arg, struct selector_place *found)
{
	const struct place *place = (const struct place *)found;
	const struct question *q = arg;
	const struct selector_link *link;
	struct term_sum *s;

	LIST_FOREACH (s, &place->sums, in_place)
		add_term_sum(q, s);
	LIST_FOREACH (link, &found->links, in_place)
		if (matches(q, link->what))
			add_term(q, link->what, 1);
	return true;
}

/* Subtracts terms of scopes that were asked: they exclude a label of the pod, or of
 * its namespace. */
static bool
subtract(void *arg, struct selector_place *found)
{
	const struct question *q = arg;
	const uint64_t round = q->cluster->term_index->round;
	const struct selector_link *link;

	LIST_FOREACH (link, &found->links, in_place) {
		struct term_ref *ref = link->what;

		if (ref->mark == round || ref->scope->asked != round ||
		    (ref->anchor != NULL &&
			!requirement_matches(ref->anchor, &q->class->labels)))
			continue;
		ref->mark = round;
		add_term(q, ref, -1);
	}
	return true;
}

static bool
count_scope(void *arg, struct selector_place *found)
{
	struct scope *scope = (struct scope *)found;
	struct question *q = arg;

	scope->asked = q->cluster->term_index->round;
	selector_set_visit(&scope->terms, &q->class->labels, NULL, add_matching,
	    q);
	return selector_set_visit(&scope->but, &q->class->labels, NULL,
	    subtract, q);
}

void
cluster_sum_terms(struct cluster *cluster, const struct pod_class *class,
    const struct term_weights *weights, bool by_labels,
    int64_t *(*sums_of)(void *arg, const struct topology *topology), void *arg)
{
	struct question q = { cluster, class, NULL, { 0 }, sums_of, arg };
	struct term_index *index;
	void *named;

	if (cluster->nterms == 0)
		return;
	if (cluster->term_index != NULL &&
	    (cluster->term_index->by_labels != by_labels ||
		cluster->term_index->keys.n > KEYS_MOST))
		term_index_forget(cluster);
	index = cluster->term_index;
	if (index == NULL) {
		index = cluster->term_index = xcalloc(1, sizeof(*index));
		index->by_labels = by_labels;
		index->scopes.place_size = sizeof(struct scope);
		for (size_t i = 0; i < cluster->nterms; i++) {
			term_index_added(cluster, cluster->terms_list[i]);
			count_pods(cluster->terms_list[i]);
		}
	}
	q.weights[REQUIRED_AFFINITY] = weights->required_affinity;
	q.weights[REQUIRED_ANTI_AFFINITY] = weights->required_anti_affinity;
	q.weights[PREFERRED] = weights->preferred;
	index->round++;
	q.namespace_labels =
	    cluster_namespace_labels(cluster, class->namespace);
	named = map_get(&index->scopes.places, name_key(class->namespace));
	if (named != NULL)
		count_scope(&q, named);
	if (!by_labels)
		return;
	selector_set_visit(&index->scopes, q.namespace_labels, NULL,
	    count_scope, &q);
	selector_set_visit(&index->excluding, q.namespace_labels, NULL,
	    subtract, &q);
}

bool
cluster_has_broken_terms(const struct cluster *cluster)
{
	return cluster->nbroken_terms > 0;
}
