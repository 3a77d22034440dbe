/* defrag: as few moves as a search through all sequences of moves needs. */
#include "config.h"

#include "explain/whatif/defrag.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/xmalloc.h"
#include "t/lib/t.h"
#include "t/whatif/whatif.h"

#define RULES                                                                  \
	T_POLICY(",\"predicates\":[{\"name\":\"PodFitsResources\"},"           \
		 "{\"name\":\"MatchNodeSelector\"},"                           \
		 "{\"name\":\"MatchInterPodAffinity\"}],\"priorities\":[]")

/* ---- the same clusters as numbers ---- */

#define NODES 4
#define PODS 11
#define APPS 3
#define MOVES 4

struct model {
	unsigned nnodes, npods, room[NODES], pool[NODES];
	struct {
		unsigned cpu, node, app;
		int pool;            /* that it has to be in; -1: any */
		bool managed, alone; /* on a node without others of its app */
	} pods[PODS];                /* the first one waits */
	int allowed[APPS]; /* disruptions; of the last app as many as wanted */
};

static bool
has_room(const struct model *m, unsigned pod, unsigned node)
{
	unsigned used = m->pods[pod].cpu;

	if (m->pods[pod].pool >= 0 && m->pods[pod].pool != (int)m->pool[node])
		return false;
	for (unsigned i = 1; i < m->npods; i++) {
		if (i == pod || m->pods[i].node != node)
			continue;
		used += m->pods[i].cpu;
		if ((m->pods[i].alone || m->pods[pod].alone) &&
		    m->pods[i].app == m->pods[pod].app)
			return false;
	}
	return used <= m->room[node];
}

static bool
is_in(const struct model *m)
{
	for (unsigned n = 0; n < m->nnodes; n++)
		if (has_room(m, 0, n))
			return true;
	return false;
}

/* The move, if it may be made. */
static bool
make_move(struct model *m, unsigned pod, unsigned to)
{
	if (!m->pods[pod].managed || m->pods[pod].node == to ||
	    !has_room(m, pod, to))
		return false;
	if (m->pods[pod].app < APPS && m->allowed[m->pods[pod].app] <= 0)
		return false;
	if (m->pods[pod].app < APPS)
		m->allowed[m->pods[pod].app]--;
	m->pods[pod].node = to;
	return true;
}

/* Whether so many moves can let it in, no pod being moved twice. */
static bool
can(const struct model *m, unsigned moves, unsigned moved)
{
	if (moves == 0)
		return is_in(m);
	for (unsigned pod = 1; pod < m->npods; pod++) {
		for (unsigned to = 0; to < m->nnodes; to++) {
			struct model next = *m;

			if (!(moved & 1u << pod) && make_move(&next, pod, to) &&
			    can(&next, moves - 1, moved | 1u << pod))
				return true;
		}
	}
	return false;
}

/* 0 to MOVES; more: cannot be let in. */
static unsigned
fewest(const struct model *m)
{
	unsigned moves = 0;

	while (moves <= MOVES && !can(m, moves, 0))
		moves++;
	return moves;
}

static struct model
any_model(uint64_t *any, bool alone)
{
	struct model m = { .nnodes = 3 + t_any(any, NODES - 2) };
	unsigned free_cpu = 0;

	for (unsigned n = 0; n < m.nnodes; n++) {
		m.room[n] = 4 + t_any(any, 4);
		m.pool[n] = t_any(any, 2);
		free_cpu += m.room[n];
	}
	for (unsigned a = 0; a < APPS; a++)
		m.allowed[a] = (int)t_any(any, 3);
	m.pods[0].cpu = 3 + t_any(any, 3);
	m.pods[0].pool = t_any(any, 2) == 0 ? 0 : -1;
	m.pods[0].alone = alone && t_any(any, 2) == 0;
	m.npods = 1;
	for (int tries = 0; m.npods < PODS && tries < 80; tries++) {
		unsigned p = m.npods;

		m.pods[p].cpu = 1 + t_any(any, 4);
		/* there is room for the first one, but in pieces */
		if (m.pods[0].cpu + m.pods[p].cpu > free_cpu)
			continue;
		m.pods[p].pool = t_any(any, 4) == 0 ? (int)t_any(any, 2) : -1;
		m.pods[p].app = t_any(any, 2) == 0 ? t_any(any, APPS) : APPS;
		m.pods[p].alone = alone && t_any(any, 3) == 0;
		m.pods[p].managed = t_any(any, 12) != 0;
		m.pods[p].node = t_any(any, m.nnodes);
		m.npods++;
		if (has_room(&m, p, m.pods[p].node))
			free_cpu -= m.pods[p].cpu;
		else
			m.npods--;
	}
	return m;
}

/* ---- and as objects ---- */

static void
put(struct text *text, char *line)
{
	text_put(text, line);
	free(line);
}

