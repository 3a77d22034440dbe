/* JSON and YAML documents: values, positions and errors. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/doc.h"
#include "base/err.h"
#include "base/xmalloc.h"
#include "t/lib/t.h"

static const struct doc_limits small = {
	.bytes = 4096,
	.depth = 5,
	.values = 50,
};

/* A tree as one line, so that a row can hold the expected one. */

struct line {
	char text[2048];
	size_t len;
};

static void
put(struct line *line, const char *text, size_t len)
{
	for (size_t i = 0; i < len && line->len + 5 < sizeof(line->text); i++) {
		if (text[i] == '\0')
			line->text[line->len++] = '\\';
		line->text[line->len++] = text[i] == '\0' ? '0' : text[i];
	}
	line->text[line->len] = '\0';
}

static void
puts_to(struct line *line, const char *text)
{
	put(line, text, strlen(text));
}

static void
show(struct line *line, const struct doc_node *node)
{
	const struct doc_node *child;

	if (node->key != NULL) {
		puts_to(line, node->key);
		puts_to(line, "=");
	}
	switch (node->kind) {
	case DOC_NULL:
		puts_to(line, "null");
		break;
	case DOC_BOOL:
		puts_to(line, node->boolean ? "true" : "false");
		break;
	case DOC_NUMBER:
		put(line, node->text, node->len);
		break;
	case DOC_STRING:
		puts_to(line, "'");
		put(line, node->text, node->len);
		puts_to(line, "'");
		break;
	case DOC_ARRAY:
	case DOC_OBJECT:
		puts_to(line, node->kind == DOC_ARRAY ? "[" : "{");
		for (child = node->first; child != NULL; child = child->next) {
			show(line, child);
			if (child->next != NULL)
				puts_to(line, " ");
		}
		puts_to(line, node->kind == DOC_ARRAY ? "]" : "}");
		break;
	}
}

/* The document, or the error, as one line. */
static const char *
parsed(const char *text, size_t len, const struct doc_limits *limits)
{
	static struct line line;
	struct err err = { "" };
	struct doc *doc = doc_parse("f", text, len, limits, &err);

	line.len = 0;
	if (doc == NULL)
		return strcpy(line.text, err.text);
	show(&line, doc_root(doc));
	doc_free(doc);
	return line.text;
}

struct row {
	const char *name, *text, *want;
};

static void
check_rows(const struct row *rows, size_t n)
{
	for (size_t i = 0; i < n; i++)
		t_str(rows[i].name,
		    parsed(rows[i].text, strlen(rows[i].text), &small),
		    rows[i].want);
}

static void
json_means_what_it_says(void)
{
	static const struct row rows[] = {
		/* clang-format off */
		{ "every kind", " {\"a\": [null, true, false, -1.50e+3, \"x\", {}]}\n",
		    "{a=[null true false -1.50e+3 'x' {}]}" },
		{ "digits stay as written", "[0, -0, 99999999999999999999, 1E400]",
		    "[0 -0 99999999999999999999 1E400]" },
		{ "escapes", "[\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\"]",
		    "['\"\\/\b\f\n\r\t\xc3\xa9']" },
		{ "a NUL in a string", "[\"a\\u0000b\"]", "['a\\0b']" },
		{ "a surrogate pair", "[\"\\ud83d\\ude00\"]",
		    "['\xf0\x9f\x98\x80']" },
		{ "half a pair becomes U+FFFD", "[\"\\ud83dx\", \"\\ude00\"]",
		    "['\xef\xbf\xbdx' '\xef\xbf\xbd']" },
		{ "each byte that is not UTF-8 becomes U+FFFD",
		    "[\"\xff\xc0\xaf\", \"\xed\xa0\x80\\n\", \"\xe2\x82\"]",
		    "['\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd'"
		    " '\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\n'"
		    " '\xef\xbf\xbd\xef\xbf\xbd']" },
		{ "escapes in keys", "{\"\\u0061\": 1}", "{a=1}" },
		{ "the last of equal keys counts",
		    "{\"a\": 1, \"b\": 2, \"a\": 3, \"\\u0061\": 4}",
		    "{b=2 a=4}" },
		{ "a NUL in keys: they differ behind it, too",
		    "{\"a\\u0000b\": 1, \"a\": 2, \"a\\u0000c\": 3, \"a\\u0000b\": 4}",
		    "{a=2 a\xc0\x80" "c=3 a\xc0\x80" "b=4}" },
		{ "bytes that look like such a NUL", "{\"a\xc0\x80\": 1}",
		    "{a\xef\xbf\xbd\xef\xbf\xbd=1}" },
		{ "a byte order mark is passed over", "\xef\xbb\xbf[1]", "[1]" },
		/* clang-format on */
	};

	check_rows(rows, LENGTH(rows));
}

