/*
 * predicatectl simulate: places the pending pods in the order of the
 * scheduler's queue, each placed pod counting for the next.
 *
 * Only pods change: no controller replaces an evicted pod, no node is added or
 * deleted, and a pod left pending is not tried again.
 */
#include "config.h"

#include <inttypes.h>

#include "base/clock.h"
#include "base/sorted.h"
#include "ctl/ctl.h"
#include "ctl/progress.h"
#include "ctl/whatif.h"
#include "sched/pre_enqueue.h"
#include "sched/preempt.h"

#define SHOWN_PODS 50 /* placed ones, before the nodes are listed instead */
#define SHOWN_MESSAGE 4096 /* longer ones name every node */
#define SHOWN_NAMES 3      /* of pods that share a line */

/* One pending pod and its result. */
struct outcome {
	const struct pod *pod; /* owned by the load */
	size_t order;          /* in the input */
	sym node;              /* SYM_NONE: left pending */
	/* Why, and the same without counts of nodes; equal texts at one address. */
	const char *message, *summary;
};

struct eviction {
	struct pod *pod; /* owned */
	sym node;
	const struct pod *by; /* owned by the load */
};

struct simulation {
	struct asked *a;
	const struct options *options;
	struct cluster *cluster;

	/* In the order in which they are tried. */
	size_t noutcomes, outcomes_cap;
	struct outcome *outcomes;

	size_t nevictions, evictions_cap;
	struct eviction *evictions;

	size_t nplaced, ndecisions;
	double seconds; /* of deciding and placing, not of reading */
};

/* ---- the queue ---- */

