#include "config.h"

#include "cluster/select.h"

#include "cluster/index_internal.h"
#include "objects/selector.h"

/* Classes with one label, or with one label key. */
struct posting {
	uint64_t key; /* of postings */
	struct totals totals;
	size_t n, cap;
	struct posting_slot {
		struct class_info *info;
		uint32_t entry; /* of info->postings */
	} * slots;
};

/* One posting that a class is in, and where. */
struct class_posting {
	struct posting *posting;
	size_t at;
};

/* The most recent selections in a namespace. */
#define SELECTIONS_MAX 128

struct selections {
	uint32_t n;
	uint64_t now; /* counts uses */
	struct selection {
		uint64_t
		    used; /* the one used last the longest ago is replaced */
		struct arena arena; /* of the selector */
		struct selector selector;
		struct class_counts counts; /* by node */
		uint64_t version;
	} at[SELECTIONS_MAX];
};

struct label_index {
	struct map postings;  /* by map_key(key, value), or (key, SYM_NONE) */
	struct totals totals; /* of all pods of the namespace */
	uint64_t round;       /* of class_info's mark */
};

static void
post(struct label_index *index, uint64_t key, struct class_info *info,
    uint32_t entry)
{
	struct posting *p = map_get(&index->postings, key);

	if (p == NULL) {
		p = xcalloc(1, sizeof(*p));
		p->key = key;
		map_put(&index->postings, key, p);
	}
	vec_room(p->slots, p->n, &p->cap);
	info->postings[entry] = (struct class_posting){ p, p->n };
	p->slots[p->n++] = (struct posting_slot){ info, entry };
}

static void
index_class(struct label_index *index, struct class_info *info)
{
	const struct labels *labels = &info->class->labels;

	info->postings =
	    xcalloc(2 * (size_t)labels->n, sizeof(*info->postings));
	for (uint32_t i = 0; i < labels->n; i++) {
		post(index, map_key(labels->at[i].key, labels->at[i].value),
		    info, 2 * i);
		post(index, map_key(labels->at[i].key, SYM_NONE), info,
		    2 * i + 1);
	}
}

void
select_class_added(struct class_set *set, struct class_info *info)
{
	if (set->labels != NULL)
		index_class(set->labels, info);
}

void
select_class_removed(struct class_set *set, struct class_info *info)
{
	if (set->labels == NULL)
		return;
	for (uint32_t i = 0; i < 2 * info->class->labels.n; i++) {
		const struct class_posting *entry = &info->postings[i];
		struct posting *p = entry->posting;
		struct posting_slot *last = &p->slots[--p->n];

		p->slots[entry->at] = *last;
		last->info->postings[last->entry].at = entry->at;
		if (p->n > 0)
			continue;
		map_del(&set->labels->postings, p->key);
		totals_forget(&p->totals, NULL);
		free(p->slots);
		free(p);
	}
	free(info->postings);
	info->postings = NULL;
}

bool
select_staying(void *arg, const struct class_info *info)
{
	return !info->class->terminating;
}

void
select_pod_moves(const struct class_info *info, const struct node_info *node,
    int sign)
{
	struct label_index *index = info->sets[IN_NAMESPACE]->labels;

	if (index == NULL)
		return;
	totals_pod(&index->totals, node, sign);
	for (uint32_t i = 0; i < 2 * info->class->labels.n; i++)
		totals_pod(&info->postings[i].posting->totals, node, sign);
}

void
select_pod_counted(const struct class_info *info, const struct node_info *node,
    int sign)
{
	struct selections *selections = info->sets[IN_NAMESPACE]->selections;

	select_pod_moves(info, node, sign);
	for (uint32_t i = 0; selections != NULL && i < selections->n; i++)
		if (select_staying(NULL, info) &&
		    selector_matches(&selections->at[i].selector,
			&info->class->labels))
			class_counts_pod(&selections->at[i].counts, node, sign);
}

static void
forget_selection(struct selection *s)
{
	arena_fini(&s->arena);
	free(s->counts.counts);
	*s = (struct selection){ 0 };
}