static void
what_is_not_json_is_refused_with_its_place(void)
{
	static const struct row rows[] = {
		/* clang-format off */
		{ "empty", "", "f:1:1: empty document" },
		{ "only white space", " \n ", "f:1:1: empty document" },
		{ "the end is missing", "{\"a\":\n [1", "f:2:4: unexpected end of the text" },
		{ "an open string", "[\"abc", "f:1:6: unexpected end of the text" },
		{ "NaN", "[NaN]", "f:1:2: not a JSON value" },
		{ "Infinity", "[Infinity]", "f:1:2: not a JSON value" },
		{ "-Infinity", "[-Infinity]", "f:1:2: not a JSON value" },
		{ "a point without digits", "[1.]", "f:1:2: not a JSON value" },
		{ "a leading zero", "[01]", "f:1:4: number expected" },
		{ "a plus", "[+1]", "f:1:2: unexpected character" },
		{ "only a minus", "[-]", "f:1:3: number expected" },
		{ "a comma before ]", "[1,]", "f:1:4: a ',' before a closing bracket is not JSON" },
		{ "a comma before }", "{\"a\":1,\n}", "f:2:1: a ',' before a closing bracket is not JSON" },
		{ "two commas", "[1,,2]", "f:1:4: unexpected character" },
		{ "a placeholder", "[<1>]", "f:1:2: a placeholder in '<>' is not JSON" },
		{ "single quotes", "['a']", "f:1:2: unexpected character" },
		{ "a comment", "[1 /* */]", "f:1:4: array value separator ',' expected" },
		{ "True", "[True]", "f:1:2: boolean expected" },
		{ "a tab in a string", "[\"a\tb\"]", "f:1:4: control "
		    "character in a string" },
		{ "an unknown escape", "[\"\\x\"]", "f:1:4: invalid string sequence" },
		{ "a form feed is no white space", "[\f1]", "f:1:2: unexpected character" },
		{ "columns count characters", "[\"\xc3\xa9\xc3\xa9\", x]", "f:1:8: unexpected character" },
		{ "text after it", "{} x", "f:1:4: expected '{', '[' or the end of the text" },
		{ "another document", "{}\n []", "f:2:2: expected one "
		    "document, found another" },
		{ "JSON is not tried as YAML", "{a: 1}", "f:1:2: quoted object property name expected" },
		/* clang-format on */
	};

	check_rows(rows, LENGTH(rows));
}

static void
yaml_scalars_mean_what_they_mean_to_kubernetes(void)
{
	static const struct row rows[] = {
		/* clang-format off */
		{ "null", "- ~\n- null\n- Null\n- NULL\n-\n- nULL", "[null null null null null 'nULL']" },
		{ "true", "- y\n- Yes\n- ON\n- True\n- tRUE", "[true true true true 'tRUE']" },
		{ "false", "- n\n- No\n- OFF\n- FALSE", "[false false false false]" },
		{ "quotes make a string", "- \"yes\"\n- '1'\n- ''\n- |\n  2\n", "['yes' '1' '' '2\n']" },
		{ "integers", "- 12\n- +12\n- -12\n- 1_000\n- 18446744073709551615", "[12 12 -12 1000 18446744073709551615]" },
		{ "hexadecimal", "- 0x1F\n- -0xf\n- 0x", "[31 -15 '0x']" },
		{ "octal", "- 010\n- 0o10\n- 08", "[8 '0o10' 8]" },
		{ "binary", "- 0b101\n- -0b11\n- +0b1\n- 0b2", "[5 -3 '+0b1' '0b2']" },
		{ "floats", "- .5\n- 5.\n- 1e3\n- +.5e-3\n- -00.5\n- 1e999", "[0.5 5 1e3 0.5e-3 -0.5 '1e999']" },
		{ "too big for an integer", "- 99999999999999999999", "[99999999999999999999]" },
		{ "no base 60 and no dates", "- 1:30\n- 2001-01-01", "['1:30' '2001-01-01']" },
		{ "tags", "- !!str 1\n- !!int '0x10'\n- !!float 1\n- !mine 1\n- ! 1\n- !!null ''", "['1' 16 1 '1' '1' null]" },
		{ "a tag that does not fit", "!!bool maybe", "f:1:1: \"maybe\" is not a !!bool" },
		{ "!!binary", "!!binary aGk=", "f:1:1: !!binary is not supported" },
		{ "infinity has no JSON form", "a: .inf", "f:1:4: .inf has no meaning in JSON" },
		{ "not a number has no JSON form", "a: .NaN", "f:1:4: .NaN has no meaning in JSON" },
		{ "keys become strings", "on: 1\n0x10: 2\n1.50: 3\n1e6: 4\n100000.0: 5\nk: 6", "{true=1 16=2 1.5=3 1e+06=4 100000=5 k=6}" },
		{ "a key of null", "~: 1", "f:1:1: a key must not be null" },
		{ "a key of an array", "? [a]\n: 1", "f:1:3: a key must not be an array" },
		{ "a key of an object", "? {a: 1}\n: 1", "f:1:3: a key must not be an object" },
		{ "a key with NUL", "\"a\\0\": 1", "{a\xc0\x80=1}" },
		{ "NUL in a string", "a: \"\\0\"", "{a='\\0'}" },
		/* clang-format on */
	};

	check_rows(rows, LENGTH(rows));
}

static void
yaml_anchors_and_merges_are_followed(void)
{
	static const struct row rows[] = {
		/* clang-format off */
		{ "an alias is a copy", "a: &x {b: [1]}\nc: *x", "{a={b=[1]} c={b=[1]}}" },
		{ "an alias of a key", "&x a: *x", "{a='a'}" },
		{ "an alias as a key", "- &x a\n- *x : 1", "['a' {a=1}]" },
		{ "the last anchor of a name", "- &x 1\n- &x 2\n- *x", "[1 2 2]" },
		{ "no such anchor", "a: *x", "f:1:4: unknown anchor \"x\"" },
		{ "within itself", "a: &x\n  - *x", "f:2:5: the value of anchor \"x\" contains itself" },
		{ "anchors end with their document", "&x 1\n--- \n*x", "f:3:1: unknown anchor \"x\"" },
		{ "<< before a key gives way", "- &x {a: 1, b: 2}\n- <<: *x\n  a: 3", "[{a=1 b=2} {b=2 a=3}]" },
		{ "<< after a key replaces", "- &x {a: 1}\n- a: 3\n  <<: *x", "[{a=1} {a=1}]" },
		{ "<< with several: the first counts", "<<: [{a: 1}, {a: 2, b: 2}]", "{b=2 a=1}" },
		{ "<< of a number", "<<: 1", "f:1:5: \"<<\" needs an object or an array of objects, not a number" },
		{ "\"<<\" in quotes is a key", "\"<<\": 1", "{<<=1}" },
		/* clang-format on */
	};

	check_rows(rows, LENGTH(rows));
}

