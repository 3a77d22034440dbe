/*
 * Reading policy.cfg as kube-scheduler 1.15 does;
 * where we differ unless strict; and that every problem is named and placed.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/err.h"
#include "base/xmalloc.h"
#include "decide/framework/args.h"
#include "policy/configuration/configuration.h"
#include "policy/policy_internal.h"
#include "predicates/registry.h"
#include "priorities/registry.h"
#include "t/lib/t.h"

#define HEAD "{\"kind\": \"Policy\", \"apiVersion\": \"v1\", "
#define NAMED(name) HEAD "\"predicates\": [{\"name\": \"" name "\"}]}"
#define WITH(name, argument)                                                   \
	HEAD "\"predicates\": [{\"name\": \"" name                             \
	     "\", \"argument\": {" argument "}}]}"
#define SCORED(weight)                                                         \
	HEAD "\"priorities\": [{\"name\": \"EqualPriority\", "                 \
	     "\"weight\": " weight "}]}"
#define RATIO(shape)                                                           \
	HEAD "\"priorities\": [{\"name\": \"R1\", \"weight\": 1, "             \
	     "\"argument\": {\"requestedToCapacityRatioArguments\": "          \
	     "{\"shape\": [" shape "]}}}]}"
#define EXTENDER(fields) HEAD "\"extenders\": [{" fields "}]}"
#define RACK "\"labelsPresence\": {\"labels\": [\"rack\"]}"

static const struct policy_options strict = {
	.strict = true,
	.gates = { .taint_nodes_by_condition = true },
};
static const struct policy_options kosmos = {
	.strict = true,
	.kosmos = true,
	.gates = { .taint_nodes_by_condition = true },
};
static const struct policy_options friendly = {
	.gates = { .taint_nodes_by_condition = true },
};
static const struct policy_options no_taints = { .strict = true };
static const struct policy_options all_gates = {
	.strict = true,
	.gates = { .taint_nodes_by_condition = true,
	    .even_pods_spread = true,
	    .resource_limits_priority_function = true },
};

static struct problems problems;
static struct err err;

static struct profile *
read_policy(const char *text, const struct policy_options *options)
{
	problems_fini(&problems);
	err.text[0] = '\0';
	return policy_read("policy.cfg", text, strlen(text), options, &problems,
	    &err);
}

/* All problems, a line each. */
static char *
problem_lines(void)
{
	char *all = xstrdup(""), line[2048];

	for (size_t i = 0; i < problems.n; i++) {
		char *longer = xasprintf("%s%s\n", all,
		    problem_text(&problems.at[i], line, sizeof(line)));

		free(all);
		all = longer;
	}
	return all;
}

/* "A B=unit C" for names that differ from their unit's. */
/* Without the rules about later fields. */
static char *
predicate_names(const struct profile *profile)
{
	char *all = xstrdup("");

	for (size_t i = 0; profile && i < profile->npredicates; i++) {
		const struct profile_predicate *p = &profile->predicates[i];
		bool same = strcmp(p->name, p->unit->name) == 0;
		char *longer;

		if (p->later)
			continue;
		longer = xasprintf("%s%s%s%s%s", all, all[0] != '\0' ? " " : "",
		    p->name, same ? "" : "=", same ? "" : p->unit->name);
		free(all);
		all = longer;
	}
	return all;
}

static char *
priority_names(const struct profile *profile)
{
	char *all = xstrdup("");

	for (size_t i = 0; profile && i < profile->npriorities; i++) {
		const struct profile_priority *p = &profile->priorities[i];
		char *longer = xasprintf("%s%s%s*%lld", all, i > 0 ? " " : "",
		    p->name, (long long)p->weight);

		free(all);
		all = longer;
	}
	return all;
}

/* NULL: the policy is read; else a part of the first error. */
struct refusal {
	const char *name, *text, *want;
};

static void
check_refusals(const struct refusal *rows, size_t n,
    const struct policy_options *options)
{
	for (size_t i = 0; i < n; i++) {
		struct profile *profile = read_policy(rows[i].text, options);

		if (rows[i].want == NULL)
			t_str(rows[i].name, profile ? NULL : err.text, NULL);
		else
			t_has(rows[i].name, err.text, rows[i].want);
		t_true(rows[i].name,
		    (profile == NULL) == (problems.nerrors > 0));
		profile_free(profile);
	}
	problems_fini(&problems);
}

static void
what_does_not_decode_is_refused(void)
{
	static const struct refusal rows[] = {
		{ "no number in quotes", SCORED("\"1\""), "" },
		{ "no point, also with nothing after it", SCORED("1.0"), "" },
		{ "no exponent", SCORED("1e0"), "" },
		{ "more than 64 bits", SCORED("9223372036854775808"), "" },
		{ "in YAML, where they are rounded",
		    "apiVersion: v1\npriorities:\n"
		    "- {name: EqualPriority, weight: -9223372036854775809}\n",
		    "" },
		{ "no boolean from a number",
		    HEAD "\"alwaysCheckAllPredicates\": 1}", "" },
		{ "no name instead of an entry",
		    HEAD "\"predicates\": [\"GeneralPredicates\"]}", "" },
		{ "no object instead of a list",
		    HEAD "\"predicates\": {\"name\": \"HostName\"}}", "" },
		{ "kind is case-sensitive",
		    "{\"kind\": \"policy\", \"apiVersion\": \"v1\"}", "" },
		{ "another kind", "{\"kind\": \"Pod\", \"apiVersion\": \"v1\"}",
		    "" },
		{ "another version",
		    "{\"kind\": \"Policy\", \"apiVersion\": \"v2\"}", "" },
		{ "an array", "[]", "" },
		{ "a string", "\"x\"", "" },
		{ "text after JSON", NAMED("HostName") "x", "" },
		{ "two JSON documents", NAMED("HostName") NAMED("HostName"),
		    "" },
		{ "a comma too many", HEAD "}", "" },
		{ "a duration as text in an extender",
		    EXTENDER("\"httpTimeout\": \"5s\""), "" },
		{ "no base64", EXTENDER("\"tlsConfig\": {\"caData\": \"x\"}"),
		    "" },
	};

	check_refusals(rows, LENGTH(rows), &strict);
	check_refusals(rows, LENGTH(rows), &friendly);
}

