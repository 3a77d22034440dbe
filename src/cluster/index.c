/*
 * A class_info exists while the class has pods on nodes.  Its counts per
 * topology are computed on first use, by walking its pods, and updated with
 * every pod from then on.  If a change of nodes moves pods between domains, the
 * affected counts are dropped and rebuilt on demand.
 */
#include "config.h"

#include "cluster/index.h"

#include <assert.h>

#include "base/hash.h"
#include "cluster/index_internal.h"
#include "cluster/select.h"
#include "cluster/term_index.h"

/* A class with fewer pods than this part of the domains is walked each time:
 * an array would cost more than it saves. */
#define WALK_BELOW 16

static uint64_t
class_key(const struct pod_class *class)
{
	return (uint64_t)(uintptr_t) class;
}

/* All terms of the class, n of them; you own the array. */
static const struct pod_term **
all_terms(const struct pod_class *class, uint32_t *n)
{
	const struct pod_terms *kinds[] = { &class->affinity,
		&class->anti_affinity };
	const struct pod_term **all = NULL;
	size_t cap = 0;

	*n = 0;
	for (unsigned i = 0; i < LENGTH(kinds); i++) {
		for (uint32_t j = 0; j < kinds[i]->nrequired; j++) {
			vec_room(all, *n, &cap);
			all[(*n)++] = &kinds[i]->required[j];
		}
		for (uint32_t j = 0; j < kinds[i]->npreferred; j++) {
			vec_room(all, *n, &cap);
			all[(*n)++] = &kinds[i]->preferred[j];
		}
	}
	return all;
}

static void
set_add(struct class_set *set, unsigned kind, struct class_info *info)
{
	vec_room(set->infos, set->n, &set->cap);
	info->sets[kind] = set;
	info->set_at[kind] = set->n;
	set->infos[set->n++] = info;
}

/* Whether it was the only one. */
static bool
set_remove(unsigned kind, struct class_info *info)
{
	struct class_set *set = info->sets[kind];
	struct class_info *last = set->infos[--set->n];

	set->infos[info->set_at[kind]] = last;
	last->set_at[kind] = info->set_at[kind];
	if (set->n > 0)
		return false;
	free(set->infos);
	return true;
}

struct terms_key {
	size_t len;
	const void *bytes;
};

static bool
has_key(const void *value, const void *wanted)
{
	const struct class_terms *terms = value;
	const struct terms_key *key = wanted;

	return terms->key_len == key->len &&
	    memcmp(terms->key, key->bytes, key->len) == 0;
}

/* Those of the class, which are made if need be. */
static struct class_terms *
terms_of(struct cluster *cluster, const struct pod_class *class)
{
	size_t len;
	const void *key = pod_class_aspects(class, ASPECT_POD_AFFINITY, &len);
	uint64_t hash = hash_bytes64(key, len);
	struct class_terms *terms = content_map_get(&cluster->terms, hash,
	    has_key, &(struct terms_key){ len, key });

	if (terms != NULL)
		return terms;
	terms = xcalloc(1, sizeof(*terms));
	terms->hash = hash;
	terms->key_len = len;
	terms->key = memcpy(xmalloc(len), key, len);
	terms->class = pod_class_ref(class);
	terms->broken = pod_class_has_broken_term(class);
	cluster->nbroken_terms += terms->broken;
	vec_room(cluster->terms_list, cluster->nterms, &cluster->terms_cap);
	terms->list_at = (uint32_t)cluster->nterms;
	cluster->terms_list[cluster->nterms++] = terms;
	content_map_add(&cluster->terms, hash, terms);
	term_index_added(cluster, terms);
	return terms;
}

static void
terms_remove(struct cluster *cluster, struct class_info *info)
{
	struct class_terms *terms =
			       (struct class_terms *)info->sets[WITH_TERMS],
			   *last;

	if (terms == NULL || !set_remove(WITH_TERMS, info))
		return;
	last = cluster->terms_list[--cluster->nterms];
	cluster->terms_list[terms->list_at] = last;
	last->list_at = terms->list_at;
	content_map_del(&cluster->terms, terms->hash, terms);
	term_index_removed(terms);
	cluster->nbroken_terms -= terms->broken;
	pod_class_unref(terms->class);
	free(terms->key);
	free(terms);
}

