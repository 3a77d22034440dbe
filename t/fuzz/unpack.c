/* Text compressed with gzip or zstd, at most a mebibyte of it. */
#include "config.h"

#include <stdlib.h>

#include "base/err.h"
#include "base/unpack.h"
#include "t/fuzz/fuzz.h"

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	struct fuzz_input input = { bytes, len };
	size_t max = (size_t)1 << fuzz_byte(&input) % 21;
	size_t n, size = 0;
	char *packed = fuzz_rest(&input, &n), *text = NULL;
	struct err err = { { 0 } };

	if (unpack_is_packed(packed, n))
		text = unpack("input", packed, n, max, &size, &err);
	if (text != NULL)
		FUZZ_CHECK(size <= max);
	else if (unpack_is_packed(packed, n))
		FUZZ_CHECK(err.text[0] != '\0');
	free(text);
	free(packed);
	return 0;
}
