#include "config.h"

#include "t/simulation/budgets.h"

#include <json-c/json.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/xmalloc.h"
#include "cluster/cluster.h"
#include "cluster/confines.h"
#include "decide/framework/cycle.h"
#include "decide/framework/profile.h"
#include "objects/pod.h"
#include "decide/sched/decide.h"
#include "decide/sched/preempt.h"
#include "t/simulation/apiserver.h"
#include "t/simulation/loop.h"
#include "t/simulation/promises.h"

/* A pod is evicted so soon after the nomination for which it is. */
#define SOON (120 * SECOND)
/* The longest way to the daemon and from it, in a calm world. */
#define WAY (3100 * (SECOND / 1000))
#define NOMINATIONS 64

static const char *const namespaces[] = { "red", "blue" };
static bool here, resting;
static struct nomination {
	char node[64];
	int priority;
	int64_t at;
} nominations[NOMINATIONS];
static unsigned nnominations;
/* Of the last nomination: what it breaks unless there was something on its way from
 * the daemon that the server did not know. */
static char suspicion[256], suspected[64];

/* ---- budgets ---- */

static void
add_budget(void)
{
	const char *namespace = namespaces[loop_below(LENGTH(namespaces))];
	unsigned app = 1 + loop_below(5);

	apiserver_put("poddisruptionbudgets",
	    json_of("{'kind':'PodDisruptionBudget','apiVersion':'policy/v1',"
		    "'metadata':{'namespace':'%s','name':'app-%u'},'spec':{"
		    "'minAvailable':%u,'selector':{'matchLabels':{"
		    "'app':'app-%u'}}},'status':{'disruptionsAllowed':0}}",
		namespace, app, loop_below(4), app));
}

struct healthy {
	struct json_object *budget;
	int64_t n;
};

static void
count_healthy(void *arg, struct json_object *pod)
{
	struct healthy *healthy = arg;

	if (strcmp(json_text(pod, "metadata.namespace"),
		json_text(healthy->budget, "metadata.namespace")) == 0 &&
	    strcmp(json_text(pod, "metadata.labels.app"),
		json_text(healthy->budget, "spec.selector.matchLabels.app")) ==
		0 &&
	    strcmp(json_text(pod, "status.phase"), "Running") == 0 &&
	    json_at(pod, "metadata.deletionTimestamp") == NULL)
		healthy->n++;
}

static void
look_after_budget(void *arg, struct json_object *budget)
{
	struct healthy healthy = { budget, 0 };
	int64_t allowed,
	    known = json_object_get_int64(
		json_at(budget, "status.disruptionsAllowed"));

	apiserver_each("pods", count_healthy, &healthy);
	allowed = healthy.n -
	    json_object_get_int64(json_at(budget, "spec.minAvailable"));
	allowed = allowed < 0 ? 0 : allowed;
	if (allowed == known)
		return;
	budget = json_copy(budget);
	json_set(budget, "status.disruptionsAllowed",
	    json_object_new_int64(allowed));
	json_set(budget, "status.currentHealthy",
	    json_object_new_int64(healthy.n));
	trace("budget %s/%s has %d", json_text(budget, "metadata.namespace"),
	    json_text(budget, "metadata.name"), (int)allowed);
	apiserver_put("poddisruptionbudgets", budget);
}

static void
on_controller(void *arg)
{
	static const char *const kinds[] = { "pods", "poddisruptionbudgets" };
	static uint64_t seen;

	if (apiserver_has_changed(&seen, LENGTH(kinds), kinds))
		apiserver_each("poddisruptionbudgets", look_after_budget, NULL);
	loop_after(loop_between(SECOND / 2, 3 * SECOND), on_controller, NULL);
}

static void
on_user(void *arg)
{
	char name[32];

	snprintf(name, sizeof(name), "app-%u", 1 + loop_below(5));
	if (!resting && loop_one_in(3))
		apiserver_delete("poddisruptionbudgets",
		    namespaces[loop_below(LENGTH(namespaces))], name);
	else if (!resting)
		add_budget();
	loop_after(loop_between(SECOND, 120 * SECOND), on_user, NULL);
}

/* ---- promises ---- */

static void
on_confirm(void *arg)
{
	if (suspicion[0] != '\0')
		promise_breaks("%s", suspicion);
	suspicion[0] = '\0';
}

