#include "config.h"

#include "t/simulation/promises.h"

#include <json-c/json.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/doc.h"
#include "base/err.h"
#include "base/xmalloc.h"
#include "cluster/cluster.h"
#include "cluster/node_info.h"
#include "framework/cycle.h"
#include "framework/profile.h"
#include "model/object.h"
#include "model/pod.h"
#include "sched/decide.h"
#include "sched/preempt.h"
#include "t/lib/profile.h"
#include "t/simulation/loop.h"
#include "t/simulation/apiserver.h"

/* What a daemon may not have heard of yet: a watch that is silent ends after 90 s. */
#define LAG (120 * SECOND)
#define LEASE (15 * SECOND)
#define DAEMONS 8

bool tracing;

static char broken[512];
static struct promise_counts counts;
static char late_node[64];
static int64_t late_at;
static bool calm; /* nothing is lost on the way */
static struct {
	char who[32], identity[160];
} identities[DAEMONS];

void
trace(const char *fmt, ...)
{
	va_list args;

	if (!tracing)
		return;
	printf("%10.6f ", (double)loop_now() / SECOND);
	va_start(args, fmt);
	vprintf(fmt, args);
	va_end(args);
	printf("\n");
}

const char *
promise_broken(void)
{
	return broken[0] != '\0' ? broken : NULL;
}

void
promise_breaks(const char *fmt, ...)
{
	va_list args;

	if (broken[0] != '\0')
		return;
	va_start(args, fmt);
	vsnprintf(broken, sizeof(broken), fmt, args);
	va_end(args);
	trace("BROKEN %s", broken);
}

struct promise_counts
promises_count(void)
{
	return counts;
}

void
promises_reset(bool is_calm)
{
	calm = is_calm;
	broken[0] = '\0';
	counts = (struct promise_counts){ 0 };
	late_node[0] = '\0';
	memset(identities, 0, sizeof(identities));
}

/* ---- who leads ---- */

static char *
identity_of(const char *who)
{
	for (size_t i = 0; i < DAEMONS; i++) {
		if (identities[i].who[0] == '\0')
			snprintf(identities[i].who, sizeof(identities[i].who),
			    "%s", who);
		if (strcmp(identities[i].who, who) == 0)
			return identities[i].identity;
	}
	abort();
}

void
promise_lease(const char *who, struct json_object *lease)
{
	const char *holder = json_text(lease, "spec.holderIdentity");

	if (holder[0] == '\0') {
		trace("%s gives the lease up", who);
		return;
	}
	if (strcmp(identity_of(who), holder) != 0)
		trace("%s leads as %s", who, holder);
	snprintf(identity_of(who), sizeof(identities[0].identity), "%s",
	    holder);
}

/* Whether it may write as the leader. */
static bool
leads(const char *who)
{
	struct json_object *lease =
	    apiserver_get("leases", "kube-system", "kube-scheduler");

	return lease != NULL &&
	    strcmp(json_text(lease, "spec.holderIdentity"), identity_of(who)) ==
	    0 &&
	    loop_now() -
		apiserver_changed_at("leases", "kube-system",
		    "kube-scheduler") <=
	    LEASE;
}

void
promise_request(const char *who, const char *method, const char *path)
{
	bool binding = strstr(path, "/binding") != NULL;
	bool eviction = strcmp(method, "DELETE") == 0;

	if ((binding || eviction) && !leads(who))
		promise_breaks("%s sends %s %s without a valid lease", who,
		    method, path);
}

/* ---- where pods go ---- */

struct use {
	const char *node;
	int64_t milli, pods;
};

static int64_t
milli_of(struct json_object *pod)
{
	struct json_object *containers = json_at(pod, "spec.containers");
	int64_t sum = 0;

	for (size_t i = 0; i < json_object_array_length(containers); i++)
		sum +=
		    strtoll(json_text(json_object_array_get_idx(containers, i),
				"resources.requests.cpu"),
			NULL, 10);
	return sum;
}

static bool
has_ended(struct json_object *pod)
{
	const char *phase = json_text(pod, "status.phase");

	return strcmp(phase, "Succeeded") == 0 || strcmp(phase, "Failed") == 0;
}

static void
add_use(void *arg, struct json_object *pod)
{
	struct use *use = arg;

	if (has_ended(pod) ||
	    strcmp(json_text(pod, "spec.nodeName"), use->node) != 0)
		return;
	use->milli += milli_of(pod);
	use->pods++;
}

