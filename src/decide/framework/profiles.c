#include "config.h"

#include "decide/framework/profiles.h"

#include "decide/framework/profile.h"

struct profiles *
profiles_of_one(struct profile *profile)
{
	struct profiles *profiles = xcalloc(1, sizeof(*profiles));

	profiles->n = 1;
	profiles->at = xcalloc(1, sizeof(struct profile *));
	profiles->at[0] = profile;
	return profiles;
}

struct profile *
profiles_first(struct profiles *profiles)
{
	struct profile *first = NULL;

	if (profiles != NULL) {
		first = profiles->at[0];
		profiles->at[0] = NULL;
	}
	profiles_free(profiles);
	return first;
}

void
profiles_free(struct profiles *profiles)
{
	if (profiles == NULL)
		return;
	for (size_t i = 0; i < profiles->n; i++)
		profile_free(profiles->at[i]);
	free(profiles->at);
	free(profiles);
}

struct profile *
profiles_serving(const struct profiles *profiles, const char *scheduler_name)
{
	for (size_t i = 0; i < profiles->n; i++) {
		const char *name = profiles->at[i]->scheduler_name;

		if (name == NULL || strcmp(name, scheduler_name) == 0)
			return profiles->at[i];
	}
	return NULL;
}
