/* predicatectl check: problems of policy files, and, with a cluster, rules
 * without effect there. */
#include "config.h"

#include "base/err.h"
#include "base/excerpt.h"
#include "base/json_out.h"
#include "base/text.h"
#include "base/xmalloc.h"
#include "ctl/ctl.h"
#include "ctl/whatif.h"
#include "ctl/lint.h"
#include "ctl/load.h"
#include "ctl/options.h"
#include "policy/configuration.h"

#include <stdlib.h>
#include <string.h>

static void
print_problem(const struct screen *screen, const struct problem *problem)
{
	char line[4096];

	screen_print(screen,
	    problem->severity == SEVERITY_ERROR ? STYLE_BAD : STYLE_PLAIN,
	    "%s\n", problem_text(problem, line, sizeof(line)));
}

static const char *
plural(size_t n)
{
	return n == 1 ? "" : "s";
}

static void
print_summary(const struct screen *screen, const char *name, bool valid,
    const struct problems *problems)
{
	size_t nwarnings = problems->n - problems->nerrors;

	if (!valid)
		screen_print(screen, STYLE_BAD,
		    "%s: refused: %zu error%s, %zu "
		    "warning%s\n",
		    name, problems->nerrors, plural(problems->nerrors),
		    nwarnings, plural(nwarnings));
	else if (nwarnings > 0)
		screen_print(screen, STYLE_GOOD, "%s: ok, %zu warning%s\n",
		    name, nwarnings, plural(nwarnings));
	else
		screen_print(screen, STYLE_GOOD, "%s: ok\n", name);
}

/* load is NULL without a cluster. */
static bool
check_policy(const struct options *options, const char *name, const char *text,
    size_t len, const struct load *load, struct problems *problems,
    struct problems *rules, struct err *err)
{
	struct profile *profile = load_policy(name, text, len,
	    &options->policy_options, problems, err);
	bool valid = profile != NULL;

	if (valid && load != NULL)
		lint(profile, false, load, problems);
	if (valid && load != NULL && (options->all || options->json))
		lint_rules(profile, false, load, rules);
	profile_free(profile);
	return valid;
}

/* load is NULL without a cluster. */
static bool
check_configuration(const struct options *options, const char *name,
    const char *text, size_t len, const struct load *load,
    struct problems *problems, struct problems *rules, struct err *err)
{
	struct profiles *profiles = configuration_read(name, text, len,
	    &options->policy_options, problems, err);
	bool valid = profiles != NULL;
	size_t n = valid && load != NULL ? profiles->n : 0;

	for (size_t i = 0; i < n; i++)
		lint(profiles->at[i], n > 1, load, problems);
	for (size_t i = 0; i < n && (options->all || options->json); i++)
		lint_rules(profiles->at[i], n > 1, load, rules);
	profiles_free(profiles);
	return valid;
}

static bool
ends_with(const char *text, const char *end)
{
	size_t len = strlen(text), n = strlen(end);

	return len >= n && strcmp(text + len - n, end) == 0;
}

/* kube-scheduler's sentence, where no problem has it already. */
static void
print_sentence(const struct screen *screen, const char *name,
    const char *program, const struct problems *problems, const char *sentence)
{
	for (size_t i = 0; i < problems->n; i++)
		if (ends_with(sentence, problems->at[i].text))
			return;
	screen_print(screen, STYLE_BAD, "%s: %s ends with: %s\n", name, program,
	    sentence);
}

/* ---- for programs ---- */

static void
json_problem(struct json_out *json, const struct problem *problem,
    const char *severity)
{
	json_break(json, "   ");
	json_open(json, '{');
	json_pair(json, "severity", severity);
	json_pair(json, "file", problem->file);
	if (problem->line > 0) {
		json_pair_int(json, "line", problem->line);
		json_pair_int(json, "column", problem->column);
	}
	json_pair(json, "message", problem->text);
	json_close(json, '}');
}

/* error is NULL for a valid file. */
static void
json_file(struct json_out *json, const char *name,
    const struct problems *problems, const struct problems *rules,
    const char *error)
{
	json_begin_item(json);
	json_pair(json, "file", name);
	json_pair_bool(json, "valid", error == NULL);
	if (error != NULL) {
		json_pair(json, "error", error);
	}
	json_pair_int(json, "errors", (int64_t)problems->nerrors);
	json_pair_int(json, "warnings",
	    (int64_t)(problems->n - problems->nerrors));
	json_key(json, "problems");
	json_open(json, '[');
	for (size_t i = 0; i < problems->n; i++)
		json_problem(json, &problems->at[i],
		    problems->at[i].severity == SEVERITY_ERROR ? "error" :
								 "warning");
	json_close(json, ']');
	json_key(json, "rules");
	json_open(json, '[');
	for (size_t i = 0; rules != NULL && i < rules->n; i++)
		json_problem(json, &rules->at[i], "note");
	json_close(json, ']');
	json_close(json, '}');
}

