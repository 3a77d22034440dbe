/*
 * The texts that become profiles.
 *
 * KubeSchedulerConfiguration: profiles of plugins
 * (doc/semantics/08-kubeschedulerconfiguration.md).  v1alpha1 to v1beta1 are read
 * as kube-scheduler 1.20.2 reads v1beta1, later versions as 1.36.2 reads v1.
 */
#ifndef CONFIGURATION_CONFIGURATION_H
#define CONFIGURATION_CONFIGURATION_H

#include "decide/framework/profiles.h"
#include "policy/policy.h"

/*
 * Reads a policy from JSON, YAML, or a ConfigMap manifest that holds one under
 * the key policy.cfg; name is the file's for messages.  Every problem goes to
 * *problems.  NULL if one of them is an error: err then has the first.  You own the
 * profile.
 */
struct profile *policy_read(const char *name, const char *text, size_t len,
    const struct policy_options *options, struct problems *problems,
    struct err *err);

/* As policy_read(), from a file ("-" is standard input). */
struct profile *policy_read_file(const char *path,
    const struct policy_options *options, struct problems *problems,
    struct err *err);

/*
 * As policy_read(), from a KubeSchedulerConfiguration: its profiles, each with its
 * own scheduler_name.  NULL if it is refused, or, without an error in *problems, if it
 * names a policy in a ConfigMap.  You own them.
 */
struct profiles *configuration_read(const char *name, const char *text,
    size_t len, const struct policy_options *options, struct problems *problems,
    struct err *err);

/*
 * The part of configuration_read() that comes before profiles are made: fields,
 * validation, lock and election.  Both refuse the same there.  -1: it is refused.
 */
int configuration_check(const char *name, const char *text, size_t len,
    const struct policy_options *options, struct problems *problems);

/* Whether the first document is a KubeSchedulerConfiguration, and no policy. */
bool configuration_is(const char *text);

/*
 * The profile that spec.profile of OpenShift's Scheduler object names, from the
 * KubeSchedulerConfiguration that the operator of the cluster's release makes of it
 * (doc/semantics/07-openshift.md, Profiles): LowNodeUtilization, which is the
 * default, HighNodeUtilization or NoScoring.  It has no scheduler_name.  You own
 * it.  NULL for any other name: err has the operator's sentence.
 */
struct profile *policy_openshift_profile(const char *name,
    const struct policy_options *options, struct err *err);

/* That configuration as a text, you own it; NULL for any other name. */
char *policy_openshift_text(const char *name,
    const struct policy_options *options);

#endif
