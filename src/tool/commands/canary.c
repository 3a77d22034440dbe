/*
 * predicatectl canary: a part of the pods is predicated's, by the admission policy of
 * etc/kubernetes/components/canary; doc/canary.md.
 */
#include "config.h"

#include <math.h>
#include <time.h>

#include "wire/api/paths.h"
#include "base/doc.h"
#include "base/json_out.h"
#include "base/sorted.h"
#include "tool/commands/ctl.h"
#include "tool/input/live.h"
#include "tool/commands/report.h"
#include "objects/decode.h"

#define OTHER "default-scheduler"
#define POLICY "predicated-canary" /* and its binding */
#define PAGE "500"                 /* pods of one response */
#define SETTLE_SECONDS 2 /* API servers see within one that a policy is gone */
#define BUCKETS 64

/* ---- pods ---- */

struct waiting {
	char *path, *name;
	char *same;      /* DeleteOptions: it alone, as it was */
	bool controlled; /* what made it makes another */
	bool gone;       /* it was deleted, or has changed */
};

/* The pods of one scheduler. */
struct pods {
	const char *scheduler;
	struct arena arena; /* of all of it */
	size_t nbound, nseconds, cap;
	double
	    *seconds; /* from creation to the node, of those that are bound */
	size_t nwaiting, waiting_cap;
	struct waiting *waiting;
	double oldest; /* of these */
};

static const char *
string_of(const struct doc_node *node, const char *key)
{
	return doc_string(doc_member(node, key));
}

/* NAN: there is none. */
static double
time_of(const struct doc_node *node, const char *key)
{
	int32_t nanoseconds;
	int64_t seconds;

	return time_parse(string_of(node, key), &seconds, &nanoseconds) ?
	    (double)seconds :
	    NAN;
}

/* When the pod got its node; NAN: it does not say. */
static double
scheduled_at(const struct doc_node *status)
{
	EACH_CHILD (condition, doc_member(status, "conditions"))
		if (strcmp(string_of(condition, "type"), "PodScheduled") == 0 &&
		    strcmp(string_of(condition, "status"), "True") == 0)
			return time_of(condition, "lastTransitionTime");
	return NAN;
}

static bool
is_controlled(const struct doc_node *metadata)
{
	EACH_CHILD (owner, doc_member(metadata, "ownerReferences")) {
		const struct doc_node *is = doc_member(owner, "controller");

		if (is != NULL && is->kind == DOC_BOOL && is->boolean)
			return true;
	}
	return false;
}

static void
add_waiting(struct pods *pods, const struct doc_node *metadata, double age)
{
	const char *namespace = string_of(metadata, "namespace");
	const char *name = string_of(metadata, "name");
	AUTOFREE char *path = path_of_object("v1", namespace, "pods", name, "");
	struct arena *arena = &pods->arena;
	struct text same = { 0 };

	json_put(&same, "{'preconditions':{'uid':%s,'resourceVersion':%s}}",
	    string_of(metadata, "uid"), string_of(metadata, "resourceVersion"));
	arena_room(arena, pods->waiting, pods->nwaiting, &pods->waiting_cap);
	pods->waiting[pods->nwaiting++] = (struct waiting){
		.path = arena_printf(arena, "%s", path),
		.name = arena_printf(arena, "%s/%s", namespace, name),
		.same = text_keep(&same, arena),
		.controlled = is_controlled(metadata),
	};
	pods->oldest = fmax(age, pods->oldest);
}

static void
add_pod(struct pods *pods, const struct doc_node *pod)
{
	const struct doc_node *metadata = doc_member(pod, "metadata");
	const struct doc_node *status = doc_member(pod, "status");
	double created = time_of(metadata, "creationTimestamp");
	double seconds = scheduled_at(status) - created;
	const char *phase = string_of(status, "phase");

	if (string_of(doc_member(pod, "spec"), "nodeName")[0] != '\0') {
		pods->nbound++;
		if (isnan(seconds))
			return;
		arena_room(&pods->arena, pods->seconds, pods->nseconds,
		    &pods->cap);
		pods->seconds[pods->nseconds++] = seconds;
	} else if (string_of(metadata, "deletionTimestamp")[0] == '\0' &&
	    strcmp(phase, "Succeeded") != 0 && strcmp(phase, "Failed") != 0) {
		add_waiting(pods, metadata, (double)time(NULL) - created);
	}
}

