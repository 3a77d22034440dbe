/* Expressions: what follows the first byte is compiled, and evaluated about a
 * device under a cost limit that the byte chooses. */
#include "config.h"

#include <stdlib.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/xmalloc.h"
#include "cel/cel.h"
#include "t/fuzz/fuzz.h"

static const struct cel_field fields[] = {
	{ "driver", "string" },
	{ "attributes", "map(string, map(string, any))" },
	{ "capacity", "map(string, map(string, kubernetes.Quantity))" },
};
static const struct cel_variable variable = { "device", "kubernetes.DRADevice",
	fields, LENGTH(fields) };

static struct cel_value
device(struct arena *arena)
{
	struct cel_value version = cel_int(0), amount = cel_int(0);
	struct cel_entry entries[3];

	FUZZ_CHECK(cel_semver(arena, "1.2.3-rc.1+b", &version, NULL) == 0);
	FUZZ_CHECK(cel_quantity_text(arena, "80Gi", 4, &amount, NULL) == 0);
	entries[0] = (struct cel_entry){ cel_string("a"), version };
	entries[1] = (struct cel_entry){ cel_string("b"), cel_int(3) };
	entries[2] = (struct cel_entry){ cel_string("c"), cel_string("x") };
	entries[1].value = cel_map(arena, entries, LENGTH(entries));
	entries[1].value = cel_map_of_maps(arena, &entries[1], 1);
	entries[1].key = cel_string("attributes");
	entries[0].value = amount;
	entries[2].value = cel_map(arena, entries, 1);
	entries[2].key = cel_string("b");
	entries[2].value = cel_map_of_maps(arena, &entries[2], 1);
	entries[2].key = cel_string("capacity");
	entries[0] =
	    (struct cel_entry){ cel_string("driver"), cel_string("b") };
	return cel_map(arena, entries, LENGTH(entries));
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	struct fuzz_input input = { bytes, len };
	struct arena arena = ARENA_INIT;
	struct cel_value value = device(&arena);
	struct cel_program *program;
	struct err err = { "" };
	uint64_t limit = (uint64_t)fuzz_byte(&input) * 64, cost = 0, again = 0;
	bool result = false, other = false;
	size_t n;
	char *text = fuzz_rest(&input, &n);

	program = cel_compile(text, n, &variable, &err);
	if (program == NULL) {
		FUZZ_CHECK(err.text[0] != '\0');
	} else if (cel_evaluate(program, &value, limit, &arena, &result, &cost,
		       &err) == 0) {
		FUZZ_CHECK(cost <= limit);
		FUZZ_CHECK(cel_evaluate(program, &value, limit, &arena, &other,
			       &again, NULL) == 0);
		FUZZ_CHECK(result == other && cost == again);
	} else {
		FUZZ_CHECK(err.text[0] != '\0');
	}
	cel_program_free(program);
	arena_fini(&arena);
	free(text);
	return 0;
}
