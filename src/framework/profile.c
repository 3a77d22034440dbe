#include "config.h"

#include "framework/profile.h"

#include <stdlib.h>

void
profile_free(struct profile *profile)
{
	if (profile == NULL)
		return;
	arena_fini(&profile->arena);
	free(profile);
}

bool
profile_checks(const struct profile *profile, const struct predicate *unit)
{
	for (size_t i = 0; i < profile->npredicates; i++)
		if (profile->predicates[i].unit == unit)
			return true;
	return false;
}
