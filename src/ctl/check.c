/* predicatectl check: problems of policy files, and, with a cluster, rules
 * without effect there. */
#include "config.h"

#include "base/err.h"
#include "base/xmalloc.h"
#include "ctl/ctl.h"
#include "ctl/lint.h"
#include "ctl/load.h"
#include "ctl/options.h"

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
print_summary(const struct screen *screen, const char *name,
    const struct profile *profile, const struct problems *problems)
{
	size_t nwarnings = problems->n - problems->nerrors;

	if (profile == NULL)
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
static int
check_one(const struct options *options, const char *path,
    const struct load *load)
{
	const char *name = strcmp(path, "-") == 0 ? "stdin" : path;
	struct problems problems = { 0 };
	struct profile *profile;
	struct err err = { "" };
	AUTOFREE char *text = NULL;
	size_t len;
	int code;

	text = load_text(path, &len, &err);
	if (text == NULL) {
		ctl_say("%s", err.text);
		return EXIT_INPUT;
	}
	profile = policy_read(name, text, len, &options->policy_options,
	    &problems, &err);
	if (profile != NULL && load != NULL)
		lint(profile, load, &problems);
	for (size_t i = 0; i < problems.n; i++)
		print_problem(&options->screen, &problems.at[i]);
	print_summary(&options->screen, name, profile, &problems);
	if (profile == NULL && options->policy_options.strict)
		screen_print(&options->screen, STYLE_BAD,
		    "%s: kube-scheduler "
		    "1.15 ends with: %s\n",
		    name, err.text);
	code = profile != NULL ? EXIT_DONE : EXIT_NEGATIVE;
	profile_free(profile);
	problems_fini(&problems);
	return code;
}

int
check_run(const struct options *options)
{
	const bool with_cluster = options->nclusters > 0;
	int worst = EXIT_DONE, code;
	struct load load;
	struct err err;

	if (with_cluster && load_cluster(options, &load, &err) != 0) {
		ctl_say("%s", err.text);
		return EXIT_INPUT;
	}
	for (size_t i = 0; i < options->npolicies; i++) {
		code = check_one(options, options->policies[i],
		    with_cluster ? &load : NULL);
		if (code > worst)
			worst = code;
	}
	if (with_cluster)
		load_fini(&load);
	return worst;
}
