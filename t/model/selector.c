/* Labels and selectors. */
#include "config.h"

#include "objects/selector.h"
#include "objects/selector_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/doc.h"
#include "base/err.h"
#include "base/xmalloc.h"
#include "objects/decode.h"
#include "objects/labels.h"
#include "t/lib/t.h"
#include "t/model/messages.h"

#define S64 "abcdefghijabcdefghijabcdefghijabcdefghijabcdefghijabcdefghijabcd"
#define EMPTY_KEY                                                              \
	"invalid label key \"\": name part must be non-empty; name part must " \
	"consist of alphanumeric characters, '-', '_' or '.', and must start " \
	"and end with an alphanumeric character (e.g. 'MyName',  or "          \
	"'my.name',  or '123-abc', regex used for validation is "              \
	"'([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"

static struct arena arena = ARENA_INIT;

/* The document's root; NULL with *doc NULL when it does not parse. */
static const struct doc_node *
parse(const char *text, struct doc **doc)
{
	struct err err = { "" };

	*doc = doc_parse("t", text, strlen(text), &doc_limits_people, &err);
	t_str(text, err.text, "");
	return *doc ? doc_root(*doc) : NULL;
}

static struct labels
make_labels(const char *text)
{
	struct err err = { "" };
	struct doc *doc;
	struct decoder d =
	    decoder_of(&arena, parse(text, &doc), "labels", &err);
	struct labels labels = decode_labels(&d, d.root);

	t_str(text, err.text, "");
	doc_free(doc);
	return labels;
}

/* A document in a one-element array may be any value, null too. */
static struct selector
make(struct selector decode(struct decoder *, const struct doc_node *),
    const char *text)
{
	struct selector s = SELECTOR_EVERYTHING;
	struct err err = { "" };
	struct doc *doc;
	AUTOFREE char *array = xasprintf("[%s]", text);
	const struct doc_node *root = parse(array, &doc);
	struct decoder d;

	if (root) {
		d = decoder_of(&arena, root->first, "s", &err);
		s = decode(&d, d.root);
	}
	t_str(text, err.text, "");
	doc_free(doc);
	return s;
}

static void
labels_are_found_by_key(void)
{
	struct labels few = make_labels("{\"b\": \"2\", \"a\": \"\"}");
	struct labels none = make_labels("{}");
	struct labels many;
	char text[40 * 100] = "{", key[16];

	t_str("a", sym_text(labels_get(&few, sym_intern("a"))), "");
	t_str("b", sym_text(labels_get(&few, sym_intern("b"))), "2");
	t_int("c", labels_get(&few, sym_intern("c")), SYM_NONE);
	t_int("no key", labels_get(&few, SYM_NONE), SYM_NONE);
	t_int("no labels", labels_get(&none, sym_intern("a")), SYM_NONE);
	t_true("all of none", labels_contains(&few, &none));
	t_true("itself", labels_contains(&few, &few));
	t_true("not more", !labels_contains(&none, &few));
	t_true("equal", labels_equal(&few, &few));
	t_true("not equal", !labels_equal(&few, &none));

	for (int i = 100; i-- > 0;)
		snprintf(text + strlen(text), 40, "\"k%d\": \"v%d\"%s", i, i,
		    i > 0 ? "," : "}");
	many = make_labels(text);
	for (int i = 0; i < 100; i++) {
		snprintf(key, sizeof(key), "k%d", i);
		t_str(key, sym_text(labels_get(&many, sym_intern(key))) + 1,
		    key + 1);
	}
	t_int("k100", labels_get(&many, sym_intern("k100")), SYM_NONE);
}

