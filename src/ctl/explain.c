/*
 * predicatectl explain: every node's verdict and scores for one pod.
 *
 * The pod is explained as if it were pending: a pod that is on a node is
 * removed from it first.
 */
#include "config.h"

#include "ctl/explain.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/xmalloc.h"
#include "cluster/confines.h"
#include "ctl/ctl.h"
#include "ctl/load.h"
#include "ctl/serving.h"
#include "ctl/yaml_out.h"
#include "framework/profile.h"
#include "explain/diagnosis.h"
#include "explain/explanation.h"
#include "explain/miss.h"
#include "sched/pre_enqueue.h"

#define SHOWN_PODS 10 /* in the list of candidates */

/* ---- which pod ---- */

/* Splits NS/NAME; a name alone is in the namespace of -n, else in the usual one. */
static bool
is_named(const struct load *load, const struct pod *pod,
    const struct options *options)
{
	const char *wanted = options->pod, *slash = strchr(wanted, '/');
	const char *namespace = sym_text(pod->object.namespace);

	if (slash == NULL)
		return (options->all_namespaces ||
			   (options->namespace != SYM_NONE ?
				   pod->object.namespace == options->namespace :
				   strcmp(namespace, load_namespace(load)) ==
				       0)) &&
		    strcmp(pod->object.name, wanted) == 0;
	return strlen(namespace) == (size_t)(slash - wanted) &&
	    strncmp(namespace, wanted, (size_t)(slash - wanted)) == 0 &&
	    strcmp(pod->object.name, slash + 1) == 0;
}

static void
list_pending(const struct load *load, const struct options *options,
    const struct profiles *profiles)
{
	size_t n = 0;

	for (size_t i = 0; i < load->npods; i++) {
		if (!serving_waits(options, profiles, load->pods[i]))
			continue;
		if (n++ >= SHOWN_PODS)
			continue;
		ctl_say("  --pod %s", pod_full_name(load->pods[i]));
	}
	if (n > SHOWN_PODS)
		ctl_say("  and %zu more", n - SHOWN_PODS);
}

/* With -A, a name must be that of one pod. */
static bool
is_ambiguous(const struct load *load, const struct options *options)
{
	size_t n = 0;

	for (size_t i = 0; i < load->npods; i++)
		n += is_named(load, load->pods[i], options);
	if (n < 2)
		return false;
	ctl_say("%zu pods are called \"%s\"; name one with its namespace:", n,
	    options->pod);
	for (size_t i = 0; i < load->npods; i++)
		if (is_named(load, load->pods[i], options))
			ctl_say("  %s", pod_full_name(load->pods[i]));
	return true;
}

/* The pod that --pod names; you own it. */
static struct pod *
named_pod(const struct load *load, const struct options *options,
    const struct profiles *profiles)
{
	if (is_ambiguous(load, options))
		return NULL;
	for (size_t i = 0; i < load->npods; i++)
		if (is_named(load, load->pods[i], options))
			return pod_ref(load->pods[i]);
	ctl_say("pod \"%s\" is not in the cluster; these are pending:",
	    options->pod);
	list_pending(load, options, profiles);
	return NULL;
}

/* Whether the requested pod (NULL: any pending one) cannot be decoded; the
 * reason has been printed. */
static bool
is_left_out(const struct load *load, const struct options *options,
    const struct profiles *profiles)
{
	for (size_t i = 0; i < load->nleft_out; i++)
		if (options->pod != NULL ?
			is_named(load, load->left_out[i], options) :
			serving_waits(options, profiles, load->left_out[i]))
			return true;
	for (size_t i = 0; options->pod != NULL && i < load->npods; i++)
		if (load->pods[i]->object.partial != PARTIAL_NONE &&
		    is_named(load, load->pods[i], options))
			return true;
	return false;
}

static bool
none_is_pending(const struct load *load, const struct options *options,
    const struct profiles *profiles)
{
	for (size_t i = 0; i < load->npods; i++)
		if (serving_waits(options, profiles, load->pods[i]))
			return false;
	return true;
}

