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

#include <stdlib.h>

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

/* An image that nodes have, and how many containers use it. */
struct used_image {
	const struct image_info *info;
	uint32_t times;
};

static int
by_address(const void *a, const void *b)
{
	const struct used_image *x = a, *y = b;

	return ((uintptr_t)x->info > (uintptr_t)y->info) -
	    ((uintptr_t)x->info < (uintptr_t)y->info);
}

/* Each image once; returns their number. */
static uint32_t
list_images(const struct cycle *cycle, struct used_image *images)
{
	const struct pod_class *class = cycle->class;
	uint32_t n = 0, kept = 0;

	for (uint32_t i = 0; i < class->nimages; i++) {
		const struct image_info *info =
		    cluster_image(cycle->cluster, class->images[i]);

		if (info != NULL)
			images[n++] = (struct used_image){ info, 1 };
	}
	if (n > 1)
		qsort(images, n, sizeof(*images), by_address);
	for (uint32_t i = 0; i < n; i++) {
		if (kept > 0 && images[kept - 1].info == images[i].info)
			images[kept - 1].times++;
		else
			images[kept++] = images[i];
	}
	return kept;
}

/* The sums, by node index; NULL when all are 0. */
static const void *
prepare(struct cycle *cycle, const void *args)
{
	struct used_image *images =
	    arena_alloc(cycle->arena, cycle->class->nimages * sizeof(*images));
	uint32_t n = list_images(cycle, images);
	uint32_t all_nodes = cycle->cluster->nnodes;
	int64_t *sums, size;

	if (n == 0)
		return NULL;
	sums = arena_array(cycle->arena, int64_t, all_nodes);
	for (uint32_t i = 0; i < n; i++) {
		const struct image_info *image = images[i].info;

		size = wrap_mul(scaled_size(image, all_nodes), images[i].times);
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