static void
labels_are_strings(void)
{
	struct err err = { "" };
	struct doc *doc;
	struct decoder d = decoder_of(&arena, NULL, "p", &err);

	t_int("null value", make_labels("{\"a\": null}").at[0].value,
	    SYM_EMPTY);
	t_int("absent", decode_labels(&d, NULL).n, 0);
	t_true("absent", !d.failed);
	d = decoder_of(&arena, parse("{\"a\": 1}", &doc), "metadata.labels",
	    &err);
	decode_labels(&d, d.root);
	t_true("number", d.failed);
	t_str("number", err.text,
	    "t:1:7: metadata.labels.a must be a string, not a number");
	doc_free(doc);
	d = decoder_of(&arena, parse("[]", &doc), "p", &err);
	decode_labels(&d, d.root);
	t_true("array", d.failed);
	t_str("array", err.text, "t:1:1: p must be an object, not an array");
	doc_free(doc);
}

/* Against the labels {"a": "1", "n": "42", "e": "", "word": "x"}. */
static void
label_selectors_match(void)
{
	/* clang-format off */
	static const struct {
		const char *text;
		bool want, empty;
	} rows[] = {
		{ "null", 0, 0 },
		{ "{}", 1, 1 },
		{ "{\"matchLabels\": {}, \"matchExpressions\": null}", 1, 1 },
		{ "{\"matchLabels\": {\"a\": \"1\"}}", 1, 0 },
		{ "{\"matchLabels\": {\"a\": \"2\"}}", 0, 0 },
		{ "{\"matchLabels\": {\"e\": null}}", 1, 0 },
		{ "{\"matchLabels\": {\"gone\": \"\"}}", 0, 0 },
		{ "{\"matchLabels\": {\"a\": \"1\"}, \"matchExpressions\": "
		  "[{\"key\": \"n\", \"operator\": \"DoesNotExist\"}]}", 0, 0 },
		{ "{\"matchExpressions\": [{\"key\": \"a\", \"operator\": "
		  "\"In\", \"values\": [\"0\", \"1\"]}]}", 1, 0 },
		{ "{\"matchExpressions\": [{\"key\": \"gone\", \"operator\": "
		  "\"In\", \"values\": [\"\"]}]}", 0, 0 },
		{ "{\"matchExpressions\": [{\"key\": \"a\", \"operator\": "
		  "\"NotIn\", \"values\": [\"0\", \"1\"]}]}", 0, 0 },
		{ "{\"matchExpressions\": [{\"key\": \"gone\", \"operator\": "
		  "\"NotIn\", \"values\": [\"0\"]}]}", 1, 0 },
		{ "{\"matchExpressions\": [{\"key\": \"e\", \"operator\": "
		  "\"Exists\", \"values\": []}]}", 1, 0 },
		{ "{\"matchExpressions\": [{\"key\": \"gone\", \"operator\": "
		  "\"Exists\"}]}", 0, 0 },
		{ "{\"matchExpressions\": [{\"key\": \"gone\", \"operator\": "
		  "\"DoesNotExist\"}]}", 1, 0 },
	};
	/* clang-format on */
	struct labels labels = make_labels("{\"a\": \"1\", \"n\": \"42\","
					   "\"e\": \"\", \"word\": \"x\"}");

	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct selector s = make(decode_label_selector, rows[i].text);

		t_str(rows[i].text, s.error, NULL);
		t_int(rows[i].text, selector_matches(&s, &labels),
		    rows[i].want);
		t_int(rows[i].text, selector_is_empty(&s), rows[i].empty);
	}
}