void
select_forget(struct class_set *set, const struct topology *topology)
{
	struct selections *s = set->selections;
	struct label_index *index = set->labels;

	if (topology == NULL || topology->key == SYM_NONE) {
		for (uint32_t i = 0; s != NULL && i < s->n; i++)
			forget_selection(&s->at[i]);
		free(s);
		set->selections = NULL;
	}
	if (index == NULL)
		return;
	totals_forget(&index->totals, topology);
	EACH_VALUE (&index->postings, struct posting, p)
		totals_forget(&p->totals, topology);
}

void
select_free(struct class_set *set)
{
	struct label_index *index = set->labels;

	select_forget(set, NULL);
	if (index == NULL)
		return;
	map_fini(&index->postings);
	free(index);
	set->labels = NULL;
}

/* One query. */
struct query {
	struct cluster *cluster;
	struct class_set *set;
	const struct selector *selector;
	bool (*each)(void *arg, const struct class_info *info);
	void *arg;
	const struct topology *topology;
	int64_t weight;
	int64_t *sums;
};

static bool
is_selected(const struct query *q, const struct class_info *info)
{
	q->cluster->compared++;
	return selector_matches(q->selector, &info->class->labels) &&
	    (q->each == NULL || q->each(q->arg, info));
}

static void
add(const struct query *q, struct class_info *info, int64_t weight)
{
	class_accumulate(q->cluster, info, q->topology, weight, q->sums);
}

static bool
asks_for_a_label(const struct requirement *r)
{
	return r->op != SELECTOR_NOT_IN && r->op != SELECTOR_DOES_NOT_EXIST;
}

/* How many lists have the classes that the requirement names. */
static uint32_t
nlists(const struct requirement *r)
{
	return r->op == SELECTOR_IN || r->op == SELECTOR_NOT_IN ? r->nvalues :
								  1;
}

/* NULL: no class is on it. */
static struct posting *
list_of(const struct label_index *index, const struct requirement *r,
    uint32_t i)
{
	bool by_value = r->op == SELECTOR_IN || r->op == SELECTOR_NOT_IN;

	return map_get(&index->postings,
	    map_key(r->key, by_value ? r->values[i] : SYM_NONE));
}

/* How many classes the requirement's lists hold, more or less. */
static size_t
candidates(const struct label_index *index, const struct requirement *r)
{
	size_t n = 0;

	for (uint32_t i = 0; i < nlists(r); i++) {
		const struct posting *p = list_of(index, r, i);

		n += p != NULL ? p->n : 0;
	}
	return n;
}

/* The requirement for a label that leaves the fewest classes, and how many, more or
 * less; NULL: there is none. */
static const struct requirement *
narrowest(const struct label_index *index, const struct selector *s,
    size_t *least)
{
	const struct requirement *best = NULL;

	for (uint32_t i = 0; i < s->n; i++) {
		size_t n;

		if (!asks_for_a_label(&s->at[i]))
			continue;
		n = candidates(index, &s->at[i]);
		if (best == NULL || n < *least) {
			best = &s->at[i];
			*least = n;
		}
	}
	return best;
}

/* The selector without the requirements that all classes of the set satisfy; at has
 * room. */
static struct selector
drop_satisfied(const struct class_set *set, const struct selector *s,
    struct requirement *at)
{
	struct selector left = *s;

	left.at = at;
	left.n = 0;
	for (uint32_t i = 0; i < s->n; i++) {
		const struct requirement *r = &s->at[i];
		size_t n = candidates(set->labels, r);

		if (asks_for_a_label(r) ?
			r->op != SELECTOR_EXISTS || n < set->n :
			n > 0)
			at[left.n++] = *r;
	}
	return left;
}

/* In a namespace with at most this many, a linear search is fastest. */
#define FEW_CLASSES 32

/* With more values than this, each class of the namespace is evaluated
 * instead. */
#define VALUES_MAX 64

