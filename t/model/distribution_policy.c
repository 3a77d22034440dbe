/* Kosmos' distribution policies as documents. */
#include "config.h"

#include <string.h>

#include "base/doc.h"
#include "base/err.h"
#include "base/xmalloc.h"
#include "objects/distribution_policy.h"
#include "objects/labels.h"
#include "objects/pod.h"
#include "t/lib/t.h"

static struct distribution_policy *
decode(const char *kind, const char *spec, struct err *err)
{
	AUTOFREE char *text =
	    xasprintf("{\"kind\":\"%s\",\"apiVersion\":"
		      "\"kosmos.io/v1alpha1\",\"metadata\":{\"name\":\"p\","
		      "\"namespace\":\"shop\"},\"spec\":%s}",
		kind, spec);
	struct doc *doc =
	    doc_parse("dp.json", text, strlen(text), &doc_limits_people, err);
	struct object *object = NULL;

	if (doc == NULL)
		return NULL;
	if (object_decode(NULL, doc_root(doc), "", &object, NULL, err) != 1)
		object = NULL;
	doc_free(doc); /* the object must not need it */
	return (struct distribution_policy *)object;
}

static struct distribution_policy *
policy_of(const char *spec)
{
	struct err err = { "" };
	struct distribution_policy *policy =
	    decode("DistributionPolicy", spec, &err);

	t_str(spec, err.text, "");
	return policy;
}

#define AFFINITY(required, preferred)                                          \
	"\"affinity\":{\"nodeAffinity\":{"                                     \
	"\"requiredDuringSchedulingIgnoredDuringExecution\":" required         \
	",\"preferredDuringSchedulingIgnoredDuringExecution\":[" preferred     \
	"]}}"

static void
everything_is_read(void)
{
	struct distribution_policy *policy = policy_of(
	    "{"
	    "\"resourceSelectors\":[{\"policyName\":\"leaf\",\"name\":\"a\"},"
	    "{\"policyName\":\"x\",\"namePrefix\":\"ab-\",\"labelSelector\":"
	    "{\"matchLabels\":{\"app\":\"web\"},\"matchExpressions\":["
	    "{\"key\":\"tier\",\"operator\":\"NotIn\",\"values\":[\"b\"]}]}}],"
	    "\"policyTerms\":[{\"name\":\"leaf\",\"nodeType\":\"leaf\"},"
	    "{\"name\":\"x\",\"nodeType\":\"adv\",\"advancedTerm\":{"
	    "\"nodeName\":\"n1\",\"nodeSelector\":{\"disk\":\"ssd\"},"
	    "\"tolerations\":[{\"key\":\"k\",\"operator\":\"Exists\"}]," AFFINITY(
		"{\"nodeSelectorTerms\":[{\"matchExpressions\":[{\"key\":"
		"\"a\",\"operator\":\"Exists\"}]},{\"matchFields\":[{"
		"\"key\":\"metadata.name\",\"operator\":\"In\","
		"\"values\":[\"n1\"]}]}]}",
		"{\"weight\":7,\"preference\":{\"matchExpressions\":[{\"key\":"
		"\"b\",\"operator\":\"Exists\"}]}}") "}}]}");
	const struct resource_selector *s;
	const struct policy_term *term;

	if (policy == NULL)
		return;
	t_int("kind", policy->object.kind, OBJECT_DISTRIBUTION_POLICY);
	t_str("namespace", sym_text(policy->object.namespace), "shop");
	t_int("selectors", policy->nselectors, 2);
	s = &policy->selectors[0];
	t_str("policyName", sym_text(s->policy_name), "leaf");
	t_str("name", s->name, "a");
	t_str("no prefix", s->name_prefix, "");
	t_true("no labels", !s->has_label_selector);
	s = &policy->selectors[1];
	t_str("prefix", s->name_prefix, "ab-");
	t_int("its length", s->name_prefix_len, 3);
	t_true("labels", s->has_label_selector);
	t_int("requirements", s->label_selector.n, 2);
	t_int("terms", policy->nterms, 2);
	t_int("leaf", policy->terms[0].type, DISTRIBUTION_LEAF);
	term = distribution_policy_term(policy, sym_intern("x"));
	if (t_true("found by name", term == &policy->terms[1])) {
		t_int("adv", term->type, DISTRIBUTION_ADVANCED);
		t_str("node", sym_text(term->node_name), "n1");
		t_int("labels", term->node_selector.n, 1);
		t_int("tolerations", term->ntolerations, 1);
		t_str("key", sym_text(term->tolerations[0].key), "k");
		t_true("required", term->affinity.has_required);
		t_int("terms", term->affinity.required.n, 2);
		t_true("labels", term->affinity.required.at[0].has_labels);
		t_true("fields", term->affinity.required.at[1].has_fields);
		t_int("preferred", term->affinity.npreferred, 1);
		t_int("weight", term->affinity.preferred[0].weight, 7);
		t_true("of nodes alone", !term->has_pod_affinity);
	}
	t_true("no such term",
	    distribution_policy_term(policy, sym_intern("y")) == NULL);
	t_true("no problem", distribution_policy_problem(policy, 0) == NULL);
	object_unref(&policy->object);
}

