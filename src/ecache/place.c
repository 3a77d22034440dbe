#include "config.h"

#include "ecache/ecache_internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/xmalloc.h"
#include "framework/cycle.h"
#include "framework/profile.h"

/* The approximate size of a cell with one node. */
#define CELL_BYTES 320

static void
add_key_part(struct ecache *ecache, struct key_part key_part)
{
	vec_room(ecache->key_parts, ecache->nkey_parts, &ecache->key_parts_cap);
	ecache->key_parts[ecache->nkey_parts++] = key_part;
}

static void
add_domain(struct ecache *ecache, const struct topology *topology, size_t step)
{
	for (size_t i = 0; i < ecache->nkey_parts; i++) {
		struct key_part *key_part = &ecache->key_parts[i];

		if (key_part->topology != topology)
			continue;
		if (key_part->step > step)
			key_part->step = step;
		return;
	}
	add_key_part(ecache,
	    (struct key_part){ .topology = topology, .step = step });
}

/* Adds the domains and the trait by which a kept prep distinguishes nodes.  Returns
 * by how many topologies only this class does so. */
static size_t
add_kept_prep(struct ecache *ecache, const struct kept_prep *kept, size_t step)
{
	bool by_trait = false;
	size_t n = 0;

	for (size_t i = 0; i < kept->ntopologies; i++) {
		const struct kept_topology *t = &kept->topologies[i];

		if (is_by_trait(t))
			by_trait = true;
		else
			add_domain(ecache, t->topology, step);
		n += !t->by_domain;
	}
	if (by_trait)
		add_key_part(ecache,
		    (struct key_part){ .kept = kept, .step = step });
	return n;
}

/* Lists the class's key parts; returns the same number. */
static size_t
find_key_parts(struct ecache *ecache, const struct ecache_class *m)
{
	size_t ntopologies = 0;

	ecache->nkey_parts = 0;
	for (size_t i = 0; i < m->nactive; i++) {
		const struct follower *f =
		    &ecache->followers[m->active[i].number];

		ntopologies +=
		    add_kept_prep(ecache, m->units[f->unit].prep, f->step);
	}
	ecache_key_room(ecache, 1 + ecache->nkey_parts);
	return ntopologies;
}

static int64_t
key_part_value(const struct key_part *key_part, uint32_t at)
{
	return key_part->topology != NULL ?
	    key_part->topology->domain_of[at] :
	    key_part->kept->trait(key_part->kept, at);
}

/* Whether no step before the first that reads the key part refuses the node. */
static inline bool
distinguishes(const struct key_part *key_part,
    const struct ecache_results *results, uint32_t at)
{
	return state_passes(outcome_at(results, results->outcome_of[at])[0],
	    key_part->step);
}

/* Puts the key of the node's cell into ecache->key. */
static void
make_key(struct ecache *ecache, const struct ecache_results *results,
    uint32_t at)
{
	int64_t *key = ecache->key;

	*key++ = results->outcome_of[at];
	for (size_t i = 0; i < ecache->nkey_parts; i++)
		key[i] = distinguishes(&ecache->key_parts[i], results, at) ?
		    key_part_value(&ecache->key_parts[i], at) :
		    0;
}

/* Whether no node is refused. */
static bool
all_fit(const struct ecache_results *results)
{
	for (uint32_t i = 0; i < results->outcomes.n; i++)
		if (outcome_at(results, i)[0] != 0)
			return false;
	return true;
}

/* One key part of all nodes. */
static struct key_column
make_column(const struct ecache *ecache, const struct ecache_results *results,
    const struct key_part *key_part, struct arena *arena)
{
	uint32_t n = ecache->cluster->nnodes;
	const struct kept_prep *kept = key_part->kept;
	const uint32_t *narrow = NULL;
	bool all = all_fit(results);
	int64_t *column;

	if (key_part->topology != NULL)
		narrow = key_part->topology->domain_of;
	else
		narrow = kept->traits;
	if (narrow != NULL && all)
		return (struct key_column){ .narrow = narrow };
	column = arena_alloc(arena, n * sizeof(*column));
	if (narrow == NULL && kept->put_traits != NULL && all) {
		kept->put_traits(kept, n, column);
		return (struct key_column){ .wide = column };
	}
	for (uint32_t i = 0; i < n; i++)
		column[i] = distinguishes(key_part, results, i) ?
		    key_part_value(key_part, i) :
		    0;
	return (struct key_column){ .wide = column };
}

/* A stable sort by one byte of the hashes. */
static void
sort_by_byte(const uint64_t *hashes, unsigned byte, uint32_t n,
    const uint32_t *from, uint32_t *to)
{
	uint32_t ends[257] = { 0 };

	for (uint32_t i = 0; i < n; i++)
		ends[(hashes[i] >> 8 * byte & 255) + 1]++;
	for (unsigned i = 1; i < 256; i++)
		ends[i] += ends[i - 1];
	for (uint32_t i = 0; i < n; i++)
		to[ends[hashes[from[i]] >> 8 * byte & 255]++] = from[i];
}

static void
sort_nodes(struct ecache *ecache)
{
	const struct cluster *cluster = ecache->cluster;
	uint32_t n = cluster->nnodes;
	AUTOFREE uint32_t *other = NULL;

	if (ecache->order_epoch == cluster->journal.epoch &&
	    ecache->norder == n)
		return;
	ecache->order = xrealloc(ecache->order, n, sizeof(*ecache->order));
	other = xmalloc(n * sizeof(*other));
	for (uint32_t i = 0; i < n; i++)
		ecache->order[i] = i;
	for (unsigned byte = 0; byte < sizeof(uint64_t); byte += 2) {
		sort_by_byte(cluster->name_hashes, byte, n, ecache->order,
		    other);
		sort_by_byte(cluster->name_hashes, byte + 1, n, other,
		    ecache->order);
	}
	ecache->norder = n;
	ecache->order_epoch = cluster->journal.epoch;
}

