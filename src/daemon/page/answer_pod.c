/* One pod's decision as a table node × rule, and why, and what would help. */
#include "config.h"

#include "base/sorted.h"
#include "cluster/cluster.h"
#include "decide/framework/profile.h"
#include "explain/diagnosis.h"
#include "explain/explanation.h"
#include "explain/miss.h"
#include "daemon/page/answer_internal.h"
#include "explain/whatif/waiting.h"

/* Rows of one reply. */
#define USUAL_ROWS 100
#define MOST_ROWS 20000
/* Pods that are placed before the one that is asked for. */
#define MOST_TURNS 20000

/* As the page shows a decision. */
struct shown {
	struct page_question *a;
	struct explanation e;
	struct matrix matrix;
	bool has_matrix;
	uint32_t *rows; /* node indexes, in the order of the table */
	size_t nrows;
};

/* ---- the order of rows ---- */

static const struct shown *sorting;

static const struct node_info *
node_at(const struct shown *s, uint32_t index)
{
	return s->e.cycle->cluster->nodes[index];
}

/* Those that fit, the best first; then those that the fewest rules refuse. */
static int
compare_rows(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	int64_t px = sorting->e.position[x], py = sorting->e.position[y];
	const struct decision *d = sorting->e.decision;

	if ((px >= 0) != (py >= 0))
		return px >= 0 ? -1 : 1;
	if (px >= 0 && d->totals[px] != d->totals[py])
		return d->totals[px] > d->totals[py] ? -1 : 1;
	if (px < 0 && sorting->has_matrix &&
	    sorting->matrix.nrules[x] != sorting->matrix.nrules[y])
		return sorting->matrix.nrules[x] < sorting->matrix.nrules[y] ?
		    -1 :
		    1;
	return sym_cmp(node_at(sorting, x)->name, node_at(sorting, y)->name);
}

static bool
is_row(const struct shown *s, uint32_t index)
{
	const char *fits = asked_text(s->a, "fits");

	if (fits != NULL &&
	    (strcmp(fits, "true") == 0) != (s->e.position[index] >= 0))
		return false;
	return asked_matches(s->a, sym_text(node_at(s, index)->name));
}

/* ---- the pod ---- */

static void
put_pod(struct page_question *a, const struct pod *pod)
{
	json_open_member(&a->json, "pod", '{');
	json_members(&a->json,
	    "name:s node:n priority:i schedulerName:s controller:s gates:u",
	    pod_full_name(pod), pod->node, pod->priority,
	    sym_text(pod->class->scheduler_name),
	    pod->class->controller_kind != SYM_NONE ?
		arena_printf(&a->arena, "%s/%s",
		    sym_text(pod->class->controller_kind),
		    sym_text(pod->class->controller_name)) :
		NULL,
	    pod->class->ngates);
	answer_requests(a, pod);
	json_close(&a->json, '}');
}

/* ---- why ---- */

/* Refusals that are one step away from a fit, grouped by their texts. */
static void
put_misses(struct shown *s)
{
	struct json_out *json = &s->a->json;
	size_t n = 0, groups = 0;
	struct miss *misses = NULL;

	if (s->e.decision->chosen == NULL && s->has_matrix)
		misses = misses_find(s->e.cycle, &n);
	json_open_member(json, "misses", '[');
	for (size_t i = 0; i < n && groups < USUAL_ROWS; groups++) {
		size_t first = i;

		while (i < n && strcmp(misses[i].text, misses[first].text) == 0)
			i++;
		json_object(json, "text:s nodes:z node:n", misses[first].text,
		    i - first, misses[first].node->name);
	}
	json_close(json, ']');
}

/* ---- the table ---- */

static void
put_rules(struct shown *s)
{
	const struct profile *profile = s->e.cycle->profile;
	struct json_out *json = &s->a->json;

	JSON_ARRAY (json, "filters", i, profile->npredicates)
		json_object(json, "name:s asked:b refuses:u refusesAlone:u",
		    profile->predicates[i].name,
		    s->has_matrix && s->matrix.verdicts[i] != NULL,
		    s->has_matrix ? s->matrix.nrefused[i] : 0,
		    s->has_matrix ? s->matrix.nonly[i] : 0);
	JSON_ARRAY (json, "scores", i, profile->npriorities)
		json_object(json, "name:s weight:d",
		    profile->priorities[i].name, profile->priorities[i].weight);
	json_members(json, "scoreMax:d", (int64_t)profile->score_max);
}

/* A letter for each filter: "." fits, "x" refuses, "X" refuses whatever is
 * evicted, "!" cannot be evaluated, "-" does not apply to the pod. */
static const char *
verdicts_of(const struct shown *s, uint32_t index)
{
	static const char letters[] = { [FITS] = '.',
		[UNFIT] = 'x',
		[UNFIT_FOREVER] = 'X',
		[BROKEN] = '!' };
	size_t n = s->e.cycle->profile->npredicates;
	char *text = arena_zalloc(&s->a->arena, n + 1);

	for (size_t i = 0; i < n; i++)
		text[i] = !s->has_matrix || s->matrix.verdicts[i] == NULL ?
		    '-' :
		    letters[s->matrix.verdicts[i][index]];
	return text;
}

