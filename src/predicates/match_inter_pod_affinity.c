/*
 * MatchInterPodAffinity: required affinity and anti-affinity between the pod
 * and the pods that are there, in the topology domains of the terms.
 *
 *	A  pods there with a required anti-affinity term that matches the pod:
 *	   the node must not be in their domain of that term's topology
 *	B  pods there that match all of the pod's required affinity terms: the
 *	   node must share a domain with one of them, for every term
 *	C  pods there that match a required anti-affinity term of the pod: the
 *	   node must not share that term's domain with one of them
 *
 * in this order; the first that fails is reported, with a general reason before
 * it.  A term belongs to the namespaces it names, or to that of its owner; from
 * 1.21 on also to those that its namespaceSelector selects, and with one no longer
 * to its owner's (cluster/term_scope.h).  The API server has merged matchLabelKeys
 * and mismatchLabelKeys into the selector, so nothing looks at them.  The
 * first pod of a group with affinity to itself would fit on no node: so if no
 * pod at all counts for B, a pod that matches its own affinity terms fits
 * anywhere; before 1.20 even on nodes without the topology's label.
 *
 * Pods on nodes without a Node object do not count.  Nominated pods count for A
 * alone: kube-scheduler looks at spec.nodeName for the others.
 *
 * A label selector that cannot be used (objects/selector.h) makes kube-scheduler
 * give up its indexes and look at every pod; enum trouble lists the
 * results.  One in a pod that is there makes every node an error, until a
 * simulation has taken away all such pods.
 *
 * Same rule as kube-scheduler 1.15, InterPodAffinityMatches.
 *
 * Profiles of plugins go by InterPodAffinity of 1.20 and 1.36
 * (doc/semantics/11-kube-1.36.md, Spreading and affinity):
 *	- the order is B, C, A; 1.36 has no general reason
 *	- a selector of the pod that cannot be used rejects the pod; of a pod
 *	  that is there, its required anti-affinity does not count
 *	- nominated pods count for all three; but 1.36 skips the rule, also for
 *	  them, if the pod has no terms and no pod on a node has one about it
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
#include "predicates/registry.h"
#include "priorities/registry.h"

#define WHY_NO_MATCH "node(s) didn't match pod affinity/anti-affinity"
#define WHY_NO_MATCH_21 WHY_NO_MATCH " rules"
#define WHY_AFFINITY "node(s) didn't match pod affinity rules"
#define WHY_ANTI_AFFINITY "node(s) didn't match pod anti-affinity rules"
#define WHY_EXISTING "node(s) didn't satisfy existing pods anti-affinity rules"

/* How many pods count, by domain of one topology. */
struct tally {
	sym key;
	const struct topology *topology;
	int64_t *sums;
};

struct tallies {
	size_t n, cap;
	struct tally *at;
};

/*
 * How kube-scheduler treats malformed selectors of the pod:
 *  - of the pod's own affinity: every node that passes A is an error, as soon
 *    as there is a pod to look at (otherwise no pod matches, not even itself);
 *  - of the pod's own anti-affinity: no node that passes A fits, as soon as
 *    there is a pod to look at.
 */
enum trouble {
	TROUBLE_NONE,
	TROUBLE_AFFINITY,
	TROUBLE_ANTI_AFFINITY,
};

/* By how much each pod of a class changes the sums. */
struct effect {
	bool matches_all; /* it counts for B */
	size_t n, cap;
	struct change {
		struct tallies *tallies; /* of A or C */
		size_t at;
		int64_t times;
	} * changes;
};

struct rules {
	struct arena *arena; /* of all of it */
	int release;         /* the profile's */
	struct pod_terms own_affinity, own_anti_affinity;
	struct tallies existing;      /* A */
	struct tallies affinity;      /* B, one for each term */
	struct tallies anti_affinity; /* C */
	int64_t naffinity;            /* sum of all sums of B */
	/* The first pod of a group only goes where B's labels are. */
	bool needs_labels;
	bool matches_itself;

