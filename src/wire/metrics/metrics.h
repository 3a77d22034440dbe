/*
 * Numbers about ourselves, in Prometheus' text format 0.0.4 or in OpenMetrics 1.0.
 *
 * Which metrics there are, with type, labels, buckets and help, is written in
 * metrics_table.h alone.  A series is one metric with one set of label values;
 * it is there from the first time it is asked for:
 *
 *	metrics_inc(m, METRIC_SCHEDULE_ATTEMPTS, "scheduled", profile);
 *	metrics_observe(m, METRIC_BINDING_SECONDS, seconds);
 *
 * Label values come in the order in which the table names the labels.  Keep a
 * series where the same one is used again and again; it lives as long as the
 * metrics:
 *
 *	struct series *pending = metrics_series(m, METRIC_PENDING_PODS, "active");
 *	series_set(pending, 3);
 *
 * A metric without labels is there from the start, with 0.
 */
#ifndef METRICS_METRICS_H
#define METRICS_METRICS_H

struct text;

enum metric {
#define METRIC(id, type, name, labels, buckets, help) METRIC_##id,
#include "wire/metrics/metrics_table.h"
#undef METRIC
	METRICS,
};

struct metrics;
struct series;

struct metrics *metrics_new(void);
void metrics_free(struct metrics *metrics);

/* Never NULL.  As many label values as the metric has labels. */
#define metrics_series(metrics, metric, ...)                                   \
	metrics_series_((metrics), (metric),                                   \
	    (const char *const[]){ "", ##__VA_ARGS__, NULL } + 1)

/* A counter's or gauge's; a counter only ever grows. */
void series_add(struct series *series, double amount);
/* For a gauge; also for a counter whose count is kept elsewhere. */
void series_set(struct series *series, double value);
/* A histogram's. */
void series_observe(struct series *series, double value);

#define metrics_inc(metrics, metric, ...)                                      \
	series_add(metrics_series((metrics), (metric), ##__VA_ARGS__), 1)
#define metrics_add(metrics, metric, amount, ...)                              \
	series_add(metrics_series((metrics), (metric), ##__VA_ARGS__), (amount))
#define metrics_set(metrics, metric, value, ...)                               \
	series_set(metrics_series((metrics), (metric), ##__VA_ARGS__), (value))
#define metrics_observe(metrics, metric, value, ...)                           \
	series_observe(metrics_series((metrics), (metric), ##__VA_ARGS__),     \
	    (value))

/* process_* (Linux, from /proc) and kubernetes_build_info. */
void metrics_add_process(struct metrics *metrics);

/* Before all of them are written, refresh() sets those whose values are kept
 * elsewhere; besides metrics_add_process() there may be one. */
void metrics_on_write(struct metrics *metrics, void (*refresh)(void *arg),
    void *arg);

/* Of the metric's series with this part in their labels, as written ("": of all), the
 * sum of the values; *observed, unless NULL: how often a histogram's were observed. */
double metrics_total(const struct metrics *metrics, enum metric metric,
    const char *part, uint64_t *observed);

/* Appends all of them; open: as OpenMetrics. */
#define METRICS_CONTENT_TYPE "text/plain; version=0.0.4; charset=utf-8"
#define OPENMETRICS "application/openmetrics-text"
#define OPENMETRICS_CONTENT_TYPE OPENMETRICS "; version=1.0.0; charset=utf-8"
void metrics_write(const struct metrics *metrics, bool open, struct text *out);

/* For metrics that other files write: the text between the quotes of a
 * label, and the shortest text that reads as this value. */
void metrics_put_label_value(struct text *out, const char *value);
void metrics_put_number(struct text *out, double value);

/* How kube-scheduler writes the label "attempts": a number up to 14, then
 * "15+". */
const char *metrics_attempts_label(unsigned attempts);

/* Use metrics_series().  values ends with NULL. */
struct series *metrics_series_(struct metrics *metrics, enum metric metric,
    const char *const *values);

#endif
