#include "config.h"

#include "daemon/caches.h"

#include <stdio.h>

#include "base/clock.h"
#include "wire/api/watch.h"
#include "daemon/scheduler/claims.h"
#include "daemon/scheduler/preemptor.h"
#include "daemon/scheduler/report.h"
#include "daemon/scheduler/volumes.h"
#include "base/log.h"
#include "base/map.h"
#include "base/text.h"
#include "cluster/cluster.h"
#include "cluster/confines.h"
#include "daemon/gauges.h"
#include "daemon/scheduler/scheduler.h"
#include "daemon/extender/documents.h"
#include "decide/framework/profile.h"
#include "decide/framework/profiles.h"
#include "objects/kinds.h"
#include "objects/limits.h"
#include "objects/pod.h"
#include "options/options.h"
#include "daemon/queue/queue.h"
#include "daemon/record/recorder.h"

/* See caches_current(). */
#define BEHIND_MS 15000
/* A user may delete and create objects at will: no list more often than that. */
#define TAKE_BACK_MS 300000

struct cache {
	struct caches *caches;
	const char *resource;
	enum object_kind kind;
	bool synced;
	struct reflector *reflector;
};

struct caches {
	/* Of clock_seconds() and clock_cpu_us(): to decode the object in hand. */
	double began;
	int64_t cpu_us;
	int64_t take_back_ms; /* not before */
	int64_t checked_ms;   /* the last one of the caches, */
	size_t nchecked;      /* which this many have been */
	struct decode_settings settings;
	struct scheduler *scheduler;
	struct cluster *cluster;
	struct queue *queue;
	void (*synced)(void *arg);
	void *synced_arg;
	struct strmap others; /* struct pod, by uid: they wait for others */
	bool watched[LENGTH(api_kinds)]; /* or not needed */
	struct trouble trouble, behind;  /* of watches, of caches therefore */
	size_t n, nsynced;               /* n are watched */
	struct cache all[LENGTH(api_kinds)];
};

static void
record_object(const struct caches *caches, const struct object *object)
{
	if (caches->scheduler->options.recorder != NULL)
		recorder_object(caches->scheduler->options.recorder, object);
}

/* ---- pods ---- */

static bool
is_ours(const struct caches *caches, const struct pod *pod)
{
	return cluster_schedules(caches->cluster, pod->class->scheduler_name);
}

static void
pod_bound(struct caches *caches, struct pod *pod)
{
	int64_t now = clock_ms();
	const struct object *before =
	    cluster_object(caches->cluster, &pod->object);

	if (before != NULL)
		object_ref((struct object *)before);
	nomination_ends(&caches->scheduler->flights, pod, pod->node);
	cluster_put(caches->cluster, &pod->object);
	queue_delete(caches->queue, pod);
	queue_object_changed(caches->queue, before, &pod->object, now);
	object_unref((struct object *)before);
	scheduler_pod_is_over(caches->scheduler, pod, false);
}

static void
forget_other(struct caches *caches, const struct pod *pod)
{
	struct pod *other = strmap_del(&caches->others, pod->object.uid);

	pod_unref(other);
}

/* Takes no reference of the caller's. */
static void
remember_other(struct caches *caches, struct pod *pod)
{
	forget_other(caches, pod);
	strmap_put(&caches->others, pod->object.uid, pod_ref(pod));
}

/* The pod has a node; of another scheduler, it has waited under our eyes. */
static void
decide_beside(const struct caches *caches, const struct pod *pod)
{
	const char *name = caches->scheduler->options.daemon->decide_beside;
	const struct pod *other = strmap_get(&caches->others, pod->object.uid);

	if (other != NULL && name[0] != '\0' &&
	    strcmp(sym_text(other->class->scheduler_name), name) == 0)
		attempt_shadow(caches->scheduler, other, pod->node);
}

static void
pod_put(struct caches *caches, struct pod *pod, const struct doc_node *root)
{
	struct flights *flights = &caches->scheduler->flights;

	if (pod->node != SYM_EMPTY) {
		decide_beside(caches, pod);
		forget_other(caches, pod);
		pod_bound(caches, pod);
	} else if (!is_ours(caches, pod)) {
		remember_other(caches, pod);
	} else {
		pod = cluster_confined(caches->cluster, pod_ref(pod));
		nomination_ends(flights, pod, nomination_of(flights, pod));
		cluster_put(caches->cluster, &pod->object);
		queue_add(caches->queue, pod, clock_ms());
		scheduler_pod_waits(caches->scheduler, pod, root);
		pod_unref(pod);
	}
}

