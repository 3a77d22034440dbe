/*
 * Reading a KubeSchedulerConfiguration: which plugins decide, with which weights and
 * arguments, as 1.20.2 (v1beta1) and 1.36.2 (v1) say; what they refuse; and that every
 * problem is named and placed.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/json_out.h"
#include "base/xmalloc.h"
#include "decide/framework/args.h"
#include "policy/configuration/configuration.h"
#include "t/lib/profiles_json.h"
#include "t/lib/t.h"

#define HEAD(version)                                                          \
	"apiVersion: kubescheduler.config.k8s.io/" version "\n"                \
	"kind: KubeSchedulerConfiguration\n"
#define EARLY HEAD("v1beta1")
#define LATER HEAD("v1")
/* A profile's plugins, and its pluginConfig, in flow style on line 4. */
#define PLUGINS(text) "profiles:\n- plugins: {" text "}\n"
#define CONFIG(name, args)                                                     \
	"profiles:\n- pluginConfig: [{name: " name ", args: {" args "}}]\n"

static struct problems problems;
static struct err err;

static struct profiles *
read_with(const char *text, bool kosmos)
{
	struct policy_options options = { .gates = gates_default,
		.kosmos = kosmos };

	problems_fini(&problems);
	err.text[0] = '\0';
	return configuration_read("file", text, strlen(text), &options,
	    &problems, &err);
}

static struct profiles *
read_text(const char *text)
{
	return read_with(text, false);
}

/* All problems, a line each; you own it. */
static char *
problem_lines(void)
{
	char *all = xstrdup(""), line[1024];

	for (size_t i = 0; i < problems.n; i++) {
		char *longer = xasprintf("%s%s%s", all, i > 0 ? "\n" : "",
		    problem_text(&problems.at[i], line, sizeof(line)));

		free(all);
		all = longer;
	}
	return all;
}

/* "A B:2": the plugins at a point, with weights other than 1. */
static char *
list_of(const struct profile *profile, enum extension_point point)
{
	const struct profile_point *list = &profile->points[point];
	char *text = xstrdup("");

	for (size_t i = 0; i < list->n; i++) {
		const struct profile_plugin *p = &list->plugins[i];
		char *longer = p->weight > 1 || p->weight < 0 ?
		    xasprintf("%s%s%s:%d", text, i > 0 ? " " : "", p->name,
			(int)p->weight) :
		    xasprintf("%s%s%s", text, i > 0 ? " " : "", p->name);

		free(text);
		text = longer;
	}
	return text;
}

#define SCORES_20                                                              \
	"NodeResourcesBalancedAllocation ImageLocality InterPodAffinity "      \
	"NodeResourcesLeastAllocated NodeAffinity NodePreferAvoidPods:10000 "  \
	"PodTopologySpread:2 TaintToleration"
#define SCORES_36(taints, fit)                                                 \
	"TaintToleration" taints " NodeAffinity:2 NodeResourcesFit" fit        \
	" VolumeBinding PodTopologySpread:2 InterPodAffinity:2 "               \
	"DynamicResources:2 NodeResourcesBalancedAllocation ImageLocality"

