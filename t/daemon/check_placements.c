/*
 * Whether a policy allows the placements of a scheduler: every bound pod of a
 * cluster is taken from its node, and then must fit there.
 *
 *	check_placements [--policy P] --cluster C [OPTION…]
 *
 * Takes the options of predicatectl simulate.  A rule that looks at other pods
 * sees all of them where they ended up, so only rules that do not depend on the
 * order in which pods came can be checked this way.
 *
 * Prints a line for each pod that is where it must not be and for each node
 * that holds more than it has, then "N bound, N pending, N misplaced, N nodes
 * over-committed"; exit code 1 when there are such.
 */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/xmalloc.h"
#include "tool/commands/ctl.h"
#include "tool/input/load.h"
#include "tool/commands/options.h"
#include "decide/framework/cycle.h"
#include "decide/sched/filter.h"

static unsigned long bound, pending, misplaced, over;

static void
complain(const struct pod *pod, struct cycle *cycle, const struct why *why)
{
	misplaced++;
	printf("%s must not be on %s:", pod_full_name(pod),
	    sym_text(pod->node));
	for (size_t i = 0; i < why->n; i++)
		printf(" %s;", why->reasons[i]);
	if (cycle->nerrors > 0)
		printf(" %s", cycle_errors(cycle, false));
	putchar('\n');
}

static void
check_pod(struct cluster *cluster, const struct profile *profile,
    struct pod *pod)
{
	struct arena arena = ARENA_INIT;
	struct cycle cycle = { .cluster = cluster,
		.profile = profile,
		.pod = pod,
		.class = pod->class,
		.arena = &arena };
	struct why why = { .arena = &arena };
	const struct node_info *node;

	cluster_remove(cluster, &pod->object);
	node = cluster_node(cluster, pod->node);
	if (node == NULL || node->node == NULL) {
		why_add(&why, "there is no such node");
		complain(pod, &cycle, &why);
	} else if (filter_node(filter_new(&cycle), node, true, &why) != FITS) {
		complain(pod, &cycle, &why);
	}
	cluster_put(cluster, &pod->object);
	arena_fini(&arena);
}

static void
check_amount(const struct node_info *node, const char *what, int64_t requested,
    int64_t allocatable)
{
	if (requested <= allocatable)
		return;
	over++;
	printf("%s: %s requested %" PRId64 ", allocatable %" PRId64 "\n",
	    sym_text(node->name), what, requested, allocatable);
}

static void
check_node(const struct node_info *node)
{
	const struct resources *has = &node->node->allocatable;

	check_amount(node, "cpu", node->requested.cpu_milli, has->cpu_milli);
	check_amount(node, "memory", node->requested.memory, has->memory);
	check_amount(node, "ephemeral-storage",
	    node->requested.ephemeral_storage, has->ephemeral_storage);
	check_amount(node, "pods", node->npods, has->pods);
}

static void
check_all(struct load *load, const struct profile *profile)
{
	for (size_t i = 0; i < load->npods; i++) {
		struct pod *pod = load->pods[i];

		if (pod->node == SYM_EMPTY) {
			pending++;
			continue;
		}
		bound++;
		check_pod(load->cluster, profile, pod);
	}
	for (uint32_t i = 0; i < load->cluster->nnodes; i++)
		check_node(load->cluster->nodes[i]);
	printf("%lu bound, %lu pending, %lu misplaced, %lu nodes "
	       "over-committed\n",
	    bound, pending, misplaced, over);
}

int
main(int argc, char **argv)
{
	/* options_parse() wants the command's name */
	char **args = xcalloc((size_t)argc + 2, sizeof(*args));
	struct options options;
	struct profiles *profiles;
	struct load load;
	struct err err;
	int code;

	args[0] = argv[0];
	args[1] = (char[]){ "simulate" };
	for (int i = 1; i < argc; i++)
		args[i + 1] = argv[i];
	options_init(&options, "check_placements");
	if (options_parse(&options, argc + 1, args) != OPTIONS_RUN)
		return EXIT_USAGE;
	code = load_profiles(&options, &profiles);
	if (code != EXIT_DONE)
		return code;
	if (load_cluster(&options, &profiles, NULL, &load, &err) != 0) {
		fprintf(stderr, "check_placements: %s\n", err.text);
		return EXIT_INPUT;
	}
	check_all(&load, profiles->at[0]);
	load_fini(&load);
	profiles_free(profiles);
	options_fini(&options);
	free(args);
	return misplaced > 0 || over > 0;
}