/* Higher priority first, then older, then earlier in the input. */
static int
compare_queue(const void *a, const void *b)
{
	const struct outcome *x = a, *y = b;

	if (x->pod->priority != y->pod->priority)
		return x->pod->priority > y->pod->priority ? -1 : 1;
	if (x->pod->object.created != y->pod->object.created)
		return x->pod->object.created < y->pod->object.created ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

static void
fill_queue(struct simulation *s)
{
	const struct load *load = &s->a->load;

	for (size_t i = 0; i < load->npods; i++) {
		if (!load_waits(s->options, s->a->profiles, load->pods[i]))
			continue;
		vec_room(s->outcomes, s->noutcomes, &s->outcomes_cap);
		s->outcomes[s->noutcomes++] =
		    (struct outcome){ load->pods[i], i, SYM_NONE, "", "" };
	}
	SORT(s->outcomes, s->noutcomes, compare_queue);
}

/* ---- one pod ---- */

static void
leave(struct outcome *o, const char *message, const char *summary)
{
	o->message = sym_text(sym_intern(message));
	o->summary = sym_text(sym_intern(summary));
}

/* Why a pod is not even tried; NULL when it is. */
static const char *
not_tried(struct cycle *cycle)
{
	if (cycle->pod->object.deleting)
		return arena_printf(cycle->arena,
		    "skip schedule deleting pod:"
		    " %s",
		    pod_full_name(cycle->pod));
	return pre_enqueue_refusal(cycle);
}

static void
evict(struct simulation *s, const struct pod *victim, sym node,
    const struct pod *by)
{
	struct eviction *e;

	vec_room(s->evictions, s->nevictions, &s->evictions_cap);
	e = &s->evictions[s->nevictions++];
	*e = (struct eviction){ pod_ref(victim), node, by };
	cluster_remove(s->cluster, &e->pod->object);
}

static void
nominate(struct simulation *s, const struct pod *pod, sym node)
{
	struct pod *nominated = pod_nominated_to(pod, node);

	cluster_put(s->cluster, &nominated->object);
	pod_unref(nominated);
}

/* Evicts for the pod; whether it is worth trying it again. */
static bool
make_room(struct simulation *s, struct cycle *cycle, struct decision *decision)
{
	struct preemption *p = preempt(cycle, decision);
	sym node;

	if (p == NULL)
		return false;
	for (size_t i = 0; i < p->nclears; i++)
		nominate(s, p->clears[i], SYM_EMPTY);
	if (p->node == NULL)
		return false;
	node = p->node->name;
	for (size_t i = 0; i < p->nvictims; i++)
		evict(s, p->victims[i], node, cycle->pod);
	nominate(s, cycle->pod, node);
	return true;
}

static struct decision *
decide_counted(struct simulation *s, struct cycle *cycle)
{
	s->ndecisions++;
	return decide(cycle);
}

static void
try_pod(struct simulation *s, struct cycle *cycle, struct outcome *o)
{
	struct decision *decision;
	const char *text = not_tried(cycle);
	struct err err;
	sym node;

	if (text != NULL) {
		leave(o, text, text);
		return;
	}
	decision = decide_counted(s, cycle);
	if (decision->chosen == NULL && decision->error == NULL &&
	    s->options->preempt && make_room(s, cycle, decision))
		decision = decide_counted(s, cycle);
	node = whatif_chosen(decision);
	if (node == SYM_NONE) {
		leave(o, decision_message(cycle, decision),
		    whatif_summary(cycle, decision));
	} else if (whatif_place(&s->a->whatif, o->pod, node, &err) != 0) {
		leave(o, err.text, err.text);
	} else {
		o->node = node;
		s->nplaced++;
	}
}

static void
run(struct simulation *s)
{
	struct whatif *w = &s->a->whatif;
	struct progress progress;
	double start = clock_seconds();

	progress_init(&progress);
	for (size_t i = 0; i < s->noutcomes; i++) {
		struct outcome *o = &s->outcomes[i];

		if (whatif_begin(w, o->pod, i))
			try_pod(s, &w->cycle, o);
		progress_show(&progress, "tried", i + 1, s->noutcomes, "pods");
	}
	progress_end(&progress);
	s->seconds = clock_seconds() - start;
}

/* ---- how full the nodes are ---- */

/* A node and how many pods were placed on it. */
struct load_of_node {
	const struct node_info *node;
	size_t nplaced;
};

/* The most placed pods first, then by name. */
static int
compare_loads(const void *a, const void *b)
{
	const struct load_of_node *x = a, *y = b;

	if (x->nplaced != y->nplaced)
		return x->nplaced < y->nplaced ? 1 : -1;
	return sym_cmp(x->node->name, y->node->name);
}

static const char *
share(struct report *r, int64_t used, int64_t of)
{
	return of > 0 ? arena_printf(&r->arena, "%.0f%%",
			    100.0 * (double)used / (double)of) :
			"-";
}

static void
add_nodes(struct report *r, const struct simulation *s)
{
	const struct cluster *cluster = s->cluster;
	AUTOFREE struct load_of_node *loads =
	    xcalloc(cluster->nnodes, sizeof(*loads));

	for (uint32_t i = 0; i < cluster->nnodes; i++)
		loads[i].node = cluster->nodes[i];
	for (size_t i = 0; i < s->noutcomes; i++)
		if (s->outcomes[i].node != SYM_NONE)
			loads[cluster_node(cluster, s->outcomes[i].node)->index]
			    .nplaced++;
	SORT(loads, cluster->nnodes, compare_loads);
	report_rows(r, NULL, "=NODE|=>PLACED|=>PODS|=>CPU|=>MEMORY");
	for (size_t i = 0; i < cluster->nnodes; i++) {
		const struct node_info *node = loads[i].node;
		const struct resources *of = &node->node->allocatable;

		report_row(r, cell_node(node->name),
		    cell_whole((int64_t)loads[i].nplaced),
		    cell_whole(node->npods),
		    cell_text(
			share(r, node->requested.cpu_milli, of->cpu_milli)),
		    cell_text(share(r, node->requested.memory, of->memory)));
	}
	report_rows_end(r);
}

/* ---- left pending ---- */

/* Pods that stay for the same reason. */
struct group {
	const char *summary;
	const char *message; /* NULL: they differ in the numbers of nodes */
	size_t npods;
	const struct pod *pods[SHOWN_NAMES];
};

static struct group *
group_pending(const struct simulation *s, size_t *n)
{
	struct group *groups = NULL;
	size_t cap = 0, at;

	*n = 0;
	for (size_t i = 0; i < s->noutcomes; i++) {
		const struct outcome *o = &s->outcomes[i];

		if (o->node != SYM_NONE)
			continue;
		for (at = 0; at < *n; at++)
			if (groups[at].summary == o->summary)
				break;
		if (at == *n) {
			vec_room(groups, *n, &cap);
			groups[(*n)++] = (struct group){ o->summary, o->message,
				0, { NULL } };
		}
		if (groups[at].message != o->message)
			groups[at].message = NULL;
		if (groups[at].npods < SHOWN_NAMES)
			groups[at].pods[groups[at].npods] = o->pod;
		groups[at].npods++;
	}
	return groups;
}

static int
compare_groups(const void *a, const void *b)
{
	const struct group *x = a, *y = b;

	if (x->npods != y->npods)
		return x->npods < y->npods ? 1 : -1;
	return strcmp(x->summary, y->summary);
}

static void
add_groups(struct report *r, const struct simulation *s)
{
	size_t n;
	AUTOFREE struct group *groups = group_pending(s, &n);

	SORT(groups, n, compare_groups);
	report_rows(r, NULL, "=>PODS|=SUCH AS|=!LEFT PENDING BECAUSE");
	for (size_t i = 0; i < n; i++) {
		const struct group *g = &groups[i];
		const char *names[SHOWN_NAMES];
		size_t nnames = 0;

		while (nnames < g->npods && nnames < SHOWN_NAMES) {
			names[nnames] = cell_pod(r, g->pods[nnames]).text;
			nnames++;
		}
		report_row(r, cell_whole((int64_t)g->npods),
		    cell_text(arena_printf(&r->arena, "%s%s",
			arena_join(&r->arena, nnames, names, ", "),
			g->npods > nnames ? ", ..." : "")),
		    cell_text(g->message != NULL &&
				strlen(g->message) <= SHOWN_MESSAGE ?
			    g->message :
			    g->summary));
	}
	report_rows_end(r);
}

/* ---- the result ---- */

/* The pods that are placed, or those that are not. */
static void
add_outcomes(struct report *r, const struct simulation *s, bool placed,
    const char *key, const char *columns)
{
	report_rows(r, key, columns);
	r->limit = SIZE_MAX;
	for (size_t i = 0; i < s->noutcomes; i++) {
		const struct outcome *o = &s->outcomes[i];

		if ((o->node != SYM_NONE) == placed)
			report_row(r, cell_pod(r, o->pod),
			    placed ? cell_node(o->node) :
				     cell_text(o->message));
	}
	report_rows_end(r);
}

static void
add_evictions(struct report *r, const struct simulation *s)
{
	if (s->nevictions > 0)
		report_say(r, STYLE_PLAIN, "\nEvicted %zu pod%s:\n",
		    s->nevictions, plural_of(s->nevictions));
	report_rows(r, "evicted", "^pod=POD|node=NODE|by=FOR");
	r->limit = SIZE_MAX;
	for (size_t i = 0; i < s->nevictions; i++) {
		const struct eviction *e = &s->evictions[i];

		report_row(r, cell_pod(r, e->pod), cell_node(e->node),
		    cell_pod(r, e->by));
	}
	report_rows_end(r);
}

static void
report(const struct simulation *s)
{
	double rate = s->seconds > 0 ? (double)s->ndecisions / s->seconds : 0;
	bool all = s->options->all;
	struct report r;

	report_begin(&r, s->options);
	report_say(&r, STYLE_HEAD,
	    "Placed %zu of %zu pending pod%s on %u node%s", s->nplaced,
	    s->noutcomes, plural_of(s->noutcomes), s->cluster->nnodes,
	    plural_of(s->cluster->nnodes));
	report_say(&r, STYLE_PLAIN,
	    " in %.3f s (%.0f decisions/s, seed %" PRIu64 ")\n", s->seconds,
	    rate, s->options->seed);
	if (!s->options->name)
		add_outcomes(&r, s, true, "placed",
		    all || s->nplaced <= SHOWN_PODS ? "pod=POD|node=NODE" :
						      "pod|node");
	if (!all && s->nplaced > SHOWN_PODS)
		add_nodes(&r, s);
	add_outcomes(&r, s, false, "pending",
	    all ? "pod=POD|message=!LEFT PENDING BECAUSE" : "pod|message");
	if (!all)
		add_groups(&r, s);
	if (s->options->preempt)
		add_evictions(&r, s);
	json_break(&r.json, " ");
	json_key(&r.json, "seconds");
	json_number(&r.json, s->seconds, 6);
	json_key(&r.json, "decisions_per_second");
	json_number(&r.json, rate, 1);
	report_end(&r);
}

/* ---- the command ---- */

/* Whether a pod that cannot be decoded waits. */
static bool
waits_left_out(const struct asked *a)
{
	for (size_t i = 0; i < a->load.nleft_out; i++)
		if (load_waits(a->options, a->profiles, a->load.left_out[i]))
			return true;
	return false;
}

int
simulate_ask(struct asked *a)
{
	struct simulation s = { .a = a,
		.options = a->options,
		.cluster = a->load.cluster };
	int code;

	fill_queue(&s);
	run(&s);
	report(&s);
	code = s.nplaced == s.noutcomes && !waits_left_out(a) ? EXIT_DONE :
								EXIT_NEGATIVE;
	for (size_t i = 0; i < s.nevictions; i++)
		pod_unref(s.evictions[i].pod);
	free(s.evictions);
	free(s.outcomes);
	return code;
}
