/*
 * EvenPodsSpread: for each of the pod's topology spread constraints that are
 * hard (whenUnsatisfiable: DoNotSchedule), putting the pod here leaves the
 * domain with at most maxSkew more matching pods than the emptiest domain.
 *
 *	count(here) + (does the pod match itself) - min(count) <= maxSkew
 *
 * Counted are the pods of the pod's namespace that match the constraint, on
 * eligible nodes: those that wear the labels of all hard constraints and match
 * the pod's node selector and required node affinity.
 *
 *			1.16 and 1.17, by gate	from 1.18 on
 *	node without	refused; preemption	refused for good, with a
 *	a label		might help		reason of its own
 *	no eligible	every node fits		min is 0
 *	node
 *	terminating	count			do not count
 *	pods
 *	selector {}	matches all		matches the pod itself alone
 *
 * From 1.24 on min is 0 where there are fewer domains than minDomains.  From
 * 1.25 on matchLabelKeys narrow the selector to pods with the same values (the
 * API server says so in the selector itself from 1.34 on), nodeAffinityPolicy
 * Ignore lets nodes be eligible that the pod may not use, and nodeTaintsPolicy
 * Honor no node that has a taint which the pod does not tolerate.
 *
 * Simulations also count pods that terminate and those of a selector {}, as
 * kube-scheduler's do.
 *
 * Profiles of plugins give pods without constraints those that the plugin's
 * arguments name (decide/framework/pod_selectors.h).  In profiles of releases
 *	until 1.32	constraints on one key share their counts; no eligible node
 *			at all: every node that has the label fits
 *	until 1.26	a selector {} matches all pods
 *	1.24 to 1.32	of constraints on one key the last counts
 *	until 1.23	their counts add up; pods count on all nodes of a domain
 *			that has an eligible node; those on nodes without the label
 *			in the domain whose value is empty
 *
 * Same rule as kube-scheduler 1.16, EvenPodsSpreadPredicate, PodTopologySpread of
 * 1.20 (doc/semantics/12-kube-1.20.md, Spreading and affinity), and from 1.18 on
 * as that of 1.36 (doc/semantics/11-kube-1.36.md, Spreading and
 * affinity); 1.15 has none.
 */
#include "config.h"

#include <inttypes.h>

#include "cluster/columns.h"
#include "cluster/index.h"
#include "cluster/select.h"
#include "decide/framework/args.h"
#include "decide/framework/allowed_nodes.h"
#include "decide/framework/cycle.h"
#include "decide/framework/pod_selectors.h"
#include "decide/framework/profile.h"
#include "objects/changes.h"
#include "decide/framework/tolerating.h"
#include "predicates/registry.h"
#include "priorities/registry.h"

#define WHY_UNEVEN "node(s) didn't match pod topology spread constraints"
#define WHY_NO_LABEL WHY_UNEVEN " (missing required label)"

#define UNSEEN INT64_MIN /* no eligible node is in this domain */

struct spread {
	const struct spread_constraint *constraint;
	const struct topology *topology;
	struct selector selector; /* the constraint's, and its match_keys */
	bool ignores_affinity, honors_taints;
	int64_t min_domains;
	/* Whose counts and least it goes by: itself, or one before it. */
	struct spread *counted;
	/* Where constraints share and do not add up: the pods of each node that the
	 * last of them counts; NULL: it shares with none. */
	int64_t *on_node;
	bool none_fits; /* without an eligible node every node fits */
	/* By domain: UNSEEN or the number of pods.  Simulations also remove
	 * pods that were not counted, as kube-scheduler's do, so it may become
	 * negative. */
	int64_t *counts;
	bool matches_itself;
	int64_t ndomains; /* those that are not UNSEEN */
	int64_t min;      /* of these; INT64_MAX: there are none */
	/* How many domains have base, base + 1, … pods. */
	int64_t base;
	size_t cap;
	uint32_t *domains;
};

struct spreads {
	struct arena *arena; /* of all of it */
	bool later;          /* the rules of 1.18 and later apply */
	bool shares;         /* until 1.32: constraints on one key share */
	bool adds;       /* until 1.23: their counts, of all nodes, add up */
	bool counts_all; /* until 1.26: a selector {} selects all pods */
	struct tolerating tolerating;
	struct selector selector; /* the pod's node selector */
	uint32_t n;
	struct spread at[];
};

