/* predicatectl check: problems of policy files, what an upgrade of Kubernetes changes for
 * them, and, with a cluster, rules without effect there. */
#include "config.h"

#include <ctype.h>

#include "base/excerpt.h"
#include "base/text.h"
#include "tool/commands/ctl.h"
#include "tool/input/load.h"
#include "tool/commands/mend.h"
#include "tool/commands/report.h"
#include "explain/lint/lint.h"
#include "objects/changes.h"
#include "objects/release.h"
#include "policy/convert/convert.h"

#define GROUP "kubescheduler.config.k8s.io/"
#define LAST_WITH_POLICIES 22

/* A file to check, and all that is said of it. */
struct checked {
	const char *name, *text;
	size_t len;
	bool is_policy, valid;
	struct problems problems;
	struct problems mended;
	struct problems rules; /* notes: lint_rules() */
	/* Minor releases of the upgrade; from 0: not known, and then set; to 0: none. */
	int from, to;
	struct problems changes; /* of the upgrade */
	struct err err;          /* unless it is valid */
};

/* An upgrade in the making: the profiles before and after it. */
struct upgrade {
	struct checked *file;
	const struct policy_options *options;
	struct profiles *before, *after; /* after NULL: refused, or a policy */
	const struct profile *profile;   /* of before; where lines are */
};

/* Where a rule stands; line 0: in no line of the file. */
struct place {
	bool is_there;
	unsigned line, column;
};

static void __attribute__((format(printf, 4, 5)))
add_change(const struct upgrade *s, enum severity severity,
    const struct place *at, const char *fmt, ...)
{
	AUTOFREE char *text = NULL;

	XFORMAT(text, fmt);
	/* Of another profile already. */
	if (problems_have(&s->file->changes, at->line, at->column, text))
		return;
	problem_add(&s->file->changes, severity, s->file->name, at->line,
	    at->column, "%s", text);
}

static const struct place whole = { .is_there = true };

/* ---- an upgrade: the rules of a profile ---- */

/* Whether it is the plugin of release 1.36 that has the rule under this name. */
static bool
is_plugin_of(const struct upgrade *s, const char *plugin, struct counterpart c,
    const char *name)
{
	const char *its =
	    s->file->is_policy ? counterpart_plugin(&c, 36) : NULL;

	return strcmp(its != NULL ? its : name, plugin) == 0;
}

static bool
lists(const struct profile *profile, const char *plugin, int32_t *weight)
{
	bool found = false;

	*weight = 0;
	for (int point = 0; point < NPOINTS; point++) {
		const struct profile_point *list = &profile->points[point];

		for (size_t i = 0; i < list->n; i++)
			if (strcmp(list->plugins[i].name, plugin) == 0) {
				found = true;
				*weight += list->plugins[i].weight;
			}
	}
	return found;
}

static void
look(struct place *at, bool same, unsigned line, unsigned column)
{
	if (!same || (at->is_there && at->line > 0))
		return;
	*at = (struct place){ true, line, column };
}

/* The first place in the file that names the plugin, or none if it is a default. */
static struct place
place_of(const struct upgrade *s, const char *plugin)
{
	const struct profile *p = s->profile;
	struct place at = { .is_there = s->file->is_policy &&
		    strcmp(plugin, "DefaultPreemption") == 0 };
	int32_t weight;

	for (size_t i = 0; i < p->npredicates; i++)
		look(&at,
		    is_plugin_of(s, plugin,
			counterpart_of_predicate(p->predicates[i].unit),
			p->predicates[i].name),
		    p->predicates[i].line, p->predicates[i].column);
	for (size_t i = 0; i < p->npriorities; i++)
		look(&at,
		    is_plugin_of(s, plugin,
			counterpart_of_priority(p->priorities[i].unit),
			p->priorities[i].name),
		    p->priorities[i].line, p->priorities[i].column);
	at.is_there = at.is_there || lists(p, plugin, &weight);
	return at;
}

static void
print_changes(const struct upgrade *s)
{
	const struct release_change *c = NULL;

	while (
	    (c = release_change_next(c, s->file->from, s->file->to)) != NULL) {
		struct place at =
		    strcmp(c->rule, "all") == 0 ? whole : place_of(s, c->rule);

		if (at.is_there && (c->in_policies || !s->file->is_policy))
			add_change(s, SEVERITY_WARNING, &at,
			    "from 1.%d on %s: %s", c->since, c->rule, c->what);
	}
}

/* ---- a configuration as it is read after the upgrade ---- */

/* Default plugins that come, go or change their weights. */
static void
print_defaults(const struct upgrade *s, const struct profile *before,
    const struct profile *after)
{
	int32_t weight, old;

	for (int point = 0; point < NPOINTS; point++)
		for (size_t i = 0; i < after->points[point].n; i++) {
			const char *name = after->points[point].plugins[i].name;

			lists(after, name, &weight);
			if (!lists(before, name, &old))
				add_change(s, SEVERITY_WARNING, &whole,
				    "%s is enabled by default", name);
			else if (weight != old)
				add_change(s, SEVERITY_WARNING, &whole,
				    "%s: the default weight is %d, not %d",
				    name, weight, old);
		}
	for (int point = 0; point < NPOINTS; point++)
		for (size_t i = 0; i < before->points[point].n; i++) {
			const char *name =
			    before->points[point].plugins[i].name;

			if (!lists(after, name, &weight))
				add_change(s, SEVERITY_WARNING, &whole,
				    "%s is no default plugin any more", name);
		}
}

