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
#include "cluster/confines.h"
#include "cluster/node_info.h"
#include "decide/framework/cycle.h"
#include "decide/framework/extension.h"
#include "decide/framework/gates.h"
#include "decide/framework/profile.h"
#include "objects/object.h"
#include "objects/pod.h"
#include "policy/policy.h"
#include "decide/sched/decide.h"
#include "decide/sched/post_filter.h"
#include "decide/sched/pre_enqueue.h"
#include "t/lib/profile.h"
#include "t/simulation/loop.h"
#include "t/simulation/apiserver.h"
#include "t/simulation/budgets.h"
#include "t/simulation/devices.h"
#include "t/simulation/extender.h"
#include "t/simulation/kosmos.h"
#include "t/simulation/policies.h"
#include "t/simulation/volumes.h"
#include "t/simulation/world.h"

/* What a daemon may not have heard of yet: a watch that is silent ends after 90 s. */
#define LAG (120 * SECOND)
#define LEASE (15 * SECOND)
/* When pods are tried that nothing wakes, as a node that gets worse. */
#define FLUSH (6 * MINUTE)
#define DAEMONS 8

bool tracing;

static char broken[512];
static struct promise_counts counts;
/* The last bindings; who: empty if the sender's successor may not know of it yet. */
static struct placement {
	char uid[64], node[32], who[32];
	int64_t at;
} placements[64];
static unsigned nplacements;
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
	memset(placements, 0, sizeof(placements));
	memset(identities, 0, sizeof(identities));
}

