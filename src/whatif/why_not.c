#include "config.h"

#include "whatif/why_not.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/xmalloc.h"
#include "whatif/whatif.h"

enum edit_kind { EDIT_UNCORDON, EDIT_TAINT, EDIT_AMOUNT, EDIT_RULE };

/* One change; those that are on are tried. */
struct edit {
	enum edit_kind kind;
	bool on;
	uint32_t taint;   /* its place on the node */
	int which;        /* EDIT_AMOUNT: 0 cpu, 1 memory, 2 pods */
	int64_t amount;   /* that is short */
	const char *rule; /* of EDIT_RULE: the predicate's name */
	const char *text;
};

struct search {
	struct why_not *r;
	struct whatif *w;
	const struct pod *pod;
	const struct profile *profile;
	struct node *node; /* as it was; owned */
	size_t n, cap;
	struct edit *edits; /* in r->arena */
};

/* ---- trying changes ---- */

static bool
is_dropped(const struct search *s, const char *rule)
{
	for (size_t i = 0; i < s->n; i++)
		if (s->edits[i].on && s->edits[i].kind == EDIT_RULE &&
		    strcmp(s->edits[i].rule, rule) == 0)
			return true;
	return false;
}

static struct node *
edited_node(const struct search *s)
{
	struct node *node = object_copy(&s->node->object, sizeof(*node));
	struct taint *taints =
	    arena_array(&node->object.arena, struct taint, node->ntaints + 1);
	int64_t *const amounts[] = { &node->allocatable.cpu_milli,
		&node->allocatable.memory, &node->allocatable.pods };
	uint32_t n = 0;

	for (uint32_t t = 0; t < node->ntaints; t++) {
		bool removed = false;

		for (size_t i = 0; i < s->n; i++)
			removed |= s->edits[i].on &&
			    s->edits[i].kind == EDIT_TAINT &&
			    s->edits[i].taint == t;
		if (!removed)
			taints[n++] = node->taints[t];
	}
	node->taints = taints;
	node->ntaints = n;
	for (size_t i = 0; i < s->n; i++) {
		if (!s->edits[i].on)
			continue;
		if (s->edits[i].kind == EDIT_UNCORDON)
			node->unschedulable = false;
		else if (s->edits[i].kind == EDIT_AMOUNT)
			*amounts[s->edits[i].which] += s->edits[i].amount;
	}
	return node;
}

/* Decides with the edits that are on, and with these weights unless NULL; 0 leaves
 * a priority out.  Valid until the next one. */
static struct decision *
decide_edited(struct search *s, const int64_t *weights)
{
	struct node *node = edited_node(s);
	struct decision *decision;
	struct profile *profile;
	size_t n = 0;

	cluster_put(s->w->cluster, &node->object);
	object_unref(&node->object);
	whatif_begin(s->w, s->pod, 0);
	profile = arena_memdup(&s->w->arena, s->profile, sizeof(*profile));
	profile->predicates = arena_array(&s->w->arena,
	    struct profile_predicate, profile->npredicates);
	for (size_t i = 0; i < s->profile->npredicates; i++)
		if (!is_dropped(s, s->profile->predicates[i].name))
			profile->predicates[n++] = s->profile->predicates[i];
	profile->npredicates = n;
	profile->priorities = arena_array(&s->w->arena, struct profile_priority,
	    profile->npriorities);
	n = 0;
	for (size_t i = 0; i < s->profile->npriorities; i++) {
		if (weights != NULL && weights[i] == 0)
			continue;
		profile->priorities[n] = s->profile->priorities[i];
		if (weights != NULL)
			profile->priorities[n].weight = weights[i];
		n++;
	}
	profile->npriorities = n;
	s->w->cycle.profile = profile;
	s->w->cycle.ecache = NULL;
	s->w->cycle.keep_scores = true;
	decision = decide(&s->w->cycle);
	if (decision->error == NULL)
		decision_spell_out(&s->w->cycle, decision);
	return decision;
}

static const struct node_verdict *
verdict_of(const struct search *s, const struct decision *d)
{
	return decision_verdict(d,
	    cluster_node(s->w->cluster, s->node->name)->index);
}

static bool
fits(const struct search *s, const struct decision *d)
{
	return d->error == NULL && verdict_of(s, d)->verdict == FITS;
}

static sym
chosen(const struct decision *d)
{
	return d->error == NULL && d->chosen != NULL ? d->chosen->name :
						       SYM_NONE;
}

/* ---- the changes ---- */

static struct edit *
add_edit(struct search *s, enum edit_kind kind, const char *text)
{
	arena_room(&s->r->arena, s->edits, s->n, &s->cap);
	s->edits[s->n] =
	    (struct edit){ .kind = kind, .on = true, .text = text };
	return &s->edits[s->n++];
}