static void
broken_label_selectors_keep_the_reason(void)
{
	/* clang-format off */
	static const struct {
		const char *text, *want;
	} rows[] = {
		{ "{\"matchExpressions\": [{\"key\": \"gen\", \"operator\": "
		  "\"In\", \"values\": [\"ok\", \"-6\"]}]}",
		  "invalid label value: \"-6\": at key: \"gen\": " LABEL },
		{ "{\"matchLabels\": {\"gen\": \"" S64 "\"}}",
		  "invalid label value: \"" S64 "\": at key: \"gen\": must be "
		  "no more than 63 characters" },
		{ "{\"matchExpressions\": [{\"operator\": \"Exists\"}]}",
		  EMPTY_KEY },
		{ "{\"matchExpressions\": [{\"key\": \"a\", \"operator\": "
		  "\"In\"}]}",
		  "for 'in', 'notin' operators, values set can't be empty" },
		{ "{\"matchExpressions\": [{\"key\": \"a\", \"operator\": "
		  "\"Exists\", \"values\": [\"\"]}]}",
		  "values set must be empty for exists and does not exist" },
		{ "{\"matchExpressions\": [{\"key\": \"a\", \"operator\": "
		  "\"Gt\", \"values\": [\"1\"]}]}",
		  "\"Gt\" is not a valid pod selector operator" },
		{ "{\"matchExpressions\": [null]}",
		  "\"\" is not a valid pod selector operator" },
		/* The first thing that is wrong, labels before expressions. */
		{ "{\"matchExpressions\": [{\"key\": \"a\", \"operator\": "
		  "\"in\"}], \"matchLabels\": {\"a\": \"-6\"}}",
		  "invalid label value: \"-6\": at key: \"a\": " LABEL },
	};
	/* clang-format on */
	struct labels labels = make_labels("{\"a\": \"-6\"}");

	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct selector s = make(decode_label_selector, rows[i].text);

		t_str(rows[i].text, s.error, rows[i].want);
		t_true("matches nothing", !selector_matches(&s, &labels));
		t_true("is not empty", !selector_is_empty(&s));
	}
}

static void
sets_ask_for_every_pair(void)
{
	struct labels labels = make_labels("{\"a\": \"1\", \"b\": \"-2\"}");
	struct labels one = make_labels("{\"a\": \"1\"}");
	struct labels other = make_labels("{\"a\": \"2\"}");
	struct labels invalid = make_labels("{\"a\": \"2\", \"b\": \"-2\"}");
	struct labels none = { 0 };
	struct selector s;

	s = selector_from_set(&arena, &one);
	t_true("a pair that is there", selector_matches(&s, &labels));
	s = selector_from_set(&arena, &other);
	t_true("another value", !selector_matches(&s, &labels));
	s = selector_from_set(&arena, &none);
	t_true("no pairs: everything", selector_is_empty(&s));
	s = selector_from_set(&arena, &invalid);
	t_true("an invalid pair: everything", selector_is_empty(&s));
	s = selector_from_valid_set(&arena, &invalid);
	t_true("not validated", !selector_matches(&s, &labels));
	s = selector_from_valid_set(&arena, &labels);
	t_true("not validated", selector_matches(&s, &labels));
}

/* Each key from the first to the last must be there. */
static struct selector
make_keys(unsigned first, unsigned last)
{
	char *text;
	size_t len;
	FILE *out = open_memstream(&text, &len);
	struct selector s;

	fputs("{\"matchExpressions\": [", out);
	for (unsigned i = first; i <= last; i++)
		fprintf(out, "%s{\"key\": \"k%u\", \"operator\": \"Exists\"}",
		    i == first ? "" : ", ", i);
	fputs("]}", out);
	fclose(out);
	s = make(decode_label_selector, text);
	free(text);
	return s;
}

/* Few and many, which are compared in another way. */
static void
an_intersection_has_each_requirement_once(void)
{
	static const struct {
		const char *name;
		unsigned last[3]; /* of the keys of three selectors */
		unsigned want;
	} rows[] = {
		{ "one", { 3, 0, 0 }, 3 },
		{ "few", { 2, 3, 1 }, 3 },
		{ "up to the limit of few", { 15, 16, 17 }, 17 },
		{ "many", { 100, 300, 200 }, 300 },
		{ "many, then few", { 300, 2, 1 }, 300 },
		{ "few, then many", { 2, 1, 300 }, 300 },
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct selector parts[3], all, want;
		const struct selector *at[3];

		for (size_t j = 0; j < LENGTH(parts); j++) {
			parts[j] = rows[i].last[j] > 0 ?
			    make_keys(1, rows[i].last[j]) :
			    SELECTOR_EVERYTHING;
			at[j] = &parts[j];
		}
		all = selector_and(&arena, LENGTH(parts), at);
		want = make_keys(1, rows[i].want);
		t_int(rows[i].name, all.n, rows[i].want);
		t_true("in their order", selector_equal(&all, &want));
	}
}

