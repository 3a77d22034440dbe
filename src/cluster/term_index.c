/*
 * The index is built on first use, and updated with terms and pods from then
 * on.  It is dropped, and rebuilt on demand, when a change of nodes moves pods
 * between domains or adds a label key.
 */
#include "config.h"

#include "cluster/term_index.h"

#include <sys/queue.h>

#include "base/hash.h"
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

/* Places by the label that what is filed there asks for: a pair, a key, none. */
struct places {
	struct map pairs, keys, everyone;
};

/*
 * A place for terms that require one label, or none.  It holds the sum of the
 * terms that require nothing else.  Terms that also exclude labels are in that
 * sum, too, and listed in the places of the excluded labels, to be subtracted.
 * All other terms are on the place's list, and are evaluated one by one.
 *
 * Places for scopes that select namespaces have a list alone.
 */
struct place {
	uint64_t key;
	struct map *map; /* that the place is in, by this key */
	unsigned nusers; /* links and contributions */
	LIST_HEAD(, link) links;
	size_t nstandings, standings_cap;
	struct standing **standings;
};

/* A term, filed in one namespace. */
struct term_ref {
	struct term_ref *next; /* of the same owner */
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

struct link {
	LIST_ENTRY(link) in_list;
	struct link *next; /* of the same owner, or selecting */
	struct place *place;
	struct term_ref *ref;        /* of places for terms */
	struct selecting *selecting; /* of places for scopes */
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
	uint64_t asked;       /* index->round */
	unsigned nusers;      /* term_refs */
	struct places places; /* of terms, by the label that they ask for */
	struct places but;    /* of summed terms, by those that they exclude */
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
	struct link *links;
};

/* The amount that each pod with the terms adds to a standing. */
struct contribution {
	LIST_ENTRY(contribution) in_standing;
	struct contribution *next; /* of the same owner */
	struct class_terms *owner;
	struct place *place;
	struct standing *standing;
	enum sort sort;
	int64_t weight;
};

/* Everything that is filed of a class_terms. */
struct indexed_terms {
	struct term_ref *refs; /* each counts as a user of its scope */
	struct link *links;
	struct contribution *contributions;
};

struct term_index {
	/* Terms with a namespaceSelector are read as from 1.21 on. */
	bool by_labels;
	/* There are terms that select namespaces and name some: those that they
	 * do not select as of now are filed, so that labels must not change. */
	bool depends_on_labels;
	struct map namespaces; /* struct scope, by name */
	/* struct scope, by one label or key that a selector asks for, or for all;
	 * and places of their terms, by those of namespaces that they exclude. */
	struct places of, not_of;
	struct content_map selecting;
	/* Of those: by a namespace's label, and by its name. */
	struct places by_label;
	struct map by_name;
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

static struct place *
place_of(struct map *map, uint64_t key)
{
	struct place *place = map_get(map, key);

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
leave(struct place *place)
{
	if (--place->nusers > 0)
		return;
	map_del(place->map, place->key);
	free(place->standings);
	free(place);
}

/* In front of the links of *links. */
static void
link_at(struct link **links, struct map *map, uint64_t key,
    struct term_ref *ref, struct selecting *selecting)
{
	struct place *place = place_of(map, key);
	struct link *link = xmalloc(sizeof(*link));

	place->nusers++;
	*link = (struct link){ .next = *links,
		.place = place,
		.ref = ref,
		.selecting = selecting };
	LIST_INSERT_HEAD(&place->links, link, in_list);
	*links = link;
}

static void
unlink_all(struct link *links)
{
	struct link *next;

	for (struct link *link = links; link != NULL; link = next) {
		next = link->next;
		LIST_REMOVE(link, in_list);
		leave(link->place);
		free(link);
	}
}

static void
places_fini(struct places *places)
{
	map_fini(&places->pairs);
	map_fini(&places->keys);
	map_fini(&places->everyone);
}

/* The next map and key, from *i (0 at first) on, to file what asks for this label
 * (NULL: none); NULL: there is no other. */
static struct map *
next_place(struct places *places, const struct requirement *anchor, uint32_t *i,
    uint64_t *key)
{
	uint32_t at = (*i)++;

	if (anchor == NULL || anchor->op != SELECTOR_IN) {
		*key = anchor != NULL ? anchor->key : 0;
		if (at > 0)
			return NULL;
		return anchor != NULL ? &places->keys : &places->everyone;
	}
	while (
	    at < anchor->nvalues && requirement_value_is_repeated(anchor, at))
		at++;
	*i = at + 1;
	if (at == anchor->nvalues)
		return NULL;
	*key = pair_key(anchor->key, anchor->values[at]);
	return &places->pairs;
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
file_by_exclusions(const struct selector *s, struct places *places,
    struct term_ref *ref)
{
	struct link **links = &ref->owner->indexed->links;

	for (uint32_t i = 0; i < s->n; i++) {
		const struct requirement *r = &s->at[i];

		if (r->op == SELECTOR_DOES_NOT_EXIST)
			link_at(links, &places->keys, r->key, ref, NULL);
		for (uint32_t j = 0; r->op == SELECTOR_NOT_IN && j < r->nvalues;
		     j++)
			link_at(links, &places->pairs,
			    pair_key(r->key, r->values[j]), ref, NULL);
	}
}

static struct standing *
standing_of(struct place *place, sym key)
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
	struct place *place = place_of(map, key);
	struct standing *standing = standing_of(place, ref->term->topology_key);
	struct contribution *c;

	for (c = filed->contributions; c != NULL; c = c->next)
		if (c->standing == standing && c->sort == ref->sort) {
			c->weight += ref->weight;
			return;
		}
	c = xmalloc(sizeof(*c));
	*c = (struct contribution){ .next = filed->contributions,
		.owner = ref->owner,
		.place = place,
		.standing = standing,
		.sort = ref->sort,
		.weight = ref->weight };
	LIST_INSERT_HEAD(&standing->contributions, c, in_standing);
	filed->contributions = c;
	place->nusers++;
}

/* As a summand or on the list. */
static void
file_ref(struct scope *scope, struct term_ref *ref)
{
	bool summed = can_be_summed(&ref->term->selector, ref->anchor);
	struct map *map;
	uint64_t key;

	for (uint32_t i = 0;
	     NULL != (map = next_place(&scope->places, ref->anchor, &i, &key));)
		if (summed)
			contribute(ref, map, key);
		else
			link_at(&ref->owner->indexed->links, map, key, ref,
			    NULL);
	if (summed)
		file_by_exclusions(&ref->term->selector, &scope->but, ref);
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
file_scope(struct term_index *index, struct selecting *s)
{
	const struct requirement *anchor = selector_anchor(&s->selector);
	struct map *map;
	uint64_t key;

	for (uint32_t i = 0; i < s->nnamespaces; i++)
		link_at(&s->links, &index->by_name, s->namespaces[i], NULL, s);
	for (uint32_t i = 0;
	     (map = next_place(&index->by_label, anchor, &i, &key)) != NULL;)
		link_at(&s->links, map, key, NULL, s);
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
	unlink_all(s->links);
	arena_fini(&s->arena);
	free(s);
}

/* Terms */

static struct term_ref *
file_in(struct scope *scope, struct term_ref ref)
{
	struct indexed_terms *filed = ref.owner->indexed;
	struct term_ref *kept = xmalloc(sizeof(*kept));

	*kept = ref;
	kept->next = filed->refs;
	filed->refs = kept;
	kept->scope = scope;
	scope->nusers++;
	file_ref(scope, kept);
	return kept;
}

static void
file_by_selector(struct cluster *cluster, struct term_ref ref)
{
	struct term_index *index = cluster->term_index;
	const struct pod_term *term = ref.term;
	const struct selector *s = &term->namespace_selector;
	const struct requirement *anchor = selector_anchor(s);
	struct map *map;
	uint64_t key;

	if (!can_be_summed(s, anchor)) {
		file_in(scope_of_selector(index, term), ref);
		return;
	}
	/* in the scope of those that it asks for, less those that it excludes */
	for (uint32_t i = 0;
	     (map = next_place(&index->of, anchor, &i, &key)) != NULL;)
		file_by_exclusions(s, &index->not_of,
		    file_in(scope_of(map, key), ref));
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
drop_standing(struct place *place, struct standing *s)
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
	places_fini(&scope->places);
	places_fini(&scope->but);
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
	struct contribution *c;
	struct term_ref *ref;

	if (filed == NULL)
		return;
	unlink_all(filed->links);
	while ((c = filed->contributions) != NULL) {
		filed->contributions = c->next;
		LIST_REMOVE(c, in_standing);
		if (LIST_EMPTY(&c->standing->contributions))
			drop_standing(c->place, c->standing);
		leave(c->place);
		free(c);
	}
	while ((ref = filed->refs) != NULL) {
		filed->refs = ref->next;
		if (--ref->scope->nusers == 0)
			scope_free(cluster->term_index, ref->scope);
		free(ref);
	}
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
	places_fini(&index->of);
	places_fini(&index->not_of);
	content_map_fini(&index->selecting);
	places_fini(&index->by_label);
	map_fini(&index->by_name);
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
	const struct contribution *all =
	    terms->indexed != NULL ? terms->indexed->contributions : NULL;

	for (const struct contribution *c = all; c != NULL; c = c->next)
		if (c->standing->summed)
			add_pod(c, node, sign);
	/* now, because sum_up() adds this pod for all contributions */
	for (const struct contribution *c = all; c != NULL; c = c->next) {
		struct standing *s = c->standing;

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
	for (const struct contribution *c =
		 filed != NULL ? filed->contributions : NULL;
	     c != NULL; c = c->next)
		c->standing->npods += npods;
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

/* Asks what is filed for no label, and for each of these. */
static void
ask_places(const struct question *q, const struct places *places,
    const struct labels *labels,
    void (*ask)(const struct question *q, void *found))
{
	void *found = map_get(&places->everyone, 0);

	if (found != NULL)
		ask(q, found);
	for (uint32_t i = 0; i < labels->n; i++) {
		const struct label *label = &labels->at[i];

		found =
		    map_get(&places->pairs, pair_key(label->key, label->value));
		if (found != NULL)
			ask(q, found);
		found = map_get(&places->keys, label->key);
		if (found != NULL)
			ask(q, found);
	}
}

static void
add_matching(const struct question *q, void *found)
{
	const struct place *place = found;
	const struct link *link;

	for (size_t i = 0; i < place->nstandings; i++)
		add_standing(q, place->standings[i]);
	LIST_FOREACH (link, &place->links, in_list)
		if (selector_matches(&link->ref->term->selector,
			&q->class->labels))
			add_term(q, link->ref, 1);
}

static void
subtract(const struct question *q, void *found)
{
	const struct place *place = found;
	uint64_t round = q->cluster->term_index->round;
	const struct link *link;

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

static void
ask(const struct question *q, void *found)
{
	struct scope *scope = found;

	scope->asked = q->cluster->term_index->round;
	ask_places(q, &scope->places, &q->class->labels, add_matching);
	ask_places(q, &scope->but, &q->class->labels, subtract);
}

/* Those that name the namespace, each once. */
static void
ask_naming(const struct question *q, const struct place *place)
{
	const struct link *link;

	LIST_FOREACH (link, &place->links, in_list)
		if (link->selecting->scope.asked !=
		    q->cluster->term_index->round)
			ask(q, &link->selecting->scope);
}

/* Those that select the namespace, each once. */
static void
ask_selecting(const struct question *q, void *found)
{
	const struct place *place = found;
	const struct link *link;

	LIST_FOREACH (link, &place->links, in_list) {
		struct selecting *s = link->selecting;

		if (s->scope.asked != q->cluster->term_index->round &&
		    selector_matches(&s->selector, q->namespace_labels))
			ask(q, &s->scope);
	}
}

/* Subtracts terms that were asked and exclude the namespace. */
static void
exclude(const struct question *q, void *found)
{
	const struct place *place = found;
	uint64_t round = q->cluster->term_index->round;
	const struct link *link;

	LIST_FOREACH (link, &place->links, in_list) {
		struct term_ref *ref = link->ref;

		if (ref->excluded == round || ref->scope->asked != round ||
		    !selector_matches(&ref->term->selector, &q->class->labels))
			continue;
		ref->excluded = round;
		add_term(q, ref, -1);
	}
}

/* By the namespace's labels, and those that name it and select others. */
static void
ask_by_labels(const struct question *q)
{
	const struct term_index *index = q->cluster->term_index;
	const struct labels *labels = q->namespace_labels;
	const struct place *naming =
	    map_get(&index->by_name, q->class->namespace);

	ask_places(q, &index->of, labels, ask);
	ask_places(q, &index->not_of, labels, exclude);
	if (naming != NULL)
		ask_naming(q, naming);
	ask_places(q, &index->by_label, labels, ask_selecting);
}

void
cluster_sum_terms(struct cluster *cluster, const struct pod_class *class,
    const struct term_weights *weights, bool by_labels,
    int64_t *(*sums_of)(void *arg, const struct topology *topology), void *arg)
{
	struct question q = { cluster, class, NULL, { 0 }, sums_of, arg };
	void *named;

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
	named = map_get(&cluster->term_index->namespaces, class->namespace);
	if (named != NULL)
		ask(&q, named);
	if (!by_labels)
		return;
	q.namespace_labels =
	    cluster_namespace_labels(cluster, class->namespace);
	ask_by_labels(&q);
}

bool
cluster_has_broken_terms(const struct cluster *cluster)
{
	return cluster->nbroken_terms > 0;
}