static void
of_the_cluster_has_no_namespace(void)
{
	struct err err = { "" };
	struct distribution_policy *policy =
	    decode("ClusterDistributionPolicy", "{}", &err);

	t_str("accepted", err.text, "");
	if (policy == NULL)
		return;
	t_int("kind", policy->object.kind, OBJECT_CLUSTER_DISTRIBUTION_POLICY);
	t_str("namespace", sym_text(policy->object.namespace), "");
	object_unref(&policy->object);
}

static void
node_types(void)
{
	static const struct {
		const char *text;
		enum distribution_type want;
	} rows[] = {
		{ "\"host\"", DISTRIBUTION_HOST },
		{ "\"leaf\"", DISTRIBUTION_LEAF },
		{ "\"mix\"", DISTRIBUTION_MIX },
		{ "\"adv\"", DISTRIBUTION_ADVANCED },
		{ "\"\"", DISTRIBUTION_MIX },
		{ "null", DISTRIBUTION_MIX },
		{ "\"Leaf\"", DISTRIBUTION_MIX },
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		AUTOFREE char *spec = xasprintf("{\"policyTerms\":[{\"name\":"
						"\"t\",\"nodeType\":%s}]}",
		    rows[i].text);
		struct distribution_policy *policy = policy_of(spec);

		if (policy == NULL)
			continue;
		t_int(rows[i].text, policy->terms[0].type, rows[i].want);
		object_unref(&policy->object);
	}
}

#define ONE_TERM ",\"policyTerms\":[{\"name\":\"t\",\"nodeType\":\"leaf\"}]}"
#define SELECTOR(inside) "{\"resourceSelectors\":[{" inside "}]" ONE_TERM
#define ADV(inside) TERM("\"nodeType\":\"adv\",\"advancedTerm\":{" inside "}")
#define LABELS "\"matchExpressions\":[{\"key\":\"a\",\"operator\":\"Exists\"}]"
#define NODES "spec.policyTerms[0].advancedTerm.affinity.nodeAffinity."
#define DURING "DuringSchedulingIgnoredDuringExecution"
#define TERM(inside) "{\"policyTerms\":[{\"name\":\"t\"," inside "}]}"

static void
what_is_of_no_use_is_a_problem(void)
{
	static const struct {
		const char *spec, *want;
	} rows[] = {
		{ "{}", "" },
		{ "null", "" },
		{ SELECTOR("\"policyName\":\"t\",\"name\":\"a\""), "" },
		{ SELECTOR("\"policyName\":\"t\",\"labelSelector\":{}"), "" },
		{ SELECTOR("\"policyName\":\"u\",\"name\":\"a\""),
		    "spec.resourceSelectors[0].policyName: unknown policy term "
		    "\"u\"; the pods may go to any node" },
		{ SELECTOR("\"name\":\"a\""),
		    "spec.resourceSelectors[0].policyName: unknown policy term "
		    "\"\"; the pods may go to any node" },
		{ SELECTOR("\"policyName\":\"t\""),
		    "spec.resourceSelectors[0] selects nothing: it has no name, "
		    "namePrefix or labelSelector" },
		{ SELECTOR("\"policyName\":\"t\",\"labelSelector\":{"
			   "\"matchExpressions\":[{\"key\":\"a\",\"operator\":"
			   "\"Like\"}]}"),
		    "spec.resourceSelectors[0].labelSelector selects nothing: "
		    "\"Like\" is not a valid pod selector operator" },
		{ TERM("\"nodeType\":\"leave\""),
		    "spec.policyTerms[0].nodeType: \"leave\" is none of host, "
		    "leaf, mix and adv; the pods may go to any node" },
		{ TERM("\"nodeType\":\"adv\""),
		    "spec.policyTerms[0].advancedTerm is empty; the pods may go "
		    "to any node" },
		{ TERM("\"nodeType\":\"adv\",\"advancedTerm\":{\"nodeName\":"
		       "\"n\"}"),
		    "" },
		{ ADV(AFFINITY("{\"nodeSelectorTerms\":[{" LABELS "}]}",
		      "{\"preference\":{" LABELS "}}")),
		    "" },
		{ ADV(AFFINITY("null", "")),
		    "spec.policyTerms[0].advancedTerm is empty; the pods may go "
		    "to any node" },
		{ ADV(AFFINITY("{\"nodeSelectorTerms\":[]}", "")),
		    NODES "required" DURING
			  " has no nodeSelectorTerms; no node matches" },
		{ ADV(AFFINITY("{\"nodeSelectorTerms\":[{" LABELS "},{}]}",
		      "")),
		    NODES
		    "required" DURING
		    ".nodeSelectorTerms[1] matches no node: it is empty" },
		{ ADV(AFFINITY(
		      "{\"nodeSelectorTerms\":[{\"matchExpressions\":[{"
		      "\"key\":\"a\",\"operator\":\"Like\"}]}]}",
		      "")),
		    NODES "required" DURING
			  ".nodeSelectorTerms[0] matches no node: \"Like\" is "
			  "not a valid node selector operator" },
		{ ADV(AFFINITY("null",
		      "{\"preference\":{" LABELS "}},"
		      "{\"weight\":1}")),
		    NODES "preferred" DURING
			  "[1] matches no node: it is empty" },
		{ ADV("\"nodeName\":\"n\",\"affinity\":{\"podAffinity\":{}}"),
		    "spec.policyTerms[0].advancedTerm.affinity: podAffinity and "
		    "podAntiAffinity have no effect, only nodeAffinity has" },
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct distribution_policy *policy = policy_of(rows[i].spec);
		const char *problem;

		if (policy == NULL)
			continue;
		problem = distribution_policy_problem(policy, 0);
		t_str(rows[i].spec, problem != NULL ? problem : "",
		    rows[i].want);
		t_true("no other",
		    distribution_policy_problem(policy, 1) == NULL);
		object_unref(&policy->object);
	}
}