static struct class_info *
class_add(struct cluster *cluster, const struct pod_class *class)
{
	struct class_info *info = xcalloc(1, sizeof(*info));
	struct class_set *set = map_get(&cluster->classes_in, class->namespace);

	info->class = class;
	map_put(&cluster->classes, class_key(class), info);
	vec_room(cluster->class_list, cluster->nclasses, &cluster->classes_cap);
	info->list_at = (uint32_t)cluster->nclasses;
	cluster->class_list[cluster->nclasses++] = info;
	if (set == NULL) {
		set = xcalloc(1, sizeof(*set));
		map_put(&cluster->classes_in, class->namespace, set);
	}
	set_add(set, IN_NAMESPACE, info);
	select_class_added(set, info);
	if (pod_class_has_terms(class))
		set_add(&terms_of(cluster, class)->set, WITH_TERMS, info);
	return info;
}

static void
class_remove(struct cluster *cluster, struct class_info *info)
{
	struct class_info *last = cluster->class_list[--cluster->nclasses];
	struct class_set *set = info->sets[IN_NAMESPACE];

	cluster->class_list[info->list_at] = last;
	last->list_at = info->list_at;
	select_class_removed(set, info);
	if (set_remove(IN_NAMESPACE, info)) {
		select_free(set);
		free(map_del(&cluster->classes_in, info->class->namespace));
	}
	terms_remove(cluster, info);
	map_del(&cluster->classes, class_key(info->class));
	totals_forget(&info->totals, NULL);
	free(info->pods);
	free(info->nodes);
	free(info);
}

void
class_counts_grow(struct class_counts *c)
{
	uint32_t cap = c->cap;

	if (c->topology->ndomains <= cap)
		return;
	c->cap = c->topology->ndomains + c->topology->ndomains / 8 + 8;
	c->counts = xrealloc(c->counts, c->cap, sizeof(*c->counts));
	memset(c->counts + cap, 0, (c->cap - cap) * sizeof(*c->counts));
}

void
class_counts_pod(struct class_counts *c, const struct node_info *node, int sign)
{
	uint32_t domain = topology_domain(c->topology, node);

	if (domain == DOMAIN_NONE)
		return;
	class_counts_grow(c);
	c->counts[domain] += (uint32_t)sign;
}

void
class_counts_add(struct class_counts *c, const struct class_info *info)
{
	for (uint32_t i = 0; i < info->npods; i++)
		class_counts_pod(c, info->nodes[i], 1);
}

struct class_counts *
totals_find(struct totals *totals, const struct topology *topology)
{
	for (uint32_t i = 0; i < totals->n; i++)
		if (totals->at[i].topology == topology) {
			class_counts_grow(&totals->at[i]);
			return &totals->at[i];
		}
	return NULL;
}

struct class_counts *
totals_new(struct totals *totals, const struct topology *topology)
{
	struct class_counts *c;

	vec_room(totals->at, totals->n, &totals->cap);
	c = &totals->at[totals->n++];
	*c = (struct class_counts){ .topology = topology };
	class_counts_grow(c);
	return c;
}

void
totals_pod(struct totals *totals, const struct node_info *node, int sign)
{
	for (uint32_t i = 0; i < totals->n; i++)
		class_counts_pod(&totals->at[i], node, sign);
}

void
totals_forget(struct totals *totals, const struct topology *topology)
{
	uint32_t i = 0;

	while (i < totals->n) {
		struct class_counts *c = &totals->at[i];

		if (topology != NULL && c->topology != topology) {
			i++;
			continue;
		}
		free(c->counts);
		*c = totals->at[--totals->n];
	}
	if (topology != NULL)
		return;
	free(totals->at);
	*totals = (struct totals){ 0 };
}

static void
count(struct cluster *cluster, struct class_info *info,
    const struct node_info *node, int sign)
{
	totals_pod(&info->totals, node, sign);
	select_pod_counted(info, node, sign);
	if (info->sets[WITH_TERMS] != NULL)
		term_index_pod_counted(cluster,
		    (struct class_terms *)info->sets[WITH_TERMS], node, sign);
}

void **
class_found(const struct cluster *cluster, struct arena *arena, void ***found,
    const struct pod_class *class)
{
	const struct class_info *info =
	    map_get(&cluster->classes, class_key(class));

	if (info == NULL)
		return arena_array(arena, void *, 1);
	if (*found == NULL)
		*found = arena_array(arena, void *, cluster->nclasses);
	return &(*found)[info->list_at];
}

