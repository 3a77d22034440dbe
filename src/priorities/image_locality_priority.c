/*
 * ImageLocalityPriority: prefer nodes that need not pull the pod's images.
 *
 *	sum = sum over the containers whose image the node has of
 *	      size * (nodes that have the image / all nodes)
 *	score = score_max * (sum - 23 MiB) / (1000 MiB - 23 MiB)
 *
 * with sum kept between these bounds.  The factor keeps pods from piling up on
 * the one node that has an image.  Init containers do not count; an image that
 * two containers use counts twice (kube-scheduler 1.15).
 */
#include "config.h"

#include "cluster/columns.h"
#include "framework/cycle.h"
#include "framework/profile.h"
#include "priorities/arith.h"
#include "priorities/registry.h"

#define MIB (INT64_C(1024) * 1024)
#define SUM_MIN (23 * MIB)
#define SUM_MAX (1000 * MIB)

static int64_t
scaled_size(const struct image_info *image, uint32_t all_nodes)
{
	double spread = (double)image->nnodes / (double)all_nodes;

	return to_int64((double)image->bytes * spread);
}

static bool
no_node_has_any(const struct cycle *cycle)
{
	for (uint32_t i = 0; i < cycle->class->nimages; i++)
		if (cluster_image(cycle->cluster, cycle->class->images[i]) !=
		    NULL)
			return false;
	return true;
}

/* The sums, by node index; NULL when all are 0. */
static const void *
prepare(struct cycle *cycle, const void *args)
{
	uint32_t all_nodes = cycle->cluster->nnodes;
	int64_t *sums, size;

	if (no_node_has_any(cycle))
		return NULL;
	sums = arena_array(cycle->arena, int64_t, all_nodes);

	for (uint32_t i = 0; i < cycle->class->nimages; i++) {
		const struct image_info *image =
		    cluster_image(cycle->cluster, cycle->class->images[i]);

		if (image == NULL)
			continue;
		size = scaled_size(image, all_nodes);
		for (uint32_t j = 0; j < image->nnodes; j++) {
			int64_t *sum = &sums[image->nodes[j]->index];

			*sum = wrap_add(*sum, size);
		}
	}
	return sums;
}

static inline int64_t
score_of(const struct cycle *cycle, int64_t sum)
{
	if (sum <= SUM_MIN)
		return 0;
	if (sum > SUM_MAX)
		sum = SUM_MAX;
	return cycle->profile->score_max * (sum - SUM_MIN) /
	    (SUM_MAX - SUM_MIN);
}

static int64_t
score(struct cycle *cycle, const struct node_info *node, const void *prep)
{
	const int64_t *sums = prep;

	return score_of(cycle, sums != NULL ? sums[node->index] : 0);
}

static bool
score_block(struct cycle *cycle, const struct column_block *b, const void *prep,
    int64_t *scores)
{
	const int64_t *sums = prep;

	if (sums == NULL)
		return false;
	for (uint32_t i = 0; i < b->n; i++)
		scores[i] = score_of(cycle, sums[b->first + i]);
	return true;
}

static bool
uniform(const struct cycle *cycle, const void *prep, int64_t *raw)
{
	*raw = 0;
	return prep == NULL;
}

const struct priority priority_image_locality_priority = {
	.name = "ImageLocalityPriority",
	.reads = READS_OBJECTS,
	.aspects = ASPECT_IMAGES,
	.prepare = prepare,
	.score = score,
	.score_block = score_block,
	.uniform = uniform,
};