static void
pod_removed(struct caches *caches, struct pod *pod)
{
	forget_other(caches, pod);
	queue_delete(caches->queue, pod);
	nomination_ends(&caches->scheduler->flights, pod, SYM_EMPTY);
	cluster_remove(caches->cluster, &pod->object);
	if (pod->node != SYM_EMPTY)
		queue_object_changed(caches->queue, &pod->object, NULL,
		    clock_ms());
	scheduler_pod_is_over(caches->scheduler, pod, true);
}

/* ---- pods that cannot be decoded ---- */

/* As far as it is known it waits: it is not to be scheduled.  Whether it takes
 * the place of before, which was put. */
static bool
withdraw(struct caches *caches, struct pod *before)
{
	if (before == NULL)
		return true;
	if (before->object.partial == PARTIAL_NONE &&
	    flight_is_bound(&caches->scheduler->flights, before))
		return false;
	pod_removed(caches, before);
	return true;
}

/*
 * Whether it replaces before.  A pod on a node counts there: as it was, or with
 * the readable part, or as more than any node has.  *then: the consequence, you
 * own it.
 */
static bool
pod_left_out(struct caches *caches, struct pod *pod, struct pod *before,
    char **then)
{
	bool was_bound = before != NULL && before->node != SYM_EMPTY;

	forget_other(caches, pod);
	if (was_bound && before->object.partial != PARTIAL_PLACED &&
	    (pod->node == before->node ||
		pod->object.partial == PARTIAL_NAMED)) {
		*then = xasprintf("its previous version still counts on "
				  "node %s",
		    sym_text(before->node));
		return false;
	}
	*then = object_partial_says(&pod->object);
	if (pod->node != SYM_EMPTY) {
		record_object(caches, &pod->object);
		pod_bound(caches, pod);
		return true;
	}
	return !was_bound && withdraw(caches, before);
}

/* ---- from the reflectors ---- */

static void
on_next(void *arg)
{
	struct caches *caches = ((struct cache *)arg)->caches;

	caches->began = clock_seconds();
	caches->cpu_us = clock_cpu_us();
}

/* after: NULL when the object is gone. */
static void
end_event(struct caches *caches, const struct object *before,
    const struct object *after)
{
	struct scheduler *s = caches->scheduler;
	double seconds = clock_seconds() - caches->began;
	const struct object *object = after != NULL ? after : before;
	const struct pod *pod = (const struct pod *)object;

	/* kube-scheduler has no handler for pods that wait for another */
	if (object->kind != OBJECT_POD || pod->node != SYM_EMPTY ||
	    is_ours(caches, pod))
		event_times_observe(s->options.metrics, before, after, seconds);
	/* other events may be slow because of pods that wait for them */
	if (object->kind == OBJECT_POD && pod->node == SYM_EMPTY)
		attempt_charge(s, object->namespace,
		    clock_cpu_us() - caches->cpu_us, false);
	scheduler_stalled(s, object, seconds);
	scheduler_kick(s);
}

/* The version that the queue or the cluster has; NULL when it is not known. */
static const struct object *
previous_version(const struct caches *caches, const struct object *object)
{
	const struct pod *waits = object->kind == OBJECT_POD ?
	    queue_find(caches->queue, object->uid, NULL) :
	    NULL;

	return waits != NULL ? &waits->object :
			       cluster_object(caches->cluster, object);
}

static void
on_put(void *arg, struct object *object, const struct doc_node *root)
{
	struct caches *caches = ((struct cache *)arg)->caches;
	struct object *before =
	    (struct object *)previous_version(caches, object);

	if (before != NULL)
		object_ref(before);
	record_object(caches, object);
	if (object->kind == OBJECT_POD) {
		pod_put(caches, (struct pod *)object, root);
	} else if (object->kind == OBJECT_RESOURCE_CLAIM) {
		/* One that has devices from us stays so until the watch shows
		 * them. */
		struct object *now =
		    claims_seen(&caches->scheduler->flights, object);

		cluster_put(caches->cluster, now);
		queue_object_changed(caches->queue, before, now, clock_ms());
		object_unref(now);
	} else {
		cluster_put(caches->cluster, object);
		queue_object_changed(caches->queue, before, object, clock_ms());
		if (object->kind == OBJECT_DISTRIBUTION_POLICY ||
		    object->kind == OBJECT_CLUSTER_DISTRIBUTION_POLICY)
			report_policy(&caches->scheduler->flights,
			    (const struct distribution_policy *)object);
	}
	if (object->kind == OBJECT_NODE)
		documents_put(caches->scheduler->documents, object, root);
	end_event(caches, before, object);
	object_unref(before);
}

