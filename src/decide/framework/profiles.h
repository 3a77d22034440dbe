/* The profiles in force, each for the pods that name its scheduler. */
#ifndef FRAMEWORK_PROFILES_H
#define FRAMEWORK_PROFILES_H

struct profile;

struct profiles {
	size_t n; /* at least 1 */
	struct profile **at;
};

/* Takes the profile; you own the set. */
struct profiles *profiles_of_one(struct profile *profile);
/* Frees all but the first, which you own; NULL gives NULL. */
struct profile *profiles_first(struct profiles *profiles);
void profiles_free(struct profiles *profiles); /* NULL is fine */

/* The profile that serves pods with this spec.schedulerName, or NULL.  One
 * without a scheduler_name serves all. */
struct profile *profiles_serving(const struct profiles *profiles,
    const char *scheduler_name);

#endif