	enum trouble trouble;
	const char *error; /* the selector's */
	/* pods there whose anti-affinity has a selector that cannot be used */
	int64_t nbroken;
	const char *broken; /* its error */
	/* there was such a selector anywhere: nominated pods do not count */
	bool blind;
	int64_t npods;  /* on all nodes, those without a Node object, too */
	void **effects; /* class_found(): struct effect */
};

static struct tally *
tally_of(struct cycle *cycle, struct rules *rules, struct tallies *tallies,
    sym key)
{
	const struct topology *topology = cluster_topology(cycle->cluster, key);
	struct arena *arena = rules->arena;
	struct tally *tally;

	for (size_t i = 0; i < tallies->n; i++)
		if (tallies->at[i].topology == topology)
			return &tallies->at[i];
	arena_room(arena, tallies->at, tallies->n, &tallies->cap);
	tally = &tallies->at[tallies->n++];
	tally->key = key;
	tally->topology = topology;
	tally->sums = arena_array(arena, int64_t, topology->ndomains);
	return tally;
}

/* The first selector that cannot be used, or NULL. */
static const char *
selector_error(const struct pod_terms *terms)
{
	for (uint32_t i = 0; i < terms->nrequired; i++)
		if (terms->required[i].selector.error != NULL)
			return terms->required[i].selector.error;
	return NULL;
}

/* Terms that count for A: with a broken selector among them, none do. */
static uint32_t
nexisting(const struct rules *rules, const struct pod_class *class)
{
	const struct pod_terms *anti = &class->anti_affinity;

	return rules->release >= SINCE_FRAMEWORK &&
		selector_error(anti) != NULL ?
	    0 :
	    anti->nrequired;
}

/* Whether pods of the class are those of all these terms of the cycle's pod. */
static bool
matches_all(const struct pod_terms *own, const struct pod_class *class)
{
	return own->nrequired > 0 &&
	    !ANY(i, own->nrequired,
		!pod_term_matches(&own->required[i], class));
}

/* A, B and C for the pods of one class: where a selector cannot be used. */
static void
count_class(struct cycle *cycle, struct rules *rules, struct class_info *info)
{
	const struct pod_terms *own_anti = &rules->own_anti_affinity;
	const struct pod_terms *anti = &info->class->anti_affinity;
	uint32_t nanti = nexisting(rules, info->class);
	const struct pod_term *term;
	struct tally *tally;

	for (uint32_t i = 0; i < nanti; i++) {
		term = &anti->required[i];
		if (cycle_is_cancelled(cycle))
			return;
		if (!term_matches(cycle, term, cycle->class))
			continue;
		tally = tally_of(cycle, rules, &rules->existing,
		    term->topology_key);
		class_accumulate(cycle->cluster, info, tally->topology, 1,
		    tally->sums);
	}
	if (matches_all(&rules->own_affinity, info->class))
		for (size_t i = 0; i < rules->affinity.n; i++) {
			tally = &rules->affinity.at[i];
			if (cycle_is_cancelled(cycle))
				return;
			class_accumulate(cycle->cluster, info, tally->topology,
			    1, tally->sums);
		}
	for (uint32_t i = 0; i < own_anti->nrequired; i++) {
		term = &own_anti->required[i];
		if (cycle_is_cancelled(cycle))
			return;
		if (!pod_term_matches(term, info->class))
			continue;
		tally = tally_of(cycle, rules, &rules->anti_affinity,
		    term->topology_key);
		class_accumulate(cycle->cluster, info, tally->topology, 1,
		    tally->sums);
	}
}

static int64_t
count_on_known_nodes(const struct class_info *info)
{
	int64_t n = 0;

	for (uint32_t i = 0; i < info->npods; i++)
		n += info->nodes[i]->node != NULL;
	return n;
}

/* Of several selectors that cannot be used we report the first in byte order;
 * kube-scheduler, any. */
static void
find_existing_trouble(struct rules *rules, const struct class_info *info)
{
	const char *error = selector_error(&info->class->anti_affinity);
	int64_t n = error != NULL ? count_on_known_nodes(info) : 0;

	if (n == 0)
		return;
	if (rules->broken == NULL || strcmp(error, rules->broken) < 0)
		rules->broken = error;
	rules->nbroken += n;
}

