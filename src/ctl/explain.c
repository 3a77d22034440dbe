/*
 * predicatectl explain: every node's verdict and scores for one pod.
 *
 * The pod is explained as if it were pending: a pod that is on a node is
 * removed from it first.
 */
#include "config.h"

#include "ctl/explain.h"

#include "cluster/confines.h"
#include "ctl/ctl.h"
#include "ctl/progress.h"
#include "ctl/whatif.h"
#include "explain/diagnosis.h"
#include "explain/finding.h"
#include "explain/miss.h"
#include "model/selector_text.h"
#include "sched/pre_enqueue.h"

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
			ctl_say("  --pod %s", pod_full_name(a->load.pods[i]));
	if (n > SHOWN_PODS)
		ctl_say("  and %zu more", n - SHOWN_PODS);
}

/* The pod that --pod names; not owned. */
static struct pod *
named_pod(const struct asked *a)
{
	struct pod *found = NULL;
	size_t n = count(a, is_named, &found);

	if (n == 1)
		return found;
	if (n == 0) {
		ctl_say("pod \"%s\" is not in the cluster; these are pending:",
		    a->options->pod);
		list_pending(a);
		return NULL;
	}
	ctl_say("%zu pods are called \"%s\"; name one with its namespace:", n,
	    a->options->pod);
	for (size_t i = 0; i < a->load.npods; i++)
		if (is_named(a, a->load.pods[i]))
			ctl_say("  %s", pod_full_name(a->load.pods[i]));
	return NULL;
}

/* Whether the requested pod (NULL: any pending one) cannot be decoded; the
 * reason has been printed. */
static bool
is_left_out(const struct asked *a)
{
	const struct load *load = &a->load;
	bool named = a->options->pod != NULL;

	for (size_t i = 0; i < load->nleft_out; i++)
		if (named ? is_named(a, load->left_out[i]) :
			    is_pending(a, load->left_out[i]))
			return true;
	for (size_t i = 0; named && i < load->npods; i++)
		if (load->pods[i]->object.partial != PARTIAL_NONE &&
		    is_named(a, load->pods[i]))
			return true;
	return false;
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
		ctl_say("no pod is pending for \"%s\"; name one with --pod or "
			"--pod-file",
		    options->config != NULL ?
			options->config :
			sym_text(options->scheduler_name));
		return NULL;
	}
	ctl_say("%zu pods are pending; name one with --pod", n);
	list_pending(a);
	return NULL;
}

/* A pod of its own that waits, with nothing of it on a node. */
static struct pod *
lift(struct cluster *cluster, struct pod *pod)
{
	if (pod->node == SYM_EMPTY)
		return pod_ref(pod);
	ctl_say("%s is on node %s; explained as if it were pending",
	    pod_full_name(pod), sym_text(pod->node));
	cluster_remove(cluster, &pod->object);
	return pod_on_node(pod, SYM_EMPTY);
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
		ctl_say("cannot explain a pod that cannot be decoded");
		return NULL;
	}
	*code = EXIT_USAGE;
	pod = options->pod != NULL ? named_pod(a) : pending_pod(a);
	if (pod == NULL)
		return NULL;
	if (pod_has_ended(pod))
		ctl_say("%s has ended; explained as if it were pending",
		    pod_full_name(pod));
	return lift(a->load.cluster, pod);
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

/* The nodes that fit, best first, as kubectl names objects. */
static void
print_names(const struct explanation *e)
{
	const struct node_info **nodes = explain_fitting(e);

	for (uint32_t i = 0; i < e->decision->nfeasible; i++) {
		printf("node/");
		text_print_line(stdout, sym_text(nodes[i]->name));
	}
}

/* PreEnqueue keeps it out of the queue, so it is not even tried. */
static void
say_if_held(struct cycle *cycle)
{
	const char *refusal = pre_enqueue_refusal(cycle);

	if (refusal != NULL)
		ctl_say("%s is not tried: %s; explained as if it were",
		    pod_full_name(cycle->pod), refusal);
}

/* About a pod that waits. */
static struct cycle
cycle_of(const struct options *options, const struct profile *profile,
    struct cluster *cluster, const struct pod *pod, struct arena *arena)
{
	return (struct cycle){
		.cluster = cluster,
		.profile = profile,
		.pod = pod,
		.class = pod->class,
		.arena = arena,
		.seed = options->seed,
		.keep_scores = true,
	};
}

/* Fills *e, zeroed before. */
static void
find(struct explanation *e, struct cycle *cycle, bool with_misses)
{
	explanation_find(e, cycle);
	e->diagnosis = diagnosis_find(e);
	if (with_misses && e->diagnosis != NULL)
		e->misses = misses_by_node(e);
}

void
explain_json(const struct options *options, const struct profile *profile,
    struct cluster *cluster, const struct pod *pod, size_t max_bytes, FILE *out)
{
	struct arena arena = ARENA_INIT;
	struct cycle cycle = cycle_of(options, profile, cluster, pod, &arena);
	struct explanation e = { .max_bytes = max_bytes, .own = cluster };

