/*
 * Conversion of policies to configurations and back: each rule is where it belongs,
 * with its origin, or is named as not possible; and the results are read again.
 */
#include "config.h"

#include <string.h>

#include "base/err.h"
#include "base/text.h"
#include "base/xmalloc.h"
#include "policy/configuration/configuration.h"
#include "policy/convert/convert.h"
#include "policy/policy.h"
#include "t/lib/t.h"

#define POLICY "apiVersion: v1\nkind: Policy\n"
#define LATER                                                                  \
	"apiVersion: kubescheduler.config.k8s.io/v1\n"                         \
	"kind: KubeSchedulerConfiguration\n"
#define EARLY                                                                  \
	"apiVersion: kubescheduler.config.k8s.io/v1beta1\n"                    \
	"kind: KubeSchedulerConfiguration\n"

static const struct policy_options *
options(void)
{
	static struct policy_options all;

	all.gates = gates_default;
	return &all;
}

/* version NULL: the newest of the release.  You own it; *n is how many rules are not possible, *notes the warnings. */
static char *
from_policy(const char *policy, const char *version, int release, size_t *n,
    struct problems *notes)
{
	struct convert_target target;
	struct problems problems = { 0 };
	struct text out = { 0 };
	struct err err = { "" };
	struct profile *profile = policy_read("dir/policy.cfg", policy,
	    strlen(policy), options(), &problems, &err);

	t_str(policy, err.text, "");
	t_int(policy, convert_target(version, release, &target, &err), 0);
	*n = convert_policy(profile, "mine", &target, &out, notes);
	profile_free(profile);
	problems_fini(&problems);
	return text_take(&out);
}

static char *
from_configuration(const char *text, size_t *n, struct problems *notes)
{
	struct problems problems = { 0 };
	struct text out = { 0 };
	struct err err = { "" };
	struct profiles *c = configuration_read("config", text, strlen(text),
	    options(), &problems, &err);

	t_str(text, err.text, "");
	if (c != NULL)
		*n = convert_profile(c->at[0], &out, notes);
	profiles_free(c);
	problems_fini(&problems);
	return text_take(&out);
}

static void
is_a_configuration(const char *text)
{
	struct problems problems = { 0 };
	struct err err = { "" };
	struct profiles *c = configuration_read("config", text, strlen(text),
	    options(), &problems, &err);

	t_str(text, err.text, "");
	profiles_free(c);
	problems_fini(&problems);
}

static void
is_a_policy(const char *text)
{
	struct problems problems = { 0 };
	struct err err = { "" };
	struct profile *profile = policy_read("policy.cfg", text, strlen(text),
	    options(), &problems, &err);

	t_str(text, err.text, "");
	profile_free(profile);
	problems_fini(&problems);
}

#define RULES                                                                  \
	POLICY "predicates:\n"                                                 \
	       "- name: GeneralPredicates\n"                                   \
	       "- name: MaxEBSVolumeCount\n"                                   \
	       "- name: Rack\n"                                                \
	       "  argument: {labelsPresence: {labels: [rack], presence: "      \
	       "true}}\n"                                                      \
	       "- name: Region\n"                                              \
	       "  argument: {serviceAffinity: {labels: [region]}}\n"           \
	       "priorities:\n"                                                 \
	       "- name: MostRequestedPriority\n  weight: 3\n"                  \
	       "- name: SelectorSpreadPriority\n  weight: 2\n"                 \
	       "- name: Zone\n  weight: 4\n"                                   \
	       "  argument: {serviceAntiAffinity: {label: zone}}\n"            \
	       "- name: Disk\n  weight: 5\n"                                   \
	       "  argument: {labelPreference: {label: ssd, presence: true}}\n" \
	       "- name: Old\n  weight: 5\n"                                    \
	       "  argument: {labelPreference: {label: old}}\n"

