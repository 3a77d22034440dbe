/*
 * The index is built on first use, and updated with terms and pods from then
 * on.  It is dropped, and rebuilt on demand, when a change of nodes moves pods
 * between domains or adds a label key.
 */
#include "config.h"

#include "cluster/term_index.h"

#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>

#include "base/hash.h"
#include "base/xmalloc.h"
#include "cluster/index_internal.h"
#include "cluster/term_scope.h"
#include "model/selector.h"

enum sort { REQUIRED_AFFINITY, REQUIRED_ANTI_AFFINITY, PREFERRED, NSORTS };

/*
 * Terms added up: by domain of a topology, how much they count there, for each
 * sort.  While few pods have them there are no sums, and these pods are walked:
 * users choose how many standings there are.
 */
struct standing {
	sym key;
	/* Of the key; NULL until a question needs it: most terms are not about the
	 * pods that come, and a topology of hosts takes long to make. */
	const struct topology *topology;
	LIST_HEAD(, contribution) contributions;
	uint64_t npods; /* that contribute, each as often as it does */
	bool summed;
	uint32_t cap;
	int64_t *sums[NSORTS]; /* if summed; NULL: none of the sort */
};

/*
 * A place for terms that require one label, or none.  It holds the sum of the
 * terms that require nothing else.  Terms that also exclude labels are in that
 * sum, too, and listed in the places of the excluded labels, to be subtracted.
 * All other terms are on the place's list, and are evaluated one by one.
 */
struct term_place {
	uint64_t key;
	struct map *map; /* that the place is in, by this key */
	unsigned nusers; /* links and contributions */
	LIST_HEAD(, term_link) links;
	size_t nstandings, standings_cap;
	struct standing **standings;
};

/* A term, filed in one namespace. */
struct term_ref {
	struct class_terms *owner;
	struct scope *scope;
	const struct pod_term *term;
	const struct requirement *anchor; /* the required label, or NULL */
	enum sort sort;
	int64_t weight;
	/* index->round in which it was subtracted for a label of the pod, or of
	 * the namespace. */
	uint64_t mark, excluded;
};

struct term_link {
	LIST_ENTRY(term_link) in_list;
	struct term_ref *ref;
	struct term_place *place;
};

/*
 * The terms about some namespaces: one; or those that have one label, or one label
 * key; or all; or those that a struct selecting is about.  Their places are found by
 * label: a pair, or a key.
 */
struct scope {
	struct map *map; /* that it is in, by this key; NULL of selecting */
	uint64_t key;
	struct selecting *selecting;
	uint64_t asked; /* index->round */
	unsigned nusers;
	struct map pairs, keys; /* of terms that ask for the label */
	struct map everyone;    /* one place: of terms that ask for none */
	struct map but_pairs, but_keys; /* of summed terms that exclude it */
};

/*
 * A namespaceSelector that asks for several labels, and names.  Labels of namespaces
 * change, so they are compared when there is a question about one.  The scope is
 * filed as terms are, by a label that the selector asks for, and by the names.
 */
struct selecting {
	struct scope scope; /* first: they are cast to each other */
	struct arena arena; /* of all below */
	uint64_t hash;
	struct selector selector;
	uint32_t nnamespaces;
	const sym *namespaces;
	uint32_t nlinks;
	struct scope_link *links;
};

struct scope_place {
	uint64_t key;
	struct map *map; /* that the place is in, by this key */
	LIST_HEAD(, scope_link) links;
};

struct scope_link {
	LIST_ENTRY(scope_link) in_list;
	struct selecting *selecting;
	struct scope_place *place;
};

/* The amount that each pod with the terms adds to a standing. */
struct contribution {
	LIST_ENTRY(contribution) in_standing;
	struct class_terms *owner;
	struct term_place *place;
	struct standing *standing;
	enum sort sort;
	int64_t weight;
};

/* Everything that is filed of a class_terms. */
struct indexed_terms {
	size_t nrefs, refs_cap, nlinks, links_cap, ncontributions;
	size_t contributions_cap, nusing, using_cap;
	struct term_ref **refs;
	struct term_link **links;
	struct contribution **contributions;
	struct scope **using; /* that count it as a user */
};

