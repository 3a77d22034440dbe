/* Labels as OpenShift writes node selectors: "a=b,c=d". */
#include "config.h"

#include <stdlib.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/sym.h"
#include "objects/labels.h"
#include "t/fuzz/fuzz.h"

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	struct fuzz_input input = { bytes, len };
	struct arena arena = ARENA_INIT;
	struct labels labels;
	struct err err;
	char *text = fuzz_text(&input);

	if (labels_from_text(&arena, text, &labels, &err) == 0) {
		for (uint32_t i = 0; i < labels.n; i++) {
			FUZZ_CHECK(labels_get(&labels, labels.at[i].key) ==
			    labels.at[i].value);
			FUZZ_CHECK(
			    i == 0 || labels.at[i - 1].key < labels.at[i].key);
		}
		FUZZ_CHECK(labels_contains(&labels, &labels));
		FUZZ_CHECK(labels_equal(&labels, &labels));
	} else {
		FUZZ_CHECK(err.text[0] != '\0');
	}
	arena_fini(&arena);
	free(text);
	return 0;
}
