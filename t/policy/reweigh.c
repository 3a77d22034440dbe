/* A policy or configuration with other weights is the same otherwise. */
#include "config.h"

#include "policy/reweigh.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/text.h"
#include "base/xmalloc.h"
#include "t/lib/t.h"

/* The text without blanks and line breaks; you own it. */
static char *
squeezed(struct text *text)
{
	char *all = text_take(text), *to = all;

	for (const char *p = all; *p != '\0'; p++)
		if (*p != ' ' && *p != '\n')
			*to++ = *p;
	*to = '\0';
	return all;
}

#define MAP(policy) "kind: ConfigMap\ndata: {policy.cfg: '" policy "'}\n"

static void
a_policy_has_exactly_these_priorities(void)
{
	static const struct weighed weights[] = { { "a", 3 }, { "b", 0 },
		{ "c", 5 } };
	static const struct {
		const char *name, *text, *want;
	} rows[] = {
		{ "entries keep their order",
		    "{\"priorities\":[{\"name\":\"c\",\"weight\":1},"
		    "{\"weight\":1,\"name\":\"a\"}]}",
		    "{\"priorities\":[{\"name\":\"c\",\"weight\":5},"
		    "{\"name\":\"a\",\"weight\":3}]}" },
		{ "arguments and unknown members stay",
		    "{\"x\":[1,null],\"priorities\":[{\"name\":\"a\","
		    "\"argument\":{\"labelPreference\":{\"label\":\"\\\"\"}},"
		    "\"y\":2.50,\"weight\":1},{\"name\":\"c\"}],\"z\":true}",
		    "{\"x\":[1,null],\"z\":true,\"priorities\":[{\"name\":"
		    "\"a\",\"weight\":3,\"argument\":{\"labelPreference\":"
		    "{\"label\":\"\\\"\"}},\"y\":2.50},{\"name\":\"c\","
		    "\"weight\":5}]}" },
		{ "those that it does not have follow",
		    "{\"priorities\":[{\"name\":\"c\",\"weight\":1}]}",
		    "{\"priorities\":[{\"name\":\"c\",\"weight\":5},"
		    "{\"name\":\"a\",\"weight\":3}]}" },
		{ "others are left out",
		    "{\"priorities\":[{\"name\":\"b\"},{\"name\":\"d\"},"
		    "{\"name\":\"a\"},{\"name\":\"c\"}]}",
		    "{\"priorities\":[{\"name\":\"a\",\"weight\":3},"
		    "{\"name\":\"c\",\"weight\":5}]}" },
		{ "names in any case",
		    "{\"Priorities\":[{\"Name\":\"a\",\"Weight\":1,"
		    "\"Argument\":{}}]}",
		    "{\"priorities\":[{\"name\":\"a\",\"weight\":3,"
		    "\"Argument\":{}},{\"name\":\"c\",\"weight\":5}]}" },
		{ "the defaults", "{\"predicates\":[]}",
		    "{\"predicates\":[],\"priorities\":[{\"name\":\"a\","
		    "\"weight\":3},{\"name\":\"c\",\"weight\":5}]}" },
		{ "null", "{\"priorities\":null}",
		    "{\"priorities\":[{\"name\":\"a\",\"weight\":3},"
		    "{\"name\":\"c\",\"weight\":5}]}" },
		{ "YAML", "kind: Policy\npriorities:\n- name: a\n- {name: c}\n",
		    "{\"kind\":\"Policy\",\"priorities\":[{\"name\":\"a\","
		    "\"weight\":3},{\"name\":\"c\",\"weight\":5}]}" },
		{ "of a ConfigMap", MAP("{\"priorities\":[{\"name\":\"a\"}]}"),
		    "{\"priorities\":[{\"name\":\"a\",\"weight\":3},"
		    "{\"name\":\"c\",\"weight\":5}]}" },
		{ "what no policy has is left out",
		    "{\"priorities\":[1,{\"name\":2},{},\"a\"]}",
		    "{\"priorities\":[{\"name\":\"a\",\"weight\":3},"
		    "{\"name\":\"c\",\"weight\":5}]}" },
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct text out = { 0 };
		AUTOFREE char *got = NULL;
		struct err err;

		t_int(rows[i].name,
		    policy_reweigh("file", rows[i].text, strlen(rows[i].text),
			LENGTH(weights), weights, &out, &err),
		    0);
		got = squeezed(&out);
		t_str(rows[i].name, got, rows[i].want);
	}
}

#define KIND "{\"kind\":\"KubeSchedulerConfiguration\""
#define SCORE                                                                  \
	"\"score\":{\"disabled\":[{\"name\":\"*\"}],\"enabled\":["             \
	"{\"name\":\"A\",\"weight\":3},{\"name\":\"C\",\"weight\":5}]}"

static void
a_profile_has_exactly_these_plugins(void)
{
	static const struct weighed weights[] = { { "A", 3 }, { "B", 0 },
		{ "C", 5 } };
	static const struct {
		const char *name, *text, *want;
	} rows[] = {
		{ "without profiles", KIND "}",
		    KIND ",\"profiles\":[{\"plugins\":{" SCORE "}}]}" },
		{ "an empty list", KIND ",\"profiles\":[]}",
		    KIND ",\"profiles\":[{\"plugins\":{" SCORE "}}]}" },
		{ "this profile alone",
		    KIND ",\"x\":1,\"profiles\":[{\"schedulerName\":\"a\","
			 "\"plugins\":{\"score\":{\"enabled\":[]}}}]}",
		    KIND ",\"x\":1,\"profiles\":[{\"schedulerName\":\"a\","
			 "\"plugins\":{" SCORE "}}]}" },
		{ "other points stay",
		    KIND ",\"profiles\":[{\"plugins\":{\"filter\":{\"enabled\":"
			 "[{\"name\":\"x\"}]}},\"pluginConfig\":[1]}]}",
		    KIND ",\"profiles\":[{\"pluginConfig\":[1],\"plugins\":{"
			 "\"filter\":{\"enabled\":[{\"name\":\"x\"}]}," SCORE
			 "}}]}" },
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct text out = { 0 };
		AUTOFREE char *got = NULL;
		struct err err;

		t_int(rows[i].name,
		    configuration_reweigh("file", rows[i].text,
			strlen(rows[i].text), 0, LENGTH(weights), weights, &out,
			&err),
		    0);
		got = squeezed(&out);
		t_str(rows[i].name, got, rows[i].want);
	}
}

static void
texts_that_are_none_are_refused(void)
{
	static const struct {
		const char *name, *text, *want;
	} rows[] = {
		{ "nothing", "", "file" },
		{ "a list", "[]", "file: this must be an object" },
		{ "not JSON", "{\"a\":}", "file:1:" },
		{ "a broken policy in a ConfigMap", MAP("{"), "file:1:" },
		{ "a text in a ConfigMap", MAP("x"),
		    "file: this must be an object" },
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct text out = { 0 };
		struct err err = { "" };

		t_int(rows[i].name,
		    policy_reweigh("file", rows[i].text, strlen(rows[i].text),
			0, NULL, &out, &err),
		    -1);
		t_has(rows[i].name, err.text, rows[i].want);
		text_fini(&out);
	}
}

T_MAIN(T(a_policy_has_exactly_these_priorities),
    T(a_profile_has_exactly_these_plugins), T(texts_that_are_none_are_refused))
