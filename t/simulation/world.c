#include "config.h"

#include "t/simulation/world.h"

#include <event2/event.h>
#include <json-c/json.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/xmalloc.h"
#include "daemon/daemon.h"
#include "options/options.h"
#include "cluster/cluster.h"
#include "t/lib/profile.h"
#include "t/simulation/loop.h"
#include "t/simulation/network.h"
#include "t/simulation/promises.h"
#include "t/simulation/steps.h"
#include "t/simulation/budgets.h"
#include "t/simulation/caches.h"
#include "t/simulation/devices.h"
#include "t/simulation/extender.h"
#include "t/simulation/kosmos.h"
#include "t/simulation/policies.h"
#include "t/simulation/volumes.h"
#include "t/simulation/apiserver.h"

/* In worlds of this release, after so long. */
#define UPGRADED 34
#define UPGRADE (20 * MINUTE)

/* Of world_stir(). */
#define IDLE "node-idle"

struct replica {
	char name[32];
	struct daemon_options options;
	struct daemon *daemon; /* NULL: it is down */
	struct event_base *base;
};

static const struct world_options *options;
static struct replica replicas[DAEMONS_MAX];
static unsigned serial, nnodes_most, npods_most, ntouched;
static bool resting;
static struct taste taste;
static bool risen; /* the first pods of this taste are there */
static uint64_t nsteps;
static int64_t left_at, lost_at, nodes_changed_at;

/* ---- steps ---- */

/* Something that happens again and again.  What a step draws depends on the seed and
 * the step's number alone: without some of them, the others are the same. */
struct habit {
	void (*step)(void);
	int64_t least, most; /* between two of them */
};

static bool
is_left_out(uint64_t n)
{
	return n < options->nsteps && options->left_out[n];
}

void
world_step(void (*step)(void))
{
	uint64_t kept = loop_chance(++nsteps);

	if (!is_left_out(nsteps))
		step();
	loop_chance_back(kept);
}

static void
on_habit(void *arg)
{
	const struct habit *habit = arg;
	uint64_t kept = loop_chance(++nsteps);

	loop_after(loop_between(habit->least, habit->most), on_habit, arg);
	if (!is_left_out(nsteps))
		habit->step();
	loop_chance_back(kept);
}

uint64_t
world_steps(void)
{
	return nsteps;
}

/* ---- daemons ---- */

static void
write_configuration(void)
{
	FILE *file = fopen(options->configuration, "w");

	if (file == NULL || fputs(policies_text(), file) < 0 ||
	    fclose(file) != 0) {
		perror(options->configuration);
		exit(99);
	}
}

static void
start(struct replica *r)
{
	const char *flag = "policy-config-file", *value = options->policy;
	char kubeconfig[256], policy[256];
	char *argv[] = { (char *)"predicated", kubeconfig, policy,
		(char *)"--leader-elect=true",
		(char *)"--leader-elect-resource-name=kube-scheduler",
		(char *)"--leader-elect-resource-namespace=kube-system",
		(char *)"--port=0", (char *)"--secure-port=0",
		(char *)"--kube-api-content-type=application/json",
		(char *)"--decision-timeout=0s",
		(char *)"--cache-check-interval=10m", (char *)"--v=0",
		(char *)"--record-size=4", (char *)"--record=/", NULL };
	int argc = LENGTH(argv) - 1;
	struct problems problems = { 0 };
	struct err err = { "" };

	snprintf(kubeconfig, sizeof(kubeconfig), "--kubeconfig=%s",
	    options->kubeconfig);
	if (options->configured) {
		write_configuration();
		flag = "config";
		value = options->configuration;
	} else if (options->policies || options->extender || options->kosmos) {
		flag = "policy-configmap";
		value = POLICY_MAP;
	}
	snprintf(policy, sizeof(policy), "--%s=%s", flag, value);
	if (!options->recorded)
		argv[--argc] = NULL;
	if (daemon_options_parse(&r->options, argc, argv, &problems, stdout) !=
	    DAEMON_OPTIONS_RUN) {
		daemon_options_print_problems(&problems, stdout);
		printf("Bail out! the daemon's options are wrong\n");
		exit(99);
	}
	problems_fini(&problems);
	trace("%s starts", r->name);
	r->daemon = daemon_new(&r->options, &err);
	r->base = loop_newest();
	if (r->daemon == NULL) {
		printf("Bail out! no daemon: %s\n", err.text);
		exit(99);
	}
	network_name(r->base, r->name);
	loop_skew(r->base, loop_between(-2 * SECOND, 2 * SECOND));
}

