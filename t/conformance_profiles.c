/*
 * Compares decisions of profiles of plugins with results of the real
 * kube-scheduler 1.20.2 and 1.36.2, and of releases between, (doc/semantics/12-kube-1.20.md and
 * 11-kube-1.36.md, Recorded results):
 *
 *	t/conformance_profiles [--only CATEGORY] [--id ID] [--show N]
 *	    [--fields LIST] --release MINOR FILE…
 *
 * As t/conformance, but by the JSON of predicatectl explain.  --fields: only
 * these, of
 *
 *	valid error profiles plugins pluginConfig fits code plugin reasons scores
 *	total best message scheduleError preemption preEnqueue prefilter
 *	postFilter allocations
 *
 * kube-scheduler refuses the configurations of other releases' versions and the
 * plugins of Kosmos; we know them, so such cases pass whether we refuse or not.  Of the
 * others, error says whether our problems are about the fields or plugins that its
 * error names.
 *
 * A case without configuration is decided by the default profile of the release.
 * Deliberate exceptions:
 *
 *	gangs                        a pod with a schedulingGroup fits nowhere, and
 *	                             there is no plugin GangScheduling
 */
#include "config.h"

#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/doc.h"
#include "base/err.h"
#include "base/json_out.h"
#include "base/xmalloc.h"
#include "cluster/cluster.h"
#include "objects/limits.h"
#include "objects/pod.h"
#include "policy/configuration/configuration.h"
#include "explain/explanation.h"
#include "t/lib/cases.h"
#include "t/lib/profiles_json.h"

static int release;
static struct decode_settings settings; /* by the gates of the case */
static struct doc *config;       /* of the case; NULL: it cannot be parsed */
static struct problems problems; /* of it */
static const char *fields;

static void differ(struct case_result *r, const char *field, const char *fmt,
    ...) __attribute__((format(printf, 3, 4)));

static bool
is_compared(const char *field)
{
	const char *at = fields;
	size_t len = strlen(field);

	if (fields == NULL)
		return true;
	while ((at = strstr(at, field)) != NULL) {
		if ((at == fields || at[-1] == ',') &&
		    (at[len] == ',' || at[len] == '\0'))
			return true;
		at += len;
	}
	return false;
}

static void
differ(struct case_result *r, const char *field, const char *fmt, ...)
{
	char text[sizeof(r->text)];
	va_list ap;

	if (r->failed || !is_compared(field))
		return;
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	case_differs(r, "%s", text);
}

/* The newest version that the release reads. */
static const char *
default_version(void)
{
	if (release < 22)
		return "v1beta1";
	if (release < 23)
		return "v1beta2";
	return release < 25 ? "v1beta3" : "v1";
}

static struct profiles *
read_configuration(const struct doc_node *c, struct err *err)
{
	const struct doc_node *gates = doc_get(c, "featureGates");
	const struct doc_node *given = doc_get(c, "configText");
	struct policy_options options = { .gates = gates_default,
		.kubernetes_minor = release };
	AUTOFREE char *text = NULL;
	struct err ignored;
	char gate[128];
	size_t len;
	FILE *out = open_memstream(&text, &len);

	if (gates != NULL)
		for (const struct doc_node *g = gates->first; g; g = g->next) {
			snprintf(gate, sizeof(gate), "%s=%d", g->key,
			    g->boolean);
			gates_parse(gate, &options.gates, NULL, NULL, &ignored);
		}
	problems_fini(&problems);
	settings = decode_defaults;
	settings.pod_level = options.gates.pod_level_resources;
	settings.pod_level_in_status =
	    options.gates.pod_level_resources_in_place;
	if (given != NULL)
		fwrite(given->text, 1, given->len, out);
	else if (doc_get(c, "config") != NULL)
		case_write(out, doc_get(c, "config"));
	else
		fprintf(out,
		    "{\"apiVersion\":\"kubescheduler.config.k8s.io/%s\","
		    "\"kind\":\"KubeSchedulerConfiguration\"}",
		    default_version());
	fclose(out);
	config = doc_parse("config", text, len, &doc_limits_people, NULL);
	return configuration_read("config", text, len, &options, &problems,
	    err);
}

