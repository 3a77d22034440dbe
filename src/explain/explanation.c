#include "config.h"

#include "explain/explanation.h"

#include "base/json_out.h"
#include "base/sorted.h"
#include "cluster/devices/allocation.h"
#include "cluster/devices/pod_devices.h"
#include "decide/framework/cycle_devices.h"
#include "decide/framework/profile.h"
#include "objects/changes.h"
#include "explain/diagnosis.h"
#include "explain/remedy.h"
#include "decide/sched/pre_enqueue.h"

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
	SORT(sorted, v->nreasons, text_compare);
	return sorted;
}

const struct node_info **
nodes_by_name(const struct cluster *cluster, struct arena *arena)
{
	const struct node_info **nodes =
	    arena_array(arena, const struct node_info *, cluster->nnodes);

	for (uint32_t i = 0; i < cluster->nnodes; i++)
		nodes[i] = cluster->nodes[i];
	SORT(nodes, cluster->nnodes, compare_nodes);
	return nodes;
}

void
explanation_find(struct explanation *e, struct cycle *cycle)
{
	const struct cluster *cluster = cycle->cluster;
	struct decision *d = decide(cycle);

	e->cycle = cycle;
	e->decision = d;
	e->message = d->chosen == NULL ? decision_message(cycle, d) : "";
	if (d->chosen == NULL && d->error == NULL) {
		e->preemption_tried = true;
		e->post_filter = post_filter(cycle, d);
		e->preemption = e->post_filter->preemption;
	}
	e->nodes = nodes_by_name(cluster, cycle->arena);
	e->position = arena_array(cycle->arena, int64_t, cluster->nnodes);
	for (uint32_t i = 0; i < cluster->nnodes; i++)
		e->position[i] = -1;
	for (uint32_t i = 0; i < d->nfeasible; i++)
		e->position[d->feasible[i]] = i;
}

/* ---- for programs ---- */

static void
json_scores(struct json_out *json, const struct explanation *e, int64_t at)
{
	const struct profile *profile = e->cycle->profile;
	/* none: scoring has failed, but the node has no rival */
	int64_t **scores = at >= 0 ? e->decision->scores : NULL;

	json_open_member(json, "scores", '{');
	for (size_t i = 0; scores != NULL && i < profile->npriorities; i++) {
		if (scores[i] == NULL)
			continue; /* the plugin was skipped */
		json_pair_int(json, profile->priorities[i].name, scores[i][at]);
	}
	json_close(json, '}');
	json_key(json, "total");
	if (at >= 0 && scores == NULL)
		json_string(json, NULL);
	else
		json_int(json, at >= 0 ? e->decision->totals[at] : 0);
}

/* The bytes that are left of max_bytes. */
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

/* As the status codes of the scheduler framework. */
static const char *
code_of(enum verdict verdict)
{
	static const char *const codes[] = {
		[FITS] = "Success",
		[UNFIT] = "Unschedulable",
		[UNFIT_FOREVER] = "UnschedulableAndUnresolvable",
		[BROKEN] = "Error",
	};

	return codes[verdict];
}

/* The plugin that refused the node, "" if none did. */
static const char *
plugin_of(const struct explanation *e, const struct node_verdict *v)
{
	if (e->decision->rejected_by != NULL)
		return e->decision->rejected_by->name;
	if (v->step == STEP_EXTENDER)
		return "Extender";
	if (v->verdict == FITS || v->step == 0)
		return "";
	return e->cycle->profile->predicates[v->step - 1].name;
}

/* Profiles of policies have no codes and no plugins. */
static bool
has_plugins(const struct explanation *e)
{
	return e->cycle->profile->release >= 20;
}

/* ---- devices ---- */

/* "request=driver/pool/device[ admin][ shared][ capacity=amount]" */
static const char *
device_text(struct arena *arena, const struct device_result *r)
{
	const char *text = arena_printf(arena, "%s=%s/%s/%s%s%s",
	    sym_text(r->request), sym_text(r->driver), sym_text(r->pool),
	    sym_text(r->device), r->admin ? " admin" : "",
	    r->share != SYM_NONE ? " shared" : "");

	for (uint32_t i = 0; i < r->nconsumed; i++)
		text = arena_printf(arena, "%s %s=%s", text,
		    sym_text(r->consumed[i].name),
		    sym_text(r->consumed[i].amount.text));
	return text;
}