static void
find_own_trouble(const struct cycle *cycle, struct rules *rules)
{
	const struct cluster *cluster = cycle->cluster;
	const char *affinity = selector_error(&cycle->class->affinity);
	const char *anti = selector_error(&cycle->class->anti_affinity);
	bool any_on_known_node = false;

	if (affinity == NULL && anti == NULL)
		return;
	for (size_t i = 0; i < cluster->nclasses; i++) {
		rules->npods += cluster->class_list[i]->npods;
		any_on_known_node = any_on_known_node ||
		    count_on_known_nodes(cluster->class_list[i]) > 0;
	}
	if (affinity == NULL && !any_on_known_node)
		return;
	rules->error = affinity != NULL ? affinity : anti;
	rules->trouble =
	    affinity != NULL ? TROUBLE_AFFINITY : TROUBLE_ANTI_AFFINITY;
}

/* Whether a pod that waits for a node refuses this one. */
static bool
is_refused_by_nominated(const struct cycle *cycle)
{
	const struct cluster *cluster = cycle->cluster;

	for (uint32_t i = 0; i < cluster->nnominated_to; i++) {
		const struct node_info *node = cluster->nominated_to[i];

		for (uint32_t j = 0; j < node->nnominated; j++) {
			const struct pod_terms *terms =
			    &node->nominated[j]->class->anti_affinity;

			if (ANY(k, terms->nrequired,
				term_matches(cycle, &terms->required[k],
				    cycle->class)))
				return true;
		}
	}
	return false;
}

/* A tally for each affinity term, also where two share a topology. */
static void
make_affinity_tallies(struct cycle *cycle, struct rules *rules)
{
	const struct pod_terms *terms = &cycle->class->affinity;
	struct tallies *tallies = &rules->affinity;

	tallies->n = terms->nrequired;
	tallies->at = arena_array(cycle->arena, struct tally, tallies->n);
	for (size_t i = 0; i < tallies->n; i++) {
		struct tally *tally = &tallies->at[i];

		if (cycle_is_cancelled(cycle)) {
			tallies->n = i;
			return;
		}
		tally->key = terms->required[i].topology_key;
		tally->topology = cluster_topology(cycle->cluster, tally->key);
		tally->sums = arena_array(cycle->arena, int64_t,
		    tally->topology->ndomains);
	}
}

static int64_t
sum_of(const struct tallies *tallies)
{
	int64_t sum = 0;

	for (size_t i = 0; i < tallies->n; i++)
		for (uint32_t j = 0; j < tallies->at[i].topology->ndomains; j++)
			sum += tallies->at[i].sums[j];
	return sum;
}

static bool
has_terms(const struct pod_class *class)
{
	return class->affinity.nrequired > 0 ||
	    class->anti_affinity.nrequired > 0;
}

struct existing {
	struct cycle *cycle;
	struct rules *rules;
};

static int64_t *
existing_sums(void *arg, const struct topology *topology)
{
	const struct existing *existing = arg;

	return tally_of(existing->cycle, existing->rules,
	    &existing->rules->existing, topology->key)
	    ->sums;
}