static struct cluster *
read_cluster(const struct doc_node *c, struct case_result *r)
{
	const struct doc_node *items = doc_get(doc_get(c, "cluster"), "items");
	struct cluster *cluster = cluster_new();
	struct err err;

	cluster->kubernetes_minor = release;
	if (items == NULL)
		return cluster;
	for (const struct doc_node *i = items->first; i != NULL; i = i->next) {
		struct object *object;
		int ret = object_decode(&settings, i, "", &object, NULL, &err);

		if (ret < 0)
			differ(r, "valid", "cluster: %s", err.text);
		if (ret != 1)
			continue;
		cluster_put(cluster, object);
		object_unref(object);
	}
	return cluster;
}

/* The member of the array whose "name" this is. */
static const struct doc_node *
named(const struct doc_node *array, const char *name)
{
	if (array == NULL)
		return NULL;
	for (const struct doc_node *n = array->first; n != NULL; n = n->next)
		if (strcmp(case_text(n, "name"), name) == 0)
			return n;
	return NULL;
}

static void
compare_json(struct case_result *r, const char *field, const char *where,
    const struct doc_node *got, const struct doc_node *want)
{
	AUTOFREE char *a = case_json(got);
	AUTOFREE char *b = case_json(want);

	if (strcmp(a, b) != 0)
		differ(r, field, "%s %s: got %s, want %s", where, field, a, b);
}

/* Maps may be in any order. */
static void
compare_scores(struct case_result *r, const char *where,
    const struct doc_node *got, const struct doc_node *want)
{
	size_t ngot = got != NULL ? got->count : 0;
	size_t nwant = want != NULL ? want->count : 0;
	bool same = ngot == nwant;

	for (const struct doc_node *w = want != NULL ? want->first : NULL;
	     w != NULL; w = w->next) {
		const struct doc_node *g = doc_get(got, w->key);

		same = same && g != NULL && strcmp(g->text, w->text) == 0;
	}
	if (!same)
		compare_json(r, "scores", where, got, want);
}

static void
compare_nodes(struct case_result *r, const struct doc_node *got,
    const struct doc_node *want)
{
	static const char *const plain[] = { "fits", "code", "plugin",
		"reasons" };

	if (want == NULL)
		return;
	for (const struct doc_node *w = want->first; w != NULL; w = w->next) {
		const struct doc_node *g = named(got, w->key);

		if (g == NULL) {
			differ(r, "fits", "%s: not there", w->key);
			continue;
		}
		for (size_t i = 0; i < LENGTH(plain); i++)
			compare_json(r, plain[i], w->key, doc_get(g, plain[i]),
			    doc_get(w, plain[i]));
		if (!case_true(w, "fits"))
			continue;
		compare_scores(r, w->key, doc_get(g, "scores"),
		    doc_get(w, "scores"));
		compare_json(r, "total", w->key, doc_get(g, "total"),
		    doc_get(w, "total"));
		compare_json(r, "allocations", w->key,
		    doc_get(g, "allocations"), doc_get(w, "allocations"));
	}
}

static bool
has_text(const struct doc_node *array, const char *text)
{
	if (array == NULL)
		return false;
	for (const struct doc_node *n = array->first; n != NULL; n = n->next)
		if (n->kind == DOC_STRING && strcmp(n->text, text) == 0)
			return true;
	return false;
}

/* How important the pod is that preemption evicts: "PRIORITY START"; you own it. */
static char *
importance_of(const struct doc_node *c, const char *full_name)
{
	const struct doc_node *items = doc_get(doc_get(c, "cluster"), "items");

	for (const struct doc_node *i = items->first; i != NULL; i = i->next) {
		const struct doc_node *meta = doc_get(i, "metadata");
		const char *namespace = case_text(meta, "namespace");
		AUTOFREE char *priority =
		    case_json(doc_get(doc_get(i, "spec"), "priority"));
		AUTOFREE char *name = xasprintf("%s/%s",
		    *namespace != '\0' ? namespace : "default",
		    case_text(meta, "name"));

		if (strcmp(case_text(i, "kind"), "Pod") == 0 &&
		    strcmp(name, full_name) == 0)
			return xasprintf("%s %s", priority,
			    case_text(doc_get(i, "status"), "startTime"));
	}
	return xstrdup(full_name);
}

