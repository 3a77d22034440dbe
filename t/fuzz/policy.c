/* policy.cfg: a profile, or a refusal that names a problem. */
#include "config.h"

#include <stdlib.h>

#include "base/err.h"
#include "decide/framework/profile.h"
#include "policy/configuration/configuration.h"
#include "policy/policy.h"
#include "t/fuzz/fuzz.h"

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	struct fuzz_input input = { bytes, len };
	uint8_t how = fuzz_byte(&input);
	struct policy_options options = { .strict = how & 1,
		.kosmos = how & 2,
		.project_node_selectors = how & 4,
		.always_check_all_predicates = how & 8 };
	struct problems problems = { 0 };
	struct profile *profile;
	struct err err;
	char sentence[512];
	size_t n = input.left;
	char *text = fuzz_text(&input); /* NUL follows it */

	profile = policy_read("policy.cfg", text, n, &options, &problems, &err);
	FUZZ_CHECK((profile == NULL) == (problems.nerrors > 0));
	if (profile != NULL)
		free(policy_startup_line(profile));
	profile_free(profile);
	for (size_t i = 0; i < problems.n; i++)
		problem_text(&problems.at[i], sentence, sizeof(sentence));
	problems_fini(&problems);
	free(text);
	return 0;
}
