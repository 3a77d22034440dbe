/* preempt(): whom it takes away, and where. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/xmalloc.h"
#include "cluster/selector_index.h"
#include "decide/ecache/ecache.h"
#include "decide/ecache/eviction.h"
#include "decide/framework/args.h"
#include "policy/policy.h"
#include "decide/sched/preempt.h"
#include "decide/sched/victims.h"
#include "t/lib/profile.h"
#include "t/lib/t.h"
#include "t/lib/world.h"

static struct profile *
default_profile(void)
{
	struct policy_options options = { .gates = gates_default };

	return policy_provider("DefaultProvider", &options);
}

/* A pod on a node that uses cpu of the node's four. */
#define ON(node, name, priority, cpu, start)                                   \
	W_OBJECT("Pod", "namespace: default, name: " name ", labels: {a: b}",  \
	    "spec: {nodeName: " node ", priority: " priority ", " W_REQUESTS(  \
		"cpu: " cpu) "}, status: {startTime: '2020-01-" start          \
			     "T00:00:00Z'}")
#define WANTS(priority, cpu, status)                                           \
	W_OBJECT("Pod", "namespace: default, name: p",                         \
	    "spec: {priority: " priority                                       \
	    ", " W_REQUESTS("cpu: " cpu) "},"                                  \
					 " status: {" status "}")

/* "node: victims; clears: pods", "none" or "not allowed".  kept: results kept
 * between decisions, or NULL. */
static char *
outcome_by_seed(struct world *w, const struct profile *profile,
    struct ecache *ecache, const char *pod, uint64_t seed)
{
	const struct preemption *p;
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	world_pod(w, pod);
	w->cycle.seed = seed;
	w->cycle.profile = profile;
	w->cycle.ecache = ecache;
	w->cycle.keep_scores = ecache == NULL;
	p = preempt(&w->cycle, decide(&w->cycle));
	if (p == NULL)
		fputs("not allowed", out);
	else if (p->node == NULL)
		fputs("none", out);
	else
		fprintf(out, "%s:", sym_text(p->node->name));
	for (size_t i = 0; p != NULL && i < p->nvictims; i++)
		fprintf(out, " %s", p->victims[i]->object.name);
	if (p != NULL && p->nclears > 0)
		fputs("; clears:", out);
	for (size_t i = 0; p != NULL && i < p->nclears; i++)
		fprintf(out, " %s", p->clears[i]->object.name);
	fclose(out);
	return text;
}

static char *
outcome(struct world *w, const struct profile *profile, struct ecache *ecache,
    const char *pod)
{
	return outcome_by_seed(w, profile, ecache, pod, 0);
}

