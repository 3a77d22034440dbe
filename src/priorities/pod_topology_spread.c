/*
 * PodTopologySpread: prefer nodes in domains that hold few of the pods that the
 * pod's topologySpreadConstraints with whenUnsatisfiable: ScheduleAnyway select.
 *
 *	raw score = sum over the constraints of
 *	            pods in the node's domain * ln(domains + 2) + maxSkew - 1
 *	score = score_max * (max + min - raw) / max
 *
 * domains is how many domains of the topologyKey the nodes that fit are in; max and
 * min are over the raw scores of these nodes; when max is 0 all get score_max.
 * Nodes that lack a topologyKey of any constraint are left out of all this and get
 * 0.  Counted are the pods of the pod's namespace that are not being deleted, on
 * nodes with all topologyKeys that the pod's node selector and required node
 * affinity allow; of kubernetes.io/hostname, those on the node itself.
 *
 * A pod without constraints has the plugin's default ones, for the pods that
 * default_selectors() select, unless that is empty.  The system's are
 * kubernetes.io/hostname and topology.kubernetes.io/zone.
 *
 *			at first		since
 *	raw score	truncated		1.24 rounded
 *	constraints	share their counts,	1.33 are apart
 *	with one key	and only the first
 *			knows the domains
 *	no constraint	all get score_max	1.28 the pod is not scored
 *	selector {}	selects all pods	1.27 counts none
 *	a key is	the node gets 0		1.21 with the system's constraints,
 *	missing					it adds nothing to the raw score
 *
 * From 1.25 on matchLabelKeys narrow the selector, and nodeAffinityPolicy and
 * nodeTaintsPolicy say on which nodes pods count.
 *
 * doc/semantics/11-kube-1.36.md, Spreading and affinity;
 * doc/semantics/12-kube-1.20.md, Spreading and affinity.
 */
#include "config.h"

#include <math.h>

#include "cluster/index.h"
#include "cluster/select.h"
#include "decide/framework/allowed_nodes.h"
#include "decide/framework/args.h"
#include "decide/framework/cycle.h"
#include "decide/framework/pod_selectors.h"
#include "decide/framework/profile.h"
#include "objects/changes.h"
#include "decide/framework/tolerating.h"
#include "priorities/arith.h"
#include "priorities/registry.h"

#define HOSTNAME "kubernetes.io/hostname"
#define ZONE "topology.kubernetes.io/zone"

/* A raw score that kube-scheduler takes for that of a node without a key. */
#define IGNORED INT64_C(-1)

struct soft_constraint {
	const struct spread_constraint *constraint;
	struct selector selector;
	const struct topology *topology; /* of the key */
	bool by_host;                    /* counts are of the node itself */
	bool ignores_affinity, honors_taints;
	/* An earlier constraint with the same key counts the domains (until
	 * 1.32). */
	bool repeats_key;
	bool any_lacks_key;      /* a node */
	uint32_t empty_domain;   /* of the value "", or DOMAIN_NONE */
	const uint32_t *on_node; /* pods by node index; NULL: none */
	uint64_t version;        /* of that column */
	int64_t *sums;           /* by domain, unless by_host */
};

struct prep {
	int release; /* the profile's */
	/* A node that lacks a key is left out; whether any lacks one. */
	bool needs_all_keys, any_lacks_key;
	struct tolerating tolerating;
	struct selector node_selector; /* the pod's */
	uint32_t n;
	struct soft_constraint *soft;
};

static bool
has_key(const struct soft_constraint *soft, const struct node_info *node)
{
	return topology_domain(soft->topology, node) != DOMAIN_NONE;
}

static bool
is_left_out(const struct prep *prep, const struct node_info *node)
{
	return prep->needs_all_keys && prep->any_lacks_key &&
	    ANY(i, prep->n, !has_key(&prep->soft[i], node));
}

/* Whether pods on the node, which is not left out, count for the constraint. */
static bool
is_counted(const struct cycle *cycle, const struct prep *prep,
    const struct soft_constraint *soft, const struct node_info *node)
{
	if (!soft->ignores_affinity &&
	    !class_allows_node(cycle->class, &prep->node_selector, node))
		return false;
	return !soft->honors_taints ||
	    !any_untolerated(&prep->tolerating, node->node->ntaints,
		node->node->taints, taint_keeps_pods_out);
}