static void
what_decodes_is_read(void)
{
	static const struct refusal rows[] = {
		{ "nothing", "", NULL },
		{ "null", "null", NULL },
		{ "an empty object", "{}", NULL },
		{ "no kind", "{\"apiVersion\": \"v1\"}", NULL },
		{ "kind in any case",
		    "{\"Kind\": \"Policy\", \"APIVERSION\": \"v1\"}", NULL },
		{ "an empty group", "{\"apiVersion\": \"/v1\"}", NULL },
		{ "null fields",
		    HEAD "\"predicates\": null, \"alwaysCheckAllPredicates\": "
			 "null}",
		    NULL },
		{ "a null argument",
		    HEAD "\"predicates\": [{\"name\": \"HostName\", "
			 "\"argument\": null}]}",
		    NULL },
		{ "unknown fields", HEAD "\"metadata\": {\"name\": \"x\"}}",
		    NULL },
		{ "a whole number in YAML may have a point",
		    "apiVersion: v1\npriorities:\n"
		    "- {name: EqualPriority, weight: 3.0}\n",
		    NULL },
		{ "an exponent, too",
		    "apiVersion: v1\npriorities:\n"
		    "- {name: EqualPriority, weight: 1e1}\n",
		    NULL },
		{ "and be octal",
		    "apiVersion: v1\npriorities:\n"
		    "- {name: EqualPriority, weight: 017}\n",
		    NULL },
		{ "only the first YAML document counts",
		    "apiVersion: v1\n---\nkind: Pod\n", NULL },
		{ "32 bits of the hard weight count",
		    HEAD "\"hardPodAffinitySymmetricWeight\": 4294967297}",
		    NULL },
		{ "an extender's fields in any case",
		    EXTENDER(
			"\"URLPREFIX\": \"http://x\", \"BindVerb\": \"b\", "
			"\"HTTPTimeout\": 1000"),
		    NULL },
		{ "the same name twice",
		    HEAD "\"predicates\": [{\"name\": \"HostName\"}, "
			 "{\"name\": \"HostName\"}]}",
		    NULL },
		{ "a user's entry named again without its argument",
		    HEAD
		    "\"predicates\": [{\"name\": \"mine\", \"argument\": {" RACK
		    "}}, {\"name\": \"mine\"}]}",
		    NULL },
	};

	check_refusals(rows, LENGTH(rows), &strict);
	check_refusals(rows, LENGTH(rows), &friendly);
}

#define NO_WEIGHT(name) "priority \"" name "\" needs a \"weight\" of 1 or more"
#define TOO_SMALL                                                              \
	"priority \"EqualPriority\": the weight must be 1 or more, not 0"
#define TOO_BIG                                                                \
	"priority \"EqualPriority\": the weight must be at most "              \
	"922337203685477579"

static void
validation_collects_everything(void)
{
	static const struct refusal rows[] = {
		{ "no weight", HEAD "\"priorities\": [{\"name\": \"x\"}]}",
		    NO_WEIGHT("x") },
		{ "weight zero", SCORED("0"), TOO_SMALL },
		{ "minus zero is zero", SCORED("-0"), TOO_SMALL },
		{ "the biggest weight", SCORED("922337203685477579"), NULL },
		{ "one more", SCORED("922337203685477580"), TOO_BIG },
		{ "a number so big that it wraps around",
		    SCORED("25000000000000000000"), TOO_BIG },
		{ "the first of two",
		    HEAD "\"priorities\": [{\"name\": \"a\"}, "
			 "{\"name\": \"b\"}]}",
		    NO_WEIGHT("a") },
		{ "an extender that scores without weight",
		    EXTENDER("\"urlPrefix\": \"http://x/\", "
			     "\"prioritizeVerb\": \"p\""),
		    "1:54: error: extender \"http://x/\": prioritizeVerb needs "
		    "a weight of 1 or more" },
		{ "an extender that does not score needs no weight",
		    EXTENDER("\"urlPrefix\": \"http://x/\""), NULL },
		{ "two that bind",
		    HEAD "\"extenders\": [{\"bindVerb\": \"b\"}, "
			 "{\"bindVerb\": \"b\"}]}",
		    "1:86: error: only one extender can bind" },
		{ "cpu cannot be managed",
		    EXTENDER("\"managedResources\": [{\"name\": \"cpu\"}]"),
		    "1:85: error: managed resource \"cpu\" is not an extended "
		    "resource such as \"example.com/device\"" },
		{ "a resource has one manager",
		    EXTENDER("\"managedResources\": [{\"name\": \"a.b/c\"}, "
			     "{\"name\": \"a.b/c\"}]"),
		    "1:104: error: resource \"a.b/c\" is managed by an "
		    "extender already" },
	};

	check_refusals(rows, LENGTH(rows), &strict);
	check_refusals(rows, LENGTH(rows), &friendly);
}

#define BAD_NAME(name)                                                         \
	"1:64: error: \"" name                                                 \
	"\" cannot be a name: two or more letters, digits and "                \
	"'-', with no '-' at the ends"

