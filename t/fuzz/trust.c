/* The ConfigMap that says whose certificates are trusted. */
#include "config.h"

#include <stdlib.h>

#include "base/err.h"
#include "wire/http/auth_internal.h"
#include "t/fuzz/fuzz.h"

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	struct fuzz_input input = { bytes, len };
	struct err err = { { 0 } };
	size_t n;
	char *text = fuzz_rest(&input, &n);
	struct cluster_trust *trust = cluster_trust_parse(text, n, &err);

	FUZZ_CHECK(trust != NULL || err.text[0] != '\0');
	cluster_trust_free(trust);
	X509_STORE_free(trust_parse("input", text, n, &err));
	free(text);
	return 0;
}