/* Where pods on the node are counted. */
static uint32_t
domain_of(const struct soft_constraint *soft, const struct node_info *node)
{
	uint32_t domain = topology_domain(soft->topology, node);

	return domain != DOMAIN_NONE ? domain : soft->empty_domain;
}

static void
add_constraint(struct cycle *cycle, struct prep *prep,
    const struct spread_constraint *c, const struct selector *selector)
{
	struct soft_constraint *soft = &prep->soft[prep->n];
	const struct soft_constraint *same = NULL;
	const struct topology *t;

	soft->constraint = c;
	soft->selector = *selector;
	soft->by_host = strcmp(sym_text(c->topology_key), HOSTNAME) == 0;
	if (prep->release >= SINCE_SPREAD_POLICIES) {
		soft->ignores_affinity = c->ignores_affinity;
		soft->honors_taints = c->honors_taints;
	}
	soft->repeats_key = prep->release < SINCE_SPREAD_APART &&
	    ANY(i, prep->n,
		prep->soft[i].constraint->topology_key == c->topology_key);
	t = cluster_topology(cycle->cluster, soft->constraint->topology_key);
	soft->topology = t;
	soft->empty_domain = topology_domain_of_value(t, SYM_EMPTY);
	soft->any_lacks_key = t->nplaced < cycle->cluster->nnodes;
	/* until 1.32 the counts are those of the key */
	if (prep->release < SINCE_SPREAD_APART)
		same = FIND(i, prep->soft, prep->n,
		    prep->soft[i].topology == t && !prep->soft[i].by_host);
	if (!soft->by_host)
		soft->sums = same != NULL ?
		    same->sums :
		    arena_array(cycle->arena, int64_t, t->ndomains);
	prep->any_lacks_key |= soft->any_lacks_key;
	prep->n++;
}

static void
add_own_constraints(struct cycle *cycle, struct prep *prep)
{
	const struct pod_class *class = cycle->class;

	for (uint32_t i = 0; i < class->nspread; i++) {
		const struct spread_constraint *c = &class->spread[i];
		struct selector selector = c->selector;

		if (c->hard)
			continue;
		if (cycle_is_cancelled(cycle))
			return;
		if (prep->release >= SINCE_SPREAD_MATCH_LABEL_KEYS)
			selector = spread_constraint_selector(cycle, c);
		add_constraint(cycle, prep, c, &selector);
	}
}

/* The system's default constraints. */
static const struct spread_constraint *
system_constraints(uint32_t *n)
{
	static struct spread_constraint both[] = {
		{ .max_skew = 3, .min_domains = 1 },
		{ .max_skew = 5, .min_domains = 1 },
	};

	both[0].topology_key = sym_intern(HOSTNAME);
	both[1].topology_key = sym_intern(ZONE);
	*n = LENGTH(both);
	return both;
}

/* Whether the pods of each domain count, wherever they are, and no others. */
static bool
counts_everywhere(const struct cycle *cycle, const struct prep *prep,
    const struct soft_constraint *soft)
{
	bool keys_matter =
	    prep->needs_all_keys || soft->empty_domain != DOMAIN_NONE;

	return !(keys_matter && prep->any_lacks_key) && !soft->honors_taints &&
	    class_allows_all_nodes(cycle->class);
}

/* Pods on each node first where not all nodes count. */
static void
count(struct cycle *cycle, const struct prep *prep,
    struct soft_constraint *soft)
{
	struct cluster *cluster = cycle->cluster;
	sym namespace = cycle->class->namespace;

