#include "config.h"

#include "cluster/columns.h"

#include "base/hash.h"
#include "cluster/csi_use.h"

void
columns_free(struct columns *c)
{
	if (c == NULL)
		return;
	for (uint32_t i = 0; i < c->nblocks; i++)
		free(c->blocks[i]);
	free(c->blocks);
	free(c->taints);
	map_fini(&c->by_taints);
	arena_fini(&c->arena);
	free(c);
}

static struct column_block *
block_of(struct columns *c, uint32_t at)
{
	uint32_t i = at / COLUMN_ROWS;

	while (c->nblocks <= i) {
		vec_room(c->blocks, c->nblocks, &c->cap);
		c->blocks[c->nblocks++] =
		    xcalloc(1, sizeof(struct column_block));
	}
	return c->blocks[i];
}

static void
put_scored(struct column_block *b, uint32_t row, enum scored_by by,
    const struct nonzero_requests *sum)
{
	struct column_scored *s = &b->scored[by];

	s->cpu_milli[row] = (double)sum->cpu_milli;
	s->memory[row] = (double)sum->memory;
}

/* The value of rows without amounts. */
static void
put_no_amounts(struct column_block *b, uint32_t row)
{
	b->cpu_milli[row] = b->memory[row] = 1;
	b->free_cpu_milli[row] = b->free_memory[row] =
	    b->free_ephemeral_storage[row] = COLUMN_AMOUNT_MAX;
	for (size_t i = 0; i < NSCORED_BY; i++)
		put_scored(b, row, i, &(struct nonzero_requests){ 0 });
}

static bool
same_taints(const struct column_taints *a, const struct node *node)
{
	return a->n == node->ntaints &&
	    !ANY(i, a->n,
		a->at[i].key != node->taints[i].key ||
		    a->at[i].value != node->taints[i].value ||
		    a->at[i].effect != node->taints[i].effect ||
		    a->at[i].effect_text != node->taints[i].effect_text);
}

static uint32_t
number_of_taints(struct columns *c, const struct node *node)
{
	uint64_t hash = node->ntaints ^ hash_secret();
	uintptr_t found;

	if (node->ntaints == 0)
		return 0;
	for (uint32_t i = 0; i < node->ntaints; i++) {
		const struct taint *t = &node->taints[i];

		hash = hash_mix(hash ^ t->key ^ (uint64_t)t->value << 32);
		hash = hash_mix(hash ^ t->effect_text);
	}
	while ((found = (uintptr_t)map_get(&c->by_taints, hash)) != 0 &&
	    !same_taints(columns_taints(c, (uint32_t)found), node))
		hash++;
	if (found != 0)
		return (uint32_t)found;
	vec_room(c->taints, c->ntaints, &c->taints_cap);
	c->taints[c->ntaints++] = (struct column_taints){ node->ntaints,
		arena_memdup(&c->arena, node->taints,
		    node->ntaints * sizeof(*node->taints)) };
	map_put(&c->by_taints, hash, (void *)(uintptr_t)c->ntaints);
	return c->ntaints;
}

static uint8_t
flags_of(const struct columns *c, const struct node_info *info)
{
	const struct node *node = info->node;
	unsigned flags = 0;

	if ((int64_t)info->npods + 1 > node->allocatable.pods)
		flags |= COLUMN_FULL;
	if (node->unschedulable)
		flags |= COLUMN_UNSCHEDULABLE;
	if (node->allocatable.nscalars > 0 || info->requested.nscalars > 0)
		flags |= COLUMN_SCALARS;
	if (info->nports > 0)
		flags |= COLUMN_PORTS;
	if (node->navoided > 0)
		flags |= COLUMN_AVOIDS;
	if (ANY(i, node->nconditions,
		node->conditions[i].status !=
		    (node->conditions[i].type == c->ready ? c->yes : c->no)))
		flags |= COLUMN_UNHEALTHY;
	return (uint8_t)flags;
}

static bool
amounts_fit(const struct node_info *info)
{
	const struct resources *has = &info->node->allocatable;
	const struct resources *used = &info->requested;

	return has->cpu_milli != 0 && has->memory != 0 &&
	    column_amount(has->cpu_milli) && column_amount(has->memory) &&
	    column_amount(has->ephemeral_storage) &&
	    column_amount(used->cpu_milli) && column_amount(used->memory) &&
	    column_amount(used->ephemeral_storage) &&
	    !ANY(i, NSCORED_BY,
		!column_amount(info->scored[i].cpu_milli) ||
		    !column_amount(info->scored[i].memory));
}

static uint32_t
volumes(int64_t n)
{
	if (n < 0)
		return 0;
	return n < COLUMN_VOLUMES_MAX ? (uint32_t)n : COLUMN_VOLUMES_MAX;
}

