#include "config.h"

#include "scheduler/volumes.h"

#include <stdlib.h>
#include <string.h>

#include "api/client.h"
#include "api/paths.h"
#include "api/writes.h"
#include "scheduler/binder.h"
#include "scheduler/flight.h"
#include "base/clock.h"
#include "base/doc.h"
#include "base/err.h"
#include "base/json_out.h"
#include "base/log.h"
#include "base/xmalloc.h"
#include "cluster/cluster.h"
#include "cluster/volume_binding.h"
#include "framework/profile.h"
#include "model/pod.h"

/* A volume that gets a claim, a claim that gets a node, or a device claim that gets
 * a user (after is NULL). */
struct change {
	struct object *before, *after;
	const struct persistent_volume_claim *claim; /* of a volume; held */
	bool written;
	uint64_t version; /* written: resourceVersion that it has now */
};

struct volume_job {
	struct binding *of; /* of its pod on its node */
	struct flights *flights;
	size_t n, next;
	struct change *changes; /* volumes first, device claims last */
	bool waits;             /* for volumes */
	struct api_call *call;
	struct volume_rules rules; /* of the pod's profile */
	int64_t begun_ms, wait_ms;
	int64_t deadline_ms; /* while all are written; else 0 */
};

void
volumes_set_claims_version(struct flights *flights, const char *version)
{
	free(flights->claims_version);
	flights->claims_version = xstrdup(version);
}

void
volumes_free(struct volume_job *job)
{
	if (job == NULL)
		return;
	api_cancel(job->call);
	for (size_t i = 0; i < job->n; i++) {
		object_unref(job->changes[i].before);
		object_unref(job->changes[i].after);
		object_unref((struct object *)job->changes[i].claim);
	}
	free(job->changes);
	free(job);
}

/* ---- assumed volumes and claims ---- */

void
volumes_take_back(const struct binding *binding)
{
	const struct volume_job *job = binding->volumes;

	for (size_t i = 0; job != NULL && i < job->n; i++) {
		const struct change *change = &job->changes[i];

		/* The watch may have replaced it. */
		if (!change->written && change->after != NULL &&
		    cluster_object(job->flights->cluster, change->after) ==
			change->after)
			cluster_put(job->flights->cluster, change->before);
	}
}

static uint64_t
version_of(const char *text)
{
	return strtoull(text, NULL, 10);
}

/* ---- the ends ---- */

/* A device claim is to be written next. */
static bool
writes_claim(const struct volume_job *job)
{
	return job->next < job->n &&
	    job->changes[job->next].before->kind == OBJECT_RESOURCE_CLAIM;
}

void
volumes_fail(struct binding *binding, const char *why)
{
	const struct volume_job *job = binding->volumes;

	binding_fail(binding,
	    &(struct bind_failure){ .why = why,
		.reason = writes_claim(job) ? "SchedulerError" :
					      "VolumeBindingFailed",
		.of_volumes = true,
		.begun_ms = job->begun_ms });
}

static void
succeed(struct volume_job *job)
{
	struct binding *binding = job->of;
	const struct flights *flights = job->flights;
	int64_t begun_ms = job->begun_ms;

	binding->volumes = NULL;
	volumes_free(job);
	flights->ops->volumes_bound(flights->arg, &binding->at, begun_ms);
}

/* ---- writing ---- */

static char *
path_of(const struct flights *flights, const struct object *object)
{
	const char *version = flights->claims_version;

	if (object->kind == OBJECT_PERSISTENT_VOLUME)
		return path_of_object("v1", NULL, "persistentvolumes",
		    object->name, "");
	if (object->kind == OBJECT_PERSISTENT_VOLUME_CLAIM)
		return path_of_object("v1", sym_text(object->namespace),
		    "persistentvolumeclaims", object->name, "");
	return path_of_object(version != NULL ? version : "resource.k8s.io/v1",
	    sym_text(object->namespace), "resourceclaims", object->name,
	    "/status");
}

static char *
body_of(const struct change *change)
{
	const struct object *before = change->before;
	const struct persistent_volume *volume = (const void *)before;
	const struct persistent_volume_claim *after =
	    (const void *)change->after;
	struct text body = { 0 };

	json_put(&body, "{'metadata':{'uid':%s,'resourceVersion':%s",
	    before->uid, before->resource_version);
	if (before->kind == OBJECT_PERSISTENT_VOLUME) {
		const struct object *claim = &change->claim->object;

		if (!volume->has_claim)
			json_put(&body,
			    ",'annotations':{"
			    "'pv.kubernetes.io/bound-by-controller':'yes'}");
		json_put(&body,
		    "},'spec':{'claimRef':{"
		    "'kind':'PersistentVolumeClaim','namespace':%s,'name':%s,"
		    "'uid':%s,'apiVersion':'v1','resourceVersion':%s}}}",
		    sym_text(claim->namespace), claim->name, claim->uid,
		    claim->resource_version);
	} else {
		json_put(&body,
		    ",'annotations':{"
		    "'volume.kubernetes.io/selected-node':%s}}}",
		    sym_text(after->selected_node));
	}
	return text_take(&body);
}