	if (prep->release >= SINCE_SPREAD_EMPTY_SELECTOR &&
	    selector_is_empty(&soft->selector))
		return;
	if (!soft->by_host && counts_everywhere(cycle, prep, soft)) {
		cluster_select_if(cluster, namespace, &soft->selector,
		    select_staying, NULL, soft->topology, 1, soft->sums);
		return;
	}
	soft->on_node = cluster_count_selected(cluster, namespace,
	    &soft->selector, &soft->version);
	/* more are not kept at once */
	if (prep->n > NODE_COLUMNS_MAX && soft->on_node != NULL)
		soft->on_node = arena_memdup(cycle->arena, soft->on_node,
		    cluster->nnodes * sizeof(*soft->on_node));
	if (!soft->by_host && soft->on_node != NULL) {
		/* Adds the pods on nodes that count to those of the domains. */
		for (uint32_t i = 0; i < cycle->cluster->nnodes; i++) {
			const struct node_info *node;

			if (soft->on_node[i] == 0)
				continue;
			node = cycle->cluster->nodes[i];
			if (domain_of(soft, node) != DOMAIN_NONE &&
			    !is_left_out(prep, node) &&
			    is_counted(cycle, prep, soft, node))
				soft->sums[domain_of(soft, node)] +=
				    soft->on_node[i];
		}
	}
}

static struct prep *
prep_new(struct cycle *cycle, const void *args)
{
	const struct pod_topology_spread_args *a = args;
	const struct pod_class *class = cycle->class;
	bool system = a == NULL || a->system_defaults;
	uint32_t n = system ? 0 : a->nconstraints;
	const struct spread_constraint *defaults =
	    system ? system_constraints(&n) : a->constraints;
	struct prep *prep = arena_zalloc(cycle->arena, sizeof(*prep));

	prep->release = cycle->profile->release;
	prep->needs_all_keys = prep->release < SINCE_SPREAD_SYSTEM_KEYS ||
	    class->nspread > 0 || !system;
	prep->tolerating = tolerating_now(cycle);
	prep->node_selector =
	    selector_from_set(cycle->arena, &class->node_selector);
	prep->soft = arena_array(cycle->arena, struct soft_constraint,
	    class->nspread > n ? class->nspread : n);
	if (class->nspread > 0)
		add_own_constraints(cycle, prep);
	else if (n > 0) {
		struct selector selector = default_selectors(cycle).all;

		if (!selector_is_empty(&selector))
			for (uint32_t i = 0; i < n; i++)
				if (!defaults[i].hard)
					add_constraint(cycle, prep,
					    &defaults[i], &selector);
	}
	return prep;
}

static const char *
error_of(const struct prep *prep)
{
	for (uint32_t i = 0; i < prep->n; i++) {
		const struct selector *s = &prep->soft[i].selector;

		if (s->error != NULL)
			return prep->release < SINCE_SELECTOR_WORDS ?
			    s->error :
			    s->error_36;
	}
	return NULL;
}

static const void *
prepare(struct cycle *cycle, const void *args)
{
	struct prep *prep = prep_new(cycle, args);

	if (prep->n == 0)
		return prep->release < SINCE_SPREAD_UNSCORED ?
		    PREP_UNIFORM(cycle->profile->score_max) :
		    PREP_SKIPPED;
	if (error_of(prep) != NULL) {
		cycle_fail(cycle,
		    "calculating preScoreState: obtaining pod's soft topology "
		    "spread constraints: %s",
		    error_of(prep));
		return prep;
	}
	for (uint32_t i = 0; i < prep->n && !cycle_is_cancelled(cycle); i++)
		count(cycle, prep, &prep->soft[i]);
	return prep;
}

/* reduce() computes the raw scores: they depend on the nodes that fit. */
static int64_t
score(struct cycle *cycle, const struct node_info *node, const void *prep)
{
	return 0;
}

/* reduce() counts the domains of nodes, and hosts. */
static size_t
columns(struct cycle *cycle, const void *p, struct node_column *columns)
{
	const struct prep *prep = p;
	size_t n = 0;

	if (prep->n > NODE_COLUMNS_MAX)
		return 0;
	for (uint32_t i = 0; i < prep->n; i++) {
		const struct soft_constraint *soft = &prep->soft[i];

		/* pods of a host do not tell whether it has the key */
		if (soft->by_host ? soft->any_lacks_key : soft->topology->fine)
			return 0;
		if (!soft->by_host)
			columns[n++] =
			    (struct node_column){ soft->topology->domain_of,
				    cycle->cluster->labels };
		else if (soft->on_node != NULL)
			columns[n++] = (struct node_column){ soft->on_node,
				soft->version };
	}
	return n;
}

