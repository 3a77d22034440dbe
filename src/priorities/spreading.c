#include "config.h"

#include "priorities/spreading.h"

#include "base/xmalloc.h"
#include "cluster/columns.h"
#include "cluster/index.h"
#include "cluster/select.h"
#include "framework/profile.h"
#include "priorities/arith.h"

/* 1.0 - ZONE_WEIGHT is not quite a third; scores show it. */
#define ZONE_WEIGHT (2.0 / 3.0)

struct spread_counts
spread_count(struct cycle *cycle, const struct pod_selectors *selectors)
{
	struct spread_counts c = { NULL, 0 };

	if (selectors->any &&
	    (cycle->profile->release < 20 ||
		!selector_is_empty(&selectors->all)))
		c.on_node = cluster_count_selected(cycle->cluster,
		    cycle->class->namespace, &selectors->all, &c.version);
	return c;
}

/* SelectorSpread of 1.20 leaves pods with constraints to PodTopologySpread.  Where no
 * pod counts all nodes are equal, whatever their zones. */
const void *
spread_prepare(struct cycle *cycle, const void *args)
{
	struct pod_selectors selectors;
	struct spread_counts *c;

	if (cycle->profile->release >= 20 && cycle->class->nspread > 0)
		return PREP_UNIFORM(0);
	selectors = workload_selectors(cycle);
	c = arena_alloc(cycle->arena, sizeof(*c));
	*c = spread_count(cycle, &selectors);
	return c->on_node != NULL ? c : PREP_UNIFORM(cycle->profile->score_max);
}

/* From 1.17 on nodes wear topology.kubernetes.io/zone. */
static const struct topology *
zones_of(const struct cycle *cycle)
{
	return cluster_topology(cycle->cluster,
	    cycle_release(cycle) >= 17 ? TOPOLOGY_ZONE : TOPOLOGY_BETA_ZONE);
}

size_t
spread_columns(struct cycle *cycle, const void *prep,
    struct node_column *columns)
{
	const struct spread_counts *c = prep;

	columns[0] = (struct node_column){ c->on_node, c->version };
	columns[1] = (struct node_column){ zones_of(cycle)->domain_of,
		cycle->cluster->labels };
	return 2;
}

int64_t
spread_score(struct cycle *cycle, const struct node_info *node,
    const void *prep)
{
	const struct spread_counts *c = prep;

	return c->on_node != NULL ? c->on_node[node->index] : 0;
}

bool
spread_score_block(struct cycle *cycle, const struct column_block *b,
    const void *prep, int64_t *scores)
{
	const struct spread_counts *c = prep;

	for (uint32_t i = 0; i < b->n; i++)
		scores[i] = c->on_node != NULL ? c->on_node[b->first + i] : 0;
	return true;
}

static double
spread(double max, int64_t count, int64_t most)
{
	return most > 0 ? max * ((double)(most - count) / (double)most) : max;
}

void
spread_reduce(struct cycle *cycle, const void *prep, size_t n,
    const uint32_t *at, const uint32_t *times, int64_t *scores)
{
	const struct topology *zones = zones_of(cycle);
	int64_t *in_zone = arena_array(cycle->arena, int64_t, zones->ndomains);
	double *by_zone = arena_array(cycle->arena, double, zones->ndomains);
	double max = (double)cycle->profile->score_max;
	int64_t most = 0, most_in_zone = 0;

	for (size_t i = 0; i < n; i++) {
		uint32_t zone = zones->domain_of[at[i]];

		if (scores[i] > most)
			most = scores[i];
		if (zone != DOMAIN_NONE)
			in_zone[zone] += times[i] * scores[i];
	}
	for (uint32_t i = 0; i < zones->ndomains; i++)
		if (in_zone[i] > most_in_zone)
			most_in_zone = in_zone[i];
	for (uint32_t i = 0; i < zones->ndomains; i++)
		by_zone[i] =
		    ZONE_WEIGHT * spread(max, in_zone[i], most_in_zone);
	for (size_t i = 0; i < n; i++) {
		uint32_t zone = zones->domain_of[at[i]];
		double score = spread(max, scores[i], most);

		scores[i] = to_int64(zone != DOMAIN_NONE ?
			score * (1.0 - ZONE_WEIGHT) + by_zone[zone] :
			score);
	}
}

void
spread_by_label(struct cycle *cycle, const struct topology *topology, size_t n,
    const uint32_t *at, const uint32_t *times, const int64_t *counts,
    double *shares)
{
	int64_t *sums = arena_array(cycle->arena, int64_t, topology->ndomains);
	double max = (double)cycle->profile->score_max;
	int64_t total = 0;

	for (size_t i = 0; i < n; i++) {
		uint32_t domain = topology->domain_of[at[i]];

		total += times[i] * counts[i];
		if (domain != DOMAIN_NONE)
			sums[domain] += times[i] * counts[i];
	}
	for (size_t i = 0; i < n; i++) {
		uint32_t domain = topology->domain_of[at[i]];

		shares[i] = domain == DOMAIN_NONE ?
		    0 :
		    spread(max, sums[domain], total);
	}
}
