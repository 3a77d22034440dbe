/*
 * How fast decide() is: make bench, or t/bench [--nodes N] [--pods-per-node N]
 * [--place N] [SCENARIO…].
 *
 * Every scenario starts from nodes in three zones that already hold pods, and
 * places more, one after the other, each assumed before the next; all nodes are
 * examined and scored.  The policy is the OpenShift manual's default sample.
 * Prints a table: decisions per second, CPU time per decision (mean, median, 99th
 * percentile) and the peak of resident memory.
 */
#include "config.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "base/arena.h"
#include "base/doc.h"
#include "base/err.h"
#include "base/xmalloc.h"
#include "cluster/cluster.h"
#include "model/pod.h"
#include "policy/policy.h"
#include "sched/decide.h"
#include "sched/memo.h"

static bool keep = true; /* results, between decisions */
static unsigned nodes = 5000, pods_per_node = 30, to_place = 10000;

static void
die(const char *what, const struct err *err)
{
	fprintf(stderr, "bench: %s: %s\n", what, err->text);
	exit(1);
}

static struct object *
decode(const char *text)
{
	struct err err;
	struct object *object = NULL;
	struct doc *doc =
	    doc_parse("bench", text, strlen(text), &doc_limits_people, &err);

	if (doc == NULL ||
	    object_decode(doc_root(doc), "", &object, NULL, &err) != 1)
		die(text, &err);
	doc_free(doc);
	return object;
}

static void
put(struct cluster *cluster, const char *text)
{
	struct object *object = decode(text);

	cluster_put(cluster, object);
	object_unref(object);
}

static void
add_node(struct cluster *cluster, unsigned i)
{
	char text[1024];

	snprintf(text, sizeof(text),
	    "{\"apiVersion\":\"v1\",\"kind\":\"Node\",\"metadata\":{\"name\":"
	    "\"node-%05u\",\"labels\":{\"kubernetes.io/hostname\":"
	    "\"node-%05u\",\"failure-domain.beta.kubernetes.io/region\":\"r\","
	    "\"failure-domain.beta.kubernetes.io/zone\":\"zone-%u\"}},"
	    "\"status\":{\"allocatable\":{\"cpu\":\"16\",\"memory\":\"64Gi\","
	    "\"pods\":\"110\"},\"images\":[{\"names\":[\"app/%u:v1\"],"
	    "\"sizeBytes\":200000000}]}}",
	    i, i, i % 3, i % 20);
	put(cluster, text);
}

/*
 * What the templates 0, 3, 6, … of twenty add to their pods: a third of the
 * templates say where pods like them, or not like them, should be.
 */
static const char *
affinity(unsigned template, char *buf, size_t size)
{
	static const struct {
		const char *where, *topology_key;
		bool required;
	} kinds[] = {
		{ "podAntiAffinity", "kubernetes.io/hostname", true },
		{ "podAffinity", "failure-domain.beta.kubernetes.io/zone",
		    true },
		{ "podAntiAffinity", "kubernetes.io/hostname", false },
		{ "podAffinity", "failure-domain.beta.kubernetes.io/zone",
		    false },
	};
	unsigned k = template / 3 % LENGTH(kinds);
	char term[256];

	if (template % 3 != 0)
		return "";
	snprintf(term, sizeof(term),
	    "{\"labelSelector\":{\"matchLabels\":{\"app\":\"app-%u\"}},"
	    "\"topologyKey\":\"%s\"}",
	    template, kinds[k].topology_key);
	if (kinds[k].required)
		snprintf(buf, size,
		    ",\"affinity\":{\"%s\":{"
		    "\"requiredDuringSchedulingIgnoredDuringExecution\":[%s]}}",
		    kinds[k].where, term);
	else
		snprintf(buf, size,
		    ",\"affinity\":{\"%s\":{"
		    "\"preferredDuringSchedulingIgnoredDuringExecution\":["
		    "{\"weight\":10,\"podAffinityTerm\":%s}]}}",
		    kinds[k].where, term);
	return buf;
}

/* node is "" for a pod to be placed. */
static struct pod *
make_pod(unsigned serial, unsigned template, bool plain, const char *node)
{
	char text[2048], extra[512];

	snprintf(text, sizeof(text),
	    "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{"
	    "\"namespace\":\"bench\",\"name\":\"pod-%u\",\"uid\":\"uid-%u\","
	    "\"labels\":{\"app\":\"app-%u\"},\"ownerReferences\":[{"
	    "\"apiVersion\":\"apps/v1\",\"kind\":\"ReplicaSet\",\"name\":"
	    "\"rs-%u\",\"uid\":\"rs-%u\",\"controller\":true}]},"
	    "\"spec\":{\"nodeName\":\"%s\",\"containers\":[{\"name\":\"c\","
	    "\"image\":\"app/%u:v1\",\"resources\":{\"requests\":{"
	    "\"cpu\":\"%um\",\"memory\":\"%uMi\"}}}]%s}}",
	    serial, serial, template, template, template, node, template,
	    plain ? 100 : 50 + 10 * template, plain ? 200 : 100 + 20 * template,
	    plain ? "" : affinity(template, extra, sizeof(extra)));
	return (struct pod *)decode(text);
}

