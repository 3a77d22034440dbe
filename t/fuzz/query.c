/* Query strings, and the health paths that they are about. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "wire/http/server_internal.h"
#include "t/fuzz/fuzz.h"
#include "t/fuzz/health.h"

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	struct fuzz_input input = { bytes, len };
	char *path = fuzz_part(&input, "?", NULL);
	char *encoded = fuzz_text(&input);
	struct health *health = health_new();
	struct reply reply = { .status = 200, .content_type = "" };
	struct query query;

	query_init(&query, encoded);
	for (size_t i = 0; i < query.n; i++)
		FUZZ_CHECK(query_get(&query, query.pairs[i].name) != NULL);
	query_get(&query, "verbose");
	health_add(health, "leaderElection", SERVER_EVERYWHERE, fuzz_pass,
	    NULL);
	health_add(health, "policy", SERVER_READYZ, fuzz_refuse, NULL);
	FUZZ_CHECK(health_answer(health, path, &query, &reply) ==
	    health_answer(health, path, NULL, NULL));
	health_free(health);
	text_fini(&reply.body);
	query_fini(&query);
	free(encoded);
	free(path);
	return 0;
}