struct term_index {
	/* Terms with a namespaceSelector are read as from 1.21 on. */
	bool by_labels;
	/* There are terms that select namespaces and name some: those that they
	 * do not select as of now are filed, so that labels must not change. */
	bool depends_on_labels;
	/* struct scope: by name; by one label or key that a selector asks for;
	 * for all. */
	struct map namespaces, of_pair, of_key, of_all;
	/* struct term_place, of terms in the last three, by the label or key of
	 * namespaces that they exclude. */
	struct map not_pairs, not_keys;
	struct content_map selecting;
	/* struct scope_place, of those: by a namespace's label, or its key, or
	 * for all, or by its name. */
	struct map pairs, keys, everyone, names;
	uint64_t round;
};

/* Filing */

static struct scope *
scope_of(struct map *map, uint64_t key)
{
	struct scope *scope = map_get(map, key);

	if (scope != NULL)
		return scope;
	scope = xcalloc(1, sizeof(*scope));
	scope->map = map;
	scope->key = key;
	map_put(map, key, scope);
	return scope;
}

static struct term_place *
place_of(struct map *map, uint64_t key)
{
	struct term_place *place = map_get(map, key);

	if (place != NULL)
		return place;
	place = xcalloc(1, sizeof(*place));
	place->key = key;
	place->map = map;
	LIST_INIT(&place->links);
	map_put(map, key, place);
	return place;
}

static void
leave(struct term_place *place)
{
	if (--place->nusers > 0)
		return;
	map_del(place->map, place->key);
	free(place->standings);
	free(place);
}

static void
link_ref(struct indexed_terms *filed, struct term_ref *ref, struct map *map,
    uint64_t key)
{
	struct term_place *place = place_of(map, key);
	struct term_link *link = xmalloc(sizeof(*link));

	place->nusers++;
	*link = (struct term_link){ .ref = ref, .place = place };
	LIST_INSERT_HEAD(&place->links, link, in_list);
	vec_room(filed->links, filed->nlinks, &filed->links_cap);
	filed->links[filed->nlinks++] = link;
}

/* Whether the place's label is the term's only requirement. */
static bool
can_be_summed(const struct selector *s, const struct requirement *anchor)
{
	for (uint32_t i = 0; i < s->n; i++)
		if (&s->at[i] != anchor && s->at[i].op != SELECTOR_NOT_IN &&
		    s->at[i].op != SELECTOR_DOES_NOT_EXIST)
			return false;
	return anchor == NULL || anchor->op == SELECTOR_IN ||
	    anchor->op == SELECTOR_EXISTS;
}

/* By the labels that s excludes. */
static void
file_by_exclusions(struct indexed_terms *filed, const struct selector *s,
    struct map *pairs, struct map *keys, struct term_ref *ref)
{
	for (uint32_t i = 0; i < s->n; i++) {
		const struct requirement *r = &s->at[i];

		if (r->op == SELECTOR_DOES_NOT_EXIST)
			link_ref(filed, ref, keys, r->key);
		for (uint32_t j = 0; r->op == SELECTOR_NOT_IN && j < r->nvalues;
		     j++)
			link_ref(filed, ref, pairs,
			    pair_key(r->key, r->values[j]));
	}
}

static struct standing *
standing_of(struct term_place *place, sym key)
{
	struct standing *s;

	for (size_t i = 0; i < place->nstandings; i++)
		if (place->standings[i]->key == key)
			return place->standings[i];
	s = xcalloc(1, sizeof(*s));
	s->key = key;
	LIST_INIT(&s->contributions);
	vec_room(place->standings, place->nstandings, &place->standings_cap);
	return place->standings[place->nstandings++] = s;
}