/* The only pending pod; you own it. */
static struct pod *
pending_pod(const struct load *load, const struct options *options,
    const struct profiles *profiles)
{
	const struct pod *found = NULL;
	size_t n = 0;

	for (size_t i = 0; i < load->npods; i++) {
		if (!serving_waits(options, profiles, load->pods[i]))
			continue;
		found = load->pods[i];
		n++;
	}
	if (n == 1)
		return pod_ref(found);
	if (n == 0) {
		ctl_say("no pod is pending for \"%s\"; name one with --pod or "
			"--pod-file",
		    options->config != NULL ?
			options->config :
			sym_text(options->scheduler_name));
		return NULL;
	}
	ctl_say("%zu pods are pending; name one with --pod", n);
	list_pending(load, options, profiles);
	return NULL;
}

/* Takes pod; gives back one that waits, with nothing of it on a node. */
static struct pod *
lift(struct cluster *cluster, struct pod *pod)
{
	struct pod *lifted;

	if (pod->node == SYM_EMPTY)
		return pod;
	ctl_say("%s is on node %s; explained as if it were pending",
	    pod_full_name(pod), sym_text(pod->node));
	cluster_remove(cluster, &pod->object);
	lifted = pod_on_node(pod, SYM_EMPTY);
	pod_unref(pod);
	return lifted;
}

static struct pod *
choose_pod(const struct load *load, const struct options *options,
    const struct profiles *profiles, int *code)
{
	struct pod *pod;

	*code = EXIT_INPUT;
	if (options->pod_file != NULL)
		return load_pod_alone(load, options->pod_file);
	*code = EXIT_USAGE;
	if (is_left_out(load, options, profiles) &&
	    (options->pod != NULL ||
		none_is_pending(load, options, profiles))) {
		ctl_say("cannot explain a pod that cannot be decoded");
		*code = EXIT_INPUT;
		return NULL;
	}
	pod = options->pod != NULL ? named_pod(load, options, profiles) :
				     pending_pod(load, options, profiles);
	if (pod == NULL)
		return NULL;
	if (pod->phase == POD_SUCCEEDED || pod->phase == POD_FAILED)
		ctl_say("%s has ended; explained as if it were pending",
		    pod_full_name(pod));
	return lift(load->cluster, pod);
}

/* ---- the command ---- */

static void
print_yaml(const struct explanation *e)
{
	AUTOFREE char *json = NULL;
	size_t len;
	FILE *out = open_memstream(&json, &len);

	explanation_json(e, out);
	fclose(out);
	yaml_write(json, len, stdout);
}

/* The nodes that fit, best first, as kubectl names objects. */
static void
print_names(const struct explanation *e)
{
	const struct node_info **nodes = explain_fitting(e);

	for (uint32_t i = 0; i < e->decision->nfeasible; i++)
		printf("node/%s\n", sym_text(nodes[i]->name));
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
explain_json(struct cycle *cycle, size_t max_bytes, FILE *out)
{
	struct explanation e = { .max_bytes = max_bytes };

	find(&e, cycle, true);
	explanation_json(&e, out);
}

static int
explain_pod(const struct options *options, const struct profile *profile,
    struct cluster *cluster, const struct pod *pod)
{
	struct arena arena = ARENA_INIT;
	struct cycle cycle = {
		.cluster = cluster,
		.profile = profile,
		.pod = pod,
		.class = pod->class,
		.arena = &arena,
		.seed = options->seed,
		.keep_scores = true,
	};
	struct explanation e = { 0 };
	int code;

	say_if_held(&cycle);
	find(&e, &cycle, options->json);
	if (options->yaml)
		print_yaml(&e);
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

static int
explain_in(const struct options *options, struct profiles **profiles)
{
	const struct profile *profile;
	struct load load;
	struct err err;
	struct pod *pod;
	int code;

	if (load_cluster(options, *profiles, &load, &err) != 0) {
		ctl_say("%s", err.text);
		return EXIT_INPUT;
	}
	code = openshift_profile(&load.openshift, options, profiles);
	pod = code == EXIT_DONE ? choose_pod(&load, options, *profiles, &code) :
				  NULL;
	if (pod != NULL) {
		profile = serving_profile(options, *profiles, pod);
		pod = cluster_confined(load.cluster, pod);
		code = profile != NULL ?
		    explain_pod(options, profile, load.cluster, pod) :
		    explain_unserved(options, pod);
	}
	pod_unref(pod);
	load_fini(&load);
	return code;
}

int
explain_run(const struct options *options)
{
	struct profiles *profiles;
	int code = load_profiles(options, &profiles);

	if (code != EXIT_DONE)
		return code;
	code = explain_in(options, &profiles);
	profiles_free(profiles);
	return code;
}
