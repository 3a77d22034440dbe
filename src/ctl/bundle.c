/*
 * predicatectl bundle: a bug report as one file.
 *
 * Its objects have only the fields that decisions read (bundle_objects.h); texts of
 * other origin lose their secrets (base/redact.h).
 */
#include "config.h"

#include <errno.h>
#include <inttypes.h>
#include <link.h>
#include <sys/utsname.h>
#include <time.h>

#include "base/archive.h"
#include "base/doc.h"
#include "base/json_out.h"
#include "base/redact.h"
#include "base/version.h"
#include "ctl/bundle_objects.h"
#include "ctl/ctl.h"
#include "ctl/explain.h"
#include "ctl/load.h"
#include "ctl/options.h"
#include "lint/lint.h"

#define FOLDER "predicatectl-bundle/"
#define PODS_MOST 50                    /* that are explained */
#define EXPLAIN_SECONDS 30              /* and no more are begun after */
#define EXPLAIN_BYTES ((size_t)1 << 20) /* roughly, of each */
#define LOG_BYTES ((size_t)4 << 20)     /* the end of the log */
#define EVENTS_MOST "3000"

struct bundle {
	const struct options *options;
	struct archive *archive;
	struct text inside, left_out; /* lines of CONTENTS.txt */
	bool failed; /* something that was asked for is missing */
	int release; /* of the cluster; 0: it was not read */
};

/* ---- members ---- */

static void __attribute__((format(printf, 2, 3)))
leave_out(struct bundle *b, const char *fmt, ...)
{
	AUTOFREE char *line = NULL;

	XFORMAT(line, fmt);
	text_put(&b->left_out, "  ");
	redact(&b->left_out, line, strlen(line));
	text_put(&b->left_out, "\n");
}

/* Adds a file that has no secrets. */
static void
add_clean(struct bundle *b, const char *name, const char *what,
    const char *bytes, size_t len)
{
	AUTOFREE char *path = xasprintf(FOLDER "%s", name);

	archive_add(b->archive, path, bytes, len);
	text_printf(&b->inside, "  %-24s %s, %zu bytes\n", name, what, len);
}

/* Adds a file without its secrets. */
static void
add(struct bundle *b, const char *name, const char *what, const char *bytes,
    size_t len)
{
	struct text clean = { 0 };

	redact(&clean, bytes, len);
	add_clean(b, name, what, len > 0 ? clean.bytes : "", clean.len);
	text_fini(&clean);
}

/* ---- versions ---- */

static int
note_library(struct dl_phdr_info *info, size_t size, void *arg)
{
	AUTOFREE char *real = realpath(info->dlpi_name, NULL);
	const char *slash = real != NULL ? strrchr(real, '/') : NULL;

	(void)size;
	if (info->dlpi_name[0] != '\0' && slash != NULL)
		json_string(arg, slash + 1);
	return 0;
}

static void
put_system(struct json_out *json)
{
	struct utsname name;
	char line[256];
	FILE *release = fopen("/etc/os-release", "re");

	if (uname(&name) == 0) {
		json_members(json, "kernel:s machine:s", name.release,
		    name.machine);
	}
	while (release != NULL && fgets(line, sizeof(line), release) != NULL) {
		if (strncmp(line, "PRETTY_NAME=\"", 13) != 0)
			continue;
		line[strcspn(line, "\n")] = '\0';
		line[13 + strcspn(line + 13, "\"")] = '\0';
		json_pair(json, "os", line + 13);
	}
	if (release != NULL)
		fclose(release);
}

/* The response as it is, or why there is none. */
static void
put_response(struct bundle *b, struct json_out *json, const char *key,
    bool of_daemon)
{
	struct err err;
	size_t len = 0;
	AUTOFREE char *body =
	    live_get(b->options, of_daemon, "/version", &len, &err);
	struct doc *doc = body != NULL ?
	    doc_parse(key, body, len, &doc_limits_people, NULL) :
	    NULL;

	if (doc != NULL) {
		json_key(json, key);
		json_doc_node(json, doc_root(doc));
	} else {
		b->failed = true;
		leave_out(b, "%s: %s", key,
		    body != NULL ? "the response is not JSON" : err.text);
	}
	doc_free(doc);
}