static void
add_amount(struct search *s, int which, int64_t used, int64_t asked,
    int64_t all)
{
	int64_t amount = used + asked - all;
	struct edit *edit;

	if (amount <= 0 || asked <= 0)
		return;
	edit = add_edit(s, EDIT_AMOUNT, NULL);
	edit->which = which;
	edit->amount = amount;
	edit->text = which == 0 ?
	    arena_printf(&s->r->arena, "%" PRId64 "m less cpu", amount) :
	    which == 1 ? arena_printf(&s->r->arena,
			     "%" PRId64 " bytes less memory", amount) :
			 arena_printf(&s->r->arena,
			     "%" PRId64 " fewer pods on the node", amount);
}

/* All that might help: of the node. */
static void
find_edits(struct search *s)
{
	const struct node_info *info =
	    cluster_node(s->w->cluster, s->node->name);
	const struct resources *asked =
	    pod_requested(s->pod->class, s->w->cluster->kubernetes_minor);
	const struct resources *has = &s->node->allocatable;

	if (s->node->unschedulable)
		add_edit(s, EDIT_UNCORDON, "uncordon the node");
	for (uint32_t i = 0; i < s->node->ntaints; i++) {
		const struct taint *t = &s->node->taints[i];

		add_edit(s, EDIT_TAINT,
		    arena_printf(&s->r->arena, "tolerate %s%s%s:%s",
			sym_text(t->key), t->value != SYM_EMPTY ? "=" : "",
			sym_text(t->value), sym_text(t->effect_text)))
		    ->taint = i;
	}
	add_amount(s, 0, info->requested.cpu_milli, asked->cpu_milli,
	    has->cpu_milli);
	add_amount(s, 1, info->requested.memory, asked->memory, has->memory);
	add_amount(s, 2, info->npods, 1, has->pods);
}

/* Leaves out rules until the pod fits. */
static bool
drop_rules(struct search *s)
{
	for (;;) {
		struct decision *d = decide_edited(s, NULL);
		const struct node_verdict *v;
		const char *name, *why = NULL;

		if (d->error != NULL)
			return false;
		v = verdict_of(s, d);
		if (v->verdict == FITS)
			return true;
		if (v->step == 0 || v->step == STEP_EXTENDER)
			return false;
		name = s->w->cycle.profile->predicates[v->step - 1].name;
		for (uint32_t i = 0; i < v->nreasons; i++) {
			const char *text = why_text(&s->r->arena,
			    d->why.reasons[v->first_reason + i],
			    sym_text(s->node->name));

			why = why == NULL ?
			    text :
			    arena_printf(&s->r->arena, "%s; %s", why, text);
		}
		add_edit(s, EDIT_RULE,
		    why != NULL ?
			arena_printf(&s->r->arena, "satisfy %s (%s)", name,
			    why) :
			arena_printf(&s->r->arena, "satisfy %s", name))
		    ->rule = name;
	}
}

/* Each change that the node's refusal is the same without is left out, before
 * rules are: a rule may hide several refusals. */
static void
drop_edits(struct search *s)
{
	for (size_t i = s->n; i-- > 0;) {
		struct node_verdict with, without;
		struct decision *d = decide_edited(s, NULL);

		if (d->error != NULL)
			return;
		with = *verdict_of(s, d);
		s->edits[i].on = false;
		d = decide_edited(s, NULL);
		if (d->error == NULL) {
			without = *verdict_of(s, d);
			if (with.step == without.step &&
			    with.nreasons == without.nreasons)
				continue;
		}
		s->edits[i].on = true;
	}
}

/* A rule that need not be left out is kept. */
static void
keep_rules(struct search *s)
{
	for (size_t i = s->n; i-- > 0;) {
		if (s->edits[i].kind != EDIT_RULE)
			continue;
		s->edits[i].on = false;
		s->edits[i].on = !fits(s, decide_edited(s, NULL));
	}
}

/* ---- the weights ---- */

static int64_t
distance(const struct why_not_weight *w)
{
	return llabs((long long)(w->weight - w->instead_of));
}

static int
compare_weights(const void *a, const void *b)
{
	const struct why_not_weight *x = a, *y = b;

	if (distance(x) != distance(y))
		return distance(x) < distance(y) ? -1 : 1;
	return strcmp(x->name, y->name);
}

/* How many steps up or down the weight has to go until the node has the highest
 * total, by arithmetic; 0: none helps. */