/* The nodes that fit, as reduce() gets them. */
struct fitting {
	struct cycle *cycle;
	const struct prep *prep;
	size_t n;
	const uint32_t *at, *times;
};

static const struct node_info *
node_at(const struct fitting *f, size_t i)
{
	return f->cycle->cluster->nodes[f->at[i]];
}

/* In how many domains they are, those that are left out excepted. */
static int64_t
count_domains(const struct fitting *f, const struct soft_constraint *soft)
{
	bool *seen =
	    arena_array(f->cycle->arena, bool, soft->topology->ndomains);
	bool any_missing = false;
	int64_t domains = 0;

	for (size_t i = 0; i < f->n; i++) {
		const struct node_info *node = node_at(f, i);
		uint32_t domain = domain_of(soft, node);

		if (is_left_out(f->prep, node))
			continue;
		if (soft->by_host) {
			domains += f->times[i];
		} else if (domain == DOMAIN_NONE) {
			any_missing = true;
		} else if (!seen[domain]) {
			seen[domain] = true;
			domains++;
		}
	}
	return domains + any_missing;
}

static int64_t
raw_score(const struct fitting *f, const double *weights, size_t at)
{
	const struct node_info *node = node_at(f, at);
	double sum = 0;

	for (uint32_t i = 0; i < f->prep->n; i++) {
		const struct soft_constraint *soft = &f->prep->soft[i];
		int32_t skew =
		    (int32_t)((uint32_t)soft->constraint->max_skew - 1);
		int64_t pods;

		if (!has_key(soft, node))
			continue;
		if (!soft->by_host)
			pods = soft->sums[domain_of(soft, node)];
		else
			pods = soft->on_node != NULL ?
			    soft->on_node[node->index] :
			    0;
		sum += (double)pods * weights[i] + (double)skew;
	}
	return to_int64(
	    f->prep->release < SINCE_SPREAD_ROUNDED ? sum : round(sum));
}

static void
reduce(struct cycle *cycle, const void *p, size_t n, const uint32_t *at,
    const uint32_t *times, int64_t *scores)
{
	const struct prep *prep = p;
	const struct fitting f = { cycle, prep, n, at, times };
	int64_t score_max = cycle->profile->score_max;
	int64_t min = INT64_MAX, max = 0;
	double *weights;

	weights = arena_array(f.cycle->arena, double, f.prep->n);
	for (uint32_t i = 0; i < f.prep->n; i++) {
		const struct soft_constraint *soft = &f.prep->soft[i];
		int64_t domains = soft->repeats_key && !soft->by_host ?
		    0 :
		    count_domains(&f, soft);

		weights[i] = log((double)(domains + 2));
	}
	for (size_t i = 0; i < n; i++) {
		scores[i] = IGNORED;
		if (is_left_out(prep, node_at(&f, i)))
			continue;
		scores[i] = raw_score(&f, weights, i);
		if (scores[i] < min)
			min = scores[i];
		if (scores[i] > max)
			max = scores[i];
	}
	for (size_t i = 0; i < n; i++) {
		if (scores[i] == IGNORED)
			scores[i] = 0;
		else if (max == 0)
			scores[i] = score_max;
		else
			scores[i] = wrap_div(wrap_mul(score_max,
						 wrap_sub(wrap_add(max, min),
						     scores[i])),
			    max);
	}
}

/* Default constraints are for pods that a Service or controller selects. */
static enum needs
needs_by(const void *args)
{
	const struct pod_topology_spread_args *a = args;
	bool defaults = a->system_defaults;

	for (uint32_t i = 0; i < a->nconstraints; i++)
		defaults |= !a->constraints[i].hard;
	return defaults ? NEEDS_POD_SOFT_SPREAD_OR_WORKLOAD :
			  NEEDS_POD_SOFT_SPREAD;
}

const struct priority priority_pod_topology_spread = {
	.name = "PodTopologySpread",
	.reads = READS_CLUSTER,
	.prepare = prepare,
	.columns = columns,
	.score = score,
	.reduce = reduce,
	.needs_by = needs_by,
};
