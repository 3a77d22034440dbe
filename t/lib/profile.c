#include "config.h"

#include "t/lib/profile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "policy/configuration/configuration.h"
#include "policy/policy.h"
#include "decide/framework/gates.h"

struct profile *
t_profile(const char *policy, const struct policy_options *options)
{
	const struct policy_options usual = { .gates = gates_default };
	struct problems problems = { 0 };
	struct err err = { "" };
	struct profile *profile;

	if (options == NULL)
		options = &usual;
	profile = strstr(policy, "KubeSchedulerConfiguration") != NULL ?
	    profiles_first(configuration_read("configuration", policy,
		strlen(policy), options, &problems, &err)) :
	    policy_read("policy", policy, strlen(policy), options, &problems,
		&err);
	if (profile == NULL) {
		printf("Bail out! %s\n", err.text);
		exit(99);
	}
	problems_fini(&problems);
	return profile;
}

struct profile *
t_configured_profile(const char *version, const char *profile)
{
	char text[4096];

	snprintf(text, sizeof(text),
	    "apiVersion: kubescheduler.config.k8s.io/%s\n"
	    "kind: KubeSchedulerConfiguration\nprofiles: [{%s}]\n",
	    version, profile);
	return t_profile(text, NULL);
}