static void
on_removed(void *arg, struct object *object)
{
	struct caches *caches = ((struct cache *)arg)->caches;
	const struct object *before;

	if (object->kind == OBJECT_POD) {
		pod_removed(caches, (struct pod *)object);
	} else {
		before = cluster_object(caches->cluster, object);
		before = object_ref(
		    (struct object *)(before != NULL ? before : object));
		if (object->kind == OBJECT_RESOURCE_CLAIM)
			claims_gone(&caches->scheduler->flights, object);
		cluster_remove(caches->cluster, object);
		queue_object_changed(caches->queue, before, NULL, clock_ms());
		object_unref((struct object *)before);
	}
	if (object->kind == OBJECT_NODE)
		documents_remove(caches->scheduler->documents, object);
	if (caches->scheduler->options.recorder != NULL)
		recorder_gone(caches->scheduler->options.recorder, object);
	end_event(caches, object, NULL);
}

/* Whether this scheduler is known to be the one that it waits for. */
static bool
waits_for_us(const struct caches *caches, const struct object *object,
    const struct object *before)
{
	const struct pod *pod = (const struct pod *)object;
	const struct pod *was = (const struct pod *)before;

	if (object->kind != OBJECT_POD || pod->node != SYM_EMPTY)
		return false;
	if (object->partial == PARTIAL_NAMED)
		return was != NULL && was->node == SYM_EMPTY;
	return is_ours(caches, pod);
}

static bool
on_left_out(void *arg, struct object *object, struct object *before,
    const char *why)
{
	struct cache *cache = arg;
	struct caches *caches = cache->caches;
	AUTOFREE char *then = NULL;
	bool pending = waits_for_us(caches, object, before);
	bool taken = false;

	if (object->kind == OBJECT_POD) {
		taken = pod_left_out(caches, (struct pod *)object,
		    (struct pod *)before, &then);
	} else {
		then = before != NULL ?
		    xstrdup("its previous version still counts") :
		    object_partial_says(object);
	}
	left_out_put(&caches->scheduler->left_out, object,
	    reflector_version(cache->reflector), why, then, pending);
	scheduler_kick(caches->scheduler);
	return taken;
}

static void
on_readmit(void *arg, const struct object *object)
{
	const struct caches *caches = ((struct cache *)arg)->caches;

	left_out_drop(&caches->scheduler->left_out, object);
}

static void
on_decoded(void *arg, const struct object *object, const struct doc_node *root)
{
	const struct caches *caches = ((struct cache *)arg)->caches;

	if (caches->scheduler->options.recorder != NULL)
		recorder_decoded(caches->scheduler->options.recorder, object,
		    root);
}

static bool
on_whole(void *arg)
{
	const struct cache *cache = arg;

	return documents_want(cache->caches->scheduler->documents, cache->kind);
}

static void
on_synced(void *arg)
{
	struct cache *cache = arg;
	struct caches *caches = cache->caches;

	const char *version = cache->reflector != NULL ?
	    reflector_version(cache->reflector) :
	    NULL;

	if (version != NULL && cache->kind == OBJECT_RESOURCE_CLAIM)
		volumes_set_claims_version(&caches->scheduler->flights,
		    version);
	if (cache->synced)
		return;
	cache->synced = true;
	log_v(1, "%s: %zu listed", cache->resource,
	    cache->reflector != NULL ? reflector_count(cache->reflector) : 0);
	if (++caches->nsynced < caches->n)
		return;
	if (caches->synced != NULL)
		caches->synced(caches->synced_arg);
	caches->synced = NULL; /* for the first time */
	scheduler_kick(caches->scheduler);
}

/*
 * kube-scheduler's own user, whose credentials we may have, is not allowed to
 * list these on releases where it does not need them: namespaces before 1.21, CSI
 * nodes before 1.18, the others before their features were on.
 */
