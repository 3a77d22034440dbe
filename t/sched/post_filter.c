/* The plugins that run for a pod that fits nowhere. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/xmalloc.h"
#include "cluster/node_info.h"
#include "decide/ecache/ecache.h"
#include "policy/configuration/configuration.h"
#include "policy/policy.h"
#include "decide/sched/decide.h"
#include "decide/sched/post_filter.h"
#include "t/lib/t.h"
#include "t/lib/world.h"

#define CONFIG(version, plugins)                                               \
	"{\"apiVersion\":\"kubescheduler.config.k8s.io/" version               \
	"\",\"kind\":\"KubeSchedulerConfiguration\",\"profiles\":[{"           \
	"\"schedulerName\":\"default-scheduler\",\"plugins\":{" plugins "}}]}"
#define WITHOUT(point, name)                                                   \
	"\"" point "\":{\"disabled\":[{\"name\":\"" name "\"}]}"
#define V1 CONFIG("v1", "")
#define NO_DEVICES CONFIG("v1", WITHOUT("postFilter", "DynamicResources"))

/* A pod with this priority and cpu on the node, which has four. */
#define ON(node, name, priority, cpu)                                          \
	W_POD(name, "", node,                                                  \
	    "priority: " priority ", " W_REQUESTS("cpu: " cpu))
#define LEAVING(node, name)                                                            \
	W_OBJECT("Pod",                                                                \
	    "name: " name ", deletionTimestamp: '2020-01-01T00:00:00Z'",               \
	    "spec: {nodeName: " node ", priority: 0, " W_REQUESTS(                     \
		"cpu: 4") "}, status: {conditions: [{type: DisruptionTarget, status: " \
			  "'True', reason: PreemptionByScheduler}]}")
#define WANTS(cpu, spec) NOMINATED(cpu, spec, "")
#define NOMINATED(cpu, spec, status)                                           \
	W_POD_IN("default", "p", "", "",                                       \
	    "priority: 10, " spec W_REQUESTS("cpu: " cpu), status)
#define A W_NODE("a", "", "")
#define B W_NODE("b", "", "")
#define CLOSED W_NODE("c", "", "unschedulable: true")

#define NO_CLAIMS "no new claims to deallocate"
#define NOT_HELPFUL "Preemption is not helpful for scheduling"
#define NO_VICTIMS "No preemption victims found for incoming pod"

static struct profiles *
read_config(const char *text)
{
	struct policy_options options = { .gates = gates_default };
	struct problems problems = { 0 };
	struct err err = { "" };
	struct profiles *c = configuration_read("config", text, strlen(text),
	    &options, &problems, &err);

	t_str(text, err.text, "");
	problems_fini(&problems);
	return c;
}

/* "VERDICT: MESSAGE; NODE", "-" if no plugin says anything; with results kept
 * unless ecache is NULL. */
static char *
outcome(struct world *w, const struct profile *profile, struct ecache *ecache)
{
	static const char *const names[] = { "fits", "unfit", "forever",
		"broken" };
	const struct post_filter *post;
	const struct preemption *p;
	struct decision *d;

	w->cycle.profile = profile;
	w->cycle.class = w->cycle.pod->class;
	w->cycle.ecache = ecache;
	w->cycle.keep_scores = ecache == NULL;
	d = decide(&w->cycle);
	post = post_filter(&w->cycle, d);
	p = post->preemption;
	return xasprintf("%s%s%s%s", post->ran ? names[post->verdict] : "-",
	    post->message[0] != '\0' ? ": " : "", post->message,
	    p == NULL           ? "; not allowed" :
		p->node == NULL ? (p->nclears > 0 ? "; clears" : "") :
				  "; a node");
}