static void
count_volume(const struct cluster *cluster, sym namespace,
    const struct volume *volume, uint32_t *counts)
{
	const struct persistent_volume_claim *claim;
	const struct persistent_volume *bound = NULL;
	unsigned of = column_volumes(volume->kind);
	bool is_claim =
	    volume->kind == VOLUME_CLAIM || volume->kind == VOLUME_EPHEMERAL;

	if (!volume_is_attachable(volume->kind))
		return;
	counts[0]++;
	if (is_claim) {
		claim = cluster_claim(cluster, namespace, volume->id);
		if (claim != NULL && claim->volume_name != SYM_EMPTY)
			bound = cluster_volume(cluster, claim->volume_name);
		of = bound != NULL ? column_volumes(bound->kind) : 0;
	}
	for (unsigned i = 1; i < COLUMN_VOLUME_KINDS; i++)
		counts[i] += i == of || (is_claim && bound == NULL);
}

static void
put_volumes(struct column_block *b, uint32_t row, const struct cluster *cluster,
    const struct node_info *info)
{
	uint32_t counts[COLUMN_VOLUME_KINDS] = { 0 };
	for (uint32_t i = 0; info->nattachable > 0 && i < info->npods; i++) {
		const struct pod_class *class = info->pods[i]->class;

		for (uint32_t j = 0; j < class->nvolumes; j++)
			count_volume(cluster, class->namespace,
			    &class->volumes[j], counts);
	}
	for (unsigned i = 0; i < COLUMN_VOLUME_KINDS; i++)
		b->attachable[i][row] =
		    volumes(info->nnameless > 0 ? INT64_MAX : counts[i]);
	b->volume_limit[row] = volumes(info->node->lowest_volume_limit);
	b->csi_room[row] = csi_room(cluster, info, &b->csi_driver[row]);
}

static void
put_row(struct columns *c, const struct cluster *cluster, uint32_t at)
{
	const struct node_info *info = cluster->nodes[at];
	const struct resources *has = &info->node->allocatable;
	const struct resources *used = &info->requested;
	struct column_block *b = block_of(c, at);
	uint32_t row = at % COLUMN_ROWS;

	if (at == c->nnodes) {
		if (row == 0)
			*b = (struct column_block){ .columns = c, .first = at };
		for (uint32_t i = 0; row == 0 && i < COLUMN_ROWS; i++) {
			put_no_amounts(b, i);
			b->volume_limit[i] = COLUMN_VOLUMES_MAX;
			b->csi_room[i] = CSI_ROOM_ANY;
		}
		b->n = row + 1;
		c->nnodes++;
	}
	b->flags[row] = flags_of(c, info);
	b->taints[row] = number_of_taints(c, info->node);
	put_volumes(b, row, cluster, info);
	if (amounts_fit(info)) {
		b->cpu_milli[row] = (double)has->cpu_milli;
		b->memory[row] = (double)has->memory;
		b->free_cpu_milli[row] =
		    (double)(has->cpu_milli - used->cpu_milli);
		b->free_memory[row] = (double)(has->memory - used->memory);
		b->free_ephemeral_storage[row] =
		    (double)(has->ephemeral_storage - used->ephemeral_storage);
		for (size_t i = 0; i < NSCORED_BY; i++)
			put_scored(b, row, i, &info->scored[i]);
	} else {
		put_no_amounts(b, row);
		b->flags[row] |= COLUMN_ODD;
	}
	b->any |= b->flags[row];
	b->any_taints |= b->taints[row] != 0;
}

const struct columns *
cluster_columns(struct cluster *cluster)
{
	struct columns *c = cluster->columns;
	const struct node_change *change;
	enum journal_event event;

	if (c == NULL) {
		c = cluster->columns = xcalloc(1, sizeof(*c));
		c->ready = sym_intern("Ready");
		c->yes = sym_intern("True");
		c->no = sym_intern("False");
	}
	while ((event = journal_next(&cluster->journal, &c->cursor, &change)) ==
	    JOURNAL_CHANGE)
		/* those that are new follow in their order */
		if (change->node < c->nnodes)
			put_row(c, cluster, change->node);
	/* Taints that no node has any more stay until there are too many; then
	 * all nodes are read again, into the memory of the blocks. */
	if (event != JOURNAL_END || c->ntaints > 2 * cluster->nnodes + 16) {
		c->nnodes = 0;
		c->ntaints = 0;
		map_fini(&c->by_taints);
		arena_reset(&c->arena);
	}
	/* claims may have any kind of volume again */
	for (uint32_t i = 0;
	     c->volume_generation != cluster->volume_generation &&
	     i < c->nnodes;
	     i++)
		put_volumes(block_of(c, i), i % COLUMN_ROWS, cluster,
		    cluster->nodes[i]);
	c->volume_generation = cluster->volume_generation;
	while (c->nnodes < cluster->nnodes)
		put_row(c, cluster, c->nnodes);
	c->cursor = journal_end(&cluster->journal);
	return c;
}