static void
the_node_that_suffers_least_is_taken(void)
{
	static const struct {
		const char *name, *objects, *pod, *want;
	} rows[] = {
		{ "only pods of lower priority can go",
		    W_NODE("a", "", "") ON("a", "x", "10", "4", "01"),
		    WANTS("10", "1", ""), "none" },
		{ "no more than it takes, the least important ones",
		    W_NODE("a", "", "") ON("a", "x", "3", "1", "01") ON("a",
			"v", "1", "2", "01") ON("a", "z", "2", "1", "01"),
		    WANTS("10", "2", ""), "a: v" },
		{ "of equal priority, the one that started last",
		    W_NODE("a", "", "") ON("a", "x", "0", "2", "05")
			ON("a", "v", "0", "2", "09"),
		    WANTS("10", "2", ""), "a: v" },
		{ "lowest highest victim",
		    W_NODE("a", "", "") ON("a", "x", "5", "4", "01")
			W_NODE("b", "", "") ON("b", "v", "4", "4", "01"),
		    WANTS("10", "4", ""), "b: v" },
		{ "then the smallest sum of priorities",
		    W_NODE("a", "", "") ON("a", "x", "5", "2", "01")
			ON("a", "x2", "5", "2", "01") W_NODE("b", "", "")
			    ON("b", "v", "5", "2", "01")
				ON("b", "v2", "1", "2", "01"),
		    WANTS("10", "4", ""), "b: v v2" },
		{ "fewer victims even below zero",
		    W_NODE("a", "", "") ON("a", "x", "-5", "2", "01")
			ON("a", "x2", "-5", "2", "01") W_NODE("b", "", "")
			    ON("b", "v", "-5", "4", "01"),
		    WANTS("10", "4", ""), "b: v" },
		{ "then where the oldest important victim is youngest",
		    W_NODE("a", "", "") ON("a", "x", "0", "4", "03")
			W_NODE("b", "", "") ON("b", "v", "0", "4", "04")
			    W_NODE("c", "", "") ON("c", "z", "0", "4", "02"),
		    WANTS("10", "4", ""), "b: v" },
		{ "a node that eviction cannot help is left alone",
		    W_NODE("a", "", "unschedulable: true")
			ON("a", "x", "0", "4", "01"),
		    WANTS("10", "4", ""), "none" },
		{ "nominations of lesser pods are cleared",
		    W_NODE("a", "", "") ON("a", "x", "0", "4",
			"01") W_OBJECT("Pod", "namespace: default, name: nom",
			"spec: {priority: 5}, status: {nominatedNodeName: a}"),
		    WANTS("10", "4", ""), "a: x; clears: nom" },
		{ "its own nomination is when nothing could help",
		    W_NODE("a", "", "unschedulable: true"),
		    WANTS("10", "1", "nominatedNodeName: a"),
		    "none; clears: p" },
		{ "also when eviction could, but does not",
		    W_NODE("a", "", "") ON("a", "x", "10", "4", "01"),
		    WANTS("10", "1", "nominatedNodeName: a"),
		    "none; clears: p" },
		{ "it waits for the victims it has",
		    W_NODE("a", "", "") ON("a", "x", "0", "2", "01")
			W_OBJECT("Pod",
			    "namespace: default, name: going,"
			    " deletionTimestamp: '2020-01-01T00:00:00Z'",
			    "spec: {nodeName: a, " W_REQUESTS("cpu: 2") "}"),
		    WANTS("10", "3", "nominatedNodeName: a"), "not allowed" },
	};
	struct profile *profile = default_profile();

	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct world *w = world_new(rows[i].objects);
		AUTOFREE char *got = outcome(w, profile, NULL, rows[i].pod);

		t_str(rows[i].name, got, rows[i].want);
		world_free(w);
	}
	profile_free(profile);
}

#define GOING(status)                                                          \
	W_OBJECT("Pod",                                                        \
	    "namespace: default, name: going,"                                 \
	    " deletionTimestamp: '2020-01-01T00:00:00Z'",                      \
	    "spec: {nodeName: a, " W_REQUESTS("cpu: 2") "}, " status)
#define MARKED(type, status, reason)                                           \
	"{type: " type ", status: '" status "', reason: " reason "}"

static void
it_waits_for_its_victims_by_release(void)
{
	static const struct {
		const char *name;
		int release;
		const char *node, *going, *want;
	} rows[] = {
		{ "1.25: for any pod that goes", 25, "", GOING("status: {}"),
		    "not allowed" },
		{ "1.26: only for one that a scheduler preempts", 26, "",
		    GOING("status: {}"), "a: x going" },
		{ "as this one", 26, "",
		    GOING("status: {conditions: [" MARKED("DisruptionTarget",
			"True", "PreemptionByScheduler") "]}"),
		    "not allowed" },
		{ "not this one", 26, "",
		    GOING("status: {conditions: [" MARKED("DisruptionTarget",
			"False", "PreemptionByScheduler") "]}"),
		    "a: x going" },
		{ "nor this one", 26, "",
		    GOING("status: {conditions: [" MARKED("DisruptionTarget",
			"True",
			"EvictionByEvictionAPI") ", " MARKED("DisruptionTarget",
			"True", "PreemptionByScheduler") "]}"),
		    "a: x going" },
		{ "1.20: not if it would not help there", 20,
		    "unschedulable: true", GOING("status: {}"),
		    "none; clears: p" },
		{ "1.19: then, too", 19, "unschedulable: true",
		    GOING("status: {}"), "not allowed" },
	};
	struct profile *profile = default_profile();

	for (size_t i = 0; i < LENGTH(rows); i++) {
		AUTOFREE char *node = xasprintf(
		    "--- {kind: Node, metadata: {name: a}, spec: {%s}, "
		    "status: {allocatable: {cpu: 4, memory: 8Gi, pods: 9}}}\n",
		    rows[i].node);
		struct world *w = world_new("");
		char *got;

		w->cluster->kubernetes_minor = rows[i].release;
		world_put(w, node);
		world_put(w, ON("a", "x", "0", "2", "01"));
		world_put(w, rows[i].going);
		got = outcome(w, profile, NULL,
		    WANTS("10", "4", "nominatedNodeName: a"));
		t_str(rows[i].name, got, rows[i].want);
		free(got);
		world_free(w);
	}
	profile_free(profile);
}

