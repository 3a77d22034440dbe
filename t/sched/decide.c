/* decide(): nodes that fit, the best one, and the messages. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xmalloc.h"
#include "decide/ecache/ecache.h"
#include "policy/policy.h"
#include "decide/sched/decide.h"
#include "t/lib/profile.h"
#include "t/lib/t.h"
#include "t/lib/world.h"

#define SMALL(name, cpu)                                                       \
	W_NODE_STATUS(name, "", "",                                            \
	    "allocatable: {pods: 110, cpu: " cpu ", memory: 8Gi}")

static struct decision *
decided(struct world *w, struct profile *p, const char *pod)
{
	world_pod(w, pod);
	w->cycle.profile = p;
	w->cycle.keep_scores = true;
	return decide(&w->cycle);
}

static void
the_message_counts_reasons_in_byte_order(void)
{
	struct profile *p = t_profile(T_POLICY(""), NULL);
	struct world *w = world_new(SMALL("a", "1") SMALL("b", "1")
		W_NODE("c", "", "unschedulable: true"));
	struct decision *d = decided(w, p,
	    W_POD("p", "", "", W_REQUESTS("cpu: 2, memory: 9Gi")));

	t_true("fits nowhere", d->chosen == NULL);
	t_str("message", decision_message(&w->cycle, d),
	    "0/3 nodes are available: 1 node(s) were unschedulable, "
	    "2 Insufficient cpu, 2 Insufficient memory.");
	world_free(w);
	profile_free(p);
}

static void
ten_comes_before_two(void)
{
	struct profile *p = t_profile(T_POLICY(""), NULL);
	struct world *w = world_new(W_NODE("u1", "", "unschedulable: true")
		W_NODE("u2", "", "unschedulable: true"));
	char text[512];

	for (int i = 0; i < 10; i++) {
		snprintf(text, sizeof(text), SMALL("n%d", "1"), i);
		world_put(w, text);
	}
	t_str("message",
	    decision_message(&w->cycle,
		decided(w, p, W_POD("p", "", "", W_REQUESTS("cpu: 2")))),
	    "0/12 nodes are available: 10 Insufficient cpu, "
	    "2 node(s) were unschedulable.");
	world_free(w);
	profile_free(p);
}

static void
a_node_is_out_at_its_first_refusal(void)
{
	static const struct {
		const char *name, *policy, *want;
	} rows[] = {
		{ "the first refusal is all that counts", T_POLICY(""),
		    "0/1 nodes are available: 1 node(s) were unschedulable." },
		{ "unless all are asked for",
		    T_POLICY(",\"alwaysCheckAllPredicates\":true"),
		    "0/1 nodes are available: 1 Insufficient cpu, "
		    "1 node(s) had taints that the pod didn't tolerate, "
		    "1 node(s) were unschedulable." },
		{ "the order is fixed, whatever the policy's",
		    T_POLICY(",\"predicates\":[{\"name\":\"NoDiskConflict\"},"
			     "{\"name\":\"PodFitsResources\"}]"),
		    "0/1 nodes are available: 1 node(s) were unschedulable." },
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct profile *p = t_profile(rows[i].policy, NULL);
		struct world *w = world_new(W_NODE("n1", "",
		    "unschedulable: true, taints: [{key: k,"
		    " effect: NoSchedule}]"));
		struct decision *d =
		    decided(w, p, W_POD("p", "", "", W_REQUESTS("cpu: 100")));

		t_str(rows[i].name, decision_message(&w->cycle, d),
		    rows[i].want);
		world_free(w);
		profile_free(p);
	}
}

static void
attempts_that_fail_as_a_whole_have_an_error(void)
{
	static const struct {
		const char *name, *objects, *pod, *want;
	} rows[] = {
		{ "no nodes", W_POD("other", "", "gone", ""),
		    W_POD("p", "", "", ""),
		    "no nodes available to schedule pods" },
		{ "a claim that is not there", W_NODE("n1", "", ""),
		    W_POD("p", "", "",
			"volumes: [{name: v,"
			" persistentVolumeClaim: {claimName: c}}]"),
		    "persistentvolumeclaim \"c\" not found" },
		{ "a claim that goes away",
		    W_NODE("n1", "", "") W_OBJECT("PersistentVolumeClaim",
			"namespace: default,"
			" name: c, deletionTimestamp:"
			" '2020-01-01T00:00:00Z'",
			""),
		    W_POD("p", "", "",
			"volumes: [{name: v,"
			" persistentVolumeClaim: {claimName: c}}]"),
		    "persistentvolumeclaim \"c\" is being deleted" },
	};
	struct profile *p = t_profile(T_POLICY(""), NULL);

	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct world *w = world_new(rows[i].objects);
		struct decision *d = decided(w, p, rows[i].pod);

		t_str(rows[i].name, d->error, rows[i].want);
		t_str(rows[i].name, decision_message(&w->cycle, d),
		    rows[i].want);
		t_int(rows[i].name, d->nfeasible, 0);
		t_true(rows[i].name, d->chosen == NULL);
		world_free(w);
	}
	profile_free(p);
}

static void
totals_are_weighted_sums(void)
{
	static const struct {
		const char *name, *policy;
		int64_t want;
	} rows[] = {
		{ "weights count",
		    T_POLICY(
			",\"priorities\":[{\"name\":\"EqualPriority\","
			"\"weight\":3},{\"name\":\"MostRequestedPriority\","
			"\"weight\":5}]"),
		    3 + 5 * 5 },
		{ "without priorities every node gets 1",
		    T_POLICY(",\"priorities\":[]"), 1 },
		{ "or 0 when there is an extender",
		    T_POLICY(",\"priorities\":[],\"extenders\":[{\"urlPrefix\":"
			     "\"http://127.0.0.1:9/x\"}]"),
		    0 },
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct profile *p = t_profile(rows[i].policy, NULL);
		struct world *w = world_new(W_NODE("n1", "", ""));
		struct decision *d = decided(w, p,
		    W_POD("p", "", "", W_REQUESTS("cpu: 2, memory: 4Gi")));

		t_int(rows[i].name, d->totals[0], rows[i].want);
		t_int(rows[i].name, d->best_total, rows[i].want);
		world_free(w);
		profile_free(p);
	}
}

static void
ties_are_broken_fairly_by_the_seed(void)
{
	struct profile *p = t_profile(T_POLICY(""), NULL);
	struct world *w = world_new(W_NODE("a", "", "") W_NODE("b", "", "")
		W_NODE("c", "", "") W_NODE("d", "", ""));
	unsigned times[4] = { 0 };

	for (uint64_t seed = 0; seed < 4000; seed++) {
		const struct node_info *first;
		struct decision *d;

		world_pod(w, W_POD("p", "", "", ""));
		w->cycle.profile = p;
		w->cycle.seed = seed;
		d = decide(&w->cycle);
		first = d->chosen;
		t_int("all four are best", d->nbest, 4);
		times[first->index]++;
		t_true("same seed, same node",
		    decide(&w->cycle)->chosen == first);
	}
	for (int i = 0; i < 4; i++)
		t_true("about a quarter each",
		    times[i] > 850 && times[i] < 1150);
	world_free(w);
	profile_free(p);
}

static void
pods_nominated_to_a_node_are_made_room_for(void)
{
	static const struct {
		const char *name, *nominated;
		bool fits;
	} rows[] = {
		{ "one as important",
		    W_OBJECT("Pod", "namespace: default, name: other",
			"spec: {priority: 5, " W_REQUESTS(
			    "cpu: 3") "},"
				      " status: {nominatedNodeName: n1}"),
		    false },
		{ "a lesser one does not count",
		    W_OBJECT("Pod", "namespace: default, name: other",
			"spec: {priority: 4, " W_REQUESTS(
			    "cpu: 3") "},"
				      " status: {nominatedNodeName: n1}"),
		    true },
		{ "nor one of another scheduler",
		    W_OBJECT("Pod", "namespace: default, name: other",
			"spec: {priority: 9, schedulerName: other, " W_REQUESTS(
			    "cpu: 3") "},"
				      " status: {nominatedNodeName: n1}"),
		    true },
		{ "nor the pod itself",
		    W_OBJECT("Pod", "namespace: default, name: p",
			"spec: {priority: 5, " W_REQUESTS(
			    "cpu: 3") "},"
				      " status: {nominatedNodeName: n1}"),
		    true },
	};
	struct profile *p = t_profile(T_POLICY(""), NULL);

	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct world *w = world_new(W_NODE("n1", "", ""));

		world_put(w, rows[i].nominated);
		t_true(rows[i].name,
		    (decided(w, p,
			 W_POD("p", "", "",
			     "priority: 5, " W_REQUESTS("cpu: 2")))
			    ->chosen != NULL) == rows[i].fits);
		world_free(w);
	}
	profile_free(p);
}

/* With results kept and without: the node, "!" behind one that it goes to because
 * it is nominated, or the error. */
