#include "config.h"

#include "daemon/daemon.h"

#include <event2/event.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>

#include "base/clock.h"
#include "base/json_out.h"
#include "wire/api/credentials.h"
#include "wire/api/events.h"
#include "wire/api/kubeconfig.h"
#include "wire/api/writes.h"
#include "wire/api/discovery.h"
#include "wire/api/watch.h"
#include "base/log.h"
#include "base/text.h"
#include "cluster/cluster.h"
#include "cluster/confines.h"
#include "daemon/caches.h"
#include "daemon/scheduler/dry_run.h"
#include "daemon/dump.h"
#include "daemon/endpoints.h"
#include "daemon/gauges.h"
#include "daemon/notify.h"
#include "daemon/queue/queue.h"
#include "daemon/scheduler/scheduler.h"
#include "decide/framework/profile.h"
#include "decide/framework/profiles.h"
#include "wire/leader/leader.h"
#include "wire/metrics/metrics.h"
#include "objects/release.h"
#include "options/options.h"
#include "daemon/record/recorder.h"
#include "daemon/record/writer.h"
#include "daemon/policy_source/policy_source.h"

#define STOP_MS 5000  /* for answers to bindings */
#define FLUSH_MS 2000 /* for events and statuses */
#define VERSION_MS 5000
/* It is asked for again after so long, and seldom once it had to be guessed, GUESS_MS
 * after the API server first would not say it. */
#define VERSION_AGAIN_MS 500
#define VERSION_RARELY_MS 15000
#define GUESS_MS 10000
#define TICK_MS 1000
/* After so long without any byte of a response the API server is said to be silent,
 * and pods not to be tried. */
#define SILENT_MS 2000
#define UNTRIED_MS 60000
/* How long normal callbacks run before the loop looks for urgent events. */
#define LOOK_MS 10

/* Of events on our base; normal is libevent's default.  Urgent events are rare
 * and short and must not wait: the lease, the watchdog, SIGTERM. */
enum { PRIORITY_URGENT, PRIORITY_NORMAL, PRIORITIES };

struct daemon {
	struct daemon_options *options;
	int status; /* to exit with */

	/* In the order in which they are built. */
	struct event_base *base;
	struct metrics *metrics;
	struct notify *notify;
	struct api_client *client;
	struct events *events;
	struct cluster *cluster;
	struct recorder *recorder; /* --record, or NULL */
	struct scheduler *scheduler;
	struct endpoints *endpoints;
	struct policy_source *policy_source;
	struct policy_source *dry_run; /* --policy-dry-run, or NULL */
	bool dry_run_is_new;           /* it was named after the start */
	struct leader *leader;         /* NULL without --leader-elect */
	struct api_call *version_call;
	struct trouble unknown; /* the version */
	int64_t guess_ms;      /* clock_ms() when it may be guessed; 0: never */
	struct caches *caches; /* when the version is known */

	/* When this process lost the lock, and the policy in the source was refused,
	 * in seconds, and why; NULL: it was not. */
	int64_t lost, refused;
	char *lost_why, *refused_why;

	bool standing; /* for election, or not asked to: caches are filled */
	bool stopping;
	bool again; /* to be built again */
	int64_t flush_ms;
	int64_t tick_ms;     /* when the next tick is due; 0: not known */
	bool stall_reported; /* since the last tick */
	struct event *terminate, *interrupt, *hangup, *debug;
	struct event *tick, *watchdog, *flush, *version;
};

static void
end(struct daemon *d, int status)
{
	d->status = status;
	event_base_loopbreak(d->base);
}

static void
on_fatal(void *arg, const char *why)
{
	log_error("%s", why);
	end(arg, 1);
}

/* ---- may we? ---- */

static bool
may_write(void *arg)
{
	const struct daemon *d = arg;

	return d->standing && leader_may_bind(d->leader);
}

/* No decision is made from a cache that is older than the API server. */
static bool
is_current(void *arg)
{
	const struct daemon *d = arg;

	return d->standing && caches_current(d->caches);
}

static void
on_leading(void *arg)
{
	struct daemon *d = arg;

	xreplace(&d->lost_why, NULL);
	notify_status(d->notify, "leading");
	metrics_set(d->metrics, METRIC_LEADER, 1, d->options->lock_name);
	scheduler_kick(d->scheduler);
}

static void
on_not_leading(void *arg, const char *why)
{
	struct daemon *d = arg;

	if (d->stopping)
		log_info("released the leader lock");
	else
		log_warning("leaderelection lost: %s", why);
	xreplace(&d->lost_why, why);
	d->lost = time(NULL);
	notify_status(d->notify, "standing by");
	metrics_set(d->metrics, METRIC_LEADER, 0, d->options->lock_name);
	scheduler_stand_by(d->scheduler);
}