#define BUDGET(allowed)                                                        \
	W_OBJECT("PodDisruptionBudget", "namespace: default, name: pdb",       \
	    "spec: {selector: {matchLabels: {guarded: 'yes'}}},"               \
	    " status: {disruptionsAllowed: " allowed "}")

static void
disruption_budgets_are_kept_if_possible(void)
{
	static const struct {
		const char *name, *allowed, *want;
	} rows[] = {
		{ "used up: the guarded pod stays", BUDGET("0"), "a: free" },
		{ "not used up: it goes, being younger", BUDGET("1"),
		    "a: guarded" },
	};
	struct profile *profile = default_profile();

	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct world *w = world_new(W_NODE("a", "", "")
			ON("a", "free", "0", "2", "01") W_OBJECT("Pod",
			    "namespace: default, name: guarded,"
			    " labels: {guarded: 'yes'}",
			    "spec: {nodeName: a, " W_REQUESTS(
				"cpu: 2") "}, status: {startTime:"
					  " '2020-01-02T00:00:00Z'}"));
		char *got;

		world_put(w, rows[i].allowed);
		got = outcome(w, profile, NULL, WANTS("10", "2", ""));
		t_str(rows[i].name, got, rows[i].want);
		free(got);
		world_free(w);
	}
	profile_free(profile);
}

/* Users choose how many there are: they are not looked at. */
static void
a_pod_of_too_many_budgets_is_guarded(void)
{
	struct profile *profile = default_profile();
	struct world *w = world_new(
	    W_NODE("a", "", "") ON("a", "free", "0", "2", "01") W_OBJECT("Pod",
		"namespace: team, name: guarded,"
		" labels: {app: x}",
		"spec: {nodeName: a, " W_REQUESTS(
		    "cpu: 2") "}, status: {startTime:"
			      " '2020-01-02T00:00:00Z'}"));
	char *got;

	for (unsigned i = 0; i <= BUDGET_REQUIREMENTS_MAX; i++) {
		char text[256];

		if (i == BUDGET_REQUIREMENTS_MAX) {
			got = outcome(w, profile, NULL, WANTS("10", "2", ""));
			t_str("as many as are looked at", got, "a: guarded");
			free(got);
		}
		snprintf(text, sizeof(text),
		    "--- {kind: PodDisruptionBudget, metadata: {namespace: "
		    "team, name: b%u}, spec: {selector: {matchExpressions: "
		    "[{key: x%u, operator: DoesNotExist}]}}, "
		    "status: {disruptionsAllowed: 1}}",
		    i, i);
		world_put(w, text);
	}
	got = outcome(w, profile, NULL, WANTS("10", "2", ""));
	t_str("more", got, "a: free");
	free(got);
	world_free(w);
	profile_free(profile);
}

static void
a_simulation_leaves_no_trace(void)
{
	struct profile *profile = default_profile();
	struct world *w =
	    world_new(W_NODE("a", "host: ha", "") W_NODE("b", "host: hb", "")
		    ON("a", "x", "0", "4", "01") W_POD("guard", "app: g", "b",
			"priority: 20, affinity: {podAntiAffinity: {"
			"requiredDuringSchedulingIgnoredDuringExecution: [{"
			"labelSelector: {}, topologyKey: host}]}}"));
	char *first = outcome(w, profile, NULL, WANTS("10", "4", "")), *again;

	again = outcome(w, profile, NULL, WANTS("10", "4", ""));
	t_str("the same again", again, first);
	t_str("and right", first, "a: x");
	free(first);
	free(again);
	world_free(w);
	profile_free(profile);
}