/* Nothing that it still does has an effect. */
static void
end(struct replica *r)
{
	if (r->daemon == NULL)
		return;
	steps_end(r->name);
	scheduler_forget(r->base);
	network_cut(r->base);
	loop_running = r->base;
	daemon_free(r->daemon);
	loop_running = NULL;
	daemon_options_fini(&r->options);
	r->daemon = NULL;
	r->base = NULL;
}

static void
on_restart(void *arg)
{
	struct replica *r = arg;

	if (r->daemon == NULL)
		start(r);
}

static void
on_look(void *arg)
{
	for (int i = 0; i < options->daemons; i++) {
		struct replica *r = &replicas[i];

		if (r->daemon == NULL || !loop_is_broken(r->base))
			continue;
		trace("%s has ended", r->name);
		end(r);
		loop_after(loop_between(SECOND, 10 * SECOND), on_restart, r);
	}
	loop_after(SECOND / 2, on_look, NULL);
}

static void
hurt_a_daemon(void)
{
	struct replica *r = &replicas[loop_below((uint32_t)options->daemons)];
	int64_t until;

	if (r->daemon == NULL)
		return;
	switch (loop_below(3)) {
	case 0:
		trace("%s is killed", r->name);
		end(r);
		loop_after(loop_between(SECOND / 10, 30 * SECOND), on_restart,
		    r);
		break;
	case 1:
		until = loop_now() + loop_between(SECOND, 40 * SECOND);
		trace("%s is stopped until %.6f", r->name,
		    (double)until / SECOND);
		loop_freeze(r->base, until);
		break;
	case 2:
		trace("%s is told to end", r->name);
		loop_signal(r->base, SIGTERM);
		break;
	}
}

/* ---- faults ---- */

static void
on_up(void *arg)
{
	network.down = false;
	trace("the server is back");
}

static void
on_idle(void *arg)
{
	network.busy = resting ? 0 : 100;
	trace("the server is less busy");
}

/* It refuses one request in n for a while. */
static void
become_busy(uint32_t n)
{
	trace("the server is busy");
	network.busy = n;
	loop_after(loop_between(SECOND, 40 * SECOND), on_idle, NULL);
}

static void replace_pod(struct json_object *pod);

/* While no watch is open: nobody sees them go. */
static void
replace_some_pods(void)
{
	for (uint32_t n = loop_below(4); n > 0; n--)
		replace_pod(json_copy(apiserver_any("pods")));
}

static void
fault(void)
{
	if (resting || options->calm)
		return;
	switch (loop_below(7)) {
	case 6:
		become_busy(1 + loop_below(3));
		break;
	case 0:
	case 1:
		hurt_a_daemon();
		break;
	case 2:
		trace("the server is down");
		network.down = true;
		network_reset();
		loop_after(loop_between(SECOND / 10, 40 * SECOND), on_up, NULL);
		break;
	case 3:
		trace("connections break");
		network_reset();
		break;
	case 4:
		trace("the server forgets its history");
		apiserver_end_watches();
		replace_some_pods();
		apiserver_compact();
		break;
	case 5:
		trace("watches end");
		apiserver_end_watches();
		break;
	}
}

/* Each daemon hears of it when it starts. */
static void
on_upgrade(void *arg)
{
	trace("the server is upgraded to 1.%d", apiserver_minor() + 1);
	apiserver_upgrade(apiserver_minor() + 1);
	network_reset();
}

/* One of the first n things of the mask; n: it has none of them. */
static uint32_t
one_of(uint32_t mask, uint32_t n)
{
	uint32_t found = n, nfound = 0;

	for (uint32_t i = 0; i < n; i++)
		if ((mask & (UINT32_C(1) << i)) && loop_one_in(++nfound))
			found = i;
	return found;
}

/* ---- nodes ---- */

static unsigned
some_cpus(void)
{
	return 1000 * (1 + loop_below(4));
}

/* Pods that a node takes. */
static unsigned
some_pods(void)
{
	return 1 + (taste.few ? loop_below(3) : 2 + loop_below(20));
}

