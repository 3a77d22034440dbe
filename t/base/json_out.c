#include "config.h"

#include "base/json_out.h"

#include <stdlib.h>
#include <string.h>

#include "base/xmalloc.h"
#include "t/lib/t.h"

/* What write() writes; you own it. */
static char *
written(void (*write)(struct json_out *json, const char *text),
    const char *text)
{
	char *got = NULL;
	size_t size;
	struct json_out json = JSON_OUT_INIT(open_memstream(&got, &size));

	write(&json, text);
	fclose(json.out);
	return got;
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
		{ "controls with a name", "\b\f\n\r\t",
		    "\"\\b\\f\\n\\r\\t\"" },
		{ "other controls", "\x01\x1f", "\"\\u0001\\u001f\"" },
		{ "UTF-8 stays", "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80",
		    "\"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\"" },
		{ "a lone continuation byte", "a\x80z",
		    "\"a\xef\xbf\xbdz\"" },
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

	t_str("nested", got, "{\"a\":[-9223372036854775808,true],\n"
	    " \"b\":{},\"c\":0.500}");
}

T_MAIN(T(strings_are_escaped), T(commas_come_by_themselves))