/* Other users of the claim stay, also those that are written meanwhile. */
static char *
reservation(const struct volume_job *job, const struct object *claim)
{
	const struct object *pod = &job->of->at.pod->object;
	struct text body = { 0 };

	json_put(&body,
	    "{'metadata':{'uid':%s},'status':{'reservedFor':[{"
	    "'resource':'pods','name':%s,'uid':%s}]}}",
	    claim->uid, pod->name, pod->uid);
	return text_take(&body);
}

static uint64_t
version_in(const struct api_response *response)
{
	struct doc *doc = doc_parse("answer", response->body, response->len,
	    &doc_limits_people, NULL);
	const char *version = "";
	uint64_t n;

	if (doc == NULL)
		return 0;
	doc_get_string(doc_get(doc_root(doc), "metadata"), "resourceVersion",
	    "metadata.resourceVersion", &version, NULL);
	n = version_of(version);
	doc_free(doc);
	return n;
}

static void write_next(struct volume_job *job);

static void
on_written(void *arg, const struct api_response *response)
{
	struct volume_job *job = arg;
	struct change *change = &job->changes[job->next];
	struct err err;

	job->call = NULL;
	if (response->status != 200) {
		AUTOFREE char *why = NULL;

		api_explain(response, &err);
		why = writes_claim(job) ?
		    xasprintf("add reservation to claim %s/%s: %s",
			sym_text(change->before->namespace),
			change->before->name, err.text) :
		    xstrdup(err.text);
		volumes_fail(job->of, why);
		return;
	}
	change->written = true;
	change->version = version_in(response);
	job->next++;
	write_next(job);
}

static void
write_next(struct volume_job *job)
{
	const struct change *change = &job->changes[job->next];
	AUTOFREE char *path = NULL, *body = NULL;

	if (job->next == job->n && !job->waits) {
		succeed(job);
		return;
	}
	if (job->next == job->n) {
		job->deadline_ms = clock_ms() + job->wait_ms;
		return;
	}
	path = path_of(job->flights, change->before);
	body = writes_claim(job) ? reservation(job, change->before) :
				   body_of(change);
	job->call = api_send(job->flights->client,
	    &(struct api_request){ .lane = API_REST,
		.method = "PATCH",
		.path = path,
		.body = body,
		.content_type = writes_claim(job) ?
		    "application/strategic-merge-patch+json" :
		    "application/merge-patch+json",
		.retry_ms = WRITE_RETRY_MS,
		.on_done = on_written,
		.arg = job });
}

static void
add_change(struct volume_job *job, const struct object *before, void *after,
    const struct persistent_volume_claim *claim)
{
	struct change *change = &job->changes[job->n++];

	change->before = object_ref((struct object *)before);
	change->after = after;
	if (claim != NULL) {
		object_ref((struct object *)&claim->object);
		change->claim = claim;
	}
}

/* Names this very claim already: nothing to write. */
static bool
is_claimed_by(const struct persistent_volume *volume,
    const struct persistent_volume_claim *claim)
{
	return volume->has_claim &&
	    strcmp(volume->claim_uid, claim->object.uid) == 0;
}

/* The device claim, unless it is reserved for the pod or there is none. */
static const struct resource_claim *
unreserved(const struct flights *flights, const struct pod *pod, uint32_t i)
{
	const struct pod_class *class = pod->class;
	const struct resource_claim *claim =
	    cluster_resource_claim(flights->cluster, class->namespace,
		class->resource_claims[i].claim);

	return claim != NULL && claim->allocated &&
		!resource_claim_is_for(claim, pod->object.uid) ?
	    claim :
	    NULL;
}

bool
volumes_reserve(const struct flights *flights, const struct pod *pod,
    const struct profile *profile)
{
	for (uint32_t i = 0; i < pod->class->nresource_claims; i++)
		if (unreserved(flights, pod, i) != NULL)
			return !profile->strict;
	return false;
}

static void
add_reservations(struct volume_job *job)
{
	const struct pod *pod = job->of->at.pod;

	for (uint32_t i = 0; i < pod->class->nresource_claims; i++) {
		const struct resource_claim *claim =
		    unreserved(job->flights, pod, i);

		if (claim != NULL)
			add_change(job, &claim->object, NULL, NULL);
	}
}