static void
contribute(const struct term_ref *ref, struct map *map, uint64_t key)
{
	struct indexed_terms *filed = ref->owner->indexed;
	struct term_place *place = place_of(map, key);
	struct standing *standing = standing_of(place, ref->term->topology_key);

	struct contribution *c;

	for (size_t i = 0; i < filed->ncontributions; i++) {
		c = filed->contributions[i];
		if (c->standing == standing && c->sort == ref->sort) {
			c->weight += ref->weight;
			return;
		}
	}
	c = xmalloc(sizeof(*c));
	*c = (struct contribution){ .owner = ref->owner,
		.place = place,
		.standing = standing,
		.sort = ref->sort,
		.weight = ref->weight };
	LIST_INSERT_HEAD(&standing->contributions, c, in_standing);
	vec_room(filed->contributions, filed->ncontributions,
	    &filed->contributions_cap);
	filed->contributions[filed->ncontributions++] = c;
	place->nusers++;
}

/* Files the term at the label, or everyone, as a summand or on the list. */
static void
file_at(struct term_ref *ref, struct map *map, uint64_t key, bool summed)
{
	if (summed)
		contribute(ref, map, key);
	else
		link_ref(ref->owner->indexed, ref, map, key);
}

static void
file_ref(struct scope *scope, struct term_ref *ref)
{
	const struct requirement *anchor = ref->anchor;
	bool summed = can_be_summed(&ref->term->selector, anchor);

	if (anchor == NULL)
		file_at(ref, &scope->everyone, 0, summed);
	else if (anchor->op != SELECTOR_IN)
		file_at(ref, &scope->keys, anchor->key, summed);
	else
		for (uint32_t i = 0; i < anchor->nvalues; i++)
			if (!requirement_value_is_repeated(anchor, i))
				file_at(ref, &scope->pairs,
				    pair_key(anchor->key, anchor->values[i]),
				    summed);
	if (summed)
		file_by_exclusions(ref->owner->indexed, &ref->term->selector,
		    &scope->but_pairs, &scope->but_keys, ref);
}

/* Scopes that select namespaces */

struct scope_key {
	const struct selector *selector;
	uint32_t nnamespaces;
	const sym *namespaces;
};

static bool
has_scope_key(const void *value, const void *wanted)
{
	const struct selecting *s = value;
	const struct scope_key *key = wanted;

	return s->nnamespaces == key->nnamespaces &&
	    (key->nnamespaces == 0 ||
		memcmp(s->namespaces, key->namespaces,
		    key->nnamespaces * sizeof(sym)) == 0) &&
	    selector_equal(&s->selector, key->selector);
}

static uint64_t
hash_of(const struct scope_key *key)
{
	const struct selector *s = key->selector;
	uint64_t hash =
	    hash_bytes64(key->namespaces, key->nnamespaces * sizeof(sym));

	for (uint32_t i = 0; i < s->n; i++)
		hash = hash_mix(hash + s->at[i].key +
		    hash_bytes64(s->at[i].values,
			s->at[i].nvalues * sizeof(sym)));
	return hash;
}

static void
link_scope(struct selecting *s, struct map *map, uint64_t key)
{
	struct scope_place *place = map_get(map, key);
	struct scope_link *link = &s->links[s->nlinks++];

	if (place == NULL) {
		place = xcalloc(1, sizeof(*place));
		place->key = key;
		place->map = map;
		LIST_INIT(&place->links);
		map_put(map, key, place);
	}
	*link = (struct scope_link){ .selecting = s, .place = place };
	LIST_INSERT_HEAD(&place->links, link, in_list);
}

static void
file_scope(struct term_index *index, struct selecting *s)
{
	const struct requirement *anchor = selector_anchor(&s->selector);

	s->links = arena_array(&s->arena, struct scope_link,
	    1 + s->nnamespaces + (anchor != NULL ? anchor->nvalues : 0));
	for (uint32_t i = 0; i < s->nnamespaces; i++)
		link_scope(s, &index->names, s->namespaces[i]);
	if (anchor == NULL)
		link_scope(s, &index->everyone, 0);
	else if (anchor->op != SELECTOR_IN)
		link_scope(s, &index->keys, anchor->key);
	else
		for (uint32_t i = 0; i < anchor->nvalues; i++)
			link_scope(s, &index->pairs,
			    pair_key(anchor->key, anchor->values[i]));
}