static void
add_versions(struct bundle *b)
{
	struct text text = { 0 };
	struct json_out json = JSON_OUT_INIT(&text);

	json_open(&json, '{');
	json_key(&json, "clientVersion");
	version_json(&json);
	json_open_member(&json, "libraries", '[');
	dl_iterate_phdr(note_library, &json);
	json_close(&json, ']');
	json_open_member(&json, "system", '{');
	put_system(&json);
	json_close(&json, '}');
	if (b->options->nclusters == 0)
		put_response(b, &json, "serverVersion", false);
	if (b->options->daemon != NULL)
		put_response(b, &json, "daemonVersion", true);
	json_close(&json, '}');
	text_put(&text, "\n");
	add(b, "versions.json", "program, libraries, system, servers",
	    text.bytes, text.len);
	text_fini(&text);
}

/* ---- policy and cluster ---- */

static const char *
rules_file(const struct options *options)
{
	return options->config != NULL ? "configuration.json" : "policy.json";
}

/* What check says about it. */
static void
add_check(struct bundle *b, const char *text, size_t len,
    const struct load *load)
{
	const struct options *o = b->options;
	const char *file = rules_file(o);
	struct problems problems = { 0 };
	struct profiles *profiles;
	struct text report = { 0 };
	struct err err = { "" };
	char line[4096];

	profiles = load_parse(o->config != NULL, file, text, len,
	    &o->policy_options, &problems, &err);
	if (profiles != NULL && load != NULL) {
		const struct lint_cluster on = load_linted(load);

		lint(profiles, &on, &problems);
	}
	for (size_t i = 0; i < problems.n; i++)
		text_printf(&report, "%s\n",
		    problem_text(&problems.at[i], line, sizeof(line)));
	text_printf(&report, "%s: %s%s\n", file,
	    profiles != NULL ? "ok" : "refused: ",
	    profiles != NULL ? "" : err.text);
	add(b, "check.txt", "problems of the rules", report.bytes, report.len);
	text_fini(&report);
	problems_fini(&problems);
	profiles_free(profiles);
}

/* The policy as it was read; load is NULL if the cluster could not be. */
static void
add_rules(struct bundle *b, const struct load *load)
{
	AUTOFREE char *name = NULL, *text = NULL, *clean = NULL;
	size_t len = 0, clean_len;
	struct err err;

	if (options_follow_cluster(b->options)) {
		leave_out(b,
		    "policy: none was given; the default provider's, "
		    "or that of OpenShift's Scheduler in cluster.json");
		return;
	}
	if (load_rules(b->options, &name, &text, &len, &err) == 0)
		clean = bundle_policy(name, text, len, &clean_len, &err);
	if (clean == NULL) {
		b->failed = true;
		leave_out(b, "policy: %s", err.text);
		return;
	}
	add_clean(b, rules_file(b->options),
	    "the rules, without comments and certificates", clean, clean_len);
	add_check(b, clean, clean_len, load);
}

/* "explain/001-shop_web-7.json"; names are those of objects that anyone may create. */
static char *
explain_name(size_t i, const struct pod *pod)
{
	char *name =
	    xasprintf("explain/%03zu-%.60s.json", i + 1, pod_full_name(pod));

	for (char *p = name + 8; *p != '\0'; p++)
		if (strchr("abcdefghijklmnopqrstuvwxyz0123456789.-", *p) ==
		    NULL)
			*p = '_';
	return name;
}

static void
add_explanation(struct bundle *b, size_t i, const struct profile *profile,
    struct cluster *cluster, struct pod *pod)
{
	AUTOFREE char *name = explain_name(i, pod), *json = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&json, &len);

	explain_json(b->options, profile, cluster, pod, EXPLAIN_BYTES, out);
	fclose(out);
	add(b, name, "why it is pending", json, len);
}