/* The totals of the posting's classes, of all of the set if p is NULL. */
static void
add_totals(const struct query *q, struct posting *p)
{
	struct totals *totals =
	    p != NULL ? &p->totals : &q->set->labels->totals;
	struct class_counts *c = totals_find(totals, q->topology);

	if (c == NULL) {
		c = totals_new(totals, q->topology);
		for (size_t i = 0; p != NULL && i < p->n; i++)
			class_counts_add(c, p->slots[i].info);
		for (uint32_t i = 0; p == NULL && i < q->set->n; i++)
			class_counts_add(c, q->set->infos[i]);
	}
	add_counts(q->sums, c->counts, q->topology->ndomains, q->weight);
}

/* Shorter lists are walked: totals cost memory and time to keep. */
#define TOTALS_MIN 64

/* Adds the pods of the lists for the requirement r: by their totals, if `summed`, from
 * which the excluded pods are subtracted afterwards. */
static void
select_by(const struct query *q, const struct requirement *r, bool summed)
{
	const struct label_index *index = q->set->labels;

	for (uint32_t i = 0; i < nlists(r); i++) {
		struct posting *p;

		if (r->op == SELECTOR_IN && requirement_value_is_repeated(r, i))
			continue;
		p = list_of(index, r, i);
		if (p != NULL && summed)
			add_totals(q, p);
		for (size_t k = 0; p != NULL && !summed && k < p->n; k++)
			if (is_selected(q, p->slots[k].info))
				add(q, p->slots[k].info, q->weight);
	}
}

static void
select_all(const struct query *q)
{
	for (uint32_t i = 0; i < q->set->n; i++)
		if (is_selected(q, q->set->infos[i]))
			add(q, q->set->infos[i], q->weight);
}

/* ---- totals, from which excluded pods are subtracted ---- */

/* Subtracts the classes on the list that anchor matches (NULL: all), each once. */
static void
subtract(const struct query *q, const struct requirement *anchor,
    const struct posting *p)
{
	for (size_t i = 0; p != NULL && i < p->n; i++) {
		struct class_info *info = p->slots[i].info;

		if (info->mark == q->set->labels->round ||
		    (anchor != NULL &&
			!requirement_matches(anchor, &info->class->labels)))
			continue;
		info->mark = q->set->labels->round;
		add(q, info, -q->weight);
	}
}

/* Subtracts the excluded pods from those that the anchor matches. */
static void
subtract_excluded(const struct query *q, const struct requirement *anchor)
{
	const struct label_index *index = q->set->labels;

	q->set->labels->round++;
	for (uint32_t i = 0; i < q->selector->n; i++) {
		const struct requirement *r = &q->selector->at[i];

		for (uint32_t j = 0; !asks_for_a_label(r) && j < nlists(r); j++)
			subtract(q, anchor, list_of(index, r, j));
	}
}

/* Whether the pods that the anchor selects, of about so many classes, can be added
 * up, less the excluded. */
static bool
can_be_summed(const struct query *q, const struct requirement *anchor,
    size_t classes)
{
	if (q->each != NULL ||
	    (anchor != NULL && anchor->op != SELECTOR_IN &&
		anchor->op != SELECTOR_EXISTS))
		return false;
	for (uint32_t i = 0; i < q->selector->n; i++)
		if (&q->selector->at[i] != anchor &&
		    asks_for_a_label(&q->selector->at[i]))
			return false;
	/* there are few big namespaces, but users choose labels: an array by
	 * domain must take less than the classes that it is for */
	return anchor == NULL ||
	    (classes >= TOTALS_MIN &&
		classes * SUM_FROM >= q->topology->ndomains);
}