static void
names_and_arguments_are_checked(void)
{
	static const struct refusal rows[] = {
		{ "an unknown predicate", NAMED("NoSuch"),
		    "policy.cfg:1:64: error: unknown predicate \"NoSuch\"" },
		{ "an unknown priority",
		    HEAD "\"priorities\": [{\"name\": \"No\", \"weight\": 1}]}",
		    "1:64: error: unknown priority \"No\"" },
		{ "null is an entry without name",
		    HEAD "\"predicates\": [null]}",
		    "1:55: error: unknown predicate \"\"" },
		{ "a gate's priority",
		    HEAD "\"priorities\": [{\"name\": \"ResourceLimitsPriority"
			 "\", \"weight\": 1}]}",
		    "1:64: error: unknown priority "
		    "\"ResourceLimitsPriority\"; it needs the feature gate "
		    "ResourceLimitsPriorityFunction=true" },
		{ "no argument in an argument", WITH("HostName", ""),
		    "1:88: error: predicate \"HostName\" must have exactly one "
		    "argument of serviceAffinity and labelsPresence; it has "
		    "0" },
		{ "two arguments", WITH("ab", RACK ", \"serviceAffinity\": {}"),
		    "1:82: error: predicate \"ab\" must have exactly one "
		    "argument of serviceAffinity and labelsPresence; it has "
		    "2" },
		{ "one letter", WITH("a", RACK), BAD_NAME("a") },
		{ "two letters", WITH("ab", RACK), NULL },
		{ "a dot", WITH("a.b", RACK), BAD_NAME("a.b") },
		{ "a hyphen at the end", WITH("ab-", RACK), BAD_NAME("ab-") },
		{ "no name", WITH("", RACK), BAD_NAME("") },
	};

	check_refusals(rows, LENGTH(rows), &strict);
	check_refusals(rows, LENGTH(rows), &friendly);
}

#define POINT(utilization, score)                                              \
	"{\"utilization\": " #utilization ", \"score\": " #score "}"

static void
what_is_created_is_checked_last(void)
{
	static const struct refusal rows[] = {
		{ "hard weight too big",
		    HEAD "\"hardPodAffinitySymmetricWeight\": 101}",
		    "1:74: error: hardPodAffinitySymmetricWeight must be from "
		    "1 to 100, not 101" },
		{ "hard weight zero is none",
		    HEAD "\"hardPodAffinitySymmetricWeight\": 0}", NULL },
		{ "hard weight below one",
		    HEAD "\"hardPodAffinitySymmetricWeight\": -1, "
			 "\"predicates\": []}",
		    "1:74: error: hardPodAffinitySymmetricWeight must be from "
		    "1 to 100, not -1" },
		{ "all weights together",
		    HEAD "\"priorities\": [{\"name\": \"EqualPriority\", "
			 "\"weight\": 922337203685477579}, {\"name\": "
			 "\"LeastRequestedPriority\", \"weight\": 2}]}",
		    "1:54: error: the sum of the weights of all priorities is "
		    "too large" },
		{ "no point", RATIO(""),
		    "1:143: error: shape must have a point" },
		{ "points out of order",
		    RATIO(POINT(0, 0) ", " POINT(50, 1) ", " POINT(50, 2)),
		    "1:209: error: shape[2].utilization must be greater than "
		    "the one before, 50, not 50" },
		{ "below nothing", RATIO(POINT(-1, 0)),
		    "shape[0].utilization must be from 0 to 100, not -1" },
		{ "beyond everything", RATIO(POINT(101, 0)),
		    "shape[0].utilization must be from 0 to 100, not 101" },
		{ "score below zero", RATIO(POINT(0, -1)),
		    "shape[0].score must be from 0 to 10, not -1" },
		{ "score above ten", RATIO(POINT(0, 11)),
		    "shape[0].score must be from 0 to 10, not 11" },
		{ "only the last shape of a name counts",
		    HEAD "\"priorities\": [{\"name\": \"R1\", \"weight\": 1, "
			 "\"argument\": {\"requestedToCapacityRatioArguments\":"
			 " {}}}, {\"name\": \"R1\", \"weight\": 1, "
			 "\"argument\": {\"labelPreference\": {}}}]}",
		    NULL },
		{ "no such CA file",
		    EXTENDER("\"enableHttps\": true, \"tlsConfig\": "
			     "{\"caFile\": \"/nonexistent/ca.pem\"}"),
		    "open /nonexistent/ca.pem: no such file or directory" },
		{ "a CA and no verification",
		    EXTENDER("\"tlsConfig\": {\"insecure\": true, "
			     "\"caData\": \"eA==\"}"),
		    "specifying a root certificates file with the insecure "
		    "flag is not allowed" },
	};

	check_refusals(rows, LENGTH(rows), &strict);
	check_refusals(rows, LENGTH(rows), &friendly);
}

/* Policies of the OpenShift manual that kube-scheduler refuses. */
static void
strict_refuses_what_manuals_list(void)
{
	static const struct refusal rows[] = {
		{ "MaxCSIVolumeCount", NAMED("MaxCSIVolumeCount"),
		    "error: unknown predicate \"MaxCSIVolumeCount\"" },
		{ "checkServiceAffinity", NAMED("checkServiceAffinity"),
		    "error: unknown predicate \"checkServiceAffinity\"" },
		{ "CheckNodeLabelPresence without argument",
		    NAMED("CheckNodeLabelPresence"),
		    "error: unknown predicate \"CheckNodeLabelPresence\"" },
		{ "CheckNodeCondition", NAMED("CheckNodeCondition"),
		    "error: unknown predicate \"CheckNodeCondition\"" },
		{ "labelPreference in a predicate",
		    WITH("RequireRegion",
			"\"labelPreference\": {\"labels\": [\"region\"]}"),
		    "predicate \"RequireRegion\" must have exactly one "
		    "argument" },
	};

	check_refusals(rows, LENGTH(rows), &strict);
	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct profile *profile = read_policy(rows[i].text, &friendly);

		t_true(rows[i].name, profile != NULL);
		t_int(rows[i].name, problems.n, 1);
		profile_free(profile);
	}
	problems_fini(&problems);
}