static void
plugins_say_why_nothing_helps(void)
{
	static const struct {
		const char *name, *config, *objects, *pod, *want;
	} rows[] = {
		{ "a node is nominated", V1, A ON("a", "x", "1", "4"),
		    WANTS("1", ""), "fits; a node" },
		{ "no lesser pods", V1,
		    A ON("a", "x", "10", "4") B ON("b", "z", "11", "4"),
		    WANTS("1", ""),
		    "unfit: " NO_CLAIMS ", preemption: 0/2 nodes are "
		    "available: 2 " NO_VICTIMS "." },
		{ "not on that node", V1, A ON("a", "x", "10", "4") CLOSED,
		    WANTS("1", ""),
		    "unfit: " NO_CLAIMS ", preemption: 0/2 nodes are "
		    "available: 1 " NO_VICTIMS ", 1 " NOT_HELPFUL "." },
		{ "too few of them", V1,
		    A ON("a", "x", "10", "3") ON("a", "z", "1", "1"),
		    WANTS("4", ""),
		    "unfit: " NO_CLAIMS ", preemption: 0/1 nodes are "
		    "available: 1 Insufficient cpu." },
		{ "never", V1, A ON("a", "x", "1", "4"),
		    WANTS("1", "preemptionPolicy: Never, "),
		    "unfit: " NO_CLAIMS ", preemption: not eligible due to "
		    "preemptionPolicy=Never.; not allowed" },
		{ "not again", V1, A LEAVING("a", "x"),
		    NOMINATED("1", "", "nominatedNodeName: a"),
		    "unfit: " NO_CLAIMS ", preemption: not eligible due to a "
		    "terminating pod on the nominated node.; not allowed" },
		{ "the nomination goes when there is no candidate", NO_DEVICES,
		    A ON("a", "x", "10", "4"),
		    NOMINATED("1", "", "nominatedNodeName: a"),
		    "unfit: preemption: 0/1 nodes are available: "
		    "1 " NO_VICTIMS ".; clears" },
		{ "rejected before DynamicResources saw the pod", V1, A,
		    WANTS("1",
			"volumes: [{name: v, persistentVolumeClaim: "
			"{claimName: c}}], "),
		    "broken: not found; not allowed" },
		{ "rejected by it", V1, A,
		    WANTS("1",
			"resourceClaims: [{name: r, resourceClaimName: c}], "),
		    "unfit: " NO_CLAIMS ", preemption: 0/1 nodes are "
		    "available: 1 " NOT_HELPFUL "." },
		{ "its claim is not allocated", V1,
		    A W_OBJECT("ResourceClaim", "name: c",
			"spec: {devices: {requests: [{name: q, exactly: {"
			"deviceClassName: k, allocationMode: ExactCount, "
			"count: 1}}]}}, status: {}")
			W_OBJECT("DeviceClass", "name: k", "spec: {}"),
		    WANTS("1",
			"resourceClaims: [{name: r, resourceClaimName: c}], "),
		    "unfit: still not schedulable, preemption: 0/1 nodes are "
		    "available: 1 " NOT_HELPFUL "." },
		{ "no preemption",
		    CONFIG("v1", WITHOUT("postFilter", "DefaultPreemption")),
		    A ON("a", "x", "1", "4"), WANTS("1", ""),
		    "unfit: " NO_CLAIMS "; not allowed" },
		{ "no plugins", CONFIG("v1", WITHOUT("postFilter", "*")),
		    A ON("a", "x", "1", "4"), WANTS("1", ""),
		    "-; not allowed" },
		{ "1.20 says nothing", CONFIG("v1beta1", ""),
		    A ON("a", "x", "10", "4"), WANTS("1", ""), "-" },
		{ "but preempts", CONFIG("v1beta1", ""),
		    A ON("a", "x", "1", "4"), WANTS("1", ""), "-; a node" },
		{ "if the plugin is enabled",
		    CONFIG("v1beta1",
			WITHOUT("postFilter", "DefaultPreemption")),
		    A ON("a", "x", "1", "4"), WANTS("1", ""),
		    "-; not allowed" },
		{ "and clears a nomination as 1.36 does", CONFIG("v1beta1", ""),
		    A ON("a", "x", "10", "4"),
		    NOMINATED("1", "", "nominatedNodeName: a"), "-; clears" },
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct profiles *c = read_config(rows[i].config);
		struct world *w = world_new(rows[i].objects);
		const struct profile *profile =
		    profiles_serving(c, "default-scheduler");
		AUTOFREE char *text = NULL, *kept = NULL;
		struct ecache *ecache;

		w->cluster->kubernetes_minor = 36;
		ecache = ecache_new(w->cluster, profile, ECACHE_BYTES_DEFAULT);
		world_pod(w, rows[i].pod);
		text = outcome(w, profile, NULL);
		t_str(rows[i].name, text, rows[i].want);
		kept = outcome(w, profile, ecache);
		t_str("from what is kept", kept, text);
		w->cycle.profile = w->profile;
		ecache_free(ecache);
		world_free(w);
		profiles_free(c);
	}
}

/* Refuses nodes with pods, and fails on others. */
static enum verdict
check(struct cycle *cycle, const struct node_info *node, const void *prep,
    struct why *why)
{
	if (node->npods > 0)
		return refuse(why, UNFIT, "full");
	cycle_fail(cycle, "%s is empty", sym_text(node->name));
	return BROKEN;
}

static void
a_rule_that_fails_without_the_victims_is_an_error(void)
{
	static const struct predicate unit = { .name = "Full",
		.reads = READS_CLUSTER,
		.check = check };
	struct profile_predicate predicate = { .unit = &unit, .name = "Full" };
	struct profile_plugin plugin = { .name = "DefaultPreemption" };
	struct profile profile = { .release = 36,
		.preempts = true,
		.npredicates = 1,
		.predicates = &predicate,
		.score_max = 100,
		.gates = gates_default };
	struct world *w =
	    world_new(A ON("a", "x", "1", "1") B ON("b", "z", "1", "1"));
	AUTOFREE char *text = NULL;

	profile.points[POINT_POST_FILTER] =
	    (struct profile_point){ .n = 1, .plugins = &plugin };
	world_pod(w, WANTS("1", ""));
	text = outcome(w, &profile, NULL);
	t_true("of all nodes",
	    strcmp(text,
		"broken: preemption: [running \"Full\" filter plugin: a is "
		"empty, running \"Full\" filter plugin: b is empty]") == 0 ||
		strcmp(text,
		    "broken: preemption: [running \"Full\" filter plugin: b is "
		    "empty, running \"Full\" filter plugin: a is empty]") == 0);
	t_int("no error is left", (int)w->cycle.nerrors, 0);
	w->cycle.profile = w->profile;
	world_free(w);
}

static void
the_message_follows_the_decisions(void)
{
	struct world *w = world_new(A);
	struct post_filter post = { .ran = true, .message = "" };

	world_pod(w, WANTS("1", ""));
	t_str("none", post_filter_message(&w->cycle, "0/1.", NULL), "0/1.");
	t_str("empty", post_filter_message(&w->cycle, "0/1.", &post), "0/1.");
	post.message = "why";
	t_str("one", post_filter_message(&w->cycle, "0/1.", &post), "0/1. why");
	world_free(w);
}

T_MAIN(T(plugins_say_why_nothing_helps),
    T(a_rule_that_fails_without_the_victims_is_an_error),
    T(the_message_follows_the_decisions))