static struct scope *
scope_of_selector(struct term_index *index, const struct pod_term *term)
{
	const struct scope_key key = { &term->namespace_selector, term->nnamed,
		term->namespaces };
	uint64_t hash = hash_of(&key);
	struct selecting *s =
	    content_map_get(&index->selecting, hash, has_scope_key, &key);

	if (s != NULL)
		return &s->scope;
	s = xcalloc(1, sizeof(*s));
	s->scope.selecting = s;
	s->hash = hash;
	s->selector = selector_copy(&s->arena, key.selector);
	s->nnamespaces = key.nnamespaces;
	s->namespaces = arena_memdup(&s->arena, key.namespaces,
	    key.nnamespaces * sizeof(sym));
	content_map_add(&index->selecting, hash, s);
	file_scope(index, s);
	return &s->scope;
}

static void
selecting_free(struct term_index *index, struct selecting *s)
{
	content_map_del(&index->selecting, s->hash, s);
	for (uint32_t i = 0; i < s->nlinks; i++) {
		struct scope_place *place = s->links[i].place;

		LIST_REMOVE(&s->links[i], in_list);
		if (!LIST_EMPTY(&place->links))
			continue;
		map_del(place->map, place->key);
		free(place);
	}
	arena_fini(&s->arena);
	free(s);
}

/* Terms */

static void
use_scope(struct indexed_terms *filed, struct scope *scope)
{
	vec_room(filed->using, filed->nusing, &filed->using_cap);
	filed->using[filed->nusing++] = scope;
	scope->nusers++;
}

static struct term_ref *
file_in(struct scope *scope, struct term_ref ref)
{
	struct indexed_terms *filed = ref.owner->indexed;
	struct term_ref *kept = xmalloc(sizeof(*kept));

	*kept = ref;
	kept->scope = scope;
	vec_room(filed->refs, filed->nrefs, &filed->refs_cap);
	filed->refs[filed->nrefs++] = kept;
	use_scope(filed, scope);
	file_ref(scope, kept);
	return kept;
}

/* In the scope of those that its namespaceSelector, which asks for no more than one
 * label, asks for; less those that it excludes. */
static void
file_selected(struct cluster *cluster, struct map *map, uint64_t key,
    struct term_ref ref)
{
	struct term_index *index = cluster->term_index;
	struct term_ref *kept = file_in(scope_of(map, key), ref);

	file_by_exclusions(ref.owner->indexed, &ref.term->namespace_selector,
	    &index->not_pairs, &index->not_keys, kept);
}

static void
file_by_selector(struct cluster *cluster, struct term_ref ref)
{
	struct term_index *index = cluster->term_index;
	const struct pod_term *term = ref.term;
	const struct selector *s = &term->namespace_selector;
	const struct requirement *anchor = selector_anchor(s);

	if (!can_be_summed(s, anchor)) {
		file_in(scope_of_selector(index, term), ref);
		return;
	}
	if (anchor == NULL)
		file_selected(cluster, &index->of_all, 0, ref);
	else if (anchor->op != SELECTOR_IN)
		file_selected(cluster, &index->of_key, anchor->key, ref);
	else
		for (uint32_t i = 0; i < anchor->nvalues; i++)
			if (!requirement_value_is_repeated(anchor, i))
				file_selected(cluster, &index->of_pair,
				    pair_key(anchor->key, anchor->values[i]),
				    ref);
	for (uint32_t i = 0; i < term->nnamed; i++) {
		sym namespace = term->namespaces[i];

		index->depends_on_labels = true;
		if (pod_term_names_first(term, i) &&
		    !selector_matches(s,
			cluster_namespace_labels(cluster, namespace)))
			file_in(scope_of(&index->namespaces, namespace), ref);
	}
}