/* What the pod's claims would get on the node. */
static void
json_allocations(struct json_out *json, const struct explanation *e,
    const struct node_info *node)
{
	struct arena *arena = e->cycle->arena;
	struct pod_devices *devices = cycle_devices(e->cycle);
	const struct device_allocation *all = NULL;
	struct demand *demand = NULL;
	bool for_resources;
	uint32_t n;

	if (devices != NULL &&
	    devices_are_allocated(e->cycle->cluster, e->cycle->profile) &&
	    pod_devices_need(devices, node, &demand) == NEEDS_DEVICES)
		all = demand_allocate(demand, node, arena, &devices->search);
	if (all == NULL)
		return;
	n = pod_devices_nclaims(devices, node, &for_resources);
	json_open_member(json, "allocations", '[');
	for (uint32_t i = 0; i < n; i++) {
		const struct device_allocation *a = &all[i];

		json_open(json, '{');
		JSON_ARRAY (json, "devices", j, a->nresults)
			json_string(json, device_text(arena, &a->results[j]));
		if (a->has_nodes) {
			json_key(json, "nodeSelector");
			json_node_selector(json, &a->nodes);
		}
		json_close(json, '}');
	}
	if (for_resources) {
		/* "request: class" of each of the claim for extended
		 * resources. */
		const struct resource_claim *claim =
		    pod_devices_claim(devices, node, n - 1);

		json_open(json, '{');
		JSON_ARRAY (json, "extendedResourceClaim", i,
		    claim->wishes.nrequests) {
			const struct device_request *r =
			    &claim->wishes.requests[i];

			json_string(json,
			    arena_printf(arena, "%s: %s", sym_text(r->name),
				sym_text(r->at[0].class)));
		}
		json_close(json, '}');
	}
	json_close(json, ']');
}

static void
json_node(struct json_out *json, const struct explanation *e,
    const struct node_info *node, struct budget *budget)
{
	const struct node_verdict *v = &e->decision->verdicts[node->index];
	int64_t at = e->position[node->index];

	json_open(json, '{');
	json_members(json, "name:n fits:b", node->name, at >= 0);
	if (has_plugins(e))
		json_members(json, "code:s plugin:s", code_of(v->verdict),
		    plugin_of(e, v));
	if (at < 0) {
		/* Those of the node that the budget allows. */
		const char **reasons;
		size_t n;
		size_t written = 0;

		reasons = explanation_reasons(e, node, &n);
		json_open_member(json, "reasons", '[');
		while (written < n &&
		    spend(&budget->reasons,
			strlen(reasons[written]) + JSON_QUOTES))
			json_string(json, reasons[written++]);
		json_close(json, ']');
		if (written != n)
			json_pair_int(json, "reasonsLeftOut",
			    (int64_t)(n - written));
	} else
		json_texts(json, "reasons", 0, NULL);
	json_scores(json, e, at);
	if (at >= 0)
		json_allocations(json, e, node);
	if (e->misses != NULL && e->misses[node->index] != NULL)
		json_pair(json, "miss", e->misses[node->index]);
	json_close(json, '}');
}

void
explanation_json_preemption(struct json_out *json,
    const struct preemption *preemption)
{
	if (preemption == NULL || preemption->node == NULL) {
		json_pair(json, "preemption", NULL);
		return;
	}
	json_open_member(json, "preemption", '{');
	json_pair(json, "node", sym_text(preemption->node->name));
	JSON_ARRAY (json, "victims", i, preemption->nvictims)
		json_string(json, pod_full_name(preemption->victims[i]));
	JSON_ARRAY (json, "clears", i, preemption->nclears)
		json_string(json, pod_full_name(preemption->clears[i]));
	json_close(json, '}');
}

/* The verdict of the plugin that rejected the pod, and why: 1.20 has a list of
 * reasons, 1.36 a message. */
static void
json_prefilter(struct json_out *json, const struct explanation *e)
{
	const struct decision *d = e->decision;
	const char **reasons = d->why.reasons;
	size_t n = d->why.n;

	if (d->rejected_by == NULL) {
		json_pair(json, "prefilter", NULL);
		return;
	}
	if (d->error != NULL) {
		reasons = (const char **)&d->error;
		n = 1;
	}
	json_open_member(json, "prefilter", '{');
	json_members(json, "plugin:s code:s", d->rejected_by->name,
	    code_of(d->error != NULL ? BROKEN : d->verdicts[0].verdict));
	if (e->cycle->profile->vocabulary >= 36)
		json_pair(json, "message",
		    arena_join(e->cycle->arena, n, reasons, ", "));
	else
		json_texts(json, "reasons", n, reasons);
	json_close(json, '}');
}