static void
on_event(void *arg, const struct api_event *event)
{
	const struct daemon *d = arg;

	events_record(d->events, event);
}

/* Long before the caches are filled: how old a lease is counts from the first look. */
static void
watch_lock(struct daemon *d)
{
	static const struct leader_ops ops = { on_leading, on_not_leading,
		on_event };
	const struct daemon_options *o = d->options;
	const struct leader_options options = { .resource_lock = o->lock,
		.namespace = o->lock_namespace,
		.name = o->lock_name,
		.component = o->scheduler_name,
		.lease_ms = o->lease_duration_ms,
		.renew_deadline_ms = o->renew_deadline_ms,
		.retry_ms = o->retry_period_ms };

	if (o->leader_elect)
		d->leader = leader_new(d->client, &options, &ops, d);
}

/* The caches are filled, for the first time. */
static void
on_synced(void *arg)
{
	struct daemon *d = arg;

	log_info("caches are synced: %u nodes, %zu assigned pods",
	    d->cluster->nnodes, d->cluster->pods.n);
	notify_ready(d->notify);
	if (d->leader != NULL) {
		notify_status(d->notify, "standing by");
		metrics_set(d->metrics, METRIC_LEADER, 0,
		    d->options->lock_name);
		leader_stand(d->leader);
	} else {
		notify_status(d->notify, "scheduling");
	}
	d->standing = true;
	scheduler_kick(d->scheduler);
}

/* ---- the version of Kubernetes ---- */

static void on_version(void *arg, const struct api_response *response);

static void
on_ask_version(evutil_socket_t fd, short what, void *arg)
{
	struct daemon *d = arg;

	d->version_call = api_send(d->client,
	    &(struct api_request){ .lane = API_REST,
		.path = "/version",
		.timeout_ms = VERSION_MS,
		.on_done = on_version,
		.arg = d });
}

/* The requests of pods depend on it, so nothing is cached before. */
static void
fill_caches(struct daemon *d, int minor)
{
	notify_status(d->notify, "filling caches");
	d->cluster->kubernetes_minor = minor;
	policy_source_set_kubernetes(d->policy_source, minor);
	d->caches = caches_new(d->scheduler, on_synced, d);
	if (d->scheduler->profiles != NULL)
		caches_watch_for(d->caches, d->scheduler->profiles);
}

/*
 * One that starts refuses until it knows our rights, or does not find the path: that is
 * no answer.  A server that goes on so gets no more than a guess, until it answers.
 */
static void
on_version(void *arg, const struct api_response *response)
{
	struct daemon *d = arg;
	int minor = response->status == 200 ? version_minor(response) : -1;
	bool refused = response->status == 200 || response->status == 403 ||
	    response->status == 404;
	int64_t now = clock_ms();
	struct err err;

	d->version_call = NULL;
	if (d->stopping)
		return;
	if (minor >= 0 && d->caches != NULL && minor != RELEASE_NEWEST) {
		log_warning("the API server runs Kubernetes 1.%d, not 1.%d: "
			    "building everything again by its rules",
		    minor, RELEASE_NEWEST);
		d->stopping = d->again = true;
		notify_reloading(d->notify);
		scheduler_stop(d->scheduler, STOP_MS);
		return;
	}
	if (minor >= 0) {
		log_info("the API server runs Kubernetes 1.%d", minor);
		if (d->caches == NULL)
			fill_caches(d, minor);
		return;
	}
	api_explain(response, &err);
	if (!refused)
		d->guess_ms = 0;
	else if (d->guess_ms == 0)
		d->guess_ms = now + GUESS_MS;
	if (d->caches == NULL && d->guess_ms > 0 && now >= d->guess_ms) {
		log_warning("the API server does not say which version of "
			    "Kubernetes it is: assuming 1.%d "
			    "(--kubernetes-version overrides that)",
		    RELEASE_NEWEST);
		fill_caches(d, RELEASE_NEWEST);
	} else if (d->caches == NULL) {
		log_trouble(&d->unknown,
		    "cannot determine the Kubernetes version: %s", err.text);
	}
	timer_start(d->version,
	    d->caches != NULL ? VERSION_RARELY_MS : VERSION_AGAIN_MS);
}

/* ---- the policy ---- */

static void
count_refusal(struct daemon *d, const char *why)
{
	xreplace(&d->refused_why, why);
	d->refused = time(NULL);
	metrics_inc(d->metrics, METRIC_POLICY_RELOADS, "refused");
	metrics_set(d->metrics, METRIC_POLICY_STALE, 1);
}

