#include "config.h"

#include "cluster/label_terms.h"

#include "base/arena.h"
#include "cluster/cluster.h"
#include "cluster/columns.h"
#include "cluster/label_columns.h"
#include "objects/pod.h"
#include "objects/selector.h"

/* More requirements and values than that are many. */
#define MANY 64

/* Columns whose sums by value are not in those by node yet. */
#define PENDING_MAX 16

/* One requirement; its key SYM_NONE: about the node's name. */
struct wanted {
	sym key;
	const struct requirement *requirement;
};

struct pending {
	sym key;
	const struct label_codes *codes;
	uint64_t *by_code;
	size_t cap;
};

struct label_term_scratch {
	size_t npending;
	struct pending pending[PENDING_MAX];
	/* By code, and by node index. */
	uint8_t *truth, *in;
	uint64_t *sums;
	size_t truth_cap, in_cap, sums_cap;
	struct wanted *wanted;
	size_t nwanted, wanted_cap;
};

void
label_terms_free(struct label_term_scratch *s)
{
	if (s == NULL)
		return;
	for (size_t i = 0; i < PENDING_MAX; i++)
		free(s->pending[i].by_code);
	free(s->truth);
	free(s->in);
	free(s->sums);
	free(s->wanted);
	free(s);
}

/* A sum in the making. */
struct summing {
	struct cluster *cluster;
	struct label_term_scratch *s;
	size_t nrows;
	uint64_t all; /* the sum that all nodes have */
};

/* Adds sums by value to those by node. */
static void
flush(struct summing *m)
{
	struct label_term_scratch *s = m->s;
	size_t n = m->cluster->nnodes;

	for (size_t i = 0; i < s->npending; i++) {
		const uint32_t *codes = s->pending[i].codes->of;
		const uint64_t *by_code = s->pending[i].by_code;

		for (size_t j = 0; j < n; j++)
			s->sums[j] += by_code[codes[j]];
	}
	s->npending = 0;
}

/* NULL: no node has the label. */
static const struct label_codes *
codes_of(struct summing *m, sym key)
{
	/* a new one may evict one that is still needed */
	if (!cluster_has_label_codes(m->cluster, key))
		flush(m);
	return cluster_label_codes(m->cluster, key);
}

/* Leaves those of the label's values for which the requirement holds. */
static void
narrow(const struct requirement *r, const struct label_codes *codes,
    uint8_t *truth)
{
	uint32_t code;

	switch (r->op) {
	case SELECTOR_IN:
		/* 2: is one of the values */
		for (uint32_t i = 0; i < r->nvalues; i++) {
			code = label_code(codes, r->values[i]);
			if (code != 0)
				truth[code] |= 2;
		}
		for (uint32_t i = 0; i <= codes->nvalues; i++)
			truth[i] = truth[i] == 3;
		break;
	case SELECTOR_NOT_IN:
		for (uint32_t i = 0; i < r->nvalues; i++) {
			code = label_code(codes, r->values[i]);
			if (code != 0)
				truth[code] = 0;
		}
		break;
	case SELECTOR_EXISTS:
		truth[0] = 0;
		break;
	case SELECTOR_DOES_NOT_EXIST:
		memset(truth + 1, 0, codes->nvalues);
		break;
	case SELECTOR_GT:
	case SELECTOR_LT:
		for (uint32_t i = 0; i <= codes->nvalues; i++)
			truth[i] &=
			    requirement_matches_value(r, codes->values[i]);
		break;
	}
}

/* For which values these n requirements about one label hold, in s->truth;
 * false: for none. */
static bool
match_values(struct summing *m, const struct label_codes *codes,
    const struct wanted *wanted, size_t n)
{
	struct label_term_scratch *s = m->s;
	size_t size = (size_t)codes->nvalues + 1;

	if (s->truth_cap < size) {
		s->truth = xrealloc(s->truth, size, 1);
		s->truth_cap = size;
	}
	memset(s->truth, 1, size);
	for (size_t i = 0; i < n; i++)
		narrow(wanted[i].requirement, codes, s->truth);
	return memchr(s->truth, 1, size) != NULL;
}

