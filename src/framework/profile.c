#include "config.h"

#include "framework/profile.h"

#include <stdlib.h>
#include <string.h>

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

bool
profile_has_plugin(const struct profile *profile, enum extension_point point,
    const char *name)
{
	const struct profile_point *list = &profile->points[point];

	for (size_t i = 0; i < list->n; i++)
		if (strcmp(list->plugins[i].name, name) == 0)
			return true;
	return false;
}
