#include "config.h"

#include "scheduler/trace.h"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>

#include "api/client.h"
#include "api/kubeconfig.h"
#include "base/clock.h"
#include "base/hash.h"
#include "base/json_out.h"
#include "base/log.h"
#include "base/text.h"
#include "cluster/cluster.h"
#include "framework/stopwatch.h"
#include "metrics/metrics.h"
#include "model/pod.h"
#include "scheduler/binder.h"
#include "scheduler/plugins.h"
#include "scheduler/scheduler.h"
#include "sched/decision.h"

#define BATCH ((size_t)1 << 20) /* bytes; more do not wait for the timer */
#define WAITING_MAX (8 * BATCH) /* of spans of a thousand attempts and more */
#define TIMEOUT_MS 10000
#define NANOSECONDS 1000000000
/* Less is not the clock being set, but our being interrupted between two looks. */
#define STEP (NANOSECONDS / 10)
#define KIND_INTERNAL 1
#define STATUS_ERROR 2

#define ATTEMPT "scheduleOne"
#define CYCLE "schedulingCycle"
#define BINDING "bindingCycle"

struct tracer {
	struct metrics *metrics;
	struct api_client *client;
	uint64_t per_million;
	/* From clock_seconds() to 1970, in ns; the same for all spans of an attempt,
	 * or they would not lie within each other. */
	int64_t since_1970;
	struct text spans; /* "{…},{…}" */
	size_t nspans, nsent;
	struct api_call *call;
	bool failing;
	char id[TRACE_ID_SIZE];
};

/* What the spans of an attempt have in common. */
struct trace {
	struct tracer *tracer;
	const struct pod *pod;
	uint32_t attempt;
	const char *id;
	const char *node, *error; /* NULL: none */
};

static int64_t
now_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (int64_t)now.tv_sec * NANOSECONDS + now.tv_nsec;
}

static void
set_clock(struct tracer *tracer)
{
	int64_t now = now_ns(CLOCK_REALTIME) - now_ns(CLOCK_MONOTONIC);

	if (llabs(now - tracer->since_1970) > STEP)
		tracer->since_1970 = now;
}

struct tracer *
tracer_new(struct event_base *base, struct metrics *metrics,
    const char *endpoint, int64_t per_million)
{
	struct tracer *tracer;
	struct api_config *config;

	if (endpoint[0] == '\0')
		return NULL;
	tracer = xcalloc(1, sizeof(*tracer));
	config = xcalloc(1, sizeof(*config));
	config->source = "--tracing-endpoint";
	config->namespace = "default";
	config->server =
	    arena_strndup(&config->arena, endpoint, strlen(endpoint));
	*tracer = (struct tracer){ .metrics = metrics,
		.per_million = (uint64_t)per_million,
		.client = api_client_new(base, config,
		    &(struct api_options){ .user_agent =
					       "predicated/" PACKAGE_VERSION,
			.timeout_ms = TIMEOUT_MS,
			.connect_ms = TIMEOUT_MS }) };
	set_clock(tracer);
	return tracer;
}

void
tracer_free(struct tracer *tracer)
{
	if (tracer == NULL)
		return;
	api_cancel(tracer->call);
	api_client_free(tracer->client);
	text_fini(&tracer->spans);
	free(tracer);
}

/* ---- ids ---- */

static uint64_t
hash_of(const struct pod *pod, uint32_t attempt, const char *name)
{
	return hash_mix(hash_stable(pod->object.uid, strlen(pod->object.uid)) ^
	    hash_mix(attempt) ^ hash_stable(name, strlen(name)));
}

const char *
tracer_id(struct tracer *tracer, const struct pod *pod, uint32_t attempt)
{
	uint64_t hash;

	if (tracer == NULL)
		return NULL;
	hash = hash_of(pod, attempt, "");
	if (hash % 1000000 >= tracer->per_million)
		return NULL;
	snprintf(tracer->id, sizeof(tracer->id), "%016" PRIx64 "%016" PRIx64,
	    hash_of(pod, attempt, "trace") | 1, hash);
	return tracer->id;
}

/* ---- spans ---- */

/* Nanoseconds since 1970 of a time of clock_seconds(). */
static void
put_time(const struct tracer *tracer, struct json_out *json, const char *key,
    double seconds)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRId64,
	    tracer->since_1970 + (int64_t)(seconds * NANOSECONDS));
	json_pair(json, key, text);
}

static void
put_attribute(struct json_out *json, const char *key, const char *value)
{
	if (value == NULL)
		return;
	json_open(json, '{');
	json_pair(json, "key", key);
	json_open_member(json, "value", '{');
	json_pair(json, "stringValue", value);
	json_close(json, '}');
	json_close(json, '}');
}

static void
put_id(struct json_out *json, const char *key, const struct trace *trace,
    const char *name)
{
	char id[17];

	snprintf(id, sizeof(id), "%016" PRIx64,
	    hash_of(trace->pod, trace->attempt, name) | 1);
	json_pair(json, key, id);
}

/* parent: the name of the span that it is in; "": none.  Names are unique within an
 * attempt. */
