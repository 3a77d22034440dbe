/*
 * predicatectl explain: every node's verdict and scores for one pod.
 *
 * The pod is explained as if it were pending: a pod that is on a node is
 * removed from it first.
 */
#include "config.h"

#include "tool/commands/explain.h"

#include "base/map.h"
#include "base/sorted.h"
#include "cluster/confines.h"
#include "tool/commands/ctl.h"
#include "tool/commands/progress.h"
#include "tool/commands/whatif.h"
#include "explain/diagnosis.h"
#include "explain/miss.h"
#include "objects/selector_text.h"
#include "decide/sched/pre_enqueue.h"
#include "explain/whatif/waiting.h"

#define SHOWN_PODS 10 /* in the list of candidates */

/* ---- which pod ---- */

/* Whether it is the pod that is asked for: with -A, NAME is in any namespace. */
static bool
is_named(const struct asked *a, const struct pod *pod)
{
	const struct options *o = a->options;

	return o->all_namespaces && strchr(o->pod, '/') == NULL ?
	    strcmp(pod->object.name, o->pod) == 0 :
	    asked_is(a, pod, o->pod);
}

static bool
is_pending(const struct asked *a, const struct pod *pod)
{
	return load_waits(a->options, a->profiles, pod);
}

/* Those of which is() is true. */
static size_t
count(const struct asked *a,
    bool (*is)(const struct asked *a, const struct pod *pod),
    struct pod **found)
{
	size_t n = 0;

	for (size_t i = 0; i < a->load.npods; i++) {
		if (!is(a, a->load.pods[i]))
			continue;
		if (n++ == 0)
			*found = a->load.pods[i];
	}
	return n;
}

static void
list_pending(const struct asked *a)
{
	size_t n = 0;

	for (size_t i = 0; i < a->load.npods; i++)
		if (is_pending(a, a->load.pods[i]) && n++ < SHOWN_PODS)
			ctl_print("  --pod %s", pod_full_name(a->load.pods[i]));
	if (n > SHOWN_PODS)
		ctl_print("  and %zu more", n - SHOWN_PODS);
}

/* The pod that --pod names; not owned; NULL: may change *code. */
static struct pod *
named_pod(const struct asked *a, int *code)
{
	struct pod *found = NULL;
	size_t n = count(a, is_named, &found);

	if (n == 1)
		return found;
	if (n == 0) {
		*code = EXIT_INPUT;
		if (!asked_no_pod(a, a->options->pod) &&
		    count(a, is_pending, &found) > 0) {
			ctl_print("These are pending:");
			list_pending(a);
		}
		return NULL;
	}
	ctl_print("%zu pods are called \"%s\"; name one with its namespace:", n,
	    a->options->pod);
	for (size_t i = 0; i < a->load.npods; i++)
		if (is_named(a, a->load.pods[i]))
			ctl_print("  %s", pod_full_name(a->load.pods[i]));
	return NULL;
}

/* Whether the requested pod (NULL: any pending one) cannot be decoded; the
 * reason has been printed. */
static bool
is_left_out(const struct asked *a)
{
	const struct load *load = &a->load;

	if (a->options->pod == NULL)
		return ANY(i, load->nleft_out,
		    is_pending(a, load->left_out[i]));
	return ANY(i, load->nleft_out, is_named(a, load->left_out[i])) ||
	    ANY(i, load->npods,
		load->pods[i]->object.partial != PARTIAL_NONE &&
		    is_named(a, load->pods[i]));
}

/* The only pending pod; not owned. */
static struct pod *
pending_pod(const struct asked *a)
{
	const struct options *options = a->options;
	struct pod *found = NULL;
	size_t n = count(a, is_pending, &found);

	if (n == 1)
		return found;
	if (n == 0) {
		ctl_print(
		    "no pod is pending for \"%s\"; name one with --pod or "
		    "--pod-file",
		    options->config != NULL ?
			options->config :
			sym_text(options->scheduler_name));
		return NULL;
	}
	ctl_print("%zu pods are pending; name one with --pod", n);
	list_pending(a);
	return NULL;
}

/* You own it; NULL: *code. */
static struct pod *
choose_pod(const struct asked *a, int *code)
{
	const struct options *options = a->options;
	struct pod *pod = NULL;

	*code = EXIT_INPUT;
	if (options->pod_file != NULL)
		return load_pod_alone(&a->load, options->pod_file);
	if (is_left_out(a) &&
	    (options->pod != NULL || count(a, is_pending, &pod) == 0)) {
		ctl_print("cannot explain a pod that cannot be decoded");
		return NULL;
	}
	*code = EXIT_USAGE;
	pod = options->pod != NULL ? named_pod(a, code) : pending_pod(a);
	if (pod == NULL)
		return NULL;
	if (pod_has_ended(pod))
		ctl_print("%s has ended; explained as if it were pending",
		    pod_full_name(pod));
	if (pod->node == SYM_EMPTY)
		return pod_ref(pod);
	ctl_print("%s is on node %s; explained as if it were pending",
	    pod_full_name(pod), sym_text(pod->node));
	cluster_remove(a->load.cluster, &pod->object);
	return pod_on_node(pod, SYM_EMPTY);
}

