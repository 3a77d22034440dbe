#include "config.h"

#include "t/lib/profile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "policy/configuration.h"
#include "policy/policy.h"
#include "framework/gates.h"

/* The first one of a KubeSchedulerConfiguration. */
static struct profile *
first_profile(const char *text, const struct policy_options *options,
    struct problems *problems, struct err *err)
{
	struct configuration *c = configuration_read("configuration", text,
	    strlen(text), options, problems, err);
	struct profile *profile = c != NULL ? c->profiles[0] : NULL;

	if (c != NULL)
		c->profiles[0] = NULL;
	configuration_free(c);
	return profile;
}

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
	    first_profile(policy, options, &problems, &err) :
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
	const struct policy_options options = { .gates = gates_default };
	struct problems problems = { 0 };
	struct err err = { "" };
	struct configuration *configuration;
	struct profile *first;
	char text[4096];

	snprintf(text, sizeof(text),
	    "apiVersion: kubescheduler.config.k8s.io/%s\n"
	    "kind: KubeSchedulerConfiguration\nprofiles: [{%s}]\n",
	    version, profile);
	configuration = configuration_read("config", text, strlen(text),
	    &options, &problems, &err);
	if (configuration == NULL) {
		printf("Bail out! %s\n", err.text);
		exit(99);
	}
	problems_fini(&problems);
	first = configuration->profiles[0];
	configuration->profiles[0] = NULL;
	configuration_free(configuration);
	return first;
}