static void
what_is_not_yaml_is_refused_with_its_place(void)
{
	static const struct row rows[] = {
		/* clang-format off */
		{ "only a comment", "# nothing\n", "f:1:1: empty document" },
		{ "an open bracket", "a: [1", "f:2:1: did not find expected ',' or ']' while parsing a flow sequence; is a ',' or a ']' missing?" },
		{ "a tab", "a:\n\t- b", "f:2:1: a tab cannot indent YAML; use blanks" },
		{ "two colons", "a: b: c", "f:1:5: mapping values are not allowed in this context; is a line indented too far, or a text with ': ' not in quotes?" },
		{ "not UTF-8", "a: \xc3\xa9\nb: \xff", "f:2:4: invalid leading UTF-8 octet" },
		{ "two documents", "a: 1\n---\nb: 2", "f:3:1: expected one "
		    "document, found another" },
		{ "empty documents do not count", "---\n# x\n---\na: 1\n...\n---\n", "{a=1}" },
		/* clang-format on */
	};

	check_rows(rows, LENGTH(rows));
}

static void
values_know_their_place(void)
{
	static const struct {
		const char *name, *text;
		unsigned line, column; /* of b's value */
	} rows[] = {
		{ "JSON", "{\n  \"a\": 1, \"b\": 2}", 2, 16 },
		{ "JSON, a wide key", "{\"\xc3\xa9\": 1,\"b\":[]}", 1, 13 },
		{ "JSON after a mark", "\xef\xbb\xbf{\"b\":[]}", 1, 6 },
		{ "YAML", "a: 1\nb:  x", 2, 5 },
		{ "YAML block", "a: 1\nb:\n  - 1", 3, 3 },
		{ "an alias is at its value", "a: &x 1\nb: *x", 1, 4 },
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct err err = { "" };
		struct doc *doc = doc_parse("f", rows[i].text,
		    strlen(rows[i].text), &small, &err);
		const struct doc_node *b;

		if (!t_true(rows[i].name, doc != NULL))
			continue;
		b = doc_member(doc_root(doc), "b");
		if (t_true(rows[i].name, b != NULL)) {
			t_int(rows[i].name, b->line, rows[i].line);
			t_int(rows[i].name, b->column, rows[i].column);
			t_true(rows[i].name, b->doc == doc);
		}
		t_str(rows[i].name, doc_name(doc), "f");
		doc_free(doc);
	}
}

/* Arrays of one name, but no other values of that name. */
static void
arrays_that_no_decoder_reads_are_left_out(void)
{
	static const struct row rows[] = {
		/* clang-format off */
		{ "an array", "{\"a\":1,\"x\":[{\"b\":\"]\"}],\"c\":2}", "{a=1 c=2}" },
		{ "alone", "{\"x\":[]}", "{}" },
		{ "last", "{\"a\":{\"x\":[1]\n}}", "{a={}}" },
		{ "a string", "{\"a\":{\"x\":\"y\"}}", "{a={x='y'}}" },
		{ "an object", "{\"x\":{\"y\":[1]}}", "{x={y=[1]}}" },
		{ "another name", "{\"xx\":[1]}", "{xx=[1]}" },
		{ "no JSON", "{\"x\":[1,]}",
		    "f:1:9: a ',' before a closing bracket is not JSON" },
		{ "not closed", "{\"x\":[1",
		    "f:1:8: unexpected end of the text" },
		{ "deep", "{\"x\":[[[[[1]]]]]}", "{}" },
		{ "an error behind it", "{\"x\":[\"\303\244\",\n1],\"a\":NaN}",
		    "f:2:8: not a JSON value" },
		/* clang-format on */
	};
	struct doc_limits limits = small;

	limits.leave_out = "x";
	for (size_t i = 0; i < LENGTH(rows); i++)
		t_str(rows[i].name,
		    parsed(rows[i].text, strlen(rows[i].text), &limits),
		    rows[i].want);
}

static const struct doc_field some_fields[] = {
	{ .key = "a" },
	{ .key = "b",
	    .within =
		(const struct doc_field[]){ { .key = "c" }, { .key = NULL } } },
	{ .key = NULL },
};

/* In parts that are not read only the brackets must match. */
static void
only_some_fields_are_read(void)
{
	static const struct row rows[] = {
		/* clang-format off */
		{ "of objects", "{\"x\":1,\"a\":{\"x\":1},\"b\":{\"x\":[2],\"c\":3,\"a\":4},\"y\":\"}\"}",
		    "{a={x=1} b={c=3}}" },
		{ "of each element", "{\"b\":[{\"c\":1,\"d\":2},{\"d\":3},[{\"c\":4}],5]}",
		    "{b=[{c=1} {} [{c=4}] 5]}" },
		{ "no other value", "{\"b\":\"c\"}", "{b='c'}" },
		{ "the rest is deep, or no JSON", "{\"x\":[[[[[[{}]]]]]],\"y\":NaN,\"z\":{1 2},\"a\":1}",
		    "{a=1}" },
		{ "a NUL does not end a key", "{\"a\\u0000\":1,\"\\u0000a\":2}", "{}" },
		{ "an error in what is read", "{\"x\":\n{},\"a\":NaN}", "f:2:8: not a JSON value" },
		{ "an odd string", "{\"a\":\"\\x\"}", "f:1:6: invalid string" },
		{ "not closed", "{\"x\":[1", "f:1:8: unexpected end of the text" },
		{ "brackets that do not match", "{\"x\":[1}]}", "f:1:8: expected ']'" },
		/* clang-format on */
	};
	struct doc_limits limits = small;
	struct line line = { 0 };
	struct doc *doc;

	limits.fields = some_fields;
	for (size_t i = 0; i < LENGTH(rows); i++)
		t_str(rows[i].name,
		    parsed(rows[i].text, strlen(rows[i].text), &limits),
		    rows[i].want);
	for (size_t i = 0; i < 3; i++) {
		doc = doc_parse("f", rows[i].text, strlen(rows[i].text), &small,
		    NULL);
		doc_prune(doc, doc_root(doc), some_fields);
		line.len = 0;
		show(&line, doc_root(doc));
		t_str("taken out afterwards", line.text, rows[i].want);
		doc_free(doc);
	}
}

