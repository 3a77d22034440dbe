/*
 * InterPodAffinityPriority: prefer nodes near pods that the pod has affinity to
 * or that have affinity to it, and far from pods with anti-affinity in either
 * direction.
 *
 * For every pod on a node, each of these terms adds its weight to all nodes in
 * that node's domain of the term's topologyKey:
 *
 *	the pod's preferred affinity matches the other pod            + weight
 *	the pod's preferred anti-affinity matches the other pod       - weight
 *	the other pod's required affinity matches the pod             + hard
 *	the other pod's preferred affinity matches the pod            + weight
 *	the other pod's preferred anti-affinity matches the pod       - weight
 *
 * where hard is the policy's hardPodAffinitySymmetricWeight.  Then
 *
 *	score = score_max * ((sum - min) / (max - min))
 *
 * where min and max are over the nodes that fit, and 0; 0 when they are equal.
 *
 * As in kube-scheduler 1.15.5; 1.15.3 forgot some nodes and crashed on others.
 * A malformed selector is an error of the attempt once a pod is to be compared
 * with it.  Weights are added per class of pods, never pod by pod.
 *
 * From 1.21 on a namespaceSelector adds to the namespaces of a term
 * (cluster/term_scope.h).
 */
#include "config.h"

#include "base/xmalloc.h"
#include "cluster/index.h"
#include "cluster/select.h"
#include "cluster/term_index.h"
#include "framework/cycle.h"
#include "framework/following.h"
#include "framework/profile.h"
#include "framework/terms.h"
#include "priorities/arith.h"
#include "priorities/registry.h"

struct topology_sums {
	const struct topology *topology;
	int64_t *sums; /* by domain */
};

struct prep {
	struct arena *arena;                      /* of all below */
	struct pod_terms affinity, anti_affinity; /* the pod's own */
	uint64_t namespace_labels; /* cluster's, when it was made */
	size_t n, cap;
	struct topology_sums *at;
	const char *error; /* the first one met */
};

/* Assigned pods of one class: all of them, or one that is added or removed. */
struct there {
	const struct pod_class *class;
	struct class_info *all; /* NULL for one */
	const struct node_info *node;
	int sign;
};

static int64_t *
sums_of(struct prep *prep, const struct topology *topology)
{
	struct topology_sums *new;

	for (size_t i = 0; i < prep->n; i++)
		if (prep->at[i].topology == topology)
			return prep->at[i].sums;
	arena_room(prep->arena, prep->at, prep->n, &prep->cap);
	new = &prep->at[prep->n++];
	new->topology = topology;
	new->sums = arena_array(prep->arena, int64_t, topology->ndomains);
	return new->sums;
}

static bool
is_on_a_node(const struct there *there)
{
	for (uint32_t i = 0; there->all != NULL && i < there->all->npods; i++)
		if (there->all->nodes[i]->node != NULL)
			return true;
	return there->all == NULL;
}

/* Adds weight around the pods there if the term matches the candidate; whether
 * it does. */
static bool
add_term(struct cycle *cycle, struct prep *prep, const struct there *there,
    const struct pod_term *term, const struct pod_class *candidate,
    int64_t weight)
{
	const struct topology *topology;
	int64_t *sums;
	uint32_t domain;

	if (cycle_is_cancelled(cycle))
		return false;
	if (term->selector.error != NULL) {
		if (prep->error == NULL && is_on_a_node(there))
			prep->error = term->selector.error;
		return false;
	}
	if (term->topology_key == SYM_EMPTY ||
	    !term_matches(cycle, term, candidate))
		return false;
	topology = cluster_topology(cycle->cluster, term->topology_key);
	sums = sums_of(prep, topology);
	if (there->all != NULL) {
		class_accumulate(cycle->cluster, there->all, topology, weight,
		    sums);
		return true;
	}
	domain = topology_domain(topology, there->node);
	if (domain != DOMAIN_NONE)
		sums[domain] += there->sign * weight;
	return true;
}

/* The preferred terms of one pod against another; one of the two is there. */
static bool
add_preferred(struct cycle *cycle, struct prep *prep, const struct there *there,
    const struct pod_terms *like, const struct pod_terms *avoid,
    const struct pod_class *candidate)
{
	bool added = false;

	for (uint32_t i = 0; i < like->npreferred; i++)
		added |= add_term(cycle, prep, there, &like->preferred[i],
		    candidate, like->preferred[i].weight);
	for (uint32_t i = 0; i < avoid->npreferred; i++)
		added |= add_term(cycle, prep, there, &avoid->preferred[i],
		    candidate, weight_of_avoiding(avoid->preferred[i].weight));
	return added;
}

/* Whether any term matched. */
static bool
add_all(struct cycle *cycle, struct prep *prep, const struct there *there)
{
	int64_t hard = cycle->profile->hard_pod_affinity_symmetric_weight;
	const struct pod_class *pod = cycle->class, *other = there->class;
	bool added = add_preferred(cycle, prep, there, &prep->affinity,
	    &prep->anti_affinity, other);

	for (uint32_t i = 0; i < other->affinity.nrequired; i++)
		added |= add_term(cycle, prep, there,
		    &other->affinity.required[i], pod, hard);
	added |= add_preferred(cycle, prep, there, &other->affinity,
	    &other->anti_affinity, pod);
	return added;
}

static int64_t *
prep_sums(void *prep, const struct topology *topology)
{
	return sums_of(prep, topology);
}