static size_t
count_importance(const struct doc_node *c, const struct doc_node *victims,
    const char *importance)
{
	size_t n = 0;

	for (const struct doc_node *v = victims->first; v; v = v->next) {
		AUTOFREE char *own = importance_of(c, v->text);

		n += strcmp(own, importance) == 0;
	}
	return n;
}

/* The code leaves it open which of equally important pods comes first. */
static bool
same_victims(const struct doc_node *c, const struct doc_node *a,
    const struct doc_node *b)
{
	if (a == NULL || b == NULL || a->count != b->count)
		return false;
	for (const struct doc_node *v = a->first; v != NULL; v = v->next) {
		AUTOFREE char *own = importance_of(c, v->text);

		if (count_importance(c, a, own) != count_importance(c, b, own))
			return false;
	}
	return true;
}

static void
compare_preemption(struct case_result *r, const struct doc_node *c,
    const struct doc_node *got, const struct doc_node *want, bool any_victims)
{
	const struct doc_node *ties = doc_get(want, "ties");
	const char *node = case_text(got, "node");
	const struct doc_node *victims, *mine = doc_get(got, "victims");
	AUTOFREE char *a = case_json(got);
	AUTOFREE char *b = case_json(want);

	if (*node == '\0') {
		if (ties != NULL && ties->count > 0)
			differ(r, "preemption", "preemption: got %s, want %s",
			    a, b);
		return;
	}
	victims =
	    doc_get(doc_get(doc_get(want, "candidates"), node), "victims");
	if (!has_text(ties, node) ||
	    (!any_victims && !same_victims(c, mine, victims)))
		differ(r, "preemption", "preemption: got %s, want %s", a, b);
}

/* Its code and message; the nominated node is compared as preemption. */
static void
compare_post_filter(struct case_result *r, const struct doc_node *got,
    const struct doc_node *want)
{
	const char *message = case_text(want, "message");
	const char *mine = case_text(got, "message");

	compare_json(r, "postFilter", "code", doc_get(got, "code"),
	    doc_get(want, "code"));
	if (strcmp(mine, message) != 0)
		differ(r, "postFilter", "postFilter: got \"%s\", want \"%s\"",
		    mine, message);
}

/* A pod that we place nowhere, whatever the reference does. */
static bool
fits_nowhere(const struct doc_node *c)
{
	const struct doc_node *spec = doc_get(doc_get(c, "pod"), "spec");

	return doc_get(spec, "schedulingGroup") != NULL;
}

static void
compare_nowhere(struct case_result *r, const struct doc_node *got)
{
	const struct doc_node *best = doc_get(got, "best");

	if (best != NULL && best->count > 0)
		differ(r, "fits", "fits, but must not");
	else if (*case_text(got, "message") == '\0')
		differ(r, "fits", "fits nowhere for no reason");
}

static void
compare_explanation(struct case_result *r, const struct doc_node *c,
    const struct doc_node *got, const struct doc_node *expect)
{
	const char *error = case_text(expect, "scheduleError");
	const char *message = case_text(got, "message");
	const struct doc_node *enqueues = doc_get(got, "preEnqueue");

	if (doc_get(expect, "preEnqueue") != NULL ||
	    (enqueues != NULL && enqueues->count > 0))
		compare_json(r, "preEnqueue", "", enqueues,
		    doc_get(expect, "preEnqueue"));
	if (*error != '\0') {
		/* one of several, or all of them */
		if (*message == '\0' || strstr(error, message) == NULL)
			differ(r, "scheduleError",
			    "scheduleError: got \"%s\", want \"%s\"", message,
			    error);
		return;
	}
	compare_nodes(r, doc_get(got, "nodes"), doc_get(expect, "nodes"));
	compare_json(r, "best", "", doc_get(got, "best"),
	    doc_get(expect, "best"));
	compare_json(r, "message", "", doc_get(got, "message"),
	    doc_get(expect, "message"));
	if (doc_get(expect, "prefilter") != NULL)
		compare_json(r, "prefilter", "", doc_get(got, "prefilter"),
		    doc_get(expect, "prefilter"));
	compare_preemption(r, c, doc_get(got, "preemption"),
	    doc_get(expect, "preemption"),
	    doc_get(expect, "orderDependent") != NULL);
	compare_post_filter(r, doc_get(got, "postFilter"),
	    doc_get(expect, "postFilter"));
}

