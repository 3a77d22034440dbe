/* predicatectl check: problems of policy files, and, with a cluster, rules
 * without effect there. */
#include "config.h"

#include "base/excerpt.h"
#include "tool/commands/ctl.h"
#include "tool/input/load.h"
#include "tool/commands/mend.h"
#include "tool/commands/report.h"
#include "tool/commands/upgrade.h"
#include "explain/lint/lint.h"

/* A file to check, and all that is said of it. */
struct checked {
	const char *name, *text;
	size_t len;
	bool is_policy, valid;
	struct problems problems;
	struct problems mended;
	struct problems rules; /* notes: lint_rules() */
	struct upgrade upgrade;
	struct problems changes; /* of the upgrade */
	struct err err;          /* unless it is valid */
};

/* ---- for programs ---- */

static void
put_problems(struct json_out *json, const char *key,
    const struct problems *problems, const char *unless_error)
{
	JSON_ARRAY (json, key, i, problems->n) {
		const struct problem *p = &problems->at[i];

		json_break(json, "   ");
		json_open(json, '{');
		json_members(json, "severity:s file:s",
		    p->severity == SEVERITY_ERROR ? "error" : unless_error,
		    p->file);
		if (p->line > 0) {
			json_members(json, "line:d column:d", (int64_t)p->line,
			    (int64_t)p->column);
		}
		json_pair(json, "message", p->text);
		json_close(json, '}');
	}
}

static void
put_file(struct json_out *json, const struct checked *c)
{
	json_break(json, "  ");
	json_open(json, '{');
	json_members(json, "file:s valid:b", c->name, c->valid);
	if (!c->valid)
		json_pair(json, "error", c->err.text);
	json_members(json, "errors:d warnings:d", (int64_t)c->problems.nerrors,
	    (int64_t)(c->problems.n - c->problems.nerrors));
	put_problems(json, "problems", &c->problems, "warning");
	if (c->mended.n > 0)
		put_problems(json, "mended", &c->mended, "warning");
	put_problems(json, "rules", &c->rules, "note");
	if (c->upgrade.to != 0) {
		AUTOFREE char *from = xasprintf("1.%d", c->upgrade.from);
		AUTOFREE char *to = xasprintf("1.%d", c->upgrade.to);

		json_members(json, "from:s to:s", from, to);
		put_problems(json, "upgrade", &c->changes, "note");
	}
	json_close(json, '}');
}

/* ---- for people ---- */

/* Errors show their line, unless it is in a text within the file's. */
static void
say_problem(const struct report *r, const struct checked *c,
    const struct problem *problem)
{
	bool is_error = problem->severity == SEVERITY_ERROR;
	AUTOFREE char *lines = NULL;
	char line[4096];

	report_say(r, is_error ? STYLE_BAD : STYLE_PLAIN, "%s\n",
	    problem_text(problem, line, sizeof(line)));
	if (!is_error || strcmp(problem->file, c->name) != 0)
		return;
	lines = excerpt(c->text, c->len, problem->line, problem->column);
	if (lines != NULL)
		report_say(r, STYLE_PLAIN, "%s", lines);
}

/* kind: "note" */
static void
say_note(const struct report *r, const char *kind, const struct problem *note)
{
	if (note->line > 0)
		report_say(r, STYLE_PLAIN, "%s:%u:%u: %s: %s\n", note->file,
		    note->line, note->column, kind, note->text);
	else
		report_say(r, STYLE_PLAIN, "%s: %s: %s\n", note->file, kind,
		    note->text);
}

/* What the upgrade refuses, as an error, and what it changes. */
static void
say_upgrade(const struct report *r, const struct checked *c)
{
	size_t nerrors = c->changes.nerrors, n = c->changes.n - nerrors;

	if (c->upgrade.to == 0 || !c->valid)
		return;
	for (size_t i = 0; i < c->changes.n; i++)
		if (c->changes.at[i].severity == SEVERITY_ERROR)
			say_problem(r, c, &c->changes.at[i]);
		else
			say_note(r, "note", &c->changes.at[i]);
	report_say(r, nerrors > 0 ? STYLE_BAD : STYLE_GOOD,
	    "%s: from 1.%d to 1.%d: %zu error%s, %zu change%s\n", c->name,
	    c->upgrade.from, c->upgrade.to, nerrors, plural_of(nerrors), n,
	    plural_of(n));
}