static void
record_policy(struct daemon *d, const struct policy_version *version)
{
	struct record_policy policy = { .name = version->origin,
		.text = version->text,
		.len = version->len,
		.generation = version->generation,
		.options = version->options };

	if (d->recorder == NULL)
		return;
	if (version->text != NULL)
		policy.kind = version->is_configuration ? RECORD_CONFIGURATION :
							  RECORD_POLICY;
	else
		policy.kind = version->from == POLICY_FROM_PROVIDER ?
		    RECORD_PROVIDER :
		    RECORD_OPENSHIFT;
	recorder_policy(d->recorder, &policy);
}

static void
on_policy(void *arg, struct profiles *profiles,
    const struct policy_version *version)
{
	struct daemon *d = arg;
	bool first = d->scheduler->profiles == NULL;
	bool configured = version->from == POLICY_FROM_CONFIG;
	AUTOFREE char *line = NULL;

	line = policy_startup_line(profiles->at[0]);
	if (line != NULL)
		log_info("%s", line);
	log_info("%s %s applies, source=%s hash=%s generation=%llu",
	    configured ? "configuration" : "policy", version->origin,
	    policy_from_name(version->from), version->hash,
	    (unsigned long long)version->generation);
	for (size_t i = 0; i < profiles->n; i++) {
		const struct profile *profile = profiles->at[i];

		/* one without a name of its own is called by its origin */
		if (profile->release >= 20)
			log_info("profile \"%s\" decides as Kubernetes 1.%d",
			    profile->scheduler_name != NULL ?
				profile->scheduler_name :
				version->origin,
			    profile->release);
	}
	record_policy(d, version);
	xreplace(&d->refused_why, NULL);
	scheduler_set_profiles(d->scheduler, profiles);
	if (d->caches != NULL) {
		caches_watch_for(d->caches, profiles);
		caches_sort_pods(d->caches);
	}
	if (!first)
		metrics_inc(d->metrics, METRIC_POLICY_RELOADS, "ok");
	metrics_set(d->metrics, METRIC_POLICY_STALE, 0);
	metrics_set(d->metrics, METRIC_POLICY_GENERATION,
	    (double)version->generation);
	metrics_set(d->metrics, METRIC_POLICY_LOADED, (double)time(NULL));
	for (enum policy_from from = 0; from < POLICY_FROMS; from++)
		metrics_set(d->metrics, METRIC_POLICY_SOURCE,
		    from == version->from, policy_from_name(from));
}

/* A file is no API object: an Event about it goes to the lock, or without election to the
 * Lease that would be it.  The source reports ConfigMaps itself. */
static void
record_refusal(struct daemon *d, enum policy_from from, const char *why)
{
	bool configured = from == POLICY_FROM_CONFIG;
	AUTOFREE char *message = NULL;

	if (!configured && from != POLICY_FROM_FILE)
		return;
	message = xasprintf("%.100s is invalid, keeping the last valid "
			    "%s: %.800s",
	    configured ? d->options->config : d->options->policy_config_file,
	    configured ? "configuration" : "policy", why);
	if (d->leader != NULL)
		leader_event(d->leader, "Warning", "PolicyRefused", message);
	else
		events_record(d->events,
		    &(struct api_event){ .kind = "Lease",
			.api_version = "coordination.k8s.io/v1",
			.namespace = d->options->lock_namespace,
			.name = d->options->lock_name,
			.uid = "",
			.resource_version = "",
			.type = "Warning",
			.reason = "PolicyRefused",
			.message = message,
			.component = d->options->scheduler_name });
}

static void
on_policy_refused(void *arg, enum policy_from from, const char *why,
    const struct problems *problems)
{
	count_refusal(arg, why);
	record_refusal(arg, from, why);
}

static void
on_no_policy(void *arg, const char *why)
{
	struct daemon *d = arg;

	log_error("%s", why);
	if (d->scheduler->profiles == NULL)
		end(d, 1);
	else
		count_refusal(d, why);
}

static void
on_node_selector(void *arg, const struct labels *labels)
{
	struct daemon *d = arg;

	cluster_set_default_node_selector(d->cluster, labels);
	if (d->recorder != NULL)
		recorder_node_selector(d->recorder, labels);
	scheduler_kick(d->scheduler);
}

static struct policy_source_options
policy_source_options_of(const struct daemon_options *o)
{
	struct policy_source_options options = {
		.provider = o->algorithm_provider,
		.component = o->scheduler_name,
		.policy = o->policy_options,
	};

	if (o->policy_from == DAEMON_POLICY_FILE) {
		options.file = o->policy_config_file;
	} else if (o->policy_from == DAEMON_POLICY_CONFIG_MAP) {
		options.config_map = o->policy_configmap;
		options.config_map_namespace = o->policy_configmap_namespace;
	} else {
		options.openshift = o->policy_openshift;
		if (o->policy_from == DAEMON_POLICY_CONFIG)
			options.config = o->config;
	}
	return options;
}