static void
an_intersection_matches_what_all_match(void)
{
	struct selector a = make(decode_label_selector,
			    "{\"matchLabels\": {\"a\": \"1\"}}"),
			b = make(decode_label_selector,
			    "{\"matchLabels\": {\"a\": \"2\"}}"),
			nothing = SELECTOR_NOTHING,
			broken = make(decode_label_selector,
			    "{\"matchExpressions\": [null]}"),
			all;
	struct labels labels = make_labels("{\"a\": \"1\"}");

	all = selector_and(&arena, 0, NULL);
	t_true("of none: everything", selector_is_empty(&all));
	all = selector_and(&arena, 1, (const struct selector *const[]){ &a });
	t_true("of one", selector_matches(&all, &labels));
	all =
	    selector_and(&arena, 2, (const struct selector *const[]){ &a, &b });
	t_int("another value is another requirement", all.n, 2);
	t_true("which does not match", !selector_matches(&all, &labels));
	all = selector_and(&arena, 2,
	    (const struct selector *const[]){ &a, &nothing });
	t_true("with one that selects nothing",
	    !selector_matches(&all, &labels));
	all = selector_and(&arena, 2,
	    (const struct selector *const[]){ &a, &broken });
	t_str("with a broken one", all.error, broken.error);
}

static void
gt_and_lt_compare_whole_numbers(void)
{
	/* clang-format off */
	static const struct {
		const char *label, *op, *value;
		bool want;
	} rows[] = {
		{ "5", "Gt", "4", 1 },
		{ "4", "Gt", "4", 0 },
		{ "3", "Gt", "4", 0 },
		{ "3", "Lt", "4", 1 },
		{ "4", "Lt", "4", 0 },
		{ "-5", "Lt", "4", 1 },
		{ "+5", "Gt", "4", 1 },
		{ "005", "Gt", "4", 1 },
		{ "10", "Gt", "9", 1 },
		{ "9223372036854775807", "Gt", "9223372036854775806", 1 },
		{ "-9223372036854775808", "Lt", "0", 1 },
		{ "9223372036854775808", "Gt", "0", 0 },
		{ "-9223372036854775809", "Lt", "0", 0 },
		{ "", "Lt", "4", 0 },
		{ "-", "Lt", "4", 0 },
		{ " 5", "Gt", "4", 0 },
		{ "5.0", "Gt", "4", 0 },
		{ "1e9", "Gt", "4", 0 },
		{ "0x9", "Gt", "4", 0 },
	};
	/* clang-format on */
	struct labels none = { 0 };

	for (size_t i = 0; i < LENGTH(rows); i++) {
		AUTOFREE char *text =
		    xasprintf("[{\"key\": \"k\", "
			      "\"operator\": \"%s\", \"values\": [\"%s\"]}]",
			rows[i].op, rows[i].value);
		AUTOFREE char *wear =
		    xasprintf("{\"k\": \"%s\"}", rows[i].label);
		struct labels labels = make_labels(wear);
		struct selector s = make(decode_node_requirements, text);

		t_str(text, s.error, NULL);
		t_int(wear, selector_matches(&s, &labels), rows[i].want);
		t_true("no key", !selector_matches(&s, &none));
	}
}

