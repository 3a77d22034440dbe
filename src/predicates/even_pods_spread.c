/*
 * EvenPodsSpread: for each of the pod's topology spread constraints that are
 * hard (whenUnsatisfiable: DoNotSchedule), putting the pod here leaves the
 * domain with at most maxSkew more matching pods than the emptiest domain.
 *
 *	count(here) + (does the pod match itself) - min(count) <= maxSkew
 *
 * Counted are the pods of the pod's namespace that match the constraint, on
 * eligible nodes: those that wear the labels of all hard constraints and match
 * the pod's node selector and required node affinity.  A node without one of
 * these labels is refused.  Without any eligible node the rule has nothing to
 * say.  Terminating pods count until 1.17 and no more from 1.18 on.
 *
 * Same rule as kube-scheduler 1.16, EvenPodsSpreadPredicate; 1.15 has none.
 */
#include "config.h"

#include <inttypes.h>

#include "cluster/index.h"
#include "predicates/registry.h"
#include "sched/cycle.h"

#define WHY_UNEVEN "node(s) didn't match pod topology spread constraints"

#define UNSEEN (-1) /* no eligible node is in this domain */

struct spread {
	const struct spread_constraint *constraint;
	const struct topology *topology;
	int64_t *counts; /* by domain; UNSEEN or the number of pods */
	bool matches_itself;
	int64_t min;
};

struct spreads {
	bool changed; /* min must be made again */
	uint32_t n;
	struct spread at[];
};

/* Whether a pod of this class is to be counted for the constraint. */
static bool
counts(const struct cycle *cycle, const struct spread *s,
    const struct pod_class *class)
{
	return class->namespace == cycle->class->namespace &&
	    !(class->terminating && cycle->cluster->kubernetes_minor >= 18) &&
	    selector_matches(&s->constraint->selector, &class->labels);
}

static bool
has_all_labels(const struct spreads *spreads, const struct node_info *node)
{
	for (uint32_t i = 0; i < spreads->n; i++)
		if (topology_domain(spreads->at[i].topology, node) ==
		    DOMAIN_NONE)
			return false;
	return true;
}

static bool
is_eligible(const struct pod_class *class, const struct spreads *spreads,
    const struct selector *selector, const struct node_info *node)
{
	const struct labels *labels = &node->node->labels;

	return selector_matches(selector, labels) &&
	    (!class->has_required_node_affinity ||
		node_selector_matches(&class->required_node_affinity, labels,
		    node->name)) &&
	    has_all_labels(spreads, node);
}

/* Counts by node first: only eligible nodes count. */
static void
count(struct cycle *cycle, const struct spreads *spreads, struct spread *s,
    const struct selector *selector)
{
	struct cluster *cluster = cycle->cluster;
	const struct topology *by_node = cluster_topology(cluster, SYM_NONE);
	int64_t *on_node =
	    arena_array(cycle->arena, int64_t, by_node->ndomains);

	for (size_t i = 0; i < cluster->nclasses; i++)
		if (counts(cycle, s, cluster->class_list[i]->class))
			class_accumulate(cluster, cluster->class_list[i],
			    by_node, 1, on_node);
	for (uint32_t i = 0; i < s->topology->ndomains; i++)
		s->counts[i] = UNSEEN;
	for (uint32_t i = 0; i < cluster->nnodes; i++) {
		const struct node_info *node = cluster->nodes[i];
		int64_t *sum;

		if (!is_eligible(cycle->class, spreads, selector, node))
			continue;
		sum = &s->counts[topology_domain(s->topology, node)];
		if (*sum == UNSEEN)
			*sum = 0;
		*sum += on_node[node->index];
	}
}

static void
find_min(struct spread *s)
{
	s->min = INT64_MAX;
	for (uint32_t i = 0; i < s->topology->ndomains; i++)
		if (s->counts[i] != UNSEEN && s->counts[i] < s->min)
			s->min = s->counts[i];
}

static struct spreads *
hard_constraints(struct cycle *cycle)
{
	const struct pod_class *class = cycle->class;
	struct spreads *spreads = arena_zalloc(cycle->arena,
	    sizeof(*spreads) + class->nspread * sizeof(spreads->at[0]));

	for (uint32_t i = 0; i < class->nspread; i++) {
		const struct spread_constraint *c = &class->spread[i];
		struct spread *s = &spreads->at[spreads->n];

		if (!c->hard)
			continue;
		s->constraint = c;
		s->topology = cluster_topology(cycle->cluster, c->topology_key);
		s->counts = arena_array(cycle->arena, int64_t,
		    s->topology->ndomains);
		s->matches_itself =
		    selector_matches(&c->selector, &class->labels);
		spreads->n++;
	}
	return spreads;
}

