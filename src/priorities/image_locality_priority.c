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
 *
 * ImageLocality of 1.20: the upper bound is 1000 MiB for each container.  From 1.30
 * on init containers count as containers, and from 1.36 on images of volumes, too,
 * which raise no bound (doc/semantics/11-kube-1.36.md, Node plugins).
 */
#include "config.h"

#include "cluster/columns.h"
#include "decide/framework/cycle.h"
#include "decide/framework/profile.h"
#include "objects/changes.h"
#include "priorities/arith.h"
#include "priorities/registry.h"

#define MIB (INT64_C(1024) * 1024)
#define SUM_MIN (23 * MIB)
#define SUM_MAX (1000 * MIB) /* of a container */

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

/* Adds those that nodes have; returns the new number. */
static uint32_t
add_images(const struct cycle *cycle, uint32_t nnames, const sym *names,
    uint32_t n, struct used_image *images)
{
	for (uint32_t i = 0; i < nnames; i++) {
		const struct image_info *info =
		    cluster_image(cycle->cluster, names[i]);

		if (info != NULL)
			images[n++] = (struct used_image){ info, 1 };
	}
	return n;
}

/* Each image once; returns their number. */
static uint32_t
list_images(const struct cycle *cycle, struct used_image *images)
{
	const struct pod_class *class = cycle->class;
	uint32_t n = 0, kept = 0;

	n = add_images(cycle, class->nimages, class->images, n, images);
	if (cycle->profile->release >= SINCE_IMAGES_OF_INIT)
		n = add_images(cycle,
		    cycle->profile->release >= SINCE_IMAGES_OF_VOLUMES ?
			class->nother_images :
			class->ninit_containers,
		    class->other_images, n, images);
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

struct prep {
	int64_t max;   /* of a sum */
	int64_t *sums; /* by node index */
};

static int64_t
sum_max(const struct cycle *cycle)
{
	const struct pod_class *class = cycle->class;

	if (cycle->profile->release < SINCE_FRAMEWORK)
		return SUM_MAX;
	if (cycle->profile->release < SINCE_IMAGES_OF_INIT)
		return SUM_MAX * class->nimages;
	return SUM_MAX * ((int64_t) class->nimages + class->ninit_containers);
}

static const void *
prepare(struct cycle *cycle, const void *args)
{
	const struct pod_class *class = cycle->class;
	struct used_image *images = arena_alloc(cycle->arena,
	    ((size_t) class->nimages + class->nother_images) * sizeof(*images));
	uint32_t n = list_images(cycle, images);
	uint32_t all_nodes = cycle->cluster->nnodes;
	struct prep *prep;
	int64_t *sums, size;

	if (n == 0)
		return PREP_UNIFORM(0);
	sums = arena_array(cycle->arena, int64_t, all_nodes);
	for (uint32_t i = 0; i < n; i++) {
		const struct image_info *image = images[i].info;
		double spread = (double)image->nnodes / (double)all_nodes;

		size = wrap_mul(to_int64((double)image->bytes * spread),
		    images[i].times);
		for (uint32_t j = 0; j < image->nnodes; j++) {
			int64_t *sum = &sums[image->nodes[j]->index];

			*sum = wrap_add(*sum, size);
		}
	}
	prep = arena_alloc(cycle->arena, sizeof(*prep));
	*prep = (struct prep){ sum_max(cycle), sums };
	return prep;
}

static inline int64_t
score_of(const struct cycle *cycle, const struct prep *prep, int64_t sum)
{
	if (sum <= SUM_MIN)
		return 0;
	if (sum > prep->max)
		sum = prep->max;
	return cycle->profile->score_max * (sum - SUM_MIN) /
	    (prep->max - SUM_MIN);
}

static int64_t
score(struct cycle *cycle, const struct node_info *node, const void *p)
{
	const struct prep *prep = p;

	return score_of(cycle, prep, prep->sums[node->index]);
}

static bool
score_block(struct cycle *cycle, const struct column_block *b, const void *p,
    int64_t *scores)
{
	const struct prep *prep = p;

	for (uint32_t i = 0; i < b->n; i++)
		scores[i] = score_of(cycle, prep, prep->sums[b->first + i]);
	return true;
}

const struct priority priority_image_locality_priority = {
	.name = "ImageLocalityPriority",
	.policy = { .in = IN_BOTH, .aliases = "ImageLocalityPriorityMap" },
	.reads = READS_OBJECTS | ASPECT_IMAGES,
	.plugin = PLUGIN_IMAGE_LOCALITY,
	.needs = NEEDS_NODE_IMAGES,
	.prepare = prepare,
	.score = score,
	.score_block = score_block,
};

const struct plugin plugin_image_locality = {
	.name = "ImageLocality",
	.points = EARLY_AND_LATER(AT_POINT(SCORE)),
	.score = &priority_image_locality_priority,
	.weight = EARLY_AND_LATER(1),
	.enabled = true,
};