static void
run_pod(struct case_result *r, const struct doc_node *c,
    const struct doc_node *expect, const struct profile *profile)
{
	struct arena arena = ARENA_INIT;
	struct cluster *cluster = read_cluster(c, r);
	struct pod *pod;
	struct err err;

	pod = (struct pod *)object_decode_as(&settings, OBJECT_POD,
	    doc_get(c, "pod"), &err);
	if (pod == NULL) {
		differ(r, "valid", "pod: %s", err.text);
	} else {
		struct cycle cycle = { .cluster = cluster,
			.profile = profile,
			.pod = pod,
			.class = pod->class,
			.arena = &arena,
			.seed = 1,
			.keep_scores = true };
		struct explanation e = { 0 };
		AUTOFREE char *text = NULL;
		struct doc *doc;
		size_t len;
		FILE *out = open_memstream(&text, &len);

		explanation_find(&e, &cycle);
		explanation_json(&e, out);
		fclose(out);
		doc =
		    doc_parse("explanation", text, len, &doc_limits_dump, &err);
		if (doc == NULL)
			differ(r, "valid", "explanation: %s", err.text);
		else if (fits_nowhere(c))
			compare_nowhere(r, doc_root(doc));
		else
			compare_explanation(r, c, doc_root(doc), expect);
		doc_free(doc);
		pod_unref(pod);
	}
	arena_fini(&arena);
	cluster_free(cluster);
}

/* Whether they are equal, members of objects in any order. */
static bool
same_value(const struct doc_node *a, const struct doc_node *b)
{
	if (a == NULL || b == NULL || a->kind != b->kind ||
	    a->count != b->count)
		return (a == NULL || a->kind == DOC_NULL) &&
		    (b == NULL || b->kind == DOC_NULL);
	if (a->kind == DOC_NULL)
		return true;
	if (a->kind == DOC_BOOL)
		return a->boolean == b->boolean;
	if (a->kind == DOC_NUMBER || a->kind == DOC_STRING)
		return strcmp(a->text, b->text) == 0;
	for (const struct doc_node *x = a->first, *y = b->first; x != NULL;
	     x = x->next, y = y->next)
		if (!same_value(x,
			a->kind == DOC_ARRAY ? y : doc_member(b, x->key)))
			return false;
	return true;
}

static bool
is_profile(const struct doc_node *made, const char *name)
{
	return strcmp(case_text(made, "schedulerName"), name) == 0;
}

/* The profiles' names, and of the one that serves the pod plugins and arguments. */
static void
compare_configuration(struct case_result *r,
    const struct profiles *configuration, const struct doc_node *c,
    const struct doc_node *expect)
{
	/* GangScheduling is not among our plugins */
	bool gangs = case_true(doc_get(c, "featureGates"), "GangScheduling");
	const struct doc_node *names = doc_get(expect, "profiles");
	const struct doc_node *made = NULL;
	struct text text = { 0 };
	struct json_out json = JSON_OUT_INIT(&text);
	struct err err;
	struct doc *doc;

	if (names == NULL)
		return;
	t_profiles_json(configuration, &json);
	doc = doc_parse("configuration", text.bytes, text.len, &doc_limits_dump,
	    &err);
	if (doc == NULL) {
		differ(r, "profiles", "%s: %s", err.text, text.bytes);
	} else {
		made = doc_get(doc_root(doc), "profiles");
		if (made->count != names->count)
			differ(r, "profiles", "profiles: got %zu, want %zu",
			    made->count, names->count);
		for (made = made->first; made != NULL; made = made->next) {
			if (!has_text(names, case_text(made, "schedulerName")))
				differ(r, "profiles", "profile %s: not there",
				    case_text(made, "schedulerName"));
			if (!is_profile(made, case_text(expect, "profile")))
				continue;
			if (!gangs &&
			    !same_value(doc_get(made, "plugins"),
				doc_get(expect, "plugins")))
				compare_json(r, "plugins", "",
				    doc_get(made, "plugins"),
				    doc_get(expect, "plugins"));
			if (!same_value(doc_get(made, "pluginConfig"),
				doc_get(expect, "pluginConfig")))
				compare_json(r, "pluginConfig", "",
				    doc_get(made, "pluginConfig"),
				    doc_get(expect, "pluginConfig"));
		}
	}
	doc_free(doc);
	text_fini(&text);
}