static bool
any_hard(uint32_t n, const struct spread_constraint *constraints)
{
	return ANY(i, n, constraints[i].hard);
}

static bool
has_all_labels(const struct spreads *spreads, uint32_t node)
{
	return node != NODE_INDEX_NONE &&
	    !ANY(i, spreads->n,
		spreads->at[i].topology->domain_of[node] == DOMAIN_NONE);
}

/* Whether the constraint's policies make the node, which has all labels,
 * eligible. */
static bool
is_included(const struct pod_class *class, const struct spreads *spreads,
    const struct spread *s, const struct node_info *node)
{
	if (!s->ignores_affinity &&
	    !class_allows_node(class, &spreads->selector, node))
		return false;
	return !s->honors_taints ||
	    !any_untolerated(&spreads->tolerating, node->node->ntaints,
		node->node->taints, taint_keeps_pods_out);
}

/* Also finds the domains that have that many pods. */
static void
grow_counts(const struct spreads *spreads, struct spread *s, int64_t pods)
{
	int64_t end = s->base + (int64_t)s->cap, base = s->base;
	uint32_t *domains;

	if (pods >= base && pods < end)
		return;
	if (pods < base)
		base = pods - 8;
	else
		end = pods + pods / 2 + 8;
	domains = arena_array(spreads->arena, uint32_t, end - base);
	for (size_t i = 0; i < s->cap; i++)
		domains[s->base - base + (int64_t)i] = s->domains[i];
	s->base = base;
	s->cap = (size_t)(end - base);
	s->domains = domains;
}

/* How many domains have that many pods; there is room for it. */
static uint32_t *
domains_with(const struct spread *s, int64_t pods)
{
	return &s->domains[pods - s->base];
}

/* The least that any domain has, with those that minDomains misses. */
static int64_t
least(const struct spread *s)
{
	if (s->none_fits && s->counted->ndomains == 0)
		return INT64_MAX;
	return s->counted->ndomains < s->min_domains ? 0 : s->counted->min;
}

/* The domains with eligible nodes have the pods on these, the others are UNSEEN. */
static void
count_eligible(struct cycle *cycle, const struct spreads *spreads,
    struct spread *s, const int64_t *on_node)
{
	struct cluster *cluster = cycle->cluster;
	const uint32_t *domain_of = s->topology->domain_of;
	int64_t *counts = s->counted->counts, *counted = s->counted->on_node;
	bool all = !s->honors_taints &&
	    (s->ignores_affinity || class_allows_all_nodes(cycle->class));

	for (uint32_t i = 0; s->counted == s && i < s->topology->ndomains; i++)
		s->counts[i] = UNSEEN;
	for (uint32_t i = 0; i < cluster->nnodes; i++) {
		int64_t sum;

		if (cycle_is_cancelled(cycle))
			return;
		if (!has_all_labels(spreads, i) ||
		    (!all &&
			!is_included(cycle->class, spreads, s,
			    cluster->nodes[i])))
			continue;
		sum = counts[domain_of[i]];
		if (sum == UNSEEN)
			sum = 0;
		sum += on_node[i];
		if (counted != NULL) {
			sum -= counted[i];
			counted[i] = on_node[i];
		}
		counts[domain_of[i]] = sum;
	}
}

/* The domain that a pod on the node counts in, or DOMAIN_NONE. */
static uint32_t
counting_domain(const struct cycle *cycle, const struct spreads *spreads,
    const struct spread *s, const struct node_info *node)
{
	uint32_t domain = topology_domain(s->topology, node);

	if (!spreads->adds)
		return has_all_labels(spreads, node->index) &&
			is_included(cycle->class, spreads, s, node) ?
		    domain :
		    DOMAIN_NONE;
	if (domain == DOMAIN_NONE) {
		/* The domain of nodes whose label is empty, or DOMAIN_NONE. */
		uintptr_t number =
		    (uintptr_t)map_get(&s->topology->by_value, SYM_EMPTY);

		domain = number != 0 ? (uint32_t)(number - 1) : DOMAIN_NONE;
	}
	return domain != DOMAIN_NONE && s->counted->counts[domain] != UNSEEN ?
	    domain :
	    DOMAIN_NONE;
}