/* ---- the command ---- */

/* A file to check, and all that is said of it. */
struct checked {
	const char *name, *text;
	size_t len;
	bool is_policy, valid;
	struct problems problems;
	struct problems rules; /* notes: lint_rules() */
	struct err err;        /* unless it is valid */
};

/* Errors show their line, unless it is in a text within the file's. */
static void
print_excerpt(const struct screen *screen, const struct checked *c,
    const struct problem *problem)
{
	AUTOFREE char *lines = NULL;

	if (problem->severity != SEVERITY_ERROR ||
	    strcmp(problem->file, c->name) != 0)
		return;
	lines = excerpt(c->text, c->len, problem->line, problem->column);
	for (char *p = lines, *next; p != NULL && *p != '\0'; p = next) {
		next = p + strcspn(p, "\n");
		*next++ = '\0';
		screen_print(screen, STYLE_PLAIN, "%s\n", p);
	}
}

static void
print_note(const struct screen *screen, const struct problem *note)
{
	if (note->line > 0)
		screen_print(screen, STYLE_PLAIN, "%s:%u:%u: note: %s\n",
		    note->file, note->line, note->column, note->text);
	else
		screen_print(screen, STYLE_PLAIN, "%s: note: %s\n", note->file,
		    note->text);
}

static void
print_checked(const struct options *options, const struct checked *c)
{
	const struct screen *screen = &options->screen;

	for (size_t i = 0; i < c->problems.n; i++) {
		print_problem(screen, &c->problems.at[i]);
		print_excerpt(screen, c, &c->problems.at[i]);
	}
	for (size_t i = 0; i < c->rules.n; i++)
		print_note(screen, &c->rules.at[i]);
	print_summary(screen, c->name, c->valid, &c->problems);
	if (!c->valid && c->is_policy && options->policy_options.strict)
		screen_print(screen, STYLE_BAD,
		    "%s: kube-scheduler "
		    "1.15 ends with: %s\n",
		    c->name, c->err.text);
	else if (!c->valid && !c->is_policy)
		print_sentence(screen, c->name, "kube-scheduler", &c->problems,
		    c->err.text);
}

/* json is NULL for people, load without a cluster. */
static int
check_one(const struct options *options, struct json_out *json,
    const char *path, bool is_policy, const struct load *load)
{
	struct checked c = {
		.name = strcmp(path, "-") == 0 ? "stdin" : path,
		.is_policy = is_policy,
	};
	AUTOFREE char *text = NULL;
	size_t len, nwarnings;

	text = load_text(path, &len, &c.err);
	if (text == NULL) {
		ctl_say("%s", c.err.text);
		if (json != NULL)
			json_file(json, c.name, &c.problems, NULL, c.err.text);
		return EXIT_INPUT;
	}
	c.text = text;
	c.len = len;
	c.valid = is_policy ? check_policy(options, c.name, text, len, load,
				  &c.problems, &c.rules, &c.err) :
			      check_configuration(options, c.name, text, len,
				  load, &c.problems, &c.rules, &c.err);
	if (json != NULL)
		json_file(json, c.name, &c.problems, &c.rules,
		    c.valid ? NULL : c.err.text);
	else
		print_checked(options, &c);
	nwarnings = c.problems.n - c.problems.nerrors;
	problems_fini(&c.problems);
	problems_fini(&c.rules);
	return c.valid && (nwarnings == 0 || !options->fail_on_warning) ?
	    EXIT_DONE :
	    EXIT_NEGATIVE;
}

static int
worse(int a, int b)
{
	return a > b ? a : b;
}

/* load is NULL without a cluster. */
static int
check_all(const struct options *options, struct json_out *json,
    const struct load *load)
{
	int worst = EXIT_DONE;

	for (size_t i = 0; i < options->npolicies; i++)
		worst = worse(worst,
		    check_one(options, json, options->policies[i], true, load));
	if (options->config != NULL)
		worst = worse(worst,
		    check_one(options, json, options->config, false, load));
	return worst;
}

static int
check_json(const struct options *options, const struct load *load)
{
	struct text text = { 0 };
	struct json_out json = JSON_OUT_INIT(&text);
	int worst;

	json_open(&json, '{');
	json_key(&json, "files");
	json_open(&json, '[');
	worst = check_all(options, &json, load);
	json_close(&json, ']');
	json_close(&json, '}');
	text_put(&text, "\n");
	text_write(&text, stdout);
	return worst;
}

int
check_run(const struct options *options)
{
	const bool with_cluster = options->nclusters > 0 || options->live;
	struct load load;
	struct err err;
	int worst;

	if (with_cluster && load_cluster(options, NULL, &load, &err) != 0) {
		ctl_say("%s", err.text);
		return EXIT_INPUT;
	}
	worst = options->json ?
	    check_json(options, with_cluster ? &load : NULL) :
	    check_all(options, NULL, with_cluster ? &load : NULL);
	if (with_cluster)
		load_fini(&load);
	return worst;
}