static void
file_term(struct cluster *cluster, struct class_terms *owner,
    const struct pod_term *term, enum sort sort, int64_t weight)
{
	struct term_index *index = cluster->term_index;
	const struct term_ref ref = { .owner = owner,
		.term = term,
		.anchor = selector_anchor(&term->selector),
		.sort = sort,
		.weight = weight };

	if (term->selector.nothing ||
	    !cluster_has_label_key(cluster, term->topology_key))
		return;
	if (index->by_labels && term->selects_namespaces) {
		file_by_selector(cluster, ref);
		return;
	}
	for (uint32_t i = 0; i < term->nnamespaces; i++)
		if (pod_term_names_first(term, i))
			file_in(scope_of(&index->namespaces,
				    term->namespaces[i]),
			    ref);
}

static void
file(struct cluster *cluster, struct class_terms *owner)
{
	const struct pod_terms *like = &owner->class->affinity;
	const struct pod_terms *avoid = &owner->class->anti_affinity;

	owner->indexed = xcalloc(1, sizeof(*owner->indexed));
	for (uint32_t i = 0; i < like->nrequired; i++)
		file_term(cluster, owner, &like->required[i], REQUIRED_AFFINITY,
		    1);
	for (uint32_t i = 0; i < avoid->nrequired; i++)
		file_term(cluster, owner, &avoid->required[i],
		    REQUIRED_ANTI_AFFINITY, 1);
	for (uint32_t i = 0; i < like->npreferred; i++)
		file_term(cluster, owner, &like->preferred[i], PREFERRED,
		    like->preferred[i].weight);
	for (uint32_t i = 0; i < avoid->npreferred; i++)
		file_term(cluster, owner, &avoid->preferred[i], PREFERRED,
		    weight_of_avoiding(avoid->preferred[i].weight));
}

/* Taking out */

static void
standing_free(struct standing *s)
{
	for (unsigned i = 0; i < NSORTS; i++)
		free(s->sums[i]);
	free(s);
}

static void
drop_standing(struct term_place *place, struct standing *s)
{
	for (size_t i = 0; i < place->nstandings; i++)
		if (place->standings[i] == s)
			place->standings[i] =
			    place->standings[--place->nstandings];
	standing_free(s);
}

static void
scope_free(struct term_index *index, struct scope *scope)
{
	map_fini(&scope->pairs);
	map_fini(&scope->keys);
	map_fini(&scope->everyone);
	map_fini(&scope->but_pairs);
	map_fini(&scope->but_keys);
	if (scope->selecting != NULL) {
		selecting_free(index, scope->selecting);
		return;
	}
	map_del(scope->map, scope->key);
	free(scope);
}

static void
unfile(struct cluster *cluster, struct class_terms *owner)
{
	struct indexed_terms *filed = owner->indexed;

	if (filed == NULL)
		return;
	for (size_t i = 0; i < filed->nlinks; i++) {
		struct term_link *link = filed->links[i];

		LIST_REMOVE(link, in_list);
		leave(link->place);
		free(link);
	}
	for (size_t i = 0; i < filed->nrefs; i++)
		free(filed->refs[i]);
	for (size_t i = 0; i < filed->ncontributions; i++) {
		struct contribution *c = filed->contributions[i];

		LIST_REMOVE(c, in_standing);
		if (LIST_EMPTY(&c->standing->contributions))
			drop_standing(c->place, c->standing);
		leave(c->place);
		free(c);
	}
	for (size_t i = 0; i < filed->nusing; i++)
		if (--filed->using[i] -> nusers == 0)
			scope_free(cluster->term_index, filed->using[i]);
	free(filed->refs);
	free(filed->links);
	free(filed->contributions);
	free(filed->using);
	free(filed);
	owner->indexed = NULL;
}

void
term_index_forget(struct cluster *cluster)
{
	struct term_index *index;

	if (cluster->term_index == NULL)
		return;
	for (size_t i = 0; i < cluster->nterms; i++)
		unfile(cluster, cluster->terms_list[i]);
	index = cluster->term_index;
	map_fini(&index->namespaces);
	map_fini(&index->of_pair);
	map_fini(&index->of_key);
	map_fini(&index->of_all);
	map_fini(&index->not_pairs);
	map_fini(&index->not_keys);
	content_map_fini(&index->selecting);
	map_fini(&index->pairs);
	map_fini(&index->keys);
	map_fini(&index->everyone);
	map_fini(&index->names);
	free(index);
	cluster->term_index = NULL;
}

