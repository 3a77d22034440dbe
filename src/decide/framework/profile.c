#include "config.h"

#include "decide/framework/profile.h"

#include "decide/framework/args.h"
#include "objects/changes.h"

void
profile_free(struct profile *profile)
{
	if (profile == NULL)
		return;
	arena_fini(&profile->arena);
	free(profile);
}

struct volume_rules
profile_volume_rules(const struct profile *profile, int kubernetes_minor)
{
	return (struct volume_rules){
		.release = profile_release(profile, kubernetes_minor),
		.early = profile->release >= SINCE_FRAMEWORK &&
		    profile->release < SINCE_VOLUME_LOST,
		.leaf_nodes = profile->leaf_volumes,
	};
}

bool
profile_checks(const struct profile *profile, const struct predicate *unit)
{
	return ANY(i, profile->npredicates,
	    profile->predicates[i].unit == unit);
}

int
profile_place(const struct profile *profile, enum extension_point point,
    const char *plugin)
{
	const struct profile_point *p = &profile->points[point];

	for (size_t i = 0; i < p->n; i++)
		if (strcmp(p->plugins[i].name, plugin) == 0)
			return (int)i;
	return -1;
}

bool
profile_has_plugin(const struct profile *profile, enum extension_point point,
    const char *name)
{
	return profile_place(profile, point, name) >= 0;
}

int64_t
profile_device_timeout(const struct profile *profile)
{
	return profile->device_args != NULL ?
	    profile->device_args->binding_timeout / 1000000000 :
	    600;
}