void
cluster_select_if(struct cluster *cluster, sym namespace,
    const struct selector *selector,
    bool (*each)(void *arg, const struct class_info *info), void *arg,
    const struct topology *topology, int64_t weight, int64_t *sums)
{
	struct query q = { cluster, map_get(&cluster->classes_in, namespace),
		selector, each, arg, topology, weight, sums };
	AUTOFREE struct requirement *at = NULL;
	const struct requirement *r;
	struct selector left;
	size_t classes;
	bool summed;

	if (q.set == NULL || topology->ndomains == 0 || selector->nothing ||
	    selector->error != NULL)
		return;
	if (q.set->labels == NULL && q.set->n <= FEW_CLASSES) {
		select_all(&q);
		return;
	}
	classes = q.set->n;
	if (q.set->labels == NULL) {
		q.set->labels = xcalloc(1, sizeof(*q.set->labels));
		for (uint32_t i = 0; i < q.set->n; i++)
			index_class(q.set->labels, q.set->infos[i]);
	}
	at = xcalloc(selector->n + 1, sizeof(*at));
	left = drop_satisfied(q.set, selector, at);
	q.selector = &left;
	r = narrowest(q.set->labels, &left, &classes);
	summed = can_be_summed(&q, r, classes);
	if (r != NULL && r->nvalues <= VALUES_MAX)
		select_by(&q, r, summed);
	else if (r == NULL && summed)
		add_totals(&q, NULL);
	else {
		select_all(&q);
		return;
	}
	if (summed)
		subtract_excluded(&q, r);
}

void
cluster_select(struct cluster *cluster, sym namespace,
    const struct selector *selector, const struct topology *topology,
    int64_t weight, int64_t *sums)
{
	cluster_select_if(cluster, namespace, selector, NULL, NULL, topology,
	    weight, sums);
}

void
cluster_select_everywhere(struct cluster *cluster,
    const struct selector *selector, const struct topology *topology,
    int64_t weight, int64_t *sums)
{
	const struct map *sets = &cluster->classes_in;

	for (size_t i = 0; i < sets->nslots; i++)
		if (sets->slots[i].value != NULL)
			cluster_select(cluster, (sym)sets->slots[i].key,
			    selector, topology, weight, sums);
}

void
cluster_select_term(struct cluster *cluster, const struct pod_term *term,
    const struct topology *topology, int64_t weight, int64_t *sums)
{
	if (term->everywhere) {
		cluster_select_everywhere(cluster, &term->selector, topology,
		    weight, sums);
		return;
	}
	for (uint32_t i = 0; i < term->nnamespaces; i++)
		if (pod_term_names_first(term, i))
			cluster_select(cluster, term->namespaces[i],
			    &term->selector, topology, weight, sums);
}

const uint32_t *
cluster_count_selected(struct cluster *cluster, sym namespace,
    const struct selector *selector, uint64_t *version)
{
	struct class_set *set = map_get(&cluster->classes_in, namespace);
	AUTOFREE int64_t *sums = NULL;
	struct selections *all;
	struct selection *s;

	if (set == NULL || selector->error != NULL || selector->nothing)
		return NULL;
	if (set->selections == NULL)
		set->selections = xcalloc(1, sizeof(*all));
	all = set->selections;
	s = &all->at[0];
	for (uint32_t i = 0; i < all->n; i++) {
		if (selector_equal(&all->at[i].selector, selector)) {
			s = &all->at[i];
			s->used = ++all->now;
			class_counts_grow(&s->counts);
			*version = s->version;
			return s->counts.counts;
		}
		if (all->at[i].used < s->used)
			s = &all->at[i];
	}
	if (all->n < SELECTIONS_MAX)
		s = &all->at[all->n++];
	else
		forget_selection(s);
	s->used = ++all->now;
	s->selector = selector_copy(&s->arena, selector);
	s->version = *version = ++cluster->selections;
	s->counts.topology = cluster_topology(cluster, SYM_NONE);
	class_counts_grow(&s->counts);
	sums = xcalloc(s->counts.topology->ndomains, sizeof(*sums));
	cluster_select_if(cluster, namespace, &s->selector, select_staying,
	    NULL, s->counts.topology, 1, sums);
	for (uint32_t i = 0; i < s->counts.topology->ndomains; i++)
		s->counts.counts[i] = (uint32_t)sums[i];
	return s->counts.counts;
}