static void
broken_node_requirements_keep_the_reason(void)
{
	/* clang-format off */
	static const struct {
		const char *text, *want;
	} rows[] = {
		{ "[{\"key\": \"k\", \"operator\": \"Gt\"}]",
		  "for 'Gt', 'Lt' operators, exactly one value is required" },
		{ "[{\"key\": \"k\", \"operator\": \"Lt\", \"values\": "
		  "[\"1\", \"2\"]}]",
		  "for 'Gt', 'Lt' operators, exactly one value is required" },
		{ "[{\"key\": \"k\", \"operator\": \"Lt\", \"values\": "
		  "[\"1.0\"]}]",
		  "for 'Gt', 'Lt' operators, the value must be an integer" },
		{ "[{\"key\": \"k\", \"operator\": \"Lt\", \"values\": "
		  "[\"-6\"]}]",
		  "invalid label value: \"-6\": at key: \"k\": " LABEL },
		{ "[{\"key\": \"k\", \"operator\": \"equals\"}]",
		  "\"equals\" is not a valid node selector operator" },
		{ "[{\"key\": \"k\", \"operator\": \"Exists\"}, "
		  "{\"key\": \"\", \"operator\": \"Exists\"}]", EMPTY_KEY },
	};
	/* clang-format on */

	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct selector s =
		    make(decode_node_requirements, rows[i].text);

		t_str(rows[i].text, s.error, rows[i].want);
	}
}

static void
absent_and_empty_requirements_select_nothing(void)
{
	t_true("null", make(decode_node_requirements, "null").nothing);
	t_true("[]", make(decode_node_requirements, "[]").nothing);
	t_true("null", make(decode_topology, "null").nothing);
	t_true("[]", make(decode_topology, "[]").nothing);
}

static void
topologies_mean_in(void)
{
	struct labels a = make_labels("{\"zone\": \"a\"}");
	struct labels c = make_labels("{\"zone\": \"c\"}");
	struct selector s = make(decode_topology,
	    "[{\"key\": \"zone\", \"values\": [\"a\", \"b\"]}]");

	t_true("one of the values", selector_matches(&s, &a));
	t_true("none of them", !selector_matches(&s, &c));
	s = make(decode_topology, "[{\"key\": \"zone\"}]");
	t_str("no values", s.error,
	    "for 'in', 'notin' operators, values set can't be empty");
}

#define TERMS(terms) "{\"nodeSelectorTerms\": [" terms "]}"
#define EXPR(key, op, values)                                                  \
	"{\"key\": \"" key "\", \"operator\": \"" op "\", \"values\": "        \
	"[" values "]}"
#define LABELS(e) "{\"matchExpressions\": [" e "]}"
#define FIELDS(e) "{\"matchFields\": [" e "]}"
#define BOTH(l, f) "{\"matchExpressions\": [" l "], \"matchFields\": [" f "]}"