static void
add_node(void)
{
	static const char *const zones[] = { "a", "b", "c" };
	unsigned n = ++serial;
	struct json_object *node =
	    json_of("{'kind':'Node','apiVersion':'v1','metadata':{"
		    "'name':'node-%u','labels':{"
		    "'kubernetes.io/hostname':'node-%u',"
		    "'topology.kubernetes.io/zone':'%s','disk':'%s'}},"
		    "'spec':{},'status':{"
		    "'allocatable':{'cpu':'%um','memory':'64Gi','pods':'%u'},"
		    "'conditions':[{'type':'Ready','status':'True'}]}}",
		n, n, zones[loop_below(3)], loop_one_in(2) ? "ssd" : "hdd",
		some_cpus(), some_pods());

	kosmos_join(node);
	apiserver_put("nodes", node);
}

/* A node that takes no pods anyhow is cordoned and uncordoned; and a budget, if it is to
 * change, allows few disruptions, or more. */
void
world_stir(bool budget)
{
	struct json_object *node = apiserver_copy("nodes", "", IDLE);
	bool cordoned = json_text(node, "spec.unschedulable")[0] == 't';

	if (node == NULL)
		node = json_of("{'kind':'Node','apiVersion':'v1','metadata':{"
			       "'name':'" IDLE "'},'spec':{},'status':{"
			       "'allocatable':{'cpu':'10m','pods':'1'}}}");
	json_set(node, "spec.unschedulable",
	    json_object_new_boolean(!cordoned));
	trace(IDLE " is %scordoned", cordoned ? "un" : "");
	apiserver_put("nodes", node);
	if (budget)
		apiserver_put("poddisruptionbudgets",
		    json_of(
			"{'kind':'PodDisruptionBudget','apiVersion':'policy/v1',"
			"'metadata':{'namespace':'red','name':'idle'},"
			"'spec':{'selector':{'matchLabels':{'app':'app-1'}}},"
			"'status':{'disruptionsAllowed':%d}}",
			cordoned ? 1 : 3));
}

static void
on_lost(void *arg, struct json_object *pod)
{
	const char *node = json_text(pod, "spec.nodeName");

	if (node[0] != '\0' && apiserver_get("nodes", "", node) == NULL)
		apiserver_delete("pods", json_text(pod, "metadata.namespace"),
		    json_text(pod, "metadata.name"));
}

static void
change_node(struct json_object *node, enum change change)
{
	if (node == NULL)
		return;
	nodes_changed_at = loop_now();
	node = json_copy(node);
	switch (change) {
	case NODE_GOES:
		trace("%s goes", json_text(node, "metadata.name"));
		apiserver_delete("nodes", "", json_text(node, "metadata.name"));
		json_object_put(node);
		return;
	case CORDON:
		json_set(node, "spec.unschedulable",
		    json_object_new_boolean(
			json_text(node, "spec.unschedulable")[0] != 't'));
		break;
	case TAINT:
		if (json_at(node, "spec.taints") == NULL)
			json_set(node, "spec.taints",
			    json_of("[{'key':'k','effect':'NoSchedule'}]"));
		else
			json_remove(node, "spec.taints");
		break;
	case LABEL:
		json_set(node, "metadata.labels.disk",
		    json_object_new_string(
			json_text(node, "metadata.labels.disk")[0] == 'h' ?
			    "ssd" :
			    "hdd"));
		break;
	case PODS:
		json_set(node, "status.allocatable.pods",
		    json_of("'%u'", some_pods()));
		break;
	default:
		json_set(node, "status.allocatable.cpu",
		    json_of("'%um'", some_cpus()));
		break;
	}
	trace("%s changes: %s %s", json_text(node, "metadata.name"),
	    json_text(node, "spec"), json_text(node, "status.allocatable"));
	apiserver_put("nodes", node);
}

static void
change_a_node(void)
{
	enum change change = one_of(taste.changes, NODES);

	if (resting)
		return;
	if (change == NODE_COMES && apiserver_count("nodes") < nnodes_most)
		add_node();
	else if (change < NODE_COMES)
		change_node(apiserver_any("nodes"), change);
}

/* Pods on nodes that are gone go after a while. */
static void
lose_pods(void)
{
	apiserver_each("pods", on_lost, NULL);
}

/* ---- pods ---- */

static unsigned
some_app(void)
{
	return 1 + loop_below(taste.groups);
}

