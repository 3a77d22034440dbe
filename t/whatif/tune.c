/* tune: no weights are better than those that it proposes, by another count. */
#include "config.h"

#include "explain/whatif/tune.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/xmalloc.h"
#include "t/lib/t.h"
#include "t/whatif/whatif.h"

#define NODES 4
#define PODS 8
#define WEIGHTS 3 /* 0 to this */
#define RULES 2

static const char *const rules[RULES] = { "LeastRequestedPriority",
	"MostRequestedPriority" };

struct model {
	unsigned nnodes, npods;
	unsigned cpu[NODES], memory[NODES]; /* Gi */
	struct {
		unsigned cpu, memory;
		int node; /* now; -1: none */
		bool stays;
	} pods[PODS];
};

static struct model
any_model(uint64_t *any)
{
	struct model m = { .nnodes = 2 + t_any(any, NODES - 1),
		.npods = 3 + t_any(any, PODS - 2) };

	for (unsigned n = 0; n < m.nnodes; n++) {
		m.cpu[n] = 4 + t_any(any, 6);
		m.memory[n] = 4 + t_any(any, 6);
	}
	for (unsigned p = 0; p < m.npods; p++) {
		m.pods[p].cpu = 1 + t_any(any, 3);
		m.pods[p].memory = 1 + t_any(any, 3);
		m.pods[p].node = -1;
	}
	/* on an empty node, so that it fits */
	m.pods[0].node = 0;
	m.pods[0].stays = t_any(any, 2) == 0;
	return m;
}

static char *
objects_of(const struct model *m)
{
	struct text text = { 0 };
	char line[512];

	for (unsigned n = 0; n < m->nnodes; n++) {
		snprintf(line, sizeof(line),
		    "--- {kind: Node, metadata: {name: n%u, labels: "
		    "{topology.kubernetes.io/zone: z%u}}, status: "
		    "{allocatable: {pods: 110, cpu: %u, memory: %uGi}}}\n",
		    n, n % 2, m->cpu[n], m->memory[n]);
		text_put(&text, line);
	}
	for (unsigned p = 0; p < m->npods; p++) {
		char node[32] = "";

		if (m->pods[p].node >= 0)
			snprintf(node, sizeof(node), "nodeName: n%d, ",
			    m->pods[p].node);
		snprintf(line, sizeof(line),
		    "--- {kind: Pod, metadata: {name: p%u, namespace: "
		    "default%s}, spec: {%scontainers: [{name: c, resources: "
		    "{requests: {cpu: %u, memory: %uGi}}}]}}\n",
		    p,
		    m->pods[p].stays ?
			", ownerReferences: [{apiVersion: v1, kind: "
			"DaemonSet, name: d, uid: d, controller: true}]" :
			"",
		    node, m->pods[p].cpu, m->pods[p].memory);
		text_put(&text, line);
	}
	return text_take(&text);
}

static struct profile *
profile_of(const unsigned *weights)
{
	struct text text = { 0 };
	struct profile *profile;
	const char *comma = "";

	text_put(&text,
	    "{\"kind\":\"Policy\",\"apiVersion\":\"v1\",\"predicates\":"
	    "[{\"name\":\"PodFitsResources\"}],\"priorities\":[");
	for (size_t i = 0; i < RULES; i++) {
		char entry[96];

		if (weights[i] == 0)
			continue;
		snprintf(entry, sizeof(entry),
		    "%s{\"name\":\"%s\",\"weight\":%u}", comma, rules[i],
		    weights[i]);
		text_put(&text, entry);
		comma = ",";
	}
	text_put(&text, "]}");
	profile = t_profile(text.bytes, NULL);
	text_fini(&text);
	return profile;
}

