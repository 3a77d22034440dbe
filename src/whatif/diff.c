#include "config.h"

#include "whatif/diff.h"

#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/xmalloc.h"
#include "sched/pre_enqueue.h"
#include "whatif/tip.h"
#include "whatif/whatif.h"

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
	if (d->npods > 0)
		qsort(d->pods, d->npods, sizeof(*d->pods),
		    whatif_compare_first_pods);
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
	if (d->nrules > 0)
		qsort(d->rules, d->nrules, sizeof(*d->rules), compare_rules);
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
