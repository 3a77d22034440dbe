#include "config.h"

#include "explain/whatif/why_not.h"

#include "base/json_out.h"
#include "base/sorted.h"
#include "explain/diagnosis.h"
#include "explain/explanation.h"
#include "explain/whatif/whatif.h"

/* A rule that is left out, if it is on. */
struct edit {
	bool on;
	const char *rule; /* the predicate's name */
	const char *text;
};

struct search {
	struct why_not *r;
	struct whatif *w;
	const struct pod *pod;
	const struct profile *profile;
	struct node *node; /* as it was; owned */
	size_t nmoved, moved_cap, changes_cap;
	struct pod **moved; /* owned */
	size_t n, cap;
	struct edit *edits; /* in r->arena */
};

/* ---- trying changes ---- */

/* Decides about a pod of this class, without the rules that are left out, and with these
 * weights unless NULL; 0 leaves a priority out.  Valid until the next one. */
static struct decision *
decide_edited(struct search *s, const int64_t *weights,
    const struct pod_class *class)
{
	struct profile *profile;
	struct pod *pod;
	size_t n = 0;

	whatif_begin(s->w, s->pod, 0);
	pod = arena_memdup(&s->w->arena, s->pod, sizeof(*pod));
	pod->class = class;
	s->w->cycle.pod = pod;
	s->w->cycle.class = class;
	profile = arena_memdup(&s->w->arena, s->profile, sizeof(*profile));
	profile->predicates = arena_array(&s->w->arena,
	    struct profile_predicate, profile->npredicates);
	for (size_t i = 0; i < s->profile->npredicates; i++) {
		const struct profile_predicate *p = &s->profile->predicates[i];

		if (!ANY(k, s->n,
			s->edits[k].on &&
			    strcmp(s->edits[k].rule, p->name) == 0))
			profile->predicates[n++] = *p;
	}
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
	return whatif_decide_again(s->w);
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

/* ---- the changes ---- */

/* Applies the changes to the cluster and the pod of later decisions. */
static void
apply(struct search *s, const struct diagnosis_changes *c)
{
	struct cluster *cluster = s->w->cluster;
	struct pod *pod = arena_memdup(&s->r->arena, s->pod, sizeof(*pod));

	pod->class = c->class;
	pod->priority = c->priority;
	s->pod = pod;
	for (size_t i = 0; i < c->nmoved; i++) {
		arena_room(&s->r->arena, s->moved, s->nmoved, &s->moved_cap);
		s->moved[s->nmoved] = pod_ref((struct pod *)c->moved[i]);
		cluster_remove(cluster, &s->moved[s->nmoved++]->object);
	}
	if (c->node != NULL) {
		struct node *node =
		    object_copy(&s->node->object, sizeof(*node));

		node->labels = c->node->labels;
		node->unschedulable = c->node->unschedulable;
		node->taints = c->node->taints;
		node->ntaints = c->node->ntaints;
		node->conditions = c->node->conditions;
		node->nconditions = c->node->nconditions;
		cluster_put(cluster, &node->object);
		object_unref(&node->object);
	}
}

/* Makes the changes of the pod and the cluster that the diagnosis of the node, as it
 * is now, proposes.  False: there are none, or all were made before. */
static bool
make_changes(struct search *s)
{
	struct why_not *r = s->r;
	struct explanation e = { 0 };
	struct diagnosis_changes changes;
	struct cycle cycle;
	size_t before = r->nchanges;

	decide_edited(s, NULL, s->pod->class);
	cycle = s->w->cycle;
	cycle.arena = &r->arena;
	explanation_find(&e, &cycle);
	diagnosis_find_changes(&e, cluster_node(s->w->cluster, s->node->name),
	    &changes);
	for (size_t i = 0; i < changes.nremedies; i++) {
		if (text_is_one_of(changes.remedies[i], r->changes,
			r->nchanges))
			continue;
		arena_room(&r->arena, r->changes, r->nchanges, &s->changes_cap);
		r->changes[r->nchanges++] = changes.remedies[i];
	}
	if (r->nchanges == before)
		return false;
	apply(s, &changes);
	return true;
}

/* Leaves out the rule that refuses a pod of this class. */
static bool
drop_rule(struct search *s, const struct pod_class *class)
{
	struct decision *d = decide_edited(s, NULL, class);
	const struct node_verdict *v;
	const char *name, **reasons;

	if (d->error != NULL)
		return false;
	v = verdict_of(s, d);
	if (v->verdict == FITS || v->step == 0 || v->step == STEP_EXTENDER)
		return false;
	name = s->w->cycle.profile->predicates[v->step - 1].name;
	reasons = whatif_reasons(&s->r->arena, &d->why, v->first_reason,
	    v->nreasons, s->node->name);
	arena_room(&s->r->arena, s->edits, s->n, &s->cap);
	s->edits[s->n++] = (struct edit){ .on = true,
		.rule = name,
		.text = arena_printf(&s->r->arena,
		    v->nreasons > 0 ? "satisfy %s (%s)" : "satisfy %s", name,
		    arena_join(&s->r->arena, v->nreasons, reasons, "; ")) };
	return true;
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
		if (decision_node(d, d->feasible[j]) == index)
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
	struct decision *d = decide_edited(s, NULL, s->pod->class);

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
		if (whatif_chosen(decide_edited(s, weights, s->pod->class)) ==
		    s->node->name)
			found[s->r->nweights++] = found[k];
	}
	s->r->weights = found;
	SORT(found, s->r->nweights, compare_weights);
}

