/*
 * The speed and the cost of decisions: make bench, or t/bench --help.
 *
 * Every cell of the table is a scenario (t/speed/scenarios.c) on a cluster of
 * one size, in a process of its own: its peak of memory is its own.  Pods
 * are placed one after the other, each assumed before the next; all nodes are
 * examined and scored.  The results are checked, so that nothing can be fast
 * and wrong; exit code 1 if something is.
 */
#include "config.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/err.h"
#include "base/xmalloc.h"
#include "policy/configuration/configuration.h"
#include "policy/policy.h"
#include "t/speed/cell.h"
#include "t/speed/report.h"

#define SIZES_MAX 16
#define FILES_MAX 16

static struct options options = {
	.seconds = 3,
	.pods = 30,
	.pods_in_all = 150000,
	.place = 10000,
	.keep = true,
	.predicatectl = "./predicatectl",
};
static const char *policy_path = "etc/examples/openshift-default.cfg";
static const char *config_path; /* NULL: profiles of policies */
static unsigned sizes[SIZES_MAX] = { 100, 1000, 5000, 15000, 50000 };
static size_t nsizes = 5;
static bool sizes_given;
static const char *clusters[FILES_MAX], *pods[FILES_MAX];
static size_t nclusters, npods;
static struct report report;

/* The first profile of the configuration, for all scenarios. */
static void
read_config(const struct policy_options *how)
{
	struct problems problems = { 0 };
	struct err err;
	size_t len;
	AUTOFREE char *text = policy_file_text(config_path, &len, &err);
	struct profile *first = NULL;

	if (text != NULL)
		first = profiles_first(configuration_read(config_path, text,
		    len, how, &problems, &err));
	if (first == NULL)
		die("%s", err.text);
	problems_fini(&problems);
	options.profile = options.default_profile = options.spreading_profile =
	    first;
}

static void
read_profiles(void)
{
	struct policy_options policy = { .gates = gates_default };
	struct problems problems = { 0 };
	struct err err;

	if (config_path != NULL) {
		read_config(&policy);
		return;
	}
	options.profile =
	    policy_read_file(policy_path, &policy, &problems, &err);
	if (options.profile == NULL)
		die("%s", err.text);
	problems_fini(&problems);
	options.default_profile = policy_provider("DefaultProvider", &policy);
	policy.gates.even_pods_spread = true;
	options.spreading_profile = policy_provider("DefaultProvider", &policy);
}

/* Has a child run the cell. */
static void
run_cell(const struct scenario *scenario, unsigned nodes, struct result *r)
{
	int fds[2], status;
	ssize_t got;
	pid_t pid;

	fflush(NULL);
	if (pipe(fds) != 0 || (pid = fork()) < 0)
		die("cannot start a process");
	if (pid == 0) {
		close(fds[0]);
		cell_run(scenario, &options, nodes, r);
		got = write(fds[1], r, sizeof(*r));
		_exit(got == (ssize_t)sizeof(*r) ? 0 : 2);
	}
	close(fds[1]);
	got = read(fds[0], r, sizeof(*r));
	close(fds[0]);
	if (waitpid(pid, &status, 0) != pid || status != 0 ||
	    got != (ssize_t)sizeof(*r)) {
		*r = (struct result){ .nodes = nodes };
		result_wrong(r, "the process that ran it failed");
	}
}

static void
run_and_report(const struct scenario *scenario, const char *name,
    unsigned nodes)
{
	struct result r;

	run_cell(scenario, nodes, &r);
	report_cell(&report, name, &r);
}

/* "n5000-mix" of "…/n5000-mix-cluster.json.gz". */
static char *
name_of(const char *path)
{
	const char *base = strrchr(path, '/');
	char *name = xstrdup(base != NULL ? base + 1 : path), *end;

	end = strstr(name, "-cluster");
	if (end == NULL)
		end = strchr(name, '.');
	if (end != NULL)
		*end = '\0';
	return name;
}

static void
run_scenario(const struct scenario *scenario)
{
	for (size_t i = 0; scenario->from_files && i < nclusters; i++) {
		options.cluster = clusters[i];
		options.to_place = pods[i];
		run_and_report(scenario, name_of(clusters[i]), 0);
	}
	for (size_t i = 0; !scenario->from_files && i < nsizes; i++)
		if (sizes_given || scenario->measure == NULL ||
		    sizes[i] == 5000)
			run_and_report(scenario, scenario->name, sizes[i]);
}

static bool
is_wanted(const struct scenario *scenario, int n, char **names)
{
	for (int i = 0; i < n; i++)
		if (strcmp(names[i], scenario->name) == 0)
			return true;
	return n == 0;
}

static void
check_names(int n, char **names)
{
	for (int i = 0; i < n; i++) {
		bool known = false;

		for (size_t j = 0; j < nscenarios; j++)
			known |= strcmp(names[i], scenarios[j].name) == 0;
		if (!known)
			die("there is no scenario \"%s\"", names[i]);
	}
}

