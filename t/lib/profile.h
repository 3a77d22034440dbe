/* Profiles of policies and configurations written in tests. */
#ifndef T_LIB_PROFILE_H
#define T_LIB_PROFILE_H

struct policy_options;
struct profile;

/* A Policy document; rest is the inside behind apiVersion and a comma. */
#define T_POLICY(rest) "{\"kind\":\"Policy\",\"apiVersion\":\"v1\"" rest "}"

/* A KubeSchedulerConfiguration of this version with one profile, which rest is the
 * inside of: "\"pluginConfig\":[…]". */
#define T_CONFIGURATION(version, rest)                                         \
	"{\"kind\":\"KubeSchedulerConfiguration\",\"apiVersion\":"             \
	"\"kubescheduler.config.k8s.io/" version "\",\"profiles\":[{" rest     \
	"}]}"

/* The policy's profile, or the first of a configuration; you own it; options NULL:
 * those of 1.19's gates.  A policy that is refused ends the test program with
 * "Bail out!". */
struct profile *t_profile(const char *policy,
    const struct policy_options *options);

/* That of a KubeSchedulerConfiguration, whose one profile has this inside; version:
 * "v1beta1", "v1".  You own it. */
struct profile *t_configured_profile(const char *version, const char *profile);

#endif