/* The same where no node has the label. */
static bool
holds_without(const struct wanted *wanted, size_t n)
{
	return !ANY(i, n,
	    !requirement_matches_value(wanted[i].requirement, SYM_NONE));
}

static struct pending *
pending_of(struct summing *m, sym key, const struct label_codes *codes)
{
	struct label_term_scratch *s = m->s;
	size_t size = (size_t)codes->nvalues + 1;
	struct pending *p;

	for (size_t i = 0; i < s->npending; i++)
		if (s->pending[i].key == key)
			return &s->pending[i];
	if (s->npending == PENDING_MAX)
		flush(m);
	p = &s->pending[s->npending++];
	if (p->cap < size) {
		p->by_code = xrealloc(p->by_code, size, sizeof(*p->by_code));
		p->cap = size;
	}
	memset(p->by_code, 0, size * sizeof(*p->by_code));
	p->key = key;
	p->codes = codes;
	return p;
}

/* A term about one label. */
static void
add_by_value(struct summing *m, uint64_t weight)
{
	struct label_term_scratch *s = m->s;
	sym key = s->wanted[0].key;
	const struct label_codes *codes = codes_of(m, key);
	struct pending *p;

	if (codes == NULL) {
		m->all += holds_without(s->wanted, s->nwanted) ? weight : 0;
		return;
	}
	if (!match_values(m, codes, s->wanted, s->nwanted))
		return;
	p = pending_of(m, key, codes);
	for (uint32_t i = 0; i <= codes->nvalues; i++)
		p->by_code[i] += s->truth[i] != 0 ? weight : 0;
}

/* Takes out the nodes for which requirements about one label do not hold; false:
 * none is left. */
static bool
narrow_nodes(struct summing *m, const struct wanted *wanted, size_t n)
{
	const struct label_codes *codes = codes_of(m, wanted[0].key);
	struct label_term_scratch *s = m->s;

	if (codes == NULL)
		return holds_without(wanted, n);
	if (!match_values(m, codes, wanted, n))
		return false;
	for (size_t i = 0; i < m->cluster->nnodes; i++)
		s->in[i] &= s->truth[codes->of[i]];
	return true;
}

/* A term about several labels. */
static void
add_by_node(struct summing *m, uint64_t weight)
{
	struct label_term_scratch *s = m->s;
	size_t next;

	memset(s->in, 1, m->nrows);
	for (size_t i = 0; i < s->nwanted; i = next) {
		next = i + 1;
		while (next < s->nwanted &&
		    s->wanted[next].key == s->wanted[i].key)
			next++;
		if (!narrow_nodes(m, &s->wanted[i], next - i))
			return;
	}
	for (size_t i = 0; i < m->nrows; i++)
		s->sums[i] += s->in[i] != 0 ? weight : 0;
}

static void
add_wanted(struct label_term_scratch *s, sym key, const struct requirement *r)
{
	vec_room(s->wanted, s->nwanted, &s->wanted_cap);
	s->wanted[s->nwanted++] = (struct wanted){ key, r };
}

static int
by_key(const void *a, const void *b)
{
	const struct wanted *x = a, *y = b;

	return (x->key > y->key) - (x->key < y->key);
}

/* Lists the term's requirements by key; false: it matches nothing. */
static bool
list_wanted(struct label_term_scratch *s, const struct label_term *term)
{
	const struct selector *labels = term->labels, *fields = term->fields;
	sym name = sym_intern("metadata.name");

	s->nwanted = 0;
	if (labels != NULL && (labels->nothing || labels->error != NULL))
		return false;
	if (fields != NULL && fields->error != NULL)
		return false;
	for (uint32_t i = 0; labels != NULL && i < labels->n; i++)
		add_wanted(s, labels->at[i].key, &labels->at[i]);
	for (uint32_t i = 0; fields != NULL && i < fields->n; i++) {
		if (fields->at[i].key == name)
			add_wanted(s, SYM_NONE, &fields->at[i]);
		else if (!field_matches(&fields->at[i], SYM_NONE))
			return false;
	}
	if (s->nwanted > 1)
		qsort(s->wanted, s->nwanted, sizeof(*s->wanted), by_key);
	return true;
}

