#include "config.h"

#include "priorities/spreading.h"

#include "base/xmalloc.h"
#include "cluster/index.h"
#include "cluster/select.h"
#include "framework/profile.h"
#include "priorities/arith.h"

/* 1.0 - ZONE_WEIGHT is not quite a third; scores show it. */
#define ZONE_WEIGHT (2.0 / 3.0)

static bool
counts(const struct cycle *cycle, const struct pod_selectors *s,
    const struct pod_class *class)
{
	if (class->namespace != cycle->class->namespace || class->terminating)
		return false;
	return selector_matches(&s->all, &class->labels);
}

static int64_t
trait(const void *prep, uint32_t at)
{
	return ((const struct spread_counts *)prep)->on_node[at];
}

struct spread_counts *
spread_count(struct cycle *cycle,
    struct pod_selectors (*find)(struct cycle *cycle))
{
	struct cluster *cluster = cycle->cluster;
	struct spread_counts *c = arena_zalloc(cycle->arena, sizeof(*c));
	uint32_t n = cluster->nnodes;

	c->find = find;
	c->selectors = find(cycle);
	c->workloads = workloads_number(cycle);
	if (!c->selectors.any ||
	    (cycle->profile->release >= 20 &&
		selector_is_empty(&c->selectors.all)))
		return c;
	c->nodes = cluster_topology(cluster, SYM_NONE);
	c->on_node = arena_array(cycle->arena, uint32_t, n);
	cluster_count_selected(cluster, cycle->class->namespace,
	    &c->selectors.all, n, c->on_node);
	kept_prep_add(&c->kept, cycle->arena, c->nodes, false);
	c->kept.trait = trait;
	c->kept.traits = c->on_node;
	return c;
}

/* SelectorSpread of 1.20 leaves pods with constraints to PodTopologySpread. */
static struct spread_counts *
count_workload(struct cycle *cycle)
{
	struct spread_counts *c = spread_count(cycle, workload_selectors);

	c->constrained =
	    cycle->profile->release >= 20 && cycle->class->nspread > 0;
	return c;
}

const void *
spread_prepare(struct cycle *cycle, const void *args)
{
	return count_workload(cycle);
}

/* From 1.17 on nodes wear topology.kubernetes.io/zone. */
static const struct topology *
zones_of(const struct cycle *cycle)
{
	return cluster_topology(cycle->cluster,
	    cycle_release(cycle) >= 17 ? TOPOLOGY_ZONE : TOPOLOGY_BETA_ZONE);
}

const struct kept_prep *
spread_keep(struct cycle *cycle, const void *args)
{
	struct spread_counts *c = count_workload(cycle);

	/* see spread_reduce() */
	if (c->nodes != NULL)
		kept_prep_add(&c->kept, cycle->arena, zones_of(cycle), true);
	return &c->kept;
}

int64_t
spread_score(struct cycle *cycle, const struct node_info *node,
    const void *prep)
{
	const struct spread_counts *c = prep;

	return c->on_node != NULL ? c->on_node[node->index] : 0;
}

static double
spread(double max, int64_t count, int64_t most)
{
	return most > 0 ? max * ((double)(most - count) / (double)most) : max;
}

static void
reduce_by_zone(struct cycle *cycle, size_t n, const uint32_t *at,
    const uint32_t *times, int64_t *scores)
{
	const struct topology *zones = zones_of(cycle);
	int64_t *in_zone = arena_array(cycle->arena, int64_t, zones->ndomains);
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
	for (size_t i = 0; i < n; i++) {
		uint32_t zone = zones->domain_of[at[i]];
		double score = spread(max, scores[i], most);

		if (zone != DOMAIN_NONE)
			score = score * (1.0 - ZONE_WEIGHT) +
			    ZONE_WEIGHT *
				spread(max, in_zone[zone], most_in_zone);
		scores[i] = to_int64(score);
	}
}

void
spread_reduce(struct cycle *cycle, const void *prep, size_t n,
    const uint32_t *at, const uint32_t *times, int64_t *scores)
{
	const struct spread_counts *c = prep;

	if (!c->constrained && c->nodes != NULL) {
		reduce_by_zone(cycle, n, at, times, scores);
		return;
	}
	/* where no pod counts all nodes are equal, whatever their zones */
	for (size_t i = 0; i < n; i++)
		scores[i] = c->constrained ? 0 : cycle->profile->score_max;
}

/* Whether the pod belongs together with others than before. */
static bool
is_stale(struct cycle *cycle, struct spread_counts *c)
{
	struct pod_selectors now;

	if (c->workloads == workloads_number(cycle))
		return false;
	/* most changed workloads are not the pod's */
	now = c->find(cycle);
	if (now.any != c->selectors.any ||
	    !selector_equal(&now.all, &c->selectors.all))
		return true;
	c->workloads = workloads_number(cycle);
	return false;
}

enum followed
spread_update(struct cycle *cycle, void *prep, const struct prep_change *change)
{
	struct spread_counts *c = prep;

	if (change->kind == OBJECTS_CHANGED)
		return is_stale(cycle, c) ? FOLLOWED_NO_MORE : FOLLOWED_NOTHING;
	if (c->nodes == NULL || !counts(cycle, &c->selectors, change->class))
		return FOLLOWED_NOTHING;
	c->on_node[change->node->index] += (uint32_t)change->sign;
	return FOLLOWED;
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