/* On node n1 with the label a=1; fields: with metadata.name, or without. */
static void
node_selectors_match_when_a_term_does(void)
{
	/* clang-format off */
	static const struct {
		const char *text;
		bool with_fields, without;
	} rows[] = {
		{ "null", 0, 0 },
		{ "{}", 0, 0 },
		{ "{\"nodeSelectorTerms\": null}", 0, 0 },
		{ TERMS(""), 0, 0 },
		{ TERMS("null"), 0, 0 },
		{ TERMS("{}"), 0, 0 },
		{ TERMS(LABELS("")), 0, 0 },
		{ TERMS(LABELS(EXPR("a", "In", "\"1\""))), 1, 1 },
		{ TERMS(LABELS(EXPR("a", "In", "\"2\""))), 0, 0 },
		{ TERMS("{}, " LABELS(EXPR("a", "In", "\"1\""))), 1, 1 },
		{ TERMS(LABELS(EXPR("a", "In", "\"1\"") ", "
		    EXPR("b", "Exists", ""))), 0, 0 },
		/* A requirement that makes no sense: the term does not match. */
		{ TERMS(LABELS(EXPR("a", "In", ""))), 0, 0 },
		{ TERMS(LABELS(EXPR("a", "Is", "\"1\""))), 0, 0 },
		{ TERMS(LABELS(EXPR("z", "NotIn", "\"-1\""))), 0, 0 },
		{ TERMS(LABELS(EXPR("a", "In", "") ) ", "
		    LABELS(EXPR("a", "Exists", ""))), 1, 1 },
		{ TERMS(FIELDS(EXPR("metadata.name", "In", "\"n1\""))), 1, 0 },
		{ TERMS(FIELDS(EXPR("metadata.name", "In", "\"n2\""))), 0, 0 },
		{ TERMS(FIELDS(EXPR("metadata.name", "NotIn", "\"n1\""))),
		  0, 1 },
		{ TERMS(FIELDS(EXPR("metadata.name", "NotIn", "\"n2\""))),
		  1, 1 },
		/* One value, no other operator. */
		{ TERMS(FIELDS(EXPR("metadata.name", "In",
		    "\"n1\", \"n2\""))), 0, 0 },
		{ TERMS(FIELDS(EXPR("metadata.name", "NotIn", ""))), 0, 0 },
		{ TERMS(FIELDS(EXPR("metadata.name", "Exists", ""))), 0, 0 },
		/* A field that is not there is "". */
		{ TERMS(FIELDS(EXPR("metadata.name", "In", "\"\""))), 0, 1 },
		{ TERMS(FIELDS(EXPR("a", "In", "\"1\""))), 0, 0 },
		{ TERMS(FIELDS(EXPR("no such/field", "In", "\"\""))), 1, 1 },
		{ TERMS(BOTH(EXPR("a", "Exists", ""),
		    EXPR("metadata.name", "In", "\"n1\""))), 1, 0 },
		{ TERMS(BOTH(EXPR("b", "Exists", ""),
		    EXPR("metadata.name", "In", "\"n1\""))), 0, 0 },
		{ TERMS(BOTH("", EXPR("metadata.name", "In", "\"n1\""))),
		  1, 0 },
	};
	/* clang-format on */
	struct labels labels = make_labels("{\"a\": \"1\"}");
	sym name = sym_intern("n1");

	for (size_t i = 0; i < LENGTH(rows); i++) {
		AUTOFREE char *array = xasprintf("[%s]", rows[i].text);
		struct node_selector s = { 0 };
		struct err err = { "" };
		struct doc *doc;
		const struct doc_node *root = parse(array, &doc);
		struct decoder d;

		if (root) {
			d = decoder_of(&arena, root->first, "s", &err);
			s = decode_node_selector(&d, d.root);
		}
		t_str(rows[i].text, err.text, "");
		doc_free(doc);
		t_int(rows[i].text, node_selector_matches(&s, &labels, name),
		    rows[i].with_fields);
		t_int(rows[i].text,
		    node_selector_matches(&s, &labels, SYM_NONE),
		    rows[i].without);
	}
}

static void
field_errors_are_kept(void)
{
	struct node_selector_term term;
	struct err err;
	struct doc *doc;
	struct decoder d = decoder_of(&arena,
	    parse(FIELDS(EXPR("metadata.name", "In", "\"a\", \"b\"")), &doc),
	    "t", &err);

	term = decode_node_term(&d, d.root);
	t_str("two values", term.fields.error,
	    "unexpected number of value (2) for node field selector operator "
	    "\"In\"");
	doc_free(doc);
	d = decoder_of(&arena,
	    parse(FIELDS(EXPR("metadata.name", "Gt", "\"1\"")), &doc), "t",
	    &err);
	term = decode_node_term(&d, d.root);
	t_str("operator", term.fields.error,
	    "\"Gt\" is not a valid node field selector operator");
	doc_free(doc);
}