static void
sum(struct label_sums *sums, struct cluster *cluster)
{
	struct summing m = { .cluster = cluster,
		.nrows = column_rows(cluster->nnodes) };
	struct label_term_scratch *s = cluster->label_terms;

	if (s == NULL)
		s = cluster->label_terms = xcalloc(1, sizeof(*s));
	m.s = s;
	s->npending = 0;
	if (s->sums_cap < m.nrows) {
		s->sums = xrealloc(s->sums, m.nrows, sizeof(*s->sums));
		s->in = xrealloc(s->in, m.nrows, 1);
		s->sums_cap = m.nrows;
	}
	memset(s->sums, 0, m.nrows * sizeof(*s->sums));
	for (size_t i = 0; i < sums->nterms; i++) {
		uint64_t weight = (uint64_t)sums->terms[i].weight;

		if (!list_wanted(s, &sums->terms[i]))
			continue;
		if (s->nwanted == 0)
			m.all += weight;
		else if (s->wanted[0].key == s->wanted[s->nwanted - 1].key)
			add_by_value(&m, weight);
		else
			add_by_node(&m, weight);
	}
	flush(&m);
	for (size_t i = 0; i < m.nrows; i++)
		sums->at[i] = (int32_t)(uint32_t)(s->sums[i] + m.all);
}

const int32_t *
label_sums_get(struct label_sums *sums, struct cluster *cluster)
{
	size_t nrows = column_rows(cluster->nnodes);

	/* labels changes with every node that comes or goes */
	if (sums->at != NULL && sums->labels == cluster->labels)
		return sums->at;
	if (sums->cap < nrows) {
		/* grows seldom: the arena keeps the old array */
		sums->cap = sums->at == NULL ? nrows : 2 * nrows;
		sums->at =
		    arena_alloc(sums->arena, sums->cap * sizeof(*sums->at));
	}
	sum(sums, cluster);
	sums->labels = cluster->labels;
	return sums->at;
}

static size_t
count(const struct selector *s)
{
	size_t n = s != NULL ? s->n : 0;

	for (uint32_t i = 0; s != NULL && i < s->n; i++)
		n += s->at[i].nvalues;
	return n;
}

void
label_sums_init(struct label_sums *sums, struct arena *arena, size_t nterms,
    const struct label_term *terms)
{
	size_t n = 0;

	for (size_t i = 0; i < nterms && n <= MANY; i++)
		n += 1 + count(terms[i].labels) + count(terms[i].fields);
	*sums = (struct label_sums){ .arena = arena,
		.nterms = nterms,
		.terms = terms,
		.large = n > MANY };
}

void
label_sums_of_selector(struct label_sums *sums, struct arena *arena,
    const struct selector *selector)
{
	const struct label_term term = { .weight = 1, .labels = selector };

	label_sums_init(sums, arena, 1,
	    arena_memdup(arena, &term, sizeof(term)));
}

static void
add_terms_of(const struct node_selector *selector, struct label_term *terms,
    size_t *n)
{
	for (uint32_t i = 0; i < selector->n; i++) {
		const struct node_selector_term *term = &selector->at[i];

		if (term->has_labels || term->has_fields)
			terms[(*n)++] = (struct label_term){ 1,
				term->has_labels ? &term->labels : NULL,
				term->has_fields ? &term->fields : NULL };
	}
}

void
label_sums_of_node_selector(struct label_sums *sums, struct arena *arena,
    const struct node_selector *selector)
{
	struct label_term *terms =
	    arena_array(arena, struct label_term, selector->n);
	size_t n = 0;

	add_terms_of(selector, terms, &n);
	label_sums_init(sums, arena, n, terms);
}

bool
label_sums_of_node_selectors(struct label_sums *sums, struct arena *arena,
    size_t n, const struct node_selector *const *selectors)
{
	struct label_term *terms = arena_array(arena, struct label_term, n);
	size_t nterms = 0;

	for (size_t i = 0; i < n; i++) {
		if (selectors[i]->n > 1)
			return false;
		add_terms_of(selectors[i], terms, &nterms);
	}
	label_sums_init(sums, arena, nterms, terms);
	return true;
}