static void
add_terms(struct json_object *pod, unsigned app)
{
	const char *key = loop_one_in(2) ? "kubernetes.io/hostname" :
					   "topology.kubernetes.io/zone";

	switch (
	    !taste.all && loop_one_in(3) ? TERMS : one_of(taste.terms, TERMS)) {
	case FAR:
		json_set(pod, "spec.affinity.podAntiAffinity",
		    json_of("{'requiredDuringSchedulingIgnoredDuringExecution':"
			    "[{'topologyKey':'%s','labelSelector':{"
			    "'matchLabels':{'app':'app-%u'}}}]}",
			key, app));
		break;
	case NEAR:
		json_set(pod, "spec.affinity.podAffinity",
		    json_of("{'requiredDuringSchedulingIgnoredDuringExecution':"
			    "[{'topologyKey':'%s','labelSelector':{"
			    "'matchLabels':{'app':'app-%u'}}}]}",
			key, loop_one_in(2) ? app : some_app()));
		break;
	case SPREAD:
		json_set(pod, "spec.topologySpreadConstraints",
		    json_of(
			"[{'maxSkew':%u,'topologyKey':'%s',"
			"'whenUnsatisfiable':'DoNotSchedule',"
			"'labelSelector':{'matchLabels':{'app':'app-%u'}}}]",
			1 + loop_below(2), key, app));
		break;
	case SELECTOR:
		json_set(pod, "spec.nodeSelector",
		    json_of("{'disk':'%s'}", loop_one_in(2) ? "ssd" : "hdd"));
		break;
	case TOLERATION:
		json_set(pod, "spec.tolerations",
		    json_of("[{'key':'k','operator':'Exists'}]"));
		break;
	case PORT:
		json_set(json_object_array_get_idx(json_at(pod,
						       "spec.containers"),
			     0),
		    "ports",
		    json_of("[{'containerPort':80,'hostPort':%u}]",
			8080 + loop_below(2)));
		break;
	}
}

/* Some have a name again and again, as those of a StatefulSet. */
static void
name_pod(const char *namespace, char *name, size_t size)
{
	unsigned n = ++serial;

	snprintf(name, size, "set-%u", loop_below(12));
	if (!loop_one_in(3) || apiserver_get("pods", namespace, name) != NULL)
		snprintf(name, size, "pod-%u", n);
}

static void
add_pod(void)
{
	static const int priorities[] = { 0, 0, 0, 100, 1000 };
	const char *namespace =
	    taste.groups == 1 || loop_one_in(2) ? "red" : "blue";
	bool rising = taste.rising[0] != 0, plain = rising && !risen;
	bool alike = taste.alike && !plain;
	unsigned app = some_app();
	struct json_object *pod;
	char name[32];

	name_pod(namespace, name, sizeof(name));
	pod = json_of(
	    "{'kind':'Pod','apiVersion':'v1','metadata':{'namespace':'%s',"
	    "'name':'%s','labels':{'app':'app-%u'}},'spec':{"
	    "'schedulerName':'default-scheduler','priority':%d,"
	    "'containers':[{'name':'c','image':'i','resources':{'requests':{"
	    "'cpu':'%um','memory':'64Mi'}}}]},'status':{'phase':'Pending'}}",
	    namespace, name, app,
	    taste.equal || plain ? 0 :
		rising           ? 1000 :
				   priorities[loop_below(LENGTH(priorities))],
	    alike           ? 900 :
		taste.roomy ? 10 :
			      100 * (1 + loop_below(12)));

	if (!plain && !alike) {
		add_terms(pod, app);
		if (loop_one_in(taste.volumes))
			volumes_mount(pod);
		if (loop_one_in(taste.devices))
			devices_claim(pod);
	}
	trace("%s comes, of priority %s", name,
	    json_text(pod, "spec.priority"));
	apiserver_put("pods", pod);
}

/* Its label changes, and it may no longer be in the way of others. */
static void
relabel(struct json_object *pod, const char *label)
{
	trace("%s is of %s", json_text(pod, "metadata.name"), label);
	pod = json_copy(pod);
	json_set(pod, "metadata.labels.app", json_object_new_string(label));
	apiserver_put("pods", pod);
}

static void
tolerate(struct json_object *pod)
{
	trace("%s tolerates taints", json_text(pod, "metadata.name"));
	pod = json_copy(pod);
	json_set(pod, "spec.tolerations",
	    json_of("[{'key':'k','operator':'Exists'}]"));
	apiserver_put("pods", pod);
}

