/* Which distribution policy a pod goes by. */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "base/xmalloc.h"
#include "cluster/confines.h"
#include "objects/confines.h"
#include "t/lib/t.h"
#include "t/lib/world.h"

/* Policies whose terms are called as their node types. */
#define TERMS                                                                  \
	"policyTerms: [{name: host, nodeType: host}, "                         \
	"{name: leaf, nodeType: leaf}, {name: mix, nodeType: mix}, "           \
	"{name: adv, nodeType: adv, advancedTerm: {nodeName: n1}}]"
#define DP(name, created, selectors)                                           \
	W_OBJECT("DistributionPolicy",                                         \
	    "namespace: default, name: " name ", creationTimestamp: " created, \
	    "spec: {resourceSelectors: [" selectors "], " TERMS "}")
#define CDP(name, created, selectors)                                          \
	W_OBJECT("ClusterDistributionPolicy",                                  \
	    "name: " name ", creationTimestamp: " created,                     \
	    "spec: {resourceSelectors: [" selectors "], " TERMS "}")

#define EARLY "'2024-01-01T00:00:00Z'"
#define LATE "'2024-01-02T00:00:00Z'"

#define NAME(term) "{policyName: " term ", name: web-1}"
#define PREFIX(term, prefix) "{policyName: " term ", namePrefix: " prefix "}"
#define LABELS(term)                                                           \
	"{policyName: " term ", labelSelector: {matchLabels: {app: web}}}"
#define EXPRESSION(term, expression)                                           \
	"{policyName: " term ", labelSelector: {matchExpressions: ["           \
	"{" expression "}]}}"