void
promise_binding(const char *who, struct json_object *pod, const char *name)
{
	struct json_object *node = apiserver_get("nodes", "", name);
	struct use use = { .node = name };
	int64_t milli, pods;

	counts.bindings++;
	trace("%s binds %s to %s", who, json_text(pod, "metadata.name"), name);
	if (!leads(who)) {
		/* it was sent in time; his successor may not know of it yet */
		trace("the binding is late");
		snprintf(late_node, sizeof(late_node), "%s", name);
		late_at = loop_now();
	}
	if (node == NULL ||
	    loop_now() - apiserver_changed_at("nodes", "", name) < LAG ||
	    (strcmp(late_node, name) == 0 && loop_now() - late_at < LAG))
		return;
	apiserver_each("pods", add_use, &use);
	milli = strtoll(json_text(node, "status.allocatable.cpu"), NULL, 10);
	pods = strtoll(json_text(node, "status.allocatable.pods"), NULL, 10);
	if (use.milli + milli_of(pod) > milli || use.pods + 1 > pods)
		promise_breaks(
		    "%s is bound to %s, which has no room for it: "
		    "%lldm and %lld pods of %lldm and %lld are in use",
		    json_text(pod, "metadata.name"), name, (long long)use.milli,
		    (long long)use.pods, (long long)milli, (long long)pods);
}

void
promise_eviction(const char *who, struct json_object *victim)
{
	counts.evictions++;
	trace("%s evicts %s", who, json_text(victim, "metadata.name"));
}

void
promise_event(const char *who, struct json_object *event)
{
	const char *note = json_text(event, "note");

	trace("%s says %s: %s", who, json_text(event, "reason"),
	    note[0] != '\0' ? note : json_text(event, "message"));
}

/* ---- a fresh decision ---- */

static struct object *
decoded(struct json_object *object)
{
	const char *text =
	    json_object_to_json_string_ext(object, JSON_C_TO_STRING_PLAIN);
	struct doc *doc =
	    doc_parse("object", text, strlen(text), &doc_limits_people, NULL);
	struct object *out = NULL;
	const char *kind = NULL;
	struct err err = { "" };

	if (doc == NULL ||
	    object_decode(doc_root(doc), json_text(object, "kind"), &out, &kind,
		&err) != 1)
		promise_breaks("cannot be decoded: %s: %s", err.text, text);
	doc_free(doc);
	return out;
}

static void
put_object(void *arg, struct json_object *object)
{
	struct object *model;

	if (strcmp(json_text(object, "kind"), "Pod") == 0 && has_ended(object))
		return;
	model = decoded(object);
	if (model != NULL)
		cluster_put(arg, model);
	object_unref(model);
}

struct fresh {
	struct cluster *cluster;
	struct profile *profile;
};

/* Whether the pod's status says that it does not fit. */
static bool
is_told(struct json_object *pod)
{
	struct json_object *all = json_at(pod, "status.conditions");

	for (size_t i = 0; all != NULL && i < json_object_array_length(all);
	     i++) {
		struct json_object *c = json_object_array_get_idx(all, i);

		if (strcmp(json_text(c, "type"), "PodScheduled") == 0 &&
		    strcmp(json_text(c, "reason"), "Unschedulable") == 0 &&
		    strcmp(json_text(c, "status"), "False") == 0)
			return true;
	}
	return false;
}

static void
look(void *arg, struct json_object *object)
{
	const struct fresh *fresh = arg;
	struct arena arena = { 0 };
	struct cycle cycle;
	struct preemption *preemption;
	struct decision *d;
	struct object *pod;

	if (json_text(object, "spec.nodeName")[0] != '\0' ||
	    json_at(object, "metadata.deletionTimestamp") != NULL ||
	    has_ended(object))
		return;
	pod = decoded(object);
	if (pod == NULL)
		return;
	counts.waiting++;
	cycle = (struct cycle){ .cluster = fresh->cluster,
		.profile = fresh->profile,
		.pod = (struct pod *)pod,
		.class = ((struct pod *)pod)->class,
		.arena = &arena,
		.seed = 1 };
	d = decide(&cycle);
	preemption =
	    d->chosen == NULL && d->error == NULL ? preempt(&cycle, d) : NULL;
	if (d->chosen != NULL)
		promise_breaks("%s waits although it fits on %s", pod->name,
		    sym_text(d->chosen->name));
	else if (preemption != NULL && preemption->node != NULL)
		promise_breaks("%s waits although %zu pods of %s could make "
			       "room for it",
		    pod->name, preemption->nvictims,
		    sym_text(preemption->node->name));
	else if (calm && !is_told(object))
		promise_breaks("%s waits and nobody says why", pod->name);
	arena_fini(&arena);
	object_unref(pod);
}

void
promise_quiet(void)
{
	static const char *const kinds[] = { "nodes", "pods", "services" };
	struct fresh fresh = { .cluster = cluster_new() };

	counts.quiets++;
	trace("quiet");
	fresh.cluster->kubernetes_minor = RELEASE_MINOR;
	fresh.profile = t_profile(PROMISED_POLICY, NULL);
	for (size_t i = 0; i < LENGTH(kinds); i++)
		apiserver_each(kinds[i], put_object, fresh.cluster);
	apiserver_each("pods", look, &fresh);
	cluster_free(fresh.cluster);
	profile_free(fresh.profile);
}
