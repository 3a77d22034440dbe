/*
 * KubeSchedulerConfiguration: profiles of plugins
 * (doc/semantics/08-kubeschedulerconfiguration.md).  v1alpha1 to v1beta1 are read
 * as kube-scheduler 1.20.2 reads v1beta1, later versions as 1.36.2 reads v1.
 */
#ifndef POLICY_CONFIGURATION_H
#define POLICY_CONFIGURATION_H

#include <stddef.h>
#include <stdint.h>

#include "policy/policy.h"

struct json_out;

struct configuration {
	int release;         /* as profile->release */
	const char *version; /* "v1"; a constant */
	size_t nprofiles;
	struct profile **profiles; /* each with its own scheduler_name */
};

/*
 * As policy_read(), from a KubeSchedulerConfiguration.  NULL if it is refused: err
 * has the sentence with which kube-scheduler refuses it.  You own it.
 */
struct configuration *configuration_read(const char *name, const char *text,
    size_t len, const struct policy_options *options, struct problems *problems,
    struct err *err);
/* As configuration_read(), from a file ("-" is standard input). */
struct configuration *configuration_read_file(const char *path,
    const struct policy_options *options, struct problems *problems,
    struct err *err);
void configuration_free(struct configuration *configuration); /* NULL is fine */

/* The profile that serves pods with this spec.schedulerName, or NULL. */
struct profile *configuration_profile(const struct configuration *configuration,
    const char *scheduler_name);

/*
 * The profiles with their effective plugins and final arguments: {"profiles":
 * [{"schedulerName", "plugins": {point: [names]}, "pluginConfig": {plugin: args}}]};
 * score has {"name", "weight"}.
 */
void configuration_json(const struct configuration *configuration,
    struct json_out *json);

#endif
