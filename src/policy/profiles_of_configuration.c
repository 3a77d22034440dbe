#include "config.h"

#include "policy/profiles_of_configuration.h"

#include "base/xmalloc.h"
#include "framework/profiles.h"
#include "policy/configuration.h"

struct profiles *
profiles_of_configuration(struct configuration *configuration)
{
	struct profiles *profiles;

	if (configuration == NULL)
		return NULL;
	profiles = xcalloc(1, sizeof(*profiles));
	profiles->n = configuration->nprofiles;
	profiles->at = configuration->profiles;
	configuration->nprofiles = 0;
	configuration->profiles = NULL;
	configuration_free(configuration);
	return profiles;
}