/* Elements of a list that are broken do not hide those behind them. */
static void
a_broken_element_can_be_passed_over(void)
{
	static const struct {
		const char *name, *text, *want;
		unsigned broken;
	} rows[] = {
		/* clang-format off */
		{ "none", "{\"items\":[{\"a\":1},{\"a\":2}]}", "12", 0 },
		{ "first", "{\"items\":[{\"a\":NaN},{\"a\":2}]}", "2", 1 },
		{ "last", "{\"items\":[{\"a\":1},{\"a\" 2}]}{\"a\":3}", "13", 1 },
		{ "too deep", "{\"items\":[{\"a\":1},[[[[[{}]]]]],{\"a\":2}]}", "12", 1 },
		{ "all", "{\"items\":[x, {y}\n,\"\\x\"],\"kind\":\"List\"} {\"a\":4}", "4", 3 },
		{ "nothing between commas", "{\"items\":[,{\"a\":1},,]}", "1", 3 },
		{ "no commas", "{\"items\":[{\"a\":1} {\"a\":2}]}", "1!", 0 },
		{ "no list", "{\"a\":1} {\"a\":x}", "1!", 0 },
		/* clang-format on */
	};
	const struct doc_node *root;
	struct doc_reader *reader;
	struct err err;
	char got[16];
	unsigned broken;
	int result;

	for (size_t i = 0; i < LENGTH(rows); i++) {
		broken = 0;
		got[0] = '\0';
		reader = doc_open_text("f", rows[i].text, strlen(rows[i].text),
		    &small, true);
		while ((result = doc_next(reader, &root, &err)) != 0) {
			if (result == 1)
				strcat(got, doc_member(root, "a")->text);
			else if (doc_pass_over(reader))
				broken++;
			else
				break;
		}
		if (result < 0)
			strcat(got, "!");
		t_str(rows[i].name, got, rows[i].want);
		t_int(rows[i].name, broken, rows[i].broken);
		doc_close(reader);
	}
}

/* All documents of a text, the kinds of their lists and their duplicates. */
static const char *
read_all(const char *text, size_t len, bool lists,
    const struct doc_limits *limits)
{
	static struct line line;
	struct err err = { "" };
	const struct doc_node *root, *twice;
	struct doc_reader *reader =
	    doc_open_text("f", text, len, limits, lists);
	size_t i;
	int result;

	line.len = 0;
	line.text[0] = '\0';
	while ((result = doc_next(reader, &root, &err)) == 1) {
		if (line.len > 0)
			puts_to(&line, " ");
		if (*doc_item_kind(reader) != '\0') {
			puts_to(&line, doc_item_kind(reader));
			puts_to(&line, ":");
		}
		show(&line, root);
		for (i = 0; (twice = doc_duplicate(root->doc, i)); i++) {
			puts_to(&line, " twice ");
			puts_to(&line, twice->key);
		}
	}
	if (result < 0) {
		puts_to(&line, " ");
		puts_to(&line, err.text);
	}
	t_int("after the end or an error there is no more",
	    doc_next(reader, &root, &err), 0);
	doc_close(reader);
	return line.text;
}

static void
a_stream_yields_its_documents(void)
{
	static const struct row rows[] = {
		/* clang-format off */
		{ "nothing", "", "" },
		{ "JSON", "{\"a\":1}[2]\n{}\n", "{a=1} [2] {}" },
		{ "YAML", "a: 1\n---\n---\n- 2\n...\n# end\n", "{a=1} [2]" },
		{ "an explicit null is a document", "--- ~\n--- 1\n", "null 1" },
		{ "an error comes in its turn", "{} {\"a\"}", "{} f:1:8: object property name separator ':' expected" },
		{ "an error comes in its turn", "a: 1\n---\nb: [\n", "{a=1} f:4:1: did not find expected node content while parsing a flow node; is a ',' too many, or a bracket not closed?" },
		{ "lists stay whole", "{\"items\":[1]}", "{items=[1]}" },
		/* clang-format on */
	};

	for (size_t i = 0; i < LENGTH(rows); i++)
		t_str(rows[i].name,
		    read_all(rows[i].text, strlen(rows[i].text), false, &small),
		    rows[i].want);
}