/* ---- the command ---- */

static void
print_yaml(const struct explanation *e, const struct options *options)
{
	AUTOFREE char *json = NULL;
	struct text text = { 0 };
	size_t len;
	FILE *out = open_memstream(&json, &len);

	explanation_json(e, out);
	fclose(out);
	text_append(&text, json, len);
	report_write(options, &text);
}

static int
explain_pod(struct asked *a, const struct profile *profile, struct pod *pod)
{
	const struct options *options = a->options;
	struct arena arena = ARENA_INIT;
	struct cycle cycle = {
		.cluster = a->load.cluster,
		.profile = profile,
		.pod = pod,
		.class = pod->class,
		.arena = &arena,
		.seed = options->seed,
		.keep_scores = true,
	};
	struct explanation e = { .own = a->load.cluster };
	const char *refusal = pre_enqueue_refusal(&cycle);
	const struct node_info **nodes;
	struct waiting queue;
	size_t at;
	bool placed;

	/* PreEnqueue keeps it out of the queue, so it is not even tried. */
	if (refusal != NULL)
		ctl_print("%s is not tried: %s; explained as if it were",
		    pod_full_name(pod), refusal);
	asked_waiting(a, &queue, load_queues);
	at = options->pod_file == NULL ? waiting_place(&queue, pod) : queue.n;
	waiting_turn(&queue, at, a->template);
	explanation_find(&e, &cycle);
	e.diagnosis = diagnosis_find(&e);
	if (options->json && e.diagnosis != NULL)
		e.misses = misses_by_node(&e);
	waiting_explain(&queue, at, &e);
	if (options->yaml) {
		print_yaml(&e, options);
	} else if (options->json) {
		explanation_json(&e, options->screen.out);
	} else if (options->name) {
		nodes = explain_fitting(&e);
		for (uint32_t i = 0; i < e.decision->nfeasible; i++) {
			fprintf(options->screen.out, "node/");
			text_print_line(options->screen.out,
			    sym_text(nodes[i]->name));
		}
	} else {
		explain_table(options, &e);
	}
	placed = at == queue.n ? e.decision->chosen != NULL :
				 queue.pods[at].status == WAITING_GOES;
	waiting_fini(&queue);
	arena_fini(&arena);
	return placed ? EXIT_DONE : EXIT_NEGATIVE;
}

/* ---- several pods ---- */

/* Those that the selector matches, in the order of the input; *n of them. */
static struct finding *
find_causes(struct asked *a, struct waiting *q, const struct selector *selector,
    struct report *r, size_t *n)
{
	struct finding *all =
	    arena_array(&r->arena, struct finding, a->load.npods + 1);
	size_t *places = arena_array(&r->arena, size_t, q->n);
	struct progress progress;

	*n = 0;
	progress_init(&progress);
	for (size_t i = 0; i < q->n; i++)
		places[q->pods[i].order] = i;
	for (size_t i = 0; i < q->n; i++) {
		const struct pod *pod = q->pods[places[i]].pod;

		if (!is_pending(a, pod) ||
		    !selector_matches(selector, &pod->class->labels))
			continue;
		all[*n] = waiting_finding(q, places[i]);
		progress_show(&progress, "explained", ++*n, 0, "pods");
	}
	progress_end(&progress);
	return all;
}

/* What those of a group wait for and what helps, but for numbers; in the arena. */
static const char *
group_key(struct arena *arena, const struct finding *f)
{
	char *key, *to;

	if (f->node != NULL)
		return "";
	key = to = arena_printf(arena, "%s\n%s\n%s", f->cause,
	    strcmp(f->cause, "queue") != 0 ? f->text : "", f->remedy);
	for (const char *c = key; *c != '\0'; c++)
		if (strchr("0123456789.", *c) == NULL)
			*to++ = *c;
	*to = '\0';
	return key;
}

static const char *
group_text(struct arena *arena, const struct pod_group *group,
    const struct finding *f)
{
	if (f->node != NULL)
		return group->npods > 1 ? "they fit now" : f->text;
	if (group->differs && strcmp(f->cause, "queue") == 0)
		return "They fit alone; those before them in the queue take the "
		       "room";
	return group->differs ?
	    arena_printf(arena, "For example: %s", f->text) :
	    f->text;
}

