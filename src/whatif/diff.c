#include "config.h"

#include "whatif/diff.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/xmalloc.h"
#include "ecache/ecache.h"
#include "whatif/whatif.h"

/* ---- which pods ---- */

static int
compare_pods(const void *a, const void *b)
{
	const struct diff_pod *x = a, *y = b;

	return whatif_compare_pods(x->pod, y->pod);
}

static void
take_pods(struct diff *d, struct whatif *old, struct whatif *new, size_t n,
    struct pod *const *pods)
{
	d->pods = arena_array(&d->arena, struct diff_pod, n);
	for (size_t i = 0; i < n; i++) {
		const struct pod *pod = pods[i];

		if (pod->phase == POD_SUCCEEDED || pod->phase == POD_FAILED)
			continue;
		if (!whatif_may_move(pod)) {
			d->nfixed += pod->node != SYM_EMPTY;
			continue;
		}
		d->pods[d->npods++] = (struct diff_pod){
			.pod = pod_ref(pod),
			.now = pod->node != SYM_EMPTY ? pod->node : SYM_NONE,
			.old_node = SYM_NONE,
			.new_node = SYM_NONE,
		};
	}
	if (d->npods > 0)
		qsort(d->pods, d->npods, sizeof(*d->pods), compare_pods);
	for (size_t i = 0; i < d->npods; i++) {
		struct pod *same = whatif_lift(new, d->pods[i].pod);

		pod_unref(same);
		d->pods[i].lifted = whatif_lift(old, d->pods[i].pod);
	}
}

/* ---- why ---- */

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

struct tip {
	const char *rule;
	double before, after;
};

static void
try_tip(struct tip *tip, const char *rule, double before, double after)
{
	if (after - before > tip->after - tip->before)
		*tip = (struct tip){ rule, before, after };
}

/* The priority that speaks for b more with NEW than it does with OLD. */
static struct tip
find_tip(const struct whatif *old, const struct decision *before,
    const struct whatif *new, const struct decision *after, sym a, sym b)
{
	const struct profile *p = new->cycle.profile, *q = old->cycle.profile;
	struct tip tip = { NULL, 0, 0 };
	bool found;

	for (size_t i = 0; i < p->npriorities; i++) {
		size_t k = priority_named(q, p->priorities[i].name);
		double was = 0, is = margin(new, after, i, a, b, &found);

		if (k < q->npriorities)
			was = margin(old, before, k, a, b, &found);
		try_tip(&tip, p->priorities[i].name, was, is);
	}
	for (size_t k = 0; k < q->npriorities; k++)
		if (priority_named(p, q->priorities[k].name) == p->npriorities)
			try_tip(&tip, q->priorities[k].name,
			    margin(old, before, k, a, b, &found), 0);
	return tip;
}

static struct decision *
decide_again(struct whatif *w)
{
	struct decision *d;

	w->cycle.keep_scores = true;
	w->cycle.ecache = NULL;
	w->use_profile(w->cluster, w->cycle.profile);
	d = decide(&w->cycle);
	if (d->error == NULL)
		decision_spell_out(&w->cycle, d);
	return d;
}

static void
explain(struct diff *d, struct diff_pod *p, struct whatif *old,
    struct whatif *new)
{
	struct decision *before = decide_again(old);
	struct decision *after = decide_again(new);
	const struct node_info *a = before->chosen, *b = after->chosen;
	struct tip tip;

	if (before->error != NULL || after->error != NULL) {
		const char *error =
		    after->error != NULL ? after->error : before->error;

		p->why = arena_strndup(&d->arena, error, strlen(error));
		return;
	}
	if (a != NULL)
		p->rule = refusing(new, after, a->name);
	if (p->rule != NULL) {
		p->why = arena_printf(&d->arena, "the new %s refuses %s",
		    p->rule, sym_text(a->name));
		return;
	}
	if (b != NULL)
		p->rule = refusing(old, before, b->name);
	if (p->rule != NULL) {
		p->why = arena_printf(&d->arena, "the old %s refuses %s",
		    p->rule, sym_text(b->name));
		return;
	}
	if (a == NULL || b == NULL)
		return;
	tip = find_tip(old, before, new, after, a->name, b->name);
	if (tip.rule == NULL) {
		p->why = "a tie: no rule prefers either more than before";
		return;
	}
	p->rule = tip.rule;
	p->why = arena_printf(&d->arena, "%s for %s over %s: %+.2f, was %+.2f",
	    tip.rule, sym_text(b->name), sym_text(a->name), tip.after,
	    tip.before);
}

