#include "config.h"

#include "decide/framework/profiles.h"

#include "base/xmalloc.h"
#include "decide/framework/profile.h"
#include "t/lib/t.h"

static struct profile *
profile_named(const char *scheduler_name)
{
	struct profile *profile = xcalloc(1, sizeof(*profile));

	profile->scheduler_name = scheduler_name;
	return profile;
}

static void
a_profile_serves_the_pods_that_name_it(void)
{
	struct profiles *profiles = profiles_of_one(profile_named("a"));

	profiles->at = xrealloc(profiles->at, 2, sizeof(struct profile *));
	profiles->at[profiles->n++] = profile_named("b");
	t_true("a", profiles_serving(profiles, "a") == profiles->at[0]);
	t_true("b", profiles_serving(profiles, "b") == profiles->at[1]);
	t_true("another", profiles_serving(profiles, "c") == NULL);
	profiles_free(profiles);
}

static void
one_without_a_name_serves_all(void)
{
	struct profiles *profiles = profiles_of_one(profile_named(NULL));

	t_true("any", profiles_serving(profiles, "c") == profiles->at[0]);
	profiles_free(profiles);
	profiles_free(NULL);
}

T_MAIN(T(a_profile_serves_the_pods_that_name_it),
    T(one_without_a_name_serves_all))
