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
 *
 * InterPodAffinity of 1.20 and 1.36: hard is the plugin's hardPodAffinityWeight.
 * A pod on a node whose terms include a malformed one counts without all of its
 * terms of that sort.  In 1.36 min and max are over the nodes alone, a pod
 * that no term is about is not scored, and neither is one without preferred terms
 * if those of other pods are to be ignored
 * (doc/semantics/11-kube-1.36.md, Spreading and affinity;
 * doc/semantics/12-kube-1.20.md, Spreading and affinity).
 */
#include "config.h"

#include "cluster/columns.h"
#include "cluster/index.h"
#include "cluster/select.h"
#include "cluster/term_index.h"
#include "decide/framework/args.h"
#include "decide/framework/cycle.h"
#include "decide/framework/profile.h"
#include "objects/changes.h"
#include "decide/framework/terms.h"
#include "priorities/arith.h"
#include "priorities/registry.h"

struct topology_sums {
	const struct topology *topology;
	int64_t *sums; /* by domain */
};

struct prep {
	struct arena *arena; /* of all of it */
	int64_t hard;
	bool framework; /* a profile's, not a policy's */
	bool ignores;   /* nothing is counted */
	struct pod_terms affinity, anti_affinity; /* the pod's own */
	size_t n, cap;
	struct topology_sums *at;
	bool matched;      /* class by class: some term on some node */
	const char *error; /* the first one met */
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

/* Adds weight around the pods there if the term matches the candidate. */
static void
add_term(struct cycle *cycle, struct prep *prep, struct class_info *there,
    const struct pod_term *term, const struct pod_class *candidate,
    int64_t weight)
{
	const struct topology *topology;

	if (cycle_is_cancelled(cycle))
		return;
	if (term->selector.error != NULL) {
		if (prep->error == NULL &&
		    ANY(i, there->npods, there->nodes[i]->node != NULL))
			prep->error = term->selector.error;
		return;
	}
	if (term->topology_key == SYM_EMPTY ||
	    !term_matches(cycle, term, candidate))
		return;
	topology = cluster_topology(cycle->cluster, term->topology_key);
	prep->matched = prep->matched ||
	    ANY(i, there->npods,
		topology_domain(topology, there->nodes[i]) != DOMAIN_NONE);
	class_accumulate(cycle->cluster, there, topology, weight,
	    sums_of(prep, topology));
}

/* How many of the terms count: the framework takes all of a sort, or none if one is
 * malformed. */
static uint32_t
usable(const struct prep *prep, uint32_t n, const struct pod_term *terms)
{
	for (uint32_t i = 0; prep->framework && i < n; i++)
		if (terms[i].selector.error != NULL)
			return 0;
	return n;
}

/* The preferred terms of one pod against another; one of the two is there. */
static void
add_preferred(struct cycle *cycle, struct prep *prep, struct class_info *there,
    const struct pod_terms *like, const struct pod_terms *avoid,
    const struct pod_class *candidate)
{
	uint32_t nlike = usable(prep, like->npreferred, like->preferred);
	uint32_t navoid = usable(prep, avoid->npreferred, avoid->preferred);

	for (uint32_t i = 0; i < nlike; i++)
		add_term(cycle, prep, there, &like->preferred[i], candidate,
		    like->preferred[i].weight);
	for (uint32_t i = 0; i < navoid; i++)
		add_term(cycle, prep, there, &avoid->preferred[i], candidate,
		    weight_of_avoiding(avoid->preferred[i].weight));
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

/* The same class by class, to find the first selector that cannot be used. */
static void
count_class_by_class(struct cycle *cycle, struct prep *prep)
{
	AUTOFREE struct class_info **infos = NULL;
	size_t n;

	infos = classes_related(cycle->cluster, cycle->class, &n);
	for (size_t i = 0; i < n && !cycle_is_cancelled(cycle); i++) {
		const struct pod_class *pod = cycle->class;
		const struct pod_class *other = infos[i]->class;
		const struct pod_terms *like = &other->affinity;
		uint32_t nrequired = prep->hard != 0 ?
		    usable(prep, like->nrequired, like->required) :
		    0;

		add_preferred(cycle, prep, infos[i], &prep->affinity,
		    &prep->anti_affinity, other);
		for (uint32_t j = 0; j < nrequired; j++)
			add_term(cycle, prep, infos[i], &like->required[j], pod,
			    prep->hard);
		add_preferred(cycle, prep, infos[i], &other->affinity,
		    &other->anti_affinity, pod);
	}
}

static struct prep *
prep_new(struct cycle *cycle, const void *args)
{
	const struct inter_pod_affinity_args *a = args;
	const struct pod_class *class = cycle->class;
	struct prep *prep = arena_zalloc(cycle->arena, sizeof(*prep));

	prep->arena = cycle->arena;
	prep->framework = cycle->profile->release >= SINCE_FRAMEWORK;
	if (prep->framework)
		prep->hard = a != NULL ? a->hard_pod_affinity_weight : 1;
	else
		prep->hard = cycle->profile->hard_pod_affinity_symmetric_weight;
	prep->ignores = prep->framework && a != NULL &&
	    a->ignore_preferred_terms_of_existing_pods &&
	    class->affinity.npreferred + class->anti_affinity.npreferred == 0;
	if (prep->ignores)
		return prep;
	prep->affinity = own_terms(cycle, &class->affinity);
	prep->anti_affinity = own_terms(cycle, &class->anti_affinity);
	if (cluster_has_broken_terms(cycle->cluster) ||
	    pod_class_has_broken_term(class))
		count_class_by_class(cycle, prep);
	else {
		const struct pod_terms *like = &prep->affinity;
		const struct pod_terms *avoid = &prep->anti_affinity;
		struct term_weights weights = {
			.required_affinity = prep->hard,
			.preferred = 1,
		};

		cluster_sum_terms(cycle->cluster, cycle->class, &weights,
		    terms_select_namespaces(cycle), prep_sums, prep);
		add_own(cycle, prep, like->npreferred, like->preferred, true);
		add_own(cycle, prep, avoid->npreferred, avoid->preferred,
		    false);
	}
	return prep;
}

/*
 * Whether 1.36 does not score the pod.  Weights may add up to 0, so the sums do not
 * tell; who wants to see no scores does not care.
 */
static bool
is_skipped(struct cycle *cycle, const struct prep *prep)
{
	struct prep *slow;

	if (cycle->profile->release < SINCE_POD_AFFINITY_UNSCORED ||
	    prep->ignores)
		return prep->ignores &&
		    cycle->profile->release >= SINCE_POD_AFFINITY_UNSCORED;
	for (size_t i = 0; i < prep->n; i++)
		for (uint32_t j = 0; j < prep->at[i].topology->ndomains; j++)
			if (prep->at[i].sums[j] != 0)
				return false;
	if (!cycle->keep_scores)
		return prep->n == 0;
	slow = arena_memdup(cycle->arena, prep, sizeof(*prep));
	slow->n = slow->cap = 0;
	slow->at = NULL;
	slow->matched = false;
	count_class_by_class(cycle, slow);
	return !slow->matched;
}

static const void *
prepare(struct cycle *cycle, const void *args)
{
	struct prep *prep = prep_new(cycle, args);

	if (prep->error != NULL)
		cycle_fail(cycle, "%s", prep->error);
	if (is_skipped(cycle, prep))
		return PREP_SKIPPED;
	return prep->n > 0 ? prep : PREP_UNIFORM(0);
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

static bool
score_block(struct cycle *cycle, const struct column_block *b, const void *p,
    int64_t *scores)
{
	const struct prep *prep = p;

	memset(scores, 0, COLUMN_ROWS * sizeof(*scores));
	for (size_t i = 0; i < prep->n; i++) {
		const uint32_t *domain_of =
		    prep->at[i].topology->domain_of + b->first;
		const int64_t *sums = prep->at[i].sums;

		for (uint32_t j = 0; j < b->n; j++)
			if (domain_of[j] != DOMAIN_NONE)
				scores[j] =
				    wrap_add(scores[j], sums[domain_of[j]]);
	}
	return true;
}

static void
reduce(struct cycle *cycle, const void *prep, size_t n, const uint32_t *at,
    const uint32_t *times, int64_t *scores)
{
	double score_max = (double)cycle->profile->score_max;
	bool from_0 = cycle->profile->release < SINCE_POD_AFFINITY_FROM_LEAST;
	int64_t min = from_0 ? 0 : INT64_MAX, max = from_0 ? 0 : INT64_MIN;
	int64_t range;

	for (size_t i = 0; i < n; i++) {
		if (scores[i] > max)
			max = scores[i];
		if (scores[i] < min)
			min = scores[i];
	}
	range = wrap_sub(max, min);
	for (size_t i = 0; i < n; i++)
		scores[i] = range > 0 ?
		    to_int64(score_max *
			((double)wrap_sub(scores[i], min) / (double)range)) :
		    0;
}

const struct priority priority_inter_pod_affinity_priority = {
	.name = "InterPodAffinityPriority",
	.policy = { .in = IN_BOTH },
	.reads = READS_CLUSTER,
	.plugin = PLUGIN_INTER_POD_AFFINITY,
	.needs = NEEDS_POD_TERMS,
	.prepare = prepare,
	.score = score,
	.score_block = score_block,
	.reduce = reduce,
};