void
index_pod_added(struct cluster *cluster, const struct pod *pod,
    struct node_info *node, uint32_t *class_at)
{
	struct class_info *info =
	    map_get(&cluster->classes, class_key(pod->class));
	size_t cap;

	if (info == NULL)
		info = class_add(cluster, pod->class);
	cap = info->pods_cap;
	vec_room(info->nodes, info->npods, &cap);
	vec_room(info->pods, info->npods, &info->pods_cap);
	*class_at = info->npods;
	info->pods[info->npods] = pod;
	info->nodes[info->npods++] = node;
	count(cluster, info, node, 1);
}

const struct pod *
index_pod_removed(struct cluster *cluster, const struct pod *pod,
    uint32_t class_at)
{
	struct class_info *info =
	    map_get(&cluster->classes, class_key(pod->class));
	uint32_t last;

	assert(info != NULL && info->pods[class_at] == pod);
	count(cluster, info, info->nodes[class_at], -1);
	last = --info->npods;
	if (last == 0) {
		class_remove(cluster, info);
		return NULL;
	}
	info->pods[class_at] = info->pods[last];
	info->nodes[class_at] = info->nodes[last];
	return class_at < last ? info->pods[class_at] : NULL;
}

static uint32_t
add_domain(struct topology *t, sym value)
{
	vec_room(t->values, t->ndomains, &t->values_cap);
	vec_room(t->nnodes, t->ndomains, &t->nnodes_cap);
	t->nnodes[t->ndomains] = 0;
	t->values[t->ndomains] = value;
	return t->ndomains++;
}

static bool
is_of_zones(sym key)
{
	return key == TOPOLOGY_ZONE || key == TOPOLOGY_BETA_ZONE;
}

/* SYM_NONE: the node is in none. */
static sym
zone_of(const struct node *node, sym key)
{
	sym zone = key == TOPOLOGY_ZONE ? node->zone : node->beta_zone;

	return zone != SYM_EMPTY ? zone : SYM_NONE;
}

static uint32_t
domain_of_node(struct topology *t, const struct node_info *node)
{
	uintptr_t found;
	uint32_t domain;
	sym value;

	if (t->key == TOPOLOGY_NONE)
		return DOMAIN_NONE;
	/* every node's own: nodes come in the order of their indexes */
	if (t->key == SYM_NONE)
		return node->index < t->ndomains ? node->index :
						   add_domain(t, node->name);
	value = is_of_zones(t->key) ? zone_of(node->node, t->key) :
				      labels_get(&node->node->labels, t->key);
	if (value == SYM_NONE)
		return DOMAIN_NONE;
	found = (uintptr_t)map_get(&t->by_value, value);
	if (found != 0)
		return (uint32_t)(found - 1);
	domain = add_domain(t, value);
	map_put(&t->by_value, value, (void *)(uintptr_t)(domain + 1));
	return domain;
}

/* One node more (1) or less (-1) is in the domain. */
static void
count_node(struct topology *t, uint32_t domain, int sign)
{
	if (domain == DOMAIN_NONE)
		return;
	t->nnodes[domain] += (uint32_t)sign;
	t->nplaced += (uint32_t)sign;
}

/* Puts the node, which is in none yet, into its domain. */
static void
place(struct topology *t, const struct node_info *node)
{
	uint32_t domain;

	if (node->index >= t->nodes_cap) {
		t->nodes_cap = node->index + node->index / 2 + 16;
		t->domain_of =
		    xrealloc(t->domain_of, t->nodes_cap, sizeof(*t->domain_of));
	}
	domain = domain_of_node(t, node);
	t->domain_of[node->index] = domain;
	count_node(t, domain, 1);
}

/* With n domains of m nodes each: whether checking one node of each domain costs more
 * than checking all nodes of a few domains. */
static void
choose_granularity(struct topology *t, uint32_t nnodes)
{
	t->fine = (uint64_t)t->ndomains * t->ndomains > (uint64_t)nnodes * 4;
}

bool
cluster_has_label_key(const struct cluster *cluster, sym key)
{
	return map_get(&cluster->label_keys, key) != NULL;
}

