/* The metrics' text, in the format that Prometheus reads. */
#include "config.h"

#include "wire/metrics/metrics.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/json_out.h"
#include "base/map.h"
#include "base/xmalloc.h"
#include "wire/metrics/measure.h"
#include "t/lib/t.h"

/* You own it. */
static char *
written(const struct metrics *metrics)
{
	struct text text = { 0 };

	metrics_write(metrics, false, &text);
	return text_take(&text);
}

/* The value behind a series, as text; "none" when it is not there.  Valid until
 * the next call. */
static const char *
value_of(const struct metrics *metrics, const char *series)
{
	static char value[64];
	AUTOFREE char *text = written(metrics);
	AUTOFREE char *line = xasprintf("\n%s ", series);
	const char *at = strstr(text, line);

	if (at == NULL)
		return "none";
	at += strlen(line);
	snprintf(value, sizeof(value), "%.*s", (int)strcspn(at, "\n"), at);
	return value;
}

static void
counters_and_gauges(void)
{
	struct metrics *m = metrics_new();
	const char *scheduled =
	    "scheduler_schedule_attempts_total{"
	    "result=\"scheduled\",profile=\"default-scheduler\"}";

	t_str("a metric without labels starts at 0",
	    value_of(m, "scheduler_preemption_attempts_total"), "0");
	t_str("one with labels is not there before it is used",
	    value_of(m, scheduled), "none");
	metrics_inc(m, METRIC_SCHEDULE_ATTEMPTS, "scheduled",
	    "default-scheduler");
	metrics_add(m, METRIC_SCHEDULE_ATTEMPTS, 2, "scheduled",
	    "default-scheduler");
	metrics_inc(m, METRIC_SCHEDULE_ATTEMPTS, "error", "default-scheduler");
	t_str("the same labels are the same series", value_of(m, scheduled),
	    "3");
	t_true("and are found as the same",
	    metrics_series(m, METRIC_SCHEDULE_ATTEMPTS, "scheduled",
		"default-scheduler") ==
		metrics_series(m, METRIC_SCHEDULE_ATTEMPTS, "scheduled",
		    "default-scheduler"));
	metrics_set(m, METRIC_PENDING_PODS, 7, "active");
	metrics_add(m, METRIC_PENDING_PODS, -3, "active");
	t_str("a gauge goes down, too",
	    value_of(m, "scheduler_pending_pods{queue=\"active\"}"), "4");
	metrics_free(m);
}

static void
count_up(void *metrics)
{
	static int n = 42;

	metrics_set(metrics, METRIC_QUEUE_INCOMING, n++, "active", "PodAdd");
}

static void
values_are_refreshed_when_written(void)
{
	struct metrics *m = metrics_new();

	metrics_on_write(m, count_up, m);
	t_str("at first",
	    value_of(m,
		"scheduler_queue_incoming_pods_total{"
		"queue=\"active\",event=\"PodAdd\"}"),
	    "42");
	t_str("and again",
	    value_of(m,
		"scheduler_queue_incoming_pods_total{"
		"queue=\"active\",event=\"PodAdd\"}"),
	    "43");
	metrics_free(m);
}

static void
numbers(void)
{
	static const struct {
		const char *name;
		double value;
		const char *want;
	} rows[] = {
		{ "whole", 12345678, "12345678" },
		{ "below zero", -1, "-1" },
		{ "a fraction", 0.1, "0.1" },
		{ "one that needs all digits", 0.1 + 0.2,
		    "0.30000000000000004" },
		{ "a time since 1970", 1700000000.25, "1700000000.25" },
		{ "a small one", 0.00001, "1e-05" },
		{ "a big one", 1e300, "1e+300" },
		{ "none", __builtin_nan(""), "NaN" },
		{ "infinite", __builtin_inf(), "+Inf" },
		{ "infinitely small", -__builtin_inf(), "-Inf" },
	};
	struct metrics *m = metrics_new();

	for (size_t i = 0; i < LENGTH(rows); i++) {
		metrics_set(m, METRIC_MEMO_BYTES, rows[i].value);
		t_str(rows[i].name, value_of(m, "predicated_memo_bytes"),
		    rows[i].want);
	}
	metrics_free(m);
}

