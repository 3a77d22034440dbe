#include "config.h"

#include "priorities/spreading.h"

#include <string.h>

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

struct spread_counts *
spread_count(struct cycle *cycle,
    struct pod_selectors (*find)(struct cycle *cycle))
{
	struct cluster *cluster = cycle->cluster;
	struct spread_counts *c = arena_alloc(cycle->arena, sizeof(*c));
	uint32_t n = cluster->nnodes;

	c->find = find;
	c->selectors = find(cycle);
	c->workloads = workloads_number(cycle);
	c->nodes = NULL;
	c->on_node = NULL;
	c->constrained = false;
	if (!c->selectors.any ||
	    (cycle->profile->release >= 20 &&
		selector_is_empty(&c->selectors.all)))
		return c;
	c->nodes = cluster_topology(cluster, SYM_NONE);
	c->on_node = arena_array(cycle->arena, uint32_t, n);
	cluster_count_selected(cluster, cycle->class->namespace,
	    &c->selectors.all, n, c->on_node);
	return c;
}

/* SelectorSpread of 1.20 leaves pods with constraints to PodTopologySpread. */
static void *
start(struct cycle *cycle, const void *args)
{
	struct spread_counts *c = spread_count(cycle, workload_selectors);

	c->constrained =
	    cycle->profile->release >= 20 && cycle->class->nspread > 0;
	return c;
}

const void *
spread_prepare(struct cycle *cycle, const void *args)
{
	return start(cycle, args);
}

int64_t
spread_score(struct cycle *cycle, const struct node_info *node,
    const void *prep)
{
	const struct spread_counts *c = prep;

	return c->on_node != NULL ? c->on_node[node->index] : 0;
}

/* Of whichever release. */
sym
spread_alike(const void *args)
{
	return TOPOLOGY_BOTH_ZONES;
}

/* From 1.17 on nodes wear topology.kubernetes.io/zone. */
static sym
zones_of(const struct cycle *cycle)
{
	return cycle_release(cycle) >= 17 ? TOPOLOGY_ZONE : TOPOLOGY_BETA_ZONE;
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
	const struct spread_counts *c = prep;
	const struct topology *zones =
	    cluster_topology(cycle->cluster, zones_of(cycle));
	int64_t *in_zone = arena_array(cycle->arena, int64_t, zones->ndomains);
	double max = (double)cycle->profile->score_max;
	int64_t most = 0, most_in_zone = 0;

	if (c->constrained) {
		memset(scores, 0, n * sizeof(*scores));
		return;
	}
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

bool
spread_stale(struct cycle *cycle, void *prep)
{
	struct spread_counts *c = prep;
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
spread_follow(struct cycle *cycle, void *prep, const struct node_info *node,
    const struct pod_class *class, int sign)
{
	struct spread_counts *c = prep;

	if (c->nodes == NULL || !counts(cycle, &c->selectors, class))
		return FOLLOWED_NOTHING;
	c->on_node[node->index] += (uint32_t)sign;
	return FOLLOWED;
}

const struct topology *
spread_topology(const void *prep, size_t i)
{
	return i == 0 ? ((const struct spread_counts *)prep)->nodes : NULL;
}

int64_t
spread_trait(const void *prep, uint32_t at)
{
	return ((const struct spread_counts *)prep)->on_node[at];
}

const uint32_t *
spread_traits(const void *prep)
{
	return ((const struct spread_counts *)prep)->on_node;
}

const struct following spread_following = {
	.start = start,
	.stale = spread_stale,
	.follow = spread_follow,
	.topology = spread_topology,
	.trait = spread_trait,
	.traits = spread_traits,
};

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