static void
plugins_are_merged_with_the_defaults(void)
{
	static const struct {
		const char *text;
		enum extension_point point;
		const char *want;
	} rows[] = {
		{ EARLY, POINT_SCORE, SCORES_20 },
		{ EARLY PLUGINS("score: {disabled: [{name: \"*\"}], enabled: "
				"[{name: NodeResourcesMostAllocated, "
				"weight: 3}, {name: ImageLocality}]}"),
		    POINT_SCORE, "NodeResourcesMostAllocated:3 ImageLocality" },
		{ EARLY PLUGINS("reserve: {disabled: [{name: NoSuch}, "
				"{name: VolumeBinding}]}"),
		    POINT_RESERVE, "" },
		{ EARLY PLUGINS("bind: {disabled: [{name: DefaultBinder}], "
				"enabled: [{name: DefaultBinder}]}"),
		    POINT_BIND, "DefaultBinder" },
		{ LATER, POINT_SCORE, SCORES_36(":3", "") },
		{ HEAD("v1beta3"), POINT_SCORE, SCORES_36(":3", "") },
		{ HEAD("v1beta2"), POINT_SCORE,
		    ("TaintToleration NodeAffinity NodeResourcesFit "
		     "VolumeBinding PodTopologySpread:2 InterPodAffinity "
		     "DynamicResources:2 NodeResourcesBalancedAllocation "
		     "ImageLocality") },
		/* multiPoint: the place stays, the weight is new. */
		{ LATER PLUGINS("multiPoint: {enabled: [{name: "
				"NodeResourcesFit, weight: 7}, "
				"{name: TaintToleration}]}"),
		    POINT_SCORE, SCORES_36("", ":7") },
		{ LATER PLUGINS("multiPoint: {disabled: [{name: \"*\"}], "
				"enabled: [{name: PrioritySort}, "
				"{name: DefaultBinder}, {name: NodeName}, "
				"{name: ImageLocality, weight: 5}]}"),
		    POINT_SCORE, "ImageLocality:5" },
		{ LATER PLUGINS("multiPoint: {disabled: [{name: \"*\"}], "
				"enabled: [{name: PrioritySort}, "
				"{name: DefaultBinder}, {name: NodeName}]}"),
		    POINT_FILTER, "NodeName" },
		/* The point's own first, if multiPoint has them, too. */
		{ LATER PLUGINS("postFilter: {enabled: [{name: "
				"DefaultPreemption}]}"),
		    POINT_POST_FILTER, "DefaultPreemption DynamicResources" },
		{ LATER PLUGINS("multiPoint: {disabled: [{name: "
				"ImageLocality}]}, preScore: {disabled: "
				"[{name: \"*\"}]}, score: {disabled: [{name: "
				"\"*\"}], enabled: [{name: ImageLocality, "
				"weight: 2}, {name: NodeAffinity}]}"),
		    POINT_SCORE, "ImageLocality:2 NodeAffinity" },
		{ LATER PLUGINS("score: {enabled: [{name: TaintToleration}]}"),
		    POINT_SCORE, SCORES_36("", "") },
		{ LATER PLUGINS("preEnqueue: {disabled: [{name: "
				"DynamicResources}]}"),
		    POINT_PRE_ENQUEUE, "SchedulingGates DefaultPreemption" },
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct profiles *c = read_text(rows[i].text);
		AUTOFREE char *got = NULL;

		t_str(rows[i].text, err.text, "");
		if (c == NULL)
			continue;
		got = list_of(c->at[0], rows[i].point);
		t_str(rows[i].text, got, rows[i].want);
		profiles_free(c);
	}
}

static void
several_profiles_have_their_names(void)
{
	struct profiles *c = read_text(
	    LATER "percentageOfNodesToScore: 30\n"
		  "profiles:\n"
		  "- schedulerName: a\n"
		  "- schedulerName: b\n"
		  "  percentageOfNodesToScore: 50\n"
		  "  plugins: {postFilter: {disabled: [{name: \"*\"}]}}\n"
		  "- schedulerName: all\n"
		  "  percentageOfNodesToScore: 0\n");

	t_int("three", c->n, 3);
	t_int("none", profiles_serving(c, "a")->percentage_of_nodes, -1);
	t_int("0, whatever the others'",
	    profiles_serving(c, "all")->percentage_of_nodes, 0);
	t_int("its own", profiles_serving(c, "b")->percentage_of_nodes, 50);
	t_true("a preempts", profiles_serving(c, "a")->preempts);
	t_true("b does not", !profiles_serving(c, "b")->preempts);
	t_true("no other", profiles_serving(c, "c") == NULL);
	t_int("36", c->at[0]->release, 36);
	profiles_free(c);
	c = read_text(EARLY);
	t_true("the default's name",
	    profiles_serving(c, "default-scheduler") != NULL);
	t_int("20", c->at[0]->release, 20);
	profiles_free(c);
}