/* ---- the policy of the dry run ---- */

static void
on_dry_run(void *arg, struct profiles *profiles,
    const struct policy_version *version)
{
	struct daemon *d = arg;

	log_info("dry run: %s is asked, too, hash=%s generation=%llu",
	    version->origin, version->hash,
	    (unsigned long long)version->generation);
	metrics_set(d->metrics, METRIC_DRY_RUN_REFUSED, 0);
	dry_run_set_profiles(d->scheduler->dry_run, profiles);
}

static void
on_dry_run_refused(void *arg, enum policy_from from, const char *why,
    const struct problems *problems)
{
	const struct daemon *d = arg;

	metrics_set(d->metrics, METRIC_DRY_RUN_REFUSED, 1);
}

/* As for the policy in force, the first one must be valid when we start. */
static void
on_no_dry_run(void *arg, const char *why)
{
	struct daemon *d = arg;

	log_error("dry run: %s", why);
	metrics_set(d->metrics, METRIC_DRY_RUN_REFUSED, 1);
	if (!d->dry_run_is_new)
		end(d, 1);
}

static struct policy_source_options
dry_run_options_of(const struct daemon_options *o)
{
	return (struct policy_source_options){
		.file = o->policy_dry_run,
		.any_kind = true,
		.component = o->scheduler_name,
		.policy = o->policy_options,
	};
}

/* Follows the file that the options name now. */
static void
follow_dry_run(struct daemon *d)
{
	static const struct policy_source_ops ops = {
		.on_policy = on_dry_run,
		.on_refused = on_dry_run_refused,
		.on_failed = on_no_dry_run,
	};
	struct policy_source_options options = dry_run_options_of(d->options);

	if (options.file[0] == '\0') {
		policy_source_free(d->dry_run);
		d->dry_run = NULL;
		dry_run_set_profiles(d->scheduler->dry_run, NULL);
		metrics_set(d->metrics, METRIC_DRY_RUN_REFUSED, 0);
	} else if (d->dry_run != NULL) {
		policy_source_reload(d->dry_run, &options);
	} else {
		d->dry_run =
		    policy_source_new(d->base, NULL, &options, &ops, d);
	}
}

/* ---- health ---- */

static int
check_leader(void *arg, struct err *err)
{
	const struct daemon *d = arg;

	return d->leader != NULL ? leader_check_health(d->leader, err) : 0;
}

static int
check_caches(void *arg, struct err *err)
{
	const struct daemon *d = arg;
	char missing[512];

	if (d->caches == NULL)
		return errf(err, "no response from the API server yet");
	caches_missing(d->caches, missing, sizeof(missing));
	return missing[0] == '\0' ?
	    0 :
	    errf(err, "not listed, or behind the API server: %s", missing);
}

static int
check_policy(void *arg, struct err *err)
{
	const struct daemon *d = arg;

	return d->scheduler->profiles != NULL ?
	    0 :
	    errf(err, "no policy is loaded yet");
}

/* since: seconds; 0: not known. */
static void __attribute__((format(printf, 4, 5)))
put_problem(struct json_out *json, int64_t since, const char *cure,
    const char *fmt, ...)
{
	AUTOFREE char *text = NULL;
	char when[32];
	va_list ap;

	va_start(ap, fmt);
	text = xvasprintf(fmt, ap);
	va_end(ap);
	json_break(json, " ");
	json_object(json, "text:s cure:s since:s", text, cure,
	    since == 0 ? NULL : api_time(when, sizeof(when), since, 0));
}

/* Of a process that stands by. */
static void
put_leadership(const struct daemon *d, struct json_out *json,
    const char *leader)
{
	const struct daemon_options *o = d->options;
	const char *cure = *leader != '\0' ?
	    "Nothing is to be done, unless that one should not run." :
	    "See whether the daemon may write the lease, and the other "
	    "replicas run; without any, pods stay Pending.";

	if (d->lost_why != NULL)
		put_problem(json, d->lost, cure,
		    "This process has lost the lease %s/%s (%s). %s%s",
		    o->lock_namespace, o->lock_name, d->lost_why,
		    *leader != '\0' ? leader : "Nobody",
		    *leader != '\0' ? " leads now." : " leads.");
	else if (*leader == '\0')
		put_problem(json, 0, cure,
		    "Nobody leads: the lease %s/%s is not renewed.",
		    o->lock_namespace, o->lock_name);
}