void
promise_placed(struct json_object *pod)
{
	if (strcmp(json_text(pod, "metadata.uid"), suspected) != 0)
		suspicion[0] = '\0';
}

/* Where the daemon knew what the server knows: no other node would cost fewer
 * budgets. */
static void
compare(struct cycle *cycle, const char *name)
{
	struct decision *d = decide(cycle);
	struct preemption_candidate *all;
	unsigned least = UINT_MAX, its = UINT_MAX;
	size_t n = 0;

	if (d->chosen != NULL || d->error != NULL)
		return;
	all = preempt_candidates(cycle, d, &n);
	for (size_t i = 0; i < n; i++) {
		unsigned violations = all[i].victims.violations;

		if (violations < least)
			least = violations;
		if (strcmp(sym_text(all[i].node->name), name) == 0)
			its = violations;
	}
	trace("it costs %u budgets, and the least is %u", its, least);
	if (its == UINT_MAX || its <= least)
		return;
	snprintf(suspicion, sizeof(suspicion),
	    "%s is to evict from %s %u pods whose budget is used up, and "
	    "elsewhere it would be %u",
	    cycle->pod->object.name, name, its, least);
	snprintf(suspected, sizeof(suspected), "%s", cycle->pod->object.uid);
	loop_after(WAY, on_confirm, NULL);
}

static void
compare_budgets(struct json_object *pod, const char *node)
{
	struct object *object = promised_object(pod);
	struct arena arena = { 0 };
	struct cycle cycle;

	if (object == NULL)
		return;
	cycle = (struct cycle){ .cluster = promised_cluster(),
		.profile = promised_profile(),
		.arena = &arena,
		.seed = 1 };
	cycle.pod = cluster_confined(cycle.cluster, (struct pod *)object);
	cycle.class = cycle.pod->class;
	compare(&cycle, node);
	arena_fini(&arena);
	pod_unref((struct pod *)cycle.pod);
	cluster_free(cycle.cluster);
	profile_free((struct profile *)cycle.profile);
}

void
promise_nominated(struct json_object *pod, const char *node, bool calm)
{
	struct nomination *n = &nominations[nnominations++ % NOMINATIONS];

	snprintf(n->node, sizeof(n->node), "%s", node);
	n->priority = json_object_get_int(json_at(pod, "spec.priority"));
	n->at = loop_now();
	promise_placed(pod);
	if (here && calm &&
	    loop_now() -
		    apiserver_others_changed_at("pods",
			json_text(pod, "metadata.namespace"),
			json_text(pod, "metadata.name")) >
		WAY)
		compare_budgets(pod, node);
}

struct nominee {
	const char
	    *node;    /* "": the victim is not bound yet, and may be anywhere */
	int priority; /* the highest of those that the server knows */
};

static bool
is_node_of(const struct nominee *nominee, const char *node)
{
	return nominee->node[0] == '\0' ? node[0] != '\0' :
					  strcmp(nominee->node, node) == 0;
}

static void
look_for_nominee(void *arg, struct json_object *pod)
{
	struct nominee *nominee = arg;
	int priority = json_object_get_int(json_at(pod, "spec.priority"));

	if (is_node_of(nominee, json_text(pod, "status.nominatedNodeName")) &&
	    priority > nominee->priority)
		nominee->priority = priority;
}

void
promise_victim(struct json_object *victim)
{
	struct nominee nominee = { json_text(victim, "spec.nodeName"),
		INT_MIN };

	apiserver_each("pods", look_for_nominee, &nominee);
	for (size_t i = 0; i < NOMINATIONS; i++) {
		const struct nomination *n = &nominations[i];

		if (n->at != 0 && loop_now() - n->at < SOON &&
		    is_node_of(&nominee, n->node) &&
		    n->priority > nominee.priority)
			nominee.priority = n->priority;
	}
	if (nominee.priority <=
	    json_object_get_int(json_at(victim, "spec.priority")))
		promise_breaks("%s is evicted from %s for no pod of higher "
			       "priority",
		    json_text(victim, "metadata.name"), nominee.node);
}

/* ---- all of it ---- */

void
budgets_rest(bool rest)
{
	resting = rest;
}

void
budgets_start(bool on)
{
	here = on;
	memset(nominations, 0, sizeof(nominations));
	nnominations = 0;
	suspicion[0] = '\0';
	if (!here)
		return;
	for (unsigned i = 0; i < 5; i++)
		add_budget();
	on_user(NULL);
	on_controller(NULL);
}
