/*
 * predicatectl dump: the objects of a cluster as a file for --cluster, and what a bug
 * report needs besides, in the member "report" of the List.
 *
 * It has no secrets because it leaves out: of objects and policies it has only the
 * fields that decisions read (objects/fields.h).  Environment variables, commands, most
 * annotations, managedFields, image pull secrets and messages are not among them;
 * Secrets and ConfigMaps neither, but for the policy in OpenShift's.  The log alone is
 * as it is.
 */
#include "config.h"

#include <errno.h>
#include <strings.h>

#include "base/doc.h"
#include "base/json_out.h"
#include "base/version.h"
#include "objects/fields.h"
#include "policy/openshift.h"
#include "policy/policy.h"
#include "tool/commands/ctl.h"
#include "tool/input/load.h"
#include "tool/commands/options.h"

#define POLICY_KEY "policy.cfg"
#define LOG_BYTES ((size_t)4 << 20) /* the end of the log */

struct dump {
	const struct options *options;
	struct text
	    kinds[OBJECT_KINDS + 1]; /* objects; the last: of OpenShift */
	struct json_out json;        /* of the report */
	bool failed; /* something that was asked for is missing */
};

/* ---- which fields ---- */

#define ROW(key_)                                                              \
	{                                                                      \
		.key = key_                                                    \
	}
#define END                                                                    \
	{                                                                      \
		.key = NULL                                                    \
	}

static const struct doc_field names[] = { ROW("name"), ROW("namespace"),
	ROW("uid"), ROW("creationTimestamp"), END };

static const struct doc_field project_annotations[] = {
	ROW("scheduler.alpha.kubernetes.io/node-selector"),
	ROW("openshift.io/node-selector"),
	ROW("scheduler.alpha.kubernetes.io/defaultTolerations"), END
};
static const struct doc_field project_meta[] = { ROW("name"), ROW("uid"),
	ROW("labels"), ROW("creationTimestamp"), ROW("deletionTimestamp"),
	{ .key = "annotations", .within = project_annotations }, END };
static const struct doc_field project_fields[] = {
	{ .key = "metadata", .within = project_meta }, END
};

/* Custom resources: all of the spec counts. */
static const struct doc_field spec_fields[] = {
	{ .key = "metadata", .within = names }, ROW("spec"), END
};

static const struct doc_field scheduler_annotations[] = {
	ROW(OPENSHIFT_ANNOTATION), END
};
static const struct doc_field scheduler_meta[] = { ROW("name"),
	{ .key = "annotations", .within = scheduler_annotations }, END };
static const struct doc_field scheduler_fields[] = {
	{ .key = "metadata", .within = scheduler_meta }, ROW("spec"), END
};

static const struct doc_field *
fields_of(const struct object *object)
{
	const struct doc_field *fields;

	if (object == NULL)
		return scheduler_fields;
	if (object->kind == OBJECT_NAMESPACE)
		return project_fields;
	fields = object_fields(object->kind);
	return fields != NULL ? fields : spec_fields;
}

/* ---- the text ---- */

static void put_value(struct json_out *json, const struct doc_node *node,
    const struct doc_field *fields);

static void
put_members(struct json_out *json, const struct doc_node *node,
    const struct doc_field *fields, bool is_root)
{
	EACH_CHILD (p, node) {
		const struct doc_field *field = doc_field(fields, p->key);

		/* Messages, of conditions, are free text; no decision reads
		 * them.  The type of the object has been written. */
		if (field == NULL || strcmp(p->key, "message") == 0 ||
		    (is_root && text_is_choice("kind|apiVersion", p->key)))
			continue;
		json_key(json, p->key);
		put_value(json, p, field->within);
	}
}

/* fields NULL: all of it. */
static void
put_value(struct json_out *json, const struct doc_node *node,
    const struct doc_field *fields)
{
	if (fields == NULL ||
	    (node->kind != DOC_OBJECT && node->kind != DOC_ARRAY)) {
		json_doc_node(json, node);
	} else if (node->kind == DOC_ARRAY) {
		json_open(json, '[');
		EACH_CHILD (p, node)
			put_value(json, p, fields);
		json_close(json, ']');
	} else {
		json_open(json, '{');
		put_members(json, node, fields, false);
		json_close(json, '}');
	}
}