/* As JSON, which has them all. */
static void
arguments_have_defaults(void)
{
	static const struct {
		const char *text, *want;
	} rows[] = {
		{ EARLY, "\"InterPodAffinity\":{\"HardPodAffinityWeight\":1}" },
		{ EARLY CONFIG("InterPodAffinity", "hardPodAffinityWeight: 0"),
		    "\"InterPodAffinity\":{\"HardPodAffinityWeight\":0}" },
		{ EARLY,
		    ("\"NodeResourcesLeastAllocated\":{\"Resources\":["
		     "{\"Name\":\"cpu\",\"Weight\":1},"
		     "{\"Name\":\"memory\",\"Weight\":1}]}") },
		{ EARLY CONFIG("PodTopologySpread",
		      "defaultConstraints: [{maxSkew: 2, topologyKey: zone, "
		      "whenUnsatisfiable: ScheduleAnyway}]"),
		    ("{\"DefaultConstraints\":[{\"maxSkew\":2,\"topologyKey\":"
		     "\"zone\",\"whenUnsatisfiable\":\"ScheduleAnyway\"}],"
		     "\"DefaultingType\":\"List\"}") },
		{ LATER,
		    ("\"DynamicResources\":{\"FilterTimeout\":\"10s\","
		     "\"BindingTimeout\":\"10m0s\"}") },
		{ LATER CONFIG("NodeResourcesFit",
		      "scoringStrategy: {type: MostAllocated, "
		      "resources: [{name: example.com/gpu}]}"),
		    ("\"ScoringStrategy\":{\"Type\":\"MostAllocated\","
		     "\"Resources\":[{\"Name\":\"example.com/gpu\","
		     "\"Weight\":1}],\"RequestedToCapacityRatio\":null}") },
		{ LATER CONFIG("VolumeBinding", "bindTimeoutSeconds: 60"),
		    "\"VolumeBinding\":{\"BindTimeoutSeconds\":60" },
		{ LATER CONFIG("DefaultPreemption",
		      "minCandidateNodesAbsolute: 0"),
		    ("\"DefaultPreemption\":{\"MinCandidateNodesPercentage\""
		     ":10,\"MinCandidateNodesAbsolute\":0}") },
		/* An extender's ignored resources take their place. */
		{ LATER
		    "extenders: [{urlPrefix: \"http://a\", "
		    "managedResources: [{name: example.com/a, "
		    "ignoredByScheduler: true}]}]\n" CONFIG("NodeResourcesFit",
			"ignoredResources: [b/c]"),
		    "\"IgnoredResources\":[\"example.com/a\"]" },
		/* Numbers of YAML */
		{ LATER CONFIG("InterPodAffinity",
		      "hardPodAffinityWeight: "
		      "0x1f"),
		    "\"HardPodAffinityWeight\":31" },
		{ LATER CONFIG("InterPodAffinity",
		      "hardPodAffinityWeight: "
		      "0o17"),
		    "\"HardPodAffinityWeight\":15" },
		/* lines that end with CR */
		{ LATER CONFIG("InterPodAffinity",
		      "hardPodAffinityWeight: "
		      "\r\r\r\r\r\r\r\r\r"
		      "0o17"),
		    "\"HardPodAffinityWeight\":15" },
		{ LATER CONFIG("InterPodAffinity",
		      "hardPodAffinityWeight: "
		      "3.0"),
		    "\"HardPodAffinityWeight\":3" },
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct profiles *c = read_text(rows[i].text);
		struct text text = { 0 };
		struct json_out json = JSON_OUT_INIT(&text);

		t_str(rows[i].text, err.text, "");
		if (c == NULL)
			continue;
		t_profiles_json(c, &json);
		t_has(rows[i].text, text.bytes, rows[i].want);
		text_fini(&text);
		profiles_free(c);
	}
}

static void
arguments_reach_the_profile(void)
{
	struct profiles *c = read_text(LATER
	    "profiles:\n- pluginConfig:\n"
	    "  - name: VolumeBinding\n    args: {bindTimeoutSeconds: 60}\n"
	    "  - name: InterPodAffinity\n"
	    "    args: {hardPodAffinityWeight: 0}\n"
	    "  - name: DefaultPreemption\n"
	    "    args: {minCandidateNodesPercentage: 20}\n"
	    "  - name: NodeAffinity\n    args:\n      addedAffinity:\n"
	    "        requiredDuringSchedulingIgnoredDuringExecution:\n"
	    "          nodeSelectorTerms:\n"
	    "          - matchExpressions:\n"
	    "            - {key: disk, operator: In, values: [ssd]}\n"
	    "        preferredDuringSchedulingIgnoredDuringExecution:\n"
	    "        - weight: 5\n"
	    "          preference:\n"
	    "            matchFields:\n"
	    "            - {key: metadata.name, operator: In, values: [n1]}\n");
	const struct node_affinity_args *added = NULL;
	const struct profile *p;

	t_str("valid", err.text, "");
	if (c == NULL)
		return;
	p = c->at[0];
	t_int("seconds", p->bind_timeout_seconds, 60);
	t_int("hard", p->hard_pod_affinity_symmetric_weight, 0);
	t_int("percentage", p->preemption_args->min_candidate_nodes_percentage,
	    20);
	t_int("absolute", p->preemption_args->min_candidate_nodes_absolute,
	    100);
	t_int("release", p->release, 36);
	t_int("0 to 100", p->score_max, 100);
	for (size_t i = 0; i < p->npredicates; i++)
		if (strcmp(p->predicates[i].name, "NodeAffinity") == 0)
			added = p->predicates[i].args;
	t_true("required", added->has_required);
	t_int("one term", added->required.n, 1);
	t_int("preferred", added->npreferred, 1);
	t_int("its weight", added->preferred[0].weight, 5);
	t_true("its field", added->preferred[0].term.has_fields);
	profiles_free(c);
}