static bool
is_optional(const struct cache *cache)
{
	return text_is_choice(
	    "namespaces|csinodes|csidrivers|csistoragecapacities|"
	    "resourceclaims|resourceslices|deviceclasses|devicetaintrules|"
	    "volumeattachments",
	    cache->resource);
}

static void
on_problem(void *arg, const char *text)
{
	struct cache *cache = arg;

	if (!is_optional(cache) ||
	    reflector_stats(cache->reflector)->status != 403) {
		log_trouble(&cache->caches->trouble, "%s", text);
	} else if (!cache->synced) {
		log_warning("continuing without %s", text);
		on_synced(cache);
	} else {
		log_v(2, "%s", text);
	}
}

static const struct reflector_ops reflector_ops = {
	.put = on_put,
	.removed = on_removed,
	.left_out = on_left_out,
	.readmit = on_readmit,
	.decoded = on_decoded,
	.whole = on_whole,
	.synced = on_synced,
	.problem = on_problem,
	.next = on_next,
};

static void
watch(struct caches *caches, size_t i)
{
	const struct api_kind *kind = &api_kinds[i];
	const struct reflector_spec spec = {
		.resource = kind->resource,
		.versions = kind->versions,
		.field_selector =
		    kind->kind == OBJECT_POD ? REFLECTOR_LIVE_PODS : NULL,
		.settings = &caches->settings,
	};
	struct cache *cache = &caches->all[caches->n];

	if (caches->watched[i])
		return;
	caches->watched[i] = true;
	if (caches->cluster->kubernetes_minor < kind->since)
		return;
	caches->n++;
	cache->caches = caches;
	cache->resource = kind->resource;
	cache->kind = kind->kind;
	cache->reflector = reflector_new(caches->scheduler->options.client,
	    &spec, &reflector_ops, cache);
}

static bool
allocates(const struct caches *caches, enum object_kind kind)
{
	const struct gates *gates =
	    &caches->scheduler->options.daemon->policy_options.gates;

	return caches->cluster->allocates_devices &&
	    (kind != OBJECT_DEVICE_TAINT_RULE ||
		(gates->dra_device_taints && gates->dra_device_taint_rules));
}

struct caches *
caches_new(struct scheduler *scheduler, void (*synced)(void *arg),
    void *synced_arg)
{
	struct caches *caches = xcalloc(1, sizeof(*caches));
	const struct daemon_options *options = scheduler->options.daemon;
	const struct gates *gates = &options->policy_options.gates;

	caches->scheduler = scheduler;
	caches->settings = (struct decode_settings){
		.pod_level = gates->pod_level_resources,
		.pod_level_in_status = gates->pod_level_resources_in_place,
		.budgets = { (size_t)options->namespace_memory << 20,
		    (size_t)options->namespaces_memory << 20 },
	};
	/* They are valid: the options were checked. */
	pod_limits_parse(options->pod_limits, &caches->settings.pod_limits,
	    NULL);
	caches->cluster = scheduler->options.cluster;
	caches->queue = scheduler->queue;
	caches->synced = synced;
	caches->synced_arg = synced_arg;
	caches->checked_ms = clock_ms();
	for (size_t i = 0; i < LENGTH(api_kinds); i++)
		if (api_kinds[i].need == KIND_ALWAYS ||
		    (api_kinds[i].need == KIND_FOR_DEVICES &&
			allocates(caches, api_kinds[i].kind)))
			watch(caches, i);
	return caches;
}

/* As a rule of a policy, or at any extension point. */
static bool
has_plugin(const struct profiles *profiles, const struct plugin *plugin)
{
	for (size_t i = 0; i < profiles->n; i++) {
		const struct profile *profile = profiles->at[i];

		if (profile_checks(profile, plugin->filters[0]))
			return true;
		for (int point = 0; point < NPOINTS; point++)
			if (profile_has_plugin(profile, point, plugin->name))
				return true;
	}
	return false;
}

void
caches_watch_for(struct caches *caches, const struct profiles *profiles)
{
	for (enum plugin_number j = 0; j < PLUGINS; j++) {
		const struct plugin *plugin = all_plugins[j];

		if (plugin->watches == KIND_ALWAYS ||
		    !has_plugin(profiles, plugin))
			continue;
		for (size_t i = 0; i < LENGTH(api_kinds); i++)
			if (api_kinds[i].need == plugin->watches)
				watch(caches, i);
	}
}