const struct topology *
cluster_topology(struct cluster *cluster, sym key)
{
	struct topology *t;

	if (key != SYM_NONE && !is_of_zones(key) &&
	    !cluster_has_label_key(cluster, key))
		key = TOPOLOGY_NONE;
	t = map_get(&cluster->topologies, key);
	if (t != NULL)
		return t;
	t = xcalloc(1, sizeof(*t));
	t->key = key;
	for (uint32_t i = 0; i < cluster->nnodes; i++)
		place(t, cluster->nodes[i]);
	choose_granularity(t, cluster->nnodes);
	map_put(&cluster->topologies, key, t);
	return t;
}

static void
topology_free(struct topology *t)
{
	map_fini(&t->by_value);
	free(t->domain_of);
	free(t->values);
	free(t->nnodes);
	free(t);
}

static void
forget_counts_of(struct cluster *cluster, const struct topology *t)
{
	for (size_t i = 0; i < cluster->nclasses; i++)
		totals_forget(&cluster->class_list[i]->totals, t);
	EACH_VALUE (&cluster->classes_in, struct class_set, set)
		select_forget(set, t);
	term_index_forget_key(cluster, t->key);
}

static void
count_label_keys(struct cluster *cluster, const struct labels *labels, int sign)
{
	struct map *keys = &cluster->label_keys;

	for (uint32_t i = 0; labels != NULL && i < labels->n; i++) {
		sym key = labels->at[i].key;
		uintptr_t n = (uintptr_t)map_get(keys, key) + (uintptr_t)sign;
		struct topology *t;

		if (n > 0) {
			map_put(keys, key, (void *)n);
			/* terms about this topology had no effect until now */
			if (sign > 0 && n == 1)
				term_index_forget_key(cluster, key);
			continue;
		}
		map_del(keys, key);
		t = map_del(&cluster->topologies, key);
		if (t == NULL)
			continue;
		forget_counts_of(cluster, t);
		topology_free(t);
	}
}

void
index_label_keys(struct cluster *cluster, const struct labels *from,
    const struct labels *to)
{
	/* in this order keys that stay are not dropped in between */
	count_label_keys(cluster, to, 1);
	count_label_keys(cluster, from, -1);
}

void
index_node_added(struct cluster *cluster, struct node_info *node)
{
	EACH_VALUE (&cluster->topologies, struct topology, t) {
		place(t, node);
		choose_granularity(t, cluster->nnodes);
		/* its pods were there before it and are not counted yet */
		if (node->npods > 0)
			forget_counts_of(cluster, t);
	}
}

/* Pods of a node whose counts move with it; with more, counts are made again. */
#define MOVED_MOST 256

/* The pods leave the node's domains (sign -1), or are in its new ones (1). */
static void
move_pods(struct cluster *cluster, const struct node_info *node, int sign)
{
	for (uint32_t i = 0; i < node->npods; i++) {
		struct class_info *info =
		    map_get(&cluster->classes, class_key(node->pods[i]->class));

		totals_pod(&info->totals, node, sign);
		select_pod_moves(info, node, sign);
		if (info->sets[WITH_TERMS] != NULL)
			term_index_pod_moves((struct class_terms *)
						 info->sets[WITH_TERMS],
			    node, sign);
	}
}

void
index_node_relabelled(struct cluster *cluster, struct node_info *node)
{
	bool moves = node->npods <= MOVED_MOST;

	if (moves)
		move_pods(cluster, node, -1);
	EACH_VALUE (&cluster->topologies, struct topology, t) {
		uint32_t before = t->domain_of[node->index];

		count_node(t, before, -1);
		place(t, node);
		choose_granularity(t, cluster->nnodes);
		if (t->domain_of[node->index] != before && !moves)
			forget_counts_of(cluster, t);
	}
	if (moves)
		move_pods(cluster, node, 1);
}

void
index_forget(struct cluster *cluster)
{
	term_index_forget(cluster);
	for (size_t i = 0; i < cluster->nclasses; i++)
		totals_forget(&cluster->class_list[i]->totals, NULL);
	EACH_VALUE (&cluster->classes_in, struct class_set, set)
		select_forget(set, NULL);
	EACH_VALUE (&cluster->topologies, struct topology, t)
		topology_free(t);
	map_fini(&cluster->topologies);
}

