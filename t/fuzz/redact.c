/* Text of any kind, and a secret on a line of its own between two parts of it: the
 * secret never comes out. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/redact.h"
#include "base/xmalloc.h"
#include "t/fuzz/fuzz.h"

#define SECRET "Zq7PlantedSecret0123"

static const char *const planted[] = {
	"password=" SECRET,
	"\"token\": \"" SECRET "\"",
	"{\\\"apiKey\\\":\\\"" SECRET "\\\"}",
	"Authorization: Bearer " SECRET,
	"https://u:" SECRET "@host/",
	"run --password " SECRET,
	"secret: '" SECRET "'",
	"MYSQL_PWD=" SECRET,
	"pass: " SECRET,
	"x eyJ" SECRET,
	"x ghp_" SECRET,
	"x AKIA" SECRET,
};

static bool
has(const char *bytes, size_t len, const char *what)
{
	return len > 0 && memmem(bytes, len, what, strlen(what)) != NULL;
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	struct fuzz_input input = { bytes, len };
	const char *secret = planted[fuzz_byte(&input) % LENGTH(planted)];
	struct text text = { 0 }, out = { 0 };
	size_t before_len, after_len;
	char *before = fuzz_part(&input, FUZZ_NEXT, &before_len);
	char *after = fuzz_rest(&input, &after_len), *exact;

	text_append(&text, before, before_len);
	text_put(&text, "\n");
	text_put(&text, secret);
	if (after_len > 0)
		text_put(&text, "\n");
	text_append(&text, after, after_len);
	exact = xmalloc(text.len);
	memcpy(exact, text.bytes, text.len);
	redact(&out, exact, text.len);
	FUZZ_CHECK(has(before, before_len, SECRET) ||
	    has(after, after_len, SECRET) || !has(out.bytes, out.len, SECRET));
	free(exact);
	free(before);
	free(after);
	text_fini(&text);
	text_fini(&out);
	return 0;
}
