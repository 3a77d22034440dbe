/*
 * What lets a pod in wakes it: each object of a recorded case, one after the other, comes
 * to the cluster without it, and leaves the whole one.  A pod that fits then, or could
 * evict others, and could not before, must not go on waiting:
 *
 *	t/conformance_wakes [--id ID] [--show N] FILE…
 *
 * The default profile of 1.36 decides.  The recorded results are not read.
 *
 * Exceptions: a node that leaves with pods on it, which are deleted after it and wake
 * others; and errors of one node, after which the pod is tried again anyway.
 */
#include "config.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/doc.h"
#include "base/err.h"
#include "base/xmalloc.h"
#include "cluster/cluster.h"
#include "policy/configuration/configuration.h"
#include "decide/framework/profile.h"
#include "decide/framework/profiles.h"
#include "wire/metrics/metrics.h"
#include "objects/pod.h"
#include "daemon/queue/queue.h"
#include "decide/sched/decide.h"
#include "decide/sched/post_filter.h"
#include "decide/sched/preempt.h"
#include "daemon/scheduler/flight.h"
#include "daemon/scheduler/plugins.h"
#include "t/lib/cases.h"

#define RELEASE 36
#define NOW 1700000000 /* seconds since 1970 */

static struct profile *profile;
static struct plugins *plugins;

/* A pod that waits, and what it waits for. */
struct waiting {
	bool fits; /* or could evict others */
	bool failed;
	uint32_t refusers;
};

/* More than the object, if that is a pod. */
static bool
evicts(struct cycle *cycle, struct decision *d, const struct object *object)
{
	const struct preemption *p = post_filter(cycle, d)->preemption;

	return p != NULL && p->node != NULL &&
	    (p->nvictims > 1 || &p->victims[0]->object != object);
}

static struct waiting
wait_for(struct cluster *cluster, struct pod *pod, const struct object *object)
{
	struct arena arena = ARENA_INIT;
	struct cycle cycle = { .cluster = cluster,
		.profile = profile,
		.pod = pod,
		.class = pod->class,
		.arena = &arena,
		.seed = 1,
		.now = NOW };
	struct decision *d = decide(&cycle);
	struct waiting w = { .fits = d->chosen != NULL,
		.failed = d->error != NULL };
	struct refusal refusal = { 0 };

	if (!w.fits) {
		w.refusers =
		    plugins_refused(plugins, &refusal, cluster, pod, d);
		plugins_forget(&refusal);
		w.fits = !w.failed && evicts(&cycle, d, object);
	}
	arena_fini(&arena);
	return w;
}

/* Whether a pod that waits so is tried again after the change. */
static bool
wakes(struct pod *pod, const struct waiting *w, const struct object *before,
    const struct object *after)
{
	struct queue *queue = queue_new(&queue_options_default, 0);
	bool sleeps;

	queue_add(queue, pod, 0);
	pod_unref(queue_pop(queue, 0, NULL));
	queue_refused(queue, pod, w->refusers, 0);
	queue_object_changed(queue, before, after, 5000);
	sleeps = queue_count(queue, QUEUE_UNSCHEDULABLE) == 1;
	queue_free(queue);
	return !sleeps;
}

static void
come_and_leave(struct case_result *r, struct cluster *cluster, struct pod *pod,
    struct object *object)
{
	const char *name = object->name;
	struct waiting with = wait_for(cluster, pod, object), without;

	cluster_remove(cluster, object);
	without = wait_for(cluster, pod, object);
	cluster_put(cluster, object);
	if (with.failed || without.failed || with.fits == without.fits)
		return;
	if (with.fits && !wakes(pod, &without, NULL, object))
		case_differs(r, "%s comes, and nothing wakes the pod", name);
	if (without.fits && object->kind != OBJECT_NODE &&
	    !wakes(pod, &with, object, NULL))
		case_differs(r, "%s leaves, and nothing wakes the pod", name);
}

/* NULL: a pod that waits, or what cannot be decoded. */
static struct object *
read_object(const struct doc_node *node)
{
	struct object *object = NULL;
	struct err err;

	if (object_decode(NULL, node, "", &object, NULL, &err) != 1)
		return NULL;
	if (object->kind == OBJECT_POD &&
	    ((struct pod *)object)->node == SYM_EMPTY) {
		object_unref(object);
		return NULL;
	}
	return object;
}

static void
run_case(const struct doc_node *root, struct case_result *r)
{
	const struct doc_node *c = doc_get(root, "case");
	const struct doc_node *items = doc_get(doc_get(c, "cluster"), "items");
	size_t n = items != NULL ? items->count : 0, i = 0;
	struct object **objects = xcalloc(n, sizeof(*objects));
	struct cluster *cluster = cluster_new();
	struct err err;
	struct pod *pod = (struct pod *)object_decode_as(NULL, OBJECT_POD,
	    doc_get(c, "pod"), &err);

	cluster->kubernetes_minor = RELEASE;
	cluster->allocates_devices = true;
	for (const struct doc_node *node = n > 0 ? items->first : NULL;
	     node != NULL; node = node->next) {
		objects[i] = read_object(node);
		if (objects[i] != NULL)
			cluster_put(cluster, objects[i++]);
	}
	if (pod == NULL || pod->node != SYM_EMPTY)
		r->skipped = true;
	for (n = i, i = 0; i < n; i++) {
		if (!r->skipped)
			come_and_leave(r, cluster, pod, objects[i]);
		object_unref(objects[i]);
	}
	free(objects);
	pod_unref(pod);
	cluster_free(cluster);
}

static struct profile *
default_profile(void)
{
	static const char text[] =
	    "{\"apiVersion\": \"kubescheduler.config.k8s.io/v1\", "
	    "\"kind\": \"KubeSchedulerConfiguration\"}";
	struct policy_options options = { .gates = gates_default };
	struct problems problems = { 0 };
	struct err err;
	struct profiles *profiles = configuration_read("default", text,
	    strlen(text), &options, &problems, &err);

	problems_fini(&problems);
	if (profiles == NULL) {
		fprintf(stderr, "%s\n", err.text);
		exit(3);
	}
	return profiles_first(profiles);
}

int
main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "id", required_argument, NULL, 'i' },
		{ "show", required_argument, NULL, 's' },
		{ NULL, 0, NULL, 0 },
	};
	struct cases cases = { .run = run_case, .show = 3 };
	struct metrics *metrics = metrics_new();
	int opt, code;

	while ((opt = getopt_long(argc, argv, "", options, NULL)) != -1)
		if (opt == 'i') {
			cases.id = optarg;
		} else if (opt == 's') {
			cases.show = strtoul(optarg, NULL, 10);
		} else {
			fprintf(stderr,
			    "usage: conformance_wakes [--id ID] [--show N] "
			    "FILE...\n");
			return 2;
		}
	profile = default_profile();
	plugins = plugins_new(metrics, "default-scheduler");
	plugins_set_profile(plugins, profile);
	code = cases_run(&cases, argc - optind, argv + optind);
	plugins_free(plugins);
	profile_free(profile);
	metrics_free(metrics);
	return code;
}
