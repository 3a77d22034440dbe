#include "config.h"

#include "daemon/scheduler/volumes.h"

#include <time.h>

#include "wire/api/client.h"
#include "wire/api/paths.h"
#include "wire/api/writes.h"
#include "daemon/scheduler/binder.h"
#include "daemon/scheduler/claims.h"
#include "daemon/scheduler/flight.h"
#include "daemon/scheduler/report.h"
#include "base/clock.h"
#include "base/doc.h"
#include "base/json_out.h"
#include "base/log.h"
#include "cluster/cluster.h"
#include "cluster/volume_binding.h"
#include "cluster/devices/allocation.h"
#include "cluster/devices/pod_devices.h"
#include "decide/framework/profile.h"
#include "wire/metrics/metrics.h"
#include "objects/pod.h"

/* The next write about a device claim. */
enum claim_step {
	CLAIM_CREATE,       /* it, for extended resources */
	CLAIM_PROTECT,      /* its finalizer, which also reads it */
	CLAIM_ALLOCATE,     /* its devices, and the pod as user */
	CLAIM_RESERVE,      /* the pod as user alone */
	CLAIM_PUBLISH_NAME, /* its name into the pod's status */
};

/* A volume that gets a claim, a claim that gets a node, or a device claim that gets
 * a user (after is NULL). */
struct change {
	struct object *before, *after;
	const struct persistent_volume_claim *claim; /* of a volume; held */
	bool written;
	uint64_t version; /* written: resourceVersion that it has now */
	/* Of a device claim; before is the version to write over. */
	enum claim_step step;
	unsigned tries;
	bool in_doubt; /* a write of its devices may still arrive */
	char *allocation;
	char *mappings; /* NULL: it was not made here */
};

/* Conflicts of one claim, as client-go's DefaultRetry. */
#define TRIES 5

struct volume_job {
	struct binding *of; /* of its pod on its node */
	struct flights *flights;
	size_t n, next;
	struct change *changes; /* volumes first, device claims last */
	bool waits;             /* for volumes */
	bool paused;            /* another write about the claim is under way */
	struct api_call *call;
	struct volume_rules rules; /* of the pod's profile */
	int64_t begun_ms, wait_ms;
	int64_t deadline_ms; /* once all are written; else 0 */
	int64_t devices_ms;  /* likewise, of their conditions */
	int64_t devices_begun_ms;
	int64_t device_timeout;
};

void
volumes_set_claims_version(struct flights *flights, const char *version)
{
	xreplace(&flights->claims_version, version);
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
		free(job->changes[i].allocation);
		free(job->changes[i].mappings);
	}
	free(job->changes);
	free(job);
}

bool
volumes_write(const struct binding *binding)
{
	return binding->volumes->call != NULL;
}

/* ---- assumed volumes and claims ---- */

void
volumes_take_back(const struct binding *binding)
{
	const struct volume_job *job = binding->volumes;

	for (size_t i = 0; job != NULL && i < job->n; i++) {
		const struct change *change = &job->changes[i];

		if (change->allocation != NULL)
			claims_release(job->flights, change->before->uid);
		/* The watch may have replaced it. */
		if (!change->written && change->after != NULL &&
		    cluster_object(job->flights->cluster, change->after) ==
			change->after)
			cluster_put(job->flights->cluster, change->before);
	}
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
		.reason = writes_claim(job) || job->devices_ms != 0 ?
		    "SchedulerError" :
		    "VolumeBindingFailed",
		.of_volumes = true,
		.begun_ms = job->begun_ms });
}

/* ---- writing ---- */