void
index_free(struct cluster *cluster)
{
	index_forget(cluster);
	while (cluster->nclasses > 0)
		class_remove(cluster, cluster->class_list[0]);
	free(cluster->class_list);
	free(cluster->terms_list);
	content_map_fini(&cluster->terms);
	map_fini(&cluster->classes_in);
	map_fini(&cluster->label_keys);
	map_fini(&cluster->classes);
}

void
add_counts(int64_t *sums, const uint32_t *counts, uint32_t n, int64_t weight)
{
	for (uint32_t i = 0; i < n; i++)
		sums[i] += weight * (int64_t)counts[i];
}

void
class_accumulate(struct cluster *cluster, struct class_info *class,
    const struct topology *topology, int64_t weight, int64_t *sums)
{
	struct class_counts *c;

	if (topology->ndomains == 0)
		return;
	c = totals_find(&class->totals, topology);
	if (c == NULL && class->npods >= topology->ndomains / WALK_BELOW) {
		c = totals_new(&class->totals, topology);
		class_counts_add(c, class);
	}
	if (c != NULL) {
		add_counts(sums, c->counts, topology->ndomains, weight);
		return;
	}
	for (uint32_t i = 0; i < class->npods; i++) {
		uint32_t domain = topology_domain(topology, class->nodes[i]);

		if (domain != DOMAIN_NONE)
			sums[domain] += weight;
	}
}

struct class_info **
classes_in(const struct cluster *cluster, sym namespace, size_t *n)
{
	const struct class_set *set = map_get(&cluster->classes_in, namespace);

	*n = set != NULL ? set->n : 0;
	return set != NULL ? set->infos : NULL;
}

/* Whether one of the terms matches pods of the class, or cannot be used. */
static bool
is_about(const struct class_terms *owner, const struct pod_class *class)
{
	uint32_t n;
	AUTOFREE const struct pod_term **terms = all_terms(owner->class, &n);

	return owner->broken ||
	    ANY(i, n,
		terms[i]->selects_namespaces ||
		    pod_term_matches(terms[i], class));
}

struct related {
	/* Namespaces that its own terms name, each once. */
	size_t nnamespaces, namespaces_cap;
	sym *namespaces;
	size_t n, cap;
	struct class_info **infos;
};

static bool
is_named(const struct related *r, sym namespace)
{
	return ANY(i, r->nnamespaces, r->namespaces[i] == namespace);
}

static void
relate(struct related *r, struct class_info *info)
{
	vec_room(r->infos, r->n, &r->cap);
	r->infos[r->n++] = info;
}

struct class_info **
classes_related(const struct cluster *cluster, const struct pod_class *class,
    size_t *n)
{
	struct related r = { 0 };
	uint32_t nterms;
	AUTOFREE const struct pod_term **terms = all_terms(class, &nterms);

	/* Whether the terms may be about pods of any namespace. */
	if (ANY(i, nterms,
		terms[i]->selector.error != NULL ||
		    terms[i]->selects_namespaces)) {
		for (size_t i = 0; i < cluster->nclasses; i++)
			relate(&r, cluster->class_list[i]);
		*n = r.n;
		return r.infos;
	}
	for (uint32_t i = 0; i < nterms; i++)
		for (uint32_t j = 0; j < terms[i]->nnamespaces; j++) {
			if (is_named(&r, terms[i]->namespaces[j]))
				continue;
			vec_room(r.namespaces, r.nnamespaces,
			    &r.namespaces_cap);
			r.namespaces[r.nnamespaces++] = terms[i]->namespaces[j];
		}
	for (size_t i = 0; i < r.nnamespaces; i++) {
		size_t ninfos;
		struct class_info **infos =
		    classes_in(cluster, r.namespaces[i], &ninfos);

		for (size_t j = 0; j < ninfos; j++)
			relate(&r, infos[j]);
	}
	for (size_t i = 0; i < cluster->nterms; i++) {
		const struct class_terms *owner = cluster->terms_list[i];

		if (!is_about(owner, class))
			continue;
		for (uint32_t j = 0; j < owner->set.n; j++)
			if (!is_named(&r,
				owner->set.infos[j]->class->namespace))
				relate(&r, owner->set.infos[j]);
	}
	free(r.namespaces);
	*n = r.n;
	return r.infos;
}