static void
a_list_yields_its_elements(void)
{
	static const struct row rows[] = {
		/* clang-format off */
		{ "kind before", "{\"kind\":\"NodeList\",\"items\":[{\"a\":1},{}],\"x\":{}}", "Node:{a=1} Node:{}" },
		{ "kind after", "{\"items\":[1, [2] ,\"]\\\"\"],\"kind\":\"PodList\"}", "Pod:1 Pod:[2] Pod:']\"'" },
		{ "plain list", "{\"kind\":\"List\",\"items\":[1]} {\"a\":2}", "1 {a=2}" },
		{ "no kind", "{\"items\":[1]}", "1" },
		{ "another kind", "{\"kind\":\"Pod\",\"items\":[1]}", "{kind='Pod' items=[1]}" },
		{ "kind is no string", "{\"kind\":1,\"items\":[1]}", "{kind=1 items=[1]}" },
		{ "items is no array", "{\"items\":{}}", "{items={}}" },
		{ "items is null", "{\"kind\":\"PodList\",\"items\":null}", "" },
		{ "items is null without a kind", "{\"items\":null}", "{items=null}" },
		{ "empty", "{\"items\":[ ]}{\"a\":1}", "{a=1}" },
		{ "two lists", "{\"kind\":\"AList\",\"items\":[1]}{\"kind\":\"BList\",\"items\":[2]}", "A:1 B:2" },
		{ "a list within a list", "{\"items\":[{\"kind\":\"PodList\",\"items\":[1]},2]}", "Pod:1 2" },
		{ "an element without kind is no list", "{\"items\":[{\"items\":[1]}]}", "{items=[1]}" },
		{ "not an array of lists", "[{\"items\":[1]}]", "[{items=[1]}]" },
		{ "escaped items", "{\"\\u0069tems\":[1]}", "1" },
		{ "duplicates of one element", "{\"items\":[{\"a\":1,\"a\":2},{\"b\":1}]}", "{a=2} twice a {b=1}" },
		{ "cut off", "{\"items\":[1,2", " f:1:14: unexpected end of the text" },
		{ "brackets that do not match", "{\"items\":[1,{]}", " f:1:14: expected '}'" },
		{ "something else is no JSON", "{\"items\":[1],\"x\":y}", " f:1:18: unexpected character" },
		{ "null that is not null", "{\"items\":nullx,\"kind\":\"List\"}", " f:1:14: expected ',' or '}'" },
		{ "an element is no JSON", "{\"items\":[1,\nx]}", "1 f:2:1: unexpected character" },
		{ "text between elements", "{\"items\":[1 2]}", "1 f:1:13: expected ',' or ']'" },
		{ "no comma before ]", "{\"items\":[1,]}", "1 f:1:13: a ',' before a closing bracket is not JSON" },
		{ "an element nested too deep", "{\"items\":[[[[[]]]]]}", " f:1:14: nested more than 5 levels deep" },
		{ "YAML", "kind: NodeList\nitems:\n- a: 1\n- {}\n", "Node:{a=1} Node:{}" },
		{ "YAML, plain list and more", "items: [1]\nkind: List\n---\na: 1", "1 {a=1}" },
		{ "YAML, items is null", "kind: NodeList\nitems:\n", "" },
		{ "YAML, lists within lists", "items:\n- kind: AList\n  items: [1, 2]\n- 3", "A:1 A:2 3" },
		{ "YAML, duplicates of one element", "items:\n- kind: AList\n  items: [{a: 1, a: 2}, {b: 1}]\n- c: 1\n  c: 2", "A:{a=2} twice a A:{b=1} {c=2} twice c" },
		/* clang-format on */
	};

	for (size_t i = 0; i < LENGTH(rows); i++)
		t_str(rows[i].name,
		    read_all(rows[i].text, strlen(rows[i].text), true, &small),
		    rows[i].want);
}

static void
elements_know_their_place_in_the_list(void)
{
	const char *text = "{\"items\":[\n {\"a\": 1},\n  {\"a\": 2}\n],"
			   "\"kind\":\"List\"}\n {\"a\": 3}";
	static const unsigned want[][2] = { { 2, 8 }, { 3, 9 }, { 5, 8 } };
	struct doc_reader *reader =
	    doc_open_text("f", text, strlen(text), &small, true);
	const struct doc_node *root;
	struct err err;
	size_t i = 0;

	for (; doc_next(reader, &root, &err) == 1 && i < LENGTH(want); i++) {
		t_int("line", doc_member(root, "a")->line, want[i][0]);
		t_int("column", doc_member(root, "a")->column, want[i][1]);
	}
	t_int("all", i, LENGTH(want));
	doc_close(reader);
}

static void
repeated_keys_are_told(void)
{
	static const char *const texts[] = {
		"{\"a\": 1, \"b\": {\"c\": 1, \"c\": 2},\n \"a\": 3}",
		"a: 1\nb: {c: 1, c: 2}\na: 3",
	};
	char *big = xmalloc(1 << 16);
	size_t len;
	struct doc *doc;

	for (size_t i = 0; i < LENGTH(texts); i++) {
		doc = doc_parse("f", texts[i], strlen(texts[i]), &small, NULL);
		if (!t_true(texts[i], doc != NULL))
			continue;
		t_str("the inner", doc_duplicate(doc, 0)->key, "c");
		t_str("its later value", doc_duplicate(doc, 0)->text, "2");
		t_str("the outer", doc_duplicate(doc, 1)->key, "a");
		t_true("no more", doc_duplicate(doc, 2) == NULL);
		t_int("counted once", doc_root(doc)->count, 2);
		doc_free(doc);
	}

	len = (size_t)sprintf(big, "{\"k7\": \"first\"");
	for (int i = 0; i < 1000; i++)
		len += (size_t)sprintf(big + len, ", \"k%d\": %d", i, i);
	len += (size_t)sprintf(big + len, "}");
	doc = doc_parse("f", big, len, &doc_limits_people, NULL);
	t_int("many keys", doc_root(doc)->count, 1000);
	t_str("many keys", doc_duplicate(doc, 0)->key, "k7");
	t_true("many keys", doc_duplicate(doc, 1) == NULL);
	t_str("many keys", doc_member(doc_root(doc), "k7")->text, "7");
	doc_free(doc);
	free(big);
}