/* For people: a line for each cause and remedy, the most pods first. */
static void
add_groups(struct report *r, size_t n, const struct finding *all)
{
	struct keyed_pod *pods = arena_array(&r->arena, struct keyed_pod, n);
	struct pod_group *groups;
	size_t ngroups;

	for (size_t i = 0; i < n; i++)
		pods[i] = (struct keyed_pod){ all[i].pod,
			group_key(&r->arena, &all[i]), all[i].text };
	groups = report_groups(r, n, pods, &ngroups);
	report_rows(r, NULL, "=>PODS|=SUCH AS|=WAIT BECAUSE|=+REMEDY");
	for (size_t i = 0; i < ngroups; i++) {
		const struct pod_group *g = &groups[i];
		const struct finding *f = &all[g->first];
		bool fits = f->node != NULL;

		report_row(r, cell_count((int64_t)g->npods), cell_such_as(r, g),
		    cell_styled(fits ? STYLE_GOOD : STYLE_BAD,
			group_text(&r->arena, g, f)),
		    cell_text(fits ? "" : f->remedy));
	}
	report_rows_end(r);
}

/* A line for each cause or, with --all, pod. */
static int
explain_several(struct asked *a)
{
	const char *text = a->options->selector;
	struct selector selector;
	struct waiting queue;
	struct finding *all;
	struct report r;
	struct err err;
	size_t n, nfit = 0, nbehind = 0, nheld = 0, nowhere;

	report_begin(&r, a->options);
	if (selector_from_text(&r.arena, text != NULL ? text : "", &selector,
		&err) != 0) {
		ctl_print("--selector: %s", err.text);
		text_fini(&r.text);
		arena_fini(&r.arena);
		return EXIT_USAGE;
	}
	asked_waiting(a, &queue, load_queues);
	waiting_run(&queue, queue.n);
	waiting_find_nodes(&queue, a->template);
	waiting_end(&queue);
	all = find_causes(a, &queue, &selector, &r, &n);
	for (size_t i = 0; i < n; i++) {
		nfit += all[i].node != NULL;
		nheld += strcmp(all[i].cause, "gate") == 0;
		nbehind += strcmp(all[i].cause, "queue") == 0;
	}
	nowhere = n - nfit - nbehind - nheld;
	report_print(&r, STYLE_HEAD,
	    "%zu pod%s wait%s: %zu fit%s now, %zu fit%s nowhere", n,
	    plural_of(n), n == 1 ? "s" : "", nfit, nfit == 1 ? "s" : "",
	    nowhere, nowhere == 1 ? "s" : "");
	if (nbehind > 0)
		report_print(&r, STYLE_HEAD, ", %zu fit%s alone", nbehind,
		    nbehind == 1 ? "s" : "");
	if (nheld > 0)
		report_print(&r, STYLE_HEAD, ", %zu %s not tried", nheld,
		    nheld == 1 ? "is" : "are");
	report_print(&r, STYLE_HEAD, "\n");
	if (queue.more.nkinds > 0)
		report_print(&r, STYLE_PLAIN, "More nodes: %s\n",
		    waiting_nodes_text(&queue));
	waiting_nodes_json(&queue, &r.json);
	if (!a->options->all && report_is_for_people(&r))
		add_groups(&r, n, all);
	report_rows(&r, "pods",
	    a->options->all ?
		"pod=POD|node|cause|text=WAITS BECAUSE|remedy=+REMEDY" :
		"pod|node|cause|text|remedy");
	for (size_t i = 0; i < n; i++)
		report_row(&r, cell_pod(&r, all[i].pod), cell_text(all[i].node),
		    cell_text(all[i].cause),
		    cell_styled(all[i].node != NULL ? STYLE_GOOD : STYLE_BAD,
			all[i].text),
		    cell_text(all[i].remedy));
	report_rows_end(&r);
	report_end(&r);
	waiting_fini(&queue);
	return nfit < n ? EXIT_NEGATIVE : EXIT_DONE;
}

int
explain_ask(struct asked *a)
{
	const struct profile *profile;
	struct pod *pod;
	struct err err;
	int code;

	if (a->options->template != NULL) {
		a->template =
		    (struct node *)object_file_read(a->options->template,
			OBJECT_NODE, &a->load, &err);
		if (a->template == NULL)
			return ctl_fail(&err);
	}
	if (a->options->all_pending || a->options->selector != NULL)
		return explain_several(a);
	pod = choose_pod(a, &code);
	if (pod == NULL)
		return code;
	profile = load_serving(a->options, a->profiles, pod);
	pod = cluster_confined(a->load.cluster, pod);
	if (profile != NULL) {
		code = explain_pod(a, profile, pod);
	} else {
		/* kube-scheduler does not look at the pod. */
		code = EXIT_NEGATIVE;
		if (a->options->json)
			explanation_json_unserved(pod, a->options->screen.out);
		ctl_print(
		    "%s: no profile of %s serves schedulerName \"%s\"; see "
		    "--scheduler-name",
		    pod_full_name(pod), a->options->config,
		    sym_text(pod->class->scheduler_name));
	}
	pod_unref(pod);
	return code;
}