static const char *
choice(struct world *w, struct profile *p, const char *pod)
{
	static char text[2][300];
	struct ecache *ecache = ecache_new(w->cluster, p, 1 << 20);

	for (int i = 0; i < 2; i++) {
		struct decision *d;

		world_pod(w, pod);
		w->cycle.profile = p;
		w->cycle.ecache = i == 1 ? ecache : NULL;
		d = decide(&w->cycle);
		snprintf(text[i], sizeof(text[i]), "%s%s%s",
		    d->error != NULL ? d->error : "",
		    d->chosen != NULL ? sym_text(d->chosen->name) : "",
		    d->nominated ? "!" : "");
		if (d->nominated)
			t_int("the only best one", d->nbest, 1);
	}
	w->cycle.ecache = NULL;
	ecache_free(ecache);
	t_str("with results kept", text[1], text[0]);
	return text[0];
}

static void
a_pod_goes_where_it_is_nominated_from_1_22_on(void)
{
#define NOMINATED(node, spec)                                                  \
	W_OBJECT("Pod", "namespace: default, name: p",                         \
	    "spec: {" spec "}, status: {nominatedNodeName: " node "}")
	static const struct {
		const char *name;
		int release;
		const char *pod, *choice;
	} rows[] = {
		{ "although another is better", 22,
		    NOMINATED("small", W_REQUESTS("cpu: 1")), "small!" },
		{ "not before", 21, NOMINATED("small", W_REQUESTS("cpu: 1")),
		    "big" },
		{ "unless it does not fit", 36,
		    NOMINATED("small", W_REQUESTS("cpu: 3")), "big" },
		{ "or is unknown", 36, NOMINATED("gone", W_REQUESTS("cpu: 1")),
		    "big" },
		{ "without a score nothing is wrong with it", 36,
		    NOMINATED("small",
			"affinity: {nodeAffinity: {"
			"preferredDuringSchedulingIgnoredDuringExecution: "
			"[{weight: 1, preference: {matchExpressions: "
			"[{key: a, operator: In, values: ['%']}]}}]}}"),
		    "small!" },
	};
	struct profile *p = t_profile(
	    T_POLICY(",\"priorities\":[{\"name\":\"LeastRequestedPriority\","
		     "\"weight\":1},{\"name\":\"NodeAffinityPriority\","
		     "\"weight\":1}]"),
	    NULL);

	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct world *w = world_new("");

		w->cluster->kubernetes_minor = rows[i].release;
		world_put(w, SMALL("small", "2") SMALL("big", "100"));
		t_str(rows[i].name, choice(w, p, rows[i].pod), rows[i].choice);
		world_free(w);
	}
	profile_free(p);
}