/* B: pods of a namespace that all terms have, with labels that all select. */
static void
count_affinity(struct cycle *cycle, struct rules *rules)
{
	const struct pod_terms *terms = &rules->own_affinity;
	/* the first that is not about all namespaces, or NULL */
	const struct pod_term *first = FIND(i, terms->required,
	    terms->nrequired, !terms->required[i].everywhere);
	const struct selector **selectors = arena_array(cycle->arena,
	    const struct selector *, terms->nrequired);
	struct selector all;

	for (uint32_t i = 0; i < terms->nrequired; i++)
		selectors[i] = &terms->required[i].selector;
	all = selector_and(cycle->arena, terms->nrequired, selectors);
	for (uint32_t i = 0; first != NULL && i < first->nnamespaces; i++) {
		sym namespace = first->namespaces[i];

		if (!pod_term_names_first(first, i) ||
		    ANY(k, terms->nrequired,
			!pod_term_has_namespace(&terms->required[k],
			    namespace)))
			continue;
		for (size_t j = 0;
		     j < rules->affinity.n && !cycle_is_cancelled(cycle); j++)
			cluster_select(cycle->cluster, namespace, &all,
			    rules->affinity.at[j].topology, 1,
			    rules->affinity.at[j].sums);
	}
	for (size_t j = 0; first == NULL && j < rules->affinity.n &&
	     !cycle_is_cancelled(cycle);
	     j++)
		cluster_select_everywhere(cycle->cluster, &all,
		    rules->affinity.at[j].topology, 1,
		    rules->affinity.at[j].sums);
}

static void
count_all(struct cycle *cycle, struct rules *rules)
{
	static const struct term_weights weights = { .required_anti_affinity =
							 1 };
	const struct pod_terms *terms;

	cluster_sum_terms(cycle->cluster, cycle->class, &weights,
	    terms_select_namespaces(cycle), existing_sums,
	    &(struct existing){ cycle, rules });
	count_affinity(cycle, rules);
	terms = &rules->own_anti_affinity;
	for (uint32_t i = 0; i < terms->nrequired && !cycle_is_cancelled(cycle);
	     i++) {
		const struct pod_term *term = &terms->required[i];
		struct tally *tally = tally_of(cycle, rules,
		    &rules->anti_affinity, term->topology_key);

		cluster_select_term(cycle->cluster, term, tally->topology, 1,
		    tally->sums);
	}
}

static struct rules *
rules_new(struct cycle *cycle)
{
	const struct pod_class *class = cycle->class;
	struct rules *rules = arena_zalloc(cycle->arena, sizeof(*rules));

	rules->arena = cycle->arena;
	rules->release = cycle->profile->release;
	rules->own_affinity = own_terms(cycle, &class->affinity);
	rules->own_anti_affinity = own_terms(cycle, &class->anti_affinity);
	make_affinity_tallies(cycle, rules);
	if (cluster_has_broken_terms(cycle->cluster) ||
	    selector_error(&class->affinity) != NULL ||
	    selector_error(&class->anti_affinity) != NULL) {
		/* The same class by class, as kube-scheduler does when a
		 * selector cannot be used. */
		AUTOFREE struct class_info **infos = NULL;
		size_t n;

		infos = classes_related(cycle->cluster, cycle->class, &n);
		for (size_t i = 0; i < n && !cycle_is_cancelled(cycle); i++) {
			if (rules->release < SINCE_FRAMEWORK)
				find_existing_trouble(rules, infos[i]);
			count_class(cycle, rules, infos[i]);
		}
		if (rules->release < SINCE_FRAMEWORK)
			find_own_trouble(cycle, rules);
	} else
		count_all(cycle, rules);
	rules->blind = rules->nbroken > 0 || rules->trouble != TROUBLE_NONE;
	rules->naffinity = sum_of(&rules->affinity);
	rules->matches_itself = matches_all(&rules->own_affinity, class);
	rules->needs_labels = cycle_release(cycle) >= SINCE_FIRST_POD_LABELS;
	return rules;
}

static bool
applies(const struct cycle *cycle, const struct rules *rules)
{
	if (has_terms(cycle->class) || rules->blind)
		return true;
	if (rules->release < SINCE_POD_AFFINITY_SKIPPED)
		return rules->existing.n > 0 || is_refused_by_nominated(cycle);
	return rules->existing.n > 0 &&
	    (cycle->cluster->nnominated == 0 || sum_of(&rules->existing) > 0);
}

static const void *
prepare(struct cycle *cycle, const void *args)
{
	struct rules *rules;

	if (cycle->cluster->nterms == 0 && cycle->cluster->nnominated == 0 &&
	    !has_terms(cycle->class))
		return NULL;
	rules = rules_new(cycle);
	return applies(cycle, rules) ? rules : NULL;
}

