#include "config.h"

#include "priorities/spreading.h"

#include "cluster/index.h"
#include "priorities/arith.h"
#include "sched/profile.h"

/* 1.0 - ZONE_WEIGHT is not quite a third; scores show it. */
#define ZONE_WEIGHT (2.0 / 3.0)

static void
add(struct cycle *cycle, struct spread_selectors *s,
    const struct workload *workload)
{
	arena_room(cycle->arena, s->at, s->n, &s->cap);
	s->at[s->n++] = &workload->counted;
}

void
spread_add_services(struct cycle *cycle, struct spread_selectors *s)
{
	const struct pod_class *class = cycle->class;
	const struct namespace_info *ns =
	    cluster_namespace(cycle->cluster, class->namespace);

	for (size_t i = 0; ns != NULL && i < ns->nservices; i++)
		if (ns->services[i]->has_selector &&
		    selector_matches(&ns->services[i]->selector,
			&class->labels))
			add(cycle, s, ns->services[i]);
}

/*
 * Unlike a Service's, an empty selector selects nothing here.  One that is
 * malformed makes kube-scheduler 1.15 pass over all objects of its kind in the
 * namespace.
 */
static void
add_matching(struct cycle *cycle, struct spread_selectors *s, size_t n,
    struct workload *const *workloads)
{
	for (size_t i = 0; i < n; i++)
		if (workloads[i]->selector.error != NULL)
			return;
	for (size_t i = 0; i < n; i++) {
		const struct selector *selector = &workloads[i]->selector;

		if (!selector_is_empty(selector) &&
		    selector_matches(selector, &cycle->class->labels))
			add(cycle, s, workloads[i]);
	}
}

static void
add_controllers(struct cycle *cycle, struct spread_selectors *s)
{
	const struct pod_class *class = cycle->class;
	const struct namespace_info *ns =
	    cluster_namespace(cycle->cluster, class->namespace);

	/* a selector such as !app matches pods without labels; these do not */
	if (ns == NULL || class->labels.n == 0)
		return;
	add_matching(cycle, s, ns->nrcs, ns->replication_controllers);
	add_matching(cycle, s, ns->nrss, ns->replica_sets);
	add_matching(cycle, s, ns->nstss, ns->stateful_sets);
}

static bool
counts(const struct cycle *cycle, const struct spread_selectors *s,
    const struct pod_class *class)
{
	if (class->namespace != cycle->class->namespace || class->terminating)
		return false;
	for (size_t i = 0; i < s->n; i++)
		if (!selector_matches(s->at[i], &class->labels))
			return false;
	return true;
}

void
spread_find_classes(struct cycle *cycle, const struct spread_selectors *s,
    struct spread_counts *out)
{
	const struct cluster *cluster = cycle->cluster;

	*out = (struct spread_counts){ 0 };
	for (size_t i = 0; s->n > 0 && i < cluster->nclasses; i++) {
		const struct pod_class *class = cluster->class_list[i]->class;

		if (!counts(cycle, s, class))
			continue;
		arena_room(cycle->arena, out->classes, out->n, &out->cap);
		out->classes[out->n++] = class;
	}
}

int64_t
spread_count(const struct node_info *node, const struct spread_counts *counts)
{
	return node_info_count_pods(node, counts->classes, counts->n);
}

const void *
spread_prepare(struct cycle *cycle, const void *args)
{
	struct spread_counts *counts =
	    arena_alloc(cycle->arena, sizeof(*counts));
	struct spread_selectors selectors = { 0 };

	spread_add_services(cycle, &selectors);
	add_controllers(cycle, &selectors);
	spread_find_classes(cycle, &selectors, counts);
	return counts;
}

int64_t
spread_score(struct cycle *cycle, const struct node_info *node,
    const void *prep)
{
	return spread_count(node, prep);
}

size_t
spread_counted(const void *prep, const struct pod_class *const **of)
{
	const struct spread_counts *counts = prep;

	*of = counts->classes;
	return counts->n;
}

sym
spread_alike(const void *args)
{
	return TOPOLOGY_ZONE;
}

static double
spread(double max, int64_t count, int64_t most)
{
	return most > 0 ? max * ((double)(most - count) / (double)most) : max;
}

void
spread_reduce(struct cycle *cycle, const void *prep, size_t n,
    const uint32_t *at, const uint32_t *times, int64_t *scores)
{
	const struct topology *zones =
	    cluster_topology(cycle->cluster, TOPOLOGY_ZONE);
	int64_t *in_zone =
	    arena_array(cycle->arena, int64_t, zones->ndomains);
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
	for (size_t i = 0; i < n; i++) {
		uint32_t zone = zones->domain_of[at[i]];
		double score = spread(max, scores[i], most);

		if (zone != DOMAIN_NONE)
			score = score * (1.0 - ZONE_WEIGHT) +
			    ZONE_WEIGHT *
				spread(max, in_zone[zone], most_in_zone);
		scores[i] = to_int64(score);
	}
}