/* The pod, without its node; you own it. */
static struct pod *
waiting_pod(struct t_asked *a, const struct model *m, unsigned p)
{
	char yaml[256];

	snprintf(yaml, sizeof(yaml),
	    "--- {kind: Pod, metadata: {name: p%u, namespace: default}, spec: "
	    "{containers: [{name: c, resources: {requests: {cpu: %u, memory: "
	    "%uGi}}}]}}",
	    p, m->pods[p].cpu, m->pods[p].memory);
	world_pod(a->world, yaml);
	return pod_ref(a->world->pod);
}

/* The pod as the cluster has it; you own it. */
static struct pod *
pod_of(struct t_asked *a, const struct model *m, unsigned p)
{
	char uid[32];

	if (m->pods[p].node < 0)
		return waiting_pod(a, m, p);
	snprintf(uid, sizeof(uid), "default/p%u", p);
	return pod_ref((struct pod *)cluster_bound_pod(a->world->cluster, uid));
}

/* ---- the other count ---- */

static double
variation(size_t n, const double *of)
{
	double mean = 0, square = 0;

	for (size_t i = 0; i < n; i++)
		mean += of[i] / (double)n;
	for (size_t i = 0; i < n; i++)
		square += (of[i] - mean) * (of[i] - mean) / (double)n;
	return mean > 0 ? sqrt(square) / mean : 0;
}

/* What pods use of the nodes, and how many of them do not stay. */
struct use {
	double cpu[NODES], memory[NODES];
	unsigned npods[NODES];
};

static double
cost_of(const struct model *m, const struct use *u, enum objective objective)
{
	double cpu[NODES], memory[NODES], sum = 0, stranded[2] = { 0 };
	double all[2] = { 0 }, zones[2][2] = { { 0 } }, has[2][2] = { { 0 } };
	unsigned used = 0;

	for (unsigned n = 0; n < m->nnodes; n++) {
		cpu[n] = u->cpu[n] / m->cpu[n];
		memory[n] = u->memory[n] / m->memory[n];
		zones[0][n % 2] += u->cpu[n];
		zones[1][n % 2] += u->memory[n];
		has[0][n % 2] += m->cpu[n];
		has[1][n % 2] += m->memory[n];
		all[0] += m->cpu[n];
		all[1] += m->memory[n];
		if (memory[n] >= BALANCE_FULL)
			stranded[0] += m->cpu[n] - u->cpu[n];
		if (cpu[n] >= BALANCE_FULL)
			stranded[1] += m->memory[n] - u->memory[n];
		if (u->npods[n] > 0) {
			used++;
			sum += fabs(cpu[n] - memory[n]);
		}
	}
	switch (objective) {
	case OBJECTIVE_PACKING:
		return (double)used / m->nnodes +
		    (stranded[0] / all[0] + stranded[1] / all[1]) / 2;
	case OBJECTIVE_SPREAD:
		return (variation(m->nnodes, cpu) +
			   variation(m->nnodes, memory)) /
		    2;
	case OBJECTIVE_BALANCE:
		return used > 0 ? sum / used : 0;
	case OBJECTIVE_ZONES:
	case OBJECTIVES:
		break;
	}
	for (int r = 0; r < 2; r++)
		for (int z = 0; z < 2; z++)
			zones[r][z] /= has[r][z];
	return (variation(2, zones[0]) + variation(2, zones[1])) / 2;
}

/* Places the pods that do not stay with these weights. */
static double
simulate(const struct model *m, const unsigned *weights,
    enum objective objective, unsigned *placed)
{
	AUTOFREE char *objects = objects_of(m);
	struct use use = { 0 };
	struct t_asked a;

