#include "config.h"

#include "base/json_out.h"

#include <stdlib.h>
#include <string.h>

#include "base/doc.h"
#include "base/sym.h"
#include "base/xmalloc.h"
#include "t/lib/t.h"

/* The output of write(); you own it. */
static char *
written(void (*write)(struct json_out *json, const char *text),
    const char *text)
{
	struct text got = { 0 };
	struct json_out json = JSON_OUT_INIT(&got);

	write(&json, text);
	return text_take(&got);
}

static void
strings_are_escaped(void)
{
	static const struct {
		const char *name, *text, *want;
	} rows[] = {
		{ "plain", "shop/web-1", "\"shop/web-1\"" },
		{ "empty", "", "\"\"" },
		{ "quotes and backslashes", "a\"b\\c", "\"a\\\"b\\\\c\"" },
		{ "controls with a name", "\b\f\n\r\t", "\"\\b\\f\\n\\r\\t\"" },
		{ "other controls", "\x01\x1f", "\"\\u0001\\u001f\"" },
		{ "UTF-8 stays", "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80",
		    "\"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\"" },
		{ "in the middle", "a\"b\nc\x7f", "\"a\\\"b\\nc\\u007f\"" },
		{ "what a terminal obeys", "\033[1m\xc2\x9b",
		    "\"\\u001b[1m\\u009b\"" },
		{ "what turns a text", "\u202ea\u2069", "\"\\u202ea\\u2069\"" },
		{ "in two parts", "\xf3\xa0\x81\x81", "\"\\udb40\\udc41\"" },
		{ "a lone continuation byte", "a\x80z", "\"a\xef\xbf\xbdz\"" },
		{ "a sequence cut short", "a\xe2\x82",
		    "\"a\xef\xbf\xbd\xef\xbf\xbd\"" },
		{ "an overlong slash", "\xc0\xaf",
		    "\"\xef\xbf\xbd\xef\xbf\xbd\"" },
		{ "a surrogate", "\xed\xa0\x80",
		    "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"" },
		{ "beyond U+10FFFF", "\xf4\x90\x80\x80",
		    "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"" },
		{ "no text", NULL, "null" },
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		AUTOFREE char *got = written(json_string, rows[i].text);

		t_str(rows[i].name, got, rows[i].want);
	}
}

static void
write_nested(struct json_out *json, const char *text)
{
	json_open(json, '{');
	json_key(json, "a");
	json_open(json, '[');
	json_int(json, INT64_MIN);
	json_bool(json, true);
	json_close(json, ']');
	json_break(json, " ");
	json_key(json, "b");
	json_open(json, '{');
	json_close(json, '}');
	json_key(json, "c");
	json_number(json, 0.5, 3);
	json_close(json, '}');
}

static void
commas_come_by_themselves(void)
{
	AUTOFREE char *got = written(write_nested, NULL);

	t_str("nested", got,
	    "{\"a\":[-9223372036854775808,true],\n"
	    " \"b\":{},\"c\":0.500}");
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
pairs_are_keys_and_values(void)
{
	struct text text = { 0 };
	struct json_out json = JSON_OUT_INIT(&text);

	json_open(&json, '{');
	json_pair(&json, "a", "x\"");
	json_pair(&json, "b", NULL);
	json_pair_int(&json, "c", INT64_MIN);
	json_pair_bool(&json, "d", true);
	json_close(&json, '}');
	t_str("pairs", text.bytes,
	    "{\"a\":\"x\\\"\",\"b\":null,\"c\":-9223372036854775808,"
	    "\"d\":true}");
	text_fini(&text);
}

static void
members_are_written_by_a_format(void)
{
	static const char *const texts[] = { "x", "y\"" };
	struct text text = { 0 };
	struct json_out json = JSON_OUT_INIT(&text);

	json_open(&json, '{');
	json_members(&json, "s:s n:n d:d", "a\"", SYM_EMPTY, INT64_MIN);
	json_members(&json, "i:i u:u z:z b:b f:2", -1, UINT32_MAX, (size_t)7,
	    true, 0.125);
	json_texts(&json, "texts", 2, texts);
	json_open_member(&json, "list", '[');
	json_object(&json, "none:s", NULL);
	json_object(&json, "");
	json_close(&json, ']');
	json_close(&json, '}');
	t_str("members", text.bytes,
	    "{\"s\":\"a\\\"\",\"n\":null,\"d\":-9223372036854775808,"
	    "\"i\":-1,\"u\":4294967295,\"z\":7,\"b\":true,\"f\":0.12,"
	    "\"texts\":[\"x\",\"y\\\"\"],\"list\":[{\"none\":null},{}]}");
	text_fini(&text);
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

T_MAIN(T(strings_are_escaped), T(pairs_are_keys_and_values),
    T(commas_come_by_themselves), T(formats_are_json),
    T(documents_come_out_as_they_went_in), T(members_are_written_by_a_format),
    T(urls_are_escaped))