static char *
repeat(const char *before, const char *s, size_t n, size_t *len)
{
	size_t one = strlen(s);
	char *text;

	*len = strlen(before) + n * one;
	text = xmalloc(*len + 1);
	strcpy(text, before);
	for (size_t i = 0; i < n; i++)
		memcpy(text + strlen(before) + i * one, s, one);
	return text;
}

static void
limits_hold(void)
{
	static const struct {
		const char *name, *before, *s;
		size_t n;
		const char *want;
	} rows[] = {
		/* clang-format off */
		{ "as deep as allowed", "", "[", 5, " f:1:6: unexpected end of the text" },
		{ "too deep", "", "[", 7, " f:1:6: nested more than 5 levels deep" },
		{ "much too deep", "", "[", 4000, " f:1:6: nested more than 5 levels deep" },
		{ "too deep, objects", "", "{\"a\":", 6, " f:1:31: unexpected end of the text" },
		{ "too deep in a list", "{\"items\":", "[", 4000, " f:1:4010: unexpected end of the text" },
		{ "too deep, YAML", "a: ", "[", 4000, " f:1:8: nested more than 5 levels deep" },
		{ "too deep, YAML block", "", "- ", 2000, " f:1:11: nested more than 5 levels deep" },
		{ "too many values", "[0", ",0", 50, " f:1:103: unexpected end of the text" },
		{ "too many values, YAML", "", "- 0\n", 50, " f:50:3: more than 50 values in one document" },
		{ "too many bytes", "", "         ", 456, " f: 4104 bytes "
		    "exceed the limit of 4096" },
		/* clang-format on */
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		size_t len;
		AUTOFREE char *text =
		    repeat(rows[i].before, rows[i].s, rows[i].n, &len);

		t_str(rows[i].name, read_all(text, len, true, &small),
		    rows[i].want);
	}
	t_str("too many values",
	    parsed("[0,0,0]", 7,
		&(struct doc_limits){ .bytes = 9, .depth = 9, .values = 3 }),
	    "f:1:6: more than 3 values in one document");
}

static void
an_alias_bomb_is_refused(void)
{
	char text[4096];
	size_t len = (size_t)sprintf(text, "a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n");

	for (int i = 1; i < 12; i++)
		len += (size_t)sprintf(text + len,
		    "a%d: &a%d [*a%d,*a%d,*a%d,*a%d,*a%d,*a%d,*a%d,*a%d]\n", i,
		    i, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1);
	t_str("small limit", parsed(text, len, &small),
	    "f:2:22: more than 50 values in one document, aliases followed");
	t_has("big limit", parsed(text, len, &doc_limits_dump),
	    ": more than 2000000 values in one document, aliases followed");
	t_str("an alias that goes too deep",
	    parsed("- &a [[[1]]]\n- [[*a]]", 21, &small),
	    "f:2:5: nested more than 5 levels deep");
}

/* In a buffer of exactly its size, so that the sanitizer sees overruns. */
static void
read_exact(const char *text, size_t len)
{
	AUTOFREE char *copy = xmalloc(len);

	memcpy(copy, text, len);
	read_all(copy, len, true, &small);
	read_all(copy, len, false, &small);
}

static void
text_cut_anywhere_does_no_harm(void)
{
	static const char *const texts[] = {
		"\xef\xbb\xbf{\"kind\": \"NodeList\", \"items\": [{"
		"\"a\": -1.5e+3, \"b\\u00e9\\ud83d\\ude00\": \"\\\\\xc3\xa9\"},"
		" [true, null], {\"a\":1,\"a\":false}], \"m\": {\"x\":[]}} [1]",
		"# c\n%YAML 1.1\n---\nkind: NodeList\nitems:\n"
		"- &x {a: 0x1F, b: y}\n"
		"- <<: [*x, {q: .5}]\n  ? \"k\\n\"\n  : !!int '1'\n"
		"- |\n  text\n- >-\n  more\n...\n--- é\n",
		"base: &x {a: 1}\nuse: {<<: *x, b: \"\\u00e9\"}\n---\n- 'i''s'",
	};

	for (size_t i = 0; i < LENGTH(texts); i++)
		for (size_t len = 0; len <= strlen(texts[i]); len++)
			read_exact(texts[i], len);
	t_str("uncut it is good",
	    read_all(texts[0], strlen(texts[0]), true, &small),
	    "Node:{a=-1.5e+3 b\xc3\xa9\xf0\x9f\x98\x80='\\\xc3\xa9'} "
	    "Node:[true null] Node:{a=false} twice a [1]");
	t_str("uncut it is good",
	    read_all(texts[1], strlen(texts[1]), true, &small),
	    "Node:{a=31 b=true} Node:{q=0.5 a=31 b=true k\n=1}"
	    " Node:'text\n' Node:'more' '\xc3\xa9'");
}

static void
a_nul_byte_is_refused(void)
{
	t_str("JSON", parsed("[1,\n\0]", 6, &small),
	    "f:2:1: not JSON or YAML: there is a NUL byte");
	t_str("YAML", parsed("a: \0", 4, &small),
	    "f:1:4: not JSON or YAML: there is a NUL byte");
}