static struct world *
world_of(unsigned nnodes)
{
	struct world *w = world_new("");
	char text[512];

	for (unsigned i = 0; i < nnodes; i++) {
		snprintf(text, sizeof(text), SMALL("n%u", "1"), i);
		world_put(w, text);
	}
	return w;
}

static struct decision *
sampled(struct world *w, struct profile *p, const char *pod,
    unsigned percentage, uint64_t seed)
{
	world_pod(w, pod);
	w->cycle.profile = p;
	w->cycle.percentage_of_nodes = percentage;
	w->cycle.seed = seed;
	return decide(&w->cycle);
}

static void
a_percentage_makes_a_sample(void)
{
	static const struct {
		const char *name;
		unsigned nodes, percentage, enough;
	} rows[] = {
		{ "none is all", 300, 0, 300 },
		{ "100 is all", 300, 100, 300 },
		{ "half of them", 300, 50, 150 },
		{ "rounded down", 301, 50, 150 },
		{ "never fewer than 100", 300, 10, 100 },
		{ "fewer than 100 are all looked at", 99, 10, 99 },
		{ "100 are all", 100, 10, 100 },
	};
	struct profile *p = t_profile(T_POLICY(""), NULL);

	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct world *w = world_of(rows[i].nodes);
		struct decision *d;

		d = sampled(w, p, W_POD("p", "", "", W_REQUESTS("cpu: 1")),
		    rows[i].percentage, 1);
		t_int(rows[i].name, d->nfeasible, rows[i].enough);
		t_int(rows[i].name, d->nexamined, rows[i].enough);
		t_int(rows[i].name, d->nnodes, rows[i].nodes);
		t_true(rows[i].name, d->chosen != NULL);
		world_free(w);
	}
	profile_free(p);
}

static void
a_sample_goes_on_until_enough_fit(void)
{
	struct profile *p = t_profile(T_POLICY(""), NULL);
	struct world *w = world_of(200);
	struct decision *d;
	char text[512];

	for (unsigned i = 0; i < 50; i++) {
		snprintf(text, sizeof(text), SMALL("big%u", "4"), i);
		world_put(w, text);
	}
	d = sampled(w, p, W_POD("p", "", "", W_REQUESTS("cpu: 2")), 10, 1);
	t_int("all that fit are found", d->nfeasible, 50);
	t_int("all were looked at", d->nexamined, 250);
	d = sampled(w, p, W_POD("q", "", "", W_REQUESTS("cpu: 9")), 10, 1);
	t_str("when nothing fits the message counts all",
	    decision_message(&w->cycle, d),
	    "0/250 nodes are available: 250 Insufficient cpu.");
	world_free(w);
	profile_free(p);
}

