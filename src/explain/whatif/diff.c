#include "config.h"

#include "explain/whatif/diff.h"

#include <math.h>

#include "base/hash.h"
#include "base/sorted.h"
#include "decide/framework/profile.h"
#include "decide/sched/pre_enqueue.h"
#include "explain/whatif/whatif.h"

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

const char *
tip_between(const struct whatif *w, const struct decision *d, sym a, sym b)
{
	const struct profile *profile = w->cycle.profile;
	struct lead lead = { NULL, 0, 0 };
	bool found;

	for (size_t i = 0; i < profile->npriorities; i++)
		try_lead(&lead, profile->priorities[i].name, 0,
		    margin(w, d, i, a, b, &found));
	return lead.rule;
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
		return (struct tip){ NULL, arena_strdup(arena, error) };
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

const char *
diff_cause_name(enum diff_cause cause)
{
	static const char *const names[DIFF_CAUSES] = {
		[DIFF_RULE] = "rule",
		[DIFF_KNOCK_ON] = "knock-on",
		[DIFF_CHANCE] = "chance",
	};

	return names[cause];
}

/* ---- which pods ---- */

/* Whether it is not even tried. */
static bool
is_held(struct whatif *w, const struct pod *pod)
{
	return pod->node == SYM_EMPTY && whatif_begin(w, pod, 0) &&
	    pre_enqueue_refusal(&w->cycle) != NULL;
}

/* new: or NULL. */
static void
take_pods(struct diff *d, struct whatif *old, struct whatif *new, size_t n,
    struct pod *const *pods)
{
	d->pods = arena_array(&d->arena, struct diff_pod, n);
	for (size_t i = 0; i < n; i++) {
		const struct pod *pod = pods[i];

		if (pod_has_ended(pod))
			continue;
		if (!whatif_may_move(pod) || is_held(old, pod) ||
		    (new != NULL &&is_held(new, pod))) {
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
		if (new != NULL)
			pod_unref(whatif_lift(new, d->pods[i].pod));
		d->pods[i].lifted = whatif_lift(old, d->pods[i].pod);
	}
	d->ndecided = d->npods;
}

/* ---- why ---- */

/* A rule moves the pod: which one, by the last cycles of both. */
static void
explain(struct diff *d, struct diff_pod *p, struct whatif *old,
    struct whatif *new)
{
	struct tip tip = tip_find(old, new, &d->arena);

	/* profiles may be freed before the diff is */
	p->rule = tip.rule != NULL ? arena_strdup(&d->arena, tip.rule) : NULL;
	p->why = tip.why;
	d->nexplained++;
}

static void
count_rule(struct diff *d, const char *name)
{
	struct diff_rule *rule = FIND_ROW(d->rules, d->nrules, name, name);

	if (rule == NULL) {
		arena_room(&d->arena, d->rules, d->nrules, &d->rules_cap);
		rule = &d->rules[d->nrules++];
		*rule = (struct diff_rule){ name, 0 };
	}
	rule->pods++;
}

static int
compare_rules(const void *a, const void *b)
{
	const struct diff_rule *x = a, *y = b;

	if (x->pods != y->pods)
		return x->pods < y->pods ? 1 : -1;
	return strcmp(x->name, y->name);
}

void
diff_sort_rules(struct diff *d)
{
	SORT(d->rules, d->nrules, compare_rules);
}

/* ---- callers that decide themselves ---- */

static void
count(struct diff *d, const struct diff_pod *p)
{
	d->nunschedulable += p->new_node == SYM_NONE;
	d->nschedulable += p->old_node == SYM_NONE;
	d->nelsewhere += p->new_node != SYM_NONE && p->old_node != SYM_NONE;
	d->causes[DIFF_MOVED].pods++;
	d->causes[p->cause].pods++;
	if (p->rule != NULL)
		count_rule(d, p->rule);
}

void
diff_add(struct diff *d, const struct pod *pod, struct whatif *old,
    const struct decision *before, struct whatif *new,
    const struct decision *after)
{
	struct diff_pod p = {
		.now = SYM_NONE,
		.old_node = whatif_chosen(before),
		.new_node = whatif_chosen(after),
		.cause = DIFF_RULE,
	};

	d->ndecided++;
	if (p.old_node == p.new_node)
		return;
	if (before != NULL && after != NULL && d->nexplained < DIFF_EXPLAINED)
		explain(d, &p, old, new);
	count(d, &p);
	p.pod = pod_ref(pod);
	/* the nodes may be gone before the diff is */
	if (p.old_node != SYM_NONE)
		sym_hold(&d->arena, p.old_node);
	if (p.new_node != SYM_NONE)
		sym_hold(&d->arena, p.new_node);
	arena_room(&d->arena, d->pods, d->npods, &d->pods_cap);
	d->pods[d->npods++] = p;
}

/* ---- placing ---- */

/* A set of profiles and the claims of its cluster as they were. */
struct side {
	struct whatif *w;
	uint64_t seed;
	struct whatif_claims claims;
};

static void
side_begin(struct side *s, struct whatif *w)
{
	s->w = w;
	s->seed = w->seed;
	whatif_claims_save(&s->claims, w->cluster);
}

static void
side_end(struct side *s)
{
	s->w->seed = s->seed;
	whatif_claims_fini(&s->claims);
}

static void
put(struct whatif *w, const struct diff_pod *p, sym node)
{
	if (node != SYM_NONE)
		whatif_place(w, p->lifted, node, NULL);
}

/* Places all pods, by OLD or by NEW; returns how many have got a node. */
static size_t
place_all(struct diff *d, struct whatif *w, bool by_new)
{
	size_t placed = 0;

	for (size_t i = 0; i < d->npods; i++) {
		struct diff_pod *p = &d->pods[i];
		sym stay = by_new ? p->old_node : p->now;
		sym node =
		    whatif_chosen(whatif_decide_staying(w, p->lifted, i, stay));

		put(w, p, node);
		placed += node != SYM_NONE;
		if (by_new) {
			p->new_node = node;
			p->nseeds += node != p->old_node;
		} else {
			p->old_node = node;
		}
	}
	return placed;
}

static void
take_off(struct diff *d, struct side *s)
{
	for (size_t i = 0; i < d->npods; i++)
		cluster_forget(s->w->cluster, d->pods[i].lifted);
	whatif_claims_restore(&s->claims, s->w->cluster);
}

/* Of all pods that move; old: to explain them, or NULL.  The number of those that a
 * rule moves. */
static size_t
find_causes(struct diff *d, struct whatif *old, struct whatif *new)
{
	size_t n = 0;

	for (size_t i = 0; i < d->npods; i++) {
		struct diff_pod *p = &d->pods[i];

		if (p->new_node != p->old_node) {
			/* Asks NEW about a pod that moves where all before it
			 * are where OLD has put them. */
			struct decision *after = whatif_decide_staying(new,
			    p->lifted, i, p->old_node);

			p->cause = whatif_chosen(after) != p->old_node ?
			    DIFF_RULE :
			    DIFF_KNOCK_ON;
			if (p->cause == DIFF_RULE && old != NULL &&
			    after != NULL && d->nexplained < DIFF_EXPLAINED &&
			    whatif_decide_staying(old, p->lifted, i, p->now) !=
				NULL)
				explain(d, p, old, new);
			n += p->cause == DIFF_RULE;
		}
		put(new, p, p->old_node);
		if (old != NULL)
			put(old, p, p->old_node);
	}
	return n;
}

/* ---- the pods that others move ---- */

/* The last pods that come to a node and leave it. */
struct passing {
	const struct pod *came, *left;
};

static struct passing *
passing_at(const struct whatif *w, struct passing *nodes, sym node)
{
	return node != SYM_NONE ?
	    &nodes[cluster_node(w->cluster, node)->index] :
	    NULL;
}

/* Tells which pod before it is in the way, or makes room. */
static void
explain_knock_ons(struct diff *d, const struct whatif *new)
{
	struct passing *nodes =
	    arena_array(&d->arena, struct passing, new->cluster->nnodes);

	for (size_t i = 0; i < d->npods; i++) {
		struct diff_pod *p = &d->pods[i];
		struct passing *from = passing_at(new, nodes, p->old_node);
		struct passing *to = passing_at(new, nodes, p->new_node);

		if (from == to)
			continue;
		if (p->cause != DIFF_RULE && p->nseeds < d->nseeds)
			p->cause = DIFF_CHANCE;
		if (p->cause != DIFF_RULE) {
			if (from != NULL && from->came != NULL)
				p->why = arena_printf(&d->arena,
				    "%s comes to %s", pod_full_name(from->came),
				    sym_text(p->old_node));
			else if (to != NULL && to->left != NULL)
				p->why = arena_printf(&d->arena, "%s leaves %s",
				    pod_full_name(to->left),
				    sym_text(p->new_node));
			else
				p->why = "other pods are elsewhere";
		}
		if (from != NULL)
			from->left = p->pod;
		if (to != NULL)
			to->came = p->pod;
		count(d, p);
	}
}

/* ---- with several seeds ---- */

/* Adds the count of one more seed, the number of which is *seen before. */
static void
add_sample(struct diff_count *c, uint32_t seen, size_t pods)
{
	double off = (double)pods - c->mean;

	/* deviation: the sum of squares until the end */
	c->mean += off / (seen + 1);
	c->deviation += off * ((double)pods - c->mean);
}

static void
run_seed(struct diff *d, struct side *old, struct side *new, uint32_t seed)
{
	const bool is_last = seed == 0;
	size_t moved = 0, tipped;

	old->w->seed = hash_mix(seed) + old->seed;
	new->w->seed = hash_mix(seed) + new->seed;
	d->old_placed = place_all(d, old->w, false);
	d->new_placed = place_all(d, new->w, true);
	if (is_last) {
		balance_find(&d->old_balance, old->w->cluster, &d->arena);
		balance_find(&d->new_balance, new->w->cluster, &d->arena);
	}
	for (size_t i = 0; i < d->npods; i++)
		moved += d->pods[i].old_node != d->pods[i].new_node;
	take_off(d, old);
	take_off(d, new);
	tipped = find_causes(d, is_last ? old->w : NULL, new->w);
	take_off(d, new);
	add_sample(&d->causes[DIFF_MOVED], d->nseeds - 1 - seed, moved);
	add_sample(&d->causes[DIFF_RULE], d->nseeds - 1 - seed, tipped);
}

void
diff_find(struct diff *d, struct whatif *old, struct whatif *new, size_t n,
    struct pod *const *pods, uint32_t nseeds)
{
	struct side before, after;

	memset(d, 0, sizeof(*d));
	side_begin(&before, old);
	side_begin(&after, new);
	take_pods(d, old, new, n, pods);
	d->nseeds = nseeds;
	if (nseeds == 0)
		d->nseeds = d->npods * new->cluster->nnodes <= DIFF_FEW ?
		    DIFF_SEEDS :
		    1;
	for (uint32_t seed = d->nseeds; seed-- > 0;)
		run_seed(d, &before, &after, seed);
	for (size_t i = 0; i < d->npods; i++)
		put(new, &d->pods[i], d->pods[i].new_node);
	explain_knock_ons(d, new);
	diff_sort_rules(d);
	for (int i = 0; i < DIFF_CAUSES; i++)
		d->causes[i].deviation =
		    sqrt(d->causes[i].deviation / d->nseeds);
	side_end(&before);
	side_end(&after);
}

void
diff_place_old(struct diff *d, struct whatif *old, size_t n,
    struct pod *const *pods)
{
	memset(d, 0, sizeof(*d));
	take_pods(d, old, NULL, n, pods);
	d->old_placed = place_all(d, old, false);
	balance_find(&d->old_balance, old->cluster, &d->arena);
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