static void
leave_group(void *arg, struct json_object *pod)
{
	const char *app = arg;

	if (json_text(pod, "spec.nodeName")[0] != '\0' &&
	    strcmp(json_text(pod, "metadata.labels.app"), app) == 0)
		relabel(pod, "none");
}

static void
delete_now(const char *namespace, const char *name)
{
	apiserver_delete("pods", namespace, name);
}

static void
change_pod(struct json_object *pod, enum change change)
{
	char app[32];

	if (pod == NULL)
		return;
	switch (change) {
	case POD_GOES:
		trace("%s is deleted", json_text(pod, "metadata.name"));
		/* some by force: nobody sees that they are on their way */
		(loop_one_in(4) ?
			delete_now :
			apiserver_delete_pod)(json_text(pod,
						  "metadata.namespace"),
		    json_text(pod, "metadata.name"));
		break;
	case GROUP_GOES:
		snprintf(app, sizeof(app), "app-%u", some_app());
		apiserver_each("pods", leave_group, app);
		break;
	case POD_CHANGES:
		if (loop_one_in(2))
			relabel(pod, loop_one_in(2) ? "none" : "app-1");
		else
			tolerate(pod);
		break;
	default:
		break;
	}
}

static void
change_pods(void)
{
	unsigned n = 1 + loop_below(loop_one_in(10) ? 15 : 2);

	if (resting)
		return;
	for (; n > 0 && apiserver_count("pods") < npods_most; n--)
		add_pod();
	for (enum change c = POD_GOES; c <= POD_CHANGES; c++)
		if ((taste.changes & 1u << c) && loop_one_in(4)) {
			change_pod(apiserver_any("pods"), c);
			break;
		}
}

/* A pod goes at once, and another has its name.  Takes the copy. */
static void
replace_pod(struct json_object *pod)
{
	if (pod == NULL)
		return;
	trace("%s is replaced", json_text(pod, "metadata.name"));
	apiserver_delete("pods", json_text(pod, "metadata.namespace"),
	    json_text(pod, "metadata.name"));
	json_remove(pod, "spec.nodeName");
	json_remove(pod, "status");
	json_object_object_del(json_at(pod, "metadata"), "uid");
	json_remove(pod, "metadata.creationTimestamp");
	json_remove(pod, "metadata.deletionTimestamp");
	apiserver_put("pods", pod);
}

static void
replace_low(void *arg, struct json_object *pod)
{
	if (json_text(pod, "spec.nodeName")[0] != '\0' &&
	    strcmp(json_text(pod, "spec.priority"), "0") == 0)
		replace_pod(json_copy(pod));
}

void
world_replace(void)
{
	apiserver_each("pods", replace_low, NULL);
}

/* You own it; NULL: there is none. */
static struct json_object *
copy_of_pod_at(const char *path)
{
	char namespace[64], name[64];

	if (sscanf(path, "/api/v1/namespaces/%63[^/]/pods/%63[^/?]", namespace,
		name) != 2)
		return NULL;
	return apiserver_copy("pods", namespace, name);
}

/* While a request about a pod is on its way, the pod is replaced, or the server becomes
 * so busy that leases cannot be renewed, or both. */
static void
cross(const char *path)
{
	uint32_t what = loop_below(4);

	if (what != 0)
		replace_pod(copy_of_pod_at(path));
	if (what < 2 && !resting)
		become_busy(1);
}

/* Others write something about a pod while a daemon's write of its status is on its way:
 * an event comes that does not know of that. */
static void
touch_pod(const char *path)
{
	struct json_object *pod =
	    strstr(path, "/status") != NULL ? copy_of_pod_at(path) : NULL;

	if (pod == NULL)
		return;
	trace("%s is touched", json_text(pod, "metadata.name"));
	json_set(pod, "metadata.annotations.touched",
	    json_of("'%u'", ++ntouched));
	apiserver_put("pods", pod);
}

static void
on_meddle(void *arg)
{
	loop_aside();
	if ((!resting || options->calm) && options->policies &&
	    strstr(arg, "claims/") != NULL && loop_one_in(2)) {
		policies_change();
		volumes_are_slow(); /* the claim waits meanwhile */
	} else {
		volumes_meddle(arg);
	}
	loop_aside();
	free(arg);
}