static void
strict_knows_no_rules_of_kosmos(void)
{
	static const struct refusal rows[] = {
		{ "LeafNodeDistribution", NAMED("LeafNodeDistribution"),
		    "error: unknown predicate \"LeafNodeDistribution\"" },
		{ "even where they are added", NAMED("LeafNodeTaintToleration"),
		    "error: unknown predicate \"LeafNodeTaintToleration\"" },
	};

	check_refusals(rows, LENGTH(rows), &strict);
	check_refusals(rows + 1, LENGTH(rows) - 1, &kosmos);
	problems_fini(&problems);
}

static void
an_empty_first_document_counts_when_strict(void)
{
	static const char text[] = "---\n---\napiVersion: v1\npriorities: []\n";
	struct profile *profile = read_policy(text, &strict);

	t_true("the defaults", profile != NULL && profile->npriorities > 0);
	profile_free(profile);
	profile = read_policy(text, &friendly);
	t_true("the second one", profile != NULL && profile->npriorities == 0);
	profile_free(profile);
	problems_fini(&problems);
}

/* A policy, and the names of its units. */
struct unit_row {
	const char *name, *text;
	const struct policy_options *options;
	const char *want;
};

#define MANDATORY "CheckNodeUnschedulable PodToleratesNodeTaints"

static void
predicates_run_in_their_order(void)
{
	static const struct unit_row rows[] = {
		{ "some cannot be left out", HEAD "\"predicates\": []}",
		    &strict, MANDATORY },
		{ "others without taints by condition",
		    HEAD "\"predicates\": []}", &no_taints,
		    "CheckNodeCondition" },
		{ "the order of the policy does not count",
		    HEAD "\"predicates\": [{\"name\": \"MatchInterPodAffinity"
			 "\"}, {\"name\": \"HostName\"}]}",
		    &strict,
		    "CheckNodeUnschedulable HostName PodToleratesNodeTaints "
		    "MatchInterPodAffinity" },
		{ "an old name", NAMED("PodFitsPorts"), &strict,
		    "CheckNodeUnschedulable PodFitsPorts=PodFitsHostPorts "
		    "PodToleratesNodeTaints" },
		{ "a user's name runs in the place of its type",
		    WITH("AAA", RACK), &strict,
		    MANDATORY " AAA=CheckNodeLabelPresence" },
		{ "a known name keeps its place and loses its rule",
		    WITH("PodFitsHostPorts", RACK), &strict,
		    "CheckNodeUnschedulable "
		    "PodFitsHostPorts=CheckNodeLabelPresence "
		    "PodToleratesNodeTaints" },
		{ "also one that cannot be left out",
		    WITH("PodToleratesNodeTaints", RACK), &strict,
		    "CheckNodeUnschedulable "
		    "PodToleratesNodeTaints=CheckNodeLabelPresence" },
		{ "also one that is not there",
		    WITH("CheckNodeCondition", "\"serviceAffinity\": {}"),
		    &strict,
		    "CheckNodeCondition=CheckServiceAffinity " MANDATORY },
		{ "GeneralPredicates and its parts: strictly twice",
		    HEAD "\"predicates\": [{\"name\": \"HostName\"}, "
			 "{\"name\": \"GeneralPredicates\"}]}",
		    &strict,
		    "CheckNodeUnschedulable GeneralPredicates HostName "
		    "PodToleratesNodeTaints" },
		{ "otherwise once",
		    HEAD "\"predicates\": [{\"name\": \"HostName\"}, "
			 "{\"name\": \"GeneralPredicates\"}]}",
		    &friendly,
		    "CheckNodeUnschedulable GeneralPredicates "
		    "PodToleratesNodeTaints" },
		{ "what has an argument is no part",
		    HEAD "\"predicates\": [{\"name\": \"HostName\", "
			 "\"argument\": {" RACK "}}, "
			 "{\"name\": \"GeneralPredicates\"}]}",
		    &friendly,
		    "CheckNodeUnschedulable GeneralPredicates "
		    "HostName=CheckNodeLabelPresence "
		    "PodToleratesNodeTaints" },
		{ "the manual's MaxCSIVolumeCount", NAMED("MaxCSIVolumeCount"),
		    &friendly, MANDATORY " MaxCSIVolumeCountPred" },
		{ "without argument it lets all pass",
		    NAMED("CheckServiceAffinity"), &friendly, MANDATORY },
		{ "Kosmos' rule for taints stands in place of the other",
		    NAMED("LeafNodeTaintToleration"), &friendly,
		    "CheckNodeUnschedulable LeafNodeTaintToleration" },
		{ "its rule for policies beside it",
		    NAMED("LeafNodeDistribution"), &friendly,
		    "CheckNodeUnschedulable LeafNodeDistribution "
		    "PodToleratesNodeTaints" },
		{ "a warning tells of a policy that names both",
		    HEAD "\"predicates\": [{\"name\": \"PodToleratesNodeTaints"
			 "\"}, {\"name\": \"LeafNodeTaintToleration\"}]}",
		    &friendly,
		    "CheckNodeUnschedulable LeafNodeTaintToleration" },
		{ "both rules join any policy", HEAD "\"predicates\": []}",
		    &kosmos,
		    "CheckNodeUnschedulable LeafNodeDistribution "
		    "LeafNodeTaintToleration" },
		{ "also a strict one",
		    HEAD "\"predicates\": [{\"name\": \"HostName\"}, "
			 "{\"name\": \"PodToleratesNodeTaints\"}]}",
		    &kosmos,
		    "CheckNodeUnschedulable LeafNodeDistribution "
		    "HostName LeafNodeTaintToleration" },
		{ "the third only in place of another",
		    HEAD "\"predicates\": [{\"name\": \"CheckVolumeBinding"
			 "\"}]}",
		    &kosmos,
		    "CheckNodeUnschedulable LeafNodeDistribution "
		    "LeafNodeTaintToleration LeafNodeVolumeBinding" },
		{ "or by name",
		    HEAD "\"predicates\": [{\"name\": \"LeafNodeVolumeBinding"
			 "\"}, {\"name\": \"CheckVolumeBinding\"}]}",
		    &friendly,
		    "CheckNodeUnschedulable "
		    "PodToleratesNodeTaints LeafNodeVolumeBinding" },
		{ "but what a user calls so stays",
		    WITH("PodToleratesNodeTaints", RACK), &kosmos,
		    "CheckNodeUnschedulable LeafNodeDistribution "
		    "PodToleratesNodeTaints=CheckNodeLabelPresence "
		    "LeafNodeTaintToleration" },
		{ "no apiVersion: strictly another language",
		    "{\"predicates\": [], \"Predicates\": [{\"Name\": "
		    "\"HostName\"}]}",
		    &strict,
		    "CheckNodeUnschedulable HostName PodToleratesNodeTaints" },
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct profile *profile =
		    read_policy(rows[i].text, rows[i].options);
		AUTOFREE char *got = predicate_names(profile);

		t_str(rows[i].name, got, rows[i].want);
		profile_free(profile);
	}
	problems_fini(&problems);
}