static void
put_span(const struct trace *trace, const char *parent, const char *name,
    double begin, double end)
{
	struct tracer *tracer = trace->tracer;
	struct json_out json = JSON_OUT_INIT(&tracer->spans);
	char attempt[12];

	if (tracer->spans.len > BATCH)
		tracer_flush(tracer);
	if (tracer->spans.len > WAITING_MAX) {
		metrics_inc(tracer->metrics, METRIC_TRACE_SPANS, "lost");
		return;
	}
	if (tracer->nspans++ > 0)
		text_put(&tracer->spans, ",");
	json_open(&json, '{');
	json_pair(&json, "traceId", trace->id);
	put_id(&json, "spanId", trace, name);
	if (parent[0] != '\0')
		put_id(&json, "parentSpanId", trace, parent);
	json_pair(&json, "name", name);
	json_pair_int(&json, "kind", KIND_INTERNAL);
	put_time(tracer, &json, "startTimeUnixNano", begin);
	put_time(tracer, &json, "endTimeUnixNano", end);
	json_open_member(&json, "attributes", '[');
	if (parent[0] == '\0') {
		snprintf(attempt, sizeof(attempt), "%" PRIu32, trace->attempt);
		put_attribute(&json, "k8s.namespace.name",
		    sym_text(trace->pod->object.namespace));
		put_attribute(&json, "k8s.pod.name", trace->pod->object.name);
		put_attribute(&json, "k8s.pod.uid", trace->pod->object.uid);
		put_attribute(&json, "k8s.node.name", trace->node);
		put_attribute(&json, "attempt", attempt);
	}
	json_close(&json, ']');
	if (trace->error != NULL && parent[0] == '\0') {
		json_open_member(&json, "status", '{');
		json_pair_int(&json, "code", STATUS_ERROR);
		json_pair(&json, "message", trace->error);
		json_close(&json, '}');
	}
	json_close(&json, '}');
}

/* One behind the other. */
static void
put_plugins(const struct trace *trace, const struct attempt *a,
    const struct stopwatch *watch)
{
	double begin = a->begun;

	for (size_t i = 0; watch != NULL && i < watch->n; i++) {
		const struct timed_unit *timed = &watch->units[i];
		const char *plugin = plugin_of_unit(a->serving->profile, timed);
		AUTOFREE char *name = NULL;

		if (plugin == NULL)
			continue;
		name = xasprintf("%s/%s", extension_point_titles[timed->point],
		    plugin);
		put_span(trace, CYCLE, name, begin, begin + timed->seconds);
		begin += timed->seconds;
	}
}

void
tracer_decided(struct tracer *tracer, const struct attempt *a,
    const struct stopwatch *watch, const char *message)
{
	const struct decision *d = a->decision;
	struct trace trace = { .tracer = tracer,
		.pod = a->pod,
		.attempt = a->queued.number,
		.error = d->chosen == NULL ? message : NULL };
	double now;

	trace.id = tracer_id(tracer, a->pod, trace.attempt);
	if (trace.id == NULL)
		return;
	now = clock_seconds();
	put_span(&trace, ATTEMPT, CYCLE, a->begun, now);
	put_span(&trace, CYCLE, "RunFilterPlugins", a->begun, a->filtered);
	if (d->nfeasible > 1)
		put_span(&trace, CYCLE, "RunScorePlugins", a->filtered,
		    a->ended);
	put_plugins(&trace, a, watch);
	if (d->chosen != NULL)
		return;
	if (d->error == NULL)
		put_span(&trace, CYCLE, "RunPostFilterPlugins", a->ended, now);
	put_span(&trace, "", ATTEMPT, a->begun, now);
}

void
tracer_bound(struct tracer *tracer, const struct placement *at,
    const char *error)
{
	struct trace trace = { .tracer = tracer,
		.pod = at->pod,
		.attempt = at->attempt,
		.node = sym_text(at->node),
		.error = error };
	double now, sent;

	trace.id = tracer_id(tracer, at->pod, at->attempt);
	if (trace.id == NULL)
		return;
	now = clock_seconds();
	sent = at->sent_ms > 0 ? (double)at->sent_ms / 1000 : now;
	if (sent < at->decided)
		sent = at->decided; /* it is in whole milliseconds */
	put_span(&trace, ATTEMPT, BINDING, at->decided, now);
	put_span(&trace, BINDING, "RunPreBindPlugins", at->decided, sent);
	if (at->sent_ms > 0)
		put_span(&trace, BINDING, "RunBindPlugins", sent, now);
	put_span(&trace, "", ATTEMPT, at->begun, now);
}

/* ---- sending ---- */

static void
on_done(void *arg, const struct api_response *response)
{
	struct tracer *tracer = arg;
	bool failed = response->status < 200 || response->status > 299;
	struct err err;

	tracer->call = NULL;
	metrics_add(tracer->metrics, METRIC_TRACE_SPANS, (double)tracer->nsent,
	    failed ? "lost" : "sent");
	if (failed && !tracer->failing) {
		api_explain(response, &err);
		log_warning("the collector does not take traces: %s", err.text);
	}
	tracer->failing = failed;
}

void
tracer_flush(struct tracer *tracer)
{
	struct text body = { 0 };

	if (tracer == NULL || tracer->call != NULL || tracer->nspans == 0)
		return;
	set_clock(tracer);
	json_put(&body,
	    "{'resourceSpans':[{'resource':{'attributes':["
	    "{'key':'service.name','value':{'stringValue':'predicated'}},"
	    "{'key':'service.version','value':{'stringValue':%s}}]},"
	    "'scopeSpans':[{'scope':{'name':'predicated'},'spans':[",
	    PACKAGE_VERSION);
	text_append(&body, tracer->spans.bytes, tracer->spans.len);
	text_put(&body, "]}]}]}");
	tracer->nsent = tracer->nspans;
	tracer->nspans = 0;
	text_drop(&tracer->spans, tracer->spans.len);
	tracer->call = api_send(tracer->client,
	    &(struct api_request){ .lane = API_REST,
		.method = "POST",
		.path = "/v1/traces",
		.body = body.bytes,
		.body_len = body.len,
		.any_type = true,
		.on_done = on_done,
		.arg = tracer });
	text_fini(&body);
}
