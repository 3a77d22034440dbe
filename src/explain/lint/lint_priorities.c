/*
 * Priorities that cannot change which node is best: those that give every node
 * the same score for every pod, and those that heavier ones always outweigh.
 *
 * Only entries of the policy are reported: the default rules are made for every
 * cluster.
 */
#include "config.h"

#include <inttypes.h>

#include "base/sorted.h"
#include "explain/lint/lint_internal.h"
#include "decide/framework/args.h"
#include "priorities/registry.h"

/* ---- why all nodes score the same ---- */

#define LEAVE_IT "; remove it, or keep it in case that changes"

/*
 * Each returns the reason why a priority gives every node the same score for every pod;
 * NULL: it may not.  Of others it depends on what they need; those that need nothing use
 * resources, which every pod requests.
 */

static const char *
why_node_label(struct lint *lint, const void *a, const char **advice)
{
	const struct label_preference_args *args = a;
	struct node_set without;

	if (HAS_PLUGINS(lint)) /* several labels, whose scores are averaged */
		return NULL;

	lint_nodes_without(lint, args->label, &without);
	if (without.n == 0)
		return arena_printf(&lint->arena,
		    "all nodes have the label "
		    "\"%s\"",
		    sym_text(args->label));
	if (without.n < lint->nnodes)
		return NULL;
	*advice = lint_label_hint(lint, args->label, LABEL_NODES);
	return arena_printf(&lint->arena, "no node has the label \"%s\"",
	    sym_text(args->label));
}

static const char *
why_service_anti_affinity(struct lint *lint, const void *a, const char **advice)
{
	sym label = ((const struct service_anti_affinity_args *)a)->label;
	struct node_set without;

	lint_nodes_without(lint, label, &without);
	if (without.n == lint->nnodes) {
		*advice = lint_label_hint(lint, label, LABEL_NODES);
		return arena_printf(&lint->arena,
		    "no node has the label "
		    "\"%s\"",
		    sym_text(label));
	}
	if (!ANY(i, lint->nnodes,
		labels_get(&lint->nodes[i]->labels, label) !=
		    labels_get(&lint->nodes[0]->labels, label)))
		return arena_printf(&lint->arena,
		    "all nodes have the same "
		    "value of the label \"%s\"",
		    sym_text(label));
	/* nodes without the label always score 0 */
	return without.n > 0 ? NULL : lint_lack(lint, NEEDS_POD_OF_SERVICE);
}

static const char *
why_constant(struct lint *lint, const struct lint_rule *rule,
    const char **advice)
{
	enum needs needs = lint_needs(rule);

	*advice = needs == NEEDS_THE_IMPOSSIBLE ? "; remove it" :
	    needs == NEEDS_ARGUMENT_SLOPE ? "; give it a slope, or remove it" :
					    LEAVE_IT;
	if (rule->unit == &priority_node_label)
		return why_node_label(lint, rule->args, advice);
	if (rule->unit == &priority_service_anti_affinity)
		return why_service_anti_affinity(lint, rule->args, advice);
	return lint_lack(lint, needs);
}

const char *
lint_why_constant(struct lint *lint, const struct lint_rule *rule)
{
	const char *advice;

	return why_constant(lint, rule, &advice);
}

/* ---- dominating weights ---- */

/* The parts of a node's total: priorities, and extenders that score. */
struct voters {
	size_t n;
	struct lint_rule *at;
};

static int
compare_voters(const void *a, const void *b)
{
	const struct lint_rule *x = a, *y = b;

	if (x->weight != y->weight)
		return x->weight < y->weight ? 1 : -1;
	return strcmp(x->name, y->name);
}

static const char *
list_voters(struct lint *lint, const struct lint_rule *at, size_t n)
{
	const char *text = "";

	for (size_t i = 0; i < n; i++)
		text = arena_printf(&lint->arena,
		    "%s%s\"%s\" (weight %" PRId64 ")", text,
		    i == 0        ? "" :
			i + 1 < n ? ", " :
				    " and ",
		    at[i].name, at[i].weight);
	return text;
}

/*
 * Scores are whole numbers up to score_max, so a voter decides alone where it
 * weighs more than score_max times all lighter ones together: its smallest
 * difference, 1, is more than they can make up for.  That holds for as long as
 * all heavier ones do the same; the first that does not ends it.
 */
static void
warn_outweighed(struct lint *lint, const struct voters *voters)
{
	int64_t rest = 0, max = lint->profile->score_max;

	for (size_t i = 0; i < voters->n; i++)
		if (__builtin_add_overflow(rest, voters->at[i].weight, &rest))
			return;
	for (size_t i = 0; i + 1 < voters->n; i++) {
		const struct lint_rule *v = &voters->at[i];
		size_t nlighter = voters->n - i - 1;

		rest -= v->weight;
		if ((v->weight - 1) / max < rest)
			return;
		if (v->line == 0)
			continue;
		lint_warn(lint, v,
		    "%s only decide%s between "
		    "nodes that \"%s\" (weight %" PRId64 ") scores equally; "
		    "lower its weight if you do not intend that",
		    list_voters(lint, v + 1, nlighter),
		    nlighter == 1 ? "s" : "", v->name, v->weight);
	}
}

void
lint_priorities(struct lint *lint)
{
	const struct profile *profile = lint->profile;
	struct voters voters = {
		.at = arena_array(&lint->arena, struct lint_rule,
		    profile->npriorities + profile->nextenders)
	};

	/* priorities decide nothing where there is nothing to choose */
	if (lint->nnodes < 2)
		return;
	for (size_t i = 0; i < lint->nrules; i++) {
		const struct lint_rule *rule = &lint->rules[i];
		const char *advice, *why;

		if (!rule->is_priority)
			continue;
		why = why_constant(lint, rule, &advice);
		if (why == NULL)
			voters.at[voters.n++] = *rule;
		else if (rule->line != 0)
			lint_warn_of(lint, rule,
			    "changes nothing here, every node gets the same "
			    "score: %s%s",
			    why, advice);
	}
	for (size_t i = 0; i < profile->nextenders; i++) {
		const struct extender *e = &profile->extenders[i];

		if (*e->prioritize_verb != '\0')
			voters.at[voters.n++] =
			    (struct lint_rule){ .name = e->url_prefix,
				    .weight = e->weight,
				    .line = e->line,
				    .column = e->column };
	}
	SORT(voters.at, voters.n, compare_voters);
	warn_outweighed(lint, &voters);
}
