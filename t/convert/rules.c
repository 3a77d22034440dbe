/*
 * Rules as switches and weights: those that a profile has and could have, and texts that
 * are changed, which are read again.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/text.h"
#include "base/xmalloc.h"
#include "policy/configuration/configuration.h"
#include "policy/policy.h"
#include "policy/convert/rules.h"
#include "t/lib/t.h"

#define POLICY "{\"kind\":\"Policy\",\"apiVersion\":\"v1\","
#define LATER                                                                  \
	"{\"apiVersion\":\"kubescheduler.config.k8s.io/v1\","                  \
	"\"kind\":\"KubeSchedulerConfiguration\""

static struct profiles *
read_text(const char *text, bool configuration)
{
	struct policy_options options = { .gates = gates_default };
	struct problems problems = { 0 };
	struct profiles *profiles;
	struct profile *profile;
	struct err err = { "" };

	if (configuration) {
		profiles = configuration_read("c", text, strlen(text), &options,
		    &problems, &err);
	} else {
		profile = policy_read("p", text, strlen(text), &options,
		    &problems, &err);
		profiles = profile != NULL ? profiles_of_one(profile) : NULL;
	}
	t_str(text, err.text, "");
	problems_fini(&problems);
	return profiles;
}

/* "Name*" required, "-Name" off, "Name=3" its weight; of those with this prefix. */
static char *
listed(const struct profile *profile, enum rule_kind kind, const char *prefix)
{
	struct arena arena = ARENA_INIT;
	struct text out = { 0 };
	size_t n;
	struct rule *rules = rules_of(profile, kind, &arena, &n);

	for (size_t i = 0; i < n; i++) {
		AUTOFREE char *one = NULL;

		if (strncmp(rules[i].name, prefix, strlen(prefix)) != 0)
			continue;
		one = xasprintf("%s%s%s", rules[i].on ? "" : "-", rules[i].name,
		    rules[i].required ? "*" : "");
		text_put(&out, out.len > 0 ? " " : "");
		text_put(&out, one);
		if (kind == RULE_SCORES) {
			AUTOFREE char *weight =
			    xasprintf("=%d", (int)rules[i].weight);

			text_put(&out, weight);
		}
	}
	arena_fini(&arena);
	return text_take(&out);
}

/* The text after one change; you own it.  NULL: refused, with *err. */
static char *
changed(const char *text, bool configuration, struct rule_change change,
    struct err *err)
{
	struct profiles *profiles = read_text(text, configuration);
	struct text out = { 0 };
	int rc =
	    rules_change(text, strlen(text), profiles, 1, &change, &out, err);

	profiles_free(profiles);
	if (rc == 0)
		return text_take(&out);
	t_int("nothing is appended", (int)out.len, 0);
	return NULL;
}

static void
policies_list_their_rules(void)
{
	struct profiles *p = read_text(POLICY
	    "\"predicates\":[{\"name\":\"HostName\"}],\"priorities\":"
	    "[{\"name\":\"ImageLocalityPriority\",\"weight\":4}]}",
	    false);
	AUTOFREE char *filters = listed(p->at[0], RULE_FILTERS, "Ho");
	AUTOFREE char *required = listed(p->at[0], RULE_FILTERS, "CheckNodeU");
	AUTOFREE char *off = listed(p->at[0], RULE_FILTERS, "PodFitsR");
	AUTOFREE char *scores = listed(p->at[0], RULE_SCORES, "I");

	t_str("one that is on", filters, "HostName");
	t_str("one that is mandatory", required, "CheckNodeUnschedulable*");
	t_str("one that is off", off, "-PodFitsResources");
	t_str("weights", scores,
	    "ImageLocalityPriority=4 -InterPodAffinityPriority=1");
	profiles_free(p);
}

/* A change of a text, the rules with a prefix that are read again, and a part of
 * the new text. */
struct row {
	const char *name, *text;
	bool configuration;
	struct rule_change change;
	const char *prefix, *want, *part;
};