static void
rules_become_plugins(void)
{
	static const struct {
		int release;
		const char *want;
	} rows[] = {
		{ 20,
		    "      - name: NodePorts # GeneralPredicates, "
		    "policy.cfg:4\n" },
		{ 20,
		    "      - name: EBSLimits # MaxEBSVolumeCount, "
		    "policy.cfg:5\n" },
		{ 20, "- schedulerName: \"mine\"\n" },
		{ 20,
		    ("      - name: SelectorSpread # SelectorSpreadPriority, "
		     "policy.cfg:13 (not for pods with "
		     "topologySpreadConstraints)\n        weight: 2\n") },
		{ 20,
		    "      - name: PodTopologySpread # predicated has this "
		    "rule in every policy (it counts pods on nodes that the "
		    "pod's node selector excludes, too)\n" },
		{ 36,
		    "      - name: PodTopologySpread # predicated has this "
		    "rule in every policy\n" },
		{ 20, "      presentLabels: [\"rack\"]\n" },
		{ 20, "      affinityLabels: [\"region\"]\n" },
		{ 20, "      antiAffinityLabelsPreference: [\"zone\"]\n" },
		{ 20,
		    ("      - name: NodeResourcesMostAllocated # "
		     "MostRequestedPriority, policy.cfg:11\n"
		     "        weight: 3\n") },
		/* Its entries share the weight. */
		{ 20,
		    ("      - name: NodeLabel # Disk, policy.cfg:18; Old, "
		     "policy.cfg:21\n        weight: 10\n") },
		{ 20,
		    ("      presentLabelsPreference: [\"ssd\"]\n"
		     "      absentLabelsPreference: [\"old\"]\n") },
		{ 20, "apiVersion: kubescheduler.config.k8s.io/v1beta1\n" },
		{ 36, "apiVersion: kubescheduler.config.k8s.io/v1\n" },
		{ 36,
		    "        type: MostAllocated # MostRequestedPriority, "
		    "policy.cfg:11\n" },
		{ 36,
		    "            - {key: \"rack\", operator: Exists} # Rack, "
		    "policy.cfg:6\n" },
		{ 36,
		    "      - name: NodeVolumeLimits # MaxEBSVolumeCount, "
		    "policy.cfg:5 (volumes count as those of their CSI "
		    "driver)\n" },
		{ 36,
		    ("      - name: PodTopologySpread # "
		     "SelectorSpreadPriority, policy.cfg:13 (by its default "
		     "constraints)\n        weight: 2\n") },
		{ 36,
		    "# not possible: Region, policy.cfg:8: there is no "
		    "plugin ServiceAffinity" },
		{ 36,
		    "# not possible: Disk, policy.cfg:18: there is no "
		    "plugin NodeLabel" },
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct problems notes = { 0 };
		size_t n;
		AUTOFREE char *got =
		    from_policy(RULES, NULL, rows[i].release, &n, &notes);

		t_has("converted", got, rows[i].want);
		t_int("not possible", n, rows[i].release < 36 ? 0 : 4);
		t_int("warnings", notes.n, n);
		is_a_configuration(got);
		problems_fini(&notes);
	}
}

/* The plugins and points that a release has, and no later ones. */
static void
each_release_gets_what_it_knows(void)
{
	static const struct {
		const char *version;
		int release;
		const char *want, *lacks;
	} rows[] = {
		{ NULL, 20, "/v1beta1\n", NULL },
		{ NULL, 22, "/v1beta1\n", NULL },
		{ NULL, 23, "/v1beta3\n", "multiPoint" },
		{ NULL, 24, "/v1beta3\n", "DynamicResources" },
		{ NULL, 25, "/v1\n", "preEnqueue" },
		{ NULL, 25, "1.25 or later", "DynamicResources" },
		{ NULL, 26,
		    "    preEnqueue:\n      enabled:\n      - name: "
		    "SchedulingGates",
		    "    preBind:\n      enabled:\n"
		    "      - name: DynamicResources" },
		{ NULL, 26, "1.26 or later",
		    "- name: DefaultPreemption # "
		    "every policy has it\n    queueSort" },
		/* preScore of NodeResourcesFit */
		{ NULL, 26, "    filter:\n",
		    "preScore:\n      enabled:\n"
		    "      - name: NodeResourcesFit" },
		{ NULL, 27,
		    "preScore:\n      enabled:\n"
		    "      - name: NodeResourcesFit",
		    NULL },
		{ NULL, 29, "1.28 or later", NULL },
		{ NULL, 34, "1.32 or later", "NodeDeclaredFeatures" },
		{ NULL, 35, "1.35 or later", NULL },
		{ NULL, 0, "NodeDeclaredFeatures", NULL },
		{ NULL, 40, "1.35 or later", NULL },
		{ "v1", 0, "1.35 or later", NULL },
		{ "v1beta1", 0, "For kube-scheduler 1.20 to 1.22.\n", NULL },
		{ "v1beta2", 0, "For kube-scheduler 1.22 to 1.27.\n",
		    "multiPoint" },
		{ "v1beta2", 0, "type: MostAllocated", "- name: NodeLabel" },
		{ "v1beta2", 0, "      disabled: [{name: \"*\"}]\n",
		    "DynamicResources" },
		{ "v1beta2", 23, "selector excludes, too)\n", NULL },
		{ "v1beta2", 27, "For kube-scheduler 1.27 to 1.27.\n",
		    "selector excludes, too)" },
		{ "v1beta3", 0, "For kube-scheduler 1.23 to 1.28.\n", NULL },
		{ "v1beta3", 28, "DynamicResources", "preEnqueue" },
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct problems notes = { 0 };
		size_t n;
		AUTOFREE char *got = from_policy(RULES, rows[i].version,
		    rows[i].release, &n, &notes);

		t_has("converted", got, rows[i].want);
		t_true(rows[i].want,
		    rows[i].lacks == NULL ||
			strstr(got, rows[i].lacks) == NULL);
		is_a_configuration(got);
		problems_fini(&notes);
	}
}