/* ---- the whole ---- */

static void
note_now(struct search *s)
{
	struct why_not *r = s->r;
	struct decision *d = decide_edited(s, NULL, s->pod->class);
	const struct node_verdict *v;

	r->chosen = r->chosen_then = whatif_chosen(d);
	if (d->error != NULL) {
		r->error = arena_strdup(&r->arena, d->error);
		return;
	}
	r->fits = r->fits_then = fits(s, d);
	v = verdict_of(s, d);
	r->nreasons = v->nreasons;
	r->reasons = whatif_reasons(&r->arena, &d->why, v->first_reason,
	    v->nreasons, s->node->name);
}

/* Changes first, then rules: those that refuse any pod, then others. */
static void
find_changes(struct search *s)
{
	struct why_not *r = s->r;

	while (!fits(s, decide_edited(s, NULL, s->pod->class)))
		if (!make_changes(s) &&
		    !drop_rule(s,
			diagnosis_without_demands(&r->arena, s->pod->class)) &&
		    !drop_rule(s, s->pod->class)) {
			r->nchanges = 0;
			return;
		}
	/* A rule that need not be left out is kept. */
	for (size_t i = s->n; i-- > 0;) {
		s->edits[i].on = false;
		s->edits[i].on =
		    !fits(s, decide_edited(s, NULL, s->pod->class));
	}
	for (size_t i = 0; i < s->n; i++) {
		if (!s->edits[i].on)
			continue;
		arena_room(&r->arena, r->changes, r->nchanges, &s->changes_cap);
		r->changes[r->nchanges++] = s->edits[i].text;
	}
	r->fits_then = true;
	r->chosen_then = whatif_chosen(decide_edited(s, NULL, s->pod->class));
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
	for (size_t i = 0; i < s.nmoved; i++) {
		cluster_put(s.w->cluster, &s.moved[i]->object);
		pod_unref(s.moved[i]);
	}
	cluster_put(s.w->cluster, &s.node->object);
	object_unref(&s.node->object);
}

void
why_not_fini(struct why_not *r)
{
	arena_fini(&r->arena);
}

void
why_not_json(struct json_out *json, const struct why_not *r)
{
	json_members(json, "chosen:n fits:b error:s", r->chosen, r->fits,
	    r->error);
	json_texts(json, "reasons", r->nreasons, r->reasons);
	json_break(json, " ");
	json_texts(json, "changes", r->nchanges, r->changes);
	json_members(json, "fitsThen:b chosenThen:n", r->fits_then,
	    r->chosen_then);
	json_break(json, " ");
	JSON_ARRAY (json, "weights", i, r->nweights)
		json_object(json, "priority:s weight:d insteadOf:d",
		    r->weights[i].name, r->weights[i].weight,
		    r->weights[i].instead_of);
}
