/*
 * NodeAffinityPriority: prefer nodes that the pod's node affinity prefers.
 *
 *	raw score = sum of the weights of the terms that match the node's labels
 *
 * The highest sum becomes score_max; lower sums are scaled in proportion.  As
 * in kube-scheduler 1.15 only matchExpressions count; a term without any
 * matches nothing, and one of weight 0 is ignored.  A malformed expression is
 * an error of the attempt: the first one, because equal errors of several nodes
 * are reported once.
 *
 * Where LeafNodeDistribution applies, so do the preferred terms of the advanced term
 * of the pod's distribution policy, as if they were the pod's.  Malformed ones are
 * ignored: their policy's owner sees an Event.
 *
 * Profiles of the framework: matchFields count, too, and so do the preferred terms
 * of the plugin's addedAffinity.  Malformed terms of the pod are an error with the
 * texts of all of them.  In 1.36 a pod for which there are no terms is not scored
 * (doc/semantics/11-kube-1.36.md, Node plugins; doc/semantics/12-kube-1.20.md, Node
 * plugins).
 */
#include "config.h"

#include "cluster/columns.h"
#include "cluster/label_terms.h"
#include "decide/framework/args.h"
#include "decide/framework/cycle.h"
#include "decide/framework/profile.h"
#include "objects/changes.h"
#include "objects/confines.h"
#include "priorities/registry.h"

struct wish {
	bool wide; /* sums may need more than 32 bits */
	size_t n;
	const struct label_term *terms;
	struct label_sums sums; /* of all nodes */
};

/* Adds the terms that count: a policy looks at matchExpressions alone. */
static void
add_terms(const struct cycle *cycle, size_t n,
    const struct preferred_node_term *preferred, struct label_term *terms,
    size_t *nterms)
{
	for (size_t i = 0; i < n; i++) {
		const struct preferred_node_term *p = &preferred[i];
		const struct node_selector_term *term = &p->term;

		if (p->weight == 0)
			continue;
		if (cycle->profile->release < SINCE_FRAMEWORK)
			terms[(*nterms)++] = (struct label_term){ p->weight,
				&p->expressions, NULL };
		else if (term->has_labels || term->has_fields)
			terms[(*nterms)++] = (struct label_term){ p->weight,
				term->has_labels ? &term->labels : NULL,
				term->has_fields ? &term->fields : NULL };
	}
}

/* An aggregate of Go: "a", or "[a, b]" with each text once. */
struct aggregate {
	struct cycle *cycle;
	const char *all; /* "a, b" */
	size_t n, cap;
	const char **texts;
};

static void
add_error(struct aggregate *a, const char *text)
{
	for (size_t i = 0; i < a->n; i++)
		if (strcmp(a->texts[i], text) == 0)
			return;
	arena_room(a->cycle->arena, a->texts, a->n, &a->cap);
	a->texts[a->n++] = text;
	a->all = a->n == 1 ?
	    text :
	    arena_printf(a->cycle->arena, "%s, %s", a->all, text);
}

/* 1.20 knows the first error of each term, 1.36 lists all. */
static void
report_errors(struct cycle *cycle)
{
	const struct pod_class *class = cycle->class;
	struct aggregate a = { .cycle = cycle };

	for (uint32_t i = 0; i < class->npreferred_nodes; i++) {
		const struct preferred_node_term *p =
		    &class->preferred_nodes[i];

		if (p->weight == 0)
			continue;
		if (cycle->profile->release >= SINCE_NODE_AFFINITY_WORDS)
			for (uint32_t k = 0; k < p->nproblems; k++)
				add_error(&a,
				    arena_printf(cycle->arena, "[%u].%s", i,
					p->problems[k]));
		else if (p->term.labels.error != NULL)
			add_error(&a, p->term.labels.error);
		else if (p->term.fields.error != NULL)
			add_error(&a, p->term.fields.error);
	}
	if (a.n > 0)
		cycle_fail(cycle, a.n == 1 ? "%s" : "[%s]", a.all);
}

/* That of the pod's distribution policy. */
static const struct node_affinity *
distribution_of(const struct cycle *cycle)
{
	static const struct node_affinity none;
	const struct confines *confines = cycle->class->confines;
	const struct profile *profile = cycle->profile;

	if (confines == NULL || confines->distribution.affinity.npreferred == 0)
		return &none;
	return ANY(i, profile->npredicates,
		   strcmp(profile->predicates[i].unit->name,
		       "LeafNodeDistribution") == 0) ?
	    &confines->distribution.affinity :
	    &none;
}

