/*
 * Both policies decide again without cached results, with the score of every rule
 * for every node.
 */
#include "config.h"

#include "whatif/tip.h"

#include <string.h>

#include "framework/profile.h"
#include "whatif/whatif.h"

/* The name of the predicate that refuses the node, or NULL. */
static const char *
refusing(const struct whatif *w, const struct decision *d, sym node)
{
	const struct node_verdict *v =
	    decision_verdict(d, cluster_node(w->cluster, node)->index);

	if (v->verdict == FITS || v->step == 0 || v->step == STEP_EXTENDER)
		return NULL;
	return w->cycle.profile->predicates[v->step - 1].name;
}

/* How much better node b is than a to a priority, times weight, as a share of
 * the highest score; in *found whether the decision has such a score. */
static double
margin(const struct whatif *w, const struct decision *d, size_t at, sym a,
    sym b, bool *found)
{
	const struct profile *profile = w->cycle.profile;
	int64_t score[2] = { 0 };

	*found = false;
	if (d->scores == NULL || d->scores[at] == NULL)
		return 0;
	for (uint32_t j = 0; j < d->nfitting; j++) {
		sym name =
		    w->cluster->nodes[d->cells[d->feasible[j]].node]->name;

		if (name == a)
			score[0] = d->scores[at][j];
		if (name == b)
			score[1] = d->scores[at][j];
	}
	*found = true;
	return (double)(score[1] - score[0]) *
	    (double)profile->priorities[at].weight / (double)profile->score_max;
}

/* The place of the priority with this name; npriorities: none. */
static size_t
priority_named(const struct profile *profile, const char *name)
{
	size_t i = 0;

	while (i < profile->npriorities &&
	    strcmp(profile->priorities[i].name, name) != 0)
		i++;
	return i;
}

struct lead {
	const char *rule;
	double before, after;
};

static void
try_lead(struct lead *lead, const char *rule, double before, double after)
{
	if (after - before > lead->after - lead->before)
		*lead = (struct lead){ rule, before, after };
}

/* The priority that speaks for b more with NEW than it does with OLD. */
static struct lead
find_lead(const struct whatif *old, const struct decision *before,
    const struct whatif *new, const struct decision *after, sym a, sym b)
{
	const struct profile *p = new->cycle.profile, *q = old->cycle.profile;
	struct lead lead = { NULL, 0, 0 };
	bool found;

	for (size_t i = 0; i < p->npriorities; i++) {
		size_t k = priority_named(q, p->priorities[i].name);
		double was = 0, is = margin(new, after, i, a, b, &found);

		if (k < q->npriorities)
			was = margin(old, before, k, a, b, &found);
		try_lead(&lead, p->priorities[i].name, was, is);
	}
	for (size_t k = 0; k < q->npriorities; k++)
		if (priority_named(p, q->priorities[k].name) == p->npriorities)
			try_lead(&lead, q->priorities[k].name,
			    margin(old, before, k, a, b, &found), 0);
	return lead;
}

struct tip
tip_find(struct whatif *old, struct whatif *new, struct arena *arena)
{
	struct decision *before = whatif_decide_again(old);
	struct decision *after = whatif_decide_again(new);
	const struct node_info *a = before->chosen, *b = after->chosen;
	const char *error = after->error != NULL ? after->error : before->error;
	const char *rule = NULL;
	struct lead lead;

	if (error != NULL)
		return (struct tip){ NULL,
			arena_strndup(arena, error, strlen(error)) };
	if (a != NULL)
		rule = refusing(new, after, a->name);
	if (rule != NULL)
		return (struct tip){ rule,
			arena_printf(arena, "the new %s refuses %s", rule,
			    sym_text(a->name)) };
	if (b != NULL)
		rule = refusing(old, before, b->name);
	if (rule != NULL)
		return (struct tip){ rule,
			arena_printf(arena, "the old %s refuses %s", rule,
			    sym_text(b->name)) };
	if (a == NULL || b == NULL)
		return (struct tip){ NULL, NULL };
	lead = find_lead(old, before, new, after, a->name, b->name);
	if (lead.rule == NULL)
		return (struct tip){ NULL,
			"a tie: no rule prefers either more than before" };
	return (struct tip){ lead.rule,
		arena_printf(arena, "%s for %s over %s: %+.2f, was %+.2f",
		    lead.rule, sym_text(b->name), sym_text(a->name), lead.after,
		    lead.before) };
}
