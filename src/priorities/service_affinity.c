/*
 * The score of ServiceAffinity (kube-scheduler 1.20): spread the pods of a Service
 * over the values of some node labels, as serviceAntiAffinity does over those of
 * one.
 *
 *	score = sum over the labels of the score for it / labels
 *
 * in doubles, truncated at the end; 0 without labels.  Of several Services that
 * select the pod the first by name counts, and one with the selector {} counts no
 * pods (doc/semantics/12-kube-1.20.md, Node plugins).
 */
#include "config.h"

#include "cluster/index.h"
#include "framework/args.h"
#include "framework/profile.h"
#include "priorities/arith.h"
#include "priorities/registry.h"
#include "priorities/spreading.h"

struct prep {
	struct spread_counts counts; /* first: spread_score() */
	size_t n;
	const struct topology **topologies; /* of the labels */
};

static const void *
prepare(struct cycle *cycle, const void *args)
{
	const struct service_affinity_plugin_args *a = args;
	struct prep *prep = arena_zalloc(cycle->arena, sizeof(*prep));
	struct pod_selectors selectors;

	selectors = first_service_selectors(cycle);
	prep->counts = spread_count(cycle, &selectors);
	prep->n = a != NULL ? a->nanti_affinity_labels : 0;
	prep->topologies =
	    arena_array(cycle->arena, const struct topology *, prep->n);
	for (size_t i = 0; i < prep->n; i++)
		prep->topologies[i] = cluster_topology(cycle->cluster,
		    a->anti_affinity_labels[i]);
	return prep;
}

static void
reduce(struct cycle *cycle, const void *p, size_t n, const uint32_t *at,
    const uint32_t *times, int64_t *scores)
{
	const struct prep *prep = p;
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

const struct priority priority_service_affinity = {
	.name = "ServiceAffinity",
	.reads = READS_CLUSTER,
	.prepare = prepare,
	.score = spread_score,
	.score_block = spread_score_block,
	.reduce = reduce,
};