	find(&e, &cycle, true);
	explanation_json(&e, out);
	arena_fini(&arena);
}

static int
explain_pod(const struct options *options, const struct profile *profile,
    struct cluster *cluster, const struct pod *pod)
{
	struct arena arena = ARENA_INIT;
	struct cycle cycle = cycle_of(options, profile, cluster, pod, &arena);
	struct explanation e = { .own = cluster };
	int code;

	say_if_held(&cycle);
	find(&e, &cycle, options->json);
	if (options->yaml)
		print_yaml(&e, options);
	else if (options->json)
		explanation_json(&e, stdout);
	else if (options->name)
		print_names(&e);
	else
		explain_table(options, &e);
	code = e.decision->chosen != NULL ? EXIT_DONE : EXIT_NEGATIVE;
	arena_fini(&arena);
	return code;
}

/* A pod that no profile serves: kube-scheduler does not look at it. */
static int
explain_unserved(const struct options *options, const struct pod *pod)
{
	if (options->json)
		explanation_json_unserved(pod, stdout);
	ctl_say("%s: no profile of %s serves schedulerName \"%s\"; see "
		"--scheduler-name",
	    pod_full_name(pod), options->config,
	    sym_text(pod->class->scheduler_name));
	return EXIT_NEGATIVE;
}

/* ---- several pods ---- */

static const struct finding *
find_cause(const struct asked *a, struct findings *known, const struct pod *pod)
{
	struct arena arena = ARENA_INIT;
	struct cycle cycle =
	    cycle_of(a->options, load_serving(a->options, a->profiles, pod),
		a->load.cluster, pod, &arena);
	const struct finding *found = findings_known(known, pod);

	if (found == NULL)
		found = findings_add(known, &cycle);
	arena_fini(&arena);
	return found;
}

/* Those that wait and that the selector matches, in the order of the input. */
static struct finding *
find_causes(const struct asked *a, const struct selector *selector,
    struct report *r, size_t *n)
{
	struct finding *all =
	    arena_array(&r->arena, struct finding, a->load.npods + 1);
	struct findings known = { .arena = &r->arena, .own = a->load.cluster };
	struct progress progress;

	*n = 0;
	progress_init(&progress);
	for (size_t i = 0; i < a->load.npods; i++) {
		const struct pod *pod = a->load.pods[i];

		if (!is_pending(a, pod) ||
		    !selector_matches(selector, &pod->class->labels))
			continue;
		all[*n] = *find_cause(a, &known, pod);
		all[*n].pod = pod;
		progress_show(&progress, "explained", ++*n, 0, "pods");
	}
	progress_end(&progress);
	return all;
}

/* A line for each pod. */
static int
explain_several(const struct asked *a)
{
	const char *text = a->options->selector;
	struct selector selector;
	struct finding *all;
	struct report r;
	struct err err;
	size_t n, nfit = 0, nheld = 0, nowhere;

	report_begin(&r, a->options);
	if (selector_from_text(&r.arena, text != NULL ? text : "", &selector,
		&err) != 0) {
		ctl_say("--selector: %s", err.text);
		text_fini(&r.text);
		arena_fini(&r.arena);
		return EXIT_USAGE;
	}
	all = find_causes(a, &selector, &r, &n);
	for (size_t i = 0; i < n; i++) {
		nfit += all[i].node != NULL;
		nheld += strcmp(all[i].cause, "gate") == 0;
	}
	nowhere = n - nfit - nheld;
	report_say(&r, STYLE_HEAD,
	    "%zu pod%s wait%s: %zu fit%s now, %zu fit%s nowhere", n,
	    plural_of(n), n == 1 ? "s" : "", nfit, nfit == 1 ? "s" : "",
	    nowhere, nowhere == 1 ? "s" : "");
	if (nheld > 0)
		report_say(&r, STYLE_HEAD, ", %zu %s not tried", nheld,
		    nheld == 1 ? "is" : "are");
	report_say(&r, STYLE_HEAD, "\n");
	report_rows(&r, "pods",
	    "pod=POD|node|cause|text=WAITS BECAUSE|remedy=+REMEDY");
	for (size_t i = 0; i < n; i++)
		report_row(&r, cell_pod(&r, all[i].pod), cell_text(all[i].node),
		    cell_text(all[i].cause),
		    cell_styled(all[i].node != NULL ? STYLE_GOOD : STYLE_BAD,
			all[i].text),
		    cell_text(all[i].remedy));
	report_rows_end(&r);
	report_end(&r);
	return nfit < n ? EXIT_NEGATIVE : EXIT_DONE;
}

int
explain_ask(struct asked *a)
{
	const struct profile *profile;
	struct pod *pod;
	int code;

	if (a->options->all_pending || a->options->selector != NULL)
		return explain_several(a);
	pod = choose_pod(a, &code);
	if (pod == NULL)
		return code;
	profile = load_serving(a->options, a->profiles, pod);
	pod = cluster_confined(a->load.cluster, pod);
	code = profile != NULL ?
	    explain_pod(a->options, profile, a->load.cluster, pod) :
	    explain_unserved(a->options, pod);
	pod_unref(pod);
	return code;
}
