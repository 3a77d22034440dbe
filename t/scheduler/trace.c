/* Spans of attempts, as a collector gets them. */
#include "config.h"

#include <event2/event.h>
#include <stdlib.h>
#include <string.h>

#include "api/client.h"
#include "api/kubeconfig.h"
#include "base/clock.h"
#include "base/doc.h"
#include "base/err.h"
#include "base/text.h"
#include "base/xmalloc.h"
#include "framework/profile.h"
#include "framework/stopwatch.h"
#include "metrics/metrics.h"
#include "sched/decision.h"
#include "scheduler/binder.h"
#include "scheduler/scheduler.h"
#include "scheduler/trace.h"
#include "t/lib/patch_server.h"
#include "t/lib/profile.h"
#include "t/lib/t.h"
#include "t/lib/world.h"

struct stage {
	struct patch_server *server;
	struct metrics *metrics;
	struct tracer *tracer;
	struct profile *profile;
	struct serving serving;
	struct world *world;
	struct attempt attempt;
	struct decision decision;
};

static void
begin(struct stage *s, int64_t per_million)
{
	*s = (struct stage){ .server = patch_server_new(),
		.metrics = metrics_new(),
		.profile =
		    t_profile(T_POLICY(",\"predicates\":[{\"name\":"
				       "\"HostName\"}],\"priorities\":[]"),
			NULL),
		.world = world_new(W_NODE("n1", "", "")) };
	s->tracer = tracer_new(patch_server_base(s->server), s->metrics,
	    api_client_config(patch_server_client(s->server))->server,
	    per_million);
	s->serving.profile = s->profile;
	s->attempt = (struct attempt){ .serving = &s->serving,
		.decision = &s->decision,
		.begun = clock_seconds() - 0.003,
		.filtered = clock_seconds() - 0.002,
		.ended = clock_seconds() - 0.001 };
	s->attempt.queued.number = 1;
	world_pod(s->world,
	    "--- {kind: Pod, metadata: {namespace: default, name: p, uid: u}}");
	s->attempt.pod = s->world->pod;
}

static void
end(struct stage *s)
{
	tracer_free(s->tracer);
	metrics_free(s->metrics);
	profile_free(s->profile);
	world_free(s->world);
	patch_server_free(s->server);
}

/* Whether the metric of these is so. */
static bool
counts(const struct stage *s, const char *line)
{
	struct text text = { 0 };
	bool found;

	metrics_write(s->metrics, &text);
	found = text.bytes != NULL && strstr(text.bytes, line) != NULL;
	text_fini(&text);
	return found;
}

static void
flush(struct stage *s)
{
	tracer_flush(s->tracer);
	while (!counts(s, "predicated_trace_spans_total"))
		event_base_loop(patch_server_base(s->server), EVLOOP_ONCE);
}

static const char *
text_of(const struct doc_node *span, const char *name)
{
	const char *value = "";

	doc_get_string(span, name, name, &value, NULL);
	return value;
}

/* "parent/name " of each span in turn; checks what all have. */
static char *
tree(const struct doc_node *spans)
{
	struct text out = { 0 };
	const char *trace = text_of(spans->first, "traceId");

	for (const struct doc_node *span = spans->first; span != NULL;
	     span = span->next) {
		const char *parent = text_of(span, "parentSpanId"), *of = "";

		t_true("one trace",
		    strcmp(text_of(span, "traceId"), trace) == 0 &&
			strlen(trace) == 32);
		t_int("an id", (long)strlen(text_of(span, "spanId")), 16);
		t_true("it ends after it began",
		    strcmp(text_of(span, "startTimeUnixNano"),
			text_of(span, "endTimeUnixNano")) <= 0);
		for (const struct doc_node *other = spans->first; other != NULL;
		     other = other->next)
			if (strcmp(text_of(other, "spanId"), parent) == 0)
				of = text_of(other, "name");
		text_printf(&out, "%s/%s ", of, text_of(span, "name"));
	}
	return text_take(&out);
}