static void
put_scores(const struct shown *s, int64_t at)
{
	const struct profile *profile = s->e.cycle->profile;
	int64_t **scores = s->e.decision->scores;
	struct json_out *json = &s->a->json;

	JSON_ARRAY (json, "scores", i, profile->npriorities)
		if (scores != NULL && scores[i] != NULL)
			json_int(json, scores[i][at]);
		else
			json_string(json, NULL);
	json_pair_int(json, "total", s->e.decision->totals[at]);
}

static void
put_row(const struct shown *s, uint32_t index)
{
	const struct node_info *node = node_at(s, index);
	struct json_out *json = &s->a->json;
	int64_t at = s->e.position[index];
	const char **reasons;
	size_t n;

	json_open(json, '{');
	json_members(json, "node:n fits:b verdicts:s", node->name, at >= 0,
	    verdicts_of(s, index));
	if (at >= 0) {
		put_scores(s, at);
	} else {
		reasons = explanation_reasons(&s->e, node, &n);
		json_texts(json, "reasons", n, reasons);
	}
	json_close(json, '}');
}

static void
put_rows(const struct shown *s)
{
	size_t offset = asked_number(s->a, "offset", 0, SIZE_MAX);
	size_t limit = asked_number(s->a, "limit", USUAL_ROWS, MOST_ROWS);
	struct json_out *json = &s->a->json;

	json_members(json, "total:z offset:z", s->nrows, offset);
	json_open_member(json, "rows", '[');
	for (size_t i = offset; i < s->nrows && i - offset < limit; i++)
		put_row(s, s->rows[i]);
	json_close(json, ']');
}

static void
put_decision(struct shown *s)
{
	const struct decision *d = s->e.decision;
	struct json_out *json = &s->a->json;

	json_members(json,
	    "profile:s chosen:n best:u bestTotal:d fitting:u nodes:u "
	    "message:s error:s rejectedBy:s",
	    s->e.cycle->profile->scheduler_name,
	    d->chosen != NULL ? d->chosen->name : SYM_NONE,
	    d->chosen != NULL ? d->nbest : 0,
	    d->chosen != NULL ? d->best_total : 0, d->nfeasible, d->nnodes,
	    s->e.message, d->error,
	    d->rejected_by != NULL ? d->rejected_by->name : NULL);
	explanation_json_diagnosis(json, s->e.diagnosis);
	if (s->e.queue.status != NULL)
		explanation_json_queue(json, &s->e);
	explanation_json_preemption(json, s->e.preemption);
	put_misses(s);
	put_rules(s);
	put_rows(s);
}

/* ---- the question ---- */

static void
explain(struct page_question *a, struct whatif *w, struct waiting *q, size_t at)
{
	struct shown s = { .a = a, .e.own = w->cluster };
	uint32_t n;

	w->cycle.keep_scores = true;
	w->cycle.ecache = NULL;
	explanation_find(&s.e, &w->cycle);
	s.e.diagnosis = diagnosis_find(&s.e);
	waiting_explain(q, at, &s.e);
	if (s.e.decision->error == NULL)
		decision_spell_out(&w->cycle, s.e.decision);
	s.has_matrix =
	    s.e.decision->error == NULL && s.e.decision->rejected_by == NULL;
	if (s.has_matrix)
		matrix_find(&s.matrix, &w->cycle, UINT32_MAX);
	n = s.e.cycle->cluster->nnodes;
	s.rows = arena_array(&s.a->arena, uint32_t, n);
	if (s.e.decision->error == NULL) {
		for (uint32_t i = 0; i < n; i++)
			if (is_row(&s, i))
				s.rows[s.nrows++] = i;
		sorting = &s;
		SORT(s.rows, s.nrows, compare_rows);
	}
	json_pair_bool(&a->json, "served", true);
	put_decision(&s);
}

void
answer_pod_by(struct page_question *a, const struct profiles *profiles)
{
	struct cluster *cluster = asked_cluster(a, profiles);
	const struct pod *pod = asked_pod_of(a);
	struct pod *lifted;
	struct waiting q;
	struct whatif w;
	size_t at;

	if (pod != NULL) {
		asked_whatif(a, &w, cluster, profiles);
		asked_queue(a, &q, &w);
		at = waiting_place(&q, pod);
		if (at >= MOST_TURNS || asked_text(a, "queue") == NULL)
			at = q.n;
		waiting_turn(&q, at, NULL);
		lifted = whatif_lift(&w, pod);
		answer_open(a);
		put_pod(a, pod);
		if (whatif_begin(&w, lifted, 0)) {
			explain(a, &w, &q, at);
		} else {
			json_members(&a->json, "served:b message:s", false,
			    whatif_message(&w, NULL, lifted, &a->arena));
		}
		answer_close(a);
		waiting_fini(&q);
		whatif_fini(&w);
		pod_unref(lifted);
	}
}

void
answer_pod(struct page_question *a)
{
	answer_pod_by(a, a->view->profiles);
}
