/* predicatectl check: problems of policy files, and, with a cluster, rules
 * without effect there. */
#include "config.h"

#include "base/err.h"
#include "base/xmalloc.h"
#include "ctl/ctl.h"
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
    struct err *err)
{
	struct profile *profile = load_policy(name, text, len,
	    &options->policy_options, problems, err);
	bool valid = profile != NULL;

	if (valid && load != NULL)
		lint(profile, load, problems);
	profile_free(profile);
	return valid;
}

static bool
check_configuration(const struct options *options, const char *name,
    const char *text, size_t len, struct problems *problems, struct err *err)
{
	struct configuration *configuration = configuration_read(name, text,
	    len, &options->policy_options, problems, err);
	bool valid = configuration != NULL;

	configuration_free(configuration);
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

/* load is NULL without a cluster. */
static int
check_one(const struct options *options, const char *path, bool is_policy,
    const struct load *load)
{
	const char *name = strcmp(path, "-") == 0 ? "stdin" : path;
	struct problems problems = { 0 };
	struct err err = { "" };
	AUTOFREE char *text = NULL;
	size_t len;
	bool valid;

	text = load_text(path, &len, &err);
	if (text == NULL) {
		ctl_say("%s", err.text);
		return EXIT_INPUT;
	}
	valid = is_policy ?
	    check_policy(options, name, text, len, load, &problems, &err) :
	    check_configuration(options, name, text, len, &problems, &err);
	for (size_t i = 0; i < problems.n; i++)
		print_problem(&options->screen, &problems.at[i]);
	print_summary(&options->screen, name, valid, &problems);
	if (!valid && is_policy && options->policy_options.strict)
		screen_print(&options->screen, STYLE_BAD,
		    "%s: kube-scheduler "
		    "1.15 ends with: %s\n",
		    name, err.text);
	else if (!valid && !is_policy)
		print_sentence(&options->screen, name, "kube-scheduler",
		    &problems, err.text);
	problems_fini(&problems);
	return valid ? EXIT_DONE : EXIT_NEGATIVE;
}

int
check_run(const struct options *options)
{
	const bool with_cluster = options->nclusters > 0;
	int worst = EXIT_DONE, code;
	struct load load;
	struct err err;

	if (with_cluster && load_cluster(options, NULL, &load, &err) != 0) {
		ctl_say("%s", err.text);
		return EXIT_INPUT;
	}
	for (size_t i = 0; i < options->npolicies; i++) {
		code = check_one(options, options->policies[i], true,
		    with_cluster ? &load : NULL);
		if (code > worst)
			worst = code;
	}
	if (options->config != NULL) {
		code = check_one(options, options->config, false, NULL);
		if (code > worst)
			worst = code;
	}
	if (with_cluster)
		load_fini(&load);
	return worst;
}