static void
say_checked(const struct report *r, const struct checked *c)
{
	size_t nerrors = c->problems.nerrors;
	size_t nwarnings = c->problems.n - nerrors;

	for (size_t i = 0; i < c->mended.n; i++)
		say_note(r, "mended", &c->mended.at[i]);
	for (size_t i = 0; i < c->problems.n; i++)
		say_problem(r, c, &c->problems.at[i]);
	for (size_t i = 0; i < c->rules.n; i++)
		say_note(r, "note", &c->rules.at[i]);
	if (!c->valid)
		report_say(r, STYLE_BAD,
		    "%s: refused: %zu error%s, %zu warning%s\n", c->name,
		    nerrors, plural_of(nerrors), nwarnings,
		    plural_of(nwarnings));
	else if (nwarnings > 0)
		report_say(r, STYLE_GOOD, "%s: ok, %zu warning%s\n", c->name,
		    nwarnings, plural_of(nwarnings));
	else
		report_say(r, STYLE_GOOD, "%s: ok\n", c->name);
	say_upgrade(r, c);
}

/* ---- the command ---- */

/* load is NULL without a cluster. */
static void
check_text(const struct options *options, struct checked *c,
    const struct load *load)
{
	struct profiles *profiles = load_parse(!c->is_policy, c->name, c->text,
	    c->len, &options->policy_options, &c->problems, &c->err);
	bool elsewhere;

	/* A configuration may name a policy that is elsewhere. */
	c->valid = c->problems.nerrors == 0;
	elsewhere = c->valid && profiles == NULL;
	if (profiles != NULL && load != NULL) {
		const struct lint_cluster on = { load->cluster, load->npods,
			load->pods, load->nunsupported };

		lint(profiles, &on, &c->problems);
		if (options->all || options->json)
			lint_rules(profiles, &on, &c->rules);
	}
	profiles_free(profiles);
	c->upgrade = (struct upgrade){
		.name = c->name,
		.text = c->text,
		.len = c->len,
		.is_policy = c->is_policy,
		.from =
		    load != NULL ? load->release : options->kubernetes_minor,
		.to = elsewhere ? 0 : options->upgrade_to,
	};
	if (c->upgrade.to != 0)
		upgrade_check(&c->upgrade, &options->policy_options,
		    &c->changes);
}

static int
check_one(struct report *r, const char *path, bool is_policy,
    const struct load *load)
{
	const struct options *o = r->options;
	struct checked c = {
		.name = strcmp(path, "-") == 0 ? "stdin" : path,
		.is_policy = is_policy,
	};
	AUTOFREE char *text = load_text(path, &c.len, &c.err);
	int code;

	if (text != NULL && o->fix)
		text = mend(o, !is_policy, c.name, text, &c.len, &c.mended);
	c.text = text;
	if (text == NULL)
		ctl_say("%s", c.err.text);
	else
		check_text(o, &c, load);
	put_file(&r->json, &c);
	if (text != NULL)
		say_checked(r, &c);
	code = text == NULL ? EXIT_INPUT :
	    c.valid && c.changes.nerrors == 0 &&
		(c.problems.n + c.changes.n == c.problems.nerrors ||
		    !o->fail_on_warning) ?
			      EXIT_DONE :
			      EXIT_NEGATIVE;
	if (text != NULL && o->fix) {
		/* A file is replaced only if it is named twice. */
		bool again = o->write != NULL && strcmp(o->write, path) == 0;

		if (load_write(o->write, again ? "we" : "wxe", c.text, c.len) !=
		    EXIT_DONE)
			code = EXIT_INPUT;
	}
	problems_fini(&c.problems);
	problems_fini(&c.mended);
	problems_fini(&c.changes);
	problems_fini(&c.rules);
	return code;
}

/* load is NULL without a cluster. */
static int
check_all(const struct options *options, const struct load *load)
{
	struct report r;
	int worst = EXIT_DONE;

	report_begin(&r, options);
	json_open_member(&r.json, "files", '[');
	for (size_t i = 0; i <= options->nwords; i++) {
		bool is_policy = i < options->nwords;
		const char *path =
		    is_policy ? options->words[i] : options->config;
		int code = EXIT_DONE;

		if (path != NULL)
			code = check_one(&r, path, is_policy, load);
		if (code > worst)
			worst = code;
	}
	json_close(&r.json, ']');
	report_end(&r);
	return worst;
}

int
check_run(const struct options *options)
{
	const bool with_cluster = options->nclusters > 0 || options->live;
	struct options own = *options;
	struct load load;
	struct err err;
	int worst;

	if (own.fix && own.write == NULL)
		own.screen.out = stderr;
	if (!with_cluster)
		return check_all(&own, NULL);
	if (load_cluster(options, NULL, NULL, &load, &err) != 0)
		return ctl_fail(&err);
	worst = check_all(&own, &load);
	load_fini(&load);
	return worst;
}