static void
json_post_filter(struct json_out *json, const struct post_filter *post)
{
	json_break(json, " ");
	json_key(json, "postFilter");
	if (post == NULL || !post->ran) {
		json_string(json, NULL);
		return;
	}
	json_object(json, "code:s message:s", code_of(post->verdict),
	    post->message);
}

/* The plugins that keep the pod out of the queue. */
static void
json_enqueues(struct json_out *json, const struct explanation *e)
{
	const struct profile *profile = e->cycle->profile;

	JSON_ARRAY (json, "preEnqueue", i, profile->nenqueues) {
		const struct profile_prefilter *at = &profile->enqueues[i];
		struct why why = { .arena = e->cycle->arena };
		enum verdict verdict = pre_enqueue(e->cycle, at, &why);

		if (verdict != FITS)
			json_object(json, "plugin:s code:s message:s", at->name,
			    code_of(verdict),
			    arena_join(e->cycle->arena, why.n, why.reasons,
				", "));
	}
}

void
explanation_json_diagnosis(struct json_out *json, const struct diagnosis *d)
{
	if (d == NULL) {
		json_pair(json, "diagnosis", NULL);
		return;
	}
	json_open_member(json, "diagnosis", '{');
	json_members(json, "cause:s text:s remedy:s", d->cause, d->text,
	    d->remedy);
	json_key(json, "change");
	if (d->action == NULL)
		json_string(json, NULL);
	else
		json_object(json, "action:s subject:s value:s", d->action,
		    d->subject, d->value);
	json_members(json, "proven:b nodes:u", d->proven, d->nnodes);
	remedies_json(json, d->nremedies, d->remedies);
	json_close(json, '}');
}

void
explanation_json_queue(struct json_out *json, const struct explanation *e)
{
	json_key(json, "queue");
	json_object(json, "status:s node:n before:z", e->queue.status,
	    e->queue.node, e->queue.before);
}

void
explanation_json(const struct explanation *e, FILE *out)
{
	struct text text = { 0 };
	struct json_out json = JSON_OUT_INIT(&text);
	size_t max = e->max_bytes != 0 ? e->max_bytes : SIZE_MAX;
	struct budget budget = { max / 2, max - max / 2 };
	const struct profile *profile = e->cycle->profile;
	const struct decision *d = e->decision;
	uint32_t n = d->error != NULL ? 0 : d->nnodes, i = 0;
	/* About as many as json_node() writes, reasons left out. */
	size_t node_bytes = NODE_BYTES;

	for (size_t k = 0; k < profile->npriorities; k++)
		node_bytes += strlen(profile->priorities[k].name) + SCORE_BYTES;
	json_open(&json, '{');
	json_pair(&json, "pod", pod_full_name(e->cycle->pod));
	if (has_plugins(e)) {
		json_break(&json, " ");
		json_pair(&json, "profile", profile->scheduler_name);
		json_break(&json, " ");
		if (profile->release >= SINCE_ENQUEUE) {
			json_enqueues(&json, e);
			json_break(&json, " ");
		}
		json_prefilter(&json, e);
	}
	json_break(&json, " ");
	json_open_member(&json, "nodes", '[');
	for (; i < n && spend(&budget.nodes, node_bytes); i++) {
		json_break(&json, "  ");
		json_node(&json, e, e->nodes[i], &budget);
	}
	json_close(&json, ']');
	if (i < n)
		json_pair_int(&json, "nodesLeftOut", n - i);
	json_break(&json, " ");
	JSON_ARRAY (&json, "best", j, d->nnodes) {
		int64_t at = e->position[e->nodes[j]->index];

		if (at >= 0 &&
		    (d->nominated ? e->nodes[j] == d->chosen :
				    d->totals[at] == d->best_total))
			json_string(&json, sym_text(e->nodes[j]->name));
	}
	json_break(&json, " ");
	json_pair(&json, "message", e->message);
	json_break(&json, " ");
	explanation_json_preemption(&json, e->preemption);
	if (profile->vocabulary >= 36)
		json_post_filter(&json, e->post_filter);
	if (e->diagnosis != NULL) {
		json_break(&json, " ");
		explanation_json_diagnosis(&json, e->diagnosis);
	}
	if (e->queue.status != NULL) {
		json_break(&json, " ");
		explanation_json_queue(&json, e);
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
	    "{'pod':%s,\n 'profile':null,\n 'nodes':[],\n 'best':[],\n "
	    "'message':%s,\n 'preemption':null}\n",
	    pod_full_name(pod), "");
	text_write(&text, out);
}