/* While none is tried. */
static void
put_untried(const struct daemon *d, struct json_out *json)
{
	const struct scheduler *s = d->scheduler;
	int64_t now = clock_ms(), since = s->tried_ms;
	struct queue_waiting next;

	if (queue_list(s->queue, QUEUE_ACTIVE, 0, 1, &next) == 0)
		return;
	if (since < next.queued_ms)
		since = next.queued_ms;
	if (now - since < UNTRIED_MS)
		return;
	put_problem(json, time(NULL) - (now - since) / 1000,
	    s->extender_wait != NULL ?
		"An extender has not answered: see whether it runs." :
		"Bindings wait for the API server: see why it is slow.",
	    "No pod is tried, and %zu wait for that.",
	    queue_count(s->queue, QUEUE_ACTIVE));
}

/* Since the start, for rates. */
static void
put_totals(const struct daemon *d, struct json_out *json)
{
	const struct reflector_stats *stats;
	const char *resource;
	uint64_t requests, problems = 0;
	double seconds =
	    metrics_total(d->metrics, METRIC_REST_SECONDS, "", &requests);

	for (size_t i = 0; d->caches != NULL &&
	     (stats = caches_stats(d->caches, i, &resource)) != NULL;
	     i++)
		problems += stats->problems;
	json_key(json, "totals");
	json_object(json,
	    "requests:d requestSeconds:3 evictions:0 failedAttempts:0 "
	    "watchProblems:d",
	    (int64_t)requests, seconds,
	    metrics_total(d->metrics, METRIC_PREEMPTION_VICTIMS, "", NULL),
	    metrics_total(d->metrics, METRIC_SCHEDULE_ATTEMPTS,
		"result=\"error\"", NULL),
	    (int64_t)problems);
}

static void
show_problems(void *arg, struct json_out *json)
{
	const struct daemon *d = arg;
	const char *leader = d->leader != NULL ? leader_holder(d->leader) : "";
	int64_t silent = api_silent_ms(d->client);
	struct err err = { "" };

	json_pair(json, "leader", *leader != '\0' ? leader : NULL);
	json_open_member(json, "problems", '[');
	if (silent >= SILENT_MS)
		put_problem(json, time(NULL) - silent / 1000,
		    "See whether kube-apiserver runs, and can be reached "
		    "from where this process runs.",
		    "The API server does not answer: no pod is bound.");
	else if (check_caches(arg, &err) != 0)
		put_problem(json, 0,
		    "Pods wait until they are current: see the daemon's log, "
		    "and its permissions.",
		    "%s", err.text);
	if (d->leader != NULL && d->standing && !may_write(arg))
		put_leadership(d, json, leader);
	if (d->refused_why != NULL)
		put_problem(json, d->refused,
		    "Mend it: predicatectl check names each problem with its "
		    "line. It is read again as soon as it changes.",
		    "The policy is refused, and the last valid one applies: %s",
		    d->refused_why);
	else if (check_policy(arg, &err) != 0)
		put_problem(json, 0, "See the daemon's log.", "%s", err.text);
	if (may_write(arg))
		put_untried(d, json);
	json_close(json, ']');
	put_totals(d, json);
}

static int
release(void *arg)
{
	const struct daemon *d = arg;

	return d->caches != NULL ? d->cluster->kubernetes_minor : 0;
}

static void
show_policy(void *arg, struct text *out)
{
	const struct daemon *d = arg;

	policy_source_show(d->policy_source, out);
}

/* ---- signals and timers ---- */

static void
on_released(void *arg)
{
	struct daemon *d = arg;

	end(d, d->again ? DAEMON_AGAIN : EXIT_SUCCESS);
}

/* Events and statuses are still on their way; then the lock is given up. */
static void
on_flush(evutil_socket_t fd, short what, void *arg)
{
	struct daemon *d = arg;
	size_t left =
	    api_queued(d->client, API_REST) + api_running(d->client, API_REST);

	if (left > 0 && clock_ms() < d->flush_ms)
		return;
	event_del(d->flush);
	if (d->leader != NULL)
		leader_release(d->leader, on_released, d);
	else
		on_released(d);
}

static void
on_scheduler_stopped(void *arg)
{
	struct daemon *d = arg;

	d->flush_ms = clock_ms() + FLUSH_MS;
	timer_start(d->flush, 20);
}

static void
on_terminate(evutil_socket_t fd, short what, void *arg)
{
	struct daemon *d = arg;

	if (d->stopping && !d->again) {
		log_warning("received a second stop signal, exiting "
			    "immediately");
		end(d, 1);
		return;
	}
	log_info("received a stop signal, shutting down");
	notify_stopping(d->notify);
	if (!d->again)
		scheduler_stop(d->scheduler, STOP_MS);
	d->again = false;
	d->stopping = true;
}

static void
on_debug(evutil_socket_t fd, short what, void *arg)
{
	const struct daemon *d = arg;

	dump_to_log(d->cluster, d->scheduler->queue);
}