static void
labels_are_escaped(void)
{
	static const struct {
		const char *name, *value, *want;
	} rows[] = {
		{ "nothing to escape", "a b{}=,'", "a b{}=,'" },
		{ "empty", "", "" },
		{ "a quote", "say \"x\"", "say \\\"x\\\"" },
		{ "a backslash", "a\\b", "a\\\\b" },
		{ "a line break", "a\nb", "a\\nb" },
		{ "UTF-8 stays", "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80",
		    "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80" },
		{ "a byte that is no UTF-8",
		    "a\xff"
		    "b",
		    "a\xef\xbf\xbd"
		    "b" },
		{ "a character that is cut off", "a\xe2\x82",
		    "a\xef\xbf\xbd\xef\xbf\xbd" },
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct metrics *m = metrics_new();
		AUTOFREE char *want =
		    xasprintf("leader_election_master_status{name=\"%s\"}",
			rows[i].want);

		metrics_set(m, METRIC_LEADER, 1, rows[i].value);
		t_str(rows[i].name, value_of(m, want), "1");
		metrics_free(m);
	}
}

static void
histograms_count_up_to_their_limits(void)
{
	static const struct {
		const char *series, *want;
	} rows[] = {
		{ "scheduler_pod_scheduling_attempts_bucket{le=\"1\"}", "2" },
		{ "scheduler_pod_scheduling_attempts_bucket{le=\"2\"}", "3" },
		{ "scheduler_pod_scheduling_attempts_bucket{le=\"4\"}", "4" },
		{ "scheduler_pod_scheduling_attempts_bucket{le=\"8\"}", "4" },
		{ "scheduler_pod_scheduling_attempts_bucket{le=\"16\"}", "5" },
		{ "scheduler_pod_scheduling_attempts_bucket{le=\"+Inf\"}",
		    "6" },
		{ "scheduler_pod_scheduling_attempts_sum", "37.5" },
		{ "scheduler_pod_scheduling_attempts_count", "6" },
	};
	static const double values[] = { 0.5, 1, 1.5, 2.5, 15, 17 };
	struct metrics *m = metrics_new();

	for (size_t i = 0; i < LENGTH(values); i++)
		metrics_observe(m, METRIC_POD_ATTEMPTS, values[i]);
	for (size_t i = 0; i < LENGTH(rows); i++)
		t_str(rows[i].series, value_of(m, rows[i].series),
		    rows[i].want);
	metrics_observe(m, METRIC_POD_ATTEMPTS, __builtin_nan(""));
	t_str("what is no number does not count",
	    value_of(m, "scheduler_pod_scheduling_attempts_count"), "6");
	metrics_free(m);
}