static const struct row rows[] = {
	{ "a weight, and all else stays",
	    POLICY "\"hardPodAffinitySymmetricWeight\":7,\"priorities\":"
		   "[{\"name\":\"ImageLocalityPriority\",\"weight\":4},"
		   "{\"name\":\"EqualPriority\",\"weight\":1}]}",
	    false, { NULL, "EqualPriority", RULE_SCORES, 9 }, "",
	    "EqualPriority=9 ImageLocalityPriority=4",
	    "\"hardPodAffinitySymmetricWeight\": 7" },
	{ "entries of YAML keep their order, and unknown members",
	    "kind: Policy\napiVersion: v1\npriorities:\n"
	    "- {weight: 1, x: [2.50, null], name: ImageLocalityPriority}\n"
	    "- {name: EqualPriority, weight: 1}\n",
	    false, { NULL, "ImageLocalityPriority", RULE_SCORES, 5 }, "",
	    "EqualPriority=1 ImageLocalityPriority=5",
	    "{\"x\": [2.50,null], \"name\": \"ImageLocalityPriority\", "
	    "\"weight\": 5},\n    {\"name\": \"EqualPriority\"" },
	{ "off",
	    POLICY
	    "\"priorities\":[{\"name\":\"EqualPriority\",\"weight\":1}]}",
	    false, { NULL, "EqualPriority", RULE_SCORES, 0 }, "", "",
	    "\"priorities\": []" },
	{ "on, beside those of the list",
	    POLICY "\"predicates\":[{\"name\":\"HostName\"}]}", false,
	    { NULL, "PodFitsResources", RULE_FILTERS, 1 }, "",
	    "CheckNodeUnschedulable HostName PodFitsResources "
	    "PodToleratesNodeTaints",
	    NULL },
	{ "without a list the defaults are written out", POLICY "\"x\":1}",
	    false, { NULL, "ImageLocalityPriority", RULE_SCORES, 3 }, "",
	    "BalancedResourceAllocation=1 ImageLocalityPriority=3 "
	    "InterPodAffinityPriority=1 LeastRequestedPriority=1 "
	    "NodeAffinityPriority=1 NodePreferAvoidPodsPriority=10000 "
	    "SelectorSpreadPriority=1 TaintTolerationPriority=1",
	    "\"x\": 1" },
	{ "arguments stay",
	    POLICY
	    "\"priorities\":[{\"name\":\"own\",\"weight\":1,\"argument\":"
	    "{\"labelPreference\":{\"label\":\"ssd\","
	    "\"presence\":true}}}]}",
	    false, { NULL, "own", RULE_SCORES, 2 }, "", "own=2",
	    "\"label\":\"ssd\"" },
	{ "what is no entry stays, under a key that does not count",
	    POLICY "\"Priorities\":[[\"a\"],7]}", false,
	    { NULL, "ImageLocalityPriority", RULE_SCORES, 3 }, "Image",
	    "ImageLocalityPriority=1", "[\"a\"]" },
	{ "a policy in a ConfigMap",
	    "kind: ConfigMap\napiVersion: v1\ndata:\n  policy.cfg: |\n"
	    "    kind: Policy\n    apiVersion: v1\n    priorities:\n"
	    "    - {name: EqualPriority, weight: 1}\n",
	    false, { NULL, "EqualPriority", RULE_SCORES, 5 }, "",
	    "EqualPriority=5", "\"kind\": \"Policy\"" },
	{ "a plugin's weight",
	    LATER ",\"profiles\":[{\"schedulerName\":\"a\"},"
		  "{\"schedulerName\":\"b\"}]}",
	    true, { "a", "ImageLocality", RULE_SCORES, 8 }, "Image",
	    "ImageLocality=8", "{\n    \"schedulerName\": \"b\"\n  }" },
	{ "a plugin that filters no more rejects no pod before that either",
	    LATER ",\"profiles\":[{\"plugins\":{\"multiPoint\":{\"disabled\":"
		  "[{\"name\":\"ImageLocality\"}]}}}]}",
	    true, { NULL, "NodePorts", RULE_FILTERS, 0 }, "NodeP", "",
	    "\"multiPoint\": {\"disabled\":[{\"name\":\"ImageLocality\"}]}" },
	{ "an empty list of profiles",
	    LATER ",\"extenders\":[],\"profiles\":[]}", true,
	    { NULL, "ImageLocality", RULE_SCORES, 8 }, "Image",
	    "ImageLocality=8", "\"extenders\": []" },
	{ "a plugin that is switched on",
	    LATER ",\"profiles\":[{\"plugins\":{\"score\":{\"disabled\":"
		  "[{\"name\":\"*\"}]}}}]}",
	    true, { NULL, "NodeResourcesFit", RULE_SCORES, 6 }, "",
	    "NodeResourcesFit=6", NULL },
	{ "a configuration without profiles", LATER "}", true,
	    { NULL, "ImageLocality", RULE_SCORES, 0 }, "Image", "", NULL },
};

