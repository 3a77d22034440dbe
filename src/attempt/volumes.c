#include "config.h"

#include "attempt/volumes.h"

#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>

#include "api/client.h"
#include "base/clock.h"
#include "base/json_out.h"
#include "api/writes.h"
#include "base/doc.h"
#include "base/err.h"
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

struct job {
	LIST_ENTRY(job) all;
	struct volumes *volumes;
	struct pod *pod;
	sym node;
	size_t n, next;
	struct change *changes; /* volumes first, device claims last */
	bool waits;             /* for volumes */
	struct api_call *call;
	struct volume_rules rules; /* of the pod's profile */
	int64_t begun_ms, wait_ms;
	int64_t deadline_ms; /* while all are written; else 0 */
};

struct volumes {
	struct api_client *client;
	struct cluster *cluster;
	int64_t wait_ms;
	char *claims_version; /* "resource.k8s.io/v1" */
	struct volumes_ops ops;
	void *arg;
	LIST_HEAD(, job) jobs;
};

struct volumes *
volumes_new(struct api_client *client, struct cluster *cluster, int64_t wait_ms,
    const struct volumes_ops *ops, void *arg)
{
	struct volumes *volumes = xcalloc(1, sizeof(*volumes));

	volumes->client = client;
	volumes->cluster = cluster;
	volumes->wait_ms = wait_ms;
	volumes->ops = *ops;
	volumes->arg = arg;
	LIST_INIT(&volumes->jobs);
	return volumes;
}

void
volumes_set_claims_version(struct volumes *volumes, const char *version)
{
	free(volumes->claims_version);
	volumes->claims_version = xstrdup(version);
}

void
volumes_set_wait(struct volumes *volumes, int64_t wait_ms)
{
	volumes->wait_ms = wait_ms;
}

static void
job_free(struct job *job)
{
	LIST_REMOVE(job, all);
	api_cancel(job->call);
	for (size_t i = 0; i < job->n; i++) {
		object_unref(job->changes[i].before);
		object_unref(job->changes[i].after);
		object_unref((struct object *)job->changes[i].claim);
	}
	free(job->changes);
	pod_unref(job->pod);
	free(job);
}

void
volumes_free(struct volumes *volumes)
{
	if (volumes == NULL)
		return;
	while (!LIST_EMPTY(&volumes->jobs))
		job_free(LIST_FIRST(&volumes->jobs));
	free(volumes->claims_version);
	free(volumes);
}

/* ---- assumed volumes and claims ---- */

static const struct object *
current(const struct volumes *volumes, const struct object *object)
{
	const struct persistent_volume *volume;
	const struct persistent_volume_claim *claim;
	const struct resource_claim *devices;
	sym name = sym_find(object->name);

	if (object->kind == OBJECT_PERSISTENT_VOLUME) {
		volume = cluster_volume(volumes->cluster, name);
		return volume != NULL ? &volume->object : NULL;
	}
	if (object->kind == OBJECT_RESOURCE_CLAIM) {
		devices = cluster_resource_claim(volumes->cluster,
		    object->namespace, name);
		return devices != NULL ? &devices->object : NULL;
	}
	claim = cluster_claim(volumes->cluster, object->namespace, name);
	return claim != NULL ? &claim->object : NULL;
}