static void
add_explanations(struct bundle *b, const struct profiles *profiles,
    const struct load *load)
{
	const time_t begin = time(NULL);
	size_t n = 0, left = 0;

	for (size_t i = 0; i < load->npods; i++) {
		struct pod *pod = load->pods[i];

		if (!load_waits(b->options, profiles, pod))
			continue;
		if (n >= PODS_MOST || time(NULL) - begin > EXPLAIN_SECONDS) {
			left++;
			continue;
		}
		add_explanation(b, n++, load_serving(b->options, profiles, pod),
		    load->cluster, pod);
	}
	if (left > 0)
		leave_out(b, "explain: %zu more pending pods", left);
}

static void
add_cluster(struct bundle *b)
{
	struct bundle_objects objects = { 0 };
	const struct load_witness witness = bundle_witness(&objects);
	struct profiles *profiles = NULL;
	AUTOFREE char *json = NULL, *what = NULL;
	size_t len, nobjects;
	struct load load;
	struct err err;
	bool decides = load_profiles(b->options, &profiles) == EXIT_DONE;

	if (load_cluster(b->options, &profiles, &witness, &load, &err) != 0) {
		b->failed = true;
		ctl_say("%s", err.text);
		leave_out(b, "cluster.json: %s", err.text);
		free(bundle_objects_json(&objects, &len));
		add_rules(b, NULL);
		profiles_free(profiles);
		return;
	}
	b->release = load.release;
	nobjects = objects.n;
	json = bundle_objects_json(&objects, &len);
	what = xasprintf("%zu objects, for --cluster", nobjects);
	add_clean(b, "cluster.json", what, json, len);
	add_rules(b, &load);
	decides = decides &&
	    openshift_profile(&load.openshift, b->options, &profiles) ==
		EXIT_DONE;
	if (decides)
		add_explanations(b, profiles, &load);
	else
		leave_out(b, "explain: the rules are refused");
	b->failed = b->failed || !decides;
	profiles_free(profiles);
	load_fini(&load);
}

/* ---- events ---- */

/* Whether a scheduler has written the event. */
static bool
is_scheduling(const struct doc_node *event, const struct options *options)
{
	const char *component = "", *reporter = "";

	doc_get_string(doc_get(event, "source"), "component", "", &component,
	    NULL);
	doc_get_string(event, "reportingComponent", "", &reporter, NULL);
	return strstr(component, "schedul") != NULL ||
	    strstr(reporter, "schedul") != NULL ||
	    strcmp(component, sym_text(options->scheduler_name)) == 0 ||
	    strcmp(reporter, sym_text(options->scheduler_name)) == 0;
}

static void
put_event(struct json_out *json, const struct doc_node *event)
{
	static const char *const keys[] = { "involvedObject", "reason",
		"message", "type", "count", "firstTimestamp", "lastTimestamp",
		"eventTime", "series", "action", "source",
		"reportingComponent" };

	json_break(json, "");
	json_open(json, '{');
	for (size_t i = 0; i < LENGTH(keys); i++) {
		const struct doc_node *member = doc_get(event, keys[i]);

		if (member == NULL)
			continue;
		json_key(json, keys[i]);
		json_doc_node(json, member);
	}
	json_close(json, '}');
}

static void
add_events(struct bundle *b)
{
	struct text text = { 0 };
	struct json_out json = JSON_OUT_INIT(&text);
	struct doc *doc = NULL;
	struct err err;
	size_t len = 0;
	AUTOFREE char *body = NULL;

	if (b->options->nclusters > 0) {
		leave_out(b, "events.json: they are not in a dump");
		return;
	}
	body = live_get(b->options, false,
	    "/api/v1/events?limit=" EVENTS_MOST
	    "&fieldSelector=involvedObject.kind%3DPod",
	    &len, &err);
	if (body != NULL)
		doc = doc_parse("events", body, len, &doc_limits_people, &err);
	if (doc == NULL) {
		leave_out(b, "events.json: %s", err.text);
		return;
	}
	json_open(&json, '[');
	EACH_CHILD (p, doc_get(doc_root(doc), "items"))
		if (is_scheduling(p, b->options))
			put_event(&json, p);
	json_close(&json, ']');
	text_put(&text, "\n");
	add(b, "events.json", "the scheduler's, about pods", text.bytes,
	    text.len);
	text_fini(&text);
	doc_free(doc);
}