static void
on_hangup(evutil_socket_t fd, short what, void *arg)
{
	struct daemon *d = arg;
	struct policy_source_options source;
	struct problems problems = { 0 };
	AUTOFREE char *changed = NULL;
	char buf[2048];

	log_info("reloading");
	notify_reloading(d->notify);
	if (daemon_options_reload(d->options, &problems, &changed) == 0) {
		if (changed[0] != '\0')
			log_info("changed: %s", changed);
		log_init(d->options->log_as, (int)d->options->verbosity);
		scheduler_kick(d->scheduler);
	}
	for (size_t i = 0; i < problems.n; i++) {
		problem_text(&problems.at[i], buf, sizeof(buf));
		if (problems.at[i].severity == SEVERITY_ERROR)
			log_error("%s", buf);
		else
			log_warning("%s", buf);
	}
	problems_fini(&problems);
	source = policy_source_options_of(d->options);
	policy_source_reload(d->policy_source, &source);
	d->dry_run_is_new = true;
	follow_dry_run(d);
	endpoints_reload(d->endpoints);
	if (d->standing)
		notify_ready(d->notify);
}

static void
on_stalled(void *arg)
{
	struct daemon *d = arg;

	d->stall_reported = true;
}

static void
refresh_metrics(void *arg)
{
	const struct daemon *d = arg;
	struct recorder_counts counts;

	if (d->recorder != NULL) {
		recorder_count(d->recorder, &counts);
		metrics_set(d->metrics, METRIC_RECORDED, (double)counts.written,
		    "written");
		metrics_set(d->metrics, METRIC_RECORDED, (double)counts.lost,
		    "lost");
		metrics_set(d->metrics, METRIC_RECORD_BYTES,
		    (double)counts.bytes);
		metrics_set(d->metrics, METRIC_RECORD_ERRORS,
		    (double)counts.errors);
	}
	gauges_update(d->metrics, d->scheduler, d->cluster, d->caches,
	    d->events);
}

static void
on_tick(evutil_socket_t fd, short what, void *arg)
{
	struct daemon *d = arg;
	int64_t now_ms = clock_ms(), limit_ms = d->options->decision_timeout_ms;
	int64_t lag_ms =
	    d->tick_ms > 0 && now_ms > d->tick_ms ? now_ms - d->tick_ms : 0;

	/* A late tick shows that the event loop was held up. */
	metrics_observe(d->metrics, METRIC_LAG, (double)lag_ms / 1000);
	if (limit_ms > 0 && lag_ms > limit_ms && !d->stall_reported) {
		log_warning("the event loop was blocked for %.3f s",
		    (double)lag_ms / 1000);
		metrics_inc(d->metrics, METRIC_STALLS);
	}
	d->stall_reported = false;
	d->tick_ms = now_ms + TICK_MS;
	scheduler_tick(d->scheduler);
	if (d->caches != NULL)
		caches_tick(d->caches);
	if (d->recorder != NULL)
		recorder_tick(d->recorder);
}

static void
on_watchdog(evutil_socket_t fd, short what, void *arg)
{
	const struct daemon *d = arg;

	notify_watchdog(d->notify);
}

/* ---- building it ---- */

static void
on_try(void *arg, const char *method, int status, double seconds)
{
	const struct daemon *d = arg;
	const char *url = api_client_config(d->client)->server;
	const char *scheme_end = strstr(url, "://");
	/* "host:port", as client-go labels its requests */
	const char *host = scheme_end != NULL ? scheme_end + 3 : url;
	char code[16] = "<error>";

	if (status != 0)
		snprintf(code, sizeof(code), "%d", status);
	metrics_inc(d->metrics, METRIC_REST_REQUESTS, code, host, method);
	metrics_observe(d->metrics, METRIC_REST_SECONDS, seconds, method, host);
}

/* By level; the log has no place for an argument. */
static struct series *log_lines[3];

static void
on_log(enum log_level level, const char *text)
{
	series_add(log_lines[level], 1);
}

static void
count_log_lines(struct daemon *d)
{
	static const char *const levels[] = {
		[LOG_LEVEL_INFO] = "info",
		[LOG_LEVEL_WARNING] = "warning",
		[LOG_LEVEL_ERROR] = "error",
	};

	for (size_t i = 0; i < LENGTH(levels); i++)
		log_lines[i] =
		    metrics_series(d->metrics, METRIC_LOG_LINES, levels[i]);
	log_listen(on_log);
}

static void
on_libevent_log(int severity, const char *text)
{
	if (severity == EVENT_LOG_ERR)
		log_error("libevent: %s", text);
	else if (severity == EVENT_LOG_WARN)
		log_warning("libevent: %s", text);
}