/* Whether it is refused because of a version or of a plugin of Kosmos, which we
 * know. */
static bool
is_known_to_us(const struct doc_node *expect)
{
	static const char *const versions[] = { "v1alpha1", "v1alpha2",
		"v1beta1", "v1beta2", "v1beta3", "v1" };
	const char *error = case_text(expect, "error");
	char text[160];

	if (strstr(error, "Plugin \"LeafNode") != NULL)
		return true;

	for (size_t i = 0; i < LENGTH(versions); i++) {
		snprintf(text, sizeof(text),
		    "no kind \"KubeSchedulerConfiguration\" is registered for "
		    "version \"kubescheduler.config.k8s.io/%s\"",
		    versions[i]);
		if (strncmp(error, text, strlen(text)) == 0)
			return true;
	}
	return false;
}

static bool
has_error_about(const char *name)
{
	for (size_t i = 0; i < problems.n; i++)
		if (problems.at[i].severity == SEVERITY_ERROR &&
		    strstr(problems.at[i].text, name) != NULL)
			return true;
	return false;
}

static bool
has_error_at(const struct doc_node *node)
{
	for (size_t i = 0; i < problems.n; i++)
		if (problems.at[i].severity == SEVERITY_ERROR &&
		    problems.at[i].line == node->line &&
		    problems.at[i].column == node->column)
			return true;
	return false;
}

static bool
has_error_in(const struct doc_node *node)
{
	if (has_error_at(node))
		return true;
	EACH_CHILD (child, node)
		if (has_error_in(child))
			return true;
	return false;
}

/* "[1].key", "key": the member or element, and the rest of the path. */
static const struct doc_node *
step(const struct doc_node *node, const char **path)
{
	size_t len;
	char key[128];

	*path += **path == '.';
	if (**path == '[') {
		unsigned long i = strtoul(*path + 1, (char **)path, 10);

		++*path;
		for (node = node->first; node != NULL && i > 0; i--)
			node = node->next;
		return node;
	}
	len = strcspn(*path, ".[");
	snprintf(key, sizeof(key), "%.*s", (int)len, *path);
	*path += len;
	/* kube-scheduler leaves out the member between */
	if (doc_get(node, key) == NULL && doc_get(node, "preference") != NULL)
		node = doc_get(node, "preference");
	return doc_get(node, key);
}

/* Whether an error names the field's key, is in the field or on the way to it; where
 * it ends if there is no such field. */
static bool
is_about_field(const char *path)
{
	const char *key = strrchr(path, '.');
	const struct doc_node *node = doc_root(config), *next;

	if (key != NULL && has_error_about(key + 1))
		return true;
	while (
	    *path != '\0' && (*path != '[' || strchr("0123456789", path[1]))) {
		next = step(node, &path);
		if (next == NULL)
			return has_error_at(node);
		node = next;
		if (has_error_at(node))
			return true;
	}
	return has_error_in(node);
}

/* Whether an error names the plugin, or is in what a profile gives it. */
static bool
is_about_plugin(const char *name)
{
	const struct doc_node *profiles = doc_get(doc_root(config), "profiles");

	if (has_error_about(name))
		return true;
	EACH_CHILD (profile, profiles) {
		const struct doc_node *entry =
		    named(doc_get(profile, "pluginConfig"), name);

		if (entry != NULL && has_error_in(entry))
			return true;
	}
	return false;
}