	t_ask(&a, objects, profile_of(weights));
	*placed = 0;
	for (unsigned p = 0; p < m->npods; p++) {
		struct pod *pod = pod_of(&a, m, p);

		if (m->pods[p].stays) {
			use.cpu[m->pods[p].node] += m->pods[p].cpu;
			use.memory[m->pods[p].node] += m->pods[p].memory;
		} else {
			pod_unref(whatif_lift(&a.whatif, pod));
		}
		pod_unref(pod);
	}
	for (unsigned p = 0, i = 0; p < m->npods; p++) {
		struct pod *pod;
		struct decision *d;
		unsigned n;

		if (m->pods[p].stays)
			continue;
		pod = waiting_pod(&a, m, p);
		d = whatif_decide_staying(&a.whatif, pod, i++,
		    m->pods[p].node >= 0 ? sym_intern("n0") : SYM_NONE);
		if (d->chosen != NULL) {
			n = (unsigned)strtoul(sym_text(d->chosen->name) + 1,
			    NULL, 10);
			whatif_place(&a.whatif, pod, d->chosen->name, NULL);
			use.cpu[n] += m->pods[p].cpu;
			use.memory[n] += m->pods[p].memory;
			use.npods[n]++;
			++*placed;
		}
		pod_unref(pod);
	}
	t_asked_fini(&a);
	return cost_of(m, &use, objective);
}

static void
compare(const char *name, const struct model *m, enum objective objective,
    unsigned *better)
{
	static const unsigned all[RULES] = { 1, 1 };
	static const int64_t today[RULES] = { 1, 0 };
	AUTOFREE char *objects = objects_of(m);
	struct tune_ask ask = {
		.objective = objective,
		.today = today,
		.max_weight = WEIGHTS,
		.rounds = 1,
	};
	struct pod *pods[PODS];
	struct t_asked a;
	struct tune t;
	unsigned w[RULES] = { 1, 0 }, enough, most, placed;
	double least = simulate(m, w, objective, &most), cost;

	t_ask(&a, objects, profile_of(all));
	for (unsigned p = 0; p < m->npods; p++)
		pods[p] = pod_of(&a, m, p);
	ask.npods = m->npods;
	ask.pods = pods;
	tune_find(&t, &a.whatif, &ask);
	enough = most;
	for (w[0] = 0; w[0] <= WEIGHTS; w[0]++) {
		for (w[1] = 0; w[1] <= WEIGHTS; w[1]++) {
			cost = simulate(m, w, objective, &placed);
			if (placed >= enough &&
			    (cost < least - 1e-9 ||
				(cost < least + 1e-9 && placed > most))) {
				most = placed;
				least = cost;
			}
			if (w[0] == t.best.weights[0] &&
			    w[1] == t.best.weights[1]) {
				t_int(name, t.best.placed, placed);
				t_true(name,
				    fabs(t.best.costs[objective] - cost) <
					1e-9);
			}
			if (w[0] == 1 && w[1] == 0)
				t_true(name,
				    fabs(t.today.costs[objective] - cost) <
					1e-9);
		}
	}
	t_true(name, t.exhaustive);
	t_int(name, t.best.placed, most);
	t_true(name, fabs(t.best.costs[objective] - least) < 1e-9);
	*better += t.best.weights[0] != 1 || t.best.weights[1] != 0;
	tune_fini(&t);
	for (unsigned p = 0; p < m->npods; p++)
		pod_unref(pods[p]);
	t_asked_fini(&a);
}

static void
no_weights_are_better(void)
{
	uint64_t any = 1;
	unsigned better = 0;

	for (int i = 0; i < 40; i++) {
		struct model m = any_model(&any);

		for (int o = 0; o < OBJECTIVES; o++) {
			AUTOFREE char *name = xasprintf("cluster %d, %s", i,
			    objective_name((enum objective)o));

			compare(name, &m, (enum objective)o, &better);
		}
	}
	printf("# better weights: %u of %d\n", better, 40 * OBJECTIVES);
	t_true("some are better than today's", better > 20);
}

static void
objectives_have_names(void)
{
	for (int i = 0; i < OBJECTIVES; i++)
		t_int("a name stands for its objective",
		    objective_parse(objective_name((enum objective)i)), i);
	t_int("none", objective_parse("Packing"), -1);
}

T_MAIN(T(no_weights_are_better), T(objectives_have_names))