static const struct {
	const char *name, *policies;
	const char *want; /* "policy, term" of the pod web-1 with app: web */
} rows[] = {
	{ "no policy", "", "" },
	{ "a name", DP("p", EARLY, NAME("leaf")),
	    "DistributionPolicy default/p, leaf" },
	{ "a prefix", DP("p", EARLY, PREFIX("leaf", "we")),
	    "DistributionPolicy default/p, leaf" },
	{ "the whole name is a prefix, too",
	    DP("p", EARLY, PREFIX("leaf", "web-1")),
	    "DistributionPolicy default/p, leaf" },
	{ "labels", DP("p", EARLY, LABELS("leaf")),
	    "DistributionPolicy default/p, leaf" },
	{ "a name of the cluster's", CDP("p", EARLY, NAME("leaf")),
	    "ClusterDistributionPolicy p, leaf" },
	{ "a prefix of the cluster's", CDP("p", EARLY, PREFIX("leaf", "we")),
	    "ClusterDistributionPolicy p, leaf" },
	{ "labels of the cluster's", CDP("p", EARLY, LABELS("leaf")),
	    "ClusterDistributionPolicy p, leaf" },
	{ "another name", DP("p", EARLY, "{policyName: leaf, name: web}"), "" },
	{ "another prefix", DP("p", EARLY, PREFIX("leaf", "web-12")), "" },
	{ "of another namespace",
	    W_OBJECT("DistributionPolicy", "namespace: other, name: p",
		"spec: {resourceSelectors: [" NAME("leaf") "], " TERMS "}"),
	    "" },

	/* precedence */
	{ "a name before a prefix",
	    DP("p", EARLY, NAME("leaf") ", " PREFIX("host", "web-1")),
	    "DistributionPolicy default/p, leaf" },
	{ "a prefix before labels",
	    DP("p", EARLY, PREFIX("leaf", "w") ", " LABELS("host")),
	    "DistributionPolicy default/p, leaf" },
	{ "a name before a prefix, of the cluster's",
	    CDP("p", EARLY, NAME("leaf") ", " PREFIX("host", "web-1")),
	    "ClusterDistributionPolicy p, leaf" },
	{ "a prefix before labels, of the cluster's",
	    CDP("p", EARLY, PREFIX("leaf", "w") ", " LABELS("host")),
	    "ClusterDistributionPolicy p, leaf" },
	{ "whichever policy it is in",
	    DP("a", EARLY, LABELS("host")) DP("b", LATE, NAME("leaf"))
		DP("c", EARLY, PREFIX("host", "web")),
	    "DistributionPolicy default/b, leaf" },
	{ "the namespace's labels before the cluster's name",
	    CDP("c", EARLY, NAME("host")) DP("p", LATE, LABELS("leaf")),
	    "DistributionPolicy default/p, leaf" },
	{ "a namespace's policy that selects nothing leaves it to the cluster",
	    CDP("c", EARLY, LABELS("leaf"))
		DP("p", EARLY, PREFIX("host", "db")),
	    "ClusterDistributionPolicy c, leaf" },
	{ "the last policy need not match",
	    DP("a", EARLY, NAME("leaf")) DP("b", EARLY, PREFIX("host", "db")),
	    "DistributionPolicy default/a, leaf" },
	{ "the longest prefix",
	    DP("a", EARLY, PREFIX("host", "we")) DP("b", LATE,
		PREFIX("leaf", "web-")) DP("c", EARLY, PREFIX("host", "w")),
	    "DistributionPolicy default/b, leaf" },
	{ "the longest prefix of one policy",
	    DP("a", EARLY, PREFIX("leaf", "web-") ", " PREFIX("host", "web")),
	    "DistributionPolicy default/a, leaf" },
	{ "the oldest",
	    DP("a", LATE, LABELS("host")) DP("b", EARLY, LABELS("leaf")),
	    "DistributionPolicy default/b, leaf" },
	{ "the oldest of the cluster's",
	    CDP("a", LATE, NAME("host")) CDP("b", EARLY, NAME("leaf")),
	    "ClusterDistributionPolicy b, leaf" },
	{ "a time before none",
	    DP("a", "null", LABELS("host")) DP("b", LATE, LABELS("leaf")),
	    "DistributionPolicy default/b, leaf" },
	{ "the first by name",
	    DP("b", EARLY, LABELS("host")) DP("a", EARLY, LABELS("leaf")),
	    "DistributionPolicy default/a, leaf" },
	{ "the last selector of one policy",
	    DP("a", EARLY, LABELS("host") ", " LABELS("leaf")),
	    "DistributionPolicy default/a, leaf" },
	{ "the best criterion of one selector",
	    DP("a", EARLY,
		"{policyName: leaf, name: web-1, namePrefix: x, "
		"labelSelector: {matchLabels: {app: db}}}, " PREFIX("host",
		    "web-1")),
	    "DistributionPolicy default/a, leaf" },
	{ "one criterion of several is enough",
	    DP("a", EARLY,
		"{policyName: leaf, name: other, "
		"labelSelector: {matchLabels: {app: web}}}"),
	    "DistributionPolicy default/a, leaf" },

	/* label selectors */
	{ "all labels must match",
	    DP("a", EARLY,
		"{policyName: leaf, labelSelector: "
		"{matchLabels: {app: web, tier: a}}}"),
	    "" },
	{ "In",
	    DP("a", EARLY,
		EXPRESSION("leaf",
		    "key: app, operator: In, values: [web, db]")),
	    "DistributionPolicy default/a, leaf" },
	{ "NotIn",
	    DP("a", EARLY,
		EXPRESSION("leaf", "key: app, operator: NotIn, values: [web]")),
	    "" },
	{ "Exists",
	    DP("a", EARLY, EXPRESSION("leaf", "key: app, operator: Exists")),
	    "DistributionPolicy default/a, leaf" },
	{ "DoesNotExist",
	    DP("a", EARLY,
		EXPRESSION("leaf", "key: tier, operator: DoesNotExist")),
	    "DistributionPolicy default/a, leaf" },
	{ "labels and expressions",
	    DP("a", EARLY,
		"{policyName: leaf, labelSelector: {matchLabels: "
		"{app: web}, matchExpressions: [{key: tier, operator: Exists}]}}"),
	    "" },
	{ "an empty selector selects everything",
	    DP("a", EARLY, "{policyName: leaf, labelSelector: {}}"),
	    "DistributionPolicy default/a, leaf" },
	{ "an absent one nothing", DP("a", EARLY, "{policyName: leaf}"), "" },
	{ "nor one that breaks the rules",
	    DP("a", EARLY, EXPRESSION("leaf", "key: app, operator: Like")),
	    "" },

	/* terms */
	{ "an unknown policyName is kept", DP("a", EARLY, NAME("gone")),
	    "DistributionPolicy default/a, gone" },
};