static void
wrong_types_are_errors_with_a_position(void)
{
	/* clang-format off */
	static const struct {
		const char *text, *label_selector, *node_selector;
	} rows[] = {
		{ "[]", "t:1:1: s must be an object, not an array",
		  "t:1:1: s must be an object, not an array" },
		{ "{\"matchLabels\": []}",
		  "t:1:17: s.matchLabels must be an object, not an array",
		  NULL },
		{ "{\"matchLabels\": {\"a\": true}}",
		  "t:1:23: s.matchLabels.a must be a string, not a boolean",
		  NULL },
		{ "{\"matchExpressions\": {}}",
		  "t:1:22: s.matchExpressions must be an array, not an object",
		  NULL },
		{ "{\"matchExpressions\": [1]}",
		  "t:1:23: s.matchExpressions[] must be an object, "
		  "not a number", NULL },
		{ "{\"matchExpressions\": [{\"key\": 1}]}",
		  "t:1:31: s.matchExpressions[].key must be a string, "
		  "not a number", NULL },
		{ "{\"matchExpressions\": [{}, {\"values\": [1]}]}",
		  "t:1:39: s.matchExpressions[].values[] must be a string, "
		  "not a number", NULL },
		{ "{\"nodeSelectorTerms\": {}}", NULL,
		  "t:1:23: s.nodeSelectorTerms must be an array, "
		  "not an object" },
		{ "{\"nodeSelectorTerms\": [\"\"]}", NULL,
		  "t:1:24: s.nodeSelectorTerms[] must be an object, "
		  "not a string" },
		{ TERMS(FIELDS("{\"operator\": 1}")), NULL,
		  "t:1:54: s.nodeSelectorTerms[].matchFields[].operator must "
		  "be a string, not a number" },
	};
	/* clang-format on */

	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct err err;
		struct doc *doc;
		const struct doc_node *root = parse(rows[i].text, &doc);
		struct decoder d = decoder_of(&arena, root, "s", &err);

		if (rows[i].label_selector) {
			decode_label_selector(&d, root);
			t_true(rows[i].text, d.failed);
			t_str(rows[i].text, err.text, rows[i].label_selector);
		}
		d.failed = false;
		if (rows[i].node_selector) {
			decode_node_selector(&d, root);
			t_true(rows[i].text, d.failed);
			t_str(rows[i].text, err.text, rows[i].node_selector);
		}
		doc_free(doc);
	}
}

static void
arena_ends(void)
{
	arena_fini(&arena);
	t_true("freed", arena.blocks == NULL);
}

static void
labels_are_read_from_a_text(void)
{
	static const struct {
		const char *text, *want; /* NULL: see error */
		const char *error;
	} rows[] = {
		{ "", "{}", NULL },
		{ " \t ", "{}", NULL },
		{ "a=b", "{\"a\":\"b\"}", NULL },
		{ "type=user-node,region=east",
		    "{\"type\":\"user-node\",\"region\":\"east\"}", NULL },
		{ " a = b , c/d=", "{\"a\":\"b\",\"c/d\":\"\"}", NULL },
		{ "z=1,b=2,a=3,z=4", "{\"z\":\"4\",\"a\":\"3\",\"b\":\"2\"}",
		    NULL },
		{ "a", NULL, "\"a\" is not of the form key=value" },
		{ "a=b,", NULL, "\"\" is not of the form key=value" },
		{ "a!=b", NULL, "\"a!\" is not a valid label key" },
		{ "=b", NULL, "\"\" is not a valid label key" },
		{ "a==b", NULL, "\"=b\" is not a valid label value" },
		{ "a in (b)", NULL,
		    "\"a in (b)\" is not of the form key=value" },
		{ "a=" S64, NULL, "\"" S64 "\" is not a valid label value" },
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct labels got = { 7, NULL }, want;
		struct err err = { "" };
		int result = labels_from_text(&arena, rows[i].text, &got, &err);

		if (rows[i].want == NULL) {
			t_int(rows[i].text, result, -1);
			t_str(rows[i].text, err.text, rows[i].error);
			t_int("untouched", got.n, 7);
			continue;
		}
		want = make_labels(rows[i].want);
		t_int(rows[i].text, result, 0);
		t_true(rows[i].text, labels_equal(&got, &want));
		for (uint32_t j = 1; j < got.n; j++)
			t_true("sorted", got.at[j - 1].key < got.at[j].key);
	}
}

