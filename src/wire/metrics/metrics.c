#include "config.h"

#include "wire/metrics/metrics.h"

#include <assert.h>
#include <math.h>

#include "base/json_out.h"
#include "base/map.h"
#include "base/sorted.h"
#include "base/utf8.h"

enum metric_type { COUNTER, GAUGE, HISTOGRAM };

/* n upper limits; each is the one before times factor.  A last one, +Inf, goes
 * without saying. */
struct buckets {
	double start, factor;
	unsigned n;
};

#define NO_BUCKETS                                                             \
	{                                                                      \
		0                                                              \
	}
#define BUCKETS_EXP(start, factor, n)                                          \
	{                                                                      \
		(start), (factor), (n)                                         \
	}

struct metric_spec {
	enum metric_type type;
	const char *name, *labels;
	struct buckets buckets;
	const char *help;
};

static const struct metric_spec specs[METRICS] = {
#define METRIC(id, type, name, labels, buckets, help)                          \
	[METRIC_##id] = { type, name, labels, buckets, help },
#include "wire/metrics/metrics_table.h"
#undef METRIC
};

static const char *const type_names[] = {
	[COUNTER] = "counter",
	[GAUGE] = "gauge",
	[HISTOGRAM] = "histogram",
};

struct series {
	const struct metric_spec *spec;
	char *labels;      /* as written between the braces */
	double value;      /* of a histogram: the sum */
	uint64_t counts[]; /* of a histogram: of each bucket, +Inf the last */
};

/* The series of one metric, sorted by their labels. */
struct family {
	struct series **series;
	size_t n, cap;
	struct strmap by_labels;
};

struct metrics {
	struct family families[METRICS];
	size_t nrefreshes;
	struct {
		void (*run)(void *arg);
		void *arg;
	} refreshes[2]; /* of the process, and of its owner */
};

/*
 * Text
 */

/* The character at s, which is not plain; returns its length.  A scraper
 * refuses the whole page for one byte that is no UTF-8. */
static size_t
put_escaped(struct text *out, const char *s)
{
	size_t len = utf8_len((const unsigned char *)s,
	    (const unsigned char *)s + strlen(s));

	if (len == 0)
		text_put(out, UTF8_REPLACEMENT);
	else if (*s == '\\' || *s == '"')
		text_append(out, (const char[]){ '\\', *s }, 2);
	else if (*s == '\n')
		text_put(out, "\\n");
	else
		text_append(out, s, len);
	return len > 0 ? len : 1;
}

void
metrics_put_label_value(struct text *out, const char *s)
{
	while (*s != '\0') {
		/* How many bytes at s stand for themselves between quotes. */
		size_t len = 0;

		while (s[len] >= ' ' && s[len] <= '~' && s[len] != '\\' &&
		    s[len] != '"')
			len++;
		text_append(out, s, len);
		s += len;
		if (*s != '\0')
			s += put_escaped(out, s);
	}
}

void
metrics_put_number(struct text *out, double value)
{
	char number[40] = "NaN";

	if (isinf(value))
		snprintf(number, sizeof(number), "%cInf",
		    value > 0 ? '+' : '-');
	else if (value == trunc(value) && fabs(value) < 9007199254740992.0)
		snprintf(number, sizeof(number), "%.0f", value);
	else
		for (int digits = 6; digits <= 17 && !isnan(value); digits++) {
			snprintf(number, sizeof(number), "%.*g", digits, value);
			if (strtod(number, NULL) == value)
				break;
		}
	text_put(out, number);
}

/*
 * Series
 */

/* 'result="scheduled",profile="x"', you own it. */
static char *
label_text(const struct metric_spec *spec, const char *const *values)
{
	struct text text = { 0 };
	const char *label = spec->labels;
	size_t i = 0;

	for (; *label != '\0'; i++) {
		size_t len = strcspn(label, " ");

		assert(values[i] != NULL); /* a value is missing */
		text_put(&text, i > 0 ? "," : "");
		text_append(&text, label, len);
		text_put(&text, "=\"");
		metrics_put_label_value(&text, values[i]);
		text_put(&text, "\"");
		label += len + (label[len] == ' ');
	}
	assert(values[i] == NULL); /* one too many */
	return text_take(&text);
}

struct series *
metrics_series_(struct metrics *metrics, enum metric metric,
    const char *const *values)
{
	const struct metric_spec *spec = &specs[metric];
	struct family *family = &metrics->families[metric];
	AUTOFREE char *labels = label_text(spec, values);
	struct series *series = strmap_get(&family->by_labels, labels);
	size_t ncounts = spec->type == HISTOGRAM ? spec->buckets.n + 1 : 0;
	size_t i;

	if (series != NULL)
		return series;
	series = xcalloc(1, sizeof(*series) + ncounts * sizeof(uint64_t));
	series->spec = spec;
	series->labels = labels;
	labels = NULL;
	SORTED_FIND(i, family->n,
	    strcmp(family->series[i]->labels, series->labels) < 0);
	SORTED_INSERT(family->series, family->n, &family->cap, i);
	family->series[i] = series;
	strmap_put(&family->by_labels, series->labels, series);
	return series;
}

void
series_add(struct series *series, double amount)
{
	assert(series->spec->type != HISTOGRAM);
	assert(series->spec->type == GAUGE || amount >= 0);
	series->value += amount;
}

void
series_set(struct series *series, double value)
{
	assert(series->spec->type != HISTOGRAM);
	series->value = value;
}

/* A bucket counts values up to and including its limit. */
void
series_observe(struct series *series, double value)
{
	const struct buckets *buckets = &series->spec->buckets;
	double limit = buckets->start;
	unsigned i = 0;

	assert(series->spec->type == HISTOGRAM);
	if (isnan(value))
		return;
	for (; i < buckets->n && value > limit; i++)
		limit *= buckets->factor;
	series->counts[i]++;
	series->value += value;
}

const char *
metrics_attempts_label(unsigned attempts)
{
	static const char *const labels[] = { "0", "1", "2", "3", "4", "5", "6",
		"7", "8", "9", "10", "11", "12", "13", "14", "15+" };

	return labels[attempts < LENGTH(labels) ? attempts :
						  LENGTH(labels) - 1];
}

/*
 * All of them
 */

struct metrics *
metrics_new(void)
{
	struct metrics *metrics = xcalloc(1, sizeof(*metrics));

	for (enum metric i = 0; i < METRICS; i++)
		if (specs[i].labels[0] == '\0')
			metrics_series(metrics, i);
	return metrics;
}

void
metrics_free(struct metrics *metrics)
{
	if (metrics == NULL)
		return;
	for (enum metric i = 0; i < METRICS; i++) {
		struct family *family = &metrics->families[i];

		for (size_t j = 0; j < family->n; j++) {
			free(family->series[j]->labels);
			free(family->series[j]);
		}
		free(family->series);
		strmap_fini(&family->by_labels);
	}
	free(metrics);
}

/* A line without its end: name, suffix and labels, and le=limit unless NULL, then the
 * value. */
static void
put_sample(struct text *out, const struct series *series, const char *suffix,
    const double *limit, double value)
{
	const char *labels = series->labels;

	text_printf(out, "%s%s", series->spec->name, suffix);
	if (limit != NULL) {
		text_printf(out, "{%s%sle=\"", labels, *labels ? "," : "");
		metrics_put_number(out, *limit);
		text_put(out, "\"}");
	} else if (*labels != '\0') {
		text_printf(out, "{%s}", labels);
	}
	text_put(out, " ");
	metrics_put_number(out, value);
}

static void
put_histogram(struct text *out, const struct series *series)
{
	const struct buckets *buckets = &series->spec->buckets;
	double limit = buckets->start, count = 0;

	for (unsigned i = 0; i <= buckets->n; i++) {
		if (i == buckets->n)
			limit = INFINITY;
		count += (double)series->counts[i];
		put_sample(out, series, "_bucket", &limit, count);
		text_put(out, "\n");
		limit *= buckets->factor;
	}
	put_sample(out, series, "_sum", NULL, series->value);
	text_put(out, "\n");
	put_sample(out, series, "_count", NULL, count);
}

double
metrics_total(const struct metrics *metrics, enum metric metric,
    const char *part, uint64_t *observed)
{
	const struct family *family = &metrics->families[metric];
	double sum = 0;

	if (observed != NULL)
		*observed = 0;
	for (size_t i = 0; i < family->n; i++) {
		const struct series *series = family->series[i];

		if (strstr(series->labels, part) == NULL)
			continue;
		sum += series->value;
		for (unsigned k = 0;
		     observed != NULL && k <= series->spec->buckets.n; k++)
			*observed += series->counts[k];
	}
	return sum;
}

void
metrics_on_write(struct metrics *metrics, void (*refresh)(void *arg), void *arg)
{
	assert(metrics->nrefreshes < LENGTH(metrics->refreshes));
	metrics->refreshes[metrics->nrefreshes].run = refresh;
	metrics->refreshes[metrics->nrefreshes++].arg = arg;
}

/* The length of the counter's name without "_total"; 0: it has none, or that is the name
 * of another. */
static size_t
open_len(const struct metric_spec *spec)
{
	size_t len = strlen(spec->name) - strlen("_total");

	if (strcmp(spec->name + len, "_total") != 0)
		return 0;
	for (enum metric i = 0; i < METRICS; i++)
		if (strncmp(specs[i].name, spec->name, len) == 0 &&
		    specs[i].name[len] == '\0')
			return 0;
	return len;
}

void
metrics_write(const struct metrics *metrics, bool open, struct text *out)
{
	for (size_t i = 0; i < metrics->nrefreshes; i++)
		metrics->refreshes[i].run(metrics->refreshes[i].arg);
	for (enum metric i = 0; i < METRICS; i++) {
		const struct family *family = &metrics->families[i];
		const struct metric_spec *spec = &specs[i];
		bool is_counter = open && spec->type == COUNTER;
		size_t cut = is_counter ? open_len(spec) : 0;
		size_t len = cut > 0 ? cut : strlen(spec->name);

		if (family->n == 0)
			continue;
		/* OpenMetrics has no counters of other names. */
		text_printf(out, "# HELP %.*s %s\n# TYPE %.*s %s\n", (int)len,
		    spec->name, spec->help, (int)len, spec->name,
		    is_counter && cut == 0 ? "unknown" :
					     type_names[spec->type]);
		for (size_t j = 0; j < family->n; j++) {
			const struct series *s = family->series[j];

			if (spec->type == HISTOGRAM)
				put_histogram(out, s);
			else
				put_sample(out, s, "", NULL, s->value);
			text_put(out, "\n");
		}
	}
	if (open)
		text_put(out, "# EOF\n");
}