void
term_index_namespace_changed(struct cluster *cluster)
{
	if (cluster->term_index != NULL &&
	    cluster->term_index->depends_on_labels)
		term_index_forget(cluster);
}

/* Following */

static void
grow(struct standing *s, enum sort sort)
{
	uint32_t cap = s->cap;

	if (s->topology->ndomains > cap) {
		s->cap = s->topology->ndomains + s->topology->ndomains / 8 + 8;
		for (unsigned i = 0; i < NSORTS; i++) {
			if (s->sums[i] == NULL)
				continue;
			s->sums[i] =
			    xrealloc(s->sums[i], s->cap, sizeof(*s->sums[i]));
			memset(s->sums[i] + cap, 0,
			    (s->cap - cap) * sizeof(*s->sums[i]));
		}
	}
	if (s->sums[sort] == NULL)
		s->sums[sort] = xcalloc(s->cap, sizeof(*s->sums[sort]));
}

static void
add_pod(const struct contribution *c, const struct node_info *node, int sign)
{
	uint32_t domain = topology_domain(c->standing->topology, node);

	if (domain == DOMAIN_NONE)
		return;
	grow(c->standing, c->sort);
	c->standing->sums[c->sort][domain] += sign * c->weight;
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
is_worth_summing(const struct standing *s)
{
	return s->topology != NULL &&
	    s->npods * SUM_FROM > s->topology->ndomains;
}

/* Begins to add up, now that there are many pods. */
static void
sum_up(struct standing *s)
{
	const struct contribution *c;

	s->summed = true;
	LIST_FOREACH (c, &s->contributions, in_standing)
		add_all_pods(c);
}

/* Goes back to walking the pods. */
static void
forget_sums(struct standing *s)
{
	for (unsigned i = 0; i < NSORTS; i++) {
		free(s->sums[i]);
		s->sums[i] = NULL;
	}
	s->cap = 0;
	s->summed = false;
}

/* The pod is, or is still, among those of its class. */
void
term_index_pod_counted(struct cluster *cluster, struct class_terms *terms,
    const struct node_info *node, int sign)
{
	const struct indexed_terms *filed = terms->indexed;

	for (size_t i = 0; filed != NULL && i < filed->ncontributions; i++)
		if (filed->contributions[i]->standing->summed)
			add_pod(filed->contributions[i], node, sign);
	/* now, because sum_up() adds this pod for all contributions */
	for (size_t i = 0; filed != NULL && i < filed->ncontributions; i++) {
		struct standing *s = filed->contributions[i]->standing;

		s->npods += (uint64_t)sign;
		if (sign > 0 && is_worth_summing(s) && !s->summed)
			sum_up(s);
		else if (s->summed &&
		    s->npods * SUM_FROM * 2 < s->topology->ndomains)
			forget_sums(s);
	}
}

void
term_index_added(struct cluster *cluster, struct class_terms *terms)
{
	if (cluster->term_index != NULL && !terms->broken)
		file(cluster, terms);
}

void
term_index_removed(struct cluster *cluster, struct class_terms *terms)
{
	unfile(cluster, terms);
}

static void
count_pods(const struct class_terms *terms)
{
	const struct indexed_terms *filed = terms->indexed;
	uint64_t npods = 0;

	for (uint32_t i = 0; i < terms->set.n; i++)
		npods += terms->set.infos[i]->npods;
	for (size_t i = 0; filed != NULL && i < filed->ncontributions; i++)
		filed->contributions[i]->standing->npods += npods;
}

static void
sum_up_if_worth(const struct class_terms *terms)
{
	const struct indexed_terms *filed = terms->indexed;

	for (size_t i = 0; filed != NULL && i < filed->ncontributions; i++) {
		struct standing *s = filed->contributions[i]->standing;

		if (!s->summed && is_worth_summing(s))
			sum_up(s);
	}
}

static void
make(struct cluster *cluster, bool by_labels)
{
	cluster->term_index = xcalloc(1, sizeof(*cluster->term_index));
	cluster->term_index->by_labels = by_labels;
	for (size_t i = 0; i < cluster->nterms; i++) {
		term_index_added(cluster, cluster->terms_list[i]);
		count_pods(cluster->terms_list[i]);
	}
	for (size_t i = 0; i < cluster->nterms; i++)
		sum_up_if_worth(cluster->terms_list[i]);
}

/* Asking */

struct question {
	struct cluster *cluster;
	const struct pod_class *class;
	int64_t weights[NSORTS];
	int64_t *(*sums_of)(void *arg, const struct topology *topology);
	void *arg;
};

/* Adds the term around all pods that have it, times `sign`. */
static void
add_term(const struct question *q, const struct term_ref *ref, int sign)
{
	const struct class_set *set = &ref->owner->set;
	const struct topology *topology;
	int64_t weight = q->weights[ref->sort] * ref->weight * sign;

	if (weight == 0)
		return;
	topology = cluster_topology(q->cluster, ref->term->topology_key);
	for (uint32_t i = 0; i < set->n; i++)
		class_accumulate(q->cluster, set->infos[i], topology, weight,
		    q->sums_of(q->arg, topology));
}

static void
add_contribution(const struct question *q, const struct contribution *c)
{
	const struct class_set *set = &c->owner->set;
	int64_t weight = q->weights[c->sort] * c->weight;

	for (uint32_t i = 0; weight != 0 && i < set->n; i++)
		class_accumulate(q->cluster, set->infos[i],
		    c->standing->topology, weight,
		    q->sums_of(q->arg, c->standing->topology));
}

static void
add_standing(const struct question *q, struct standing *s)
{
	const struct contribution *c;

	if (s->topology == NULL) {
		s->topology = cluster_topology(q->cluster, s->key);
		if (is_worth_summing(s))
			sum_up(s);
	}
	if (!s->summed)
		LIST_FOREACH (c, &s->contributions, in_standing)
			add_contribution(q, c);
	for (unsigned sort = 0; sort < NSORTS; sort++) {
		int64_t weight = q->weights[sort], *sums;
		const int64_t *standing = s->sums[sort];

		if (weight == 0 || standing == NULL)
			continue;
		sums = q->sums_of(q->arg, s->topology);
		for (uint32_t i = 0; i < s->topology->ndomains && i < s->cap;
		     i++)
			sums[i] += weight * standing[i];
	}
}

static void
add_matching(const struct question *q, const struct map *map, uint64_t key)
{
	const struct term_place *place = map_get(map, key);
	const struct term_link *link;

	if (place == NULL)
		return;
	for (size_t i = 0; i < place->nstandings; i++)
		add_standing(q, place->standings[i]);
	LIST_FOREACH (link, &place->links, in_list)
		if (selector_matches(&link->ref->term->selector,
			&q->class->labels))
			add_term(q, link->ref, 1);
}

static void
subtract(const struct question *q, const struct map *map, uint64_t key)
{
	const struct term_place *place = map_get(map, key);
	uint64_t round = q->cluster->term_index->round;
	const struct term_link *link;

	if (place == NULL)
		return;
	LIST_FOREACH (link, &place->links, in_list) {
		struct term_ref *ref = link->ref;

		if (ref->mark == round ||
		    (ref->anchor != NULL &&
			!requirement_matches(ref->anchor, &q->class->labels)))
			continue;
		ref->mark = round;
		add_term(q, ref, -1);
	}
}

/* NULL: there is none. */
static void
ask(const struct question *q, struct scope *scope)
{
	const struct labels *labels = &q->class->labels;

	if (scope == NULL)
		return;
	scope->asked = q->cluster->term_index->round;
	add_matching(q, &scope->everyone, 0);
	for (uint32_t i = 0; i < labels->n; i++) {
		const struct label *label = &labels->at[i];
		uint64_t pair = pair_key(label->key, label->value);

		add_matching(q, &scope->pairs, pair);
		add_matching(q, &scope->keys, label->key);
		subtract(q, &scope->but_pairs, pair);
		subtract(q, &scope->but_keys, label->key);
	}
}

/* Adds the terms of the place's scopes that select the namespace, each scope once;
 * namespace_labels NULL: without a check, as they name it. */
static void
ask_selecting(const struct question *q, const struct map *map, uint64_t key,
    const struct labels *namespace_labels)
{
	const struct scope_place *place = map_get(map, key);
	uint64_t round = q->cluster->term_index->round;
	const struct scope_link *link;

	if (place == NULL)
		return;
	LIST_FOREACH (link, &place->links, in_list) {
		struct selecting *s = link->selecting;

		if (s->scope.asked == round ||
		    (namespace_labels != NULL &&
			!selector_matches(&s->selector, namespace_labels)))
			continue;
		ask(q, &s->scope);
	}
}

/* Subtracts terms that were asked and exclude the namespace. */
static void
exclude(const struct question *q, const struct map *map, uint64_t key)
{
	const struct term_place *place = map_get(map, key);
	uint64_t round = q->cluster->term_index->round;
	const struct term_link *link;

	if (place == NULL)
		return;
	LIST_FOREACH (link, &place->links, in_list) {
		struct term_ref *ref = link->ref;

		if (ref->excluded == round || ref->scope->asked != round ||
		    !selector_matches(&ref->term->selector, &q->class->labels))
			continue;
		ref->excluded = round;
		add_term(q, ref, -1);
	}
}

/* Those that select the namespace by one label, or all but some. */
static void
ask_by_labels(const struct question *q, const struct labels *labels)
{
	const struct term_index *index = q->cluster->term_index;

	ask(q, map_get(&index->of_all, 0));
	for (uint32_t i = 0; i < labels->n; i++) {
		const struct label *label = &labels->at[i];

		ask(q,
		    map_get(&index->of_pair,
			pair_key(label->key, label->value)));
		ask(q, map_get(&index->of_key, label->key));
	}
	for (uint32_t i = 0; i < labels->n; i++) {
		const struct label *label = &labels->at[i];

		exclude(q, &index->not_pairs,
		    pair_key(label->key, label->value));
		exclude(q, &index->not_keys, label->key);
	}
}

static void
ask_all_selecting(const struct question *q, const struct labels *labels)
{
	const struct term_index *index = q->cluster->term_index;
	sym namespace = q->class->namespace;

	if (index->selecting.n == 0)
		return;
	ask_selecting(q, &index->names, namespace, NULL);
	ask_selecting(q, &index->everyone, 0, labels);
	for (uint32_t i = 0; i < labels->n; i++) {
		const struct label *label = &labels->at[i];

		ask_selecting(q, &index->pairs,
		    pair_key(label->key, label->value), labels);
		ask_selecting(q, &index->keys, label->key, labels);
	}
}

void
cluster_sum_terms(struct cluster *cluster, const struct pod_class *class,
    const struct term_weights *weights, bool by_labels,
    int64_t *(*sums_of)(void *arg, const struct topology *topology), void *arg)
{
	struct question q = { cluster, class, { 0 }, sums_of, arg };
	const struct labels *labels;

	if (cluster->nterms == 0)
		return;
	if (cluster->term_index != NULL &&
	    cluster->term_index->by_labels != by_labels)
		term_index_forget(cluster);
	if (cluster->term_index == NULL)
		make(cluster, by_labels);
	q.weights[REQUIRED_AFFINITY] = weights->required_affinity;
	q.weights[REQUIRED_ANTI_AFFINITY] = weights->required_anti_affinity;
	q.weights[PREFERRED] = weights->preferred;
	cluster->term_index->round++;
	ask(&q, map_get(&cluster->term_index->namespaces, class->namespace));
	if (!by_labels)
		return;
	labels = cluster_namespace_labels(cluster, class->namespace);
	ask_by_labels(&q, labels);
	ask_all_selecting(&q, labels);
}

bool
cluster_has_broken_terms(const struct cluster *cluster)
{
	return cluster->nbroken_terms > 0;
}