/* The text, in a version that the later release reads; you own it. */
static char *
text_after(const struct upgrade *s)
{
	const struct profile *p = s->before->at[0];
	const struct checked *u = s->file;
	const char *at = strstr(u->text, GROUP), *rest = u->text, *end, *start;
	struct place place = { true, 1, 1 };
	AUTOFREE char *old = NULL, *new = NULL;
	struct convert_target target;
	struct text out = { 0 };
	struct err err;
	size_t len;

	if (at == NULL || (p->first_reader > 0 && u->to <= p->last_reader) ||
	    convert_target(NULL, u->to, &target, &err) != 0)
		return xstrdup(u->text);
	for (end = at + strlen(GROUP); isalnum((unsigned char)*end);)
		end++;
	old = xasprintf("%.*s", (int)(end - at), at);
	new = xasprintf(GROUP "%s", target.version);
	len = strlen(old);
	for (start = u->text; start < at; start++) {
		place.line += *start == '\n';
		place.column = *start == '\n' ? 1 : place.column + 1;
	}
	add_change(s, SEVERITY_ERROR, &place,
	    "kube-scheduler 1.%d does not read %s; what follows is about %s",
	    u->to, old + strlen(GROUP), target.version);
	for (; (at = strstr(rest, old)) != NULL; rest = at + len) {
		text_append(&out, rest, (size_t)(at - rest));
		text_put(&out, isalnum((unsigned char)at[len]) ? old : new);
	}
	text_put(&out, rest);
	return text_take(&out);
}

static void
read_after(struct upgrade *s, const struct problems *known)
{
	struct policy_options how = *s->options;
	struct problems problems = { 0 };
	AUTOFREE char *text = text_after(s);
	struct err err;

	how.kubernetes_minor = s->file->to;
	s->after = load_parse(true, s->file->name, text, strlen(text), &how,
	    &problems, &err);
	for (size_t i = 0; i < problems.n; i++) {
		const struct problem *p = &problems.at[i];
		const struct place at = { true, p->line, p->column };

		if (FIND_ROW(known->at, known->n, text, p->text) == NULL)
			add_change(s, p->severity, &at, "%s", p->text);
	}
	problems_fini(&problems);
}

/* ---- gates ---- */

static void
print_gates(const struct upgrade *s)
{
	const struct gates *given = &s->options->gates;
	struct gates before = *given, after = *given;
	const char *name;

	gates_of_release(&before, s->file->from);
	gates_of_release(&after, s->file->to);
	for (size_t i = 0; (name = gates_name(i)) != NULL; i++) {
		bool is_given = (given->given >> i & 1) != 0;

		if (is_given && gates_has(i, s->file->from) &&
		    !gates_has(i, s->file->to))
			add_change(s, SEVERITY_ERROR, &whole,
			    "--feature-gates: kube-scheduler 1.%d has no gate "
			    "%s",
			    s->file->to, name);
		else if (gates_is_on(&before, i) != gates_is_on(&after, i) &&
		    !s->file->is_policy)
			add_change(s, SEVERITY_WARNING, &whole,
			    "the gate %s is on by default", name);
	}
}

/* ---- policies ---- */

/* What a configuration for the later release cannot say. */
static void
print_conversion(const struct upgrade *s)
{
	struct convert_target target;
	struct problems notes = { 0 };
	struct text out = { 0 };
	struct err err;

	if (s->file->to <= LAST_WITH_POLICIES ||
	    s->file->from > LAST_WITH_POLICIES ||
	    convert_target(NULL, s->file->to, &target, &err) != 0)
		return;
	add_change(s, SEVERITY_WARNING, &whole,
	    "kube-scheduler reads no policy from 1.%d on, but predicated does; "
	    "'predicatectl convert --kubernetes-version 1.%d' writes the "
	    "configuration",
	    LAST_WITH_POLICIES + 1, s->file->to);
	convert_policy(s->profile, "default-scheduler", &target, &out, &notes);
	for (size_t i = 0; i < notes.n; i++) {
		const struct place at = { true, notes.at[i].line,
			notes.at[i].column };

		add_change(s, SEVERITY_WARNING, &at,
		    "for kube-scheduler 1.%d: %s", s->file->to,
		    notes.at[i].text);
	}
	problems_fini(&notes);
	text_fini(&out);
}

/* ---- both ---- */

/* Reads it as before the upgrade: as the first release that reads it, unless another
 * is known to. */
