/*
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
 */
#include "config.h"

#include "cluster/index.h"
#include "framework/args.h"
#include "framework/profile.h"
#include "priorities/arith.h"
#include "priorities/registry.h"
#include "priorities/spreading.h"

struct prep {
	struct spread_counts counts;     /* first: spread_score() */
	const struct topology *topology; /* of the label */
};

static const void *
prepare(struct cycle *cycle, const void *args)
{
	const struct service_anti_affinity_args *a = args;
	struct prep *prep = arena_alloc(cycle->arena, sizeof(*prep));
	struct pod_selectors selectors = first_service_selectors(cycle);

	prep->counts = spread_count(cycle, &selectors);
	prep->topology = cluster_topology(cycle->cluster, a->label);
	return prep;
}

static void
reduce(struct cycle *cycle, const void *p, size_t n, const uint32_t *at,
    const uint32_t *times, int64_t *scores)
{
	const struct topology *topology = ((const struct prep *)p)->topology;
	double *shares = arena_array(cycle->arena, double, n);

	spread_by_label(cycle, topology, n, at, times, scores, shares);
	for (size_t i = 0; i < n; i++)
		scores[i] = to_int64(shares[i]);
}

const struct priority priority_service_anti_affinity = {
	.name = "ServiceAntiAffinity",
	.reads = READS_CLUSTER,
	.prepare = prepare,
	.score = spread_score,
	.score_block = spread_score_block,
	.reduce = reduce,
};