/* Counts by node first: not all nodes count. */
static void
count(struct cycle *cycle, const struct spreads *spreads, struct spread *s)
{
	struct cluster *cluster = cycle->cluster;
	const struct topology *by_node = cluster_topology(cluster, SYM_NONE);
	AUTOFREE int64_t *on_node =
	    xcalloc(by_node->ndomains, sizeof(*on_node));

	if (spreads->adds && s->counted == s)
		count_eligible(cycle, spreads, s, on_node);
	/* An empty selector of later profiles that do not count all matches
	 * no pod. */
	if (!spreads->later || spreads->counts_all ||
	    !selector_is_empty(&s->selector))
		cluster_select_if(cluster, cycle->class->namespace,
		    &s->selector, spreads->later ? select_staying : NULL, NULL,
		    by_node, 1, on_node);
	if (spreads->adds) {
		/* Pods on nodes that are not eligible count, too. */
		for (uint32_t i = 0; i < cycle->cluster->nnodes; i++) {
			const struct node_info *node = cycle->cluster->nodes[i];
			uint32_t domain;

			if (cycle_is_cancelled(cycle))
				return;
			if (on_node[node->index] == 0)
				continue;
			domain = counting_domain(cycle, spreads, s, node);
			if (domain != DOMAIN_NONE)
				s->counted->counts[domain] +=
				    on_node[node->index];
		}
	} else
		count_eligible(cycle, spreads, s, on_node);
}

static void
count_all(struct cycle *cycle, struct spreads *spreads)
{
	for (uint32_t i = 0; i < spreads->n; i++) {
		if (cycle_is_cancelled(cycle))
			return;
		count(cycle, spreads, &spreads->at[i]);
	}
	for (uint32_t i = 0; i < spreads->n; i++)
		if (spreads->at[i].counted == &spreads->at[i]) {
			struct spread *s = &spreads->at[i];

			s->min = INT64_MAX;
			for (uint32_t j = 0; j < s->topology->ndomains; j++) {
				int64_t pods = s->counts[j];

				if (pods == UNSEEN)
					continue;
				s->ndomains++;
				grow_counts(spreads, s, pods);
				++*domains_with(s, pods);
				if (pods < s->min)
					s->min = pods;
			}
		}
}

/* The constraint with whose counts this one adds up; itself if there is none. */
static struct spread *
counted_with(struct spreads *spreads, struct spread *s)
{
	for (uint32_t i = 0; spreads->shares && i < spreads->n; i++)
		if (spreads->at[i].topology == s->topology)
			return spreads->at[i].counted;
	return s;
}

static int64_t
min_domains_of(const struct spreads *spreads, int release,
    const struct spread_constraint *c)
{
	int64_t min = release >= SINCE_SPREAD_MIN_DOMAINS ? c->min_domains : 1;

	if (release < SINCE_SPREAD)
		return 0;
	/* 1.20 knows no minDomains, of which there is 1 by default */
	return spreads->shares && min <= 1 ? 0 : min;
}

/* Reads the constraint as the cluster's release does. */
static void
read_constraint(struct cycle *cycle, struct spreads *spreads, struct spread *s,
    const struct spread_constraint *c, const struct selector *by_default)
{
	int release = cycle_release(cycle);

	s->constraint = c;
	s->topology = cluster_topology(cycle->cluster, c->topology_key);
	s->counted = counted_with(spreads, s);
	s->none_fits = spreads->shares;
	if (s->counted != s && !spreads->adds && s->counted->on_node == NULL)
		s->counted->on_node =
		    arena_array(cycle->arena, int64_t, cycle->cluster->nnodes);
	if (by_default != NULL)
		s->selector = *by_default;
	else
		s->selector = release >= SINCE_SPREAD_MATCH_LABEL_KEYS ?
		    spread_constraint_selector(cycle, c) :
		    c->selector;
	s->min_domains = min_domains_of(spreads, release, c);
	if (release >= SINCE_SPREAD_POLICIES) {
		s->ignores_affinity = c->ignores_affinity;
		s->honors_taints = c->honors_taints;
	}
	s->counts = arena_array(cycle->arena, int64_t, s->topology->ndomains);
	s->matches_itself =
	    selector_matches(&s->selector, &cycle->class->labels);
}