#define DEFAULT_PRIORITIES                                                     \
	"ImageLocalityPriority*1 InterPodAffinityPriority*1 "                  \
	"LeastRequestedPriority*1 NodeAffinityPriority*1 "                     \
	"NodePreferAvoidPodsPriority*10000 "

static void
priorities_are_a_set(void)
{
	static const struct unit_row rows[] = {
		{ "none", HEAD "\"priorities\": []}", &strict, "" },
		{ "absent: the defaults", HEAD "\"predicates\": []}", &strict,
		    "BalancedResourceAllocation*1 " DEFAULT_PRIORITIES
		    "SelectorSpreadPriority*1 TaintTolerationPriority*1" },
		{ "gates add to them", HEAD "\"predicates\": []}", &all_gates,
		    "BalancedResourceAllocation*1 "
		    "EvenPodsSpreadPriority*1 " DEFAULT_PRIORITIES
		    "ResourceLimitsPriority*1 "
		    "SelectorSpreadPriority*1 TaintTolerationPriority*1" },
		{ "the last weight counts",
		    HEAD "\"priorities\": [{\"name\": \"EqualPriority\", "
			 "\"weight\": 3}, {\"name\": \"EqualPriority\", "
			 "\"weight\": 2}]}",
		    &strict, "EqualPriority*2" },
		{ "in the order of their bytes",
		    HEAD "\"priorities\": [{\"name\": \"a1\", \"weight\": 1, "
			 "\"argument\": {\"labelPreference\": {}}}, "
			 "{\"name\": \"Z1\", \"weight\": 2, \"argument\": "
			 "{\"serviceAntiAffinity\": {}}}]}",
		    &strict, "Z1*2 a1*1" },
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct profile *profile =
		    read_policy(rows[i].text, rows[i].options);
		AUTOFREE char *got = priority_names(profile);

		t_str(rows[i].name, got, rows[i].want);
		t_int(rows[i].name, profile ? profile->score_max : 0, 10);
		profile_free(profile);
	}
	problems_fini(&problems);
}

/* The labels of a profile's first predicate with an argument. */
static char *
labels_text(const struct profile *profile)
{
	char *all = xstrdup("");

	for (size_t i = 0; profile && i < profile->npredicates; i++) {
		const struct profile_predicate *p = &profile->predicates[i];
		const struct labels_presence_args *args = p->args;
		const struct service_affinity_args *affinity = p->args;
		bool presence = p->unit == &predicate_check_node_label_presence;
		size_t n;

		if (args == NULL)
			continue;
		n = presence ? args->n : affinity->n;
		for (size_t j = 0; j < n; j++) {
			sym label =
			    presence ? args->labels[j] : affinity->labels[j];
			char *longer =
			    xasprintf("%s[%s]", all, sym_text(label));

			free(all);
			all = longer;
		}
	}
	return all;
}

static void
labels_are_read_as_meant(void)
{
	static const struct {
		const char *name, *text, *strictly, *want;
	} rows[] = {
		{ "one by one",
		    WITH("ab",
			"\"serviceAffinity\": {\"labels\": [\"region\", "
			"\"zone\"]}"),
		    "[region][zone]", "[region][zone]" },
		{ "two in one",
		    WITH("ab",
			"\"serviceAffinity\": {\"labels\": [\"region, "
			"zone\"]}"),
		    "[region, zone]", "[region][zone]" },
		{ "label for labels",
		    WITH("ab", "\"labelsPresence\": {\"label\": \"rack\"}"), "",
		    "[rack]" },
		{ "labelPreference for labelsPresence",
		    WITH("ab",
			"\"labelPreference\": {\"labels\": "
			"[\"region\"]}"),
		    "", "[region]" },
		{ "nothing", WITH("ab", "\"serviceAffinity\": {}"), "", "" },
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct profile *profile = read_policy(rows[i].text, &strict);
		char *got = labels_text(profile);

		t_str(rows[i].name, got, rows[i].strictly);
		free(got);
		profile_free(profile);
		profile = read_policy(rows[i].text, &friendly);
		got = labels_text(profile);
		t_str(rows[i].name, got, rows[i].want);
		free(got);
		profile_free(profile);
	}
	problems_fini(&problems);
}