/* Dashboards ask for them by their text. */
static void
limits_are_kube_schedulers(void)
{
	static const struct {
		const char *first, *last;
	} rows[] = {
		{ "scheduler_e2e_scheduling_duration_seconds_bucket{"
		  "result=\"r\",profile=\"p\",le=\"0.001\"}",
		    "scheduler_e2e_scheduling_duration_seconds_bucket{"
		    "result=\"r\",profile=\"p\",le=\"16.384\"}" },
		{ "scheduler_binding_duration_seconds_bucket{le=\"0.002\"}",
		    "scheduler_binding_duration_seconds_bucket{"
		    "le=\"0.128\"}" },
		{ "scheduler_pod_scheduling_duration_seconds_bucket{"
		  "attempts=\"1\",le=\"0.01\"}",
		    "scheduler_pod_scheduling_duration_seconds_bucket{"
		    "attempts=\"1\",le=\"5242.88\"}" },
		{ "scheduler_framework_extension_point_duration_seconds_bucket{"
		  "extension_point=\"Filter\",status=\"Success\","
		  "profile=\"p\",le=\"0.0001\"}",
		    "scheduler_framework_extension_point_duration_seconds_"
		    "bucket{extension_point=\"Filter\",status=\"Success\","
		    "profile=\"p\",le=\"0.2048\"}" },
		{ "scheduler_preemption_victims_bucket{le=\"1\"}",
		    "scheduler_preemption_victims_bucket{le=\"64\"}" },
		{ "rest_client_request_duration_seconds_bucket{"
		  "verb=\"GET\",url=\"u\",le=\"0.001\"}",
		    "rest_client_request_duration_seconds_bucket{"
		    "verb=\"GET\",url=\"u\",le=\"0.512\"}" },
	};
	struct metrics *m = metrics_new();

	metrics_observe(m, METRIC_E2E_SECONDS, 20, "r", "p");
	metrics_observe(m, METRIC_POD_SECONDS, 1e6, "1");
	metrics_observe(m, METRIC_EXTENSION_POINT_SECONDS, 1, "Filter",
	    "Success", "p");
	metrics_observe(m, METRIC_REST_SECONDS, 1, "GET", "u");
	for (size_t i = 0; i < LENGTH(rows); i++) {
		t_str(rows[i].first, value_of(m, rows[i].first), "0");
		t_str(rows[i].last, value_of(m, rows[i].last), "0");
	}
	t_str("attempts are counted one by one", metrics_attempts_label(14),
	    "14");
	t_str("up to 14", metrics_attempts_label(15), "15+");
	t_str("and no further", metrics_attempts_label(1000), "15+");
	metrics_free(m);
}

/* Those that kube-scheduler 1.36 calls STABLE or BETA, in one list: all are here,
 * with its labels. */
static void
stable_metrics_are_kube_schedulers(void)
{
	static const struct {
		const char *name, *labels;
	} rows[] = {
		{ "schedule_attempts_total", "result profile" },
		{ "scheduling_attempt_duration_seconds", "result profile" },
		{ "preemption_victims", "" },
		{ "preemption_attempts_total", "" },
		{ "pending_pods", "queue" },
		{ "goroutines", "operation" },
		{ "pod_scheduling_sli_duration_seconds", "attempts" },
		{ "pod_scheduling_attempts", "" },
		{ "framework_extension_point_duration_seconds",
		    "extension_point status profile" },
		{ "queue_incoming_pods_total", "queue event" },
		{ "permit_wait_duration_seconds", "result" },
		{ "unschedulable_pods", "plugin profile" },
		{ "plugin_evaluation_total", "plugin extension_point profile" },
	};
	static const struct {
		const char *name, *labels;
	} table[] = {
#define METRIC(id, type, name, labels, buckets, help) { name, labels },
#include "wire/metrics/metrics_table.h"
#undef METRIC
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		const char *labels = "none";

		for (size_t k = 0; k < LENGTH(table); k++)
			if (strncmp(table[k].name, "scheduler_", 10) == 0 &&
			    strcmp(table[k].name + 10, rows[i].name) == 0)
				labels = table[k].labels;
		t_str(rows[i].name, labels, rows[i].labels);
	}
}

/*
 * A reader of the format, strict where Prometheus is.
 */

static size_t
name_len(const char *s)
{
	size_t len = 0;

	while (isalpha((unsigned char)s[len]) || s[len] == '_' ||
	    s[len] == ':' || (len > 0 && isdigit((unsigned char)s[len])))
		len++;
	return len;
}

/* Behind "{…}"; NULL: it is not well formed. */
static const char *
pass_labels(const char *s)
{
	if (*s != '{')
		return s;
	do {
		size_t len = name_len(++s);

		if (len == 0 || strncmp(s + len, "=\"", 2) != 0)
			return NULL;
		for (s += len + 2; *s != '"'; s++) {
			if (*s == '\0' || *s == '\n')
				return NULL;
			if (*s == '\\' && strchr("\\\"n", *++s) == NULL)
				return NULL;
		}
		s++;
	} while (*s == ',');
	return *s == '}' ? s + 1 : NULL;
}