static struct event *
on_signal(struct daemon *d, int number, event_callback_fn callback)
{
	struct event *event = evsignal_new(d->base, number, callback, d);

	event_add(event, NULL);
	return event;
}

static struct event *
add_timer(struct daemon *d, int64_t ms, event_callback_fn callback)
{
	struct event *event = event_new(d->base, -1, EV_PERSIST, callback, d);

	if (ms > 0)
		timer_start(event, ms);
	return event;
}

static int
open_client(struct daemon *d, struct err *err)
{
	const struct daemon_options *o = d->options;
	AUTOFREE char *risk = NULL;
	struct api_config *config;
	struct api_source source = { .kubeconfig = o->kubeconfig,
		.master = o->master[0] != '\0' ? o->master : NULL };

	if (api_config_load(&source, &config, err) != 0)
		return -1;
	log_info("API server %s, from %s", config->server, config->source);
	risk = api_config_risk(config);
	if (risk != NULL)
		log_warning("%s", risk);
	d->client = api_client_new(d->base, config,
	    &(struct api_options){ .user_agent = "predicated/" PACKAGE_VERSION,
		.qps = o->kube_api_qps,
		.burst = (unsigned)o->kube_api_burst,
		.json_answers = o->json_answers,
		.json_bodies = o->json_bodies,
		.on_try = on_try,
		.may_write = may_write,
		.arg = d });
	return 0;
}

static void
add_timers(struct daemon *d)
{
	d->terminate = on_signal(d, SIGTERM, on_terminate);
	d->interrupt = on_signal(d, SIGINT, on_terminate);
	d->hangup = on_signal(d, SIGHUP, on_hangup);
	d->debug = on_signal(d, SIGUSR2, on_debug);
	d->tick = add_timer(d, TICK_MS, on_tick);
	d->watchdog = add_timer(d, notify_watchdog_ms(d->notify), on_watchdog);
	d->flush = add_timer(d, 0, on_flush);
	d->version = evtimer_new(d->base, on_ask_version, d);
	event_priority_set(d->watchdog, PRIORITY_URGENT);
	event_priority_set(d->terminate, PRIORITY_URGENT);
	event_priority_set(d->interrupt, PRIORITY_URGENT);
}

/* Urgent events run first, and after every LOOK_MS of normal callbacks. */
static struct event_base *
make_base(void)
{
	struct event_config *config = event_config_new();
	struct timeval look = clock_timeval(LOOK_MS);
	struct event_base *base;

	event_config_set_max_dispatch_interval(config, &look, -1,
	    PRIORITY_NORMAL);
	base = event_base_new_with_config(config);
	event_config_free(config);
	event_base_priority_init(base, PRIORITIES);
	return base;
}

static int
open_recorder(struct daemon *d, struct err *err)
{
	const struct daemon_options *o = d->options;

	if (o->record[0] == '\0')
		return 0;
	d->recorder =
	    recorder_new(&(struct recorder_options){ .folder = o->record,
			     .size = (uint64_t)o->record_size << 20,
			     .cluster = d->cluster,
			     .pod_limits = o->pod_limits,
			     .gates = o->policy_options.gates },
		err);
	if (d->recorder == NULL)
		return -1;
	d->cluster->changed = recorder_changed;
	d->cluster->changed_arg = d->recorder;
	return 0;
}

static int
build(struct daemon *d, struct err *err)
{
	static const struct policy_source_ops ops = {
		.on_policy = on_policy,
		.on_refused = on_policy_refused,
		.on_failed = on_no_policy,
		.on_event = on_event,
		.on_node_selector = on_node_selector,
	};
	const struct daemon_options *o = d->options;
	const struct policy_source_options source = policy_source_options_of(o);

	event_set_log_callback(on_libevent_log);
	d->base = make_base();
	d->metrics = metrics_new();
	metrics_add_process(d->metrics);
	count_log_lines(d);
	d->notify = notify_new();
	if (open_client(d, err) != 0)
		return -1;
	d->events = events_new(d->client);
	d->cluster = cluster_new();
	cluster_set_scheduler_names(d->cluster, 1,
	    &(const sym){ sym_intern(o->scheduler_name) });
	if (open_recorder(d, err) != 0)
		return -1;
	d->scheduler =
	    scheduler_new(&(struct scheduler_options){ .base = d->base,
		.client = d->client,
		.cluster = d->cluster,
		.events = d->events,
		.metrics = d->metrics,
		.recorder = d->recorder,
		.daemon = o,
		.may_write = may_write,
		.is_current = is_current,
		.stalled = on_stalled,
		.stopped = on_scheduler_stopped,
		.arg = d });
	metrics_on_write(d->metrics, refresh_metrics, d);
	d->endpoints =
	    endpoints_new(&(struct endpoints_options){ .base = d->base,
			      .options = o,
			      .metrics = d->metrics,
			      .scheduler = d->scheduler,
			      .check_leader = check_leader,
			      .check_caches = check_caches,
			      .check_policy = check_policy,
			      .is_leader = may_write,
			      .release = release,
			      .show_policy = show_policy,
			      .show_problems = show_problems,
			      .failed = on_fatal,
			      .arg = d },
		err);
	if (d->endpoints == NULL)
		return -1;
	add_timers(d);
	d->policy_source =
	    policy_source_new(d->base, d->client, &source, &ops, d);
	follow_dry_run(d);
	watch_lock(d);
	return 0;
}