/* Which of the fields and plugins that the error names we say nothing about; "" if
 * there is none. */
static void
find_missing(const char *error, char *name, size_t size)
{
	static const char *const words[] = { ": Invalid value",
		": Required value", ": Duplicate value", ": Unsupported value",
		": Forbidden" };
	const char *at, *begin;

	for (size_t i = 0; i < LENGTH(words); i++)
		for (at = error; (at = strstr(at, words[i])) != NULL; at++) {
			for (begin = at; begin > error && begin[-1] != ' ';)
				begin--;
			begin += *begin == '[';
			snprintf(name, size, "%.*s", (int)(at - begin), begin);
			/* those of arguments begin there when it creates a plugin */
			if (strstr(error, "initializing plugin") == NULL &&
			    !is_about_field(name))
				return;
		}
	at = strstr(error, "lugin \"");
	if (at != NULL) {
		at = strchr(at, '"') + 1;
		snprintf(name, size, "%.*s", (int)strcspn(at, "\""), at);
		if (!is_about_plugin(name))
			return;
	}
	*name = '\0';
}

static void
run_case(const struct doc_node *root, struct case_result *r)
{
	char missing[256];
	const struct doc_node *c = doc_get(root, "case");
	const struct doc_node *expect = doc_get(root, "expect");
	const struct doc_node *served = doc_get(expect, "profile");
	struct err err = { "" };
	struct profiles *configuration = read_configuration(c, &err);
	const char *wanted = case_text(expect, "error");
	const struct profile *profile;

	if (!case_true(expect, "valid")) {
		if (configuration != NULL && !is_known_to_us(expect))
			differ(r, "valid", "accepted, want refused: %s: %s",
			    case_text(expect, "stage"), wanted);
		else if (configuration == NULL &&
		    strcmp(case_text(expect, "stage"), "decode") != 0) {
			find_missing(wanted, missing, sizeof(missing));
			if (*missing != '\0')
				differ(r, "error",
				    "%s: got \"%s\", want \"%s\"", missing,
				    err.text, wanted);
		}
	} else if (configuration == NULL) {
		differ(r, "valid", "refused: %s", err.text);
	} else {
		const char *name = case_text(doc_get(doc_get(c, "pod"), "spec"),
		    "schedulerName");

		compare_configuration(r, configuration, c, expect);
		profile = profiles_serving(configuration,
		    *name != '\0' ? name : "default-scheduler");
		if (served == NULL || served->kind != DOC_STRING) {
			if (profile != NULL)
				differ(r, "valid", "a profile serves the pod");
		} else if (profile == NULL) {
			differ(r, "valid", "no profile serves the pod");
		} else {
			run_pod(r, c, expect, profile);
		}
	}
	profiles_free(configuration);
	doc_free(config);
}

static int
usage(void)
{
	fputs("usage: conformance_profiles [--only CATEGORY] [--id ID] "
	      "[--show N] [--fields LIST] --release MINOR FILE...\n",
	    stderr);
	return 2;
}

int
main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "release", required_argument, NULL, 'r' },
		{ "only", required_argument, NULL, 'o' },
		{ "id", required_argument, NULL, 'i' },
		{ "fields", required_argument, NULL, 'f' },
		{ "show", required_argument, NULL, 's' },
		{ NULL, 0, NULL, 0 },
	};
	struct cases cases = { .run = run_case, .show = 3 };
	int opt;

	while ((opt = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (opt == 'o')
			cases.only = optarg;
		else if (opt == 'i')
			cases.id = optarg;
		else if (opt == 'f')
			fields = optarg;
		else if (opt == 's')
			cases.show = strtoul(optarg, NULL, 10);
		else if (opt == 'r')
			release = atoi(optarg);
		else
			return usage();
	}
	if (optind == argc || release < 20)
		return usage();
	return cases_run(&cases, argc - optind, argv + optind);
}