void
volumes_bind(struct flights *flights, const struct pod *pod,
    const struct volume_plan *plan, const struct profile *profile,
    int64_t wait_ms)
{
	static const struct volume_plan none;
	struct binding *binding =
	    flight_find(flights, pod->object.uid)->binding;
	struct volume_job *job = xcalloc(1, sizeof(*job));

	job->waits = plan != NULL;
	if (plan == NULL)
		plan = &none;
	job->of = binding;
	job->flights = flights;
	job->begun_ms = clock_ms();
	job->rules =
	    profile_volume_rules(profile, flights->cluster->kubernetes_minor);
	job->wait_ms = profile->bind_timeout_seconds >= 0 ?
	    profile->bind_timeout_seconds * 1000 :
	    wait_ms;
	job->changes = xcalloc((size_t)plan->nmatches + plan->nprovisions +
		pod->class->nresource_claims + 1,
	    sizeof(*job->changes));
	for (uint32_t i = 0; i < plan->nmatches; i++) {
		const struct volume_match *m = &plan->matches[i];

		if (!is_claimed_by(m->volume, m->claim))
			add_change(job, &m->volume->object,
			    persistent_volume_claimed_by(m->volume, m->claim),
			    m->claim);
	}
	for (uint32_t i = 0; i < plan->nprovisions; i++) {
		const struct persistent_volume_claim *claim =
		    plan->provisions[i];

		if (!claim->has_selected_node)
			add_change(job, &claim->object,
			    persistent_volume_claim_selected(claim,
				binding->at.node),
			    NULL);
	}
	if (!profile->strict)
		add_reservations(job);
	binding->volumes = job;
	for (size_t i = 0; i < job->n; i++)
		if (job->changes[i].after != NULL)
			cluster_put(flights->cluster, job->changes[i].after);
	log_v(2, "pod %s: writing %zu volumes and claims for node %s",
	    pod_full_name(pod), job->n, sym_text(binding->at.node));
	write_next(job);
}

/* ---- waiting ---- */

/* The change that was undone, in the reference's words; NULL for none. */
static const char *
undone(struct arena *arena, const struct volume_job *job,
    const struct change *change)
{
	const struct object *now =
	    cluster_object(job->flights->cluster, change->before);
	const struct persistent_volume *volume = (const void *)now;
	const struct persistent_volume_claim *claim = (const void *)now;
	const char *name = change->before->name;

	/* The watch has not reached our write. */
	if (change->before->kind == OBJECT_RESOURCE_CLAIM ||
	    now == change->after ||
	    (now != NULL &&
		version_of(now->resource_version) < change->version))
		return NULL;
	if (change->before->kind == OBJECT_PERSISTENT_VOLUME) {
		if (now == NULL)
			return arena_printf(arena,
			    "could not find "
			    "v1.PersistentVolume \"%s\"",
			    name);
		if (!volume->has_claim || volume->claim_uid[0] == '\0')
			return arena_printf(arena,
			    "ClaimRef got reset for pv "
			    "\"%s\"",
			    name);
		return NULL;
	}
	if (now == NULL)
		return arena_printf(arena,
		    "could not find "
		    "v1.PersistentVolumeClaim \"%s/%s\"",
		    sym_text(change->before->namespace), name);
	if (!claim->has_selected_node)
		return arena_printf(arena,
		    "selectedNode annotation reset for "
		    "PVC \"%s\"",
		    name);
	if (claim->selected_node != job->of->at.node)
		return arena_printf(arena,
		    "selectedNode annotation value "
		    "\"%s\" not set to scheduled node \"%s\"",
		    sym_text(claim->selected_node), sym_text(job->of->at.node));
	return NULL;
}

/* All claims are bound to volumes that reach the node; why they never will be
 * goes to *why. */
static bool
is_done(struct arena *arena, const struct volume_job *job, const char **why)
{
	const struct node_info *node =
	    cluster_node(job->flights->cluster, job->of->at.node);
	struct volume_needs *needs;
	const struct volume_plan *plan;

	if (node == NULL || node->node == NULL) {
		*why = arena_printf(arena,
		    "failed to get node \"%s\": "
		    "node \"%s\" not found",
		    sym_text(job->of->at.node), sym_text(job->of->at.node));
		return false;
	}
	for (size_t i = 0; i < job->n && *why == NULL; i++)
		*why = undone(arena, job, &job->changes[i]);
	if (*why != NULL)
		return false;
	needs = volume_needs_of(arena, job->flights->cluster,
	    job->of->at.pod->class, &job->rules);
	if (needs == NULL)
		return true;
	plan = volume_plan(needs, node->node);
	if (plan->error != NULL || plan->refusal != NULL)
		return false; /* a claim is between unbound and bound */
	if (plan->unreachable != NULL)
		*why = arena_printf(arena,
		    "pv \"%s\" node affinity doesn't "
		    "match node \"%s\": No matching NodeSelectorTerms",
		    plan->unreachable->object.name, sym_text(job->of->at.node));
	return *why == NULL && volume_plan_fits(plan) &&
	    plan->nmatches + plan->nprovisions == 0;
}

void
volumes_check(struct binding *binding, int64_t now_ms)
{
	struct volume_job *job = binding->volumes;
	struct arena arena = ARENA_INIT;
	const char *why = NULL;

	if (job->deadline_ms == 0)
		return;
	if (is_done(&arena, job, &why))
		succeed(job);
	else if (why != NULL)
		volumes_fail(binding, why);
	else if (now_ms >= job->deadline_ms)
		volumes_fail(binding, "timed out waiting for the condition");
	arena_fini(&arena);
}