/* A write about a pod that is nominated fails: it may be the end of that. */
static bool
loses(const char *method, const char *path)
{
	struct json_object *pod;
	bool lost;

	if (strcmp(method, "PATCH") != 0 || strstr(path, "/status") == NULL)
		return false;
	pod = copy_of_pod_at(path);
	lost = json_text(pod, "status.nominatedNodeName")[0] != '\0' &&
	    loop_one_in(3);
	if (lost) {
		trace("a write about %s, which is nominated, is lost",
		    json_text(pod, "metadata.name"));
		lost_at = loop_now();
	}
	json_object_put(pod);
	return lost;
}

static bool
handles(const char *method, const char *path, bool after)
{
	bool fails;

	loop_aside();
	fails = devices_meddle(method, path, after, loop_one_in(2)) ||
	    (!after && !options->empty && loses(method, path));
	if (after && strcmp(method, "PATCH") == 0 &&
	    loop_one_in(options->policies ? 3 : 5))
		loop_after(loop_between(SECOND / 1000, SECOND), on_meddle,
		    xstrdup(path));
	loop_aside();
	return fails;
}

/* ---- kubelets ---- */

static void
look_after(void *arg, struct json_object *pod)
{
	const char *phase = json_text(pod, "status.phase");

	if (json_text(pod, "spec.nodeName")[0] == '\0')
		return;
	if (json_at(pod, "metadata.deletionTimestamp") != NULL) {
		if (!loop_one_in(taste.leaving))
			return;
		world_leaves();
		trace("%s is gone", json_text(pod, "metadata.name"));
		apiserver_delete("pods", json_text(pod, "metadata.namespace"),
		    json_text(pod, "metadata.name"));
		return;
	}
	if (strcmp(phase, "Succeeded") == 0) {
		if (loop_one_in(30))
			apiserver_delete("pods",
			    json_text(pod, "metadata.namespace"),
			    json_text(pod, "metadata.name"));
		return;
	}
	if (strcmp(phase, "Running") == 0 && (resting || !loop_one_in(200)))
		return;
	pod = json_copy(pod);
	if (strcmp(phase, "Running") == 0)
		trace("%s ends", json_text(pod, "metadata.name"));
	json_set(pod, "status.phase",
	    json_object_new_string(
		strcmp(phase, "Running") == 0 ? "Succeeded" : "Running"));
	apiserver_put("pods", pod);
}

static void
on_kubelet(void *arg)
{
	apiserver_each("pods", look_after, NULL);
	loop_after(loop_between(SECOND / 2, 2 * SECOND), on_kubelet, NULL);
}

/* ---- all of it ---- */

static void
set_faults(bool on)
{
	bool down = network.down;

	network = (struct faults){ 0 };
	if (on && !options->calm)
		network = (struct faults){ .slow = 50,
			.lost = 100,
			.refused = 100,
			.busy = 100,
			.broken = 200,
			.silent = 1000,
			.crossed = 30,
			.cross = cross,
			.hidden = 100,
			.late_lists = 10,
			.down = down };
	else
		network.slow = 1000;
	network.touched = 4;
	network.touch = touch_pod;
	network.handles = handles;
}

void
world_rest(bool rest)
{
	resting = rest;
	volumes_rest(rest);
	budgets_rest(rest);
	policies_rest(rest);
	devices_rest(rest);
	extender_rest(rest);
	kosmos_rest(rest);
	set_faults(!rest);
	if (rest)
		network.down = false;
	trace(rest ? "the world rests" : "the world goes on");
}

static void
remove_pod(void *arg, struct json_object *pod)
{
	apiserver_delete("pods", json_text(pod, "metadata.namespace"),
	    json_text(pod, "metadata.name"));
}

static void
remove_node(void *arg, struct json_object *node)
{
	apiserver_delete("nodes", "", json_text(node, "metadata.name"));
}

void
world_anew(const struct taste *given, unsigned nnodes)
{
	taste = *given;
	risen = false;
	apiserver_each("pods", remove_pod, NULL);
	apiserver_each("nodes", remove_node, NULL);
	volumes_anew();
	devices_anew();
	policies_anew();
	for (unsigned i = 0; i < nnodes; i++)
		add_node();
	apiserver_delete("poddisruptionbudgets", "red", "idle");
	if (taste.alike)
		world_stir(false);
}

void
world_fill(unsigned npods)
{
	for (unsigned i = 0; i < npods; i++)
		add_pod();
	risen = true;
}