/* ---- the daemon ---- */

/* Pages that are missing with one status. */
struct failure {
	char *reason;      /* of the first of them; NULL: no page */
	struct text pages; /* their names */
};

/* 0: there was no response. */
static int
status_in(const char *reason)
{
	const char *status = strstr(reason, ": HTTP ");

	return status != NULL ? atoi(status + strlen(": HTTP ")) : 0;
}

/* There is room for one of each page; errors of the server differ. */
static void
note_failure(struct failure *f, const char *name, const char *reason)
{
	while (f->reason != NULL &&
	    (status_in(reason) >= 500 ||
		status_in(f->reason) != status_in(reason)))
		f++;
	if (f->reason == NULL)
		f->reason = xstrdup(reason);
	text_printf(&f->pages, "%s%s", f->pages.len > 0 ? ", " : "", name);
}

static void
add_daemon(struct bundle *b)
{
	static const struct {
		const char *path, *name, *what;
	} pages[] = {
		{ "/healthz?verbose", "daemon/healthz.txt", "its checks" },
		{ "/livez?verbose", "daemon/livez.txt", "its checks" },
		{ "/readyz?verbose", "daemon/readyz.txt", "its checks" },
		{ "/metrics", "daemon/metrics.txt", "its metrics" },
		{ "/metrics/resources", "daemon/resources.txt",
		    "requests of pods" },
		{ "/configz", "daemon/configz.json",
		    "effective configuration, policy in force" },
		{ "/flagz", "daemon/flagz.txt", "its flags" },
		{ "/statusz", "daemon/statusz.txt", "its status" },
		{ "/debug/decisions", "daemon/decisions.json",
		    "the last decisions" },
	};
	struct failure failures[LENGTH(pages)] = { 0 };

	if (b->options->daemon == NULL) {
		leave_out(b,
		    "daemon/: give the URL of predicated with "
		    "--daemon, such as https://127.0.0.1:10259");
		return;
	}
	for (size_t i = 0; i < LENGTH(pages); i++) {
		struct err err;
		size_t len = 0;
		AUTOFREE char *body =
		    live_get(b->options, true, pages[i].path, &len, &err);

		if (body != NULL) {
			add(b, pages[i].name, pages[i].what, body, len);
			continue;
		}
		b->failed = true;
		note_failure(failures, pages[i].name, err.text);
	}
	for (struct failure *f = failures;
	     f < failures + LENGTH(pages) && f->reason != NULL; f++) {
		leave_out(b, "%s: %s", f->pages.bytes, f->reason);
		free(f->reason);
		text_fini(&f->pages);
	}
}

/* ---- the log ---- */

static void
add_log(struct bundle *b)
{
	const char *path = b->options->log;
	struct text text = { 0 };
	char some[65536];
	const char *start;
	size_t n;
	FILE *in;

	if (path == NULL) {
		leave_out(b,
		    "log.txt: give a file with --log; journalctl -u "
		    "predicated | predicatectl bundle --log -");
		return;
	}
	in = strcmp(path, "-") == 0 ? stdin : fopen(path, "re");
	if (in == NULL) {
		b->failed = true;
		leave_out(b, "log.txt: %s: %s", path, strerror(errno));
		return;
	}
	while ((n = fread(some, 1, sizeof(some), in)) > 0) {
		text_append(&text, some, n);
		if (text.len > 2 * LOG_BYTES)
			text_drop(&text, text.len - LOG_BYTES);
	}
	if (in != stdin)
		fclose(in);
	if (text.len > LOG_BYTES) {
		text_drop(&text, text.len - LOG_BYTES);
		start = memchr(text.bytes, '\n', text.len);
		if (start != NULL)
			text_drop(&text, (size_t)(start + 1 - text.bytes));
		leave_out(b, "log.txt: all but its end");
	}
	add(b, "log.txt", "the end of the log", text.bytes, text.len);
	text_fini(&text);
}