/* A page of the list, from *more on; *more becomes the next one's, NULL: it was the
 * last. */
static int
read_page(const struct options *options, struct pods *pods, char **more,
    struct err *err)
{
	AUTOFREE char *selector =
	    xasprintf("spec.schedulerName=%s", pods->scheduler);
	struct text path = { 0 };
	char *body;
	size_t len;
	struct doc *doc = NULL;
	const char *next;

	text_put(&path, "/api/v1/pods");
	path_put_parameter(&path, "fieldSelector", selector);
	path_put_parameter(&path, "limit", PAGE);
	path_put_parameter(&path, "continue", *more);
	body = live_get(options, false, path.bytes, &len, err);
	if (body != NULL)
		doc = doc_parse("pods", body, len, &doc_limits_people, err);
	text_fini(&path);
	free(body);
	free(*more);
	*more = NULL;
	if (doc == NULL)
		return -1;
	EACH_CHILD (pod, doc_member(doc_root(doc), "items"))
		add_pod(pods, pod);
	next = string_of(doc_member(doc_root(doc), "metadata"), "continue");
	*more = next[0] != '\0' ? xstrdup(next) : NULL;
	doc_free(doc);
	return 0;
}

static int
read_pods(const struct options *options, const char *scheduler,
    struct pods *pods, struct err *err)
{
	char *more = NULL;

	*pods = (struct pods){ .scheduler = scheduler };
	do
		if (read_page(options, pods, &more, err) != 0)
			return -1;
	while (more != NULL);
	return 0;
}

