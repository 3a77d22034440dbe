#include "config.h"

#include "cluster/scalar_columns.h"

#include "base/map.h"
#include "cluster/cluster.h"
#include "cluster/columns.h"

#define COLUMNS_MAX 32

struct scalar_columns {
	struct map times; /* name -> how often it is named; holds the names */
	uint32_t n, next; /* the next one to replace */
	struct scalar_column at[COLUMNS_MAX];
};

static struct scalar_columns *
columns_of(struct cluster *cluster)
{
	if (cluster->scalars == NULL)
		cluster->scalars = xcalloc(1, sizeof(*cluster->scalars));
	return cluster->scalars;
}

void
scalars_count(struct cluster *cluster, const struct resources *r, int sign)
{
	struct map *times;

	if (r->nscalars == 0)
		return;
	times = &columns_of(cluster)->times;
	for (uint32_t i = 0; i < r->nscalars; i++) {
		sym name = r->scalars[i].name;
		uintptr_t before = (uintptr_t)map_get(times, name);
		uintptr_t now = sign > 0 ? before + 1 : before - 1;

		if (before == 0)
			sym_ref(name);
		if (now > 0)
			map_put(times, name, (void *)now);
		else
			map_del(times, name);
		if (now == 0)
			sym_unref(name);
	}
}

bool
cluster_knows_scalar(const struct cluster *cluster, sym name)
{
	return cluster->scalars != NULL &&
	    map_get(&cluster->scalars->times, name) != NULL;
}

static int64_t
amount_of(const struct resources *r, sym name)
{
	const struct scalar *scalar = resources_scalar(r, name);

	return scalar != NULL ? scalar->amount : 0;
}

static void
read_row(struct scalar_column *c, const struct cluster *cluster, uint32_t at)
{
	const struct node_info *node = cluster->nodes[at];

	c->has[at] = amount_of(&node->node->allocatable, c->name);
	c->used[at] = amount_of(&node->requested, c->name);
}

static void
update(struct scalar_column *c, const struct cluster *cluster)
{
	bool all = c->cap == 0 || c->nnodes != cluster->nnodes;
	size_t nrows = column_rows(cluster->nnodes);
	const struct node_change *change;
	enum journal_event event = JOURNAL_RESET;

	while (!all &&
	    (event = journal_next(&cluster->journal, &c->cursor, &change)) ==
		JOURNAL_CHANGE)
		read_row(c, cluster, change->node);
	if (event == JOURNAL_RESET) {
		if (c->cap < nrows) {
			c->has = xrealloc(c->has, nrows, sizeof(*c->has));
			c->used = xrealloc(c->used, nrows, sizeof(*c->used));
			c->cap = nrows;
		}
		for (uint32_t i = 0; i < cluster->nnodes; i++)
			read_row(c, cluster, i);
		for (size_t i = cluster->nnodes; i < nrows; i++)
			c->has[i] = c->used[i] = 0;
	}
	c->cursor = journal_end(&cluster->journal);
	c->nnodes = cluster->nnodes;
}

const struct scalar_column *
cluster_scalar_column(struct cluster *cluster, sym name)
{
	struct scalar_columns *s = columns_of(cluster);
	struct scalar_column *c = FIND(i, s->at, s->n, s->at[i].name == name);

	if (c == NULL) {
		c = s->n < COLUMNS_MAX ? &s->at[s->n++] :
					 &s->at[s->next++ % COLUMNS_MAX];
		c->name = name;
		c->cursor = (struct cursor){ 0 }; /* nothing is right yet */
	}
	update(c, cluster);
	return c;
}

void
scalar_columns_forget(struct cluster *cluster)
{
	struct scalar_columns *s = cluster->scalars;

	for (uint32_t i = 0; s != NULL && i < s->n; i++) {
		free(s->at[i].has);
		free(s->at[i].used);
		s->at[i] = (struct scalar_column){ 0 };
	}
	if (s != NULL)
		s->n = s->next = 0;
}

void
scalar_columns_free(struct cluster *cluster)
{
	struct scalar_columns *s = cluster->scalars;

	if (s == NULL)
		return;
	scalar_columns_forget(cluster);
	for (size_t i = 0; i < s->times.nslots; i++)
		if (s->times.slots[i].value != NULL)
			sym_unref((sym)s->times.slots[i].key);
	map_fini(&s->times);
	free(s);
	cluster->scalars = NULL;
}
