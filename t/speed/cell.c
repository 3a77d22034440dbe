#include "config.h"

#include "t/speed/cell.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/xmalloc.h"
#include "cluster/cluster.h"
#include "decide/ecache/ecache.h"
#include "objects/pod.h"
#include "decide/framework/cycle_devices.h"
#include "decide/sched/decide.h"
#include "decide/sched/preempt.h"

/* Decisions that are repeated without the cache. */
#define SAMPLES 20

struct run {
	struct work *w;
	struct result *r;
	struct ecache *ecache;
	struct arena arena;
	uint64_t *ns; /* of each decision */
	size_t n, cap;
	uint64_t total_ns;
};

void
result_wrong(struct result *r, const char *fmt, ...)
{
	va_list ap;

	if (r->wrong[0] != '\0')
		return;
	va_start(ap, fmt);
	vsnprintf(r->wrong, sizeof(r->wrong), fmt, ap);
	va_end(ap);
}

unsigned
pods_on_each(const struct options *options, unsigned nodes)
{
	unsigned share = options->pods_in_all / nodes;

	return options->pods < share ? options->pods : share;
}

static uint64_t
clock_ns(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static double
peak_mib(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return (double)usage.ru_maxrss / 1024;
}

static void
nominate(struct cluster *cluster, const struct pod *pod, sym node)
{
	struct pod *nominated = pod_nominated_to(pod, node);

	cluster_put(cluster, &nominated->object);
	pod_unref(nominated);
}

/* As the daemon does it, but that the victims are gone at once. */
static void
make_room(struct run *run, struct cycle *cycle, struct decision *d,
    const struct attempt *a)
{
	struct cluster *cluster = run->w->cluster;
	const struct preemption *p = preempt(cycle, d);

	if (p == NULL || p->node == NULL) {
		if (a->expected == PREEMPTS)
			result_wrong(run->r, "%s finds no victims",
			    pod_full_name(a->pod));
		return;
	}
	if (p->nvictims != a->nvictims)
		result_wrong(run->r, "%s evicts %zu pods, not %u",
		    pod_full_name(a->pod), p->nvictims, a->nvictims);
	for (size_t i = 0; i < p->nclears; i++)
		nominate(cluster, p->clears[i], SYM_EMPTY);
	nominate(cluster, a->pod, p->node->name);
	for (size_t i = 0; i < p->nvictims; i++) {
		struct pod *victim = pod_ref(p->victims[i]);

		if (victim->priority > 0)
			result_wrong(run->r, "%s evicts an important pod",
			    pod_full_name(a->pod));
		cluster_remove(cluster, &victim->object);
		pod_unref(victim);
		run->r->evicted++;
	}
}

static void
give_up(struct run *run, struct cycle *cycle, struct decision *d,
    const struct attempt *a)
{
	const char *message = decision_message(cycle, d);

	if (a->expected == PLACED ||
	    (a->message != NULL && strcmp(a->message, message) != 0))
		result_wrong(run->r, "%s: %s", pod_full_name(a->pod), message);
	make_room(run, cycle, d, a);
}

static struct cycle
cycle_of(struct run *run, const struct attempt *a)
{
	return (struct cycle){ .cluster = run->w->cluster,
		.profile = run->w->profile,
		.pod = a->pod,
		.class = a->pod->class,
		.arena = &run->arena,
		.ecache = run->ecache,
		.seed = run->n };
}

/* One decision and its consequences; other work here is not counted. */
static void
decide_once(struct run *run, const struct attempt *a)
{
	struct cycle cycle = cycle_of(run, a);
	uint64_t start = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
	struct decision *d = decide(&cycle);
	struct err err;

	if (d->chosen == NULL) {
		give_up(run, &cycle, d, a);
	} else if (a->expected == NOWHERE) {
		result_wrong(run->r, "%s fits", pod_full_name(a->pod));
	} else {
		devices_assume(run->w->cluster, run->w->profile, a->pod,
		    d->chosen->name);
		if (cluster_assume(run->w->cluster, a->pod, d->chosen->name,
			&err) != 0)
			result_wrong(run->r, "%s", err.text);
		run->r->placed++;
	}
	arena_reset(&run->arena);
	vec_room(run->ns, run->n, &run->cap);
	run->ns[run->n] = clock_ns(CLOCK_PROCESS_CPUTIME_ID) - start;
	run->total_ns += run->ns[run->n++];
}

static bool
time_is_up(const struct run *run)
{
	double seconds = run->w->options->seconds;

	return seconds > 0 && (double)run->total_ns > seconds * 1e9;
}

static void
decide_all(struct run *run)
{
	const struct work *w = run->w;
	size_t wave = w->wave > 0 ? w->wave : 1, i = 0;

	while (i < w->n && !time_is_up(run)) {
		size_t end = i + wave < w->n ? i + wave : w->n;

		for (size_t j = i; j < end; j++)
			decide_once(run, &w->attempts[j]);
		for (size_t j = i; w->wave > 0 && j < end; j++)
			decide_once(run, &w->attempts[j]);
		i = end;
	}
	run->r->tried = i;
}

/* Without the cache, the results must be the same. */
static void
check_samples(struct run *run)
{
	const struct work *w = run->w;

	for (size_t i = 0; i < w->n && i < SAMPLES; i++) {
		struct cycle cycle = cycle_of(run, &w->attempts[i]);
		struct decision *kept = decide(&cycle), *afresh;

		cycle.ecache = NULL;
		afresh = decide(&cycle);
		if (kept->chosen != afresh->chosen ||
		    kept->nfeasible != afresh->nfeasible ||
		    kept->nbest != afresh->nbest ||
		    kept->best_total != afresh->best_total)
			result_wrong(run->r, "%s: what was kept is wrong",
			    pod_full_name(cycle.pod));
		arena_reset(&run->arena);
	}
}

static bool
holds_too_much(const struct node_info *node)
{
	const struct resources *all = &node->node->allocatable;

	return node->requested.cpu_milli > all->cpu_milli ||
	    node->requested.memory > all->memory || node->npods > all->pods;
}

static void
check_nodes(struct run *run)
{
	const struct cluster *cluster = run->w->cluster;

	for (uint32_t i = 0; i < cluster->nnodes; i++)
		if (holds_too_much(cluster->nodes[i]))
			result_wrong(run->r, "%s holds too much",
			    sym_text(cluster->nodes[i]->name));
}

/* The expected number of pods is where it should be. */
static void
check_counts(struct run *run)
{
	const struct work *w = run->w;
	uint64_t placed = 0, evicted = 0;

	for (size_t i = 0; i < run->r->tried; i++) {
		placed += w->attempts[i].expected != NOWHERE;
		evicted += w->attempts[i].nvictims;
	}
	if (run->r->placed != placed || run->r->evicted != evicted)
		result_wrong(run->r,
		    "%llu pods placed and %llu evicted, "
		    "not %llu and %llu",
		    (unsigned long long)run->r->placed,
		    (unsigned long long)run->r->evicted,
		    (unsigned long long)placed, (unsigned long long)evicted);
}

static uint64_t
pods_on_nodes(const struct cluster *cluster)
{
	uint64_t n = 0;

	for (uint32_t i = 0; i < cluster->nnodes; i++)
		n += cluster->nodes[i]->npods;
	return n;
}

static int
by_value(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static void
sum_up(struct run *run)
{
	struct result *r = run->r;

	if (run->n == 0) {
		result_wrong(r, "there are no pods to place");
		return;
	}
	qsort(run->ns, run->n, sizeof(*run->ns), by_value);
	r->decisions = run->n;
	r->cpu_s = (double)run->total_ns / 1e9;
	r->mean_us = (double)run->total_ns / (double)run->n / 1e3;
	r->p50_us = (double)run->ns[run->n / 2] / 1e3;
	r->p99_us = (double)run->ns[run->n * 99 / 100] / 1e3;
	r->peak_mib = peak_mib();
	r->memo_mib = run->ecache != NULL ?
	    (double)ecache_bytes(run->ecache) / (1 << 20) :
	    0;
}

/* The process ends soon: nothing is freed. */
void
cell_run(const struct scenario *scenario, const struct options *options,
    unsigned nodes, struct result *r)
{
	struct work w = { .options = options,
		.nodes = nodes,
		.profile = options->profile };
	struct run run = { .w = &w, .r = r, .arena = ARENA_INIT };
	uint64_t start;

	*r = (struct result){ .nodes = nodes };
	if (scenario->measure != NULL) {
		scenario->measure(options, nodes, r);
		return;
	}
	w.cluster = cluster_new();
	scenario->make(&w);
	r->nodes = w.nodes;
	r->pods = pods_on_nodes(w.cluster);
	if (options->keep)
		run.ecache =
		    ecache_new(w.cluster, w.profile, ECACHE_BYTES_DEFAULT);
	start = clock_ns(CLOCK_MONOTONIC);
	decide_all(&run);
	r->wall_s = (double)(clock_ns(CLOCK_MONOTONIC) - start) / 1e9;
	sum_up(&run);
	check_counts(&run);
	check_nodes(&run);
	check_samples(&run);
	if (scenario->check != NULL)
		scenario->check(&w, r);
}