static void
a_nominated_pod_counts_for_others_of_its_kind(void)
{
#define EQUAL(name)                                                            \
	W_OBJECT("Pod", "namespace: default, name: " name,                     \
	    "spec: {priority: 10, " W_REQUESTS(                                \
		"cpu: 3") "},"                                                 \
			  " status: {nominatedNodeName: a}")
	struct profile *profile = default_profile();
	struct world *w = world_new(
	    W_NODE("a", "", "") ON("a", "x", "0", "4", "01") EQUAL("p"));
	struct ecache *ecache = ecache_new(w->cluster, profile, 1 << 20);
	char *for_it, *for_other;

	for_it = outcome(w, profile, ecache, EQUAL("p"));
	for_other = outcome(w, profile, ecache, EQUAL("q"));
	t_str("itself", for_it, "a: x");
	t_str("another", for_other, "none; clears: q");
	free(for_it);
	free(for_other);
	ecache_free(ecache);
	world_free(w);
	profile_free(profile);
}

#define IMPORTANT(name, priority)                                              \
	W_OBJECT("Pod", "namespace: default, name: " name,                     \
	    "spec: {priority: " priority ", " W_REQUESTS("cpu: 3") "}")

/* The cache may hold the costs for one priority at a time. */
static void
the_oldest_costs_make_room(void)
{
	static const char *const pods[] = { IMPORTANT("p", "10"),
		IMPORTANT("q", "20"), IMPORTANT("r", "30") };
	struct profile *profile = default_profile();
	struct world *w = world_new(W_NODE("a", "", "") ON("a", "x", "0", "4",
	    "01") W_NODE("b", "", "") ON("b", "z", "5", "4", "01"));
	struct ecache *ecache = ecache_new(w->cluster, profile, 1);
	size_t first = 0, bytes;

	for (size_t i = 0; i < 3 * LENGTH(pods); i++) {
		const char *pod = pods[i % LENGTH(pods)];
		char *kept = outcome(w, profile, ecache, pod);
		char *new = outcome(w, profile, NULL, pod);

		t_str("as without a cache", kept, new);
		t_str("the least important pod", kept, "a: x");
		bytes = eviction_tables_bytes(ecache_evictions(ecache));
		first = i == 0 ? bytes : first;
		t_true("costs are kept", bytes > 0);
		t_int("of one priority", (int64_t)bytes, (int64_t)first);
		free(kept);
		free(new);
	}
	ecache_free(ecache);
	world_free(w);
	profile_free(profile);
}

/* A cluster of NODES nodes; rnd: a random state. */
#define NODES 9

static struct world *
random_world(uint64_t *rnd)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	struct world *w;

	fputs(BUDGET("1"), out);
	for (unsigned i = 0; i < NODES; i++) {
		fprintf(out,
		    "--- {kind: Node, metadata: {name: n%u}, spec: "
		    "{unschedulable: %s}, status: {allocatable: {cpu: 4, "
		    "memory: 8Gi, pods: 9}}}\n",
		    i, t_any(rnd, 5) == 0 ? "true" : "false");
		for (unsigned j = t_any(rnd, 2) + 2; j > 0; j--)
			fprintf(out,
			    "--- {kind: Pod, metadata: {namespace: default, "
			    "name: v%u-%u, labels: {guarded: '%s'}}, spec: "
			    "{nodeName: n%u, priority: %u, containers: [{name: "
			    "c, resources: {requests: {cpu: 1300m}}}]}, "
			    "status: {startTime: '2020-01-01T00:00:00Z'}}\n",
			    i, j, t_any(rnd, 2) == 0 ? "yes" : "no", i,
			    t_any(rnd, 4) * 4);
	}
	fclose(out);
	w = world_new(text);
	free(text);
	return w;
}

/* Where eviction might help, and where it does. */
struct candidates {
	size_t npotential, n;
	const struct node_info *potential[NODES];
	const struct preemption_candidate *at;
};

static void
find_candidates(struct world *w, const struct profile *profile, const char *pod,
    struct candidates *c)
{
	struct decision *d;