static void
help(void)
{
	printf(
	    "usage: bench [OPTION...] [SCENARIO...]\n"
	    "\n"
	    "  --nodes N[,N...]    sizes of clusters (100,1000,5000,15000,"
	    "50000)\n"
	    "  --pods-per-node N   that are there already (30, but not more "
	    "than\n"
	    "                      150000 in all)\n"
	    "  --place N           how many to place, at most (10000)\n"
	    "  --seconds S         CPU time after which a cell ends (3; 0: "
	    "never)\n"
	    "  --policy FILE       (etc/examples/openshift-default.cfg)\n"
	    "  --config FILE       a KubeSchedulerConfiguration, whose first "
	    "profile decides\n"
	    "                      in place of a policy\n"
	    "  --no-ecache         keep no results between decisions\n"
	    "  --predicatectl FILE for cold-start (./predicatectl)\n"
	    "  --cluster FILE --pods FILE\n"
	    "                      dumps for the scenario \"files\", .gz or "
	    "not; may be\n"
	    "                      repeated together\n"
	    "  --output FILE       the same as JSON, one cell a line (below)\n"
	    "\n"
	    "Scenarios:\n");
	for (size_t i = 0; i < nscenarios; i++)
		printf("  %-16s  %s\n", scenarios[i].name, scenarios[i].what);
	printf(
	    "\n"
	    "Of each cell: decisions a second and the microseconds of one "
	    "(mean, median,\n"
	    "99th percentile) are CPU time of the one thread that decides, "
	    "which includes\n"
	    "assuming the pod, and preemption where it is tried; a pod that "
	    "preempts takes\n"
	    "two decisions.  Memory is the process's peak.  Afterwards, which "
	    "of the project's\n"
	    "goals these results meet.  Exit code 1 if a result is wrong, "
	    "not if it is slow.\n"
	    "\n"
	    "Members of a line of the output: scenario, nodes, pods (there at "
	    "the start),\n"
	    "tried, placed, evicted, decisions, cpu_seconds, wall_seconds, "
	    "per_second,\n"
	    "mean_us, p50_us, p99_us, peak_mib, memo_mib (of it, results "
	    "kept), wrong\n"
	    "(what is, or \"\").\n");
}

static unsigned
number(const char *text)
{
	char *end;
	unsigned long n = strtoul(text, &end, 10);

	if (end == text || *end != '\0' || n == 0 || n > 10000000)
		die("\"%s\" is no number from 1 to 10000000", text);
	return (unsigned)n;
}

static void
read_sizes(char *list)
{
	nsizes = 0;
	for (char *at = strtok(list, ","); at != NULL; at = strtok(NULL, ",")) {
		if (nsizes == SIZES_MAX)
			die("more than %d sizes", SIZES_MAX);
		sizes[nsizes++] = number(at);
	}
	sizes_given = true;
}

static void
add_file(const char **files, size_t *n, const char *path)
{
	if (*n == FILES_MAX)
		die("more than %d files", FILES_MAX);
	files[(*n)++] = path;
}

static void
set(int opt, char *value)
{
	switch (opt) {
	case 'n':
		read_sizes(value);
		break;
	case 'p':
		options.pods = number(value);
		break;
	case 'c':
		options.place = number(value);
		break;
	case 's':
		options.seconds = strtod(value, NULL);
		break;
	case 'P':
		policy_path = value;
		break;
	case 'K':
		config_path = value;
		break;
	case 'm':
		options.keep = false;
		break;
	case 'e':
		options.predicatectl = value;
		break;
	case 'C':
		add_file(clusters, &nclusters, value);
		break;
	case 'D':
		add_file(pods, &npods, value);
		break;
	case 'o':
		report.lines = fopen(value, "w");
		if (report.lines == NULL)
			die("cannot write %s", value);
		break;
	case 'h':
		help();
		exit(0);
	default:
		fputs("bench --help says how to use this\n", stderr);
		exit(2);
	}
}

int
main(int argc, char **argv)
{
	static const struct option table[] = {
		{ "nodes", required_argument, NULL, 'n' },
		{ "pods-per-node", required_argument, NULL, 'p' },
		{ "place", required_argument, NULL, 'c' },
		{ "seconds", required_argument, NULL, 's' },
		{ "policy", required_argument, NULL, 'P' },
		{ "config", required_argument, NULL, 'K' },
		{ "no-ecache", no_argument, NULL, 'm' },
		{ "predicatectl", required_argument, NULL, 'e' },
		{ "cluster", required_argument, NULL, 'C' },
		{ "pods", required_argument, NULL, 'D' },
		{ "output", required_argument, NULL, 'o' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	int opt;

	while ((opt = getopt_long(argc, argv, "", table, NULL)) != -1)
		set(opt, optarg);
	if (nclusters != npods)
		die("--cluster and --pods go together");
	check_names(argc - optind, argv + optind);
	read_profiles();
	report_begin(&report);
	for (size_t i = 0; i < nscenarios; i++)
		if (is_wanted(&scenarios[i], argc - optind, argv + optind))
			run_scenario(&scenarios[i]);
	report_goals(&report);
	return report_end(&report) ? 0 : 1;
}
