#include "config.h"

#include "t/speed/report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_out.h"
#include "base/xmalloc.h"

void
report_begin(struct report *report)
{
	printf("%-16s %6s %7s %7s %7s %11s %9s %9s %9s %7s %8s\n", "scenario",
	    "nodes", "pods", "tried", "placed", "decisions/s", "mean us",
	    "p50 us", "p99 us", "CPU s", "peak MiB");
}

static double
per_second(const struct result *r)
{
	return r->decisions > 0 && r->cpu_s > 0 ?
	    (double)r->decisions / r->cpu_s :
	    0;
}

static void
put_row(const char *name, const struct result *r)
{
	printf("%-16s %6u %7" PRIu64 " %7" PRIu64 " %7" PRIu64, name, r->nodes,
	    r->pods, r->tried, r->placed);
	if (r->decisions > 0)
		printf(" %11.0f %9.1f %9.1f %9.1f", per_second(r), r->mean_us,
		    r->p50_us, r->p99_us);
	else
		printf(" %11s %9s %9s %9s", "", "", "", "");
	printf(" %7.2f %8.1f\n", r->cpu_s, r->peak_mib);
	if (r->wrong[0] != '\0')
		printf("  WRONG: %s\n", r->wrong);
	fflush(stdout);
}

static void
put_member(struct json_out *json, const char *key, double value)
{
	json_key(json, key);
	json_number(json, value, 3);
}

static void
put_count(struct json_out *json, const char *key, uint64_t value)
{
	json_pair_int(json, key, (int64_t)value);
}

static void
put_line(FILE *out, const char *name, const struct result *r)
{
	struct text text = { 0 };
	struct json_out json = JSON_OUT_INIT(&text);

	json_open(&json, '{');
	json_pair(&json, "scenario", name);
	put_count(&json, "nodes", r->nodes);
	put_count(&json, "pods", r->pods);
	put_count(&json, "tried", r->tried);
	put_count(&json, "placed", r->placed);
	put_count(&json, "evicted", r->evicted);
	put_count(&json, "decisions", r->decisions);
	put_member(&json, "cpu_seconds", r->cpu_s);
	put_member(&json, "wall_seconds", r->wall_s);
	put_member(&json, "per_second", per_second(r));
	put_member(&json, "mean_us", r->mean_us);
	put_member(&json, "p50_us", r->p50_us);
	put_member(&json, "p99_us", r->p99_us);
	put_member(&json, "peak_mib", r->peak_mib);
	put_member(&json, "memo_mib", r->memo_mib);
	json_pair(&json, "wrong", r->wrong);
	json_close(&json, '}');
	text_put(&text, "\n");
	text_write(&text, out);
	fflush(out);
}

void
report_cell(struct report *report, const char *name, const struct result *r)
{
	vec_room(report->cells, report->n, &report->cap);
	report->cells[report->n++] = (struct reported){ name, *r };
	report->wrong |= r->wrong[0] != '\0';
	put_row(name, r);
	if (report->lines != NULL)
		put_line(report->lines, name, r);
}

/* Goals */

static const struct result *
find(const struct report *report, const char *name, unsigned nodes)
{
	for (size_t i = 0; i < report->n; i++)
		if (strcmp(report->cells[i].name, name) == 0 &&
		    (nodes == 0 || report->cells[i].result.nodes == nodes))
			return &report->cells[i].result;
	return NULL;
}

static void
put_goal(bool met, const char *what, double value, const char *unit,
    const char *goal)
{
	printf("%-6s %-52s %10.*f%s (%s)\n", met ? "met" : "MISSED", what,
	    value < 10      ? 2 :
		value < 100 ? 1 :
			      0,
	    value, unit, goal);
}

static void
at_least(const char *what, double value, const char *unit, double goal)
{
	AUTOFREE char *text =
	    xasprintf("at least %.*f", goal < 10 ? 2 : 0, goal);

	put_goal(value >= goal, what, value, unit, text);
}

static void
below(const char *what, double value, const char *unit, double goal)
{
	AUTOFREE char *text = xasprintf("below %.*f", goal < 10 ? 1 : 0, goal);

	put_goal(value < goal, what, value, unit, text);
}

