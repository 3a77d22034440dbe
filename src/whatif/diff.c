#include "config.h"

#include "whatif/diff.h"

#include <stdlib.h>
#include <string.h>

#include "base/sorted.h"
#include "framework/profile.h"
#include "sched/pre_enqueue.h"
#include "whatif/whatif.h"

/* ---- the rule that tips a decision ---- */

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
		    w->cluster->nodes[decision_node(d, d->feasible[j])]->name;

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

/* ---- which pods ---- */

/* Whether it is not even tried. */
static bool
is_held(struct whatif *w, const struct pod *pod)
{
	return pod->node == SYM_EMPTY && whatif_begin(w, pod, 0) &&
	    pre_enqueue_refusal(&w->cycle) != NULL;
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
		if (!whatif_may_move(pod) || is_held(old, pod) ||
		    is_held(new, pod)) {
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
	SORT(d->pods, d->npods, whatif_compare_first_pods);
	for (size_t i = 0; i < d->npods; i++) {
		struct pod *same = whatif_lift(new, d->pods[i].pod);

		pod_unref(same);
		d->pods[i].lifted = whatif_lift(old, d->pods[i].pod);
	}
}

/* ---- why ---- */

static void
explain(struct diff *d, struct diff_pod *p, struct whatif *old,
    struct whatif *new)
{
	struct tip tip = tip_find(old, new, &d->arena);

	/* profiles may be freed before the diff is */
	p->rule = tip.rule != NULL ?
	    arena_strndup(&d->arena, tip.rule, strlen(tip.rule)) :
	    NULL;
	p->why = tip.why;
}

static void
count_rule(struct diff *d, const char *name)
{
	for (size_t i = 0; i < d->nrules; i++) {
		if (strcmp(d->rules[i].name, name) == 0) {
			d->rules[i].pods++;
			return;
		}
	}
	arena_room(&d->arena, d->rules, d->nrules, &d->rules_cap);
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

bool
diff_compare(struct diff *d, struct diff_pod *p, struct whatif *old,
    const struct decision *before, struct whatif *new,
    const struct decision *after)
{
	p->old_node = chosen(before);
	p->new_node = chosen(after);
	if (p->old_node == p->new_node)
		return false;
	note(d, p);
	if (before != NULL && after != NULL && d->nexplained < DIFF_EXPLAINED) {
		explain(d, p, old, new);
		d->nexplained++;
	}
	if (p->rule != NULL)
		count_rule(d, p->rule);
	return true;
}

void
diff_add(struct diff *d, const struct pod *pod, struct whatif *old,
    const struct decision *before, struct whatif *new,
    const struct decision *after)
{
	struct diff_pod p = { .now = SYM_NONE };

	d->ndecided++;
	if (!diff_compare(d, &p, old, before, new, after))
		return;
	p.pod = pod_ref(pod);
	/* the nodes may be gone before the diff is */
	if (p.old_node != SYM_NONE)
		sym_hold(&d->arena, p.old_node);
	if (p.new_node != SYM_NONE)
		sym_hold(&d->arena, p.new_node);
	arena_room(&d->arena, d->pods, d->npods, &d->pods_cap);
	d->pods[d->npods++] = p;
}

void
diff_sort_rules(struct diff *d)
{
	SORT(d->rules, d->nrules, compare_rules);
}

static void
place_old(struct diff *d, struct whatif *old, struct whatif *new)
{
	for (size_t i = 0; i < d->npods; i++) {
		struct diff_pod *p = &d->pods[i];
		struct decision *before = whatif_decide(old, p->lifted, i);
		struct decision *after = whatif_decide(new, p->lifted, i);

		diff_compare(d, p, old, before, new, after);
		if (p->old_node != SYM_NONE) {
			whatif_place(old, p->lifted, p->old_node);
			whatif_place(new, p->lifted, p->old_node);
			d->old_placed++;
		}
	}
	d->ndecided = d->npods;
	diff_sort_rules(d);
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
	struct whatif_claims claims;

	memset(d, 0, sizeof(*d));
	take_pods(d, old, new, n, pods);
	whatif_claims_save(&claims, new->cluster);
	place_old(d, old, new);
	balance_find(&d->old_balance, old->cluster, &d->arena);
	take_off(d, new);
	whatif_claims_restore(&claims, new->cluster);
	whatif_claims_fini(&claims);
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

/* ---- one set of profiles alone ---- */

static void
lift_pods(struct refill *r, struct whatif *w, size_t n, struct pod *const *pods)
{
	r->lifted = arena_array(&r->arena, struct pod *, n);
	for (size_t i = 0; i < n; i++) {
		if (whatif_may_move(pods[i]))
			r->lifted[r->npods++] = whatif_lift(w, pods[i]);
		else
			r->nfixed += pods[i]->node != SYM_EMPTY &&
			    pods[i]->phase != POD_SUCCEEDED &&
			    pods[i]->phase != POD_FAILED;
	}
	SORT(r->lifted, r->npods, whatif_compare_first_pods);
}

void
refill_find(struct refill *r, struct whatif *w, size_t n,
    struct pod *const *pods)
{
	memset(r, 0, sizeof(*r));
	lift_pods(r, w, n, pods);
	for (size_t i = 0; i < r->npods; i++) {
		const struct decision *d = whatif_decide(w, r->lifted[i], i);

		if (d == NULL || d->chosen == NULL)
			continue;
		whatif_place(w, r->lifted[i], d->chosen->name);
		r->nplaced++;
	}
	balance_find(&r->balance, w->cluster, &r->arena);
}

void
refill_fini(struct refill *r)
{
	for (size_t i = 0; i < r->npods; i++)
		pod_unref(r->lifted[i]);
	arena_fini(&r->arena);
}