static void
what_kube_scheduler_refuses(void)
{
	static const struct {
		const char *text, *want;
	} rows[] = {
		/* with the configuration */
		{ EARLY "parallelism: 0\n",
		    "file:3:14: error: parallelism must be 1 or more, not 0" },
		{ LATER "podInitialBackoffSeconds: 20\n"
			"percentageOfNodesToScore: 101\n",
		    ("file:1:1: error: podMaxBackoffSeconds must be at least "
		     "podInitialBackoffSeconds, which is 20, not 10\n"
		     "file:4:27: error: percentageOfNodesToScore must be from 0 "
		     "to 100, not 101") },
		{ EARLY "leaderElection: {leaseDuration: -1s}\n",
		    ("file:3:33: error: leaderElection.leaseDuration must be "
		     "greater than zero, not -1s") },
		{ EARLY "leaderElection: {leaseDuration: 10s}\n",
		    ("file:3:33: error: leaderElection.leaseDuration must be "
		     "greater than renewDeadline") },
		{ EARLY "leaderElection: {retryPeriod: 9s}\n",
		    ("file:3:17: error: leaderElection.renewDeadline must be "
		     "greater than retryPeriod*JitterFactor (1.2)") },
		{ LATER "leaderElection: {resourceLock: endpoints}\n",
		    ("file:3:32: error: leaderElection.resourceLock must be "
		     "leases, not \"endpoints\"") },
		{ EARLY "leaderElection: {resourceLock: bogus}\n",
		    ("file:3:32: error: leaderElection.resourceLock must be a "
		     "lock such as leases, not \"bogus\"") },
		{ LATER "profiles: [{schedulerName: a}, {schedulerName: a}]\n",
		    ("file:3:48: error: profiles[1].schedulerName: profiles[0] "
		     "has the name \"a\", too") },
		{ EARLY "healthzBindAddress: \"host:80\"\n",
		    ("file:3:21: error: healthzBindAddress: \"host\" is no IP "
		     "address such as 10.9.8.7 or 2001:db8::ffff") },
		{ LATER CONFIG("DefaultPreemption",
		      "minCandidateNodesAbsolute: -1"),
		    ("file:4:78: error: profiles[0].pluginConfig[0].args."
		     "minCandidateNodesAbsolute must be 0 or more, not -1") },
		{ LATER PLUGINS("filter: {enabled: [{name: EBSLimits}]}"),
		    ("file:4:32: error: plugin \"EBSLimits\" does not exist any "
		     "more; NodeVolumeLimits takes its place") },
		{ LATER "extenders: [{urlPrefix: u, managedResources: "
			"[{name: cpu}]}]\n",
		    ("file:3:54: error: managed resource \"cpu\" is not an "
		     "extended resource such as \"example.com/device\"") },
		{ LATER CONFIG("NodeAffinity",
		      "addedAffinity: "
		      "{preferredDuringSchedulingIgnoredDuringExecution: "
		      "[{weight: 1, preference: {matchExpressions: "
		      "[{key: a, operator: Bogus}]}}]}"),
		    ("file:4:175: error: profiles[0].pluginConfig[0].args."
		     "addedAffinity."
		     "preferredDuringSchedulingIgnoredDuringExecution[0]."
		     "matchExpressions[0].operator: Unsupported value: "
		     "\"Bogus\": supported values: \"In\", \"NotIn\", "
		     "\"Exists\", \"DoesNotExist\", \"Gt\", \"Lt\"") },
		{ EARLY "profiles: [{schedulerName: a}, {schedulerName: b, "
			"plugins: {queueSort: {enabled: []}}}]\n",
		    ("file:3:72: error: profiles[1].plugins.queueSort must be "
		     "the same as in profiles[0]") },
		/* when it makes the profile */
		{ EARLY PLUGINS("filter: {enabled: [{name: NodeName}]}"),
		    ("file:4:32: error: plugin \"NodeName\" is enabled twice "
		     "for filter") },
		{ EARLY PLUGINS("filter: {enabled: [{name: \"*\"}]}"),
		    "file:4:32: error: plugin \"*\" does not exist" },
		{ EARLY PLUGINS("permit: {enabled: [{name: VolumeBinding}]}"),
		    ("file:4:32: error: plugin \"VolumeBinding\" cannot be "
		     "enabled for permit") },
		{ EARLY PLUGINS("score: {enabled: [{name: "
				"RequestedToCapacityRatio}]}"),
		    ("file: error: arguments of RequestedToCapacityRatio: "
		     "shape must have a point") },
		{ EARLY PLUGINS("queueSort: {disabled: [{name: \"*\"}]}"),
		    ("file:4:3: error: profile \"default-scheduler\" must "
		     "enable one queueSort plugin, not 0") },
		{ LATER PLUGINS("multiPoint: {enabled: [{name: NoSuch}]}"),
		    "file:4:36: error: plugin \"NoSuch\" does not exist" },
		{ LATER PLUGINS("queueSort: {disabled: [{name: \"*\"}]}"),
		    ("file:4:3: error: profile \"default-scheduler\" must "
		     "enable one queueSort plugin, not 0") },
		{ LATER PLUGINS("score: {enabled: [{name: ImageLocality, "
				"weight: -1}]}"),
		    ("file: error: the weights of all score plugins together "
		     "are out of range") },
		{ LATER CONFIG("NodeResourcesFit",
		      "scoringStrategy: {type: Bogus}"),
		    ("file:4:74: error: profiles[0].pluginConfig[0].args."
		     "scoringStrategy.type must be LeastAllocated, "
		     "MostAllocated or RequestedToCapacityRatio, not "
		     "\"Bogus\"") },
		{ LATER "extenders: [{urlPrefix: \"https://a\", tlsConfig: "
			"{caFile: /nonexistent/ca}}]\n",
		    ("file:3:49: error: extender \"https://a\": open "
		     "/nonexistent/ca: no such file or directory") },
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct profiles *c = read_text(rows[i].text);
		AUTOFREE char *got = problem_lines();

		t_true(rows[i].text, c == NULL);
		t_str(rows[i].text, got, rows[i].want);
		profiles_free(c);
	}
}