/* Decisions a second on 5,000 nodes, and the part of them left on 50,000. */
static void
put_speed(const struct report *report, const char *name, double goal)
{
	const struct result *r = find(report, name, 5000);
	const struct result *huge = find(report, name, 50000);
	AUTOFREE char *what = xasprintf("%s, 5,000 nodes: decisions", name);
	AUTOFREE char *slowest = xasprintf("%s, 5,000 nodes: p99", name);
	AUTOFREE char *ratio =
	    xasprintf("%s: decisions/s, 50,000 nodes : 5,000", name);

	if (r == NULL)
		return;
	at_least(what, per_second(r), "/s", goal);
	below(slowest, r->p99_us, " us", 1000);
	if (huge != NULL)
		at_least(ratio, per_second(huge) / per_second(r), "", 1.0 / 3);
}

static void
put_speeds(const struct report *report)
{
	put_speed(report, "identical", 30000);
	put_speed(report, "20-templates", 15000);
	put_speed(report, "anti-affinity", 3000);
	put_speed(report, "affinity", 3000);
}

/* Each pod has a claim of its own, and all nodes are looked at for it. */
static void
put_claims(const struct report *report, const char *name, double goal)
{
	const struct result *r = find(report, name, 5000);
	AUTOFREE char *what = xasprintf("%s, 5,000 nodes: decisions", name);

	if (r != NULL)
		at_least(what, per_second(r), "/s", goal);
}

/* Pods of which no two are alike, beside those that all are. */
static void
put_jobs(const struct report *report)
{
	const struct result *alike = find(report, "identical", 5000);
	const struct result *jobs = find(report, "jobs", 5000);

	if (alike != NULL && jobs != NULL)
		at_least("jobs : identical, 5,000 nodes: decisions/s",
		    per_second(jobs) / per_second(alike), "", 0.5);
}

static void
put_growth(const struct report *report)
{
	const struct result *small = find(report, "identical", 1000);
	const struct result *big = find(report, "identical", 15000);

	if (small != NULL && big != NULL)
		below("identical: CPU/decision, 15,000 nodes : 1,000",
		    big->mean_us / small->mean_us, "", 1.5);
}

static void
put_finished(const struct report *report)
{
	const struct result *r = find(report, "preemption", 5000);

	if (r != NULL && r->pods >= 20000)
		put_goal(r->tried == 2000 && r->placed == r->tried,
		    "preemption, 20,000 pods on 5,000 nodes: placed",
		    (double)r->placed, "", "2000");
}

static void
put_cold_start(const struct report *report)
{
	const struct result *r = find(report, "cold-start", 5000);

	if (r == NULL || r->pods < 150000)
		return;
	below("cold start, 5,000 nodes, 150,000 pods: CPU", r->cpu_s, " s", 5);
	below("cold start, 5,000 nodes, 150,000 pods: peak", r->peak_mib,
	    " MiB", 300);
}

/*
 * Beside kube-scheduler 1.15.3 (its own code, in process, one pod after the
 * other, two cores, 16 goroutines) on the same files: pods a second with all
 * nodes, and with the part of them that it looks at by default.
 */
static void
put_reference(const struct report *report)
{
	static const struct {
		const char *name;
		double all, sampled, goal;
	} figures[] = {
		{ "n5000", 21, 86, 300 },
		{ "n5000-mix", 7.9, 17, 500 },
	};

	for (size_t i = 0; i < LENGTH(figures); i++) {
		const struct result *r = find(report, figures[i].name, 0);
		AUTOFREE char *what =
		    xasprintf("%s: pods/s : kube-scheduler 1.15.3's %g",
			figures[i].name, figures[i].all);

		if (r == NULL)
			continue;
		at_least(what, per_second(r) / figures[i].all, "",
		    figures[i].goal);
		printf("%-6s %-52s %10.0f/s, kube-scheduler's %g/s "
		       "(%g/s with samples of the nodes)\n",
		    "", figures[i].name, per_second(r), figures[i].all,
		    figures[i].sampled);
	}
}

void
report_goals(const struct report *report)
{
	putchar('\n');
	put_speeds(report);
	put_jobs(report);
	put_claims(report, "claims", 3000);
	put_claims(report, "csi-limits", 20000);
	put_growth(report);
	put_finished(report);
	put_cold_start(report);
	put_reference(report);
}

bool
report_end(struct report *report)
{
	if (report->lines != NULL)
		fclose(report->lines);
	free(report->cells);
	return !report->wrong;
}