static inline int64_t
sum_at(const struct tally *tally, const struct node_info *node)
{
	uint32_t domain = topology_domain(tally->topology, node);

	return domain != DOMAIN_NONE ? tally->sums[domain] : 0;
}

/* The first tally in which a pod counts against the node, or NULL. */
static const struct tally *
any_at(const struct tallies *tallies, const struct node_info *node)
{
	return FIND(i, tallies->at, tallies->n,
	    sum_at(&tallies->at[i], node) > 0);
}

static enum verdict
refuse_for(const struct rules *rules, struct why *why, enum verdict verdict,
    const char *reason)
{
	if (rules->release < SINCE_POD_AFFINITY_ONE_REASON)
		why_add(why,
		    rules->release < SINCE_POD_AFFINITY_RULES ?
			WHY_NO_MATCH :
			WHY_NO_MATCH_21);
	return refuse(why, verdict, reason);
}

static enum verdict
refuse_by_existing(const struct rules *rules, struct why *why)
{
	why_set_plugin(why, PLUGIN_EXISTING_ANTI_AFFINITY);
	return refuse_for(rules, why, UNFIT, WHY_EXISTING);
}

/* Whether kube-scheduler, going through all pods, comes across one: of those on
 * this node it sees the ones that a simulation has left there. */
static bool
sees_a_pod(const struct cycle *cycle, const struct rules *rules,
    const struct node_info *node)
{
	return rules->npods > cluster_node(cycle->cluster, node->name)->npods ||
	    ANY(i, node->npods, node->pods[i]->node != SYM_EMPTY);
}

/* The first tally in which no pod counts for the node, or NULL; the first pod of a
 * group needs no more than the labels. */
static const struct tally *
affinity_lacking_at(const struct rules *rules, const struct node_info *node)
{
	const struct tallies *tallies = &rules->affinity;

	if (rules->naffinity != 0 || !rules->matches_itself)
		return FIND(i, tallies->at, tallies->n,
		    sum_at(&tallies->at[i], node) <= 0);
	return !rules->needs_labels ?
	    NULL :
	    FIND(i, tallies->at, tallies->n,
		topology_domain(tallies->at[i].topology, node) == DOMAIN_NONE);
}

static enum verdict
check(struct cycle *cycle, const struct node_info *node, const void *prep,
    struct why *why)
{
	const struct rules *rules = prep;

	if (rules->nbroken > 0) {
		cycle_fail(cycle,
		    "Failed to get all terms that match pod %s: %s",
		    pod_full_name(cycle->pod), rules->broken);
		return BROKEN;
	}
	if (rules->trouble != TROUBLE_NONE) {
		if (any_at(&rules->existing, node) != NULL)
			return refuse_by_existing(rules, why);
		if (!sees_a_pod(cycle, rules, node))
			return affinity_lacking_at(rules, node) != NULL ?
			    refuse_for(rules, why, UNFIT_FOREVER,
				WHY_AFFINITY) :
			    FITS;
		if (rules->trouble == TROUBLE_ANTI_AFFINITY)
			return refuse_for(rules, why, UNFIT, WHY_ANTI_AFFINITY);
		cycle_fail(cycle,
		    "Cannot schedule pod %s onto node %s, because of PodAffinity: %s",
		    pod_full_name(cycle->pod), sym_text(node->name),
		    rules->error);
		return BROKEN;
	}
	if (rules->release < SINCE_FRAMEWORK &&
	    any_at(&rules->existing, node) != NULL)
		return refuse_by_existing(rules, why);
	if (affinity_lacking_at(rules, node) != NULL)
		return refuse_for(rules, why, UNFIT_FOREVER, WHY_AFFINITY);
	if (any_at(&rules->anti_affinity, node) != NULL)
		return refuse_for(rules, why, UNFIT, WHY_ANTI_AFFINITY);
	if (rules->release >= SINCE_FRAMEWORK &&
	    any_at(&rules->existing, node) != NULL)
		return refuse_by_existing(rules, why);
	return FITS;
}