/* A sample belongs to the family that TYPE opened last. */
static bool
is_sample_of(const char *line, const char *family, bool histogram)
{
	static const char *const suffixes[] = { "_bucket", "_sum", "_count" };
	size_t len = strlen(family), n = name_len(line);

	if (strncmp(line, family, len) != 0)
		return false;
	if (!histogram)
		return n == len;
	for (size_t i = 0; i < LENGTH(suffixes); i++)
		if (n == len + strlen(suffixes[i]) &&
		    strncmp(line + len, suffixes[i], n - len) == 0)
			return true;
	return false;
}

static bool
is_number(const char *s)
{
	char *end;

	strtod(s, &end);
	return end != s && *end == '\0';
}

/* The number of samples, or -1 with the line in bad. */
static int
read_all(char *text, struct strmap *seen, const char **bad)
{
	char family[256] = "", type[32] = "", help[256] = "";
	const char *rest;
	int samples = 0;

	for (char *line = strtok(text, "\n"); line != NULL;
	     line = strtok(NULL, "\n")) {
		*bad = line;
		if (strncmp(line, "# HELP ", 7) == 0) {
			if (sscanf(line, "# HELP %255s %*c", help) != 1)
				return -1;
			continue;
		}
		if (line[0] == '#') {
			if (sscanf(line, "# TYPE %255s %31s", family, type) !=
				2 ||
			    strcmp(family, help) != 0)
				return -1;
			continue;
		}
		rest = pass_labels(line + name_len(line));
		if (rest == NULL || *rest != ' ' || !is_number(rest + 1) ||
		    !is_sample_of(line, family, strcmp(type, "histogram") == 0))
			return -1;
		line[rest - line] = '\0';
		if (strmap_put(seen, line, line) != NULL)
			return -1;
		samples++;
	}
	return samples;
}

static void
the_whole_is_well_formed(void)
{
	struct metrics *m = metrics_new();
	struct strmap seen = { 0 };
	const char *bad = "";
	AUTOFREE char *text = NULL;
	int samples;

	metrics_add_process(m);
	metrics_set(m, METRIC_LEADER, 1, "odd \"\\\n} 1");
	metrics_observe(m, METRIC_E2E_SECONDS, 0.1, "scheduled", "b");
	metrics_observe(m, METRIC_E2E_SECONDS, 0.1, "scheduled", "a");
	metrics_inc(m, METRIC_REST_REQUESTS, "200", "10.0.0.1:6443", "GET");
	text = written(m);
	samples = read_all(text, &seen, &bad);
	t_str("no line is malformed", samples < 0 ? bad : "", "");
	t_true("and they are many", samples > 100);
	strmap_fini(&seen);
	metrics_free(m);
}

static void
series_are_sorted(void)
{
	struct metrics *m = metrics_new();
	AUTOFREE char *text = NULL;

	metrics_set(m, METRIC_CACHE_SIZE, 3, "pods");
	metrics_set(m, METRIC_CACHE_SIZE, 1, "assumed_pods");
	metrics_set(m, METRIC_CACHE_SIZE, 2, "nodes");
	text = written(m);
	t_has("by their labels", text,
	    "# TYPE scheduler_cache_size gauge\n"
	    "scheduler_cache_size{type=\"assumed_pods\"} 1\n"
	    "scheduler_cache_size{type=\"nodes\"} 2\n"
	    "scheduler_cache_size{type=\"pods\"} 3\n# HELP ");
	metrics_free(m);
}

static double
number_of(const struct metrics *metrics, const char *series)
{
	return strtod(value_of(metrics, series), NULL);
}