/* One for each number in a key. */
static struct key_column *
make_columns(struct ecache *ecache, const struct ecache_results *results,
    struct cycle *cycle)
{
	size_t n = 1 + ecache->nkey_parts;
	struct key_column *columns =
	    arena_array(cycle->arena, struct key_column, n);

	columns[0].narrow = results->outcome_of;
	for (size_t i = 1; i < n && !cycle_is_cancelled(cycle); i++)
		columns[i] = make_column(ecache, results,
		    &ecache->key_parts[i - 1], cycle->arena);
	return columns;
}

static void
make_partition(struct ecache *ecache, const struct ecache_results *results,
    struct cached_partition *s, struct cycle *cycle)
{
	struct key_column *columns = make_columns(ecache, results, cycle);

	cached_partition_forget(s);
	if (cycle_is_cancelled(cycle))
		return;
	sort_nodes(ecache);
	partition_make(&s->partition, 1 + ecache->nkey_parts,
	    ecache->cluster->nnodes, columns, results->total, ecache->order);
}

static void
place_todo(struct ecache *ecache, const struct ecache_results *results,
    struct cached_partition *s, const struct cycle *cycle)
{
	for (uint32_t i = 0; i < ecache->ntodo; i++) {
		uint32_t at = ecache->todo[i];

		if (cycle_is_cancelled(cycle))
			return;
		make_key(ecache, results, at);
		partition_move(&s->partition, ecache->cluster, at, ecache->key,
		    results->total[at]);
	}
	s->nexcluded = 0;
}

/* Lists the nodes that have changed since the partition was up to date. */
static void
put_changed_todo(struct ecache *ecache, const struct ecache_results *results,
    struct cached_partition *s)
{
	for (uint32_t i = 0; i < s->nexcluded; i++)
		ecache_put_todo(ecache, s->excluded[i]);
	ecache_put_changes_todo(ecache, &s->seen.cursor);
	/* a new image on one node may change the scores of others */
	for (uint32_t i = 0; s->seen.objects != results->seen.objects &&
	     i < ecache->cluster->nnodes;
	     i++)
		if (s->partition.total[i] != results->total[i])
			ecache_put_todo(ecache, i);
}

void
ecache_sort(struct ecache *ecache, struct ecache_class *m, struct cycle *cycle)
{
	size_t ntopologies = find_key_parts(ecache, m);
	struct cached_partition *s;

	if (ntopologies != m->ntopologies)
		cached_partition_forget(&m->own);
	m->ntopologies = ntopologies;
	m->sorted = s = ntopologies > 0 ? &m->own : &m->results->sorted;
	if (s->partition.nkey_parts == 0)
		return;
	if (!ecache_is_recent(ecache, &s->seen)) {
		cached_partition_forget(s);
		return;
	}
	put_changed_todo(ecache, m->results, s);
	if (ecache->ntodo > ecache->cluster->nnodes / 8 + 64)
		make_partition(ecache, m->results, s, cycle);
	else
		place_todo(ecache, m->results, s, cycle);
	ecache_see(ecache, &s->seen);
}

const struct partition *
ecache_partition(struct ecache *ecache, struct ecache_class *m,
    struct cycle *cycle)
{
	struct cached_partition *s = m->sorted;

	if (s->partition.nkey_parts == 0 && s->wanted) {
		make_partition(ecache, m->results, s, cycle);
		ecache_see(ecache, &s->seen);
		ecache_account_class(ecache, m);
	}
	s->wanted = true;
	return s->partition.nkey_parts > 0 ? &s->partition : NULL;
}

/* By the key parts that find_key_parts() has listed. */
static struct cut_key
make_cut_key(struct ecache *ecache, const struct ecache_results *results,
    struct arena *arena)
{
	struct key_column *columns =
	    arena_array(arena, struct key_column, 1 + ecache->nkey_parts);
	struct cut_key key = { .columns = columns };

	key.topologies =
	    arena_alloc(arena, ecache->nkey_parts * sizeof(*key.topologies));
	/* where all nodes have one outcome it distinguishes none */
	if (results->outcomes.n > 1)
		columns[key.ncolumns++].narrow = results->outcome_of;
	for (size_t i = 0; i < ecache->nkey_parts; i++) {
		const struct key_part *key_part = &ecache->key_parts[i];

		if (key_part->topology != NULL)
			key.topologies[key.ntopologies++] = key_part->topology;
		else
			columns[key.ncolumns++] =
			    make_column(ecache, results, key_part, arena);
	}
	return key;
}

struct cut *
ecache_cut(struct ecache *ecache, const struct ecache_class *m,
    struct cycle *cycle, const uint32_t *excluded, struct cut_by by)
{
	struct cut_key key = make_cut_key(ecache, m->results, cycle->arena);

	if (cycle_is_cancelled(cycle))
		return NULL;
	return cut_nodes(cycle, &ecache->joints, &key, excluded, by);
}

const uint32_t *
ecache_order(struct ecache *ecache)
{
	sort_nodes(ecache);
	return ecache->order;
}

void
cached_partition_forget(struct cached_partition *sorted)
{
	partition_fini(&sorted->partition);
	free(sorted->excluded);
	*sorted = (struct cached_partition){ 0 };
}

size_t
cached_partition_size(const struct cached_partition *sorted)
{
	/* the partition's of, total and nodes */
	return sorted->seen.nnodes * 3 * sizeof(uint32_t) +
	    partition_count(&sorted->partition) * CELL_BYTES;
}