static void
errors_have_position_and_path(void)
{
	static const struct {
		const char *spec, *want;
	} rows[] = {
		{ "1", "dp.json:1:114: spec must be an object, not a number" },
		{ "{\"resourceSelectors\":{}}",
		    "dp.json:1:135: spec.resourceSelectors must be an array, "
		    "not an object" },
		{ "{\"resourceSelectors\":[{},7]}",
		    "dp.json:1:139: spec.resourceSelectors[1] must be an object, "
		    "not a number" },
		{ "{\"resourceSelectors\":[{\"namePrefix\":[]}]}",
		    "dp.json:1:150: spec.resourceSelectors[0].namePrefix must be "
		    "a string, not an array" },
		{ "{\"resourceSelectors\":[{\"labelSelector\":{\"matchLabels\":"
		  "{\"a\":1}}}]}",
		    "dp.json:1:173: spec.resourceSelectors[0].labelSelector."
		    "matchLabels.a must be a string, not a number" },
		{ "{\"policyTerms\":[{\"advancedTerm\":[]}]}",
		    "dp.json:1:146: spec.policyTerms[0].advancedTerm must be an "
		    "object, not an array" },
		{ "{\"policyTerms\":[{\"advancedTerm\":{\"nodeSelector\":"
		  "{\"a\":{}}}}]}",
		    "dp.json:1:167: spec.policyTerms[0].advancedTerm."
		    "nodeSelector.a must be a string, not an object" },
		{ "{\"policyTerms\":[{\"advancedTerm\":{\"tolerations\":"
		  "[null,{\"key\":1}]}}]}",
		    "dp.json:1:174: spec.policyTerms[0].advancedTerm."
		    "tolerations[1].key must be a string, not a number" },
		{ "{\"policyTerms\":[{\"advancedTerm\":{\"affinity\":1}}]}",
		    "dp.json:1:158: spec.policyTerms[0].advancedTerm.affinity "
		    "must be an object, not a number" },
		{ "{\"policyTerms\":[{\"advancedTerm\":{\"affinity\":{"
		  "\"nodeAffinity\":[]}}}]}",
		    "dp.json:1:174: spec.policyTerms[0].advancedTerm.affinity."
		    "nodeAffinity must be an object, not an array" },
		{ "{\"policyTerms\":[{\"advancedTerm\":{\"affinity\":{"
		  "\"nodeAffinity\":{\"required" DURING "\":{"
		  "\"nodeSelectorTerms\":[{\"matchExpressions\":1}]}}}}}]}",
		    "dp.json:1:266: spec.policyTerms[0].advancedTerm.affinity."
		    "nodeAffinity.required" DURING ".nodeSelectorTerms[]."
		    "matchExpressions must be an array, not a number" },
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct err err = { "" };

		t_true(rows[i].spec,
		    decode("DistributionPolicy", rows[i].spec, &err) == NULL);
		t_str(rows[i].spec, err.text, rows[i].want);
	}
}

static void
texts_have_an_end(void)
{
	static const struct {
		size_t len;
		const char *want;
	} rows[] = {
		{ 512, "" },
		{ 513,
		    "dp.json:1:150: a string of 513 bytes exceeds the "
		    "limit of 512" },
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		AUTOFREE char *text = xmalloc(rows[i].len + 1);
		AUTOFREE char *spec = NULL;
		struct distribution_policy *policy;
		struct err err = { "" };

		memset(text, 'a', rows[i].len);
		text[rows[i].len] = '\0';
		spec = xasprintf("{\"resourceSelectors\":[{\"policyName\":"
				 "\"%s\"}]}",
		    text);
		policy = decode("DistributionPolicy", spec, &err);
		t_str("length", err.text, rows[i].want);
		if (policy != NULL)
			object_unref(&policy->object);
	}
}

T_MAIN(T(texts_have_an_end), T(everything_is_read),
    T(of_the_cluster_has_no_namespace), T(node_types),
    T(what_is_of_no_use_is_a_problem), T(errors_have_position_and_path))