/* The error of opening or reading a file with this content, or "". */
static const char *
file_error(const char *content, size_t len, const struct doc_limits *limits)
{
	static struct err err;
	char path[] = "doc-test-XXXXXX";
	int fd = mkstemp(path);
	struct doc_reader *reader;
	const struct doc_node *root;
	int result = 1;

	err.text[0] = '\0';
	if (fd < 0 || write(fd, content, len) != (ssize_t)len ||
	    ftruncate(fd, len > 0 ? (off_t)len : (off_t)1 << 30) != 0)
		return "cannot write";
	close(fd);
	reader = doc_open_file(path, limits, true, &err);
	while (reader != NULL && result == 1)
		result = doc_next(reader, &root, &err);
	doc_close(reader);
	unlink(path);
	/* Without the name, which is different each time. */
	if (strncmp(err.text, path, strlen(path)) == 0)
		return err.text + strlen(path);
	return err.text;
}

static void
files_are_read_and_refused(void)
{
	struct err err = { "" };
	struct doc_reader *reader;
	const struct doc_node *root;

	t_str("a good one", file_error("{}", 2, &small), "");
	t_str("a bad one", file_error("{}\n]", 4, &small),
	    ":2:1: expected '{', '[' or the end of the text");
	t_str("binary", file_error("a\0b", 3, &small),
	    ":1:2: not JSON or YAML: there is a NUL byte");
	t_str("1 GiB", file_error("", 0, &doc_limits_people),
	    ": larger than the limit of 67108864 bytes");
	t_true("none",
	    doc_open_file("/nowhere/x", &small, false, &err) == NULL);
	t_str("none", err.text, "open /nowhere/x: no such file or directory");
	t_true("a directory", doc_open_file("/", &small, false, &err) == NULL);
	t_str("a directory", err.text, "read /: is a directory");
	reader = doc_open_file("/dev/null", &small, false, &err);
	if (t_true("/dev/null", reader != NULL))
		t_int("/dev/null", doc_next(reader, &root, &err), 0);
	doc_close(reader);
}

/* In KiB, at its peak. */
static long
resident(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return usage.ru_maxrss;
}

static void
a_large_dump_is_not_in_memory_as_a_whole(void)
{
	char path[] = "/tmp/doc.XXXXXX", element[1000];
	int fd = mkstemp(path);
	FILE *file = fdopen(fd, "w");
	long before = resident();
	unsigned n = 0;
	struct doc_reader *reader;
	const struct doc_node *root;
	struct err err = { "" };

	memset(element, 'x', sizeof(element));
	fputs("{\"items\":[", file);
	for (unsigned i = 0; i < 64 * 1024; i++)
		fprintf(file, "%s{\"%.*s\":%u}", i > 0 ? "," : "",
		    (int)sizeof(element), element, i);
	fputs("]}", file);
	fclose(file);
	reader = doc_open_file(path, &doc_limits_dump, true, &err);
	while (reader != NULL && doc_next(reader, &root, &err) == 1)
		n++;
	t_str("no error", err.text, "");
	t_int("all elements", n, 64 * 1024);
	t_true("64 MiB in less than 32", resident() - before < 32 * 1024);
	doc_close(reader);
	unlink(path);
}

static void
getters_say_what_is_wrong(void)
{
	const char *text = "{\"s\": \"x\", \"i\": 3, \"b\": true, \"a\": [],\n"
			   " \"o\": {}, \"n\": null, \"p\": \"<1>\", "
			   "\"c\": \"1,\"}";
	struct doc *doc =
	    doc_parse("pods.json", text, strlen(text), &small, NULL);
	const struct doc_node *root = doc_root(doc), *node = NULL;
	const char *s = "before";
	int64_t i = -1;
	int32_t third = 0;
	uint32_t count = 0;
	bool b = false;
	struct err err;

	t_int("string", doc_get_string(root, "s", "x.s", &s, &err), 0);
	t_str("string", s, "x");
	t_int("int", doc_get_int(root, "i", "x.i", 0, 3, &i, &err), 0);
	t_int("int", i, 3);
	t_int("bool", doc_get_bool(root, "b", "x.b", &b, &err), 0);
	t_int("bool", b, true);
	t_int("array", doc_get_array(root, "a", "x.a", &node, &err), 0);
	t_true("array", node == doc_member(root, "a"));
	t_int("object", doc_get_object(root, "o", "x.o", &node, &err), 0);
	t_true("object", node == doc_member(root, "o"));

	t_int("absent", doc_get_string(root, "-", "x", &s, &err), 0);
	t_int("null", doc_get_string(root, "n", "x", &s, &err), 0);
	t_int("no object", doc_get_string(node->first, "n", "x", &s, &err), 0);
	t_str("absent or null leaves it", s, "x");
	t_true("a member that is null", doc_member(root, "n") != NULL);
	t_true("counts as absent", doc_get(root, "n") == NULL);

	t_int("wrong", doc_get_string(root, "i", "spec.i", &s, &err), -1);
	t_str("wrong", err.text,
	    "pods.json:1:17: spec.i must be a string, not a number");
	t_int("wrong", doc_get_int(root, "s", "spec.s", 0, 9, &i, &err), -1);
	t_str("wrong", err.text,
	    "pods.json:1:7: spec.s must be a number, not a string");
	t_int("wrong", doc_get_int(root, "p", "spec.p", 0, 9, &i, &err), -1);
	t_str("wrong", err.text,
	    "pods.json:2:27: spec.p must be a number, not a placeholder in '<>'");
	t_int("wrong", doc_get_int(root, "c", "spec.c", 0, 9, &i, &err), -1);
	t_str("wrong", err.text,
	    "pods.json:2:39: spec.c must be a number, not a string with ',' at its end");
	t_int("wrong", doc_get_bool(root, "o", "o", &b, &err), -1);
	t_str("wrong", err.text,
	    "pods.json:2:7: o must be a boolean, not an object");
	t_int("wrong", doc_get_array(root, "b", "b", &node, &err), -1);
	t_int("wrong", doc_get_object(root, "a", "a", &node, NULL), -1);
	t_int("wrong leaves it", i, 3);

	t_int("members",
	    doc_get_members(root, "x.", &err, "s:s i:d3 b:b -:s", &s, &i, &b,
		&s),
	    0);
	t_str("members", s, "x");
	t_int("members", i, 3);
	t_int("members",
	    doc_get_members(root, "x.", &err, "i:i i:u", &third, &count), 0);
	t_int("members", third, 3);
	t_int("members", (int64_t)count, 3);
	t_int("too large",
	    doc_get_members(root, "x.", &err, "b:b i:d2", &b, &i), -1);
	t_has("too large", err.text, "x.i must be");
	t_int("wrong", doc_get_members(root, "x.", &err, "i:s", &s), -1);
	t_has("wrong", err.text, "x.i must be a string, not a number");
	doc_free(doc);
}