/* Sets a bit of the codes of nodes in whose domain pods count, or none do. */
static void
mark(const struct tallies *tallies, bool counts, const struct column_block *b,
    uint8_t bit, uint8_t *codes)
{
	uint32_t n = b->n;

	for (size_t i = 0; i < tallies->n; i++) {
		const struct tally *tally = &tallies->at[i];
		const uint32_t *domain_of =
		    tally->topology->domain_of + b->first;
		const int64_t *sums = tally->sums;

		for (uint32_t j = 0; j < n; j++) {
			bool any = domain_of[j] != DOMAIN_NONE &&
			    sums[domain_of[j]] > 0;

			codes[j] |= any == counts ? bit : 0;
		}
	}
}

/* The first pod of a group may go wherever its labels are. */
static void
mark_lacking(const struct rules *rules, const struct column_block *b,
    uint8_t *codes)
{
	if (rules->naffinity != 0 || !rules->matches_itself) {
		mark(&rules->affinity, false, b, 2, codes);
		return;
	}
	for (size_t i = 0; rules->needs_labels && i < rules->affinity.n; i++)
		for (uint32_t j = 0; j < b->n; j++)
			if (rules->affinity.at[i].topology->domain_of[b->first +
				j] == DOMAIN_NONE)
				codes[j] |= 2;
}

static bool
check_block(struct cycle *cycle, const struct column_block *b, const void *prep,
    uint8_t *codes)
{
	const struct rules *rules = prep;

	if (rules->blind)
		return false;
	memset(codes, 0, COLUMN_ROWS);
	mark(&rules->existing, true, b, 1, codes);
	mark_lacking(rules, b, codes);
	mark(&rules->anti_affinity, true, b, 4, codes);
	return true;
}

/* Adds to the sum of the node's domain; returns the amount added. */
static int64_t
move(struct tally *tally, const struct node_info *node, int64_t n)
{
	uint32_t domain = topology_domain(tally->topology, node);

	if (domain == DOMAIN_NONE)
		return 0;
	tally->sums[domain] += n;
	return n;
}

static void
add_change(struct cycle *cycle, struct rules *rules, struct effect *e,
    struct tallies *tallies, sym key)
{
	size_t at =
	    (size_t)(tally_of(cycle, rules, tallies, key) - tallies->at);

	for (size_t i = 0; i < e->n; i++)
		if (e->changes[i].tallies == tallies &&
		    e->changes[i].at == at) {
			e->changes[i].times++;
			return;
		}
	arena_room(rules->arena, e->changes, e->n, &e->cap);
	e->changes[e->n++] = (struct change){ tallies, at, 1 };
}

/* Simulations move pods of the same classes on node after node. */
static const struct effect *
effect_of(struct cycle *cycle, struct rules *rules,
    const struct pod_class *class)
{
	void **found =
	    class_found(cycle->cluster, rules->arena, &rules->effects, class);
	struct effect *e = *found;
	const struct pod_term *theirs = class->anti_affinity.required;
	const struct pod_terms *own = &rules->own_anti_affinity;
	uint32_t n = nexisting(rules, class);

	if (e != NULL)
		return e;
	*found = e = arena_zalloc(rules->arena, sizeof(*e));
	cycle->cluster->compared += n + own->nrequired;
	for (uint32_t i = 0; i < n; i++)
		if (term_matches(cycle, &theirs[i], cycle->class))
			add_change(cycle, rules, e, &rules->existing,
			    theirs[i].topology_key);
	for (uint32_t i = 0; i < own->nrequired; i++)
		if (pod_term_matches(&own->required[i], class))
			add_change(cycle, rules, e, &rules->anti_affinity,
			    own->required[i].topology_key);
	e->matches_all = matches_all(&rules->own_affinity, class);
	return e;
}

