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
		{ "{\"msg\":\"{\\\"password\\\":\\\"a b\\\",\\\"x\\\":1}\"}",
		    "{\"msg\":\"{\\\"password\\\":\\\"REDACTED\",\\\"x\\\":1}\"}" },
		{ "password: |\n  abc\n  def\nx: 1",
		    "password: REDACTED\nx: 1" },
		{ "password: |\n  abc", "password: REDACTED" },
		{ "run --token abc x", "run --token REDACTED x" },
		{ "run --token", "run --token" },
		{ "a token abc", "a token abc" },
		{ "token=\"abc", "token=\"REDACTED" },
		{ "token=\"abc\\", "token=\"REDACTED" },
		{ "token:\"\\\napiKey=\"abc\"\nx",
		    "token:\"REDACTED\napiKey=\"REDACTED\"\nx" },
		{ "{\\\"token\\\":\\\"\npassword=\"abc\" x",
		    "{\\\"token\\\":\\\"REDACTED\npassword=\"REDACTED\" x" },
		{ "{\\\"password\\\":\\\"a\\\\\\\"b\\\",c",
		    "{\\\"password\\\":\\\"REDACTED\",c" },
		{ "secret\n: abc", "secret\n: abc" },
		{ "MYSQL_PWD=abc x", "MYSQL_PWD=REDACTED x" },
		{ "pass: abc x", "pass: REDACTED x" },
		{ "AKIAIOSFODNN7EXAMPLE x", "REDACTED x" },
		{ "ghp_abcdefghijklmnopqrstuvwxyz0123456789 x", "REDACTED x" },
		{ "in:glpat-abcdefghijklmnopqrst", "in:REDACTED" },
		{ "an AKIA", "an AKIA" },
		{ "postgres://u:p%40q@host/x", "postgres://REDACTED@host/x" },
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

static void
a_nul_hides_nothing(void)
{
	static const char text[] = "password=\0abc x";
	struct text out = { 0 };

	redact(&out, text, sizeof(text) - 1);
	t_true("replaced", memmem(out.bytes, out.len, "abc", 3) == NULL);
	t_true("the rest is there", out.bytes[out.len - 1] == 'x');
	text_fini(&out);
}

static void
a_nul_ends_no_user(void)
{
	static const char text[] = "https://u:\0abc@host";
	struct text out = { 0 };

	redact(&out, text, sizeof(text) - 1);
	t_str("replaced", out.bytes, "https://REDACTED@host");
	text_fini(&out);
}

T_MAIN(T(a_nul_ends_no_user), T(a_nul_hides_nothing), T(secrets_are_replaced),
    T(texts_may_end_anywhere))
