/*
 * The priorities that spread pods which belong together, by the number of them on
 * each node.
 *
 * SelectorSpreadPriority: spread the pods of a Service, ReplicationController,
 * ReplicaSet or StatefulSet over nodes and zones.
 *
 *	raw score = pods on the node that belong to all of these objects to which
 *	            the pod belongs
 *
 * To all of them: a Service in front of two ReplicaSets does not spread the
 * pods of one relative to those of the other.  Objects are found by their
 * selectors, not by the pod's ownerReferences (kube-scheduler 1.15).  Few is good,
 * and where nodes are in zones, few in the zone counts twice as much.  In doubles,
 * truncated at the end:
 *
 *	spread(count, most) = score_max * ((most - count) / most)
 *	score = spread(node)                               without zone
 *	score = spread(node) * 1/3 + 2/3 * spread(zone)    with zone
 *
 * where spread() is score_max when most is 0 and most is taken over the nodes
 * that fit and the sums of their zones.  A zone is that of the labels
 * failure-domain.beta.kubernetes.io/zone and region; from 1.17 on also of those of
 * topology.kubernetes.io, where a node lacks the former.
 *
 * ServiceSpreadingPriority: an older name of it.  Intended for Services alone, but
 * kube-scheduler 1.15 computes the selectors once per pod, and passes those of all
 * kinds to both priorities.
 *
 * ServiceAntiAffinity, argument serviceAntiAffinity: spread the pods of a
 * Service over the values of a node label, such as racks.
 *
 *	score = score_max * ((total - with_label_value) / total)
 *
 * where total is the Service's pods on all nodes that fit and with_label_value
 * those on nodes with this node's value of the label.  score_max when there are
 * none; 0 for nodes without the label, whose pods are part of the total all the
 * same.  Of several Services that select the pod the first by name counts:
 * kube-scheduler 1.15 takes one of them without saying which.
 *
 * The score of ServiceAffinity (kube-scheduler 1.20): the same over the values of
 * some node labels.
 *
 *	score = sum over the labels of the score for it / labels
 *
 * in doubles, truncated at the end; 0 without labels.  A Service with the selector
 * {} counts no pods (doc/semantics/12-kube-1.20.md, Node plugins).
 */
#include "config.h"

#include "cluster/columns.h"
#include "cluster/index.h"
#include "cluster/select.h"
#include "decide/framework/args.h"
#include "decide/framework/cycle.h"
#include "decide/framework/pod_selectors.h"
#include "decide/framework/profile.h"
#include "objects/selector.h"
#include "priorities/arith.h"
#include "priorities/registry.h"

/* 1.0 - ZONE_WEIGHT is not quite a third; scores show it. */
#define ZONE_WEIGHT (2.0 / 3.0)

/* How many pods of each node count; of the cycle's arena. */
struct spread_counts {
	/* By node index; NULL: none. */
	const uint32_t *on_node;
	uint64_t version; /* of the column */
};

/*
 * Counts the pods in the pod's namespace that every one of the selectors matches
 * and that are not being deleted.  No selectors: none.  In 1.20 a selector that is
 * empty counts none.
 */
static struct spread_counts
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
static const void *
prepare(struct cycle *cycle, const void *args)
{
	struct pod_selectors selectors;
	struct spread_counts *c;

	if (cycle->profile->release >= 20 && cycle->class->nspread > 0)
		return PREP_UNIFORM(0);
	selectors = default_selectors(cycle);
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

static size_t
columns(struct cycle *cycle, const void *prep, struct node_column *to)
{
	const struct spread_counts *c = prep;

	to[0] = (struct node_column){ c->on_node, c->version };
	to[1] = (struct node_column){ zones_of(cycle)->domain_of,
		cycle->cluster->labels };
	return 2;
}

static int64_t
score(struct cycle *cycle, const struct node_info *node, const void *prep)
{
	const struct spread_counts *c = prep;

	return c->on_node != NULL ? c->on_node[node->index] : 0;
}

static bool
score_block(struct cycle *cycle, const struct column_block *b, const void *prep,
    int64_t *scores)
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

/* From counts to scores. */
static void
reduce(struct cycle *cycle, const void *prep, size_t n, const uint32_t *at,
    const uint32_t *times, int64_t *scores)
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
		double here = spread(max, scores[i], most);

		scores[i] = to_int64(zone != DOMAIN_NONE ?
			here * (1.0 - ZONE_WEIGHT) + by_zone[zone] :
			here);
	}
}