/* What rules say of their names is about gates and rules that there are. */
static void
check_names(const struct policy_names *policy)
{
	const char *const settings[] = { policy->registered,
		policy->mandatory };
	struct named_rule rule;

	for (size_t i = 0; i < LENGTH(settings); i++) {
		struct gates other = gates_default;

		if (settings[i] == NULL)
			continue;
		t_int(settings[i],
		    gates_parse(settings[i], &other, NULL, NULL, &err), 0);
		t_int(settings[i], gates_agree(&other, settings[i]), true);
	}
	if (policy->covers == NULL)
		return;
	for (const char *p = policy->covers; *p != '\0'; p += *p == '|') {
		size_t len = strcspn(p, "|");
		char *name = xstrndup(p, len);

		t_int(name, find_named_rule(RULE_FILTERS, name, &rule), true);
		free(name);
		p += len;
	}
}

static void
rules_have_names_of_their_own(void)
{
	struct named_rule rule, found;

	for (enum rule_kind kind = 0; kind < RULE_KINDS; kind++)
		for (size_t i = 0; next_named_rule(kind, &i, &rule);) {
			t_int(rule.name,
			    find_named_rule(kind, rule.name, &found) &&
				found.policy == rule.policy &&
				find_alias(rule.name) == NULL,
			    true);
			check_names(rule.policy);
		}
}

static void
arguments_of_priorities_are_kept(void)
{
	struct profile *profile = read_policy(HEAD
	    "\"priorities\": ["
	    "{\"name\": \"aa\", \"weight\": 1, \"argument\": "
	    "{\"labelPreference\": {\"label\": \"x\", \"presence\": "
	    "true}}}, "
	    "{\"name\": \"bb\", \"weight\": 1, \"argument\": "
	    "{\"requestedToCapacityRatioArguments\": {\"shape\": "
	    "[{\"utilization\": 5, \"score\": 7}]}}}, "
	    "{\"name\": \"cc\", \"weight\": 1, \"argument\": "
	    "{\"serviceAntiAffinity\": {\"label\": \"y\"}}}, "
	    "{\"name\": \"RequestedToCapacityRatioPriority\", "
	    "\"weight\": 1}]}",
	    &strict);
	const struct label_preference_args *preference;
	const struct requested_to_capacity_ratio_args *ratio;
	const struct service_anti_affinity_args *anti_affinity;

	if (!t_true("it is read", profile != NULL))
		return;
	t_true("without argument",
	    profile->priorities[0].args == NULL &&
		profile->priorities[0].unit ==
		    &priority_requested_to_capacity_ratio_priority);
	preference = profile->priorities[1].args;
	t_str("label", sym_text(preference->label), "x");
	t_true("presence", preference->presence);
	ratio = profile->priorities[2].args;
	t_int("points", ratio->npoints, 1);
	t_int("utilization", ratio->shape[0].utilization, 5);
	t_int("score", ratio->shape[0].score, 7);
	anti_affinity = profile->priorities[3].args;
	t_str("label", sym_text(anti_affinity->label), "y");
	profile_free(profile);
	problems_fini(&problems);
}

static void
extenders_are_kept(void)
{
	struct profile *profile = read_policy(HEAD
	    "\"extenders\": ["
	    "{\"urlPrefix\": \"http://a//\", \"ignorable\": true, "
	    "\"managedResources\": [{\"name\": \"x.y/a\", "
	    "\"ignoredByScheduler\": true}, {\"name\": \"x.y/b\"}]}, "
	    "{\"urlPrefix\": \"https://b\", \"enableHttps\": true, "
	    "\"httpTimeout\": 7, \"weight\": 3, \"filterVerb\": \"f\", "
	    "\"nodeCacheCapable\": true}, "
	    "{\"urlPrefix\": \"https://c\", \"enableHttps\": true, "
	    "\"tlsConfig\": {\"caData\": \"aGVs\\nbG8=\", "
	    "\"serverName\": \"s\"}}]}",
	    &strict);
	const struct extender *a, *b, *c;

	if (!t_true("they are read", profile != NULL) ||
	    !t_int("how many", profile->nextenders, 3))
		return;
	b = &profile->extenders[0];
	c = &profile->extenders[1];
	a = &profile->extenders[2];
	t_str("ignorable ones last, without '/'", a->url_prefix, "http://a");
	t_true("ignorable", a->ignorable);
	t_int("5 seconds by default", a->timeout_ns, 5000000000);
	t_str("no verb", a->filter_verb, "");
	t_int("resources", a->nmanaged, 2);
	t_int("one is ignored", profile->nignored_resources, 1);
	t_str("this one", sym_text(profile->ignored_resources[0]), "x.y/a");
	t_int("timeout", b->timeout_ns, 7);
	t_int("weight", b->weight, 3);
	t_true("caches", b->node_cache_capable);
	t_true("https without a CA is not verified", b->tls.insecure);
	t_true("with one it is", !c->tls.insecure);
	t_str("CA", c->tls.ca_data, "hello");
	t_int("CA", c->tls.ca_len, 5);
	t_str("server", c->tls.server_name, "s");
	profile_free(profile);
	problems_fini(&problems);
}

static void
options_hold_where_the_policy_is_silent(void)
{
	struct policy_options options = {
		.gates = { .taint_nodes_by_condition = true },
		.hard_pod_affinity_symmetric_weight = 40,
		.always_check_all_predicates = true,
	};
	struct profile *profile = read_policy(HEAD "\"x\": 1}", &options);

	t_int("weight", profile->hard_pod_affinity_symmetric_weight, 40);
	t_true("all predicates", profile->always_check_all_predicates);
	profile_free(profile);
	profile = read_policy(HEAD "\"hardPodAffinitySymmetricWeight\": 7}",
	    &options);
	t_int("weight", profile->hard_pod_affinity_symmetric_weight, 7);
	profile_free(profile);
	profile = read_policy(HEAD "\"x\": 1}", &friendly);
	t_int("weight", profile->hard_pod_affinity_symmetric_weight, 1);
	t_true("all predicates", !profile->always_check_all_predicates);
	profile_free(profile);
	problems_fini(&problems);
}

