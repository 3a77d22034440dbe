#include "config.h"

#include "ctl/serving.h"

#include "ctl/load.h"
#include "ctl/options.h"
#include "framework/profiles.h"
#include "model/pod.h"

const struct profile *
serving_profile(const struct options *options, const struct profiles *profiles,
    const struct pod *pod)
{
	const struct profile *profile =
	    profiles_serving(profiles, sym_text(pod->class->scheduler_name));

	if (profile == NULL && options->scheduler_is_given)
		profile = profiles_serving(profiles,
		    sym_text(options->scheduler_name));
	return profile;
}

bool
serving_waits(const struct options *options, const struct profiles *profiles,
    const struct pod *pod)
{
	if (!pod_is_pending(pod))
		return false;
	if (options->namespace != SYM_NONE &&
	    pod->object.namespace != options->namespace)
		return false;
	if (options->config == NULL)
		return pod->class->scheduler_name == options->scheduler_name;
	return serving_profile(options, profiles, pod) != NULL;
}
