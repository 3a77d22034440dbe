/* predicatectl convert: a policy as a KubeSchedulerConfiguration, and back. */
#include "config.h"

#include <stdio.h>

#include "base/text.h"
#include "tool/commands/ctl.h"
#include "tool/input/load.h"
#include "tool/commands/options.h"
#include "policy/convert/convert.h"
#include "policy/policy.h"

int
convert_run(const struct options *given)
{
	struct options chosen_options = *given;
	const struct options *options = &chosen_options;
	struct profiles *profiles;
	const struct profile *profile;
	struct problems notes = { 0 };
	struct text out = { 0 };
	size_t nimpossible = 0;
	int code = EXIT_DONE;

	if (given->nwords > 0)
		code = load_choose(&chosen_options, given->words[0]);
	if (code == EXIT_DONE)
		code = load_profiles(options, &profiles);
	if (code != EXIT_DONE)
		return code;
	profile = load_profile_chosen(options, profiles);
	if (profile == NULL) {
		profiles_free(profiles);
		return EXIT_INPUT;
	}
	if (profile->release < 20)
		nimpossible =
		    convert_policy(profile, sym_text(options->scheduler_name),
			&options->convert_to, &out, &notes);
	else
		nimpossible = convert_profile(profile, &out, &notes);
	load_print_problems(&notes);
	text_write(&out, stdout);
	problems_fini(&notes);
	profiles_free(profiles);
	return nimpossible > 0 ? EXIT_NEGATIVE : EXIT_DONE;
}