/* ---- policies ---- */

/* Of tlsConfig, in any case as Go reads it: keys, and files of this machine. */
static bool
is_of_machine(const char *key)
{
	static const char *const keys[] = { "certFile", "keyFile", "caFile",
		"certData", "keyData" };

	return ANY(i, LENGTH(keys), strcasecmp(key, keys[i]) == 0);
}

static void
put_clean(struct json_out *json, const struct doc_node *node)
{
	const char *brackets = node->kind == DOC_ARRAY ? "[]" : "{}";

	if (node->kind != DOC_OBJECT && node->kind != DOC_ARRAY) {
		json_doc_node(json, node);
		return;
	}
	json_open(json, brackets[0]);
	EACH_CHILD (p, node) {
		if (p->key != NULL && is_of_machine(p->key))
			continue;
		if (p->key != NULL)
			json_key(json, p->key);
		if (p->key != NULL && strcasecmp(p->key, "urlPrefix") == 0) {
			AUTOFREE char *url = url_without_user(doc_string(p));

			json_string(json, url);
		} else {
			put_clean(json, p);
		}
	}
	json_close(json, brackets[1]);
}

/* A policy or configuration, or a ConfigMap with one, as JSON without its comments,
 * extenders' certificates, and users and passwords in URLs; you own it, NULL: err. */
static char *
clean_policy(const char *name, const char *text, size_t text_len, size_t *len,
    struct err *err)
{
	struct text clean = { 0 };

	if (policy_rewrite(name, text, text_len, put_clean, &clean, err) != 0)
		return NULL;
	text_put(&clean, "\n");
	*len = clean.len;
	return text_take(&clean);
}

/* A ConfigMap of openshift-config: its policy alone. */
static void
put_config_map(struct json_out *json, const struct doc_node *root)
{
	const struct doc_node *text = policy_of_manifest(root);
	AUTOFREE char *policy = NULL;
	size_t len;

	json_open_member(json, "metadata", '{');
	put_members(json, doc_get(root, "metadata"), names, false);
	json_close(json, '}');
	if (text == NULL)
		return;
	policy = clean_policy(POLICY_KEY, text->text, text->len, &len, NULL);
	if (policy == NULL)
		return;
	json_open_member(json, "data", '{');
	json_pair(json, POLICY_KEY, policy);
	json_close(json, '}');
}

/* ---- objects ---- */

static void
take(void *arg, const struct object *object, const struct doc_node *root,
    const char *kind, const char *api_version)
{
	struct dump *d = arg;
	struct text *text =
	    &d->kinds[object != NULL ? object->kind : OBJECT_KINDS];
	struct json_out json = JSON_OUT_INIT(text);
	const char *named =
	    object != NULL ? object_kind_name(object->kind) : kind;

	text_put(text, text->len > 0 ? ",\n" : "");
	json_open(&json, '{');
	json_members(&json, "apiVersion:s kind:s", api_version, named);
	if (object == NULL && strcmp(kind, "ConfigMap") == 0)
		put_config_map(&json, root);
	else
		put_members(&json, root, fields_of(object), true);
	json_close(&json, '}');
}

/* The List, you own it; empties d->kinds.  report: a member of it as JSON, or NULL. */
static char *
list_json(struct dump *d, const char *report, size_t *len)
{
	struct text all = { 0 };
	const char *before = "\n";

	text_put(&all, "{\"apiVersion\":\"v1\",\"kind\":\"List\",\"items\":[");
	for (size_t i = 0; i <= OBJECT_KINDS; i++) {
		struct text *kind = &d->kinds[i];

		if (kind->len == 0)
			continue;
		text_put(&all, before);
		text_append(&all, kind->bytes, kind->len);
		text_fini(kind);
		before = ",\n";
	}
	text_put(&all, "\n]");
	if (report != NULL)
		text_printf(&all, ",\n\"report\":%s", report);
	text_put(&all, "}\n");
	*len = all.len;
	return text_take(&all);
}

/* ---- the report ---- */

