/*
 * KubeSchedulerConfiguration: profiles of plugins
 * (doc/semantics/08-kubeschedulerconfiguration.md).  v1alpha1 to v1beta1 are read
 * as kube-scheduler 1.20.2 reads v1beta1, later versions as 1.36.2 reads v1.
 */
#ifndef POLICY_CONFIGURATION_H
#define POLICY_CONFIGURATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "framework/profiles.h"
#include "policy/policy.h"

/*
 * As policy_read(), from a KubeSchedulerConfiguration: its profiles, each with its
 * own scheduler_name.  NULL if it is refused: err has the sentence with which
 * kube-scheduler refuses it.  You own them.
 */
struct profiles *configuration_read(const char *name, const char *text,
    size_t len, const struct policy_options *options, struct problems *problems,
    struct err *err);

/* Whether the first document is a KubeSchedulerConfiguration, and no policy. */
bool configuration_is(const char *text);

#endif