/* Constraints, and the selector that all of them have, if it is not their own. */
struct constraints {
	uint32_t n;
	const struct spread_constraint *at;
	bool by_default;
	struct selector selector;
};

static struct constraints
constraints_of(struct cycle *cycle, const struct pod_topology_spread_args *args)
{
	const struct pod_class *class = cycle->class;
	struct constraints c = { .n = class->nspread, .at = class->spread };

	if (class->nspread > 0 || args == NULL || args->system_defaults ||
	    !any_hard(args->nconstraints, args->constraints))
		return c;
	c.by_default = true;
	c.selector = default_selectors(cycle).all;
	if (!selector_is_empty(&c.selector)) {
		c.n = args->nconstraints;
		c.at = args->constraints;
	}
	return c;
}

/* NULL: there are none. */
static struct spreads *
hard_constraints(struct cycle *cycle,
    const struct pod_topology_spread_args *args)
{
	const struct pod_class *class = cycle->class;
	int release = cycle->profile->release;
	struct constraints c = constraints_of(cycle, args);
	struct spreads *spreads;

	/* 1.16 has it behind a gate, 1.18 and later always. */
	if (!any_hard(c.n, c.at) ||
	    (cycle_release(cycle) < SINCE_SPREAD &&
		!cycle->profile->gates.even_pods_spread))
		return NULL;
	spreads = arena_zalloc(cycle->arena,
	    sizeof(*spreads) + c.n * sizeof(spreads->at[0]));
	spreads->arena = cycle->arena;
	spreads->later = cycle_release(cycle) >= SINCE_SPREAD;
	spreads->shares =
	    release >= SINCE_FRAMEWORK && release < SINCE_SPREAD_APART;
	spreads->adds = spreads->shares && release < SINCE_SPREAD_ELIGIBLE;
	spreads->counts_all =
	    spreads->shares && release < SINCE_SPREAD_EMPTY_SELECTOR;
	spreads->tolerating = tolerating_now(cycle);
	spreads->selector = release < SINCE_FRAMEWORK ?
	    selector_from_set(cycle->arena, &class->node_selector) :
	    selector_from_valid_set(cycle->arena, &class->node_selector);
	for (uint32_t i = 0; i < c.n; i++) {
		struct spread *s = &spreads->at[spreads->n];

		if (!c.at[i].hard)
			continue;
		if (cycle_is_cancelled(cycle))
			break;
		read_constraint(cycle, spreads, s, &c.at[i],
		    c.by_default ? &c.selector : NULL);
		spreads->n++;
	}
	return spreads;
}

static const void *
prepare(struct cycle *cycle, const void *args)
{
	struct spreads *spreads = hard_constraints(cycle, args);

	if (spreads == NULL || spreads->n == 0)
		return NULL;
	count_all(cycle, spreads);
	return spreads;
}

static int64_t
count_here(const struct spread *s, uint32_t domain)
{
	int64_t pods = s->counted->counts[domain];

	return pods != UNSEEN ? pods : 0;
}

static bool
lacks_label(const struct spread *s, const struct node_info *node)
{
	return topology_domain(s->topology, node) == DOMAIN_NONE;
}

static bool
breaks(const struct spreads *spreads, const struct spread *s,
    const struct node_info *node)
{
	int64_t min = least(s);

	if (lacks_label(s, node) && spreads->later)
		return true;
	/* no eligible node at all */
	if (min == INT64_MAX)
		return false;
	return lacks_label(s, node) ||
	    count_here(s, topology_domain(s->topology, node)) +
		s->matches_itself - min >
	    s->constraint->max_skew;
}

/* The first constraint that the node breaks, or NULL. */
static const struct spread *
broken(const struct spreads *spreads, const struct node_info *node)
{
	return FIND(i, spreads->at, spreads->n,
	    breaks(spreads, &spreads->at[i], node));
}

static enum verdict
check(struct cycle *cycle, const struct node_info *node, const void *prep,
    struct why *why)
{
	const struct spreads *spreads = prep;
	const struct spread *s;