static void
put_pod(struct text *text, const struct model *m, unsigned p)
{
	char pool[48] = "", node[48] = "", alone[256] = "";

	if (m->pods[p].pool >= 0)
		snprintf(pool, sizeof(pool), ", nodeSelector: {pool: p%d}",
		    m->pods[p].pool);
	if (p > 0)
		snprintf(node, sizeof(node), "nodeName: n%u, ",
		    m->pods[p].node);
	if (m->pods[p].alone)
		snprintf(alone, sizeof(alone),
		    ", affinity: {podAntiAffinity: "
		    "{requiredDuringSchedulingIgnoredDuringExecution: "
		    "[{topologyKey: host, labelSelector: {matchLabels: "
		    "{app: a%u}}}]}}",
		    m->pods[p].app);
	put(text,
	    xasprintf("--- {kind: Pod, metadata: {name: p%u, namespace: "
		      "default, labels: {app: a%u}%s}, spec: "
		      "{%scontainers: [{name: c, resources: {requests: {cpu: "
		      "%u}}}]%s%s}}\n",
		p, m->pods[p].app,
		m->pods[p].managed ?
		    ", ownerReferences: [{apiVersion: v1, kind: ReplicaSet, "
		    "name: r, uid: r, controller: true}]" :
		    "",
		node, m->pods[p].cpu, pool, alone));
}

static char *
objects_of(const struct model *m)
{
	struct text text = { 0 };

	for (unsigned n = 0; n < m->nnodes; n++)
		put(&text,
		    xasprintf(
			"--- {kind: Node, metadata: {name: n%u, labels: "
			"{pool: p%u, host: n%u}}, status: {allocatable: {pods: 110, "
			"cpu: %u, memory: 8Gi}}}\n",
			n, m->pool[n], n, m->room[n]));
	for (unsigned p = 1; p < m->npods; p++)
		put_pod(&text, m, p);
	for (unsigned a = 0; a < APPS; a++)
		put(&text,
		    xasprintf("--- {kind: PodDisruptionBudget, metadata: "
			      "{name: b%u, namespace: default}, spec: "
			      "{selector: {matchLabels: {app: a%u}}}, status: "
			      "{disruptionsAllowed: %d}}\n",
			a, a, m->allowed[a]));
	return text_take(&text);
}

static unsigned
number_of(sym name)
{
	return (unsigned)strtoul(sym_text(name) + 1, NULL, 10);
}

/* Makes the moves in the numbers. */
static void
replay(const char *name, struct model m, const struct defrag *d)
{
	unsigned moved = 0;

	for (size_t i = 0; i < d->nmoves; i++) {
		unsigned pod =
		    number_of(sym_intern(d->moves[i].pod->object.name));

		t_int(name, m.pods[pod].node, number_of(d->moves[i].from));
		t_int(name, moved >> pod & 1, 0);
		t_true(name, make_move(&m, pod, number_of(d->moves[i].to)));
		moved |= 1u << pod;
	}
	t_true(name, has_room(&m, 0, number_of(d->node)));
}

struct counts {
	unsigned by_moves[MOVES + 2], unproven, longer;
};

static void
compare(const char *name, const struct model *m, struct counts *counts)
{
	AUTOFREE char *objects = objects_of(m);
	struct text pod = { 0 };
	unsigned want = fewest(m);
	struct defrag_ask ask = { .max_moves = MOVES };
	struct t_asked a;
	struct defrag d;

	t_ask(&a, objects, t_profile(RULES, NULL));
	put_pod(&pod, m, 0);
	world_pod(a.world, pod.bytes);
	ask.pod = a.world->pod;
	defrag_find(&d, &a.whatif, &ask);
	if (d.proven) {
		t_int(name, d.nmoves, want <= MOVES ? want : 0);
		t_int(name, d.node != SYM_NONE, want <= MOVES);
	} else {
		counts->unproven++;
		t_true(name, d.circular > 0 || d.other_pods != NULL);
		t_true(name, d.nmoves == 0 || d.nmoves >= want);
		counts->longer += want <= MOVES && d.nmoves != want;
	}
	if (d.node != SYM_NONE)
		replay(name, *m, &d);
	counts->by_moves[want]++;
	defrag_fini(&d);
	t_asked_fini(&a);
	text_fini(&pod);
}

static void
no_sequence_of_moves_is_shorter(void)
{
	struct counts counts = { 0 };
	uint64_t any = 1;

	for (int i = 0; i < 1500; i++) {
		struct model m = any_model(&any, false);
		AUTOFREE char *name = xasprintf("cluster %d", i);

		compare(name, &m, &counts);
	}
	for (unsigned i = 0; i <= MOVES + 1; i++)
		printf("# %u moves: %u clusters\n", i, counts.by_moves[i]);
	printf("# not proven: %u\n", counts.unproven);
	/* the clusters are of use: all lengths come up */
	for (unsigned i = 0; i <= 3; i++)
		t_true("some need as many", counts.by_moves[i] > 10);
	t_true("most are proven", counts.unproven < 75);
}

/* Rules about other pods: nothing is proven, but plans work, and few are longer. */
static void
plans_work_with_rules_about_other_pods(void)
{
	struct counts counts = { 0 };
	uint64_t any = 2;

	for (int i = 0; i < 500; i++) {
		struct model m = any_model(&any, true);
		AUTOFREE char *name = xasprintf("cluster %d", i);

		compare(name, &m, &counts);
	}
	printf("# not proven: %u, longer or not found: %u\n", counts.unproven,
	    counts.longer);
	t_true("some are not proven", counts.unproven > 50);
	t_true("few are longer or not found", counts.longer <= 10);
}

T_MAIN(T(no_sequence_of_moves_is_shorter),
    T(plans_work_with_rules_about_other_pods))