static const void *
prepare(struct cycle *cycle, const void *args)
{
	struct spreads *spreads;
	struct selector selector;

	if (cycle->class->nspread == 0)
		return NULL;
	spreads = hard_constraints(cycle);
	if (spreads->n == 0)
		return NULL;
	selector =
	    selector_from_set(cycle->arena, &cycle->class->node_selector);
	for (uint32_t i = 0; i < spreads->n; i++)
		count(cycle, spreads, &spreads->at[i], &selector);
	spreads->changed = true;
	return spreads;
}

static int64_t
count_here(const struct spread *s, uint32_t domain)
{
	return s->counts[domain] != UNSEEN ? s->counts[domain] : 0;
}

static bool
breaks(const struct spread *s, const struct node_info *node)
{
	uint32_t domain = topology_domain(s->topology, node);

	/* no eligible node at all */
	if (s->min == INT64_MAX)
		return false;
	return domain == DOMAIN_NONE ||
	    count_here(s, domain) + s->matches_itself - s->min >
	    s->constraint->max_skew;
}

/* The first constraint that the node breaks, or NULL. */
static const struct spread *
broken(struct spreads *spreads, const struct node_info *node)
{
	for (uint32_t i = 0; spreads->changed && i < spreads->n; i++)
		find_min(&spreads->at[i]);
	spreads->changed = false;
	for (uint32_t i = 0; i < spreads->n; i++)
		if (breaks(&spreads->at[i], node))
			return &spreads->at[i];
	return NULL;
}

static enum verdict
check(struct cycle *cycle, const struct node_info *node, const void *prep,
    struct why *why)
{
	struct spreads *spreads = (struct spreads *)prep;

	for (uint32_t i = 0; i < spreads->n; i++) {
		const char *error =
		    spreads->at[i].constraint->selector.error;

		if (error == NULL)
			continue;
		cycle_fail(cycle, "%s", error);
		return BROKEN;
	}
	if (broken(spreads, node) != NULL)
		return refuse(why, UNFIT, WHY_UNEVEN);
	return FITS;
}

static void
move(struct cycle *cycle, struct spreads *spreads, const struct node_info *node,
    const struct pod *pod, int sign)
{
	if (!has_all_labels(spreads, node))
		return;
	for (uint32_t i = 0; i < spreads->n; i++) {
		struct spread *s = &spreads->at[i];
		uint32_t domain = topology_domain(s->topology, node);

		/* a domain without eligible nodes stays out of it */
		if (s->counts[domain] == UNSEEN || !counts(cycle, s, pod->class))
			continue;
		s->counts[domain] += sign;
		spreads->changed = true;
	}
}

static void
pod_added(struct cycle *cycle, void *prep, const struct node_info *node,
    const struct pod *pod)
{
	move(cycle, prep, node, pod, 1);
}

static void
pod_removed(struct cycle *cycle, void *prep, const struct node_info *node,
    const struct pod *pod)
{
	move(cycle, prep, node, pod, -1);
}

static const char *
miss(struct cycle *cycle, const struct node_info *node, const void *prep)
{
	const struct spread *s = broken((struct spreads *)prep, node);
	const char *key;
	uint32_t domain;

	if (s == NULL)
		return NULL;
	key = sym_text(s->topology->key);
	domain = topology_domain(s->topology, node);
	if (domain == DOMAIN_NONE)
		return arena_printf(cycle->arena, "label %s is missing", key);
	return arena_printf(cycle->arena,
	    "%s=%s would have %" PRId64 " pods, the least has %" PRId64
	    " and maxSkew is %" PRId64,
	    key, sym_text(s->topology->values[domain]),
	    count_here(s, domain) + s->matches_itself, s->min,
	    s->constraint->max_skew);
}

const struct predicate predicate_even_pods_spread = {
	.name = "EvenPodsSpread",
	.reads = READS_CLUSTER,
	.prepare = prepare,
	.check = check,
	.pod_added = pod_added,
	.pod_removed = pod_removed,
	.miss = miss,
};