bool
promises_calm(void)
{
	return calm;
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
promise_lease(const char *who, struct json_object *lease, const char *before,
    int64_t age)
{
	const char *holder = json_text(lease, "spec.holderIdentity");

	if (holder[0] == '\0') {
		trace("%s gives the lease up", who);
		return;
	}
	if (before[0] != '\0' && strcmp(before, holder) != 0 && age < LEASE)
		promise_breaks("%s takes the lease %.3f s after it was renewed",
		    who, (double)age / SECOND);
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
	bool binding = strstr(path, "/bind") != NULL; /* also of an extender */
	bool eviction = strcmp(method, "DELETE") == 0;

	if ((binding || eviction) && !leads(who))
		promise_breaks("%s sends %s %s without a valid lease", who,
		    method, path);
}

void
promise_nomination(struct json_object *pod, const char *node)
{
	trace("%s is nominated to %s", json_text(pod, "metadata.name"), node);
	promise_nominated(pod, node, calm);
}

static bool
is_placed_since(const char *uid, int64_t then)
{
	for (size_t i = 0; i < LENGTH(placements); i++)
		if (strcmp(placements[i].uid, uid) == 0 &&
		    placements[i].at > then)
			return true;
	return false;
}

void
promise_eviction(const char *who, int64_t sent, struct json_object *victim)
{
	counts.evictions++;
	trace("%s evicts %s", who, json_text(victim, "metadata.name"));
	/* else its binding elsewhere has failed, and this was on its way before */
	if (!is_placed_since(json_text(victim, "metadata.uid"), sent))
		promise_victim(victim);
}

void
promise_event(const char *who, struct json_object *event)
{
	const char *note = json_text(event, "note");

	if (note[0] == '\0')
		note = json_text(event, "message");
	policies_heard(note);
	trace("%s says %s: %s", who, json_text(event, "reason"), note);
}

/* ---- a fresh decision ---- */

static bool
has_ended(struct json_object *pod)
{
	const char *phase = json_text(pod, "status.phase");

	return strcmp(phase, "Succeeded") == 0 || strcmp(phase, "Failed") == 0;
}

struct object *
promised_object(struct json_object *object)
{
	const char *text =
	    json_object_to_json_string_ext(object, JSON_C_TO_STRING_PLAIN);
	struct doc *doc =
	    doc_parse("object", text, strlen(text), &doc_limits_people, NULL);
	struct object *out = NULL;
	const char *kind = NULL;
	struct err err = { "" };

	if (doc == NULL ||
	    object_decode(NULL, doc_root(doc), json_text(object, "kind"), &out,
		&kind, &err) != 1)
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
	model = promised_object(object);
	if (model != NULL)
		cluster_put(arg, model);
	object_unref(model);
}

struct profile *
promised_profile(void)
{
	const struct policy_options options = { .gates = gates_default,
		.kubernetes_minor = apiserver_minor() };

	return t_profile(policies_text(), &options);
}

struct cluster *
promised_cluster(void)
{
	static const char *const kinds[] = { "nodes", "pods", "services",
		"persistentvolumes", "persistentvolumeclaims", "storageclasses",
		"poddisruptionbudgets", "deviceclasses", "resourceslices",
		"resourceclaims", "distributionpolicies" };
	struct cluster *cluster = cluster_new();

	cluster->kubernetes_minor = apiserver_minor();
	for (size_t i = 0; i < LENGTH(kinds); i++)
		apiserver_each(kinds[i], put_object, cluster);
	return cluster;
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

/* Whether both have a claim of the same name in other namespaces: kube-scheduler takes
 * the other's for the pod's own (predicates/read_write_once_pod.c). */
static bool
is_confused(const struct pod_class *a, const struct pod_class *b)
{
	for (uint32_t i = 0; i < a->nvolumes; i++)
		for (uint32_t j = 0; j < b->nvolumes; j++)
			if (a->namespace != b->namespace &&
			    a->volumes[i].id == b->volumes[j].id)
				return true;
	return false;
}

/* Whether a victim is not on its way out yet, by whosever hand. */
static bool
would_evict(const struct pod *pod, const struct preemption *p)
{
	bool would = false;

	for (size_t i = 0; i < p->nvictims; i++) {
		const struct pod_class *victim = p->victims[i]->class;

		if (is_confused(pod->class, victim))
			return false;
		would |= !victim->terminating;
	}
	return would;
}

/* Whether its node would not take it any more, whoever is evicted: nobody wakes it for
 * that, as in kube-scheduler. */
static bool
node_got_worse(const struct fresh *fresh, const struct pod *pod,
    const struct decision *d)
{
	const struct node_info *node =
	    cluster_node(fresh->cluster, pod->nominated);

	return node != NULL && node->node != NULL &&
	    decision_verdict(d, node->index)->verdict == UNFIT_FOREVER &&
	    loop_now() - world_nodes_changed_at() <= FLUSH;
}

/* Whether pods leave its node that it may have evicted: where others could make room
 * meanwhile, kube-scheduler does not look, either. */
static bool
node_empties(const struct fresh *fresh, const struct pod *pod)
{
	const struct node_info *node =
	    cluster_node(fresh->cluster, pod->nominated);

	for (uint32_t i = 0; node != NULL && i < node->npods; i++)
		if (node->pods[i]->class->terminating &&
		    node->pods[i]->priority < pod->priority)
			return true;
	return false;
}

static void
look(void *arg, struct json_object *object)
{
	const struct fresh *fresh = arg;
	struct arena arena = { 0 };
	struct extension said;
	struct cycle cycle;
	struct preemption *preemption;
	struct decision *d;
	struct object *pod;

	if (json_text(object, "spec.nodeName")[0] != '\0' ||
	    json_at(object, "metadata.deletionTimestamp") != NULL ||
	    has_ended(object))
		return;
	pod = promised_object(object);
	if (pod == NULL)
		return;
	pod = (struct object *)cluster_confined(fresh->cluster,
	    (struct pod *)pod);
	counts.waiting++;
	cycle = (struct cycle){ .cluster = fresh->cluster,
		.profile = fresh->profile,
		.pod = (struct pod *)pod,
		.class = ((struct pod *)pod)->class,
		.extension = extender_says(object, &said),
		.arena = &arena,
		.seed = 1 };
	d = decide(&cycle);
	/* if a plugin fails there, a nomination stays, as in kube-scheduler */
	preemption = d->chosen == NULL && d->error == NULL ?
	    post_filter(&cycle, d)->preemption :
	    NULL;
	if (d->chosen != NULL)
		promise_breaks("%s waits although it fits on %s", pod->name,
		    sym_text(d->chosen->name));
	else if (preemption != NULL && preemption->node != NULL &&
	    would_evict((const struct pod *)pod, preemption) &&
	    !node_got_worse(fresh, (const struct pod *)pod, d) &&
	    !node_empties(fresh, (const struct pod *)pod))
		promise_breaks("%s waits although %zu pods of %s could make "
			       "room for it",
		    pod->name, preemption->nvictims,
		    sym_text(preemption->node->name));
	else if (calm && preemption != NULL && preemption->nclears > 0 &&
	    loop_now() - world_nodes_changed_at() > FLUSH &&
	    loop_now() - world_lost_at() >= FLUSH)
		promise_breaks("%s is nominated to %s, where no eviction helps "
			       "it",
		    pod->name, json_text(object, "status.nominatedNodeName"));
	else if (calm && !is_told(object) &&
	    pre_enqueue_refusal(&cycle) == NULL &&
	    loop_now() - world_lost_at() >= FLUSH)
		promise_breaks("%s waits and nobody says why", pod->name);
	arena_fini(&arena);
	extension_fini(&said);
	object_unref(pod);
}

void
promise_quiet(void)
{
	struct fresh fresh = { promised_cluster(), promised_profile() };

	counts.quiets++;
	trace("quiet");
	promise_policy();
	apiserver_each("pods", look, &fresh);
	cluster_free(fresh.cluster);
	profile_free(fresh.profile);
}

/* ---- where pods go ---- */

struct place {
	struct cluster *cluster;
	const char *node;
};

/* Without what it says of other pods, whose labels may have changed meanwhile. */
static struct object *
alone(struct json_object *pod)
{
	struct json_object *copy = json_copy(pod);
	struct object *object;

	json_remove(copy, "spec.affinity");
	json_remove(copy, "spec.topologySpreadConstraints");
	/* promise_volumes(), promise_devices() */
	json_remove(copy, "spec.volumes");
	devices_leave_out(copy);
	object = promised_object(copy);
	json_object_put(copy);
	return object;
}

static void
put_if_there(void *arg, struct json_object *pod)
{
	const struct place *place = arg;
	struct object *object;

	if (has_ended(pod) ||
	    strcmp(json_text(pod, "spec.nodeName"), place->node) != 0)
		return;
	object = alone(pod);
	if (object != NULL)
		cluster_put(place->cluster, object);
	object_unref(object);
}

/* Whether the node, as the server knows it, takes the pod; if not, *why. */
static bool
takes(struct json_object *node, struct json_object *pod, char *why, size_t size)
{
	struct place place = { cluster_new(),
		json_text(node, "metadata.name") };
	struct profile *profile = promised_profile();
	struct object *model = promised_object(node);
	struct object *candidate = kosmos_confined(alone(pod));
	struct arena arena = { 0 };
	struct extension said;
	struct cycle cycle = { .cluster = place.cluster,
		.profile = profile,
		.pod = (struct pod *)candidate,
		.class = ((struct pod *)candidate)->class,
		.extension = extender_says(pod, &said),
		.arena = &arena,
		.seed = 1 };
	struct decision *d;
	bool fits;

	place.cluster->kubernetes_minor = apiserver_minor();
	cluster_put(place.cluster, model);
	apiserver_each("pods", put_if_there, &place);
	d = decide(&cycle);
	fits = d->chosen != NULL;
	if (!fits)
		snprintf(why, size, "%s", decision_message(&cycle, d));
	arena_fini(&arena);
	extension_fini(&said);
	object_unref(model);
	object_unref(candidate);
	cluster_free(place.cluster);
	profile_free(profile);
	return fits;
}

static void
place(struct json_object *pod, const char *node, const char *who)
{
	struct placement *p = &placements[nplacements++ % LENGTH(placements)];

	snprintf(p->uid, sizeof(p->uid), "%s", json_text(pod, "metadata.uid"));
	snprintf(p->node, sizeof(p->node), "%s", node);
	snprintf(p->who, sizeof(p->who), "%s", who);
	p->at = loop_now();
}

/* Who takes over may not know yet what others have bound. */
static bool
others_placed_there(const char *node, const char *who)
{
	for (size_t i = 0; i < LENGTH(placements); i++)
		if (strcmp(placements[i].node, node) == 0 &&
		    strcmp(placements[i].who, who) != 0 &&
		    loop_now() - placements[i].at < LAG)
			return true;
	return false;
}

bool promises_off;

void
promise_binding(const char *who, bool late, struct json_object *pod,
    const char *name)
{
	struct json_object *node = apiserver_get("nodes", "", name);
	char why[256];

	counts.bindings++;
	if (promises_off)
		return;
	trace("%s binds %s to %s", who, json_text(pod, "metadata.name"), name);
	promise_volumes(who, pod, node);
	if (!late) /* the daemon may have released the claim's device since */
		promise_devices(pod, name);
	promise_placed(pod);
	if (late || !leads(who)) {
		trace("the binding is late");
		place(pod, name, "");
	} else {
		place(pod, name, who);
	}
	if (node == NULL || policies_in_doubt() || kosmos_in_doubt() ||
	    loop_now() - apiserver_changed_at("nodes", "", name) < LAG ||
	    others_placed_there(name, who))
		return;
	if (!takes(node, pod, why, sizeof(why)))
		promise_breaks("%s is bound to %s, which does not take it: %s",
		    json_text(pod, "metadata.name"), name, why);
}
