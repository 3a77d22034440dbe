/*
 * EvenPodsSpreadPriority: prefer nodes in domains that hold few of the pods
 * that the pod's topologySpreadConstraints with whenUnsatisfiable:
 * ScheduleAnyway select.
 *
 *	raw score = sum over the constraints of the pods counted in the node's
 *	            domain of the constraint's topologyKey
 *	score = score_max * ((total - raw) / (total - min))
 *
 * where total and min are the raw scores' sum and minimum over the nodes that
 * fit and have all topologyKeys; nodes that lack one get 0, and all others
 * score_max when total equals min.  Counted are pods on nodes that the pod's
 * nodeSelector and required node affinity allow and that have all topologyKeys.
 * Constraints with the same topologyKey share their counts.
 *
 * The arithmetic is kube-scheduler 1.16's.  As from 1.17 on, only pods of the
 * pod's namespace that are not being deleted count: 1.16 counts those of all
 * namespaces.
 */
#include "config.h"

#include "cluster/columns.h"
#include "cluster/index.h"
#include "cluster/select.h"
#include "decide/framework/allowed_nodes.h"
#include "decide/framework/cycle.h"
#include "decide/framework/profile.h"
#include "priorities/arith.h"
#include "priorities/registry.h"

#define LACKS_KEY INT64_C(-1)

struct soft_constraint {
	const struct spread_constraint *constraint;
	const struct topology *topology;
	int64_t *sums; /* by domain; the same for equal topologies */
};

struct prep {
	uint32_t n;
	struct soft_constraint *soft;
	struct selector node_selector;
};

static void
collect_constraints(struct cycle *cycle, struct prep *prep)
{
	const struct pod_class *class = cycle->class;

	prep->soft =
	    arena_array(cycle->arena, struct soft_constraint, class->nspread);
	for (uint32_t i = 0; i < class->nspread; i++) {
		const struct spread_constraint *c = &class->spread[i];
		struct soft_constraint *soft = &prep->soft[prep->n];
		const struct soft_constraint *same;

		if (c->hard)
			continue;
		if (cycle_is_cancelled(cycle))
			return;
		soft->constraint = c;
		soft->topology =
		    cluster_topology(cycle->cluster, c->topology_key);
		same = FIND(k, prep->soft, prep->n,
		    prep->soft[k].topology == soft->topology);
		soft->sums = same != NULL ? same->sums :
					    arena_array(cycle->arena, int64_t,
						soft->topology->ndomains);
		prep->n++;
	}
}

static bool
has_all_keys(const struct prep *prep, uint32_t node)
{
	return !ANY(i, prep->n,
	    prep->soft[i].topology->domain_of[node] == DOMAIN_NONE);
}

static struct prep *
prep_new(struct cycle *cycle)
{
	struct prep *prep = arena_zalloc(cycle->arena, sizeof(*prep));

	collect_constraints(cycle, prep);
	if (prep->n > 0)
		prep->node_selector = selector_from_set(cycle->arena,
		    &cycle->class->node_selector);
	for (uint32_t i = 0; i < prep->n && !cycle_is_cancelled(cycle); i++) {
		/* Pods on each node first: not all nodes count. */
		const struct soft_constraint *soft = &prep->soft[i];
		struct cluster *cluster = cycle->cluster;
		const struct topology *nodes =
		    cluster_topology(cluster, SYM_NONE);
		AUTOFREE int64_t *counts =
		    xcalloc(nodes->ndomains, sizeof(*counts));

		cluster_select_if(cluster, cycle->class->namespace,
		    &soft->constraint->selector, select_staying, NULL, nodes, 1,
		    counts);
		for (uint32_t j = 0; j < cluster->nnodes; j++)
			if (counts[j] != 0 && has_all_keys(prep, j) &&
			    class_allows_node(cycle->class,
				&prep->node_selector, cluster->nodes[j]))
				soft->sums[soft->topology->domain_of[j]] +=
				    counts[j];
	}
	return prep;
}

static const void *
prepare(struct cycle *cycle, const void *args)
{
	const struct prep *prep = prep_new(cycle);

	for (uint32_t i = 0; i < prep->n; i++)
		if (prep->soft[i].constraint->selector.error != NULL)
			cycle_fail(cycle, "%s",
			    prep->soft[i].constraint->selector.error);
	return prep->n > 0 ? prep : PREP_UNIFORM(0);
}

static int64_t
score(struct cycle *cycle, const struct node_info *node, const void *p)
{
	const struct prep *prep = p;
	int64_t sum = 0;

	if (!has_all_keys(prep, node->index))
		return LACKS_KEY;
	for (uint32_t i = 0; i < prep->n; i++) {
		const struct soft_constraint *soft = &prep->soft[i];

		sum += soft->sums[topology_domain(soft->topology, node)];
	}
	return sum;
}

static bool
score_block(struct cycle *cycle, const struct column_block *b, const void *p,
    int64_t *scores)
{
	const struct prep *prep = p;

	memset(scores, 0, COLUMN_ROWS * sizeof(*scores));
	for (uint32_t i = 0; i < prep->n; i++) {
		const struct soft_constraint *soft = &prep->soft[i];
		const uint32_t *domain_of =
		    soft->topology->domain_of + b->first;

		for (uint32_t j = 0; j < b->n; j++)
			if (domain_of[j] == DOMAIN_NONE)
				scores[j] = LACKS_KEY;
			else if (scores[j] != LACKS_KEY)
				scores[j] += soft->sums[domain_of[j]];
	}
	return true;
}

static void
reduce(struct cycle *cycle, const void *p, size_t n, const uint32_t *at,
    const uint32_t *times, int64_t *scores)
{
	int64_t max = cycle->profile->score_max;
	int64_t total = 0, min = INT64_MAX;

	for (size_t i = 0; i < n; i++) {
		if (scores[i] == LACKS_KEY)
			continue;
		total += times[i] * scores[i];
		if (scores[i] < min)
			min = scores[i];
	}
	for (size_t i = 0; i < n; i++) {
		if (scores[i] == LACKS_KEY)
			scores[i] = 0;
		else if (total == min)
			scores[i] = max;
		else
			scores[i] = to_int64((double)max *
			    ((double)(total - scores[i]) /
				(double)(total - min)));
	}
}

const struct priority priority_even_pods_spread_priority = {
	.name = "EvenPodsSpreadPriority",
	.policy = { .in = IN_BOTH, .registered = "EvenPodsSpread=true" },
	.convert = { .one_way = true },
	.reads = READS_CLUSTER,
	.plugin = PLUGIN_POD_TOPOLOGY_SPREAD,
	.needs = NEEDS_POD_SOFT_SPREAD,
	.prepare = prepare,
	.score = score,
	.score_block = score_block,
	.reduce = reduce,
};
