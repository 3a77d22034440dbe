#include "config.h"

#include "policy/openshift.h"

#include <string.h>

#include "base/doc.h"
#include "base/err.h"
#include "t/lib/t.h"

#define HEAD                                                                   \
	"{\"apiVersion\":\"config.openshift.io/v1\","                          \
	"\"kind\":\"Scheduler\","

static struct doc *doc;

static int
read_text(const char *text, struct openshift_scheduler *out, struct err *err)
{
	doc_free(doc);
	doc = doc_parse("S", text, strlen(text), &doc_limits_people, err);
	return doc != NULL ? openshift_scheduler_read(doc_root(doc), out, err) :
			     -1;
}

static void
what_it_says_is_read(void)
{
	static const struct {
		const char *name, *text;
		struct openshift_scheduler want;
	} rows[] = {
		{ "nothing", HEAD "\"spec\":{}}", { "", "", "", "" } },
		{ "not even a spec", HEAD "\"metadata\":{}}",
		    { "", "", "", "" } },
		{ "nulls",
		    HEAD "\"metadata\":{\"annotations\":null},\"spec\":"
			 "{\"policy\":null,\"profile\":null}}",
		    { "", "", "", "" } },
		{ "a ConfigMap", HEAD "\"spec\":{\"policy\":{\"name\":\"p\"}}}",
		    { "p", "p", "", "" } },
		{ "by the annotation",
		    HEAD "\"metadata\":{\"annotations\":"
			 "{\"predicated.io/policy\":\"a\"}}}",
		    { "a", "", "", "" } },
		{ "which wins",
		    HEAD
		    "\"metadata\":{\"annotations\":"
		    "{\"predicated.io/policy\":\"a\"}},\"spec\":{\"policy\":"
		    "{\"name\":\"p\"}}}",
		    { "a", "p", "", "" } },
		{ "unless it is empty",
		    HEAD
		    "\"metadata\":{\"annotations\":"
		    "{\"predicated.io/policy\":\"\"}},\"spec\":{\"policy\":"
		    "{\"name\":\"p\"}}}",
		    { "p", "p", "", "" } },
		{ "the rest",
		    HEAD "\"spec\":{\"profile\":\"NoScoring\","
			 "\"defaultNodeSelector\":\"a=b\","
			 "\"mastersSchedulable\":true}}",
		    { "", "", "NoScoring", "a=b" } },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct openshift_scheduler got = { 0 };
		struct err err = { "" };

		t_int(rows[i].name, read_text(rows[i].text, &got, &err), 0);
		t_str(rows[i].name, err.text, "");
		t_str(rows[i].name, got.config_map, rows[i].want.config_map);
		t_str(rows[i].name, got.policy_name, rows[i].want.policy_name);
		t_str(rows[i].name, got.profile, rows[i].want.profile);
		t_str(rows[i].name, got.node_selector,
		    rows[i].want.node_selector);
		t_true(rows[i].name, is_openshift_scheduler(doc_root(doc)));
	}
	doc_free(doc);
	doc = NULL;
}

static void
what_makes_no_sense_is_told_with_its_place(void)
{
	static const struct {
		const char *text, *want;
	} rows[] = {
		{ "{\"spec\":7}", "S:1:9: spec must be an object" },
		{ "{\"spec\":{\"policy\":\"p\"}}",
		    "S:1:19: spec.policy must be an object" },
		{ "{\"spec\":{\"policy\":{\"name\":[]}}}",
		    "S:1:27: spec.policy.name must be a string" },
		{ "{\"spec\":{\"policy\":{\"name\":\"../pods\"}}}",
		    "S:1:27: spec.policy.name: \"../pods\" is not a valid "
		    "ConfigMap name" },
		{ "{\"metadata\":{\"annotations\":"
		  "{\"predicated.io/policy\":\"a,b\"}}}",
		    "S:1:52: metadata.annotations[predicated.io/policy]: "
		    "\"a,b\" is not a valid ConfigMap name" },
		{ "{\"spec\":{\"profile\":1}}",
		    "S:1:20: spec.profile must be a string" },
		{ "{\"spec\":{\"defaultNodeSelector\":{}}}",
		    "S:1:32: spec.defaultNodeSelector must be a string" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct openshift_scheduler got = { .profile = "untouched" };
		struct err err = { "" };

		t_int(rows[i].want, read_text(rows[i].text, &got, &err), -1);
		t_has(rows[i].text, err.text, rows[i].want);
		t_str(rows[i].text, got.profile, "untouched");
		t_true("no kind", !is_openshift_scheduler(doc_root(doc)));
	}
	doc_free(doc);
	doc = NULL;
}

T_MAIN(T(what_it_says_is_read), T(what_makes_no_sense_is_told_with_its_place))
