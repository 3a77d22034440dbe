/*
 * The score of VolumeBinding (kube-scheduler 1.36) with the feature gate
 * StorageCapacityScoring: how much of the storage that the pod's claims would get
 * on the node they would use.
 *
 *	score = mean over the storage classes of
 *	        shape(100 * requested bytes / capacity)
 *
 * of the volumes that the claims would be bound to; or if there are none, of the
 * CSIStorageCapacities from which new volumes would be provisioned.  0 for a node
 * without either.  The default shape goes from score_max for no use to 0 for all.
 * Without the gate the plugin is skipped (doc/semantics/11-kube-1.36.md, Volumes).
 */
#include "config.h"

#include <math.h>

#include "cluster/capacities.h"
#include "cluster/volume_binding.h"
#include "decide/framework/args.h"
#include "decide/framework/cycle.h"
#include "decide/framework/profile.h"
#include "priorities/arith.h"
#include "priorities/registry.h"
#include "priorities/shape.h"

struct prep {
	struct volume_needs *needs;
	int64_t heights[SHAPE_FULL + 1];
};

static const void *
prepare(struct cycle *cycle, const void *args)
{
	static const struct shape_point default_shape[] = { { 0, 10 },
		{ SHAPE_FULL, 0 } };
	const struct volume_binding_args *a = args;
	bool drawn = a != NULL && a->npoints > 0;
	struct volume_needs *needs;
	struct prep *prep;

	if (!cycle->profile->gates.storage_capacity_scoring)
		return PREP_SKIPPED;
	needs = cycle_volume_needs(cycle);
	if (needs == NULL)
		return PREP_UNIFORM(0);
	prep = arena_alloc(cycle->arena, sizeof(*prep));
	prep->needs = needs;
	shape_heights(cycle->profile->score_max,
	    drawn ? a->npoints : LENGTH(default_shape),
	    drawn ? a->shape : default_shape, prep->heights);
	return prep;
}

/* The storage of a class that claims would use. */
struct used_class {
	const char *name;
	int64_t requested, capacity;
};

struct used_classes {
	struct used_class *at;
	size_t n;
};

static struct used_class *
find_class(struct used_classes *classes, const char *name)
{
	for (size_t i = 0; i < classes->n; i++)
		if (strcmp(classes->at[i].name, name) == 0)
			return &classes->at[i];
	classes->at[classes->n] = (struct used_class){ .name = name };
	return &classes->at[classes->n++];
}

/* Claims of one class come from one capacity. */
static void
add_provisions(struct cycle *cycle, struct used_classes *classes,
    const struct volume_plan *plan, const struct labels *labels)
{
	const struct cluster *cluster = cycle->cluster;

	for (uint32_t i = 0; i < plan->nprovisions; i++) {
		const struct persistent_volume_claim *claim =
		    plan->provisions[i];
		const struct storage_class *of =
		    cluster_storage_class(cluster, claim->class);
		const struct csi_storage_capacity *capacity = NULL;
		struct used_class *class;

		if (of != NULL && claim->has_request &&
		    cluster_checks_capacity(cluster, of))
			capacity = cluster_find_capacity(cluster, of,
			    claim->request, labels);
		if (capacity == NULL)
			continue;
		class = find_class(classes, of->object.name);
		class->capacity = capacity->capacity;
		class->requested = wrap_add(class->requested, claim->request);
	}
}

static int64_t
score(struct cycle *cycle, const struct node_info *node, const void *p)
{
	const struct prep *prep = p;
	const struct volume_plan *plan;
	struct used_classes classes = { 0 };
	int64_t sum = 0;

	plan = volume_plan(prep->needs, node->node);
	if (!volume_plan_fits(plan))
		return 0;
	classes.at = arena_array(cycle->arena, struct used_class,
	    plan->nmatches + plan->nprovisions);
	if (plan->nmatches > 0)
		for (uint32_t i = 0; i < plan->nmatches; i++) {
			const struct volume_match *m = &plan->matches[i];
			struct used_class *class =
			    find_class(&classes, sym_text(m->volume->class));

			class->requested =
			    wrap_add(class->requested, m->claim->request);
			class->capacity =
			    wrap_add(class->capacity, m->volume->capacity);
		}
	else
		add_provisions(cycle, &classes, plan, &node->node->labels);
	for (size_t i = 0; i < classes.n; i++)
		sum += shape_height(prep->heights,
		    utilization_truncated(classes.at[i].requested,
			classes.at[i].capacity));
	return classes.n > 0 ?
	    to_int64(round((double)sum / (double)classes.n)) :
	    0;
}

const struct priority priority_volume_binding = {
	.name = "VolumeBinding",
	.reads = READS_CLUSTER,
	.prepare = prepare,
	.score = score,
	.needs = NEEDS_CAPACITY_SCORING,
};