static void
update(struct cycle *cycle, void *prep, const struct node_info *node,
    const struct pod *pod, int sign)
{
	struct rules *rules = prep;
	const struct pod_class *class = pod->class;
	bool bound =
	    pod->node != SYM_EMPTY || rules->release >= SINCE_FRAMEWORK;
	bool broken = rules->release < SINCE_FRAMEWORK &&
	    selector_error(&class->anti_affinity) != NULL;
	const struct effect *e;

	if (!bound && (rules->blind || broken))
		return;
	if (broken)
		rules->nbroken += sign;
	e = effect_of(cycle, rules, class);
	for (size_t i = 0; i < e->n; i++) {
		const struct change *c = &e->changes[i];

		if (bound || c->tallies == &rules->existing)
			move(&c->tallies->at[c->at], node, sign * c->times);
	}
	for (size_t i = 0; bound && e->matches_all && i < rules->affinity.n;
	     i++)
		rules->naffinity += move(&rules->affinity.at[i], node, sign);
}

/* The first selector among these terms that cannot be used, in the words of the
 * profile's release; NULL: all can. */
static const char *
terms_error(const struct cycle *cycle, uint32_t n, const struct pod_term *terms)
{
	bool today = cycle->profile->release >= SINCE_SELECTOR_WORDS;

	for (uint32_t i = 0; i < n; i++) {
		const struct selector *s = &terms[i].selector;

		/* an error of the namespaces' selector is one of the other,
		 * too, but without the words of 1.36 */
		if (s->error_36 == NULL && terms_select_namespaces(cycle))
			s = &terms[i].namespace_selector;
		if (s->error_36 != NULL)
			return today ? s->error_36 : s->error;
	}
	return NULL;
}

/* The pod's terms can be used. */
static enum verdict
parse_pod(struct cycle *cycle, const void *args, struct why *why)
{
	const struct pod_terms *affinity = &cycle->class->affinity;
	const struct pod_terms *anti = &cycle->class->anti_affinity;
	const struct {
		const char *name;
		uint32_t n;
		const struct pod_term *terms;
	} lists[] = {
		{ "requiredAffinityTerms", affinity->nrequired,
		    affinity->required },
		{ "requiredAntiAffinityTerms", anti->nrequired,
		    anti->required },
		{ "preferredAffinityTerms", affinity->npreferred,
		    affinity->preferred },
		{ "preferredAntiAffinityTerms", anti->npreferred,
		    anti->preferred },
	};
	const char *errors[LENGTH(lists)], *error;
	size_t n = 0;

	for (size_t i = 0; i < LENGTH(lists); i++) {
		error = terms_error(cycle, lists[i].n, lists[i].terms);
		if (error != NULL)
			errors[n++] = arena_printf(cycle->arena, "%s: %s",
			    lists[i].name, error);
	}
	if (n == 0)
		return FITS;
	error = arena_join(cycle->arena, n, errors, ", ");
	return refuse(why, UNFIT_FOREVER,
	    arena_printf(cycle->arena,
		n > 1 ? "parsing pod: [%s]" : "parsing pod: %s", error));
}

/* "zone=a", "zone" for a node without that label. */
static const char *
where(struct cycle *cycle, const struct tally *tally,
    const struct node_info *node)
{
	uint32_t domain = topology_domain(tally->topology, node);
	const char *key = sym_text(tally->key);

	return domain == DOMAIN_NONE ?
	    key :
	    arena_printf(cycle->arena, "%s=%s", key,
		sym_text(tally->topology->values[domain]));
}

static const char *
miss(struct cycle *cycle, const struct node_info *node, const void *prep)
{
	const struct rules *rules = prep;
	const struct tally *tally = any_at(&rules->existing, node);

	if (tally != NULL)
		return arena_printf(cycle->arena,
		    "a pod in %s has anti-affinity to this one",
		    where(cycle, tally, node));
	tally = affinity_lacking_at(rules, node);
	if (tally != NULL)
		return topology_domain(tally->topology, node) == DOMAIN_NONE ?
		    arena_printf(cycle->arena, "label %s is missing",
			sym_text(tally->key)) :
		    arena_printf(cycle->arena,
			"no pod that its affinity requires is in %s",
			where(cycle, tally, node));
	tally = any_at(&rules->anti_affinity, node);
	if (tally != NULL)
		return arena_printf(cycle->arena,
		    "a pod that its anti-affinity excludes is in %s",
		    where(cycle, tally, node));
	return rules->nbroken > 0 ? rules->broken : rules->error;
}

