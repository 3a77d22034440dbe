/* Profiles of policies written in tests. */
#ifndef T_LIB_PROFILE_H
#define T_LIB_PROFILE_H

struct policy_options;
struct profile;

/* A Policy document; rest is the inside behind apiVersion and a comma. */
#define T_POLICY(rest) "{\"kind\":\"Policy\",\"apiVersion\":\"v1\"" rest "}"

/* The policy's profile, you own it; options NULL: those of 1.19's gates.  A
 * policy that is refused ends the test program with "Bail out!". */
struct profile *t_profile(const char *policy,
    const struct policy_options *options);

/* That of a KubeSchedulerConfiguration, whose one profile has this inside; version:
 * "v1beta1", "v1".  You own it. */
struct profile *t_configured_profile(const char *version, const char *profile);

#endif
