/* A KubeSchedulerConfiguration: profiles, which convert to policies, or a refusal
 * that names a problem. */
#include "config.h"

#include <stdlib.h>

#include "base/err.h"
#include "base/json_out.h"
#include "policy/configuration/configuration.h"
#include "policy/convert/convert.h"
#include "t/fuzz/fuzz.h"
#include "t/lib/profiles_json.h"

static void
convert(const struct profile *profile)
{
	struct problems notes = { 0 };
	struct convert_target target;
	struct text out = { 0 };
	struct err err;

	if (profile->release >= 20) {
		convert_profile(profile, &out, &notes);
	} else {
		for (int minor = 20; minor <= 36; minor++)
			if (convert_target(NULL, minor, &target, &err) == 0)
				convert_policy(profile, "a", &target, &out,
				    &notes);
	}
	text_fini(&out);
	problems_fini(&notes);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	struct fuzz_input input = { bytes, len };
	uint8_t how = fuzz_byte(&input);
	struct policy_options options = { .gates = gates_default,
		.kosmos = how & 1 };
	struct problems problems = { 0 };
	struct profiles *configuration;
	struct text text = { 0 };
	struct json_out json = JSON_OUT_INIT(&text);
	struct err err;
	size_t n = input.left;
	char *given;

	options.gates.storage_capacity_scoring = how & 2;
	options.gates.default_pod_topology_spread = how & 4;
	given = fuzz_text(&input);
	configuration =
	    configuration_read("config", given, n, &options, &problems, &err);
	FUZZ_CHECK((configuration == NULL) == (problems.nerrors > 0));
	if (configuration != NULL) {
		t_profiles_json(configuration, &json);
		for (size_t i = 0; i < configuration->n; i++)
			convert(configuration->at[i]);
	}
	text_fini(&text);
	profiles_free(configuration);
	problems_fini(&problems);
	free(given);
	return 0;
}