static void
every_problem_is_placed(void)
{
	static const struct {
		const char *text, *want;
	} rows[] = {
		{ LATER "profile: []\nparallelism: x\n",
		    ("file:3:10: error: profile: unknown field; did you mean "
		     "\"profiles\"?\n"
		     "file:4:14: error: parallelism must be a whole number, "
		     "not a string") },
		{ LATER CONFIG("NodeResourcesFit",
		      "Ignored: [], ignoredResources: 1"),
		    ("file:4:59: error: "
		     "profiles[0].pluginConfig[0].args.Ignored: unknown "
		     "field; did you mean \"ignoredResources\"?\n"
		     "file:4:81: error: "
		     "profiles[0].pluginConfig[0].args.ignoredResources must "
		     "be an array of strings, not a number") },
		{ LATER "parallelism: 1\nparallelism: 0\nprofils: []\n",
		    ("file:4:14: error: \"parallelism\" is repeated\n"
		     "file:4:14: error: parallelism must be 1 or more, "
		     "not 0\n"
		     "file:5:10: error: profils: unknown field; did you mean "
		     "\"profiles\"?") },
		{ LATER "profiles:\n- plugins:\n    filter:\n"
			"      enabled:\n      - name: A\n      - name: B\n",
		    ("file:7:9: error: plugin \"A\" does not exist\n"
		     "file:8:9: error: plugin \"B\" does not exist") },
		{ "{\"apiVersion\": \"v1\",\n \"kind\": \"Policy\"}",
		    ("file:1:16: error: apiVersion must be "
		     "\"kubescheduler.config.k8s.io/VERSION\" with one of the "
		     "versions v1alpha1, v1alpha2, v1beta1, v1beta2, v1beta3, "
		     "v1, not \"v1\"\n"
		     "file:2:10: error: kind must be "
		     "\"KubeSchedulerConfiguration\", not \"Policy\"") },
		{ "", "file: error: \"kind\" is missing: it is empty" },
		{ "[]",
		    "file:1:1: error: this must be an object, not an "
		    "array" },
		{ HEAD("v1alpha1") "plugins: {score: {enabled: [{name: A}]}}\n",
		    ("file:3:29: error: plugin \"A\" does not exist: in "
		     "v1alpha1 there are only plugins of one's own") },
		{ LATER CONFIG("InterPodAffinity", "kind: NodeAffinityArgs"),
		    ("file:4:56: error: profiles[0].pluginConfig[0].args.kind "
		     "must be \"InterPodAffinityArgs\", not "
		     "\"NodeAffinityArgs\"") },
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct profiles *c = read_text(rows[i].text);
		AUTOFREE char *got = problem_lines();

		t_true(rows[i].text, c == NULL);
		t_str(rows[i].text, got, rows[i].want);
		profiles_free(c);
	}
}