static char *
path_of(const struct object *object)
{
	if (object->kind == OBJECT_PERSISTENT_VOLUME)
		return path_of_object("v1", NULL, "persistentvolumes",
		    object->name, "");
	return path_of_object("v1", sym_text(object->namespace),
	    "persistentvolumeclaims", object->name, "");
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

static void write_next(struct volume_job *job);

static void
on_written(void *arg, const struct api_response *response)
{
	struct volume_job *job = arg;
	const struct flights *flights = job->flights;
	struct change *change = &job->changes[job->next];
	struct err err;

	job->call = NULL;
	if (response->status != 200) {
		api_explain(response, &err);
		volumes_fail(job->of, err.text);
	} else {
		change->written = true;
		change->version = version_in(response);
		write_next(job);
	}
	flights->ops->room(flights->arg);
}

/* ---- device claims ---- */

/* spec.devices of a claim that was made here, as this version of the API has it. */
static void
put_requests(struct text *body, const char *version,
    const struct resource_claim *made)
{
	bool flat =
	    version != NULL && strcmp(version, "resource.k8s.io/v1beta1") == 0;

	text_put(body, "{\"requests\":[");
	for (uint32_t i = 0; i < made->wishes.nrequests; i++) {
		const struct device_request *r = &made->wishes.requests[i];

		json_put(body, i > 0 ? ",{'name':%s" : "{'name':%s",
		    sym_text(r->name));
		json_put(body,
		    flat ? ",'deviceClassName':%s,"
			   "'allocationMode':'ExactCount','count':%d}" :
			   ",'exactly':{'deviceClassName':%s,"
			   "'allocationMode':'ExactCount','count':%d}}",
		    sym_text(r->at[0].class), r->at[0].count);
	}
	text_put(body, "]}");
}

/* Other users of the claim stay, also those that are written meanwhile. */
static void
put_claim_body(struct text *body, const struct volume_job *job,
    const struct change *change)
{
	const struct object *claim = change->before;
	const struct object *pod = &job->of->at.pod->object;
	const struct resource_claim *made = (const void *)claim;

	switch (change->step) {
	case CLAIM_CREATE:
		json_put(body,
		    "{'metadata':{'namespace':%s,'finalizers':['" CLAIM_PROTECTION
		    "'],'annotations':{"
		    "'resource.kubernetes.io/extended-resource-claim':'true'},"
		    "'ownerReferences':[{'apiVersion':'v1','kind':'Pod',"
		    "'name':%s,'uid':%s,'controller':true}],'generateName':\"",
		    sym_text(claim->namespace), pod->name, pod->uid);
		text_put(body, pod->name);
		text_put(body,
		    "-extended-resources-\"},\"spec\":{\"devices\":");
		put_requests(body, job->flights->claims_version, made);
		text_put(body, "}}");
		break;
	case CLAIM_PROTECT:
		json_put(body,
		    "{'metadata':{'uid':%s,'finalizers':['" CLAIM_PROTECTION
		    "']}}",
		    claim->uid);
		break;
	case CLAIM_ALLOCATE:
		json_put(body,
		    "{'metadata':{'uid':%s,'resourceVersion':%s},'status':{"
		    "'allocation':",
		    claim->uid, claim->resource_version);
		text_put(body, change->allocation);
		json_put(body,
		    ",'reservedFor':[{'resource':'pods','name':%s,'uid':%s}]}}",
		    pod->name, pod->uid);
		break;
	case CLAIM_RESERVE:
		json_put(body,
		    "{'metadata':{'uid':%s},'status':{'reservedFor':[{"
		    "'resource':'pods','name':%s,'uid':%s}]}}",
		    claim->uid, pod->name, pod->uid);
		break;
	case CLAIM_PUBLISH_NAME:
		json_put(body,
		    "{'metadata':{'uid':%s},'status':{"
		    "'extendedResourceClaimStatus':{'resourceClaimName':%s,"
		    "'requestMappings':",
		    pod->uid, claim->name);
		text_put(body, change->mappings);
		text_put(body, "}}}");
		break;
	}
}

static void on_claim_answered(void *arg, const struct api_response *response);

static void
write_claim(struct volume_job *job, const struct change *change)
{
	const struct object *claim = change->before;
	const struct object *pod = &job->of->at.pod->object;
	const char *version = job->flights->claims_version;
	AUTOFREE char *path = NULL;
	struct text body = { 0 };

	if (change->step == CLAIM_CREATE)
		path =
		    path_of_collection(version != NULL ? version :
							 "resource.k8s.io/v1",
			sym_text(claim->namespace), "resourceclaims");
	else if (change->step == CLAIM_PUBLISH_NAME)
		path = path_of_object("v1", sym_text(pod->namespace), "pods",
		    pod->name, "/status");
	else
		path = claims_path(job->flights, claim,
		    change->step == CLAIM_PROTECT ? "" : "/status");
	if (change->step == CLAIM_ALLOCATE)
		claims_sent(job->flights, claim->uid, version_of(claim));
	put_claim_body(&body, job, change);
	job->call = api_send(job->flights->client,
	    &(struct api_request){ .lane = API_REST,
		.method = change->step == CLAIM_CREATE ? "POST" : "PATCH",
		.path = path,
		.body = body.bytes,
		.content_type = change->step == CLAIM_CREATE ?
		    "application/json" :
		    STRATEGIC_MERGE,
		.retry_ms = WRITE_RETRY_MS,
		.of_leader = true,
		.on_done = on_claim_answered,
		.arg = job });
	text_fini(&body);
}

/* Why the step failed, in the reference's words; you own it. */
static char *
step_failure(const struct volume_job *job, const struct change *change,
    const char *text)
{
	static const char *const steps[] = {
		[CLAIM_CREATE] =
		    "create claim for extended resources %s/%.0s: %s",
		[CLAIM_PROTECT] = "add finalizer to claim %s/%s: %s",
		[CLAIM_ALLOCATE] =
		    "add allocation and reservation to claim %s/%s: %s",
		[CLAIM_RESERVE] = "add reservation to claim %s/%s: %s",
		[CLAIM_PUBLISH_NAME] =
		    "update pod %s/%s ExtendedResourceClaimStatus: %s",
	};
	const struct object *of = change->step == CLAIM_PUBLISH_NAME ?
	    &job->of->at.pod->object :
	    change->before;

	return xasprintf(steps[change->step], sym_text(of->namespace), of->name,
	    text);
}

/* In the reference's words; you own it. */
static char *
elsewhere(const struct resource_claim *claim)
{
	return xasprintf("claim %s/%s got allocated elsewhere in the meantime",
	    sym_text(claim->object.namespace), claim->object.name);
}

/* Whether it has others than the pod was placed by: it has lost them, and another pod got
 * it some, before it was reserved for this one. */
static bool
has_other_devices(const struct resource_claim *now,
    const struct resource_claim *before)
{
	bool same = now->nresults == before->nresults;

	for (uint32_t i = 0; same && i < now->nresults; i++)
		same = now->results[i].driver == before->results[i].driver &&
		    now->results[i].pool == before->results[i].pool &&
		    now->results[i].device == before->results[i].device;
	return now->allocated && !same;
}

/* The claim as it is now goes to change->before; why it cannot have its devices any
 * more, or NULL. */
static char *
take_claim(struct volume_job *job, struct change *change,
    struct resource_claim *now)
{
	struct flights *flights = job->flights;
	const char *uid = job->of->at.pod->object.uid;
	uint64_t version = version_of(&now->object);

	if (change->step == CLAIM_CREATE)
		claims_created(flights, change->before->uid, now);
	object_unref(change->before);
	change->before = object_ref(&now->object);
	if (change->step == CLAIM_ALLOCATE ||
	    (change->tries > 0 && now->allocated &&
		resource_claim_is_for(now, uid))) {
		claims_written(flights, now->object.uid, version);
		change->written = true;
	} else if (now->object.deleting) {
		return xasprintf("claim %s/%s got deleted in the meantime",
		    sym_text(now->object.namespace), now->object.name);
	} else if (now->allocated) {
		return elsewhere(now);
	}
	change->step = !change->written ? CLAIM_ALLOCATE :
	    change->mappings != NULL    ? CLAIM_PUBLISH_NAME :
					  CLAIM_RESERVE;
	return NULL;
}

/* For certain, it was not written. */
static bool
is_refused(const struct api_response *response)
{
	return (response->status >= 400 && response->status < 500) ||
	    (response->status == 0 && response->unsent);
}

static void
on_claim_answered(void *arg, const struct api_response *response)
{
	struct volume_job *job = arg;
	struct change *change = &job->changes[job->next];
	const struct flights *flights = job->flights;
	bool good = response->status == 200 || response->status == 201;
	bool whole = change->step < CLAIM_RESERVE;
	struct resource_claim *now =
	    good && change->step != CLAIM_PUBLISH_NAME ?
	    claims_answered(response) :
	    NULL;
	AUTOFREE char *why = NULL;
	struct err err;

	job->call = NULL;
	if (change->step == CLAIM_CREATE)
		metrics_inc(flights->metrics, METRIC_CLAIM_CREATES,
		    good ? "success" : "failure");
	if (change->step == CLAIM_ALLOCATE && !good)
		change->in_doubt |= !is_refused(response);
	if (change->step == CLAIM_ALLOCATE && !good && !change->in_doubt)
		claims_sent(job->flights, change->before->uid, 0);
	/* Another version is there, or it is not known whether the devices were written:
	 * it is read again. */
	if (change->step == CLAIM_ALLOCATE && change->tries < TRIES &&
	    (response->status == 409 || response->status >= 500 ||
		response->status == 0)) {
		change->tries++;
		change->step = CLAIM_PROTECT;
	} else if (!good) {
		api_explain(response, &err);
		why = step_failure(job, change, err.text);
	} else if (!whole) {
		if (now != NULL &&
		    has_other_devices(now, (const void *)change->before))
			why = elsewhere(now);
		else
			job->next++;
	} else if (now == NULL) {
		why = step_failure(job, change, "the answer is no claim");
	} else {
		why = take_claim(job, change, now);
		if (why == NULL && change->step == CLAIM_RESERVE)
			job->next++;
	}
	if (now != NULL)
		object_unref(&now->object);
	if (why != NULL)
		volumes_fail(job->of, why);
	else
		write_next(job);
	flights->ops->room(flights->arg);
}

/* ---- all of them ---- */

static void wait_for_all(struct volume_job *job);

static void
write_next(struct volume_job *job)
{
	const struct change *change;
	AUTOFREE char *path = NULL, *body = NULL;

	while (job->next < job->n && !writes_claim(job) &&
	    job->changes[job->next].written)
		job->next++;
	if (job->next == job->n) {
		wait_for_all(job);
		return;
	}
	change = &job->changes[job->next];
	job->paused = writes_claim(job) &&
	    claims_write(job->flights, change->before->uid);
	if (job->paused)
		return;
	if (writes_claim(job)) {
		write_claim(job, change);
		return;
	}
	path = path_of(change->before);
	body = body_of(change);
	job->call = api_send(job->flights->client,
	    &(struct api_request){ .lane = API_REST,
		.method = "PATCH",
		.path = path,
		.body = body,
		.content_type = "application/merge-patch+json",
		.retry_ms = WRITE_RETRY_MS,
		.of_leader = true,
		.on_done = on_written,
		.arg = job });
}

/* After is NULL where a volume or claim is as it has to be already, by the binding of
 * another pod that shares the claim; that can be undone, too. */
static void
add_change(struct volume_job *job, const struct object *before, void *after,
    const struct persistent_volume_claim *claim)
{
	struct change *change = &job->changes[job->n++];

	change->before = object_ref((struct object *)before);
	change->after = after;
	change->written =
	    after == NULL && before->kind != OBJECT_RESOURCE_CLAIM;
	if (claim != NULL) {
		object_ref((struct object *)&claim->object);
		change->claim = claim;
	}
}

/* The device claim that the pod names in this place, behind the last the one for its
 * extended resources; NULL: there is none. */
static const struct resource_claim *
claim_at(const struct flights *flights, const struct pod *pod, uint32_t i)
{
	const struct pod_class *class = pod->class;

	return i < class->nresource_claims ?
	    cluster_resource_claim(flights->cluster, class->namespace,
		class->resource_claims[i].claim) :
	    pod_devices_made(flights->cluster, pod);
}

/* The device claim, unless it is reserved for the pod or there is none. */
static const struct resource_claim *
unreserved(const struct flights *flights, const struct pod *pod, uint32_t i)
{
	const struct resource_claim *claim = claim_at(flights, pod, i);
	const struct flight *flight = flight_find(flights, pod->object.uid);
	bool known = flight == NULL || !flight->unreserved;

	return claim != NULL && claim->allocated &&
		!(known && resource_claim_is_for(claim, pod->object.uid)) ?
	    claim :
	    NULL;
}

bool
volumes_reserve(const struct flights *flights, const struct pod *pod,
    const struct profile *profile)
{
	bool needed = false;

	for (uint32_t i = 0; i < pod->class->nresource_claims; i++) {
		const struct resource_claim *claim = claim_at(flights, pod, i);

		needed |= unreserved(flights, pod, i) != NULL ||
		    (claim != NULL && claim->allocated && !claim->ready);
	}
	return needed && !profile->strict;
}

/* They count from now on. */
static void
add_allocations(struct volume_job *job, size_t n,
    struct resource_claim **claims, bool timestamp)
{
	struct flights *flights = job->flights;
	char now[32];

	api_time(now, sizeof(now), time(NULL), -1);
	for (size_t i = 0; i < n; i++) {
		const struct resource_claim *claim = claims[i];
		const struct object *server =
		    cluster_object(flights->cluster, &claim->object);
		struct change *change = &job->changes[job->n];
		struct text text = { 0 };

		/* the pod names it twice */
		if (server != NULL &&
		    ((const struct resource_claim *)server)->pending) {
			object_unref(&claims[i]->object);
			continue;
		}
		add_change(job, &claim->object, NULL, NULL);
		change->step = server != NULL ? CLAIM_PROTECT : CLAIM_CREATE;
		if (claim->mappings != NULL)
			change->mappings = xstrdup(claim->mappings);
		allocation_put(&text, flights->cluster, claim,
		    timestamp ? now : NULL);
		change->allocation = text_take(&text);
		claims_hold(flights, claims[i], server);
	}
}

void
volumes_bind(struct flights *flights, const struct pod *pod,
    const struct volume_plan *plan, size_t nclaims,
    struct resource_claim **claims, const struct profile *profile,
    int64_t wait_ms)
{
	static const struct volume_plan none;
	struct binding *binding =
	    flight_find(flights, pod->object.uid)->binding;
	struct volume_job *job = xcalloc(1, sizeof(*job));

	job->waits = plan != NULL;
	if (gates_bind_by_conditions(&profile->gates))
		job->device_timeout = profile_device_timeout(profile);
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
		pod->class->nresource_claims + nclaims + 1,
	    sizeof(*job->changes));
	for (uint32_t i = 0; i < plan->nmatches; i++) {
		const struct volume_match *m = &plan->matches[i];
		bool claimed = m->volume->has_claim &&
		    strcmp(m->volume->claim_uid, m->claim->object.uid) == 0;

		add_change(job, &m->volume->object,
		    claimed ? NULL : /* there is nothing to write */
			      persistent_volume_claimed_by(m->volume, m->claim),
		    m->claim);
	}
	for (uint32_t i = 0; i < plan->nprovisions; i++) {
		const struct persistent_volume_claim *claim =
		    plan->provisions[i];

		add_change(job, &claim->object,
		    claim->has_selected_node ?
			NULL :
			persistent_volume_claim_selected(claim,
			    binding->at.node),
		    NULL);
	}
	for (uint32_t i = 0;
	     !profile->strict && i < pod->class->nresource_claims; i++) {
		const struct resource_claim *claim =
		    unreserved(flights, pod, i);

		if (claim == NULL)
			continue;
		job->changes[job->n].step = CLAIM_RESERVE;
		add_change(job, &claim->object, NULL, NULL);
	}
	add_allocations(job, nclaims, claims,
	    gates_bind_by_conditions(&profile->gates));
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

	if (now == NULL) /* claims: claim_gone() */
		return change->before->kind == OBJECT_PERSISTENT_VOLUME ?
		    arena_printf(arena,
			"could not find v1.PersistentVolume \"%s\"", name) :
		    NULL;
	/* The watch has not reached our write. */
	if (change->before->kind == OBJECT_RESOURCE_CLAIM ||
	    now == change->after || version_of(now) < change->version)
		return NULL;
	if (change->before->kind == OBJECT_PERSISTENT_VOLUME) {
		if (!volume->has_claim || volume->claim_uid[0] == '\0')
			return arena_printf(arena,
			    "ClaimRef got reset for pv "
			    "\"%s\"",
			    name);
		return NULL;
	}
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

/* A claim of the pod that is gone, in the reference's words; NULL for none. */
static const char *
claim_gone(struct arena *arena, const struct volume_job *job)
{
	const struct pod_class *class = job->of->at.pod->class;

	for (uint32_t i = 0; i < class->nvolumes; i++)
		if (volume_is_claim(class->volumes[i].kind,
			job->rules.release) &&
		    cluster_claim(job->flights->cluster, class->namespace,
			class->volumes[i].id) == NULL)
			return arena_printf(arena,
			    "could not find v1.PersistentVolumeClaim "
			    "\"%s/%s\"",
			    sym_text(class->namespace),
			    sym_text(class->volumes[i].id));
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
	*why = claim_gone(arena, job);
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

static void
succeed_or_wait(struct volume_job *job)
{
	struct binding *binding = job->of;
	const struct flights *flights = job->flights;
	int64_t begun_ms = job->begun_ms;

	if (job->deadline_ms != 0 || job->devices_ms != 0)
		return;
	binding->volumes = NULL;
	volumes_free(job);
	flights->ops->volumes_bound(flights->arg, &binding->at, begun_ms);
}

/* How the wait for the claim's devices ended, as metrics name it; NULL: not yet.  Why
 * they will never be ready goes to *why. */
static const char *
claim_end(struct arena *arena, const struct volume_job *job,
    const struct resource_claim *claim, const char **why)
{
	if (claim->failure != NULL) {
		*why =
		    arena_printf(arena, "device binding failed: claim=%s, %s",
			claim->object.name, claim->failure);
		return "failure";
	}
	if (resource_claim_timed_out(claim, job->device_timeout, time(NULL))) {
		*why = arena_printf(arena, "device binding timeout: claim=%s",
		    claim->object.name);
		return "timeout";
	}
	return claim->ready ? "success" : NULL;
}

/* The same for all claims of the pod. */
static const char *
devices_end(struct arena *arena, const struct volume_job *job, const char **why)
{
	const struct pod *pod = job->of->at.pod;
	const struct pod_class *class = pod->class;
	const char *end = "success";

	for (uint32_t i = 0; i <= class->nresource_claims; i++) {
		const struct resource_claim *claim =
		    claim_at(job->flights, pod, i);

		if (claim != NULL) {
			end = claim_end(arena, job, claim, why);
		} else if (i < class->nresource_claims &&
		    class->resource_claims[i].claim != SYM_NONE) {
			*why = arena_printf(arena,
			    "could not find ResourceClaim \"%s/%s\"",
			    sym_text(class->namespace),
			    sym_text(class->resource_claims[i].claim));
			end = "error";
		}
		if (end == NULL || *why != NULL)
			return end;
	}
	return end;
}

/* As kube-scheduler: the time for each device, and the devices with conditions, of
 * pods that have any. */
static void
count_devices(const struct volume_job *job, const char *end)
{
	const struct pod *pod = job->of->at.pod;
	struct metrics *metrics = job->flights->metrics;
	const char *profile = sym_text(pod->class->scheduler_name);
	double seconds = (double)(clock_ms() - job->devices_begun_ms) / 1000;
	uint32_t n = pod->class->nresource_claims;
	const struct resource_claim *claim;
	bool any = false;

	for (uint32_t i = 0; i <= n; i++) {
		claim = claim_at(job->flights, pod, i);
		any |= claim != NULL && claim->has_conditions;
	}
	for (uint32_t i = 0; any && i <= n; i++) {
		claim = claim_at(job->flights, pod, i);
		for (uint32_t k = 0; claim && k < claim->nresults; k++) {
			const struct device_result *r = &claim->results[k];
			const char *driver = sym_text(r->driver);

			metrics_observe(metrics, METRIC_CONDITIONS_SECONDS,
			    seconds, profile, driver, end);
			if (r->nconditions > 0)
				metrics_inc(metrics,
				    METRIC_CONDITIONS_ALLOCATIONS, profile,
				    driver, end);
		}
	}
}

static void
wait_for_all(struct volume_job *job)
{
	struct arena arena = ARENA_INIT;
	const char *end = NULL, *why = NULL;

	if (job->waits)
		job->deadline_ms = clock_ms() + job->wait_ms;
	job->devices_begun_ms = clock_ms();
	if (job->device_timeout > 0)
		end = devices_end(&arena, job, &why);
	if (end != NULL && why == NULL) {
		count_devices(job, end);
	} else if (job->device_timeout > 0) {
		AUTOFREE char *text =
		    xasprintf("waiting for binding conditions for device on "
			      "node %s",
			sym_text(job->of->at.node));

		report_waiting(job->flights, job->of->at.pod, text);
		job->devices_ms = clock_ms() + job->device_timeout * 1000;
	}
	arena_fini(&arena);
	succeed_or_wait(job);
}

void
volumes_check(struct binding *binding, int64_t now_ms)
{
	struct volume_job *job = binding->volumes;
	struct arena arena = ARENA_INIT;
	const char *why = NULL;

	if (job->next < job->n) {
		if (job->paused)
			write_next(job);
		return;
	}
	if (job->deadline_ms != 0 && is_done(&arena, job, &why))
		job->deadline_ms = 0;
	else if (job->deadline_ms != 0 && why == NULL &&
	    now_ms >= job->deadline_ms)
		why = "timed out waiting for the condition";
	if (why == NULL && job->devices_ms != 0) {
		const char *end = devices_end(&arena, job, &why);

		if (end == NULL && now_ms >= job->devices_ms) {
			end = "timeout";
			why = "device binding timeout: context deadline "
			      "exceeded";
		}
		if (end != NULL)
			count_devices(job, end);
		if (end != NULL && why == NULL)
			job->devices_ms = 0;
	}
	if (why != NULL)
		volumes_fail(binding, why);
	else
		succeed_or_wait(job);
	arena_fini(&arena);
}