static void
add_own(struct cycle *cycle, struct prep *prep, uint32_t n,
    const struct pod_term *terms, bool like)
{
	for (uint32_t i = 0; i < n && !cycle_is_cancelled(cycle); i++) {
		const struct topology *topology =
		    cluster_topology(cycle->cluster, terms[i].topology_key);

		cluster_select_term(cycle->cluster, &terms[i], topology,
		    like ? terms[i].weight :
			   weight_of_avoiding(terms[i].weight),
		    sums_of(prep, topology));
	}
}

static void
count_all(struct cycle *cycle, struct prep *prep)
{
	const struct pod_terms *like = &prep->affinity;
	const struct pod_terms *avoid = &prep->anti_affinity;
	struct term_weights weights = {
		.required_affinity =
		    cycle->profile->hard_pod_affinity_symmetric_weight,
		.preferred = 1,
	};

	cluster_sum_terms(cycle->cluster, cycle->class, &weights,
	    terms_select_namespaces(cycle), prep_sums, prep);
	add_own(cycle, prep, like->npreferred, like->preferred, true);
	add_own(cycle, prep, avoid->npreferred, avoid->preferred, false);
}

/* The same class by class, to find the first selector that cannot be used. */
static void
count_class_by_class(struct cycle *cycle, struct prep *prep)
{
	AUTOFREE struct class_info **infos = NULL;
	size_t n;

	infos = classes_related(cycle->cluster, cycle->class, &n);
	for (size_t i = 0; i < n && !cycle_is_cancelled(cycle); i++)
		add_all(cycle, prep,
		    &(struct there){ .class = infos[i]->class,
			.all = infos[i] });
}

static struct prep *
prep_new(struct cycle *cycle)
{
	struct prep *prep = arena_zalloc(cycle->arena, sizeof(*prep));

	prep->arena = cycle->arena;
	prep->affinity = own_terms(cycle, &cycle->class->affinity);
	prep->anti_affinity = own_terms(cycle, &cycle->class->anti_affinity);
	prep->namespace_labels = cycle->cluster->namespace_labels;
	if (cluster_has_broken_terms(cycle->cluster) ||
	    pod_class_has_broken_term(cycle->class))
		count_class_by_class(cycle, prep);
	else
		count_all(cycle, prep);
	return prep;
}

static const void *
prepare(struct cycle *cycle, const void *args)
{
	const struct prep *prep = prep_new(cycle);

	if (prep->error != NULL)
		cycle_fail(cycle, "%s", prep->error);
	return prep;
}

static int64_t
score(struct cycle *cycle, const struct node_info *node, const void *p)
{
	const struct prep *prep = p;
	int64_t sum = 0;

	for (size_t i = 0; i < prep->n; i++) {
		const struct topology_sums *t = &prep->at[i];
		uint32_t domain = topology_domain(t->topology, node);

		if (domain != DOMAIN_NONE)
			sum = wrap_add(sum, t->sums[domain]);
	}
	return sum;
}

static void *
start(struct cycle *cycle, const void *args)
{
	struct prep *prep = prep_new(cycle);

	return prep->error == NULL ? prep : NULL;
}

static bool
stale(struct cycle *cycle, void *p)
{
	const struct prep *prep = p;

	return prep->namespace_labels != cycle->cluster->namespace_labels;
}

static enum followed
follow(struct cycle *cycle, void *p, const struct node_info *node,
    const struct pod_class *class, int sign)
{
	struct prep *prep = p;
	bool added = add_all(cycle, prep,
	    &(struct there){ .class = class, .node = node, .sign = sign });

	if (prep->error != NULL)
		return FOLLOWED_NO_MORE;
	return added ? FOLLOWED : FOLLOWED_NOTHING;
}

static const struct topology *
topology(const void *p, size_t i)
{
	const struct prep *prep = p;

	return i < prep->n ? prep->at[i].topology : NULL;
}

static int64_t
trait(const void *p, uint32_t at)
{
	const struct prep *prep = p;
	int64_t sum = 0;

	for (size_t i = 0; i < prep->n; i++) {
		const struct topology_sums *t = &prep->at[i];
		uint32_t domain = t->topology->domain_of[at];

		if (t->topology->fine && domain != DOMAIN_NONE)
			sum = wrap_add(sum, t->sums[domain]);
	}
	return sum;
}

static const struct following following = {
	.start = start,
	.stale = stale,
	.follow = follow,
	.topology = topology,
	.trait = trait,
};

static void
reduce(struct cycle *cycle, const void *prep, size_t n, const uint32_t *at,
    const uint32_t *times, int64_t *scores)
{
	double score_max = (double)cycle->profile->score_max;
	int64_t min = 0, max = 0, range;

	for (size_t i = 0; i < n; i++) {
		if (scores[i] > max)
			max = scores[i];
		if (scores[i] < min)
			min = scores[i];
	}
	range = wrap_sub(max, min);
	for (size_t i = 0; i < n; i++) {
		double above = (double)wrap_sub(scores[i], min);

		scores[i] = range > 0 ?
		    to_int64(score_max * (above / (double)range)) :
		    0;
	}
}

const struct priority priority_inter_pod_affinity_priority = {
	.name = "InterPodAffinityPriority",
	.reads = READS_CLUSTER,
	.prepare = prepare,
	.score = score,
	.following = &following,
	.reduce = reduce,
};