static void
targets_exist(void)
{
	static const struct {
		const char *version;
		int release;
		const char *want;
	} rows[] = {
		{ "v1beta4", 0, "must be v1beta1, v1beta2, v1beta3 or v1" },
		{ "v1", 24, "kube-scheduler 1.24 does not read v1" },
		{ "v1beta1", 23, "kube-scheduler 1.23 does not read v1beta1" },
		{ "v1beta3", 22, "kube-scheduler 1.22 does not read v1beta3" },
		{ NULL, 19, "1.19 does not read these configurations" },
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct convert_target target;
		struct err err = { "" };

		t_int(rows[i].want,
		    convert_target(rows[i].version, rows[i].release, &target,
			&err),
		    -1);
		t_has(rows[i].want, err.text, rows[i].want);
	}
}

static void
plugins_become_rules(void)
{
	static const struct {
		const char *text, *want;
		size_t n;
	} rows[] = {
		{ EARLY,
		    "- name: NoDiskConflict # VolumeRestrictions, by "
		    "default\n",
		    1 },
		{ EARLY,
		    ("# not possible: PodTopologySpread: "
		     "EvenPodsSpreadPriority needs "
		     "--feature-gates=EvenPodsSpread=true\n"),
		    1 },
		{ EARLY "profiles:\n- plugins:\n    filter:\n"
			"      enabled:\n      - name: NodeLabel\n"
			"    score:\n      disabled: [{name: \"*\"}]\n"
			"      enabled:\n"
			"      - {name: ServiceAffinity, weight: 6}\n"
			"  pluginConfig:\n"
			"  - {name: NodeLabel, args: {absentLabels: [a]}}\n"
			"  - name: ServiceAffinity\n"
			"    args: {antiAffinityLabelsPreference: [b, c]}\n",
		    ("- name: NodeLabelAbsent # NodeLabel, config:7\n"
		     "  argument:\n    labelsPresence:\n"
		     "      labels: [\"a\"]\n      presence: false\n"
		     "priorities:\n"
		     "- name: ServiceAntiAffinity1 # ServiceAffinity, "
		     "config:11\n  weight: 3\n  argument:\n"
		     "    serviceAntiAffinity:\n      label: \"b\"\n"),
		    0 },
		{ LATER "profiles:\n- plugins:\n    score:\n"
			"      disabled: [{name: \"*\"}]\n"
			"      enabled: [{name: NodeResourcesFit, weight: 7}]\n"
			"  pluginConfig:\n  - name: NodeResourcesFit\n"
			"    args: {scoringStrategy: {type: MostAllocated}}\n",
		    ("- name: MostRequestedPriority # NodeResourcesFit, "
		     "config:7\n  weight: 7\n"),
		    0 },
		{ LATER "profiles:\n- plugins:\n    score:\n"
			"      disabled: [{name: \"*\"}]\n",
		    "priorities: []\n", 0 },
		{ LATER "profiles:\n- plugins:\n    multiPoint:\n"
			"      disabled: [{name: NodeUnschedulable}, "
			"{name: DefaultPreemption}, "
			"{name: PodTopologySpread}]\n",
		    "# not possible: NodeUnschedulable: every policy has "
		    "CheckNodeUnschedulable\n",
		    2 },
		{ EARLY "extenders:\n- urlPrefix: \"http://a\"\n"
			"  filterVerb: f\n  httpTimeout: 2s\n",
		    ("- urlPrefix: \"http://a\" # an extender, config:4\n"
		     "  filterVerb: \"f\"\n  httpTimeout: 2000000000\n"),
		    1 },
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct problems notes = { 0 };
		size_t n = 0;
		AUTOFREE char *got =
		    from_configuration(rows[i].text, &n, &notes);

		t_has(rows[i].text, got, rows[i].want);
		t_int(rows[i].text, n, rows[i].n);
		is_a_policy(got);
		problems_fini(&notes);
	}
}

static void
there_and_back_again(void)
{
	struct problems notes = { 0 };
	size_t n, m = 0;
	AUTOFREE char *there = from_policy(RULES, NULL, 20, &n, &notes);
	AUTOFREE char *back = from_configuration(there, &m, &notes);
	AUTOFREE char *again = from_policy(back, NULL, 20, &n, &notes);

	t_int("nothing is lost", n + m, 0);
	t_has("weights", again, "        weight: 10\n");
	t_has("labels", again, "      affinityLabels: [\"region\"]\n");
	problems_fini(&notes);
}

T_MAIN(T(rules_become_plugins), T(each_release_gets_what_it_knows),
    T(targets_exist), T(plugins_become_rules), T(there_and_back_again))