const struct predicate predicate_match_inter_pod_affinity = {
	.name = "MatchInterPodAffinity",
	.policy = { .in = IN_BOTH, .aliases = "PodAffinityPredicate" },
	.reads = READS_CLUSTER,
	.plugin = PLUGIN_INTER_POD_AFFINITY,
	.needs = NEEDS_POD_REQUIRED_TERMS,
	.prepare = prepare,
	.check = check,
	.check_block = check_block,
	.update = update,
	.miss = miss,
};

static bool
moves(sym key, const struct node *was, const struct node *is)
{
	return labels_get(&was->labels, key) != labels_get(&is->labels, key);
}

static bool
node_helps(const struct pod_class *class, const struct node *was,
    const struct node *is)
{
	const struct pod_terms *near = &class->affinity;
	const struct pod_terms *far = &class->anti_affinity;

	for (uint32_t i = 0; i < near->nrequired; i++) {
		sym key = near->required[i].topology_key;

		if (labels_get(&is->labels, key) != SYM_NONE &&
		    (was == NULL || moves(key, was, is)))
			return true;
	}
	for (uint32_t i = 0; i < far->nrequired; i++) {
		sym key = far->required[i].topology_key;

		if (was == NULL ||
		    (labels_get(&was->labels, key) != SYM_NONE &&
			moves(key, was, is)))
			return true;
	}
	return false;
}

static bool
any_may_match(const struct pod_terms *terms, const struct pod_class *class)
{
	return ANY(i, terms->nrequired,
	    pod_term_may_match(&terms->required[i], class));
}

/* A pod that leaves may let this one be the first near itself. */
static bool
own_wakes(const struct pod_class *class, const struct object_change *change)
{
	if (change->kind == OBJECT_NODE)
		return change->is != NULL &&
		    node_helps(class, change->was, change->is);
	return change->left != NULL ?
	    any_may_match(&class->anti_affinity, change->left) ||
		any_may_match(&class->affinity, change->left) :
	    change->kind == OBJECT_NAMESPACE;
}

static bool
existing_wakes(const struct pod_class *class,
    const struct object_change *change)
{
	if (change->kind == OBJECT_NODE)
		return change->is != NULL &&
		    (change->was == NULL ||
			!labels_equal(&change->was->labels,
			    &change->is->labels));
	return change->left != NULL ?
	    any_may_match(&change->left->anti_affinity, class) :
	    change->kind == OBJECT_NAMESPACE;
}

static void
put_args(struct profile *profile, const struct plugin *self, const void *args)
{
	const struct inter_pod_affinity_args *a = args;

	profile->hard_pod_affinity_symmetric_weight =
	    a->hard_pod_affinity_weight;
}

const struct plugin plugin_inter_pod_affinity = {
	.name = "InterPodAffinity",
	.points = EARLY_AND_LATER(AT_POINT(PRE_FILTER) | AT_POINT(FILTER) |
	    AT_POINT(PRE_SCORE) | AT_POINT(SCORE)),
	.filters = { &predicate_match_inter_pod_affinity },
	.score = &priority_inter_pod_affinity_priority,
	.pre_filter = parse_pod,
	.weight = { 1, 2 },
	.enabled = true,
	.no_pre_filter = "error reading \"PreFilterInterPodAffinity\" "
			 "from cycleState: not found",
	.score_needs = POINT_PRE_SCORE,
	.no_state = "failed to read \"PreScoreInterPodAffinity\" "
		    "from cycleState: not found",
	.wakes = own_wakes,
	.of_pods = true,
	.hidden_from = PODS_WITH_TERMS,
	.put_args = put_args,
};

const struct plugin plugin_existing_anti_affinity = {
	.name = "InterPodAffinity",
	.wakes = existing_wakes,
};