static void
whole_numbers_are_read_exactly(void)
{
	static const struct {
		const char *text;
		int64_t want;
		const char *err; /* after "x must be " */
	} rows[] = {
		/* clang-format off */
		{ "9223372036854775807", INT64_MAX, NULL },
		{ "-9223372036854775808", INT64_MIN, NULL },
		{ "-0", 0, NULL },
		{ "1.0", 1, NULL },
		{ "1e3", 1000, NULL },
		{ "1.25E+2", 125, NULL },
		{ "12000e-3", 12, NULL },
		{ "0.000e99999999999999999999", 0, NULL },
		{ "1.5", 0, "a whole number, not 1.5" },
		{ "1e-1", 0, "a whole number, not 1e-1" },
		{ "9223372036854775808", 0, "between -9223372036854775808 and"
		    " 9223372036854775807, not 9223372036854775808" },
		{ "1e99999999999999999999", 0, "between -9223372036854775808 and"
		    " 9223372036854775807, not 1e99999999999999999999" },
		/* clang-format on */
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		AUTOFREE char *text = xasprintf("{\"x\":%s}", rows[i].text);
		struct err err = { "" };
		int64_t got = 0;
		struct doc *doc =
		    doc_parse("f", text, strlen(text), &small, &err);

		t_int(rows[i].text,
		    doc_get_int(doc_root(doc), "x", "x", INT64_MIN, INT64_MAX,
			&got, &err),
		    rows[i].err == NULL ? 0 : -1);
		t_int(rows[i].text, got, rows[i].want);
		if (rows[i].err != NULL)
			t_has(rows[i].text, err.text, rows[i].err);
		doc_free(doc);
	}
}

/* The error of one text, or "". */
static const char *
refusal(const char *text, struct err *err)
{
	struct doc *doc =
	    doc_parse("f", text, strlen(text), &doc_limits_people, err);

	if (doc != NULL)
		err->text[0] = '\0';
	doc_free(doc);
	return err->text;
}

/* An escape makes a shape that is not known yet; the same length of plain text
 * one that is. */
static void
a_text_that_looks_like_one_before_is_judged_alike(void)
{
	static const char whole[] =
	    "{\"a\": 12, \"b\": [\"x y\", -3.5e+7, true, 407],\n\"cd\": {},"
	    " \"e\": {\"f\": \"\\n\", \"g\": null, \"h\":[[ ]]}}";
	static const char bytes[] = "\"\\{}[]:,01289.-+eE \n\ttrufalsn\x01/x";
	uint64_t state = 1;
	unsigned accepted = 0;

	for (unsigned i = 0; i < 20000; i++) {
		char text[sizeof(whole)], plain[256], escaped[256];
		struct err was, is;

		memcpy(text, whole, sizeof(whole));
		for (unsigned n = i % 3; n > 0; n--) {
			state = state * UINT64_C(6364136223846793005) + 1;
			text[(state >> 33) % (sizeof(whole) - 1)] =
			    bytes[(state >> 20) % (sizeof(bytes) - 1)];
		}
		snprintf(plain, sizeof(plain), "[%s,\"abcdefabcdef\"]", text);
		snprintf(escaped, sizeof(escaped), "[%s,\"\\u%04x\\u%04x\"]",
		    text, 0x1000 + i / 0x7000, 0x1000 + i % 0x7000);
		if (!t_str(text, refusal(plain, &is), refusal(escaped, &was)))
			break;
		accepted += is.text[0] == '\0';
	}
	t_true("some are JSON", accepted > 8000);
	t_true("most are not", accepted < 12000);
}

T_MAIN(T(json_means_what_it_says),
    T(what_is_not_json_is_refused_with_its_place),
    T(yaml_scalars_mean_what_they_mean_to_kubernetes),
    T(yaml_anchors_and_merges_are_followed),
    T(what_is_not_yaml_is_refused_with_its_place), T(values_know_their_place),
    T(arrays_that_no_decoder_reads_are_left_out), T(only_some_fields_are_read),
    T(a_broken_element_can_be_passed_over), T(a_stream_yields_its_documents),
    T(a_list_yields_its_elements), T(elements_know_their_place_in_the_list),
    T(repeated_keys_are_told), T(limits_hold), T(an_alias_bomb_is_refused),
    T(text_cut_anywhere_does_no_harm), T(a_nul_byte_is_refused),
    T(files_are_read_and_refused), T(a_large_dump_is_not_in_memory_as_a_whole),
    T(getters_say_what_is_wrong), T(whole_numbers_are_read_exactly),
    T(a_text_that_looks_like_one_before_is_judged_alike))