struct daemon *
daemon_new(struct daemon_options *options, struct err *err)
{
	struct daemon *d = xcalloc(1, sizeof(*d));

	d->options = options;
	log_init(options->log_as, (int)options->verbosity);
	log_info("predicated " PACKAGE_VERSION);
	if (build(d, err) != 0) {
		daemon_free(d);
		return NULL;
	}
	notify_status(d->notify, "waiting for the API server");
	if (options->kubernetes_minor != 0)
		fill_caches(d, options->kubernetes_minor);
	else
		event_active(d->version, EV_TIMEOUT, 0);
	return d;
}

int
daemon_run(struct daemon *d)
{
	event_base_dispatch(d->base);
	return d->status;
}

static void
free_event(struct event *event)
{
	if (event != NULL)
		event_free(event);
}

void
daemon_free(struct daemon *d)
{
	if (d == NULL)
		return;
	leader_free(d->leader);
	caches_free(d->caches);
	api_cancel(d->version_call);
	policy_source_free(d->dry_run);
	policy_source_free(d->policy_source);
	free_event(d->version);
	free_event(d->flush);
	free_event(d->watchdog);
	free_event(d->tick);
	free_event(d->debug);
	free_event(d->hangup);
	free_event(d->interrupt);
	free_event(d->terminate);
	endpoints_free(d->endpoints);
	scheduler_free(d->scheduler);
	if (d->cluster != NULL)
		d->cluster->changed = NULL;
	recorder_free(d->recorder);
	if (d->cluster != NULL)
		cluster_free(d->cluster);
	events_free(d->events);
	api_client_free(d->client);
	notify_free(d->notify);
	log_listen(NULL);
	metrics_free(d->metrics);
	if (d->base != NULL)
		event_base_free(d->base);
	free(d->lost_why);
	free(d->refused_why);
	free(d);
}

/* ---- --check ---- */

static int
print_problem(const char *kind, const char *text)
{
	fputs(kind, stderr);
	text_print_line(stderr, text);
	return -1;
}

static int
check_a_policy(const struct policy_source_options *source)
{
	struct problems problems = { 0 };
	struct err err = { "" };
	struct profiles *profiles =
	    policy_source_check(source, &problems, &err);
	int result = 0;

	daemon_options_print_problems(&problems, stderr);
	problems_fini(&problems);
	if (profiles == NULL && err.text[0] != '\0')
		result = print_problem("", err.text);
	profiles_free(profiles);
	return result;
}

/* A kubeconfig that is not named may be in another place where this runs. */
static int
check_kubeconfig(const char *path, const char *master)
{
	struct api_source source = { .kubeconfig = path, .master = master };
	AUTOFREE char *risk = NULL;
	struct api_config *config;
	struct err err;
	int result = 0;

	if (path[0] == '\0')
		return 0;
	if (api_config_load(&source, &config, &err) != 0)
		return print_problem("", err.text);
	risk = api_config_risk(config);
	if (risk != NULL)
		print_problem("warning: ", risk);
	if (credentials_validate(config, &err) != 0)
		result = print_problem("", err.text);
	api_config_free(config);
	return result;
}

int
daemon_check(const struct daemon_options *options)
{
	struct policy_source_options source = policy_source_options_of(options);
	struct policy_source_options dry_run = dry_run_options_of(options);
	struct err err;
	int bad = check_a_policy(&source);

	if (dry_run.file[0] != '\0')
		bad |= check_a_policy(&dry_run);
	bad |= check_kubeconfig(options->kubeconfig, options->master);
	bad |= check_kubeconfig(options->authentication_kubeconfig, NULL);
	bad |= check_kubeconfig(options->authorization_kubeconfig, NULL);
	if (endpoints_check(options, &err) != 0)
		bad |= print_problem("", err.text);
	if (options->record[0] != '\0' &&
	    writer_check_folder(options->record, &err) != 0)
		bad |= print_problem("", err.text);
	if (bad == 0)
		printf("options and policy are valid\n");
	return bad == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
