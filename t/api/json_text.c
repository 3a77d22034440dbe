#include "config.h"

#include "api/json_text.h"

#include <stdint.h>
#include <string.h>

#include "api/base64.h"
#include "base/doc.h"
#include "base/xmalloc.h"
#include "t/lib/t.h"

#include <stdlib.h>

static void
strings_are_escaped(void)
{
	static const struct {
		const char *name, *text, *want;
	} rows[] = {
		/* clang-format off */
		{ "plain", "a/b", "\"a/b\"" },
		{ "quotes", "\"\\", "\"\\\"\\\\\"" },
		{ "in the middle", "a\"b\nc", "\"a\\\"b\\u000ac\"" },
		{ "nothing", "", "\"\"" },
		{ "control", "\n\x01", "\"\\u000a\\u0001\"" },
		{ "umlaut, emoji", "\xc3\xa4\xf0\x9f\x98\x80",
		    "\"\xc3\xa4\xf0\x9f\x98\x80\"" },
		{ "no UTF-8", "\xff" "a\xc3", "\"\\ufffda\\ufffd\"" },
		{ "overlong", "\xc0\x80", "\"\\ufffd\\ufffd\"" },
		{ "surrogate", "\xed\xa0\x80", "\"\\ufffd\\ufffd\\ufffd\"" },
		/* clang-format on */
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct text text = { 0 };

		json_put_string(&text, rows[i].text);
		t_str(rows[i].name, text.bytes, rows[i].want);
		text_fini(&text);
	}
}

static void
formats_are_json(void)
{
	struct text text = { 0 };

	json_put(&text, "{'a':%s,'n':%d,'p':'100%%'}", "it's",
	    INT64_C(-9007199254740993));
	t_str("all of them", text.bytes,
	    "{\"a\":\"it's\",\"n\":-9007199254740993,\"p\":\"100%\"}");
	text_fini(&text);
}

static void
documents_come_out_as_they_went_in(void)
{
	static const char json[] =
	    "{\"a\":[1,2.50,-1e9,true,false,null,\"\\u0000"
	    "x\"],\"b\":{},\"c\":[],\"d\\\"\":{\"e\":\"f\"}}";
	struct doc *doc =
	    doc_parse("x", json, sizeof(json) - 1, &doc_limits_people, NULL);
	struct text text = { 0 };

	json_put(&text, "%n", doc_root(doc));
	t_str("the same", text.bytes, json);
	text_fini(&text);
	doc_free(doc);
}

static void
urls_are_escaped(void)
{
	struct text text = { 0 };

	url_put(&text, "status.phase!=Failed,a=b c/\xc3\xa4");
	t_str("query", text.bytes,
	    "status.phase%21%3DFailed%2Ca%3Db%20c%2F%C3%A4");
	text_fini(&text);
}

static void
base64_goes_both_ways(void)
{
	static const char *const texts[] = { "", "a", "ab", "abc", "abcd" };
	size_t len;
	char *coded, *back;

	for (size_t i = 0; i < LENGTH(texts); i++) {
		coded = base64_encode(texts[i], strlen(texts[i]));
		back = base64_decode(coded, &len);
		t_str("back", back, texts[i]);
		t_int("length", len, strlen(texts[i]));
		free(coded);
		free(back);
	}
	back = base64_decode("YW\nJj\n", &len);
	t_str("in lines", back, "abc");
	free(back);
	t_true("cut", base64_decode("YWJ", &len) == NULL);
	t_true("other characters", base64_decode("YW!j", &len) == NULL);
}

T_MAIN(T(strings_are_escaped), T(formats_are_json),
    T(documents_come_out_as_they_went_in), T(urls_are_escaped),
    T(base64_goes_both_ways))