/* The rules that are on, each with its weight if it scores. */
static char *
rules_on(const struct profile *profile, enum rule_kind kind, const char *prefix)
{
	AUTOFREE char *all = listed(profile, kind, prefix);
	struct text out = { 0 };

	for (char *rest = all, *one; (one = strsep(&rest, " ")) != NULL;) {
		char *star = strchr(one, '*');

		if (star != NULL)
			*star = '\0';
		if (*one == '-' || *one == '\0')
			continue;
		text_put(&out, out.len > 0 ? " " : "");
		text_put(&out, one);
	}
	return text_take(&out);
}

/* In the order of the alphabet, for comparison. */
static int
compare_words(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static char *
sorted(char *words)
{
	char *at[64];
	struct text out = { 0 };
	size_t n = 0;

	for (char *one; (one = strsep(&words, " ")) != NULL && n < 64;)
		at[n++] = one;
	qsort(at, n, sizeof(*at), compare_words);
	for (size_t i = 0; i < n; i++) {
		text_put(&out, i > 0 ? " " : "");
		text_put(&out, at[i]);
	}
	return text_take(&out);
}

static void
changes_are_read_again(void)
{
	for (size_t i = 0; i < LENGTH(rows); i++) {
		const struct row *row = &rows[i];
		struct err err = { "" };
		AUTOFREE char *text =
		    changed(row->text, row->configuration, row->change, &err);
		AUTOFREE char *on = NULL, *got = NULL;
		struct profiles *again;

		t_str(row->name, err.text, "");
		if (text == NULL)
			continue;
		again = read_text(text, row->configuration);
		on = rules_on(again->at[0], row->change.kind, row->prefix);
		got = sorted(on);
		t_str(row->name, got, row->want);
		if (row->part != NULL)
			t_true(row->name, strstr(text, row->part) != NULL);
		profiles_free(again);
	}
}

static const struct {
	const char *name, *text;
	bool configuration;
	struct rule_change change;
	const char *want;
} refusals[] = {
	{ "no such rule", POLICY "\"x\":1}", false,
	    { NULL, "Foo", RULE_SCORES, 1 },
	    "there is no rule \"Foo\" that scores" },
	{ "a score is no filter", POLICY "\"x\":1}", false,
	    { NULL, "EqualPriority", RULE_FILTERS, 1 },
	    "there is no rule \"EqualPriority\" that filters" },
	{ "a mandatory rule", POLICY "\"x\":1}", false,
	    { NULL, "PodToleratesNodeTaints", RULE_FILTERS, 0 },
	    "\"PodToleratesNodeTaints\" cannot be switched off" },
	{ "no such profile", LATER "}", true,
	    { "b", "ImageLocality", RULE_SCORES, 1 },
	    "there is no profile \"b\"" },
	{ "which profile",
	    LATER ",\"profiles\":[{\"schedulerName\":\"a\"},"
		  "{\"schedulerName\":\"b\"}]}",
	    true, { NULL, "ImageLocality", RULE_SCORES, 1 },
	    "rule \"ImageLocality\": of which profile?" },
};

static void
changes_may_be_refused(void)
{
	for (size_t i = 0; i < LENGTH(refusals); i++) {
		struct err err = { "" };
		AUTOFREE char *text = changed(refusals[i].text,
		    refusals[i].configuration, refusals[i].change, &err);

		t_true(refusals[i].name, text == NULL);
		t_str(refusals[i].name, err.text, refusals[i].want);
	}
}

/* Weights that change where they stand; want NULL: that cannot be. */
static const struct {
	const char *name, *text;
	bool configuration;
	struct rule_change changes[2];
	const char *want;
} weights[] = {
	{ "comments and layout stay",
	    "# ours\nkind: Policy\napiVersion: v1\npriorities:\n"
	    "- name: EqualPriority   # é\n  weight:   1 # low\n"
	    "- {name: ImageLocalityPriority, weight: 10}\n",
	    false,
	    { { NULL, "ImageLocalityPriority", RULE_SCORES, 7 },
		{ NULL, "EqualPriority", RULE_SCORES, 200 } },
	    "# ours\nkind: Policy\napiVersion: v1\npriorities:\n"
	    "- name: EqualPriority   # é\n  weight:   200 # low\n"
	    "- {name: ImageLocalityPriority, weight: 7}\n" },
	{ "JSON in one line",
	    POLICY
	    "\"priorities\":[{\"weight\":1,\"name\":\"EqualPriority\"}]}",
	    false, { { NULL, "EqualPriority", RULE_SCORES, 2 } },
	    POLICY
	    "\"priorities\":[{\"weight\":2,\"name\":\"EqualPriority\"}]}" },
	{ "a plugin of the profile that is meant",
	    LATER
	    ",\"profiles\":[{\"schedulerName\":\"a\"},"
	    "{\"schedulerName\":\"b\",\"plugins\":{\"multiPoint\":{"
	    "\"enabled\":[{\"name\":\"ImageLocality\",\"weight\":3}]}}}]}",
	    true, { { "b", "ImageLocality", RULE_SCORES, 4 } },
	    LATER
	    ",\"profiles\":[{\"schedulerName\":\"a\"},"
	    "{\"schedulerName\":\"b\",\"plugins\":{\"multiPoint\":{"
	    "\"enabled\":[{\"name\":\"ImageLocality\",\"weight\":4}]}}}]}" },
	{ "of a profile that has no such weight",
	    LATER ",\"profiles\":[{\"schedulerName\":\"a\"}]}", true,
	    { { "a", "ImageLocality", RULE_SCORES, 4 } }, NULL },
	{ "off is more than a weight",
	    POLICY
	    "\"priorities\":[{\"name\":\"EqualPriority\",\"weight\":1}]}",
	    false, { { NULL, "EqualPriority", RULE_SCORES, 0 } }, NULL },
	{ "one weight twice",
	    POLICY
	    "\"priorities\":[{\"name\":\"EqualPriority\",\"weight\":1}]}",
	    false,
	    { { NULL, "EqualPriority", RULE_SCORES, 2 },
		{ NULL, "EqualPriority", RULE_SCORES, 3 } },
	    NULL },
	{ "in a ConfigMap, whose other numbers stay",
	    "apiVersion: v1  # 1\nkind: ConfigMap\ndata:\n  policy.cfg: |\n"
	    "    {\"kind\": \"Policy\", \"apiVersion\": \"v1\",\n"
	    "     \"priorities\": [{\"name\": \"EqualPriority\", \"weight\": 1},\n"
	    "      {\"name\": \"ImageLocalityPriority\", \"weight\": 1}]}\n",
	    false,
	    { { NULL, "ImageLocalityPriority", RULE_SCORES, 7 },
		{ NULL, "EqualPriority", RULE_SCORES, 1 } },
	    "apiVersion: v1  # 1\nkind: ConfigMap\ndata:\n  policy.cfg: |\n"
	    "    {\"kind\": \"Policy\", \"apiVersion\": \"v1\",\n"
	    "     \"priorities\": [{\"name\": \"EqualPriority\", \"weight\": 1},\n"
	    "      {\"name\": \"ImageLocalityPriority\", \"weight\": 7}]}\n" },
	{ "in a ConfigMap as JSON, where the policy is quoted",
	    "{\"kind\":\"ConfigMap\",\"apiVersion\":\"v1\",\"data\":{\"policy.cfg\":"
	    "\"kind: Policy\\npriorities:\\n- {name: EqualPriority, "
	    "weight: 10}\\n\"}}",
	    false, { { NULL, "EqualPriority", RULE_SCORES, 2 } },
	    "{\"kind\":\"ConfigMap\",\"apiVersion\":\"v1\",\"data\":{\"policy.cfg\":"
	    "\"kind: Policy\\npriorities:\\n- {name: EqualPriority, "
	    "weight: 2}\\n\"}}" },
	{ "in a ConfigMap, with a rule that is switched off",
	    "kind: ConfigMap\napiVersion: v1\ndata: {policy.cfg: 'kind: Policy'}\n",
	    false, { { NULL, "EqualPriority", RULE_SCORES, 2 } }, NULL },
	{ "a weight that stands elsewhere",
	    "kind: Policy\napiVersion: v1\nx: &w 1\npriorities:\n"
	    "- {name: EqualPriority, weight: *w}\n",
	    false, { { NULL, "EqualPriority", RULE_SCORES, 2 } }, NULL },
};

static void
weights_change_where_they_stand(void)
{
	for (size_t i = 0; i < LENGTH(weights); i++) {
		const char *text = weights[i].text;
		struct profiles *profiles =
		    read_text(text, weights[i].configuration);
		size_t n = weights[i].changes[1].rule != NULL ? 2 : 1;
		struct text out = { 0 };
		bool done = rules_reweigh(text, strlen(text), profiles, n,
		    weights[i].changes, &out);

		t_true(weights[i].name, done == (weights[i].want != NULL));
		t_str(weights[i].name, out.bytes, weights[i].want);
		text_fini(&out);
		profiles_free(profiles);
	}
}

T_MAIN(T(policies_list_their_rules), T(changes_are_read_again),
    T(changes_may_be_refused), T(weights_change_where_they_stand))