	world_pod(w, pod);
	w->cycle.profile = profile;
	w->cycle.keep_scores = true;
	d = decide(&w->cycle);
	c->at = preempt_candidates(&w->cycle, d, &c->n);
	c->npotential = 0;
	for (uint32_t i = 0; i < d->nnodes; i++)
		if (decision_verdict(d, i)->verdict == UNFIT)
			c->potential[c->npotential++] = w->cluster->nodes[i];
}

static const struct preemption_candidate *
candidate_on(const struct candidates *c, const struct node_info *node)
{
	for (size_t i = 0; i < c->n; i++)
		if (c->at[i].node == node)
			return &c->at[i];
	return NULL;
}

static bool
is_better(const struct preemption_candidate *a,
    const struct preemption_candidate *b)
{
	struct eviction_cost first = eviction_cost_of(&a->victims), second;

	if (b == NULL)
		return true;
	second = eviction_cost_of(&b->victims);
	return eviction_cost_compare(&first, &second) < 0;
}

/* The choice of kube-scheduler when it starts at this node: it goes on until it
 * has enough candidates, one without violations among them
 * (doc/semantics/11-kube-1.36.md, Preemption). */
static const struct node_info *
choice_from(const struct candidates *c, size_t offset, size_t enough)
{
	const struct preemption_candidate *best = NULL;
	size_t found = 0, without = 0;

	for (size_t i = 0; i < c->npotential; i++) {
		const struct preemption_candidate *at =
		    candidate_on(c, c->potential[(offset + i) % c->npotential]);

		if (at == NULL)
			continue;
		if (is_better(at, best))
			best = at;
		without += at->victims.violations == 0;
		if (++found >= enough && without > 0)
			break;
	}
	return best != NULL ? best->node : NULL;
}

/* Whether it may choose this node, "none" if there is no candidate; *several: and
 * others, which cost more. */
static bool
may_be_chosen(const struct candidates *c,
    const struct default_preemption_args *limits, const char *node,
    bool *several)
{
	size_t enough =
	    c->npotential * limits->min_candidate_nodes_percentage / 100;
	bool found = c->n == 0 && strcmp(node, "none") == 0;

	if (enough < (size_t)limits->min_candidate_nodes_absolute)
		enough = limits->min_candidate_nodes_absolute;
	for (size_t i = 0; i < c->npotential; i++) {
		const struct node_info *choice = choice_from(c, i, enough);

		if (choice == NULL)
			continue;
		if (strcmp(sym_text(choice->name), node) == 0)
			found = true;
		else
			*several = true;
	}
	return found;
}

/* Whatever its limits are, all nodes of a small cluster are tried: the best of all is
 * among those that the reference may choose. */
static void
with_limits_the_choice_is_one_of_the_references(void)
{
#define LIMITS(percentage, absolute)                                           \
	"minCandidateNodesPercentage: " percentage                             \
	", minCandidateNodesAbsolute: " absolute
	static const char pod[] = WANTS("10", "2", "");
	static const struct {
		const char *version, *args;
	} rows[] = {
		{ "v1beta1", "" },
		{ "v1beta1", LIMITS("0", "1") },
		{ "v1", LIMITS("0", "1") },
		{ "v1", LIMITS("40", "2") },
	};
	uint64_t rnd = 14;
	bool several = false;

	for (unsigned round = 0; round < 80; round++) {
		const size_t at = round % LENGTH(rows);
		AUTOFREE char *text =
		    xasprintf("pluginConfig: [{name: "
			      "DefaultPreemption, args: {%s}}]",
			rows[at].args);
		struct profile *profile =
		    t_configured_profile(rows[at].version, text);
		struct world *w = random_world(&rnd);
		char *got = outcome(w, profile, NULL, pod);
		struct candidates c;

		got[strcspn(got, ":")] = '\0';
		find_candidates(w, profile, pod, &c);
		t_true(rows[at].args,
		    may_be_chosen(&c, profile->preemption_args, got, &several));
		free(got);
		world_free(w);
		profile_free(profile);
	}
	t_true("limits count there", several);
}

/* More nodes than the cache has in one block (decide/ecache/eviction.h), each full, with
 * victims of three costs. */
#define MANY 150