static void
providers_have_their_sets(void)
{
	struct profile *profile = policy_provider("DefaultProvider", &friendly);
	char *got = predicate_names(profile);

	t_str("DefaultProvider", got,
	    "CheckNodeUnschedulable GeneralPredicates NoDiskConflict "
	    "PodToleratesNodeTaints MaxEBSVolumeCount MaxGCEPDVolumeCount "
	    "MaxCSIVolumeCountPred MaxAzureDiskVolumeCount CheckVolumeBinding "
	    "NoVolumeZoneConflict MatchInterPodAffinity");
	free(got);
	profile_free(profile);
	profile = policy_provider("ClusterAutoscalerProvider", &friendly);
	got = priority_names(profile);
	t_has("ClusterAutoscalerProvider", got, "MostRequestedPriority*1");
	t_true("ClusterAutoscalerProvider",
	    strstr(got, "LeastRequestedPriority") == NULL);
	free(got);
	profile_free(profile);
	t_true("no other", policy_provider("OtherProvider", &friendly) == NULL);
}

static void
node_selectors_of_projects_join_any_policy(void)
{
	const struct policy_options options = { .gates = friendly.gates,
		.project_node_selectors = true };
	struct profile *profile = policy_provider("DefaultProvider", &options);
	char *got = predicate_names(profile);

	t_has("a provider's", got,
	    "project node selector=ProjectNodeSelector NoDiskConflict ");
	free(got);
	profile_free(profile);
	profile = read_policy(HEAD
	    "\"predicates\": [{\"name\": "
	    "\"ProjectNodeSelector\", \"argument\": {\"labelsPresence\": "
	    "{\"labels\": [\"a\"], \"presence\": true}}}]}",
	    &options);
	got = predicate_names(profile);
	t_str("beside a user's of the rule's name", got,
	    "CheckNodeUnschedulable "
	    "ProjectNodeSelector=CheckNodeLabelPresence "
	    "project node selector=ProjectNodeSelector "
	    "PodToleratesNodeTaints");
	free(got);
	t_true("not in the line that the manual greps for",
	    strstr(profile->startup_line, "project") == NULL);
	profile_free(profile);
	problems_fini(&problems);
}

/* doc/semantics/07-openshift.md, Profiles. */
static void
profiles_of_openshift_have_their_sets(void)
{
	struct policy_options old = friendly;
	struct profile *low, *high, *none;
	char *got;

	low = policy_openshift_profile("LowNodeUtilization", &friendly, &err);
	high = policy_openshift_profile("HighNodeUtilization", &friendly, &err);
	none = policy_openshift_profile("NoScoring", &friendly, &err);
	got = priority_names(low);
	t_has("LowNodeUtilization", got, "NodeResourcesFit*1 ");
	t_has("LowNodeUtilization", got, "NodeResourcesBalancedAllocation*1 ");
	free(got);
	got = priority_names(high);
	t_has("HighNodeUtilization", got, "NodeResourcesFit*5 ");
	t_has("HighNodeUtilization", got, "ImageLocality*1");
	t_true("HighNodeUtilization",
	    strstr(got, "NodeResourcesBalancedAllocation") == NULL);
	free(got);
	t_int("NoScoring", none->npriorities, 0);
	t_int("predicates", high->npredicates, low->npredicates);
	t_int("predicates", none->npredicates, low->npredicates);
	t_int("of today", high->release, 36);
	profile_free(high);
	old.kubernetes_minor = 21;
	high = policy_openshift_profile("HighNodeUtilization", &old, &err);
	got = priority_names(high);
	t_int("has the names of 1.20", high->vocabulary, 20);
	t_has("HighNodeUtilization of 4.8", got,
	    "NodeResourcesMostAllocated*5");
	t_true("HighNodeUtilization of 4.8",
	    strstr(got, "NodeResourcesLeastAllocated") == NULL);
	free(got);
	profile_free(high);
	old.kubernetes_minor = 24;
	high = policy_openshift_profile("HighNodeUtilization", &old, &err);
	got = priority_names(high);
	t_int("by the rules of the release", high->release, 24);
	t_has("HighNodeUtilization of 4.11", got, "NodeResourcesFit*5 ");
	free(got);
	profile_free(low);
	profile_free(high);
	profile_free(none);
	t_true("no other",
	    policy_openshift_profile("DefaultProvider", &friendly, &err) ==
		NULL);
	t_str("in the operator's words", err.text,
	    "profile \"DefaultProvider\" not recognized");
}

/* The OpenShift manual greps the log for "predicates". */
static void
the_startup_line_names_what_is_configured(void)
{
	struct profile *profile = read_policy(HEAD
	    "\"predicates\": [{\"name\": \"HostName\"}, {\"name\": "
	    "\"GeneralPredicates\"}], \"priorities\": [{\"name\": "
	    "\"EqualPriority\", \"weight\": 2}]}",
	    &friendly);
	char *line = policy_startup_line(profile);

	t_str("line", line,
	    "Creating scheduler with fit predicates 'map[GeneralPredicates:{} "
	    "HostName:{}]' and priority functions 'map[EqualPriority:{}]'");
	free(line);
	profile_free(profile);
	problems_fini(&problems);
}

#define PREDICATE_ENTRY "{\"name\": \"a%zu%s\", \"argument\": {" RACK "}}"
#define PRIORITY_ENTRY                                                         \
	"{\"name\": \"a%zu%s\", \"weight\": 1, \"argument\": "                 \
	"{\"labelPreference\": {\"label\": \"a\"}}}"
#define EXTENDER_ENTRY "{\"urlPrefix\": \"http://a%zu%s/\"}"