static void
v1alpha1_names_a_provider(void)
{
	struct profiles *c = read_text(HEAD(
	    "v1alpha1") "schedulerName: mine\n"
			"algorithmSource: {provider: ClusterAutoscalerProvider}\n");
	const struct profile *p = profiles_serving(c, "mine");
	bool most = false;

	t_str("valid", err.text, "");
	t_int("as a policy", p->release, 15);
	for (size_t i = 0; i < p->npriorities; i++)
		most |=
		    strcmp(p->priorities[i].name, "MostRequestedPriority") == 0;
	t_true("its priority", most);
	profiles_free(c);
	c = read_text(HEAD("v1alpha2") "disablePreemption: true\n"
				       "bindTimeoutSeconds: 90\n");
	t_str("valid", err.text, "");
	t_true("no preemption", !c->at[0]->preempts);
	t_int("seconds", c->at[0]->bind_timeout_seconds, 90);
	profiles_free(c);
	problems_fini(&problems);
}

/* --kosmos beside --config: as if the profile named the plugins itself. */
static void
the_rules_of_kosmos_join_any_profile(void)
{
	static const struct {
		const char *name, *text, *filters;
	} rows[] = {
		{ "v1beta1, silent", HEAD("v1beta1"),
		    "NodeUnschedulable NodeName LeafNodeTaintToleration "
		    "NodeAffinity NodePorts NodeResourcesFit VolumeRestrictions "
		    "EBSLimits GCEPDLimits NodeVolumeLimits AzureDiskLimits "
		    "LeafNodeVolumeBinding VolumeZone PodTopologySpread "
		    "InterPodAffinity LeafNodeDistribution" },
		{ "v1, some of them named",
		    HEAD(
			"v1") "profiles: [{plugins: {multiPoint: {disabled: "
			      "[{name: '*'}], enabled: [{name: PrioritySort}, "
			      "{name: DefaultBinder}, {name: TaintToleration}, "
			      "{name: VolumeBinding}]}, filter: {enabled: "
			      "[{name: LeafNodeDistribution}, "
			      "{name: LeafNodeTaintToleration}]}}}]\n",
		    "LeafNodeTaintToleration LeafNodeVolumeBinding "
		    "LeafNodeDistribution" },
		{ "no volumes",
		    HEAD("v1beta1") "profiles: [{plugins: {filter: {disabled: "
				    "[{name: '*'}]}}}]\n",
		    "LeafNodeDistribution" },
	};
	struct profiles *c;

	for (size_t i = 0; i < LENGTH(rows); i++) {
		AUTOFREE char *filters = NULL, *scores = NULL, *binds = NULL;

		c = read_with(rows[i].text, true);
		t_str(rows[i].name, err.text, "");
		if (c == NULL)
			continue;
		filters = list_of(c->at[0], POINT_FILTER);
		scores = list_of(c->at[0], POINT_SCORE);
		binds = list_of(c->at[0], POINT_PRE_BIND);
		t_str(rows[i].name, filters, rows[i].filters);
		t_true("taints are scored as before",
		    strstr(scores, "TaintToleration") != NULL);
		t_true("volumes are not",
		    strstr(scores, "VolumeBinding") == NULL);
		t_has("volumes are bound", binds, "LeafNodeVolumeBinding");
		t_true("by leaf nodes, too", c->at[0]->leaf_volumes == (i < 2));
		profiles_free(c);
	}
	c = read_with(HEAD("v1beta1") "profiles: [{pluginConfig: [{name: "
				      "VolumeBinding, args: "
				      "{bindTimeoutSeconds: 7}}]}]\n",
	    true);
	t_int("the arguments stay", c->at[0]->bind_timeout_seconds, 7);
	profiles_free(c);
	problems_fini(&problems);
}

T_MAIN(T(plugins_are_merged_with_the_defaults),
    T(several_profiles_have_their_names), T(arguments_have_defaults),
    T(arguments_reach_the_profile), T(what_kube_scheduler_refuses),
    T(every_problem_is_placed), T(v1alpha1_names_a_provider),
    T(the_rules_of_kosmos_join_any_profile))