/*
 * The part of the pods that fit somewhere which is not in the node's domain of the
 * label, on the scale 0 to score_max: score_max if there are none, 0 for nodes
 * without the label.  n groups of nodes as in struct priority's reduce(), with so
 * many pods on each of their nodes.
 */
static void
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

const struct priority priority_selector_spread_priority = {
	.name = "SelectorSpreadPriority",
	.policy = { .in = IN_BOTH },
	.convert = { .later = "PodTopologySpread",
	    .nearly = "by its default constraints",
	    .early = "not for pods with topologySpreadConstraints" },
	.reads = READS_CLUSTER,
	.plugin = PLUGIN_SELECTOR_SPREAD,
	.prepare = prepare,
	.columns = columns,
	.score = score,
	.score_block = score_block,
	.reduce = reduce,
	.needs = NEEDS_POD_OF_WORKLOAD,
};

const struct priority priority_service_spreading_priority = {
	.name = "ServiceSpreadingPriority",
	.policy = { .in = REGISTERED },
	.convert = { .plugin = "SelectorSpread",
	    .later = "PodTopologySpread",
	    .nearly = "by its default constraints",
	    .early = "also by controllers; not for pods with "
		     "topologySpreadConstraints" },
	.reads = READS_CLUSTER,
	.prepare = prepare,
	.columns = columns,
	.score = score,
	.score_block = score_block,
	.reduce = reduce,
	.needs = NEEDS_POD_OF_WORKLOAD,
};

/* ---- a Service's pods, over the values of labels ---- */

struct labels_prep {
	struct spread_counts counts; /* first: score() */
	size_t n;
	const struct topology **topologies; /* of the labels */
};

static const void *
prepare_labels(struct cycle *cycle, size_t n, const sym *labels)
{
	struct labels_prep *prep = arena_zalloc(cycle->arena, sizeof(*prep));
	struct pod_selectors selectors = first_service_selectors(cycle);

	prep->counts = spread_count(cycle, &selectors);
	prep->n = n;
	prep->topologies =
	    arena_array(cycle->arena, const struct topology *, n);
	for (size_t i = 0; i < n; i++)
		prep->topologies[i] =
		    cluster_topology(cycle->cluster, labels[i]);
	return prep;
}

static const void *
prepare_anti_affinity(struct cycle *cycle, const void *args)
{
	const struct service_anti_affinity_args *a = args;

	return prepare_labels(cycle, 1, &a->label);
}

static const void *
prepare_affinity(struct cycle *cycle, const void *args)
{
	const struct service_affinity_plugin_args *a = args;

	return a != NULL ? prepare_labels(cycle, a->nanti_affinity_labels,
			       a->anti_affinity_labels) :
			   prepare_labels(cycle, 0, NULL);
}

static void
reduce_labels(struct cycle *cycle, const void *p, size_t n, const uint32_t *at,
    const uint32_t *times, int64_t *scores)
{
	const struct labels_prep *prep = p;
	double *shares = arena_array(cycle->arena, double, n);
	double *means = arena_array(cycle->arena, double, n);

	for (size_t i = 0; i < prep->n; i++) {
		spread_by_label(cycle, prep->topologies[i], n, at, times,
		    scores, shares);
		for (size_t j = 0; j < n; j++)
			means[j] += shares[j] / (double)prep->n;
	}
	for (size_t i = 0; i < n; i++)
		scores[i] = to_int64(means[i]);
}

const struct priority priority_service_anti_affinity = {
	.name = "ServiceAntiAffinity",
	.convert = { .gone = "there is no plugin ServiceAffinity; give pods a "
			     "topologySpreadConstraint" },
	.reads = READS_CLUSTER,
	.plugin = PLUGIN_SERVICE_AFFINITY,
	.prepare = prepare_anti_affinity,
	.score = score,
	.score_block = score_block,
	.reduce = reduce_labels,
	.needs = NEEDS_POD_OF_SERVICE,
};

const struct priority priority_service_affinity = {
	.name = "ServiceAffinity",
	.reads = READS_CLUSTER,
	.prepare = prepare_affinity,
	.score = score,
	.score_block = score_block,
	.reduce = reduce_labels,
};

const struct plugin plugin_selector_spread = {
	.name = "SelectorSpread",
	.points = { AT_POINT(PRE_SCORE) | AT_POINT(SCORE), 0 },
	.score = &priority_selector_spread_priority,
	.weight = { 1, 0 },
	.score_needs = POINT_PRE_SCORE,
	.no_state = "reading \"PreScoreSelectorSpread\" from "
		    "cycleState: not found",
	.unless_constrained = true,
};