static struct world *
many_full_nodes(void)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	struct world *w;

	for (unsigned i = 0; i < MANY; i++) {
		fprintf(out,
		    "--- {kind: Node, metadata: {name: n%u}, status: "
		    "{allocatable: {cpu: 4, memory: 8Gi, pods: 9}}}\n",
		    i);
		for (unsigned j = 0; j < 4; j++)
			fprintf(out,
			    "--- {kind: Pod, metadata: {namespace: default, "
			    "name: v%u-%u}, spec: {nodeName: n%u, priority: "
			    "%u, containers: [{name: c, resources: {requests: "
			    "{cpu: 1}}}]}}\n",
			    i, j, i, i % 3 + 1);
	}
	fclose(out);
	w = world_new(text);
	free(text);
	return w;
}

static void
of_many_cheapest_nodes_any_may_be_taken(void)
{
	struct profile *profile = default_profile();
	struct world *w = many_full_nodes();
	struct ecache *ecache =
	    ecache_new(w->cluster, profile, ECACHE_BYTES_DEFAULT);
	static const char pod[] = WANTS("10", "2", "");
	unsigned ntaken = 0;
	AUTOFREE char *last = NULL;

	for (uint64_t seed = 0; seed < 30; seed++) {
		char *got, *want;

		got = outcome_by_seed(w, profile, ecache, pod, seed);
		want = outcome_by_seed(w, profile, NULL, pod, seed);
		t_str("with and without the cache", got, want);
		t_int("the least important", (int)strtol(got + 1, NULL, 10) % 3,
		    0);
		ntaken += last == NULL || strcmp(got, last) != 0;
		free(want);
		free(last);
		last = got;
	}
	t_true("not always the same", ntaken > 20);
	ecache_free(ecache);
	world_free(w);
	profile_free(profile);
}

static void
simulations_do_not_add_up_in_memory(void)
{
	struct profile *profile = default_profile();
	struct world *w = many_full_nodes();
	struct ecache *ecache =
	    ecache_new(w->cluster, profile, ECACHE_BYTES_DEFAULT);

	for (unsigned cached = 0; cached < 2; cached++) {
		free(outcome(w, profile, cached ? ecache : NULL,
		    WANTS("10", "2", "")));
		/* a copy of a node takes about 500 bytes */
		t_true(cached ? "with the cache" : "without",
		    arena_used(&w->arena) < MANY * 300);
	}
	ecache_free(ecache);
	world_free(w);
	profile_free(profile);
}

#define TERM(n)                                                                \
	"{topologyKey: host, labelSelector: {matchExpressions: [{key: a, "     \
	"operator: Exists}, {key: x" n ", operator: DoesNotExist}]}}"
#define TERMS TERM("1") ", " TERM("2") ", " TERM("3") ", " TERM("4")
#define CONSTRAINT(n)                                                          \
	"{maxSkew: 1, minDomains: 200, topologyKey: host, whenUnsatisfiable: " \
	"DoNotSchedule, labelSelector: {matchExpressions: [{key: a, "          \
	"operator: Exists}, {key: x" n ", operator: DoesNotExist}]}}"

/* How often labels are compared, with so many nodes and four pods on each. */
static uint64_t
compared_with(const struct profile *profile, unsigned nnodes, const char *pod,
    const char *want)
{
	struct world *w = world_new("");
	AUTOFREE char *got = NULL;
	uint64_t compared;

	w->cluster->kubernetes_minor = 36;
	for (unsigned i = 0; i < nnodes; i++) {
		AUTOFREE char *node =
		    xasprintf(W_NODE("n%u", "host: h%u", ""), i, i);

		world_put(w, node);
		for (unsigned k = 0; k < 4; k++) {
			AUTOFREE char *text = xasprintf(
			    W_OBJECT("Pod",
				"namespace: default, name: p%u-%u, uid: "
				"p%u-%u, labels: {a: b%u}",
				"spec: {nodeName: n%u, priority: 1}"),
			    i, k, i, k, (i + k) % 5, i);

			world_put(w, text);
		}
	}
	got = outcome(w, profile, NULL, pod);
	t_true(want, strncmp(got, want, strlen(want)) == 0);
	compared = w->cluster->compared;
	world_free(w);
	return compared;
}

