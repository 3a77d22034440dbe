#include "config.h"

#include "base/redact.h"

#include <string.h>

#include "base/xmalloc.h"
#include "t/lib/t.h"

static void
secrets_are_replaced(void)
{
	static const struct {
		const char *text, *want;
	} rows[] = {
		{ "", "" },
		{ "nothing", "nothing" },
		{ "password=abc", "password=REDACTED" },
		{ "DB_PASSWORD: abc def", "DB_PASSWORD: REDACTED def" },
		{ "{\"token\":\"a\\\"b\",\"x\":1}",
		    "{\"token\":\"REDACTED\",\"x\":1}" },
		{ "\"keyData\" : 'a b', c", "\"keyData\" : 'REDACTED', c" },
		{ "token", "token" },
		{ "token=", "token=" },
		{ "token: ", "token: " },
		{ "a token is", "a token is" },
		{ "secret: {a}", "secret: {a}" },
		{ "Authorization: Bearer abc.def x",
		    "Authorization: Bearer REDACTED x" },
		{ "bearer abc", "bearer REDACTED" },
		{ "Basic abc", "Basic REDACTED" },
		{ "eyJhbGciOiJSUzI1NiJ9.e30.abc", "REDACTED" },
		{ "x eyJhbGciOiJSUzI1NiJ9.e30.abc y", "x REDACTED y" },
		{ "eyJ", "eyJ" },
		{ "sha256~0123456789abcdef", "REDACTED" },
		{ "https://u:p@host/x", "https://REDACTED@host/x" },
		{ "https://host/x@y", "https://host/x@y" },
		{ "a\n-----BEGIN PRIVATE KEY-----\nabc\n-----END PRIVATE "
		  "KEY-----\nb",
		    "a\nREDACTED-----END PRIVATE KEY-----\nb" },
		{ "-----BEGIN EC PRIVATE KEY-----\nabc", "REDACTED" },
		{ "-----BEGIN CERTIFICATE-----\nabc",
		    "-----BEGIN CERTIFICATE-----\nabc" },
		{ "token=\"abc", "token=\"REDACTED" },
		{ "token=\"abc\\", "token=\"REDACTED" },
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct text out = { 0 };

		redact(&out, rows[i].text, strlen(rows[i].text));
		t_str(rows[i].text, out.bytes != NULL ? out.bytes : "",
		    rows[i].want);
		text_fini(&out);
	}
}

/* All prefixes of all rows: nothing is read behind the end. */
static void
texts_may_end_anywhere(void)
{
	static const char text[] = "password = \"a\\\"b\" token: 'c' Bearer d "
				   "https://e:f@g/ -----BEGIN PRIVATE KEY-----";

	for (size_t len = 0; len < sizeof(text); len++) {
		AUTOFREE char *exact = xmalloc(len + 1);
		struct text out = { 0 };

		memcpy(exact, text, len);
		exact = xrealloc(exact, len > 0 ? len : 1, 1);
		redact(&out, exact, len);
		t_true("it ends", out.len <= 3 * sizeof(text));
		text_fini(&out);
	}
}

T_MAIN(T(secrets_are_replaced), T(texts_may_end_anywhere))