/* args: struct node_affinity_args, or NULL. */
static const void *
prepare(struct cycle *cycle, const void *args)
{
	const struct node_affinity_args *a = args;
	const struct pod_class *class = cycle->class;
	const struct node_affinity *distribution = distribution_of(cycle);
	bool policy = cycle->profile->release < SINCE_FRAMEWORK;
	uint32_t nadded = a != NULL ? a->npreferred : 0;
	uint32_t ndistributed = distribution->npreferred;
	struct wish *wish = arena_zalloc(cycle->arena, sizeof(*wish));
	struct label_term *terms = arena_array(cycle->arena, struct label_term,
	    class->npreferred_nodes + ndistributed + nadded);
	const struct preferred_node_term *bad =
	    FIND(i, class->preferred_nodes, class->npreferred_nodes,
		class->preferred_nodes[i].weight != 0 &&
		    class->preferred_nodes[i].expressions.error != NULL);
	int64_t most = 0;

	if (!policy)
		report_errors(cycle);
	else if (bad != NULL)
		cycle_fail(cycle, "%s", bad->expressions.error);
	add_terms(cycle, class->npreferred_nodes, class->preferred_nodes, terms,
	    &wish->n);
	if (ndistributed > 0)
		add_terms(cycle, ndistributed, distribution->preferred, terms,
		    &wish->n);
	if (nadded > 0)
		add_terms(cycle, nadded, a->preferred, terms, &wish->n);
	wish->terms = terms;
	for (size_t i = 0; !policy && i < wish->n; i++)
		most += llabs(terms[i].weight);
	wish->wide = most > INT32_MAX;
	if (class->npreferred_nodes + ndistributed + nadded == 0)
		return cycle->profile->release < SINCE_NODE_AFFINITY_UNSCORED ?
		    PREP_UNIFORM(0) :
		    PREP_SKIPPED;
	label_sums_init(&wish->sums, cycle->arena, wish->n, terms);
	return wish;
}

static int64_t
score(struct cycle *cycle, const struct node_info *node, const void *prep)
{
	struct wish *wish = (struct wish *)prep;
	int64_t sum = 0;

	if (wish->sums.large && !wish->wide)
		return label_sums_get(&wish->sums, cycle->cluster)[node->index];
	for (size_t i = 0; i < wish->n; i++) {
		const struct label_term *term = &wish->terms[i];

		if ((term->labels == NULL ||
			selector_matches(term->labels, &node->node->labels)) &&
		    (term->fields == NULL ||
			fields_match(term->fields, node->name)))
			sum += term->weight;
	}
	/* 32 bits wide there, too */
	return wish->wide ? sum : (int32_t)(uint32_t)sum;
}

static bool
score_block(struct cycle *cycle, const struct column_block *b, const void *prep,
    int64_t *restrict scores)
{
	struct wish *wish = (struct wish *)prep;
	const int32_t *sums;

	if (wish->wide)
		return false;
	sums = label_sums_get(&wish->sums, cycle->cluster) + b->first;
	for (uint32_t i = 0; i < COLUMN_ROWS; i++)
		scores[i] = sums[i];
	return true;
}

static void
reduce(struct cycle *cycle, const void *prep, size_t n, const uint32_t *at,
    const uint32_t *times, int64_t *scores)
{
	normalize(cycle->profile->score_max, 0, n, scores);
}

static enum needs
needs_by(const void *args)
{
	const struct node_affinity_args *a = args;

	return a != NULL && a->npreferred > 0 ? NEEDS_NO_OBJECT :
						NEEDS_POD_PREFERRED_NODES;
}

const struct priority priority_node_affinity_priority = {
	.name = "NodeAffinityPriority",
	.policy = { .in = IN_BOTH },
	.reads = READS_NODE | ASPECT_NODE_AFFINITY | ASPECT_CONFINES,
	.plugin = PLUGIN_NODE_AFFINITY,
	.prepare = prepare,
	.score = score,
	.score_block = score_block,
	.reduce = reduce,
	.needs_by = needs_by,
};