/* ---- the whole ---- */

/* A command with which the decisions are made again. */
static char *
reproduction(const struct bundle *b)
{
	const struct options *o = b->options;

	if (b->release == 0)
		return xstrdup("");
	return xasprintf("The same decisions, in this folder:\n"
			 "  predicatectl simulate --cluster cluster.json%s%s "
			 "--kubernetes-version 1.%d --seed %" PRIu64 "%s%s\n\n",
	    options_follow_cluster(o) ? "" :
		o->config != NULL     ? " --config " :
					" --policy ",
	    options_follow_cluster(o) ? "" : rules_file(o), b->release, o->seed,
	    o->policy_options.strict ? " --strict-policy" : "",
	    o->policy_options.kosmos ? " --kosmos" : "");
}

static void
add_contents(struct bundle *b, const char *path)
{
	AUTOFREE char *again = reproduction(b);
	AUTOFREE char *all = xasprintf(
	    "A bug report of predicatectl %s.\n\n"
	    "It has names of nodes, namespaces, pods, images and labels. "
	    "Look through it before\nyou pass it on.\n\n"
	    "Inside:\n%s\n"
	    "Left out:\n%s"
	    "  of objects: all fields that decisions do not read, such as "
	    "environment\n"
	    "    variables, commands, most annotations, managedFields, image "
	    "pull secrets\n"
	    "  Secrets, ConfigMaps but for the policy, credentials of "
	    "kubeconfigs,\n"
	    "    certificates of a policy's extenders\n"
	    "  of texts: tokens, passwords, private keys; they read " REDACTED
	    "\n\n%s",
	    PACKAGE_VERSION, b->inside.bytes,
	    b->left_out.len > 0 ? b->left_out.bytes : "", again);

	archive_add(b->archive, FOLDER "CONTENTS.txt", all, strlen(all));
	printf("%s\n%s is written.\n", all, path);
}

static char *
default_path(time_t now)
{
	char stamp[32];
	struct tm tm;

	gmtime_r(&now, &tm);
	strftime(stamp, sizeof(stamp), "%Y%m%dT%H%M%SZ", &tm);
	return xasprintf("predicatectl-bundle-%s%s", stamp, archive_suffix);
}

int
bundle_run(const struct options *options)
{
	const time_t now = time(NULL);
	AUTOFREE char *path = options->write != NULL ? xstrdup(options->write) :
						       default_path(now);
	struct bundle b = { .options = options };
	struct err err;

	b.archive = archive_new(path, now, &err);
	if (b.archive == NULL)
		return ctl_fail(&err);
	add_versions(&b);
	add_cluster(&b);
	add_events(&b);
	add_daemon(&b);
	add_log(&b);
	add_contents(&b, path);
	text_fini(&b.inside);
	text_fini(&b.left_out);
	if (archive_close(b.archive, &err) != 0)
		return ctl_fail(&err);
	return b.failed ? EXIT_NEGATIVE : EXIT_DONE;
}

/* ---- the objects alone: predicatectl dump ---- */

int
dump_run(const struct options *options)
{
	struct bundle_objects objects = { 0 };
	const struct load_witness witness = bundle_witness(&objects);
	AUTOFREE char *json = NULL;
	struct load load;
	struct err err;
	size_t len;
	bool done = load_cluster(options, NULL, &witness, &load, &err) == 0;

	json = bundle_objects_json(&objects, &len);
	if (!done)
		return ctl_fail(&err);
	load_fini(&load);
	return load_write(options->write, "we", json, len);
}
