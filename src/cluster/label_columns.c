#include "config.h"

#include "cluster/label_columns.h"

#include <stdlib.h>
#include <string.h>

#include "base/xmalloc.h"
#include "cluster/columns.h"
#include "model/selector.h"

/* Pods choose the keys, so there is an end to them. */
#define COLUMNS_MAX 64

struct label_columns {
	uint64_t labels; /* the cluster's when these were made */
	uint32_t n, next; /* the next entry to replace */
	struct label_column {
		sym key;
		sym *values;
	} at[COLUMNS_MAX];
};

static void
forget(struct label_columns *c)
{
	for (uint32_t i = 0; i < c->n; i++)
		free(c->at[i].values);
	c->n = c->next = 0;
}

void
label_columns_free(struct label_columns *c)
{
	if (c != NULL)
		forget(c);
	free(c);
}

static sym *
read_values(const struct cluster *cluster, sym key)
{
	size_t n = cluster->nnodes;
	size_t all = column_rows(cluster->nnodes);
	sym *values = xmalloc(all * sizeof(*values));

	for (size_t i = 0; i < n; i++)
		values[i] = key == SYM_NONE ? cluster->nodes[i]->name :
		    labels_get(&cluster->nodes[i]->node->labels, key);
	for (size_t i = n; i < all; i++)
		values[i] = SYM_NONE;
	return values;
}

const sym *
cluster_label_column(struct cluster *cluster, sym key)
{
	struct label_columns *c = cluster->label_columns;
	struct label_column *column;

	if (c == NULL)
		c = cluster->label_columns = xcalloc(1, sizeof(*c));
	if (c->labels != cluster->labels)
		forget(c);
	c->labels = cluster->labels;
	for (uint32_t i = 0; i < c->n; i++)
		if (c->at[i].key == key)
			return c->at[i].values;
	if (c->n < COLUMNS_MAX) {
		column = &c->at[c->n++];
	} else {
		column = &c->at[c->next++ % COLUMNS_MAX];
		free(column->values);
	}
	*column = (struct label_column) { key, read_values(cluster, key) };
	return column->values;
}

/* Takes out the nodes that do not match. */
static void
narrow(struct cluster *cluster, const struct column_block *b,
    const struct requirement *r, sym key,
    bool (*matches)(const struct requirement *, sym value),
    uint8_t *restrict in)
{
	const sym *values = cluster_label_column(cluster, key) + b->first;

	if (key == r->key && r->op == SELECTOR_IN && r->nvalues == 1) {
		sym wanted = r->values[0];

		for (uint32_t i = 0; i < COLUMN_ROWS; i++)
			in[i] &= values[i] == wanted;
		return;
	}
	for (uint32_t i = 0; i < b->n; i++)
		in[i] = in[i] && matches(r, values[i]);
}

static void
narrow_by_labels(struct cluster *cluster, const struct column_block *b,
    const struct selector *s, uint8_t *in)
{
	if (s->nothing || s->error != NULL)
		memset(in, 0, COLUMN_ROWS);
	else
		for (uint32_t i = 0; i < s->n; i++)
			narrow(cluster, b, &s->at[i], s->at[i].key,
			    requirement_matches_value, in);
}

static void
narrow_by_fields(struct cluster *cluster, const struct column_block *b,
    const struct selector *s, uint8_t *in)
{
	if (s->error != NULL)
		memset(in, 0, COLUMN_ROWS);
	else
		for (uint32_t i = 0; i < s->n; i++)
			narrow(cluster, b, &s->at[i], SYM_NONE, field_matches,
			    in);
}

bool
selector_matches_block(struct cluster *cluster, const struct column_block *b,
    const struct selector *s, uint8_t *matches)
{
	if (s->n > LABEL_REQUIREMENTS_MAX)
		return false;
	memset(matches, 1, COLUMN_ROWS);
	narrow_by_labels(cluster, b, s, matches);
	return true;
}

static bool
has_too_many(const struct node_selector *s)
{
	uint64_t n = 0;

	for (uint32_t i = 0; i < s->n; i++)
		n += s->at[i].labels.n + s->at[i].fields.n;
	return n > LABEL_REQUIREMENTS_MAX;
}

bool
node_selector_matches_block(struct cluster *cluster,
    const struct column_block *b, const struct node_selector *s,
    uint8_t *matches)
{
	uint8_t in[COLUMN_ROWS];

	if (has_too_many(s))
		return false;
	memset(matches, 0, COLUMN_ROWS);
	for (uint32_t i = 0; i < s->n; i++) {
		const struct node_selector_term *term = &s->at[i];

		if (!term->has_labels && !term->has_fields)
			continue;
		memset(in, 1, COLUMN_ROWS);
		if (term->has_labels)
			narrow_by_labels(cluster, b, &term->labels, in);
		if (term->has_fields)
			narrow_by_fields(cluster, b, &term->fields, in);
		for (uint32_t j = 0; j < COLUMN_ROWS; j++)
			matches[j] |= in[j];
	}
	return true;
}