/* A member with the response: as JSON if it is that, else as a text. */
static void
put_response(struct dump *d, const char *key, bool of_daemon, const char *path)
{
	struct err err;
	size_t len = 0;
	AUTOFREE char *body = live_get(d->options, of_daemon, path, &len, &err);
	struct doc *doc;

	if (body == NULL) {
		d->failed = true;
		ctl_print("%s", err.text);
		return;
	}
	json_key(&d->json, key);
	doc = body[0] == '{' ?
	    doc_parse(path, body, len, &doc_limits_people, NULL) :
	    NULL;
	if (doc != NULL)
		json_doc_node(&d->json, doc_root(doc));
	else
		json_string(&d->json, body);
	doc_free(doc);
}

/* The policy or configuration that is given. */
static void
put_rules(struct dump *d)
{
	AUTOFREE char *name = NULL, *text = NULL, *clean = NULL;
	size_t len = 0, clean_len;
	struct err err;

	if (options_follow_cluster(d->options))
		return;
	if (load_rules(d->options, &name, &text, &len, &err) == 0)
		clean = clean_policy(name, text, len, &clean_len, &err);
	if (clean == NULL) {
		d->failed = true;
		ctl_print("%s", err.text);
		return;
	}
	json_key(&d->json,
	    d->options->config != NULL ? "configuration" : "policy");
	json_raw(&d->json, clean);
}

/* Its end, in whole lines. */
static void
put_log(struct dump *d)
{
	const char *path = d->options->log, *start;
	struct text text = { 0 };
	char some[65536];
	bool cut = false;
	size_t n;
	FILE *in;

	if (path == NULL)
		return;
	in = options_is_stdin(path) ? stdin : fopen(path, "re");
	if (in == NULL) {
		d->failed = true;
		ctl_print("%s: %s", path, strerror(errno));
		return;
	}
	while ((n = fread(some, 1, sizeof(some), in)) > 0) {
		text_append(&text, some, n);
		if (text.len <= 2 * LOG_BYTES)
			continue;
		text_drop(&text, text.len - LOG_BYTES);
		cut = true;
	}
	if (in != stdin)
		fclose(in);
	if (text.len > LOG_BYTES) {
		text_drop(&text, text.len - LOG_BYTES);
		cut = true;
	}
	for (size_t i = 0; i < text.len; i++)
		if (text.bytes[i] == '\0')
			text.bytes[i] = ' ';
	start = cut ? memchr(text.bytes, '\n', text.len) : NULL;
	json_pair(&d->json, "log",
	    start != NULL    ? start + 1 :
		text.len > 0 ? text.bytes :
			       "");
	text_fini(&text);
}

/* The report; NULL: nothing of it is asked for.  You own it. */
static char *
report(struct dump *d)
{
	static const char *const pages[] = { "/debug/status", "/configz",
		"/metrics", "/debug/decisions" };
	const struct options *o = d->options;
	struct text text = { 0 };

	if (options_follow_cluster(o) && o->daemon == NULL && o->log == NULL)
		return NULL;
	d->json = (struct json_out)JSON_OUT_INIT(&text);
	json_open(&d->json, '{');
	json_open_member(&d->json, "versions", '{');
	json_key(&d->json, "clientVersion");
	version_json(&d->json);
	if (o->nclusters == 0)
		put_response(d, "serverVersion", false, "/version");
	if (o->daemon != NULL)
		put_response(d, "daemonVersion", true, "/version");
	json_close(&d->json, '}');
	put_rules(d);
	if (o->daemon != NULL) {
		json_open_member(&d->json, "daemon", '{');
		for (size_t i = 0; i < LENGTH(pages); i++)
			put_response(d, pages[i], true, pages[i]);
		json_close(&d->json, '}');
	}
	put_log(d);
	json_close(&d->json, '}');
	return text_take(&text);
}

int
dump_run(const struct options *options)
{
	struct dump d = { .options = options };
	const struct load_witness witness = { take, &d };
	AUTOFREE char *json = NULL, *more = NULL;
	struct load load;
	struct err err;
	size_t len;
	int code;

	if (load_cluster(options, NULL, &witness, &load, &err) != 0) {
		free(list_json(&d, NULL, &len));
		return ctl_fail(&err);
	}
	load_fini(&load);
	more = report(&d);
	json = list_json(&d, more, &len);
	code = load_write(options->write, "we", json, len);
	return code == EXIT_DONE && d.failed ? EXIT_NEGATIVE : code;
}
