/* Questions about clusters that are written in tests (t/lib/world.h). */
#ifndef T_WHATIF_WHATIF_H
#define T_WHATIF_WHATIF_H

#include "t/lib/profile.h"
#include "t/lib/world.h"
#include "explain/whatif/whatif.h"

/* A cluster and the only profile that decides about it. */
struct t_asked {
	struct world *world;
	struct profile *profile;
	struct profiles profiles;
	struct whatif whatif;
};

static inline const struct profile *
t_serving(const void *arg, const struct profiles *profiles,
    const struct pod *pod)
{
	return profiles->at[0];
}

/* Takes the profile. */
static inline void
t_ask(struct t_asked *a, const char *yaml, struct profile *profile)
{
	a->world = world_new(yaml);
	a->profile = profile;
	a->profiles = (struct profiles){ 1, &a->profile };
	a->whatif = (struct whatif){
		.cluster = a->world->cluster,
		.profiles = &a->profiles,
		.seed = 1,
		.serving = t_serving,
	};
	whatif_init(&a->whatif);
}

static inline void
t_asked_fini(struct t_asked *a)
{
	whatif_fini(&a->whatif);
	profile_free(a->profile);
	world_free(a->world);
}

#endif
