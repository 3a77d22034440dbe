#include "config.h"

#include "cluster/label_columns.h"

#include "cluster/columns.h"
#include "cluster/index.h"

/* A limit, as pods choose the keys. */
#define COLUMNS_MAX 64

struct label_column {
	sym key;
	sym *values;
	/* Made when they are asked for: of is not NULL. */
	struct label_codes codes;
};

struct label_columns {
	uint64_t labels;  /* the cluster's when these were made */
	uint32_t n, next; /* the next entry to replace */
	struct label_column at[COLUMNS_MAX];
};

static void
column_fini(struct label_column *column)
{
	free(column->values);
	free((sym *)column->codes.values);
	free((uint32_t *)column->codes.of);
	map_fini(&column->codes.codes);
}

static void
forget(struct label_columns *c)
{
	for (uint32_t i = 0; i < c->n; i++)
		column_fini(&c->at[i]);
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
		values[i] = key == SYM_NONE ?
		    cluster->nodes[i]->name :
		    labels_get(&cluster->nodes[i]->node->labels, key);
	for (size_t i = n; i < all; i++)
		values[i] = SYM_NONE;
	return values;
}

/* The columns of nodes' labels as they are now. */
static struct label_columns *
columns_now(struct cluster *cluster)
{
	struct label_columns *c = cluster->label_columns;

	if (c == NULL)
		c = cluster->label_columns = xcalloc(1, sizeof(*c));
	if (c->labels != cluster->labels)
		forget(c);
	c->labels = cluster->labels;
	return c;
}

static struct label_column *
find(struct label_columns *c, sym key)
{
	return FIND(i, c->at, c->n, c->at[i].key == key);
}

static struct label_column *
get(struct cluster *cluster, struct label_columns *c, sym key)
{
	struct label_column *column = find(c, key);

	if (column != NULL)
		return column;
	if (c->n < COLUMNS_MAX) {
		column = &c->at[c->n++];
	} else {
		column = &c->at[c->next++ % COLUMNS_MAX];
		column_fini(column);
	}
	*column = (struct label_column){ .key = key,
		.values = read_values(cluster, key) };
	return column;
}

const sym *
cluster_label_column(struct cluster *cluster, sym key)
{
	return get(cluster, columns_now(cluster), key)->values;
}

static bool
is_on_no_node(const struct cluster *cluster, sym key)
{
	return key != SYM_NONE && !cluster_has_label_key(cluster, key);
}

static void
make_codes(const struct cluster *cluster, struct label_column *column)
{
	struct label_codes *codes = &column->codes;
	size_t n = cluster->nnodes, all = column_rows(cluster->nnodes);
	uint32_t *of = xcalloc(all, sizeof(*of));
	sym *values = NULL;
	size_t cap = 0, nvalues = 0;

	vec_room(values, nvalues, &cap);
	values[nvalues++] = SYM_NONE;
	for (size_t i = 0; i < n; i++) {
		sym value = column->values[i];

		if (value == SYM_NONE)
			continue;
		of[i] = label_code(codes, value);
		if (of[i] != 0)
			continue;
		of[i] = (uint32_t)nvalues;
		map_put(&codes->codes, value, (void *)(uintptr_t)nvalues);
		vec_room(values, nvalues, &cap);
		values[nvalues++] = value;
	}
	codes->nvalues = (uint32_t)nvalues - 1;
	codes->values = values;
	codes->of = of;
}

bool
cluster_has_label_codes(struct cluster *cluster, sym key)
{
	struct label_columns *c = columns_now(cluster);

	return find(c, key) != NULL || is_on_no_node(cluster, key);
}

const struct label_codes *
cluster_label_codes(struct cluster *cluster, sym key)
{
	struct label_column *column;

	if (is_on_no_node(cluster, key))
		return NULL;
	column = get(cluster, columns_now(cluster), key);
	if (column->codes.of == NULL)
		make_codes(cluster, column);
	return column->codes.nvalues > 0 ? &column->codes : NULL;
}
