/*
 * From one vocabulary to the other: policy.cfg to KubeSchedulerConfiguration, and
 * back (doc/semantics/08-kubeschedulerconfiguration.md, Policy names to plugins).
 *
 * The result is YAML.  A comment on every line says where the line comes from; a
 * comment "not possible" stands for each rule that the other vocabulary does not
 * have, with the reason, which is also a warning in *notes.
 */
#ifndef POLICY_CONVERT_H
#define POLICY_CONVERT_H

#include <stddef.h>

struct problems;
struct profile;
struct text;

/* The profile is a policy's, which has no name: scheduler_name becomes the
 * result's, never NULL.  The release that the result is for: 20 writes v1beta1, 36
 * writes v1.  Returns how many rules are not possible. */
size_t convert_policy(const struct profile *profile, const char *scheduler_name,
    int release, struct text *out, struct problems *notes);

/* The policy.cfg of a configuration's profile. */
size_t convert_profile(const struct profile *profile, struct text *out,
    struct problems *notes);

#endif