/* One that is on a node, if there are many. */
static struct json_object *
any_placed_pod(void)
{
	struct json_object *pod = apiserver_any("pods");

	for (int i = 0; i < 5 && json_text(pod, "spec.nodeName")[0] == '\0';
	     i++)
		pod = apiserver_any("pods");
	return pod;
}

void
world_change(uint32_t changes)
{
	enum change change = one_of(changes, CHANGES);

	if (change == POD_COMES)
		world_fill((taste.alike ? 5 : 1) + loop_below(2));
	else if (change == VOLUMES)
		volumes_change();
	else if (change == DEVICES)
		devices_change();
	else if (change == POLICY)
		policies_change();
	else if (change == NODE_COMES)
		add_node();
	else if (change < NODES)
		change_node(apiserver_any("nodes"), change);
	else if (change < CHANGES)
		change_pod(any_placed_pod(), change);
}

static const struct habit habits[] = {
	{ change_a_node, SECOND, 60 * SECOND },
	{ lose_pods, SECOND, 60 * SECOND },
	{ change_pods, SECOND / 10, 20 * SECOND },
	{ fault, SECOND, 120 * SECOND },
};

/* What daemons decide by all the time, NULL: a policy that may change. */
static const char *
text_in_force(void)
{
	if (options->configured)
		return options->extender ? extender_configuration() :
					   PROMISED_CONFIGURATION;
	return options->extender ? extender_policy() : kosmos_policy();
}

void
world_start(const struct world_options *given)
{
	options = given;
	serial = ntouched = 0;
	nnodes_most = 2 + loop_below(10);
	npods_most = 5 + loop_below(60);
	taste = (struct taste){ .terms = (uint32_t)loop_random(),
		.changes = (uint32_t)loop_random(),
		.volumes = options->volumes ? 2 : 0,
		.devices = options->devices ? 2 : 0,
		.groups = 5,
		.leaving = 3 };
	nsteps = 0;
	left_at = 0;
	lost_at = nodes_changed_at = -60 * MINUTE;
	network = (struct faults){ 0 };
	world_rest(false);
	if (options->empty) {
		start(&replicas[0]);
		return;
	}
	kosmos_start(options->kosmos, options->calm);
	for (unsigned i = 0; i < nnodes_most; i++)
		add_node();
	volumes_start(options->volumes, options->calm);
	budgets_start(options->budgets);
	devices_start(options->devices, options->calm);
	extender_start(options->extender, options->calm);
	policies_start(options->policies, options->calm, text_in_force());
	for (int i = 0; i < options->daemons; i++) {
		snprintf(replicas[i].name, sizeof(replicas[i].name),
		    "daemon-%d", i + 1);
		start(&replicas[i]);
	}
	for (size_t i = 0; i < LENGTH(habits); i++)
		on_habit((void *)&habits[i]);
	on_kubelet(NULL);
	on_look(NULL);
	if (apiserver_minor() == UPGRADED && !options->calm)
		loop_after(UPGRADE, on_upgrade, NULL);
}

void
world_leaves(void)
{
	left_at = loop_now();
}

int64_t
world_left_at(void)
{
	return left_at;
}

int64_t
world_lost_at(void)
{
	return lost_at;
}

int64_t
world_nodes_changed_at(void)
{
	return nodes_changed_at;
}

void
world_compare(void)
{
	struct cluster *server = NULL;

	for (int i = 0; i < options->daemons; i++)
		if (replicas[i].daemon != NULL)
			promise_caches(replicas[i].base, replicas[i].name,
			    &server);
	if (server != NULL)
		cluster_free(server);
}

static size_t
allocated(void)
{
	struct mallinfo2 info = mallinfo2();

	return info.uordblks + info.hblkhd;
}

/* Bytes that all daemons may hold at the end: several times what they need, and less
 * than if something stayed of each pod and event for some hours. */
#define HELD_MOST 12000000
#define HELD_PER_OBJECT 20000

size_t
world_end(void)
{
	size_t before = allocated(), held;
	size_t objects = apiserver_count("pods") + apiserver_count("nodes");

	for (int i = 0; i < options->daemons; i++)
		end(&replicas[i]);
	held = before - allocated();
	if (held > HELD_MOST + objects * HELD_PER_OBJECT)
		promise_breaks("the daemons hold %zu bytes, in a world of %zu "
			       "pods and nodes",
		    held, objects);
	return held;
}