/* A pod of five classes is compared with each term once, on however many nodes. */
static void
terms_are_compared_with_classes_not_with_pods(void)
{
	static const struct {
		const char *name, *pod, *want;
	} rows[] = {
		{ "terms",
		    W_OBJECT("Pod", "namespace: default, name: p",
			"spec: {priority: 9, affinity: {podAntiAffinity: "
			"{requiredDuringSchedulingIgnoredDuringExecution: [" TERMS
			"]}}}"),
		    "n" },
		{ "constraints",
		    W_OBJECT("Pod", "namespace: default, name: p",
			"spec: {priority: 9, topologySpreadConstraints: [" CONSTRAINT(
			    "1") ", " CONSTRAINT("2") "]}"),
		    "n" },
	};
	struct profile *profile = default_profile();

	for (size_t i = 0; i < LENGTH(rows); i++) {
		uint64_t few =
		    compared_with(profile, 20, rows[i].pod, rows[i].want);
		uint64_t many =
		    compared_with(profile, 80, rows[i].pod, rows[i].want);

		t_int(rows[i].name, many, few);
		t_true("some are", few > 0 && few <= 50);
	}
	profile_free(profile);
}

/* On each of them a pod that the new one avoids, and many others. */
static struct world *
crowded_nodes(unsigned nnodes, unsigned npods)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	struct world *w;

	for (unsigned i = 0; i < nnodes; i++) {
		fprintf(out, W_NODE("n%u", "host: h%u", ""), i, i);
		for (unsigned k = 0; k < npods; k++)
			fprintf(out,
			    W_OBJECT("Pod",
				"namespace: default, name: p%u-%u, uid: "
				"p%u-%u, labels: {a: b%u}",
				"spec: {nodeName: n%u, priority: 1}"),
			    i, k, i, k, k, i);
	}
	fclose(out);
	w = world_new(text);
	free(text);
	return w;
}

/* With many pods, no more nodes are tried than kube-scheduler would. */
static void
preemption_in_a_large_cluster_stops_at_enough_candidates(void)
{
	static const struct {
		unsigned nnodes, npods;
		const char *version, *args;
		uint64_t least, most;
	} rows[] = {
		{ 150, 10, "v1", LIMITS("0", "1"), 150, 151 },
		{ 150, 80, "v1", LIMITS("0", "1"), 100, 110 },
		{ 150, 80, "v1", "", 100, 110 },
		{ 150, 80, "v1", LIMITS("90", "1"), 135, 140 },
		{ 150, 80, "v1beta1", LIMITS("0", "120"), 120, 125 },
	};
	static const char pod[] = W_OBJECT("Pod", "namespace: default, name: p",
	    "spec: {priority: 9, affinity: {podAntiAffinity: "
	    "{requiredDuringSchedulingIgnoredDuringExecution: [{"
	    "topologyKey: host, labelSelector: {matchLabels: {a: b7}}}]}}}");

	for (size_t i = 0; i < LENGTH(rows); i++) {
		AUTOFREE char *text =
		    xasprintf("pluginConfig: [{name: "
			      "DefaultPreemption, args: {%s}}]",
			rows[i].args);
		struct profile *profile =
		    t_configured_profile(rows[i].version, text);
		struct world *w = crowded_nodes(rows[i].nnodes, rows[i].npods);
		AUTOFREE char *got = outcome(w, profile, NULL, pod);
		uint64_t tried = w->cluster->budget_rounds;

		t_true(rows[i].args, got[0] == 'n');
		if (!t_true(rows[i].args,
			tried >= rows[i].least && tried <= rows[i].most))
			printf("# %u tried\n", (unsigned)tried);
		world_free(w);
		profile_free(profile);
	}
}

T_MAIN(T(of_many_cheapest_nodes_any_may_be_taken),
    T(simulations_do_not_add_up_in_memory),
    T(it_waits_for_its_victims_by_release),
    T(with_limits_the_choice_is_one_of_the_references),
    T(the_node_that_suffers_least_is_taken),
    T(disruption_budgets_are_kept_if_possible),
    T(a_pod_of_too_many_budgets_is_guarded), T(a_simulation_leaves_no_trace),
    T(a_nominated_pod_counts_for_others_of_its_kind),
    T(the_oldest_costs_make_room),
    T(terms_are_compared_with_classes_not_with_pods),
    T(preemption_in_a_large_cluster_stops_at_enough_candidates))
