/* Quantities and times. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "objects/decode.h"
#include "base/quantity.h"
#include "t/fuzz/fuzz.h"

/* Beyond it, and below 0, amounts wrap around and stop as they do in Go. */
#define EXACT INT64_C(1000000000000000)

static int64_t
read_again(const char *text, int64_t (*amount)(const struct quantity *q))
{
	struct quantity again;
	struct err err;

	if (quantity_parse(text, strlen(text), &again, &err) != 0)
		fuzz_fail("%s: %s", text, err.text);
	return amount(&again);
}

static bool
is_exact(int64_t amount)
{
	return amount >= 0 && amount <= EXACT;
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	struct fuzz_input input = { bytes, len };
	struct quantity q, other;
	char buf[QUANTITY_TEXT];
	struct err err;
	int64_t seconds;
	int32_t nanoseconds = 0;
	size_t n;
	char *text = fuzz_rest(&input, &n);

	if (quantity_parse(text, n, &q, &err) == 0) {
		FUZZ_CHECK(quantity_cmp(&q, &q) == 0);
		quantity_write_cpu(buf, quantity_milli(&q));
		FUZZ_CHECK(
		    read_again(buf, quantity_milli) == quantity_milli(&q) ||
		    !is_exact(quantity_milli(&q)));
		quantity_write_bytes(buf, quantity_value(&q));
		FUZZ_CHECK(
		    read_again(buf, quantity_value) == quantity_value(&q) ||
		    !is_exact(quantity_value(&q)));
		if (n > 1 && quantity_parse(text + 1, n - 1, &other, NULL) == 0)
			FUZZ_CHECK((quantity_cmp(&q, &other) < 0) ==
			    (quantity_cmp(&other, &q) > 0));
	} else {
		FUZZ_CHECK(err.text[0] != '\0');
	}
	free(text);
	input = (struct fuzz_input){ bytes, len };
	text = fuzz_text(&input);
	if (time_parse(text, &seconds, &nanoseconds))
		FUZZ_CHECK(nanoseconds >= 0 && nanoseconds < 1000000000);
	free(text);
	return 0;
}