static void
selectors_are_read_from_a_text(void)
{
	static const struct {
		const char *text, *labels;
		bool matches;
		const char *error; /* NULL: none */
	} rows[] = {
		{ "", "{}", true, NULL },
		{ "a=b", "{\"a\":\"b\"}", true, NULL },
		{ "a==b , c", "{\"a\":\"b\",\"c\":\"\"}", true, NULL },
		{ "a=b,c", "{\"a\":\"b\"}", false, NULL },
		{ "a!=b", "{}", true, NULL },
		{ "a!=b", "{\"a\":\"b\"}", false, NULL },
		{ "!a", "{}", true, NULL },
		{ "!a", "{\"a\":\"\"}", false, NULL },
		{ "x/a in (b, c)", "{\"x/a\":\"c\"}", true, NULL },
		{ "a in (b,c)", "{\"a\":\"d\"}", false, NULL },
		{ "a notin (b,c),d=e", "{\"d\":\"e\"}", true, NULL },
		{ "a=", "{\"a\":\"\"}", true, NULL },
		{ "a>4,a<6", "{\"a\":\"5\"}", true, NULL },
		{ "a>4", "{\"a\":\"4\"}", false, NULL },
		{ "in=notin", "{\"in\":\"notin\"}", true, NULL },
		{ "a,", "{}", false, "expected a label key at \"\"" },
		{ "a b", "{}", false, "expected ',' at \"b\"" },
		{ "a in b", "{}", false, "expected '(' at \"b\"" },
		{ "a in (b", "{}", false, "expected ',' or ')' at \"\"" },
		{ "a=b c", "{}", false, "expected ',' at \"c\"" },
		{ "a>x", "{}", false, "expected a whole number at \"\"" },
		{ "a==" S64, "{}", false,
		    "expected a label value at \"" S64 "\"" },
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct labels labels = make_labels(rows[i].labels);
		struct selector s;
		struct err err = { "" };
		int rc = selector_from_text(&arena, rows[i].text, &s, &err);

		t_str(rows[i].text, err.text,
		    rows[i].error != NULL ? rows[i].error : "");
		t_int(rows[i].text, rc, rows[i].error != NULL ? -1 : 0);
		if (rc == 0)
			t_true(rows[i].text,
			    selector_matches(&s, &labels) == rows[i].matches);
	}
}

static void
a_copy_outlives_the_original(void)
{
	static const char *const rows[] = { "null", "{}",
		"{\"matchLabels\":{\"app\":\"a\"}}",
		"{\"matchExpressions\":[{\"key\":\"a\",\"operator\":\"In\","
		"\"values\":[\"b\",\"c\"]}]}",
		"{\"matchExpressions\":[{\"key\":\"a\",\"operator\":\"In\","
		"\"values\":[\"b\",\"d\"]}]}",
		"{\"matchExpressions\":[{\"key\":\"a\",\"operator\":"
		"\"Exists\"}]}",
		"{\"matchExpressions\":[{\"key\":\"a\",\"operator\":"
		"\"Huh\"}]}" };

	for (size_t i = 0; i < LENGTH(rows); i++)
		for (size_t j = 0; j < LENGTH(rows); j++) {
			struct selector a =
			    make(decode_label_selector, rows[i]);
			struct selector b =
			    make(decode_label_selector, rows[j]);
			struct selector copy = selector_copy(&arena, &a);

			t_true(rows[i], selector_equal(&a, &copy));
			t_true(rows[j], copy.n == 0 || copy.at != a.at);
			t_true(rows[j], selector_equal(&copy, &b) == (i == j));
		}
}

T_MAIN(T(labels_are_found_by_key), T(labels_are_strings),
    T(labels_are_read_from_a_text), T(selectors_are_read_from_a_text),
    T(label_selectors_match), T(broken_label_selectors_keep_the_reason),
    T(sets_ask_for_every_pair), T(an_intersection_has_each_requirement_once),
    T(an_intersection_matches_what_all_match),
    T(gt_and_lt_compare_whole_numbers),
    T(broken_node_requirements_keep_the_reason),
    T(absent_and_empty_requirements_select_nothing), T(topologies_mean_in),
    T(node_selectors_match_when_a_term_does), T(field_errors_are_kept),
    T(wrong_types_are_errors_with_a_position), T(a_copy_outlives_the_original),
    T(arena_ends))