static struct cluster *
make_cluster(unsigned templates)
{
	struct cluster *cluster = cluster_new();
	char text[256], name[32];
	unsigned serial = 0;

	for (unsigned i = 0; i < nodes; i++)
		add_node(cluster, i);
	for (unsigned t = 0; t < templates; t++) {
		snprintf(text, sizeof(text),
		    "{\"apiVersion\":\"v1\",\"kind\":\"Service\",\"metadata\":"
		    "{\"namespace\":\"bench\",\"name\":\"svc-%u\"},\"spec\":"
		    "{\"selector\":{\"app\":\"app-%u\"}}}",
		    t, t);
		put(cluster, text);
	}
	for (unsigned i = 0; i < nodes; i++)
		for (unsigned j = 0; j < pods_per_node; j++) {
			struct pod *pod;

			snprintf(name, sizeof(name), "node-%05u", i);
			/* what is there already has no affinity of its own */
			pod = make_pod(serial++, (i + j) % templates, true,
			    name);
			cluster_put(cluster, &pod->object);
			pod_unref(pod);
		}
	return cluster;
}

static uint64_t
cpu_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static int
by_value(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static double
peak_mib(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return (double)usage.ru_maxrss / 1024;
}

static void
run(const char *name, unsigned templates, const struct profile *profile)
{
	struct cluster *cluster = make_cluster(templates);
	struct memo *memo =
	    keep ? memo_new(cluster, profile, MEMO_BYTES_DEFAULT) : NULL;
	struct arena arena = ARENA_INIT;
	struct pod **pods = xcalloc(to_place, sizeof(struct pod *));
	uint64_t *ns = xcalloc(to_place, sizeof(*ns)), total = 0;
	unsigned placed = 0;

	for (unsigned i = 0; i < to_place; i++)
		pods[i] = make_pod(1000000000 + i, i % templates,
		    templates == 1, "");
	for (unsigned i = 0; i < to_place; i++) {
		struct cycle cycle = { .cluster = cluster,
			.profile = profile,
			.pod = pods[i],
			.class = pods[i]->class,
			.arena = &arena,
			.memo = memo,
			.seed = i };
		uint64_t start = cpu_ns();
		struct decision *d = decide(&cycle);

		if (d->chosen != NULL) {
			placed++;
			cluster_assume(cluster, pods[i], d->chosen->name,
			    NULL);
		}
		arena_reset(&arena);
		ns[i] = cpu_ns() - start;
		total += ns[i];
	}
	qsort(ns, to_place, sizeof(*ns), by_value);
	printf("%-14s %6u %7u %7u %7u %11.0f %8.1f %8.1f %8.1f %9.1f\n", name,
	    nodes, nodes * pods_per_node, to_place, placed,
	    1e9 * to_place / (double)total, (double)total / to_place / 1000,
	    (double)ns[to_place / 2] / 1000,
	    (double)ns[(size_t)to_place * 99 / 100] / 1000, peak_mib());
	fflush(stdout);
	for (unsigned i = 0; i < to_place; i++)
		pod_unref(pods[i]);
	free(pods);
	free(ns);
	arena_fini(&arena);
	memo_free(memo);
	cluster_free(cluster);
}

static const struct {
	const char *name;
	unsigned templates;
} scenarios[] = {
	{ "identical", 1 },
	{ "20-templates", 20 },
};

static int
usage(void)
{
	fputs("usage: bench [--nodes N] [--pods-per-node N] [--place N] "
	      "[--policy FILE] [--no-memo] [SCENARIO...]\n",
	    stderr);
	return 2;
}

int
main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "nodes", required_argument, NULL, 'n' },
		{ "pods-per-node", required_argument, NULL, 'p' },
		{ "place", required_argument, NULL, 'c' },
		{ "policy", required_argument, NULL, 'P' },
		{ "no-memo", no_argument, NULL, 'm' },
		{ NULL, 0, NULL, 0 },
	};
	struct policy_options policy = { .gates = gates_default };
	struct problems problems = { 0 };
	const char *path = "etc/examples/openshift-default.cfg";
	struct profile *profile;
	struct err err;
	int opt;

	while ((opt = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (opt == 'n')
			nodes = (unsigned)strtoul(optarg, NULL, 10);
		else if (opt == 'p')
			pods_per_node = (unsigned)strtoul(optarg, NULL, 10);
		else if (opt == 'c')
			to_place = (unsigned)strtoul(optarg, NULL, 10);
		else if (opt == 'P')
			path = optarg;
		else if (opt == 'm')
			keep = false;
		else
			return usage();
	}
	if (nodes == 0 || to_place == 0)
		return usage();
	profile = policy_read_file(path, &policy, &problems, &err);
	if (profile == NULL)
		die(path, &err);
	problems_fini(&problems);
	printf("%-14s %6s %7s %7s %7s %11s %8s %8s %8s %9s\n", "scenario",
	    "nodes", "pods", "place", "placed", "decisions/s", "us/dec",
	    "p50 us", "p99 us", "peak MiB");
	for (size_t i = 0; i < LENGTH(scenarios); i++) {
		bool wanted = optind == argc;

		for (int j = optind; j < argc; j++)
			wanted |= strcmp(argv[j], scenarios[i].name) == 0;
		if (wanted)
			run(scenarios[i].name, scenarios[i].templates, profile);
	}
	profile_free(profile);
	return 0;
}
