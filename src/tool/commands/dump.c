/*
 * predicatectl dump: the objects of a cluster as a file for --cluster, and what a bug
 * report needs besides, in the member "report" of the List.
 *
 * It has no secrets because it leaves out: of objects and policies it has only what
 * decisions read (dump_objects.h).  The log alone is as it is.
 */
#include "config.h"

#include <errno.h>

#include "base/doc.h"
#include "base/json_out.h"
#include "base/version.h"
#include "tool/commands/dump_objects.h"
#include "tool/commands/ctl.h"
#include "tool/input/load.h"
#include "tool/commands/options.h"

#define LOG_BYTES ((size_t)4 << 20) /* the end of the log */

struct dump {
	const struct options *options;
	struct json_out json;
	bool failed; /* something that was asked for is missing */
};

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
		ctl_say("%s", err.text);
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
		clean = dump_policy(name, text, len, &clean_len, &err);
	if (clean == NULL) {
		d->failed = true;
		ctl_say("%s", err.text);
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
		ctl_say("%s: %s", path, strerror(errno));
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
	struct dump_objects objects = { 0 };
	const struct load_witness witness = dump_witness(&objects);
	AUTOFREE char *json = NULL, *more = NULL;
	struct load load;
	struct err err;
	size_t len;
	int code;

	if (load_cluster(options, NULL, &witness, &load, &err) != 0) {
		free(dump_objects_json(&objects, NULL, &len));
		return ctl_fail(&err);
	}
	load_fini(&load);
	more = report(&d);
	json = dump_objects_json(&objects, more, &len);
	code = load_write(options->write, "we", json, len);
	return code == EXIT_DONE && d.failed ? EXIT_NEGATIVE : code;
}
