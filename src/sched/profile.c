#include "config.h"

#include "sched/profile.h"

#include <stdlib.h>

void
profile_free(struct profile *profile)
{
	if (profile == NULL)
		return;
	arena_fini(&profile->arena);
	free(profile);
}