static void
count_rule(struct diff *d, size_t *cap, const char *name)
{
	for (size_t i = 0; i < d->nrules; i++) {
		if (strcmp(d->rules[i].name, name) == 0) {
			d->rules[i].pods++;
			return;
		}
	}
	arena_room(&d->arena, d->rules, d->nrules, cap);
	d->rules[d->nrules++] = (struct diff_rule){ name, 1 };
}

static int
compare_rules(const void *a, const void *b)
{
	const struct diff_rule *x = a, *y = b;

	if (x->pods != y->pods)
		return x->pods < y->pods ? 1 : -1;
	return strcmp(x->name, y->name);
}

/* ---- placing ---- */

static sym
chosen(const struct decision *decision)
{
	return decision != NULL && decision->chosen != NULL ?
	    decision->chosen->name :
	    SYM_NONE;
}

static void
note(struct diff *d, struct diff_pod *p)
{
	d->nunschedulable += p->new_node == SYM_NONE;
	d->nschedulable += p->old_node == SYM_NONE;
	d->nelsewhere += p->new_node != SYM_NONE && p->old_node != SYM_NONE;
}

static void
place_old(struct diff *d, struct whatif *old, struct whatif *new)
{
	size_t cap = 0;

	for (size_t i = 0; i < d->npods; i++) {
		struct diff_pod *p = &d->pods[i];
		struct decision *before = whatif_decide(old, p->lifted, i);
		struct decision *after;

		p->old_node = chosen(before);
		after = whatif_decide(new, p->lifted, i);
		p->new_node = chosen(after);
		if (p->old_node != p->new_node) {
			note(d, p);
			if (before != NULL && after != NULL &&
			    d->nexplained < DIFF_EXPLAINED) {
				explain(d, p, old, new);
				d->nexplained++;
			}
			if (p->rule != NULL)
				count_rule(d, &cap, p->rule);
		}
		if (p->old_node != SYM_NONE) {
			whatif_place(old, p->lifted, p->old_node);
			whatif_place(new, p->lifted, p->old_node);
			d->old_placed++;
		}
	}
	if (d->nrules > 0)
		qsort(d->rules, d->nrules, sizeof(*d->rules), compare_rules);
}

static void
place_new(struct diff *d, struct whatif *new)
{
	for (size_t i = 0; i < d->npods; i++) {
		sym node = chosen(whatif_decide(new, d->pods[i].lifted, i));

		if (node == SYM_NONE)
			continue;
		whatif_place(new, d->pods[i].lifted, node);
		d->new_placed++;
	}
}

static void
take_off(struct diff *d, struct whatif *w)
{
	for (size_t i = 0; i < d->npods; i++)
		cluster_forget(w->cluster, d->pods[i].lifted);
}

void
diff_find(struct diff *d, struct whatif *old, struct whatif *new, size_t n,
    struct pod *const *pods)
{
	memset(d, 0, sizeof(*d));
	take_pods(d, old, new, n, pods);
	place_old(d, old, new);
	balance_find(&d->old_balance, old->cluster, &d->arena);
	take_off(d, new);
	place_new(d, new);
	balance_find(&d->new_balance, new->cluster, &d->arena);
}

void
diff_fini(struct diff *d)
{
	for (size_t i = 0; i < d->npods; i++) {
		pod_unref((struct pod *)d->pods[i].pod);
		pod_unref(d->pods[i].lifted);
	}
	arena_fini(&d->arena);
}