/* Whatever the number of nodes, the steps come by each of them. */
static void
every_node_has_its_turn_in_samples(void)
{
	static const unsigned sizes[] = { 101, 128, 210, 360 };
	struct profile *p = t_profile(T_POLICY(""), NULL);

	for (size_t i = 0; i < LENGTH(sizes); i++) {
		struct world *w = world_of(sizes[i]);
		struct decision *d;
		AUTOFREE unsigned *times = xcalloc(sizes[i], sizeof(*times));
		unsigned never = 0, different = 0, chosen = 0;

		for (unsigned seed = 0; seed < 60; seed++) {
			d = sampled(w, p, W_POD("p", "", "", ""), 1, seed);
			different += seed > 0 && d->chosen->index != chosen;
			chosen = d->chosen->index;
			for (uint32_t j = 0; j < d->nfeasible; j++)
				times[d->feasible[j]]++;
		}
		for (unsigned j = 0; j < sizes[i]; j++)
			never += times[j] == 0;
		t_int("nodes that never had their turn", never, 0);
		t_true("not always the same", different > 30);
		world_free(w);
	}
	profile_free(p);
}

/* A class that is seen once counts with all that is kept for it. */
static void
what_is_kept_is_counted(void)
{
	struct profile *p =
	    t_profile(T_POLICY(
			  ",\"predicates\":[{\"name\":"
			  "\"PodFitsResources\"}],\"priorities\":[{\"name\":"
			  "\"LeastRequestedPriority\",\"weight\":1}]"),
		NULL);
	struct world *w = world_new("");
	struct ecache *ecache;
	size_t empty;
	char text[256];

	for (unsigned i = 0; i < 2000; i++) {
		snprintf(text, sizeof(text), W_NODE("n%u", "", ""), i);
		world_put(w, text);
	}
	ecache = ecache_new(w->cluster, p, ECACHE_BYTES_DEFAULT);
	empty = ecache_bytes(ecache);
	world_pod(w, W_POD("p", "", "", W_REQUESTS("cpu: 1")));
	w->cycle.profile = p;
	w->cycle.ecache = ecache;
	w->cycle.keep_scores = false;
	t_true("it fits", decide(&w->cycle)->chosen != NULL);
	/* nodes are sorted for the second decision of a kind */
	t_true("it fits again", decide(&w->cycle)->chosen != NULL);
	/* of each node its total and its answer, and where it is sorted */
	t_true("five numbers a node",
	    ecache_bytes(ecache) - empty >= 2000 * 5 * 4);
	ecache_free(ecache);
	world_free(w);
	profile_free(p);
}

/* Nodes with the same many reasons share them. */
static void
reasons_take_no_memory_for_each_node(void)
{
	struct profile *p =
	    t_profile(T_POLICY(
			  ",\"predicates\":[{\"name\":\"PodFitsResources\"}]"),
		NULL);
	struct world *w = world_new("");
	AUTOFREE char *requests = xstrdup("cpu: 1"), *pod = NULL;
	struct ecache *ecache;
	struct decision *d;
	char text[256];

	for (unsigned i = 0; i < 1000; i++) {
		snprintf(text, sizeof(text), W_NODE("n%u", "", ""), i);
		world_put(w, text);
	}
	for (unsigned i = 0; i < 100; i++) {
		char *more = xasprintf("%s, example.com/r%u: 1", requests, i);

		free(requests);
		requests = more;
	}
	ecache = ecache_new(w->cluster, p, ECACHE_BYTES_DEFAULT);
	pod = xasprintf(W_POD("p", "", "", W_REQUESTS("%s")), requests);
	world_pod(w, pod);
	w->cycle.profile = p;
	w->cycle.ecache = ecache;
	w->cycle.keep_scores = false;
	d = decide(&w->cycle);
	t_true("it fits nowhere", d->chosen == NULL);
	t_int("reasons", (long)decision_verdict(d, 999)->nreasons, 100);
	t_true("not a pointer each",
	    arena_used(&w->arena) < (size_t)1000 * 100 * sizeof(void *));
	ecache_free(ecache);
	world_free(w);
	profile_free(p);
}

T_MAIN(T(what_is_kept_is_counted), T(reasons_take_no_memory_for_each_node),
    T(the_message_counts_reasons_in_byte_order), T(ten_comes_before_two),
    T(a_node_is_out_at_its_first_refusal),
    T(attempts_that_fail_as_a_whole_have_an_error), T(totals_are_weighted_sums),
    T(ties_are_broken_fairly_by_the_seed),
    T(pods_nominated_to_a_node_are_made_room_for),
    T(a_pod_goes_where_it_is_nominated_from_1_22_on),
    T(a_percentage_makes_a_sample), T(a_sample_goes_on_until_enough_fit),
    T(every_node_has_its_turn_in_samples))