	for (uint32_t i = 0; i < spreads->n; i++) {
		const char *error = spreads->at[i].constraint->selector.error;

		if (error == NULL)
			continue;
		cycle_fail(cycle, "%s", error);
		return BROKEN;
	}
	s = broken(spreads, node);
	if (s == NULL)
		return FITS;
	return spreads->later && lacks_label(s, node) ?
	    refuse(why, UNFIT_FOREVER, WHY_NO_LABEL) :
	    refuse(why, UNFIT, WHY_UNEVEN);
}

static bool
check_block(struct cycle *cycle, const struct column_block *b, const void *prep,
    uint8_t *codes)
{
	const struct spreads *spreads = prep;
	uint32_t n = b->n;

	memset(codes, 0, COLUMN_ROWS);
	for (uint32_t i = 0; i < spreads->n; i++) {
		const struct spread *s = &spreads->at[i];
		const uint32_t *domain_of = s->topology->domain_of + b->first;
		const int64_t *counts = s->counted->counts;
		int64_t min = least(s), most = INT64_MAX;
		uint8_t lacks = spreads->later || min != INT64_MAX ? 2 : 0;

		if (s->constraint->selector.error != NULL)
			return false;
		/* else no node is eligible at all */
		if (min != INT64_MAX)
			most =
			    min + s->constraint->max_skew - s->matches_itself;
		for (uint32_t j = 0; j < n; j++) {
			uint32_t domain = domain_of[j];
			uint8_t code = domain == DOMAIN_NONE ? lacks :
			    counts[domain] != UNSEEN ? counts[domain] > most :
						       0 > most;

			codes[j] = codes[j] != 0 ? codes[j] : code;
		}
	}
	return true;
}

static void
update(struct cycle *cycle, void *prep, const struct node_info *node,
    const struct pod *pod, int sign)
{
	struct spreads *spreads = prep;

	if (!has_all_labels(spreads, node->index))
		return;
	for (uint32_t i = 0; i < spreads->n; i++) {
		struct spread *s = &spreads->at[i];
		uint32_t domain = topology_domain(s->topology, node);

		/* a domain without eligible nodes stays out of it */
		if (s->counted->counts[domain] == UNSEEN ||
		    pod->class->namespace != cycle->class->namespace ||
		    !selector_matches(&s->selector, &pod->class->labels))
			continue;
		if (!spreads->later || spreads->adds ||
		    is_included(cycle->class, spreads, s, node)) {
			/* A pod more or less in a domain that is not UNSEEN. */
			struct spread *counted = s->counted;
			int64_t before = counted->counts[domain];
			int64_t after = before + sign;

			grow_counts(spreads, counted, after);
			counted->counts[domain] = after;
			--*domains_with(counted, before);
			++*domains_with(counted, after);
			/* if it was the last of the least, it still is the
			 * least */
			if (after < counted->min ||
			    (before == counted->min &&
				*domains_with(counted, before) == 0))
				counted->min = after;
		}
	}
}

static const char *
miss(struct cycle *cycle, const struct node_info *node, const void *prep)
{
	const struct spread *s = broken(prep, node);
	const char *key;
	uint32_t domain;

	if (s == NULL)
		return NULL;
	key = sym_text(s->constraint->topology_key);
	domain = topology_domain(s->topology, node);
	if (domain == DOMAIN_NONE)
		return arena_printf(cycle->arena, "label %s is missing", key);
	if (s->counted->ndomains < s->min_domains)
		return arena_printf(cycle->arena,
		    "%s=%s would have %" PRId64 " pods, there are %" PRId64
		    " of at least %" PRId64 " domains and maxSkew is %" PRId64,
		    key, sym_text(s->topology->values[domain]),
		    count_here(s, domain) + s->matches_itself,
		    s->counted->ndomains, s->min_domains,
		    s->constraint->max_skew);
	return arena_printf(cycle->arena,
	    "%s=%s would have %" PRId64 " pods, the least has %" PRId64
	    " and maxSkew is %" PRId64,
	    key, sym_text(s->topology->values[domain]),
	    count_here(s, domain) + s->matches_itself, s->counted->min,
	    s->constraint->max_skew);
}

