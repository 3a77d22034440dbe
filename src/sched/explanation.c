#include "config.h"

#include "sched/explanation.h"

#include <stdlib.h>
#include <string.h>

#include "base/json_out.h"
#include "framework/profile.h"

/* Of the JSON of one node, with a long name; of one reason or score. */
#define NODE_BYTES 160
#define SCORE_BYTES 8
#define JSON_QUOTES 3

static int
compare_nodes(const void *a, const void *b)
{
	const struct node_info *x = *(const struct node_info *const *)a;
	const struct node_info *y = *(const struct node_info *const *)b;

	return sym_cmp(x->name, y->name);
}

static int
compare_texts(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

const char **
explanation_reasons(const struct explanation *e, const struct node_info *node,
    size_t *n)
{
	const struct node_verdict *v = &e->decision->verdicts[node->index];
	const char **sorted;

	*n = v->nreasons;
	if (v->nreasons == 0)
		return NULL;
	sorted = arena_memdup(e->cycle->arena,
	    &e->decision->why.reasons[v->first_reason],
	    v->nreasons * sizeof(*sorted));
	for (uint32_t i = 0; i < v->nreasons; i++)
		sorted[i] =
		    why_text(e->cycle->arena, sorted[i], sym_text(node->name));
	qsort(sorted, v->nreasons, sizeof(*sorted), compare_texts);
	return sorted;
}

static void
sort_nodes(struct explanation *e)
{
	const struct cluster *cluster = e->cycle->cluster;
	const struct decision *d = e->decision;

	e->nodes = arena_array(e->cycle->arena, const struct node_info *,
	    cluster->nnodes);
	e->position = arena_array(e->cycle->arena, int64_t, cluster->nnodes);
	for (uint32_t i = 0; i < cluster->nnodes; i++) {
		e->nodes[i] = cluster->nodes[i];
		e->position[i] = -1;
	}
	if (cluster->nnodes > 0)
		qsort(e->nodes, cluster->nnodes, sizeof(*e->nodes),
		    compare_nodes);
	for (uint32_t i = 0; i < d->nfeasible; i++)
		e->position[d->feasible[i]] = i;
}

void
explanation_find(struct explanation *e, struct cycle *cycle)
{
	e->cycle = cycle;
	e->decision = decide(e->cycle);
	e->message = "";
	if (e->decision->chosen == NULL) {
		e->message = decision_message(e->cycle, e->decision);
		if (e->decision->error == NULL) {
			e->preemption_tried = true;
			e->preemption = preempt(e->cycle, e->decision);
		}
	}
	sort_nodes(e);
}

/* ---- for programs ---- */

static void
json_scores(struct json_out *json, const struct explanation *e, int64_t at)
{
	const struct profile *profile = e->cycle->profile;

	json_key(json, "scores");
	json_open(json, '{');
	for (size_t i = 0; at >= 0 && i < profile->npriorities; i++) {
		json_key(json, profile->priorities[i].name);
		json_int(json, e->decision->scores[i][at]);
	}
	json_close(json, '}');
	json_key(json, "total");
	json_int(json, at >= 0 ? e->decision->totals[at] : 0);
}

/* What is left of max_bytes. */
struct budget {
	size_t reasons, nodes;
};

static bool
spend(size_t *budget, size_t bytes)
{
	bool enough = *budget >= bytes;

	*budget = enough ? *budget - bytes : 0;
	return enough;
}

/* Those of the node that the budget allows. */
static void
json_reasons(struct json_out *json, const struct explanation *e,
    const struct node_info *node, struct budget *budget)
{
	const char **reasons;
	size_t n, written = 0;

	reasons = explanation_reasons(e, node, &n);
	json_open(json, '[');
	while (written < n &&
	    spend(&budget->reasons, strlen(reasons[written]) + JSON_QUOTES))
		json_string(json, reasons[written++]);
	json_close(json, ']');
	if (written == n)
		return;
	json_key(json, "reasonsLeftOut");
	json_int(json, (int64_t)(n - written));
}

/* About how many bytes json_node() writes, reasons left out. */
static size_t
node_bytes(const struct explanation *e)
{
	const struct profile *profile = e->cycle->profile;
	size_t n = NODE_BYTES;

	for (size_t i = 0; i < profile->npriorities; i++)
		n += strlen(profile->priorities[i].name) + SCORE_BYTES;
	return n;
}

static void
json_node(struct json_out *json, const struct explanation *e,
    const struct node_info *node, struct budget *budget)
{
	int64_t at = e->position[node->index];

	json_open(json, '{');
	json_key(json, "name");
	json_string(json, sym_text(node->name));
	json_key(json, "fits");
	json_bool(json, at >= 0);
	json_key(json, "reasons");
	if (at < 0) {
		json_reasons(json, e, node, budget);
	} else {
		json_open(json, '[');
		json_close(json, ']');
	}
	json_scores(json, e, at);
	json_close(json, '}');
}

static void
json_best(struct json_out *json, const struct explanation *e)
{
	const struct decision *d = e->decision;

	json_key(json, "best");
	json_open(json, '[');
	for (uint32_t i = 0; i < d->nnodes; i++) {
		int64_t at = e->position[e->nodes[i]->index];

		if (at >= 0 &&
		    (d->nominated ? e->nodes[i] == d->chosen :
				    d->totals[at] == d->best_total))
			json_string(json, sym_text(e->nodes[i]->name));
	}
	json_close(json, ']');
}

static void
json_pods(struct json_out *json, const char *key, size_t n,
    const struct pod **pods)
{
	json_key(json, key);
	json_open(json, '[');
	for (size_t i = 0; i < n; i++)
		json_string(json, pod_full_name(pods[i]));
	json_close(json, ']');
}

static void
json_preemption(struct json_out *json, const struct preemption *preemption)
{
	json_key(json, "preemption");
	if (preemption == NULL || preemption->node == NULL) {
		json_string(json, NULL);
		return;
	}
	json_open(json, '{');
	json_key(json, "node");
	json_string(json, sym_text(preemption->node->name));
	json_pods(json, "victims", preemption->nvictims, preemption->victims);
	json_pods(json, "clears", preemption->nclears, preemption->clears);
	json_close(json, '}');
}

void
explanation_json(const struct explanation *e, FILE *out)
{
	struct text text = { 0 };
	struct json_out json = JSON_OUT_INIT(&text);
	bool failed = e->decision->error != NULL;
	size_t max = e->max_bytes != 0 ? e->max_bytes : SIZE_MAX;
	struct budget budget = { max / 2, max - max / 2 };
	uint32_t n = failed ? 0 : e->decision->nnodes, i = 0;

	json_open(&json, '{');
	json_key(&json, "pod");
	json_string(&json, pod_full_name(e->cycle->pod));
	json_break(&json, " ");
	json_key(&json, "nodes");
	json_open(&json, '[');
	for (; i < n && spend(&budget.nodes, node_bytes(e)); i++) {
		json_break(&json, "  ");
		json_node(&json, e, e->nodes[i], &budget);
	}
	json_close(&json, ']');
	if (i < n) {
		json_key(&json, "nodesLeftOut");
		json_int(&json, n - i);
	}
	json_break(&json, " ");
	json_best(&json, e);
	json_break(&json, " ");
	json_key(&json, "message");
	json_string(&json, e->message);
	json_break(&json, " ");
	json_preemption(&json, e->preemption);
	if (e->cycle->profile->scheduler_name != NULL) {
		json_break(&json, " ");
		json_key(&json, "profile");
		json_string(&json, e->cycle->profile->scheduler_name);
	}
	json_close(&json, '}');
	text_put(&text, "\n");
	text_write(&text, out);
}

void
explanation_json_unserved(const struct pod *pod, FILE *out)
{
	struct text text = { 0 };

	json_put(&text,
	    "{'pod':%s,\n 'nodes':[],\n 'best':[],\n 'message':%s,\n "
	    "'preemption':null,\n 'profile':null}\n",
	    pod_full_name(pod), "");
	text_write(&text, out);
}
