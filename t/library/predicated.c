/* include/predicated.h, as a program uses it. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/xmalloc.h"
#include "include/predicated.h"
#include "t/lib/t.h"

/* clang-format off */
#define NODE(name, cpu)                                                        \
	"kind: Node\nmetadata: {name: " name "}\n"                              \
	"status: {allocatable: {cpu: " cpu ", pods: 9}}\n"
#define POD(name, cpu)                                                         \
	"kind: Pod\nmetadata: {name: " name ", namespace: d}\nspec: {"          \
	"containers: [{name: c, resources: {requests: {cpu: " cpu "}}}]}\n"
/* clang-format on */

static long
put(struct predicated *p, const char *text)
{
	return predicated_put(p, "objects", text, strlen(text));
}

static int
rules(struct predicated *p, const char *text)
{
	return predicated_rules(p, "rules", text, strlen(text));
}

/* The pod goes to this node; NULL: to none, with this message. */
static void
expect(struct predicated *p, const char *pod, const char *node,
    const char *message)
{
	struct predicated_decision d = { NULL, 0, NULL };

	t_int(pod, predicated_decide(p, "d", pod, 0, &d), 0);
	t_str(pod, d.node, node);
	t_str(pod, d.message, message);
}

static void
objects_come_and_go(void)
{
	struct predicated *p = predicated_new("1.20");

	t_int("all",
	    put(p, NODE("a", "2") "---\n" POD("x", "1") "---\n" POD("w", "2")),
	    3);
	expect(p, "x", "a", "");
	expect(p, "w", "a", "");
	t_int("bound", predicated_bind(p, "d", "x", "a"), 0);
	expect(p, "w", NULL, "0/1 nodes are available: 1 Insufficient cpu.");
	t_int("in JSON",
	    put(p,
		"{\"kind\":\"List\",\"items\":[{\"kind\":\"Node\",\"metadata\":{\"name\":\"b\"},\"status\":{\"allocatable\":{\"cpu\":\"4\",\"pods\":\"9\"}}},{\"kind\":\"Secret\"}]}"),
	    1);
	expect(p, "w", "b", "");
	t_int("a node goes", predicated_remove(p, "Node", NULL, "b"), 0);
	expect(p, "w", NULL, "0/1 nodes are available: 1 Insufficient cpu.");
	t_int("it need not be there", predicated_remove(p, "Node", NULL, "b"),
	    0);
	t_int("a pod goes", predicated_remove(p, "Pod", "d", "x"), 0);
	expect(p, "w", "a", "");
	t_int("it is another one", put(p, POD("w", "3")), 1);
	expect(p, "w", NULL, "0/1 nodes are available: 1 Insufficient cpu.");
	predicated_free(p);
}

static void
rules_may_change(void)
{
	struct predicated *p = predicated_new("1.36");

	put(p, NODE("a", "2") "---\n" POD("w", "3"));
	t_int("a policy without rules",
	    rules(p,
		"{\"kind\":\"Policy\",\"apiVersion\":\"v1\",\"predicates\":[],"
		"\"priorities\":[]}"),
	    0);
	expect(p, "w", "a", "");
	t_int("a configuration",
	    rules(p,
		"apiVersion: kubescheduler.config.k8s.io/v1\n"
		"kind: KubeSchedulerConfiguration\n"),
	    0);
	expect(p, "w", NULL, "0/1 nodes are available: 1 Insufficient cpu.");
	t_int("a rule behind a gate that is on by default",
	    rules(p,
		"{\"kind\":\"Policy\",\"apiVersion\":\"v1\",\"predicates\":"
		"[{\"name\":\"CheckNodeUnschedulable\"}]}"),
	    0);
	expect(p, "w", "a", "");
	t_int("the configuration again",
	    rules(p,
		"apiVersion: kubescheduler.config.k8s.io/v1\n"
		"kind: KubeSchedulerConfiguration\n"),
	    0);
	t_int("a refused one",
	    rules(p,
		"{\"kind\":\"Policy\",\n \"predicates\":"
		"[{\"name\":\"NoSuchRule\"}]}"),
	    -1);
	t_has("its place", predicated_error(p), "rules:2:");
	t_true("the others count", rules(p, "") != 0);
	expect(p, "w", NULL, "0/1 nodes are available: 1 Insufficient cpu.");
	predicated_free(p);
}

static void
an_explanation_has_remedies(void)
{
	struct predicated *p = predicated_new("1.29");
	char *json;

	put(p,
	    "kind: Node\nmetadata: {name: a}\nspec: {unschedulable: true}\n"
	    "status: {allocatable: {cpu: 2, pods: 9}}\n---\n" POD("x", "1"));
	json = predicated_explain(p, "d", "x", 0);
	t_has("remedy", json, "uncordon");
	t_has("proven", json, "\"proven\":true");
	free(json);
	expect(p, "x", NULL,
	    "0/1 nodes are available: 1 node(s) were unschedulable.");
	predicated_free(p);
}

static void
mistakes_change_nothing(void)
{
	struct predicated *p = predicated_new("1.29");
	struct predicated_decision d;

	t_true("no release",
	    predicated_new("1.14") == NULL && predicated_new("one") == NULL &&
		predicated_new(NULL) == NULL);
	predicated_free(NULL);
	t_int("broken", put(p, NODE("a", "2") "---\n" NODE("b", "[]")), -1);
	t_has("its place", predicated_error(p), "objects:7:");
	put(p, POD("x", "1"));
	expect(p, "x", NULL, "no nodes available to schedule pods");
	t_int("no pod", predicated_decide(p, "d", "z", 0, &d), -1);
	t_str("so", predicated_error(p), "pod d/z is not in the cluster");
	t_int("no node", predicated_bind(p, "d", "x", "z"), -1);
	t_str("so", predicated_error(p), "node z is not in the cluster");
	t_int("no kind", predicated_remove(p, "Moon", "d", "x"), -1);
	put(p, NODE("a", "2"));
	t_int("bound", predicated_bind(p, "d", "x", "a"), 0);
	t_true("once",
	    predicated_bind(p, "d", "x", "a") != 0 &&
		predicated_explain(p, "d", "x", 0) == NULL);
	t_str("so", predicated_error(p), "pod d/x is on node a");
	predicated_free(p);
	p = predicated_new("1.20");
	t_int("rules of a later release",
	    rules(p,
		"apiVersion: kubescheduler.config.k8s.io/v1\n"
		"kind: KubeSchedulerConfiguration\n"),
	    -1);
	t_str("so", predicated_error(p),
	    "rules: it is for Kubernetes 1.25 or later");
	predicated_free(p);
}

T_MAIN(T(objects_come_and_go), T(rules_may_change),
    T(an_explanation_has_remedies), T(mistakes_change_nothing))