static void
is_sent(struct stage *s, const char *expected)
{
	const char *request, *body;
	struct err err = { "" };
	struct doc *doc;
	const struct doc_node *node;
	AUTOFREE char *spans = NULL;

	flush(s);
	request = patch_server_requests(s->server);
	t_true("it goes to the collector",
	    strncmp(request, "POST /v1/traces application/json ", 33) == 0);
	body = strchr(request, '{');
	doc = doc_parse("spans", body, strlen(body), &doc_limits_people, &err);
	t_str("it is JSON", err.text, "");
	node = doc_get(doc_root(doc), "resourceSpans")->first;
	node = doc_get(node, "scopeSpans")->first;
	spans = tree(doc_get(node, "spans"));
	t_str("its spans", spans, expected);
	doc_free(doc);
}

static const void *
unit_of(const struct profile *profile, const char *predicate)
{
	size_t i = 0;

	while (strcmp(profile->predicates[i].name, predicate) != 0)
		i++;
	return profile->predicates[i].unit;
}

static void
a_pod_without_a_node(void)
{
	struct stopwatch watch = { .n = 1 };
	struct stage s;

	begin(&s, 1000000);
	watch.units[0] = (struct timed_unit){ .point = POINT_FILTER,
		.unit = unit_of(s.profile, "HostName"),
		.seconds = 0.0001 };
	tracer_decided(s.tracer, &s.attempt, &watch, "0/1 nodes: \"no\"");
	is_sent(&s,
	    "scheduleOne/schedulingCycle schedulingCycle/RunFilterPlugins "
	    "schedulingCycle/Filter/HostName "
	    "schedulingCycle/RunPostFilterPlugins /scheduleOne ");
	t_true("why, in its attempt alone",
	    strstr(patch_server_requests(s.server),
		"\"status\":{\"code\":2,\"message\":\"0/1 nodes: "
		"\\\"no\\\"\"}") != NULL);
	t_true("all five are counted",
	    counts(&s, "predicated_trace_spans_total{result=\"sent\"} 5"));
	end(&s);
}

static void
a_pod_that_is_bound(void)
{
	struct stage s;

	begin(&s, 1000000);
	s.decision.chosen = s.world->cluster->nodes[0];
	s.decision.nfeasible = 2;
	tracer_decided(s.tracer, &s.attempt, NULL, "");
	tracer_bound(s.tracer,
	    &(struct placement){ .pod = s.attempt.pod,
		.attempt = 1,
		.node = sym_find("n1"),
		.begun = s.attempt.begun,
		.decided = s.attempt.ended,
		.sent_ms = clock_ms() },
	    NULL);
	is_sent(&s,
	    "scheduleOne/schedulingCycle schedulingCycle/RunFilterPlugins "
	    "schedulingCycle/RunScorePlugins scheduleOne/bindingCycle "
	    "bindingCycle/RunPreBindPlugins bindingCycle/RunBindPlugins "
	    "/scheduleOne ");
	end(&s);
}

static void
the_collector_does_not_take_them(void)
{
	struct stage s;

	begin(&s, 1000000);
	patch_server_expect(s.server, 503);
	for (int i = 0; i < 12000; i++)
		tracer_decided(s.tracer, &s.attempt, NULL, "no");
	t_true("of those that wait there is an end",
	    counts(&s, "predicated_trace_spans_total{result=\"lost\"}"));
	while (!counts(&s,
	    "predicated_trace_spans_total{result=\"lost\"} 48000")) {
		tracer_flush(s.tracer);
		event_base_loop(patch_server_base(s.server), EVLOOP_ONCE);
	}
	end(&s);
}

static void
only_a_part_is_traced(void)
{
	unsigned wanted = 0;
	struct stage s;

	begin(&s, 10000);
	for (uint32_t i = 0; i < 100000; i++)
		wanted += tracer_id(s.tracer, s.attempt.pod, i) != NULL;
	t_true("one in a hundred", wanted > 800 && wanted < 1200);
	t_true("none without a collector",
	    tracer_new(patch_server_base(s.server), s.metrics, "", 1000000) ==
		NULL);
	end(&s);
}

T_MAIN(T(a_pod_without_a_node), T(a_pod_that_is_bound),
    T(the_collector_does_not_take_them), T(only_a_part_is_traced))