static int64_t
steps_needed(const struct search *s, const struct decision *d, size_t at,
    int sign)
{
	int64_t weight = s->profile->priorities[at].weight;
	const int64_t *scores = d->scores != NULL ? d->scores[at] : NULL;
	uint32_t index = cluster_node(s->w->cluster, s->node->name)->index;
	int64_t most = sign > 0 ? WHY_NOT_WEIGHT - weight : weight, need = 1;
	uint32_t mine = UINT32_MAX;

	for (uint32_t j = 0; j < d->nfitting; j++)
		if (d->cells[d->feasible[j]].node == index)
			mine = j;
	if (scores == NULL || mine == UINT32_MAX)
		return 0;
	for (uint32_t j = 0; j < d->nfitting; j++) {
		int64_t behind = d->totals[j] - d->totals[mine];
		int64_t gain = sign * (scores[mine] - scores[j]);

		if (behind < 0 || j == mine)
			continue;
		if (gain <= 0 && behind > 0)
			return 0;
		/* beyond a tie, where that is possible */
		if (gain > 0 && behind / gain + 1 > need)
			need = behind / gain + 1;
	}
	return need <= most ? need : 0;
}

static void
find_weights(struct search *s)
{
	size_t n = s->profile->npriorities, nfound = 0;
	struct why_not_weight *found =
	    arena_array(&s->r->arena, struct why_not_weight, 2 * n + 1);
	int64_t *weights = arena_array(&s->r->arena, int64_t, n + 1);
	struct decision *d = decide_edited(s, NULL);

	for (size_t i = 0; i < n; i++) {
		for (int sign = -1; sign <= 1; sign += 2) {
			int64_t steps = steps_needed(s, d, i, sign);
			int64_t now = s->profile->priorities[i].weight;

			if (steps > 0)
				found[nfound++] = (struct why_not_weight){
					s->profile->priorities[i].name,
					now + sign * steps, now
				};
		}
	}
	for (size_t k = 0; k < nfound; k++) {
		for (size_t i = 0; i < n; i++)
			weights[i] = strcmp(s->profile->priorities[i].name,
					 found[k].name) == 0 ?
			    found[k].weight :
			    s->profile->priorities[i].weight;
		if (chosen(decide_edited(s, weights)) == s->node->name)
			found[s->r->nweights++] = found[k];
	}
	s->r->weights = found;
	if (s->r->nweights > 0)
		qsort(found, s->r->nweights, sizeof(*found), compare_weights);
}

/* ---- the whole ---- */

static void
note_now(struct search *s)
{
	struct why_not *r = s->r;
	struct decision *d = decide_edited(s, NULL);
	const struct node_verdict *v;

	r->chosen = r->chosen_then = chosen(d);
	if (d->error != NULL) {
		r->error = arena_strndup(&r->arena, d->error, strlen(d->error));
		return;
	}
	r->fits = r->fits_then = fits(s, d);
	v = verdict_of(s, d);
	r->reasons = arena_array(&r->arena, const char *, v->nreasons);
	for (uint32_t i = 0; i < v->nreasons; i++) {
		const char *text =
		    why_text(&s->w->arena, d->why.reasons[v->first_reason + i],
			sym_text(s->node->name));

		r->reasons[r->nreasons++] =
		    arena_strndup(&r->arena, text, strlen(text));
	}
}

static void
find_changes(struct search *s)
{
	struct why_not *r = s->r;

	find_edits(s);
	drop_edits(s);
	if (!drop_rules(s))
		return;
	keep_rules(s);
	r->changes = arena_array(&r->arena, const char *, s->n);
	for (size_t i = 0; i < s->n; i++)
		if (s->edits[i].on)
			r->changes[r->nchanges++] = s->edits[i].text;
	r->fits_then = true;
	r->chosen_then = chosen(decide_edited(s, NULL));
}

void
why_not_find(struct why_not *r, struct whatif *w, const struct pod *pod,
    sym node)
{
	struct search s = { .r = r, .w = w, .pod = pod };
	const struct node *now = cluster_node(w->cluster, node)->node;

	memset(r, 0, sizeof(*r));
	r->chosen = r->chosen_then = SYM_NONE;
	r->served = whatif_begin(w, pod, 0);
	if (!r->served)
		return;
	s.profile = w->cycle.profile;
	s.node = (struct node *)object_ref(&((struct node *)now)->object);
	note_now(&s);
	if (r->error == NULL && !r->fits)
		find_changes(&s);
	if (r->fits_then && r->chosen_then != node)
		find_weights(&s);
	cluster_put(w->cluster, &s.node->object);
	object_unref(&s.node->object);
}

void
why_not_fini(struct why_not *r)
{
	arena_fini(&r->arena);
}
