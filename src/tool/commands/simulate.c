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
#include "tool/commands/ctl.h"
#include "tool/commands/progress.h"
#include "tool/commands/whatif.h"
#include "explain/whatif/waiting.h"

#define SHOWN_PODS 50 /* placed ones, before the nodes are listed instead */
#define SHOWN_MESSAGE 4096 /* longer ones name every node */

struct simulation {
	struct asked *a;
	const struct options *options;
	struct cluster *cluster;
	struct waiting queue;
	double seconds; /* of deciding and placing, not of reading */
};

static void
run(struct simulation *s)
{
	struct progress progress;
	double start;

	asked_waiting(s->a, &s->queue, load_waits);
	s->queue.preempt = s->options->preempt;
	progress_init(&progress);
	start = clock_seconds();
	for (size_t i = 1; i <= s->queue.n; i++) {
		waiting_run(&s->queue, i);
		progress_show(&progress, "tried", i, s->queue.n, "pods");
	}
	s->seconds = clock_seconds() - start;
	progress_end(&progress);
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
	for (size_t i = 0; i < s->queue.n; i++)
		if (s->queue.pods[i].node != SYM_NONE)
			loads[cluster_node(cluster, s->queue.pods[i].node)
				  ->index]
			    .nplaced++;
	SORT(loads, cluster->nnodes, compare_loads);
	report_rows(r, NULL, "=NODE|=>PLACED|=>PODS|=>CPU|=>MEMORY");
	for (size_t i = 0; i < cluster->nnodes; i++) {
		const struct node_info *node = loads[i].node;
		const struct resources *of = &node->node->allocatable;

		report_row(r, cell_node(node->name),
		    cell_count((int64_t)loads[i].nplaced),
		    cell_count(node->npods),
		    cell_text(
			share(r, node->requested.cpu_milli, of->cpu_milli)),
		    cell_text(share(r, node->requested.memory, of->memory)));
	}
	report_rows_end(r);
}

/* ---- left pending ---- */

/* A line for each reason for which pods stay. */
static void
add_groups(struct report *r, const struct simulation *s)
{
	const struct waiting_pod **left =
	    arena_array(&r->arena, const struct waiting_pod *, s->queue.n);
	struct keyed_pod *pods =
	    arena_array(&r->arena, struct keyed_pod, s->queue.n);
	struct pod_group *groups;
	size_t n = 0, ngroups;

	for (size_t i = 0; i < s->queue.n; i++) {
		const struct waiting_pod *o = &s->queue.pods[i];

		if (o->node != SYM_NONE)
			continue;
		left[n] = o;
		pods[n++] = (struct keyed_pod){ o->pod,
			arena_printf(&r->arena, "%d %s", o->status, o->summary),
			o->message };
	}
	groups = report_groups(r, n, pods, &ngroups);
	report_rows(r, NULL, "=>PODS|=SUCH AS|=!LEFT PENDING BECAUSE");
	for (size_t i = 0; i < ngroups; i++) {
		const struct waiting_pod *o = left[groups[i].first];
		const char *text =
		    !groups[i].differs && strlen(o->message) <= SHOWN_MESSAGE ?
		    o->message :
		    o->summary;

		if (o->status == WAITING_BEHIND)
			text = arena_printf(&r->arena,
			    "It fits alone; those before it in the queue take "
			    "the room: %s",
			    text);
		report_row(r, cell_count((int64_t)groups[i].npods),
		    cell_such_as(r, &groups[i]), cell_text(text));
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
	for (size_t i = 0; i < s->queue.n; i++) {
		const struct waiting_pod *o = &s->queue.pods[i];

		if ((o->node != SYM_NONE) != placed)
			continue;
		if (placed)
			report_row(r, cell_pod(r, o->pod), cell_node(o->node));
		else
			report_row(r, cell_pod(r, o->pod),
			    cell_text(waiting_status_name(o->status)),
			    cell_text(o->message));
	}
	report_rows_end(r);
}

static void
report(struct simulation *s)
{
	double rate =
	    s->seconds > 0 ? (double)s->queue.ndecisions / s->seconds : 0;
	bool all = s->options->all;
	struct report r;

	report_begin(&r, s->options);
	report_print(&r, STYLE_HEAD,
	    "Placed %zu of %zu pending pod%s on %u node%s", s->queue.nplaced,
	    s->queue.n, plural_of(s->queue.n), s->cluster->nnodes,
	    plural_of(s->cluster->nnodes));
	report_print(&r, STYLE_PLAIN,
	    " in %.3f s (%.0f decisions/s, seed %" PRIu64 ")\n", s->seconds,
	    rate, s->options->seed);
	if (!s->options->name)
		add_outcomes(&r, s, true, "placed",
		    all || s->queue.nplaced <= SHOWN_PODS ?
			"pod=POD|node=NODE" :
			"pod|node");
	if (!all && s->queue.nplaced > SHOWN_PODS)
		add_nodes(&r, s);
	waiting_end(&s->queue);
	add_outcomes(&r, s, false, "pending",
	    all ? "pod=POD|status=STATUS|message=!LEFT PENDING BECAUSE" :
		  "pod|status|message");
	if (!all && report_is_for_people(&r))
		add_groups(&r, s);
	if (s->options->preempt) {
		if (s->queue.nevictions > 0)
			report_print(&r, STYLE_PLAIN, "\nEvicted %zu pod%s:\n",
			    s->queue.nevictions,
			    plural_of(s->queue.nevictions));
		report_rows(&r, "evicted", "^pod=POD|node=NODE|by=FOR");
		r.limit = SIZE_MAX;
		for (size_t i = 0; i < s->queue.nevictions; i++) {
			const struct waiting_eviction *e =
			    &s->queue.evictions[i];

			report_row(&r, cell_pod(&r, e->pod), cell_node(e->node),
			    cell_pod(&r, e->by));
		}
		report_rows_end(&r);
	}
	json_break(&r.json, " ");
	json_key(&r.json, "seconds");
	json_number(&r.json, s->seconds, 6);
	json_key(&r.json, "decisions_per_second");
	json_number(&r.json, rate, 1);
	report_end(&r);
}

/* ---- the command ---- */

int
simulate_ask(struct asked *a)
{
	struct simulation s = { .a = a,
		.options = a->options,
		.cluster = a->load.cluster };
	int code;

	run(&s);
	report(&s);
	code = s.queue.nplaced == s.queue.n ? EXIT_DONE : EXIT_NEGATIVE;
	for (size_t i = 0; i < a->load.nleft_out; i++) /* not decoded */
		if (load_waits(a->options, a->profiles, a->load.left_out[i]))
			code = EXIT_NEGATIVE;
	waiting_fini(&s.queue);
	return code;
}