/* The selectors of the hard constraints can be used. */
static enum verdict
read_selectors(struct cycle *cycle, const void *args, struct why *why)
{
	const struct pod_class *class = cycle->class;
	int release = cycle->profile->release;

	for (uint32_t i = 0; i < class->nspread; i++) {
		const struct selector *selector = &class->spread[i].selector;

		if (!class->spread[i].hard || selector->error == NULL)
			continue;
		cycle_fail(cycle,
		    "%sobtaining pod's hard topology spread constraints: %s",
		    release >= SINCE_SPREAD_WORDS ?
			"get constraints from pod: " :
			"",
		    release >= SINCE_SELECTOR_WORDS ? selector->error_36 :
						      selector->error);
		return BROKEN;
	}
	return FITS;
}

static enum needs
needs_by(const void *args)
{
	const struct pod_topology_spread_args *a = args;

	for (uint32_t i = 0; a != NULL && i < a->nconstraints; i++)
		if (a->constraints[i].hard)
			return NEEDS_NO_OBJECT;
	return NEEDS_POD_HARD_SPREAD;
}

const struct predicate predicate_even_pods_spread = {
	.name = "EvenPodsSpread",
	.policy = { .in = IN_BOTH | IN_ALL_POLICIES,
	    .registered = "EvenPodsSpread=true" },
	.convert = { .before = "it counts pods on nodes that the pod's node "
			       "selector excludes, too",
	    .same_from = SINCE_SPREAD_ELIGIBLE },
	.reads = READS_CLUSTER,
	.plugin = PLUGIN_POD_TOPOLOGY_SPREAD,
	.prepare = prepare,
	.check = check,
	.check_block = check_block,
	.update = update,
	.miss = miss,
	.needs_by = needs_by,
};

/* Whether it has all topology keys of the pod's hard constraints. */
static bool
is_spread_over(const struct pod_class *class, const struct node *node)
{
	return node != NULL &&
	    !ANY(i, class->nspread,
		class->spread[i].hard &&
		    labels_get(&node->labels, class->spread[i].topology_key) ==
			SYM_NONE);
}

/* One without own constraints was refused by default ones, of the plugin. */
static bool
node_helps(const struct pod_class *class, const struct node *was,
    const struct node *is)
{
	bool spreads = false, moved = false;

	for (uint32_t i = 0; i < class->nspread; i++) {
		const struct spread_constraint *c = &class->spread[i];

		spreads |= c->hard;
		moved |= was != NULL && is != NULL && c->hard &&
		    labels_get(&was->labels, c->topology_key) !=
			labels_get(&is->labels, c->topology_key);
	}
	if (!spreads || is_spread_over(class, was) != is_spread_over(class, is))
		return true;
	return was != NULL && is_spread_over(class, is) &&
	    (moved || !node_taints_equal(was, is) ||
		class_selects_node(class, was) !=
		    class_selects_node(class, is));
}

static bool
counted(const struct pod_class *class, const struct pod_class *left)
{
	bool spreads = false;

	for (uint32_t i = 0; i < class->nspread; i++) {
		const struct spread_constraint *c = &class->spread[i];

		spreads |= c->hard;
		if (c->hard && class->namespace == left->namespace &&
		    selector_matches(&c->selector, &left->labels))
			return true;
	}
	return !spreads;
}

/* A node that is gone may leave the least of the others as even as needed. */
static bool
wakes(const struct pod_class *class, const struct object_change *change)
{
	if (change->kind == OBJECT_NODE)
		return node_helps(class, change->was, change->is);
	return change->left != NULL && counted(class, change->left);
}

const struct plugin plugin_pod_topology_spread = {
	.name = "PodTopologySpread",
	.points = EARLY_AND_LATER(AT_POINT(PRE_FILTER) | AT_POINT(FILTER) |
	    AT_POINT(PRE_SCORE) | AT_POINT(SCORE)),
	.filters = { &predicate_even_pods_spread },
	.score = &priority_pod_topology_spread,
	.pre_filter = read_selectors,
	.weight = EARLY_AND_LATER(2),
	.enabled = true,
	.no_pre_filter = "reading \"PreFilterPodTopologySpread\" "
			 "from cycleState: not found",
	.score_needs = POINT_PRE_SCORE,
	.no_state = "error reading \"PreScorePodTopologySpread\" "
		    "from cycleState: not found",
	.wakes = wakes,
	.of_pods = true,
	.hidden_from = PODS_WITH_SPREAD,
};