/* Those of the queue that name no scheduler of ours any more. */
static size_t
sort_out(struct caches *caches)
{
	size_t n, nleft = 0;
	struct pod **pods = queue_pods(caches->queue, &n);

	for (size_t i = 0; i < n; i++) {
		if (!is_ours(caches, pods[i])) {
			pod_removed(caches, pods[i]);
			remember_other(caches, pods[i]);
			nleft++;
		}
		pod_unref(pods[i]);
	}
	free(pods);
	return nleft;
}

void
caches_sort_pods(struct caches *caches)
{
	struct pod **join = xcalloc(caches->others.n + 1, sizeof(*join));
	size_t njoin = 0, nleft;

	EACH_VALUE (&caches->others, struct pod, pod)
		if (is_ours(caches, pod))
			join[njoin++] = pod_ref(pod);
	nleft = sort_out(caches);
	for (size_t i = 0; i < njoin; i++) {
		forget_other(caches, join[i]);
		pod_put(caches, join[i], NULL);
		pod_unref(join[i]);
	}
	if (nleft + njoin > 0)
		log_info("by their schedulerName %zu pending pods came to the "
			 "queue and %zu left it",
		    njoin, nleft);
	free(join);
}

void
caches_free(struct caches *caches)
{
	if (caches == NULL)
		return;
	for (size_t i = caches->n; i-- > 0;)
		reflector_free(caches->all[i].reflector);
	EACH_VALUE (&caches->others, struct pod, pod)
		pod_unref(pod);
	strmap_fini(&caches->others);
	free(caches);
}

int64_t
caches_behind_ms(const struct caches *caches, size_t i)
{
	const struct cache *cache = &caches->all[i];

	return is_optional(cache) &&
		reflector_stats(cache->reflector)->status == 403 ?
	    0 :
	    reflector_behind_ms(cache->reflector);
}

static bool
is_current(const struct caches *caches, size_t i)
{
	return caches->all[i].synced && caches_behind_ms(caches, i) < BEHIND_MS;
}

bool
caches_current(const struct caches *caches)
{
	return !ANY(i, caches->n, !is_current(caches, i));
}

char *
caches_missing(const struct caches *caches, char *out, size_t size)
{
	size_t len = 0;

	out[0] = '\0';
	for (size_t i = 0; i < caches->n && len < size; i++)
		if (!is_current(caches, i))
			len += (size_t)snprintf(out + len, size - len, "%s%s",
			    len > 0 ? ", " : "", caches->all[i].resource);
	return out;
}

static void
log_behind(struct caches *caches)
{
	char missing[512];

	if (caches->synced != NULL)
		return;
	if (caches_current(caches))
		log_over(&caches->behind, "the caches are current again");
	else
		log_trouble(&caches->behind,
		    "the caches are behind the API server, no pods are "
		    "scheduled: %s",
		    caches_missing(caches, missing, sizeof(missing)));
	for (size_t i = 0; i < caches->n; i++)
		if (caches_behind_ms(caches, i) > 0)
			return;
	log_over(&caches->trouble, "all watches work again");
}

void
caches_tick(struct caches *caches)
{
	int64_t now = clock_ms();
	int64_t interval =
	    caches->scheduler->options.daemon->cache_check_interval_ms;

	log_behind(caches);
	if (!caches_current(caches))
		return;
	if (now >= caches->take_back_ms &&
	    budget_has_room_again(&caches->settings.budgets)) {
		caches->take_back_ms = now + TAKE_BACK_MS;
		for (size_t i = 0; i < caches->n; i++)
			if (object_kind_namespaced(caches->all[i].kind) &&
			    caches_left_out(caches, i) > 0)
				reflector_list_again(caches->all[i].reflector);
	}
	if (interval == 0 || !caches_current(caches) ||
	    now < caches->checked_ms + interval / (int64_t)caches->n)
		return;
	caches->checked_ms = now;
	reflector_check(caches->all[caches->nchecked++ % caches->n].reflector);
}

const struct reflector_stats *
caches_stats(const struct caches *caches, size_t i, const char **resource)
{
	if (i >= caches->n)
		return NULL;
	*resource = caches->all[i].resource;
	return reflector_stats(caches->all[i].reflector);
}

size_t
caches_left_out(const struct caches *caches, size_t i)
{
	return reflector_left_out(caches->all[i].reflector);
}