static void
the_process_is_ours(void)
{
	struct metrics *m = metrics_new();
	int fd;
	double open_before;

	metrics_add_process(m);
	t_true("memory",
	    number_of(m, "process_resident_memory_bytes") > 100000);
	t_true("virtual memory",
	    number_of(m, "process_virtual_memory_bytes") >
		number_of(m, "process_resident_memory_bytes"));
	t_true("started a moment ago",
	    number_of(m, "process_start_time_seconds") > time(NULL) - 600 &&
		number_of(m, "process_start_time_seconds") < time(NULL) + 2);
	t_true("time was spent", number_of(m, "process_cpu_seconds_total") > 0);
	open_before = number_of(m, "process_open_fds");
	fd = dup(1);
	t_int("one more file is open",
	    number_of(m, "process_open_fds") - open_before, 1);
	close(fd);
	t_true("fewer than there may be",
	    open_before < number_of(m, "process_max_fds"));
	metrics_free(m);
}

static void
open_metrics_are_written(void)
{
	struct metrics *m = metrics_new();
	struct text open = { 0 };

	metrics_inc(m, METRIC_SCHEDULE_ATTEMPTS, "error", "s");
	metrics_write(m, true, &open);
	t_has("a counter's name has no suffix", open.bytes,
	    "# TYPE scheduler_schedule_attempts counter\n"
	    "scheduler_schedule_attempts_total{");
	metrics_inc(m, METRIC_LEFT_OUT_TOTAL, "pods");
	text_drop(&open, open.len);
	metrics_write(m, true, &open);
	t_has("unless that is another's", open.bytes,
	    "# TYPE predicated_objects_left_out_total unknown\n");
	t_true("nothing comes after the end",
	    strcmp(open.bytes + open.len - 7, "\n# EOF\n") == 0);
	text_fini(&open);
	metrics_free(m);
}

/* The SLI is about the time in which the pod could be tried, with all attempts. */
static void
bound_pods_are_timed(void)
{
	struct metrics *m = metrics_new();
	struct measure *measure = measure_new(m, "default-scheduler");

	measure_bound(measure,
	    &(struct measured_binding){ .added_ms = 1000,
		.first_ms = 5000,
		.popped_ms = 6000,
		.sent_ms = 7000,
		.attempt = 2 },
	    7500);
	t_str("since it was added",
	    value_of(m,
		"scheduler_pod_scheduling_duration_seconds_sum{attempts=\"2\"}"),
	    "6.5");
	t_str("since it had no gates",
	    value_of(m,
		"scheduler_pod_scheduling_sli_duration_seconds_sum{attempts=\"2\"}"),
	    "2.5");
	t_str("one pod",
	    value_of(m,
		"scheduler_pod_scheduling_sli_duration_seconds_count{attempts=\"2\"}"),
	    "1");
	t_str("the last attempt",
	    value_of(m,
		"scheduler_scheduling_attempt_duration_seconds_sum{"
		"result=\"scheduled\",profile=\"default-scheduler\"}"),
	    "1.5");
	t_str("the binding",
	    value_of(m, "scheduler_binding_duration_seconds_sum"), "0.5");
	t_str("an event had woken it",
	    value_of(m, "scheduler_pod_scheduled_after_flush_total"), "0");
	measure_bound(measure,
	    &(struct measured_binding){ .flushed = true, .attempt = 2 }, 0);
	t_str("no event had woken it",
	    value_of(m, "scheduler_pod_scheduled_after_flush_total"), "1");
	measure_free(measure);
	metrics_free(m);
}

T_MAIN(T(counters_and_gauges), T(values_are_refreshed_when_written), T(numbers),
    T(labels_are_escaped), T(histograms_count_up_to_their_limits),
    T(limits_are_kube_schedulers), T(stable_metrics_are_kube_schedulers),
    T(the_whole_is_well_formed), T(series_are_sorted), T(the_process_is_ours),
    T(open_metrics_are_written), T(bound_pods_are_timed))