static int
compare_seconds(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* ---- metrics ---- */

/* How long attempts took, of a scheduler's metrics. */
struct attempts {
	size_t n;
	double limits[BUCKETS],
	    counts[BUCKETS]; /* of all profiles, cumulative */
};

/* The value of a label of the line, in the arena; NULL: it has none. */
static const char *
label_of(struct arena *arena, const char *line, const char *label)
{
	AUTOFREE char *begin = xasprintf("%s=\"", label);
	const char *value = line;

	do
		value = strstr(value + 1, begin);
	while (value != NULL && strchr("{,", value[-1]) == NULL);
	if (value == NULL)
		return NULL;
	value += strlen(begin);
	return arena_strndup(arena, value, strcspn(value, "\""));
}

static bool
begins(const char *line, const char *prefix)
{
	return strncmp(line, prefix, strlen(prefix)) == 0;
}

static double
value_of(const char *line)
{
	const char *last = strrchr(line, ' ');

	return last != NULL ? strtod(last, NULL) : 0;
}

static void
add_bucket(struct attempts *attempts, struct arena *arena, const char *line)
{
	const char *le = label_of(arena, line, "le");
	double limit = le != NULL ? strtod(le, NULL) : 0;
	size_t i = 0;

	while (i < attempts->n && attempts->limits[i] != limit)
		i++;
	if (i == BUCKETS)
		return;
	attempts->n = i == attempts->n ? i + 1 : attempts->n;
	attempts->limits[i] = limit;
	attempts->counts[i] += value_of(line);
}

/* The limit of the bucket, in ms; -1: there was no attempt. */
static double
quantile(const struct attempts *attempts, double part)
{
	double all = attempts->n > 0 ? attempts->counts[attempts->n - 1] : 0;

	for (size_t i = 0; i < attempts->n && all > 0; i++)
		if (attempts->counts[i] >= part * all)
			return attempts->limits[i] * 1000;
	return -1;
}

/* ---- status ---- */

struct cause {
	const char *result, *rule;
	int64_t pods;
};

struct metrics_read {
	struct arena arena;
	struct attempts attempts;
	size_t ncauses, cap;
	struct cause *causes;
};

/* Of --daemon; url: another's. */
static int
read_metrics(const struct options *options, const char *url,
    struct metrics_read *m, struct err *err)
{
	struct options asked = *options;
	char *body, *rest;
	size_t len;

	asked.daemon = url;
	body = live_get(&asked, true, "/metrics", &len, err);
	rest = body;
	if (body == NULL)
		return -1;
	while (rest != NULL) {
		const char *line = strsep(&rest, "\n");

		if (begins(line,
			"scheduler_scheduling_attempt_duration_seconds_bucket{") &&
		    strstr(line, "result=\"scheduled\"") != NULL) {
			add_bucket(&m->attempts, &m->arena, line);
		} else if (begins(line, "predicated_beside_decisions_total{")) {
			arena_room(&m->arena, m->causes, m->ncauses, &m->cap);
			m->causes[m->ncauses++] = (struct cause){
				.result = label_of(&m->arena, line, "result"),
				.rule = label_of(&m->arena, line, "rule"),
				.pods = (int64_t)value_of(line),
			};
		}
	}
	free(body);
	return 0;
}

static int
compare_causes(const void *a, const void *b)
{
	const struct cause *x = a, *y = b;

	return (x->pods < y->pods) - (x->pods > y->pods);
}

/* NULL: none, of a negative or NAN value. */
static const char *
measured(struct report *r, double value, const char *unit)
{
	return value >= 0 ? arena_printf(&r->arena, "%g %s", value, unit) :
			    NULL;
}

static void
put_pods(struct report *r, struct pods *pods, const struct attempts *attempts)
{
	const size_t n = pods->nseconds;

	SORT(pods->seconds, n, compare_seconds);
	report_row(r, cell_text(pods->scheduler),
	    cell_count((int64_t)pods->nbound),
	    cell_count((int64_t)pods->nwaiting),
	    cell_text(measured(r, pods->nwaiting > 0 ? pods->oldest : -1, "s")),
	    cell_text(measured(r, n > 0 ? pods->seconds[n / 2] : -1, "s")),
	    cell_text(
		measured(r, n > 0 ? pods->seconds[n * 99 / 100] : -1, "s")),
	    cell_text(measured(r, quantile(attempts, 0.5), "ms")),
	    cell_text(measured(r, quantile(attempts, 0.99), "ms")));
}

static void
put_causes(struct report *r, const struct metrics_read *m)
{
	int64_t all = 0, same = 0;

	for (size_t i = 0; i < m->ncauses; i++) {
		all += m->causes[i].pods;
		if (strcmp(m->causes[i].result, "same") == 0 ||
		    strcmp(m->causes[i].result, "tie") == 0)
			same += m->causes[i].pods;
	}
	json_pair_int(&r->json, "decisions", all);
	json_pair_int(&r->json, "agreed", same);
	report_print(r, STYLE_PLAIN,
	    "\nOf %lld decisions of " OTHER
	    " %lld are as good to predicated.\n",
	    (long long)all, (long long)same);
	SORT(m->causes, m->ncauses, compare_causes);
	report_rows(r, "causes", "pods=>PODS|result=RESULT|rule=RULE");
	for (size_t i = 0; i < m->ncauses; i++)
		report_row(r, cell_count(m->causes[i].pods),
		    cell_text(m->causes[i].result),
		    cell_text(m->causes[i].rule[0] != '\0' ? m->causes[i].rule :
							     NULL));
	report_rows_end(r);
}

static int
status(const struct options *options, const char *name)
{
	struct metrics_read ours = { 0 }, theirs = { 0 };
	struct pods pods = { 0 }, others = { 0 };
	struct report r;
	struct err err;
	int code = EXIT_DONE;

	if (read_pods(options, name, &pods, &err) != 0 ||
	    read_pods(options, OTHER, &others, &err) != 0 ||
	    (options->daemon != NULL &&
		read_metrics(options, options->daemon, &ours, &err) != 0) ||
	    (options->baseline != NULL &&
		read_metrics(options, options->baseline, &theirs, &err) != 0)) {
		code = ctl_fail(&err);
	} else {
		report_begin(&r, options);
		report_rows(&r, "schedulers",
		    "^name=SCHEDULER|bound=>BOUND|waiting=>WAITING|oldest=>OLDEST|"
		    "pendingP50=>PENDING P50|pendingP99=>P99|"
		    "attemptP50=>ATTEMPT P50|attemptP99=>P99");
		put_pods(&r, &pods, &ours.attempts);
		put_pods(&r, &others, &theirs.attempts);
		report_rows_end(&r);
		if (options->daemon != NULL)
			put_causes(&r, &ours);
		report_end(&r);
	}
	arena_fini(&ours.arena);
	arena_fini(&theirs.arena);
	arena_fini(&pods.arena);
	arena_fini(&others.arena);
	return code;
}

/* ---- rollback ---- */

/* The policy goes after its binding, which needs it. */
static int
delete_policy(const struct options *options, struct err *err)
{
	static const char *const kinds[] = {
		"mutatingadmissionpolicybindings",
		"mutatingadmissionpolicies",
	};
	static const char *const versions[] = {
		"admissionregistration.k8s.io/v1",
		"admissionregistration.k8s.io/v1beta1",
		"admissionregistration.k8s.io/v1alpha1",
	};
	struct live_deletion each[LENGTH(versions)];
	int found = 0, failed = 0;

	for (size_t i = 0; i < LENGTH(kinds) && !failed; i++) {
		for (size_t k = 0; k < LENGTH(versions); k++)
			each[k] = (struct live_deletion){
				.path = path_of_object(versions[k], NULL,
				    kinds[i], POLICY, ""),
			};
		failed = live_delete(options, each, LENGTH(versions), err);
		for (size_t k = 0; k < LENGTH(versions); k++) {
			found += each[k].gone;
			free(each[k].path);
		}
	}
	return failed ? -1 : found;
}

static int
recreate(const struct options *options, struct pods *pods, struct err *err)
{
	AUTOFREE struct live_deletion *each =
	    xcalloc(pods->nwaiting, sizeof(*each));
	int result;

	for (size_t i = 0; i < pods->nwaiting; i++)
		if (pods->waiting[i].controlled)
			each[i] = (struct live_deletion){
				.path = pods->waiting[i].path,
				.with = pods->waiting[i].same,
			};
	result = live_delete(options, each, pods->nwaiting, err);
	for (size_t i = 0; i < pods->nwaiting; i++)
		pods->waiting[i].gone = each[i].gone;
	return result;
}

static int
rollback(const struct options *options, const char *name)
{
	struct pods pods = { 0 };
	struct report r;
	struct err err;
	int found = delete_policy(options, &err), left = 0;

	/* Those that are created until an API server has seen it are ours, too. */
	if (found > 0)
		nanosleep(&(struct timespec){ .tv_sec = SETTLE_SECONDS }, NULL);
	if (found < 0 || read_pods(options, name, &pods, &err) != 0 ||
	    (options->recreate && recreate(options, &pods, &err) != 0)) {
		arena_fini(&pods.arena);
		return ctl_fail(&err);
	}
	report_begin(&r, options);
	json_pair_bool(&r.json, "policyDeleted", found > 0);
	report_print(&r, STYLE_PLAIN, "%s\n",
	    found > 0 ? "The admission policy " POLICY " is deleted." :
			"There is no admission policy " POLICY ".");
	report_rows(&r, "waiting", "pod=POD|controlled|state=STATE");
	for (size_t i = 0; i < pods.nwaiting; i++) {
		const struct waiting *w = &pods.waiting[i];

		left += !w->gone;
		report_row(&r, cell_text(w->name), cell_truth(w->controlled),
		    cell_text(w->gone ?
			    "deleted: its controller makes another" :
			    w->controlled ? "waits; --recreate deletes it" :
					    "waits; it has no controller"));
	}
	report_rows_end(&r);
	report_print(&r, STYLE_PLAIN,
	    "%d pods of %s are left without a node.\n", left, name);
	report_end(&r);
	arena_fini(&pods.arena);
	return left > 0 ? EXIT_NEGATIVE : EXIT_DONE;
}

int
canary_run(const struct options *options)
{
	const char *name = options->scheduler_is_given ?
	    sym_text(options->scheduler_name) :
	    "predicated";

	return strcmp(options->words[0], "status") == 0 ?
	    status(options, name) :
	    rollback(options, name);
}