/* A policy whose list has n entries of this form, with the padding; you own it. */
static char *
policy_of_entries(const char *list, const char *entry, size_t n,
    const char *padding)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	fprintf(out, HEAD "\"%s\": [", list);
	for (size_t i = 0; i < n; i++) {
		fputs(i > 0 ? "," : "", out);
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
		fprintf(out, entry, i, padding);
	}
	fputs("]}", out);
	fclose(out);
	return text;
}

static void
lists_have_a_limit(void)
{
	static const struct {
		const char *list, *entry, *want;
	} rows[] = {
		{ "predicates", PREDICATE_ENTRY,
		    "policy.cfg:1:54: error: predicates has 1001 entries; the "
		    "limit is 1000\n" },
		{ "priorities", PRIORITY_ENTRY,
		    "policy.cfg:1:54: error: priorities has 1001 entries; the "
		    "limit is 1000\n" },
		{ "extenders", EXTENDER_ENTRY,
		    "policy.cfg:1:53: error: extenders has 1001 entries; the "
		    "limit is 1000\n" },
	};

	for (size_t i = 0; i < LENGTH(rows); i++)
		for (size_t n = 1000; n <= 1001; n++) {
			AUTOFREE char *text = policy_of_entries(rows[i].list,
			    rows[i].entry, n, "");
			struct profile *profile = read_policy(text, &strict);
			AUTOFREE char *got = problem_lines();

			t_str(rows[i].list, got, n > 1000 ? rows[i].want : "");
			t_true(rows[i].list, (profile != NULL) == (n <= 1000));
			profile_free(profile);
		}
	problems_fini(&problems);
}

/* In KiB, at its peak. */
static long
resident(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return usage.ru_maxrss;
}

/* Of a megabyte: each list at its limit, and one entry with all labels. */
static void
memory_is_in_proportion_to_the_text(void)
{
	char long_name[1000], *labels = xmalloc(1 << 20), *end = labels;
	const long before = resident();
	char *texts[3];

	memset(long_name, 'x', sizeof(long_name));
	long_name[sizeof(long_name) - 1] = '\0';
	for (unsigned i = 0; i < 100000; i++)
		end += sprintf(end, "l%u, ", i);
	texts[0] =
	    policy_of_entries("predicates", PREDICATE_ENTRY, 1000, long_name);
	texts[1] =
	    policy_of_entries("priorities", PRIORITY_ENTRY, 1000, long_name);
	texts[2] =
	    xasprintf(WITH("ab", "\"labelsPresence\": {\"labels\": [\"%s\"]}"),
		labels);
	free(labels);
	for (size_t i = 0; i < LENGTH(texts); i++) {
		profile_free(read_policy(texts[i], &friendly));
		t_str("it is read", err.text, "");
		free(texts[i]);
	}
	problems_fini(&problems);
	t_true("3 MB in less than 192", resident() - before < 192 * 1024);
}

/* t/data/policy/FILE and, in FILE.problems, its errors and warnings. */
static void
every_problem_has_its_place(void)
{
	static const char *const files[] = { "mistakes.cfg", "configmap.yaml",
		"broken-configmap.yaml", "configmap.json", "nested.yaml",
		"two.yaml", /* rules that vanish: */ "vanishing.yaml",
		"singular.cfg" };

	for (size_t i = 0; i < LENGTH(files); i++) {
		char name[64];
		char *text, *want, *got;
		struct profile *profile;

		snprintf(name, sizeof(name), "policy/%s", files[i]);
		text = t_data(name);
		snprintf(name, sizeof(name), "policy/%s.problems", files[i]);
		want = t_data(name);
		profile = read_policy(text, &friendly);
		got = problem_lines();
		t_str(files[i], got, want);
		free(got);
		free(want);
		free(text);
		profile_free(profile);
	}
	problems_fini(&problems);
}

static void
files_that_cannot_be_read_are_named(void)
{
	struct problems found = { 0 };
	char path[] = "policy-XXXXXX";
	struct profile *profile;
	int fd;

	t_true("missing",
	    policy_read_file("nonexistent.cfg", &strict, &found, &err) == NULL);
	t_str("missing", err.text,
	    "missing policy config file nonexistent.cfg");
	t_int("missing", found.nerrors, 1);
	problems_fini(&found);
	t_true("a folder",
	    policy_read_file(".", &strict, &found, &err) == NULL);
	t_has("a folder", err.text, "couldn't read policy config: ");
	problems_fini(&found);

	fd = mkstemp(path);
	if (!t_true("a file", fd >= 0))
		return;
	t_true("a file", write(fd, "{}", 2) == 2);
	close(fd);
	profile = policy_read_file(path, &strict, &found, &err);
	t_true("a file", profile != NULL);
	profile_free(profile);
	problems_fini(&found);
	unlink(path);
}

T_MAIN(T(what_does_not_decode_is_refused), T(what_decodes_is_read),
    T(validation_collects_everything), T(names_and_arguments_are_checked),
    T(what_is_created_is_checked_last), T(strict_refuses_what_manuals_list),
    T(strict_knows_no_rules_of_kosmos),
    T(an_empty_first_document_counts_when_strict),
    T(predicates_run_in_their_order), T(priorities_are_a_set),
    T(labels_are_read_as_meant), T(rules_have_names_of_their_own),
    T(arguments_of_priorities_are_kept), T(extenders_are_kept),
    T(options_hold_where_the_policy_is_silent), T(providers_have_their_sets),
    T(node_selectors_of_projects_join_any_policy),
    T(profiles_of_openshift_have_their_sets),
    T(the_startup_line_names_what_is_configured), T(lists_have_a_limit),
    T(memory_is_in_proportion_to_the_text), T(every_problem_has_its_place),
    T(files_that_cannot_be_read_are_named))