/* Assumptions that were not written, and that the watch has not replaced. */
static void
take_back(struct job *job)
{
	struct volumes *volumes = job->volumes;

	for (size_t i = 0; i < job->n; i++) {
		const struct change *change = &job->changes[i];

		if (!change->written && change->after != NULL &&
		    current(volumes, change->after) == change->after)
			cluster_put(volumes->cluster, change->before);
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
writes_claim(const struct job *job)
{
	return job->next < job->n &&
	    job->changes[job->next].before->kind == OBJECT_RESOURCE_CLAIM;
}

static void
fail(struct job *job, const char *why)
{
	struct volumes *volumes = job->volumes;
	const char *reason =
	    writes_claim(job) ? "SchedulerError" : "VolumeBindingFailed";
	struct pod *pod = pod_ref(job->pod);
	int64_t begun_ms = job->begun_ms;
	AUTOFREE char *text = why != NULL ? xstrdup(why) : NULL;

	take_back(job);
	job_free(job);
	volumes->ops.failed(volumes->arg, pod, begun_ms, reason, text);
	pod_unref(pod);
}

static void
succeed(struct job *job)
{
	struct volumes *volumes = job->volumes;
	struct pod *pod = pod_ref(job->pod);
	int64_t begun_ms = job->begun_ms;

	job_free(job);
	volumes->ops.ready(volumes->arg, pod, begun_ms);
	pod_unref(pod);
}

void
volumes_forget(struct volumes *volumes, const struct pod *pod)
{
	struct job *job;

	LIST_FOREACH (job, &volumes->jobs, all)
		if (strcmp(job->pod->object.uid, pod->object.uid) == 0) {
			take_back(job);
			job_free(job);
			return;
		}
}

void
volumes_abandon(struct volumes *volumes)
{
	while (!LIST_EMPTY(&volumes->jobs))
		fail(LIST_FIRST(&volumes->jobs), NULL);
}

/* ---- writing ---- */

static char *
path_of(const struct volumes *volumes, const struct object *object)
{
	struct text path = { 0 };

	if (object->kind == OBJECT_RESOURCE_CLAIM) {
		text_put(&path, "/apis/");
		text_put(&path,
		    volumes->claims_version != NULL ? volumes->claims_version :
						      "resource.k8s.io/v1");
		text_put(&path, "/namespaces/");
		url_put(&path, sym_text(object->namespace));
		text_put(&path, "/resourceclaims/");
		url_put(&path, object->name);
		text_put(&path, "/status");
		return text_take(&path);
	}
	if (object->kind == OBJECT_PERSISTENT_VOLUME) {
		text_put(&path, "/api/v1/persistentvolumes/");
	} else {
		text_put(&path, "/api/v1/namespaces/");
		url_put(&path, sym_text(object->namespace));
		text_put(&path, "/persistentvolumeclaims/");
	}
	url_put(&path, object->name);
	return text_take(&path);
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
reservation(const struct job *job, const struct object *claim)
{
	struct text body = { 0 };

	json_put(&body,
	    "{'metadata':{'uid':%s},'status':{'reservedFor':[{"
	    "'resource':'pods','name':%s,'uid':%s}]}}",
	    claim->uid, job->pod->object.name, job->pod->object.uid);
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

static void write_next(struct job *job);

static void
on_written(void *arg, const struct api_response *response)
{
	struct job *job = arg;
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
		fail(job, why);
		return;
	}
	change->written = true;
	change->version = version_in(response);
	job->next++;
	write_next(job);
}

static void
write_next(struct job *job)
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
	path = path_of(job->volumes, change->before);
	body = writes_claim(job) ? reservation(job, change->before) :
				   body_of(change);
	job->call = api_send(job->volumes->client,
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
add_change(struct job *job, const struct object *before, void *after,
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
unreserved(const struct volumes *volumes, const struct pod *pod, uint32_t i)
{
	const struct pod_class *class = pod->class;
	const struct resource_claim *claim =
	    cluster_resource_claim(volumes->cluster, class->namespace,
		class->resource_claims[i].claim);

	return claim != NULL && claim->allocated &&
		!resource_claim_is_for(claim, pod->object.uid) ?
	    claim :
	    NULL;
}

bool
volumes_reserve(const struct volumes *volumes, const struct pod *pod,
    const struct profile *profile)
{
	for (uint32_t i = 0; i < pod->class->nresource_claims; i++)
		if (unreserved(volumes, pod, i) != NULL)
			return !profile->strict;
	return false;
}

static void
add_reservations(struct job *job)
{
	const struct pod_class *class = job->pod->class;

	for (uint32_t i = 0; i < class->nresource_claims; i++) {
		const struct resource_claim *claim =
		    unreserved(job->volumes, job->pod, i);

		if (claim != NULL)
			add_change(job, &claim->object, NULL, NULL);
	}
}

void
volumes_bind(struct volumes *volumes, const struct pod *pod, sym node,
    const struct volume_plan *plan, const struct profile *profile)
{
	static const struct volume_plan none;
	struct job *job = xcalloc(1, sizeof(*job));

	job->waits = plan != NULL;
	if (plan == NULL)
		plan = &none;
	job->volumes = volumes;
	job->pod = pod_ref(pod);
	job->node = node;
	job->begun_ms = clock_ms();
	job->rules =
	    profile_volume_rules(profile, volumes->cluster->kubernetes_minor);
	job->wait_ms = profile->bind_timeout_seconds >= 0 ?
	    profile->bind_timeout_seconds * 1000 :
	    volumes->wait_ms;
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
			    persistent_volume_claim_selected(claim, node),
			    NULL);
	}
	if (!profile->strict)
		add_reservations(job);
	LIST_INSERT_HEAD(&volumes->jobs, job, all);
	for (size_t i = 0; i < job->n; i++)
		if (job->changes[i].after != NULL)
			cluster_put(volumes->cluster, job->changes[i].after);
	log_v(2, "pod %s: writing %zu volumes and claims for node %s",
	    pod_full_name(pod), job->n, sym_text(node));
	write_next(job);
}

/* ---- waiting ---- */

/* The change that was undone, in the reference's words; NULL for none. */
static const char *
undone(struct arena *arena, const struct job *job, const struct change *change)
{
	const struct object *now = current(job->volumes, change->before);
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
	if (claim->selected_node != job->node)
		return arena_printf(arena,
		    "selectedNode annotation value "
		    "\"%s\" not set to scheduled node \"%s\"",
		    sym_text(claim->selected_node), sym_text(job->node));
	return NULL;
}

/* All claims are bound to volumes that reach the node; why they never will be
 * goes to *why. */
static bool
is_done(struct arena *arena, const struct job *job, const char **why)
{
	const struct node_info *node =
	    cluster_node(job->volumes->cluster, job->node);
	struct volume_needs *needs;
	const struct volume_plan *plan;

	if (node == NULL || node->node == NULL) {
		*why = arena_printf(arena,
		    "failed to get node \"%s\": "
		    "node \"%s\" not found",
		    sym_text(job->node), sym_text(job->node));
		return false;
	}
	for (size_t i = 0; i < job->n && *why == NULL; i++)
		*why = undone(arena, job, &job->changes[i]);
	if (*why != NULL)
		return false;
	needs = volume_needs_of(arena, job->volumes->cluster, job->pod->class,
	    &job->rules);
	if (needs == NULL)
		return true;
	plan = volume_plan(needs, node->node);
	if (plan->error != NULL || plan->refusal != NULL)
		return false; /* a claim is between unbound and bound */
	if (plan->unreachable != NULL)
		*why = arena_printf(arena,
		    "pv \"%s\" node affinity doesn't "
		    "match node \"%s\": No matching NodeSelectorTerms",
		    plan->unreachable->object.name, sym_text(job->node));
	return *why == NULL && volume_plan_fits(plan) &&
	    plan->nmatches + plan->nprovisions == 0;
}

static void
check(struct job *job, int64_t now)
{
	struct arena arena = ARENA_INIT;
	const char *why = NULL;

	if (is_done(&arena, job, &why))
		succeed(job);
	else if (why != NULL)
		fail(job, why);
	else if (now >= job->deadline_ms)
		fail(job, "timed out waiting for the condition");
	arena_fini(&arena);
}

void
volumes_tick(struct volumes *volumes)
{
	int64_t now = clock_ms();
	struct job *job, *next;

	for (job = LIST_FIRST(&volumes->jobs); job != NULL; job = next) {
		next = LIST_NEXT(job, all);
		if (job->deadline_ms != 0)
			check(job, now);
	}
}
