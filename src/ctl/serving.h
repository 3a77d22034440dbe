/* Which of the profiles decides about a pod. */
#ifndef CTL_SERVING_H
#define CTL_SERVING_H

#include <stdbool.h>

struct options;
struct pod;
struct profile;
struct profiles;

/*
 * With --config the profile that the pod's schedulerName names; for a pod that
 * names none of them that of --scheduler-name, if it is given.  NULL: none serves
 * the pod.  Without --config there is one profile, which decides about any pod.
 */
const struct profile *serving_profile(const struct options *options,
    const struct profiles *profiles, const struct pod *pod);

/* Whether the pod waits for one of them; without --config for the scheduler of
 * --scheduler-name. */
bool serving_waits(const struct options *options,
    const struct profiles *profiles, const struct pod *pod);

#endif