static void
read_before(struct upgrade *s, struct problems *problems)
{
	struct policy_options how = *s->options;
	struct checked *u = s->file;
	const struct profile *p;
	struct err err;

	how.kubernetes_minor = u->from;
	s->before = load_parse(!u->is_policy, u->name, u->text, u->len, &how,
	    problems, &err);
	if (s->before == NULL || s->before->n == 0)
		return;
	p = s->before->at[0];
	if (p->first_reader > 0 &&
	    (u->from < p->first_reader || u->from > p->last_reader)) {
		u->from = p->first_reader;
		problems_fini(problems);
		profiles_free(s->before);
		read_before(s, problems);
	} else if (u->from == 0) {
		u->from = p->release;
	}
}

/*
 * Adds to file->changes an error for everything with which kube-scheduler after the
 * upgrade refuses the file, or options of it, and a warning for everything that changes:
 * by the table of objects/changes.h, and by reading the file as the release after the
 * upgrade does.  A file that is refused before is left alone.
 */
static void
check_upgrade(struct checked *file, const struct policy_options *options)
{
	struct upgrade s = { .file = file, .options = options };
	struct problems problems = { 0 };

	read_before(&s, &problems);
	if (s.before != NULL && s.before->n > 0) {
		if (!file->is_policy)
			read_after(&s, &problems);
		for (size_t i = 0; i < s.before->n; i++) {
			s.profile = s.before->at[i];
			if (file->is_policy)
				print_conversion(&s);
			else if (s.after != NULL)
				print_defaults(&s, s.profile, s.after->at[i]);
			if (!file->is_policy || !options->strict)
				print_changes(&s);
		}
		print_gates(&s);
	}
	problems_fini(&problems);
	profiles_free(s.before);
	profiles_free(s.after);
}

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
	if (c->to != 0) {
		AUTOFREE char *from = xasprintf("1.%d", c->from);
		AUTOFREE char *to = xasprintf("1.%d", c->to);

		json_members(json, "from:s to:s", from, to);
		put_problems(json, "upgrade", &c->changes, "note");
	}
	json_close(json, '}');
}

/* ---- for people ---- */

/* Errors show their line, unless it is in a text within the file's. */
static void
print_problem(const struct report *r, const struct checked *c,
    const struct problem *problem)
{
	bool is_error = problem->severity == SEVERITY_ERROR;
	AUTOFREE char *lines = NULL;
	char line[4096];

	report_print(r, is_error ? STYLE_BAD : STYLE_PLAIN, "%s\n",
	    problem_text(problem, line, sizeof(line)));
	if (!is_error || strcmp(problem->file, c->name) != 0)
		return;
	lines = excerpt(c->text, c->len, problem->line, problem->column);
	if (lines != NULL)
		report_print(r, STYLE_PLAIN, "%s", lines);
}

/* kind: "note" */
static void
print_note(const struct report *r, const char *kind, const struct problem *note)
{
	if (note->line > 0)
		report_print(r, STYLE_PLAIN, "%s:%u:%u: %s: %s\n", note->file,
		    note->line, note->column, kind, note->text);
	else
		report_print(r, STYLE_PLAIN, "%s: %s: %s\n", note->file, kind,
		    note->text);
}

/* What the upgrade refuses, as an error, and what it changes. */
static void
print_upgrade(const struct report *r, const struct checked *c)
{
	size_t nerrors = c->changes.nerrors, n = c->changes.n - nerrors;

	if (c->to == 0 || !c->valid)
		return;
	for (size_t i = 0; i < c->changes.n; i++)
		if (c->changes.at[i].severity == SEVERITY_ERROR)
			print_problem(r, c, &c->changes.at[i]);
		else
			print_note(r, "note", &c->changes.at[i]);
	report_print(r, nerrors > 0 ? STYLE_BAD : STYLE_GOOD,
	    "%s: from 1.%d to 1.%d: %zu error%s, %zu change%s\n", c->name,
	    c->from, c->to, nerrors, plural_of(nerrors), n, plural_of(n));
}

static void
print_checked(const struct report *r, const struct checked *c)
{
	size_t nerrors = c->problems.nerrors;
	size_t nwarnings = c->problems.n - nerrors;

	for (size_t i = 0; i < c->mended.n; i++)
		print_note(r, "mended", &c->mended.at[i]);
	for (size_t i = 0; i < c->problems.n; i++)
		print_problem(r, c, &c->problems.at[i]);
	for (size_t i = 0; i < c->rules.n; i++)
		print_note(r, "note", &c->rules.at[i]);
	if (!c->valid)
		report_print(r, STYLE_BAD,
		    "%s: refused: %zu error%s, %zu warning%s\n", c->name,
		    nerrors, plural_of(nerrors), nwarnings,
		    plural_of(nwarnings));
	else if (nwarnings > 0)
		report_print(r, STYLE_GOOD, "%s: ok, %zu warning%s\n", c->name,
		    nwarnings, plural_of(nwarnings));
	else
		report_print(r, STYLE_GOOD, "%s: ok\n", c->name);
	print_upgrade(r, c);
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
	c->from = load != NULL ? load->release : options->kubernetes_minor;
	c->to = elsewhere ? 0 : options->upgrade_to;
	if (c->to != 0)
		check_upgrade(c, &options->policy_options);
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
		ctl_print("%s", c.err.text);
	else
		check_text(o, &c, load);
	put_file(&r->json, &c);
	if (text != NULL)
		print_checked(r, &c);
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
