#include "config.h"

#include "priorities/spreading.h"

#include "base/xmalloc.h"
#include "cluster/index.h"
#include "cluster/select.h"
#include "framework/profile.h"
#include "priorities/arith.h"

/* 1.0 - ZONE_WEIGHT is not quite a third; scores show it. */
#define ZONE_WEIGHT (2.0 / 3.0)

static void
add(struct cycle *cycle, struct spread_selectors *s,
    const struct workload *workload)
{
	s->any = true;
	s->all = selector_and(cycle->arena, &s->all, &workload->counted);
}

/* The objects may go: the selectors need parts of their own. */
static struct spread_selectors
own(struct cycle *cycle, struct spread_selectors s)
{
	s.all = selector_copy(cycle->arena, &s.all);
	return s;
}

static void
add_services(struct cycle *cycle, struct spread_selectors *s, bool first_only)
{
	const struct pod_class *class = cycle->class;
	const struct namespace_info *ns =
	    cluster_namespace(cycle->cluster, class->namespace);

	for (size_t i = 0;
	     ns != NULL && i < ns->nservices && !(first_only && s->any); i++)
		if (ns->services[i]->has_selector &&
		    selector_matches(&ns->services[i]->selector,
			&class->labels))
			add(cycle, s, ns->services[i]);
}

/*
 * Unlike a Service's, an empty selector selects nothing here.  One that is
 * malformed makes kube-scheduler 1.15 pass over all objects of its kind in the
 * namespace.
 */
static void
add_matching(struct cycle *cycle, struct spread_selectors *s, size_t n,
    struct workload *const *workloads)
{
	for (size_t i = 0; i < n; i++)
		if (workloads[i]->selector.error != NULL)
			return;
	for (size_t i = 0; i < n; i++) {
		const struct selector *selector = &workloads[i]->selector;

		if (!selector_is_empty(selector) &&
		    selector_matches(selector, &cycle->class->labels))
			add(cycle, s, workloads[i]);
	}
}

static void
add_controllers(struct cycle *cycle, struct spread_selectors *s)
{
	const struct pod_class *class = cycle->class;
	const struct namespace_info *ns =
	    cluster_namespace(cycle->cluster, class->namespace);

	/* a selector such as !app matches pods without labels; these do not */
	if (ns == NULL || class->labels.n == 0)
		return;
	add_matching(cycle, s, ns->nrcs, ns->replication_controllers);
	add_matching(cycle, s, ns->nrss, ns->replica_sets);
	add_matching(cycle, s, ns->nstss, ns->stateful_sets);
}

static bool
counts(const struct cycle *cycle, const struct spread_selectors *s,
    const struct pod_class *class)
{
	if (class->namespace != cycle->class->namespace || class->terminating)
		return false;
	return selector_matches(&s->all, &class->labels);
}

static uint64_t
workloads_of(const struct cycle *cycle)
{
	const struct namespace_info *ns =
	    cluster_namespace(cycle->cluster, cycle->class->namespace);

	return ns != NULL ? ns->workloads : 0;
}

struct spread_selectors
spread_find(struct cycle *cycle)
{
	struct spread_selectors s = { 0 };

	add_services(cycle, &s, false);
	add_controllers(cycle, &s);
	return own(cycle, s);
}

struct spread_selectors
spread_find_first_service(struct cycle *cycle)
{
	struct spread_selectors s = { 0 };

	add_services(cycle, &s, true);
	return own(cycle, s);
}

struct spread_counts *
spread_count(struct cycle *cycle,
    struct spread_selectors (*find)(struct cycle *cycle))
{
	struct cluster *cluster = cycle->cluster;
	struct spread_counts *c = arena_alloc(cycle->arena, sizeof(*c));
	uint32_t n = cluster->nnodes;

	c->find = find;
	c->selectors = find(cycle);
	c->workloads = workloads_of(cycle);
	c->nodes = NULL;
	c->on_node = NULL;
	if (!c->selectors.any)
		return c;
	c->nodes = cluster_topology(cluster, SYM_NONE);
	c->on_node = arena_array(cycle->arena, uint32_t, n);
	cluster_count_selected(cluster, cycle->class->namespace,
	    &c->selectors.all, n, c->on_node);
	return c;
}

const void *
spread_prepare(struct cycle *cycle, const void *args)
{
	return spread_count(cycle, spread_find);
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
	const struct topology *zones =
	    cluster_topology(cycle->cluster, zones_of(cycle));
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

static void *
start(struct cycle *cycle, const void *args)
{
	return spread_count(cycle, spread_find);
}

bool
spread_stale(struct cycle *cycle, void *prep)
{
	struct spread_counts *c = prep;
	struct spread_selectors now;

	if (c->workloads == workloads_of(cycle))
		return false;
	/* most changed workloads are not the pod's */
	now = c->find(cycle);
	if (now.any != c->selectors.any ||
	    !selector_equal(&now.all, &c->selectors.all))
		return true;
	c->workloads = workloads_of(cycle);
	return false;
}

enum followed
spread_follow(struct cycle *cycle, void *prep, const struct node_info *node,
    const struct pod_class *class, int sign)
{
	struct spread_counts *c = prep;

	if (!c->selectors.any || !counts(cycle, &c->selectors, class))
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