static char *
outcome_of(const struct pod *pod)
{
	const struct confines *confines = pod->class->confines;

	if (confines == NULL)
		return xstrdup("");
	return xasprintf("%s, %s", sym_text(confines->distribution.policy),
	    sym_text(confines->distribution.term));
}

static void
the_most_precise_wins(void)
{
	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct world *w = world_new(rows[i].policies);
		AUTOFREE char *got = NULL;

		world_pod(w, W_POD("web-1", "app: web", "", ""));
		got = outcome_of(w->pod);
		t_str(rows[i].name, got, rows[i].want);
		world_free(w);
	}
}

static void
terms_are_resolved(void)
{
	static const struct {
		const char *term;
		enum distribution_type want;
	} cases[] = {
		{ NAME("host"), DISTRIBUTION_HOST },
		{ NAME("leaf"), DISTRIBUTION_LEAF },
		{ NAME("mix"), DISTRIBUTION_MIX },
		{ NAME("adv"), DISTRIBUTION_ADVANCED },
		{ NAME("gone"), DISTRIBUTION_MIX },
	};

	for (size_t i = 0; i < LENGTH(cases); i++) {
		AUTOFREE char *dp =
		    xasprintf("--- {kind: DistributionPolicy, "
			      "metadata: {namespace: default, name: p}, spec: "
			      "{resourceSelectors: [%s], %s}}\n",
			cases[i].term, TERMS);
		struct world *w = world_new(dp);
		const struct distribution *d;

		world_pod(w, W_POD("web-1", "", "", ""));
		d = &w->pod->class->confines->distribution;
		t_int(cases[i].term, d->type, cases[i].want);
		t_str(cases[i].term, sym_text(d->node_name),
		    cases[i].want == DISTRIBUTION_ADVANCED ? "n1" : "");
		world_free(w);
	}
}

static void
daemon_sets_are_exempt(void)
{
	struct world *w = world_new(DP("p", EARLY, NAME("leaf")));

	world_pod(w,
	    W_OBJECT("Pod",
		"name: web-1, ownerReferences: "
		"[{kind: DaemonSet, name: d, controller: true}]",
		"spec: {}"));
	t_true("not confined", w->pod->class->confines == NULL);
	world_free(w);
}

static void
changes_are_told(void)
{
	struct world *w = world_new("");
	uint64_t before = w->cluster->confines;
	AUTOFREE char *outcome = NULL;
	struct pod *pod;

	world_pod(w, W_POD("web-1", "", "", ""));
	world_put(w, W_NODE("n1", "", ""));
	t_true("a node is none", w->cluster->confines == before);
	world_put(w, DP("p", EARLY, NAME("leaf")));
	t_true("a policy is", w->cluster->confines != before);
	pod = cluster_confined(w->cluster, pod_ref(w->pod));
	outcome = outcome_of(pod);
	t_str("the pod follows", outcome, "DistributionPolicy default/p, leaf");
	before = w->cluster->confines;
	world_remove(w, DP("p", EARLY, NAME("leaf")));
	t_true("its end, too", w->cluster->confines != before);
	pod = cluster_confined(w->cluster, pod);
	t_true("it is free again", pod->class == w->pod->class);
	pod_unref(pod);
	world_free(w);
}

static void
pods_of_one_outcome_share_a_class(void)
{
	struct world *w =
	    world_new(DP("p", EARLY, PREFIX("leaf", "web-") ", " NAME("host")));
	struct pod *one, *two, *three;

	one = cluster_confined(w->cluster,
	    world_decode_pod(W_POD("web-1", "", "", "")));
	two = cluster_confined(w->cluster,
	    world_decode_pod(W_POD("web-2", "", "", "")));
	three = cluster_confined(w->cluster,
	    world_decode_pod(W_POD("web-3", "", "", "")));
	t_true("by name", one->class != two->class);
	t_true("by prefix", two->class == three->class);
	pod_unref(one);
	pod_unref(two);
	pod_unref(three);
	world_free(w);
}

T_MAIN(T(the_most_precise_wins), T(terms_are_resolved),
    T(daemon_sets_are_exempt), T(changes_are_told),
    T(pods_of_one_outcome_share_a_class))
